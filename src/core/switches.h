/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CORE_SWITCHES_H
#define GEARTRAIN_CORE_SWITCHES_H

/* Switches of a run: switches.c decides which side each is on, slide.c follows a surface to which
 * both sides push. */
#include "core/fields.h"
#include <math.h>

/* What f does on the two sides of the surface of one switch, at a point on it. */
typedef struct gt_two_sides {
    double plus, minus; /* dg/dt with the formula of either side */
    double jump, size;  /* largest difference of the two f, and largest value */
} gt_two_sides;

/* Evaluates both; f_plus and f_minus get f. The sides of the other switches are as they are. */
gt_status gt_switch_look(gt_run *r, size_t k, double t, const double *x, double *f_plus,
                         double *f_minus, gt_two_sides *two) GT_MUST_CHECK;

/* Switch k of those that are watched. */
const char *gt_switch_name(const gt_run *r, size_t k, char buffer[GT_NAME_ROOM]);
/* Any switch of the problem. */
const char *gt_relation_name(const gt_problem *p, size_t number, char buffer[GT_NAME_ROOM]);

/* The functions of those that are watched. */
gt_status gt_switch_values(gt_run *r, double t, const double *x, double *g) GT_MUST_CHECK;

/* The middle of the trial, roughly and at no cost of f; NULL: not known. */
const double *gt_run_middle(gt_run *r);
/* Whether relations change with t while the state does not. */
bool gt_switches_in_time(gt_run *r);

/* How far a switch is on the side where it was, below 0: it has passed. One that was zero is on any
 * side. */
static inline double gt_on_side(double past, double g)
{
    return past > 0 ? g : past < 0 ? -g : fabs(g);
}

static inline bool gt_is_among(const size_t *list, size_t count, size_t k)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == k) return true;
    return false;
}

/* carry.c */
/* Those that go along when the sides `from` become `to`; not those that are fixed. */
gt_status gt_switch_carry(gt_run *r, double t, const double *x, const signed char *from,
                          signed char *to, const signed char *fixed) GT_MUST_CHECK;
/* The sides of all that are watched with switch k on its positive and on its negative side: with
 * the others that it carries along. */
gt_status gt_switch_two_sides(gt_run *r, size_t k, double t, const double *x, signed char *plus,
                              signed char *minus) GT_MUST_CHECK;
/* The sides at the accepted point, from the functions g as they are where nothing is held; zero
 * counts as above. */
gt_status gt_switch_take_sides(gt_run *r, const double *g) GT_MUST_CHECK;
/* Puts switch k on this side, and them with it, at the accepted point. */
gt_status gt_switch_put(gt_run *r, size_t k, int side) GT_MUST_CHECK;

/* f gets the sides of those that are watched. */
void gt_switch_freeze(gt_run *r);

/* dg/dt on the two sides decides: 1 or -1, the side to which it goes; 0: it slides. `came_from`:
 * the side before, 0 not known. */
int gt_switch_side(const gt_two_sides *two, int came_from);
/* Ends the run: switches j and k hold the solution in a way that is not followed. */
gt_status gt_two_surfaces(gt_run *r, size_t j, size_t k);

/* meet.c: whether a switch is on its surface at the accepted point, and held the solution before.
 */
enum { GT_MEETS = 1, GT_HELD = 2 };
/* Puts all of them on their sides, or begins to slide. */
gt_status gt_run_meet(gt_run *r, const unsigned char *on, const signed char *came_from,
                      bool *jumps) GT_MUST_CHECK;

/* slide.c */
/* Whether the problem is small enough to slide. */
bool gt_run_may_slide(const gt_run *r);
gt_status gt_run_begin_slide(gt_run *r, const gt_surfaces *on) GT_MUST_CHECK;
/* The run goes on with the method's own stepper, at the same point. */
void gt_run_end_slide(gt_run *r);
/* The surfaces on which the run slides; NULL: it does not. */
const gt_surfaces *gt_slide_on(const gt_run *r);
/* Whether switch k is the one that stands for such a surface. */
bool gt_slide_leads(const gt_run *r, size_t k);
/* For them, hold[k] is positive while both sides push to the surface. */
gt_status gt_slide_hold(gt_run *r, double t, const double *x, double *hold) GT_MUST_CHECK;
/* The side to which the fields let go of it at the accepted point. */
gt_status gt_slide_side(gt_run *r, size_t k, int *side) GT_MUST_CHECK;
/* Whether the numbers of a slide that was read make one on `count` surfaces. */
bool gt_slide_is_sound(const gt_run *r, size_t count);

#endif

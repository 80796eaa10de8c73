/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CORE_SWITCHES_H
#define GEARTRAIN_CORE_SWITCHES_H

/* Switches of a run: switches.c decides which side each is on, slide.c follows a surface to which
 * both sides push. */
#include "core/run_state.h"

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

/* carry.c */
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

/* slide.c */
gt_status gt_run_begin_slide(gt_run *r, size_t k) GT_MUST_CHECK;
/* The run goes on with the method's own stepper, at the same point. */
void gt_run_end_slide(gt_run *r);
/* Positive while both sides push to the surface. */
gt_status gt_slide_hold(gt_run *r, double t, const double *x, double *hold) GT_MUST_CHECK;
/* The side to which the fields let go at the accepted point. */
gt_status gt_slide_exit(gt_run *r, int *side) GT_MUST_CHECK;
/* Which switch it is. */
size_t gt_slide_of(const gt_run *r);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CORE_FIELDS_H
#define GEARTRAIN_CORE_FIELDS_H

/*
 * f where several surfaces meet. With all of them on their negative sides it is f_0, and crossing
 * surface k adds the jump d_k; where the jumps superpose, f on any mixture of sides is
 *
 *     f = f_0 + sum a_k d_k,     0 <= a_k <= 1,     dg/dt = w + W a
 *
 * with W[j,k] the rate of g_j along d_k and w that along f_0.
 */
#include "core/run_state.h"

/* Surfaces, each the zero of the function of one switch, or of several that share it. */
typedef struct gt_surfaces {
    size_t count;
    size_t lead[GT_MOST_WATCHED];    /* the first switch of each */
    signed char of[GT_MOST_WATCHED]; /* the surface of a switch, from 1 on; negative: its function
                                        has the other sign; 0: none */
} gt_surfaces;

typedef struct gt_fields {
    size_t n, count;
    double *f; /* f_0, then d_1 .. d_count */
    double *w, *W;
    double *a;             /* what gt_fields_balance finds */
    double *factors, *sum; /* room for it, and for a sum of f */
} gt_fields;

size_t gt_fields_numbers(size_t n, size_t count);
void gt_fields_carve(gt_fields *fields, size_t n, size_t count, double *numbers);

/* The sides of all that are watched with surface i of `on` on a side, from those in `sides`. */
gt_status gt_surface_put(gt_run *r, const gt_surfaces *on, size_t i, int side, double t,
                         const double *x, signed char *sides) GT_MUST_CHECK;
/* f and its rates at a point of all surfaces. The sides of the run are as they were after it. */
gt_status gt_fields_look(gt_run *r, const gt_surfaces *on, double t, const double *x,
                         gt_fields *fields) GT_MUST_CHECK;
/* Whether the jumps superpose: f with all on their positive sides is the sum. */
gt_status gt_fields_superpose(gt_run *r, const gt_surfaces *on, double t, const double *x,
                              gt_fields *fields, bool *superpose) GT_MUST_CHECK;
/* dg/dt of `count` watched switches along f. */
gt_status gt_switch_rates(gt_run *r, const size_t *list, size_t count, double t, const double *x,
                          const double *f, double *rate) GT_MUST_CHECK;
/* a with W a = -(w + more), more = NULL: 0; false: there is none. */
bool gt_fields_balance(gt_fields *fields, const double *more);
/* f_0 + sum a_k d_k */
void gt_fields_mix(const gt_fields *fields, const double *a, double *f);

/* complement.c: which of the surfaces hold the solution. a_k = 0 where dg_k/dt < 0, 1 where it is
 * > 0, between them where it is 0. False: it is not known that there is one solution and no more.
 * `room` has gt_complement_numbers(count). */
size_t gt_complement_numbers(size_t count);
bool gt_complement(size_t count, const double *w, const double *W, double *a, double *room);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_SMALL_STEPS_H
#define GEARTRAIN_KIT_SMALL_STEPS_H

#include "kit/fast_modes.h"

/*
 * Small Euler steps that make fast parts fall onto their slow manifold: x <- x + tau_j f, j
 * = 1..count. On an eigenvalue -u they multiply by P(u) = prod (1 - tau_j u). With 1/tau_j at the
 * zeros of the Chebyshev polynomial of low..high, |P| <= 1/T_count((high + low)/(high - low))
 * there, the least that so many steps can do; for a cluster they are all nearly alike, and for
 * complex eigenvalues they are all 1/high.
 */
enum { GT_MOST_SMALL_STEPS = 400 };

typedef struct gt_small_steps {
    int count;
    double low, high, total; /* the eigenvalues that are damped, by size; the sum of all tau */
    double moment; /* sum of tau_j (tau_j + tau_(j+1) + ..): how far they lag behind a slope that
                      changes */
    bool even;     /* all tau are 1/high */
    double *tau;   /* GT_MOST_SMALL_STEPS */
} gt_small_steps;

/* What the eigenvalues faster than a step are like. */
typedef enum gt_fast_kind {
    GT_FAST_NONE,
    GT_FAST_REAL,       /* decay along the negative real axis */
    GT_FAST_DAMPED,     /* decay faster than they swing: equal small steps damp them */
    GT_FAST_OSCILLATING /* no small steps damp them; or they grow */
} gt_fast_kind;

typedef struct gt_fast_part {
    gt_fast_kind kind;
    double low, high;   /* by size, with a margin for what is not known */
    double contraction; /* GT_FAST_DAMPED: largest |1 + lambda/high| */
} gt_fast_part;

/* The modes with |lambda| > above; `width` is how far they may move, relative to their size. */
gt_fast_part gt_fast_part_of(const gt_fast_modes *modes, double above, double width);

/* The fewest steps that make |P| <= factor on the fast part; false: more than GT_MOST_SMALL_STEPS.
 */
bool gt_small_steps_make(gt_small_steps *d, const gt_fast_part *part, double factor);

#endif

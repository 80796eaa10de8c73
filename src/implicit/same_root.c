/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 0 = g(t, x, y) may have several roots y, and Newton's iteration for a long step may end at
 * another one than it began with: behind a pole of y(t), or across a fold. Nothing in the error of
 * x shows it, and that of y is none: the other root is exact. So where an algebraic variable
 * changes its sign, or by more than half of its size, the root of the accepted point is followed to
 * the end of the trial (gt_closing_stage), and has to be the one that was found there; and
 * det(dg/dy) has to have the same sign at both ends, since where it is zero on the way there is a
 * pole, a fold, or a point from which several roots go on.
 */
#include "implicit/index.h"
#include "linalg/lu_internal.h"
#include "problem/norm.h"
#include <assert.h>
#include <geartrain/author/newton.h>
#include <math.h>
#include <string.h>

/* A change of a variable that is looked into: this part of its size, and so many tolerances. */
static const double large_part = 0.5, large_change = 100;
/* How far apart two ends of one root may be: of the change, and in tolerances. */
static const double near_part = 0.1, near_change = 10;
/* Of the largest state: below it a variable may be a difference of large numbers, and round-off. */
static const double beside = 1e-10;

static double largest_state(const gt_stepper *s)
{
    double most = 0;
    for (size_t i = 0; i < s->n; i++) most = fmax(most, fmax(fabs(s->x[i]), fabs(s->x_new[i])));
    return most;
}

static bool changes_much(const gt_stepper *s, double noise)
{
    for (size_t i = s->n - s->problem->n_alg; i < s->n; i++) {
        double change = fabs(s->x_new[i] - s->x[i]), size = fmax(fabs(s->x_new[i]), fabs(s->x[i]));
        double least = fmax(noise, large_change * gt_weight(s, i, size));
        if (change > large_part * size && change > least) return true;
    }
    return false;
}

/* Whether the algebraic variables of the trial are those of x. */
static bool ends_there(const gt_stepper *s, const double *x, double noise)
{
    for (size_t i = s->n - s->problem->n_alg; i < s->n; i++) {
        double change = fabs(s->x_new[i] - s->x[i]), apart = fabs(x[i] - s->x_new[i]);
        double tolerance = gt_weight(s, i, fmax(fabs(x[i]), fabs(s->x_new[i])));
        if (!(apart <= near_part * change + near_change * tolerance + noise)) return false;
    }
    return true;
}

/* Of det(dg/dy), where its factors are; 0: not known. */
static int sign_of_factors(const gt_stepper *s)
{
    return s->algebraic->inner ? 0 : gt_lu_sign(&s->algebraic->lu);
}

gt_status gt_check_same_root(gt_stepper *s)
{
    assert(s);
    const gt_problem *p = s->problem;
    bool plain = p->n_alg && !p->ranks && !p->mass && gt_problem_index(p) == 1;
    double noise = plain ? beside * largest_state(s) : 0;
    if (!plain || s->rtol == 0 || !changes_much(s, noise)) return GT_OK;
    gt_status status = gt_closing_begin(s);
    if (status) return status == GT_SINGULAR ? GT_TRY_NEWTON : status;
    int sign = sign_of_factors(s);
    double *x = s->closing + 4 * s->n;
    memcpy(x, s->x_new, s->n * sizeof *x);
    status = gt_closing_stage(s, s->t_new, x);
    if (!status && !ends_there(s, x, noise)) status = GT_TRY_NEWTON;
    if (!status) status = gt_closing_factor(s, s->t_new, s->x_new);
    if (status) return status;
    return sign * sign_of_factors(s) < 0 ? GT_TRY_NEWTON : GT_OK;
}

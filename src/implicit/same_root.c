/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 0 = g(t, x, y) may have several roots y, and Newton's iteration for a long step may end at
 * another one than it began with: behind a pole of y(t), or across a fold. Nothing in the error of
 * x shows it, and that of y is none: the other root is exact. So where an algebraic variable goes
 * to the other side of zero from near the largest value that it has had, or to twice that value,
 * the root of the accepted point is followed to the end of the trial (gt_closing_stage), and has to
 * be the one that was found there; and det(dg/dy) has to have the same sign at both ends, since
 * where it is zero on the way there is a pole, a fold, or a point from which several roots go on. A
 * variable that swings through zero is not looked into: that costs Jacobians.
 */
#include "implicit/index.h"
#include "linalg/lu_internal.h"
#include "problem/norm.h"
#include <assert.h>
#include <geartrain/author/newton.h>
#include <math.h>
#include <string.h>

/* A change that is looked into: from this part of the largest value to the other side of zero, or
 * to so many times that value. */
static const double near_largest = 0.5, beyond_largest = 2;
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

/* Keeps the largest values at accepted points, too. */
static bool changes_much(gt_stepper *s, double noise)
{
    double *largest = s->closing + 5 * s->n;
    bool much = false;
    for (size_t i = s->n - s->problem->n_alg; i < s->n; i++) {
        double before = fabs(s->x[i]), after = fabs(s->x_new[i]);
        double change = fabs(s->x_new[i] - s->x[i]);
        double least = fmax(noise, near_change * gt_weight(s, i, fmax(before, after)));
        largest[i] = fmax(largest[i], before);
        bool turned = s->x[i] * s->x_new[i] < 0 && before > near_largest * largest[i];
        bool grown = after > beyond_largest * largest[i];
        much = much || ((turned || grown) && change > least);
    }
    return much;
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

static bool is_plain(const gt_problem *p)
{
    return p->n_alg && !p->ranks && !p->mass && gt_problem_index(p) == 1;
}

gt_status gt_closing_sign(gt_stepper *s, int *sign)
{
    assert(s && sign);
    *sign = 0;
    if (!is_plain(s->problem) || !s->algebraic) return GT_OK;
    s->closing_ready = false;
    gt_status status = gt_closing_factor(s, s->t, s->x);
    if (!status) *sign = sign_of_factors(s);
    return status;
}

gt_status gt_check_same_root(gt_stepper *s)
{
    assert(s);
    const gt_problem *p = s->problem;
    bool plain = is_plain(p);
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

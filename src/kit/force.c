/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The structure of a force, from values of f. Along a line x0, x0 + a/2, x0 + a with a generic a
 * the rows that are not linear have a second difference, and those with t in them change with t at
 * x0 + a: these are the rows R in which g moves the state. A d with entries in R only then changes
 * f by A d, the same everywhere, unless g depends on a state of R.
 */
#include "kit/force.h"
#include "base/finite.h"
#include <assert.h>
#include <math.h>

enum { POINTS = 6, HERE = 0, HALF, AWAY, LATER, MOVED, LATER_MOVED };

typedef struct probe {
    const gt_problem *p;
    size_t n;
    double *f[POINTS], *x;
    double size; /* of the way to x0 + a, in the size of the states */
} probe;

/* Numbers between 1/2 and 1 with signs, the same in every run. */
static double generic(size_t i)
{
    double turn = 0.6180339887498949 * (double)(i + 1), part = turn - floor(turn);
    return (i % 3 == 1 ? -0.5 : 0.5) * (1 + part);
}

static bool differs(const probe *w, size_t i, double value)
{
    double most = 0;
    for (int k = 0; k < POINTS; k++) most = fmax(most, fabs(w->f[k][i]));
    return fabs(value) > 1e-11 * most;
}

/* f at x0 + way a + moved d, where d is a in the rows of R and turned. */
static bool value_at(probe *w, int point, double t, double way, double moved, const bool *in_R)
{
    const double *x0 = w->p->x0;
    for (size_t i = 0; i < w->n; i++) {
        double unit = w->size * (fabs(x0[i]) + gt_typical_size(w->p));
        w->x[i] = x0[i] + unit * (way * generic(i) + (in_R[i] ? moved * generic(w->n - i) : 0));
    }
    return w->p->rhs(t, w->x, w->f[point], w->p->ctx) == GT_OK && gt_all_finite(w->f[point], w->n);
}

/* False: f has no value at one of the points. */
static bool look(probe *w, bool *in_R)
{
    const gt_problem *p = w->p;
    double span = isfinite(p->t1) ? fabs(p->t1 - p->t0) : 1;
    double later = p->autonomous ? p->t0 : p->t0 + copysign(0.377 * fmin(span, 10), p->t1 - p->t0);
    if (!value_at(w, HERE, p->t0, 0, 0, in_R) || !value_at(w, HALF, p->t0, 0.5, 0, in_R) ||
        !value_at(w, AWAY, p->t0, 1, 0, in_R) || !value_at(w, LATER, later, 1, 0, in_R))
        return false;
    for (size_t i = 0; i < w->n; i++) {
        double bend = w->f[AWAY][i] - 2 * w->f[HALF][i] + w->f[HERE][i];
        in_R[i] = differs(w, i, bend) || differs(w, i, w->f[LATER][i] - w->f[AWAY][i]);
    }
    return value_at(w, MOVED, p->t0, 0, 1, in_R) && value_at(w, LATER_MOVED, later, 1, 1, in_R);
}

/* The first row in which g depends on a state that it moves; n: none. */
static size_t entangled(const probe *w)
{
    for (size_t i = 0; i < w->n; i++) {
        double here = w->f[MOVED][i] - w->f[HERE][i];
        double there = w->f[LATER_MOVED][i] - w->f[LATER][i];
        if (differs(w, i, there - here)) return i;
    }
    return w->n;
}

static gt_status refuse(const gt_method *method, const gt_method *instead, const gt_problem *p,
                        size_t row, gt_message *message)
{
    char buffer[24];
    if (row == gt_problem_size(p))
        return gt_fail(message, GT_UNSUPPORTED,
                       "method %s looks for its linear part around the start, where f of %s has no "
                       "value; try %s",
                       method->name, p->name ? p->name : "this problem", instead->name);
    return gt_fail(message, GT_UNSUPPORTED,
                   "method %s is for z'' = -K z - C z' + F(t, z), a force that does not depend on "
                   "the velocities it changes beyond a constant matrix; that in %s' does; try %s",
                   method->name, gt_problem_state_name(p, row, buffer), instead->name);
}

gt_status gt_force_apart(const gt_method *method, const gt_method *instead, const gt_problem *p,
                         gt_message *message)
{
    assert(method && instead && p);
    if ((p->linear && p->autonomous) || !p->rhs || !p->x0) return GT_OK;
    gt_arena arena = gt_arena_growing();
    probe w = {.p = p, .n = gt_problem_size(p), .size = 0.05};
    for (int k = 0; k < POINTS; k++) w.f[k] = gt_arena_doubles(&arena, w.n);
    w.x = gt_arena_doubles(&arena, w.n);
    bool *in_R = gt_arena_take(&arena, w.n, sizeof *in_R), seen = false;
    gt_status status = GT_OK;
    if (arena.failed)
        status = gt_fail(message, GT_NO_MEMORY, "out of memory for %zu states", w.n);
    else {
        for (int k = 0; k < 3 && !seen; k++, w.size /= 30) {
            for (size_t i = 0; i < w.n; i++) in_R[i] = false;
            for (int j = 0; j < POINTS; j++)
                for (size_t i = 0; i < w.n; i++) w.f[j][i] = 0;
            seen = look(&w, in_R);
        }
        size_t row = entangled(&w);
        if (!seen)
            status = refuse(method, instead, p, w.n, message);
        else if (row < w.n)
            status = refuse(method, instead, p, row, message);
    }
    gt_arena_free(&arena);
    return status;
}

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

enum { HERE, HALF, AWAY, LATER, MOVED, LATER_MOVED };
static const double NEAR = 0.05, NEARER = 1.0 / 30;

typedef struct probe {
    const gt_problem *p;
    size_t n;
    double t;
    const double *x0;
    gt_force *w;
    double size; /* of the way to x0 + a, in the size of the states */
} probe;

/* Numbers between 1/2 and 1 with signs, the same in every run. */
static double generic(size_t i)
{
    double turn = 0.6180339887498949 * (double)(i + 1), part = turn - floor(turn);
    return (i % 3 == 1 ? -0.5 : 0.5) * (1 + part);
}

static bool differs(const probe *q, size_t i, double value)
{
    double most = 0;
    for (int k = 0; k < GT_FORCE_POINTS; k++) most = fmax(most, fabs(q->w->f[k][i]));
    return fabs(value) > 1e-11 * most;
}

/* f at x0 + way a + moved d, where d is a in the rows of R and turned. */
static bool value_at(probe *q, int point, double t, double way, double moved)
{
    const gt_force *w = q->w;
    for (size_t i = 0; i < q->n; i++) {
        double unit = q->size * (fabs(q->x0[i]) + gt_typical_size(q->p));
        w->x[i] =
            q->x0[i] + unit * (way * generic(i) + (w->in_R[i] ? moved * generic(q->n - i) : 0));
    }
    return q->p->rhs(t, w->x, w->f[point], q->p->ctx) == GT_OK && gt_all_finite(w->f[point], q->n);
}

/* False: f has no value at one of the points. */
static bool look(probe *q)
{
    const gt_problem *p = q->p;
    const gt_force *w = q->w;
    double span = isfinite(p->t1) ? fabs(p->t1 - q->t) : 1;
    double later = p->autonomous ? q->t : q->t + copysign(0.377 * fmin(span, 10), p->t1 - p->t0);
    for (size_t i = 0; i < q->n; i++) {
        w->in_R[i] = false;
        for (int k = 0; k < GT_FORCE_POINTS; k++) w->f[k][i] = 0;
    }
    if (!value_at(q, HERE, q->t, 0, 0) || !value_at(q, HALF, q->t, 0.5, 0) ||
        !value_at(q, AWAY, q->t, 1, 0) || !value_at(q, LATER, later, 1, 0))
        return false;
    for (size_t i = 0; i < q->n; i++) {
        double bend = w->f[AWAY][i] - 2 * w->f[HALF][i] + w->f[HERE][i];
        w->in_R[i] = differs(q, i, bend) || differs(q, i, w->f[LATER][i] - w->f[AWAY][i]);
    }
    return value_at(q, MOVED, q->t, 0, 1) && value_at(q, LATER_MOVED, later, 1, 1);
}

/* The same from nearer points where f has no values at those farther off. */
static bool look_near(probe *q)
{
    q->size = NEAR;
    for (int k = 0; k < 3; k++, q->size *= NEARER)
        if (look(q)) return true;
    return false;
}

/* The first row in which g depends on a state that it moves; n: none. */
static size_t entangled(const probe *q)
{
    double *const *f = q->w->f;
    for (size_t i = 0; i < q->n; i++) {
        double here = f[MOVED][i] - f[HERE][i], there = f[LATER_MOVED][i] - f[LATER][i];
        if (differs(q, i, there - here)) return i;
    }
    return q->n;
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
    gt_force w;
    size_t n = gt_problem_size(p);
    probe q = {.p = p, .n = n, .t = p->t0, .x0 = p->x0, .w = &w};
    gt_force_layout(&w, n, &arena);
    gt_status status = GT_OK;
    if (arena.failed)
        status = gt_fail(message, GT_NO_MEMORY, "out of memory for %zu states", n);
    else {
        bool seen = look_near(&q);
        size_t row = seen ? entangled(&q) : n;
        if (!seen || row < n) status = refuse(method, instead, p, row, message);
    }
    gt_arena_free(&arena);
    return status;
}

void gt_force_layout(gt_force *w, size_t n, gt_arena *arena)
{
    for (int k = 0; k < GT_FORCE_POINTS; k++) w->f[k] = gt_arena_doubles(arena, n);
    w->x = gt_arena_doubles(arena, n);
    w->in_R = gt_arena_take(arena, n, sizeof *w->in_R);
}

size_t gt_force_entangled(gt_force *w, const gt_problem *p, double t, const double *x)
{
    assert(w && p && x);
    probe q = {.p = p, .n = gt_problem_size(p), .t = t, .x0 = x, .w = w};
    return look_near(&q) ? entangled(&q) : q.n;
}

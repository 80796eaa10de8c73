/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_TESTS_METHODS_KIT_H
#define GEARTRAIN_TESTS_METHODS_KIT_H

/* What the tests of methods share: a built model, a stepper with its memory, and the option texts
 * to try. */
#include <complex.h>
#include <float.h>
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* cmocka.h wants the above first */
#include <cmocka.h>

static inline void assert_within(double value, double wanted, double tolerance, const char *what)
{
    if (!(fabs(value - wanted) <= tolerance)) fail_msg("%s: %.17g, not %.17g", what, value, wanted);
}

typedef struct bench_top {
    gt_arena arena;
    gt_problem problem;
    gt_stepper s;
    void *memory;
    size_t bytes;
    bool ready; /* false: the method cannot treat the model */
} bench_top;

static inline void build(bench_top *b, const char *model, const char *params)
{
    gt_message m = {""};
    *b = (bench_top){.arena = gt_arena_growing()};
    if (gt_model_build(gt_model_find(model), params, &b->problem, &b->arena, &m))
        fail_msg("%s: %s", model, m.text);
}

static inline void bind_method(bench_top *b, const gt_method *method, const char *options)
{
    gt_message m = {""};
    gt_status status = gt_stepper_measure(method, options, &b->problem, &b->bytes, &m);
    b->ready = status == GT_OK;
    if (status == GT_UNSUPPORTED) return;
    if (status) fail_msg("%s: %s", method->name, m.text);
    b->memory = malloc(b->bytes);
    assert_non_null(b->memory);
    status = gt_stepper_init(&b->s, method, options, &b->problem, b->memory, b->bytes);
    if (status) fail_msg("%s: %s", method->name, b->s.message.text);
}

static inline void dismantle(bench_top *b)
{
    if (b->ready) gt_stepper_free(&b->s);
    free(b->memory);
    gt_arena_free(&b->arena);
}

/* Methods of two rates get a problem without partition as one slow state, the others fast, in one
 * function. */
static inline void split_for(const gt_method *m, gt_problem *p)
{
    if (!(gt_method_facts(m, gt_params_default(m->options).v).flags & GT_NEEDS_PARTITION) ||
        p->n_fast)
        return;
    p->n_fast = p->n_slow - 1;
    p->n_slow = 1;
    p->rhs_slow = p->rhs_fast = NULL;
}

/* The step to give to a method: methods of variable formula choose it themselves. */
static inline double fixed_step(const gt_method *m, double h)
{
    return gt_method_facts(m, gt_params_default(m->options).v).flags & GT_VARIABLE_FORMULA ? 0 : h;
}

/* Least-squares slope of log(error) over log(h); points under the round-off floor are left out;
 * NAN: under four left.
 */
static inline double slope_of(const double *h, const double *error, int count, double round_off)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    int used = 0;
    for (int i = 0; i < count; i++) {
        if (!(error[i] > round_off)) continue;
        double x = log(h[i]), y = log(error[i]);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
        used++;
    }
    if (used < 4) return NAN;
    return (used * sxy - sx * sy) / (used * sxx - sx * sx);
}

/* The largest error inside one step of size h from exact values at t, on a problem of two states.
 */
static inline double error_inside_a_step(bench_top *b, double t, double h)
{
    double start[2], exact[2], x[2], most = 0;
    b->problem.exact(t, start, b->problem.ctx);
    gt_stepper_start(&b->s, t, start);
    assert_int_equal(gt_stepper_try(&b->s, h, false), GT_OK);
    for (double theta = 0.1; theta < 0.95; theta += 0.1) {
        assert_int_equal(gt_stepper_interpolate(&b->s, theta, x), GT_OK);
        b->problem.exact(t + theta * h, exact, b->problem.ctx);
        most = fmax(most, fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1])));
    }
    return most;
}

#endif

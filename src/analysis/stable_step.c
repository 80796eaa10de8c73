/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The largest step with which a method is stable: on given eigenvalues, by its amplification; and
 * on the problem itself, by trying.
 */
#include "analysis/advice.h"
#include "base/sized.h"
#include <assert.h>
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double size_at(double complex z, const void *ctx) { return gt_amplifier_largest(ctx, z); }

/* How far from 0 along the direction no root is above 1. */
static double limit_on_ray(const gt_amplifier *a, double complex direction)
{
    if (a->kind == GT_BY_FUNCTION) return gt_search_limit(size_at, a, direction);
    gt_line line;
    gt_stability_line(a, 0, direction, &line);
    if (line.neutral) return INFINITY;
    for (int part = 0; part <= line.cuts; part++)
        if (!line.stable[part]) return part ? line.at[part - 1] : 0;
    return INFINITY;
}

double gt_amplifier_step(const gt_amplifier *a, const double *values, size_t count)
{
    assert(count == 0 || values);
    double h = INFINITY, radius = 0;
    for (size_t k = 0; k < count; k++)
        radius = fmax(radius, hypot(values[2 * k], values[2 * k + 1]));
    for (size_t k = 0; k < count; k++) {
        double re = values[2 * k], im = fabs(values[2 * k + 1]), size;
        if (fabs(re) <= 64 * DBL_EPSILON * radius)
            re = 0; /* no eigenvalue is known better than that */
        size = hypot(re, im);
        if (re > 0 || size == 0) continue;
        h = fmin(h, limit_on_ray(a, (re + I * im) / size) / size);
    }
    return h;
}

gt_status gt_stable_limit(const gt_method *method, const char *options, const double *values,
                          size_t count, double *h)
{
    gt_amplifier a;
    *h = NAN;
    gt_status status = gt_amplifier_open(&a, method, options, NULL);
    if (status) return status == GT_NO_MEMORY ? status : GT_OK;
    *h = gt_amplifier_step(&a, values, count);
    gt_amplifier_close(&a);
    return GT_OK;
}

double gt_stable_step(const gt_method *method, const char *options, const double *values,
                      size_t count)
{
    double h;
    if (!method || !values) return NAN;
    return gt_stable_limit(method, options, values, count, &h) ? NAN : h;
}

static const double BEYOND = 3; /* times its size in a good run is out of bounds */

typedef struct attempt {
    gt_sink sink;
    const gt_problem *p;
    const gt_method *method;
    double *limit; /* what no state may exceed */
    double *x0;    /* where the runs begin: a little aside */
    gt_spectrum at_start;
} attempt;

static const char *unit_of(const gt_problem *p, size_t i)
{
    return p->units && p->units[i] ? p->units[i] : "";
}

/* Sizes of states; those that are hardly there count as a thousandth of the largest of their unit.
 */
static void sizes_by_unit(const gt_problem *p, const double *size, double *out)
{
    enum { MOST = 16 };
    const char *units[MOST];
    double largest[MOST];
    size_t count = 0, n = gt_problem_size(p), k;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n; i++) {
            for (k = 0; k < count && strcmp(units[k], unit_of(p, i)) != 0; k++) continue;
            if (k == MOST) k = MOST - 1; /* the last one takes all that have no place */
            if (k == count) {
                units[count] = unit_of(p, i);
                largest[count++] = 0;
            }
            largest[k] = fmax(largest[k], fabs(size[i]));
            out[i] = fmax(fabs(size[i]), 1e-3 * largest[k]);
        }
}

/*
 * Three times the size in a good run. A run of a few steps does not show growth where nothing is
 * there to grow: it begins a millionth beside the start, by other amounts in each state, so that
 * all modes take part. Where all of a unit begins at rest, the billionth part of what it comes to
 * has to do. Away from zero, since some states must not be negative.
 */
static void set_limits(attempt *a, const double *bound)
{
    size_t n = gt_problem_size(a->p), n_diff = a->p->n_slow + a->p->n_fast;
    sizes_by_unit(a->p, a->p->x0, a->x0);
    sizes_by_unit(a->p, bound, a->limit);
    for (size_t i = 0; i < n; i++) {
        double start = a->p->x0[i], aside = a->x0[i] > 0 ? 1e-6 * a->x0[i] : 1e-9 * a->limit[i];
        aside *= 0.2 + 0.8 * (double)((7 * i + 3) % 11) / 11;
        a->x0[i] = i < n_diff ? start + (start < 0 ? -aside : aside) : start;
        a->limit[i] *= BEYOND;
    }
}

static gt_status refuse_large(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    const attempt *a = self->ctx;
    for (size_t i = 0; i < sample->n; i++)
        if (!(fabs(sample->x[i]) <= a->limit[i]))
            return gt_fail(message, GT_SINK_REFUSED, "the solution has left its bounds");
    return GT_OK;
}

/* What a step multiplies a mode with that does not grow by itself; NAN: not known. */
static double step_factor(const attempt *a, double h)
{
    const gt_spectrum *s = &a->at_start;
    gt_amplifier R;
    double most = NAN, growth = 0;
    if (!s->count) return NAN;
    if (!gt_amplifier_open(&R, a->method, NULL, NULL)) {
        for (size_t k = 0; k < s->count; k++)
            if (s->values[2 * k] <= 0)
                most = fmax(most, gt_amplifier_largest(
                                      &R, h * (s->values[2 * k] + I * s->values[2 * k + 1])));
        gt_amplifier_close(&R);
        return most;
    }
    for (size_t k = 0; k < s->count; k++) growth = fmax(growth, s->values[2 * k]);
    return gt_coupled_radius(a->p, s, a->method, NULL, h) * exp(-growth * h);
}

static gt_status try_steps(attempt *a, long steps, bool *good)
{
    enum { FEW = 16 }; /* so many show by themselves that they grow */
    double h = (a->p->t1 - a->p->t0) / (double)steps;
    *good = false;
    if (steps < FEW && (double)steps * log(step_factor(a, h)) > log(BEYOND)) return GT_OK;
    gt_sink *sinks[] = {&a->sink};
    gt_plan plan = {.h = h, .sinks = sinks, .n_sinks = 1};
    gt_report report;
    gt_problem aside = *a->p;
    aside.x0 = a->x0;
    gt_status status = gt_solve(&aside, a->method, &plan, &report);
    *good = status == GT_OK;
    return status == GT_NO_MEMORY || status == GT_UNSUPPORTED || status == GT_BAD_ARGUMENT ? status
                                                                                           : GT_OK;
}

static gt_status largest_forward(const gt_problem *problem, const gt_method *method,
                                 const double *bound, long max_steps, double *h,
                                 gt_message *message)
{
    attempt a = {.p = problem, .method = method};
    a.sink = (gt_sink){.wants = GT_AT_STEP, .write = refuse_large, .ctx = &a};
    gt_values options = gt_params_default(method->options);
    gt_status status = gt_method_check(method, options.v, problem, message);
    if (status) return status;
    a.limit = malloc(2 * gt_problem_size(problem) * sizeof *a.limit);
    if (!a.limit) return gt_fail(message, GT_NO_MEMORY, "out of memory to try steps");
    a.x0 = a.limit + gt_problem_size(problem);
    set_limits(&a, bound);
    gt_arena arena = gt_arena_growing();
    if (gt_spectrum_at(problem, problem->t0, problem->x0, problem->t1 - problem->t0, &a.at_start,
                       &arena, NULL))
        a.at_start.count = 0;
    bool good = false, fine;
    long bad = 0, enough = 1;
    for (; enough <= max_steps; enough *= 2) {
        status = try_steps(&a, enough, &good);
        if (status || good) break;
        bad = enough;
    }
    while (!status && good && enough - bad > 1 && (double)(enough - bad) > 0.005 * (double)enough) {
        long middle = bad + (enough - bad) / 2;
        status = try_steps(&a, middle, &fine);
        *(fine ? &enough : &bad) = middle;
    }
    gt_arena_free(&arena);
    free(a.limit);
    if (status) return gt_fail(message, status, "%s cannot be tried on this problem", method->name);
    *h = good ? (problem->t1 - problem->t0) / (double)enough : 0;
    return GT_OK;
}

gt_status gt_largest_step_sized(const gt_problem *problem, size_t problem_size,
                                const gt_method *method, const double *bound, long max_steps,
                                double *h, gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_ARMOR(message, problem && method && bound && h);
    if (!(problem->t1 < problem->t0))
        return largest_forward(problem, method, bound, max_steps, h, message);
    gt_arena arena = gt_arena_growing();
    gt_problem reversed;
    gt_status status = gt_problem_reversed(problem, &reversed, &arena);
    if (status)
        gt_fail(message, status, "out of memory for the reversed problem");
    else
        status = largest_forward(&reversed, method, bound, max_steps, h, message);
    gt_arena_free(&arena);
    return status;
}

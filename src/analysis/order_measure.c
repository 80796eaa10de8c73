/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order that runs show. Step sizes shrink from whatever gives an error below 1e-2, by a factor
 * that makes the error of a method of the stated order shrink about 30 times (at most halving),
 * until round-off or the budget is reached.
 */
#include "base/sized.h"
#include <float.h>
#include <geartrain/analysis/choose.h>
#include <geartrain/analysis/order.h>
#include <geartrain/model.h>
#include <limits.h>
#include <math.h>

#define COARSE 1e-2 /* errors above this tell nothing about h -> 0 */
enum { LEAST = 4, FINEST = 4, MOST_STEPS = 1 << 15 };

typedef struct measuring {
    const gt_problem *problem;
    double *reference, *x;
} measuring;

static gt_status find_reference(measuring *m, double *floor, gt_message *message)
{
    const gt_problem *p = m->problem;
    *floor = 20 * DBL_EPSILON;
    if (p->exact) {
        p->exact(p->t1, m->reference, p->ctx);
        return GT_OK;
    }
    const gt_method *method;
    gt_plan plan = {0};
    gt_report report;
    gt_status status = gt_choose_reference(p, &method, &plan, message);
    if (status) return status;
    plan.x_end = m->reference;
    *floor = 100 * plan.rtol;
    status = gt_solve(p, method, &plan, &report);
    return status ? gt_fail(message, status, "the reference run failed: %s", report.message.text)
                  : GT_OK;
}

/* max |e_i| / (1 + |x_i|) over components from..to-1. */
static double error_in(const measuring *m, size_t from, size_t to)
{
    double largest = 0;
    for (size_t i = from; i < to; i++) {
        double e = fabs(m->x[i] - m->reference[i]) / (1 + fabs(m->reference[i]));
        if (!(e <= largest)) largest = e;
    }
    return largest;
}

/* Slope through the finest points that count; see order.h. */
static double slope_of(const gt_measured_order *r, const double *error)
{
    double x[FINEST], y[FINEST], mean_x = 0, mean_y = 0, above = 0, below = 0;
    int used = 0;
    for (int i = r->count - 1; i >= 0 && used < FINEST; i--) {
        if (!(error[i] > r->round_off[i]) || !(error[i] <= COARSE)) continue;
        mean_x += x[used] = log(r->h[i]);
        mean_y += y[used++] = log(error[i]);
    }
    if (used < LEAST) return NAN;
    mean_x /= used;
    mean_y /= used;
    for (int i = 0; i < used; i++) {
        above += (x[i] - mean_x) * (y[i] - mean_y);
        below += (x[i] - mean_x) * (x[i] - mean_x);
    }
    return above / below;
}

static void run_all(const gt_method *method, const char *options, int order, measuring *m,
                    double floor, gt_measured_order *out, gt_report *report)
{
    const gt_problem *p = m->problem;
    size_t n_slow = p->n_slow, n_diff = p->n_slow + p->n_fast;
    double ratio = fmin(2, fmax(1.08, pow(10, 1.0 / order))), steps = 4, total = 0;
    int at_round_off = 0;
    while (out->count < GT_ORDER_POINTS && total < MOST_STEPS && at_round_off < 2) {
        double h = fabs(p->t1 - p->t0) / steps, round_off = floor * (1 + steps / 10);
        int i = out->count;
        gt_status status =
            gt_solve(p, method, &(gt_plan){.h = h, .options = options, .x_end = m->x}, report);
        total += steps;
        steps = fmax(steps + 1, round(ratio * steps));
        if (status == GT_BAD_ARGUMENT || status == GT_UNSUPPORTED || status == GT_NO_MEMORY) return;
        double error = status ? INFINITY : error_in(m, 0, n_diff);
        if (!(error <= COARSE)) continue;
        out->h[i] = h;
        out->error[i] = error;
        out->error_slow[i] = error_in(m, 0, n_slow);
        out->error_fast[i] = error_in(m, n_slow, n_diff);
        out->count++;
        out->round_off[i] = round_off;
        if (error < round_off) at_round_off++;
    }
}

gt_status gt_measure_order_sized(const gt_method *method, const char *options,
                                 const gt_problem *problem, size_t problem_size,
                                 gt_measured_order *out, gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_ARMOR(message, method && problem && out);
    gt_values v = gt_params_default(method->options);
    gt_status status =
        gt_params_parse(method->options, "option", method->name, options, &v, message);
    *out = (gt_measured_order){.all = NAN, .slow = NAN, .fast = NAN};
    if (!status) status = gt_problem_check(problem, message);
    if (!status) status = gt_method_check(method, v.v, problem, message);
    if (status) return status;
    gt_facts facts = gt_method_facts(method, v.v);
    if (facts.flags & GT_VARIABLE_FORMULA)
        return gt_fail(
            message, GT_UNSUPPORTED,
            "method %s chooses its own steps and formulas, so there is no order to measure",
            method->name);
    gt_arena arena = gt_arena_growing();
    size_t n = gt_problem_size(problem);
    measuring m = {problem, gt_arena_doubles(&arena, n), gt_arena_doubles(&arena, n)};
    gt_report report = {0};
    double floor = 0;
    status = m.reference && m.x ? find_reference(&m, &floor, message)
                                : gt_fail(message, GT_NO_MEMORY, "out of memory for %zu states", n);
    if (!status) run_all(method, options, facts.order, &m, floor, out, &report);
    gt_arena_free(&arena);
    if (status) return status;
    out->all = slope_of(out, out->error);
    out->slow = slope_of(out, out->error_slow);
    if (problem->n_fast) out->fast = slope_of(out, out->error_fast);
    if (!out->count)
        return gt_fail(message, report.status ? report.status : GT_TOO_MANY_STEPS,
                       "no fixed step brings the error of %s on %s below %g%s%s; take another "
                       "problem or a shorter time",
                       method->name, problem->name ? problem->name : "this problem", COARSE,
                       report.status ? ": " : "", report.message.text);
    return GT_OK;
}

static gt_status full_order_problem(const gt_method *method, const double *v, gt_problem *problem,
                                    gt_arena *arena, gt_message *message)
{
    GT_ARMOR(message, method && problem && arena);
    /* On kpr high orders meet round-off before they are in their asymptotic range. Very high ones
     * have a range only where the error expands in h^2, as it does on an oscillation. */
    static const struct {
        int up_to;
        const char *name, *parameters;
        double t1;
    } table[] = {{5, "kpr", "w=3, G=-2", 1},
                 {8, "linear2", "alpha=2, beta=0.4", 2},
                 {INT_MAX, "harmonic", "", 10}};
    gt_facts facts = gt_method_facts(method, v);
    int row = 0;
    while (facts.order > table[row].up_to) row++;
    if (facts.order_problem)
        return gt_model_build(gt_model_find(facts.order_problem), "", problem, arena, message);
    gt_status status = gt_model_build(gt_model_find(table[row].name), table[row].parameters,
                                      problem, arena, message);
    problem->t1 = table[row].t1;
    return status;
}

gt_status gt_order_problem_sized(const gt_method *method, const double *v, gt_problem *problem,
                                 size_t problem_size, gt_arena *arena, gt_message *message)
{
    GT_OUT(gt_problem, problem);
    gt_status result = full_order_problem(method, v, problem, arena, message);
    /* A program without threads to lend loses nothing by this. */
    if (problem && problem_size < sizeof *problem) problem->use_threads = NULL;
    GT_GIVE_WHOLE(message, result, problem);
    return result;
}

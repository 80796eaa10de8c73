/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Order and step of `gear`, points 3 and 4 of gear.c.
 *
 * An order is as good as the step that its error estimate allows. Where a solution swings without
 * decay, this is not enough: on the imaginary axis orders 1 and 2 damp at every step size, order 5
 * up to h omega = 0.71, but orders 3 and 4 amplify from zero on, slowly where the swings are
 * resolved, until what was negligible fills the tolerance. The corrections x_new - x_p show such
 * swings (oscillation.h). They are then stepped over at order 2, unless its steps turn out to be so
 * small that order 5 can resolve them.
 *
 * Local errors are kept below half of the tolerance, which leaves the other half to what no
 * estimate sees: errors that add up, and algebraic variables. And a tolerance loosens by less and
 * less above 5e-4, by 1 / (1 + rtol / 5e-4) of what is asked for: the estimates are first terms of
 * series in h, which tell little where a step may err by a percent. Before, at rtol = 1e-2, such
 * steps let one star of `pleiades` capture another, and `hires` and `orego` ended 0.1 and 0.2 off.
 *
 * At tight tolerances the errors of many steps of the highest order add up: error over tolerance
 * grew 27 and 126 times from rtol 1e-3 to 1e-9 on nerves and the cell cycle, where the law of
 * steps, tol^(-1/6), explains 10. So below 1e-6 the local tolerance falls like rtol^(5/4)
 * (Soderlind, Wang, J. Comput. Appl. Math. 185 (2006) 225), down to 1e-9, where that takes a third
 * more steps.
 */
#include "base/elementary.h"
#include "base/weighted_sum.h"
#include "kit/gear.h"
#include "problem/norm.h"
#include <assert.h>
#include <math.h>

static const double reserve = 2;  /* the estimate may use up half of the tolerance */
static const double loose = 5e-4; /* above this a wider tolerance is served less and less */
static const double tight = 1e-6, tightest = 1e-9; /* where it is made to fall faster */
static const double worth_it = 1.2; /* steps that could grow by less are kept, and their factors */
/* order 5 damps undamped oscillations that turn by less in a step */
static const double fine_angle = 0.6;
/* Where nothing decays errors add up. They count for so much more where swings are stepped over,
 * and resolved. */
static const double caution = 4, resolved = 2;
enum { STEP_OVER = 20 }; /* steps at order 2 before its step size is a guide */

/* As in CVODE and VODE: biases that make a change of order pay for itself, and limits of the next
 * step. */
static const double bias = 6, bias_up = 10;
static const double least_root = 1e-6; /* an error of 0 */
static const double after_failures = 0.2,
                    least_factor = 0.1;               /* at order 1 after three failures; else */
static const double failed = 0.9, failed_again = 0.5; /* most of h after a rejection */
static const double first_growth = 1e4, most_growth = 10; /* the first step is a guess */

double gt_gear_tightening(const gt_stepper *s)
{
    bool is_tight = s->rtol > 0 && s->rtol < tight;
    double more = is_tight ? sqrt(sqrt(tight / fmax(s->rtol, tightest))) : 1;
    return more + s->rtol * (1 / loose);
}

/* What the error of a trial counts for in units of the tolerance, at every order alike. */
static double strictness(const gt_stepper *s)
{
    const gear_state *w = s->state;
    double factor = reserve * gt_gear_tightening(s);
    return w->calm == 0 ? factor : factor * (w->order <= 2 ? caution : resolved);
}

int gt_gear_highest_order(const gt_stepper *s)
{
    const gear_state *w = s->state;
    int fixed = w->options.order, most = w->options.max_order;
    if (fixed) return fixed;
    return w->calm > 0 && w->order < 3 && most > 2 ? 2 : most;
}

typedef struct prediction {
    const gt_stepper *s;
    int k;
    double weight[PAST + 2];
    const double *x[PAST + 2];
} prediction;

/* The sum of squares of x_new - P_k(t_new). */
static gt_sums squares(size_t from, size_t to, const void *work)
{
    const prediction *p = work;
    enum { PIECE = 64 }; /* there is no free vector: err is still asked for */
    double difference[PIECE], sum = 0;
    const double *x[PAST + 2];
    for (size_t first = from; first < to; first += PIECE) {
        size_t count = to - first < PIECE ? to - first : PIECE;
        const double *x_new = p->s->x_new + first;
        for (int i = 0; i <= p->k; i++) x[i] = p->x[i] + first;
        gt_weighted_sum(p->k + 1, p->weight, x, x_new, difference, count);
        for (size_t j = 0; j < count; j++) {
            double scaled = difference[j] / gt_weight(p->s, first + j, x_new[j]);
            sum += scaled * scaled;
        }
    }
    return (gt_sums){.sum = sum};
}

/* Norm of alpha_(k+1) (x_new - P_k(t_new)): the local error that order k would have had. */
static double error_at_order(gt_stepper *s, double h, int k)
{
    prediction p = {.s = s, .k = k};
    double alpha[PAST + 2];
    size_t n_diff = s->problem->n_slow + s->problem->n_fast;
    gt_gear_predictor(s, h, k, p.weight, alpha);
    for (int i = 0; i <= k; i++) {
        p.x[i] = gt_gear_point(s, i);
        p.weight[i] = -p.weight[i];
    }
    gt_sums here =
        n_diff > GT_CHUNK ? gt_sum_chunks(s->problem, n_diff, squares, &p) : squares(0, n_diff, &p);
    return strictness(s) * alpha[k] * sqrt(gt_mean(s->problem, here.sum, n_diff));
}

/* Factor by which the next step of order k may differ; the bias makes the present order the
 * cheapest to keep. */
static double growth(double error, int k, double by)
{
    return 1 / (gt_power(by * error, 1.0 / (k + 1)) + least_root);
}

static gt_verdict judge_failure(gt_stepper *s, double error, double h, int rejections)
{
    gear_state *w = s->state;
    if (rejections >= 2) { /* the past is no guide any more */
        w->order = 1;
        return (gt_verdict){.accept = false, .h_next = after_failures * h};
    }
    double factor = growth(error, w->order, bias);
    if (w->order > 1 && w->known >= w->order - 1 && w->options.order == 0) {
        double lower = growth(error_at_order(s, h, w->order - 1), w->order - 1, bias);
        if (lower > factor) {
            factor = lower;
            w->order--;
            w->wait = w->order + 1;
        }
    }
    return (gt_verdict){
        .accept = false,
        .h_next = h * fmin(fmax(factor, least_factor), rejections ? failed_again : failed)};
}

/* The angle by which an oscillation that does not decay turns in a step, at an order of 3 or more;
 * 0: there is none. */
static double swing_of(gt_stepper *s)
{
    gear_state *w = s->state;
    size_t n_diff = s->problem->n_slow + s->problem->n_fast;
    if (w->order < 3 || w->options.order != 0 || w->equal < w->order) return 0;
    gt_moved(s->problem, n_diff, s->x_new, -1, w->predicted, s->scratch);
    bool goes_on = gt_oscillation_turns(&w->swings, s, s->x_new, s->scratch, n_diff) >= 3;
    return goes_on ? w->swings.angle : 0;
}

/* To order 2, with orders 3 and 4 barred for a while; for longer each time that they are tried
 * again in vain. */
static gt_verdict leave_the_wedge(gt_stepper *s, double error, double h, double angle)
{
    gear_state *w = s->state;
    if (w->calm == 0 && w->calm_next < 100000) w->calm_next *= 2;
    w->calm = w->calm_next;
    w->h_fine = fine_angle * h / angle;
    w->order = 2;
    w->wait = STEP_OVER;
    double factor = growth(error_at_order(s, h, 2), 2, bias);
    return (gt_verdict){.accept = error <= 1,
                        .h_next = h * fmin(fmax(factor, least_factor), error <= 1 ? 1 : failed)};
}

static bool can_resolve(const gt_stepper *s)
{
    const gear_state *w = s->state;
    return w->known >= MAX_ORDER && w->options.max_order == MAX_ORDER;
}

gt_verdict gt_gear_judge(gt_stepper *s, double error, double h, int rejections)
{
    assert(s && s->state);
    assert(h != 0);
    assert(rejections >= 0);
    gear_state *w = s->state;
    double angle = swing_of(s);
    error *= strictness(s);
    if (angle > 0 && (w->order < MAX_ORDER || angle > fine_angle))
        return leave_the_wedge(s, error, h, angle);
    if (error > 1) return judge_failure(s, error, h, rejections);
    if (w->calm > 0 && --w->calm == 0) w->h_fine = INFINITY;
    int q = w->order, next = q;
    double factor = growth(error, q, bias),
           limit = s->stats.steps == 0 ? first_growth : most_growth;
    bool fixed_order = w->options.order != 0, resolving = w->calm > 0 && q == MAX_ORDER;
    if (--w->wait <= 0) {
        w->wait = 2;
        if (w->calm > 0 && q == 2 && factor * h < w->h_fine && can_resolve(s)) {
            w->order = MAX_ORDER;
            w->wait = MAX_ORDER + 1;
            return (gt_verdict){.accept = true, .h_next = h};
        }
        double lower = q > 1 ? error_at_order(s, h, q - 1) : 0;
        /* Differences that do not fall with their order: (k+1) times the error at order k is their
         * norm. */
        bool wild = q > 2 && (q + 1) * error > q * lower;
        if (q > 1 && !fixed_order && !resolving) {
            double eta = growth(lower, q - 1, bias);
            if (eta > factor || wild) factor = eta, next = q - 1;
        }
        if (q < gt_gear_highest_order(s) && w->known > q && next == q) {
            double eta = growth(error_at_order(s, h, q + 1), q + 1, bias_up);
            if (eta > factor || fixed_order)
                factor = fixed_order ? fmin(factor, eta) : eta, next = q + 1;
        }
    }
    if (factor < worth_it && next >= q && !fixed_order) next = q;
    if (next != q) w->wait = next + 2;
    w->order = next;
    if (resolving) limit = fmin(limit, w->h_fine / h), factor = fmin(factor, limit);
    return (gt_verdict){.accept = true,
                        .h_next = factor < worth_it || rejections ? h : h * fmin(factor, limit)};
}

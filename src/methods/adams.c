/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `adams`: Adams-Bashforth predictors of order k = 1 to 12 with Adams-Moulton correctors of order
 * k + 1, in the form PECE, with variable order and step (crow 5.2.1 for any order and any steps;
 * Krogh, 1969; Shampine, Gordon, Computer Solution of Ordinary Differential Equations, 1975, ch.
 * 5).
 *
 * With tau the time in units of h, tau = 0 at x_n and 1 at x_(n+1), and slopes f_0, f_1, .. at
 * tau_0 = 0 > tau_1 > .., let
 *
 *     P_j(tau) = prod_(m<j) (tau - tau_m)/(1 - tau_m),     g_j = integral_0^1 P_j
 *
 * be Newton's polynomials, scaled to 1 at the end of the step. With the polynomial p of degree
 * k - 1 through the last k slopes:
 *
 *     P   x_p = x_n + h integral_0^1 p,      e_k = p(1), the slope that is foreseen
 *     E   f_p = f(t + h, x_p),               d_k = f_p - e_k, what it is off by
 *     C   x_(n+1) = x_p + h g_k d_k          the formula of order k + 1: p + d_k P_k through f_p
 *     E   f_(n+1) = f(t + h, x_(n+1))        where the step is accepted
 *
 * The formula of order k would be x_p + h g_(k-1) d_k. The difference, h (g_(k-1) - g_k) d_k, is
 * the error estimate: that of order k, while the solution of order k + 1 is carried on. The factor
 * is no less than at equal steps: where h falls it would vanish, and kinks and jumps of f be
 * accepted because the step is short.
 *
 * Order: e_j for other j tells what order j would have been off by. Brought to equal steps,
 *
 *     E_j = h c_j prod_(m<j) (m+1)/(1 - tau_m) |f - e_j|,     c_j = g_(j-1) - g_j at equal steps,
 *
 * it falls with j up to the best order. It is lowered where E_(k-1) and E_(k-2) are not above E_k,
 * raised where E_(k+1), with f_(n+1), is below E_k. Such comparisons at one step size end at lower
 * orders than those of the steps that would be possible, and these have wider stable regions. At
 * the start the order rises with each step, and h doubles.
 *
 * Algebraic equations 0 = g(t, x, y) of index 1 are solved for y at x_p and at x_(n+1), with the
 * matrix of the accepted point: half-explicit, as crow 5.8 has it for Runge-Kutta methods. The rows
 * of y have no slope, so that y_n is what an iteration begins with.
 *
 * What is kept are slopes and steps, not differences: a rejected trial has nothing to undo, and a
 * change of step costs nothing but new weights. P and e_k are one pass over the slopes. The P_j
 * have no negative coefficients, so nothing cancels in g_j.
 *
 * Dense output is the integral of p + d_k P_k from t_n on: of the order of the solution,
 * continuous, at no call of f; its slope at the end is f_p.
 *
 * Unstable beyond h |lambda| of about 2 at order 1 and much less at high orders; where stability
 * limits the step the order falls. Where we depart from the book: weights from slopes, not modified
 * differences; steps may grow by less than 2; E_(k+1) also at unequal steps.
 */
#include "base/elementary.h"
#include "implicit/index.h"
#include "kit/dominant.h"
#include "problem/norm.h"
#include <geartrain/methods.h>
#include <math.h>
#include <string.h>

enum { MOST = 12, PAST = MOST - 1 }; /* the highest k; slopes behind that at the accepted point */

typedef struct adams_options {
    int order; /* 0: it varies */
    int max_order;
} adams_options;

static const gt_param options[] = {
    {.name = "order",
     .help = "a fixed order of the predictor, once there are points enough; 0: variable",
     .type = GT_INTEGER,
     .min = 0,
     .max = MOST,
     .field = GT_OPTION_FIELD(adams_options, order)},
    {.name = "max_order",
     .help = "the highest order of the predictor that is tried",
     .type = GT_INTEGER,
     .initial = MOST,
     .min = 1,
     .max = MOST,
     .field = GT_OPTION_FIELD(adams_options, max_order)},
    {0},
};

enum { AROUND = 4 }; /* orders k - 2 .. k + 1 */

typedef struct adams_formula {
    int k;
    double h;
    double tau[MOST], w[MOST]; /* of f_0, f_1, ..; x_p = x_n + h sum w_i f_i */
    double v[AROUND][MOST];    /* e_(k-2+a) = sum v[a]_i f_i */
    double share[AROUND];      /* E_(k-2+a) over |f - e_(k-2+a)| */
    double g, error;           /* g_k; g_(k-1) - g_k, or that of equal steps */
} adams_formula;

typedef struct adams_state {
    adams_options options;
    double h_past[PAST], *f_past[PAST]; /* newest first; h_past[i]: from there to the point after */
    int known;                          /* how many of them */
    int order;                          /* k of the next trial */
    int wait;                           /* accepted steps before it may rise */
    int equal;                          /* accepted steps of the same size in a row */
    bool rising;                        /* the start */
    adams_formula formula; /* of the last trial; serves again while nothing it depends on changes */
    double *foreseen, *predicted; /* e_k, f_p */
} adams_state;

static const double reserve = 4;    /* the tolerance over what the estimate may be */
static const double aim = 0.5;      /* of the tolerance, for the next step */
static const double worth_it = 1.5; /* steps that could grow by less are kept */
static const double most_growth = 2, least_factor = 0.25, failed = 0.5, reduced = 0.9;
static const double first_bias = 0.5; /* between orders 1 and 2 */
enum { FAILURES = 3 };                /* then the past is no guide any more */

static gt_facts facts(const gt_method *self, const double *v)
{
    adams_options o = {0};
    gt_params_fill(self->options, v, &o);
    int k = o.order ? o.order : o.max_order;
    return (gt_facts){.kind = GT_KIND_EXPLICIT,
                      .order = k + 1,
                      .error_order = k,
                      .evaluations = 2,
                      .call_operations = 500, /* weights, sums and estimates of four orders */
                      .flags = GT_VARIABLE_FORMULA | GT_TREATS_RANKS | GT_TREATS_ALGEBRAIC};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    adams_state *w = s->state;
    gt_params_fill(s->method->options, s->options.v, &w->options);
    for (int i = 0; i < PAST; i++) w->f_past[i] = gt_arena_doubles(arena, s->n);
    w->foreseen = gt_arena_doubles(arena, s->n);
    w->predicted = gt_arena_doubles(arena, s->n);
    return GT_OK;
}

static int highest_order(const adams_state *w)
{
    return w->options.order ? w->options.order : w->options.max_order;
}

static void restart(gt_stepper *s)
{
    adams_state *w = s->state;
    w->known = w->equal = 0;
    w->order = 1;
    s->order = 1; /* the first step is to be found by that of its estimate */
    w->wait = 0;
    w->rising = true;
    w->formula.k = 0;
}

/* Where the slopes lie, for a step h. */
static void place(const adams_state *w, double h, double tau[MOST])
{
    double back = 0;
    tau[0] = 0;
    for (int i = 0; i < w->known; i++) tau[i + 1] = -(back += w->h_past[i]) / h;
}

/* G_j = integral_0^theta P_j for j = 0..k. */
static void integrate(int k, const double *tau, double theta, double *G)
{
    double a[MOST + 2] = {1}; /* the coefficients of P_j, ascending */
    for (int j = 0; j <= k; j++) {
        double sum = 0;
        for (int m = j; m >= 0; m--) sum = (sum + a[m] / (m + 1)) * theta;
        G[j] = sum;
        if (j == k) break;
        double scale = 1 / (1 - tau[j]);
        for (int m = j + 1; m > 0; m--) a[m] = (a[m - 1] - tau[j] * (m <= j ? a[m] : 0)) * scale;
        a[0] *= -tau[j] * scale;
    }
}

/* Weights of the slopes in sum_(j<k) G_j D_j, D_j the divided difference of f_0 .. f_j scaled like
 * P_j. With `f`, also those of its e_j = D_0 + .. + D_(j-1), as far as slopes are known. */
static void weigh(int k, const double *tau, const double *G, double *weight, adams_formula *f,
                  int known)
{
    int last = f ? k + 1 < known ? k + 1 : known : k;
    for (int i = 0; i < last; i++) {
        double c = 1, e = 0, sum = 0;
        for (int m = 0; m < i; m++) c *= (1 - tau[m]) / (tau[i] - tau[m]);
        for (int j = i; j < last; j++) {
            if (j > i) c *= (1 - tau[j - 1]) / (tau[i] - tau[j]);
            if (j < k) sum += G[j] * c;
            e += c;
            if (f && j + 1 >= k - 2) f->v[j + 1 - (k - 2)][i] = e;
        }
        weight[i] = sum;
    }
}

/* c_j = g_(j-1) - g_j at equal steps, those of crow's Adams-Moulton formulas and on: sum_(i=0)^j
 * c_(j-i)/(i+1) = 0 with c_0 = -1. */
static const double equal_error[MOST + 1] = {-1,
                                             1.0 / 2,
                                             1.0 / 12,
                                             1.0 / 24,
                                             19.0 / 720,
                                             3.0 / 160,
                                             863.0 / 60480,
                                             275.0 / 24192,
                                             33953.0 / 3628800,
                                             8183.0 / 1036800,
                                             3250433.0 / 479001600,
                                             4671.0 / 788480,
                                             13695779093.0 / 2615348736000};

static void make_formula(adams_state *w, double h)
{
    adams_formula *f = &w->formula;
    /* A trial that was judged good may have been given up for an event all the same. */
    int k = w->order <= w->known ? w->order : w->known + 1;
    if (f->k == k && f->h == h && w->equal > k && w->h_past[0] == h) return;
    double G[MOST + 1], share = h;
    place(w, h, f->tau);
    integrate(k, f->tau, 1, G);
    weigh(k, f->tau, G, f->w, f, w->known + 1);
    for (int j = 1; j <= k + 1 && j <= MOST; j++) {
        if (j <= w->known + 1) share *= j / (1 - f->tau[j - 1]);
        if (j >= k - 2) f->share[j - (k - 2)] = share * equal_error[j];
    }
    f->g = G[k];
    f->error = fmax(G[k - 1] - G[k], equal_error[k]);
    f->k = k;
    f->h = h;
}

/* P: x_p and e_k in one pass. The weights add up to 1: with differences to f_0 a slope that does
 * not change is foreseen to the last bit. */
static void predict(const gt_stepper *s, double h, const double *x, double *x_p)
{
    const adams_state *w = s->state;
    const adams_formula *f = &w->formula;
    const double *f_0 = s->f;
    double *e = w->foreseen;
    for (size_t r = 0; r < s->n; r++) e[r] = x_p[r] = 0;
    for (int i = 1; i < f->k; i++) {
        const double *f_i = w->f_past[i - 1];
        double w_i = f->w[i], v_i = f->v[2][i];
        for (size_t r = 0; r < s->n; r++) {
            double change = f_i[r] - f_0[r];
            x_p[r] += w_i * change;
            e[r] += v_i * change;
        }
    }
    for (size_t r = 0; r < s->n; r++) {
        x_p[r] = x[r] + h * (f_0[r] + x_p[r]);
        e[r] += f_0[r];
    }
}

/* s->f at the accepted point. One that is not finite spoils this trial, but the next one asks
 * again. */
static gt_status slope(gt_stepper *s)
{
    gt_status status = gt_slope(s);
    if (!status && !gt_finite_over_ranks(s->problem, s->f, s->n)) s->f_known = false;
    return status;
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    adams_state *w = s->state;
    gt_status status = slope(s);
    if (!status) status = gt_closing_begin(s);
    if (status) return status;
    make_formula(w, h);
    predict(s, h, x, x_new);
    status = gt_closing_stage(s, s->t + h, x_new);
    if (!status) status = gt_rhs(s, s->t + h, x_new, w->predicted);
    if (status) return status;
    double add = h * w->formula.g, off = h * w->formula.error;
    for (size_t r = 0; r < s->n; r++) x_new[r] += add * (w->predicted[r] - w->foreseen[r]);
    for (size_t r = 0; r < s->n && err; r++) err[r] = off * (w->predicted[r] - w->foreseen[r]);
    return gt_closing_stage(s, s->t + h, x_new);
}

/* E_j of the trial, with f_p or f_(n+1) for the slope at the end. */
static double error_at_order(const gt_stepper *s, int j, const double *f)
{
    const adams_state *w = s->state;
    int a = j - (w->formula.k - 2);
    const double *v = w->formula.v[a];
    double sum = 0;
    for (size_t r = 0; r < s->n; r++) {
        double off = f[r] - s->f[r];
        for (int i = 1; i < j; i++) off -= v[i] * (w->f_past[i - 1][r] - s->f[r]);
        off /= gt_weight(s, r, s->x_new[r]);
        sum += off * off;
    }
    return reserve * fabs(w->formula.share[a]) * sqrt(gt_mean(s->problem, sum, s->n));
}

/* The best of the orders up to k, and its E. */
static int best_order(const gt_stepper *s, double *E)
{
    const adams_state *w = s->state;
    int k = w->formula.k;
    double here = error_at_order(s, k, w->predicted), lower = INFINITY, lowest = 0;
    if (k > 1) lower = error_at_order(s, k - 1, w->predicted);
    if (k > 2) lowest = error_at_order(s, k - 2, w->predicted);
    bool down = k > 2 ? fmax(lower, lowest) <= here : k == 2 && lower <= first_bias * here;
    if (w->options.order) down = false;
    E[0] = here;
    E[1] = lower;
    return down ? k - 1 : k;
}

static double growth(double E, int k) { return gt_power(aim / fmax(E, 1e-30), 1.0 / (k + 1)); }

static gt_verdict judge_failure(gt_stepper *s, double error, double h, int rejections)
{
    adams_state *w = s->state;
    double E[2], factor = failed;
    w->rising = w->known == 0;
    w->order = best_order(s, E);
    if (rejections + 1 >= FAILURES) {
        w->order = 1;
        factor = fmin(factor, growth(error, 1));
    }
    w->wait = w->order + 1;
    return (gt_verdict){.accept = false, .h_next = h * fmax(factor, least_factor)};
}

static gt_verdict judge(gt_stepper *s, double error, double h, int rejections)
{
    adams_state *w = s->state;
    error *= reserve;
    if (!(error <= 1)) return judge_failure(s, error, h, rejections);
    double E[2], E_next;
    int k = w->formula.k, best = best_order(s, E);
    E_next = best < k ? E[1] : E[0];
    if (best < k || k == highest_order(w)) w->rising = false;
    bool may_rise = best == k && k < highest_order(w) && w->known >= k;
    if (w->rising) {
        w->order = k + (k < highest_order(w));
        return (gt_verdict){.accept = true, .h_next = h * most_growth};
    }
    if (w->wait > 0) w->wait--;
    if (may_rise && w->wait == 0 && !rejections) {
        /* The call that the next step begins with. One that fails spoils this step. */
        gt_status status = gt_slopes(s);
        double up = status ? INFINITY : error_at_order(s, k + 1, s->f_new);
        if (!isfinite(up)) return (gt_verdict){.accept = false, .h_next = h * least_factor};
        if (k > 1 && !w->options.order && E[1] <= fmin(E[0], up))
            best = k - 1, E_next = E[1];
        else if (up < (k > 1 ? 1 : first_bias) * E[0] || w->options.order)
            best = k + 1, E_next = up;
    }
    if (best != k) w->wait = best + 1;
    w->order = best;
    double factor = growth(E_next, best);
    if (factor >= worth_it && !rejections)
        factor = fmin(factor, most_growth);
    else
        factor = factor >= 1 ? 1 : fmax(failed, fmin(factor, reduced));
    return (gt_verdict){.accept = true, .h_next = h * factor};
}

static void accept(gt_stepper *s)
{
    adams_state *w = s->state;
    double *oldest = w->f_past[PAST - 1];
    w->equal = w->known && s->h == w->h_past[0] ? w->equal + 1 : 1;
    for (int i = PAST - 1; i > 0; i--) {
        w->f_past[i] = w->f_past[i - 1];
        w->h_past[i] = w->h_past[i - 1];
    }
    w->f_past[0] = s->f; /* the buffers change places; the core makes f_new the slope */
    w->h_past[0] = s->h;
    s->f = oldest;
    if (w->known < PAST) w->known++;
    s->order = w->formula.k + 1;
    if (s->rtol == 0 && w->order < highest_order(w)) w->order++; /* fixed step: as points come */
}

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    const adams_state *w = s->state;
    const adams_formula *f = &w->formula;
    double G[MOST + 1], weight[MOST];
    integrate(f->k, f->tau, theta, G);
    weigh(f->k, f->tau, G, weight, NULL, 0);
    double add = h * G[f->k];
    for (size_t r = 0; r < s->n; r++) {
        double sum = 0, f_0 = s->f[r];
        for (int i = 1; i < f->k; i++) sum += weight[i] * (w->f_past[i - 1][r] - f_0);
        x[r] = s->x[r] + h * (theta * f_0 + sum) + add * (w->predicted[r] - w->foreseen[r]);
    }
    return GT_OK;
}

/* Of the corrected point and the predicted one, h g_k d_k apart. */
static bool mode(gt_stepper *s, gt_dominant *out)
{
    const adams_state *w = s->state;
    if (gt_slopes(s)) return false;
    const double weight[2] = {w->formula.g, -w->formula.g};
    const double *const k[2] = {w->predicted, w->foreseen};
    return gt_dominant_mode(s, 2, weight, k, s->f_new, w->predicted, out);
}

const gt_method gt_method_adams = {
    .name = "adams",
    .family = "Adams predictor-corrector",
    .title =
        "Adams of variable order 1-12 and variable step, PECE, explicit, two calls of f a step",
    .reference = "crow 5.2.1; Shampine, Gordon, Computer Solution of Ordinary Differential "
                 "Equations (1975)",
    .memory = "11 past slopes, the slope at the predicted point and the one foreseen",
    .options = options,
    .facts = facts,
    .state_size = sizeof(adams_state),
    .layout = layout,
    .step = step,
    .accept = accept,
    .restart = restart,
    .judge = judge,
    .interpolate = interpolate,
    .mode = mode};

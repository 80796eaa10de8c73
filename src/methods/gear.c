/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `gear`: backward differentiation of variable order 1 to 5 and variable step with fixed leading
 * coefficient (Jackson, Sacks-Davis, ACM TOMS 6, 1980; Brenan, Campbell, Petzold 1989, ch. 5), for
 * ODEs, mass matrices and index-1 DAEs.
 *
 * 1. The polynomial P of degree q through the last q + 1 points predicts x_p = P(t_new) and h
 * P'(t_new). With alpha_i = h / (t_new - t_(n+1-i)) and Lagrange weights w_i: x_p = sum w_i
 * x_(n-i),    h P' = sum_i w_i (sum_j alpha_j - alpha_(i+1)) x_(n-i)
 * 2. The corrected polynomial agrees with P at t_new - j h, j = 1..q, so with lead = sum_(j=1)^q
 * 1/j M [ h P' + lead (x_new - x_p) ] = h f(t_new, x_new),    0 = g(t_new, x_new) which Newton
 * solves with gamma = h / lead from the guess x_p. The formula `ndf` of Klopfenstein and Shampine
 *    takes lead (1 - kappa_q) instead and so a smaller error constant.
 * 3. Local error: C (x_new - x_p), C = max(alpha_(q+1), |alpha_(q+1) + alpha_1 + .. + alpha_q -
 * lead|); 1/(q+1) at constant step, and no less where h is below half of the last step, so that a
 * jump of f is not accepted by making the step shorter. At orders k = q - 1, q + 1 it is estimated
 * by alpha_(k+1) (x_new - P_k(t_new)).
 * 4. The order with the largest next step is taken, but not before q + 1 steps at the present one,
 * and h changes only when it can grow by a fifth: constant steps keep factors and formulas. Where
 * the differences do not fall with their order, which at orders 4 and 5 means modes in the unstable
 * wedge along the imaginary axis, it is lowered.
 *
 * The past points are what is kept, not scaled differences: a rejected trial has nothing to undo,
 * and a change of step costs nothing. Before the first step there is one point: the slope there
 * stands for the second. Dense output is the polynomial of degree q through the newest points.
 */
#include "kit/gear.h"
#include "base/weighted_sum.h"
#include "kit/implicit.h"
#include "problem/vectors.h"
#include <geartrain/methods.h>
#include <math.h>
#include <string.h>

static const char *const formulas[] = {[GEAR_BDF] = "bdf", [GEAR_NDF] = "ndf", NULL};
static const gt_param options[] = {
    {.name = "order",
     .help = "a fixed order; 0: variable",
     .type = GT_INTEGER,
     .min = 0,
     .max = MAX_ORDER,
     .field = GT_OPTION_FIELD(gear_options, order)},
    {.name = "max_order",
     .help = "the highest order tried",
     .type = GT_INTEGER,
     .initial = MAX_ORDER,
     .min = 1,
     .max = MAX_ORDER,
     .field = GT_OPTION_FIELD(gear_options, max_order)},
    {.name = "formula",
     .help = "bdf, or ndf with smaller error constants and a narrower stable sector",
     .type = GT_CHOICE,
     .choices = formulas,
     .field = GT_OPTION_FIELD(gear_options, formula)},
    GT_NEWTON_TOL_OPTION(gear_options),
    {.name = "newton_fraction",
     .help = "at controlled step: it ends when what is left adds this fraction of the tolerance to "
             "the local error",
     .initial = 0.1,
     .min = 1e-6,
     .max = 1,
     .field = GT_OPTION_FIELD(gear_options, newton_fraction)},
    GT_LINEAR_OPTIONS(gear_options),
    {0},
};

/* change of gamma that factors outlast; small ones cost less than slower convergence */
static const double kept_gamma = 0.3;
/* a step so much shorter than the last has the error constant of equal steps at least */
static const double sudden = 0.5;

/* 1 + 1/2 + .. + 1/q */
static const double harmonic_number[MAX_ORDER + 1] = {
    0,
    1,
    1 + 1.0 / 2,
    1 + 1.0 / 2 + 1.0 / 3,
    1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4,
    1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4 + 1.0 / 5,
};

static const gt_ratio kappas[MAX_ORDER] = {{-37, 200}, {-1, 9}, {-823, 10000}, {-83, 2000}, {0, 1}};

static double kappa(const gt_stepper *s, int q)
{
    const gear_state *w = s->state;
    return w->options.formula == GEAR_NDF ? gt_ratio_value(kappas[q - 1]) : 0;
}

static gt_facts facts(const gt_method *self, const double *v)
{
    gear_options o = {0};
    gt_params_fill(self->options, v, &o);
    int order = o.order ? o.order : o.max_order;
    return (gt_facts){.kind = GT_KIND_IMPLICIT,
                      .order = order,
                      .error_order = order,
                      .flags = GT_TREATS_ALGEBRAIC | GT_TREATS_MASS | GT_USES_JACOBIAN |
                               GT_VARIABLE_FORMULA | GT_TREATS_RANKS};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    gear_state *w = s->state;
    gt_params_fill(s->method->options, s->options.v, &w->options);
    gt_newton_layout_with(&w->newton, s->problem, &w->options.linear, arena);
    for (int i = 0; i < PAST; i++) w->x_past[i] = gt_arena_doubles(arena, s->n);
    gt_oscillation_layout(&w->swings, s->n, arena);
    w->predicted = gt_arena_doubles(arena, s->n);
    w->constant = gt_arena_doubles(arena, s->n);
    w->before = gt_arena_doubles(arena, s->n);
    if (s->problem->mass) w->product = gt_arena_doubles(arena, s->n);
    return GT_OK;
}

static void restart(gt_stepper *s)
{
    gear_state *w = s->state;
    w->known = w->equal = 0;
    w->order = s->order = 1;
    w->wait = 2;
    w->calm = 0;
    w->calm_next = 25;
    w->h_fine = INFINITY;
    gt_oscillation_forget(&w->swings);
    w->formula.q = 0;
    gt_newton_restart(&w->newton);
}

static gt_status prepare(gt_stepper *s)
{
    gear_state *w = s->state;
    w->newton.tolerance = w->options.newton_tol;
    w->newton.keep = s->n > GT_SMALL_LU || w->newton.inner ? kept_gamma : 0;
    w->newton.at_guess =
        true; /* P serves well, and diodes between two points want their slope at the new one */
    return gt_newton_prepare(&w->newton, s);
}

static void make_formula(gt_stepper *s, double h, int q)
{
    gear_state *w = s->state;
    gear_formula *f = &w->formula;
    if (f->q == q && f->h == h && w->equal > q && w->h_last == h) return;
    double alpha[PAST + 2] = {0}, sum = 0, lead = harmonic_number[q] * (1 - kappa(s, q));
    gt_gear_predictor(s, h, q, f->w, alpha);
    for (int i = 0; i <= q; i++) sum += alpha[i];
    for (int i = 0; i <= q; i++) {
        /* Added up anew: sum - alpha_i would leave round-off that w_i, large after short steps,
         * lifts. */
        double others = 0;
        for (int j = 0; j < i; j++) others += alpha[j];
        for (int j = i + 1; j <= q; j++) others += alpha[j];
        f->d[i] = f->w[i] * (1 - others / lead);
    }
    double skew = fabs(sum - harmonic_number[q]); /* alpha_(q+1) is in the sum */
    double share = fmax(alpha[q], skew);
    if (w->known && h < sudden * w->h_past[0]) share = fmax(share, 1.0 / (q + 1));
    f->error_constant = share + harmonic_number[q] * kappa(s, q);
    f->gamma = h / lead;
    f->q = q;
    f->h = h;
}

/* x_p = sum_(i=0)^q w_i x_(n-i) and x_p - h P'/lead = sum_(i=0)^q d_i x_(n-i) in one pass over the
 * components. The weights add up to 1: with differences to x_n what does not change stays as it is
 * to the last bit. */
static inline __attribute__((always_inline)) void
sum_up(int q, const gear_formula *f, const double *const *x, double *restrict predicted,
       double *restrict constant, size_t from, size_t to)
{
    for (size_t j = from; j < to; j++) {
        double now = x[0][j], p = 0, c = 0;
        _Pragma("GCC unroll 5") for (int i = 1; i <= q; i++)
        {
            double change = x[i][j] - now;
            p += f->w[i] * change;
            c += f->d[i] * change;
        }
        predicted[j] = now + p;
        constant[j] = now + c;
    }
}

static void predict_range(size_t from, size_t to, void *work)
{
    gt_stepper *s = work;
    gear_state *w = s->state;
    const double *x[PAST + 2];
    for (int i = 0; i <= w->formula.q; i++) x[i] = gt_gear_point(s, i);
    switch (w->formula.q) {
#define ORDER(q)                                                                                   \
    case q:                                                                                        \
        sum_up(q, &w->formula, x, w->predicted, w->constant, from, to);                            \
        break
        ORDER(1);
        ORDER(2);
        ORDER(3);
        ORDER(4);
        ORDER(5);
#undef ORDER
    }
}

/* Of residual, error and correction: r = x - constant - gamma r; r = gamma (x - constant), and with
 * gamma 1 in the place of what is subtracted. */
typedef struct three_vectors {
    double gamma;
    const double *x, *constant;
    double *r;
} three_vectors;

static void residual_range(size_t from, size_t to, void *work)
{
    const three_vectors w = *(three_vectors *)work;
    GT_INDEPENDENT
    for (size_t i = from; i < to; i++) w.r[i] = w.x[i] - w.constant[i] - w.gamma * w.r[i];
}

static void difference_range(size_t from, size_t to, void *work)
{
    const three_vectors w = *(three_vectors *)work;
    GT_INDEPENDENT
    for (size_t i = from; i < to; i++) w.r[i] = w.gamma * (w.x[i] - w.constant[i]);
}

/* M (x - constant) - gamma f(t_end, x); algebraic rows g. */
static gt_status residual(gt_stepper *s, const double *x, double *r, void *data)
{
    const gear_state *w = data;
    size_t n_diff = s->problem->n_slow + s->problem->n_fast;
    gt_status status = gt_rhs(s, w->t_end, x, r);
    if (status) return status;
    double gamma = w->formula.gamma;
    if (!s->problem->mass) {
        three_vectors of = {gamma, x, w->constant, r};
        gt_in_chunks(s->problem, n_diff, residual_range, &of);
        return GT_OK;
    }
    for (size_t i = 0; i < s->n; i++) s->scratch[i] = x[i] - w->constant[i];
    gt_matrix_multiply(s->problem->mass, s->scratch, 0, w->product);
    for (size_t i = 0; i < n_diff; i++) r[i] = w->product[i] - gamma * r[i];
    return GT_OK;
}

/* Before the first step: the point that the slope leads back to. Where f is not a slope, rest is
 * assumed. */
static gt_status make_point_before(gt_stepper *s, double h)
{
    gear_state *w = s->state;
    memcpy(w->before, s->x, s->n * sizeof *s->x);
    if (s->problem->mass) return GT_OK;
    gt_status status = gt_slope(s);
    size_t n_diff = s->problem->n_slow + s->problem->n_fast;
    for (size_t i = 0; i < n_diff && !status; i++) w->before[i] -= h * s->f[i];
    return status;
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    gear_state *w = s->state;
    (void)x;
    if (!w->known) {
        gt_status status = make_point_before(s, h);
        if (status) return status;
    }
    make_formula(s, h, w->order);
    const gear_formula *f = &w->formula;
    gt_in_chunks(s->problem, s->n, predict_range, s);
    gt_copy(s->problem, s->n, w->predicted, x_new);
    w->t_end = s->t + h;
    w->newton.fraction = w->options.newton_fraction / (f->error_constant * gt_gear_tightening(s));
    gt_status status = gt_newton_solve(&w->newton, s, w->t_end, f->gamma, x_new, residual, w);
    if (status || !err) return status;
    three_vectors of = {f->error_constant, x_new, w->predicted, err};
    gt_in_chunks(s->problem, s->n, difference_range, &of);
    return GT_OK;
}

static void accept(gt_stepper *s)
{
    gear_state *w = s->state;
    w->equal = s->h == w->h_last ? w->equal + 1 : 1;
    w->h_last = s->h;
    double *oldest = w->x_past[PAST - 1];
    for (int i = PAST - 1; i > 0; i--) {
        w->x_past[i] = w->x_past[i - 1];
        w->h_past[i] = w->h_past[i - 1];
    }
    w->x_past[0] = s->x; /* the buffers change places; the core makes x_new the accepted point */
    w->h_past[0] = s->h;
    if (w->equal == 1 || w->formula.q < 3) gt_oscillation_forget(&w->swings);
    if (w->formula.q >= 3) {
        three_vectors of = {1, s->x_new, w->predicted, w->predicted};
        gt_in_chunks(s->problem, s->n, difference_range, &of);
        gt_oscillation_push(&w->swings, s->problem, w->predicted, s->n);
    }
    s->x = oldest;
    if (w->known < PAST) w->known++;
    s->order = w->formula.q;
    if (s->rtol == 0 && w->order < gt_gear_highest_order(s) && w->known >= w->order + 1)
        w->order++; /* fixed step: up as points come */
    gt_newton_accept(&w->newton);
}

typedef struct polynomial {
    int q;
    double weight[PAST + 2];
    const double *value[PAST + 2];
    double *x;
} polynomial;

static void interpolate_range(size_t from, size_t to, void *work)
{
    const polynomial *p = work;
    for (size_t j = from; j < to; j++) {
        double sum = p->weight[0] * p->value[0][j];
        for (int i = 1; i <= p->q; i++) sum += p->weight[i] * p->value[i][j];
        p->x[j] = sum;
    }
}

/* Lagrange polynomial through the end of the trial and the q points before it. */
static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    const gear_state *w = s->state;
    int q = w->formula.q;
    double t[PAST + 2], t_out = theta * h; /* times relative to the accepted point */
    polynomial p = {.q = q, .value = {s->x_new}, .x = x};
    gt_gear_ages(s, h, q, t + 1);
    t[0] = h;
    for (int i = 1; i <= q; i++) {
        t[i] = -t[i];
        p.value[i] = gt_gear_point(s, i - 1);
    }
    for (int i = 0; i <= q; i++) {
        p.weight[i] = 1;
        for (int j = 0; j <= q; j++) {
            if (j != i) p.weight[i] *= (t_out - t[j]) / (t[i] - t[j]);
        }
    }
    gt_in_chunks(s->problem, s->n, interpolate_range, &p);
    return GT_OK;
}

static const gt_matrix *jacobian(const gt_stepper *s)
{
    const gt_newton *newton = &((const gear_state *)s->state)->newton;
    return newton->current_known ? &newton->J[newton->current] : NULL;
}

static void release(gt_stepper *s) { gt_newton_free(&((gear_state *)s->state)->newton); }

static long long binomial(int n, int k) { return k == 0 ? 1 : binomial(n - 1, k - 1) * n / k; }

static gt_ratio reduced(long long num, long long den)
{
    long long a = num < 0 ? -num : num, b = den;
    while (b) {
        long long rest = a % b;
        a = b;
        b = rest;
    }
    return (gt_ratio){num / a, den / a};
}

/*
 * At constant step and order q: sum_(j=1)^q (1/j) D^j x_(n+1) - kappa (sum 1/j) D^(q+1) x_(n+1) = h
 * f_(n+1), D the backward difference. Everything is multiplied by 60 and by the denominator of
 * kappa, which leaves whole numbers.
 */
static gt_status formula_of(const gt_method *self, const double *v, gt_multistep *out,
                            gt_message *message)
{
    gear_options o = {0};
    gt_params_fill(self->options, v, &o);
    int q = o.order;
    if (!q)
        return gt_fail(message, GT_UNSUPPORTED,
                       "method %s changes its order as it goes, so no one formula and no one "
                       "region of stability belong "
                       "to it; ask for one order, for example --opt order=3",
                       self->name);
    gt_ratio k = o.formula == GEAR_NDF ? kappas[q - 1] : (gt_ratio){0, 1};
    long long lead = 0, weight[MAX_ORDER + 2] = {0};
    for (int j = 1; j <= q + 1; j++) {
        if (j <= q) lead += 60 / j;
        long long factor = j <= q ? k.den * (60 / j) : -k.num * lead;
        for (int i = 0; i <= j; i++) weight[i] += (i % 2 ? -factor : factor) * binomial(j, i);
    }
    *out = (gt_multistep){
        .order = q, .steps = k.num ? q + 1 : q, .b = {reduced(60 * k.den, weight[0])}};
    for (int i = 0; i < out->steps; i++) out->a[i] = reduced(-weight[i + 1], weight[0]);
    out->error = reduced(-(60 * k.den + (q + 1) * k.num * lead), (q + 1) * weight[0]);
    return GT_OK;
}

const gt_method gt_method_gear = {
    .name = "gear",
    .roles = GT_ROLE_STIFF,
    .xpp = "gsc2",
    .family = "backward differentiation",
    .title = "Gear's method of variable order 1-5 and variable step, implicit, stiffly stable",
    .reference = "crow 5.2.2, 5.7; Brenan, Campbell, Petzold (1989) ch. 5",
    .memory = "J of the last point and of a trial, and I - gamma J; past points for order 5 and "
              "its error, 2 for "
              "oscillations, the prediction, Newton's guess and correction",
    .options = options,
    .facts = facts,
    .state_size = sizeof(gear_state),
    .layout = layout,
    .prepare = prepare,
    .step = step,
    .accept = accept,
    .restart = restart,
    .release = release,
    .judge = gt_gear_judge,
    .interpolate = interpolate,
    .jacobian = jacobian,
    .formula_of = formula_of,
    .law = {.steps = 4, .order = 6}};

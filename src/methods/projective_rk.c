/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Projective Runge-Kutta methods of fixed step: what `smfe` does, with more stages and at a higher
 * order. With K small steps of size d before each slope and H = h - K d,
 *
 *     X_b = x after K steps X <- X + d f(X),       k_1 = f(t + K d, X_b)
 *     X_i = X_b + (c_i H - K d) (sum_j a_ij k_j) / c_i, then K steps of size d,     k_i = f(t + K d
 * + c_i H, X_i) x_new = X_b + H sum_i b_i k_i
 *
 * so that each stage lands on its time t + K d + c_i H (Lafitte, Lejon, Samaey 2016 let it land K d
 * later). The order is that of the tableau, but for terms of size d: they show once the error is
 * below about d. With d near 1/|lambda_fast| two small steps reduce a cluster of fast eigenvalues
 * to its relative width squared, whatever eps is; d tied to h as in `smfe` would need hundreds. No
 * error estimate; unstable where a fast eigenvalue is beyond 2/d or between the slow ones and the
 * cluster, and for fast oscillations that are not strongly damped.
 *
 * eps = 0, the default, takes d = 1/|lambda| of the largest eigenvalue (fast_modes.h) when h
 * |lambda| > 2 and there are slow modes beside it, else no small steps; so does the closed form.
 * The small steps must fit before the first stage: at steps so small that K d > c h/2, d is c h/(2
 * K), c the smallest of the c_i above 0; fast parts need no help then.
 *
 * inner = -1, the default, takes the least K for which condition (14) of shi, |R(h lambda)| < 1,
 * holds for all eigenvalues that are fast for h, and for what they may become until they are looked
 * at again, ten steps later: as far as they moved between the last two looks, twice, and 2 % at
 * least.
 *
 * A run that ends in NaN is not helped by a smaller h: what the fast part is multiplied by in a
 * step, about h |lambda| |1 + d lambda|^K, hardly falls with h, but with K. The first small step
 * shows 1 + d lambda where the fast part is most of f; with it the message names condition (14) of
 * shi, |R(h lambda)| < 1, and the K that it asks for.
 *
 * Dense output has order 2 and 3: weights b_i(theta) of the tableau, from X_b on, straight up to
 * it. In the closed form R(z), h = 1: `eps` is in units of h there.
 */
#include "kit/fast_modes.h"
#include "problem/norm.h"
#include <complex.h>
#include <geartrain/author/stepper.h>
#include <geartrain/methods.h>
#include <math.h>
#include <string.h>

typedef struct projective_options {
    double eps;
    long inner;
    enum { BASE_HEUN, BASE_MIDPOINT } base; /* order 2 only */
} projective_options;
enum { MOST_STAGES = 4, AUTO = -1, UNKNOWN_INNER = 2, LOOK_EVERY = 10, MOST_AUTO = 1000 };

static const char *const base_choices[] = {
    [BASE_HEUN] = "heun", [BASE_MIDPOINT] = "midpoint", NULL};
#define SMALL_STEP_OPTIONS                                                                         \
    {.name = "eps",                                                                                \
     .help =                                                                                       \
         "size d of a small step, near 1/|lambda| of the fast eigenvalues; 0: found at the start", \
     .min = 0,                                                                                     \
     .max = 1e6,                                                                                   \
     .field = GT_OPTION_FIELD(projective_options, eps)},                                           \
    {                                                                                              \
        .name = "inner",                                                                           \
        .help = "small steps before each slope, K; -1: as many as condition (14) asks for",        \
        .type = GT_INTEGER, .initial = AUTO, .min = AUTO, .max = 1e6,                              \
        .field = GT_OPTION_FIELD(projective_options, inner)                                        \
    }
static const gt_param options2[] = {
    SMALL_STEP_OPTIONS,
    {.name = "base",
     .help = "the Runge-Kutta method of the large step",
     .type = GT_CHOICE,
     .choices = base_choices,
     .field = GT_OPTION_FIELD(projective_options, base)},
    {0},
};
static const gt_param options4[] = {SMALL_STEP_OPTIONS, {0}};

typedef struct projective_state {
    projective_options options;
    double *base, *k[MOST_STAGES]; /* X_b and the slopes of the last trial */
    gt_fast_modes modes;
    int age;                 /* steps since the modes were looked at; -1: never */
    double margin;           /* how far they may have moved since, relative to their size */
    double d;                /* of the last trial, */
    long K;                  /* and how many */
    double lambda, t_lambda; /* of a fast part that the method makes grow, while that was small, and
                                when; 0: none */
} projective_state;

/* Weights of dense output, a row of powers of theta from the first on for each stage. */
typedef struct projective_row {
    int order;
    double dense[MOST_STAGES][3];
} projective_row;

static const projective_row heun_row = {.order = 2, .dense = {{1, -0.5}, {0, 0.5}}};
static const projective_row midpoint_row = {.order = 2, .dense = {{1, -1}, {0, 1}}};
static const projective_row rk4_row = {
    .order = 4,
    .dense = {{1, -1.5, 2.0 / 3}, {0, 1, -2.0 / 3}, {0, 1, -2.0 / 3}, {0, -0.5, 2.0 / 3}}};

static projective_options options_of(const gt_method *method, const double *v)
{
    projective_options o = {0};
    gt_params_fill(method->options, v, &o);
    return o;
}

static bool is_order4(const gt_method *method) { return method->options == options4; }

static const gt_tableau *tableau_of(const gt_method *method, const projective_options *o)
{
    if (is_order4(method)) return gt_method_rk4.tableau;
    return o->base == BASE_MIDPOINT ? gt_method_rk2.tableau : gt_method_heun.tableau;
}

static const projective_row *row_of(const gt_method *method, const projective_options *o)
{
    if (is_order4(method)) return &rk4_row;
    return o->base == BASE_MIDPOINT ? &midpoint_row : &heun_row;
}

static gt_facts facts(const gt_method *self, const double *v)
{
    projective_options o = options_of(self, v);
    bool known = o.eps > 0 && o.inner != AUTO && o.inner < 1000000;
    return (gt_facts){.order = row_of(self, &o)->order,
                      .flags = GT_TREATS_RANKS,
                      .evaluations = known ? tableau_of(self, &o)->stages * (1 + (int)o.inner) : 0};
}

static bool looks(const projective_options *o) { return o->eps == 0 || o->inner == AUTO; }

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    projective_state *w = s->state;
    w->options = options_of(s->method, s->options.v);
    w->base = gt_arena_doubles(arena, s->n);
    for (int i = 0; i < tableau_of(s->method, &w->options)->stages; i++)
        w->k[i] = gt_arena_doubles(arena, s->n);
    if (looks(&w->options)) gt_fast_modes_layout(&w->modes, s->n, arena);
    return GT_OK;
}

static void restart(gt_stepper *s)
{
    projective_state *w = s->state;
    w->age = -1;
    w->K = 0;
    w->lambda = 0;
}

/* d for a step of size h when `eps` is given. */
static double small_step(const gt_tableau *T, long inner, double eps, double h)
{
    double first = 1;
    for (int i = 1; i < T->stages; i++) first = fmin(first, gt_ratio_value(T->c[i]));
    return inner > 0 ? fmin(eps, first * h / (2 * (double)inner)) : 0;
}

static double complex amplify(const gt_tableau *T, long K, double d, double complex z);

/* Makes the modes at the accepted point known, which depends on that point alone. */
static gt_status look(gt_stepper *s)
{
    static const double LEAST = 0.02, MOST = 0.5;
    projective_state *w = s->state;
    if (!looks(&w->options) || (w->age >= 0 && w->age < LOOK_EVERY)) return GT_OK;
    double before = w->age < 0 ? 0 : gt_mode_size(&w->modes, 0);
    gt_status status = gt_fast_modes_find(&w->modes, s, s->t, s->x, s->f);
    if (status) return status;
    double change = before > 0 ? fabs(1 - before / gt_mode_size(&w->modes, 0)) : 0;
    w->margin = fmin(MOST, fmax(LEAST, 2 * change));
    w->age = 0;
    return GT_OK;
}

/* Does condition (14) hold with K small steps of size d for each fast mode, as it is and moved? */
static bool all_damped(const gt_stepper *s, const gt_tableau *T, long K, double d, double h)
{
    const projective_state *w = s->state;
    const gt_fast_modes *m = &w->modes;
    for (int i = 0; i < m->count && h * gt_mode_size(m, i) > 2; i++)
        for (int side = -1; side <= 1; side++) {
            double complex z = h * (1 + side * w->margin) * (m->re[i] + I * m->im[i]);
            if (m->re[i] < 0 && !(cabs(amplify(T, K, d / h, z)) < 1)) return false;
        }
    return true;
}

/* Sets d and K. */
static gt_status set_small_steps(gt_stepper *s, const gt_tableau *T, double h)
{
    projective_state *w = s->state;
    double eps = w->options.eps;
    gt_status status = look(s);
    if (status) return status;
    if (eps == 0) {
        double fastest = gt_mode_size(&w->modes, 0),
               slowest = gt_mode_size(&w->modes, w->modes.count - 1);
        if (h * fastest > 2 && h * slowest < 2) eps = 1 / fastest;
    }
    w->K = w->options.inner;
    for (long K = 1; w->K == AUTO && K <= MOST_AUTO; K++)
        if (eps == 0 || all_damped(s, T, K, small_step(T, K, eps, h), h)) w->K = K;
    if (w->K == AUTO) w->K = UNKNOWN_INNER; /* no number helps: `explain` will say so */
    w->d = small_step(T, w->K, eps, h);
    return GT_OK;
}

static void add(size_t n, double h, const double *f, double *x)
{
    for (size_t i = 0; i < n; i++) x[i] += h * f[i];
}

/* From f at the start of a step, and k after a small step from there. */
static void watch(gt_stepper *s, const double *k)
{
    projective_state *w = s->state;
    double ff = 0, fk = 0, size = 0, scale = 1;
    for (size_t i = 0; i < s->n; i++) {
        ff += s->f[i] * s->f[i];
        fk += s->f[i] * k[i];
        size = fmax(size, fabs(w->d * s->f[i]));
        scale = fmax(scale, fabs(s->x[i]));
    }
    double all[4] = {ff, fk, size, scale};
    gt_over_ranks(s->problem, all, 2, 2);
    ff = all[0], fk = all[1], size = all[2], scale = all[3];
    double lambda = ff > 0 ? (fk / ff - 1) / w->d : 0;
    const gt_tableau *T = tableau_of(s->method, &w->options);
    bool grows = cabs(amplify(T, w->K, w->d / s->h, s->h * lambda)) > 1;
    if (!(lambda * s->h < -2) || !grows || !(size < 0.01 * scale)) return;
    w->lambda = lambda;
    w->t_lambda = s->t;
}

/* K small steps from (t, X), then the slope; k holds f(t, X) already when `known`. */
static gt_status settle(gt_stepper *s, double t, double d, bool known, double *X, double *k)
{
    const projective_state *w = s->state;
    long K = d > 0 ? w->K : 0;
    for (long n = 0; n <= K; n++) {
        gt_status status = n == 0 && known ? GT_OK : gt_rhs(s, t + (double)n * d, X, k);
        if (status) return status;
        if (n == 1 && known) watch(s, k);
        if (n < K) add(s->n, d, k, X);
    }
    return GT_OK;
}

/* The least K with |R(h lambda)| < 1 for eigenvalues from `least` to `most` times lambda; 0: there
 * is none. */
static long enough(const gt_stepper *s, double h, double least, double most)
{
    const projective_state *w = s->state;
    const gt_tableau *T = tableau_of(s->method, &w->options);
    for (long K = 1; K < 1000; K++) {
        bool holds = true;
        for (int part = 0; part <= 8 && holds; part++) {
            double lambda = w->lambda * (least + (most - least) * part / 8);
            holds = cabs(amplify(T, K, w->d / h, h * lambda)) < 1;
        }
        if (holds) return K;
    }
    return 0;
}

static gt_status explain(gt_stepper *s, double h)
{
    const projective_state *w = s->state;
    long here = enough(s, h, 1, 1), wide = enough(s, h, 0.5, 1.25);
    gt_fail(&s->message, GT_NOT_FINITE,
            "the fast part grew without bound: from t = %.4g on condition (14), |R(h lambda)| < 1, "
            "does not hold for "
            "lambda = %.3g with %g small steps of %.3g before each slope",
            w->t_lambda, w->lambda, (double)w->K, w->d);
    if (wide)
        gt_say_more(&s->message,
                    "; it asks for N = %ld there, and --opt inner=%ld holds where lambda falls to "
                    "half of that as well; "
                    "a smaller h does not help",
                    here, wide);
    else
        gt_say_more(&s->message, "; no number of them helps: try --opt eps=%.2g, or --method smes",
                    -1 / w->lambda);
    return GT_NOT_FINITE;
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    projective_state *w = s->state;
    const gt_tableau *T = tableau_of(s->method, &w->options);
    (void)err;
    gt_status status = gt_slope(s);
    if (!status) status = set_small_steps(s, T, h);
    if (status) return status;
    double d = w->d, small = (double)w->K * d, H = h - small;
    memcpy(w->base, x, s->n * sizeof *x);
    memcpy(w->k[0], s->f, s->n * sizeof *x);
    status = settle(s, s->t, d, true, w->base, w->k[0]);
    for (int i = 1; i < T->stages && !status; i++) {
        double c = gt_ratio_value(T->c[i]), reach = (c * H - small) / c;
        memcpy(x_new, w->base, s->n * sizeof *x);
        for (int j = 0; j < i; j++)
            if (T->a[i][j].num) add(s->n, reach * gt_ratio_value(T->a[i][j]), w->k[j], x_new);
        status = settle(s, s->t + c * H, d, false, x_new, w->k[i]);
    }
    if (status) return status;
    memcpy(x_new, w->base, s->n * sizeof *x);
    for (int i = 0; i < T->stages; i++)
        if (T->b[i].num) add(s->n, H * gt_ratio_value(T->b[i]), w->k[i], x_new);
    bool lost = w->lambda != 0 && !gt_finite_over_ranks(s->problem, x_new, s->n);
    return lost ? explain(s, h) : GT_OK;
}

static void accept(gt_stepper *s)
{
    projective_state *w = s->state;
    if (w->age >= 0) w->age++;
}

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    const projective_state *w = s->state;
    const gt_tableau *T = tableau_of(s->method, &w->options);
    const projective_row *row = row_of(s->method, &w->options);
    double small = (double)w->K * w->d, H = h - small;
    double u = (theta * h - small) / H;
    if (u < 0) {
        for (size_t i = 0; i < s->n; i++)
            x[i] = s->x[i] + theta * h / small * (w->base[i] - s->x[i]);
        return GT_OK;
    }
    memmove(x, w->base, s->n * sizeof *x);
    for (int i = 0; i < T->stages; i++) {
        const double *power = row->dense[i];
        add(s->n, H * u * (power[0] + u * (power[1] + u * power[2])), w->k[i], x);
    }
    return GT_OK;
}

/* R(z) at h = 1 with K small steps of size d. */
static double complex amplify(const gt_tableau *T, long K, double d, double complex z)
{
    double small = (double)K * d, H = 1 - small;
    double complex damping = 1, k[MOST_STAGES];
    for (long n = 0; n < K; n++) damping *= 1 + d * z;
    double complex x = damping;
    k[0] = z * x;
    for (int i = 1; i < T->stages; i++) {
        double complex sum = 0;
        for (int j = 0; j < i; j++) sum += gt_ratio_value(T->a[i][j]) * k[j];
        double c = gt_ratio_value(T->c[i]);
        k[i] = z * damping * (x + (c * H - small) / c * sum);
    }
    double complex R = x;
    for (int i = 0; i < T->stages; i++) R += H * gt_ratio_value(T->b[i]) * k[i];
    return R;
}

static double complex amplification(const gt_method *self, const double *v, double complex z)
{
    projective_options o = options_of(self, v);
    const gt_tableau *T = tableau_of(self, &o);
    long K = o.inner == AUTO ? UNKNOWN_INNER : o.inner;
    return amplify(T, K, small_step(T, K, o.eps, 1), z);
}

#define PROJECTIVE_RK(id, option_table, title_text)                                                \
    const gt_method gt_method_##id = {                                                             \
        .name = #id,                                                                               \
        .family = "stabilized multirate explicit",                                                 \
        .title = title_text,                                                                       \
        .reference = "after Shi, Rojas; Lafitte, Lejon, Samaey, SIAM J. Numer. Anal. "             \
                     "54 (2016)",                                                                  \
        .memory = "the stages, the point after the small steps, 14 in which the fastest modes "    \
                  "are found",                                                                     \
        .options = option_table,                                                                   \
        .facts = facts,                                                                            \
        .state_size = sizeof(projective_state),                                                    \
        .layout = layout,                                                                          \
        .restart = restart,                                                                        \
        .step = step,                                                                              \
        .accept = accept,                                                                          \
        .interpolate = interpolate,                                                                \
        .amplification = amplification};

PROJECTIVE_RK(smrk2, options2, "projective Runge-Kutta, stabilized multirate explicit, order 2")
PROJECTIVE_RK(smrk4, options4, "projective Runge-Kutta, stabilized multirate explicit, order 4")

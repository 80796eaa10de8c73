/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stabilized multirate forward Euler (Shi, Rojas), Algorithm 1: N small steps let the fast part
 * fall onto its slow manifold, one large step covers the rest of the interval D (our h):
 *
 *     X <- X + D eps F(X)                 N times (12) X <- X + D (1 - N eps) F(X)         once
 * (13)
 *
 * Order 1: both are Euler steps. No error estimate. On x' = lambda x, z = D lambda,
 *
 *     R(z) = (1 + (1 - N eps) z) (1 + eps z)^N (14)
 *
 * Stable for slow eigenvalues as forward Euler is, |1 + z| < 1 (16), and for fast ones at lambda =
 * l/eps once N > -ln(D |l|/eps) / ln |1 + D l| (17), which grows like ln(1/eps). Between lies a gap
 * in which |R| > 1: an eigenvalue there makes every run diverge, and an undamped oscillation never
 * leaves it. gt_damping_needed and gt_spectral_gap (stability.h) find both numbers.
 *
 * It is the projective forward Euler method of Gear and Kevrekidis (2003), written with slopes and
 * not with chords, which would lose six digits. hold=step is Algorithm 1: inputs, that is all
 * explicit dependence on time, are those at the beginning of the step. hold=none evaluates at the
 * time of each small step, also of order 1.
 *
 * Dense output is straight between the points, as the paper's mean errors are taken: the slope at
 * the end of a step is that of a state off the manifold and says nothing.
 */
#include <complex.h>
#include <geartrain/author/stepper.h>
#include <geartrain/methods.h>
#include <string.h>

typedef struct smfe_options {
    double eps;
    long inner;
    enum { HOLD_STEP, HOLD_NONE } hold;
} smfe_options;

static const char *const hold_choices[] = {[HOLD_STEP] = "step", [HOLD_NONE] = "none", NULL};
static const gt_param options[] = {
    {.name = "eps",
     .help = "size of a small step over h",
     .initial = 1e-6,
     .min = 1e-15,
     .max = 1,
     .field = GT_OPTION_FIELD(smfe_options, eps)},
    {.name = "inner",
     .help = "small steps, N of Algorithm 1",
     .type = GT_INTEGER,
     .initial = 70,
     .min = 0,
     .max = 1e9,
     .field = GT_OPTION_FIELD(smfe_options, inner)},
    {.name = "hold",
     .help = "time in f: held over the step as in Algorithm 1, or running",
     .type = GT_CHOICE,
     .choices = hold_choices,
     .field = GT_OPTION_FIELD(smfe_options, hold)},
    {0},
};

typedef struct smfe_state {
    smfe_options options;
    double *settled, *slope; /* X after the small steps of the last trial, and F there */
} smfe_state;

static smfe_options options_of(const double *v)
{
    smfe_options o = {0};
    gt_params_fill(options, v, &o);
    return o;
}

static gt_facts facts(const gt_method *self, const double *v)
{
    (void)self;
    long inner = options_of(v).inner;
    return (gt_facts){
        .order = 1, .flags = GT_TREATS_RANKS, .evaluations = inner < 1000000 ? (int)inner + 1 : 0};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    smfe_state *w = s->state;
    w->options = options_of(s->options.v);
    w->settled = gt_arena_doubles(arena, s->n);
    w->slope = gt_arena_doubles(arena, s->n);
    return GT_OK;
}

static gt_status prepare(gt_stepper *s)
{
    const smfe_state *w = s->state;
    double eps = w->options.eps, inner = (double)w->options.inner;
    if (inner * eps <= 1) return GT_OK;
    return gt_fail(
        &s->message, GT_BAD_ARGUMENT,
        "%g small steps of eps = %g take %g times the step they belong to; take inner below %g",
        inner, eps, inner * eps, 1 / eps);
}

static void add(size_t n, double h, const double *f, double *x)
{
    for (size_t i = 0; i < n; i++) x[i] += h * f[i];
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    smfe_state *w = s->state;
    double eps = w->options.eps, *X = w->settled, *F = w->slope;
    long N = w->options.inner;
    bool held = w->options.hold == HOLD_STEP;
    (void)err;
    gt_status status = gt_slope(s);
    if (status) return status;
    memcpy(X, x, s->n * sizeof *X);
    memcpy(F, s->f, s->n * sizeof *F);
    for (long n = 1; n <= N; n++) {
        add(s->n, h * eps, F, X);
        status = gt_rhs(s, held ? s->t : s->t + (double)n * eps * h, X, F);
        if (status) return status;
    }
    memcpy(x_new, X, s->n * sizeof *X);
    add(s->n, h * (1 - (double)N * eps), F, x_new);
    return GT_OK;
}

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    const smfe_state *w = s->state;
    double small = w->options.eps * (double)w->options.inner;
    if (theta >= small) {
        memmove(x, w->settled, s->n * sizeof *x);
        add(s->n, h * (theta - small), w->slope, x);
        return GT_OK;
    }
    double part = theta / small;
    for (size_t i = 0; i < s->n; i++) x[i] = s->x[i] + part * (w->settled[i] - s->x[i]);
    return GT_OK;
}

static double complex power(double complex base, long exponent)
{
    double complex result = 1;
    for (; exponent > 0; exponent /= 2, base *= base)
        if (exponent % 2) result *= base;
    return result;
}

static double complex amplification(const gt_method *self, const double *v, double complex z)
{
    (void)self;
    smfe_options o = options_of(v);
    return (1 + (1 - (double)o.inner * o.eps) * z) * power(1 + o.eps * z, o.inner);
}

const gt_method gt_method_smfe = {
    .name = "smfe",
    .roles = GT_ROLE_INNER_STEPS,
    .family = "stabilized multirate explicit",
    .title = "stabilized multirate forward Euler, explicit, order 1",
    .reference = "Shi, Rojas, Algorithm 1; Gear, Kevrekidis, SIAM J. Sci. Comput. 24 "
                 "(2003)",
    .memory = "the point after the small steps and its slope",
    .options = options,
    .facts = facts,
    .state_size = sizeof(smfe_state),
    .layout = layout,
    .prepare = prepare,
    .step = step,
    .interpolate = interpolate,
    .amplification = amplification};

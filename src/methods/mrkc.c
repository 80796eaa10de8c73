/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stabilized multirate method after Abdulle, Grote, Rosilho de Souza, Explicit stabilized multirate
 * method for stiff differential equations, Math. Comp. 91 (2022) 2681 (mRKC). x' = f(t, x, z) is
 * slow, expensive and mildly stiff, z' = g(t, x, z) cheap and severely stiff, without a gap between
 * the two: diffusion on a mesh with a few fine cells. All eigenvalues lie near the negative real
 * axis.
 *
 * A Chebyshev method needs sqrt(1.54 h radius) stages. So that the fast block does not set the
 * radius, its slope is replaced by that of a mean over a short time eta: with
 *
 *     u' = g(t + theta, x + theta f(t, x, z), u),    u(0) = z,    a(eta) = (u(eta) - z)/eta
 *
 * a(eta) is g + O(eta), and its eigenvalues are at most 1/eta in size: modes that are faster have
 * reached in eta what they tend to. Here
 *
 *     F(t, x, z) = [ f(t, x, z), 2 a(eta) - a(2 eta) ]
 *
 * 1. radii rho_s of f_x and rho_f of g_z by power iterations on differences, anew every 20 steps;
 *    the largest modes of g_z: v, J v and J^2 v in g_z's last iterates have J^2 v = a J v - b v,
 * and lambda^2 = a lambda - b;
 * 2. s stages with 0.65 (s^2 - 1) >= h rho_s; where h rho_f is beyond that, eta = 3 h/(0.65
 * (s^2-1)) with s >= 4, so that eta <= 0.31 h; else nothing is averaged, F = [f, g];
 * 3. u over eta, and over eta once more, by the Chebyshev method of order 2 with m stages,
 *    0.65 (m^2 - 1) >= eta rho_f;
 * 4. one step h on F by the same method with s stages; the local error is
 *    0.8 (x - x_new) + 0.4 h (F + F_new).
 *
 * s evaluations of f a step, s (2 m + 1) or so of g. The modified equation has x' = f and, with
 * u''' the third derivative, z' = g - eta^2/3 u''': order 2, while in the paper, which averages
 * once, it is 1; with R the stability function of step 3 modes of g go with -(1-R)(3-R)/(2 eta),
 * which for R in [-1/3, 1] is within 2.3/eta: hence the 3. A mode that decays in less than eta
 * decays too slowly, but in about eta, and is seen by the estimate while it is there. eta is about
 * 3/rho_s however small the tolerance is, as long as s > 4: so transients of the fast block that
 * are below the tolerance are not followed.
 *
 * Where we depart from the paper further: it splits f additively; with blocks of components the
 * slow one moves exactly by theta f in the average. Unstable where eigenvalues are far from the
 * real axis (fast parts that swing), as every method of its kind, and the average is not what such
 * a part tends to. Where |Im lambda| > |Re lambda|/10 in the largest modes of g_z nothing is
 * averaged, so that the estimate sees all there is; beyond 3 |Re lambda| errors of many small steps
 * add up, and the run warns and names mri4. Modes that swing beneath a larger one that decays are
 * not found.
 *
 * Dense output: the cubic polynomial through both ends with the slopes F.
 */
#include "kit/chebyshev_rk.h"
#include "problem/norm.h"
#include <float.h>
#include <geartrain/methods.h>
#include <math.h>
#include <string.h>

enum { LEAST_AVERAGED = 4, POWER_STEPS = 50, KEPT_STEPS = 20 };
static const double wide = 3, margin = 1.15, reach = 0.65;

typedef struct mrkc_state {
    double rho[2];                 /* radii of the slow and the fast block */
    bool rho_known;                /* at the accepted point, or so near that they serve */
    int rho_age;                   /* accepted steps since */
    double *mode;                  /* all states: the largest mode of each block as found last */
    bool swings, lasting, warned;  /* the fast block; for long; and this has been said */
    bool f_known;                  /* f0 is that of the accepted point */
    double *f0, *f1;               /* slow slopes at both ends */
    double *g0, *g1;               /* those of the fast block, averaged */
    double *F, *a, *b;             /* F at the start, and scratch of the outer stages; all states */
    double *u, *v, *slope, *c, *d; /* of the fast block: u at eta and 2 eta, and scratch */
    double *p;                     /* a point, all states */
    int stages, inner;             /* of this trial; inner = 0: nothing is averaged */
    double eta;
} mrkc_state;

static gt_facts facts(const gt_method *self, const double *v)
{
    (void)self, (void)v;
    return (gt_facts){
        .kind = GT_KIND_STABILIZED, .order = 2, .error_order = 2, .flags = GT_NEEDS_PARTITION};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    mrkc_state *w = s->state;
    size_t n_slow = s->problem->n_slow, n_fast = s->problem->n_fast;
    double **const slow[] = {&w->f0, &w->f1},
                   **const fast[] = {&w->g0, &w->g1, &w->u, &w->v, &w->slope, &w->c, &w->d},
                   **const all[] = {&w->mode, &w->F, &w->a, &w->b, &w->p};
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        *slow[i] = gt_arena_doubles(arena, n_slow);
    for (size_t i = 0; i < sizeof fast / sizeof *fast; i++)
        *fast[i] = gt_arena_doubles(arena, n_fast);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) *all[i] = gt_arena_doubles(arena, s->n);
    return GT_OK;
}

static void restart(gt_stepper *s)
{
    mrkc_state *w = s->state;
    w->f_known = w->rho_known = w->swings = w->lasting = false;
    w->rho_age = 0;
    memset(w->mode, 0, s->n * sizeof *w->mode);
}

static void warn_of_swings(const gt_stepper *s)
{
    gt_warn(s->warnings,
            "the fast block swings near t = %g: mrkc is for fast blocks that decay, takes small "
            "steps here, and their errors add up; try --method mri4",
            gt_shown_time(s, s->t));
}

static void accept(gt_stepper *s)
{
    mrkc_state *w = s->state;
    double *f = w->f0;
    w->f0 = w->f1;
    w->f1 = f;
    if (w->lasting && !w->warned) warn_of_swings(s);
    w->warned = w->warned || w->lasting;
    if (++w->rho_age == KEPT_STEPS) {
        w->rho_known = false;
        w->rho_age = 0;
    }
}

static gt_status block(gt_stepper *s, int fast, double t, const double *x, double *dx)
{
    return fast ? gt_rhs_fast(s, t, x, dx) : gt_rhs_slow(s, t, x, dx);
}

/* J v of the fast block at x by a difference, |step| = scale. */
static gt_status fast_product(gt_stepper *s, const double *x, double scale, const double *f,
                              const double *v, double *Jv)
{
    const mrkc_state *w = s->state;
    size_t first = s->problem->n_slow, n = s->problem->n_fast;
    double norm = 0;
    for (size_t i = 0; i < n; i++) norm += v[i] * v[i];
    if (!(norm > 0)) return GT_TRY_NOT_FINITE;
    double step = scale / sqrt(norm);
    for (size_t i = 0; i < n; i++) w->p[first + i] = x[first + i] + step * v[i];
    gt_status status = gt_rhs_fast(s, s->t, w->p, Jv);
    for (size_t i = 0; i < n && !status; i++) Jv[i] = (Jv[i] - f[i]) / step;
    return status;
}

/* Whether the largest modes swing, from the last iterate and two more: a fit of a and b, which is
 * one of a alone where the three are parallel. */
static gt_status find_swings(gt_stepper *s, const double *x, double scale, const double *f,
                             double *scratch)
{
    mrkc_state *w = s->state;
    size_t n = s->problem->n_fast;
    const double *v0 = w->mode + s->problem->n_slow;
    double *v1 = w->u, *v2 = scratch, m00 = 0, m01 = 0, m11 = 0, r0 = 0, r1 = 0, r2 = 0;
    w->swings = w->lasting = false;
    gt_status status = fast_product(s, x, scale, f, v0, v1);
    if (!status) status = fast_product(s, x, scale, f, v1, v2);
    if (status) return status == GT_TRY_NOT_FINITE ? GT_OK : status;
    for (size_t i = 0; i < n; i++) {
        m00 += v0[i] * v0[i];
        m01 += v0[i] * v1[i];
        m11 += v1[i] * v1[i];
        r0 += v0[i] * v2[i];
        r1 += v1[i] * v2[i];
        r2 += v2[i] * v2[i];
    }
    double det = m00 * m11 - m01 * m01;
    if (!(det > 1e-6 * m00 * m11)) return GT_OK;
    double a = (m00 * r1 - m01 * r0) / det, b = (m01 * r1 - m11 * r0) / det;
    double missed = r2 - a * r1 + b * r0, square = b - a * a / 4;
    w->swings = missed < 0.01 * r2 && square > a * a / 400;
    w->lasting = w->swings && (square > 9 * a * a / 4 || a > 0);
    /* Iterates of a pair turn for ever: b is |lambda|^2, from wherever they began. */
    if (w->swings) w->rho[1] = margin * sqrt(b);
    return GT_OK;
}

/* The radius of a diagonal block of the Jacobian at the accepted point: power iterations on
 * differences, from the mode found before, or f and its signs turned about. */
static gt_status find_radius(gt_stepper *s, const double *x, int fast, const double *f, double *df)
{
    mrkc_state *w = s->state;
    size_t first = fast ? s->problem->n_slow : 0,
           n = fast ? s->problem->n_fast : s->problem->n_slow;
    double *mode = w->mode + first, size = 0, known = 0, rho = 0, found = 0;
    for (size_t i = 0; i < n; i++) {
        size += x[first + i] * x[first + i];
        known += mode[i] * mode[i];
    }
    for (size_t i = 0; i < n && known == 0; i++)
        mode[i] = (i % 2 ? -1 : 1) * (1 + 0.3 * sin(3.0 * (double)i));
    double scale =
        sqrt(DBL_EPSILON) * fmax(sqrt(size), sqrt((double)n) * gt_typical_size(s->problem));
    memcpy(w->p, x, s->n * sizeof *x);
    for (int k = 0; k < POWER_STEPS; k++) {
        double norm = 0, moved = 0;
        for (size_t i = 0; i < n; i++) norm += mode[i] * mode[i];
        if (!(norm > 0)) break;
        for (size_t i = 0; i < n; i++)
            w->p[first + i] = x[first + i] + scale / sqrt(norm) * mode[i];
        gt_status status = block(s, fast, s->t, w->p, df);
        if (status) return status;
        for (size_t i = 0; i < n; i++) {
            mode[i] = df[i] - f[i];
            moved += mode[i] * mode[i];
        }
        found = sqrt(moved) / scale;
        if (!isfinite(found)) return GT_TRY_NOT_FINITE;
        bool settled = fabs(found - rho) <= 0.01 * found && k > 0;
        rho = fmax(found, rho * 0.5);
        if (settled) break;
    }
    w->rho[fast] = margin * rho;
    return fast && rho > 0 ? find_swings(s, x, scale, f, df) : GT_OK;
}

static gt_status find_radii(gt_stepper *s, const double *x)
{
    mrkc_state *w = s->state;
    if (w->rho_known) return GT_OK;
    gt_status status = find_radius(s, x, 0, w->f0, w->f1);
    if (!status) status = gt_rhs_fast(s, s->t, x, w->g0);
    if (!status) status = find_radius(s, x, 1, w->g0, w->g1);
    w->rho_known = !status;
    return status;
}

/* How many stages the step has, and over which time the fast block is averaged. */
static gt_status choose_stages(mrkc_state *w, double h)
{
    h = fabs(h);
    double stages = gt_chebyshev_stages(h, w->rho[0]), all = gt_chebyshev_stages(h, w->rho[1]);
    w->inner = 0;
    w->eta = 0;
    if (all > stages && all > LEAST_AVERAGED && !w->swings) {
        stages = fmax(stages, LEAST_AVERAGED);
        w->eta = wide * h / (reach * (stages * stages - 1));
        double inner = gt_chebyshev_stages(w->eta, w->rho[1]);
        if (inner > GT_MOST_CHEBYSHEV) return GT_TRY_RHS;
        w->inner = (int)fmax(2, inner);
    } else {
        stages = fmax(stages, all);
    }
    if (stages > GT_MOST_CHEBYSHEV) return GT_TRY_RHS;
    w->stages = (int)fmax(2, stages);
    return GT_OK;
}

/* What g sees while it is averaged. */
typedef struct beside {
    gt_stepper *s;
    double t, since;     /* where the average begins, and how long ago this half of it began */
    const double *x, *f; /* the slow block there and its slope */
} beside;

/* g beside a slow block that moves with its slope. */
static gt_status fast_beside(double after, const double *u, double *du, void *ctx)
{
    const beside *of = ctx;
    double *p = ((mrkc_state *)of->s->state)->p, theta = of->since + after;
    size_t n_slow = of->s->problem->n_slow;
    for (size_t i = 0; i < n_slow; i++) p[i] = of->x[i] + theta * of->f[i];
    memcpy(p + n_slow, u, of->s->problem->n_fast * sizeof *u);
    return gt_rhs_fast(of->s, of->t + theta, p, du);
}

/* The slope of the fast block at (t, y), averaged, beside the slow slope f there. */
static gt_status average(gt_stepper *s, double t, const double *y, const double *f, double *out)
{
    mrkc_state *w = s->state;
    const double *z = y + s->problem->n_slow;
    size_t n = s->problem->n_fast;
    double eta = w->eta;
    beside of = {.s = s, .t = t, .x = y, .f = f};
    gt_status status = gt_rhs_fast(s, t, y, w->slope);
    if (!status && !w->inner) memcpy(out, w->slope, n * sizeof *out);
    if (status || !w->inner) return status;
    status = gt_chebyshev_advance(s->problem, w->inner, eta, n, fast_beside, &of, z, w->slope, w->u,
                                  w->c, w->d);
    of.since = eta;
    if (!status) status = fast_beside(0, w->u, w->slope, &of);
    if (!status)
        status = gt_chebyshev_advance(s->problem, w->inner, eta, n, fast_beside, &of, w->u,
                                      w->slope, w->v, w->c, w->d);
    for (size_t i = 0; i < n && !status; i++)
        out[i] = (2 * (w->u[i] - z[i]) - (w->v[i] - z[i]) / 2) / eta;
    return status;
}

/* F of the outer stages. */
static gt_status mean_slope(double after, const double *y, double *F, void *ctx)
{
    gt_stepper *s = ctx;
    mrkc_state *w = s->state;
    gt_status status = gt_rhs_slow(s, s->t + after, y, w->f1);
    if (!status) status = average(s, s->t + after, y, w->f1, F + s->problem->n_slow);
    memcpy(F, w->f1, s->problem->n_slow * sizeof *F);
    return status;
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    mrkc_state *w = s->state;
    size_t n_slow = s->problem->n_slow;
    gt_status status = w->f_known ? GT_OK : gt_rhs_slow(s, s->t, x, w->f0);
    if (status) return status;
    w->f_known = true;
    status = find_radii(s, x);
    if (!status) status = choose_stages(w, h);
    if (!status) status = average(s, s->t, x, w->f0, w->g0);
    if (status) return status;
    memcpy(w->F, w->f0, n_slow * sizeof *w->F);
    memcpy(w->F + n_slow, w->g0, s->problem->n_fast * sizeof *w->F);
    status = gt_chebyshev_advance(s->problem, w->stages, h, s->n, mean_slope, s, x, w->F, x_new,
                                  w->a, w->b);
    if (!status) status = gt_rhs_slow(s, s->t + h, x_new, w->f1);
    if (!status) status = average(s, s->t + h, x_new, w->f1, w->g1);
    if (status || !err) return status;
    for (size_t i = 0; i < s->n; i++) {
        double end = i < n_slow ? w->f1[i] : w->g1[i - n_slow];
        err[i] = 0.8 * (x[i] - x_new[i]) + 0.4 * h * (w->F[i] + end);
    }
    return GT_OK;
}

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    const mrkc_state *w = s->state;
    size_t n_slow = s->problem->n_slow;
    double v = 1 - theta, a = v * v * (1 + 2 * theta), b = theta * theta * (3 - 2 * theta),
           c = h * theta * v * v, d = -h * theta * theta * v;
    for (size_t i = 0; i < s->n; i++)
        x[i] = a * s->x[i] + b * s->x_new[i] + c * w->F[i] +
               d * (i < n_slow ? w->f1[i] : w->g1[i - n_slow]);
    return GT_OK;
}

const gt_method gt_method_mrkc = {
    .name = "mrkc",
    .family = "multirate stabilized",
    .title =
        "stabilized multirate Runge-Kutta-Chebyshev, order 2, for a stiff fast block that decays",
    .reference = "after Abdulle, Grote, Rosilho de Souza, Math. Comp. 91 (2022) 2681",
    .memory = "2 slopes of the slow block, 7 vectors of the fast one; 5 of all states",
    .facts = facts,
    .state_size = sizeof(mrkc_state),
    .layout = layout,
    .step = step,
    .interpolate = interpolate,
    .accept = accept,
    .restart = restart};

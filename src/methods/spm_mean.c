/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two better members of the family of spm.c, both of order 2, with the same notation. y' = A y +
 * u_0 with y(0) = sigma, q_0 = f - f_z sigma and u_0 = g_z^-1 (g_x q_0 + g_t) is followed first;
 * then x moves under what y does on average:
 *
 *   spm2   mean = phi_1(hA) sigma + h phi_2(hA) u_0
 *          x' = f(x, H(x) + mean)                                               by the explicit
 * method `slow` z_new = H(x_new) + y(h) + h phi_2(hA) (u_1 - u_0),  y(h) = e^(hA) sigma + h
 * phi_1(hA) u_0, u_1 from q_1 = f(x_new, H(x_new) + y(h)) - f_z y(h)
 *
 *   spmc   x' = mean over i, +- of f(x, H_c(x) + mean +- sqrt(r) c_i),  sum_i c_i c_i^T =
 * covariance of y over the step (r columns), which is right for f up to cubic in z; H_c = H + 2 ch
 * phi_3(chA) [ g(x, H(x) + mean) - g(x_n, H(x_n) + mean) ] at the stage c: g bends; z_new as above,
 * plus 2 h phi_3(hA) [ g(x_new, z_new) - its linear part ]
 *
 * spm2 costs as much as spm; both are consistent where spm is not, since h -> 0 makes mean ->
 * sigma, and spmc converges on the slow scale also when f is not linear in a fast oscillation. Same
 * limits otherwise: exprb32 takes over near a singular g_z; errors as in spm_estimate.c. The
 * covariance needs a dense A, so spmc takes fast blocks of up to `dense` states.
 */
#include "kit/explicit_rk.h"
#include "kit/spm_kit.h"
#include <geartrain/methods.h>
#include <string.h>

static const gt_param options[] = {GT_SPM_OPTIONS, {0}};

typedef struct mean_row {
    gt_spm_kind kind;
} mean_row;

typedef struct mean_state {
    gt_spm spm; /* first: the kit takes it for the state */
    gt_phi_sum stage;
    double *g0, *bend, *Z;
} mean_state;

static gt_spm_kind kind_of(const gt_stepper *s)
{
    return ((const mean_row *)s->method->data)->kind;
}

static gt_facts facts(const gt_method *self, const double *v)
{
    bool spread = ((const mean_row *)self->data)->kind == GT_SPM_SPREAD;
    gt_facts own = {.kind = GT_KIND_EXPONENTIAL,
                    .order = 2,
                    .error_order = 2,
                    .functions = spread ? 3 : 2,
                    .flags = GT_NEEDS_PARTITION | GT_USES_JACOBIAN | (spread ? 0 : GT_AVERAGES)};
    gt_spm_options o = {0};
    gt_params_fill(options, v, &o);
    return gt_slow_facts(o.slow, own);
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    mean_state *w = s->state;
    size_t m = s->problem->n_fast;
    gt_spm_layout(&w->spm, s, gt_explicit_rk_methods, false, arena);
    w->Z = gt_arena_doubles(arena, m);
    if (kind_of(s) != GT_SPM_SPREAD) return GT_OK;
    if (!w->spm.block.dense)
        return gt_fail(&s->message, GT_UNSUPPORTED,
                       "spmc needs the covariance of the %zu fast states, for which they are too "
                       "many; try spm2, or "
                       "--opt dense=%zu",
                       m, m);
    gt_phi_sum_layout(&w->stage, m, 3, NULL, arena);
    w->stage.A = w->spm.block.A;
    w->g0 = gt_arena_doubles(arena, m);
    w->bend = gt_arena_doubles(arena, m);
    return GT_OK;
}

/* H(X) + mean into `point`, where rhs_slow and rhs_fast look for it. */
static double *at_mean(gt_spm *w, gt_stepper *s, double dt, const double *X)
{
    gt_fast_block *f = &w->block;
    double *Z = f->point + f->n_slow;
    gt_fast_block_manifold(f, s, dt, X, Z);
    for (size_t i = 0; i < f->m; i++) Z[i] += w->mean[i];
    memcpy(f->point, X, f->n_slow * sizeof *X);
    return Z;
}

static gt_status slope_at_mean(gt_stepper *s, double c, double h, const double *X, double *k,
                               void *data)
{
    gt_spm *w = data;
    return gt_spm_slope(w, s, c, h, X, at_mean(w, s, c * h, X), k);
}

static gt_status slope_of_spread(gt_stepper *s, double c, double h, const double *X, double *k,
                                 void *data)
{
    mean_state *w = data;
    gt_spm *spm = &w->spm;
    size_t m = spm->block.m;
    memcpy(w->Z, at_mean(spm, s, c * h, X), m * sizeof *w->Z);
    if (c > 0) { /* H bends */
        gt_status status = gt_rhs_fast(s, s->t + c * h, spm->block.point, spm->b[3]);
        double ch = c * h;
        for (size_t i = 0; i < m; i++) spm->b[3][i] = 2 / (ch * ch) * (spm->b[3][i] - w->g0[i]);
        const double *const b[] = {NULL, NULL, NULL, spm->b[3]};
        if (!status)
            status = gt_phi_sum_evaluate(c == 1 ? &spm->block.of_A : &w->stage, ch, 3, b, w->bend);
        if (status) return status;
        for (size_t i = 0; i < m; i++) w->Z[i] += w->bend[i];
    }
    return gt_spm_average(spm, s, c, h, X, w->Z, k);
}

static gt_status move_slow(gt_stepper *s, double h, const double *x, double *x_new, double *x_error)
{
    mean_state *w = s->state;
    gt_spm *spm = &w->spm;
    if (kind_of(s) != GT_SPM_SPREAD)
        return gt_slow_rk_step(&spm->rk, s, h, x, x_new, x_error, slope_at_mean, spm);
    gt_status status = gt_spm_spread(spm, h);
    at_mean(spm, s, 0, x);
    if (!status) status = gt_rhs_fast(s, s->t, spm->block.point, w->g0);
    return status ? status : gt_slow_rk_step(&spm->rk, s, h, x, x_new, x_error, slope_of_spread, w);
}

static gt_status move_fast(gt_spm *w, gt_stepper *s, double h, double *x_new)
{
    gt_fast_block *f = &w->block;
    size_t n = f->n_slow, m = f->m;
    double *Z = x_new + n, *q = w->rk.X, *change = w->b[1];
    const double *const flow[] = {f->sigma, f->u0}, *const bend[] = {NULL, NULL, change};
    gt_status status = gt_phi_sum_evaluate(&f->of_A, h, 1, flow, w->y_end);
    if (status) return status;
    gt_fast_block_manifold(f, s, h, x_new, Z);
    for (size_t i = 0; i < m; i++) Z[i] += w->y_end[i];
    status = gt_rhs_slow(s, s->t + h, x_new, q);
    if (status) return status;
    gt_fast_block_fz(f, w->y_end, f->slow2);
    for (size_t i = 0; i < n; i++) q[i] -= f->slow2[i];
    gt_fast_block_drive(f, q, w->u1);
    for (size_t i = 0; i < m; i++) change[i] = (w->u1[i] - f->u0[i]) / h;
    status = gt_phi_sum_evaluate(&f->of_A, h, 2, bend, w->b[2]);
    for (size_t i = 0; i < m; i++) Z[i] += w->b[2][i];
    return status;
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    gt_spm *w = s->state;
    gt_fast_block *f = &w->block;
    bool done;
    gt_status status = gt_spm_begin(w, s, h, x, x_new, err, &done);
    if (status || done) return status;
    const double *const b[] = {NULL, f->sigma, f->u0};
    status = gt_phi_sum_evaluate(&f->of_A, h, 2, b, w->mean);
    for (size_t i = 0; i < f->m; i++) w->mean[i] /= h;
    if (!status) status = move_slow(s, h, x, x_new, err ? w->x_error : NULL);
    if (!status) status = move_fast(w, s, h, x_new);
    bool bends = kind_of(s) == GT_SPM_SPREAD;
    double *bend = ((mean_state *)s->state)->bend;
    if (!status && bends)
        status = gt_spm_bend(w, s, h, x_new, bend); /* before err, which may be its scratch */
    if (!status && err) status = gt_spm_estimate(w, s, kind_of(s), h, x_new, err);
    for (size_t i = 0; i < f->m && bends && !status; i++) x_new[f->n_slow + i] += bend[i];
    return status;
}

static const mean_row spm2_row = {GT_SPM_MEAN}, spmc_row = {GT_SPM_SPREAD};

#define MEAN_METHOD(id, memory_text, title_text)                                                   \
    const gt_method gt_method_##id = {.name = #id,                                                 \
                                      .family = "singular perturbation",                           \
                                      .title = title_text,                                         \
                                      .reference =                                                 \
                                          "after Gil, Sanfelice, Nikravesh, DETC2013-13330",       \
                                      .memory = memory_text,                                       \
                                      .options = options,                                          \
                                      .facts = facts,                                              \
                                      .data = &id##_row,                                           \
                                      .state_size = sizeof(mean_state),                            \
                                      .layout = layout,                                            \
                                      .prepare = gt_spm_prepare,                                   \
                                      .step = step,                                                \
                                      .accept = gt_spm_accept,                                     \
                                      .restart = gt_spm_restart,                                   \
                                      .release = gt_spm_free,                                      \
                                      .interpolate = gt_spm_interpolate};

MEAN_METHOD(spm2, GT_SPM_MEMORY,
            "singular perturbation method with the mean of the fast part, order 2")
MEAN_METHOD(spmc,
            "J; dense matrices of the fast states, `dense` of them at most, and one of n_slow x "
            "n_fast; 73 for a "
            "Krylov space where exprb32 takes over; stages of the slow method",
            "singular perturbation method with mean and covariance of the fast part, order 2")

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The singular perturbation method of Gil, Sanfelice and Nikravesh (DETC2013-13330), for x' = f(t,
 * x, z) slow and z' = g(t, x, z) fast. About the accepted point g is linear, z = H(x) + y with g(x,
 * H(x)) = 0, and y' = A y + u follows the manifold H (definitions in exponential.h). One step:
 *
 *   1. int y = h phi_1(h g_z) sigma + h^2 phi_2(h g_z) gamma,  gamma = g_z^-1 (g_x f + g_t) (43)
 *   2. x^ by the explicit method `slow` on x' = f(x, H(x));  x_new = x^ + f_z int y (45)
 *   3. z_new = H(x_new) + y(h) (46) y=corrected:  y(h) = e^(hA) sigma + h phi_1(hA) u_0 + h
 * phi_2(hA) (u_1 - u_0) with u_0, u_1 = g_z^-1 (g_x f(x, H(x)) + g_t) at both ends (39)-(41)
 *      y=linear:     y(h) = e^(h g_z) sigma + h phi_1(h g_z) gamma, (32), which is what (57)
 * describes
 *
 * Order 1, and stable where `slow` is stable for the slow motion, (1 - beta^2) lambda_s on the test
 * equation (50): the rate of the fast block does not enter. On (50) a step is exactly (55)-(56)
 * with the first term of M12 put right to (beta/alpha)(e^(alpha xi) - 1); on the imaginary axis it
 * is weakly unstable, by up to 3e-4 a step.
 *
 * Where it fails: f that is not linear in z while the fast part is excited (the error does not go
 * to zero with h: spm2 and spmc do better), h omega near multiples of 2 pi, and a singular g_z,
 * where exprb32 takes over.
 *
 * Where we depart from the paper: in (47) B and C are interchanged, and G1 of (36) is the integral
 * of e^(g_z s); t is one more slow variable, so that g_t enters H and u; errors are estimated
 * (spm_estimate.c).
 */
#include "kit/explicit_rk.h"
#include "kit/spm_kit.h"
#include <geartrain/methods.h>
#include <string.h>

static const char *const y_choices[] = {
    [GT_Y_CORRECTED] = "corrected", [GT_Y_LINEAR] = "linear", NULL};
static const gt_param options[] = {
    GT_SPM_OPTIONS,
    {.name = "y",
     .help = "the fast part at the end of the step: by steps (39)-(46), or by (32) as (57) has it",
     .type = GT_CHOICE,
     .choices = y_choices,
     .field = GT_OPTION_FIELD(gt_spm_options, y)},
    {0},
};

static gt_facts facts(const gt_method *self, const double *v)
{
    (void)self, (void)v;
    return (gt_facts){.kind = GT_KIND_EXPONENTIAL,
                      .order = 1,
                      .error_order = 1,
                      .functions = 3,
                      .flags = GT_NEEDS_PARTITION | GT_USES_JACOBIAN | GT_AVERAGES,
                      .order_problem = "linear2"};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    gt_spm_layout(s->state, s, gt_explicit_rk_methods, true, arena);
    return GT_OK;
}

/* f(x, H(x)) */
static gt_status on_manifold(gt_stepper *s, double c, double h, const double *X, double *k,
                             void *data)
{
    gt_spm *w = data;
    double *Z = w->block.point + w->block.n_slow;
    gt_fast_block_manifold(&w->block, s, c * h, X, Z);
    return gt_spm_slope(w, s, c, h, X, Z, k);
}

static gt_status fast_end(gt_spm *w, gt_stepper *s, double h, const double *x_new,
                          const double *gamma)
{
    gt_fast_block *f = &w->block;
    if (w->options.y == GT_Y_LINEAR) {
        const double *const b[] = {f->sigma, gamma};
        memcpy(w->u1, f->u0,
               f->m * sizeof *w->u1); /* for the estimate, which then has no more to say about it */
        return gt_phi_sum_evaluate(&f->of_gz, h, 1, b, w->y_end);
    }
    double *u0 = w->b[1], *change = w->b[2];
    gt_status status = on_manifold(s, 1, h, x_new, w->rk.end, w);
    gt_fast_block_drive(f, w->rk.k[0], u0);
    gt_fast_block_drive(f, w->rk.end, w->u1);
    for (size_t i = 0; i < f->m; i++) change[i] = (w->u1[i] - u0[i]) / h;
    const double *const b[] = {f->sigma, u0, change};
    return status ? status : gt_phi_sum_evaluate(&f->of_A, h, 2, b, w->y_end);
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    gt_spm *w = s->state;
    gt_fast_block *f = &w->block;
    bool done;
    gt_status status = gt_spm_begin(w, s, h, x, x_new, err, &done);
    if (status || done) return status;
    double *gamma = w->b[0];
    gt_fast_block_drive(f, s->f, gamma);
    const double *const b[] = {NULL, f->sigma, gamma};
    status = gt_phi_sum_evaluate(&f->of_gz, h, 2, b, w->mean);
    if (!status)
        status = gt_slow_rk_step(&w->rk, s, h, x, x_new, err ? w->x_error : NULL, on_manifold, w);
    if (status) return status;
    gt_fast_block_fz(f, w->mean, f->slow2);
    for (size_t i = 0; i < f->n_slow; i++) x_new[i] += f->slow2[i];
    for (size_t i = 0; i < f->m; i++) w->mean[i] /= h;
    status = fast_end(w, s, h, x_new, gamma);
    gt_fast_block_manifold(f, s, h, x_new, x_new + f->n_slow);
    for (size_t i = 0; i < f->m; i++) x_new[f->n_slow + i] += w->y_end[i];
    return status || !err ? status : gt_spm_estimate(w, s, GT_SPM_LINEAR, h, x_new, err);
}

const gt_method gt_method_spm = {
    .name = "spm",
    .family = "singular perturbation",
    .title = "singular perturbation method, order 1, fast part by exponentials",
    .reference = "Gil, Sanfelice, Nikravesh, DETC2013-13330",
    .memory = GT_SPM_MEMORY,
    .options = options,
    .facts = facts,
    .state_size = sizeof(gt_spm),
    .layout = layout,
    .prepare = gt_spm_prepare,
    .step = step,
    .accept = gt_spm_accept,
    .restart = gt_spm_restart,
    .release = gt_spm_free,
    .interpolate = gt_spm_interpolate};

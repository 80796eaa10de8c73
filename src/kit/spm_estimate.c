/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Error estimates for the singular perturbation methods, of which gil has none. With R = f_x + f_z
 * H_x, the slow Jacobian on the manifold, and y(t) = z - H known over the step, x' = f(x, H(x)) +
 * f_z y + (1/2) f_zz y^2 + .. gives term by term what each method leaves out of x (better less
 * computed):
 *
 *   (a) the slow method's own error, from its comparison solution;
 *   (b) that y acts early or late in the step: the exact integral is e^(R(h-s)) f_z y(s), while spm
 * adds f_z int y at the end and spm2, spmc spread it evenly, spm         R f_z int_0^h (h - s) y ds
 * = R f_z ( h^2 phi_2 sigma + h^3 phi_3 u0 ) spm2, spmc  -R f_z M1,  M1 = int_0^h (s - h/2) y ds =
 * h^2 (phi_1/2 - phi_2) sigma + h^3 (phi_2/2 - phi_3) u0 with phi_k of hA; the first is the whole
 * local error on a linear problem, gil (61), as h -> 0; and that u changes while y moves, f_z h^2
 * phi_3 (u1 - u0); (c) that f is not linear in z: h times the mean of f over the values that y
 * takes, from its mean and covariance, less what the method has used, f + f_z mean (spm) or f at
 * the mean (spm2); spmc uses that mean itself; (d) that g is not linear: d = 2 h phi_3(hA)
 * [g(x_new, z_new) - its linear part] in z, as in exprb32, and (h/3) f_z d in x, since d grows like
 * s^2; spmc has it in its solution, and here as the error of what it is compared with; (e) that q =
 * x' - f_z y is not linear in time between its ends when y is not: its mean by (c) less the mean of
 * the ends, and f_x f_z M1/h, drive y by v = g_z^-1 g_x (that). A fast part that decays feels h
 * phi_1(hA) v; one that does not may be in step with it, so |h v| and |h e^(hA) v| count half each,
 * the first as far as y has lasted.
 *
 * In z the error is d + H_x (error in x) + (e). (a) is of the slow method's order, (b) of order h^2
 * for spm and h^3 for the others, (d) and (e) of order h^3; (c) goes to zero with h only for spm2,
 * like h^3: where spm is not consistent the estimate says so, by not getting smaller than O(h).
 */
#include "base/finite.h"
#include "kit/spm_kit.h"
#include <assert.h>
#include <math.h>
#include <string.h>

gt_status gt_spm_spread(gt_spm *w, double h)
{
    assert(w);
    assert(h != 0);
    const gt_fast_block *f = &w->block;
    if (f->dense) {
        gt_status status = gt_moments_evaluate(&w->moments, f->A, f->u0, f->sigma, h);
        w->rank = status ? 0 : gt_moments_factor(&w->moments, w->columns);
        return status;
    }
    /* About the mean a decay has the variance sigma mean / 2, an oscillation that does not decay
     * sigma^2 / 2, and a straight line (sigma - mean)^2 / 3. */
    double start = gt_largest(f->sigma, f->m);
    double kept = fmax(gt_largest(w->mean, f->m), gt_largest(w->y_end, f->m));
    w->rank = start > 0;
    for (size_t i = 0; i < f->m && w->rank; i++)
        w->columns[i] = (f->sigma[i] - w->mean[i]) * sqrt(fmin(1, kept / start) / 2);
    return GT_OK;
}

gt_status gt_spm_average(gt_spm *w, gt_stepper *s, double c, double h, const double *X, double *Z,
                         double *k)
{
    assert(w && s && X && Z && k);
    size_t n = w->block.n_slow, m = w->block.m;
    double *one = w->block.slow2, *moved = w->block.point + n, reach = sqrt((double)w->rank);
    if (w->rank == 0) return gt_spm_slope(w, s, c, h, X, Z, k);
    memset(k, 0, n * sizeof *k);
    for (size_t r = 0; r < w->rank; r++)
        for (int sign = -1; sign <= 1; sign += 2) {
            for (size_t i = 0; i < m; i++) moved[i] = Z[i] + sign * reach * w->columns[r * m + i];
            gt_status status = gt_spm_slope(w, s, c, h, X, moved, one);
            if (status) return status;
            for (size_t i = 0; i < n; i++) k[i] += one[i] / (2 * (double)w->rank);
        }
    return GT_OK;
}

gt_status gt_spm_bend(gt_spm *w, gt_stepper *s, double h, const double *x_new, double *out)
{
    assert(w && s && x_new && out);
    assert(h != 0);
    gt_fast_block *f = &w->block;
    size_t n = f->n_slow, m = f->m;
    double *D = w->b[3], *moved = f->point;
    gt_status status = gt_rhs_fast(s, s->t + h, x_new, D);
    if (status) return status;
    for (size_t i = 0; i < s->n; i++) moved[i] = x_new[i] - s->x[i];
    gt_block_multiply(&f->J, (gt_range){n, n + m}, (gt_range){0, n + m}, moved, out);
    for (size_t i = 0; i < m; i++)
        D[i] = 2 / (h * h) * (D[i] - s->f[n + i] - out[i] - h * f->f_t[n + i]);
    const double *const b[] = {NULL, NULL, NULL, D};
    return gt_phi_sum_evaluate(&f->of_A, h, 3, b, out);
}

/* f_z M1 */
static gt_status first_moment(gt_spm *w, double h, double *out)
{
    gt_fast_block *f = &w->block;
    for (size_t i = 0; i < f->m; i++) {
        w->b[0][i] = h / 2 * f->sigma[i];
        w->b[1][i] = h / 2 * f->u0[i] - f->sigma[i];
        w->b[2][i] = -f->u0[i];
    }
    const double *const b[] = {NULL, w->b[0], w->b[1], w->b[2]};
    gt_status status = gt_phi_sum_evaluate(&f->of_A, h, 3, b, w->b[3]);
    gt_fast_block_fz(f, w->b[3], out);
    return status;
}

/* (b) into w->x_error; `moment` is f_z M1 */
static gt_status add_timing(gt_spm *w, gt_spm_kind kind, double h, const double *moment)
{
    gt_fast_block *f = &w->block;
    double *late = w->b[0], *feels = f->slow2;
    for (size_t i = 0; i < f->m; i++) late[i] = (w->u1[i] - f->u0[i]) / h;
    const double *const change[] = {NULL, NULL, NULL, late}, *const action[] = {NULL, NULL,
                                                                                f->sigma, f->u0};
    gt_status status = gt_phi_sum_evaluate(&f->of_A, h, 3, change, w->b[1]);
    gt_fast_block_fz(f, w->b[1], feels);
    for (size_t i = 0; i < f->n_slow; i++) w->x_error[i] += feels[i];
    if (!status && kind == GT_SPM_LINEAR)
        status = gt_phi_sum_evaluate(&f->of_A, h, 3, action, w->b[1]);
    if (kind == GT_SPM_LINEAR)
        gt_fast_block_fz(f, w->b[1], feels);
    else
        for (size_t i = 0; i < f->n_slow; i++) feels[i] = -moment[i];
    gt_fast_block_reduced(f, feels, w->rk.X);
    for (size_t i = 0; i < f->n_slow; i++) w->x_error[i] += w->rk.X[i];
    return status;
}

/* The mean of f over the step at x_n, which spmc has as its first stage, into `mean_f`; (c) into
 * w->x_error. */
static gt_status add_spread(gt_spm *w, gt_stepper *s, gt_spm_kind kind, double h, double *mean_f)
{
    gt_fast_block *f = &w->block;
    const double *z = s->x + f->n_slow;
    double *Z = w->b[0], *used = f->slow2;
    if (kind == GT_SPM_SPREAD) {
        memcpy(mean_f, w->rk.k[0], f->n_slow * sizeof *mean_f);
        return GT_OK;
    }
    gt_status status = gt_spm_spread(w, h);
    if (status) return status;
    for (size_t i = 0; i < f->m; i++) Z[i] = z[i] - f->sigma[i] + w->mean[i];
    status = gt_spm_average(w, s, 0, h, s->x, Z, mean_f);
    memset(used, 0, f->n_slow * sizeof *used);
    if (kind == GT_SPM_LINEAR) gt_fast_block_fz(f, w->mean, used);
    for (size_t i = 0; i < f->n_slow; i++)
        w->x_error[i] += h * (mean_f[i] - w->rk.k[0][i] - used[i]);
    return status;
}

/* (e): what drives y beyond the line between the ends, from the mean of f and f_z M1, into w->b[0].
 */
static gt_status find_drive(gt_spm *w, gt_stepper *s, double h, const double *mean_f,
                            const double *moment)
{
    gt_fast_block *f = &w->block;
    size_t n = f->n_slow, m = f->m;
    const double *z = s->x + n;
    double *q = w->rk.X, *part = f->slow2;
    for (size_t i = 0; i < m; i++) w->b[0][i] = z[i] - f->sigma[i] + w->y_end[i];
    gt_status status = gt_spm_slope(w, s, 0, h, s->x, w->b[0], q);
    for (size_t i = 0; i < m; i++) w->b[0][i] = w->mean[i] - w->y_end[i] / 2;
    gt_fast_block_fz(f, w->b[0], part);
    for (size_t i = 0; i < n; i++) q[i] = mean_f[i] - part[i] - (f->q0[i] + q[i]) / 2;
    gt_block_multiply(&f->J, (gt_range){0, n}, (gt_range){0, n}, moment, part);
    for (size_t i = 0; i < n; i++) q[i] += part[i] / h;
    gt_fast_block_slope(f, q, w->b[0]);
    return status;
}

/* (e) onto w->z_error, whatever its sign. */
static gt_status add_drive(gt_spm *w, double h)
{
    gt_fast_block *f = &w->block;
    double *v = w->b[0], start = gt_largest(f->sigma, f->m), end = gt_largest(w->y_end, f->m);
    double lasts = start > 0 ? fmin(1, end / start) : 0;
    const double *const turned[] = {v}, *const pushed[] = {NULL, v};
    gt_status status = gt_phi_sum_evaluate(&f->of_A, h, 0, turned, w->b[1]);
    if (!status) status = gt_phi_sum_evaluate(&f->of_A, h, 1, pushed, w->b[2]);
    for (size_t i = 0; i < f->m; i++) {
        double size = fabs(w->b[2][i]) + fabs(h) / 2 * (lasts * fabs(v[i]) + fabs(w->b[1][i]));
        w->z_error[i] += copysign(size, w->z_error[i]);
    }
    return status;
}

gt_status gt_spm_estimate(gt_spm *w, gt_stepper *s, gt_spm_kind kind, double h, const double *x_new,
                          double *err)
{
    assert(w && s && x_new && err);
    assert(h != 0);
    gt_fast_block *f = &w->block;
    size_t n = f->n_slow, m = f->m;
    double *mean_f = w->rk.end, *moment = w->moment;
    for (size_t i = 0; i < n; i++) w->x_error[i] = -w->x_error[i];
    gt_status status = gt_spm_bend(w, s, h, x_new, w->z_error);
    if (!status) status = first_moment(w, h, moment);
    if (!status) status = add_timing(w, kind, h, moment);
    if (!status) status = add_spread(w, s, kind, h, mean_f);
    if (status) return status;
    gt_fast_block_fz(f, w->z_error, f->slow2);
    for (size_t i = 0; i < n; i++) w->x_error[i] += h / 3 * f->slow2[i];
    gt_fast_block_slope(f, w->x_error, f->fast);
    for (size_t i = 0; i < m; i++) w->z_error[i] -= f->fast[i];
    status = find_drive(w, s, h, mean_f, moment);
    if (!status) status = add_drive(w, h);
    for (size_t i = 0; i < n; i++) err[i] = -w->x_error[i];
    for (size_t i = 0; i < m; i++) err[n + i] = -w->z_error[i];
    return status;
}

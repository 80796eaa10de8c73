/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simplified Newton for stages that all depend on each other. With A = U S U^H, S upper triangular,
 * and W = U^H Z each iteration solves, from the last row to the first,
 *
 *     (M - h s_ii J) dW_i = (U^H (h A F - M Z))_i + h J sum_(j>i) s_ij dW_j
 *
 * where algebraic rows have J dW_i = -(U^H g)_i. Equal and conjugate s_ii share factors.
 *
 * A trial first uses the Jacobian of the step before, if that converged fast; then the one at the
 * accepted point; and at fixed step, where no smaller step can help, one at every iterate.
 */
#include "kit/stages.h"
#include "linalg/backend.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { CONTROLLED_ITERATIONS = 10, FIXED_ITERATIONS = 25, FULL_ITERATIONS = 50 };
static const double slow_rate = 0.1, slow_rate_fixed = 0.05; /* above them J is evaluated again */
static const double unknown_left = 5; /* of a first correction, as long as no other is known */
static const double floor_differential = 1e-6, floor_algebraic = 1e-3; /* of the largest */
static const double diverges = 0.99, grows = 1.5, noise = 0.9, round_off_size = 100;

void gt_stages_layout(gt_stages *w, const gt_stage_numbers *p, const gt_problem *problem,
                      gt_arena *arena)
{
    assert(w && p && problem && arena);
    size_t n = gt_problem_size(problem);
    w->p = p;
    gt_jacobian_layout(&w->jac, problem, arena);
    for (int i = 0; i < 2; i++) gt_matrix_layout(&w->J[i], n, w->jac.of_J, false, arena);
    const gt_linear_options direct = {.way = GT_LINEAR_DIRECT};
    gt_shifted_layout(&w->shifted, problem, p->shift, p->shifts, &direct, arena);
    for (int i = 0; i < p->stages; i++) {
        w->Z[i] = gt_arena_doubles(arena, n);
        w->F[i] = gt_arena_doubles(arena, n);
        w->K[i] = gt_arena_doubles(arena, n);
        w->K_past[i] = gt_arena_doubles(arena, n);
    }
    w->dW = gt_arena_doubles(arena, 2 * n * (size_t)p->stages);
    w->sum = gt_arena_doubles(arena, 2 * n);
    w->product = gt_arena_doubles(arena, 2 * n);
}

gt_status gt_stages_prepare(gt_stages *w, gt_stepper *s)
{
    const gt_problem *p = s->problem;
    w->lu_of = -1;
    gt_jacobian_prepare(&w->jac, p);
    if (w->shifted.sum.of_W.storage != GT_CSC) return GT_OK;
    if (gt_jacobian_evaluate(&w->jac, s, p->t0, p->x0, &w->J[0]))
        return gt_fail(&s->message, GT_RHS_FAILED,
                       "the Jacobian cannot be evaluated at the start, t = %g", p->t0);
    double typical = isfinite(p->t1) ? (p->t1 - p->t0) / 1000 : 1;
    return gt_lu_ready(gt_shifted_prepare(&w->shifted, &w->J[0], typical), &s->message);
}

static gt_status evaluate(gt_stages *w, gt_stepper *s, int which, double t, const double *x)
{
    if (w->lu_of == which) w->lu_of = -1;
    return gt_jacobian_evaluate(&w->jac, s, t, x, &w->J[which]);
}

static gt_status factor(gt_stages *w, gt_stepper *s, int which, double h)
{
    if (w->lu_of == which && w->lu_h == h) return GT_OK;
    int systems = w->p->shifts;
    s->stats.factorizations += systems;
    for (int i = 0; i < systems; i++) s->stats.repivots -= w->shifted.lu[i].repivots;
    gt_status status = gt_shifted_factor(&w->shifted, s, which, &w->J[which], h);
    for (int i = 0; i < systems; i++) s->stats.repivots += w->shifted.lu[i].repivots;
    if (status) { /* a zero pivot, or numbers that are not finite? */
        double finite = 0;
        for (size_t i = 0; i < gt_matrix_entries(&w->J[which]); i++)
            finite += w->J[which].values[i] - w->J[which].values[i];
        if (finite != 0) status = GT_TRY_NOT_FINITE;
    }
    w->lu_of = status ? -1 : which;
    w->lu_h = h;
    return status;
}

/* ---- the guess ---- */

/* The slopes of the last step, continued as a polynomial through its nodes; `plain`: none. */
static void guess(gt_stages *w, const gt_stepper *s, double h, bool plain)
{
    const gt_stage_numbers *p = w->p;
    int count = p->stages;
    double ahead[GT_MAX_STAGES][GT_MAX_STAGES], all[GT_MAX_STAGES][GT_MAX_STAGES] = {{0}};
    for (int i = 0; i < count; i++) memset(w->Z[i], 0, s->n * sizeof *w->Z[i]);
    if (plain || !w->past_known || !p->distinct) return;
    double rho = h / w->past_h;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            ahead[i][j] = rho;
            for (int k = 0; k < count; k++)
                if (k != j) ahead[i][j] *= (1 + p->c[i] * rho - p->c[k]) / (p->c[j] - p->c[k]);
        }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            for (int k = 0; k < count; k++) all[i][j] += p->A[i][k] * ahead[k][j];
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            for (size_t m = 0; m < s->n; m++) w->Z[i][m] += all[i][j] * w->K_past[j][m];
}

/* ---- one iteration ---- */

static gt_status slopes(gt_stages *w, gt_stepper *s, double h, const double *x, double *x_stage)
{
    for (int i = 0; i < w->p->stages; i++) {
        for (size_t m = 0; m < s->n; m++) x_stage[m] = x[m] + w->Z[i][m];
        gt_status status = gt_rhs(s, s->t + w->p->c[i] * h, x_stage, w->F[i]);
        if (status) return status;
    }
    return GT_OK;
}

/* dW := U^H (h A F - M Z), of algebraic rows U^H g. */
static void residuals(gt_stages *w, gt_stepper *s, double h)
{
    const gt_stage_numbers *p = w->p;
    int count = p->stages;
    size_t n = s->n, n_diff = n - s->problem->n_alg;
    double *const *mass_times = w->Z;
    if (s->problem->mass) {
        mass_times = w->K; /* not needed before the end */
        for (int i = 0; i < count; i++) gt_matrix_multiply(s->problem->mass, w->Z[i], 0, w->K[i]);
    }
    for (size_t m = 0; m < n; m++) {
        double r[GT_MAX_STAGES];
        for (int i = 0; i < count; i++) {
            r[i] = m < n_diff ? -mass_times[i][m] : w->F[i][m];
            for (int j = 0; j < count && m < n_diff; j++) r[i] += h * p->A[i][j] * w->F[j][m];
        }
        for (int i = 0; i < count; i++) {
            double complex sum = 0;
            for (int k = 0; k < count; k++) sum += conj(p->U[k][i]) * r[k];
            double *pair = w->dW + 2 * ((size_t)i * n + m);
            pair[0] = creal(sum);
            pair[1] = cimag(sum);
        }
    }
}

/* y := (M - h r_i J)^-1 y for pairs, whatever r_i is. */
static gt_status solve_pairs(gt_stages *w, gt_stepper *s, int i, double *y)
{
    int which = w->p->shift_of[i];
    size_t n = s->n;
    gt_status status = GT_OK;
    if (which < 0) return status;
    if (gt_shift_is_real(&w->shifted, which)) {
        for (size_t part = 0; part < 2 && !status; part++) {
            for (size_t m = 0; m < n; m++) w->product[m] = y[2 * m + part];
            status = gt_shifted_solve(&w->shifted, s, which, w->product);
            for (size_t m = 0; m < n; m++) y[2 * m + part] = w->product[m];
        }
        return status;
    }
    double sign = w->p->conjugate[i] ? -1 : 1;
    for (size_t m = 0; m < n; m++) y[2 * m + 1] *= sign;
    status = gt_shifted_solve(&w->shifted, s, which, y);
    for (size_t m = 0; m < n; m++) y[2 * m + 1] *= sign;
    return status;
}

/* Stages above the one just solved get h J s_ki dW_i. */
static void pass_up(gt_stages *w, const gt_stepper *s, const gt_matrix *J, double h, int i)
{
    size_t n = s->n, n_diff = n - s->problem->n_alg;
    const double *dW = w->dW + 2 * n * (size_t)i;
    double *x = w->product, *y = w->product + n;
    for (int part = 0; part < 2; part++) {
        for (size_t m = 0; m < n; m++) x[m] = dW[2 * m + (size_t)part];
        gt_matrix_multiply(J, x, 0, y);
        for (size_t m = 0; m < n_diff; m++) w->sum[2 * m + (size_t)part] = h * y[m];
    }
    for (int k = 0; k < i; k++) {
        double re = creal(w->p->S[k][i]), im = cimag(w->p->S[k][i]);
        double *to = w->dW + 2 * n * (size_t)k;
        for (size_t m = 0; m < n_diff; m++) {
            to[2 * m] += re * w->sum[2 * m] - im * w->sum[2 * m + 1];
            to[2 * m + 1] += re * w->sum[2 * m + 1] + im * w->sum[2 * m];
        }
    }
}

static gt_status solve(gt_stages *w, gt_stepper *s, const gt_matrix *J, double h)
{
    size_t n = s->n, n_diff = n - s->problem->n_alg;
    for (int i = w->p->stages - 1; i >= 0; i--) {
        double *dW = w->dW + 2 * n * (size_t)i;
        double complex shift = h * w->p->S[i][i];
        for (size_t m = n_diff; m < n; m++) {
            double complex g = (dW[2 * m] + I * dW[2 * m + 1]) * shift;
            dW[2 * m] = creal(g);
            dW[2 * m + 1] = cimag(g);
        }
        gt_status status = solve_pairs(w, s, i, dW);
        if (status) return status;
        if (i > 0) pass_up(w, s, J, h, i);
    }
    return GT_OK;
}

/* Z += U dW; the size of that in units of what may be left. NaN carries over. */
static double take_over(gt_stages *w, const gt_stepper *s, const double *x)
{
    const gt_stage_numbers *p = w->p;
    int count = p->stages;
    double largest = DBL_MIN, most = 0, sum = 0;
    bool constrained = s->problem->n_alg || s->problem->mass;
    for (size_t m = 0; m < s->n; m++) largest = fmax(largest, fabs(x[m]));
    double floor = (constrained ? floor_algebraic : floor_differential) * largest;
    for (size_t m = 0; m < s->n; m++) {
        double weight = s->rtol > 0 ? gt_weight(s, m, x[m]) : 0;
        for (int i = 0; i < count; i++) {
            double d = 0;
            for (int k = 0; k < count; k++) {
                const double *pair = w->dW + 2 * ((size_t)k * s->n + m);
                d += creal(p->U[i][k]) * pair[0] - cimag(p->U[i][k]) * pair[1];
            }
            w->Z[i][m] += d;
            double scale = fmax(fabs(x[m]), fabs(x[m] + w->Z[i][m])) + floor;
            if (weight > 0) scale = weight;
            sum += d / scale * (d / scale);
            most = fmax(most, fabs(d) / scale);
        }
    }
    double mean = sqrt(sum / (double)(s->n * (size_t)count));
    if (!isfinite(mean)) return mean;
    return s->rtol > 0 ? mean / w->fraction : most / w->tolerance;
}

/* ---- the iteration ---- */

typedef enum verdict { GO_ON, CONVERGED, HOPELESS } verdict;

typedef struct progress {
    int count;
    double before, theta;
} progress;

static verdict judge(progress *m, const gt_stages *w, const gt_stepper *s, double size, bool full)
{
    bool controlled = s->rtol > 0, linear = s->problem->linear;
    double left = unknown_left;
    if (m->count++ > 0) {
        double theta = size / m->before;
        m->theta = fmax(theta, 0.3 * m->theta);
        left = controlled ? m->theta / (1 - m->theta) : 1;
        bool as_small_as_it_gets = linear && size * w->tolerance <= sqrt(DBL_EPSILON);
        if (!controlled && (as_small_as_it_gets || (theta > noise && size < round_off_size)))
            return CONVERGED;
        if (!controlled && !full && !linear && theta > grows && size > 1) return HOPELESS;
        if (controlled && !(m->theta < diverges)) return size <= 1 ? CONVERGED : HOPELESS;
    }
    m->before = fmax(size, DBL_MIN);
    return size * left <= 1 ? CONVERGED : GO_ON;
}

static gt_status iterate(gt_stages *w, gt_stepper *s, double h, const double *x, double *x_stage,
                         int which, bool full)
{
    int limit = s->rtol > 0 ? CONTROLLED_ITERATIONS : full ? FULL_ITERATIONS : FIXED_ITERATIONS;
    int middle = w->p->stages / 2;
    progress m = {0};
    guess(w, s, h, full);
    while (m.count < limit) {
        gt_status status = GT_OK;
        if (full) {
            for (size_t k = 0; k < s->n; k++) x_stage[k] = x[k] + w->Z[middle][k];
            status = evaluate(w, s, which, s->t + w->p->c[middle] * h, x_stage);
        }
        if (!status) status = factor(w, s, which, h);
        if (!status) status = slopes(w, s, h, x, x_stage);
        if (status) return status;
        residuals(w, s, h);
        status = solve(w, s, &w->J[which], h);
        if (status) return status;
        s->stats.newton++;
        double size = take_over(w, s, x);
        if (!isfinite(size)) return GT_TRY_NOT_FINITE;
        verdict v = judge(&m, w, s, size, full);
        w->slow = m.theta > (s->rtol > 0 ? slow_rate : slow_rate_fixed);
        if (v == CONVERGED) return GT_OK;
        if (v == HOPELESS) break;
    }
    return GT_TRY_NEWTON;
}

static gt_status find_stages(gt_stages *w, gt_stepper *s, double h, const double *x,
                             double *x_stage)
{
    int fresh = 1 - w->current;
    w->fresh_used = false;
    if (w->current_known && !w->stale) {
        gt_status status = iterate(w, s, h, x, x_stage, w->current, false);
        if (status <= 0) return status;
    }
    w->fresh_used = true;
    gt_status status = w->fresh_known ? GT_OK : evaluate(w, s, fresh, s->t, s->x);
    w->fresh_known = !status;
    if (!status) status = iterate(w, s, h, x, x_stage, fresh, false);
    if (status == GT_TRY_SINGULAR || status == GT_TRY_NOT_FINITE)
        w->fresh_known = false; /* f may have given a NaN just once */
    if (status <= 0 || s->rtol > 0) return status;
    w->fresh_known = false;
    return iterate(w, s, h, x, x_stage, fresh, true);
}

gt_status gt_stages_solve(gt_stages *w, gt_stepper *s, double h, const double *x, double *x_stage)
{
    assert(w && s && x && x_stage && h != 0);
    const gt_stage_numbers *p = w->p;
    gt_status status = find_stages(w, s, h, x, x_stage);
    if (!status && !p->regular) status = slopes(w, s, h, x, x_stage);
    if (status) return status;
    for (int i = 0; i < p->stages; i++) {
        double *K = w->K[i];
        for (size_t m = 0; m < s->n; m++) K[m] = p->regular ? 0 : h * w->F[i][m];
        for (int j = 0; j < p->stages && p->regular; j++)
            for (size_t m = 0; m < s->n; m++) K[m] += p->inverse[i][j] * w->Z[j][m];
    }
    return GT_OK;
}

gt_status gt_stages_filter(gt_stages *w, gt_stepper *s, double *y)
{
    return gt_shifted_solve(&w->shifted, s, w->p->filter, y);
}

void gt_stages_accept(gt_stages *w, double h)
{
    for (int i = 0; i < w->p->stages; i++) {
        double *K = w->K[i];
        w->K[i] = w->K_past[i];
        w->K_past[i] = K;
    }
    w->past_known = true;
    w->past_h = h;
    if (w->fresh_used) w->current = 1 - w->current;
    w->current_known = true;
    w->fresh_known = w->fresh_used = false;
    w->stale = w->slow;
}

void gt_stages_restart(gt_stages *w)
{
    w->past_known = w->current_known = w->fresh_known = w->stale = false;
}

void gt_stages_free(gt_stages *w) { gt_shifted_free(&w->shifted); }

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Simplified Newton for the stages of Radau IIA, Hairer, Wanner II (1996), IV.8. With Z_i the
 * stages less x and W = T^-1 Z, T^-1 A^-1 T = Lambda diagonal in complex numbers, each iteration
 * solves
 *
 *     (M - h r_i J) dW_i = h r_i (T^-1 F(Z))_i - M W_i,     r_i = 1/lambda_i
 *
 * one real system and (s - 1)/2 complex ones. With theta the rate at which |dW| shrinks, the error
 * left is theta/(1 - theta) |dW|; the iteration ends when that is a fraction of the tolerance, and
 * at once when it cannot be there within the iterations allowed (IV.8.10, 8.11).
 *
 * A trial first uses the Jacobian of the step before, if that converged fast; then the one at the
 * accepted point; and at fixed step, where no smaller step can help, one at every iterate.
 */
#include "base/elementary.h"
#include "kit/radau.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = GT_RADAU_STAGES, FIXED_ITERATIONS = 25, FULL_ITERATIONS = 50 };
static const double diverges = 0.99, halved = 0.5, quartered = 0.25;
/* What iterations for a linear system leave: of what Newton may leave; at fixed step of what there
 * is. */
static const double linear_part = 0.1, linear_relative = 1e-4;
static const double least_trust = 0.01; /* of a single correction never less is taken to be left */
static const double round_off_part = 1e-4; /* of what is allowed: corrections that shrink no more */

int gt_radau_iterations(int formula)
{
    int more = gt_radau_table[formula].stages - 3;
    return 7 + (more > 0 ? more * 5 / 2 : 0);
}

/* ---- factors ---- */

static void make_transform(gt_radau_state *w, double h)
{
    const gt_radau_numbers *p = gt_radau_numbers_of(w);
    if (w->transform_formula == w->formula && w->transform_h == h) return;
    for (int j = 0; j < p->stages; j++) {
        w->transform[0][j] = h * p->r_re[0] * p->T_inverse[0][j];
        for (int m = 1; m < p->stages; m += 2) {
            double re = h * p->r_re[(m + 1) / 2], im = h * p->r_im[(m + 1) / 2];
            w->transform[m][j] = re * p->T_inverse[m][j] - im * p->T_inverse[m + 1][j];
            w->transform[m + 1][j] = re * p->T_inverse[m + 1][j] + im * p->T_inverse[m][j];
        }
    }
    w->transform_formula = w->formula;
    w->transform_h = h;
}

static gt_status factor(gt_stepper *s, int which, double h)
{
    gt_radau_state *w = s->state;
    const gt_radau_numbers *p = gt_radau_numbers_of(w);
    if (w->lu_of == which && w->lu_h == h && w->lu_formula == w->formula) return GT_OK;
    int systems = (p->stages + 1) / 2;
    double complex r[GT_RADAU_SYSTEMS];
    for (int i = 0; i < systems; i++) r[i] = p->r_re[i] + p->r_im[i] * I;
    gt_shifted_use(&w->shifted, r, systems);
    s->stats.factorizations += systems;
    for (int i = 0; i < systems; i++) s->stats.repivots -= w->shifted.lu[i].repivots;
    gt_status status = gt_shifted_factor(&w->shifted, s, which, &w->J[which], h);
    for (int i = 0; i < systems; i++) s->stats.repivots += w->shifted.lu[i].repivots;
    if (status) { /* a zero pivot, or numbers that are not finite? */
        const gt_matrix *J = &w->J[which];
        double finite = 0;
        for (size_t i = 0; i < gt_matrix_entries(J); i++) finite += J->values[i] - J->values[i];
        if (finite != 0) status = GT_TRY_NOT_FINITE;
    }
    w->lu_of = status ? -1 : which;
    w->lu_h = h;
    w->lu_formula = w->formula;
    return status;
}

static gt_status evaluate(gt_stepper *s, int which, double t, const double *x)
{
    gt_radau_state *w = s->state;
    if (w->lu_of == which) w->lu_of = -1;
    if (w->shifted.matrix) return gt_jacobian_evaluate(&w->jac, s, t, x, &w->J[which]);
    gt_iterated_place(w->shifted.iterated, s, which, t, x);
    return GT_OK;
}

/* ---- one iteration ---- */

/* R = h Lambda^-1 T^-1 F, less W where M is the identity. */
GT_RADAU_INLINED void residuals(gt_radau_state *w, size_t n, size_t n_identity, int stages)
{
    double(*const a)[MOST] = w->transform;
    for (size_t k = 0; k < n; k++) {
        double f[MOST] = {0}, r[MOST] = {0};
        for (int j = 0; j < stages; j++) f[j] = w->F[j][k];
        for (int m = 0; m < stages; m++) {
            r[m] = k < n_identity ? -w->W[m][k] : 0;
            for (int j = 0; j < stages; j++) r[m] += a[m][j] * f[j];
        }
        w->R[k] = r[0];
        for (int m = 1; m < stages; m += 2) {
            double *pair = w->R + (size_t)m * n + 2 * k;
            pair[0] = r[m];
            pair[1] = r[m + 1];
        }
    }
}

/* W += dW, Z = T W; gives the sum of squares of dW in tolerances. */
GT_RADAU_INLINED double take_over(gt_radau_state *w, size_t n, int stages)
{
    const gt_radau_numbers *p = gt_radau_numbers_of(w);
    const double(*const a)[MOST] = p->T;
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        double v[MOST] = {0}, square;
        v[0] = w->R[k];
        for (int m = 1; m < stages; m += 2) {
            const double *pair = w->R + (size_t)m * n + 2 * k;
            v[m] = pair[0];
            v[m + 1] = pair[1];
        }
        square = v[0] * v[0];
        for (int m = 1; m < stages; m++) square += v[m] * v[m];
        sum += square * (w->weight[k] * w->weight[k]);
        for (int m = 0; m < stages; m++) v[m] = w->W[m][k] += v[m];
        for (int i = 0; i < stages - 1; i++) {
            double z = a[i][0] * v[0];
            for (int m = 1; m < stages; m++) z += a[i][m] * v[m];
            w->Z[i][k] = z;
        }
        double last = v[0]; /* the last row of T is 1, 1, 0, 1, 0, .. */
        for (int m = 1; m < stages; m += 2) last += v[m];
        w->Z[stages - 1][k] = last;
    }
    return sum;
}

static gt_status slopes(gt_stepper *s, double h, const double *x, double *x_stage)
{
    gt_radau_state *w = s->state;
    const gt_radau_numbers *p = gt_radau_numbers_of(w);
    for (int i = 0; i < p->stages; i++) {
        const double *Z = w->Z[i];
        for (size_t k = 0; k < s->n; k++) x_stage[k] = x[k] + Z[k];
        double t = i == p->stages - 1 ? s->t + h : s->t + p->c[i] * h;
        gt_status status = gt_rhs(s, t, x_stage, w->F[i]);
        if (status) return status;
    }
    return GT_OK;
}

static void subtract_mass(gt_stepper *s, int m)
{
    gt_radau_state *w = s->state;
    size_t n_diff = s->problem->n_slow + s->problem->n_fast;
    gt_matrix_multiply(s->problem->mass, w->W[m], 0, w->product);
    size_t first = m == 0 ? 0 : (size_t)(2 * ((m + 1) / 2) - 1) * s->n + (m % 2 ? 0 : 1);
    for (size_t k = 0; k < n_diff; k++) w->R[first + (m == 0 ? k : 2 * k)] -= w->product[k];
}

/* A correction of W and Z; its size, root mean square in tolerances. */
static gt_status correct(gt_stepper *s, double h, const double *x, double *x_stage, double *size)
{
    gt_radau_state *w = s->state;
    size_t n = s->n, n_diff = s->problem->n_slow + s->problem->n_fast;
    int stages = gt_radau_numbers_of(w)->stages;
    gt_status status = slopes(s, h, x, x_stage);
    if (status) return status;
    size_t n_identity = s->problem->mass ? 0 : n_diff;
#define CALL(m) residuals(w, n, n_identity, m)
    GT_RADAU_FOR_STAGES(stages, CALL)
#undef CALL
    for (int m = 0; m < stages && s->problem->mass; m++) subtract_mass(s, m);
    w->shifted.absolute = linear_part * w->allowed * w->stretch;
    w->shifted.relative = s->rtol > 0 ? DBL_EPSILON : linear_relative;
    for (int i = 0; i < (stages + 1) / 2 && !status; i++)
        status = gt_shifted_solve(&w->shifted, s, i, w->R + (i ? (size_t)(2 * i - 1) * n : 0));
    if (status) return status;
    double sum = 0;
#define CALL(m) sum = take_over(w, n, m)
    GT_RADAU_FOR_STAGES(stages, CALL)
#undef CALL
    s->stats.newton++;
    *size = sqrt(sum / (double)(n * (size_t)stages));
    return GT_OK;
}

/* ---- the iteration ---- */

typedef enum verdict { GO_ON, CONVERGED, HOPELESS } verdict;

/* By the index. What a differentiated constraint determines, forces and accelerations, is as noisy
 * as its index was high: it counts by what it does in a step, and what is next to 0 is not asked to
 * be relatively exact beside large ones. */
static void weigh_constrained(gt_stepper *s, double h, const double *x)
{
    gt_radau_state *w = s->state;
    size_t n_diff = s->n - s->problem->n_alg;
    double most = 0;
    for (size_t k = n_diff; k < s->n; k++) most = fmax(most, fabs(x[k]));
    for (size_t k = n_diff; k < s->n; k++)
        w->weight[k] =
            fmin(h, 1) / (w->stretch * gt_weight(s, k, fmax(fabs(x[k]), GT_RADAU_BESIDE * most)));
    for (size_t k = 0; k < s->n; k++) w->weight[k] *= gt_radau_index_weight(s->problem, k, h);
}

/* A state that is 0, with a relative tolerance alone, has the size that the step gives it. */
static double size_for_weight(const gt_stepper *s, double h, const double *x, size_t k)
{
    if (x[k] != 0 || !(s->atol <= DBL_MIN) || s->atol_vector) return x[k];
    double moves = s->f_known ? fabs(h * s->f[k]) : 0;
    if (moves > 0) return moves;
    for (size_t i = 0; i < s->n; i++) moves = fmax(moves, fabs(x[i]));
    return moves > 0 ? moves : 1;
}

static void set_weights(gt_stepper *s, double h, const double *x)
{
    gt_radau_state *w = s->state;
    for (size_t k = 0; k < s->n; k++)
        w->weight[k] = 1 / (w->stretch * gt_weight(s, k, size_for_weight(s, h, x, k)));
    if (s->problem->index) weigh_constrained(s, h, x);
}

/* A trial is given up where the iteration diverges, or `over` times what is allowed would be left
 * after all the iterations: of h, what may converge (IV.8.8). */
static double part_to_try(double over, int iterations_left)
{
    const double least = 1e-4, most = 20;
    double bounded = fmax(least, fmin(most, over));
    return 0.8 * gt_power(bounded, -1.0 / (4 + iterations_left));
}

/* `noise`: corrections that no longer shrink may be as large. */
static verdict judge_controlled(gt_radau_rate *rate, double size, double *before, double *theta_one,
                                double allowed, double noise, int limit)
{
    int count = ++rate->iterations;
    if (count == 1) rate->first = size;
    if (count > 1) {
        double now = size / *before;
        rate->theta = count == 2 ? now : sqrt(now * *theta_one);
        *theta_one = now;
        rate->part = halved;
        if (!(rate->theta < diverges)) return size <= noise ? CONVERGED : HOPELESS;
        rate->left = rate->theta / (1 - rate->theta);
        double at_the_end = rate->left * size;
        for (int left = limit - 1 - count; left > 0; left--) at_the_end *= rate->theta;
        if (count < limit && at_the_end >= allowed) {
            rate->part = part_to_try(at_the_end / allowed, limit - 1 - count);
            return size <= noise ? CONVERGED : HOPELESS;
        }
    }
    *before = fmax(size, DBL_EPSILON);
    return rate->left * size <= allowed ? CONVERGED : count >= limit ? HOPELESS : GO_ON;
}

/* At fixed step: the largest correction of a component relative to it, with a floor so that one
 * near zero need not be relatively exact; NaN carries over. */
static double relative_size(const gt_stepper *s, const double *x)
{
    const gt_radau_state *w = s->state;
    int stages = gt_radau_numbers_of(w)->stages;
    size_t n = s->n;
    const double *end = w->Z[stages - 1];
    double floor = DBL_MIN, most = 0, sum = 0;
    double part = s->problem->n_alg || s->problem->mass ? 1e-3 : 1e-6;
    for (size_t k = 0; k < n; k++) floor = fmax(floor, part * (fabs(x[k]) + fabs(end[k])));
    for (size_t k = 0; k < n; k++) {
        double scale = fmax(fabs(x[k]), fabs(x[k] + end[k])) + floor, d = fabs(w->R[k]);
        for (int m = 1; m < stages; m += 2) {
            const double *pair = w->R + (size_t)m * n + 2 * k;
            d = fmax(d, fmax(fabs(pair[0]), fabs(pair[1])));
            sum += pair[0] - pair[0] + (pair[1] - pair[1]);
        }
        sum += w->R[k] - w->R[k];
        most = fmax(most, d / scale);
    }
    return most + sum;
}

/* What is left counts, and round-off, at which corrections no longer shrink, is what limits it. */
static verdict judge_fixed(gt_radau_rate *rate, const gt_stepper *s, double moved, double *before,
                           bool every_jacobian)
{
    const gt_radau_state *w = s->state;
    double size = moved / w->options.newton_tol, unknown = 5;
    int count = ++rate->iterations;
    if (count > 1) {
        double theta = size / *before;
        rate->theta = fmax(theta, 0.3 * rate->theta);
        bool linear = s->problem->linear && moved <= sqrt(DBL_EPSILON);
        if (linear || (theta > 0.9 && size < 100)) return CONVERGED;
        if (!every_jacobian && theta > 1.5 && size > 1 && !s->problem->linear) return HOPELESS;
    }
    *before = fmax(size, DBL_MIN);
    return size * (count > 1 ? 1 : unknown) <= 1 ? CONVERGED : GO_ON;
}

/* Of what is left after a first correction the step before says something; but J, h and x were
 * others. With slopes that are far too steep, as beside 0 those of a root, corrections are small
 * whatever is left: a new J has to show how they shrink. */
static double first_trust(const gt_stepper *s)
{
    const gt_radau_state *w = s->state;
    if (w->fresh_used && !s->problem->linear) return INFINITY;
    double least = s->problem->linear && !s->problem->n_alg ? DBL_EPSILON : least_trust;
    double root = sqrt(w->rate_past.left); /* left^(3/4): it is trusted less with every step */
    return fmax(root * sqrt(root), least);
}

static gt_status iterate(gt_stepper *s, double h, const double *x, double *x_new, int which,
                         bool full)
{
    gt_radau_state *w = s->state;
    bool controlled = s->rtol > 0;
    int limit = controlled ? gt_radau_iterations(w->formula)
                : full     ? FULL_ITERATIONS
                           : FIXED_ITERATIONS;
    double before = 0, theta_one = 0, allowed = w->allowed;
    double noise = s->problem->index ? w->options.newton_fraction : round_off_part * allowed;
    w->rate = (gt_radau_rate){.left = first_trust(s), .part = quartered};
    gt_radau_guess(s, h);
    while (w->rate.iterations < limit) {
        gt_status status = GT_OK;
        if (full) {
            for (size_t k = 0; k < s->n; k++)
                x_new[k] = x[k] + w->Z[gt_radau_numbers_of(w)->stages - 1][k];
            status = evaluate(s, which, s->t + h, x_new);
        }
        double size = 0;
        if (!status) status = factor(s, which, h);
        if (!status) status = correct(s, h, x, x_new, &size);
        if (status) return status;
        if (!controlled) size = relative_size(s, x);
        if (!isfinite(size)) return GT_TRY_NOT_FINITE;
        verdict v = controlled ? judge_controlled(&w->rate, size, &before, &theta_one, allowed,
                                                  noise, limit)
                               : judge_fixed(&w->rate, s, size, &before, full);
        if (v == CONVERGED) return GT_OK;
        if (v == HOPELESS) return GT_TRY_NEWTON;
    }
    return GT_TRY_NEWTON;
}

/* At the middle stage as it is guessed, which is off J at the stages by half as much as J at the
 * accepted point is. */
static gt_status jacobian_ahead(gt_stepper *s, int which, double h, const double *x, double *at)
{
    const gt_radau_state *w = s->state;
    const gt_radau_numbers *p = gt_radau_numbers_of(w);
    int middle = p->stages / 2;
    gt_radau_guess(s, h);
    for (size_t k = 0; k < s->n; k++) at[k] = x[k] + w->Z[middle][k];
    return evaluate(s, which, s->t + p->c[middle] * h, at);
}

static gt_status fresh_jacobian(gt_stepper *s, double h, const double *x, double *at)
{
    gt_radau_state *w = s->state;
    if (w->fresh_known && (!w->fresh_ahead || w->fresh_h == h)) return GT_OK;
    int fresh = 1 - w->current;
    gt_status status = GT_TRY_RHS;
    w->fresh_ahead = s->rtol > 0 && w->past_formula >= 0 && !s->problem->index && w->shifted.matrix;
    if (w->fresh_ahead) status = jacobian_ahead(s, fresh, h, x, at);
    if (status > 0) status = evaluate(s, fresh, s->t, s->x);
    w->fresh_h = h;
    w->fresh_known = status == GT_OK;
    return status;
}

static gt_status solve(gt_stepper *s, double h, const double *x, double *x_new)
{
    gt_radau_state *w = s->state;
    int fresh = 1 - w->current;
    w->fresh_used = false;
    if (w->current_known && !w->stale) {
        gt_status status = iterate(s, h, x, x_new, w->current, false);
        if (status <= 0) return status;
        /* A new J alone would seldom do: h, too, is too long for where the solution turns. */
        if (status == GT_TRY_NEWTON && s->rtol > 0) return status;
    }
    w->fresh_used = true;
    gt_status status = fresh_jacobian(s, h, x, x_new);
    if (!status) status = iterate(s, h, x, x_new, fresh, false);
    if (status == GT_TRY_SINGULAR || status == GT_TRY_NOT_FINITE)
        w->fresh_known = false; /* f may have given a NaN just once */
    if (status <= 0 || s->rtol > 0) return status;
    w->fresh_known = false;
    return iterate(s, h, x, x_new, fresh, true);
}

gt_status gt_radau_solve(gt_stepper *s, double h, const double *x, double *x_new)
{
    assert(s && s->state && x && x_new);
    assert(h != 0);
    gt_radau_state *w = s->state;
    make_transform(w, h);
    gt_radau_set_tolerance(s);
    set_weights(s, h, x);
    w->Z_formula = w->formula;
    w->Z_h = h;
    gt_status status = solve(s, h, x, x_new);
    if (status) return status;
    const double *end = w->Z[gt_radau_numbers_of(w)->stages - 1];
    for (size_t k = 0; k < s->n; k++) x_new[k] = x[k] + end[k];
    gt_radau_hide(s->problem, x_new);
    return GT_OK;
}

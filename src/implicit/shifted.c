/* SPDX-License-Identifier: BSD-3-Clause */
#include "implicit/shifted.h"
#include "implicit/growth.h"
#include "linalg/column.h"
#include <assert.h>
#include <math.h>
#include <string.h>

static const gt_pattern *pattern_of(const gt_matrix *matrix)
{
    return matrix ? &matrix->pattern : &gt_sum_diagonal;
}

/* A problem with algebraic rows has its own M, as a user's may have anything there. */
static void lay_out_mass(gt_shifted *w, const gt_problem *p, size_t n, gt_arena *arena)
{
    size_t n_diff = p->n_slow + p->n_fast;
    gt_matrix *M = &w->mass;
    gt_matrix_layout(M, n, *pattern_of(p->mass), false, arena);
    if (gt_arena_measuring(arena) || arena->failed) return;
    for (size_t j = 0; j < n; j++) {
        gt_column c = gt_column_of(&M->pattern, n, j);
        for (size_t k = 0; k < c.count; k++)
            if (gt_column_row(&c, k) < n_diff)
                M->values[c.index + k] = p->mass ? p->mass->values[c.index + k] : 1;
    }
}

static void lay_out_iterations(gt_shifted *w, const gt_problem *p, const gt_linear_options *linear,
                               gt_arena *arena)
{
    gt_iterated made;
    bool with_complex = false;
    for (int i = 0; i < w->count; i++) with_complex = with_complex || !gt_shift_is_real(w, i);
    w->iterated = gt_arena_take(arena, 1, sizeof made);
    gt_iterated_layout(&made, p, linear, with_complex, arena);
    made.shifted_rows = true;
    w->matrix = made.matrix;
    if (w->iterated) *w->iterated = made;
    w->b = gt_arena_doubles(arena, 2 * gt_problem_size(p));
}

void gt_shifted_layout(gt_shifted *w, const gt_problem *p, const double complex *r, int count,
                       const gt_linear_options *linear, gt_arena *arena)
{
    assert(w && p && r && arena);
    assert(count >= 0);
    const gt_second_order *so = p->second_order;
    size_t n = gt_problem_size(p), m = so ? n / 2 : n;
    *w = (gt_shifted){.problem = p, .count = count, .matrix = true};
    for (int i = 0; i < count; i++) w->r[i] = r[i];
    if (gt_iterated_pays(p, linear)) {
        lay_out_iterations(w, p, linear, arena);
        return;
    }
    if (p->n_alg) lay_out_mass(w, p, n, arena);
    if (so) {
        const gt_pattern of[] = {so->mass->pattern, so->stiffness->pattern,
                                 *pattern_of(so->damping)};
        gt_sum_layout_to_factor(&w->sum, m, so->damping ? 3 : 2, of, arena);
    } else {
        const gt_pattern of[] = {*pattern_of(p->mass), p->jac_pattern};
        gt_sum_layout_to_factor(&w->sum, n, 2, of, arena);
    }
    int real = 0;
    for (int i = 0; i < count; i++) real += gt_shift_is_real(w, i);
    w->signs = !real && gt_shows_growth(p);
    if (real || w->signs) gt_matrix_layout(&w->W_real, m, w->sum.of_W, false, arena);
    if (real < count) gt_matrix_layout(&w->W_complex, m, w->sum.of_W, true, arena);
    for (int i = 0; i < count; i++)
        gt_lu_layout(&w->lu[i], gt_shift_is_real(w, i) ? &w->W_real : &w->W_complex, arena);
    if (w->signs) gt_lu_layout(&w->sign, &w->W_real, arena);
    w->b = gt_arena_doubles(arena, 2 * n);
    w->half = gt_arena_doubles(arena, so ? 2 * m : 0);
}

/* The geometric mean of |r_i|. */
static double size_of_shifts(const gt_shifted *w)
{
    double sum = 0;
    for (int i = 0; i < w->count; i++) sum += log(cabs(w->r[i]));
    return exp(sum / w->count);
}

static gt_matrix *fill(gt_shifted *w, double complex gamma, const gt_matrix *J)
{
    const gt_second_order *so = w->problem->second_order;
    gt_matrix *W = cimag(gamma) == 0 ? &w->W_real : &w->W_complex;
    if (so)
        gt_sum_fill(&w->sum, (const gt_matrix *[]){so->mass, so->stiffness, so->damping},
                    (double complex[]){1, gamma * gamma, gamma}, W);
    else
        gt_sum_fill(&w->sum,
                    (const gt_matrix *[]){w->problem->n_alg ? &w->mass : w->problem->mass, J},
                    (double complex[]){1, -gamma}, W);
    return W;
}

void gt_shifted_use(gt_shifted *w, const double complex *r, int count)
{
    assert(w && r);
    assert(count >= 1 && count <= GT_MAX_SHIFTS);
    w->count = count;
    for (int i = 0; i < count; i++) {
        assert(w->iterated || (cimag(r[i]) == 0) == !w->lu[i].is_complex);
        w->r[i] = r[i];
    }
}

gt_status gt_shifted_prepare(gt_shifted *w, const gt_matrix *J, double h)
{
    assert(w && J);
    if (w->iterated) {
        gt_iterated_prepare(w->iterated, w->problem);
        return GT_OK;
    }
    gt_sum_prepare(&w->sum);
    for (int i = 0; i < w->count; i++) {
        gt_status status = gt_lu_analyse(&w->lu[i], fill(w, h * w->r[i], J));
        if (status < 0) return status;
    }
    if (w->signs) {
        gt_status status = gt_lu_analyse(&w->sign, fill(w, h * size_of_shifts(w), J));
        if (status < 0) return status;
    }
    return GT_OK; /* a matrix that is singular here may be regular later */
}

/* By the real factors, which may be there for that only. */
static bool hides_growth(gt_shifted *w, const gt_matrix *J)
{
    if (!gt_shows_growth(w->problem)) return false;
    if (w->signs) {
        double gamma = w->h * size_of_shifts(w);
        gt_status status = gt_lu_factor(&w->sign, fill(w, gamma, J));
        return gt_hides_growth(w->problem, status ? NULL : &w->sign, J, gamma);
    }
    int i = 0;
    while (!gt_shift_is_real(w, i)) i++;
    return gt_hides_growth(w->problem, &w->lu[i], J, w->h * creal(w->r[i]));
}

gt_status gt_shifted_factor(gt_shifted *w, gt_stepper *s, int which, const gt_matrix *J, double h)
{
    assert(w && J);
    assert(isfinite(h));
    w->h = h;
    if (w->iterated) {
        double gamma = h * size_of_shifts(w);
        gt_status status = gt_iterated_factor(w->iterated, s, which, J, gamma);
        bool hidden = gt_hides_growth(w->problem, NULL, w->matrix ? J : NULL, gamma);
        return !status && s->rtol > 0 && hidden ? GT_TRY_NEWTON : status;
    }
    for (int i = 0; i < w->count; i++) {
        gt_status status = gt_lu_factor(&w->lu[i], fill(w, h * w->r[i], J));
        if (status) return status;
    }
    return s->rtol > 0 && hides_growth(w, J) ? GT_TRY_NEWTON : GT_OK;
}

/* y += a A x, with y, a and x complex or, when width is 1, real. */
static void add_product(const gt_matrix *A, double complex a, size_t width, const double *x,
                        double *y)
{
    for (size_t j = 0; j < A->n; j++) {
        gt_column c = gt_column_of(&A->pattern, A->n, j);
        const double *values = A->values + c.index;
        double re = creal(a) * x[width * j], im = 0;
        if (width == 2) {
            re -= cimag(a) * x[2 * j + 1];
            im = creal(a) * x[2 * j + 1] + cimag(a) * x[2 * j];
        }
        for (size_t k = 0; k < c.count; k++) {
            size_t row = width * gt_column_row(&c, k);
            y[row] += values[k] * re;
            if (width == 2) y[row + 1] += values[k] * im;
        }
    }
}

static void solve_second_order(gt_shifted *w, int i, double *y)
{
    const gt_second_order *so = w->problem->second_order;
    size_t m = so->mass->n, width = gt_shift_is_real(w, i) ? 1 : 2;
    double complex gamma = w->h * w->r[i];
    double *y_z = y, *y_v = y + width * m, *b = w->half;
    if (w->problem->mass) {
        memcpy(b, y_v, width * m * sizeof *b);
    } else { /* the right-hand side of the problem has been multiplied by M^-1 */
        memset(b, 0, width * m * sizeof *b);
        add_product(so->mass, 1, width, y_v, b);
    }
    add_product(so->stiffness, -gamma, width, y_z, b);
    gt_lu_solve(&w->lu[i], b);
    memcpy(y_v, b, width * m * sizeof *b);
    double re = creal(gamma), im = cimag(gamma);
    for (size_t k = 0; k < m; k++) {
        if (width == 1) {
            y_z[k] += re * b[k];
        } else {
            y_z[2 * k] += re * b[2 * k] - im * b[2 * k + 1];
            y_z[2 * k + 1] += re * b[2 * k + 1] + im * b[2 * k];
        }
    }
}

gt_status gt_shifted_solve(gt_shifted *w, gt_stepper *s, int i, double *y)
{
    assert(w && y);
    assert(i >= 0);
    if (w->iterated)
        return gt_iterated_solve(w->iterated, s, w->h * w->r[i], !gt_shift_is_real(w, i),
                                 w->absolute, w->relative, y);
    if (w->problem->second_order)
        solve_second_order(w, i, y);
    else
        gt_lu_solve(&w->lu[i], y);
    return GT_OK;
}

void gt_shifted_add(const gt_shifted *w, int i, double complex weight, double scale,
                    const double *y, double *out)
{
    assert(w && y && out);
    assert(i >= 0);
    assert(y != out);
    size_t n = gt_problem_size(w->problem);
    double re = creal(weight) * scale, im = cimag(weight) * scale;
    if (gt_shift_is_real(w, i))
        for (size_t k = 0; k < n; k++) out[k] += re * y[k];
    else
        for (size_t k = 0; k < n; k++) out[k] += 2 * (re * y[2 * k] - im * y[2 * k + 1]);
}

/* What an error of solution i is multiplied by in the sums, at most. */
static double growth_of(const gt_shifted *w, int i, const gt_combination *sums, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++)
        most = fmax(most, fabs(sums[k].scale) * cabs(sums[k].weight[i]));
    return (gt_shift_is_real(w, i) ? 1 : 2) * w->count * most;
}

gt_status gt_shifted_apply(gt_shifted *w, gt_stepper *s, const double *g,
                           const gt_combination *sums, int count)
{
    assert(w && g && sums);
    assert(count >= 1);
    size_t n = gt_problem_size(w->problem);
    double absolute = w->absolute;
    for (int i = 0; i < w->count; i++) {
        double growth = growth_of(w, i, sums, count);
        if (growth == 0) continue;
        if (gt_shift_is_real(w, i))
            memcpy(w->b, g, n * sizeof *w->b);
        else
            for (size_t k = 0; k < n; k++) w->b[2 * k] = g[k], w->b[2 * k + 1] = 0;
        w->absolute = absolute / growth;
        gt_status status = gt_shifted_solve(w, s, i, w->b);
        w->absolute = absolute;
        if (status) return status;
        for (int k = 0; k < count; k++)
            gt_shifted_add(w, i, sums[k].weight[i], sums[k].scale, w->b, sums[k].out);
    }
    return GT_OK;
}

void gt_shifted_free(gt_shifted *w)
{
    for (int i = 0; i < GT_MAX_SHIFTS; i++) gt_lu_free(&w->lu[i]);
    gt_lu_free(&w->sign);
}

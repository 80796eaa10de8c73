/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Jacobian of one's own, in the three forms of a matrix: a rod that conducts heat and radiates,
 *
 *     x_i' = c (x_(i-1) - 2 x_i + x_(i+1)) - x_i^4,   x_0 = x_(n+1) = 0,   x_i(0) = 1.
 *
 * Expected: dense, banded and sparse give the same state at t = 1 to 1e-9, with the Jacobian
 * evaluated at most as often as there are steps; without one, by differences, f is called more
 * often.
 */
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>

enum { N = 60, ENTRIES = 3 * N - 2 };
static const double c = 400;

static gt_status f(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    for (int i = 0; i < N; i++) {
        double left = i > 0 ? x[i - 1] : 0, right = i < N - 1 ? x[i + 1] : 0;
        dx[i] = c * (left - 2 * x[i] + right) - pow(x[i], 4);
    }
    return GT_OK;
}

/* J arrives cleared. gt_matrix_add works for every form of matrix; for a sparse one it looks for
 * the place. */
static gt_status any_form(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)ctx;
    for (size_t i = 0; i < N; i++) {
        gt_matrix_add(J, i, i, -2 * c - 4 * pow(x[i], 3));
        if (i > 0) gt_matrix_add(J, i, i - 1, c);
        if (i < N - 1) gt_matrix_add(J, i, i + 1, c);
    }
    return GT_OK;
}

/* The same for a sparse matrix only, in the order of its pattern: column after column, rows
 * ascending. */
static gt_status in_order(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)ctx;
    double *value = J->values;
    for (int k = 0; k < N; k++) {
        if (k > 0) *value++ = c;
        *value++ = -2 * c - 4 * pow(x[k], 3);
        if (k < N - 1) *value++ = c;
    }
    return GT_OK;
}

int main(void)
{
    double start[N], end[4][N];
    int colptr[N + 1], rowindex[ENTRIES], count = 0;
    for (int k = 0; k < N; k++) {
        start[k] = 1;
        colptr[k] = count;
        for (int i = k > 0 ? k - 1 : 0; i <= k + 1 && i < N; i++) rowindex[count++] = i;
    }
    colptr[N] = count;

    gt_problem dense = {.n_slow = N, .rhs = f, .t1 = 1, .x0 = start}, banded = dense,
               sparse = dense, none = dense;
    dense.jac = any_form; /* a pattern of zeros is dense */
    banded.jac = any_form;
    banded.jac_pattern = (gt_pattern){.storage = GT_BANDED, .lower = 1, .upper = 1};
    sparse.jac = in_order;
    sparse.jac_pattern = (gt_pattern){.storage = GT_CSC, .colptr = colptr, .rowindex = rowindex};

    const gt_problem *const problems[] = {&dense, &banded, &sparse, &none};
    static const char *const names[] = {"dense", "banded", "sparse", "by differences"};
    long calls[4];
    for (int k = 0; k < 4; k++) {
        gt_report report;
        gt_plan plan = {.rtol = 1e-8, .x_end = end[k]};
        if (gt_solve(problems[k], gt_method_find("gear"), &plan, &report)) {
            fprintf(stderr, "own_jacobian: %s\n", report.message.text);
            return 1;
        }
        calls[k] = report.stats.rhs;
        printf("%-15s %4ld steps, %4ld calls of f, %3ld Jacobians, x in the middle %.10f\n",
               names[k], report.stats.steps, report.stats.rhs, report.stats.jacobians,
               end[k][N / 2]);
        for (int i = 0; i < N; i++)
            if (fabs(end[k][i] - end[0][i]) > 1e-9 || report.stats.jacobians > report.stats.steps)
                return 1;
    }
    return calls[3] > calls[0] ? 0 : 1;
}

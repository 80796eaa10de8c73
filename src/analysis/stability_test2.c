/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The test equation of two rates by running the method on it, and limits of what can be evaluated
 * only. With A = xi [1 beta; alpha beta alpha] and complex xi the unknowns are (re x, im x | re z,
 * im z); one step from x = 1, z = 0 gives the first column of M, one from x = 0, z = 1 the second.
 * Where a method has two tableaux, M comes from them.
 */
#include "analysis/linear_run.h"
#include <complex.h>
#include <geartrain/analysis/stability.h>
#include <math.h>
#include <stdlib.h>

gt_status gt_test2_open(gt_test2 *test, const gt_method *method, const char *options, double alpha,
                        double beta, gt_message *message)
{
    GT_ARMOR(message, test && method);
    *test = (gt_test2){.alpha = alpha, .beta = beta, .run = malloc(sizeof *test->run)};
    if (!test->run) return gt_fail(message, GT_NO_MEMORY, "out of memory");
    gt_values v = gt_params_default(method->options);
    gt_status status =
        gt_params_parse(method->options, "option", method->name, options, &v, message);
    if (!status && (gt_method_facts(method, v.v).flags & GT_VARIABLE_FORMULA))
        status = gt_fail(
            message, GT_UNSUPPORTED,
            "method %s changes its formula as it goes, so no single matrix describes a step",
            method->name);
    else if (!status && (method->formula ? method->formula->steps > 1 : method->formula_of != NULL))
        status = gt_fail(message, GT_UNSUPPORTED,
                         "method %s uses several past points, so a step is not a multiplication by "
                         "a 2 x 2 matrix; "
                         "without --test2 its roots are found from the formula",
                         method->name);
    if (!status && method->partitioned_of) {
        test->pair = malloc(sizeof *test->pair);
        if (test->pair)
            method->partitioned_of(method, v.v, test->pair);
        else
            status = gt_fail(message, GT_NO_MEMORY, "out of memory");
    }
    *test->run = (gt_linear_run){0};
    if (!status) status = gt_linear_open(test->run, method, options, 4, 2, message);
    if (status) gt_test2_close(test);
    return status;
}

void gt_test2_close(gt_test2 *test)
{
    if (!test) return;
    if (test->run) gt_linear_close(test->run);
    free(test->run);
    free(test->pair);
    test->run = NULL;
    test->pair = NULL;
}

static void set_block(gt_linear_run *run, int row, int column, double complex value)
{
    double *re = &run->A[2 * column][2 * row], *im = &run->A[2 * column + 1][2 * row];
    re[0] = im[1] = creal(value);
    re[1] = cimag(value);
    im[0] = -cimag(value);
}

/* shome (22): R_i = Z + Z sum_j A_ij R_j, S = 1 + sum_i B_i R_i with A_ij and B_i diagonal, slow
 * and fast. */
static void pair_matrix(const gt_partitioned *P, const double complex Z[4], double complex S[2][2])
{
    for (int column = 0; column < 2; column++) {
        double complex k[GT_MAX_STAGES][2], x[2] = {0, 0};
        S[0][column] = column == 0;
        S[1][column] = column == 1;
        for (int i = 0; i < P->slow.stages; i++) {
            for (int row = 0; row < 2; row++) {
                const gt_ratio *a = row ? P->fast.a[i] : P->slow.a[i];
                x[row] = row == column;
                for (int j = 0; j < i; j++) x[row] += gt_ratio_value(a[j]) * k[j][row];
            }
            k[i][0] = Z[0] * x[0] + Z[1] * x[1];
            k[i][1] = Z[2] * x[0] + Z[3] * x[1];
            S[0][column] += gt_ratio_value(P->slow.b[i]) * k[i][0];
            S[1][column] += gt_ratio_value(P->fast.b[i]) * k[i][1];
        }
    }
}

gt_status gt_blocks_matrix(const gt_test2 *test, const double complex Z[4], double complex M[2][2])
{
    GT_ARMOR(NULL, test && Z && M);
    gt_linear_run *run = test->run;
    if (test->pair) {
        pair_matrix(test->pair, Z, M);
        return GT_OK;
    }
    for (int i = 0; i < 4; i++) set_block(run, i / 2, i % 2, Z[i]);
    for (int column = 0; column < 2; column++) {
        double x[GT_LINEAR_MAX];
        for (int i = 0; i < GT_LINEAR_MAX; i++) run->x0[i] = i == 2 * column;
        gt_status status = gt_linear_steps(run, 1, x);
        if (status) return status;
        for (int row = 0; row < 2; row++) M[row][column] = x[2 * row] + I * x[2 * row + 1];
    }
    return GT_OK;
}

/* x and z as in the test equation of two rates. */
static void test2_numbers(const gt_test2 *test, double complex xi, double complex Z[4])
{
    Z[0] = xi;
    Z[1] = test->beta * xi;
    Z[2] = test->alpha * test->beta * xi;
    Z[3] = test->alpha * xi;
}

gt_status gt_test2_matrix(const gt_test2 *test, double complex xi, double complex M[2][2])
{
    GT_ARMOR(NULL, test && M);
    double complex Z[4];
    test2_numbers(test, xi, Z);
    return gt_blocks_matrix(test, Z, M);
}

double gt_test2_radius(const gt_test2 *test, double complex xi)
{
    if (!test) return NAN;
    double complex Z[4];
    test2_numbers(test, xi, Z);
    return gt_blocks_radius(test, Z);
}

double gt_blocks_radius(const gt_test2 *test, const double complex Z[4])
{
    if (!test || !Z) return NAN;
    double complex M[2][2];
    if (gt_blocks_matrix(test, Z, M)) return INFINITY;
    double complex mean = (M[0][0] + M[1][1]) / 2, half = (M[0][0] - M[1][1]) / 2;
    double complex root = csqrt(half * half + M[0][1] * M[1][0]);
    double radius = fmax(cabs(mean + root), cabs(mean - root));
    return isnan(radius) ? INFINITY : radius;
}

double gt_search_limit(gt_size_fn *size, const void *ctx, double complex d)
{
    if (!size) return NAN;
    const double allowed = 1 + 1e-12; /* a modulus of exactly 1 may come out larger by round-off */
    double inside = 0, outside = 0, lowest = 1;
    for (double r = 1e-3; r <= 1e6; r += fmax(2e-3, 0.01 * r)) {
        double here = size(r * d, ctx);
        if (!(here <= allowed)) {
            outside = r;
            break;
        }
        lowest = fmin(lowest, here);
        inside = r;
    }
    if (outside == 0) return INFINITY;
    if (lowest > 1 - 1e-12) return 0; /* it has left 1 at once, too slowly to be seen */
    while (outside - inside > 1e-12 * outside) {
        double middle = inside + (outside - inside) / 2;
        if (middle <= inside || middle >= outside) break;
        if (size(middle * d, ctx) <= allowed)
            inside = middle;
        else
            outside = middle;
    }
    return inside;
}

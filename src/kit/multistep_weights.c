/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Weights of any multistep formula when the steps are not equal: the exactness constraints crow
 * (5.51)-(5.52) at the points that there are,
 *
 *     sum_i a_i tau_i^j + j sum_i b_i tau_i^(j-1) = 1,   j = 0 .. k,   tau = 0 at x_n and 1 at
 * x_(n+1)
 *
 * for the coefficients that are not 0 at equal steps. For the formulas of Adams and Gear these are
 * the usual weights.
 */
#include "base/elementary.h"
#include "kit/multistep_formulas.h"
#include <assert.h>
#include <math.h>

enum { MOST = GT_MULTISTEP_MAX_ORDER + 1 };

bool gt_multistep_is_determined(const gt_multistep *formula)
{
    int count = formula->b[0].num != 0;
    for (int i = 0; i < GT_MAX_PAST; i++)
        count += (formula->a[i].num != 0) + (formula->b[i + 1].num != 0);
    return count == formula->order + 1;
}

/* Elimination with row pivoting; each row is followed by its right-hand side. False when singular.
 */
static bool eliminate(int n, double M[MOST][MOST + 1])
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(M[i][k]) > fabs(M[pivot][k])) pivot = i;
        if (!(fabs(M[pivot][k]) > 1e-12)) return false;
        for (int j = k; j <= n; j++) {
            double kept = M[k][j];
            M[k][j] = M[pivot][j];
            M[pivot][j] = kept;
        }
        for (int i = 0; i < n; i++) {
            double factor = M[i][k] / M[k][k];
            for (int j = k; j <= n && i != k; j++) M[i][j] -= factor * M[k][j];
        }
    }
    for (int k = 0; k < n; k++) M[k][n] /= M[k][k];
    return true;
}

bool gt_multistep_weigh_any(const gt_multistep *formula, const double *tau,
                            gt_multistep_weights *weights)
{
    assert(formula && tau && weights);
    assert(formula->steps >= 1 && formula->steps <= GT_MAX_PAST);
    double M[MOST][MOST + 1], at[MOST], *weight[MOST];
    bool of_slope[MOST];
    int n = 0, k = formula->order;
    *weights = (gt_multistep_weights){0};
    if (!gt_multistep_is_determined(formula)) return false;
    for (int i = -1; i < GT_MAX_PAST; i++) {
        for (int slope = 0; slope < 2; slope++) {
            if (slope ? !formula->b[i + 1].num : i < 0 || !formula->a[i].num) continue;
            at[n] = i < 0 ? 1 : tau[i];
            of_slope[n] = slope;
            weight[n++] = slope ? &weights->b[i + 1] : &weights->a[i];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            M[j][i] =
                of_slope[i] ? (j ? j * gt_whole_power(at[i], j - 1) : 0) : gt_whole_power(at[i], j);
    for (int j = 0; j < n; j++) M[j][n] = 1;
    if (!eliminate(n, M)) return false;
    weights->error = 1;
    for (int i = 0; i < n; i++) {
        *weight[i] = M[i][n];
        weights->error -= M[i][n] * (of_slope[i] ? (k + 1) * gt_whole_power(at[i], k)
                                                 : gt_whole_power(at[i], k + 1));
    }
    for (int j = 2; j <= k + 1; j++) weights->error /= j;
    return true;
}

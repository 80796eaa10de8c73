/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * R(z) of a Runge-Kutta method from its tableau: with k the stages of x' = lambda x, (I - z A) k = 1 and
 * R(z) = 1 + z b^T k. Explicit and diagonally implicit tableaux are solved by substitution.
 */
#include <complex.h>
#include <geartrain/method.h>

gt_status gt_amplification(const gt_method *method, const double *v, double complex z, double complex *R)
{
    if (method->amplification) {
        *R = method->amplification(method, v, z);
        return GT_OK;
    }
    const gt_tableau *T = method->tableau;
    if (!T) return GT_UNSUPPORTED;
    double complex k[GT_MAX_STAGES], sum = 0;
    for (int i = 0; i < T->stages; i++) {
        double complex right = 1;
        for (int j = 0; j < i; j++) right += z * gt_ratio_value(T->a[i][j]) * k[j];
        for (int j = i + 1; j < T->stages; j++) {
            if (T->a[i][j].num) return GT_UNSUPPORTED; /* needs a full solve; no listed method has such a tableau */
        }
        k[i] = right / (1 - z * gt_ratio_value(T->a[i][i]));
        sum += gt_ratio_value(T->b[i]) * k[i];
    }
    *R = 1 + z * sum;
    return GT_OK;
}

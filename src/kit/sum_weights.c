/* SPDX-License-Identifier: BSD-3-Clause */
#include "kit/sum_weights.h"
#include <assert.h>

enum { MOST = GT_MOST_SUMMED };

/* (1/M) sum_(i=0)^(N-1) (i/M)^m for m < count, by Bernoulli's numbers. */
static void power_sums(int count, double M, double N, double *S)
{
    static const double B[MOST] = {1, -1.0 / 2, 1.0 / 6, 0, -1.0 / 30, 0, 1.0 / 42, 0, -1.0 / 30};
    double reach = N / M;
    for (int m = 0; m < count; m++) {
        double choose = 1, part = 1, power[MOST + 1] = {1};
        for (int p = 1; p <= m + 1; p++) power[p] = power[p - 1] * reach;
        S[m] = 0;
        for (int p = 0; p <= m; p++) {
            S[m] += choose * B[p] * part * power[m + 1 - p];
            choose *= (double)(m + 1 - p) / (p + 1);
            part /= M;
        }
        S[m] /= m + 1;
    }
}

void gt_sum_weights(int count, const double *node, double M, double N, double *weight)
{
    assert(count > 0 && count <= MOST && node && weight);
    double S[MOST];
    power_sums(count, M, N, S);
    for (int j = 0; j < count; j++) {
        double a[MOST] = {1}, scale = 1;
        for (int m = 0, degree = 0; m < count; m++) {
            if (m == j) continue;
            degree++;
            for (int p = degree; p > 0; p--) a[p] = a[p - 1] - node[m] * a[p];
            a[0] *= -node[m];
            scale *= node[j] - node[m];
        }
        weight[j] = 0;
        for (int m = 0; m < count; m++) weight[j] += a[m] * S[m];
        weight[j] /= scale;
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "kit/half_step.h"
#include "implicit/index.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/*
 * Weights b_hat are chosen so that on x' = lambda x the sum of both halves' errors of a symmetric
 * step, divided by P, is the true local error to leading order where that is possible (halves 1, 2,
 * 4), and else that of the comparison solution of the next lower order (half 3: the midpoint rule;
 * half 5: Kutta's third-order weights on the first four stages).
 */
/* clang-format off */
const gt_half_row gt_half_1 = {
    {.stages = 1, .b = {{1, 1}}, .b_hat = {{2, 3}, {1, 3}}}, .order = 1, .error_power = 2};
const gt_half_row gt_half_2 = {
    {.stages = 2, .c = {{0, 1}, {1, 2}}, .a = {{{0, 1}}, {{1, 2}}},
     .b = {{0, 1}, {1, 1}}, .b_hat = {{1, 3}, {1, 3}, {1, 3}}}, .order = 2, .error_power = 3};
const gt_half_row gt_half_3 = {
    {.stages = 3, .c = {{0, 1}, {1, 2}, {1, 1}}, .a = {{{0, 1}}, {{1, 2}}, {{-1, 1}, {2, 1}}},
     .b = {{1, 6}, {2, 3}, {1, 6}}, .b_hat = {{0, 1}, {1, 1}, {0, 1}}}, .order = 3,
     .error_power = 3};
const gt_half_row gt_half_4 = {
    {.stages = 4, .c = {{0, 1}, {1, 2}, {1, 2}, {1, 1}},
     .a = {{{0, 1}}, {{1, 2}}, {{0, 1}, {1, 2}}, {{0, 1}, {0, 1}, {1, 1}}},
     .b = {{1, 6}, {1, 3}, {1, 3}, {1, 6}}, .b_hat = {{1, 6}, {1, 3}, {1, 3}, {1, 10}, {1, 15}}},
    .order = 4, .error_power = 4};
const gt_half_row gt_half_5 = {
    {.stages = 6, .c = {{0, 1}, {1, 3}, {2, 5}, {1, 1}, {2, 3}, {4, 5}},
     .a = {{{0, 1}},
           {{1, 3}},
           {{4, 25}, {6, 25}},
           {{1, 4}, {-3, 1}, {15, 4}},
           {{2, 27}, {10, 9}, {-50, 81}, {8, 81}},
           {{2, 25}, {12, 25}, {2, 15}, {8, 75}, {0, 1}}},
     .b = {{23, 192}, {0, 1}, {125, 192}, {0, 1}, {-27, 64}, {125, 192}},
     .b_hat = {{1, 12}, {0, 1}, {25, 36}, {2, 9}, {0, 1}, {0, 1}}},
    .order = 5, .error_power = 4};
const gt_half_row gt_half_fehlberg = {
    {.stages = 6, .c = {{0, 1}, {1, 4}, {3, 8}, {12, 13}, {1, 1}, {1, 2}},
     .a = {{{0, 1}},
           {{1, 4}},
           {{3, 32}, {9, 32}},
           {{1932, 2197}, {-7200, 2197}, {7296, 2197}},
           {{8341, 4104}, {-32832, 4104}, {29440, 4104}, {-845, 4104}},
           {{-6080, 20520}, {41040, 20520}, {-28352, 20520}, {9295, 20520}, {-5643, 20520}}},
     .b = {{902880, 7618050}, {0, 1}, {3953664, 7618050}, {3855735, 7618050}, {-1371249, 7618050},
           {277020, 7618050}},
     .b_hat = {{25, 216}, {0, 1}, {1408, 2565}, {2197, 4104}, {-1, 5}, {0, 1}}},
    .order = 5, .error_power = 5};
/* Made by gt_design_half with c = 1/1120, d = 1/8064, seed 1, start 35, 500 sweeps; 53 binary
 * digits each. */
const gt_half_row gt_half_hurwitz = {
    {.stages = 7, .c = {{0, 1}, {8323470375253301, 36028797018963968},
                        {338345738276533, 1125899906842624},
          {5482714075741767, 9007199254740992}, {911584161014999, 1125899906842624},
          {2284631001801799, 4503599627370496}, {1, 1}},
     .a = {{{0, 1}},
           {{8323470375253301, 36028797018963968}},
           {{-5904399177682935, 72057594037927936}, {6889631606845261, 18014398509481984}},
           {{3627146632835961, 36028797018963968}, {2584005017529493, 36028797018963968},
                 {982481540787601, 2251799813685248}},
           {{5561741284710951, 144115188075855872}, {6805283131659099, 18014398509481984},
                 {-3914603099307029, 72057594037927936}, {4031748279409387, 9007199254740992}},
           {{611314439314357, 2251799813685248}, {8149076142707517, 36028797018963968},
                 {3993711054173289, 144115188075855872}, {1360863888967643, 4503599627370496},
                 {-5769199016303651, 18014398509481984}},
           {{3363622281136225, 18014398509481984}, {2309542423516395, 9007199254740992},
                 {1646364545944109, 36028797018963968}, {8055743374176151, 18014398509481984},
                 {3561050994740153, 9007199254740992}, {-5969336255315543, 18014398509481984}}},
     .b = {{1377988708723021, 18014398509481984}, {4074153982713141, 18014398509481984},
           {188155814735209, 1125899906842624}, {5238110033401713, 18014398509481984},
           {7828330980597163, 36028797018963968}, {-3281806153675819, 72057594037927936},
           {2439877594002277, 36028797018963968}},
     .b_hat = {{6333477214216895, 36028797018963968}, {0, 1}, {6970516834677597, 36028797018963968},
           {6169432971873857, 18014398509481984}, {5192968513160881, 18014398509481984}, {0, 1},
           {0, 1}}},
    .order = 5, .error_power = 4};
/* clang-format on */

/* Weights d of all slopes at the same time, summed up. */
static bool is_blind(const gt_half *half)
{
    for (int i = 0; i <= half->stages; i++) {
        double at = i < half->stages ? half->c[i] : 1, sum = 0;
        for (int j = 0; j <= half->stages; j++)
            if (fabs((j < half->stages ? half->c[j] : 1) - at) < 1e-12) sum += half->d[j];
        if (fabs(sum) > 1e-12) return false;
    }
    return true;
}

/* Coefficients of P: b^T A^(k-1) 1, which up to the order of the method is 1/k!. */
static void find_polynomial(gt_half *half)
{
    double v[GT_HALF_STAGES], next[GT_HALF_STAGES], factorial = 1;
    for (int i = 0; i < half->stages; i++) v[i] = 1;
    half->P[0] = 1;
    for (int k = 1; k <= half->stages; k++) {
        half->P[k] = k <= half->order ? 1 / (factorial *= k) : 0;
        for (int i = 0; i < half->stages && k > half->order; i++) half->P[k] += half->b[i] * v[i];
        if (half->P[k] != 0) half->degree = k;
        for (int i = 0; i < half->stages; i++) {
            next[i] = 0;
            for (int j = 0; j < i; j++) next[i] += half->a[i][j] * v[j];
        }
        memcpy(v, next, sizeof v);
    }
}

void gt_half_open(gt_half *half, const gt_half_row *row)
{
    assert(half && row);
    assert(row->tableau.stages >= 1 && row->tableau.stages <= GT_HALF_STAGES);
    const gt_tableau *T = &row->tableau;
    *half = (gt_half){.order = row->order, .error_power = row->error_power, .stages = T->stages};
    for (int i = 0; i < T->stages; i++) {
        half->b[i] = gt_ratio_value(T->b[i]);
        half->c[i] = gt_ratio_value(T->c[i]);
        half->d[i] = half->b[i] - gt_ratio_value(T->b_hat[i]);
        for (int j = 0; j < i; j++) half->a[i][j] = gt_ratio_value(T->a[i][j]);
    }
    half->d[T->stages] = -gt_ratio_value(T->b_hat[T->stages]);
    half->end_slope = half->d[T->stages] != 0;
    half->blind = is_blind(half);
    find_polynomial(half);
}

void gt_half_input(const gt_half *half, int j, double *coefficients)
{
    assert(half && coefficients);
    assert(j >= 0 && j < half->stages);
    double v[GT_HALF_STAGES], next[GT_HALF_STAGES];
    memcpy(v, half->b, sizeof v);
    for (int k = 0; k < half->stages; k++) {
        coefficients[k] = v[j];
        for (int i = 0; i < half->stages; i++) {
            next[i] = 0;
            for (int m = i + 1; m < half->stages; m++) next[i] += v[m] * half->a[m][i];
        }
        memcpy(v, next, sizeof v);
    }
}

gt_status gt_half_slope(gt_stepper *s, const gt_lu *mass, double t, double *x, double *k)
{
    assert(s && x && k);
    assert(x != k);
    size_t n_alg = s->problem->n_alg;
    gt_status status = gt_closing_stage(s, t, x);
    if (!status) status = gt_rhs(s, t, x, k);
    if (mass && !status) gt_lu_solve(mass, k);
    memset(k + s->n - n_alg, 0, n_alg * sizeof *k);
    return status;
}

gt_status gt_half_step(gt_stepper *s, const gt_half *half, const gt_lu *mass, double t, double h,
                       const double *x, double *const *k, bool first_given, double *y)
{
    assert(s && half && x && k && y);
    assert(half->stages >= 1 && half->stages <= GT_HALF_STAGES);
    gt_status status = GT_OK;
    if (!first_given) {
        memcpy(y, x, s->n * sizeof *y);
        status = gt_half_slope(s, mass, t, y, k[0]);
    }
    for (int i = 1; i <= half->stages && !status; i++) {
        const double *weight = i < half->stages ? half->a[i] : half->b;
        memcpy(y, x, s->n * sizeof *y);
        for (int j = 0; j < i; j++) {
            double factor = h * weight[j];
            if (factor == 0) continue;
            for (size_t m = 0; m < s->n; m++) y[m] += factor * k[j][m];
        }
        if (i < half->stages) status = gt_half_slope(s, mass, t + half->c[i] * h, y, k[i]);
    }
    return status;
}

void gt_half_error(const gt_half *half, size_t n, double scaled_h, double *const *k,
                   const double *end, double *e)
{
    assert(half && k && e);
    for (int j = 0; j < half->stages; j++) {
        double factor = scaled_h * half->d[j];
        if (factor == 0) continue;
        for (size_t m = 0; m < n; m++) e[m] += factor * k[j][m];
    }
    double factor = scaled_h * half->d[half->stages];
    for (size_t m = 0; m < n && factor != 0; m++) e[m] += factor * end[m];
}

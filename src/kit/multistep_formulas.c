/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adams-Bashforth, Adams-Moulton and Gear's formulas, crow (5.8), (5.55), (5.59), (5.62) without
 * their misprints, of orders 1 to 6: exact rationals at constant step, and weights for any steps.
 *
 * An Adams formula integrates the polynomial q through k past (or k - 1 past and the new) slopes
 * over the step, x_(n+1) = x_n + h integral_0^1 q, and with the nodes tau_j in units of h, x_n at 0
 * and x_(n+1) at 1,
 *
 *     b_i = integral_0^1 L_i        error = (1/k!) integral_0^1 prod_j (u - tau_j) du
 *
 * where the L_i are the Lagrange polynomials of the nodes. Four Gauss points integrate degree 7
 * exactly. Gear's formula makes the slope at 1 of the polynomial through x_(n+1) and k past points
 * equal to h f_(n+1): b_-1 = 1 / L'_-1(1), a_i = -b_-1 L'_i(1), error = -b_-1 prod_j (1 - tau_j) /
 * (k+1)!.
 */
#include "kit/multistep_formulas.h"
#include <assert.h>

/* clang-format off */
#define X_N .a = {{1, 1}} /* the only point that enters an Adams formula */
const gt_multistep gt_adams_bashforth[GT_MULTISTEP_ORDERS] = {
    {1, 1, X_N, .b = {{0, 1}, {1, 1}}, .error = {1, 2}},
    {2, 2, X_N, .b = {{0, 1}, {3, 2}, {-1, 2}}, .error = {5, 12}},
    {3, 3, X_N, .b = {{0, 1}, {23, 12}, {-4, 3}, {5, 12}}, .error = {3, 8}},
    {4, 4, X_N, .b = {{0, 1}, {55, 24}, {-59, 24}, {37, 24}, {-3, 8}}, .error = {251, 720}},
    {5, 5, X_N, .b = {{0, 1}, {1901, 720}, {-1387, 360}, {109, 30}, {-637, 360}, {251, 720}},
     .error = {95, 288}},
    {6, 6, X_N, .b = {{0, 1}, {4277, 1440}, {-2641, 480}, {4991, 720}, {-3649, 720}, {959, 480},
                      {-95, 288}},
     .error = {19087, 60480}},
};

const gt_multistep gt_adams_moulton[GT_MULTISTEP_ORDERS] = {
    {1, 1, X_N, .b = {{1, 1}}, .error = {-1, 2}},
    {2, 1, X_N, .b = {{1, 2}, {1, 2}}, .error = {-1, 12}},
    {3, 2, X_N, .b = {{5, 12}, {2, 3}, {-1, 12}}, .error = {-1, 24}},
    {4, 3, X_N, .b = {{3, 8}, {19, 24}, {-5, 24}, {1, 24}}, .error = {-19, 720}},
    {5, 4, X_N, .b = {{251, 720}, {323, 360}, {-11, 30}, {53, 360}, {-19, 720}},
     .error = {-3, 160}},
    {6, 5, X_N, .b = {{95, 288}, {1427, 1440}, {-133, 240}, {241, 720}, {-173, 1440}, {3, 160}},
     .error = {-863, 60480}},
};

const gt_multistep gt_gear_formula[GT_MULTISTEP_ORDERS] = {
    {1, 1, .a = {{1, 1}}, .b = {{1, 1}}, .error = {-1, 2}},
    {2, 2, .a = {{4, 3}, {-1, 3}}, .b = {{2, 3}}, .error = {-2, 9}},
    {3, 3, .a = {{18, 11}, {-9, 11}, {2, 11}}, .b = {{6, 11}}, .error = {-3, 22}},
    {4, 4, .a = {{48, 25}, {-36, 25}, {16, 25}, {-3, 25}}, .b = {{12, 25}}, .error = {-12, 125}},
    {5, 5, .a = {{300, 137}, {-300, 137}, {200, 137}, {-75, 137}, {12, 137}}, .b = {{60, 137}},
     .error = {-10, 137}},
    {6, 6, .a = {{120, 49}, {-150, 49}, {400, 147}, {-75, 49}, {24, 49}, {-10, 147}},
     .b = {{20, 49}},
     .error = {-20, 343}},
};
/* clang-format on */

enum { GAUSS = 4 };
static const double gauss_at[GAUSS] = {0.06943184420297371, 0.33000947820757187,
                                       0.66999052179242813, 0.93056815579702629};
static const double gauss_weight[GAUSS] = {0.17392742256872692, 0.32607257743127307,
                                           0.32607257743127307, 0.17392742256872692};

static double factorial(int k) { return k < 2 ? 1 : k * factorial(k - 1); }

/* integral_0^theta of the Lagrange polynomial L_i of `count` nodes, or of prod_j (u - node_j) when
 * i < 0. */
static double integral(int count, const double *node, int i, double theta)
{
    double sum = 0;
    for (int g = 0; g < GAUSS; g++) {
        double u = theta * gauss_at[g], product = 1;
        for (int j = 0; j < count; j++) {
            if (j != i) product *= (u - node[j]) / (i < 0 ? 1 : node[i] - node[j]);
        }
        sum += gauss_weight[g] * product;
    }
    return theta * sum;
}

void gt_multistep_lagrange(int count, const double *node, double u, double *value)
{
    assert(count >= 0 && node && value);
    for (int i = 0; i < count; i++) {
        value[i] = 1;
        for (int j = 0; j < count; j++) {
            if (j != i) value[i] *= (u - node[j]) / (node[i] - node[j]);
        }
    }
}

void gt_multistep_integrate(int count, const double *tau, double theta, double *b)
{
    assert(tau && b);
    assert(count >= 1);
    for (int i = 0; i < count; i++) b[i] = integral(count, tau, i, theta);
}

static void weigh_adams(int order, bool implicit, const double *tau, gt_multistep_weights *w)
{
    double node[GT_MAX_PAST + 1];
    int first = implicit ? 0 : 1; /* of the slopes in b that enter */
    node[0] = 1;
    for (int i = 0; i < GT_MAX_PAST && i < order; i++) node[i + 1] = tau[i];
    w->a[0] = 1;
    gt_multistep_integrate(order, node + first, 1, w->b + first);
    w->error = integral(order, node + first, -1, 1) / factorial(order);
}

static void weigh_gear(int order, const double *tau, gt_multistep_weights *w)
{
    double slope = 0, product = 1;
    for (int j = 0; j < order; j++) {
        slope += 1 / (1 - tau[j]);
        product *= 1 - tau[j];
    }
    w->b[0] = 1 / slope;
    for (int i = 0; i < order; i++) {
        double derivative = 1 / (tau[i] - 1);
        for (int j = 0; j < order; j++) {
            if (j != i) derivative *= (1 - tau[j]) / (tau[i] - tau[j]);
        }
        w->a[i] = -w->b[0] * derivative;
    }
    w->error = -w->b[0] * product / factorial(order + 1);
}

void gt_multistep_weigh(gt_multistep_family family, int order, const double *tau,
                        gt_multistep_weights *weights)
{
    assert(tau && weights);
    assert(order >= 1 && order <= GT_MULTISTEP_MAX_ORDER);
    *weights = (gt_multistep_weights){0};
    if (family == GT_GEAR)
        weigh_gear(order, tau, weights);
    else
        weigh_adams(order, family == GT_ADAMS_MOULTON, tau, weights);
}

static bool same_ratio(gt_ratio a, gt_ratio b)
{
    return (!a.num && !b.num) || (a.num * b.den == b.num * a.den && a.den && b.den);
}

bool gt_multistep_same(const gt_multistep *p, const gt_multistep *q)
{
    bool same = p->order == q->order && p->steps == q->steps && same_ratio(p->b[0], q->b[0]);
    for (int i = 0; i < GT_MAX_PAST && same; i++)
        same = same_ratio(p->a[i], q->a[i]) && same_ratio(p->b[i + 1], q->b[i + 1]);
    return same;
}

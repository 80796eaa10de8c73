/* SPDX-License-Identifier: BSD-3-Clause */
#include "kit/bi_numbers.h"
#include "base/elementary.h"
#include "exact/polynomial.h"
#include <assert.h>
#include <math.h>

/* q(s z) */
static void stretch(const double *q, int degree, double s, double *out)
{
    double power = 1;
    for (int k = 0; k <= degree; k++, power *= s) out[k] = q[k] * power;
}

void gt_bi_ratio(const gt_half *forward, const gt_half *backward, double alpha, gt_rational *R)
{
    assert(forward && backward && R);
    assert(alpha >= 0 && alpha <= 1);
    *R = (gt_rational){.num_degree = alpha > 0 ? forward->degree : 0,
                       .den_degree = alpha < 1 ? backward->degree : 0};
    stretch(forward->P, R->num_degree, alpha, R->num);
    stretch(backward->P, R->den_degree, alpha - 1, R->den);
}

/* Two halves of equal polynomials that meet in the middle are symmetric in time: their order is
 * even. */
static bool symmetric(const gt_half_row *forward, const gt_half_row *backward, double alpha)
{
    return forward == backward && alpha == 0.5;
}

int gt_bi_order(const gt_half_row *forward, const gt_half_row *backward, double alpha)
{
    assert(forward && backward);
    assert(forward->order >= 1 && backward->order >= 1);
    int least = forward->order < backward->order ? forward->order : backward->order;
    if (alpha == 0) return backward->order;
    if (alpha == 1) return forward->order;
    return symmetric(forward, backward, alpha) ? least + least % 2 : least;
}

/* A symmetric step: e_left = C h^p + .., e_right = -(-1)^p C h^p + .., so that one of sum and
 * difference gains a power.
 */
int gt_bi_error_power(const gt_half_row *forward, const gt_half_row *backward, double alpha,
                      bool difference)
{
    assert(forward && backward);
    assert(forward->order >= 1 && backward->order >= 1);
    int least =
        forward->error_power < backward->error_power ? forward->error_power : backward->error_power;
    if (alpha == 0) return backward->error_power;
    if (alpha == 1) return forward->error_power;
    bool cancels = (least % 2 == 0) != difference;
    return symmetric(forward, backward, alpha) && cancels ? least + 1 : least;
}

/* Coefficient of z^k in R(z) - exp(z). */
static double defect(const gt_rational *R, int k)
{
    double series[GT_MAX_DEGREE + 1], factorial = 1;
    for (int m = 0; m <= k; m++) {
        series[m] = m <= R->num_degree ? R->num[m] : 0;
        for (int j = 1; j <= m && j <= R->den_degree; j++) series[m] -= R->den[j] * series[m - j];
        if (m) factorial *= m;
    }
    return series[k] - 1 / factorial;
}

static double times(const gt_bi_numbers *w, int i) { return cimag(w->poles.r[i]) == 0 ? 1 : 2; }

/* x_new = x + h sum_i sigma_i (..)^-1 f; consistency, sum sigma_i = 1 over all roots, holds to the
 * last bit. */
static void find_step(gt_bi_numbers *w)
{
    double rest = 1;
    for (int i = 0; i < w->poles.count; i++) {
        w->sigma[i] = gt_fraction_weight(&w->poles, i, w->R.num, w->R.num_degree) * w->poles.r[i];
        rest -= times(w, i) * creal(w->sigma[i]);
    }
    w->sigma[0] += rest / times(w, 0);
}

static void find_estimate(gt_bi_numbers *w)
{
    int degree = w->R.den_degree, power = w->order + 1 < degree + 1 ? w->order + 1 : degree + 1;
    double C = defect(&w->R, power), monomial[GT_HALF_DEGREE + 2] = {0};
    if (power <=
        w->order) { /* of lower order than the step: the errors of both halves by themselves */
        double factorial = 1;
        for (int k = 2; k <= power; k++) factorial *= k;
        C = (gt_whole_power(w->alpha, power) + gt_whole_power(1 - w->alpha, power)) / factorial;
    }
    monomial[power - 1] = C;
    w->estimate_0 = 0;
    for (int i = 0; i < w->poles.count; i++) {
        w->estimate[i] = gt_fraction_weight(&w->poles, i, monomial, power - 1);
        w->estimate_0 -= times(w, i) * creal(w->estimate[i]);
    }
    if (power - 1 < degree) w->estimate_0 = 0;
}

/* Stage j of a half of length s h (negative: backward) at node `at`. */
static void add_node(gt_bi_numbers *w, const gt_half *half, int j, double s, double at)
{
    double q[GT_HALF_STAGES];
    int node = 0;
    if (at < 1e-14) return; /* the slope there is known */
    while (node < w->nodes && fabs(w->node[node] - at) > 1e-14) node++;
    if (node == w->nodes) {
        w->node[w->nodes++] = at;
        for (int i = 0; i < w->poles.count; i++) w->omega[node][i] = 0;
    }
    gt_half_input(half, j, q);
    stretch(q, half->stages - 1, s, q);
    for (int i = 0; i < w->poles.count; i++)
        w->omega[node][i] += fabs(s) * gt_fraction_weight(&w->poles, i, q, half->stages - 1);
}

/* weight_j = factor / prod (node_j - node_m) over the nodes that are in use */
static void divided_difference(const double *node, const bool *used, double factor, double *weight)
{
    for (int j = 0; j < 5; j++) {
        weight[j] = used[j] ? factor : 0;
        for (int m = 0; m < 5; m++)
            if (used[j] && used[m] && m != j) weight[j] /= node[j] - node[m];
    }
}

/* A blind half is Simpson's rule when f depends on t only. The error of two of them, (alpha^5 + (1
 * - alpha)^5) h^5 f^(4) / 2880, is seen by the divided difference of the five slopes, f^(4) / 24.
 * Of a single one the other end of the step is the fourth point: c^3 (2 - c) h^4 f^(3) / 72, c its
 * length, is the distance to the quadrature through its ends and that point. */
static void find_forcing(gt_bi_numbers *w)
{
    double a = w->alpha, b = 1 - a, node[5] = {0, a / 2, a, (1 + a) / 2, 1};
    bool left = w->forward.blind, right = w->backward.blind;
    if ((!left && !right) || a == 0 || a == 1) return;
    double c = left ? a : b, factor = left && right
                                          ? (gt_whole_power(a, 5) + gt_whole_power(b, 5)) / 120
                                          : c * c * c * (2 - c) / 12;
    divided_difference(node, (bool[]){true, left, true, right, true}, factor, w->forcing);
}

bool gt_bi_open(gt_bi_numbers *w, const gt_half_row *forward, const gt_half_row *backward,
                double alpha)
{
    assert(w && forward && backward);
    assert(alpha >= 0 && alpha <= 1);
    *w = (gt_bi_numbers){.alpha = alpha, .order = gt_bi_order(forward, backward, alpha)};
    gt_half_open(&w->forward, forward);
    gt_half_open(&w->backward, backward);
    gt_bi_ratio(&w->forward, &w->backward, alpha, &w->R);
    find_forcing(w);
    if (!gt_fractions_open(&w->poles, w->R.den, w->R.den_degree) || alpha == 1) return false;
    find_step(w);
    find_estimate(w);
    for (int j = 0; j < w->forward.stages && alpha > 0; j++)
        add_node(w, &w->forward, j, alpha, alpha * w->forward.c[j]);
    for (int j = 0; j < w->backward.stages; j++)
        add_node(w, &w->backward, j, alpha - 1, 1 - (1 - alpha) * w->backward.c[j]);
    return true;
}

/* (2.15) for p = q = k. */
void gt_pade_ratio(int k, gt_rational *R)
{
    assert(R);
    assert(k >= 1 && 2 * k <= GT_MAX_DEGREE);
    *R = (gt_rational){.num_degree = k, .den_degree = k};
    double c = 1;
    for (int j = 0; j <= k; j++) {
        R->num[j] = c;
        R->den[j] = j % 2 ? -c : c;
        c *= (double)(k - j) / ((double)(2 * k - j) * (j + 1));
    }
}

/* Zeros of the Legendre polynomial on (0, 1). */
static void gauss_nodes(int k, double *node)
{
    double complex p[GT_MAX_FRACTIONS + 1] = {0}, roots[GT_MAX_FRACTIONS] = {0};
    double c = k % 2 ? -1 : 1;
    for (int j = 0; j <= k; j++) {
        p[j] = c;
        c *= -(double)(k - j) * (k + j + 1) / ((double)(j + 1) * (j + 1));
    }
    gt_poly_roots(p, k, roots, false);
    for (int j = 0; j < k; j++) node[j] = creal(roots[j]);
}

/* Integral from 0 to `end` of the Lagrange polynomial that is 1 at node j. */
static double lagrange_integral(int k, const double *node, int j, double end)
{
    double p[GT_MAX_FRACTIONS + 1] = {1}, sum = 0, power = end;
    int degree = 0;
    for (int m = 0; m < k; m++) {
        if (m == j) continue;
        double scale = 1 / (node[j] - node[m]);
        for (int i = ++degree; i > 0; i--) p[i] = scale * (p[i - 1] - node[m] * p[i]);
        p[0] *= -scale * node[m];
    }
    for (int i = 0; i <= degree; i++, power *= end) sum += p[i] * power / (i + 1);
    return sum;
}

/* What node j adds: [b^T (I - z A)^-1]_j den(z) is a polynomial of degree k - 1, found from the
 * series b^T A^m. */
static void add_gauss_node(gt_bi_numbers *w, int k, int j)
{
    double v[GT_MAX_FRACTIONS], next[GT_MAX_FRACTIONS], series[GT_MAX_FRACTIONS],
        q[GT_MAX_FRACTIONS] = {0};
    for (int i = 0; i < k; i++) v[i] = lagrange_integral(k, w->node, i, 1);
    for (int m = 0; m < k; m++) {
        series[m] = v[j];
        for (int i = 0; i < k; i++) {
            next[i] = 0;
            for (int l = 0; l < k; l++)
                next[i] += v[l] * lagrange_integral(k, w->node, i, w->node[l]);
        }
        for (int i = 0; i < k; i++) v[i] = next[i];
    }
    for (int m = 0; m < k; m++)
        for (int i = 0; i <= m; i++) q[m] += series[i] * w->R.den[m - i];
    for (int i = 0; i < w->poles.count; i++)
        w->omega[j][i] = gt_fraction_weight(&w->poles, i, q, k - 1);
}

void gt_bi_open_pade(gt_bi_numbers *w, int k)
{
    assert(w);
    assert(k >= 1);
    *w = (gt_bi_numbers){.order = 2 * k, .nodes = k};
    gt_pade_ratio(k, &w->R);
    (void)!gt_fractions_open(&w->poles, w->R.den, k);
    find_step(w);
    gauss_nodes(k, w->node);
    for (int j = 0; j < k; j++) add_gauss_node(w, k, j);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two families of dual-rate pairs with any number s of fast stages, in closed form, for the engine in partitioned_rk.c.
 * beta_k are the coefficients of the wanted fast polynomial R(z) = sum beta_k z^k.
 *
 * prk2s, order 2 for every R with beta_1 = 1, beta_2 = 1/2; slow slopes at stages 1 and s:
 *
 *     a_(i+1,i) = beta_(s-i+1) / beta_(s-i), all other a_ij = 0      a^_i1 = c_i      b = b^ = e_s      (explicit
 *     midpoint rule, whose middle the fast block reaches in s - 1 small steps from the start)
 *
 * prk3s, order 3 for every R with also beta_3 = 1/6; slow slopes at stages 1, s-1 and s:
 *
 *     a_(s,s-1) = 2/3, a_(s-1,s-2) = 1/3, a_(s-1-j,s-2-j) = beta_(j+3) / beta_(j+2) for j = 1 .. s-3
 *     a^_i1 = c_i for i < s, a^_(s,s-1) = 2/3      b = b^ = (1/4, 0, .., 0, 3/4)      (Heun's third-order rule)
 *
 * Both have c = c^ and b = b^: what moves together stays together, and momentum is kept, to round-off. The orders are
 * those of the trees with two colours: with one nonzero a_ij in a row, equal nodes and these weights all conditions
 * fold to those of the underlying rule. Comparison weights: e_1 (forward Euler, order 1) for prk2s, (0, .., 1/2, 1/2)
 * of order 2 for prk3s.
 *
 * R is the polynomial with the largest stable interval on the imaginary axis (s - 1 for order 2 and odd s, otherwise
 * sqrt(s (s - 2)); exact fractions), or, for a fast block that is damped rather than swinging (axis=real), a damped
 * Chebyshev polynomial, stable up to about 0.65 s^2 on the negative real axis.
 */
#include "design/known_polynomials.h"
#include "methods/methods.h"
#include "methods/partitioned_rk.h"
#include <geartrain/design.h>

enum { OPT_STAGES, OPT_AXIS };
enum { IMAGINARY, REAL };
static const char *const axes[] = {"imaginary", "real", NULL};
static const double damping = 2.0 / 13; /* as in the code RKC of Sommeijer, Shampine and Verwer */

#define AXIS                                                                                                           \
    {                                                                                                                  \
        .name = "axis", .help = "where the fast eigenvalues are", .type = GT_CHOICE, .choices = axes,                  \
        .initial = IMAGINARY                                                                                           \
    }
static const gt_param options_2s[] = {
    {.name = "stages", .help = "fast evaluations in a step", .type = GT_INTEGER, .initial = 5, .min = 2, .max = 16},
    AXIS,
    {0},
};
static const gt_param options_3s[] = {
    {.name = "stages", .help = "fast evaluations in a step", .type = GT_INTEGER, .initial = 6, .min = 3, .max = 16},
    {0},
};

/* quotient[k] = beta_(k+1) / beta_k. */
static void quotients(int s, int order, bool real_axis, gt_ratio *quotient)
{
    gt_exact exact[GT_MAX_STAGES + 1];
    double beta[GT_MAX_STAGES + 1];
    int limit_squared;
    if (real_axis)
        gt_polynomial_real(s, damping, beta);
    else
        (void)gt_polynomial_imaginary(s, order, exact, &limit_squared);
    for (int k = 1; k < s; k++) {
        if (real_axis)
            quotient[k] = k == 1 ? (gt_ratio){1, 2} : gt_ratio_near(beta[k + 1] / beta[k]);
        else
            (void)gt_exact_to_ratio(gt_exact_divide(exact[k + 1], exact[k]), &quotient[k]);
    }
}

static void chain_2s(const gt_method *self, const double *v, gt_partitioned *P)
{
    int s = (int)v[OPT_STAGES];
    gt_ratio quotient[GT_MAX_STAGES];
    (void)self;
    *P = (gt_partitioned){0};
    P->slow.stages = P->fast.stages = s;
    quotients(s, 2, v[OPT_AXIS] == REAL, quotient);
    for (int i = 1; i < s; i++) P->fast.a[i][i - 1] = P->slow.a[i][0] = quotient[s - i];
    P->slow.b[s - 1] = P->fast.b[s - 1] = (gt_ratio){1, 1};
    P->slow.b_hat[0] = P->fast.b_hat[0] = (gt_ratio){1, 1};
    gt_prk_fill_nodes(P);
}

static void chain_3s(const gt_method *self, const double *v, gt_partitioned *P)
{
    int s = (int)v[OPT_STAGES], last = s - 1;
    gt_ratio quotient[GT_MAX_STAGES];
    (void)self;
    *P = (gt_partitioned){0};
    P->slow.stages = P->fast.stages = s;
    quotients(s, 3, false, quotient);
    for (int i = 1; i < last - 1; i++) P->fast.a[i][i - 1] = P->slow.a[i][0] = quotient[s - i];
    P->fast.a[last - 1][last - 2] = P->slow.a[last - 1][0] = (gt_ratio){1, 3};
    P->fast.a[last][last - 1] = P->slow.a[last][last - 1] = (gt_ratio){2, 3};
    P->slow.b[0] = P->fast.b[0] = (gt_ratio){1, 4};
    P->slow.b[last] = P->fast.b[last] = (gt_ratio){3, 4};
    for (int i = last - 1; i <= last; i++) P->slow.b_hat[i] = P->fast.b_hat[i] = (gt_ratio){1, 2};
    gt_prk_fill_nodes(P);
}

static gt_facts order_2(const gt_method *self, const double *v) { return gt_prk_facts(self, v, 2, 1); }
static gt_facts order_3(const gt_method *self, const double *v) { return gt_prk_facts(self, v, 3, 2); }

#define FAMILY(id, s_options, s_facts, pair, text)                                                                     \
    const gt_method gt_method_##id = {.name = #id,                                                                     \
                                      .family = "dual-rate Runge-Kutta",                                               \
                                      .title = text,                                                                   \
                                      .reference = "Kinnmark, Gray, Math. Comput. Simul. 26 (1984) 87 and 181, for "   \
                                                   "the fast polynomials",                                             \
                                      .options = s_options,                                                            \
                                      .facts = s_facts,                                                                \
                                      .partitioned_of = pair,                                                          \
                                      GT_PRK_ENGINE};
FAMILY(prk2s, options_2s, order_2, chain_2s, "2 slow stages and any number of fast ones, order 2, keeps momentum")
FAMILY(prk3s, options_3s, order_3, chain_3s, "3 slow stages and any number of fast ones, order 3, keeps momentum")

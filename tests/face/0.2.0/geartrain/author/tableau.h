/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_TABLEAU_H
#define GEARTRAIN_TABLEAU_H

/* Coefficients of methods as they are printed: what a gt_method points to. */
#include <geartrain/api.h>
#include <geartrain/method.h>

GT_C_BEGIN

/* A rational number as printed in a table. */
typedef struct gt_ratio {
    long long num, den;
} gt_ratio;

enum { GT_MAX_STAGES = 16 };

/* Runge-Kutta tableau; rows as in the books. Zero denominators stand for 0. */
struct gt_tableau {
    int stages;
    gt_ratio c[GT_MAX_STAGES];
    gt_ratio a[GT_MAX_STAGES][GT_MAX_STAGES];
    gt_ratio b[GT_MAX_STAGES];
    gt_ratio b_hat[GT_MAX_STAGES]; /* weights of the comparison solution; all zero: none */
};

/*
 * Partitioned Runge-Kutta method: two tableaux with the same stages, one for each block, shome (2),
 *
 *     X_i = x + h sum_j slow.a_ij k_j      k_i = f_slow(t + slow.c_i h, X_i, Z_i)      x_new = x +
 * h sum_i slow.b_i k_i Z_i = z + h sum_j fast.a_ij l_j      l_i = f_fast(t + fast.c_i h, X_i, Z_i)
 * z_new = z + h sum_i fast.b_i l_i
 *
 * A block is evaluated at the stages whose column in its tableau is not empty, and at no others.
 */
struct gt_partitioned {
    gt_tableau slow, fast;
    gt_ratio slow_end,
        fast_end; /* what the slope at the end of the step weighs in the comparison solution */
};

/* The stages, counted from 0, at which the block of this tableau is evaluated; gives their number.
 */
GT_API int gt_tableau_stages(const gt_tableau *T, int list[GT_MAX_STAGES]);

enum { GT_MAX_SLOW_STAGES = 5 };

/*
 * Multirate infinitesimal method: in slow stage i, from c_i to c_(i+1), the slow block moves with
 *
 *     dx/dtheta = h sum_j (gamma0_ij + gamma1_ij theta) k_j,     k_j = f_slow(t + c_j h, x_j, z_j),
 * 0 <= theta <= 1
 *
 * while the fast block is integrated beside it. The row after the last stage is the comparison for
 * that stage.
 */
struct gt_infinitesimal {
    int order, stages;
    gt_ratio c[GT_MAX_SLOW_STAGES + 1];
    gt_ratio gamma0[GT_MAX_SLOW_STAGES + 1][GT_MAX_SLOW_STAGES],
        gamma1[GT_MAX_SLOW_STAGES + 1][GT_MAX_SLOW_STAGES];
};

/*
 * Linear multistep formula at constant step, (5.8) of crow:
 *
 *     x_(n+1) = sum_(i>=0) a_i x_(n-i) + h sum_(i>=-1) b_i f_(n-i)
 *
 * with local error x(t_(n+1)) - x_(n+1) = error h^(order+1) x^(order+1) + O(h^(order+2)).
 */
struct gt_multistep {
    int order;
    int steps; /* points x_n, x_(n-1), ... that enter */
    gt_ratio a[GT_MAX_PAST];
    gt_ratio b[GT_MAX_PAST + 1]; /* b[0] is b_-1, that of f_(n+1); b[1 + i] that of f_(n-i) */
    gt_ratio error;
};

enum { GT_MAX_DEGREE = 64 };

/* R(z) = num(z) / den(z) with real coefficients in ascending powers. */
struct gt_rational {
    int num_degree, den_degree;
    double num[GT_MAX_DEGREE + 1], den[GT_MAX_DEGREE + 1];
};

static inline double gt_ratio_value(gt_ratio r)
{
    return r.den ? (double)r.num / (double)r.den : 0.0;
}

GT_C_END

#endif

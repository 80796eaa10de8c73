/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_TRUTH_EQUATIONS_H
#define GEARTRAIN_TRUTH_EQUATIONS_H

/* Short forms for the tables of problems. */
#include "truth.h"
#include <math.h>

#define PI 3.14159265358979323846

#if defined(__GNUC__)
#define TRUTH_UNUSED __attribute__((unused))
#else
#define TRUTH_UNUSED
#endif

/* EQUATIONS(name) { dx[0] = ..; return GT_OK; }  and  EXACT(name) { x[0] = ..; } */
#define EQUATIONS(name)                                                                            \
    static gt_status name##_rhs(double t TRUTH_UNUSED, const double *x TRUTH_UNUSED, double *dx,   \
                                void *ctx TRUTH_UNUSED)
#define EXACT(name) static void name##_exact(double t TRUTH_UNUSED, double *x)

/* n states without partition from t0 to t1, the initial values behind. */
#define IN_C(name, n, from, to, ...)                                                               \
    {                                                                                              \
        .n_slow = (n), .rhs = name##_rhs, .t0 = (from), .t1 = (to),                                \
        .x0 = (const double[n]){__VA_ARGS__},                                                      \
    }

#define TEN(v) v, v, v, v, v, v, v, v, v, v
#define NINETY_NINE_ONES                                                                           \
    TEN(1), TEN(1), TEN(1), TEN(1), TEN(1), TEN(1), TEN(1), TEN(1), TEN(1), 1, 1, 1, 1, 1, 1, 1,   \
        1, 1

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_BENCH_RHS_H
#define GEARTRAIN_BENCH_RHS_H

/* The right-hand sides, once, for C and C++. */
#include <math.h>
#include <stddef.h>

typedef struct bench_numbers {
    size_t n;
    double p[3];
} bench_numbers;

static inline void rhs_lorenz(const double *x, double *dx, const bench_numbers *c)
{
    double a = x[0], b = x[1], z = x[2];
    dx[0] = c->p[0] * (b - a);
    dx[1] = c->p[1] * a - b - a * z;
    dx[2] = a * b - c->p[2] * z;
}

static inline void rhs_vanderpol(const double *x, double *dx, const bench_numbers *c)
{
    double a = x[0], b = x[1];
    dx[0] = b;
    dx[1] = c->p[0] * (1 - a * a) * b - a;
}

/* Two bodies: steps shrink by a hundred where they come close. */
static inline void rhs_kepler(const double *x, double *dx, const bench_numbers *c)
{
    double square = x[0] * x[0] + x[1] * x[1], cube = square * sqrt(square);
    (void)c;
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = -x[0] / cube;
    dx[3] = -x[1] / cube;
}

/* n/2 unit masses on a line, springs with a cubic part between them and to the walls: x = [z, z'].
 */
static inline void rhs_chain(const double *x, double *dx, const bench_numbers *c)
{
    size_t m = c->n / 2;
    double left = x[0] + c->p[0] * x[0] * x[0] * x[0]; /* force in the spring left of mass i */
    for (size_t i = 0; i < m; i++) {
        double d = i + 1 < m ? x[i + 1] - x[i] : -x[i];
        double right = d + c->p[0] * d * d * d;
        dx[i] = x[m + i];
        dx[m + i] = right - left;
        left = right;
    }
}

static inline void rhs_heat(const double *x, double *dx, const bench_numbers *c)
{
    size_t last = c->n - 1;
    double k = c->p[0];
    dx[0] = k * (-2 * x[0] + x[1]);
    for (size_t i = 1; i < last; i++) dx[i] = k * (x[i - 1] - 2 * x[i] + x[i + 1]);
    dx[last] = k * (x[last - 1] - 2 * x[last]);
}

#endif

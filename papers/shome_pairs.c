/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 2-6 pairs as shome makes its 2-5 pair of Table 6: slow slopes at stages 2 and 4, the six
 * conditions of order 2 and coupling, and the polynomial that reaches farthest on the imaginary
 * axis, sqrt(24); 10 equations for 28 numbers. The rest is left to the start of the iteration:
 * Gauss-Newton steps of least length.
 */
#include "paper_parts.h"
#include <math.h>
#include <string.h>

enum {
    S = 6,
    FAST_A = S * (S - 1) / 2,
    FAST_B = FAST_A + S,
    SLOW_A = FAST_B + 5,
    UNKNOWNS = SLOW_A + 2,
    EQUATIONS = 10
};

typedef struct tableaux {
    double A[S][S], b[S], slow_A[S][S], slow_b[S];
} tableaux;

static tableaux read_tableaux(const double *u)
{
    tableaux t = {0};
    int k = 0;
    for (int i = 1; i < S; i++)
        for (int j = 0; j < i; j++) t.A[i][j] = u[k++];
    for (int i = 0; i < S; i++) t.b[i] = u[k++];
    for (int i = 2; i < 5; i++)
        t.slow_A[i][1] = u[k++]; /* stage 2 in rows 3 to 5, 2 and 4 in the last */
    t.slow_A[5][1] = u[k++], t.slow_A[5][3] = u[k++];
    t.slow_b[1] = u[k++], t.slow_b[3] = u[k++];
    return t;
}

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < S; i++) sum += a[i] * b[i];
    return sum;
}

static void residuals(const double *u, double *r)
{
    static const double beta[] = {1.0 / 6, 1.0 / 24, 1.0 / 180, 1.0 / 1080},
                        one[S] = {1, 1, 1, 1, 1, 1};
    tableaux t = read_tableaux(u);
    double c[S], slow_c[S], v[S], w[S];
    for (int i = 0; i < S; i++) c[i] = dot(t.A[i], one), slow_c[i] = dot(t.slow_A[i], one);
    r[0] = dot(t.b, one) - 1, r[1] = dot(t.slow_b, one) - 1;
    r[2] = dot(t.b, c) - 0.5, r[3] = dot(t.b, slow_c) - 0.5;
    r[4] = dot(t.slow_b, c) - 0.5, r[5] = dot(t.slow_b, slow_c) - 0.5;
    memcpy(v, c, sizeof v);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < S; i++) w[i] = dot(t.A[i], v);
        memcpy(v, w, sizeof v);
        r[6 + k] = dot(t.b, v) - beta[k];
    }
}

/* Solves the symmetric M y = r by elimination with pivots on the diagonal. */
static bool solve(double M[EQUATIONS][EQUATIONS], double *r)
{
    for (int k = 0; k < EQUATIONS; k++) {
        if (!(fabs(M[k][k]) > 1e-14)) return false;
        for (int i = k + 1; i < EQUATIONS; i++) {
            double f = M[i][k] / M[k][k];
            for (int j = k; j < EQUATIONS; j++) M[i][j] -= f * M[k][j];
            r[i] -= f * r[k];
        }
    }
    for (int k = EQUATIONS - 1; k >= 0; k--) {
        for (int j = k + 1; j < EQUATIONS; j++) r[k] -= M[k][j] * r[j];
        r[k] /= M[k][k];
    }
    return true;
}

/* u -= J^T (J J^T)^-1 r, J by central differences. */
static bool gauss_newton(double *u, double *size)
{
    double r[EQUATIONS], up[EQUATIONS], down[EQUATIONS], J[EQUATIONS][UNKNOWNS],
        M[EQUATIONS][EQUATIONS] = {{0}};
    residuals(u, r);
    *size = 0;
    for (int i = 0; i < EQUATIONS; i++) *size = fmax(*size, fabs(r[i]));
    for (int j = 0; j < UNKNOWNS; j++) {
        double kept = u[j], h = 1e-6;
        u[j] = kept + h, residuals(u, up);
        u[j] = kept - h, residuals(u, down);
        u[j] = kept;
        for (int i = 0; i < EQUATIONS; i++) J[i][j] = (up[i] - down[i]) / (2 * h);
    }
    for (int i = 0; i < EQUATIONS; i++)
        for (int k = 0; k < EQUATIONS; k++)
            for (int j = 0; j < UNKNOWNS; j++) M[i][k] += J[i][j] * J[k][j];
    if (!solve(M, r)) return false;
    for (int j = 0; j < UNKNOWNS; j++)
        for (int i = 0; i < EQUATIONS; i++) u[j] -= J[i][j] * r[i];
    return true;
}

bool gt_paper_shome_random_pair(unsigned seed, gt_partitioned *P)
{
    double u[UNKNOWNS], size = 1;
    uint64_t state = seed * 0x9e3779b97f4a7c15u;
    for (int j = 0; j < UNKNOWNS; j++) { /* between 0 and 0.6: the sizes of Table 6 */
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        u[j] = 0.6 * (double)(state >> 11) / 9007199254740992.0;
    }
    for (int k = 0; k < 60 && size > 1e-15; k++)
        if (!gauss_newton(u, &size)) return false;
    for (int j = 0; j < UNKNOWNS; j++)
        if (!(fabs(u[j]) < 2)) return false;
    if (!(size < 1e-13)) return false;
    tableaux t = read_tableaux(u);
    *P = (gt_partitioned){.slow = {.stages = S}, .fast = {.stages = S}};
    for (int i = 0; i < S; i++) {
        for (int j = 0; j < i; j++) {
            P->slow.a[i][j] = gt_ratio_near(t.slow_A[i][j]);
            P->fast.a[i][j] = gt_ratio_near(t.A[i][j]);
        }
        P->slow.b[i] = gt_ratio_near(t.slow_b[i]);
        P->fast.b[i] = gt_ratio_near(t.b[i]);
    }
    return true;
}

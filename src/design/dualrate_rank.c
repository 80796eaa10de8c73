/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stability with coupling, which the polynomial of the fast block alone does not tell: a slow mass
 * 1 and a fast mass m attached to it (frequency w = 100), for mass ratios m from 0.001 to 0.3; each
 * coupled in two ways: by a spring and a damper (damping ratio 0.05) to a slow mass on a spring and
 * damper of its own (frequency 2, damping ratio 0.3); and by a spring alone to a slow mass that is
 * free, so that nothing is damped. For the real axis, a heat conductor of the same kind: x' = -2x +
 * m w (z - x), z' = w (x - z), or without the loss 2x. One step is a matrix S, shome (22), whose
 * spectral radius must be at most 1; the largest h w up to which it is, over the limit of the fast
 * block alone.
 */
#include "design/dualrate.h"
#include <geartrain/author/lu.h>
#include <math.h>

enum { SIZE = 4 };

typedef struct system_matrix {
    int n, n_slow;
    double A[SIZE][SIZE];
} system_matrix;

static const double mass_ratios[] = {0.001, 0.01, 0.03, 0.1, 0.3};
enum { RATIOS = sizeof mass_ratios / sizeof *mass_ratios };
static const double rate = 100;
/* A growth of 1e-5 a step is not seen in thousands of them, and the double eigenvalue 1 of a free
 * motion is known to 1e-8. */
static const double slight = 1e-5;

static system_matrix two_masses(double m, bool is_free)
{
    double k = m * rate * rate, d = is_free ? 0 : 2 * 0.05 * rate * m; /* of the fast spring */
    double own = is_free ? 0 : 4, loss = is_free ? 0 : 2 * 0.3 * 2;
    return (system_matrix){
        4,
        2,
        {{0, 1, 0, 0}, {-own - k, -loss - d, k, d}, {0, 0, 0, 1}, {k / m, d / m, -k / m, -d / m}}};
}

static system_matrix conductor(double m, bool is_free)
{
    double loss = is_free ? 0 : 2;
    return (system_matrix){2, 1, {{-loss - m * rate, m * rate}, {rate, -rate}}};
}

/* Spectral radius of one step of size h; NAN when out of memory. */
static double radius(const gt_dualrate_system *w, const gt_dualrate_pair *pair,
                     const system_matrix *M, double h)
{
    int n = M->n, s = w->stages;
    double S[SIZE * SIZE], values[2 * SIZE], largest = 0;
    for (int column = 0; column < n; column++) {
        double k[GT_MAX_STAGES][SIZE], x[SIZE];
        for (int i = 0; i <= s; i++) {
            for (int row = 0; row < n; row++) {
                x[row] = row == column;
                const long double *a = i == s            ? pair->b
                                       : row < M->n_slow ? pair->slow[i]
                                                         : pair->fast[i];
                for (int j = 0; j < i; j++) x[row] += h * (double)a[j] * k[j][row];
            }
            for (int row = 0; row < n && i < s; row++) {
                k[i][row] = 0;
                for (int j = 0; j < n; j++) k[i][row] += M->A[row][j] * x[j];
            }
        }
        for (int row = 0; row < n; row++) S[row + column * n] = x[row];
    }
    for (int i = 0; i < n * n; i++)
        if (!(fabs(S[i]) < 1e100)) return INFINITY;
    gt_status status = gt_eigen((size_t)n, S, values, NULL, NULL);
    if (status) return status == GT_NO_MEMORY ? NAN : INFINITY;
    for (int i = 0; i < n; i++) largest = fmax(largest, hypot(values[2 * i], values[2 * i + 1]));
    return largest;
}

static double stable_step(const gt_dualrate_system *w, const gt_dualrate_pair *pair,
                          const system_matrix *M, double limit)
{
    double low = 0, high = 0, step = limit / rate / 60, r = 0;
    while (high < 1.5 * limit / rate && (r = radius(w, pair, M, high + step)) <= 1 + slight)
        high += step;
    if (isnan(r)) return NAN;
    low = high;
    high += step;
    for (int k = 0; k < 12; k++) {
        double middle = (low + high) / 2;
        r = radius(w, pair, M, middle);
        if (isnan(r)) return NAN;
        if (r <= 1 + slight)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void gt_dualrate_coupled(const gt_dualrate_system *w, const gt_dualrate_pair *pair, bool damped,
                         double limit, double *worst, double *mean)
{
    *worst = INFINITY;
    *mean = 0;
    for (int i = 0; i < 2 * RATIOS; i++) {
        double m = mass_ratios[i / 2];
        system_matrix M = damped ? conductor(m, i % 2) : two_masses(m, i % 2);
        double reached = stable_step(w, pair, &M, limit) * rate / limit;
        *worst = reached < *worst || isnan(reached) ? reached : *worst;
        *mean += reached / (2 * RATIOS);
    }
}

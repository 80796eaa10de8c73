/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * At the largest parameter r for which G <= 0 is possible, with touching points x_j and multipliers
 * m_j,
 *
 *     sum_j m_j dG_j/dy = 0      sum_j m_j = 1      G_j = 0      dG_j/dx = 0 where x_j is not an
 * end
 *
 * are as many equations as unknowns y, r, m, x. Newton's method: residuals in long double with
 * differences of order 4 for dG/dx, the Jacobian by differences in double, steps by least squares
 * of minimal norm, since more points may touch than are needed.
 */
#include "design/minimax.h"
#include "linalg/backend.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = GT_MINIMAX_UNKNOWNS + 1 + 2 * GT_MINIMAX_TOUCHES };
static const long double apart = 1e-4L; /* of points for dG/dx */

/* Unknowns: y, r, multipliers, inner points. */
typedef struct kkt {
    gt_minimax *p;
    int inner[GT_MINIMAX_TOUCHES], n_inner, size;
    long double v[MOST];
} kkt;

static long double value_of(const gt_minimax *p, const gt_minimax_value *G, const long double *y,
                            long double *slope)
{
    long double first = 0, second = 0, value = G->constant;
    for (int i = 0; i < p->unknowns; i++) {
        first += G->square[0][i] * y[i];
        second += G->square[1][i] * y[i];
        value += G->linear[i] * y[i];
    }
    for (int i = 0; i < p->unknowns && slope; i++)
        slope[i] = G->linear[i] + 2 * first * G->square[0][i] + 2 * second * G->square[1][i];
    return value + first * first + second * second;
}

static long double at(const gt_minimax *p, int branch, long double x, const long double *y,
                      long double *slope)
{
    gt_minimax_value G = {0};
    p->at(p, branch, x, &G);
    return value_of(p, &G, y, slope);
}

static void residual(const kkt *w, const long double *v, long double *F)
{
    const gt_minimax *p = w->p;
    int n = p->unknowns, touches = p->touches, inner = 0;
    const long double *multiplier = v + n + 1, *x_inner = multiplier + touches;
    p->set_parameter(p, v[n]);
    for (int i = 0; i <= n; i++) F[i] = 0;
    F[n] = -1;
    for (int j = 0; j < touches; j++) {
        bool is_inner = inner < w->n_inner && w->inner[inner] == j;
        long double x = is_inner ? x_inner[inner] : p->touch[j], slope[GT_MINIMAX_UNKNOWNS];
        int branch = p->touch_branch[j];
        F[n + 1 + j] = at(p, branch, x, v, slope);
        for (int i = 0; i < n; i++) F[i] += multiplier[j] * slope[i];
        F[n] += multiplier[j];
        if (!is_inner) continue;
        long double near = at(p, branch, x + apart, v, NULL) - at(p, branch, x - apart, v, NULL);
        long double far =
            at(p, branch, x + 2 * apart, v, NULL) - at(p, branch, x - 2 * apart, v, NULL);
        F[n + 1 + touches + inner++] = (8 * near - far) / (12 * apart);
    }
}

static long double norm_of(const long double *F, int n)
{
    long double largest = 0;
    for (int i = 0; i < n; i++) largest = fmaxl(largest, fabsl(F[i]));
    return largest;
}

/* One step of Newton's method from v, in place. */
static bool newton_step(const kkt *w, long double *v, double *J, double *rhs)
{
    int size = w->size;
    long double F[MOST], above[MOST], below[MOST];
    residual(w, v, F);
    for (int j = 0; j < size; j++) {
        long double kept = v[j], d = 1e-6L * (1 + fabsl(kept));
        v[j] = kept + d;
        residual(w, v, above);
        v[j] = kept - d;
        residual(w, v, below);
        v[j] = kept;
        for (int i = 0; i < size; i++) J[i + j * size] = (double)((above[i] - below[i]) / (2 * d));
    }
    for (int i = 0; i < size; i++) rhs[i] = (double)F[i];
    if (!gt_least_norm(size, size, J, rhs, 1e-11)) return false;
    for (int i = 0; i < size; i++) v[i] -= rhs[i];
    return true;
}

/* Multipliers that make the sum of slopes least, by least squares. */
static bool guess_multipliers(kkt *w, double *A, double *rhs)
{
    gt_minimax *p = w->p;
    int rows = p->unknowns + 1, columns = p->touches, most = rows > columns ? rows : columns;
    memset(rhs, 0, (size_t)most * sizeof *rhs);
    for (int j = 0; j < columns; j++) {
        long double slope[GT_MINIMAX_UNKNOWNS];
        at(p, p->touch_branch[j], p->touch[j], p->y, slope);
        for (int i = 0; i < rows; i++) A[i + j * rows] = i < p->unknowns ? (double)slope[i] : 1;
    }
    rhs[rows - 1] = 1;
    if (!gt_least_norm(rows, columns, A, rhs, 1e-11)) return false;
    for (int j = 0; j < columns; j++) w->v[rows + j] = rhs[j];
    return true;
}

static bool polish(kkt *w, double *J, double *rhs)
{
    gt_minimax *p = w->p;
    int n = p->unknowns;
    long double F[MOST], best = HUGE_VALL;
    if (!guess_multipliers(w, J, rhs)) return false;
    for (int k = 0; k < 25; k++) {
        long double v[MOST];
        memcpy(v, w->v, sizeof v);
        if (!newton_step(w, v, J, rhs)) return false;
        residual(w, v, F);
        long double size = norm_of(F, w->size);
        if (!(size < best)) break;
        best = size;
        memcpy(w->v, v, sizeof v);
    }
    for (int j = 0; j < p->touches; j++)
        if (!(w->v[n + 1 + j] > -1e-6L))
            return false; /* a multiplier of the wrong sign: no maximum */
    return best < 1e-12L * (1 + norm_of(w->v, n));
}

bool gt_minimax_polish(gt_minimax *p, long double *parameter)
{
    kkt w = {.p = p};
    int n = p->unknowns;
    if (p->touches == 0 || n == 0) return false;
    for (int j = 0; j < p->touches; j++) {
        if (p->touch[j] > 3 * apart && p->touch[j] < 1 - 3 * apart) {
            w.v[n + 1 + p->touches + w.n_inner] = p->touch[j];
            w.inner[w.n_inner++] = j;
        }
    }
    w.size = n + 1 + p->touches + w.n_inner;
    for (int i = 0; i < n; i++) w.v[i] = p->y[i];
    w.v[n] = *parameter;
    double *J = malloc((size_t)(w.size + 1) * (size_t)w.size * sizeof *J),
           *rhs = malloc(MOST * sizeof *rhs);
    bool done =
        J && rhs && polish(&w, J, rhs) && fabsl(w.v[n] - *parameter) < 1e-6L * fabsl(*parameter);
    free(J);
    free(rhs);
    if (done) {
        *parameter = w.v[n];
        for (int i = 0; i < n; i++) p->y[i] = w.v[i];
        for (int i = 0; i < w.n_inner; i++) p->touch[w.inner[i]] = w.v[n + 1 + p->touches + i];
        p->t = 0;
    }
    p->set_parameter(p, *parameter);
    return done;
}

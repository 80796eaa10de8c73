/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchange: the inequalities are demanded at finitely many points, the convex problem is solved,
 * the maxima of G over the whole interval are added to the points, and so on until no maximum is
 * above t.
 *
 * The finite problem is solved by a barrier: minimise  p t - sum_j log(t - G_j)  by Newton's method
 * for p growing to where the gap m/p between t and its optimum is below the accuracy. Long doubles,
 * since the Hessian of the barrier then is ill-conditioned. That gives t and the parameter to all
 * digits, but y along directions in which t is flat to half of them; minimax_polish.c does the
 * rest.
 */
#include "design/minimax.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { ROOM = 1200, EXCHANGES = 40, NEWTON = 60, SIZE = GT_MINIMAX_UNKNOWNS + 1 };

typedef struct points {
    int count;
    gt_minimax_value value[ROOM];
} points;

static long double dot(const long double *a, const long double *b, int n)
{
    long double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static long double evaluate(const gt_minimax_value *G, const long double *y, int n)
{
    long double first = dot(G->square[0], y, n), second = dot(G->square[1], y, n);
    return G->constant + dot(G->linear, y, n) + first * first + second * second;
}

static long double value_at(const gt_minimax *p, int branch, long double x)
{
    gt_minimax_value G = {0};
    p->at(p, branch, x, &G);
    return evaluate(&G, p->y, p->unknowns);
}

static void add_point(const gt_minimax *p, points *set, int branch, long double x)
{
    if (set->count == ROOM) return;
    set->value[set->count] = (gt_minimax_value){0};
    p->at(p, branch, x, &set->value[set->count++]);
}

/* Solves the symmetric positive definite H d = g in place of g. A pivot that is lost in round-off
 * is made so large that nothing moves in its direction. */
static bool solve_definite(int n, long double H[SIZE][SIZE], long double *g)
{
    for (int j = 0; j < n; j++) {
        long double diagonal = H[j][j];
        for (int k = 0; k < j; k++) H[j][j] -= H[j][k] * H[j][k];
        if (!(diagonal > 0)) return false;
        if (!(H[j][j] > 1e-18L * diagonal)) H[j][j] = 1e12L * diagonal;
        H[j][j] = sqrtl(H[j][j]);
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++) H[i][j] -= H[i][k] * H[j][k];
            H[i][j] /= H[j][j];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) g[i] -= H[i][k] * g[k];
        g[i] /= H[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) g[i] -= H[k][i] * g[k];
        g[i] /= H[i][i];
    }
    return true;
}

/* Gradient and Hessian of the barrier in (y, t). */
static void expand(const gt_minimax *p, const points *set, long double weight, long double *g,
                   long double H[SIZE][SIZE])
{
    int n = p->unknowns;
    for (int i = 0; i <= n; i++) {
        g[i] = 0;
        for (int j = 0; j <= i; j++) H[i][j] = 0;
    }
    g[n] = weight;
    for (int m = 0; m < set->count; m++) {
        const gt_minimax_value *G = &set->value[m];
        long double slack = p->t - evaluate(G, p->y, n), inverse = 1 / slack, v[SIZE];
        long double first = 2 * dot(G->square[0], p->y, n), second = 2 * dot(G->square[1], p->y, n);
        for (int i = 0; i < n; i++)
            v[i] = G->linear[i] + first * G->square[0][i] + second * G->square[1][i];
        v[n] = -1;
        for (int i = 0; i <= n; i++) {
            g[i] += inverse * v[i];
            for (int j = 0; j <= i; j++) {
                long double curved =
                    i < n ? G->square[0][i] * G->square[0][j] + G->square[1][i] * G->square[1][j]
                          : 0;
                H[i][j] += inverse * (inverse * v[i] * v[j] + 2 * curved);
            }
        }
    }
}

static bool is_inside(const gt_minimax *p, const points *set, const long double *y, long double t)
{
    for (int m = 0; m < set->count; m++)
        if (!(evaluate(&set->value[m], y, p->unknowns) < t)) return false;
    return true;
}

/* Newton's method to the point of the central path with this weight of t. */
static bool centre(gt_minimax *p, const points *set, long double weight)
{
    int n = p->unknowns;
    long double g[SIZE], H[SIZE][SIZE], y[SIZE], kept[SIZE];
    for (int k = 0; k < NEWTON; k++) {
        expand(p, set, weight, g, H);
        for (int i = 0; i <= n; i++) kept[i] = g[i];
        if (!solve_definite(n + 1, H, g)) return weight > 1e6L;
        long double decrement = dot(kept, g, n + 1);
        if (!(decrement > 1e-4L)) return true;
        long double step =
            decrement > 0.25L ? 1 / (1 + sqrtl(decrement)) : 1; /* damped Newton stays inside */
        for (;; step /= 2) {
            if (step < 1e-12L) return true;
            for (int i = 0; i < n; i++) y[i] = p->y[i] - step * g[i];
            if (is_inside(p, set, y, p->t - step * g[n])) break;
        }
        for (int i = 0; i < n; i++) p->y[i] = y[i];
        p->t -= step * g[n];
    }
    return true;
}

static bool solve_finite(gt_minimax *p, const points *set)
{
    long double largest = -HUGE_VALL;
    for (int m = 0; m < set->count; m++)
        largest = fmaxl(largest, evaluate(&set->value[m], p->y, p->unknowns));
    long double slack = 1 + fabsl(largest);
    p->t = largest + slack;
    for (long double weight = 1 / slack; set->count / weight > p->gap * (1 + fabsl(p->t));
         weight *= 30)
        if (!centre(p, set, weight)) return false;
    return isfinite((double)p->t);
}

/* Closer to the maximum at x by Newton's method, with derivatives from differences of order 4; the
 * value alone tells the place to half the digits only. */
static long double sharpen(const gt_minimax *p, int branch, long double x)
{
    const long double d = 1e-4L;
    for (int k = 0; k < 4 && x > 3 * d && x < 1 - 3 * d; k++) {
        long double far_left = value_at(p, branch, x - 2 * d), left = value_at(p, branch, x - d);
        long double right = value_at(p, branch, x + d), far_right = value_at(p, branch, x + 2 * d);
        long double slope = (8 * (right - left) - (far_right - far_left)) / (12 * d);
        long double bend = (right - 2 * value_at(p, branch, x) + left) / (d * d);
        if (!(bend < 0) || !(fabsl(slope) < -bend * d)) break;
        x -= slope / bend;
    }
    return x;
}

/* The maximum between a and b, by golden section. */
static long double highest(const gt_minimax *p, int branch, long double a, long double b)
{
    const long double golden = 0.61803398874989484820L;
    long double c = b - golden * (b - a), d = a + golden * (b - a);
    long double at_c = value_at(p, branch, c), at_d = value_at(p, branch, d);
    while (b - a > 1e-8L) {
        if (at_c > at_d) {
            b = d, d = c, at_d = at_c;
            at_c = value_at(p, branch, c = b - golden * (b - a));
        } else {
            a = c, c = d, at_c = at_d;
            at_d = value_at(p, branch, d = a + golden * (b - a));
        }
    }
    return sharpen(p, branch, (a + b) / 2);
}

/* Notes a maximum: where G touches t, and as a point of the set when `set` is given and G is above
 * t. */
static bool note(gt_minimax *p, points *set, int branch, long double x)
{
    long double value = value_at(p, branch, x);
    bool above = value > p->t + 10 * p->gap * (1 + fabsl(p->t));
    if (value > p->t - 1e-6L * (1 + fabsl(p->t)) && p->touches < GT_MINIMAX_TOUCHES) {
        p->touch_branch[p->touches] = branch;
        p->touch[p->touches++] = x;
    }
    if (above && set) add_point(p, set, branch, x);
    return above;
}

/* Goes through all local maxima; true when one is above t. */
static bool look_for_maxima(gt_minimax *p, points *set)
{
    int pieces = 24 * (p->detail + 2);
    bool above = false;
    p->touches = 0;
    for (int branch = 0; branch < p->branches; branch++) {
        long double before = -HUGE_VALL, here = value_at(p, branch, 0), x_before = 0, x = 0;
        for (int k = 0; k <= pieces; k++) {
            /* Dense at both ends, as the swings of the polynomials are. */
            long double x_next = k == pieces ? 1 : (1 - cosl(acosl(-1) * (k + 1) / pieces)) / 2;
            long double next = k == pieces ? -HUGE_VALL : value_at(p, branch, x_next);
            if (here >= before && here > next) {
                bool end = x == 0 || x == 1;
                long double inside = highest(p, branch, x_before, k == pieces ? 1 : x_next);
                if (end && value_at(p, branch, inside) <= here) inside = x;
                above |= note(p, set, branch, inside);
            }
            before = here, x_before = x;
            here = next, x = x_next;
        }
    }
    return above;
}

bool gt_minimax_solve(gt_minimax *p)
{
    points *set = malloc(sizeof *set);
    if (!set) return false;
    int grid = 3 * (p->detail + 4);
    bool found = true, open = true;
    set->count = 0;
    for (int branch = 0; branch < p->branches; branch++)
        for (int k = 0; k <= grid; k++)
            add_point(p, set, branch, (1 - cosl(acosl(-1) * k / grid)) / 2);
    for (int k = 0; k < EXCHANGES && found && open; k++) {
        found = solve_finite(p, set);
        open = found && look_for_maxima(p, set);
    }
    free(set);
    return found;
}

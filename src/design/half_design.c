/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Halves for a backinterpolation method of order 6 that is A-stable. R(z) = P(z/2)/P(-z/2) is
 * A-stable exactly when all zeros of P have negative real parts (P is Hurwitz). A half of order 5
 * has P = T_5 + ..; T_5 itself has zeros 0.2398 +- 3.1283i, and
 *
 *     6 stages   T_5 + c z^6: never Hurwitz, as the fifth number of Routh's column is -120 c^2 /
 * (1/360 - 7 c/3), while the fourth asks for c < 1/840 7 stages   T_5 + c z^6 + d z^7: Hurwitz in a
 * small region about c = 1/1121, d = 1/8165
 *
 * Routh's array decides this in rational arithmetic. The tableau has 21 a_ij and 7 b_i; they have
 * to meet the 17 order conditions up to order 5 and b^T A^5 1 = c, b^T A^6 1 = d. Gauss and
 * Newton's iteration with least corrections finds a solution from random numbers; steps along the 9
 * free directions then make small
 *
 *     sum over trees of order 6 (Phi - 1/gamma)^2 + mu sum a_ij^2 + what c_i are outside of [0, 1]
 *
 * and a last iteration brings the residuals to round-off, with more digits than the result keeps.
 */
#include "exact/rational.h"
#include "exact/trees.h"
#include <geartrain/analysis/design.h>
#include <math.h>
#include <string.h>

typedef long double real;
enum {
    S = 7,
    N_A = S * (S - 1) / 2,
    N = N_A + S,
    TREES_5 = 17,
    CONDITIONS = TREES_5 + 2,
    TREES_6 = 37
};
static const real weight_of_size = 1e-4L, weight_of_nodes = 1;

/* ---- Hurwitz ---- */

bool gt_is_hurwitz(const gt_ratio *p, int degree, bool *hurwitz)
{
    if (!p || !hurwitz) return false;
    return gt_routh(p, degree, NULL, hurwitz) > 0;
}

int gt_routh(const gt_ratio *p, int degree, double *column, bool *hurwitz)
{
    if (!p || !hurwitz) return 0;
    gt_exact row[2][GT_MAX_STAGES + 2] = {{{0}}};
    int width = degree / 2 + 1;
    for (int k = 0; k < 2 * (GT_MAX_STAGES + 2); k++) row[k % 2][k / 2] = gt_exact_whole(0);
    for (int k = 0; k <= degree; k++) row[k % 2][k / 2] = gt_exact_of(p[degree - k]);
    *hurwitz = true;
    for (int level = 0; level <= degree; level++) {
        gt_exact *upper = row[level % 2], *lower = row[1 - level % 2];
        if (!gt_exact_known(upper[0])) return 0;
        if (column) column[level] = (double)upper[0].num / (double)upper[0].den;
        if ((upper[0].num > 0) != (p[degree].num > 0) || upper[0].num == 0) {
            *hurwitz = false;
            return level + 1;
        }
        if (level == degree) break;
        gt_exact factor = gt_exact_divide(upper[0], lower[0]);
        if (!gt_exact_known(lower[0])) return 0;
        if (lower[0].num == 0) {
            if (column) column[level + 1] = 0;
            *hurwitz = false;
            return level + 2;
        }
        for (int j = 0; j < width; j++)
            upper[j] = gt_exact_subtract(upper[j + 1], gt_exact_multiply(factor, lower[j + 1]));
    }
    return degree + 1;
}

/* ---- order conditions ---- */

typedef struct search {
    gt_forest forest;
    real one_over_gamma[TREES_6];
    real c, d;
} search;

static int place(int i, int j) { return i * (i - 1) / 2 + j; }

/* out = A v */
static void multiply(const real *u, const real *v, real *out)
{
    for (int i = 0; i < S; i++) {
        out[i] = 0;
        for (int j = 0; j < i; j++) out[i] += u[place(i, j)] * v[j];
    }
}

static real weigh(const real *u, const real *v)
{
    real sum = 0;
    for (int i = 0; i < S; i++) sum += u[N_A + i] * v[i];
    return sum;
}

/* Residuals of all trees up to order 6, those of order 5 first. */
static void residuals_of_trees(const search *w, const real *u, real *r)
{
    real inner[TREES_6][S], phi[S];
    for (int t = 0; t < TREES_6; t++) {
        const gt_tree *tree = &w->forest.list[t];
        for (int i = 0; i < S; i++) {
            phi[i] = 1;
            for (int k = 0; k < tree->children; k++) phi[i] *= inner[tree->child[k]][i];
        }
        multiply(u, phi, inner[t]);
        r[t] = weigh(u, phi) - w->one_over_gamma[t];
    }
}

static void conditions(const search *w, const real *u, real *r)
{
    real all[TREES_6], v[S], next[S];
    residuals_of_trees(w, u, all);
    memcpy(r, all, TREES_5 * sizeof *r);
    for (int i = 0; i < S; i++) v[i] = 1;
    for (int k = 1; k <= S - 1; k++) {
        multiply(u, v, next);
        memcpy(v, next, sizeof v);
        if (k == S - 2) r[TREES_5] = weigh(u, v) - w->c;
        if (k == S - 1) r[TREES_5 + 1] = weigh(u, v) - w->d;
    }
}

static real norm(const real *v, int n)
{
    real sum = 0;
    for (int i = 0; i < n; i++) sum += v[i] * v[i];
    return sqrtl(sum);
}

static real merit(const search *w, const real *u)
{
    real all[TREES_6], sum = 0;
    residuals_of_trees(w, u, all);
    for (int t = TREES_5; t < TREES_6; t++) sum += all[t] * all[t];
    for (int k = 0; k < N_A; k++) sum += weight_of_size * u[k] * u[k];
    for (int i = 1; i < S; i++) {
        real node = 0, outside;
        for (int j = 0; j < i; j++) node += u[place(i, j)];
        outside = node < 0.05L ? 0.05L - node : node > 1 ? node - 1 : 0;
        sum += weight_of_nodes * outside * outside;
    }
    return sum;
}

/* ---- the search ---- */

/* b := G^-1 b; false when G is singular. */
static bool solve(int n, real G[CONDITIONS][CONDITIONS], real *b)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(G[i][k]) > fabsl(G[p][k])) p = i;
        if (fabsl(G[p][k]) < 1e-22L) return false;
        for (int j = 0; j < n; j++) {
            real kept = G[k][j];
            G[k][j] = G[p][j], G[p][j] = kept;
        }
        real kept = b[k];
        b[k] = b[p], b[p] = kept;
        for (int i = k + 1; i < n; i++) {
            real factor = G[i][k] / G[k][k];
            for (int j = k; j < n; j++) G[i][j] -= factor * G[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n; k-- > 0;) {
        for (int j = k + 1; j < n; j++) b[k] -= G[k][j] * b[j];
        b[k] /= G[k][k];
    }
    return true;
}

static void jacobian(const search *w, const real *u, real J[CONDITIONS][N])
{
    real high[CONDITIONS], low[CONDITIONS], moved[N];
    memcpy(moved, u, sizeof moved);
    for (int k = 0; k < N; k++) {
        const real step = 1e-6L;
        moved[k] = u[k] + step;
        conditions(w, moved, high);
        moved[k] = u[k] - step;
        conditions(w, moved, low);
        moved[k] = u[k];
        for (int i = 0; i < CONDITIONS; i++) J[i][k] = (high[i] - low[i]) / (2 * step);
    }
}

/* v := J^T (J J^T)^-1 r, and with a gradient g its part in the null space of J. */
static bool least_correction(const search *w, const real *u, const real *r, real *g, real *v)
{
    static const real damping = 1e-18L;
    real J[CONDITIONS][N], G[CONDITIONS][CONDITIONS], b[CONDITIONS];
    jacobian(w, u, J);
    for (int pass = 0; pass < (g ? 2 : 1); pass++) {
        for (int i = 0; i < CONDITIONS; i++) {
            for (int j = 0; j < CONDITIONS; j++) {
                G[i][j] = i == j ? damping : 0;
                for (int k = 0; k < N; k++) G[i][j] += J[i][k] * J[j][k];
            }
            b[i] = pass == 0 ? r[i] : 0;
            for (int k = 0; k < N && pass == 1; k++) b[i] += J[i][k] * g[k];
        }
        if (!solve(CONDITIONS, G, b)) return false;
        for (int k = 0; k < N; k++) {
            real sum = 0;
            for (int i = 0; i < CONDITIONS; i++) sum += J[i][k] * b[i];
            if (pass == 0)
                v[k] = sum;
            else
                g[k] -= sum;
        }
    }
    return true;
}

static bool meet_conditions(const search *w, real *u, int most, real enough)
{
    real r[CONDITIONS], v[N], trial[N], trial_r[CONDITIONS];
    conditions(w, u, r);
    for (int m = 0; m < most && norm(r, CONDITIONS) > enough; m++) {
        if (!least_correction(w, u, r, NULL, v)) return false;
        real scale = 1;
        for (int k = 0; k < 12; k++, scale /= 2) {
            for (int i = 0; i < N; i++) trial[i] = u[i] - scale * v[i];
            conditions(w, trial, trial_r);
            if (norm(trial_r, CONDITIONS) < norm(r, CONDITIONS)) break;
        }
        if (!(norm(trial_r, CONDITIONS) < norm(r, CONDITIONS))) break;
        memcpy(u, trial, sizeof trial);
        memcpy(r, trial_r, sizeof r);
    }
    return norm(r, CONDITIONS) <= enough;
}

static void improve(const search *w, real *u, int sweeps)
{
    real best = merit(w, u), length = 0.1L;
    for (int m = 0; m < sweeps && length > 1e-7L; m++) {
        real g[N], v[N], r[CONDITIONS], trial[N];
        memcpy(trial, u, sizeof trial);
        for (int k = 0; k < N; k++) {
            trial[k] = u[k] + 1e-7L;
            real high = merit(w, trial);
            trial[k] = u[k] - 1e-7L;
            g[k] = (high - merit(w, trial)) / 2e-7L;
            trial[k] = u[k];
        }
        conditions(w, u, r);
        if (!least_correction(w, u, r, g, v)) return;
        real size = norm(g, N);
        if (size == 0) return;
        for (int i = 0; i < N; i++) trial[i] = u[i] - length / size * g[i];
        if (meet_conditions(w, trial, 20, 1e-12L) && merit(w, trial) < best) {
            memcpy(u, trial, sizeof trial);
            best = merit(w, u);
            length *= 1.3L;
        } else {
            length /= 2;
        }
    }
}

/* Weights of order 3 on the four stages that need the smallest ones, to compare with. */
static void find_comparison(const real *u, gt_tableau *T)
{
    real c[S], c2[S], Ac[S], ones[S], best = INFINITY;
    for (int i = 0; i < S; i++) ones[i] = 1;
    multiply(u, ones, c);
    for (int i = 0; i < S; i++) c2[i] = c[i] * c[i];
    multiply(u, c, Ac);
    for (int set = 0; set < 1 << S; set++) {
        int chosen[S], count = 0;
        for (int i = 0; i < S; i++)
            if (set >> i & 1) chosen[count++] = i;
        if (count != 4) continue;
        real G[CONDITIONS][CONDITIONS], b[CONDITIONS] = {1, 1.0L / 2, 1.0L / 3, 1.0L / 6},
                                        largest = 0;
        for (int k = 0; k < 4; k++) {
            int i = chosen[k];
            G[0][k] = 1, G[1][k] = c[i], G[2][k] = c2[i], G[3][k] = Ac[i];
        }
        if (!solve(4, G, b)) continue;
        for (int k = 0; k < 4; k++) largest = fmaxl(largest, fabsl(b[k]));
        if (!(largest < best)) continue;
        best = largest;
        for (int i = 0; i < S; i++) T->b_hat[i] = (gt_ratio){0, 1};
        for (int k = 0; k < 4; k++) T->b_hat[chosen[k]] = gt_ratio_near((double)b[k]);
    }
}

static real noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (real)(int64_t)(*seed >> 11) / 9007199254740992.0L * 2 - 1;
}

bool gt_design_half(const gt_half_task *task, int start, gt_half_design *out)
{
    if (!task || !out) return false;
    search w = {.c = (real)task->c.num / task->c.den, .d = (real)task->d.num / task->d.den};
    real u[N], r[CONDITIONS], all[TREES_6];
    uint64_t seed = task->seed * 1000003u + (uint64_t)start;
    gt_forest_plant(&w.forest, 1, 6);
    for (int t = 0; t < TREES_6; t++) w.one_over_gamma[t] = 1.0L / gt_tree_density(&w.forest, t);
    for (int k = 0; k < 20; k++) noise(&seed);
    for (int i = 1; i < S; i++) /* rows that add up to growing nodes */
        for (int j = 0; j < i; j++) u[place(i, j)] = ((real)i / S + noise(&seed)) / i;
    for (int i = 0; i < S; i++) u[N_A + i] = 1.0L / S + 0.2L * noise(&seed);
    if (!meet_conditions(&w, u, 200, 1e-12L)) return false;
    improve(&w, u, task->sweeps);
    if (!meet_conditions(&w, u, 50, 2e-18L) && !meet_conditions(&w, u, 50, 1e-17L)) return false;
    *out = (gt_half_design){.tableau = {.stages = S}};
    for (int i = 0; i < S; i++) {
        real node = 0;
        for (int j = 0; j < i; j++) {
            out->tableau.a[i][j] = gt_ratio_near((double)u[place(i, j)]);
            node += u[place(i, j)];
            out->largest_entry = fmax(out->largest_entry, fabs((double)u[place(i, j)]));
        }
        out->tableau.c[i] = gt_ratio_near((double)node);
        out->tableau.b[i] = gt_ratio_near((double)u[N_A + i]);
        out->largest_entry = fmax(out->largest_entry, fabs((double)u[N_A + i]));
    }
    find_comparison(u, &out->tableau);
    for (int i = 0; i < S; i++) { /* as the result keeps them */
        for (int j = 0; j < i; j++) u[place(i, j)] = (double)u[place(i, j)];
        u[N_A + i] = (double)u[N_A + i];
    }
    conditions(&w, u, r);
    residuals_of_trees(&w, u, all);
    for (int i = 0; i < CONDITIONS; i++) out->residual = fmax(out->residual, (double)fabsl(r[i]));
    out->error_constant = (double)norm(all + TREES_5, TREES_6 - TREES_5);
    return true;
}

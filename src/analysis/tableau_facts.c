/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a tableau does to nonlinear problems. With B = diag(b) and m_ij = b_i a_ij + b_j a_ji - b_i
 * b_j
 *
 *     algebraically stable   b_i >= 0 and m is positive semidefinite (Burrage, Butcher 1979): two
 *                            solutions of a contractive problem approach each other at every h
 *     symplectic             m = 0 (Sanz-Serna 1988): quadratic invariants are kept
 *     symmetric              a_ij + a_(s+1-i),(s+1-j) = b_j: a step back undoes a step
 *     SSP coefficient        the largest r with K (I + r K)^-1 >= 0 and r K (I + r K)^-1 1 <= 1, K
 * = (A 0; b^T 0) (Kraaijevanger 1991): what Euler's method keeps, as positivity, for h <= h_E, the
 * method keeps for h <= r h_E
 *
 * Decisions are made in fractions as far as 128 bits reach. The SSP coefficient is found by
 * bisection, as the conditions hold below it; where a simple fraction nearby meets them exactly,
 * and a larger one does not, it is that fraction.
 */
#include "exact/either.h"
#include <geartrain/analysis/stability.h>
#include <math.h>
#include <string.h>

enum { ROOM = GT_MAX_STAGES + 1, BISECTIONS = 60, MOST_BELOW = 1000 };
static const double round_off = 1e-12;
static const double far = 1e12; /* a coefficient above this is infinite: Euler's backward method */
static const double nearby = 1e-5; /* relative, of fractions to try: steep conditions cut sharper */
typedef gt_either square[ROOM][ROOM];

/* -1, 0 or 1; *exact is cleared where it had to be read off a double. */
static int sign_of(gt_either a, bool *exact)
{
    if (gt_exact_known(a.exact)) return a.exact.num > 0 ? 1 : a.exact.num < 0 ? -1 : 0;
    *exact = false;
    return a.value > round_off ? 1 : a.value < -round_off ? -1 : 0;
}

/* m is destroyed. */
static bool is_semidefinite(square m, int s, bool *exact)
{
    bool done[ROOM] = {false};
    for (int step = 0; step < s; step++) {
        int best = -1;
        for (int i = 0; i < s; i++) {
            if (done[i]) continue;
            int sign = sign_of(m[i][i], exact);
            if (sign < 0) return false;
            if (sign > 0 && (best < 0 || m[i][i].value > m[best][best].value)) best = i;
        }
        for (int i = 0; i < s && best < 0; i++)
            for (int j = 0; j < s; j++)
                if (!done[i] && !done[j] && sign_of(m[i][j], exact)) return false;
        if (best < 0) return true;
        done[best] = true;
        for (int i = 0; i < s; i++)
            for (int j = 0; j < s && !done[i]; j++) {
                if (done[j]) continue;
                gt_either product = gt_either_multiply(m[i][best], m[best][j]);
                m[i][j] = gt_either_subtract(m[i][j], gt_either_divide(product, m[best][best]));
            }
    }
    return true;
}

static void look_at_products(const gt_tableau *T, gt_tableau_facts *out)
{
    square m;
    bool nonnegative = true;
    out->symplectic = true;
    for (int i = 0; i < T->stages; i++) {
        gt_either b_i = gt_either_of(T->b[i]);
        if (sign_of(b_i, &out->exact) < 0) nonnegative = false;
        for (int j = 0; j < T->stages; j++) {
            gt_either b_j = gt_either_of(T->b[j]);
            m[i][j] = gt_either_add(gt_either_multiply(b_i, gt_either_of(T->a[i][j])),
                                    gt_either_multiply(b_j, gt_either_of(T->a[j][i])));
            m[i][j] = gt_either_subtract(m[i][j], gt_either_multiply(b_i, b_j));
            if (sign_of(m[i][j], &out->exact)) out->symplectic = false;
        }
    }
    out->algebraically_stable = nonnegative && is_semidefinite(m, T->stages, &out->exact);
}

static bool is_symmetric(const gt_tableau *T, bool *exact)
{
    int last = T->stages - 1;
    for (int i = 0; i <= last; i++)
        for (int j = 0; j <= last; j++) {
            gt_either sum =
                gt_either_add(gt_either_of(T->a[i][j]), gt_either_of(T->a[last - i][last - j]));
            if (sign_of(gt_either_subtract(sum, gt_either_of(T->b[j])), exact)) return false;
        }
    return true;
}

/* X := (I + r K)^-1 K by elimination; false: singular. */
static bool divide(square K, int n, gt_either r, square X)
{
    square W;
    memcpy(X, K, sizeof(square));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            W[i][j] = gt_either_multiply(r, K[i][j]);
            if (i == j) W[i][j] = gt_either_add(W[i][j], gt_either_whole(1));
        }
    for (int j = 0; j < n; j++) {
        int best = j;
        bool exact = true;
        for (int i = j + 1; i < n; i++)
            if (fabs(W[i][j].value) > fabs(W[best][j].value)) best = i;
        if (!sign_of(W[best][j], &exact)) return false;
        for (int k = 0; k < n && best != j; k++) {
            gt_either w = W[j][k], x = X[j][k];
            W[j][k] = W[best][k], X[j][k] = X[best][k];
            W[best][k] = w, X[best][k] = x;
        }
        for (int i = 0; i < n; i++) {
            if (i == j || (W[i][j].value == 0 && W[i][j].exact.num == 0)) continue;
            gt_either factor = gt_either_divide(W[i][j], W[j][j]);
            for (int k = 0; k < n; k++) {
                W[i][k] = gt_either_subtract(W[i][k], gt_either_multiply(factor, W[j][k]));
                X[i][k] = gt_either_subtract(X[i][k], gt_either_multiply(factor, X[j][k]));
            }
        }
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) X[i][k] = gt_either_divide(X[i][k], W[i][i]);
    return true;
}

static bool is_monotone(square K, int n, gt_either r, bool *exact)
{
    square X;
    if (!divide(K, n, r, X)) return false;
    for (int i = 0; i < n; i++) {
        gt_either rest = gt_either_whole(1);
        for (int k = 0; k < n; k++) {
            if (sign_of(X[i][k], exact) < 0) return false;
            rest = gt_either_subtract(rest, gt_either_multiply(r, X[i][k]));
        }
        if (sign_of(rest, exact) < 0) return false;
    }
    return true;
}

static gt_either rounded(double r) { return (gt_either){{0, 0}, r}; }

/* A coefficient above 0: no entry is negative, and (K^2)_ij = 0 wherever K_ij is. */
static bool has_coefficient(square K, int n, bool *exact)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int sign = sign_of(K[i][j], exact);
            if (sign < 0) return false;
            gt_either sum = gt_either_whole(0);
            for (int k = 0; k < n && sign == 0; k++)
                sum = gt_either_add(sum, gt_either_multiply(K[i][k], K[k][j]));
            if (sign == 0 && sign_of(sum, exact)) return false;
        }
    return true;
}

/* The fractions with the smallest numbers below the line first. */
static bool find_fraction(square K, int n, double r, gt_ratio *out)
{
    for (int below = 1; below <= MOST_BELOW; below++) {
        double above = round(r * below);
        if (above < 1 || fabs(above / below - r) > nearby * r) continue;
        gt_ratio ratio = {(long long)above, below};
        gt_either at = gt_either_of(ratio);
        gt_either beyond = gt_either_add(at, gt_either_of((gt_ratio){1, 1000000}));
        bool exact = true, holds = is_monotone(K, n, at, &exact);
        if (!holds || !exact) continue;
        bool longer = is_monotone(K, n, beyond, &exact);
        if (longer || !exact) continue;
        *out = ratio;
        return true;
    }
    return false;
}

static void find_coefficient(const gt_tableau *T, gt_tableau_facts *out)
{
    square K;
    int n = T->stages + 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) K[i][j] = gt_either_whole(0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < T->stages; j++)
            K[i][j] = gt_either_of(i < T->stages ? T->a[i][j] : T->b[j]);
    out->ssp_exact = true;
    if (!has_coefficient(K, n, &out->ssp_exact)) return;
    double low = 0, high = 1;
    bool ignored;
    while (high < far && is_monotone(K, n, rounded(high), &ignored)) {
        low = high;
        high *= 2;
    }
    out->ssp = INFINITY;
    if (high >= far) return;
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = (low + high) / 2;
        if (is_monotone(K, n, rounded(middle), &ignored))
            low = middle;
        else
            high = middle;
    }
    out->ssp = low;
    out->ssp_exact = find_fraction(K, n, low, &out->ssp_ratio);
    if (out->ssp_exact) out->ssp = gt_ratio_value(out->ssp_ratio);
}

gt_status gt_tableau_facts_of(const gt_tableau *T, gt_tableau_facts *out)
{
    GT_ARMOR(NULL, T && out);
    if (T->stages < 1 || T->stages > GT_MAX_STAGES) return GT_BAD_ARGUMENT;
    *out = (gt_tableau_facts){.exact = true};
    look_at_products(T, out);
    out->symmetric = is_symmetric(T, &out->exact);
    find_coefficient(T, out);
    return GT_OK;
}

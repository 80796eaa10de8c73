/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gaussian elimination with row exchanges, column by column, for bands and for dense matrices,
 * which are bands of full width. Multipliers stay where they were made: a solution exchanges its
 * entries as it goes.
 */
#include "linalg/lu_internal.h"
#include "linalg/own_linalg.h"
#include <assert.h>
#include <math.h>
#include <stddef.h>

typedef struct elimination {
    size_t n, width; /* width: numbers an entry has, 2 when complex */
    size_t lower, upper;
    size_t next;   /* entries from (i, j) to (i, j + 1): a column of a band begins one row further
                      down */
    size_t top;    /* above the first diagonal entry */
    size_t stored; /* of all columns */
    double *a;
} elimination;

static elimination elimination_of(const gt_lu *lu)
{
    size_t n = lu->n;
    bool band = lu->pattern.storage == GT_BANDED;
    size_t lower = band ? (size_t)lu->pattern.lower : n,
           upper = band ? (size_t)lu->pattern.upper : n;
    size_t rows = gt_factor_rows(lu);
    return (elimination){.n = n,
                         .width = lu->is_complex ? 2 : 1,
                         .lower = lower,
                         .upper = upper,
                         .next = band ? rows - 1 : rows,
                         .top = band ? lower + upper : 0,
                         .stored = n * rows,
                         .a = lu->factors};
}

/* Entry (i, j), which must be inside the band of the factors. */
static double *at(const elimination *w, size_t i, size_t j)
{
    return w->a + (j * w->next + w->top + i) * w->width;
}

/* y -= factor x. */
static void subtract(size_t width, size_t count, const double *factor, const double *x, double *y)
{
    if (width == 1) {
        for (size_t i = 0; i < count; i++) y[i] -= factor[0] * x[i];
        return;
    }
    for (size_t i = 0; i < count; i++) {
        double re = factor[0] * x[2 * i] - factor[1] * x[2 * i + 1];
        double im = factor[0] * x[2 * i + 1] + factor[1] * x[2 * i];
        y[2 * i] -= re;
        y[2 * i + 1] -= im;
    }
}

/* z /= by, scaled so that neither squares overflow nor vanish. */
static void divide(size_t width, const double *by, double *z)
{
    if (width == 1) {
        z[0] /= by[0];
        return;
    }
    bool real_is_larger = fabs(by[0]) >= fabs(by[1]);
    double ratio = real_is_larger ? by[1] / by[0] : by[0] / by[1];
    double below = real_is_larger ? by[0] + by[1] * ratio : by[0] * ratio + by[1];
    double re = real_is_larger ? z[0] + z[1] * ratio : z[0] * ratio + z[1];
    double im = real_is_larger ? z[1] - z[0] * ratio : z[1] * ratio - z[0];
    z[0] = re / below;
    z[1] = im / below;
}

static double size_of(size_t width, const double *z)
{
    return width == 1 ? fabs(z[0]) : fabs(z[0]) + fabs(z[1]);
}

static void exchange(size_t width, double *x, double *y)
{
    for (size_t k = 0; k < width; k++) {
        double kept = x[k];
        x[k] = y[k];
        y[k] = kept;
    }
}

static inline void copy_pair(double *to, const double *from)
{
    to[0] = from[0];
    to[1] = from[1];
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

gt_status gt_own_factor(gt_lu *lu, const double *values)
{
    assert(lu && values);
    elimination w = elimination_of(lu);
    size_t last = 0; /* column that the rows above have reached */
    gt_copy_to_factors(lu, values);
    for (size_t j = 0; j < w.n; j++) {
        size_t below = least(w.lower, w.n - 1 - j), pivot = j;
        double most = size_of(w.width, at(&w, j, j));
        for (size_t i = j + 1; i <= j + below; i++) {
            double size = size_of(w.width, at(&w, i, j));
            if (size > most) most = size, pivot = i;
        }
        if (!(most > 0) || !isfinite(most)) return GT_TRY_SINGULAR;
        lu->pivots[j] = (int)pivot;
        size_t reach = least(pivot + w.upper, w.n - 1);
        if (reach > last) last = reach;
        for (size_t k = j; k <= last && pivot != j; k++)
            exchange(w.width, at(&w, j, k), at(&w, pivot, k));
        for (size_t i = j + 1; i <= j + below; i++) divide(w.width, at(&w, j, j), at(&w, i, j));
        for (size_t k = j + 1; k <= last && below; k++)
            subtract(w.width, below, at(&w, j, k), at(&w, j, j) + w.width, at(&w, j, k) + w.width);
    }
    return gt_all_finite(w.a, w.stored * w.width) ? GT_OK : GT_TRY_SINGULAR;
}

/* Pivots below this have no finite inverse. */
static const double least_pivot = 1e-300;

/* For one number an entry: what narrow bands spend their time in. Each row waits for the one before
 * it, so a product with the inverse, which waits for nothing, takes the place of the division. */
static double over(double b, double pivot)
{
    return fabs(pivot) > least_pivot ? b * (1 / pivot) : b / pivot;
}

static void solve_real(const elimination *w, const int *pivots, double *b)
{
    size_t filled = w->lower + w->upper;
    for (size_t j = 0; j < w->n; j++) {
        size_t below = least(w->lower, w->n - 1 - j), pivot = (size_t)pivots[j];
        const double *column = w->a + j * w->next + w->top + j + 1;
        double factor = b[pivot], *rest = b + j + 1;
        b[pivot] = b[j];
        b[j] = factor;
        for (size_t i = 0; i < below; i++) rest[i] -= factor * column[i];
    }
    for (size_t j = w->n; j-- > 0;) {
        size_t above = least(filled, j);
        const double *column = w->a + j * w->next + w->top + j - above;
        double factor = over(b[j], column[above]), *rest = b + j - above;
        b[j] = factor;
        for (size_t i = 0; i < above; i++) rest[i] -= factor * column[i];
    }
}

/* The same to the last bit for a band whose widths the compiler knows: the entries of b that a
 * column changes stay in registers, for the next column reads them at once. */
static inline __attribute__((always_inline)) void
solve_band(size_t lower, size_t filled, const elimination *w, const int *pivots, double *b)
{
    enum { MOST = 8 };
    double near[MOST + 1];
    size_t n = w->n;
    const double *column = w->a + w->top + 1; /* below the diagonal */
    for (size_t i = 0; i < lower; i++) near[i] = i < n ? b[i] : 0;
    for (size_t j = 0; j < n; j++, column += w->next + 1) {
        size_t pivot = (size_t)pivots[j] - j;
        near[lower] = j + lower < n ? b[j + lower] : 0;
        double factor = near[0];
        for (size_t i = 1; i <= lower; i++)
            if (pivot == i) factor = near[i], near[i] = near[0];
        b[j] = factor;
        size_t below = least(lower, n - 1 - j);
        for (size_t i = 0; i < lower; i++)
            near[i] = i < below ? near[i + 1] - factor * column[i] : 0;
    }
    for (size_t i = 0; i < filled; i++) near[i] = i < n ? b[n - 1 - i] : 0;
    for (size_t j = n; j-- > 0;) {
        const double *diagonal = w->a + j * (w->next + 1) + w->top;
        near[filled] = j >= filled ? b[j - filled] : 0;
        double factor = over(near[0], diagonal[0]);
        b[j] = factor;
        for (size_t i = 0; i < filled; i++)
            near[i] = near[i + 1] - factor * diagonal[-1 - (ptrdiff_t)i];
    }
}

/* z / by as a product with 1 / by, for the same reason as in `over`. */
static inline void over_pair(const double *by, double *z)
{
    bool real_is_larger = fabs(by[0]) >= fabs(by[1]);
    double large = real_is_larger ? by[0] : by[1], small = real_is_larger ? by[1] : by[0];
    if (!(fabs(large) > least_pivot)) {
        divide(2, by, z);
        return;
    }
    double ratio = small / large, inverse = 1 / (large + small * ratio);
    double re = real_is_larger ? inverse : ratio * inverse;
    double im = real_is_larger ? -ratio * inverse : -inverse;
    double x = z[0] * re - z[1] * im;
    z[1] = z[0] * im + z[1] * re;
    z[0] = x;
}

/* near[i] = near[i + 1] - factor times an entry, of pairs. */
static inline __attribute__((always_inline)) void pass_on(double (*near)[2], size_t i,
                                                          const double *factor, const double *entry)
{
    near[i][0] = near[i + 1][0] - (factor[0] * entry[0] - factor[1] * entry[1]);
    near[i][1] = near[i + 1][1] - (factor[0] * entry[1] + factor[1] * entry[0]);
}

/* As solve_band, with two numbers an entry. */
static inline __attribute__((always_inline)) void
solve_pairs(size_t lower, size_t filled, const elimination *w, const int *pivots, double *b)
{
    enum { MOST = 8 };
    static const double nothing[2] = {0, 0};
    double near[MOST + 1][2];
    size_t n = w->n;
    const double *column = w->a + 2 * (w->top + 1); /* below the diagonal */
    for (size_t i = 0; i < lower; i++) copy_pair(near[i], i < n ? b + 2 * i : nothing);
    for (size_t j = 0; j < n; j++, column += 2 * (w->next + 1)) {
        size_t pivot = (size_t)pivots[j] - j, below = least(lower, n - 1 - j);
        double factor[2];
        copy_pair(near[lower], j + lower < n ? b + 2 * (j + lower) : nothing);
        copy_pair(factor, near[0]);
        for (size_t i = 1; i <= lower; i++)
            if (pivot == i) copy_pair(factor, near[i]), copy_pair(near[i], near[0]);
        copy_pair(b + 2 * j, factor);
        for (size_t i = 0; i < lower; i++)
            pass_on(near, i, factor, i < below ? column + 2 * i : nothing);
    }
    for (size_t i = 0; i < filled; i++) copy_pair(near[i], i < n ? b + 2 * (n - 1 - i) : nothing);
    for (size_t j = n; j-- > 0;) {
        const double *diagonal = w->a + 2 * (j * (w->next + 1) + w->top);
        copy_pair(near[filled], j >= filled ? b + 2 * (j - filled) : nothing);
        over_pair(diagonal, near[0]);
        double factor[2];
        copy_pair(factor, near[0]);
        copy_pair(b + 2 * j, factor);
        for (size_t i = 0; i < filled; i++)
            pass_on(near, i, factor, diagonal - 2 * ((ptrdiff_t)i + 1));
    }
}

/* As solve_real. */
static void solve_complex(const elimination *w, const int *pivots, double *b)
{
    size_t filled = w->lower + w->upper;
    double factor[2];
    for (size_t j = 0; j < w->n; j++) {
        size_t below = least(w->lower, w->n - 1 - j), pivot = (size_t)pivots[j];
        const double *column = w->a + 2 * (j * w->next + w->top + j + 1);
        copy_pair(factor, b + 2 * pivot);
        copy_pair(b + 2 * pivot, b + 2 * j);
        copy_pair(b + 2 * j, factor);
        subtract(2, below, factor, column, b + 2 * (j + 1));
    }
    for (size_t j = w->n; j-- > 0;) {
        size_t above = least(filled, j);
        const double *column = w->a + 2 * (j * w->next + w->top + j - above);
        over_pair(column + 2 * above, b + 2 * j);
        copy_pair(factor, b + 2 * j);
        subtract(2, above, factor, column, b + 2 * (j - above));
    }
}

/* Bands of as many diagonals below as above, up to four. */
static bool solve_narrow(const elimination *w, const int *pivots, double *b)
{
    if (w->lower != w->upper || w->top == 0) return false;
    switch (w->lower) {
#define WIDTH(k)                                                                                   \
    case k:                                                                                        \
        if (w->width == 1)                                                                         \
            solve_band(k, 2 * (k), w, pivots, b);                                                  \
        else                                                                                       \
            solve_pairs(k, 2 * (k), w, pivots, b);                                                 \
        return true
        WIDTH(1);
        WIDTH(2);
        WIDTH(3);
        WIDTH(4);
#undef WIDTH
    default:
        return false;
    }
}

void gt_own_solve(const gt_lu *lu, double *b)
{
    assert(lu && lu->factors && b);
    elimination w = elimination_of(lu);
    if (solve_narrow(&w, lu->pivots, b)) return;
    if (w.width == 1) {
        solve_real(&w, lu->pivots, b);
        return;
    }
    solve_complex(&w, lu->pivots, b);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices, LU factors and eigenvalues: residuals of random systems in every storage, pivoting,
 * failure, memory. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "linalg/backend.h"
#include "linalg/balance.h"
#include "linalg/lu_internal.h"
#include "linalg/sum.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEAP_IS_WATCHED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HEAP_IS_WATCHED 1
#endif

/* Counts what the library and the libraries under it take from the heap; the sanitizer wants the
 * heap for itself. */
#ifndef HEAP_IS_WATCHED
static long allocations;
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size)
{
    allocations++;
    return __libc_realloc(old, size);
}
#endif

enum { LARGEST = 40, SIZES = 8 };
static const size_t sizes[SIZES] = {1, 2, 3, 5, 8, 16, 17, LARGEST};
static const gt_storage storages[] = {GT_DENSE, GT_BANDED, GT_CSC};

/* Uniform in [-1, 1): a multiplicative congruential generator, so that every run sees the same
 * matrices. */
static double uniform(uint64_t *state)
{
    *state = *state * 2862933555777941757u + 3037000493u;
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

static bool in_sparse(size_t n, size_t i, size_t j)
{
    return i == j || i + 1 == j || (i * 7 + j * 3) % n < 2;
}

/* Every column has its diagonal entry and the one above, and some others. */
static gt_pattern make_pattern(gt_storage storage, size_t n, gt_arena *arena)
{
    gt_pattern pattern = {.storage = storage, .lower = 2, .upper = 1};
    if (storage != GT_CSC) return pattern;
    int *colptr = gt_arena_take(arena, n + 1, sizeof(int)),
        *rowindex = gt_arena_take(arena, n * n, sizeof(int));
    int used = 0;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++)
            if (in_sparse(n, i, j)) rowindex[used++] = (int)i;
        colptr[j + 1] = used;
    }
    pattern.colptr = colptr;
    pattern.rowindex = rowindex;
    return pattern;
}

static void fill(gt_matrix *m, uint64_t *state)
{
    for (size_t j = 0; j < m->n; j++)
        for (size_t i = 0; i < m->n; i++) {
            double *entry = gt_matrix_at(m, i, j);
            for (int part = 0; entry && part <= m->is_complex; part++) entry[part] = uniform(state);
        }
}

static void entry_of(const gt_matrix *m, size_t i, size_t j, double entry[2])
{
    const double *at = gt_matrix_at(m, i, j);
    entry[0] = at ? at[0] : 0.0;
    entry[1] = at && m->is_complex ? at[1] : 0.0;
}

/* |A x - b| over n eps |A| |x|, in the maximum norm. */
static double relative_residual(const gt_matrix *m, const double *x, const double *b)
{
    const size_t n = m->n, width = m->is_complex ? 2 : 1;
    double worst = 0.0, norm = 0.0, size = 0.0;
    for (size_t i = 0; i < n; i++) {
        long double re = -b[width * i], im = m->is_complex ? -b[2 * i + 1] : 0.0;
        double row = 0.0;
        for (size_t j = 0; j < n; j++) {
            double a[2];
            entry_of(m, i, j, a);
            const long double x_re = x[width * j], x_im = m->is_complex ? x[2 * j + 1] : 0.0;
            re += a[0] * x_re - a[1] * x_im;
            im += a[0] * x_im + a[1] * x_re;
            row += hypot(a[0], a[1]);
        }
        worst = fmax(worst, hypot((double)re, (double)im));
        norm = fmax(norm, row);
        size = fmax(size, m->is_complex ? hypot(x[2 * i], x[2 * i + 1]) : fabs(x[i]));
    }
    assert_true(isfinite(worst) && isfinite(size));
    return worst / ((double)n * DBL_EPSILON * norm * size);
}

static void solve_and_check(const gt_matrix *m, const gt_lu *lu, uint64_t *state)
{
    double b[2 * LARGEST], x[2 * LARGEST];
    for (size_t i = 0; i < m->n * (m->is_complex ? 2 : 1); i++) x[i] = b[i] = uniform(state);
    gt_lu_solve(lu, x);
    const double residual = relative_residual(m, x, b);
    /* Frozen sparse pivots may cost three digits before they are given up. */
    if (!(residual < (m->pattern.storage == GT_CSC ? 1e3 : 8.0)))
        fail_msg("storage %d, complex %d, n %zu: residual %g", (int)m->pattern.storage,
                 m->is_complex, m->n, residual);
}

static void factor_and_check(gt_matrix *m, gt_lu *lu, uint64_t *state)
{
    const size_t bytes = gt_matrix_entries(m) * (m->is_complex ? 2 : 1) * sizeof(double);
    double before[2 * LARGEST * (LARGEST + 1)];
    memcpy(before, m->values, bytes);
    assert_int_equal(gt_lu_factor(lu, m), GT_OK);
    assert_true(lu->factored);
    assert_memory_equal(before, m->values, bytes);
    solve_and_check(m, lu, state);
}

typedef void case_fn(gt_matrix *m, gt_lu *lu, uint64_t *state);

/* Runs `test` with a random matrix and unfactored LU of every storage, kind and size. */
static void for_all(case_fn *test)
{
    for (size_t s = 0; s < 3; s++)
        for (size_t k = 0; k < 2 * SIZES; k++) {
            uint64_t state = 1000 * s + k + 1;
            gt_arena arena = gt_arena_growing();
            gt_matrix m;
            gt_lu lu;
            const size_t n = sizes[k / 2];
            gt_matrix_layout(&m, n, make_pattern(storages[s], n, &arena), k % 2 == 1, &arena);
            gt_lu_layout(&lu, &m, &arena);
            assert_false(arena.failed);
            fill(&m, &state);
            test(&m, &lu, &state);
            gt_lu_free(&lu);
            gt_arena_free(&arena);
        }
}

static void residuals_case(gt_matrix *m, gt_lu *lu, uint64_t *state)
{
    for (int round = 0; round < 20; round++) {
        fill(m, state);
        factor_and_check(m, lu, state);
    }
}

static void residuals_are_small(void **unused)
{
    (void)unused;
    for_all(residuals_case);
}

#ifdef HEAP_IS_WATCHED
static void refactoring_allocates_nothing(void **unused)
{
    (void)unused;
    skip();
}
#else
static void no_allocation_case(gt_matrix *m, gt_lu *lu, uint64_t *state)
{
    double b[2 * LARGEST] = {1.0};
    assert_int_equal(gt_lu_analyse(lu, m), GT_OK);
    for (int round = 0; round < 5; round++) {
        for (size_t i = 0; i < gt_matrix_entries(m) * (m->is_complex ? 2 : 1); i++)
            m->values[i] *= 1.0 + 0.01 * uniform(state);
        const long before = allocations;
        assert_int_equal(gt_lu_factor(lu, m), GT_OK);
        gt_lu_solve(lu, b);
        assert_int_equal(allocations - before, 0);
        solve_and_check(m, lu, state);
    }
    assert_int_equal(lu->repivots, 0);
}

static void refactoring_allocates_nothing(void **unused)
{
    (void)unused;
    for_all(no_allocation_case);
}
#endif

/* A zero column, then NaN or Inf in each place in turn, then a good matrix again. */
static void failures_case(gt_matrix *m, gt_lu *lu, uint64_t *state)
{
    const size_t width = m->is_complex ? 2 : 1, middle = m->n / 2;
    double kept[2 * LARGEST * LARGEST];
    memcpy(kept, m->values, gt_matrix_entries(m) * width * sizeof(double));
    for (size_t i = 0; i < m->n; i++) {
        double *entry = gt_matrix_at(m, i, middle);
        if (entry) memset(entry, 0, width * sizeof(double));
    }
    assert_int_equal(gt_lu_factor(lu, m), GT_TRY_SINGULAR);
    assert_false(lu->factored);
    memcpy(m->values, kept, gt_matrix_entries(m) * width * sizeof(double));
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = 0; j < m->n; j++) {
            double *entry = gt_matrix_at(m, i, j);
            if (!entry) continue;
            const double before = entry[width - 1];
            entry[width - 1] = (i + j) % 2 ? (double)NAN : (double)-INFINITY;
            assert_int_equal(gt_lu_factor(lu, m), GT_TRY_SINGULAR);
            assert_false(lu->factored);
            entry[width - 1] = before;
        }
    factor_and_check(m, lu, state);
}

static void singular_and_not_finite_are_refused(void **unused)
{
    (void)unused;
    for_all(failures_case);
}

/* A cyclic permutation with a zero diagonal cannot be factored without exchanges; its band is 1
 * below, n - 1 above. */
static void pivoting_is_done(void **unused)
{
    (void)unused;
    for (size_t k = 2; k < 6 * SIZES; k++) {
        const size_t n = sizes[k / 6];
        if (n == 1) continue;
        uint64_t state = k;
        gt_arena arena = gt_arena_growing();
        gt_pattern pattern = make_pattern(storages[k % 3], n, &arena);
        if (pattern.storage == GT_BANDED)
            pattern = (gt_pattern){.storage = GT_BANDED, .lower = 1, .upper = (int)n - 1};
        int colptr[LARGEST + 1], rowindex[2 * LARGEST];
        for (size_t j = 0; j < n; j++) {
            const int next = (int)((j + 1) % n), own = (int)j;
            colptr[j] = (int)(2 * j);
            rowindex[2 * j] = next < own ? next : own;
            rowindex[2 * j + 1] = next < own ? own : next;
        }
        colptr[n] = (int)(2 * n);
        pattern.colptr = colptr;
        pattern.rowindex = rowindex;
        gt_matrix m;
        gt_lu lu;
        gt_matrix_layout(&m, n, pattern, k / 3 % 2 == 1, &arena);
        gt_lu_layout(&lu, &m, &arena);
        for (size_t j = 0; j < n; j++)
            gt_matrix_at(&m, (j + 1) % n, j)[m.is_complex] = 1.0 + (double)j;
        factor_and_check(&m, &lu, &state);
        gt_lu_free(&lu);
        gt_arena_free(&arena);
    }
}

static void small_kernels_agree_with_lapack(void **unused)
{
    (void)unused;
    for (size_t n = 1; n <= GT_SMALL_LU; n++)
        for (int kind = 0; kind < 2; kind++) {
            uint64_t state = 77 * n;
            gt_arena arena = gt_arena_growing();
            gt_matrix m;
            gt_lu own, lapack;
            gt_matrix_layout(&m, n, (gt_pattern){.storage = GT_DENSE}, kind == 1, &arena);
            gt_lu_layout(&own, &m, &arena);
            gt_lu_layout(&lapack, &m, &arena);
            fill(&m, &state);
            for (size_t i = 0; i < n; i++)
                *gt_matrix_at(&m, i, i) += 2.0 * (double)n; /* well conditioned */
            assert_int_equal(gt_small_factor(&own, m.values), GT_OK);
            assert_int_equal(gt_large_factor(&lapack, m.values), GT_OK);
            double x[2 * GT_SMALL_LU], y[2 * GT_SMALL_LU], size = 0.0;
            for (size_t i = 0; i < n * (kind ? 2 : 1); i++) x[i] = y[i] = uniform(&state);
            gt_small_solve(&own, x);
            gt_large_solve(&lapack, y);
            for (size_t i = 0; i < n * (kind ? 2 : 1); i++) size = fmax(size, fabs(y[i]));
            for (size_t i = 0; i < n * (kind ? 2 : 1); i++)
                assert_true(fabs(x[i] - y[i]) <= 4.0 * (double)n * DBL_EPSILON * size);
            gt_arena_free(&arena);
        }
}

/* The parts of a complex pivot may be so large or small that their squares are not numbers. */
static void complex_pivots_are_scaled(void **unused)
{
    (void)unused;
    const double parts[][2] = {{3e200, 4e200}, {-4e-200, 3e-200}, {0.0, 1e300}, {1e-300, 0.0}};
    for (size_t k = 0; k < 4; k++) {
        double factor[2];
        int pivot;
        gt_lu lu = {.n = 1, .is_complex = true, .factors = factor, .pivots = &pivot};
        double x[2] = {parts[k][0], parts[k][1]};
        assert_int_equal(gt_small_factor(&lu, parts[k]), GT_OK);
        gt_small_solve(&lu, x);
        assert_true(fabs(x[0] - 1.0) < 4.0 * DBL_EPSILON && fabs(x[1]) < 4.0 * DBL_EPSILON);
    }
}

static void set2(gt_matrix *m, double diagonal, double other)
{
    for (size_t i = 0; i < 2; i++) {
        *gt_matrix_at(m, i, i) = diagonal;
        *gt_matrix_at(m, i, 1 - i) = other;
    }
    *gt_matrix_at(m, 0, 0) *= 1.25;
}

static void bad_frozen_pivots_are_chosen_anew(void **unused)
{
    (void)unused;
    int colptr[] = {0, 2, 4}, rowindex[] = {0, 1, 0, 1};
    for (int kind = 0; kind < 2; kind++) {
        uint64_t state = 5;
        gt_arena arena = gt_arena_growing();
        gt_matrix m;
        gt_lu lu;
        gt_matrix_layout(&m, 2,
                         (gt_pattern){.storage = GT_CSC, .colptr = colptr, .rowindex = rowindex},
                         kind == 1, &arena);
        gt_lu_layout(&lu, &m, &arena);
        const struct {
            double diagonal, other;
            long repivots;
        } steps[] = {{4.0, 1.0, 0}, {1.0, 2.0, 0},   {1e-13, 1.0, 1},
                     {0.0, 1.0, 1}, {2.0, 1e-13, 2}, {0.0, 1.0, 3}};
        set2(&m, 4.0, 1.0);
        assert_int_equal(gt_lu_analyse(&lu, &m), GT_OK);
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            set2(&m, steps[k].diagonal, steps[k].other);
            factor_and_check(&m, &lu, &state);
            assert_int_equal(lu.repivots, steps[k].repivots);
        }
        gt_lu_free(&lu);
        assert_null(lu.klu);
        gt_arena_free(&arena);
    }
}

/* Upper triangular: KLU sees blocks of one, whose zeros and whose entries between blocks no pivot
 * search meets. The NaN is not the last of its row, since there the row scaling would spread it. */
static void blocks_of_one_are_watched(void **unused)
{
    (void)unused;
    int colptr[] = {0, 1, 3, 6}, rowindex[] = {0, 0, 1, 0, 1, 2};
    double values[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    gt_matrix m = {3, {.storage = GT_CSC, .colptr = colptr, .rowindex = rowindex}, false, values};
    gt_arena arena = {0};
    gt_lu lu;
    gt_lu_layout(&lu, &m, &arena);
    assert_int_equal(gt_lu_factor(&lu, &m), GT_OK);
    values[1] = (double)NAN;
    assert_int_equal(gt_lu_factor(&lu, &m), GT_TRY_SINGULAR);
    values[1] = 2.0;
    values[2] = 0.0;
    assert_int_equal(gt_lu_factor(&lu, &m), GT_TRY_SINGULAR);
    gt_lu_free(&lu);
}

/* The same band of numbers in all storages. */
static void storages_agree(void **unused)
{
    (void)unused;
    enum { N = 9 };
    uint64_t state = 3;
    gt_arena arena = gt_arena_growing();
    int colptr[N + 1] = {0}, rowindex[N * N], used = 0;
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++)
            if (i - j <= 2 && j - i <= 1) rowindex[used++] = i;
        colptr[j + 1] = used;
    }
    gt_matrix m[3];
    for (int s = 0; s < 3; s++) {
        const gt_pattern pattern = {
            .storage = storages[s], .lower = 2, .upper = 1, .colptr = colptr, .rowindex = rowindex};
        gt_matrix_layout(&m[s], N, pattern, false, &arena);
    }
    const size_t entries[] = {N * N, N * 4, (size_t)used};
    double expected[N] = {0}, x[N], y[N];
    for (size_t i = 0; i < N; i++) x[i] = uniform(&state);
    for (size_t j = 0; j < N; j++)
        for (size_t i = 0; i < N; i++) {
            const bool inside = i <= j + 2 && j <= i + 1;
            const double value = inside ? uniform(&state) : 0.0;
            expected[i] += value * x[j];
            for (int s = 0; s < 3; s++) {
                gt_matrix_add(&m[s], i, j, 0.5 * value);
                gt_matrix_add(&m[s], i, j, 0.5 * value);
                assert_true((gt_matrix_at(&m[s], i, j) != NULL) == (inside || s == 0));
                if (inside) assert_true(*gt_matrix_at(&m[s], i, j) == value);
            }
        }
    for (int s = 0; s < 3; s++) {
        assert_int_equal(gt_matrix_entries(&m[s]), entries[s]);
        for (size_t i = 0; i < N; i++) y[i] = (double)NAN;
        gt_matrix_multiply(&m[s], x, 0.0, y);
        for (size_t i = 0; i < N; i++) assert_true(fabs(y[i] - expected[i]) <= 8.0 * DBL_EPSILON);
        gt_matrix_multiply(&m[s], x, 1.0, y);
        for (size_t i = 0; i < N; i++)
            assert_true(fabs(y[i] - 2.0 * expected[i]) <= 16.0 * DBL_EPSILON);
        gt_matrix_clear(&m[s]);
        for (size_t k = 0; k < gt_matrix_entries(&m[s]); k++) assert_true(m[s].values[k] == 0.0);
    }
    gt_arena_free(&arena);
}

/* Entries of a sparse matrix: all within `width` of the diagonal, which `dense` of 100 places there
 * are. */
static gt_pattern sparse_band(size_t n, int below, int above, int dense, gt_arena *arena)
{
    uint64_t state = 5;
    int *colptr = gt_arena_take(arena, n + 1, sizeof *colptr), used = 0;
    int *rowindex = gt_arena_take(arena, n * (size_t)(below + above + 1), sizeof *rowindex);
    for (int j = 0; j < (int)n; j++) {
        for (int i = j - above; i <= j + below; i++)
            if (i >= 0 && i < (int)n && (i == j || fabs(uniform(&state)) * 100 < dense))
                rowindex[used++] = i;
        colptr[j + 1] = used;
    }
    return (gt_pattern){
        .storage = GT_CSC, .colptr = colptr, .rowindex = rowindex, .entries = (size_t)used};
}

/* Sums that are to be factored are bands where sparse matrices are; with these and without, the
 * same numbers. */
static void sums_of_sparse_matrices(void **unused)
{
    (void)unused;
    static const struct {
        int below, above, dense;
        bool band;
    } cases[] = {{1, 1, 100, true},  {2, 1, 100, true}, {0, 3, 100, true}, {4, 4, 80, true},
                 {5, 2, 90, true},   {8, 8, 90, true},  {8, 8, 20, false}, {9, 8, 100, false},
                 {1, 14, 100, true}, {0, 0, 100, true}};
    enum { N = 40 };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int with_mass = 0; with_mass < 2; with_mass++) {
            uint64_t state = 7;
            gt_arena arena = gt_arena_growing();
            gt_pattern of_J =
                sparse_band(N, cases[k].below, cases[k].above, cases[k].dense, &arena);
            const gt_pattern of[] = {with_mass ? of_J : gt_sum_diagonal, of_J};
            gt_sum sum[2];
            gt_sum_layout(&sum[0], N, 2, of, &arena);
            gt_sum_layout_to_factor(&sum[1], N, 2, of, &arena);
            assert_int_equal(sum[0].of_W.storage, GT_CSC);
            assert_int_equal(sum[1].of_W.storage, cases[k].band ? GT_BANDED : GT_CSC);
            gt_matrix J, M;
            gt_matrix_layout(&J, N, of_J, false, &arena);
            gt_matrix_layout(&M, N, of_J, false, &arena);
            for (size_t e = 0; e < of_J.entries; e++)
                J.values[e] = uniform(&state), M.values[e] = uniform(&state);
            for (size_t i = 0; i < N; i++)
                *gt_matrix_at(&J, i, i) += 6, *gt_matrix_at(&M, i, i) += 3;
            for (int complex_one = 0; complex_one < 2; complex_one++) {
                const double complex weight[] = {1, complex_one ? -0.3 - 0.4 * I : -0.3};
                double x[2][2 * N];
                for (int s = 0; s < 2; s++) {
                    gt_matrix W;
                    gt_lu lu;
                    gt_sum_prepare(&sum[s]);
                    gt_matrix_layout(&W, N, sum[s].of_W, complex_one, &arena);
                    gt_lu_layout(&lu, &W, &arena);
                    gt_sum_fill(&sum[s], (const gt_matrix *[]){with_mass ? &M : NULL, &J}, weight,
                                &W);
                    for (size_t i = 0; i < N; i++) {
                        const double *at = gt_matrix_at(&W, i, i);
                        double m = with_mass ? *gt_matrix_at(&M, i, i) : 1;
                        double complex expected = m + weight[1] * *gt_matrix_at(&J, i, i);
                        assert_true(fabs(at[0] - creal(expected)) <= 8 * DBL_EPSILON);
                        assert_true(!complex_one ||
                                    fabs(at[1] - cimag(expected)) <= 8 * DBL_EPSILON);
                    }
                    for (size_t i = 0; i < 2 * N; i++) x[s][i] = (double)(i % 7) - 3;
                    assert_int_equal(gt_lu_analyse(&lu, &W), GT_OK);
                    assert_int_equal(gt_lu_factor(&lu, &W), GT_OK);
                    gt_lu_solve(&lu, x[s]);
                    gt_lu_free(&lu);
                }
                for (size_t i = 0; i < N * (complex_one ? 2 : 1); i++)
                    if (!(fabs(x[0][i] - x[1][i]) <= 1e-9 * (1 + fabs(x[0][i]))))
                        fail_msg("case %zu: %.17g as a band, %.17g sparse", k, x[1][i], x[0][i]);
            }
            gt_arena_free(&arena);
        }
}

static void measured_size_is_what_is_taken(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < 6 * SIZES; k++) {
        const size_t n = sizes[k / 6];
        gt_arena patterns = gt_arena_growing(), measure = {0};
        const gt_pattern pattern = make_pattern(storages[k % 3], n, &patterns);
        gt_matrix m;
        gt_lu lu;
        gt_matrix_layout(&m, n, pattern, k / 3 % 2 == 1, &measure);
        gt_lu_layout(&lu, &m, &measure);
        assert_null(m.values);
        assert_null(lu.factors);
        assert_true(measure.used >= gt_matrix_entries(&m) * sizeof(double));
        void *memory = aligned_alloc(GT_ALIGN, measure.used);
        gt_arena fixed = gt_arena_over(memory, measure.used);
        gt_matrix_layout(&m, n, pattern, k / 3 % 2 == 1, &fixed);
        gt_lu_layout(&lu, &m, &fixed);
        assert_false(fixed.failed);
        assert_int_equal(fixed.used, measure.used);
        free(memory);
        gt_arena_free(&patterns);
    }
}

/* Checks A v = lambda v (or the transposed matrix for left vectors, with the conjugate) in LAPACK's
 * packed form. */
static void check_vectors(size_t n, const double *a, const double *values, const double *v,
                          bool left)
{
    for (size_t k = 0; k < n; k++) {
        const double re = values[2 * k], im = left ? -values[2 * k + 1] : values[2 * k + 1];
        if (values[2 * k + 1] < 0.0) continue; /* the conjugate of the one before */
        const double *vr = v + k * n, *vi = values[2 * k + 1] > 0.0 ? v + (k + 1) * n : NULL;
        for (size_t i = 0; i < n; i++) {
            double sum_r = -re * vr[i] + (vi ? im * vi[i] : 0.0),
                   sum_i = vi ? -re * vi[i] - im * vr[i] : 0.0;
            for (size_t j = 0; j < n; j++) {
                const double entry = left ? a[j + i * n] : a[i + j * n];
                sum_r += entry * vr[j];
                sum_i += vi ? entry * vi[j] : 0.0;
            }
            assert_true(fabs(sum_r) < 1e-13 && fabs(sum_i) < 1e-13);
        }
    }
}

/* Companion matrix of (x - 1)(x + 2)(x^2 - 2 x + 5) = x^4 - x^3 + x^2 + 9 x - 10, whose complex
 * roots are 1 +- 2i. */
static void eigenvalues_are_those_of_the_polynomial(void **unused)
{
    (void)unused;
    const double companion[16] = {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 10, -9, -1, 1};
    const double roots[4][2] = {{1, 0}, {-2, 0}, {1, 2}, {1, -2}};
    double a[16], values[8], left[16], right[16];
    for (int with_vectors = 0; with_vectors < 2; with_vectors++) {
        memcpy(a, companion, sizeof a);
        assert_int_equal(
            gt_eigen(4, a, values, with_vectors ? left : NULL, with_vectors ? right : NULL), GT_OK);
        for (int r = 0; r < 4; r++) {
            double nearest = INFINITY;
            for (int k = 0; k < 4; k++)
                nearest = fmin(nearest,
                               hypot(values[2 * k] - roots[r][0], values[2 * k + 1] - roots[r][1]));
            assert_true(nearest < 1e-13);
        }
    }
    check_vectors(4, companion, values, right, false);
    check_vectors(4, companion, values, left, true);
    memcpy(a, companion, sizeof a);
    a[5] = (double)NAN;
    assert_int_equal(gt_eigen(4, a, values, NULL, NULL), GT_NOT_FINITE);
    assert_int_equal(gt_eigen(4, NULL, values, NULL, NULL), GT_BAD_ARGUMENT);
}

/* frexp of NaN or infinity may store any exponent: such a row has to stay as it is. */
static void what_is_no_number_is_not_balanced(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY};
    for (int k = 0; k < 2; k++) {
        double a[9] = {1, bad[k], 1, 1, 1, 1024, 1, 1, 1}, d[3];
        gt_balance(3, a, d);
        assert_true(d[0] == 1 && d[1] == 1 && d[2] == 16);
    }
}

/* The sign of a determinant is the parity of its real eigenvalues below 0. */
static void signs_of_determinants(void **unused)
{
    (void)unused;
    for (size_t n = 1; n <= GT_SMALL_LU; n++)
        for (int round = 0; round < 20; round++) {
            uint64_t state = 991 * n + (uint64_t)round;
            gt_arena arena = gt_arena_growing();
            gt_matrix m;
            gt_lu lu;
            double copy[GT_SMALL_LU * GT_SMALL_LU], values[2 * GT_SMALL_LU];
            gt_matrix_layout(&m, n, (gt_pattern){.storage = GT_DENSE}, false, &arena);
            gt_lu_layout(&lu, &m, &arena);
            fill(&m, &state);
            for (size_t i = 0; i < n; i++)
                *gt_matrix_at(&m, i, i) *= 0.1; /* so that rows change places */
            memcpy(copy, m.values, n * n * sizeof *copy);
            assert_int_equal(gt_lu_factor(&lu, &m), GT_OK);
            assert_int_equal(gt_eigen(n, copy, values, NULL, NULL), GT_OK);
            int sign = 1;
            for (size_t i = 0; i < n; i++)
                if (values[2 * i + 1] == 0 && values[2 * i] < 0) sign = -sign;
            assert_int_equal(gt_lu_sign(&lu), sign);
            gt_lu_free(&lu);
            gt_arena_free(&arena);
        }
}

/* In whatever form a matrix is stored, and of any size: a rotation of the rows, odd or even, times
 * a triangle. */
static void signs_in_every_storage(void **unused)
{
    (void)unused;
    static const size_t orders[] = {5, 17, 40, 101};
    for (size_t k = 0; k < 4 * 4; k++) {
        size_t n = orders[k / 4], entries = 0;
        int storage = (int)(k % 4), colptr[102] = {0}, rowindex[3 * 101];
        for (size_t j = 0; j < n; j++) { /* three diagonals, of which the lower one is large */
            for (size_t i = j ? j - 1 : 0; i <= j + 1 && i < n; i++) rowindex[entries++] = (int)i;
            colptr[j + 1] = (int)entries;
        }
        gt_pattern patterns[] = {{.storage = GT_DENSE},
                                 {.storage = GT_BANDED, .lower = 1, .upper = 1},
                                 {.storage = GT_BANDED, .lower = 20, .upper = 20},
                                 {.storage = GT_CSC, .colptr = colptr, .rowindex = rowindex}};
        if (storage == 2 && n <= 20) continue;
        gt_arena arena = gt_arena_growing();
        gt_matrix m;
        gt_lu lu;
        gt_matrix_layout(&m, n, patterns[storage], false, &arena);
        gt_lu_layout(&lu, &m, &arena);
        memset(m.values, 0, gt_matrix_entries(&m) * sizeof *m.values);
        /* det of a tridiagonal matrix by its recurrence */
        double before = 1, det = 1;
        for (size_t i = 0; i < n; i++) {
            double d = i % 3 ? 0.3 : -0.2, l = i % 2 ? 1.5 : -2, u = 0.4;
            *gt_matrix_at(&m, i, i) = d;
            double next = i ? d * det - l * u * before : d;
            if (i) *gt_matrix_at(&m, i, i - 1) = l, *gt_matrix_at(&m, i - 1, i) = u;
            before = det, det = next;
        }
        assert_int_equal(gt_lu_factor(&lu, &m), GT_OK);
        if (gt_lu_sign(&lu) != (det > 0 ? 1 : -1))
            fail_msg("n = %zu, storage %d: det %g", n, storage, det);
        gt_lu_free(&lu);
        gt_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_in_every_storage),
        cmocka_unit_test(residuals_are_small),
        cmocka_unit_test(refactoring_allocates_nothing),
        cmocka_unit_test(singular_and_not_finite_are_refused),
        cmocka_unit_test(pivoting_is_done),
        cmocka_unit_test(small_kernels_agree_with_lapack),
        cmocka_unit_test(complex_pivots_are_scaled),
        cmocka_unit_test(bad_frozen_pivots_are_chosen_anew),
        cmocka_unit_test(blocks_of_one_are_watched),
        cmocka_unit_test(storages_agree),
        cmocka_unit_test(sums_of_sparse_matrices),
        cmocka_unit_test(measured_size_is_what_is_taken),
        cmocka_unit_test(eigenvalues_are_those_of_the_polynomial),
        cmocka_unit_test(what_is_no_number_is_not_balanced),
        cmocka_unit_test(signs_of_determinants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

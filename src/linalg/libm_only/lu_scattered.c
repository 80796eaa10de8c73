/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse matrices without a sparse library: scattered into a dense one and factored as such, which
 * is right for every matrix and slow for large ones. Up to SPARSE_MOST unknowns that takes less
 * than 3 MB and some milliseconds; above it the answer is GT_UNSUPPORTED.
 */
#include "base/finite.h"
#include "linalg/backend.h"
#include "linalg/lu_internal.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SPARSE_MOST = 400 };

struct gt_klu {
    gt_lu dense;
    double *whole;  /* n x n, the matrix */
    double *latest; /* its entries as they came, from which a copy of a run makes the factors */
    bool has_factors;
};

static size_t width_of(const gt_lu *lu) { return lu->is_complex ? 2 : 1; }

static size_t doubles_of(const gt_lu *lu)
{
    return (size_t)lu->pattern.colptr[lu->n] * width_of(lu);
}

size_t gt_sparse_most(void) { return SPARSE_MOST; }

void gt_sparse_free(gt_lu *lu)
{
    free(lu->klu->whole);
    free(lu->klu->dense.pivots);
    free(lu->klu);
    lu->klu = NULL;
}

/* Room for the matrix, its factors and its entries. */
static gt_status make_room(gt_lu *lu)
{
    size_t n = lu->n, numbers = n * n * width_of(lu);
    if (n > SPARSE_MOST) return GT_UNSUPPORTED;
    struct gt_klu *klu = calloc(1, sizeof *klu);
    if (!klu) return GT_NO_MEMORY;
    lu->klu = klu;
    klu->dense = (gt_lu){.n = n, .pattern = {.storage = GT_DENSE}, .is_complex = lu->is_complex};
    klu->whole = calloc(2 * numbers + doubles_of(lu) + 1, sizeof *klu->whole);
    klu->dense.pivots = calloc(n + 1, sizeof *klu->dense.pivots);
    if (!klu->whole || !klu->dense.pivots) {
        gt_sparse_free(lu);
        return GT_NO_MEMORY;
    }
    klu->dense.factors = klu->whole + numbers;
    klu->latest = klu->whole + 2 * numbers;
    return GT_OK;
}

gt_status gt_sparse_factor(gt_lu *lu, const double *values)
{
    assert(lu && values);
    gt_status status = lu->klu ? GT_OK : make_room(lu);
    if (status) return status;
    struct gt_klu *klu = lu->klu;
    size_t width = width_of(lu);
    klu->has_factors = false;
    if (!gt_all_finite(values, doubles_of(lu))) return GT_TRY_SINGULAR;
    memmove(klu->latest, values, doubles_of(lu) * sizeof *values);
    memset(klu->whole, 0, lu->n * lu->n * width * sizeof *klu->whole);
    for (size_t j = 0; j < lu->n; j++)
        for (int k = lu->pattern.colptr[j]; k < lu->pattern.colptr[j + 1]; k++) {
            size_t i = (size_t)lu->pattern.rowindex[k];
            memcpy(klu->whole + (j * lu->n + i) * width, values + (size_t)k * width,
                   width * sizeof *values);
        }
    gt_matrix matrix = {.n = lu->n,
                        .pattern = klu->dense.pattern,
                        .is_complex = lu->is_complex,
                        .values = klu->whole};
    status = gt_lu_factor(&klu->dense, &matrix);
    klu->has_factors = !status;
    return status;
}

gt_status gt_sparse_analyse(gt_lu *lu, const double *values)
{
    return gt_sparse_factor(lu, values);
}

int gt_sparse_sign(const gt_lu *lu) { return lu->klu ? gt_lu_sign(&lu->klu->dense) : 0; }

void gt_sparse_solve(const gt_lu *lu, double *b) { gt_lu_solve(&lu->klu->dense, b); }

bool gt_sparse_fill(size_t n, const gt_pattern *pattern, double *entries, double *operations)
{
    (void)pattern;
    if (n > SPARSE_MOST) return false;
    *entries = (double)n * (double)n;
    *operations = 2 * *entries * (double)n / 3;
    return true;
}

/* ---- the same factors in another place ---- */

size_t gt_klu_numbers(const gt_lu *lu)
{
    return lu->pattern.storage == GT_CSC ? 1 + doubles_of(lu) : 0;
}

void gt_klu_keep(const gt_lu *lu, double *numbers)
{
    memset(numbers, 0, gt_klu_numbers(lu) * sizeof *numbers);
    if (!lu->klu || !lu->klu->has_factors) return;
    numbers[0] = 1;
    memcpy(numbers + 1, lu->klu->latest, doubles_of(lu) * sizeof *numbers);
}

gt_status gt_klu_recall(gt_lu *lu, const double *numbers)
{
    gt_status status = lu->klu ? GT_OK : make_room(lu);
    if (status || numbers[0] == 0) return status;
    return gt_sparse_factor(lu, numbers + 1);
}

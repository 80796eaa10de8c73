/* SPDX-License-Identifier: BSD-3-Clause */
/* One face for all LU factorisations: own kernels (small dense) or those of the backend, by storage
 * and size. */
#include "linalg/backend.h"
#include "linalg/lu_internal.h"
#include "linalg/own_linalg.h"
#include "linalg/sum.h"
#include <assert.h>
#include <string.h>

static bool is_small(const gt_lu *lu)
{
    return lu->pattern.storage == GT_DENSE && lu->n <= GT_SMALL_LU;
}

/* LAPACK calls a BLAS function for every column of a band, which for a few diagonals costs more
 * than the arithmetic; and to a few dozen dense rows its blocks bring nothing. Measured: own
 * factors take 0.55 of its time with 17 real rows, 0.73 with 32, and as much with 40; 20 complex
 * ones as much. */
static bool is_own(const gt_lu *lu)
{
    const size_t most_real = 36, most_complex = 20;
    if (lu->pattern.storage == GT_DENSE)
        return lu->n <= (lu->is_complex ? most_complex : most_real);
    return lu->pattern.storage == GT_BANDED &&
           lu->pattern.lower + lu->pattern.upper <= GT_NARROW_BAND;
}

size_t gt_factor_rows(const gt_lu *lu)
{
    return lu->pattern.storage == GT_BANDED
               ? (size_t)(2 * lu->pattern.lower + lu->pattern.upper + 1)
               : lu->n;
}

void gt_copy_to_factors(gt_lu *lu, const double *values)
{
    assert(lu && lu->factors && values);
    const size_t width = lu->is_complex ? 2 : 1;
    if (lu->pattern.storage == GT_DENSE) {
        memcpy(lu->factors, values, lu->n * lu->n * width * sizeof(double));
        return;
    }
    const size_t fill = width * (size_t)lu->pattern.lower;
    const size_t kept = width * (size_t)(lu->pattern.lower + lu->pattern.upper + 1);
    for (size_t j = 0; j < lu->n; j++) {
        double *column = lu->factors + j * (fill + kept);
        memset(column, 0, fill * sizeof(double));
        memcpy(column + fill, values + j * kept, kept * sizeof(double));
    }
}

void gt_lu_layout(gt_lu *lu, const gt_matrix *matrix, gt_arena *arena)
{
    const gt_pattern *p = &matrix->pattern;
    *lu = (gt_lu){.n = matrix->n, .pattern = *p, .is_complex = matrix->is_complex};
    gt_arena_tell(arena, lu, 0);
    if (p->storage == GT_CSC) return;
    lu->factors = gt_arena_doubles(arena, lu->n * gt_factor_rows(lu) * (lu->is_complex ? 2 : 1));
    lu->pivots = (int *)gt_arena_take(arena, lu->n, sizeof(int));
}

gt_status gt_lu_analyse(gt_lu *lu, const gt_matrix *matrix)
{
    GT_ARMOR(NULL, lu && matrix);
    if (lu->pattern.storage != GT_CSC) return GT_OK;
    lu->factored = false;
    const gt_status status = gt_sparse_analyse(lu, matrix->values);
    lu->factored = status == GT_OK;
    return status;
}

gt_status gt_lu_factor(gt_lu *lu, const gt_matrix *matrix)
{
    lu->factored = false;
    gt_status status;
    if (lu->pattern.storage == GT_CSC)
        status = gt_sparse_factor(lu, matrix->values);
    else if (is_small(lu))
        status = gt_small_factor(lu, matrix->values);
    else if (is_own(lu))
        status = gt_own_factor(lu, matrix->values);
    else
        status = gt_large_factor(lu, matrix->values);
    lu->factored = status == GT_OK;
    return status;
}

gt_status gt_lu_ready(gt_status status, gt_message *message)
{
    if (status == GT_NO_MEMORY)
        return gt_fail(message, status,
                       "out of memory for the sparse factors: try --opt linear=krylov where the "
                       "method has it, which needs none, or an explicit method");
    if (status == GT_UNSUPPORTED)
        return gt_fail(message, status,
                       "a sparse matrix (CSC) of more than %zu rows is to be factored, and this "
                       "library was built without KLU: give the problem a banded pattern, take an "
                       "explicit method, or link the library that is built with "
                       "GEARTRAIN_LIBM_ONLY=OFF",
                       gt_sparse_most());
    return GT_OK;
}

gt_status gt_lu_possible(const gt_lu *lu, gt_message *message)
{
    return gt_lu_ready(lu->pattern.storage == GT_CSC && lu->n > gt_sparse_most() ? GT_UNSUPPORTED
                                                                                 : GT_OK,
                       message);
}

static int small_sign(const gt_lu *lu)
{
    int sign = 1;
    bool seen[GT_SMALL_LU] = {false};
    for (size_t i = 0; i < lu->n; i++) {
        if (lu->factors[i * lu->n + i] < 0) sign = -sign;
        /* A cycle of the permutation is as many exchanges as it has members, less one. */
        for (size_t k = (size_t)lu->pivots[i]; !seen[i] && k != i; k = (size_t)lu->pivots[k]) {
            seen[k] = true;
            sign = -sign;
        }
    }
    return sign;
}

int gt_lu_sign(const gt_lu *lu)
{
    assert(lu);
    if (!lu->factored || lu->is_complex) return 0;
    if (lu->pattern.storage == GT_CSC) return gt_sparse_sign(lu);
    if (is_small(lu)) return small_sign(lu);
    /* Row j was exchanged with row pivots[j], which LAPACK counts from 1. */
    size_t rows = gt_factor_rows(lu), base = is_own(lu) ? 0 : gt_large_first(),
           diagonal = lu->pattern.storage == GT_BANDED
                          ? (size_t)(lu->pattern.lower + lu->pattern.upper)
                          : 0,
           next = lu->pattern.storage == GT_BANDED ? rows : rows + 1;
    int sign = 1;
    for (size_t j = 0; j < lu->n; j++) {
        bool exchanged = (size_t)lu->pivots[j] != j + base;
        if ((lu->factors[j * next + diagonal] < 0) != exchanged) sign = -sign;
    }
    return sign;
}

void gt_lu_solve(const gt_lu *lu, double *b)
{
    assert(lu && lu->factored && b);
    if (lu->pattern.storage == GT_CSC)
        gt_sparse_solve(lu, b);
    else if (is_small(lu))
        gt_small_solve(lu, b);
    else if (is_own(lu))
        gt_own_solve(lu, b);
    else
        gt_large_solve(lu, b);
}

void gt_lu_free(gt_lu *lu)
{
    if (!lu) return;
    if (lu->klu) gt_sparse_free(lu);
    lu->factored = false;
}

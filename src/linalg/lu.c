/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One face for all LU factorisations: chooses own kernels (small dense), LAPACK (larger dense, bands) or KLU (sparse)
 * by storage and size.
 */
#include "linalg/lu_internal.h"

static bool is_small(const gt_lu *lu) { return lu->pattern.storage == GT_DENSE && lu->n <= GT_SMALL_LU; }

void gt_lu_layout(gt_lu *lu, const gt_matrix *matrix, gt_arena *arena)
{
    const gt_pattern *p = &matrix->pattern;
    *lu = (gt_lu){.n = matrix->n, .pattern = *p, .is_complex = matrix->is_complex};
    if (p->storage == GT_CSC) return;
    /* Row exchanges in a band fill `lower` further superdiagonals. */
    const size_t rows = p->storage == GT_BANDED ? (size_t)(2 * p->lower + p->upper + 1) : lu->n;
    lu->factors = gt_arena_doubles(arena, lu->n * rows * (lu->is_complex ? 2 : 1));
    lu->pivots = (int *)gt_arena_take(arena, lu->n, sizeof(int));
}

gt_status gt_lu_analyse(gt_lu *lu, const gt_matrix *matrix)
{
    GT_ARMOR(NULL, lu && matrix);
    if (lu->pattern.storage != GT_CSC) return GT_OK;
    lu->factored = false;
    const gt_status status = gt_klu_analyse(lu, matrix->values);
    lu->factored = status == GT_OK;
    return status;
}

gt_status gt_lu_factor(gt_lu *lu, const gt_matrix *matrix)
{
    lu->factored = false;
    gt_status status;
    if (lu->pattern.storage == GT_CSC)
        status = gt_klu_factor(lu, matrix->values);
    else if (is_small(lu))
        status = gt_small_factor(lu, matrix->values);
    else
        status = gt_lapack_factor(lu, matrix->values);
    lu->factored = status == GT_OK;
    return status;
}

void gt_lu_solve(const gt_lu *lu, double *b)
{
    if (lu->pattern.storage == GT_CSC)
        gt_klu_solve(lu, b);
    else if (is_small(lu))
        gt_small_solve(lu, b);
    else
        gt_lapack_solve(lu, b);
}

void gt_lu_release(gt_lu *lu)
{
    if (!lu) return;
    if (lu->klu) gt_klu_release(lu);
    lu->factored = false;
}

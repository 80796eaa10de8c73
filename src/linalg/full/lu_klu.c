/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse LU by KLU: the ordering is found once, later matrices are factored with the pivots of the
 * first one, which neither searches nor allocates. Pivots that have become bad for the new values
 * show as growth of the factors; then new ones are sought. (klu_refactor, klu_solve, klu_rgrowth
 * and klu_rcond work in memory that klu_factor took.)
 */
#include "linalg/backend.h"
#include "linalg/lu_internal.h"
#include <assert.h>
#include <klu.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct gt_klu {
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double fresh_growth; /* reciprocal growth when the pivots were chosen */
    /* The matrix that the pivots were chosen for and the one that was factored with them last, from
     * which a copy of a run makes the same factors again, to the last bit. */
    double *chosen_for, *latest;
    int exchanges; /* the sign of the permutations of rows and columns; 0: complex */
    bool again;    /* `latest` has been factored with the pivots of another; else it is the one they
                      were chosen for */
};

static size_t doubles_of(const gt_lu *lu)
{
    return (size_t)lu->pattern.colptr[lu->n] * (lu->is_complex ? 2 : 1);
}

/* The backward error is about the rounding error over the reciprocal growth: three digits lost
 * against fresh pivots are as many as the pivot tolerance of KLU, 0.001, may cost by itself. */
static const double growth_allowed = 1e-3;

/* Ratio of the smallest to the largest pivot at which quotients by pivots may overflow. */
static const double smallest_rcond = 1e-290;

size_t gt_sparse_most(void) { return SIZE_MAX; }

void gt_sparse_free(gt_lu *lu)
{
    klu_free_numeric(&lu->klu->numeric, &lu->klu->common); /* does for complex factors too */
    klu_free_symbolic(&lu->klu->symbolic, &lu->klu->common);
    free(lu->klu->chosen_for);
    free(lu->klu);
    lu->klu = NULL;
}

/* No zero pivot, and growth of at least `growth_wanted`. A zero pivot in a block of one is seen by
 * klu_rcond only. */
static bool factors_good(const gt_lu *lu, klu_numeric *numeric, const double *values,
                         double growth_wanted)
{
    struct gt_klu *klu = lu->klu;
    int *colptr = (int *)lu->pattern.colptr, *rowindex = (int *)lu->pattern.rowindex;
    double *ax = (double *)values;
    if (lu->is_complex) {
        klu_z_rcond(klu->symbolic, numeric, &klu->common);
        klu_z_rgrowth(colptr, rowindex, ax, klu->symbolic, numeric, &klu->common);
    } else {
        klu_rcond(klu->symbolic, numeric, &klu->common);
        klu_rgrowth(colptr, rowindex, ax, klu->symbolic, numeric, &klu->common);
    }
    return klu->common.rcond > smallest_rcond && klu->common.rgrowth > growth_wanted;
}

/* What a call of KLU that gave nothing means. */
static gt_status failure(const klu_common *common)
{
    if (common->status == KLU_SINGULAR) return GT_TRY_SINGULAR;
    return common->status == KLU_INVALID ? GT_BAD_ARGUMENT : GT_NO_MEMORY;
}

/* The sign of a permutation, with room for n marks. */
static int sign_of(const int *order, size_t n, char *seen)
{
    int sign = 1;
    memset(seen, 0, n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = (size_t)order[i]; !seen[i] && k != i; k = (size_t)order[k]) {
            seen[k] = 1;
            sign = -sign;
        }
    return sign;
}

/* The marks are in the workspace of the factors, which is left as zeros. */
static int sign_of_exchanges(const gt_lu *lu)
{
    const klu_numeric *numeric = lu->klu->numeric;
    char *marks = numeric->Work;
    assert(numeric->worksize >= lu->n);
    int sign = sign_of(numeric->Pnum, lu->n, marks) * sign_of(lu->klu->symbolic->Q, lu->n, marks);
    memset(marks, 0, lu->n);
    return sign;
}

/* The scales of the rows are above 0, and what is above the blocks does not matter. */
int gt_sparse_sign(const gt_lu *lu)
{
    int sign = lu->klu ? lu->klu->exchanges : 0;
    if (!sign || !lu->klu->numeric) return 0;
    const double *pivots = lu->klu->numeric->Udiag;
    for (size_t i = 0; i < lu->n; i++)
        if (pivots[i] < 0) sign = -sign;
    return sign;
}

/* Chooses pivots anew. When that fails the old ones stay: they may do again for a later matrix. */
static gt_status fresh_factor(gt_lu *lu, const double *values)
{
    struct gt_klu *klu = lu->klu;
    int *colptr = (int *)lu->pattern.colptr, *rowindex = (int *)lu->pattern.rowindex;
    double *ax = (double *)values;
    klu_numeric *numeric = lu->is_complex
                               ? klu_z_factor(colptr, rowindex, ax, klu->symbolic, &klu->common)
                               : klu_factor(colptr, rowindex, ax, klu->symbolic, &klu->common);
    if (!numeric) return failure(&klu->common);
    if (!factors_good(lu, numeric, values, 0.0)) {
        klu_free_numeric(&numeric, &klu->common);
        return GT_TRY_SINGULAR;
    }
    klu_free_numeric(&klu->numeric, &klu->common);
    klu->numeric = numeric;
    klu->fresh_growth = klu->common.rgrowth;
    klu->exchanges = lu->is_complex ? 0 : sign_of_exchanges(lu);
    memcpy(klu->chosen_for, values, doubles_of(lu) * sizeof *values);
    klu->again = false;
    return GT_OK;
}

static bool refactor(gt_lu *lu, const double *values)
{
    struct gt_klu *klu = lu->klu;
    int *colptr = (int *)lu->pattern.colptr, *rowindex = (int *)lu->pattern.rowindex;
    double *ax = (double *)values;
    memcpy(klu->latest, values, doubles_of(lu) * sizeof *values);
    klu->again = true;
    const int done =
        lu->is_complex
            ? klu_z_refactor(colptr, rowindex, ax, klu->symbolic, klu->numeric, &klu->common)
            : klu_refactor(colptr, rowindex, ax, klu->symbolic, klu->numeric, &klu->common);
    return done && factors_good(lu, klu->numeric, values, growth_allowed * klu->fresh_growth);
}

/* KLU would carry a NaN or Inf along silently. */
static bool values_finite(const gt_lu *lu, const double *values)
{
    return gt_all_finite(values, doubles_of(lu));
}

/* The ordering, and room for the two matrices. */
static gt_status order(gt_lu *lu)
{
    struct gt_klu *klu = calloc(1, sizeof *klu);
    if (!klu) return GT_NO_MEMORY;
    klu_defaults(&klu->common);
    klu->chosen_for = calloc(2 * doubles_of(lu) + 1, sizeof *klu->chosen_for);
    klu->latest = klu->chosen_for + doubles_of(lu);
    gt_status status = klu->chosen_for ? GT_OK : GT_NO_MEMORY;
    if (!status) {
        klu->symbolic = klu_analyze((int)lu->n, (int *)lu->pattern.colptr,
                                    (int *)lu->pattern.rowindex, &klu->common);
        if (!klu->symbolic) status = failure(&klu->common);
    }
    if (status) {
        free(klu->chosen_for);
        free(klu);
        return status;
    }
    lu->klu = klu;
    return GT_OK;
}

bool gt_sparse_fill(size_t n, const gt_pattern *pattern, double *entries, double *operations)
{
    klu_common common;
    klu_defaults(&common);
    klu_symbolic *symbolic =
        klu_analyze((int)n, (int *)pattern->colptr, (int *)pattern->rowindex, &common);
    if (!symbolic) return false;
    *entries = symbolic->lnz + symbolic->unz;
    *operations = symbolic->est_flops;
    bool known = symbolic->lnz >= 0 && symbolic->unz >= 0 && symbolic->est_flops >= 0;
    klu_free_symbolic(&symbolic, &common);
    return known;
}

/* The ordering depends on the pattern alone, so it stays even when the values given are singular.
 */
gt_status gt_sparse_analyse(gt_lu *lu, const double *values)
{
    gt_status status = lu->klu ? GT_OK : order(lu);
    if (status) return status;
    return values_finite(lu, values) ? fresh_factor(lu, values) : GT_TRY_SINGULAR;
}

gt_status gt_sparse_factor(gt_lu *lu, const double *values)
{
    if (!lu->klu || !lu->klu->numeric) return gt_sparse_analyse(lu, values);
    if (!values_finite(lu, values)) return GT_TRY_SINGULAR;
    if (refactor(lu, values)) return GT_OK;
    const gt_status status = fresh_factor(lu, values);
    if (status == GT_OK) lu->repivots++;
    return status;
}

void gt_sparse_solve(const gt_lu *lu, double *b)
{
    struct gt_klu *klu = lu->klu;
    const int n = (int)lu->n;
    if (lu->is_complex)
        klu_z_solve(klu->symbolic, klu->numeric, n, 1, b, &klu->common);
    else
        klu_solve(klu->symbolic, klu->numeric, n, 1, b, &klu->common);
}

/* ---- the same factors in another place ---- */

size_t gt_klu_numbers(const gt_lu *lu)
{
    return lu->pattern.storage == GT_CSC ? 1 + 2 * doubles_of(lu) : 0;
}

enum { NOTHING, ORDERED, CHOSEN, AGAIN }; /* how far the factors have come */

void gt_klu_keep(const gt_lu *lu, double *numbers)
{
    const struct gt_klu *klu = lu->klu;
    size_t count = doubles_of(lu);
    memset(numbers, 0, gt_klu_numbers(lu) * sizeof *numbers);
    numbers[0] = NOTHING;
    if (!klu) return;
    numbers[0] = ORDERED;
    if (klu->numeric) numbers[0] = klu->again ? AGAIN : CHOSEN;
    if (numbers[0] >= CHOSEN) memcpy(numbers + 1, klu->chosen_for, count * sizeof *numbers);
    if (numbers[0] >= AGAIN) memcpy(numbers + 1 + count, klu->latest, count * sizeof *numbers);
}

gt_status gt_klu_recall(gt_lu *lu, const double *numbers)
{
    size_t count = doubles_of(lu);
    if (!gt_all_finite(numbers, gt_klu_numbers(lu))) return GT_BAD_ARGUMENT;
    if (numbers[0] < ORDERED) return GT_OK;
    long repivots = lu->repivots;
    gt_status status = order(lu);
    if (!status && numbers[0] >= CHOSEN) status = fresh_factor(lu, numbers + 1);
    /* Factors that were no good then are none now; the flag `factored` says so. */
    if (!status && numbers[0] >= AGAIN) (void)refactor(lu, numbers + 1 + count);
    lu->repivots = repivots;
    return status > 0 ? GT_BAD_ARGUMENT : status;
}

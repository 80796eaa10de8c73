/* SPDX-License-Identifier: BSD-3-Clause */
/* sum_k h^k phi_k(h A) b_k by dense functions or in Krylov spaces; see phi.h. */
#include "linalg/dense.h"
#include <assert.h>
#include <geartrain/author/phi.h>
#include <string.h>

void gt_phi_sum_layout(gt_phi_sum *sum, size_t n, int highest, gt_krylov *krylov, gt_arena *arena)
{
    *sum = (gt_phi_sum){.n = n, .krylov = krylov, .tolerance = 1e-13};
    if (!krylov) gt_phi_layout(&sum->phi, n, highest, arena);
}

static void apply(size_t n, double *const *functions, double h, int highest, const double *const *b,
                  double *out)
{
    double power = 1;
    memset(out, 0, n * sizeof *out);
    for (int k = 0; k <= highest; k++, power *= h)
        if (b[k]) gt_dense_apply(n, functions[k], power, b[k], out);
}

gt_status gt_phi_sum_evaluate(gt_phi_sum *sum, double h, int highest, const double *const *b,
                              double *out)
{
    return gt_phi_sum_halves(sum, h, highest, b, NULL, out);
}

gt_status gt_phi_sum_halves(gt_phi_sum *sum, double h, int highest, const double *const *b,
                            double *half, double *out)
{
    assert(sum && b && out);
    assert(sum->A || sum->product);
    assert(!half || (highest <= 2 && !b[0]));
    gt_krylov *krylov = sum->dense ? NULL : sum->krylov;
    if (krylov) {
        if (!sum->follows) krylov->pace = 0;
        return gt_krylov_sum(krylov, sum->n, sum->product, sum->ctx, h, highest, b, sum->tolerance,
                             half, out);
    }
    gt_status status = gt_phi_evaluate(&sum->phi, sum->A, h);
    if (status) return status;
    apply(sum->n, sum->phi.value, h, highest, b, out);
    if (half) apply(sum->n, sum->phi.half, h / 2, highest, b, half);
    return GT_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Jacobians that are NaN or Inf where f is not: a root at 0, a function at the end of its domain.
 * Such entries are replaced by differences, to the side on which f exists.
 */
#include "implicit/not_finite.h"
#include "base/finite.h"
#include "linalg/column.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool column_is_bad(const gt_matrix *J, const gt_column *column)
{
    for (size_t k = 0; k < column->count; k++)
        if (!isfinite(J->values[column->index + k])) return true;
    return false;
}

/* The entries of a column that are not finite, from f at x + dx e_c; false: f is not finite there
 * in one of them. */
static bool fill(const gt_column *column, const double *f, const double *f_moved, double dx,
                 gt_matrix *J)
{
    bool all = true;
    for (size_t k = 0; k < column->count; k++) {
        double *entry = &J->values[column->index + k];
        size_t row = gt_column_row(column, k);
        if (isfinite(*entry)) continue;
        double slope = (f_moved[row] - f[row]) / dx;
        if (isfinite(slope))
            *entry = slope;
        else
            all = false;
    }
    return all;
}

gt_status gt_jacobian_repair(gt_stepper *s, double t, const double *x, gt_matrix *J)
{
    assert(s && x && J);
    assert(J->n == s->n);
    size_t n = s->n;
    const gt_pattern *pattern = &s->problem->jac_pattern;
    double *f = NULL;
    gt_status status = GT_OK;
    for (size_t c = 0; c < n && !status; c++) {
        gt_column column = gt_column_of(pattern, n, c);
        if (!column_is_bad(J, &column)) continue;
        if (!f) {
            f = malloc(3 * n * sizeof *f);
            if (!f)
                return gt_fail(&s->message, GT_NO_MEMORY,
                               "out of memory for differences of %zu states", n);
            status = gt_rhs(s, t, x, f);
            if (!gt_all_finite(f, n)) break; /* there is nothing to take differences of */
        }
        s->rough_jacobian = true;
        double *moved = f + n, *f_moved = moved + n;
        double size = sqrt(DBL_EPSILON * fmax(1e-5, fabs(x[c]))) * fmax(1, sqrt(fabs(x[c])));
        for (int side = 1; side >= -1 && !status; side -= 2) {
            memcpy(moved, x, n * sizeof *x);
            moved[c] += side * size;
            status = gt_rhs(s, t, moved, f_moved);
            if (!status && fill(&column, f, f_moved, moved[c] - x[c], J)) break;
        }
    }
    free(f);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Nothing but kernels of our own: for small systems, on machines where there is a C compiler and
 * libm. */
#include "linalg/backend.h"
#include "linalg/lu_internal.h"
#include "linalg/own_eigen.h"
#include "linalg/own_linalg.h"
#include <stdlib.h>
#include <string.h>

gt_status gt_large_factor(gt_lu *lu, const double *values) { return gt_own_factor(lu, values); }

size_t gt_large_first(void) { return 0; }

void gt_large_solve(const gt_lu *lu, double *b) { gt_own_solve(lu, b); }

void gt_large_product(size_t n, const double *a, const double *b, double *c)
{
    memset(c, 0, n * n * sizeof *c);
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n; k++)
            for (size_t i = 0; i < n; i++) c[j * n + i] += a[k * n + i] * b[j * n + k];
}

size_t gt_eigen_most(void) { return GT_OWN_EIGEN_MOST; }

size_t gt_eigen_room(size_t n, bool left, bool right)
{
    return n <= GT_OWN_EIGEN_MOST ? gt_own_eigen_room(n, left || right) : 0;
}

size_t gt_small_eigen_room(size_t n) { return gt_own_eigen_room(n, true); }

/* From columns that are `from` apart to columns that are `to` apart, in place. */
static void move_columns(size_t n, double *a, size_t from, size_t to)
{
    for (size_t j = 1; j < n && to < from; j++) memmove(a + j * to, a + j * from, n * sizeof *a);
    for (size_t j = n; j-- > 1 && to > from;) memmove(a + j * to, a + j * from, n * sizeof *a);
}

bool gt_eigen_in(size_t n, double *a, size_t rows, double *re, double *im, double *left,
                 double *right, size_t rows_out, double *work, size_t room)
{
    if (n > GT_OWN_EIGEN_MOST || room < gt_eigen_room(n, left, right)) return false;
    move_columns(n, a, rows, n);
    if (!gt_own_eigen(n, a, re, im, left, right, work)) return false;
    if (left) move_columns(n, left, n, rows_out);
    if (right) move_columns(n, right, n, rows_out);
    return true;
}

bool gt_least_squares(int rows, int columns, double *a, double *b)
{
    return gt_own_least_squares((size_t)rows, (size_t)columns, a, b);
}

bool gt_least_norm(int rows, int columns, double *a, double *b, double rcond)
{
    size_t room = gt_own_least_norm_room((size_t)rows, (size_t)columns);
    double *work = malloc(room * sizeof *work);
    bool done = work && gt_own_least_norm((size_t)rows, (size_t)columns, a, b, rcond, work);
    free(work);
    return done;
}

const char *gt_backend_name(void) { return "libm"; }

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The index of M x' = J x by its numbers (Luenberger's shuffle): where u^T M = 0 the equation u^T M
 * x' = u^T J x has no derivative in it. It is differentiated, 0 = u^T J x', and takes the place of
 * a row of M; how often all of them have to be, until M is regular, is the index.
 */
#include "implicit/index.h"
#include "linalg/null_space.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* The row in whose place the equation u goes, of those that are left; later vectors lose their part
 * in it. */
static size_t take_row(size_t n, size_t count, double *u, unsigned char *taken)
{
    size_t row = n;
    for (size_t i = 0; i < n; i++)
        if (!taken[i] && (row == n || fabs(u[i]) > fabs(u[row]))) row = i;
    if (row == n || u[row] == 0) return n;
    taken[row] = 1;
    for (size_t k = 1; k < count; k++) {
        double factor = u[k * n + row] / u[row];
        for (size_t i = 0; i < n; i++) u[k * n + i] -= factor * u[i];
    }
    return row;
}

static bool shuffle(size_t n, size_t count, double *M, double *J, double *U, double *rows,
                    unsigned char *taken)
{
    memset(taken, 0, n);
    for (size_t k = 0; k < count; k++) {
        double *row = rows + k * n;
        for (size_t j = 0; j < n; j++) {
            row[j] = 0;
            for (size_t i = 0; i < n; i++) row[j] += U[k * n + i] * J[j * n + i];
        }
    }
    /* The combinations below change U, which is used up by then. */
    for (size_t k = 0; k < count; k++) {
        size_t at = take_row(n, count - k, U + k * n, taken);
        if (at == n) return false;
        for (size_t j = 0; j < n; j++) {
            M[j * n + at] = rows[k * n + j];
            J[j * n + at] = 0;
        }
    }
    return true;
}

int gt_pencil_index(size_t n, double *M, double *J, double tol, gt_arena *arena)
{
    enum { MOST = 8 };
    assert(M && J && arena);
    double *T = gt_arena_doubles(arena, n * n), *U = gt_arena_doubles(arena, n * n),
           *rows = gt_arena_doubles(arena, n * n);
    unsigned char *taken = gt_arena_take(arena, n, 1);
    if (arena->failed) return 0;
    for (int index = 0; index <= MOST; index++) {
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++) T[i * n + j] = M[j * n + i];
        size_t count = gt_null_space(n, T, tol, U, arena);
        if (!count) return index;
        if (!shuffle(n, count, M, J, U, rows, taken)) return 0;
    }
    return 0;
}

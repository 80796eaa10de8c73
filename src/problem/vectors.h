/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PROBLEM_VECTORS_H
#define GEARTRAIN_PROBLEM_VECTORS_H

/*
 * Loops over vectors of many states, by the threads that the problem was lent. They go in chunks
 * whose size depends on the length alone, and sums are added up chunk after chunk: so the bits do
 * not depend on how many threads there are, nor on whether there are any. Up to GT_CHUNK states all
 * is one plain loop.
 */
#include <geartrain/author/stepper.h>
#include <geartrain/author/threads.h>
#include <string.h>

enum {
    GT_CHUNK = 8192,     /* states; a few vectors of it are in the cache of a core */
    GT_MOST_CHUNKS = 256 /* of one vector: longer ones have longer chunks */
};

typedef void gt_range_fn(size_t from, size_t to, void *work);

/* Calls part(i, work) for every i < parts, of a loop over n states. */
void gt_share_parts(const gt_problem *p, size_t n, size_t parts, gt_part_fn *part, void *work);

/* Calls work on 0 .. n, chunk by chunk. */
void gt_each_chunk(const gt_problem *p, size_t n, gt_range_fn *range, void *work);

/* The same, in one call of `range` where there is one chunk. */
static inline void gt_in_chunks(const gt_problem *p, size_t n, gt_range_fn *range, void *work)
{
    if (n > GT_CHUNK)
        gt_each_chunk(p, n, range, work);
    else
        range(0, n, work);
}

/* A sum and a maximum over part of the states. */
typedef struct gt_sums {
    double sum, most;
} gt_sums;
typedef gt_sums gt_sums_fn(size_t from, size_t to, const void *work);
gt_sums gt_sum_chunks(const gt_problem *p, size_t n, gt_sums_fn *range, const void *work);

/* The same for n > GT_CHUNK as what norm.h and finite.h do below that. */
double gt_dot_many(const gt_problem *p, size_t n, const double *a, const double *b);
double gt_weighted_square_many(const gt_stepper *s, const double *v, const double *x, size_t n);
gt_sums gt_error_sums_many(const gt_stepper *s, const double *err, size_t n);
double gt_not_finite_many(const gt_problem *p, const double *x, size_t n);

void gt_copy_many(const gt_problem *p, size_t n, const double *x, double *y);
/* y = (y - x) / apart */
void gt_difference_many(const gt_problem *p, size_t n, const double *x, double apart, double *y);
void gt_clear(const gt_problem *p, size_t n, double *x);
void gt_scale_many(const gt_problem *p, size_t n, double factor, double *x);

/* y = x + sum_j weight_j k_j over at least one term; x NULL: 0; y may be x. */
void gt_combine(const gt_problem *p, int terms, const double *weight, const double *const *k,
                const double *x, double *y, size_t n);

static inline void gt_copy(const gt_problem *p, size_t n, const double *x, double *y)
{
    if (n <= GT_CHUNK)
        memcpy(y, x, n * sizeof *x);
    else
        gt_copy_many(p, n, x, y);
}

/* y += a x */
static inline void gt_add(const gt_problem *p, size_t n, double a, const double *x, double *y)
{
    if (n > GT_CHUNK) {
        gt_combine(p, 1, &a, &x, y, y, n);
        return;
    }
    for (size_t i = 0; i < n; i++) y[i] += a * x[i];
}

/* z = y + a x */
static inline void gt_moved(const gt_problem *p, size_t n, const double *y, double a,
                            const double *x, double *z)
{
    if (n > GT_CHUNK) {
        gt_combine(p, 1, &a, &x, y, z, n);
        return;
    }
    for (size_t i = 0; i < n; i++) z[i] = y[i] + a * x[i];
}

static inline void gt_scale(const gt_problem *p, size_t n, double factor, double *x)
{
    if (n > GT_CHUNK) {
        gt_scale_many(p, n, factor, x);
        return;
    }
    for (size_t i = 0; i < n; i++) x[i] *= factor;
}

/* y = (y - x) / apart */
static inline void gt_slope_between(const gt_problem *p, size_t n, const double *x, double apart,
                                    double *y)
{
    if (n > GT_CHUNK) {
        gt_difference_many(p, n, x, apart, y);
        return;
    }
    for (size_t i = 0; i < n; i++) y[i] = (y[i] - x[i]) / apart;
}

#endif

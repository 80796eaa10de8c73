/* SPDX-License-Identifier: BSD-3-Clause */
#include "exact/rational.h"
#include <assert.h>
#include <limits.h>

static const gt_exact nothing = {0, 0};

static gt_int128 magnitude(gt_int128 a) { return a < 0 ? -a : a; }

static gt_int128 common_divisor(gt_int128 a, gt_int128 b)
{
    a = magnitude(a);
    b = magnitude(b);
    while (b) {
        gt_int128 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static gt_exact reduced(gt_int128 num, gt_int128 den)
{
    gt_int128 common = common_divisor(num, den);
    if (!den) return nothing;
    if (den < 0) common = -common;
    return (gt_exact){num / common, den / common};
}

gt_exact gt_exact_whole(long long n) { return (gt_exact){n, 1}; }

gt_exact gt_exact_of(gt_ratio r) { return r.den ? reduced(r.num, r.den) : gt_exact_whole(0); }

gt_exact gt_exact_add(gt_exact a, gt_exact b)
{
    if (!a.den || !b.den) return nothing;
    gt_int128 common = common_divisor(a.den, b.den), left, right, num, den;
    if (__builtin_mul_overflow(a.num, b.den / common, &left) ||
        __builtin_mul_overflow(b.num, a.den / common, &right) ||
        __builtin_add_overflow(left, right, &num) ||
        __builtin_mul_overflow(a.den, b.den / common, &den))
        return nothing;
    return reduced(num, den);
}

gt_exact gt_exact_subtract(gt_exact a, gt_exact b)
{
    return gt_exact_add(a, (gt_exact){-b.num, b.den});
}

/* Reduced crosswise first, so that only a result that is itself too large does not fit. */
gt_exact gt_exact_multiply(gt_exact a, gt_exact b)
{
    if (!a.den || !b.den) return nothing;
    gt_exact left = reduced(a.num, b.den), right = reduced(b.num, a.den);
    gt_int128 num, den;
    if (__builtin_mul_overflow(left.num, right.num, &num) ||
        __builtin_mul_overflow(left.den, right.den, &den))
        return nothing;
    return (gt_exact){num, den};
}

gt_exact gt_exact_divide(gt_exact a, gt_exact b)
{
    if (!b.num) return nothing;
    return gt_exact_multiply(a, b.num < 0 ? (gt_exact){-b.den, -b.num} : (gt_exact){b.den, b.num});
}

gt_exact gt_exact_power(gt_exact a, int n)
{
    gt_exact product = gt_exact_whole(1);
    for (int k = 0; k < n; k++) product = gt_exact_multiply(product, a);
    return product;
}

double gt_exact_value(gt_exact a) { return (double)a.num / (double)a.den; }

bool gt_exact_to_ratio(gt_exact a, gt_ratio *r)
{
    if (!a.den || magnitude(a.num) > LLONG_MAX || a.den > LLONG_MAX) return false;
    *r = (gt_ratio){(long long)a.num, (long long)a.den};
    return true;
}

static void swap_rows(gt_exact *a, gt_exact *b, int length)
{
    for (int j = 0; j < length; j++) {
        gt_exact kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

/* Clears column `column` in all rows but `pivot`, whose entry there becomes 1. */
static void clear_column(int rows, int length, gt_exact *M, int pivot, int column)
{
    gt_exact *row = M + pivot * length, lead = row[column];
    for (int j = 0; j < length; j++) row[j] = gt_exact_divide(row[j], lead);
    for (int i = 0; i < rows; i++) {
        gt_exact *other = M + i * length, factor = other[column];
        for (int j = 0; j < length && i != pivot; j++)
            other[j] = gt_exact_subtract(other[j], gt_exact_multiply(factor, row[j]));
    }
}

gt_exact_outcome gt_exact_solve(int rows, int columns, gt_exact *M, gt_exact *x, int *rank)
{
    assert(M && x && rank);
    assert(rows >= 1 && columns >= 1);
    int length = columns + 1;
    *rank = 0;
    for (int column = 0; column < columns; column++) {
        int pivot = *rank;
        while (pivot < rows && !M[pivot * length + column].num) pivot++;
        if (pivot == rows) continue;
        swap_rows(M + pivot * length, M + *rank * length, length);
        clear_column(rows, length, M, *rank, column);
        ++*rank;
        for (int i = 0; i < rows * length; i++)
            if (!gt_exact_known(M[i])) return GT_OUT_OF_RANGE;
    }
    for (int i = *rank; i < rows; i++)
        if (M[i * length + columns].num) return GT_NO_SOLUTION;
    if (*rank < columns) return GT_MANY_SOLUTIONS;
    for (int i = 0; i < columns; i++) x[i] = M[i * length + columns];
    return GT_ONE_SOLUTION;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_EXACT_EITHER_H
#define GEARTRAIN_EXACT_EITHER_H

/* A number both ways: exact as long as it fits into 128 bits, and as a double for when it does not
 * or came from rounded coefficients. */
#include "exact/rational.h"
#include <geartrain/analysis/design.h>

typedef struct gt_either {
    gt_exact exact;
    double value;
} gt_either;

/* A number that is itself rounded is not to be taken at its last bit. */
static inline gt_either gt_either_of(gt_ratio r)
{
    return (gt_either){gt_ratio_is_rounded(r) ? (gt_exact){0, 0} : gt_exact_of(r),
                       gt_ratio_value(r)};
}

static inline gt_either gt_either_whole(int n) { return (gt_either){gt_exact_whole(n), n}; }

static inline gt_either gt_either_add(gt_either a, gt_either b)
{
    return (gt_either){gt_exact_add(a.exact, b.exact), a.value + b.value};
}

static inline gt_either gt_either_subtract(gt_either a, gt_either b)
{
    return (gt_either){gt_exact_subtract(a.exact, b.exact), a.value - b.value};
}

static inline gt_either gt_either_multiply(gt_either a, gt_either b)
{
    return (gt_either){gt_exact_multiply(a.exact, b.exact), a.value * b.value};
}

static inline gt_either gt_either_divide(gt_either a, gt_either b)
{
    return (gt_either){gt_exact_divide(a.exact, b.exact), a.value / b.value};
}

#endif

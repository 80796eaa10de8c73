/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_BASE_FINITE_H
#define GEARTRAIN_BASE_FINITE_H

#include <stddef.h>

/* 0, or NaN once a component is not finite. */
double gt_not_finite(const double *x, size_t n);

/* The maximum norm; NaN once a component is NaN. */
double gt_largest(const double *x, size_t n);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_NUMBER_PARTS_H
#define GEARTRAIN_NUMBER_PARTS_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 gt_wide;

/* significand * 2^exponent, the significand at least 2^125. */
typedef struct gt_scaled {
    gt_wide significand;
    int exponent;
} gt_scaled;

enum { GT_SCALE_MIN = -351, GT_SCALE_MAX = 350 };

/* m * 10^q for m > 0 and q from GT_SCALE_MIN to GT_SCALE_MAX. The true value lies at or above the significand and below
 * the significand plus two. */
gt_scaled gt_scale(uint64_t m, int q);

/* Bits needed for a value that is not 0. */
int gt_bits(uint64_t value);

enum { GT_RADIX_SIZE = 16 };

/* The decimal point of the current locale, which may be several bytes; returns its length. */
int gt_radix(char radix[GT_RADIX_SIZE]);

/* Makes a '.' of the decimal point in one printed number, whatever the locale made it; returns the new length. */
size_t gt_put_point(char *text, size_t length);

#endif

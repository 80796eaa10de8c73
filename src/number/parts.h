/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_NUMBER_PARTS_H
#define GEARTRAIN_NUMBER_PARTS_H

#include <stddef.h>
#include <stdint.h>

/* 128 bits, in words that every machine has. */
typedef struct gt_wide {
    uint64_t high, low;
} gt_wide;

/* significand * 2^exponent, the significand at least 2^125. */
typedef struct gt_scaled {
    gt_wide significand;
    int exponent;
} gt_scaled;

enum { GT_SCALE_MIN = -351, GT_SCALE_MAX = 350 };

/* m * 10^q for m > 0 and q from GT_SCALE_MIN to GT_SCALE_MAX. The true value lies at or above the
 * significand and below the significand plus two. */
gt_scaled gt_scale(uint64_t m, int q);

/* The significand without its last `drop` bits, 1 to 127 of them, in *kept; what was dropped, with
 * its error, lies below half a unit (-1) or above it (1), or that is not decided (0). */
int gt_scaled_cut(const gt_scaled *s, int drop, gt_wide *kept);

/* Bits needed for a value that is not 0. */
int gt_bits(uint64_t value);

enum { GT_RADIX_SIZE = 16 };

/* The decimal point of the current locale, which may be several bytes; returns its length. */
int gt_radix(char radix[GT_RADIX_SIZE]);

/* Makes a '.' of the decimal point in one printed number, whatever the locale made it; returns the
 * new length. */
size_t gt_put_point(char *text, size_t length);

#endif

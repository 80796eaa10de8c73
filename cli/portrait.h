/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PORTRAIT_H
#define GEARTRAIN_PORTRAIT_H

#include "stability_report.h"

enum { PORTRAIT_MOST = 6, PORTRAIT_ANGLES = 13 };

/* The test equation of two rates that stands for methods of two blocks that have no two tableaux.
 */
#define PORTRAIT_ALPHA 10.0
#define PORTRAIT_BETA 0.1

/* One method or block that the first and the last panel show. */
typedef struct subject {
    const char *label;
    gt_amplifier a;
    gt_test2 test;
    bool one_rate, two_rates;
} subject;

typedef struct portrait {
    const char *name;
    subject list[PORTRAIT_MOST];
    size_t count;
    double h[PORTRAIT_ANGLES]; /* of the accuracy domain, 90 .. 180 degrees */
    bool accurate;
    double window[4];
} portrait;

/* Largest modulus of a root, or the spectral radius. */
double gt_portrait_size(double _Complex z, const void *subject);

int gt_portrait_draw(const portrait *p, const char *path);

#endif

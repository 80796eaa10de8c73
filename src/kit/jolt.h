/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_JOLT_H
#define GEARTRAIN_KIT_JOLT_H

/*
 * Whether what t does to f is smooth over the time that a long step passes over. f is looked at for
 * the same state at times that are evenly spaced. A smooth function, one that goes through less
 * than a period, changes by at most pi/L of its range between two of L looks; a pulse or a jump by
 * more.
 */
#include <geartrain/author/arena.h>
#include <geartrain/author/stepper.h>

typedef struct gt_jolt {
    double low, high, last, change; /* the largest between two looks */
    int at;                         /* the look after it */
} gt_jolt;

/* One for each component of f. */
gt_jolt *gt_jolts_layout(size_t n, gt_arena *arena);

/* The looks are numbered from 0. */
void gt_jolts_look(gt_jolt *of, size_t n, int number, const double *f);

/* The look after the worst jolt, one that moves the solution by more than the tolerance within
 * `spacing`, the time between two looks; 0: all is smooth. `sizes` of the states. */
int gt_jolts_worst(const gt_jolt *of, const gt_stepper *s, int looks, double spacing,
                   const double *sizes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_AUTO_BLOCKS_H
#define GEARTRAIN_ANALYSIS_AUTO_BLOCKS_H

#include <geartrain/pilot.h>

enum { GT_AUTO_TWO_RATES, GT_AUTO_EXACT_MOTION, GT_AUTO_KINDS };

/* What was tried of a kind of methods: how often at a rate of work in a unit of time, and after how
 * many steps last. */
typedef struct gt_auto_tried {
    double rate;
    int count;
    long at;
} gt_auto_tried;

/* A stretch of the run that other methods are to be tried on, by numbers alone. Begins as zeros. */
typedef struct gt_auto_blocks {
    bool open;     /* a stretch is under way, from */
    double t;      /* here, where the state was the x given beside, */
    gt_stats from; /* with these counters */
    long wait;     /* steps before which none begins */
    bool none;     /* there is nothing to try */
    bool found;    /* the method in use was found by a trial */
    double spent;  /* work of all trials, in evaluations of f, */
    double calls;  /* and the calls of f of those that were to find a method */
    double total;  /* work of the run, as expected last */
    gt_auto_tried tried[GT_AUTO_KINDS];
} gt_auto_blocks;

/*
 * Whether a method of two rates, or one that follows fast motion by functions of matrices, is to go
 * on, as `next` then says. `x` has n numbers, kept from one call to the next. What is tried is
 * counted in the run: less than a twentieth of its calls of f so far, or 100, and of its work as it
 * looks then.
 */
bool gt_auto_blocks_better(gt_auto_blocks *b, double *x, const gt_view *view, gt_choice *next);

/* Whether `plain` is to take the place of the method that a trial has found: it is tried on what
 * that one has just done. */
bool gt_auto_blocks_leave(gt_auto_blocks *b, const double *x, const gt_view *view,
                          const gt_method *plain, double *ratio);

/* Another method is in use: its stretch begins anew. */
void gt_auto_blocks_begin(gt_auto_blocks *b);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CLI_WATCH_H
#define GEARTRAIN_CLI_WATCH_H

/* Ctrl-C, progress, threads. */
#include "args.h"

/* From now on Ctrl-C, SIGTERM and SIGHUP set the flag that this gives to plan->interrupted instead
 * of ending the program. */
void gt_cli_catch_interrupt(gt_plan *plan);
bool gt_cli_interrupted(void);

typedef struct cli_progress {
    double t0, t1, started, shown; /* seconds of the monotonic clock */
    bool on, visible;
    const char *what; /* before the numbers; NULL: nothing */
} cli_progress;

/* A bar on standard error when that is a terminal, after a second, unless --quiet. */
void gt_cli_progress_begin(cli_progress *bar, const cli_args *args, double t0, double t1);
void gt_cli_progress_hook(cli_progress *bar, gt_plan *plan);

/* For work that is not one run: `done` of `total` pieces. */
void gt_cli_progress_pieces(cli_progress *bar, size_t done, size_t total);
void gt_cli_progress_end(cli_progress *bar);

/* --threads, or the number of processors. */
int gt_cli_threads(const cli_args *args, long *threads);

/* Calls work(i, ctx) for i = 0 .. count-1, each once, from up to `threads` threads. */
void gt_cli_parallel(long threads, size_t count, void (*work)(size_t i, void *ctx), void *ctx);

double gt_cli_seconds(void); /* monotonic clock */

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_AUTHOR_THREADS_H
#define GEARTRAIN_AUTHOR_THREADS_H

#include <geartrain/api.h>
#include <geartrain/status.h>
#include <stddef.h>

GT_C_BEGIN

typedef void gt_part_fn(size_t i, void *work);

/*
 * Threads that a caller lends to a run, for vectors of many states: gt_problem_use_threads. The
 * library starts none by itself. `share` may be an own pool, OpenMP or whatever else there is;
 * gt_threads_open makes one. A run gives the same bits with any number of them.
 */
typedef struct gt_threads {
    size_t count; /* that work at the same time, the caller's included */
    /* Calls part(i, work) once for every i < parts, on any thread and in any order, and returns
     * when all are done. */
    void (*share)(size_t parts, gt_part_fn *part, void *work, void *ctx);
    void *ctx;
    void *reserved[4];
} gt_threads;

enum { GT_MOST_THREADS = 4096 };

/* States from which threads are used: below, to begin takes as long as what is saved. */
enum { GT_THREADS_FROM = 32768 };

/* Starts count - 1 threads that wait for work. Where the system gives fewer, those that there are
 * have to do. One run at a time may use them. */
GT_API gt_status gt_threads_open(size_t count, gt_threads *threads,
                                 gt_message *message) GT_MUST_CHECK;

/* Ends them. */
GT_API void gt_threads_close(gt_threads *threads);

GT_C_END

#endif

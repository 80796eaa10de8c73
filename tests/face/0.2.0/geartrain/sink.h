/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_SINK_H
#define GEARTRAIN_SINK_H

#include <geartrain/api.h>
#include <geartrain/author/file.h>
#include <geartrain/problem.h>
#include <geartrain/status.h>
#include <stdbool.h>
#include <stddef.h>

GT_C_BEGIN

/* Why a sample is given. START and END come once each; an END that is also a STEP is given as both
 * bits. BREAK is the right limit at a known discontinuity; the left limit came as the end of a STEP
 * before it. */
enum {
    GT_AT_START = 1,
    GT_AT_STEP = 2,
    GT_AT_OUTPUT = 4,
    GT_AT_EVENT = 8,
    GT_AT_END = 16,
    GT_AT_BREAK = 32,
    GT_AT_DENSE =
        64 /* by the wish of one sink, see `spacing`, whatever the output points of the plan are */
};

typedef struct gt_sample {
    unsigned why; /* GT_AT_* */
    double t;
    const double *x;
    size_t n;
    double h, error; /* of the step that led here: size, and error as the controller measured it (0:
                        not measured) */
    int order;
    const unsigned char *fired; /* GT_AT_EVENT: which roots */
    bool before; /* GT_AT_EVENT: x is the left limit; the sample after the event follows */
} gt_sample;

/* Where samples go. A sink that returns anything but GT_OK ends the run. */
typedef struct gt_sink {
    unsigned wants; /* GT_AT_*; asking for steps prevents the fast path of many fixed steps in one
                       call */
    gt_status (*write)(struct gt_sink *self, const gt_sample *sample, gt_message *message);
    void *ctx;
    /* A sink that wants GT_AT_DENSE, as a figure does, has the dense output sampled at t0 + k
     * spacing, and at `inside` points in each step, evenly spread. The points of the other sinks
     * and the counters of the run stay as they are; where the dense output fails the points are
     * left out. */
    double spacing;
    int inside;
    size_t next;       /* the integrator's: index of the next point of `spacing` */
    void *reserved[4]; /* 0; room for more */
} gt_sink;

/* Samples in memory that grows as needed: t[count], x[count * n]. */
typedef struct gt_memory_sink {
    gt_sink sink; /* .ctx is this struct */
    double *t, *x;
    size_t count, capacity, n;
    void *reserved[4];
} gt_memory_sink;

GT_API void gt_memory_sink_init(gt_memory_sink *m, unsigned wants);
GT_API void gt_memory_sink_free(gt_memory_sink *m);

/*
 * CSV with a header `t,name,...` of states and auxiliary quantities, and %.17g numbers. Rows go to
 * a temporary name beside `path`; gt_csv_sink_close gives it its name when `complete`, else renames
 * it to `path`.partial, also when the disk was full (see gt_file). path "-" is standard output; a
 * device or pipe is written as it is.
 */
typedef struct gt_csv_sink {
    gt_sink sink;
    gt_file file;
    bool with_steps; /* columns _h, _err, _order */
    bool begun;      /* the header is written */
    const gt_problem *problem;
    const size_t
        *columns; /* which of the states and, behind them, the auxiliary quantities; NULL: all */
    size_t n_columns;
    double *aux; /* n_aux, of the row that is written */
    void *reserved[4];
} gt_csv_sink;

GT_API gt_status gt_csv_sink_open(gt_csv_sink *c, const char *path, const gt_problem *problem,
                                  unsigned wants, bool with_steps,
                                  gt_message *message) GT_MUST_CHECK;
/* The sink without its file, which gt_file_resume opens. */
GT_API gt_status gt_csv_sink_prepare(gt_csv_sink *c, const gt_problem *problem, unsigned wants,
                                     bool with_steps, gt_message *message) GT_MUST_CHECK;
GT_API gt_status gt_csv_sink_close(gt_csv_sink *c, bool complete,
                                   gt_message *message) GT_MUST_CHECK;

GT_C_END

#endif

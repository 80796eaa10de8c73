/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A run from t0 back to t1 < t0: the reversed problem is run forward by a stepper of its own, and
 * what goes out has the times of the problem again.
 */
#include "core/run_handle.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Stands in front of a sink of the plan. */
typedef struct mirror {
    gt_sink sink;
    gt_sink *behind;
} mirror;

static gt_status write_mirrored(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    mirror *m = self->ctx;
    gt_sample shown = *sample;
    shown.t = 0 - sample->t; /* and not -0 */
    return m->behind->write(m->behind, &shown, message);
}

static void watch_mirrored(double t, const gt_stats *stats, void *ctx)
{
    const gt_watcher *w = ctx;
    w->progress(0 - t, stats, w->ctx);
}

gt_status gt_mirror_plan(const gt_plan *given, gt_plan *out, gt_watcher *w, gt_arena *arena)
{
    assert(given && out && w && arena);
    assert(given != out);
    const gt_plan copy = *given, *plan = &copy; /* it may be the one that is written */
    *out = *plan;
    mirror *mirrors = gt_arena_take(arena, plan->n_sinks + 1, sizeof *mirrors);
    gt_sink **sinks = gt_arena_take(arena, plan->n_sinks + 1, sizeof *sinks);
    double *times = gt_arena_doubles(arena, plan->n_times);
    if (arena->failed) return GT_NO_MEMORY;
    for (size_t i = 0; i < plan->n_sinks; i++) {
        mirrors[i] = (mirror){.sink = *plan->sinks[i], .behind = plan->sinks[i]};
        mirrors[i].sink.write = write_mirrored;
        mirrors[i].sink.ctx = &mirrors[i];
        sinks[i] = &mirrors[i].sink;
    }
    for (size_t i = 0; i < plan->n_times; i++) times[i] = -plan->times[i];
    out->sinks = sinks;
    out->times = times;
    *w = (gt_watcher){plan->progress, plan->progress_ctx};
    if (plan->progress) {
        out->progress = watch_mirrored;
        out->progress_ctx = w;
    }
    return GT_OK;
}

static gt_status run(gt_stepper *s, const gt_plan *plan, gt_report *report, gt_arena *arena)
{
    gt_problem reversed;
    gt_plan mirrored;
    gt_watcher w;
    gt_stepper back;
    size_t bytes;
    gt_status status = gt_problem_reversed(s->problem, &reversed, arena);
    if (!status) status = gt_mirror_plan(plan, &mirrored, &w, arena);
    if (status) return gt_fail(&report->message, status, "out of memory");
    status = gt_stepper_measure(s->method, plan->options, &reversed, &bytes, &report->message);
    if (status) return status;
    void *memory = malloc(bytes);
    if (!memory)
        return gt_fail(&report->message, GT_NO_MEMORY, "out of memory: %s needs %zu bytes",
                       s->method->name, bytes);
    status = gt_stepper_init(&back, s->method, plan->options, &reversed, memory, bytes);
    if (status) {
        report->message = back.message;
    } else {
        back.backward = true;
        status = gt_integrate(&back, &mirrored, report);
        gt_stepper_start(s, -back.t, back.x);
        s->h = -back.h;
        s->stats = back.stats;
        s->note = back.note;
        gt_stepper_free(&back);
    }
    report->t = 0 - report->t;
    report->h = 0 - report->h;
    free(memory);
    return status;
}

gt_status gt_integrate_backward(gt_stepper *s, const gt_plan *plan, gt_report *report)
{
    gt_arena arena = gt_arena_growing();
    report->status = run(s, plan, report, &arena);
    gt_arena_free(&arena);
    return report->status;
}

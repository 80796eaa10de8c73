/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A step may go from one side of a pole of f to the other, as of 1/x^3 at x = 0, which the solution
 * never reaches; the shorter the way on which f is large, the surer it is that no stage falls on
 * it. Where a state changes its sign in a step, f is looked at with that state next to zero, at
 * three distances: at a pole of order 1 or more it grows a hundredfold with a hundredth of the
 * distance. A singularity that a solution may pass, as that of 1/sqrt(|x|), grows less.
 */
#include "analysis/poles.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 1000, MOST_LOOKS = 24, DISTANCES = 3 };
static const double nearer = 0.01, grows = 50;

/* The point at which state `which` is zero, on the straight line through a step. */
typedef struct passage {
    double t, side; /* the end of the step; how far the state was on the side that it came from */
    size_t which;
} passage;

typedef struct watch {
    gt_sink sink;
    size_t n, count;
    passage list[MOST_LOOKS];
    bool begun;
    double *before, *points; /* the last sample; MOST_LOOKS points */
} watch;

static gt_status look(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    watch *w = self->ctx;
    (void)message;
    for (size_t i = 0; i < w->n && w->begun && w->count < MOST_LOOKS; i++) {
        double from = w->before[i], to = sample->x[i], part = from / (from - to);
        if (!(from * to < 0)) continue;
        double *x = w->points + w->count * w->n;
        for (size_t k = 0; k < w->n; k++)
            x[k] = w->before[k] + part * (sample->x[k] - w->before[k]);
        w->list[w->count++] = (passage){.t = sample->t, .side = from, .which = i};
    }
    memcpy(w->before, sample->x, w->n * sizeof *w->before);
    w->begun = true;
    return GT_OK;
}

/* Whether a component of f grows that much at each of the distances. f: DISTANCES vectors. */
static bool is_pole(const gt_problem *p, const passage *at, double *x, double *f)
{
    size_t n = gt_problem_size(p);
    double distance = 1e-3 * at->side;
    for (int k = 0; k < DISTANCES; k++, distance *= nearer) {
        x[at->which] = distance;
        if (p->rhs(at->t, x, f + (size_t)k * n, p->ctx)) return false;
    }
    for (size_t i = 0; i < n; i++) {
        const double *value = f + i;
        if (fabs(value[n]) > grows * fabs(value[0]) &&
            fabs(value[2 * n]) > grows * fabs(value[n]) && value[0] != 0)
            return true;
    }
    return false;
}

bool gt_passes_pole(const gt_problem *p, const gt_method *method, const gt_plan *plan,
                    const gt_report *report, double *t)
{
    size_t n = gt_problem_size(p);
    bool few = report->stats.steps <= MOST_STEPS && !(plan->h > 0);
    if (!few || p->n_alg || p->mass || p->ranks || !p->rhs) return false;
    double *room = malloc((MOST_LOOKS + DISTANCES + 1) * n * sizeof *room);
    if (!room) return false;
    watch w = {.n = n, .before = room, .points = room + n};
    w.sink = (gt_sink){.wants = GT_AT_STEP, .write = look, .ctx = &w};
    gt_sink *const sinks[] = {&w.sink};
    gt_plan again = *plan;
    gt_report second;
    again.sinks = sinks;
    again.n_sinks = 1;
    again.n_times = 0;
    again.every = 0;
    again.refine = 0;
    again.x_end = NULL;
    again.progress = NULL;
    again.message = NULL;
    bool found = false;
    if (!gt_solve(p, method, &again, &second)) {
        for (size_t k = 0; k < w.count && !found; k++) {
            found = is_pole(p, &w.list[k], w.points + k * n, w.points + MOST_LOOKS * n);
            if (found) *t = w.list[k].t;
        }
    }
    free(room);
    return found;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fixed steps end on their grid and not where a relation of the model switches: in such a step the
 * stages see f of both sides, and its error is of order 1 in h where f jumps and of order 2 where
 * it has a kink, whatever the method. A run that met some says how many, found by the same run once
 * more, which looks at the relations after every step.
 */
#include "run_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct count {
    gt_sink sink;
    const gt_problem *p;
    double *g, *side; /* side: the last value that was not zero */
    long times;
    double first;
} count;

static gt_status look(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)message;
    count *c = self->ctx;
    if (c->p->switches(sample->t, sample->x, c->g, c->p->ctx)) return GT_OK;
    for (size_t k = 0; k < c->p->n_switches; k++) {
        if (c->g[k] * c->side[k] < 0 && !c->times++) c->first = sample->t;
        if (c->g[k] != 0) c->side[k] = c->g[k];
    }
    return GT_OK;
}

static void count_switches(const run_outcome *o, count *c)
{
    gt_report again;
    gt_plan plan = o->solver->plan;
    gt_sink *const sinks[] = {&c->sink};
    c->sink = (gt_sink){.wants = GT_AT_STEP, .write = look, .ctx = c};
    plan.sinks = sinks;
    plan.n_sinks = 1;
    plan.x_end = NULL;
    plan.progress = NULL;
    plan.message = NULL;
    if (gt_solve(c->p, gt_cli_run_method(o->solver), &plan, &again)) c->times = 0;
}

void gt_run_notes_passed(const run_outcome *o, double off, gt_message *note)
{
    const gt_problem *p = &o->p->problem;
    if (!p->n_switches || !p->switches || isnan(off) || o->report->status) return;
    count c = {.p = p, .g = calloc(2 * p->n_switches, sizeof *c.g)};
    if (!c.g) return;
    c.side = c.g + p->n_switches;
    count_switches(o, &c);
    free(c.g);
    if (!c.times) return;
    gt_say_more(
        note,
        "%srelations of the model switched %ld time%s inside steps with h = %g (first before "
        "t = %.6g), and fixed steps do not end there: the error is of order 1 in h where f "
        "jumps, 2 where it has a kink",
        *note->text ? "; " : "", c.times, c.times > 1 ? "s" : "", o->solver->plan.h, c.first);
    if (isfinite(off))
        gt_say_more(note,
                    "; half of the step or controlled steps are %.1g of the size of a state away",
                    off);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* compare --drift: how well the methods keep an invariant. */
#include "compare_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int gt_compare_drift_flag(comparison *c)
{
    const gt_problem *p = &c->p.problem;
    char hint[96];
    c->drift = gt_cli_text(&compare_own(c->args)->drift);
    if (!c->drift) return CLI_OK;
    if (!p->n_invariants) return gt_cli_usage("--drift: %s has no invariant", c->p.model->name);
    if (gt_cli_has(&c->args->flags.every) || c->trajectories)
        return gt_cli_usage("--drift looks at every step; leave --every and --trajectories out");
    for (c->invariant = 0; c->invariant < p->n_invariants; c->invariant++)
        if (!strcmp(c->drift, p->invariant_names[c->invariant])) return CLI_OK;
    const char **names = gt_arena_take(&c->p.arena, p->n_invariants + 1, sizeof *names);
    if (!names) return gt_cli_failed("out of memory");
    memcpy(names, p->invariant_names, p->n_invariants * sizeof *names);
    gt_cli_suggest(c->drift, names, hint);
    return gt_cli_usage("--drift: %s has no invariant '%s'%s; it has: %s%s", c->p.model->name,
                        c->drift, hint, names[0], p->n_invariants > 1 ? ", .." : "");
}

static gt_status keep(compare_drift *d, double t, gt_message *message)
{
    if (d->count == d->room) {
        size_t room = d->room ? 2 * d->room : 256;
        double *larger_t = realloc(d->t, room * sizeof *larger_t);
        if (larger_t) d->t = larger_t;
        double *larger = realloc(d->change, room * sizeof *larger);
        if (larger) d->change = larger;
        if (!larger_t || !larger)
            return gt_fail(message, GT_NO_MEMORY, "out of memory for the drift");
        d->room = room;
    }
    d->t[d->count] = t;
    d->change[d->count++] = d->largest;
    return GT_OK;
}

/* A run that is to go on for long is looked at from its last break on. */
static gt_status look(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    compare_drift *d = self->ctx;
    gt_run_invariants(d->problem, sample, d->work);
    double value = d->work[d->which];
    if (sample->why & (GT_AT_START | GT_AT_BREAK)) {
        d->base = value;
        d->largest = d->final = 0;
        d->count = 0;
        return GT_OK;
    }
    d->final = fabs(value - d->base) / (d->base != 0 ? fabs(d->base) : 1);
    if (!(d->final <= d->largest)) d->largest = d->final;
    bool grows = !d->count || !(d->largest <= 1.02 * d->change[d->count - 1]);
    return grows || (sample->why & GT_AT_END) ? keep(d, sample->t, message) : GT_OK;
}

gt_status gt_compare_drift_init(const comparison *c, compare_drift *drift)
{
    const gt_problem *p = &c->p.problem;
    *drift = (compare_drift){
        .problem = p, .which = c->invariant, .work = malloc(p->n_invariants * sizeof(double))};
    drift->sink = (gt_sink){
        .wants = GT_AT_START | GT_AT_STEP | GT_AT_BREAK | GT_AT_END, .write = look, .ctx = drift};
    return drift->work ? GT_OK : GT_NO_MEMORY;
}

void gt_compare_drift_free(compare_drift *drift)
{
    free(drift->work);
    free(drift->t);
    free(drift->change);
}

int gt_compare_draw_drift(const comparison *c, const char *title)
{
    gt_arena arena = gt_arena_growing();
    cli_curve *curves = gt_arena_take(&arena, c->n_rows, sizeof *curves);
    char(*titles)[96] = gt_arena_take(&arena, c->n_rows, sizeof *titles), label[120];
    if (arena.failed) return gt_cli_failed("out of memory");
    for (size_t i = 0; i < c->n_rows; i++) {
        const compare_row *row = &c->rows[i];
        char step[40];
        snprintf(titles[i], sizeof titles[i], "%s %s%s", row->entry->label,
                 gt_compare_step(row, step), row->report.status ? " (failed)" : "");
        curves[i] = (cli_curve){.title = titles[i],
                                .x = row->drift.t,
                                .y = row->drift.change,
                                .count = row->drift.count};
    }
    snprintf(label, sizeof label, "largest relative change of %s so far", c->drift);
    cli_panel panel = {.x_label = "t",
                       .y_label = label,
                       .log_y = true,
                       .tight_x = true,
                       .curves = curves,
                       .n_curves = c->n_rows};
    int code = gt_cli_plot(&(cli_plot){
        .path = c->figure.path, .title = title, .panels = &panel, .n_panels = 1, .args = c->args});
    gt_arena_free(&arena);
    return code;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* All programs from the equations; and long ones in chunks, as functions that a compiler takes in
 * linear time. */
#include "lang/programs/programs.h"
#include <assert.h>

enum { MOST_TWICE = 2 }; /* times as many steps in chunks */

/* Outputs in chunks of about `steps` steps each; the number of steps in all. */
static int64_t chunk(ode_programs *programs, ode_program *p, int hoist_what, int32_t steps)
{
    int32_t single = 0, next = 0;
    for (int32_t k = 0; k < p->outputs.count; k++) single += !p->outputs.list[k].loop;
    int32_t per_chunk = (int32_t)((int64_t)single * steps / p->n_steps) + 1,
            most = single / per_chunk + 2;
    p->chunks = gt_lang_take(programs->work, (size_t)most, sizeof *p->chunks);
    p->n_chunks = 0;
    for (int32_t k = 0; k < most; k++) p->chunks[k].outputs.target = p->outputs.target;
    for (int32_t k = 0; k < p->outputs.count; k++) { /* the last one gets all loops */
        ode_program *part = &p->chunks[p->outputs.list[k].loop ? most - 1 : next++ / per_chunk];
        gt_lang_output(programs->work, &part->outputs, p->outputs.list[k]);
    }
    int64_t total = 0;
    for (int32_t k = 0; k < most; k++) {
        if (!p->chunks[k].outputs.count) continue;
        gt_lang_schedule(programs, &p->chunks[k], hoist_what);
        total += p->chunks[k].n_steps;
        p->chunks[p->n_chunks++] = p->chunks[k];
        if (total > MOST_TWICE * (int64_t)p->n_steps) break;
    }
    return total;
}

/* What several chunks need is computed in each, so chunks are long enough that this is not much. */
void gt_lang_make_chunks(ode_programs *programs, ode_program *p, int hoist_what)
{
    enum { LONG = 2000, STEPS = 200, LARGER = 4 };
    if (p->n_steps < LONG) return;
    for (int64_t steps = STEPS; steps < p->n_steps; steps *= LARGER)
        if (chunk(programs, p, hoist_what, (int32_t)steps) <= MOST_TWICE * (int64_t)p->n_steps)
            return;
    p->n_chunks = 0;
}

/* ---- all of them ---- */

static ode_program begin_program(const ode_outputs *outputs)
{
    return (ode_program){.outputs = *outputs};
}

static void schedule_actions(ode_programs *programs)
{
    const ode_equations *eq = programs->eq;
    programs->actions =
        gt_lang_take(programs->work, (size_t)eq->n_events + 1, sizeof *programs->actions);
    for (int32_t e = 0; e < eq->n_events; e++) {
        const ode_event *event = &eq->events[e];
        ode_program *actions =
            gt_lang_take(programs->work, (size_t)event->n_actions + 1, sizeof *actions);
        programs->actions[e] = actions;
        for (int32_t k = 0; k < event->n_actions; k++) {
            actions[k] = begin_program(&event->actions[k].value);
            gt_lang_schedule(programs, &actions[k], 1);
        }
    }
}

static void prepare_marks(ode_programs *programs)
{
    size_t n = (size_t)programs->graph->n_nodes + 1;
    programs->hoisted = gt_lang_take(programs->work, n, sizeof *programs->hoisted);
    programs->mark = gt_lang_take(programs->work, n, sizeof *programs->mark);
    programs->mark_inner = gt_lang_take(programs->work, n, sizeof *programs->mark_inner);
    for (size_t k = 0; k < n; k++) programs->hoisted[k] = -1;
}

/* What the others take from p is computed by P_SETUP, which is scheduled last. */
void gt_lang_make_programs(ode_programs *programs)
{
    const ode_equations *eq = programs->eq;
    ode_program *setup = &programs->programs[P_SETUP];
    assert(eq->outputs[P_RHS].count && eq->graph == programs->graph);
    programs->n_p = eq->n_p;
    prepare_marks(programs);
    setup->outputs.target = eq->outputs[P_SETUP].target;
    for (int32_t k = 0; k < eq->outputs[P_SETUP].count; k++)
        gt_lang_output(programs->work, &setup->outputs, eq->outputs[P_SETUP].list[k]);
    for (int k = P_SETUP + 1; k < P_COUNT; k++) {
        int hoist = (k >= P_RHS && k <= P_ROOTS) || k >= P_SWITCHES ? 2 : 1;
        programs->programs[k] = begin_program(&eq->outputs[k]);
        gt_lang_schedule(programs, &programs->programs[k], hoist);
        gt_lang_make_chunks(programs, &programs->programs[k], hoist);
    }
    schedule_actions(programs);
    gt_lang_make_terms(programs);
    gt_lang_schedule(programs, setup, 0);
    gt_lang_make_chunks(programs, setup, 0);
}

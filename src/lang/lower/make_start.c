/* SPDX-License-Identifier: BSD-3-Clause */
/* Initial values, as runs of states that one statement starts. */
#include "lang/lower/ode_equations.h"

typedef struct start {
    int32_t value, definition, shift;
    /* alone: x7 of x[1..9](0)=.., which has an equation under a name of its own */
    bool ranged, alone;
    int32_t element;
} start;

static int32_t start_root(ode_lowering *lower, const void *what, int32_t k, const ode_place *place)
{
    const start *s = what;
    if (k == 0)
        return s->value < 0 ? gt_lang_number(lower->graph, 0)
                            : gt_lang_lower(lower, s->value, place);
    if (!s->ranged || s->alone)
        return gt_lang_state_node(lower, s->definition, s->element, 0, 0, place);
    return gt_lang_state_node(lower, s->definition, place->j0 + s->shift, place->j1, place->i1,
                              place);
}

/* A function that calls itself reads states as they are, not as they begin. */
static void refuse_states_in_functions(ode_equations *eq, int32_t at)
{
    int32_t *leaves;
    for (int32_t k = 0; k < eq->graph->n_functions; k++)
        if (gt_lang_function_leaves(eq->graph, k, N_STATE, &leaves))
            gt_lang_error(
                eq->work, at,
                "a recursive function that reads states cannot be used for initial values");
}

static void make_start_run(ode_equations *eq, int32_t definition, int32_t statement, int32_t lo,
                           int32_t hi)
{
    const ode_place base = {.time = -1, .start_values = true};
    const ode_statement *s = &eq->parsed->statements[statement];
    start what = {.value = s->value,
                  .definition = definition,
                  .shift = s->shift,
                  .ranged = s->ranged,
                  .element = lo};
    int32_t first = lo - s->shift, last = hi - s->shift;
    if (s->ranged && gt_lang_starts_alone(eq->names, definition, statement)) {
        const ode_definition *d = &eq->names->definitions[definition];
        what.alone = true;
        first = last = eq->names->start_j[d->position + d->stride * (lo - d->lo)];
    }
    ode_piece *pieces;
    int32_t count =
        gt_lang_cut_range(eq->lower, start_root, &what, 2, s->ranged, first, last, &base, &pieces);
    for (int32_t i = 0; i < count; i++) {
        ode_node target = eq->graph->nodes[pieces[i].nodes[1]];
        if (eq->graph->nodes[pieces[i].nodes[0]].flags & HAS_CALL)
            refuse_states_in_functions(eq, s->at);
        gt_lang_output(eq->work, &eq->outputs[P_START],
                       gt_lang_at_piece(&pieces[i], pieces[i].nodes[0], target.a, target.b));
    }
}

void gt_lang_make_start(ode_equations *eq)
{
    for (int32_t i = 0; i < eq->names->n_definitions; i++) {
        ode_definition d = eq->names->definitions[i];
        if (d.kind != K_STATE && d.kind != K_UNKNOWN) continue;
        for (int32_t e = d.lo; e <= d.hi;) {
            int32_t statement = eq->names->start_of[d.position + d.stride * (e - d.lo)], end = e;
            bool alone = statement >= 0 && gt_lang_starts_alone(eq->names, i, statement);
            while (!alone && end < d.hi &&
                   eq->names->start_of[d.position + d.stride * (end + 1 - d.lo)] == statement)
                end++;
            if (statement >= 0) make_start_run(eq, i, statement, e, end);
            e = end + 1;
        }
    }
}

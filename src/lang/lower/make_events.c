/* SPDX-License-Identifier: BSD-3-Clause */
/* Events: conditions as root functions, and one output for each assignment. */
#include "lang/lower/ode_equations.h"
#include <string.h>

typedef struct happening {
    int32_t condition;
    int32_t first_assignment;
} happening;

/* Root 0 is the condition; then come the values and the targets of the assignments in turns. */
static int32_t event_root(ode_lowering *lower, const void *what, int32_t k, const ode_place *place)
{
    const happening *h = what;
    if (k == 0) return gt_lang_lower(lower, h->condition, place);
    int32_t a = h->first_assignment;
    for (int32_t i = 0; i < (k - 1) / 2; i++) a = lower->parsed->assignments[a].next;
    ode_assignment as = lower->parsed->assignments[a];
    if (k % 2)
        return as.value < 0 ? gt_lang_number(lower->graph, 0)
                            : gt_lang_lower(lower, as.value, place);
    const char *name = lower->parsed->symbols[lower->parsed->syntax[as.target].symbol].text;
    if (!strcmp(name, "arret") || !strcmp(name, "out_put") || !strcmp(name, "no_interp"))
        return gt_lang_number(lower->graph, 0);
    return gt_lang_target(lower, as.target, place);
}

static void make_actions(ode_equations *eq, ode_event *e, const ode_statement *s,
                         const ode_piece *piece)
{
    int32_t count = 0;
    for (int32_t a = s->first_assignment; a >= 0; a = eq->parsed->assignments[a].next) count++;
    e->actions = gt_lang_take(eq->work, (size_t)count + 1, sizeof *e->actions);
    int32_t k = 1;
    for (int32_t a = s->first_assignment; a >= 0; a = eq->parsed->assignments[a].next, k += 2) {
        const char *name =
            eq->parsed->symbols[eq->parsed->syntax[eq->parsed->assignments[a].target].symbol].text;
        if (!strcmp(name, "no_interp")) continue;
        ode_action *act = &e->actions[e->n_actions++];
        *act = (ode_action){.value = {.target = O_OUT}};
        if (!strcmp(name, "arret")) {
            act->what = A_STOP;
        } else if (!strcmp(name, "out_put")) {
            act->what = A_OUTPUT;
        } else {
            const ode_node *target = &eq->graph->nodes[piece->nodes[k + 1]];
            act->what = target->op == N_STATE ? A_STATE : A_PARAM;
            act->first = target->a;
            act->step = target->b;
            if (act->what == A_PARAM) eq->events_set_params = true;
        }
        /* One output, for the one j that fired: the loop has a single turn, whose j is set when it
         * runs. */
        gt_lang_output(eq->work, &act->value,
                       (ode_output){.node = piece->nodes[k], .loop = piece->loop});
    }
}

void gt_lang_make_events(ode_equations *eq)
{
    const ode_place base = {.time = -1};
    for (int32_t k = 0; k < eq->parsed->n_statements; k++) {
        ode_statement s = eq->parsed->statements[k];
        if (s.kind != ST_EVENT) continue;
        happening what = {.condition = s.value, .first_assignment = s.first_assignment};
        int32_t roots = 1;
        for (int32_t a = s.first_assignment; a >= 0; a = eq->parsed->assignments[a].next)
            roots += 2;
        if (roots > 2000) gt_lang_error(eq->work, s.at, "an event has at most 1000 assignments");
        ode_piece *pieces;
        int32_t count = gt_lang_cut_range(eq->lower, event_root, &what, roots, s.ranged, s.lo, s.hi,
                                          &base, &pieces);
        eq->number_of[k] = eq->n_roots;
        for (int32_t i = 0; i < count; i++) {
            ode_event e = {.lo = pieces[i].lo, .hi = pieces[i].hi, .loop = pieces[i].loop};
            e.root = eq->n_roots;
            make_actions(eq, &e, &s, &pieces[i]);
            gt_lang_output(eq->work, &eq->outputs[P_ROOTS],
                           gt_lang_at_piece(&pieces[i], pieces[i].nodes[0],
                                            e.root - (e.loop ? e.lo : 0), e.loop ? 1 : 0));
            eq->n_roots += s.ranged ? e.hi - e.lo + 1 : 1;
            if (eq->n_roots > 100000)
                gt_lang_error(eq->work, s.at, "there are more than 100000 events");
            *ODE_PUSH(eq, events, ODE_MAX_PIECES, "events") = e;
        }
    }
}

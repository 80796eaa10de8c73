/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The terms of the Taylor recurrence, one for each node of the series in the order in which they
 * are computed. They are data; gt_ode_taylor runs them, for compiled and interpreted models.
 */
#include "lang/programs/programs.h"
#include <assert.h>
#include <string.h>

static bool is_moving(const ode_graph *graph, int32_t node)
{
    return graph->nodes[node].flags & (DEP_STATE | DEP_TIME);
}

typedef struct term_list {
    gt_ode_term *terms;
    int32_t count, room;
} term_list;

typedef struct maker {
    ode_programs *programs;
    term_list single, loop; /* terms without j, and those of the loop at hand */
    int32_t *where;         /* of each node: term of `single`, or ~term of `loop`; NOWHERE */
    int32_t *live, n_live, room_live;
    bool in_loop;
} maker;

enum { NOWHERE = INT32_MIN };

static int32_t add_term(maker *m, term_list *list, gt_ode_term term, int32_t node)
{
    ode_programs *programs = m->programs;
    gt_lang_grow(programs->work, (void **)&list->terms, list->count, &list->room,
                 sizeof *list->terms, ODE_MAX_TERMS, "terms of a Taylor expansion");
    list->terms[list->count] = term;
    int32_t place = list == &m->loop ? ~list->count : list->count;
    list->count++;
    if (node >= 0) {
        m->where[node] = place;
        if (list == &m->loop) {
            gt_lang_grow(programs->work, (void **)&m->live, m->n_live, &m->room_live,
                         sizeof *m->live, ODE_MAX_NODES, "terms");
            m->live[m->n_live++] = node;
        }
    }
    return place;
}

static int32_t operand(maker *m, int32_t node)
{
    if (m->where[node] != NOWHERE) return m->where[node];
    const ode_node *n = &m->programs->graph->nodes[node];
    gt_ode_term leaf = {.op = n->op, .a = n->a, .b = n->b, .value = n->value};
    if (gt_lang_is_hoistable(m->programs->graph, node))
        leaf = (gt_ode_term){.op = N_PARAM, .a = m->programs->hoisted[node]};
    assert(!ode_operands(leaf.op)); /* what is computed has its term */
    return add_term(m, (n->flags & DEP_J) && m->in_loop ? &m->loop : &m->single, leaf, node);
}

static void add_node(maker *m, int32_t node)
{
    ode_node n = m->programs->graph->nodes[node];
    int operands = ode_operands(n.op);
    gt_ode_term term = {.op = n.op};
    if (n.op == N_TABLE || n.op == N_SLOPE || n.op == N_HELD || n.op == N_HELD_SIGN) {
        term.b = n.b;
        term.c = n.c;
    } else {
        if (operands > 1) term.b = operand(m, n.b);
        if (operands > 2) term.c = operand(m, n.c);
    }
    term.a = operand(m, n.a);
    if (!is_moving(m->programs->graph, node)) {
        term.value = GT_ODE_FIXED;
    } else if (n.op == N_MUL && !is_moving(m->programs->graph, n.a)) {
        term.value = GT_ODE_SCALED;
    } else if (n.op == N_MUL && !is_moving(m->programs->graph, n.b)) {
        int32_t a = term.a;
        term.a = term.b;
        term.b = a;
        term.value = GT_ODE_SCALED;
    } else if (n.op == N_DIV && !is_moving(m->programs->graph, n.b)) {
        term.value = GT_ODE_SCALED;
    }
    add_term(m, m->in_loop && (n.flags & DEP_J) ? &m->loop : &m->single, term, node);
}

static gt_ode_term *term_at(const maker *m, int32_t place)
{
    return place < 0 ? &m->loop.terms[~place] : &m->single.terms[place];
}

/* Slopes have their terms by now, before or behind; one that is a number may get its term here,
 * which may move the lists, so a term is looked up only when everything for it is known. */
static void link_slopes(maker *m, int32_t node)
{
    const ode_graph *graph = m->programs->graph;
    int op = graph->nodes[node].op;
    int n = ode_operands(op);
    int32_t operands[2] = {0, 0}, place = m->where[node];
    if (!ode_is(op, OP_CHAINED) || !is_moving(graph, node) || place == NOWHERE) return;
    for (int k = 0; k < n; k++) operands[k] = operand(m, m->programs->eq->slopes[node].by[k]);
    gt_ode_term *term = term_at(m, place);
    term->c = operands[0];
    if (n > 1) term->value = operands[1];
}

static void store(maker *m, const ode_output *out)
{
    int32_t a = operand(m, out->node);
    if (out->add) return;
    gt_ode_term term = {
        .op = GT_ODE_STORE, .a = a, .b = out->first, .c = out->loop ? out->step : 0};
    add_term(m, m->in_loop ? &m->loop : &m->single, term, -1);
}

typedef struct part_list {
    gt_ode_part *parts;
    gt_ode_term *terms; /* of the loops, one after the other */
    int32_t n_parts, room_parts, n_terms, room_terms;
} part_list;

static void finish_loop(maker *m, part_list *list, int32_t lo, int32_t hi)
{
    ode_programs *programs = m->programs;
    gt_lang_grow(programs->work, (void **)&list->parts, list->n_parts, &list->room_parts,
                 sizeof *list->parts, ODE_MAX_TERMS, "loops");
    list->parts[list->n_parts++] =
        (gt_ode_part){.lo = lo, .hi = hi, .first = list->n_terms, .count = m->loop.count};
    for (int32_t k = 0; k < m->loop.count; k++) {
        gt_lang_grow(programs->work, (void **)&list->terms, list->n_terms, &list->room_terms,
                     sizeof *list->terms, ODE_MAX_TERMS, "terms of a Taylor expansion");
        list->terms[list->n_terms++] = m->loop.terms[k];
    }
    while (m->n_live) m->where[m->live[--m->n_live]] = NOWHERE;
    m->loop.count = 0;
}

static void make_terms(maker *m, const ode_program *p, part_list *list)
{
    int32_t lo = 0, hi = 0, first = 0;
    for (int32_t k = 0; k < p->n_steps; k++) {
        const ode_step *s = &p->steps[k];
        if (s->kind == STEP_NODE) add_node(m, s->index);
        if (s->kind == STEP_LOAD)
            add_term(m, &m->loop, (gt_ode_term){.op = N_PARAM, .a = s->lo, .b = 1}, s->index);
        if (s->kind == STEP_STORE) store(m, &p->outputs.list[s->index]);
        if (s->kind == STEP_LOOP_J || s->kind == STEP_CLOSE || k == p->n_steps - 1) {
            for (int32_t i = first; i <= k; i++)
                if (p->steps[i].kind == STEP_NODE) link_slopes(m, p->steps[i].index);
            first = k + 1;
        }
        if (s->kind == STEP_LOOP_J) {
            m->in_loop = true;
            lo = s->lo;
            hi = s->hi;
        }
        if (s->kind == STEP_CLOSE) {
            finish_loop(m, list, lo, hi);
            m->in_loop = false;
        }
    }
}

/* ---- all together ---- */

static void join(ode_programs *programs, maker *m, part_list *list)
{
    int32_t n_single = m->single.count, total = n_single + list->n_terms;
    gt_ode_term *terms = gt_lang_take(programs->work, (size_t)total + 1, sizeof *terms);
    gt_ode_part *parts = gt_lang_take(programs->work, (size_t)list->n_parts + 1, sizeof *parts);
    if (n_single) memcpy(terms, m->single.terms, (size_t)n_single * sizeof *terms);
    if (list->n_terms) memcpy(terms + n_single, list->terms, (size_t)list->n_terms * sizeof *terms);
    parts[0] = (gt_ode_part){.count = n_single};
    double room = n_single;
    for (int32_t k = 0; k < list->n_parts; k++) {
        parts[k + 1] = list->parts[k];
        parts[k + 1].first += n_single;
        room += (double)list->parts[k].count * (list->parts[k].hi - list->parts[k].lo + 1);
    }
    if (room > GT_ODE_MAX_SERIES) return; /* too much memory for a high order */
    programs->parts = parts;
    programs->n_parts = list->n_parts + 1;
    programs->terms = terms;
    programs->n_terms = total;
}

void gt_lang_make_terms(ode_programs *programs)
{
    ode_program p = {.outputs = programs->eq->series};
    if (!p.outputs.count) return;
    gt_lang_schedule(programs, &p, 2);
    if (p.n_steps > ODE_MAX_TERMS) return;
    int32_t n_nodes = programs->graph->n_nodes;
    maker m = {.programs = programs};
    m.where = gt_lang_take(programs->work, (size_t)n_nodes + 1, sizeof *m.where);
    for (int32_t k = 0; k < n_nodes; k++) m.where[k] = NOWHERE;
    part_list list = {0};
    make_terms(&m, &p, &list);
    join(programs, &m, &list);
}

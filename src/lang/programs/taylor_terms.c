/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Taylor coefficients by recurrences on the graph. Every node of the right-hand side is a power series in time; sums
 * and products have the usual convolutions (Moore 1966), and a smooth function c = f(a) follows from c' = g a' with the
 * node g = f'(a):
 *
 *     k c_k = sum_(i=1)^k i a_i g_(k-i)
 *
 * so that g, which may depend on c itself, is needed only up to order k - 1. The nodes g are added to the program until
 * nothing is missing. The list of terms made here is data; gt_ode_taylor runs it, for compiled and interpreted models.
 */
#include "lang/programs/taylor_terms.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TERMS = 20000, MAX_UNROLLED = 4000 };

/* ---- sums are written out ---- */

typedef struct unroller {
    gt_ode *o;
    int32_t *made; /* for each old node what it has become, -1 */
    int32_t n_old;
    int32_t terms;
    bool failed;
} unroller;

static int32_t unroll(unroller *u, int32_t node);

/* A node with i put in. */
static int32_t put_in(unroller *u, int32_t node, int32_t i, int depth)
{
    gt_ode *o = u->o;
    ode_node n = o->nodes[node];
    if (!(n.flags & DEP_I)) return unroll(u, node);
    if (++u->terms > MAX_UNROLLED || depth > 100) u->failed = true;
    if (u->failed) return node;
    if (n.op == N_I) return gt_lang_number(o, i);
    if (n.op == N_STATE || n.op == N_PARAM) return gt_lang_leaf(o, (ode_op)n.op, n.a + (int64_t)n.c * i, n.b, 0);
    int operands = ode_operands(n.op);
    if (n.op == N_TABLE || n.op == N_SLOPE)
        return gt_lang_table_node(o, (ode_op)n.op, put_in(u, n.a, i, depth + 1), n.b);
    if (n.op == N_HELD || n.op == N_HELD_SIGN)
        return gt_lang_held_node(o, (ode_op)n.op, put_in(u, n.a, i, depth + 1), n.b + (int64_t)n.value * i, n.c, 0);
    if (operands == 1) return gt_lang_unary(o, (ode_op)n.op, put_in(u, n.a, i, depth + 1));
    int32_t a = put_in(u, n.a, i, depth + 1), b = put_in(u, n.b, i, depth + 1);
    if (operands == 2) return gt_lang_binary(o, (ode_op)n.op, a, b);
    return gt_lang_if(o, a, b, put_in(u, n.c, i, depth + 1));
}

static int32_t rebuild(unroller *u, int32_t node)
{
    gt_ode *o = u->o;
    ode_node n = o->nodes[node];
    int operands = ode_operands(n.op);
    if (n.op == N_CALL) u->failed = true;
    if (!operands || u->failed) return node;
    if (n.op == N_SUM) {
        int32_t total = gt_lang_number(o, 0);
        for (int32_t i = n.b; i <= n.c && !u->failed; i++)
            total = gt_lang_binary(o, N_ADD, total, put_in(u, n.a, i, 0));
        return total;
    }
    if (n.op == N_TABLE || n.op == N_SLOPE) return gt_lang_table_node(o, (ode_op)n.op, unroll(u, n.a), n.b);
    if (n.op == N_HELD || n.op == N_HELD_SIGN)
        return gt_lang_held_node(o, (ode_op)n.op, unroll(u, n.a), n.b, n.c, (int64_t)n.value);
    if (operands == 1) return gt_lang_unary(o, (ode_op)n.op, unroll(u, n.a));
    if (operands == 2 && n.op == N_POW && (o->nodes[n.b].flags & (DEP_STATE | DEP_TIME))) /* a^b = e^(b ln a) */
        return gt_lang_unary(o, N_EXP,
                             gt_lang_binary(o, N_MUL, unroll(u, n.b), gt_lang_unary(o, N_LN, unroll(u, n.a))));
    if (operands == 2) return gt_lang_binary(o, (ode_op)n.op, unroll(u, n.a), unroll(u, n.b));
    return gt_lang_if(o, unroll(u, n.a), unroll(u, n.b), unroll(u, n.c));
}

/* Below a node; long chains are walked before they are recursed into (operands have smaller numbers). */
static int32_t unroll(unroller *u, int32_t node)
{
    if (node >= u->n_old) return node;
    if (u->made[node] >= 0) return u->made[node];
    return u->made[node] = u->failed ? node : rebuild(u, node);
}

static int ascending(const void *a, const void *b)
{
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

/* All nodes below the outputs, so that they can be rebuilt from small to large without recursion. */
static int32_t *reachable(gt_ode *o, const ode_program *p, int32_t *count)
{
    unsigned char *seen = gt_lang_take(o, (size_t)o->n_nodes, 1);
    int32_t *list = NULL, n = 0, room = 0;
    for (int32_t k = 0; k < p->n_outputs + n; k++) {
        int32_t operand[3] = {-1, -1, -1};
        if (k < p->n_outputs) {
            operand[0] = p->outputs[k].node;
        } else {
            const ode_node *x = &o->nodes[list[k - p->n_outputs]];
            int operands = ode_operands(x->op);
            if (operands > 0) operand[0] = x->a;
            if (operands > 1) operand[1] = x->b;
            if (operands > 2) operand[2] = x->c;
        }
        for (int i = 0; i < 3; i++) {
            if (operand[i] < 0 || seen[operand[i]]) continue;
            seen[operand[i]] = 1;
            gt_lang_grow(o, (void **)&list, n, &room, sizeof *list, ODE_MAX_NODES, "parts of an expansion");
            list[n++] = operand[i];
        }
    }
    if (n) qsort(list, (size_t)n, sizeof *list, ascending);
    *count = n;
    return list;
}

/* ---- slopes ---- */

static bool is_moving(const gt_ode *o, int32_t node) { return o->nodes[node].flags & (DEP_STATE | DEP_TIME); }

static bool is_chain(const gt_ode *o, int32_t node)
{
    return ode_is(o->nodes[node].op, OP_CHAINED) && is_moving(o, node);
}

/* The nodes that the series of `node` needs besides its operands: its derivatives by them. */
static int needed_slopes(gt_ode *o, int32_t node, int32_t slopes[2])
{
    if (!is_chain(o, node)) return 0;
    int operands = ode_operands(o->nodes[node].op);
    assert(operands <= 2);
    for (int k = 0; k < operands; k++) slopes[k] = gt_lang_slope(o, node, k);
    return operands;
}

/* Adds the slopes of everything below the outputs of one loop, from `first` on, as further outputs that are stored
 * nowhere, until nothing is missing. */
static bool close_loop(gt_ode *o, ode_program *p, int32_t first)
{
    const ode_output head = p->outputs[first];
    int32_t room_seen = o->n_nodes + 4 * MAX_TERMS, *queue = NULL, n = 0, room = 0;
    unsigned char *seen = gt_lang_take(o, (size_t)room_seen, 1);
    int32_t next_output = first;
    for (int32_t k = 0;; k++) {
        for (; next_output < p->n_outputs; next_output++) {
            const ode_output *out = &p->outputs[next_output];
            if (out->loop != head.loop || out->lo != head.lo || out->hi != head.hi || seen[out->node]) continue;
            seen[out->node] = 1;
            gt_lang_grow(o, (void **)&queue, n, &room, sizeof *queue, ODE_MAX_NODES, "parts of an expansion");
            queue[n++] = out->node;
        }
        if (k >= n) return true;
        int32_t slopes[2], count = needed_slopes(o, queue[k], slopes);
        if (o->n_nodes >= room_seen || n > 2 * MAX_TERMS || p->n_outputs > MAX_TERMS) return false;
        for (int32_t s = 0; s < count; s++) {
            ode_output more = head;
            more.node = slopes[s];
            more.add = true; /* stored nowhere */
            if (!seen[slopes[s]]) gt_lang_output(o, p, more);
        }
        const ode_node *x = &o->nodes[queue[k]];
        const int32_t operand[] = {x->a, x->b, x->c};
        for (int i = 0; i < ode_operands(x->op); i++) {
            if (seen[operand[i]]) continue;
            seen[operand[i]] = 1;
            gt_lang_grow(o, (void **)&queue, n, &room, sizeof *queue, ODE_MAX_NODES, "parts of an expansion");
            queue[n++] = operand[i];
        }
    }
}

static bool close_under_slopes(gt_ode *o, ode_program *p)
{
    int32_t end = p->n_outputs, loops = 0;
    for (int32_t k = 0; k < end; k++) {
        const ode_output *out = &p->outputs[k];
        bool done = false;
        for (int32_t e = 0; e < k && !done; e++)
            done = p->outputs[e].loop == out->loop && p->outputs[e].lo == out->lo && p->outputs[e].hi == out->hi;
        if (done) continue;
        if (++loops > 200 || !close_loop(o, p, k)) return false;
    }
    return true;
}

/* ---- terms ---- */

typedef struct term_list {
    gt_ode_term *terms;
    int32_t count, room;
} term_list;

typedef struct maker {
    gt_ode *o;
    term_list single, loop; /* terms without j, and those of the loop at hand */
    int32_t *where;         /* of each node: term of `single`, or ~term of `loop`; NOWHERE */
    int32_t *live, n_live, room_live;
    bool in_loop;
} maker;

enum { NOWHERE = INT32_MIN };

static int32_t add_term(maker *m, term_list *list, gt_ode_term term, int32_t node)
{
    gt_ode *o = m->o;
    gt_lang_grow(o, (void **)&list->terms, list->count, &list->room, sizeof *list->terms, MAX_TERMS,
                 "terms of a Taylor expansion");
    list->terms[list->count] = term;
    int32_t place = list == &m->loop ? ~list->count : list->count;
    list->count++;
    if (node >= 0) {
        m->where[node] = place;
        if (list == &m->loop) {
            gt_lang_grow(o, (void **)&m->live, m->n_live, &m->room_live, sizeof *m->live, ODE_MAX_NODES, "terms");
            m->live[m->n_live++] = node;
        }
    }
    return place;
}

static int32_t operand(maker *m, int32_t node)
{
    if (m->where[node] != NOWHERE) return m->where[node];
    const ode_node *n = &m->o->nodes[node];
    gt_ode_term leaf = {.op = n->op, .a = n->a, .b = n->b, .value = n->value};
    if (gt_lang_is_hoistable(m->o, node)) leaf = (gt_ode_term){.op = N_PARAM, .a = m->o->hoisted[node]};
    return add_term(m, (n->flags & DEP_J) && m->in_loop ? &m->loop : &m->single, leaf, node);
}

static void add_node(maker *m, int32_t node)
{
    ode_node n = m->o->nodes[node];
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
    if (!is_moving(m->o, node)) {
        term.value = GT_ODE_FIXED;
    } else if (n.op == N_MUL && !is_moving(m->o, n.a)) {
        term.value = GT_ODE_SCALED;
    } else if (n.op == N_MUL && !is_moving(m->o, n.b)) {
        int32_t a = term.a;
        term.a = term.b;
        term.b = a;
        term.value = GT_ODE_SCALED;
    } else if (n.op == N_DIV && !is_moving(m->o, n.b)) {
        term.value = GT_ODE_SCALED;
    }
    add_term(m, m->in_loop && (n.flags & DEP_J) ? &m->loop : &m->single, term, node);
}

static gt_ode_term *term_at(const maker *m, int32_t place)
{
    return place < 0 ? &m->loop.terms[~place] : &m->single.terms[place];
}

/* Slopes have their terms by now, before or behind; one that is a number may get its term here, which may move the
 * lists, so a term is looked up only when everything for it is known. */
static void link_slopes(maker *m, int32_t node)
{
    int32_t slopes[2], operands[2] = {0, 0}, place = m->where[node];
    int n = needed_slopes(m->o, node, slopes);
    if (!n || place == NOWHERE) return;
    for (int k = 0; k < n; k++) operands[k] = operand(m, slopes[k]);
    gt_ode_term *term = term_at(m, place);
    term->c = operands[0];
    if (n > 1) term->value = operands[1];
}

static void store(maker *m, const ode_output *out)
{
    int32_t a = operand(m, out->node);
    if (out->add) return;
    gt_ode_term term = {.op = GT_ODE_STORE, .a = a, .b = out->first, .c = out->loop ? out->step : 0};
    add_term(m, m->in_loop ? &m->loop : &m->single, term, -1);
}

typedef struct part_list {
    gt_ode_part *parts;
    gt_ode_term *terms; /* of the loops, one after the other */
    int32_t n_parts, room_parts, n_terms, room_terms;
} part_list;

static void finish_loop(maker *m, part_list *list, int32_t lo, int32_t hi)
{
    gt_ode *o = m->o;
    gt_lang_grow(o, (void **)&list->parts, list->n_parts, &list->room_parts, sizeof *list->parts, MAX_TERMS, "loops");
    list->parts[list->n_parts++] = (gt_ode_part){.lo = lo, .hi = hi, .first = list->n_terms, .count = m->loop.count};
    for (int32_t k = 0; k < m->loop.count; k++) {
        gt_lang_grow(o, (void **)&list->terms, list->n_terms, &list->room_terms, sizeof *list->terms, MAX_TERMS,
                     "terms of a Taylor expansion");
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
        if (s->kind == STEP_LOAD) add_term(m, &m->loop, (gt_ode_term){.op = N_PARAM, .a = s->lo, .b = 1}, s->index);
        if (s->kind == STEP_STORE) store(m, &p->outputs[s->index]);
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

static void join(gt_ode *o, maker *m, part_list *list)
{
    int32_t n_single = m->single.count, total = n_single + list->n_terms;
    gt_ode_term *terms = gt_lang_take(o, (size_t)total + 1, sizeof *terms);
    gt_ode_part *parts = gt_lang_take(o, (size_t)list->n_parts + 1, sizeof *parts);
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
    o->code.parts = parts;
    o->code.n_parts = list->n_parts + 1;
    o->code.terms = terms;
    o->code.n_terms = total;
}

void gt_lang_make_series(gt_ode *o)
{
    ode_program p = {.target = O_DX};
    const ode_program *rhs = &o->programs[o->n_switches ? P_HELD_RHS : P_RHS];
    if (o->n_alg || rhs->n_outputs > MAX_TERMS / 4) return;
    for (int32_t k = 0; k < rhs->n_outputs; k++) gt_lang_output(o, &p, rhs->outputs[k]);
    int32_t count, *below = reachable(o, &p, &count);
    if (count > MAX_TERMS) return;
    unroller u = {.o = o, .n_old = o->n_nodes, .made = gt_lang_take(o, (size_t)o->n_nodes, sizeof *u.made)};
    memset(u.made, 0xff, (size_t)u.n_old * sizeof *u.made);
    for (int32_t k = 0; k < count; k++)
        if (!(o->nodes[below[k]].flags & DEP_I)) unroll(&u, below[k]);
    for (int32_t k = 0; k < p.n_outputs; k++) p.outputs[k].node = unroll(&u, p.outputs[k].node);
    if (u.failed || !close_under_slopes(o, &p)) return;
    gt_lang_schedule(o, &p, 2);
    if (p.n_steps > MAX_TERMS) return;
    maker m = {.o = o, .where = gt_lang_take(o, (size_t)o->n_nodes + 1, sizeof *m.where)};
    for (int32_t k = 0; k < o->n_nodes; k++) m.where[k] = NOWHERE;
    part_list list = {0};
    make_terms(&m, &p, &list);
    join(o, &m, &list);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The right-hand side in a form that has a Taylor recurrence. Every node of it is a power series in
 * time; sums and products have the usual convolutions (Moore 1966), and a smooth function c = f(a)
 * follows from c' = g a' with the node g = f'(a):
 *
 *     k c_k = sum_(i=1)^k i a_i g_(k-i)
 *
 * so that g, which may depend on c itself, is needed only up to order k - 1. Sums over i are
 * written out, and the nodes g are added until nothing is missing.
 */
#include "lang/lower/ode_equations.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_UNROLLED = 4000 };

/* ---- sums are written out ---- */

typedef struct unroller {
    ode_graph *graph;
    int32_t *made; /* for each old node what it has become, -1 */
    int32_t n_old;
    int32_t terms;
    bool failed;
} unroller;

static int32_t unroll(unroller *u, int32_t node);

/* A node with i put in. */
static int32_t put_in(unroller *u, int32_t node, int32_t i, int depth)
{
    ode_graph *graph = u->graph;
    ode_node n = graph->nodes[node];
    if (!(n.flags & DEP_I)) return unroll(u, node);
    if (++u->terms > MAX_UNROLLED || depth > 100) u->failed = true;
    if (u->failed) return node;
    if (n.op == N_I) return gt_lang_number(graph, i);
    if (n.op == N_STATE || n.op == N_PARAM)
        return gt_lang_leaf(graph, (ode_op)n.op, n.a + (int64_t)n.c * i, n.b, 0);
    int operands = ode_operands(n.op);
    if (n.op == N_TABLE || n.op == N_SLOPE)
        return gt_lang_table_node(graph, (ode_op)n.op, put_in(u, n.a, i, depth + 1), n.b);
    if (n.op == N_HELD || n.op == N_HELD_SIGN)
        return gt_lang_held_node(graph, (ode_op)n.op, put_in(u, n.a, i, depth + 1),
                                 n.b + (int64_t)n.value * i, n.c, 0);
    if (operands == 1) return gt_lang_unary(graph, (ode_op)n.op, put_in(u, n.a, i, depth + 1));
    int32_t a = put_in(u, n.a, i, depth + 1);
    int32_t b = put_in(u, n.b, i, depth + 1);
    if (operands == 2) return gt_lang_binary(graph, (ode_op)n.op, a, b);
    return gt_lang_if(graph, a, b, put_in(u, n.c, i, depth + 1));
}

static int32_t rebuild(unroller *u, int32_t node)
{
    ode_graph *graph = u->graph;
    ode_node n = graph->nodes[node];
    int operands = ode_operands(n.op);
    if (n.op == N_CALL) u->failed = true;
    if (!operands || u->failed) return node;
    if (n.op == N_SUM) {
        int32_t total = gt_lang_number(graph, 0);
        for (int32_t i = n.b; i <= n.c && !u->failed; i++)
            total = gt_lang_binary(graph, N_ADD, total, put_in(u, n.a, i, 0));
        return total;
    }
    if (n.op == N_TABLE || n.op == N_SLOPE)
        return gt_lang_table_node(graph, (ode_op)n.op, unroll(u, n.a), n.b);
    if (n.op == N_HELD || n.op == N_HELD_SIGN)
        return gt_lang_held_node(graph, (ode_op)n.op, unroll(u, n.a), n.b, n.c, (int64_t)n.value);
    if (operands == 1) return gt_lang_unary(graph, (ode_op)n.op, unroll(u, n.a));
    if (operands == 2 && n.op == N_POW &&
        (graph->nodes[n.b].flags & (DEP_STATE | DEP_TIME))) /* a^b = e^(b ln a) */
        return gt_lang_unary(graph, N_EXP,
                             gt_lang_binary(graph, N_MUL, unroll(u, n.b),
                                            gt_lang_unary(graph, N_LN, unroll(u, n.a))));
    if (operands == 2) return gt_lang_binary(graph, (ode_op)n.op, unroll(u, n.a), unroll(u, n.b));
    return gt_lang_if(graph, unroll(u, n.a), unroll(u, n.b), unroll(u, n.c));
}

/* Below a node; long chains are walked before they are recursed into (operands have smaller
 * numbers). */
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

/* All nodes below the outputs, so that they can be rebuilt from small to large without recursion.
 */
static int32_t *reachable(ode_graph *graph, const ode_outputs *p, int32_t *count)
{
    unsigned char *seen = gt_lang_take(graph->work, (size_t)graph->n_nodes, 1);
    int32_t *list = NULL, n = 0, room = 0;
    for (int32_t k = 0; k < p->count + n; k++) {
        int32_t operand[3] = {-1, -1, -1};
        if (k < p->count) {
            operand[0] = p->list[k].node;
        } else {
            const ode_node *x = &graph->nodes[list[k - p->count]];
            int operands = ode_operands(x->op);
            if (operands > 0) operand[0] = x->a;
            if (operands > 1) operand[1] = x->b;
            if (operands > 2) operand[2] = x->c;
        }
        for (int i = 0; i < 3; i++) {
            if (operand[i] < 0 || seen[operand[i]]) continue;
            seen[operand[i]] = 1;
            gt_lang_grow(graph->work, (void **)&list, n, &room, sizeof *list, ODE_MAX_NODES,
                         "parts of an expansion");
            list[n++] = operand[i];
        }
    }
    if (n) qsort(list, (size_t)n, sizeof *list, ascending);
    *count = n;
    return list;
}

/* ---- slopes ---- */

static bool is_moving(const ode_graph *graph, int32_t node)
{
    return graph->nodes[node].flags & (DEP_STATE | DEP_TIME);
}

static bool is_chain(const ode_graph *graph, int32_t node)
{
    return ode_is(graph->nodes[node].op, OP_CHAINED) && is_moving(graph, node);
}

/* The nodes that the series of `node` needs besides its operands: its derivatives by them. */
static int needed_slopes(ode_graph *graph, int32_t node, int32_t slopes[2])
{
    if (!is_chain(graph, node)) return 0;
    int operands = ode_operands(graph->nodes[node].op);
    assert(operands <= 2);
    for (int k = 0; k < operands; k++) slopes[k] = gt_lang_slope(graph, node, k);
    return operands;
}

/* Adds the slopes of everything below the outputs of one loop, from `first` on, as further outputs
 * that are stored nowhere, until nothing is missing. */
static bool close_loop(ode_graph *graph, ode_outputs *p, int32_t first)
{
    const ode_output head = p->list[first];
    int32_t room_seen = graph->n_nodes + 4 * ODE_MAX_TERMS, *queue = NULL, n = 0, room = 0;
    unsigned char *seen = gt_lang_take(graph->work, (size_t)room_seen, 1);
    int32_t next_output = first;
    for (int32_t k = 0;; k++) {
        for (; next_output < p->count; next_output++) {
            const ode_output *out = &p->list[next_output];
            if (out->loop != head.loop || out->lo != head.lo || out->hi != head.hi ||
                seen[out->node])
                continue;
            seen[out->node] = 1;
            gt_lang_grow(graph->work, (void **)&queue, n, &room, sizeof *queue, ODE_MAX_NODES,
                         "parts of an expansion");
            queue[n++] = out->node;
        }
        if (k >= n) return true;
        int32_t slopes[2];
        int32_t count = needed_slopes(graph, queue[k], slopes);
        if (graph->n_nodes >= room_seen || n > 2 * ODE_MAX_TERMS || p->count > ODE_MAX_TERMS)
            return false;
        for (int32_t s = 0; s < count; s++) {
            ode_output more = head;
            more.node = slopes[s];
            more.add = true; /* stored nowhere */
            if (!seen[slopes[s]]) gt_lang_output(graph->work, p, more);
        }
        const ode_node *x = &graph->nodes[queue[k]];
        const int32_t operand[] = {x->a, x->b, x->c};
        for (int i = 0; i < ode_operands(x->op); i++) {
            if (seen[operand[i]]) continue;
            seen[operand[i]] = 1;
            gt_lang_grow(graph->work, (void **)&queue, n, &room, sizeof *queue, ODE_MAX_NODES,
                         "parts of an expansion");
            queue[n++] = operand[i];
        }
    }
}

static bool close_under_slopes(ode_graph *graph, ode_outputs *p)
{
    int32_t end = p->count, loops = 0;
    for (int32_t k = 0; k < end; k++) {
        const ode_output *out = &p->list[k];
        bool done = false;
        for (int32_t e = 0; e < k && !done; e++)
            done = p->list[e].loop == out->loop && p->list[e].lo == out->lo &&
                   p->list[e].hi == out->hi;
        if (done) continue;
        if (++loops > 200 || !close_loop(graph, p, k)) return false;
    }
    return true;
}

/* ---- all together ---- */

/* The slopes of all nodes below the outputs, which are nodes by now. */
static void keep_slopes(ode_equations *eq)
{
    int32_t count, n_nodes = eq->graph->n_nodes;
    const int32_t *below = reachable(eq->graph, &eq->series, &count);
    eq->slopes = gt_lang_take(eq->work, (size_t)n_nodes + 1, sizeof *eq->slopes);
    for (int32_t k = 0; k < count; k++) needed_slopes(eq->graph, below[k], eq->slopes[below[k]].by);
    assert(eq->graph->n_nodes == n_nodes);
}

void gt_lang_make_series(ode_equations *eq)
{
    ode_graph *graph = eq->graph;
    ode_outputs p = {.target = O_DX};
    const ode_outputs *rhs = &eq->outputs[eq->n_switches ? P_HELD_RHS : P_RHS];
    if (eq->names->n_alg || rhs->count > ODE_MAX_TERMS / 4) return;
    for (int32_t k = 0; k < rhs->count; k++) gt_lang_output(eq->work, &p, rhs->list[k]);
    int32_t count;
    int32_t *below = reachable(graph, &p, &count);
    if (count > ODE_MAX_TERMS) return;
    unroller u = {.graph = graph, .n_old = graph->n_nodes};
    u.made = gt_lang_take(eq->work, (size_t)u.n_old, sizeof *u.made);
    memset(u.made, 0xff, (size_t)u.n_old * sizeof *u.made);
    for (int32_t k = 0; k < count; k++)
        if (!(graph->nodes[below[k]].flags & DEP_I)) unroll(&u, below[k]);
    for (int32_t k = 0; k < p.count; k++) p.list[k].node = unroll(&u, p.list[k].node);
    if (u.failed || !close_under_slopes(graph, &p)) return;
    eq->series = p;
    keep_slopes(eq);
}

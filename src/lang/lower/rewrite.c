/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions are rebuilt without recursion, since sums may be very long: the nodes below a root,
 * in ascending order, which puts operands before what is made of them. Only the body of a sum is a
 * rewriting of its own.
 */
#include "lang/lower/rewrite.h"
#include <stdlib.h>
#include <string.h>

ode_rewriter gt_lang_rewriter(ode_graph *graph, int32_t (*replace)(ode_rewriter *w, int32_t node),
                              void *what)
{
    size_t n = (size_t)graph->n_nodes + 1;
    return (ode_rewriter){.graph = graph,
                          .replace = replace,
                          .what = what,
                          .n_old = graph->n_nodes,
                          .made = gt_lang_take(graph->work, n, sizeof(int32_t)),
                          .stamp = gt_lang_take(graph->work, n, sizeof(int32_t)),
                          .last_stamp = 1};
}

/* What is free of j and i is rewritten once, the rest once in each loop. */
static int32_t stamp_for(const ode_rewriter *w, int32_t node)
{
    uint8_t flags = w->graph->nodes[node].flags;
    return flags & DEP_I ? w->stamp_i : flags & DEP_J ? w->stamp_j : 1;
}

static bool is_done(const ode_rewriter *w, int32_t node)
{
    return w->stamp[node] == stamp_for(w, node);
}

static void push(ode_rewriter *w, int32_t node)
{
    if (is_done(w, node)) return;
    gt_lang_grow(w->graph->work, (void **)&w->stack, w->n_stack, &w->room_stack, sizeof *w->stack,
                 4 * ODE_MAX_NODES, "parts of an expression");
    w->stack[w->n_stack++] = node;
}

static int ascending(const void *a, const void *b)
{
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

/* The nodes below `root` that are not done, at the end of the list, each once; they count as done
 * from here on. */
static void gather(ode_rewriter *w, int32_t root)
{
    ode_graph *graph = w->graph;
    int32_t from = w->n_list;
    push(w, root);
    while (w->n_stack) {
        int32_t node = w->stack[--w->n_stack];
        const ode_node *n = &graph->nodes[node];
        int operands = ode_operands(n->op);
        if (is_done(w, node)) continue;
        w->stamp[node] = stamp_for(w, node);
        gt_lang_grow(graph->work, (void **)&w->list, w->n_list, &w->room_list, sizeof *w->list,
                     4 * ODE_MAX_NODES, "parts of an expression");
        w->list[w->n_list++] = node;
        if (n->op == N_CALL)
            for (int32_t k = 0; k < n->c; k++) push(w, graph->arguments[n->b + k]);
        if (n->op == N_SUM) continue;
        if (operands > 0) push(w, n->a);
        if (operands > 1) push(w, n->b);
        if (operands > 2) push(w, n->c);
    }
    if (w->n_list > from)
        qsort(w->list + from, (size_t)(w->n_list - from), sizeof *w->list, ascending);
}

static int32_t rewrite(ode_rewriter *w, int32_t root);

static int32_t rebuild_call(ode_rewriter *w, const ode_node *n)
{
    ode_graph *graph = w->graph;
    int32_t args[ODE_MAX_ARGS];
    for (int32_t k = 0; k < n->c; k++) args[k] = w->made[graph->arguments[n->b + k]];
    return gt_lang_call_node(graph, n->a, args, n->c, graph->functions[n->a].flags);
}

static int32_t rebuild(ode_rewriter *w, int32_t node)
{
    ode_graph *graph = w->graph;
    ode_node n = graph->nodes[node];
    if (n.op == N_CALL) return rebuild_call(w, &n);
    if (n.op == N_SUM) {
        int32_t stamp = w->stamp_i, lo = w->i_lo, hi = w->i_hi;
        w->stamp_i = ++w->last_stamp;
        w->i_lo = n.b;
        w->i_hi = n.c;
        int32_t body = rewrite(w, n.a);
        w->stamp_i = stamp;
        w->i_lo = lo;
        w->i_hi = hi;
        return gt_lang_sum_node(graph, body, n.b, n.c);
    }
    switch (ode_operands(n.op)) {
    case 0:
        return node;
    case 1:
        if (w->made[n.a] == n.a) return node;
        if (n.op == N_HELD || n.op == N_HELD_SIGN)
            return gt_lang_held_node(graph, (ode_op)n.op, w->made[n.a], n.b, n.c, (int64_t)n.value);
        if (n.op == N_TABLE || n.op == N_SLOPE)
            return gt_lang_table_node(graph, (ode_op)n.op, w->made[n.a], n.b);
        return gt_lang_unary(graph, (ode_op)n.op, w->made[n.a]);
    case 2:
        if (w->made[n.a] == n.a && w->made[n.b] == n.b) return node;
        return gt_lang_binary(graph, (ode_op)n.op, w->made[n.a], w->made[n.b]);
    default:
        if (w->made[n.a] == n.a && w->made[n.b] == n.b && w->made[n.c] == n.c) return node;
        return gt_lang_if(graph, w->made[n.a], w->made[n.b], w->made[n.c]);
    }
}

static int32_t rewrite(ode_rewriter *w, int32_t root)
{
    ode_graph *graph = w->graph;
    int32_t from = w->n_list;
    gather(w, root);
    for (int32_t k = from, end = w->n_list; k < end; k++) {
        int32_t node = w->list[k], name = graph->nodes[node].name;
        int32_t made = w->replace(w, rebuild(w, node));
        w->made[node] = made;
        if (made != node && name >= 0 && graph->nodes[made].name < 0)
            graph->nodes[made].name = name;
    }
    w->n_list = from;
    return w->made[root];
}

int32_t gt_lang_rewrite_row(ode_rewriter *w, const ode_row *row)
{
    w->lo = row->lo;
    w->hi = row->hi;
    w->stamp_j = ++w->last_stamp;
    w->stamp_i = ++w->last_stamp;
    return rewrite(w, row->node);
}

ode_spread gt_lang_spread(const ode_rewriter *w, int32_t node, int32_t first)
{
    uint8_t flags = w->graph->nodes[node].flags;
    int64_t width = flags & DEP_I ? (int64_t)w->i_hi - w->i_lo + 1 : 1,
            height = flags & DEP_J ? (int64_t)w->hi - w->lo + 1 : 1;
    ode_spread s = {.first = first, .count = width * height};
    if (s.count > ODE_MAX_STATES) return s;
    if (flags & DEP_I) {
        s.inner = 1;
        s.first -= w->i_lo;
    }
    if (flags & DEP_J) {
        s.step = (int32_t)width;
        s.first -= w->lo * s.step;
    }
    return s;
}

ode_output gt_lang_spread_output(const ode_rewriter *w, int32_t of, int32_t node,
                                 const ode_spread *spread)
{
    uint8_t flags = w->graph->nodes[of].flags;
    ode_output out = {
        .node = node, .first = spread->first, .step = spread->step, .inner = spread->inner};
    out.loop = flags & DEP_J;
    out.inner_loop = flags & DEP_I;
    if (out.loop) out.lo = w->lo, out.hi = w->hi;
    if (out.inner_loop) out.inner_lo = w->i_lo, out.inner_hi = w->i_hi;
    return out;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions of a single element, rebuilt on the graph. */
#include "lang/lower/put_in.h"
#include <assert.h>
#include <string.h>

enum { MOST_TERMS = 200000, DEEPEST = 3000 };

ode_putter gt_lang_putter(ode_graph *graph)
{
    size_t n = (size_t)graph->n_nodes + 1;
    return (ode_putter){.graph = graph,
                        .n_old = graph->n_nodes,
                        .made = gt_lang_take(graph->work, n, sizeof(int32_t)),
                        .stamp = gt_lang_take(graph->work, n, sizeof(int32_t)),
                        .slot = -1};
}

static int32_t put(ode_putter *p, int32_t node, int depth);

static int32_t put_leaf(ode_putter *p, int32_t node)
{
    ode_node n = p->graph->nodes[node];
    if (n.op == N_J) return gt_lang_number(p->graph, (double)p->j);
    if (n.op == N_I) return gt_lang_number(p->graph, (double)p->i);
    if (n.op != N_STATE && n.op != N_PARAM) return node;
    int64_t place = n.a + n.b * p->j + n.c * p->i;
    if (n.op == N_STATE && place == p->slot) return p->value;
    return gt_lang_leaf(p->graph, (ode_op)n.op, place, 0, 0);
}

static int32_t put_call(ode_putter *p, const ode_node *n, int depth)
{
    ode_graph *graph = p->graph;
    int32_t args[ODE_MAX_ARGS], *leaves;
    if (p->slot >= 0 && gt_lang_function_leaves(graph, n->a, N_STATE, &leaves)) p->failed = true;
    for (int32_t k = 0; k < n->c; k++) args[k] = put(p, graph->arguments[n->b + k], depth);
    return gt_lang_call_node(graph, n->a, args, n->c, graph->functions[n->a].flags);
}

static int32_t put_sum(ode_putter *p, const ode_node *n, int depth)
{
    int32_t total = gt_lang_zero(p->graph);
    int64_t outer = p->i;
    for (int32_t i = n->b; i <= n->c && !p->failed; i++) {
        p->i = i;
        total = gt_lang_binary(p->graph, N_ADD, total, put(p, n->a, depth));
    }
    p->i = outer;
    return total;
}

static int32_t rebuild(ode_putter *p, int32_t node, int depth)
{
    ode_graph *graph = p->graph;
    ode_node n = graph->nodes[node];
    if (n.op == N_CALL) return put_call(p, &n, depth);
    if (n.op == N_SUM) return put_sum(p, &n, depth);
    int operands = ode_operands(n.op);
    if (!operands) return put_leaf(p, node);
    int32_t a = put(p, n.a, depth);
    if (n.op == N_TABLE || n.op == N_SLOPE) return gt_lang_table_node(graph, (ode_op)n.op, a, n.b);
    assert(n.op != N_HELD && n.op != N_HELD_SIGN); /* they are made later */
    if (operands == 1) return gt_lang_unary(graph, (ode_op)n.op, a);
    int32_t b = put(p, n.b, depth);
    if (operands == 2) {
        if (n.op == N_TIMES) return gt_lang_times(graph, a, b);
        if (n.op == N_PER) return gt_lang_per(graph, a, b);
        return gt_lang_binary(graph, (ode_op)n.op, a, b);
    }
    return gt_lang_if(graph, a, b, put(p, n.c, depth));
}

static int32_t put(ode_putter *p, int32_t node, int depth)
{
    bool kept = !(p->graph->nodes[node].flags & DEP_I) && node < p->n_old;
    if (kept && p->stamp[node] == p->now) return p->made[node];
    if (++p->terms > MOST_TERMS || depth > DEEPEST) p->failed = true;
    if (p->failed) return node;
    int32_t made = rebuild(p, node, depth + 1);
    if (kept) {
        p->stamp[node] = p->now;
        p->made[node] = made;
    }
    return made;
}

int32_t gt_lang_put_in(ode_putter *p, int32_t node, int64_t j)
{
    p->now++;
    p->j = j;
    return put(p, node, 0);
}

int32_t gt_lang_put_state(ode_graph *graph, int32_t node, int32_t slot, int32_t value, bool *failed)
{
    ode_putter p = gt_lang_putter(graph);
    p.slot = slot;
    p.value = value;
    int32_t made = gt_lang_put_in(&p, node, 0);
    *failed = *failed || p.failed;
    return made;
}

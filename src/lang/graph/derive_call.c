/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Derivatives of functions that call themselves are functions again: the derivative of f(a, b) by
 * an argument or a state is made from the body of f, forward, and where the body calls g,
 *
 *     d g(u, v) = g_1(u, v) du + g_2(u, v) dv + g_x(u, v)
 *
 * with derivatives of g that may be the one just being made.
 */
#include "lang/graph/graph.h"
#include <stdlib.h>
#include <string.h>

/* All nodes below `root`, ascending. */
static int compare(const void *a, const void *b)
{
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

typedef struct set {
    const ode_graph *graph;
    int32_t *nodes, count, room;
    unsigned char *seen;
} set;

static void add(set *s, int32_t node)
{
    if (node < 0 || s->seen[node]) return;
    s->seen[node] = 1;
    gt_lang_grow(s->graph->work, (void **)&s->nodes, s->count, &s->room, sizeof *s->nodes,
                 ODE_MAX_NODES, "parts of a function");
    s->nodes[s->count++] = node;
}

static set below(const ode_graph *graph, int32_t root)
{
    set s = {.graph = graph, .seen = gt_lang_take(graph->work, (size_t)graph->n_nodes, 1)};
    add(&s, root);
    for (int32_t k = 0; k < s.count; k++) {
        const ode_node *n = &graph->nodes[s.nodes[k]];
        int operands = ode_operands(n->op);
        if (operands > 0) add(&s, n->a);
        if (operands > 1) add(&s, n->b);
        if (operands > 2) add(&s, n->c);
        if (n->op == N_CALL)
            for (int32_t i = 0; i < n->c; i++) add(&s, graph->arguments[n->b + i]);
    }
    if (s.count) qsort(s.nodes, (size_t)s.count, sizeof *s.nodes, compare);
    return s;
}

int32_t gt_lang_function_leaves(const ode_graph *graph, int32_t function, ode_op leaf,
                                int32_t **leaves)
{
    int32_t *found = NULL, count = 0, room = 0, n = graph->n_functions;
    unsigned char *visited = gt_lang_take(graph->work, (size_t)n, 1);
    unsigned char *taken = gt_lang_take(graph->work, (size_t)graph->n_nodes, 1);
    int32_t *queue = gt_lang_take(graph->work, (size_t)n, sizeof *queue);
    int32_t n_queue = 0;
    queue[n_queue++] = function;
    visited[function] = 1;
    for (int32_t k = 0; k < n_queue; k++) {
        if (graph->functions[queue[k]].body < 0) continue;
        set s = below(graph, graph->functions[queue[k]].body);
        for (int32_t i = 0; i < s.count; i++) {
            const ode_node *x = &graph->nodes[s.nodes[i]];
            if (x->op == N_CALL && !visited[x->a]) {
                visited[x->a] = 1;
                queue[n_queue++] = x->a;
            }
            if (x->op != leaf || taken[s.nodes[i]]) continue;
            taken[s.nodes[i]] = 1;
            gt_lang_grow(graph->work, (void **)&found, count, &room, sizeof *found, 10000,
                         "states in a recursive function");
            found[count++] = s.nodes[i];
        }
    }
    *leaves = found;
    return count;
}

/* d g(u, v) as above. */
static int32_t through_call(ode_graph *graph, const ode_node *n, const int32_t *slope, int32_t by)
{
    int32_t args[ODE_MAX_ARGS];
    int32_t zero = gt_lang_number(graph, 0);
    int32_t total = zero;
    memcpy(args, graph->arguments + n->b, (size_t)n->c * sizeof *args);
    for (int32_t k = 0; k < n->c; k++) {
        if (slope[args[k]] == zero) continue;
        int32_t f = gt_lang_derived_function(graph, n->a, gt_lang_leaf(graph, N_ARG, k, 0, 0));
        int32_t call = gt_lang_call_node(graph, f, args, n->c, graph->functions[f].flags);
        total = gt_lang_binary(graph, N_ADD, total, gt_lang_times(graph, call, slope[args[k]]));
    }
    if (graph->nodes[by].op == N_STATE || graph->nodes[by].op == N_TIME) {
        int32_t f = gt_lang_derived_function(graph, n->a, by);
        int32_t call = gt_lang_call_node(graph, f, args, n->c, graph->functions[f].flags);
        total = gt_lang_binary(graph, N_ADD, total, call);
    }
    return total;
}

/* The derivative of a node, whose operands have theirs in `slope`. */
static int32_t forward(ode_graph *graph, int32_t node, const int32_t *slope, int32_t by)
{
    const ode_node n = graph->nodes[node];
    const int32_t operand[] = {n.a, n.b, n.c};
    if (node == by) return gt_lang_number(graph, 1);
    if (n.op == N_CALL) return through_call(graph, &n, slope, by);
    if (n.op == N_SUM) return gt_lang_sum_node(graph, slope[n.a], n.b, n.c);
    int32_t d[3] = {-1, -1, -1};
    for (int k = 0; k < ode_operands(n.op); k++) d[k] = slope[operand[k]];
    return gt_lang_derivative(graph, node, d);
}

int32_t gt_lang_derived_function(ode_graph *graph, int32_t function, int32_t by)
{
    for (int32_t k = 0; k < graph->n_functions; k++)
        if (graph->functions[k].of == function && graph->functions[k].by == by) return k;
    if (++graph->depth > 500)
        gt_lang_error(graph->work, -1,
                      "the functions of this model are too deeply recursive to be differentiated");
    int32_t number = graph->n_functions;
    ode_function *f = ODE_PUSH(graph, functions, 500, "recursive functions and their derivatives");
    *f = (ode_function){.of = function,
                        .by = by,
                        .n_args = graph->functions[function].n_args,
                        .body = -1,
                        .flags = graph->functions[function].flags};
    set s = below(graph, graph->functions[function].body);
    int32_t top = s.count ? s.nodes[s.count - 1] : 0;
    int32_t *slope = gt_lang_take(graph->work, (size_t)top + 1, sizeof *slope);
    int32_t zero = gt_lang_number(graph, 0);
    for (int32_t k = 0; k < s.count; k++) slope[s.nodes[k]] = zero;
    for (int32_t k = 0; k < s.count; k++) slope[s.nodes[k]] = forward(graph, s.nodes[k], slope, by);
    graph->functions[number].body = slope[graph->functions[function].body];
    graph->depth--;
    return number;
}

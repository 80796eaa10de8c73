/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Derivatives, symbolic and on the graph, in reverse: with A the derivative of the result by a
 * node, its operands get A times their partial derivatives, largest node first, until the states
 * (or t) are reached. All partials of a row come from one sweep and share what they can.
 *
 * A sum over i is swept on its own with A = 1. A state in it that moves with i gives a partial that
 * moves with i too; what does not move with i gets the sum of its contributions.
 */
#include "lang/graph/graph.h"
#include <assert.h>
#include <string.h>

/* The nodes below a root that matter, in descending order, each with its A (-1: none yet). */
typedef struct sweep {
    ode_graph *graph;
    uint8_t by; /* DEP_STATE or DEP_TIME */
    bool inner; /* inside a sum: only nodes with i */
    int32_t *nodes, *adjoints;
    int32_t count, room, room_adjoints;
    int32_t *heads, *chain, n_heads, room_chain; /* hash from node to its place */
} sweep;

static int32_t *place_of(sweep *s, int32_t node, bool *found)
{
    ode_graph *graph = s->graph;
    if (s->count >= s->n_heads) {
        s->n_heads = s->n_heads ? 4 * s->n_heads : 64;
        s->heads = gt_lang_take(graph->work, (size_t)s->n_heads, sizeof *s->heads);
        memset(s->heads, 0xff, (size_t)s->n_heads * sizeof *s->heads);
        for (int32_t k = 0; k < s->count; k++) {
            int32_t *head =
                &s->heads[(uint32_t)s->nodes[k] * 2654435761u & (uint32_t)(s->n_heads - 1)];
            s->chain[k] = *head;
            *head = k;
        }
    }
    int32_t *head = &s->heads[(uint32_t)node * 2654435761u & (uint32_t)(s->n_heads - 1)];
    for (int32_t k = *head; k >= 0; k = s->chain[k]) {
        if (s->nodes[k] == node) {
            *found = true;
            return &s->adjoints[k];
        }
    }
    *found = false;
    gt_lang_grow(graph->work, (void **)&s->nodes, s->count, &s->room, sizeof *s->nodes,
                 ODE_MAX_NODES, "parts of a derivative");
    gt_lang_grow(graph->work, (void **)&s->adjoints, s->count, &s->room_adjoints,
                 sizeof *s->adjoints, ODE_MAX_NODES, "parts of a derivative");
    gt_lang_grow(graph->work, (void **)&s->chain, s->count, &s->room_chain, sizeof *s->chain,
                 ODE_MAX_NODES, "parts of a derivative");
    s->nodes[s->count] = node;
    s->adjoints[s->count] = -1;
    s->chain[s->count] = *head;
    *head = s->count;
    return &s->adjoints[s->count++];
}

/* A node that carries derivatives and belongs to this sweep. */
static bool belongs(const sweep *s, int32_t node)
{
    uint8_t flags = s->graph->nodes[node].flags;
    return (flags & s->by) && (!s->inner || (flags & DEP_I));
}

/* ---- a heap of places, largest node first ---- */

typedef struct heap {
    int32_t *nodes, count, room;
} heap;

static void heap_add(ode_graph *graph, heap *h, int32_t node)
{
    gt_lang_grow(graph->work, (void **)&h->nodes, h->count, &h->room, sizeof *h->nodes,
                 ODE_MAX_NODES, "parts of a derivative");
    int32_t k = h->count++;
    for (; k > 0 && h->nodes[(k - 1) / 2] < node; k = (k - 1) / 2)
        h->nodes[k] = h->nodes[(k - 1) / 2];
    h->nodes[k] = node;
}

static int32_t heap_take(heap *h)
{
    int32_t top = h->nodes[0], node = h->nodes[--h->count], k = 0;
    for (;;) {
        int32_t child = 2 * k + 1;
        if (child >= h->count) break;
        if (child + 1 < h->count && h->nodes[child + 1] > h->nodes[child]) child++;
        if (h->nodes[child] <= node) break;
        h->nodes[k] = h->nodes[child];
        k = child;
    }
    h->nodes[k] = node;
    return top;
}

/* ---- the rules ---- */

typedef struct derivation {
    sweep s;
    heap pending;
    ode_partial *partials;
    int32_t n_partials, room_partials;
    sweep *outside; /* of a sum: what does not move with i, with its contributions */
} derivation;

static int32_t num(ode_graph *graph, double v) { return gt_lang_number(graph, v); }
static int32_t mul(ode_graph *graph, int32_t a, int32_t b) { return gt_lang_times(graph, a, b); }
static int32_t plus(ode_graph *graph, int32_t a, int32_t b)
{
    return gt_lang_binary(graph, N_ADD, a, b);
}

static bool is_zero(const ode_graph *graph, int32_t node)
{
    return graph->nodes[node].op == N_CONST && graph->nodes[node].value == 0;
}

/* Adds a contribution to the derivative by `node`. */
static void contribute(derivation *d, int32_t node, int32_t value)
{
    ode_graph *graph = d->s.graph;
    if (!(graph->nodes[node].flags & d->s.by) || is_zero(graph, value)) return;
    bool inside = belongs(&d->s, node);
    bool found;
    int32_t *A = place_of(inside ? &d->s : d->outside, node, &found);
    if (inside && !found) heap_add(graph, &d->pending, node);
    *A = *A < 0 ? value : plus(graph, *A, value);
}

static void add_partial(derivation *d, ode_partial p)
{
    ode_graph *graph = d->s.graph;
    gt_lang_grow(graph->work, (void **)&d->partials, d->n_partials, &d->room_partials,
                 sizeof *d->partials, ODE_MAX_NODES, "entries in a row of the Jacobian");
    d->partials[d->n_partials++] = p;
}

static void run(derivation *d);

/* A times the sum of b .. c of the body. */
static void through_sum(derivation *d, int32_t node, int32_t A)
{
    ode_graph *graph = d->s.graph;
    ode_node n = graph->nodes[node];
    sweep outside = {.graph = graph};
    derivation inner = {.s = {.graph = graph, .by = d->s.by, .inner = true}, .outside = &outside};
    contribute(&inner, n.a, num(graph, 1));
    run(&inner);
    for (int32_t k = 0; k < inner.n_partials; k++) {
        ode_partial p = inner.partials[k];
        p.node = mul(graph, A, p.node);
        p.inner = true;
        p.i_lo = n.b;
        p.i_hi = n.c;
        if (!is_zero(graph, p.node)) add_partial(d, p);
    }
    for (int32_t k = 0; k < outside.count; k++)
        contribute(d, outside.nodes[k],
                   mul(graph, A, gt_lang_sum_node(graph, outside.adjoints[k], n.b, n.c)));
}

static void through_call(derivation *d, int32_t node, int32_t A)
{
    ode_graph *graph = d->s.graph;
    ode_node n = graph->nodes[node];
    int32_t args[ODE_MAX_ARGS], *leaves, count = n.c;
    memcpy(args, graph->arguments + n.b, (size_t)count * sizeof *args);
    for (int32_t k = 0; k < count; k++) {
        if (!(graph->nodes[args[k]].flags & d->s.by)) continue;
        int32_t f = gt_lang_derived_function(graph, n.a, gt_lang_leaf(graph, N_ARG, k, 0, 0));
        contribute(
            d, args[k],
            mul(graph, A, gt_lang_call_node(graph, f, args, count, graph->functions[f].flags)));
    }
    ode_op leaf = d->s.by == DEP_TIME ? N_TIME : N_STATE;
    int32_t n_leaves = gt_lang_function_leaves(graph, n.a, leaf, &leaves);
    for (int32_t k = 0; k < n_leaves; k++) {
        int32_t f = gt_lang_derived_function(graph, n.a, leaves[k]);
        contribute(
            d, leaves[k],
            mul(graph, A, gt_lang_call_node(graph, f, args, count, graph->functions[f].flags)));
    }
}

/* The rule of the operation, once for each operand that carries derivatives. */
static void through_operation(derivation *d, int32_t node, int32_t A)
{
    ode_graph *graph = d->s.graph;
    const ode_node n = graph->nodes[node];
    const int32_t operand[] = {n.a, n.b, n.c};
    for (int k = 0; k < ode_operands(n.op); k++)
        if (graph->nodes[operand[k]].flags & d->s.by)
            contribute(d, operand[k], gt_lang_partial(graph, node, k, A));
}

static void through(derivation *d, int32_t node, int32_t A)
{
    switch ((ode_op)d->s.graph->nodes[node].op) {
    case N_STATE:
    case N_TIME:
        add_partial(d, (ode_partial){.leaf = node, .node = A});
        break;
    case N_SUM:
        through_sum(d, node, A);
        break;
    case N_CALL:
        through_call(d, node, A);
        break;
    default:
        through_operation(d, node, A);
        break;
    }
}

static void run(derivation *d)
{
    while (d->pending.count) {
        int32_t node = heap_take(&d->pending);
        bool found;
        int32_t A = *place_of(&d->s, node, &found);
        if (++d->s.graph->effort > ODE_MAX_WORK)
            gt_lang_error(d->s.graph->work, -1, "the derivatives of this model grow too large");
        through(d, node, A);
    }
}

int32_t gt_lang_partials(ode_graph *graph, int32_t node, ode_partial **partials)
{
    derivation d = {.s = {.graph = graph, .by = DEP_STATE}};
    contribute(&d, node, num(graph, 1));
    run(&d);
    *partials = d.partials;
    return d.n_partials;
}

int32_t gt_lang_partial_in_time(ode_graph *graph, int32_t node)
{
    derivation d = {.s = {.graph = graph, .by = DEP_TIME}};
    contribute(&d, node, num(graph, 1));
    run(&d);
    assert(d.n_partials <= 1); /* there is one node for t */
    return d.n_partials ? d.partials[0].node : gt_lang_zero(graph);
}

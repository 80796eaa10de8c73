/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The expression graph. A node is made once: asking for the same operation on the same operands
 * gives the same number, so common subexpressions are shared by construction. Operands have smaller
 * numbers than what is made of them. Constants are folded and what does nothing (x+0, 1*x, ..) is
 * left out; sums and products are not reordered, so that the graph rounds as the equations were
 * written.
 */
#include "lang/graph/graph.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- hashing ---- */

static bool commutes(int op) { return op == N_ADD || op == N_MUL; }

static uint32_t hash_node(const ode_node *n)
{
    uint64_t bits;
    memcpy(&bits, &n->value, sizeof bits);
    uint32_t a = (uint32_t)n->a, b = (uint32_t)n->b;
    if (commutes(n->op)) {
        uint32_t low = a < b ? a : b;
        b = a < b ? b : a;
        a = low;
    }
    uint64_t h = 0x9e3779b97f4a7c15u * (n->op + 1u);
    h = (h ^ a) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 29) ^ b) * 0xc4ceb9fe1a85ec53u;
    h = (h ^ (h >> 31) ^ (uint32_t)n->c) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 30) ^ bits) * 0xc4ceb9fe1a85ec53u;
    return (uint32_t)(h >> 32);
}

static bool same_node(const ode_node *p, const ode_node *q)
{
    if (p->op != q->op || p->c != q->c || memcmp(&p->value, &q->value, sizeof p->value))
        return false;
    if (p->a == q->a && p->b == q->b) return true;
    return commutes(p->op) && p->a == q->b && p->b == q->a;
}

static void rehash(ode_graph *graph)
{
    graph->n_node_buckets = graph->n_node_buckets ? 4 * graph->n_node_buckets : 1024;
    graph->node_buckets =
        gt_lang_take(graph->work, (size_t)graph->n_node_buckets, sizeof *graph->node_buckets);
    for (int32_t i = 0; i < graph->n_node_buckets; i++) graph->node_buckets[i] = -1;
    for (int32_t i = 0; i < graph->n_nodes; i++) {
        int32_t *bucket = &graph->node_buckets[hash_node(&graph->nodes[i]) &
                                               (uint32_t)(graph->n_node_buckets - 1)];
        graph->nodes[i].next = *bucket;
        *bucket = i;
    }
}

static int32_t find_or_add(ode_graph *graph, ode_node n)
{
    if (graph->n_nodes >= graph->n_node_buckets) rehash(graph);
    uint32_t hash = hash_node(&n);
    for (int32_t i = graph->node_buckets[hash & (uint32_t)(graph->n_node_buckets - 1)]; i >= 0;
         i = graph->nodes[i].next)
        if (same_node(&graph->nodes[i], &n)) return i;
    n.name = -1;
    n.next = graph->node_buckets[hash & (uint32_t)(graph->n_node_buckets - 1)];
    *ODE_PUSH(graph, nodes, ODE_MAX_NODES, "different subexpressions") = n;
    graph->node_buckets[hash & (uint32_t)(graph->n_node_buckets - 1)] = graph->n_nodes - 1;
    return graph->n_nodes - 1;
}

static uint8_t flags_of(const ode_graph *graph, int32_t node)
{
    return node >= 0 ? graph->nodes[node].flags : 0;
}
static bool is_number(const ode_graph *graph, int32_t node)
{
    return graph->nodes[node].op == N_CONST;
}
static bool is_value(const ode_graph *graph, int32_t node, double value)
{
    return is_number(graph, node) && graph->nodes[node].value == value;
}

int32_t gt_lang_number(ode_graph *graph, double value)
{
    return find_or_add(graph, (ode_node){.op = N_CONST, .value = value});
}

/* Derivatives ask for these all the time. */
int32_t gt_lang_zero(ode_graph *graph)
{
    if (graph->zero < 0) graph->zero = gt_lang_number(graph, 0);
    return graph->zero;
}

int32_t gt_lang_one(ode_graph *graph)
{
    if (graph->one < 0) graph->one = gt_lang_number(graph, 1);
    return graph->one;
}

void gt_lang_begin_graph(ode_graph *graph) { graph->zero = graph->one = graph->last_call = -1; }

int32_t gt_lang_leaf(ode_graph *graph, ode_op op, int64_t a, int64_t b, int64_t c)
{
    static const uint8_t depends[] = {
        [N_TIME] = DEP_TIME,   [N_J] = DEP_J,         [N_I] = DEP_I,
        [N_STATE] = DEP_STATE, [N_PARAM] = DEP_PARAM, [N_ARG] = DEP_ARG};
    assert((size_t)op < sizeof depends && depends[op]);
    uint8_t flags = depends[op];
    if (b) flags |= DEP_J;
    if (c) flags |= DEP_I;
    return find_or_add(
        graph,
        (ode_node){
            .op = (uint8_t)op, .flags = flags, .a = (int32_t)a, .b = (int32_t)b, .c = (int32_t)c});
}

static bool is_wild(const ode_graph *graph, int op, int32_t a, int32_t b, int32_t c)
{
    return ode_is(op, OP_WILD) || graph->nodes[a].wild || (b >= 0 && graph->nodes[b].wild) ||
           (c >= 0 && graph->nodes[c].wild);
}

/* An operation on nodes, folded when all are numbers. */
static int32_t make(ode_graph *graph, ode_op op, int32_t a, int32_t b, int32_t c)
{
    int operands = ode_operands((int)op);
    assert(operands >= 1 && a >= 0 && a < graph->n_nodes);
    assert(operands < 2 || (b >= 0 && b < graph->n_nodes));
    assert(operands < 3 || (c >= 0 && c < graph->n_nodes));
    if (is_number(graph, a) && (operands < 2 || is_number(graph, b)) &&
        (operands < 3 || is_number(graph, c)))
        return gt_lang_number(graph, gt_lang_apply((int)op, graph->nodes[a].value,
                                                   operands > 1 ? graph->nodes[b].value : 0,
                                                   operands > 2 ? graph->nodes[c].value : 0));
    uint8_t flags = flags_of(graph, a) | (operands > 1 ? flags_of(graph, b) : 0) |
                    (operands > 2 ? flags_of(graph, c) : 0);
    ode_node made = {.op = (uint8_t)op, .flags = flags, .a = a, .b = -1, .c = -1};
    if (operands > 1) made.b = b;
    if (operands > 2) made.c = c;
    made.wild = is_wild(graph, (int)op, a, made.b, made.c);
    return find_or_add(graph, made);
}

int32_t gt_lang_negative(ode_graph *graph, int32_t a)
{
    const ode_node *n = &graph->nodes[a];
    if (n->op == N_NEG) return n->a;
    if (n->op == N_SUB) return gt_lang_binary(graph, N_SUB, n->b, n->a);
    return make(graph, N_NEG, a, -1, -1);
}

int32_t gt_lang_unary(ode_graph *graph, ode_op op, int32_t a)
{
    if (op == N_NEG) return gt_lang_negative(graph, a);
    return make(graph, op, a, -1, -1);
}

static int32_t add(ode_graph *graph, int32_t a, int32_t b)
{
    if (is_value(graph, a, 0)) return b;
    if (is_value(graph, b, 0)) return a;
    if (graph->nodes[b].op == N_NEG) return gt_lang_binary(graph, N_SUB, a, graph->nodes[b].a);
    if (graph->nodes[a].op == N_NEG) return gt_lang_binary(graph, N_SUB, b, graph->nodes[a].a);
    return make(graph, N_ADD, a, b, -1);
}

static int32_t subtract(ode_graph *graph, int32_t a, int32_t b)
{
    if (is_value(graph, b, 0)) return a;
    if (is_value(graph, a, 0)) return gt_lang_negative(graph, b);
    if (graph->nodes[b].op == N_NEG) return gt_lang_binary(graph, N_ADD, a, graph->nodes[b].a);
    return make(graph, N_SUB, a, b, -1);
}

static int32_t multiply(ode_graph *graph, int32_t a, int32_t b)
{
    if (is_value(graph, a, 0) || is_value(graph, b, 0)) return gt_lang_zero(graph);
    if (is_value(graph, a, 1)) return b;
    if (is_value(graph, b, 1)) return a;
    if (is_value(graph, a, -1)) return gt_lang_negative(graph, b);
    if (is_value(graph, b, -1)) return gt_lang_negative(graph, a);
    if (graph->nodes[a].op == N_NEG && graph->nodes[b].op == N_NEG)
        return make(graph, N_MUL, graph->nodes[a].a, graph->nodes[b].a, -1);
    if (graph->nodes[a].op == N_NEG)
        return gt_lang_negative(graph, multiply(graph, graph->nodes[a].a, b));
    if (graph->nodes[b].op == N_NEG)
        return gt_lang_negative(graph, multiply(graph, a, graph->nodes[b].a));
    return make(graph, N_MUL, a, b, -1);
}

static int32_t divide(ode_graph *graph, int32_t a, int32_t b)
{
    if (is_value(graph, a, 0) && !is_value(graph, b, 0)) return a;
    if (is_value(graph, b, 1)) return a;
    if (is_value(graph, b, -1)) return gt_lang_negative(graph, a);
    if (graph->nodes[a].op == N_NEG)
        return gt_lang_negative(graph, divide(graph, graph->nodes[a].a, b));
    return make(graph, N_DIV, a, b, -1);
}

int32_t gt_lang_times(ode_graph *graph, int32_t a, int32_t b)
{
    if (is_number(graph, a) || is_number(graph, b) ||
        (!graph->nodes[a].wild && !graph->nodes[b].wild))
        return multiply(graph, a, b);
    if (graph->nodes[a].op == N_NEG)
        return gt_lang_negative(graph, gt_lang_times(graph, graph->nodes[a].a, b));
    if (graph->nodes[b].op == N_NEG)
        return gt_lang_negative(graph, gt_lang_times(graph, a, graph->nodes[b].a));
    return make(graph, N_TIMES, a, b, -1);
}

int32_t gt_lang_per(ode_graph *graph, int32_t a, int32_t b)
{
    if (is_number(graph, a) || !(graph->nodes[b].flags & (DEP_STATE | DEP_ARG)))
        return divide(graph, a, b);
    if (graph->nodes[a].op == N_NEG)
        return gt_lang_negative(graph, gt_lang_per(graph, graph->nodes[a].a, b));
    return make(graph, N_PER, a, b, -1);
}

/* a^n by repeated squaring. */
static int32_t whole_power(ode_graph *graph, int32_t a, int n)
{
    if (n == 1) return a;
    int32_t half = whole_power(graph, a, n / 2);
    int32_t square = multiply(graph, half, half);
    return n % 2 ? multiply(graph, square, a) : square;
}

/* Small whole powers become products, which are faster and have derivatives everywhere. */
static int32_t power(ode_graph *graph, int32_t a, int32_t b)
{
    enum { MOST = 16 };
    if (is_number(graph, b) && !is_number(graph, a)) {
        double p = graph->nodes[b].value;
        if (p == 0) return gt_lang_number(graph, 1);
        if (p == 0.5) return make(graph, N_SQRT, a, -1, -1);
        if (p == floor(p) && fabs(p) <= MOST) {
            int32_t whole = whole_power(graph, a, (int)fabs(p));
            return p > 0 ? whole : divide(graph, gt_lang_number(graph, 1), whole);
        }
    }
    return make(graph, N_POW, a, b, -1);
}

int32_t gt_lang_binary(ode_graph *graph, ode_op op, int32_t a, int32_t b)
{
    switch (op) {
    case N_ADD:
        return add(graph, a, b);
    case N_SUB:
        return subtract(graph, a, b);
    case N_MUL:
        return multiply(graph, a, b);
    case N_DIV:
        return divide(graph, a, b);
    case N_POW:
        return power(graph, a, b);
    default:
        return make(graph, op, a, b, -1);
    }
}

int32_t gt_lang_if(ode_graph *graph, int32_t condition, int32_t yes, int32_t no)
{
    if (is_number(graph, condition)) return graph->nodes[condition].value != 0 ? yes : no;
    if (yes == no) return yes;
    return make(graph, N_IF, condition, yes, no);
}

int32_t gt_lang_table_node(ode_graph *graph, ode_op op, int32_t argument, int32_t table)
{
    return find_or_add(graph, (ode_node){.op = (uint8_t)op,
                                         .flags = (uint8_t)(flags_of(graph, argument) | HAS_TABLE),
                                         .wild = graph->nodes[argument].wild,
                                         .a = argument,
                                         .b = table,
                                         .c = -1});
}

int32_t gt_lang_held_node(ode_graph *graph, ode_op op, int32_t relation, int64_t first,
                          int64_t step, int64_t inner)
{
    if (is_number(graph, relation)) return relation;
    return find_or_add(graph, (ode_node){.op = (uint8_t)op,
                                         .flags = flags_of(graph, relation),
                                         .a = relation,
                                         .b = (int32_t)first,
                                         .c = (int32_t)step,
                                         .value = (double)inner});
}

int32_t gt_lang_sum_node(ode_graph *graph, int32_t body, int64_t lo, int64_t hi)
{
    if (hi < lo || is_value(graph, body, 0)) return gt_lang_zero(graph);
    if (!(graph->nodes[body].flags & DEP_I))
        return multiply(graph, gt_lang_number(graph, (double)(hi - lo + 1)), body);
    return find_or_add(graph, (ode_node){.op = N_SUM,
                                         .flags = (uint8_t)(graph->nodes[body].flags & ~DEP_I),
                                         .wild = graph->nodes[body].wild,
                                         .a = body,
                                         .b = (int32_t)lo,
                                         .c = (int32_t)hi});
}

int32_t gt_lang_call_node(ode_graph *graph, int32_t function, const int32_t *args, int32_t count,
                          uint8_t flags)
{
    flags |= HAS_CALL;
    for (int32_t k = 0; k < count; k++) flags |= graph->nodes[args[k]].flags;
    /* The same call is looked for by its arguments, which are kept one after the other. */
    for (int32_t i = graph->last_call; i >= 0; i = (int32_t)graph->nodes[i].value) {
        const ode_node *n = &graph->nodes[i];
        if (n->a == function &&
            !memcmp(graph->arguments + n->b, args, (size_t)count * sizeof *args))
            return i;
    }
    int32_t first = graph->n_arguments;
    for (int32_t k = 0; k < count; k++)
        *ODE_PUSH(graph, arguments, ODE_MAX_SYNTAX, "arguments of calls") = args[k];
    int32_t made = find_or_add(graph, (ode_node){.op = N_CALL,
                                                 .flags = flags,
                                                 .wild = true,
                                                 .a = function,
                                                 .b = first,
                                                 .c = count,
                                                 .value = graph->last_call});
    return graph->last_call = made;
}

bool gt_lang_is_hoistable(const ode_graph *graph, int32_t node)
{
    const ode_node *n = &graph->nodes[node];
    uint8_t moving = DEP_STATE | DEP_TIME | DEP_J | DEP_I | DEP_ARG | HAS_CALL | HAS_TABLE;
    return ode_operands(n->op) > 0 && (n->flags & DEP_PARAM) && !(n->flags & moving);
}

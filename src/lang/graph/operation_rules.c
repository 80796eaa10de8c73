/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules of operations.def that make nodes: derivatives, and where an operation switches. A
 * derivative is linear in those of the operands; whoever differentiates backwards gives it one of
 * them and zeros for the others, which fold.
 */
#include "lang/graph/graph.h"
#include <assert.h>
#include <math.h>

#define NUM(value) gt_lang_number(graph, value)
#define NEG(x) gt_lang_negative(graph, x)
#define ADD(x, y) gt_lang_binary(graph, N_ADD, x, y)
#define SUB(x, y) gt_lang_binary(graph, N_SUB, x, y)
#define MUL(x, y) (plain ? gt_lang_binary(graph, N_MUL, x, y) : gt_lang_times(graph, x, y))
#define DIV(x, y) (plain ? gt_lang_binary(graph, N_DIV, x, y) : gt_lang_per(graph, x, y))
#define DIFFERENCE_OVER(x, y, z) difference_over(graph, x, y, z, plain)
#define SQUARE(x) gt_lang_binary(graph, N_MUL, x, x)
#define OP1(op, x) gt_lang_unary(graph, op, x)
#define OP2(op, x, y) gt_lang_binary(graph, op, x, y)
#define WHEN(condition, yes, no) gt_lang_if(graph, condition, yes, no)
#define ZERO zero
#define LINEAR(d, factor) ((d) == zero ? zero : MUL(d, factor))
#define TABLE_SLOPE gt_lang_table_node(graph, N_SLOPE, a, b)
#define HOLDS holds

/* (x - y) / z, of which x or y may be 0. */
static int32_t difference_over(ode_graph *graph, int32_t x, int32_t y, int32_t z, bool plain)
{
    int32_t zero = gt_lang_zero(graph);
    if (y == zero) return DIV(x, z);
    if (x == zero) return NEG(DIV(y, z));
    return DIV(SUB(x, y), z);
}

/* `plain`: products and quotients are as everywhere; else a factor that is 0 wins. */
static int32_t derivative_of(ode_graph *graph, int32_t node, const int32_t d[3], bool plain)
{
    const ode_node n = graph->nodes[node];
    const int32_t a = n.a, b = n.b;
    const int32_t zero = gt_lang_zero(graph);
    const int32_t da = d[0], db = d[1], dc = d[2];
    switch ((ode_op)n.op) {
#define ODE_OPERATION(symbol, operands, cost, text, c_name, traits, value, derivative, ...)        \
    case symbol:                                                                                   \
        return derivative;
#include "lang/operations/operations.def"
    default:
        return zero;
    }
}

int32_t gt_lang_derivative(ode_graph *graph, int32_t node, const int32_t d[3])
{
    return derivative_of(graph, node, d, false);
}

static int32_t partial(ode_graph *graph, int32_t node, int operand, int32_t seed, bool plain)
{
    assert(operand >= 0 && operand < ode_operands(graph->nodes[node].op));
    int32_t zero = gt_lang_zero(graph);
    int32_t d[3] = {zero, zero, zero};
    d[operand] = seed;
    return derivative_of(graph, node, d, plain);
}

int32_t gt_lang_partial(ode_graph *graph, int32_t node, int operand, int32_t seed)
{
    return partial(graph, node, operand, seed, false);
}

int32_t gt_lang_slope(ode_graph *graph, int32_t node, int operand)
{
    return partial(graph, node, operand, gt_lang_one(graph), true);
}

int32_t gt_lang_surface(ode_graph *graph, int32_t node)
{
    const ode_node n = graph->nodes[node];
    const int32_t a = n.a, b = n.b;
    switch ((ode_op)n.op) {
#define ODE_OPERATION(symbol, operands, cost, text, c_name, traits, value, derivative, series,     \
                      surface, ...)                                                                \
    case symbol:                                                                                   \
        return surface;
#include "lang/operations/operations.def"
    default:
        return -1;
    }
}

int32_t gt_lang_truth(ode_graph *graph, int32_t node)
{
    const ode_node n = graph->nodes[node];
    const int32_t a = n.a, b = n.b;
    assert(ode_is(n.op, OP_SWITCHES));
    switch ((ode_op)n.op) {
#define ODE_OPERATION(symbol, operands, cost, text, c_name, traits, value, derivative, series,     \
                      surface, truth, ...)                                                         \
    case symbol:                                                                                   \
        return truth;
#include "lang/operations/operations.def"
    default:
        return -1;
    }
}

int32_t gt_lang_sided(ode_graph *graph, int32_t node, int32_t holds)
{
    const ode_node n = graph->nodes[node];
    const int32_t a = n.a, b = n.b;
    assert(ode_is(n.op, OP_SWITCHES));
    switch ((ode_op)n.op) {
#define ODE_OPERATION(symbol, operands, cost, text, c_name, traits, value, derivative, series,     \
                      surface, truth, sided)                                                       \
    case symbol:                                                                                   \
        return sided;
#include "lang/operations/operations.def"
    default:
        return -1;
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The expression graph. A node is made once: asking for the same operation on the same operands gives the same number,
 * so common subexpressions are shared by construction. Operands have smaller numbers than what is made of them.
 * Constants are folded and what does nothing (x+0, 1*x, ..) is left out; sums and products are not reordered, so that
 * the graph rounds as the equations were written.
 */
#include "lang/graph/graph.h"
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
    if (p->op != q->op || p->c != q->c || memcmp(&p->value, &q->value, sizeof p->value)) return false;
    if (p->a == q->a && p->b == q->b) return true;
    return commutes(p->op) && p->a == q->b && p->b == q->a;
}

static void rehash(gt_ode *o)
{
    o->n_node_buckets = o->n_node_buckets ? 4 * o->n_node_buckets : 1024;
    o->node_buckets = gt_lang_take(o, (size_t)o->n_node_buckets, sizeof *o->node_buckets);
    for (int32_t i = 0; i < o->n_node_buckets; i++) o->node_buckets[i] = -1;
    for (int32_t i = 0; i < o->n_nodes; i++) {
        int32_t *bucket = &o->node_buckets[hash_node(&o->nodes[i]) & (uint32_t)(o->n_node_buckets - 1)];
        o->nodes[i].next = *bucket;
        *bucket = i;
    }
}

static int32_t find_or_add(gt_ode *o, ode_node n)
{
    if (o->n_nodes >= o->n_node_buckets) rehash(o);
    uint32_t hash = hash_node(&n);
    for (int32_t i = o->node_buckets[hash & (uint32_t)(o->n_node_buckets - 1)]; i >= 0; i = o->nodes[i].next)
        if (same_node(&o->nodes[i], &n)) return i;
    n.name = -1;
    n.next = o->node_buckets[hash & (uint32_t)(o->n_node_buckets - 1)];
    *ODE_PUSH(o, nodes, ODE_MAX_NODES, "different subexpressions") = n;
    o->node_buckets[hash & (uint32_t)(o->n_node_buckets - 1)] = o->n_nodes - 1;
    return o->n_nodes - 1;
}

static uint8_t flags_of(const gt_ode *o, int32_t node) { return node >= 0 ? o->nodes[node].flags : 0; }
static bool is_number(const gt_ode *o, int32_t node) { return o->nodes[node].op == N_CONST; }
static bool is_value(const gt_ode *o, int32_t node, double value)
{
    return is_number(o, node) && o->nodes[node].value == value;
}

int32_t gt_lang_number(gt_ode *o, double value) { return find_or_add(o, (ode_node){.op = N_CONST, .value = value}); }

int32_t gt_lang_leaf(gt_ode *o, ode_op op, int64_t a, int64_t b, int64_t c)
{
    uint8_t flags = op == N_TIME    ? DEP_TIME
                    : op == N_J     ? DEP_J
                    : op == N_I     ? DEP_I
                    : op == N_STATE ? DEP_STATE
                    : op == N_PARAM ? DEP_PARAM
                                    : DEP_ARG;
    if (b) flags |= DEP_J;
    if (c) flags |= DEP_I;
    return find_or_add(
        o, (ode_node){.op = (uint8_t)op, .flags = flags, .a = (int32_t)a, .b = (int32_t)b, .c = (int32_t)c});
}

static bool is_wild(const gt_ode *o, int op, int32_t a, int32_t b, int32_t c)
{
    return ode_is(op, OP_WILD) || o->nodes[a].wild || (b >= 0 && o->nodes[b].wild) || (c >= 0 && o->nodes[c].wild);
}

/* An operation on nodes, folded when all are numbers. */
static int32_t make(gt_ode *o, ode_op op, int32_t a, int32_t b, int32_t c)
{
    int operands = ode_operands(op);
    if (is_number(o, a) && (operands < 2 || is_number(o, b)) && (operands < 3 || is_number(o, c)))
        return gt_lang_number(o, gt_lang_apply((int)op, o->nodes[a].value, operands > 1 ? o->nodes[b].value : 0,
                                               operands > 2 ? o->nodes[c].value : 0));
    uint8_t flags = flags_of(o, a) | (operands > 1 ? flags_of(o, b) : 0) | (operands > 2 ? flags_of(o, c) : 0);
    ode_node made = {.op = (uint8_t)op, .flags = flags, .a = a, .b = -1, .c = -1};
    if (operands > 1) made.b = b;
    if (operands > 2) made.c = c;
    made.wild = is_wild(o, (int)op, a, made.b, made.c);
    return find_or_add(o, made);
}

int32_t gt_lang_negative(gt_ode *o, int32_t a)
{
    const ode_node *n = &o->nodes[a];
    if (n->op == N_NEG) return n->a;
    if (n->op == N_SUB) return gt_lang_binary(o, N_SUB, n->b, n->a);
    return make(o, N_NEG, a, -1, -1);
}

int32_t gt_lang_unary(gt_ode *o, ode_op op, int32_t a)
{
    if (op == N_NEG) return gt_lang_negative(o, a);
    return make(o, op, a, -1, -1);
}

static int32_t add(gt_ode *o, int32_t a, int32_t b)
{
    if (is_value(o, a, 0)) return b;
    if (is_value(o, b, 0)) return a;
    if (o->nodes[b].op == N_NEG) return gt_lang_binary(o, N_SUB, a, o->nodes[b].a);
    if (o->nodes[a].op == N_NEG) return gt_lang_binary(o, N_SUB, b, o->nodes[a].a);
    return make(o, N_ADD, a, b, -1);
}

static int32_t subtract(gt_ode *o, int32_t a, int32_t b)
{
    if (is_value(o, b, 0)) return a;
    if (is_value(o, a, 0)) return gt_lang_negative(o, b);
    if (o->nodes[b].op == N_NEG) return gt_lang_binary(o, N_ADD, a, o->nodes[b].a);
    return make(o, N_SUB, a, b, -1);
}

static int32_t multiply(gt_ode *o, int32_t a, int32_t b)
{
    if (is_value(o, a, 0) || is_value(o, b, 0)) return gt_lang_number(o, 0);
    if (is_value(o, a, 1)) return b;
    if (is_value(o, b, 1)) return a;
    if (is_value(o, a, -1)) return gt_lang_negative(o, b);
    if (is_value(o, b, -1)) return gt_lang_negative(o, a);
    if (o->nodes[a].op == N_NEG && o->nodes[b].op == N_NEG) return make(o, N_MUL, o->nodes[a].a, o->nodes[b].a, -1);
    if (o->nodes[a].op == N_NEG) return gt_lang_negative(o, multiply(o, o->nodes[a].a, b));
    if (o->nodes[b].op == N_NEG) return gt_lang_negative(o, multiply(o, a, o->nodes[b].a));
    return make(o, N_MUL, a, b, -1);
}

static int32_t divide(gt_ode *o, int32_t a, int32_t b)
{
    if (is_value(o, a, 0) && !is_value(o, b, 0)) return a;
    if (is_value(o, b, 1)) return a;
    if (is_value(o, b, -1)) return gt_lang_negative(o, a);
    if (o->nodes[a].op == N_NEG) return gt_lang_negative(o, divide(o, o->nodes[a].a, b));
    return make(o, N_DIV, a, b, -1);
}

int32_t gt_lang_times(gt_ode *o, int32_t a, int32_t b)
{
    if (is_number(o, a) || is_number(o, b) || (!o->nodes[a].wild && !o->nodes[b].wild)) return multiply(o, a, b);
    if (o->nodes[a].op == N_NEG) return gt_lang_negative(o, gt_lang_times(o, o->nodes[a].a, b));
    if (o->nodes[b].op == N_NEG) return gt_lang_negative(o, gt_lang_times(o, a, o->nodes[b].a));
    return make(o, N_TIMES, a, b, -1);
}

int32_t gt_lang_per(gt_ode *o, int32_t a, int32_t b)
{
    if (is_number(o, a) || !(o->nodes[b].flags & (DEP_STATE | DEP_ARG))) return divide(o, a, b);
    if (o->nodes[a].op == N_NEG) return gt_lang_negative(o, gt_lang_per(o, o->nodes[a].a, b));
    return make(o, N_PER, a, b, -1);
}

/* a^n by repeated squaring. */
static int32_t whole_power(gt_ode *o, int32_t a, int n)
{
    if (n == 1) return a;
    int32_t half = whole_power(o, a, n / 2), square = multiply(o, half, half);
    return n % 2 ? multiply(o, square, a) : square;
}

/* Small whole powers become products, which are faster and have derivatives everywhere. */
static int32_t power(gt_ode *o, int32_t a, int32_t b)
{
    enum { MOST = 16 };
    if (is_number(o, b) && !is_number(o, a)) {
        double p = o->nodes[b].value;
        if (p == 0) return gt_lang_number(o, 1);
        if (p == 0.5) return make(o, N_SQRT, a, -1, -1);
        if (p == floor(p) && fabs(p) <= MOST) {
            int32_t whole = whole_power(o, a, (int)fabs(p));
            return p > 0 ? whole : divide(o, gt_lang_number(o, 1), whole);
        }
    }
    return make(o, N_POW, a, b, -1);
}

int32_t gt_lang_binary(gt_ode *o, ode_op op, int32_t a, int32_t b)
{
    switch (op) {
    case N_ADD:
        return add(o, a, b);
    case N_SUB:
        return subtract(o, a, b);
    case N_MUL:
        return multiply(o, a, b);
    case N_DIV:
        return divide(o, a, b);
    case N_POW:
        return power(o, a, b);
    default:
        return make(o, op, a, b, -1);
    }
}

int32_t gt_lang_if(gt_ode *o, int32_t condition, int32_t yes, int32_t no)
{
    if (is_number(o, condition)) return o->nodes[condition].value != 0 ? yes : no;
    if (yes == no) return yes;
    return make(o, N_IF, condition, yes, no);
}

int32_t gt_lang_table_node(gt_ode *o, ode_op op, int32_t argument, int32_t table)
{
    return find_or_add(o, (ode_node){.op = (uint8_t)op,
                                     .flags = (uint8_t)(flags_of(o, argument) | HAS_TABLE),
                                     .wild = o->nodes[argument].wild,
                                     .a = argument,
                                     .b = table,
                                     .c = -1});
}

int32_t gt_lang_held_node(gt_ode *o, ode_op op, int32_t relation, int64_t first, int64_t step, int64_t inner)
{
    if (is_number(o, relation)) return relation;
    return find_or_add(o, (ode_node){.op = (uint8_t)op,
                                     .flags = flags_of(o, relation),
                                     .a = relation,
                                     .b = (int32_t)first,
                                     .c = (int32_t)step,
                                     .value = (double)inner});
}

int32_t gt_lang_sum_node(gt_ode *o, int32_t body, int64_t lo, int64_t hi)
{
    if (hi < lo || is_value(o, body, 0)) return gt_lang_number(o, 0);
    if (!(o->nodes[body].flags & DEP_I)) return multiply(o, gt_lang_number(o, (double)(hi - lo + 1)), body);
    return find_or_add(o, (ode_node){.op = N_SUM,
                                     .flags = (uint8_t)(o->nodes[body].flags & ~DEP_I),
                                     .wild = o->nodes[body].wild,
                                     .a = body,
                                     .b = (int32_t)lo,
                                     .c = (int32_t)hi});
}

int32_t gt_lang_call_node(gt_ode *o, int32_t function, const int32_t *args, int32_t count, uint8_t flags)
{
    flags |= HAS_CALL;
    for (int32_t k = 0; k < count; k++) flags |= o->nodes[args[k]].flags;
    /* The same call is looked for by its arguments, which are kept one after the other. */
    for (int32_t i = o->last_call; i >= 0; i = (int32_t)o->nodes[i].value) {
        const ode_node *n = &o->nodes[i];
        if (n->a == function && !memcmp(o->arguments + n->b, args, (size_t)count * sizeof *args)) return i;
    }
    int32_t first = o->n_arguments;
    for (int32_t k = 0; k < count; k++) *ODE_PUSH(o, arguments, ODE_MAX_SYNTAX, "arguments of calls") = args[k];
    int32_t made = find_or_add(
        o,
        (ode_node){
            .op = N_CALL, .flags = flags, .wild = true, .a = function, .b = first, .c = count, .value = o->last_call});
    return o->last_call = made;
}

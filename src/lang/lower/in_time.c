/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions that are piecewise linear in t, with coefficients that depend on parameters only. */
#include "lang/lower/in_time.h"

enum { DEEPEST = 100 };

typedef struct reader {
    ode_graph *graph;
    const ode_moving *moving;
    int32_t zero, looks;
} reader;

static bool sets_none(reader *r, int32_t node, int depth)
{
    enum { MANY = 10000 };
    const ode_node *n = &r->graph->nodes[node];
    if (!(n->flags & DEP_PARAM)) return true;
    if (n->op == N_PARAM) /* of an array, all of it has to be fixed, which is not looked for */
        return !n->b && !n->c && (n->a >= r->moving->n_params || !r->moving->set[n->a]);
    if (depth > DEEPEST || ++r->looks > MANY) return false;
    int operands = ode_operands(n->op);
    const int32_t operand[] = {n->a, n->b, n->c};
    for (int k = 0; k < operands; k++)
        if (!sets_none(r, operand[k], depth + 1)) return false;
    return true;
}

/* Has the node one value during a run? */
static bool is_fixed(reader *r, int32_t node)
{
    const uint8_t varies = DEP_STATE | DEP_TIME | DEP_ARG | HAS_CALL | HAS_TABLE;
    if (r->graph->nodes[node].flags & varies) return false;
    return !r->moving->set || sets_none(r, node, 0);
}

static int32_t op(reader *r, ode_op which, int32_t a, int32_t b)
{
    return gt_lang_binary(r->graph, which, a, b);
}

/* p + sign q */
static bool add(reader *r, const ode_in_time *p, const ode_in_time *q, ode_op sign,
                ode_in_time *line)
{
    if (p->m_t >= 0 && q->m_t >= 0 && (p->m_a != q->m_a || p->m_b != q->m_b || p->m_t != q->m_t))
        return false;
    *line = p->m_t >= 0 ? *p : *q;
    line->a = op(r, sign, p->a, q->a);
    line->b = op(r, sign, p->b, q->b);
    line->c = op(r, sign, p->c, q->c);
    return true;
}

static void scale(reader *r, const ode_in_time *p, ode_op how, int32_t factor, ode_in_time *line)
{
    *line = *p;
    line->a = op(r, how, p->a, factor);
    line->b = op(r, how, p->b, factor);
    line->c = op(r, how, p->c, factor);
}

static ode_in_time constant(const reader *r, int32_t value)
{
    return (ode_in_time){.a = r->zero, .b = value, .c = r->zero, .m_a = -1, .m_b = -1, .m_t = -1};
}

static bool read(reader *r, int32_t node, int depth, ode_in_time *line);

static bool periodic(reader *r, const ode_node *n, int depth, ode_in_time *line)
{
    ode_graph *graph = r->graph;
    ode_in_time p;
    int32_t one = gt_lang_number(graph, 1);
    int32_t minus = gt_lang_number(graph, -1);
    if (!read(r, n->a, depth + 1, &p) || p.m_t >= 0) return false;
    if (n->op == N_MOD) {
        if (!is_fixed(r, n->b)) return false;
        *line = (ode_in_time){.a = p.a, .b = p.b, .c = gt_lang_negative(graph, n->b)};
        line->m_a = p.a, line->m_b = p.b, line->m_t = n->b;
    } else {
        bool up = n->op == N_CEIL; /* ceil(u) = -floor(-u) */
        *line = constant(r, r->zero);
        line->c = up ? minus : one;
        line->m_a = up ? gt_lang_negative(graph, p.a) : p.a;
        line->m_b = up ? gt_lang_negative(graph, p.b) : p.b;
        line->m_t = one;
    }
    return true;
}

static bool read(reader *r, int32_t node, int depth, ode_in_time *line)
{
    ode_node n = r->graph->nodes[node];
    ode_in_time p, q;
    if (depth > DEEPEST) return false;
    *line = constant(r, node);
    if (is_fixed(r, node)) return true;
    switch ((ode_op)n.op) {
    case N_TIME:
        line->a = gt_lang_number(r->graph, 1);
        line->b = r->zero;
        return true;
    case N_NEG:
        if (!read(r, n.a, depth + 1, &p)) return false;
        scale(r, &p, N_MUL, gt_lang_number(r->graph, -1), line);
        return true;
    case N_ADD:
    case N_SUB:
        return read(r, n.a, depth + 1, &p) && read(r, n.b, depth + 1, &q) &&
               add(r, &p, &q, (ode_op)n.op, line);
    case N_MUL: {
        bool left = is_fixed(r, n.a);
        if ((!left && !is_fixed(r, n.b)) || !read(r, left ? n.b : n.a, depth + 1, &p)) return false;
        scale(r, &p, N_MUL, left ? n.a : n.b, line);
        return true;
    }
    case N_DIV:
        if (!is_fixed(r, n.b) || !read(r, n.a, depth + 1, &p)) return false;
        scale(r, &p, N_DIV, n.b, line);
        return true;
    case N_MOD:
    case N_FLR:
    case N_CEIL:
        return periodic(r, &n, depth, line);
    default:
        return false;
    }
}

bool gt_lang_in_time(ode_graph *graph, const ode_moving *moving, int32_t node, ode_in_time *line)
{
    const uint8_t others = DEP_STATE | DEP_ARG | HAS_CALL | HAS_TABLE;
    if (!(graph->nodes[node].flags & DEP_TIME) || (graph->nodes[node].flags & others)) return false;
    reader r = {.graph = graph, .moving = moving, .zero = gt_lang_number(graph, 0)};
    return read(&r, node, 0, line);
}

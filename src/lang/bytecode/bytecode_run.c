/* SPDX-License-Identifier: BSD-3-Clause */
/* Instructions are carried out. Operations and their order are those of the generated C, so both
 * give the same bits. */
#include "lang/bytecode/bytecode.h"
#include <math.h>

static void run(ode_frame *f, int32_t from, int32_t to);

/* ---- recursive functions: a walk over the graph that looks only where `if` leads ---- */

typedef struct call_frame {
    const ode_frame *f;
    int depth, level; /* of calls, and of the walk */
    long calls;
} call_frame;

static double call(call_frame *c, int32_t function, const double *args);

static double walk_node(call_frame *c, int32_t node, const double *args);

static double walk(call_frame *c, int32_t node, const double *args)
{
    enum { DEEPEST = 4000 };
    if (c->level >= DEEPEST) return NAN;
    c->level++;
    double value = walk_node(c, node, args);
    c->level--;
    return value;
}

static double walk_node(call_frame *c, int32_t node, const double *args)
{
    const ode_bytecode *bytecode = c->f->bytecode;
    const ode_node *n = &bytecode->graph->nodes[node];
    switch ((ode_op)n->op) {
    case N_CONST:
        return n->value;
    case N_TIME:
        return c->f->t;
    case N_STATE:
        return c->f->x ? c->f->x[n->a] : NAN;
    case N_PARAM:
        return c->f->p[n->a];
    case N_ARG:
        return args[n->a];
    case N_IF:
        return walk(c, walk(c, n->a, args) != 0 ? n->b : n->c, args);
    case N_AND:
        return walk(c, n->a, args) != 0 && walk(c, n->b, args) != 0;
    case N_OR:
        return walk(c, n->a, args) != 0 || walk(c, n->b, args) != 0;
    case N_TABLE: {
        const ode_table *t = &bytecode->tables[n->b];
        return gt_ode_table(c->f->p + t->slot, t->n, t->lo, t->hi, walk(c, n->a, args));
    }
    case N_SLOPE: {
        const ode_table *t = &bytecode->tables[n->b];
        return gt_ode_table_slope(c->f->p + t->slot, t->n, t->lo, t->hi, walk(c, n->a, args));
    }
    case N_CALL: {
        double inner[ODE_MAX_ARGS];
        for (int32_t k = 0; k < n->c; k++)
            inner[k] = walk(c, bytecode->graph->arguments[n->b + k], args);
        return call(c, n->a, inner);
    }
    default: {
        int operands = ode_operands(n->op);
        double a = walk(c, n->a, args);
        double b = operands > 1 ? walk(c, n->b, args) : 0;
        return gt_lang_apply(n->op, a, b, 0);
    }
    }
}

static double call(call_frame *c, int32_t function, const double *args)
{
    if (c->depth >= GT_ODE_MAX_DEPTH || ++c->calls > GT_ODE_MAX_CALLS) return NAN;
    c->depth++;
    double value = walk(c, c->f->bytecode->graph->functions[function].body, args);
    c->depth--;
    return value;
}

static void run_call(ode_frame *f, const ode_instruction *n)
{
    int32_t count = n->to.lane ? f->lanes : 1;
    for (int32_t l = 0; l < count; l++) {
        double args[ODE_MAX_ARGS];
        for (int32_t k = 0; k < n->step; k++) {
            int32_t r = f->bytecode->call_registers[n->inner + k];
            args[k] = f->regs[r / 2 + (r % 2 ? l : 0)];
        }
        call_frame c = {.f = f};
        f->regs[n->to.at + l] = call(&c, n->first, args);
    }
}

/* ---- instructions ---- */

static void run_leaf(ode_frame *f, const ode_instruction *n)
{
    double *to = f->regs + n->to.at;
    int32_t count = n->to.lane ? f->lanes : 1;
    int64_t at = n->first + (int64_t)n->step * f->j + (int64_t)n->inner * f->i;
    const double *from = n->op == N_STATE ? f->x : f->p;
    switch (n->op) {
    case N_CONST:
        *to = n->value;
        break;
    case N_TIME:
        *to = f->t;
        break;
    case N_I:
        *to = f->i;
        break;
    case N_J:
        for (int32_t l = 0; l < count; l++) to[l] = f->j + l;
        break;
    default:
        for (int32_t l = 0; l < count; l++, at += n->step) to[l] = from[at];
        break;
    }
}

static void run_table(ode_frame *f, const ode_instruction *n)
{
    const ode_table *t = &f->bytecode->tables[n->first];
    int32_t count = n->to.lane ? f->lanes : 1;
    for (int32_t l = 0; l < count; l++) {
        double a = f->regs[n->a.at + n->a.lane * l];
        f->regs[n->to.at + l] = n->op == N_TABLE
                                    ? gt_ode_table(f->p + t->slot, t->n, t->lo, t->hi, a)
                                    : gt_ode_table_slope(f->p + t->slot, t->n, t->lo, t->hi, a);
    }
}

static void run_held(ode_frame *f, const ode_instruction *n)
{
    int32_t count = n->to.lane ? f->lanes : 1;
    int64_t at = n->first + (int64_t)n->step * f->j + (int64_t)n->inner * f->i;
    for (int32_t l = 0; l < count; l++, at += n->step) {
        int side = f->sides[at];
        f->regs[n->to.at + l] = !side                  ? f->regs[n->a.at + n->a.lane * l]
                                : n->op == N_HELD_SIGN ? side
                                                       : side > 0;
    }
}

static void run_store(ode_frame *f, const ode_instruction *n)
{
    int32_t count = n->step || n->a.lane ? f->lanes : 1;
    int64_t at = n->first + (int64_t)n->step * f->j + (int64_t)n->inner * f->i;
    const double *a = f->regs + n->a.at;
    for (int32_t l = 0; l < count; l++, at += n->step) {
        double *to = &f->out[f->place ? f->place[at] : at];
        if (n->op == I_ADD_TO)
            *to += a[n->a.lane * l];
        else
            *to = a[n->a.lane * l];
    }
}

static void run_sum(ode_frame *f, const ode_instruction *n, int32_t body)
{
    double *to = f->regs + n->to.at;
    int32_t count = n->to.lane ? f->lanes : 1, outer = f->i;
    for (int32_t l = 0; l < count; l++) to[l] = 0;
    for (f->i = n->first; f->i <= n->step; f->i++) {
        run(f, body, n->end);
        for (int32_t l = 0; l < count; l++) to[l] += f->regs[n->a.at + n->a.lane * l];
    }
    f->i = outer;
}

static void run_loop(ode_frame *f, const ode_instruction *n, int32_t body)
{
    if (n->op == I_LOOP_I) {
        int32_t outer = f->i;
        for (f->i = n->first; f->i <= n->step; f->i++) run(f, body, n->end);
        f->i = outer;
    } else if (f->one_j) {
        f->lanes = 1;
        run(f, body, n->end);
    } else {
        for (int32_t j = n->first; j <= n->step; j += LANES) {
            f->j = j;
            f->lanes = n->step - j + 1 < LANES ? n->step - j + 1 : LANES;
            run(f, body, n->end);
        }
        f->lanes = 1;
    }
}

static void run_operation(ode_frame *f, const ode_instruction *n)
{
    double *to = f->regs + n->to.at;
    const double *a = f->regs + n->a.at, *b = f->regs + n->b.at, *c = f->regs + n->c.at;
    int32_t count = n->to.lane ? f->lanes : 1, u = n->a.lane, v = n->b.lane, w = n->c.lane;
    switch (n->op) {
    case N_NEG:
        for (int32_t l = 0; l < count; l++) to[l] = -a[u * l];
        break;
    case N_ADD:
        for (int32_t l = 0; l < count; l++) to[l] = a[u * l] + b[v * l];
        break;
    case N_SUB:
        for (int32_t l = 0; l < count; l++) to[l] = a[u * l] - b[v * l];
        break;
    case N_MUL:
        for (int32_t l = 0; l < count; l++) to[l] = a[u * l] * b[v * l];
        break;
    case N_DIV:
        for (int32_t l = 0; l < count; l++) to[l] = a[u * l] / b[v * l];
        break;
    default:
        for (int32_t l = 0; l < count; l++)
            to[l] = gt_lang_apply(n->op, a[u * l], b[v * l], c[w * l]);
        break;
    }
}

static void run(ode_frame *f, int32_t from, int32_t to)
{
    for (int32_t k = from; k < to;) {
        const ode_instruction *n = &f->c->list[k++];
        switch (n->op) {
        case N_CONST:
        case N_TIME:
        case N_J:
        case N_I:
        case N_STATE:
        case N_PARAM:
            run_leaf(f, n);
            break;
        case N_TABLE:
        case N_SLOPE:
            run_table(f, n);
            break;
        case N_CALL:
            run_call(f, n);
            break;
        case N_HELD:
        case N_HELD_SIGN:
            run_held(f, n);
            break;
        case I_STORE:
        case I_ADD_TO:
            run_store(f, n);
            break;
        case I_SUM:
            run_sum(f, n, k);
            k = n->end;
            break;
        case I_LOOP_J:
        case I_LOOP_I:
            run_loop(f, n, k);
            k = n->end;
            break;
        default:
            run_operation(f, n);
            break;
        }
    }
}

void gt_lang_run(ode_frame *f) { run(f, 0, f->c->count); }

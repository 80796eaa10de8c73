/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program becomes a list of instructions on registers; in a loop over j a register holds LANES
 * values of j at once, so that the cost of looking at an instruction is shared by all of them.
 */
#include "lang/bytecode/bytecode.h"
#include <assert.h>

typedef struct translator {
    ode_bytecode *bytecode;
    ode_instructions *c;
    ode_reg *where; /* of each node; at = -1: not there */
    int32_t *live;  /* nodes in registers, newest last */
    int32_t n_live, room_live;
    bool in_j, hoist;
} translator;

static ode_instruction *emit(translator *t, ode_instruction made)
{
    gt_lang_grow(t->bytecode->work, (void **)&t->c->list, t->c->count, &t->c->room,
                 sizeof *t->c->list, 4 * ODE_MAX_NODES, "instructions");
    t->c->list[t->c->count] = made;
    return &t->c->list[t->c->count++];
}

static ode_reg new_register(translator *t, int32_t node, bool lanes)
{
    if (t->c->registers > ODE_MAX_WORK)
        gt_lang_error(t->bytecode->work, -1, "the model needs too many registers");
    ode_reg r = {.at = t->c->registers, .lane = lanes};
    t->c->registers += lanes ? LANES : 1;
    if (node >= 0) {
        gt_lang_grow(t->bytecode->work, (void **)&t->live, t->n_live, &t->room_live,
                     sizeof *t->live, ODE_MAX_NODES, "registers");
        t->live[t->n_live++] = node;
        t->where[node] = r;
    }
    return r;
}

/* Does the value differ between lanes? */
static bool has_lanes(const translator *t, int32_t node)
{
    return t->in_j && (t->bytecode->graph->nodes[node].flags & DEP_J);
}

static ode_reg operand(translator *t, int32_t node)
{
    const ode_node *n = &t->bytecode->graph->nodes[node];
    if (t->where[node].at >= 0) return t->where[node];
    ode_instruction load = {
        .op = n->op, .first = n->a, .step = n->b, .inner = n->c, .value = n->value};
    if (t->hoist && t->bytecode->programs->hoisted[node] >= 0 &&
        gt_lang_is_hoistable(t->bytecode->graph, node))
        load = (ode_instruction){.op = N_PARAM, .first = t->bytecode->programs->hoisted[node]};
    assert(!ode_operands(load.op) && load.op != N_CALL); /* what is computed has its register */
    load.to = new_register(t, node, has_lanes(t, node));
    emit(t, load);
    return load.to;
}

static void compute(translator *t, int32_t node)
{
    ode_node n = t->bytecode->graph->nodes[node];
    int operands = ode_operands(n.op);
    ode_instruction made = {.op = n.op, .first = n.b, .step = n.c};
    if (n.op == N_HELD || n.op == N_HELD_SIGN) made.inner = (int32_t)n.value;
    if (n.op == N_CALL) {
        made.first = n.a;
        made.inner = t->bytecode->n_call_registers;
        made.step = n.c;
        for (int32_t k = 0; k < n.c; k++) {
            ode_reg r = operand(t, t->bytecode->graph->arguments[n.b + k]);
            *ODE_PUSH(t->bytecode, call_registers, ODE_MAX_NODES, "arguments of calls") =
                r.at * 2 + r.lane;
        }
    } else {
        made.a = operand(t, n.a);
        if (operands > 1) made.b = operand(t, n.b);
        if (operands > 2) made.c = operand(t, n.c);
    }
    made.to = new_register(t, node, has_lanes(t, node));
    emit(t, made);
}

static void forget(translator *t, int32_t n_live)
{
    while (t->n_live > n_live) t->where[t->live[--t->n_live]].at = -1;
}

/* Steps from `at` up to the end of the loop they are in; returns the place behind it. */
static int32_t translate(translator *t, const ode_program *p, int32_t at)
{
    for (; at < p->n_steps; at++) {
        const ode_step *s = &p->steps[at];
        switch (s->kind) {
        case STEP_NODE:
            compute(t, s->index);
            break;
        case STEP_LOAD: {
            ode_instruction load = {.op = N_PARAM, .first = s->lo, .step = 1};
            load.to = new_register(t, s->index, true);
            emit(t, load);
            break;
        }
        case STEP_STORE: {
            const ode_output *out = &p->outputs.list[s->index];
            ode_reg a = operand(t, out->node);
            emit(t, (ode_instruction){.op = out->add ? I_ADD_TO : I_STORE,
                                      .a = a,
                                      .first = out->first,
                                      .step = out->loop ? out->step : 0,
                                      .inner = out->inner_loop ? out->inner : 0});
            break;
        }
        case STEP_CLOSE:
            return at + 1;
        case STEP_SUM:
        case STEP_LOOP_J:
        case STEP_LOOP_I: {
            int32_t op = s->kind == STEP_SUM ? I_SUM : s->kind == STEP_LOOP_J ? I_LOOP_J : I_LOOP_I;
            int32_t place = t->c->count,
                    body = s->kind == STEP_SUM ? t->bytecode->graph->nodes[s->index].a : -1;
            bool lanes = body >= 0 && has_lanes(t, s->index);
            ode_reg to = body >= 0 ? new_register(t, s->index, lanes) : (ode_reg){0};
            emit(t, (ode_instruction){.op = op, .to = to, .first = s->lo, .step = s->hi});
            if (s->kind == STEP_LOOP_J) t->in_j = true;
            int32_t live = t->n_live;
            int32_t next = translate(t, p, at + 1);
            if (body >= 0) t->c->list[place].a = operand(t, body);
            t->c->list[place].end = t->c->count;
            forget(t, live);
            if (s->kind == STEP_LOOP_J) t->in_j = false;
            at = next - 1;
            break;
        }
        }
    }
    return at;
}

static void translate_program(ode_bytecode *bytecode, ode_reg *where, const ode_program *p,
                              ode_instructions *c, bool hoist)
{
    translator t = {.bytecode = bytecode, .c = c, .where = where, .hoist = hoist};
    translate(&t, p, 0);
    forget(&t, 0);
    if (c->registers > bytecode->registers) bytecode->registers = c->registers;
}

void gt_lang_make_bytecode(ode_bytecode *bytecode)
{
    const ode_programs *programs = bytecode->programs;
    const ode_equations *eq = programs->eq;
    int32_t n_nodes = bytecode->graph->n_nodes;
    ode_reg *where = gt_lang_take(bytecode->work, (size_t)n_nodes + 1, sizeof *where);
    for (int32_t k = 0; k < n_nodes; k++) where[k].at = -1;
    for (int k = 0; k < P_COUNT; k++)
        translate_program(bytecode, where, &programs->programs[k], &bytecode->code[k],
                          k != P_SETUP);
    bytecode->actions =
        gt_lang_take(bytecode->work, (size_t)eq->n_events + 1, sizeof *bytecode->actions);
    for (int32_t e = 0; e < eq->n_events; e++) {
        int32_t count = eq->events[e].n_actions;
        bytecode->actions[e] =
            gt_lang_take(bytecode->work, (size_t)count + 1, sizeof **bytecode->actions);
        for (int32_t k = 0; k < count; k++)
            translate_program(bytecode, where, &programs->actions[e][k], &bytecode->actions[e][k],
                              true);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interpreter. A program becomes a list of instructions on registers; in a loop over j a register holds LANES
 * values of j at once, so that the cost of looking at an instruction is shared by all of them. Operations and their
 * order are those of the generated C, so both give the same bits.
 */
#include "lang/interpret.h"
#include <math.h>
#include <string.h>

enum { LANES = 64 };

/* Instructions beyond the operations of the graph. */
enum { I_STORE = N_COUNT, I_ADD_TO, I_LOOP_J, I_LOOP_I, I_SUM };

/* A register: its place, and 1 when each lane has its own value. */
typedef struct reg {
    int32_t at, lane;
} reg;

typedef struct instruction {
    int32_t op;
    reg to, a, b, c;
    int32_t first, step,
        inner;   /* loads and stores: first + step j + inner i; loops: lo, hi; calls: function, arguments */
    int32_t end; /* loops and sums: behind the body */
    double value;
} instruction;

typedef struct code {
    instruction *list;
    int32_t count, room;
    int32_t registers; /* doubles */
    ode_target target;
} code;

struct ode_machine {
    const gt_ode *o;
    code programs[P_COUNT];
    code **actions; /* [event][action] */
    int32_t registers;
};

/* ---- translation ---- */

typedef struct translator {
    gt_ode *o;
    code *c;
    reg *where;    /* of each node; at = -1: not there */
    int32_t *live; /* nodes in registers, newest last */
    int32_t n_live, room_live;
    bool in_j, hoist;
} translator;

static instruction *emit(translator *t, instruction made)
{
    gt_lang_grow(t->o, (void **)&t->c->list, t->c->count, &t->c->room, sizeof *t->c->list, 4 * ODE_MAX_NODES,
                 "instructions");
    t->c->list[t->c->count] = made;
    return &t->c->list[t->c->count++];
}

static reg new_register(translator *t, int32_t node, bool lanes)
{
    if (t->c->registers > ODE_MAX_WORK) gt_lang_error(t->o, -1, "the model needs too many registers");
    reg r = {.at = t->c->registers, .lane = lanes};
    t->c->registers += lanes ? LANES : 1;
    if (node >= 0) {
        gt_lang_grow(t->o, (void **)&t->live, t->n_live, &t->room_live, sizeof *t->live, ODE_MAX_NODES, "registers");
        t->live[t->n_live++] = node;
        t->where[node] = r;
    }
    return r;
}

/* Does the value differ between lanes? */
static bool has_lanes(const translator *t, int32_t node) { return t->in_j && (t->o->nodes[node].flags & DEP_J); }

static reg operand(translator *t, int32_t node)
{
    const ode_node *n = &t->o->nodes[node];
    if (t->where[node].at >= 0) return t->where[node];
    instruction load = {.op = n->op, .first = n->a, .step = n->b, .inner = n->c, .value = n->value};
    if (t->hoist && t->o->hoisted[node] >= 0 && gt_lang_is_hoistable(t->o, node))
        load = (instruction){.op = N_PARAM, .first = t->o->hoisted[node]};
    load.to = new_register(t, node, has_lanes(t, node));
    emit(t, load);
    return load.to;
}

static void compute(translator *t, int32_t node)
{
    ode_node n = t->o->nodes[node];
    int operands = gt_lang_operands(n.op);
    instruction made = {.op = n.op, .first = n.b, .step = n.c};
    if (n.op == N_CALL) {
        made.first = n.a;
        made.inner = t->o->n_call_registers;
        made.step = n.c;
        for (int32_t k = 0; k < n.c; k++) {
            reg r = operand(t, t->o->arguments[n.b + k]);
            *ODE_PUSH(t->o, call_registers, ODE_MAX_NODES, "arguments of calls") = r.at * 2 + r.lane;
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
            instruction load = {.op = N_PARAM, .first = s->lo, .step = 1};
            load.to = new_register(t, s->index, true);
            emit(t, load);
            break;
        }
        case STEP_STORE: {
            const ode_output *out = &p->outputs[s->index];
            reg a = operand(t, out->node);
            emit(t, (instruction){.op = out->add ? I_ADD_TO : I_STORE,
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
            int32_t place = t->c->count, body = s->kind == STEP_SUM ? t->o->nodes[s->index].a : -1;
            bool lanes = body >= 0 && has_lanes(t, s->index);
            reg to = body >= 0 ? new_register(t, s->index, lanes) : (reg){0};
            emit(t, (instruction){.op = op, .to = to, .first = s->lo, .step = s->hi});
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

static void translate_program(gt_ode *o, reg *where, const ode_program *p, code *c, bool hoist, bool one_j)
{
    translator t = {.o = o, .c = c, .where = where, .hoist = hoist};
    c->target = p->target;
    if (one_j) { /* an action of an event: its loop runs for the one j that fired */
        ode_program copy = *p;
        translate(&t, &copy, 0);
    } else {
        translate(&t, p, 0);
    }
    forget(&t, 0);
}

void gt_lang_make_machine(gt_ode *o)
{
    ode_machine *m = gt_lang_take(o, 1, sizeof *m);
    reg *where = gt_lang_take(o, (size_t)o->n_nodes + 1, sizeof *where);
    for (int32_t k = 0; k < o->n_nodes; k++) where[k].at = -1;
    m->o = o;
    for (int k = 0; k < P_COUNT; k++) {
        translate_program(o, where, &o->programs[k], &m->programs[k], k != P_SETUP, false);
        if (m->programs[k].registers > m->registers) m->registers = m->programs[k].registers;
    }
    m->actions = gt_lang_take(o, (size_t)o->n_events + 1, sizeof *m->actions);
    for (int32_t e = 0; e < o->n_events; e++) {
        m->actions[e] = gt_lang_take(o, (size_t)o->events[e].n_actions + 1, sizeof **m->actions);
        for (int32_t k = 0; k < o->events[e].n_actions; k++) {
            translate_program(o, where, &o->events[e].actions[k].program, &m->actions[e][k], true, true);
            if (m->actions[e][k].registers > m->registers) m->registers = m->actions[e][k].registers;
        }
    }
    o->machines = m;
}

/* ---- execution ---- */

typedef struct frame {
    const gt_ode *o;
    const code *c;
    double t;
    const double *x, *p;
    double *out, *regs;
    const int *place; /* not NULL: out is reached through it */
    int32_t j, lanes, i;
    bool one_j; /* loops over j run for this j only */
} frame;

static void run(frame *f, int32_t from, int32_t to);

/* ---- recursive functions: a walk over the graph that looks only where `if` leads ---- */

typedef struct call_frame {
    const frame *f;
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
    const gt_ode *o = c->f->o;
    const ode_node *n = &o->nodes[node];
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
        const ode_table *t = &o->tables[n->b];
        return gt_ode_table(c->f->p + t->slot, t->n, t->lo, t->hi, walk(c, n->a, args));
    }
    case N_SLOPE: {
        const ode_table *t = &o->tables[n->b];
        return gt_ode_table_slope(c->f->p + t->slot, t->n, t->lo, t->hi, walk(c, n->a, args));
    }
    case N_CALL: {
        double inner[ODE_MAX_ARGS];
        for (int32_t k = 0; k < n->c; k++) inner[k] = walk(c, o->arguments[n->b + k], args);
        return call(c, n->a, inner);
    }
    default: {
        int operands = gt_lang_operands(n->op);
        double a = walk(c, n->a, args), b = operands > 1 ? walk(c, n->b, args) : 0;
        return gt_lang_apply(n->op, a, b, 0);
    }
    }
}

static double call(call_frame *c, int32_t function, const double *args)
{
    if (c->depth >= GT_ODE_MAX_DEPTH || ++c->calls > GT_ODE_MAX_CALLS) return NAN;
    c->depth++;
    double value = walk(c, c->f->o->functions[function].body, args);
    c->depth--;
    return value;
}

static void run_call(frame *f, const instruction *n)
{
    int32_t count = n->to.lane ? f->lanes : 1;
    for (int32_t l = 0; l < count; l++) {
        double args[ODE_MAX_ARGS];
        for (int32_t k = 0; k < n->step; k++) {
            int32_t r = f->o->call_registers[n->inner + k];
            args[k] = f->regs[r / 2 + (r % 2 ? l : 0)];
        }
        call_frame c = {.f = f};
        f->regs[n->to.at + l] = call(&c, n->first, args);
    }
}

/* ---- instructions ---- */

static void run_leaf(frame *f, const instruction *n)
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

static void run_table(frame *f, const instruction *n)
{
    const ode_table *t = &f->o->tables[n->first];
    int32_t count = n->to.lane ? f->lanes : 1;
    for (int32_t l = 0; l < count; l++) {
        double a = f->regs[n->a.at + n->a.lane * l];
        f->regs[n->to.at + l] = n->op == N_TABLE ? gt_ode_table(f->p + t->slot, t->n, t->lo, t->hi, a)
                                                 : gt_ode_table_slope(f->p + t->slot, t->n, t->lo, t->hi, a);
    }
}

static void run_store(frame *f, const instruction *n)
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

static void run_sum(frame *f, const instruction *n, int32_t body)
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

static void run_loop(frame *f, const instruction *n, int32_t body)
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

static void run_operation(frame *f, const instruction *n)
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
        for (int32_t l = 0; l < count; l++) to[l] = gt_lang_apply(n->op, a[u * l], b[v * l], c[w * l]);
        break;
    }
}

static void run(frame *f, int32_t from, int32_t to)
{
    for (int32_t k = from; k < to;) {
        const instruction *n = &f->c->list[k++];
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

/* ---- the functions of a problem ---- */

static const ode_machine *machine_of(const gt_ode_ctx *c) { return c->code->machine; }

static void run_program(gt_ode_ctx *c, ode_program_kind kind, double t, const double *x, double *out, const int *place)
{
    const ode_machine *m = machine_of(c);
    frame f = {.o = m->o,
               .c = &m->programs[kind],
               .t = t,
               .x = x,
               .p = c->p,
               .out = out,
               .regs = c->scratch,
               .place = place,
               .lanes = 1};
    run(&f, 0, f.c->count);
}

static void setup(gt_ode_ctx *c) { run_program(c, P_SETUP, c->code->t0, NULL, c->p, NULL); }
static void start(gt_ode_ctx *c, double *x0) { run_program(c, P_START, c->code->t0, NULL, x0, NULL); }

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    run_program(ctx, P_RHS, t, x, dx, NULL);
    return GT_OK;
}

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    run_program(ctx, P_SLOW, t, x, dx, NULL);
    return GT_OK;
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    run_program(ctx, P_FAST, t, x, dx, NULL);
    return GT_OK;
}

static gt_status rhs_alg(double t, const double *x, double *dx, void *ctx)
{
    run_program(ctx, P_ALG, t, x, dx, NULL);
    return GT_OK;
}

static void jac(double t, const double *x, double *values, gt_ode_ctx *c)
{
    run_program(c, P_JAC, t, x, values, c->code->dense ? NULL : c->place);
}

static void root(double t, const double *x, double *g, gt_ode_ctx *c) { run_program(c, P_ROOTS, t, x, g, NULL); }
static void auxiliary(double t, const double *x, double *out, gt_ode_ctx *c) { run_program(c, P_AUX, t, x, out, NULL); }
static void exact(double t, double *x, gt_ode_ctx *c) { run_program(c, P_EXACT, t, NULL, x, NULL); }

static void invariants(double t, const double *x, double *out, gt_ode_ctx *c)
{
    run_program(c, P_INVARIANTS, t, x, out, NULL);
}

static unsigned event(int number, double t, double *x, double *p_new, gt_ode_ctx *c)
{
    const ode_machine *m = machine_of(c);
    int32_t e = 0;
    unsigned actions = 0;
    while (e + 1 < m->o->n_events && m->o->events[e + 1].root <= number) e++;
    const ode_event *what = &m->o->events[e];
    int32_t j = what->lo + number - what->root;
    for (int32_t k = 0; k < what->n_actions; k++) {
        const ode_action *act = &what->actions[k];
        double value = 0;
        frame f = {.o = m->o,
                   .c = &m->actions[e][k],
                   .t = t,
                   .x = x,
                   .p = c->p,
                   .out = &value,
                   .regs = c->scratch,
                   .lanes = 1,
                   .j = j,
                   .one_j = true};
        run(&f, 0, f.c->count);
        if (act->what == A_STATE) x[act->first + act->step * j] = value;
        if (act->what == A_PARAM) p_new[act->first + act->step * j] = value;
        if (act->what == A_STOP && value != 0) actions |= GT_EVENT_STOP;
        if (act->what == A_OUTPUT && value > 0) actions |= GT_EVENT_OUTPUT;
    }
    return actions;
}

void gt_lang_interpreted(const gt_ode *o, gt_ode_code *code_)
{
    bool split = o->n_fast || o->n_alg;
    code_->machine = o->machines;
    code_->scratch = (size_t)o->machines->registers + 1;
    code_->setup = setup;
    code_->start = start;
    code_->rhs = rhs;
    code_->rhs_slow = split && o->n_slow ? rhs_slow : NULL;
    code_->rhs_fast = o->n_fast ? rhs_fast : NULL;
    code_->rhs_alg = o->n_alg ? rhs_alg : NULL;
    code_->jac = o->has_jac ? jac : NULL;
    code_->root = o->n_roots ? root : NULL;
    code_->event = event;
    code_->auxiliary = o->n_aux ? auxiliary : NULL;
    code_->invariants = o->n_invariants ? invariants : NULL;
    code_->exact = o->programs[P_EXACT].n_outputs ? exact : NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of a problem as the interpreter runs them. */
#include "lang/bytecode/bytecode.h"
#include <assert.h>
#include <stdlib.h>

static const ode_bytecode *bytecode_of(const gt_ode_ctx *c)
{
    const ode_interpreter *interpreter = (const void *)c->code;
    return &interpreter->bytecode;
}

static void run_program(gt_ode_ctx *c, int kind, double t, const double *x, double *out,
                        const int *place)
{
    const ode_bytecode *m = bytecode_of(c);
    ode_frame f = {.bytecode = m,
                   .c = &m->code[kind],
                   .t = t,
                   .x = x,
                   .p = c->p,
                   .sides = c->sides,
                   .out = out,
                   .regs = c->scratch,
                   .place = place,
                   .lanes = 1};
    gt_lang_run(&f);
}

static void setup(gt_ode_ctx *c) { run_program(c, P_SETUP, c->code->t0, NULL, c->p, NULL); }
/* Where a problem begins, it also learns when to ask for compiled code. */
static void start(gt_ode_ctx *c, double *x0)
{
    const struct gt_ode_later *later = c->code->later;
    c->done = 0;
    c->due = later && later->find ? later->first : 0;
    c->native = false;
    run_program(c, P_START, c->code->t0, NULL, x0, NULL);
}

/* The tables of both codes lie alike, since both were made from the same programs; so the context
 * serves both. */
static void ask_for_native(gt_ode_ctx *c)
{
    const struct gt_ode_later *later = c->code->later;
    double next = 0;
    const gt_model *model = later->find(c->done, &next, later->ctx);
    c->due = next > c->done ? next : 0;
    if (!model) return;
    assert(model->data);
    c->code = model->data;
    c->native = true;
}

/* Counts operations that are about to be done; true: compiled code is there to do them. */
static inline bool is_native(gt_ode_ctx *c, double operations)
{
    if (c->native) return true;
    c->done += operations;
    if (c->due > 0 && c->done >= c->due) ask_for_native(c);
    return c->native;
}

/* Problems keep these functions when compiled code has taken over, so they pass calls on to it. */
#define RIGHT_SIDE(name, kind, part)                                                               \
    static gt_status name(double t, const double *x, double *dx, void *ctx)                        \
    {                                                                                              \
        gt_ode_ctx *c = ctx;                                                                       \
        if (is_native(c, c->code->work.part)) return c->code->name(t, x, dx, ctx);                 \
        run_program(c, c->holding ? ode_held(kind) : kind, t, x, dx, NULL);                        \
        return GT_OK;                                                                              \
    }
RIGHT_SIDE(rhs, P_RHS, full)
RIGHT_SIDE(rhs_slow, P_SLOW, slow)
RIGHT_SIDE(rhs_fast, P_FAST, fast)
RIGHT_SIDE(rhs_alg, P_ALG, alg)

#define RATE(k)                                                                                    \
    static gt_status rate_##k(double t, const double *x, double *dx, void *ctx)                    \
    {                                                                                              \
        gt_ode_ctx *c = ctx;                                                                       \
        if (is_native(c, c->code->work.fast)) return c->code->rhs_rates[k](t, x, dx, ctx);         \
        run_program(c, c->holding ? ode_held(P_RATES + k) : P_RATES + k, t, x, dx, NULL);          \
        return GT_OK;                                                                              \
    }
RATE(0)
RATE(1)
RATE(2)
RATE(3)
RATE(4)
RATE(5)
static gt_rhs_fn *const rhs_rates[ODE_MAX_RATES] = {rate_0, rate_1, rate_2, rate_3, rate_4, rate_5};

static gt_status rhs_t(double t, const double *x, double *f_t, void *ctx)
{
    gt_ode_ctx *c = ctx;
    if (is_native(c, c->code->work.full)) return c->code->rhs_t(t, x, f_t, ctx);
    run_program(ctx, P_TIME, t, x, f_t, NULL);
    return GT_OK;
}

#define JACOBIAN(name, kind)                                                                       \
    static void name(double t, const double *x, double *values, gt_ode_ctx *c)                     \
    {                                                                                              \
        run_program(c, kind, t, x, values, c->code->dense ? NULL : c->place);                      \
    }
static void jac(double t, const double *x, double *values, gt_ode_ctx *c)
{
    c->done += c->code->work.jac; /* asked for at the next call of f */
    run_program(c, P_JAC, t, x, values, c->code->dense ? NULL : c->place);
}
JACOBIAN(jac_0, P_BLOCKS)
JACOBIAN(jac_1, P_BLOCKS + 1)
JACOBIAN(jac_2, P_BLOCKS + 2)
JACOBIAN(jac_3, P_BLOCKS + 3)
JACOBIAN(jac_4, P_BLOCKS + 4)
JACOBIAN(jac_5, P_BLOCKS + 5)
JACOBIAN(jac_6, P_BLOCKS + 6)
JACOBIAN(jac_7, P_BLOCKS + 7)
JACOBIAN(jac_8, P_BLOCKS + 8)
static gt_ode_jac_fn *const jac_blocks[3][3] = {
    {jac_0, jac_1, jac_2}, {jac_3, jac_4, jac_5}, {jac_6, jac_7, jac_8}};

static void root(double t, const double *x, double *g, gt_ode_ctx *c)
{
    run_program(c, P_ROOTS, t, x, g, NULL);
}
static void auxiliary(double t, const double *x, double *out, gt_ode_ctx *c)
{
    run_program(c, P_AUX, t, x, out, NULL);
}
static void exact(double t, double *x, gt_ode_ctx *c) { run_program(c, P_EXACT, t, NULL, x, NULL); }

static void switches(double t, const double *x, double *g, gt_ode_ctx *c)
{
    run_program(c, P_SWITCHES, t, x, g, NULL);
}
static void clocks(double t, double *out, gt_ode_ctx *c)
{
    run_program(c, P_CLOCKS, t, NULL, out, NULL);
}

static void invariants(double t, const double *x, double *out, gt_ode_ctx *c)
{
    run_program(c, P_INVARIANTS, t, x, out, NULL);
}

static unsigned event(int number, double t, double *x, double *p_new, gt_ode_ctx *c)
{
    const ode_bytecode *m = bytecode_of(c);
    int32_t e = 0;
    unsigned actions = 0;
    const ode_equations *eq = m->programs->eq;
    while (e + 1 < eq->n_events && eq->events[e + 1].root <= number) e++;
    const ode_event *what = &eq->events[e];
    int32_t j = what->lo + number - what->root;
    for (int32_t k = 0; k < what->n_actions; k++) {
        const ode_action *act = &what->actions[k];
        double value = 0;
        ode_frame f = {.bytecode = m,
                       .c = &m->actions[e][k],
                       .t = t,
                       .x = x,
                       .p = c->p,
                       .out = &value,
                       .regs = c->scratch,
                       .lanes = 1,
                       .j = j,
                       .one_j = true};
        gt_lang_run(&f);
        if (act->what == A_STATE) x[act->first + act->step * j] = value;
        if (act->what == A_PARAM) p_new[act->first + act->step * j] = value;
        if (act->what == A_STOP && value != 0) actions |= GT_EVENT_STOP;
        if (act->what == A_OUTPUT && value > 0) actions |= GT_EVENT_OUTPUT;
    }
    return actions;
}

static void set_functions(gt_ode_code *code_, const ode_bytecode *bytecode)
{
    const ode_equations *eq = bytecode->programs->eq;
    const ode_names *names = eq->names;
    code_->prepare = NULL;
    code_->scratch = (size_t)bytecode->registers + 1;
    code_->setup = setup;
    code_->start = start;
    code_->rhs = rhs;
    code_->rhs_slow = ode_is_split(names) && names->n_slow ? rhs_slow : NULL;
    code_->rhs_fast = names->n_fast ? rhs_fast : NULL;
    code_->rhs_alg = names->n_alg ? rhs_alg : NULL;
    code_->rhs_rates = names->n_rates ? rhs_rates : NULL;
    code_->rhs_t = eq->outputs[P_TIME].count ? rhs_t : NULL;
    code_->jac = eq->has_jac ? jac : NULL;
    code_->jac_blocks = eq->has_blocks ? jac_blocks : NULL;
    code_->root = eq->n_roots ? root : NULL;
    code_->event = event;
    code_->auxiliary = eq->n_aux ? auxiliary : NULL;
    code_->invariants = eq->n_invariants ? invariants : NULL;
    code_->exact = eq->outputs[P_EXACT].count ? exact : NULL;
    code_->switches = eq->n_switches ? switches : NULL;
    code_->clocks = eq->n_clocks ? clocks : NULL;
}

static bool has_bytecode(ode_interpreter *interpreter)
{
    jmp_buf escape;
    interpreter->work.escape = &escape;
    bool failed = setjmp(escape);
    if (!failed) gt_lang_make_bytecode(&interpreter->bytecode);
    interpreter->work.escape = NULL;
    return !failed;
}

enum { SMALL_BLOCK = 1 << 13 }; /* bytes: most models have few instructions */

ode_interpreter *gt_lang_make_interpreter(const ode_programs *programs, const gt_ode_code *code)
{
    ode_interpreter *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->code = *code;
    made->work.block = SMALL_BLOCK;
    made->bytecode = (ode_bytecode){.work = &made->work,
                                    .programs = programs,
                                    .graph = programs->graph,
                                    .tables = programs->eq->names->tables};
    if (!has_bytecode(made)) {
        gt_lang_free_interpreter(made);
        return NULL;
    }
    set_functions(&made->code, &made->bytecode);
    return made;
}

void gt_lang_free_interpreter(ode_interpreter *interpreter)
{
    if (!interpreter) return;
    gt_lang_free(&interpreter->work);
    free(interpreter);
}

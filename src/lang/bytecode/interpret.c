/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of a problem as the interpreter runs them. */
#include "lang/bytecode/bytecode.h"

static const ode_bytecode *bytecode_of(const gt_ode_ctx *c) { return c->code->bytecode; }

static void run_program(gt_ode_ctx *c, int kind, double t, const double *x, double *out, const int *place)
{
    const ode_bytecode *m = bytecode_of(c);
    ode_frame f = {.o = m->o,
                   .c = &m->programs[kind],
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
static void start(gt_ode_ctx *c, double *x0) { run_program(c, P_START, c->code->t0, NULL, x0, NULL); }

#define RIGHT_SIDE(name, kind)                                                                                         \
    static gt_status name(double t, const double *x, double *dx, void *ctx)                                            \
    {                                                                                                                  \
        gt_ode_ctx *c = ctx;                                                                                           \
        run_program(c, c->holding ? kind + P_HELD_RHS - P_RHS : kind, t, x, dx, NULL);                                 \
        return GT_OK;                                                                                                  \
    }
RIGHT_SIDE(rhs, P_RHS)
RIGHT_SIDE(rhs_slow, P_SLOW)
RIGHT_SIDE(rhs_fast, P_FAST)
RIGHT_SIDE(rhs_alg, P_ALG)

#define JACOBIAN(name, kind)                                                                                           \
    static void name(double t, const double *x, double *values, gt_ode_ctx *c)                                         \
    {                                                                                                                  \
        run_program(c, kind, t, x, values, c->code->dense ? NULL : c->place);                                          \
    }
JACOBIAN(jac, P_JAC)
JACOBIAN(jac_0, P_BLOCKS)
JACOBIAN(jac_1, P_BLOCKS + 1)
JACOBIAN(jac_2, P_BLOCKS + 2)
JACOBIAN(jac_3, P_BLOCKS + 3)
JACOBIAN(jac_4, P_BLOCKS + 4)
JACOBIAN(jac_5, P_BLOCKS + 5)
JACOBIAN(jac_6, P_BLOCKS + 6)
JACOBIAN(jac_7, P_BLOCKS + 7)
JACOBIAN(jac_8, P_BLOCKS + 8)
static gt_ode_jac_fn *const jac_blocks[3][3] = {{jac_0, jac_1, jac_2}, {jac_3, jac_4, jac_5}, {jac_6, jac_7, jac_8}};

static void root(double t, const double *x, double *g, gt_ode_ctx *c) { run_program(c, P_ROOTS, t, x, g, NULL); }
static void auxiliary(double t, const double *x, double *out, gt_ode_ctx *c) { run_program(c, P_AUX, t, x, out, NULL); }
static void exact(double t, double *x, gt_ode_ctx *c) { run_program(c, P_EXACT, t, NULL, x, NULL); }

static void switches(double t, const double *x, double *g, gt_ode_ctx *c) { run_program(c, P_SWITCHES, t, x, g, NULL); }
static void clocks(double t, double *out, gt_ode_ctx *c) { run_program(c, P_CLOCKS, t, NULL, out, NULL); }

static void invariants(double t, const double *x, double *out, gt_ode_ctx *c)
{
    run_program(c, P_INVARIANTS, t, x, out, NULL);
}

static unsigned event(int number, double t, double *x, double *p_new, gt_ode_ctx *c)
{
    const ode_bytecode *m = bytecode_of(c);
    int32_t e = 0;
    unsigned actions = 0;
    while (e + 1 < m->o->n_events && m->o->events[e + 1].root <= number) e++;
    const ode_event *what = &m->o->events[e];
    int32_t j = what->lo + number - what->root;
    for (int32_t k = 0; k < what->n_actions; k++) {
        const ode_action *act = &what->actions[k];
        double value = 0;
        ode_frame f = {.o = m->o,
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

void gt_lang_interpreted(const gt_ode *o, gt_ode_code *code_)
{
    bool split = o->n_fast || o->n_alg;
    code_->bytecode = o->bytecode;
    code_->scratch = (size_t)o->bytecode->registers + 1;
    code_->setup = setup;
    code_->start = start;
    code_->rhs = rhs;
    code_->rhs_slow = split && o->n_slow ? rhs_slow : NULL;
    code_->rhs_fast = o->n_fast ? rhs_fast : NULL;
    code_->rhs_alg = o->n_alg ? rhs_alg : NULL;
    code_->jac = o->has_jac ? jac : NULL;
    code_->jac_blocks = o->has_blocks ? jac_blocks : NULL;
    code_->root = o->n_roots ? root : NULL;
    code_->event = event;
    code_->auxiliary = o->n_aux ? auxiliary : NULL;
    code_->invariants = o->n_invariants ? invariants : NULL;
    code_->exact = o->programs[P_EXACT].n_outputs ? exact : NULL;
    code_->switches = o->n_switches ? switches : NULL;
    code_->clocks = o->code.n_clocks ? clocks : NULL;
}

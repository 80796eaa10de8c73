/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The programs of a file as C. The text consists of numbers, of names made of a prefix and a name
 * that has only letters, digits and underscores, of known functions, and of string literals in
 * which everything unusual is escaped. Array statements are loops, so its length does not depend on
 * how long they are.
 *
 *     x_NAME  state       p_NAME  parameter       n_NAME  named expression      w1 w2 ..  what is
 * used more than once
 */
#include "lang/emit/emit.h"

/* The chunks of a long program as functions. */
static void emit_chunks(ode_printer *q, const ode_program *p, const char *name)
{
    const char *apart = p->outputs.target == O_P ? "" : "restrict ";
    for (int32_t k = 0; k < p->n_chunks; k++) {
        gt_lang_put(q->text,
                    "static void %s_%d(double t, const double *%sx, const double *%sp, double "
                    "*%sout, const int *place%s)\n"
                    "{\n    (void)t, (void)x, (void)p, (void)place%s;\n",
                    name, (int)k + 1, apart, apart, apart,
                    q->programs->eq->n_switches ? ", const signed char *s" : "",
                    q->programs->eq->n_switches ? ", (void)s" : "");
        gt_lang_emit_body(q, &p->chunks[k], "out", false);
        gt_lang_put(q->text, "}\n\n");
    }
}

/* The body of a function: the program, or calls of its chunks. */
static void emit_whole(ode_printer *q, const ode_program *p, const char *name, const char *target)
{
    ode_target kind = p->outputs.target;
    const char *place = kind == O_PLACE ? "place" : "NULL", *sides = "";
    if (q->programs->eq->n_switches) sides = kind == O_P || kind == O_X0 ? ", NULL" : ", s";
    if (!p->n_chunks) gt_lang_emit_body(q, p, target, false);
    for (int32_t k = 0; k < p->n_chunks; k++)
        gt_lang_put(q->text, "    %s_%d(t, x, p, %s, %s%s);\n", name, (int)k + 1, target, place,
                    sides);
}

/* The sides of the switches, where a function of the file may ask for them. */
static void emit_sides(ode_printer *q)
{
    if (q->programs->eq->n_switches)
        gt_lang_put(q->text, "    const signed char *s = c->sides;\n    (void)s;\n");
}

/* `other`: the function for relations that are held. */
static void emit_one_rhs(ode_printer *q, int kind, const char *name, const char *other)
{
    const ode_program *p = &q->programs->programs[kind];
    emit_chunks(q, p, name);
    /* Inside the function for all others, the one for held relations would take its registers. */
    bool held = q->programs->eq->n_switches && !other;
    bool pieces = !held && gt_lang_emit_piece(q, p, name);
    gt_lang_put(q->text,
                "%sstatic gt_status %s(double t, const double *restrict x, double *restrict dx, "
                "void *ctx)\n{\n"
                "    const gt_ode_ctx *c = ctx;\n    const double *restrict p = c->p;\n"
                "    (void)t, (void)x, (void)p;\n",
                held ? "__attribute__((noinline, cold)) " : "", name);
    if (other) gt_lang_put(q->text, "    if (c->holding) return %s(t, x, dx, ctx);\n", other);
    if (pieces) {
        gt_lang_put(q->text, "    gt_ode_share(t, x, dx, c, %s_piece);\n", name);
    } else {
        emit_sides(q);
        emit_whole(q, p, name, "dx");
    }
    gt_lang_put(q->text, "    return GT_OK;\n}\n\n");
}

static void emit_rhs(ode_printer *q, ode_program_kind kind, const char *name)
{
    char held[24];
    snprintf(held, sizeof held, "%s_held", name);
    if (q->programs->eq->n_switches) emit_one_rhs(q, ode_held((int)kind), held, NULL);
    emit_one_rhs(q, (int)kind, name, q->programs->eq->n_switches ? held : NULL);
}

const char *gt_lang_block_name(int block)
{
    static const char *const names[] = {"jac_slow_slow", "jac_slow_fast", "jac_slow_alg",
                                        "jac_fast_slow", "jac_fast_fast", "jac_fast_alg",
                                        "jac_alg_slow",  "jac_alg_fast",  "jac_alg_alg"};
    return names[block];
}

/* `other`: the function for relations that are held. */
static void emit_one_jac(ode_printer *q, int kind, const char *name, const char *other)
{
    const ode_program *p = &q->programs->programs[kind];
    emit_chunks(q, p, name);
    gt_lang_put(
        q->text,
        "static void %s(double t, const double *restrict x, double *restrict values, gt_ode_ctx "
        "*c)\n"
        "{\n    const double *restrict p = c->p;\n    const int *restrict place = c->place;\n"
        "    (void)t, (void)x, (void)p, (void)place, (void)values;\n",
        name);
    if (other)
        gt_lang_put(q->text,
                    "    if (c->holding) {\n        %s(t, x, values, c);\n        return;\n    }\n",
                    other);
    emit_sides(q);
    emit_whole(q, p, name, "values");
    gt_lang_put(q->text, "}\n\n");
}

/* A long one is not written twice: a compiler takes long for it. */
static void emit_jac(ode_printer *q, int kind, const char *name)
{
    char held[32];
    bool twice = q->programs->eq->n_switches && !q->programs->programs[kind].n_chunks;
    snprintf(held, sizeof held, "%s_held", name);
    if (twice) emit_one_jac(q, kind, held, NULL);
    q->as_it_is = twice;
    emit_one_jac(q, kind, name, twice ? held : NULL);
    q->as_it_is = false;
}

static void emit_plain(ode_printer *q, ode_program_kind kind, const char *name, const char *head,
                       const char *target)
{
    emit_chunks(q, &q->programs->programs[kind], name);
    gt_lang_put(q->text,
                "%s\n{\n    const double *restrict p = c->p;\n    (void)t, (void)x, (void)p;\n",
                head);
    emit_sides(q);
    emit_whole(q, &q->programs->programs[kind], name, target);
    gt_lang_put(q->text, "}\n\n");
}

static void emit_setup(ode_printer *q)
{
    q->hoist = false;
    emit_chunks(q, &q->programs->programs[P_SETUP], "setup");
    gt_lang_put(q->text, "static void setup(gt_ode_ctx *c)\n{\n    double *p = c->p;\n    const "
                         "double *x = NULL, t = "
                         "c->code->t0;\n    (void)t, (void)x, (void)p;\n");
    emit_whole(q, &q->programs->programs[P_SETUP], "setup", "p");
    q->hoist = true;
    gt_lang_put(q->text, "}\n\n");
}

static void emit_event(ode_printer *q)
{
    gt_lang_put(
        q->text,
        "static unsigned event(int root, double t, double *x, double *p_new, gt_ode_ctx *c)\n{\n"
        "    const double *p = c->p;\n    unsigned actions = 0;\n"
        "    (void)t, (void)x, (void)p, (void)p_new;\n");
    for (int32_t e = 0; e < q->programs->eq->n_events; e++) {
        const ode_event *what = &q->programs->eq->events[e];
        gt_lang_put(q->text, "    if (root >= %d && root <= %d) {\n", (int)what->root,
                    (int)(what->root + what->hi - what->lo));
        q->indent = 2;
        if (what->loop)
            gt_lang_put(q->text, "        const long j = root + %d;\n        (void)j;\n",
                        (int)(what->lo - what->root));
        for (int32_t k = 0; k < what->n_actions; k++) {
            const ode_action *act = &what->actions[k];
            gt_lang_put(q->text, "        {\n            double value[1];\n");
            q->indent = 3;
            gt_lang_emit_body(q, &q->programs->actions[e][k], "value", true);
            gt_lang_emit_indent(q);
            if (act->what == A_STOP) {
                gt_lang_put(q->text, "if (value[0] != 0) actions |= GT_EVENT_STOP;\n");
            } else if (act->what == A_OUTPUT) {
                gt_lang_put(q->text, "if (value[0] > 0) actions |= GT_EVENT_OUTPUT;\n");
            } else {
                gt_lang_put(q->text, act->what == A_STATE ? "x[" : "p_new[");
                gt_lang_print_index(q, act->first, act->step, 0);
                gt_lang_put(q->text, "] = value[0];\n");
            }
            gt_lang_put(q->text, "        }\n");
        }
        gt_lang_put(q->text, "    }\n");
    }
    q->indent = 1;
    gt_lang_put(q->text, "    return actions;\n}\n\n");
}

/* ---- the file ---- */

static void emit_file(ode_printer *q, const gt_model *model, const char *symbol)
{
    const ode_names *names = q->names;
    const ode_equations *eq = q->programs->eq;
    const ode_program *programs = q->programs->programs;
    q->indent = 1;
    q->hoist = true;
    gt_lang_put(q->text, "/* Made by geartrain from a model file. */\n#include "
                         "<geartrain/author/ode_runtime.h>\n\n");
    gt_lang_emit_functions(q);
    emit_setup(q);
    emit_chunks(q, &programs[P_START], "start");
    gt_lang_put(q->text, "static void start(gt_ode_ctx *c, double *x0)\n{\n    const double *p = "
                         "c->p, t = c->code->t0;\n"
                         "    const double *x = NULL;\n    (void)p, (void)t, (void)x, (void)x0;\n");
    emit_whole(q, &programs[P_START], "start", "x0");
    gt_lang_put(q->text, "}\n\n");
    emit_rhs(q, P_RHS, "rhs");
    if (ode_is_split(names) && names->n_slow) emit_rhs(q, P_SLOW, "rhs_slow");
    if (names->n_fast) emit_rhs(q, P_FAST, "rhs_fast");
    for (int k = 0; k < names->n_rates; k++) {
        char name[16];
        snprintf(name, sizeof name, "rate_%d", k + 1);
        emit_rhs(q, P_RATES + (unsigned)k, name);
    }
    if (names->n_alg) emit_rhs(q, P_ALG, "rhs_alg");
    if (programs[P_TIME].outputs.count) emit_one_rhs(q, P_TIME, "rhs_t", NULL);
    if (eq->has_jac) {
        emit_jac(q, P_JAC, "jac");
        for (int k = P_BLOCKS; k < P_RATES; k++)
            if (programs[k].outputs.count) emit_jac(q, k, gt_lang_block_name(k - P_BLOCKS));
    }
    if (eq->n_roots) {
        emit_plain(q, P_ROOTS, "root",
                   "static void root(double t, const double *x, double *g, gt_ode_ctx *c)", "g");
        emit_event(q);
    }
    if (eq->n_aux)
        emit_plain(q, P_AUX, "auxiliary",
                   "static void auxiliary(double t, const double *x, double *out, gt_ode_ctx *c)",
                   "out");
    if (eq->n_invariants)
        emit_plain(q, P_INVARIANTS, "invariants",
                   "static void invariants(double t, const double *x, double *out, gt_ode_ctx *c)",
                   "out");
    if (programs[P_EXACT].outputs.count)
        emit_plain(q, P_EXACT, "exact", "static void exact(double t, double *x, gt_ode_ctx *c)",
                   "x");
    if (eq->n_switches)
        emit_plain(q, P_SWITCHES, "switches",
                   "static void switches(double t, const double *x, double *g, gt_ode_ctx *c)",
                   "g");
    if (eq->n_clocks)
        emit_plain(q, P_CLOCKS, "clocks", "static void clocks(double t, double *x, gt_ode_ctx *c)",
                   "x");
    gt_lang_emit_tables(q, model, symbol);
}

bool gt_lang_emit(const ode_programs *programs, const gt_model *model, const char *symbol,
                  ode_text *text, bool *too_large)
{
    ode_printer q;
    const gt_ode_code *code = model->data;
    bool ready = gt_lang_printer_init(&q, programs, code->states, text, STYLE_C);
    if (ready) emit_file(&q, model, symbol);
    gt_lang_printer_free(&q);
    *too_large = q.too_large;
    return ready && !text->failed;
}

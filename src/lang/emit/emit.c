/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The programs of a file as C. The text consists of numbers, of names made of a prefix and a name that has only
 * letters, digits and underscores, of known functions, and of string literals in which everything unusual is escaped.
 * Array statements are loops, so its length does not depend on how long they are.
 *
 *     x_NAME  state       p_NAME  parameter       n_NAME  named expression      w1 w2 ..  what is used more than once
 */
#include "lang/emit/emit.h"
#include <stdlib.h>

static void line(ode_printer *q) { gt_lang_put(q->text, "%*s", 4 * q->indent, ""); }

/* ---- states and parameters that a program reads one by one ---- */

typedef struct leaf_list {
    ode_printer *q;
    int32_t *leaves, count, room;
    unsigned char *seen;
    bool failed;
} leaf_list;

static void note_leaf(leaf_list *l, int32_t node)
{
    const ode_node *n = &l->q->o->nodes[node];
    if ((n->op != N_STATE && n->op != N_PARAM) || n->b || n->c || l->seen[node] || l->failed) return;
    if (n->op == N_PARAM && n->a >= l->q->o->n_params) return;
    if (l->count == l->room) {
        int32_t room = 2 * l->room + 64, *larger = realloc(l->leaves, (size_t)room * sizeof *larger);
        if (!larger) {
            l->failed = true;
            return;
        }
        l->leaves = larger;
        l->room = room;
    }
    l->seen[node] = 1;
    l->leaves[l->count++] = node;
}

static void note_operands(leaf_list *l, int32_t node)
{
    const ode_node *n = &l->q->o->nodes[node];
    int operands = ode_operands(n->op);
    if (n->op == N_CALL)
        for (int32_t k = 0; k < n->c; k++) note_leaf(l, l->q->o->arguments[n->b + k]);
    if (operands > 0) note_leaf(l, n->a);
    if (operands > 1) note_leaf(l, n->b);
    if (operands > 2) note_leaf(l, n->c);
}

static int ascending(const void *a, const void *b)
{
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

/* States first, each kind in its order. */
static void declare_leaves(ode_printer *q, leaf_list *l)
{
    static const ode_op kinds[] = {N_STATE, N_PARAM};
    const ode_node *nodes = q->o->nodes;
    if (l->failed || !l->seen) q->text->failed = true;
    if (l->count) qsort(l->leaves, (size_t)l->count, sizeof *l->leaves, ascending);
    for (int kind = 0; kind < 2; kind++) {
        for (int32_t k = 0; k < l->count; k++) {
            if (nodes[l->leaves[k]].op != kinds[kind]) continue;
            line(q);
            gt_lang_put(q->text, "const double ");
            gt_lang_print(q, l->leaves[k], 0);
            gt_lang_put(q->text, " = %c[%d];\n", kind ? 'p' : 'x', (int)nodes[l->leaves[k]].a);
        }
    }
    free(l->leaves);
    free(l->seen);
}

static void declare_used(ode_printer *q, const ode_program *p)
{
    leaf_list l = {.q = q, .seen = calloc((size_t)q->o->n_nodes + 1, 1)};
    if (l.seen) {
        for (int32_t k = 0; k < p->n_steps; k++) {
            const ode_step *s = &p->steps[k];
            if (s->kind == STEP_NODE) note_operands(&l, s->index);
            if (s->kind == STEP_STORE) note_leaf(&l, p->outputs[s->index].node);
            if (s->kind == STEP_SUM) note_leaf(&l, q->o->nodes[s->index].a);
        }
    }
    declare_leaves(q, &l);
}

/* ---- steps ---- */

static void define_variable(ode_printer *q, int32_t node)
{
    if (q->variable[node] < 0) return;
    line(q);
    gt_lang_put(q->text, "const double ");
    gt_lang_print_variable(q, node);
    gt_lang_put(q->text, " = ");
    q->defining = node;
    gt_lang_print(q, node, 0);
    q->defining = -1;
    gt_lang_put(q->text, ";\n");
}

static void store(ode_printer *q, const ode_output *out, const char *target, ode_target kind)
{
    line(q);
    gt_lang_put(q->text, kind == O_PLACE ? "%s[place[" : "%s[", target);
    gt_lang_print_index(q, out->first, out->loop ? out->step : 0, out->inner_loop ? out->inner : 0);
    gt_lang_put(q->text, "%s %s ", kind == O_PLACE ? "]]" : "]", out->add ? "+=" : "=");
    gt_lang_print(q, out->node, 0);
    gt_lang_put(q->text, ";\n");
}

static void open_loop(ode_printer *q, char index, int32_t lo, int32_t hi)
{
    line(q);
    gt_lang_put(q->text, "for (long %c = %d; %c <= %d; %c++) {\n", index, (int)lo, index, (int)hi, index);
    q->indent++;
}

/* The steps of a program; `one_j`: j is known, and its loop has one turn. */
static void emit_steps(ode_printer *q, const ode_program *p, const char *target, bool one_j)
{
    q->loop = -1;
    for (int32_t k = 0; k < p->n_steps; k++) {
        const ode_step *s = &p->steps[k];
        switch (s->kind) {
        case STEP_NODE:
            define_variable(q, s->index);
            break;
        case STEP_LOAD:
            line(q);
            gt_lang_put(q->text, "const double ");
            gt_lang_print_variable(q, s->index);
            gt_lang_put(q->text, " = p[");
            gt_lang_print_index(q, s->lo, 1, 0);
            gt_lang_put(q->text, "];\n");
            break;
        case STEP_STORE:
            store(q, &p->outputs[s->index], target, p->target);
            break;
        case STEP_SUM:
            line(q);
            gt_lang_put(q->text, "double ");
            gt_lang_print_variable(q, s->index);
            gt_lang_put(q->text, " = 0;\n");
            open_loop(q, 'i', s->lo, s->hi);
            break;
        case STEP_LOOP_J:
            q->loop = k;
            gt_lang_plan_loop(q, p, k);
            if (one_j) {
                line(q);
                gt_lang_put(q->text, "{\n");
                q->indent++;
            } else {
                open_loop(q, 'j', s->lo, s->hi);
            }
            break;
        case STEP_LOOP_I:
            open_loop(q, 'i', s->lo, s->hi);
            break;
        case STEP_CLOSE:
            if (s->index >= 0) {
                line(q);
                gt_lang_print_variable(q, s->index);
                gt_lang_put(q->text, " += ");
                gt_lang_print(q, q->o->nodes[s->index].a, 0);
                gt_lang_put(q->text, ";\n");
            }
            q->indent--;
            line(q);
            gt_lang_put(q->text, "}\n");
            if (q->loop >= 0 && gt_lang_end_of_loop(p, q->loop) == k + 1) {
                gt_lang_forget_loop(q, p, q->loop);
                q->loop = -1;
            }
            break;
        }
    }
}

static void emit_body(ode_printer *q, const ode_program *p, const char *target, bool one_j)
{
    gt_lang_plan_variables(q, p);
    declare_used(q, p);
    emit_steps(q, p, target, one_j);
    gt_lang_forget_variables(q, p);
}

/* ---- functions ---- */

/* The chunks of a long program as functions. */
static void emit_chunks(ode_printer *q, const ode_program *p, const char *name)
{
    const char *apart = p->target == O_P ? "" : "restrict ";
    for (int32_t k = 0; k < p->n_chunks; k++) {
        gt_lang_put(
            q->text,
            "static void %s_%d(double t, const double *%sx, const double *%sp, double *%sout, const int *place%s)\n"
            "{\n    (void)t, (void)x, (void)p, (void)place%s;\n",
            name, (int)k + 1, apart, apart, apart, q->o->n_switches ? ", const signed char *s" : "",
            q->o->n_switches ? ", (void)s" : "");
        emit_body(q, &p->chunks[k], "out", false);
        gt_lang_put(q->text, "}\n\n");
    }
}

/* The body of a function: the program, or calls of its chunks. */
static void emit_whole(ode_printer *q, const ode_program *p, const char *name, const char *target)
{
    if (!p->n_chunks) emit_body(q, p, target, false);
    for (int32_t k = 0; k < p->n_chunks; k++)
        gt_lang_put(q->text, "    %s_%d(t, x, p, %s, %s%s);\n", name, (int)k + 1, target,
                    p->target == O_PLACE ? "place" : "NULL",
                    !q->o->n_switches                       ? ""
                    : p->target == O_P || p->target == O_X0 ? ", NULL"
                                                            : ", s");
}

/* The sides of the switches, where a function of the file may ask for them. */
static void emit_sides(ode_printer *q)
{
    if (q->o->n_switches) gt_lang_put(q->text, "    const signed char *s = c->sides;\n    (void)s;\n");
}

/* `other`: the function for relations that are held. */
static void emit_one_rhs(ode_printer *q, int kind, const char *name, const char *other)
{
    const ode_program *p = &q->o->programs[kind];
    emit_chunks(q, p, name);
    gt_lang_put(q->text,
                "static gt_status %s(double t, const double *restrict x, double *restrict dx, void *ctx)\n{\n"
                "    const gt_ode_ctx *c = ctx;\n    const double *restrict p = c->p;\n"
                "    (void)t, (void)x, (void)p;\n",
                name);
    if (other) gt_lang_put(q->text, "    if (c->holding) return %s(t, x, dx, ctx);\n", other);
    emit_sides(q);
    emit_whole(q, p, name, "dx");
    gt_lang_put(q->text, "    return GT_OK;\n}\n\n");
}

static void emit_rhs(ode_printer *q, ode_program_kind kind, const char *name)
{
    char held[24];
    snprintf(held, sizeof held, "%s_held", name);
    if (q->o->n_switches) emit_one_rhs(q, (int)kind + P_HELD_RHS - P_RHS, held, NULL);
    emit_one_rhs(q, (int)kind, name, q->o->n_switches ? held : NULL);
}

const char *gt_lang_block_name(int block)
{
    static const char *const names[] = {"jac_slow_slow", "jac_slow_fast", "jac_slow_alg",
                                        "jac_fast_slow", "jac_fast_fast", "jac_fast_alg",
                                        "jac_alg_slow",  "jac_alg_fast",  "jac_alg_alg"};
    return names[block];
}

static void emit_jac(ode_printer *q, int kind, const char *name)
{
    const ode_program *p = &q->o->programs[kind];
    emit_chunks(q, p, name);
    gt_lang_put(q->text,
                "static void %s(double t, const double *restrict x, double *restrict values, gt_ode_ctx *c)\n"
                "{\n    const double *restrict p = c->p;\n    const int *restrict place = c->place;\n"
                "    (void)t, (void)x, (void)p, (void)place, (void)values;\n",
                name);
    emit_sides(q);
    emit_whole(q, p, name, "values");
    gt_lang_put(q->text, "}\n\n");
}

static void emit_plain(ode_printer *q, ode_program_kind kind, const char *name, const char *head, const char *target)
{
    emit_chunks(q, &q->o->programs[kind], name);
    gt_lang_put(q->text, "%s\n{\n    const double *restrict p = c->p;\n    (void)t, (void)x, (void)p;\n", head);
    emit_sides(q);
    emit_whole(q, &q->o->programs[kind], name, target);
    gt_lang_put(q->text, "}\n\n");
}

static void emit_setup(ode_printer *q)
{
    q->hoist = false;
    emit_chunks(q, &q->o->programs[P_SETUP], "setup");
    gt_lang_put(q->text, "static void setup(gt_ode_ctx *c)\n{\n    double *p = c->p;\n    const double *x = NULL, t = "
                         "c->code->t0;\n    (void)t, (void)x, (void)p;\n");
    emit_whole(q, &q->o->programs[P_SETUP], "setup", "p");
    q->hoist = true;
    gt_lang_put(q->text, "}\n\n");
}

static void emit_event(ode_printer *q)
{
    const gt_ode *o = q->o;
    gt_lang_put(q->text, "static unsigned event(int root, double t, double *x, double *p_new, gt_ode_ctx *c)\n{\n"
                         "    const double *p = c->p;\n    unsigned actions = 0;\n"
                         "    (void)t, (void)x, (void)p, (void)p_new;\n");
    for (int32_t e = 0; e < o->n_events; e++) {
        const ode_event *what = &o->events[e];
        gt_lang_put(q->text, "    if (root >= %d && root <= %d) {\n", (int)what->root,
                    (int)(what->root + what->hi - what->lo));
        q->indent = 2;
        if (what->loop)
            gt_lang_put(q->text, "        const long j = root + %d;\n        (void)j;\n", (int)(what->lo - what->root));
        for (int32_t k = 0; k < what->n_actions; k++) {
            const ode_action *act = &what->actions[k];
            gt_lang_put(q->text, "        {\n            double value[1];\n");
            q->indent = 3;
            emit_body(q, &act->program, "value", true);
            line(q);
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

/* ---- recursive functions ---- */

/* The nodes below a body, ascending; counts how often each is used. */
static int32_t *nodes_below(ode_printer *q, int32_t root, int32_t *count)
{
    const gt_ode *o = q->o;
    unsigned char *seen = calloc((size_t)o->n_nodes + 1, 1);
    int32_t *list = malloc(((size_t)o->n_nodes + 1) * sizeof *list), n = 0;
    if (seen && list) {
        list[n++] = root;
        seen[root] = 1;
        for (int32_t k = 0; k < n; k++) {
            const ode_node *x = &o->nodes[list[k]];
            int32_t operand[ODE_MAX_ARGS] = {x->a, x->b, x->c}, operands = ode_operands(x->op);
            if (x->op == N_CALL)
                for (operands = 0; operands < x->c; operands++) operand[operands] = o->arguments[x->b + operands];
            for (int32_t i = 0; i < operands; i++) {
                q->uses[operand[i]]++;
                if (seen[operand[i]]) continue;
                seen[operand[i]] = 1;
                list[n++] = operand[i];
            }
        }
        qsort(list, (size_t)n, sizeof *list, ascending);
    }
    free(seen);
    *count = n;
    return list;
}

static void emit_function_head(ode_printer *q, int32_t number)
{
    gt_lang_put(q->text, "static double f%d(double t, const double *x, const double *p, int depth, long *calls",
                (int)number);
    for (int32_t k = 0; k < q->o->functions[number].n_args; k++) gt_lang_put(q->text, ", double a%d", (int)k);
    gt_lang_put(q->text, ")");
}

/* What calls nothing is computed first; calls stay inside the branches of `if`, or the recursion would not end. */
static void emit_function(ode_printer *q, int32_t number)
{
    enum { LARGEST = 5000 };
    const ode_function *f = &q->o->functions[number];
    int32_t count, *list = nodes_below(q, f->body, &count);
    leaf_list leaves = {.q = q, .seen = calloc((size_t)q->o->n_nodes + 1, 1)};
    if (!list) {
        q->text->failed = true;
        free(leaves.seen);
        return;
    }
    emit_function_head(q, number);
    gt_lang_put(q->text, "\n{\n    (void)t, (void)x, (void)p;\n"
                         "    if (depth >= GT_ODE_MAX_DEPTH || ++*calls > GT_ODE_MAX_CALLS) return NAN;\n");
    for (int32_t k = 0; k < f->n_args; k++) gt_lang_put(q->text, "    (void)a%d;\n", (int)k);
    for (int32_t k = 0; k < count && leaves.seen; k++) note_leaf(&leaves, list[k]);
    declare_leaves(q, &leaves);
    q->in_function = true;
    q->hoist = false;
    q->next_variable = 1;
    for (int32_t k = 0; k < count; k++) {
        int32_t node = list[k];
        const ode_node *n = &q->o->nodes[node];
        const int32_t operand[] = {n->a, n->b, n->c};
        if (gt_lang_is_leaf(q, node)) continue;
        int64_t size = 1;
        for (int i = 0; i < ode_operands(n->op); i++) size += q->size[operand[i]];
        for (int32_t i = 0; n->op == N_CALL && i < n->c; i++) size += q->size[q->o->arguments[n->b + i]];
        q->size[node] = (int32_t)(size < LARGEST ? size : LARGEST);
        if (size >= LARGEST) q->too_large = true;
        if ((n->flags & HAS_CALL) || q->uses[node] < 2) continue;
        q->variable[node] = q->next_variable++;
        q->size[node] = 1;
        define_variable(q, node);
    }
    gt_lang_put(q->text, "    return ");
    if (!q->too_large) gt_lang_print(q, f->body, 0);
    gt_lang_put(q->text, ";\n}\n\n");
    for (int32_t k = 0; k < count; k++) {
        q->variable[list[k]] = -1;
        q->uses[list[k]] = q->size[list[k]] = 0;
    }
    q->in_function = false;
    q->hoist = true;
    free(list);
}

static void emit_functions(ode_printer *q)
{
    for (int32_t k = 0; k < q->o->n_functions; k++) {
        emit_function_head(q, k);
        gt_lang_put(q->text, ";\n");
    }
    for (int32_t k = 0; k < q->o->n_functions; k++) emit_function(q, k);
}

/* ---- the file ---- */

static void emit_file(ode_printer *q, const char *symbol)
{
    const gt_ode *o = q->o;
    bool split = o->n_fast || o->n_alg;
    q->indent = 1;
    q->hoist = true;
    gt_lang_put(q->text, "/* Made by geartrain from a model file. */\n#include <geartrain/ode_runtime.h>\n\n");
    emit_functions(q);
    emit_setup(q);
    emit_chunks(q, &o->programs[P_START], "start");
    gt_lang_put(q->text,
                "static void start(gt_ode_ctx *c, double *x0)\n{\n    const double *p = c->p, t = c->code->t0;\n"
                "    const double *x = NULL;\n    (void)p, (void)t, (void)x, (void)x0;\n");
    emit_whole(q, &o->programs[P_START], "start", "x0");
    gt_lang_put(q->text, "}\n\n");
    emit_rhs(q, P_RHS, "rhs");
    if (split && o->n_slow) emit_rhs(q, P_SLOW, "rhs_slow");
    if (o->n_fast) emit_rhs(q, P_FAST, "rhs_fast");
    if (o->n_alg) emit_rhs(q, P_ALG, "rhs_alg");
    if (o->has_jac) {
        emit_jac(q, P_JAC, "jac");
        for (int k = P_BLOCKS; k < P_COUNT; k++)
            if (o->programs[k].n_outputs) emit_jac(q, k, gt_lang_block_name(k - P_BLOCKS));
    }
    if (o->n_roots) {
        emit_plain(q, P_ROOTS, "root", "static void root(double t, const double *x, double *g, gt_ode_ctx *c)", "g");
        emit_event(q);
    }
    if (o->n_aux)
        emit_plain(q, P_AUX, "auxiliary",
                   "static void auxiliary(double t, const double *x, double *out, gt_ode_ctx *c)", "out");
    if (o->n_invariants)
        emit_plain(q, P_INVARIANTS, "invariants",
                   "static void invariants(double t, const double *x, double *out, gt_ode_ctx *c)", "out");
    if (o->programs[P_EXACT].n_outputs)
        emit_plain(q, P_EXACT, "exact", "static void exact(double t, double *x, gt_ode_ctx *c)", "x");
    if (o->n_switches)
        emit_plain(q, P_SWITCHES, "switches",
                   "static void switches(double t, const double *x, double *g, gt_ode_ctx *c)", "g");
    if (o->code.n_clocks)
        emit_plain(q, P_CLOCKS, "clocks", "static void clocks(double t, double *x, gt_ode_ctx *c)", "x");
    gt_lang_emit_tables(q, symbol);
}

gt_status gt_ode_c_code(const gt_ode *ode, const char *symbol, char **code, size_t *length, gt_message *message)
{
    GT_ARMOR(message, ode && symbol && code && length);
    ode_text text = {0};
    ode_printer q;
    *code = NULL;
    *length = 0;
    if (!ode->complete) return gt_fail(message, GT_BAD_ARGUMENT, "the model has errors: there is no code for it");
    for (const char *c = symbol; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_' ||
              (c > symbol && *c >= '0' && *c <= '9')))
            return gt_fail(message, GT_BAD_ARGUMENT, "'%s' is no name in C", symbol);
    bool ready = gt_lang_printer_init(&q, ode, &text, STYLE_C);
    if (ready) {
        q.defining = -1;
        emit_file(&q, symbol);
    }
    gt_lang_printer_free(&q);
    if (!ready || text.failed || q.too_large) {
        free(text.s);
        if (q.too_large)
            return gt_fail(message, GT_UNSUPPORTED,
                           "a recursive function of %s is too large for C code; it can be interpreted",
                           ode->model_name);
        return gt_fail(message, GT_NO_MEMORY, "there is not enough memory for the code of %s", ode->model_name);
    }
    *code = text.s;
    *length = text.length;
    return GT_OK;
}

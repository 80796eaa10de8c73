/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which nodes of a program are printed as variables: those that are used more than once, that have
 * a name in the file, or that are computed outside the loop they are used in. All others are
 * written where they are used.
 */
#include "lang/emit/printer.h"

bool gt_lang_is_leaf(const ode_printer *q, int32_t node)
{
    const ode_node *n = &q->graph->nodes[node];
    if (q->hoist && q->programs->hoisted[node] >= 0 && gt_lang_is_hoistable(q->graph, node))
        return true;
    return !ode_operands(n->op) && n->op != N_CALL;
}

static void use(ode_printer *q, int32_t node, int32_t scope)
{
    if (gt_lang_is_leaf(q, node) || !q->scope[node]) return;
    q->uses[node]++;
    if (q->scope[node] != scope) q->uses[node] = 1000; /* computed outside the loop */
}

static void use_operands(ode_printer *q, int32_t node, int32_t scope)
{
    const ode_node *n = &q->graph->nodes[node];
    int operands = ode_operands(n->op);
    if (n->op == N_CALL)
        for (int32_t k = 0; k < n->c; k++) use(q, q->graph->arguments[n->b + k], scope);
    if (operands > 0) use(q, n->a, scope);
    if (operands > 1) use(q, n->b, scope);
    if (operands > 2) use(q, n->c, scope);
}

static void give_variable(ode_printer *q, int32_t node)
{
    int32_t definition = q->graph->nodes[node].name;
    q->variable[node] = q->next_variable++;
    if (definition >= 0 && q->name_owner[definition] < 0) q->name_owner[definition] = node;
    q->depth[node] = 0;
    q->size[node] = 1;
}

/* Depth and size of the expression that a node is when it is written out. */
static void measure(ode_printer *q, int32_t node)
{
    const ode_node *n = &q->graph->nodes[node];
    const int32_t operand[] = {n->a, n->b, n->c};
    int operands = ode_operands(n->op);
    q->depth[node] = q->size[node] = 1;
    for (int k = 0; k < operands; k++) {
        if (gt_lang_is_leaf(q, operand[k])) {
            q->size[node]++;
            continue;
        }
        q->size[node] += q->size[operand[k]];
        if (q->depth[operand[k]] >= q->depth[node]) q->depth[node] = q->depth[operand[k]] + 1;
    }
    for (int32_t k = 0; n->op == N_CALL && k < n->c; k++) {
        int32_t a = q->graph->arguments[n->b + k];
        q->size[node] += q->size[a];
        if (q->depth[a] >= q->depth[node]) q->depth[node] = q->depth[a] + 1;
    }
}

static bool computes(const ode_step *s)
{
    return s->kind == STEP_NODE || s->kind == STEP_SUM || s->kind == STEP_LOAD;
}

static bool opens(const ode_step *s)
{
    return s->kind == STEP_SUM || s->kind == STEP_LOOP_J || s->kind == STEP_LOOP_I;
}

/* Behind the loop that begins at `from`. */
int32_t gt_lang_end_of_loop(const ode_program *p, int32_t from)
{
    int32_t height = 0;
    for (int32_t k = from; k < p->n_steps; k++) {
        height += opens(&p->steps[k]);
        height -= p->steps[k].kind == STEP_CLOSE;
        if (!height) return k + 1;
    }
    return p->n_steps;
}

/* Counts the uses of what the steps from .. to compute; loops over j in it only use, they are
 * planned on their own. */
static void count_uses(ode_printer *q, const ode_program *p, int32_t from, int32_t to)
{
    enum { HIGHEST = 8 };
    for (int pass = 0; pass < 2; pass++) { /* where things are computed, then where they are used */
        int32_t stack[HIGHEST], height = 0, last = 1, scope = 1, in_j = 0;
        for (int32_t k = from; k < to; k++) {
            const ode_step *s = &p->steps[k];
            if (pass == 0 && computes(s) && !in_j) q->scope[s->index] = scope;
            if (pass == 1 && s->kind == STEP_NODE) use_operands(q, s->index, scope);
            if (pass == 1 && s->kind == STEP_STORE) use(q, p->outputs.list[s->index].node, scope);
            if (s->kind == STEP_CLOSE) {
                if (pass == 1 && s->index >= 0) use(q, q->graph->nodes[s->index].a, scope);
                scope = stack[--height];
                if (in_j > height) in_j = 0;
            }
            if (opens(s)) {
                stack[height++] = scope;
                scope = ++last;
                if (s->kind == STEP_LOOP_J && !in_j) in_j = height;
            }
        }
    }
}

static void plan(ode_printer *q, const ode_program *p, int32_t from, int32_t to)
{
    enum { DEEPEST = 20, LONGEST = 40 };
    count_uses(q, p, from, to);
    for (int32_t k = from; k < to; k++) {
        const ode_step *s = &p->steps[k];
        if (s->kind == STEP_LOOP_J) k = gt_lang_end_of_loop(p, k) - 1;
        if (!computes(s)) continue;
        measure(q, s->index);
        bool named = q->graph->nodes[s->index].name >= 0;
        if (s->kind != STEP_NODE || q->uses[s->index] > 1 || named ||
            q->depth[s->index] > DEEPEST || q->size[s->index] > LONGEST)
            give_variable(q, s->index);
    }
}

static void forget(ode_printer *q, const ode_program *p, int32_t from, int32_t to)
{
    for (int32_t k = from; k < to; k++) {
        const ode_step *s = &p->steps[k];
        if (!computes(s)) continue;
        int32_t definition = q->graph->nodes[s->index].name;
        if (definition >= 0) q->name_owner[definition] = -1;
        q->variable[s->index] = -1;
        q->uses[s->index] = q->scope[s->index] = q->depth[s->index] = q->size[s->index] = 0;
    }
}

void gt_lang_plan_variables(ode_printer *q, const ode_program *p)
{
    q->next_variable = 1;
    plan(q, p, 0, p->n_steps);
}

void gt_lang_forget_variables(ode_printer *q, const ode_program *p) { forget(q, p, 0, p->n_steps); }

void gt_lang_plan_loop(ode_printer *q, const ode_program *p, int32_t from)
{
    plan(q, p, from + 1, gt_lang_end_of_loop(p, from) - 1);
}

void gt_lang_forget_loop(ode_printer *q, const ode_program *p, int32_t from)
{
    forget(q, p, from, gt_lang_end_of_loop(p, from));
}

void gt_lang_print_variable(ode_printer *q, int32_t node)
{
    char buffer[200];
    int32_t definition = q->graph->nodes[node].name;
    const char *name = "";
    if (definition >= 0 && q->name_owner[definition] == node) {
        const ode_definition *d = &q->names->definitions[definition];
        name =
            gt_lang_plain_name(q, q->names->parsed->symbols[d->symbol].display, buffer, false, 0);
    }
    if (*name)
        gt_lang_put(q->text, q->style == STYLE_C ? "n_%s" : "%s", name);
    else
        gt_lang_put(q->text, q->style == STYLE_C ? "w%d" : "_%d", (int)q->variable[node]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a program as statements of C. */
#include "lang/emit/emit.h"
#include <stdlib.h>

void gt_lang_emit_indent(ode_printer *q) { gt_lang_put(q->text, "%*s", 4 * q->indent, ""); }

/* ---- states and parameters that a program reads one by one ---- */

void gt_lang_note_leaf(ode_leaves *l, int32_t node)
{
    const ode_node *n = &l->q->graph->nodes[node];
    if ((n->op != N_STATE && n->op != N_PARAM) || n->b || n->c || l->seen[node] || l->failed)
        return;
    if (n->op == N_PARAM && n->a >= l->q->names->n_params) return;
    if (l->count == l->room) {
        int32_t room = 2 * l->room + 64;
        int32_t *larger = realloc(l->leaves, (size_t)room * sizeof *larger);
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

static void note_operands(ode_leaves *l, int32_t node)
{
    const ode_node *n = &l->q->graph->nodes[node];
    int operands = ode_operands(n->op);
    if (n->op == N_CALL)
        for (int32_t k = 0; k < n->c; k++) gt_lang_note_leaf(l, l->q->graph->arguments[n->b + k]);
    if (operands > 0) gt_lang_note_leaf(l, n->a);
    if (operands > 1) gt_lang_note_leaf(l, n->b);
    if (operands > 2) gt_lang_note_leaf(l, n->c);
}

static int ascending(const void *a, const void *b)
{
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

/* States first, each kind in its order. */
void gt_lang_declare_leaves(ode_printer *q, ode_leaves *l)
{
    static const ode_op kinds[] = {N_STATE, N_PARAM};
    const ode_node *nodes = q->graph->nodes;
    if (l->failed || !l->seen) q->text->failed = true;
    if (l->count) qsort(l->leaves, (size_t)l->count, sizeof *l->leaves, ascending);
    for (int kind = 0; kind < 2; kind++) {
        for (int32_t k = 0; k < l->count; k++) {
            if (nodes[l->leaves[k]].op != kinds[kind]) continue;
            gt_lang_emit_indent(q);
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
    ode_leaves l = {.q = q, .seen = calloc((size_t)q->graph->n_nodes + 1, 1)};
    if (l.seen) {
        for (int32_t k = 0; k < p->n_steps; k++) {
            const ode_step *s = &p->steps[k];
            if (s->kind == STEP_NODE) note_operands(&l, s->index);
            if (s->kind == STEP_STORE) gt_lang_note_leaf(&l, p->outputs.list[s->index].node);
            if (s->kind == STEP_SUM) gt_lang_note_leaf(&l, q->graph->nodes[s->index].a);
        }
    }
    gt_lang_declare_leaves(q, &l);
}

/* ---- steps ---- */

void gt_lang_emit_variable(ode_printer *q, int32_t node)
{
    if (q->variable[node] < 0) return;
    gt_lang_emit_indent(q);
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
    gt_lang_emit_indent(q);
    if (q->in_parts && q->loop < 0) gt_lang_put(q->text, "if (part == 0) ");
    gt_lang_put(q->text, kind == O_PLACE ? "%s[place[" : "%s[", target);
    gt_lang_print_index(q, out->first, out->loop ? out->step : 0, out->inner_loop ? out->inner : 0);
    gt_lang_put(q->text, "%s %s ", kind == O_PLACE ? "]]" : "]", out->add ? "+=" : "=");
    gt_lang_print(q, out->node, 0);
    gt_lang_put(q->text, ";\n");
}

static void open_loop(ode_printer *q, char index, int32_t lo, int32_t hi)
{
    gt_lang_emit_indent(q);
    gt_lang_put(q->text, "for (long %c = %d; %c <= %d; %c++) {\n", index, (int)lo, index, (int)hi,
                index);
    q->indent++;
}

/* A loop over j that the parts of a function share. */
static void open_shared_loop(ode_printer *q, int32_t lo, int32_t hi)
{
    gt_lang_emit_indent(q);
    gt_lang_put(q->text,
                "for (long j = gt_ode_first(%d, %d, part, parts),\n"
                "         next = gt_ode_first(%d, %d, part + 1, parts); j < next; j++) {\n",
                (int)lo, (int)hi, (int)lo, (int)hi);
    q->indent++;
}

static void load(ode_printer *q, const ode_step *s)
{
    gt_lang_emit_indent(q);
    gt_lang_put(q->text, "const double ");
    gt_lang_print_variable(q, s->index);
    gt_lang_put(q->text, " = p[");
    gt_lang_print_index(q, s->lo, 1, 0);
    gt_lang_put(q->text, "];\n");
}

/* The end of a loop, which adds a term where it is that of a sum. */
static void close_block(ode_printer *q, const ode_step *s)
{
    if (s->index >= 0) {
        gt_lang_emit_indent(q);
        gt_lang_print_variable(q, s->index);
        gt_lang_put(q->text, " += ");
        gt_lang_print(q, q->graph->nodes[s->index].a, 0);
        gt_lang_put(q->text, ";\n");
    }
    q->indent--;
    gt_lang_emit_indent(q);
    gt_lang_put(q->text, "}\n");
}

/* The steps of a program; `one_j`: j is known, and its loop has one turn. */
static void emit_steps(ode_printer *q, const ode_program *p, const char *target, bool one_j)
{
    q->loop = -1;
    for (int32_t k = 0; k < p->n_steps; k++) {
        const ode_step *s = &p->steps[k];
        switch (s->kind) {
        case STEP_NODE:
            gt_lang_emit_variable(q, s->index);
            break;
        case STEP_LOAD:
            load(q, s);
            break;
        case STEP_STORE:
            store(q, &p->outputs.list[s->index], target, p->outputs.target);
            break;
        case STEP_SUM:
            gt_lang_emit_indent(q);
            gt_lang_put(q->text, "double ");
            gt_lang_print_variable(q, s->index);
            gt_lang_put(q->text, " = 0;\n");
            open_loop(q, 'i', s->lo, s->hi);
            break;
        case STEP_LOOP_J:
            q->loop = k;
            gt_lang_plan_loop(q, p, k);
            if (one_j) {
                gt_lang_emit_indent(q);
                gt_lang_put(q->text, "{\n");
                q->indent++;
            } else if (q->in_parts) {
                open_shared_loop(q, s->lo, s->hi);
            } else {
                open_loop(q, 'j', s->lo, s->hi);
            }
            break;
        case STEP_LOOP_I:
            open_loop(q, 'i', s->lo, s->hi);
            break;
        case STEP_CLOSE:
            close_block(q, s);
            if (q->loop >= 0 && gt_lang_end_of_loop(p, q->loop) == k + 1) {
                gt_lang_forget_loop(q, p, q->loop);
                q->loop = -1;
            }
            break;
        }
    }
}

void gt_lang_emit_body(ode_printer *q, const ode_program *p, const char *target, bool one_j)
{
    gt_lang_plan_variables(q, p);
    declare_used(q, p);
    emit_steps(q, p, target, one_j);
    gt_lang_forget_variables(q, p);
}

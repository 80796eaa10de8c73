/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the file that call themselves, and their derivatives, as functions of C. */
#include "lang/emit/emit.h"
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

/* The nodes below a body, ascending; counts how often each is used. */
static int32_t *nodes_below(ode_printer *q, int32_t root, int32_t *count)
{
    unsigned char *seen = calloc((size_t)q->graph->n_nodes + 1, 1);
    int32_t *list = malloc(((size_t)q->graph->n_nodes + 1) * sizeof *list);
    int32_t n = 0;
    if (seen && list) {
        list[n++] = root;
        seen[root] = 1;
        for (int32_t k = 0; k < n; k++) {
            const ode_node *x = &q->graph->nodes[list[k]];
            int32_t operand[ODE_MAX_ARGS] = {x->a, x->b, x->c};
            int32_t operands = ode_operands(x->op);
            if (x->op == N_CALL)
                for (operands = 0; operands < x->c; operands++)
                    operand[operands] = q->graph->arguments[x->b + operands];
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
    gt_lang_put(
        q->text,
        "static double f%d(double t, const double *x, const double *p, int depth, long *calls",
        (int)number);
    for (int32_t k = 0; k < q->graph->functions[number].n_args; k++)
        gt_lang_put(q->text, ", double a%d", (int)k);
    gt_lang_put(q->text, ")");
}

/* What calls nothing is computed first; calls stay inside the branches of `if`, or the recursion
 * would not end. */
static void emit_function(ode_printer *q, int32_t number)
{
    enum { LARGEST = 5000 };
    const ode_function *f = &q->graph->functions[number];
    int32_t count;
    int32_t *list = nodes_below(q, f->body, &count);
    ode_leaves leaves = {.q = q, .seen = calloc((size_t)q->graph->n_nodes + 1, 1)};
    if (!list) {
        q->text->failed = true;
        free(leaves.seen);
        return;
    }
    emit_function_head(q, number);
    gt_lang_put(q->text,
                "\n{\n    (void)t, (void)x, (void)p;\n"
                "    if (depth >= GT_ODE_MAX_DEPTH || ++*calls > GT_ODE_MAX_CALLS) return NAN;\n");
    for (int32_t k = 0; k < f->n_args; k++) gt_lang_put(q->text, "    (void)a%d;\n", (int)k);
    for (int32_t k = 0; k < count && leaves.seen; k++) gt_lang_note_leaf(&leaves, list[k]);
    gt_lang_declare_leaves(q, &leaves);
    q->in_function = true;
    q->hoist = false;
    q->next_variable = 1;
    for (int32_t k = 0; k < count; k++) {
        int32_t node = list[k];
        const ode_node *n = &q->graph->nodes[node];
        const int32_t operand[] = {n->a, n->b, n->c};
        if (gt_lang_is_leaf(q, node)) continue;
        int64_t size = 1;
        for (int i = 0; i < ode_operands(n->op); i++) size += q->size[operand[i]];
        for (int32_t i = 0; n->op == N_CALL && i < n->c; i++)
            size += q->size[q->graph->arguments[n->b + i]];
        q->size[node] = (int32_t)(size < LARGEST ? size : LARGEST);
        if (size >= LARGEST) q->too_large = true;
        if ((n->flags & HAS_CALL) || q->uses[node] < 2) continue;
        q->variable[node] = q->next_variable++;
        q->size[node] = 1;
        gt_lang_emit_variable(q, node);
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

void gt_lang_emit_functions(ode_printer *q)
{
    for (int32_t k = 0; k < q->graph->n_functions; k++) {
        emit_function_head(q, k);
        gt_lang_put(q->text, ";\n");
    }
    for (int32_t k = 0; k < q->graph->n_functions; k++) emit_function(q, k);
}

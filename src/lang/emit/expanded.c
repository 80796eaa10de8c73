/* SPDX-License-Identifier: BSD-3-Clause */
/* The right-hand side as it is computed, with the names of the model: what `show` prints. */
#include "lang/emit/emit.h"
#include <string.h>

/* x' = x' : x is a state of 0=F(t,x,x'), which says all. */
static bool is_own_prime(const ode_printer *q, const ode_output *out, const gt_ode_name *s)
{
    const ode_node *n = &q->graph->nodes[out->node];
    int32_t element;
    const ode_parsed *parsed = q->names->parsed;
    bool named = n->name >= 0 && q->variable[out->node] >= 0;
    if (n->op != N_STATE && !named) return false;
    const char *other =
        named ? parsed->symbols[q->names->definitions[n->name].symbol].display
              : gt_lang_state_name(q, n->a + (int64_t)n->b * q->sample_j, &element)->base;
    size_t length = strlen(s->base);
    return !strncmp(other, s->base, length) && !strcmp(other + length, "'");
}

static void print_store(ode_printer *q, const ode_output *out)
{
    int32_t n_diff = q->names->n_slow + q->names->n_fast, element;
    int64_t slot = out->first + (out->loop ? (int64_t)out->step * q->sample_j : 0);
    const gt_ode_name *s = gt_lang_state_name(q, slot, &element);
    char buffer[200];
    if (slot < n_diff && is_own_prime(q, out, s)) return;
    gt_lang_put(q->text, "%*s", 4 * q->indent, "");
    if (slot >= n_diff) {
        gt_lang_put(q->text, "0 = ");
    } else if (!out->loop) {
        gt_lang_put(q->text,
                    "%s' = ", gt_lang_plain_name(q, s->base, buffer, s->lo <= s->hi, element));
    } else {
        int32_t step = out->step / s->step;
        gt_lang_put(q->text, "%s[", s->base);
        gt_lang_print_index(q, element - step * q->sample_j, step, 0);
        gt_lang_put(q->text, "]' = ");
    }
    gt_lang_print(q, out->node, 0);
    gt_lang_put(q->text, "\n");
}

static void print_step(ode_printer *q, const ode_program *p, int32_t k)
{
    const ode_step *s = &p->steps[k];
    switch (s->kind) {
    case STEP_NODE:
    case STEP_LOAD:
        if (q->variable[s->index] < 0) break;
        gt_lang_put(q->text, "%*s", 4 * q->indent, "");
        gt_lang_print_variable(q, s->index);
        gt_lang_put(q->text, " = ");
        q->defining = s->index;
        gt_lang_print(q, s->index, 0);
        q->defining = -1;
        gt_lang_put(q->text, "\n");
        break;
    case STEP_STORE:
        print_store(q, &p->outputs.list[s->index]);
        break;
    case STEP_LOOP_J:
        gt_lang_plan_loop(q, p, k);
        q->loop = k;
        q->sample_j = s->lo;
        gt_lang_put(q->text, "%*sfor j = %d..%d\n", 4 * q->indent++, "", (int)s->lo, (int)s->hi);
        break;
    case STEP_SUM:
    case STEP_LOOP_I:
        q->sample_i = s->lo;
        gt_lang_put(q->text, "%*sfor i' = %d..%d\n", 4 * q->indent++, "", (int)s->lo, (int)s->hi);
        break;
    case STEP_CLOSE:
        if (s->index >= 0) {
            gt_lang_put(q->text, "%*s", 4 * q->indent, "");
            gt_lang_print_variable(q, s->index);
            gt_lang_put(q->text, " adds ");
            gt_lang_print(q, q->graph->nodes[s->index].a, 0);
            gt_lang_put(q->text, "\n");
        }
        q->indent--;
        if (q->loop >= 0 && gt_lang_end_of_loop(p, q->loop) == k + 1) {
            gt_lang_forget_loop(q, p, q->loop);
            q->loop = -1;
        }
        break;
    }
}

bool gt_lang_expand(const ode_programs *programs, const gt_ode_name *states, ode_text *text)
{
    ode_printer q;
    bool ready = gt_lang_printer_init(&q, programs, states, text, STYLE_MODEL);
    const ode_program *p = &programs->programs[P_RHS];
    if (ready) {
        gt_lang_plan_variables(&q, p);
        for (int32_t k = 0; k < p->n_steps; k++) print_step(&q, p, k);
    }
    gt_lang_printer_free(&q);
    return ready && !text->failed;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Right-hand sides with long loops, for several threads: a piece has a part of the turns of each
 * loop over j, and the first one also has what is outside of loops. Each element is computed as in
 * a loop over all, so the bits do not depend on the number of parts.
 */
#include "lang/emit/emit.h"

/* Turns of loops below which threads do not pay; what is outside of loops is computed in each part,
 * and must be little. */
enum { LEAST_TURNS = 16384, MOST_OUTSIDE = 200 };

static bool pays(const ode_program *p)
{
    int64_t turns = 0;
    int32_t outside = 0;
    if (p->n_chunks) return false;
    for (int32_t k = 0; k < p->outputs.count; k++)
        if (p->outputs.list[k].add) return false;
    for (int32_t k = 0; k < p->n_steps; k++) {
        const ode_step *s = &p->steps[k];
        if (s->kind == STEP_SUM) return false; /* each part would make it, and that takes as long */
        if (s->kind == STEP_LOOP_J) {
            turns += s->hi - s->lo + 1;
            k = gt_lang_end_of_loop(p, k) - 1;
        } else {
            outside++;
        }
    }
    return turns >= LEAST_TURNS && outside <= MOST_OUTSIDE;
}

bool gt_lang_emit_piece(ode_printer *q, const ode_program *p, const char *name)
{
    if (!pays(p)) return false;
    bool sides = q->programs->eq->n_switches;
    gt_lang_put(q->text,
                "static void %s_part(double t, const double *restrict x, double *restrict dx, "
                "const gt_ode_ctx *c, long part, long parts)\n{\n"
                "    const double *restrict p = c->p;\n    (void)t, (void)x, (void)p;\n%s",
                name, sides ? "    const signed char *s = c->sides;\n    (void)s;\n" : "");
    q->in_parts = true;
    gt_lang_emit_body(q, p, "dx", false);
    q->in_parts = false;
    gt_lang_put(q->text,
                "}\n\nstatic void %s_piece(size_t i, void *work)\n{\n"
                "    const gt_ode_call *of = work;\n"
                "    %s_part(of->t, of->x, of->dx, of->c, (long)i, of->parts);\n}\n\n",
                name, name);
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Relations as a reader of the model would write them, for messages about their switches. */
#include "lang/emit/emit.h"
#include <stdlib.h>
#include <string.h>

static int32_t length_of(const ode_output *g)
{
    int32_t height = g->loop ? g->hi - g->lo + 1 : 1,
            width = g->inner_loop ? g->inner_hi - g->inner_lo + 1 : 1;
    return height * width;
}

enum { LONGEST = 100, ROOM = 160 };

static gt_ode_name name_one(ode_printer *q, const ode_relation *r, int32_t first, char *room)
{
    gt_ode_name name = {.first = first, .lo = 1, .step = 1};
    if (r->g.loop) {
        name.lo = r->g.lo;
        name.hi = r->g.hi;
        name.step = length_of(&r->g) / (r->g.hi - r->g.lo + 1);
    }
    q->sample_j = r->g.lo;
    q->sample_i = r->g.inner_lo;
    q->text->length = 0;
    q->unnamed = r->node; /* the relation itself, not what the file calls its value */
    gt_lang_print(q, r->node, 0);
    const char *text = q->text->s;
    size_t length = q->text->length;
    if (length > 2 && text[0] == '(' && text[length - 1] == ')') text++, length -= 2;
    snprintf(room, ROOM, "%.*s", (int)length, text ? text : "");
    name.base = room;
    return name;
}

const gt_ode_name *gt_lang_name_switches(const ode_programs *programs, const gt_ode_name *states)
{
    const ode_equations *eq = programs->eq;
    gt_ode_name *names = gt_lang_take(programs->work, (size_t)eq->n_relations + 1, sizeof *names);
    char *room = gt_lang_take(programs->work, (size_t)eq->n_relations + 1, ROOM);
    ode_text text = {0};
    ode_printer q;
    bool ready = gt_lang_printer_init(&q, programs, states, &text, STYLE_MODEL);
    q.longest = LONGEST;
    int32_t first = 0;
    for (int32_t k = 0; k < eq->n_relations && ready && !text.failed; k++) {
        names[k] = name_one(&q, &eq->relations[k], first, room + (size_t)k * ROOM);
        first += length_of(&eq->relations[k].g);
    }
    gt_lang_printer_free(&q);
    free(text.s);
    if (eq->n_relations && (!ready || text.failed)) gt_lang_out_of_memory(programs->work);
    return names;
}

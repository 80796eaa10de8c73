/* SPDX-License-Identifier: BSD-3-Clause */
/* Relations as a reader of the model would write them, for messages about their switches. */
#include "lang/emit/printer.h"
#include <stdlib.h>
#include <string.h>

static int32_t length_of(const ode_output *g)
{
    int32_t height = g->loop ? g->hi - g->lo + 1 : 1, width = g->inner_loop ? g->inner_hi - g->inner_lo + 1 : 1;
    return height * width;
}

enum { LONGEST = 100, ROOM = 160 };

static gt_ode_name name_one(gt_ode *o, ode_printer *q, const ode_relation *r, int32_t first, char *room)
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
    int32_t own = o->nodes[r->node].name;
    o->nodes[r->node].name = -1; /* the relation itself, not what the file calls its value */
    gt_lang_print(q, r->node, 0);
    o->nodes[r->node].name = own;
    const char *text = q->text->s;
    size_t length = q->text->length;
    if (length > 2 && text[0] == '(' && text[length - 1] == ')') text++, length -= 2;
    snprintf(room, ROOM, "%.*s", (int)length, text ? text : "");
    name.base = room;
    return name;
}

void gt_lang_name_switches(gt_ode *o)
{
    gt_ode_name *names = gt_lang_take(o, (size_t)o->n_relations + 1, sizeof *names);
    char *room = gt_lang_take(o, (size_t)o->n_relations + 1, ROOM);
    ode_text text = {0};
    ode_printer q;
    bool ready = gt_lang_printer_init(&q, o, &text, STYLE_MODEL);
    q.longest = LONGEST;
    q.defining = q.loop = -1;
    int32_t first = 0;
    for (int32_t k = 0; k < o->n_relations && ready && !text.failed; k++) {
        names[k] = name_one(o, &q, &o->relations[k], first, room + (size_t)k * ROOM);
        first += length_of(&o->relations[k].g);
    }
    gt_lang_printer_free(&q);
    free(text.s);
    if (o->n_relations && (!ready || text.failed)) {
        o->no_memory = true;
        longjmp(*o->escape, 1);
    }
    o->code.switch_names = names;
    o->code.n_switches = o->n_switches;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A printer, and the names that it prints. */
#include "lang/emit/printer.h"
#include <stdlib.h>
#include <string.h>

const char *gt_lang_plain_name(const ode_printer *q, const char *base, char buffer[200],
                               bool member, int32_t element)
{
    snprintf(buffer, 200, member ? "%.150s%d" : "%.150s", base, (int)element);
    if (q->style == STYLE_MODEL) return buffer;
    for (const char *c = buffer; *c;
         c++) /* what C does not allow: the number of the thing has to do */
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
              *c == '_'))
            return "";
    return strlen(base) < 60 ? buffer : "";
}

const gt_ode_name *gt_lang_state_name(const ode_printer *q, int64_t slot, int32_t *element)
{
    const gt_ode_name *n = &q->states[q->rows[slot]];
    *element = n->lo > n->hi ? 0 : n->lo + (int32_t)((slot - n->first) / n->step);
    return n;
}

bool gt_lang_printer_init(ode_printer *q, const ode_programs *programs, const gt_ode_name *states,
                          ode_text *text, ode_style style)
{
    const ode_names *names = programs->eq->names;
    size_t n = (size_t)programs->graph->n_nodes + 1, definitions = (size_t)names->n_definitions + 1;
    int32_t *rows = malloc(((size_t)ode_all_states(programs->eq) + 1) * sizeof *rows);
    *q = (ode_printer){.programs = programs,
                       .graph = programs->graph,
                       .names = names,
                       .states = states,
                       .text = text,
                       .style = style,
                       .rows = rows,
                       .uses = calloc(n, sizeof *q->uses),
                       .scope = calloc(n, sizeof *q->scope),
                       .variable = malloc(n * sizeof *q->variable),
                       .depth = calloc(n, sizeof *q->depth),
                       .size = calloc(n, sizeof *q->size),
                       .name_owner = malloc(definitions * sizeof *q->name_owner),
                       .defining = -1,
                       .unnamed = -1,
                       .loop = -1};
    if (!rows || !q->uses || !q->scope || !q->variable || !q->depth || !q->size || !q->name_owner)
        return false;
    memset(q->variable, 0xff, n * sizeof *q->variable);
    memset(q->name_owner, 0xff, definitions * sizeof *q->name_owner);
    for (int32_t k = 0; states[k].base; k++) {
        const gt_ode_name *s = &states[k];
        int count = s->lo > s->hi ? 1 : s->hi - s->lo + 1;
        for (int e = 0; e < count; e++) rows[s->first + s->step * e] = k;
    }
    return true;
}

void gt_lang_printer_free(ode_printer *q)
{
    free((void *)(uintptr_t)q->rows);
    free(q->uses);
    free(q->scope);
    free(q->variable);
    free(q->depth);
    free(q->size);
    free(q->name_owner);
}

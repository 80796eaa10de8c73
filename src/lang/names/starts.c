/* SPDX-License-Identifier: BSD-3-Clause */
/* Which statement gives each state its initial value. */
#include "lang/names/names.h"

static void paint_start(ode_names *names, int32_t s)
{
    const ode_statement *x = &names->parsed->statements[s];
    const char *name = names->parsed->symbols[x->symbol].text;
    int32_t element, d;
    if (!x->ranged) {
        d = gt_lang_find_name(names, x->symbol, &element);
        if (d >= 0 && names->definitions[d].kind != K_STATE &&
            names->definitions[d].kind != K_UNKNOWN)
            d = -1;
        if (d < 0)
            gt_lang_error(names->work, x->at, "%s has no equation, so it has no initial value%s",
                          name, gt_lang_suggest(names, x->symbol));
        const ode_definition *def = &names->definitions[d];
        names->start_of[def->position + def->stride * (def->family ? element - def->lo : 0)] = s;
        return;
    }
    for (int32_t j = x->lo; j <= x->hi; j++) {
        d = gt_lang_find_element(names, x->symbol, (int64_t)j + x->shift, &element);
        if (d >= 0 && names->definitions[d].kind != K_STATE &&
            names->definitions[d].kind != K_UNKNOWN)
            d = -1;
        if (d < 0)
            gt_lang_error(names->work, x->at, "%s%d has no equation, so it has no initial value",
                          name, (int)(j + x->shift));
        const ode_definition *def = &names->definitions[d];
        int32_t position = def->position + def->stride * (def->family ? element - def->lo : 0);
        names->start_of[position] = s;
        names->start_j[position] = j;
    }
}

bool gt_lang_starts_alone(const ode_names *names, int32_t definition, int32_t statement)
{
    const ode_statement *s = &names->parsed->statements[statement];
    return s->ranged && (s->symbol != names->definitions[definition].symbol ||
                         !names->definitions[definition].family);
}

/* Later lines win; arrays with formulas come after all others, as in XPPAUT; #@ start is stronger
 * still. */
void gt_lang_find_starts(ode_names *names)
{
    names->start_of =
        gt_lang_take(names->work, (size_t)names->n_positions, sizeof *names->start_of);
    names->start_j = gt_lang_take(names->work, (size_t)names->n_positions, sizeof *names->start_j);
    for (int32_t p = 0; p < names->n_positions; p++) names->start_of[p] = -1;
    for (int32_t i = 0; i < names->n_definitions; i++) { /* the guess of solv */
        const ode_definition *d = &names->definitions[i];
        if (d->kind != K_UNKNOWN || names->parsed->statements[d->statement].value < 0) continue;
        for (int32_t e = d->lo; e <= d->hi; e++)
            names->start_of[d->position + d->stride * (e - d->lo)] = d->statement;
    }
    for (int32_t rank = RANK_PLAIN; rank <= RANK_OWN; rank++)
        for (int32_t s = 0; s < names->parsed->n_statements; s++)
            if (names->parsed->statements[s].kind == ST_START &&
                names->parsed->statements[s].rank == rank)
                paint_start(names, s);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The values that parameters have in the file, and whether they are in their ranges. */
#include "lang/lower/lower.h"
#include <math.h>

/* Defaults may refer to parameters that stand before them. */
static void evaluate_parameters(ode_lowering *lower)
{
    const ode_parsed *parsed = lower->parsed;
    for (int32_t s = 0; s < parsed->n_statements; s++) {
        const ode_statement *x = &parsed->statements[s];
        if (x->kind != ST_PARAMETER) continue;
        const ode_definition *d = &lower->names->definitions[lower->names->definition_of[s]];
        if (d->kind != K_PARAMETER) continue; /* there were too many */
        int32_t slot = d->slot;
        for (int32_t j = x->lo; j <= x->hi; j++)
            lower->defaults[slot + j - x->lo] =
                x->value < 0 ? 0 : gt_lang_constant(lower, x->value, x->ranged, j);
    }
}

/* As the statement s, a range or a choice, has it. */
static void check_range(const ode_lowering *lower, int32_t s)
{
    const ode_statement *x = &lower->parsed->statements[s];
    const ode_definition *def = &lower->names->definitions[lower->names->definition_of[s]];
    const char *name = lower->parsed->symbols[x->symbol].text;
    int32_t last = def->family ? def->hi - def->lo : 0;
    for (int32_t k = 0; k <= last; k++) {
        double value = lower->defaults[def->slot + k];
        if (!(value >= def->min && value <= def->max))
            gt_lang_error(lower->work, x->at, "%s is %g in the file, which is not in the range",
                          name, value);
        if (def->choices && value != floor(value))
            gt_lang_error(lower->work, x->at, "a choice is a whole number, from 0 on");
    }
}

void gt_lang_begin_lowering(ode_lowering *lower)
{
    const ode_names *names = lower->names;
    lower->lowered =
        gt_lang_take(lower->work, (size_t)names->n_definitions + 1, sizeof *lower->lowered);
    for (int32_t k = 0; k < names->n_definitions; k++) lower->lowered[k].body = -1;
    lower->defaults =
        gt_lang_take(lower->work, (size_t)names->n_params + 1, sizeof *lower->defaults);
    evaluate_parameters(lower);
    for (int32_t s = 0; s < lower->parsed->n_statements; s++) {
        ode_statement_kind kind = lower->parsed->statements[s].kind;
        if (kind == ST_RANGE || kind == ST_CHOICE) check_range(lower, s);
    }
}

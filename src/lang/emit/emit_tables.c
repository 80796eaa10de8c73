/* SPDX-License-Identifier: BSD-3-Clause */
/* The data of a generated model: names, bands, parameters, and the descriptor. */
#include "lang/emit/emit.h"
#include <string.h>

static void put_text(ode_text *t, const char *text)
{
    if (text)
        gt_lang_put_literal(t, text);
    else
        gt_lang_put(t, "NULL");
}

static void emit_names(ode_text *t, const char *table, const gt_ode_name *names)
{
    gt_lang_put(t, "static const gt_ode_name %s[] = {", table);
    for (; names->base; names++) {
        gt_lang_put(t, "\n    {");
        put_text(t, names->base);
        gt_lang_put(t, ", ");
        put_text(t, names->unit);
        gt_lang_put(t, ", %d, %d, %d, %d},", names->lo, names->hi, names->first, names->step);
    }
    gt_lang_put(t, "\n    {0}};\n\n");
}

static void emit_bands(ode_text *t, const gt_ode_code *c)
{
    gt_lang_put(
        t,
        "/* row, its step with j, column, its steps with j and i, j from .. to, i from .. to */\n"
        "static const gt_ode_band bands[] = {");
    for (int32_t k = 0; k < c->n_bands; k++) {
        const gt_ode_band *b = &c->bands[k];
        gt_lang_put(t, "\n    {%d, %d, %d, %d, %d, %d, %d, %d, %d},", b->row, b->row_j, b->col,
                    b->col_j, b->col_i, b->lo, b->hi, b->i_lo, b->i_hi);
    }
    gt_lang_put(t, "%s};\n\n", c->n_bands ? "" : "{0}");
}

static void emit_blocks(ode_text *t, const ode_program *programs)
{
    gt_lang_put(t, "static gt_ode_jac_fn *const jac_blocks[3][3] = {");
    for (int k = 0; k < 9; k++)
        gt_lang_put(t, "%s%s%s", k % 3 ? ", " : "\n    {",
                    programs[P_BLOCKS + k].outputs.count ? gt_lang_block_name(k) : "NULL",
                    k % 3 == 2 ? "}," : "");
    gt_lang_put(t, "};\n\n");
}

static void emit_rates(ode_text *t, const ode_names *names)
{
    if (!names->n_rates) return;
    gt_lang_put(t, "static const size_t rate_sizes[] = {");
    for (int k = 0; k < names->n_rates; k++)
        gt_lang_put(t, "%s%zu", k ? ", " : "", names->rate_sizes[k]);
    gt_lang_put(t, "};\nstatic gt_rhs_fn *const rhs_rates[] = {");
    for (int k = 1; k <= names->n_rates; k++) gt_lang_put(t, "%srate_%d", k > 1 ? ", " : "", k);
    gt_lang_put(t, "};\n\n");
}

static void emit_choices(ode_text *t, const gt_param *params, int count)
{
    for (int32_t k = 0; k < count; k++) {
        if (params[k].type != GT_CHOICE) continue;
        gt_lang_put(t, "static const char *const choices%d[] = {", (int)k);
        for (const char *const *word = params[k].choices; *word; word++) {
            put_text(t, *word);
            gt_lang_put(t, ", ");
        }
        gt_lang_put(t, "NULL};\n\n");
    }
}

static void emit_params(ode_text *t, const gt_param *params, int count)
{
    static const char *const types[] = {
        [GT_REAL] = "GT_REAL", [GT_INTEGER] = "GT_INTEGER", [GT_CHOICE] = "GT_CHOICE"};
    emit_choices(t, params, count);
    gt_lang_put(t, "static const gt_param params[] = {");
    for (int32_t k = 0; k < count; k++) {
        const gt_param *p = &params[k];
        gt_lang_put(t, "\n    {.name = ");
        put_text(t, p->name);
        gt_lang_put(t, ", .help = ");
        put_text(t, p->help);
        gt_lang_put(t, ", .unit = ");
        put_text(t, p->unit);
        gt_lang_put(t, ", .type = %s, .initial = ", types[p->type]);
        gt_lang_put_number(t, p->initial);
        gt_lang_put(t, ", .min = ");
        gt_lang_put_number(t, p->min);
        gt_lang_put(t, ", .max = ");
        gt_lang_put_number(t, p->max);
        if (p->choices) gt_lang_put(t, ", .choices = choices%d", (int)k);
        gt_lang_put(t, "},");
    }
    gt_lang_put(t, "\n    {0}};\n\n");
}

static void emit_series(ode_text *t, const gt_ode_code *c)
{
    if (!c->n_parts) return;
    gt_lang_put(
        t, "/* j from .. to, first term, number of terms */\nstatic const gt_ode_part parts[] = {");
    for (int k = 0; k < c->n_parts; k++)
        gt_lang_put(t, "\n    {%d, %d, %d, %d},", c->parts[k].lo, c->parts[k].hi, c->parts[k].first,
                    c->parts[k].count);
    gt_lang_put(t, "};\n\n/* operation, operands, value */\nstatic const gt_ode_term terms[] = {");
    for (int k = 0; k < c->n_terms; k++) {
        gt_lang_put(t, "\n    {%d, %d, %d, %d, ", c->terms[k].op, c->terms[k].a, c->terms[k].b,
                    c->terms[k].c);
        gt_lang_put_number(t, c->terms[k].value);
        gt_lang_put(t, "},");
    }
    gt_lang_put(t, "};\n\n");
}

static void emit_ranges(ode_text *t, const gt_ode_code *c, int32_t count)
{
    if (!count) return;
    for (int32_t k = 0; k < count; k++) {
        if (!c->tables[k].samples) continue;
        gt_lang_put(t, "static const double samples%d[] = {", (int)k);
        for (int i = 0; i < c->tables[k].n; i++) {
            gt_lang_put(t, i % 4 ? " " : "\n    ");
            gt_lang_put_number(t, c->tables[k].samples[i]);
            gt_lang_put(t, ",");
        }
        gt_lang_put(t, "};\n\n");
    }
    gt_lang_put(t, "static const gt_ode_table_range tables[] = {");
    for (int32_t k = 0; k < count; k++) {
        gt_lang_put(t, "\n    {%d, %d, ", c->tables[k].slot, c->tables[k].n);
        gt_lang_put_number(t, c->tables[k].lo);
        gt_lang_put(t, ", ");
        gt_lang_put_number(t, c->tables[k].hi);
        if (c->tables[k].samples) gt_lang_put(t, ", samples%d", (int)k);
        gt_lang_put(t, "},");
    }
    gt_lang_put(t, "};\n\n");
}

static void emit_code(ode_text *t, const gt_ode_code *c, const ode_equations *eq)
{
    const ode_names *names = eq->names;
    gt_lang_put(t,
                "static const gt_ode_code code = {.n_slow = %d, .n_fast = %d, .n_alg = %d, "
                ".n_hidden = %d, .n_params = %d, .n_p = %d,\n",
                c->n_slow, c->n_fast, c->n_alg, c->n_hidden, c->n_params, c->n_p);
    gt_lang_put(t, "    .t0 = ");
    gt_lang_put_number(t, c->t0);
    gt_lang_put(t, ", .t1 = ");
    gt_lang_put_number(t, c->t1);
    gt_lang_put(t, ", .t1_place = %d, .break_place = %d, .n_breaks = %d, .typical = ", c->t1_place,
                c->break_place, c->n_breaks);
    gt_lang_put_number(t, c->typical);
    gt_lang_put(t, ", .clock_place = %d, .n_clocks = %d", c->clock_place, c->n_clocks);
    gt_lang_put(t, ", .linear = %d, .autonomous = %d", c->linear, c->autonomous);
    gt_lang_put(t, ", .bound = ");
    gt_lang_put_number(t, c->bound);
    gt_lang_put(t, ",\n    .states = states, .roots = roots, .aux = aux, .invariant_names = "
                   "invariant_names,\n");
    gt_lang_put(t,
                "    .directions = directions, .n_roots = %d, .n_aux = %d, .n_invariants = %d, "
                ".events_set_params = %d,\n",
                c->n_roots, c->n_aux, c->n_invariants, c->events_set_params);
    gt_lang_put(t, "    .setup = setup, .start = start, .rhs = rhs,\n");
    if (ode_is_split(names) && names->n_slow) gt_lang_put(t, "    .rhs_slow = rhs_slow,\n");
    if (names->n_fast) gt_lang_put(t, "    .rhs_fast = rhs_fast,\n");
    if (names->n_alg) gt_lang_put(t, "    .rhs_alg = rhs_alg,\n");
    if (names->n_rates)
        gt_lang_put(t, "    .n_rates = %d, .rate_sizes = rate_sizes, .rhs_rates = rhs_rates,\n",
                    (int)names->n_rates);
    if (eq->outputs[P_TIME].count) gt_lang_put(t, "    .rhs_t = rhs_t,\n");
    if (eq->has_jac)
        gt_lang_put(t, "    .jac = jac, .bands = bands, .n_bands = %d, .dense = %d,\n", c->n_bands,
                    c->dense);
    if (eq->has_blocks) gt_lang_put(t, "    .jac_blocks = jac_blocks,\n");
    if (eq->n_roots) gt_lang_put(t, "    .root = root, .event = event,\n");
    if (eq->n_aux) gt_lang_put(t, "    .auxiliary = auxiliary,\n");
    if (eq->n_invariants) gt_lang_put(t, "    .invariants = invariants,\n");
    if (eq->outputs[P_EXACT].count) gt_lang_put(t, "    .exact = exact,\n");
    if (c->n_switches)
        gt_lang_put(t,
                    "    .switches = switches, .switch_names = switch_names, .n_switches = %d,\n",
                    c->n_switches);
    if (c->n_clocks) gt_lang_put(t, "    .clocks = clocks,\n");
    if (c->n_parts)
        gt_lang_put(t, "    .parts = parts, .n_parts = %d, .terms = terms, .n_terms = %d,\n",
                    c->n_parts, c->n_terms);
    if (names->n_tables)
        gt_lang_put(t, "    .tables = tables, .n_tables = %d,\n", (int)names->n_tables);
    gt_lang_put(t, "    .work = {%.0f, %.0f, %.0f, %.0f, %.0f}};\n\n", c->work.full, c->work.slow,
                c->work.fast, c->work.alg, c->work.jac);
}

void gt_lang_emit_tables(ode_printer *q, const gt_model *model, const char *symbol)
{
    enum { LONGEST = 3000 }; /* of a string that every compiler takes */
    ode_text *t = q->text;
    const ode_equations *eq = q->programs->eq;
    const gt_ode_code *c = model->data;
    emit_names(t, "states", c->states);
    emit_names(t, "roots", c->roots);
    emit_names(t, "aux", c->aux);
    emit_names(t, "invariant_names", c->invariant_names);
    if (eq->n_switches) emit_names(t, "switch_names", c->switch_names);
    gt_lang_put(t, "static const int directions[] = {");
    for (int32_t k = 0; c->roots[k].base; k++) gt_lang_put(t, "%d, ", c->directions[k]);
    gt_lang_put(t, "0};\n\n");
    if (eq->has_jac) emit_bands(t, c);
    if (eq->has_blocks) emit_blocks(t, q->programs->programs);
    emit_rates(t, eq->names);
    emit_params(t, model->params, c->n_params);
    emit_series(t, c);
    emit_ranges(t, c, q->names->n_tables);
    emit_code(t, c, eq);
    char equations[LONGEST + 5];
    snprintf(equations, sizeof equations, "%.*s%s", LONGEST - 1, model->equations,
             strlen(model->equations) >= LONGEST ? "\n..." : "");
    gt_lang_put(
        t, "extern const gt_model %s;\nconst gt_model %s = {.abi = GT_MODEL_ABI,\n    .name = ",
        symbol, symbol);
    put_text(t, model->name);
    gt_lang_put(t, ",\n    .title = ");
    put_text(t, model->title);
    gt_lang_put(t, ",\n    .reference = ");
    put_text(t, model->reference);
    gt_lang_put(t, ",\n    .equations = ");
    put_text(t, equations);
    gt_lang_put(t,
                ",\n    .params = params,\n    .build_self = gt_ode_build,\n    .data = &code};\n");
}

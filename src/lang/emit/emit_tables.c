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

static void emit_bands(ode_text *t, const gt_ode *o)
{
    gt_lang_put(t, "/* row, its step with j, column, its steps with j and i, j from .. to, i from .. to */\n"
                   "static const gt_ode_band bands[] = {");
    for (int32_t k = 0; k < o->n_bands; k++) {
        const gt_ode_band *b = &o->bands[k];
        gt_lang_put(t, "\n    {%d, %d, %d, %d, %d, %d, %d, %d, %d},", b->row, b->row_j, b->col, b->col_j, b->col_i,
                    b->lo, b->hi, b->i_lo, b->i_hi);
    }
    gt_lang_put(t, "%s};\n\n", o->n_bands ? "" : "{0}");
}

static void emit_blocks(ode_text *t, const gt_ode *o)
{
    gt_lang_put(t, "static gt_ode_jac_fn *const jac_blocks[3][3] = {");
    for (int k = 0; k < 9; k++)
        gt_lang_put(t, "%s%s%s", k % 3 ? ", " : "\n    {",
                    o->programs[P_BLOCKS + k].n_outputs ? gt_lang_block_name(k) : "NULL", k % 3 == 2 ? "}," : "");
    gt_lang_put(t, "};\n\n");
}

static void emit_choices(ode_text *t, const gt_ode *o)
{
    for (int32_t k = 0; k < o->n_params; k++) {
        if (o->params[k].type != GT_CHOICE) continue;
        gt_lang_put(t, "static const char *const choices%d[] = {", (int)k);
        for (const char *const *word = o->params[k].choices; *word; word++) {
            put_text(t, *word);
            gt_lang_put(t, ", ");
        }
        gt_lang_put(t, "NULL};\n\n");
    }
}

static void emit_params(ode_text *t, const gt_ode *o)
{
    static const char *const types[] = {[GT_REAL] = "GT_REAL", [GT_INTEGER] = "GT_INTEGER", [GT_CHOICE] = "GT_CHOICE"};
    emit_choices(t, o);
    gt_lang_put(t, "static const gt_param params[] = {");
    for (int32_t k = 0; k < o->n_params; k++) {
        const gt_param *p = &o->params[k];
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

static void emit_series(ode_text *t, const gt_ode *o)
{
    const gt_ode_code *c = &o->code;
    if (!c->n_parts) return;
    gt_lang_put(t, "/* j from .. to, first term, number of terms */\nstatic const gt_ode_part parts[] = {");
    for (int k = 0; k < c->n_parts; k++)
        gt_lang_put(t, "\n    {%d, %d, %d, %d},", c->parts[k].lo, c->parts[k].hi, c->parts[k].first, c->parts[k].count);
    gt_lang_put(t, "};\n\n/* operation, operands, value */\nstatic const gt_ode_term terms[] = {");
    for (int k = 0; k < c->n_terms; k++) {
        gt_lang_put(t, "\n    {%d, %d, %d, %d, ", c->terms[k].op, c->terms[k].a, c->terms[k].b, c->terms[k].c);
        gt_lang_put_number(t, c->terms[k].value);
        gt_lang_put(t, "},");
    }
    gt_lang_put(t, "};\n\n");
}

static void emit_ranges(ode_text *t, const gt_ode *o)
{
    if (!o->n_tables) return;
    gt_lang_put(t, "static const gt_ode_table_range tables[] = {");
    for (int32_t k = 0; k < o->n_tables; k++) {
        gt_lang_put(t, "\n    {%d, %d, ", o->code.tables[k].slot, o->code.tables[k].n);
        gt_lang_put_number(t, o->code.tables[k].lo);
        gt_lang_put(t, ", ");
        gt_lang_put_number(t, o->code.tables[k].hi);
        gt_lang_put(t, "},");
    }
    gt_lang_put(t, "};\n\n");
}

static void emit_code(ode_text *t, const gt_ode *o)
{
    const gt_ode_code *c = &o->code;
    bool split = o->n_fast || o->n_alg;
    gt_lang_put(
        t, "static const gt_ode_code code = {.n_slow = %d, .n_fast = %d, .n_alg = %d, .n_params = %d, .n_p = %d,\n",
        c->n_slow, c->n_fast, c->n_alg, c->n_params, c->n_p);
    gt_lang_put(t, "    .t0 = ");
    gt_lang_put_number(t, c->t0);
    gt_lang_put(t, ", .t1 = ");
    gt_lang_put_number(t, c->t1);
    gt_lang_put(t, ", .t1_place = %d, .break_place = %d, .n_breaks = %d, .typical = ", c->t1_place, c->break_place,
                c->n_breaks);
    gt_lang_put_number(t, c->typical);
    gt_lang_put(t, ", .clock_place = %d, .n_clocks = %d", c->clock_place, c->n_clocks);
    gt_lang_put(t, ", .linear = %d, .autonomous = %d", c->linear, c->autonomous);
    gt_lang_put(t, ", .bound = ");
    gt_lang_put_number(t, c->bound);
    gt_lang_put(t, ",\n    .states = states, .roots = roots, .aux = aux, .invariant_names = invariant_names,\n");
    gt_lang_put(
        t, "    .directions = directions, .n_roots = %d, .n_aux = %d, .n_invariants = %d, .events_set_params = %d,\n",
        c->n_roots, c->n_aux, c->n_invariants, c->events_set_params);
    gt_lang_put(t, "    .setup = setup, .start = start, .rhs = rhs,\n");
    if (split && o->n_slow) gt_lang_put(t, "    .rhs_slow = rhs_slow,\n");
    if (o->n_fast) gt_lang_put(t, "    .rhs_fast = rhs_fast,\n");
    if (o->n_alg) gt_lang_put(t, "    .rhs_alg = rhs_alg,\n");
    if (o->has_jac)
        gt_lang_put(t, "    .jac = jac, .bands = bands, .n_bands = %d, .dense = %d,\n", c->n_bands, c->dense);
    if (o->has_blocks) gt_lang_put(t, "    .jac_blocks = jac_blocks,\n");
    if (o->n_roots) gt_lang_put(t, "    .root = root, .event = event,\n");
    if (o->n_aux) gt_lang_put(t, "    .auxiliary = auxiliary,\n");
    if (o->n_invariants) gt_lang_put(t, "    .invariants = invariants,\n");
    if (o->programs[P_EXACT].n_outputs) gt_lang_put(t, "    .exact = exact,\n");
    if (c->n_switches)
        gt_lang_put(t, "    .switches = switches, .switch_names = switch_names, .n_switches = %d,\n", c->n_switches);
    if (c->n_clocks) gt_lang_put(t, "    .clocks = clocks,\n");
    if (c->n_parts)
        gt_lang_put(t, "    .parts = parts, .n_parts = %d, .terms = terms, .n_terms = %d,\n", c->n_parts, c->n_terms);
    if (o->n_tables) gt_lang_put(t, "    .tables = tables,\n");
    gt_lang_put(t, "    .work = {%.0f, %.0f, %.0f, %.0f, %.0f}};\n\n", c->work.full, c->work.slow, c->work.fast,
                c->work.alg, c->work.jac);
}

void gt_lang_emit_tables(ode_printer *q, const char *symbol)
{
    enum { LONGEST = 3000 }; /* of a string that every compiler takes */
    ode_text *t = q->text;
    const gt_ode *o = q->o;
    emit_names(t, "states", o->code.states);
    emit_names(t, "roots", o->code.roots);
    emit_names(t, "aux", o->code.aux);
    emit_names(t, "invariant_names", o->code.invariant_names);
    if (o->n_switches) emit_names(t, "switch_names", o->code.switch_names);
    gt_lang_put(t, "static const int directions[] = {");
    for (int32_t k = 0; o->code.roots[k].base; k++) gt_lang_put(t, "%d, ", o->code.directions[k]);
    gt_lang_put(t, "0};\n\n");
    if (o->has_jac) emit_bands(t, o);
    if (o->has_blocks) emit_blocks(t, o);
    emit_params(t, o);
    emit_series(t, o);
    emit_ranges(t, o);
    emit_code(t, o);
    char equations[LONGEST + 5];
    snprintf(equations, LONGEST, "%s", o->model.equations);
    if (strlen(o->model.equations) >= LONGEST) strcat(equations, "\n...");
    gt_lang_put(t, "extern const gt_model %s;\nconst gt_model %s = {.abi = GT_MODEL_ABI,\n    .name = ", symbol,
                symbol);
    put_text(t, o->model.name);
    gt_lang_put(t, ",\n    .title = ");
    put_text(t, o->model.title);
    gt_lang_put(t, ",\n    .reference = ");
    put_text(t, o->model.reference);
    gt_lang_put(t, ",\n    .equations = ");
    put_text(t, equations);
    gt_lang_put(t, ",\n    .params = params,\n    .build_self = gt_ode_build,\n    .data = &code};\n");
}

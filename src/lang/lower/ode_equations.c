/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each function of the problem has to compute, from the statements: rows of the right-hand
 * side, alone for each block, initial values, tables, further columns; the Jacobian and events in
 * files of their own.
 */
#include "lang/lower/ode_equations.h"
#include <assert.h>

void gt_lang_output(ode_work *work, ode_outputs *outputs, ode_output output)
{
    gt_lang_grow(work, (void **)&outputs->list, outputs->count, &outputs->room, sizeof output,
                 ODE_MAX_NODES, "equations");
    outputs->list[outputs->count++] = output;
}

ode_output gt_lang_at_piece(const ode_piece *piece, int32_t node, int32_t first, int32_t step)
{
    return (ode_output){.node = node,
                        .first = first,
                        .step = step,
                        .lo = piece->lo,
                        .hi = piece->hi,
                        .loop = piece->loop};
}

/* ---- rows ---- */

typedef struct equation {
    int32_t value, definition, shift;
} equation;

/* Root 0 is the right side, root 1 where it goes. */
static int32_t equation_root(ode_lowering *lower, const void *what, int32_t k,
                             const ode_place *place)
{
    const equation *e = what;
    if (k == 0) return gt_lang_lower(lower, e->value, place);
    return gt_lang_state_node(lower, e->definition, place->j0 + e->shift, place->j1, place->i1,
                              place);
}

static void add_row(ode_equations *eq, const ode_piece *piece, int32_t node, int32_t first,
                    int32_t step)
{
    int32_t n_slow = eq->names->n_slow, n_diff = n_slow + eq->names->n_fast;
    int32_t slot = first + step * (piece->loop ? piece->lo : 0);
    bool several = eq->names->n_rates && slot >= n_slow && slot < n_diff;
    *ODE_PUSH(eq, rows, ODE_MAX_NODES, "equations") =
        (ode_row){.node = node,
                  .first = first,
                  .step = step,
                  .lo = piece->lo,
                  .hi = piece->hi,
                  .loop = piece->loop,
                  .rate = several ? ode_rate_of(eq->names, slot) : 0,
                  .block = slot < n_slow   ? 0
                           : slot < n_diff ? 1
                                           : 2};
}

/* How far a named array looks along itself: -1 in s[j]=s[j-1]+..; 0 when it does not. */
static int64_t looks_along(const ode_equations *eq, const ode_statement *s)
{
    for (int32_t k = s->first_syntax; k <= s->value; k++) {
        const ode_syntax *x = &eq->parsed->syntax[k];
        if (x->kind == S_ELEMENT && x->symbol == s->symbol && x->m == 1)
            return (int64_t)x->k - s->shift;
    }
    return 0;
}

/* Every named expression in the order of the file: faults in those that nothing uses are found too,
 * and long chains of names, or of elements of an array, are followed one link at a time. */
static void check_named(ode_equations *eq)
{
    ode_place base = {.time = -1};
    for (int32_t i = 0; i < eq->names->n_definitions; i++) {
        ode_definition d = eq->names->definitions[i];
        if (d.kind != K_NAMED) continue;
        if (!d.family) {
            gt_lang_named(eq->lower, i, 0, &base);
            continue;
        }
        int64_t along = looks_along(eq, &eq->parsed->statements[d.statement]);
        if (!along || d.hi - d.lo >= ODE_MAX_PIECES) continue;
        for (int32_t k = 0; k <= d.hi - d.lo; k++)
            gt_lang_named(eq->lower, i, along < 0 ? d.lo + k : d.hi - k, &base);
    }
}

static void make_rows(ode_equations *eq)
{
    const ode_place base = {.time = -1};
    int32_t next_algebraic = eq->names->n_slow + eq->names->n_fast;
    for (int32_t k = 0; k < eq->parsed->n_statements; k++) {
        const ode_statement s = eq->parsed->statements[k];
        ode_piece *pieces;
        if (s.kind == ST_EQUATION) {
            equation e = {
                .value = s.value, .definition = eq->names->definition_of[k], .shift = s.shift};
            int32_t count = gt_lang_cut_range(eq->lower, equation_root, &e, 2, s.ranged, s.lo, s.hi,
                                              &base, &pieces);
            for (int32_t i = 0; i < count; i++) {
                ode_node target = eq->graph->nodes[pieces[i].nodes[1]];
                add_row(eq, &pieces[i], pieces[i].nodes[0], target.a, target.b);
            }
        } else if (s.kind == ST_ALGEBRAIC) {
            equation e = {.value = s.value};
            int32_t count = gt_lang_cut_range(eq->lower, equation_root, &e, 1, s.ranged, s.lo, s.hi,
                                              &base, &pieces);
            for (int32_t i = 0; i < count; i++) {
                int32_t step = !pieces[i].loop ? 0 : s.down ? -1 : 1;
                int32_t first = s.down ? next_algebraic + s.hi : next_algebraic - s.lo;
                if (!pieces[i].loop) first += s.down ? -pieces[i].lo : pieces[i].lo;
                add_row(eq, &pieces[i], pieces[i].nodes[0], first, step);
            }
            next_algebraic += s.ranged ? s.hi - s.lo + 1 : 1;
        }
    }
}

static void make_right_sides(ode_equations *eq)
{
    static const ode_program_kind block_programs[] = {P_SLOW, P_FAST, P_ALG};
    const int32_t begins[] = {0, eq->names->n_slow, eq->names->n_slow + eq->names->n_fast};
    bool split = eq->names->n_fast || eq->names->n_alg;
    for (int32_t k = 0; k < eq->n_rows; k++) {
        const ode_row *r = &eq->rows[k];
        ode_output out = {.node = r->node,
                          .first = r->first,
                          .step = r->step,
                          .lo = r->lo,
                          .hi = r->hi,
                          .loop = r->loop};
        ode_output held = out;
        held.node = r->held;
        gt_lang_output(eq->work, &eq->outputs[P_RHS], out);
        if (eq->n_switches) gt_lang_output(eq->work, &eq->outputs[P_HELD_RHS], held);
        if (!split) continue;
        out.first = held.first = out.first - begins[r->block];
        gt_lang_output(eq->work, &eq->outputs[block_programs[r->block]], out);
        if (eq->n_switches)
            gt_lang_output(eq->work, &eq->outputs[block_programs[r->block] + P_HELD_RHS - P_RHS],
                           held);
        if (!r->rate) continue;
        for (int32_t k_rate = 1; k_rate < r->rate; k_rate++)
            out.first = held.first = out.first - (int32_t)eq->names->rate_sizes[k_rate - 1];
        gt_lang_output(eq->work, &eq->outputs[P_RATES + r->rate - 1], out);
        if (eq->n_switches)
            gt_lang_output(eq->work, &eq->outputs[P_HELD_RATES + r->rate - 1], held);
    }
}

/* ---- columns: aux, invariants, exact ---- */

static int32_t value_root(ode_lowering *lower, const void *what, int32_t k, const ode_place *place)
{
    (void)k;
    return gt_lang_lower(lower, *(const int32_t *)what, place);
}

static int32_t make_columns(ode_equations *eq, ode_statement_kind kind, ode_outputs *outputs)
{
    const ode_place base = {.time = -1};
    int32_t next = 0;
    for (int32_t k = 0; k < eq->parsed->n_statements; k++) {
        ode_statement s = eq->parsed->statements[k];
        if (s.kind != kind) continue;
        ode_piece *pieces;
        int32_t count = gt_lang_cut_range(eq->lower, value_root, &s.value, 1, s.ranged, s.lo, s.hi,
                                          &base, &pieces);
        for (int32_t i = 0; i < count; i++) {
            int32_t step = !pieces[i].loop ? 0
                           : s.down        ? -1
                                           : 1,
                    first = s.down ? next + s.hi : next - s.lo;
            if (!pieces[i].loop) first += s.down ? -pieces[i].lo : pieces[i].lo;
            gt_lang_output(eq->work, outputs,
                           gt_lang_at_piece(&pieces[i], pieces[i].nodes[0], first, step));
        }
        eq->number_of[k] = next;
        next += s.ranged ? s.hi - s.lo + 1 : 1;
        if (next > ODE_MAX_STATES) gt_lang_error(eq->work, s.at, "there are too many columns");
    }
    return next;
}

static void make_exact(ode_equations *eq)
{
    const ode_place base = {.time = -1};
    int64_t covered = 0, n = eq->names->n_slow + eq->names->n_fast + eq->names->n_alg;
    int32_t at = -1;
    for (int32_t k = 0; k < eq->parsed->n_statements; k++) {
        ode_statement s = eq->parsed->statements[k];
        if (s.kind != ST_EXACT) continue;
        at = s.at;
        int32_t lo = s.ranged ? s.lo : 0, hi = s.ranged ? s.hi : 0;
        for (int32_t j = lo; j <= hi; j++) { /* exact solutions are few and short */
            int32_t element;
            int32_t d =
                s.ranged ? gt_lang_find_element(eq->names, s.symbol, (int64_t)j + s.shift, &element)
                         : gt_lang_find_name(eq->names, s.symbol, &element);
            if (d < 0 || (eq->names->definitions[d].kind != K_STATE &&
                          eq->names->definitions[d].kind != K_UNKNOWN))
                gt_lang_error(eq->work, s.at, "there is no state %s%s",
                              eq->parsed->symbols[s.symbol].text,
                              gt_lang_suggest(eq->names, s.symbol));
            if (hi - lo >= ODE_MAX_PIECES)
                gt_lang_error(eq->work, s.at, "an exact solution has at most %d elements",
                              (int)ODE_MAX_PIECES);
            ode_place place = base;
            place.has_j = s.ranged;
            place.j0 = j;
            int32_t node = gt_lang_lower(eq->lower, s.value, &place);
            int32_t target = gt_lang_state_node(eq->lower, d, element, 0, 0, &place);
            if (node < 0) gt_lang_error(eq->work, s.at, "this cannot be evaluated");
            if (eq->graph->nodes[node].flags & DEP_STATE)
                gt_lang_error(eq->work, s.at, "an exact solution depends on t and parameters only");
            gt_lang_output(eq->work, &eq->outputs[P_EXACT],
                           (ode_output){.node = node, .first = eq->graph->nodes[target].a});
            covered++;
        }
    }
    if (covered && covered != n) {
        gt_lang_warn(eq->work, at,
                     "the exact solution is left out: it is given for %lld of %lld states",
                     (long long)covered, (long long)n);
        eq->outputs[P_EXACT].count = 0;
    }
    for (int32_t k = 0; k < eq->n_hidden && eq->outputs[P_EXACT].count; k++)
        gt_lang_output(eq->work, &eq->outputs[P_EXACT],
                       (ode_output){.node = gt_lang_zero(eq->graph), .first = (int32_t)n + k});
}

/* ---- tables ---- */

static int32_t table_root(ode_lowering *lower, const void *what, int32_t k, const ode_place *place)
{
    (void)k;
    const ode_table *t = what;
    int32_t number = place->j1 ? gt_lang_leaf(lower->graph, N_J, 0, 0, 0)
                               : gt_lang_number(lower->graph, (double)place->j0);
    ode_place inside = {
        .time = gt_lang_binary(
            lower->graph, N_ADD, gt_lang_number(lower->graph, t->lo),
            gt_lang_binary(lower->graph, N_MUL, number,
                           gt_lang_number(lower->graph, (t->hi - t->lo) / (t->n - 1)))),
        .start_values = true};
    return gt_lang_lower(
        lower, lower->parsed->statements[lower->names->definitions[t->definition].statement].value,
        &inside);
}

static void make_tables(ode_equations *eq)
{
    const ode_place base = {.time = -1};
    for (int32_t k = 0; k < eq->names->n_tables; k++) {
        ode_table t = eq->names->tables[k];
        if (t.samples) continue;
        ode_piece *pieces;
        int32_t count =
            gt_lang_cut_range(eq->lower, table_root, &t, 1, true, 0, t.n - 1, &base, &pieces);
        for (int32_t i = 0; i < count; i++) {
            if (eq->graph->nodes[pieces[i].nodes[0]].flags & (DEP_STATE | HAS_TABLE))
                gt_lang_error(
                    eq->work,
                    eq->parsed->statements[eq->names->definitions[t.definition].statement].at,
                    "the formula of a table depends on t and parameters only");
            int32_t step = pieces[i].loop ? 1 : 0;
            gt_lang_output(eq->work, &eq->outputs[P_SETUP],
                           gt_lang_at_piece(&pieces[i], pieces[i].nodes[0],
                                            t.slot + (step ? 0 : pieces[i].lo), step));
        }
    }
}

/* A formula that is computed before a run begins, into the next place of p. */
static void make_value(ode_equations *eq, const ode_statement *s, const char *what)
{
    const ode_place base = {.time = -1, .start_values = true};
    int32_t node = gt_lang_lower(eq->lower, s->value, &base);
    if (node < 0 || (eq->graph->nodes[node].flags & (DEP_J | HAS_TABLE)))
        gt_lang_error(eq->work, s->at, "%s depends on parameters and initial values only", what);
    gt_lang_output(eq->work, &eq->outputs[P_SETUP], (ode_output){.node = node, .first = eq->n_p++});
}

/* Times at which the equations are not smooth: those that #@ break gives, then those that relations
 * name. */
static void make_break_times(ode_equations *eq)
{
    eq->break_place = eq->n_p;
    for (int32_t k = 0; k < eq->parsed->n_statements; k++) {
        ode_statement s = eq->parsed->statements[k];
        if (s.kind != ST_BREAK) continue;
        make_value(eq, &s, "a break");
        eq->n_breaks++;
    }
    gt_lang_make_breaks(eq);
}

static void make_end(ode_equations *eq)
{
    for (int32_t k = 0; k < eq->parsed->n_statements; k++) {
        ode_statement s = eq->parsed->statements[k];
        if (s.kind != ST_END) continue;
        make_value(eq, &s, "the end of a run");
        eq->t1_place = eq->n_p;
    }
}

/* ---- all of them ---- */

static void choose_targets(ode_equations *eq)
{
    static const ode_target targets[P_BLOCKS] = {
        [P_SETUP] = O_P,      [P_START] = O_X0,       [P_RHS] = O_DX,       [P_SLOW] = O_DX,
        [P_FAST] = O_DX,      [P_ALG] = O_DX,         [P_JAC] = O_J,        [P_ROOTS] = O_OUT,
        [P_AUX] = O_OUT,      [P_INVARIANTS] = O_OUT, [P_EXACT] = O_X0,     [P_CLOCKS] = O_OUT,
        [P_SWITCHES] = O_OUT, [P_HELD_RHS] = O_DX,    [P_HELD_SLOW] = O_DX, [P_HELD_FAST] = O_DX,
        [P_HELD_ALG] = O_DX,  [P_TIME] = O_DX};
    static_assert(P_TIME + 1 == P_BLOCKS, "a target for each program");
    static_assert(P_HELD_ALG - P_HELD_RHS == P_ALG - P_RHS,
                  "held forms in the order of the others");
    for (int k = 0; k < P_COUNT; k++) {
        bool of_jacobian = k == P_JAC || (k >= P_BLOCKS && k < P_RATES);
        eq->outputs[k].target = k < P_BLOCKS ? targets[k] : k < P_RATES ? O_J : O_DX;
        if (of_jacobian && !eq->dense) eq->outputs[k].target = O_PLACE;
    }
}

void gt_lang_make_equations(ode_equations *eq)
{
    eq->n_p = eq->names->n_p;
    eq->number_of =
        gt_lang_take(eq->work, (size_t)eq->parsed->n_statements + 1, sizeof *eq->number_of);
    check_named(eq);
    make_rows(eq);
    gt_lang_reduce_index(eq);
    gt_lang_make_events(eq);
    make_break_times(eq);
    gt_lang_make_switches(eq);
    make_right_sides(eq);
    gt_lang_make_start(eq);
    make_tables(eq);
    make_end(eq);
    eq->n_aux = make_columns(eq, ST_AUX, &eq->outputs[P_AUX]);
    eq->n_invariants = make_columns(eq, ST_INVARIANT, &eq->outputs[P_INVARIANTS]);
    make_exact(eq);
    gt_lang_make_jacobian(eq);
    gt_lang_find_nature(eq);
    gt_lang_make_time_derivative(eq);
    for (int k = P_BLOCKS; k < P_RATES; k++)
        eq->has_blocks = eq->has_blocks || eq->outputs[k].count;
    choose_targets(eq);
    gt_lang_make_series(eq);
}

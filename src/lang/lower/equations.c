/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What each function of the problem has to compute, from the statements: rows of the right-hand side, alone for each
 * block, initial values, tables, further columns; the Jacobian and events in files of their own.
 */
#include "lang/graph/graph.h"
#include "lang/programs/taylor_terms.h"

void gt_lang_output(gt_ode *o, ode_program *p, ode_output output)
{
    gt_lang_grow(o, (void **)&p->outputs, p->n_outputs, &p->room_outputs, sizeof *p->outputs, ODE_MAX_NODES,
                 "equations");
    p->outputs[p->n_outputs++] = output;
}

ode_output gt_lang_at_piece(const ode_piece *piece, int32_t node, int32_t first, int32_t step)
{
    return (ode_output){
        .node = node, .first = first, .step = step, .lo = piece->lo, .hi = piece->hi, .loop = piece->loop};
}

/* ---- rows ---- */

typedef struct equation {
    int32_t value, definition, shift;
} equation;

/* Root 0 is the right side, root 1 where it goes. */
static int32_t equation_root(gt_ode *o, const void *what, int32_t k, const ode_place *place)
{
    const equation *e = what;
    if (k == 0) return gt_lang_lower(o, e->value, place);
    return gt_lang_state_node(o, e->definition, place->j0 + e->shift, place->j1, place->i1, place);
}

static void add_row(gt_ode *o, const ode_piece *piece, int32_t node, int32_t first, int32_t step)
{
    int32_t n_slow = o->n_slow, n_diff = n_slow + o->n_fast;
    int32_t slot = first + step * (piece->loop ? piece->lo : 0);
    *ODE_PUSH(o, rows, ODE_MAX_NODES, "equations") = (ode_row){.node = node,
                                                               .first = first,
                                                               .step = step,
                                                               .lo = piece->lo,
                                                               .hi = piece->hi,
                                                               .loop = piece->loop,
                                                               .block = slot < n_slow   ? 0
                                                                        : slot < n_diff ? 1
                                                                                        : 2};
}

/* How far a named array looks along itself: -1 in s[j]=s[j-1]+..; 0 when it does not. */
static int64_t looks_along(const gt_ode *o, const ode_statement *s)
{
    for (int32_t k = s->first_syntax; k <= s->value; k++) {
        const ode_syntax *x = &o->syntax[k];
        if (x->kind == S_ELEMENT && x->symbol == s->symbol && x->m == 1) return (int64_t)x->k - s->shift;
    }
    return 0;
}

/* Every named expression in the order of the file: faults in those that nothing uses are found too, and long chains of
 * names, or of elements of an array, are followed one link at a time. */
static void check_named(gt_ode *o)
{
    ode_place base = {.time = -1};
    for (int32_t i = 0; i < o->n_definitions; i++) {
        ode_definition d = o->definitions[i];
        if (d.kind != K_NAMED) continue;
        if (!d.family) {
            gt_lang_named(o, i, 0, &base);
            continue;
        }
        int64_t along = looks_along(o, &o->statements[d.statement]);
        if (!along || d.hi - d.lo >= ODE_MAX_PIECES) continue;
        for (int32_t k = 0; k <= d.hi - d.lo; k++) gt_lang_named(o, i, along < 0 ? d.lo + k : d.hi - k, &base);
    }
}

static void make_rows(gt_ode *o)
{
    const ode_place base = {.time = -1};
    int32_t next_algebraic = o->n_slow + o->n_fast;
    for (int32_t k = 0; k < o->n_statements; k++) {
        const ode_statement s = o->statements[k];
        ode_piece *pieces;
        if (s.kind == ST_EQUATION) {
            equation e = {.value = s.value, .definition = s.definition, .shift = s.shift};
            int32_t count = gt_lang_cut_range(o, equation_root, &e, 2, s.ranged, s.lo, s.hi, &base, &pieces);
            for (int32_t i = 0; i < count; i++) {
                ode_node target = o->nodes[pieces[i].nodes[1]];
                add_row(o, &pieces[i], pieces[i].nodes[0], target.a, target.b);
            }
        } else if (s.kind == ST_ALGEBRAIC) {
            equation e = {.value = s.value};
            int32_t count = gt_lang_cut_range(o, equation_root, &e, 1, s.ranged, s.lo, s.hi, &base, &pieces);
            for (int32_t i = 0; i < count; i++) {
                int32_t step = !pieces[i].loop ? 0 : s.down ? -1 : 1;
                int32_t first = s.down ? next_algebraic + s.hi : next_algebraic - s.lo;
                if (!pieces[i].loop) first += s.down ? -pieces[i].lo : pieces[i].lo;
                add_row(o, &pieces[i], pieces[i].nodes[0], first, step);
            }
            next_algebraic += s.ranged ? s.hi - s.lo + 1 : 1;
        }
    }
}

static void make_right_sides(gt_ode *o)
{
    static const ode_program_kind block_programs[] = {P_SLOW, P_FAST, P_ALG};
    const int32_t begins[] = {0, o->n_slow, o->n_slow + o->n_fast};
    bool split = o->n_fast || o->n_alg;
    for (int32_t k = 0; k < o->n_rows; k++) {
        const ode_row *r = &o->rows[k];
        ode_output out = {
            .node = r->node, .first = r->first, .step = r->step, .lo = r->lo, .hi = r->hi, .loop = r->loop};
        ode_output held = out;
        held.node = r->held;
        gt_lang_output(o, &o->programs[P_RHS], out);
        if (o->n_switches) gt_lang_output(o, &o->programs[P_HELD_RHS], held);
        if (!split) continue;
        out.first = held.first = out.first - begins[r->block];
        gt_lang_output(o, &o->programs[block_programs[r->block]], out);
        if (o->n_switches) gt_lang_output(o, &o->programs[block_programs[r->block] + P_HELD_RHS - P_RHS], held);
    }
}

/* ---- columns: aux, invariants, exact ---- */

static int32_t value_root(gt_ode *o, const void *what, int32_t k, const ode_place *place)
{
    (void)k;
    return gt_lang_lower(o, *(const int32_t *)what, place);
}

static int32_t make_columns(gt_ode *o, ode_statement_kind kind, ode_program *program)
{
    const ode_place base = {.time = -1};
    int32_t next = 0;
    for (int32_t k = 0; k < o->n_statements; k++) {
        ode_statement s = o->statements[k];
        if (s.kind != kind) continue;
        ode_piece *pieces;
        int32_t count = gt_lang_cut_range(o, value_root, &s.value, 1, s.ranged, s.lo, s.hi, &base, &pieces);
        for (int32_t i = 0; i < count; i++) {
            int32_t step = !pieces[i].loop ? 0 : s.down ? -1 : 1, first = s.down ? next + s.hi : next - s.lo;
            if (!pieces[i].loop) first += s.down ? -pieces[i].lo : pieces[i].lo;
            gt_lang_output(o, program, gt_lang_at_piece(&pieces[i], pieces[i].nodes[0], first, step));
        }
        o->statements[k].number = next;
        next += s.ranged ? s.hi - s.lo + 1 : 1;
        if (next > ODE_MAX_STATES) gt_lang_error(o, s.at, "there are too many columns");
    }
    return next;
}

static void make_exact(gt_ode *o)
{
    const ode_place base = {.time = -1};
    int64_t covered = 0, n = o->n_slow + o->n_fast + o->n_alg;
    int32_t at = -1;
    for (int32_t k = 0; k < o->n_statements; k++) {
        ode_statement s = o->statements[k];
        if (s.kind != ST_EXACT) continue;
        at = s.at;
        int32_t lo = s.ranged ? s.lo : 0, hi = s.ranged ? s.hi : 0;
        for (int32_t j = lo; j <= hi; j++) { /* exact solutions are few and short */
            int32_t element, d = s.ranged ? gt_lang_find_element(o, s.symbol, (int64_t)j + s.shift, &element)
                                          : gt_lang_find_name(o, s.symbol, &element);
            if (d < 0 || (o->definitions[d].kind != K_STATE && o->definitions[d].kind != K_UNKNOWN))
                gt_lang_error(o, s.at, "there is no state %s%s", o->symbols[s.symbol].text,
                              gt_lang_suggest(o, s.symbol));
            if (hi - lo >= ODE_MAX_PIECES)
                gt_lang_error(o, s.at, "an exact solution has at most %d elements", (int)ODE_MAX_PIECES);
            ode_place place = base;
            place.has_j = s.ranged;
            place.j0 = j;
            int32_t node = gt_lang_lower(o, s.value, &place), target = gt_lang_state_node(o, d, element, 0, 0, &place);
            if (node < 0) gt_lang_error(o, s.at, "this cannot be evaluated");
            if (o->nodes[node].flags & DEP_STATE)
                gt_lang_error(o, s.at, "an exact solution depends on t and parameters only");
            gt_lang_output(o, &o->programs[P_EXACT], (ode_output){.node = node, .first = o->nodes[target].a});
            covered++;
        }
    }
    if (covered && covered != n) {
        gt_lang_warn(o, at, "the exact solution is left out: it is given for %lld of %lld states", (long long)covered,
                     (long long)n);
        o->programs[P_EXACT].n_outputs = 0;
    }
}

/* ---- initial values ---- */

typedef struct start {
    int32_t value, definition, shift;
    bool ranged, alone; /* alone: x7 of x[1..9](0)=.., which has an equation under a name of its own */
    int32_t element;
} start;

static int32_t start_root(gt_ode *o, const void *what, int32_t k, const ode_place *place)
{
    const start *s = what;
    if (k == 0) return s->value < 0 ? gt_lang_number(o, 0) : gt_lang_lower(o, s->value, place);
    if (!s->ranged || s->alone) return gt_lang_state_node(o, s->definition, s->element, 0, 0, place);
    return gt_lang_state_node(o, s->definition, place->j0 + s->shift, place->j1, place->i1, place);
}

/* A function that calls itself reads states as they are, not as they begin. */
static void refuse_states_in_functions(gt_ode *o, int32_t at)
{
    int32_t *leaves;
    for (int32_t k = 0; k < o->n_functions; k++)
        if (gt_lang_function_states(o, k, &leaves))
            gt_lang_error(o, at, "a recursive function that reads states cannot be used for initial values");
}

static void make_start_run(gt_ode *o, int32_t definition, int32_t statement, int32_t lo, int32_t hi)
{
    const ode_place base = {.time = -1, .start_values = true};
    const ode_statement *s = &o->statements[statement];
    start what = {.value = s->value, .definition = definition, .shift = s->shift, .ranged = s->ranged, .element = lo};
    int32_t first = lo - s->shift, last = hi - s->shift;
    if (s->ranged && gt_lang_starts_alone(o, definition, statement)) {
        const ode_definition *d = &o->definitions[definition];
        what.alone = true;
        first = last = o->start_j[d->position + d->stride * (lo - d->lo)];
    }
    ode_piece *pieces;
    int32_t count = gt_lang_cut_range(o, start_root, &what, 2, s->ranged, first, last, &base, &pieces);
    for (int32_t i = 0; i < count; i++) {
        ode_node target = o->nodes[pieces[i].nodes[1]];
        if (o->nodes[pieces[i].nodes[0]].flags & HAS_CALL) refuse_states_in_functions(o, s->at);
        gt_lang_output(o, &o->programs[P_START], gt_lang_at_piece(&pieces[i], pieces[i].nodes[0], target.a, target.b));
    }
}

static void make_start(gt_ode *o)
{
    for (int32_t i = 0; i < o->n_definitions; i++) {
        ode_definition d = o->definitions[i];
        if (d.kind != K_STATE && d.kind != K_UNKNOWN) continue;
        for (int32_t e = d.lo; e <= d.hi;) {
            int32_t statement = o->start_of[d.position + d.stride * (e - d.lo)], end = e;
            bool alone = statement >= 0 && gt_lang_starts_alone(o, i, statement);
            while (!alone && end < d.hi && o->start_of[d.position + d.stride * (end + 1 - d.lo)] == statement) end++;
            if (statement >= 0) make_start_run(o, i, statement, e, end);
            e = end + 1;
        }
    }
}

/* ---- tables ---- */

static int32_t table_root(gt_ode *o, const void *what, int32_t k, const ode_place *place)
{
    (void)k;
    const ode_table *t = what;
    int32_t number = place->j1 ? gt_lang_leaf(o, N_J, 0, 0, 0) : gt_lang_number(o, (double)place->j0);
    ode_place inside = {
        .time = gt_lang_binary(o, N_ADD, gt_lang_number(o, t->lo),
                               gt_lang_binary(o, N_MUL, number, gt_lang_number(o, (t->hi - t->lo) / (t->n - 1)))),
        .start_values = true};
    return gt_lang_lower(o, o->statements[o->definitions[t->definition].statement].value, &inside);
}

static void make_tables(gt_ode *o)
{
    const ode_place base = {.time = -1};
    for (int32_t k = 0; k < o->n_tables; k++) {
        ode_table t = o->tables[k];
        ode_piece *pieces;
        int32_t count = gt_lang_cut_range(o, table_root, &t, 1, true, 0, t.n - 1, &base, &pieces);
        for (int32_t i = 0; i < count; i++) {
            if (o->nodes[pieces[i].nodes[0]].flags & (DEP_STATE | HAS_TABLE))
                gt_lang_error(o, o->statements[o->definitions[t.definition].statement].at,
                              "the formula of a table depends on t and parameters only");
            int32_t step = pieces[i].loop ? 1 : 0;
            gt_lang_output(o, &o->programs[P_SETUP],
                           gt_lang_at_piece(&pieces[i], pieces[i].nodes[0], t.slot + (step ? 0 : pieces[i].lo), step));
        }
    }
}

/* A formula that is computed before a run begins, into the next place of p. */
static void make_value(gt_ode *o, const ode_statement *s, const char *what)
{
    const ode_place base = {.time = -1, .start_values = true};
    int32_t node = gt_lang_lower(o, s->value, &base);
    if (node < 0 || (o->nodes[node].flags & (DEP_J | HAS_TABLE)))
        gt_lang_error(o, s->at, "%s depends on parameters and initial values only", what);
    gt_lang_output(o, &o->programs[P_SETUP], (ode_output){.node = node, .first = o->n_p++});
}

/* Times at which the equations are not smooth: those that #@ break gives, then those that relations name. */
static void make_break_times(gt_ode *o)
{
    o->code.break_place = o->n_p;
    for (int32_t k = 0; k < o->n_statements; k++) {
        ode_statement s = o->statements[k];
        if (s.kind != ST_BREAK) continue;
        make_value(o, &s, "a break");
        o->code.n_breaks++;
    }
    gt_lang_make_breaks(o);
}

static void make_end(gt_ode *o)
{
    for (int32_t k = 0; k < o->n_statements; k++) {
        ode_statement s = o->statements[k];
        if (s.kind != ST_END) continue;
        make_value(o, &s, "the end of a run");
        o->code.t1_place = o->n_p;
    }
}

/* ---- all of them ---- */

void gt_lang_make_programs(gt_ode *o)
{
    static const ode_target targets[P_COUNT] = {
        [P_SETUP] = O_P,      [P_START] = O_X0,   [P_RHS] = O_DX,       [P_SLOW] = O_DX,     [P_FAST] = O_DX,
        [P_ALG] = O_DX,       [P_JAC] = O_J,      [P_ROOTS] = O_OUT,    [P_AUX] = O_OUT,     [P_INVARIANTS] = O_OUT,
        [P_EXACT] = O_X0,     [P_CLOCKS] = O_OUT, [P_SWITCHES] = O_OUT, [P_HELD_RHS] = O_DX, [P_HELD_SLOW] = O_DX,
        [P_HELD_FAST] = O_DX, [P_HELD_ALG] = O_DX};
    for (int k = 0; k < P_COUNT; k++) o->programs[k].target = k < P_BLOCKS ? targets[k] : O_J;
    check_named(o);
    make_rows(o);
    gt_lang_make_events(o);
    make_break_times(o);
    gt_lang_make_switches(o);
    make_right_sides(o);
    make_start(o);
    make_tables(o);
    make_end(o);
    o->n_aux = make_columns(o, ST_AUX, &o->programs[P_AUX]);
    o->n_invariants = make_columns(o, ST_INVARIANT, &o->programs[P_INVARIANTS]);
    make_exact(o);
    gt_lang_make_jacobian(o);
    gt_lang_find_nature(o);
    for (int k = P_BLOCKS; k < P_COUNT; k++) o->has_blocks = o->has_blocks || o->programs[k].n_outputs;
    for (int k = P_JAC; k < P_COUNT; k++)
        if (!o->dense && (k == P_JAC || k >= P_BLOCKS)) o->programs[k].target = O_PLACE;
    for (int k = 0; k < P_COUNT; k++)
        if (k != P_SETUP) {
            int hoist = (k >= P_RHS && k <= P_ROOTS) || k >= P_SWITCHES ? 2 : 1;
            gt_lang_schedule(o, &o->programs[k], hoist);
            gt_lang_make_chunks(o, &o->programs[k], hoist);
        }
    for (int32_t k = 0; k < o->n_events; k++)
        for (int32_t i = 0; i < o->events[k].n_actions; i++) gt_lang_schedule(o, &o->events[k].actions[i].program, 1);
    gt_lang_make_series(o);
    gt_lang_schedule(o, &o->programs[P_SETUP], 0);
    gt_lang_make_chunks(o, &o->programs[P_SETUP], 0);
}

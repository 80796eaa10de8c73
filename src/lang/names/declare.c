/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the statements define, and where it lies. States keep the order of their equations inside each block, slow, fast
 * and algebraic; the equations of a % block take turns. Parameters come in the order in which they are declared.
 */
#include "lang/graph/graph.h"
#include <math.h>

static void define_all(gt_ode *o)
{
    static const ode_kind kinds[] = {[ST_EQUATION] = K_STATE,    [ST_NAMED] = K_NAMED,     [ST_DERIVED] = K_DERIVED,
                                     [ST_FUNCTION] = K_FUNCTION, [ST_UNKNOWN] = K_UNKNOWN, [ST_PARAMETER] = K_PARAMETER,
                                     [ST_CONSTANT] = K_CONSTANT, [ST_TABLE] = K_TABLE,     [ST_WHOLE] = K_NONE};
    for (int32_t s = 0; s < o->n_statements; s++) {
        ode_kind kind = kinds[o->statements[s].kind];
        if (kind != K_NONE) o->statements[s].definition = gt_lang_define(o, kind, s);
    }
    gt_lang_sort_families(o);
}

/* ---- the order of the file ---- */

static int32_t length_of(const ode_statement *s) { return s->ranged ? s->hi - s->lo + 1 : 1; }

/* Statement s and, in a % block, those of its kind that follow it there. */
static int32_t members_of_block(gt_ode *o, int32_t s, ode_statement_kind kind, int32_t *first)
{
    *first = o->n_group_members;
    int32_t group = o->statements[s].group;
    for (int32_t k = s; k < o->n_statements; k++) {
        const ode_statement *other = &o->statements[k];
        if (k > s && (group < 0 || other->group != group)) {
            if (group < 0 || other->group >= 0) break;
            continue;
        }
        if (other->kind == kind) *ODE_PUSH(o, group_members, ODE_MAX_SYNTAX, "statements") = other->definition;
    }
    return o->n_group_members - *first;
}

static void place_block(gt_ode *o, int32_t s, ode_statement_kind kind)
{
    int32_t first, width = members_of_block(o, s, kind, &first), length = length_of(&o->statements[s]);
    int64_t end = (int64_t)o->n_positions + (int64_t)width * length;
    if (end > ODE_MAX_STATES)
        gt_lang_error(o, o->statements[s].at, "there are more than %d variables", (int)ODE_MAX_STATES);
    for (int32_t k = 0; k < width; k++) {
        ode_definition *d = &o->definitions[o->group_members[first + k]];
        bool down = o->statements[d->statement].down;
        d->position = o->n_positions + k + (down ? width * (length - 1) : 0);
        d->stride = down ? -width : width;
    }
    *ODE_PUSH(o, order, ODE_MAX_SYNTAX, "statements") =
        (ode_order){.first = o->n_positions,
                    .count = width * length,
                    .width = width,
                    .definition = width > 1 ? first : o->group_members[first]};
    o->n_positions = (int32_t)end;
}

/* t is at place 0. */
static void place_all(gt_ode *o)
{
    static const ode_statement_kind order[] = {ST_EQUATION, ST_NAMED, ST_UNKNOWN};
    o->n_positions = 1;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        for (int32_t s = 0; s < o->n_statements; s++) {
            const ode_statement *x = &o->statements[s];
            if (x->kind == order[k] && o->definitions[x->definition].position < 0) place_block(o, s, order[k]);
        }
        if (order[k] == ST_EQUATION) o->n_equations = o->n_positions - 1;
    }
}

/* ---- slots ---- */

/* Marks the elements of a state that #@ fast names: 1 in `fast` at its positions. */
static void mark_fast(gt_ode *o, int32_t s, unsigned char *fast)
{
    const ode_statement *x = &o->statements[s];
    const ode_symbol *symbol = &o->symbols[x->symbol];
    int32_t element, d;
    bool found = false;
    if (!x->ranged && (d = gt_lang_find_name(o, x->symbol, &element)) >= 0) {
        const ode_definition *def = &o->definitions[d];
        if (def->kind != K_STATE) gt_lang_error(o, x->at, "%s is no state with an equation", symbol->text);
        fast[def->position + def->stride * (def->family ? element - def->lo : 0)] = 1;
        return;
    }
    for (int32_t k = 0; k < symbol->n_families; k++) {
        const ode_definition *def = &o->definitions[o->families[symbol->first_family + k]];
        if (def->kind != K_STATE) continue;
        for (int32_t e = def->lo; e <= def->hi; e++) {
            if (x->ranged && (e < x->lo || e > x->hi)) continue;
            fast[def->position + def->stride * (e - def->lo)] = 1;
            found = true;
        }
    }
    if (!found) gt_lang_error(o, x->at, "there is no state %s%s", symbol->text, gt_lang_suggest(o, x->symbol));
}

/* Elements of one definition at consecutive places of one block are one segment. */
static void make_segments(gt_ode *o, ode_definition *d, const int32_t *slot)
{
    d->first_segment = o->n_segments;
    for (int32_t e = d->lo; e <= d->hi; e++) {
        int32_t here = slot[d->position + d->stride * (e - d->lo)];
        ode_segment *last = o->n_segments > d->first_segment ? &o->segments[o->n_segments - 1] : NULL;
        bool same_block = last && (last->slot < o->n_slow) == (here < o->n_slow);
        if (same_block && last->lo == last->hi) last->step = here - last->slot;
        if (same_block && here == last->slot + last->step * (e - last->lo) && (last->step || e == last->lo)) {
            last->hi = e;
            continue;
        }
        *ODE_PUSH(o, segments, ODE_MAX_STATES, "runs of states") =
            (ode_segment){.lo = e, .hi = e, .slot = here, .step = 1};
    }
    d->n_segments = o->n_segments - d->first_segment;
}

static void place_states(gt_ode *o)
{
    size_t count = (size_t)o->n_positions;
    unsigned char *fast = gt_lang_take(o, count, 1);
    int32_t *slot = gt_lang_take(o, count, sizeof *slot);
    for (int32_t s = 0; s < o->n_statements; s++)
        if (o->statements[s].kind == ST_FAST) mark_fast(o, s, fast);
    for (int32_t p = 1; p <= o->n_equations; p++) o->n_fast += fast[p];
    o->n_slow = o->n_equations - o->n_fast;
    int32_t next_slow = 0, next_fast = o->n_slow, next_alg = o->n_equations;
    for (int32_t p = 1; p <= o->n_equations; p++) slot[p] = fast[p] ? next_fast++ : next_slow++;
    for (int32_t k = 0; k < o->n_order; k++) {
        const ode_order *block = &o->order[k];
        const ode_definition *d =
            &o->definitions[block->width > 1 ? o->group_members[block->definition] : block->definition];
        if (d->kind == K_UNKNOWN)
            for (int32_t p = 0; p < block->count; p++) slot[block->first + p] = next_alg++;
    }
    o->n_alg = next_alg - o->n_equations;
    for (int32_t i = 0; i < o->n_definitions; i++) {
        ode_definition *d = &o->definitions[i];
        if (d->kind == K_STATE || d->kind == K_UNKNOWN) make_segments(o, d, slot);
    }
}

/* Equations 0= and unknowns must pair. */
static void count_algebraic(gt_ode *o)
{
    int64_t equations = 0;
    int32_t at = -1;
    for (int32_t s = 0; s < o->n_statements; s++) {
        const ode_statement *x = &o->statements[s];
        if (x->kind == ST_ALGEBRAIC) equations += length_of(x);
        if (x->kind == ST_ALGEBRAIC || x->kind == ST_UNKNOWN) at = x->at;
    }
    if (equations != o->n_alg)
        gt_lang_error(o, at, "there are %lld equations 0= but %d unknowns of solv; their numbers must agree",
                      (long long)equations, (int)o->n_alg);
    if (o->n_slow + o->n_fast + o->n_alg == 0)
        gt_lang_error(o, o->length ? 0 : -1, "the file has no equation: one looks like x'=-x or dx/dt=-x");
}

/* ---- initial values ---- */

static void paint_start(gt_ode *o, int32_t s)
{
    const ode_statement *x = &o->statements[s];
    const char *name = o->symbols[x->symbol].text;
    int32_t element, d;
    if (!x->ranged) {
        d = gt_lang_find_name(o, x->symbol, &element);
        if (d >= 0 && o->definitions[d].kind != K_STATE && o->definitions[d].kind != K_UNKNOWN) d = -1;
        if (d < 0)
            gt_lang_error(o, x->at, "%s has no equation, so it has no initial value%s", name,
                          gt_lang_suggest(o, x->symbol));
        const ode_definition *def = &o->definitions[d];
        o->start_of[def->position + def->stride * (def->family ? element - def->lo : 0)] = s;
        return;
    }
    for (int32_t j = x->lo; j <= x->hi; j++) {
        d = gt_lang_find_element(o, x->symbol, (int64_t)j + x->shift, &element);
        if (d >= 0 && o->definitions[d].kind != K_STATE && o->definitions[d].kind != K_UNKNOWN) d = -1;
        if (d < 0)
            gt_lang_error(o, x->at, "%s%d has no equation, so it has no initial value", name, (int)(j + x->shift));
        const ode_definition *def = &o->definitions[d];
        int32_t position = def->position + def->stride * (def->family ? element - def->lo : 0);
        o->start_of[position] = s;
        o->start_j[position] = j;
    }
}

bool gt_lang_starts_alone(const gt_ode *o, int32_t definition, int32_t statement)
{
    const ode_statement *s = &o->statements[statement];
    return s->ranged && (s->symbol != o->definitions[definition].symbol || !o->definitions[definition].family);
}

/* Later lines win; arrays with formulas come after all others, as in XPPAUT; #@ start is stronger still. */
static void find_starts(gt_ode *o)
{
    o->start_of = gt_lang_take(o, (size_t)o->n_positions, sizeof *o->start_of);
    o->start_j = gt_lang_take(o, (size_t)o->n_positions, sizeof *o->start_j);
    for (int32_t p = 0; p < o->n_positions; p++) o->start_of[p] = -1;
    for (int32_t i = 0; i < o->n_definitions; i++) { /* the guess of solv */
        const ode_definition *d = &o->definitions[i];
        if (d->kind != K_UNKNOWN || o->statements[d->statement].value < 0) continue;
        for (int32_t e = d->lo; e <= d->hi; e++) o->start_of[d->position + d->stride * (e - d->lo)] = d->statement;
    }
    for (int32_t rank = RANK_PLAIN; rank <= RANK_OWN; rank++)
        for (int32_t s = 0; s < o->n_statements; s++)
            if (o->statements[s].kind == ST_START && o->statements[s].rank == rank) paint_start(o, s);
}

/* ---- parameters ---- */

static void place_parameters(gt_ode *o)
{
    int64_t count = 0;
    for (int32_t s = 0; s < o->n_statements; s++)
        if (o->statements[s].kind == ST_PARAMETER) count += length_of(&o->statements[s]);
    if (count > GT_MAX_PARAMS)
        gt_lang_error(o, -1, "there are %lld parameters; at most %d can be declared by par, the others by number",
                      (long long)count, GT_MAX_PARAMS);
    o->defaults = gt_lang_take(o, (size_t)count + 1, sizeof *o->defaults);
    for (int32_t s = 0; s < o->n_statements; s++) {
        if (o->statements[s].kind != ST_PARAMETER) continue;
        ode_definition *d = &o->definitions[o->statements[s].definition];
        d->slot = o->n_params;
        o->n_params += length_of(&o->statements[s]);
    }
    o->n_p = o->n_params;
}

/* Defaults may refer to parameters that stand before them. */
static void evaluate_parameters(gt_ode *o)
{
    for (int32_t s = 0; s < o->n_statements; s++) {
        ode_statement x = o->statements[s];
        if (x.kind != ST_PARAMETER) continue;
        int32_t slot = o->definitions[x.definition].slot;
        for (int32_t j = x.lo; j <= x.hi; j++)
            o->defaults[slot + j - x.lo] = x.value < 0 ? 0 : gt_lang_constant(o, x.value, x.ranged, j);
    }
}

/* ---- tables, functions, units ---- */

static void place_tables(gt_ode *o)
{
    for (int32_t s = 0; s < o->n_statements; s++) {
        const ode_statement *x = &o->statements[s];
        if (x->kind != ST_TABLE) continue;
        ode_definition *d = &o->definitions[x->definition];
        d->slot = o->n_tables;
        *ODE_PUSH(o, tables, 10000, "tables") = (ode_table){
            .definition = x->definition, .slot = o->n_p, .n = x->table_n, .lo = x->table_lo, .hi = x->table_hi};
        if (o->n_p > ODE_MAX_STATES - x->table_n) gt_lang_error(o, x->at, "the tables are too large");
        o->n_p += x->table_n;
    }
}

/* Depth first along calls: whoever is met while still open closes a circle, and calls itself. */
static void find_recursion(gt_ode *o, int32_t definition, unsigned char *state, int32_t *stack, int32_t depth)
{
    enum { OPEN = 1, DONE = 2, DEEPEST = 2000 };
    const ode_statement *s = &o->statements[o->definitions[definition].statement];
    if (depth >= DEEPEST) gt_lang_error(o, s->at, "functions call functions more than %d deep", DEEPEST);
    state[definition] = OPEN;
    stack[depth] = definition;
    int32_t first = s->first_syntax, last = s->value;
    for (int32_t k = first; k <= last; k++) {
        const ode_syntax *x = &o->syntax[k];
        if ((x->kind != S_CALL && x->kind != S_NAME) || o->symbols[x->symbol].builtin >= 0) continue;
        int32_t other = o->symbols[x->symbol].single;
        if (other < 0) continue;
        ode_kind kind = o->definitions[other].kind;
        if (kind != K_FUNCTION && kind != K_NAMED) continue;
        if (state[other] == OPEN) {
            for (int32_t i = depth; i >= 0; i--) {
                if (o->definitions[stack[i]].kind == K_FUNCTION) o->definitions[stack[i]].recursive = true;
                if (stack[i] == other) break;
            }
        } else if (!state[other]) {
            find_recursion(o, other, state, stack, depth + 1);
        }
    }
    state[definition] = DONE;
}

static void find_recursive_functions(gt_ode *o)
{
    enum { DEEPEST = 2000 };
    unsigned char *state = gt_lang_take(o, (size_t)o->n_definitions + 1, 1);
    int32_t *stack = gt_lang_take(o, DEEPEST, sizeof *stack);
    for (int32_t i = 0; i < o->n_definitions; i++)
        if (o->definitions[i].kind == K_FUNCTION && !state[i]) find_recursion(o, i, state, stack, 0);
}

static void attach_words(gt_ode *o)
{
    for (int32_t s = 0; s < o->n_statements; s++) {
        const ode_statement *x = &o->statements[s];
        if (x->kind != ST_UNIT && x->kind != ST_HELP && x->kind != ST_RANGE && x->kind != ST_WHOLE &&
            x->kind != ST_CHOICE)
            continue;
        const ode_symbol *symbol = &o->symbols[x->symbol];
        int32_t d = symbol->single >= 0 ? symbol->single : symbol->n_families ? o->families[symbol->first_family] : -1;
        if (d < 0) gt_lang_error(o, x->at, "%s is not defined%s", symbol->text, gt_lang_suggest(o, x->symbol));
        ode_definition *def = &o->definitions[d];
        if (x->kind != ST_UNIT && def->kind != K_PARAMETER) gt_lang_error(o, x->at, "%s is no parameter", symbol->text);
        if (x->kind == ST_UNIT) def->unit = x->text;
        if (x->kind == ST_HELP) def->help = x->text;
        if (x->kind == ST_WHOLE) def->whole = true;
        if (x->kind == ST_CHOICE) {
            def->choices = x->choices;
            def->min = 0, def->max = -1;
            for (const char **word = x->choices; *word; word++) def->max++;
        }
        if (x->kind == ST_RANGE) {
            if (def->choices) gt_lang_error(o, x->at, "%s is a choice and has no range", symbol->text);
            def->min = x->table_lo, def->max = x->table_hi;
        }
        if (x->kind != ST_RANGE && x->kind != ST_CHOICE) continue;
        for (int32_t k = 0; k <= (def->family ? def->hi - def->lo : 0); k++)
            if (!(o->defaults[def->slot + k] >= def->min && o->defaults[def->slot + k] <= def->max))
                gt_lang_error(o, x->at, "%s is %g in the file, which is not in the range", symbol->text,
                              o->defaults[def->slot + k]);
            else if (def->choices && o->defaults[def->slot + k] != floor(o->defaults[def->slot + k]))
                gt_lang_error(o, x->at, "a choice is a whole number, from 0 on");
    }
}

/* XPPAUT evaluates named expressions in the order of the file: one that is used before it stands there has an old
 * value.
 */
static void warn_of_order(gt_ode *o)
{
    for (int32_t s = 0; s < o->n_statements; s++) {
        if (o->statements[s].kind != ST_NAMED) continue;
        for (int32_t k = o->statements[s].first_syntax; k <= o->statements[s].value; k++) {
            const ode_syntax *x = &o->syntax[k];
            int32_t element, d = x->kind == S_NAME ? gt_lang_find_name(o, x->symbol, &element) : -1;
            if (d < 0 || o->definitions[d].kind != K_NAMED || o->definitions[d].statement <= s) continue;
            gt_lang_warn(o, x->at, "%s stands further down; XPPAUT would take its value of before",
                         o->symbols[x->symbol].text);
            break;
        }
    }
}

void gt_lang_declare(gt_ode *o)
{
    define_all(o);
    place_all(o);
    place_states(o);
    count_algebraic(o);
    find_starts(o);
    place_parameters(o);
    place_tables(o);
    find_recursive_functions(o);
    evaluate_parameters(o);
    attach_words(o);
    warn_of_order(o);
}

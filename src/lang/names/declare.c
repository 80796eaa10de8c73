/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the statements define, and where it lies. States keep the order of their equations inside
 * each block, slow, fast and algebraic; the equations of a % block take turns. Parameters come in
 * the order in which they are declared.
 */
#include "lang/names/names.h"
#include <assert.h>
#include <string.h>

static void define_all(ode_names *names)
{
    static const ode_kind kinds[] = {
        [ST_EQUATION] = K_STATE,    [ST_NAMED] = K_NAMED,     [ST_DERIVED] = K_DERIVED,
        [ST_FUNCTION] = K_FUNCTION, [ST_UNKNOWN] = K_UNKNOWN, [ST_PARAMETER] = K_PARAMETER,
        [ST_CONSTANT] = K_CONSTANT, [ST_TABLE] = K_TABLE,     [ST_WHOLE] = K_NONE};
    for (int32_t s = 0; s < names->parsed->n_statements; s++) {
        ode_kind kind = kinds[names->parsed->statements[s].kind];
        if (kind != K_NONE) names->definition_of[s] = gt_lang_define(names, kind, s);
    }
    gt_lang_sort_families(names);
}

/* ---- the order of the file ---- */

static int32_t length_of(const ode_statement *s) { return s->ranged ? s->hi - s->lo + 1 : 1; }

/* Statement s and, in a % block, those of its kind that follow it there. */
static int32_t members_of_block(ode_names *names, int32_t s, ode_statement_kind kind,
                                int32_t *first)
{
    *first = names->n_group_members;
    int32_t group = names->parsed->statements[s].group;
    for (int32_t k = s; k < names->parsed->n_statements; k++) {
        const ode_statement *other = &names->parsed->statements[k];
        if (k > s && (group < 0 || other->group != group)) {
            if (group < 0 || other->group >= 0) break;
            continue;
        }
        if (other->kind == kind)
            *ODE_PUSH(names, group_members, ODE_MAX_SYNTAX, "statements") = names->definition_of[k];
    }
    return names->n_group_members - *first;
}

static void place_block(ode_names *names, int32_t s, ode_statement_kind kind)
{
    int32_t first;
    int32_t width = members_of_block(names, s, kind, &first);
    int32_t length = length_of(&names->parsed->statements[s]);
    int64_t end = (int64_t)names->n_positions + (int64_t)width * length;
    if (end > ODE_MAX_STATES)
        gt_lang_error(names->work, names->parsed->statements[s].at,
                      "there are more than %d variables", (int)ODE_MAX_STATES);
    for (int32_t k = 0; k < width; k++) {
        ode_definition *d = &names->definitions[names->group_members[first + k]];
        bool down = names->parsed->statements[d->statement].down;
        d->position = names->n_positions + k + (down ? width * (length - 1) : 0);
        d->stride = down ? -width : width;
    }
    *ODE_PUSH(names, order, ODE_MAX_SYNTAX, "statements") =
        (ode_order){.first = names->n_positions,
                    .count = width * length,
                    .width = width,
                    .definition = width > 1 ? first : names->group_members[first]};
    names->n_positions = (int32_t)end;
}

/* t is at place 0. */
static void place_all(ode_names *names)
{
    static const ode_statement_kind order[] = {ST_EQUATION, ST_NAMED, ST_UNKNOWN};
    names->n_positions = 1;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
        for (int32_t s = 0; s < names->parsed->n_statements; s++) {
            const ode_statement *x = &names->parsed->statements[s];
            if (x->kind == order[k] && names->definitions[names->definition_of[s]].position < 0)
                place_block(names, s, order[k]);
        }
        if (order[k] == ST_EQUATION) names->n_equations = names->n_positions - 1;
    }
}

/* ---- slots ---- */

enum { RATE_GIVEN = 128 };

static void set_rate(ode_names *names, int32_t s, const ode_definition *def, int32_t element,
                     unsigned char *rate)
{
    const ode_statement *x = &names->parsed->statements[s];
    unsigned char *to = &rate[def->position + def->stride * (def->family ? element - def->lo : 0)];
    if (*to)
        gt_lang_error(names->work, x->at,
                      "%s already has a rate: a state is named once in #@ fast "
                      "and #@ rate",
                      names->parsed->symbols[x->symbol].text);
    *to = (unsigned char)(x->rate | RATE_GIVEN);
}

/* Marks the elements of a state that #@ fast or #@ rate names, at their positions. */
static void mark_rate(ode_names *names, int32_t s, unsigned char *rate)
{
    const ode_statement *x = &names->parsed->statements[s];
    const ode_symbol *symbol = &names->parsed->symbols[x->symbol];
    int32_t element, d;
    bool found = false;
    if (!x->ranged && (d = gt_lang_find_name(names, x->symbol, &element)) >= 0) {
        const ode_definition *def = &names->definitions[d];
        if (def->kind != K_STATE)
            gt_lang_error(names->work, x->at, "%s is not a state with an equation", symbol->text);
        set_rate(names, s, def, element, rate);
        return;
    }
    const ode_binding *binding = &names->bindings[x->symbol];
    for (int32_t k = 0; k < binding->n_families; k++) {
        const ode_definition *def = &names->definitions[names->families[binding->first_family + k]];
        if (def->kind != K_STATE) continue;
        for (int32_t e = def->lo; e <= def->hi; e++) {
            if (x->ranged && (e < x->lo || e > x->hi)) continue;
            set_rate(names, s, def, e, rate);
            found = true;
        }
    }
    if (!found)
        gt_lang_error(names->work, x->at, "there is no state %s%s", symbol->text,
                      gt_lang_suggest(names, x->symbol));
}

/* Elements of one definition at consecutive places of one block are one segment. */
static void make_segments(ode_names *names, ode_definition *d, const int32_t *slot)
{
    d->first_segment = names->n_segments;
    for (int32_t e = d->lo; e <= d->hi; e++) {
        int32_t here = slot[d->position + d->stride * (e - d->lo)];
        ode_segment *last =
            names->n_segments > d->first_segment ? &names->segments[names->n_segments - 1] : NULL;
        bool same_block = last && ode_rate_of(names, last->slot) == ode_rate_of(names, here);
        if (same_block && last->lo == last->hi) last->step = here - last->slot;
        if (same_block && here == last->slot + last->step * (e - last->lo) &&
            (last->step || e == last->lo)) {
            last->hi = e;
            continue;
        }
        *ODE_PUSH(names, segments, ODE_MAX_STATES, "runs of states") =
            (ode_segment){.lo = e, .hi = e, .slot = here, .step = 1};
    }
    d->n_segments = names->n_segments - d->first_segment;
}

/* Sizes of the rates, and where each begins. All up to the highest have states; rate 0 may have
 * none where there is no other but 1. */
static void count_rates(ode_names *names, const unsigned char *rate, int32_t *next)
{
    int32_t sizes[ODE_MAX_RATES + 1] = {0}, at[ODE_MAX_RATES + 1] = {0}, highest = 0;
    for (int32_t p = 1; p <= names->n_equations; p++) sizes[rate[p] & ~RATE_GIVEN]++;
    for (int32_t s = 0; s < names->parsed->n_statements; s++) {
        const ode_statement *x = &names->parsed->statements[s];
        if (x->kind != ST_FAST) continue;
        at[x->rate] = x->at;
        if (x->rate > highest) highest = x->rate;
    }
    for (int32_t r = 0; r < highest; r++)
        if (!sizes[r] && highest > 1)
            gt_lang_error(names->work, at[highest],
                          "rate %d has no states, and rate %d has: rates "
                          "count from 0, the states that no #@ rate names",
                          (int)r, (int)highest);
    names->n_slow = sizes[0];
    names->n_fast = names->n_equations - names->n_slow;
    names->n_rates = highest > 1 ? highest : 0;
    next[0] = 0;
    for (int32_t r = 1; r <= highest; r++) {
        names->rate_sizes[r - 1] = (size_t)sizes[r];
        next[r] = next[r - 1] + sizes[r - 1];
    }
}

static void place_states(ode_names *names)
{
    size_t count = (size_t)names->n_positions;
    unsigned char *rate = gt_lang_take(names->work, count, 1);
    int32_t *slot = gt_lang_take(names->work, count, sizeof *slot);
    int32_t next[ODE_MAX_RATES + 1] = {0};
    for (int32_t s = 0; s < names->parsed->n_statements; s++)
        if (names->parsed->statements[s].kind == ST_FAST) mark_rate(names, s, rate);
    count_rates(names, rate, next);
    int32_t next_alg = names->n_equations;
    for (int32_t p = 1; p <= names->n_equations; p++) slot[p] = next[rate[p] & ~RATE_GIVEN]++;
    for (int32_t k = 0; k < names->n_order; k++) {
        const ode_order *block = &names->order[k];
        const ode_definition *d =
            &names->definitions[block->width > 1 ? names->group_members[block->definition]
                                                 : block->definition];
        if (d->kind == K_UNKNOWN)
            for (int32_t p = 0; p < block->count; p++) slot[block->first + p] = next_alg++;
    }
    names->n_alg = next_alg - names->n_equations;
    for (int32_t i = 0; i < names->n_definitions; i++) {
        ode_definition *d = &names->definitions[i];
        if (d->kind == K_STATE || d->kind == K_UNKNOWN) make_segments(names, d, slot);
    }
}

/* Equations 0= and unknowns must pair. */
static void count_algebraic(ode_names *names)
{
    int64_t equations = 0;
    int32_t at = -1;
    bool primes = false; /* x' of equations 0=F(t,x,x') are unknowns too */
    for (int32_t s = 0; s < names->parsed->n_statements; s++) {
        const ode_statement *x = &names->parsed->statements[s];
        if (x->kind == ST_ALGEBRAIC) equations += length_of(x);
        if (x->kind == ST_ALGEBRAIC || x->kind == ST_UNKNOWN) at = x->at;
        if (x->kind == ST_UNKNOWN && strchr(names->parsed->symbols[x->symbol].text, '\''))
            primes = true;
    }
    if (equations != names->n_alg)
        gt_lang_error(
            names->work, at,
            "there are %lld equations 0= but %d unknowns of solv%s; their numbers must agree",
            (long long)equations, (int)names->n_alg,
            primes ? " and x' without an equation x'=" : "");
    if (names->n_slow + names->n_fast + names->n_alg == 0)
        gt_lang_error(names->work, names->parsed->source->length ? 0 : -1,
                      "the file has no equation: one looks like x'=-x or dx/dt=-x");
}

/* ---- parameters ---- */

static void place_parameters(ode_names *names)
{
    bool full = false;
    for (int32_t s = 0; s < names->parsed->n_statements; s++) {
        const ode_statement *x = &names->parsed->statements[s];
        if (x->kind != ST_PARAMETER) continue;
        ode_definition *d = &names->definitions[names->definition_of[s]];
        if (full || names->n_params + length_of(x) > GT_MAX_PARAMS) {
            if (!full)
                gt_lang_warn(names->work, x->at,
                             "a model has at most %d parameters: from %s on they are read as by "
                             "number, and cannot be changed but in the file",
                             GT_MAX_PARAMS, names->parsed->symbols[x->symbol].text);
            full = true;
            d->kind = K_CONSTANT;
            continue;
        }
        d->slot = names->n_params;
        names->n_params += length_of(x);
    }
    names->n_p = names->n_params;
}

/* ---- tables, functions, units ---- */

static void place_tables(ode_names *names)
{
    for (int32_t s = 0; s < names->parsed->n_statements; s++) {
        const ode_statement *x = &names->parsed->statements[s];
        if (x->kind != ST_TABLE) continue;
        ode_definition *d = &names->definitions[names->definition_of[s]];
        d->slot = names->n_tables;
        *ODE_PUSH(names, tables, 10000, "tables") =
            (ode_table){.definition = names->definition_of[s],
                        .slot = names->n_p,
                        .n = x->table_n,
                        .lo = x->table_lo,
                        .hi = x->table_hi,
                        .samples = x->samples};
        if (names->n_p > ODE_MAX_STATES - x->table_n)
            gt_lang_error(names->work, x->at, "the tables are too large");
        names->n_p += x->table_n;
    }
}

/* Depth first along calls: whoever is met while still open closes a circle, and calls itself. */
static void find_recursion(ode_names *names, int32_t definition, unsigned char *state,
                           int32_t *stack, int32_t depth)
{
    enum { OPEN = 1, DONE = 2, DEEPEST = 2000 };
    const ode_statement *s = &names->parsed->statements[names->definitions[definition].statement];
    if (depth >= DEEPEST)
        gt_lang_error(names->work, s->at, "functions call functions more than %d deep", DEEPEST);
    state[definition] = OPEN;
    stack[depth] = definition;
    int32_t first = s->first_syntax, last = s->value;
    for (int32_t k = first; k <= last; k++) {
        const ode_syntax *x = &names->parsed->syntax[k];
        if ((x->kind != S_CALL && x->kind != S_NAME) ||
            names->parsed->symbols[x->symbol].builtin >= 0)
            continue;
        int32_t other = names->bindings[x->symbol].single;
        if (other < 0) continue;
        ode_kind kind = names->definitions[other].kind;
        if (kind != K_FUNCTION && kind != K_NAMED) continue;
        if (state[other] == OPEN) {
            for (int32_t i = depth; i >= 0; i--) {
                if (names->definitions[stack[i]].kind == K_FUNCTION)
                    names->definitions[stack[i]].recursive = true;
                if (stack[i] == other) break;
            }
        } else if (!state[other]) {
            find_recursion(names, other, state, stack, depth + 1);
        }
    }
    state[definition] = DONE;
}

static void find_recursive_functions(ode_names *names)
{
    enum { DEEPEST = 2000 };
    unsigned char *state = gt_lang_take(names->work, (size_t)names->n_definitions + 1, 1);
    int32_t *stack = gt_lang_take(names->work, DEEPEST, sizeof *stack);
    for (int32_t i = 0; i < names->n_definitions; i++)
        if (names->definitions[i].kind == K_FUNCTION && !state[i])
            find_recursion(names, i, state, stack, 0);
}

/* What #@ lines say about a name. */
static void attach_words(ode_names *names)
{
    for (int32_t s = 0; s < names->parsed->n_statements; s++) {
        const ode_statement *x = &names->parsed->statements[s];
        if (x->kind != ST_UNIT && x->kind != ST_HELP && x->kind != ST_RANGE &&
            x->kind != ST_WHOLE && x->kind != ST_CHOICE)
            continue;
        const char *text = names->parsed->symbols[x->symbol].text;
        const ode_binding *binding = &names->bindings[x->symbol];
        int32_t d = binding->single;
        if (d < 0 && binding->n_families) d = names->families[binding->first_family];
        if (d < 0)
            gt_lang_error(names->work, x->at, "%s is not defined%s", text,
                          gt_lang_suggest(names, x->symbol));
        ode_definition *def = &names->definitions[d];
        names->definition_of[s] = d;
        if (x->kind != ST_UNIT && def->kind != K_PARAMETER)
            gt_lang_error(names->work, x->at, "%s is not a parameter", text);
        if (x->kind == ST_UNIT) def->unit = x->text;
        if (x->kind == ST_HELP) def->help = x->text;
        if (x->kind == ST_WHOLE) def->whole = true;
        if (x->kind == ST_CHOICE) {
            def->choices = x->choices;
            def->min = 0, def->max = -1;
            for (const char **word = x->choices; *word; word++) def->max++;
        }
        if (x->kind == ST_RANGE) {
            if (def->choices)
                gt_lang_error(names->work, x->at, "%s is a choice and has no range", text);
            def->min = x->table_lo, def->max = x->table_hi;
        }
    }
}

/* XPPAUT evaluates named expressions in the order of the file: one that is used before it stands
 * there has an old value.
 */
static void warn_of_order(ode_names *names)
{
    for (int32_t s = 0; s < names->parsed->n_statements; s++) {
        if (names->parsed->statements[s].kind != ST_NAMED) continue;
        for (int32_t k = names->parsed->statements[s].first_syntax;
             k <= names->parsed->statements[s].value; k++) {
            const ode_syntax *x = &names->parsed->syntax[k];
            int32_t element;
            int32_t d = x->kind == S_NAME ? gt_lang_find_name(names, x->symbol, &element) : -1;
            if (d < 0 || names->definitions[d].kind != K_NAMED ||
                names->definitions[d].statement <= s ||
                strchr(names->parsed->symbols[x->symbol].text, '\'')) /* XPPAUT has no x' there */
                continue;
            gt_lang_warn(names->work, x->at,
                         "%s is defined further down; XPPAUT would take its previous value",
                         names->parsed->symbols[x->symbol].text);
            break;
        }
    }
}

void gt_lang_declare(ode_names *names)
{
    const ode_parsed *parsed = names->parsed;
    assert(!names->work->n_errors); /* a file with errors has no meaning */
    names->bindings =
        gt_lang_take(names->work, (size_t)parsed->n_symbols + 1, sizeof *names->bindings);
    for (int32_t k = 0; k < parsed->n_symbols; k++) names->bindings[k].single = -1;
    names->definition_of =
        gt_lang_take(names->work, (size_t)parsed->n_statements + 1, sizeof *names->definition_of);
    define_all(names);
    place_all(names);
    place_states(names);
    count_algebraic(names);
    gt_lang_find_starts(names);
    place_parameters(names);
    place_tables(names);
    find_recursive_functions(names);
    attach_words(names);
    warn_of_order(names);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Algebraic equations of higher index. An equation without an unknown of solv constrains the
 * states: 0 = g(t, x). It is differentiated along x' = f(t, x, y) until there is an unknown in it,
 *
 *     0 = g' = g_t + g_x f,     0 = g'', ...
 *
 * (Pantelides, SIAM J. Sci. Stat. Comput. 9 (1988) 213). An equation that competes for an unknown
 * with another one is first freed of it, where the other is linear in it. The last derivative takes
 * the place of the equation; what was there before it is kept as a constraint, each with a new
 * unknown mu of its own, which is zero and holds the solution where the constraints are met (Gear,
 * Gupta, Leimkuhler, J. Comput. Appl. Math. 12 (1985) 77):
 *
 *     x' = f(t, x, y) + sum_k (dg_k/dx)^T mu_k,     0 = g_k(t, x)
 *
 * All of it has index 2, whatever the index was.
 */
#include "lang/lower/reduce_index.h"
#include <assert.h>
#include <string.h>

enum { MOST_UNKNOWNS = 2000, MOST_DERIVATIVES = 4, MOST_ROWS = 20000 };

static bool is_number(const ode_graph *graph, int32_t node, double value)
{
    return graph->nodes[node].op == N_CONST && graph->nodes[node].value == value;
}

/* ---- the equations, one by one ---- */

/* The right-hand side of one state. */
static int32_t slope_of(ode_reduction *r, int32_t slot)
{
    if (r->f[slot] >= 0) return r->f[slot];
    for (int32_t k = 0; k < r->eq->n_rows; k++) {
        const ode_row *row = &r->eq->rows[k];
        for (int32_t j = row->lo; j <= row->hi; j++)
            if (row->first + (row->loop ? row->step * j : 0) == slot)
                return r->f[slot] = gt_lang_put_in(&r->put, row->node, j);
    }
    assert(!"a state without an equation");
    return gt_lang_zero(r->graph);
}

static bool begin(ode_reduction *r, ode_equations *eq)
{
    size_t n_diff = (size_t)(eq->names->n_slow + eq->names->n_fast), m = (size_t)eq->names->n_alg;
    ode_work *work = eq->work;
    *r = (ode_reduction){.eq = eq, .graph = eq->graph, .n_diff = (int32_t)n_diff, .m = (int32_t)m};
    if (!m || m > MOST_UNKNOWNS) return false;
    r->put = gt_lang_putter(eq->graph);
    r->node = gt_lang_take(work, m, sizeof *r->node);
    r->times = gt_lang_take(work, m, sizeof *r->times);
    r->statement = gt_lang_take(work, m, sizeof *r->statement);
    r->unknown = gt_lang_take(work, m, sizeof *r->unknown);
    r->solves = gt_lang_take(work, m, sizeof *r->solves);
    r->solved_by = gt_lang_take(work, m, sizeof *r->solved_by);
    r->chosen = gt_lang_take(work, m, 1);
    r->f = gt_lang_take(work, n_diff + 1, sizeof *r->f);
    memset(r->f, 0xff, (n_diff + 1) * sizeof *r->f);
    for (int32_t k = 0; k < eq->n_rows; k++) {
        const ode_row row = eq->rows[k];
        for (int32_t j = row.lo; j <= row.hi && row.block == 2; j++) {
            int32_t e = row.first + (row.loop ? row.step * j : 0) - r->n_diff;
            r->node[e] = gt_lang_put_in(&r->put, row.node, j);
        }
    }
    int32_t e = 0;
    for (int32_t k = 0; k < eq->parsed->n_statements; k++) {
        const ode_statement *s = &eq->parsed->statements[k];
        if (s->kind != ST_ALGEBRAIC) continue;
        for (int32_t j = 0; j < (s->ranged ? s->hi - s->lo + 1 : 1); j++) r->statement[e++] = k;
    }
    assert(e == r->m);
    for (e = 0; e < r->m && !r->put.failed; e++) gt_lang_find_unknowns(r, e);
    return !r->put.failed;
}

/* "0=x^2+y^2-1", as it stands in the file. */
static const char *text_of(const ode_reduction *r, int32_t equation)
{
    const ode_statement *s = &r->eq->parsed->statements[r->statement[equation]];
    int32_t length = s->end - s->at;
    while (length && r->eq->parsed->source->text[s->at + length - 1] == ' ') length--;
    return gt_lang_copy(r->eq->work, r->eq->parsed->source->text + s->at,
                        (size_t)(length < 80 ? length : 80));
}

/* ---- one step towards index 1 ---- */

/* The unknown that nothing is left for, by name. */
static const char *open_unknown(const ode_reduction *r)
{
    for (int32_t y = 0; y < r->m; y++) {
        if (r->solved_by[y] >= 0) continue;
        const ode_names *names = r->eq->names;
        for (int32_t d = 0; d < names->n_definitions; d++) {
            const ode_definition *def = &names->definitions[d];
            for (int32_t k = 0; def->kind == K_UNKNOWN && k < def->n_segments; k++) {
                const ode_segment *s = &names->segments[def->first_segment + k];
                for (int32_t e = s->lo; e <= s->hi; e++)
                    if (s->slot + s->step * (e - s->lo) == r->n_diff + y)
                        return names->parsed->symbols[def->symbol].display;
            }
        }
    }
    return "an unknown of solv";
}

static void add_constraint(ode_reduction *r, int32_t equation)
{
    *ODE_PUSH(r->eq, hidden, ODE_MAX_NODES, "constraints") =
        (ode_hidden){.node = r->node[equation], .equation = equation, .text = text_of(r, equation)};
}

/* Unknowns that are written in an equation and cancel out of it. */
static void leave_out_unknowns(ode_reduction *r, int32_t equation)
{
    ode_partial *partials;
    int32_t count = gt_lang_partials(r->graph, r->node[equation], &partials);
    for (int32_t k = 0; k < count; k++) {
        int32_t slot = r->graph->nodes[partials[k].leaf].a;
        if (slot >= r->n_diff)
            r->node[equation] = gt_lang_put_state(r->graph, r->node[equation], slot,
                                                  gt_lang_zero(r->graph), &r->put.failed);
    }
}

/* Whether derivatives of an expression may ever contain an unknown that no equation is left for:
 * what is in it, in f of its states, and in the equations of its unknowns, and so on. */
static bool leads_to_open(ode_reduction *r, int32_t node)
{
    size_t room = (size_t)(r->n_diff + r->m) + 1;
    unsigned char *seen = gt_lang_take(r->eq->work, room, 1);
    int32_t *list = gt_lang_take(r->eq->work, room, sizeof *list), count = 0;
    ode_partial *partials;
    for (int32_t k = -1; k < count; k++) {
        int32_t y = k < 0 ? -1 : list[k] - r->n_diff, of = node;
        if (y >= 0 && r->solved_by[y] < 0) return true;
        if (k >= 0) of = y >= 0 ? r->node[r->solved_by[y]] : slope_of(r, list[k]);
        int32_t n = gt_lang_partials(r->graph, of, &partials);
        for (int32_t i = 0; i < n; i++) {
            int32_t slot = r->graph->nodes[partials[i].leaf].a;
            if (!seen[slot]) seen[slot] = 1, list[count++] = slot;
        }
    }
    return false;
}

static void refuse(ode_reduction *r, int32_t equation)
{
    int32_t at = r->eq->parsed->statements[r->statement[equation]].at;
    gt_lang_match_rest(r);
    if (!leads_to_open(r, r->node[equation]))
        gt_lang_error(r->eq->work, at,
                      "the equations are structurally singular: neither %s nor a derivative of it "
                      "contains anything that could determine %s; it may repeat or contradict "
                      "another one",
                      text_of(r, equation), open_unknown(r));
    gt_lang_error(
        r->eq->work, at,
        "%s has an index above %d: differentiated %d times it still determines no unknown "
        "of solv (%s is open); write a derivative of it in its place",
        text_of(r, equation), MOST_DERIVATIVES + 1, (int)MOST_DERIVATIVES, open_unknown(r));
}

/* 0 = g becomes 0 = g_t + g_x f. */
static void differentiate(ode_reduction *r, int32_t equation)
{
    ode_graph *graph = r->graph;
    ode_partial *partials;
    if (r->times[equation] >= MOST_DERIVATIVES) refuse(r, equation);
    leave_out_unknowns(r, equation);
    add_constraint(r, equation);
    int32_t rate = gt_lang_partial_in_time(graph, r->node[equation]);
    int32_t count = gt_lang_partials(graph, r->node[equation], &partials);
    for (int32_t k = 0; k < count; k++) {
        int32_t slot = graph->nodes[partials[k].leaf].a;
        if (slot >= r->n_diff || is_number(graph, partials[k].node, 0)) continue;
        int32_t term = gt_lang_times(graph, partials[k].node, slope_of(r, slot));
        rate = gt_lang_binary(graph, N_ADD, rate, term);
    }
    r->node[equation] = rate;
    r->times[equation]++;
    gt_lang_find_unknowns(r, equation);
}

/* How well a derivative serves to solve for its unknown: 0 not at all. */
static int quality(const ode_graph *graph, int32_t slope)
{
    const ode_node *n = &graph->nodes[slope];
    if (n->flags & (DEP_STATE | DEP_TIME | DEP_ARG | HAS_CALL | HAS_TABLE)) return 0;
    return n->op != N_CONST ? 1 : fabs(n->value) == 1 ? 3 : 2;
}

/* a y + b = 0 is solved for y, which is put into the other equations of the chosen set. */
static bool eliminate(ode_reduction *r)
{
    ode_graph *graph = r->graph;
    int32_t equation = -1, place = -1;
    int best = 0;
    for (int32_t e = 0; e < r->m; e++)
        for (int32_t k = 0; r->chosen[e] && k < r->unknown[e].count; k++) {
            bool shared = false;
            for (int32_t o = 0; o < r->m; o++)
                for (int32_t i = 0; r->chosen[o] && o != e && i < r->unknown[o].count; i++)
                    shared = shared || r->unknown[o].unknowns[i] == r->unknown[e].unknowns[k];
            int found = shared ? quality(graph, r->unknown[e].slopes[k]) : 0;
            if (found > best) best = found, equation = e, place = k;
        }
    if (!best) return false;
    bool failed = false;
    int32_t y = r->unknown[equation].unknowns[place], a = r->unknown[equation].slopes[place];
    int32_t b =
        gt_lang_put_state(graph, r->node[equation], r->n_diff + y, gt_lang_zero(graph), &failed);
    int32_t value = gt_lang_negative(graph, gt_lang_binary(graph, N_DIV, b, a));
    for (int32_t o = 0; o < r->m && !failed; o++) {
        if (!r->chosen[o] || o == equation) continue;
        r->node[o] = gt_lang_put_state(graph, r->node[o], r->n_diff + y, value, &failed);
        gt_lang_find_unknowns(r, o);
    }
    return !failed;
}

/* ---- the equations that come out ---- */

static void push_row(ode_equations *eq, int32_t slot, int32_t node, int32_t block)
{
    *ODE_PUSH(eq, rows, ODE_MAX_NODES, "equations") =
        (ode_row){.node = node, .first = slot, .block = block};
}

/* sum_k (dg_k/dx)^T mu_k for each state; -1: nothing. */
static int32_t *make_forces(ode_reduction *r)
{
    ode_equations *eq = r->eq;
    int32_t *force = gt_lang_take(eq->work, (size_t)r->n_diff + 1, sizeof *force);
    memset(force, 0xff, ((size_t)r->n_diff + 1) * sizeof *force);
    for (int32_t k = 0; k < eq->n_hidden; k++) {
        ode_partial *partials;
        int32_t mu = gt_lang_leaf(r->graph, N_STATE, r->n_diff + r->m + k, 0, 0);
        int32_t count = gt_lang_partials(r->graph, eq->hidden[k].node, &partials);
        for (int32_t i = 0; i < count; i++) {
            int32_t slot = r->graph->nodes[partials[i].leaf].a;
            if (slot >= r->n_diff || is_number(r->graph, partials[i].node, 0)) continue;
            int32_t term = gt_lang_times(r->graph, partials[i].node, mu);
            force[slot] =
                force[slot] < 0 ? term : gt_lang_binary(r->graph, N_ADD, force[slot], term);
        }
    }
    return force;
}

static bool is_pushed(const ode_row *row, const int32_t *force)
{
    for (int32_t j = row->lo; j <= row->hi; j++)
        if (force[row->first + (row->loop ? row->step * j : 0)] >= 0) return true;
    return false;
}

static void replace_rows(ode_reduction *r)
{
    ode_equations *eq = r->eq;
    const int32_t *force = make_forces(r);
    int32_t count = eq->n_rows, kept = 0;
    ode_row *rows = gt_lang_take(eq->work, (size_t)count, sizeof *rows);
    memcpy(rows, eq->rows, (size_t)count * sizeof *rows);
    for (int32_t k = 0; k < count; k++) /* all f are made from the rows as they were */
        for (int32_t j = rows[k].lo; j <= rows[k].hi && rows[k].block < 2; j++)
            if (is_pushed(&rows[k], force))
                slope_of(r, rows[k].first + (rows[k].loop ? rows[k].step * j : 0));
    for (int32_t k = 0; k < count; k++)
        if (rows[k].block < 2 && !is_pushed(&rows[k], force)) eq->rows[kept++] = rows[k];
    eq->n_rows = kept;
    for (int32_t k = 0; k < count; k++)
        for (int32_t j = rows[k].lo; j <= rows[k].hi && rows[k].block < 2; j++) {
            if (!is_pushed(&rows[k], force)) break;
            int32_t slot = rows[k].first + (rows[k].loop ? rows[k].step * j : 0);
            int32_t f = r->f[slot];
            push_row(eq, slot,
                     force[slot] < 0 ? f : gt_lang_binary(r->graph, N_ADD, f, force[slot]),
                     rows[k].block);
        }
    for (int32_t e = 0; e < r->m; e++) push_row(eq, r->n_diff + e, r->node[e], 2);
    for (int32_t k = 0; k < eq->n_hidden; k++)
        push_row(eq, r->n_diff + r->m + k, eq->hidden[k].node, 2);
}

/* What the new unknowns are called: mu1, mu2, .., unless the file has such names. */
static const char *free_name(const ode_parsed *parsed)
{
    static const char *const names[] = {"mu", "mu_", "hold", "hold_", "mu__"};
    enum { COUNT = sizeof names / sizeof *names };
    for (int k = 0; k < COUNT; k++) {
        bool taken = false;
        size_t length = strlen(names[k]);
        for (int32_t s = 0; s < parsed->n_symbols; s++)
            taken = taken || !strncmp(parsed->symbols[s].text, names[k], length);
        if (!taken || k == COUNT - 1) return names[k];
    }
    return "";
}

void gt_lang_reduce_index(ode_equations *eq)
{
    ode_reduction r;
    if (!begin(&r, eq)) return;
    for (int32_t turn = 0, most = 20 * r.m + 20; turn < most; turn++) {
        int32_t equation = gt_lang_deficient(&r);
        if (equation < 0) break;
        if (!r.unknown[equation].count)
            differentiate(&r, equation);
        else if (!eliminate(&r))
            turn = most; /* it stays as it is; a run says what is singular */
        if (r.put.failed || turn >= most - 1) {
            eq->n_hidden = 0;
            return;
        }
    }
    if (!eq->n_hidden) return;
    for (int32_t e = 0; e < r.m; e++)
        if (r.times[e] + 1 > eq->index) eq->index = r.times[e] + 1;
    eq->hidden_name = free_name(eq->parsed);
    replace_rows(&r);
}

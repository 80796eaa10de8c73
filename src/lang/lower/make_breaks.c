/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times that the text names. A relation whose two sides meet at a time that depends on parameters
 * only, as in heav(t-c), if(t<c) or mod(t,T)<w, is a break of the problem: the time goes to p when
 * a problem is built, a step ends there, and f is asked at the time itself for its right limit. So
 * that this is what it gives, the relation compares t with the very number that is the break, and
 * at equality counts as what it is afterwards.
 *
 * So are the samples of a table of t where constraints were differentiated: a kink of the
 * constraint is a jump in what follows from it. Of other tables of t the kinks that stand out are
 * (break_times.c): a pulse would be stepped over.
 */
#include "lang/lower/in_time.h"
#include "lang/lower/rewrite.h"
#include <math.h>

enum { MOST = 20000 }; /* times and clocks of a model */

typedef struct named_time {
    int32_t time, lo, hi, i_lo, i_hi, place;
} named_time;

/* What moves with mod or floor: its values, and the six numbers that say when it switches. */
typedef struct ticker {
    ode_output value;
    int32_t fields[GT_ODE_CLOCK];
    int64_t count;
} ticker;

typedef struct finder {
    ode_equations *eq;
    ode_moving moving;
    named_time *lines;
    int32_t n_lines, room_lines;
    ticker *clocks;
    int32_t n_clocks, room_clocks;
    int64_t total;
} finder;

/* ---- linear in t ---- */

/* The node that holds the time; -1 when there are too many. */
static int32_t time_of(ode_rewriter *w, const ode_in_time *g)
{
    finder *f = w->what;
    ode_equations *eq = f->eq;
    int32_t time = gt_lang_binary(eq->graph, N_DIV, gt_lang_negative(eq->graph, g->b), g->a);
    ode_spread at = gt_lang_spread(w, time, eq->n_p);
    named_time made = {.time = time, .place = eq->n_p};
    if (at.step) made.lo = w->lo, made.hi = w->hi;
    if (at.inner) made.i_lo = w->i_lo, made.i_hi = w->i_hi;
    for (int32_t k = 0; k < f->n_lines; k++) {
        const named_time *l = &f->lines[k];
        if (l->time != time || l->lo != made.lo || l->hi != made.hi || l->i_lo != made.i_lo ||
            l->i_hi != made.i_hi)
            continue;
        at = gt_lang_spread(w, time, l->place);
        return gt_lang_leaf(eq->graph, N_PARAM, at.first, at.step, at.inner);
    }
    if (f->total + at.count > MOST) return -1;
    f->total += at.count;
    gt_lang_grow(eq->work, (void **)&f->lines, f->n_lines, &f->room_lines, sizeof *f->lines, MOST,
                 "times in relations");
    f->lines[f->n_lines++] = made;
    gt_lang_output(eq->work, &eq->outputs[P_SETUP], gt_lang_spread_output(w, time, time, &at));
    eq->n_p += (int32_t)at.count;
    eq->n_breaks += (int)at.count;
    return gt_lang_leaf(eq->graph, N_PARAM, at.first, at.step, at.inner);
}

/* Is g above zero, from its zero on when it rises? */
static int32_t is_above(ode_graph *graph, int32_t rate, int32_t time)
{
    int32_t t = gt_lang_leaf(graph, N_TIME, 0, 0, 0);
    int32_t after = gt_lang_binary(graph, N_GE, t, time);
    int32_t before = gt_lang_binary(graph, N_LT, t, time);
    return gt_lang_if(graph, gt_lang_binary(graph, N_GT, rate, gt_lang_number(graph, 0)), after,
                      before);
}

/* ---- periods ---- */

static bool is_number(const ode_graph *graph, int32_t node)
{
    return graph->nodes[node].op == N_CONST;
}

static bool add_clock(ode_rewriter *w, int32_t node, const ode_in_time *g, bool own)
{
    finder *f = w->what;
    ode_equations *eq = f->eq;
    ode_spread at = gt_lang_spread(w, node, 0);
    int32_t zero = gt_lang_number(eq->graph, 0);
    if (f->total + at.count > MOST) return false;
    f->total += at.count;
    gt_lang_grow(eq->work, (void **)&f->clocks, f->n_clocks, &f->room_clocks, sizeof *f->clocks,
                 MOST, "times in relations");
    f->clocks[f->n_clocks++] =
        (ticker){.value = gt_lang_spread_output(w, node, node, &at),
                 .fields = {own ? zero : g->a, g->b, g->c, g->m_a, g->m_b, g->m_t},
                 .count = at.count};
    return true;
}

/* The samples of a table inside it: k = floor((argument - lo) / distance), as its value says it. In
 * place of the rate stands which table's kinks are meant, 0: all samples. */
static void add_samples(ode_rewriter *w, const ode_node *n)
{
    finder *f = w->what;
    ode_graph *graph = w->graph;
    const ode_table *table = &f->eq->names->tables[n->b];
    double distance = (table->hi - table->lo) / (table->n - 1);
    ode_in_time line;
    if (table->n < 3 || !gt_lang_in_time(graph, &f->moving, n->a, &line) || line.m_t >= 0) return;
    int32_t lo = gt_lang_number(graph, table->lo);
    line.m_a = line.a;
    line.m_b = gt_lang_binary(graph, N_SUB, line.b, lo);
    line.m_t = gt_lang_number(graph, -distance);
    line.b = gt_lang_number(graph, 1);
    line.c = gt_lang_number(graph, table->n - 2);
    int32_t place = gt_lang_binary(graph, N_DIV, gt_lang_binary(graph, N_SUB, n->a, lo),
                                   gt_lang_number(graph, distance));
    line.a = gt_lang_number(graph, f->eq->n_hidden ? 0 : n->b + 1);
    add_clock(w, gt_lang_unary(graph, N_FLR, place), &line, false);
}

/* As is_above, where the rate inside a period is a number. */
static int32_t within_period(ode_rewriter *w, int32_t node, int32_t g, const ode_in_time *line)
{
    ode_graph *graph = w->graph;
    if (is_number(graph, line->a) && ode_is(graph->nodes[node].op, OP_STEPS)) {
        bool rises = graph->nodes[line->a].value > 0;
        node = gt_lang_sided(
            graph, node, gt_lang_binary(graph, rises ? N_GE : N_GT, g, gt_lang_number(graph, 0)));
    }
    add_clock(w, node, line, false);
    return node;
}

static int32_t find_time(ode_rewriter *w, int32_t node)
{
    finder *f = w->what;
    ode_equations *eq = f->eq;
    ode_node n = eq->graph->nodes[node];
    ode_in_time line;
    if (n.op == N_TABLE || n.op == N_SLOPE) add_samples(w, &n);
    if (!(n.flags & DEP_TIME) || (n.flags & (DEP_STATE | DEP_ARG | HAS_CALL | HAS_TABLE)))
        return node;
    if (ode_is(n.op, OP_JUMPS)) {
        if (gt_lang_in_time(eq->graph, &f->moving, node, &line)) add_clock(w, node, &line, true);
        return node;
    }
    int32_t g = gt_lang_surface(eq->graph, node);
    if (g < 0 || !gt_lang_in_time(eq->graph, &f->moving, g, &line)) return node;
    if (is_number(eq->graph, line.a) && eq->graph->nodes[line.a].value == 0)
        return node; /* moves with whole periods only */
    if (line.m_t >= 0) return within_period(w, node, g, &line);
    int32_t time = time_of(w, &line);
    if (time < 0) return node;
    int32_t value = gt_lang_sided(eq->graph, node, is_above(eq->graph, line.a, time));
    return gt_lang_if(eq->graph,
                      gt_lang_binary(eq->graph, N_EQ, line.a, gt_lang_number(eq->graph, 0)), node,
                      value);
}

/* ---- all of them ---- */

ode_moving gt_lang_set_by_events(const ode_equations *eq)
{
    if (!eq->events_set_params) return (ode_moving){0};
    unsigned char *moving = gt_lang_take(eq->work, (size_t)eq->names->n_params + 1, 1);
    for (int32_t e = 0; e < eq->n_events; e++) {
        const ode_event *what = &eq->events[e];
        for (int32_t k = 0; k < what->n_actions; k++) {
            const ode_action *act = &what->actions[k];
            if (act->what != A_PARAM) continue;
            for (int32_t j = what->lo; j <= what->hi; j++) moving[act->first + act->step * j] = 1;
        }
    }
    return (ode_moving){.set = moving, .n_params = eq->names->n_params};
}

static void place_clocks(ode_equations *eq, const finder *f)
{
    eq->clock_place = eq->n_p;
    for (int32_t k = 0; k < f->n_clocks; k++) {
        const ticker *c = &f->clocks[k];
        for (int32_t i = 0; i < GT_ODE_CLOCK; i++) {
            ode_output out = c->value;
            out.node = c->fields[i];
            out.first = eq->n_p + i + GT_ODE_CLOCK * out.first;
            out.step *= GT_ODE_CLOCK;
            out.inner *= GT_ODE_CLOCK;
            gt_lang_output(eq->work, &eq->outputs[P_SETUP], out);
        }
        ode_output value = c->value;
        value.first += eq->n_clocks;
        gt_lang_output(eq->work, &eq->outputs[P_CLOCKS], value);
        eq->n_p += GT_ODE_CLOCK * (int32_t)c->count;
        eq->n_clocks += (int)c->count;
    }
}

void gt_lang_make_breaks(ode_equations *eq)
{
    finder f = {.eq = eq, .moving = gt_lang_set_by_events(eq)};
    if (eq->parsed->switches_off) return;
    ode_rewriter w = gt_lang_rewriter(eq->graph, find_time, &f);
    for (int32_t k = 0; k < eq->n_rows; k++)
        if (eq->graph->nodes[eq->rows[k].node].flags & DEP_TIME)
            eq->rows[k].node = gt_lang_rewrite_row(&w, &eq->rows[k]);
    place_clocks(eq, &f);
}

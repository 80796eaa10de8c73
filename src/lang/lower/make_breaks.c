/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Times that the text names. A relation whose two sides meet at a time that depends on parameters only, as in
 * heav(t-c), if(t<c) or mod(t,T)<w, is a break of the problem: the time goes to p when a problem is built, a step ends
 * there, and f is asked at the time itself for its right limit. So that this is what it gives, the relation compares t
 * with the very number that is the break, and at equality counts as what it is afterwards.
 */
#include "lang/graph/rewrite.h"
#include "lang/lower/in_time.h"
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
    const unsigned char *moving;
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
    gt_ode *o = w->o;
    finder *f = w->what;
    int32_t time = gt_lang_binary(o, N_DIV, gt_lang_negative(o, g->b), g->a);
    ode_spread at = gt_lang_spread(w, time, o->n_p);
    named_time made = {.time = time, .place = o->n_p};
    if (at.step) made.lo = w->lo, made.hi = w->hi;
    if (at.inner) made.i_lo = w->i_lo, made.i_hi = w->i_hi;
    for (int32_t k = 0; k < f->n_lines; k++) {
        const named_time *l = &f->lines[k];
        if (l->time != time || l->lo != made.lo || l->hi != made.hi || l->i_lo != made.i_lo || l->i_hi != made.i_hi)
            continue;
        at = gt_lang_spread(w, time, l->place);
        return gt_lang_leaf(o, N_PARAM, at.first, at.step, at.inner);
    }
    if (f->total + at.count > MOST) return -1;
    f->total += at.count;
    gt_lang_grow(o, (void **)&f->lines, f->n_lines, &f->room_lines, sizeof *f->lines, MOST, "times in relations");
    f->lines[f->n_lines++] = made;
    gt_lang_output(o, &o->programs[P_SETUP], gt_lang_spread_output(w, time, time, &at));
    o->n_p += (int32_t)at.count;
    o->code.n_breaks += (int)at.count;
    return gt_lang_leaf(o, N_PARAM, at.first, at.step, at.inner);
}

/* Is g above zero, from its zero on when it rises? */
static int32_t is_above(gt_ode *o, int32_t rate, int32_t time)
{
    int32_t t = gt_lang_leaf(o, N_TIME, 0, 0, 0), after = gt_lang_binary(o, N_GE, t, time),
            before = gt_lang_binary(o, N_LT, t, time);
    return gt_lang_if(o, gt_lang_binary(o, N_GT, rate, gt_lang_number(o, 0)), after, before);
}

/* ---- periods ---- */

static bool is_number(const gt_ode *o, int32_t node) { return o->nodes[node].op == N_CONST; }

static bool add_clock(ode_rewriter *w, int32_t node, const ode_in_time *g, bool own)
{
    gt_ode *o = w->o;
    finder *f = w->what;
    ode_spread at = gt_lang_spread(w, node, 0);
    int32_t zero = gt_lang_number(o, 0);
    if (f->total + at.count > MOST) return false;
    f->total += at.count;
    gt_lang_grow(o, (void **)&f->clocks, f->n_clocks, &f->room_clocks, sizeof *f->clocks, MOST, "times in relations");
    f->clocks[f->n_clocks++] = (ticker){.value = gt_lang_spread_output(w, node, node, &at),
                                        .fields = {own ? zero : g->a, g->b, g->c, g->m_a, g->m_b, g->m_t},
                                        .count = at.count};
    return true;
}

/* As is_above, where the rate inside a period is a number. */
static int32_t within_period(ode_rewriter *w, int32_t node, int32_t g, const ode_in_time *line)
{
    gt_ode *o = w->o;
    if (is_number(o, line->a) && ode_is(o->nodes[node].op, OP_STEPS)) {
        bool rises = o->nodes[line->a].value > 0;
        node = gt_lang_sided(o, node, gt_lang_binary(o, rises ? N_GE : N_GT, g, gt_lang_number(o, 0)));
    }
    add_clock(w, node, line, false);
    return node;
}

static int32_t find_time(ode_rewriter *w, int32_t node)
{
    gt_ode *o = w->o;
    finder *f = w->what;
    ode_node n = o->nodes[node];
    ode_in_time line;
    if (!(n.flags & DEP_TIME) || (n.flags & (DEP_STATE | DEP_ARG | HAS_CALL | HAS_TABLE))) return node;
    if (ode_is(n.op, OP_JUMPS)) {
        if (gt_lang_in_time(o, f->moving, node, &line)) add_clock(w, node, &line, true);
        return node;
    }
    int32_t g = gt_lang_surface(o, node);
    if (g < 0 || !gt_lang_in_time(o, f->moving, g, &line)) return node;
    if (is_number(o, line.a) && o->nodes[line.a].value == 0) return node; /* moves with whole periods only */
    if (line.m_t >= 0) return within_period(w, node, g, &line);
    int32_t time = time_of(w, &line);
    if (time < 0) return node;
    int32_t value = gt_lang_sided(o, node, is_above(o, line.a, time));
    return gt_lang_if(o, gt_lang_binary(o, N_EQ, line.a, gt_lang_number(o, 0)), node, value);
}

/* ---- all of them ---- */

const unsigned char *gt_lang_set_by_events(gt_ode *o)
{
    if (!o->events_set_params) return NULL;
    unsigned char *moving = gt_lang_take(o, (size_t)o->n_params + 1, 1);
    for (int32_t e = 0; e < o->n_events; e++) {
        const ode_event *what = &o->events[e];
        for (int32_t k = 0; k < what->n_actions; k++) {
            const ode_action *act = &what->actions[k];
            if (act->what != A_PARAM) continue;
            for (int32_t j = what->lo; j <= what->hi; j++) moving[act->first + act->step * j] = 1;
        }
    }
    return moving;
}

static void place_clocks(gt_ode *o, const finder *f)
{
    o->code.clock_place = o->n_p;
    for (int32_t k = 0; k < f->n_clocks; k++) {
        const ticker *c = &f->clocks[k];
        for (int32_t i = 0; i < GT_ODE_CLOCK; i++) {
            ode_output out = c->value;
            out.node = c->fields[i];
            out.first = o->n_p + i + GT_ODE_CLOCK * out.first;
            out.step *= GT_ODE_CLOCK;
            out.inner *= GT_ODE_CLOCK;
            gt_lang_output(o, &o->programs[P_SETUP], out);
        }
        ode_output value = c->value;
        value.first += o->code.n_clocks;
        gt_lang_output(o, &o->programs[P_CLOCKS], value);
        o->n_p += GT_ODE_CLOCK * (int32_t)c->count;
        o->code.n_clocks += (int)c->count;
    }
}

void gt_lang_make_breaks(gt_ode *o)
{
    finder f = {.moving = gt_lang_set_by_events(o)};
    if (o->switches_off) return;
    ode_rewriter w = gt_lang_rewriter(o, find_time, &f);
    for (int32_t k = 0; k < o->n_rows; k++)
        if (o->nodes[o->rows[k].node].flags & DEP_TIME) o->rows[k].node = gt_lang_rewrite_row(&w, &o->rows[k]);
    place_clocks(o, &f);
}

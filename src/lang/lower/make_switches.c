/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Relations that switch where the solution takes them: each gets a function g that passes zero
 * there, and in a second form of the right-hand side its value can be held, so that f goes on
 * smoothly beyond the surface. What is held is the truth of the relation: abs, min and max, and
 * derivatives of all, follow from it.
 */
#include "lang/lower/in_time.h"
#include "lang/lower/rewrite.h"
#include <stdlib.h>

enum {
    MOST_RELATIONS = 5000,   /* in the text, with arrays counted once */
    MOST_SWITCHES = 1 << 21, /* all elements counted */
    MOST_LOOKS = 2000
};

/* ---- what a function of t and x is like ---- */

typedef struct look {
    ode_graph *graph;
    const ode_moving *moving;
    int looks;
    bool moves; /* not only by jumps of relations */
    bool jumps; /* by mod or floor that is neither held nor of t alone, which jumps at breaks */
} look;

static void look_at(look *l, int32_t node)
{
    const ode_node n = l->graph->nodes[node];
    if (!(n.flags & (DEP_STATE | DEP_TIME)) || l->jumps) return;
    if (++l->looks > MOST_LOOKS) {
        l->moves = true;
        return;
    }
    if (ode_is(n.op, OP_STEPS)) return;
    if (ode_is(n.op, OP_JUMPS)) {
        ode_in_time line;
        if (!gt_lang_in_time(l->graph, l->moving, node, &line)) l->jumps = true;
        if (n.op == N_MOD) l->moves = true; /* floor and ceil stand still between the breaks */
        return;
    }
    if (n.op == N_IF) {
        look_at(l, n.b);
        look_at(l, n.c);
        return;
    }
    int operands = ode_operands(n.op);
    if (!operands) {
        l->moves = true;
        return;
    }
    const int32_t operand[] = {n.a, n.b, n.c};
    for (int k = 0; k < operands; k++) look_at(l, operand[k]);
}

/* Does g pass zero smoothly, at a place that is not known beforehand? */
static bool is_surface(ode_graph *graph, const ode_moving *moving, int32_t g)
{
    ode_in_time line;
    if (!(graph->nodes[g].flags & (DEP_STATE | DEP_TIME)) || (graph->nodes[g].flags & DEP_ARG))
        return false;
    int32_t moves = graph->nodes[g].op == N_WAVE ? graph->nodes[g].a : g;
    if (gt_lang_in_time(graph, moving, moves, &line)) return false; /* a break */
    look l = {.graph = graph, .moving = moving};
    look_at(&l, g);
    return l.moves && !l.jumps;
}

/* ---- relations ---- */

typedef struct holder {
    ode_equations *eq;
    ode_moving moving;
} holder;

static bool same_place(const ode_output *a, const ode_output *b)
{
    return a->node == b->node && a->loop == b->loop && a->inner_loop == b->inner_loop &&
           a->lo == b->lo && a->hi == b->hi && a->inner_lo == b->inner_lo &&
           a->inner_hi == b->inner_hi;
}

/* The relation `truth` held by the switch at `at`, whose g has the other sign: as what it is not.
 */
static int32_t hold_opposite(ode_graph *graph, int32_t truth, const ode_output *at)
{
    static const ode_op opposites[N_COUNT] = {
        [N_LT] = N_GE, [N_LE] = N_GT, [N_GT] = N_LE, [N_GE] = N_LT};
    ode_node n = graph->nodes[truth];
    if (n.op == N_SIGN) {
        int32_t sign = gt_lang_unary(graph, N_SIGN, gt_lang_negative(graph, n.a));
        return gt_lang_negative(
            graph, gt_lang_held_node(graph, N_HELD_SIGN, sign, at->first, at->step, at->inner));
    }
    int32_t other = n.op == N_HEAV ? gt_lang_binary(graph, N_LT, n.a, gt_lang_number(graph, 0))
                                   : gt_lang_binary(graph, opposites[n.op], n.a, n.b);
    return gt_lang_unary(graph, N_NOT,
                         gt_lang_held_node(graph, N_HELD, other, at->first, at->step, at->inner));
}

/* The relation `truth`, which holds where g is positive, as one that can be held; itself when there
 * are too many. `named`: what a reader of the model knows it by. */
static int32_t hold(ode_rewriter *w, int32_t truth, int32_t g, int32_t named)
{
    const holder *h = w->what;
    ode_equations *eq = h->eq;
    ode_spread spread = gt_lang_spread(w, g, eq->n_switches);
    ode_output out = gt_lang_spread_output(w, g, g, &spread);
    ode_output minus = out;
    minus.node = gt_lang_negative(eq->graph, g);
    ode_op op = eq->graph->nodes[truth].op == N_SIGN ? N_HELD_SIGN : N_HELD;
    for (int32_t k = 0; k < eq->n_relations; k++) { /* x<1 and x>=1 are one surface */
        ode_output at = eq->relations[k].g;
        if (same_place(&at, &out))
            return gt_lang_held_node(eq->graph, op, truth, at.first, at.step, at.inner);
        if (same_place(&at, &minus)) return hold_opposite(eq->graph, truth, &at);
    }
    if (eq->n_relations >= MOST_RELATIONS || spread.count > MOST_SWITCHES - eq->n_switches)
        return truth;
    *ODE_PUSH(eq, relations, MOST_RELATIONS, "relations") = (ode_relation){.node = named, .g = out};
    eq->n_switches += (int32_t)spread.count;
    gt_lang_output(eq->work, &eq->outputs[P_SWITCHES], out);
    return gt_lang_held_node(eq->graph, op, truth, spread.first, spread.step, spread.inner);
}

static int32_t hold_relation(ode_rewriter *w, int32_t node)
{
    const holder *h = w->what;
    ode_graph *graph = w->graph;
    int32_t g = gt_lang_surface(graph, node);
    if (g < 0 || !is_surface(graph, &h->moving, g)) return node;
    int32_t truth = gt_lang_truth(graph, node);
    int32_t held = hold(w, truth, g, ode_is(graph->nodes[node].op, OP_JUMPS) ? node : truth);
    if (held == truth) return node;
    return truth == node ? held : gt_lang_sided(graph, node, held);
}

static bool has_relations(const ode_graph *graph)
{
    for (int32_t k = 0; k < graph->n_nodes; k++)
        if (ode_is(graph->nodes[k].op, OP_SWITCHES)) return true;
    return false;
}

void gt_lang_make_switches(ode_equations *eq)
{
    for (int32_t k = 0; k < eq->n_rows; k++) eq->rows[k].held = eq->rows[k].node;
    if (eq->parsed->switches_off || !has_relations(eq->graph)) return;
    holder h = {.eq = eq, .moving = gt_lang_set_by_events(eq)};
    ode_rewriter w = gt_lang_rewriter(eq->graph, hold_relation, &h);
    for (int32_t k = 0; k < eq->n_rows; k++)
        eq->rows[k].held = gt_lang_rewrite_row(&w, &eq->rows[k]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Relations that switch where the solution takes them: each gets a function g that passes zero there, and in a second
 * form of the right-hand side its value can be held, so that f goes on smoothly beyond the surface. What is held is the
 * truth of the relation: abs, min and max, and derivatives of all, follow from it.
 */
#include "lang/graph/rewrite.h"
#include "lang/lower/in_time.h"
#include <stdlib.h>

enum {
    MOST_RELATIONS = 5000,   /* in the text, with arrays counted once */
    MOST_SWITCHES = 1 << 21, /* all elements counted */
    MOST_LOOKS = 2000
};

/* ---- what a function of t and x is like ---- */

typedef struct look {
    const gt_ode *o;
    int looks;
    bool moves; /* not only by jumps of relations */
    bool jumps; /* by mod or floor, which are not held */
} look;

static void look_at(look *l, int32_t node)
{
    const ode_node *n = &l->o->nodes[node];
    if (!(n->flags & (DEP_STATE | DEP_TIME)) || l->jumps) return;
    if (++l->looks > MOST_LOOKS) {
        l->moves = true;
        return;
    }
    if (ode_is(n->op, OP_STEPS)) return;
    if (ode_is(n->op, OP_JUMPS)) {
        l->jumps = true;
        return;
    }
    if (n->op == N_IF) {
        look_at(l, n->b);
        look_at(l, n->c);
        return;
    }
    int operands = ode_operands(n->op);
    if (!operands) {
        l->moves = true;
        return;
    }
    const int32_t operand[] = {n->a, n->b, n->c};
    for (int k = 0; k < operands; k++) look_at(l, operand[k]);
}

/* Does g pass zero smoothly, at a place that is not known beforehand? */
static bool is_surface(gt_ode *o, const unsigned char *moving, int32_t g)
{
    ode_in_time line;
    if (!(o->nodes[g].flags & (DEP_STATE | DEP_TIME)) || (o->nodes[g].flags & DEP_ARG)) return false;
    if (gt_lang_in_time(o, moving, g, &line)) return false; /* a break */
    look l = {.o = o};
    look_at(&l, g);
    return l.moves && !l.jumps;
}

/* ---- relations ---- */

static bool same_place(const ode_output *a, const ode_output *b)
{
    return a->node == b->node && a->loop == b->loop && a->inner_loop == b->inner_loop && a->lo == b->lo &&
           a->hi == b->hi && a->inner_lo == b->inner_lo && a->inner_hi == b->inner_hi;
}

/* The relation `truth` held by the switch at `at`, whose g has the other sign: as what it is not. */
static int32_t hold_opposite(gt_ode *o, int32_t truth, const ode_output *at)
{
    static const ode_op opposites[N_COUNT] = {[N_LT] = N_GE, [N_LE] = N_GT, [N_GT] = N_LE, [N_GE] = N_LT};
    ode_node n = o->nodes[truth];
    if (n.op == N_SIGN) {
        int32_t sign = gt_lang_unary(o, N_SIGN, gt_lang_negative(o, n.a));
        return gt_lang_negative(o, gt_lang_held_node(o, N_HELD_SIGN, sign, at->first, at->step, at->inner));
    }
    int32_t other = n.op == N_HEAV ? gt_lang_binary(o, N_LT, n.a, gt_lang_number(o, 0))
                                   : gt_lang_binary(o, opposites[n.op], n.a, n.b);
    return gt_lang_unary(o, N_NOT, gt_lang_held_node(o, N_HELD, other, at->first, at->step, at->inner));
}

/* The relation `truth`, which holds where g is positive, as one that can be held; itself when there are too many. */
static int32_t hold(ode_rewriter *w, int32_t truth, int32_t g)
{
    gt_ode *o = w->o;
    ode_spread spread = gt_lang_spread(w, g, o->n_switches);
    ode_output out = gt_lang_spread_output(w, g, g, &spread);
    ode_output minus = out;
    minus.node = gt_lang_negative(o, g);
    ode_op op = o->nodes[truth].op == N_SIGN ? N_HELD_SIGN : N_HELD;
    for (int32_t k = 0; k < o->n_relations; k++) { /* x<1 and x>=1 are one surface */
        ode_output at = o->relations[k].g;
        if (same_place(&at, &out)) return gt_lang_held_node(o, op, truth, at.first, at.step, at.inner);
        if (same_place(&at, &minus)) return hold_opposite(o, truth, &at);
    }
    if (o->n_relations >= MOST_RELATIONS || spread.count > MOST_SWITCHES - o->n_switches) return truth;
    *ODE_PUSH(o, relations, MOST_RELATIONS, "relations") = (ode_relation){.node = truth, .g = out};
    o->n_switches += (int32_t)spread.count;
    gt_lang_output(o, &o->programs[P_SWITCHES], out);
    return gt_lang_held_node(o, op, truth, spread.first, spread.step, spread.inner);
}

static int32_t hold_relation(ode_rewriter *w, int32_t node)
{
    gt_ode *o = w->o;
    int32_t g = gt_lang_surface(o, node);
    if (g < 0 || !is_surface(o, w->what, g)) return node;
    int32_t truth = gt_lang_truth(o, node), held = hold(w, truth, g);
    if (held == truth) return node;
    return truth == node ? held : gt_lang_sided(o, node, held);
}

static bool has_relations(const gt_ode *o)
{
    for (int32_t k = 0; k < o->n_nodes; k++)
        if (ode_is(o->nodes[k].op, OP_SWITCHES)) return true;
    return false;
}

void gt_lang_make_switches(gt_ode *o)
{
    for (int32_t k = 0; k < o->n_rows; k++) o->rows[k].held = o->rows[k].node;
    if (o->switches_off || !has_relations(o)) return;
    ode_rewriter w = gt_lang_rewriter(o, hold_relation, (void *)(uintptr_t)gt_lang_set_by_events(o));
    for (int32_t k = 0; k < o->n_rows; k++) o->rows[k].held = gt_lang_rewrite_row(&w, &o->rows[k]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program as steps. What does not depend on j comes first; then one loop for each range, in which all outputs of that
 * range are computed together and share their subexpressions; inside it, loops over i. What depends on parameters only
 * is not computed at all but taken from p, where the program P_SETUP puts it.
 */
#include "lang/graph/graph.h"
#include <stdlib.h>
#include <string.h>

bool gt_lang_is_hoistable(const gt_ode *o, int32_t node)
{
    const ode_node *n = &o->nodes[node];
    uint8_t moving = DEP_STATE | DEP_TIME | DEP_J | DEP_I | DEP_ARG | HAS_CALL | HAS_TABLE;
    return ode_operands(n->op) > 0 && (n->flags & DEP_PARAM) && !(n->flags & moving);
}

typedef struct scheduler {
    gt_ode *o;
    ode_program *p;
    int hoist;
    const ode_output *loop; /* whose loop is at hand; NULL: none */
    int32_t *stack, n_stack, room_stack;
    int32_t *scalars, n_scalars, room_scalars; /* nodes without j and i */
    int32_t *moving, n_moving, room_moving;    /* nodes of the loop at hand */
    int32_t *inner, n_inner, room_inner;       /* nodes with i of the inner loop or sum at hand */
    int32_t *sums, n_sums, room_sums;
} scheduler;

static void add(gt_ode *o, int32_t **list, int32_t *count, int32_t *room, int32_t node)
{
    gt_lang_grow(o, (void **)list, *count, room, sizeof **list, ODE_MAX_NODES, "parts of a program");
    (*list)[(*count)++] = node;
}

static void hoist(gt_ode *o, int32_t node)
{
    if (o->hoisted[node] >= 0) return;
    ode_program *setup = &o->programs[P_SETUP];
    if (o->n_p >= ODE_MAX_STATES) gt_lang_error(o, -1, "the model has too many constants");
    o->hoisted[node] = o->n_p;
    gt_lang_output(o, setup, (ode_output){.node = node, .first = o->n_p});
    o->n_p++;
}

/* Of the tree below a node, as far as it matters. */
static double cost_below(const gt_ode *o, int32_t node, int depth)
{
    enum { ENOUGH = 6, DEEPEST = 20 };
    const ode_node *n = &o->nodes[node];
    int operands = ode_operands(n->op);
    if (!operands || depth > DEEPEST) return 0;
    double cost = ode_cost(o->nodes[node].op) + cost_below(o, n->a, depth + 1);
    if (operands > 1 && cost < ENOUGH) cost += cost_below(o, n->b, depth + 1);
    if (operands > 2 && cost < ENOUGH) cost += cost_below(o, n->c, depth + 1);
    return cost;
}

/* Whether the node is the same at every call but differs with j, and is worth a place in p for each j. */
static bool is_fixed_array(const scheduler *s, int32_t node)
{
    const uint8_t moving = DEP_STATE | DEP_TIME | DEP_I | DEP_ARG | HAS_CALL | HAS_TABLE;
    const ode_node *n = &s->o->nodes[node];
    return s->hoist > 1 && s->loop && s->loop->loop && (n->flags & DEP_J) && !(n->flags & moving) &&
           ode_operands(n->op) && n->op != N_SUM && cost_below(s->o, node, 0) >= 6;
}

enum { NO_ROOM = INT32_MIN, MOST_TWICE = 2 };

/* Where in p it is for j = 0. */
static int32_t array_place(const scheduler *s, int32_t node)
{
    enum { MANY = 256 };
    gt_ode *o = s->o;
    int32_t lo = s->loop->lo, hi = s->loop->hi, length = hi - lo + 1;
    for (int32_t k = 0; k < o->n_arrays; k++) {
        const ode_array *a = &o->arrays[k];
        if (a->node == node && a->lo == lo && a->hi == hi) return a->first;
    }
    if (o->n_arrays >= MANY || length > ODE_MAX_STATES - o->n_p) return NO_ROOM;
    ode_array made = {.node = node, .lo = lo, .hi = hi, .first = o->n_p - lo};
    *ODE_PUSH(o, arrays, MANY + 1, "arrays of constants") = made;
    gt_lang_output(o, &o->programs[P_SETUP],
                   (ode_output){.node = node, .first = made.first, .step = 1, .lo = lo, .hi = hi, .loop = true});
    o->n_p += length;
    return made.first;
}

/* Follows a node down. What has i goes to `inner` (when wanted), what has j to `moving`, the rest to `scalars`. */
static void visit(scheduler *s, int32_t root, bool with_i)
{
    gt_ode *o = s->o;
    s->n_stack = 0;
    add(o, &s->stack, &s->n_stack, &s->room_stack, root);
    while (s->n_stack) {
        int32_t node = s->stack[--s->n_stack];
        const ode_node *n = &o->nodes[node];
        int operands = ode_operands(n->op);
        if (!operands && n->op != N_CALL) continue;
        if (s->hoist && gt_lang_is_hoistable(o, node)) {
            hoist(o, node);
            continue;
        }
        bool has_i = n->flags & DEP_I;
        if (has_i && !with_i) continue;
        int32_t *mark = has_i ? &o->mark_inner[node] : &o->mark[node];
        int32_t stamp = has_i ? o->stamp_inner : n->flags & DEP_J ? o->stamp_moving : o->stamp;
        if (*mark == stamp) continue;
        *mark = stamp;
        if (has_i)
            add(o, &s->inner, &s->n_inner, &s->room_inner, node);
        else if (n->flags & DEP_J)
            add(o, &s->moving, &s->n_moving, &s->room_moving, node);
        else
            add(o, &s->scalars, &s->n_scalars, &s->room_scalars, node);
        if (is_fixed_array(s, node) && array_place(s, node) != NO_ROOM) continue;
        n = &o->nodes[node];
        if (n->op == N_CALL) {
            for (int32_t k = 0; k < n->c; k++) add(o, &s->stack, &s->n_stack, &s->room_stack, o->arguments[n->b + k]);
            continue;
        }
        if (n->op == N_SUM) {
            add(o, &s->sums, &s->n_sums, &s->room_sums, node);
            continue;
        }
        add(o, &s->stack, &s->n_stack, &s->room_stack, n->a);
        if (operands > 1) add(o, &s->stack, &s->n_stack, &s->room_stack, n->b);
        if (operands > 2) add(o, &s->stack, &s->n_stack, &s->room_stack, n->c);
    }
}

/* The bodies of sums found on the way: what they need that is free of i. */
static void visit_sums(scheduler *s)
{
    gt_ode *o = s->o;
    while (s->n_sums) {
        int32_t sum = s->sums[--s->n_sums], before = s->n_inner, stamp = o->stamp_inner;
        o->stamp_inner = ++o->last_stamp;
        visit(s, o->nodes[sum].a, true);
        s->n_inner = before;
        o->stamp_inner = stamp;
    }
}

static int ascending(const void *a, const void *b)
{
    int32_t p = *(const int32_t *)a, q = *(const int32_t *)b;
    return (p > q) - (p < q);
}

static void sort(int32_t *list, int32_t count)
{
    if (count) qsort(list, (size_t)count, sizeof *list, ascending);
}

static void step(scheduler *s, ode_step made)
{
    ode_program *p = s->p;
    gt_lang_grow(s->o, (void **)&p->steps, p->n_steps, &p->room_steps, sizeof *p->steps, 2 * ODE_MAX_NODES,
                 "steps of a program");
    p->steps[p->n_steps++] = made;
}

/* Steps that compute the nodes, which are sorted; the body of a sum becomes a loop of its own. */
static void compute(scheduler *s, const int32_t *nodes, int32_t count, double times)
{
    gt_ode *o = s->o;
    for (int32_t k = 0; k < count; k++) {
        int32_t node = nodes[k];
        int32_t place = is_fixed_array(s, node) ? array_place(s, node) : NO_ROOM;
        if (place != NO_ROOM) {
            step(s, (ode_step){.kind = STEP_LOAD, .index = node, .lo = place});
            continue;
        }
        s->p->work += times * ode_cost(o->nodes[node].op);
        if (o->nodes[node].op != N_SUM) {
            step(s, (ode_step){.kind = STEP_NODE, .index = node});
            continue;
        }
        ode_node n = o->nodes[node];
        int32_t before = s->n_inner, stamp = o->stamp_inner;
        o->stamp_inner = ++o->last_stamp;
        visit(s, n.a, true); /* everything free of i is marked already */
        o->stamp_inner = stamp;
        int32_t length = s->n_inner - before;
        int32_t *body = gt_lang_take(o, (size_t)length + 1, sizeof *body);
        if (length) memcpy(body, s->inner + before, (size_t)length * sizeof *body);
        s->n_inner = before;
        sort(body, length);
        step(s, (ode_step){.kind = STEP_SUM, .index = node, .lo = n.b, .hi = n.c});
        compute(s, body, length, times * (n.c - n.b + 1));
        step(s, (ode_step){.kind = STEP_CLOSE, .index = node});
    }
}

/* The order in which outputs are computed: single ones first, then by range. */
static bool same_loop(const ode_output *a, const ode_output *b)
{
    return a->loop == b->loop && (!a->loop || (a->lo == b->lo && a->hi == b->hi));
}

static bool same_inner(const ode_output *a, const ode_output *b)
{
    return a->inner_loop == b->inner_loop &&
           (!a->inner_loop || (a->inner_lo == b->inner_lo && a->inner_hi == b->inner_hi));
}

static int by_loop(const void *a, const void *b)
{
    const ode_output *p = *(const ode_output *const *)a, *q = *(const ode_output *const *)b;
    if (p->loop != q->loop) return p->loop ? 1 : -1;
    if (p->loop && p->lo != q->lo) return p->lo < q->lo ? -1 : 1;
    if (p->loop && p->hi != q->hi) return p->hi < q->hi ? -1 : 1;
    if (p->inner_loop != q->inner_loop) return p->inner_loop ? 1 : -1;
    if (p->inner_loop && p->inner_lo != q->inner_lo) return p->inner_lo < q->inner_lo ? -1 : 1;
    if (p->inner_loop && p->inner_hi != q->inner_hi) return p->inner_hi < q->inner_hi ? -1 : 1;
    return (p > q) - (p < q);
}

/* Outputs order[first..last), all of one range of i (or without). */
static void inner_loop(scheduler *s, ode_output **order, int32_t first, int32_t last, double times)
{
    gt_ode *o = s->o;
    const ode_output *head = order[first];
    if (!head->inner_loop) {
        for (int32_t k = first; k < last; k++)
            step(s, (ode_step){.kind = STEP_STORE, .index = (int32_t)(order[k] - s->p->outputs)});
        return;
    }
    s->n_inner = 0;
    o->stamp_inner = ++o->last_stamp;
    for (int32_t k = first; k < last; k++) visit(s, order[k]->node, true);
    int32_t length = s->n_inner, *body = gt_lang_take(o, (size_t)length + 1, sizeof *body);
    if (length) memcpy(body, s->inner, (size_t)length * sizeof *body);
    s->n_inner = 0;
    sort(body, length);
    step(s, (ode_step){.kind = STEP_LOOP_I, .lo = head->inner_lo, .hi = head->inner_hi});
    compute(s, body, length, times * (head->inner_hi - head->inner_lo + 1));
    for (int32_t k = first; k < last; k++)
        step(s, (ode_step){.kind = STEP_STORE, .index = (int32_t)(order[k] - s->p->outputs)});
    step(s, (ode_step){.kind = STEP_CLOSE, .index = -1});
}

static void stores(scheduler *s, ode_output **order, int32_t first, int32_t last, double times)
{
    for (int32_t k = first; k < last;) {
        int32_t end = k + 1;
        while (end < last && same_inner(order[k], order[end])) end++;
        inner_loop(s, order, k, end, times);
        k = end;
    }
}

static void find_nodes(scheduler *s, ode_output **order, int32_t first, int32_t last)
{
    gt_ode *o = s->o;
    o->stamp_inner = ++o->last_stamp;
    s->n_inner = 0;
    for (int32_t k = first; k < last; k++) {
        visit(s, order[k]->node, true);
        visit_sums(s);
    }
    s->n_inner = 0;
}

static void prepare_marks(gt_ode *o)
{
    if (o->room_mark >= o->n_nodes) return;
    int32_t room = o->n_nodes + o->n_nodes / 2 + 64, *hoisted = gt_lang_take(o, (size_t)room, sizeof *hoisted);
    for (int32_t k = 0; k < room; k++) hoisted[k] = k < o->room_mark ? o->hoisted[k] : -1;
    o->hoisted = hoisted;
    o->mark = gt_lang_take(o, (size_t)room, sizeof *o->mark);
    o->mark_inner = gt_lang_take(o, (size_t)room, sizeof *o->mark_inner);
    o->room_mark = room;
}

void gt_lang_schedule(gt_ode *o, ode_program *p, int hoist_what)
{
    scheduler s = {.o = o, .p = p, .hoist = hoist_what};
    prepare_marks(o);
    int32_t n = p->n_outputs;
    if (!n) return;
    ode_output **order = gt_lang_take(o, (size_t)n, sizeof *order);
    for (int32_t k = 0; k < n; k++) order[k] = &p->outputs[k];
    qsort(order, (size_t)n, sizeof *order, by_loop);
    o->stamp = ++o->last_stamp;

    /* What loops need from outside is found by looking at all of them first. */
    for (int32_t k = 0; k < n;) {
        int32_t end = k + 1;
        while (end < n && same_loop(order[k], order[end])) end++;
        o->stamp_moving = ++o->last_stamp;
        s.n_moving = 0;
        s.loop = order[k];
        find_nodes(&s, order, k, end);
        k = end;
    }
    s.loop = NULL;
    sort(s.scalars, s.n_scalars);
    compute(&s, s.scalars, s.n_scalars, 1);
    for (int32_t k = 0; k < n;) {
        int32_t end = k + 1;
        while (end < n && same_loop(order[k], order[end])) end++;
        if (!order[k]->loop) {
            stores(&s, order, k, end, 1);
        } else {
            o->stamp_moving = ++o->last_stamp;
            s.n_moving = 0;
            s.loop = order[k];
            find_nodes(&s, order, k, end);
            int32_t length = s.n_moving, *body = gt_lang_take(o, (size_t)length + 1, sizeof *body);
            if (length) memcpy(body, s.moving, (size_t)length * sizeof *body);
            sort(body, length);
            double times = order[k]->hi - order[k]->lo + 1;
            step(&s, (ode_step){.kind = STEP_LOOP_J, .lo = order[k]->lo, .hi = order[k]->hi});
            compute(&s, body, length, times);
            stores(&s, order, k, end, times);
            step(&s, (ode_step){.kind = STEP_CLOSE, .index = -1});
            s.loop = NULL;
        }
        k = end;
    }
}

/* Outputs in chunks of about `steps` steps each; the number of steps in all. */
static int64_t chunk(gt_ode *o, ode_program *p, int hoist_what, int32_t steps)
{
    int32_t single = 0, next = 0;
    for (int32_t k = 0; k < p->n_outputs; k++) single += !p->outputs[k].loop;
    int32_t per_chunk = (int32_t)((int64_t)single * steps / p->n_steps) + 1, most = single / per_chunk + 2;
    p->chunks = gt_lang_take(o, (size_t)most, sizeof *p->chunks);
    p->n_chunks = 0;
    for (int32_t k = 0; k < most; k++) p->chunks[k].target = p->target;
    for (int32_t k = 0; k < p->n_outputs; k++) { /* the last one gets all loops */
        ode_program *part = &p->chunks[p->outputs[k].loop ? most - 1 : next++ / per_chunk];
        gt_lang_output(o, part, p->outputs[k]);
    }
    int64_t total = 0;
    for (int32_t k = 0; k < most; k++) {
        if (!p->chunks[k].n_outputs) continue;
        gt_lang_schedule(o, &p->chunks[k], hoist_what);
        total += p->chunks[k].n_steps;
        p->chunks[p->n_chunks++] = p->chunks[k];
        if (total > MOST_TWICE * (int64_t)p->n_steps) break;
    }
    return total;
}

/* What several chunks need is computed in each, so chunks are long enough that this is not much. */
void gt_lang_make_chunks(gt_ode *o, ode_program *p, int hoist_what)
{
    enum { LONG = 2000, STEPS = 200, LARGER = 4 };
    if (p->n_steps < LONG) return;
    for (int64_t steps = STEPS; steps < p->n_steps; steps *= LARGER)
        if (chunk(o, p, hoist_what, (int32_t)steps) <= MOST_TWICE * (int64_t)p->n_steps) return;
    p->n_chunks = 0;
}

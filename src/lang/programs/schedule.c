/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program as steps. What does not depend on j comes first; then one loop for each range, in which
 * all outputs of that range are computed together and share their subexpressions; inside it, loops
 * over i. What depends on parameters only is not computed at all but taken from p, where the
 * program P_SETUP puts it.
 */
#include "lang/programs/programs.h"
#include <stdlib.h>
#include <string.h>

typedef struct scheduler {
    ode_programs *programs;
    ode_program *p;
    int hoist;
    const ode_output *loop; /* whose loop is at hand; NULL: none */
    int32_t *stack, n_stack, room_stack;
    int32_t *scalars, n_scalars, room_scalars; /* nodes without j and i */
    int32_t *moving, n_moving, room_moving;    /* nodes of the loop at hand */
    int32_t *inner, n_inner, room_inner;       /* nodes with i of the inner loop or sum at hand */
    int32_t *sums, n_sums, room_sums;
} scheduler;

static void add(ode_programs *programs, int32_t **list, int32_t *count, int32_t *room, int32_t node)
{
    gt_lang_grow(programs->work, (void **)list, *count, room, sizeof **list, ODE_MAX_NODES,
                 "parts of a program");
    (*list)[(*count)++] = node;
}

static void hoist(ode_programs *programs, int32_t node)
{
    if (programs->hoisted[node] >= 0) return;
    ode_program *setup = &programs->programs[P_SETUP];
    if (programs->n_p >= ODE_MAX_STATES)
        gt_lang_error(programs->work, -1, "the model has too many constants");
    programs->hoisted[node] = programs->n_p;
    gt_lang_output(programs->work, &setup->outputs,
                   (ode_output){.node = node, .first = programs->n_p});
    programs->n_p++;
}

/* Of the tree below a node, as far as it matters. */
static double cost_below(const ode_programs *programs, int32_t node, int depth)
{
    enum { ENOUGH = 6, DEEPEST = 20 };
    const ode_node *n = &programs->graph->nodes[node];
    int operands = ode_operands(n->op);
    if (!operands || depth > DEEPEST) return 0;
    double cost = ode_cost(programs->graph->nodes[node].op) + cost_below(programs, n->a, depth + 1);
    if (operands > 1 && cost < ENOUGH) cost += cost_below(programs, n->b, depth + 1);
    if (operands > 2 && cost < ENOUGH) cost += cost_below(programs, n->c, depth + 1);
    return cost;
}

/* Whether the node is the same at every call but differs with j, and is worth a place in p for each
 * j. */
static bool is_fixed_array(const scheduler *s, int32_t node)
{
    const uint8_t moving = DEP_STATE | DEP_TIME | DEP_I | DEP_ARG | HAS_CALL | HAS_TABLE;
    const ode_node *n = &s->programs->graph->nodes[node];
    return s->hoist > 1 && s->loop && s->loop->loop && (n->flags & DEP_J) && !(n->flags & moving) &&
           ode_operands(n->op) && n->op != N_SUM && cost_below(s->programs, node, 0) >= 6;
}

enum { NO_ROOM = INT32_MIN };

/* Where in p it is for j = 0. */
static int32_t array_place(const scheduler *s, int32_t node)
{
    enum { MANY = 256 };
    ode_programs *programs = s->programs;
    int32_t lo = s->loop->lo, hi = s->loop->hi, length = hi - lo + 1;
    for (int32_t k = 0; k < programs->n_arrays; k++) {
        const ode_array *a = &programs->arrays[k];
        if (a->node == node && a->lo == lo && a->hi == hi) return a->first;
    }
    if (programs->n_arrays >= MANY || length > ODE_MAX_STATES - programs->n_p) return NO_ROOM;
    ode_array made = {.node = node, .lo = lo, .hi = hi, .first = programs->n_p - lo};
    *ODE_PUSH(programs, arrays, MANY + 1, "arrays of constants") = made;
    gt_lang_output(
        programs->work, &programs->programs[P_SETUP].outputs,
        (ode_output){
            .node = node, .first = made.first, .step = 1, .lo = lo, .hi = hi, .loop = true});
    programs->n_p += length;
    return made.first;
}

/* Follows a node down. What has i goes to `inner` (when wanted), what has j to `moving`, the rest
 * to `scalars`. */
static void visit(scheduler *s, int32_t root, bool with_i)
{
    ode_programs *programs = s->programs;
    s->n_stack = 0;
    add(programs, &s->stack, &s->n_stack, &s->room_stack, root);
    while (s->n_stack) {
        int32_t node = s->stack[--s->n_stack];
        const ode_node *n = &programs->graph->nodes[node];
        int operands = ode_operands(n->op);
        if (!operands && n->op != N_CALL) continue;
        if (s->hoist && gt_lang_is_hoistable(programs->graph, node)) {
            hoist(programs, node);
            continue;
        }
        bool has_i = n->flags & DEP_I;
        if (has_i && !with_i) continue;
        int32_t *mark = has_i ? &programs->mark_inner[node] : &programs->mark[node];
        int32_t stamp = has_i              ? programs->stamp_inner
                        : n->flags & DEP_J ? programs->stamp_moving
                                           : programs->stamp;
        if (*mark == stamp) continue;
        *mark = stamp;
        if (has_i)
            add(programs, &s->inner, &s->n_inner, &s->room_inner, node);
        else if (n->flags & DEP_J)
            add(programs, &s->moving, &s->n_moving, &s->room_moving, node);
        else
            add(programs, &s->scalars, &s->n_scalars, &s->room_scalars, node);
        if (is_fixed_array(s, node) && array_place(s, node) != NO_ROOM) continue;
        n = &programs->graph->nodes[node];
        if (n->op == N_CALL) {
            for (int32_t k = 0; k < n->c; k++)
                add(programs, &s->stack, &s->n_stack, &s->room_stack,
                    programs->graph->arguments[n->b + k]);
            continue;
        }
        if (n->op == N_SUM) {
            add(programs, &s->sums, &s->n_sums, &s->room_sums, node);
            continue;
        }
        add(programs, &s->stack, &s->n_stack, &s->room_stack, n->a);
        if (operands > 1) add(programs, &s->stack, &s->n_stack, &s->room_stack, n->b);
        if (operands > 2) add(programs, &s->stack, &s->n_stack, &s->room_stack, n->c);
    }
}

/* The bodies of sums found on the way: what they need that is free of i. */
static void visit_sums(scheduler *s)
{
    ode_programs *programs = s->programs;
    while (s->n_sums) {
        int32_t sum = s->sums[--s->n_sums], before = s->n_inner, stamp = programs->stamp_inner;
        programs->stamp_inner = ++programs->last_stamp;
        visit(s, programs->graph->nodes[sum].a, true);
        s->n_inner = before;
        programs->stamp_inner = stamp;
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
    gt_lang_grow(s->programs->work, (void **)&p->steps, p->n_steps, &p->room_steps,
                 sizeof *p->steps, 2 * ODE_MAX_NODES, "steps of a program");
    p->steps[p->n_steps++] = made;
}

/* Steps that compute the nodes, which are sorted; the body of a sum becomes a loop of its own. */
static void compute(scheduler *s, const int32_t *nodes, int32_t count, double times)
{
    ode_programs *programs = s->programs;
    for (int32_t k = 0; k < count; k++) {
        int32_t node = nodes[k];
        int32_t place = is_fixed_array(s, node) ? array_place(s, node) : NO_ROOM;
        if (place != NO_ROOM) {
            step(s, (ode_step){.kind = STEP_LOAD, .index = node, .lo = place});
            continue;
        }
        s->p->work += times * ode_cost(programs->graph->nodes[node].op);
        if (programs->graph->nodes[node].op != N_SUM) {
            step(s, (ode_step){.kind = STEP_NODE, .index = node});
            continue;
        }
        ode_node n = programs->graph->nodes[node];
        int32_t before = s->n_inner, stamp = programs->stamp_inner;
        programs->stamp_inner = ++programs->last_stamp;
        visit(s, n.a, true); /* everything free of i is marked already */
        programs->stamp_inner = stamp;
        int32_t length = s->n_inner - before;
        int32_t *body = gt_lang_take(programs->work, (size_t)length + 1, sizeof *body);
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
    ode_programs *programs = s->programs;
    const ode_output *head = order[first];
    if (!head->inner_loop) {
        for (int32_t k = first; k < last; k++)
            step(s,
                 (ode_step){.kind = STEP_STORE, .index = (int32_t)(order[k] - s->p->outputs.list)});
        return;
    }
    s->n_inner = 0;
    programs->stamp_inner = ++programs->last_stamp;
    for (int32_t k = first; k < last; k++) visit(s, order[k]->node, true);
    int32_t length = s->n_inner;
    int32_t *body = gt_lang_take(programs->work, (size_t)length + 1, sizeof *body);
    if (length) memcpy(body, s->inner, (size_t)length * sizeof *body);
    s->n_inner = 0;
    sort(body, length);
    step(s, (ode_step){.kind = STEP_LOOP_I, .lo = head->inner_lo, .hi = head->inner_hi});
    compute(s, body, length, times * (head->inner_hi - head->inner_lo + 1));
    for (int32_t k = first; k < last; k++)
        step(s, (ode_step){.kind = STEP_STORE, .index = (int32_t)(order[k] - s->p->outputs.list)});
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
    ode_programs *programs = s->programs;
    programs->stamp_inner = ++programs->last_stamp;
    s->n_inner = 0;
    for (int32_t k = first; k < last; k++) {
        visit(s, order[k]->node, true);
        visit_sums(s);
    }
    s->n_inner = 0;
}

void gt_lang_schedule(ode_programs *programs, ode_program *p, int hoist_what)
{
    scheduler s = {.programs = programs, .p = p, .hoist = hoist_what};
    int32_t n = p->outputs.count;
    if (!n) return;
    ode_output **order = gt_lang_take(programs->work, (size_t)n, sizeof *order);
    for (int32_t k = 0; k < n; k++) order[k] = &p->outputs.list[k];
    qsort(order, (size_t)n, sizeof *order, by_loop);
    programs->stamp = ++programs->last_stamp;

    /* What loops need from outside is found by looking at all of them first. */
    for (int32_t k = 0; k < n;) {
        int32_t end = k + 1;
        while (end < n && same_loop(order[k], order[end])) end++;
        programs->stamp_moving = ++programs->last_stamp;
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
            programs->stamp_moving = ++programs->last_stamp;
            s.n_moving = 0;
            s.loop = order[k];
            find_nodes(&s, order, k, end);
            int32_t length = s.n_moving;
            int32_t *body = gt_lang_take(programs->work, (size_t)length + 1, sizeof *body);
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

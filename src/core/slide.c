/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sliding on the surfaces g_k = 0 of switches, to each of which both formulas of f push (Filippov):
 *
 *     x' = f_0 + sum a_k d_k,     W a = -(w + g/T)
 *
 * with the letters of fields.h, so that dg/dt = -g/T: what round-off leads away from the surfaces
 * returns. It ends where one of the a_k, without g/T, leaves 0..1: the fields let go of that
 * surface. The equations have another Jacobian then, with full rows, so the method gets a second
 * stepper, on a problem whose right-hand side is this one.
 */
#include "core/fields.h"
#include "core/switches.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DENSE = 400 }; /* states, up to which the Jacobian of the sliding motion is dense */

struct gt_slide {
    gt_stepper s;
    gt_problem problem;
    const gt_problem *of;
    gt_run *run;
    double span;
    gt_surfaces on;
    gt_fields fields;
    size_t bytes; /* of its memory, which begins with this struct */
};

bool gt_run_may_slide(const gt_run *r) { return gt_problem_size(r->problem) <= MAX_DENSE; }

const gt_surfaces *gt_slide_on(const gt_run *r) { return r->slide ? &r->slide->on : NULL; }

bool gt_slide_leads(const gt_run *r, size_t k)
{
    const gt_surfaces *on = gt_slide_on(r);
    return on && gt_is_among(on->lead, on->count, k);
}

bool gt_slide_is_sound(const gt_run *r, size_t count)
{
    const gt_surfaces *on = gt_slide_on(r);
    const gt_fields *fields = &r->slide->fields;
    if (on->count != count || fields->count != count || fields->n != r->base->n) return false;
    for (size_t i = 0; i < on->count; i++)
        if (on->lead[i] >= r->n_switches) return false;
    return true;
}

static gt_status slide_rhs(double t, const double *x, double *dx, void *ctx)
{
    struct gt_slide *w = ctx;
    const gt_problem *p = w->of;
    const gt_stepper *base = w->run->base;
    double back[GT_MOST_WATCHED], *a = w->fields.a;
    gt_status status = gt_fields_look(w->run, &w->on, t, x, &w->fields);
    if (!status) status = p->switches(t, x, base->switch_values, p->ctx);
    if (status) return status;
    for (size_t i = 0; i < w->on.count; i++)
        back[i] = base->switch_values[base->switch_numbers[w->on.lead[i]]] / (1e-2 * w->span);
    bool found = gt_fields_balance(&w->fields, back);
    for (size_t i = 0; i < w->on.count; i++) a[i] = found ? fmin(1, fmax(0, a[i])) : 0.5;
    gt_fields_mix(&w->fields, a, dx);
    return GT_OK;
}

gt_status gt_slide_hold(gt_run *r, double t, const double *x, double *hold)
{
    assert(r && r->slide && x && hold);
    struct gt_slide *w = r->slide;
    gt_status status = gt_fields_look(r, &w->on, t, x, &w->fields);
    if (status) return status;
    bool found = gt_fields_balance(&w->fields, NULL);
    for (size_t i = 0; i < w->on.count; i++) {
        double a = w->fields.a[i];
        /* as a float, in which the round-off of a constant makes no turns */
        hold[w->on.lead[i]] = found ? (float)(a * (1 - a)) : 0;
    }
    return GT_OK;
}

gt_status gt_slide_side(gt_run *r, size_t k, int *side)
{
    assert(r && r->slide && side);
    struct gt_slide *w = r->slide;
    gt_status status = gt_fields_look(r, &w->on, r->s->t, r->s->x, &w->fields);
    bool found = !status && gt_fields_balance(&w->fields, NULL);
    *side = 1;
    for (size_t i = 0; i < w->on.count; i++)
        if (w->on.lead[i] == k && found && w->fields.a[i] < 0.5) *side = -1;
    return status;
}

gt_status gt_run_check_slide(gt_run *r)
{
    assert(r && r->slide);
    struct gt_slide *w = r->slide;
    const gt_stepper *s = r->s;
    bool superpose = true;
    if (w->on.count < 2) return GT_OK;
    gt_status status = gt_fields_look(r, &w->on, s->t, s->x, &w->fields);
    if (!status) status = gt_fields_superpose(r, &w->on, s->t, s->x, &w->fields, &superpose);
    if (status) return status < 0 ? status : GT_OK;
    return superpose ? GT_OK : gt_two_surfaces(r, w->on.lead[0], w->on.lead[1]);
}

static gt_status no_slide(gt_run *r, size_t k, gt_status status, const char *why)
{
    char buffer[GT_NAME_ROOM];
    if (r->base->facts.flags & GT_NEEDS_TAYLOR)
        why = "there is no Taylor expansion of the motion on a surface";
    return gt_fail(r->message, status,
                   "the solution slides on %s = 0 from t = %.10g on, and method %s cannot follow "
                   "it there: %s; try "
                   "another method, or \"#@ switches off\"",
                   gt_switch_name(r, k, buffer), gt_shown_time(r->s, r->s->t),
                   r->base->method->name, why);
}

/* The problem as it is on the surface: no blocks, no Jacobian, no series of its own. */
static void make_problem(struct gt_slide *w, const gt_problem *p)
{
    w->problem = *p;
    w->problem.rhs = slide_rhs;
    w->problem.rhs_slow = w->problem.rhs_fast = w->problem.rhs_alg = NULL;
    w->problem.rhs_rates = NULL;
    w->problem.jac = NULL;
    w->problem.jac_block = NULL;
    w->problem.rhs_t = NULL;
    w->problem.taylor = NULL;
    w->problem.second_order = NULL;
    w->problem.linear = false;
    w->problem.jac_pattern = (gt_pattern){0};
    w->problem.ctx = w;
}

void gt_slide_discard(struct gt_slide *w)
{
    if (!w) return;
    gt_stepper_free(&w->s);
    free(w);
}

void gt_slide_memory(const struct gt_slide *w, void **base, size_t *bytes)
{
    *base = (void *)w;
    *bytes = w->bytes;
}

gt_stepper *gt_slide_stepper(struct gt_slide *w) { return &w->s; }

/* One block: the struct, the fields, the memory of the stepper. */
gt_status gt_slide_lay(gt_run *r, size_t count, const gt_arena *watch, struct gt_slide **slide,
                       gt_message *why)
{
    const gt_problem *p = r->problem;
    struct gt_slide measured = {.of = p, .run = r, .span = gt_run_whole(r)}, *w;
    size_t n = gt_problem_size(p), numbers = gt_fields_numbers(n, count), bytes;
    make_problem(&measured, p);
    gt_status status =
        gt_stepper_measure(r->base->method, gt_run_options(r), &measured.problem, &bytes, why);
    if (status) return status;
    bytes = (bytes + sizeof *w + numbers * sizeof(double) + 4 * GT_ALIGN) / GT_ALIGN * GT_ALIGN;
    void *memory = aligned_alloc(GT_ALIGN, bytes);
    if (!memory) return gt_fail(why, GT_NO_MEMORY, "out of memory");
    gt_arena arena = gt_arena_over(memory, bytes);
    if (watch) {
        arena.keep = watch->keep;
        arena.keeper = watch->keeper;
    }
    w = gt_arena_take(&arena, 1, sizeof *w);
    *w = measured;
    w->problem.ctx = w;
    w->on.count = count;
    gt_fields_carve(&w->fields, n, count, gt_arena_doubles(&arena, numbers));
    status = gt_stepper_lay(&w->s, r->base->method, gt_run_options(r), &w->problem, &arena);
    if (status) {
        *why = w->s.message;
        free(memory);
        return status;
    }
    w->bytes = arena.used;
    w->s.warnings = r->base->warnings;
    *slide = w;
    return GT_OK;
}

gt_status gt_run_begin_slide(gt_run *r, const gt_surfaces *on)
{
    assert(r && on);
    assert(on->count > 0);
    assert(!r->slide);
    size_t k = on->lead[0];
    gt_message why = {""};
    struct gt_slide *w = NULL;
    if (!gt_run_may_slide(r))
        return no_slide(r, k, GT_CANNOT_SLIDE, "there are too many states for a dense Jacobian");
    gt_status status = gt_slide_lay(r, on->count, NULL, &w, &why);
    if (!status) {
        status = gt_stepper_prepare(&w->s);
        if (status) {
            why = w->s.message;
            gt_slide_discard(w);
        }
    }
    if (status) return no_slide(r, k, status, why.text);
    w->on = *on;
    for (size_t j = 0; j < r->n_switches; j++)
        if (on->of[j]) r->base->switch_tied[j] = true;
    gt_run_pass_on(r->base, &w->s, r->n_roots);
    w->s.strictness = r->base->strictness;
    r->s = &w->s;
    r->slide = w;
    r->slides++;
    return GT_OK;
}

void gt_run_end_slide(gt_run *r)
{
    struct gt_slide *w = r->slide;
    if (!w) return;
    r->slide = NULL;
    long calls = r->base->stats.rhs; /* of f itself: two for each of the sliding motion */
    gt_run_pass_on(&w->s, r->base, r->n_roots);
    r->s = r->base;
    r->base->stats.rhs = calls;
    r->base->h = w->s.h;
    gt_slide_discard(w);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sliding on the surface g = 0 of a switch, to which both formulas of f push (Filippov):
 *
 *     x' = a f_plus + (1 - a) f_minus,     a = (minus + g/T) / (minus - plus)
 *
 * with plus, minus = dg/dt along f_plus, f_minus, so that dg/dt = -g/T: what round-off leads away
 * from the surface returns. It ends where plus or minus changes its sign: the fields let go. The
 * equations have another Jacobian then, with full rows, so the method gets a second stepper, on a
 * problem whose right-hand side is this one.
 */
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
    size_t k;
    double span, *f_plus, *f_minus;
    size_t bytes; /* of its memory, which begins with this struct */
};

size_t gt_slide_of(const gt_run *r) { return r->slide->k; }

static gt_status look(struct gt_slide *w, double t, const double *x, gt_two_sides *two)
{
    return gt_switch_look(w->run, w->k, t, x, w->f_plus, w->f_minus, two);
}

static gt_status slide_rhs(double t, const double *x, double *dx, void *ctx)
{
    struct gt_slide *w = ctx;
    const gt_problem *p = w->of;
    size_t n = gt_problem_size(p);
    gt_two_sides two;
    gt_status status = look(w, t, x, &two);
    double *all = w->run->base->switch_values;
    if (!status) status = p->switches(t, x, all, p->ctx);
    if (status) return status;
    double apart = two.minus - two.plus;
    double a =
        apart != 0
            ? (two.minus + all[w->run->base->switch_numbers[w->k]] / (1e-2 * w->span)) / apart
            : 0.5;
    a = fmin(1, fmax(0, a));
    for (size_t i = 0; i < n; i++) dx[i] = a * w->f_plus[i] + (1 - a) * w->f_minus[i];
    return GT_OK;
}

gt_status gt_slide_hold(gt_run *r, double t, const double *x, double *hold)
{
    assert(r && r->slide && x && hold);
    gt_two_sides two;
    gt_status status = look(r->slide, t, x, &two);
    double apart = two.minus - two.plus;
    *hold = apart != 0 ? two.minus * -two.plus / (apart * apart) : 0;
    return status;
}

gt_status gt_slide_exit(gt_run *r, int *side)
{
    assert(r && r->slide && side);
    gt_two_sides two;
    gt_status status = look(r->slide, r->s->t, r->s->x, &two);
    *side = fabs(two.plus) < fabs(two.minus) ? 1 : -1;
    return status;
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

/* One block: the struct, two slopes, the memory of the stepper. */
gt_status gt_slide_lay(gt_run *r, size_t k, const gt_arena *watch, struct gt_slide **slide,
                       gt_message *why)
{
    const gt_problem *p = r->problem;
    struct gt_slide measured = {.of = p, .run = r, .k = k, .span = gt_run_whole(r)}, *w;
    size_t n = gt_problem_size(p), bytes;
    make_problem(&measured, p);
    gt_status status =
        gt_stepper_measure(r->base->method, gt_run_options(r), &measured.problem, &bytes, why);
    if (status) return status;
    bytes = (bytes + sizeof *w + 2 * n * sizeof(double) + 4 * GT_ALIGN) / GT_ALIGN * GT_ALIGN;
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
    w->f_plus = gt_arena_doubles(&arena, n);
    w->f_minus = gt_arena_doubles(&arena, n);
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

gt_status gt_run_begin_slide(gt_run *r, size_t k)
{
    assert(r);
    assert(k < r->n_switches);
    assert(!r->slide);
    gt_message why = {""};
    struct gt_slide *w = NULL;
    if (gt_problem_size(r->problem) > MAX_DENSE)
        return no_slide(r, k, GT_CANNOT_SLIDE, "there are too many states for a dense Jacobian");
    gt_status status = gt_slide_lay(r, k, NULL, &w, &why);
    if (!status) {
        status = gt_stepper_prepare(&w->s);
        if (status) {
            why = w->s.message;
            gt_slide_discard(w);
        }
    }
    if (status) return no_slide(r, k, status, why.text);
    gt_run_pass_on(r->base, &w->s, r->n_roots);
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* One method bound to one problem: memory, trials, acceptance, dense output. */
#include "base/sized.h"
#include "core/kinks.h"
#include "core/run_state.h"
#include "problem/norm.h"
#include <assert.h>
#include <geartrain/author/newton.h>
#include <geartrain/author/stepper.h>
#include <math.h>
#include <string.h>

enum { MAX_STATE_SIZE = 8192 }; /* of a method's own struct; its arrays are carved apart */

static gt_status lay_out(gt_stepper *s, gt_arena *arena, void *measuring_state)
{
    size_t n = s->n;
    s->x = gt_arena_doubles(arena, n);
    s->x_new = gt_arena_doubles(arena, n);
    s->f = gt_arena_doubles(arena, n);
    s->f_new = s->method->one_slope ? s->f : gt_arena_doubles(arena, n);
    s->scratch = gt_arena_doubles(arena, n);
    s->err = s->scratch;
    size_t n_switches = gt_run_most_watched(s->problem), n_roots = s->problem->n_roots + n_switches;
    size_t n_relations = n_switches ? s->problem->n_switches : 0;
    s->root_values = gt_arena_doubles(arena, gt_root_numbers(n_roots));
    s->root_sides = gt_arena_take(arena, gt_root_flags(n_roots), sizeof *s->root_sides);
    s->event_x = n_roots ? gt_arena_doubles(arena, s->problem->n_roots ? 3 * n : n) : NULL;
    if (s->facts.error_order && !s->problem->autonomous && !s->problem->ranks)
        s->pulse_work = gt_arena_doubles(arena, (s->problem->mass ? 4 : 3) * n);
    s->fired = gt_arena_take(arena, n_roots, sizeof *s->fired);
    s->switch_sides = gt_arena_take(arena, n_switches, sizeof *s->switch_sides);
    s->switch_tied = gt_arena_take(arena, n_switches, sizeof *s->switch_tied);
    s->switch_numbers = gt_arena_take(arena, n_switches, sizeof *s->switch_numbers);
    s->switch_held = gt_arena_take(arena, n_relations, sizeof *s->switch_held);
    s->switch_values = gt_arena_doubles(arena, n_relations);
    s->switch_past = gt_arena_doubles(arena, n_relations);
    s->switch_moves = gt_arena_doubles(arena, n_relations);
    s->switch_work = n_switches ? gt_arena_doubles(arena, 3 * n + 3 * GT_MOST_WATCHED) : NULL;
    if (s->problem->n_alg) {
        gt_newton measured = {0};
        s->algebraic = gt_arena_take(arena, 1, sizeof measured);
        bool own = s->problem->solver || s->problem->jac_pattern.storage != GT_CSC ||
                   s->problem->index; /* constraints of a higher index have their own systems */
        const gt_linear_options linear = {.way = GT_LINEAR_AUTO};
        gt_newton *newton = s->algebraic ? s->algebraic : &measured;
        if (own)
            gt_newton_layout(newton, s->problem, arena);
        else
            gt_newton_layout_with(newton, s->problem, &linear, arena);
        s->closing = gt_arena_doubles(arena, 7 * n);
    }
    if (s->method->state_size) {
        s->state = gt_arena_take(arena, 1, s->method->state_size);
        if (!s->state) s->state = measuring_state;
    }
    gt_status status = s->method->layout ? s->method->layout(s, arena) : GT_OK;
    if (status) return status;
    return arena->failed ? GT_WORKSPACE_SMALL : GT_OK;
}

/* Where a rank fails all do, so that none waits for it for ever. */
static gt_status agree(const gt_problem *p, gt_status status, gt_message *message)
{
    if (!p || !p->ranks || !p->ranks->reduce || !gt_any_rank(p, status != GT_OK) || status)
        return status;
    return gt_fail(message, GT_BAD_ARGUMENT, "another rank cannot begin; its message says why");
}

static gt_status check(gt_stepper *s, const gt_method *method, const char *options,
                       const gt_problem *problem)
{
    gt_status status = gt_problem_check(problem, &s->message);
    if (status) return status;
    s->options = gt_params_default(method->options);
    status =
        gt_params_parse(method->options, "option", method->name, options, &s->options, &s->message);
    return status ? status : gt_method_check(method, s->options.v, problem, &s->message);
}

/* Checks and parses everything that needs no memory. */
static gt_status bind(gt_stepper *s, const gt_method *method, const char *options,
                      const gt_problem *problem)
{
    *s = (gt_stepper){.method = method, .problem = problem, .t_cap = INFINITY, .strictness = 1};
    if (!method) return gt_fail(&s->message, GT_BAD_ARGUMENT, "no method was given");
    if (!problem) return gt_fail(&s->message, GT_BAD_ARGUMENT, "no problem was given");
    gt_status status = agree(problem, check(s, method, options, problem), &s->message);
    if (status) return status;
    s->facts = gt_method_facts(method, s->options.v);
    s->order = s->facts.order;
    s->n = gt_problem_size(problem);
    return GT_OK;
}

static gt_status measure(gt_stepper *s, gt_arena *arena, size_t *bytes)
{
    double state[MAX_STATE_SIZE / sizeof(double)] = {0};
    if (s->method->state_size > sizeof state)
        return gt_fail(&s->message, GT_BAD_ARGUMENT,
                       "method %s has a state of %zu bytes; put its arrays into the arena",
                       s->method->name, s->method->state_size);
    gt_status status = lay_out(s, arena, state);
    s->state = NULL;
    *bytes = arena->used + GT_ALIGN; /* the caller's memory may begin anywhere */
    if (arena->failed)
        return gt_fail(&s->message, GT_NO_MEMORY, "a problem with %zu states is too large", s->n);
    return status;
}

/* A problem of a caller with other headers is kept as a whole in the memory of the stepper. */
static size_t room_for_copy(size_t problem_size)
{
    return problem_size == sizeof(gt_problem) ? 0 : sizeof(gt_problem) + 2 * GT_ALIGN;
}

gt_status gt_stepper_measure_in_sized(const gt_method *method, const char *options,
                                      const gt_problem *problem, size_t problem_size,
                                      gt_arena *arena, size_t *bytes, gt_message *message)
{
    GT_ARMOR(message, method && problem && arena && bytes);
    GT_WIDEN(message, gt_problem, problem);
    gt_stepper s;
    gt_status status = bind(&s, method, options, problem);
    if (!status) status = measure(&s, arena, bytes);
    if (!status) *bytes += room_for_copy(problem_size);
    if (message) *message = s.message;
    return status;
}

gt_status gt_stepper_measure_sized(const gt_method *method, const char *options,
                                   const gt_problem *problem, size_t problem_size, size_t *bytes,
                                   gt_message *message)
{
    GT_ARMOR(message, method && problem && bytes);
    gt_arena arena = {0};
    return gt_stepper_measure_in_sized(method, options, problem, problem_size, &arena, bytes,
                                       message);
}

gt_status gt_stepper_lay(gt_stepper *s, const gt_method *method, const char *options,
                         const gt_problem *problem, gt_arena *arena)
{
    gt_status status = bind(s, method, options, problem);
    if (!status) status = lay_out(s, arena, NULL);
    s->bound = !status;
    return status;
}

gt_status gt_stepper_prepare(gt_stepper *s)
{
    gt_stepper_start(s, s->problem->t0, s->problem->x0);
    gt_status status = s->algebraic ? gt_newton_prepare(s->algebraic, s) : GT_OK;
    if (!status && s->method->prepare) status = s->method->prepare(s);
    status = agree(s->problem, status, &s->message);
    if (status) gt_stepper_free(s);
    s->stats = (gt_stats){0};
    return status;
}

static gt_status init(gt_stepper *s, const gt_method *method, const char *options,
                      const gt_problem *problem, void *memory, size_t bytes)
{
    size_t wanted;
    gt_status status = bind(s, method, options, problem);
    gt_arena measuring = {0};
    if (!status) status = measure(s, &measuring, &wanted);
    if (status) return status;
    if (!memory || bytes < wanted)
        return gt_fail(&s->message, GT_WORKSPACE_SMALL,
                       "method %s needs %zu bytes for %s, %zu were given", method->name, wanted,
                       problem->name ? problem->name : "this problem", memory ? bytes : 0);
    gt_arena arena = gt_arena_over(memory, bytes);
    status = lay_out(s, &arena, NULL);
    if (status) return status;
    s->bound = true;
    return gt_stepper_prepare(s);
}

gt_status gt_stepper_init_sized(gt_stepper *s, size_t s_size, const gt_method *method,
                                const char *options, const gt_problem *problem, size_t problem_size,
                                void *memory, size_t bytes)
{
    if (!s) return GT_BAD_ARGUMENT;
    if (s_size != sizeof *s)
        return GT_OTHER_VERSION; /* where its message is, only the caller knows */
    if (!problem || problem_size == sizeof *problem)
        return init(s, method, options, problem, memory, bytes);
    *s = (gt_stepper){0};
    if (gt_has_more(problem, problem_size, sizeof *problem))
        return gt_fail_newer(&s->message, "gt_problem");
    size_t wanted;
    gt_status status =
        gt_stepper_measure_sized(method, options, problem, problem_size, &wanted, &s->message);
    if (status) return status;
    if (!memory || bytes < wanted)
        return gt_fail(&s->message, GT_WORKSPACE_SMALL, "method %s needs %zu bytes, %zu were given",
                       method->name, wanted, memory ? bytes : 0);
    gt_arena front = gt_arena_over(memory, bytes);
    gt_problem *copy = gt_arena_take(&front, 1, sizeof *copy);
    gt_widen(copy, sizeof *copy, problem, problem_size);
    return init(s, method, options, copy, front.base + front.used, front.size - front.used);
}

void gt_stepper_start(gt_stepper *s, double t, const double *x)
{
    if (!s || !x || !s->bound) return;
    s->t = s->t_new = t;
    s->t_cap = INFINITY;
    memmove(s->x, x, s->n * sizeof *x);
    if (s->algebraic) memset(s->closing + 5 * s->n, 0, s->n * sizeof *s->closing);
    gt_stepper_restart(s);
}

void gt_stepper_restart(gt_stepper *s)
{
    if (!s || !s->bound) return;
    s->f_known = s->f_new_known = s->tried = false;
    s->kink_h = 0;
    if (s->algebraic) gt_newton_restart(s->algebraic);
    if (s->method->restart) s->method->restart(s);
}

gt_status gt_trial(gt_stepper *s, double h, bool want_error)
{
    assert(s && s->bound);
    assert(isfinite(h) && h != 0);
    s->f_new_known = s->unchecked = s->closing_ready = s->pulses_seen = false;
    s->kink = -1;
    s->h = h;
    gt_status status = s->method->step(s, h, s->x, s->x_new, want_error ? s->err : NULL);
    s->t_new = s->t + h;
    return status;
}

/* A stepper that was not bound to a problem, or is no more, has nothing to work with. */
static gt_status not_bound(gt_stepper *s)
{
    return gt_fail(s ? &s->message : NULL, GT_BAD_ARGUMENT,
                   "the stepper is not bound to a problem: gt_stepper_init comes before, "
                   "gt_stepper_free after all");
}

gt_status gt_stepper_try(gt_stepper *s, double h, bool want_error)
{
    if (!s || !s->bound) return not_bound(s);
    if (!isfinite(h) || h == 0)
        return gt_fail(&s->message, GT_BAD_ARGUMENT, "a step of size %g cannot be taken", h);
    s->tried = true;
    return gt_trial(s, h, want_error);
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

void gt_take_trial(gt_stepper *s)
{
    assert(s && s->bound);
    if (s->kink_order) gt_remember_kink(s, s->h);
    if (s->method->accept) s->method->accept(s);
    swap(&s->x, &s->x_new);
    swap(&s->f, &s->f_new);
    s->f_known = s->f_new_known;
    s->f_new_known = false;
    s->t = s->t_new;
    s->stats.steps++;
}

void gt_stepper_accept(gt_stepper *s)
{
    if (!s || !s->bound || !s->tried) return;
    s->tried = false;
    gt_take_trial(s);
}

gt_status gt_stepper_step(gt_stepper *s, double h)
{
    if (!s || !s->bound) return not_bound(s);
    if (!isfinite(h) || h == 0)
        return gt_fail(&s->message, GT_BAD_ARGUMENT, "a step of size %g cannot be taken", h);
    gt_status status = gt_trial(s, h, false);
    if (!status && !gt_finite_over_ranks(s->problem, s->x_new, s->n)) status = GT_TRY_NOT_FINITE;
    if (status)
        return gt_fail(&s->message, status, "the step from t = %g with h = %g failed: %s", s->t, h,
                       gt_status_text(status));
    gt_take_trial(s);
    return GT_OK;
}

gt_status gt_stepper_run(gt_stepper *s, double grid, double h, size_t first, size_t count)
{
    if (!s || !s->bound) return not_bound(s);
    if (s->method->run_fixed && !s->problem->n_alg) /* their stages are not solved there */
        return s->method->run_fixed(s, grid, h, first, count);
    for (size_t k = first; k < first + count; k++) {
        gt_status status = gt_trial(s, h, false);
        if (status) return status;
        s->t_new = grid + (double)(k + 1) * h;
        gt_take_trial(s);
    }
    return GT_OK;
}

void gt_hermite(const gt_stepper *s, double h, double theta, double *x)
{
    assert(s && x);
    assert(s->f_known && s->f_new_known);
    double u = 1 - theta;
    double a = u * u * (1 + 2 * theta), b = theta * theta * (3 - 2 * theta);
    double c = h * theta * u * u, d = -h * theta * theta * u;
    for (size_t i = 0; i < s->n; i++)
        x[i] = a * s->x[i] + b * s->x_new[i] + c * s->f[i] + d * s->f_new[i];
}

gt_status gt_slopes(gt_stepper *s)
{
    assert(s && s->bound);
    gt_status status = gt_slope(s);
    if (status || s->f_new_known) return status;
    status = gt_rhs(s, s->t_new, s->x_new, s->f_new);
    s->f_new_known = !status;
    return status;
}

gt_status gt_stepper_interpolate(gt_stepper *s, double theta, double *x)
{
    gt_status status;
    if (!s || !s->bound) return not_bound(s);
    GT_ARMOR(&s->message, x);
    if (s->method->interpolate) {
        status = s->method->interpolate(s, s->h, theta, x);
    } else {
        status = gt_slopes(s);
        if (!status) gt_hermite(s, s->h, theta, x);
    }
    /* Between points polynomials of algebraic variables can be far off; their equations are not.
     * Where those cannot be solved the polynomial stands. */
    if (!status && s->problem->n_alg && theta != 0 && theta != 1) {
        gt_message kept = s->message;
        status = gt_stepper_solve_algebraic_inside(s, s->t + theta * s->h, x);
        if (gt_cannot_close(status)) s->message = kept, status = GT_OK;
    }
    return status;
}

void gt_stepper_free(gt_stepper *s)
{
    if (!s || !s->bound) return;
    s->bound = s->tried = false;
    if (s->algebraic) gt_newton_free(s->algebraic);
    if (s->method && s->method->release && s->state) s->method->release(s);
}

gt_status gt_rhs_rows(gt_stepper *s, size_t first, size_t rows, double t, const double *x,
                      double *dx)
{
    assert(s && x && dx);
    assert(first + rows <= s->n);
    assert(dx != s->scratch || s->n == 0);
    gt_status status = gt_rhs(s, t, x, s->scratch);
    memcpy(dx, s->scratch + first, rows * sizeof *dx);
    return status;
}

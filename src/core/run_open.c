/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of a run handle, and how a run is opened and closed. It is one block,
 *
 *     handle | breaks | x inside a step | what the problem keeps | workspace | workspace of the
 * probe
 *
 * or, for a run with a pilot, whose workspaces come and go in blocks of their own (handover.c),
 *
 *     handle | breaks | x inside a step | what the problem keeps | state of the pilot
 *
 * and pointers into it are set by gt_run_lay, before any function of the problem is called: so a
 * copy of a run, or one that is restored, begins as a laid out run that gets the numbers of the
 * other one (run_image.c).
 */
#include "base/sized.h"
#include "core/run_handle.h"
#include "implicit/index.h"
#include "problem/norm.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_backward(const gt_problem *p) { return p->t1 < p->t0; }

static gt_status stand_still(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)x, (void)ctx;
    dx[0] = 0;
    return GT_OK;
}

/* A problem without states, of nothing but time, is run with one that does not move. */
static const gt_problem *with_a_state(const gt_problem *given, gt_problem *copy)
{
    static const double still;
    if (gt_problem_size(given) || given->rhs || given->x0) return given;
    *copy = *given;
    copy->n_slow = 1;
    copy->rhs = stand_still;
    copy->x0 = &still;
    return copy;
}

static bool has_probe(const gt_problem *p, const gt_plan *plan)
{
    return plan && plan->local_errors && plan->h > 0 && p->t1 - p->t0 >= 4 * plan->h;
}

/* Bytes of the state of its pilot; 0: none. */
static size_t pilot_bytes(const gt_problem *p, const gt_plan *plan)
{
    return plan && plan->pilot ? plan->pilot->state_size(p) + 1 : 0;
}

/* The parts of the memory of a run that come before the workspace, in this order. */
static run_handle *lay_out(const gt_problem *problem, const gt_plan *plan, gt_arena *arena)
{
    run_handle *w = gt_arena_take(arena, 1, sizeof *w);
    double *breaks = gt_arena_doubles(arena, problem->n_breaks + GT_RUN_MORE_BREAKS);
    double *shown = gt_arena_doubles(arena, gt_problem_size(problem) + 1);
    unsigned char *kept = gt_arena_take(arena, problem->kept_bytes, 1);
    void *pilot_state = gt_arena_take(arena, pilot_bytes(problem, plan), 1);
    if (!w || arena->failed) return NULL; /* or measuring */
    w->breaks = breaks;
    w->shown = shown;
    w->kept = kept;
    w->pilot_state = pilot_state;
    w->arena = gt_arena_growing();
    w->sign = 1;
    w->room = GT_RUN_MORE_BREAKS;
    atomic_flag_clear(&w->busy);
    return w;
}

gt_status gt_pilot_resolve(const gt_problem *problem, const gt_method **method,
                           const gt_plan **plan, gt_plan *own, gt_choice *choice,
                           gt_message *message)
{
    *choice = (gt_choice){0};
    const gt_pilot *pilot = *plan ? (*plan)->pilot : NULL;
    if (!pilot) return *method ? GT_OK : gt_fail(message, GT_BAD_ARGUMENT, "no method was given");
    if (problem->ranks)
        return gt_fail(message, GT_UNSUPPORTED,
                       "the pilot %s needs the whole state in one place; choose a method",
                       pilot->name);
    if (*method)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the plan has the pilot %s, which chooses the method: give none",
                       pilot->name);
    if (!((*plan)->h > 0)) return gt_problem_check(problem, message);
    void *state = calloc(1, pilot_bytes(problem, *plan));
    if (!state) return gt_fail(message, GT_NO_MEMORY, "out of memory");
    gt_status status = gt_problem_check(problem, message);
    if (!status) status = pilot->begin(state, problem, *plan, choice, message);
    free(state);
    *own = **plan;
    own->pilot = NULL;
    own->options = NULL;
    *plan = own;
    *method = choice->method;
    return status;
}

gt_status gt_run_measure_sized(const gt_problem *problem, size_t problem_size,
                               const gt_method *method, const gt_plan *plan, size_t plan_size,
                               size_t *bytes, gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_WIDEN(message, gt_plan, plan);
    GT_ARMOR(message, problem && bytes);
    gt_problem moving;
    gt_plan own;
    gt_choice choice;
    problem = with_a_state(problem, &moving);
    gt_arena arena = {0};
    size_t part = 0;
    gt_status status = gt_pilot_resolve(problem, &method, &plan, &own, &choice, message);
    if (!status && method)
        status = gt_stepper_measure(method, plan ? plan->options : NULL, problem, &part, message);
    if (status) return status;
    (void)lay_out(problem, plan, &arena);
    for (int k = 0; method && k <= has_probe(problem, plan); k++)
        (void)gt_arena_take(&arena, part, 1);
    *bytes = arena.used + GT_ALIGN;
    return arena.failed ? gt_fail(message, GT_NO_MEMORY, "a problem of this size is too large")
                        : GT_OK;
}

void gt_handle_show_start(run_handle *w)
{
    gt_stepper *s = w->run.s;
    w->t = s->t;
    w->x = s->x;
}

static void set_up(const run_handle *w, gt_stepper *s)
{
    s->rtol_vector = w->plan.h > 0 ? NULL : w->plan.rtol_vector;
    s->atol_vector = w->plan.atol_vector;
    s->backward = w->sign < 0;
}

static gt_status lay_stepper(run_handle *w, gt_stepper *s, const gt_method *method,
                             gt_arena *memory)
{
    gt_status status = gt_stepper_lay(s, method, w->plan.options, &w->problem, memory);
    if (status)
        w->report.message = s->message;
    else
        set_up(w, s);
    return status;
}

/* The stepper of a run with a pilot: of the method named, or the one that it begins with. */
static gt_status lay_leg(run_handle *w, const gt_leg_name *name, const gt_arena *keeps,
                         gt_choice *first)
{
    gt_message *message = &w->report.message;
    gt_status status = GT_OK;
    if (name->method)
        *first = (gt_choice){.method = name->method};
    else
        status = w->plan.pilot->begin(w->pilot_state, &w->problem, &w->plan, first, message);
    const char *options = name->method ? name->options : first->options;
    if (!status)
        status = gt_leg_lay(&w->problem, first->method, options, keeps, &w->run.leg, message);
    if (status) return status;
    w->run.s = w->run.base = gt_leg_stepper(w->run.leg);
    w->run.pilot = w->plan.pilot;
    w->run.pilot_state = w->pilot_state;
    w->run.pilot_due = first->after > 1 ? first->after : 1;
    w->run.phases = &w->report.phases;
    set_up(w, w->run.base);
    return GT_OK;
}

/* Fills the handle; what is wrong is in the report. */
static gt_status fill(run_handle *w, const gt_leg_name *name, gt_arena *memory)
{
    const gt_problem *problem = &w->given;
    gt_message *message = &w->report.message;
    gt_status status = GT_OK;
    w->problem = *problem;
    w->plan = w->asked;
    if (is_backward(problem)) {
        w->sign = -1;
        status = gt_problem_reversed(problem, &w->problem, &w->arena);
        if (!status) status = gt_mirror_plan(&w->asked, &w->plan, &w->watcher, &w->arena);
        if (status) return gt_fail(message, status, "out of memory");
    }
    if (problem->n_breaks)
        memcpy(w->breaks, w->problem.breaks, problem->n_breaks * sizeof *w->breaks);
    w->problem.breaks = w->breaks;
    bool piloted = w->plan.pilot, probes = !piloted && has_probe(problem, &w->asked);
    if (!piloted) status = lay_stepper(w, &w->stepper, name->method, memory);
    if (!status && probes) status = lay_stepper(w, &w->probe, name->method, memory);
    if (status) return status;
    w->run = (gt_run){.s = &w->stepper,
                      .base = &w->stepper,
                      .probe = probes ? &w->probe : NULL,
                      .pulse_at = -INFINITY,
                      .inside_limit = INFINITY,
                      .inside_of = -INFINITY,
                      .target = -INFINITY,
                      .limit = INFINITY,
                      .plan = &w->plan,
                      .problem = &w->problem,
                      .message = message,
                      .one_by_one = true};
    gt_choice first = {0};
    if (piloted) status = lay_leg(w, name, memory, &first);
    if (status) return status;
    w->run.base->warnings = &w->report.warnings;
    gt_handle_show_start(w);
    w->bytes = memory->used;
    if (piloted && !name->method) gt_run_open_phase(&w->run, &first);
    return gt_run_choose_control(&w->run);
}

gt_status gt_run_lay(run_handle **handle, const gt_problem *problem, const gt_leg_name *name,
                     const gt_plan *plan, void *memory, size_t bytes, const gt_arena *watch,
                     gt_message *message)
{
    gt_arena arena = gt_arena_over(memory, bytes);
    if (watch) {
        arena.keep = watch->keep;
        arena.keeper = watch->keeper;
    }
    gt_problem moving;
    problem = with_a_state(problem, &moving);
    run_handle *w = lay_out(problem, plan, &arena);
    if (!w) return gt_fail(message, GT_NO_MEMORY, "a problem of this size is too large");
    w->given = *problem;
    if (plan) w->asked = *plan;
    gt_status status = fill(w, name, &arena);
    if (status) {
        if (message) *message = w->report.message;
        gt_leg_discard(w->run.leg);
        gt_arena_free(&w->arena);
        return status;
    }
    *handle = w;
    return GT_OK;
}

gt_status gt_handle_begin(run_handle *w)
{
    gt_status status = gt_check_mass_index(&w->problem, &w->report.message);
    if (status) return status;
    status = gt_stepper_prepare(w->run.base);
    if (!status && w->run.probe) status = gt_stepper_prepare(&w->probe);
    if (!status) status = gt_run_begin(&w->run);
    if (w->given.kept_bytes) memcpy(w->kept, w->given.kept, w->given.kept_bytes);
    gt_handle_show_start(w);
    return status;
}

void gt_handle_free(run_handle *w)
{
    gt_run_end_second(&w->run);
    gt_slide_discard(w->run.slide);
    gt_leg_discard(w->run.leg);
    w->run.slide = NULL;
    w->run.leg = NULL;
    gt_stepper_free(&w->stepper);
    gt_stepper_free(&w->probe);
    gt_arena_free(&w->arena);
    void *memory = w->own_memory;
    w->own_memory = NULL;
    w->finished = w->closed = true;
    gt_handle_leave(w);
    free(memory);
}

gt_status gt_run_open_in_sized(gt_run **run, const gt_problem *problem, size_t problem_size,
                               const gt_method *method, const gt_plan *plan, size_t plan_size,
                               void *memory, size_t bytes, gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_WIDEN(message, gt_plan, plan);
    GT_ARMOR(message, run && problem);
    *run = NULL;
    size_t wanted;
    gt_plan own;
    gt_choice choice;
    gt_status status = gt_pilot_resolve(problem, &method, &plan, &own, &choice, message);
    if (!status) status = gt_run_measure(problem, method, plan, &wanted, message);
    if (status) return status;
    if (!memory || bytes < wanted)
        return gt_fail(message, GT_WORKSPACE_SMALL,
                       "a run by %s needs %zu bytes for %s, %zu were given",
                       method ? method->name : plan->pilot->name, wanted,
                       problem->name ? problem->name : "this problem", memory ? bytes : 0);
    run_handle *w = NULL;
    status =
        gt_run_lay(&w, problem, &(gt_leg_name){method, NULL}, plan, memory, bytes, NULL, message);
    if (status) return status;
    if (choice.method) gt_phases_only(&w->report.phases, &choice, problem->t0);
    status = gt_handle_begin(w);
    if (status) {
        if (!w->report.message.text[0]) w->report.message = w->run.s->message;
        if (!w->report.message.text[0]) w->report.message = w->probe.message;
        if (message) *message = w->report.message;
        gt_handle_free(w);
        return status;
    }
    *run = &w->run;
    return GT_OK;
}

gt_status gt_run_open_sized(gt_run **run, const gt_problem *problem, size_t problem_size,
                            const gt_method *method, const gt_plan *plan, size_t plan_size,
                            gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_WIDEN(message, gt_plan, plan);
    GT_ARMOR(message, run && problem);
    *run = NULL;
    size_t bytes;
    gt_status status = gt_run_measure(problem, method, plan, &bytes, message);
    if (status) return status;
    void *memory = malloc(bytes);
    if (gt_any_rank(problem, !memory)) {
        free(memory);
        return gt_fail(message, GT_NO_MEMORY, "out of memory: a run needs %zu bytes", bytes);
    }
    status = gt_run_open_in(run, problem, method, plan, memory, bytes, message);
    if (status)
        free(memory);
    else
        gt_handle_of(*run)->own_memory = memory;
    return status;
}

void gt_handle_fail(run_handle *w, gt_status status)
{
    if (!w->report.message.text[0]) w->report.message = w->run.s->message;
    if (!w->report.message.text[0]) status = gt_run_limit(&w->run, status);
    w->failed = w->report.status = status;
}

/* What gt_run_finish and gt_run_close have in common. */
void gt_handle_finish(run_handle *w)
{
    gt_run *r = &w->run;
    if (w->finished) return;
    w->finished = true;
    gt_handle_take_turn(w);
    gt_status status = w->failed ? GT_OK : gt_run_accept(r);
    if (!status && !w->failed) status = gt_run_end_branch_looks(r);
    if (status) gt_handle_fail(w, status);
    if (!w->failed) w->report.message.text[0] = 0; /* a wrong call is no matter any more */
    gt_handle_show_start(w);
    gt_run_end(r);
    gt_run_close_phase(r);
}

static gt_status full_run_finish(gt_run *run, gt_report *report)
{
    if (!run) return GT_BAD_ARGUMENT;
    run_handle *w = gt_handle_of(run);
    if (!gt_handle_take(w)) return GT_BUSY; /* from inside f or a sink */
    gt_handle_finish(w);
    if (w->plan.x_end) memmove(w->plan.x_end, run->s->x, run->s->n * sizeof *run->s->x);
    gt_handle_leave(w);
    gt_run_report(run, report);
    return w->failed;
}

gt_status gt_run_finish_sized(gt_run *run, gt_report *report, size_t report_size)
{
    GT_OUT(gt_report, report);
    gt_status result = full_run_finish(run, report);
    GT_GIVE(report);
    return result;
}

void gt_run_discard(gt_run *run)
{
    if (!run) return;
    run_handle *w = gt_handle_of(run);
    if (!gt_handle_take(w)) return; /* as below */
    if (w->run.n_relations && !w->finished) w->given.set_sides(NULL, w->given.ctx);
    gt_handle_free(w);
}

void gt_run_close(gt_run *run)
{
    if (!run) return;
    run_handle *w = gt_handle_of(run);
    if (!gt_handle_take(w)) return; /* from inside f or a sink: the run is still under way */
    gt_handle_finish(w);
    gt_handle_free(w);
}

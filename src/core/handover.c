/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A run whose method changes on the way, geartrain/pilot.h. The stepper in use, a leg, has a block
 * of memory of its own: struct, then workspace. A hand-over is made between two steps, at the
 * accepted point: the next leg is laid out and prepared, gets all that belongs to the run and not
 * to the method, and the one before is freed. The solution does not jump, and f is not evaluated
 * where it is known.
 */
#include "core/run_handle.h"
#include <assert.h>
#include <geartrain/author/number.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct gt_leg {
    gt_stepper s;
    char options[GT_OPTIONS_ROOM];
    size_t bytes; /* of its memory, which begins with this struct */
};

void gt_leg_memory(const struct gt_leg *leg, void **base, size_t *bytes)
{
    *base = (void *)leg;
    *bytes = leg->bytes;
}

gt_stepper *gt_leg_stepper(struct gt_leg *leg) { return &leg->s; }

const char *gt_run_options(const gt_run *r) { return r->leg ? r->leg->options : r->plan->options; }

void gt_leg_discard(struct gt_leg *leg)
{
    if (!leg) return;
    gt_stepper_free(&leg->s);
    free(leg);
}

gt_status gt_leg_lay(const gt_problem *problem, const gt_method *method, const char *options,
                     const gt_arena *keeps, struct gt_leg **leg, gt_message *why)
{
    assert(problem && method && options && leg);
    size_t bytes;
    gt_status status = gt_stepper_measure(method, options, problem, &bytes, why);
    if (status) return status;
    bytes = (bytes + sizeof **leg + 4 * GT_ALIGN) / GT_ALIGN * GT_ALIGN;
    void *memory = aligned_alloc(GT_ALIGN, bytes);
    if (!memory)
        return gt_fail(why, GT_NO_MEMORY, "out of memory: %s needs %zu bytes", method->name, bytes);
    gt_arena arena = gt_arena_over(memory, bytes);
    if (keeps) {
        arena.keep = keeps->keep;
        arena.keeper = keeps->keeper;
    }
    struct gt_leg *w = gt_arena_take(&arena, 1, sizeof *w);
    status = w ? gt_stepper_lay(&w->s, method, options, problem, &arena) : GT_NO_MEMORY;
    if (status) {
        if (why && w) *why = w->s.message;
        free(memory);
        return status;
    }
    gt_format(w->options, sizeof w->options, "%s", options);
    w->bytes = arena.used;
    *leg = w;
    return GT_OK;
}

/* ---- phases ---- */

static gt_share *share_of(gt_phases *phases, const char *method)
{
    for (int k = 0; k < phases->n_shares; k++)
        if (!strcmp(phases->shares[k].method, method)) return &phases->shares[k];
    if (phases->n_shares == GT_MOST_SHARES) return &phases->shares[GT_MOST_SHARES - 1];
    gt_share *share = &phases->shares[phases->n_shares++];
    gt_format(share->method, sizeof share->method, "%s", method);
    return share;
}

/* The phase under way up to the accepted point, in the list and in the shares of the methods. */
void gt_run_close_phase(gt_run *r)
{
    gt_phases *phases = r->phases;
    if (!phases || !phases->count) return;
    gt_phase *phase = &phases->list[phases->count - 1];
    gt_share *share = share_of(phases, phase->method);
    long steps = r->s->stats.steps - r->phase_steps;
    share->span += r->s->t - r->phase_t;
    share->steps += steps;
    phase->steps += steps;
    r->phase_t = r->s->t;
    r->phase_steps = r->s->stats.steps;
}

void gt_run_open_phase(gt_run *r, const gt_choice *choice)
{
    gt_phases *phases = r->phases;
    if (phases->count == GT_MOST_PHASES) /* the last entry makes room */
        phases->left_out++;
    else
        phases->count++;
    gt_phase *phase = &phases->list[phases->count - 1];
    *phase = (gt_phase){.t = 0 + gt_shown_time(r->s, r->s->t)};
    gt_format(phase->method, sizeof phase->method, "%s", choice->method->name);
    gt_format(phase->because, sizeof phase->because, "%s", choice->because);
    r->phase_t = r->s->t;
    r->phase_steps = r->s->stats.steps;
}

/* A run with one phase, whose steps are those of the run. */
void gt_phases_only(gt_phases *phases, const gt_choice *choice, double t)
{
    *phases = (gt_phases){.count = 1, .list = {{.t = t}}};
    gt_format(phases->list[0].method, sizeof phases->list[0].method, "%s", choice->method->name);
    gt_format(phases->list[0].because, sizeof phases->list[0].because, "%s", choice->because);
}

const char *gt_phases_method(const gt_phases *phases)
{
    if (!phases || !phases->count) return "";
    const gt_share *most = NULL;
    for (int k = 0; k < phases->n_shares; k++)
        if (!most || phases->shares[k].span > most->span) most = &phases->shares[k];
    return most ? most->method : phases->list[0].method;
}

/* ---- the hand-over ---- */

static void copy(void *to, const void *from, size_t count, size_t size)
{
    if (to && from && count) memcpy(to, from, count * size);
}

void gt_run_pass_on(const gt_stepper *from, gt_stepper *to, size_t roots)
{
    assert(from && to && from != to);
    to->rtol = from->rtol;
    to->atol = from->atol;
    to->rtol_vector = from->rtol_vector;
    to->atol_vector = from->atol_vector;
    to->stats = from->stats;
    to->note = from->note;
    to->warnings = from->warnings;
    to->backward = from->backward;
    gt_stepper_start(to, from->t, from->x);
    copy(to->root_values, from->root_values, gt_root_numbers(roots), sizeof *to->root_values);
    copy(to->root_sides, from->root_sides, gt_root_flags(roots), sizeof *to->root_sides);
    copy(to->fired, from->fired, roots, sizeof *to->fired);
}

/* And what a method of the same problem can use besides. */
static void carry_over(const gt_problem *p, const gt_stepper *from, gt_stepper *to)
{
    size_t n = from->n, watched = gt_run_most_watched(p), relations = watched ? p->n_switches : 0;
    gt_run_pass_on(from, to, p->n_roots + watched);
    to->t_cap = from->t_cap;
    to->h = from->h;
    if (from->f_known) memcpy(to->f, from->f, n * sizeof *to->f);
    to->f_known = from->f_known;
    copy(to->switch_numbers, from->switch_numbers, watched, sizeof *to->switch_numbers);
    copy(to->switch_sides, from->switch_sides, watched, sizeof *to->switch_sides);
    copy(to->switch_tied, from->switch_tied, watched, sizeof *to->switch_tied);
    copy(to->switch_held, from->switch_held, relations, sizeof *to->switch_held);
    copy(to->switch_values, from->switch_values, relations, sizeof *to->switch_values);
    copy(to->switch_past, from->switch_past, relations, sizeof *to->switch_past);
    copy(to->switch_moves, from->switch_moves, relations, sizeof *to->switch_moves);
    copy(to->switch_work, from->switch_work, watched ? 3 * n + 3 * GT_MOST_WATCHED : 0,
         sizeof *to->switch_work);
}

static gt_status no_hand_over(gt_run *r, const gt_method *method, gt_status status, const char *why)
{
    r->pilot_due = LONG_MAX; /* the run stays with the method that it has */
    if (!r->s->note.text[0])
        gt_fail(&r->s->note, status, "the change to %s at t = %.6g failed (%s); %s goes on",
                method->name, gt_shown_time(r->s, r->s->t), why, r->s->method->name);
    return GT_OK;
}

/* The first step by a formula that begins with order 1 is shorter than the one before; other
 * methods go on with it. */
static gt_status first_step(gt_run *r, const gt_choice *choice, double before)
{
    gt_stepper *s = r->s;
    double rest = gt_run_next_stop(r) - s->t, h = choice->h > 0 ? choice->h : before;
    if (s->method->first_step) {
        h = s->method->first_step(s);
    } else if (s->facts.flags & GT_VARIABLE_FORMULA && choice->h <= 0 && rest > 0) {
        gt_status status = gt_run_initial_step(r, rest, &h);
        if (status) return gt_run_trial_failed(r, status < 0 ? status : GT_TRY_RHS);
    }
    r->h = fmin(h, rest > 0 ? rest : h);
    return GT_OK;
}

static gt_status hand_over(gt_run *r, const gt_choice *choice)
{
    gt_message why = {""};
    struct gt_leg *leg = NULL, *before = r->leg;
    const gt_plan *plan = r->plan;
    gt_status status = gt_leg_lay(r->problem, choice->method, choice->options, NULL, &leg, &why);
    if (status) return no_hand_over(r, choice->method, status, why.text);
    gt_stepper *s = &leg->s;
    bool fits = s->facts.error_order && !(s->method->judge && plan->control.name);
    s->rtol = r->s->rtol;
    status = fits ? gt_stepper_prepare(s) : GT_UNSUPPORTED;
    if (status) {
        why = s->message;
        gt_leg_discard(leg);
        return no_hand_over(r, choice->method, status,
                            fits ? why.text : "its steps cannot be controlled as asked");
    }
    gt_run_close_phase(r);
    carry_over(r->problem, r->base, s);
    r->s = r->base = s;
    r->leg = leg;
    if (r->n_relations)
        r->problem->set_sides(r->n_switches ? s->switch_held : NULL, r->problem->ctx);
    gt_leg_discard(before);
    status = gt_run_choose_control(r);
    if (status) return status;
    gt_control_begin(&r->memory, &r->control, s->facts.error_order + 1);
    r->lookout.memory = r->memory;
    r->rejections = 0;
    gt_run_open_phase(r, choice);
    return first_step(r, choice, r->h);
}

gt_status gt_run_consider(gt_run *r)
{
    assert(r && r->pilot && r->leg);
    assert(!r->waits);
    gt_stepper *s = r->s;
    gt_view view = {.problem = r->problem,
                    .plan = r->plan,
                    .s = s,
                    .h = r->h,
                    .error = r->error,
                    .stop = gt_run_next_stop(r),
                    .mode_known = r->mode_known,
                    .mode = r->mode,
                    .trials = &r->phases->trials};
    gt_choice choice = {.method = s->method};
    gt_format(choice.options, sizeof choice.options, "%s", r->leg->options);
    bool change = r->pilot->consider(r->pilot_state, &view, &choice);
    r->pilot_due = s->stats.steps + (choice.after > 1 ? choice.after : 1);
    r->mode_known = false;
    return change && !r->slide ? hand_over(r, &choice) : GT_OK;
}

void gt_run_watch_mode(gt_run *r)
{
    gt_stepper *s = r->s;
    r->mode_known = s->method->mode && s->method->mode(s, &r->mode);
}

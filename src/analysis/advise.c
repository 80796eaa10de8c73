/* SPDX-License-Identifier: BSD-3-Clause */
/* From a problem to advice: a run, spectra along it, a split, methods in order of work. */
#include "analysis/advice.h"
#include "base/sized.h"
#include <geartrain/analysis/choose.h>
#include <geartrain/pilot.h>
#include <math.h>
#include <string.h>

/* Points that a run is looked at, so that all eigenvalues together cost a few seconds at most. */
static size_t points_wanted(const gt_problem *p)
{
    double n = (double)gt_problem_size(p), affordable = 8e7 / (n * n * n);
    if (n > GT_SPECTRUM_DENSE) return n > 5000 ? 4 : 8;
    return affordable > 40 ? 40 : affordable < 5 ? 5 : (size_t)affordable;
}

static gt_status find_spectra(const gt_problem *p, gt_advice *a, gt_arena *arena,
                              gt_message *message)
{
    size_t kept = 0;
    gt_status status = GT_OK;
    for (size_t k = 0; k < a->n_points; k++) {
        gt_spectrum at;
        status = gt_spectrum_at(p, a->points[k].t, a->points[k].x, a->span, &at, arena, message);
        if (status == GT_NO_MEMORY || status == GT_UNSUPPORTED) return status;
        if (status) continue; /* a singular point; the others tell enough */
        at.h = a->points[k].h;
        a->points[kept++] = at;
    }
    a->n_points = kept;
    return kept ? GT_OK : status;
}

static gt_status find_splits(const gt_problem *p, gt_advice *a, gt_arena *arena,
                             gt_message *message)
{
    size_t n = gt_problem_size(p);
    if (!a->points[0].complete) return GT_OK;
    a->states = gt_arena_take(arena, n, sizeof *a->states);
    a->given.fast = gt_arena_take(arena, n, 1);
    if (arena->failed) return gt_fail(message, GT_NO_MEMORY, "out of memory");
    gt_status status = gt_split_suggest(p, a->points, a->n_points, a->span, a->motion, &a->split,
                                        a->states, arena, message);
    if (status || !p->n_fast || !p->n_slow) return status;
    a->given.n_fast = p->n_fast;
    memset(a->given.fast + p->n_slow, 1, p->n_fast);
    return gt_split_measure(a->points, a->n_points, a->span, a->motion, &a->given, message);
}

static gt_status find_manifold(const gt_problem *p, gt_advice *a, gt_arena *arena)
{
    if (!p->n_fast || !p->n_slow) return GT_OK;
    a->distance = gt_arena_doubles(arena, a->n_points);
    if (!a->distance) return GT_NO_MEMORY;
    for (size_t k = 0; k < a->n_points; k++) {
        gt_arena scratch = gt_arena_growing();
        gt_manifold m;
        gt_status status = gt_manifold_at(p, a->points[k].t, a->points[k].x, &m, &scratch, NULL);
        a->distance[k] = status ? NAN : m.distance;
        gt_arena_free(&scratch);
        if (status == GT_NO_MEMORY) return status;
    }
    const gt_spectrum *last = &a->points[a->n_points - 1];
    gt_status status =
        gt_manifold_at(p, last->t, last->x, &a->manifold, arena, &a->manifold_message);
    a->has_manifold = !status;
    return status == GT_NO_MEMORY ? status : GT_OK;
}

/* The method that the pilot of `auto` goes on with for most of the span; NULL: nor does it come to
 * the end. */
static const gt_method *method_of_auto(const gt_problem *p, const gt_plan *plan)
{
    gt_plan piloted = plan ? *plan : (gt_plan){0};
    gt_report report;
    piloted.pilot = &gt_auto;
    if (gt_solve(p, NULL, &piloted, &report)) return NULL;
    return gt_method_find(gt_phases_method(&report.phases));
}

/* Another method whose run tells more than that of `method`, and why; NULL: there is none. dopri5
 * near its limit of stability does not tell what accuracy needs; gear does. */
static const gt_method *looks_further(const gt_problem *p, const gt_plan *plan, gt_advice *a,
                                      const gt_method *method)
{
    const gt_method *gear = gt_method_for(GT_ROLE_STIFF), *other = NULL;
    const char *reason = "of %s there are too many steps, and %s comes to the end";
    bool near_limit =
        a->steps_stability > 0.5 * (double)a->run.stats.steps && a->run.stats.steps > 50;
    if (a->run.status == GT_TOO_MANY_STEPS) {
        other = method_of_auto(p, plan);
    } else if (near_limit && !a->run.status) {
        other = gear;
        reason = "stability limits the step of %s, and with %s one sees what accuracy needs";
    }
    if (!other || other == method) return NULL;
    gt_fail(&a->why_method, GT_OK, reason, method->name, other->name);
    return other;
}

static gt_status run_and_look(const gt_problem *p, const gt_plan *plan, gt_advice *a,
                              gt_arena *arena, gt_message *message)
{
    const gt_method *method;
    gt_status status = gt_choose_by_pilot(p, plan, &method, &a->why_method);
    if (status) return gt_fail(message, status, "%s", a->why_method.text);
    for (bool last = false; method;) {
        status = gt_advice_run(p, method, plan, points_wanted(p), a, arena, message);
        if (!status) status = find_spectra(p, a, arena, message);
        if (status) return status;
        if (gt_advice_judge(a))
            return gt_fail(message, GT_NO_MEMORY, "out of memory to judge the run");
        if (last) return GT_OK;
        last = a->run.status == GT_TOO_MANY_STEPS;
        method = looks_further(p, plan, a, method);
    }
    return GT_OK;
}

static gt_status advise_forward(const gt_problem *problem, const gt_plan *plan,
                                const gt_method *const *methods, gt_advice *out, gt_arena *arena,
                                gt_message *message)
{
    *out = (gt_advice){.rtol = plan && plan->rtol > 0 ? plan->rtol : 1e-6};
    gt_status status = run_and_look(problem, plan, out, arena, message);
    if (!status) status = find_splits(problem, out, arena, message);
    if (!status && find_manifold(problem, out, arena))
        status = gt_fail(message, GT_NO_MEMORY, "out of memory for the slow manifold");
    if (!status)
        status = gt_advice_rank(problem, plan, methods ? methods : gt_method_list(), out, arena,
                                message);
    if (status) return status;
    gt_advice_on_classes(problem, out);
    if (out->run.status) return gt_fail(message, out->run.status, "%s", out->run.message.text);
    return GT_OK;
}

/* Where t1 lies before t0 the advice is about the reversed problem, at the times of the problem. */
static gt_status full_advise(const gt_problem *problem, const gt_plan *plan,
                             const gt_method *const *methods, gt_advice *out, gt_arena *arena,
                             gt_message *message)
{
    GT_ARMOR(message, problem && out && arena);
    if (!(problem->t1 < problem->t0))
        return advise_forward(problem, plan, methods, out, arena, message);
    gt_problem reversed;
    gt_message why = {""};
    gt_status status = gt_problem_reversed(problem, &reversed, arena);
    if (status) return gt_fail(message, status, "out of memory for the reversed problem");
    status = advise_forward(&reversed, plan, methods, out, arena, &why);
    for (size_t k = 0; k < out->n_points; k++) out->points[k].t = 0 - out->points[k].t;
    out->run.t = 0 - out->run.t;
    return status ? gt_fail(message, status, "of the reversed problem, in which time is -t: %s",
                            why.text)
                  : GT_OK;
}

gt_status gt_advise_sized(const gt_problem *problem, size_t problem_size, const gt_plan *plan,
                          size_t plan_size, const gt_method *const *methods, gt_advice *out,
                          size_t out_size, gt_arena *arena, gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_WIDEN(message, gt_plan, plan);
    GT_OUT(gt_advice, out);
    gt_status result = full_advise(problem, plan, methods, out, arena, message);
    GT_GIVE(out);
    return result;
}

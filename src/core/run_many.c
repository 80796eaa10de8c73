/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many steps in one call of the method, where it has one for that and nobody wants to know of the
 * single ones: the loop in run_step.c asks here first.
 */
#include "core/run_state.h"
#include "problem/norm.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { CHUNK = 4096 }; /* steps between looks at interruption and at NaN */

size_t gt_run_steps_until(const gt_run *r, double t)
{
    double slack = 1e-9 + 8 * DBL_EPSILON * fabs(t) / r->plan->h;
    double steps = floor((t - r->grid) / r->plan->h + slack);
    return steps < (double)(SIZE_MAX / 2) ? (size_t)steps
                                          : SIZE_MAX / 2; /* the end may be infinite */
}

gt_status gt_run_many_fixed(gt_run *r, bool *done)
{
    gt_stepper *s = r->s;
    *done = false;
    if (r->one_by_one && !(r->target > s->t)) return GT_OK;
    /* Blocks that are parts of full calls need the scratch that keeps the start of the chunk here.
     */
    bool cuts_blocks =
        (s->facts.flags & GT_NEEDS_PARTITION) && !(r->problem->rhs_slow && r->problem->rhs_fast);
    if (!s->method->run_fixed || cuts_blocks || r->n_roots || (r->wanted & GT_AT_STEP) ||
        r->plan->refine)
        return GT_OK;
    size_t until =
        gt_run_steps_until(r, fmin(fmin(gt_run_next_stop(r), r->target), gt_run_next_sample(r)));
    if (until <= r->k + 2 || gt_run_probe_due(r)) return GT_OK;
    size_t count = until - r->k - 1; /* the step to an output point or a stop is taken by itself */
    if (r->probe && (long)count > r->probe_next - s->stats.steps)
        count = (size_t)(r->probe_next - s->stats.steps);
    if (count > CHUNK) count = CHUNK;
    if (r->plan->max_steps && (long)count > r->plan->max_steps - s->stats.steps) return GT_OK;
    memcpy(s->scratch, s->x, s->n * sizeof *s->x);
    double t = s->t;
    gt_stats stats = s->stats;
    gt_status status = gt_stepper_run(s, r->grid, r->plan->h, r->k, count);
    *done = true;
    if (!status && gt_finite_over_ranks(s->problem, s->x, s->n)) {
        s->h = r->plan->h;
        r->k += count;
        return GT_OK;
    }
    /* Something broke on the way: go there again one by one, to say where. */
    s->stats = stats;
    gt_stepper_start(s, t, s->scratch);
    for (size_t i = 0; i < count; i++) {
        status = gt_run_try_fixed(s, r->plan->h);
        if (status) return gt_run_trial_failed(r, status);
        s->t_new = r->grid + (double)(r->k + 1) * r->plan->h;
        r->k++;
        gt_take_trial(s);
    }
    return GT_OK;
}

gt_status gt_run_try_many(gt_run *r, double *h, double t_stop)
{
    gt_stepper *s = r->s;
    long taken = s->stats.steps, most = r->n_relations ? gt_run_steps_ahead(r) : CHUNK;
    if (r->chatter_due - taken - 1 < most) most = r->chatter_due - taken - 1;
    if (r->pilot && r->pilot_due - taken - 1 < most) most = r->pilot_due - taken - 1;
    if (r->stiff_due - taken - 1 < most) most = r->stiff_due - taken - 1;
    if (r->n_small && most > GT_WATCH_SMALL) most = GT_WATCH_SMALL;
    if (r->plan->max_steps)
        most = r->plan->max_steps - taken - 1 < most ? r->plan->max_steps - taken - 1 : most;
    double least = gt_run_least_step(r);
    bool to_pulse = r->pulse_at - s->t > least;
    gt_pace pace = {.control = &r->control,
                    .memory = &r->memory,
                    .q = s->facts.error_order + 1,
                    .h = *h,
                    .end = fmin(fmin(t_stop, r->target), to_pulse ? r->pulse_at : INFINITY),
                    .h_least = least,
                    .h_most = fmin(gt_run_longest_unseen(r), GT_LONGEST_STEP),
                    .most = most,
                    .adapts = true};
    /* How far it is to a switch is known in steps of this size. */
    if (r->n_relations) pace.end = fmin(pace.end, s->t + (double)(most + 2) * *h);
    if (r->plan->h_max > 0) pace.h_most = fmin(pace.h_most, r->plan->h_max);
    s->unchecked = false;
    gt_status status = s->method->run_kept(s, &pace);
    *h = pace.h;
    s->t_new = s->t + *h;
    r->error = pace.error;
    return status;
}

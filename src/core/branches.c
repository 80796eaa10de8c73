/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where dg/dy is singular on the way, 0 = g(t, x, y) does not determine y: branches of it cross, or
 * turn back. A step passes over such a point without a trace where y is smooth on one of them, and
 * which of them goes on is not said by the equations. det(dg/dy) has the other sign behind it. That
 * is looked at after 1, 2, 4, .. steps and at the end; a switch, an event or a discontinuity on the
 * way may have given the equations another sign.
 */
#include "core/run_state.h"
#include "implicit/index.h"
#include <limits.h>

static long changes(const gt_run *r)
{
    return r->s->stats.events + r->s->stats.switches + (long)r->next_break;
}

void gt_run_begin_branch_looks(gt_run *r)
{
    bool looks = r->problem->n_alg && r->plan->h == 0;
    r->branch_sign = 0;
    r->branch_due = looks ? r->s->stats.steps : LONG_MAX;
}

gt_status gt_run_look_at_branch(gt_run *r)
{
    gt_stepper *s = r->s;
    int sign;
    gt_status status = gt_closing_sign(s, &sign);
    if (status < 0 && !gt_cannot_close(status)) return status;
    bool crossed = sign * r->branch_sign < 0 && changes(r) == r->branch_changes;
    r->branch_due = crossed ? LONG_MAX : 2 * s->stats.steps + 1;
    if (crossed)
        gt_warn(s->warnings,
                "the algebraic equations were singular between t = %.6g and %.6g: dg/dy has a "
                "determinant of the other sign, so that branches of their solution cross or turn "
                "there, and the one that was followed need not be the one that is meant; look at "
                "the rows between, or give the model an event there that chooses",
                gt_shown_time(s, r->branch_t), gt_shown_time(s, s->t));
    r->branch_sign = sign;
    r->branch_changes = changes(r);
    r->branch_t = s->t;
    return GT_OK;
}

gt_status gt_run_end_branch_looks(gt_run *r)
{
    gt_status status =
        r->branch_due < LONG_MAX && gt_run_is_over(r) ? gt_run_look_at_branch(r) : GT_OK;
    return status ? gt_run_trial_failed(r, status) : GT_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A state that does not meet the constraints is moved to a near one that does: at the start a few
 * digits that were left out, later the error of the steps, matter to nobody; more than that is a
 * warning. A reset by an event, or a constraint with a kink, asks for more.
 */
#include "core/run_state.h"
#include <assert.h>
#include <math.h>
#include <string.h>

enum { MOST_NAMES = 3 };

/* The states that have moved from `from` by more than is allowed, by name; false: none. */
static bool name_moved(const gt_run *r, const double *from, bool start, const char *was,
                       gt_message *text)
{
    const double digits = 1e-6, drift = 1e-3, errors = 10;
    const gt_stepper *s = r->s;
    const gt_problem *p = r->problem;
    size_t n = p->n_slow + p->n_fast, named = 0, others = 0;
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(from[i]));
    for (size_t i = 0; i < n; i++) {
        char buffer[24];
        double scale = fmax(fabs(from[i]), 1e-3 * most), allowed = digits * scale;
        if (!start && s->rtol > 0) allowed = fmax(allowed, errors * gt_weight(s, i, from[i]));
        if (!start && !(s->rtol > 0)) allowed = drift * scale;
        if (!(fabs(s->x[i] - from[i]) > allowed)) continue;
        if (named == MOST_NAMES) {
            others++;
            continue;
        }
        gt_say_more(text, "%s%s = %.6g (%.6g %s)", named++ ? ", " : "",
                    gt_problem_state_name(p, i, buffer), s->x[i], from[i], was);
    }
    if (others) gt_say_more(text, " and %zu more", others);
    return named > 0;
}

void gt_run_warn_moved_start(gt_run *r)
{
    assert(r && r->s);
    gt_message text = {""};
    if (name_moved(r, r->problem->x0, true, "was given", &text))
        gt_warn(r->s->warnings,
                "the start does not meet %s; the run begins at a near one that does: %s",
                r->problem->index ? "the constraints and their derivatives"
                                  : "what the singular mass matrix leaves without a derivative",
                text.text);
}

gt_status gt_run_meet_constraints(gt_run *r)
{
    assert(r && r->s);
    gt_stepper *s = r->s;
    gt_message text = {""};
    if (!r->problem->index || r->moved) return gt_stepper_make_consistent(s);
    memcpy(s->x_new, s->x, s->n * sizeof *s->x);
    gt_status status = gt_stepper_make_consistent(s);
    if (status || !name_moved(r, s->x_new, false, "before", &text)) return status;
    r->moved = true;
    gt_warn(s->warnings,
            "at t = %.6g the state does not meet the constraints and their derivatives, since an "
            "event has set it or a constraint has a kink there; the run goes on at a near one that "
            "does: %s",
            gt_shown_time(s, s->t), text.text);
    return GT_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A start that does not meet the constraints is moved to a near one that does: a few digits that
 * were left out matter to nobody; more than that is a warning.
 */
#include "core/run_state.h"
#include <assert.h>
#include <math.h>

void gt_run_warn_moved(gt_run *r)
{
    assert(r && r->s);
    enum { MOST_NAMES = 3 };
    const double noticed = 1e-6;
    const gt_stepper *s = r->s;
    const gt_problem *p = r->problem;
    size_t n = p->n_slow + p->n_fast, named = 0, others = 0;
    gt_message text = {""};
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(p->x0[i]));
    for (size_t i = 0; i < n; i++) {
        char buffer[24];
        double scale = fmax(fabs(p->x0[i]), 1e-3 * most);
        if (!(fabs(s->x[i] - p->x0[i]) > noticed * scale)) continue;
        if (named == MOST_NAMES) {
            others++;
            continue;
        }
        gt_say_more(&text, "%s%s = %.6g (%.6g was given)", named++ ? ", " : "",
                    gt_problem_state_name(p, i, buffer), s->x[i], p->x0[i]);
    }
    if (!named) return;
    if (others) gt_say_more(&text, " and %zu more", others);
    gt_warn(s->warnings,
            "the start does not meet the constraints and their derivatives; the run begins at a "
            "near one that does: %s",
            text.text);
}

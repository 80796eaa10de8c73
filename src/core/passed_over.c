/* SPDX-License-Identifier: BSD-3-Clause */
/* Switches that are not located because they are too many, or without end, or because the formula
 * of a side is not defined beyond: when that is so, and what is said of it. */
#include "core/switches.h"

enum {
    SPAN = 128,        /* steps in which switches are counted */
    MANY_IN_SPAN = 48, /* of 64 marks, by different switches */
    MOST_FAILURES = 8, /* of trials with a formula held, */
    SOON_AFTER = 8     /* steps one after the other */
};

void gt_run_note_switch(gt_run *r, size_t number)
{
    gt_lookout *l = &r->lookout;
    long steps = r->s->stats.steps;
    if (steps - l->busy_from > SPAN) {
        int marks = 0;
        for (uint64_t rest = l->busy; rest; rest &= rest - 1) marks++;
        l->busy_spans =
            marks >= MANY_IN_SPAN && steps - l->busy_from < 2 * SPAN ? l->busy_spans + 1 : 0;
        l->busy_from = steps;
        l->busy = 0;
    }
    l->busy |= (uint64_t)1 << (number * 0x9E3779B97F4A7C15u >> 58);
    l->which_over = number;
}

void gt_run_pass_over(gt_run *r)
{
    gt_lookout *l = &r->lookout;
    const double *past = r->base->switch_past, *g = r->base->switch_values;
    for (size_t k = 0; k < r->n_relations; k++) {
        if (!(gt_on_side(past[k], g[k]) < 0)) continue;
        if (!l->passed_over++) {
            l->first_over = r->s->t;
            l->which_over = k;
        }
    }
    l->crowded = true;
    if (l->passed_over > GT_MOST_PASSED_OVER) r->n_relations = 0;
}

bool gt_run_must_release(gt_run *r, bool failed, bool last)
{
    gt_lookout *l = &r->lookout;
    long steps = r->s->stats.steps;
    if (!r->n_switches || r->slide) return false;
    if (failed) {
        l->failures = steps - l->failed_at > SOON_AFTER ? 1 : l->failures + 1;
        l->failed_at = steps;
    }
    return last || l->failures > MOST_FAILURES;
}

void gt_run_warn_passed_over(gt_run *r)
{
    const gt_lookout *l = &r->lookout;
    char buffer[GT_NAME_ROOM];
    if (l->endless)
        gt_warn(r->s->warnings,
                "the relation %s switches without end at t = %.6g, as where the solution is held "
                "by two formulas in "
                "turn: from there on no relation is located, and the error control steps over them",
                gt_relation_name(r->problem, l->which_over, buffer),
                gt_shown_time(r->s, l->first_over));
    else if (l->busy_spans >= GT_MOST_BUSY_SPANS)
        gt_warn(r->s->warnings,
                "more than a few dozen relations switch all the time (%s at t = %.6g): from there "
                "on they are not "
                "located, and the error control steps over them",
                gt_relation_name(r->problem, l->which_over, buffer),
                gt_shown_time(r->s, l->first_over));
    else if (l->passed_over)
        gt_warn(r->s->warnings,
                "%s%ld times a relation switched and was not located, because more than %d were "
                "near their surfaces at "
                "once (first: %s at t = %.6g); the error control stepped over them",
                l->passed_over > GT_MOST_PASSED_OVER ? "at least " : "", l->passed_over,
                (int)GT_MOST_WATCHED, gt_relation_name(r->problem, l->which_over, buffer),
                gt_shown_time(r->s, l->first_over));
}

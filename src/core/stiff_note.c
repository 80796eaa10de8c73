/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A note for those who named an explicit method for a stiff problem, at no call of f. Now and then
 * a row of steps is looked at: the hook `mode` gives h |lambda| of the fastest mode, and the slopes
 * at both ends of a step how much the solution bends. Where accuracy limits steps, both are of one
 * size. Where stability does, or fast modes that are forced, the solution hardly bends in a step.
 */
#include "core/run_state.h"
#include <assert.h>
#include <geartrain/author/number.h>
#include <limits.h>
#include <math.h>

enum { FIRST = 200, MOST_APART = 20000, HITS = 15, MISSES = 5, WORTH_STEPS = 1000 };
static const double fast = 1;    /* h |lambda| from which on a mode matters */
static const double smooth = 40; /* times what the slope changes by, in parts of itself */
static const double grows = 0.3; /* cosine beyond which a mode is not to be damped */

void gt_run_begin_stiff_looks(gt_run *r)
{
    const gt_method *m = r->s->method;
    bool looks = m->mode && r->s->facts.kind == GT_KIND_EXPLICIT && r->plan->h == 0 && !r->pilot;
    looks = looks && !r->problem->ranks; /* what one rank alone finds may decide nothing */
    r->stiff_due = looks ? FIRST : LONG_MAX;
    r->stiff_apart = FIRST;
    r->stiff_hits = r->stiff_misses = 0;
}

/* Of the trial; what a mode of the size of the tolerance adds to slopes is not of the solution. */
static bool is_hit(const gt_stepper *s, const gt_dominant *mode)
{
    double change = 0, size = 0, noise = 2 * mode->product / fabs(s->h);
    if (!(mode->product > fast) || !(mode->cosine < grows)) return false;
    for (size_t i = 0; i < s->n; i++) {
        double scale = 1 / gt_weight(s, i, s->x_new[i]), f = s->f_new[i] * scale,
               d = f - s->f[i] * scale;
        change += d * d;
        size += f * f;
    }
    change = sqrt(change / (double)s->n) - noise;
    size = sqrt(size / (double)s->n) - noise;
    return !(size > 0) || smooth * change < mode->product * size;
}

void gt_run_look_for_stiffness(gt_run *r)
{
    gt_stepper *s = r->s;
    gt_dominant mode;
    assert(s->method->mode);
    long steps = s->stats.steps + 1;
    double rest = gt_run_whole(r) - (s->t - r->problem->t0);
    r->stiff_due = steps + 1;
    if (s->method->mode(s, &mode) && rest > WORTH_STEPS * fabs(s->h) && is_hit(s, &mode)) {
        if (++r->stiff_hits < HITS) return;
        if (!s->note.text[0])
            gt_fail(&s->note, GT_OK,
                    "the problem is stiff for %s from t = %.6g on (h |lambda| = %.2g while the "
                    "solution is smooth): an implicit method, or auto, would take fewer steps",
                    s->method->name, gt_shown_time(s, s->t), mode.product);
        r->stiff_due = LONG_MAX;
    } else if (++r->stiff_misses >= MISSES) {
        if (r->stiff_apart < MOST_APART) r->stiff_apart *= 2;
        r->stiff_due = steps + r->stiff_apart;
        r->stiff_hits = r->stiff_misses = 0;
    }
}

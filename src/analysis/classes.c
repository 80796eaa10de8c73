/* SPDX-License-Identifier: BSD-3-Clause */
/* When classes of methods pay, and when they do not, in a sentence each. */
#include "analysis/advice.h"
#include <assert.h>
#include <math.h>
#include <string.h>

/*
 * With a share q of the cost in the fast block and rates s times apart, a method of two rates takes
 * at best q + (1 - q)/s of the work of a method of one rate with the small step.
 */
static double best_saving(size_t n_fast, size_t n, double separation)
{
    double share = (double)n_fast / (double)n;
    return share + (1 - share) / separation;
}

/* The first in rank of the methods of two rates, which have been tried, or of the others; NULL:
 * none. */
static const gt_method_advice *first_of(const gt_problem *p, const gt_advice *a, bool two_rates)
{
    for (size_t k = 0; k < a->n_methods; k++) {
        const gt_method_advice *m = &a->methods[k];
        if (isfinite(m->work) && gt_takes_two_rates(p, m->method) == two_rates) return m;
    }
    return NULL;
}

/* What the trials of methods of two rates have shown. True when they say it all. */
static bool on_trials(const gt_problem *p, gt_advice *a)
{
    const gt_method_advice *two = first_of(p, a, true), *one = first_of(p, a, false);
    if (!two || !one || two->work >= one->work) return false;
    double ratio = two->work / one->work;
    gt_fail(&a->multirate, GT_OK,
            "%s: as tried, %s takes %.2g of the work of %s, the best method of one rate; the slow "
            "block is %.0f %% of f",
            ratio < 0.8 ? "yes" : "a little", two->method->name, ratio, one->method->name,
            100 * gt_slow_share(p));
    return true;
}

static void add_trials(const gt_problem *p, gt_advice *a)
{
    const gt_method_advice *two = first_of(p, a, true), *one = first_of(p, a, false);
    if (two && one)
        gt_say_more(
            &a->multirate,
            "; as tried, %s takes %.2g times the work of %s, the slow block being %.0f %% of f",
            two->method->name, two->work / one->work, one->method->name, 100 * gt_slow_share(p));
}

static void on_multirate(const gt_problem *p, gt_advice *a)
{
    const gt_split *split = a->given.n_fast ? &a->given : &a->split;
    const char *whose = a->given.n_fast ? "the model's own" : "the suggested";
    size_t n = p->n_slow + p->n_fast;
    gt_message *m = &a->multirate;
    if (!a->points[0].complete) {
        gt_fail(m, GT_OK, "not looked at: a split is looked for with up to %d states",
                GT_SPECTRUM_DENSE);
    } else if (!split->n_fast && a->split.gap < 3) {
        gt_fail(m, GT_OK, "no: the rates of the modes lie close together, the widest gap is %.2g",
                a->split.gap);
    } else if (!split->n_fast) {
        gt_fail(m, GT_OK,
                "no: there are fast and slow modes (gap %.3g), but no fast and slow states to go "
                "with them",
                a->split.gap);
    } else if (split->separation < GT_LEAST_SEPARATION) {
        gt_fail(m, GT_OK, "no: %s blocks are only %.2g times apart", whose, split->separation);
    } else if (a->stiff && !a->rings) {
        gt_fail(m, GT_OK,
                "hardly: an implicit method steps over the fast modes (%.3g times the slow rate) "
                "once they have died "
                "out; a fast block pays where f is expensive or the fast motion itself is wanted",
                split->separation);
    } else if (best_saving(split->n_fast, n, split->separation) > 0.6) {
        gt_fail(m, GT_OK,
                "hardly: %zu of %zu states are fast, %.2g times, so that at best %.0f %% of the "
                "work is left",
                split->n_fast, n, split->separation,
                100 * best_saving(split->n_fast, n, split->separation));
    } else if (a->given.n_fast && !p->rhs_fast) {
        gt_fail(m, GT_OK, "not as it is: the model has a fast block but cannot evaluate it alone");
    } else {
        gt_fail(m, GT_OK,
                "it can: %s fast block of %zu of %zu states is %.3g times faster; at best %.0f %% "
                "of the work "
                "is left, if all states cost the same",
                whose, split->n_fast, n, split->separation,
                100 * best_saving(split->n_fast, n, split->separation));
    }
    if (split->n_fast && split->coupling_sf * split->coupling_fs > 0.5)
        gt_say_more(m, "; the blocks are strongly coupled (%.2g)",
                    split->coupling_sf * split->coupling_fs);
}

#define BACKINTERPOLATION "backinterpolation" /* the family */

/* Equal halves that meet in the middle keep |R| = 1 on the imaginary axis. */
static void on_backinterpolation(const gt_problem *p, gt_advice *a)
{
    bool there = false;
    for (const gt_method *const *m = gt_method_list(); *m; m++)
        there = there || !strcmp((*m)->family, BACKINTERPOLATION);
    if (!there) return;
    gt_message *m = &a->backinterpolation;
    if (a->rings && a->stiff)
        gt_fail(m, GT_OK,
                "it suits: fast modes with damping ratio %.2g keep their damping, where formulas "
                "of backward "
                "differentiation are unstable or damp too much",
                a->damping);
    else if (p->linear && a->frequency > 0 && a->damping < 1e-3)
        gt_fail(m, GT_OK,
                "it suits: the equations are linear and swing with damping ratio %.2g; with equal "
                "halves the energy of "
                "such modes is kept at any step, without iteration",
                fmax(a->damping, 0));
    else if (a->stiff)
        gt_fail(m, GT_OK,
                "no need: the fast modes die out, and %s does with fewer evaluations a step",
                gt_method_for(GT_ROLE_STIFF)->name);
    else
        gt_fail(m, GT_OK, "no: nothing is stiff, and its implicit steps would be wasted");
}

void gt_advice_on_classes(const gt_problem *problem, gt_advice *advice)
{
    assert(problem && advice);
    if (!on_trials(problem, advice)) {
        on_multirate(problem, advice);
        add_trials(problem, advice);
    }
    on_backinterpolation(problem, advice);
}

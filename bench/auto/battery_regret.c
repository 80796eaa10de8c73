/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work over precision, and regret:
 *
 *     work of auto, choosing included / (work of the best method at the error that auto came to +
 * 100 calls of f)
 *
 * Errors scatter from one tolerance to the next, and the best of a dozen would be the luckiest. So
 * the logarithms of the errors of a curve are smoothed over three neighbours and put in order by
 * least squares (pool adjacent violators) before anything is read off, and auto is run at the
 * tolerance and at twice and half of it.
 */
#include "battery.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double patience =
    10; /* times the least work at a tolerance: longer runs are given up */
static const double most_auto = 100; /* the same for auto */
static const double always = 3e6;    /* operations that any run may take */
static const double acceptable =
    1000; /* error over tolerance of a run that counts as a measure for others */

/* Makes y fall with its index, in the least squares sense. */
static void put_in_order(double *y, size_t count)
{
    double level[BATTERY_RUNGS];
    size_t members[BATTERY_RUNGS], blocks = 0;
    for (size_t i = 0; i < count; i++) {
        level[blocks] = y[i];
        members[blocks++] = 1;
        for (; blocks > 1 && level[blocks - 1] > level[blocks - 2]; blocks--) {
            double sum = level[blocks - 1] * (double)members[blocks - 1] +
                         level[blocks - 2] * (double)members[blocks - 2];
            members[blocks - 2] += members[blocks - 1];
            level[blocks - 2] = sum / (double)members[blocks - 2];
        }
    }
    for (size_t b = 0, i = 0; b < blocks; b++)
        for (size_t k = 0; k < members[b]; k++) y[i++] = level[b];
}

static void smooth(double *y, size_t count)
{
    double out[BATTERY_RUNGS];
    for (size_t i = 0; i < count; i++) {
        /* The ends take the slope of their neighbours, not their mean. */
        out[i] = i == 0 || i + 1 == count ? y[i] : (y[i - 1] + 2 * y[i] + y[i + 1]) / 4;
    }
    memcpy(y, out, count * sizeof *y);
}

double battery_work_at(const battery_curve *c, double error, double floor)
{
    double e[BATTERY_RUNGS], w[BATTERY_RUNGS], wanted = log(fmax(error, floor));
    size_t count = 0;
    for (size_t i = 0; i < c->points; i++) {
        const battery_run *r = &c->run[i];
        if (r->status || isnan(r->error)) continue;
        e[count] = log(fmax(r->error, floor));
        w[count++] = log(r->work);
    }
    if (!count) return INFINITY;
    smooth(e, count);
    put_in_order(e, count);
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (e[i] > wanted + 1e-9) continue;
        double work = w[i];
        if (i > 0 && e[i - 1] > wanted)
            work = w[i - 1] + (w[i] - w[i - 1]) * (e[i - 1] - wanted) / (e[i - 1] - e[i]);
        least = fmin(least, work);
    }
    return exp(least);
}

/* The work at a tolerance, straight between points in logarithms; INFINITY: none came so far. */
static double work_at_tolerance(const battery_curve *c, double rtol)
{
    const battery_run *before = NULL;
    for (size_t i = 0; i < c->points; i++) {
        const battery_run *r = &c->run[i];
        if (r->status) continue;
        if (r->rtol > 1.01 * rtol)
            before = r;
        else if (r->rtol > 0.99 * rtol || !before)
            return r->work;
        else
            return before->work * pow(r->work / before->work,
                                      log(before->rtol / rtol) / log(before->rtol / r->rtol));
    }
    return INFINITY;
}

void battery_judge(battery_case *c, struct battery_answer *a, double floor)
{
    a->best_work = INFINITY;
    a->regret = NAN;
    a->best = 0;
    double error = isnan(a->run.error) ? a->run.rtol : a->run.error;
    for (size_t i = 0; i < c->curves; i++) {
        double work = c->sensitive ? work_at_tolerance(&c->curve[i], a->run.rtol)
                                   : battery_work_at(&c->curve[i], error, floor);
        if (!(work < a->best_work)) continue;
        a->best_work = work;
        a->best = i;
    }
    if (isfinite(a->best_work)) a->regret = a->run.work / (a->best_work + 100 * c->call);
    a->silently_wrong =
        !a->run.status && !c->sensitive && !a->run.noted && a->run.error > 100 * a->run.rtol;
}

/* The least work at a rung by a method whose error is no nonsense; INFINITY: none came through. */
static double least_at(const battery_case *c, double rtol)
{
    double least = INFINITY;
    for (size_t i = 0; i < c->curves; i++)
        for (size_t k = 0; k < c->curve[i].points; k++) {
            const battery_run *r = &c->curve[i].run[k];
            if (!r->status && r->rtol == rtol && r->error <= acceptable * rtol)
                least = fmin(least, r->work);
        }
    return least;
}

static double limit(const battery_plan *plan, double times, double least)
{
    return isfinite(least) ? fmin(plan->most, fmax(always, times * least)) : plan->most;
}

static bool given_up(const battery_curve *c)
{
    return c->points > 1 && c->run[c->points - 1].status && c->run[c->points - 2].status;
}

/* One rung of all methods that are still in it; a run that fails leaves a point without an error.
 */
static void measure_rung(const battery_problem *p, const battery_plan *plan,
                         const battery_truth *truth, battery_case *c, double rtol, double cap)
{
    for (size_t i = 0; i < c->curves; i++) {
        battery_curve *curve = &c->curve[i];
        if (given_up(curve)) continue;
        double least = least_at(c, rtol);
        curve->run[curve->points++] = battery_solve(p, curve->method, NULL, rtol,
                                                    fmin(cap, limit(plan, patience, least)), truth);
    }
}

/* What the problem takes is not known at first: all methods try with few operations, then with
 * more. */
static void measure_first(const battery_problem *p, const battery_plan *plan,
                          const battery_truth *truth, battery_case *c, double rtol)
{
    double cap = always * fmax(1, c->call / 100);
    for (;; cap *= 10) {
        measure_rung(p, plan, truth, c, rtol, fmin(cap, plan->most));
        if (cap >= plan->most || isfinite(least_at(c, rtol))) return;
        for (size_t i = 0; i < c->curves; i++) c->curve[i].points = 0;
    }
}

static void measure_curves(const battery_problem *p, const battery_plan *plan,
                           const battery_truth *truth, battery_case *c)
{
    measure_first(p, plan, truth, c, plan->rungs[0]);
    double before = least_at(c, plan->rungs[0]);
    for (size_t k = 1; k < plan->n_rungs; k++) {
        /* The rung before bounds the first method of this one. */
        measure_rung(p, plan, truth, c, plan->rungs[k], limit(plan, 3 * patience, before));
        before = fmin(10 * before, least_at(c, plan->rungs[k]));
    }
}

static void measure_control(const battery_problem *p, const battery_plan *plan, battery_case *c)
{
    /* The tightest of several takes longest and says least; the quick form has but one that was run
     * at all. */
    size_t looked = plan->n_asked > 2 ? plan->n_asked - 1 : plan->n_asked;
    for (size_t i = 0; i < c->curves; i++)
        for (size_t k = 0; k < c->curve[i].points; k++) {
            const battery_run *r = &c->curve[i].run[k];
            bool asked = false;
            for (size_t a = 0; a < looked; a++) asked = asked || r->rtol == plan->asked[a];
            if (!asked || r->status || c->curve[i].method->judge) continue;
            battery_run other =
                battery_solve(p, r->method, "i", r->rtol, fmax(always, 4 * r->work), NULL);
            if (other.status) continue;
            c->steps_default[i] += r->stats.steps + r->stats.rejected;
            c->steps_i[i] += other.stats.steps + other.stats.rejected;
        }
}

/* Geometric means of work and error of runs around the tolerance; the rest is of the one at the
 * tolerance. */
static battery_run run_auto(const battery_problem *p, const battery_plan *plan,
                            const battery_truth *truth, double rtol, double cap)
{
    battery_run run = battery_solve(p, NULL, NULL, rtol, cap, truth);
    double floor = battery_floor(truth), work = log(run.work), error = log(fmax(run.error, floor));
    if (plan->around < 3 || run.status || run.work > 1e9) return run;
    battery_run below = battery_solve(p, NULL, NULL, rtol / 2, cap, truth);
    battery_run above = battery_solve(p, NULL, NULL, rtol * 2, cap, truth);
    if (below.status || above.status) return run;
    run.work = exp((work + log(below.work) + log(above.work)) / 3);
    run.error = exp((error + log(fmax(below.error, floor)) + log(fmax(above.error, floor))) / 3);
    return run;
}

/* Large systems only down to 1e-6: tight runs of all methods would take longer than the rest of the
 * battery. */
static battery_plan for_size(battery_plan plan, size_t n)
{
    if (n <= BATTERY_LARGE) return plan;
    while (plan.n_rungs && plan.rungs[plan.n_rungs - 1] < 0.99e-6) plan.n_rungs--;
    while (plan.n_asked && plan.asked[plan.n_asked - 1] < 0.99e-6) plan.n_asked--;
    plan.around = 1;
    return plan;
}

bool battery_measure(const battery_entry *entry, const battery_plan *wanted, battery_case *c,
                     gt_message *message)
{
    battery_problem p;
    battery_truth truth = {0};
    *c = (battery_case){.entry = entry};
    bool ok = battery_load(&p, entry, message);
    if (ok && !(ok = battery_truth_find(&truth, &p)))
        snprintf(message->text, sizeof message->text, "no tight run");
    if (ok) {
        const gt_method *list[BATTERY_METHODS];
        battery_count count;
        battery_count_begin(&count, &p.problem, INFINITY);
        c->call = battery_call(&count);
        battery_count_end(&count);
        battery_plan sized = for_size(*wanted, truth.n), *plan = &sized;
        c->n = truth.n;
        c->spread = truth.spread;
        c->growth = truth.growth;
        c->sensitive = battery_sensitive(&truth);
        c->curves = plan->alone ? 0 : battery_methods(&p.problem, list);
        for (size_t i = 0; i < c->curves; i++) c->curve[i].method = list[i];
        if (c->curves) measure_curves(&p, plan, &truth, c);
        for (size_t a = 0; a < plan->n_asked; a++) {
            double least = least_at(c, plan->asked[a]);
            c->answer[a].run =
                run_auto(&p, plan, &truth, plan->asked[a], limit(plan, most_auto, least));
            battery_judge(c, &c->answer[a], battery_floor(&truth));
        }
        c->asked = plan->n_asked;
        if (plan->control) measure_control(&p, plan, c);
    }
    battery_truth_free(&truth);
    battery_unload(&p);
    return ok;
}

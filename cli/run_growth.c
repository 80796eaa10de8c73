/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fixed step beyond the stability limit makes a solution grow without bound, and the run is none
 * the wiser. What equations do by themselves must not be blamed on the step. So a solution that
 * grew a lot is looked at through the linear models at its start and at its end: the step is to
 * blame when a mode that does not grow there, Re lambda <= 0, is multiplied in each step by a
 * factor |R(h lambda)| large enough to explain the growth. For a method that has no R(z) the factor
 * is the spectral radius of the matrix of a whole step, over what the fastest growing mode accounts
 * for. Where there is neither, nothing is said: what drives the equations from outside may make
 * solutions grow as well.
 */
#include "run_parts.h"
#include <complex.h>
#include <geartrain/analysis/advise.h>
#include <geartrain/analysis/stability.h>
#include <math.h>

static const double much = 1e6; /* growth below that is not looked at */

typedef struct blown_up {
    const run_outcome *o;
    const gt_problem *p; /* that of the run, or the reversed one where t1 lies before t0 */
    double t;            /* in its time, where the run ended */
    double growth; /* logarithm of how many times the solution is larger than at the start and by
                      its first rate */
    gt_amplifier R;
    bool has_R;
    bool by_step;  /* the growth is explained by R */
    double limit;  /* of h; the smaller one of both points */
    double re, im; /* the mode that the step makes grow */
    double factor; /* or, without R, what a step multiplies with */
} blown_up;

static double largest(const double *x, size_t n)
{
    double size = 0;
    for (size_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    return size;
}

/* 0 when it is not large. */
static double log_growth(const blown_up *b, gt_arena *arena)
{
    const gt_problem *p = b->p;
    size_t n = gt_problem_size(p);
    double *f = gt_arena_doubles(arena, n), end = largest(b->o->x, n);
    if (!f || p->rhs(p->t0, p->x0, f, p->ctx)) return 0;
    double start = fmax(largest(p->x0, n), (b->t - p->t0) * largest(f, n));
    return start > 0 && end > much * start ? log(end) - log(start) : 0;
}

/* Mode by mode. */
static void look_at_modes(blown_up *b, const gt_spectrum *spectrum)
{
    const run_outcome *o = b->o;
    const gt_plan *plan = &o->solver->plan;
    double steps = (double)o->report->stats.steps, worst = b->growth / 2;
    for (size_t k = 0; k < spectrum->count; k++) {
        double re = spectrum->values[2 * k], im = spectrum->values[2 * k + 1];
        if (re > 0) continue;
        double made = steps * log(gt_amplifier_largest(&b->R, plan->h * (re + im * I)));
        if (made < worst) continue;
        worst = made;
        b->by_step = true;
        b->re = re;
        b->im = fabs(im);
    }
    b->limit = fmin(b->limit, gt_stable_step(o->solver->method, plan->options, spectrum->values,
                                             spectrum->count));
}

/* All modes together, as the blocks couple them. */
static void look_at_whole(blown_up *b, const gt_spectrum *spectrum)
{
    const run_outcome *o = b->o;
    const gt_plan *plan = &o->solver->plan;
    const gt_method *method = o->solver->method;
    double factor = gt_coupled_radius(b->p, spectrum, method, plan->options, plan->h), re = 0;
    for (size_t k = 0; k < spectrum->count; k++) re = fmax(re, spectrum->values[2 * k]);
    if (!((double)o->report->stats.steps * (log(factor) - plan->h * re) > b->growth / 2)) return;
    b->by_step = true;
    b->factor = fmax(b->factor, factor);
    b->limit = fmin(b->limit, gt_coupled_step(b->p, spectrum, 1, method, plan->options, plan->h));
}

static void look_at(blown_up *b, double t, const double *x, gt_arena *arena)
{
    gt_spectrum spectrum;
    gt_message message = {""};
    if (!gt_spectrum_at(b->p, t, x, b->t - b->p->t0, &spectrum, arena, &message))
        (b->has_R ? look_at_modes : look_at_whole)(b, &spectrum);
}

static void say(const blown_up *b, gt_message *out)
{
    const cli_solver *solver = b->o->solver;
    char mode[64], why[160];
    gt_format(mode, sizeof mode, b->im > 0 ? "%.3g +- %.3gi" : "%.3g", b->re, b->im);
    if (!b->has_R && b->limit > 0 && b->limit < solver->plan.h)
        gt_format(why, sizeof why,
                  "h = %g is beyond the stability limit of %s on these coupled blocks, about %.2g",
                  solver->plan.h, solver->method->name, b->limit);
    else if (!b->has_R)
        gt_format(why, sizeof why, "a step of %s with h = %g multiplies by up to %.3g",
                  solver->method->name, solver->plan.h, b->factor);
    else if (b->limit > 0 && b->limit < solver->plan.h)
        gt_format(why, sizeof why,
                  "h = %g is beyond the stability limit of %s, about %.2g for the eigenvalue %s",
                  solver->plan.h, solver->method->name, b->limit, mode);
    else
        gt_format(why, sizeof why, "%s is not stable for the eigenvalue %s with h = %g",
                  solver->method->name, mode, solver->plan.h);
    gt_say_more(out,
                "the solution grew to %.2g, and not because of the equations: %s; try a smaller "
                "--h, an implicit method "
                "such as --method trapezoidal, or what \"geartrain advise\" recommends",
                largest(b->o->x, gt_problem_size(&b->o->p->problem)), why);
}

bool gt_run_blames_step(const run_outcome *o, gt_message *out)
{
    const cli_solver *solver = o->solver;
    gt_arena arena = gt_arena_growing();
    gt_problem reversed;
    gt_message message = {""};
    blown_up b = {.o = o, .p = &o->p->problem, .t = o->report->t, .limit = INFINITY};
    bool backward = b.p->t1 < b.p->t0,
         known = !backward || !gt_problem_reversed(b.p, &reversed, &arena);
    if (backward) b.p = &reversed, b.t = -b.t;
    b.growth = known && solver->plan.h > 0 && !o->report->status ? log_growth(&b, &arena) : 0;
    if (b.growth > 0) {
        b.has_R = !gt_amplifier_open(&b.R, solver->method, solver->plan.options, &message);
        look_at(&b, b.p->t0, b.p->x0, &arena);
        look_at(&b, b.t, o->x, &arena);
        if (b.has_R) gt_amplifier_close(&b.R);
    }
    gt_arena_free(&arena);
    if (b.by_step) say(&b, out);
    return b.by_step;
}

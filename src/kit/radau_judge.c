/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step and order of `radau`, Hairer, Wanner II (1996), IV.8, and J. Comput. Appl. Math. 111 (1999)
 * 93. The estimate of a formula with s stages is O(h^(s+1)), the solution is of order 2s - 1: the
 * tolerance of the estimate is 0.1 rtol^((s+1)/(2s)), so that the error of the solution follows
 * rtol. The next step is
 *
 *     h_new = fac h min(E_n^(-1/(s+1)), (h/h_before) (E_before/E_n^2)^(1/(s+1)))
 *
 * the second being Gustafsson's predictive controller, and fac the smaller the more iterations were
 * needed. Steps that could grow by less than a fifth are kept, with their factors.
 *
 * The order rises where Newton's method converges so fast that more stages cost little, and falls
 * where it converges slowly or fails.
 */
#include "base/elementary.h"
#include "kit/radau.h"
#include <assert.h>
#include <float.h>
#include <math.h>

static const double safety = 0.9;
static const double least_quotient = 1.0 / 8, most_quotient = 5; /* of h over the next h */
/* an estimate may not be as pessimistic where f is not smooth */
static const double most_stretch = 10;
static const double asked_at_jumps = 0.1;
static const double least_at_jumps = 0.1, most_at_jumps = 0.5; /* of the next h over h there */
static const double worth_it = 1.2;
static const double after_first = 0.1;   /* of a first step that failed */
static const double stretch_part = 0.1;  /* of rtol^((s+1)/(2s)): the tolerance of the estimate */
static const double least_error = 1e-10; /* so that its root has an inverse */
/* Above these tolerances a higher order was not seen to gain. */
static const double rtol_of_9 = 2e-6, rtol_of_13 = 1e-7;

void gt_radau_set_tolerance(gt_stepper *s)
{
    assert(s && s->state);
    gt_radau_state *w = s->state;
    if (w->tolerance_formula == w->formula && w->tolerance_rtol == s->rtol) return;
    s->strictness = 1;
    w->tolerance_formula = w->formula;
    w->tolerance_rtol = s->rtol;
    w->stretch = w->allowed = 1;
    if (s->rtol == 0) return;
    double stages = gt_radau_table[w->formula].stages;
    w->stretch = fmin(most_stretch, stretch_part * gt_power(s->rtol, (1 - stages) / (2 * stages)));
    s->strictness = 1 / w->stretch;
    double rtol = s->rtol * w->stretch;
    double most = fmin(w->options.newton_fraction, gt_power(rtol, (stages - 1) / (stages + 1)));
    w->allowed = fmax(10 * DBL_EPSILON / rtol, most); /* not below what round-off leaves */
}

/* error^(1/(s+1)) */
static double root_of(double error, int stages)
{
    return stages == 3 ? sqrt(sqrt(error)) : gt_power(error, 1.0 / (stages + 1));
}

static double clamp(double quotient) { return fmax(least_quotient, fmin(most_quotient, quotient)); }

/* What the iterations leave of the safety factor. */
static double caution(const gt_radau_state *w)
{
    int most = gt_radau_iterations(w->Z_formula);
    return fmin(safety, safety * (2 * most + 1) / (w->rate.iterations + 2 * most));
}

/* Where a step may err by more the higher orders take steps that are too long for Newton's method,
 * and gain nothing at equal error. */
static int highest(const gt_stepper *s)
{
    const gt_radau_state *w = s->state;
    int by_tolerance = GT_RADAU_13;
    if (s->rtol > rtol_of_13) by_tolerance = GT_RADAU_9;
    if (s->rtol > rtol_of_9) by_tolerance = GT_RADAU_5;
    return by_tolerance < w->most ? by_tolerance : w->most;
}

/* The formula of the next step, VITU, VITD, HHOU and HHOD of RADAU. */
static int next_formula(const gt_stepper *s, double growth)
{
    const gt_radau_state *w = s->state;
    const double fast = 0.002, slow = 0.8, least_growth = 0.8, most_growth = 1.2;
    const double most_theta = 10, remembered = 0.5; /* of the rate held before */
    enum { PATIENCE = 10 };
    double theta = fmin(most_theta, fmax(w->rate.theta, remembered * w->theta_held));
    int next = w->formula;
    if (w->options.order != RADAU_VARIABLE) return next;
    if (w->rate.iterations > 1 && theta <= fast && growth > least_growth && growth < most_growth &&
        w->calm >= PATIENCE && next < highest(s))
        next++;
    if (theta >= slow && next > GT_RADAU_5) next--;
    return next;
}

/*
 * After a rejection the error must have fallen with the power of the step. Where f jumps or has a
 * kink it does not, the estimate is as large as the error, and the stretched tolerance is not
 * theirs: a tenth of the other one is asked for.
 */
static bool falls_too_slowly(const gt_radau_state *w, double error, double h)
{
    const double slowly = 8;
    int power = gt_radau_table[w->Z_formula].stages + 1;
    return w->failed > 0 && error > slowly * w->failed * gt_whole_power(h / w->failed_h, power);
}

/*
 * The estimate says nothing of a jump in a stiff equation: with h lambda far above 1 the new x is
 * next to where f vanishes at the end of the step, wherever in the step the jump was. What shows it
 * is how far the polynomial of the last step leads off, which on a smooth solution grows with the
 * power s + 1 of the step.
 */
static bool meets_a_jump(const gt_radau_state *w, double h)
{
    const double sudden = 1000, least = 0.1;
    if (w->past_formula < 0 || w->rate.first < sudden * least) return false;
    int power = gt_radau_table[w->past_formula].stages + 1;
    double grown = gt_whole_power(fmax(1, h / w->past_h), power);
    return w->rate.first > sudden * grown * fmax(w->rate_past.first, least);
}

gt_verdict gt_radau_judge(gt_stepper *s, double error, double h, int rejections)
{
    assert(s && s->state);
    assert(h != 0);
    assert(rejections >= 0);
    gt_radau_state *w = s->state;
    int stages = gt_radau_table[w->Z_formula].stages;
    double raw = error * w->stretch;
    error = fmax(error, least_error);
    double quotient = clamp(root_of(error, stages) / caution(w));
    if (error < 1 && meets_a_jump(w, h))
        return (gt_verdict){.accept = false, .h_next = h / most_quotient};
    if (error < 1 && raw > asked_at_jumps && falls_too_slowly(w, error, h)) {
        w->failed = error;
        w->failed_h = h;
        double factor = fmax(least_at_jumps, fmin(most_at_jumps, asked_at_jumps / raw));
        return (gt_verdict){.accept = false, .h_next = h * factor};
    }
    if (error >= 1) {
        bool first = w->past_formula < 0;
        w->rejected = true;
        w->failed = error;
        w->failed_h = h;
        w->stale = true;
        return (gt_verdict){.accept = false, .h_next = first ? after_first * h : h / quotient};
    }
    w->formula_next = next_formula(s, w->past_formula < 0 ? 1 : h / w->past_h);
    if (w->error_past > 0) {
        double predicted =
            (w->h_past / h) * root_of(error * error / w->error_past, stages) / safety;
        quotient = fmax(quotient, clamp(predicted));
    }
    w->error = error;
    double h_next = h / quotient;
    if (rejections || w->rejected) h_next = fmin(h_next, h);
    bool keep = h_next >= h && h_next <= worth_it * h;
    return (gt_verdict){.accept = true, .h_next = keep ? h : h_next};
}

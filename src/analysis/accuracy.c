/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accuracy domains, xie 3.2, by running the method itself on its standard problem. The number of
 * steps is tf / h rounded, as in the program of the thesis, so the error is not quite continuous in
 * h. Steps are doubled from a small one until the error passes the tolerance; then regula falsi in
 * the logarithms, in which the error is nearly a straight line with the order as slope, takes over,
 * guarded by bisection.
 */
#include "analysis/linear_run.h"
#include <geartrain/analysis/stability.h>
#include <geartrain/author/number.h>
#include <math.h>

typedef struct trial {
    gt_linear_run run;
    double cosine, sine;
    double tf, tol;
} trial;

/* exp(A t) x0; with sine = 0 the eigenvalue is double. */
static void exact(const trial *c, double t, double *x)
{
    const double *x0 = c->run.x0;
    double grows = exp(c->cosine * t), turn = c->sine > 0 ? sin(c->sine * t) / c->sine : t;
    double along = c->sine > 0 ? cos(c->sine * t) : 1;
    x[0] = grows * (along * x0[0] + turn * (x0[1] - c->cosine * x0[0]));
    x[1] = grows * (along * x0[1] + turn * (c->cosine * x0[1] - x0[0]));
}

/* Largest error of the run, or something above 1000 tol as soon as that is reached or a step fails.
 */
static double global_error(trial *c, double h)
{
    gt_stepper s;
    double worst = 0, x[2];
    long steps = lround(c->tf / h);
    if (gt_linear_start(&c->run, &s)) return INFINITY;
    for (long k = 1; k <= steps && worst <= 1e3 * c->tol; k++) {
        if (gt_stepper_step(&s, h)) {
            worst = INFINITY;
            break;
        }
        exact(c, (double)k * h, x);
        double error = hypot(s.x[0] - x[0], s.x[1] - x[1]);
        worst = isnan(error) ? INFINITY : fmax(worst, error);
    }
    gt_stepper_free(&s);
    return worst;
}

/* Between a step that is good and one that is bad; regula falsi that moves the same end twice gives
 * way to bisection. Nine digits where that costs little, fewer for a step so small that each trial
 * is long. */
static double refine(trial *c, double good, double bad, double at_good, double at_bad)
{
    bool last_good = false, bisect = false;
    while (bad - good > fmax(1e-9, 1e-11 * c->tf / good) * bad) {
        double part = log(c->tol / at_good) / log(at_bad / at_good);
        double h = good + (bad - good) / 2;
        if (!bisect && part > 0 && part < 1) h = good * pow(bad / good, part);
        if (h <= good || h >= bad) break;
        double error = global_error(c, h);
        bool is_good = error <= c->tol;
        bisect = !bisect && is_good == last_good;
        last_good = is_good;
        if (is_good)
            good = h, at_good = error;
        else
            bad = h, at_bad = error;
    }
    return good;
}

gt_status gt_accuracy_limit(const gt_method *method, const char *options, double theta,
                            const double x0[2], double tol, double tf, double *h,
                            gt_message *message)
{
    GT_ARMOR(message, method && x0 && h);
    trial c = {.tol = tol, .tf = tf};
    double angle = theta * GT_PI / 180;
    gt_values v = gt_params_default(method->options);
    gt_status status =
        gt_params_parse(method->options, "option", method->name, options, &v, message);
    if (status) return status;
    size_t n_fast = gt_method_facts(method, v.v).flags & GT_NEEDS_PARTITION ? 1 : 0;
    status = gt_linear_open(&c.run, method, options, 2, n_fast, message);
    if (status) return status;
    c.cosine = cos(angle);
    c.sine = theta == 0 || theta == 180 ? 0 : sin(angle);
    c.run.A[1][0] = 1;
    c.run.A[0][1] = -1;
    c.run.A[1][1] = 2 * c.cosine;
    c.run.x0[0] = x0[0];
    c.run.x0[1] = x0[1];
    double good = 0, at_good = 0, bad = tf / 1024, at_bad = global_error(&c, bad);
    while (at_bad > tol && tf / bad < GT_ACCURACY_STEPS) { /* down until one is good, */
        double error = global_error(&c, bad / 2);
        if (error <= tol) good = bad / 2, at_good = error;
        if (error <= tol) break;
        bad /= 2;
        at_bad = error;
    }
    while (at_bad <= tol && bad < tf) { /* or up until one is bad */
        good = bad;
        at_good = at_bad;
        bad = fmin(2 * bad, tf);
        at_bad = global_error(&c, bad);
    }
    if (at_bad <= tol)
        *h = tf;
    else
        *h = good > 0 ? refine(&c, good, bad, at_good, at_bad) : 0;
    gt_linear_close(&c.run);
    return GT_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of a method by a pilot run; see choose.h. */
#include <geartrain/choose.h>
#include <geartrain/newton.h>
#include <math.h>
#include <stdlib.h>

enum { PILOT_STEPS = 300, POWER_ITERATIONS = 30 };

/* Spectral radius of J at (t, x) by the power method on differences of f along the flow; 0 when it cannot be had. */
static double spectral_radius(const gt_problem *p, double t, const double *x, double *work)
{
    size_t n = gt_problem_size(p);
    double *v = work, *moved = work + n, *f = work + 2 * n, *f_moved = work + 3 * n;
    double radius = 0, size = 0;
    if (p->rhs(t, x, f, p->ctx)) return 0;
    for (size_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    for (size_t i = 0; i < n; i++) v[i] = 1 + 0.5 * sin(7.0 * (double)i); /* any vector with all components */
    for (int k = 0; k < POWER_ITERATIONS; k++) {
        double norm = 0;
        for (size_t i = 0; i < n; i++) norm = fmax(norm, fabs(v[i]));
        if (!(norm > 0) || !isfinite(norm)) return radius;
        double eps = 1e-7 * (size + 1e-3) / norm;
        for (size_t i = 0; i < n; i++) moved[i] = x[i] + eps * v[i];
        if (p->rhs(t, moved, f_moved, p->ctx)) return radius;
        double grown = 0;
        for (size_t i = 0; i < n; i++) {
            v[i] = (f_moved[i] - f[i]) / eps / norm;
            grown = fmax(grown, fabs(v[i]));
        }
        if (!isfinite(grown)) return radius;
        radius = k < POWER_ITERATIONS / 2 ? grown : fmax(radius * 0.9, grown);
    }
    return radius;
}

/* Whether stability, not accuracy, limits an explicit method; `steps` is what the pilot run took. */
static gt_status is_stiff(const gt_problem *p, const gt_plan *plan, bool *stiff, gt_message *why)
{
    size_t n = gt_problem_size(p);
    double *x = malloc(5 * n * sizeof *x);
    if (!x) return gt_fail(why, GT_NO_MEMORY, "there is no memory for a pilot run of %zu states", n);
    gt_plan pilot = {
        .rtol = 1e-3, .max_steps = PILOT_STEPS, .x_end = x, .interrupted = plan ? plan->interrupted : NULL};
    gt_report report;
    gt_status status = gt_solve(p, gt_method_find("dopri5"), &pilot, &report);
    *stiff = false;
    if (status == GT_OK) {
        gt_fail(why, GT_OK, "an explicit pilot run got through in %ld steps", report.stats.steps);
    } else if (status == GT_TOO_MANY_STEPS || status == GT_STEP_TOO_SMALL || status == GT_TOO_MANY_REJECTIONS) {
        double product = report.h * spectral_radius(p, report.t, x, x + n);
        *stiff = product > 1.5 || status != GT_TOO_MANY_STEPS;
        gt_fail(why, GT_OK, "%d explicit pilot steps came to t = %.3g with h |lambda| = %.2g: %s limits the step",
                PILOT_STEPS, report.t, product, *stiff ? "stability" : "accuracy");
    } else {
        *stiff = true;
        gt_fail(why, GT_OK, "an explicit pilot run failed (%s)", gt_status_name(status));
    }
    free(x);
    return status == GT_NO_MEMORY || status == GT_BAD_ARGUMENT || status == GT_INTERRUPTED ? status : GT_OK;
}

gt_status gt_choose_method(const gt_problem *p, const gt_plan *plan, const gt_method **method, gt_message *why)
{
    bool stiff = true;
    gt_status status = gt_problem_check(p, why);
    if (status) return status;
    if (p->n_alg)
        gt_fail(why, GT_OK, "%zu equations are algebraic", p->n_alg);
    else if (p->mass)
        gt_fail(why, GT_OK, "there is a mass matrix");
    else
        status = is_stiff(p, plan, &stiff, why);
    *method = gt_method_find(stiff ? "gear" : "dopri5");
    return status;
}

gt_status gt_choose_reference(const gt_problem *p, const gt_method **method, gt_plan *plan, gt_message *why)
{
    gt_status status = gt_choose_method(p, plan, method, why);
    if (status) return status;
    bool stiff = *method != gt_method_find("dopri5");
    bool series = !stiff && p->taylor && !p->n_roots;
    if (series) *method = gt_method_find("taylor");
    plan->options = series ? "order=20" : NULL;
    plan->rtol = stiff ? 1e-12 : 1e-13;
    plan->atol = stiff ? 1e-16 : 1e-15;
    plan->max_steps = 100000000;
    return GT_OK;
}

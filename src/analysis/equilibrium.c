/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Steady states, 0 = f(t, x) at fixed t.
 *
 * Damped Newton with the natural monotonicity test (Deuflhard, Newton Methods for Nonlinear
 * Problems, 2004, ch. 3): with J dx = -f(x), a step of lambda dx is taken when the simplified
 * correction J d = -f(x + lambda dx) satisfies
 *
 *     |d| <= (1 - lambda/4) |dx|,
 *
 * else lambda is halved. Where that stalls, or J is singular, the flow itself is followed from the
 * guess by linearly implicit Euler steps whose size grows while the flow is nearly linear over a
 * step (pseudo-transient continuation, Kelley and Keyes 1998):
 *
 *     (M - h J) dx = h f  in differential rows,    J dx = -g  in algebraic rows,
 *
 * which for h -> infinity is Newton again, but keeps M - h J regular and, where rows of f add up to
 * zero, the sum of these states.
 */
#include "analysis/equilibrium_note.h"
#include "base/finite.h"
#include "base/sized.h"
#include "implicit/evaluator.h"
#include "linalg/backend.h"
#include <geartrain/analysis/analysis.h>
#include <geartrain/author/newton.h>
#include <math.h>
#include <string.h>

typedef struct solver {
    const gt_problem *p;
    gt_stepper s; /* an evaluator */
    double t, tol;
    size_t n, n_diff;
    int max_iterations;
    gt_jacobian jac;
    gt_matrix J, W;
    gt_lu lu_J, lu_W;
    double *x, *x_trial, *f, *f_trial, *dx, *d;
    gt_equilibrium_report *report;
} solver;

static double norm(const solver *w, const double *v)
{
    double most = 0;
    for (size_t i = 0; i < w->n; i++) {
        double size = fabs(v[i]) / fmax(fabs(w->x[i]), 1);
        if (isnan(size)) return size;
        if (size > most) most = size;
    }
    return most;
}

static gt_status evaluate(solver *w, const double *x, double *f)
{
    gt_status status = gt_rhs(&w->s, w->t, x, f);
    if (!status && !gt_all_finite(f, w->n)) status = GT_TRY_NOT_FINITE;
    return status;
}

/* The first sparse factorisation also finds the ordering. */
static gt_status factor(solver *w, gt_lu *lu, const gt_matrix *matrix)
{
    w->s.stats.factorizations++;
    return lu->pattern.storage == GT_CSC && !lu->klu ? gt_lu_analyse(lu, matrix)
                                                     : gt_lu_factor(lu, matrix);
}

static void solve_newton(const solver *w, const double *f, double *dx)
{
    for (size_t i = 0; i < w->n; i++) dx[i] = -f[i];
    gt_lu_solve(&w->lu_J, dx);
}

/* Finds lambda and leaves the accepted point in x_trial, f_trial. */
static gt_status damp(solver *w, double size, double *lambda)
{
    for (; *lambda > 1e-5; *lambda /= 2) {
        for (size_t i = 0; i < w->n; i++) w->x_trial[i] = w->x[i] + *lambda * w->dx[i];
        gt_status status = evaluate(w, w->x_trial, w->f_trial);
        if (status < 0) return status;
        if (status) continue;
        solve_newton(w, w->f_trial, w->d);
        if (norm(w, w->d) <= (1 - *lambda / 4) * size) return GT_OK;
    }
    return GT_TRY_NEWTON;
}

static void advance(solver *w)
{
    memcpy(w->x, w->x_trial, w->n * sizeof *w->x);
    memcpy(w->f, w->f_trial, w->n * sizeof *w->f);
}

static gt_status newton(solver *w)
{
    double lambda = 1;
    gt_status status = evaluate(w, w->x, w->f);
    while (!status && w->report->iterations < w->max_iterations) {
        status = gt_jacobian_evaluate(&w->jac, &w->s, w->t, w->x, &w->J);
        if (!status) status = factor(w, &w->lu_J, &w->J);
        if (status) return status;
        w->report->iterations++;
        w->s.stats.newton++;
        solve_newton(w, w->f, w->dx);
        double size = norm(w, w->dx);
        if (!isfinite(size)) return GT_TRY_SINGULAR;
        if (size <= w->tol) {
            for (size_t i = 0; i < w->n; i++) w->x[i] += w->dx[i];
            return evaluate(w, w->x, w->f);
        }
        lambda = fmin(1, 4 * lambda);
        status = damp(w, size, &lambda);
        if (!status) advance(w);
    }
    return status ? status : GT_TRY_NEWTON;
}

/* r = h f in differential rows, -f in algebraic ones: the right-hand side of a step in pseudo-time.
 */
static void transient_side(const solver *w, double h, const double *f, double *r)
{
    for (size_t i = 0; i < w->n_diff; i++) r[i] = h * f[i];
    for (size_t i = w->n_diff; i < w->n; i++) r[i] = -f[i];
}

/* How far the step is from implicit Euler: size of W^-1 (M dx - h f(x + dx)), which is 0 for linear
 * f. */
static double nonlinearity(solver *w, double h)
{
    transient_side(w, h, w->f_trial, w->d);
    if (w->p->mass) {
        gt_matrix_multiply(w->p->mass, w->dx, 0, w->x_trial);
        for (size_t i = 0; i < w->n_diff; i++) w->d[i] -= w->x_trial[i];
        for (size_t i = 0; i < w->n; i++) w->x_trial[i] = w->x[i] + w->dx[i];
    } else {
        for (size_t i = 0; i < w->n_diff; i++) w->d[i] -= w->dx[i];
    }
    gt_lu_solve(&w->lu_W, w->d);
    return norm(w, w->d);
}

/* A step of size *h, made smaller until it fits; J is that at x. */
static gt_status transient_step(solver *w, double *h, double *measure)
{
    const double h_min = 1e-12 * *h;
    for (; *h >= h_min; *h /= 8) {
        gt_jacobian_shift(&w->jac, w->p, &w->J, *h, &w->W);
        if (factor(w, &w->lu_W, &w->W)) continue;
        transient_side(w, *h, w->f, w->dx);
        gt_lu_solve(&w->lu_W, w->dx);
        if (!isfinite(norm(w, w->dx))) continue;
        for (size_t i = 0; i < w->n; i++) w->x_trial[i] = w->x[i] + w->dx[i];
        gt_status status = evaluate(w, w->x_trial, w->f_trial);
        if (status < 0) return status;
        if (status) continue;
        *measure = nonlinearity(w, *h);
        if (*measure <= 0.5) return GT_OK;
    }
    return GT_TRY_NEWTON;
}

static double largest_entry(const gt_matrix *J)
{
    double most = 0;
    size_t entries = gt_matrix_entries(J);
    for (size_t k = 0; k < entries; k++) most = fmax(most, fabs(J->values[k]));
    return most > 0 ? most : 1;
}

static gt_status follow_the_flow(solver *w)
{
    /* Beyond this times 1/max |J|, round-off in h J would drown M, which determines what J leaves
     * free. */
    const double reach = w->p->jac ? 1e15 : 1e7;
    gt_status status = evaluate(w, w->x, w->f);
    double speed = norm(w, w->f), h = speed > 0 ? 0.01 / speed : 1, measure = 0;
    while (!status && w->report->transient_steps < w->max_iterations) {
        status = gt_jacobian_evaluate(&w->jac, &w->s, w->t, w->x, &w->J);
        if (status) return status;
        double h_max = reach / largest_entry(&w->J);
        h = fmin(h, h_max);
        status = transient_step(w, &h, &measure);
        if (status) return status;
        double size = norm(w, w->dx);
        advance(w);
        w->report->transient_steps++;
        if (size <= w->tol && h >= h_max) return GT_OK;
        h *= measure < 0.05 ? 10 : measure < 0.2 ? 3 : 1;
    }
    return status ? status : GT_TRY_NEWTON;
}

static void lay_out(solver *w, gt_arena *arena)
{
    gt_jacobian_layout(&w->jac, w->p, arena);
    gt_matrix_layout(&w->J, w->n, w->jac.of_J, false, arena);
    gt_jacobian_layout_shift(&w->jac, w->p, &w->W, arena);
    gt_lu_layout(&w->lu_J, &w->J, arena);
    gt_lu_layout(&w->lu_W, &w->W, arena);
    double **vectors[] = {&w->x, &w->x_trial, &w->f, &w->f_trial, &w->dx, &w->d};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = gt_arena_doubles(arena, w->n);
}

static void find_residual(const solver *w)
{
    gt_equilibrium_report *r = w->report;
    r->residual = 0;
    for (size_t i = 0; i < w->n; i++)
        if (!(fabs(w->f[i]) <= r->residual)) r->residual = fabs(w->f[i]), r->worst = i;
}

static gt_status explain_failure(const solver *w, gt_status status, const gt_message *note)
{
    char buffer[24];
    gt_equilibrium_report *r = w->report;
    const char *worst = gt_problem_state_name(w->p, r->worst, buffer);
    if (status == GT_NO_MEMORY)
        return gt_fail(&r->message, status, "out of memory for %zu states", w->n);
    if (status < 0 || status == GT_TRY_RHS)
        return gt_fail(
            &r->message, GT_RHS_FAILED,
            "the right-hand side failed at t = %g on the way to a steady state; try another guess",
            w->t);
    if (status == GT_TRY_NOT_FINITE)
        return gt_fail(&r->message, GT_NOT_FINITE,
                       "the equation of %s is not finite at the guess (t = %g); try another guess",
                       worst, w->t);
    const bool explained = note->text[0] != '\0';
    return gt_fail(&r->message, explained ? GT_SINGULAR : GT_NEWTON_FAILED,
                   "no steady state was found at t = %g: after %d Newton iterations and %d steps "
                   "in pseudo-time the "
                   "equation of %s still has the residual %.3g; %s",
                   w->t, r->iterations, r->transient_steps, worst, r->residual,
                   explained ? note->text : "try another guess, if there is a steady state at all");
}

static gt_status solve(solver *w, double *x, gt_arena *arena)
{
    gt_equilibrium_report *r = w->report;
    memcpy(w->x, x, w->n * sizeof *x);
    gt_status status = newton(w);
    if (!status)
        r->singular = gt_equilibrium_note(w->p, &w->jac, &w->s, w->t, w->x, &w->J, arena, &r->note);
    if (r->singular || status > 0) {
        memcpy(w->x, x, w->n * sizeof *x);
        status = follow_the_flow(w);
        r->note.text[0] = '\0';
        r->singular = gt_equilibrium_note(w->p, &w->jac, &w->s, w->t, w->x, &w->J, arena, &r->note);
    }
    find_residual(w);
    if (status) return explain_failure(w, status, &r->note);
    memcpy(x, w->x, w->n * sizeof *x);
    return GT_OK;
}

static gt_status full_equilibrium(const gt_problem *problem, double t, double *x,
                                  const gt_equilibrium_options *options,
                                  gt_equilibrium_report *report)
{
    gt_equilibrium_report own;
    if (!report) report = &own;
    *report = (gt_equilibrium_report){.status = GT_BAD_ARGUMENT};
    GT_ARMOR(&report->message, problem && x);
    *report = (gt_equilibrium_report){.status = GT_OK};
    report->status = gt_problem_check(problem, &report->message);
    if (report->status) return report->status;

    size_t n = gt_problem_size(problem);
    solver w = {.p = problem,
                .t = t,
                .n = n,
                .n_diff = problem->n_slow + problem->n_fast,
                .report = report};
    w.s = gt_evaluator(problem);
    w.tol = options && options->tol > 0 ? options->tol : 1e-10;
    w.max_iterations = options && options->max_iterations > 0 ? options->max_iterations : 200;

    gt_arena arena = gt_arena_growing();
    lay_out(&w, &arena);
    if (arena.failed) {
        report->status = gt_fail(&report->message, GT_NO_MEMORY, "out of memory for %zu states", n);
    } else {
        gt_jacobian_prepare(&w.jac, problem);
        report->status = gt_lu_possible(&w.lu_J, &report->message);
        if (!report->status) report->status = gt_lu_possible(&w.lu_W, &report->message);
        if (!report->status) report->status = solve(&w, x, &arena);
    }
    report->stats = w.s.stats;
    gt_lu_free(&w.lu_J);
    gt_lu_free(&w.lu_W);
    gt_arena_free(&arena);
    return report->status;
}

gt_status gt_equilibrium_sized(const gt_problem *problem, size_t problem_size, double t, double *x,
                               const gt_equilibrium_options *options, size_t options_size,
                               gt_equilibrium_report *report, size_t report_size)
{
    GT_WIDEN(NULL, gt_problem, problem);
    GT_WIDEN(NULL, gt_equilibrium_options, options);
    GT_OUT(gt_equilibrium_report, report);
    gt_status result = full_equilibrium(problem, t, x, options, report);
    GT_GIVE(report);
    return result;
}

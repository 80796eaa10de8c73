/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Consistent values: with the differential variables held, 0 = g(t, x, y) is solved for the algebraic ones by Newton
 * with a Jacobian at every iterate and a step halved until the residual falls. gamma = 0 makes the differential rows of
 * the matrix the identity, so that the full matrix serves.
 */
#include <float.h>
#include <geartrain/newton.h>
#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 50, MAX_HALVINGS = 30 };

static double largest(const double *g, size_t count, size_t *where)
{
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(g[i]) <= most)) most = fabs(g[i]), *where = i;
    }
    return most;
}

static gt_status does_not_close(gt_stepper *s, size_t row, double value, const char *why)
{
    char buffer[24];
    const gt_problem *p = s->problem;
    return gt_fail(&s->message, GT_INCONSISTENT,
                   "algebraic equation %zu (the row of %s) does not close at t = %g: residual %.3g, %s; "
                   "try other starting values of the algebraic variables",
                   row + 1, gt_problem_state_name(p, p->n_slow + p->n_fast + row, buffer), s->t, value, why);
}

/* One Newton direction at s->x into newton->delta, zero in the differential rows. */
static gt_status direction(gt_stepper *s, const double *g)
{
    gt_newton *w = s->algebraic;
    size_t n_diff = s->problem->n_slow + s->problem->n_fast;
    gt_status status = gt_jacobian_evaluate(&w->jac, s, s->t, s->x, &w->J[0]);
    if (status) return status;
    gt_jacobian_shift(&w->jac, s->problem, &w->J[0], 0, &w->W);
    /* gamma = 0 leaves M in the differential rows, which may be singular; their unknowns are held, so they get 1. */
    s->stats.factorizations++;
    status = gt_lu_factor(&w->lu, &w->W);
    if (status) return status;
    memset(w->delta, 0, n_diff * sizeof *g);
    memcpy(w->delta + n_diff, g, s->problem->n_alg * sizeof *g);
    gt_lu_solve(&w->lu, w->delta);
    return GT_OK;
}

gt_status gt_stepper_make_consistent(gt_stepper *s)
{
    const gt_problem *p = s->problem;
    if (!p->n_alg) return GT_OK;
    gt_newton *w = s->algebraic;
    size_t n_diff = p->n_slow + p->n_fast, m = p->n_alg, row = 0;
    double *y = s->x + n_diff, *g = w->guess, *trial = s->x_new, *g_trial = s->f_new;

    gt_status status = gt_rhs_alg(s, s->t, s->x, g);
    if (status)
        return gt_fail(&s->message, GT_RHS_FAILED, "the algebraic equations cannot be evaluated at t = %g", s->t);
    for (int iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
        double size = largest(g, m, &row);
        if (size == 0) return GT_OK;
        if (!isfinite(size)) return does_not_close(s, row, size, "which is not a number");
        s->stats.newton++;
        status = direction(s, g);
        if (status > 0) return does_not_close(s, row, size, "and dg/dy is singular there (index above 1?)");
        if (status) return gt_fail(&s->message, status, "the Jacobian cannot be evaluated at t = %g", s->t);

        double lambda = 1, relative = 0, size_trial = INFINITY;
        for (int halving = 0; halving < MAX_HALVINGS; halving++, lambda /= 2) {
            memcpy(trial, s->x, s->n * sizeof *trial);
            relative = 0;
            for (size_t i = 0; i < m; i++) {
                double d = w->delta[n_diff + i];
                trial[n_diff + i] = y[i] - lambda * d;
                relative = fmax(relative, fabs(d) / (fabs(y[i]) + 1e-3));
            }
            status = gt_rhs_alg(s, s->t, trial, g_trial);
            if (status < 0)
                return gt_fail(&s->message, status, "the algebraic equations cannot be evaluated at t = %g", s->t);
            if (!status) {
                size_trial = largest(g_trial, m, &row);
                if (size_trial < size) break;
            }
            if (relative <= 64 * DBL_EPSILON) return GT_OK; /* as close as the arithmetic allows */
        }
        if (!(size_trial < size)) {
            if (relative <= 1e-9) return GT_OK;
            return does_not_close(s, row, size, "and no step makes it smaller");
        }
        memcpy(y, trial + n_diff, m * sizeof *y);
        memcpy(g, g_trial, m * sizeof *g);
        s->f_known = false;
        if (lambda == 1 && relative <= 1e-14) return GT_OK;
    }
    return does_not_close(s, row, largest(g, m, &row), "after 50 iterations");
}

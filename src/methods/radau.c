/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `radau`: Radau IIA of orders 5, 9 and 13 (and 1), Hairer, Wanner, Solving Ordinary Differential
 * Equations II (1996), IV.8, and J. Comput. Appl. Math. 111 (1999) 93, for M x' = f with constant
 * M, which may be singular, and algebraic rows.
 *
 * 1. The collocation polynomial q of degree s has q(0) = x and M q' = h f at the nodes c_i, the
 * last of which is 1: x_new = q(1) satisfies the equations at the end of the step. With Z_i =
 * q(c_i) - x this is M A^-1 Z = h F(Z), which radau_newton.c solves. The order is 2s - 1, the
 * method is L-stable and algebraically stable.
 * 2. Error, of order s: how far q is from satisfying the equation at the beginning of the step,
 *        err = (M - h r J)^-1 r (h f(t, x) - M q'(0)),     r = 1/lambda of the real system
 *    the difference to the solution with a further node at 0 of weight r (IV.8.19). For stiff
 *    components it is bounded, but does not vanish: after a first or rejected step that seems to
 *    fail it is made again with f(t, x + err) in place of f(t, x) (IV.8.20).
 * 3. q continued beyond the step is the guess for the next one, and inside it the dense output.
 *
 * Steps and orders are chosen in radau_judge.c; at fixed step the variable order is 5.
 */
#include "kit/radau.h"
#include "kit/implicit.h"
#include "linalg/backend.h"
#include <float.h>
#include <geartrain/methods.h>
#include <math.h>
#include <string.h>

static const char *const orders[] = {[RADAU_VARIABLE] = "variable",
                                     [RADAU_1] = "1",
                                     [RADAU_5] = "5",
                                     [RADAU_9] = "9",
                                     [RADAU_13] = "13",
                                     NULL};
static const gt_param options[] = {
    {.name = "order",
     .help = "a fixed order; variable: 5, 9 and 13 as it goes, at fixed step 5",
     .type = GT_CHOICE,
     .choices = orders,
     .field = GT_OPTION_FIELD(gt_radau_options, order)},
    GT_NEWTON_TOL_OPTION(gt_radau_options),
    {.name = "newton_fraction",
     .help = "at controlled step: it ends when what is left is this fraction of the error "
             "tolerance, or less where the tolerance is tight",
     .initial = 0.03,
     .min = 1e-6,
     .max = 1,
     .field = GT_OPTION_FIELD(gt_radau_options, newton_fraction)},
    GT_LINEAR_OPTIONS(gt_radau_options),
    {0},
};

/* At controlled step: rates above this ask for a new Jacobian. */
static const double slow_rate = 0.001, slow_rate_fixed = 0.05;

static int formula_of_order(gt_radau_order order)
{
    return order == RADAU_VARIABLE ? GT_RADAU_5 : (int)order - (int)RADAU_1;
}

static gt_facts facts(const gt_method *self, const double *v)
{
    gt_radau_options o = {0};
    gt_params_fill(self->options, v, &o);
    int stages = gt_radau_table[formula_of_order(o.order)].stages;
    return (gt_facts){.kind = GT_KIND_IMPLICIT,
                      .order = 2 * stages - 1,
                      .error_order = stages,
                      .stages = stages,
                      .systems = 1 + 2 * (stages - 1),
                      .flags = GT_TREATS_ALGEBRAIC | GT_TREATS_MASS | GT_TREATS_INDEX |
                               GT_USES_JACOBIAN};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    gt_radau_state *w = s->state;
    gt_params_fill(s->method->options, s->options.v, &w->options);
    bool variable = w->options.order == RADAU_VARIABLE;
    w->most = variable ? GT_RADAU_13 : formula_of_order(w->options.order);
    const gt_radau_numbers *p = &gt_radau_table[w->most];
    double complex r[GT_RADAU_SYSTEMS];
    int systems = (p->stages + 1) / 2;
    for (int i = 0; i < systems; i++) r[i] = p->r_re[i] + p->r_im[i] * I;
    gt_shifted_layout(&w->shifted, s->problem, r, systems, &w->options.linear, arena);
    if (w->shifted.iterated) w->shifted.iterated->J = w->J;
    if (w->shifted.matrix) {
        gt_jacobian_layout(&w->jac, s->problem, arena);
        for (int i = 0; i < 2; i++) gt_matrix_layout(&w->J[i], s->n, w->jac.of_J, false, arena);
    }
    for (int i = 0; i < p->stages; i++) {
        w->Z[i] = gt_arena_doubles(arena, s->n);
        w->Z_past[i] = gt_arena_doubles(arena, s->n);
        w->F[i] = gt_arena_doubles(arena, s->n);
        w->W[i] = gt_arena_doubles(arena, s->n);
    }
    w->R = gt_arena_doubles(arena, (size_t)p->stages * s->n);
    w->weight = gt_arena_doubles(arena, s->n);
    if (s->problem->mass) w->product = gt_arena_doubles(arena, s->n);
    return GT_OK;
}

static void restart(gt_stepper *s)
{
    gt_radau_state *w = s->state;
    w->formula = formula_of_order(w->options.order);
    w->past_formula = -1;
    w->current_known = w->fresh_known = w->stale = w->rejected = false;
    w->rate_past = (gt_radau_rate){.left = 1};
    w->error_past = w->h_past = w->theta_held = w->failed = 0;
    w->formula_next = w->formula;
    w->calm = 0;
    s->order = 2 * gt_radau_table[w->formula].stages - 1;
}

static gt_status prepare(gt_stepper *s)
{
    gt_radau_state *w = s->state;
    const gt_problem *p = s->problem;
    w->lu_of = w->transform_formula = w->ahead_formula = w->tolerance_formula = -1;
    if (w->shifted.matrix) gt_jacobian_prepare(&w->jac, p);
    if (w->shifted.iterated) return gt_shifted_prepare(&w->shifted, &w->J[0], 0);
    if (w->shifted.sum.of_W.storage != GT_CSC) return GT_OK;
    if (gt_jacobian_evaluate(&w->jac, s, p->t0, p->x0, &w->J[0]))
        return gt_fail(&s->message, GT_RHS_FAILED,
                       "the Jacobian cannot be evaluated at the start, t = %g", p->t0);
    double typical = isfinite(p->t1) ? (p->t1 - p->t0) / 1000 : 1;
    return gt_lu_ready(gt_shifted_prepare(&w->shifted, &w->J[0], typical), &s->message);
}

/* err := (M - h r J)^-1 r (h f - M q'), where F[0] has M q' times r. */
static gt_status filter(gt_stepper *s, double h, const double *f, double *err)
{
    gt_radau_state *w = s->state;
    double r = gt_radau_table[w->Z_formula].r_re[0];
    const double *defect = w->F[0];
    for (size_t k = 0; k < s->n; k++) err[k] = r * h * f[k] - defect[k];
    const double part = 0.01; /* of the tolerance, or of the estimate */
    w->shifted.absolute = part * w->stretch;
    w->shifted.relative = part;
    return gt_shifted_solve(&w->shifted, s, 0, err);
}

/* F[0] := r M q', where q' = sum_j slope_j Z_j. */
static void make_defect(gt_stepper *s, const double *slope)
{
    gt_radau_state *w = s->state;
    const gt_radau_numbers *p = &gt_radau_table[w->Z_formula];
    size_t n = s->n, n_diff = s->problem->n_slow + s->problem->n_fast;
    double *defect = w->F[0];
    for (size_t k = 0; k < n; k++) {
        double sum = 0;
        for (int j = 0; j < p->stages; j++) sum += slope[j] * w->Z[j][k];
        defect[k] = p->r_re[0] * sum;
    }
    if (s->problem->mass) {
        memcpy(w->product, defect, n * sizeof *defect);
        gt_matrix_multiply(s->problem->mass, w->product, 0, defect);
    }
    memset(defect + n_diff, 0, (n - n_diff) * sizeof *defect);
}

static gt_status estimate(gt_stepper *s, double h, const double *x, double *err)
{
    gt_radau_state *w = s->state;
    size_t n_diff = s->problem->n_slow + s->problem->n_fast;
    gt_status status = gt_slope(s);
    if (status) return status;
    make_defect(s, gt_radau_table[w->Z_formula].start_slope);
    status = filter(s, h, s->f, err);
    if (status) return status;
    if (s->rtol == 0 || (w->past_formula >= 0 && !w->rejected)) return GT_OK;
    double sum = 0;
    for (size_t k = 0; k < n_diff; k++) sum += err[k] * err[k] * (w->weight[k] * w->weight[k]);
    if (!(sum >= (double)n_diff)) return GT_OK;
    double *moved = w->W[0], *f = w->R; /* not needed any more */
    for (size_t k = 0; k < s->n; k++) moved[k] = x[k] + err[k];
    status = gt_rhs(s, s->t, moved, f);
    if (status) return GT_OK; /* what there is stands */
    return filter(s, h, f, err);
}

/* As Newton weighs corrections: what is next to 0 need not be relatively exact beside large ones.
 * At the end of a step (not `inside`) algebraic states of index 1 follow the others. */
static void weigh_by_index(const gt_stepper *s, double h, const double *x, bool inside, double *err)
{
    size_t n_diff = s->n - s->problem->n_alg;
    double most = 0;
    for (size_t k = n_diff; k < s->n; k++) most = fmax(most, fabs(x[k]));
    for (size_t k = 0; k < s->n; k++) {
        bool follows = !inside && k >= n_diff && s->problem->index[k] == 1;
        err[k] *= follows ? 0 : gt_radau_index_weight(s->problem, k, h);
        if (k < n_diff || follows) continue;
        double own = fabs(x[k]), floor = GT_RADAU_BESIDE * most;
        if (own < floor) err[k] *= gt_weight(s, k, own) / gt_weight(s, k, floor);
    }
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    gt_status status = gt_radau_solve(s, h, x, x_new);
    if (!status && err) status = estimate(s, h, x, err);
    if (!status && err && s->problem->index) weigh_by_index(s, h, x, false, err);
    return status;
}

static void accept(gt_stepper *s)
{
    gt_radau_state *w = s->state;
    for (int i = 0; i < gt_radau_table[w->Z_formula].stages; i++) {
        double *Z = w->Z[i];
        w->Z[i] = w->Z_past[i];
        w->Z_past[i] = Z;
    }
    w->past_formula = w->Z_formula;
    w->past_h = w->Z_h;
    if (w->fresh_used) w->current = 1 - w->current;
    w->current_known = true;
    w->fresh_known = w->fresh_used = w->rejected = false;
    w->rate_past = w->rate;
    w->failed = 0;
    w->stale = w->rate.theta > (s->rtol > 0 ? slow_rate : slow_rate_fixed);
    if (s->rtol > 0 && w->error > 0) {
        w->error_past = fmax(w->error, 1e-2);
        w->h_past = w->Z_h;
    }
    w->theta_held = fmin(10, fmax(w->rate.theta, 0.5 * w->theta_held));
    w->calm = w->formula_next == w->formula ? w->calm + 1 : 0;
    if (w->formula_next != w->formula) w->error_past = 0;
    s->order = 2 * gt_radau_table[w->Z_formula].stages - 1;
    w->formula = w->formula_next;
}

/* Where the iteration fails the solution turns: a lower order, whose stages lie closer to x. */
static double retry(gt_stepper *s, double h)
{
    gt_radau_state *w = s->state;
    w->stale = true;
    if (w->options.order == RADAU_VARIABLE && w->formula > GT_RADAU_5) {
        w->formula--;
        w->calm = 0;
        w->error_past = 0; /* of another estimate */
    }
    return h * w->rate.part;
}

static void release(gt_stepper *s) { gt_shifted_free(&((gt_radau_state *)s->state)->shifted); }

/* L_j, the Lagrange polynomials on 0, c_1, .., c_s, at theta, and their slopes. */
static void lagrange(const gt_radau_numbers *p, double theta, double *L, double *slope)
{
    for (int j = 0; j < p->stages; j++) {
        double value = theta / p->c[j], rise = 1 / p->c[j];
        for (int k = 0; k < p->stages; k++) {
            if (k == j) continue;
            double apart = p->c[j] - p->c[k], factor = (theta - p->c[k]) / apart;
            rise = rise * factor + value / apart;
            value *= factor;
        }
        L[j] = value;
        slope[j] = rise;
    }
}

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    const gt_radau_state *w = s->state;
    const gt_radau_numbers *p = &gt_radau_table[w->Z_formula];
    double L[GT_RADAU_STAGES], slope[GT_RADAU_STAGES];
    (void)h;
    lagrange(p, theta, L, slope);
    memcpy(x, s->x, s->n * sizeof *x);
    for (int j = 0; j < p->stages; j++)
        for (size_t k = 0; k < s->n; k++) x[k] += L[j] * w->Z[j][k];
    gt_radau_hide(s->problem, x);
    return GT_OK;
}

/* As the error of the step, which is that of q at 0. For a stiff mode this is how far q is from
 * where the mode comes to rest. */
static gt_status dense_error(gt_stepper *s, double h, double theta, double *err)
{
    gt_radau_state *w = s->state;
    double L[GT_RADAU_STAGES], slope[GT_RADAU_STAGES];
    double *q = w->W[0], *f = w->R; /* not needed any more */
    lagrange(&gt_radau_table[w->Z_formula], theta, L, slope);
    gt_status status = interpolate(s, h, theta, q);
    if (!status) status = gt_rhs(s, s->t + theta * h, q, f);
    if (status) return status;
    make_defect(s, slope);
    status = filter(s, h, f, err);
    if (!status && s->problem->index) weigh_by_index(s, h, q, true, err);
    return status;
}

/* The Pade approximation of exp(z) with s - 1 and s: Hairer, Wanner II, (IV.3.30). */
static void rational(const gt_method *self, const double *v, gt_rational *R)
{
    gt_radau_options o = {0};
    gt_params_fill(self->options, v, &o);
    int s = gt_radau_table[formula_of_order(o.order)].stages, k = s - 1;
    *R = (gt_rational){.num_degree = k, .den_degree = s, .num = {1}, .den = {1}};
    for (int i = 1; i <= s; i++) {
        double shared = (double)i * (s + k - i + 1);
        if (i <= k) R->num[i] = R->num[i - 1] * (k - i + 1) / shared;
        R->den[i] = -R->den[i - 1] * (s - i + 1) / shared;
    }
}

static const gt_matrix *jacobian(const gt_stepper *s)
{
    const gt_radau_state *w = s->state;
    bool known = w->current_known && w->shifted.matrix;
    return known ? &w->J[w->current] : NULL;
}

const gt_method gt_method_radau = {
    .name = "radau",
    .roles = GT_ROLE_STIFF_RIVAL | GT_ROLE_CONSTRAINED,
    .family = "implicit Runge-Kutta",
    .title = "Radau IIA of orders 5, 9 and 13, implicit, L-stable, collocation",
    .reference = "Hairer, Wanner, Solving Ordinary Differential Equations II (1996), IV.8",
    .memory = "J of the last point and of a trial, and the real and the complex systems of the "
              "stages with their factors; stages of the last step and of a trial, their slopes, "
              "transforms and corrections, the weights of the components",
    .options = options,
    .facts = facts,
    .state_size = sizeof(gt_radau_state),
    .layout = layout,
    .prepare = prepare,
    .step = step,
    .accept = accept,
    .restart = restart,
    .release = release,
    .judge = gt_radau_judge,
    .interpolate = interpolate,
    .rational = rational,
    .jacobian = jacobian,
    .law = {.steps = 0.78, .order = 10}, /* orders 5 to 13 */
    .dense_error = dense_error,
    .retry = retry};

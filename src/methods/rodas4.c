/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RODAS, Hairer, Wanner, Solving Ordinary Differential Equations II (1996), VI.4: a Rosenbrock
 * method of order 4 in six stages, stiffly accurate and L-stable. Newton's method is replaced by
 * one linear system a stage, all with one matrix from the Jacobian J at the accepted point, which
 * therefore has to be the true one:
 *
 *     (I/(h g) - J) u_i = f(t + alpha_i h, x + sum_(j<i) a_ij u_j) + sum_(j<i) (c_ij/h) u_j + g_i h
 * f_t     g = 1/4 x_new = x + sum_(j<6) a_6j u_j + u_6                                       err =
 * u_6, against order 3
 *
 * (VI.4.2), in which J u_j is never formed. The last two stages are solutions themselves: a_6j =
 * a_5j, and a_65 = 1. Solved as (I - h g J) u_i = h g (..). f_t is a difference, or 0 where the
 * problem says that it is autonomous.
 *
 * Dense output of order 3, from the same stages:
 *     x (1-theta) + theta (x_new + (1-theta) sum_j (d_0j + theta d_1j) u_j)
 */
#include "kit/exponential.h"
#include "kit/weighted_sum.h"
#include "linalg/backend.h"
#include <complex.h>
#include <geartrain/methods.h>
#include <string.h>

enum { STAGES = 6 };
static const double g = 0.25;

/* clang-format off */
static const double alpha[STAGES] = {0, 0.386, 0.21, 0.63, 1, 1};
static const double g_i[STAGES] = {0.25, -0.1043, 0.1035, -0.03620000000000023};
static const double a[STAGES][STAGES] = {
    {0},
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1}};
static const double c[STAGES][STAGES] = {
    {0},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054}};
static const double d[2][STAGES] = {
    {10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823, 1.025137723295662},
    {-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386, -6.594389125716872}};
/* clang-format on */

typedef struct rodas_state {
    gt_jacobian jac;
    gt_matrix J, W;
    gt_lu lu;
    double *u[STAGES], *f_t;
    bool known; /* J and f_t are those of the accepted point */
} rodas_state;

static gt_facts facts(const gt_method *self, const double *v)
{
    (void)self, (void)v;
    return (gt_facts){
        .kind = GT_KIND_LINEARLY_IMPLICIT,
        .order = 4,
        .error_order = 3,
        .stages = STAGES,
        .flags = GT_USES_JACOBIAN,
        .order_problem =
            "linear2"}; /* elsewhere the difference for f_t is seen before round-off is */
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    rodas_state *w = s->state;
    gt_jacobian_layout(&w->jac, s->problem, arena);
    gt_matrix_layout(&w->J, s->n, s->problem->jac_pattern, false, arena);
    gt_jacobian_layout_shift(&w->jac, s->problem, &w->W, arena);
    gt_lu_layout(&w->lu, &w->W, arena);
    for (int i = 0; i < STAGES; i++) w->u[i] = gt_arena_doubles(arena, s->n);
    w->f_t = gt_arena_doubles(arena, s->n);
    return GT_OK;
}

static gt_status prepare(gt_stepper *s)
{
    rodas_state *w = s->state;
    const gt_problem *p = s->problem;
    gt_jacobian_prepare(&w->jac, p);
    if (w->W.pattern.storage != GT_CSC) return GT_OK;
    if (gt_jacobian_evaluate(&w->jac, s, p->t0, p->x0, &w->J))
        return gt_fail(&s->message, GT_RHS_FAILED,
                       "the Jacobian cannot be evaluated at the start, t = %g", p->t0);
    gt_jacobian_shift(&w->jac, p, &w->J, (p->t1 - p->t0) / 1000, &w->W);
    return gt_lu_ready(gt_lu_analyse(&w->lu, &w->W), &s->message);
}

/* The solution of stage i, from the slope at its point. */
static void solve_stage(const gt_stepper *s, int i, double h, const double *slope)
{
    const rodas_state *w = s->state;
    double weight[STAGES], *u = w->u[i];
    const double *others[STAGES];
    for (int j = 0; j < i; j++) {
        weight[j] = g * c[i][j];
        others[j] = w->u[j];
    }
    double on_f = h * g, on_f_t = h * h * g * g_i[i];
    for (size_t k = 0; k < s->n; k++) u[k] = on_f * slope[k] + on_f_t * w->f_t[k];
    gt_weighted_sum(i, weight, others, u, u, s->n);
    gt_lu_solve(&w->lu, u);
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    rodas_state *w = s->state;
    const double *u[STAGES];
    for (int j = 0; j < STAGES; j++) u[j] = w->u[j];
    gt_status status = gt_linear_at(s, &w->jac, &w->J, w->f_t, &w->known);
    if (status) return status;
    gt_jacobian_shift(&w->jac, s->problem, &w->J, h * g, &w->W);
    s->stats.factorizations++;
    status = gt_lu_factor(&w->lu, &w->W);
    if (status) return status;
    solve_stage(s, 0, h, s->f);
    for (int i = 1; i < STAGES; i++) {
        gt_weighted_sum(i, a[i], u, x, x_new, s->n);
        status = gt_rhs(s, s->t + alpha[i] * h, x_new, w->u[i]);
        if (status) return status;
        solve_stage(s, i, h, w->u[i]);
    }
    const double *last = w->u[STAGES - 1];
    for (size_t k = 0; k < s->n; k++) x_new[k] += last[k];
    if (err) memcpy(err, last, s->n * sizeof *err);
    /* The next step begins with it, and where there is none this one must not be accepted. */
    status = gt_rhs(s, s->t + h, x_new, s->f_new);
    double finite = 0;
    for (size_t k = 0; k < s->n; k++) finite += s->f_new[k] - s->f_new[k];
    s->f_new_known = !status && finite == 0;
    return status ? status : finite == 0 ? GT_OK : GT_TRY_NOT_FINITE;
}

static void accept(gt_stepper *s) { ((rodas_state *)s->state)->known = false; }
static const gt_matrix *jacobian(const gt_stepper *s)
{
    return &((const rodas_state *)s->state)->J;
}

static void release(gt_stepper *s) { gt_lu_free(&((rodas_state *)s->state)->lu); }

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    const rodas_state *w = s->state;
    (void)h;
    for (size_t k = 0; k < s->n; k++) {
        double inner = 0;
        for (int j = 0; j < STAGES - 1; j++) inner += (d[0][j] + theta * d[1][j]) * w->u[j][k];
        x[k] = (1 - theta) * s->x[k] + theta * (s->x_new[k] + (1 - theta) * inner);
    }
    return GT_OK;
}

/* The step on x' = lambda x, z = h lambda. */
static double complex amplification(const gt_method *self, const double *v, double complex z)
{
    (void)self, (void)v;
    double complex u[STAGES], point = 1;
    for (int i = 0; i < STAGES; i++) {
        double complex sum = 0;
        point = 1;
        for (int j = 0; j < i; j++) {
            point += a[i][j] * u[j];
            sum += c[i][j] * u[j];
        }
        u[i] = g * (z * point + sum) / (1 - g * z);
    }
    return point + u[STAGES - 1];
}

const gt_method gt_method_rodas4 = {
    .name = "rodas4",
    .family = "Rosenbrock",
    .title = "RODAS, Rosenbrock of order 4, L-stable, one factorisation a step",
    .reference = "Hairer, Wanner, Solving Ordinary Differential Equations II (1996), "
                 "VI.4",
    .memory = "J, the matrix of the stages and its factors; six stages, f_t",
    .facts = facts,
    .state_size = sizeof(rodas_state),
    .layout = layout,
    .prepare = prepare,
    .step = step,
    .accept = accept,
    .restart = accept,
    .release = release,
    .interpolate = interpolate,
    .jacobian = jacobian,
    .amplification = amplification};

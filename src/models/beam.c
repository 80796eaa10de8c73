/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An elastic beam of length 1, clamped at one end, as n rigid links with angles theta_i; a force F
 * sin^2(t) pulls the free end until t = pi. With the differences d_i = theta_(i+1) - theta_i the
 * tridiagonal matrices
 *
 *     C: 1, 2, .., 2, 3 on the diagonal, -cos d_i beside it        D: sin d_i above the diagonal,
 * -sin d_i below it
 *
 * give theta'' = C v + D w where C w = D v + theta'^2 and v_i holds the bending and the force at
 * link i. C^-1 fills the Jacobian, so it is dense; a column costs O(n). In C because its size n is
 * a parameter, and because C w = .. is solved in every call.
 */
#include "models/model_kit.h"
#include <geartrain/author/number.h>
#include <stdio.h>

enum { MAX_LINKS = 200, NAME_SIZE = 32 };
typedef double per_link[MAX_LINKS];

typedef struct {
    size_t n;
    double F;
} beam;

typedef struct {
    size_t n;
    per_link cosine, sine; /* of d_i */
    per_link pivot;        /* of C, eliminated from the last row up */
    per_link v, w;
    double fx, fy; /* force times n^2 */
} motion;

/* y_i += left a_(i-1) x_(i-1) + right a_i x_(i+1) */
static void add_beside(size_t n, double left, double right, const double *a, const double *x,
                       double *y)
{
    for (size_t i = 0; i + 1 < n; i++) {
        y[i + 1] += left * a[i] * x[i];
        y[i] += right * a[i] * x[i + 1];
    }
}

static double diagonal(size_t n, size_t i) { return i == 0 ? 1 : i + 1 == n ? 3 : 2; }

static void factor_c(motion *m)
{
    size_t n = m->n;
    m->pivot[n - 1] = diagonal(n, n - 1);
    for (size_t i = n - 1; i-- > 0;)
        m->pivot[i] = diagonal(n, i) - m->cosine[i] * m->cosine[i] / m->pivot[i + 1];
}

static void solve_c(const motion *m, double *b)
{
    for (size_t i = m->n - 1; i-- > 0;) b[i] += b[i + 1] * m->cosine[i] / m->pivot[i + 1];
    b[0] /= m->pivot[0];
    for (size_t i = 1; i < m->n; i++) b[i] = (b[i] + m->cosine[i - 1] * b[i - 1]) / m->pivot[i];
}

static void set_motion(motion *m, const beam *p, double t, const double *x)
{
    const double *theta = x, *omega = x + p->n;
    size_t n = p->n;
    double square = (double)n * (double)n, pull = t < GT_PI ? p->F * sin(t) * sin(t) * square : 0;
    m->n = n;
    m->fx = -pull;
    m->fy = pull;
    for (size_t i = 0; i + 1 < n; i++) {
        m->sine[i] = sin(theta[i + 1] - theta[i]);
        m->cosine[i] = cos(theta[i + 1] - theta[i]);
    }
    for (size_t i = 0; i < n; i++) {
        double before = i > 0 ? theta[i - 1] : -theta[0],
               after = i + 1 < n ? theta[i + 1] : theta[n - 1];
        m->v[i] = square * square * (before - 2 * theta[i] + after);
        if (pull != 0) m->v[i] += m->fy * cos(theta[i]) - m->fx * sin(theta[i]);
        m->w[i] = omega[i] * omega[i];
    }
    add_beside(n, -1, 1, m->sine, m->v, m->w);
    factor_c(m);
    solve_c(m, m->w);
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const beam *p = ctx;
    motion m;
    size_t n = p->n;
    set_motion(&m, p, t, x);
    for (size_t i = 0; i < n; i++) {
        dx[i] = x[n + i];
        dx[n + i] = diagonal(n, i) * m.v[i];
    }
    add_beside(n, -1, -1, m.cosine, m.v, dx + n);
    add_beside(n, -1, 1, m.sine, m.w, dx + n);
    return GT_OK;
}

/* d theta''/d theta_j into du. */
static void angle_column(const motion *m, const double *theta, size_t j, double *du)
{
    size_t n = m->n, first = j > 0 ? j - 1 : 0, end = j + 1 < n ? j + 2 : n;
    double square = (double)n * (double)n, bend = square * square;
    per_link dc = {0}, ds = {0}, dv = {0}, dw = {0};
    if (j > 0) dc[j - 1] = -m->sine[j - 1], ds[j - 1] = m->cosine[j - 1];
    if (j + 1 < n) dc[j] = m->sine[j], ds[j] = -m->cosine[j];
    for (size_t i = first; i < end; i++) dv[i] = bend;
    dv[j] = -bend * (j == 0       ? 3
                     : j + 1 == n ? 1
                                  : 2) -
            m->fy * sin(theta[j]) - m->fx * cos(theta[j]);
    add_beside(n, -1, 1, ds, m->v, dw);
    add_beside(n, -1, 1, m->sine, dv, dw);
    add_beside(n, 1, 1, dc, m->w, dw);
    solve_c(m, dw);
    for (size_t i = 0; i < n; i++) du[i] = diagonal(n, i) * dv[i];
    add_beside(n, -1, -1, dc, m->v, du);
    add_beside(n, -1, -1, m->cosine, dv, du);
    add_beside(n, -1, 1, ds, m->w, du);
    add_beside(n, -1, 1, m->sine, dw, du);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const beam *p = ctx;
    motion m;
    size_t n = p->n;
    set_motion(&m, p, t, x);
    for (size_t j = 0; j < n; j++) {
        double *by_angle = J->values + 2 * n * j, *by_rate = J->values + 2 * n * (n + j);
        per_link dw = {0};
        angle_column(&m, x, j, by_angle + n);
        by_rate[j] = 1;
        dw[j] = 2 * x[n + j];
        solve_c(&m, dw);
        add_beside(n, -1, 1, m.sine, dw, by_rate + n);
    }
    return GT_OK;
}

static const gt_param params[] = {
    INTEGER_PARAM("n", "links; there are 2 n states", 40, 2, MAX_LINKS),
    REAL_PARAM("F", "largest force on the free end, in each direction", NULL, 1.5, 0, 1e3),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const double end_of_force[] = {GT_PI};
    size_t n = (size_t)v[0];
    beam *p = gt_arena_take(arena, 1, sizeof *p);
    double *x0 = gt_arena_doubles(arena, 2 * n);
    const char **names = gt_arena_take(arena, 2 * n, sizeof *names);
    char *text = gt_arena_take(arena, 2 * n, NAME_SIZE);
    if (!p || !x0 || !names || !text) return GT_NO_MEMORY;
    *p = (beam){.n = n, .F = v[1]};
    for (size_t i = 0; i < 2 * n; i++) {
        x0[i] = 0;
        names[i] = text + i * NAME_SIZE;
        snprintf(text + i * NAME_SIZE, NAME_SIZE, "%s%zu", i < n ? "theta" : "omega",
                 (i < n ? i : i - n) + 1);
    }
    *problem = (gt_problem){.n_slow = 2 * n,
                            .rhs = rhs,
                            .jac = jac,
                            .n_breaks = 1,
                            .breaks = end_of_force,
                            .t1 = 5,
                            .x0 = x0,
                            .ctx = p,
                            .names = names};
    return GT_OK;
}

const gt_model gt_model_beam = {
    .abi = GT_MODEL_ABI,
    .name = "beam",
    .title = "elastic beam of n links, stiff oscillations",
    .reference =
        "Hairer, Wanner, Solving Ordinary Differential Equations II, IV.1 and IV.10 (BEAM)",
    .equations =
        "theta_i' = omega_i,  i = 1..n\n"
        "omega' = C v + D w,  C w = D v + omega^2\n"
        "C: 1, 2, .., 2, 3 on the diagonal, -cos(theta_i - theta_(i+1)) beside it\n"
        "D: -sin(theta_i - theta_(i+1)) at (i, i+1), its negative at (i+1, i)\n"
        "v_i = n^4 (theta_(i-1) - 2 theta_i + theta_(i+1)) + n^2 F sin(t)^2 (cos theta_i + sin "
        "theta_i)\n"
        "theta_0 = -theta_1, theta_(n+1) = theta_n; no force after t = pi; at rest at the start",
    .params = params,
    .build = build};

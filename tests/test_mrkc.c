/* SPDX-License-Identifier: BSD-3-Clause */
/* Stabilized multirate: diffusion on a mesh of which a few cells are fine. */
#include "methods_kit.h"

enum { COARSE = 100, FINE = 10, REST = 2, MOST = COARSE + FINE + REST };

/* Cells from left to right have widths w; cell i is state number[i], the slow ones first. A source
 * and a reaction make the rest of the equations expensive, as it were. */
typedef struct mesh {
    size_t cells, n_slow;
    double width[MOST], middle[MOST];
    size_t number[MOST], cell[MOST];
} mesh;

/* COARSE cells; the one in the middle is `parts` cells, or, where they shall be finer than that,
 * FINE cells of 1/ratio of it and what remains on both sides. */
static mesh make_mesh(double ratio)
{
    mesh m = {0};
    double h = 1.0 / COARSE, at = 0;
    bool fast[MOST] = {0};
    for (int i = 0; i < COARSE; i++) {
        if (i != COARSE / 2) {
            m.width[m.cells++] = h;
            continue;
        }
        double rest = (1 - FINE / ratio) / 2 * h;
        for (int k = -1; k <= FINE && ratio > 1; k++) {
            double width = k < 0 || k == FINE ? rest : h / ratio;
            if (width < 1e-9 * h) continue;
            fast[m.cells] = true;
            m.width[m.cells++] = width;
        }
        if (ratio == 1) {
            fast[m.cells] = true;
            m.width[m.cells++] = h;
        }
    }
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < m.cells; i++) {
            if (fast[i] != (pass == 1)) continue;
            m.cell[n] = i;
            m.number[i] = n++;
        }
        if (!pass) m.n_slow = n;
    }
    for (size_t i = 0; i < m.cells; i++) {
        m.middle[i] = at + m.width[i] / 2;
        at += m.width[i];
    }
    return m;
}

static double flow_into(const mesh *m, size_t i, double t, const double *x)
{
    double u = x[m->number[i]], w = m->width[i];
    double left = i ? 2 * (x[m->number[i - 1]] - u) / (m->width[i - 1] + w) : -2 * u / w;
    double right =
        i + 1 < m->cells ? 2 * (x[m->number[i + 1]] - u) / (m->width[i + 1] + w) : -2 * u / w;
    return (left + right) / w + u * (1 - u) +
           (m->middle[i] > 0.4 && m->middle[i] < 0.6 ? 10 * sin(20 * t) : 0);
}

static gt_status some(const mesh *m, size_t from, size_t to, double t, const double *x, double *dx)
{
    for (size_t k = from; k < to; k++) dx[k - from] = flow_into(m, m->cell[k], t, x);
    return GT_OK;
}

static gt_status coarse_cells(double t, const double *x, double *dx, void *ctx)
{
    const mesh *m = ctx;
    return some(m, 0, m->n_slow, t, x, dx);
}

static gt_status fine_cells(double t, const double *x, double *dx, void *ctx)
{
    const mesh *m = ctx;
    return some(m, m->n_slow, m->cells, t, x, dx);
}

static gt_status all_cells(double t, const double *x, double *dx, void *ctx)
{
    const mesh *m = ctx;
    return some(m, 0, m->cells, t, x, dx);
}

static gt_report solve(mesh *m, const char *method, double rtol, double h, double *x)
{
    double x0[MOST];
    for (size_t i = 0; i < m->cells; i++) x0[m->number[i]] = sin(acos(-1) * m->middle[i]);
    gt_problem p = {.n_slow = m->n_slow,
                    .n_fast = m->cells - m->n_slow,
                    .rhs = all_cells,
                    .rhs_slow = coarse_cells,
                    .rhs_fast = fine_cells,
                    .x0 = x0,
                    .t1 = 0.5,
                    .ctx = m};
    gt_report report;
    gt_plan plan = {.rtol = h > 0 ? 0 : rtol, .atol = h > 0 ? 0 : rtol, .h = h, .x_end = x};
    gt_status status = gt_solve(&p, gt_method_find(method), &plan, &report);
    if (status) fail_msg("%s: %s", method, report.message.text);
    return report;
}

static double difference(const mesh *m, const double *a, const double *b)
{
    double most = 0;
    for (size_t i = 0; i < m->cells; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* Slow calls are those of the coarse problem, within a fifth, however fine ten cells are; the error
 * is within ten times the tolerance. Fixed steps far beyond what explicit steps bear, with more and
 * more stages, are stable. */
static void fine_cells_cost_no_slow_calls(void **state)
{
    (void)state;
    const double ratios[] = {1, 10, 100}, tolerances[] = {1e-3, 1e-4};
    long coarse[2] = {0};
    for (int k = 0; k < 3; k++) {
        double x[MOST], exact[MOST];
        mesh m = make_mesh(ratios[k]);
        solve(&m, "gear", 1e-8, 0, exact);
        for (int i = 0; i < 2; i++) {
            gt_report report = solve(&m, "mrkc", tolerances[i], 0, x);
            double error = difference(&m, x, exact);
            if (!k) coarse[i] = report.stats.rhs_slow;
            if (!(error < 10 * tolerances[i]) || 10 * report.stats.rhs_slow > 12 * coarse[i])
                fail_msg("ratio %g, rtol %g: error %g, %ld slow calls, %ld without fine cells",
                         ratios[k], tolerances[i], error, report.stats.rhs_slow, coarse[i]);
        }
        for (double h = 0.001; h < 0.02 && k; h *= 4) {
            solve(&m, "mrkc", 0, h, x);
            double error = difference(&m, x, exact);
            if (!(error < 3 * h * h)) fail_msg("h = %g, ratio %g: error %g", h, ratios[k], error);
        }
    }
}

/* x beside a fast block with eigenvalues 300 (-zeta +- sqrt(zeta^2 - 1)). */
static gt_status slow_mass(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = -x[0] + 0.01 * x[1] + sin(t);
    return GT_OK;
}

static gt_status fast_mass(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    const double *zeta = ctx;
    dx[0] = 300 * x[2];
    dx[1] = 300 * (x[0] - 0.3 * x[0] * x[0] - x[1] - 2 * *zeta * x[2]);
    return GT_OK;
}

static gt_status both_masses(double t, const double *x, double *dx, void *ctx)
{
    slow_mass(t, x, dx, ctx);
    return fast_mass(t, x, dx + 1, ctx);
}

/* What swings is not averaged: with zeta = .95 runs were 300 tolerances off. What swings for long
 * is named. */
static void swinging_blocks(void **state)
{
    (void)state;
    const double zetas[] = {0.05, 0.2, 0.5, 0.8, 0.95, 1.5, 5}, x0[] = {1, 1, 0.5}, tol = 1e-4;
    for (size_t i = 0; i < sizeof zetas / sizeof *zetas; i++) {
        double zeta = zetas[i], x[3], exact[3];
        gt_problem p = {.n_slow = 1,
                        .n_fast = 2,
                        .rhs = both_masses,
                        .rhs_slow = slow_mass,
                        .rhs_fast = fast_mass,
                        .x0 = x0,
                        .t1 = 2.2,
                        .ctx = &zeta};
        gt_report report;
        gt_plan fine = {.rtol = 1e-10, .atol = 1e-12, .x_end = exact},
                plan = {.rtol = tol, .atol = tol, .x_end = x};
        assert_int_equal(gt_solve(&p, gt_method_find("radau"), &fine, &report), GT_OK);
        assert_int_equal(gt_solve(&p, gt_method_find("mrkc"), &plan, &report), GT_OK);
        double error = 0;
        for (int r = 0; r < 3; r++) error = fmax(error, fabs(x[r] - exact[r]));
        if (!(error < 20 * tol)) fail_msg("zeta = %g: error %g", zeta, error);
        bool said = false;
        for (int k = 0; k < report.warnings.count; k++)
            if (strstr(report.warnings.list[k].text, "mri4")) said = true;
        if (said != (zeta < 0.3))
            fail_msg("zeta = %g: %s", zeta, said ? "a warning" : "no warning");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fine_cells_cost_no_slow_calls),
        cmocka_unit_test(swinging_blocks),
    };
    return cmocka_run_group_tests_name("mrkc", tests, NULL, NULL);
}

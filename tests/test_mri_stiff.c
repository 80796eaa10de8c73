/* SPDX-License-Identifier: BSD-3-Clause */
/* Multirate infinitesimal methods with implicit inner methods, and with implicit slow stages. */
#include "methods_kit.h"
/* after the kit */
#include "kit/mri_pairs.h"

/* ---- order conditions ---- */

enum { MOST_ROWS = 2 * MRI_MOST_PAIRS };

/* A method as rows: row i goes from c_from to c_to with gamma0 + gamma1 theta on the slopes.
 * Implicit stages are rows of no length. The slope of the end of row i is number i + 1. */
typedef struct rows {
    int count, order;
    double from[MOST_ROWS], to[MOST_ROWS];
    double g0[MOST_ROWS][MOST_ROWS + 1], g1[MOST_ROWS][MOST_ROWS + 1];
} rows;

static void rows_of_infinitesimal(const gt_infinitesimal *T, rows *r)
{
    *r = (rows){.count = T->stages, .order = T->order};
    for (int i = 0; i < T->stages; i++) {
        r->from[i] = gt_ratio_value(T->c[i]);
        r->to[i] = gt_ratio_value(T->c[i + 1]);
        for (int j = 0; j <= i; j++) {
            r->g0[i][j] = gt_ratio_value(T->gamma0[i][j]);
            r->g1[i][j] = gt_ratio_value(T->gamma1[i][j]);
        }
    }
}

static void rows_of_pairs(const mri_pairs *T, rows *r)
{
    *r = (rows){.count = 2 * T->pairs, .order = T->order};
    for (int i = 0; i < T->pairs; i++) {
        int a = 2 * i, b = a + 1;
        r->from[a] = T->c[i];
        r->to[a] = r->from[b] = r->to[b] = T->c[i + 1];
        for (int j = 0; j <= i;
             j++) { /* slope j of the paper is that of the end of row 2 j - 1, number 2 j */
            r->g0[a][2 * j] = T->gamma0[i][j];
            r->g1[a][2 * j] = T->gamma1[i][j];
            r->g0[b][2 * j] = T->delta[i][j];
        }
        r->g0[b][b + 1] = T->lambda;
    }
}

/* Slope j is v_j where x' = v at stage j. Gives x at the ends of the rows, and its integrals with 1
 * and t, and twice.
 */
typedef struct moved {
    double x[MOST_ROWS + 1], once[MOST_ROWS + 1], with_t, twice;
} moved;

static moved move(const rows *r, const double *v)
{
    moved m = {{0}, {0}, 0, 0};
    for (int i = 0; i < r->count; i++) {
        double a = 0, b = 0, c = r->to[i] - r->from[i];
        for (int j = 0; j <= r->count; j++) {
            a += r->g0[i][j] * v[j];
            b += r->g1[i][j] / 2 * v[j];
        }
        m.x[i + 1] = m.x[i] + a + b;
        double mean = m.x[i] + a / 2 + b / 3;
        m.with_t += c * (r->from[i] * mean + c * (m.x[i] / 2 + a / 3 + b / 4));
        m.twice += c * (m.once[i] + c * (m.x[i] / 2 + a / 6 + b / 12));
        m.once[i + 1] = m.once[i] + c * mean;
    }
    return m;
}

/* Trees up to order 4 in which the slow slope stands at least once: x' = v with v a monomial in t,
 * in x or z so far. */
static void check_rows(const char *name, const rows *r)
{
    enum { N = MOST_ROWS + 1 };
    double one[N] = {0}, c[N] = {0}, c2[N] = {0}, c3[N] = {0}, tx[N] = {0}, eps = 1e-13;
    int end = r->count;
    for (int j = 0; j <= end; j++) {
        one[j] = 1;
        c[j] = j ? r->to[j - 1] : 0;
        c2[j] = c[j] * c[j];
        c3[j] = c2[j] * c[j];
    }
    moved of_1 = move(r, one), of_c = move(r, c), of_c2 = move(r, c2), of_c3 = move(r, c3);
    moved of_x = move(r, of_c.x), of_xx, of_z = move(r, of_c.once);
    for (int j = 0; j <= end; j++) tx[j] = c[j] * of_c.x[j];
    moved of_tx = move(r, tx);
    of_xx = move(r, of_x.x);
    for (int j = 0; j <= end; j++)
        assert_within(of_1.x[j], c[j], eps, name); /* internal consistency */
    assert_within(of_c.x[end], 1.0 / 2, eps, name);
    assert_within(of_c2.x[end], 1.0 / 3, eps, name);
    assert_within(of_x.x[end], 1.0 / 6, eps, name);
    assert_within(of_c.once[end], 1.0 / 6, eps, name); /* z' = x, x' = t */
    if (r->order == 3) {
        assert_true(fabs(of_c3.x[end] - 0.25) > 1e-3); /* and not one order more */
        return;
    }
    assert_within(of_c3.x[end], 1.0 / 4, eps, name);
    assert_within(of_tx.x[end], 1.0 / 8, eps, name);
    assert_within(move(r, of_c2.x).x[end], 1.0 / 12, eps, name);
    assert_within(of_xx.x[end], 1.0 / 24, eps, name);
    assert_within(of_c2.once[end], 1.0 / 12, eps, name);
    assert_within(of_x.once[end], 1.0 / 24, eps, name);
    assert_within(of_c.with_t, 1.0 / 8, eps, name);
    assert_within(of_c.twice, 1.0 / 24, eps, name);
    assert_within(of_z.x[end], 1.0 / 24, eps, name); /* x' = z, z' = x, x' = t */
}

static bool has_pairs(const gt_method *m)
{
    return strcmp(m->family, "multirate infinitesimal") == 0 && !m->infinitesimal;
}

static void order_conditions(void **state)
{
    (void)state;
    int seen = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        rows r;
        if ((*m)->infinitesimal)
            rows_of_infinitesimal((*m)->infinitesimal, &r);
        else if (has_pairs(*m))
            rows_of_pairs((*m)->data, &r);
        else
            continue;
        check_rows((*m)->name, &r);
        seen++;
    }
    assert_int_equal(seen, 4);
}

/* The comparison has the conditions of one order less, and not more. */
static void order_of_the_comparison(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        if (!has_pairs(*m)) continue;
        const mri_pairs *T = (*m)->data;
        for (int power = 0; power < T->order; power++) {
            double sum = 0;
            for (int j = 0; j < T->pairs; j++) sum += T->d[j] * pow(T->c[j], power);
            if (power + 1 < T->order)
                assert_within(sum, 0, 1e-14, (*m)->name);
            else
                assert_true(fabs(sum) > 1e-3);
        }
    }
}

/* ---- a fast block that decays ---- */

#define EPS 1e-6
static gt_status slow_substrate(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0] + (x[0] + 1) * x[1];
    return GT_OK;
}

static gt_status fast_complex(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = (x[0] - (x[0] + 1.5) * x[1]) / EPS;
    return GT_OK;
}

static gt_status enzyme(double t, const double *x, double *dx, void *ctx)
{
    slow_substrate(t, x, dx, ctx);
    return fast_complex(t, x, dx + 1, ctx);
}

static gt_problem enzyme_problem(const double *x0)
{
    return (gt_problem){.n_slow = 1,
                        .n_fast = 1,
                        .rhs = enzyme,
                        .rhs_slow = slow_substrate,
                        .rhs_fast = fast_complex,
                        .x0 = x0,
                        .t1 = 5};
}

/* Explicit inner methods take 27 to 31 million calls of the fast block here. */
static void decaying_fast_blocks(void **state)
{
    (void)state;
    const char *const method[] = {"mri3", "mri4", "mri3i", "mri4i"}, *const inner[] = {
                                                                         "rodas4", "rodas5",
                                                                         "radau", "gear", "bi"};
    const double x0[] = {1, 0};
    double exact[2], x[2];
    gt_problem p = enzyme_problem(x0);
    gt_report report;
    gt_plan fine = {.rtol = 1e-12, .atol = 1e-14, .x_end = exact};
    assert_int_equal(gt_solve(&p, gt_method_find("radau"), &fine, &report), GT_OK);
    for (int m = 0; m < 4; m++)
        for (int i = 0; i < 5; i++) {
            char options[32];
            snprintf(options, sizeof options, "inner=%s", inner[i]);
            gt_plan plan = {.rtol = 1e-5, .options = options, .x_end = x};
            assert_int_equal(gt_solve(&p, gt_method_find(method[m]), &plan, &report), GT_OK);
            double error = fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1]));
            /* bi does not damp at infinity and has to follow. Implicit slow stages make the slow
             * path jump, and a slaved fast block with it: their steps are shorter. */
            bool rings = strcmp(inner[i], "bi") == 0, jumps = m >= 2;
            long most_fast = rings ? 3000000 : jumps ? 60000 : 5000, most_slow = jumps ? 6000 : 200;
            if (!(error < 1e-4) || report.stats.rhs_fast > most_fast ||
                report.stats.rhs_slow > most_slow)
                fail_msg("%s, %s: error %g, %ld slow and %ld fast evaluations", method[m], options,
                         error, report.stats.rhs_slow, report.stats.rhs_fast);
            assert_true(report.stats.factorizations > 0);
        }
}

/* ---- a fast block that swings ---- */

/* Nothing decays here, and the slow block hardly sees the fast one: hundreds of inner steps in a
 * slow one. */
enum { SWING = 300 };
static gt_status slow_seat(double t, const double *x, double *dx, void *ctx)
{
    (void)ctx;
    dx[0] = -x[0] + 1e-5 * x[1] + sin(t);
    return GT_OK;
}

static gt_status fast_swing(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = SWING * x[2];
    dx[1] = SWING * (x[0] - 0.3 * x[0] * x[0] - x[1]);
    return GT_OK;
}

static gt_status seat_and_swing(double t, const double *x, double *dx, void *ctx)
{
    slow_seat(t, x, dx, ctx);
    return fast_swing(t, x, dx + 1, ctx);
}

/* A slow step may lose the tolerance by its own estimate and half of it by its inner steps, as far
 * as estimates are right, to a factor of two; nothing grows. What all inner steps of it lose has to
 * be in that: before it was, gear lost 4, bi 9 and rk4, which has no estimate, 100 tolerances a
 * step, mradams with rk4 some thousand. */
static void inner_errors_are_counted(void **state)
{
    (void)state;
    const struct {
        const char *method, *options;
    } cases[] = {{"mri3", "inner=gear"},
                 {"mri4", "inner=gear"},
                 {"mri4", "inner=bi"},
                 {"mri4", "inner=rodas4"},
                 {"mri4", "inner=radau"},
                 {"mri4", "inner=rk4"},
                 {"mri3i", "inner=gear"},
                 {"mri4i", "inner=bi"},
                 {"mri4i", "inner=rk4"},
                 {"mradams", "inner=rk4"},
                 {"mri3", "inner=dopri5, substeps=1"}};
    const double x0[] = {1, 1, 0.5}, tol = 1e-4;
    double exact[3], x[3];
    gt_problem p = {.n_slow = 1,
                    .n_fast = 2,
                    .rhs = seat_and_swing,
                    .rhs_slow = slow_seat,
                    .rhs_fast = fast_swing,
                    .x0 = x0,
                    .t1 = 5};
    gt_report report;
    gt_plan fine = {.rtol = 1e-12, .atol = 1e-12, .x_end = exact};
    assert_int_equal(gt_solve(&p, gt_method_find("dop853"), &fine, &report), GT_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gt_plan plan = {.rtol = tol, .atol = tol, .options = cases[i].options, .x_end = x};
        assert_int_equal(gt_solve(&p, gt_method_find(cases[i].method), &plan, &report), GT_OK);
        double error = 0;
        for (int r = 0; r < 3; r++)
            error = fmax(error, fabs(x[r] - exact[r]) / (1 + fabs(exact[r])));
        double bound = 3 * tol * (double)report.stats.steps;
        if (!(error < bound) || report.stats.rhs_fast > 1000000)
            fail_msg("%s with %s: error %g in %ld steps, %ld fast evaluations", cases[i].method,
                     cases[i].options, error, report.stats.steps, report.stats.rhs_fast);
    }
}

static gt_status swing_fast(double t, const double *x, double *dx, void *ctx)
{
    fast_swing(t, x, dx, ctx);
    for (int r = 0; r < 2; r++) dx[r] *= 100;
    return GT_OK;
}

static gt_status seat_and_swing_fast(double t, const double *x, double *dx, void *ctx)
{
    slow_seat(t, x, dx, ctx);
    return swing_fast(t, x, dx + 1, ctx);
}

/* 28 million calls of a fast block that an implicit inner method solves with 5,000, and not a word.
 * One that swings takes thousands of inner steps in a stage, too, and needs them. */
static void a_stiff_fast_block_is_noted(void **state)
{
    (void)state;
    const char *const method[] = {"mri3", "mri4", "mradams"};
    const double decays[] = {1, 0}, turns[] = {1, 1, 0.5};
    gt_problem stiff = enzyme_problem(decays), swinging = {.n_slow = 1,
                                                           .n_fast = 2,
                                                           .rhs = seat_and_swing_fast,
                                                           .rhs_slow = slow_seat,
                                                           .rhs_fast = swing_fast,
                                                           .x0 = turns,
                                                           .t1 = 1};
    stiff.t1 = 0.5;
    gt_report report;
    for (int m = 0; m < 3; m++) {
        gt_plan plan = {.rtol = 1e-5};
        assert_int_equal(gt_solve(&stiff, gt_method_find(method[m]), &plan, &report), GT_OK);
        if (!strstr(report.note.text, "inner=gear")) fail_msg("%s: no note", method[m]);
        assert_int_equal(gt_solve(&swinging, gt_method_find(method[m]), &plan, &report), GT_OK);
        if (report.note.text[0]) fail_msg("%s: %s", method[m], report.note.text);
        assert_true(report.stats.rhs_fast > 100000);
        if (m == 2) continue;
        plan.options = "inner=gear";
        assert_int_equal(gt_solve(&stiff, gt_method_find(method[m]), &plan, &report), GT_OK);
        assert_true(report.note.text[0] == 0);
    }
}

/* ---- fixed steps, orders ---- */

static double end_error(const char *method, const char *options, const char *params, double h)
{
    bench_top b;
    double x[2], exact[2];
    gt_report report;
    build(&b, "kpr", params);
    b.problem.t1 = 1;
    gt_plan plan = {.h = h, .options = options, .x_end = x};
    assert_int_equal(gt_solve(&b.problem, gt_method_find(method), &plan, &report), GT_OK);
    b.problem.exact(1, exact, b.problem.ctx);
    dismantle(&b);
    return fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1]));
}

/* The order is that of the slow method or of the inner one, with a stiff slow block too. */
static void orders_with_implicit_parts(void **state)
{
    (void)state;
    const struct {
        const char *method, *options, *params;
        double order;
    } cases[] = {{"mri3", "inner=rodas4, substeps=2", "w=5, G=-2", 3},
                 {"mri4", "inner=rodas5, substeps=2", "w=5, G=-2", 4},
                 {"mri3i", "inner=dopri5, substeps=2", "w=5, G=-2", 3},
                 {"mri4i", "inner=dopri5, substeps=2", "w=5, G=-2", 4},
                 {"mri3i", "inner=heun, substeps=2", "w=5, G=-2", 2},
                 {"mri4i", "inner=rodas5, substeps=2", "w=5, G=-2", 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum { SIZES = 5 };
        double h[SIZES], error[SIZES];
        for (int k = 0; k < SIZES; k++) {
            h[k] = 0.05 / (1 << k);
            error[k] = end_error(cases[i].method, cases[i].options, cases[i].params, h[k]);
        }
        double slope = slope_of(h, error, SIZES, 1e-13);
        if (!(fabs(slope - cases[i].order) < 0.3))
            fail_msg("%s with %s: order %.2f instead of %g", cases[i].method, cases[i].options,
                     slope, cases[i].order);
    }
}

/* A slow block with an eigenvalue of -1000: explicit stages have to resolve it, implicit ones step
 * over it. */
static void a_stiff_slow_block(void **state)
{
    (void)state;
    long slow[4];
    const char *const method[] = {"mri3", "mri4", "mri3i", "mri4i"};
    for (int m = 0; m < 4; m++) {
        bench_top b;
        double x[2], exact[2];
        gt_report report;
        build(&b, "kpr", "G=-1000, e=0.1, w=50");
        gt_plan plan = {.rtol = 1e-4, .atol = 1e-4, .x_end = x};
        assert_int_equal(gt_solve(&b.problem, gt_method_find(method[m]), &plan, &report), GT_OK);
        b.problem.exact(b.problem.t1, exact, b.problem.ctx);
        double error = fmax(fabs(x[0] - exact[0]), fabs(x[1] - exact[1]));
        if (!(error < 1e-3)) fail_msg("%s: error %g", method[m], error);
        slow[m] = report.stats.rhs_slow;
        dismantle(&b);
    }
    for (int m = 0; m < 2; m++)
        if (!(4 * slow[m + 2] < slow[m]))
            fail_msg("%s: %ld slow evaluations, %s %ld", method[m + 2], slow[m + 2], method[m],
                     slow[m]);
}

/* A method that chooses its formula cannot take a given number of steps. */
static void gear_wants_a_tolerance(void **state)
{
    (void)state;
    bench_top b;
    gt_report report;
    build(&b, "kpr", "");
    gt_plan plan = {.h = 0.1, .options = "inner=gear"};
    assert_int_equal(gt_solve(&b.problem, gt_method_find("mri3"), &plan, &report), GT_UNSUPPORTED);
    assert_non_null(strstr(report.message.text, "tolerance"));
    dismantle(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_conditions),         cmocka_unit_test(order_of_the_comparison),
        cmocka_unit_test(decaying_fast_blocks),     cmocka_unit_test(orders_with_implicit_parts),
        cmocka_unit_test(a_stiff_slow_block),       cmocka_unit_test(gear_wants_a_tolerance),
        cmocka_unit_test(inner_errors_are_counted), cmocka_unit_test(a_stiff_fast_block_is_noted),
    };
    return cmocka_run_group_tests_name("mri_stiff", tests, NULL, NULL);
}

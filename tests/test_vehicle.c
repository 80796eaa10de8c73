/* SPDX-License-Identifier: BSD-3-Clause */
/* The vehicles of shome: values of an independent program, equilibria, Jacobians in the working
 * range, balances. */
#include "methods_kit.h"
#include "vehicle_reference.h"

static void assert_all_near(const char *what, const double *a, const double *b, size_t n,
                            double relative)
{
    double scale = 0;
    for (size_t i = 0; i < n; i++) scale = fmax(scale, fabs(b[i]));
    for (size_t i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= relative * (fabs(b[i]) + 1e-3 * scale)))
            fail_msg("%s, component %zu: %.17g instead of %.17g", what, i, a[i], b[i]);
}

static void starts_in_equilibrium(void **state)
{
    (void)state;
    bench_top b;
    build(&b, "vehicle", "speed=20");
    assert_all_near("start", b.problem.x0, equilibrium_V20, 28, 1e-13);
    dismantle(&b);
}

/* Nothing accelerates without torque and rolling resistance, whatever the vehicle. */
static void equilibrium_stays(void **state)
{
    (void)state;
    const char *const cases[][2] = {
        {"quartercar_c", "torque=0, torque_swing=0, crr=0"},
        {"vehicle", "torque=0, torque_swing=0, crr=0"},
        {"vehicle", "torque=0, torque_swing=0, crr=0, coordinates=relative, l2=-1, hg=0.8"},
        {"vehicle3d", "torque=0, crr=0, steer=0, lf=1, hg=0.8"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench_top b;
        double dx[96];
        build(&b, cases[k][0], cases[k][1]);
        size_t n = gt_problem_size(&b.problem);
        b.problem.rhs(0, b.problem.x0, dx, b.problem.ctx);
        for (size_t i = 0; i < n; i++) {
            double rate = b.problem.names[i][0] == 'x' || strncmp(b.problem.names[i], "th", 2) == 0
                              ? 0
                              : dx[i];
            if (!(fabs(rate) < 1e-8))
                fail_msg("%s %s: %s' = %g", cases[k][0], cases[k][1], b.problem.names[i], rate);
        }
        dismantle(&b);
    }
}

static void slopes_are_those_of_the_reference(void **state)
{
    (void)state;
    const char *const treads[] = {"speed=20, road=0.01", "speed=20, road=0.01, cpx=2.5e7"};
    const double *const slopes[] = {slopes_stiff, slopes_nominal};
    for (int k = 0; k < 2; k++) {
        bench_top b;
        double dx[28];
        build(&b, "vehicle", treads[k]);
        b.problem.rhs(0.25, point, dx, b.problem.ctx);
        assert_all_near("slopes", dx, slopes[k], 28, 1e-12);
        dismantle(&b);
    }
}

static void runs_end_where_the_reference_ends(void **state)
{
    (void)state;
    const char *const treads[] = {"speed=20, road=0.01", "speed=20, road=0.01, cpx=2.5e7"};
    const double *const ends[] = {end_stiff_road, end_nominal_road};
    for (int k = 0; k < 2; k++) {
        bench_top b;
        double x[28];
        gt_report report;
        build(&b, "vehicle", treads[k]);
        b.problem.t1 = 1;
        gt_plan plan = {.rtol = 1e-10, .atol = 1e-12, .x_end = x};
        assert_int_equal(gt_solve(&b.problem, gt_method_find("dopri5"), &plan, &report), GT_OK);
        assert_all_near("end", x, ends[k], 28, 1e-7);
        dismantle(&b);
    }
}

/* x_R = x_H + dx and theta_R = theta_H + dth: the same motion in both coordinates. */
static void relative_coordinates_are_the_same_motion(void **state)
{
    (void)state;
    const char *const models[] = {"quartercar_c", "vehicle"};
    for (int k = 0; k < 2; k++) {
        double x[2][32];
        for (int relative = 0; relative < 2; relative++) {
            bench_top b;
            gt_report report;
            build(&b, models[k], relative ? "road=0.01, coordinates=relative" : "road=0.01");
            b.problem.t1 = 0.5;
            gt_plan plan = {.rtol = 1e-10, .atol = 1e-12, .x_end = x[relative]};
            assert_int_equal(gt_solve(&b.problem, gt_method_find("dopri5"), &plan, &report), GT_OK);
            dismantle(&b);
        }
        size_t slow = k == 0 ? 8 : 14;
        assert_all_near("slow states", x[1], x[0], slow, 1e-7);
        double x_H = k == 0 ? x[0][0] : x[0][0] + 1.5775 * cos(x[0][2]) + 0.35 * sin(x[0][2]);
        double theta_H = k == 0 ? x[0][3] : x[0][4];
        assert_true(fabs(x_H + x[1][slow] - x[0][slow]) < 1e-7);
        assert_true(fabs(theta_H + x[1][slow + 2] - x[0][slow + 2]) < 1e-6);
    }
}

/* The Jacobian where tyres work: a few thousandths of slip, loads near the static ones. */
static void jacobian_of_rolling_tyres(void **state)
{
    (void)state;
    const char *const cases[][2] = {
        {"vehicle", "speed=20, road=0.01"},
        {"vehicle", "speed=20, road=0.01, balance=on, cpx=2.5e7"},
        {"vehicle", "speed=20, road=0.01, balance=on, coordinates=relative"},
        {"quartercar_c", "road=0.01"},
        {"quartercar_c", "road=0.01, coordinates=relative"},
        {"truck", "axles=3, coordinates=relative"},
        {"vehicle3d", "speed=20, road=0.01, steer=0.1"},
        {"vehicle3d", "balance=on, road=0.01"},
        {"vehicle3d", "powertrain=third, road=0.01, balance=on"},
        {"truck", ""}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench_top b;
        build(&b, cases[k][0], cases[k][1]);
        size_t n = gt_problem_size(&b.problem);
        double *x = gt_arena_doubles(&b.arena, n), *up = gt_arena_doubles(&b.arena, n);
        double *down = gt_arena_doubles(&b.arena, n);
        gt_matrix J;
        gt_matrix_layout(&J, n, b.problem.jac_pattern, false, &b.arena);
        for (size_t i = 0; i < n; i++) x[i] = b.problem.x0[i] + 1e-3 * sin(3.0 * (double)i + 1);
        assert_int_equal(b.problem.jac(0.3, x, &J, b.problem.ctx), GT_OK);
        for (size_t j = 0; j < n; j++) {
            double h = 1e-6, kept = x[j];
            x[j] = kept + h;
            b.problem.rhs(0.3, x, up, b.problem.ctx);
            x[j] = kept - h;
            b.problem.rhs(0.3, x, down, b.problem.ctx);
            x[j] = kept;
            for (size_t i = 0; i < n; i++) {
                double slope = (up[i] - down[i]) / (2 * h), *entry = gt_matrix_at(&J, i, j),
                       given = entry ? *entry : 0;
                double round_off = 1e-15 * (fabs(up[i]) + 1e6) / h;
                if (!(fabs(slope - given) <= 1e-6 * fabs(slope) + round_off))
                    fail_msg("%s %s: d %s'/d %s is %.9g, by differences %.9g", cases[k][0],
                             cases[k][1], b.problem.names[i], b.problem.names[j], given, slope);
            }
        }
        dismantle(&b);
    }
}

/* Energy less the work done is constant: the drift falls as the error of the method does. */
static void assert_balance(const char *model, const char *params)
{
    bench_top b;
    double x[96], start, drift[2];
    gt_report report;
    build(&b, model, params);
    b.problem.t1 = 0.5;
    b.problem.invariants(0, b.problem.x0, &start, b.problem.ctx);
    for (int k = 0; k < 2; k++) {
        gt_plan plan = {.h = k ? 2.5e-4 : 1e-3,
                        .x_end = x}; /* with smaller steps round-off is seen */
        assert_int_equal(gt_solve(&b.problem, gt_method_find("rk4"), &plan, &report), GT_OK);
        b.problem.invariants(b.problem.t1, x, &drift[k], b.problem.ctx);
        drift[k] = fabs(drift[k] - start);
    }
    assert_true(drift[0] < 1e-7 * start);
    double order = log(drift[0] / drift[1]) / log(4);
    if (!(order > 3.5 && order < 5.5))
        fail_msg("%s: order %.3g", model, order); /* 4, or 5 where it is damped */
    dismantle(&b);
}

static void power_balances(void **state)
{
    (void)state;
    assert_balance("vehicle", "speed=20, road=0.01, balance=on");
    assert_balance("vehicle3d", "speed=20, balance=on");
    assert_balance("vehicle3d", "speed=20, powertrain=slow, balance=on");
    assert_balance("vehicle3d", "speed=20, road=0.01, balance=on, steer=0.1, steer_frequency=2");
}

/* Straight on, the spatial vehicle is two planar ones side by side, but for its chassis being
 * level. */
static void space_contains_the_plane(void **state)
{
    (void)state;
    bench_top plane, space;
    double x[32], y[96];
    gt_report report;
    build(&plane, "vehicle", "speed=20, road=0.01, torque_swing=0, cpx=2.5e7");
    build(&space, "vehicle3d", "speed=20, road=0.01, steer=0");
    plane.problem.t1 = space.problem.t1 = 1;
    gt_plan plan = {.rtol = 1e-8, .atol = 1e-10, .x_end = x};
    assert_int_equal(gt_solve(&plane.problem, gt_method_find("dopri5"), &plan, &report), GT_OK);
    plan.x_end = y;
    assert_int_equal(gt_solve(&space.problem, gt_method_find("dopri5"), &plan, &report), GT_OK);
    assert_true(fabs(y[0] - x[0]) < 1e-3 &&
                fabs(y[10] - x[7]) < 1e-2); /* way and speed; x_c starts level */
    assert_true(fabs(y[20] + x[11]) < 0.2); /* spin, of the other sign */
    for (int i = 0; i < 14; i++) {          /* left and right alike */
        double sign = i == 1 || i == 3 || i == 5 || i == 7 || i == 9 || i == 11 || i == 13 ? -1 : 1;
        assert_true(fabs(y[24 + i] - sign * y[38 + i]) < 1e-9);
        assert_true(fabs(y[52 + i] - sign * y[66 + i]) < 1e-9);
    }
    assert_true(fabs(y[1]) < 1e-9 && fabs(y[3]) < 1e-9 && fabs(y[5]) < 1e-9); /* y, roll, yaw */
    dismantle(&plane);
    dismantle(&space);
}

static int by_real_part(const void *a, const void *b)
{
    const double *x = a, *y = b;
    if (fabs(x[0] - y[0]) > 1e-4 * (1 + fabs(x[0]))) return x[0] < y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}

static void assert_block(const bench_top *b, const double *x, bool fast, const double *expected,
                         size_t count, double tolerance)
{
    size_t n = gt_problem_size(&b->problem), first = fast ? b->problem.n_slow : 0;
    double A[32 * 32], values[64], wanted[64];
    gt_arena arena = gt_arena_growing();
    gt_matrix J;
    gt_matrix_layout(&J, n, b->problem.jac_pattern, false, &arena);
    assert_int_equal(b->problem.jac(0, x, &J, b->problem.ctx), GT_OK);
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i < count; i++)
            A[j * count + i] = *gt_matrix_at(&J, first + i, first + j);
    assert_int_equal(gt_eigen(count, A, values, NULL, NULL), GT_OK);
    memcpy(wanted, expected, 2 * count * sizeof *wanted);
    qsort(values, count, 2 * sizeof *values, by_real_part);
    qsort(wanted, count, 2 * sizeof *wanted, by_real_part);
    for (size_t i = 0; i < 2 * count; i++)
        if (!(fabs(values[i] - wanted[i]) <= tolerance))
            fail_msg("%s eigenvalue %zu: %.9g instead of %.9g", fast ? "fast" : "slow", i / 2,
                     values[i], wanted[i]);
    gt_arena_free(&arena);
}

/* Figures 4 and 5, and the steps of Table 7 that follow: RK2 is stable up to 0.0792, 0.00870 and
 * 0.001006 s. */
static void eigenvalues_are_those_of_the_reference(void **state)
{
    (void)state;
    bench_top b;
    double x[32];
    const gt_method *rk2 = gt_method_find("rk2");
    build(&b, "quartercar_a", "");
    assert_block(&b, b.problem.x0, false, eigen_A, 2, 1e-10);
    assert_true(fabs(gt_stable_step(rk2, NULL, eigen_A, 2) - 0.07922312541) < 1e-9);
    dismantle(&b);
    build(&b, "quartercar_b", "");
    b.problem.n_slow = 4, b.problem.n_fast = 0;
    assert_block(&b, b.problem.x0, false, eigen_B, 4, 1e-9);
    assert_true(fabs(gt_stable_step(rk2, NULL, eigen_B, 4) - 0.008702547108) < 1e-9);
    dismantle(&b);
    build(&b, "quartercar_c", "");
    memcpy(x, b.problem.x0, 15 * sizeof *x);
    x[14] = 0.0015;
    assert_block(&b, x, true, eigen_C_fast, 7, 1e-5);
    assert_block(&b, x, false, eigen_C_slow, 8, 1e-5);
    dismantle(&b);
    build(&b, "vehicle", "");
    memcpy(x, b.problem.x0, 28 * sizeof *x);
    x[26] = x[27] = 0.0015;
    assert_block(&b, x, true, eigen_vehicle_fast, 14, 2e-3);
    assert_block(&b, x, false, eigen_vehicle_slow, 14, 2e-3);
    dismantle(&b);
}

/* `cost` burns time and nothing else. */
static void cost_changes_no_value(void **state)
{
    (void)state;
    const char *const models[] = {"quartercar_c", "vehicle", "truck", "vehicle3d"};
    for (int k = 0; k < 4; k++) {
        bench_top cheap, costly;
        double a[128], b[128];
        build(&cheap, models[k], "");
        build(&costly, models[k], "cost=1000");
        size_t bytes = gt_problem_size(&cheap.problem) * sizeof *a;
        cheap.problem.rhs(0.1, cheap.problem.x0, a, cheap.problem.ctx);
        costly.problem.rhs(0.1, cheap.problem.x0, b, costly.problem.ctx);
        assert_memory_equal(a, b, bytes);
        dismantle(&cheap);
        dismantle(&costly);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_in_equilibrium),
        cmocka_unit_test(equilibrium_stays),
        cmocka_unit_test(slopes_are_those_of_the_reference),
        cmocka_unit_test(runs_end_where_the_reference_ends),
        cmocka_unit_test(relative_coordinates_are_the_same_motion),
        cmocka_unit_test(jacobian_of_rolling_tyres),
        cmocka_unit_test(power_balances),
        cmocka_unit_test(space_contains_the_plane),
        cmocka_unit_test(eigenvalues_are_those_of_the_reference),
        cmocka_unit_test(cost_changes_no_value),
    };
    return cmocka_run_group_tests_name("vehicle", tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A pendulum in Cartesian coordinates whose rod is an equation for positions: index 3, which the
 * problem declares.
 *
 *     x' = u, y' = v, u' = -lam x, v' = -lam y - 9.81     differential rows
 *      0 = x^2 + y^2 - 1                                  algebraic row
 *
 * Expected: lam(0) = u^2 + v^2 - 9.81 y = 11.848, found from the second derivative of the
 * constraint, whatever guess is given; after 10 s the constraint holds within 1e-9 and the energy
 * has changed by less than 1e-5.
 */
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>

enum { X, Y, U, V, LAM, N };

static gt_status f(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[X] = x[U];
    dx[Y] = x[V];
    dx[U] = -x[LAM] * x[X];
    dx[V] = -x[LAM] * x[Y] - 9.81;
    dx[LAM] = x[X] * x[X] + x[Y] * x[Y] - 1;
    return GT_OK;
}

static double energy(const double *x) { return (x[U] * x[U] + x[V] * x[V]) / 2 + 9.81 * x[Y]; }

int main(void)
{
    const double x0[N] = {0.6, -0.8, 1.6, 1.2, 0};
    const unsigned char index[N] = {1, 1, 2, 2, 3}; /* positions, velocities, the force */
    gt_problem problem = {
        .n_slow = 4, .n_alg = 1, .rhs = f, .t1 = 10, .x0 = x0, .index = index, .autonomous = true};

    gt_memory_sink ends;
    gt_memory_sink_init(&ends, GT_AT_START | GT_AT_END);
    gt_sink *const sinks[] = {&ends.sink};
    gt_plan plan = {.rtol = 1e-8, .pilot = &gt_auto, .sinks = sinks, .n_sinks = 1};
    gt_report report;
    if (gt_solve(&problem, NULL, &plan, &report) != GT_OK) {
        fprintf(stderr, "rod_pendulum: %s\n", report.message.text);
        return 1;
    }
    const double *end = ends.x + N;
    double lam = ends.x[LAM], rod = end[X] * end[X] + end[Y] * end[Y] - 1,
           lost = energy(end) - energy(x0);
    printf("lam(0) = %.3f, x(10) = %.6f, y(10) = %.6f\n", lam, end[X], end[Y]);
    gt_memory_sink_free(&ends);
    return fabs(lam - 11.848) < 1e-3 && fabs(rod) < 1e-9 && fabs(lost) < 1e-5 ? 0 : 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Your own order of states. A heavy body on a soft spring carries a light wheel on a stiff one, and
 * the program that has the equations keeps all positions first, then all velocities: slow and fast
 * are mixed. gt_problem_permuted shows the same equations to a method as [slow | fast]; the
 * equations stay as they are.
 *
 * Expected: the permuted run gives, state by state, the very bits of the run in the user's order,
 * and the energy stays within 1e-6 of its start.
 */
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>

enum { BODY, WHEEL, BODY_SPEED, WHEEL_SPEED, N };

static const double m_body = 300, m_wheel = 30, k_body = 2e4, k_wheel = 2e5;

static gt_status f(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    double force = k_body * (x[WHEEL] - x[BODY]);
    dx[BODY] = x[BODY_SPEED];
    dx[WHEEL] = x[WHEEL_SPEED];
    dx[BODY_SPEED] = force / m_body;
    dx[WHEEL_SPEED] = (-force - k_wheel * x[WHEEL]) / m_wheel;
    return GT_OK;
}

static double energy(const double *x)
{
    double stretch = x[WHEEL] - x[BODY];
    return 0.5 *
           (m_body * x[BODY_SPEED] * x[BODY_SPEED] + m_wheel * x[WHEEL_SPEED] * x[WHEEL_SPEED] +
            k_body * stretch * stretch + k_wheel * x[WHEEL] * x[WHEEL]);
}

int main(void)
{
    static const char *const names[] = {"body", "wheel", "body_speed", "wheel_speed"};
    const double x0[N] = {0.05, 0, 0, 0};
    gt_problem user = {.n_slow = N, .rhs = f, .t1 = 2, .x0 = x0, .names = names};

    /* State i of the new problem is state order[i] of ours: two slow ones, then two fast ones. */
    const size_t order[N] = {BODY, BODY_SPEED, WHEEL, WHEEL_SPEED};
    gt_arena arena = gt_arena_growing();
    gt_problem split;
    if (gt_problem_permuted(&user, 2, 2, 0, order, &split, &arena) != GT_OK) return 1;

    double x[N], y[N];
    gt_report report;
    const gt_method *rk4 = gt_method_find("rk4");
    gt_status status = gt_solve(&user, rk4, &(gt_plan){.h = 1e-4, .x_end = x}, &report);
    if (!status) status = gt_solve(&split, rk4, &(gt_plan){.h = 1e-4, .x_end = y}, &report);
    if (status) {
        fprintf(stderr, "own_order: %s\n", report.message.text);
        return 1;
    }
    int different = 0;
    for (size_t i = 0; i < N; i++) {
        printf("%-12s %5s   %.17g\n", split.names[i], i < split.n_slow ? "slow" : "fast", y[i]);
        if (y[i] != x[order[i]]) different++;
    }
    gt_arena_free(&arena);
    double drift = energy(x) / energy(x0) - 1;
    printf("states that differ: %d; relative drift of the energy: %.1e\n", different, drift);
    return different == 0 && fabs(drift) < 1e-6 ? 0 : 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Robertson's reactions, the task that "from another library" pages show side by side: stiff, with
 * its Jacobian, a tolerance for each component, output at times of our choice, and an event.
 *
 * Expected: x1 falls through 0.5 at t = 268.3247, within 1e-4 of it, and is 0.0389834 at t = 4e4 to
 * 1e-6, as a run of rodas4 at a tolerance of 1e-11 has it.
 */
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>

static gt_status f(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
    dx[2] = 3e7 * x[1] * x[1];
    dx[1] = -dx[0] - dx[2];
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)ctx;
    gt_matrix_add(J, 0, 0, -0.04);
    gt_matrix_add(J, 0, 1, 1e4 * x[2]);
    gt_matrix_add(J, 0, 2, 1e4 * x[1]);
    gt_matrix_add(J, 1, 0, 0.04);
    gt_matrix_add(J, 1, 1, -1e4 * x[2] - 6e7 * x[1]);
    gt_matrix_add(J, 1, 2, -1e4 * x[1]);
    gt_matrix_add(J, 2, 1, 6e7 * x[1]);
    return GT_OK;
}

static gt_status half(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0] - 0.5;
    return GT_OK;
}

int main(void)
{
    const double start[] = {1, 0, 0}, atol[] = {1e-8, 1e-14, 1e-6}, times[] = {0.4, 40, 4e3, 4e4};
    gt_problem problem = {
        .n_slow = 3, .rhs = f, .jac = jac, .t1 = 4e4, .x0 = start, .n_roots = 1, .roots = half};
    gt_plan plan = {.rtol = 1e-6, .atol_vector = atol};
    gt_run *run;
    gt_message message;
    if (gt_run_open(&run, &problem, gt_method_find("gear"), &plan, &message)) {
        fprintf(stderr, "reactions: %s\n", message.text);
        return 1;
    }
    double event = 0;
    for (int k = 0; k < 4;) {
        gt_reached reached;
        if (gt_run_advance(run, times[k], GT_ADVANCE_TO_EVENTS, &reached)) return 1;
        const double *x = gt_run_x(run);
        if (reached == GT_REACHED_EVENT)
            printf("x1 is half at t = %.4g\n", event = gt_run_time(run));
        else
            printf("t = %-7g x = %.6f %.4e %.6f\n", times[k++], x[0], x[1], x[2]);
    }
    double end = gt_run_x(run)[0];
    gt_run_close(run);
    return fabs(event / 268.3247 - 1) < 1e-4 && fabs(end - 0.0389834) < 1e-6 ? 0 : 1;
}

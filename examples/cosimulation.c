/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Co-simulation: a motor and a load, each a run of its own with its own method, that exchange the
 * torque of the shaft between them every millisecond. Inputs are held in between, so each run is
 * notified that its equations have changed, and is advanced exactly to the next exchange.
 *
 *     motor  J1 w1' = 1 - 0.1 w1 - torque        load  J2 w2' = torque - 0.2 w2
 *     torque = k (a1 - a2) + d (w1 - w2),  a1' = w1, a2' = w2
 *
 * Expected: held inputs are an error of first order, so that half the interval halves the distance
 * to the run of the whole system; at one millisecond it is below 1e-3.
 */
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>

static const double J1 = 0.02, J2 = 0.05, stiffness = 20, damping = 0.05, t_end = 2;

typedef struct inputs {
    double torque;
} inputs;

static double shaft(double a1, double w1, double a2, double w2)
{
    return stiffness * (a1 - a2) + damping * (w1 - w2);
}

static gt_status motor(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    dx[0] = x[1];
    dx[1] = (1 - 0.1 * x[1] - ((const inputs *)ctx)->torque) / J1;
    return GT_OK;
}

static gt_status load(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    dx[0] = x[1];
    dx[1] = (((const inputs *)ctx)->torque - 0.2 * x[1]) / J2;
    return GT_OK;
}

static gt_status whole(double t, const double *x, double *dx, void *ctx)
{
    inputs in = {shaft(x[0], x[1], x[2], x[3])};
    (void)ctx;
    gt_status status = motor(t, x, dx, &in);
    return status ? status : load(t, x + 2, dx + 2, &in);
}

static const double rest[4] = {0};

/* The speed of the load at the end, with an exchange every H. */
static gt_status simulate(double H, double *speed)
{
    inputs in = {0};
    const gt_problem p1 = {.n_slow = 2, .rhs = motor, .x0 = rest, .t1 = INFINITY, .ctx = &in};
    const gt_problem p2 = {.n_slow = 2, .rhs = load, .x0 = rest, .t1 = INFINITY, .ctx = &in};
    const gt_plan plan = {.rtol = 1e-8, .atol = 1e-10};
    gt_run *first = NULL, *second = NULL;
    gt_message why = {""};
    gt_status status = gt_run_open(&first, &p1, gt_method_find("dopri5"), &plan, &why);
    if (!status) status = gt_run_open(&second, &p2, gt_method_find("dopri5"), &plan, &why);
    int exchanges = (int)lround(t_end / H);
    for (int k = 1; k <= exchanges && !status; k++) {
        const double *x1 = gt_run_x(first), *x2 = gt_run_x(second);
        in.torque = shaft(x1[0], x1[1], x2[0], x2[1]);
        status = gt_run_changed(first, GT_CHANGED_EQUATIONS, NULL);
        if (!status) status = gt_run_changed(second, GT_CHANGED_EQUATIONS, NULL);
        if (!status) status = gt_run_advance(first, k * H, GT_ADVANCE_EXACTLY, NULL);
        if (!status) status = gt_run_advance(second, k * H, GT_ADVANCE_EXACTLY, NULL);
    }
    if (!status) *speed = gt_run_x(second)[1];
    if (why.text[0]) fprintf(stderr, "cosimulation: %s\n", why.text);
    gt_run_close(first);
    gt_run_close(second);
    return status;
}

int main(void)
{
    double x[4], coarse, fine;
    const gt_problem p = {.n_slow = 4, .rhs = whole, .x0 = rest, .t1 = t_end};
    const gt_plan plan = {.rtol = 1e-10, .atol = 1e-12, .x_end = x};
    if (gt_solve(&p, gt_method_find("dop853"), &plan, NULL) || simulate(1e-3, &coarse) ||
        simulate(5e-4, &fine))
        return 1;
    double error = fabs(coarse - x[3]), half = fabs(fine - x[3]);
    printf("speed of the load %.6f, by exchanges every 1 ms %.6f, every 0.5 ms %.6f: errors %.1e "
           "and %.1e\n",
           x[3], coarse, fine, error, half);
    return error < 1e-3 && half > 0.3 * error && half < 0.7 * error ? 0 : 1;
}

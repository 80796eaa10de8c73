/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One step at a time, as in a control loop that runs at 1 kHz: the plant x' = -x + u, with the
 * controller's output u held over each step. All memory is a static array; inside the loop nothing
 * allocates, prints or looks at a clock.
 *
 * Expected: the exact response to a held input is x_(k+1) = e^(-h) x_k + (1 - e^(-h)) u_k. After
 * 10000 steps of both the difference is below 1e-12, and the controller has brought x to its set
 * point 1 within 1e-6.
 */
#include <geartrain/author/stepper.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>

typedef struct plant {
    double u; /* held over a step */
} plant;

static gt_status f(double t, const double *x, double *dx, void *ctx)
{
    const plant *p = ctx;
    (void)t;
    dx[0] = -x[0] + p->u;
    return GT_OK;
}

/* Proportional-integral; `sum` is its memory. */
static double control(double x, double h, double *sum)
{
    double error = 1 - x;
    *sum += h * error;
    return 4 * error + 8 * *sum;
}

int main(void)
{
    static unsigned char memory[4096];
    const double x0 = 0, h = 1e-3;
    plant p = {0};
    gt_problem problem = {.n_slow = 1, .rhs = f, .t1 = 1, .x0 = &x0, .ctx = &p};
    gt_stepper s;
    if (gt_stepper_init(&s, gt_method_find("rk4"), "", &problem, memory, sizeof memory) != GT_OK) {
        fprintf(stderr, "step_loop: %s\n", s.message.text);
        return 1;
    }
    gt_stepper_start(&s, 0, &x0);

    double sum = 0, exact = x0, worst = 0;
    for (int k = 0; k < 10000; k++) {
        p.u = control(s.x[0], h, &sum);
        gt_stepper_restart(
            &s); /* u has jumped: slopes and history from before are not to be used */
        if (gt_stepper_step(&s, h) != GT_OK) return 1;
        exact = exp(-h) * exact - expm1(-h) * p.u;
        worst = fmax(worst, fabs(s.x[0] - exact));
    }
    gt_stepper_free(&s);
    printf("after %ld steps x = %.9f, %.1e from the exact response\n", s.stats.steps, s.x[0],
           worst);
    return worst < 1e-12 && fabs(s.x[0] - 1) < 1e-6 ? 0 : 1;
}

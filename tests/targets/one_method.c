/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that names one method, METHOD, and takes it by a run handle or, with STEPPER, by fixed
 * steps alone: what is linked into it is measured. */
#include "targets/port.h"
#include <geartrain/author/stepper.h>
#include <geartrain/methods.h>
#include <geartrain/run.h>

static gt_status decay(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0];
    return GT_OK;
}

static double memory[4096];

#ifdef STEPPER
static gt_status take(const gt_problem *p)
{
    static gt_stepper s;
    gt_status status = gt_stepper_init(&s, &METHOD, "", p, memory, sizeof memory);
    for (int k = 0; k < 8 && !status; k++) status = gt_stepper_step(&s, 0.125);
    return status;
}
#else
static gt_status take(const gt_problem *p)
{
    gt_plan plan = {.h = 0.125};
    gt_run *run;
    gt_status status = gt_run_open_in(&run, p, &METHOD, &plan, memory, sizeof memory, NULL);
    if (status) return status;
    status = gt_run_advance(run, 1, 0, NULL);
    gt_run_close(run);
    return status;
}
#endif

int main(void)
{
    static const double one = 1;
    const gt_problem p = {.n_slow = 1, .rhs = decay, .x0 = &one, .t1 = 1};
    gt_status status = take(&p);
    port_exit();
    return status != GT_OK;
}

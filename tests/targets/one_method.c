/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that names one method, METHOD: what is linked into it is measured. */
#include "targets/port.h"
#include <geartrain/methods.h>
#include <geartrain/run.h>

static gt_status decay(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0];
    return GT_OK;
}

static double memory[4096];

int main(void)
{
    static const double one = 1;
    const gt_problem p = {.n_slow = 1, .rhs = decay, .x0 = &one, .t1 = 1};
    gt_plan plan = {.h = 0.125};
    gt_run *run;
    if (gt_run_open_in(&run, &p, &METHOD, &plan, memory, sizeof memory, NULL)) return 1;
    gt_status status = gt_run_advance(run, 1, 0, NULL);
    gt_run_close(run);
    port_exit();
    return status != GT_OK;
}

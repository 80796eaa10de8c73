/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A run that survives its process: the Lorenz equations are advanced to t = 10, saved to a file and
 * abandoned. A second run, which could be in another process, is made from the file and goes on to
 * t = 20. A copy in memory tries a larger parameter first and leaves the original as it was.
 *
 * Expected: the state at t = 20 has the same bits as in one uninterrupted run, and a file that
 * belongs to another tolerance is refused with a message that names it.
 */
#include <geartrain/geartrain.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gt_status lorenz(double t, const double *x, double *dx, void *ctx)
{
    const double *rho = ctx;
    (void)t;
    dx[0] = 10 * (x[1] - x[0]);
    dx[1] = x[0] * (*rho - x[2]) - x[1];
    dx[2] = x[0] * x[1] - 8.0 / 3 * x[2];
    return GT_OK;
}

static const double start[3] = {1, 1, 1};
static const char file[] = "lorenz.checkpoint";

static int fails(const char *what, gt_message why)
{
    fprintf(stderr, "checkpoint: %s: %s\n", what, why.text);
    return 1;
}

int main(void)
{
    double rho = 28, other_rho = 30, whole[3];
    const gt_problem p = {.n_slow = 3, .rhs = lorenz, .x0 = start, .t1 = 20, .ctx = &rho};
    gt_problem other = p; /* for the copy: the same equations with a parameter of their own */
    other.ctx = &other_rho;
    const gt_method *method = gt_method_find("dopri5");
    gt_plan plan = {.rtol = 1e-8, .x_end = whole};
    gt_message why = {""};
    if (gt_solve(&p, method, &plan, NULL)) return 1;

    plan.x_end = NULL;
    gt_run *run, *trial;
    if (gt_run_open(&run, &p, method, &plan, &why)) return fails("open", why);
    if (gt_run_advance(run, 10, 0, NULL)) return 1;

    other_rho = rho; /* equal to the original at the moment of the copy */
    if (gt_run_copy(&trial, run, &other, NULL, &why)) return fails("copy", why);
    other_rho = 30;
    if (gt_run_changed(trial, GT_CHANGED_EQUATIONS, NULL) || gt_run_advance(trial, 11, 0, NULL))
        return 1;
    printf("at t = 11 with rho = 30: x = %.6f\n", gt_run_x(trial)[0]);
    gt_run_close(trial);

    if (gt_run_save_file(run, NULL, file, &why)) return fails("save", why);
    gt_run_discard(run);

    void *bytes;
    plan.rtol = 1e-6;
    if (gt_run_load(&run, &p, method, &plan, NULL, file, &bytes, &why) == GT_OK) return 1;
    printf("refused: %s\n", why.text);
    plan.rtol = 1e-8;
    if (gt_run_load(&run, &p, method, &plan, NULL, file, &bytes, &why)) return fails("load", why);
    free(bytes);
    remove(file);
    if (gt_run_advance(run, 20, 0, NULL)) return 1;
    int same = memcmp(gt_run_x(run), whole, sizeof whole) == 0;
    printf("at t = 20: x = %.6f, %s\n", gt_run_x(run)[0],
           same ? "the same bits" : "not the same bits");
    gt_run_close(run);
    return same ? 0 : 1;
}

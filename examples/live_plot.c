/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A loop that shows a run while it goes on, fifty pictures a second of its time: the run takes the
 * steps that its tolerance allows, and each picture comes from dense output. Here a picture is a
 * line of text; a window would be drawn in `show`. The spring is made stiffer on the way, as by a
 * slider.
 *
 * Expected: the energy of the last part, x' = v, v' = -4 x, is the same at its start and end to
 * 1e-6, and 500 pictures took fewer steps than that.
 */
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static gt_status oscillator(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    dx[0] = x[1];
    dx[1] = -*(const double *)ctx * x[0];
    return GT_OK;
}

static void show(double t, double x)
{
    enum { WIDTH = 60 };
    char line[WIDTH + 1];
    memset(line, ' ', WIDTH);
    line[WIDTH] = '\0';
    int column = (int)lround((x + 1.2) / 2.4 * (WIDTH - 1));
    if (column >= 0 && column < WIDTH) line[column] = 'o';
    printf("%6.2f |%s|\n", t, line);
}

int main(void)
{
    double k = 1;
    const double start[2] = {1, 0};
    const gt_problem p = {.n_slow = 2, .rhs = oscillator, .x0 = start, .t1 = INFINITY, .ctx = &k};
    const gt_plan plan = {.rtol = 1e-8};
    gt_message why = {""};
    gt_run *run;
    if (gt_run_open(&run, &p, gt_method_find("dop853"), &plan, &why) != GT_OK) {
        fprintf(stderr, "live_plot: %s\n", why.text);
        return 1;
    }
    double energy = 0;
    const double *x = gt_run_x(run);
    for (int picture = 1; picture <= 500; picture++) {
        if (gt_run_advance(run, 0.02 * picture, 0, NULL) != GT_OK) return 1;
        x = gt_run_x(run);
        if (picture % 10 == 0) show(gt_run_time(run), x[0]);
        if (picture == 250) { /* the slider is moved */
            k = 4;
            energy = 0.5 * (x[1] * x[1] + k * x[0] * x[0]);
            if (gt_run_changed(run, GT_CHANGED_EQUATIONS, NULL) != GT_OK) return 1;
        }
    }
    double drift = fabs(0.5 * (x[1] * x[1] + k * x[0] * x[0]) - energy);
    long steps = gt_run_stats(run)->steps;
    printf("500 pictures from %ld steps; the energy has changed by %.1e\n", steps, drift);
    gt_run_close(run);
    return drift < 1e-6 && steps < 500 ? 0 : 1;
}

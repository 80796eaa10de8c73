/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where samples go: into memory, into a CSV file, into a function of your own; at times that you
 * name, at the ends of steps, or as densely as a figure needs. All in one run, of a pendulum that
 * swings out to 2 rad.
 *
 * Expected: eleven samples in memory, as many rows in the file below its header, and among the
 * dense ones a largest angle that is 2 to 1e-3. The output points do not change the steps: the run
 * without sinks ends in the same bits.
 */
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static gt_status pendulum(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1];
    dx[1] = -sin(x[0]);
    return GT_OK;
}

/* A sink is a struct with a function: what it gets lives only as long as the call. Any other status
 * ends the run. */
static gt_status keep_largest(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    double *largest = self->ctx;
    (void)message;
    *largest = fmax(*largest, sample->x[0]);
    return GT_OK;
}

int main(void)
{
    const double start[] = {0, 2 * sin(1)};
    static const char *const names[] = {"angle", "speed"};
    gt_problem problem = {.n_slow = 2, .rhs = pendulum, .t1 = 20, .x0 = start, .names = names};

    gt_memory_sink kept; /* at the output points of the plan */
    gt_memory_sink_init(&kept, GT_AT_OUTPUT);
    gt_csv_sink file;
    gt_message message;
    if (gt_csv_sink_open(&file, "pendulum.csv", &problem, GT_AT_OUTPUT, false, &message)) {
        fprintf(stderr, "sinks: %s\n", message.text);
        return 1;
    }
    double largest = 0; /* ten points in each step, from the dense output */
    gt_sink dense = {.wants = GT_AT_DENSE, .inside = 10, .write = keep_largest, .ctx = &largest};

    double end[2], alone[2];
    gt_sink *const sinks[] = {&kept.sink, &file.sink, &dense};
    gt_plan plan = {.rtol = 1e-8, .every = 2, .sinks = sinks, .n_sinks = 3, .x_end = end};
    gt_report report;
    gt_status status = gt_solve(&problem, gt_method_find("dopri5"), &plan, &report);
    /* The file gets its name only when it is complete; else what there is stays as
     * pendulum.csv.partial. */
    if (gt_csv_sink_close(&file, status == GT_OK, &message) || status) {
        fprintf(stderr, "sinks: %s\n", status ? report.message.text : message.text);
        return 1;
    }
    size_t count = kept.count, rows = file.file.lines;
    for (size_t i = 0; i < count; i++)
        printf("t = %4.1f   angle %9.6f\n", kept.t[i], kept.x[2 * i]);
    gt_memory_sink_free(&kept);
    remove("pendulum.csv");
    printf("largest angle %.6f\n", largest);

    plan = (gt_plan){.rtol = 1e-8, .x_end = alone};
    if (gt_solve(&problem, gt_method_find("dopri5"), &plan, NULL)) return 1;
    return count == 11 && rows == 12 && fabs(largest - 2) < 1e-3 &&
                   memcmp(end, alone, sizeof end) == 0
               ? 0
               : 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A vehicle in real time: 500 steps of 2 ms a second, as in a driving simulator. The tyres swing at
 * 1600 rad/s and would hold a plain method of order 2 at 0.5 ms; the dual-rate method prk36 takes 2
 * ms with 3 evaluations of the vehicle. Model and stepper live in static arrays. The loop measures
 * its own steps; a real one would then wait for the next tick (clock_nanosleep with TIMER_ABSTIME)
 * under SCHED_FIFO with its memory locked (mlockall).
 *
 * Expected: after 10 s at 20 m/s over waves of 1 cm the distance driven is that of a run with tight
 * tolerances within 1 mm, no step failed, and the stepper did with 3 slow and 6 fast evaluations in
 * each step.
 */
#define _POSIX_C_SOURCE 199309L
#include <geartrain/author/stepper.h>
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

enum { STEPS = 5000 };
static const double h = 0.002;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(void)
{
    static unsigned char model_memory[65536], memory[65536];
    gt_arena arena = gt_arena_over(model_memory, sizeof model_memory);
    gt_problem vehicle;
    gt_message message;
    gt_stepper s;
    const char *params = "speed=20, road=0.01, coordinates=relative";
    if (gt_model_build(gt_model_find("vehicle"), params, &vehicle, &arena, &message)) {
        fprintf(stderr, "real_time: %s\n", message.text);
        return 1;
    }
    if (gt_stepper_init(&s, gt_method_find("prk36"), "", &vehicle, memory, sizeof memory)) {
        fprintf(stderr, "real_time: %s\n", s.message.text);
        return 1;
    }
    gt_stepper_start(&s, 0, vehicle.x0);
    double worst = 0, sum = 0;
    for (int k = 0; k < STEPS; k++) {
        double began = seconds();
        if (gt_stepper_step(
                &s, h)) { /* the point is as before: one may go on with half a step, or stop */
            fprintf(stderr, "real_time: %s\n", s.message.text);
            return 1;
        }
        double took = seconds() - began;
        worst = fmax(worst, took);
        sum += took;
    }
    printf("%d steps of %g ms: mean %.2f us, worst %.2f us, %.3f %% of the time there is\n", STEPS,
           1e3 * h, 1e6 * sum / STEPS, 1e6 * worst, 100 * sum / (STEPS * h));

    double tight[28];
    gt_report report;
    gt_plan plan = {.rtol = 1e-9, .atol = 1e-10, .x_end = tight};
    vehicle.t1 = STEPS * h;
    if (gt_solve(&vehicle, gt_method_find("dopri5"), &plan, &report)) return 1;
    double off = fabs(s.x[0] - tight[0]);
    printf("%.4f m driven, %.1e m from a tight run; %ld slow and %ld fast evaluations\n", s.x[0],
           off, s.stats.rhs_slow, s.stats.rhs_fast);
    bool good = off < 1e-3 && s.stats.rhs_slow == 3 * STEPS && s.stats.rhs_fast == 6 * STEPS;
    gt_stepper_free(&s);
    return good ? 0 : 1;
}

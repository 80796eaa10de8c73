/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events: a ball falls from 1 m and keeps the part e of its speed at every bounce.
 *
 * Expected: bounce n = 0, 1, .. comes at t_n = sqrt(2/g) (1 + 2 (e + e^2 + .. + e^n)); every time
 * within 1e-9 s. The problem itself ends the run after the eighth.
 */
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>

enum { HEIGHT, SPEED };
enum { BOUNCES = 8 };

typedef struct ball {
    double g, e;
    int bounces;
} ball;

static gt_status f(double t, const double *x, double *dx, void *ctx)
{
    const ball *b = ctx;
    (void)t;
    dx[HEIGHT] = x[SPEED];
    dx[SPEED] = -b->g;
    return GT_OK;
}

static gt_status ground(double t, const double *x, double *root, void *ctx)
{
    (void)t, (void)ctx;
    root[0] = x[HEIGHT];
    return GT_OK;
}

static gt_status bounce(double t, const unsigned char *fired, double *x, unsigned *actions,
                        void *ctx)
{
    ball *b = ctx;
    (void)t, (void)fired;
    x[HEIGHT] = 0;
    x[SPEED] = -b->e * x[SPEED];
    if (++b->bounces == BOUNCES) *actions |= GT_EVENT_STOP;
    return GT_OK;
}

/* A sink of our own: keeps the time of each event, which is given twice, before and after the
 * change of x. */
typedef struct bounce_times {
    double t[BOUNCES];
    int count;
} bounce_times;

static gt_status keep_time(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    bounce_times *times = self->ctx;
    (void)message;
    if (sample->before && times->count < BOUNCES) times->t[times->count++] = sample->t;
    return GT_OK;
}

int main(void)
{
    const double x0[] = {1, 0};
    const int downwards = -1;
    ball b = {.g = 9.81, .e = 0.8};
    gt_problem problem = {.n_slow = 2,
                          .rhs = f,
                          .n_roots = 1,
                          .roots = ground,
                          .root_direction = &downwards,
                          .on_event = bounce,
                          .t1 = 100,
                          .x0 = x0,
                          .ctx = &b};
    bounce_times times = {.count = 0};
    gt_sink sink = {.wants = GT_AT_EVENT, .write = keep_time, .ctx = &times};
    gt_sink *const sinks[] = {&sink};
    gt_plan plan = {.rtol = 1e-8, .sinks = sinks, .n_sinks = 1};
    gt_report report;
    if (gt_solve(&problem, gt_method_find("dopri5"), &plan, &report) != GT_OK) {
        fprintf(stderr, "bouncing_ball: %s\n", report.message.text);
        return 1;
    }
    double worst = 0, sum = 1, power = 1;
    for (int n = 0; n < times.count; n++) {
        double exact = sqrt(2 / b.g) * sum;
        printf("bounce %d at t = %.12f, exact %.12f\n", n, times.t[n], exact);
        worst = fmax(worst, fabs(times.t[n] - exact));
        power *= b.e;
        sum += 2 * power;
    }
    return report.stopped && times.count == BOUNCES && worst < 1e-9 ? 0 : 1;
}

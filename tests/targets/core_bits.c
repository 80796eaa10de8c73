/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same program on every machine: five methods in the caller's memory, controlled and with a
 * fixed step, on problems whose functions are sums, products, quotients and square roots. What it
 * prints must not differ in a byte; lines that begin with # are of the machine: sizes.
 */
#include "targets/port.h"
#include <geartrain/author/number.h>
#include <geartrain/methods.h>
#include <geartrain/run.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Robertson's reaction (three rates over nine orders). */
static gt_status robertson(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    double a = 0.04 * x[0], b = 1e4 * x[1] * x[2], c = 3e7 * x[1] * x[1];
    dx[0] = b - a;
    dx[1] = a - b - c;
    dx[2] = c;
    return GT_OK;
}

/* Two bodies; and the distance between them passing 1 is an event. */
static gt_status kepler(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    double r = sqrt(x[0] * x[0] + x[1] * x[1]), cube = r * r * r;
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = -x[0] / cube;
    dx[3] = -x[1] / cube;
    return GT_OK;
}

static gt_status distance(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0] * x[0] + x[1] * x[1] - 1;
    return GT_OK;
}

/* A chain of springs of 24 states: its systems are larger than the unrolled kernels take. */
enum { MASSES = 12 };
static gt_status chain(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    for (int i = 0; i < MASSES; i++) {
        double left = i ? x[i - 1] : 0, right = i + 1 < MASSES ? x[i + 1] : 0,
               stretch = left - 2 * x[i] + right;
        dx[i] = x[MASSES + i];
        dx[MASSES + i] = 100 * stretch - 0.5 * x[MASSES + i] / sqrt(1 + stretch * stretch);
    }
    return GT_OK;
}

static const double robertson_x0[] = {1, 0, 0}, kepler_x0[] = {0.5, 0, 0, 1.7320508075688772};
static const double chain_x0[2 * MASSES] = {1, 0.5, -0.25};

static const gt_problem problems[] = {
    {.name = "robertson",
     .n_slow = 3,
     .rhs = robertson,
     .x0 = robertson_x0,
     .t1 = 10,
     .autonomous = true},
    {.name = "kepler",
     .n_slow = 4,
     .rhs = kepler,
     .x0 = kepler_x0,
     .t1 = 6,
     .n_roots = 1,
     .roots = distance,
     .autonomous = true},
    {.name = "chain",
     .n_slow = 2 * MASSES,
     .rhs = chain,
     .x0 = chain_x0,
     .t1 = 2,
     .autonomous = true},
};

static const gt_method *const methods[] = {
    &gt_method_rk4, &gt_method_dopri5, &gt_method_trapezoidal, &gt_method_gear, &gt_method_rodas4};

enum { COUNT = sizeof methods / sizeof *methods, PROBLEMS = sizeof problems / sizeof *problems };

static double memory[8192];

static void say(const char *format, ...) GT_PRINTF(1, 2);
static void say(const char *format, ...)
{
    char line[400];
    va_list list;
    va_start(list, format);
    gt_vformat(line, sizeof line, format, list);
    va_end(list);
    port_write(line);
}

static void say_state(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        say(" %08lx%08lx", (unsigned long)(bits >> 32), (unsigned long)(bits & 0xffffffff));
        if (i < 3) say(" (%.17g)", x[i]);
    }
    say("\n");
}

static void run(const gt_problem *p, const gt_method *m, double h)
{
    size_t n = gt_problem_size(p), bytes = 0;
    gt_plan plan = {.h = h, .rtol = h > 0 ? 0 : 1e-6, .atol = h > 0 ? 0 : 1e-9};
    gt_message message = {""};
    gt_run *r;
    gt_reached reached = GT_REACHED_STEP;
    say("%s %s %s:", p->name, m->name, h > 0 ? "fixed" : "controlled");
    gt_status status = gt_run_measure(p, m, &plan, &bytes, &message);
    if (!status && bytes > sizeof memory) status = GT_WORKSPACE_SMALL;
    if (!status) status = gt_run_open_in(&r, p, m, &plan, memory, sizeof memory, &message);
    if (status) {
        say(" %s: %s\n", gt_status_name(status), message.text);
        return;
    }
    long events = 0;
    while (!status && reached != GT_REACHED_END) {
        status = gt_run_advance(r, p->t1, GT_ADVANCE_TO_EVENTS, &reached);
        events += reached == GT_REACHED_EVENT;
    }
    const gt_stats *stats = gt_run_stats(r);
    say(" %s, %ld steps, %ld rejected, %ld evaluations, %ld events;", gt_status_name(status),
        stats->steps, stats->rejected, stats->rhs, events);
    say_state(gt_run_x(r), n);
    say("# %s %s %lu bytes\n", p->name, m->name, (unsigned long)bytes);
    gt_run_close(r);
}

int main(void)
{
    for (int i = 0; i < PROBLEMS; i++)
        for (int k = 0; k < COUNT; k++) {
            bool explicit_on_stiff = i == 0 && k<2, has_control = k> 0, has_fixed_step = k != 3;
            if (has_control && !explicit_on_stiff) run(&problems[i], methods[k], 0);
            if (has_fixed_step) run(&problems[i], methods[k], i == 0 ? 0x1p-10 : 0x1p-7);
        }
    say("end\n");
    port_exit();
    return 0;
}

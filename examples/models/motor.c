/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A model of one's own in C, compiled when it is used:
 *
 *     geartrain run motor.c --set R=2 --plot motor.svg
 *     geartrain advise motor.c
 *
 * A DC motor with the current i, which is fast, and the speed w, which is slow:
 *
 *     J w' = k i - b w            L i' = V - R i - k w
 *
 * It ends at w = k V / (b R + k^2), i = b w / k.
 */
#include <geartrain/model.h>

typedef struct {
    double V, R, L, k, J, b;
} motor;

/* Blocks that can be evaluated alone are what multirate methods live on. */
static gt_status speed(double t, const double *x, double *dw, void *ctx)
{
    const motor *m = ctx;
    (void)t;
    dw[0] = (m->k * x[1] - m->b * x[0]) / m->J;
    return GT_OK;
}

static gt_status current(double t, const double *x, double *di, void *ctx)
{
    const motor *m = ctx;
    (void)t;
    di[0] = (m->V - m->R * x[1] - m->k * x[0]) / m->L;
    return GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    (void)!speed(t, x, dx, ctx);
    return current(t, x, dx + 1, ctx);
}

/* Without it, differences are used. */
static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const motor *m = ctx;
    (void)t, (void)x;
    gt_matrix_add(J, 0, 0, -m->b / m->J);
    gt_matrix_add(J, 0, 1, m->k / m->J);
    gt_matrix_add(J, 1, 0, -m->k / m->L);
    gt_matrix_add(J, 1, 1, -m->R / m->L);
    return GT_OK;
}

static const gt_param params[] = {
    {.name = "V", .help = "supply", .unit = "V", .initial = 12, .min = -1000, .max = 1000},
    {.name = "R",
     .help = "resistance of the winding",
     .unit = "Ohm",
     .initial = 1,
     .min = 0,
     .max = 1e6},
    {.name = "L",
     .help = "its inductance",
     .unit = "H",
     .initial = 1e-3,
     .min = GT_POSITIVE,
     .max = 1e3},
    {.name = "k",
     .help = "torque per current",
     .unit = "N m/A",
     .initial = 0.05,
     .min = GT_POSITIVE,
     .max = 1e3},
    {.name = "J",
     .help = "inertia",
     .unit = "kg m^2",
     .initial = 1e-3,
     .min = GT_POSITIVE,
     .max = 1e6},
    {.name = "b", .help = "friction", .unit = "N m s", .initial = 1e-3, .min = 0, .max = 1e3},
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"w", "i"}, *const units[] = {"rad/s", "A"};
    static const double x0[] = {0, 0};
    motor *m = gt_arena_take(arena, 1, sizeof *m);
    if (!m) return GT_NO_MEMORY;
    *m = (motor){.V = v[0], .R = v[1], .L = v[2], .k = v[3], .J = v[4], .b = v[5]};
    *problem = (gt_problem){.n_slow = 1,
                            .n_fast = 1,
                            .rhs = rhs,
                            .rhs_slow = speed,
                            .rhs_fast = current,
                            .jac = jac,
                            .t1 = 5,
                            .x0 = x0,
                            .ctx = m,
                            .names = names,
                            .units = units};
    return GT_OK;
}

const gt_model geartrain_model = {.abi = GT_MODEL_ABI,
                                  .name = "motor",
                                  .title = "DC motor with a fast current",
                                  .equations = "J w' = k i - b w            slow\n"
                                               "L i' = V - R i - k w        fast\n"
                                               "w(0) = 0, i(0) = 0",
                                  .params = params,
                                  .build = build};

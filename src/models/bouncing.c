/* SPDX-License-Identifier: BSD-3-Clause */
/* A ball that loses speed at each bounce: the smallest model with events. */
#include "models/model_kit.h"

typedef struct {
    double g, e, v_stop;
} ball;

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const ball *p = ctx;
    (void)t;
    dx[0] = x[1];
    dx[1] = -p->g;
    return GT_OK;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)x, (void)ctx;
    return model_dense(J, (const double[]){0, 1, 0, 0});
}

static gt_status roots(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0];
    return GT_OK;
}

static gt_status on_event(double t, const unsigned char *fired, double *x, unsigned *actions, void *ctx)
{
    const ball *p = ctx;
    (void)t;
    if (!fired[0]) return GT_OK;
    x[0] = 0;
    x[1] = -p->e * x[1];
    *actions |= fabs(x[1]) < p->v_stop ? GT_EVENT_STOP : GT_EVENT_OUTPUT;
    return GT_OK;
}

static const gt_param params[] = {
    REAL_PARAM("g", "acceleration of gravity", "m/s^2", 9.81, GT_POSITIVE, 1e6),
    REAL_PARAM("e", "restitution: speed after a bounce over speed before", NULL, 0.8, 0, 1),
    REAL_PARAM("v_stop", "the ball lies still below this speed", "m/s", 0.1, 0, 1e6),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"height", "velocity"}, *const units[] = {"m", "m/s"};
    static const char *const root_names[] = {"bounce"};
    static const int downward[] = {-1};
    static const double x0[] = {1, 0};
    ball *p = gt_arena_take(arena, 1, sizeof *p);
    if (!p) return GT_NO_MEMORY;
    *p = (ball){.g = v[0], .e = v[1], .v_stop = v[2]};
    *problem = (gt_problem){.n_slow = 2,
                            .rhs = rhs,
                            .jac = jac,
                            .n_roots = 1,
                            .roots = roots,
                            .root_direction = downward,
                            .root_names = root_names,
                            .on_event = on_event,
                            .t1 = 10,
                            .x0 = x0,
                            .ctx = p,
                            .names = names,
                            .units = units};
    return GT_OK;
}

const gt_model gt_model_bouncing = {.abi = GT_MODEL_ABI,
                                    .name = "bouncing",
                                    .title = "bouncing ball, shows events",
                                    .reference = "mechanics: free fall and Newton's law of restitution",
                                    .equations = "height' = velocity\n"
                                                 "velocity' = -g\n"
                                                 "when height falls through 0: velocity becomes -e velocity\n"
                                                 "the run stops when the speed after a bounce is below v_stop\n"
                                                 "height(0) = 1, velocity(0) = 0",
                                    .params = params,
                                    .build = build};

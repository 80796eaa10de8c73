/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A planar truck or road train on any number of axles: one axle in front, the others in a group
 * behind, the centre of gravity amid them all, so that the static loads are alike. The fast part
 * grows by seven states an axle, the slow one by four. The numbers are made up, of the size of
 * published ones for truck tyres of 0.5 m radius at 34 kN. In C because the number of axles is a
 * parameter.
 */
#include "models/planar_vehicle.h"

static const gt_param params[] = {
    INTEGER_PARAM("axles", "number of axles", 5, 2, 200),
    RUN_PARAMS(20),
    TORQUE_PARAMS(-600, -200),
    REAL_PARAM("load", "sprung mass on each axle", "kg", 3000, GT_POSITIVE, 1e9),
    REAL_PARAM("front", "from the first axle to the second", "m", 3.6, GT_POSITIVE, 100),
    REAL_PARAM("spacing", "between the axles of the group", "m", 1.3, GT_POSITIVE, 100),
    REAL_PARAM("road", "height of the waves of the road", "m", 0.01, -10, 10),
    REAL_PARAM("road_length", "length of a wave of the road", "m", 5, 1e-3, 1e6),
    REAL_PARAM("cpx", "stiffness of the tread per area", "N/m^2", 1.9e7, GT_POSITIVE, 1e12),
    REAL_PARAM("mu", "friction", NULL, 0.8, GT_POSITIVE, 10),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    size_t axles = (size_t)v[0];
    planar_data *p = gt_arena_take(arena, 1, sizeof *p);
    double *l = gt_arena_doubles(arena, axles), middle = 0;
    if (!p || !l) return GT_NO_MEMORY;
    for (size_t i = 0; i < axles; i++) {
        l[i] = i == 0 ? 0 : -(v[8] + (double)(i - 1) * v[9]);
        middle += l[i] / (double)axles;
    }
    for (size_t i = 0; i < axles; i++) l[i] -= middle;
    double M = v[7] * (double)axles, length = l[0] - l[axles - 1];
    *p = (planar_data){.axles = axles,
                       .l = l,
                       .speed = v[1],
                       .relative = v[2] == 1,
                       .cost = (int)v[3],
                       .torque = {v[4], v[5], v[6]},
                       .M = M,
                       .I = M * (length + 2) * (length + 2) / 12,
                       .hg = 0.8,
                       .Ks = 3e5,
                       .Cs = 2e4,
                       .mH = 350,
                       .IH = 18,
                       .tyre = {.m = 40,
                                .I = 7,
                                .R = 0.5,
                                .Kx = 4.8e6,
                                .Cx = 1100,
                                .Ky = 4.8e6,
                                .Cy = 1100,
                                .Kt = 5.6e5,
                                .Ct = 160,
                                .Kres = 1.26e6,
                                .Cres = 1000,
                                .a = 0.09,
                                .cpx = v[12],
                                .mu = v[13],
                                .crr = 0.003,
                                .sigma_min = 0.02,
                                .road_height = v[10],
                                .road_length = v[11],
                                .g = 9.81}};
    gt_status status = gt_planar_problem(p, true, problem, arena);
    problem->t1 = 5;
    return status;
}

const gt_model gt_model_truck = {.abi = GT_MODEL_ABI,
                                 .name = "truck",
                                 .title =
                                     "planar truck on any number of axles with rigid-ring tyres",
                                 .reference = "the equations of model vehicle; numbers made up",
                                 .equations = PLANAR_EQUATIONS,
                                 .params = params,
                                 .build = build};

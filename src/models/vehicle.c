/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shome, "planar vehicle model with planar rigid ring tire model": 14 slow and 14 fast states. The
 * paper has no numbers; these are half of an HMMWV (Chrono: chassis, wheel rates of the suspension,
 * hub and rim), the ring of the MF-Swift defaults, and a tread whose stiffness makes the steps
 * those of Table 8. In C because `coordinates` and `balance` change what the states are and how
 * many there are, and for the made-up work `cost`.
 */
#include "models/planar_vehicle.h"

static const char *const balance_choices[] = {"off", "on", NULL};

static const gt_param params[] = {
    RUN_PARAMS(5),
    TORQUE_PARAMS(-135, -45),
    TYRE_PARAMS(1e8),
    REAL_PARAM("M", "mass of the chassis", "kg", 1043.26, GT_POSITIVE, 1e9),
    REAL_PARAM("I", "inertia of the chassis in pitch", "kg m^2", 1477.83, GT_POSITIVE, 1e9),
    REAL_PARAM("l1", "first axle before the centre of gravity", "m", 1.5775, -100, 100),
    REAL_PARAM("l2", "second axle before the centre of gravity", "m", -1.7245, -100, 100),
    REAL_PARAM("hg", "centre of gravity above the hubs", "m", 0.35, -10, 10),
    REAL_PARAM("Ks", "stiffness of the suspension", "N/m", 40400, GT_POSITIVE, 1e12),
    REAL_PARAM("Cs", "damping of the suspension", "N s/m", 14500, 0, 1e9),
    REAL_PARAM("mH", "mass of hub and rim", "kg", 60, GT_POSITIVE, 1e6),
    REAL_PARAM("IH", "inertia of hub and rim", "kg m^2", 4, GT_POSITIVE, 1e6),
    CHOICE_PARAM("balance", "on: a state W counts the work done, energy - W is constant", 0,
                 balance_choices),
    {0}};

static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    planar_data *p = gt_arena_take(arena, 1, sizeof *p);
    double *l = gt_arena_doubles(arena, 2);
    if (!p || !l) return GT_NO_MEMORY;
    const double *own = v + 6 + N_TYRE_PARAMS;
    l[0] = own[2];
    l[1] = own[3];
    *p = (planar_data){.axles = 2,
                       .l = l,
                       .speed = v[0],
                       .relative = v[1] == 1,
                       .cost = (int)v[2],
                       .torque = {v[3], v[4], v[5]},
                       .tyre = tyre_of(v + 6),
                       .M = own[0],
                       .I = own[1],
                       .hg = own[4],
                       .Ks = own[5],
                       .Cs = own[6],
                       .mH = own[7],
                       .IH = own[8],
                       .balance = own[9] == 1};
    return gt_planar_problem(p, false, problem, arena);
}

const gt_model gt_model_vehicle = {
    .abi = GT_MODEL_ABI,
    .name = "vehicle",
    .title = "planar vehicle on two rigid-ring tyres, 14 slow and 14 fast states",
    .reference = "Shome, Haug, Jay, Mech. Based Des. Struct. 32 (2004), Figure 3; tyre: "
                 "Zegelaar, Pacejka, Veh. Syst. Dyn. 27 (1997) 65",
    .equations = PLANAR_EQUATIONS,
    .params = params,
    .build = build};

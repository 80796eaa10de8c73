/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_POWER_H
#define GEARTRAIN_POWER_H

#include <geartrain/api.h>
#include <geartrain/author/arena.h>
#include <geartrain/integrate.h>
#include <geartrain/problem.h>
#include <geartrain/status.h>
#include <stdbool.h>
#include <stddef.h>

GT_C_BEGIN

/*
 * Power systems: crow 5.8. From a MATPOWER case and machine data to a gt_problem, which any method
 * integrates:
 *
 *     gt_power_case_read -> gt_power_flow -> gt_power_dynamics_read -> gt_power_build -> gt_solve,
 * gt_linearize, ...
 *
 * Everything is in p.u. on the base of the case, angles in radians, speeds in rad/s, unless it says
 * otherwise. What a function makes lives in the arena given, which must be growing.
 */

/* ---- the network ---- */

enum { GT_BUS_PQ = 1, GT_BUS_PV = 2, GT_BUS_SLACK = 3, GT_BUS_OFF = 4 };

typedef struct gt_power_bus {
    int number; /* as in the file; elsewhere buses go by their index */
    int type;   /* GT_BUS_* */
    double p_load, q_load;
    double g_shunt, b_shunt;
    double v, angle; /* starting values */
    double base_kv;
    void *reserved[4]; /* 0; room for more */
} gt_power_bus;

typedef struct gt_power_gen {
    size_t bus;
    int unit; /* 1, 2, .. among those at the bus */
    double p, q, q_max, q_min, v_set;
    double mva; /* of the machine; 0: that of the case */
    bool on;
    void *reserved[4]; /* 0; room for more */
} gt_power_gen;

typedef struct gt_power_branch {
    size_t from, to;
    int circuit;         /* 1, 2, .. among those between the same buses */
    double r, x, b;      /* b: total charging */
    double ratio, shift; /* at `from`; ratio 1 for a line */
    bool on;
    void *reserved[4]; /* 0; room for more */
} gt_power_branch;

typedef struct gt_power_case {
    const char *name, *file;
    double mva;
    size_t n_bus, n_gen, n_branch;
    gt_power_bus *bus;
    gt_power_gen *gen;
    gt_power_branch *branch;
    void *reserved[4]; /* 0; room for more */
} gt_power_case;

/* Reads a MATPOWER case file of version 2; error messages name file:line. */
GT_API gt_status gt_power_case_read(const char *path, gt_power_case *out, gt_arena *arena,
                                    gt_message *message) GT_MUST_CHECK;

/* The same from text; `file` is for messages. */
GT_API gt_status gt_power_case_parse(const char *text, const char *file, gt_power_case *out,
                                     gt_arena *arena, gt_message *message) GT_MUST_CHECK;

/* Says what is contradictory: no slack bus, a load that nothing feeds, a branch without impedance.
 */
GT_API gt_status gt_power_case_check(const gt_power_case *c, gt_message *message) GT_MUST_CHECK;

/* Writes a file that gt_power_case_read reads back to the same numbers, but for the last bit. */
GT_API gt_status gt_power_case_write(const gt_power_case *c, const char *path,
                                     gt_message *message) GT_MUST_CHECK;

/* Index of the bus of this number; n_bus when there is none. */
GT_API size_t gt_power_find_bus(const gt_power_case *c, int number);

/* ---- power flow ---- */

typedef struct gt_power_flow_options {
    bool flat;        /* start from 1 p.u. and angle 0 instead of the values of the case */
    bool q_limits;    /* generators hold their voltage only within their reactive limits */
    double tolerance; /* largest mismatch, p.u.; default 1e-10; the iteration goes on while it still
                         gains */
    int max_iterations; /* default 30 */
} gt_power_flow_options;

typedef struct gt_power_flow_result {
    double *v, *angle;     /* of each bus */
    double *p_gen, *q_gen; /* of each generator; 0 where it is off */
    bool *limited;         /* generators at a reactive limit */
    double mismatch;       /* largest, p.u. */
    size_t worst;          /* the bus that has it */
    int iterations;
    double p_loss;
    void *reserved[4]; /* 0; room for more: a setup points to it */
} gt_power_flow_result;

GT_API gt_status gt_power_flow_sized(const gt_power_case *c, const gt_power_flow_options *options,
                                     size_t options_size, gt_power_flow_result *out,
                                     size_t out_size, gt_arena *arena,
                                     gt_message *message) GT_MUST_CHECK;
/* Newton in polar coordinates; options may be NULL. */
static inline GT_MUST_CHECK gt_status gt_power_flow(const gt_power_case *c,
                                                    const gt_power_flow_options *options,
                                                    gt_power_flow_result *out, gt_arena *arena,
                                                    gt_message *message)
{
    return gt_power_flow_sized(c, options, sizeof *options, out, sizeof *out, arena, message);
}

/* ---- machines ---- */

typedef enum gt_machine_kind {
    GT_MACHINE_NONE,
    GT_MACHINE_CLASSICAL,
    GT_MACHINE_TWOAXIS,
    GT_MACHINE_ROUND
} gt_machine_kind;
typedef enum gt_exciter_kind { GT_EXCITER_NONE, GT_EXCITER_DC1 } gt_exciter_kind;
typedef enum gt_governor_kind {
    GT_GOVERNOR_NONE,
    GT_GOVERNOR_REHEAT,
    GT_GOVERNOR_TGOV1
} gt_governor_kind;

/* S(u) = a exp(b u), or a (u - b)^2 / u above b. */
typedef struct gt_saturation {
    bool quadratic;
    double a, b;
} gt_saturation;

/* One generator, numbers on the base of the case. Time constants in seconds. */
typedef struct gt_power_machine {
    gt_machine_kind kind;
    double H, D;                          /* D: p.u. torque per p.u. speed */
    double ra, xd, xq, xd1, xq1, xd2, xl; /* 1 transient, 2 subtransient (both axes); xl leakage */
    double Td0, Tq0, Td02, Tq02;
    gt_saturation saturation; /* of GT_MACHINE_ROUND */

    gt_exciter_kind exciter;
    double TR, KA, TA, TB, TC, KE, TE, KF, TF; /* TR, TB: 0 for none */
    gt_saturation SE;
    double VR_max, VR_min;

    gt_governor_kind governor;
    double R, TSV, TCH, TRH, KHP; /* crow (5.168)-(5.170) */
    double T1, T2, T3, Dt;        /* TGOV1; T1 is its valve */
    double P_max, P_min;          /* of the valve */
    void *reserved[4];            /* 0; room for more */
} gt_power_machine;

typedef struct gt_power_dynamics {
    const char *file;
    size_t n; /* of generators of the case */
    gt_power_machine *machine;
    void *reserved[4]; /* 0; room for more */
} gt_power_dynamics;

/* A table (.csv) or PSS/E dynamic data (.dyr). Every generator in service must be there.
 * `z_source`: x'd of GENCLS records, which have none, on the base of the machine; 0: must be in the
 * record. */
GT_API gt_status gt_power_dynamics_read(const char *path, const gt_power_case *c, double z_source,
                                        gt_power_dynamics *out, gt_arena *arena,
                                        gt_message *message) GT_MUST_CHECK;
GT_API gt_status gt_power_dynamics_parse(const char *text, const char *file, const gt_power_case *c,
                                         double z_source, gt_power_dynamics *out, gt_arena *arena,
                                         gt_message *message) GT_MUST_CHECK;
GT_API gt_status gt_power_dynamics_write(const gt_power_dynamics *d, const gt_power_case *c,
                                         const char *path, gt_message *message) GT_MUST_CHECK;

/* ---- what happens ---- */

typedef enum gt_power_event_kind {
    GT_POWER_FAULT,   /* at bus, through r + j x; both 0: bolted */
    GT_POWER_CLEAR,   /* the fault at bus goes away */
    GT_POWER_TRIP,    /* branch opens at both ends, its charging goes with it */
    GT_POWER_RECLOSE, /* and closes */
    GT_POWER_LOAD,    /* load of bus is `factor` times that of the case */
    GT_POWER_GENTRIP  /* generator is disconnected; its states stand still */
} gt_power_event_kind;

typedef struct gt_power_event {
    gt_power_event_kind kind;
    double t;
    size_t bus, branch, gen;
    double r, x, factor;
    void *reserved[4]; /* 0; room for more */
} gt_power_event;

/* ---- the equations ---- */

typedef enum gt_power_model {
    GT_POWER_DAE, /* (5.161)-(5.173), the network as current balance in rectangular coordinates */
    GT_POWER_CLASSICAL /* (5.143)-(5.144), the network reduced to the machines */
} gt_power_model;

typedef struct gt_power_setup {
    const gt_power_case *grid;
    const gt_power_flow_result *flow;
    const gt_power_dynamics *dynamics;
    gt_power_model model;
    double z_part, i_part, p_part; /* loads: constant impedance, current, power; all 0: impedance */
    double v_break;                /* below it every load is an impedance; default 0.7 p.u. */
    bool limits;                   /* non-windup limits on V_R and valve */
    bool keep_charging; /* an opened branch leaves its charging at the buses, as the chapter prints
                           it */
    double hz;          /* default 60 */
    double t1;
    const gt_power_event *events;
    size_t n_events;
} gt_power_setup;

typedef struct gt_power_system gt_power_system;

GT_API gt_status gt_power_build_sized(const gt_power_setup *setup, size_t setup_size,
                                      gt_problem *problem, size_t problem_size,
                                      const gt_power_system **system, gt_arena *arena,
                                      gt_message *message) GT_MUST_CHECK;
/* The problem of the setup, from t = 0 on, at rest: x0 is the steady state of the power flow. For
 * one thread when there are limits. `system` answers the questions below. */
static inline GT_MUST_CHECK gt_status gt_power_build(const gt_power_setup *setup,
                                                     gt_problem *problem,
                                                     const gt_power_system **system,
                                                     gt_arena *arena, gt_message *message)
{
    return gt_power_build_sized(setup, sizeof *setup, problem, sizeof *problem, system, arena,
                                message);
}

GT_API size_t gt_power_machines(const gt_power_system *s); /* in service at the start */
GT_API size_t gt_power_machine_gen(const gt_power_system *s, size_t machine); /* its generator */
GT_API bool gt_power_machine_on(const gt_power_system *s, double t, size_t machine);

/* The time for the questions below about a sample of a run: one at the end of a step still belongs
 * to the network before a change at that time. */
GT_API double gt_power_sample_time(const gt_sample *sample);

/* What is seen at time t: angle and speed (rad/s) of each machine, voltage and angle of each bus.
 * Pointers may be NULL. Buses without voltage have 0. */
GT_API void gt_power_view(const gt_power_system *s, double t, const double *x, double *delta,
                          double *omega, double *v, double *angle);

/* Angle of the centre of inertia of the machines that are connected at t. */
GT_API double gt_power_centre(const gt_power_system *s, double t, const double *delta);

/* Largest difference of two rotor angles, among machines connected to each other at t. */
GT_API double gt_power_spread(const gt_power_system *s, double t, const double *delta);

/* Times at which the network changes, and descriptions of what happens then: "t = 0.22: ...", one
 * by one. */
GT_API size_t gt_power_changes(const gt_power_system *s);
GT_API double gt_power_change_time(const gt_power_system *s, size_t change);
GT_API const char *gt_power_change_text(const gt_power_system *s, size_t change);

/* Where a run could not go on because the network equations have no solution: the bus whose voltage
 * takes the largest part in the direction in which they are nearly singular, and the one with the
 * lowest voltage; as gt_power_case has them, their number where there is none (classical model).
 * Allocates and frees. */
typedef struct gt_power_weak {
    size_t bus, lowest;
    double v, v_lowest; /* p.u. */
} gt_power_weak;
GT_API gt_power_weak gt_power_weakest_sized(const gt_power_system *s, const gt_problem *problem,
                                            size_t problem_size, double t, const double *x);
static inline gt_power_weak gt_power_weakest(const gt_power_system *s, const gt_problem *problem,
                                             double t, const double *x)
{
    return gt_power_weakest_sized(s, problem, sizeof *problem, t, x);
}

/* Islands of the network between change k and the next (k = 0: before the first one): count, and
 * buses without source.
 */
GT_API size_t gt_power_islands(const gt_power_system *s, size_t k, size_t *dead_buses);

/* Reduced admittance of network state k, classical model: machines x machines, (re, im) pairs,
 * column major. */
GT_API const double *gt_power_reduced(const gt_power_system *s, size_t k);

/* ---- critical clearing time ---- */

typedef struct gt_power_cct_options {
    size_t bus;                        /* of the bolted fault, which begins at t = 0 */
    const gt_power_event *at_clearing; /* what happens with the clearing; their times are ignored */
    size_t n_at_clearing;
    double window;           /* a run goes on to this time; default 5 s */
    double threshold;        /* rad; unstable when the spread exceeds it; default pi */
    double scan, largest;    /* default 5 ms, 1 s */
    double precision;        /* default 1e-5 s */
    const gt_method *method; /* NULL: by model */
    const gt_plan *plan;     /* h, or rtol; NULL: rtol by model */
    const volatile int *interrupted;
} gt_power_cct_options;

typedef struct gt_power_cct_result {
    bool found;      /* else stable up to `largest` */
    double cct;      /* last stable clearing time; 0: unstable however soon */
    double unstable; /* first unstable one, at most `precision` later */
    double t_loss;   /* when the threshold was passed then */
    int runs;
    const gt_method *method;
} gt_power_cct_result;

GT_API gt_status gt_power_cct_sized(const gt_power_setup *setup, size_t setup_size,
                                    const gt_power_cct_options *options, size_t options_size,
                                    size_t plan_size, gt_power_cct_result *out, size_t out_size,
                                    gt_message *message) GT_MUST_CHECK;
/* Steps from `scan` upwards by `scan` until the first clearing time that is unstable, then bisects:
 * the boundary need not be monotone. `setup` gives all but events and t1. */
static inline GT_MUST_CHECK gt_status gt_power_cct(const gt_power_setup *setup,
                                                   const gt_power_cct_options *options,
                                                   gt_power_cct_result *out, gt_message *message)
{
    return gt_power_cct_sized(setup, sizeof *setup, options, sizeof *options, sizeof(gt_plan), out,
                              sizeof *out, message);
}

/* ---- made-up networks ---- */

typedef struct gt_power_synth_options {
    int buses;     /* at least 10 */
    int areas;     /* in a ring; 0: one for every 50 buses */
    unsigned seed; /* the same seed, the same network */
} gt_power_synth_options;

GT_API gt_status gt_power_synth_sized(const gt_power_synth_options *options, size_t options_size,
                                      gt_power_case *c, gt_power_dynamics *d, gt_arena *arena,
                                      gt_message *message) GT_MUST_CHECK;
static inline GT_MUST_CHECK gt_status gt_power_synth(const gt_power_synth_options *options,
                                                     gt_power_case *c, gt_power_dynamics *d,
                                                     gt_arena *arena, gt_message *message)
{
    return gt_power_synth_sized(options, sizeof *options, c, d, arena, message);
}

GT_C_END

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* power: transient and midterm stability of power systems; finds the command that follows. */
#include "power_parts.h"
#include <string.h>

static const cli_flag flow_flags[] = {
    {.name = "flat", .help = "power flow from 1 p.u. and angle 0 instead of the values of the case"},
    {.name = "qlimits", .help = "power flow within the reactive limits of the generators"},
    {.name = NULL},
};

static const cli_flag machine_flags[] = {
    {.name = "dyn",
     .value = "FILE",
     .help = "machine data, .csv, .json or .dyr; default: beside the case, with its name"},
    {.name = "model",
     .value = "classical|twoaxis",
     .help = "network reduced to the machines, or kept with the machines as their data say (default)"},
    {.name = "loads",
     .value = "KIND",
     .help =
         "impedance (default), power, current, or parts of the three as in 0.4,0.2,0.4 (impedance, current, power)"},
    {.name = "vbreak", .value = "V", .help = "below this voltage every load is an impedance; default 0.7"},
    {.name = "limits", .help = "non-windup limits on V_R and valves"},
    {.name = "keep-charging", .help = "an opened line leaves its charging at the buses, as crow prints it"},
    {.name = "hz", .value = "F", .help = "rated frequency, default 60"},
    {.name = "zsource", .value = "X", .help = "x'd of GENCLS records, on the base of the machine"},
    {.name = NULL},
};

static const cli_flag trip_flags[] = {
    {.name = "trip",
     .value = "I-J[#K][@T]",
     .help = "run: opens a branch; cct: opens it at the clearing (no time)",
     .repeats = true},
    {.name = NULL},
};

static const cli_flag run_flags[] = {
    {.name = "fault",
     .value = "BUS@ON:OFF[:Z]",
     .help = "three-phase fault, bolted or through Z = R+jX p.u.",
     .repeats = true},
    {.name = "reclose", .value = "I-J[#K]@T", .help = "closes a branch", .repeats = true},
    {.name = "load", .value = "BUS*F@T", .help = "the load of a bus becomes F times that of the case", .repeats = true},
    {.name = "gentrip", .value = "BUS[#K]@T", .help = "disconnects a machine", .repeats = true},
    {.name = "t1", .value = "T", .help = "end of the run, default 10 s", .alias = "stop-time"},
    {.name = "every",
     .value = "DT",
     .help = "rows of --out and --plot every DT instead of every step",
     .alias = "output-interval"},
    {.name = "out",
     .value = "FILE.csv|-",
     .help = "t, delta_M (degrees), omega_M (rad/s), V_B (p.u.), theta_B (degrees)",
     .alias = "output-file"},
    {.name = "vars", .value = "A,B,..", .help = "only these columns, V_5 for one or V for all voltages"},
    {.name = "relative",
     .value = "coi|first|none",
     .help = "what rotor angles in the figure are relative to; default coi"},
    {.name = NULL},
};

static const cli_flag plot_flags[] = {
    {.name = "plot", .value = "FILE", .help = "a figure, .svg, .png or .pdf"},
    {.name = NULL},
};

static const cli_flag cct_flags[] = {
    {.name = "fault-bus", .value = "BUS", .help = "where the bolted fault is"},
    {.name = "all-buses", .help = "every bus in turn, in worker threads, ranked"},
    {.name = "each-branch", .help = "with --all-buses: also with each branch at the bus opened"},
    {.name = "window", .value = "T", .help = "a run goes on up to this time, default 5 s"},
    {.name = "threshold", .value = "DEG", .help = "machines further apart have lost synchronism, default 180"},
    {.name = "scan", .value = "T", .help = "steps of the scan, default 0.005 s"},
    {.name = "largest", .value = "T", .help = "end of the scan, default 1 s"},
    {.name = NULL},
};

static const cli_flag synth_flags[] = {
    {.name = "buses", .value = "N", .help = "number of buses"},
    {.name = "areas", .value = "N", .help = "number of areas in the ring, default one for 50 buses"},
    {.name = "seed", .value = "N", .help = "another network of the same kind, default 1"},
    {.name = "out", .value = "FILE.m", .help = "default synthN.m; machine data go to FILE.csv"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {flow_flags, machine_flags, run_flags,           trip_flags,          plot_flags,
                                        cct_flags,  synth_flags,   gt_cli_solver_flags, gt_cli_common_flags, NULL};

enum { MOST_TABLES = 10 };
static const struct sub {
    const char *name;
    int operands; /* with its own name */
    int (*run)(const cli_args *args);
    const cli_flag *tables[MOST_TABLES];
} subs[] = {
    {"run",
     2,
     gt_power_cmd_run,
     {flow_flags, machine_flags, run_flags, trip_flags, plot_flags, gt_cli_solver_flags, gt_cli_common_flags}},
    {"flow", 2, gt_power_cmd_flow, {flow_flags, gt_cli_common_flags}},
    {"cct",
     2,
     gt_power_cmd_cct,
     {flow_flags, machine_flags, trip_flags, cct_flags, gt_cli_solver_flags, gt_cli_common_flags}},
    {"modes", 2, gt_power_cmd_modes, {flow_flags, machine_flags, plot_flags, gt_cli_common_flags}},
    {"synth", 1, gt_power_cmd_synth, {synth_flags, gt_cli_common_flags}},
};
enum { N_SUBS = sizeof subs / sizeof *subs };

static bool takes(const struct sub *sub, const char *flag)
{
    for (int t = 0; t < MOST_TABLES && sub->tables[t]; t++)
        for (const cli_flag *f = sub->tables[t]; f->name; f++)
            if (!strcmp(f->name, flag)) return true;
    return false;
}

static int run(const cli_args *args)
{
    const char *names[N_SUBS + 1] = {NULL};
    const struct sub *sub = NULL;
    char hint[96];
    for (int i = 0; i < N_SUBS; i++) {
        names[i] = subs[i].name;
        if (!strcmp(subs[i].name, args->operands[0])) sub = &subs[i];
    }
    if (!sub)
        return gt_cli_usage("power has no command '%s'%s; it has run, flow, cct, modes, synth", args->operands[0],
                            gt_cli_suggest(args->operands[0], names, hint));
    for (size_t i = 0; i < args->n_given; i++)
        if (!takes(sub, args->given[i].flag->name))
            return gt_cli_usage("power %s has no flag --%s; see: geartrain help power", sub->name,
                                args->given[i].flag->name);
    if (args->n_operands < (size_t)sub->operands)
        return gt_cli_usage("power %s needs a case file: geartrain power %s CASE.m", sub->name, sub->name);
    if (args->n_operands > (size_t)sub->operands)
        return gt_cli_usage("power %s: '%s' is one argument too many", sub->name, args->operands[sub->operands]);
    return sub->run(args);
}

const cli_command gt_cmd_power = {
    .name = "power",
    .title = "power systems: power flow, transient and midterm stability, clearing times, modes",
    .operands = "run|flow|cct|modes CASE.m, or power synth --buses N",
    .about =
        "CASE is a MATPOWER case file, version 2. Machine data stand beside it in a table (.csv, .json) or as PSS/E\n"
        "records (.dyr); see docs/power.md. flow: voltages, angles, P, Q. run: a simulation with faults and "
        "switching,\n"
        "which are hit exactly. cct: critical clearing time. modes: eigenvalues, damping, participation. synth: a\n"
        "made-up network of any size.",
    .examples = "    geartrain power flow cases/wscc9.m\n"
                "    geartrain power run cases/wscc9.m --model classical --fault 8@0.1:0.22 --trip 8-9@0.22 --t1 2 "
                "--plot swing.svg\n"
                "    geartrain power run cases/wscc9.m --loads power --load '5*1.2@1' --h 0.01 --out run.csv\n"
                "    geartrain power cct cases/wscc9.m --fault-bus 8 --trip 8-9 --model classical --window 2\n"
                "    geartrain power modes cases/wscc9.m --loads power",
    .flags = flags,
    .min_operands = 1,
    .max_operands = 2,
    .run = run,
};

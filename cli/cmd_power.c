/* SPDX-License-Identifier: BSD-3-Clause */
/* power: transient and midterm stability of power systems; the commands that follow the word. */
#include "power_parts.h"

static const cli_flag flow_flags[] = {
    {CLI_OWN(power_flags, flat, "flat"),
     .help = "power flow from 1 p.u. and angle 0 instead of the values of the case"},
    {CLI_OWN(power_flags, qlimits, "qlimits"),
     .help = "power flow within the reactive limits of the generators"},
    {.name = NULL},
};

static const cli_flag machine_flags[] = {
    {CLI_OWN(power_flags, dyn, "dyn"), .value = "FILE",
     .help = "machine data, .csv, .json or .dyr; default: beside the case, with its name"},
    {CLI_OWN(power_flags, model, "model"), .value = "classical|twoaxis",
     .help =
         "network reduced to the machines, or kept with the machines as their data say (default)"},
    {CLI_OWN(power_flags, loads, "loads"), .value = "KIND",
     .help = "impedance (default), power, current, or parts of the three as in 0.4,0.2,0.4 "
             "(impedance, current, power)"},
    {CLI_OWN(power_flags, vbreak, "vbreak"), .value = "V",
     .help = "below this voltage every load is an impedance; default 0.7"},
    {CLI_OWN(power_flags, limits, "limits"), .help = "non-windup limits on V_R and valves"},
    {CLI_OWN(power_flags, keep_charging, "keep-charging"),
     .help = "an opened line leaves its charging at the buses, as crow prints it"},
    {CLI_OWN(power_flags, hz, "hz"), .value = "F", .help = "rated frequency, default 60"},
    {CLI_OWN(power_flags, zsource, "zsource"), .value = "X",
     .help = "x'd of GENCLS records, on the base of the machine"},
    {.name = NULL},
};

static const cli_flag trip_flags[] = {
    {CLI_OWN(power_flags, trip, "trip"), .value = "I-J[#K][@T]",
     .help = "run: opens a branch; cct: opens it at the clearing (no time)", .repeats = true},
    {.name = NULL},
};

static const cli_flag run_flags[] = {
    {CLI_OWN(power_flags, fault, "fault"), .value = "BUS@ON:OFF[:Z]",
     .help = "three-phase fault, bolted or through Z = R+jX p.u.", .repeats = true},
    {CLI_OWN(power_flags, reclose, "reclose"), .value = "I-J[#K]@T", .help = "closes a branch",
     .repeats = true},
    {CLI_OWN(power_flags, load, "load"), .value = "BUS*F@T",
     .help = "the load of a bus becomes F times that of the case", .repeats = true},
    {CLI_OWN(power_flags, gentrip, "gentrip"), .value = "BUS[#K]@T",
     .help = "disconnects a machine", .repeats = true},
    {CLI_FLAG(t1, "t1"), .value = "T", .help = "end of the run, default 10 s",
     .alias = "stop-time"},
    {CLI_FLAG(every, "every"), .value = "DT",
     .help = "rows of --out every DT instead of every step", .alias = "output-interval"},
    {CLI_FLAG(out, "out"), .value = "FILE.csv|-",
     .help = "t, delta_M (degrees), omega_M (rad/s), V_B (p.u.), theta_B (degrees)",
     .alias = "output-file"},
    {CLI_FLAG(vars, "vars"), .value = "A,B,..",
     .help = "only these columns, V_5 for one or V for all voltages"},
    {CLI_OWN(power_flags, relative, "relative"), .value = "coi|first|none",
     .help = "what rotor angles in the figure are relative to; default coi"},
    {.name = NULL},
};

static const cli_flag plot_flags[] = {
    {CLI_FLAG(plot, "plot"), .value = "FILE", .help = "a figure, .svg, .png or .pdf"},
    {CLI_FLAG(title, "title"), .value = "TEXT", .help = "the title of the figure"},
    {CLI_FLAG(size, "size"), .value = "WxH", .help = "its size in pixels, as in 1200x800"},
    {.name = NULL},
};

static const cli_flag cct_flags[] = {
    {CLI_OWN(power_flags, fault_bus, "fault-bus"), .value = "BUS",
     .help = "where the bolted fault is"},
    {CLI_OWN(power_flags, all_buses, "all-buses"),
     .help = "every bus in turn, in worker threads, ranked"},
    {CLI_OWN(power_flags, each_branch, "each-branch"),
     .help = "with --all-buses: also with each branch at the bus opened"},
    {CLI_OWN(power_flags, window, "window"), .value = "T",
     .help = "a run goes on up to this time, default 5 s"},
    {CLI_OWN(power_flags, threshold, "threshold"), .value = "DEG",
     .help = "machines further apart have lost synchronism, default 180"},
    {CLI_OWN(power_flags, scan, "scan"), .value = "T",
     .help = "steps of the scan, default 0.005 s"},
    {CLI_OWN(power_flags, largest, "largest"), .value = "T",
     .help = "end of the scan, default 1 s"},
    {.name = NULL},
};

static const cli_flag synth_flags[] = {
    {CLI_OWN(power_flags, buses, "buses"), .value = "N", .help = "number of buses"},
    {CLI_OWN(power_flags, areas, "areas"), .value = "N",
     .help = "number of areas in the ring, default one for 50 buses"},
    {CLI_OWN(power_flags, seed, "seed"), .value = "N",
     .help = "another network of the same kind, default 1"},
    {CLI_FLAG(out, "out"), .value = "FILE.m",
     .help = "default synthN.m; machine data go to FILE.csv"},
    {.name = NULL},
};

static const cli_flag *const run_tables[] = {
    flow_flags, machine_flags,       run_flags,           trip_flags,
    plot_flags, gt_cli_solver_flags, gt_cli_common_flags, NULL};

static const cli_command run = {
    .name = "power run",
    .title = "a simulation with faults and switching, which are hit exactly",
    .operands = "CASE.m",
    .examples = "    geartrain power run cases/wscc9.m --model classical --fault 8@0.1:0.22 --trip "
                "8-9@0.22 --t1 2 "
                "--plot swing.svg\n"
                "    geartrain power run cases/wscc9.m --loads power --load '5*1.2@1' --h 0.01 "
                "--out run.csv",
    .flags = run_tables,
    .own_bytes = sizeof(power_flags),
    .min_operands = 1,
    .max_operands = 1,
    .run = gt_power_cmd_run,
    .reports = gt_power_run_reports,
};

static const cli_flag *const flow_tables[] = {flow_flags, gt_cli_common_flags, NULL};

static const cli_command flow = {
    .name = "power flow",
    .title = "voltages, angles, P and Q by Newton's method",
    .operands = "CASE.m",
    .examples = "    geartrain power flow cases/wscc9.m",
    .flags = flow_tables,
    .own_bytes = sizeof(power_flags),
    .min_operands = 1,
    .max_operands = 1,
    .run = gt_power_cmd_flow,
    .reports = gt_power_flow_reports,
};

static const cli_flag *const cct_tables[] = {flow_flags, machine_flags,       trip_flags,
                                             cct_flags,  gt_cli_solver_flags, gt_cli_common_flags,
                                             NULL};

static const cli_command cct = {
    .name = "power cct",
    .title = "the critical clearing time of a fault, or of a fault at every bus",
    .operands = "CASE.m",
    .examples = "    geartrain power cct cases/wscc9.m --fault-bus 8 --trip 8-9 --model classical "
                "--window 2\n"
                "    geartrain power cct cases/wscc9.m --all-buses --model classical",
    .flags = cct_tables,
    .own_bytes = sizeof(power_flags),
    .min_operands = 1,
    .max_operands = 1,
    .run = gt_power_cmd_cct,
    .reports = gt_power_cct_reports,
};

static const cli_flag *const modes_tables[] = {flow_flags, machine_flags, plot_flags,
                                               gt_cli_common_flags, NULL};

static const cli_command modes = {
    .name = "power modes",
    .title = "eigenvalues of the linear model, damping, participation",
    .operands = "CASE.m",
    .examples = "    geartrain power modes cases/wscc9.m --loads power",
    .flags = modes_tables,
    .own_bytes = sizeof(power_flags),
    .min_operands = 1,
    .max_operands = 1,
    .run = gt_power_cmd_modes,
    .reports = gt_power_modes_reports,
};

static const cli_flag *const synth_tables[] = {synth_flags, gt_cli_common_flags, NULL};

static const cli_command synth = {
    .name = "power synth",
    .title = "a made-up network of any size, as a case file with machine data beside it",
    .operands = "--buses N",
    .examples = "    geartrain power synth --buses 300 --out synth300.m",
    .flags = synth_tables,
    .own_bytes = sizeof(power_flags),
    .run = gt_power_cmd_synth,
    .reports = gt_power_synth_reports,
};

static const cli_command *const subs[] = {&run, &flow, &cct, &modes, &synth, NULL};

const cli_command gt_cmd_power = {
    .name = "power",
    .title = "power systems: power flow, transient and midterm stability, clearing times, modes",
    .operands = "run|flow|cct|modes CASE.m, or power synth --buses N",
    .about = "CASE is a MATPOWER case file, version 2. Machine data stand beside it in a table "
             "(.csv, .json) or as PSS/E\n"
             "records (.dyr); see docs/power.md.",
    .subs = subs,
};

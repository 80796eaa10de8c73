/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_POWER_PARTS_H
#define GEARTRAIN_POWER_PARTS_H

#include "figure_series.h"
#include "report.h"

/* What was given for the flags that `power` alone has. */
typedef struct power_flags {
    cli_value all_buses, areas, buses, dyn, each_branch, fault, fault_bus, flat, gentrip, hz,
        keep_charging, largest, limits, load, loads, model, qlimits, reclose, relative, scan, seed,
        threshold, trip, vbreak, window, zsource;
} power_flags;

static inline const power_flags *power_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(power_flags));
}

#define DEGREES_IN_RADIAN (180 / GT_PI)

/* The parts of `power`: what its commands share (power_load.c, power_words.c), and one file for
 * each of them. */

/* A case with power flow, machine data and the setup from the flags; the problem is made by
 * gt_power_job_build. */
typedef struct power_job {
    const cli_args *args;
    cli_problem p; /* its arena holds everything */
    gt_power_case c;
    gt_power_flow_result flow;
    gt_power_dynamics d;
    gt_power_setup setup;
    const gt_power_system *system;
    const char *inputs[3]; /* files that outputs must not overwrite */
    bool json, quiet;
} power_job;

/* Case and power flow; then machine data and setup as well. To be freed in any case. */
int gt_power_job_flow(const cli_args *args, power_job *job);
int gt_power_job_setup(const cli_args *args, power_job *job);
int gt_power_job_build(power_job *job);
void gt_power_job_free(power_job *job);

/* "impedance" and the like, for reports. */
const char *gt_power_loads_text(const gt_power_setup *setup, char buffer[96]);

/* Words about buses, branches and events (power_words.c). what: "--trip". */
int gt_power_word_bus(const gt_power_case *c, const char *what, const char *text, size_t *bus);
int gt_power_word_branch(const gt_power_case *c, const char *what, const char *text,
                         size_t *branch);
int gt_power_events(power_job *job);

/* "2", or "2.3" for the third unit at bus 2. */
const char *gt_power_machine_name(const power_job *job, size_t machine, char buffer[24]);

/* The commands. */
int gt_power_cmd_run(const cli_args *args);
int gt_power_cmd_flow(const cli_args *args);
int gt_power_cmd_cct(const cli_args *args);
int gt_power_cmd_modes(const cli_args *args);
int gt_power_cmd_synth(const cli_args *args);

/* What a run leaves behind (power_record.c): rows of t, then delta (degrees), speed (rad/s), V,
 * angle (degrees) of all machines and buses. Three sinks, so that the rows of the file change
 * neither the figure nor the largest angle. */
typedef struct power_record {
    gt_sink sinks[3]; /* the CSV file, the figure, the largest angle; those that are wanted */
    size_t n_sinks;
    const power_job *job;
    size_t machines, buses, columns; /* columns without t */
    double *row;                     /* scratch, 1 + columns */
    figure_rows rows;                /* for a figure */
    cli_file csv;
    bool writes;
    const bool *wanted;         /* columns of the CSV file; NULL: all */
    double most_apart, t_apart; /* largest difference of connected rotors, rad */
} power_record;

int gt_power_record_init(power_record *r, power_job *job);
void gt_power_record_figure(power_record *r); /* keeps rows for a figure */
void gt_power_record_free(power_record *r);
void gt_power_column_name(const power_record *r, size_t column, char buffer[48]);
int gt_power_record_csv(power_record *r, const char *path, const char *vars, unsigned wants);

/* What is seen at the end of a run. */
typedef struct power_view {
    double *delta, *omega, *v, *angle, centre;
} power_view;

typedef struct power_run {
    power_job job;
    cli_solver solver;
    power_record record;
    const char *out, *plot, *relative;
    gt_sink *sinks[3];
    double *x, wall;
    gt_report report;
    power_view view;
} power_run;

/* What the commands report. */
extern const report_field gt_power_run_fields[]; /* of a power_run (power_run_report.c) */
extern const cli_report gt_power_run_reports[], gt_power_flow_reports[], gt_power_cct_reports[];
extern const cli_report gt_power_modes_reports[], gt_power_synth_reports[];
const char *gt_power_model_name(const power_job *job); /* "two-axis" */

/* The figure: rotor angles, speeds, voltages (power_plot.c). */
int gt_power_draw(const power_record *r, const char *path, const char *relative, const char *title,
                  const cli_args *args);

#endif

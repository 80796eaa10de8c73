/* SPDX-License-Identifier: BSD-3-Clause */
/* What `power run` reports. */
#include "power_parts.h"
#include "report_parts.h"
#include <math.h>

enum { MOST_ROWS = 40 };

static const power_run *run_of(const void *data) { return data; }

const char *gt_power_model_name(const power_job *job)
{
    return job->setup.model == GT_POWER_CLASSICAL ? "classical" : "two-axis";
}

static void say_heading(const void *data, report_text *out)
{
    const power_job *job = &run_of(data)->job;
    char loads[96];
    gt_report_say(out, "%s: %zu buses, %zu machines, %s model, loads %s%s", job->c.name,
                  job->c.n_bus, gt_power_machines(job->system), gt_power_model_name(job),
                  gt_power_loads_text(&job->setup, loads),
                  job->setup.limits ? ", with limits" : "");
}

static void get_model(const void *data, report_value *out)
{
    bool classical = run_of(data)->job.setup.model == GT_POWER_CLASSICAL;
    out->text = classical ? "classical" : "twoaxis";
}

static void get_loads(const void *data, report_value *out)
{
    out->text = gt_power_loads_text(&run_of(data)->job.setup, out->room);
}

/* ---- machine i ---- */

static const gt_power_gen *gen_of(const void *data)
{
    const report_item *item = data;
    const power_job *job = &run_of(item->of)->job;
    return &job->c.gen[gt_power_machine_gen(job->system, item->i)];
}

static bool each_machine(const void *data, size_t i, report_value *out)
{
    (void)out;
    return i < gt_power_machines(run_of(data)->job.system);
}

static void say_machine(const void *data, report_text *out)
{
    const report_item *item = data;
    char name[24];
    gt_report_say(out, "%s", gt_power_machine_name(&run_of(item->of)->job, item->i, name));
}

static void get_machine_bus(const void *data, report_value *out)
{
    const report_item *item = data;
    out->integer = run_of(item->of)->job.c.bus[gen_of(data)->bus].number;
}

static void get_unit(const void *data, report_value *out) { out->integer = gen_of(data)->unit; }

static void get_delta_coi(const void *data, report_value *out)
{
    const report_item *item = data;
    const power_view *w = &run_of(item->of)->view;
    out->number = w->delta[item->i] - w->centre;
}

static void get_connected(const void *data, report_value *out)
{
    const report_item *item = data;
    const power_run *s = item->of;
    out->flag = gt_power_machine_on(s->job.system, s->report.t, item->i);
}

static void say_disconnected(const void *data, report_text *out)
{
    report_value v;
    get_connected(data, &v);
    if (!v.flag) gt_report_say(out, "disconnected");
}

static const report_field machine_fields[] = {
    {.type = REPORT_SIZE, .label = "machine", .say = say_machine},
    REPORT_KEY("bus", "where it is", .type = REPORT_INT, .get = get_machine_bus),
    REPORT_KEY("unit", "its number there", .type = REPORT_INT, .get = get_unit),
    REPORT_KEY("delta_deg", "rotor angle, degrees", REPORT_COLUMN(power_run, view.delta),
               .factor = DEGREES_IN_RADIAN, .label = "delta deg", .format = "%.6f"),
    REPORT_KEY("delta_coi_deg", "the same relative to the centre of inertia", .type = REPORT_NUMBER,
               .get = get_delta_coi, .factor = DEGREES_IN_RADIAN, .label = "to centre deg",
               .format = "%.6f"),
    REPORT_KEY("omega", "speed, rad/s", REPORT_COLUMN(power_run, view.omega)),
    {.label = "speed Hz",
     REPORT_COLUMN(power_run, view.omega),
     .factor = DEGREES_IN_RADIAN / 360,
     .format = "%.6f"},
    REPORT_KEY("connected", "whether it is", .type = REPORT_BOOL, .get = get_connected, .label = "",
               .say = say_disconnected),
    {.type = REPORT_END},
};

/* ---- bus i ---- */

static void get_bus(const void *data, report_value *out)
{
    const report_item *item = data;
    out->integer = run_of(item->of)->job.c.bus[item->i].number;
}

static const report_field bus_fields[] = {
    REPORT_KEY("bus", "its number", .type = REPORT_INT, .get = get_bus, .label = "bus"),
    REPORT_KEY("v", "voltage, p.u.", REPORT_COLUMN(power_run, view.v), .label = "V p.u.",
               .format = "%.6f"),
    REPORT_KEY("angle_deg", "of the voltage, degrees", REPORT_COLUMN(power_run, view.angle),
               .factor = DEGREES_IN_RADIAN, .label = "angle deg", .format = "%.6f"),
    {.type = REPORT_END},
};

/* ---- change i of the network up to the end of the run ---- */

static bool each_change(const void *data, size_t i, report_value *out)
{
    (void)out;
    const gt_power_system *system = run_of(data)->job.system;
    return i < gt_power_changes(system) && gt_power_change_time(system, i) < run_of(data)->report.t;
}

static const gt_power_system *system_of(const void *data)
{
    return run_of(((const report_item *)data)->of)->job.system;
}

static void get_change_t(const void *data, report_value *out)
{
    out->number = gt_power_change_time(system_of(data), ((const report_item *)data)->i);
}

static void get_change_name(const void *data, report_value *out)
{
    out->text = gt_power_change_text(system_of(data), ((const report_item *)data)->i);
}

static void get_islands(const void *data, report_value *out)
{
    size_t dead;
    out->integer =
        (long)gt_power_islands(system_of(data), ((const report_item *)data)->i + 1, &dead);
}

static void get_dead(const void *data, report_value *out)
{
    size_t dead;
    gt_power_islands(system_of(data), ((const report_item *)data)->i + 1, &dead);
    out->integer = (long)dead;
}

static const report_field change_fields[] = {
    REPORT_KEY("t", "when", .type = REPORT_NUMBER, .get = get_change_t),
    REPORT_KEY("name", "what happened", .type = REPORT_STRING, .get = get_change_name),
    REPORT_KEY("islands", "parts of the network from then on", .type = REPORT_SIZE,
               .get = get_islands),
    REPORT_KEY("dead_buses", "without a machine", .type = REPORT_SIZE, .get = get_dead),
    {.type = REPORT_END},
};

static void say_changes(const void *data, report_text *out)
{
    const gt_power_system *system = run_of(data)->job.system;
    report_value unused;
    for (size_t k = 0; each_change(data, k, &unused); k++)
        gt_report_say(out, "%st = %-8g %s", k ? "\n" : "    ", gt_power_change_time(system, k),
                      gt_power_change_text(system, k));
}

/* ---- the run ---- */

static void say_work(const void *data, report_text *out)
{
    const power_run *s = data;
    const gt_stats *stats = &s->report.stats;
    gt_report_say(out,
                  "%s to t = %g: %ld steps, %ld rejected, %ld Jacobians, %ld factorizations, %ld "
                  "Newton iterations",
                  s->solver.method->name, s->report.t, stats->steps, stats->rejected,
                  stats->jacobians, stats->factorizations, stats->newton);
    if (stats->events) gt_report_say(out, ", %ld limits met or left", stats->events);
}

static void get_synchronous(const void *data, report_value *out)
{
    out->flag = run_of(data)->record.most_apart * DEGREES_IN_RADIAN <= 180;
}

static void say_apart(const void *data, report_text *out)
{
    const power_record *r = &run_of(data)->record;
    double degrees = r->most_apart * DEGREES_IN_RADIAN;
    gt_report_say(out, "largest angle between connected machines: %.3f degrees at t = %.5g%s",
                  degrees, r->t_apart,
                  degrees > 180 ? "; above 180 degrees, so synchronism is lost" : "");
}

const report_field gt_power_run_fields[] = {
    REPORT_TEXT("", say_heading),
    REPORT_KEY("case", "its name", REPORT_AT(power_run, job.c.name)),
    REPORT_KEY("model", "of the machines", .type = REPORT_STRING, .get = get_model),
    REPORT_KEY("loads", "their kind", .type = REPORT_STRING, .get = get_loads),
    REPORT_KEY("limits", "of the controllers are kept", REPORT_AT(power_run, job.setup.limits)),
    REPORT_PART(gt_report_solver, .offset = offsetof(power_run, solver), .silent = true),
    REPORT_PART(gt_report_ending, .offset = offsetof(power_run, report)),
    REPORT_KEY("events", "changes of the network", .type = REPORT_LIST, .each = each_change,
               .of = change_fields, .label = "", .say = say_changes),
    REPORT_KEY("t", "where the run ended", REPORT_AT(power_run, report.t)),
    REPORT_KEY("stats", "the work", REPORT_AS(OBJECT, power_run, report.stats),
               .of = gt_report_stats, .label = "", .say = say_work),
    REPORT_KEY("max_angle_deg", "largest angle between connected machines",
               REPORT_AT(power_run, record.most_apart), .factor = DEGREES_IN_RADIAN, .label = "",
               .say = say_apart),
    REPORT_KEY("max_angle_t", "when", REPORT_AT(power_run, record.t_apart)),
    REPORT_KEY("synchronous", "it stays below 180 degrees", .type = REPORT_BOOL,
               .get = get_synchronous),
    REPORT_KEY("machines", "at the end", .type = REPORT_LIST, .each = each_machine,
               .of = machine_fields, .label = "", .most = MOST_ROWS),
    REPORT_KEY("buses", "at the end", REPORT_COUNT(power_run, job.c.n_bus), .of = bus_fields,
               .label = "", .most = MOST_ROWS),
    REPORT_KEY("wall_s", "seconds that the run took", REPORT_AT(power_run, wall)),
    {.type = REPORT_END},
};

const cli_report gt_power_run_reports[] = {{.fields = gt_power_run_fields}, {.fields = NULL}};

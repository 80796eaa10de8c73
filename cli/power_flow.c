/* SPDX-License-Identifier: BSD-3-Clause */
/* power flow: the table of voltages, angles and powers that crow 5.8 prints. */
#include "power_parts.h"
#include "report_parts.h"

/* Generation at a bus; false when there is none in service. */
static bool generation(const power_job *job, size_t bus, double *p, double *q, bool *limited)
{
    bool any = false;
    *p = *q = 0;
    *limited = false;
    for (size_t k = 0; k < job->c.n_gen; k++) {
        if (job->c.gen[k].bus != bus || !job->c.gen[k].on) continue;
        any = true;
        *p += job->flow.p_gen[k];
        *q += job->flow.q_gen[k];
        if (job->flow.limited[k]) *limited = true;
    }
    return any;
}

/* A generator whose reactive power is outside its limits, which were not asked for: worth a word.
 */
static void remark_limits(const power_job *job)
{
    size_t outside = 0, first = 0;
    for (size_t k = 0; k < job->c.n_gen; k++) {
        const gt_power_gen *gen = &job->c.gen[k];
        double q = job->flow.q_gen[k], slack = 1e-6;
        if (!gen->on || (q <= gen->q_max + slack && q >= gen->q_min - slack)) continue;
        if (!outside++) first = k;
    }
    if (outside)
        gt_cli_warn("%zu generator%s outside reactive limits, the first at bus %d; "
                    "--qlimits holds them",
                    outside, outside == 1 ? " is" : "s are",
                    job->c.bus[job->c.gen[first].bus].number);
}

/* ---- bus i of a job ---- */

typedef struct bus_view {
    const power_job *job;
    size_t i;
    double p, q; /* generation */
    bool any, limited;
} bus_view;

static bus_view bus_of(const void *data)
{
    const report_item *item = data;
    bus_view b = {.job = item->of, .i = item->i};
    b.any = generation(b.job, b.i, &b.p, &b.q, &b.limited);
    return b;
}

static const gt_power_bus *data_of(const void *data)
{
    const report_item *item = data;
    return &((const power_job *)item->of)->c.bus[item->i];
}

static void get_number(const void *data, report_value *out)
{
    out->integer = data_of(data)->number;
}

static void get_p_gen(const void *data, report_value *out) { out->number = bus_of(data).p; }

static void get_q_gen(const void *data, report_value *out) { out->number = bus_of(data).q; }

static void get_p_load(const void *data, report_value *out) { out->number = data_of(data)->p_load; }

static void get_q_load(const void *data, report_value *out) { out->number = data_of(data)->q_load; }

static void get_limited(const void *data, report_value *out) { out->flag = bus_of(data).limited; }

static void say_limited(const void *data, report_text *out)
{
    if (bus_of(data).limited) gt_report_say(out, "at its reactive limit");
}

static bool has_load(const void *data)
{
    return data_of(data)->p_load != 0 || data_of(data)->q_load != 0;
}

static bool has_gen(const void *data) { return bus_of(data).any; }

static const report_field bus_fields[] = {
    REPORT_KEY("bus", "its number", .type = REPORT_INT, .get = get_number, .label = "bus"),
    REPORT_KEY("v", "voltage, p.u.", REPORT_COLUMN(power_job, flow.v), .label = "V",
               .format = "%.4f"),
    REPORT_KEY("angle_deg", "of the voltage, degrees", REPORT_COLUMN(power_job, flow.angle),
               .factor = DEGREES_IN_RADIAN, .label = "angle deg", .format = "%.4f"),
    REPORT_KEY("p_gen", "generation, p.u.", .type = REPORT_NUMBER, .get = get_p_gen),
    REPORT_KEY("q_gen", "reactive generation, p.u.", .type = REPORT_NUMBER, .get = get_q_gen),
    REPORT_KEY("p_load", "load, p.u.", .type = REPORT_NUMBER, .get = get_p_load),
    REPORT_KEY("q_load", "reactive load, p.u.", .type = REPORT_NUMBER, .get = get_q_load),
    {.type = REPORT_NUMBER, .get = get_p_gen, .when = has_gen, .label = "P_gen", .format = "%.4f"},
    {.type = REPORT_NUMBER, .get = get_q_gen, .when = has_gen, .label = "Q_gen", .format = "%.4f"},
    {.type = REPORT_NUMBER,
     .get = get_p_load,
     .when = has_load,
     .label = "P_load",
     .format = "%.4f"},
    {.type = REPORT_NUMBER,
     .get = get_q_load,
     .when = has_load,
     .label = "Q_load",
     .format = "%.4f"},
    REPORT_KEY("at_q_limit", "a generator there is at its reactive limit", .type = REPORT_BOOL,
               .get = get_limited, .label = "", .say = say_limited),
    {.type = REPORT_END},
};

static void say_heading(const void *data, report_text *out)
{
    const gt_power_case *c = &((const power_job *)data)->c;
    gt_report_say(out, "%s: %zu buses, %zu generators, %zu branches, p.u. on %g MVA", c->name,
                  c->n_bus, c->n_gen, c->n_branch, c->mva);
}

static void say_losses(const void *data, report_text *out)
{
    const power_job *job = data;
    gt_report_say(out,
                  "\nlosses %.6f p.u. (%.4f MW); largest mismatch %.2g p.u. at bus %d after %d "
                  "iterations",
                  job->flow.p_loss, job->flow.p_loss * job->c.mva, job->flow.mismatch,
                  job->c.bus[job->flow.worst].number, job->flow.iterations);
}

static void get_status(const void *data, report_value *out)
{
    (void)data; /* a flow that is not found is refused */
    out->text = "ok";
}

static const report_field fields[] = {
    REPORT_TEXT("", say_heading),
    REPORT_KEY("case", "its name", REPORT_AT(power_job, c.name)),
    REPORT_KEY("status", "\"ok\"", .type = REPORT_STRING, .get = get_status),
    REPORT_KEY("base_mva", "the power of 1 p.u.", REPORT_AT(power_job, c.mva)),
    REPORT_KEY("iterations", "of Newton's method", REPORT_AT(power_job, flow.iterations)),
    REPORT_KEY("buses", "in the order of the file", REPORT_COUNT(power_job, c.n_bus),
               .of = bus_fields, .label = ""),
    REPORT_KEY("p_loss", "in all branches, p.u.", REPORT_AT(power_job, flow.p_loss), .label = "",
               .say = say_losses),
    REPORT_KEY("mismatch", "largest error of a power that is left, p.u.",
               REPORT_AT(power_job, flow.mismatch)),
    {.type = REPORT_END},
};

const cli_report gt_power_flow_reports[] = {{.fields = fields}, {.fields = NULL}};

int gt_power_cmd_flow(const cli_args *args)
{
    power_job job;
    int code = gt_power_job_flow(args, &job);
    if (!code && job.json) {
        code = gt_report_print_json(fields, &job);
    } else if (!code) {
        gt_report_print(stdout, fields, &job);
        remark_limits(&job);
    }
    gt_power_job_free(&job);
    return code;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* power flow: the table of voltages, angles and powers that crow 5.8 prints. */
#include "power_parts.h"

static const double DEGREES = 57.29577951308232;

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

static int print_json(const power_job *job)
{
    json_t *object = json_object(), *buses = json_array();
    for (size_t i = 0; i < job->c.n_bus; i++) {
        const gt_power_bus *bus = &job->c.bus[i];
        double p, q;
        bool limited;
        generation(job, i, &p, &q, &limited);
        json_t *entry = json_object();
        json_object_set_new(entry, "bus", json_integer(bus->number));
        json_object_set_new(entry, "v", gt_cli_json_number(job->flow.v[i]));
        json_object_set_new(entry, "angle_deg", gt_cli_json_number(job->flow.angle[i] * DEGREES));
        json_object_set_new(entry, "p_gen", gt_cli_json_number(p));
        json_object_set_new(entry, "q_gen", gt_cli_json_number(q));
        json_object_set_new(entry, "p_load", gt_cli_json_number(bus->p_load));
        json_object_set_new(entry, "q_load", gt_cli_json_number(bus->q_load));
        json_object_set_new(entry, "at_q_limit", json_boolean(limited));
        json_array_append_new(buses, entry);
    }
    json_object_set_new(object, "case", json_string(job->c.name));
    json_object_set_new(object, "status", json_string("ok"));
    json_object_set_new(object, "base_mva", gt_cli_json_number(job->c.mva));
    json_object_set_new(object, "mismatch", gt_cli_json_number(job->flow.mismatch));
    json_object_set_new(object, "iterations", json_integer(job->flow.iterations));
    json_object_set_new(object, "p_loss", gt_cli_json_number(job->flow.p_loss));
    json_object_set_new(object, "buses", buses);
    return gt_cli_json_print(object);
}

/* A generator whose reactive power is outside its limits, which were not asked for: worth a word. */
static void remark_limits(const power_job *job)
{
    size_t outside = 0, first = 0;
    for (size_t k = 0; k < job->c.n_gen; k++) {
        const gt_power_gen *gen = &job->c.gen[k];
        double q = job->flow.q_gen[k], slack = 1e-6;
        if (!gen->on || (q <= gen->q_max + slack && q >= gen->q_min - slack)) continue;
        if (!outside++) first = k;
    }
    if (outside && !job->quiet)
        gt_cli_note("remark: %zu generator%s outside reactive limits, the first at bus %d; --qlimits holds them",
                    outside, outside == 1 ? " is" : "s are", job->c.bus[job->c.gen[first].bus].number);
}

static void print_number(bool there, double value)
{
    there ? gt_fprintf(stdout, " %10.4f", value) : printf(" %10s", "");
}

static void print_text(const power_job *job)
{
    const gt_power_case *c = &job->c;
    gt_fprintf(stdout, "%s: %zu buses, %zu generators, %zu branches, p.u. on %g MVA\n\n", c->name, c->n_bus, c->n_gen,
               c->n_branch, c->mva);
    printf("%8s %10s %10s %10s %10s %10s %10s\n", "bus", "V", "angle deg", "P_gen", "Q_gen", "P_load", "Q_load");
    for (size_t i = 0; i < c->n_bus; i++) {
        double p, q;
        bool limited, gen = generation(job, i, &p, &q, &limited), load = c->bus[i].p_load != 0 || c->bus[i].q_load != 0;
        gt_fprintf(stdout, "%8d %10.4f %10.4f", c->bus[i].number, job->flow.v[i], job->flow.angle[i] * DEGREES + 0.0);
        if (gen || load) {
            print_number(gen, p);
            print_number(gen, q);
        }
        if (load) {
            print_number(load, c->bus[i].p_load);
            print_number(load, c->bus[i].q_load);
        }
        puts(limited ? "  at its reactive limit" : "");
    }
    gt_fprintf(stdout, "\nlosses %.6f p.u. (%.4f MW); largest mismatch %.2g p.u. at bus %d after %d iterations\n",
               job->flow.p_loss, job->flow.p_loss * c->mva, job->flow.mismatch, c->bus[job->flow.worst].number,
               job->flow.iterations);
}

int gt_power_cmd_flow(const cli_args *args)
{
    power_job job;
    int code = gt_power_job_flow(args, &job);
    if (!code && job.json) {
        code = print_json(&job);
    } else if (!code) {
        print_text(&job);
        remark_limits(&job);
    }
    gt_power_job_free(&job);
    return code;
}

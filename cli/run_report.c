/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_parts.h"
#include <string.h>

static json_t *json_invariants(const run_outcome *o)
{
    const gt_problem *problem = &o->p->problem;
    json_t *object = json_object();
    for (size_t i = 0; i < problem->n_invariants; i++) {
        json_t *entry = json_object();
        json_object_set_new(entry, "start", gt_cli_json_number(o->record->start[i]));
        json_object_set_new(entry, "end", gt_cli_json_number(o->record->end[i]));
        json_object_set_new(entry, "max_drift", gt_cli_json_number(o->record->drift[i]));
        json_object_set_new(object, problem->invariant_names[i], entry);
    }
    return object;
}

static json_t *json_events(const run_outcome *o)
{
    json_t *array = json_array();
    char buffer[24];
    for (size_t k = 0; k < o->record->n_events; k++) {
        const run_event *event = &o->record->events[k];
        json_t *entry = json_object();
        json_object_set_new(entry, "t", gt_cli_json_number(event->t));
        json_object_set_new(entry, "name", json_string(gt_run_event_name(&o->p->problem, event->root, buffer)));
        json_array_append_new(array, entry);
    }
    return array;
}

static json_t *json_aux(const run_outcome *o)
{
    json_t *object = json_object();
    for (size_t i = 0; i < o->p->problem.n_aux; i++)
        json_object_set_new(object, o->p->problem.aux_names[i], gt_cli_json_number(o->aux[i]));
    return object;
}

/* Breaks that the run has passed. */
static size_t breaks_passed(const run_outcome *o)
{
    const gt_problem *problem = &o->p->problem;
    size_t count = 0;
    for (size_t i = 0; i < problem->n_breaks; i++)
        count += (problem->breaks[i] - problem->t0) * (o->report->t - problem->breaks[i]) > 0;
    return count;
}

json_t *gt_run_json(const run_outcome *o)
{
    json_t *object = json_object();
    json_object_set_new(object, "model", json_string(o->p->model->name));
    json_object_set_new(object, "parameters", gt_cli_json_values(o->p->model->params, &o->p->values));
    json_object_set_new(object, "method", json_string(o->solver->method->name));
    if (o->solver->chosen) json_object_set_new(object, "chosen_because", json_string(o->solver->why.text));
    json_object_set_new(object, "options", gt_cli_json_values(o->solver->method->options, &o->solver->options));
    json_object_set_new(object, "status", json_string(gt_status_name(o->report->status)));
    json_object_set_new(object, "message", json_string(o->report->message.text));
    gt_cli_json_remarks(object, o->report);
    json_object_set_new(object, "t", gt_cli_json_number(o->report->t));
    json_object_set_new(object, "x", gt_cli_json_state(&o->p->problem, o->x));
    if (o->aux) json_object_set_new(object, "aux", json_aux(o));
    json_object_set_new(object, "invariants", json_invariants(o));
    json_object_set_new(object, "events", json_events(o));
    json_object_set_new(object, "breaks", json_integer((json_int_t)breaks_passed(o)));
    json_object_set_new(object, "switches", json_integer((json_int_t)o->report->stats.switches));
    json_object_set_new(object, "stats", gt_cli_json_stats(&o->report->stats));
    if (o->has_error) json_object_set_new(object, "error", gt_cli_json_error(&o->p->problem, &o->error, o->reference));
    if (o->solver->plan.h > 0) json_object_set_new(object, "local_error", gt_cli_json_number(o->report->local_error));
    json_object_set_new(object, "wall_s", gt_cli_json_number(o->wall));
    if (o->solver->chosen) json_object_set_new(object, "choose_s", gt_cli_json_number(o->solver->choosing));
    return object;
}

static void print_state(FILE *stream, const run_outcome *o)
{
    enum { MOST = 12 };
    const gt_problem *problem = &o->p->problem;
    size_t n = gt_problem_size(problem);
    size_t hidden = (n > MOST ? n - MOST : 0) + (problem->n_aux > MOST ? problem->n_aux - MOST : 0);
    char made_up[24];
    for (size_t i = 0; i < n && i < MOST; i++) {
        const char *unit = problem->units && problem->units[i] ? problem->units[i] : "";
        gt_fprintf(stream, "    %-10s % .10g%s%s\n", gt_problem_state_name(problem, i, made_up), o->x[i],
                   *unit ? " " : "", unit);
    }
    for (size_t i = 0; o->aux && i < problem->n_aux && i < MOST; i++)
        gt_fprintf(stream, "    %-10s % .10g   aux\n", problem->aux_names[i], o->aux[i]);
    if (hidden) fprintf(stream, "    ... and %zu more; --out FILE.csv or --json has them all\n", hidden);
}

static void print_events(FILE *stream, const run_outcome *o)
{
    enum { MOST = 6 };
    size_t count = o->record->n_events;
    char buffer[24];
    if (!count) return;
    fprintf(stream, "events      %zu:", count);
    for (size_t k = 0; k < count && k < MOST; k++)
        gt_fprintf(stream, "%s %s at t = %.8g", k ? "," : "",
                   gt_run_event_name(&o->p->problem, o->record->events[k].root, buffer), o->record->events[k].t);
    fputs(count > MOST ? ", ...\n" : "\n", stream);
}

static void print_stats(FILE *stream, const gt_stats *stats)
{
    const struct {
        long count;
        const char *what;
    } counters[] = {
        {stats->rhs, "evaluations of f"},       {stats->rhs_slow, "evaluations of the slow block"},
        {stats->rhs_fast, "of the fast block"}, {stats->rhs_alg, "of its algebraic rows"},
        {stats->jacobians, "Jacobians"},        {stats->factorizations, "factorizations"},
        {stats->newton, "Newton iterations"},   {stats->taylor, "Taylor expansions"},
    };
    fprintf(stream, "work        %ld steps", stats->steps);
    if (stats->rejected) fprintf(stream, ", %ld rejected", stats->rejected);
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (counters[i].count) fprintf(stream, ", %ld %s", counters[i].count, counters[i].what);
    fputc('\n', stream);
}

/* Of the two figures each is shown that is certain. */
static void print_error(FILE *stream, const run_outcome *o)
{
    char name[24], text[400];
    bool final = gt_cli_final_certain(&o->error), max = gt_cli_max_certain(&o->error);
    if (!max && !final) {
        fprintf(stream, "error       not certain: %s\n", gt_cli_doubt_text(o->reference, text, sizeof text));
        return;
    }
    fputs("error       ", stream);
    if (final)
        gt_fprintf(stream, "%.3g at the end, ", o->error.final);
    else
        fputs("not certain at the end, ", stream);
    if (max)
        gt_fprintf(stream, "%.3g at most (in %s at t = %.6g), ", o->error.max,
                   gt_problem_state_name(&o->p->problem, o->error.component, name), o->error.t_max);
    else
        fputs("not certain at most, ", stream);
    fprintf(stream, "against %s, %s\n", gt_cli_reference_text(o->reference, text, sizeof text), o->sampled);
}

/* Why a run ended before its time. */
static const char *why_stopped(const run_outcome *o)
{
    char buffer[24];
    size_t last = o->record->n_events;
    if (!o->report->stopped) return "";
    bool bound = last && o->p->source->ode &&
                 !strcmp(gt_run_event_name(&o->p->problem, o->record->events[last - 1].root, buffer), "bound");
    return bound ? ", stopped: a quantity passed the bound of the file (@ bound)" : ", stopped by an event";
}

void gt_run_print(FILE *stream, const run_outcome *o)
{
    const gt_problem *problem = &o->p->problem;
    fprintf(stream, "model       %s: %s\n", o->p->model->name, o->p->model->title);
    if (o->solver->chosen)
        fprintf(stream, "method      auto -> %s: %s\n", o->solver->method->name, o->solver->why.text);
    else
        fprintf(stream, "method      %s: %s\n", o->solver->method->name, o->solver->method->title);
    gt_fprintf(stream, "t           %g to %.10g%s\n", problem->t0, o->report->t, why_stopped(o));
    print_state(stream, o);
    for (size_t i = 0; i < problem->n_invariants; i++)
        gt_fprintf(stream, "invariant   %s: %.10g, largest drift %.3g\n", problem->invariant_names[i],
                   o->record->end[i], o->record->drift[i]);
    print_events(stream, o);
    size_t breaks = breaks_passed(o);
    if (breaks) fprintf(stream, "breaks      %zu time%s at which f is not smooth\n", breaks, breaks == 1 ? "" : "s");
    long switches = o->report->stats.switches;
    if (switches)
        fprintf(stream, "switches    %ld time%s a relation of the model changed\n", switches, switches == 1 ? "" : "s");
    print_stats(stream, &o->report->stats);
    if (o->has_error) print_error(stream, o);
    if (*o->report->note.text) fprintf(stream, "note        %s\n", o->report->note.text);
    gt_fprintf(stream, "time        %.3g s", o->wall);
    if (o->solver->chosen) gt_fprintf(stream, ", and %.3g s to choose the method", o->solver->choosing);
    fputc('\n', stream);
}

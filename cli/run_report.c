/* SPDX-License-Identifier: BSD-3-Clause */
#include "run_parts.h"

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
    json_object_set_new(object, "t", gt_cli_json_number(o->report->t));
    json_object_set_new(object, "x", gt_cli_json_state(&o->p->problem, o->x));
    json_object_set_new(object, "invariants", json_invariants(o));
    json_object_set_new(object, "events", json_events(o));
    json_object_set_new(object, "stats", gt_cli_json_stats(&o->report->stats));
    if (o->has_error) json_object_set_new(object, "error", gt_cli_json_error(&o->p->problem, &o->error));
    json_object_set_new(object, "wall_s", gt_cli_json_number(o->wall));
    return object;
}

static void print_state(FILE *stream, const run_outcome *o)
{
    enum { MOST = 12 };
    const gt_problem *problem = &o->p->problem;
    size_t n = gt_problem_size(problem);
    char made_up[24];
    for (size_t i = 0; i < n && i < MOST; i++) {
        const char *unit = problem->units && problem->units[i] ? problem->units[i] : "";
        fprintf(stream, "    %-10s % .10g%s%s\n", gt_problem_state_name(problem, i, made_up), o->x[i], *unit ? " " : "",
                unit);
    }
    if (n > MOST) fprintf(stream, "    ... and %zu more; --out FILE.csv or --json has them all\n", n - MOST);
}

static void print_events(FILE *stream, const run_outcome *o)
{
    enum { MOST = 6 };
    size_t count = o->record->n_events;
    char buffer[24];
    if (!count) return;
    fprintf(stream, "events      %zu:", count);
    for (size_t k = 0; k < count && k < MOST; k++)
        fprintf(stream, "%s %s at t = %.8g", k ? "," : "",
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

static void print_error(FILE *stream, const run_outcome *o)
{
    char buffer[24];
    fprintf(stream, "error       %.3g at the end, %.3g at most (in %s at t = %.6g), against %s, %s\n", o->error.final,
            o->error.max, gt_problem_state_name(&o->p->problem, o->error.component, buffer), o->error.t_max,
            o->against_exact ? "the exact solution" : "a tight run", o->sampled);
}

void gt_run_print(FILE *stream, const run_outcome *o)
{
    const gt_problem *problem = &o->p->problem;
    fprintf(stream, "model       %s: %s\n", o->p->model->name, o->p->model->title);
    if (o->solver->chosen)
        fprintf(stream, "method      auto -> %s: %s\n", o->solver->method->name, o->solver->why.text);
    else
        fprintf(stream, "method      %s: %s\n", o->solver->method->name, o->solver->method->title);
    fprintf(stream, "t           %g to %.10g%s\n", problem->t0, o->report->t,
            o->report->stopped ? ", stopped by an event" : "");
    print_state(stream, o);
    for (size_t i = 0; i < problem->n_invariants; i++)
        fprintf(stream, "invariant   %s: %.10g, largest drift %.3g\n", problem->invariant_names[i], o->record->end[i],
                o->record->drift[i]);
    print_events(stream, o);
    print_stats(stream, &o->report->stats);
    if (o->has_error) print_error(stream, o);
    fprintf(stream, "time        %.3g s\n", o->wall);
}

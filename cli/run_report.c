/* SPDX-License-Identifier: BSD-3-Clause */
/* What `run` reports. */
#include "report_parts.h"
#include "run_parts.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_STATES = 12, MOST_EVENTS = 6 };

static const gt_problem *problem_of(const void *data)
{
    return &((const run_outcome *)data)->p->problem;
}

static bool was_chosen(const void *data) { return ((const run_outcome *)data)->solver->chosen; }

/* Why a run ended before its time. */
static const char *why_stopped(const run_outcome *o)
{
    char buffer[24];
    size_t last = o->record->n_events;
    if (!o->report->stopped) return "";
    bool bound =
        last && o->p->source->ode &&
        !strcmp(gt_run_event_name(&o->p->problem, o->record->events[last - 1].root, buffer),
                "bound");
    return bound ? ", stopped: a quantity passed the bound of the file (@ bound)"
                 : ", stopped by an event";
}

static void say_t(const void *data, report_text *out)
{
    const run_outcome *o = data;
    gt_report_say(out, "%g to %.10g%s", o->p->problem.t0, o->report->t, why_stopped(o));
}

/* The states in the order in which they are shown. */
static bool each_x(const void *data, size_t i, report_value *out)
{
    const run_outcome *o = data;
    const gt_problem *problem = problem_of(data);
    if (i >= gt_problem_shown(problem)) return false;
    size_t k = o->p->shown ? o->p->shown[i] : i;
    out->name = gt_problem_state_name(problem, k, out->name_room);
    out->number = o->x[k];
    out->unit = problem->units ? problem->units[k] : NULL;
    return true;
}

static bool has_found(const void *data) { return ((const run_outcome *)data)->p->found != NULL; }

static void get_found(const void *data, report_value *out)
{
    out->text = ((const run_outcome *)data)->p->found;
}

static void say_found(const void *data, report_text *out)
{
    enum { LONGEST = 60 };
    const char *names = ((const run_outcome *)data)->p->found;
    gt_report_say(out, "fast %.*s%s, found from the Jacobian at the start", LONGEST, names,
                  strlen(names) > LONGEST ? ".." : "");
}

static bool has_aux(const void *data) { return ((const run_outcome *)data)->aux != NULL; }

static bool each_aux(const void *data, size_t i, report_value *out)
{
    const run_outcome *o = data;
    if (i >= o->p->problem.n_aux) return false;
    out->name = o->p->problem.aux_names[i];
    out->number = o->aux[i];
    return true;
}

/* ---- invariants and events ---- */

static bool each_invariant(const void *data, size_t i, report_value *out)
{
    const gt_problem *problem = problem_of(data);
    if (i >= problem->n_invariants) return false;
    out->name = problem->invariant_names[i];
    out->item.of = ((const run_outcome *)data)->record;
    return true;
}

static const report_field invariant_fields[] = {
    REPORT_KEY("start", "at the start", REPORT_COLUMN(run_record, start)),
    REPORT_KEY("end", "at the end", REPORT_COLUMN(run_record, end)),
    REPORT_KEY("max_drift", "largest change since the start, or since the last break",
               REPORT_COLUMN(run_record, drift)),
    {.type = REPORT_END},
};

static void say_invariants(const void *data, report_text *out)
{
    const run_outcome *o = data;
    for (size_t i = 0; i < o->p->problem.n_invariants; i++)
        gt_report_say(out, "%s%s: %.10g, largest drift %.3g", i ? "\n" : "",
                      o->p->problem.invariant_names[i], o->record->end[i], o->record->drift[i]);
}

static void get_event_name(const void *data, report_value *out)
{
    const report_item *item = data;
    const run_record *record = item->of;
    size_t root = record->events[item->i].root;
    out->text = gt_run_event_name(record->problem, root, out->room);
}

static void get_event_t(const void *data, report_value *out)
{
    const report_item *item = data;
    out->number = ((const run_record *)item->of)->events[item->i].t;
}

static const report_field event_fields[] = {
    REPORT_KEY("t", "when", .type = REPORT_NUMBER, .get = get_event_t),
    REPORT_KEY("name", "of the event", .type = REPORT_STRING, .get = get_event_name),
    {.type = REPORT_END},
};

static void say_events(const void *data, report_text *out)
{
    const run_outcome *o = data;
    size_t count = o->record->n_events;
    char buffer[24];
    if (count) gt_report_say(out, "%zu:", count);
    for (size_t k = 0; k < count && k < MOST_EVENTS; k++)
        gt_report_say(out, "%s %s at t = %.8g", k ? "," : "",
                      gt_run_event_name(&o->p->problem, o->record->events[k].root, buffer),
                      o->record->events[k].t);
    if (count > MOST_EVENTS) gt_report_say(out, ", ...");
}

/* Breaks that the run has passed. */
static void get_breaks(const void *data, report_value *out)
{
    const gt_problem *problem = problem_of(data);
    double t = ((const run_outcome *)data)->report->t;
    out->integer = 0;
    double t0 = problem->t0, near = fmax(4 * DBL_EPSILON * fabs(t0), DBL_MIN);
    for (size_t i = 0; i < problem->n_breaks;
         i++) /* the run begins behind one that is next to t0 */
        out->integer += fabs(problem->breaks[i] - t0) > near &&
                        (problem->breaks[i] - problem->t0) * (t - problem->breaks[i]) > 0;
}

static void say_breaks(const void *data, report_text *out)
{
    report_value v;
    get_breaks(data, &v);
    if (!v.integer) return;
    gt_report_say(out, "%ld time%s at which f is not smooth", v.integer, v.integer == 1 ? "" : "s");
}

static void say_switches(const void *data, report_text *out)
{
    long count = ((const run_outcome *)data)->report->stats.switches;
    if (count)
        gt_report_say(out, "%ld time%s a relation of the model changed", count,
                      count == 1 ? "" : "s");
}

/* ---- work, error, time ---- */

static void say_work(const void *data, report_text *out)
{
    gt_report_say_work(&((const run_outcome *)data)->report->stats, out);
}

static bool has_error(const void *data) { return ((const run_outcome *)data)->has_error; }

static void get_error(const void *data, report_value *out)
{
    const run_outcome *o = data;
    gt_cli_report_error(out, &o->error, o->reference);
}

/* Of the two figures each is shown that is certain. */
static void say_error(const void *data, report_text *out)
{
    const run_outcome *o = data;
    char name[24], text[400];
    bool final = gt_cli_final_certain(&o->error), max = gt_cli_max_certain(&o->error);
    if (!max && !final) {
        gt_report_say(out, "not certain: %s", gt_cli_doubt_text(o->reference, text, sizeof text));
        return;
    }
    if (final)
        gt_report_say(out, "%.3g at the end, ", o->error.final);
    else
        gt_report_say(out, "not certain at the end, ");
    if (max)
        gt_report_say(out, "%.3g at most (in %s at t = %.6g), ", o->error.max,
                      gt_problem_state_name(&o->p->problem, o->error.component, name),
                      o->error.t_max);
    else
        gt_report_say(out, "not certain at most, ");
    gt_report_say(out, "against %s, %s", gt_cli_reference_text(o->reference, text, sizeof text),
                  o->sampled);
}

static bool has_fixed_step(const void *data)
{
    return ((const run_outcome *)data)->solver->plan.h > 0;
}

static const report_field phase_fields[] = {
    REPORT_KEY("t", "where it began", REPORT_AT(gt_phase, t)),
    REPORT_KEY("method", "its name", .type = REPORT_CHARS, .offset = offsetof(gt_phase, method)),
    REPORT_KEY("because", "why", .type = REPORT_CHARS, .offset = offsetof(gt_phase, because)),
    REPORT_KEY("steps", "accepted steps in it", REPORT_AT(gt_phase, steps)),
    {.type = REPORT_END},
};

static void get_trials(const void *data, report_value *out)
{
    out->integer = ((const gt_report *)data)->phases.trials;
}

static void get_chosen_method(const void *data, report_value *out)
{
    out->text = gt_phases_method(&((const gt_report *)data)->phases);
}

static void get_chosen_why(const void *data, report_value *out)
{
    out->text = ((const gt_report *)data)->phases.list[0].because;
}

static const report_field chosen_fields[] = {
    REPORT_KEY("method", "that covered most of the span", .type = REPORT_STRING,
               .get = get_chosen_method),
    REPORT_KEY("because", "why the run began as it did", .type = REPORT_STRING,
               .get = get_chosen_why),
    REPORT_KEY("trials", "steps of candidates that are not part of the run", .type = REPORT_LONG,
               .get = get_trials),
    REPORT_KEY("history", "the phases of the run",
               REPORT_OWN_ARRAY(gt_report, phases.list, phases.count), .entry = REPORT_OBJECT,
               .of = phase_fields),
    REPORT_KEY("left_out", "phases that are not in the list, before its last",
               REPORT_AT(gt_report, phases.left_out)),
    {.type = REPORT_END},
};

static bool has_phases(const void *data)
{
    return ((const run_outcome *)data)->report->phases.count > 0;
}

static void say_note(const void *data, report_text *out)
{
    gt_report_say(out, "%s", ((const run_outcome *)data)->report->note.text);
}

static void say_time(const void *data, report_text *out)
{
    const run_outcome *o = data;
    gt_report_say(out, "%.3g s", o->wall);
    if (o->solver->chosen && !o->solver->plan.pilot)
        gt_report_say(out, ", and %.3g s to choose the method", o->solver->choosing);
}

const report_field gt_run_fields[] = {
    REPORT_PART(gt_report_problem, .offset = offsetof(run_outcome, p), .pointer = true),
    REPORT_PART(gt_report_solver, .offset = offsetof(run_outcome, solver), .pointer = true),
    REPORT_KEY("chosen_because", "why `auto` took this method", .when = was_chosen,
               REPORT_VIA(run_outcome, solver, cli_solver, why)),
    REPORT_KEY("chosen", "what `auto` did as the run went on", .when = has_phases,
               .type = REPORT_OBJECT, .of = chosen_fields, .offset = offsetof(run_outcome, report),
               .pointer = true),
    REPORT_KEY("fast", "the fast block that `auto` has found, by the names of its states",
               .type = REPORT_STRING, .get = get_found, .when = has_found, .label = "blocks",
               .say = say_found),
    REPORT_PART(gt_report_ending, .offset = offsetof(run_outcome, report), .pointer = true),
    REPORT_KEY("t", "where the run ended", REPORT_VIA(run_outcome, report, gt_report, t),
               .label = "t", .say = say_t),
    REPORT_KEY("x", "the states there, by name", .type = REPORT_MAP, .each = each_x,
               .entry = REPORT_NUMBER, .label = "", .format = "% .10g", .most = MOST_STATES),
    REPORT_KEY("aux", "auxiliary quantities there, by name", .type = REPORT_MAP, .each = each_aux,
               .entry = REPORT_NUMBER, .when = has_aux, .label = "", .format = "% .10g",
               .unit = "  aux", .most = MOST_STATES),
    REPORT_KEY("invariants", "by name", .type = REPORT_MAP, .each = each_invariant,
               .of = invariant_fields, .label = "invariant", .say = say_invariants),
    REPORT_KEY("events", "in the order of time", REPORT_COUNT(run_record, n_events),
               .via = {offsetof(run_outcome, record) + 1}, .of = event_fields, .label = "events",
               .say = say_events),
    REPORT_KEY("breaks", "known discontinuities that the run has passed", .type = REPORT_LONG,
               .get = get_breaks, .label = "breaks", .say = say_breaks),
    REPORT_KEY("switches", "changes of a relation of the model",
               REPORT_VIA(run_outcome, report, gt_report, stats.switches), .label = "switches",
               .say = say_switches),
    REPORT_KEY("stats", "the work", .of = gt_report_stats,
               .via = {offsetof(run_outcome, report) + 1}, REPORT_AS(OBJECT, gt_report, stats),
               .label = "work", .say = say_work),
    REPORT_KEY("error", "with --reference: max_i |e_i| / (1 + |x_i|)", .type = REPORT_OBJECT,
               .get = get_error, .of = gt_report_error, .when = has_error, .label = "error",
               .say = say_error),
    REPORT_KEY("local_error", "fixed step: the largest of the steps that were probed",
               REPORT_VIA(run_outcome, report, gt_report, local_error), .when = has_fixed_step),
    REPORT_TEXT("note", say_note),
    REPORT_KEY("wall_s", "seconds that the run took", REPORT_AT(run_outcome, wall), .label = "time",
               .say = say_time),
    REPORT_KEY("choose_s", "seconds that choosing the method took", .when = was_chosen,
               REPORT_VIA(run_outcome, solver, cli_solver, choosing)),
    {.type = REPORT_END},
};

/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_parts.h"
#include <string.h>

const report_field gt_report_stats[] = {
    {.key = "steps", .about = "accepted steps", REPORT_AT(gt_stats, steps)},
    {.key = "rejected", .about = "steps that were tried and repeated", REPORT_AT(gt_stats, rejected)},
    {.key = "rhs", .about = "evaluations of all of f", REPORT_AT(gt_stats, rhs)},
    {.key = "rhs_slow", .about = "of its slow block alone", REPORT_AT(gt_stats, rhs_slow)},
    {.key = "rhs_fast", .about = "of its fast block alone", REPORT_AT(gt_stats, rhs_fast)},
    {.key = "rhs_alg", .about = "of its algebraic rows alone", REPORT_AT(gt_stats, rhs_alg)},
    {.key = "jacobians", .about = "Jacobians", REPORT_AT(gt_stats, jacobians)},
    {.key = "factorizations", .about = "factorizations of matrices",
     REPORT_AT(gt_stats, factorizations)},
    {.key = "newton", .about = "Newton iterations", REPORT_AT(gt_stats, newton)},
    {.key = "taylor", .about = "Taylor expansions", REPORT_AT(gt_stats, taylor)},
    {.key = "events", .about = "events met", REPORT_AT(gt_stats, events)},
    {.type = REPORT_END},
};

static bool each_warning(const void *data, size_t i, report_value *out)
{
    const gt_report *report = data;
    if (i >= (size_t)report->warnings.count) return false;
    out->text = report->warnings.list[i].text;
    return true;
}

static bool each_note(const void *data, size_t i, report_value *out)
{
    const gt_report *report = data;
    out->text = report->note.text;
    return i == 0 && *report->note.text;
}

const report_field gt_report_remarks[] = {
    {.key = "warnings", .about = "why the result is not to be trusted as it is; empty: nothing known",
     .type = REPORT_LIST, .each = each_warning, .entry = REPORT_STRING},
    {.key = "notes", .about = "what the method did of its own accord", .type = REPORT_LIST,
     .each = each_note, .entry = REPORT_STRING},
    {.type = REPORT_END},
};

const report_field gt_report_ending[] = {
    {.key = "status", .about = "\"ok\", or the name of what went wrong",
     REPORT_AS(STATUS, gt_report, status)},
    {.key = "message", .about = "what went wrong, and what to try; empty when ok",
     REPORT_AT(gt_report, message)},
    {.type = REPORT_INLINE, .of = gt_report_remarks},
    {.type = REPORT_END},
};

void gt_report_params(report_value *out, const gt_param *table, const gt_values *values)
{
    out->item = (report_item){.of = table, .with = values};
    out->data = &out->item;
}

bool gt_report_each_param(const void *data, size_t i, report_value *out)
{
    const report_item *item = data;
    const gt_param *table = item->of;
    const gt_values *values = item->with;
    if (!table || !table[i].name) return false;
    out->name = table[i].name;
    out->number = values->v[i];
    out->integer = (long)values->v[i];
    out->type = table[i].type == GT_CHOICE    ? REPORT_STRING
                : table[i].type == GT_INTEGER ? REPORT_LONG
                                              : REPORT_NUMBER;
    if (out->type == REPORT_STRING) out->text = table[i].choices[(size_t)values->v[i]];
    return true;
}

void gt_report_states(report_value *out, const gt_problem *problem, const double *x)
{
    out->item = (report_item){.of = problem, .with = x};
    out->data = &out->item;
}

bool gt_report_each_state(const void *data, size_t i, report_value *out)
{
    const report_item *item = data;
    const gt_problem *problem = item->of;
    if (i >= gt_problem_size(problem)) return false;
    out->name = gt_problem_state_name(problem, i, out->name_room);
    out->number = ((const double *)item->with)[i];
    out->unit = problem->units ? problem->units[i] : NULL;
    return true;
}

bool gt_report_text_entry(const char *const *names, size_t count, size_t i, report_value *out)
{
    if (i >= count) return false;
    out->text = names[i];
    return true;
}

bool gt_report_number_entry(const double *numbers, size_t count, size_t i, report_value *out)
{
    if (i >= count) return false;
    out->number = numbers[i];
    return true;
}

bool gt_report_pair_entry(const double *pairs, size_t count, size_t i, report_value *out)
{
    if (i >= count) return false;
    memcpy(out->pair, pairs + 2 * i, sizeof out->pair);
    return true;
}

void gt_report_say_work(const gt_stats *stats, report_text *out)
{
    const struct {
        long count;
        const char *what;
    } counters[] = {
        {stats->rejected, "rejected"},
        {stats->rhs, "evaluations of f"},
        {stats->rhs_slow, "of its slow block"},
        {stats->rhs_fast, "of the fast block"},
        {stats->rhs_alg, "of its algebraic rows"},
        {stats->jacobians, "Jacobians"},
        {stats->factorizations, "factorizations"},
        {stats->newton, "Newton iterations"},
        {stats->taylor, "Taylor expansions"},
    };
    gt_report_say(out, "%ld steps", stats->steps);
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (counters[i].count) gt_report_say(out, ", %ld %s", counters[i].count, counters[i].what);
}

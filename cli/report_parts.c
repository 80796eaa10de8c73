/* SPDX-License-Identifier: BSD-3-Clause */
#include "report_parts.h"
#include <string.h>

const report_field gt_report_stats[] = {
    REPORT_KEY("steps", "accepted steps", REPORT_AT(gt_stats, steps)),
    REPORT_KEY("rejected", "steps that were tried and repeated", REPORT_AT(gt_stats, rejected)),
    REPORT_KEY("rhs", "evaluations of all of f", REPORT_AT(gt_stats, rhs)),
    REPORT_KEY("rhs_slow", "of its slow block alone", REPORT_AT(gt_stats, rhs_slow)),
    REPORT_KEY("rhs_middle", "of its blocks of rates between, where a method tells them apart",
               REPORT_AT(gt_stats, rhs_middle)),
    REPORT_KEY("rhs_fast", "of its fast block alone", REPORT_AT(gt_stats, rhs_fast)),
    REPORT_KEY("rhs_alg", "of its algebraic rows alone", REPORT_AT(gt_stats, rhs_alg)),
    REPORT_KEY("jacobians", "Jacobians", REPORT_AT(gt_stats, jacobians)),
    REPORT_KEY("factorizations", "factorizations of matrices", REPORT_AT(gt_stats, factorizations)),
    REPORT_KEY("newton", "Newton iterations", REPORT_AT(gt_stats, newton)),
    REPORT_KEY("krylov", "products in Krylov iterations for linear systems",
               REPORT_AT(gt_stats, krylov)),
    REPORT_KEY("taylor", "Taylor expansions", REPORT_AT(gt_stats, taylor)),
    REPORT_KEY("events", "events met", REPORT_AT(gt_stats, events)),
    {.type = REPORT_END},
};

static void get_parameters(const void *data, report_value *out)
{
    const cli_problem *p = data;
    gt_report_params(out, p->model->params, &p->values);
}

static void say_model(const void *data, report_text *out)
{
    const gt_model *model = ((const cli_problem *)data)->model;
    gt_report_say(out, "%s: %s", model->name, model->title);
}

const report_field gt_report_problem[] = {
    REPORT_TEXT("model", say_model),
    REPORT_PART(gt_report_model, .offset = 0),
    {.type = REPORT_END},
};

const report_field gt_report_model[] = {
    REPORT_KEY("model", "its name", REPORT_VIA(cli_problem, model, gt_model, name)),
    REPORT_KEY("parameters", "of the model, by name", .type = REPORT_MAP, .get = get_parameters,
               .each = gt_report_each_param, .entry = REPORT_ANY),
    {.type = REPORT_END},
};

static void get_options(const void *data, report_value *out)
{
    const cli_solver *s = data;
    gt_report_params(out, s->method->options, &s->options);
}

static void say_method(const void *data, report_text *out)
{
    const cli_solver *s = data;
    gt_report_say(out, "%s%s: %s", s->chosen ? "auto -> " : "", s->method->name,
                  s->chosen ? s->why.text : s->method->title);
}

const report_field gt_report_solver[] = {
    REPORT_KEY("method", "its name", REPORT_VIA(cli_solver, method, gt_method, name),
               .label = "method", .say = say_method),
    REPORT_KEY("options", "of the method, by name", .type = REPORT_MAP, .get = get_options,
               .each = gt_report_each_param, .entry = REPORT_ANY),
    {.type = REPORT_END},
};

static bool each_note(const void *data, size_t i, report_value *out)
{
    const gt_report *report = data;
    out->text = report->note.text;
    return i == 0 && *report->note.text;
}

const report_field gt_report_remarks[] = {
    REPORT_KEY("warnings", "why the result is not reliable as it is; empty: nothing known",
               REPORT_OWN_ARRAY(gt_report, warnings.list, warnings.count), .entry = REPORT_CHARS),
    REPORT_KEY("notes", "what the method did of its own accord", .type = REPORT_LIST,
               .each = each_note, .entry = REPORT_STRING),
    {.type = REPORT_END},
};

const report_field gt_report_ending[] = {
    REPORT_KEY("status", "\"ok\", or the name of what went wrong",
               REPORT_AS(STATUS, gt_report, status)),
    REPORT_KEY("message", "what went wrong, and what to try; empty when ok",
               REPORT_AT(gt_report, message)),
    REPORT_PART(gt_report_remarks, .offset = 0),
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
    if (i >= gt_problem_shown(problem)) return false;
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
        {stats->rhs_slow, "evaluations of the slow block"},
        {stats->rhs_middle, "of blocks between"},
        {stats->rhs_fast, "of the fast block"},
        {stats->rhs_alg, "of its algebraic rows"},
        {stats->jacobians, "Jacobians"},
        {stats->factorizations, "factorizations"},
        {stats->krylov, "Krylov products"},
        {stats->newton, "Newton iterations"},
        {stats->taylor, "Taylor expansions"},
    };
    gt_report_say(out, "%ld steps", stats->steps);
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        if (counters[i].count) gt_report_say(out, ", %ld %s", counters[i].count, counters[i].what);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What `compare` reports. */
#include "compare_parts.h"
#include "report_parts.h"
#include <math.h>
#include <string.h>

static const compare_row *row_of(const void *data) { return data; }

static void get_options(const void *data, report_value *out)
{
    const compare_entry *entry = row_of(data)->entry;
    gt_report_params(out, entry->method->options, &entry->values);
}

static void get_h(const void *data, report_value *out)
{
    out->number = row_of(data)->h > 0 ? row_of(data)->h : NAN;
}

static void get_rtol(const void *data, report_value *out)
{
    out->number = row_of(data)->rtol > 0 ? row_of(data)->rtol : NAN;
}

static bool has_drift(const void *data) { return row_of(data)->all->drift != NULL; }

static void get_error(const void *data, report_value *out)
{
    const compare_row *row = data;
    if (has_drift(data) || row->report.status)
        out->type = REPORT_END;
    else
        gt_cli_report_error(out, &row->error, &row->all->reference);
}

static bool is_doubtful(const compare_row *row)
{
    return !row->all->drift && !row->report.status && !gt_cli_max_certain(&row->error);
}

static void say_error(const void *data, report_text *out)
{
    const compare_row *row = data;
    if (is_doubtful(row))
        gt_report_say(out, "not certain");
    else
        gt_report_say(out, "%.2e", has_drift(data) ? row->drift.largest : row->error.max);
}

static bool has_no_drift(const void *data) { return !has_drift(data); }

static void say_step(const void *data, report_text *out)
{
    char buffer[40];
    gt_report_say(out, "%s", gt_compare_step(data, buffer));
}

static void say_evaluations(const void *data, report_text *out)
{
    const compare_row *row = data;
    gt_report_say(out, "%.0f", gt_compare_evaluations(&row->all->p.problem, &row->report.stats));
}

/* The name of the status and the message, which may begin with it. */
static void say_failure(const void *data, report_text *out)
{
    const gt_report *report = &row_of(data)->report;
    const char *name = gt_status_name(report->status), *text = report->message.text;
    if (!report->status) return;
    bool named = !strncmp(text, name, strlen(name));
    gt_report_say(out, "%s%s%s", named ? "" : name, named ? "" : " ", text);
}

static const report_field drift_fields[] = {
    REPORT_KEY("name", "of the invariant", REPORT_VIA(compare_row, all, comparison, drift)),
    REPORT_KEY("max", "largest relative change", REPORT_AT(compare_row, drift.largest)),
    REPORT_KEY("final", "relative change at the end", REPORT_AT(compare_row, drift.final)),
    {.type = REPORT_END},
};

static const report_field row_fields[] = {
    {.type = REPORT_STRING,
     .label = "method",
     .via = {offsetof(compare_row, entry) + 1},
     .offset = offsetof(compare_entry, label)},
    REPORT_KEY("method", "its name",
               REPORT_VIA2(compare_row, entry, compare_entry, method, gt_method, name)),
    REPORT_KEY("options", "of the method, by name", .type = REPORT_MAP, .get = get_options,
               .each = gt_report_each_param, .entry = REPORT_ANY),
    {.type = REPORT_STRING, .label = "step", .say = say_step},
    REPORT_KEY("h", "the fixed step; null: it was controlled", .type = REPORT_NUMBER, .get = get_h),
    REPORT_KEY("rtol", "the tolerance; null: the step was fixed", .type = REPORT_NUMBER,
               .get = get_rtol),
    REPORT_PART(gt_report_ending, .offset = offsetof(compare_row, report)),
    REPORT_KEY("drift", "with --drift: of the invariant", .type = REPORT_OBJECT, .of = drift_fields,
               .when = has_drift),
    {.type = REPORT_NUMBER, .label = "drift", .when = has_drift, .say = say_error},
    REPORT_KEY("error", "max_i |e_i| / (1 + |x_i|); null with --drift, and of a failed run",
               .type = REPORT_OBJECT, .get = get_error, .of = gt_report_error, .nullable = true),
    {.type = REPORT_NUMBER, .label = "error", .when = has_no_drift, .say = say_error},
    REPORT_KEY("stats", "the work", .of = gt_report_stats,
               REPORT_AS(OBJECT, compare_row, report.stats)),
    {.label = "steps", REPORT_AT(compare_row, report.stats.steps)},
    {.label = "rejected", REPORT_AT(compare_row, report.stats.rejected)},
    {.type = REPORT_NUMBER, .label = "evals", .say = say_evaluations},
    {.label = "Jacobians", REPORT_AT(compare_row, report.stats.jacobians)},
    REPORT_KEY("wall_s", "seconds, the shortest of several runs", REPORT_AT(compare_row, wall),
               .label = "time [s]", .format = "%.2e"),
    {.type = REPORT_END},
};

static void say_heading(const void *data, report_text *out)
{
    const comparison *c = data;
    char text[400];
    gt_report_say(out, "%s: %s; t = %g to %g; ", c->p.model->name, c->p.model->title,
                  c->p.problem.t0, c->p.problem.t1);
    if (!c->drift)
        gt_report_say(out, "largest error against %s, ",
                      gt_cli_reference_text(&c->reference, text, sizeof text));
    if (c->drift)
        gt_report_say(out, "largest relative change of %s%s", c->drift,
                      c->p.problem.n_breaks ? " since the last break" : "");
    else if (c->every > 0)
        gt_report_say(out, "at t = %g + k %g", c->p.problem.t0, c->every);
    else
        gt_report_say(out, "at the steps");
}

static void say_doubt(const void *data, report_text *out)
{
    const comparison *c = data;
    char text[400];
    bool doubt = false;
    for (size_t i = 0; i < c->n_rows; i++) doubt = doubt || is_doubtful(&c->rows[i]);
    if (doubt)
        gt_report_say(out, "\nnot certain: %s",
                      gt_cli_doubt_text(&c->reference, text, sizeof text));
}

static void say_taylor(const void *data, report_text *out)
{
    const comparison *c = data;
    bool taylor = false;
    for (size_t i = 0; i < c->n_rows; i++) taylor = taylor || c->rows[i].report.stats.taylor;
    if (taylor)
        gt_report_say(out, "\nAn evaluation of taylor is the expansion to its order, which is the "
                           "work of several evaluations of f.");
}

static bool has_words(const void *data) { return ((const comparison *)data)->in_words; }

static void say_words(const void *data, report_text *out)
{
    const comparison *c = data;
    if (c->words.text[0]) gt_report_say(out, "\n%s", c->words.text);
}

const report_field gt_compare_fields[] = {
    REPORT_TEXT("", say_heading),
    REPORT_PART(gt_report_model, .offset = offsetof(comparison, p)),
    REPORT_KEY("rows", "a run each", REPORT_ARRAY(comparison, rows, n_rows), .of = row_fields,
               .label = "", .aside = say_failure, .fixed = 2),
    REPORT_TEXT("", say_doubt),
    REPORT_TEXT("", say_taylor),
    REPORT_KEY("words", "with --in-words: who is ahead; null: there are not two rows to compare",
               .when = has_words, .nullable = true, REPORT_AT(comparison, words)),
    REPORT_TEXT("", say_words),
    {.type = REPORT_END},
};

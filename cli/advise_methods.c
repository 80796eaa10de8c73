/* SPDX-License-Identifier: BSD-3-Clause */
/* advise: what an evaluation costs, the methods with their work and their reasons, and the one to
 * take. */
#include "advise_parts.h"
#include <math.h>
#include <string.h>

enum { MOST_METHODS = 12 }; /* shown unless some are asked for */

static const advise_job *job_of(const void *data) { return data; }

static const gt_advice *advice_of(const void *data) { return &job_of(data)->advice; }

static bool has_cost(const void *data) { return job_of(data)->times.full > 0; }

static bool has_slow_cost(const void *data) { return ((const advise_times *)data)->slow > 0; }

static bool has_fast_cost(const void *data) { return ((const advise_times *)data)->fast > 0; }

static const report_field cost_fields[] = {
    REPORT_KEY("rhs_s", "seconds of an evaluation of f", REPORT_AT(advise_times, full)),
    REPORT_KEY("rhs_slow_s", "of its slow block", REPORT_AT(advise_times, slow),
               .when = has_slow_cost),
    REPORT_KEY("rhs_fast_s", "of its fast block", REPORT_AT(advise_times, fast),
               .when = has_fast_cost),
    {.type = REPORT_END},
};

static void say_cost(const void *data, report_text *out)
{
    const advise_times *t = &job_of(data)->times;
    gt_report_say(out, "f takes %.3g s", t->full);
    if (t->fast > 0)
        gt_report_say(out, ", its fast block alone %.3g s (%.0f %%)", t->fast,
                      100 * t->fast / t->full);
    if (t->slow > 0)
        gt_report_say(out, ", its slow block alone %.3g s (%.0f %%)", t->slow,
                      100 * t->slow / t->full);
}

static const gt_method_advice *method_of(const void *data)
{
    const report_item *item = data;
    return &advice_of(item->of)->methods[item->i];
}

static void get_method(const void *data, report_value *out)
{
    out->text = method_of(data)->method->name;
}

static void get_verdict(const void *data, report_value *out)
{
    static const char *const verdicts[] = {"good", "possible", "no"};
    out->text = verdicts[method_of(data)->verdict];
}

static void get_work(const void *data, report_value *out) { out->number = method_of(data)->work; }

static void say_work(const void *data, report_text *out)
{
    gt_report_say(out, "%.2g", method_of(data)->work);
}

static void get_h_stable(const void *data, report_value *out)
{
    out->number = method_of(data)->h_stable;
}

static void get_h_accurate(const void *data, report_value *out)
{
    out->number = method_of(data)->h_accurate;
}

static bool was_tried(const void *data)
{
    return job_of(((const report_item *)data)->of)->max_step != NULL;
}

static void get_h_tried(const void *data, report_value *out)
{
    const report_item *item = data;
    out->number = job_of(item->of)->max_step[item->i];
}

static void say_step(double h, report_text *out)
{
    if (isnan(h) || isinf(h) || h == 0)
        gt_report_say(out, "%s", isnan(h) ? "-" : isinf(h) ? "any" : "none");
    else
        gt_report_say(out, "%.4g", h);
}

static void say_h_stable(const void *data, report_text *out)
{
    say_step(method_of(data)->h_stable, out);
}

static void say_h_tried(const void *data, report_text *out)
{
    const report_item *item = data;
    say_step(job_of(item->of)->max_step[item->i], out);
}

static void get_why(const void *data, report_value *out) { out->text = method_of(data)->why.text; }

static const report_field method_fields[] = {
    REPORT_KEY("method", "its name", .type = REPORT_STRING, .get = get_method, .label = "method"),
    REPORT_KEY("verdict", "\"good\", \"possible\" or \"no\"", .type = REPORT_STRING,
               .get = get_verdict, .label = "verdict"),
    REPORT_KEY("work", "to get through, in evaluations of f, roughly", .type = REPORT_NUMBER,
               .get = get_work, .label = "work", .say = say_work),
    REPORT_KEY("h_stable", "largest stable step", .type = REPORT_LIMIT, .get = get_h_stable,
               .label = "stable h", .say = say_h_stable),
    REPORT_KEY("h_accurate", "a rough guess for the tolerance", .type = REPORT_NUMBER,
               .get = get_h_accurate),
    REPORT_KEY("h_tried", "with --max-step: the largest fixed step that gets through",
               .type = REPORT_LIMIT, .get = get_h_tried, .when = was_tried, .label = "tried h",
               .say = say_h_tried),
    REPORT_KEY("why", "the reason", .type = REPORT_STRING, .get = get_why, .nullable = true,
               .label = "because"),
    {.type = REPORT_END},
};

static bool each_method(const void *data, size_t i, report_value *out)
{
    (void)out;
    return i < advice_of(data)->n_methods;
}

/* In text the best ones unless some are asked for. */
static bool each_shown(const void *data, size_t i, report_value *out)
{
    (void)out;
    return i < advice_of(data)->n_methods && (job_of(data)->methods || i < MOST_METHODS);
}

static void say_more(const void *data, report_text *out)
{
    size_t count = advice_of(data)->n_methods;
    if (!job_of(data)->methods && count > MOST_METHODS)
        gt_report_say(out, "%zu more: --methods NAME,.. or --json", count - MOST_METHODS);
}

/* What was run to the end comes before what was only estimated. */
static void get_recommendation(const void *data, report_value *out)
{
    const gt_advice *a = advice_of(data);
    if (job_of(data)->n_commands) {
        out->text = job_of(data)->commands[0].promise.method->name;
        return;
    }
    bool any = a->n_methods && a->methods[0].verdict != GT_NOT_ADVISED;
    out->text = any ? a->methods[0].method->name : "";
}

static void say_recommendation(const void *data, report_text *out)
{
    report_value v;
    get_recommendation(data, &v);
    if (*v.text) gt_report_say(out, "\n--method %s", v.text);
}

static void get_command_method(const void *data, report_value *out)
{
    out->text = ((const advise_command *)data)->promise.method->name;
}

static const report_field command_fields[] = {
    REPORT_KEY("method", "its name", .type = REPORT_STRING, .get = get_command_method),
    REPORT_KEY("command", "for a shell", REPORT_AT(advise_command, text)),
    REPORT_KEY("work", "in evaluations of f, by counting operations",
               REPORT_AT(advise_command, promise.work)),
    REPORT_KEY("stats", "what the run has taken", .of = gt_report_stats,
               REPORT_AS(OBJECT, advise_command, promise.stats)),
    {.type = REPORT_END},
};

const report_field gt_advise_method_fields[] = {
    REPORT_KEY("cost", "with --time: by the clock", REPORT_AS(OBJECT, advise_job, times),
               .of = cost_fields, .when = has_cost, .label = "cost", .say = say_cost),
    REPORT_KEY("methods", "the best first", .type = REPORT_LIST, .each = each_method,
               .of = method_fields),
    {.type = REPORT_LIST, .each = each_shown, .of = method_fields, .label = ""},
    REPORT_TEXT("", say_more),
    REPORT_KEY("recommendation", "the method to take; null: none suits", .type = REPORT_STRING,
               .get = get_recommendation, .nullable = true, .label = "advice",
               .say = say_recommendation),
    REPORT_KEY("commands", "runs that were made with the best methods, the least work first",
               REPORT_OWN_ARRAY(advise_job, commands, n_commands), .entry = REPORT_OBJECT,
               .of = command_fields),
    {.type = REPORT_END},
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* stability of methods with small steps for fast modes: the gap in the spectrum, (14)-(17) of shi,
 * and its picture. */
#include "report_parts.h"
#include "stability_report.h"
#include <complex.h>
#include <geartrain/author/number.h>
#include <math.h>
#include <string.h>

static const double usual_steps[] = {1, 0.5, 0.2, 0.1, 0.01};
enum { N_STEPS = sizeof usual_steps / sizeof *usual_steps };

/* eps of an entry with inner steps; 0: another method. */
static double eps_of(const cli_entry *entry)
{
    const gt_param *options = entry->method->options;
    gt_values v = gt_params_default(options);
    if (!(entry->method->roles & GT_ROLE_INNER_STEPS) ||
        gt_params_parse(options, "option", entry->method->name, entry->options, &v, NULL))
        return 0;
    size_t row = 0;
    while (strcmp(options[row].name, "eps")) row++;
    return v.v[row];
}

/* ---- the report: of a gap_view ---- */

static const gap_view *view_of(const void *data) { return data; }

static bool has_gap(const void *data) { return view_of(data)->gap->to > 0; }

static bool is_smfe(const void *data) { return eps_of(view_of(data)->entry) > 0; }

static void say_gap(const void *data, report_text *out)
{
    const gt_gap *gap = view_of(data)->gap;
    double h = view_of(data)->q->h, unit = h > 0 ? 1 / h : 1;
    gt_report_say(out, "no %s from %.7g to %.7g, where |R| reaches %.4g; stable again up to %.7g",
                  h > 0 ? "lambda" : "h lambda", -gap->from * unit, -gap->to * unit, gap->largest,
                  -gap->edge * unit);
}

static const report_field gap_fields[] = {
    REPORT_KEY("from", "where it begins on the negative real axis", REPORT_AT(gt_gap, from),
               .factor = -1),
    REPORT_KEY("to", "where it ends", REPORT_AT(gt_gap, to), .factor = -1),
    REPORT_KEY("edge", "the end of what is stable behind it", REPORT_AS(LIMIT, gt_gap, edge),
               .factor = -1),
    REPORT_KEY("largest", "|R| in the gap", REPORT_AT(gt_gap, largest)),
    {.type = REPORT_END},
};

/* How many small steps a step h takes: step i of a view. */
typedef struct least {
    double h, bound;
    double complex lambda;
    long inner;
    bool none;
    gt_message message;
} least;

static least least_of(const gap_view *view, size_t i)
{
    double eps = eps_of(view->entry);
    least w = {.h = view->q->h > 0 ? view->q->h : usual_steps[i]};
    w.lambda = (view->q->fast[0] + I * view->q->fast[1]) / eps;
    w.none = gt_least_inner(eps, w.h * w.lambda, &w.inner, &w.bound, &w.message) != GT_OK;
    return w;
}

static least least_at(const void *data)
{
    const report_item *item = data;
    return least_of(item->of, item->i);
}

static bool each_step(const void *data, size_t i, report_value *out)
{
    (void)out;
    return i < (view_of(data)->q->h > 0 ? 1 : N_STEPS);
}

static void get_h(const void *data, report_value *out) { out->number = least_at(data).h; }

static void get_lambda(const void *data, report_value *out)
{
    out->pair[0] = creal(least_at(data).lambda);
    out->pair[1] = cimag(least_at(data).lambda);
}

static void get_inner(const void *data, report_value *out)
{
    least w = least_at(data);
    out->integer = w.inner;
    if (w.none) out->type = REPORT_END;
}

static void get_bound(const void *data, report_value *out)
{
    least w = least_at(data);
    out->number = w.none ? NAN : w.bound;
}

static const report_field least_fields[] = {
    REPORT_KEY("h", "the step", .type = REPORT_NUMBER, .get = get_h),
    REPORT_KEY("lambda", "the fast eigenvalue", .type = REPORT_PAIR, .get = get_lambda),
    REPORT_KEY("inner", "small steps that it takes, by (14)", .type = REPORT_LONG, .get = get_inner,
               .nullable = true),
    REPORT_KEY("bound", "more than so many by (17)", .type = REPORT_NUMBER, .get = get_bound),
    {.type = REPORT_END},
};

static void say_least(const void *data, report_text *out)
{
    report_value unused;
    for (size_t k = 0; each_step(data, k, &unused); k++) {
        least w = least_of(data, k);
        gt_report_say(out, "%sh = %-6g ", k ? "\n" : "", w.h);
        if (w.none)
            gt_report_say(out, "%s", w.message.text);
        else
            gt_report_say(out, "N = %ld for lambda = %g%+gi, by (14); (17) asks for more than %.5g",
                          w.inner, creal(w.lambda), cimag(w.lambda) + 0.0, w.bound);
    }
}

static void get_gap(const void *data, report_value *out) { out->data = view_of(data)->gap; }

const report_field gt_stability_gap_fields[] = {
    REPORT_KEY("gap", "in the stable part of the negative real axis", .type = REPORT_OBJECT,
               .get = get_gap, .of = gap_fields, .when = has_gap,
               .label = "    gap                 ", .say = say_gap),
    REPORT_KEY("least_inner", "of smfe: small steps that a step takes", .type = REPORT_LIST,
               .each = each_step, .of = least_fields, .when = is_smfe,
               .label = "    least inner         ", .say = say_least),
    {.type = REPORT_END},
};

/* The plane as decades of |h lambda| and degrees from the negative real axis. */
static double size_of(double complex at, const void *ctx)
{
    double angle = cimag(at) * GT_PI / 180;
    return gt_amplifier_largest(ctx, -pow(10, creal(at)) * (cos(angle) - I * sin(angle)));
}

int gt_stability_gap_plot(const stability_request *q, const gt_amplifier *a, const gt_gap *gap)
{
    const void *ctx[] = {a};
    char title[200];
    snprintf(title, sizeof title, "Stable region of %s", q->entries[0].label);
    cli_region region = {.args = q->args,
                         .right = ceil(log10(isinf(gap->edge) ? 10 * gap->to : gap->edge) + 0.2),
                         .bottom = -90,
                         .top = 90,
                         .size = size_of,
                         .ctx = ctx,
                         .aspect = 0.6,
                         .x_label = "decades of |h lambda|",
                         .y_label = "degrees from the negative real axis"};
    return gt_region_plot(q->plot, title, q->entries, 1, &region);
}

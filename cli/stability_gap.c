/* SPDX-License-Identifier: BSD-3-Clause */
/* stability of methods with small steps for fast modes: the gap in the spectrum, (14)-(17) of shi, and its picture. */
#include "stability_report.h"
#include <complex.h>
#include <math.h>
#include <string.h>

static const double usual_steps[] = {1, 0.5, 0.2, 0.1, 0.01};
enum { N_STEPS = sizeof usual_steps / sizeof *usual_steps };

/* eps of an entry of smfe; 0: another method. */
static double eps_of(const cli_entry *entry)
{
    const gt_param *options = entry->method->options;
    gt_values v = gt_params_default(options);
    if (strcmp(entry->method->name, "smfe") ||
        gt_params_parse(options, "option", entry->method->name, entry->options, &v, NULL))
        return 0;
    size_t row = 0;
    while (strcmp(options[row].name, "eps")) row++;
    return v.v[row];
}

static size_t steps_of(const stability_request *q, const double **steps)
{
    *steps = q->h > 0 ? &q->h : usual_steps;
    return q->h > 0 ? 1 : N_STEPS;
}

void gt_stability_gap_text(const stability_request *q, const cli_entry *entry, const gt_gap *gap)
{
    const double *steps;
    double eps = eps_of(entry);
    size_t count = steps_of(q, &steps);
    if (gap->to > 0) {
        double unit = q->h > 0 ? 1 / q->h : 1;
        gt_fprintf(
            stdout,
            "    gap                  no %s from %.7g to %.7g, where |R| reaches %.4g; stable again up to %.7g\n",
            q->h > 0 ? "lambda" : "h lambda", -gap->from * unit, -gap->to * unit, gap->largest, -gap->edge * unit);
    }
    for (size_t k = 0; k < count && eps > 0; k++) {
        double complex lambda = (q->fast[0] + I * q->fast[1]) / eps;
        gt_message message = {""};
        long inner = 0;
        double bound = 0;
        gt_fprintf(stdout, "    %-20s h = %-6g ", k ? "" : "least inner", steps[k]);
        if (gt_least_inner(eps, steps[k] * lambda, &inner, &bound, &message))
            printf("%s\n", message.text);
        else
            gt_fprintf(stdout, "N = %ld for lambda = %g%+gi, by (14); (17) asks for more than %.5g\n", inner,
                       creal(lambda), cimag(lambda) + 0.0, bound);
    }
}

void gt_stability_gap_json(const stability_request *q, const cli_entry *entry, const gt_gap *gap, json_t *object)
{
    const double *steps;
    double eps = eps_of(entry);
    size_t count = steps_of(q, &steps);
    if (gap->to > 0) {
        json_t *g = json_object();
        json_object_set_new(g, "from", gt_cli_json_number(-gap->from));
        json_object_set_new(g, "to", gt_cli_json_number(-gap->to));
        json_object_set_new(g, "edge", gt_stability_json_limit(-gap->edge));
        json_object_set_new(g, "largest", gt_cli_json_number(gap->largest));
        json_object_set_new(object, "gap", g);
    }
    if (eps == 0) return;
    json_t *rows = json_array();
    for (size_t k = 0; k < count; k++) {
        double complex lambda = (q->fast[0] + I * q->fast[1]) / eps;
        double parts[] = {creal(lambda), cimag(lambda)}, bound = 0;
        long inner = 0;
        json_t *row = json_object();
        bool none = gt_least_inner(eps, steps[k] * lambda, &inner, &bound, NULL) != GT_OK;
        json_object_set_new(row, "h", gt_cli_json_number(steps[k]));
        json_object_set_new(row, "lambda", gt_cli_json_numbers(parts, 2));
        json_object_set_new(row, "inner", none ? json_null() : json_integer(inner));
        json_object_set_new(row, "bound", none ? json_null() : gt_cli_json_number(bound));
        json_array_append_new(rows, row);
    }
    json_object_set_new(object, "least_inner", rows);
}

/* The plane as decades of |h lambda| and degrees from the negative real axis. */
static double size_of(double complex at, const void *ctx)
{
    double angle = cimag(at) * acos(-1.0) / 180;
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

/* SPDX-License-Identifier: BSD-3-Clause */
#include "coefficients.h"
#include "needs.h"
#include "show_parts.h"
#include <complex.h>
#include <math.h>
#include <string.h>

static double amplification(const gt_method *method, const double *v, double complex z)
{
    double complex R;
    return gt_amplification(method, v, z, &R) ? NAN : cabs(R);
}

/*
 * How far from 0 along `direction` |R| stays at most 1. Steps outwards from 0 that grow with the distance find the
 * first point where it does not, bisection the place. Where |R| never went below 1 before it passed 1, it left 1 at
 * once and only too slowly to be seen. INFINITY: nowhere up to 1e8; NAN: the method has no R.
 */
static double stability_limit(const gt_method *method, const double *v, double complex direction)
{
    const double allowed = 1 + 1e-13; /* |R| = 1 may hold exactly, but for round-off */
    double inside = 0, lowest = 1, r = 1e-3;
    while (r <= 1e8) {
        double abs_R = amplification(method, v, r * direction);
        if (isnan(abs_R)) return NAN;
        if (abs_R > allowed) break;
        lowest = fmin(lowest, abs_R);
        inside = r;
        r += fmax(1e-3, 0.01 * r);
    }
    if (r > 1e8) return INFINITY;
    if (lowest > 1 - 1e-12) return 0;
    for (double outside = r; outside - inside > 1e-12 * outside;) {
        double middle = inside + (outside - inside) / 2;
        if (middle <= inside || middle >= outside) break;
        if (amplification(method, v, middle * direction) > allowed)
            outside = middle;
        else
            inside = middle;
    }
    return inside;
}

static json_t *limit_json(double limit) { return isinf(limit) ? json_string("unbounded") : gt_cli_json_number(limit); }

static void print_limit(const char *axis, double limit)
{
    if (isinf(limit))
        printf("    on the %s axis: unbounded\n", axis);
    else if (limit > 0)
        printf("    on the %s axis: |h lambda| up to %.6g\n", axis, limit);
    else
        printf("    on the %s axis: nowhere\n", axis);
}

static int print_json(const gt_method *method, const gt_values *options, const gt_facts *facts, double real,
                      double imag)
{
    char needs[160], treats[160];
    gt_cli_needs(facts, needs, sizeof needs);
    gt_cli_treats(facts, treats, sizeof treats);
    json_t *object = json_object();
    json_object_set_new(object, "name", json_string(method->name));
    json_object_set_new(object, "family", json_string(method->family));
    json_object_set_new(object, "title", json_string(method->title));
    json_object_set_new(object, "reference", json_string(method->reference ? method->reference : ""));
    json_object_set_new(object, "order", json_integer(facts->order));
    json_object_set_new(object, "error_order", json_integer(facts->error_order));
    json_object_set_new(object, "needs", json_string(needs));
    json_object_set_new(object, "treats", json_string(treats));
    json_object_set_new(object, "options", gt_show_params_json(method->options, options));
    if (!isnan(real)) json_object_set_new(object, "real_limit", limit_json(real));
    if (!isnan(imag)) json_object_set_new(object, "imag_limit", limit_json(imag));
    return gt_cli_json_print(object);
}

int gt_show_method(const cli_args *args, const gt_method *method)
{
    if (gt_cli_has(args, "set"))
        return gt_cli_usage("--set is for models; %s is a method, whose options --opt sets", method->name);
    gt_values options = gt_params_default(method->options);
    gt_message message = {""};
    const char *text;
    for (size_t i = 0; (text = gt_cli_each(args, "opt", &i));) {
        gt_status status = gt_params_parse(method->options, "option", method->name, text, &options, &message);
        if (status) return gt_cli_complain(status, &message);
    }
    gt_facts facts = gt_method_facts(method, options.v);
    double real = stability_limit(method, options.v, -1), imag = stability_limit(method, options.v, I);
    if (gt_cli_has(args, "json")) return print_json(method, &options, &facts, real, imag);

    char needs[160], treats[160];
    gt_cli_needs(&facts, needs, sizeof needs);
    gt_cli_treats(&facts, treats, sizeof treats);
    printf("%s: %s\n\n", method->name, method->title);
    printf("family      %s\nreference   %s\norder       %d\n", method->family,
           method->reference ? method->reference : "-", facts.order);
    if (facts.error_order)
        printf("error       estimated, O(h^%d) in one step\n", facts.error_order + 1);
    else
        puts("error       not estimated: fixed step only");
    if (facts.evaluations) printf("work        %d evaluations of f in a fixed step\n", facts.evaluations);
    printf("needs       %s\ntreats      %s\n", needs, treats);
    gt_show_params("options (value, range)", method->options, &options);
    if (method->tableau) {
        puts("\ntableau");
        gt_coefficients_print_tableau(method->tableau);
    }
    if (method->formula) {
        puts("\nformula");
        gt_coefficients_print_formula(method->formula);
    }
    if (isnan(real)) return CLI_OK;
    puts("\nstable on x' = lambda x");
    print_limit("negative real", real);
    print_limit("imaginary", imag);
    return CLI_OK;
}

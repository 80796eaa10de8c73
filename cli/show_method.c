/* SPDX-License-Identifier: BSD-3-Clause */
#include "coefficients.h"
#include "needs.h"
#include "show_parts.h"
#include "stability_parts.h"
#include <math.h>

/* How far from 0 the negative real and the imaginary axis are stable; NAN: the method has no one answer. */
static void find_limits(const cli_args *args, double *real, double *imag)
{
    gt_arena arena = gt_arena_growing();
    cli_entry *entry;
    size_t count;
    gt_amplifier a;
    gt_stability facts;
    gt_message message;
    *real = *imag = NAN;
    if (!gt_cli_entries(args, &arena, &entry, &count) &&
        !gt_amplifier_open(&a, entry->method, entry->options, &message)) {
        if (!gt_stability_facts(&a, &facts)) {
            *real = facts.real_limit;
            *imag = facts.imag_limit;
        }
        gt_amplifier_close(&a);
    }
    gt_arena_free(&arena);
}

static json_t *limit_json(double limit)
{
    return isinf(limit) ? json_string("unbounded") : gt_cli_json_number(limit + 0.0);
}

static void print_limit(const char *axis, double limit)
{
    if (isinf(limit))
        printf("    on the %s axis: unbounded\n", axis);
    else if (limit > 0)
        gt_fprintf(stdout, "    on the %s axis: |h lambda| up to %.6g\n", axis, limit);
    else
        printf("    on the %s axis: nowhere\n", axis);
}

/* GT_NO_MEMORY where it could not be counted for lack of it; methods that cannot be counted say nothing. */
static gt_status print_memory(const gt_method *method)
{
    gt_memory memory;
    char text[160];
    gt_status status = gt_memory_account(method, NULL, &memory, NULL);
    if (status == GT_NO_MEMORY) return status;
    if (status || !method->memory) return GT_OK;
    gt_cli_memory(&memory, text, sizeof text);
    printf("memory      %s; beside x, x_new, their slopes and scratch\n            %s\n", text, method->memory);
    return GT_OK;
}

static json_t *memory_json(const gt_memory *memory)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f}", "vectors", memory->vectors, "matrices", memory->matrices, "places",
                     memory->places, "integers", memory->integers, "squares", memory->squares);
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
    gt_memory memory;
    gt_status counted = gt_memory_account(method, NULL, &memory, NULL);
    if (!counted) json_object_set_new(object, "memory", memory_json(&memory));
    if (!isnan(real)) json_object_set_new(object, "real_limit", limit_json(-real));
    if (!isnan(imag)) json_object_set_new(object, "imag_limit", limit_json(imag));
    if (counted == GT_NO_MEMORY) {
        json_decref(object);
        return gt_cli_failed("out of memory");
    }
    return gt_cli_json_print(object);
}

static int draw(const cli_args *args, const char *path)
{
    gt_arena arena = gt_arena_growing();
    cli_entry *entry;
    size_t count;
    int code = gt_cli_entries(args, &arena, &entry, &count);
    if (!code) code = gt_show_portrait(entry, path);
    gt_arena_free(&arena);
    return code;
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
    const char *plot = gt_cli_text(args, "plot");
    int code = plot ? draw(args, plot) : CLI_OK;
    if (code) return code;
    gt_facts facts = gt_method_facts(method, options.v);
    double real, imag;
    find_limits(args, &real, &imag);
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
    if (facts.slow_evaluations)
        printf("work        %d evaluations of the slow block and %d of the fast one in a fixed step\n",
               facts.slow_evaluations, facts.fast_evaluations);
    printf("needs       %s\ntreats      %s\n", needs, treats);
    if (print_memory(method)) return gt_cli_failed("out of memory");
    gt_show_params("options (value, range)", method->options, &options);
    if (method->tableau) {
        puts("\ntableau");
        gt_coefficients_print_tableau(method->tableau, stdout);
    }
    if (method->partitioned_of) {
        gt_partitioned pair;
        method->partitioned_of(method, options.v, &pair);
        putchar('\n');
        gt_coefficients_print_partitioned(&pair, stdout);
    }
    if (method->formula) {
        puts("\nformula");
        gt_coefficients_print_formula(method->formula, stdout);
    }
    if (!isnan(real)) {
        puts("\nstable on x' = lambda x");
        print_limit("negative real", real);
        print_limit("imaginary", imag);
    }
    if (plot) printf("\nwrote %s\n", plot);
    return CLI_OK;
}

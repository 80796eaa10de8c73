/* SPDX-License-Identifier: BSD-3-Clause */
#include "coefficients.h"
#include "needs.h"
#include "show_parts.h"
#include "stability_parts.h"
#include <math.h>

/* How far from 0 the negative real and the imaginary axis are stable; NAN: the method has no one
 * answer. */
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

/* ---- the report ---- */

typedef struct portrait {
    const gt_method *method;
    gt_values options;
    gt_facts facts;
    double real, imag; /* limits; NAN: the method has no one answer */
    gt_memory memory;
    bool has_memory;
} portrait;

static const portrait *portrait_of(const void *data) { return data; }

static void say_heading(const void *data, report_text *out)
{
    const gt_method *method = portrait_of(data)->method;
    gt_report_say(out, "%s: %s", method->name, method->title);
}

static void say_family(const void *data, report_text *out)
{
    gt_report_say(out, "\n%s", portrait_of(data)->method->family);
}

static void get_reference(const void *data, report_value *out)
{
    const char *reference = portrait_of(data)->method->reference;
    out->text = reference ? reference : "";
}

static void say_reference(const void *data, report_text *out)
{
    const char *reference = portrait_of(data)->method->reference;
    gt_report_say(out, "%s", reference ? reference : "-");
}

static void say_error(const void *data, report_text *out)
{
    int order = portrait_of(data)->facts.error_order;
    if (order)
        gt_report_say(out, "estimated, O(h^%d) in one step", order + 1);
    else
        gt_report_say(out, "not estimated: fixed step only");
}

static void say_work(const void *data, report_text *out)
{
    const gt_facts *facts = &portrait_of(data)->facts;
    if (facts->evaluations)
        gt_report_say(out, "%d evaluations of f in a fixed step", facts->evaluations);
    if (facts->slow_evaluations)
        gt_report_say(out,
                      "%d evaluations of the slow block and %d of the fast one in a fixed step",
                      facts->slow_evaluations, facts->fast_evaluations);
}

static void get_needs(const void *data, report_value *out)
{
    gt_cli_needs(&portrait_of(data)->facts, out->room, sizeof out->room);
    out->text = out->room;
}

static void get_treats(const void *data, report_value *out)
{
    gt_cli_treats(&portrait_of(data)->facts, out->room, sizeof out->room);
    out->text = out->room;
}

static bool has_memory(const void *data) { return portrait_of(data)->has_memory; }

static void say_memory(const void *data, report_text *out)
{
    const portrait *w = data;
    char text[160];
    if (!w->method->memory) return;
    gt_cli_memory(&w->memory, text, sizeof text);
    gt_report_say(out, "%s; beside x, x_new, their slopes and scratch\n%s", text,
                  w->method->memory);
}

static const report_field memory_fields[] = {
    REPORT_KEY("vectors", "of all states", REPORT_AT(gt_memory, vectors)),
    REPORT_KEY("matrices", "as sparse as the Jacobian", REPORT_AT(gt_memory, matrices)),
    REPORT_KEY("places", "sets of indices for them", REPORT_AT(gt_memory, places)),
    REPORT_KEY("integers", "a state", REPORT_AT(gt_memory, integers)),
    REPORT_KEY("squares", "dense matrices of n x n numbers", REPORT_AT(gt_memory, squares)),
    {.type = REPORT_END},
};

static void get_options(const void *data, report_value *out)
{
    gt_report_params(out, portrait_of(data)->method->options, &portrait_of(data)->options);
}

static const report_field fact_fields[] = {
    REPORT_TEXT("", say_heading),
    REPORT_KEY("name", "of the method", REPORT_VIA(portrait, method, gt_method, name)),
    REPORT_KEY("family", "it belongs to", REPORT_VIA(portrait, method, gt_method, family),
               .label = "family", .say = say_family),
    REPORT_KEY("title", "what it is", REPORT_VIA(portrait, method, gt_method, title)),
    REPORT_KEY("reference", "where it comes from", .type = REPORT_STRING, .get = get_reference,
               .label = "reference", .say = say_reference),
    REPORT_KEY("order", "with these options", REPORT_AT(portrait, facts.order), .label = "order"),
    REPORT_KEY("error_order", "of the estimate; 0: there is none",
               REPORT_AT(portrait, facts.error_order), .label = "error", .say = say_error),
    REPORT_TEXT("work", say_work),
    REPORT_KEY("needs", "of the problem", .type = REPORT_STRING, .get = get_needs,
               .label = "needs"),
    REPORT_KEY("treats", "besides differential equations", .type = REPORT_STRING, .get = get_treats,
               .label = "treats"),
    REPORT_KEY("memory", "beside x, x_new, their slopes and scratch",
               REPORT_AS(OBJECT, portrait, memory), .of = memory_fields, .when = has_memory,
               .label = "memory", .say = say_memory),
    REPORT_KEY("options", "with values and ranges", .type = REPORT_LIST, .get = get_options,
               .each = gt_show_each_param, .of = gt_show_param_fields,
               .label = "options (value, range)"),
    {.type = REPORT_END},
};

static bool has_real(const void *data) { return !isnan(portrait_of(data)->real); }

static bool has_imag(const void *data) { return !isnan(portrait_of(data)->imag); }

static void say_limit(report_text *out, double limit)
{
    if (isinf(limit))
        gt_report_say(out, "unbounded");
    else if (limit > 0)
        gt_report_say(out, "|h lambda| up to %.6g", limit);
    else
        gt_report_say(out, "nowhere");
}

static void say_stable(const void *data, report_text *out)
{
    if (has_real(data)) gt_report_say(out, "\nstable on x' = lambda x");
}

static void say_real(const void *data, report_text *out)
{
    say_limit(out, portrait_of(data)->real);
}

static void say_imag(const void *data, report_text *out)
{
    say_limit(out, portrait_of(data)->imag);
}

static const report_field limit_fields[] = {
    REPORT_TEXT("", say_stable),
    REPORT_KEY("real_limit", "end of the stable part of the negative real axis",
               REPORT_AS(LIMIT, portrait, real), .factor = -1, .when = has_real,
               .label = "    on the negative real axis:", .say = say_real),
    REPORT_KEY("imag_limit", "end of the stable part of the imaginary axis",
               REPORT_AS(LIMIT, portrait, imag), .when = has_imag,
               .label = "    on the imaginary axis:", .say = say_imag),
    {.type = REPORT_END},
};

const report_field gt_show_method_fields[] = {
    REPORT_PART(fact_fields, .offset = 0),
    REPORT_PART(limit_fields, .offset = 0),
    {.type = REPORT_END},
};

static void print_text(const portrait *w)
{
    const gt_method *method = w->method;
    gt_report_print(stdout, fact_fields, w);
    if (method->tableau) {
        puts("\ntableau");
        gt_coefficients_print_tableau(method->tableau, stdout);
    }
    if (method->partitioned_of) {
        gt_partitioned pair;
        method->partitioned_of(method, w->options.v, &pair);
        putchar('\n');
        gt_coefficients_print_partitioned(&pair, stdout);
    }
    if (method->formula) {
        puts("\nformula");
        gt_coefficients_print_formula(method->formula, stdout);
    }
    gt_report_print(stdout, limit_fields, w);
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
    if (gt_cli_has(&args->flags.set))
        return gt_cli_usage("--set is for models; %s is a method, whose options --opt sets",
                            method->name);
    gt_values options = gt_params_default(method->options);
    gt_message message = {""};
    const char *text;
    for (size_t i = 0; (text = gt_cli_each(&args->flags.opt, &i));) {
        gt_status status =
            gt_params_parse(method->options, "option", method->name, text, &options, &message);
        if (status) return gt_cli_complain(status, &message);
    }
    const char *plot = gt_cli_text(&args->flags.plot);
    int code = plot ? draw(args, plot) : CLI_OK;
    if (code) return code;
    portrait w = {.method = method, .options = options};
    w.facts = gt_method_facts(method, options.v);
    find_limits(args, &w.real, &w.imag);
    /* Methods that cannot be counted say nothing. */
    gt_status counted = gt_memory_account(method, NULL, &w.memory, NULL);
    if (counted == GT_NO_MEMORY) return gt_cli_failed("out of memory");
    w.has_memory = !counted;
    if (gt_cli_has(&args->flags.json)) return gt_report_print_json(gt_show_method_fields, &w);
    print_text(&w);
    if (plot) printf("\nwrote %s\n", plot);
    return CLI_OK;
}

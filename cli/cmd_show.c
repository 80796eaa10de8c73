/* SPDX-License-Identifier: BSD-3-Clause */
/* show: everything about one method or one model. */
#include "cli.h"
#include "coefficients.h"
#include "show_parts.h"
#include <string.h>

static const cli_flag own_flags[] = {
    {CLI_FLAG(set, "set"), .value = "NAME=VALUE", .help = "sets a parameter of the model",
     .repeats = true},
    {CLI_FLAG(use_set, "use-set"), .value = "NAME",
     .help = "applies a set of values that an .ode file has"},
    {CLI_OWN(show_flags, emit_c, "emit-c"), .value = "FILE.c",
     .help = "writes the C code that an .ode file becomes", .optional = true},
    {CLI_FLAG(opt, "opt"), .value = "NAME=VALUE", .help = "sets an option of the method",
     .repeats = true},
    {CLI_FLAG(plot, "plot"), .value = "FILE",
     .help = "a method: where it is stable, accurate, what it damps; .svg, .png or .pdf"},
    {CLI_FLAG(quiet, "quiet"), .help = "no notes; warnings stay"},
    {CLI_FLAG(compile, "compile")},
    {CLI_FLAG(no_compile, "no-compile")}, /* nothing is compiled to be shown */
    {CLI_FLAG(json, "json"), .help = "prints one JSON object and nothing else"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {own_flags, NULL};

void gt_show_range(const gt_param *row, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    if (row->type == GT_CHOICE) {
        for (const char *const *c = row->choices; *c && used < size; c++)
            used += (size_t)snprintf(buffer + used, size - used, "%s%s",
                                     c == row->choices ? "" : " | ", *c);
        return;
    }
    bool any_min = row->min <= -DBL_MAX, any_max = row->max >= DBL_MAX;
    const char *kind = row->type == GT_INTEGER ? "whole, " : "";
    if ((row->min == 0 && row->max == 0) || (any_min && any_max))
        snprintf(buffer, size, "%sany", kind);
    else if (row->min == GT_POSITIVE && any_max)
        snprintf(buffer, size, "%sabove 0", kind);
    else if (row->min == GT_POSITIVE)
        gt_format(buffer, size, "%sabove 0, at most %g", kind, row->max);
    else if (any_max)
        gt_format(buffer, size, "%sat least %g", kind, row->min);
    else if (any_min)
        gt_format(buffer, size, "%sat most %g", kind, row->max);
    else
        gt_format(buffer, size, "%s%g to %g", kind, row->min, row->max);
}

/* ---- parameter i of a table with its values: `of` a gt_param[] `with` gt_values ---- */

static const gt_param *param_of(const void *data)
{
    const report_item *item = data;
    return (const gt_param *)item->of + item->i;
}

static void get_name(const void *data, report_value *out) { out->text = param_of(data)->name; }

static void get_value(const void *data, report_value *out)
{
    const report_item *item = data;
    gt_report_each_param(&(report_item){.of = item->of, .with = item->with}, item->i, out);
    out->name = NULL;
}

static void say_value(const void *data, report_text *out)
{
    const report_item *item = data;
    char text[64];
    gt_params_print(param_of(data), ((const gt_values *)item->with)->v[item->i], text, sizeof text);
    gt_report_say(out, "%s", text);
}

static void get_range(const void *data, report_value *out)
{
    gt_show_range(param_of(data), out->room, sizeof out->room);
    out->text = out->room;
}

/* Choices of which the column of ranges would become too wide stand behind the help. */
static bool has_wide_range(const gt_param *row, char *buffer, size_t size)
{
    enum { WIDEST = 26 };
    gt_show_range(row, buffer, size);
    return row->type == GT_CHOICE && strlen(buffer) > WIDEST;
}

static void say_range(const void *data, report_text *out)
{
    char range[256];
    bool wide = has_wide_range(param_of(data), range, sizeof range);
    gt_report_say(out, "%s", wide ? "one of these:" : range);
}

static void get_unit(const void *data, report_value *out)
{
    out->text = param_of(data)->unit ? param_of(data)->unit : "";
}

static void get_help(const void *data, report_value *out)
{
    out->text = param_of(data)->help ? param_of(data)->help : "";
}

static void say_help(const void *data, report_text *out)
{
    const gt_param *row = param_of(data);
    char range[256];
    if (has_wide_range(row, range, sizeof range)) gt_report_say(out, "%s; ", range);
    gt_report_say(out, "%s", row->help ? row->help : "");
    if (row->unit && *row->unit) gt_report_say(out, " [%s]", row->unit);
}

const report_field gt_show_param_fields[] = {
    REPORT_KEY("name", "as --set or --opt takes it", .type = REPORT_STRING, .get = get_name,
               .label = "name"),
    REPORT_KEY("value", "now", .type = REPORT_ANY, .get = get_value),
    {.type = REPORT_STRING, .label = "value", .say = say_value},
    REPORT_KEY("range", "of possible values, in words", .type = REPORT_STRING, .get = get_range,
               .label = "range", .say = say_range),
    REPORT_KEY("unit", "may be empty", .type = REPORT_STRING, .get = get_unit),
    REPORT_KEY("help", "what it does", .type = REPORT_STRING, .get = get_help, .label = "",
               .say = say_help),
    {.type = REPORT_END},
};

/* An entry of the list: the table and the values stay, the place changes. */
bool gt_show_each_param(const void *data, size_t i, report_value *out)
{
    const report_item *all = data;
    const gt_param *table = all->of;
    if (!table || !table[i].name) return false;
    out->item = (report_item){.of = all->of, .with = all->with, .i = i};
    return true;
}

static int run(const cli_args *args)
{
    const char *name = args->operands[0];
    const gt_method *method = gt_method_find(name);
    if (method) return gt_show_method(args, method);
    if (gt_model_find(name) || gt_cli_is_model_file(name)) return gt_show_model(args);
    if (gt_cli_is_method_file(name)) {
        gt_arena arena = gt_arena_growing();
        int code = gt_cli_method_file(name, &arena, &method);
        if (!code) code = gt_show_method(args, method);
        gt_arena_free(&arena);
        return code;
    }
    if (!strcmp(name, "auto"))
        return gt_cli_usage("auto stands for the method that suits the problem; see what it takes: "
                            "geartrain run MODEL");
    enum { MANY = 512 };
    const char *names[MANY + 1];
    size_t count = 0;
    for (const gt_method *const *m = gt_method_list(); *m && count < MANY; m++)
        names[count++] = (*m)->name;
    for (const gt_model *const *m = gt_model_list(); *m && count < MANY; m++)
        names[count++] = (*m)->name;
    names[count] = NULL;
    char buffer[96];
    const char *hint = gt_cli_suggest(name, names, buffer);
    return gt_cli_usage("there is no method or model '%s'%s", name,
                        *hint ? hint : "; see: geartrain list methods, geartrain list models");
}

static const cli_report reports[] = {{.title = "a method", .fields = gt_show_method_fields},
                                     {.title = "a model", .fields = gt_show_model_fields},
                                     {.fields = NULL}};

const cli_command gt_cmd_show = {
    .name = "show",
    .title = "shows everything about one method or model",
    .operands = "NAME",
    .about = "A model may be a file. Of an .ode file the equations are shown after expansion, and "
             "--emit-c writes the "
             "C code\n"
             "from which it is compiled, to standard output or to a file, which replaces only one "
             "that was made so.",
    .examples = "    geartrain show rkf45\n"
                "    geartrain show taylor --opt order=12\n"
                "    geartrain show rk4 --plot rk4.svg\n"
                "    geartrain show vanderpol",
    .flags = flags,
    .own_bytes = sizeof(show_flags),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
    .reports = reports,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* show: everything about one method or one model. */
#include "cli.h"
#include "coefficients.h"
#include "show_parts.h"
#include <string.h>

static const cli_flag show_flags[] = {
    {.name = "set", .value = "NAME=VALUE", .help = "sets a parameter of the model", .repeats = true},
    {.name = "use-set", .value = "NAME", .help = "applies a set of values that an .ode file has"},
    {.name = "emit-c", .value = "FILE.c", .help = "writes the C code that an .ode file becomes", .optional = true},
    {.name = "opt", .value = "NAME=VALUE", .help = "sets an option of the method", .repeats = true},
    {.name = "plot",
     .value = "FILE",
     .help = "a method: where it is stable, accurate, what it damps; .svg, .png or .pdf"},
    {.name = "quiet", .help = "no remarks"},
    {.name = "no-compile"}, /* nothing is compiled to be shown */
    {.name = "json", .help = "prints one JSON object and nothing else"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {show_flags, NULL};

void gt_show_range(const gt_param *row, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    if (row->type == GT_CHOICE) {
        for (const char *const *c = row->choices; *c && used < size; c++)
            used += (size_t)snprintf(buffer + used, size - used, "%s%s", c == row->choices ? "" : " | ", *c);
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

void gt_show_params(const char *heading, const gt_param *table, const gt_values *values)
{
    if (!table || !table[0].name) return;
    printf("\n%s\n", heading);
    for (size_t i = 0; table[i].name; i++) {
        char value[64], range[160];
        gt_params_print(&table[i], values->v[i], value, sizeof value);
        gt_show_range(&table[i], range, sizeof range);
        printf("    %-16s %-12s %-22s %s%s%s%s\n", table[i].name, value, range, table[i].help ? table[i].help : "",
               table[i].unit && *table[i].unit ? " [" : "", table[i].unit ? table[i].unit : "",
               table[i].unit && *table[i].unit ? "]" : "");
    }
}

json_t *gt_show_params_json(const gt_param *table, const gt_values *values)
{
    json_t *array = json_array();
    json_t *shown = gt_cli_json_values(table, values);
    for (size_t i = 0; table && table[i].name; i++) {
        json_t *entry = json_object();
        char range[160];
        gt_show_range(&table[i], range, sizeof range);
        json_object_set_new(entry, "name", json_string(table[i].name));
        json_object_set(entry, "value", json_object_get(shown, table[i].name));
        json_object_set_new(entry, "range", json_string(range));
        json_object_set_new(entry, "unit", json_string(table[i].unit ? table[i].unit : ""));
        json_object_set_new(entry, "help", json_string(table[i].help ? table[i].help : ""));
        json_array_append_new(array, entry);
    }
    json_decref(shown);
    return array;
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
        return gt_cli_usage(
            "auto stands for the method that suits the problem; see what it takes: geartrain run MODEL");
    enum { MANY = 512 };
    const char *names[MANY + 1];
    size_t count = 0;
    for (const gt_method *const *m = gt_method_list(); *m && count < MANY; m++) names[count++] = (*m)->name;
    for (const gt_model *const *m = gt_model_list(); *m && count < MANY; m++) names[count++] = (*m)->name;
    names[count] = NULL;
    char buffer[96];
    const char *hint = gt_cli_suggest(name, names, buffer);
    return gt_cli_usage("there is no method or model '%s'%s", name,
                        *hint ? hint : "; see: geartrain list methods, geartrain list models");
}

const cli_command gt_cmd_show = {
    .name = "show",
    .title = "shows everything about one method or model",
    .operands = "NAME",
    .about = "A model may be a file. Of an .ode file the equations are shown after expansion, and --emit-c writes the "
             "C code\n"
             "from which it is compiled, to standard output or to a file, which replaces only one that was made so.",
    .examples = "    geartrain show rkf45\n"
                "    geartrain show taylor --opt order=12\n"
                "    geartrain show rk4 --plot rk4.svg\n"
                "    geartrain show vanderpol",
    .flags = flags,
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};

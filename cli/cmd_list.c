/* SPDX-License-Identifier: BSD-3-Clause */
/* list: one line for each method or model. */
#include "cli.h"
#include "needs.h"
#include <string.h>

static const cli_flag list_flags[] = {
    {.name = "json", .help = "prints one JSON object and nothing else"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {list_flags, NULL};

/* Size of the problem with default parameters, 0 when it cannot be built. */
static size_t size_of(const gt_model *model)
{
    gt_arena arena = gt_arena_growing();
    gt_problem problem = {0};
    size_t n = gt_model_build(model, "", &problem, &arena, NULL) ? 0 : gt_problem_size(&problem);
    gt_arena_free(&arena);
    return n;
}

static int list_methods(bool json)
{
    json_t *array = json ? json_array() : NULL;
    if (!json) printf("%-14s %5s  %-34s %s\n", "method", "order", "needs", "title");
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_values options = gt_params_default((*m)->options);
        gt_facts facts = gt_method_facts(*m, options.v);
        char needs[160];
        gt_cli_needs(&facts, needs, sizeof needs);
        if (!json) {
            printf("%-14s %5d  %-34s %s\n", (*m)->name, facts.order, needs, (*m)->title);
            continue;
        }
        json_t *entry = json_object();
        json_object_set_new(entry, "name", json_string((*m)->name));
        json_object_set_new(entry, "family", json_string((*m)->family));
        json_object_set_new(entry, "order", json_integer(facts.order));
        json_object_set_new(entry, "error_order", json_integer(facts.error_order));
        json_object_set_new(entry, "needs", json_string(needs));
        json_object_set_new(entry, "title", json_string((*m)->title));
        json_array_append_new(array, entry);
    }
    if (!json) return CLI_OK;
    json_t *object = json_object();
    json_object_set_new(object, "methods", array);
    return gt_cli_json_print(object);
}

static int list_models(bool json)
{
    json_t *array = json ? json_array() : NULL;
    if (!json) printf("%-18s %6s  %s\n", "model", "states", "title");
    for (const gt_model *const *m = gt_model_list(); *m; m++) {
        size_t n = size_of(*m);
        if (!json) {
            printf("%-18s %6zu  %s\n", (*m)->name, n, (*m)->title);
            continue;
        }
        json_t *entry = json_object();
        json_object_set_new(entry, "name", json_string((*m)->name));
        json_object_set_new(entry, "states", json_integer((json_int_t)n));
        json_object_set_new(entry, "title", json_string((*m)->title));
        json_array_append_new(array, entry);
    }
    if (!json) return CLI_OK;
    json_t *object = json_object();
    json_object_set_new(object, "models", array);
    return gt_cli_json_print(object);
}

static int run(const cli_args *args)
{
    const char *what = args->operands[0];
    bool json = gt_cli_has(args, "json");
    if (!strcmp(what, "methods")) return list_methods(json);
    if (!strcmp(what, "models")) return list_models(json);
    return gt_cli_usage("there is no list of '%s'; there are: methods models", what);
}

const cli_command gt_cmd_list = {
    .name = "list",
    .title = "lists the methods or the models",
    .operands = "methods|models",
    .examples = "    geartrain list methods\n"
                "    geartrain list models --json",
    .flags = flags,
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* schema: what the JSON of a command consists of. */
#include "cli.h"
#include <string.h>

static const cli_flag own_flags[] = {{.name = NULL}};
static const cli_flag *const flags[] = {own_flags, NULL};

/* Calls `visit` for each command that prints JSON, also those of two words. */
static void for_each(const cli_command *const *list, void (*visit)(const cli_command *, void *),
                     void *ctx)
{
    for (const cli_command *const *c = list; *c; c++) {
        if ((*c)->subs) for_each((*c)->subs, visit, ctx);
        if ((*c)->reports) visit(*c, ctx);
    }
}

static void print_name(const cli_command *command, void *ctx)
{
    (void)ctx;
    puts(command->name);
}

typedef struct search {
    const char *name;
    const cli_command *found;
} search;

static void compare_name(const cli_command *command, void *ctx)
{
    search *s = ctx;
    if (!strcmp(command->name, s->name)) s->found = command;
}

const cli_command *gt_cli_reporting_command(const char *name)
{
    search s = {.name = name};
    for_each(gt_cli_commands, compare_name, &s);
    return s.found;
}

static int run(const cli_args *args)
{
    char name[64] = "";
    if (!args->n_operands) {
        for_each(gt_cli_commands, print_name, NULL);
        return CLI_OK;
    }
    snprintf(name, sizeof name, "%s%s%s", args->operands[0], args->n_operands > 1 ? " " : "",
             args->n_operands > 1 ? args->operands[1] : "");
    const cli_command *command = gt_cli_reporting_command(name);
    if (!command)
        return gt_cli_usage("no command '%s' prints JSON; those that do: geartrain schema", name);
    return gt_cli_json_print(gt_report_schema(command->name, command->reports));
}

const cli_command gt_cmd_schema = {
    .name = "schema",
    .title = "prints the JSON schema of what a command prints with --json",
    .operands = "[COMMAND]",
    .about = "Without COMMAND: the commands that have one. The schema has every key with what it "
             "means;\n"
             "it comes from the tables that print the reports.",
    .examples = "    geartrain schema run\n"
                "    geartrain schema sweep",
    .flags = flags,
    .min_operands = 0,
    .max_operands = 2,
    .run = run,
};

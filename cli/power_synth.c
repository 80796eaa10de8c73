/* SPDX-License-Identifier: BSD-3-Clause */
/* power synth: a made-up network of any size, as a case file with machine data beside it. */
#include "power_parts.h"
#include "report_parts.h"
#include <string.h>

typedef struct answer {
    const char *out, *table;
    size_t buses, machines, branches;
} answer;

static void say_sizes(const void *data, report_text *out)
{
    const answer *w = data;
    gt_report_say(out, "%zu buses, %zu machines, %zu branches", w->buses, w->machines, w->branches);
}

static void say_files(const void *data, report_text *out)
{
    const answer *w = data;
    gt_report_say(out, "wrote %s and %s", w->out, w->table);
}

static const report_field fields[] = {
    REPORT_KEY("case", "the case file", REPORT_AT(answer, out)),
    REPORT_KEY("dyn", "the table of machine data", REPORT_AT(answer, table)),
    REPORT_KEY("buses", "how many", REPORT_AT(answer, buses), .label = "", .say = say_sizes),
    REPORT_KEY("machines", "how many", REPORT_AT(answer, machines), .label = "", .say = say_files),
    REPORT_KEY("branches", "how many", REPORT_AT(answer, branches)),
    {.type = REPORT_END},
};

const cli_report gt_power_synth_reports[] = {{.fields = fields}, {.fields = NULL}};

int gt_power_cmd_synth(const cli_args *args)
{
    long buses = 0, areas = 0, seed = 1;
    gt_arena arena = gt_arena_growing();
    gt_message message = {""};
    gt_power_case c;
    gt_power_dynamics d;
    int code = gt_cli_whole(&power_own(args)->buses, 10, 1000000, &buses);
    if (!code && !buses) code = gt_cli_usage("power synth needs --buses N, as in --buses 2000");
    if (!code) code = gt_cli_whole(&power_own(args)->areas, 1, 100000, &areas);
    if (!code) code = gt_cli_whole(&power_own(args)->seed, 0, 2000000000, &seed);
    char made_up[48], *table;
    snprintf(made_up, sizeof made_up, "synth%ld.m", buses);
    const char *out = gt_cli_text(&args->flags.out) ? gt_cli_text(&args->flags.out) : made_up,
               *dot = strrchr(out, '.');
    if (!code && (!dot || strcmp(dot, ".m")))
        code = gt_cli_usage("--out %s: the name of a case file ends in .m", out);
    if (!code) code = gt_cli_check_output("--out", out, NULL);
    if (!code) {
        gt_power_synth_options options = {
            .buses = (int)buses, .areas = (int)areas, .seed = (unsigned)seed};
        gt_status status = gt_power_synth(&options, &c, &d, &arena, &message);
        table = gt_arena_take(&arena, strlen(out) + 8, 1);
        if (!status && !table) status = gt_fail(&message, GT_NO_MEMORY, "out of memory");
        if (!status && table) {
            memcpy(table, out, (size_t)(dot - out));
            memcpy(table + (dot - out), ".csv", sizeof ".csv");
            status = gt_power_case_write(&c, out, &message);
        }
        if (!status) status = gt_power_dynamics_write(&d, &c, table, &message);
        if (status) code = gt_cli_complain(status, &message);
    }
    answer w = {.out = out};
    if (!code) w = (answer){out, table, c.n_bus, c.n_gen, c.n_branch};
    if (!code && gt_cli_has(&args->flags.json))
        code = gt_report_print_json(fields, &w);
    else if (!code)
        gt_report_print(stdout, fields, &w);
    gt_arena_free(&arena);
    return code;
}

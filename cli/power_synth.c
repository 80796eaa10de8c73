/* SPDX-License-Identifier: BSD-3-Clause */
/* power synth: a made-up network of any size, as a case file with machine data beside it. */
#include "power_parts.h"
#include <string.h>

int gt_power_cmd_synth(const cli_args *args)
{
    long buses = 0, areas = 0, seed = 1;
    gt_arena arena = gt_arena_growing();
    gt_message message = {""};
    gt_power_case c;
    gt_power_dynamics d;
    int code = gt_cli_whole(args, "buses", 10, 1000000, &buses);
    if (!code && !buses) code = gt_cli_usage("power synth needs --buses N, as in --buses 2000");
    if (!code) code = gt_cli_whole(args, "areas", 1, 100000, &areas);
    if (!code) code = gt_cli_whole(args, "seed", 0, 2000000000, &seed);
    char made_up[48], *table;
    snprintf(made_up, sizeof made_up, "synth%ld.m", buses);
    const char *out = gt_cli_text(args, "out") ? gt_cli_text(args, "out") : made_up, *dot = strrchr(out, '.');
    if (!code && (!dot || strcmp(dot, ".m"))) code = gt_cli_usage("--out %s: the name of a case file ends in .m", out);
    if (!code) code = gt_cli_check_output("--out", out, NULL);
    if (!code) {
        gt_power_synth_options options = {.buses = (int)buses, .areas = (int)areas, .seed = (unsigned)seed};
        gt_status status = gt_power_synth(&options, &c, &d, &arena, &message);
        table = gt_arena_take(&arena, strlen(out) + 8, 1);
        if (!status && !table) status = gt_fail(&message, GT_NO_MEMORY, "out of memory");
        if (!status) {
            memcpy(table, out, (size_t)(dot - out));
            strcat(table, ".csv");
            status = gt_power_case_write(&c, out, &message);
        }
        if (!status) status = gt_power_dynamics_write(&d, &c, table, &message);
        if (status) code = gt_cli_complain(status, &message);
    }
    if (!code && gt_cli_has(args, "json")) {
        json_t *object = json_object();
        json_object_set_new(object, "case", json_string(out));
        json_object_set_new(object, "dyn", json_string(table));
        json_object_set_new(object, "buses", json_integer((json_int_t)c.n_bus));
        json_object_set_new(object, "machines", json_integer((json_int_t)c.n_gen));
        json_object_set_new(object, "branches", json_integer((json_int_t)c.n_branch));
        code = gt_cli_json_print(object);
    } else if (!code) {
        printf("%zu buses, %zu machines, %zu branches\nwrote %s and %s\n", c.n_bus, c.n_gen, c.n_branch, out, table);
    }
    gt_arena_free(&arena);
    return code;
}

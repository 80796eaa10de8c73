/* SPDX-License-Identifier: BSD-3-Clause */
/* Initial values from a CSV file: what is taken is a number for each state. */
#include "../../cli/cli.h"
#include "fuzz_kit.h"
#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const cli_flag from = {.name = "init-from", .value = "FILE.csv"};
    cli_given given[] = {{.flag = &from, .value = fuzz_file(".csv", data, size)}};
    const char *operands[] = {"lorenz"};
    cli_args args = {.command = &gt_cmd_run,
                     .n_operands = 1,
                     .n_given = 1,
                     .operands = operands,
                     .given = given};
    cli_problem p = {0};
    int code = gt_cli_problem(&args, "lorenz", &p);
    if (code != CLI_OK && code != CLI_USAGE && code != CLI_FAILED) abort();
    for (size_t i = 0; code == CLI_OK && i < gt_problem_size(&p.problem); i++)
        if (!isfinite(p.problem.x0[i])) abort();
    gt_cli_problem_free(&p);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Method files: read, and a step of what they describe. */
#include "../../cli/cli.h"
#include "fuzz_kit.h"

static gt_status decay(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0] + x[1];
    dx[1] = -10 * x[1];
    return GT_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gt_arena arena = gt_arena_growing();
    const gt_method *method = NULL;
    int code = gt_cli_method(fuzz_file(".json", data, size), &arena, &method);
    if (code != CLI_OK && code != CLI_USAGE && code != CLI_FAILED) abort();
    if (code == CLI_OK) {
        const double x0[] = {1, 1};
        double x[2];
        gt_problem problem = {.n_slow = 1, .n_fast = 1, .rhs = decay, .t1 = 0.2, .x0 = x0};
        gt_plan plan = {.h = 0.01, .x_end = x, .max_steps = 50};
        gt_report report;
        gt_status status = gt_solve(&problem, method, &plan, &report);
        fuzz_says_why(status, &report.message);
    }
    gt_arena_free(&arena);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* MATPOWER cases: read, checked, and their power flow where they are small. */
#include "fuzz_kit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gt_arena arena = gt_arena_growing();
    gt_message message = {""};
    gt_power_case grid = {0};
    char *text = fuzz_text(data, size);
    gt_status status = gt_power_case_parse(text, "fuzz.m", &grid, &arena, &message);
    fuzz_says_why(status, &message);
    if (!status) {
        status = gt_power_case_check(&grid, &message);
        fuzz_says_why(status, &message);
    }
    if (!status && grid.n_bus <= 60 && grid.n_branch <= 200) {
        gt_power_flow_result flow;
        gt_power_flow_options options = {.max_iterations = 5};
        fuzz_says_why(gt_power_flow(&grid, &options, &flow, &arena, &message), &message);
    }
    gt_arena_free(&arena);
    free(text);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_FUZZ_MACHINES_H
#define GEARTRAIN_FUZZ_MACHINES_H

/* Machine data, as a table or as PSS/E records, beside a grid of three machines; what is read
 * becomes equations, which are evaluated at their start. */
#include "fuzz_kit.h"

typedef struct fuzz_grid {
    gt_arena arena;
    gt_power_case grid;
    gt_power_flow_result flow;
} fuzz_grid;

/* Read once: the case is not what is tried here. */
static const fuzz_grid *machines_grid(void)
{
    static fuzz_grid g;
    gt_message message = {""};
    if (g.grid.n_bus) return &g;
    g.arena = gt_arena_growing();
    if (gt_power_case_read(TEST_SOURCE_DIR "/cases/wscc9.m", &g.grid, &g.arena, &message) ||
        gt_power_flow(&g.grid, NULL, &g.flow, &g.arena, &message))
        abort();
    return &g;
}

static void machines_feed(const char *name, const uint8_t *data, size_t size)
{
    const fuzz_grid *g = machines_grid();
    gt_arena arena = gt_arena_growing();
    gt_message message = {""};
    gt_power_dynamics machines = {0};
    char *text = fuzz_text(data, size);
    gt_status status =
        gt_power_dynamics_parse(text, name, &g->grid, 0.1, &machines, &arena, &message);
    fuzz_says_why(status, &message);
    for (int k = 0; k < 2 && !status; k++) {
        gt_power_setup setup = {.grid = &g->grid,
                                .flow = &g->flow,
                                .dynamics = &machines,
                                .model = k ? GT_POWER_CLASSICAL : GT_POWER_DAE,
                                .limits = size % 2,
                                .t1 = 1};
        gt_problem problem = {0};
        const gt_power_system *system;
        gt_status built = gt_power_build(&setup, &problem, &system, &arena, &message);
        fuzz_says_why(built, &message);
        double *dx = built ? NULL : gt_arena_doubles(&arena, gt_problem_size(&problem));
        if (dx) (void)!problem.rhs(0, problem.x0, dx, problem.ctx);
    }
    gt_arena_free(&arena);
    free(text);
}

#endif

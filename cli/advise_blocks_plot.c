/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues of the slow and of the fast block along the solution, side by side, as Figures 4 to 7
 * of shome. */
#include "advise_parts.h"

int gt_advise_draw_blocks(advise_job *job)
{
    const gt_advice *a = &job->advice;
    const gt_split *split = gt_advise_division(job);
    gt_arena *arena = &job->p.arena;
    size_t n = gt_problem_size(&job->p.problem), used[2] = {0, 0};
    if (!split)
        return gt_cli_failed("--blocks --plot: there is neither a fast block nor a suggested one");
    double *values[2] = {gt_arena_doubles(arena, 2 * n * a->n_points),
                         gt_arena_doubles(arena, 2 * n * a->n_points)};
    if (!values[0] || !values[1]) return gt_cli_failed("out of memory");
    for (size_t k = 0; k < a->n_points; k++)
        for (int fast = 0; fast < 2 && a->points[k].complete; fast++) {
            size_t count;
            if (!gt_split_block(&a->points[k], split->fast, fast, values[fast] + 2 * used[fast],
                                &count, NULL))
                used[fast] += count;
        }
    if (!used[0] || !used[1])
        return gt_cli_failed("--blocks --plot: the model is too large for all eigenvalues");
    static const char *const labels[2] = {"slow block: Im lambda", "fast block: Im lambda"};
    cli_curve curves[2];
    cli_panel panels[2];
    for (int fast = 0; fast < 2; fast++) {
        curves[fast] = (cli_curve){.x = values[fast],
                                   .y = values[fast] + 1,
                                   .count = used[fast],
                                   .x_stride = 2,
                                   .stride = 2,
                                   .style = CLI_POINTS,
                                   .colour = fast + 1};
        panels[fast] = (cli_panel){.x_label = "Re lambda",
                                   .y_label = labels[fast],
                                   .curves = &curves[fast],
                                   .n_curves = 1};
    }
    char title[256];
    snprintf(title, sizeof title, "Eigenvalues of %s by blocks, at %zu points of a run",
             job->p.model->name, a->n_points);
    gt_cli_title_add_set(job->args, title, sizeof title);
    return gt_cli_plot(&(cli_plot){.path = job->plot,
                                   .title = title,
                                   .panels = panels,
                                   .n_panels = 2,
                                   .side_by_side = true,
                                   .args = job->args});
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues times the step over the stability region of a method. */
#include "advise_parts.h"
#include "stability_parts.h"
#include <geartrain/analysis/stability.h>
#include <math.h>

static double size_at(double _Complex z, const void *ctx) { return gt_amplifier_largest(ctx, z); }

/* The first method that has a region: of those named, or of those in order of rank. */
static const gt_method *open_method(const advise_job *job, gt_amplifier *amplifier)
{
    const gt_advice *a = &job->advice;
    for (size_t k = 0; k < a->n_methods; k++) {
        const gt_method *method = job->methods ? job->methods[k] : a->methods[k].method;
        if (!gt_amplifier_open(amplifier, method, NULL, NULL)) return method;
    }
    return NULL;
}

/* The points inside the window; gives how many are outside. */
static size_t mark_points(const gt_advice *a, double h, double window, double *marks, size_t *used)
{
    size_t outside = 0;
    for (size_t k = 0; k < a->n_points; k++)
        for (size_t j = 0; j < a->points[k].count; j++) {
            double step = h > 0 ? h : a->points[k].h;
            double x = step * a->points[k].values[2 * j], y = step * a->points[k].values[2 * j + 1];
            if (fabs(x) > window || fabs(y) > window) {
                outside++;
            } else if (step > 0) {
                marks[2 * *used] = x;
                marks[2 * (*used)++ + 1] = y;
            }
        }
    return outside;
}

static double farthest(const gt_advice *a, double h)
{
    double most = 0;
    for (size_t k = 0; k < a->n_points; k++) {
        double step = h > 0 ? h : a->points[k].h;
        for (size_t j = 0; j < a->points[k].count; j++)
            most = fmax(most,
                        step * hypot(a->points[k].values[2 * j], a->points[k].values[2 * j + 1]));
    }
    return most;
}

int gt_advise_draw(advise_job *job)
{
    const gt_advice *a = &job->advice;
    gt_amplifier amplifier;
    size_t count = 0, used = 0;
    for (size_t k = 0; k < a->n_points; k++) count += a->points[k].count;
    double *marks = gt_arena_doubles(&job->p.arena, 2 * count + 2);
    if (!marks) return gt_cli_failed("out of memory");
    const gt_method *method = open_method(job, &amplifier);
    if (!method)
        return gt_cli_failed(
            "--plot: none of the methods has one stability region; try --methods trapezoidal");
    /* Large enough for the regions of explicit methods, and not so large that they vanish. */
    double window = fmin(fmax(1.15 * farthest(a, job->h), 4.5), 12);
    size_t outside = mark_points(a, job->h, window, marks, &used);
    char title[256], mark_title[96], label[64];
    if (job->h > 0)
        gt_format(title, sizeof title, "Eigenvalues of %s times h = %g", job->p.model->name,
                  job->h);
    else
        snprintf(title, sizeof title, "Eigenvalues of %s times the steps of a run of %s",
                 job->p.model->name, a->method->name);
    gt_cli_title_add_set(job->args, title, sizeof title);
    snprintf(mark_title, sizeof mark_title, "h lambda");
    if (outside)
        snprintf(mark_title, sizeof mark_title, "h lambda, %zu of %zu outside", outside, count);
    snprintf(label, sizeof label, "region of %s", method->name);
    const void *ctx[] = {&amplifier};
    cli_entry entry = {.method = method, .label = label};
    cli_region region = {.args = job->args,
                         .left = -window,
                         .right = 0.5 * window,
                         .bottom = -0.75 * window,
                         .top = 0.75 * window,
                         .size = size_at,
                         .ctx = ctx,
                         .marks = marks,
                         .n_marks = used,
                         .dots = true,
                         .mark_title = mark_title,
                         .x_label = "Re h lambda",
                         .y_label = "Im h lambda"};
    int code = gt_region_plot(job->plot, title, &entry, 1, &region);
    gt_amplifier_close(&amplifier);
    return code;
}

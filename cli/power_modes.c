/* SPDX-License-Identifier: BSD-3-Clause */
/* power modes: the linear model about the steady state. */
#include "modes.h"
#include "power_parts.h"
#include <math.h>

/* The angle of all machines together matters to nothing, so one eigenvalue is zero, two without governors and damping;
 * round-off splits a double one into +-1e-7. */
static size_t count_zeros(const gt_linearization *l)
{
    size_t zeros = 0;
    for (size_t k = 0; k < l->n; k++) zeros += hypot(l->modes[k].re, l->modes[k].im) < 1e-4;
    return zeros;
}

static int draw(power_job *job, const gt_linearization *l, const char *path)
{
    char title[160];
    snprintf(title, sizeof title, "Modes of %s", job->c.name);
    double *re = gt_arena_doubles(&job->p.arena, l->n), *im = gt_arena_doubles(&job->p.arena, l->n);
    if (!re || !im) return gt_cli_failed("out of memory");
    for (size_t k = 0; k < l->n; k++) re[k] = l->modes[k].re, im[k] = l->modes[k].im;
    cli_curve curve = {.x = re, .y = im, .count = l->n, .style = CLI_POINTS};
    cli_panel panel = {
        .x_label = "real part [1/s]", .y_label = "imaginary part [rad/s]", .curves = &curve, .n_curves = 1};
    return gt_cli_plot(&(cli_plot){.path = path, .title = title, .panels = &panel, .n_panels = 1, .args = job->args});
}

static int report(power_job *job, const gt_linearization *l)
{
    size_t zeros = count_zeros(l), growing = 0;
    for (size_t k = 0; k < l->n; k++) growing += l->modes[k].re > 1e-4;
    if (job->json) {
        json_t *object = json_object();
        json_object_set_new(object, "case", json_string(job->c.name));
        json_object_set_new(object, "modes", gt_modes_json(&job->p.problem, l));
        json_object_set_new(object, "zero_modes", json_integer((json_int_t)zeros));
        json_object_set_new(object, "stable", json_boolean(growing == 0));
        return gt_cli_json_print(object);
    }
    printf("%s: %zu states about the steady state of the power flow\n\n", job->c.name, l->n);
    gt_modes_print(&job->p.problem, l);
    printf("\n%zu eigenvalue%s zero (all angles together are free%s); %s\n", zeros, zeros == 1 ? " is" : "s are",
           zeros > 1 ? ", and so is the speed" : "",
           growing ? "there are modes that grow: the steady state is unstable" : "no mode grows");
    return CLI_OK;
}

int gt_power_cmd_modes(const cli_args *args)
{
    power_job job;
    gt_linearization linear;
    gt_message message = {""};
    const char *plot = gt_cli_text(args, "plot");
    int code = gt_power_job_setup(args, &job);
    if (!code) code = gt_power_job_build(&job);
    if (!code && plot) code = gt_cli_check_plot(plot, job.inputs);
    if (!code) {
        gt_status status = gt_linearize(&job.p.problem, 0, job.p.problem.x0, &linear, &job.p.arena, &message);
        if (status) code = gt_cli_complain(status, &message);
    }
    if (!code && plot) code = draw(&job, &linear, plot);
    if (!code) code = report(&job, &linear);
    if (!code && plot && !job.json) printf("wrote %s\n", plot);
    gt_power_job_free(&job);
    return code;
}

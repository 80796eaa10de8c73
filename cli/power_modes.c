/* SPDX-License-Identifier: BSD-3-Clause */
/* power modes: the linear model about the steady state. */
#include "modes.h"
#include "power_parts.h"
#include <math.h>

/* The angle of all machines together matters to nothing, so one eigenvalue is zero, two without
 * governors and damping; round-off splits a double one into +-1e-7. */
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
    cli_panel panel = {.x_label = "real part [1/s]",
                       .y_label = "imaginary part [rad/s]",
                       .curves = &curve,
                       .n_curves = 1};
    return gt_cli_plot(&(cli_plot){
        .path = path, .title = title, .panels = &panel, .n_panels = 1, .args = job->args});
}

typedef struct answer {
    const char *name; /* of the case */
    modes_view modes;
    size_t zeros, growing;
} answer;

static void say_heading(const void *data, report_text *out)
{
    const answer *w = data;
    gt_report_say(out, "%s: %zu states about the steady state of the power flow", w->name,
                  w->modes.linear->n);
}

static void get_stable(const void *data, report_value *out)
{
    out->flag = ((const answer *)data)->growing == 0;
}

static void say_verdict(const void *data, report_text *out)
{
    const answer *w = data;
    gt_report_say(out, "\n%zu eigenvalue%s zero (all angles together are free%s); %s", w->zeros,
                  w->zeros == 1 ? " is" : "s are", w->zeros > 1 ? ", and so is the speed" : "",
                  w->growing ? "there are modes that grow: the steady state is unstable"
                             : "no mode grows");
}

static const report_field fields[] = {
    REPORT_TEXT("", say_heading),
    REPORT_KEY("case", "its name", REPORT_AT(answer, name)),
    REPORT_PART(gt_modes_fields, .offset = offsetof(answer, modes)),
    REPORT_KEY("zero_modes", "how many eigenvalues are zero", REPORT_AT(answer, zeros)),
    REPORT_KEY("stable", "no mode grows", .type = REPORT_BOOL, .get = get_stable, .label = "",
               .say = say_verdict),
    {.type = REPORT_END},
};

const cli_report gt_power_modes_reports[] = {{.fields = fields}, {.fields = NULL}};

static int report(power_job *job, const gt_linearization *l)
{
    answer w = {.name = job->c.name, .modes = {&job->p.problem, l}, .zeros = count_zeros(l)};
    for (size_t k = 0; k < l->n; k++) w.growing += l->modes[k].re > 1e-4;
    if (job->json) return gt_report_print_json(fields, &w);
    gt_report_print(stdout, fields, &w);
    return CLI_OK;
}

int gt_power_cmd_modes(const cli_args *args)
{
    power_job job;
    gt_linearization linear;
    gt_message message = {""};
    const char *plot = gt_cli_text(&args->flags.plot);
    int code = gt_power_job_setup(args, &job);
    if (!code) code = gt_power_job_build(&job);
    if (!code && plot) code = gt_cli_check_plot(plot, job.inputs);
    if (!code) {
        gt_status status =
            gt_linearize(&job.p.problem, 0, job.p.problem.x0, &linear, &job.p.arena, &message);
        if (status) code = gt_cli_complain(status, &message);
    }
    if (!code && plot) code = draw(&job, &linear, plot);
    if (!code) code = report(&job, &linear);
    if (!code && plot && !job.json) printf("wrote %s\n", plot);
    gt_power_job_free(&job);
    return code;
}

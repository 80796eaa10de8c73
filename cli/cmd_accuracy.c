/* SPDX-License-Identifier: BSD-3-Clause */
/* accuracy: how large a step may be for a prescribed global error, by the angle of the eigenvalues. */
#include "stability_parts.h"
#include <math.h>

static const cli_flag own_flags[] = {
    {.name = "x0", .value = "X,Y", .help = "start of the test problem; default 1,0"},
    {.name = "tol",
     .value = "E",
     .help = "largest error allowed; default 1e-4, and 1e-2 when a method has order 1 or 2"},
    {.name = "tf", .value = "T", .help = "end of the run; default 10"},
    {.name = "theta", .value = "LIST", .help = "angles from the positive real axis in degrees; default 0,5,..,180"},
    {.name = "plot", .value = "FILE", .help = "the domain in polar coordinates, .svg, .png or .pdf"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {gt_cli_method_flags, own_flags, gt_cli_looks_flags, gt_cli_report_flags, NULL};

typedef struct domain {
    cli_entry *entries;
    size_t count;
    double x0[2], tol, tf, *theta;
    size_t n_theta;
    double *h; /* [entry * n_theta + i] */
} domain;

/* What a method of low order reaches with a sensible number of steps. */
static double usual_tolerance(const domain *q)
{
    for (size_t e = 0; e < q->count; e++) {
        const gt_method *method = q->entries[e].method;
        gt_message message = {""};
        gt_values options = gt_params_default(method->options);
        if (gt_params_parse(method->options, "option", method->name, q->entries[e].options, &options, &message))
            continue; /* gt_accuracy_limit will say so */
        if (gt_method_facts(method, options.v).order <= 2) return 1e-2;
    }
    return 1e-4;
}

static int read_domain(const cli_args *args, gt_arena *arena, domain *q)
{
    enum { USUAL = 37 };
    double *x0 = NULL;
    size_t two = 0;
    *q = (domain){.x0 = {1, 0}, .tf = 10, .n_theta = USUAL};
    q->theta = gt_arena_doubles(arena, USUAL);
    if (!q->theta) return gt_cli_failed("out of memory");
    for (int i = 0; i < USUAL; i++) q->theta[i] = 5 * i;
    int code = gt_cli_entries(args, arena, &q->entries, &q->count);
    if (code) return code;
    q->tol = usual_tolerance(q);
    if ((code = gt_cli_positive(args, "tol", &q->tol)) || (code = gt_cli_positive(args, "tf", &q->tf))) return code;
    if ((code = gt_cli_numbers(args, "theta", arena, &q->theta, &q->n_theta))) return code;
    if ((code = gt_cli_numbers(args, "x0", arena, &x0, &two))) return code;
    if (x0 && two != 2) return gt_cli_usage("--x0 takes two numbers: --x0 1,0");
    if (x0) q->x0[0] = x0[0], q->x0[1] = x0[1];
    for (size_t i = 0; i < q->n_theta; i++)
        if (q->theta[i] < 0 || q->theta[i] > 180)
            return gt_cli_usage("--theta: %g is not between 0 and 180 degrees", q->theta[i]);
    q->h = gt_arena_doubles(arena, q->count * q->n_theta);
    return q->h ? CLI_OK : gt_cli_failed("out of memory");
}

static int find_steps(const cli_args *args, domain *q)
{
    cli_progress bar;
    gt_message message = {""};
    size_t total = q->count * q->n_theta;
    int code = CLI_OK;
    gt_cli_progress_begin(&bar, args, 0, 1);
    for (size_t k = 0; k < total && !code; k++) {
        const cli_entry *e = &q->entries[k / q->n_theta];
        gt_status status = gt_accuracy_limit(e->method, e->options, q->theta[k % q->n_theta], q->x0, q->tol, q->tf,
                                             &q->h[k], &message);
        if (status) code = gt_cli_complain(status, &message);
        gt_cli_progress_pieces(&bar, k + 1, total);
    }
    gt_cli_progress_end(&bar);
    return code;
}

static json_t *entry_json(const domain *q, size_t entry)
{
    json_t *object = json_object(), *points = json_array();
    json_object_set_new(object, "method", json_string(q->entries[entry].method->name));
    json_object_set_new(object, "options", json_string(q->entries[entry].options));
    json_object_set_new(object, "x0", gt_cli_json_numbers(q->x0, 2));
    json_object_set_new(object, "tol", gt_cli_json_number(q->tol));
    json_object_set_new(object, "tf", gt_cli_json_number(q->tf));
    for (size_t i = 0; i < q->n_theta; i++) {
        json_t *point = json_object();
        json_object_set_new(point, "theta", gt_cli_json_number(q->theta[i]));
        json_object_set_new(point, "h", gt_cli_json_number(q->h[entry * q->n_theta + i]));
        json_array_append_new(points, point);
    }
    json_object_set_new(object, "points", points);
    return object;
}

static int print_json(const domain *q)
{
    json_t *all = NULL;
    for (size_t e = 0; e < q->count; e++) gt_cli_json_also(&all, entry_json(q, e));
    return gt_cli_json_print(all);
}

static void print_text(const domain *q)
{
    bool none = false;
    gt_fprintf(stdout, "largest h with a global error of at most %g up to t = %g, x0 = (%g, %g)\n%8s", q->tol, q->tf,
               q->x0[0], q->x0[1], "theta");
    for (size_t e = 0; e < q->count; e++) printf(" %16s", q->entries[e].label);
    for (size_t i = 0; i < q->n_theta; i++) {
        gt_fprintf(stdout, "\n%8g", q->theta[i]);
        for (size_t e = 0; e < q->count; e++) {
            double h = q->h[e * q->n_theta + i];
            if (h > 0)
                gt_fprintf(stdout, " %16.8g", h);
            else
                printf(" %16s", "-");
            none = none || h == 0;
        }
    }
    putchar('\n');
    if (none)
        printf("       -: more than %d steps would be needed; a larger --tol or a shorter --tf asks for less\n",
               GT_ACCURACY_STEPS);
}

/* Both halves of the plane, as the domain is symmetric. */
static int draw(const domain *q, const cli_args *args, const char *path, gt_arena *arena)
{
    size_t n = q->n_theta;
    double *points = gt_arena_doubles(arena, 4 * n * q->count), most = 0;
    const double **curves = gt_arena_take(arena, q->count, sizeof *curves);
    if (!points || !curves) return gt_cli_failed("out of memory");
    for (size_t e = 0; e < q->count; e++) {
        double *curve = points + 4 * n * e;
        for (size_t i = 0; i < n; i++) {
            double angle = q->theta[i] * acos(-1.0) / 180, h = q->h[e * n + i];
            double *upper = curve + 2 * i, *lower = curve + 2 * (2 * n - 1 - i);
            upper[0] = lower[0] = h * cos(angle);
            upper[1] = h * sin(angle);
            lower[1] = -upper[1];
            most = fmax(most, h);
        }
        curves[e] = curve;
    }
    if (most == 0) return gt_cli_failed("no step is small enough for this error, so there is nothing to draw");
    char title[200];
    gt_format(title, sizeof title, "Accuracy domain: error at most %g up to t = %g, x0 = (%g, %g)", q->tol, q->tf,
              q->x0[0], q->x0[1]);
    cli_region region = {.args = args,
                         .left = -1.1 * most,
                         .right = 0.6 * most,
                         .bottom = -1.1 * most,
                         .top = 1.1 * most,
                         .curves = curves,
                         .n_points = 2 * n,
                         .x_label = "h cos theta",
                         .y_label = "h sin theta"};
    return gt_region_plot(path, title, q->entries, q->count, &region);
}

static int run(const cli_args *args)
{
    gt_arena arena = gt_arena_growing();
    domain q;
    const char *plot = gt_cli_text(args, "plot");
    int code = read_domain(args, &arena, &q);
    if (!code && plot) code = gt_cli_check_plot(plot, NULL);
    if (!code) code = find_steps(args, &q);
    if (!code && plot) code = draw(&q, args, plot, &arena);
    if (!code && gt_cli_has(args, "json")) {
        code = print_json(&q);
    } else if (!code) {
        print_text(&q);
        if (plot) printf("wrote %s\n", plot);
    }
    gt_arena_free(&arena);
    return code;
}

const cli_command gt_cmd_accuracy = {
    .name = "accuracy",
    .title = "the largest step for a prescribed global error, by the angle of the eigenvalues",
    .operands = "METHOD",
    .about =
        "The method runs on x1' = x2, x2' = -x1 + 2 cos(theta) x2, whose eigenvalues exp(+- i theta) have modulus 1,\n"
        "so h is |h lambda|; the error is the largest distance from the true solution at the steps. 90 degrees is an\n"
        "undamped oscillation and 180 a double real eigenvalue. The domain depends on the start.",
    .examples =
        "    geartrain accuracy rk4 --x0 1,0 --tol 1e-4 --tf 10\n"
        "    geartrain accuracy rk4 --also dopri5,trapezoidal --tol 1e-2 --theta 90,120,150,180 --plot accuracy.svg\n"
        "    geartrain accuracy dopri5 --theta 90,120,180 --json",
    .flags = flags,
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};

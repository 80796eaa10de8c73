/* SPDX-License-Identifier: BSD-3-Clause */
/* damping: the damping and frequency that a method gives to eigenvalues along a ray, beside the true ones. */
#include "stability_parts.h"
#include <math.h>

static const cli_flag own_flags[] = {
    {.name = "theta", .value = "DEGREES", .help = "angle of the ray from the negative real axis; default 45"},
    {.name = "r", .value = "LIST", .help = "distances |h lambda|; default 0.5,1,2,4,8"},
    {.name = "plot", .value = "FILE", .help = "damping and frequency from 0 to the largest r, .svg, .png or .pdf"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {gt_cli_method_flags, own_flags, gt_cli_looks_flags, gt_cli_report_flags, NULL};

typedef struct question {
    cli_entry *entries;
    gt_amplifier *a;
    size_t count, open;
    double theta, *r;
    size_t n_r;
} question;

static int read_question(const cli_args *args, gt_arena *arena, question *q)
{
    static double usual[] = {0.5, 1, 2, 4, 8};
    gt_message message = {""};
    *q = (question){.theta = 45, .r = usual, .n_r = sizeof usual / sizeof *usual};
    int code = gt_cli_entries(args, arena, &q->entries, &q->count);
    if (code || (code = gt_cli_number(args, "theta", &q->theta))) return code;
    if ((code = gt_cli_numbers(args, "r", arena, &q->r, &q->n_r))) return code;
    for (size_t i = 0; i < q->n_r; i++)
        if (q->r[i] < 0) return gt_cli_usage("--r takes distances, and %g is negative", q->r[i]);
    const char *plot = gt_cli_text(args, "plot");
    if (plot && (code = gt_cli_check_plot(plot, NULL))) return code;
    q->a = gt_arena_take(arena, q->count, sizeof *q->a);
    if (!q->a) return gt_cli_failed("out of memory");
    for (; q->open < q->count; q->open++) {
        const cli_entry *e = &q->entries[q->open];
        gt_status status = gt_amplifier_open(&q->a[q->open], e->method, e->options, &message);
        if (status) return gt_cli_complain(status, &message);
    }
    return CLI_OK;
}

static json_t *entry_json(const question *q, size_t entry)
{
    json_t *object = json_object(), *points = json_array();
    json_object_set_new(object, "method", json_string(q->entries[entry].method->name));
    json_object_set_new(object, "options", gt_cli_json_values(q->entries[entry].method->options, &q->a[entry].options));
    json_object_set_new(object, "theta", gt_cli_json_number(q->theta));
    for (size_t i = 0; i < q->n_r; i++) {
        gt_damping d = gt_damping_at(&q->a[entry], q->theta, q->r[i]);
        json_t *point = json_object();
        json_object_set_new(point, "r", gt_cli_json_number(q->r[i]));
        json_object_set_new(point, "damping", gt_cli_json_number(d.damping));
        json_object_set_new(point, "frequency", gt_cli_json_number(d.frequency));
        json_object_set_new(point, "exact_damping", gt_cli_json_number(d.exact_damping));
        json_object_set_new(point, "exact_frequency", gt_cli_json_number(d.exact_frequency));
        json_array_append_new(points, point);
    }
    json_object_set_new(object, "points", points);
    return object;
}

/* A damping of infinity is that of R = 0; minus infinity or no number at all is an overflow. */
static int check_points(const question *q)
{
    for (size_t e = 0; e < q->count; e++)
        for (size_t i = 0; i < q->n_r; i++) {
            gt_damping d = gt_damping_at(&q->a[e], q->theta, q->r[i]);
            if (d.damping > -INFINITY && !isnan(d.frequency)) continue;
            return gt_cli_failed("%s: R is not finite at r = %g: that is a pole, or too large a number",
                                 q->entries[e].label, q->r[i]);
        }
    return CLI_OK;
}

static int print_json(const question *q)
{
    json_t *all = NULL;
    for (size_t e = 0; e < q->count; e++) gt_cli_json_also(&all, entry_json(q, e));
    return gt_cli_json_print(all);
}

static void print_text(const question *q)
{
    for (size_t e = 0; e < q->count; e++) {
        gt_fprintf(stdout, "%s, lambda h = r (-cos + i sin)(%g degrees)\n", q->entries[e].label, q->theta);
        printf("%10s %16s %16s %16s %16s\n", "r", "damping", "exact", "frequency", "exact");
        for (size_t i = 0; i < q->n_r; i++) {
            gt_damping d = gt_damping_at(&q->a[e], q->theta, q->r[i]);
            gt_fprintf(stdout, "%10g %16.10g %16.10g %16.10g %16.10g\n", q->r[i], d.damping + 0.0,
                       d.exact_damping + 0.0, d.frequency + 0.0, d.exact_frequency + 0.0);
        }
    }
}

enum { SAMPLES = 400 };

/* Curves of one entry: r, damping, frequency. The frequency is known up to 2 pi; the figure shows it continued. */
static void sample(const question *q, size_t e, double most, double *r, double *damping, double *frequency)
{
    const double turn = 2 * acos(-1.0);
    for (int k = 0; k < SAMPLES; k++) {
        r[k] = most * (k + 1) / SAMPLES;
        gt_damping d = gt_damping_at(&q->a[e], q->theta, r[k]);
        damping[k] = isfinite(d.damping) ? d.damping : NAN;
        frequency[k] = d.frequency;
        if (k > 0 && isfinite(frequency[k - 1])) frequency[k] += turn * round((frequency[k - 1] - d.frequency) / turn);
    }
}

static int draw(const question *q, const cli_args *args, const char *path, gt_arena *arena)
{
    size_t n = q->count;
    double most = 0, angle = q->theta * acos(-1.0) / 180;
    double *data = gt_arena_doubles(arena, (size_t)SAMPLES * 3 * n);
    cli_curve *curves = gt_arena_take(arena, 2 * (n + 1), sizeof *curves);
    if (!data || !curves) return gt_cli_failed("out of memory");
    for (size_t i = 0; i < q->n_r; i++) most = fmax(most, q->r[i]);
    if (most == 0) return gt_cli_usage("--r is 0 only, which leaves nothing to draw");
    const double ends[] = {0, most}, damping[] = {0, most * cos(angle)}, frequency[] = {0, most * sin(angle)};
    cli_curve *upper = curves, *lower = curves + n + 1;
    upper[0] = (cli_curve){.title = "exact", .x = ends, .y = damping, .count = 2, .style = CLI_BACKGROUND};
    lower[0] = (cli_curve){.title = "exact", .x = ends, .y = frequency, .count = 2, .style = CLI_BACKGROUND};
    for (size_t e = 0; e < n; e++) {
        double *r = data + e * 3 * SAMPLES;
        sample(q, e, most, r, r + SAMPLES, r + 2 * SAMPLES);
        upper[e + 1] =
            (cli_curve){.title = q->entries[e].label, .x = r, .y = r + SAMPLES, .count = SAMPLES, .colour = (int)e + 1};
        lower[e + 1] = (cli_curve){
            .title = q->entries[e].label, .x = r, .y = r + 2 * SAMPLES, .count = SAMPLES, .colour = (int)e + 1};
    }
    cli_panel panels[] = {
        {.y_label = "damping", .curves = upper, .n_curves = n + 1, .tight_x = true},
        {.x_label = "r = |h lambda|", .y_label = "frequency", .curves = lower, .n_curves = n + 1, .tight_x = true}};
    char title[200];
    gt_format(title, sizeof title, "Damping and frequency at %g degrees from the negative real axis", q->theta);
    return gt_cli_plot(&(cli_plot){.path = path, .title = title, .panels = panels, .n_panels = 2, .args = args});
}

static int run(const cli_args *args)
{
    gt_arena arena = gt_arena_growing();
    question q;
    const char *plot = gt_cli_text(args, "plot");
    int code = read_question(args, &arena, &q);
    if (!code && plot) code = draw(&q, args, plot, &arena);
    if (!code) code = check_points(&q);
    if (!code && gt_cli_has(args, "json")) {
        code = print_json(&q);
    } else if (!code) {
        print_text(&q);
        if (plot) printf("wrote %s\n", plot);
    }
    for (size_t e = 0; e < q.open; e++) gt_amplifier_close(&q.a[e]);
    gt_arena_free(&arena);
    return code;
}

const cli_command gt_cmd_damping = {
    .name = "damping",
    .title = "damping and frequency that a method gives to eigenvalues along a ray",
    .operands = "METHOD",
    .about =
        "One step multiplies by R = exp(-damping + i frequency); for h lambda = r (-cos theta + i sin theta) they\n"
        "should be r cos theta and r sin theta. The frequency lies between -pi and pi: a step cannot tell more.\n"
        "Of a multistep formula it is the principal root.",
    .examples = "    geartrain damping trapezoidal --theta 45 --r 1,2,4,8\n"
                "    geartrain damping rk4 --also dopri5,beuler --theta 75 --r 4 --plot damping.svg",
    .flags = flags,
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* damping: the damping and frequency that a method gives to eigenvalues along a ray, beside the
 * true ones. */
#include "report_parts.h"
#include "stability_parts.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <string.h>

/* What was given for the flags that `damping` alone has. */
typedef struct damping_flags {
    cli_value r, theta;
} damping_flags;

static inline const damping_flags *damping_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(damping_flags));
}

static const cli_flag own_flags[] = {
    {CLI_OWN(damping_flags, theta, "theta"), .value = "DEGREES",
     .help = "angle of the ray from the negative real axis; default 45"},
    {CLI_OWN(damping_flags, r, "r"), .value = "LIST",
     .help = "distances |h lambda|; default 0.5,1,2,4,8"},
    {CLI_FLAG(plot, "plot"), .value = "FILE",
     .help = "damping and frequency from 0 to the largest r, .svg, .png or .pdf"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {gt_cli_method_flags, own_flags, gt_cli_looks_flags,
                                        gt_cli_report_flags, NULL};

typedef struct question {
    cli_entry *entries;
    gt_amplifier *a;
    size_t count, open;
    double theta, *r;
    size_t n_r;
} question;

static int read_question(const cli_args *args, gt_arena *arena, question *q)
{
    static const double usual[] = {0.5, 1, 2, 4, 8};
    gt_message message = {""};
    *q = (question){.theta = 45, .r = gt_arena_take(arena, sizeof usual, 1), .n_r = 5};
    if (!q->r) return gt_cli_failed("out of memory");
    memcpy(q->r, usual, sizeof usual);
    int code = gt_cli_entries(args, arena, &q->entries, &q->count);
    if (code || (code = gt_cli_number(&damping_own(args)->theta, &q->theta))) return code;
    if ((code = gt_cli_numbers(&damping_own(args)->r, arena, &q->r, &q->n_r))) return code;
    for (size_t i = 0; i < q->n_r; i++)
        if (q->r[i] < 0) return gt_cli_usage("--r takes distances, and %g is negative", q->r[i]);
    const char *plot = gt_cli_text(&args->flags.plot);
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

/* A damping of infinity is that of R = 0; minus infinity or no number at all is an overflow. */
static int check_points(const question *q)
{
    for (size_t e = 0; e < q->count; e++)
        for (size_t i = 0; i < q->n_r; i++) {
            gt_damping d = gt_damping_at(&q->a[e], q->theta, q->r[i]);
            if (d.damping > -INFINITY && !isnan(d.frequency)) continue;
            return gt_cli_failed(
                "%s: R is not finite at r = %g: that is a pole, or too large a number",
                q->entries[e].label, q->r[i]);
        }
    return CLI_OK;
}

/* ---- the report: of entry i of a question ---- */

static const question *question_of(const void *data) { return ((const report_item *)data)->of; }

static void get_method(const void *data, report_value *out)
{
    out->text = question_of(data)->entries[((const report_item *)data)->i].method->name;
}

static void get_options(const void *data, report_value *out)
{
    const question *q = question_of(data);
    size_t e = ((const report_item *)data)->i;
    gt_report_params(out, q->entries[e].method->options, &q->a[e].options);
}

/* Distance i of an entry has the place entry n_r + i. */
static bool each_point(const void *data, size_t i, report_value *out)
{
    const report_item *entry = data;
    const question *q = entry->of;
    if (i >= q->n_r) return false;
    out->item = (report_item){.of = q, .i = entry->i * q->n_r + i};
    return true;
}

static double r_of(const void *data)
{
    return question_of(data)->r[((const report_item *)data)->i % question_of(data)->n_r];
}

static gt_damping damping_of(const void *data)
{
    const question *q = question_of(data);
    return gt_damping_at(&q->a[((const report_item *)data)->i / q->n_r], q->theta, r_of(data));
}

static void get_r(const void *data, report_value *out) { out->number = r_of(data); }

static void get_damping(const void *data, report_value *out)
{
    out->number = damping_of(data).damping;
}

static void get_exact_damping(const void *data, report_value *out)
{
    out->number = damping_of(data).exact_damping;
}

static void get_frequency(const void *data, report_value *out)
{
    out->number = damping_of(data).frequency;
}

static void get_exact_frequency(const void *data, report_value *out)
{
    out->number = damping_of(data).exact_frequency;
}

static const report_field point_fields[] = {
    REPORT_KEY("r", "|h lambda|", .type = REPORT_NUMBER, .get = get_r, .label = "r"),
    REPORT_KEY("damping", "that the method gives", .type = REPORT_NUMBER, .get = get_damping,
               .label = "damping", .format = "%.10g"),
    REPORT_KEY("exact_damping", "r cos theta", .type = REPORT_NUMBER, .get = get_exact_damping,
               .label = "exact", .format = "%.10g"),
    REPORT_KEY("frequency", "that the method gives, -pi to pi", .type = REPORT_NUMBER,
               .get = get_frequency, .label = "frequency", .format = "%.10g"),
    REPORT_KEY("exact_frequency", "r sin theta", .type = REPORT_NUMBER, .get = get_exact_frequency,
               .label = "exact", .format = "%.10g"),
    {.type = REPORT_END},
};

static void say_heading(const void *data, report_text *out)
{
    const question *q = question_of(data);
    gt_report_say(out, "%s, lambda h = r (-cos + i sin)(%g degrees)",
                  q->entries[((const report_item *)data)->i].label, q->theta);
}

static const report_field fields[] = {
    REPORT_TEXT("", say_heading),
    REPORT_KEY("method", "its name", .type = REPORT_STRING, .get = get_method),
    REPORT_KEY("options", "of the method, by name", .type = REPORT_MAP, .get = get_options,
               .each = gt_report_each_param, .entry = REPORT_ANY),
    REPORT_KEY("theta", "angle of the ray from the negative real axis, degrees",
               .via = {offsetof(report_item, of) + 1}, REPORT_AT(question, theta)),
    REPORT_KEY("points", "along the ray", .type = REPORT_LIST, .each = each_point,
               .of = point_fields, .label = ""),
    {.type = REPORT_END},
};

enum { SAMPLES = 400 };

/* Curves of one entry: r, damping, frequency. The frequency is known up to 2 pi; the figure shows
 * it continued. */
static void sample(const question *q, size_t e, double most, double *r, double *damping,
                   double *frequency)
{
    const double turn = 2 * GT_PI;
    for (int k = 0; k < SAMPLES; k++) {
        r[k] = most * (k + 1) / SAMPLES;
        gt_damping d = gt_damping_at(&q->a[e], q->theta, r[k]);
        damping[k] = isfinite(d.damping) ? d.damping : NAN;
        frequency[k] = d.frequency;
        if (k > 0 && isfinite(frequency[k - 1]))
            frequency[k] += turn * round((frequency[k - 1] - d.frequency) / turn);
    }
}

static int draw(const question *q, const cli_args *args, const char *path, gt_arena *arena)
{
    size_t n = q->count;
    double most = 0, angle = q->theta * GT_PI / 180;
    double *data = gt_arena_doubles(arena, (size_t)SAMPLES * 3 * n);
    cli_curve *curves = gt_arena_take(arena, 2 * (n + 1), sizeof *curves);
    if (!data || !curves) return gt_cli_failed("out of memory");
    for (size_t i = 0; i < q->n_r; i++) most = fmax(most, q->r[i]);
    if (most == 0) return gt_cli_usage("--r is 0 only, which leaves nothing to draw");
    const double ends[] = {0, most}, damping[] = {0, most * cos(angle)},
                 frequency[] = {0, most * sin(angle)};
    cli_curve *upper = curves, *lower = curves + n + 1;
    upper[0] =
        (cli_curve){.title = "exact", .x = ends, .y = damping, .count = 2, .style = CLI_BACKGROUND};
    lower[0] = (cli_curve){
        .title = "exact", .x = ends, .y = frequency, .count = 2, .style = CLI_BACKGROUND};
    for (size_t e = 0; e < n; e++) {
        double *r = data + e * 3 * SAMPLES;
        sample(q, e, most, r, r + SAMPLES, r + 2 * SAMPLES);
        upper[e + 1] = (cli_curve){.title = q->entries[e].label,
                                   .x = r,
                                   .y = r + SAMPLES,
                                   .count = SAMPLES,
                                   .colour = (int)e + 1};
        lower[e + 1] = (cli_curve){.title = q->entries[e].label,
                                   .x = r,
                                   .y = r + 2 * SAMPLES,
                                   .count = SAMPLES,
                                   .colour = (int)e + 1};
    }
    cli_panel panels[] = {
        {.y_label = "damping", .curves = upper, .n_curves = n + 1, .tight_x = true},
        {.x_label = "r = |h lambda|",
         .y_label = "frequency",
         .curves = lower,
         .n_curves = n + 1,
         .tight_x = true}};
    char title[200];
    gt_format(title, sizeof title,
              "Damping and frequency at %g degrees from the negative real axis", q->theta);
    return gt_cli_plot(
        &(cli_plot){.path = path, .title = title, .panels = panels, .n_panels = 2, .args = args});
}

static int run(const cli_args *args)
{
    gt_arena arena = gt_arena_growing();
    question q;
    const char *plot = gt_cli_text(&args->flags.plot);
    int code = read_question(args, &arena, &q);
    if (!code && plot) code = draw(&q, args, plot, &arena);
    if (!code) code = check_points(&q);
    if (!code && gt_cli_has(&args->flags.json)) {
        code = gt_report_print_json_entries(fields, &q, q.count);
    } else if (!code) {
        gt_report_print_entries(stdout, fields, &q, q.count);
        if (plot) printf("wrote %s\n", plot);
    }
    for (size_t e = 0; e < q.open; e++) gt_amplifier_close(&q.a[e]);
    gt_arena_free(&arena);
    return code;
}

static const cli_report reports[] = {{.fields = fields, .also = true}, {.fields = NULL}};

const cli_command gt_cmd_damping = {
    .name = "damping",
    .title = "damping and frequency that a method gives to eigenvalues along a ray",
    .operands = "METHOD",
    .about = "One step multiplies by R = exp(-damping + i frequency); for h lambda = r (-cos theta "
             "+ i sin theta) they\n"
             "should be r cos theta and r sin theta. The frequency lies between -pi and pi: a step "
             "cannot distinguish more.\n"
             "Of a multistep formula it is the principal root.",
    .examples =
        "    geartrain damping trapezoidal --theta 45 --r 1,2,4,8\n"
        "    geartrain damping rk4 --also dopri5,beuler --theta 75 --r 4 --plot damping.svg",
    .flags = flags,
    .own_bytes = sizeof(damping_flags),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
    .reports = reports,
};

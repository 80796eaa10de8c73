/* SPDX-License-Identifier: BSD-3-Clause */
/* accuracy: how large a step may be for a prescribed global error, by the angle of the eigenvalues.
 */
#include "report_parts.h"
#include "stability_parts.h"
#include <geartrain/author/number.h>
#include <math.h>

/* What was given for the flags that `accuracy` alone has. */
typedef struct accuracy_flags {
    cli_value tf, theta, tol, x0;
} accuracy_flags;

static inline const accuracy_flags *accuracy_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(accuracy_flags));
}

static const cli_flag own_flags[] = {
    {CLI_OWN(accuracy_flags, x0, "x0"), .value = "X,Y",
     .help = "start of the test problem; default 1,0"},
    {CLI_OWN(accuracy_flags, tol, "tol"), .value = "E",
     .help = "largest error allowed; default 1e-4, and 1e-2 when a method has order 1 or 2"},
    {CLI_OWN(accuracy_flags, tf, "tf"), .value = "T", .help = "end of the run; default 10"},
    {CLI_OWN(accuracy_flags, theta, "theta"), .value = "LIST",
     .help = "angles from the positive real axis in degrees; default 0,5,..,180"},
    {CLI_FLAG(plot, "plot"), .value = "FILE",
     .help = "the domain in polar coordinates, .svg, .png or .pdf"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {gt_cli_method_flags, own_flags, gt_cli_looks_flags,
                                        gt_cli_report_flags, NULL};

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
        if (gt_params_parse(method->options, "option", method->name, q->entries[e].options,
                            &options, &message))
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
    if ((code = gt_cli_positive(&accuracy_own(args)->tol, &q->tol)) ||
        (code = gt_cli_positive(&accuracy_own(args)->tf, &q->tf)))
        return code;
    if ((code = gt_cli_numbers(&accuracy_own(args)->theta, arena, &q->theta, &q->n_theta)))
        return code;
    if ((code = gt_cli_numbers(&accuracy_own(args)->x0, arena, &x0, &two))) return code;
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
        gt_status status = gt_accuracy_limit(e->method, e->options, q->theta[k % q->n_theta], q->x0,
                                             q->tol, q->tf, &q->h[k], &message);
        if (status) code = gt_cli_complain(status, &message);
        gt_cli_progress_pieces(&bar, k + 1, total);
    }
    gt_cli_progress_end(&bar);
    return code;
}

/* ---- the report: of entry i of a domain ---- */

static const domain *domain_of(const void *data) { return ((const report_item *)data)->of; }

static const cli_entry *entry_of(const void *data)
{
    return &domain_of(data)->entries[((const report_item *)data)->i];
}

static void get_method(const void *data, report_value *out)
{
    out->text = entry_of(data)->method->name;
}

static void get_options(const void *data, report_value *out)
{
    out->text = entry_of(data)->options;
}

/* Angle i of an entry has the place entry n_theta + i. */
static bool each_point(const void *data, size_t i, report_value *out)
{
    const report_item *entry = data;
    const domain *q = entry->of;
    if (i >= q->n_theta) return false;
    out->item = (report_item){.of = q, .i = entry->i * q->n_theta + i};
    return true;
}

static void get_theta(const void *data, report_value *out)
{
    out->number = domain_of(data)->theta[((const report_item *)data)->i % domain_of(data)->n_theta];
}

static const report_field point_fields[] = {
    REPORT_KEY("theta", "angle from the positive real axis, degrees", .type = REPORT_NUMBER,
               .get = get_theta),
    REPORT_KEY("h", "the largest step; 0: more steps than are tried", REPORT_COLUMN(domain, h)),
    {.type = REPORT_END},
};

#define DOMAIN_AT(member) .via = {offsetof(report_item, of) + 1}, REPORT_AT(domain, member)

static const report_field fields[] = {
    REPORT_KEY("method", "its name", .type = REPORT_STRING, .get = get_method),
    REPORT_KEY("options", "of the method, as given", .type = REPORT_STRING, .get = get_options),
    REPORT_KEY("x0", "start of the test problem", .via = {offsetof(report_item, of) + 1},
               REPORT_AS(PAIR, domain, x0)),
    REPORT_KEY("tol", "largest error allowed", DOMAIN_AT(tol)),
    REPORT_KEY("tf", "end of the run", DOMAIN_AT(tf)),
    REPORT_KEY("points", "by the angle", .type = REPORT_LIST, .each = each_point,
               .of = point_fields),
    {.type = REPORT_END},
};

/* ---- as text: a row for each angle, with a column for each entry ---- */

static bool each_step(const void *data, size_t e, report_value *out)
{
    const domain *q = domain_of(data);
    if (e >= q->count) return false;
    double h = q->h[e * q->n_theta + ((const report_item *)data)->i];
    out->name = q->entries[e].label;
    out->number = h > 0 ? h : NAN;
    return true;
}

static const report_field row_fields[] = {
    {.label = "theta", REPORT_COLUMN(domain, theta), .format = "%g"},
    {.type = REPORT_MAP, .each = each_step, .entry = REPORT_NUMBER, .label = "", .format = "%.8g"},
    {.type = REPORT_END},
};

static void say_heading(const void *data, report_text *out)
{
    const domain *q = data;
    gt_report_say(out, "largest h with a global error of at most %g up to t = %g, x0 = (%g, %g)",
                  q->tol, q->tf, q->x0[0], q->x0[1]);
}

static void say_none(const void *data, report_text *out)
{
    const domain *q = data;
    bool none = false;
    for (size_t k = 0; k < q->count * q->n_theta; k++) none = none || q->h[k] == 0;
    if (none)
        gt_report_say(
            out,
            "-: more than %d steps would be needed; a larger --tol or a shorter --tf asks "
            "for less",
            GT_ACCURACY_STEPS);
}

static const report_field text_fields[] = {
    REPORT_TEXT("", say_heading),
    {REPORT_COUNT(domain, n_theta), .of = row_fields, .label = ""},
    REPORT_TEXT("", say_none),
    {.type = REPORT_END},
};

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
            double angle = q->theta[i] * GT_PI / 180, h = q->h[e * n + i];
            double *upper = curve + 2 * i, *lower = curve + 2 * (2 * n - 1 - i);
            upper[0] = lower[0] = h * cos(angle);
            upper[1] = h * sin(angle);
            lower[1] = -upper[1];
            most = fmax(most, h);
        }
        curves[e] = curve;
    }
    if (most == 0)
        return gt_cli_failed("no step is small enough for this error, so there is nothing to draw");
    char title[200];
    gt_format(title, sizeof title, "Accuracy domain: error at most %g up to t = %g, x0 = (%g, %g)",
              q->tol, q->tf, q->x0[0], q->x0[1]);
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
    const char *plot = gt_cli_text(&args->flags.plot);
    int code = read_domain(args, &arena, &q);
    if (!code && plot) code = gt_cli_check_plot(plot, NULL);
    if (!code) code = find_steps(args, &q);
    if (!code && plot) code = draw(&q, args, plot, &arena);
    if (!code && gt_cli_has(&args->flags.json)) {
        code = gt_report_print_json_entries(fields, &q, q.count);
    } else if (!code) {
        gt_report_print(stdout, text_fields, &q);
        if (plot) printf("wrote %s\n", plot);
    }
    gt_arena_free(&arena);
    return code;
}

static const cli_report reports[] = {{.fields = fields, .also = true}, {.fields = NULL}};

const cli_command gt_cmd_accuracy = {
    .name = "accuracy",
    .title = "the largest step for a prescribed global error, by the angle of the eigenvalues",
    .operands = "METHOD",
    .about =
        "The method runs on x1' = x2, x2' = -x1 + 2 cos(theta) x2, whose eigenvalues exp(+- i "
        "theta) have modulus 1,\n"
        "so h is |h lambda|; the error is the largest distance from the true solution at the "
        "steps. 90 degrees is an\n"
        "undamped oscillation and 180 a double real eigenvalue. The domain depends on the start.",
    .examples = "    geartrain accuracy rk4 --x0 1,0 --tol 1e-4 --tf 10\n"
                "    geartrain accuracy rk4 --also dopri5,trapezoidal --tol 1e-2 --theta "
                "90,120,150,180 --plot accuracy.svg\n"
                "    geartrain accuracy dopri5 --theta 90,120,180 --json",
    .flags = flags,
    .own_bytes = sizeof(accuracy_flags),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
    .reports = reports,
};

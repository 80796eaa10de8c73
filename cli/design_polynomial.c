/* SPDX-License-Identifier: BSD-3-Clause */
/* design polynomial: an optimal stability polynomial, and a Runge-Kutta method that has it. */
#include "design_parts.h"
#include <complex.h>
#include <geartrain/author/number.h>
#include <math.h>
#include <string.h>

typedef struct answer {
    gt_polynomial_design design;
    double largest; /* |R| on the set, at many points */
    gt_method_label label;
    char title[160];
    const char *out;
    gt_tableau tableau; /* for the method file */
} answer;

static const char *const axis_names[] = {"imaginary", "real", "ellipse"};

static double complex value_at(const gt_polynomial_design *d, double complex z)
{
    double complex sum = 0;
    for (int k = d->task.degree; k >= 0; k--) sum = sum * z + d->beta[k];
    return sum;
}

/* The point of the set at 0 <= x <= 1. */
static double complex point_at(const gt_polynomial_design *d, double x)
{
    const gt_polynomial_task *t = &d->task;
    double angle = x * GT_PI;
    if (t->axis == GT_IMAGINARY_AXIS) return I * x * d->limit;
    if (t->axis == GT_REAL_AXIS) return -x * d->limit;
    return d->limit * (t->aspect * (cos(angle) - 1) + I * sin(angle));
}

static int read_task(const cli_args *args, gt_polynomial_task *task)
{
    task->aspect = 0.5;
    int code = gt_design_read_whole(&design_own(args)->degree, "polynomial", 1, GT_MAX_STAGES,
                                    &task->degree);
    if (!code)
        code = gt_design_read_whole(&design_own(args)->order, "polynomial", 1, GT_MAX_STAGES,
                                    &task->order);
    if (!code) code = gt_design_read_axis(args, &task->axis);
    if (!code) code = gt_cli_number(&design_own(args)->aspect, &task->aspect);
    if (!code) code = gt_cli_number(&design_own(args)->damping, &task->damping);
    if (!code) code = gt_cli_positive(&design_own(args)->limit, &task->limit);
    if (!code) code = gt_design_check_out(args);
    if (!code && gt_cli_text(&args->flags.plot))
        code = gt_cli_check_plot(gt_cli_text(&args->flags.plot), NULL);
    if (!code && gt_cli_has(&design_own(args)->aspect) && task->axis != GT_ELLIPSE)
        return gt_cli_usage("--aspect is for --axis ellipse");
    return code;
}

/* Stages one after the other, a_(i+1,i) = beta_(s-i+1) / beta_(s-i), with the last rows of Heun's
 * rule of order 3 when beta_3 is 1/6: the fast tableaux of prk2s and prk3s. */
static void make_tableau(const gt_polynomial_design *d, gt_tableau *T, int *order)
{
    int s = d->task.degree, last = s - 1;
    *T = (gt_tableau){.stages = s};
    *order = d->task.order < 3 ? d->task.order : 3;
    for (int i = 1; i < s; i++) {
        int k = s - i;
        gt_ratio exact = {d->ratio[k + 1].num * d->ratio[k].den,
                          d->ratio[k + 1].den * d->ratio[k].num};
        bool fits = d->limit_squared &&
                    fabs((double)d->ratio[k + 1].num) * (double)d->ratio[k].den < 1e18 &&
                    (double)d->ratio[k + 1].den * fabs((double)d->ratio[k].num) < 1e18;
        T->a[i][i - 1] = fits ? exact : gt_ratio_near(d->beta[k + 1] / d->beta[k]);
    }
    if (*order < 3) {
        T->b[last] = (gt_ratio){1, 1};
        return;
    }
    T->a[last][last - 1] = (gt_ratio){2, 3};
    T->a[last - 1][last - 2] = (gt_ratio){1, 3};
    T->b[0] = (gt_ratio){1, 4};
    T->b[last] = (gt_ratio){3, 4};
    T->b_hat[last - 1] = T->b_hat[last] = (gt_ratio){1, 2};
}

static const answer *answer_of(const void *data) { return data; }

static bool each_beta(const void *data, size_t k, report_value *out)
{
    return gt_report_number_entry(answer_of(data)->design.beta,
                                  (size_t)answer_of(data)->design.task.degree + 1, k, out);
}

/* As fractions where they are known. */
static bool each_exact_beta(const void *data, size_t k, report_value *out)
{
    const gt_polynomial_design *d = &answer_of(data)->design;
    bool there = gt_report_number_entry(d->beta, (size_t)d->task.degree + 1, k, out);
    if (there && d->limit_squared)
        out->ratio = d->ratio[k];
    else
        out->type = REPORT_NUMBER;
    return there;
}

static const report_field file_fields[] = {
    REPORT_PART(gt_tableau_fields, .offset = offsetof(answer, tableau)),
    REPORT_KEY("beta", "coefficients of R", .type = REPORT_LIST, .each = each_beta,
               .entry = REPORT_NUMBER),
    REPORT_KEY("limit", "how far it is stable", REPORT_AT(answer, design.limit)),
    {.type = REPORT_END},
};

static int write_method(answer *w)
{
    gt_tableau *T = &w->tableau;
    make_tableau(&w->design, T, &w->label.order);
    for (int i = 0; i < T->stages; i++) T->c[i] = i ? T->a[i][i - 1] : (gt_ratio){0, 1};
    return gt_cli_write_method(w->out, "rk", &w->label, file_fields, w);
}

static void get_axis(const void *data, report_value *out)
{
    out->text = axis_names[answer_of(data)->design.task.axis];
}

static bool is_ellipse(const void *data) { return answer_of(data)->design.task.axis == GT_ELLIPSE; }

static bool is_real(const void *data) { return answer_of(data)->design.task.axis == GT_REAL_AXIS; }

static bool has_error(const void *data) { return answer_of(data)->design.task.limit > 0; }

static bool is_closed(const void *data) { return answer_of(data)->design.limit_squared > 0; }

static void get_exact(const void *data, report_value *out) { out->flag = is_closed(data); }

static bool has_file(const void *data) { return answer_of(data)->out != NULL; }

static const report_field fields[] = {
    REPORT_KEY("degree", "of R", REPORT_AT(answer, design.task.degree)),
    REPORT_KEY("order", "of R", REPORT_AT(answer, design.task.order)),
    REPORT_KEY("axis", "where it is stable", .type = REPORT_STRING, .get = get_axis),
    REPORT_KEY("aspect", "of an ellipse: real over imaginary half axis",
               REPORT_AT(answer, design.task.aspect), .when = is_ellipse),
    REPORT_KEY("damping", "of the real axis: how far inside of 1",
               REPORT_AT(answer, design.task.damping), .when = is_real),
    REPORT_KEY("limit", "how far it is stable", REPORT_AT(answer, design.limit)),
    REPORT_KEY("error", "with --limit: |R - exp| over y^(order+1)", REPORT_AT(answer, design.error),
               .when = has_error),
    REPORT_KEY("exact", "there is a closed form", .type = REPORT_BOOL, .get = get_exact),
    REPORT_KEY("limit_squared", "a whole number then", REPORT_AT(answer, design.limit_squared),
               .when = is_closed),
    REPORT_KEY("beta", "coefficients in ascending powers, fractions where they are known",
               .type = REPORT_LIST, .each = each_exact_beta, .entry = REPORT_RATIO),
    REPORT_KEY("touches", "where |R| reaches its bound",
               REPORT_OWN_ARRAY(answer, design.touch, design.touches), .entry = REPORT_NUMBER),
    REPORT_KEY("largest", "|R| on the set, at many points", REPORT_AT(answer, largest)),
    REPORT_KEY("file", "that was written", REPORT_AT(answer, out), .when = has_file),
    {.type = REPORT_END},
};

const cli_report gt_design_polynomial_reports[] = {{.fields = fields}, {.fields = NULL}};

static void print_text(const answer *w)
{
    const gt_polynomial_design *d = &w->design;
    char text[48];
    printf("%s\n", w->title);
    if (d->limit == 0) {
        puts("    no polynomial of this degree and order is stable on any piece of the axis that "
             "begins at 0");
        return;
    }
    gt_fprintf(stdout, "    stable up to %.15g", d->limit);
    if (d->limit_squared > 0 && d->limit != rint(d->limit)) printf(" = sqrt(%d)", d->limit_squared);
    if (d->task.axis == GT_ELLIPSE)
        gt_fprintf(stdout, " (imaginary half axis) and %.15g (real axis)",
                   2 * d->task.aspect * d->limit);
    printf("%s\n", d->limit_squared > 0 ? "; in fractions, from a closed form" : "");
    if (d->task.limit > 0)
        gt_fprintf(stdout, "    |R(iy) - e^(iy)| is at most %.6g y^%d up to there\n", d->error,
                   d->task.order + 1);
    for (int k = 0; k <= d->task.degree; k++) {
        gt_format(text, sizeof text, "%.16g", d->beta[k]);
        if (d->limit_squared > 0) gt_ratio_print(d->ratio[k], text, sizeof text);
        printf("    beta_%-2d  %s\n", k, text);
    }
    if (!d->touches) return;
    printf("    |R| reaches its bound at %s", d->task.axis == GT_ELLIPSE ? "angles" : "|z| =");
    for (int k = 0; k < d->touches; k++) gt_fprintf(stdout, " %.6g", d->touch[k]);
    putchar('\n');
}

static int draw(const answer *w, const cli_args *args, const char *path, gt_arena *arena)
{
    enum { POINTS = 1000 };
    const gt_polynomial_design *d = &w->design;
    double *x = gt_arena_doubles(arena, 3 * POINTS);
    if (!x) return gt_cli_failed("out of memory");
    double *y = x + POINTS, *one = y + POINTS;
    for (int i = 0; i < POINTS; i++) {
        double u = 1.1 * i / (POINTS - 1);
        double complex z = point_at(d, d->task.axis == GT_ELLIPSE ? u / 1.1 : u);
        x[i] = d->task.axis == GT_ELLIPSE     ? 180 * u / 1.1
               : d->task.axis == GT_REAL_AXIS ? creal(z)
                                              : cimag(z);
        y[i] = fmin(cabs(value_at(d, z)), 1.5);
        one[i] = 1;
    }
    cli_curve curves[] = {{.x = x, .y = one, .count = POINTS, .style = CLI_BACKGROUND},
                          {.x = x, .y = y, .count = POINTS, .style = CLI_LINE, .colour = 1}};
    static const char *const labels[] = {"Im z", "z", "angle on the ellipse [deg]"};
    cli_panel panel = {.x_label = labels[d->task.axis],
                       .y_label = "|R|",
                       .tight_x = true,
                       .y_min = 0,
                       .y_max = 1.2,
                       .curves = curves,
                       .n_curves = 2};
    return gt_cli_plot(&(cli_plot){
        .path = path, .title = w->title, .panels = &panel, .n_panels = 1, .args = args});
}

int gt_design_polynomial_run(const cli_args *args)
{
    gt_arena arena = gt_arena_growing();
    gt_message message = {""};
    gt_polynomial_task task = {0};
    answer w = {.out = gt_cli_text(&args->flags.out)};
    const char *out = w.out, *plot = gt_cli_text(&args->flags.plot),
               *name = gt_cli_text(&design_own(args)->name);
    int code = read_task(args, &task);
    gt_status status = code ? GT_OK : gt_design_polynomial(&task, &w.design, &message);
    if (status) code = gt_cli_complain(status, &message);
    for (int i = 0; i <= 4000 && !code; i++)
        w.largest = fmax(w.largest, cabs(value_at(&w.design, point_at(&w.design, i / 4000.0))));
    snprintf(w.title, sizeof w.title, "R(z) of degree %d and order %d, %s%s", task.degree,
             task.order, axis_names[task.axis], task.axis == GT_ELLIPSE ? "" : " axis");
    w.label = (gt_method_label){.name = name ? name : "designed", .title = w.title};
    if (!code && (out || plot) && w.design.limit == 0)
        code = gt_cli_failed(
            "no polynomial of degree %d and order %d is stable there; ask for a higher degree or "
            "a lower order",
            task.degree, task.order);
    if (!code && out) code = write_method(&w);
    if (!code && plot) code = draw(&w, args, plot, &arena);
    if (!code && gt_cli_has(&args->flags.json)) {
        code = gt_report_print_json(fields, &w);
    } else if (!code && !(out && !strcmp(out, "-"))) {
        print_text(&w);
        if (plot) printf("wrote %s\n", plot);
        gt_design_say_file(out);
    }
    gt_arena_free(&arena);
    return code;
}

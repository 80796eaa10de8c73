/* SPDX-License-Identifier: BSD-3-Clause */
/* stability on the test equation of two rates: the matrix of a step, limits and the region in xi. */
#include "stability_report.h"
#include <complex.h>
#include <math.h>

enum { RAYS = 180 };

typedef struct answer {
    const cli_entry *entry;
    gt_test2 test;
    bool open;
    double real_limit, imag_limit;
    stability_curve boundary;
} answer;

static double size_of(double complex xi, const void *ctx) { return gt_test2_radius(ctx, xi); }

/* The first exit along each ray; the region is symmetric about the real axis. */
static int find_boundary(answer *w, gt_arena *arena)
{
    w->boundary.points = gt_arena_doubles(arena, 2 * (2 * RAYS + 1));
    if (!w->boundary.points) return gt_cli_failed("out of memory");
    w->boundary.count = 2 * RAYS + 1;
    for (int k = 0; k <= RAYS; k++) {
        double angle = acos(-1.0) * k / RAYS, c = k == RAYS / 2 ? 0 : cos(angle), s = k == RAYS ? 0 : sin(angle);
        double r = gt_search_limit(size_of, &w->test, c + I * s);
        double *up = w->boundary.points + 2 * k, *down = w->boundary.points + 2 * (2 * RAYS - k);
        up[0] = down[0] = isinf(r) ? NAN : r * c;
        up[1] = isinf(r) ? NAN : r * s;
        down[1] = -up[1];
        if (k == RAYS / 2) w->imag_limit = r;
        if (k == RAYS) w->real_limit = r;
    }
    return CLI_OK;
}

static int find_answer(const stability_request *q, const cli_entry *entry, gt_arena *arena, answer *w)
{
    gt_message message = {""};
    w->entry = entry;
    gt_status status = gt_test2_open(&w->test, entry->method, entry->options, q->alpha, q->beta, &message);
    if (status) return gt_cli_complain(status, &message);
    w->open = true;
    return q->has_point ? CLI_OK : find_boundary(w, arena);
}

/* Plain numbers where xi is real, else [re, im]. */
static json_t *matrix_json(double complex M[2][2], bool real)
{
    json_t *rows = json_array();
    for (int i = 0; i < 2; i++) {
        json_t *row = json_array();
        for (int j = 0; j < 2; j++) {
            double parts[] = {creal(M[i][j]), cimag(M[i][j])};
            json_array_append_new(row, real ? gt_cli_json_number(parts[0]) : gt_cli_json_numbers(parts, 2));
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

static int find_matrix(const answer *w, const stability_request *q, double complex M[2][2])
{
    gt_status status = gt_test2_matrix(&w->test, q->at[0] + I * q->at[1], M);
    bool finite = true;
    for (int i = 0; i < 4 && !status; i++)
        finite = finite && isfinite(creal(M[i / 2][i % 2])) && isfinite(cimag(M[i / 2][i % 2]));
    if (!finite)
        return gt_cli_failed("%s: M is not finite at xi = %g%+gi: that is a pole, or a number is too large",
                             w->entry->label, q->at[0], q->at[1]);
    return status ? gt_cli_failed("%s could not make a step at xi = %g%+gi: %s", w->entry->label, q->at[0], q->at[1],
                                  gt_status_text(status))
                  : CLI_OK;
}

static int answer_json(const answer *w, const stability_request *q, json_t **out)
{
    json_t *object = json_object();
    double complex M[2][2];
    gt_values v = gt_params_default(w->entry->method->options);
    gt_message message;
    gt_status status =
        gt_params_parse(w->entry->method->options, "option", w->entry->method->name, w->entry->options, &v, &message);
    *out = object;
    if (status) return gt_cli_complain(status, &message);
    json_object_set_new(object, "method", json_string(w->entry->method->name));
    json_object_set_new(object, "options", gt_cli_json_values(w->entry->method->options, &v));
    json_object_set_new(object, "alpha", gt_cli_json_number(q->alpha));
    json_object_set_new(object, "beta", gt_cli_json_number(q->beta));
    if (!q->has_point) {
        json_object_set_new(object, "real_limit", gt_stability_json_limit(-w->real_limit));
        json_object_set_new(object, "imag_limit", gt_stability_json_limit(w->imag_limit));
        json_object_set_new(object, "boundary", gt_stability_json_curve(&w->boundary));
        return CLI_OK;
    }
    int code = find_matrix(w, q, M);
    if (code) return code;
    json_object_set_new(object, "at", gt_cli_json_numbers(q->at, 2));
    json_object_set_new(object, "M", matrix_json(M, q->at[1] == 0));
    json_object_set_new(object, "spectral_radius",
                        gt_cli_json_number(gt_test2_radius(&w->test, q->at[0] + I * q->at[1])));
    return CLI_OK;
}

static int print_json(const answer *w, const stability_request *q)
{
    json_t *all = NULL, *object;
    int code = CLI_OK;
    for (size_t i = 0; i < q->count && !code; i++) {
        code = answer_json(&w[i], q, &object);
        gt_cli_json_also(&all, object);
    }
    if (!code) return gt_cli_json_print(all);
    json_decref(all);
    return code;
}

static void print_limit(const char *axis, double limit)
{
    if (isinf(limit))
        printf("    %-20s unbounded\n", axis);
    else
        gt_fprintf(stdout, "    %-20s %.12g\n", axis, limit + 0.0);
}

static int print_text(const answer *w, const stability_request *q)
{
    double complex M[2][2];
    gt_fprintf(stdout, "%s on the test equation with alpha = %g, beta = %g\n", w->entry->label, q->alpha, q->beta);
    if (!q->has_point) {
        print_limit("negative real axis", -w->real_limit);
        print_limit("imaginary axis", w->imag_limit);
        return CLI_OK;
    }
    int code = find_matrix(w, q, M);
    if (code) return code;
    gt_fprintf(stdout, "    at xi = %g%+gi: M =\n", q->at[0], q->at[1]);
    for (int i = 0; i < 2; i++)
        gt_fprintf(stdout, "    %20.12g%+.12gi %20.12g%+.12gi\n", creal(M[i][0]), cimag(M[i][0]), creal(M[i][1]),
                   cimag(M[i][1]));
    gt_fprintf(stdout, "    spectral radius %.12g\n", gt_test2_radius(&w->test, q->at[0] + I * q->at[1]));
    return CLI_OK;
}

static int draw(const answer *w, const stability_request *q, gt_arena *arena)
{
    const void **ctx = gt_arena_take(arena, q->count, sizeof *ctx);
    double window[4] = {0};
    char title[200];
    if (!ctx) return gt_cli_failed("out of memory");
    for (size_t i = 0; i < q->count; i++) {
        ctx[i] = &w[i].test;
        gt_stability_window(&w[i].boundary, window);
    }
    gt_stability_finish_window(window);
    const double *v = q->window ? q->window : window;
    gt_format(title, sizeof title, "Stable region of %s%s, alpha = %g, beta = %g", w[0].entry->label,
              q->count > 1 ? " and others" : "", q->alpha, q->beta);
    cli_region region = {.args = q->args,
                         .left = v[0],
                         .right = v[1],
                         .bottom = v[2],
                         .top = v[3],
                         .size = size_of,
                         .ctx = ctx,
                         .x_label = "Re xi",
                         .y_label = "Im xi"};
    return gt_region_plot(q->plot, title, q->entries, q->count, &region);
}

int gt_stability_two_rates(const stability_request *q, gt_arena *arena)
{
    answer *w = gt_arena_take(arena, q->count, sizeof *w);
    if (!w) return gt_cli_failed("out of memory");
    if (q->has_point && (q->plot || q->out))
        return gt_cli_usage("--at asks about one point; leave it out to have the region drawn or written");
    int code = CLI_OK;
    for (size_t i = 0; i < q->count && !code; i++) code = find_answer(q, &q->entries[i], arena, &w[i]);
    if (!code && q->plot) code = draw(w, q, arena);
    if (!code && q->out) code = gt_stability_write_curve(q->out, &w[0].boundary);
    if (!code && q->json) {
        code = print_json(w, q);
    } else if (!code) {
        for (size_t i = 0; i < q->count && !code; i++) code = print_text(&w[i], q);
        if (q->plot && !code) printf("wrote %s\n", q->plot);
    }
    for (size_t i = 0; i < q->count; i++)
        if (w[i].open) gt_test2_close(&w[i].test);
    return code;
}

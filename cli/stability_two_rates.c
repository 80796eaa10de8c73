/* SPDX-License-Identifier: BSD-3-Clause */
/* stability on the test equation of two rates: the matrix of a step, limits and the region in xi.
 */
#include "report_parts.h"
#include "stability_report.h"
#include <complex.h>
#include <geartrain/author/number.h>
#include <math.h>

enum { RAYS = 180 };

typedef struct answer {
    const cli_entry *entry;
    gt_test2 test;
    bool open;
    double real_limit, imag_limit;
    stability_curve boundary;
    const stability_request *q;
    gt_values options;
    double complex M[2][2]; /* at the point, */
    double radius;          /* and its spectral radius */
} answer;

static double size_of(double complex xi, const void *ctx) { return gt_test2_radius(ctx, xi); }

/* The first exit along each ray; the region is symmetric about the real axis. */
static int find_boundary(answer *w, gt_arena *arena)
{
    w->boundary.points = gt_arena_doubles(arena, 2 * (2 * RAYS + 1));
    if (!w->boundary.points) return gt_cli_failed("out of memory");
    w->boundary.count = 2 * RAYS + 1;
    for (int k = 0; k <= RAYS; k++) {
        double angle = GT_PI * k / RAYS, c = k == RAYS / 2 ? 0 : cos(angle),
               s = k == RAYS ? 0 : sin(angle);
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

static int find_matrix(answer *w)
{
    const stability_request *q = w->q;
    double complex(*M)[2] = w->M;
    gt_status status = gt_test2_matrix(&w->test, q->at[0] + I * q->at[1], M);
    bool finite = true;
    for (int i = 0; i < 4 && !status; i++)
        finite = finite && isfinite(creal(M[i / 2][i % 2])) && isfinite(cimag(M[i / 2][i % 2]));
    if (!finite)
        return gt_cli_failed(
            "%s: M is not finite at xi = %g%+gi: that is a pole, or a number is too large",
            w->entry->label, q->at[0], q->at[1]);
    w->radius = gt_test2_radius(&w->test, q->at[0] + I * q->at[1]);
    return status ? gt_cli_failed("%s cannot take a step at xi = %g%+gi: %s", w->entry->label,
                                  q->at[0], q->at[1], gt_status_text(status))
                  : CLI_OK;
}

static int find_answer(const stability_request *q, const cli_entry *entry, gt_arena *arena,
                       answer *w)
{
    gt_message message = {""};
    w->entry = entry;
    gt_status status =
        gt_test2_open(&w->test, entry->method, entry->options, q->alpha, q->beta, &message);
    if (status) return gt_cli_complain(status, &message);
    w->open = true;
    const gt_method *method = entry->method;
    w->q = q;
    w->options = gt_params_default(method->options);
    status = gt_params_parse(method->options, "option", method->name, entry->options, &w->options,
                             &message);
    if (status) return gt_cli_complain(status, &message);
    return q->has_point ? find_matrix(w) : find_boundary(w, arena);
}

/* ---- the report ---- */

static const answer *answer_of(const void *data) { return data; }

static bool has_point(const void *data) { return answer_of(data)->q->has_point; }

static bool has_region(const void *data) { return !has_point(data); }

static void say_heading(const void *data, report_text *out)
{
    const answer *w = data;
    gt_report_say(out, "%s on the test equation with alpha = %g, beta = %g", w->entry->label,
                  w->q->alpha, w->q->beta);
}

static void get_options(const void *data, report_value *out)
{
    gt_report_params(out, answer_of(data)->entry->method->options, &answer_of(data)->options);
}

static bool each_boundary(const void *data, size_t i, report_value *out)
{
    return gt_stability_each_point(&answer_of(data)->boundary, i, out);
}

static bool each_row(const void *data, size_t i, report_value *out)
{
    (void)data;
    (void)out;
    return i < 2;
}

/* A plain number where xi is real. */
static bool each_element(const void *data, size_t j, report_value *out)
{
    const report_item *row = data;
    const answer *w = row->of;
    if (j > 1) return false;
    out->pair[0] = out->number = creal(w->M[row->i][j]);
    out->pair[1] = cimag(w->M[row->i][j]);
    if (w->q->at[1] == 0) out->type = REPORT_NUMBER;
    return true;
}

static const report_field row_of_M = {
    .type = REPORT_LIST, .each = each_element, .entry = REPORT_PAIR, .plain = true};

static void say_matrix(const void *data, report_text *out)
{
    const answer *w = data;
    gt_report_say(out, "    at xi = %g%+gi: M =", w->q->at[0], w->q->at[1]);
    for (int i = 0; i < 2; i++)
        gt_report_say(out, "\n    %.12g%+.12gi  %.12g%+.12gi", creal(w->M[i][0]), cimag(w->M[i][0]),
                      creal(w->M[i][1]), cimag(w->M[i][1]));
}

static const report_field answer_fields[] = {
    REPORT_TEXT("", say_heading),
    REPORT_KEY("method", "its name",
               REPORT_VIA2(answer, entry, cli_entry, method, gt_method, name)),
    REPORT_KEY("options", "of the method, by name", .type = REPORT_MAP, .get = get_options,
               .each = gt_report_each_param, .entry = REPORT_ANY),
    REPORT_KEY("alpha", "fast over slow eigenvalue",
               REPORT_VIA(answer, q, stability_request, alpha)),
    REPORT_KEY("beta", "coupling", REPORT_VIA(answer, q, stability_request, beta)),
    REPORT_KEY("real_limit", "end of the stable part of the negative real axis of xi",
               REPORT_AS(LIMIT, answer, real_limit), .factor = -1, .when = has_region,
               .label = "    negative real axis  ", .format = "%.12g"),
    REPORT_KEY("imag_limit", "end of the stable part of the imaginary axis of xi",
               REPORT_AS(LIMIT, answer, imag_limit), .when = has_region,
               .label = "    imaginary axis      ", .format = "%.12g"),
    REPORT_KEY("boundary", "of the stable region of xi", .type = REPORT_LIST, .each = each_boundary,
               .entry = REPORT_PAIR, .when = has_region),
    REPORT_KEY("at", "with --at: xi", .via = {offsetof(answer, q) + 1},
               REPORT_AS(PAIR, stability_request, at), .when = has_point),
    REPORT_KEY("M", "with --at: the matrix of a step; numbers where xi is real",
               .type = REPORT_LIST, .each = each_row, .list = &row_of_M, .when = has_point,
               .label = "", .say = say_matrix),
    REPORT_KEY("spectral_radius", "with --at: of M", REPORT_AT(answer, radius), .when = has_point,
               .label = "    spectral radius", .format = "%.12g"),
    {.type = REPORT_END},
};

static void get_answer(const void *data, report_value *out)
{
    const report_item *item = data;
    out->data = (const answer *)item->of + item->i;
}

const report_field gt_stability_two_rates_fields[] = {
    REPORT_PART(answer_fields, .get = get_answer),
    {.type = REPORT_END},
};

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
    gt_format(title, sizeof title, "Stable region of %s%s, alpha = %g, beta = %g",
              w[0].entry->label, q->count > 1 ? " and others" : "", q->alpha, q->beta);
    cli_region region = gt_stability_region(q, window);
    region.size = size_of;
    region.ctx = ctx;
    region.x_label = "Re xi";
    region.y_label = "Im xi";
    return gt_region_plot(q->plot, title, q->entries, q->count, &region);
}

int gt_stability_two_rates(const stability_request *q, gt_arena *arena)
{
    answer *w = gt_arena_take(arena, q->count, sizeof *w);
    if (!w) return gt_cli_failed("out of memory");
    if (q->has_point && (q->plot || q->out))
        return gt_cli_usage(
            "--at asks about one point; leave it out to have the region drawn or written");
    int code = CLI_OK;
    for (size_t i = 0; i < q->count && !code; i++)
        code = find_answer(q, &q->entries[i], arena, &w[i]);
    if (!code && q->plot) code = draw(w, q, arena);
    if (!code) code = gt_stability_give(q, gt_stability_two_rates_fields, w, &w[0].boundary);
    for (size_t i = 0; i < q->count; i++)
        if (w[i].open) gt_test2_close(&w[i].test);
    return code;
}

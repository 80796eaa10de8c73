/* SPDX-License-Identifier: BSD-3-Clause */
/* stability of methods of two blocks: the matrix S at two eigenvalues and a coupling, and the map
 * in their plane. */
#include "coefficients.h"
#include "report_parts.h"
#include "stability_report.h"
#include <complex.h>
#include <math.h>
#include <string.h>

enum { GRID = 100 }; /* of the CSV */

typedef struct answer {
    const stability_request *q;
    const cli_entry *entry;
    gt_test2 test;
    bool open;
    double complex Z[4], S[2][2]; /* at the point, */
    double radius;                /* and its spectral radius */
} answer;

/* A point of the grid, for CSV. */
typedef struct grid_row {
    const char *method;
    double zff[2], zss[2], radius;
} grid_row;

static const report_field csv_fields[] = {
    {.key = "method", REPORT_AT(grid_row, method)},
    {.key = "zff", REPORT_AS(PAIR, grid_row, zff)},
    {.key = "zss", REPORT_AS(PAIR, grid_row, zss)},
    {.key = "spectral_radius", REPORT_AT(grid_row, radius)},
    {.type = REPORT_END},
};

/* Z at the fraction v of zss and u of zff. */
static void numbers_at(const stability_request *q, double u, double v, double complex Z[4])
{
    Z[0] = v * (q->zss[0] + I * q->zss[1]);
    Z[3] = u * (q->zff[0] + I * q->zff[1]);
    Z[1] = q->coupling * Z[0];
    Z[2] = q->coupling * Z[3];
    if (q->has_product) Z[1] = Z[2] = csqrt(q->product[0] + I * q->product[1]);
}

/* Of a figure: the axes are |z_ff| and |z_ss|. */
static double size_of(double complex point, const void *ctx)
{
    const answer *w = ctx;
    const stability_request *q = w->q;
    double complex Z[4];
    numbers_at(q, creal(point) / hypot(q->zff[0], q->zff[1]),
               cimag(point) / hypot(q->zss[0], q->zss[1]), Z);
    return gt_blocks_radius(&w->test, Z);
}

static int draw(const answer *w, const stability_request *q, gt_arena *arena)
{
    const void **ctx = gt_arena_take(arena, q->count, sizeof *ctx);
    char title[200], x_label[80], y_label[80];
    if (!ctx) return gt_cli_failed("out of memory");
    for (size_t i = 0; i < q->count; i++) ctx[i] = &w[i];
    if (q->has_product)
        gt_format(title, sizeof title, "Spectral radius of S at most 1, z_sf z_fs = %g%+gi",
                  q->product[0], q->product[1]);
    else
        gt_format(title, sizeof title, "Spectral radius of S at most 1, coupling %g", q->coupling);
    gt_format(x_label, sizeof x_label, "|z_ff|, towards %g%+gi", q->zff[0], q->zff[1]);
    gt_format(y_label, sizeof y_label, "|z_ss|, towards %g%+gi", q->zss[0], q->zss[1]);
    cli_region region = {.args = q->args,
                         .right = hypot(q->zff[0], q->zff[1]),
                         .top = hypot(q->zss[0], q->zss[1]),
                         .size = size_of,
                         .ctx = ctx,
                         .aspect = 0.8,
                         .x_label = x_label,
                         .y_label = y_label};
    return gt_region_plot(q->plot, title, q->entries, q->count, &region);
}

/* The spectral radius at a grid of points. */
static int write_grid(const answer *w, const stability_request *q)
{
    cli_file file;
    int code = gt_cli_file_open(&file, q->out);
    if (code) return code;
    grid_row row = {.method = w[0].entry->label};
    gt_report_csv_head(file.stream, csv_fields, &row);
    for (size_t i = 0; i < q->count; i++)
        for (int k = 0; k <= GRID; k++)
            for (int j = 0; j <= GRID; j++) {
                double complex Z[4];
                numbers_at(q, (double)j / GRID, (double)k / GRID, Z);
                row = (grid_row){w[i].entry->label,
                                 {creal(Z[3]), cimag(Z[3])},
                                 {creal(Z[0]), cimag(Z[0])},
                                 gt_blocks_radius(&w[i].test, Z)};
                gt_report_csv_row(file.stream, csv_fields, &row);
            }
    return gt_cli_file_close(&file, true);
}

/* ---- the report ---- */

static int find_matrix(answer *w)
{
    numbers_at(w->q, 1, 1, w->Z);
    gt_status status = gt_blocks_matrix(&w->test, w->Z, w->S);
    if (status)
        return gt_cli_failed("%s cannot take a step there: %s", w->entry->label,
                             gt_status_text(status));
    w->radius = gt_blocks_radius(&w->test, w->Z);
    return CLI_OK;
}

static bool put_complex(double complex z, report_value *out)
{
    out->pair[0] = creal(z);
    out->pair[1] = cimag(z);
    return true;
}

static bool each_Z(const void *data, size_t i, report_value *out)
{
    return i < 4 && put_complex(((const answer *)data)->Z[i], out);
}

static bool each_row(const void *data, size_t i, report_value *out)
{
    (void)data;
    (void)out;
    return i < 2;
}

static bool each_element(const void *data, size_t j, report_value *out)
{
    const report_item *row = data;
    return j < 2 && put_complex(((const answer *)row->of)->S[row->i][j], out);
}

static const report_field row_of_S = {
    .type = REPORT_LIST, .each = each_element, .entry = REPORT_PAIR};

static void say_matrix(const void *data, report_text *out)
{
    const answer *w = data;
    const stability_request *q = w->q;
    double complex product = w->Z[1] * w->Z[2];
    gt_report_say(out,
                  "%s at z_ss = %g%+gi, z_ff = %g%+gi, z_sf z_fs = %g%+gi: S =", w->entry->label,
                  q->zss[0], q->zss[1], q->zff[0], q->zff[1], creal(product), cimag(product));
    for (int i = 0; i < 2; i++)
        gt_report_say(out, "\n    %.12g%+.12gi  %.12g%+.12gi", creal(w->S[i][0]), cimag(w->S[i][0]),
                      creal(w->S[i][1]), cimag(w->S[i][1]));
}

static const report_field answer_fields[] = {
    REPORT_KEY("method", "with its options", REPORT_VIA(answer, entry, cli_entry, label)),
    REPORT_KEY("Z", "z_ss, z_sf, z_fs, z_ff", .type = REPORT_LIST, .each = each_Z,
               .entry = REPORT_PAIR),
    REPORT_KEY("S", "the matrix of a step, shome (22)", .type = REPORT_LIST, .each = each_row,
               .list = &row_of_S, .label = "", .say = say_matrix),
    REPORT_KEY("spectral_radius", "of S", REPORT_AT(answer, radius), .label = "    spectral radius",
               .format = "%.12g"),
    {.type = REPORT_END},
};

static void get_answer(const void *data, report_value *out)
{
    const report_item *item = data;
    out->data = (const answer *)item->of + item->i;
}

const report_field gt_stability_blocks_fields[] = {
    REPORT_PART(answer_fields, .get = get_answer),
    {.type = REPORT_END},
};

static int print_all(answer *w, const stability_request *q)
{
    int code = CLI_OK;
    for (size_t i = 0; i < q->count && !code; i++) code = find_matrix(&w[i]);
    if (code) return code;
    if (q->json) return gt_report_print_json_entries(gt_stability_blocks_fields, w, q->count);
    gt_report_print_entries(stdout, gt_stability_blocks_fields, w, q->count);
    if (q->plot) printf("wrote %s\n", q->plot);
    return CLI_OK;
}

int gt_stability_blocks(const stability_request *q, gt_arena *arena)
{
    answer *w = gt_arena_take(arena, q->count, sizeof *w);
    int code = w ? CLI_OK : gt_cli_failed("out of memory");
    if (!code && (q->plot || q->out) &&
        (hypot(q->zss[0], q->zss[1]) == 0 || hypot(q->zff[0], q->zff[1]) == 0))
        code = gt_cli_usage(
            "the axes of the map go from 0 to --zss and to --zff, which must not be 0");
    for (size_t i = 0; i < q->count && !code; i++) {
        gt_message message = {""};
        w[i].q = q;
        w[i].entry = &q->entries[i];
        gt_status status =
            gt_test2_open(&w[i].test, w[i].entry->method, w[i].entry->options, 1, 0, &message);
        w[i].open = !status;
        if (status) code = gt_cli_complain(status, &message);
    }
    if (!code && q->plot) code = draw(w, q, arena);
    if (!code && q->out) code = write_grid(w, q);
    if (!code) code = print_all(w, q);
    for (size_t i = 0; w && i < q->count; i++)
        if (w[i].open) gt_test2_close(&w[i].test);
    return code;
}

/* One block of a pair as a Runge-Kutta method of its own. */
static int block_alone(const cli_entry *entry, const gt_tableau *T, const char *block,
                       gt_arena *arena, cli_entry *out)
{
    gt_message message = {""};
    size_t size = strlen(entry->label) + strlen(block) + 16;
    char *name = gt_arena_take(arena, size, 1), *options = gt_arena_take(arena, 1, 1);
    if (!name || !options) return gt_cli_failed("out of memory");
    snprintf(name, size, "%s, %s block", entry->label, block);
    gt_method_label label = {.name = name, .title = entry->method->title};
    *out = (cli_entry){.options = options, .label = name};
    gt_status status = gt_method_from_tableau(&label, T, arena, &out->method, &message);
    return status ? gt_cli_complain(status, &message) : CLI_OK;
}

int gt_stability_split_pairs(stability_request *q, gt_arena *arena)
{
    cli_entry *split = gt_arena_take(arena, 2 * q->count, sizeof *split);
    size_t count = 0;
    int code = split ? CLI_OK : gt_cli_failed("out of memory");
    for (size_t i = 0; i < q->count && !code; i++) {
        const cli_entry *e = &q->entries[i];
        gt_values v = gt_params_default(e->method->options);
        gt_message message = {""};
        gt_partitioned pair;
        if (!e->method->partitioned_of) {
            split[count++] = *e;
            continue;
        }
        gt_status status = gt_params_parse(e->method->options, "option", e->method->name,
                                           e->options, &v, &message);
        if (status) return gt_cli_complain(status, &message);
        e->method->partitioned_of(e->method, v.v, &pair);
        code = block_alone(e, &pair.fast, "fast", arena, &split[count++]);
        if (!code) code = block_alone(e, &pair.slow, "slow", arena, &split[count++]);
    }
    q->entries = split;
    q->count = count;
    return code;
}

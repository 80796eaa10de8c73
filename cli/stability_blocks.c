/* SPDX-License-Identifier: BSD-3-Clause */
/* stability of methods of two blocks: the matrix S at two eigenvalues and a coupling, and the map in their plane. */
#include "coefficients.h"
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
} answer;

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
    numbers_at(q, creal(point) / hypot(q->zff[0], q->zff[1]), cimag(point) / hypot(q->zss[0], q->zss[1]), Z);
    return gt_blocks_radius(&w->test, Z);
}

static int draw(const answer *w, const stability_request *q, gt_arena *arena)
{
    const void **ctx = gt_arena_take(arena, q->count, sizeof *ctx);
    char title[200], x_label[80], y_label[80];
    if (!ctx) return gt_cli_failed("out of memory");
    for (size_t i = 0; i < q->count; i++) ctx[i] = &w[i];
    if (q->has_product)
        gt_format(title, sizeof title, "Spectral radius of S at most 1, z_sf z_fs = %g%+gi", q->product[0],
                  q->product[1]);
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
    fputs("method,zff_re,zff_im,zss_re,zss_im,spectral_radius\n", file.stream);
    for (size_t i = 0; i < q->count; i++)
        for (int k = 0; k <= GRID; k++)
            for (int j = 0; j <= GRID; j++) {
                double complex Z[4];
                numbers_at(q, (double)j / GRID, (double)k / GRID, Z);
                gt_fprintf(file.stream, "%s,%.17g,%.17g,%.17g,%.17g,%.17g\n", w[i].entry->label, creal(Z[3]),
                           cimag(Z[3]), creal(Z[0]), cimag(Z[0]), gt_blocks_radius(&w[i].test, Z));
            }
    return gt_cli_file_close(&file, true);
}

static json_t *complex_json(double complex w)
{
    double parts[] = {creal(w), cimag(w)};
    return gt_cli_json_numbers(parts, 2);
}

static int report(const answer *w, const stability_request *q, json_t *object)
{
    double complex Z[4], S[2][2];
    numbers_at(q, 1, 1, Z);
    gt_status status = gt_blocks_matrix(&w->test, Z, S);
    if (status) return gt_cli_failed("%s could not make a step there: %s", w->entry->label, gt_status_text(status));
    double radius = gt_blocks_radius(&w->test, Z);
    if (!object) {
        gt_fprintf(stdout, "%s at z_ss = %g%+gi, z_ff = %g%+gi, z_sf z_fs = %g%+gi: S =\n", w->entry->label, q->zss[0],
                   q->zss[1], q->zff[0], q->zff[1], creal(Z[1] * Z[2]), cimag(Z[1] * Z[2]));
        for (int i = 0; i < 2; i++)
            gt_fprintf(stdout, "    %20.12g%+.12gi %20.12g%+.12gi\n", creal(S[i][0]), cimag(S[i][0]), creal(S[i][1]),
                       cimag(S[i][1]));
        gt_fprintf(stdout, "    spectral radius %.12g\n", radius);
        return CLI_OK;
    }
    json_t *rows = json_array(), *numbers = json_array();
    for (int i = 0; i < 4; i++) json_array_append_new(numbers, complex_json(Z[i]));
    for (int i = 0; i < 2; i++) {
        json_t *row = json_array();
        for (int j = 0; j < 2; j++) json_array_append_new(row, complex_json(S[i][j]));
        json_array_append_new(rows, row);
    }
    json_object_set_new(object, "method", json_string(w->entry->label));
    json_object_set_new(object, "Z", numbers);
    json_object_set_new(object, "S", rows);
    json_object_set_new(object, "spectral_radius", gt_cli_json_number(radius));
    return CLI_OK;
}

static int print_all(const answer *w, const stability_request *q)
{
    int code = CLI_OK;
    if (!q->json) {
        for (size_t i = 0; i < q->count && !code; i++) code = report(&w[i], q, NULL);
        if (!code && q->plot) printf("wrote %s\n", q->plot);
        return code;
    }
    json_t *all = NULL;
    for (size_t i = 0; i < q->count && !code; i++) {
        json_t *object = json_object();
        code = report(&w[i], q, object);
        gt_cli_json_also(&all, object);
    }
    if (!code) return gt_cli_json_print(all);
    json_decref(all);
    return code;
}

int gt_stability_blocks(const stability_request *q, gt_arena *arena)
{
    answer *w = gt_arena_take(arena, q->count, sizeof *w);
    int code = w ? CLI_OK : gt_cli_failed("out of memory");
    if (!code && (q->plot || q->out) && (hypot(q->zss[0], q->zss[1]) == 0 || hypot(q->zff[0], q->zff[1]) == 0))
        code = gt_cli_usage("the axes of the map go from 0 to --zss and to --zff, which must not be 0");
    for (size_t i = 0; i < q->count && !code; i++) {
        gt_message message = {""};
        w[i].q = q;
        w[i].entry = &q->entries[i];
        gt_status status = gt_test2_open(&w[i].test, w[i].entry->method, w[i].entry->options, 1, 0, &message);
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
static int block_alone(const cli_entry *entry, const gt_tableau *T, const char *block, gt_arena *arena, cli_entry *out)
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
        gt_status status = gt_params_parse(e->method->options, "option", e->method->name, e->options, &v, &message);
        if (status) return gt_cli_complain(status, &message);
        e->method->partitioned_of(e->method, v.v, &pair);
        code = block_alone(e, &pair.fast, "fast", arena, &split[count++]);
        if (!code) code = block_alone(e, &pair.slow, "slow", arena, &split[count++]);
    }
    q->entries = split;
    q->count = count;
    return code;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What the answers about one rate and about two rates have in common. */
#include "stability_report.h"
#include "report_parts.h"
#include <math.h>

bool gt_stability_each_point(const stability_curve *curve, size_t i, report_value *out)
{
    bool there = gt_report_pair_entry(curve->points, curve->count, i, out);
    out->absent = there && isnan(out->pair[0]);
    return there;
}

typedef struct curve_row {
    int curve;
    double re, im;
} curve_row;

static const report_field csv_fields[] = {
    {.key = "curve", REPORT_AT(curve_row, curve)},
    {.key = "re", REPORT_AT(curve_row, re)},
    {.key = "im", REPORT_AT(curve_row, im)},
    {.type = REPORT_END},
};

int gt_stability_write_curve(const char *path, const stability_curve *curve)
{
    cli_file file;
    curve_row row = {.curve = 1};
    bool gap = false;
    int code = gt_cli_file_open(&file, path);
    if (code) return code;
    gt_report_csv_head(file.stream, csv_fields, &row);
    for (size_t k = 0; k < curve->count; k++) {
        row.re = curve->points[2 * k];
        row.im = curve->points[2 * k + 1];
        if (!isnan(row.re) && gap && k > 0) row.curve++;
        gap = isnan(row.re);
        if (!gap) gt_report_csv_row(file.stream, csv_fields, &row);
    }
    return gt_cli_file_close(&file, true);
}

void gt_stability_window(const stability_curve *curve, double window[4])
{
    const double far_out = 30;
    for (size_t k = 0; k < curve->count; k++) {
        double x = curve->points[2 * k], y = curve->points[2 * k + 1];
        if (isnan(x) || hypot(x, y) > far_out) continue;
        window[0] = fmin(window[0], x);
        window[1] = fmax(window[1], x);
        window[2] = fmin(window[2], y);
        window[3] = fmax(window[3], y);
    }
}

void gt_stability_finish_window(double window[4])
{
    double size = fmax(window[1] - window[0], window[3] - window[2]);
    if (window[1] - window[0] <= 1e-9 * size) { /* nothing but a piece of the imaginary axis */
        size = 10;
        window[2] = window[3] = 0;
    }
    double room = 0.12 * size;
    window[0] = fmin(window[0] - room, -0.3 * size);
    window[1] = fmax(window[1] + room, 0.2 * size);
    window[2] = fmin(window[2] - room, -0.4 * size);
    window[3] = fmax(window[3] + room, 0.4 * size);
}

cli_region gt_stability_region(const stability_request *q, const double window[4])
{
    const double *v = q->window ? q->window : window;
    return (cli_region){.args = q->args, .left = v[0], .right = v[1], .bottom = v[2], .top = v[3]};
}

int gt_stability_give(const stability_request *q, const report_field *fields, const void *answers,
                      const stability_curve *boundary)
{
    int code = q->out ? gt_stability_write_curve(q->out, boundary) : CLI_OK;
    if (code) return code;
    if (q->json) return gt_report_print_json_entries(fields, answers, q->count);
    gt_report_print_entries(stdout, fields, answers, q->count);
    if (q->plot) printf("wrote %s\n", q->plot);
    return CLI_OK;
}

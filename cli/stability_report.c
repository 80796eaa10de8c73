/* SPDX-License-Identifier: BSD-3-Clause */
/* What the answers about one rate and about two rates have in common. */
#include "stability_report.h"
#include <math.h>

json_t *gt_stability_json_limit(double limit)
{
    return isinf(limit) ? json_string("unbounded") : gt_cli_json_number(limit + 0.0); /* no -0 */
}

json_t *gt_stability_json_curve(const stability_curve *curve)
{
    json_t *array = json_array();
    for (size_t k = 0; k < curve->count; k++)
        if (!isnan(curve->points[2 * k])) json_array_append_new(array, gt_cli_json_numbers(curve->points + 2 * k, 2));
    return array;
}

int gt_stability_write_curve(const char *path, const stability_curve *curve)
{
    cli_file file;
    int number = 1;
    bool gap = false;
    int code = gt_cli_file_open(&file, path);
    if (code) return code;
    fputs("curve,re,im\n", file.stream);
    for (size_t k = 0; k < curve->count; k++) {
        if (isnan(curve->points[2 * k])) {
            gap = true;
            continue;
        }
        if (gap && k > 0) number++;
        gap = false;
        gt_fprintf(file.stream, "%d,%.17g,%.17g\n", number, curve->points[2 * k], curve->points[2 * k + 1]);
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

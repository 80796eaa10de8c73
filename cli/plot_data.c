/* SPDX-License-Identifier: BSD-3-Clause */
#include "plot_data.h"
#include "thin.h"
#include <math.h>
#include <stdlib.h>

/* Smallest and largest of what the curves cover on an axis; 0, 0 where there is nothing. */
static void range_of(const cli_panel *panel, double (*value)(const cli_curve *, size_t),
                     bool on_log, double range[2])
{
    range[0] = INFINITY, range[1] = -INFINITY;
    for (size_t i = 0; i < panel->n_curves; i++)
        for (size_t k = 0; k < panel->curves[i].count; k++) {
            double v = value(&panel->curves[i], k);
            if (!isfinite(v) || (on_log && !(v > 0))) continue;
            range[0] = fmin(range[0], v);
            range[1] = fmax(range[1], v);
        }
    if (range[0] > range[1]) range[0] = range[1] = 0;
}

void gt_plot_extent(const cli_panel *panel, double *width, double *height)
{
    double x[2], y[2];
    range_of(panel, gt_plot_x, false, x);
    range_of(panel, gt_plot_y, false, y);
    *width = x[1] > x[0] ? x[1] - x[0] : 1;
    *height = y[1] > y[0] ? y[1] - y[0] : 1;
}

static double offset_of(const cli_panel *panel, double (*value)(const cli_curve *, size_t),
                        bool on_log)
{
    const double narrow = 1e-5, nothing = 1e-9; /* of the size of the values */
    double range[2];
    if (on_log || panel->equal) return 0;
    range_of(panel, value, false, range);
    double span = range[1] - range[0], size = fmax(fabs(range[0]), fabs(range[1]));
    bool is_time = value == gt_plot_x && panel->tight_x;
    if (!(span > (is_time ? 0 : nothing * size)) || span > narrow * size) return 0;
    double ten = pow(10, ceil(log10(span)));
    double middle = range[0] + span / 2;
    return (is_time ? floor(range[0] / ten) : round(middle / ten)) * ten;
}

void gt_plot_offsets(const cli_panel *panel, double offset[3])
{
    offset[0] = offset_of(panel, gt_plot_x, panel->log_x);
    offset[1] = offset_of(panel, gt_plot_y, panel->log_y);
    offset[2] = panel->z_label ? offset_of(panel, gt_plot_z, false) : 0;
}

static bool is_gap(const cli_curve *curve, size_t k)
{
    return isnan(gt_plot_x(curve, k)) || isnan(gt_plot_y(curve, k)) ||
           (curve->z && isnan(gt_plot_z(curve, k)));
}

/* An empty line, for a point that is not a number, ends a piece of the curve. */
static void print_point(FILE *script, const cli_curve *curve, size_t k, const double offset[3])
{
    if (is_gap(curve, k)) {
        fputc('\n', script);
        return;
    }
    gt_fprintf(script, "%.9g %.9g", gt_plot_x(curve, k) - offset[0],
               gt_plot_y(curve, k) - offset[1]);
    if (curve->z) gt_fprintf(script, " %.9g", gt_plot_z(curve, k) - offset[2]);
    fputc('\n', script);
}

static bool x_ascends(const cli_curve *curve)
{
    for (size_t k = 1; k < curve->count; k++)
        if (!(gt_plot_x(curve, k) >= gt_plot_x(curve, k - 1))) return false;
    return true;
}

/* Where the points are on an axis of so many pixels. */
static void place(const cli_curve *curve, double (*value)(const cli_curve *, size_t),
                  const double range[2], bool on_log, double pixels, double *out)
{
    double low = on_log ? log(range[0]) : range[0], high = on_log ? log(range[1]) : range[1];
    for (size_t k = 0; k < curve->count; k++) {
        double v = value(curve, k);
        if (on_log) v = v > 0 ? log(v) : NAN;
        out[k] = high > low ? pixels * (v - low) / (high - low) : isfinite(v) ? 0 : NAN;
    }
}

static double *pixels_of(const cli_panel *panel, const cli_curve *curve, double width,
                         double height)
{
    double *p = malloc(3 * curve->count * sizeof *p), range[2];
    if (!p) return NULL;
    range_of(panel, gt_plot_x, panel->log_x, range);
    place(curve, gt_plot_x, range, panel->log_x, width, p);
    range_of(panel, gt_plot_y, panel->log_y, range);
    if (panel->y_min < panel->y_max) range[0] = panel->y_min, range[1] = panel->y_max;
    place(curve, gt_plot_y, range, panel->log_y, height, p + curve->count);
    if (!curve->z) return p;
    range_of(panel, gt_plot_z, false, range);
    place(curve, gt_plot_z, range, false, height, p + 2 * curve->count);
    return p;
}

/* Which points can be seen: of many in one column of half a pixel the extremes, of those on a line
 * its ends. */
static bool *seen_points(const cli_panel *panel, const cli_curve *curve, double width,
                         double height)
{
    enum { FEW = 300 };
    const double tolerance = 0.1;
    size_t n = curve->count;
    bool marks = curve->style == CLI_POINTS || curve->style == CLI_LINE_POINTS,
         *keep = calloc(n, sizeof *keep);
    double *p = n > FEW ? pixels_of(panel, curve, 2 * width, 2 * height) : NULL;
    for (size_t k = 0; keep && !p && k < n; k++) keep[k] = true;
    if (keep && p) {
        const double *axes[] = {p, p + n, p + 2 * n};
        if (!curve->z && x_ascends(curve))
            gt_thin_columns(n, axes[0], axes[1], keep);
        else
            for (size_t k = 0; k < n; k++) keep[k] = true;
        if (!marks) gt_thin_straight(n, curve->z ? 3 : 2, axes, 2 * tolerance, keep);
    }
    free(p);
    return keep;
}

void gt_plot_data(FILE *script, const cli_panel *panel, size_t i, size_t number, double width,
                  double height)
{
    const cli_curve *curve = &panel->curves[i];
    fprintf(script, "$d%zu << end_of_data\n", number);
    bool *keep = curve->count ? seen_points(panel, curve, width, height) : NULL;
    double offset[3];
    gt_plot_offsets(panel, offset);
    for (size_t k = 0; k < curve->count; k++)
        if (!keep || keep[k]) print_point(script, curve, k, offset);
    fputs("end_of_data\n", script);
    free(keep);
}

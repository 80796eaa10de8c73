/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures: writes a gnuplot script with its data and has gnuplot draw it. The looks are in plots/style.gp. */
#include "cli.h"
#include "gnuplot.h"
#include <math.h>
#include <string.h>

/* Points of one curve and of a whole figure, so that a file stays small; the width of a character in pixels. */
enum { MOST_POINTS = 5000, FEWEST_POINTS = 500, FIGURE_POINTS = 16000, CHARACTER = 8 };

const char *gt_cli_label(const gt_problem *problem, size_t column, char *buffer, size_t size)
{
    char made_up[24];
    const char *name = gt_problem_column_name(problem, column, made_up);
    const char *unit = problem->units && column < gt_problem_size(problem) ? problem->units[column] : NULL;
    if (unit && *unit && strcmp(unit, "1"))
        snprintf(buffer, size, "%s [%s]", name, unit);
    else
        snprintf(buffer, size, "%s", name);
    return buffer;
}

void gt_cli_title_add_set(const cli_args *args, char *title, size_t size)
{
    const char *text;
    size_t used = strlen(title);
    for (size_t i = 0; (text = gt_cli_each(args, "set", &i)) && used < size;) {
        int name = (int)strcspn(text, "=");
        used += (size_t)snprintf(title + used, size - used, ", %.*s = %s", name, text, text + name + 1);
    }
}

static double x_of(const cli_curve *curve, size_t k) { return curve->x[k * (curve->x_stride ? curve->x_stride : 1)]; }
static double y_of(const cli_curve *curve, size_t k) { return curve->y[k * (curve->stride ? curve->stride : 1)]; }
static double z_of(const cli_curve *curve, size_t k) { return curve->z[k * (curve->stride ? curve->stride : 1)]; }

static bool is_gap(const cli_curve *curve, size_t k) { return isnan(x_of(curve, k)) || isnan(y_of(curve, k)); }

/* An empty line, for a point that is not a number, ends a piece of the curve. */
static void print_point(FILE *script, const cli_curve *curve, size_t k)
{
    if (is_gap(curve, k)) {
        fputc('\n', script);
        return;
    }
    gt_fprintf(script, "%.9g %.9g", x_of(curve, k), y_of(curve, k));
    if (curve->z) gt_fprintf(script, " %.9g", z_of(curve, k));
    fputc('\n', script);
}

static bool x_ascends(const cli_curve *curve)
{
    for (size_t k = 1; k < curve->count; k++)
        if (!(x_of(curve, k) >= x_of(curve, k - 1))) return false;
    return true;
}

/* The smallest and the largest of each group of points in the order they come, so that no peak is lost. */
static void print_extremes(FILE *script, const cli_curve *curve, size_t most)
{
    size_t groups = most / 2;
    for (size_t g = 0; g < groups; g++) {
        size_t from = g * curve->count / groups, to = (g + 1) * curve->count / groups, low = from, high = from;
        for (size_t k = from; k < to; k++) {
            if (y_of(curve, k) < y_of(curve, low)) low = k;
            if (y_of(curve, k) > y_of(curve, high)) high = k;
        }
        print_point(script, curve, low < high ? low : high);
        if (low != high) print_point(script, curve, low < high ? high : low);
    }
    print_point(script, curve, curve->count - 1);
}

static void print_data(FILE *script, const cli_curve *curve, size_t number, size_t most)
{
    fprintf(script, "$d%zu << end_of_data\n", number);
    if (curve->count > most && !curve->z && x_ascends(curve)) {
        print_extremes(script, curve, most);
    } else {
        size_t skip = (curve->count + most - 1) / most;
        for (size_t k = 0; k < curve->count; k++)
            if (k % skip == 0 || k + 1 == curve->count || is_gap(curve, k)) print_point(script, curve, k);
    }
    fputs("end_of_data\n", script);
}

static size_t points_per_curve(const cli_plot *plot)
{
    size_t curves = 1;
    for (size_t p = 0; p < plot->n_panels; p++) curves += plot->panels[p].n_curves;
    size_t share = FIGURE_POINTS / curves;
    return share > MOST_POINTS ? MOST_POINTS : share < FEWEST_POINTS ? FEWEST_POINTS : share;
}

/* Times that a curve turns from rising to falling or back. */
static size_t turns_of(const cli_curve *curve)
{
    size_t turns = 0;
    double last = 0;
    for (size_t k = 1; k < curve->count; k++) {
        double change = y_of(curve, k) - y_of(curve, k - 1);
        if (change * last < 0) turns++;
        if (change != 0) last = change > 0 ? 1 : -1;
    }
    return turns;
}

/* Dashes tell curves of one panel apart, but a curve with many points or turns falls to pieces. */
static bool wants_dashes(const cli_panel *panel)
{
    enum { MOST_POINTS_DASHED = 1500, MOST_TURNS = 80 };
    for (size_t i = 0; i < panel->n_curves; i++)
        if (panel->curves[i].count > MOST_POINTS_DASHED || turns_of(&panel->curves[i]) > MOST_TURNS) return false;
    return panel->n_curves > 1;
}

static void print_style(FILE *script, const cli_curve *curve, size_t position, bool dashes)
{
    int number = curve->colour ? curve->colour : (int)position + 1;
    const char *solid = dashes ? "" : " dashtype solid";
    switch (curve->style) {
    case CLI_LINE:
        fprintf(script, "with lines linetype %d%s", number, solid);
        break;
    case CLI_LINE_POINTS:
        fprintf(script, "with linespoints linetype %d%s", number, solid);
        break;
    case CLI_POINTS:
        fprintf(script, "with points linetype %d", number);
        break;
    case CLI_BACKGROUND:
        fputs("with lines linestyle 101", script);
        break;
    }
}

static void print_label(FILE *script, const char *axis, const char *label)
{
    fprintf(script, "set %slabel ", axis);
    gt_gnuplot_quote(script, label ? label : "");
    fputs(" noenhanced\n", script);
}

static void print_log(FILE *script, const char *axis, bool on)
{
    if (on)
        fprintf(script, "set logscale %s\nset format %s '10^{%%L}'\n", axis, axis);
    else
        fprintf(script, "unset logscale %s\nset format %s '%%g'\n", axis, axis);
}

/* Panels one above the other on the same axis are told what it is once, below the last. */
static bool shares_axis(const cli_plot *plot, size_t p)
{
    if (plot->side_by_side || p + 1 == plot->n_panels) return false;
    const char *own = plot->panels[p].x_label, *next = plot->panels[p + 1].x_label;
    return own && next && !strcmp(own, next);
}

/* Width and height of what the curves cover. */
static void extent_of(const cli_panel *panel, double *width, double *height)
{
    double x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY};
    for (size_t i = 0; i < panel->n_curves; i++)
        for (size_t k = 0; k < panel->curves[i].count; k++) {
            x[0] = fmin(x[0], x_of(&panel->curves[i], k)), x[1] = fmax(x[1], x_of(&panel->curves[i], k));
            y[0] = fmin(y[0], y_of(&panel->curves[i], k)), y[1] = fmax(y[1], y_of(&panel->curves[i], k));
        }
    *width = x[1] > x[0] ? x[1] - x[0] : 1;
    *height = y[1] > y[0] ? y[1] - y[0] : 1;
}

/* One scale and one distance between marks, 1, 2 or 5 times a power of ten, for both axes. */
static void print_scale(FILE *script, const cli_panel *panel)
{
    if (!panel->equal) {
        fputs("set size noratio\nset offsets\nset xtics autofreq\nset ytics autofreq\n", script);
        return;
    }
    double width, height;
    extent_of(panel, &width, &height);
    double least = fmax(width, height) / 7, ten = pow(10, floor(log10(least)));
    double step = ten * (least <= 2 * ten ? 2 : least <= 5 * ten ? 5 : 10);
    fputs("set size ratio -1\nset autoscale fix\nset offsets graph 0.04, graph 0.04, graph 0.04, graph 0.04\n", script);
    gt_fprintf(script, "set xtics %g\nset ytics %g\n", step, step);
}

static void print_panel(FILE *script, const cli_plot *plot, size_t p, size_t first)
{
    const cli_panel *panel = &plot->panels[p];
    print_label(script, "x", shares_axis(plot, p) ? NULL : panel->x_label);
    print_label(script, "y", panel->y_label);
    print_label(script, "z", panel->z_label);
    print_log(script, "x", panel->log_x);
    print_log(script, "y", panel->log_y);
    fprintf(script, "set autoscale %s\n", panel->tight_x ? "xfix" : "x");
    if (panel->y_min < panel->y_max)
        gt_fprintf(script, "set yrange [%.9g:%.9g]\n", panel->y_min, panel->y_max);
    else
        fputs("set yrange [*:*]\n", script);
    print_scale(script, panel);
    if (panel->z_label) fputs("set xyplane relative 0.05\nset border 31\nset view 62,35,1.05,1.1\n", script);
    fputs(panel->z_label ? "splot " : "plot ", script);
    bool dashes = wants_dashes(panel);
    const char *separator = "";
    for (size_t i = 0; i < panel->n_curves; i++) {
        const cli_curve *curve = &panel->curves[i];
        bool named = curve->title && *curve->title;
        if (!curve->count && !named) continue;
        fputs(separator, script);
        separator = ", ";
        if (curve->count)
            fprintf(script, "$d%zu ", first + i);
        else
            fputs("keyentry ", script); /* without points, but in the legend all the same */
        print_style(script, curve, i, dashes);
        fputs(named ? " title " : " notitle", script);
        if (!named) continue;
        gt_gnuplot_quote(script, curve->title);
        fputs(" noenhanced", script);
    }
    fputc('\n', script);
}

/* Pixels that the legend needs beside the panels. */
static double legend_width(const cli_plot *plot)
{
    size_t longest = 0;
    for (size_t p = 0; p < plot->n_panels; p++)
        for (size_t i = 0; i < plot->panels[p].n_curves; i++) {
            const char *title = plot->panels[p].curves[i].title;
            if (title && strlen(title) > longest) longest = strlen(title);
        }
    return longest ? 80 + (double)(CHARACTER * longest) : 24;
}

static size_t most_curves(const cli_plot *plot)
{
    size_t most = 0;
    for (size_t p = 0; p < plot->n_panels; p++)
        if (plot->panels[p].n_curves > most) most = plot->panels[p].n_curves;
    return most;
}

/* Panels of one size, one above the other or in a row, with the legend at the right of each. */
static void print_layout(FILE *script, const cli_plot *plot, const char *terminal, const char *output)
{
    size_t rows = plot->side_by_side ? 1 : plot->n_panels, columns = plot->side_by_side ? plot->n_panels : 1;
    double legend = legend_width(plot), panel_height = plot->n_panels > 1 && rows > 1 ? 200 : 360;
    panel_height = fmax(panel_height, 22.0 * (double)most_curves(plot));
    double left = 108, top = 52, bottom = 58, gap_x = left + 24, gap_y = 34;
    double panel_width = columns > 1 ? 380 : 620;
    for (size_t p = 0; p + 1 < rows; p++)
        if (!shares_axis(plot, p)) gap_y = bottom; /* room for a label between them */
    if (plot->panels[0].equal) {
        double across, up;
        extent_of(&plot->panels[0], &across, &up);
        panel_width = fmin(fmax(panel_height * across / up, 200), panel_width);
    }
    double width = left + (double)columns * panel_width + (double)(columns - 1) * gap_x + legend;
    double title = (double)(CHARACTER * strlen(plot->title));
    if (title > width) legend += title - width, width = title;
    double height = top + (double)rows * panel_height + (double)(rows - 1) * gap_y + bottom;
    gt_gnuplot_canvas(script, terminal, width, height);
    fputs("set output ", script);
    gt_gnuplot_quote(script, output);
    fprintf(script, "\nset multiplot layout %zu,%zu ", rows, columns);
    if (!plot->panels[0].z_label) /* axes in space find their own margins */
        gt_fprintf(script, "margins screen %.4f,%.4f,%.4f,%.4f spacing screen %.4f,%.4f ", left / width,
                   1 - legend / width, bottom / height, 1 - top / height, gap_x / width, gap_y / height);
    fputs("title ", script);
    gt_gnuplot_quote(script, plot->title);
    fputs(" noenhanced offset 0,-0.4\n", script);
}

/* Names are printed as they are (noenhanced); only the powers of ten of log axes are marked up. */
static void print_script(FILE *script, const cli_plot *plot, const char *terminal, const char *output)
{
    gt_gnuplot_style(script);
    size_t number = 0, most = points_per_curve(plot);
    for (size_t p = 0; p < plot->n_panels; p++)
        for (size_t i = 0; i < plot->panels[p].n_curves; i++)
            print_data(script, &plot->panels[p].curves[i], number++, most);
    print_layout(script, plot, terminal, output);
    number = 0;
    for (size_t p = 0; p < plot->n_panels; p++) {
        print_panel(script, plot, p, number);
        number += plot->panels[p].n_curves;
    }
    fputs("unset multiplot\nunset output\n", script);
}

int gt_cli_check_plot(const char *path, const char *const *inputs)
{
    if (!gt_gnuplot_terminal(path)) return gt_cli_usage("--plot %s: the name must end in .svg, .png or .pdf", path);
    int code = gt_cli_check_output("--plot", path, inputs);
    if (code) return code;
    if (!gt_gnuplot_there())
        return gt_cli_usage(
            "--plot needs the program gnuplot, which is not installed (Debian: apt install gnuplot-nox)");
    return CLI_OK;
}

int gt_cli_plot(const cli_plot *plot)
{
    gnuplot_job job;
    int code = gt_gnuplot_begin(&job, plot->path);
    if (code) return code;
    print_script(job.script, plot, gt_gnuplot_terminal(plot->path), gt_gnuplot_output(&job));
    return gt_gnuplot_end(&job);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures: writes a gnuplot script with its data and has gnuplot draw it. The looks are in
 * plots/style.gp. */
#include "cli.h"
#include "gnuplot.h"
#include "plot_data.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHARACTER = 8 }; /* its width in pixels */

const char *gt_cli_label(const gt_problem *problem, size_t column, char *buffer, size_t size)
{
    char made_up[24];
    const char *name = gt_problem_column_name(problem, column, made_up);
    const char *unit =
        problem->units && column < gt_problem_size(problem) ? problem->units[column] : NULL;
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
    for (size_t i = 0; (text = gt_cli_each(&args->flags.set, &i)) && used < size;) {
        int name = (int)strcspn(text, "=");
        used +=
            (size_t)snprintf(title + used, size - used, ", %.*s = %s", name, text, text + name + 1);
    }
}

/* Times that a curve turns from rising to falling or back. */
static size_t turns_of(const cli_curve *curve)
{
    size_t turns = 0;
    double last = 0;
    for (size_t k = 1; k < curve->count; k++) {
        double change = gt_plot_y(curve, k) - gt_plot_y(curve, k - 1);
        if (change * last < 0) turns++;
        if (change != 0) last = change > 0 ? 1 : -1;
    }
    return turns;
}

/* Dashes tell curves of one panel apart, but a curve with many turns falls to pieces. */
static bool wants_dashes(const cli_panel *panel)
{
    enum { MOST_TURNS = 80 };
    for (size_t i = 0; i < panel->n_curves; i++)
        if (turns_of(&panel->curves[i]) > MOST_TURNS) return false;
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

static void print_label(FILE *script, const char *axis, const char *label, double offset)
{
    char text[160];
    bool named = label && *label;
    gt_format(text, sizeof text, "%.100s", named ? label : "");
    if (offset != 0)
        gt_format(text, sizeof text, "%.100s%s %.15g", named ? label : "values",
                  offset > 0 ? " -" : " +", fabs(offset));
    fprintf(script, "set %slabel ", axis);
    gt_gnuplot_quote(script, text);
    fputs(" noenhanced\n", script);
}

static void print_log(FILE *script, const char *axis, bool on)
{
    if (on)
        fprintf(script, "set logscale %s\nset format %s '10^{%%L}'\n", axis, axis);
    else
        fprintf(script, "unset logscale %s\nset format %s '%%g'\n", axis, axis);
}

/* Panels one above the other on the same axis show its title once, below the last. */
static bool shares_axis(const cli_plot *plot, size_t p)
{
    if (plot->side_by_side || p + 1 == plot->n_panels) return false;
    const char *own = plot->panels[p].x_label, *next = plot->panels[p + 1].x_label;
    return own && next && !strcmp(own, next);
}

/* One scale and one distance between marks, 1, 2 or 5 times a power of ten, for both axes. */
static void print_scale(FILE *script, const cli_panel *panel)
{
    if (!panel->equal) {
        fputs("set size noratio\nset offsets\nset xtics autofreq\nset ytics autofreq\n", script);
        return;
    }
    double width, height;
    gt_plot_extent(panel, &width, &height);
    double least = fmax(width, height) / 7, ten = pow(10, floor(log10(least)));
    double step = ten * (least <= 2 * ten ? 2 : least <= 5 * ten ? 5 : 10);
    fputs("set size ratio -1\nset autoscale fix\nset offsets graph 0.04, graph 0.04, graph 0.04, "
          "graph 0.04\n",
          script);
    gt_fprintf(script, "set xtics %g\nset ytics %g\n", step, step);
}

static void print_panel(FILE *script, const cli_plot *plot, size_t p, size_t first)
{
    const cli_panel *panel = &plot->panels[p];
    double offset[3];
    gt_plot_offsets(panel, offset);
    print_label(script, "x", shares_axis(plot, p) ? NULL : panel->x_label,
                panel->x_label && !shares_axis(plot, p) ? offset[0] : 0);
    print_label(script, "y", panel->y_label, offset[1]);
    print_label(script, "z", panel->z_label, offset[2]);
    print_log(script, "x", panel->log_x);
    print_log(script, "y", panel->log_y);
    fprintf(script, "set autoscale %s\n", panel->tight_x ? "xfix" : "x");
    if (panel->y_min < panel->y_max)
        gt_fprintf(script, "set yrange [%.9g:%.9g]\n", panel->y_min - offset[1],
                   panel->y_max - offset[1]);
    else
        fputs("set yrange [*:*]\n", script);
    print_scale(script, panel);
    if (panel->z_label)
        fputs("set xyplane relative 0.05\nset border 31\nset view 62,35,1.05,1.1\n", script);
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

static const double row_height = 25;                                  /* of a legend, in pixels */
static const double least_panel_height = 90, least_panel_width = 160; /* with texts of full size */

/* Places in pixels: panels of one size, one above the other or in a row, with the legend at the
 * right of each. */
typedef struct plot_frame {
    size_t rows, columns;
    double width, height, left, top, bottom, legend, gap_x, gap_y, panel_width, panel_height;
    double scale; /* of the texts */
} plot_frame;

/* --size: the panels take what the rest leaves. Where that is less than the legends and the ticks
 * of the axes ask for, texts and margins shrink with the figure, so that nothing is cut off or
 * printed over. */
static void fit_size(plot_frame *f, const cli_looks *looks, double least_height)
{
    double margins = f->left + (double)(f->columns - 1) * f->gap_x + f->legend;
    double above = f->top + (double)(f->rows - 1) * f->gap_y + f->bottom;
    double across = looks->width / (margins + (double)f->columns * least_panel_width);
    double up = looks->height / (above + (double)f->rows * least_height);
    f->scale = fmin(fmin(across, up), 1);
    f->left *= f->scale;
    f->top *= f->scale;
    f->bottom *= f->scale;
    f->legend *= sqrt(f->scale); /* its strokes shrink less */
    f->gap_x *= f->scale;
    f->gap_y *= f->scale;
    f->width = looks->width;
    f->height = looks->height;
    margins = f->left + (double)(f->columns - 1) * f->gap_x + f->legend;
    f->panel_width = (f->width - margins) / (double)f->columns;
    f->panel_height = (f->height - above * f->scale) / (double)f->rows;
}

static plot_frame make_frame(const cli_plot *plot, const cli_looks *looks)
{
    plot_frame f = {.left = 108,
                    .top = 52,
                    .bottom = 58,
                    .gap_x = 132,
                    .gap_y = 34,
                    .legend = legend_width(plot),
                    .scale = 1};
    f.rows = plot->side_by_side ? 1 : plot->n_panels;
    f.columns = plot->side_by_side ? plot->n_panels : 1;
    f.panel_height = plot->n_panels > 1 && f.rows > 1 ? 200 : 360;
    f.panel_height = fmax(f.panel_height, row_height * (double)most_curves(plot));
    f.panel_width = f.columns > 1 ? 380 : 620;
    for (size_t p = 0; p + 1 < f.rows; p++)
        if (!shares_axis(plot, p)) f.gap_y = f.bottom; /* room for a label between them */
    if (looks->width > 0) {
        fit_size(&f, looks, fmax(least_panel_height, row_height * (double)most_curves(plot)));
        return f;
    }
    if (plot->panels[0].equal) {
        double across, up;
        gt_plot_extent(&plot->panels[0], &across, &up);
        f.panel_width = fmin(fmax(f.panel_height * across / up, 200), f.panel_width);
    }
    f.width =
        f.left + (double)f.columns * f.panel_width + (double)(f.columns - 1) * f.gap_x + f.legend;
    double title = (double)(CHARACTER * strlen(looks->title));
    if (title > f.width) f.legend += title - f.width, f.width = title;
    f.height = f.top + (double)f.rows * f.panel_height + (double)(f.rows - 1) * f.gap_y + f.bottom;
    return f;
}

static size_t characters(const char *text)
{
    size_t count = 0;
    for (; *text; text++) count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

static void print_frame(FILE *script, const cli_plot *plot, const plot_frame *f, const char *title,
                        const char *terminal, const char *output)
{
    gt_gnuplot_canvas(script, terminal, f->width, f->height, f->scale);
    fputs("set output ", script);
    gt_gnuplot_quote(script, output);
    fprintf(script, "\nset multiplot layout %zu,%zu ", f->rows, f->columns);
    double right =
        f->left + (double)f->columns * f->panel_width + (double)(f->columns - 1) * f->gap_x;
    double low =
        f->height - f->top - (double)f->rows * f->panel_height - (double)(f->rows - 1) * f->gap_y;
    if (!plot->panels[0].z_label) /* axes in space find their own margins */
        gt_fprintf(script, "margins screen %.4f,%.4f,%.4f,%.4f spacing screen %.4f,%.4f ",
                   f->left / f->width, fmin(right / f->width, 1), fmax(low / f->height, 0),
                   1 - f->top / f->height, f->gap_x / f->width, f->gap_y / f->height);
    fputs("title ", script);
    gt_gnuplot_quote(script, title);
    double room = f->width / (CHARACTER * (double)(characters(title) + 1) * f->scale);
    if (room < 1) /* a long title in a small figure */
        gt_fprintf(script, " font ',%.1f'",
                   gt_gnuplot_points(terminal) * f->scale * fmax(room, 0.3));
    fputs(" noenhanced offset 0,-0.4\n", script);
}

/* Names are printed as they are (noenhanced); only the powers of ten of log axes are marked up. */
static void print_script(FILE *script, const cli_plot *plot, const char *terminal,
                         const char *output)
{
    cli_looks looks = gt_cli_looks(plot->args);
    if (!looks.title) looks.title = plot->title;
    plot_frame frame = make_frame(plot, &looks);
    gt_gnuplot_style(script);
    /* beside the axes by as much in a figure of any width */
    gt_fprintf(script, "set key at graph %.5f,1\n", 1 + fmin(0.02, 12 / frame.panel_width));
    size_t number = 0;
    for (size_t p = 0; p < plot->n_panels; p++)
        for (size_t i = 0; i < plot->panels[p].n_curves; i++)
            gt_plot_data(script, &plot->panels[p], i, number++, frame.panel_width,
                         frame.panel_height);
    print_frame(script, plot, &frame, looks.title, terminal, output);
    number = 0;
    for (size_t p = 0; p < plot->n_panels; p++) {
        print_panel(script, plot, p, number);
        number += plot->panels[p].n_curves;
    }
    fputs("unset multiplot\nunset output\n", script);
}

int gt_cli_check_plot(const char *path, const char *const *inputs)
{
    if (!gt_gnuplot_terminal(path))
        return gt_cli_usage("--plot %s: the name must end in .svg, .png or .pdf", path);
    int code = gt_cli_check_output("--plot", path, inputs);
    if (code) return code;
    if (!gt_gnuplot_there())
        return gt_cli_usage("--plot needs the program gnuplot, which is not installed (Debian: apt "
                            "install gnuplot-nox)");
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

cli_looks gt_cli_looks(const cli_args *args)
{
    cli_looks looks = {0};
    const char *size = args ? gt_cli_text(&args->flags.size) : NULL;
    if (args) looks.title = gt_cli_text(&args->flags.title);
    char *end = NULL;
    long width = size ? strtol(size, &end, 10) : 0, height = 0;
    if (end && *end == 'x') height = strtol(end + 1, &end, 10);
    if (end && !*end) looks.width = (double)width, looks.height = (double)height;
    return looks;
}

int gt_cli_check_looks(const cli_args *args)
{
    enum { SMALLEST = 200, LARGEST = 20000 };
    bool title = gt_cli_has(&args->flags.title), size = gt_cli_has(&args->flags.size);
    if (!title && !size) return CLI_OK;
    if (!gt_cli_has(&args->flags.plot))
        return gt_cli_usage("--%s is for figures; give --plot FILE.svg too",
                            title ? "title" : "size");
    cli_looks looks = gt_cli_looks(args);
    bool fits = looks.width >= SMALLEST && looks.width <= LARGEST && looks.height >= SMALLEST &&
                looks.height <= LARGEST;
    if (size && !fits)
        return gt_cli_usage("--size takes WxH in pixels from %d to %d, as in 1200x800, not '%s'",
                            SMALLEST, LARGEST, gt_cli_text(&args->flags.size));
    return CLI_OK;
}

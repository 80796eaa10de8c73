/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stability regions and order stars. The size is taken at a grid of points; the regions are filled,
 * the unstable part of the left half plane is shaded, and the boundary of each is drawn.
 */
#include "contour.h"
#include "gnuplot.h"
#include "stability_parts.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = CLI_REGION_POINTS, PIXELS = 560 };

static double value_at(const cli_region *r, size_t entry, double complex z)
{
    double size = log(fmax(r->size(z, r->ctx[entry]), 1e-300)) - (r->star ? creal(z) : 0);
    if (fabs(size) < 1e-12) size = 0; /* on a boundary that runs along a line of the grid */
    return fmin(fmax(size, -1), 1);   /* only near 0 does the value matter */
}

/* Where the plane is that of one number, below the real axis is as above it. */
static void fill_grid(const cli_region *r, size_t entry, grid_values *g)
{
    bool mirrored = g->bottom == -g->top;
    for (int j = 0; j < g->ny; j++)
        for (int i = 0; i < g->nx; i++) {
            double x = g->left + (g->right - g->left) * i / (g->nx - 1);
            double y = g->bottom + (g->top - g->bottom) * j / (g->ny - 1);
            int above = g->ny - 1 - j; /* the row at -y, when it is filled already */
            g->value[j * g->nx + i] = mirrored && above < j ? g->value[above * g->nx + i]
                                                            : (float)value_at(r, entry, x + I * y);
        }
}

/* Of several methods that would hide what matters. */
static bool marks_unstable(const cli_region *r, size_t count)
{
    return r->size && count == 1 && r->left < 0 && !r->star;
}

/* For each entry its edge and its area, both the same curve. */
static void print_curves(FILE *script, const cli_region *r, size_t count)
{
    for (size_t e = 0; e < count; e++)
        for (int twice = 0; twice < 2; twice++) {
            fprintf(script, "$%s%zu << end_of_data\n", twice ? "area" : "edge", e);
            for (size_t k = 0; k < r->n_points; k++)
                gt_fprintf(script, "%.9g %.9g\n", r->curves[e][2 * k], r->curves[e][2 * k + 1]);
            fputs("end_of_data\n", script);
        }
}

/* For each entry its edge and its area from values on a grid. */
static bool print_grids(FILE *script, const cli_region *r, size_t count)
{
    grid_values g = {.nx = POINTS,
                     .ny = POINTS,
                     .left = r->left,
                     .right = r->right,
                     .bottom = r->bottom,
                     .top = r->top};
    g.value = malloc((size_t)POINTS * POINTS * sizeof *g.value);
    bool done = g.value != NULL;
    for (size_t e = 0; e < count && done; e++) {
        fill_grid(r, e, &g);
        fprintf(script, "$edge%zu << end_of_data\n", e);
        done = gt_contour_print(&g, script);
        fputs("0 NaN\nend_of_data\n", script);
        fprintf(script, "$area%zu << end_of_data\n", e);
        gt_area_print(&g, true, r->right, script);
        fputs("0 NaN\nend_of_data\n", script);
        if (!marks_unstable(r, count)) continue;
        fputs("$unstable << end_of_data\n", script);
        gt_area_print(&g, false, 0, script);
        fputs("0 NaN\nend_of_data\n", script);
    }
    free(g.value);
    return done;
}

static void print_marks(FILE *script, const cli_region *r)
{
    if (!r->n_marks) return;
    fputs("$marks << end_of_data\n", script);
    for (size_t k = 0; k < r->n_marks; k++) {
        double x = r->marks[2 * k], y = r->marks[2 * k + 1];
        if (isnan(x))
            fputc('\n', script);
        else
            gt_fprintf(script, "%.9g %.9g\n", x, y);
    }
    fputs("end_of_data\n", script);
}

static void print_axes(FILE *script, const cli_region *r, const char *title)
{
    fputs("set title ", script);
    gt_gnuplot_quote(script, title);
    fputs(" noenhanced\nset xlabel ", script);
    gt_gnuplot_quote(script, r->x_label);
    fputs(" noenhanced\nset ylabel ", script);
    gt_gnuplot_quote(script, r->y_label);
    gt_fprintf(script,
               " noenhanced\nset xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\nset grid front "
               "linestyle 100\n"
               "set arrow from 0,%.9g to 0,%.9g nohead front linewidth 1 linecolor rgb '#444444'\n"
               "set arrow from %.9g,0 to %.9g,0 nohead front linewidth 1 linecolor rgb '#444444'\n",
               r->left, r->right, r->bottom, r->top, r->bottom, r->top, r->left, r->right);
}

static void print_plot(FILE *script, const cli_entry *entries, size_t count, const cli_region *r)
{
    fputs("plot ", script);
    for (size_t e = 0; e < count; e++)
        gt_fprintf(script,
                   "%s$area%zu using 1:2 with filledcurves closed fillstyle transparent solid %.2f "
                   "noborder linetype %zu "
                   "notitle",
                   e ? ", " : "", e, count > 1 ? 0.16 : 0.28, e % 8 + 1);
    if (marks_unstable(r, count))
        fputs(", $unstable using 1:2 with filledcurves closed fillstyle solid noborder fillcolor "
              "rgb '#F6D9C8' "
              "title 'unstable, Re < 0'",
              script);
    for (size_t e = 0; e < count; e++) {
        fprintf(script, ", $edge%zu using 1:2 with lines linetype %zu linewidth 2 title ", e,
                e % 8 + 1);
        gt_gnuplot_quote(script, entries[e].label);
        fputs(" noenhanced", script);
    }
    if (r->n_marks) {
        fprintf(script, ", $marks using 1:2 with %s title ",
                r->dots ? "points linetype 4 pointtype 2" : "lines linetype 7");
        gt_gnuplot_quote(script, r->mark_title);
    }
    fputc('\n', script);
}

int gt_region_plot(const char *path, const char *title, const cli_entry *entries, size_t count,
                   const cli_region *r)
{
    gnuplot_job job;
    int code = gt_gnuplot_begin(&job, path);
    if (code) return code;
    size_t longest = 18;
    for (size_t e = 0; e < count; e++)
        if (strlen(entries[e].label) > longest) longest = strlen(entries[e].label);
    if (r->n_marks && strlen(r->mark_title) > longest) longest = strlen(r->mark_title);
    double aspect = r->aspect > 0 ? r->aspect : (r->top - r->bottom) / (r->right - r->left);
    double width = PIXELS, height = PIXELS;
    if (aspect > 1)
        width = fmax(PIXELS / aspect, 240);
    else
        height = fmax(PIXELS * aspect, 240);
    double legend = 80 + 8 * (double)longest, full_width = 90 + width + legend,
           full_height = 50 + height + 60;
    cli_looks looks = gt_cli_looks(r->args);
    if (looks.width > 0) {
        full_width = looks.width, full_height = looks.height;
        width = fmax(full_width - 90 - legend, 20), height = fmax(full_height - 110, 20);
    }
    FILE *script = job.script;
    gt_gnuplot_style(script);
    bool done = true;
    if (r->size)
        done = print_grids(script, r, count);
    else
        print_curves(script, r, count);
    print_marks(script, r);
    gt_gnuplot_canvas(script, gt_gnuplot_terminal(path), full_width, full_height, 1);
    fputs("set output ", script);
    gt_gnuplot_quote(script, gt_gnuplot_output(&job));
    gt_fprintf(
        script,
        "\nset lmargin at screen %.4f\nset rmargin at screen %.4f\nset bmargin at screen %.4f\n"
        "set tmargin at screen %.4f\n",
        90 / full_width, (90 + width) / full_width, 60 / full_height, (60 + height) / full_height);
    print_axes(script, r, looks.title ? looks.title : title);
    print_plot(script, entries, count, r);
    fputs("unset output\n", script);
    code = gt_gnuplot_end(&job);
    return done ? code : gt_cli_failed("out of memory");
}

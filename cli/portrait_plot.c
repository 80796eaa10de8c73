/* SPDX-License-Identifier: BSD-3-Clause */
/* The panels of a portrait as a script for gnuplot. */
#include "contour.h"
#include "gnuplot.h"
#include "portrait.h"
#include <complex.h>
#include <geartrain/author/number.h>
#include <math.h>
#include <stdlib.h>

enum {
    GRID = 75,
    SAMPLES = 60,
    PANEL = 250,
    LEFT = 70,
    GAP = 84,
    TOP = 40,
    BOTTOM = 84,
    ANGLES = PORTRAIT_ANGLES
};
static const double ray = 45,
                    reach = 6; /* of damping: degrees from the negative real axis, and |h lambda| */

static bool print_region(FILE *script, const portrait *p, size_t i)
{
    const double *w = p->window;
    grid_values g = {
        .nx = GRID, .ny = GRID, .left = w[0], .right = w[1], .bottom = w[2], .top = w[3]};
    g.value = malloc((size_t)GRID * GRID * sizeof *g.value);
    if (!g.value) return false;
    for (int j = 0; j <= GRID / 2; j++) /* symmetric about the real axis */
        for (int k = 0; k < GRID; k++) {
            double x = w[0] + (w[1] - w[0]) * k / (GRID - 1),
                   y = w[2] + (w[3] - w[2]) * j / (GRID - 1);
            double value = log(fmax(gt_portrait_size(x + I * y, &p->list[i]), 1e-300));
            value = fabs(value) < 1e-12 ? 0 : fmin(fmax(value, -1), 1);
            g.value[j * GRID + k] = g.value[(GRID - 1 - j) * GRID + k] = (float)value;
        }
    fprintf(script, "$edge%zu << end_of_data\n", i);
    bool done = gt_contour_print(&g, script);
    fprintf(script, "0 NaN\nend_of_data\n$area%zu << end_of_data\n", i);
    gt_area_print(&g, true, w[1], script);
    fputs("0 NaN\nend_of_data\n", script);
    free(g.value);
    return done;
}

/* The eigenvalue of M that continues `last`; at the start that is 1, and the other one decays. */
static double complex slow_mode(const gt_test2 *test, double complex xi, double complex last)
{
    double complex M[2][2];
    if (gt_test2_matrix(test, xi, M)) return NAN;
    double complex mean = (M[0][0] + M[1][1]) / 2,
                   d = csqrt(mean * mean - M[0][0] * M[1][1] + M[0][1] * M[1][0]);
    return cabs(mean + d - last) < cabs(mean - d - last) ? mean + d : mean - d;
}

static void print_damping(FILE *script, const portrait *p, size_t i)
{
    const subject *s = &p->list[i];
    const double turn = 2 * GT_PI, far_off = 20;
    double last = 0;
    double complex w = 1;
    fprintf(script, "$damping%zu << end_of_data\n", i);
    for (int k = 1; k <= SAMPLES; k++) {
        double r = reach * k / SAMPLES;
        gt_damping d = {0};
        if (s->one_rate) {
            d = gt_damping_at(&s->a, ray, r);
        } else {
            w = slow_mode(&s->test, r * cexp(I * GT_PI * (1 - ray / 180)), w);
            d.damping = -log(cabs(w));
            d.frequency = carg(w);
        }
        d.frequency += turn * round((last - d.frequency) / turn);
        if (isfinite(d.frequency)) last = d.frequency;
        if (isfinite(d.damping))
            gt_fprintf(script, "%.4g %.4g %.4g\n", r, fmax(fmin(d.damping, far_off), -far_off),
                       last);
    }
    fputs("end_of_data\n", script);
}

static void print_accuracy(FILE *script, const portrait *p)
{
    fputs("$accuracy << end_of_data\n", script);
    for (int k = 0; k < 2 * ANGLES; k++) {
        int i = k < ANGLES ? k : 2 * ANGLES - 1 - k;
        double angle = GT_PI * (0.5 + 0.5 * i / (ANGLES - 1));
        gt_fprintf(script, "%.5g %.5g\n", p->h[i] * cos(angle),
                   (k < ANGLES ? 1 : -1) * p->h[i] * sin(angle));
    }
    fputs("end_of_data\n", script);
}

typedef struct place {
    double width, height;
    int column;
} place;

static void begin_panel(FILE *script, place *at, const char *title, const char *x_label,
                        const char *y_label)
{
    double left = LEFT + at->column * (PANEL + GAP);
    at->column++;
    gt_fprintf(
        script,
        "set lmargin at screen %.5f\nset rmargin at screen %.5f\nset bmargin at screen %.5f\n"
        "set tmargin at screen %.5f\nset key at screen %.5f,%.5f center center horizontal maxrows "
        "1 samplen 1.5 "
        "width -1\n",
        left / at->width, (left + PANEL) / at->width, BOTTOM / at->height,
        (BOTTOM + PANEL) / at->height, (left + PANEL / 2.0) / at->width, 16 / at->height);
    fputs("set title ", script);
    gt_gnuplot_quote(script, title);
    fputs(" offset 0,-0.6\nset xlabel ", script);
    gt_gnuplot_quote(script, x_label);
    fputs(" offset 0,0.4\nset ylabel ", script);
    gt_gnuplot_quote(script, y_label);
    fputs(" offset 0.8,0\n", script);
}

/* About four marks: their distance is 1, 2 or 5 times a power of ten. */
static double mark_distance(double range)
{
    double power = pow(10, floor(log10(range / 4))), part = range / 4 / power;
    if (part > 7) return 10 * power;
    if (part > 3.5) return 5 * power;
    return part > 1.5 ? 2 * power : power;
}

static void print_ranges(FILE *script, double left, double right, double bottom, double top)
{
    gt_fprintf(script,
               "set xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\nset xtics %g\nset ytics %g\nset "
               "xzeroaxis\nset yzeroaxis\n",
               left, right, bottom, top, mark_distance(right - left), mark_distance(top - bottom));
}

static void plot_region(FILE *script, const portrait *p, place *at)
{
    const double *w = p->window;
    bool two = p->list[0].two_rates;
    char title[96];
    snprintf(title, sizeof title,
             p->count > 2 ? "edges of the stable regions of %s" : "where %s is stable", p->name);
    const char *re = two ? "Re h λ_slow" : "Re hλ", *im = two ? "Im h λ_slow" : "Im hλ";
    begin_panel(script, at, title, re, im);
    gt_fprintf(
        script,
        "set xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\nset xzeroaxis\nset yzeroaxis\nplot ", w[0],
        w[1], w[2], w[3]);
    for (size_t i = 0; i < p->count && p->count <= 2; i++)
        gt_fprintf(script,
                   "$area%zu using 1:2 with filledcurves closed fillstyle transparent solid %.2f "
                   "noborder linetype %zu "
                   "notitle, ",
                   i, p->count > 1 ? 0.16 : 0.28, i + 1);
    for (size_t i = 0; i < p->count; i++) {
        fprintf(script, "%s$edge%zu using 1:2 with lines linetype %zu ", i ? ", " : "", i, i + 1);
        if (p->count == 1) {
            fputs("notitle", script);
            continue;
        }
        fputs("title ", script);
        gt_gnuplot_quote(script, p->list[i].label);
    }
    fputs("\n", script);
}

static void plot_accuracy(FILE *script, const portrait *p, place *at)
{
    double most = 0;
    char title[96];
    snprintf(title, sizeof title, "%s: error below 0.01 to t = 10", p->name);
    for (int k = 0; k < ANGLES; k++) most = fmax(most, p->h[k]);
    if (most == 0) most = 1;
    begin_panel(script, at, title, "h cos θ, eigenvalues e^(±iθ)", "h sin θ");
    print_ranges(script, -1.75 * most, 0.55 * most, -1.15 * most, 1.15 * most);
    fputs("plot $accuracy using 1:2 with filledcurves closed fillstyle transparent solid 0.28 "
          "noborder linetype 3 "
          "notitle, "
          "$accuracy using 1:2 with lines linetype 3 dashtype solid notitle\n",
          script);
}

static void plot_damping(FILE *script, const portrait *p, place *at)
{
    double slope = cos(ray * GT_PI / 180);
    begin_panel(script, at,
                p->list[0].two_rates ? "slow mode at 45°"
                : p->count > 2       ? "damping at 45°"
                                     : "damping and frequency at 45°",
                p->list[0].two_rates ? "|h λ_slow|" : "|hλ|", "per step");
    print_ranges(script, 0, reach, -2, 8);
    gt_fprintf(script,
               "$exact << end_of_data\n0 0\n%g %g\nend_of_data\n"
               "set key inside left top vertical maxrows auto\n"
               "plot $exact using 1:2 with lines linestyle 101 title 'exact'",
               reach, slope * reach);
    for (size_t i = 0; i < p->count; i++) {
        fprintf(script, ", $damping%zu using 1:2 with lines linetype %zu dashtype solid ", i,
                i + 1);
        fputs(i == 0 ? "title 'damping'" : "notitle", script);
        if (p->count > 2) continue; /* then it would be too much */
        fprintf(script, ", $damping%zu using 1:3 with lines linetype %zu dashtype (4,4) ", i,
                p->count == 1 ? 2 : i + 1);
        fputs(i == 0 ? "title 'frequency'" : "notitle", script);
    }
    fputs("\n", script);
}

int gt_portrait_draw(const portrait *p, const char *path)
{
    gnuplot_job job;
    int code = gt_gnuplot_begin(&job, path);
    if (code) return code;
    FILE *script = job.script;
    int panels = (p->count ? 2 : 0) + (p->accurate ? 1 : 0);
    place at = {.width = LEFT + panels * PANEL + (panels - 1) * GAP + 24,
                .height = TOP + PANEL + BOTTOM};
    bool done = true;
    gt_gnuplot_style(script);
    for (size_t i = 0; i < p->count && done; i++) {
        done = print_region(script, p, i);
        print_damping(script, p, i);
    }
    if (p->accurate) print_accuracy(script, p);
    gt_gnuplot_canvas(script, gt_gnuplot_terminal(path), at.width, at.height, 1);
    fputs("set output ", script);
    gt_gnuplot_quote(script, gt_gnuplot_output(&job));
    fputs("\nset termoption noenhanced\nset multiplot\nunset grid\n", script);
    if (p->count) plot_region(script, p, &at);
    if (p->accurate) plot_accuracy(script, p, &at);
    if (p->count) plot_damping(script, p, &at);
    fputs("unset multiplot\nunset output\n", script);
    code = gt_gnuplot_end(&job);
    return done ? code : gt_cli_failed("out of memory");
}

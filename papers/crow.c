/* SPDX-License-Identifier: BSD-3-Clause */
/* crow: examples, figures and problems of the chapter that need no network; those that do are in crow_power.c. */
#include "paper_parts.h"
#include <math.h>

static const char *const four[] = {"euler", "beuler", "trapezoidal", "rk4"};
static const char *const four_titles[] = {"forward Euler", "backward Euler", "trapezoidal", "Runge-Kutta"};

/* x1 - cos t of a run of Example 5.1. */
static double *error_over_time(paper_sheet *s, const paper_series *run)
{
    double *e = paper_doubles(s, run->count);
    for (size_t k = 0; k < run->count; k++) e[k] = run->x[k * run->n] - cos(run->t[k]);
    return e;
}

static double largest(const double *v, size_t count)
{
    double most = 0;
    for (size_t k = 0; k < count; k++) most = fmax(most, fabs(v[k]));
    return most;
}

static void example_5_1(paper_sheet *s)
{
    static const double steps[] = {0.1, 0.05, 0.01};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 4; i++) {
            double x[2];
            paper_end(s, &(paper_run){.model = "harmonic", .method = four[i], .h = steps[k], .t1 = 10}, x);
            paper_value(s, paper_text(s, "x1(10), h = %g, %s", steps[k], four_titles[i]), NULL, x[0], NULL);
        }
    paper_series run[4];
    double *e[4], exact_t[201], exact_x[201];
    cli_curve solutions[5], errors[4];
    for (int i = 0; i < 4; i++) {
        run[i] = paper_samples(s, &(paper_run){.model = "harmonic", .method = four[i], .h = 0.1, .t1 = 10});
        e[i] = error_over_time(s, &run[i]);
        solutions[i + 1] = paper_over_time(&run[i], 0, four_titles[i]);
        errors[i] = (cli_curve){.title = four_titles[i], .x = run[i].t, .y = e[i], .count = run[i].count};
    }
    for (int k = 0; k <= 200; k++) exact_t[k] = k / 20.0, exact_x[k] = cos(exact_t[k]);
    solutions[0] = (cli_curve){.title = "exact", .x = exact_t, .y = exact_x, .count = 201, .style = CLI_BACKGROUND};
    paper_draw(s, "5.1", "Figure 5.1: numerical solutions for Example 5.1, h = 0.1",
               &(cli_panel){.x_label = "t [s]", .y_label = "x1", .curves = solutions, .n_curves = 5}, 1);
    paper_draw(s, "5.2", "Figure 5.2: error in the numerical solutions",
               &(cli_panel){.x_label = "t [s]", .y_label = "x1 - cos t", .curves = errors, .n_curves = 4}, 1);
    paper_draw(s, "5.3", "Figure 5.3: error of the trapezoidal and Runge-Kutta solutions",
               &(cli_panel){.x_label = "t [s]", .y_label = "x1 - cos t", .curves = errors + 2, .n_curves = 2}, 1);
    static const char signs[] = "equal in magnitude, opposite in sign";
    double ratio = e[0][run[0].count - 1] / -e[1][run[1].count - 1];
    paper_claim(s, "errors of forward and backward Euler", signs, fabs(ratio - 1) < 0.01,
                paper_text(s, "ratio %.3f at t = 10", ratio),
                "to first order in h only: the leading terms of the local errors are opposite, the next ones are not");
    paper_claim(
        s, "Runge-Kutta beside the trapezoidal rule", "the error is much smaller",
        largest(e[3], run[3].count) < 0.01 * largest(e[2], run[2].count),
        paper_text(s, "largest error %.2g against %.2g", largest(e[3], run[3].count), largest(e[2], run[2].count)),
        NULL);
}

/* The stages as printed, where k12 comes from k11 and not from k21. */
static void printed_stages(double h, int steps, double *x)
{
    for (int n = 0; n < steps; n++) {
        double k11 = x[1], k21 = -x[0], k12 = x[1] + h / 2 * k11, k22 = -x[0] - h / 2 * k21;
        double k13 = x[1] + h / 2 * k12, k23 = -x[0] - h / 2 * k22, k14 = x[1] + h * k13, k24 = -x[0] - h * k23;
        x[0] += h / 6 * (k11 + 2 * k12 + 2 * k13 + k14);
        x[1] += h / 6 * (k21 + 2 * k22 + 2 * k23 + k24);
    }
}

static void formulas(paper_sheet *s)
{
    double x[2] = {1, 0};
    printed_stages(0.1, 100, x);
    paper_erratum_text(
        s, "Runge-Kutta stages of Example 5.1", "k12 = x2 + h/2 k11, k22 = -x1 - h/2 k21, ...",
        "k12 = x2 + h/2 k21, k22 = -x1 - h/2 k11, and so on", fabs(x[0] - cos(10)) > 0.1,
        paper_text(s, "the printed stages give x1(10) = %.4g at h = 0.1, where cos 10 = %.4g", x[0], cos(10)));
}

static const paper_part parts[] = {
    {"Example 5.1", "the harmonic oscillator by four methods, Figures 5.1-5.3", example_5_1},
    {"Formulas", "formulas that are misprinted", formulas},
    {0},
};

const paper gt_paper_crow = {.name = "crow",
                             .title = "Crow: numerical integration for power systems",
                             .citation =
                                 "M. L. Crow, Computational Methods for Electric Power Systems, chapter 5, CRC Press.",
                             .parts = parts};

/* SPDX-License-Identifier: BSD-3-Clause */
/* crow: examples and figures of the chapter that need no network, and the list of all parts. */
#include "crow.h"
#include <complex.h>
#include <geartrain/analysis/analysis.h>
#include <geartrain/analysis/design.h>
#include <geartrain/analysis/order.h>
#include <geartrain/analysis/stability.h>
#include <math.h>

const char *const gt_paper_crow_four[] = {"euler", "beuler", "trapezoidal", "rk4"};
const char *const gt_paper_crow_four_titles[] = {"forward Euler", "backward Euler", "trapezoidal",
                                                 "Runge-Kutta"};

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
            paper_end(
                s,
                &(paper_run){
                    .model = "harmonic", .method = gt_paper_crow_four[i], .h = steps[k], .t1 = 10},
                x);
            paper_value(s,
                        paper_text(s, "x1(10), h = %g, %s", steps[k], gt_paper_crow_four_titles[i]),
                        NULL, x[0], NULL);
        }
    paper_series run[4];
    double *e[4], exact_t[201], exact_x[201];
    cli_curve solutions[5], errors[4];
    for (int i = 0; i < 4; i++) {
        run[i] = paper_samples(
            s,
            &(paper_run){.model = "harmonic", .method = gt_paper_crow_four[i], .h = 0.1, .t1 = 10});
        e[i] = error_over_time(s, &run[i]);
        solutions[i + 1] = paper_over_time(&run[i], 0, gt_paper_crow_four_titles[i]);
        errors[i] = (cli_curve){
            .title = gt_paper_crow_four_titles[i], .x = run[i].t, .y = e[i], .count = run[i].count};
    }
    for (int k = 0; k <= 200; k++) exact_t[k] = k / 20.0, exact_x[k] = cos(exact_t[k]);
    solutions[0] = (cli_curve){
        .title = "exact", .x = exact_t, .y = exact_x, .count = 201, .style = CLI_BACKGROUND};
    paper_draw(
        s, "5.1", "Figure 5.1: numerical solutions for Example 5.1, h = 0.1",
        &(cli_panel){.x_label = "t [s]", .y_label = "x1", .curves = solutions, .n_curves = 5}, 1);
    paper_draw(
        s, "5.2", "Figure 5.2: error in the numerical solutions",
        &(cli_panel){.x_label = "t [s]", .y_label = "x1 - cos t", .curves = errors, .n_curves = 4},
        1);
    paper_draw(
        s, "5.3", "Figure 5.3: error of the trapezoidal and Runge-Kutta solutions",
        &(cli_panel){
            .x_label = "t [s]", .y_label = "x1 - cos t", .curves = errors + 2, .n_curves = 2},
        1);
    static const char signs[] = "equal in magnitude, opposite in sign";
    double ratio = e[0][run[0].count - 1] / -e[1][run[1].count - 1];
    paper_claim(s, "errors of forward and backward Euler", signs, fabs(ratio - 1) < 0.01,
                paper_text(s, "ratio %.3f at t = 10", ratio),
                "to first order in h only: the leading terms of the local errors are opposite, the "
                "next ones are not");
    paper_claim(s, "Runge-Kutta beside the trapezoidal rule", "the error is much smaller",
                largest(e[3], run[3].count) < 0.01 * largest(e[2], run[2].count),
                paper_text(s, "largest error %.2g against %.2g", largest(e[3], run[3].count),
                           largest(e[2], run[2].count)),
                NULL);
}

/* ---- Examples 5.2-5.4: coefficients ---- */

gt_multistep gt_paper_crow_formula(paper_sheet *s, const char *method)
{
    gt_multistep formula = {0};
    const gt_method *m = gt_method_find(method);
    gt_values options = gt_params_default(m->options);
    (void)!gt_method_formula(m, options.v, &formula, &s->failure);
    return formula;
}

static void coefficient(paper_sheet *s, const char *quantity, const char *printed,
                        gt_ratio computed)
{
    char text[64];
    gt_ratio right = {0, 1};
    gt_ratio_print(computed, text, sizeof text);
    bool same =
        gt_ratio_read(printed, &right) && right.num == computed.num && right.den == computed.den;
    paper_claim(s, quantity, printed, same, text, NULL);
}

static void examples_5_2_to_5_4(paper_sheet *s)
{
    gt_multistep ab3 = gt_paper_crow_formula(s, "ab3"), am3 = gt_paper_crow_formula(s, "am3"),
                 gear3 = gt_paper_crow_formula(s, "gear3");
    static const char *const ab[] = {"23/12", "-16/12", "5/12"}, *const am[] = {"5/12", "8/12",
                                                                                "-1/12"};
    static const char *const gear[] = {"18/11", "-9/11", "2/11"};
    for (int i = 0; i < 3; i++)
        coefficient(s, paper_text(s, "Adams-Bashforth 3, b%d", i), ab[i], ab3.b[i + 1]);
    for (int i = 0; i < 3; i++)
        coefficient(s, paper_text(s, "Adams-Moulton 3, b%d", i - 1), am[i], am3.b[i]);
    for (int i = 0; i < 3; i++)
        coefficient(s, paper_text(s, "Gear 3, a%d", i), gear[i], gear3.a[i]);
    coefficient(s, "Gear 3, b-1", "6/11", gear3.b[0]);
}

/* ---- Example 5.5: local truncation errors ---- */

/* The error of one step on x' = -x from 1, over h^k x^(k) at the end of the step. */
static double error_ratio(paper_sheet *s, const char *method, double h, int k)
{
    double complex x[2];
    if (gt_amplifier_run(gt_method_find(method), NULL, -h, 2, x, &s->failure)) return NAN;
    return (exp(-h) - creal(x[1])) / (pow(-h, k) * exp(-h));
}

static void example_5_5(paper_sheet *s)
{
    static const char limit[] = "the printed constant is the limit for h to 0";
    const double h = 1e-3;
    paper_near(s, "forward Euler, h = 0.001: error / (h^2 x'')", "0.5",
               error_ratio(s, "euler", h, 2), h, limit);
    paper_near(s, "backward Euler, h = 0.001: error / (h^2 x'')", "-0.5",
               error_ratio(s, "beuler", h, 2), h, limit);
    paper_near(s, "trapezoidal, h = 0.001: error / (h^3 x''')", "-0.083333",
               error_ratio(s, "trapezoidal", h, 3), h * h, limit);
}

/* ---- Example 5.6: regions of absolute stability; the table of delta ---- */

static const char picture_only[] = "the chapter has the picture only";

static double largest_root(paper_sheet *s, const char *method, double z)
{
    gt_amplifier a;
    if (gt_amplifier_open(&a, gt_method_find(method), NULL, &s->failure)) return NAN;
    double size = gt_amplifier_largest(&a, z);
    gt_amplifier_close(&a);
    return size;
}

static void draw_region(paper_sheet *s, const char *name, const char *method, const char *caption)
{
    enum { ROOM = 4000 };
    gt_amplifier a;
    if (gt_amplifier_open(&a, gt_method_find(method), NULL, &s->failure)) return;
    double *points = paper_doubles(s, 2 * ROOM);
    size_t count = gt_stability_boundary(&a, 720, points, ROOM);
    gt_amplifier_close(&a);
    cli_curve curve = {.x = points, .y = points + 1, .count = count, .x_stride = 2, .stride = 2};
    paper_draw(s, name, caption,
               &(cli_panel){.x_label = "Re(h λ)",
                            .y_label = "Im(h λ)",
                            .equal = true,
                            .curves = &curve,
                            .n_curves = 1},
               1);
}

static void example_5_6(paper_sheet *s)
{
    draw_region(s, "5.5", "euler", "Figure 5.5: forward Euler is stable inside this curve");
    draw_region(s, "5.6", "beuler", "Figure 5.6: backward Euler is stable outside this curve");
    draw_region(s, "5.7", "gear3",
                "Figure 5.7: Gear's method of order 3 is stable outside this curve");
    draw_region(s, "5.8", "am3",
                "Figure 5.8: Adams-Moulton of order 3 is stable inside this curve");
    draw_region(s, "5.9", "ab3",
                "Figure 5.9: Adams-Bashforth of order 3 is stable inside this curve");
    gt_stability gear3 = gt_paper_facts(s, "gear3", NULL);
    paper_value(s, "forward Euler: limit on the negative real axis", "-2",
                -gt_paper_facts(s, "euler", NULL).real_limit, NULL);
    paper_value(s, "Adams-Bashforth 3: limit on the negative real axis", NULL,
                -gt_paper_facts(s, "ab3", NULL).real_limit, picture_only);
    paper_value(s, "Adams-Moulton 3: limit on the negative real axis", NULL,
                -gt_paper_facts(s, "am3", NULL).real_limit, picture_only);
    paper_value(s, "Gear 3: half angle of the stable sector, degrees", NULL, gear3.sector_deg,
                picture_only);
    paper_value(s, "Gear 3: unstable on the imaginary axis up to h omega", NULL,
                gear3.n_gaps ? gear3.gaps[0][1] : 0, picture_only);
    double inside = largest_root(s, "ab3", -0.5);
    paper_erratum_text(
        s, "(5.99), (5.100)", "h lambda = -Pa(z)/Pb(z)", "h lambda = Pa(z)/Pb(z)", inside < 1,
        paper_text(
            s,
            "with the printed sign the regions lie in the right half plane; Adams-Bashforth 3 at "
            "h lambda = -0.5 has the largest root %.4f",
            inside));
}

static void delta_table(paper_sheet *s)
{
    static const char *const printed[] = {"0", "0", "0.1", "0.7", "2.4", "6.1"};
    static const char *const names[] = {"gear1", "gear2", "gear3", "gear4", "gear5", "gear6"};
    for (int k = 0; k < 6; k++)
        paper_value(s, paper_text(s, "|delta| of Gear %d", k + 1), printed[k],
                    fabs(gt_paper_facts(s, names[k], NULL).delta),
                    "the table is rounded upwards, to the safe side");
    paper_erratum_text(
        s, "sign of delta", "positive", "the table has |delta|",
        gt_paper_facts(s, "gear4", NULL).delta < 0,
        "Region I is Re(h lambda) <= delta with delta <= 0, as the text before the table says");
}

/* ---- Example 5.7 ---- */

static void example_5_7(paper_sheet *s)
{
    static const struct {
        const char *method, *name, *caption;
        double h;
        bool stable;
    } runs[] = {
        {"ab3", "5.12", "Figure 5.12: Adams-Bashforth of order 3, h = 0.0111 s", 0.0111, false},
        {"am3", "5.13", "Figure 5.13: Adams-Moulton of order 3, h = 0.15 s", 0.15, false},
        {"gear3", "5.14", "Figure 5.14: Gear's method of order 3, h = 0.15 s", 0.15, true}};
    double t[401], exact[2][401];
    for (int k = 0; k <= 400; k++) {
        t[k] = k / 200.0;
        exact[0][k] = 2 * exp(-t[k]) - exp(-50 * t[k]);
        exact[1][k] = -exp(-t[k]) + exp(-50 * t[k]);
    }
    cli_curve both[] = {{.title = "x1", .x = t, .y = exact[0], .count = 401},
                        {.title = "x2", .x = t, .y = exact[1], .count = 401}};
    paper_draw(s, "5.11", "Figure 5.11: exact solution of Example 5.7",
               &(cli_panel){.x_label = "t [s]", .y_label = "x", .curves = both, .n_curves = 2}, 1);
    for (int i = 0; i < 3; i++) {
        const char *method = runs[i].method;
        paper_series run = paper_samples(
            s, &(paper_run){.model = "stiff2", .method = method, .h = runs[i].h, .t1 = 2});
        cli_curve curves[] = {
            {.x = t, .y = exact[0], .count = 401, .style = CLI_BACKGROUND, .title = "exact"},
            {.x = t, .y = exact[1], .count = 401, .style = CLI_BACKGROUND},
            paper_over_time(&run, 0, "x1"),
            paper_over_time(&run, 1, "x2")};
        paper_draw(
            s, runs[i].name, runs[i].caption,
            &(cli_panel){.x_label = "t [s]", .y_label = "x", .curves = curves, .n_curves = 4}, 1);
        double size = largest_root(s, method, -50 * runs[i].h);
        paper_value(s, paper_text(s, "%s, h = %g: root of the fast mode", method, runs[i].h), NULL,
                    size, picture_only);
        paper_claim(s, paper_text(s, "%s, h = %g", method, runs[i].h),
                    runs[i].stable ? "stable" : "unstable", (size < 1) == runs[i].stable,
                    size < 1 ? "stable" : "unstable", NULL);
    }
    paper_value(s, "largest stable step of Adams-Bashforth 3", NULL,
                gt_paper_facts(s, "ab3", NULL).real_limit / 50, picture_only);
    paper_value(s, "largest stable step of Adams-Moulton 3", NULL,
                gt_paper_facts(s, "am3", NULL).real_limit / 50, picture_only);
}

/* ---- Example 5.9 ---- */

static void eigenvalues_5_9(paper_sheet *s)
{
    gt_linearization linear;
    gt_problem p = paper_problem(s, "stiff3c", NULL);
    if (!p.rhs || gt_linearize(&p, 0, p.x0, &linear, &s->arena, &s->failure)) return;
    paper_value(s, "real eigenvalue", "-0.9788", linear.modes[0].re, NULL);
    paper_value(s, "complex eigenvalues, real part", "-42.5106", linear.modes[1].re, NULL);
    paper_value(s, "complex eigenvalues, imaginary part", "67.0420", linear.modes[1].im, NULL);
}

/* (5.124): |error| of the trapezoidal rule from divided differences at constant step, largest
 * component. */
static double *lte_of(paper_sheet *s, const paper_series *run)
{
    double *e = paper_doubles(s, run->count);
    for (size_t k = 0; k < run->count; k++) {
        e[k] = NAN;
        for (size_t i = 0; k >= 3 && i < run->n; i++) {
            const double *x = run->x + i;
            size_t n = run->n;
            double third = x[k * n] - 3 * x[(k - 1) * n] + 3 * x[(k - 2) * n] - x[(k - 3) * n];
            e[k] = fmax(isnan(e[k]) ? 0 : e[k], fabs(third) / 12);
        }
    }
    return e;
}

static void example_5_9(paper_sheet *s)
{
    static const char *const names[] = {"x1", "x2", "x3"};
    static const double at[] = {0.05, 0.1, 0.5, 1, 2, 5, 10};
    eigenvalues_5_9(s);
    paper_series fixed = paper_samples(
        s, &(paper_run){.model = "stiff3c", .method = "trapezoidal", .h = 0.01, .t1 = 10});
    for (int k = 0; k < 7; k++) {
        size_t i = (size_t)lround(at[k] / 0.01);
        if (i < fixed.count)
            paper_value(s, paper_text(s, "x1(%g), h = 0.01", at[k]), NULL, fixed.x[i * fixed.n],
                        picture_only);
    }
    cli_curve states[3];
    for (size_t i = 0; i < 3; i++) states[i] = paper_over_time(&fixed, i, names[i]);
    cli_curve error = {.x = fixed.t, .y = lte_of(s, &fixed), .count = fixed.count};
    paper_draw(s, "5.15", "Figure 5.15: Example 5.9 with constant step, h = 0.01 s",
               &(cli_panel){.x_label = "t [s]", .y_label = "x", .curves = states, .n_curves = 3},
               1);
    paper_draw(
        s, "5.16", "Figure 5.16: local truncation error with constant step",
        &(cli_panel){
            .x_label = "t [s]", .y_label = "LTE", .log_y = true, .curves = &error, .n_curves = 1},
        1);
    static const char *const rules[][2] = {{"bounds", "item 4 read as eps < B_L"},
                                           {"bounds_literal", "item 4 as printed"},
                                           {"bounds_repeat", "the \"commercial\" rule"}};
    double steps[3] = {0};
    for (int k = 0; k < 3; k++) {
        paper_series run = paper_samples(s, &(paper_run){.model = "stiff3c",
                                                         .method = "trapezoidal",
                                                         .opt = "start=unchecked",
                                                         .control = rules[k][0],
                                                         .h0 = 0.01,
                                                         .rtol = 1e-9,
                                                         .atol = 1e-12,
                                                         .until = 10});
        if (!run.count) return;
        steps[k] = (double)run.count - 1;
        paper_value(s, paper_text(s, "accepted steps to t = 10, %s", rules[k][1]), NULL, steps[k],
                    picture_only);
        paper_value(s, paper_text(s, "rejected steps, %s", rules[k][1]), NULL,
                    (double)run.report.stats.rejected, picture_only);
        if (k) continue;
        paper_value(s, "first controlled step", NULL, run.h[3], picture_only);
        cli_curve varied[3], h = {.x = run.t + 1, .y = run.h + 1, .count = run.count - 1},
                             lte = {.x = run.t + 3, .y = run.error + 3, .count = run.count - 3};
        for (size_t i = 0; i < 3; i++) varied[i] = paper_over_time(&run, i, names[i]);
        paper_draw(
            s, "5.17", "Figure 5.17: step sizes by the step size selection",
            &(cli_panel){.x_label = "t [s]", .y_label = "h [s]", .curves = &h, .n_curves = 1}, 1);
        paper_draw(
            s, "5.18", "Figure 5.18: local truncation error with variable step",
            &(cli_panel){
                .x_label = "t [s]", .y_label = "LTE", .log_y = true, .curves = &lte, .n_curves = 1},
            1);
        paper_draw(
            s, "5.19", "Figure 5.19: Example 5.9 with variable step sizes",
            &(cli_panel){.x_label = "t [s]", .y_label = "x", .curves = varied, .n_curves = 3}, 1);
    }
    paper_erratum_text(
        s, "step selection, item 4", "if eps <= B_U", "if eps < B_L", steps[0] != steps[1],
        paper_text(
            s,
            "as printed, item 4 takes in what item 2 has accepted with h unchanged: %.0f steps "
            "instead of %.0f",
            steps[1], steps[0]));
}

static const paper_part parts[] = {
    {"Example 5.1", "the harmonic oscillator by four methods, Figures 5.1-5.3", example_5_1},
    {"Examples 5.2-5.4", "third-order Adams and Gear formulas", examples_5_2_to_5_4},
    {"Example 5.5", "local truncation errors", example_5_5},
    {"Example 5.6", "regions of absolute stability, Figures 5.5-5.9", example_5_6},
    {"Table of delta", "stiff stability of Gear's methods, section 5.5", delta_table},
    {"Example 5.7", "a stiff system by three methods, Figures 5.11-5.14", example_5_7},
    {"Example 5.9", "step size selection, Figures 5.15-5.19", example_5_9},
    {"Power flow", "load flow of the nine-bus system, section 5.8", gt_paper_crow_flow},
    {"Example 5.10", "transient stability of the nine-bus system, Figures 5.23 and 5.24",
     gt_paper_crow_example_5_10},
    {"Clearing times", "how late the fault of Example 5.10 may be cleared", gt_paper_crow_clearing},
    {"Midterm model", "the structure-preserving model (5.161)-(5.173)", gt_paper_crow_midterm},
    {"Problem 1", "a Taylor series and its radius", gt_paper_crow_problem_1},
    {"Problems 2 and 4", "four methods at fixed steps", gt_paper_crow_problems_2_and_4},
    {"Problem 3", "a four-step formula", gt_paper_crow_problem_3},
    {"Problems 5-7", "predator and prey, Duffing, Lorenz", gt_paper_crow_problems_5_to_7},
    {"Problem 8", "a stiff system", gt_paper_crow_problem_8},
    {"Problem 9", "a two-sided formula of order 6", gt_paper_crow_problem_9},
    {"Problem 10", "three machines, cleared after four cycles", gt_paper_crow_problem_10},
    {"Problem 11", "double pendulum", gt_paper_crow_problem_11},
    {"Formulas", "formulas that are misprinted", gt_paper_crow_formulas},
    {0},
};

const paper gt_paper_crow = {
    .name = "crow",
    .title = "Crow: numerical integration for power systems",
    .citation =
        "M. L. Crow, Computational Methods for Electric Power Systems, chapter 5, CRC Press.",
    .parts = parts};

/* SPDX-License-Identifier: BSD-3-Clause */
/* shi: Table I, Figures 2 and 3, the conditions on the number of small steps, and the remarks. */
#include "paper_parts.h"
#include <complex.h>
#include <geartrain/analysis/stability.h>
#include <math.h>
#include <stdlib.h>

static const char no_number[] = "the paper prints no number";

/* (23) in closed form: y, k, z = -k y; the full solution differs by O(eps). */
static void reduced_solution(double t, double *y, double *k, double *z)
{
    double r = sqrt(2), angle = r * t + atanh(1 / r);
    *y = r / cosh(angle), *k = r * tanh(angle) - 1, *z = -*k * *y;
}

static double squared_error(double t, const double *x)
{
    double y, k, z;
    reduced_solution(t, &y, &k, &z);
    return (x[0] - y) * (x[0] - y) + (x[2] - z) * (x[2] - z);
}

/* Mean over t = 0 .. 5 of e_y^2 + e_z^2 along the straight lines between the points of smfe, and
 * its evaluations. */
static double mean_squared_error(paper_sheet *s, double h, int inner, double *x_end,
                                 long *evaluations)
{
    enum { PARTS = 40 };
    gt_problem p = paper_problem(s, "adaptive", NULL);
    gt_stepper stepper;
    size_t bytes;
    const char *options = paper_text(s, "eps=1e-6, inner=%d", inner);
    const gt_method *m = gt_method_find("smfe");
    if (!p.rhs || gt_stepper_measure(m, options, &p, &bytes, &s->failure)) return NAN;
    void *memory = malloc(bytes);
    if (!memory || gt_stepper_init(&stepper, m, options, &p, memory, bytes)) {
        free(memory);
        return NAN;
    }
    double sum = 0, small = 1e-6 * inner, x[3];
    gt_stepper_start(&stepper, p.t0, p.x0);
    for (int n = 0, steps = (int)lround(5 / h); n < steps; n++) {
        if (gt_stepper_try(&stepper, h, false)) break;
        for (int i = 0; i <= PARTS; i++) { /* Simpson's rule, from the end of the small steps on */
            double theta = small + (1 - small) * i / PARTS;
            double weight = i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2;
            if (gt_stepper_interpolate(&stepper, theta, x)) break;
            sum += h * (1 - small) * weight / (3 * PARTS) * squared_error(stepper.t + theta * h, x);
        }
        gt_stepper_accept(&stepper);
    }
    for (int i = 0; i < 3; i++) x_end[i] = stepper.x[i];
    *evaluations = stepper.stats.rhs;
    gt_stepper_free(&stepper);
    free(memory);
    return sum / 5;
}

static void table_1(paper_sheet *s)
{
    static const struct {
        double h;
        int inner;
        const char *iterations, *mse;
        double rounded; /* to how much the printed number of iterations is rounded */
    } columns[] = {{0.2, 70, "1780", "8.29e-4", 5.01},    {0.2, 140, "3530", "8.26e-4", 5.01},
                   {0.2, 1120, "28000", "8.25e-4", 50.1}, {0.1, 140, "7050", "1.97e-4", 5.01},
                   {0.1, 1120, "56000", "1.96e-4", 50.1}, {0.01, 1120, "561000", "1.89e-6", 500.1}};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        double x[3], h = columns[c].h;
        long evaluations = 0;
        double mse = mean_squared_error(s, h, columns[c].inner, x, &evaluations);
        const char *name = paper_text(s, "SMFE(%g, %d)", h, columns[c].inner);
        paper_near(s, paper_text(s, "%s: iterations", name), columns[c].iterations,
                   (double)evaluations, columns[c].rounded, NULL);
        if (c < 2)
            paper_erratum(
                s, paper_text(s, "%s: mean squared error", name), columns[c].mse, mse,
                "the errors of SMFE(0.2, 70) and SMFE(0.2, 140) are interchanged in the table");
        else
            paper_near(s, paper_text(s, "%s: mean squared error", name), columns[c].mse, mse,
                       0.011 * mse, "depends on how the error is averaged");
        for (int i = 0; c == 0 && i < 3; i++)
            paper_value(s, paper_text(s, "%s: state %d at t = 5", name, i + 1), NULL, x[i],
                        no_number);
    }
    double x[3];
    gt_report euler = paper_end(
        s,
        &(paper_run){.model = "adaptive", .set = "eps=1e-6", .method = "euler", .h = 1e-6, .t1 = 5},
        x);
    paper_value(s, "forward Euler, h = 1e-6: iterations", "5000000", (double)euler.stats.rhs, NULL);
    static const double printed_start[] = {0, 0, 1};
    paper_end(s,
              &(paper_run){.model = "adaptive",
                           .method = "smfe",
                           .opt = "eps=1e-6, inner=70",
                           .h = 0.2,
                           .t1 = 5,
                           .x0 = printed_start},
              x);
    paper_erratum_text(
        s, "initial value", "[y, k, z] = [0, 0, 1]", "[1, 0, 0]", fabs(x[0]) < 1e-6,
        paper_text(
            s,
            "from the printed one y(5) = %.1e: y never leaves 1e-6, and no column of Table I can "
            "come out; from [1, 0, 0] they do",
            x[0]));
    gt_report stable = paper_try(
        s, &(paper_run){.model = "adaptive", .method = "euler", .h = 1.9e-6, .t1 = 0.0019}, x);
    paper_erratum_text(s, "steps that forward Euler needs", "at least 5,000,000",
                       "more than 2,500,000", !stable.status && fabs(x[2]) < 1,
                       "the stable steps reach up to 2 eps, (11); h = 1.9e-6 is stable");
}

static void figure_2(paper_sheet *s)
{
    paper_series exact = paper_samples(
        s,
        &(paper_run){.model = "adaptive", .method = "gear", .rtol = 1e-9, .t1 = 5, .every = 0.02});
    static const char *const names[] = {"SMFE(0.2, 70)", "SMFE(0.1, 140)", "SMFE(0.01, 1120)"};
    static const double h[] = {0.2, 0.1, 0.01};
    static const int inner[] = {70, 140, 1120};
    paper_series run[3];
    cli_curve y[4], z[4], e[3];
    y[0] = paper_over_time(&exact, 0, "solution"), z[0] = paper_over_time(&exact, 2, "solution");
    y[0].style = z[0].style = CLI_BACKGROUND;
    for (int i = 0; i < 3; i++) {
        run[i] = paper_samples(s, &(paper_run){.model = "adaptive",
                                               .method = "smfe",
                                               .opt = paper_text(s, "eps=1e-6, inner=%d", inner[i]),
                                               .h = h[i],
                                               .t1 = 5});
        y[i + 1] = paper_over_time(&run[i], 0, names[i]),
              z[i + 1] = paper_over_time(&run[i], 2, names[i]);
        double *error = paper_doubles(s, run[i].count);
        for (size_t k = 0; k < run[i].count; k++)
            error[k] = sqrt(squared_error(run[i].t[k], run[i].x + k * run[i].n));
        e[i] = (cli_curve){
            .title = names[i], .x = run[i].t + 1, .y = error + 1, .count = run[i].count - 1};
    }
    cli_panel panels[] = {
        {.x_label = "t", .y_label = "y", .curves = y, .n_curves = 4},
        {.x_label = "t", .y_label = "z", .curves = z, .n_curves = 4},
        {.x_label = "t", .y_label = "error of (y, z)", .log_y = true, .curves = e, .n_curves = 3}};
    paper_draw(s, NULL, "Figure 2: y and z, and the errors of smfe", panels, 3);
}

/* Points of smfe with those after its small steps in between. */
static paper_series with_small_steps(paper_sheet *s, double h, int inner)
{
    paper_series series = {.n = 3};
    double x[3] = {1, 0, 0}, f[3], eps = 1e-6;
    gt_problem p = paper_problem(s, "adaptive", NULL);
    size_t steps = (size_t)lround(5 / h);
    series.x = paper_doubles(s, 3 * (2 * steps + 1));
    series.t = paper_doubles(s, 2 * steps + 1);
    for (size_t n = 0; p.rhs && n <= 2 * steps; n++) {
        for (int i = 0; i < 3; i++) series.x[3 * n + (size_t)i] = x[i];
        series.t[n] = (double)n;
        series.count = n + 1;
        int many = n % 2 ? 1 : inner;
        double step = n % 2 ? h * (1 - inner * eps) : h * eps;
        for (int k = 0; k < many; k++) {
            if (p.rhs(0, x, f, p.ctx)) return series;
            for (int i = 0; i < 3; i++) x[i] += step * f[i];
        }
    }
    return series;
}

static void figure_3(paper_sheet *s)
{
    static const double h[] = {0.2, 0.1, 0.01};
    static const int inner[] = {70, 140, 1120};
    cli_panel panels[3];
    cli_curve curves[3][3];
    double off[3];
    for (int i = 0; i < 3; i++) {
        paper_series *all = gt_arena_take(&s->arena, 3, sizeof *all);
        if (!all) return;
        all[0] = paper_samples(
            s, &(paper_run){
                   .model = "adaptive", .method = "gear", .rtol = 1e-9, .t1 = 5, .every = 0.02});
        all[1] = with_small_steps(s, h[i], inner[i]);
        all[2] = paper_samples(
            s, &(paper_run){.model = "adaptive_reduced", .method = "euler", .h = h[i], .t1 = 5});
        curves[i][0] = paper_phase(&all[0], 0, 2, "solution of the full model");
        curves[i][0].style = CLI_BACKGROUND;
        curves[i][1] = paper_phase(&all[1], 0, 2, "smfe with its small steps");
        double *z = paper_doubles(s, all[2].count);
        for (size_t k = 0; k < all[2].count; k++)
            z[k] = -all[2].x[k * all[2].n + 1] * all[2].x[k * all[2].n];
        curves[i][2] = (cli_curve){.title = "forward Euler on the reduced model",
                                   .x = all[2].x,
                                   .x_stride = all[2].n,
                                   .y = z,
                                   .count = all[2].count,
                                   .style = CLI_POINTS};
        panels[i] = (cli_panel){.x_label = paper_text(s, "y, step %g", h[i]),
                                .y_label = "z",
                                .curves = curves[i],
                                .n_curves = 3};
        off[i] = 0;
        for (size_t k = 1; k < all[1].count;
             k += 2) { /* after the small steps: distance from z = -k y */
            const double *x = all[1].x + 3 * k;
            off[i] = fmax(off[i], fabs(x[2] + x[1] * x[0]));
        }
        paper_value(s,
                    paper_text(s, "SMFE(%g, %d): farthest from the manifold after the small steps",
                               h[i], inner[i]),
                    NULL, off[i], "(19): of the order of eps");
    }
    paper_draw(s, NULL,
               "Figure 3: z over y, full model, smfe, and forward Euler on the reduced model",
               panels, 3);
    paper_claim(s, "distance from the manifold after the small steps, (19)", "O(eps)",
                off[0] < 1e-5 && off[2] < 1e-5,
                paper_text(s, "at most %.1e for eps = 1e-6", fmax(off[0], off[2])), NULL);
}

static void conditions(paper_sheet *s)
{
    static const double h[] = {0.2, 0.1, 0.01};
    for (int i = 0; i < 3; i++) {
        long inner = 0;
        double bound = 0;
        if (gt_least_inner(1e-6, -h[i] / 1e-6, &inner, &bound, &s->failure)) return;
        paper_value(s, paper_text(s, "least N for step %g and eps = 1e-6 by (14)", h[i]), NULL,
                    (double)inner, no_number);
        paper_value(s, paper_text(s, "bound (17) for step %g and eps = 1e-6", h[i]), NULL, bound,
                    no_number);
    }
    double x[9], y[9];
    for (int k = 0; k < 7; k++) {
        long inner = 0;
        double bound, eps = pow(10, -3 - k);
        if (gt_least_inner(eps, -0.2 / eps, &inner, &bound, &s->failure)) return;
        x[k] = eps, y[k] = 25.0 * (double)(inner + 1);
    }
    cli_curve curve = {.x = x, .y = y, .count = 7, .style = CLI_LINE_POINTS};
    paper_draw(s, NULL, "Evaluations of smfe for t = 0 .. 5 at the least stable N, step 0.2",
               &(cli_panel){.x_label = "eps",
                            .y_label = "evaluations",
                            .log_x = true,
                            .curves = &curve,
                            .n_curves = 1},
               1);
    paper_claim(s, "evaluations over eps", "O(ln(1/eps))", (y[6] - y[3]) / (y[3] - y[0]) < 1.3,
                paper_text(s, "%.0f at 1e-3, %.0f at 1e-6, %.0f at 1e-9", y[0], y[3], y[6]), NULL);
    gt_amplifier a;
    if (gt_amplifier_open(&a, gt_method_find("smfe"), "eps=1e-6, inner=70", &s->failure)) return;
    double gap = gt_amplifier_largest(&a, -0.2 * 1e4);
    double complex damped = -1e6 + 3e6 * I;
    double one_plus = cabs(1 + 1e-7 * damped),
           limit = 2e6 / (creal(damped) * creal(damped) + cimag(damped) * cimag(damped));
    gt_amplifier_close(&a);
    paper_value(s, "SMFE(0.2, 70): |R| at lambda = -10^4", NULL, gap,
                "unstable for eigenvalues in the gap, which the paper does not say");
    paper_erratum_text(
        s, "(11) for complex eigenvalues", "Delta < -2 / lambda",
        "Delta < -2 Re(lambda) / |lambda|^2", fabs(limit - 2e-7) < 1e-12 && one_plus < 1,
        "|1 + Delta lambda| < 1 is the disc; for lambda = (-1 + 3i) 10^6 it ends at Delta = 2e-7");
    paper_erratum_text(
        s, "(15)", "slowest eigenvalue", "the fastest of the slow eigenvalues", true,
        "arg min of Re(lambda) is the most negative one, and it is that which (16) limits");
    paper_erratum_text(s, "(20)", "|1 + Delta (1 - N eps) lambda|",
                       "1 + Delta (1 - N eps) lambda, without modulus", true,
                       "a step of forward Euler keeps the sign of the factor");
    double inner_peak = -log(2.718281828e-3 / 1e-3) / log(1 - 2.718281828e-3),
           at_eps = -log(1.0) / log(1 - 1e-3);
    paper_erratum_text(
        s, "Remark 2", "the bound on N increases as Delta tends to eps",
        "it peaks at Delta = e eps and falls to 0 at Delta = eps", inner_peak > 300 && at_eps == 0,
        "derivative of (17) with lambda-tilde = -1; the same symbol is meant in Remark 3");
    double none[3];
    long count;
    double mse_70 = mean_squared_error(s, 0.2, 70, none, &count),
           mse_140 = mean_squared_error(s, 0.2, 140, none, &count);
    paper_erratum_text(s, "\"increasing N only slightly reduces the error\"", "reduces",
                       "not from 70 to 140, where it grows", mse_140 > mse_70,
                       paper_text(s, "mean squared error %.4e and %.4e", mse_70, mse_140));
}

/* How far z is from the manifold -k y while N small steps are made at the start of a step, (18) and
 * (19); and smfe beside forward Euler on the reduced model, (20) and (21). */
static void section_6(paper_sheet *s)
{
    enum { INNER = 100, SHOWN = 3, DECADES = 6 };
    static const int at_step[SHOWN] = {0, 1, 4};
    double h = 0.2, eps = 1e-6, x[3] = {1, 0, 0}, f[3], *eta[SHOWN],
           *count = paper_doubles(s, INNER + 1);
    gt_problem p = paper_problem(s, "adaptive", NULL);
    cli_curve curves[SHOWN + 1], gaps;
    if (!p.rhs) return;
    double *bound = paper_doubles(s, INNER + 1), first = NAN, floor = 0;
    for (int step = 0, shown = 0; step < 5; step++) {
        double *to = shown < SHOWN && step == at_step[shown]
                         ? (eta[shown] = paper_doubles(s, INNER + 1))
                         : NULL;
        for (int n = 0; n <= INNER; n++) {
            if (p.rhs(0, x, f, p.ctx)) return;
            count[n] = n;
            if (to) to[n] = fmax(fabs(x[2] + x[1] * x[0]), 1e-12);
            double small = n < INNER ? h * eps : h * (1 - INNER * eps);
            for (int i = 0; i < 3; i++) x[i] += small * f[i];
        }
        if (!to) continue;
        if (step == 1) first = to[0], floor = to[INNER];
        curves[++shown] = (cli_curve){.title = paper_text(s, "step %d", step + 1),
                                      .x = count,
                                      .y = to,
                                      .count = INNER + 1,
                                      .style = CLI_LINE};
    }
    for (int n = 0; n <= INNER; n++) bound[n] = first * pow(1 - h, n);
    curves[0] = (cli_curve){.title = "(1 - Δ)^n from step 2",
                            .x = count,
                            .y = bound,
                            .count = INNER + 1,
                            .style = CLI_BACKGROUND};
    double *sizes = paper_doubles(s, DECADES), *gap = paper_doubles(s, DECADES), y[3], r[2];
    paper_end(s, &(paper_run){.model = "adaptive_reduced", .method = "euler", .h = h, .t1 = 1}, r);
    for (int k = 0; k < DECADES; k++) {
        sizes[k] = pow(10, -3 - k);
        const char *set = paper_text(s, "eps=%g", sizes[k]),
                   *opt = paper_text(s, "eps=%g, inner=150", sizes[k]);
        paper_end(
            s,
            &(paper_run){
                .model = "adaptive", .set = set, .method = "smfe", .opt = opt, .h = h, .t1 = 1},
            y);
        gap[k] = hypot(y[0] - r[0], y[1] - r[1]);
    }
    gaps = (cli_curve){.x = sizes, .y = gap, .count = DECADES, .style = CLI_LINE_POINTS};
    cli_panel panels[] = {{.x_label = "small steps made",
                           .y_label = "|z + k y|",
                           .log_y = true,
                           .curves = curves,
                           .n_curves = SHOWN + 1},
                          {.x_label = "eps",
                           .y_label = "smfe less Euler, reduced",
                           .log_x = true,
                           .log_y = true,
                           .curves = &gaps,
                           .n_curves = 1}};
    paper_draw(s, NULL,
               "Return to the manifold in the small steps, and what is left of the difference to "
               "the reduced model",
               panels, 2);
    paper_claim(s, "(18): the distance shrinks by 1 - Delta in each small step",
                "|1 + Delta eps lambda|^N", fabs(eta[1][30] / (first * pow(1 - h, 30)) - 1) < 0.01,
                paper_text(s, "by %.3e in 30 small steps, (1 - Delta)^30 = %.3e",
                           eta[1][30] / first, pow(1 - h, 30)),
                NULL);
    paper_claim(
        s, "(19): and is O(eps) in the end", "eps eta / (Delta |lambda|)",
        floor < 5 * eps * first / h,
        paper_text(s, "%.1e in the second step, eps eta / Delta = %.1e", floor, eps * first / h),
        "measured from z = -k y, which the invariant manifold is eps H_1 away from");
    double order = log10(gap[1] / gap[4]) / 3;
    paper_claim(s, "(20): smfe is forward Euler on the reduced model up to O(eps)", "very close",
                fabs(order - 1) < 0.1,
                paper_text(s, "y and k at t = 1 differ by %.1e at eps = 1e-6, of order %.2f in eps",
                           gap[3], order),
                NULL);
}

/* Fast parts that are far from linear: x' = -x + z beside eps z' = -(z + z^3 - x - sin t), and with
 * e^z; and a lone one that follows cos t. */
static gt_status cubic_part(double t, const double *x, double *dx, void *ctx)
{
    dx[0] = -x[0] + x[1];
    dx[1] = -(x[1] + x[1] * x[1] * x[1] - x[0] - sin(t)) / *(const double *)ctx;
    return GT_OK;
}

static gt_status exponential_part(double t, const double *x, double *dx, void *ctx)
{
    dx[0] = -x[0] + x[1];
    dx[1] = -(exp(x[1]) - 2 - x[0] - sin(t)) / *(const double *)ctx;
    return GT_OK;
}

static gt_status lone_cubic(double t, const double *x, double *dx, void *ctx)
{
    double c = cos(t);
    dx[0] = -(x[0] * x[0] * x[0] + x[0] - c * c * c - c) / *(const double *)ctx - sin(t);
    return GT_OK;
}

/* The largest of 1, 2, 5, 10 .. below x, and the smallest above: bounds in which the counts of all
 * processors lie, and of the next version. */
static double round_below(double x)
{
    double unit = pow(10, floor(log10(x)));
    return unit * (x > 5 * unit ? 5 : x > 2 * unit ? 2 : 1);
}
static double round_above(double x)
{
    double below = round_below(x);
    return round_below(2.6 * below);
}

/* "Since SMES is based on explicit schemes, it is better suited for systems with strong
 * nonlinearity": the automatic scheme beside backward differences, whose calls include those for
 * differences in place of a Jacobian. */
static void section_1(paper_sheet *s)
{
    static const struct {
        const char *name;
        gt_status (*rhs)(double, const double *, double *, void *);
        size_t n;
        double eps;
    } rows[] = {{"cubic fast part, eps = 1e-4", cubic_part, 2, 1e-4},
                {"exponential fast part, eps = 1e-5", exponential_part, 2, 1e-5},
                {"cubic part alone, eps = 1e-5", lone_cubic, 1, 1e-5}};
    static const char *const methods[] = {"smes", "gear"};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double x0[] = {1, 0}, eps = rows[k].eps, x[2], right[2], calls[2], error[2] = {0};
        gt_problem p = {.n_slow = rows[k].n, .rhs = rows[k].rhs, .x0 = x0, .t1 = 5, .ctx = &eps};
        gt_report report;
        if (gt_solve(&p, gt_method_find("radau"),
                     &(gt_plan){.rtol = 1e-11, .atol = 1e-13, .x_end = right}, &report))
            return;
        for (int m = 0; m < 2; m++) {
            gt_plan plan = {.rtol = 1e-6, .atol = 1e-6, .x_end = x};
            if (gt_solve(&p, gt_method_find(methods[m]), &plan, &report)) return;
            calls[m] = (double)report.stats.rhs;
            for (size_t i = 0; i < rows[k].n; i++) error[m] = fmax(error[m], fabs(x[i] - right[i]));
            paper_value(s, paper_text(s, "%s: calls of f by %s", rows[k].name, methods[m]), NULL,
                        calls[m], no_number);
        }
        paper_erratum_text(s, paper_text(s, "strong nonlinearity: %s", rows[k].name),
                           "explicit small steps are better suited",
                           "backward differences take less than half of the calls",
                           2 * calls[1] < calls[0] && error[1] < 2e-5,
                           paper_text(s,
                                      "at rtol 1e-6 smes takes more than %g calls of f, gear fewer "
                                      "than %g",
                                      round_below(calls[0]), round_above(calls[1])));
    }
}

static const paper_part parts[] = {
    {"Section I", "whether explicit small steps are better suited for strong nonlinearity",
     section_1},
    {"Table I", "iterations and mean squared errors", table_1},
    {"Figure 2", "trajectories and errors", figure_2},
    {"Figure 3", "in the y-z plane, and the return to the manifold, section VI", figure_3},
    {"Section V", "how many small steps are needed", conditions},
    {"Section VI", "error analysis: the return to the manifold, and the reduced model", section_6},
    {0},
};

const paper gt_paper_shi = {.name = "shi",
                            .title = "Shi, Rojas: a stabilized multirate explicit scheme",
                            .citation = "Y. Shi, C. R. Rojas, Efficient Simulation of Singularly "
                                        "Perturbed Systems Using a Stabilized Multirate "
                                        "Explicit Scheme.",
                            .parts = parts};

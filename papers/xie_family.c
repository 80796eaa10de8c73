/* SPDX-License-Identifier: BSD-3-Clause */
/* xie, chapter 2: the Euler methods, the oscillator, the formulas of the family, their order and
 * L-stability. */
#include "xie.h"
#include <math.h>

/* ---- 2.1, 2.2: the two Euler methods ---- */

void gt_xie_euler_domains(paper_sheet *s)
{
    cli_curve forward = gt_xie_boundary(s, "euler", NULL, NULL);
    cli_curve backward = gt_xie_boundary(s, "beuler", NULL, NULL);
    paper_draw(s, "2.1", "Figure 2.1: forward Euler is stable inside this curve",
               &(cli_panel){.x_label = "Re(λh)",
                            .y_label = "Im(λh)",
                            .equal = true,
                            .curves = &forward,
                            .n_curves = 1},
               1);
    paper_draw(s, "2.2", "Figure 2.2: backward Euler is stable outside this curve",
               &(cli_panel){.x_label = "Re(λh)",
                            .y_label = "Im(λh)",
                            .equal = true,
                            .curves = &backward,
                            .n_curves = 1},
               1);
    gt_stability f = gt_paper_facts(s, "euler", NULL), b = gt_paper_facts(s, "beuler", NULL);
    paper_value(s, "(2.5): forward Euler is stable for -ah up to", "2", f.real_limit, NULL);
    paper_claim(s, "A-stable", "backward Euler is, forward Euler is not", b.a_stable && !f.a_stable,
                "so it is", NULL);
    paper_claim(s, "F-stable", "neither", !b.f_stable && !f.f_stable, "neither", NULL);
    paper_claim(s, "L-stable", "backward Euler is, forward Euler is not", b.l_stable && !f.l_stable,
                "so it is", NULL);
}

static gt_status decay(double t, const double *x, double *dx, void *ctx)
{
    (void)t;
    dx[0] = *(const double *)ctx * x[0];
    return GT_OK;
}

/* x' = a x from 1 to t = 2 with h = 0.05 and 0.5, over the exact solution. */
static void draw_decay(paper_sheet *s, const char *name, const char *caption, const char *method,
                       double a, double end[2])
{
    static const double x0 = 1, h[] = {0.05, 0.5};
    double *t, *exact;
    cli_curve curves[3] = {gt_xie_curve(s, "exact", 201, &t, &exact)};
    paper_series run[2];
    gt_problem p = {.name = "x' = a x", .n_slow = 1, .rhs = decay, .x0 = &x0, .t1 = 2, .ctx = &a};
    for (int k = 0; k <= 200; k++) t[k] = k / 100.0, exact[k] = exp(a * t[k]);
    curves[0].style = CLI_BACKGROUND;
    for (int i = 0; i < 2; i++) {
        run[i] = paper_samples(s, &(paper_run){.problem = &p, .method = method, .h = h[i]});
        curves[i + 1] = paper_over_time(&run[i], 0, i ? "h = 0.5" : "h = 0.05");
        curves[i + 1].style = CLI_LINE_POINTS;
        end[i] = run[i].count ? run[i].x[run[i].count - 1] : NAN;
    }
    paper_draw(s, name, caption,
               &(cli_panel){.x_label = "t", .y_label = "x", .curves = curves, .n_curves = 3}, 1);
}

void gt_xie_euler_runs(paper_sheet *s)
{
    double forward[2], backward[2];
    draw_decay(s, "2.3", "Figure 2.3: forward Euler on x' = -5 x", "euler", -5, forward);
    draw_decay(s, "2.4", "Figure 2.4: backward Euler on x' = -5 x", "beuler", -5, backward);
    paper_value(s, "forward Euler, h = 0.05: x(2)", NULL, forward[0], NULL);
    paper_value(s, "forward Euler, h = 0.5: x(2)", NULL, forward[1], NULL);
    paper_value(s, "backward Euler, h = 0.05: x(2)", NULL, backward[0], NULL);
    paper_value(s, "backward Euler, h = 0.5: x(2)", NULL, backward[1], NULL);
    paper_claim(s, "forward Euler, a = -5", "stable with h = 0.05, unstable with h = 0.5",
                fabs(forward[0]) < 1 && fabs(forward[1]) > 1,
                paper_text(s, "x(2) = %.3g and %.3g", forward[0], forward[1]), NULL);
    paper_missing(s, "(2.6), and what Figure 2.4 shows", "",
                  "the page between Figures 2.2 and 2.3 is missing in the copy at hand; the figure "
                  "here has the "
                  "numbers of Figure 2.3");
}

/* ---- 2.3, 2.4: the oscillator ---- */

/* Figure of x1 by two runs; the largest errors of x1, and the largest |x1|. */
static void draw_oscillator(paper_sheet *s, const char *name, const char *caption,
                            const paper_run runs[2], const char *const titles[2], double error[2],
                            double size[2])
{
    cli_curve curves[3];
    paper_series run[2];
    double *t, *exact;
    curves[0] = gt_xie_curve(s, "exact", 401, &t, &exact);
    curves[0].style = CLI_BACKGROUND;
    for (int k = 0; k <= 400; k++) t[k] = runs[0].t1 * k / 400, exact[k] = cos(10 * t[k]);
    for (int i = 0; i < 2; i++) {
        run[i] = paper_samples(s, &runs[i]);
        curves[i + 1] = paper_over_time(&run[i], 0, titles[i]);
        error[i] = size[i] = 0;
        for (size_t k = 0; k < run[i].count; k++) {
            error[i] = fmax(error[i], fabs(run[i].x[2 * k] - cos(10 * run[i].t[k])));
            size[i] = hypot(run[i].x[2 * k], run[i].x[2 * k + 1] / 10);
        }
    }
    paper_draw(s, name, caption,
               &(cli_panel){.x_label = "t", .y_label = "x1", .curves = curves, .n_curves = 3}, 1);
}

#define OSCILLATE(m, o, step)                                                                      \
    {                                                                                              \
        .model = "oscillator", .method = m, .opt = o, .h = step, .t1 = 3                           \
    }

void gt_xie_oscillator(paper_sheet *s)
{
    static const char *const ways[] = {"forward", "backward"}, *const names[] = {"F1, (2.8)",
                                                                                 "F4, (2.11)"};
    static const char *const euler[] = {"forward Euler", "backward Euler"};
    const paper_run fourth[] = {OSCILLATE("bi44", "alpha=1", 0.01),
                                OSCILLATE("bi44", "alpha=0", 0.01)};
    const paper_run first[] = {OSCILLATE("euler", NULL, 0.01), OSCILLATE("beuler", NULL, 0.01)};
    const paper_run bi[] = {OSCILLATE("bi11", NULL, 0.05), OSCILLATE("bi44", NULL, 0.05)};
    const paper_run fine[] = {OSCILLATE("bi11", NULL, 0.01), OSCILLATE("bi44", NULL, 0.01)};
    double error[2], size[2], error_1[2], size_1[2], error_bi[2], size_bi[2];
    draw_oscillator(s, "2.5", "Figure 2.5: forward and backward Euler on the oscillator, h = 0.01",
                    first, euler, error_1, size_1);
    draw_oscillator(s, "2.5-as-said",
                    "Figure 2.5 as its text has it: forward and backward F4, h = 0.01", fourth,
                    ways, error, size);
    for (int i = 0; i < 2; i++)
        paper_value(s, paper_text(s, "amplitude at t = 3, %s Euler, h = 0.01", ways[i]), NULL,
                    size_1[i], NULL);
    for (int i = 0; i < 2; i++)
        paper_value(s, paper_text(s, "amplitude at t = 3, %s F4, h = 0.01", ways[i]), NULL, size[i],
                    NULL);
    paper_erratum_text(
        s, "which F makes Figure 2.5", "F4", "F1, the two Euler methods",
        error[0] < 1e-4 && error[1] < 1e-4 && size_1[0] > 4 && size_1[1] < 0.25,
        paper_text(
            s,
            "by F4 with h = 0.01 the largest error up to t = 3 is %.1e, not \"unacceptable\"; by "
            "the Euler methods the amplitude is %.3g and %.3g",
            fmax(error[0], error[1]), size_1[0], size_1[1]));
    double limit = gt_paper_facts(s, "rk4", NULL).imag_limit;
    paper_erratum_text(
        s, "explicit algorithms on undamped oscillations", "all behave like forward Euler",
        "those of order 3 and 4 are stable for small h omega", fabs(limit - 2 * sqrt(2)) < 1e-6,
        paper_text(s, "the method of order 4 is stable up to h omega = %.4f", limit));
    draw_oscillator(s, "2.6", "Figure 2.6: backinterpolation on the oscillator, h = 0.05", bi,
                    names, error_bi, size_bi);
    paper_claim(s, "amplitude by F1 and F4, h = 0.05", "neither grows nor decays",
                fabs(size_bi[0] - 1) < 1e-12 && fabs(size_bi[1] - 1) < 1e-12,
                paper_text(s, "changes by %.0e and %.0e up to t = 3", fabs(size_bi[0] - 1),
                           fabs(size_bi[1] - 1)),
                NULL);
    for (int i = 0; i < 2; i++)
        paper_value(s, paper_text(s, "largest error of x1 up to t = 3, %s, h = 0.05", names[i]),
                    NULL, error_bi[i], "F1 keeps the amplitude, and loses the phase");
    draw_oscillator(s, "2.6-fine", "As Figure 2.6 with h = 0.01", fine, names, error_bi, size_bi);
    paper_claim(s, "h = 0.01", "the error of either is not visible",
                error_bi[0] < 0.03 && error_bi[1] < 0.03,
                paper_text(s, "largest errors %.1e and %.1e", error_bi[0], error_bi[1]), NULL);
}

/* ---- 2.4, 2.5: the formulas ---- */

typedef struct formula {
    const char *number, *method, *options;
    int num_degree, den_degree;
    double num[6], den[6]; /* as printed, before alpha */
    double alpha;          /* 0: there is none, and den has its signs changed only */
} formula;

#define SERIES                                                                                     \
    {                                                                                              \
        1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120                                                    \
    }
#define HALF_SERIES                                                                                \
    {                                                                                              \
        1, 1. / 2, 1. / 8, 1. / 48, 1. / 384                                                       \
    }
#define PADE_6                                                                                     \
    {                                                                                              \
        1, 1. / 2, 1. / 10, 1. / 120                                                               \
    }
#define PADE_8                                                                                     \
    {                                                                                              \
        1, 1. / 2, 3. / 28, 1. / 84, 1. / 1680                                                     \
    }

static const formula formulas[] = {
    {"(2.8)", "bi11", "", 1, 1, HALF_SERIES, HALF_SERIES, 0},
    {"(2.9)", "bi22", "", 2, 2, HALF_SERIES, HALF_SERIES, 0},
    {"(2.10)", "bi33", "", 3, 3, HALF_SERIES, HALF_SERIES, 0},
    {"(2.11)", "bi44", "", 4, 4, HALF_SERIES, HALF_SERIES, 0},
    {"(2.16)", "bipade2", "", 1, 1, {1, 1. / 2}, {1, 1. / 2}, 0},
    {"(2.17)", "bipade4", "", 2, 2, {1, 1. / 2, 1. / 12}, {1, 1. / 2, 1. / 12}, 0},
    {"(2.18)", "bipade6", "", 3, 3, PADE_6, PADE_6, 0},
    {"(2.19)", "bipade8", "", 4, 4, PADE_8, PADE_8, 0},
    {"(2.20)", "bi11", "alpha=0.4", 1, 1, SERIES, SERIES, 0.4},
    {"(2.21)", "bi22", "alpha=0.4", 2, 2, SERIES, SERIES, 0.4},
    {"(2.22)", "bi33", "alpha=0.4", 3, 3, {1, 1, 1. / 2, 1. / 6 + 1. / 48}, SERIES, 0.4},
    {"(2.23)", "bi44", "alpha=0.4", 4, 4, SERIES, SERIES, 0.4},
    {"(3.2)", "bi45", "alpha=0.4", 4, 5, SERIES, {1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 125}, 0.4},
    {"(3.3)",
     "bi55",
     "alpha=0.4",
     5,
     5,
     {1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 125},
     {1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 125},
     0.4},
};

static gt_rational as_printed(const formula *f)
{
    gt_rational R = {.num_degree = f->num_degree, .den_degree = f->den_degree};
    double forth = f->alpha > 0 ? f->alpha : 1, back = f->alpha > 0 ? 1 - f->alpha : 1;
    for (int k = 0; k <= 5; k++)
        R.num[k] = f->num[k] * pow(forth, k), R.den[k] = f->den[k] * pow(-back, k);
    return R;
}

static double distance(const gt_rational *a, const gt_rational *b)
{
    double most = a->num_degree != b->num_degree || a->den_degree != b->den_degree ? 1 : 0;
    for (int k = 0; k <= 5; k++)
        most = fmax(most, fmax(k <= a->num_degree ? fabs(a->num[k] - b->num[k]) : 0,
                               k <= a->den_degree ? fabs(a->den[k] - b->den[k]) : 0));
    return most;
}

static void check_formula(paper_sheet *s, const formula *f)
{
    gt_amplifier a;
    double right_constant, printed_constant;
    if (gt_amplifier_open(&a, gt_method_find(f->method), f->options, &s->failure)) return;
    gt_rational printed = as_printed(f), right = a.ratio;
    gt_amplifier_close(&a);
    int order = gt_xie_order(&right, &right_constant),
        printed_order = gt_xie_order(&printed, &printed_constant);
    const char *name = paper_text(s, "%s%s%s", f->number, *f->options ? ", " : "", f->options);
    bool same = distance(&printed, &right) < 1e-15;
    if (same)
        paper_claim(s, name, "the coefficients of F", true,
                    paper_text(s, "those of %s, order %d", f->method, order), NULL);
    else if (f->number[1] == '2')
        paper_erratum_text(
            s, name, "+ (A alpha h)^3/6 + (A alpha h)^3/48", "+ (A alpha h)^3/6",
            printed_order < order,
            paper_text(s, "as printed the order is %d, not %d", printed_order, order));
    else
        paper_erratum_text(
            s, name, "/125", "/120", f->num_degree == 4 || printed_order < order,
            f->num_degree == 4
                ? "5! = 120, as the program Fmat.m has it"
                : paper_text(s,
                             "5! = 120, as the program Fmat.m has it; as printed the "
                             "order is %d, not %d",
                             printed_order, order));
    paper_value(s, paper_text(s, "%s: constant of R - exp", name), NULL, right_constant,
                paper_text(s, "order %d", order));
}

/* One step on x' = A x from the j-th unit vector. */
typedef struct matrix {
    size_t n;
    double A[3][3], h;
} matrix;

static gt_status matrix_rhs(double t, const double *x, double *dx, void *ctx)
{
    const matrix *m = ctx;
    (void)t;
    for (size_t i = 0; i < m->n; i++) {
        dx[i] = 0;
        for (size_t j = 0; j < m->n; j++) dx[i] += m->A[i][j] * x[j];
    }
    return GT_OK;
}

static void step_column(paper_sheet *s, const formula *f, matrix *m, size_t j, double *x)
{
    double x0[3] = {0};
    x0[j] = 1;
    gt_problem p = {.name = "x' = A x",
                    .n_slow = m->n,
                    .rhs = matrix_rhs,
                    .linear = true,
                    .autonomous = true,
                    .x0 = x0,
                    .t1 = m->h,
                    .ctx = m};
    paper_end(s, &(paper_run){.problem = &p, .method = f->method, .opt = f->options, .h = m->h}, x);
}

void gt_xie_matrices(paper_sheet *s)
{
    matrix two = {2, {{0, 1}, {-1, -0.4}}, 0.7},
           three = {3, {{0, 1, 0}, {0, 0, 1}, {-125, -201.25, -102}}, 0.05};
    for (size_t k = 0; k < sizeof formulas / sizeof *formulas; k++) {
        const formula *f = &formulas[k];
        double x[3];
        check_formula(s, f);
        step_column(s, f, &two, 0, x);
        const char *name = paper_text(s, "%s%s%s", f->number, *f->options ? ", " : "", f->options);
        paper_value(s, paper_text(s, "%s: F11 for A = [0 1; -1 -0.4], h = 0.7", name), NULL, x[0],
                    "a step of it");
        paper_value(s, paper_text(s, "%s: F21 for A = [0 1; -1 -0.4], h = 0.7", name), NULL, x[1],
                    "a step of it");
        step_column(s, f, &three, 2, x);
        paper_value(s, paper_text(s, "%s: F33 for the stiff problem of 3.4, h = 0.05", name), NULL,
                    x[2], "a step of it");
    }
}

void gt_xie_orders(paper_sheet *s)
{
    static const char *const names[] = {"bi11", "bi22", "bi33", "bi44", "bi55"};
    static const char *const pade[] = {"bipade2", "bipade4", "bipade6", "bipade8"};
    int order[5];
    bool f_stable = true, double_order = true;
    for (int k = 0; k < 5; k++) order[k] = gt_paper_facts(s, names[k], "alpha=0.5").order;
    for (int k = 0; k < 4; k++) {
        gt_stability facts = gt_paper_facts(s, pade[k], NULL);
        f_stable = f_stable && facts.f_stable && gt_paper_facts(s, names[k], "alpha=0.5").f_stable;
        double_order = double_order && facts.order == 2 * k + 2;
    }
    paper_claim(s, "F1 of (2.8)", "the trapezoidal rule, order 2", order[0] == 2, "order 2", NULL);
    paper_claim(s, "F2 of (2.9)", "order 2", order[1] == 2, "order 2", NULL);
    paper_claim(s, "(2.8)-(2.11), (2.16)-(2.19)", "all are F-stable", f_stable, "all eight are",
                NULL);
    paper_claim(s, "(2.16)-(2.19)", "order 2, 4, 6, 8", double_order,
                "order 2, 4, 6, 8 on linear problems", NULL);
    paper_erratum_text(s, "order at alpha = 1/2 above that of the halves",
                       "for halves of order 1 only",
                       "for all halves of odd order: bi33 has order 4, bi55 order 6",
                       order[2] == 4 && order[3] == 4 && order[4] == 6,
                       "R(z) R(-z) = 1, so the order is even; the constants are above");
    double x[2], y[2], exact[2];
    paper_end(s, &(paper_run){.model = "lotka_volterra", .method = "bi55", .h = 0.001, .t1 = 1},
              exact);
    paper_end(s, &(paper_run){.model = "lotka_volterra", .method = "bipade8", .h = 0.01, .t1 = 1},
              x);
    paper_end(s, &(paper_run){.model = "lotka_volterra", .method = "bipade8", .h = 0.005, .t1 = 1},
              y);
    double measured = log2((x[0] - exact[0]) / (y[0] - exact[0]));
    paper_claim(
        s, "F8 of (2.19) on a nonlinear problem", "may have order 2 only", fabs(measured - 2) < 0.1,
        paper_text(
            s, "measured order %.2f on Lotka and Volterra's equations, linearised at every step",
            measured),
        NULL);
}

void gt_xie_l_stability(paper_sheet *s)
{
    static const char *const names[] = {"bi11", "bi22", "bi33", "bi44"};
    bool at_zero[4], elsewhere = false, a_stable[4][50];
    for (int k = 0; k < 4; k++) {
        at_zero[k] = gt_paper_facts(s, names[k], "alpha=0").l_stable;
        for (int i = 0; i < 50; i++) {
            gt_stability facts =
                gt_paper_facts(s, names[k], paper_text(s, "alpha=%g", (i + 1) / 100.0));
            a_stable[k][i] = facts.a_stable;
            elsewhere = elsewhere || facts.l_stable;
        }
    }
    paper_erratum_text(
        s, "L-stable for some alpha < 1/2", "F1, F2, F3, and F4 when alpha is small",
        "at alpha = 0 only, and F1 and F2 only",
        at_zero[0] && at_zero[1] && !at_zero[2] && !at_zero[3] && !elsewhere,
        "|R(infinity)| is (alpha/(1 - alpha))^s, not 0; F3 and F4 at alpha = 0 are not A-stable: "
        "the "
        "series cut after z^3 and z^4 is smaller than 1 on parts of the imaginary axis");
    bool window = true;
    for (int i = 0; i < 50; i++)
        window = window && a_stable[0][i] && a_stable[1][i] && a_stable[2][i] == (i == 49) &&
                 a_stable[3][i] == (i == 49);
    paper_erratum_text(s, "A-stable for", "alpha below 1/2",
                       "F1, F2: alpha in [0, 1/2]; F3, F4: alpha = 1/2 only", window,
                       "from the polynomials, for alpha = 0.01, 0.02, .., 0.5");
    paper_value(s, "F3 at alpha = 0.4: A(theta)-stable for theta, degrees", NULL,
                gt_paper_facts(s, "bi33", "alpha=0.4").sector_deg, NULL);
    paper_value(s, "F4 at alpha = 0.4: A(theta)-stable for theta, degrees", NULL,
                gt_paper_facts(s, "bi44", "alpha=0.4").sector_deg, NULL);
}

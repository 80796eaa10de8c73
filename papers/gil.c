/* SPDX-License-Identifier: BSD-3-Clause */
/* gil: stability and local errors on the test equation of two rates, Figures 1-5, the pendulum is
 * in gil_pendulum.c, what is misprinted in gil_formulas.c. */
#include "paper_parts.h"
#include <complex.h>
#include <geartrain/analysis/stability.h>
#include <geartrain/author/number.h>
#include <math.h>

static const char picture_only[] = "the paper has the picture only";

bool gt_paper_gil_matrix(paper_sheet *s, const char *options, double alpha, double beta,
                         double complex xi, double complex M[2][2])
{
    gt_test2 test;
    if (gt_test2_open(&test, gt_method_find("spm"), options, alpha, beta, &s->failure))
        return false;
    gt_status status = gt_test2_matrix(&test, xi, M);
    gt_test2_close(&test);
    return !status;
}

/* ---- Figures 1-3: regions of absolute stability ---- */

/* Along the ray at `degrees`: where the spectral radius first is above 1. */
static double first_exit(const gt_test2 *test, double degrees)
{
    double complex ray = cexp(I * GT_PI * degrees / 180);
    double inside = 0, outside = 0.05;
    while (outside < 6 && gt_test2_radius(test, outside * ray) <= 1 + 1e-13)
        inside = outside, outside += 0.05;
    for (int k = 0; k < 40; k++) {
        double middle = (inside + outside) / 2;
        *(gt_test2_radius(test, middle * ray) <= 1 + 1e-13 ? &inside : &outside) = middle;
    }
    return outside;
}

static cli_curve region(paper_sheet *s, double alpha, double beta, const char *title)
{
    enum { RAYS = 90 };
    gt_test2 test;
    cli_curve curve = {.title = title};
    double *x = paper_doubles(s, RAYS + 1), *y = paper_doubles(s, RAYS + 1);
    if (gt_test2_open(&test, gt_method_find("spm"), NULL, alpha, beta, &s->failure)) return curve;
    for (int k = 0; k <= RAYS;
         k++) { /* on the axis itself it is weakly unstable, which no picture shows */
        double degrees = 90.5 + 89.5 * k / RAYS, r = first_exit(&test, degrees);
        x[k] = r * cos(GT_PI * degrees / 180), y[k] = r * sin(GT_PI * degrees / 180);
    }
    gt_test2_close(&test);
    curve.x = x, curve.y = y, curve.count = RAYS + 1;
    return curve;
}

static void exits(paper_sheet *s, double alpha, double beta, double *at_180)
{
    static const double degrees[] = {120, 150, 180};
    gt_test2 test;
    *at_180 = NAN;
    if (gt_test2_open(&test, gt_method_find("spm"), NULL, alpha, beta, &s->failure)) return;
    for (int k = 0; k < 3; k++) {
        *at_180 = first_exit(&test, degrees[k]);
        paper_value(
            s, paper_text(s, "alpha = %g, beta = %g: |xi| at %g degrees", alpha, beta, degrees[k]),
            NULL, *at_180, picture_only);
    }
    gt_test2_close(&test);
}

static void figure_1(paper_sheet *s)
{
    enum { ROOM = 4000 };
    gt_amplifier a;
    gt_stability facts;
    if (gt_amplifier_open(&a, gt_method_find("rk4"), NULL, &s->failure)) return;
    double *points = paper_doubles(s, 2 * ROOM);
    size_t count = gt_stability_boundary(&a, 720, points, ROOM);
    if (!gt_stability_facts(&a, &facts)) {
        paper_value(s, "RK4: limit on the negative real axis", NULL, -facts.real_limit,
                    picture_only);
        paper_value(s, "RK4: limit on the imaginary axis", NULL, facts.imag_limit, "2 sqrt 2");
    }
    double worst = 0;
    for (int k = 1; k <= 20; k++) {
        double complex z = 0.2 * k * cexp(0.3 * k * I);
        worst = fmax(worst, cabs(gt_amplifier_principal(&a, z) -
                                 (1 + z + z * z / 2 + z * z * z / 6 + z * z * z * z / 24)));
    }
    gt_amplifier_close(&a);
    paper_claim(s, "(49), the stability function of RK4", "1 + xi + xi^2/2 + xi^3/6 + xi^4/24",
                worst < 1e-12, paper_text(s, "the same to %.0e", worst), NULL);
    cli_curve curve = {.x = points, .x_stride = 2, .y = points + 1, .stride = 2, .count = count};
    paper_draw(s, NULL, "Figure 1: region of absolute stability of RK4",
               &(cli_panel){.x_label = "Re ξ", .y_label = "Im ξ", .curves = &curve, .n_curves = 1},
               1);
}

static void figure_2(paper_sheet *s)
{
    static const double alphas[] = {10, 100, 1000};
    cli_curve curves[3];
    double at[3];
    for (int k = 0; k < 3; k++) {
        exits(s, alphas[k], 0.1, &at[k]);
        curves[k] = region(s, alphas[k], 0.1, paper_text(s, "α = %g", alphas[k]));
    }
    paper_draw(s, NULL, "Figure 2: upper half of the region of absolute stability, β = 0.1",
               &(cli_panel){.x_label = "Re ξ", .y_label = "Im ξ", .curves = curves, .n_curves = 3},
               1);
    paper_claim(s, "the region when alpha increases", "does not change much",
                fabs(at[2] / at[0] - 1) < 0.01,
                paper_text(s, "%.4f, %.4f, %.4f on the real axis for alpha = 10, 100, 1000", at[0],
                           at[1], at[2]),
                NULL);
    for (int b = 1; b <= 5; b += 2) {
        gt_test2 test;
        double most = 0, beta = 0.1 * b;
        if (gt_test2_open(&test, gt_method_find("spm"), NULL, 10, beta, &s->failure)) return;
        for (int k = 1; k < 5000; k++) most = fmax(most, gt_test2_radius(&test, 5e-4 * k * I) - 1);
        gt_test2_close(&test);
        paper_value(
            s,
            paper_text(s, "alpha = 10, beta = %g: largest rho(M) - 1 on the imaginary axis", beta),
            NULL, most,
            "for beta > 0 the axis is not in the region, as (58) defines it: a weak instability "
            "that no picture "
            "shows");
    }
}

static void figure_3(paper_sheet *s)
{
    static const double betas[] = {0, 0.1, 0.3, 0.5};
    cli_curve curves[4];
    double at[4];
    for (int k = 0; k < 4; k++) {
        exits(s, 100, betas[k], &at[k]);
        curves[k] = region(s, 100, betas[k], paper_text(s, "β = %g", betas[k]));
    }
    paper_draw(s, NULL, "Figure 3: upper half of the region of absolute stability, α = 100",
               &(cli_panel){.x_label = "Re ξ", .y_label = "Im ξ", .curves = curves, .n_curves = 4},
               1);
    gt_stability rk4 = {0};
    gt_amplifier a;
    if (gt_amplifier_open(&a, gt_method_find("rk4"), NULL, &s->failure)) return;
    (void)!gt_stability_facts(&a, &rk4);
    gt_amplifier_close(&a);
    paper_claim(
        s, "the region for beta = 0", "RK4's, in the left half plane",
        fabs(at[0] - rk4.real_limit) < 1e-9,
        paper_text(s, "ends at %.6f on the real axis, RK4's at %.6f", -at[0], -rk4.real_limit),
        NULL);
    paper_claim(s, "the region when beta increases", "changes slightly", at[3] / at[0] < 1.1,
                paper_text(s, "%.3f, %.3f, %.3f, %.3f on the real axis for beta = 0, 0.1, 0.3, 0.5",
                           at[0], at[1], at[2], at[3]),
                "it grows like 1/(1 - beta^2), by a third at beta = 0.5, since (1 - beta^2) "
                "lambda_s is what the explicit "
                "method sees, (53)");
    paper_missing(s, "values of alpha and beta in Figures 2-5", "in the legends",
                  "the text does not name them; 10, 100, 1000 and 0.1, 0.3, 0.5 are ours");
}

/* ---- Figures 4 and 5: local errors with lambda_s = -1 + i, x(0) = z(0) = 1 ---- */

enum { SIZES = 16 };
static const double sizes[SIZES] = {1e-5, 2e-5, 5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3,
                                    5e-3, 0.01, 0.02, 0.05, 0.1,  0.2,  0.5,  1};

/* e^(hA) of (60) from the eigenvalues. */
static void exact_matrix(double alpha, double beta, double complex xi, double complex E[2][2])
{
    double complex a = xi, b = beta * xi, c = alpha * beta * xi, d = alpha * xi, mean = (a + d) / 2;
    double complex root = csqrt((a - d) * (a - d) / 4 + b * c);
    double complex up = cexp(mean + root), down = cexp(mean - root), both = (up + down) / 2,
                   mix = (up - down) / (2 * root);
    E[0][0] = both + mix * (a - mean), E[0][1] = mix * b;
    E[1][0] = mix * c, E[1][1] = both + mix * (d - mean);
}

typedef struct errors {
    double alpha, beta;
    double x[SIZES], z[SIZES], rk4_x[SIZES];
} errors;

/* What RK4 lacks of e^(hA): the terms beyond h^4, summed as they are while they fall quickly, so
 * that nothing cancels.
 */
static double rk4_error(double alpha, double beta, double complex xi, double complex exact)
{
    double complex v[2] = {1, 1}, beyond = 0, rk4 = 1;
    for (int k = 1; k < 60; k++) {
        double complex next = (v[0] + beta * v[1]) * xi / k;
        v[1] = (beta * v[0] + v[1]) * alpha * xi / k, v[0] = next;
        *(k > 4 ? &beyond : &rk4) += v[0];
    }
    return cabs(alpha * xi) < 3 ? cabs(beyond) : cabs(rk4 - exact);
}

static void find_errors(paper_sheet *s, errors *e)
{
    for (int k = 0; k < SIZES; k++) {
        double complex M[2][2], E[2][2], xi = sizes[k] * (-1 + I);
        e->x[k] = e->z[k] = e->rk4_x[k] = NAN;
        if (!gt_paper_gil_matrix(s, NULL, e->alpha, e->beta, xi, M)) return;
        exact_matrix(e->alpha, e->beta, xi, E);
        e->x[k] = cabs(M[0][0] + M[0][1] - E[0][0] - E[0][1]);
        e->z[k] = cabs(M[1][0] + M[1][1] - E[1][0] - E[1][1]);
        e->rk4_x[k] = rk4_error(e->alpha, e->beta, xi, E[0][0] + E[0][1]);
    }
}

static double slope(const double *error, int from, int to)
{
    return log(error[to] / error[from]) / log(sizes[to] / sizes[from]);
}

static cli_curve error_curve(const double *error, const char *title, int colour, cli_style style)
{
    size_t first = 0;
    while (first < SIZES && !(error[first] > 1e-14)) first++; /* below the picture */
    return (cli_curve){.title = title,
                       .x = sizes + first,
                       .y = error + first,
                       .count = SIZES - first,
                       .colour = colour,
                       .style = style};
}

static void error_rows(paper_sheet *s, const errors *e)
{
    const char *name = paper_text(s, "alpha = %g, beta = %g", e->alpha, e->beta);
    for (int k = 6; k <= 12; k += 3) {
        paper_value(s, paper_text(s, "%s: l_x at h = %g", name, sizes[k]), NULL, e->x[k],
                    picture_only);
        paper_value(s, paper_text(s, "%s: l_z at h = %g", name, sizes[k]), NULL, e->z[k],
                    picture_only);
    }
    paper_near(s, paper_text(s, "%s: order, from the slope of l_x less 1 up to h = 1e-4", name),
               "1", slope(e->x, 0, 3) - 1, 0.02, NULL);
}

static void draw_errors(paper_sheet *s, errors *e, const char *caption,
                        const char *(*title)(paper_sheet *, const errors *))
{
    cli_curve x[6], z[3];
    for (int k = 0; k < 3; k++) {
        x[k] =
            error_curve(e[k].x, paper_text(s, "spm, %s", title(s, &e[k])), k + 1, CLI_LINE_POINTS);
        x[k + 3] =
            error_curve(e[k].rk4_x, paper_text(s, "RK4, %s", title(s, &e[k])), k + 4, CLI_LINE);
        z[k] =
            error_curve(e[k].z, paper_text(s, "spm, %s", title(s, &e[k])), k + 1, CLI_LINE_POINTS);
    }
    cli_panel panels[] = {{.x_label = "h",
                           .y_label = "local error in x",
                           .log_x = true,
                           .log_y = true,
                           .y_min = 1e-14,
                           .y_max = 10,
                           .curves = x,
                           .n_curves = 6},
                          {.x_label = "h",
                           .y_label = "local error in z",
                           .log_x = true,
                           .log_y = true,
                           .y_min = 1e-14,
                           .y_max = 10,
                           .curves = z,
                           .n_curves = 3}};
    paper_draw(s, NULL, caption, panels, 2);
}

static const char *by_alpha(paper_sheet *s, const errors *e)
{
    return paper_text(s, "α = %g", e->alpha);
}
static const char *by_beta(paper_sheet *s, const errors *e)
{
    return paper_text(s, "β = %g", e->beta);
}

static void figure_4(paper_sheet *s)
{
    errors *e = gt_arena_take(&s->arena, 3, sizeof *e);
    if (!e) return;
    for (int k = 0; k < 3; k++) {
        e[k].alpha = pow(10, k + 1), e[k].beta = 0.1;
        find_errors(s, &e[k]);
        error_rows(s, &e[k]);
    }
    draw_errors(s, e, "Figure 4: local error over the step for β = 0.1", by_alpha);
    paper_erratum_text(
        s, "\"the local error does not depend on the parameter alpha\"", "at any h",
        "only while h |lambda_f| << 1",
        e[0].x[12] > 40 * e[2].x[12] && fabs(e[0].x[0] / e[2].x[0] - 1) < 0.01,
        paper_text(
            s, "l_x at h = 1e-5 is %.3e and %.3e for alpha = 10 and 1000, at h = 0.1 %.2e and %.2e",
            e[0].x[0], e[2].x[0], e[0].x[12], e[2].x[12]));
    paper_near(s, "order of RK4, from the slope of its local error less 1, alpha = 10", "4",
               slope(e[0].rk4_x, 0, 6) - 1, 0.02, NULL);
    paper_claim(s, "local error of RK4", "highly dependent on alpha",
                e[2].rk4_x[6] > 1e4 * e[0].rk4_x[6],
                paper_text(s, "%.1e, %.1e, %.1e at h = 1e-3 for alpha = 10, 100, 1000",
                           e[0].rk4_x[6], e[1].rk4_x[6], e[2].rk4_x[6]),
                NULL);
    double beta = 0.1, xi2 = 2e-10, l_x = beta / 2 * (1 - beta * beta) * xi2 * (1 + beta);
    paper_value(
        s, "l_x / h^2 as h -> 0, alpha = 100, beta = 0.1", NULL, e[1].x[0] / 1e-10,
        paper_text(
            s,
            "(beta/2) (1 - beta^2) |xi^2 (beta x0 + z0)| / h^2 = %.6f; l_z is beta times as large",
            l_x / 1e-10));
}

static void figure_5(paper_sheet *s)
{
    static const double betas[] = {0.1, 0.3, 0.5};
    errors *e = gt_arena_take(&s->arena, 3, sizeof *e);
    if (!e) return;
    for (int k = 0; k < 3; k++) {
        e[k].alpha = 100, e[k].beta = betas[k];
        find_errors(s, &e[k]);
        if (k > 0) error_rows(s, &e[k]);
    }
    draw_errors(s, e, "Figure 5: local error over the step for α = 100", by_beta);
    paper_claim(s, "use of the method", "when the coupling is weak",
                e[0].x[6] < e[1].x[6] && e[1].x[6] < e[2].x[6],
                paper_text(s, "l_x = %.2e, %.2e, %.2e at h = 1e-3 for beta = 0.1, 0.3, 0.5",
                           e[0].x[6], e[1].x[6], e[2].x[6]),
                NULL);
}

static const paper_part parts[] = {
    {"Equations (4)-(15)", "the reduced model, the boundary layer and the slow manifold",
     gt_paper_gil_manifold},
    {"Figure 1", "region of absolute stability of RK4", figure_1},
    {"Figure 2", "regions of absolute stability for different alpha", figure_2},
    {"Figure 3", "regions of absolute stability for different beta", figure_3},
    {"Figure 4", "local error for different alpha", figure_4},
    {"Figure 5", "local error for different beta", figure_5},
    {"Figure 6", "the pendulum: data, eigenvalue, manifold", gt_paper_gil_figure_6},
    {"Figure 7", "the pendulum by spm, RK4 and Dormand and Prince's pair", gt_paper_gil_figure_7},
    {"Figure 8", "total energy of the pendulum", gt_paper_gil_figure_8},
    {"Formulas", "formulas that are misprinted", gt_paper_gil_formulas},
    {0},
};

const paper gt_paper_gil = {
    .name = "gil",
    .title = "Gil, Sanfelice, Nikravesh: a singular perturbation method",
    .citation = "G. Gil, R. G. Sanfelice, P. E. Nikravesh, Numerical Integration Scheme Using "
                "Singular Perturbation Method, ASME DETC2013-13330, 2013.",
    .parts = parts};

/* SPDX-License-Identifier: BSD-3-Clause */
/* gil: the pendulum, Figures 6-8. */
#include "paper_parts.h"
#include <complex.h>
#include <geartrain/analysis/stability.h>
#include <geartrain/author/number.h>
#include <math.h>
#include <string.h>

enum { FAST = 4, ALL = 10, THETA = 2, R2X = 6, R2Y = 7 };
static const char no_number[] = "the paper prints no number";
static const char start_is_ours[] =
    "at rest at 45 degrees, the particle 0.1 m beside its place of rest; the paper does not "
    "say where it starts";

double gt_paper_gil_energy(const gt_problem *p, double t, const double *x)
{
    double values[3];
    p->invariants(t, x, values, p->ctx);
    return values[0];
}

/* ---- Figure 6 ---- */

static void draw_configuration(paper_sheet *s)
{
    enum { COILS = 8, SPRING = 2 * COILS + 2 };
    double angle = GT_PI / 4, end[] = {sin(angle), -cos(angle)},
           particle[] = {end[0] + 0.35, end[1] - 0.05};
    double *v = paper_doubles(s, 2 * (2 + SPRING + 1 + 1)), *bar = v, *spring = v + 4,
           *rest = spring + 2 * SPRING;
    bar[2] = end[0], bar[3] = end[1];
    double along[] = {(particle[0] - end[0]) / (SPRING - 1), (particle[1] - end[1]) / (SPRING - 1)};
    for (int k = 0; k < SPRING; k++) {
        double side = k == 0 || k == SPRING - 1 ? 0 : k % 2 ? 0.04 : -0.04;
        spring[2 * k] = end[0] + k * along[0] + side * 0.14,
                   spring[2 * k + 1] = end[1] + k * along[1] + side;
    }
    rest[0] = particle[0], rest[1] = particle[1], rest[2] = 0, rest[3] = 0;
    cli_curve curves[] = {{.title = "bar: m1 = 100 kg, J1 = 100 kg m²",
                           .x = bar,
                           .y = bar + 1,
                           .count = 2,
                           .x_stride = 2,
                           .stride = 2,
                           .style = CLI_BACKGROUND},
                          {.title = "spring: k = 5 N/m",
                           .colour = 1,
                           .x = spring,
                           .y = spring + 1,
                           .count = SPRING,
                           .x_stride = 2,
                           .stride = 2},
                          {.title = "particle: m2 = 1e-5 kg",
                           .x = rest,
                           .y = rest + 1,
                           .count = 1,
                           .x_stride = 2,
                           .stride = 2,
                           .style = CLI_POINTS},
                          {.title = "joint",
                           .x = rest + 2,
                           .y = rest + 3,
                           .count = 1,
                           .x_stride = 2,
                           .stride = 2,
                           .style = CLI_POINTS}};
    paper_draw(s, NULL, "Figure 6: configuration of the pendulum",
               &(cli_panel){.x_label = "x [m]",
                            .y_label = "y [m]",
                            .y_min = -1,
                            .y_max = 0.2,
                            .curves = curves,
                            .n_curves = 4},
               1);
}

/* The acceleration of the particle at r1 + s + shift (m2/k) g. */
static double acceleration(const gt_problem *p, double shift)
{
    double x[ALL], f[FAST], g = -9.81, stretch = 1e-5 / 5 * g;
    memcpy(x, p->x0, sizeof x);
    x[R2X] = 2 * x[0], x[R2Y] = 2 * x[1] + shift * stretch; /* r1 = s */
    x[8] = x[9] = 0;
    (void)!p->rhs_fast(0, x, f, p->ctx);
    return f[3];
}

void gt_paper_gil_figure_6(paper_sheet *s)
{
    gt_problem p = paper_problem(s, "pendulum", NULL);
    double *values = paper_doubles(s, 2 * ALL), *J = paper_doubles(s, ALL * ALL), fastest = 0;
    gt_matrix at = {.n = ALL, .pattern = {.storage = GT_DENSE}, .values = J};
    if (!p.rhs || p.jac(0, p.x0, &at, p.ctx) || gt_eigen(ALL, J, values, NULL, NULL)) return;
    for (size_t k = 0; k < ALL; k++) fastest = fmax(fastest, fabs(values[2 * k + 1]));
    draw_configuration(s);
    paper_missing(s, "initial values", "not printed",
                  "the runs start at rest at 45 degrees, the particle at its place of rest or 0.1 "
                  "m beside it");
    paper_erratum(s, "eigenvalue of the fast variable, imaginary part", "5e5", fastest,
                  "+- i sqrt(k/m2), not (k/m2) i; from the Jacobian of (63)");
    paper_erratum(s, "h lambda_f at h = 0.005, imaginary part", "2.5e3", 0.005 * fastest,
                  "the same; it is outside the region of RK4 all the same, which ends at 2.83 i");
    gt_amplifier rk4;
    if (!gt_amplifier_open(&rk4, gt_method_find("rk4"), NULL, &s->failure)) {
        paper_value(s, "|R| of RK4 for the particle at h = 0.005", NULL,
                    gt_amplifier_largest(&rk4, 0.005 * fastest * I),
                    "its swing grows by this in every step");
        gt_amplifier_close(&rk4);
    }
    paper_value(s, "largest step of RK4 for the particle", NULL, 2 * sqrt(2) / fastest, no_number);
    double up = acceleration(&p, -1), down = acceleration(&p, 1);
    paper_erratum_text(s, "(66)", "{ -(k/m2) (r2 - (r1 + s)) - g }",
                       "{ v2, -(k/m2) (r2 - (r1 + s)) + g }", fabs(down) < 1e-8,
                       "z has four components, and f_2 = m2 g - f_s in (63b)");
    paper_erratum_text(
        s, "(67)", "r1 + s - (m2/k) g", "r1 + s + (m2/k) g", fabs(down) < 1e-8 && fabs(up) > 19,
        paper_text(
            s,
            "there the particle is at rest, at the printed place its acceleration is %.2f m/s^2: "
            "the spring must hold it up",
            up));
    double E0 = gt_paper_gil_energy(&p, 0, p.x0);
    paper_value(s, "E at the start by (68), J", NULL, E0, start_is_ours);
}

/* ---- Figures 7 and 8 ---- */

static double blow_up(paper_sheet *s, const char *set, double h)
{
    paper_run run = {.model = "pendulum", .set = set, .method = "rk4", .h = h, .t1 = 0.5};
    gt_problem p = paper_problem(s, "pendulum", set);
    double x[ALL];
    for (int n = 1; n <= 100 && p.rhs; n++) {
        run.t1 = n * h;
        gt_report report = paper_try(s, &run, x);
        for (size_t i = 0; i < ALL; i++)
            if (report.status || !(fabs(x[i]) < 1e6)) return run.t1;
    }
    return INFINITY;
}

static paper_run by_spm(double h)
{
    return (paper_run){.model = "pendulum", .method = "spm", .h = h, .t1 = 10};
}
static paper_run by_pair(void)
{
    return (paper_run){
        .model = "pendulum", .method = "dopri5", .rtol = 1e-3, .atol = 1e-6, .t1 = 10};
}

static void rows_of_steps(paper_sheet *s)
{
    static const double steps[] = {0.005, 0.01, 0.02, 0.05, 0.1};
    double x[ALL], reference[ALL];
    paper_end(s,
              &(paper_run){
                  .model = "pendulum", .method = "dopri5", .rtol = 1e-12, .atol = 1e-14, .t1 = 5},
              reference);
    paper_value(s, "theta(5), a tight run", NULL, reference[THETA], start_is_ours);
    for (size_t k = 0; k < 5; k++) {
        paper_run run = by_spm(steps[k]);
        run.t1 = 5;
        paper_end(s, &run, x);
        paper_value(s, paper_text(s, "theta(5), spm, h = %g", steps[k]), NULL, x[THETA],
                    paper_text(s, "error %.1e; h omega = %.3g", fabs(x[THETA] - reference[THETA]),
                               steps[k] * 707.107));
    }
}

void gt_paper_gil_figure_7(paper_sheet *s)
{
    paper_run spm_run = by_spm(0.005), pair_run = by_pair(), rk4_run = by_spm(0.005);
    paper_series spm = paper_samples(s, &spm_run);
    paper_series pair = paper_samples(s, &pair_run);
    rk4_run.method = "rk4", rk4_run.t1 = 0.1;
    paper_series rk4 = paper_samples(s, &rk4_run);
    cli_curve theta[] = {paper_over_time(&pair, THETA, "dopri5, rtol 1e-3"),
                         paper_over_time(&spm, THETA, "spm, h = 0.005"),
                         paper_over_time(&rk4, THETA, "rk4, h = 0.005")};
    cli_curve near[] = {paper_over_time(&pair, R2X, "dopri5, rtol 1e-3"),
                        paper_over_time(&spm, R2X, "spm, h = 0.005"),
                        paper_over_time(&rk4, R2X, "rk4, h = 0.005")};
    theta[0].style = near[0].style = CLI_BACKGROUND;
    near[1].style = near[2].style = CLI_LINE_POINTS;
    for (int k = 0; k < 3; k++) /* the first tenth of a second */
        for (near[k].count = 0; near[k].count < theta[k].count && near[k].x[near[k].count] < 0.1;)
            near[k].count++;
    cli_panel panels[] = {{.x_label = "t [s]",
                           .y_label = "θ [rad]",
                           .y_min = -1,
                           .y_max = 1,
                           .curves = theta,
                           .n_curves = 3},
                          {.x_label = "t [s], the beginning",
                           .y_label = "x of the particle [m]",
                           .y_max = 1.5,
                           .curves = near,
                           .n_curves = 3}};
    paper_draw(s, NULL, "Figure 7: the pendulum by three methods", panels, 2);
    rows_of_steps(s);
    double blown = blow_up(s, NULL, 0.005), blown_at_rest = blow_up(s, "offset=0", 0.005), x[ALL];
    paper_value(s, "RK4, h = 0.005: a state is beyond 1e6 at t", NULL, blown, start_is_ours);
    paper_value(s, "RK4, h = 0.005, particle at rest: a state is beyond 1e6 at t", NULL,
                blown_at_rest, NULL);
    paper_claim(s, "RK4 at h = 0.005", "yields an unstable solution", blown < 0.1,
                paper_text(s, "beyond 1e6 at t = %g s", blown), NULL);
    rk4_run.h = 0.004, rk4_run.t1 = 5;
    paper_end(s, &rk4_run, x);
    paper_value(s, "theta(5), RK4, h = 0.004", NULL, x[THETA], "at its limit, h omega = 2.828");
    double end =
        fabs(spm.x[(spm.count - 1) * ALL + THETA] - pair.x[(pair.count - 1) * ALL + THETA]);
    paper_claim(s, "spm at h = 0.005", "gives a stable solution", end < 1e-6,
                paper_text(s, "theta(10) differs by %.1e from dopri5's", end), NULL);
    const gt_stats *a = &spm.report.stats, *b = &pair.report.stats;
    double share = (double)(a->rhs + a->rhs_slow) / (double)b->rhs;
    paper_claim(s, "computation time over ode45's", "about 60 %", fabs(share - 0.6) < 0.05,
                paper_text(s, "%.0f %% in evaluations", 100 * share),
                paper_text(s,
                           "%ld evaluations of f and %ld of its slow block against %ld of f by "
                           "dopri5 at ode45's default "
                           "tolerances; time depends on what one evaluation and one exponential "
                           "cost, and is measured in "
                           "docs/benchmarks.md",
                           a->rhs, a->rhs_slow, b->rhs));
}

/* E - E(0), and its largest. */
static cli_curve energy_curve(paper_sheet *s, const gt_problem *p, const paper_series *run,
                              const char *title, double until, double *drift)
{
    double *e = paper_doubles(s, run->count), start = gt_paper_gil_energy(p, 0, run->x);
    *drift = 0;
    for (size_t k = 0; k < run->count; k++) {
        e[k] = gt_paper_gil_energy(p, run->t[k], run->x + k * ALL) - start;
        if (run->t[k] <= until + 1e-9) *drift = fmax(*drift, fabs(e[k]));
    }
    return (cli_curve){.title = title, .x = run->t, .y = e, .count = run->count};
}

void gt_paper_gil_figure_8(paper_sheet *s)
{
    static const char *const sets[] = {"offset=0", "offset=0.1"}, *const names[] = {
                                                                      "particle at rest",
                                                                      "particle 0.1 m aside"};
    cli_curve curves[2][2];
    cli_panel panels[2];
    double of_spm[2], of_pair[2];
    for (int k = 0; k < 2; k++) {
        paper_run a = by_spm(0.005), b = by_pair();
        a.set = b.set = sets[k];
        gt_problem p = paper_problem(s, "pendulum", sets[k]);
        if (!p.rhs) return;
        paper_series *runs = gt_arena_take(&s->arena, 2, sizeof *runs);
        if (!runs) return;
        runs[0] = paper_samples(s, &a), runs[1] = paper_samples(s, &b);
        double five, ten;
        energy_curve(s, &p, &runs[0], NULL, 5, &five);
        curves[k][0] = energy_curve(s, &p, &runs[1], "dopri5, rtol 1e-3", 10, &of_pair[k]);
        curves[k][1] = energy_curve(s, &p, &runs[0], "spm, h = 0.005", 10, &ten);
        of_spm[k] = ten;
        paper_value(s, paper_text(s, "%s: largest drift of E in 5 s, spm", names[k]), NULL, five,
                    no_number);
        paper_value(s, paper_text(s, "%s: largest drift of E in 10 s, spm", names[k]), NULL, ten,
                    no_number);
        paper_value(
            s,
            paper_text(s, "%s: largest drift of E in 10 s, dopri5 at ode45's tolerances", names[k]),
            NULL, of_pair[k], no_number);
        panels[k] = (cli_panel){.x_label = "t [s]",
                                .y_label = paper_text(s, "E - E(0) [J], %s", names[k]),
                                .curves = curves[k],
                                .n_curves = 2};
    }
    paper_draw(s, NULL, "Figure 8: variation of the total energy", panels, 2);
    paper_claim(s, "accuracy beside ode45", "comparable, with a larger step",
                of_spm[0] < 10 * of_pair[0],
                paper_text(s, "drift of E in 10 s: %.1e against %.1e", of_spm[0], of_pair[0]),
                paper_text(s,
                           "with the particle excited spm is far better, %.1e against %.1e: the "
                           "pair damps the particle",
                           of_spm[1], of_pair[1]));
}

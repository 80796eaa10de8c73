/* SPDX-License-Identifier: BSD-3-Clause */
/* crow: the problems at the end of the chapter; problem 10 needs a network and is in crow_power.c.
 */
#include "crow.h"
#include <geartrain/analysis/analysis.h>
#include <geartrain/analysis/design.h>
#include <geartrain/analysis/order.h>
#include <math.h>

static const char no_answer[] = "the chapter prints no answer";

void gt_paper_crow_problem_1(paper_sheet *s)
{
    static const int orders[] = {1, 2, 4, 8, 20};
    for (int k = 0; k < 5; k++) {
        double x;
        const char *opt = paper_text(s, "order=%d", orders[k]);
        for (int far = 0; far < 2; far++) {
            double t = far ? 1.2 : 0.2;
            paper_end(
                s,
                &(paper_run){.model = "crow_p1", .method = "taylor", .opt = opt, .h = t, .t1 = t},
                &x);
            paper_value(
                s, paper_text(s, "partial sum of degree %d at t = %g", orders[k], t), NULL, x,
                far ? "outside the radius of convergence 1: it grows" : "the solution is 1.25");
        }
    }
}

/* Values, solutions beside the exact one, and global errors. */
static void solutions_of_problem_4(paper_sheet *s, double h)
{
    cli_curve curves[5], errors[4];
    for (int i = 0; i < 4; i++) {
        const char *title = gt_paper_crow_four_titles[i];
        paper_series *run = gt_arena_take(&s->arena, 1, sizeof *run);
        if (!run) return;
        *run = paper_samples(
            s, &(paper_run){.model = "crow_p4", .method = gt_paper_crow_four[i], .h = h, .t1 = 3});
        double *exact = paper_doubles(s, run->count), *error = paper_doubles(s, run->count),
               most = 0;
        if (!run->count || !exact || !error) return;
        for (size_t k = 0; k < run->count; k++) {
            double t = run->t[k];
            exact[k] = (sin(t) - 0.01 * cos(t) + 0.01 * exp(-100 * t)) / 1.0001;
            error[k] = fabs(run->x[k] - exact[k]);
            most = fmax(most, error[k]);
        }
        paper_value(s, paper_text(s, "Problem 4: x(3), h = %g, %s", h, title), NULL,
                    run->x[run->count - 1], no_answer);
        paper_value(s, paper_text(s, "Problem 4: largest global error, h = %g, %s", h, title), NULL,
                    most, no_answer);
        curves[i] = paper_over_time(run, 0, title);
        curves[4] = (cli_curve){.title = "exact", .x = run->t, .y = exact, .count = run->count};
        errors[i] =
            (cli_curve){.title = title, .x = run->t + 1, .y = error + 1, .count = run->count - 1};
    }
    cli_panel panels[] = {{.x_label = "t [s]",
                           .y_label = "x",
                           .y_min = -1.2,
                           .y_max = 1.2,
                           .curves = curves,
                           .n_curves = 5},
                          {.x_label = "t [s]",
                           .y_label = "global error",
                           .log_y = true,
                           .curves = errors,
                           .n_curves = 4}};
    paper_draw(s, paper_text(s, "4-h%g", h),
               paper_text(s, "Problem 4: x' = 100 (sin t - x), h = %g s", h), panels, 2);
}

void gt_paper_crow_problems_2_and_4(paper_sheet *s)
{
    for (int i = 0; i < 4; i++) {
        double x[2];
        paper_end(
            s,
            &(paper_run){.model = "crow_p2", .method = gt_paper_crow_four[i], .h = 0.25, .t1 = 5},
            x);
        paper_value(s, paper_text(s, "Problem 2: x1(5), %s", gt_paper_crow_four_titles[i]), NULL,
                    x[0], no_answer);
        paper_value(s, paper_text(s, "Problem 2: x2(5), %s", gt_paper_crow_four_titles[i]), NULL,
                    x[1], no_answer);
    }
    solutions_of_problem_4(s, 0.02);
    solutions_of_problem_4(s, 0.03);
}

void gt_paper_crow_problem_3(paper_sheet *s)
{
    static const int a[] = {0, 1, 2, 3}, b[] = {-1};
    gt_multistep f;
    if (gt_design_multistep(&(gt_steps){.a = a, .b = b, .n_a = 4, .n_b = 1}, 4, &f, &s->failure))
        return;
    char text[64];
    paper_value(s, "(a) steps", NULL, f.steps, no_answer);
    paper_value(s, "(b) highest order", NULL, f.order, no_answer);
    for (int i = 0; i < 4; i++) {
        gt_ratio_print(f.a[i], text, sizeof text);
        paper_value(s, paper_text(s, "(c) a%d", i), NULL, gt_ratio_value(f.a[i]),
                    paper_text(s, "= %s", text));
    }
    gt_ratio_print(f.b[0], text, sizeof text);
    paper_value(s, "(c) b-1", NULL, gt_ratio_value(f.b[0]), paper_text(s, "= %s", text));
    gt_ratio_print(f.error, text, sizeof text);
    paper_value(s, "(e) error constant", NULL, gt_ratio_value(f.error),
                paper_text(s, "= %s", text));
    gt_stability facts = gt_paper_facts(s, "gear4", NULL);
    paper_value(s, "(f) half angle of the stable sector, degrees", NULL, facts.sector_deg,
                "not A-stable");
    paper_value(s, "(g) delta", NULL, facts.delta, "stiffly stable");
}

void gt_paper_crow_problems_5_to_7(paper_sheet *s)
{
    static const char *const foxes[] = {"r", "f"};
    paper_series prey =
        paper_samples(s, &(paper_run){.model = "predator_prey", .method = "trapezoidal", .h = 0.1});
    if (prey.count) {
        const double *end = prey.x + (prey.count - 1) * prey.n;
        for (size_t i = 0; i < 2; i++)
            paper_value(s, paper_text(s, "Problem 5: %s(50), trapezoidal, h = 0.1", foxes[i]), NULL,
                        end[i], no_answer);
        cli_curve time[] = {paper_over_time(&prey, 0, "rabbits"),
                            paper_over_time(&prey, 1, "foxes")};
        cli_curve phase = paper_phase(&prey, 0, 1, NULL);
        cli_panel panels[] = {{.x_label = "t", .y_label = "number", .curves = time, .n_curves = 2},
                              {.x_label = "r", .y_label = "f", .curves = &phase, .n_curves = 1}};
        paper_draw(s, "5", "Problem 5: rabbits and foxes", panels, 2);
        paper_erratum_text(s, "Problem 5: signs",
                           "alpha = -1, gamma = 0.25: rabbits die out, foxes multiply alone",
                           "r and f are swapped", prey.x[2] < prey.x[0],
                           "with beta = 0 the first equation decays and the second grows, the "
                           "opposite of the text");
    }
    double x[3], y[3];
    paper_series duffing =
        paper_samples(s, &(paper_run){.model = "duffing", .method = "trapezoidal", .h = 0.01});
    if (duffing.count) {
        const double *end = duffing.x + (duffing.count - 1) * duffing.n;
        paper_value(s, "Problem 6: x(200), trapezoidal, h = 0.01", NULL, end[0], no_answer);
        cli_curve phase = paper_phase(&duffing, 0, 1, NULL);
        paper_draw(s, "6", "Problem 6: Duffing's equation",
                   &(cli_panel){.x_label = "x", .y_label = "x'", .curves = &phase, .n_curves = 1},
                   1);
    }
    static const double other[] = {21, 20, 20};
    paper_run a = {.model = "lorenz", .method = "trapezoidal", .h = 0.005, .t1 = 1}, b = a;
    b.x0 = other;
    paper_end(s, &a, x), paper_end(s, &b, y);
    paper_value(s, "Problem 7 (a): x(1)", NULL, x[0], no_answer);
    paper_value(s, "Problem 7 (b): x(1)", NULL, y[0],
                "the solution has x(1) = 4.451959: chaos, and h is too large");
    a.t1 = b.t1 = 10;
    paper_series one = paper_samples(s, &a), two = paper_samples(s, &b);
    cli_curve phases[] = {paper_phase(&one, 0, 1, "(a)"), paper_phase(&two, 0, 1, "(b)")};
    paper_draw(s, "7", "Problem 7: the Lorenz equations from two neighbouring points",
               &(cli_panel){.x_label = "x", .y_label = "y", .curves = phases, .n_curves = 2}, 1);
}

void gt_paper_crow_problem_8(paper_sheet *s)
{
    double h_max = 0.0001999800000002, x[2];
    gt_linearization linear;
    gt_problem p = paper_problem(s, "crow_p8", NULL);
    if (!p.rhs || gt_linearize(&p, 0, p.x0, &linear, &s->arena, &s->failure)) return;
    paper_value(s, "(a) h_max of forward Euler", NULL, -2 / linear.modes[1].re, no_answer);
    static const struct {
        const char *method, *what;
        double times;
        int steps;
    } runs[] = {{"euler", "(b)", 0.5, 10000}, {"euler", "(c)", 2, 100},
                {"beuler", "(d)", 10, 500},   {"beuler", "(d)", 100, 250},
                {"beuler", "(d)", 1000, 25},  {"beuler", "(d)", 10000, 5},
                {"gear4", "(e)", 10, 500},    {"gear4", "(e)", 100, 250},
                {"gear4", "(e)", 1000, 25},   {"gear4", "(e)", 10000, 5}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        double h = runs[k].times * h_max;
        paper_end(
            s,
            &(paper_run){
                .model = "crow_p8", .method = runs[k].method, .h = h, .t1 = runs[k].steps * h},
            x);
        for (int i = 0; i < 2; i++)
            paper_value(s,
                        paper_text(s, "%s x%d after %d steps of %g h_max, %s", runs[k].what, i + 1,
                                   runs[k].steps, runs[k].times, runs[k].method),
                        NULL, x[i], no_answer);
    }
    paper_erratum_text(s, "Problem 8 (e)", "the method of Problem 4", "the method of Problem 3",
                       true, "Problem 3 defines the formula, Problem 4 is an equation");
}

void gt_paper_crow_problem_9(paper_sheet *s)
{
    static const int a[] = {0, 2, 3}, b[] = {0, 1, 2};
    gt_multistep f = {0};
    gt_zero_stability zero;
    /* x_(n+2) = -alpha x_(n+1) + alpha x_(n-1) + x_(n-2) + h (beta f_(n+1) + gamma f_n + beta
     * f_(n-1)) */
    if (gt_design_multistep(&(gt_steps){.a = a, .b = b, .n_a = 3, .n_b = 3}, 5, &f, &s->failure))
        return;
    if (gt_zero_stability_of(&f, &zero)) return;
    paper_value(s, "(a) order", "6", f.order, NULL);
    paper_value(s, "(a) alpha", NULL, -gt_ratio_value(f.a[0]), no_answer);
    paper_value(s, "(a) beta", NULL, gt_ratio_value(f.b[1]), no_answer);
    paper_value(s, "(a) gamma", NULL, gt_ratio_value(f.b[2]), no_answer);
    paper_value(s, "(b) largest root of rho", NULL, zero.root[0][0],
                "not zero-stable: the method does not converge");
}

/* (b), (c): the formula of `order` steps, and the constant of its local error. */
static void derive_adams_bashforth(paper_sheet *s, int order)
{
    static const int a[] = {0}, b[] = {0, 1, 2};
    static const char *const printed[][3] = {{"1.5", "-0.5", NULL}, {"23/12", "-16/12", "5/12"}};
    gt_multistep f;
    char text[64];
    if (gt_design_multistep(&(gt_steps){.a = a, .b = b, .n_a = 1, .n_b = order}, order, &f,
                            &s->failure))
        return;
    for (int i = 0; i < order; i++) {
        gt_ratio_print(f.b[i + 1], text, sizeof text);
        paper_value(s, paper_text(s, "(%c) order %d: b%d", 'a' + order - 1, order, i), NULL,
                    gt_ratio_value(f.b[i + 1]),
                    paper_text(s, "= %s; %s is printed", text, printed[order - 2][i]));
    }
    gt_ratio_print(f.error, text, sizeof text);
    paper_value(s,
                paper_text(s, "(%c) order %d: constant of the local error", 'a' + order - 1, order),
                NULL, gt_ratio_value(f.error),
                paper_text(s, "= %s; %s is printed", text, order == 2 ? "5/12" : "3/8"));
}

/* The pendulum by one method with m2 = 10, 5, 1; at steps of 0.005, or controlled: then its steps
 * too. */
static void swing(paper_sheet *s, const char *item, const char *method, bool controlled)
{
    static const double masses[] = {10, 5, 1};
    cli_curve curves[3], steps[3];
    for (int k = 0; k < 3; k++) {
        const char *set = paper_text(s, "m2=%g", masses[k]),
                   *title = paper_text(s, "m2 = %g", masses[k]);
        paper_run how = {
            .model = "double_pendulum", .set = set, .method = method, .h = controlled ? 0 : 0.005};
        if (controlled) how.atol = 0.001, how.rtol = 1e-12, how.control = "bounds";
        paper_series *run = gt_arena_take(&s->arena, 1, sizeof *run);
        if (!run) return;
        *run = paper_samples(s, &how);
        if (!run->count) return;
        const char *at = controlled ? "controlled steps" : "h = 0.005";
        paper_value(
            s, paper_text(s, "%s theta1 at the end, %s, %s, m2 = %g", item, method, at, masses[k]),
            NULL, run->x[(run->count - 1) * run->n], no_answer);
        if (controlled)
            paper_value(s, paper_text(s, "%s steps of %s, m2 = %g", item, method, masses[k]), NULL,
                        (double)run->count - 1, no_answer);
        curves[k] = paper_over_time(run, 0, title);
        if (controlled)
            steps[k] = (cli_curve){
                .title = title, .x = run->t + 1, .y = run->h + 1, .count = run->count - 1};
    }
    cli_panel panels[] = {
        {.x_label = "t [s]", .y_label = "θ1 [rad]", .curves = curves, .n_curves = 3},
        {.x_label = "t [s]", .y_label = "h [s]", .curves = steps, .n_curves = 3}};
    paper_draw(s, paper_text(s, "%s%s", method, controlled ? "-controlled" : ""),
               paper_text(s, "Problem 11: double pendulum by %s, %s", method,
                          controlled ? "LTE at most 0.001" : "h = 0.005 s"),
               panels, controlled ? 2 : 1);
}

void gt_paper_crow_problem_11(paper_sheet *s)
{
    const double rest[4] = {0};
    double slope[4] = {1, 1, 1, 1};
    gt_problem p = paper_problem(s, "double_pendulum", NULL);
    if (!p.rhs || p.rhs(0, rest, slope, p.ctx)) return;
    paper_value(s, "(a) largest derivative at rest", "0",
                fmax(fmax(fabs(slope[0]), fabs(slope[1])), fmax(fabs(slope[2]), fabs(slope[3]))),
                NULL);
    derive_adams_bashforth(s, 2);
    derive_adams_bashforth(s, 3);
    swing(s, "(d)", "ab2", false);
    swing(s, "(e)", "ab2", true);
    swing(s, "(f)", "ab3", false);
    swing(s, "(f)", "ab3", true);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* xie, sections 3.4 and 3.5: step control, Lotka and Volterra's equations, Broyden's iteration; the
 * C program of Appendix B. */
#include "xie.h"
#include "xie_program.h"
#include <math.h>

/* ---- 3.4 ---- */

typedef struct outcome {
    double points, error[4]; /* points: accepted steps and the start, as the thesis counts */
} outcome;

/* A run with its largest errors. The C program stops before the end: then the last point does not
 * count. */
static outcome run_of(paper_sheet *s, const char *model, const char *method, const char *options,
                      double tol, bool stops_before)
{
    gt_problem p = paper_problem(s, model, NULL);
    outcome out = {0};
    paper_series run = paper_samples(s, &(paper_run){.problem = &p,
                                                     .method = method,
                                                     .opt = options,
                                                     .rtol = tol,
                                                     .control = options ? NULL : "ode45"});
    size_t count = run.count > 0 && stops_before ? run.count - 1 : run.count;
    out.points = (double)count;
    for (size_t k = 0; k < count; k++) {
        double exact[4];
        p.exact(run.t[k], exact, p.ctx);
        for (size_t i = 0; i < run.n; i++)
            out.error[i] = fmax(out.error[i], fabs(run.x[k * run.n + i] - exact[i]));
    }
    return out;
}

enum { ALPHAS = 17, RULES = 2 };
static const double tolerances[] = {1e-2, 1e-4, 1e-6, 1e-7, 1e-8};
static const char *const rules[] = {"315", "316"};

static double alpha_at(int j) { return 0.1 + 0.025 * j; }

typedef struct study {
    outcome bi[RULES][ALPHAS], ode45;
} study;

static void make_study(paper_sheet *s, const char *model, double tol, study *out)
{
    for (int r = 0; r < RULES; r++)
        for (int j = 0; j < ALPHAS; j++)
            out->bi[r][j] =
                run_of(s, model, "birkf",
                       paper_text(s, "alpha=%.3f, rule=%s", alpha_at(j), rules[r]), tol, false);
    out->ode45 = run_of(s, model, "rkf45", NULL, tol, false);
}

/* State i over alpha, or the number of points for i = states. */
static cli_panel panel_of(paper_sheet *s, const study *w, size_t i, size_t states)
{
    static const char *const titles[] = {"BI, (3.15)", "BI, (3.16)", "ode45"};
    cli_curve *curves = gt_arena_take(&s->arena, 3, sizeof *curves);
    if (!curves) return (cli_panel){0};
    for (int r = 0; r < 3; r++) {
        double *x, *y;
        curves[r] = gt_xie_curve(s, titles[r], ALPHAS, &x, &y);
        for (int j = 0; j < ALPHAS; j++) {
            const outcome *o = r < RULES ? &w->bi[r][j] : &w->ode45;
            x[j] = alpha_at(j);
            y[j] = i < states ? o->error[i] : o->points;
        }
    }
    return (cli_panel){.x_label = "α",
                       .y_label = i < states ? paper_text(s, "error of x%zu", i + 1) : "points",
                       .log_y = i < states,
                       .curves = curves,
                       .n_curves = 3};
}

static void draw_studies(paper_sheet *s, const study *all, size_t states, int first,
                         const char *problem)
{
    for (int f = 0; f < 5; f++) {
        cli_panel panels[5];
        for (size_t i = 0; i <= states; i++) panels[i] = panel_of(s, &all[f], i, states);
        paper_draw(s, paper_text(s, "3.%d", first + f),
                   paper_text(s, "Figure 3.%d: largest errors and points, %s, tol = %g", first + f,
                              problem, tolerances[f]),
                   panels, states + 1);
    }
}

static void rows_of_study(paper_sheet *s, const study *w, double tol, size_t states)
{
    static const int some[] = {0, 12, 14, 16}; /* alpha = 0.1, 0.4, 0.45, 0.5 */
    for (int r = 0; r < RULES; r++)
        for (int k = 0; k < 4; k++) {
            const outcome *o = &w->bi[r][some[k]];
            const char *name =
                paper_text(s, "tol = %g, alpha = %g, (3.%s)", tol, alpha_at(some[k]), rules[r] + 1);
            paper_value(s, paper_text(s, "%s: points", name), NULL, o->points, NULL);
            if (some[k] == 12)
                for (size_t i = 0; i < states; i++)
                    paper_value(s, paper_text(s, "%s: error of x%zu", name, i + 1), NULL,
                                o->error[i], NULL);
        }
    paper_value(s, paper_text(s, "tol = %g, ode45: points", tol), NULL, w->ode45.points, NULL);
}

static const char numbering[] =
    "(3.14) is the general rule; the two that are compared are numbered (3.15) and (3.16), "
    "in the text, in the figures' "
    "legends and in the comments of the programs";

void gt_xie_marginal(paper_sheet *s)
{
    study all[5];
    bool fewer = true, more_accurate = true, second_better = true;
    for (int f = 0; f < 5; f++) {
        make_study(s, "marginal4", tolerances[f], &all[f]);
        rows_of_study(s, &all[f], tolerances[f], 4);
        for (int j = 0; j < ALPHAS && f > 0; j++) {
            fewer = fewer && all[f].bi[0][j].points < all[f].ode45.points;
            more_accurate = more_accurate && all[f].bi[0][j].error[0] < all[f].ode45.error[0];
            second_better = second_better && all[f].bi[1][j].error[0] < all[f].bi[0][j].error[0] &&
                            all[f].bi[1][j].points < all[f].bi[0][j].points;
        }
    }
    draw_studies(s, all, 4, 23, "marginally stable problem");
    paper_erratum_text(s, "numbers of the step rules", "(3.14) and (3.15)", "(3.15) and (3.16)",
                       true, numbering);
    paper_claim(s, "BI with (3.15) beside ode45, tol below 1e-2", "fewer steps and smaller errors",
                fewer && more_accurate, "at all alphas from 0.1 to 0.5", NULL);
    paper_claim(
        s, "(3.16) beside (3.15)", "better", second_better,
        paper_text(s, "at tol 1e-6, alpha 0.4: error %.1e with %g points against %.1e with %g",
                   all[2].bi[1][12].error[0], all[2].bi[1][12].points, all[2].bi[0][12].error[0],
                   all[2].bi[0][12].points),
        paper_text(s, "smaller errors, but more steps: with tol 1e-7 (3.15) has %.1e with %g",
                   all[3].bi[0][12].error[0], all[3].bi[0][12].points));
    paper_claim(s, "steps of BI at the same tolerance", "much smaller number",
                all[2].bi[0][16].points < 0.5 * all[2].ode45.points,
                paper_text(s, "at tol 1e-6: %g points at alpha = 0.5 against %g of ode45",
                           all[2].bi[0][16].points, all[2].ode45.points),
                "but each costs at least 24 evaluations of f, against 6");
}

void gt_xie_stiff(paper_sheet *s)
{
    study all[5];
    bool fewer = true, first_fewer = true;
    int x1_worse = 0, x2_better = 0, x3_better = 0, second_better = 0;
    paper_missing(s, "initial state and end of the runs", "",
                  "not in the thesis; taken as x = (1, 0, 0) and t = 10, in the states y, y', y''");
    for (int f = 0; f < 5; f++) {
        make_study(s, "stiff3", tolerances[f], &all[f]);
        rows_of_study(s, &all[f], tolerances[f], 3);
        const outcome *bi[] = {&all[f].bi[0][12], &all[f].bi[1][12]}, *ode45 = &all[f].ode45;
        for (int r = 0; r < RULES; r++) {
            fewer = fewer && bi[r]->points < ode45->points;
            x1_worse += bi[r]->error[0] > ode45->error[0];
            x2_better += bi[r]->error[1] < ode45->error[1];
            x3_better += bi[r]->error[2] < ode45->error[2];
        }
        first_fewer = first_fewer && bi[0]->points < bi[1]->points;
        second_better += bi[1]->error[2] < bi[0]->error[2];
    }
    draw_studies(s, all, 3, 28, "stiff problem");
    double fewest = INFINITY, most = 0;
    for (int k = -3; k <= 3; k++) {
        double x0[] = {1 + k * 2.220446049250313e-16, 0, 0};
        gt_report run = paper_end(s,
                                  &(paper_run){.model = "stiff3",
                                               .method = "birkf",
                                               .opt = "alpha=0.1, rule=316",
                                               .rtol = 0.01,
                                               .x0 = x0},
                                  NULL);
        fewest = fmin(fewest, (double)run.stats.steps + 1),
        most = fmax(most, (double)run.stats.steps + 1);
    }
    paper_claim(s, "what the points depend on", "alpha, tol and the rule", most == fewest,
                paper_text(s,
                           "%g to %g points at tol 0.01, alpha 0.1, (3.16), for starts that differ "
                           "in the last bits",
                           fewest, most),
                "Broyden's iteration from the identity wanders before it converges, which makes "
                "much of rounding");
    static const char start[] = "the start, on which this depends, is not printed";
    static const char ten[] = " of 10 comparisons, two rules at five tolerances, alpha = 0.4";
    paper_claim(s, "ode45 beside BI at alpha = 0.4", "many more steps", fewer,
                paper_text(s, "at tol 1e-6: %g against %g and %g", all[2].ode45.points,
                           all[2].bi[0][12].points, all[2].bi[1][12].points),
                NULL);
    paper_claim(s, "error of x1", "ode45 has the smaller one", x1_worse == 10,
                paper_text(s, "so it is in %d%s", x1_worse, ten), start);
    paper_claim(s, "error of x2", "BI has the smaller one", x2_better == 10,
                paper_text(s, "so it is in %d%s", x2_better, ten), start);
    paper_claim(s, "error of x3", "BI has the smaller one", x3_better == 10,
                paper_text(s, "so it is in %d%s", x3_better, ten), start);
    paper_claim(s, "(3.15) beside (3.16)", "a little better", first_fewer,
                "fewer steps at all tolerances", NULL);
    paper_claim(s, "error of x3 by (3.16)", "much smaller than by (3.15)", second_better == 5,
                paper_text(s, "smaller at %d of 5 tolerances", second_better), start);
}

/* ---- Appendix B ---- */

void gt_xie_program(paper_sheet *s)
{
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < ALPHAS; j++) {
            double tol = pow(10, -(i + 2)),
                   wanted[] = {program_output[i][j].error1, program_output[i][j].error2};
            outcome found =
                run_of(s, "marginal4", "birkf",
                       paper_text(s, "alpha=%.3f, rule=program", alpha_at(j)), tol, true);
            const char *name = paper_text(s, "tol = %.0e, alpha = %.3f", tol, alpha_at(j));
            paper_value(s, paper_text(s, "%s: steps", name),
                        paper_text(s, "%d", program_output[i][j].steps), found.points, NULL);
            for (int k = 0; k < 2; k++)
                paper_near(s, paper_text(s, "%s: ErrMax%d", name, k + 1),
                           paper_text(s, "%.6e", wanted[k]), found.error[k],
                           1e-4 * wanted[k] + 1e-14, NULL);
        }
    outcome rule = run_of(s, "marginal4", "birkf", "alpha=0.4, rule=316", 1e-6, false);
    outcome program = run_of(s, "marginal4", "birkf", "alpha=0.4, rule=program", 1e-6, true);
    paper_erratum_text(s, "the step rule of the C program", "(3.16)",
                       "(0.8 tau/err)^0.06 (last/err)^0.08: the safety factor is inside the power",
                       rule.points > 1.5 * program.points,
                       paper_text(s, "tol 1e-6, alpha 0.4: %g points by (3.16), %g by the program",
                                  rule.points, program.points));
    paper_erratum_text(
        s, "the end of the C program", "t = 10", "the last step before it", true,
        "it returns where a step would pass tf, so its count is one less than that of a full run");
}

/* ---- 3.5 ---- */

/* When the solution is back at its start: from the point of a run that is nearest to it, by Newton
 * on x2, as x1 stands still there. */
static double period_of(paper_sheet *s, const gt_problem *p, const paper_series *run)
{
    double period = 0, nearest = INFINITY, x[2], f[2];
    for (size_t k = 0; k < run->count; k++) {
        double distance = hypot(run->x[2 * k] - p->x0[0], run->x[2 * k + 1] - p->x0[1]);
        if (run->t[k] > 5 && distance < nearest) period = run->t[k], nearest = distance;
    }
    for (int k = 0; k < 6; k++) {
        paper_end(
            s,
            &(paper_run){
                .model = "lotka_volterra", .method = "bi55", .h = period / 8000, .t1 = period},
            x);
        if (p->rhs(0, x, f, p->ctx)) return NAN;
        period -= (x[1] - p->x0[1]) / f[1];
    }
    return period;
}

void gt_xie_lotka_volterra(paper_sheet *s)
{
    static const char *const titles[] = {"ode45", "BI, α = 0.4, (3.15)"};
    double x[2], equilibrium[] = {1, 10}, f[2], apart = 0, most = 0, drift, first, later;
    paper_series run[2];
    run[0] = paper_samples(
        s, &(paper_run){
               .model = "lotka_volterra", .method = "rkf45", .rtol = 1e-6, .control = "ode45"});
    run[1] = paper_samples(s, &(paper_run){.model = "lotka_volterra",
                                           .method = "birkf",
                                           .opt = "alpha=0.4, rule=315",
                                           .rtol = 1e-6});
    for (size_t i = 0; i < 2; i++) {
        cli_curve curves[2];
        for (int k = 0; k < 2; k++) curves[k] = paper_over_time(&run[k], i, titles[k]);
        curves[1].style = CLI_POINTS;
        paper_draw(
            s, i ? "3.34" : "3.33",
            paper_text(s, "Figure 3.%zu: Lotka and Volterra's equations, x%zu", 33 + i, i + 1),
            &(cli_panel){
                .x_label = "t", .y_label = i ? "x2" : "x1", .curves = curves, .n_curves = 2},
            1);
    }
    gt_problem p = paper_problem(s, "lotka_volterra", NULL);
    for (size_t k = 0; p.rhs && k < run[1].count;
         k++) { /* at the points of BI, against a run of order 6 */
        if (k > 0) {
            paper_end(
                s,
                &(paper_run){
                    .model = "lotka_volterra", .method = "bi55", .h = 0.005, .t1 = run[1].t[k]},
                x);
            apart =
                fmax(apart, fmax(fabs(x[0] - run[1].x[2 * k]), fabs(x[1] - run[1].x[2 * k + 1])));
        }
    }
    paper_value(s, "points of BI, tol = 1e-6, t = 20", NULL, (double)run[1].count, NULL);
    paper_value(s, "points of ode45, tol = 1e-6, t = 20", NULL, (double)run[0].count, NULL);
    for (size_t k = 0; k < 2 * run[1].count; k++) most = fmax(most, fabs(run[1].x[k]));
    paper_claim(s, "ode45 and BI", "no visible difference", apart < 0.003 * most,
                paper_text(s, "BI is off by %.1e at most, where x2 reaches %.0f", apart, most),
                NULL);
    paper_end(
        s,
        &(paper_run){
            .model = "lotka_volterra", .method = "bi55", .opt = "newton_tol=1e-14", .h = 0.0025},
        x);
    paper_value(s, "x1(20)", NULL, x[0], "bi55, h = 0.0025");
    paper_value(s, "x2(20)", NULL, x[1], "bi55, h = 0.0025");
    if (!p.rhs || p.rhs(0, equilibrium, f, p.ctx)) return;
    paper_claim(s, "steady state", "x1 = c/b, x2 = a/(b k)",
                fmax(fabs(f[0]), fabs(f[1])) < 1e-12 * fmax(equilibrium[0], equilibrium[1]),
                "f vanishes there",
                NULL); /* to round-off: its terms need not cancel to the last bit */
    p.invariants(0, p.x0, &first, p.ctx);
    double period = period_of(s, &p, &run[0]);
    paper_value(s, "period", NULL, period, NULL);
    paper_end(
        s,
        &(paper_run){.model = "lotka_volterra", .method = "bi55", .h = period / 8000, .t1 = period},
        x);
    p.invariants(period, x, &later, p.ctx);
    drift = fabs(later / first - 1);
    double back = fmax(fabs(x[0] - p.x0[0]), fabs(x[1] - p.x0[1]));
    paper_value(s, "distance from the start after one period", NULL, back,
                paper_text(s, "period %.12g", period));
    paper_erratum_text(
        s, "the solution", "approaches a periodic steady state", "is periodic from the start",
        back < 1e-7 && drift < 1e-10,
        paper_text(
            s,
            "every orbit is closed, as V = k b x2 - a ln x2 + b x1 - c ln x1 is constant: after "
            "%.6f the start is met again to %.0e",
            period, back));
}

/* ---- Broyden ---- */

static void inverse_of(double B[2][2], double out[2][2])
{
    double d = B[0][0] * B[1][1] - B[0][1] * B[1][0];
    out[0][0] = B[1][1] / d, out[1][1] = B[0][0] / d, out[0][1] = -B[0][1] / d,
    out[1][0] = -B[1][0] / d;
}

static void apply(double B[2][2], const double *v, double *out)
{
    for (int i = 0; i < 2; i++) out[i] = B[i][0] * v[0] + B[i][1] * v[1];
}

static double distance(double A[2][2], double B[2][2])
{
    double most = 0;
    for (int i = 0; i < 4; i++) most = fmax(most, fabs(A[i / 2][i % 2] - B[i / 2][i % 2]));
    return most;
}

void gt_xie_broyden(paper_sheet *s)
{
    double B[2][2] = {{2, 1}, {-1, 3}}, step[] = {0.3, -0.4}, change[] = {0.3, -1.4}, size = 0.5,
           Bs[2], v[2];
    double next[2][2], right[2][2], inverse[2][2], sherman[2][2], thesis[2][2], Hy[2], sH[2],
        below = 0;
    apply(B, step, Bs);
    for (int i = 0; i < 4; i++)
        next[i / 2][i % 2] =
            B[i / 2][i % 2] + (change[i / 2] - Bs[i / 2]) * step[i % 2] / (size * size);
    inverse_of(next, right);
    inverse_of(B, inverse);
    apply(inverse, change, Hy);
    for (int j = 0; j < 2; j++)
        sH[j] = step[0] * inverse[0][j] + step[1] * inverse[1][j], below += step[j] * Hy[j];
    double unit[] = {step[0] / size, step[1] / size}, df[] = {change[0] / size, change[1] / size},
           Hs[2];
    apply(inverse, unit, Hs);
    for (int i = 0; i < 4; i++) {
        sherman[i / 2][i % 2] =
            inverse[i / 2][i % 2] + (step[i / 2] - Hy[i / 2]) * sH[i % 2] / below;
        thesis[i / 2][i % 2] = inverse[i / 2][i % 2] + (df[i / 2] - Hs[i / 2]) * unit[i % 2];
    }
    paper_erratum_text(
        s, "update of the inverse, chapter 6", "B^-1 + (df - B^-1 ds) ds'",
        "B^-1 + (s - B^-1 y) s' B^-1 / (s' B^-1 y), Sherman and Morrison's",
        distance(sherman, right) < 1e-14 && distance(thesis, right) > 0.1,
        paper_text(
            s,
            "beside the inverse of the updated B it is off by %.2f in an example, the right one "
            "by %.0e; the thesis itself notes that the printed one fails",
            distance(thesis, right), distance(sherman, right)));
    for (int i = 0; i < 4;
         i++) /* ds = B^-1 f0 is minus the step, and is made a unit vector before df is divided */
        next[i / 2][i % 2] = B[i / 2][i % 2] + (change[i / 2] + Bs[i / 2] / size) * -unit[i % 2];
    apply(next, step, v);
    paper_erratum_text(
        s, "the iteration in section 3.5",
        "ds = inv(B) f0; ds = ds/norm(ds); df = (f1 - f0)/norm(ds)",
        "ds = x1 - x0; df = (f1 - f0)/norm(ds) before ds = ds/norm(ds)",
        hypot(v[0] - change[0], v[1] - change[1]) > 0.1,
        "as printed the new B does not take the step to the change of f, B s = y; the program in "
        "Appendix A is right");
    paper_erratum_text(s, "what Newton and Raphson's iteration needs", "the Hessian matrix",
                       "the Jacobian matrix", true,
                       "f is a vector, and its first derivatives are what is approximated by B");
    double x[2];
    paper_run run = {
        .model = "vanderpol", .set = "mu=1000", .method = "birkf", .rtol = 1e-6, .t1 = 200};
    gt_report broyden = paper_end(s, &run, x);
    run.method = "gear";
    gt_report gear = paper_end(s, &run, x);
    paper_claim(
        s, "stiff problems, chapter 6", "BI methods are very efficient",
        broyden.stats.rhs < 10 * gear.stats.rhs,
        paper_text(
            s,
            "van der Pol with mu = 1000 up to t = 200: %ld evaluations of f, %ld by Gear's method",
            broyden.stats.rhs, gear.stats.rhs),
        "true of linear problems; Broyden's iteration from the identity converges for h |lambda| "
        "up to about 5 "
        "only, and the step must be cut to that");
}

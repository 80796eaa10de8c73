/* SPDX-License-Identifier: BSD-3-Clause */
/* xie, chapters 4 and 5: steps and responses of the arms. */
#include "xie.h"
#include <geartrain/author/number.h>
#include <math.h>

static const char *const inputs[] = {"pulse", "step", "ramp"};

/* The programs of the thesis know of no discontinuity: they step over the end of the pulse. */
static gt_problem arm_of(paper_sheet *s, const char *model, const char *set)
{
    gt_problem p = paper_problem(s, model, set);
    p.n_breaks = 0;
    return p;
}

/* Accepted steps and the start, as the thesis counts them. */
static double points_of(paper_sheet *s, const gt_problem *p, const char *options, double tol,
                        long *evaluations)
{
    gt_report report = paper_end(s,
                                 &(paper_run){.problem = p,
                                              .method = options ? "birkf" : "rkf45",
                                              .opt = options,
                                              .rtol = tol,
                                              .control = options ? NULL : "ode45"},
                                 NULL);
    if (evaluations) *evaluations += report.stats.rhs;
    return (double)report.stats.steps + 1;
}

/* ---- Tables 1 and 2 ---- */

static const char not_printed[] =
    "its program, bi55.m, is not in the thesis; the printed algorithm bi45.m at alpha = 0.5 "
    "takes these";

/* True when BI takes fewer steps. */
static bool steps_row(paper_sheet *s, const char *model, const char *set, int input, const char *bi,
                      const char *ode45, long evaluations[2])
{
    gt_problem p = arm_of(s, model, paper_text(s, "%s, form=plain, input=%s", set, inputs[input]));
    double of_bi = points_of(s, &p, "alpha=0.5, rule=315", 1e-6, &evaluations[0]),
           of_ode45 = points_of(s, &p, NULL, 1e-6, &evaluations[1]);
    paper_value(s, paper_text(s, "BI55, %s", inputs[input]), bi, of_bi, not_printed);
    if (ode45) paper_value(s, paper_text(s, "ode45, %s", inputs[input]), ode45, of_ode45, NULL);
    return of_bi < of_ode45;
}

/* The first step below hmin = tf/20000, at which ode45 gives up; infinite when there is none. */
static double gives_up(paper_sheet *s, const char *set, double tf, double tol, double *points)
{
    gt_problem p = arm_of(s, "arm_eb", set);
    p.t1 = tf;
    paper_series run = paper_samples(
        s, &(paper_run){.problem = &p, .method = "rkf45", .rtol = tol, .control = "ode45"});
    for (size_t k = 1; k < run.count; k++)
        if (run.h[k] < tf / 20000 && k + 1 < run.count) {
            *points = (double)k;
            return run.t[k - 1];
        }
    *points = (double)run.count;
    return INFINITY;
}

void gt_xie_table_1(paper_sheet *s)
{
    static const char *const bi[] = {"151", "112", "39"}, *const ode45[] = {"358", "338", "125"};
    long evaluations[2] = {0};
    bool fewer = true;
    double points;
    for (int k = 0; k < 3; k++)
        fewer = steps_row(s, "arm_eb", "assembly=thesis", k, bi[k], ode45[k], evaluations) && fewer;
    for (int k = 0; k < 3; k++) {
        gt_problem p = arm_of(s, "arm_eb", paper_text(s, "form=plain, input=%s", inputs[k]));
        paper_value(s, paper_text(s, "BI55 on the right arm, %s", inputs[k]), NULL,
                    points_of(s, &p, "alpha=0.5, rule=315", 1e-6, NULL), NULL);
        paper_value(s, paper_text(s, "ode45 on the right arm, %s", inputs[k]), NULL,
                    points_of(s, &p, NULL, 1e-6, NULL), NULL);
    }
    paper_claim(s, "BI55 beside ode45", "fewer steps", fewer,
                "so it is, in all three columns, printed and computed", NULL);
    paper_missing(s, "CPU times", "about the same for both",
                  paper_text(s,
                             "the times are not printed; the printed algorithm takes %ld "
                             "evaluations of f in the three "
                             "runs, ode45 %ld",
                             evaluations[0], evaluations[1]));
    double t = gives_up(s, "assembly=thesis, form=plain, input=step", 100, 1e-6, &points);
    paper_claim(s, "ode45 beyond 100 s", "does not converge", isfinite(t),
                paper_text(s, "with its smallest step tf/20000 it ends at t = %.2f after %g points",
                           t, points),
                NULL);
    paper_erratum_text(
        s, "why ode45 stops", "it does not converge",
        "its rule hmin = tf/20000, which grows with tf",
        isfinite(t) &&
            !isfinite(gives_up(s, "assembly=thesis, form=plain, input=step", 20, 1e-6, &points)),
        "the same run to t = 20 goes through, and without that rule the one to t = 100 does");
}

/* Steps of ode45 on the ramp for values of beta that differ in the last bits. */
static void last_bits(paper_sheet *s, double *fewest, double *most)
{
    *fewest = INFINITY, *most = 0;
    for (int k = -40; k <= 40; k++) {
        double beta = 1.2 + k * 2.220446049250313e-16;
        gt_problem p = arm_of(
            s, "arm_eb",
            paper_text(s, "assembly=thesis, n=20, delta=0.1, beta=%.17g, form=plain, input=ramp",
                       beta));
        double points = points_of(s, &p, NULL, 1e-6, NULL);
        *fewest = fmin(*fewest, points), *most = fmax(*most, points);
    }
}

void gt_xie_table_2(paper_sheet *s)
{
    static const char *const bi[] = {"137", "109", "63"}, *const ode45[] = {"342", "313", NULL};
    static const char set[] = "assembly=thesis, n=20";
    long evaluations[2] = {0};
    bool fewer = true;
    double fewest, most;
    for (int k = 0; k < 3; k++)
        fewer = steps_row(s, "arm_timoshenko", set, k, bi[k], ode45[k], evaluations) && fewer;
    gt_problem p = arm_of(s, "arm_timoshenko", paper_text(s, "%s, form=plain, input=ramp", set));
    last_bits(s, &fewest, &most);
    paper_near(s, "ode45, ramp", "195", points_of(s, &p, NULL, 1e-6, NULL), most - fewest,
               "depends on the last bits of beta");
    paper_claim(
        s, "ode45, ramp, 81 neighbours of beta = 1.2 that differ in the last bits", "195",
        fewest <= 195 && most >= 195, paper_text(s, "%g to %g points", fewest, most),
        "the solution begins with 0, the steps grow beyond the stable one, and what cuts them back "
        "is the "
        "rounding that they have amplified: the number of steps is decided by the last bits");
    for (int k = 0; k < 3; k++) {
        gt_problem right =
            arm_of(s, "arm_timoshenko", paper_text(s, "form=plain, input=%s", inputs[k]));
        paper_value(s, paper_text(s, "ode45 on Timoshenko's link, %s", inputs[k]), NULL,
                    points_of(s, &right, NULL, 1e-6, NULL), "(5.12)-(5.18) with (5.23)");
    }
    paper_claim(s, "BI45 beside ode45", "fewer steps", fewer,
                "so it is, in all three columns, printed and computed", NULL);
}

/* ---- responses ---- */

/* Hub angle in degrees and tip deflection over time. */
typedef struct response {
    double theta_end, tip_end; /* theta in radians */
    cli_curve theta, tip;
} response;

static response respond(paper_sheet *s, const paper_run *run, size_t tip, const char *title)
{
    response out = {0};
    double *t, *theta, *same_t, *deflection;
    paper_series series = paper_samples(s, run);
    out.theta = gt_xie_curve(s, title, series.count, &t, &theta);
    out.tip = gt_xie_curve(s, title, series.count, &same_t, &deflection);
    for (size_t k = 0; k < series.count; k++) {
        const double *x = series.x + k * series.n;
        t[k] = same_t[k] = series.t[k];
        theta[k] = x[0] * 180 / GT_PI;
        deflection[k] = x[tip] - x[0];
        out.theta_end = x[0], out.tip_end = deflection[k];
    }
    return out;
}

static void draw_responses(paper_sheet *s, const char *name, const char *what, const char *y_label,
                           bool tips, response all[2][3])
{
    static const char *const sides[] = {"as printed", "right"};
    cli_curve curves[2][3];
    cli_panel panels[2];
    for (int a = 0; a < 2; a++) {
        for (int k = 0; k < 3; k++) curves[a][k] = tips ? all[a][k].tip : all[a][k].theta;
        panels[a] =
            (cli_panel){.x_label = "t",
                        .y_label = paper_text(s, "%s, %s", y_label, a ? sides[1] : sides[0]),
                        .curves = curves[a],
                        .n_curves = 3};
    }
    paper_draw(s, name, paper_text(s, "Figure %s: %s", name, what), panels, 2);
}

static void open_responses(paper_sheet *s, const char *model, const char *thesis, size_t thesis_tip,
                           size_t tip, response all[2][3])
{
    for (int a = 0; a < 2; a++)
        for (int k = 0; k < 3; k++) {
            const char *set =
                paper_text(s, "%s%sinput=%s", a ? "" : thesis, a ? "" : ", ", inputs[k]);
            all[a][k] = respond(
                s,
                &(paper_run){.model = model, .set = set, .method = "bipade8", .h = 0.001, .t1 = 2},
                a ? tip : thesis_tip, inputs[k]);
            const char *side = a ? "right arm" : "with the sign error";
            paper_value(s, paper_text(s, "%s, %s: theta(2)", side, inputs[k]), NULL,
                        all[a][k].theta_end, "the thesis has the picture only");
            paper_value(s, paper_text(s, "%s, %s: tip deflection at t = 2", side, inputs[k]), NULL,
                        all[a][k].tip_end, "the thesis has the picture only");
        }
}

/* Largest distance of the hub angle of BI and of ode45 at tol from the solution, in degrees, at 100
 * times. */
static void distances(paper_sheet *s, const char *model, const char *set, const char *options,
                      double tf, double tol, double *bi, double *ode45)
{
    gt_problem p = arm_of(s, model, set);
    p.t1 = tf;
    double every = tf / 100;
    paper_series exact = paper_samples(
        s, &(paper_run){.problem = &p, .method = "bipade8", .h = tf / 5000, .every = every});
    paper_series run[2] = {paper_samples(s, &(paper_run){.problem = &p,
                                                         .method = "birkf",
                                                         .opt = options,
                                                         .rtol = tol,
                                                         .every = every}),
                           paper_samples(s, &(paper_run){.problem = &p,
                                                         .method = "rkf45",
                                                         .control = "ode45",
                                                         .rtol = tol,
                                                         .every = every})};
    *bi = *ode45 = 0;
    for (int r = 0; r < 2; r++)
        for (size_t k = 0; k < exact.count && k < run[r].count; k++)
            *(r ? ode45 : bi) =
                fmax(*(r ? ode45 : bi),
                     fabs(run[r].x[k * run[r].n] - exact.x[k * exact.n]) * 180 / GT_PI);
}

void gt_xie_open_4(paper_sheet *s)
{
    response all[2][3];
    double bi, ode45;
    open_responses(s, "arm_eb", "assembly=thesis", 10, 10, all);
    draw_responses(s, "4.2", "hub rotation, open loop, Euler-Bernoulli", "θ [deg]", false, all);
    draw_responses(s, "4.3", "tip deflection, open loop, Euler-Bernoulli", "tip", true, all);
    distances(s, "arm_eb", "form=plain, input=step", "alpha=0.5, rule=315", 2, 1e-6, &bi, &ode45);
    paper_claim(s, "BI and ode45", "invisible difference", bi < 0.01 && ode45 < 0.01,
                paper_text(s, "largest errors of the hub angle %.1e and %.1e degrees", bi, ode45),
                NULL);
    paper_erratum_text(
        s, "what the arm does under a step", "swings about an angle", "turns faster and faster",
        all[0][1].theta_end < 0.1 && all[1][1].theta_end > 0.5,
        "a constant torque on a body that is free to turn; the sign error holds it like a spring");
}

void gt_xie_open_5(paper_sheet *s)
{
    response all[2][3];
    open_responses(s, "arm_timoshenko", "assembly=thesis, n=20", 20, 19, all);
    draw_responses(s, "5.1", "hub rotation, open loop, Timoshenko", "θ [deg]", false, all);
    draw_responses(s, "5.2", "tip deflection, open loop, Timoshenko", "tip", true, all);
}

static void closed_responses(paper_sheet *s, const char *model, const char *thesis,
                             size_t thesis_tip, size_t tip, const char *const figures[2],
                             const char *theory)
{
    response all[2];
    for (int a = 0; a < 2; a++)
        all[a] = respond(s,
                         &(paper_run){.model = model,
                                      .set = paper_text(s, "loop=closed%s", a ? "" : thesis),
                                      .method = "bipade8",
                                      .h = 0.001,
                                      .t1 = 5},
                         a ? tip : thesis_tip, a ? "right" : "with the sign error");
    for (int f = 0; f < 2; f++) {
        cli_curve curves[] = {f ? all[0].tip : all[0].theta, f ? all[1].tip : all[1].theta};
        paper_draw(s, figures[f],
                   paper_text(s, "Figure %s: %s under PD feedback, %s", figures[f],
                              f ? "tip deflection" : "hub rotation", theory),
                   &(cli_panel){.x_label = "t",
                                .y_label = f ? "tip deflection" : "θ [deg]",
                                .curves = curves,
                                .n_curves = 2},
                   1);
    }
    for (int a = 0; a < 2; a++) {
        const char *side = a ? "right arm" : "with the sign error";
        paper_value(s, paper_text(s, "%s: theta(5)", side), NULL, all[a].theta_end,
                    "the thesis has the picture only");
        paper_value(s, paper_text(s, "%s: tip deflection at t = 5", side), NULL, all[a].tip_end,
                    "the thesis has the picture only");
    }
}

void gt_xie_closed_4(paper_sheet *s)
{
    static const char *const figures[] = {"4.4", "4.5"};
    static const char unclear[] =
        "tol = 1e-6, t = 5, n = 10 as the text and EulerMain45.m have them; these are of the right "
        "arm; n from 4 to 20, t from 2 to 10, tol from 1e-4 to 1e-7, with the sign error and "
        "without, do not give the "
        "printed ones";
    double points;
    closed_responses(s, "arm_eb", ", assembly=thesis", 10, 10, figures, "Euler-Bernoulli");
    gt_problem right = arm_of(s, "arm_eb", "loop=closed, form=plain"),
               thesis = arm_of(s, "arm_eb", "loop=closed, form=plain, assembly=thesis");
    paper_value(s, "steps of BI45, alpha = 0.47, (3.15)", "853",
                points_of(s, &right, "alpha=0.47, rule=315", 1e-6, NULL), unclear);
    paper_value(s, "steps of ode45", "1367", points_of(s, &right, NULL, 1e-6, NULL), unclear);
    paper_value(s, "steps of BI45 with the sign error", NULL,
                points_of(s, &thesis, "alpha=0.47, rule=315", 1e-6, NULL), NULL);
    paper_value(s, "steps of ode45 with the sign error", NULL,
                points_of(s, &thesis, NULL, 1e-6, NULL), NULL);
    double error[2][2];
    distances(s, "arm_eb", "loop=closed, form=plain", "alpha=0.47, rule=315", 5, 1e-6, &error[0][0],
              &error[0][1]);
    distances(s, "arm_eb", "loop=closed, form=plain, assembly=thesis", "alpha=0.47, rule=315", 5,
              1e-6, &error[1][0], &error[1][1]);
    paper_erratum_text(
        s, "BI45 beside ode45", "visibly different, and BI45 smoother", "both are right",
        error[0][0] < 0.01 && error[0][1] < 0.01 && error[1][0] < 0.01 && error[1][1] < 0.01,
        paper_text(
            s,
            "largest errors of the hub angle %.1e and %.1e degrees on the right arm, %.1e and "
            "%.1e with the sign error",
            error[0][0], error[0][1], error[1][0], error[1][1]));
    double at_5 = gives_up(s, "loop=closed, form=plain", 5, 1e-6, &points),
           at_20 = gives_up(s, "loop=closed, form=plain", 20, 1e-6, &points);
    paper_claim(s, "ode45 beyond 10 s, or with tol < 10e-7", "does not converge",
                isfinite(at_20) && !isfinite(at_5),
                "all runs go through, but for the rule hmin = tf/20000 of the printed program",
                "with that rule the first step, 1.7e-4, ends every run, also the one to 5 s that "
                "the thesis shows");
}

void gt_xie_closed_5(paper_sheet *s)
{
    static const char *const figures[] = {"5.3", "5.4"};
    static const char unclear[] =
        "tol = 1e-6, t = 5, n = 5; these are of the program of chapter 4 with beta = 1.2 and "
        "delta = 0.1, whose poles are printed; other n, t and tol were tried as for Figures "
        "4.4-4.5";
    closed_responses(s, "arm_timoshenko", ", assembly=thesis, n=5", 5, 19, figures, "Timoshenko");
    gt_problem thesis =
                   arm_of(s, "arm_timoshenko", "loop=closed, form=plain, assembly=thesis, n=5"),
               right = arm_of(s, "arm_timoshenko", "loop=closed, form=plain, n=5");
    paper_value(s, "steps of BI45, alpha = 0.47, (3.15)", "784",
                points_of(s, &thesis, "alpha=0.47, rule=315", 1e-6, NULL), unclear);
    paper_value(s, "steps of ode45", "1273", points_of(s, &thesis, NULL, 1e-6, NULL), unclear);
    paper_value(s, "steps of BI45 on Timoshenko's link, n = 5", NULL,
                points_of(s, &right, "alpha=0.47, rule=315", 1e-6, NULL), "(5.12)-(5.18)");
    paper_value(s, "steps of ode45 on Timoshenko's link, n = 5", NULL,
                points_of(s, &right, NULL, 1e-6, NULL), "(5.12)-(5.18)");
}

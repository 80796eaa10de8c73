/* SPDX-License-Identifier: BSD-3-Clause */
/* shome, appendices A and B. */
#include "paper_parts.h"
#include <math.h>
#include <string.h>

static const char no_number[] = "the paper prints no number";

/* ---- Appendix A: x' = A x + B y, y' = C x + D y; an Euler step for x, one of order 2 for y, (A6)
 * and (A7) ---- */

static const double matrix[] = {-0.5, 0.7, 1.3, -2};
static const double start[] = {1, 0.5};

static const gt_method *scheme_a(paper_sheet *s)
{
    gt_partitioned P = {.slow = {.stages = 2, .a = {{{0, 1}}, {{1, 1}}}, .b = {{1, 1}, {0, 1}}},
                        .fast = {.stages = 2, .a = {{{0, 1}}, {{1, 1}}}, .b = {{1, 2}, {1, 2}}}};
    return gt_paper_shome_method(s, "A6-A7", &P);
}

/* e^(At) q, by e^(mt) (cosh dt + sinh dt / d (A - m)). */
static void exact(double t, double *q)
{
    double m = (matrix[0] + matrix[3]) / 2, det = matrix[0] * matrix[3] - matrix[1] * matrix[2];
    double d = sqrt(m * m - det), c = exp(m * t) * cosh(d * t), f = exp(m * t) * sinh(d * t) / d;
    q[0] = c * start[0] + f * ((matrix[0] - m) * start[0] + matrix[1] * start[1]);
    q[1] = c * start[1] + f * (matrix[2] * start[0] + (matrix[3] - m) * start[1]);
}

static void errors(paper_sheet *s, const gt_method *method, double h, int steps, double *e)
{
    double x[2], q[2];
    gt_report report;
    double of_problem[4];
    memcpy(of_problem, matrix, sizeof of_problem);
    gt_problem p = gt_paper_shome_linear(of_problem, start);
    p.t1 = h * steps;
    if (gt_solve(&p, method, &(gt_plan){.h = h, .x_end = x}, &report)) s->failure = report.message;
    exact(p.t1, q);
    for (int i = 0; i < 2; i++) e[i] = fabs(x[i] - q[i]);
}

void gt_paper_shome_appendix_a(paper_sheet *s)
{
    static const char *const block[] = {"slow", "fast"}, *const local_order[] = {"2", "3"};
    const gt_method *method = scheme_a(s);
    if (!method) return;
    double e[2][2], g[2][2], h[8], curve[4][8];
    errors(s, method, 0.025, 1, e[0]);
    errors(s, method, 0.0125, 1, e[1]);
    errors(s, method, 1.0 / 320, 320, g[0]);
    errors(s, method, 1.0 / 640, 640, g[1]);
    for (int i = 0; i < 2; i++)
        paper_near(s, paper_text(s, "(A8), (A9): order of the local error, %s", block[i]),
                   local_order[i], log2(e[0][i] / e[1][i]), 0.05, NULL);
    for (int i = 0; i < 2; i++)
        paper_near(s, paper_text(s, "(A20), (A21): order of the global error, %s", block[i]), "1",
                   log2(g[0][i] / g[1][i]), 0.05, NULL);
    for (int k = 0; k < 8; k++) {
        double local[2], global[2];
        h[k] = 0.1 * pow(0.5, k);
        errors(s, method, h[k], 1, local);
        errors(s, method, h[k], (int)lround(1 / h[k]), global);
        for (int i = 0; i < 2; i++) curve[i][k] = local[i], curve[2 + i][k] = global[i];
    }
    static const char *const names[] = {"slow, one step", "fast, one step", "slow, at t = 1",
                                        "fast, at t = 1"};
    cli_curve curves[4];
    for (int i = 0; i < 4; i++)
        curves[i] = (cli_curve){
            .title = names[i], .x = h, .y = curve[i], .count = 8, .style = CLI_LINE_POINTS};
    paper_draw(s, NULL, "Appendix A: errors of an Euler step for x and a step of order 2 for y",
               &(cli_panel){.x_label = "h [s]",
                            .y_label = "error",
                            .log_x = true,
                            .log_y = true,
                            .curves = curves,
                            .n_curves = 4},
               1);

    double A = matrix[0], B = matrix[1], C = matrix[2], D = matrix[3], x = start[0], y = start[1];
    double tau_x = (A * A * x + A * B * y + B * C * x + B * D * y) / 2;
    double dx = A * x + B * y, dy = C * x + D * y, ddx = A * dx + B * dy, ddy = C * dx + D * dy;
    double tau_y = (C * ddx + D * ddy) / 6, at[2], step = 5e-4;
    errors(s, method, step, 10, at);
    double slow = at[0] / (10 * step * step * tau_x),
           fast = at[1] / (pow(step, 3) * (10 * tau_y + 45 * C * tau_x));
    paper_near(s, "(A18): error of the slow variable after 10 steps of 0.0005, over the formula",
               "1", slow, 0.02, NULL);
    paper_near(s, "(A19): error of the fast variable, over the formula", "1", fast, 0.02, NULL);
}

/* ---- Appendix B ---- */

enum { RING_Y = 15, RING_VY = 21, SLIP = 26 }; /* states of the vehicle: front ring and its slip */

static void slopes(paper_sheet *s, const gt_problem *p, const double *x, double *dx)
{
    if (p->rhs(0, x, dx, p->ctx)) gt_fail(&s->failure, GT_OK, "the vehicle cannot be evaluated");
}

void gt_paper_shome_appendix_b(paper_sheet *s)
{
    gt_problem p = paper_problem(s, "vehicle", "speed=20, torque=0, torque_swing=0, crr=0");
    double x[28], dx[28], cpx = 1e8, a = 0.04, mu = 1, F_N = 5000, up[28];
    if (!p.rhs) return;
    double beta = 2 * cpx * a * a / (3 * mu * F_N), d = 1e-7;
    double u = beta * 0.004, v = beta * (0.004 + d); /* (B6) at a slip of 0.004 */
    double C_kappa = mu * F_N * (3 * (v - u) - 3 * (v * v - u * u) + (v * v * v - u * u * u)) / d;
    paper_near(s, "(B12), (B13): sigma / a at a slip of 0.004, F_N = 5 kN", NULL,
               C_kappa / (2 * a * cpx) / a, 0, "by differences of (B6)");
    paper_claim(s, "(B6): the bracket", "3 |beta s| - 3 |beta s|^2 + |beta s|^3",
                fabs(3 * u - 3 * u * u + u * u * u - (1 - pow(1 - u, 3))) < 1e-15,
                "it is 1 - (1 - |beta s|)^3", NULL);
    paper_claim(s, "(B12): sigma in closed form", "C_kappa / (2 a c_px)",
                fabs(C_kappa / (2 * a * cpx) / a - (1 - u) * (1 - u)) < 1e-4, "a (1 - |beta s|)^2",
                NULL);
    slopes(s, &p, p.x0, dx);
    paper_value(s, "slip rate of a wheel that rolls freely at 20 m/s [1/s]", NULL, fabs(dx[SLIP]),
                no_number);
    paper_erratum_text(
        s, "(B11)", "s' = |x_R' + R theta_R'| sign(x_R')/sigma - |x_R'|/sigma",
        "s' = -(x_R' + R theta_R' + |x_R'| s)/sigma", fabs(dx[SLIP]) < 1e-9,
        paper_text(
            s,
            "as printed a wheel that rolls freely at 20 m/s has s' = %.0f 1/s, and s grows without "
            "end whatever it does; the slip must relax to that of steady rolling",
            -20 / a));
    paper_erratum_text(
        s, "(B12), (B13) when the tyre slides", "sigma = C_kappa/(2 a c_px)", "with a least value",
        1 - beta * 0.2 < 0,
        "beyond |s| = 1/beta the force is constant, (B7), so that sigma = 0 and s' infinite");
    memcpy(x, p.x0, sizeof x);
    x[RING_Y] = 0.3135 + 0.01; /* 1 cm above the road */
    slopes(s, &p, x, up);
    x[RING_Y] += 0.001;
    slopes(s, &p, x, dx);
    double stiffness = -(dx[RING_VY] - up[RING_VY]) * 7 / 0.001;
    paper_value(s, "stiffness felt by a ring 1 cm above the road [N/m]", NULL, stiffness,
                "that of its sidewall alone");
    paper_erratum_text(s, "(B4)", "F_N = -K_res (..) - C_res y_R'",
                       "max(0, ..), and y_R' - y_road'", fabs(stiffness - 1.769e6) < 1,
                       "as printed the road pulls at a ring that has left it, by 2255 N at 1 cm; "
                       "and the damper acts "
                       "between ring and road, which moves where it is not flat");
    paper_erratum_text(s, "(B10): c_rr", "rotational rolling resistance",
                       "a length, the arm of F_N", true, "c_rr F_N is a torque");
    paper_value(s, "Figure B1: states of a ring and its slip", NULL, 7,
                "a drawing: x, y, theta, their rates, and s");
}

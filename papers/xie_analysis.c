/* SPDX-License-Identifier: BSD-3-Clause */
/* xie, sections 3.1 to 3.3: stability, accuracy, damping and frequency of BI45 and BI55. */
#include "xie.h"
#include <complex.h>
#include <geartrain/author/number.h>
#include <math.h>

static const char picture_only[] = "the thesis has the picture only";

static const char *alpha_text(paper_sheet *s, double alpha)
{
    return paper_text(s, "alpha=%.10g", alpha);
}

/* ---- 3.1 ---- */

static const double all_alphas[3][5] = {
    {0.1, 0.2, 0.3, 0.4, NAN}, {0.41, 0.42, 0.43, 0.44, 0.45}, {0.46, 0.47, 0.48, 0.49, 0.5}};

static void draw_domains(paper_sheet *s, const char *method, int first)
{
    for (int f = 0; f < 3; f++) {
        cli_curve curves[5];
        size_t count = f == 0 ? 4 : 5;
        for (size_t k = 0; k < count; k++) {
            double alpha = all_alphas[f][k];
            curves[k] =
                gt_xie_boundary(s, method, alpha_text(s, alpha), paper_text(s, "α = %g", alpha));
        }
        paper_draw(
            s, paper_text(s, "3.%d", first + f),
            paper_text(s, "Figure 3.%d: %s is unstable inside these curves", first + f, method),
            &(cli_panel){.x_label = "Re(λh)",
                         .y_label = "Im(λh)",
                         .equal = true,
                         .curves = curves,
                         .n_curves = count},
            1);
    }
}

/* Where the positive real axis becomes stable, which is the h_max of CalMaxH for theta = 0. */
static double crossing(paper_sheet *s, const char *method, double alpha)
{
    gt_amplifier a;
    gt_line line;
    if (gt_amplifier_open(&a, gt_method_find(method), alpha_text(s, alpha), &s->failure))
        return NAN;
    gt_stability_line(&a, 0, 1, &line);
    gt_amplifier_close(&a);
    return line.cuts ? line.at[line.cuts - 1] : INFINITY;
}

/* Largest |R(iy)| between two y. */
static double peak(paper_sheet *s, const char *method, double alpha, double low, double high)
{
    gt_amplifier a;
    double most = 0;
    if (gt_amplifier_open(&a, gt_method_find(method), alpha_text(s, alpha), &s->failure))
        return NAN;
    for (int k = 0; k <= 20000; k++)
        most = fmax(most, gt_amplifier_largest(&a, I * (low + (high - low) * k / 20000)));
    gt_amplifier_close(&a);
    return most;
}

/* The alpha between `unstable` and `stable` from which on there is no unstable part of the
 * imaginary axis. */
static double window_edge(paper_sheet *s, double unstable, double stable)
{
    for (int k = 0; k < 40; k++) {
        double middle = (unstable + stable) / 2;
        *(gt_paper_facts(s, "bi45", alpha_text(s, middle)).n_gaps ? &unstable : &stable) = middle;
    }
    return stable;
}

/* The zero of T5 in the upper right quarter, by Newton. */
static double complex zero_of_T5(void)
{
    double complex z = 0.24 + 3.13 * I;
    for (int k = 0; k < 20; k++) {
        double complex slope = 1 + z * (1 + z * (1. / 2 + z * (1. / 6 + z / 24)));
        z -= (slope + z * z * z * z * z / 120) / slope;
    }
    return z;
}

/* Rows for the alphas of the figures; whether any of them is A-stable, and whether the crossing
 * grows with alpha. */
static void rows_of_domains(paper_sheet *s, const char *method, bool *a_stable, bool *grows)
{
    double before = 0;
    *a_stable = false, *grows = true;
    for (int f = 0; f < 3; f++)
        for (int k = 0; k < (f == 0 ? 4 : 5); k++) {
            double alpha = all_alphas[f][k], at = crossing(s, method, alpha);
            gt_stability facts = gt_paper_facts(s, method, alpha_text(s, alpha));
            *a_stable = *a_stable || facts.a_stable;
            *grows = *grows && at > before;
            before = at;
            if (isfinite(at))
                paper_value(
                    s, paper_text(s, "alpha = %g: unstable on the positive real axis up to", alpha),
                    NULL, at, picture_only);
            paper_value(s, paper_text(s, "alpha = %g: A(theta)-stable for theta, degrees", alpha),
                        NULL, facts.sector_deg,
                        facts.n_gaps ? paper_text(s, "unstable for h omega in [%.4f, %.4f]",
                                                  facts.gaps[0][0], facts.gaps[0][1])
                                     : "stable on the imaginary axis");
        }
}

void gt_xie_stability_45(paper_sheet *s)
{
    bool a_stable, grows;
    draw_domains(s, "bi45", 1);
    rows_of_domains(s, "bi45", &a_stable, &grows);
    paper_claim(s, "stable domain as alpha grows", "becomes smaller", grows,
                "so it does: the crossing of the positive real axis moves out", NULL);
    double complex zero = zero_of_T5();
    paper_value(s, "zero of T5: real part", NULL, creal(zero),
                "becomes a pole of R in the left half plane");
    paper_value(s, "zero of T5: imaginary part", NULL, cimag(zero),
                "becomes a pole of R in the left half plane");
    paper_erratum_text(
        s, "BI45 is A-stable for", "0.3 <= alpha <= 0.47", "no alpha", !a_stable && creal(zero) > 0,
        paper_text(s, "R has poles at -(%.4f +- %.4fi)/(1 - alpha)", creal(zero), cimag(zero)));
    paper_erratum_text(s, "BI45 is L-stable for", "0.3 <= alpha <= 0.47, also in chapter 6",
                       "no alpha", !a_stable,
                       "R(infinity) = 0, but L-stability is A-stability with it");
    double low = window_edge(s, 0.4, 0.44), high = window_edge(s, 0.47, 0.44);
    paper_erratum(s, "BI45 is stable on the imaginary axis from alpha =", "0.3", low,
                  "bisection on the polynomial |T4(i alpha y)|^2 - |T5(-i (1 - alpha) y)|^2");
    paper_erratum(s, "BI45 is stable on the imaginary axis up to alpha =", "0.47", high,
                  "the same");
    gt_stability at_47 = gt_paper_facts(s, "bi45", "alpha=0.47");
    paper_value(s, "the recommended alpha = 0.47: unstable from h omega =", NULL, at_47.gaps[0][0],
                NULL);
    paper_value(s, "the recommended alpha = 0.47: unstable up to h omega =", NULL, at_47.gaps[0][1],
                NULL);
    paper_value(s, "the recommended alpha = 0.47: largest |R| there", NULL,
                peak(s, "bi45", 0.47, at_47.gaps[0][0], at_47.gaps[0][1]), NULL);
    paper_erratum_text(s, "recommended alpha for BI45", "0.47", "0.44",
                       at_47.n_gaps == 1 && low < 0.44 && high > 0.44,
                       "inside the window above; no alpha makes it A-stable");
    gt_stability code = gt_paper_facts(s, "birkf", "alpha=0.47");
    paper_value(s, "the printed nonlinear program at alpha = 0.47: unstable from h omega =", NULL,
                code.gaps[0][0], NULL);
    paper_value(s, "the printed nonlinear program at alpha = 0.47: unstable up to h omega =", NULL,
                code.gaps[0][1], NULL);
    paper_erratum_text(
        s, "the program bi45.m", "BI45, (3.2)", "neither (3.2) nor (3.3)",
        fabs(code.gaps[0][0] - at_47.gaps[0][0]) > 1,
        "it uses Fehlberg's fifth-order weights, with T5 + z^6/2080, in both halves");
}

void gt_xie_stability_55(paper_sheet *s)
{
    bool a_stable, grows;
    draw_domains(s, "bi55", 4);
    rows_of_domains(s, "bi55", &a_stable, &grows);
    gt_stability half = gt_paper_facts(s, "bi55", "alpha=0.5"),
                 at_4 = gt_paper_facts(s, "bi55", "alpha=0.4"),
                 code = gt_paper_facts(s, "birkf", "alpha=0.5");
    paper_erratum_text(s, "BI55 is A-stable for", "0.3 <= alpha < 0.5", "no alpha", !a_stable,
                       "as BI45, for the zeros of T5");
    paper_erratum_text(s, "BI55 is L-stable for", "0.3 <= alpha < 0.5", "no alpha",
                       at_4.r_infinity > 0.1,
                       paper_text(s, "|R(infinity)| = (alpha/(1 - alpha))^5, %.4f at alpha = 0.4",
                                  at_4.r_infinity));
    paper_erratum_text(s, "BI55 at alpha = 0.5", "F-stable",
                       "|R| = 1 on the imaginary axis, but not A-stable",
                       !half.f_stable && half.n_light == 1, "poles in the left half plane");
    paper_value(s, "alpha = 0.5: lightly damped modes grow from h omega =", NULL, half.light[0][0],
                NULL);
    paper_value(s, "alpha = 0.5: lightly damped modes grow up to h omega =", NULL, half.light[0][1],
                NULL);
    paper_value(
        s, "the printed nonlinear program at alpha = 0.5: lightly damped modes grow from h omega =",
        NULL, code.light[0][0], NULL);
    paper_value(
        s,
        "the printed nonlinear program at alpha = 0.5: lightly damped modes grow up to h omega =",
        NULL, code.light[0][1], NULL);
    paper_claim(s, "stable domain as alpha grows", "becomes smaller", grows,
                "so it does: the crossing of the positive real axis moves out", NULL);
}

/* ---- 3.2 ---- */

enum { ANGLES = 37 };

static void find_domain(paper_sheet *s, const char *method, double alpha, const double x0[2],
                        double tol, double *h)
{
    for (int i = 0; i < ANGLES; i++)
        if (gt_accuracy_limit(gt_method_find(method), alpha_text(s, alpha), 5 * i, x0, tol, 10,
                              &h[i], &s->failure))
            h[i] = NAN;
}

static cli_curve polar(paper_sheet *s, const double *h, const char *title)
{
    double *x, *y;
    cli_curve curve = gt_xie_curve(s, title, 2 * ANGLES, &x, &y);
    for (int i = 0; i < ANGLES; i++) {
        double angle = 5 * i * GT_PI / 180;
        x[i] = x[2 * ANGLES - 1 - i] = h[i] * cos(angle);
        y[i] = h[i] * sin(angle);
        y[2 * ANGLES - 1 - i] = -y[i];
    }
    return curve;
}

void gt_xie_accuracy(paper_sheet *s)
{
    static const double starts[3][2] = {{1, 0}, {0, 1}, {1, 1}};
    static const char *const methods[] = {"bi45", "bi55"};
    static const double readings[] = {1e-3, 1e-4, 1e-5};
    double h[4][ANGLES], apart = 1, at_135[3];
    int larger[2] = {0}, pairs[2] = {0};
    for (int f = 0; f < 6; f++) {
        const char *method = methods[f / 3];
        const double *x0 = starts[f % 3];
        cli_curve curves[4];
        for (int k = 0; k < 4; k++) {
            double alpha = 0.1 * (k + 1);
            find_domain(s, method, alpha, x0, 1e-4, h[k]);
            curves[k] = polar(s, h[k], paper_text(s, "α = %g", alpha));
            paper_value(s,
                        paper_text(s, "%s, alpha = %g, x0 = (%g, %g), theta = 90, tol 1e-4: h",
                                   method, alpha, x0[0], x0[1]),
                        NULL, h[k][18], picture_only);
            for (int i = 0; i < ANGLES && k > 0; i++)
                larger[f / 3] += h[k][i] > h[k - 1][i], pairs[f / 3]++;
        }
        if (f < 3) at_135[f] = h[3][27];
        paper_draw(
            s, paper_text(s, "3.%d", 7 + f),
            paper_text(s, "Figure 3.%d: accuracy domain of %s, x0 = (%g, %g), error at most 1e-4",
                       7 + f, method, x0[0], x0[1]),
            &(cli_panel){.x_label = "h cos θ",
                         .y_label = "h sin θ",
                         .equal = true,
                         .curves = curves,
                         .n_curves = 4},
            1);
    }
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) apart = fmax(apart, at_135[k] / at_135[j]);
    for (int k = 0; k < 3; k++) {
        double one;
        find_domain(s, "bi45", 0.4, starts[0], readings[k], h[0]);
        one = h[0][18];
        paper_value(s,
                    paper_text(s, "bi45, alpha = 0.4, x0 = (1, 0), theta = 90, tolerance %g: h",
                               readings[k]),
                    NULL, one, "three readings of the tolerance, see below");
    }
    paper_erratum_text(
        s, "tolerance of the figures", "10e-4 in the text, 10^-4 in the captions",
        "10e-6 = 1e-5 in the program that draws them", true,
        "Accuracy.m sets tol=10e-6; the rows above are for all three, the figures for 1e-4");
    for (int m = 0; m < 2; m++)
        paper_claim(s, paper_text(s, "domain of %s as alpha grows", methods[m]), "becomes larger",
                    larger[m] == pairs[m],
                    paper_text(s, "at %d of %d angles and alphas", larger[m], pairs[m]),
                    m ? "the largest h jumps where the number of steps, round(10/h), changes"
                      : "its leading error is -(alpha z)^5/120, which grows with alpha: only while "
                        "the next term is "
                        "larger does "
                        "the domain grow; and the largest h jumps where round(10/h) changes");
    paper_claim(s, "domain and initial state", "depends heavily on it", apart > 1.05,
                paper_text(s, "at 135 degrees by a factor of %.2f between the three starts", apart),
                NULL);
    double once, twice, x0[2] = {2, 0};
    (void)!gt_accuracy_limit(gt_method_find("bi45"), "alpha=0.4", 90, starts[0], 1e-4, 10, &once,
                             &s->failure);
    (void)!gt_accuracy_limit(gt_method_find("bi45"), "alpha=0.4", 90, x0, 1e-4, 10, &twice,
                             &s->failure);
    paper_erratum_text(
        s, "rule of thumb for the largest step", "inversely proportional to the norm of x0",
        "as its power -1/4, for a method of order 4", fabs(twice / once - pow(2, -0.25)) < 0.03,
        paper_text(s, "twice the initial state: %.3f of the step, and 2^(-1/4) = %.3f",
                   twice / once, pow(2, -0.25)));
}

/* ---- 3.3 ---- */

void gt_xie_damping(paper_sheet *s)
{
    enum { POINTS = 201 };
    static const int angles[] = {0, 15, 45, 75, 90};
    static const char *const methods[] = {"bi45", "bi55"};
    double pi = GT_PI, worst_4[2][5] = {{0}}, worst_8 = INFINITY;
    for (int f = 0; f < 10; f++) {
        const char *method = methods[f / 5];
        int angle = angles[f % 5];
        cli_curve damping[3], frequency[3];
        for (int k = 0; k < 2; k++) {
            gt_amplifier a;
            double alpha = k ? 0.4 : 0.1, *x, *y, *u, *v, *ex, *ey, *eu, *ev;
            if (gt_amplifier_open(&a, gt_method_find(method), alpha_text(s, alpha), &s->failure))
                return;
            damping[k + 1] = gt_xie_curve(s, paper_text(s, "α = %g", alpha), POINTS, &x, &y);
            frequency[k + 1] = gt_xie_curve(s, paper_text(s, "α = %g", alpha), POINTS, &u, &v);
            damping[0] = gt_xie_curve(s, "exact", POINTS, &ex, &ey);
            frequency[0] = gt_xie_curve(s, "exact", POINTS, &eu, &ev);
            for (int i = 0; i < POINTS; i++) {
                double r = 20.0 * i / (POINTS - 1);
                gt_damping d = gt_damping_at(&a, angle, r);
                x[i] = u[i] = ex[i] = eu[i] = r;
                y[i] = d.damping, ey[i] = d.exact_damping;
                v[i] = d.frequency < -1e-12 ? d.frequency + 2 * pi
                                            : fabs(d.frequency); /* in [0, 2 pi) */
                ev[i] = d.exact_frequency - 2 * pi * floor(d.exact_frequency / (2 * pi));
                double off = fmax(fabs(d.damping - d.exact_damping),
                                  fabs(sin((v[i] - d.exact_frequency) / 2))) /
                             r;
                if (k == 1 && r > 0 && r <= 4)
                    worst_4[f / 5][f % 5] = fmax(worst_4[f / 5][f % 5], off);
                if (k == 1 && fabs(r - 8) < 1e-9) worst_8 = fmin(worst_8, off);
            }
            for (int i = POINTS - 1; i > 0; i--) { /* no line where the angle wraps round */
                if (fabs(v[i] - v[i - 1]) > pi) v[i] = NAN;
                if (fabs(ev[i] - ev[i - 1]) > pi) ev[i] = NAN;
            }
            for (int r = 2; r <= 4; r += 2) {
                gt_damping d = gt_damping_at(&a, angle, r);
                const char *name =
                    paper_text(s, "%s, alpha = %g, theta = %d, r = %d", method, alpha, angle, r);
                paper_value(s, paper_text(s, "%s: damping", name), NULL, d.damping,
                            paper_text(s, "exact %.10g", d.exact_damping));
                if (angle > 0)
                    paper_value(s, paper_text(s, "%s: frequency", name), NULL, d.frequency,
                                paper_text(s, "exact %.10g", d.exact_frequency));
            }
            gt_amplifier_close(&a);
        }
        damping[0].style = frequency[0].style = CLI_BACKGROUND;
        cli_panel panels[] = {
            {.x_label = "r", .y_label = "damping", .curves = damping, .n_curves = 3},
            {.x_label = "r", .y_label = "frequency", .curves = frequency, .n_curves = 3}};
        paper_draw(s, paper_text(s, "3.%d", 13 + f),
                   paper_text(s, "Figure 3.%d: damping and frequency of %s, θ = %d degrees", 13 + f,
                              method, angle),
                   panels, angle > 0 ? 2 : 1);
    }
    paper_claim(s, "good approximation", "only for r < 4", worst_8 > 0.05,
                paper_text(s, "at r = 8 damping or frequency is off by %.0f %% of r or more",
                           100 * worst_8),
                NULL);
    double not_90 = 0;
    for (int k = 0; k < 4; k++) not_90 = fmax(not_90, worst_4[0][k]);
    paper_claim(s, "BI45 near theta = 90", "worse than elsewhere", worst_4[0][4] > not_90,
                paper_text(s,
                           "up to r = 4 damping or frequency is off by %.3f r at most at 90 "
                           "degrees, by %.3f r at 0",
                           worst_4[0][4], worst_4[0][0]),
                "true of the relative error of the damping, which is 0 there; in absolute terms "
                "the largest error up to "
                "r = 4 is at 0 degrees");
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* xie, chapters 4 and 5: the equations of the arms and their poles. */
#include "xie.h"
#include <float.h>
#include <geartrain/analysis/analysis.h>
#include <math.h>
#include <stdlib.h>

/* ---- the printed equations ---- */

/* Row of K times the rigid motion theta = 1, z_i = i/n, which no stiffness may resist; in units of
 * the largest term. */
static double resists(const double *coefficient, const int *index, int count, double n,
                      double theta_part)
{
    double sum = theta_part, most = fabs(theta_part);
    for (int k = 0; k < count; k++) {
        double term = coefficient[k] * (n + index[k]) / n;
        sum += term;
        most = fmax(most, fabs(term));
    }
    return fabs(sum) / most;
}

void gt_xie_arm_equations(paper_sheet *s)
{
    static const char rigid[] = "a rigid motion z_i = theta i/n must not bend the link";
    const double n = 10;
    /* rows 1, n-1 and n, for beta = 1; indices count from the hub (-n) or from the tip */
    const double first[] = {1, -4, 6}, printed_31[] = {-1, 5, -10, 1}, right_31[] = {-2, 5, -4, 1};
    const double program[] = {1, 2, 1}, right_n[] = {1, -2, 1};
    const int hub[] = {3 - 10, 2 - 10, 1 - 10}, tip[] = {0, -1, -2, -3};
    double plus = resists(first, hub, 3, n, 1 / n), minus = resists(first, hub, 3, n, -1 / n);
    paper_erratum_text(s, "(4.25), hub term", "+ beta0 theta/n", "- beta0 theta/n",
                       plus > 0.1 && minus < 1e-14, rigid);
    paper_erratum_text(
        s, "(4.31), bending", "-beta z_n + .. - 2(beta + 4 beta) z_(n-2) + ..",
        "-2 beta z_n + .. - 2(beta + beta) z_(n-2) + ..",
        resists(printed_31, tip, 4, n, 0) > 0.1 && resists(right_31, tip, 4, n, 0) < 1e-14, rigid);
    paper_erratum_text(
        s, "last row of K in the program MKBmat.m", "b0, 2*b0, b0", "b0, -2*b0, b0, as in (4.32)",
        resists(program, tip, 3, n, 0) > 0.1 && resists(right_n, tip, 3, n, 0) < 1e-14,
        "a rigid motion must not bend the link; all printed poles, Table 1 and the responses come "
        "from "
        "this sign");
    double kappa = 0.01, zeta = 0.001, mu = 0.01, ad = 0.01;
    double row_before =
        -n * n * (n * kappa + zeta * mu + ad); /* (n-1, n), with the rows as printed */
    double printed = -n * (n * kappa + n * ad + zeta * mu),
           right = -n * (n * kappa + ad + zeta * mu);
    paper_erratum_text(
        s, "last row of M, first entry", "-n (n kappa + n alpha delta + zeta mu)",
        "-n (n kappa + alpha delta + zeta mu), as in (4.32)",
        fabs(n * right - row_before) < 1e-12 && fabs(n * printed - row_before) > 1e-3,
        "with the rows scaled by n, 1, .., 1, n M is symmetric; as printed it is not");
    paper_erratum_text(s, "(4.31), inertia of z_(n-1)",
                       "alpha + n^2 (alpha delta + alpha delta) n kappa",
                       "alpha + n^2 (alpha delta + alpha delta + n kappa)", true,
                       "the matrix M that follows has it so");
    paper_erratum_text(
        s, "K, factor of the matrix", "1/n^4", "n^4", true,
        "its first row n^4 (beta0/n^3, -beta0/n^2) is (4.24), and the others are (4.25)-(4.32)");
    paper_erratum_text(
        s, "(4.26), (4.27), inertia",
        "alpha_(i+1) delta_(i+1) and alpha_i delta_i; z_(i+1), z_(i-1)",
        "alpha_i delta_i and alpha_(i-1) delta_(i-1); their second time derivatives", true,
        "the coefficient of z_2'' in (4.25) must be that of z_1'' in (4.26), as in M");
    paper_erratum_text(s, "(5.3), (5.7), second equation", "[C(phi - v')] + rho v_tt = 0",
                       "[C(phi - v')]' + rho v_tt = 0", true,
                       "(5.14) and (5.16) take differences of the bracket");
    paper_erratum_text(s, "(5.17)", "xi mu", "zeta mu", true,
                       "(5.10), of which it is the difference equation");
}

/* ---- poles ---- */

enum { MOST = 64 };
typedef struct poles {
    size_t count;
    double re[MOST], im[MOST]; /* of a pair the one with im > 0; by im, and then by re */
    double rounding; /* the eigenvalues are those of a matrix that differs by so much; which digits,
                        BLAS decides */
} poles;

static int by_frequency(const void *a, const void *b)
{
    const gt_mode *p = a, *q = b;
    double pi = p->im < 1e-6 ? 0 : p->im, qi = q->im < 1e-6 ? 0 : q->im;
    return pi != qi ? (pi > qi) - (pi < qi) : (p->re > q->re) - (p->re < q->re);
}

static poles poles_of(paper_sheet *s, const char *model, const char *set)
{
    poles out = {0};
    gt_linearization linear;
    gt_problem p = paper_problem(s, model, set);
    if (!p.rhs || gt_linearize(&p, 0, p.x0, &linear, &s->arena, &s->failure)) return out;
    qsort(linear.modes, linear.n, sizeof *linear.modes, by_frequency);
    for (size_t k = 0; k < linear.n && out.count < MOST; k++)
        if (linear.modes[k].im >= 0)
            out.re[out.count] = linear.modes[k].re, out.im[out.count++] = linear.modes[k].im;
    for (size_t k = 0; k < out.count; k++)
        out.rounding =
            fmax(out.rounding, (double)out.count * DBL_EPSILON * hypot(out.re[k], out.im[k]));
    return out;
}

/* The numbers that the printed poles of chapter 5 belong to: those of the arm of chapter 4, with
 * its sign error. */
static const char behind_chapter_5[] = "n=20, beta=1.2, delta=0.1, assembly=thesis";

static bool same_poles(const poles *a, const poles *b)
{
    if (a->count != b->count || a->count == 0) return false;
    for (size_t k = 0; k < a->count; k++)
        if (hypot(a->re[k] - b->re[k], a->im[k] - b->im[k]) >
            1e-6 * (1 + hypot(a->re[k], a->im[k])))
            return false;
    return true;
}

/* Frequencies above that of the rigid motion, whose two eigenvalues 0 come out as +- sqrt of the
 * rounding. */
static size_t elastic(const poles *p, double *omega)
{
    size_t count = 0;
    for (size_t k = 0; k < p->count; k++)
        if (p->im[k] > 0.01) omega[count++] = p->im[k];
    return count;
}

enum { PRINTED = 21 };

static void open_rows(paper_sheet *s, const char *const *printed, const poles *thesis,
                      const poles *right, const char *reason)
{
    double wrong[MOST], omega[MOST];
    size_t n_wrong = elastic(thesis, wrong), count = elastic(right, omega);
    for (size_t k = 0; k < PRINTED; k++)
        paper_value(s, paper_text(s, "omega_%zu/100, with the program's sign error", k + 1),
                    printed[k], k < n_wrong ? wrong[k] / 100 : NAN, NULL);
    paper_erratum(s, "omega_1/100", printed[0], count + 1 == PRINTED ? 0 : omega[0] / 100, reason);
    for (size_t k = 1; k < PRINTED && k <= count; k++)
        paper_erratum_within(s, paper_text(s, "omega_%zu/100", k + 1), printed[k],
                             omega[k - 1] / 100, right->rounding / 100, "the same");
}

static const char sign_error[] =
    "the link is free to turn, so the first one is the rigid motion; the printed ones have "
    "the sign error in the last row of K";

/* The continuous link, (4.15)-(4.18) with (4.37): z = A sin bx + B cos bx + C sinh ax + D cosh ax,
 * times e^(i omega t), with k = a, ib the zeros of k^4 + omega^2 delta k^2 - omega^2. z(0) = 0 and
 * the hub leave A and C; what is 0 at a frequency of the link is the determinant of the two
 * conditions at the tip. */
static double tip_determinant(double omega)
{
    const double eta = 0.01, mu = 0.01, kappa = 0.01, zeta = 0.001, delta = 0.01;
    double w2 = omega * omega, root = sqrt(w2 * w2 * delta * delta + 4 * w2), row[2][2];
    double a = sqrt((root - w2 * delta) / 2), b = sqrt((root + w2 * delta) / 2);
    for (int k = 0; k < 2; k++) { /* A = 1, then C = 1 */
        double A = k == 0, C = k == 1, D = -eta * w2 * (A * b + C * a) / (a * a + b * b), B = -D;
        double s1 = A * sin(b) + B * cos(b), s2 = A * cos(b) - B * sin(b);
        double h1 = C * sinh(a) + D * cosh(a), h2 = C * cosh(a) + D * sinh(a);
        double z = s1 + h1, slope = b * s2 + a * h2, bent = -b * b * s1 + a * a * h1,
               shear = -b * b * b * s2 + a * a * a * h2;
        row[0][k] = bent - w2 * (kappa * slope + zeta * mu * z);
        row[1][k] = shear + w2 * (delta * slope + mu * (z + zeta * slope));
    }
    return row[0][0] * row[1][1] - row[0][1] * row[1][0];
}

static void link_frequencies(double *omega, int count)
{
    int found = 0;
    for (double low = 1; found < count; low += 0.1) {
        double from = low, to = low + 0.1;
        if ((tip_determinant(from) > 0) == (tip_determinant(to) > 0)) continue;
        for (int k = 0; k < 60; k++) {
            double middle = (from + to) / 2;
            *((tip_determinant(middle) > 0) == (tip_determinant(from) > 0) ? &from : &to) = middle;
        }
        omega[found++] = from;
    }
}

void gt_xie_poles_open_4(paper_sheet *s)
{
    static const char *const printed[PRINTED] = {
        "0.0830", "0.2071", "0.3391", "0.5643", "0.8726", "1.1987", "1.5184",
        "1.8234", "2.1113", "2.3805", "2.6302", "2.8595", "3.0677", "3.2539",
        "3.4172", "3.5570", "3.6725", "3.7631", "3.8282", "3.8675", "4.9455"};
    poles thesis = poles_of(s, "arm_eb", "n=20, assembly=thesis"),
          right = poles_of(s, "arm_eb", "n=20");
    double omega[MOST], least = 0, grid[4], error[3][4];
    open_rows(s, printed, &thesis, &right, sign_error);
    for (size_t k = 0; k < right.count; k++) least = fmax(least, fabs(right.re[k]));
    paper_claim(s, "all poles", "on the imaginary axis", least < 1e-4,
                paper_text(s, "real parts below %.0e, from rounding", least), NULL);
    double link[3];
    link_frequencies(link, 3);
    for (int i = 0; i < 3; i++)
        paper_value(s, paper_text(s, "frequency %d of the continuous link", i + 1), NULL, link[i],
                    "(4.15)-(4.18)");
    for (int k = 0; k < 4; k++) {
        grid[k] = 10 << k;
        poles p = poles_of(s, "arm_eb", paper_text(s, "n=%d", 10 << k));
        elastic(&p, omega);
        for (int i = 0; i < 3; i++) {
            error[i][k] = fabs(omega[i] / link[i] - 1);
            paper_value(s, paper_text(s, "n = %d: frequency %d of the right arm", 10 << k, i + 1),
                        NULL, omega[i], paper_text(s, "the link itself has %.8g", link[i]));
        }
    }
    cli_curve curves[3];
    for (int i = 0; i < 3; i++)
        curves[i] = (cli_curve){.title = paper_text(s, "frequency %d", i + 1),
                                .x = grid,
                                .y = error[i],
                                .count = 4,
                                .style = CLI_LINE_POINTS};
    paper_draw(s, NULL, "Frequencies of the right arm converge to those of the continuous link",
               &(cli_panel){.x_label = "segments n",
                            .y_label = "relative distance",
                            .log_x = true,
                            .log_y = true,
                            .curves = curves,
                            .n_curves = 3},
               1);
}

void gt_xie_poles_open_5(paper_sheet *s)
{
    static const char *const printed[PRINTED] = {
        "0.0714", "0.1652", "0.2590", "0.3506", "0.4497", "0.5437", "0.6406",
        "0.7307", "0.8204", "0.9027", "0.9820", "1.0538", "1.1207", "1.1797",
        "1.2325", "1.2771", "1.3144", "1.3435", "1.3645", "1.3771", "3.2985"};
    poles thesis = poles_of(s, "arm_timoshenko", "n=20, assembly=thesis"),
          right = poles_of(s, "arm_timoshenko", NULL), euler = poles_of(s, "arm_eb", "n=20"),
          behind = poles_of(s, "arm_eb", behind_chapter_5);
    double omega[MOST], of_euler[MOST];
    open_rows(
        s, printed, &thesis, &right,
        "the printed ones are not Timoshenko's: they are those of the program of chapter 4 with "
        "its sign error, "
        "n = 20, beta = 1.2 and delta = 0.1; these are (5.12)-(5.18) with the numbers (5.23)");
    elastic(&right, omega);
    elastic(&euler, of_euler);
    paper_erratum_text(s, "numbers that the printed poles belong to",
                       "(5.23): n = 10, beta = 1, delta = 0.01, gamma = 100",
                       "n = 20, beta = 1.2, delta = 0.1, no shear", same_poles(&thesis, &behind),
                       "all 21 are met by them, above");
    paper_claim(s, "poles of Timoshenko's link", "smaller than those of Euler and Bernoulli's",
                omega[9] < of_euler[9],
                paper_text(s, "the third is %.3f against %.3f, the tenth %.1f against %.1f",
                           omega[2], of_euler[2], omega[9], of_euler[9]),
                NULL);
}

/* ---- closed loop ---- */

typedef struct printed_pole {
    const char *re, *im;
} printed_pole;

static void closed_rows(paper_sheet *s, const printed_pole *printed, const poles *thesis,
                        const poles *right)
{
    for (size_t k = 0; k < 22; k++) { /* two real ones, and 20 pairs */
        const char *name = paper_text(s, "pole %zu", k + 1);
        paper_value(s, paper_text(s, "%s/100 with the program's sign error: real part", name),
                    printed[k].re, thesis->re[k] / 100, NULL);
        if (k > 1)
            paper_value(s,
                        paper_text(s, "%s/100 with the program's sign error: imaginary part", name),
                        printed[k].im, thesis->im[k] / 100, NULL);
    }
    for (size_t k = 0; k < right->count && k < 12; k++) {
        const char *name = paper_text(s, "pole %zu of the right arm", k + 1);
        paper_value(s, paper_text(s, "%s: real part", name), NULL, right->re[k],
                    "no number that is printed");
        if (right->im[k] > 0)
            paper_value(s, paper_text(s, "%s: imaginary part", name), NULL, right->im[k],
                        "no number that is printed");
    }
}

static double largest_real_part(const poles *p)
{
    double most = -INFINITY;
    for (size_t k = 0; k < p->count; k++) most = fmax(most, p->re[k]);
    return most;
}

void gt_xie_poles_closed_4(paper_sheet *s)
{
    static const printed_pole printed[] = {
        {"-5.4579", ""},       {"-0.0369", ""},       {"-0.0021", "0.1244"}, {"-0.0017", "0.2955"},
        {"-0.0019", "0.5415"}, {"-0.0017", "0.8610"}, {"-0.0014", "1.1919"}, {"-0.0012", "1.5140"},
        {"-0.0010", "1.8204"}, {"-0.0008", "2.1091"}, {"-0.0007", "2.3789"}, {"-0.0005", "2.6290"},
        {"-0.0004", "2.8587"}, {"-0.0003", "3.0671"}, {"-0.0003", "3.2534"}, {"-0.0002", "3.4169"},
        {"-0.0001", "3.5568"}, {"-0.0001", "3.6724"}, {"-0.0000", "3.7630"}, {"-0.0000", "3.8282"},
        {"-0.0000", "3.8674"}, {"-0.0000", "4.9455"}};
    poles thesis = poles_of(s, "arm_eb", "n=20, loop=closed, assembly=thesis"),
          right = poles_of(s, "arm_eb", "n=20, loop=closed"),
          ten = poles_of(s, "arm_eb", "n=10, loop=closed");
    closed_rows(s, printed, &thesis, &right);
    for (size_t k = 0; k < ten.count; k++) {
        paper_value(s, paper_text(s, "n = 10, pole %zu of the right arm: real part", k + 1), NULL,
                    ten.re[k], NULL);
        if (ten.im[k] > 0)
            paper_value(s,
                        paper_text(s, "n = 10, pole %zu of the right arm: imaginary part", k + 1),
                        NULL, ten.im[k], NULL);
    }
    paper_erratum_within(s, "real part of the 4th pole pair from the end", "-2.1074e-03",
                         thesis.re[18], thesis.rounding,
                         "the numbers of the 3rd and the 4th pair are interchanged");
    paper_erratum_within(s, "real part of the 3rd pole pair from the end", "-4.7697e-03",
                         thesis.re[19], thesis.rounding,
                         "the numbers of the 3rd and the 4th pair are interchanged");
    paper_value(s, "real part of the 2nd pole pair from the end", "-5.2912e-04", thesis.re[20],
                NULL);
    paper_erratum_within(s, "real part of the last pole pair", "-2.2514e-07", thesis.re[21],
                         thesis.rounding,
                         "it is positive: with its sign error the closed loop is unstable");
    paper_value(s, "ratio of the largest to the smallest real part", "2.4242e+09",
                fabs(thesis.re[0] / thesis.re[21]), "it is 545.79/2.2514e-7, from rounded numbers");
    paper_value(s, "ratio of the largest to the smallest pole", "147.9106",
                thesis.re[0] / thesis.re[1], "it is 545.79/3.69, from rounded numbers");
    paper_erratum_text(s, "list of poles, line -0.0005 - 2.6290i between 3.7630 and 3.8282",
                       "a pole", "not one", true,
                       "it repeats an earlier one, and 42 poles are there without it");
    paper_claim(
        s, "the feedback", "makes the arm stable", largest_real_part(&right) < 0,
        paper_text(s, "of the right arm: largest real part %.2e", largest_real_part(&right)), NULL);
    paper_value(s, "ratio of the largest to the smallest pole of the right arm", NULL,
                right.re[0] / -hypot(right.re[2], right.im[2]), "the slowest is a pair now");
}

void gt_xie_poles_closed_5(paper_sheet *s)
{
    static const printed_pole printed[] = {
        {"-4.1243", ""},       {"-0.0454", ""},       {"-0.0028", "0.1025"}, {"-0.0026", "0.2136"},
        {"-0.0024", "0.3153"}, {"-0.0023", "0.4228"}, {"-0.0021", "0.5228"}, {"-0.0020", "0.6239"},
        {"-0.0018", "0.7177"}, {"-0.0016", "0.8097"}, {"-0.0014", "0.8944"}, {"-0.0012", "0.9753"},
        {"-0.0010", "1.0487"}, {"-0.0008", "1.1166"}, {"-0.0006", "1.1768"}, {"-0.0005", "1.2303"},
        {"-0.0003", "1.2757"}, {"-0.0002", "1.3135"}, {"-0.0001", "1.3430"}, {"-0.0001", "1.3643"},
        {"-0.0000", "1.3771"}, {"-0.0000", "3.2985"}};
    static const char gains_5[] =
        "loop=closed, k_theta=16.3225, k_dtheta=4.2234, k_w=1.4012, k_dw=0.0061";
    poles thesis = poles_of(s, "arm_timoshenko", "n=20, loop=closed, assembly=thesis"),
          right = poles_of(s, "arm_timoshenko", "loop=closed"),
          behind = poles_of(s, "arm_eb", paper_text(s, "%s, %s", behind_chapter_5, gains_5));
    closed_rows(s, printed, &thesis, &right);
    paper_value(s, "real part of the 2nd pole pair from the end", "-1.4045e-03", thesis.re[20],
                NULL);
    paper_value(s, "real part of the last pole pair", "-7.4071e-05", thesis.re[21], NULL);
    paper_value(s, "ratio of the largest to the smallest real part", "5.5680e+06",
                thesis.re[0] / thesis.re[21], NULL);
    paper_value(s, "ratio of the largest to the smallest pole", "90.8123",
                thesis.re[0] / thesis.re[1], NULL);
    paper_erratum_text(
        s, "whose poles they are", "Timoshenko's, n = 10",
        "chapter 4's with n = 20, beta = 1.2, delta = 0.1", same_poles(&thesis, &behind),
        paper_text(s, "those of (5.12)-(5.18) begin with %.2f, %.3f and %.4f +- %.3fi", right.re[0],
                   right.re[1], right.re[2], right.im[2]));
}

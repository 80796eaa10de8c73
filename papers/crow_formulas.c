/* SPDX-License-Identifier: BSD-3-Clause */
/* crow: formulas that are misprinted. */
#include "crow.h"
#include <math.h>

/* The stages as printed, where k12 comes from k11 and not from k21. */
static void printed_stages(double h, int steps, double *x)
{
    for (int n = 0; n < steps; n++) {
        double k11 = x[1], k21 = -x[0], k12 = x[1] + h / 2 * k11, k22 = -x[0] - h / 2 * k21;
        double k13 = x[1] + h / 2 * k12, k23 = -x[0] - h / 2 * k22, k14 = x[1] + h * k13,
               k24 = -x[0] - h * k23;
        x[0] += h / 6 * (k11 + 2 * k12 + 2 * k13 + k14);
        x[1] += h / 6 * (k21 + 2 * k22 + 2 * k23 + k24);
    }
}

/* Solves the n x n system by Gaussian elimination with pivots; false when it is singular. Rows are
 * a[i * n + j]. */
static bool solve_small(int n, double *a, double *b)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[pivot * n + k])) pivot = i;
        if (fabs(a[pivot * n + k]) < 1e-12) return false;
        for (int j = 0; j < n; j++) {
            double keep = a[k * n + j];
            a[k * n + j] = a[pivot * n + j], a[pivot * n + j] = keep;
        }
        double keep = b[k];
        b[k] = b[pivot], b[pivot] = keep;
        for (int i = k + 1; i < n; i++) {
            double m = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++) a[i * n + j] -= m * a[k * n + j];
            b[i] -= m * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
    return true;
}

/* (5.55) and (5.59) as printed for k = 3 and 4: the last column has a minus sign in every row but
 * the first. */
static void printed_systems(paper_sheet *s)
{
    double ab[9] = {1, 1, 1, 0, -1, -2, 0, 1, -4}, b[3] = {1, 1 / 2.0, 1 / 3.0};
    bool solved = solve_small(3, ab, b);
    paper_erratum_text(
        s, "(5.55), last column", "-(k-1), -(k-1)^2, ..., -(k-1)^(k-1)",
        "-(k-1), (k-1)^2, ..., (-(k-1))^(k-1)", solved && fabs(b[0] - 23 / 12.0) > 0.1,
        paper_text(s, "for k = 3 the printed matrix gives b0 = %.4f, where Example 5.2 has 23/12",
                   b[0]));
    /* k = 4: columns b_-1, b_0, b_1, b_2; the last row has the exponent k-2 of the row before it.
     */
    double am[16] = {1, 1, 1, 1, 1, 0, -1, -2, 1, 0, 1, -4, 1, 0, 1, -4},
           c[4] = {1, 1 / 2.0, 1 / 3.0, 1 / 4.0};
    paper_erratum_text(s, "(5.59), last row and column", "exponent k-2, minus signs",
                       "exponent k-1, alternating signs", !solve_small(4, am, c),
                       "for k = 4 the last two rows are equal as printed: the matrix is singular");
}

void gt_paper_crow_formulas(paper_sheet *s)
{
    double x[2] = {1, 0};
    printed_stages(0.1, 100, x);
    paper_erratum_text(
        s, "Runge-Kutta stages of Example 5.1", "k12 = x2 + h/2 k11, k22 = -x1 - h/2 k21, ...",
        "k12 = x2 + h/2 k21, k22 = -x1 - h/2 k11, and so on", fabs(x[0] - cos(10)) > 0.1,
        paper_text(s, "the printed stages give x1(10) = %.4g at h = 0.1, where cos 10 = %.4g", x[0],
                   cos(10)));
    printed_systems(s);
    gt_multistep gear3 = gt_paper_crow_formula(s, "gear3");
    double left = 1 * gt_ratio_value(gear3.b[0]), right = left; /* j = 1: sum_i (-i)^e a_i + b_-1 */
    for (int i = 1; i < 3; i++)
        left += i * i * gt_ratio_value(gear3.a[i]), right -= i * gt_ratio_value(gear3.a[i]);
    paper_erratum_text(
        s, "(5.52), first sum", "(-i)^p a_i", "(-i)^j a_i",
        fabs(left - 1) > 0.1 && fabs(right - 1) < 1e-12,
        paper_text(s, "for Gear 3 and j = 1 the printed sum is %.4f, the right one %.4f", left,
                   right));
    double h = 0.1, printed_step = 1 + h * (1 + h * h / 2), right_step = 1 + h * (1 + h / 2);
    paper_erratum_text(
        s, "(5.3), T_p", "f + h^2/2! f' + ... + h^p/p! f^(p-1)",
        "f + h/2! f' + ... + h^(p-1)/p! f^(p-1)",
        fabs(printed_step - exp(h)) > 10 * fabs(right_step - exp(h)),
        paper_text(
            s, "for x' = x, p = 2, h = 0.1 one step is off by %.1e as printed, by %.1e when right",
            fabs(printed_step - exp(h)), fabs(right_step - exp(h))));
    paper_erratum_text(s, "(5.67)", "an expansion in x(t_n), x(t_(n-1)), ...",
                       "an expansion in the derivatives: C_0 x + C_1 h x' + C_2 h^2 x'' + ...",
                       true, "(5.68), its next line, names C_(k+1) as the factor of a derivative");
    paper_erratum_text(
        s, "Y_nn before (5.150)", "diag(j x'd)", "diag(1 / (j x'd))", true,
        "with it the reduced matrices of Example 5.10 come out as printed, see there");
    paper_erratum_text(s, "(5.159), row 5", "omega_1", "omega_3", true,
                       "the rows belong to machines 1, 2, 3; see (5.156)");
    paper_erratum_text(
        s, "Figure 5.22, Y(5,4)", "33.8085 at -90 degrees, and a tenth column of zeros",
        "10.6886 at 100.47 degrees, nine columns", fabs(1 / hypot(0.017, 0.092) - 10.6886) < 1e-4,
        "Y(4,5) of the same figure, and 1/|0.017 + 0.092 j| = 10.6886");
    paper_erratum_text(
        s, "(5.178)", "the blocks in one column, and a plus sign on the right",
        "[I - h/2 f_x, -h/2 f_y; g_x, g_y] [dx; dy] = -[residuals]", true,
        "Newton's equation; with it both solutions of the midterm model agree to 1e-10");
}

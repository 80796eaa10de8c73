/* SPDX-License-Identifier: BSD-3-Clause */
/* shome: the tableaux of the paper, their polynomials and their stability. The vehicles are in
 * shome_vehicle.c, the appendices in shome_appendix.c. */
#include "paper_parts.h"
#include <complex.h>
#include <geartrain/analysis/stability.h>
#include <math.h>

static const char no_number[] = "the paper prints no number";

/* ---- x' = a x + b y, y' = c x + d y, (3) ---- */

static gt_status linear_slow(double t, const double *x, double *dx, void *ctx)
{
    const double *m = ctx;
    (void)t;
    dx[0] = m[0] * x[0] + m[1] * x[1];
    return GT_OK;
}

static gt_status linear_fast(double t, const double *x, double *dx, void *ctx)
{
    const double *m = ctx;
    (void)t;
    dx[0] = m[2] * x[0] + m[3] * x[1];
    return GT_OK;
}

static gt_status linear_both(double t, const double *x, double *dx, void *ctx)
{
    (void)!linear_slow(t, x, dx, ctx);
    return linear_fast(t, x, dx + 1, ctx);
}

gt_problem gt_paper_shome_linear(double *matrix, const double *x0)
{
    return (gt_problem){.name = "(3)",
                        .n_slow = 1,
                        .n_fast = 1,
                        .rhs = linear_both,
                        .rhs_slow = linear_slow,
                        .rhs_fast = linear_fast,
                        .x0 = x0,
                        .t1 = 1,
                        .ctx = matrix};
}

gt_partitioned gt_paper_shome_pair(paper_sheet *s, const char *method, const char *options)
{
    gt_partitioned P = {0};
    const gt_method *m = gt_method_find(method);
    gt_values v = gt_params_default(m->options);
    if (!gt_params_parse(m->options, "option", method, options, &v, &s->failure))
        m->partitioned_of(m, v.v, &P);
    return P;
}

const gt_method *gt_paper_shome_method(paper_sheet *s, const char *name, const gt_partitioned *P)
{
    const gt_method *method = NULL;
    (void)!gt_method_from_partitioned(&(gt_method_label){.name = name}, P, &s->arena, &method,
                                      &s->failure);
    return method;
}

/* One step of (3) with A = -1, B = 0.5, C = 0.3, D = -4 from (1, 2), h = 0.3. */
enum { SMALL = 2 };
static const double table_2_x0[SMALL] = {1, 2}, table_2_h = 0.3;

static gt_report step_of_table_2(paper_sheet *s, const gt_method *method, double *x)
{
    double matrix[] = {-1, 0.5, 0.3, -4};
    gt_problem p = gt_paper_shome_linear(matrix, table_2_x0);
    gt_report report = {.status = GT_BAD_ARGUMENT};
    p.t1 = table_2_h;
    if (!method || gt_solve(&p, method, &(gt_plan){.h = table_2_h, .x_end = x}, &report))
        x[0] = x[1] = NAN, s->failure = report.message;
    return report;
}

static void tables_2_and_3(paper_sheet *s)
{
    const double A = -1, B = 0.5, C = 0.3, D = -4, x0 = 1, y0 = 2, h = table_2_h;
    double x1 = x0 + h * (A * x0 + B * y0), y13 = y0 + h / 3 * (C * x0 + D * y0);
    double y23 = y13 + h / 3 * (C * (2 * x0 + x1) / 3 + D * y13),
           y1 = y23 + h / 3 * (C * (x0 + 2 * x1) / 3 + D * y23);
    double x[2];
    gt_report report = step_of_table_2(s, gt_method_find("dreuler"), x);
    paper_value(s, "dreuler on (3): x1", NULL, x[0],
                "A = -1, B = 0.5, C = 0.3, D = -4, x0 = 1, y0 = 2, h = 0.3");
    paper_value(s, "dreuler on (3): y1", NULL, x[1], "the same");
    paper_claim(s, "Table 3 is the algorithm of Table 2", "it is",
                fabs(x[0] - x1) + fabs(x[1] - y1) < 4e-16,
                paper_text(s, "steps by both differ by %.0e", fabs(x[0] - x1) + fabs(x[1] - y1)),
                NULL);
    paper_value(s, "slow evaluations in a step", "1", (double)report.stats.rhs_slow, NULL);
    paper_value(s, "fast evaluations in a step", "3", (double)report.stats.rhs_fast, NULL);

    gt_partitioned P = gt_paper_shome_pair(s, "dreuler", ""),
                   swapped = {.slow = P.fast, .fast = P.slow};
    double z[2];
    step_of_table_2(s, gt_paper_shome_method(s, "swapped", &swapped), z);
    paper_erratum_text(
        s, "(18)-(21) and A_ij, B_i", "a_ij, b_i for x and hats for y",
        "hats for the slow x, none for the fast y", fabs(z[0] - x1) > 0.01,
        paper_text(
            s,
            "Tables 3, 4 and 6 have the hats on the slow block; taken literally, (18)-(21) with "
            "Table 3 give x1 = %.4f, y1 = %.4f, not the %.4f, %.4f of Table 2",
            z[0], z[1], x1, y1));
}

static void table_4(paper_sheet *s)
{
    const double A = -1, B = 0.5, C = 0.3, D = -4, x0 = 1, y0 = 2, h = table_2_h;
    gt_partitioned P = gt_paper_shome_pair(s, "dravg", "");
    const gt_tableau *F = &P.fast;
    double a21 = gt_ratio_value(F->a[1][0]), a31 = gt_ratio_value(F->a[2][0]),
           a32 = gt_ratio_value(F->a[2][1]);
    double hat = gt_ratio_value(P.slow.a[2][1]), x[2];
    double l1 = C * x0 + D * y0, k2 = A * x0 + B * (y0 + h * a21 * l1),
           l2 = C * x0 + D * (y0 + h * a21 * l1);
    double l3 = C * (x0 + h * hat * k2) + D * (y0 + h * a31 * l1 + h * a32 * l2), x1 = x0 + h * k2,
           y1 = y0;
    const double l[] = {l1, l2, l3};
    for (int i = 0; i < 3; i++) y1 += h * gt_ratio_value(F->b[i]) * l[i];
    gt_report report = step_of_table_2(s, gt_method_find("dravg"), x);
    paper_value(s, "dravg on (3): x1", NULL, x[0],
                "numbers of Table 2; a_ij = 1/3, b_i = 1/3, hat a_32 = 2/3");
    paper_value(s, "dravg on (3): y1", NULL, x[1], "the same");
    paper_claim(s, "(7)-(12) are the step of Table 4", "they are",
                fabs(x[0] - x1) + fabs(x[1] - y1) < 4e-16,
                paper_text(s, "steps by both differ by %.0e", fabs(x[0] - x1) + fabs(x[1] - y1)),
                NULL);
    paper_value(s, "slow evaluations in a step", "1", (double)report.stats.rhs_slow, NULL);
    double node = gt_ratio_value(P.slow.a[1][0]);
    paper_erratum_text(s, "node of the second slow row", "1/3", "0", node == 0,
                       "nodes are the sums of their rows, and the row is 0; the slow function is "
                       "then asked at the "
                       "time at which the slow state is");
}

/* ---- Table 5 ---- */

static void fraction(paper_sheet *s, const char *quantity, const char *printed, gt_ratio computed)
{
    char text[64];
    gt_ratio right = {0, 1};
    gt_ratio_print(computed, text, sizeof text);
    bool same =
        gt_ratio_read(printed, &right) && right.num == computed.num && right.den == computed.den;
    paper_claim(s, quantity, printed, same, text, NULL);
}

static gt_polynomial_design best_polynomial(paper_sheet *s, int degree, int order)
{
    gt_polynomial_design d = {0};
    gt_polynomial_task task = {.degree = degree, .order = order, .axis = GT_IMAGINARY_AXIS};
    (void)!gt_design_polynomial(&task, &d, &s->failure);
    return d;
}

static void table_5(paper_sheet *s)
{
    static const char *const printed[][5] = {
        {"1/4"}, {"3/16", "1/32", "1/128"}, {"19/108", "1/27", "2/243", "1/1458", "1/8748"}};
    for (int k = 0; k < 3; k++) {
        int degree = 3 + 2 * k;
        gt_polynomial_design d = best_polynomial(s, degree, 2);
        for (int j = 3; j <= degree; j++)
            fraction(s, paper_text(s, "s = %d: beta_%d", degree, j), printed[k][j - 3], d.ratio[j]);
        paper_value(s, paper_text(s, "s = %d: limit on the imaginary axis", degree), NULL, d.limit,
                    no_number);
        gt_polynomial_task task = {
            .degree = degree, .order = 2, .axis = GT_IMAGINARY_AXIS, .search = true};
        gt_polynomial_design found = {0};
        (void)!gt_design_polynomial(&task, &found, &s->failure);
        double off = fabs(found.limit - d.limit);
        for (int j = 0; j <= degree; j++) off = fmax(off, fabs(found.beta[j] - d.beta[j]));
        paper_claim(
            s, paper_text(s, "s = %d: nothing reaches farther", degree), "maximum", off < 1e-9,
            paper_text(s, "a search that does not know the answer ends %.0e from it", off), NULL);
    }
    static const int others[][2] = {{5, 3}, {6, 4}, {7, 3}, {8, 4}};
    for (int k = 0; k < 4; k++) {
        gt_polynomial_design d = best_polynomial(s, others[k][0], others[k][1]);
        paper_value(s, paper_text(s, "order %d, s = %d: limit", others[k][1], others[k][0]), NULL,
                    d.limit,
                    "mentioned only; Kinnmark and Gray's have sqrt(s (s - 2)), a little less than "
                    "this for order 3");
    }
}

/* ---- Table 6 ---- */

typedef struct entry {
    bool slow;
    int row, column; /* from 1; row 6: the weights */
    const char *printed;
} entry;

static const entry printed_6[] = {
    {true, 3, 2, "0.52737769"},  {true, 4, 2, "0.99958447"},  {true, 5, 2, "0.52396768"},
    {true, 5, 4, "0.52396768"},  {true, 6, 2, "0.499792148"}, {true, 6, 4, "0.50020785"},
    {false, 2, 1, "0.59790623"}, {false, 3, 1, "0.11732777"}, {false, 3, 2, "0.18207389"},
    {false, 4, 1, "0.24343069"}, {false, 4, 2, "0.50337891"}, {false, 4, 3, "0.15850599"},
    {false, 5, 1, "0.18207389"}, {false, 5, 2, "0.59242460"}, {false, 5, 3, "0.04915701"},
    {false, 5, 4, "0.77296315"}, {false, 6, 1, "0.43737671"}, {false, 6, 2, "0.04851406"},
    {false, 6, 3, "0.05112046"}, {false, 6, 4, "0.25112462"}, {false, 6, 5, "0.21186415"}};

static void entries_of_table_6(paper_sheet *s, const gt_partitioned *P)
{
    for (size_t k = 0; k < sizeof printed_6 / sizeof *printed_6; k++) {
        const entry *e = &printed_6[k];
        const gt_tableau *T = e->slow ? &P->slow : &P->fast;
        gt_ratio r = e->row == 6 ? T->b[e->column - 1] : T->a[e->row - 1][e->column - 1];
        const char *name =
            e->row == 6 ? paper_text(s, "%s b_%d", e->slow ? "slow" : "fast", e->column)
                        : paper_text(s, "%s a_%d%d", e->slow ? "slow" : "fast", e->row, e->column);
        if (!e->slow && e->column == 2 && (e->row == 3 || e->row == 4))
            paper_erratum(
                s, name, e->printed, gt_ratio_value(r),
                e->row == 3
                    ? "a copy of a_51; with this one, the true entry, and the mended a_42 all "
                      "conditions of order 2 and (28)-(30) hold"
                    : "the true a_32 has slipped down a row");
        else
            paper_value(s, name, e->printed, gt_ratio_value(r),
                        "the ninth digit: as printed the slow weights sum to 0.999999998");
    }
}

static gt_amplifier block_of(paper_sheet *s, const gt_tableau *T)
{
    gt_amplifier a = {0};
    const gt_method *method = NULL;
    if (!gt_method_from_tableau(&(gt_method_label){.name = "block"}, T, &s->arena, &method,
                                &s->failure))
        (void)!gt_amplifier_open(&a, method, NULL, &s->failure);
    return a;
}

static void conditions_of_table_6(paper_sheet *s, const gt_partitioned *P, bool printed)
{
    static const char *const wanted[] = {"0.1875", "0.03125", "0.0078125"};
    const char *which = printed ? "as printed" : "mended";
    gt_conditions found;
    gt_amplifier fast = block_of(s, &P->fast);
    gt_conditions_of_partitioned(&P->slow, &P->fast, 2, &found);
    double worst[3] = {0};
    for (int i = 0; i < found.count; i++)
        worst[found.list[i].order] = fmax(worst[found.list[i].order], fabs(found.list[i].residual));
    paper_value(s, paper_text(s, "%s: largest residual of the conditions of order 2", which), NULL,
                worst[2], no_number);
    if (!printed) paper_value(s, "conditions for order 2", "6", found.count, NULL);
    for (int j = 3; j <= 5; j++) {
        if (printed)
            paper_value(s, paper_text(s, "as printed: left side of (%d)", 25 + j), NULL,
                        fast.ratio.num[j], paper_text(s, "it should be %s", wanted[j - 3]));
        else
            paper_value(s, paper_text(s, "mended: (%d)", 25 + j), wanted[j - 3], fast.ratio.num[j],
                        NULL);
    }
    gt_stability facts = {0};
    (void)!gt_stability_facts(&fast, &facts);
    paper_value(s, paper_text(s, "%s: fast limit on the imaginary axis", which), NULL,
                facts.imag_limit, no_number);
    paper_value(s, paper_text(s, "%s: fast limit on the negative real axis", which), NULL,
                facts.real_limit, no_number);
    gt_amplifier_close(&fast);
}

/* Two masses, 100 (slow) and 1 (fast), on a spring of 10^4 N/m, that move along together at 10 m/s:
 * one step. */
static gt_status spring(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1], dx[1] = 100 * (x[2] - x[0]), dx[2] = x[3], dx[3] = -1e4 * (x[2] - x[0]);
    return GT_OK;
}

static void uniform_motion(paper_sheet *s)
{
    static const double x0[] = {0, 10, 0, 10};
    gt_problem p = {
        .name = "spring", .n_slow = 2, .n_fast = 2, .rhs = spring, .x0 = x0, .t1 = 0.02};
    double x[4], y[4];
    paper_end(s, &(paper_run){.problem = &p, .method = "prk25", .h = 0.02}, x);
    paper_end(s, &(paper_run){.problem = &p, .method = "prk2s", .h = 0.02}, y);
    double gap = x[2] - x[0], kept = fabs(y[2] - y[0]);
    paper_value(s, "gap after one step of two masses that move together [m]", NULL, gap,
                "100 kg and 1 kg on a spring of 10^4 N/m at 10 m/s, h = 0.02 s");
    paper_erratum_text(
        s, "what a pair has to satisfy", "order, coupling and polynomial conditions",
        "equal nodes and equal weights too", gap > 0.01 && kept < 1e-14,
        paper_text(
            s,
            "Table 6 has c != hat c and b != hat b and opens a gap of %.1f cm between two masses "
            "that move together; prk2s, with both equal, none",
            100 * gap));
}

static void table_6(paper_sheet *s)
{
    gt_partitioned mended = gt_paper_shome_pair(s, "prk25", ""),
                   printed = gt_paper_shome_pair(s, "prk25printed", "");
    entries_of_table_6(s, &mended);
    conditions_of_table_6(s, &mended, false);
    conditions_of_table_6(s, &printed, true);
    double order[2] = {NAN, NAN};
    for (int k = 0; k < 2; k++) {
        const gt_method *m = gt_method_find(k ? "prk25" : "prk25printed");
        gt_values v = gt_params_default(m->options);
        gt_problem p;
        gt_measured_order found;
        if (gt_order_problem(m, v.v, &p, &s->arena, &s->failure) ||
            gt_measure_order(m, NULL, &p, &found, &s->failure))
            return;
        order[k] = found.all;
    }
    paper_near(s, "mended: measured order", "2", order[1], 0.1, NULL);
    paper_erratum_text(s, "order of Table 6 as printed", "2", "1", fabs(order[0] - 1) < 0.1,
                       paper_text(s, "measured order %.2f, and %.2f with the two entries mended",
                                  order[0], order[1]));
    uniform_motion(s);
}

/* ---- Figure 1 and (14)-(27) ---- */

static cli_curve boundary(paper_sheet *s, const gt_tableau *T, const char *title)
{
    enum { ROOM = 20000 };
    gt_amplifier a = block_of(s, T);
    double *points = paper_doubles(s, 2 * ROOM);
    size_t count = a.method ? gt_stability_boundary(&a, 720, points, ROOM) : 0;
    for (size_t k = 0; k < count; k++) /* Table 6 as printed has a speck of stability near -15.7 */
        if (points[2 * k] < -6) points[2 * k] = points[2 * k + 1] = NAN;
    gt_amplifier_close(&a);
    return (cli_curve){
        .title = title, .x = points, .y = points + 1, .count = count, .x_stride = 2, .stride = 2};
}

static void figure_1(paper_sheet *s)
{
    gt_partitioned P = gt_paper_shome_pair(s, "prk25", ""),
                   wrong = gt_paper_shome_pair(s, "prk25printed", "");
    cli_curve curves[] = {boundary(s, &P.slow, "slow, two stages"),
                          boundary(s, &P.fast, "fast, five stages"),
                          boundary(s, &wrong.fast, "fast, as printed in Table 6")};
    paper_draw(
        s, NULL, "Figure 1: stability regions of the two blocks of the 2-5 pair alone",
        &(cli_panel){.x_label = "Re(h λ)", .y_label = "Im(h λ)", .curves = curves, .n_curves = 3},
        1);
    gt_amplifier slow = block_of(s, &P.slow);
    paper_value(s, "(26): coefficient of z^2 of the slow block", "0.5", slow.ratio.num[2], NULL);
    paper_value(s, "(26): degree of the slow polynomial", "2", slow.ratio.num_degree, NULL);
    gt_stability facts = {0};
    (void)!gt_stability_facts(&slow, &facts);
    paper_value(s, "slow limit on the negative real axis", NULL, facts.real_limit,
                "the figure has no numbers in the text");
    gt_amplifier_close(&slow);
}

static void stability_matrix(paper_sheet *s)
{
    gt_test2 test;
    if (gt_test2_open(&test, gt_method_find("prk25"), NULL, 1, 0, &s->failure)) return;
    double matrix[] = {-0.1, 0.05, 0.2, -1}, worst = 0;
    const double complex Z[] = {-0.1, 0.05, 0.2, -1};
    double complex S[2][2] = {{0}};
    (void)!gt_blocks_matrix(&test, Z, S);
    for (int j = 0; j < 2; j++) {
        const double x0[] = {j == 0, j == 1};
        double x[2];
        gt_problem p = gt_paper_shome_linear(matrix, x0);
        paper_end(s, &(paper_run){.problem = &p, .method = "prk25", .h = 1}, x);
        for (int i = 0; i < 2; i++) worst = fmax(worst, fabs(x[i] - creal(S[i][j])));
    }
    static const char *const names[] = {"S_11", "S_12", "S_21", "S_22"};
    for (int i = 0; i < 4; i++)
        paper_value(s, paper_text(s, "mended Table 6, Z = (-0.1, 0.05; 0.2, -1): %s", names[i]),
                    NULL, creal(S[i / 2][i % 2]), no_number);
    paper_claim(s, "(22): a step is multiplication by S", "q_1 = S q_0", worst < 1e-15,
                paper_text(s, "a run and S from the tableaux differ by %.0e", worst), NULL);
    const double complex Y[] = {-0.1 + 0.3 * I, 0.5, -0.5, 2 * I},
                         W[] = {-0.1 + 0.3 * I, 5, -0.05, 2 * I};
    double apart = fabs(gt_blocks_radius(&test, Y) - gt_blocks_radius(&test, W));
    paper_erratum_text(s, "after (24): dimensions of the stability region", "eight", "six",
                       apart < 1e-13,
                       "scaling x changes z_sf and z_fs but not their product, and no eigenvalue "
                       "of S: with (z_sf, "
                       "z_fs) = (0.5, -0.5) and (5, -0.05) the radii are the same to round-off");
    const double complex rigid[] = {0, 0, 0.3, -1};
    double one = gt_blocks_radius(&test, rigid);
    paper_erratum_text(
        s, "(24)", "|lambda_1| < 1 and |lambda_2| < 1", "<= 1, where it is a simple one", one == 1,
        "a body that moves freely has the eigenvalue 0, on which every method has 1; as printed no "
        "vehicle could be integrated");
    gt_test2_close(&test);
}

static const paper_part parts[] = {
    {"Tables 2-3", "dual-rate forward Euler", tables_2_and_3},
    {"Table 4", "one slow evaluation at an averaged fast state, (7)-(12)", table_4},
    {"Equations 17-24", "the stability matrix", stability_matrix},
    {"Table 5", "polynomials that reach as far as possible on the imaginary axis", table_5},
    {"Table 6", "the 2-5 pair", table_6},
    {"Figure 1", "stability regions of its blocks", figure_1},
    {"Table 7", "largest stable steps on the quarter cars of Figure 2", gt_paper_shome_table_7},
    {"Figures 4-5", "eigenvalues of the planar vehicle of Figure 3", gt_paper_shome_figures_4_5},
    {"Table 8", "largest stable steps on the planar vehicle", gt_paper_shome_table_8},
    {"Figures 6-7", "eigenvalues of a vehicle in space", gt_paper_shome_figures_6_7},
    {"Table 9", "a vehicle in space", gt_paper_shome_table_9},
    {"Figure 8", "truncation error of 2-5 and 2-6 pairs", gt_paper_shome_figure_8},
    {"Appendix A", "order and coupling", gt_paper_shome_appendix_a},
    {"Appendix B", "the rigid-ring tyre", gt_paper_shome_appendix_b},
    {0},
};

const paper gt_paper_shome = {.name = "shome",
                              .title =
                                  "Shome, Haug, Jay: dual-rate partitioned Runge-Kutta methods",
                              .citation = "S. S. Shome, E. J. Haug, L. O. Jay, Dual-Rate "
                                          "Integration Using Partitioned Runge-Kutta Methods for "
                                          "Mechanical Systems with Interacting Subsystems, Mech. "
                                          "Based Design Struct. Mach. 32 (2004) 253-282.",
                              .parts = parts};

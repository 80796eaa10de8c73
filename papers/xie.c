/* SPDX-License-Identifier: BSD-3-Clause */
/* xie: the list of all parts, and what several of them need. */
#include "xie.h"
#include <math.h>

int gt_xie_order(const gt_rational *R, double *constant)
{
    enum { TERMS = 14 };
    double series[TERMS], factorial = 1;
    for (int k = 0; k < TERMS; k++) {
        series[k] = k <= R->num_degree ? R->num[k] : 0;
        for (int j = 1; j <= k && j <= R->den_degree; j++) series[k] -= R->den[j] * series[k - j];
        if (k > 0) factorial *= k;
        *constant = series[k] - 1 / factorial;
        if (fabs(*constant) > 1e-11 / factorial) return k - 1;
    }
    return TERMS - 1;
}

cli_curve gt_xie_curve(paper_sheet *s, const char *title, size_t count, double **x, double **y)
{
    *x = paper_doubles(s, count), *y = paper_doubles(s, count);
    return (cli_curve){.title = title, .x = *x, .y = *y, .count = count};
}

cli_curve gt_xie_boundary(paper_sheet *s, const char *method, const char *options,
                          const char *title)
{
    enum { ROOM = 4000 };
    static const double reach = 60; /* the curve of alpha = 1/2 is the imaginary axis */
    gt_amplifier a;
    double *points = paper_doubles(s, 2 * ROOM);
    cli_curve curve = {.title = title, .x = points, .y = points + 1, .x_stride = 2, .stride = 2};
    if (gt_amplifier_open(&a, gt_method_find(method), options, &s->failure)) return curve;
    curve.count = gt_stability_boundary(&a, 720, points, ROOM);
    gt_amplifier_close(&a);
    for (size_t k = 0; k < curve.count; k++)
        if (hypot(points[2 * k], points[2 * k + 1]) > reach)
            points[2 * k] = points[2 * k + 1] = NAN;
    return curve;
}

static const paper_part parts[] = {
    {"Figures 2.1-2.2", "stability of forward and backward Euler, definitions 2.1-2.3",
     gt_xie_euler_domains},
    {"Figures 2.3-2.4", "forward and backward Euler on x' = -5 x", gt_xie_euler_runs},
    {"Figures 2.5-2.6", "the undamped oscillator", gt_xie_oscillator},
    {"Formulas (2.8)-(3.3)", "the matrices F", gt_xie_matrices},
    {"Sections 2.4-2.5", "order of the family", gt_xie_orders},
    {"Section 2.5", "L-stability", gt_xie_l_stability},
    {"Figures 3.1-3.3", "stability of BI45", gt_xie_stability_45},
    {"Figures 3.4-3.6", "stability of BI55", gt_xie_stability_55},
    {"Figures 3.7-3.12", "accuracy domains", gt_xie_accuracy},
    {"Figures 3.13-3.22", "damping and frequency", gt_xie_damping},
    {"Figures 3.23-3.27", "step control on the marginally stable problem", gt_xie_marginal},
    {"Figures 3.28-3.32", "step control on the stiff problem", gt_xie_stiff},
    {"Appendix B", "what the C program prints: 119 runs", gt_xie_program},
    {"Figures 3.33-3.34", "Lotka and Volterra's equations", gt_xie_lotka_volterra},
    {"Section 3.5", "Broyden's iteration, and chapter 6", gt_xie_broyden},
    {"Sections 4.3, 5.3", "the equations of the arms", gt_xie_arm_equations},
    {"Poles, chapter 4", "open loop", gt_xie_poles_open_4},
    {"Table 1", "steps in the open loop, Euler-Bernoulli", gt_xie_table_1},
    {"Figures 4.2-4.3", "responses in the open loop, Euler-Bernoulli", gt_xie_open_4},
    {"Closed-loop poles, chapter 4", "under PD feedback", gt_xie_poles_closed_4},
    {"Figures 4.4-4.5", "responses under PD feedback, Euler-Bernoulli", gt_xie_closed_4},
    {"Poles, chapter 5", "open loop", gt_xie_poles_open_5},
    {"Table 2", "steps in the open loop, Timoshenko", gt_xie_table_2},
    {"Figures 5.1-5.2", "responses in the open loop, Timoshenko", gt_xie_open_5},
    {"Closed-loop poles, chapter 5", "under PD feedback", gt_xie_poles_closed_5},
    {"Figures 5.3-5.4", "responses under PD feedback, Timoshenko", gt_xie_closed_5},
    {0},
};

const paper gt_paper_xie = {.name = "xie",
                            .title = "Xie: backinterpolation methods and flexible manipulators",
                            .citation = "W. Xie, Backinterpolation Methods for the Numerical "
                                        "Solution of Ordinary Differential Equations and "
                                        "Applications, M.S. thesis, University of Arizona, 1995.",
                            .parts = parts};

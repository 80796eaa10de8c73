/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A differential-algebraic problem: a capacitor of voltage v discharges through a resistor that
 * follows no straight line. The current i is an algebraic variable:
 *
 *     v' = -i            differential row
 *      0 = v - i - i^3   algebraic row: `rhs` holds its residual
 *
 * Expected: with v(0) = 2 the consistent current is i(0) = 1, whatever guess is given. From (1 + 3
 * i^2) i' = -i follows ln i + (3/2) i^2 + t = 3/2 for ever; at t = 3 this and the algebraic row
 * hold within 1e-6.
 */
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>

enum { VOLTAGE, CURRENT };

static gt_status f(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[VOLTAGE] = -x[CURRENT];
    dx[CURRENT] = x[VOLTAGE] - x[CURRENT] - x[CURRENT] * x[CURRENT] * x[CURRENT];
    return GT_OK;
}

int main(void)
{
    const double x0[] = {2, 0.3}; /* 0.3 is a guess; the solver finds 1 */
    gt_problem problem = {.n_slow = 1, .n_alg = 1, .rhs = f, .t1 = 3, .x0 = x0};

    gt_memory_sink ends;
    gt_memory_sink_init(&ends, GT_AT_START | GT_AT_END);
    gt_sink *const sinks[] = {&ends.sink};
    gt_plan plan = {.rtol = 1e-9, .sinks = sinks, .n_sinks = 1};
    gt_report report;
    if (gt_solve(&problem, gt_method_find("trapezoidal"), &plan, &report) != GT_OK) {
        fprintf(stderr, "dae: %s\n", report.message.text);
        return 1;
    }
    double start = ends.x[CURRENT], v = ends.x[2 + VOLTAGE], i = ends.x[2 + CURRENT];
    gt_memory_sink_free(&ends);

    double law = log(i) + 1.5 * i * i + 3 - 1.5, row = v - i - i * i * i;
    printf("i(0) = %.12f, v(3) = %.9f, i(3) = %.9f\n", start, v, i);
    printf("ln i + 3/2 i^2 + t - 3/2 = %.1e, algebraic row %.1e\n", law, row);
    return fabs(start - 1) < 1e-9 && fabs(law) < 1e-6 && fabs(row) < 1e-6 ? 0 : 1;
}

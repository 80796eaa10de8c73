/* SPDX-License-Identifier: BSD-3-Clause */
/* What does not change, and sums that no equation changes, stay as they are to round-off with every
 * method that keeps them in theory. */
#include "methods_kit.h"

static gt_status rest(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)x, (void)ctx;
    dx[0] = dx[1] = 0;
    return GT_OK;
}

static gt_status rest_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)x, (void)J, (void)ctx;
    return GT_OK;
}

static gt_status rest_series(double t, int order, double *c, void *ctx)
{
    (void)t, (void)ctx;
    for (int k = 1; k <= order; k++) c[2 * k] = c[2 * k + 1] = 0;
    return GT_OK;
}

/* a' = b - a, b' = a - b */
static gt_status exchange(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = x[1] - x[0];
    dx[1] = -dx[0];
    return GT_OK;
}

static gt_status exchange_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)x, (void)ctx;
    J->values[0] = J->values[3] = -1;
    J->values[1] = J->values[2] = 1;
    return GT_OK;
}

static gt_status exchange_series(double t, int order, double *c, void *ctx)
{
    (void)t, (void)ctx;
    for (int k = 0; k < order; k++) {
        double d = (c[2 * k + 1] - c[2 * k]) / (k + 1);
        c[2 * (k + 1)] = d;
        c[2 * (k + 1) + 1] = -d;
    }
    return GT_OK;
}

/* Treats its blocks by different formulas: what one loses the other does not get. */
static bool blocks_differ(const gt_method *m)
{
    static const char *const names[] = {"mri3",         "mri4",    "mri3i", "mri4i", "mradams",
                                        "mrkc",         "spm",     "spm2",  "spmc",  "dravg",
                                        "prk25printed", "dreuler", "prk25"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(m->name, names[i])) return true;
    return false;
}

static void run_all(const gt_problem *given, bool sums)
{
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        gt_facts facts = gt_method_facts(*m, gt_params_default((*m)->options).v);
        if (sums && blocks_differ(*m)) continue;
        for (int controlled = 0; controlled < 2; controlled++) {
            if (controlled ? !facts.error_order : (facts.flags & GT_VARIABLE_FORMULA) != 0)
                continue;
            gt_problem p = *given;
            gt_report report;
            double x[2], x0[2] = {1, 0.3};
            p.x0 = x0;
            split_for(*m, &p);
            gt_plan plan = {.h = controlled ? 0 : 0.02, .rtol = controlled ? 1e-3 : 0, .x_end = x};
            gt_status status = gt_solve(&p, *m, &plan, &report);
            if (status == GT_UNSUPPORTED) continue;
            if (status) fail_msg("%s: %s", (*m)->name, report.message.text);
            double off = sums ? fabs(x[0] + x[1] - 1.3) : fmax(fabs(x[0] - 1), fabs(x[1] - 0.3));
            double most = (sums ? 1e-14 : 2e-15) * (1 + (double)report.stats.steps);
            if (getenv("SHOW"))
                print_message("%-12s %ld steps: %.3g\n", (*m)->name, report.stats.steps, off);
            if (!(off <= most))
                fail_msg("%s, %s: off by %g after %ld steps", (*m)->name,
                         sums ? "a sum" : "a constant", off, report.stats.steps);
        }
    }
}

static void constants_stay(void **state)
{
    (void)state;
    gt_problem p = {.n_slow = 2, .rhs = rest, .jac = rest_jac, .taylor = rest_series, .t1 = 20};
    run_all(&p, false);
}

static void sums_stay(void **state)
{
    (void)state;
    gt_problem p = {
        .n_slow = 2, .rhs = exchange, .jac = exchange_jac, .taylor = exchange_series, .t1 = 20};
    run_all(&p, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(constants_stay),
                                       cmocka_unit_test(sums_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

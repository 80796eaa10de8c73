/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Multistep formulas from the exactness constraints, crow (5.51)-(5.52), solved in rational
 * arithmetic: one linear equation for each of 1, t, ..., t^k in the unknown a_i and b_i.
 */
#include "exact/rational.h"
#include <geartrain/analysis/design.h>
#include <geartrain/author/lu.h>
#include <math.h>
#include <string.h>

enum { MOST = 2 * GT_MAX_PAST + 1 }; /* coefficients, and equations */

static gt_status check_steps(const char *which, const int *steps, int count, int lowest,
                             gt_message *message)
{
    for (int i = 0; i < count; i++) {
        if (steps[i] < lowest || steps[i] >= GT_MAX_PAST)
            return gt_fail(message, GT_BAD_ARGUMENT, "the %s reach from %d to %d, not to %d", which,
                           lowest, GT_MAX_PAST - 1, steps[i]);
        for (int k = 0; k < i; k++)
            if (steps[k] == steps[i])
                return gt_fail(message, GT_BAD_ARGUMENT, "%d is twice among the %s", steps[i],
                               which);
    }
    return GT_OK;
}

/* The equation for t^j: one coefficient for each unknown, then the right-hand side. */
static void exactness(const gt_steps *steps, int j, gt_exact *row)
{
    for (int i = 0; i < steps->n_a; i++) *row++ = gt_exact_power(gt_exact_whole(-steps->a[i]), j);
    for (int i = 0; i < steps->n_b; i++, row++) {
        *row = gt_exact_whole(0);
        if (j)
            *row = gt_exact_multiply(gt_exact_whole(j),
                                     gt_exact_power(gt_exact_whole(-steps->b[i]), j - 1));
    }
    *row = gt_exact_whole(1);
}

static gt_status explain(gt_exact_outcome outcome, const gt_steps *steps, int order, int rank,
                         gt_message *message)
{
    int unknowns = steps->n_a + steps->n_b;
    if (outcome == GT_NO_SOLUTION)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "no choice of these %d coefficients gives order %d, which takes %d "
                       "equations; ask for order %d, "
                       "or allow more coefficients",
                       unknowns, order, order + 1, rank - 1);
    if (outcome == GT_MANY_SOLUTIONS)
        return gt_fail(
            message, GT_BAD_ARGUMENT,
            "order %d leaves %d of the %d coefficients free; ask for order %d, or leave some out",
            order, unknowns - rank, unknowns, unknowns - 1);
    return gt_fail(message, GT_BAD_ARGUMENT,
                   "the fractions of this formula do not fit into 128 bits");
}

static gt_status fill(const gt_steps *steps, const gt_exact *x, gt_multistep *formula)
{
    bool fits = true;
    *formula = (gt_multistep){.steps = 1};
    for (int i = 0; i < steps->n_a; i++) {
        fits = fits && gt_exact_to_ratio(x[i], &formula->a[steps->a[i]]);
        if (x[i].num && steps->a[i] >= formula->steps) formula->steps = steps->a[i] + 1;
    }
    for (int i = 0; i < steps->n_b; i++) {
        const gt_exact *b = &x[steps->n_a + i];
        fits = fits && gt_exact_to_ratio(*b, &formula->b[steps->b[i] + 1]);
        if (b->num && steps->b[i] >= formula->steps) formula->steps = steps->b[i] + 1;
    }
    return fits ? GT_OK : GT_BAD_ARGUMENT;
}

gt_status gt_design_multistep(const gt_steps *steps, int order, gt_multistep *formula,
                              gt_message *message)
{
    GT_ARMOR(message, steps && formula);
    gt_exact M[MOST * (MOST + 1)], x[MOST];
    int unknowns = steps->n_a + steps->n_b, rank;
    gt_status status = check_steps("steps of x", steps->a, steps->n_a, 0, message);
    if (!status) status = check_steps("steps of f", steps->b, steps->n_b, -1, message);
    if (status) return status;
    if (order < 1 || order >= MOST)
        return gt_fail(message, GT_BAD_ARGUMENT, "the order must lie between 1 and %d, not %d",
                       MOST - 1, order);
    for (int j = 0; j <= order; j++) exactness(steps, j, M + j * (unknowns + 1));
    gt_exact_outcome outcome = gt_exact_solve(order + 1, unknowns, M, x, &rank);
    if (outcome == GT_ONE_SOLUTION && fill(steps, x, formula)) outcome = GT_OUT_OF_RANGE;
    if (outcome != GT_ONE_SOLUTION) return explain(outcome, steps, order, rank, message);
    return gt_multistep_complete(formula, message);
}

/* Divides the polynomial (ascending powers) by w - root, exactly, as often as that goes. */
static int divide_out(gt_exact *p, int *degree, int root)
{
    int times = 0;
    for (;; times++, --*degree) {
        gt_exact quotient[GT_MAX_PAST + 1], rest = gt_exact_whole(0);
        for (int i = *degree; i >= 0; i--) {
            quotient[i] = rest;
            rest = gt_exact_add(p[i], gt_exact_multiply(rest, gt_exact_whole(root)));
        }
        if (*degree < 1 || !gt_exact_known(rest) || rest.num) return times;
        memcpy(p, quotient, (size_t)*degree * sizeof *p);
    }
}

static gt_status eigenvalues(const gt_exact *p, int degree, double (*root)[2])
{
    double companion[GT_MAX_PAST * GT_MAX_PAST] = {0};
    for (int i = 0; i < degree; i++) {
        companion[i * degree] = -gt_exact_value(p[degree - 1 - i]) / gt_exact_value(p[degree]);
        if (i + 1 < degree) companion[i * degree + i + 1] = 1;
    }
    return gt_eigen((size_t)degree, companion, root[0], NULL, NULL);
}

static void sort_roots(gt_zero_stability *z)
{
    for (int i = 1; i < z->count; i++) {
        for (int k = i; k > 0; k--) {
            double re = z->root[k][0], im = z->root[k][1];
            if (hypot(re, im) <= hypot(z->root[k - 1][0], z->root[k - 1][1])) break;
            memcpy(z->root[k], z->root[k - 1], sizeof z->root[k]);
            z->root[k - 1][0] = re;
            z->root[k - 1][1] = im;
        }
    }
}

/* Roots 1 and -1, the usual ones on the circle, are divided out exactly, so that their multiplicity
 * is certain. */
gt_status gt_zero_stability_of(const gt_multistep *formula, gt_zero_stability *out)
{
    GT_ARMOR(NULL, formula && out);
    gt_exact p[GT_MAX_PAST + 1];
    int degree = formula->steps, first = 0;
    *out = (gt_zero_stability){.stable = true};
    p[degree] = gt_exact_whole(1);
    for (int i = 0; i < degree; i++)
        p[degree - 1 - i] = gt_exact_subtract(gt_exact_whole(0), gt_exact_of(formula->a[i]));
    while (first < degree && !p[first].num) first++; /* roots at 0 */
    memmove(p, p + first, (size_t)(degree + 1 - first) * sizeof *p);
    degree -= first;
    for (int root = 1; root >= -1; root -= 2) {
        int times = divide_out(p, &degree, root);
        for (int k = 0; k < times; k++) out->root[out->count++][0] = root;
        if (times > 1) {
            out->stable = false;
            gt_fail(&out->why, GT_OK, "the root %d of rho is %d-fold", root, times);
        }
    }
    double(*rest)[2] = out->root + out->count;
    gt_status status = degree ? eigenvalues(p, degree, rest) : GT_OK;
    if (status) return status;
    out->count += degree;
    for (int i = 0; i < degree && out->stable; i++) {
        double size = hypot(rest[i][0], rest[i][1]);
        bool twice = false;
        for (int k = 0; k < i; k++)
            twice = twice || hypot(rest[i][0] - rest[k][0], rest[i][1] - rest[k][1]) < 1e-4;
        if (size <= 1 + 1e-9 && !(twice && size > 1 - 1e-4)) continue;
        out->stable = false;
        gt_fail(&out->why, GT_OK, "rho has a root of size %.6g%s", size,
                twice ? ", more than once" : "");
    }
    out->count += first; /* and those at 0 */
    sort_roots(out);
    return GT_OK;
}

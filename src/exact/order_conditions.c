/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For a tree with root colour c and subtrees T_1 .. T_m of colours d_1 .. d_m
 *
 *     Phi_i(tree) = prod_k sum_j a^(d_k)_ij Phi_j(T_k)          condition: sum_i b^(c)_i
 * Phi_i(tree) = 1 / gamma(tree)
 *
 * (Hairer, Norsett, Wanner 1993, II.2 and II.15). The inner sums of each tree are computed once.
 *
 * A formula is exact for t^j, about x_n and in units of h, when
 *
 *     sum_(i>=0) (-i)^j a_i + j sum_(i>=-1) (-i)^(j-1) b_i = 1          crow (5.51), (5.52) with
 * its misprint corrected
 *
 * and its error constant is that residual for j = k + 1, with the sign turned, over (k+1)!, which
 * is (5.89).
 */
#include "exact/either.h"
#include "exact/trees.h"
#include <geartrain/analysis/design.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const gt_either zero = {{0, 1}, 0}, one = {{1, 1}, 1};

static void add_condition(gt_conditions *out, int order, gt_either residual, double round_off)
{
    gt_condition *c = &out->list[out->count++];
    c->order = order;
    c->exact = gt_exact_to_ratio(residual.exact, &c->ratio);
    bool known = gt_exact_known(residual.exact);
    c->residual = known ? gt_exact_value(residual.exact) : residual.value;
    c->holds = known ? residual.exact.num == 0 : fabs(residual.value) <= round_off;
    if (!c->holds && order <= out->order) out->order = order - 1;
}

/* inner[tree][i] = sum_j a_ij Phi_j(tree), with the a of the colour of its root. */
typedef gt_either inner_sums[GT_MAX_CONDITIONS][GT_MAX_STAGES];

static void weigh_stages(const gt_tree *tree, int stages, inner_sums inner, gt_either *phi)
{
    for (int i = 0; i < stages; i++) {
        phi[i] = one;
        for (int k = 0; k < tree->children; k++)
            phi[i] = gt_either_multiply(phi[i], inner[tree->child[k]][i]);
    }
}

static void sum_up(const gt_tableau *T, const gt_either *phi, gt_either *sums)
{
    for (int i = 0; i < T->stages; i++) {
        sums[i] = zero;
        for (int j = 0; j < T->stages; j++)
            if (T->a[i][j].num)
                sums[i] =
                    gt_either_add(sums[i], gt_either_multiply(gt_either_of(T->a[i][j]), phi[j]));
    }
}

static void conditions(const gt_tableau *const *T, const gt_ratio *const *b, int colours,
                       int max_order, gt_conditions *out)
{
    gt_forest forest;
    inner_sums inner;
    gt_forest_plant(&forest, colours, max_order);
    out->count = 0;
    out->max_order = out->order = max_order;
    for (int tree = 0; tree < forest.count; tree++) {
        const gt_tree *t = &forest.list[tree];
        int stages = T[t->colour]->stages;
        gt_either phi[GT_MAX_STAGES],
            residual = {gt_exact_of((gt_ratio){-1, gt_tree_density(&forest, tree)}),
                        -1 / (double)gt_tree_density(&forest, tree)};
        double size = 1;
        weigh_stages(t, stages, inner, phi);
        sum_up(T[t->colour], phi, inner[tree]);
        for (int i = 0; i < stages; i++) {
            gt_either term = gt_either_multiply(gt_either_of(b[t->colour][i]), phi[i]);
            residual = gt_either_add(residual, term);
            size += fabs(term.value);
        }
        gt_tree_print(&forest, tree, colours == 1 ? "t" : "sf", out->list[out->count].tree);
        add_condition(out, t->order, residual, 1e-14 * size);
    }
}

static int between(int low, int value, int high)
{
    return value < low ? low : value > high ? high : value;
}

void gt_conditions_of_tableau(const gt_tableau *T, const gt_ratio *b, int max_order,
                              gt_conditions *out)
{
    if (!T || !b || !out) return;
    conditions(&T, &b, 1, between(1, max_order, GT_TREE_ORDER), out);
}

void gt_conditions_of_partitioned(const gt_tableau *slow, const gt_tableau *fast, int max_order,
                                  gt_conditions *out)
{
    if (!slow || !fast || !out) return;
    const gt_tableau *T[] = {slow, fast};
    const gt_ratio *b[] = {slow->b, fast->b};
    conditions(T, b, 2, between(1, max_order, GT_TREE_ORDER_PARTITIONED), out);
}

static void compare(gt_tableau *T, gt_ratio end, bool longer)
{
    gt_ratio *b = T->b, *b_hat = T->b_hat;
    if (longer) {
        memcpy(T->a[T->stages], b, sizeof T->b);
        T->c[T->stages] = (gt_ratio){1, 1};
        b_hat[T->stages++] = end;
    }
    memcpy(b, b_hat, sizeof T->b);
}

void gt_partitioned_comparison(const gt_partitioned *P, gt_partitioned *comparison)
{
    if (!P || !comparison) return;
    bool longer = (P->slow_end.num || P->fast_end.num) && P->slow.stages < GT_MAX_STAGES;
    *comparison = *P;
    compare(&comparison->slow, P->slow_end, longer);
    compare(&comparison->fast, P->fast_end, longer);
    comparison->slow_end = comparison->fast_end = (gt_ratio){0, 1};
}

static gt_either power_of(int base, int exponent)
{
    return (gt_either){gt_exact_power(gt_exact_whole(base), exponent), pow(base, exponent)};
}

/* Of exactness for t^j; *size gets the sum of all magnitudes. */
static gt_either formula_residual(const gt_multistep *formula, int j, double *size)
{
    gt_either sum = {gt_exact_whole(-1), -1};
    *size = 1;
    for (int i = -1; i < GT_MAX_PAST; i++) {
        gt_either by_x = zero, by_f = zero, factor = {gt_exact_whole(j), j};
        if (i >= 0) by_x = gt_either_multiply(power_of(-i, j), gt_either_of(formula->a[i]));
        if (j > 0)
            by_f = gt_either_multiply(
                factor, gt_either_multiply(power_of(-i, j - 1), gt_either_of(formula->b[i + 1])));
        sum = gt_either_add(sum, gt_either_add(by_x, by_f));
        *size += fabs(by_x.value) + fabs(by_f.value);
    }
    return sum;
}

void gt_conditions_of_formula(const gt_multistep *formula, int max_order, gt_conditions *out)
{
    if (!formula || !out) return;
    out->count = 0;
    out->max_order = out->order = between(0, max_order, 2 * GT_MAX_PAST + 2);
    for (int j = 0; j <= out->max_order; j++) {
        double size;
        gt_either residual = formula_residual(formula, j, &size);
        snprintf(out->list[out->count].tree, GT_TREE_TEXT, "t^%d", j);
        add_condition(out, j, residual, 1e-14 * size);
    }
}

gt_status gt_multistep_complete(gt_multistep *formula, gt_message *message)
{
    GT_ARMOR(message, formula);
    gt_conditions found;
    gt_conditions_of_formula(formula, 2 * GT_MAX_PAST + 1, &found);
    if (found.order < 1)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "the formula is not consistent: it is not exact for the polynomial %s, "
                       "where its two sides "
                       "differ by %g",
                       found.order < 0 ? "1" : "t", found.list[found.order + 1].residual);
    const gt_condition *failing = &found.list[found.order + 1];
    gt_exact error = failing->exact ? gt_exact_of(failing->ratio) : (gt_exact){0, 0};
    double value = -failing->residual;
    for (int k = 2; k <= found.order + 1; k++) {
        error = gt_exact_divide(error, gt_exact_whole(k));
        value /= k;
    }
    formula->order = found.order;
    if (!gt_exact_to_ratio(gt_exact_subtract(gt_exact_whole(0), error), &formula->error))
        formula->error = gt_ratio_near(value);
    return GT_OK;
}

gt_status gt_method_formula(const gt_method *method, const double *v, gt_multistep *formula,
                            gt_message *message)
{
    GT_ARMOR(message, method && formula);
    if (method->formula_of) return method->formula_of(method, v, formula, message);
    if (!method->formula)
        return gt_fail(message, GT_UNSUPPORTED, "method %s is not a linear multistep formula",
                       method->name);
    *formula = *method->formula;
    return GT_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ORDER_H
#define GEARTRAIN_ORDER_H

#include <geartrain/api.h>
#include <geartrain/author/tableau.h>
#include <geartrain/method.h>

GT_C_BEGIN

/*
 * The order of a method from its coefficients, and as a run shows it.
 *
 * A Runge-Kutta method has order p when sum_i b_i Phi_i(tree) = 1 / gamma(tree) for every rooted
 * tree of up to p vertices (Butcher); a partitioned one, when that holds for all trees whose
 * vertices are slow or fast; a multistep formula, when it is exact for the polynomials 1, t, ...,
 * t^p, crow (5.51)-(5.52). The residual of a condition is left side minus right side. It is
 * computed in rational arithmetic as far as 128 bits reach.
 */
enum {
    GT_TREE_TEXT = 32,
    GT_TREE_ORDER = 8,
    GT_TREE_ORDER_PARTITIONED = 4,
    GT_MAX_CONDITIONS = 200
};

typedef struct gt_condition {
    int order;               /* vertices of the tree, or the power of t */
    char tree[GT_TREE_TEXT]; /* a vertex t (or s slow, f fast) with its branches: t[t,t[t]]; for a
                                formula: t^3 */
    bool holds;
    bool exact; /* `ratio` is the residual; otherwise it holds when `residual` is within round-off
                   of 0 */
    gt_ratio ratio;
    double residual;
} gt_condition;

typedef struct gt_conditions {
    int max_order; /* all conditions up to this order are there */
    int order;     /* all conditions up to this order hold */
    int count;
    gt_condition list[GT_MAX_CONDITIONS];
    void *reserved[4]; /* 0; room for more */
} gt_conditions;

/* max_order is at most GT_TREE_ORDER. `b`: the weights to look at, for example T->b_hat. */
GT_API void gt_conditions_of_tableau(const gt_tableau *T, const gt_ratio *b, int max_order,
                                     gt_conditions *out);

/* Two tableaux with the same stages: x_i = x + h sum slow.a_ij k_j, z_i = z + h sum fast.a_ij l_j,
 * where k_j and l_j are the slow and the fast slope at (x_j, z_j). max_order is at most
 * GT_TREE_ORDER_PARTITIONED. */
GT_API void gt_conditions_of_partitioned(const gt_tableau *slow, const gt_tableau *fast,
                                         int max_order, gt_conditions *out);

/* The comparison solution as a pair: b is b_hat, and where the slope at the end enters there is one
 * more stage. */
GT_API void gt_partitioned_comparison(const gt_partitioned *P, gt_partitioned *comparison);

GT_API void gt_conditions_of_formula(const gt_multistep *formula, int max_order,
                                     gt_conditions *out);

/* Sets order and error constant (5.89) from a and b; GT_BAD_ARGUMENT when the formula is not even
 * consistent. */
GT_API gt_status gt_multistep_complete(gt_multistep *formula, gt_message *message) GT_MUST_CHECK;

/* The formula of a multistep method, for these options; GT_UNSUPPORTED with an error message when
 * it has none. */
GT_API gt_status gt_method_formula(const gt_method *method, const double *v, gt_multistep *formula,
                                   gt_message *message) GT_MUST_CHECK;

/*
 * Errors at the end of runs with shrinking fixed steps, largest component of each block, and the
 * slopes of straight lines through log(error) over log(h). Errors are |e_i| / (1 + |x_i|). A point
 * counts when its error is at most 1e-2 and above what round-off makes; the finest four that count
 * are taken; there is no slope (NAN) from fewer.
 */
enum { GT_ORDER_POINTS = 24 };

typedef struct gt_measured_order {
    double all, slow, fast; /* fast is NAN when there is no fast block */
    int count;
    double h[GT_ORDER_POINTS], error[GT_ORDER_POINTS], error_slow[GT_ORDER_POINTS],
        error_fast[GT_ORDER_POINTS];
    double round_off[GT_ORDER_POINTS]; /* what is to be expected, which grows with the number of
                                          steps */
    void *reserved[4];                 /* 0; room for more */
} gt_measured_order;

GT_API gt_status gt_measure_order_sized(const gt_method *method, const char *options,
                                        const gt_problem *problem, size_t problem_size,
                                        gt_measured_order *out, gt_message *message) GT_MUST_CHECK;
/* Compares with `exact` of the problem, else with a tight run. */
static inline GT_MUST_CHECK gt_status gt_measure_order(const gt_method *method, const char *options,
                                                       const gt_problem *problem,
                                                       gt_measured_order *out, gt_message *message)
{
    return gt_measure_order_sized(method, options, problem, sizeof *problem, out, message);
}

GT_API gt_status gt_order_problem_sized(const gt_method *method, const double *v,
                                        gt_problem *problem, size_t problem_size, gt_arena *arena,
                                        gt_message *message) GT_MUST_CHECK;
/* The problem to measure on: the one that the method names, else a smooth one of two rates. The
 * arena must be growing.
 */
static inline GT_MUST_CHECK gt_status gt_order_problem(const gt_method *method, const double *v,
                                                       gt_problem *problem, gt_arena *arena,
                                                       gt_message *message)
{
    return gt_order_problem_sized(method, v, problem, sizeof *problem, arena, message);
}

GT_C_END

#endif

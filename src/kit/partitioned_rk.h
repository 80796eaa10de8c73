/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_PARTITIONED_RK_H
#define GEARTRAIN_KIT_PARTITIONED_RK_H

/* The engine of all partitioned Runge-Kutta methods. A method is its `partitioned_of` and its
 * `facts`. */
#include <geartrain/author/stepper.h>

/* h sum_j weight_j k_(stage_j) over one block, zeros left out. */
typedef struct gt_prk_row {
    int terms;
    int stage[GT_MAX_STAGES + 1];
    double weight[GT_MAX_STAGES + 1], scaled[GT_MAX_STAGES + 1]; /* scaled: times h */
    const double *slope[GT_MAX_STAGES + 1]; /* k_(stage_j), where the block begins */
} gt_prk_row;

typedef struct gt_prk_stage {
    gt_prk_row slow, fast; /* the point of the stage */
    double c_slow, c_fast;
    bool evaluates_slow, evaluates_fast;
    double *k; /* slopes [slow | fast] of the stage */
} gt_prk_stage;

typedef struct gt_prk {
    int stages;
    bool compares_end;   /* the comparison solution uses the slope at the end */
    gt_prk_stage *stage; /* the stages, then x_new, then the error estimate; the slopes of the first
                            are s->f */
    int slow_last, fast_last; /* the stage with the latest slope of each block */
    /* how much of the step lies behind it: a jump of f there shows at the end only */
    double slow_gap, fast_gap;
    /* what the estimate is for a fast slope t^2, / 8: seen in its bend; 0: not looked at */
    double bend;
    long slow_calls, fast_calls; /* of the blocks alone, after the first stage */
    double h;                    /* for which the weights are scaled */
    bool whole; /* a block cannot be evaluated alone: the full function goes to s->scratch */
} gt_prk;

gt_status gt_prk_layout(gt_stepper *s, gt_arena *arena);
gt_status gt_prk_prepare(gt_stepper *s);
gt_status gt_prk_step(gt_stepper *s, double h, const double *x, double *x_new, double *err);
gt_status gt_prk_run_fixed(gt_stepper *s, double grid, double h, size_t first, size_t count);
gt_status gt_prk_interpolate(gt_stepper *s, double h, double theta, double *x);

/* The facts of a pair with these orders; the evaluations are counted from its tableaux. */
gt_facts gt_prk_facts(const gt_method *self, const double *v, int order, int error_order);

/* What all descriptors of partitioned methods have in common. */
#define GT_PRK_ENGINE                                                                              \
    .memory = "the stages after the first, whose slow and fast parts share a vector; the slope "   \
              "at x_new is one stage more",                                                        \
    .state_size = sizeof(gt_prk), .layout = gt_prk_layout, .prepare = gt_prk_prepare,              \
    .step = gt_prk_step, .run_fixed = gt_prk_run_fixed, .interpolate = gt_prk_interpolate

/* Pairs whose numbers are not fractions, row by row as printed; nodes are the sums of the rows. */
enum { GT_PRK_DECIMAL_STAGES = 8 };
typedef double gt_prk_square[GT_PRK_DECIMAL_STAGES][GT_PRK_DECIMAL_STAGES];
typedef double gt_prk_line[GT_PRK_DECIMAL_STAGES];
typedef struct gt_prk_decimals {
    int order, error_order, stages;
    gt_prk_square slow_a, fast_a;
    gt_prk_line slow_b, fast_b, slow_b_hat, fast_b_hat;
} gt_prk_decimals;

/* partitioned_of and facts of a method whose `data` are decimals. */
void gt_prk_from_decimals(const gt_method *self, const double *v, gt_partitioned *P);
gt_facts gt_prk_decimal_facts(const gt_method *self, const double *v);

/* Sets the nodes to the sums of the rows. */
void gt_prk_fill_nodes(gt_partitioned *P);

#endif

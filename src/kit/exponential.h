/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_EXPONENTIAL_H
#define GEARTRAIN_KIT_EXPONENTIAL_H

/* What methods share that work with the linear problem at the accepted point: that problem, the
 * exponential Rosenbrock step on all states, the fast block of gil about the accepted point, and an
 * explicit Runge-Kutta method for the slow states alone. */
#include "linalg/column.h"
#include <geartrain/author/newton.h>
#include <geartrain/author/phi.h>

/* For a field `dense` of the option struct. */
#define GT_DENSE_OPTION(options)                                                                   \
    {                                                                                              \
        .name = "dense",                                                                           \
        .help = "up to this many states exponentials may be by Pade, else they are by Krylov",     \
        .type = GT_INTEGER, .initial = 100, .min = 0, .max = 2000,                                 \
        .field = GT_OPTION_FIELD(options, dense)                                                   \
    }

/* f, J (unless it is NULL) and f_t at the accepted point, where they are not `known` yet. f_t is a
 * difference, zero when the problem says that it is autonomous. GT_TRY_NOT_FINITE, and the slope is
 * forgotten, when one of them is not finite. */
gt_status gt_linear_at(gt_stepper *s, const gt_jacobian *jac, gt_matrix *J, double *f_t,
                       bool *known) GT_MUST_CHECK;

/* out = sum_j v_j column_j; the columns are `stride` apart. */
void gt_columns_multiply(const double *columns, size_t stride, size_t rows, size_t count,
                         const double *v, double *out);

/* rows = A[rows, columns] v for a block of a square matrix of any storage. */
void gt_block_multiply(const gt_matrix *A, gt_range rows, gt_range columns, const double *v,
                       double *out);

/* ---- exponential Rosenbrock methods, exprb.c ---- */
typedef struct gt_exprb {
    size_t n;
    const gt_matrix *J;
    double *dense_J; /* where J is sparse and the functions are dense */
    /* J by rows, in the units of the Krylov space, where there is one */
    double *row_values;
    int *row_start, *row_column;
    gt_phi_sum sum, inside;
    bool dense;              /* the functions may be dense */
    gt_krylov *krylov;       /* or in Krylov spaces, whichever takes less; NULL: never */
    double *D, *D2, *at, *b; /* what is not linear at the end and in the middle; scratch */
    /* x(t + theta h) has (theta h)^k phi_k(theta h J) b_k, k = 3 and 4, beyond order 2 */
    double *b3, *b4;
    const double *f_t;
} gt_exprb;

/* Up to order 3, or up to 4, which takes functions of h J/2 as well; krylov, which may be NULL
 * where the functions may be dense, as for gt_phi_sum_layout. */
void gt_exprb_layout(gt_exprb *w, const gt_matrix *J, int highest_order, bool dense,
                     gt_krylov *krylov, gt_arena *arena);

/* Sparse matrices of this size and above have both. */
enum { GT_KRYLOV_FROM = 24 };

/* J and s->f are those of the accepted point, and so is f_t. x_new is of order 2, x_new +
 * correction of order 3; the correction is not made when it is NULL. */
gt_status gt_exprb_step(gt_exprb *w, gt_stepper *s, const double *f_t, double h, const double *x,
                        double *x_new, double *correction) GT_MUST_CHECK;

/* After gt_exprb_step: the correction of a step theta h, 0 < theta < 1, the largest of which and of
 * err stays in err. scratch has n numbers. */
gt_status gt_exprb_look_inside(gt_exprb *w, gt_stepper *s, double h, double theta, const double *x,
                               double *scratch, double *err) GT_MUST_CHECK;

/* x_new is of order 4, x_new - last of order 3; last may be NULL. */
gt_status gt_exprb_step_of_four(gt_exprb *w, gt_stepper *s, const double *f_t, double h,
                                const double *x, double *x_new, double *last) GT_MUST_CHECK;

/* The same at theta h after a finished trial; `carried` is the order of the solution that is
 * carried on. */
gt_status gt_exprb_interpolate(gt_exprb *w, gt_stepper *s, double h, double theta, int carried,
                               double *x) GT_MUST_CHECK;

/* ---- the fast block, gil (18)-(40) ---- */

/* About the accepted point, with t as one more slow variable (x' = f, t' = 1):
 *     H(x, t) = z_n - g_z^-1 ( g_x (x - x_n) + g_t (t - t_n) + g_n )      the manifold (22), y = z
 * - H y' = A y + u,  A = g_z + g_z^-1 g_x f_z,  u = g_z^-1 (g_x q + g_t)  with q = x' - f_z y, (38)
 *     y(0) = sigma = g_z^-1 g_n                                           (27)
 */
typedef struct gt_fast_block {
    size_t n_slow, m;
    bool dense; /* g_z and A are, and so are their functions */
    gt_jacobian jac;
    gt_matrix J, gz;
    gt_lu lu;
    double *A;
    double *slope;   /* dense: g_z^-1 g_x, by columns */
    double *work[2]; /* dense: m x m */
    double *drift;   /* dense: g_z^-1 g_t */
    double *f_t;     /* n; the last m are g_t */
    double *sigma, *u0, *q0;
    gt_phi_sum of_A, of_gz, inside;
    double *slow, *slow2, *fast, *fast2, *product, *point; /* scratch; `point` is n */

    bool known;        /* all of the above are those of the accepted point */
    bool singular;     /* g_z has no inverse, or one without a correct digit */
    double separation; /* how much of the rate of the fast block the slope of the manifold makes up;
                          see fast_block.c */
    size_t weakest;    /* the fast state in which g_z^-1 is largest */
} gt_fast_block;

/* krylov: with room for the fast states, or NULL for a dense block. */
void gt_fast_block_layout(gt_fast_block *w, const gt_problem *problem, bool with_gz,
                          gt_krylov *krylov, gt_arena *arena);
gt_status gt_fast_block_prepare(gt_fast_block *w, gt_stepper *s) GT_MUST_CHECK;

/* Everything at the accepted point, once. */
gt_status gt_fast_block_at(gt_fast_block *w, gt_stepper *s) GT_MUST_CHECK;

/* out = H(X, t_n + dt). */
void gt_fast_block_manifold(gt_fast_block *w, const gt_stepper *s, double dt, const double *X,
                            double *out);

/* f_z v, g_z^-1 g_x v, u for a q, and (f_x + f_z H_x) v, the slow Jacobian on the manifold. */
void gt_fast_block_fz(const gt_fast_block *w, const double *v, double *out);
void gt_fast_block_slope(const gt_fast_block *w, const double *v, double *out);
void gt_fast_block_drive(gt_fast_block *w, const double *q, double *u);
void gt_fast_block_reduced(gt_fast_block *w, const double *v, double *out);

/* Is g_z so near to a singular one that there is no manifold to go along? */
bool gt_fast_block_is_singular(const gt_fast_block *w);

/* ---- a Runge-Kutta method for the slow states, slow_rk.c ---- */
/* What the choice makes of the order and the order of the estimate of a method that has these by
 * itself. */
gt_facts gt_slow_facts(int choice, gt_facts own);

/* k = x' at t_n + c h and X. */
typedef gt_status gt_slow_slope(gt_stepper *s, double c, double h, const double *X, double *k,
                                void *data);

typedef struct gt_slow_rk {
    size_t n;
    const gt_tableau *tableau;
    double *k[GT_MAX_STAGES], *end, *X;
} gt_slow_rk;

void gt_slow_rk_layout(gt_slow_rk *w, size_t n_slow, const gt_tableau *tableau, gt_arena *arena);

/* From x to x_new; with `err`, x_new less a solution of another order. */
gt_status gt_slow_rk_step(gt_slow_rk *w, gt_stepper *s, double h, const double *x, double *x_new,
                          double *err, gt_slow_slope *slope, void *data) GT_MUST_CHECK;

#endif

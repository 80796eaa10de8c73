/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_IMPLICIT_SHIFTED_H
#define GEARTRAIN_IMPLICIT_SHIFTED_H

/*
 * Systems (M - h r_i J) y = b for a few fixed numbers r_i, each with its own factors; of a
 * conjugate pair only the one with im r > 0 is kept. They make polynomials and ratios of
 * polynomials in h M^-1 J cheap: in partial fractions each is a sum of such solves, and J^k is
 * never formed. Algebraic rows of M are empty. Where factors would be too large the systems are
 * solved by iterations, all with one preconditioner (iterated.h).
 *
 * A problem that declares M z'' + C z' + K z = u is solved at half its size: with gamma = h r and x
 * = [z, v]
 *
 *     (M + gamma C + gamma^2 K) y_v = b_v - gamma K b_z,     y_z = b_z + gamma y_v
 */
#include "implicit/iterated.h"
#include "linalg/sum.h"
#include <geartrain/author/newton.h>

enum { GT_MAX_SHIFTS = 9 };

typedef struct gt_shifted {
    const gt_problem *problem;
    int count;
    double complex r[GT_MAX_SHIFTS];
    gt_sum sum;
    gt_matrix mass;              /* M with empty algebraic rows, where there are any */
    gt_matrix W_real, W_complex; /* one after the other is filled, then factored */
    gt_lu lu[GT_MAX_SHIFTS];
    gt_lu sign;                /* of a real 1 - gamma J, for growth.h, where all r are complex */
    bool signs;                /* `sign` is there */
    double *b;                 /* 2n: a right-hand side and its solution */
    double *half;              /* second order: 2 m */
    double h;                  /* of the factors */
    bool matrix;               /* J is one; else gt_iterated_place says where J is taken */
    gt_iterated *iterated;     /* NULL: by factors */
    double absolute, relative; /* how exact solutions by iterations are to be, see iterated.h */
} gt_shifted;

static inline bool gt_shift_is_real(const gt_shifted *w, int i) { return cimag(w->r[i]) == 0; }

void gt_shifted_layout(gt_shifted *w, const gt_problem *problem, const double complex *r, int count,
                       const gt_linear_options *linear, gt_arena *arena);

/* Other numbers, of the same kinds (real, complex) and at most as many as were laid out, for the
 * factors to come. */
void gt_shifted_use(gt_shifted *w, const double complex *r, int count);

/* J: typical values, for sparse matrices. */
gt_status gt_shifted_prepare(gt_shifted *w, const gt_matrix *J, double h) GT_MUST_CHECK;

/* `which`: of the points where J is taken, without a matrix. GT_TRY_NEWTON in controlled runs: a
 * mode grows faster than the method could follow (growth.h). */
gt_status gt_shifted_factor(gt_shifted *w, gt_stepper *s, int which, const gt_matrix *J,
                            double h) GT_MUST_CHECK;

/* y := (M - h r_i J)^-1 y in place: n numbers when r_i is real, else n pairs. */
gt_status gt_shifted_solve(gt_shifted *w, gt_stepper *s, int i, double *y) GT_MUST_CHECK;

/* out += scale sum_i weight_i (M - h r_i J)^-1 g over all r_i and their conjugates; several such
 * sums share the solves, and `absolute` is for them.
 */
typedef struct gt_combination {
    const double complex *weight;
    double scale;
    double *out;
} gt_combination;
gt_status gt_shifted_apply(gt_shifted *w, gt_stepper *s, const double *g,
                           const gt_combination *sums, int count) GT_MUST_CHECK;

/* out += scale (weight y, and its conjugate when r_i is not real), y from gt_shifted_solve. */
void gt_shifted_add(const gt_shifted *w, int i, double complex weight, double scale,
                    const double *y, double *out);

void gt_shifted_free(gt_shifted *w);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_IMPLICIT_ILU_H
#define GEARTRAIN_IMPLICIT_ILU_H

/*
 * Incomplete factors of W = M - gamma J (algebraic rows J) in the pattern of W, or in that and the
 * fill of its first elimination steps (fill = 1): Meijerink, van der Vorst, Math. Comp. 31 (1977)
 * 148; levels of fill after Watts (1981). What is dropped is partly added to the diagonal
 * (Gustafsson, BIT 18 (1978) 142), which for diffusion takes far fewer iterations.
 *
 * Columns are what CSC has, so the factors are those of the transpose, W' = L U with L of unit
 * diagonal, made row by row: W = U' L'.
 */
#include "implicit/coarse.h"
#include "linalg/sum.h"
#include <geartrain/author/newton.h>

typedef struct gt_ilu {
    size_t n, n_diff;
    gt_pattern of_J, of_mass, of_W;
    const int *colptr, *rowindex; /* of the factors */
    int *jac_slot, *mass_slot;    /* places of entries; jac_slot NULL: those of J itself */
    int *diagonal, *place;        /* places of the diagonal; work */
    double *values;               /* the factors, with the diagonal of U inverted */
    int fill;
    int sign;             /* of the determinant of the factors */
    gt_coarse *coarse;    /* NULL: too few components; and whether it is in use */
    bool corrects, plain; /* plain: nothing of what is dropped goes to the diagonal */
} gt_ilu;

/* J is CSC. */
void gt_ilu_layout(gt_ilu *w, const gt_problem *problem, int fill, gt_arena *arena);
void gt_ilu_prepare(gt_ilu *w, const gt_problem *problem);
void gt_ilu_factor(gt_ilu *w, const gt_problem *problem, const gt_matrix *J, double gamma);
/* The matrix that the factors were made of. */
gt_shift gt_ilu_matrix(const gt_ilu *w, const gt_matrix *J, double gamma);
/* b := P^-1 b, W being that matrix. */
void gt_ilu_solve(const gt_ilu *w, const gt_shift *W, double *b);

/* ---- for coarse.h: factors of a W of up to n components and `entries`, in a pattern that is made
 * with its values ---- */
void gt_ilu_layout_small(gt_ilu *w, size_t n, size_t entries, const int *colptr,
                         const int *rowindex, gt_arena *arena);
void gt_ilu_factor_small(gt_ilu *w, const gt_shift *W);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_IMPLICIT_GMRES_H
#define GEARTRAIN_IMPLICIT_GMRES_H

/*
 * W y = b by GMRES (Saad, Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856) with restarts and a
 * preconditioner P on the left, in the norm of the tolerances (Brown, Hindmarsh, Appl. Math.
 * Comput. 31 (1989) 40):
 *
 *     (D^-1 P^-1 W D) (D^-1 y) = D^-1 P^-1 b,     D = diag(unit_i)
 *
 * W and its vectors are real, or complex as pairs.
 */
#include <geartrain/author/stepper.h>

enum { GT_MOST_RESTART = 40 };

typedef struct gt_gmres {
    const gt_problem *problem; /* whose ranks share the vectors */
    size_t n, width;           /* components; 2: each is a pair, 1: a number */
    int restart, most;         /* vectors of the space; iterations for a system */
    double *V;                 /* restart + 1 vectors */
    double *z;                 /* work, a vector */
    const double *unit;        /* n weights of the norm */
    gt_status (*times)(void *ctx, const double *v, double *y); /* y = W v; y is no part of v */
    gt_status (*precondition)(void *ctx, double *b);           /* b := P^-1 b; may use z */
    void *ctx;
    int *sign; /* in: that of det P; out: that of det W, W real, as far as the space shows it; NULL:
                  not asked for */
} gt_gmres;

/* b := about W^-1 b, until the residual of the preconditioned system is below `absolute` (a root
 * mean square over components), or `relative` of what it was. GT_TRY_KRYLOV: it did not get there.
 */
gt_status gt_gmres_solve(const gt_gmres *w, double *b, double absolute,
                         double relative) GT_MUST_CHECK;

#endif

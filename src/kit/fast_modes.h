/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_FAST_MODES_H
#define GEARTRAIN_KIT_FAST_MODES_H

#include <geartrain/author/stepper.h>

/*
 * The fast end of the spectrum of df/dx, from a few calls of f: the power method with its iterates
 * made orthogonal (Arnoldi), so that not only the largest eigenvalue shows but also how far down
 * the fast ones reach and whether they oscillate. J v is a difference of two values of f, so
 * eigenvalues below about 1e-7 of the largest are noise. Three guards: what is not finite is
 * refused; the iteration ends when nothing new comes, which for a cluster is after two calls; and
 * values that have not settled say so by `settled` and their residuals.
 */
enum { GT_MODES = 12 };

typedef struct gt_fast_modes {
    int count;                         /* eigenvalues found, by |lambda|, largest first */
    double re[GT_MODES], im[GT_MODES]; /* pairs of complex ones stand together */
    double residual[GT_MODES]; /* |J v - lambda v| of the vector v that goes with it, of length 1 */
    bool settled; /* the vectors span all that the start excites: nothing lies outside */
    double noise; /* eigenvalues below this size are noise */
    double split; /* a double eigenvalue may show as a pair so far apart, as 0 in free fall */
    double *vector[GT_MODES + 1]; /* n each */
    double *moved;                /* n */
} gt_fast_modes;

void gt_fast_modes_layout(gt_fast_modes *m, size_t n, gt_arena *arena);

/* At the point (t, x) with slope f there, from at most GT_MODES calls. A failure of f is passed on.
 */
gt_status gt_fast_modes_find(gt_fast_modes *m, gt_stepper *s, double t, const double *x,
                             const double *f) GT_MUST_CHECK;

static inline double gt_mode_size(const gt_fast_modes *m, int i)
{
    double re = m->re[i], im = m->im[i];
    return __builtin_sqrt(re * re + im * im);
}

#endif

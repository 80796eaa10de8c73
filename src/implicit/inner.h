/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_IMPLICIT_INNER_H
#define GEARTRAIN_IMPLICIT_INNER_H

/*
 * The linear systems W y = b of Newton, W = M - gamma J (algebraic rows J), without factors of W:
 * by GMRES (gmres.h), or by the caller of the library.
 *
 * J is kept as a matrix where the problem has a pattern of it: products are those of the kept J,
 * and P is made of it. Otherwise J v is the caller's, or a difference of f at the iterate. A J that
 * another trial has written over is evaluated again at its point, so that no trial leaves a trace.
 */
#include "implicit/ilu.h"
#include <geartrain/author/newton.h>

typedef struct gt_inner {
    gt_linear_way way;
    gt_preconditioner precondition;
    bool matrix;       /* products by a kept J */
    size_t reach;      /* of its pattern (product.h) */
    int restart, most; /* vectors of the space; iterations for a system */
    double *V;         /* restart + 1 vectors */
    double *z;         /* work */
    double *unit;      /* weights of the norm */
    double *at[2];     /* points of the two Jacobians */
    double at_t[2];
    int held; /* which one J, or what the caller prepared, is of; -1: none */
    gt_ilu ilu;
    double *diagonal;  /* 1 / W_ii */
    double *f, *moved; /* for differences: f at the iterate, a point beside it */
    double t, gamma;   /* of the system under way */
    const double *x;
    double x_size;
    double gamma_P; /* that P was made with */
    int sign_P;     /* that of its determinant; 0: not known (growth.h) */
} gt_inner;

/* Operations of a Newton iteration for a state where Krylov iterations solve its system. */
static const double gt_krylov_operations = 100;

/* What the linear error may be: of what Newton may leave; at fixed step of the right-hand side. */
static const double gt_linear_part = 0.02, gt_linear_relative = 1e-4;

/* Iterations for a system. */
enum { GT_INNER_MOST = 60 };

/* ---- shared with iterated.h ---- */
/* Vectors of a space; whether J is kept as a matrix; what there is for the preconditioner that is
 * asked for. */
int gt_inner_restart(size_t n, const gt_linear_options *options);
bool gt_inner_matrix(const gt_problem *problem, const gt_linear_options *options);
gt_preconditioner gt_inner_precondition(const gt_problem *problem, const gt_linear_options *options,
                                        bool matrix);
/* 1 / W_ii; returns the sign of their product. */
int gt_inner_diagonal(const gt_problem *problem, const gt_matrix *J, double gamma, double *inverse);
/* y = J v at (t, x), where f is f, by a difference over about the tolerance, or over what f can
 * tell apart. v is D times a vector of length 1. */
gt_status gt_inner_difference(gt_stepper *s, double t, const double *x, const double *f,
                              const double *v, double *moved, double *y) GT_MUST_CHECK;
/* The norm of corrections: that of the tolerances, or at fixed step relative to x, and where that
 * is 0 to the right-hand side b (pairs where width is 2), whose squares are to be finite. */
void gt_inner_weigh(const gt_stepper *s, const double *x, const double *b, size_t width,
                    double *unit);

/* ---- for Newton ---- */
/* What to do for this problem; GT_LINEAR_AUTO is resolved. */
gt_linear_way gt_inner_way(const gt_problem *problem, const gt_linear_options *options);

/* gt_newton_layout_with has done all else. */
void gt_inner_layout(gt_newton *newton, const gt_problem *problem, const gt_linear_options *options,
                     gt_linear_way way, gt_arena *arena);
void gt_inner_prepare(gt_newton *newton, gt_stepper *s);

/* J[which] := that at (t, x). */
gt_status gt_inner_evaluate(gt_newton *newton, gt_stepper *s, int which, double t,
                            const double *x) GT_MUST_CHECK;
/* The preconditioner for J[which] and gamma. */
gt_status gt_inner_factor(gt_newton *newton, gt_stepper *s, int which, double gamma) GT_MUST_CHECK;
/* newton->delta := W^-1 newton->delta for the system at the iterate x. */
gt_status gt_inner_solve(gt_newton *newton, gt_stepper *s, double t, double gamma,
                         const double *x) GT_MUST_CHECK;

/* For consistent values: the same for W with gamma = 0, whose differential rows are those of the
 * identity, at (t, x). J is a matrix. */
gt_status gt_inner_close(gt_newton *newton, gt_stepper *s, double t, const double *x) GT_MUST_CHECK;

#endif

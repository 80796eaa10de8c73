/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_SPM_KIT_H
#define GEARTRAIN_KIT_SPM_KIT_H

/* What spm, spm2 and spmc share beside the fast block: the takeover by exprb32, the error estimate,
 * dense output. */
#include "kit/explicit_rk.h"
#include "kit/exponential.h"

typedef struct gt_spm_options {
    int slow; /* of gt_explicit_rk_methods */
    enum { GT_SINGULAR_EXPRB32, GT_SINGULAR_STOP } singular;
    int dense;
    enum { GT_Y_CORRECTED, GT_Y_LINEAR } y; /* spm only */
} gt_spm_options;

#define GT_SPM_OPTIONS                                                                             \
    {.name = "slow",                                                                               \
     .help = "the explicit method for the slow states, (29)",                                      \
     .type = GT_CHOICE,                                                                            \
     .initial = GT_RK_rk4,                                                                         \
     .choices = gt_explicit_rk_names,                                                              \
     .field = GT_OPTION_FIELD(gt_spm_options, slow)},                                              \
        {.name = "singular",                                                                       \
         .help = "where g_z is singular or nearly so: exprb32 takes the step, or the run stops",   \
         .type = GT_CHOICE,                                                                        \
         .choices = gt_singular_choices,                                                           \
         .field = GT_OPTION_FIELD(gt_spm_options, singular)},                                      \
        GT_DENSE_OPTION(gt_spm_options)
#define GT_SPM_MEMORY                                                                              \
    "J and its fast block; 73 for a Krylov space (up to `dense` fast states dense matrices "       \
    "instead); stages of the "                                                                     \
    "slow method, the manifold and the motion towards it"
extern const char *const gt_singular_choices[];

typedef struct gt_spm {
    gt_spm_options options;
    gt_fast_block block;
    gt_slow_rk rk;
    double *mean, *y_end, *u1; /* of y over the step, at its end; the drive there */
    double *b[4];              /* m, right-hand sides of sums */
    double *x_error, *z_error; /* n_slow, m: better less computed */
    double *moment;            /* n_slow, for the estimate */

    gt_moments moments; /* dense blocks only */
    double *columns;
    size_t rank;

    gt_krylov krylov; /* beyond `dense` states */
    gt_exprb exprb;
    double *correction;
    bool took_over; /* in the trial under way */
    long takeovers; /* in accepted steps of this run */
    double seen_t;
} gt_spm;

/* Reads the options first. The method of the slow states is slow[options.slow]. */
void gt_spm_layout(gt_spm *w, gt_stepper *s, const gt_method *const *slow, bool with_gz,
                   gt_arena *arena);
gt_status gt_spm_prepare(gt_stepper *s) GT_MUST_CHECK;
void gt_spm_accept(gt_stepper *s);
void gt_spm_restart(gt_stepper *s);
void gt_spm_free(gt_stepper *s);
gt_status gt_spm_interpolate(gt_stepper *s, double h, double theta, double *x) GT_MUST_CHECK;

/* The point is ready; *done when g_z is nearly singular and exprb32 has taken the step. */
gt_status gt_spm_begin(gt_spm *w, gt_stepper *s, double h, const double *x, double *x_new,
                       double *err, bool *done) GT_MUST_CHECK;

/* k = f(t_n + c h, X, Z) */
gt_status gt_spm_slope(gt_spm *w, gt_stepper *s, double c, double h, const double *X,
                       const double *Z, double *k) GT_MUST_CHECK;

/* What is not linear in g at the end of the step, times 2 h phi_3(hA). */
gt_status gt_spm_bend(gt_spm *w, gt_stepper *s, double h, const double *x_new,
                      double *out) GT_MUST_CHECK;

/* How the method takes y into account in x, which decides what it leaves out. */
typedef enum gt_spm_kind { GT_SPM_LINEAR, GT_SPM_MEAN, GT_SPM_SPREAD } gt_spm_kind;

/* err from the error of the slow method in w->x_error and w->mean, y_end, rk.k; see spm_estimate.c.
 */
gt_status gt_spm_estimate(gt_spm *w, gt_stepper *s, gt_spm_kind kind, double h, const double *x_new,
                          double *err) GT_MUST_CHECK;

/* Mean and spread of y over the step into w->columns, or for large blocks one direction of about
 * its size. */
gt_status gt_spm_spread(gt_spm *w, double h) GT_MUST_CHECK;

/* k = mean of f(t_n + c h, X, Z +- sqrt(rank) column_i) */
gt_status gt_spm_average(gt_spm *w, gt_stepper *s, double c, double h, const double *X, double *Z,
                         double *k) GT_MUST_CHECK;

#endif

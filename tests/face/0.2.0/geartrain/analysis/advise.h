/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ADVISE_H
#define GEARTRAIN_ADVISE_H

#include <geartrain/analysis/analysis.h>
#include <geartrain/api.h>
#include <geartrain/integrate.h>

GT_C_BEGIN

/*
 * What a problem is like along its solution, and which methods suit it. Everything here counts
 * operations and looks at eigenvalues, never at a clock. What the structs point to lives in the
 * arena given, which must be growing.
 */

/* Up to this many states all eigenvalues are found; above it the extreme ones, by Arnoldi's method.
 */
enum { GT_SPECTRUM_DENSE = 300 };

/* Eigenvalues of the linear model about one point of a solution. */
typedef struct gt_spectrum {
    double t, h; /* where, and the step that led there (0: the start, or not known) */
    const double *x;
    size_t count;
    double *values; /* (re, im), largest |lambda| first */
    bool complete;  /* all of them are there */
    size_t n;       /* when complete: size of the linear model, */
    const size_t *state;
    double *A;             /* its matrix, column major, */
    double *participation; /* and [k * n + i] of row i in mode k in the order of `values` */
    void *reserved[4];     /* 0; room for more */
} gt_spectrum;

GT_API gt_status gt_spectrum_full_sized(const gt_problem *problem, size_t problem_size, double t,
                                        const double *x, gt_spectrum *out, gt_arena *arena,
                                        gt_message *message) GT_MUST_CHECK;
/* All eigenvalues, by gt_linearize. Fills everything but h. */
static inline GT_MUST_CHECK gt_status gt_spectrum_full(const gt_problem *problem, double t,
                                                       const double *x, gt_spectrum *out,
                                                       gt_arena *arena, gt_message *message)
{
    return gt_spectrum_full_sized(problem, sizeof *problem, t, x, out, arena, message);
}

GT_API gt_status gt_spectrum_extreme_sized(const gt_problem *problem, size_t problem_size, double t,
                                           const double *x, double span, size_t wanted,
                                           gt_spectrum *out, gt_arena *arena,
                                           gt_message *message) GT_MUST_CHECK;
/* The largest ones, and those nearest to 1/span, about `wanted` of each, from products with J and
 * with an inverse. */
static inline GT_MUST_CHECK gt_status gt_spectrum_extreme(const gt_problem *problem, double t,
                                                          const double *x, double span,
                                                          size_t wanted, gt_spectrum *out,
                                                          gt_arena *arena, gt_message *message)
{
    return gt_spectrum_extreme_sized(problem, sizeof *problem, t, x, span, wanted, out, arena,
                                     message);
}

GT_API gt_status gt_spectrum_largest_sized(const gt_problem *problem, size_t problem_size, double t,
                                           const double *x, double *re, double *im) GT_MUST_CHECK;
/* An estimate of the eigenvalue of largest size, good to some percent, from at most 41 evaluations
 * of f. For x' = f. */
static inline GT_MUST_CHECK gt_status gt_spectrum_largest(const gt_problem *problem, double t,
                                                          const double *x, double *re, double *im)
{
    return gt_spectrum_largest_sized(problem, sizeof *problem, t, x, re, im);
}

GT_API gt_status gt_spectrum_at_sized(const gt_problem *problem, size_t problem_size, double t,
                                      const double *x, double span, gt_spectrum *out,
                                      gt_arena *arena, gt_message *message) GT_MUST_CHECK;
/* Whichever of the first two suits the size. */
static inline GT_MUST_CHECK gt_status gt_spectrum_at(const gt_problem *problem, double t,
                                                     const double *x, double span, gt_spectrum *out,
                                                     gt_arena *arena, gt_message *message)
{
    return gt_spectrum_at_sized(problem, sizeof *problem, t, x, span, out, arena, message);
}

/*
 * The largest step up to which |R(h lambda)| <= 1 for every eigenvalue that does not grow (re <=
 * 0): INFINITY when that is any step, 0 when no step will do, NAN when the method has no R(z).
 */
GT_API double gt_stable_step(const gt_method *method, const char *options, const double *values,
                             size_t count);

/*
 * The same for any method, those of two rates too, from the matrix of a whole step on the linear
 * model with its blocks as they are coupled: the largest step, up to `span`, up to which its
 * spectral radius is at most 1 + 1e-5, or where modes grow, exp(h re) times that. The points are
 * complete, their first and last and the fastest one are looked at; NAN: they are not, a step of
 * the method is not linear in x, or there are more than GT_COUPLED_MAX states or so many that the
 * method's steps on all unit vectors would take more than a second.
 */
enum { GT_COUPLED_MAX = 100 };
GT_API double gt_coupled_step_sized(const gt_problem *problem, size_t problem_size,
                                    const gt_spectrum *points, size_t count,
                                    const gt_method *method, const char *options, double span);
static inline double gt_coupled_step(const gt_problem *problem, const gt_spectrum *points,
                                     size_t count, const gt_method *method, const char *options,
                                     double span)
{
    return gt_coupled_step_sized(problem, sizeof *problem, points, count, method, options, span);
}

GT_API double gt_coupled_radius_sized(const gt_problem *problem, size_t problem_size,
                                      const gt_spectrum *point, const gt_method *method,
                                      const char *options, double h);
/* The spectral radius of that matrix for one step; NAN as above. */
static inline double gt_coupled_radius(const gt_problem *problem, const gt_spectrum *point,
                                       const gt_method *method, const char *options, double h)
{
    return gt_coupled_radius_sized(problem, sizeof *problem, point, method, options, h);
}

/* Two blocks of states: how far apart their rates are and how strongly they are coupled. Means over
 * the points are geometric; a rate below 1/span counts as that. */
typedef struct gt_split {
    size_t n_fast;       /* 0: there is none */
    unsigned char *fast; /* by state */
    double gap; /* of the modes: slowest fast |lambda| over fastest slow one; 0: not looked for */
    double fast_rate, slow_rate;     /* smallest |lambda| of J_ff, largest of J_ss */
    double separation;               /* the one over the other */
    double coupling_sf, coupling_fs; /* |J_sf| / |J_ss| and |J_fs| / |J_ff| in the Frobenius norm */
    void *reserved[4];               /* 0; room for more */
} gt_split;

typedef struct gt_state_rate {
    double
        rate; /* mean of |lambda| over modes, weighted by the part that the state takes in them */
    double fast_share; /* how much of that part is in modes above the gap of the split */
} gt_state_rate;

GT_API gt_status gt_split_suggest_sized(const gt_problem *problem, size_t problem_size,
                                        const gt_spectrum *points, size_t count, double span,
                                        const double *motion, gt_split *out, gt_state_rate *rates,
                                        gt_arena *arena, gt_message *message) GT_MUST_CHECK;
/*
 * Looks for the largest gap in log |lambda| over all points, which must be complete, and for the
 * states that take part most in the modes above it; where that is below 3, for a gap in how fast
 * the states move (`motion`, n, may be NULL). out->n_fast is 0 when neither is there, or the blocks
 * that come of it are less than 1.5 times apart. `rates` has room for every state.
 */
static inline GT_MUST_CHECK gt_status gt_split_suggest(const gt_problem *problem,
                                                       const gt_spectrum *points, size_t count,
                                                       double span, const double *motion,
                                                       gt_split *out, gt_state_rate *rates,
                                                       gt_arena *arena, gt_message *message)
{
    return gt_split_suggest_sized(problem, sizeof *problem, points, count, span, motion, out, rates,
                                  arena, message);
}

/* Separation and coupling of the division in split->fast. */
GT_API gt_status gt_split_measure(const gt_spectrum *points, size_t count, double span,
                                  const double *motion, gt_split *split,
                                  gt_message *message) GT_MUST_CHECK;

/* Eigenvalues (re, im) of a diagonal block of the linear model at one point, J_ff or J_ss; `values`
 * has room for 2 point->n numbers. */
GT_API gt_status gt_split_block(const gt_spectrum *point, const unsigned char *fast, bool of_fast,
                                double *values, size_t *count, gt_message *message) GT_MUST_CHECK;

/*
 * Slow manifold of a problem with a fast block, z' = G(t, x, z), about a point. All refers to the
 * slow states as they are there.
 */
typedef struct gt_manifold {
    size_t n_slow, n_fast;
    double *H; /* G(t, x, H) = 0 */
    double *
        correction; /* eps H1 = G_z^-1 (h_x f + h_t), (15) of gil; h_t for G that depends on time */
    double distance;  /* of the fast states from H, max |z - H| / (1 + |H|) */
    double corrected; /* and from H + correction */
    double *L;        /* n_fast x n_slow, column major; eta = z + L x decouples, (8)-(9) of shi */
    int iterations;   /* L_(k+1) = J_ff^-1 (J_fs + L_k (J_ss - J_sf L_k)); 0: did not converge */
    double *slow, *fast; /* eigenvalues (re, im) of J_ss - J_sf L and J_ff + L J_sf */
    void *reserved[4];   /* 0; room for more */
} gt_manifold;

GT_API gt_status gt_manifold_at_sized(const gt_problem *problem, size_t problem_size, double t,
                                      const double *x, gt_manifold *out, gt_arena *arena,
                                      gt_message *message) GT_MUST_CHECK;
static inline GT_MUST_CHECK gt_status gt_manifold_at(const gt_problem *problem, double t,
                                                     const double *x, gt_manifold *out,
                                                     gt_arena *arena, gt_message *message)
{
    return gt_manifold_at_sized(problem, sizeof *problem, t, x, out, arena, message);
}

/* Blocks whose rates are not this much apart are not a split. */
#define GT_LEAST_SEPARATION 2.0

/* What is to be done with a method. */
typedef enum gt_verdict_kind { GT_ADVISED, GT_POSSIBLE, GT_NOT_ADVISED } gt_verdict_kind;

typedef struct gt_method_advice {
    const gt_method *method;
    gt_verdict_kind verdict;
    double h_stable;   /* as gt_stable_step */
    double h_accurate; /* a rough guess for the tolerance of the run */
    double
        work; /* to get through, in evaluations of f; rough; INFINITY: it cannot; NAN: not known */
    gt_message why;    /* the reason */
    void *reserved[4]; /* 0; room for more */
} gt_method_advice;

typedef struct gt_advice {
    const gt_method *method; /* of the run along which everything was looked at */
    gt_message why_method;
    gt_report run;
    double span, rtol;
    double steps_accuracy; /* that a method of order 5 with error control needs for rtol, as the run
                              lets one guess */
    double steps_stability; /* that dopri5 needs to be stable */
    double radii;  /* the span in units of the radius of convergence of the solution, typically */
    double uneven; /* typical step of the run over its small ones: what a fixed step costs more */

    gt_spectrum *points; /* in the order of the run */
    size_t n_points;
    double radius;          /* largest |lambda| */
    double stiffness_ratio; /* largest over smallest -re of the modes that decay, at the point where
                               it is largest */
    double growth;          /* largest re, 0 when none is above */
    double frequency;       /* largest |im| */
    double damping;         /* damping ratio of that mode */
    bool stiff;             /* steps_stability > 2 steps_accuracy */
    bool oscillates;        /* a mode with damping ratio below 0.5 goes round at least once */
    bool rings;             /* and the fastest modes are like that, damping ratio below 0.1 */

    gt_state_rate *states;        /* n; NULL for large problems */
    gt_split split;               /* suggested */
    gt_split given;               /* of the problem as it is; n_fast 0: it has none */
    gt_message multirate;         /* whether it can pay */
    gt_message backinterpolation; /* the same; empty when there is no such method */

    bool has_manifold; /* of the problem's own fast block, at the end of the run */
    gt_manifold manifold;
    double *distance;            /* of each point from it; NAN where it cannot be found */
    gt_message manifold_message; /* why there is none */

    gt_method_advice *methods; /* best first */
    size_t n_methods;
    double *motion; /* n, apparent frequency of each state: pi (way it goes) / (range * span) */
    double *bound;  /* n, the largest size of each state in the run */
} gt_advice;

GT_API gt_status gt_advise_sized(const gt_problem *problem, size_t problem_size,
                                 const gt_plan *plan, size_t plan_size,
                                 const gt_method *const *methods, gt_advice *out, size_t out_size,
                                 gt_arena *arena, gt_message *message) GT_MUST_CHECK;
/* plan: rtol, atol and interrupted and progress are used; may be NULL. `methods` ends with NULL;
 * NULL: all. A run that fails on the way gives advice about the part that it has seen; then
 * out->run says why, and the status is its. Where t1 < t0 it is about gt_problem_reversed: its
 * eigenvalues are those of -J, its times those of the problem. */
static inline GT_MUST_CHECK gt_status gt_advise(const gt_problem *problem, const gt_plan *plan,
                                                const gt_method *const *methods, gt_advice *out,
                                                gt_arena *arena, gt_message *message)
{
    return gt_advise_sized(problem, sizeof *problem, plan, sizeof *plan, methods, out, sizeof *out,
                           arena, message);
}

GT_API gt_status gt_largest_step_sized(const gt_problem *problem, size_t problem_size,
                                       const gt_method *method, const double *bound, long max_steps,
                                       double *h, gt_message *message) GT_MUST_CHECK;
/*
 * The largest fixed step with which a run on the problem itself succeeds: it completes, and no
 * state at any step is beyond three times `bound`, its largest size in a good run (states that
 * hardly move: a thousandth of the largest of the same unit). The runs begin a millionth beside x0,
 * so that what can grow does. Found by halving from the whole span on, then by bisection to 0.5 %
 * in the number of steps; *h = 0: not with up to `max_steps` steps.
 */
static inline GT_MUST_CHECK gt_status gt_largest_step(const gt_problem *problem,
                                                      const gt_method *method, const double *bound,
                                                      long max_steps, double *h,
                                                      gt_message *message)
{
    return gt_largest_step_sized(problem, sizeof *problem, method, bound, max_steps, h, message);
}

GT_C_END

#endif

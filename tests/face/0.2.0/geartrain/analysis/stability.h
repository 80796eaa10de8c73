/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_STABILITY_H
#define GEARTRAIN_STABILITY_H

#include <geartrain/api.h>
#include <geartrain/author/tableau.h>
#include <geartrain/method.h>

GT_C_BEGIN

/*
 * What a method does to x' = lambda x, as a function of z = h lambda: x_(n+1) = R(z) x_n, or for a
 * multistep formula the roots w of rho(w) - z sigma(w). It comes from the tableau or formula of the
 * method, from its closed form, or, for methods that have none, from running their `step`; a ratio
 * of polynomials that explains what the runs give is then looked for.
 */
typedef enum gt_amplifier_kind {
    GT_BY_RATIO,   /* R = num / den, with exact facts */
    GT_BY_FORMULA, /* rho and sigma, with exact facts */
    GT_BY_FUNCTION /* R can be evaluated only; facts are searched for */
} gt_amplifier_kind;

typedef struct gt_amplifier {
    const gt_method *method;
    const char *option_text;
    gt_values options;
    gt_amplifier_kind kind;
    bool from_runs;    /* not from a closed form */
    gt_rational ratio; /* GT_BY_RATIO */
    int steps;         /* GT_BY_FORMULA: rho and sigma in ascending powers, rho[steps] = 1 */
    double rho[GT_MAX_PAST + 1], sigma[GT_MAX_PAST + 1];
    struct gt_linear_run *run; /* GT_BY_FUNCTION from runs */
    void *reserved[4];         /* 0; room for more */
} gt_amplifier;

/* Refuses, with an error message, methods that change their formula as they go and those that need
 * a partition. `options` must live as long. To be closed when it was opened. */
GT_API gt_status gt_amplifier_open(gt_amplifier *a, const gt_method *method, const char *options,
                                   gt_message *message) GT_MUST_CHECK;
GT_API void gt_amplifier_close(gt_amplifier *a);

/* The one root R(z), or the `steps` roots of the formula; a root that has gone to infinity is
 * infinite. */
GT_API int gt_amplifier_roots(const gt_amplifier *a, gt_complex z, gt_complex *w);

/* Largest modulus of them; infinite at a pole, and where the method cannot take a step. */
GT_API double gt_amplifier_largest(const gt_amplifier *a, gt_complex z);

/* The root that continues w = 1 from z = 0 along the straight line to z. */
GT_API gt_complex gt_amplifier_principal(const gt_amplifier *a, gt_complex z);

/* The first `count` points of a run of the method itself on x' = z x from x(0) = 1 with h = 1, x[0]
 * = 1. */
GT_API gt_status gt_amplifier_run(const gt_method *method, const char *options, gt_complex z,
                                  int count, gt_complex *x, gt_message *message) GT_MUST_CHECK;

/* A line z0 + s d, s > 0, cut where a root passes the unit circle: part i reaches from at[i-1] (or
 * 0) to at[i] (or infinity) and is stable or not. Not for GT_BY_FUNCTION. */
enum { GT_MAX_CUTS = 2 * GT_MAX_DEGREE };
typedef struct gt_line {
    int cuts;
    double at[GT_MAX_CUTS];
    bool stable[GT_MAX_CUTS + 1];
    bool neutral;      /* the largest modulus is 1 on the whole line */
    void *reserved[4]; /* 0; room for more */
} gt_line;
GT_API void gt_stability_line(const gt_amplifier *a, gt_complex z0, gt_complex d, gt_line *line);

/* The facts. Limits are distances from 0, infinite when there is no limit. */
enum { GT_MAX_GAPS = 16 };
typedef struct gt_stability {
    int order;
    double real_limit, imag_limit; /* stable on (-real_limit, 0) and on i (0, imag_limit) */
    bool a_stable, l_stable;
    bool f_stable; /* the stable region is the left half plane and nothing else */
    bool zero_stable, stiffly_stable;
    double delta;      /* the largest for which Re z <= delta is stable, at most 0; NAN: none */
    double r_infinity; /* largest modulus of a root as z goes to infinity */
    double sector_deg; /* A(theta)-stable for this angle; 0: for none */
    int n_gaps; /* parts of the positive imaginary axis that are unstable, ends may be infinite */
    double gaps[GT_MAX_GAPS][2];
    int n_light; /* where |R| = 1 on the whole imaginary axis: parts beside which lightly damped
                    modes grow */
    double light[GT_MAX_GAPS][2];
    void *reserved[4]; /* 0; room for more */
} gt_stability;
GT_API gt_status gt_stability_facts(const gt_amplifier *a, gt_stability *facts) GT_MUST_CHECK;

/* Parts of the positive imaginary axis to the left of which |R| > |R(iy)|: finds `room` of them at
 * most. */
GT_API int gt_light_damping_bands(const gt_rational *R, double bands[][2], int room);

/* Points (re, im) of the boundary of the stable region, in runs of neighbours; a NAN pair ends a
 * run. `points` has room for 2 `room` numbers; gives the number of pairs. `angles`: how many points
 * of the unit circle are looked at. */
GT_API size_t gt_stability_boundary(const gt_amplifier *a, int angles, double *points, size_t room);

/* crow 5.5: where, going out from 0 along `rays` rays all round, an extraneous root first is as
 * large as the principal one. Rays on which that does not happen up to |z| = reach are left out. */
GT_API size_t gt_relative_boundary(const gt_amplifier *a, int rays, double reach, double *points);

/*
 * Methods with small steps for fast modes (GT_BY_FUNCTION) are stable on two parts of the negative
 * real axis, for eigenvalues that are slow, 0 < -z < from, and fast, to < -z < edge. All 0 when
 * there are no two such parts.
 */
typedef struct gt_gap {
    double from, to, edge;
    double largest; /* |R| in the gap, at its largest */
} gt_gap;
GT_API gt_gap gt_spectral_gap(const gt_amplifier *a);

/* The fewest small steps, N, with which `smfe` is stable for the fast eigenvalue z = h lambda, (14)
 * of shi, and the bound (17) that N is above. An error message when there is no such number. */
GT_API gt_status gt_least_inner(double eps, gt_complex z, long *inner, double *bound,
                                gt_message *message) GT_MUST_CHECK;

/*
 * The test equation of two rates, gil (50) and shome (17): x' = ls x + mu z, z' = de x + lf z with
 * alpha = lf / ls, beta = mu / ls = de / lf and xi = h ls. One step of the method is multiplication
 * by a matrix M(xi).
 */
typedef struct gt_test2 {
    double alpha, beta;
    struct gt_linear_run *run; /* or, for a method with two tableaux: */
    gt_partitioned *pair;
    void *reserved[4]; /* 0; room for more */
} gt_test2;
GT_API gt_status gt_test2_open(gt_test2 *test, const gt_method *method, const char *options,
                               double alpha, double beta, gt_message *message) GT_MUST_CHECK;
GT_API void gt_test2_close(gt_test2 *test);
GT_API gt_status gt_test2_matrix(const gt_test2 *test, gt_complex xi,
                                 gt_complex M[2][2]) GT_MUST_CHECK;
GT_API double gt_test2_radius(const gt_test2 *test,
                              gt_complex xi); /* spectral radius; infinite when a step fails */

/* The same for any four numbers Z = h (lambda_ss, lambda_sf, lambda_fs, lambda_ff): the stability
 * matrix S, shome (22). Its spectrum depends on z_ss, z_ff and the product z_sf z_fs only. alpha
 * and beta of the test do not matter. */
GT_API gt_status gt_blocks_matrix(const gt_test2 *test, const gt_complex Z[4],
                                  gt_complex S[2][2]) GT_MUST_CHECK;
GT_API double gt_blocks_radius(const gt_test2 *test, const gt_complex Z[4]);

/* Largest s for which size(z0 + s d) stays at most 1 from 0 on, by search outwards and bisection;
 * infinite when that is so up to 1e6. For what can be evaluated only. */
typedef double gt_size_fn(gt_complex z, const void *ctx);
GT_API double gt_search_limit(gt_size_fn *size, const void *ctx, gt_complex d);

/* xie 3.2: the largest h for which the run on x1' = x2, x2' = -x1 + 2 cos(theta) x2 (eigenvalues
 * exp(+- i theta)) from x0 to tf stays within `tol` of the solution, in the Euclidean norm at all
 * steps; theta in degrees. 0: more than GT_ACCURACY_STEPS steps would be needed. */
enum { GT_ACCURACY_STEPS = 131072 };
GT_API gt_status gt_accuracy_limit(const gt_method *method, const char *options, double theta,
                                   const double x0[2], double tol, double tf, double *h,
                                   gt_message *message) GT_MUST_CHECK;

/* xie 3.3: damping -ln |R| and frequency arg R of the principal root at z = r (-cos theta + i sin
 * theta), degrees. */
typedef struct gt_damping {
    double damping, frequency, exact_damping, exact_frequency;
} gt_damping;
GT_API gt_damping gt_damping_at(const gt_amplifier *a, double theta, double r);

GT_C_END

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PROBLEM_H
#define GEARTRAIN_PROBLEM_H

#include <geartrain/api.h>
#include <geartrain/matrix.h>
#include <geartrain/status.h>
#include <stdbool.h>
#include <stddef.h>

GT_C_BEGIN

/*
 * x' = f(t, x) from t0 to t1, which may lie before t0, x(t0) = x0, with the state in contiguous
 * blocks
 *
 *     x = [ slow (n_slow) | fast (n_fast) | algebraic (n_alg) ]
 *
 * so that a partition is two integers. Algebraic rows of `rhs` hold the residual of 0 = g(t, x). A
 * problem without a partition puts everything into n_slow. Fill it with designated initialisers;
 * what is not set is absent.
 */
typedef gt_status gt_rhs_fn(double t, const double *x, double *dx, void *ctx);

/* The parts of the state. */
typedef enum gt_part { GT_SLOW, GT_FAST, GT_ALG } gt_part;

/* What the problem wants after an event. */
enum { GT_EVENT_STOP = 1, GT_EVENT_OUTPUT = 2 };

/* M z'' + C z' + K z = u(t), x = [z, z']: M is never inverted and K stays sparse. */
typedef struct gt_second_order {
    const gt_matrix *mass, *damping, *stiffness;        /* n/2 x n/2; damping may be NULL */
    gt_status (*input)(double t, double *u, void *ctx); /* may be NULL */
    void *reserved[2];                                  /* 0; room for more */
} gt_second_order;

/* Operations per call, counted on the equations: sums and products 1, divisions and roots 4,
 * functions 20. 0: not known.
 */
typedef struct gt_work {
    double full, slow, fast, alg, jac;
} gt_work;

typedef struct gt_problem {
    size_t n_slow, n_fast, n_alg;

    gt_rhs_fn *rhs;
    /* Blocks that can be evaluated alone; each writes the rows of its block only, from dx[0] on. */
    gt_rhs_fn *rhs_slow, *rhs_fast, *rhs_alg;

    /* df/dx into J, which has the pattern below and arrives cleared. Without `jac`, differences are
     * used, in groups of columns when the pattern is banded or CSC. */
    gt_status (*jac)(double t, const double *x, gt_matrix *J, void *ctx);
    gt_pattern jac_pattern;
    /* Of the same J only the entries in the rows of one part and the columns of another, which
     * arrive cleared; no other entry is touched. NULL: there is only the whole. See blocks.h. */
    gt_status (*jac_block)(gt_part rows, gt_part columns, double t, const double *x, gt_matrix *J,
                           void *ctx);

    /* What methods may rely on: df/dx is constant, f = A x + b(t); f does not depend on t. */
    bool linear, autonomous;

    /* Row k of c (c[k*n + i]) is the k-th Taylor coefficient x_i^(k)(t)/k!; row 0 is given,
     * rows 1..order are filled.
     */
    gt_status (*taylor)(double t, int order, double *c, void *ctx);

    /* Constant mass matrix: M x' = f. NULL is the identity. May be singular. Rows of algebraic
     * variables are ignored.
     */
    const gt_matrix *mass;
    const gt_second_order *second_order;

    /* Called when a run begins, to reset what on_event keeps in ctx; may be NULL. */
    void (*begin)(void *ctx);

    /* Events: a root of component i passing in direction root_direction[i] (-1, +1, 0 both; NULL is
     * all 0). A root that is zero at the start is not an event. on_event gets the set of roots that
     * fired, may change x, and sets actions from GT_EVENT_*. */
    size_t n_roots;
    gt_status (*roots)(double t, const double *x, double *g, void *ctx);
    const int *root_direction;
    const char *const *root_names;
    gt_status (*on_event)(double t, const unsigned char *fired, double *x, unsigned *actions,
                          void *ctx);

    /* Surfaces on which f is not smooth: where component i of g = switches(t, x) passes zero.
     * set_sides says on which side of each f and its derivatives are to be taken, whatever x is: 1
     * and -1, the side where g is positive or negative, continued smoothly beyond the surface; 0,
     * as x says; NULL, all as x says, which is how a problem begins. switch_name puts the name of
     * one into a buffer; it may be NULL. With both functions a controlled run steps up to each
     * switch, and follows a surface to which both sides push. */
    size_t n_switches;
    gt_status (*switches)(double t, const double *x, double *g, void *ctx);
    void (*set_sides)(const signed char *sides, void *ctx);
    void (*switch_name)(size_t i, char *buffer, size_t room, void *ctx);

    /* Times at which f is not smooth, ascending. A step ends there; f is evaluated left of the time
     * until the step has ended and at the time itself, the right limit, after it. */
    size_t n_breaks;
    const double *breaks;
    double breaks_until; /* above 0: beyond this time there are breaks that are not listed, because
                            they are too many */
    /* At a break, when the algebraic variables are those of the right limit: may change x and what
     * ctx keeps; then they are solved for again. May be NULL. */
    gt_status (*on_break)(double t, double *x, void *ctx);

    /* What on_event and on_break change in ctx: bytes that a run saves, restores and copies with
     * its own state, and puts back when several runs share the problem. No pointers. */
    void *kept;
    size_t kept_bytes;

    double t0, t1;
    const double *x0;
    double typical; /* size of the states that matter, from which the default of atol is taken; 0:
                       see below */
    void *ctx;

    const char *name;
    const char *const *names; /* of the n states; NULL: x1, x2, .. */
    const char *const *units; /* NULL: none */

    void (*exact)(double t, double *x, void *ctx); /* for the shipped x0 and t0 only */

    size_t n_invariants;
    const char *const *invariant_names;
    void (*invariants)(double t, const double *x, double *out, void *ctx);

    /* Quantities that are only looked at: further columns of output. */
    size_t n_aux;
    const char *const *aux_names;
    void (*aux)(double t, const double *x, double *out, void *ctx);

    gt_work work;
} gt_problem;

static inline size_t gt_problem_size(const gt_problem *p)
{
    return p->n_slow + p->n_fast + p->n_alg;
}

GT_API double gt_typical_size_sized(const gt_problem *p, size_t p_size);
/* The size of the states: p->typical where it is given. Else 1, unless all initial values are below
 * 1e-3: then the largest of them, which a run replaces by what it meets, up to 1. Where all are 0
 * it is 1; a run takes f there, times its span, for their size. */
static inline double gt_typical_size(const gt_problem *p)
{
    return gt_typical_size_sized(p, sizeof *p);
}

GT_API double gt_default_atol_sized(const gt_problem *p, size_t p_size, double rtol);
/* The absolute tolerance that goes with rtol where the user gives none: 1e-3 rtol times that size.
 */
static inline double gt_default_atol(const gt_problem *p, double rtol)
{
    return gt_default_atol_sized(p, sizeof *p, rtol);
}

GT_API gt_status gt_problem_check_sized(const gt_problem *problem, size_t problem_size,
                                        gt_message *message) GT_MUST_CHECK;
/* Says what is missing or contradictory, if anything. */
static inline GT_MUST_CHECK gt_status gt_problem_check(const gt_problem *problem,
                                                       gt_message *message)
{
    return gt_problem_check_sized(problem, sizeof *problem, message);
}

GT_API const char *gt_problem_state_name_sized(const gt_problem *problem, size_t problem_size,
                                               size_t i, char buffer[24]);
/* Name of state i ("x3" when there are none); buffer is used only for made-up names. */
static inline const char *gt_problem_state_name(const gt_problem *problem, size_t i,
                                                char buffer[24])
{
    return gt_problem_state_name_sized(problem, sizeof *problem, i, buffer);
}

GT_API const char *gt_problem_column_name_sized(const gt_problem *problem, size_t problem_size,
                                                size_t i, char buffer[24]);
/* The same for columns of output: the states, and behind them the auxiliary quantities. */
static inline const char *gt_problem_column_name(const gt_problem *problem, size_t i,
                                                 char buffer[24])
{
    return gt_problem_column_name_sized(problem, sizeof *problem, i, buffer);
}

GT_API void gt_problem_reduced_sized(const gt_problem *problem, size_t problem_size,
                                     gt_problem *out, size_t out_size);
/* The quasi-steady-state model: the fast block's equations become 0 = g. The start is made
 * consistent by the solver. */
static inline gt_problem gt_problem_reduced(const gt_problem *problem)
{
    gt_problem out;
    gt_problem_reduced_sized(problem, sizeof *problem, &out, sizeof out);
    return out;
}

GT_API gt_status gt_problem_first_order_sized(const gt_problem *problem, size_t problem_size,
                                              gt_problem *out, size_t out_size,
                                              gt_arena *arena) GT_MUST_CHECK;
/* First-order form of p->second_order in `out`: z' = v, M v' = u - C v - K z, with mass matrix and
 * Jacobian set. */
static inline GT_MUST_CHECK gt_status gt_problem_first_order(const gt_problem *problem,
                                                             gt_problem *out, gt_arena *arena)
{
    return gt_problem_first_order_sized(problem, sizeof *problem, out, sizeof *out, arena);
}

GT_API gt_status gt_problem_reversed_sized(const gt_problem *problem, size_t problem_size,
                                           gt_problem *out, size_t out_size,
                                           gt_arena *arena) GT_MUST_CHECK;
/* The same problem with time running the other way, tau = -t: from -t0 to -t1. gt_integrate does it
 * by itself where t1 < t0. Uses problem->ctx; breaks and functions are wrapped in the arena. */
static inline GT_MUST_CHECK gt_status gt_problem_reversed(const gt_problem *problem,
                                                          gt_problem *out, gt_arena *arena)
{
    return gt_problem_reversed_sized(problem, sizeof *problem, out, sizeof *out, arena);
}

GT_API gt_status gt_problem_permuted_sized(const gt_problem *user, size_t user_size, size_t n_slow,
                                           size_t n_fast, size_t n_alg, const size_t *order,
                                           gt_problem *out, size_t out_size,
                                           gt_arena *arena) GT_MUST_CHECK;
/* A user's ordering that is not [slow|fast|alg]: order[i] is the user's index of state i. `out` can
 * be given to every method; its states, names and x0 are in the new order. Its scratch vectors are
 * in the arena, so it is for one thread; permute once per thread. */
static inline GT_MUST_CHECK gt_status gt_problem_permuted(const gt_problem *user, size_t n_slow,
                                                          size_t n_fast, size_t n_alg,
                                                          const size_t *order, gt_problem *out,
                                                          gt_arena *arena)
{
    return gt_problem_permuted_sized(user, sizeof *user, n_slow, n_fast, n_alg, order, out,
                                     sizeof *out, arena);
}

GT_C_END

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_METHOD_H
#define GEARTRAIN_METHOD_H

#include <geartrain/api.h>
#include <geartrain/author/arena.h>
#include <geartrain/author/control.h>
#include <geartrain/author/param.h>
#include <geartrain/problem.h>
#include <stdbool.h>

GT_C_BEGIN

typedef struct gt_method gt_method;
typedef struct gt_stepper gt_stepper;
typedef struct gt_tableau gt_tableau;
typedef struct gt_partitioned gt_partitioned;
typedef struct gt_infinitesimal gt_infinitesimal;
typedef struct gt_multistep gt_multistep;
typedef struct gt_rational gt_rational;

/* What a method asks of a problem, and what it can treat beyond plain x' = f. */
enum {
    GT_NEEDS_PARTITION = 1,
    GT_NEEDS_TAYLOR = 2,
    GT_TREATS_ALGEBRAIC = 4,
    GT_TREATS_MASS = 8,
    GT_USES_JACOBIAN = 16,    /* the problem's, or differences */
    GT_VARIABLE_FORMULA = 32, /* order or formula change during a run */
    /* puts f at a mean of fast motion for its mean: an error that shorter steps do not show */
    GT_AVERAGES = 64,
    GT_TREATS_RANKS = 128, /* a state that is spread over ranks */
    GT_TREATS_INDEX = 256, /* index 2 and 3, of algebraic equations or of a mass matrix */
    GT_SYMMETRIC = 512     /* a fixed step back leads to where it came from: energies do not drift,
                              though phases do */
};

/* How a step is made, which says what it costs and what limits it. */
typedef enum gt_kind {
    GT_KIND_EXPLICIT,
    GT_KIND_STABILIZED, /* explicit, with small steps that it finds from the spectrum as it goes */
    GT_KIND_IMPLICIT,   /* equations solved by an iteration */
    GT_KIND_LINEARLY_IMPLICIT, /* no iteration: a Jacobian and factors a step, a solution a stage */
    GT_KIND_EXPONENTIAL,       /* functions of matrices */
    GT_KIND_SERIES             /* Taylor coefficients */
} gt_kind;

/* What a method is the usual choice for: of several the first in the list. So nobody asks for a
 * method by its name. */
enum {
    GT_ROLE_NONSTIFF = 1,
    GT_ROLE_NONSTIFF_TIGHT = 2, /* where the tolerance is tight */
    GT_ROLE_STIFF = 4,
    GT_ROLE_STIFF_FIXED = 8,  /* with a fixed step */
    GT_ROLE_DAMPED = 16,      /* stiff, decaying, and explicit */
    GT_ROLE_SERIES = 32,      /* by Taylor coefficients, for references */
    GT_ROLE_INNER_STEPS = 64, /* fixed small steps inside a large one, shi (14) */
    /* stiff too, weighed against the first by its work; there may be several */
    GT_ROLE_STIFF_RIVAL = 128,
    GT_ROLE_SWINGING = 256, /* follows what is linear exactly: fast oscillations, linear problems */
    GT_ROLE_CONSTRAINED = 512, /* index above 1 */
    GT_ROLE_REVOLVING = 1024   /* passes over the swings of one fast oscillation */
};

/* What depends on the options. */
typedef struct gt_facts {
    gt_kind kind;
    int order;            /* of the solution that is carried on */
    int error_order;      /* the error estimate is O(h^(error_order + 1)); 0: the method has none */
    unsigned flags;       /* GT_NEEDS_*, GT_TREATS_*, GT_USES_* */
    int evaluations;      /* of f per step at fixed step once running; 0: it varies */
    int slow_evaluations; /* of each block alone, when the method evaluates blocks */
    int fast_evaluations;
    int stages;  /* of an implicit method: evaluations per iteration; 0: 1 */
    int systems; /* and linear systems, a complex one counting 4; 0: 1 */
    /* of matrices: sets of phi_k a step, of the fast block or else of all states; methods that have
     * some follow linear motion exactly */
    int functions;
    /* of a step beside f for each call of f; 0: they are counted by the step */
    double call_operations;
    double basin; /* nonlinear problems: |h lambda| up to which its iteration converges; 0: any */
    /* model on which the order is to be measured; NULL: any smooth one */
    const char *order_problem;
    int dense_evaluations; /* that dense output adds to a step */
} gt_facts;

/* What two points of a step at the same time tell of the mode that dominates their difference d,
 * with f(x + d) - f(x) = J d about, in the norm of the tolerances: h |J d| / |d|, and the cosine of
 * the angle between J d and d, which is -1 for a mode that decays, 0 for one that swings, 1 for one
 * that grows. */
typedef struct gt_dominant {
    double product, cosine;
} gt_dominant;

/* What a loop over controlled steps goes by. */
typedef struct gt_pace {
    const gt_control *control;
    gt_control_memory *memory;
    int q;                  /* exponent of h in the error */
    double h;               /* of the next trial, and then of the last one */
    double error;           /* of the last one */
    double end;             /* steps stay well before it */
    double h_least, h_most; /* steps beyond them are for others to take */
    long most;              /* steps */
    bool adapts;            /* h may change on the way */
} gt_pace;

/* What a run has done so far. */
typedef struct gt_stats {
    long steps, rejected;
    long rhs;                         /* calls of the full function */
    long rhs_slow, rhs_fast, rhs_alg; /* calls of one block */
    long jacobians, factorizations, repivots;
    long newton; /* iterations */
    long taylor; /* expansions */
    long events;
    long switches;    /* that were stepped up to */
    long krylov;      /* products in Krylov iterations for linear systems */
    long rhs_middle;  /* calls of blocks of rates between the slow and the fastest one */
    long reserved[2]; /* 0; room for more */
} gt_stats;

/* For authors of methods: author/tableau.h, author/stepper.h. */
enum { GT_MAX_PAST = 6 };

/*
 * One method: a const descriptor. A trial (`step`) reads the accepted point s->t, x and writes
 * x_new and, when not NULL, err; it may use its state as scratch but changes no history. History
 * changes in `accept` only, and `restart` forgets it (after an event or a discontinuity).
 */
struct gt_method {
    const char *name, *family, *title, *reference;
    unsigned roles;  /* GT_ROLE_* */
    const char *xpp; /* letters of the solvers of XPPAUT that it stands for; NULL: none */
    /* what a stepper holds for it beside x, x_new, their slopes and scratch; see memory.h */
    const char *memory;
    const gt_param *options; /* NULL: none */
    gt_facts (*facts)(const gt_method *self, const double *v);
    const gt_tableau *tableau;             /* one-step Runge-Kutta methods */
    const gt_multistep *formula;           /* linear multistep methods */
    const gt_infinitesimal *infinitesimal; /* multirate infinitesimal methods */
    /* partitioned ones, else NULL */
    void (*partitioned_of)(const gt_method *self, const double *v, gt_partitioned *P);
    const void *data; /* of the family */

    bool one_slope;    /* never asks for f at the end: s->f_new is s->f */
    size_t state_size; /* of the struct that s->state points to */
    /* carves arrays; also runs when measuring; may be NULL */
    gt_status (*layout)(gt_stepper *s, gt_arena *arena);
    gt_status (*prepare)(
        /* once, after layout, with real memory: tables, sparse analysis; may be NULL */
        gt_stepper *s);
    gt_status (*step)(gt_stepper *s, double h, const double *x, double *x_new, double *err);
    void (*accept)(gt_stepper *s);  /* x and x_new still as in the trial; may be NULL */
    void (*restart)(gt_stepper *s); /* may be NULL */
    void (*release)(gt_stepper *s); /* frees what prepare allocated; may be NULL */

    /* Methods that choose order and step themselves: the verdict on a finished trial with error E
     * (1: just acceptable). NULL: the controller of the plan decides. */
    gt_verdict (*judge)(gt_stepper *s, double error, double h, int rejections);
    /* The step to begin with, for methods whose published rule has one; its last steps are not
     * evened out then. NULL: it is estimated from f. */
    double (*first_step)(const gt_stepper *s);

    /* count fixed steps from grid point first of t_k = grid + k h, on s->x in place; bit-identical
     * to `step`s. */
    gt_status (*run_fixed)(gt_stepper *s, double grid, double h, size_t first, size_t count);

    /* Controlled steps in one call, for small-n speed: trials judged as the loop would (E is the
     * root mean square over the weights), until one is not accepted or leads to a step outside the
     * limits of `pace`. That trial is left for the loop to judge, with its size and error in
     * `pace`. Bit-identical to `step`s. */
    gt_status (*run_kept)(gt_stepper *s, gt_pace *pace);

    /* Value at s->t + theta h of a finished trial, 0 <= theta <= 1. NULL: cubic Hermite. */
    gt_status (*interpolate)(gt_stepper *s, double h, double theta, double *x);

    /* Closed forms of what the method does to x' = lambda x, z = h lambda, where neither `tableau`
     * nor `formula` has it: x_new = R(z) x with R a ratio of polynomials, or any other function; or
     * a multistep formula that depends on the options, with an error message when there is none.
     * All may be NULL: R is then found by running `step`. */
    void (*rational)(const gt_method *self, const double *v, gt_rational *R);
    gt_complex (*amplification)(const gt_method *self, const double *v, gt_complex z);
    gt_status (*formula_of)(const gt_method *self, const double *v, gt_multistep *formula,
                            gt_message *message);

    /* What a method that has no such form carries from one accepted step to the next beside x: the
     * arrays and their lengths; gives how many. For the matrix of a step. NULL: nothing that
     * matters. */
    size_t (*past)(const gt_stepper *s, double *part[GT_MAX_PAST], size_t length[GT_MAX_PAST]);

    /* For those who watch a run, of a finished trial before it is accepted: what its stages tell of
     * the largest mode (Hairer, Wanner, Solving Ordinary Differential Equations II, IV.2). Calls f
     * at most where the next step would have to. False: nothing. NULL: never anything. */
    bool (*mode)(gt_stepper *s, gt_dominant *out);
    /* The Jacobian that it holds of a point on the way, for products; NULL: none yet, or never. */
    const gt_matrix *(*jacobian)(const gt_stepper *s);

    /* How many steps it takes, as measured over the problems of bench/auto at equal errors: `steps`
     * for an error of 1e-4, where Rodas5P takes one, and tol^(-1/order) of them for others; steps =
     * 0: not known. */
    struct {
        double steps, order;
    } law;

    /* How far dense output at s->t + theta h of a finished trial is from solving the equations, as
     * errors of the states, for methods whose steps may be right at their ends and wrong in
     * between; err is s->err. NULL: such steps are not taken. */
    gt_status (*dense_error)(gt_stepper *s, double h, double theta, double *err);

    /* Methods for equations of one form: GT_UNSUPPORTED, and what to take instead, where those of
     * the problem have another. Asked by gt_method_check; may evaluate f near the start, and
     * allocate. NULL: what the flags say is all. / */
    gt_status (*fits)(const gt_method *self, const gt_problem *problem, gt_message *message);

    /* The step to try after a trial of size h that ended with GT_TRY_NEWTON. NULL: a quarter of h.
     */
    double (*retry)(gt_stepper *s, double h);
};

/* All methods; ends with NULL. */
GT_API const gt_method *const *gt_method_list(void);
GT_API const gt_method *gt_method_find(const char *name);
/* The first with this role; never NULL for one GT_ROLE_*. */
GT_API const gt_method *gt_method_for(unsigned role);
GT_API gt_facts gt_method_facts(const gt_method *method, const double *v);

GT_API gt_status gt_method_check_sized(const gt_method *method, const double *v,
                                       const gt_problem *problem, size_t problem_size,
                                       gt_message *message) GT_MUST_CHECK;
/* GT_UNSUPPORTED with an error message when the method cannot treat the problem. */
static inline GT_MUST_CHECK gt_status gt_method_check(const gt_method *method, const double *v,
                                                      const gt_problem *problem,
                                                      gt_message *message)
{
    return gt_method_check_sized(method, v, problem, sizeof *problem, message);
}

GT_API void gt_method_suggest_sized(const gt_problem *problem, size_t problem_size,
                                    gt_message *message);
/* Ends a message about a method that cannot treat the problem with methods of the list that can. */
static inline void gt_method_suggest(const gt_problem *problem, gt_message *message)
{
    gt_method_suggest_sized(problem, sizeof *problem, message);
}

/* R(z) from the method's closed form or tableau; GT_UNSUPPORTED when it has neither. See also
 * stability.h. */
GT_API gt_status gt_amplification(const gt_method *method, const double *v, gt_complex z,
                                  gt_complex *R) GT_MUST_CHECK;

GT_C_END

#endif

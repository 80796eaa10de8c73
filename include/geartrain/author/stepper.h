/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_STEPPER_H
#define GEARTRAIN_STEPPER_H

#include <float.h>
#include <geartrain/api.h>
#include <geartrain/author/tableau.h>
#include <geartrain/method.h>
#include <geartrain/problem.h>

GT_C_BEGIN

/*
 * One method bound to one problem, in the caller's memory. Everything is open to read. After
 * gt_stepper_init nothing allocates (sparse repivoting excepted), prints or reads the clock.
 *
 *     size_t bytes;
 *     gt_stepper_measure(method, "", problem, &bytes, NULL);
 *     gt_stepper_init(&s, method, "", problem, memory, bytes);
 *     gt_stepper_start(&s, t0, x0);
 *     for (;;) gt_stepper_step(&s, h);            read s.t, s.x
 *     gt_stepper_free(&s);
 */
struct gt_stepper {
    const gt_method *method;
    const gt_problem *problem;
    gt_values options;
    gt_facts facts;
    int order; /* of the last accepted step: facts.order, unless the method changes it as it goes */
    size_t n;
    void *state; /* the method's */

    double t, t_new, h; /* accepted point, end and size of the trial */
    double *x, *x_new;
    double *f, *f_new; /* f(t, x), f(t_new, x_new) when known */
    bool f_known, f_new_known;
    /* the trial has no error estimate and passes as it is, with h kept (first steps of crow 5.6) */
    bool unchecked;
    double *err; /* local error of the trial, component by component; shares memory with scratch */
    double *scratch;             /* n, for anyone during one call, until err is written */
    struct gt_newton *algebraic; /* for consistent values when n_alg > 0, else NULL */
    double *closing;             /* 7n for the same */
    /* `algebraic` has the factors of the end of this trial, for points inside it */
    bool closing_ready;
    /* of the root functions: here, and at the points where the trial was looked at */
    double *root_values;
    /* n_roots: side that each root function is on, 0 not known; whether it is only just leaving
     * zero for it; and a copy of both */
    signed char *root_sides;
    /* the state at an event that lies beyond the end of the trial; with events, 2n more for slopes
     * there */
    double *event_x;
    unsigned char *fired; /* n_roots */
    /* Switches that are watched, a few dozen at most: their numbers, the formulas in use, which of
     * them are tied to the one on which a run slides. */
    size_t *switch_numbers;
    signed char *switch_sides, *switch_tied;
    /* of all switches: the sides that f gets, 0 for those that are not watched */
    signed char *switch_held;
    double *switch_values, *switch_past,
        *switch_moves;   /* of all: here, at the last look, how they move between looks */
    double *switch_work; /* 3n and some, to look at both sides */
    /* the one evaluated last has differences in place of entries that were not finite */
    bool rough_jacobian;
    /* 3n, to look for pulses where f depends on t and the step is controlled; else NULL */
    double *pulse_work;
    bool pulses_seen; /* the method has looked for them in this trial by itself */

    bool backward; /* the problem is a reversed one: messages show -t */
    double t_cap;  /* f is never evaluated beyond this time: the left limit at a discontinuity */

    /* The tolerance of a controlled run, which also says how well implicit equations are to be
     * solved. rtol = 0: fixed step, they are solved to round-off. */
    double rtol, atol;
    const double *rtol_vector, *atol_vector; /* NULL: rtol, atol for all */

    bool bound;     /* between gt_stepper_init and gt_stepper_free */
    bool tried;     /* a trial of gt_stepper_try waits to be accepted */
    bool uncounted; /* points for a figure are looked at: what is found then saves no work later */
    gt_stats stats;
    gt_message message; /* why the last call failed */
    /* what a user should know of a run although it succeeds; written in `accept` only */
    gt_message note;
    gt_warnings *warnings; /* of the run, for gt_warn in `accept` only; NULL: nobody listens */
    /* Errors of trials count for so many times what they are, so that a step may err by as much
     * less than the tolerance. */
    double strictness;
    /* The square of a second estimate of the error of the trial, in tolerances, which sees kinks of
     * f where `err` does not; < 0: there is none. Where f is smooth the estimate goes with this
     * power of h. The squares of the last two steps, taken to the size h of the last; 0: not known.
     */
    double kink;
    int kink_order;
    double kink_past[2], kink_h;
};

GT_API gt_status gt_stepper_measure_sized(const gt_method *method, const char *options,
                                          const gt_problem *problem, size_t problem_size,
                                          size_t *bytes, gt_message *message) GT_MUST_CHECK;
/* Bytes of memory that gt_stepper_init needs. `options` like "order=8, newton_tol=1e-10"; NULL is
 * none. */
static inline GT_MUST_CHECK gt_status gt_stepper_measure(const gt_method *method,
                                                         const char *options,
                                                         const gt_problem *problem, size_t *bytes,
                                                         gt_message *message)
{
    return gt_stepper_measure_sized(method, options, problem, sizeof *problem, bytes, message);
}

GT_API gt_status gt_stepper_measure_in_sized(const gt_method *method, const char *options,
                                             const gt_problem *problem, size_t problem_size,
                                             gt_arena *arena, size_t *bytes,
                                             gt_message *message) GT_MUST_CHECK;
/* The same in a measuring arena of the caller's, whose `watch` sees part after part. */
static inline GT_MUST_CHECK gt_status gt_stepper_measure_in(const gt_method *method,
                                                            const char *options,
                                                            const gt_problem *problem,
                                                            gt_arena *arena, size_t *bytes,
                                                            gt_message *message)
{
    return gt_stepper_measure_in_sized(method, options, problem, sizeof *problem, arena, bytes,
                                       message);
}

GT_API gt_status gt_stepper_init_sized(gt_stepper *s, size_t s_size, const gt_method *method,
                                       const char *options, const gt_problem *problem,
                                       size_t problem_size, void *memory,
                                       size_t bytes) GT_MUST_CHECK;
/* memory: any alignment; lives as long as the stepper. */
static inline GT_MUST_CHECK gt_status gt_stepper_init(gt_stepper *s, const gt_method *method,
                                                      const char *options,
                                                      const gt_problem *problem, void *memory,
                                                      size_t bytes)
{
    return gt_stepper_init_sized(s, sizeof *s, method, options, problem, sizeof *problem, memory,
                                 bytes);
}

/* Sets the point to go on from and forgets all history. Algebraic variables are taken as they are;
 * see gt_stepper_make_consistent. */
GT_API void gt_stepper_start(gt_stepper *s, double t, const double *x);

/* Solves the algebraic rows for the algebraic variables at s->t. */
GT_API gt_status gt_stepper_make_consistent(gt_stepper *s) GT_MUST_CHECK;

/* The same for any point: changes the algebraic variables of x so that 0 = g(t, x). A status above
 * 0: they cannot be evaluated there. */
GT_API gt_status gt_stepper_solve_algebraic(gt_stepper *s, double t, double *x) GT_MUST_CHECK;
/* The same for points of the last trial, with one matrix for all of them. */
GT_API gt_status gt_stepper_solve_algebraic_inside(gt_stepper *s, double t,
                                                   double *x) GT_MUST_CHECK;

/* A trial: s->x_new, s->t_new and, if want_error, s->err. The accepted point is as before. */
GT_API gt_status gt_stepper_try(gt_stepper *s, double h, bool want_error) GT_MUST_CHECK;

/* Makes the last successful trial the accepted point. */
GT_API void gt_stepper_accept(gt_stepper *s);

/* try and accept: one fixed step. GT_TRY_NOT_FINITE when a component became NaN or Inf; the point
 * is as before then. */
GT_API gt_status gt_stepper_step(gt_stepper *s, double h) GT_MUST_CHECK;

/* Steps first+1 .. first+count of the grid t_k = grid + k h; s->t must be at step `first`. */
GT_API gt_status gt_stepper_run(gt_stepper *s, double grid, double h, size_t first,
                                size_t count) GT_MUST_CHECK;

/* After a successful trial, before it is accepted: the solution at s->t + theta h, algebraic
 * variables consistent. May evaluate f at the end. x may be s->scratch. */
GT_API gt_status gt_stepper_interpolate(gt_stepper *s, double theta, double *x) GT_MUST_CHECK;

/* Forgets history and slope: x or the equations have changed (after an event, at a
 * discontinuity). */
GT_API void gt_stepper_restart(gt_stepper *s);

GT_API void gt_stepper_free(gt_stepper *s);

/* ---- for authors of methods ---- */

/* f(t, x), counted; the left limit is used up to a discontinuity. */
static inline gt_status gt_rhs(gt_stepper *s, double t, const double *x, double *dx)
{
    s->stats.rhs++;
    return s->problem->rhs(t < s->t_cap ? t : s->t_cap, x, dx, s->problem->ctx);
}

/* `rows` rows from `first` on of the full function, by way of s->scratch: dx must be elsewhere. */
GT_API gt_status gt_rhs_rows(gt_stepper *s, size_t first, size_t rows, double t, const double *x,
                             double *dx) GT_MUST_CHECK;

/* One block, n_slow, n_fast or n_alg rows from dx[0] on; costs a full call, and uses s->scratch,
 * when the problem cannot do it alone: dx must be elsewhere. */
static inline gt_status gt_rhs_slow(gt_stepper *s, double t, const double *x, double *dx)
{
    const gt_problem *p = s->problem;
    if (!p->rhs_slow) return gt_rhs_rows(s, 0, p->n_slow, t, x, dx);
    s->stats.rhs_slow++;
    return p->rhs_slow(t < s->t_cap ? t : s->t_cap, x, dx, p->ctx);
}

static inline gt_status gt_rhs_fast(gt_stepper *s, double t, const double *x, double *dx)
{
    const gt_problem *p = s->problem;
    if (!p->rhs_fast) return gt_rhs_rows(s, p->n_slow, p->n_fast, t, x, dx);
    s->stats.rhs_fast++;
    return p->rhs_fast(t < s->t_cap ? t : s->t_cap, x, dx, p->ctx);
}

static inline gt_status gt_rhs_alg(gt_stepper *s, double t, const double *x, double *dx)
{
    const gt_problem *p = s->problem;
    if (!p->rhs_alg) return gt_rhs_rows(s, p->n_slow + p->n_fast, p->n_alg, t, x, dx);
    s->stats.rhs_alg++;
    return p->rhs_alg(t < s->t_cap ? t : s->t_cap, x, dx, p->ctx);
}

/* Makes s->f = f(t, x) at the accepted point known; evaluated at most once a step. */
static inline gt_status gt_slope(gt_stepper *s)
{
    if (s->f_known) return GT_OK;
    s->stats.rhs++;
    gt_status status = s->problem->rhs(s->t, s->x, s->f, s->problem->ctx);
    s->f_known = status == GT_OK;
    return status;
}

/* Makes s->f and, at the end of a finished trial, s->f_new known, for dense output. */
GT_API gt_status gt_slopes(gt_stepper *s) GT_MUST_CHECK;

/* The time that messages show. */
static inline double gt_shown_time(const gt_stepper *s, double t) { return s->backward ? -t : t; }

/* Cubic Hermite on a finished trial whose slopes s->f and s->f_new are known. */
GT_API void gt_hermite(const gt_stepper *s, double h, double theta, double *x);

/* Weight of component i in error norms: rtol |x_i| + atol_i, never 0. */
static inline double gt_weight(const gt_stepper *s, size_t i, double x_i)
{
    double magnitude = x_i < 0 ? -x_i : x_i;
    double rtol = s->rtol_vector ? s->rtol_vector[i] : s->rtol;
    return rtol * magnitude + (s->atol_vector ? s->atol_vector[i] : s->atol) + DBL_MIN;
}

GT_C_END

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_BENCH_H
#define GEARTRAIN_BENCH_H

struct _generic_N_Vector; /* the N_Vector of SUNDIALS */

/* What the areas share: timing, one kind of problem and solver for us and all peers, tables, rows
 * of results. */
#include <geartrain/author/arena.h>
#include <geartrain/problem.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A problem with its right-hand side in the form that each peer calls, all with the same body
 * (support/rhs.h) and all compiled in another translation unit than the solvers, so that none can
 * be inlined.
 */
typedef struct bench_problem {
    const char *name;
    gt_problem gt;
    int (*gsl)(double t, const double *x, double *dx, void *ctx);
    int (*sundials)(double t, struct _generic_N_Vector *x, struct _generic_N_Vector *dx, void *ctx);
    long *calls;       /* NULL: not counted */
    long *block_calls; /* those of the slow and of the fast block alone; NULL: blocks count as full
                          calls */
    gt_arena arena;
    struct gt_ode *ode; /* of bench_text */
} bench_problem;

bench_problem bench_lorenz(void);
bench_problem bench_vanderpol(void);
bench_problem bench_kepler(void);
bench_problem bench_chain(size_t n);
bench_problem bench_heat(size_t n); /* unit grid distance: x' = second difference */
/* A model of the library. `gsl` and `sundials` are NULL: implicit peers call gt.rhs and gt.jac
 * themselves. */
bench_problem bench_model(const char *name, const char *params);
/* Fields on a square or in a cube of side^dimensions cells, two states each: u' = 2 lap u + 20 (u
 * (1-u) (u-0.1) - v), v' = 0.5 u - v; the same with a flow whose cells have Peclet number 10; a
 * nonlinear wave with damping. */
typedef enum bench_field { BENCH_NERVE, BENCH_FLOW, BENCH_WAVE, BENCH_CLOSED } bench_field;
bench_problem bench_grid(bench_field field, int dimensions, size_t side); /* but the last */
bench_problem bench_closed_grid(int dimensions, size_t side);
/* The same of the text of a model file, interpreted. */
bench_problem bench_text(const char *name, const char *text, const char *params);
void bench_problem_free(bench_problem *problem);

/* The same problem with its calls counted in *calls, which costs time: not for timing. */
bench_problem bench_counted(const bench_problem *problem, long *calls);

/* One integration from t0 to t1, and what came out. */
typedef struct bench_task {
    const bench_problem *problem;
    double t1;
    double h; /* fixed step; 0: controlled, with rtol = atol = */
    double tol;
    double atol;                    /* 0: as tol */
    long most_steps;                /* after which implicit peers give up; 0: 50,000 */
    double *x;                      /* n, the end */
    long steps;                     /* accepted */
    long jacobians, factorizations; /* by implicit solvers; -1: not known */
    int failed;                     /* did not reach t1; explicit solvers of ours may only where */
    int may_fail;                   /* this is set */
} bench_task;

static inline long bench_most_steps(const bench_task *task)
{
    return task->most_steps ? task->most_steps : 50000;
}

static inline double bench_atol(const bench_task *task)
{
    return task->atol > 0 ? task->atol : task->tol;
}

/* open does what a user does once (allocation, tables); run is what is timed and can be repeated.
 */
typedef struct bench_solver {
    const char *peer, *method, *settings;
    const void *variant;
    void *(*open)(const struct bench_solver *self, bench_task *task);
    void (*run)(void *handle);
    void (*close)(void *handle);
} bench_solver;

extern const bench_solver bench_own_rk4, bench_own_rkf45, bench_own_dopri5;
extern const bench_solver bench_own_rk4_steps, bench_own_rkf45_steps, bench_own_dopri5_steps;
extern const bench_solver bench_own_pair_rk4,
    bench_own_pair_rkf45; /* with one tableau in both blocks */
extern const bench_solver bench_own_trapezoidal;
extern const bench_solver bench_loop_rk4;
extern const bench_solver bench_gsl_rk4, bench_gsl_rkf45, bench_gsl_rk8pd;
extern const bench_solver bench_arkode_rk4, bench_arkode_rkf45, bench_arkode_dopri5;
extern const bench_solver bench_boost_rk4, bench_boost_dopri5; /* through the function pointer */
extern const bench_solver bench_boost_rk4_inline,
    bench_boost_dopri5_inline; /* with the body inlined */
extern const bench_solver bench_cvode_krylov, bench_cvode_diagonal, bench_cvode_blocks,
    bench_ida_blocks;
extern const bench_solver bench_own_rk2, bench_own_prk25, bench_own_prk2s, bench_own_prk36,
    bench_own_prk37;
extern const bench_solver bench_own_prk46, bench_own_prk48, bench_own_mri3, bench_own_mri4,
    bench_own_mri4_2;
extern const bench_solver bench_own_mri4_controlled, bench_own_mri3_3;
extern const bench_solver bench_own_mradams, bench_own_mradams_4, bench_own_mradams_controlled;
extern const bench_solver bench_boost_rk2;
extern const bench_solver bench_mristep_kw3, bench_mristep_kw3_100, bench_mristep_erk33,
    bench_mristep_erk45;
extern const bench_solver bench_mristep_erk45_2;
extern const bench_solver bench_cvode_adams;
/* PETSc's multirate methods, numbered from 0; NULL: no more, or PETSc is not there. */
const bench_solver *bench_petsc(size_t i);
extern const bench_solver bench_own_gear, bench_gsl_msbdf, bench_cvode_bdf, bench_arkode_dirk,
    bench_ida_bdf;
extern const bench_solver bench_boost_rosenbrock, bench_own_rodas4, bench_own_rodas5,
    bench_own_radau;
/* LSODA and RADAU5 in Fortran, where deSolve of R is installed; else a clause that says why they
 * are not there. */
extern const bench_solver bench_lsoda, bench_radau5;
const char *bench_desolve_missing(void);
/* DOPRI5 and DOP853 in Fortran, inside SciPy: calls of f only, 0 where it failed; task->x is
 * filled. */
extern const bench_solver bench_scipy_dopri5, bench_scipy_dop853;
long bench_scipy_calls(const bench_solver *self, bench_task *task);
const char *bench_scipy_missing(void);
/* M z'' + K z = 0 at half the size. */
extern const bench_solver bench_cvode_structured, bench_cvode_structured_2, bench_arkode_structured;

/* A solver at work on a task, or any other piece of code to be timed. */
typedef struct bench_case {
    const bench_solver *solver;
    bench_task task;
    double best, median; /* seconds of one run */
    long calls;          /* of the right-hand side in one run, counted apart from the timing */
    long block_calls[2]; /* of the slow and of the fast block alone, where the problem counts them
                            apart */
    void *handle;
} bench_case;

/* Runs all cases in turn, `repeats` times over, so that a disturbance of the machine meets all of
 * them alike. A turn lasts at least some milliseconds; what takes longer has fewer turns. `task.x`
 * is then the caller's. */
void bench_time(bench_case *cases, size_t count, int repeats);
/* The first run by itself, which tells whether the solver comes through; bench_time goes on with
 * it. */
void bench_first_run(bench_case *c);
void bench_end(bench_case *c); /* instead of going on */

/* Seconds on a clock that never goes back. */
double bench_now(void);

/* Takes a value so that the compiler must compute it. */
extern volatile double bench_sunk;
void bench_sink(double value);

/* |a - b| at its largest. */
double bench_distance(const double *a, const double *b, size_t n);

/* Time at `error` on the work-precision curve of `count` points, straight between them in
 * logarithms. */
double bench_time_at(const double *errors, const double *times, size_t count, double error);

/* A solver's work over its error, one point for each tolerance or step size; an error that is NaN
 * is a run that failed.
 */
enum { BENCH_POINTS = 12 };
typedef struct bench_curve {
    const char *label;
    int points;
    double error[BENCH_POINTS], time[BENCH_POINTS], calls[BENCH_POINTS];
} bench_curve;

/* Peer / ours, the geometric mean over the errors that both reached, and the middle of these; NaN:
 * there are none. */
typedef struct bench_ratio {
    double time, calls, error;
} bench_ratio;
bench_ratio bench_at_equal_error(const bench_curve *ours, const bench_curve *peer);

/* Work that it takes to come to `error` or below, on a curve that is put in order; NaN: it does not
 * come there. */
double bench_work_at(const bench_curve *curve, const double *work, double error);

/* Draws time over error into figures/AREA-PROBLEM.svg beside results.json. */
void bench_figure(const char *area, const char *problem, const bench_curve *curves, size_t count);

/* A solver with the steps or tolerances that give errors of interest, and what they cost. */
enum { BENCH_ROWS = 24 };
typedef struct bench_row {
    const bench_solver *solver;
    bench_curve curve;
    double setting[BENCH_POINTS];
    double median[BENCH_POINTS];
    double slow[BENCH_POINTS], fast[BENCH_POINTS]; /* evaluations of each block */
} bench_row;
typedef bench_task bench_task_fn(const bench_solver *solver, const bench_problem *problem,
                                 double setting);

/* Fills in times and evaluations of up to BENCH_ROWS rows, the first setting of all in turns, then
 * the second .. */
void bench_time_rows(bench_row *rows, size_t count, const bench_problem *problem,
                     bench_task_fn *task_of, int repeats);

/*
 * A contest: solvers on one problem, each with a step (fixed) or a tolerance that shrinks from
 * point to point. Runs and times all of them in turns, prints every point and the ratios peer /
 * ours, draws the figure, adds rows to the results.
 */
typedef struct bench_entry {
    bench_solver solver;
    int fixed;            /* `first` is a step */
    double first, factor; /* of the settings */
    int points;           /* fewer than the contest's; 0: all */
    int ours;
    bench_curve curve; /* filled */
} bench_entry;

typedef struct bench_contest {
    const char *area, *title;
    const bench_problem *problem;
    double t1;
    const double *reference;
    double (*error)(const double *x, const double *reference,
                    size_t n); /* NULL: the largest difference */
    double atol;               /* atol = this times rtol; 0: 1 */
    int points, repeats;
    long most_steps;
    /* Ratios at these errors, over the fastest of ours; the first is 0: over the first, at all
     * errors that both reach.
     */
    double wanted[2];
    bench_entry *entries;
    size_t count;
} bench_contest;
void bench_contest_run(const bench_contest *contest);

/* Gives `entries` their solvers: those of ours run `method` with the options in `variant`, the
 * others are copied from the solver that `variant` points at. Returns how many there are, up to the
 * first without settings. */
size_t bench_entries_complete(bench_entry *entries, size_t most);
#define BENCH_OWN(name, options, is_fixed, from, by)                                               \
    {                                                                                              \
        .solver = {"geartrain", name, "gt_integrate " options, options}, .fixed = is_fixed,        \
        .first = from, .factor = by, .ours = 1                                                     \
    }
#define BENCH_PEER(of, from)                                                                       \
    {                                                                                              \
        .solver = {.variant = &of}, .first = from, .factor = 0.1                                   \
    }

/* The end of a run that is tighter than all others, from malloc. */
double *bench_reference(const bench_solver *solver, const bench_problem *problem, double t1,
                        double h, double tol);

/* A line that says whether what was measured lies between its bounds, of which one is 0 or
 * infinite. */
void bench_bar(const char *what, double measured, double least, double most);

/* Is this `make bench-quick`? Then areas leave out what takes long, and bench_time repeats three
 * times only. */
int bench_quick(void);

/* Ends the program with a sentence unless the condition holds. */
void bench_require(int condition, const char *what);

/* One row of results.json. time_ratio and evaluation_ratio are peer / ours at equal error; NaN
 * becomes null. */
void bench_result(const char *area, const char *problem, const char *method, const char *peer,
                  double error, double time_ratio, double evaluation_ratio, const char *settings);

/* A sentence on each row whose peer took less time than ours: kept by bench_result, and printed by
 * bench_write_results. */
void bench_note_winner(const char *problem, const char *method, const char *peer,
                       const char *settings, double time, double calls);
void bench_print_winners(void);

/* Writes the rows gathered into results.json in place of those that the area had there. */
void bench_write_results(const char *area);

#ifdef __cplusplus
}
#endif

#endif

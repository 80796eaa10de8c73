/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_BATTERY_H
#define GEARTRAIN_BATTERY_H

/*
 * The battery behind `auto`: many problems, each run by `auto` and by the methods that it knows,
 * all measured in counted operations. Public headers of the library only.
 */
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <geartrain/lang.h>
#include <geartrain/load.h>
#include <stdbool.h>
#include <stdio.h>

enum {
    BATTERY_NAME = 96,
    BATTERY_TIMES = 12,
    BATTERY_METHODS = 24,
    BATTERY_RUNGS = 10,
    BATTERY_ASKED = 3
};
enum { BATTERY_LARGE = 20000 }; /* states from which on runs are fewer and less tight */

/* Ends the program with a sentence unless the condition holds. */
void battery_require(bool condition, const char *what);

/* ---- problems ---- */

/* One line of the list: a file, or a built-in model with parameters. */
typedef struct battery_entry {
    char name[BATTERY_NAME]; /* of the file without its ending, or MODEL or MODEL:parameters */
    char parameters[BATTERY_NAME];
    const gt_model *model; /* NULL: a file */
    bool held_out;
    bool in_quick;
} battery_entry;

/* All of them, files first, each part in the order of names; ends with an empty name. To be freed.
 */
battery_entry *battery_entries(void);

typedef struct battery_problem {
    const battery_entry *entry;
    gt_problem problem;
    unsigned long long key; /* of all that its solution depends on */
    gt_ode *ode;
    gt_library library;
    gt_arena arena;
} battery_problem;

/* False: it cannot be built, and why. */
bool battery_load(battery_problem *p, const battery_entry *entry, gt_message *message);
void battery_unload(battery_problem *p);

/* The start of a hash of texts and numbers, and its continuation. */
#define BATTERY_HASH 1469598103934665603ull
unsigned long long battery_hash(unsigned long long hash, const void *bytes, size_t count);

/* ---- counting ---- */

/*
 * Operations, by one formula for all methods:
 *
 *     f, its blocks and its Jacobian    what the equations say (gt_work); 10 n where they do not
 *     factorisations and solutions      of the matrix that is there: dense, band, or true fill of
 * sparse factors; and what these take for each row and entry beside it (battery_count.c) functions
 * of matrices             products of dense matrices, or Krylov spaces vectors 12 n a call of f, 20
 * n + 200 a step
 *
 * f and the Jacobian are counted where they are called, linear algebra where the linker sends it to
 * the counter; so whatever choosing, trials and abandoned steps take is in it, without a word from
 * the method.
 */
typedef struct battery_count {
    const gt_problem *of;
    gt_work per_call; /* with what is not known filled in */
    gt_problem counted;
    long full, slow, fast, alg, jacobians, factorizations, solutions;
    double evaluations; /* operations in f and Jacobians */
    double algebra;
    double vectors;
    double cap; /* more are not done: `stop` is set */
    volatile int stop;
} battery_count;

/* The problem to be run is count->counted, which lives as long as both. */
void battery_count_begin(battery_count *count, const gt_problem *problem, double cap);
void battery_count_end(battery_count *count);
double battery_operations(const battery_count *count);
/* Adds the vectors of so many steps, which only the report knows. */
void battery_count_steps(battery_count *count, long steps);
/* Of one call of f with its vectors. */
double battery_call(const battery_count *count);

/* ---- truth ---- */

typedef struct battery_truth {
    size_t n, times; /* how many of the times were reached: a run may be stopped by an event */
    double t[BATTERY_TIMES];
    double *x;      /* times * n */
    double *weight; /* n: the largest |x_i| of all times, and a thousandth of the typical size */
    double spread;  /* between the two methods; infinite: only one came through */
    double growth;  /* of a small change of the start */
    char methods[2][32];
    bool from_cache;
} battery_truth;

/* Computed, or taken from the cache; false: no method came through. */
bool battery_truth_find(battery_truth *truth, const battery_problem *p);
void battery_truth_free(battery_truth *truth);
void battery_times(const gt_problem *problem, double *t);
/* The largest over the times of the root mean square over the states of |x_i - truth| / weight_i.
 */
double battery_error(const battery_truth *truth, const double *x, size_t times);
/* More digits than these no error shows. */
double battery_floor(const battery_truth *truth);
/* Errors grow more than a hundredfold in it, or two tight runs differ: its errors are not judged.
 */
bool battery_sensitive(const battery_truth *truth);

/* ---- runs ---- */

typedef struct battery_run {
    const gt_method *method; /* that ran; the one chosen where it was chosen */
    double rtol, error;      /* error NAN: it did not come to the end */
    double work;             /* operations, choosing included */
    gt_stats stats;
    long calls; /* of f in any form, with choosing */
    gt_status status;
    bool capped, noted;  /* a warning or a note came with it */
    double error_of_tol; /* median over accepted steps of what the controller measured, 0: nothing
                            measured */
    double t;            /* where it ended */
} battery_run;

/* `method` NULL: auto. `control` NULL: the default. Truth NULL: the error is not known. */
battery_run battery_solve(const battery_problem *p, const gt_method *method, const char *control,
                          double rtol, double cap, const battery_truth *truth);
/* Runs for the truth itself: x at the times; NULL, or how many were reached. */
size_t battery_tight(const battery_problem *p, const gt_method *method, double rtol, double cap,
                     const double *t, double *x);

/* The methods that auto knows and that can treat the problem, by roles and facts. */
size_t battery_methods(const gt_problem *problem, const gt_method *list[BATTERY_METHODS]);

/* ---- work and precision ---- */

typedef struct battery_curve {
    const gt_method *method;
    size_t points;
    battery_run run[BATTERY_RUNGS];
} battery_curve;

/* What came of one problem. */
typedef struct battery_case {
    const battery_entry *entry;
    size_t n, curves, asked;
    double call, spread, growth;
    bool sensitive;
    battery_curve curve[BATTERY_METHODS];
    struct battery_answer {
        battery_run run;     /* of auto, error and work the geometric mean around the tolerance */
        size_t best;         /* curve */
        double best_work;    /* at the error of auto */
        double regret;       /* NAN: there is nothing to compare with */
        bool silently_wrong; /* beyond 100 tol without a note */
    } answer[BATTERY_ASKED];
    long steps_default[BATTERY_METHODS],
        steps_i[BATTERY_METHODS]; /* with --control i, at the same tolerances */
} battery_case;

/* The work that comes to `error`, straight between points in logarithms of a curve that is put in
 * order. INFINITY: it does not come there. */
double battery_work_at(const battery_curve *curve, double error, double floor);
/* Fills in best, best_work, regret of one answer: at equal errors, or where errors are not judged
 * at equal tolerances. */
void battery_judge(battery_case *c, struct battery_answer *answer, double floor);

typedef struct battery_plan {
    bool quick, held_out, control, alone;
    const double *rungs;
    size_t n_rungs;
    const double *asked;
    size_t n_asked;
    int around;  /* runs of auto about each tolerance: 1 or 3 */
    double most; /* operations that no run may exceed */
} battery_plan;

/* Runs all methods and auto on a problem; false: there is no truth, or it cannot be built. */
bool battery_measure(const battery_entry *entry, const battery_plan *plan, battery_case *out,
                     gt_message *message);

/* ---- reports ---- */

void battery_print_case(const battery_case *c);
/* Quantiles of regret, problems above 1.7, errors, step control; true: nothing is beyond the caps
 * of the quick form. */
void battery_print_summary(const battery_case *cases, size_t count, const battery_plan *plan);
void battery_print_control(const battery_case *cases, size_t count, const battery_plan *plan);
/* All rows as JSON; false: the file could not be written. */
bool battery_write_json(const battery_case *cases, size_t count, const char *path);

#endif

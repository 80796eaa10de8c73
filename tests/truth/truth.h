/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_TRUTH_H
#define GEARTRAIN_TRUTH_H

/*
 * Problems with exact solutions, run with every method that has step control and with the automatic
 * choice, at three tolerances. A run that ends with status ok must have an error that the tolerance
 * and theory explain, or carry a warning.
 *
 * The error of a run is counted in units of its tolerance,
 *
 *     error = max over the steps and the states of |x_i(t) - exact_i(t)| / (rtol scale_i),
 *
 * where scale_i is the largest |exact_i| of the run (for a state that is always 0: of all states).
 * No absolute tolerance enters: the runs use the default, which has to suit the size of the states.
 */
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <stdio.h>

/* What makes a problem hard; for the table in docs/accuracy.md. */
typedef enum truth_kind {
    TRUTH_QUADRATURE,
    TRUTH_LINEAR,
    TRUTH_NONLINEAR,
    TRUTH_STIFF,
    TRUTH_JUMP,
    TRUTH_KINK,
    TRUTH_PULSE,
    TRUTH_SCALE,
    TRUTH_DAE,
    TRUTH_EVENT,
    TRUTH_LONG,
    TRUTH_KINDS
} truth_kind;

enum { TRUTH_MOST_STATES = 128 };

typedef void truth_exact_fn(double t, double *x);

typedef struct truth_problem {
    const char *name;
    truth_kind kind;
    truth_exact_fn *exact;
    const char *text;   /* a model file; NULL: */
    gt_problem problem; /* the problem in C */
    /* Largest growth of a perturbation of the state, relative to the scales, from any time to any
     * later one; or, where errors are kept for ever, the number of characteristic times in the run.
     * 0: 1. The bound on the error is 100 tol times this. */
    double amplification;
    bool end_only; /* the states jump, so that just the end can be compared */
} truth_problem;

/* Three lists, each ending with a row without name. */
extern const truth_problem truth_smooth[], truth_switched[], truth_hard[];

/* Problem number i of all lists; NULL behind the last. */
const truth_problem *truth_problem_at(size_t i);
const char *truth_kind_name(truth_kind kind);

/* Largest |exact_i| of the run. */
void truth_scales(const truth_problem *p, const gt_problem *problem, double *scale);

typedef enum truth_class {
    TRUTH_REFUSED,   /* the method does not treat this kind of problem */
    TRUTH_STOPPED,   /* a status that is not ok */
    TRUTH_GOOD,      /* within 10 tol */
    TRUTH_FAIR,      /* within 100 tol, or what the amplification makes of it */
    TRUTH_WARNED,    /* beyond, with a warning */
    TRUTH_EXPLAINED, /* beyond, by a listed reason */
    TRUTH_OPEN,      /* beyond, a defect that is known and not mended yet */
    TRUTH_SILENT,    /* beyond, silently */
    TRUTH_CLASSES
} truth_class;

typedef struct truth_run {
    const truth_problem *problem;
    const gt_method *method; /* also where it was chosen automatically */
    bool automatic;
    double rtol;
    gt_status status;
    double error;  /* in units of the tolerance */
    double states; /* how many */
    bool linear;   /* f = A x + b(t), and the problem says so */
    long steps;
    truth_class class;
    int reason; /* TRUTH_EXPLAINED: index in truth_reasons; TRUTH_OPEN: in truth_defects */
    bool warned;
} truth_run;

/* A reason that excuses an error beyond 100 tol. */
typedef struct truth_reason {
    const char *name, *text;
    bool automatic;                         /* counts for the automatic choice too */
    bool (*explains)(const truth_run *run); /* whether theory gives an error of this size */
} truth_reason;

/* Ends with a row without name. */
extern const truth_reason truth_reasons[];

/* A defect that is known and not mended yet, on one problem; method NULL: with any, else the
 * beginning of its name. */
typedef struct truth_defect {
    const char *problem, *method, *text;
} truth_defect;

/* Ends with a row without problem. */
extern const truth_defect truth_defects[];

/* A problem made ready for runs. */
typedef struct truth_case {
    const truth_problem *row;
    gt_ode *ode;
    gt_arena arena;
    gt_problem problem;
    double scale[TRUTH_MOST_STATES];
} truth_case;

gt_status truth_open(truth_case *c, const truth_problem *row, gt_message *message) GT_MUST_CHECK;
void truth_close(truth_case *c);

/* One run; method NULL: the automatic choice. */
truth_run truth_solve(const truth_case *c, const gt_method *method, double rtol, long max_steps);

/* How far perturbations of the states at 20 times grow, by runs at tight tolerance. */
double truth_measured_amplification(const truth_case *c);

/* The bound of a problem, in units of the tolerance. */
double truth_bound(const truth_problem *p);

/* What to run; NULL and 0: all. */
typedef struct truth_choice {
    const char *problem, *method; /* "auto" is a method */
    long max_steps;               /* a run that needs more ends with the status too_many_steps */
} truth_choice;

typedef struct truth_sweep {
    truth_run *runs;
    size_t count;
    gt_message message; /* why it ended early */
} truth_sweep;

enum { TRUTH_TOLERANCES = 3 };
extern const double truth_tolerances[TRUTH_TOLERANCES];

/* All runs of the choice; to be freed. */
gt_status truth_sweep_run(truth_sweep *sweep, const truth_choice *choice) GT_MUST_CHECK;
void truth_sweep_free(truth_sweep *sweep);

/* Runs of a class; `automatic`: those of the automatic choice, else those of the methods. */
long truth_count(const truth_sweep *sweep, truth_class class, bool automatic);

/* Of the runs of a method (NULL: automatic) at a tolerance that ended ok: how many, and the errors
 * that half and nine in ten of them do not exceed. */
typedef struct truth_spread {
    size_t ok, beyond; /* beyond: the bound */
    double half, most;
} truth_spread;
truth_spread truth_spread_of(const truth_sweep *sweep, const gt_method *method, double rtol);

/* The table of docs/accuracy.md. */
void truth_print_table(const truth_sweep *sweep, FILE *out);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LAB_FACE_H
#define GEARTRAIN_LAB_FACE_H

/*
 * What a page asks the library for, in calls that take numbers and text and nothing else. Each
 * answers with a status (0: it was done) and leaves a JSON text and, where there is much of it, an
 * array of doubles in the lab, which the next call replaces. A JSON number that is infinite is
 * written 1e999, which reads as Infinity; what is not a number is null.
 */
#include <geartrain/geartrain.h>
#include <stdbool.h>
#include <stddef.h>

/* Runs of one picture, which are compared with one reference. */
enum { LAB_MOST_RUNS = 8, LAB_TIMES = 200 };

/* A JSON text that grows. */
typedef struct lab_text {
    char *text;
    size_t used, room;
    bool failed, comma;
} lab_text;

void lab_begin(lab_text *out, char bracket);
void lab_end(lab_text *out, char bracket);
void lab_key(lab_text *out, const char *key);
void lab_string(lab_text *out, const char *value); /* NULL: null */
void lab_number(lab_text *out, double value);
void lab_bool(lab_text *out, bool value);
void lab_put_string(lab_text *out, const char *key, const char *value);
void lab_put_number(lab_text *out, const char *key, double value);
void lab_put_bool(lab_text *out, const char *key, bool value);

/* What a run passed through at the times that all runs of a picture share. */
typedef struct lab_track {
    size_t reached;
    double *x; /* n numbers for each time */
} lab_track;

typedef struct gt_lab {
    gt_ode *ode;           /* of a text; NULL: a model of the list */
    const gt_model *model; /* NULL: none yet */
    gt_arena arena;        /* of what follows, until the next gt_lab_build */
    gt_problem problem;
    bool built;
    double *times; /* LAB_TIMES + 1, from t0 to t1 */
    lab_track runs[LAB_MOST_RUNS], reference;
    double spread; /* by how much the runs behind the reference differ; 0: it is exact */
    char reference_text[200];
    lab_text answer;
    double *numbers;
    size_t n_numbers, room;
} gt_lab;

/* Begins the answer of a call, an object. */
void lab_answer(gt_lab *lab);
/* Ends it with the status and the message; gives the status. */
int lab_close(gt_lab *lab, gt_status status, const gt_message *message);
/* Room for `count` numbers of the answer; NULL: out of memory. */
double *lab_room(gt_lab *lab, size_t count);
void lab_put_params(lab_text *out, const char *key, const gt_param *table);
/* Tells the page how far a run is. */
void lab_progress(double t, const gt_stats *stats, void *ctx);
/* Collects x at the shared times. */
gt_status lab_track_init(gt_lab *lab, lab_track *track);
gt_status lab_track_run(gt_lab *lab, const gt_method *method, gt_plan *plan, lab_track *track,
                        gt_report *report);
/* Problem size and work of f in evaluations of the whole. */
double lab_evaluations(const gt_problem *p, const gt_stats *stats);

gt_lab *gt_lab_new(void);
const char *gt_lab_answer(const gt_lab *lab);
const double *gt_lab_numbers(const gt_lab *lab);
/* All methods and models. */
int gt_lab_catalogue(gt_lab *lab);
/* A model of the list or, with text, one in the .ode language; the notes of its reader are in the
 * answer. */
int gt_lab_open(gt_lab *lab, const char *name, const char *text);
/* "mu=5", "x=1, y=0"; t1 not a number: as the model says. */
int gt_lab_build(gt_lab *lab, const char *parameters, const char *start, double t1);
/* Rows t, h, states and auxiliary quantities; h is not a number between the ends of steps. `slot`
 * says which run of the picture it is; rtol and h as in gt_plan; about `points` rows are spread
 * evenly. */
int gt_lab_run(gt_lab *lab, int slot, const char *method, const char *options, double rtol,
               double h, double max_steps, int points);
/* The errors of the first `count` runs against the exact solution, or against two tight runs of
 * methods of different kind. */
int gt_lab_errors(gt_lab *lab, int count);
int gt_lab_advise(gt_lab *lab, double rtol);
/* Eigenvalues about x of slot `slot` at shared time `k`; slot < 0: at the start. */
int gt_lab_spectrum(gt_lab *lab, int slot, int k);
/* Facts about R(z) and its boundary (re, im), with not-a-number pairs between runs. */
int gt_lab_facts(gt_lab *lab, const char *method, const char *options);
/* |R| on a grid, row by row from below. */
int gt_lab_region(gt_lab *lab, const char *method, const char *options, double left, double right,
                  double bottom, double top, int columns, int rows);
/* |R(-x)| at `count` points from x = from to x = to, evenly spread in log x. */
int gt_lab_axis(gt_lab *lab, const char *method, const char *options, double from, double to,
                int count);
/* The spectral radius of a step on the test equation of two rates, on a grid of xi = h lambda_slow.
 */
int gt_lab_two_rates(gt_lab *lab, const char *method, const char *options, double alpha,
                     double beta, double left, double right, double bottom, double top, int columns,
                     int rows);
/* Rows r, damping, frequency, and the exact ones. */
int gt_lab_damping(gt_lab *lab, const char *method, const char *options, double theta, double r_max,
                   int count);
/* A fault at a bus from t = 0 on, cleared at `cleared` by opening the branch from-to: rows t and
 * the angles of all machines against their centre of inertia, in degrees. */
int gt_lab_power(gt_lab *lab, const char *grid, const char *machines, int bus, int from, int to,
                 double cleared, double t1, const char *method, double rtol, double h);
int gt_lab_clearing(gt_lab *lab, const char *grid, const char *machines, int bus, int from, int to,
                    double window);

#endif

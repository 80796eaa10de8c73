/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PAPERS_H
#define GEARTRAIN_PAPERS_H

/*
 * The tables, figures and numeric claims of the papers, computed anew. A paper is a list of parts,
 * one for each table, figure, example or claim; a part is a function that fills a sheet with rows
 * and figures. Parts are independent of each other and run in worker threads.
 *
 *     static void example_5_1(paper_sheet *s)
 *     {
 *         double x[2];
 *         paper_end(s, &(paper_run){.model = "harmonic", .method = "euler", .h = 0.1, .t1 = 10},
 * x); paper_value(s, "x1(10) by forward Euler", "-1.41", x[0], NULL);
 *     }
 */
#include "cli.h"

typedef enum paper_verdict {
    PAPER_MATCHES,  /* to the printed digits */
    PAPER_DIFFERS,  /* for the reason given */
    PAPER_ERRATUM,  /* the paper is wrong; the reason says what is right and how we know */
    PAPER_COMPUTED, /* the paper shows a curve or gives a formula, but prints no number */
    PAPER_MISSING   /* cannot be computed: data are not in the paper */
} paper_verdict;

typedef struct paper_row {
    const char *quantity, *printed, *computed, *reason; /* never NULL */
    double value;                                       /* computed as a number; NaN: it is none */
    paper_verdict verdict;
} paper_row;

typedef struct paper_figure {
    const char *file, *caption; /* file: its name in the folder of the report */
} paper_figure;

typedef struct paper_sheet {
    gt_arena arena; /* of everything below, and for the part's own use */
    const char *paper, *item, *about;
    void (*make)(struct paper_sheet *sheet);
    const char *folder; /* of the figures; NULL: none are drawn */
    paper_row *rows;
    paper_figure *figures;
    size_t n_rows, n_figures;
    gt_message failure; /* a run or a figure that went wrong; empty: none */
} paper_sheet;

typedef struct paper_part {
    const char *item; /* "Table 3", "Figures 5.1-5.3" */
    const char *about;
    void (*make)(paper_sheet *sheet);
} paper_part;

typedef struct paper {
    const char *name, *title, *citation;
    const paper_part *parts; /* ends with one without an item */
} paper;

extern const paper *const gt_papers[]; /* ends with NULL */

/* ---- rows ---- */

/* `printed` is a number as the paper prints it: the row matches when the computed one rounds to it,
 * else it differs for the reason given, which must not be NULL then. printed NULL: the paper has no
 * number. */
void paper_value(paper_sheet *s, const char *quantity, const char *printed, double computed,
                 const char *reason);

/* The same with a tolerance of its own, for numbers read off a figure or computed from rounded
 * data. */
void paper_near(paper_sheet *s, const char *quantity, const char *printed, double computed,
                double tolerance, const char *reason);

/* The paper is wrong: what it prints, what is right, how we know. */
void paper_erratum(paper_sheet *s, const char *quantity, const char *printed, double computed,
                   const char *reason);

/* The same with what the number is known to: no digit below the tolerance is printed. For numbers
 * that rounding reaches before the tenth digit, such as an eigenvalue that is small beside others
 * of its matrix. */
void paper_erratum_within(paper_sheet *s, const char *quantity, const char *printed,
                          double computed, double tolerance, const char *reason);

/* The same in words; `shown` tells whether the computation bears it out, else the sheet fails. */
void paper_erratum_text(paper_sheet *s, const char *quantity, const char *printed,
                        const char *right, bool shown, const char *reason);

/* A sentence of the paper that the computation does or does not bear out. */
void paper_claim(paper_sheet *s, const char *quantity, const char *printed, bool holds,
                 const char *found, const char *reason);

/* What cannot be computed, and why. */
void paper_missing(paper_sheet *s, const char *quantity, const char *printed, const char *reason);

/* Text in the sheet's arena. */
const char *paper_text(paper_sheet *s, const char *format, ...) GT_PRINTF(2, 3);

/* ---- runs ---- */

typedef struct paper_run {
    const char *model, *set;  /* set: parameters, "mu=5"; may be NULL */
    const char *method, *opt; /* opt: options; may be NULL */
    double h, rtol, atol, h0, h_max;
    double t0, t1;       /* both 0: as the model says */
    const double *x0;    /* NULL: as the model says */
    const char *control; /* NULL: the default */
    double until; /* above 0: the series ends with the first step at or beyond it, which is not
                     shortened */
    double every; /* of the series; 0: every step */
    const gt_problem *problem; /* instead of a model */
} paper_run;

/* Samples of a run: t[count], x[count * n]. */
typedef struct paper_series {
    size_t count, n;
    double *t, *x, *h, *error; /* h, error: of the step that led there, when every step is taken */
    gt_report report;
} paper_series;

/* The state at the end in x; a run that fails fills it with NaN and is the sheet's failure. */
gt_report paper_end(paper_sheet *s, const paper_run *run, double *x);
paper_series paper_samples(paper_sheet *s, const paper_run *run);

/* The same, where a failure is an answer. */
gt_report paper_try(paper_sheet *s, const paper_run *run, double *x);

/* The model's problem, in the sheet's arena. */
gt_problem paper_problem(paper_sheet *s, const char *model, const char *set);

/* ---- figures ---- */

/* Draws it under the name of the paper and the item; `name` tells several of one item apart and may
 * be NULL. */
void paper_draw(paper_sheet *s, const char *name, const char *caption, const cli_panel *panels,
                size_t n_panels);

/* A curve of a series: state `state` over time, or over another state. */
cli_curve paper_over_time(const paper_series *series, size_t state, const char *title);
cli_curve paper_phase(const paper_series *series, size_t across, size_t up, const char *title);

/* Doubles in the sheet's arena. */
double *paper_doubles(paper_sheet *s, size_t count);

/* ---- the report (report.c) ---- */

typedef struct paper_report {
    const paper *paper;
    paper_sheet *sheets;
    size_t n_sheets;
} paper_report;

int paper_write_markdown(const char *path, const paper_report *reports, size_t count);
int paper_write_html(const char *path, const char *folder, const paper_report *reports,
                     size_t count);
int paper_write_csv(const char *path, const paper_report *reports, size_t count);
int paper_write_errata(const char *path, const paper_report *reports, size_t count);
/* Compares rows with those of a table and says which are outside their tolerance (check.c). */
int paper_check(const char *path, const paper_report *reports, size_t count);
json_t *paper_json(const paper_report *reports, size_t count);

#endif

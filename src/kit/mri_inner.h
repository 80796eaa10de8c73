/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_KIT_MRI_INNER_H
#define GEARTRAIN_KIT_MRI_INNER_H

/* The fast block through one slow stage, beside a slow block that moves along a known polynomial,
 * for mri.c and mradams.c. */
#include "kit/explicit_rk.h"
#include <geartrain/author/stepper.h>
#include <stdio.h>

enum { MRI_DEFAULT_SUBSTEPS = 5 };

/* A row of the inner tableau without its zeros. */
typedef struct mri_weights {
    int terms, stage[GT_MAX_STAGES];
    double weight[GT_MAX_STAGES];
} mri_weights;

/* A stepper for the fast block, of a method that has no explicit tableau (mri_stepper.c). */
typedef struct mri_stepper mri_stepper;

/* What one slow step hands to the next. */
typedef struct mri_pace {
    double h;     /* inner step to go on with; 0: not known */
    double share; /* of the tolerance that a single step of a stepper may take */
    double left;  /* the part of what such steps lose that is there at the end of the slow step */
    int age;      /* slow steps since that was looked at */
} mri_pace;

typedef struct mri_inner {
    mri_stepper *stepper; /* not NULL: it takes the steps, and from `fraction` on this serves */
    const gt_tableau *T;
    int error_order; /* of its estimate; 0: it has none */
    int order;
    bool last_is_slope;
    double c[GT_MAX_STAGES], d[GT_MAX_STAGES]; /* d = b - b^ */
    mri_weights row[GT_MAX_STAGES + 1];        /* of a, then b */
    double *g[GT_MAX_STAGES];                  /* slopes of an inner step */
    double *y, *z;                             /* point of an inner stage; end of an inner step */
    bool slope_known;       /* g[0] is the slope where the next inner step begins */
    double least;           /* share of a stepper below which the slow step is to be smaller */
    double fraction;        /* of the tolerance, that the inner steps of a slow step may take */
    double span;            /* the slow step */
    double lost;            /* by a stepper in this trial: the sum of what its steps lose */
    int beginnings;         /* of this trial, each with smaller shares */
    int stiff;              /* stages in a row in which stability limited the inner steps */
    mri_pace now, accepted; /* of the trial, and at the accepted point */
} mri_inner;

/* x(theta) = from + theta p_0 + theta^2 p_1 + .., 0 <= theta <= 1, in the slow block; `from` holds
 * all states. */
enum { MRI_MOST_TERMS = 3 };
typedef struct mri_stage {
    double t, length;
    const double *from;
    int terms;
    const double *p[MRI_MOST_TERMS];
} mri_stage;

/* Dense output of a trial, whose fast block may swing many times in it: the slow block on the cubic
 * Hermite polynomial of its values and slopes at both ends, the fast one integrated beside it from
 * the start. Each point anew, so that it depends on theta alone, as the search for events needs it;
 * what is missing at the end is added in proportion. */
typedef struct mri_dense {
    bool gap_known; /* of this trial */
    double *gap;    /* x_new less the solution so found at the end, all states */
    double *at;     /* a point, all states */
    double *p[MRI_MOST_TERMS];
} mri_dense;

/* The methods that the fast block may have, in the order of the choices: those of explicit_rk.h,
 * implicit ones for a block that decays fast, and for one of several rates these methods again or
 * dual-rate pairs. */
#define GT_INNER_IDS(X)                                                                            \
    GT_EXPLICIT_RK_IDS(X)                                                                          \
    X(rodas4)                                                                                      \
    X(rodas5) X(radau) X(gear) X(bi) X(mri3) X(mri4) X(prk36) X(prk37) X(prk38) X(prk46) X(prk48)
extern const gt_method *const gt_inner_methods[]; /* in mri.c */
extern const char *const gt_inner_names[];        /* likewise; ends with NULL */

/* Whether a method has one block for the states of `#@ rate 1`, and one for what is faster. */
static inline bool gt_inner_has_blocks(const gt_method *method)
{
    return method->infinitesimal || method->partitioned_of;
}

/* The option struct and its table. */
typedef struct mri_options {
    int inner; /* of gt_inner_methods, or of gt_explicit_rk_methods, which they begin with */
    int substeps;
    double inner_fraction;
    int innermost; /* likewise, for what is faster than the first block, where `inner` is mri */
} mri_options;
#define MRI_INNERMOST_OPTION                                                                       \
    {                                                                                              \
        .name = "innermost",                                                                       \
        .help = "method of what is faster still, where inner is mri3 or "                          \
                "mri4: with one of two blocks, four rates",                                        \
        .type = GT_CHOICE, .initial = GT_RK_dopri5, .choices = gt_inner_names,                     \
        .field = GT_OPTION_FIELD(mri_options, innermost)                                           \
    }
#define MRI_INNER_OPTIONS(part, names)                                                             \
    {.name = "inner",                                                                              \
     .help = "method of the fast block",                                                           \
     .type = GT_CHOICE,                                                                            \
     .initial = GT_RK_dopri5,                                                                      \
     .choices = (names),                                                                           \
     .field = GT_OPTION_FIELD(mri_options, inner)},                                                \
        {.name = "substeps",                                                                       \
         .help = "inner steps in each " part                                                       \
                 "; 0: by the error of the inner method in a controlled run, else 5",              \
         .type = GT_INTEGER,                                                                       \
         .min = 0,                                                                                 \
         .max = 1e6,                                                                               \
         .field = GT_OPTION_FIELD(mri_options, substeps)},                                         \
    {                                                                                              \
        .name = "inner_fraction",                                                                  \
        .help = "error that the inner steps of a slow step may make, in parts of the tolerance",   \
        .type = GT_REAL, .initial = 0.5, .min = 1e-6, .max = 1,                                    \
        .field = GT_OPTION_FIELD(mri_options, inner_fraction)                                      \
    }

/* The options of the inner method, where it knows blocks, into text; else NULL. For methods. */
enum { MRI_OPTIONS_ROOM = 80 };
static inline const char *gt_mri_inner_options(const mri_options *o, char text[MRI_OPTIONS_ROOM])
{
    if (!gt_inner_methods[o->inner]->infinitesimal) return NULL;
    snprintf(text, MRI_OPTIONS_ROOM, "inner=%s, substeps=%d", gt_inner_names[o->innermost],
             o->substeps);
    return text;
}

/* Of the fast block in so many inner steps on end; 0: it varies. */
int gt_mri_inner_evaluations(const gt_method *method, int steps);
/* GT_TREATS_RANKS where the inner method does, GT_USES_JACOBIAN where it does. */
unsigned gt_mri_inner_flags(const gt_method *method);

/* `options` of the inner method; NULL: none. */
gt_status gt_mri_inner_layout(mri_inner *w, const gt_method *method, const char *options,
                              gt_stepper *s, gt_arena *arena);
gt_status gt_mri_inner_prepare(mri_inner *w, gt_stepper *s);
void gt_mri_inner_free(mri_inner *w);

/* At a start, before a trial of size H, and when it is accepted. */
void gt_mri_inner_restart(mri_inner *w);
void gt_mri_inner_begin(mri_inner *w, double H);
void gt_mri_inner_accept(mri_inner *w);

/*
 * What the inner steps of a trial have lost, see mri_loss.c. `again` takes the fast block once more
 * from s->x along the slow path of the trial to `to`, all states, without a call of f.
 */
typedef gt_status mri_again_fn(gt_stepper *s, double H, int count, double *to);
typedef struct mri_trial {
    double H;
    int count; /* as in gt_mri_inner_run */
    mri_again_fn *again;
    double *x_new, *beside; /* all states; the second is scratch from gt_mri_loss to _add */
} mri_trial;

/* After the stages; *enough is false where the trial is to be begun anew with a smaller share. */
gt_status gt_mri_loss(mri_inner *w, gt_stepper *s, const mri_trial *of, bool *enough);
/* To the error of the fast block, where inner steps have a given size. */
void gt_mri_loss_add(const gt_stepper *s, const mri_trial *of, double *err);

/* The slow block at theta of a stage. */
void gt_mri_slow_at(const gt_stepper *s, const mri_stage *of, double theta, double *x);

/* How many inner steps a stage is to have: as the option says, or 0: by the error of the inner
 * method, when it has one and the run is controlled. */
int gt_mri_inner_count(const mri_inner *w, const gt_stepper *s, int option);

/* From of->from to the end of the stage, all states; `to` may be of->from. count = 0: steps by the
 * error of the inner method. */
gt_status gt_mri_inner_run(mri_inner *w, gt_stepper *s, const mri_stage *of, int count, double *to);

/* The same by a stepper: *out is NULL while the arena measures. */
gt_status gt_mri_stepper_layout(mri_stepper **out, const gt_method *method, const char *options,
                                gt_stepper *s, gt_arena *arena);
gt_status gt_mri_stepper_prepare(mri_stepper *w, gt_stepper *s);
void gt_mri_stepper_free(mri_stepper *w);
gt_status gt_mri_stepper_run(mri_stepper *w, gt_stepper *s, const mri_stage *of, int count,
                             mri_inner *inner, double *z);

void gt_mri_dense_layout(mri_dense *d, gt_stepper *s, gt_arena *arena);

/* The solution at theta of the trial of size h, whose slow slopes at the ends are f and f_end.
 * `count` as in gt_mri_inner_run, for the whole step. */
gt_status gt_mri_dense_at(mri_dense *d, mri_inner *w, gt_stepper *s, const double *f,
                          const double *f_end, double h, int count, double theta, double *x);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_H
#define GEARTRAIN_LANG_H

#include <geartrain/api.h>
#include <geartrain/model.h>

GT_C_BEGIN

/*
 * Model files in the `.ode` language. Text in memory becomes a gt_ode: names resolved, expressions
 * shared, derivatives taken. From it come a gt_model that interprets the equations, and C text that
 * defines the same gt_model, to be compiled. A gt_ode does not change once it is made, so threads
 * may share it.
 */
typedef struct gt_ode gt_ode;

/* What the reader has to say about a place in the file. */
typedef struct gt_ode_note {
    int line, column; /* from 1; 0: about the whole file */
    bool is_error;    /* else a warning */
    const char *text;
    void *reserved[4]; /* 0; room for more */
} gt_ode_note;

/* Bits of gt_ode_run.given. */
enum {
    GT_ODE_TOTAL = 1,
    GT_ODE_DT = 2,
    GT_ODE_T0 = 4,
    GT_ODE_TRANS = 8,
    GT_ODE_TOL = 16,
    GT_ODE_ATOL = 32,
    GT_ODE_BOUND = 64,
    GT_ODE_NOUT = 128,
    GT_ODE_METH = 256
};

/* The options of `@` lines, with the defaults of the language where the file says nothing. */
typedef struct gt_ode_run {
    unsigned given;       /* GT_ODE_*: what the file says */
    double total, dt, t0; /* 20, 0.05, 0: t runs from t0 to t0 + total, output every dt * nout */
    double trans;         /* 0: output begins at t0 + trans */
    double tol, atol;     /* 0: not said */
    double bound;         /* 100; only a bound that is given stops a run (a root named "bound") */
    int nout;             /* 1 */
    const char *meth;     /* as written, "" when not said */
    const char
        *method; /* the method of Geartrain that comes nearest to `meth`, NULL when not said */
    void *reserved[4]; /* 0; room for more */
} gt_ode_run;

/* `set name {a=1,b=2,..}`: values for parameters, initial values or options, as written. */
typedef struct gt_ode_set {
    const char *name;
    size_t count;
    const char *const *names;
    const double *values;
    void *reserved[4]; /* 0; room for more */
} gt_ode_set;

typedef struct gt_ode_facts {
    size_t n_notes;
    const gt_ode_note *notes; /* in the order of the file */
    gt_ode_run run;
    size_t n_sets;
    const gt_ode_set *sets;
    size_t n_only;
    const char *const *only; /* the columns that `only` lines ask for */
    size_t n_nodes; /* of the expression graph: a measure of size, which does not depend on array
                       lengths */
} gt_ode_facts;

/* Reads a file that is in memory. `file` is its name in messages and, without folder and ending,
 * the name of the model. When the text is wrong, `message` gets the first error as
 * file:line:column: message. *out is set even then, so that all notes can be read (NULL only when
 * memory ran out), and must be freed. */
GT_API gt_status gt_ode_parse(const char *text, size_t length, const char *file, gt_ode **out,
                              gt_message *message) GT_MUST_CHECK;
GT_API void gt_ode_free(gt_ode *ode);

GT_API const gt_ode_facts *gt_ode_facts_of(const gt_ode *ode);

/* The model as the interpreter runs it; lives as long as `ode`. NULL when the text had errors. */
GT_API const gt_model *gt_ode_model(const gt_ode *ode);

/* C text that defines `const gt_model SYMBOL`, to be freed by the caller. Nothing of the file gets
 * into it but numbers, names made of a prefix and a validated name, and quoted text. The same file
 * gives the same text. */
GT_API gt_status gt_ode_c_code(const gt_ode *ode, const char *symbol, char **code, size_t *length,
                               gt_message *message) GT_MUST_CHECK;

/* The equations after expansion, one a line, with the names of the model; to be freed by the
 * caller. */
GT_API gt_status gt_ode_expanded(const gt_ode *ode, char **text, gt_message *message) GT_MUST_CHECK;

GT_C_END

#endif

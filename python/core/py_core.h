/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PYTHON_CORE_H
#define GEARTRAIN_PYTHON_CORE_H

/*
 * The extension geartrain._core: thin objects around the handles of the library, in the stable ABI
 * of Python 3.11. Arrays come and go by the buffer protocol, so that no header of numpy is needed;
 * what is convenient to write in Python (arguments, defaults, results) is in the package around it.
 */
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- py_errors.c ---- */

/* Types and exceptions, one set for a module. */
typedef struct py_state {
    PyTypeObject *array, *problem, *run, *solution, *model;
    PyObject *failure; /* geartrain.IntegrationError */
    PyObject *lacks;   /* a pattern that was found has not all entries, see py_differences.c */
} py_state;

py_state *py_state_of(PyObject *module);
/* Of the module that made the type of this object. */
py_state *py_state_of_type(PyTypeObject *type);

/* Sets the exception that goes with the status, unless one is set already; NULL, to be returned. */
PyObject *py_raise(PyObject *failure, gt_status status, const gt_message *message);

/* ---- py_arrays.c ---- */

/* The doubles of an object, C-contiguous, to be released; `count` SIZE_MAX: any number of them. */
bool py_doubles(PyObject *object, Py_buffer *view, size_t count, bool writable, const char *what);
/* The same for C ints. */
bool py_ints(PyObject *object, Py_buffer *view, size_t count, const char *what);
/* A copy in the arena; None gives NULL. */
bool py_copy_doubles(PyObject *object, size_t count, gt_arena *arena, double **copy,
                     const char *what);

/* Memory that grows, and in the end becomes an object with the buffer protocol, without a copy. */
typedef struct py_growing {
    char *bytes;
    size_t used, room;
} py_growing;
void *py_room(py_growing *memory, size_t count); /* for so many bytes more; NULL: there is none */
bool py_append(py_growing *memory, const void *bytes, size_t count);
/* Format "d" or "B"; the memory is the object's then. */
PyObject *py_array_of(py_state *state, py_growing *memory, const char *format);
extern PyType_Spec py_array_spec;

/* ---- py_poll.c ---- */

/* Whether somebody has pressed Ctrl-C, looked at every 20 ms or so, while the lock of the
 * interpreter is released. */
typedef struct py_poll {
    PyThreadState *released; /* NULL: the lock is held */
    long skip, left;         /* calls to let pass before the clock is looked at */
    double looked, last,
        shown;          /* when that was; when signals were looked at, when progress was shown */
    PyObject *progress; /* called with t five times a second; NULL: nothing */
} py_poll;
/* False: an exception is set; the run is to end. `t`: where the run is. */
bool py_poll_now(py_poll *poll, double t);
void py_release(py_poll *poll, bool release);
void py_take_back(py_poll *poll);

/* ---- py_calls.c ---- */

/* An array of Python's that functions of the user get as y. It is used again, unless one has kept
 * it. */
typedef struct py_vector {
    PyObject *make, *array;
    Py_buffer view;
} py_vector;

/* A function of a problem: of Python, or compiled. */
typedef struct py_function {
    PyObject *object;
    gt_rhs_fn *pointer;
    void (*plain)(double t, const double *x, double *dx, void *data); /* that returns nothing */
    void *data;
    size_t rows;
    long calls;
} py_function;

/* A Jacobian by differences over a pattern that was found, not given; see py_differences.c. */
typedef struct py_differences {
    int *group; /* of each column; NULL: there are none such */
    int groups;
    double *base, *moved, *value, *expected, *size;
    unsigned long count;
    bool grew; /* f has entries outside the pattern, at .. */
    double t_grew, *x_grew;
} py_differences;

typedef struct py_problem {
    PyObject ob_base;
    gt_problem problem;
    gt_arena arena;
    gt_matrix mass;
    py_function rhs, slow, fast;
    PyObject *jac, *events, *convert, *owner;
    py_vector y;
    py_differences differences;
    PyObject *keep; /* what pointers point into */
    long *terminal, *counts;
    long jac_calls;
    bool calls_python;     /* some function is one of Python: the lock is held in runs */
    bool failed;           /* an exception is set */
    bool flat, is_complex; /* y is a vector; its numbers are pairs */
    py_poll *poll;         /* of the run that is under way */
    int busy;              /* runs inside, on all threads */
} py_problem;

gt_status py_call_rhs(double t, const double *x, double *dx, void *ctx);
gt_status py_call_slow(double t, const double *x, double *dx, void *ctx);
gt_status py_call_fast(double t, const double *x, double *dx, void *ctx);
gt_status py_call_jac(double t, const double *x, gt_matrix *J, void *ctx);
gt_status py_call_roots(double t, const double *x, double *g, void *ctx);
gt_status py_count_events(double t, const unsigned char *fired, double *x, unsigned *actions,
                          void *ctx);
void py_reset_events(void *ctx);
void py_vector_drop(py_vector *vector);

/* ---- py_differences.c ---- */

bool py_differences_begin(py_problem *p, size_t n);
gt_status py_call_differences(double t, const double *x, gt_matrix *J, void *ctx);

/* ---- objects ---- */

extern PyType_Spec py_problem_spec, py_run_spec, py_solution_spec, py_model_spec;

typedef struct py_solution {
    PyObject ob_base;
    gt_solution *solution;
    size_t n;
} py_solution;
PyObject *py_solution_make(py_state *state, size_t n);
PyObject *py_solution_new(PyObject *module, PyObject *args); /* solution(n, image=None) */

typedef struct py_run {
    PyObject ob_base;
    gt_run *run;
    py_problem *problem;
    const gt_method *method;
    gt_arena arena; /* of what the plan points to */
    gt_plan plan;
    gt_message why; /* why `auto` chose the method; empty: it was named */
    volatile int interrupted;
} py_run;

/* py_run.c: the exception for a run that failed. */
PyObject *py_failure_of(PyObject *self);
/* py_run_open.c */
PyObject *py_run_new(PyTypeObject *type, PyObject *args, PyObject *keywords);
/* py_run_look.c */
extern PyGetSetDef py_run_fields[];
PyObject *py_run_state(PyObject *self, PyObject *args);

/* py_drive.c: the loop of a whole run, to its end or a terminal event. */
PyObject *py_run_drive(PyObject *self, PyObject *args, PyObject *keywords);

#endif

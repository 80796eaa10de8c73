/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A whole run in one call: its steps, or its values at given times, its events and its dense output
 * are collected while the lock of the interpreter is released, where no function of Python is
 * called.
 */
#include "py_core.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct collection {
    gt_run *run;
    size_t n, n_roots;
    double sign; /* of time: -1 for a run backward */
    /* where t_eval is given: rows of `out` are filled */
    const double *times;
    double *out;
    size_t n_times, filled;
    /* else the ends of steps */
    py_growing t, x;
    py_growing event_t, event_x, event_fired;
    gt_solution *solution;
} collection;

static bool add_point(collection *c)
{
    double t = gt_run_time(c->run), *x = py_room(&c->x, c->n * sizeof *x),
           *to = py_room(&c->t, sizeof t);
    const double *from = gt_run_x(c->run);
    if (!x || !to) return false;
    *to = t;
    for (size_t i = 0; i < c->n; i++)
        x[i] = from[i]; /* mostly few: a call of memcpy takes longer */
    return true;
}

static bool add_event(collection *c)
{
    double t = gt_run_time(c->run);
    return py_append(&c->event_t, &t, sizeof t) &&
           py_append(&c->event_x, gt_run_x(c->run), c->n * sizeof(double)) &&
           py_append(&c->event_fired, gt_run_fired(c->run), c->n_roots);
}

/* The times that lie in the last step. */
static gt_status fill_times(collection *c)
{
    double from, to;
    gt_run_last_step(c->run, &from, &to);
    gt_status status = GT_OK;
    while (c->filled < c->n_times && c->sign * c->times[c->filled] <= c->sign * to && !status) {
        double t = c->times[c->filled];
        if (c->sign * t < c->sign * from) t = from; /* t0 itself, by rounding */
        status = gt_run_interpolate(c->run, t, c->out + c->n * c->filled);
        c->filled += !status;
    }
    return status;
}

/* A model may have moved the state at an event: both sides are points then. */
static gt_status pass_event(collection *c)
{
    if (!add_event(c)) return GT_NO_MEMORY;
    gt_status status = gt_run_settle(c->run);
    if (status || c->times || c->x.used < c->n * sizeof(double)) return status;
    const char *last = c->x.bytes + c->x.used - c->n * sizeof(double);
    if (!memcmp(last, gt_run_x(c->run), c->n * sizeof(double))) return GT_OK;
    return add_point(c) ? GT_OK : GT_NO_MEMORY;
}

static gt_status collect(collection *c, py_problem *p, py_poll *poll)
{
    gt_status status = GT_OK;
    if (!c->times && !add_point(c)) return GT_NO_MEMORY;
    for (gt_reached reached = GT_REACHED_STEP; !status && reached != GT_REACHED_END;) {
        if (!py_poll_now(poll, gt_run_time(c->run))) {
            p->failed = true;
            return GT_INTERRUPTED;
        }
        status = gt_run_step(c->run, &reached);
        if (status) break;
        double from, to;
        gt_run_last_step(c->run, &from, &to);
        if (from == to) continue; /* the run was over */
        if (c->solution) status = gt_solution_add(c->solution, c->run);
        if (!status && c->times) status = fill_times(c);
        if (!status && !c->times && !add_point(c)) status = GT_NO_MEMORY;
        if (!status && reached == GT_REACHED_EVENT) {
            status = pass_event(c);
            gt_report report;
            gt_run_report(c->run, &report);
            if (report.stopped) break;
        }
    }
    return status;
}

static void forget(collection *c)
{
    free(c->t.bytes);
    free(c->x.bytes);
    free(c->event_t.bytes);
    free(c->event_x.bytes);
    free(c->event_fired.bytes);
}

/* (status, filled, t, y, event times, event states, event flags) */
static PyObject *result_of(py_state *state, collection *c, gt_status status)
{
    py_growing *parts[] = {&c->t, &c->x, &c->event_t, &c->event_x, &c->event_fired};
    PyObject *objects[5] = {NULL};
    bool made = true;
    for (int k = 0; k < 5; k++) {
        objects[k] = py_array_of(state, parts[k], k == 4 ? "B" : "d");
        made = made && objects[k];
    }
    if (made)
        return Py_BuildValue("snNNNNN", gt_status_name(status), (Py_ssize_t)c->filled, objects[0],
                             objects[1], objects[2], objects[3], objects[4]);
    for (int k = 0; k < 5; k++) Py_XDECREF(objects[k]);
    return NULL;
}

static PyObject *drive(PyObject *self, collection *c, PyObject *progress)
{
    py_run *r = (py_run *)self;
    py_problem *p = r->problem;
    py_poll poll = {.progress = progress};
    if (p->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        "the run is under way: a function of it, or another thread, has called "
                        "it again");
        return NULL;
    }
    p->busy = 1;
    p->failed = false;
    p->poll = &poll;
    py_release(&poll, !p->calls_python);
    gt_status status = collect(c, p, &poll);
    py_take_back(&poll);
    p->poll = NULL;
    p->busy = 0;
    if (PyErr_Occurred() || status == GT_NO_MEMORY) {
        forget(c);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    return result_of(py_state_of_type(Py_TYPE(self)), c, status);
}

PyObject *py_run_drive(PyObject *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"times", "out", "solution", "progress", NULL};
    py_run *r = (py_run *)self;
    py_state *state = py_state_of_type(Py_TYPE(self));
    PyObject *times = Py_None, *out = Py_None, *solution = Py_None, *progress = Py_None;
    Py_buffer t = {0}, rows = {0};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|OOOO:drive", names, &times, &out, &solution,
                                     &progress))
        return NULL;
    const gt_problem *problem = &r->problem->problem;
    collection c = {.run = r->run,
                    .n = gt_problem_size(problem),
                    .n_roots = problem->n_roots,
                    .sign = problem->t1 < problem->t0 ? -1 : 1};
    if (times != Py_None) {
        if (!py_doubles(times, &t, SIZE_MAX, false, "t_eval")) return NULL;
        c.times = t.buf;
        c.n_times = (size_t)t.len / sizeof(double);
        if (!py_doubles(out, &rows, c.n * c.n_times, true, "out")) {
            PyBuffer_Release(&t);
            return NULL;
        }
        c.out = rows.buf;
    }
    PyObject *result = NULL;
    if (solution != Py_None && !PyObject_TypeCheck(solution, state->solution)) {
        PyErr_SetString(PyExc_TypeError, "solution must be a Solution");
    } else {
        if (solution != Py_None) c.solution = ((py_solution *)solution)->solution;
        result = drive(self, &c, progress == Py_None ? NULL : progress);
    }
    if (t.buf || t.obj) PyBuffer_Release(&t);
    if (rows.buf || rows.obj) PyBuffer_Release(&rows);
    return result;
}

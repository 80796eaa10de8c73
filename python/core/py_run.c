/* SPDX-License-Identifier: BSD-3-Clause */
/* The handle of a run as an object. */
#include "py_core.h"
#include <stdlib.h>
#include <string.h>

PyObject *py_failure_of(PyObject *self)
{
    py_state *state = py_state_of_type(Py_TYPE(self));
    return state ? state->failure : NULL;
}

/* ---- inside and outside the library ---- */

/* A problem is used by one call at a time: its y, and what its events keep, are those of one run.
 */
static bool enter(py_run *r, py_poll *poll)
{
    if (!r->run || r->problem->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        r->run ? "the run is under way: a function of it, or another thread, has "
                                 "called it again"
                               : "the run was not opened");
        return false;
    }
    r->problem->busy = 1;
    r->problem->failed = false;
    r->problem->poll = poll;
    py_release(poll, !r->problem->calls_python);
    return true;
}

static PyObject *leave(py_run *r, py_poll *poll, gt_status status)
{
    py_take_back(poll);
    r->problem->poll = NULL;
    r->problem->busy = 0;
    if (!status && !PyErr_Occurred()) Py_RETURN_NONE;
    gt_report report = {.status = GT_OK};
    gt_run_report(r->run, &report);
    return py_raise(py_failure_of((PyObject *)r), status, &report.message);
}

/* ---- its end ---- */

static int run_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT((PyObject *)((py_run *)self)->problem);
    return 0;
}

static void run_free(PyObject *self)
{
    py_run *r = (py_run *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    gt_run_discard(r->run); /* calls nothing of the user's */
    gt_arena_free(&r->arena);
    Py_XDECREF((PyObject *)r->problem);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* ---- going on ---- */

static PyObject *reached_or(PyObject *done, gt_reached reached)
{
    if (!done) return NULL;
    Py_DECREF(done);
    return PyLong_FromLong((long)reached);
}

static PyObject *run_step(PyObject *self, PyObject *unused)
{
    py_run *r = (py_run *)self;
    py_poll poll = {0};
    gt_reached reached = GT_REACHED_STEP;
    (void)unused;
    if (!enter(r, &poll)) return NULL;
    gt_status status = gt_run_step(r->run, &reached);
    return reached_or(leave(r, &poll, status), reached);
}

/* Step by step, so that Ctrl-C is seen; it takes the same steps. */
static PyObject *run_advance(PyObject *self, PyObject *args)
{
    py_run *r = (py_run *)self;
    py_poll poll = {0};
    gt_reached reached = GT_REACHED_TIME;
    double t;
    int how = 0;
    if (!PyArg_ParseTuple(args, "d|i:advance", &t, &how) || !enter(r, &poll)) return NULL;
    gt_status status = gt_run_advance(r->run, t, (unsigned)how, &reached);
    return reached_or(leave(r, &poll, status), reached);
}

static PyObject *run_settle(PyObject *self, PyObject *unused)
{
    py_run *r = (py_run *)self;
    py_poll poll = {0};
    (void)unused;
    if (!enter(r, &poll)) return NULL;
    gt_status status = gt_run_settle(r->run);
    return leave(r, &poll, status);
}

static PyObject *run_interpolate(PyObject *self, PyObject *args)
{
    py_run *r = (py_run *)self;
    PyObject *times, *rows;
    Py_buffer t, out;
    py_poll poll = {0};
    if (!PyArg_ParseTuple(args, "OO:interpolate", &times, &rows)) return NULL;
    if (!py_doubles(times, &t, SIZE_MAX, false, "t")) return NULL;
    size_t count = (size_t)t.len / sizeof(double),
           n = r->problem->problem.x0 ? gt_problem_size(&r->problem->problem) : 0;
    if (!py_doubles(rows, &out, count * n, true, "out")) {
        PyBuffer_Release(&t);
        return NULL;
    }
    gt_status status = GT_OK;
    bool inside = enter(r, &poll);
    for (size_t k = 0; inside && k < count && !status; k++)
        status = gt_run_interpolate(r->run, ((double *)t.buf)[k], (double *)out.buf + k * n);
    PyObject *done = inside ? leave(r, &poll, status) : NULL;
    PyBuffer_Release(&t);
    PyBuffer_Release(&out);
    return done;
}

/* changed(what, y or None) */
static PyObject *run_changed(PyObject *self, PyObject *args)
{
    py_run *r = (py_run *)self;
    py_poll poll = {0};
    int what;
    PyObject *y = Py_None;
    double *x = NULL;
    gt_arena scratch = gt_arena_growing();
    if (!PyArg_ParseTuple(args, "i|O:changed", &what, &y)) return NULL;
    PyObject *done = NULL;
    if (py_copy_doubles(y, gt_problem_size(&r->problem->problem), &scratch, &x, "y") &&
        enter(r, &poll)) {
        gt_status status = gt_run_changed(r->run, (unsigned)what, x);
        done = leave(r, &poll, status);
    }
    gt_arena_free(&scratch);
    return done;
}

static PyObject *run_set_end(PyObject *self, PyObject *args)
{
    py_run *r = (py_run *)self;
    py_poll poll = {0};
    double t1;
    if (!PyArg_ParseTuple(args, "d:set_end", &t1) || !enter(r, &poll)) return NULL;
    gt_status status = gt_run_set_end(r->run, t1);
    return leave(r, &poll, status);
}

/* The last step as a function of time. */
static PyObject *run_dense(PyObject *self, PyObject *unused)
{
    py_run *r = (py_run *)self;
    py_state *state = py_state_of_type(Py_TYPE(self));
    py_poll poll = {0};
    (void)unused;
    PyObject *solution =
        state ? py_solution_make(state, gt_problem_size(&r->problem->problem)) : NULL;
    if (!solution) return NULL;
    if (!enter(r, &poll)) {
        Py_DECREF(solution);
        return NULL;
    }
    gt_status status = gt_solution_add(((py_solution *)solution)->solution, r->run);
    PyObject *done = leave(r, &poll, status);
    if (!done) Py_CLEAR(solution);
    Py_XDECREF(done);
    return solution;
}

/* ---- copies ---- */

static PyObject *run_save(PyObject *self, PyObject *unused)
{
    py_run *r = (py_run *)self;
    py_poll poll = {0};
    void *bytes = NULL;
    size_t count = 0;
    gt_message message = {""};
    (void)unused;
    if (!enter(r, &poll)) return NULL;
    gt_status status = gt_run_save(r->run, NULL, &bytes, &count, &message);
    PyObject *done = leave(r, &poll, GT_OK);
    if (status) Py_CLEAR(done);
    if (status) return py_raise(py_failure_of(self), status, &message);
    Py_XDECREF(done);
    PyObject *saved = done ? PyBytes_FromStringAndSize(bytes, (Py_ssize_t)count) : NULL;
    free(bytes);
    return saved;
}

/* ---- the type ---- */

static PyMethodDef run_methods[] = {
    {"step", run_step, METH_NOARGS, "To the end of the next step; what was reached."},
    {"advance", run_advance, METH_VARARGS, "advance(t, how=0): to t; what was reached."},
    {"settle", run_settle, METH_NOARGS,
     "Accepts the last step; an event that it ends at is applied."},
    {"interpolate", run_interpolate, METH_VARARGS, "interpolate(t, out): inside the last step."},
    {"changed", run_changed, METH_VARARGS,
     "changed(what, y=None): the state or the equations are others now."},
    {"set_end", run_set_end, METH_VARARGS, "set_end(t1)"},
    {"dense", run_dense, METH_NOARGS, "The last step as a Solution."},
    {"save", run_save, METH_NOARGS, "The whole run as bytes."},
    {"state", py_run_state, METH_VARARGS, "state(out): copies y into it; gives t."},
    {"drive", (PyCFunction)(void (*)(void))py_run_drive, METH_VARARGS | METH_KEYWORDS,
     "drive(times=None, out=None, dense=False, progress=None): to the end."},
    {0}};
static PyType_Slot run_slots[] = {{Py_tp_doc, "A run that is advanced step by step."},
                                  {Py_tp_new, py_run_new},
                                  {Py_tp_dealloc, run_free},
                                  {Py_tp_traverse, run_traverse},
                                  {Py_tp_getset, py_run_fields},
                                  {Py_tp_methods, run_methods},
                                  {0, NULL}};
PyType_Spec py_run_spec = {"geartrain._core.Run", sizeof(py_run), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, run_slots};

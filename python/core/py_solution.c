/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense output that outlives its run. */
#include "py_core.h"
#include <math.h>

PyObject *py_solution_make(py_state *state, size_t n)
{
    py_solution *s = PyObject_New(py_solution, state->solution);
    if (!s) return NULL;
    s->n = n;
    s->solution = gt_solution_new(n);
    if (s->solution) return (PyObject *)s;
    Py_DECREF(s);
    return PyErr_NoMemory();
}

static void solution_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    gt_solution_free(((py_solution *)self)->solution);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* evaluate(t, out): x at each of the times, one row each. Times outside are taken at the end that is nearer, so that
 * the package can say what it does about them. */
static PyObject *solution_evaluate(PyObject *self, PyObject *args)
{
    py_solution *s = (py_solution *)self;
    PyObject *times, *rows;
    Py_buffer t, out;
    if (!PyArg_ParseTuple(args, "OO:evaluate", &times, &rows)) return NULL;
    if (!py_doubles(times, &t, SIZE_MAX, false, "t")) return NULL;
    size_t count = (size_t)t.len / sizeof(double);
    if (!py_doubles(rows, &out, count * s->n, true, "out")) {
        PyBuffer_Release(&t);
        return NULL;
    }
    double from, to;
    gt_solution_range(s->solution, &from, &to);
    double low = fmin(from, to), high = fmax(from, to);
    gt_status status = GT_OK;
    for (size_t k = 0; k < count && !status; k++) {
        double at = fmin(fmax(((double *)t.buf)[k], low), high);
        status = gt_solution_at(s->solution, at, (double *)out.buf + k * s->n);
    }
    PyBuffer_Release(&t);
    PyBuffer_Release(&out);
    if (status) return py_raise(NULL, status, NULL);
    Py_RETURN_NONE;
}

static PyObject *solution_range(PyObject *self, void *unused)
{
    double from, to;
    (void)unused;
    gt_solution_range(((py_solution *)self)->solution, &from, &to);
    return Py_BuildValue("dd", from, to);
}

static PyObject *solution_pieces(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(gt_solution_pieces(((py_solution *)self)->solution));
}

static PyObject *solution_bytes(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(gt_solution_bytes(((py_solution *)self)->solution));
}

static PyGetSetDef solution_fields[] = {{"range", solution_range, NULL, "From where to where it reaches.", NULL},
                                        {"pieces", solution_pieces, NULL, "How many polynomials it has.", NULL},
                                        {"nbytes", solution_bytes, NULL, "What it takes.", NULL},
                                        {0}};
static PyMethodDef solution_methods[] = {
    {"evaluate", solution_evaluate, METH_VARARGS, "evaluate(t, out): one row for each time."}, {0}};
static PyType_Slot solution_slots[] = {{Py_tp_doc, "The solution as a function of time."},
                                       {Py_tp_dealloc, solution_free},
                                       {Py_tp_getset, solution_fields},
                                       {Py_tp_methods, solution_methods},
                                       {0, NULL}};
PyType_Spec py_solution_spec = {"geartrain._core.Solution", sizeof(py_solution), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, solution_slots};

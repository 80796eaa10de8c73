/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense output that outlives its run. */
#include "py_core.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* evaluate(t, out): x at each of the times, one row each. Times outside are taken at the end that
 * is nearer, so that the package can say what it does about them. */
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

/* piece(k): (from, to, values), the rows of which are the polynomial at Chebyshev points. */
static PyObject *solution_piece(PyObject *self, PyObject *args)
{
    py_solution *s = (py_solution *)self;
    Py_ssize_t k;
    double from = 0, to = 0;
    int degree = 0;
    const double *values = NULL;
    if (!PyArg_ParseTuple(args, "n:piece", &k)) return NULL;
    gt_status status = gt_solution_piece(s->solution, (size_t)k, &from, &to, &degree, &values);
    if (status) return py_raise(NULL, status, NULL);
    py_growing copy = {0};
    if (!py_append(&copy, values, (size_t)(degree + 1) * s->n * sizeof *values))
        return PyErr_NoMemory();
    PyObject *rows = py_array_of(py_state_of_type(Py_TYPE(self)), &copy, "d");
    return rows ? Py_BuildValue("ddN", from, to, rows) : NULL;
}

/* ---- as bytes: from, to and degree of each polynomial, and its values ---- */

static PyObject *solution_save(PyObject *self, PyObject *unused)
{
    py_solution *s = (py_solution *)self;
    py_growing image = {0};
    size_t count = gt_solution_pieces(s->solution);
    bool room = true;
    (void)unused;
    for (size_t k = 0; k < count && room; k++) {
        double head[3];
        int degree;
        const double *values;
        if (gt_solution_piece(s->solution, k, &head[0], &head[1], &degree, &values)) break;
        head[2] = degree;
        room = py_append(&image, head, sizeof head) &&
               py_append(&image, values, (size_t)(degree + 1) * s->n * sizeof *values);
    }
    PyObject *bytes =
        room ? PyBytes_FromStringAndSize(image.bytes, (Py_ssize_t)image.used) : PyErr_NoMemory();
    free(image.bytes);
    return bytes;
}

/* The polynomials of an image, which may be any bytes. */
static gt_status restore(py_solution *s, const double *image, size_t count)
{
    gt_status status = GT_OK;
    for (size_t at = 0; at < count && !status;) {
        if (count - at < 3 || !(image[at + 2] >= 1 && image[at + 2] <= 100)) return GT_BAD_ARGUMENT;
        const double *head = image + at;
        int degree = (int)head[2];
        size_t values = (size_t)(degree + 1) * s->n;
        if (count - at - 3 < values) return GT_BAD_ARGUMENT;
        status = gt_solution_add_piece(s->solution, head[0], head[1], degree, head + 3);
        at += 3 + values;
    }
    return status;
}

/* solution(n, image=None) */
PyObject *py_solution_new(PyObject *module, PyObject *args)
{
    Py_ssize_t n;
    PyObject *image = Py_None;
    if (!PyArg_ParseTuple(args, "n|O:solution", &n, &image)) return NULL;
    PyObject *solution = py_solution_make(py_state_of(module), (size_t)n);
    if (!solution || image == Py_None) return solution;
    Py_buffer view;
    if (PyObject_GetBuffer(image, &view, PyBUF_C_CONTIGUOUS)) {
        Py_DECREF(solution);
        return NULL;
    }
    /* Bytes need not lie where numbers may. */
    size_t count = (size_t)view.len / sizeof(double);
    double *numbers = malloc((size_t)view.len + 1);
    gt_status status = numbers ? GT_OK : GT_NO_MEMORY;
    if (numbers) memcpy(numbers, view.buf, (size_t)view.len);
    if (!status) status = restore((py_solution *)solution, numbers, count);
    free(numbers);
    PyBuffer_Release(&view);
    if (!status) return solution;
    Py_DECREF(solution);
    return py_raise(NULL, status, NULL);
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

static PyGetSetDef solution_fields[] = {
    {"range", solution_range, NULL, "From where to where it reaches.", NULL},
    {"pieces", solution_pieces, NULL, "How many polynomials it has.", NULL},
    {"nbytes", solution_bytes, NULL, "What it takes.", NULL},
    {0}};
static PyMethodDef solution_methods[] = {
    {"evaluate", solution_evaluate, METH_VARARGS, "evaluate(t, out): one row for each time."},
    {"piece", solution_piece, METH_VARARGS,
     "piece(k): from, to and values at Chebyshev points, one row each."},
    {"save", solution_save, METH_NOARGS, "As bytes, for solution(n, bytes)."},
    {0}};
static PyType_Slot solution_slots[] = {{Py_tp_doc, "The solution as a function of time."},
                                       {Py_tp_dealloc, solution_free},
                                       {Py_tp_getset, solution_fields},
                                       {Py_tp_methods, solution_methods},
                                       {0, NULL}};
PyType_Spec py_solution_spec = {"geartrain._core.Solution", sizeof(py_solution), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                solution_slots};

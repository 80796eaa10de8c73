/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of the user, as the library calls them. What they raise stays set and ends the run;
 * what they return is copied at once; and y is an array of its own, so that whoever writes into it
 * or keeps it does no harm.
 */
#include "py_core.h"
#include <string.h>

/* ---- y ---- */

void py_vector_drop(py_vector *vector)
{
    if (!vector->array) return;
    PyBuffer_Release(&vector->view);
    Py_CLEAR(vector->array);
}

/* An array with these numbers, taken away from the vector while a call has it: another call, from
 * another thread or from inside f, finds none and makes one. The buffer is held beside it. */
static PyObject *lend(py_vector *vector, const double *x, size_t n, Py_buffer *view)
{
    PyObject *array = vector->array;
    if (array) {
        *view = vector->view;
        vector->array = NULL;
    } else {
        array = PyObject_CallNoArgs(vector->make);
        if (!array || PyObject_GetBuffer(array, view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE)) {
            Py_XDECREF(array);
            return NULL;
        }
    }
    if ((size_t)view->len != n * sizeof *x) {
        PyErr_SetString(PyExc_ValueError, "the array for y has another size than the state");
        PyBuffer_Release(view);
        Py_DECREF(array);
        return NULL;
    }
    memcpy(view->buf, x, n * sizeof *x);
    return array;
}

/* References to an array that nobody has kept: ours, and that of the buffer. */
enum { OURS = 2 };

static void give_back(py_vector *vector, PyObject *array, Py_buffer *view)
{
    if (!vector->array && Py_REFCNT(array) == OURS) {
        vector->array = array;
        vector->view = *view;
        return;
    }
    PyBuffer_Release(view);
    Py_DECREF(array);
}

/* ---- what comes back ---- */

/* 1: copied; 0: the object has no such buffer. */
static int copy_buffer(PyObject *result, double *out, size_t n, bool flat, const char *format)
{
    Py_buffer view;
    if (!PyObject_CheckBuffer(result)) return 0;
    if (PyObject_GetBuffer(result, &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)) {
        PyErr_Clear();
        return 0;
    }
    bool fits = view.format && !strcmp(view.format, format) && (view.ndim == 1 || !flat) &&
                (size_t)view.len == n * sizeof *out;
    if (fits) memcpy(out, view.buf, n * sizeof *out);
    PyBuffer_Release(&view);
    return fits;
}

static int copy_list(PyObject *result, double *out, size_t n)
{
    bool is_list = PyList_CheckExact(result);
    if (!is_list && !PyTuple_CheckExact(result)) return 0;
    if ((size_t)(is_list ? PyList_Size(result) : PyTuple_Size(result)) != n) return 0;
    for (size_t i = 0; i < n; i++) {
        PyObject *item = is_list ? PyList_GetItem(result, (Py_ssize_t)i)
                                 : PyTuple_GetItem(result, (Py_ssize_t)i);
        if (!item || !(PyFloat_Check(item) || PyLong_Check(item))) return 0;
        out[i] = PyFloat_AsDouble(item);
        if (out[i] != -1 || !PyErr_Occurred()) continue;
        PyErr_Clear();
        return 0;
    }
    return 1;
}

/* A number where one is expected. */
static int copy_number(PyObject *result, double *out, size_t n)
{
    if (n != 1 || !PyFloat_Check(result)) return 0;
    *out = PyFloat_AsDouble(result);
    return 1;
}

/* Whatever else it is, `convert` makes an array of it, or says why it cannot. */
static bool take(py_problem *p, PyObject *result, const char *what, double *out, size_t n,
                 bool is_state)
{
    bool pairs = is_state && p->is_complex, flat = !is_state || p->flat;
    if (copy_buffer(result, out, n, flat, pairs ? "Zd" : "d")) return true;
    if (flat && !pairs && (copy_number(result, out, n) || copy_list(result, out, n))) return true;
    PyObject *array = PyObject_CallFunction(p->convert, "Osn", result, what, (Py_ssize_t)n);
    bool copied = array && copy_buffer(array, out, n, false, "d");
    if (array && !copied && !PyErr_Occurred())
        PyErr_Format(PyExc_ValueError, "%s returned something that is not an array of %zu numbers",
                     what, n);
    Py_XDECREF(array);
    return copied;
}

static gt_status fail(py_problem *p)
{
    p->failed = true;
    return GT_RHS_FAILED;
}

/* function(t, y), copied into `out`. */
static gt_status call(py_problem *p, PyObject *function, const char *what, double t,
                      const double *x, double *out, size_t rows, bool is_state)
{
    Py_buffer view;
    if (p->failed) return GT_RHS_FAILED;
    PyObject *y = lend(&p->y, x, gt_problem_size(&p->problem), &view),
             *time = y ? PyFloat_FromDouble(t) : NULL;
    PyObject *result = time ? PyObject_CallFunctionObjArgs(function, time, y, NULL) : NULL;
    bool taken = result && take(p, result, what, out, rows, is_state);
    Py_XDECREF(result);
    Py_XDECREF(time);
    if (y) give_back(&p->y, y, &view);
    return taken ? GT_OK : fail(p);
}

static gt_status evaluate(py_problem *p, py_function *f, const char *what, double t,
                          const double *x, double *dx)
{
    f->calls++;
    if (f->object) return call(p, f->object, what, t, x, dx, f->rows, true);
    if (p->poll && !py_poll_now(p->poll, t)) return fail(p);
    if (f->pointer) return f->pointer(t, x, dx, f->data);
    f->plain(t, x, dx, f->data);
    return GT_OK;
}

gt_status py_call_rhs(double t, const double *x, double *dx, void *ctx)
{
    py_problem *p = ctx;
    return evaluate(p, &p->rhs, "fun", t, x, dx);
}

gt_status py_call_slow(double t, const double *x, double *dx, void *ctx)
{
    py_problem *p = ctx;
    return evaluate(p, &p->slow, "fun_slow", t, x, dx);
}

gt_status py_call_fast(double t, const double *x, double *dx, void *ctx)
{
    py_problem *p = ctx;
    return evaluate(p, &p->fast, "fun_fast", t, x, dx);
}

/* The package wraps the user's function: the values come in the order of the pattern, columns
 * first. */
gt_status py_call_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    py_problem *p = ctx;
    p->jac_calls++;
    return call(p, p->jac, "jac", t, x, J->values, gt_matrix_entries(J), false);
}

gt_status py_call_roots(double t, const double *x, double *g, void *ctx)
{
    py_problem *p = ctx;
    for (size_t i = 0; i < p->problem.n_roots; i++) {
        gt_status status = call(p, PyTuple_GetItem(p->events, (Py_ssize_t)i), "an event function",
                                t, x, &g[i], 1, false);
        if (status) return status;
    }
    return GT_OK;
}

/* ---- events ---- */

void py_reset_events(void *ctx)
{
    py_problem *p = ctx;
    memset(p->counts, 0, p->problem.n_roots * sizeof *p->counts);
}

gt_status py_count_events(double t, const unsigned char *fired, double *x, unsigned *actions,
                          void *ctx)
{
    py_problem *p = ctx;
    (void)t, (void)x;
    for (size_t i = 0; i < p->problem.n_roots; i++)
        if (fired[i] && ++p->counts[i] >= p->terminal[i] && p->terminal[i] > 0)
            *actions |= GT_EVENT_STOP;
    return GT_OK;
}

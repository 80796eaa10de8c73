/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is to see of a problem: names, start, f and df/dx. */
#include "py_model.h"
#include <string.h>

static const gt_problem *problem_of(PyObject *self) { return &((py_problem *)self)->problem; }

static PyObject *texts(const char *const *list, size_t count)
{
    PyObject *all = PyList_New(0);
    for (size_t i = 0; all && list && i < count; i++) {
        PyObject *text = PyUnicode_FromString(list[i] ? list[i] : "");
        if (!text || PyList_Append(all, text)) Py_CLEAR(all);
        Py_XDECREF(text);
    }
    return all;
}

static PyObject *problem_names(PyObject *self, void *unused)
{
    const gt_problem *p = problem_of(self);
    PyObject *all = PyList_New(0);
    char buffer[24];
    (void)unused;
    for (size_t i = 0; all && i < gt_problem_size(p); i++) {
        PyObject *text = PyUnicode_FromString(gt_problem_state_name(p, i, buffer));
        if (!text || PyList_Append(all, text)) Py_CLEAR(all);
        Py_XDECREF(text);
    }
    return all;
}

static PyObject *problem_units(PyObject *self, void *unused)
{
    (void)unused;
    return texts(problem_of(self)->units, gt_problem_size(problem_of(self)));
}

static PyObject *problem_root_names(PyObject *self, void *unused)
{
    (void)unused;
    return texts(problem_of(self)->root_names, problem_of(self)->n_roots);
}

static PyObject *problem_span(PyObject *self, void *unused)
{
    (void)unused;
    return Py_BuildValue("dd", problem_of(self)->t0, problem_of(self)->t1);
}

static PyObject *problem_blocks(PyObject *self, void *unused)
{
    const gt_problem *p = problem_of(self);
    (void)unused;
    return Py_BuildValue("nnn", (Py_ssize_t)p->n_slow, (Py_ssize_t)p->n_fast, (Py_ssize_t)p->n_alg);
}

/* Calls of f as the user sees them, of its blocks, and of jac. */
static PyObject *problem_calls(PyObject *self, void *unused)
{
    py_problem *p = (py_problem *)self;
    (void)unused;
    return Py_BuildValue("llll", p->rhs.calls, p->slow.calls, p->fast.calls, p->jac_calls);
}

/* None, or the point (t, y) at which a pattern that was found lacked entries. */
static PyObject *problem_grew(PyObject *self, void *unused)
{
    const py_differences *d = &((py_problem *)self)->differences;
    (void)unused;
    if (!d->grew) Py_RETURN_NONE;
    size_t bytes = gt_problem_size(problem_of(self)) * sizeof *d->x_grew;
    return Py_BuildValue("dy#", d->t_grew, (const char *)d->x_grew, (Py_ssize_t)bytes);
}

static PyObject *problem_groups(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(((py_problem *)self)->differences.groups);
}

static PyObject *problem_n(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(gt_problem_size(problem_of(self)));
}

static PyObject *problem_hidden(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(problem_of(self)->n_hidden);
}

static PyObject *problem_roots(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(problem_of(self)->n_roots);
}

/* start(out) */
static PyObject *problem_start(PyObject *self, PyObject *out)
{
    const gt_problem *p = problem_of(self);
    Py_buffer view;
    if (!py_doubles(out, &view, gt_problem_size(p), true, "out")) return NULL;
    if (view.len) memcpy(view.buf, p->x0, (size_t)view.len);
    PyBuffer_Release(&view);
    Py_RETURN_NONE;
}

/* J by columns, from jac, or by differences of f. */
static gt_status jacobian(const gt_problem *p, double t, const double *x, double *out)
{
    size_t n = gt_problem_size(p);
    gt_arena arena = gt_arena_growing();
    gt_status status = GT_OK;
    if (p->jac) {
        gt_matrix J;
        gt_matrix_layout(&J, n, p->jac_pattern, false, &arena);
        status = arena.failed ? GT_NO_MEMORY : p->jac(t, x, &J, p->ctx);
        for (size_t j = 0; j < n && !status; j++)
            for (size_t i = 0; i < n; i++) {
                const double *entry = gt_matrix_at(&J, i, j);
                out[j * n + i] = entry ? *entry : 0;
            }
    } else {
        double *f = gt_arena_doubles(&arena, n), *moved = gt_arena_doubles(&arena, n);
        if (!f || !moved) status = GT_NO_MEMORY;
        if (!status) memcpy(moved, x, n * sizeof *x);
        for (size_t j = 0; j < n && !status; j++) { /* central: errors of third order in d */
            double size = x[j] < 0 ? -x[j] : x[j], d = 6e-6 * (size > 1e-3 ? size : 1e-3);
            moved[j] = x[j] + d;
            status = p->rhs(t, moved, out + j * n, p->ctx);
            moved[j] = x[j] - d;
            if (!status) status = p->rhs(t, moved, f, p->ctx);
            for (size_t i = 0; i < n; i++) out[j * n + i] = (out[j * n + i] - f[i]) / (2 * d);
            moved[j] = x[j];
        }
    }
    gt_arena_free(&arena);
    return status;
}

static PyObject *at_point(PyObject *self, PyObject *args, bool derivative)
{
    py_problem *p = (py_problem *)self;
    PyObject *y, *out;
    double t;
    Py_buffer x, result;
    if (!PyArg_ParseTuple(args, "dOO", &t, &y, &out)) return NULL;
    size_t n = gt_problem_size(&p->problem);
    if (!py_doubles(y, &x, n, false, "y")) return NULL;
    if (!py_doubles(out, &result, derivative ? n * n : n, true, "out")) {
        PyBuffer_Release(&x);
        return NULL;
    }
    p->failed = false;
    gt_status status = derivative ? jacobian(&p->problem, t, x.buf, result.buf)
                                  : p->problem.rhs(t, x.buf, result.buf, p->problem.ctx);
    PyBuffer_Release(&x);
    PyBuffer_Release(&result);
    if (status || PyErr_Occurred()) return py_raise(NULL, status, NULL);
    Py_RETURN_NONE;
}

static PyObject *problem_evaluate(PyObject *self, PyObject *args)
{
    return at_point(self, args, false);
}

static PyObject *problem_jacobian(PyObject *self, PyObject *args)
{
    return at_point(self, args, true);
}

static PyObject *problem_calls_python(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(((py_problem *)self)->calls_python);
}

PyGetSetDef py_problem_fields[] = {
    {"calls_python", problem_calls_python, NULL,
     "Whether a function of Python is among those of the problem.", NULL},
    {"calls", problem_calls, NULL, "Calls of fun, fun_slow, fun_fast and jac.", NULL},
    {"grew", problem_grew, NULL, "Where a pattern that was found lacked entries, (t, y), or None.",
     NULL},
    {"groups", problem_groups, NULL, "Of columns, with a pattern that was found.", NULL},
    {"n_roots", problem_roots, NULL, "How many events.", NULL},
    {"n", problem_n, NULL, "How many states.", NULL},
    {"n_hidden", problem_hidden, NULL, "Of them the last ones, which hold constraints.", NULL},
    {"names", problem_names, NULL, "Of the states.", NULL},
    {"units", problem_units, NULL, "Of the states; empty: none are known.", NULL},
    {"root_names", problem_root_names, NULL, "Of the events.", NULL},
    {"span", problem_span, NULL, "t0 and t1.", NULL},
    {"blocks", problem_blocks, NULL, "Slow, fast and algebraic states.", NULL},
    {0}};
PyMethodDef py_problem_methods[] = {
    {"start", problem_start, METH_O, "start(out): the initial values."},
    {"evaluate", problem_evaluate, METH_VARARGS, "evaluate(t, y, out): f."},
    {"jacobian", problem_jacobian, METH_VARARGS, "jacobian(t, y, out): df/dy by columns."},
    {"equilibrium", py_problem_equilibrium, METH_VARARGS,
     "equilibrium(t, y): y becomes the steady state."},
    {"linearize", py_problem_linearize, METH_VARARGS,
     "linearize(t, y): A, modes and participations."},
    {"advise", py_problem_advise, METH_VARARGS,
     "advise(rtol): what the problem is like, which methods suit it."},
    {0}};

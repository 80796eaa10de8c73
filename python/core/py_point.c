/* SPDX-License-Identifier: BSD-3-Clause */
/* Steady states, linear models and advice. */
#include "py_model.h"
#include <string.h>

PyObject *py_problem_equilibrium(PyObject *self, PyObject *args)
{
    py_problem *p = (py_problem *)self;
    double t;
    PyObject *y;
    Py_buffer x;
    gt_equilibrium_report report = {.status = GT_OK};
    if (!PyArg_ParseTuple(args, "dO:equilibrium", &t, &y)) return NULL;
    if (!py_doubles(y, &x, gt_problem_size(&p->problem), true, "y")) return NULL;
    p->failed = false;
    gt_status status = gt_equilibrium(&p->problem, t, x.buf, NULL, &report);
    PyBuffer_Release(&x);
    if (status || PyErr_Occurred()) return py_raise(NULL, status, &report.message);
    return Py_BuildValue("{s:d,s:i,s:i,s:O,s:s}", "residual", report.residual, "iterations",
                         report.iterations, "transient_steps", report.transient_steps, "singular",
                         report.singular ? Py_True : Py_False, "note", report.note.text);
}

static PyObject *doubles_of(py_state *state, const double *values, size_t count)
{
    py_growing memory = {0};
    if (!py_append(&memory, values, count * sizeof *values)) return PyErr_NoMemory();
    return py_array_of(state, &memory, "d");
}

/* (states, A by columns, [re, im, frequency, damping ratio, time constant] of each mode,
 * participations) */
static PyObject *linear_model(py_state *state, const gt_linearization *linear)
{
    py_growing modes = {0};
    PyObject *states = PyList_New(0);
    for (size_t i = 0; states && i < linear->n; i++) {
        PyObject *number = PyLong_FromSize_t(linear->state[i]);
        if (!number || PyList_Append(states, number)) Py_CLEAR(states);
        Py_XDECREF(number);
        const gt_mode *m = &linear->modes[i];
        const double row[5] = {m->re, m->im, m->frequency, m->damping_ratio, m->time_constant};
        if (!py_append(&modes, row, sizeof row)) Py_CLEAR(states);
    }
    if (!states) return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    PyObject *A = doubles_of(state, linear->A, linear->n * linear->n);
    PyObject *rows = py_array_of(state, &modes, "d");
    PyObject *parts = doubles_of(state, linear->participation, linear->n * linear->n);
    if (A && rows && parts) return Py_BuildValue("NNNN", states, A, rows, parts);
    Py_DECREF(states);
    Py_XDECREF(A);
    Py_XDECREF(rows);
    Py_XDECREF(parts);
    return NULL;
}

PyObject *py_problem_linearize(PyObject *self, PyObject *args)
{
    py_problem *p = (py_problem *)self;
    double t;
    PyObject *y;
    Py_buffer x;
    gt_linearization linear;
    gt_message message = {""};
    if (!PyArg_ParseTuple(args, "dO:linearize", &t, &y)) return NULL;
    if (!py_doubles(y, &x, gt_problem_size(&p->problem), false, "y")) return NULL;
    gt_arena arena = gt_arena_growing();
    p->failed = false;
    gt_status status = gt_linearize(&p->problem, t, x.buf, &linear, &arena, &message);
    PyBuffer_Release(&x);
    PyObject *answer = status || PyErr_Occurred()
                           ? py_raise(NULL, status, &message)
                           : linear_model(py_state_of_type(Py_TYPE(self)), &linear);
    gt_arena_free(&arena);
    return answer;
}

static PyObject *advised_methods(const gt_advice *advice)
{
    static const char *const verdicts[] = {"advised", "possible", "not advised"};
    PyObject *list = PyList_New(0);
    for (size_t k = 0; list && k < advice->n_methods; k++) {
        const gt_method_advice *m = &advice->methods[k];
        PyObject *entry =
            Py_BuildValue("{s:s,s:s,s:d,s:d,s:d,s:s}", "method", m->method->name, "verdict",
                          verdicts[m->verdict], "h_stable", m->h_stable, "h_accurate",
                          m->h_accurate, "work", m->work, "why", m->why.text);
        if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
        Py_XDECREF(entry);
    }
    return list;
}

static PyObject *fast_states(const gt_problem *p, const gt_split *split)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && split->n_fast && i < gt_problem_size(p); i++) {
        if (!split->fast[i]) continue;
        PyObject *number = PyLong_FromSize_t(i);
        if (!number || PyList_Append(list, number)) Py_CLEAR(list);
        Py_XDECREF(number);
    }
    return list;
}

PyObject *py_problem_advise(PyObject *self, PyObject *args)
{
    py_problem *p = (py_problem *)self;
    gt_plan plan = {0};
    gt_message message = {""};
    if (!PyArg_ParseTuple(args, "d:advise", &plan.rtol)) return NULL;
    gt_arena arena = gt_arena_growing();
    gt_advice *advice = gt_arena_take(&arena, 1, sizeof *advice);
    if (!advice) return PyErr_NoMemory();
    p->failed = false;
    gt_status status = gt_advise(&p->problem, &plan, NULL, advice, &arena, &message);
    PyObject *answer = NULL;
    if (status || PyErr_Occurred()) {
        py_raise(NULL, status, &message);
    } else {
        PyObject *methods = advised_methods(advice),
                 *fast = methods ? fast_states(&p->problem, &advice->split) : NULL;
        if (fast)
            answer = Py_BuildValue("{s:O,s:O,s:O,s:d,s:d,s:d,s:d,s:N,s:d,s:s,s:N}", "stiff",
                                   advice->stiff ? Py_True : Py_False, "oscillates",
                                   advice->oscillates ? Py_True : Py_False, "rings",
                                   advice->rings ? Py_True : Py_False, "radius", advice->radius,
                                   "stiffness_ratio", advice->stiffness_ratio, "growth",
                                   advice->growth, "frequency", advice->frequency, "fast", fast,
                                   "separation", advice->split.separation, "multirate",
                                   advice->multirate.text, "methods", methods);
        else
            Py_XDECREF(methods);
    }
    gt_arena_free(&arena);
    return answer;
}

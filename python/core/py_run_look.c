/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is to see of a run. */
#include "py_core.h"
#include <string.h>

PyObject *py_run_state(PyObject *self, PyObject *args)
{
    py_run *r = (py_run *)self;
    PyObject *out;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "O:state", &out)) return NULL;
    size_t n = gt_problem_size(&r->problem->problem);
    if (!py_doubles(out, &view, n, true, "out")) return NULL;
    if (n) memcpy(view.buf, gt_run_x(r->run), n * sizeof(double));
    PyBuffer_Release(&view);
    return PyFloat_FromDouble(gt_run_time(r->run));
}

static PyObject *run_last_step(PyObject *self, void *unused)
{
    double from, to;
    (void)unused;
    gt_run_last_step(((py_run *)self)->run, &from, &to);
    return Py_BuildValue("dd", from, to);
}

static PyObject *run_fired(PyObject *self, void *unused)
{
    py_run *r = (py_run *)self;
    const unsigned char *fired = gt_run_fired(r->run);
    (void)unused;
    if (!fired) Py_RETURN_NONE;
    return PyBytes_FromStringAndSize((const char *)fired, (Py_ssize_t)r->problem->problem.n_roots);
}

static PyObject *warnings_of(const gt_warnings *warnings)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < warnings->count; i++) {
        PyObject *text = PyUnicode_FromString(warnings->list[i].text);
        if (!text || PyList_Append(list, text)) Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static PyObject *run_report(PyObject *self, void *unused)
{
    gt_report report = {.status = GT_OK};
    (void)unused;
    gt_run_report(((py_run *)self)->run, &report);
    const gt_stats *s = &report.stats;
    PyObject *warnings = warnings_of(&report.warnings);
    if (!warnings) return NULL;
    return Py_BuildValue("{s:s,s:s,s:s,s:N,s:d,s:d,s:O,s:l,s:l,s:l,s:l,s:l,s:l,s:l,s:l,s:l,s:l}",
                         "status", gt_status_name(report.status), "message", report.message.text,
                         "note", report.note.text, "warnings", warnings, "t", report.t, "h",
                         report.h, "stopped", report.stopped ? Py_True : Py_False, "steps",
                         s->steps, "rejected", s->rejected, "rhs", s->rhs, "rhs_slow", s->rhs_slow,
                         "rhs_fast", s->rhs_fast, "jacobians", s->jacobians, "factorizations",
                         s->factorizations, "newton", s->newton, "events", s->events, "switches",
                         s->switches);
}

static PyObject *run_method(PyObject *self, void *unused)
{
    const py_run *r = (py_run *)self;
    gt_report report = {.status = GT_OK};
    (void)unused;
    if (r->method) return PyUnicode_FromString(r->method->name);
    gt_run_report(r->run, &report);
    int last = report.phases.count - 1;
    return PyUnicode_FromString(last < 0 ? "auto" : report.phases.list[last].method);
}

/* Of a method that was chosen on the way: why each was. */
static PyObject *run_why(PyObject *self, void *unused)
{
    const py_run *r = (py_run *)self;
    gt_report report = {.status = GT_OK};
    (void)unused;
    if (r->method) return PyUnicode_FromString(r->why.text);
    gt_run_report(r->run, &report);
    PyObject *text = PyUnicode_FromString("");
    for (int i = 0; text && i < report.phases.count; i++) {
        const gt_phase *phase = &report.phases.list[i];
        char at[64] = "", part[320];
        if (i) gt_format(at, sizeof at, "; from t = %.4g ", phase->t);
        gt_format(part, sizeof part, "%s%s (%s)", at, phase->method, phase->because);
        PyObject *more = PyUnicode_FromString(part),
                 *both = more ? PyUnicode_Concat(text, more) : NULL;
        Py_XDECREF(more);
        Py_DECREF(text);
        text = both;
    }
    return text;
}

static PyObject *run_problem(PyObject *self, void *unused)
{
    (void)unused;
    return Py_NewRef((PyObject *)((py_run *)self)->problem);
}

PyGetSetDef py_run_fields[] = {
    {"last_step", run_last_step, NULL, "Where the last step begins and ends.", NULL},
    {"fired", run_fired, NULL, "At an event: which of them, as bytes; else None.", NULL},
    {"report", run_report, NULL, "Status, message, warnings and counters.", NULL},
    {"method", run_method, NULL, "The name of the method.", NULL},
    {"why", run_why, NULL, "Why `auto` chose it.", NULL},
    {"problem", run_problem, NULL, "What is run.", NULL},
    {0}};

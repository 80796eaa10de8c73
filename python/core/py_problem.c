/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems whose functions come from Python, or from compilers that Python calls. */
#include "py_model.h"
#include <string.h>

/* A callable, or (address, data, returns a status) of a compiled function. */
static bool set_function(py_problem *p, py_function *f, PyObject *given, size_t rows)
{
    f->rows = rows;
    if (given == Py_None) return true;
    if (!PyTuple_Check(given)) {
        f->object = Py_NewRef(given);
        p->calls_python = true;
        return true;
    }
    PyObject *address, *data;
    int with_status;
    if (!PyArg_ParseTuple(given, "OOp", &address, &data, &with_status)) return false;
    void *pointer = PyLong_AsVoidPtr(address);
    f->data = PyErr_Occurred() ? NULL : PyLong_AsVoidPtr(data);
    if (PyErr_Occurred()) return false;
    if (!pointer) {
        PyErr_SetString(PyExc_ValueError, "the address of a function is 0");
        return false;
    }
    /* ISO C knows no conversion from one kind of pointer to the other; POSIX does. */
    if (with_status)
        memcpy(&f->pointer, &pointer, sizeof pointer);
    else
        memcpy(&f->plain, &pointer, sizeof pointer);
    return true;
}

/* What a call takes, for `auto`: that of an interpreter is worth thousands of operations, so that
 * calls are what counts where states are few; `interpreted` is what the package says of this one.
 * Of a compiled function nothing is known. */
static void set_work(py_problem *p, size_t n, double interpreted)
{
    const double per_state = 10;
    gt_work *work = &p->problem.work;
    if (p->rhs.object) work->full = interpreted + per_state * (double)n;
    if (p->jac) work->jac = interpreted + per_state * (double)n;
}

/* Columns that follow each other, rows that ascend. */
static bool is_pattern(const int *colptr, const int *rowindex, size_t n)
{
    if (colptr[0] != 0) return false;
    for (size_t j = 0; j < n; j++)
        if (colptr[j + 1] < colptr[j] || colptr[j + 1] > colptr[n]) return false;
    for (size_t j = 0; j < n; j++)
        for (int k = colptr[j]; k < colptr[j + 1]; k++)
            if (rowindex[k] < 0 || (size_t)rowindex[k] >= n ||
                (k > colptr[j] && rowindex[k] <= rowindex[k - 1]))
                return false;
    return true;
}

/* None: dense; (lower, upper): a band; (colptr, rowindex): arrays of C ints. */
static bool set_pattern(py_problem *p, PyObject *given, gt_pattern *pattern, size_t n)
{
    PyObject *first, *second;
    Py_buffer columns = {0}, rows = {0};
    *pattern = (gt_pattern){.storage = GT_DENSE};
    if (given == Py_None) return true;
    if (!PyArg_ParseTuple(given, "OO", &first, &second)) return false;
    if (PyLong_Check(first)) {
        pattern->storage = GT_BANDED;
        pattern->lower = (int)PyLong_AsLong(first);
        pattern->upper = (int)PyLong_AsLong(second);
        return !PyErr_Occurred();
    }
    if (!py_ints(first, &columns, n + 1, "the columns of a pattern")) return false;
    const int *colptr = columns.buf;
    if (!py_ints(second, &rows, (size_t)colptr[n], "the rows of a pattern")) {
        PyBuffer_Release(&columns);
        return false;
    }
    bool good = is_pattern(colptr, rows.buf, n);
    int *own = good ? gt_arena_take(&p->arena, n + 1 + (size_t)colptr[n] + 1, sizeof *own) : NULL;
    if (!good) {
        PyErr_SetString(PyExc_ValueError, "the pattern is not one of columns with ascending rows");
    } else if (own) {
        memcpy(own, colptr, (n + 1) * sizeof *own);
        memcpy(own + n + 1, rows.buf, (size_t)rows.len);
        *pattern = (gt_pattern){
            .storage = GT_CSC, .colptr = own, .rowindex = own + n + 1, .entries = (size_t)own[n]};
    } else
        PyErr_NoMemory();
    PyBuffer_Release(&columns);
    PyBuffer_Release(&rows);
    return own != NULL;
}

/* None, or (pattern, values in its order). */
static bool set_mass(py_problem *p, PyObject *given, size_t n)
{
    PyObject *pattern, *values;
    if (given == Py_None) return true;
    if (!PyArg_ParseTuple(given, "OO", &pattern, &values)) return false;
    p->mass.n = n;
    if (!set_pattern(p, pattern, &p->mass.pattern, n)) return false;
    p->problem.mass = &p->mass;
    return py_copy_doubles(values, gt_matrix_entries(&p->mass), &p->arena, &p->mass.values,
                           "the mass matrix");
}

/* (functions, directions, after how many the run ends; 0: never). */
static bool set_events(py_problem *p, PyObject *given)
{
    PyObject *functions, *directions, *terminal;
    if (given == Py_None) return true;
    if (!PyArg_ParseTuple(given, "O!OO", &PyTuple_Type, &functions, &directions, &terminal))
        return false;
    size_t count = (size_t)PyTuple_Size(functions);
    if (!count) return true;
    p->events = Py_NewRef(functions);
    p->calls_python = true;
    int *direction = gt_arena_take(&p->arena, count, sizeof *direction);
    p->terminal = gt_arena_take(&p->arena, count, sizeof *p->terminal);
    p->counts = gt_arena_take(&p->arena, count, sizeof *p->counts);
    if (!direction || !p->terminal || !p->counts) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        PyObject *way = PySequence_GetItem(directions, (Py_ssize_t)i);
        PyObject *end = PySequence_GetItem(terminal, (Py_ssize_t)i);
        if (way && end) direction[i] = (int)PyLong_AsLong(way);
        if (way && end && !PyErr_Occurred()) p->terminal[i] = PyLong_AsLong(end);
        Py_XDECREF(way);
        Py_XDECREF(end);
        if (PyErr_Occurred()) return false;
    }
    p->problem.n_roots = count;
    p->problem.root_direction = direction;
    p->problem.roots = py_call_roots;
    p->problem.on_event = py_count_events;
    p->problem.begin = py_reset_events;
    p->problem.kept = p->counts;
    p->problem.kept_bytes = count * sizeof *p->counts;
    return true;
}

/* y[0], y[1], .. for messages. */
static void set_names(py_problem *p, size_t n)
{
    enum { LENGTH = 24, MANY = 2000 };
    if (n > MANY) return;
    const char **names = gt_arena_take(&p->arena, n, sizeof *names);
    char *text = gt_arena_take(&p->arena, n, LENGTH);
    if (!names || !text) return;
    for (size_t i = 0; i < n; i++) {
        names[i] = text + i * LENGTH;
        if (p->is_complex)
            gt_format(text + i * LENGTH, LENGTH, "y[%zu].%s", i / 2, i % 2 ? "imag" : "real");
        else
            gt_format(text + i * LENGTH, LENGTH, "y[%zu]", i);
    }
    p->problem.names = names;
}

/* A compiled function that has nothing of Python beside it is called by the library itself, with
 * its own data. Calls are counted by the run then, and signals looked at between steps. */
static void call_directly(py_problem *p)
{
    if (!p->rhs.pointer || p->calls_python || p->problem.rhs_slow || p->problem.rhs_fast) return;
    p->problem.rhs = p->rhs.pointer;
    p->problem.ctx = p->rhs.data;
}

static bool fill(py_problem *p, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"rhs",    "t0",   "t1",         "y0",         "make",    "convert",
                            "n_fast", "slow", "fast",       "jac",        "pattern", "mass",
                            "events", "flat", "is_complex", "autonomous", "keep",    "found",
                            "n_alg",  "work", NULL};
    PyObject *rhs, *y0, *make, *convert, *slow = Py_None, *fast = Py_None, *jac = Py_None,
                                         *pattern = Py_None, *mass = Py_None, *events = Py_None,
                                         *keep = Py_None;
    Py_ssize_t n_fast = 0, n_alg = 0;
    double work = 5000;
    int flat = 1, is_complex = 0, autonomous = 0, found = 0;
    Py_buffer view;
    gt_problem *q = &p->problem;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OddOOO|nOOOOOOpppOpnd:Problem", names, &rhs,
                                     &q->t0, &q->t1, &y0, &make, &convert, &n_fast, &slow, &fast,
                                     &jac, &pattern, &mass, &events, &flat, &is_complex,
                                     &autonomous, &keep, &found, &n_alg, &work))
        return false;
    if (!py_doubles(y0, &view, SIZE_MAX, false, "y0")) return false;
    size_t n = (size_t)view.len / sizeof(double), fast_rows = (size_t)n_fast,
           alg_rows = (size_t)n_alg;
    PyBuffer_Release(&view);
    if (n_fast < 0 || n_alg < 0 || fast_rows + alg_rows > n) {
        PyErr_SetString(PyExc_ValueError, "there are more fast and algebraic states than states");
        return false;
    }
    double *x0;
    if (!py_copy_doubles(y0, n, &p->arena, &x0, "y0")) return false;
    q->x0 = x0;
    q->n_slow = n - fast_rows - alg_rows;
    q->n_fast = fast_rows;
    q->n_alg = alg_rows;
    q->ctx = p;
    q->autonomous = autonomous;
    q->rhs = py_call_rhs;
    q->rhs_slow = slow != Py_None ? py_call_slow : NULL;
    q->rhs_fast = fast != Py_None ? py_call_fast : NULL;
    q->jac = jac != Py_None ? py_call_jac : NULL;
    p->flat = flat;
    p->is_complex = is_complex;
    set_names(p, n);
    p->y.make = Py_NewRef(make);
    p->convert = Py_NewRef(convert);
    p->keep = Py_NewRef(keep);
    if (jac != Py_None) {
        p->jac = Py_NewRef(jac);
        p->calls_python = true;
    }
    if (!set_function(p, &p->rhs, rhs, n)) return false;
    set_work(p, n, work);
    if (!set_function(p, &p->slow, slow, q->n_slow) ||
        !set_function(p, &p->fast, fast, fast_rows) ||
        !set_pattern(p, pattern, &q->jac_pattern, n) || !set_mass(p, mass, n) ||
        !set_events(p, events))
        return false;
    if (found && !py_differences_begin(p, n)) return false;
    call_directly(p);
    return true;
}

static PyObject *problem_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    py_problem *p = (py_problem *)make(type, 0);
    if (!p) return NULL;
    p->arena = gt_arena_growing();
    if (fill(p, args, keywords)) return (PyObject *)p;
    Py_DECREF(p);
    return NULL;
}

static int problem_traverse(PyObject *self, visitproc visit, void *arg)
{
    py_problem *p = (py_problem *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(p->rhs.object);
    Py_VISIT(p->slow.object);
    Py_VISIT(p->fast.object);
    Py_VISIT(p->jac);
    Py_VISIT(p->events);
    Py_VISIT(p->convert);
    Py_VISIT(p->owner);
    Py_VISIT(p->keep);
    Py_VISIT(p->y.make);
    return 0;
}

static int problem_clear(PyObject *self)
{
    py_problem *p = (py_problem *)self;
    p->failed = true; /* nothing can be called any more */
    Py_CLEAR(p->rhs.object);
    Py_CLEAR(p->slow.object);
    Py_CLEAR(p->fast.object);
    Py_CLEAR(p->jac);
    Py_CLEAR(p->events);
    Py_CLEAR(p->convert);
    Py_CLEAR(p->keep);
    Py_CLEAR(p->y.make);
    return 0;
}

static void problem_free(PyObject *self)
{
    py_problem *p = (py_problem *)self;
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    problem_clear(self);
    py_vector_drop(&p->y);
    gt_arena_free(&p->arena);
    Py_CLEAR(p->owner);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyType_Slot problem_slots[] = {{Py_tp_doc, "Equations with their start, for runs."},
                                      {Py_tp_new, problem_new},
                                      {Py_tp_dealloc, problem_free},
                                      {Py_tp_traverse, problem_traverse},
                                      {Py_tp_clear, problem_clear},
                                      {Py_tp_getset, py_problem_fields},
                                      {Py_tp_methods, py_problem_methods},
                                      {0, NULL}};
PyType_Spec py_problem_spec = {"geartrain._core.Problem", sizeof(py_problem), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, problem_slots};

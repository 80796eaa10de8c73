/* SPDX-License-Identifier: BSD-3-Clause */
/* Models: built in, or from text, interpreted or compiled; and the problems that they build. */
#include "py_model.h"
#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

static py_model *make_model(py_state *state)
{
    py_model *m = PyObject_New(py_model, state->model);
    if (!m) return NULL;
    m->model = NULL;
    m->ode = NULL;
    m->library = (gt_library){0};
    m->compiled = false;
    return m;
}

static void model_free(PyObject *self)
{
    py_model *m = (py_model *)self;
    PyTypeObject *type = Py_TYPE(self);
    gt_ode_free(m->ode);
    if (m->compiled) gt_library_close(&m->library);
    PyObject_Free(self);
    Py_DECREF(type);
}

PyObject *py_find_model(PyObject *module, PyObject *args)
{
    const char *name;
    if (!PyArg_ParseTuple(args, "s:find_model", &name)) return NULL;
    const gt_model *found = gt_model_find(name);
    if (!found) Py_RETURN_NONE;
    py_model *m = make_model(py_state_of(module));
    if (m) m->model = found;
    return (PyObject *)m;
}

PyObject *py_list_models(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    PyObject *list = PyList_New(0);
    for (const gt_model *const *m = gt_model_list(); list && *m; m++) {
        PyObject *name = PyUnicode_FromString((*m)->name);
        if (!name || PyList_Append(list, name)) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

static PyObject *notes_of(const gt_ode *ode)
{
    const gt_ode_facts *facts = ode ? gt_ode_facts_of(ode) : NULL;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && facts && i < facts->n_notes; i++) {
        const gt_ode_note *note = &facts->notes[i];
        PyObject *entry = Py_BuildValue("iiOs", note->line, note->column,
                                        note->is_error ? Py_True : Py_False, note->text);
        if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
        Py_XDECREF(entry);
    }
    return list;
}

/* parse(text, file, fast=None): (model or None, [(line, column, is an error, text)], message);
 * `fast`: in place of what the text says of blocks. */
PyObject *py_parse_model(PyObject *module, PyObject *args)
{
    const char *text, *file, *fast = NULL;
    Py_ssize_t length;
    gt_message message = {""};
    if (!PyArg_ParseTuple(args, "s#s|z:parse", &text, &length, &file, &fast)) return NULL;
    py_model *m = make_model(py_state_of(module));
    if (!m) return NULL;
    gt_status status = fast
                           ? gt_ode_parse_split(text, (size_t)length, file, fast, &m->ode, &message)
                           : gt_ode_parse(text, (size_t)length, file, &m->ode, &message);
    PyObject *notes = status == GT_NO_MEMORY ? PyErr_NoMemory() : notes_of(m->ode);
    m->model = status || !m->ode ? NULL : gt_ode_model(m->ode);
    PyObject *answer =
        notes ? Py_BuildValue("OOs", m->model ? (PyObject *)m : Py_None, notes, message.text)
              : NULL;
    Py_DECREF(m);
    Py_XDECREF(notes);
    return answer;
}

/* compile(compiler, path, cache, include, file): True, or why it stays interpreted. */
static PyObject *model_compile(PyObject *self, PyObject *args)
{
    py_model *m = (py_model *)self;
    gt_toolchain tools = {.wall_seconds = 60};
    gt_message message = {""};
    const char *file;
    char *code = NULL;
    size_t length;
    if (!PyArg_ParseTuple(args, "zzzzs:compile", &tools.compiler, &tools.path, &tools.cache,
                          &tools.include, &file))
        return NULL;
    if (!m->ode || m->compiled) Py_RETURN_TRUE;
    gt_status status = gt_ode_c_code(m->ode, "geartrain_model", &code, &length, &message);
    if (status) return PyUnicode_FromString(message.text);
    gt_library library = {0};
    const gt_model *model = NULL;
    Py_BEGIN_ALLOW_THREADS status = gt_library_compile_text(&library, code, &tools, &message);
    if (!status) status = gt_library_model(&library, file, &model, &message);
    Py_END_ALLOW_THREADS free(code);
    if (status) {
        gt_library_close(&library);
        return PyUnicode_FromString(message.text);
    }
    m->library = library;
    m->model = model;
    m->compiled = true;
    Py_RETURN_TRUE;
}

/* ---- what it is ---- */

static PyObject *choices_of(const char *const *choices)
{
    PyObject *list = PyList_New(0);
    for (; list && choices && *choices; choices++) {
        PyObject *name = PyUnicode_FromString(*choices);
        if (!name || PyList_Append(list, name)) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

static PyObject *params_of(const gt_param *row)
{
    PyObject *list = PyList_New(0);
    for (; list && row && row->name; row++) {
        PyObject *choices = choices_of(row->type == GT_CHOICE ? row->choices : NULL);
        PyObject *entry =
            choices ? Py_BuildValue("{s:s,s:s,s:s,s:d,s:d,s:d,s:i,s:N}", "name", row->name, "help",
                                    row->help ? row->help : "", "unit", row->unit ? row->unit : "",
                                    "default", row->initial, "min", row->min, "max", row->max,
                                    "type", (int)row->type, "choices", choices)
                    : NULL;
        if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
        Py_XDECREF(entry);
    }
    return list;
}

static PyObject *model_facts(PyObject *self, void *unused)
{
    const gt_model *m = ((py_model *)self)->model;
    (void)unused;
    PyObject *params = params_of(m->params);
    if (!params) return NULL;
    return Py_BuildValue("{s:s,s:s,s:s,s:s,s:N}", "name", m->name, "title",
                         m->title ? m->title : "", "reference", m->reference ? m->reference : "",
                         "equations", m->equations ? m->equations : "", "params", params);
}

/* ---- problems ---- */

static bool set_params(const gt_model *model, PyObject *pairs, gt_values *values)
{
    gt_message message = {""};
    *values = gt_params_default(model->params);
    Py_ssize_t count = PyList_Check(pairs) ? PyList_Size(pairs) : -1;
    if (count < 0) PyErr_SetString(PyExc_TypeError, "parameters must be a list of (name, text)");
    for (Py_ssize_t i = 0; i < count; i++) {
        const char *name, *text;
        if (!PyArg_ParseTuple(PyList_GetItem(pairs, i), "ss", &name, &text)) return false;
        gt_status status =
            gt_params_set(model->params, "parameter", model->name, name, text, values, &message);
        if (status) return py_raise(NULL, status, &message) != NULL;
    }
    return count >= 0;
}

/* [slow | fast | algebraic] by order[i], where state i was. */
static bool permute(py_problem *p, PyObject *order, Py_ssize_t n_fast)
{
    size_t n = gt_problem_size(&p->problem), n_alg = p->problem.n_alg;
    Py_buffer view;
    if (order == Py_None) return true;
    if (!py_ints(order, &view, n, "order")) return false;
    gt_problem *user = gt_arena_take(&p->arena, 1, sizeof *user);
    size_t *from = gt_arena_take(&p->arena, n, sizeof *from);
    unsigned char *seen = gt_arena_take(&p->arena, n, 1);
    bool good = user && from && seen && n_fast >= 0 && (size_t)n_fast <= n - n_alg;
    for (size_t i = 0; good && i < n; i++) {
        int k = ((const int *)view.buf)[i];
        good = k >= 0 && (size_t)k < n && !seen[k];
        if (good) seen[k] = 1, from[i] = (size_t)k;
    }
    PyBuffer_Release(&view);
    if (!good) {
        PyErr_SetString(PyExc_ValueError, "order must have every state once, the slow ones first");
        return false;
    }
    *user = p->problem;
    gt_status status = gt_problem_permuted(user, n - n_alg - (size_t)n_fast, (size_t)n_fast, n_alg,
                                           from, &p->problem, &p->arena);
    if (!status) return true;
    PyErr_Format(PyExc_ValueError, "the states cannot be put into another order: %s",
                 gt_status_text(status));
    return false;
}

/* problem([(name, text)], t0, t1, y0, order=None, n_fast=0): None stands for what the model has. */
static PyObject *model_problem(PyObject *self, PyObject *args)
{
    py_model *m = (py_model *)self;
    py_state *state = py_state_of_type(Py_TYPE(self));
    PyObject *pairs, *t0, *t1, *y0, *order = Py_None;
    Py_ssize_t n_fast = 0;
    gt_values values;
    gt_message message = {""};
    if (!PyArg_ParseTuple(args, "OOOO|On:problem", &pairs, &t0, &t1, &y0, &order, &n_fast))
        return NULL;
    if (!set_params(m->model, pairs, &values)) return NULL;
    py_problem *p =
        (py_problem *)((allocfunc)PyType_GetSlot(state->problem, Py_tp_alloc))(state->problem, 0);
    if (!p) return NULL;
    p->arena = gt_arena_growing();
    p->owner = Py_NewRef(self);
    p->flat = true;
    gt_status status = gt_model_build_values(m->model, &values, &p->problem, &p->arena, &message);
    double *x0 = NULL;
    bool good = !status && permute(p, order, n_fast) &&
                py_copy_doubles(y0, gt_problem_size(&p->problem), &p->arena, &x0, "y0");
    if (good && x0) p->problem.x0 = x0;
    if (good && t0 != Py_None) p->problem.t0 = PyFloat_AsDouble(t0);
    if (good && t1 != Py_None) p->problem.t1 = PyFloat_AsDouble(t1);
    if (good && (x0 || t0 != Py_None)) p->problem.exact = NULL;
    if (good && !PyErr_Occurred()) return (PyObject *)p;
    Py_DECREF(p);
    return py_raise(NULL, status, &message);
}

static PyGetSetDef model_fields[] = {
    {"facts", model_facts, NULL, "Name, title, equations and parameters.", NULL}, {0}};
static PyMethodDef model_methods[] = {
    {"problem", model_problem, METH_VARARGS,
     "problem([(name, text)], t0, t1, y0, order=None, n_fast=0)"},
    {"compile", model_compile, METH_VARARGS, "compile(compiler, path, cache, include, file)"},
    {0}};
static PyType_Slot model_slots[] = {{Py_tp_doc, "A family of problems."},
                                    {Py_tp_dealloc, model_free},
                                    {Py_tp_getset, model_fields},
                                    {Py_tp_methods, model_methods},
                                    {0, NULL}};
PyType_Spec py_model_spec = {"geartrain._core.Model", sizeof(py_model), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, model_slots};

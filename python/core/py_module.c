/* SPDX-License-Identifier: BSD-3-Clause */
/* The module geartrain._core. */
#include "py_model.h"

/* ---- the list of methods ---- */

static PyObject *options_of(const gt_param *row)
{
    PyObject *dict = PyDict_New();
    for (; dict && row && row->name; row++) {
        PyObject *entry =
            Py_BuildValue("{s:s,s:d}", "help", row->help ? row->help : "", "default", row->initial);
        if (!entry || PyDict_SetItemString(dict, row->name, entry)) Py_CLEAR(dict);
        Py_XDECREF(entry);
    }
    return dict;
}

static PyObject *method_of(const gt_method *m)
{
    static const char *const kinds[] = {"explicit",          "stabilized",  "implicit",
                                        "linearly implicit", "exponential", "series"};
    gt_values v = gt_params_default(m->options);
    gt_facts facts = gt_method_facts(m, v.v);
    PyObject *options = options_of(m->options);
    if (!options) return NULL;
    return Py_BuildValue("{s:s,s:s,s:s,s:s,s:s,s:i,s:i,s:I,s:i,s:I,s:N}", "name", m->name, "family",
                         m->family, "title", m->title, "reference",
                         m->reference ? m->reference : "", "kind", kinds[facts.kind], "order",
                         facts.order, "error_order", facts.error_order, "flags", facts.flags,
                         "evaluations", facts.evaluations, "roles", m->roles, "options", options);
}

static PyObject *list_methods(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    PyObject *list = PyList_New(0);
    for (const gt_method *const *m = gt_method_list(); list && *m; m++) {
        PyObject *method = method_of(*m);
        if (!method || PyList_Append(list, method)) Py_CLEAR(list);
        Py_XDECREF(method);
    }
    return list;
}

/* ---- the module ---- */

static bool add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type)
{
    *type = (PyTypeObject *)PyType_FromModuleAndSpec(module, spec, NULL);
    return *type && !PyModule_AddType(module, *type);
}

static bool add_constants(PyObject *module)
{
    const struct {
        const char *name;
        long value;
    } list[] = {{"REACHED_STEP", GT_REACHED_STEP},
                {"REACHED_TIME", GT_REACHED_TIME},
                {"REACHED_EVENT", GT_REACHED_EVENT},
                {"REACHED_END", GT_REACHED_END},
                {"ADVANCE_EXACTLY", GT_ADVANCE_EXACTLY},
                {"ADVANCE_TO_EVENTS", GT_ADVANCE_TO_EVENTS},
                {"CHANGED_STATE", GT_CHANGED_STATE},
                {"CHANGED_EQUATIONS", GT_CHANGED_EQUATIONS},
                {"NEEDS_PARTITION", GT_NEEDS_PARTITION},
                {"NEEDS_TAYLOR", GT_NEEDS_TAYLOR},
                {"USES_JACOBIAN", GT_USES_JACOBIAN},
                {"TREATS_MASS", GT_TREATS_MASS},
                {"ROLE_NONSTIFF", GT_ROLE_NONSTIFF},
                {"ROLE_NONSTIFF_TIGHT", GT_ROLE_NONSTIFF_TIGHT},
                {"ROLE_STIFF", GT_ROLE_STIFF}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (PyModule_AddIntConstant(module, list[i].name, list[i].value)) return false;
    PyObject *none = PyFloat_FromDouble(GT_NO_ATOL);
    if (!none || PyModule_AddObjectRef(module, "NO_ATOL", none)) return false;
    Py_DECREF(none);
    return !PyModule_AddStringConstant(module, "version", GT_VERSION);
}

static int module_exec(PyObject *module)
{
    py_state *state = py_state_of(module);
    state->failure = PyErr_NewExceptionWithDoc(
        "geartrain.IntegrationError",
        "A run has come to an end before its time; the message says where, in "
        "which component, and what to try.",
        PyExc_RuntimeError, NULL);
    if (!state->failure || PyModule_AddObjectRef(module, "IntegrationError", state->failure))
        return -1;
    state->lacks = PyErr_NewException("geartrain._core.PatternLacks", PyExc_RuntimeError, NULL);
    if (!state->lacks || PyModule_AddObjectRef(module, "PatternLacks", state->lacks)) return -1;
    bool good = add_type(module, &py_array_spec, &state->array) &&
                add_type(module, &py_problem_spec, &state->problem) &&
                add_type(module, &py_run_spec, &state->run) &&
                add_type(module, &py_solution_spec, &state->solution) &&
                add_type(module, &py_model_spec, &state->model) && add_constants(module);
    return good ? 0 : -1;
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    py_state *state = py_state_of(module);
    Py_VISIT((PyObject *)state->array);
    Py_VISIT((PyObject *)state->problem);
    Py_VISIT((PyObject *)state->run);
    Py_VISIT((PyObject *)state->solution);
    Py_VISIT((PyObject *)state->model);
    Py_VISIT(state->failure);
    Py_VISIT(state->lacks);
    return 0;
}

static int module_clear(PyObject *module)
{
    py_state *state = py_state_of(module);
    Py_CLEAR(state->array);
    Py_CLEAR(state->problem);
    Py_CLEAR(state->run);
    Py_CLEAR(state->solution);
    Py_CLEAR(state->model);
    Py_CLEAR(state->failure);
    Py_CLEAR(state->lacks);
    return 0;
}

static PyMethodDef functions[] = {
    {"methods", list_methods, METH_NOARGS, "All methods, as dictionaries."},
    {"solution", py_solution_new, METH_VARARGS, "solution(n): an empty Solution."},
    {"find_model", py_find_model, METH_VARARGS, "find_model(name): a built-in Model, or None."},
    {"models", py_list_models, METH_NOARGS, "The names of the built-in models."},
    {"parse", py_parse_model, METH_VARARGS, "parse(text, file): (Model or None, notes, message)."},
    {"ensemble", (PyCFunction)(void (*)(void))py_ensemble, METH_VARARGS | METH_KEYWORDS,
     "Many runs of a model."},
    {"amplification", py_amplification, METH_VARARGS,
     "amplification(method, options, z, out, largest)"},
    {"stability", py_stability, METH_VARARGS, "stability(method, options): the facts."},
    {"boundary", py_boundary, METH_VARARGS,
     "boundary(method, options, angles, out): how many points."},
    {"tableau", py_tableau, METH_VARARGS, "tableau(method): ratios."},
    {"conditions", py_conditions, METH_VARARGS, "conditions(method, max_order)"},
    {0}};
static PyModuleDef_Slot slots[] = {{Py_mod_exec, module_exec}, {0, NULL}};
static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                 .m_name = "geartrain._core",
                                 .m_doc = "The library Geartrain.",
                                 .m_size = sizeof(py_state),
                                 .m_methods = functions,
                                 .m_slots = slots,
                                 .m_traverse = module_traverse,
                                 .m_clear = module_clear};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }

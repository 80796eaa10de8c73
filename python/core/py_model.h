/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_PYTHON_MODEL_H
#define GEARTRAIN_PYTHON_MODEL_H

/* Models, and what is done with the problems that they build. */
#include "py_core.h"

typedef struct py_model {
    PyObject ob_base;
    const gt_model *model;
    gt_ode *ode;        /* of a text; NULL: built in */
    gt_library library; /* where it was compiled */
    bool compiled;
} py_model;

/* Functions of the module. */
PyObject *py_find_model(PyObject *module, PyObject *args);
PyObject *py_list_models(PyObject *module, PyObject *unused);
PyObject *py_parse_model(PyObject *module, PyObject *args);
PyObject *py_ensemble(PyObject *module, PyObject *args, PyObject *keywords); /* py_ensemble.c */

/* py_problem_look.c: methods and fields of a problem. */
extern PyGetSetDef py_problem_fields[];
extern PyMethodDef py_problem_methods[];

/* py_point.c */
PyObject *py_problem_equilibrium(PyObject *self, PyObject *args);
PyObject *py_problem_linearize(PyObject *self, PyObject *args);
PyObject *py_problem_advise(PyObject *self, PyObject *args);

/* py_method.c: what a method is. */
PyObject *py_amplification(PyObject *module, PyObject *args);
PyObject *py_stability(PyObject *module, PyObject *args);
PyObject *py_boundary(PyObject *module, PyObject *args);
PyObject *py_tableau(PyObject *module, PyObject *args);
PyObject *py_conditions(PyObject *module, PyObject *args);

#endif

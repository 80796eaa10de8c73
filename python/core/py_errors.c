/* SPDX-License-Identifier: BSD-3-Clause */
/* From a status to the exception that a user of Python expects. */
#include "py_core.h"

PyObject *py_raise(PyObject *failure, gt_status status, const gt_message *message)
{
    if (PyErr_Occurred()) return NULL; /* what a function of the user raised */
    const char *text = message && message->text[0] ? message->text : gt_status_text(status);
    switch (status) {
    case GT_BAD_ARGUMENT:
    case GT_UNKNOWN_NAME:
    case GT_UNSUPPORTED:
    case GT_WORKSPACE_SMALL:
        PyErr_SetString(PyExc_ValueError, text);
        break;
    case GT_NO_MEMORY:
        PyErr_SetString(PyExc_MemoryError, text);
        break;
    case GT_IO:
        PyErr_SetString(PyExc_OSError, text);
        break;
    default:
        PyErr_SetString(failure ? failure : PyExc_RuntimeError, text);
        break;
    }
    return NULL;
}

py_state *py_state_of(PyObject *module) { return PyModule_GetState(module); }

py_state *py_state_of_type(PyTypeObject *type) { return PyType_GetModuleState(type); }

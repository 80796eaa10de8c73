/* SPDX-License-Identifier: BSD-3-Clause */
/* What a method is: its stability function and region, its tableau, its order conditions. */
#include "py_model.h"
#include <complex.h>
#include <string.h>

static const gt_method *method_named(const char *name)
{
    const gt_method *method = gt_method_find(name);
    if (!method) PyErr_Format(PyExc_ValueError, "there is no method '%s'", name);
    return method;
}

static bool open_amplifier(gt_amplifier *a, const char *name, const char *options)
{
    gt_message message = {""};
    const gt_method *method = method_named(name);
    gt_status status = method ? gt_amplifier_open(a, method, options, &message) : GT_OK;
    return method && (!status || py_raise(NULL, status, &message));
}

/* amplification(method, options, z, out, largest): pairs (re, im); R(z), or the largest modulus of
 * the roots. */
PyObject *py_amplification(PyObject *module, PyObject *args)
{
    const char *name, *options;
    PyObject *points, *values;
    int largest;
    gt_amplifier a;
    Py_buffer z, out;
    (void)module;
    if (!PyArg_ParseTuple(args, "szOOp:amplification", &name, &options, &points, &values, &largest))
        return NULL;
    if (!py_doubles(points, &z, SIZE_MAX, false, "z")) return NULL;
    size_t count = (size_t)z.len / sizeof(double) / 2;
    if (!py_doubles(values, &out, largest ? count : 2 * count, true, "out")) {
        PyBuffer_Release(&z);
        return NULL;
    }
    const double *at = z.buf;
    double *to = out.buf;
    bool good = open_amplifier(&a, name, options);
    for (size_t k = 0; good && k < count; k++) {
        gt_complex point = at[2 * k] + I * at[2 * k + 1];
        if (largest) {
            to[k] = gt_amplifier_largest(&a, point);
        } else {
            gt_complex R = gt_amplifier_principal(&a, point);
            to[2 * k] = creal(R);
            to[2 * k + 1] = cimag(R);
        }
    }
    if (good) gt_amplifier_close(&a);
    PyBuffer_Release(&z);
    PyBuffer_Release(&out);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

PyObject *py_stability(PyObject *module, PyObject *args)
{
    const char *name, *options;
    gt_amplifier a;
    gt_stability s;
    (void)module;
    if (!PyArg_ParseTuple(args, "sz:stability", &name, &options) ||
        !open_amplifier(&a, name, options))
        return NULL;
    gt_status status = gt_stability_facts(&a, &s);
    gt_amplifier_close(&a);
    if (status) return py_raise(NULL, status, NULL);
    return Py_BuildValue(
        "{s:i,s:d,s:d,s:O,s:O,s:O,s:d,s:d}", "order", s.order, "real_limit", s.real_limit,
        "imag_limit", s.imag_limit, "a_stable", s.a_stable ? Py_True : Py_False, "l_stable",
        s.l_stable ? Py_True : Py_False, "zero_stable", s.zero_stable ? Py_True : Py_False,
        "r_infinity", s.r_infinity, "sector_deg", s.sector_deg);
}

/* boundary(method, options, angles, out): pairs; gives how many. */
PyObject *py_boundary(PyObject *module, PyObject *args)
{
    const char *name, *options;
    int angles;
    PyObject *out;
    Py_buffer view;
    gt_amplifier a;
    (void)module;
    if (!PyArg_ParseTuple(args, "sziO:boundary", &name, &options, &angles, &out)) return NULL;
    if (!py_doubles(out, &view, SIZE_MAX, true, "out")) return NULL;
    size_t count = 0;
    bool good = open_amplifier(&a, name, options);
    if (good) {
        count = gt_stability_boundary(&a, angles, view.buf, (size_t)view.len / sizeof(double) / 2);
        gt_amplifier_close(&a);
    }
    PyBuffer_Release(&view);
    return good ? PyLong_FromSize_t(count) : NULL;
}

/* ---- coefficients ---- */

static PyObject *ratio(gt_ratio r) { return Py_BuildValue("LL", r.num, r.den ? r.den : 1LL); }

static PyObject *ratios(const gt_ratio *list, int count)
{
    PyObject *all = PyList_New(0);
    for (int i = 0; all && i < count; i++) {
        PyObject *entry = ratio(list[i]);
        if (!entry || PyList_Append(all, entry)) Py_CLEAR(all);
        Py_XDECREF(entry);
    }
    return all;
}

static PyObject *tableau_of(const gt_tableau *T)
{
    PyObject *rows = PyList_New(0);
    for (int i = 0; rows && i < T->stages; i++) {
        PyObject *row = ratios(T->a[i], T->stages);
        if (!row || PyList_Append(rows, row)) Py_CLEAR(rows);
        Py_XDECREF(row);
    }
    if (!rows) return NULL;
    return Py_BuildValue("{s:N,s:N,s:N,s:N}", "a", rows, "b", ratios(T->b, T->stages), "c",
                         ratios(T->c, T->stages), "b_hat", ratios(T->b_hat, T->stages));
}

/* tableau(method): a dictionary of ratios (num, den); two for a partitioned method; None: it has no
 * tableau. */
PyObject *py_tableau(PyObject *module, PyObject *args)
{
    const char *name;
    (void)module;
    if (!PyArg_ParseTuple(args, "s:tableau", &name)) return NULL;
    const gt_method *m = method_named(name);
    if (!m) return NULL;
    if (m->tableau) return tableau_of(m->tableau);
    if (!m->partitioned_of) Py_RETURN_NONE;
    gt_values v = gt_params_default(m->options);
    gt_partitioned P;
    memset(&P, 0, sizeof P);
    m->partitioned_of(m, v.v, &P);
    return Py_BuildValue("{s:N,s:N}", "slow", tableau_of(&P.slow), "fast", tableau_of(&P.fast));
}

/* conditions(method, max_order): [(order, tree, holds, residual)] */
PyObject *py_conditions(PyObject *module, PyObject *args)
{
    const char *name;
    int most;
    (void)module;
    if (!PyArg_ParseTuple(args, "si:conditions", &name, &most)) return NULL;
    const gt_method *m = method_named(name);
    if (!m) return NULL;
    gt_values v = gt_params_default(m->options);
    gt_message message = {""};
    gt_multistep formula;
    gt_conditions *found = PyMem_Calloc(1, sizeof *found);
    if (!found) return PyErr_NoMemory();
    gt_status status = GT_OK;
    if (m->tableau) {
        gt_conditions_of_tableau(m->tableau, m->tableau->b,
                                 most < GT_TREE_ORDER ? most : GT_TREE_ORDER, found);
    } else if (m->partitioned_of) {
        gt_partitioned P;
        memset(&P, 0, sizeof P);
        m->partitioned_of(m, v.v, &P);
        gt_conditions_of_partitioned(
            &P.slow, &P.fast, most < GT_TREE_ORDER_PARTITIONED ? most : GT_TREE_ORDER_PARTITIONED,
            found);
    } else {
        status = gt_method_formula(m, v.v, &formula, &message);
        if (!status) gt_conditions_of_formula(&formula, most, found);
    }
    PyObject *list = status ? py_raise(NULL, status, &message) : PyList_New(0);
    for (int k = 0; list && k < found->count; k++) {
        const gt_condition *c = &found->list[k];
        PyObject *entry =
            Py_BuildValue("isOd", c->order, c->tree, c->holds ? Py_True : Py_False, c->residual);
        if (!entry || PyList_Append(list, entry)) Py_CLEAR(list);
        Py_XDECREF(entry);
    }
    PyMem_Free(found);
    return list;
}

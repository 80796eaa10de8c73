/* SPDX-License-Identifier: BSD-3-Clause */
/* How a run is opened: method, plan, and the bytes of a run that was saved. */
#include "py_core.h"
#include <string.h>

static bool set_method(py_run *r, const char *name)
{
    r->method = gt_method_find(name);
    if (r->method) return true;
    enum { MANY = 256 };
    const char *names[MANY + 1];
    size_t count = 0;
    for (const gt_method *const *m = gt_method_list(); *m && count < MANY; m++)
        names[count++] = (*m)->name;
    names[count] = NULL;
    const char *near = gt_nearest_name(name, names);
    PyErr_Format(PyExc_ValueError, "there is no method '%s'%s%s%s; geartrain.methods() lists them",
                 name, near ? ", do you mean '" : "", near ? near : "", near ? "'?" : "");
    return false;
}

/* A number for all, or one for each component. */
static bool set_tolerance(py_run *r, PyObject *given, const char *what, double *all,
                          const double **each)
{
    double *copy;
    if (given == Py_None) return true;
    if (PyFloat_Check(given) || PyLong_Check(given)) {
        *all = PyFloat_AsDouble(given);
        return !PyErr_Occurred();
    }
    if (!py_copy_doubles(given, gt_problem_size(&r->problem->problem), &r->arena, &copy, what))
        return false;
    *each = copy;
    return true;
}

/* Every so many steps: what the functions of a model do not look at themselves. */
static void look_around(double t, const gt_stats *stats, void *ctx)
{
    py_run *r = ctx;
    (void)stats;
    if (r->problem->poll && !py_poll_now(r->problem->poll, t)) r->interrupted = 1;
}

static bool read_plan(py_run *r, PyObject *args, PyObject *keywords, const char **method,
                      PyObject **image)
{
    static char *names[] = {"problem", "method", "options", "rtol",      "atol",   "h",     "h0",
                            "h_min",   "h_max",  "control", "max_steps", "pulses", "image", NULL};
    PyObject *problem, *rtol = Py_None, *atol = Py_None;
    const char *options = NULL, *control = NULL;
    int pulses = 1;
    gt_plan *plan = &r->plan;
    py_state *state = py_state_of_type(Py_TYPE((PyObject *)r));
    if (!state || !PyArg_ParseTupleAndKeywords(
                      args, keywords, "O!s|zOOddddzlpO:Run", names, state->problem, &problem,
                      method, &options, &rtol, &atol, &plan->h, &plan->h0, &plan->h_min,
                      &plan->h_max, &control, &plan->max_steps, &pulses, image))
        return false;
    r->problem = (py_problem *)Py_NewRef(problem);
    plan->no_pulses = !pulses;
    plan->interrupted = &r->interrupted;
    plan->progress = look_around;
    plan->progress_ctx = r;
    if (options) {
        char *own = gt_arena_take(&r->arena, strlen(options) + 1, 1);
        if (!own) return PyErr_NoMemory() != NULL;
        strcpy(own, options);
        plan->options = own;
    }
    gt_message message = {""};
    gt_status status = control ? gt_control_parse(control, &plan->control, &message) : GT_OK;
    if (status) return py_raise(NULL, status, &message) != NULL;
    return set_tolerance(r, rtol, "rtol", &plan->rtol, &plan->rtol_vector) &&
           set_tolerance(r, atol, "atol", &plan->atol, &plan->atol_vector);
}

/* `auto` switches as it runs; a fixed step and options are for one method, which is chosen at the
 * start. */
static gt_status open_run(py_run *r, bool choose, const Py_buffer *image, gt_message *message)
{
    const gt_problem *problem = &r->problem->problem;
    bool one = r->plan.h > 0 || r->plan.options;
    r->plan.pilot = choose && !one ? &gt_auto : NULL;
    gt_status status =
        choose && one ? gt_choose_method(problem, &r->plan, &r->method, &r->why) : GT_OK;
    if (status) *message = r->why;
    if (status) return status;
    return image->buf ? gt_run_restore(&r->run, problem, r->method, &r->plan, NULL, image->buf,
                                       (size_t)image->len, message)
                      : gt_run_open(&r->run, problem, r->method, &r->plan, message);
}

static bool begin(py_run *r, const char *method, PyObject *image)
{
    bool choose = !strcmp(method, "auto");
    Py_buffer bytes = {0};
    if (!choose && !set_method(r, method)) return false;
    if (r->problem->busy) {
        PyErr_SetString(PyExc_RuntimeError, "the problem is used by a run that is under way");
        return false;
    }
    if (image != Py_None && PyObject_GetBuffer(image, &bytes, PyBUF_C_CONTIGUOUS)) return false;
    gt_message message = {""};
    py_poll poll = {0};
    r->problem->busy = 1;
    r->problem->failed = false;
    r->problem->poll = &poll;
    py_release(&poll, !r->problem->calls_python);
    gt_status status = open_run(r, choose, &bytes, &message);
    py_take_back(&poll);
    r->problem->poll = NULL;
    r->problem->busy = 0;
    if (bytes.buf) PyBuffer_Release(&bytes);
    return (!status && !PyErr_Occurred()) ||
           py_raise(py_failure_of((PyObject *)r), status, &message) != NULL;
}

PyObject *py_run_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    py_run *r = (py_run *)make(type, 0);
    const char *method;
    PyObject *image = Py_None;
    if (!r) return NULL;
    r->arena = gt_arena_growing();
    if (read_plan(r, args, keywords, &method, &image) && begin(r, method, image))
        return (PyObject *)r;
    Py_DECREF(r);
    return NULL;
}

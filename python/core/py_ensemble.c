/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many runs of one model in several threads. Each run builds its own problem and writes its own
 * rows, so the result does not depend on how many threads there are. The thread that called waits,
 * and looks whether Ctrl-C was pressed.
 */
#include "py_model.h"
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COUNTERS = 4, MOST_THREADS = 256 };

typedef struct ensemble {
    const gt_model *model;
    const gt_method *method; /* NULL: `auto` */
    gt_plan plan;
    gt_values base;
    size_t count, n, n_params, rows; /* runs, states, parameters that vary, rows of a run */
    const int *which;                /* their places in the table */
    const double *params;            /* count x n_params */
    const double *y0;                /* count x n, or n, or NULL */
    bool y0_varies, span_given;
    double t0, t1;
    double *out;     /* count x rows x n */
    double *results; /* count x COUNTERS: status, steps, calls of f, t at the end */
    atomic_size_t next;
    volatile int interrupted;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    size_t working;
    gt_message first; /* what went wrong in the run with the lowest number */
    size_t first_failed;
} ensemble;

typedef struct rows_sink {
    gt_sink sink;
    double *next, *end;
    size_t n;
} rows_sink;

static gt_status write_row(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    rows_sink *s = self->ctx;
    (void)message;
    if (s->next + s->n <= s->end) memcpy(s->next, sample->x, s->n * sizeof *s->next);
    s->next += s->n;
    return GT_OK;
}

static gt_status run_one(ensemble *e, size_t k, gt_arena *arena, gt_report *report)
{
    gt_values values = e->base;
    gt_problem problem = {0};
    for (size_t i = 0; i < e->n_params; i++) {
        const gt_param *row = &e->model->params[e->which[i]];
        double v = e->params[k * e->n_params + i];
        bool bounded = row->min != 0 || row->max != 0;
        if (!isfinite(v) || (bounded && !(v >= row->min && v <= row->max)))
            return gt_fail(&report->message, GT_BAD_ARGUMENT, "%s = %g is outside its range",
                           row->name, v);
        values.v[e->which[i]] = v;
    }
    gt_status status = gt_model_build_values(e->model, &values, &problem, arena, &report->message);
    if (status) return status;
    if (gt_problem_size(&problem) != e->n)
        return gt_fail(&report->message, GT_BAD_ARGUMENT,
                       "the parameters change the number of states");
    if (e->y0) problem.x0 = e->y0 + (e->y0_varies ? k * e->n : 0);
    if (e->span_given) problem.t0 = e->t0, problem.t1 = e->t1;
    double *out = e->out + k * e->rows * e->n;
    rows_sink rows = {.sink = {.wants = GT_AT_OUTPUT, .write = write_row},
                      .next = out,
                      .end = out + e->rows * e->n,
                      .n = e->n};
    rows.sink.ctx = &rows;
    gt_sink *const sinks[1] = {&rows.sink};
    gt_plan plan = e->plan;
    gt_message why = {""};
    const gt_method *method = e->method;
    bool choose = !method && plan.options;
    plan.pilot = method || choose ? NULL : &gt_auto;
    if (plan.n_times)
        plan.sinks = sinks, plan.n_sinks = 1;
    else
        plan.x_end = out;
    if (choose) status = gt_choose_method(&problem, &plan, &method, &why);
    if (status) return gt_fail(&report->message, status, "%s", why.text);
    return gt_solve(&problem, method, &plan, report);
}

static void do_one(ensemble *e, size_t k)
{
    gt_arena arena = gt_arena_growing();
    gt_report report = {.status = GT_OK, .t = NAN};
    double *out = e->out + k * e->rows * e->n, *result = e->results + k * COUNTERS;
    for (size_t i = 0; i < e->rows * e->n; i++) out[i] = NAN;
    gt_status status = run_one(e, k, &arena, &report);
    result[0] = (double)status;
    result[1] = (double)report.stats.steps;
    result[2] = (double)report.stats.rhs;
    result[3] = report.t;
    gt_arena_free(&arena);
    if (!status) return;
    pthread_mutex_lock(&e->lock);
    if (k < e->first_failed) {
        e->first_failed = k;
        e->first = report.message;
    }
    pthread_mutex_unlock(&e->lock);
}

static void *work(void *ctx)
{
    ensemble *e = ctx;
    for (size_t k; !e->interrupted && (k = atomic_fetch_add(&e->next, 1)) < e->count;) do_one(e, k);
    pthread_mutex_lock(&e->lock);
    e->working--;
    pthread_cond_signal(&e->ended);
    pthread_mutex_unlock(&e->lock);
    return NULL;
}

/* Waits for all; looks for signals on the way. False: an exception is set. */
static bool wait_for_all(ensemble *e)
{
    bool go_on = true;
    pthread_mutex_lock(&e->lock);
    while (e->working) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 20000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&e->ended, &e->lock, &until);
        if (!go_on || !e->working) continue;
        pthread_mutex_unlock(&e->lock);
        PyGILState_STATE held = PyGILState_Ensure();
        go_on = !PyErr_CheckSignals();
        PyGILState_Release(held);
        pthread_mutex_lock(&e->lock);
        if (!go_on) e->interrupted = 1;
    }
    pthread_mutex_unlock(&e->lock);
    return go_on;
}

static bool run_all(ensemble *e, size_t threads)
{
    pthread_t list[MOST_THREADS];
    size_t started = 0;
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    if (threads > e->count) threads = e->count;
    pthread_mutex_init(&e->lock, NULL);
    pthread_cond_init(&e->ended, NULL);
    atomic_init(&e->next, 0);
    e->first_failed = e->count;
    e->plan.interrupted = &e->interrupted;
    PyThreadState *released = PyEval_SaveThread();
    for (; started < threads; started++) {
        pthread_mutex_lock(&e->lock);
        e->working++;
        pthread_mutex_unlock(&e->lock);
        if (!pthread_create(&list[started], NULL, work, e)) continue;
        pthread_mutex_lock(&e->lock);
        e->working--;
        pthread_mutex_unlock(&e->lock);
        break;
    }
    if (!started && e->count) { /* no thread could be started: this one does it */
        e->working = 1;
        work(e);
    }
    bool good = wait_for_all(e);
    for (size_t k = 0; k < started; k++) pthread_join(list[k], NULL);
    PyEval_RestoreThread(released);
    pthread_cond_destroy(&e->ended);
    pthread_mutex_destroy(&e->lock);
    return good && !PyErr_Occurred();
}

/* Arrays as they come from the package. */
enum { BASE, WHICH, PARAMS, RESULTS, OUT, TIMES, ARRAYS };
static const char *const array_names[ARRAYS] = {"base",    "which", "params",
                                                "results", "out",   "times"};

static bool hold_arrays(PyObject *const objects[ARRAYS], Py_buffer view[ARRAYS])
{
    for (int k = 0; k < ARRAYS; k++) {
        if (k == TIMES && objects[k] == Py_None) continue;
        bool writable = k == RESULTS || k == OUT;
        bool good = k == WHICH
                        ? py_ints(objects[k], &view[k], SIZE_MAX, array_names[k])
                        : py_doubles(objects[k], &view[k], SIZE_MAX, writable, array_names[k]);
        if (!good) return false;
    }
    return true;
}

/* Sizes from the arrays; whether they fit together. */
static bool take_arrays(ensemble *e, const Py_buffer view[ARRAYS])
{
    size_t in_table = gt_params_count(e->model->params),
           given = (size_t)view[BASE].len / sizeof(double);
    if (given != in_table || given > GT_MAX_PARAMS) return false;
    memcpy(e->base.v, view[BASE].buf, given * sizeof(double));
    e->which = view[WHICH].buf;
    e->n_params = (size_t)view[WHICH].len / sizeof(int);
    for (size_t i = 0; i < e->n_params; i++)
        if (e->which[i] < 0 || (size_t)e->which[i] >= in_table) return false;
    e->params = view[PARAMS].buf;
    e->results = view[RESULTS].buf;
    e->count = (size_t)view[RESULTS].len / sizeof(double) / COUNTERS;
    e->out = view[OUT].buf;
    e->plan.times = view[TIMES].buf;
    e->plan.n_times = (size_t)view[TIMES].len / sizeof(double);
    e->rows = e->plan.n_times ? e->plan.n_times : 1;
    e->n = e->count ? (size_t)view[OUT].len / sizeof(double) / e->count / e->rows : 0;
    return (size_t)view[PARAMS].len == e->count * e->n_params * sizeof(double) &&
           (size_t)view[OUT].len == e->count * e->rows * e->n * sizeof(double);
}

PyObject *py_ensemble(PyObject *module, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"model", "base",  "which", "params",  "y0",     "y0_varies",
                            "span",  "times", "out",   "results", "method", "options",
                            "rtol",  "atol",  "h_max", "threads", NULL};
    py_state *state = py_state_of(module);
    PyObject *model, *y0, *span, *objects[ARRAYS];
    const char *method, *options;
    int y0_varies;
    Py_ssize_t threads;
    ensemble e = {.n_params = 0};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!OOOOpOOOOszdddn:ensemble", names,
                                     state->model, &model, &objects[BASE], &objects[WHICH],
                                     &objects[PARAMS], &y0, &y0_varies, &span, &objects[TIMES],
                                     &objects[OUT], &objects[RESULTS], &method, &options,
                                     &e.plan.rtol, &e.plan.atol, &e.plan.h_max, &threads))
        return NULL;
    e.model = ((py_model *)model)->model;
    e.plan.options = options;
    e.y0_varies = y0_varies;
    e.method = strcmp(method, "auto") ? gt_method_find(method) : NULL;
    if (strcmp(method, "auto") && !e.method)
        return PyErr_Format(PyExc_ValueError, "there is no method '%s'", method);
    e.span_given = span != Py_None;
    if (e.span_given && !PyArg_ParseTuple(span, "dd", &e.t0, &e.t1)) return NULL;
    Py_buffer view[ARRAYS] = {{0}};
    gt_arena arena = gt_arena_growing();
    double *starts = NULL;
    PyObject *answer = NULL;
    bool good = hold_arrays(objects, view);
    if (good && !take_arrays(&e, view)) {
        PyErr_SetString(PyExc_ValueError, "the arrays of an ensemble do not fit together");
        good = false;
    }
    if (good) good = py_copy_doubles(y0, y0_varies ? e.count * e.n : e.n, &arena, &starts, "y0");
    e.y0 = starts;
    if (good && run_all(&e, threads < 1 ? 1 : (size_t)threads))
        answer = Py_BuildValue(
            "ns", e.first_failed == e.count ? (Py_ssize_t)-1 : (Py_ssize_t)e.first_failed,
            e.first.text);
    for (int k = 0; k < ARRAYS; k++)
        if (view[k].obj) PyBuffer_Release(&view[k]);
    gt_arena_free(&arena);
    return answer;
}

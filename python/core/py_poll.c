/* SPDX-License-Identifier: BSD-3-Clause */
/* Ctrl-C and progress in runs that do not come by the interpreter. */
#include "py_core.h"
#include <time.h>

static const double PATIENCE = 0.02, BETWEEN_SHOWN = 0.2; /* seconds */
enum { MOST_SKIPPED = 4096 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool show(py_poll *poll, double t)
{
    PyObject *answer = PyObject_CallFunction(poll->progress, "d", t);
    Py_XDECREF(answer);
    return answer != NULL;
}

bool py_poll_now(py_poll *poll, double t)
{
    if (--poll->left > 0) return true;
    /* The clock is looked at often enough for what happens between two calls, and not more often.
     */
    double time = now(), between = time - poll->looked;
    poll->looked = time;
    if (between < PATIENCE / 8)
        poll->skip = poll->skip < MOST_SKIPPED ? 2 * poll->skip : MOST_SKIPPED;
    else if (between > PATIENCE / 2)
        poll->skip = poll->skip > 4 ? poll->skip / 4 : 1;
    poll->left = poll->skip;
    if (time - poll->last < PATIENCE) return true;
    poll->last = time;
    if (poll->released) PyEval_RestoreThread(poll->released);
    bool go_on = !PyErr_CheckSignals();
    if (go_on && poll->progress && time - poll->shown > BETWEEN_SHOWN) {
        poll->shown = time;
        go_on = show(poll, t);
    }
    if (poll->released) poll->released = PyEval_SaveThread();
    return go_on;
}

void py_release(py_poll *poll, bool release)
{
    poll->skip = poll->left = 1;
    poll->last = poll->looked = poll->shown = now();
    poll->released = release ? PyEval_SaveThread() : NULL;
}

void py_take_back(py_poll *poll)
{
    if (poll->released) PyEval_RestoreThread(poll->released);
    poll->released = NULL;
}

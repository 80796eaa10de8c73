/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of a method on x' = A x: the linear test problems that every method can be asked about
 * without knowing it. */
#include "analysis/linear_run.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

gt_status gt_linear_open(gt_linear_run *run, const gt_method *method, const char *options, size_t n,
                         size_t n_fast, gt_message *message)
{
    assert(run && method);
    assert(n >= 1 && n_fast <= n);
    *run = (gt_linear_run){.method = method, .options = options};
    run->model = (gt_linear_model){
        .n_slow = n - n_fast, .n_fast = n_fast, .A = run->A[0], .leading = GT_LINEAR_MAX};
    run->problem = gt_linear_problem(&run->model, run->x0, "the linear test equation");
    gt_status status = gt_stepper_measure(method, options, &run->problem, &run->bytes, message);
    if (status) return status;
    run->memory = malloc(run->bytes);
    return run->memory ? GT_OK : gt_fail(message, GT_NO_MEMORY, "out of memory");
}

void gt_linear_close(gt_linear_run *run)
{
    if (run->is_kept) gt_stepper_free(&run->kept);
    free(run->memory);
}

gt_status gt_linear_start(gt_linear_run *run, gt_stepper *s)
{
    assert(run && s);
    return gt_stepper_init(s, run->method, run->options, &run->problem, run->memory, run->bytes);
}

gt_status gt_linear_steps(gt_linear_run *run, int count, double *x)
{
    assert(run && x);
    assert(count >= 1);
    gt_stepper *s = &run->kept;
    gt_status status = GT_OK;
    if (!run->is_kept) { /* tables of some methods take much longer than a step */
        if ((status = gt_linear_start(run, s))) return status;
        run->is_kept = true;
    }
    gt_stepper_start(s, run->problem.t0, run->problem.x0);
    for (int k = 0; k < count && !status; k++) status = gt_stepper_step(s, 1);
    memcpy(x, s->x, s->n * sizeof *x);
    return status;
}

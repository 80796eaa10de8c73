/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The TS type "geartrain": an unmodified PETSc program runs the methods of this library by
 *
 *     program -dll_append libgeartrain-petsc.so -ts_type geartrain -ts_geartrain_method smes
 *
 * A step of the TS is a step of a run handle: the step size is controlled by the library, from
 * the tolerances of the TS (-ts_rtol, -ts_atol), or fixed with -ts_adapt_type none. A time step
 * that somebody else has set since the last step, as PETSc's event handler does when it looks for a
 * zero, is reached exactly, in as many steps as the error asks for. A solution that was changed
 * between steps is seen by the state of its vector.
 */
#include "ts_geartrain.h"
#include <math.h>
#include <string.h>

#define TSGEARTRAIN "geartrain"

static MPI_Comm comm_of(TS ts) { return PetscObjectComm((PetscObject)ts); }

/* What the library refuses is refused on all ranks, with one message. */
#define TSG_CHECK(ts, status, text)                                                                \
    PetscCheck(!(status), comm_of(ts), PETSC_ERR_SUP, "%s", (text)[0] ? (text) : "refused")

/* ---- opening a run ---- */

static PetscErrorCode copy_tolerances(const tsg_data *d, Vec from, double **to)
{
    PetscFunctionBegin;
    if (!from) PetscFunctionReturn(0);
    PetscCall(PetscMalloc1((size_t)d->n + 1, to));
    PetscCall(tsg_get(d, from, *to));
    PetscFunctionReturn(0);
}

static PetscErrorCode make_plan(tsg_data *d)
{
    TS ts = d->ts;
    TSAdapt adapt;
    PetscBool fixed;
    PetscFunctionBegin;
    PetscCall(TSGetAdapt(ts, &adapt));
    PetscCall(PetscObjectTypeCompare((PetscObject)adapt, TSADAPTNONE, &fixed));
    PetscCall(copy_tolerances(d, ts->vatol, &d->atol));
    PetscCall(copy_tolerances(d, ts->vrtol, &d->rtol));
    d->plan = (gt_plan){.options = d->options,
                        .rtol = ts->rtol,
                        .atol = ts->atol > 0 ? ts->atol : GT_NO_ATOL,
                        .rtol_vector = d->rtol,
                        .atol_vector = d->atol,
                        .max_steps = ts->max_steps < PETSC_MAX_INT ? ts->max_steps : 0,
                        .max_rejections = ts->max_reject > 0 ? (int)ts->max_reject : 0};
    if (fixed) {
        d->plan.h = ts->time_step;
    } else {
        d->plan.h0 = ts->time_step;
        d->plan.h_max = adapt->dt_max < 1e20 ? adapt->dt_max : 0;
        d->plan.h_min = adapt->dt_min > 1e-20 ? adapt->dt_min : 0;
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode find_method(tsg_data *d)
{
    PetscFunctionBegin;
    d->method = gt_method_find(d->name);
    if (strcmp(d->name, gt_auto.name) == 0)
        SETERRQ(comm_of(d->ts), PETSC_ERR_SUP,
                "-ts_geartrain_method: %s changes methods during a run, and a TS has one; name it, "
                "as dopri5, smes or gear",
                d->name);
    if (!d->method) {
        const char *names[256];
        size_t count = 0;
        for (const gt_method *const *m = gt_method_list(); *m && count < 255; m++)
            names[count++] = (*m)->name;
        names[count] = NULL;
        const char *near = gt_nearest_name(d->name, names);
        SETERRQ(comm_of(d->ts), PETSC_ERR_ARG_UNKNOWN_TYPE,
                "-ts_geartrain_method: there is no method '%s'%s%s%s", d->name,
                near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    PetscFunctionReturn(0);
}

/* Where the run ends: PETSC_MAX_REAL stands for infinity, and steps that may pass max_time do so.
 */
static double end_of(TS ts)
{
    double end = ts->max_time >= PETSC_MAX_REAL ? INFINITY : ts->max_time;
    if (ts->exact_final_time != TS_EXACTFINALTIME_MATCHSTEP) end = INFINITY;
    if (ts->tspan && ts->tspan->spanctr < ts->tspan->num_span_times) {
        double next = ts->tspan->span_times[ts->tspan->spanctr];
        if (next <= ts->ptime && ts->tspan->spanctr + 1 < ts->tspan->num_span_times)
            next = ts->tspan->span_times[ts->tspan->spanctr + 1];
        if (next > ts->ptime && next < end) end = next;
    }
    return end;
}

/* The first step that a run would take next; it may stand at its end. */
static double next_step(const tsg_data *d)
{
    gt_report report;
    gt_run_report(d->run, &report);
    return report.h > 0 ? report.h : d->ts->time_step;
}

static PetscErrorCode open_run(tsg_data *d)
{
    TS ts = d->ts;
    PetscFunctionBegin;
    d->problem.t0 = ts->ptime;
    d->problem.t1 = end_of(ts);
    PetscCall(tsg_get(d, ts->vec_sol, d->x0));
    PetscCall(make_plan(d));
    if (d->resume[0]) {
        PetscCall(tsg_resume(d));
        d->resume[0] = 0; /* once */
        ts->time_step = d->h_next = next_step(d);
        PetscCall(PetscObjectStateGet((PetscObject)ts->vec_sol, &d->left_at));
        PetscFunctionReturn(0);
    }
    gt_status status = gt_run_open(&d->run, &d->problem, d->method, &d->plan, &d->message);
    if (d->error) PetscFunctionReturn(d->error);
    TSG_CHECK(ts, status, d->message.text);
    PetscFunctionReturn(0);
}

static void close_runs(tsg_data *d)
{
    if (d->run) gt_run_close(d->run);
    if (d->before) gt_run_close(d->before);
    d->run = d->before = NULL;
}

/* ---- a step ---- */

/* A solution or equations that somebody has changed since the last step. Whether numbers differ is
 * found on all ranks together, since a vector that was only lent for writing has another state
 * too. */
static PetscErrorCode see_changes(tsg_data *d)
{
    TS ts = d->ts;
    PetscObjectState state;
    const double *x = gt_run_x(d->run);
    PetscInt differs[2] = {0, ts->steprestart};
    PetscFunctionBegin;
    PetscCall(PetscObjectStateGet((PetscObject)ts->vec_sol, &state));
    differs[0] = state != d->left_at;
    if (differs[0]) {
        PetscCall(tsg_get(d, ts->vec_sol, d->x0));
        differs[0] = memcmp(d->x0, x, (size_t)d->n * sizeof *x) != 0;
    }
    d->reductions++, d->messages++;
    PetscCall(MPIU_Allreduce(MPI_IN_PLACE, differs, 2, MPIU_INT, MPI_MAX, comm_of(ts)));
    if (!differs[0] && !differs[1]) PetscFunctionReturn(0);
    unsigned what = (differs[0] ? GT_CHANGED_STATE : 0u) | (differs[1] ? GT_CHANGED_EQUATIONS : 0u);
    if (differs[0]) PetscCall(tsg_get(d, ts->vec_sol, d->x0));
    gt_status status = gt_run_changed(d->run, what, differs[0] ? d->x0 : NULL);
    if (d->error) PetscFunctionReturn(d->error);
    TSG_CHECK(ts, status, gt_run_message(d->run));
    PetscFunctionReturn(0);
}

static PetscErrorCode remember(tsg_data *d)
{
    PetscFunctionBegin;
    if (d->before) gt_run_close(d->before);
    d->before = NULL;
    if (!d->ts->event) PetscFunctionReturn(0);
    gt_status status = gt_run_copy(&d->before, d->run, NULL, NULL, &d->message);
    TSG_CHECK(d->ts, status, d->message.text);
    PetscFunctionReturn(0);
}

static PetscErrorCode failed(tsg_data *d)
{
    PetscFunctionBegin;
    if (d->error) PetscFunctionReturn(d->error);
    PetscCall(PetscInfo(d->ts, "%s\n", gt_run_message(d->run)));
    PetscCheck(!d->ts->errorifstepfailed, comm_of(d->ts), PETSC_ERR_NOT_CONVERGED, "%s",
               gt_run_message(d->run));
    d->ts->reason = TS_DIVERGED_STEP_REJECTED;
    PetscFunctionReturn(0);
}

static PetscErrorCode step(TS ts)
{
    tsg_data *d = ts->data;
    PetscFunctionBegin;
    PetscBool first = d->run ? PETSC_FALSE : PETSC_TRUE;
    double t = ts->ptime;
    if (d->run && !d->rolled_back && gt_run_time(d->run) != t) close_runs(d), first = PETSC_TRUE;
    if (!d->run) PetscCall(open_run(d));
    if (!first && !d->rolled_back) PetscCall(see_changes(d));
    gt_status status = gt_run_set_end(d->run, end_of(ts));
    TSG_CHECK(ts, status, gt_run_message(d->run));
    PetscCall(remember(d));
    bool wished = !first && ts->time_step != d->h_next && !d->plan.h;
    long rejected = gt_run_stats(d->run)->rejected;
    status = wished ? gt_run_advance(d->run, t + ts->time_step, GT_ADVANCE_EXACTLY, NULL)
                    : gt_run_step(d->run, NULL);
    ts->reject += (PetscInt)(gt_run_stats(d->run)->rejected - rejected);
    d->rolled_back = PETSC_FALSE;
    if (status) {
        PetscCall(failed(d));
        PetscFunctionReturn(0);
    }
    PetscCall(tsg_put(d, gt_run_x(d->run), ts->vec_sol));
    PetscCall(PetscObjectStateGet((PetscObject)ts->vec_sol, &d->left_at));
    ts->ptime = gt_run_time(d->run);
    ts->time_step = d->h_next = d->plan.h > 0 ? d->plan.h : next_step(d);
    if (d->checkpoint[0] && gt_run_stats(d->run)->steps % d->every == 0) PetscCall(tsg_save(d));
    PetscFunctionReturn(0);
}

/* PETSc has set time and step back, and wants the solution as it was. */
static PetscErrorCode rollback(TS ts)
{
    tsg_data *d = ts->data;
    PetscFunctionBegin;
    PetscCheck(d->before, comm_of(ts), PETSC_ERR_ORDER,
               "a step can be taken back only where the TS has events");
    gt_run_close(d->run);
    d->run = d->before;
    d->before = NULL;
    PetscCall(tsg_put(d, gt_run_x(d->run), ts->vec_sol));
    d->rolled_back = PETSC_TRUE;
    d->h_next = 0; /* whatever comes now is a wish */
    PetscFunctionReturn(0);
}

static PetscErrorCode interpolate(TS ts, PetscReal t, Vec out)
{
    tsg_data *d = ts->data;
    PetscFunctionBegin;
    PetscCheck(d->run, comm_of(ts), PETSC_ERR_ORDER, "there is no step to interpolate in");
    gt_status status = gt_run_interpolate(d->run, t, d->x0);
    if (d->error) PetscFunctionReturn(d->error);
    TSG_CHECK(ts, status, gt_run_message(d->run));
    PetscCall(tsg_put(d, d->x0, out));
    PetscFunctionReturn(0);
}

/* ---- life ---- */

static PetscErrorCode setup(TS ts)
{
    tsg_data *d = ts->data;
    TSAdapt adapt;
    PetscFunctionBegin;
    PetscCall(
        TSGetAdapt(ts, &adapt)); /* PETSc takes a TS without one for one that cannot match times */
    PetscCall(find_method(d));
    PetscCall(tsg_problem_open(d));
    if (d->resume[0])
        PetscCall(open_run(d)); /* time and solution are known before the first step */
    PetscFunctionReturn(0);
}

static PetscErrorCode reset(TS ts)
{
    tsg_data *d = ts->data;
    PetscFunctionBegin;
    close_runs(d);
    tsg_problem_close(d);
    d->rolled_back = PETSC_FALSE;
    d->error = 0;
    PetscFunctionReturn(0);
}

static PetscErrorCode destroy(TS ts)
{
    PetscFunctionBegin;
    PetscCall(reset(ts));
    PetscCall(PetscFree(ts->data));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_from_options(TS ts, PetscOptionItems *PetscOptionsObject)
{
    tsg_data *d = ts->data;
    PetscFunctionBegin;
    PetscOptionsHeadBegin(PetscOptionsObject, "Geartrain options");
    PetscCall(PetscOptionsString("-ts_geartrain_method", "Method, see geartrain list methods", "",
                                 d->name, d->name, sizeof d->name, NULL));
    PetscCall(PetscOptionsString("-ts_geartrain_options", "Options of the method, a=1,b=2", "",
                                 d->options, d->options, sizeof d->options, NULL));
    PetscCall(PetscOptionsString("-ts_geartrain_checkpoint", "File that the run is saved to", "",
                                 d->checkpoint, d->checkpoint, sizeof d->checkpoint, NULL));
    PetscCall(PetscOptionsBoundedInt("-ts_geartrain_checkpoint_every", "Steps between checkpoints",
                                     "", d->every, &d->every, NULL, 1));
    PetscCall(PetscOptionsString("-ts_geartrain_resume", "File that the run goes on from", "",
                                 d->resume, d->resume, sizeof d->resume, NULL));
    PetscOptionsHeadEnd();
    PetscFunctionReturn(0);
}

static PetscErrorCode view(TS ts, PetscViewer viewer)
{
    const tsg_data *d = ts->data;
    PetscBool ascii;
    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)viewer, PETSCVIEWERASCII, &ascii));
    if (!ascii) PetscFunctionReturn(0);
    PetscCall(PetscViewerASCIIPrintf(viewer, "  Geartrain %s, method %s%s%s\n", gt_version(),
                                     d->name, d->options[0] ? ", options " : "", d->options));
    if (!d->run) PetscFunctionReturn(0);
    const gt_stats *stats = gt_run_stats(d->run);
    PetscCall(PetscViewerASCIIPrintf(
        viewer,
        "  %ld steps, %ld rejected, %ld evaluations of f, %ld reductions "
        "over ranks in %ld messages\n",
        (long)stats->steps, (long)stats->rejected, (long)stats->rhs, d->reductions, d->messages));
    PetscFunctionReturn(0);
}

static PetscErrorCode create(TS ts)
{
    static const struct _TSOps ops = {.setup = setup,
                                      .step = step,
                                      .interpolate = interpolate,
                                      .setfromoptions = set_from_options,
                                      .destroy = destroy,
                                      .view = view,
                                      .reset = reset,
                                      .rollback = rollback};
    tsg_data *d;
    PetscFunctionBegin;
    PetscCall(PetscNew(&d));
    d->ts = ts;
    PetscCall(PetscStrncpy(d->name, "dopri5", sizeof d->name));
    d->every = 100;
    ts->data = d;
    *ts->ops = ops;
    ts->default_adapt_type = TSADAPTBASIC;
    ts->usessnes =
        PETSC_TRUE; /* so that -ksp_ and -pc_ options are read; explicit methods leave it alone */
    PetscFunctionReturn(0);
}

/* Called by PETSc when the library is loaded by -dll_append. */
PETSC_EXTERN PetscErrorCode PetscDLLibraryRegister_geartrain_petsc(void);
PetscErrorCode PetscDLLibraryRegister_geartrain_petsc(void)
{
    PetscFunctionBegin;
    PetscCall(TSInitializePackage());
    PetscCall(TSRegister(TSGEARTRAIN, create));
    PetscFunctionReturn(0);
}

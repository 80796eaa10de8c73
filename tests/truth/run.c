/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of one problem, and what is to be said of it. */
#include "truth.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const truth_problem *const lists[] = {truth_smooth, truth_switched, truth_hard};

const truth_problem *truth_problem_at(size_t i)
{
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (const truth_problem *p = lists[k]; p->name; p++)
            if (i-- == 0) return p;
    return NULL;
}

const char *truth_kind_name(truth_kind kind)
{
    static const char *const names[TRUTH_KINDS] = {"quadrature", "linear", "nonlinear", "stiff",
                                                   "jump",       "kink",   "pulse",     "scale",
                                                   "dae",        "event",  "long"};
    return names[kind];
}

/* Steps of the sampling that finds the scales. */
enum { SAMPLES = 4001 };

void truth_scales(const truth_problem *p, const gt_problem *problem, double *scale)
{
    size_t n = gt_problem_size(problem);
    double x[TRUTH_MOST_STATES], largest = 0;
    memset(scale, 0, n * sizeof *scale);
    for (int k = 0; k < SAMPLES; k++) {
        p->exact(problem->t0 + (problem->t1 - problem->t0) * k / (SAMPLES - 1), x);
        for (size_t i = 0; i < n; i++) scale[i] = fmax(scale[i], fabs(x[i]));
    }
    for (size_t i = 0; i < n; i++) largest = fmax(largest, scale[i]);
    for (size_t i = 0; i < n; i++)
        if (scale[i] == 0) scale[i] = largest;
}

gt_status truth_open(truth_case *c, const truth_problem *row, gt_message *message)
{
    *c = (truth_case){.row = row, .arena = gt_arena_growing(), .problem = row->problem};
    gt_status status = GT_OK;
    if (row->text) {
        status = gt_ode_parse(row->text, strlen(row->text), "truth.ode", &c->ode, message);
        if (!status)
            status = gt_model_build(gt_ode_model(c->ode), "", &c->problem, &c->arena, message);
    }
    if (status) return status;
    if (gt_problem_size(&c->problem) > TRUTH_MOST_STATES)
        return gt_fail(message, GT_BAD_ARGUMENT, "%s has too many states", row->name);
    truth_scales(row, &c->problem, c->scale);
    return GT_OK;
}

void truth_close(truth_case *c)
{
    gt_arena_free(&c->arena);
    gt_ode_free(c->ode);
}

typedef struct watcher {
    gt_sink sink;
    const truth_case *c;
    double error; /* largest, relative to the scales */
} watcher;

static gt_status compare(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    (void)message;
    watcher *w = self->ctx;
    if (w->c->row->end_only && !(sample->why & GT_AT_END)) return GT_OK;
    double x[TRUTH_MOST_STATES];
    w->c->row->exact(sample->t, x);
    for (size_t i = 0; i < sample->n; i++) {
        double error = fabs(sample->x[i] - x[i]) / w->c->scale[i];
        if (!(error <= w->error)) w->error = error;
    }
    return GT_OK;
}

double truth_bound(const truth_problem *p)
{
    return 100 * (p->amplification > 1 ? p->amplification : 1);
}

/* Beyond the bound a run needs a warning or a reason. */
static void classify(truth_run *run)
{
    if (run->status)
        run->class = TRUTH_STOPPED;
    else if (run->error <= 10)
        run->class = TRUTH_GOOD;
    else if (run->error <= truth_bound(run->problem))
        run->class = TRUTH_FAIR;
    else if (run->warned)
        run->class = TRUTH_WARNED;
    else {
        run->class = TRUTH_SILENT;
        for (int k = 0; truth_reasons[k].name; k++) {
            if ((run->automatic && !truth_reasons[k].automatic) || !truth_reasons[k].explains(run))
                continue;
            run->class = TRUTH_EXPLAINED;
            run->reason = k;
            return;
        }
        for (int k = 0; truth_defects[k].problem; k++) {
            const truth_defect *d = truth_defects + k;
            if (strcmp(d->problem, run->problem->name)) continue;
            if (d->method && strncmp(d->method, run->method->name, strlen(d->method))) continue;
            run->class = TRUTH_OPEN;
            run->reason = k;
            return;
        }
    }
}

truth_run truth_solve(const truth_case *c, const gt_method *method, double rtol, long max_steps)
{
    truth_run run = {.problem = c->row, .method = method, .automatic = !method, .rtol = rtol};
    gt_message message;
    watcher w = {.sink = {.wants = GT_AT_STEP | GT_AT_END, .write = compare}, .c = c};
    w.sink.ctx = &w;
    gt_plan plan = {
        .rtol = rtol, .max_steps = max_steps, .sinks = (gt_sink *const[]){&w.sink}, .n_sinks = 1};
    if (!method) plan.pilot = &gt_auto;
    gt_values v = gt_params_default(method ? method->options : NULL);
    if (method && gt_method_check(method, v.v, &c->problem, &message)) {
        run.class = TRUTH_REFUSED;
        return run;
    }
    gt_report report;
    run.status = gt_solve(&c->problem, method, &plan, &report);
    if (!method) run.method = gt_method_find(gt_phases_method(&report.phases));
    if (run.status == GT_UNSUPPORTED) {
        run.class = TRUTH_REFUSED;
        return run;
    }
    run.steps = report.stats.steps;
    run.error = w.error / rtol;
    run.states = (double)gt_problem_size(&c->problem);
    run.linear = c->problem.linear;
    run.warned = report.warnings.count > 0;
    classify(&run);
    return run;
}

double truth_measured_amplification(const truth_case *c)
{
    enum { TIMES = 20 };
    const double size =
        1e-5; /* of the perturbation: small enough for linear growth, large beside the tolerance */
    size_t n = gt_problem_size(&c->problem);
    double most = 1, span = c->problem.t1 - c->problem.t0, x[TRUTH_MOST_STATES],
           exact[TRUTH_MOST_STATES];
    for (int k = 0; k < TIMES; k++) {
        for (size_t j = 0; j < n; j++) {
            gt_problem p = c->problem;
            p.t0 += span * k / TIMES;
            c->row->exact(p.t0, x);
            x[j] +=
                size * fmax(fabs(x[j]), 1e-3 * c->scale[j]); /* what the weights of a run allow */
            p.x0 = x;
            for (int end = k + 1; end <= TIMES; end++) {
                double out[TRUTH_MOST_STATES];
                p.t1 = c->problem.t0 + span * end / TIMES;
                gt_plan plan = {.rtol = 1e-10, .atol = 1e-14, .x_end = out, .max_steps = 20000};
                if (gt_solve(&p, gt_method_find("dop853"), &plan, NULL)) return NAN;
                c->row->exact(p.t1, exact);
                for (size_t i = 0; i < n; i++)
                    most = fmax(most, fabs(out[i] - exact[i]) / (size * c->scale[i]));
            }
        }
    }
    return most;
}

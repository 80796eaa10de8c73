/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `auto` for functions of Python, which cost more than all else: no pilot run that is thrown away, as gt_choose_method
 * makes one, but explicit steps that are kept. Now and then the eigenvalue of largest size tells whether stability
 * holds the step; then an implicit method goes on from there. Where the problem has blocks, algebraic equations or a
 * mass matrix, gt_choose_method decides at the start.
 */
#include "py_core.h"
#include <math.h>
#include <string.h>

/* As in src/analysis/choose.c: what h |lambda| is where stability limits the step; the tolerance from which on the
 * explicit method of high order pays. */
static const double SURELY_STABILITY = 1.5, TIGHT = 1e-8;
enum { FIRST_LOOK = 25, RARELY = 200, NOT_WORTH = 30 };

bool py_auto_begins(py_run *r)
{
    const gt_problem *p = &r->problem->problem;
    if (!r->problem->rhs.rows || p->n_fast || p->n_alg || p->mass || r->plan.h > 0) return false;
    bool tight = r->plan.rtol > 0 && r->plan.rtol <= TIGHT;
    r->method = gt_method_for(tight ? GT_ROLE_NONSTIFF_TIGHT : GT_ROLE_NONSTIFF);
    r->next_look = FIRST_LOOK;
    gt_fail(&r->why, GT_OK, "explicit steps%s: stability has not limited them",
            tight ? " of high order, since the tolerance is tight" : "");
    return true;
}

static bool is_stuck(py_run *r, double *product)
{
    const gt_problem *p = &r->problem->problem;
    double from, to, re = 0, im = 0, t = gt_run_time(r->run);
    gt_run_last_step(r->run, &from, &to);
    if (from == to || fabs(p->t1 - t) < NOT_WORTH * fabs(to - from)) return false;
    if (gt_spectrum_largest(p, t, gt_run_x(r->run), &re, &im)) return false;
    if (p->t1 < p->t0) re = -re;
    *product = fabs(to - from) * hypot(re, im);
    return *product > SURELY_STABILITY && -re > 0.2 * im;
}

static void add_stats(gt_stats *sum, const gt_stats *more)
{
    const long *from = (const long *)more;
    long *to = (long *)sum; /* nothing but counters */
    for (size_t k = 0; k < sizeof *sum / sizeof(long); k++) to[k] += from[k];
}

/* The implicit method, from where the run stands. */
static gt_status go_on_implicitly(py_run *r, double product)
{
    gt_problem rest = r->problem->problem;
    size_t n = gt_problem_size(&rest);
    double *x = gt_arena_doubles(&r->arena, n);
    if (!x) return GT_NO_MEMORY;
    rest.t0 = gt_run_time(r->run);
    memcpy(x, gt_run_x(r->run), n * sizeof *x);
    rest.x0 = x;
    rest.begin = NULL; /* events go on being counted */
    gt_status status = gt_run_settle(r->run);
    gt_run *next = NULL;
    const gt_method *method = gt_method_for(GT_ROLE_STIFF);
    gt_plan plan = r->plan;
    plan.h0 = 0;
    if (!status) status = gt_run_open(&next, &rest, method, &plan, NULL);
    if (status) return r->problem->failed ? status : GT_OK; /* then the explicit one goes on */
    gt_fail(&r->why, GT_OK,
            "explicit steps came to t = %.3g with h |lambda| = %.2g: stability limits them, so %s goes on", rest.t0,
            product, method->name);
    add_stats(&r->before, gt_run_stats(r->run));
    gt_run_close(r->run);
    r->run = next;
    r->method = method;
    r->next_look = 0;
    return GT_OK;
}

gt_status py_run_next(py_run *r, gt_reached *reached)
{
    const gt_stats *stats = gt_run_stats(r->run);
    if (r->next_look && stats->steps >= r->next_look && !gt_run_fired(r->run)) {
        double product = 0;
        r->next_look = stats->steps + (stats->steps < RARELY ? stats->steps : RARELY);
        gt_status status = is_stuck(r, &product) ? go_on_implicitly(r, product) : GT_OK;
        if (status || r->problem->failed) return status ? status : GT_RHS_FAILED;
    }
    return gt_run_step(r->run, reached);
}

void py_run_report_of(const py_run *r, gt_report *report)
{
    gt_run_report(r->run, report);
    add_stats(&report->stats, &r->before);
}

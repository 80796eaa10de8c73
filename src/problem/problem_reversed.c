/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time that runs backward: with tau = -t and t1 < t0 the problem M x' = f(t, x) becomes
 *
 *     M dx/dtau = -f(-tau, x)      from tau0 = -t0 to tau1 = -t1 > tau0
 *
 * which every method can treat. Derivatives of odd order change their sign. At a discontinuity c of
 * f a run backward comes from the right and goes on to the left: what is evaluated at c itself is
 * the left limit.
 */
#include "base/sized.h"
#include <geartrain/author/arena.h>
#include <geartrain/problem.h>
#include <math.h>
#include <string.h>

typedef struct reversed {
    gt_problem forward;
    size_t n;
    const double *breaks; /* in tau, ascending */
    size_t n_breaks;
} reversed;

/* The time of the problem; strictly left of a discontinuity at which tau stands. */
static double time_of(const reversed *p, double tau)
{
    size_t low = 0, high = p->n_breaks;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->breaks[middle] == tau) return nextafter(-tau, -INFINITY);
        if (p->breaks[middle] < tau)
            low = middle + 1;
        else
            high = middle;
    }
    return -tau;
}

static void negate(double *v, size_t n)
{
    for (size_t i = 0; i < n; i++) v[i] = -v[i];
}

static gt_status rhs(double tau, const double *x, double *dx, void *ctx)
{
    const reversed *p = ctx;
    gt_status status = p->forward.rhs(time_of(p, tau), x, dx, p->forward.ctx);
    negate(dx, p->n);
    return status;
}

/* d/dtau of -f(-tau, x) */
static gt_status rhs_t(double tau, const double *x, double *f_t, void *ctx)
{
    const reversed *p = ctx;
    return p->forward.rhs_t(time_of(p, tau), x, f_t, p->forward.ctx);
}

static gt_status rhs_slow(double tau, const double *x, double *dx, void *ctx)
{
    const reversed *p = ctx;
    gt_status status = p->forward.rhs_slow(time_of(p, tau), x, dx, p->forward.ctx);
    negate(dx, p->forward.n_slow);
    return status;
}

static gt_status rhs_fast(double tau, const double *x, double *dx, void *ctx)
{
    const reversed *p = ctx;
    gt_status status = p->forward.rhs_fast(time_of(p, tau), x, dx, p->forward.ctx);
    negate(dx, p->forward.n_fast);
    return status;
}

static gt_status rhs_alg(double tau, const double *x, double *dx, void *ctx)
{
    const reversed *p = ctx;
    gt_status status = p->forward.rhs_alg(time_of(p, tau), x, dx, p->forward.ctx);
    negate(dx, p->forward.n_alg);
    return status;
}

static gt_status jac(double tau, const double *x, gt_matrix *J, void *ctx)
{
    const reversed *p = ctx;
    gt_status status = p->forward.jac(time_of(p, tau), x, J, p->forward.ctx);
    negate(J->values, gt_matrix_entries(J));
    return status;
}

static gt_status taylor(double tau, int order, double *c, void *ctx)
{
    const reversed *p = ctx;
    gt_status status = p->forward.taylor(time_of(p, tau), order, c, p->forward.ctx);
    for (int k = 1; k <= order; k += 2) negate(c + (size_t)k * p->n, p->n);
    return status;
}

static void begin(void *ctx)
{
    const reversed *p = ctx;
    p->forward.begin(p->forward.ctx);
}

static gt_status roots(double tau, const double *x, double *g, void *ctx)
{
    const reversed *p = ctx;
    return p->forward.roots(-tau, x, g, p->forward.ctx);
}

static gt_status on_event(double tau, const unsigned char *fired, double *x, unsigned *actions,
                          void *ctx)
{
    const reversed *p = ctx;
    return p->forward.on_event(-tau, fired, x, actions, p->forward.ctx);
}

static gt_status switches(double tau, const double *x, double *g, void *ctx)
{
    const reversed *p = ctx;
    return p->forward.switches(-tau, x, g, p->forward.ctx);
}

static void set_sides(const signed char *sides, void *ctx)
{
    const reversed *p = ctx;
    p->forward.set_sides(sides, p->forward.ctx);
}

static void switch_name(size_t i, char *buffer, size_t room, void *ctx)
{
    const reversed *p = ctx;
    p->forward.switch_name(i, buffer, room, p->forward.ctx);
}

static gt_status on_break(double tau, double *x, void *ctx)
{
    const reversed *p = ctx;
    return p->forward.on_break(-tau, x, p->forward.ctx);
}

static void exact(double tau, double *x, void *ctx)
{
    const reversed *p = ctx;
    p->forward.exact(-tau, x, p->forward.ctx);
}

static void invariants(double tau, const double *x, double *out, void *ctx)
{
    const reversed *p = ctx;
    p->forward.invariants(-tau, x, out, p->forward.ctx);
}

static void aux(double tau, const double *x, double *out, void *ctx)
{
    const reversed *p = ctx;
    p->forward.aux(-tau, x, out, p->forward.ctx);
}

static void use_threads(const gt_threads *threads, void *ctx)
{
    const reversed *p = ctx;
    p->forward.use_threads(threads, p->forward.ctx);
}

static void set_functions(const gt_problem *forward, gt_problem *out)
{
    out->rhs = forward->rhs ? rhs : NULL;
    out->rhs_t = forward->rhs_t ? rhs_t : NULL;
    out->rhs_slow = forward->rhs_slow ? rhs_slow : NULL;
    out->rhs_fast = forward->rhs_fast ? rhs_fast : NULL;
    out->rhs_alg = forward->rhs_alg ? rhs_alg : NULL;
    out->rhs_rates = NULL; /* they are evaluated together */
    out->jac = forward->jac ? jac : NULL;
    out->jac_block = NULL;
    out->solver = NULL;
    out->taylor = forward->taylor ? taylor : NULL;
    out->begin = forward->begin ? begin : NULL;
    out->roots = forward->roots ? roots : NULL;
    out->on_event = forward->on_event ? on_event : NULL;
    out->switches = forward->switches ? switches : NULL;
    out->set_sides = forward->set_sides ? set_sides : NULL;
    out->switch_name = forward->switch_name ? switch_name : NULL;
    out->on_break = forward->on_break ? on_break : NULL;
    out->exact = forward->exact ? exact : NULL;
    out->invariants = forward->invariants ? invariants : NULL;
    out->aux = forward->aux ? aux : NULL;
    out->use_threads = forward->use_threads ? use_threads : NULL;
    out->second_order = NULL; /* [z, z'] has another sign of z' backward */
}

static gt_status full_problem_reversed(const gt_problem *problem, gt_problem *out, gt_arena *arena)
{
    GT_ARMOR(NULL, problem && out && arena);
    reversed *ctx = gt_arena_take(arena, 1, sizeof *ctx);
    double *breaks = gt_arena_doubles(arena, problem->n_breaks);
    if (gt_arena_measuring(arena)) return GT_OK;
    if (arena->failed) return GT_NO_MEMORY;
    for (size_t i = 0; i < problem->n_breaks; i++)
        breaks[i] = -problem->breaks[problem->n_breaks - 1 - i];
    *ctx = (reversed){.forward = *problem,
                      .n = gt_problem_size(problem),
                      .breaks = breaks,
                      .n_breaks = problem->n_breaks};
    *out = *problem;
    set_functions(problem, out);
    out->breaks = breaks;
    out->t0 = -problem->t0;
    out->t1 = -problem->t1;
    out->ctx = ctx;
    return GT_OK;
}

gt_status gt_problem_reversed_sized(const gt_problem *problem, size_t problem_size, gt_problem *out,
                                    size_t out_size, gt_arena *arena)
{
    GT_WIDEN(NULL, gt_problem, problem);
    GT_OUT(gt_problem, out);
    gt_status result = full_problem_reversed(problem, out, arena);
    GT_GIVE_WHOLE(NULL, result, out);
    return result;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The problems, with the right-hand side in each peer's form and apart from every solver. */
#include "bench.h"
#include "support/rhs.h"
#include <geartrain/lang.h>
#include <geartrain/model.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>

#define FORMS(id)                                                                                  \
    static gt_status id##_gt(double t, const double *x, double *dx, void *ctx)                     \
    {                                                                                              \
        (void)t;                                                                                   \
        rhs_##id(x, dx, ctx);                                                                      \
        return GT_OK;                                                                              \
    }                                                                                              \
    static int id##_gsl(double t, const double *x, double *dx, void *ctx)                          \
    {                                                                                              \
        (void)t;                                                                                   \
        rhs_##id(x, dx, ctx);                                                                      \
        return 0;                                                                                  \
    }                                                                                              \
    static int id##_sundials(double t, N_Vector x, N_Vector dx, void *ctx)                         \
    {                                                                                              \
        (void)t;                                                                                   \
        rhs_##id(NV_DATA_S(x), NV_DATA_S(dx), ctx);                                                \
        return 0;                                                                                  \
    }

FORMS(lorenz)
FORMS(vanderpol)
FORMS(kepler)
FORMS(chain)
FORMS(heat)

static bench_problem make(const char *name, size_t n, double p0, double p1, double p2)
{
    bench_numbers *c = malloc(sizeof *c);
    double *x0 = malloc(n * sizeof *x0);
    bench_require(c && x0, "out of memory for a problem");
    *c = (bench_numbers){n, {p0, p1, p2}};
    for (size_t i = 0; i < n; i++) x0[i] = sin(3.0 * (double)(i + 1) / (double)(n + 1));
    return (bench_problem){.name = name, .gt = {.n_slow = n, .x0 = x0, .ctx = c, .name = name}};
}

#define WITH_FORMS(problem, id)                                                                    \
    (problem).gt.rhs = id##_gt, (problem).gsl = id##_gsl, (problem).sundials = id##_sundials

bench_problem bench_lorenz(void)
{
    bench_problem p = make("lorenz", 3, 10, 28, 8.0 / 3);
    double *x0 = (double *)p.gt.x0;
    x0[0] = x0[1] = x0[2] = 20;
    WITH_FORMS(p, lorenz);
    return p;
}

bench_problem bench_vanderpol(void)
{
    bench_problem p = make("vanderpol", 2, 1, 0, 0);
    WITH_FORMS(p, vanderpol);
    return p;
}

/* D5 of Hull, Enright, Fellen, Sedgwick (1972): from the near end of an orbit of eccentricity 0.9.
 */
bench_problem bench_kepler(void)
{
    bench_problem p = make("kepler", 4, 0, 0, 0);
    double *x0 = (double *)p.gt.x0;
    x0[0] = 0.1;
    x0[1] = x0[2] = 0;
    x0[3] = sqrt(19);
    WITH_FORMS(p, kepler);
    return p;
}

bench_problem bench_chain(size_t n)
{
    bench_problem p = make("chain", n, 0.1, 0, 0);
    WITH_FORMS(p, chain);
    return p;
}

bench_problem bench_heat(size_t n)
{
    bench_problem p = make("heat", n, 1, 0, 0);
    WITH_FORMS(p, heat);
    return p;
}

bench_problem bench_model(const char *name, const char *params)
{
    bench_problem p = {.name = name, .arena = gt_arena_growing()};
    gt_message message = {""};
    gt_status status = gt_model_build(gt_model_find(name), params, &p.gt, &p.arena, &message);
    bench_require(status == GT_OK, message.text);
    return p;
}

bench_problem bench_text(const char *name, const char *text, const char *params)
{
    bench_problem p = {.name = name, .arena = gt_arena_growing()};
    gt_message message = {""};
    gt_status status = gt_ode_parse(text, strlen(text), name, &p.ode, &message);
    if (!status) status = gt_model_build(gt_ode_model(p.ode), params, &p.gt, &p.arena, &message);
    bench_require(status == GT_OK, message.text);
    return p;
}

void bench_problem_free(bench_problem *problem)
{
    if (problem->arena.grows) {
        gt_arena_free(&problem->arena);
        gt_ode_free(problem->ode);
        return;
    }
    free((double *)problem->gt.x0);
    free(problem->gt.ctx);
}

static gt_status counted_gt(double t, const double *x, double *dx, void *ctx)
{
    const bench_problem *p = ctx;
    ++*p->calls;
    return p->gt.rhs(t, x, dx, p->gt.ctx);
}

static gt_status counted_slow(double t, const double *x, double *dx, void *ctx)
{
    const bench_problem *p = ctx;
    ++p->block_calls[0];
    return p->gt.rhs_slow(t, x, dx, p->gt.ctx);
}

static gt_status counted_fast(double t, const double *x, double *dx, void *ctx)
{
    const bench_problem *p = ctx;
    ++p->block_calls[1];
    return p->gt.rhs_fast(t, x, dx, p->gt.ctx);
}

/* Not counted: the solvers tell themselves. */
static gt_status forwarded_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const bench_problem *p = ctx;
    return p->gt.jac(t, x, J, p->gt.ctx);
}

static int counted_gsl(double t, const double *x, double *dx, void *ctx)
{
    const bench_problem *p = ctx;
    ++*p->calls;
    return p->gsl(t, x, dx, p->gt.ctx);
}

static int counted_sundials(double t, N_Vector x, N_Vector dx, void *ctx)
{
    const bench_problem *p = ctx;
    ++*p->calls;
    return p->sundials(t, x, dx, p->gt.ctx);
}

bench_problem bench_counted(const bench_problem *problem, long *calls)
{
    bench_problem *inner = malloc(sizeof *inner);
    bench_require(inner != NULL, "out of memory for a problem");
    *inner = *problem;
    inner->calls = calls;
    bench_problem counted = *problem;
    counted.gt.ctx = inner;
    counted.calls = calls;
    WITH_FORMS(counted, counted);
    if (!problem->sundials)
        counted.sundials = NULL, counted.gsl = NULL; /* a model: peers call gt.rhs */
    if (counted.gt.jac) counted.gt.jac = forwarded_jac;
    counted.gt.jac_block = NULL; /* its ctx is not this one */
    counted.gt.rhs_slow = counted.gt.rhs_fast = counted.gt.rhs_alg =
        NULL; /* calls of all rows are what is counted */
    if (problem->block_calls) {
        counted.gt.rhs_slow = counted_slow;
        counted.gt.rhs_fast = counted_fast;
    }
    return counted;
}

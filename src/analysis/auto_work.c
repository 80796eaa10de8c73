/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work in operations, for `auto`: what the equations say of f and its Jacobian, the factors of the
 * matrix that is there, vectors. How often a method takes them in a step was measured over the
 * stiff problems of bench/auto, as were the numbers of steps (gt_method.law): between quarters of
 * the problems these differ by a third, so that the product ranks methods by what they are.
 */
#include "analysis/auto_work.h"
#include "analysis/advice.h"
#include "implicit/convergence.h"
#include "implicit/inner.h"
#include "linalg/backend.h"
#include <assert.h>
#include <math.h>

static const double per_state = 10;               /* operations of f, where the problem is silent */
static const double vector_call = 12;             /* of each state beside f, a call */
static const double vector_step = 20, step = 200; /* and a step */
/* Formulas of past points: iterations, Jacobians and factors a step. */
static const double past_iterations = 1.3, past_jacobians = 0.09, past_factors = 0.3;
static const double past_expensive_jacobians = 0.01; /* differences of many calls: convergence.h */
/* Several stages solved together. */
static const double stage_iterations = 3, stage_jacobians = 0.66;
/* Functions of matrices: products of a set before h A is halved, and for each time. */
static const double products = 10, products_halved = 5, exponential_calls = 3;
enum { DENSE_FUNCTIONS = 100, KRYLOV_DIMENSION = 30, KRYLOV_SPACES = 4 };
static const double krylov_factor = 40; /* of each state: incomplete factors */
enum { MANY = 200000 };                 /* states whose ordering takes too long */
static const double stabilized_calls = 6.5, chebyshev = 1.54; /* see stabilized.c */

/* Beside their multiplications sparse factors take these for each row: places that are looked up,
 * rows that wait for the ones before. By callgrind, for tridiagonal systems of 400 rows and KLU on
 * 128 with five entries in a row; a call of f with its vectors takes as many instructions there as
 * it counts operations. */
static const double band_factor_row = 200, band_solve_row = 40;
static const double sparse_factor_row = 600, sparse_solve_row = 100;
static const double jacobian_entry = 80; /* evaluated, checked, shifted, put in place */
/* So a complex sparse system takes twice a real one, where a dense one takes 4 times. */
static const double complex_sparse = 2.1;
static const double stage_call = 18; /* of each state beside a call, in stages solved together */

static void dense_costs(double n, gt_auto_costs *c)
{
    c->solve = 2 * n * n;
    c->factor = 2.0 / 3 * n * n * n;
}

void gt_auto_costs_of(const gt_problem *p, gt_auto_costs *c)
{
    assert(p && c);
    size_t size = gt_problem_size(p);
    const gt_pattern *pattern = &p->jac_pattern;
    gt_matrix J = {.n = size, .pattern = *pattern};
    double n = (double)size, f = p->work.full > 0 ? p->work.full : per_state * n;
    double entries = (double)gt_matrix_entries(&J), filled, columns = n;
    c->call = f + vector_call * n;
    c->step = vector_step * n + step;
    dense_costs(n, c);
    if (pattern->storage == GT_BANDED) {
        double lower = (double)pattern->lower, upper = (double)pattern->upper;
        c->factor = n * (lower * (2 * (lower + upper) + 1) + band_factor_row);
        c->solve = n * (2 * (2 * lower + upper + 1) + band_solve_row);
        columns = lower + upper + 1;
    } else if (pattern->storage == GT_CSC) {
        columns = fmin(n, 2 * entries / n);
        if (size > MANY)
            c->factor = c->solve = INFINITY;
        else if (pattern->colptr && gt_sparse_fill(size, pattern, &filled, &c->factor))
            c->solve = 2 * filled + sparse_solve_row * n, c->factor += sparse_factor_row * n;
    }
    c->newton_factor = c->factor;
    c->newton_solve = c->solve;
    if (gt_inner_way(p, &(gt_linear_options){0}) != GT_LINEAR_DIRECT) {
        c->newton_factor = krylov_factor * n;
        c->newton_solve = gt_krylov_operations * n;
    }
    c->jacobian = p->work.jac > 0 ? p->work.jac : f + entries;
    if (!p->jac) c->jacobian = columns * c->call;
    if (pattern->storage != GT_DENSE) c->jacobian += jacobian_entry * entries;
}

/* Real systems of the same work as those of a method, of which complex ones count for four. */
static double real_systems(const gt_problem *p, const gt_facts *facts)
{
    double systems = facts->systems > 0 ? facts->systems : 1;
    if (p->jac_pattern.storage == GT_DENSE || systems < 2) return systems;
    return systems - 4 * floor(systems / 4) + complex_sparse * floor(systems / 4);
}

static double functions_work(const gt_problem *p, const gt_facts *facts, double reach)
{
    double n = (double)(facts->flags & GT_NEEDS_PARTITION ? p->n_fast : gt_problem_size(p));
    double halvings = reach > 2 ? ceil(log2(reach / 2)) : 0;
    double each = 2 * n * n * n * (products + products_halved * halvings);
    if (n > DENSE_FUNCTIONS)
        each = KRYLOV_SPACES * KRYLOV_DIMENSION * 2.0 * KRYLOV_DIMENSION * n * fmax(1, reach / 10);
    return facts->functions * each;
}

double gt_auto_step_work(const gt_auto_costs *c, const gt_problem *p, const gt_facts *facts,
                         double reach)
{
    assert(c && p && facts);
    assert(c->call > 0);
    double stages = facts->stages > 0 ? facts->stages : 1, systems = real_systems(p, facts),
           vectors = stage_call * (double)gt_problem_size(p);
    switch (facts->kind) {
    case GT_KIND_EXPLICIT:
        return facts->evaluations * (c->call + facts->call_operations) + c->step;
    case GT_KIND_STABILIZED:
        return (stabilized_calls + sqrt(chebyshev * fmax(0, reach))) *
                   (c->call + facts->call_operations) +
               c->step;
    case GT_KIND_LINEARLY_IMPLICIT:
        return stages * (c->call + c->solve) + c->factor + c->jacobian + c->step +
               (p->autonomous ? 0 : c->call);
    case GT_KIND_EXPONENTIAL:
        return exponential_calls * c->call + c->jacobian + functions_work(p, facts, reach) +
               c->step;
    case GT_KIND_IMPLICIT:
    case GT_KIND_SERIES:
        break;
    }
    if (stages > 1)
        return stage_iterations * (stages * (c->call + vectors) + systems * c->solve) +
               systems * c->factor + stage_jacobians * c->jacobian + c->step;
    bool expensive = !p->jac && c->jacobian > GT_EXPENSIVE_CALLS * c->call;
    return past_iterations * (c->call + c->newton_solve) + past_factors * c->newton_factor +
           (expensive ? past_expensive_jacobians : past_jacobians) * c->jacobian + c->step;
}

double gt_auto_work_done(const gt_auto_costs *c, const gt_problem *p, const gt_facts *facts,
                         const gt_stats *s)
{
    assert(c && p && facts && s);
    double steps = (double)(s->steps + s->rejected), work = (double)s->rhs * c->call;
    double stages = facts->stages > 0 ? facts->stages : 1, systems = real_systems(p, facts);
    work += steps * c->step + facts->call_operations * (double)s->rhs;
    work +=
        (gt_slow_share(p) * (double)s->rhs_slow + gt_fast_share(p) * (double)s->rhs_fast) * c->call;
    if (p->jac) work += (double)s->jacobians * c->jacobian;
    if (facts->functions) return work + steps * functions_work(p, facts, 10);
    bool iterates = facts->kind != GT_KIND_LINEARLY_IMPLICIT;
    if (!iterates) return work + (double)s->factorizations * c->factor + steps * stages * c->solve;
    if (stages <= 1)
        return work + (double)s->factorizations * c->newton_factor +
               (double)s->newton * c->newton_solve;
    /* A real system and complex ones, which count for four. */
    return work + (double)s->factorizations * 2 * systems / (stages + 1) * c->factor +
           (double)s->newton * systems * c->solve;
}

double gt_auto_steps(const gt_method *method, const gt_facts *facts, double tol)
{
    assert(method && facts);
    assert(tol > 0);
    const double unit = 1e-4;
    double steps = method->law.steps > 0 ? method->law.steps : 1.1, /* a pair of its order */
        order = method->law.order > 0 ? method->law.order : facts->order;
    return steps * pow(tol / unit, -1 / order);
}

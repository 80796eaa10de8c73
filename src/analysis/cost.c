/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a step costs, by counting operations. The counts are round numbers, read off the loops;
 * methods are ranked by them, for which a factor of two is near enough.
 */
#include "analysis/advice.h"
#include <assert.h>
#include <math.h>

static const double per_state = 10; /* operations of f for each state: a sum of a few products */
/* Operations of a step beside f. */
static const double plain_step = 400;
static const double past_step = 1200; /* formulas on unequal steps need their coefficients anew */
static const double systems_step = 3000; /* several small systems, and an iteration with them */
static const double fractions_step = 600;
/* Of an iteration, a step: evaluations a stage, of which a second one is for the convergence;
 * factors and Jacobians serve for ten and for twenty steps. */
static const double iterations = 2, factors_a_step = 0.1, jacobians_a_step = 0.05;
static const double closings = 4;           /* iterations for algebraic variables, to round-off */
static const double broyden_iterations = 5; /* without a Jacobian */
static const double fill_in = 2;            /* entries of sparse factors over those of J */
/* Functions of matrices: some 30 products of dense matrices each, whose loops do two operations at
 * once, after what any size costs; of large ones, four Krylov spaces. */
enum { DENSE_FUNCTIONS = 100, KRYLOV_SPACES = 4, DIMENSION = 30 };
static const double any_function = 5e3, products = 30, krylov_product = 10;
static const double after_functions = 3; /* evaluations of f and of what is not linear in it */
/* work of an expansion over that of its p (p + 1) products */
static const double series_terms = 0.75;

double gt_usual_work(const gt_problem *p) { return per_state * (double)gt_problem_size(p); }

bool gt_has_past(const gt_method *method)
{
    return method->formula_of || (method->formula && method->formula->steps > 1);
}

/* Evaluations of a method that does not state them: as many as the products of an expansion up to
 * its order. */
static double evaluations_to(int order) { return order * (order + 1) / 2.0; }

/* Operations of a step beside f, which small problems feel. */
static double overhead(const gt_problem *p, const gt_method *method, const gt_facts *facts)
{
    if (facts->stages > 1) return p->linear ? fractions_step : systems_step;
    return gt_has_past(method) ? past_step : plain_step;
}

/* Operations of a solution with factors, and of a factorisation. */
static void linear_cost(const gt_problem *p, double *solve, double *factor)
{
    double n = (double)gt_problem_size(p);
    if (p->jac_pattern.storage == GT_DENSE) {
        *solve = 2 * n * n;
        *factor = 2.0 / 3 * n * n * n;
        return;
    }
    gt_matrix J = {.n = gt_problem_size(p), .pattern = p->jac_pattern};
    double entries = (double)gt_matrix_entries(&J);
    *solve = 2 * fill_in * entries;
    *factor = 2 * fill_in * entries * entries / n;
}

/* Symmetric steps of one size: the linear part and its functions are those of the start. */
static bool made_once(const gt_facts *facts)
{
    return facts->functions && facts->flags & GT_SYMMETRIC;
}

/* Operations for the functions of matrices of a step. */
static double functions_cost(const gt_problem *p, const gt_facts *facts)
{
    double d = (double)(facts->flags & GT_NEEDS_PARTITION ? p->n_fast : gt_problem_size(p));
    if (made_once(facts) && d <= DENSE_FUNCTIONS) return 6 * d * d;
    double dense = any_function + products * d * d * d;
    double krylov =
        KRYLOV_SPACES * (2.0 * DIMENSION * DIMENSION * d + DIMENSION * krylov_product * d);
    double each = d <= DENSE_FUNCTIONS ? dense : krylov;
    return facts->functions * each;
}

/* Operations to solve the algebraic equations where an explicit method calls f. */
static double closing_cost(const gt_problem *p, double calls)
{
    double solve, factor;
    linear_cost(p, &solve, &factor);
    return factor + calls * closings * (solve + per_state * (double)p->n_alg);
}

double gt_step_cost(const gt_problem *p, const gt_method *method, const gt_facts *facts)
{
    assert(p && method && facts);
    assert(gt_problem_size(p) > 0);
    double n = (double)gt_problem_size(p), per_f = gt_usual_work(p), solve, factor;
    double extra = overhead(p, method, facts) / per_f;
    if (!(facts->flags & GT_USES_JACOBIAN) && facts->stages > 1)
        return extra + broyden_iterations * facts->stages;
    double jacobian = p->jac ? 1 : n;
    if (!(facts->flags & GT_USES_JACOBIAN)) {
        double calls = facts->evaluations > 0 ? facts->evaluations : evaluations_to(facts->order);
        extra += p->n_alg ? closing_cost(p, calls) / per_f + jacobian : 0;
        return extra + calls * (1 + facts->call_operations / per_f);
    }
    if (made_once(facts)) return extra + facts->evaluations + functions_cost(p, facts) / per_f;
    if (facts->functions)
        return extra + jacobian + after_functions + functions_cost(p, facts) / per_f;
    linear_cost(p, &solve, &factor);
    double stages = facts->stages > 0 ? facts->stages : 1,
           systems = facts->systems > 0 ? facts->systems : 1;
    if (facts->kind == GT_KIND_LINEARLY_IMPLICIT)
        return stages + jacobian + extra + (stages * solve + factor) / per_f;
    if (stages > 1 && p->linear) /* partial fractions: one solve with each system, no iteration */
        return 1 + extra + systems * (solve + factors_a_step * factor) / per_f;
    return iterations * stages + (stages > 1 ? stages : 0) + extra +
           systems * (iterations * solve + factors_a_step * factor) / per_f +
           jacobians_a_step * jacobian;
}

double gt_slow_share(const gt_problem *p)
{
    const gt_work *w = &p->work;
    if (w->full > 0 && w->slow > 0) return fmin(1, w->slow / w->full);
    return (double)p->n_slow / (double)gt_problem_size(p);
}

double gt_fast_share(const gt_problem *p)
{
    const gt_work *w = &p->work;
    if (w->full > 0 && w->fast > 0) return fmin(1, w->fast / w->full);
    return 1 - gt_slow_share(p);
}

double gt_work_done(const gt_problem *p, const gt_method *method, const gt_facts *facts,
                    const gt_stats *s)
{
    assert(p && method && facts && s);
    double per_f = fmax(gt_usual_work(p), p->work.full);
    double steps = (double)(s->steps + s->rejected), solve, factor;
    double operations = steps * (overhead(p, method, facts) + functions_cost(p, facts));
    linear_cost(p, &solve, &factor);
    if (!facts->functions)
        operations += (double)s->newton * solve + (double)s->factorizations * factor;
    if (facts->kind == GT_KIND_LINEARLY_IMPLICIT) operations += steps * facts->stages * solve;
    operations += facts->call_operations * (double)s->rhs;
    double expansions = (double)s->taylor * series_terms * facts->order * (facts->order + 1);
    return (double)s->rhs + expansions + gt_slow_share(p) * (double)s->rhs_slow +
           gt_fast_share(p) * (double)s->rhs_fast + (p->jac ? (double)s->jacobians : 0) +
           operations / per_f;
}

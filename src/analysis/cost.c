/* SPDX-License-Identifier: BSD-3-Clause */
/* What a step costs, by counting operations; f is taken to cost 10 a state where the problem does not say. */
#include "analysis/advice.h"
#include <math.h>

bool gt_has_past(const gt_method *method)
{
    return method->formula_of || (method->formula && method->formula->steps > 1);
}

/* Operations of a step beside f, which small problems feel; formulas on unequal steps need coefficients anew, and
 * methods with several systems have several small solutions. */
static double overhead(const gt_problem *p, const gt_method *method, const gt_facts *facts)
{
    if (facts->stages > 1) return p->linear ? 600 : 3000;
    return gt_has_past(method) ? 1200 : 400;
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
    *solve = 4 * entries; /* twice the entries of J, for fill-in */
    *factor = 4 * entries * entries / n;
}

/* Operations for the functions of matrices of a step: some 30 products of dense matrices each, whose loops do two
 * operations at once; of large ones, four Krylov spaces of 30 dimensions. */
static double functions_cost(const gt_problem *p, const gt_facts *facts)
{
    enum { DENSE = 100, DIMENSION = 30 };
    double d = (double)(facts->flags & GT_NEEDS_PARTITION ? p->n_fast : gt_problem_size(p));
    double each = d <= DENSE ? 5e3 + 30 * d * d * d : 4 * (2.0 * DIMENSION * DIMENSION * d + DIMENSION * 10 * d);
    return facts->functions * each;
}

double gt_step_cost(const gt_problem *p, const gt_method *method, const gt_facts *facts)
{
    double n = (double)gt_problem_size(p), per_f = 10 * n, extra = overhead(p, method, facts) / per_f, solve, factor;
    if (!(facts->flags & GT_USES_JACOBIAN) && facts->stages > 1) return extra + 5 * facts->stages;
    if (!(facts->flags & GT_USES_JACOBIAN))
        return extra + (facts->evaluations > 0 ? facts->evaluations : facts->order * (facts->order + 1) / 2.0);
    double jacobian = p->jac ? 1 : n;
    if (facts->functions) return extra + jacobian + 3 + functions_cost(p, facts) / per_f;
    linear_cost(p, &solve, &factor);
    double stages = facts->stages > 0 ? facts->stages : 1, systems = facts->systems > 0 ? facts->systems : 1;
    if (facts->flags & GT_ROSENBROCK) return stages + jacobian + extra + (stages * solve + factor) / per_f;
    if (stages > 1 && p->linear) /* partial fractions: one solve with each system, no iteration */
        return 1 + extra + systems * (solve + 0.1 * factor) / per_f;
    return 2 * stages + (stages > 1 ? stages : 0) + extra + systems * (2 * solve + 0.1 * factor) / per_f +
           0.05 * jacobian;
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

double gt_work_done(const gt_problem *p, const gt_method *method, const gt_facts *facts, const gt_stats *s)
{
    double n = (double)gt_problem_size(p), per_f = fmax(10 * n, p->work.full);
    double steps = (double)(s->steps + s->rejected), solve, factor;
    double operations = steps * (overhead(p, method, facts) + functions_cost(p, facts));
    linear_cost(p, &solve, &factor);
    if (!facts->functions) operations += (double)s->newton * solve + (double)s->factorizations * factor;
    if (facts->flags & GT_ROSENBROCK) operations += steps * facts->stages * solve;
    if (facts->flags & GT_STABILIZED) operations += 300 * (double)s->rhs;
    double expansions = (double)s->taylor * 0.75 * facts->order * (facts->order + 1);
    return (double)s->rhs + expansions + gt_slow_share(p) * (double)s->rhs_slow +
           gt_fast_share(p) * (double)s->rhs_fast + (p->jac ? (double)s->jacobians : 0) + operations / per_f;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a stabilized explicit method (`smes`) costs on a given spectrum. Steps of size H follow the
 * modes up to a size s with H s < 2.5, and K small steps before each of six slopes damp the real
 * ones above, from low to high, if there is a gap: with Chebyshev spacing K = arccosh(50 H high) /
 * arccosh((high + low)/(high - low)), and they take about K / sqrt(low high) of time, which is to
 * be below 0.14 H. Or a Chebyshev method of order 2 goes over all of them with sqrt(1.5 h radius)
 * calls. The least of all is taken.
 */
#include "analysis/advice.h"
#include <assert.h>
#include <math.h>

static double size_of(const gt_spectrum *p, size_t i)
{
    return hypot(p->values[2 * i], p->values[2 * i + 1]);
}

static bool decays(const gt_spectrum *p, size_t i)
{
    return p->values[2 * i] < 0 && fabs(p->values[2 * i + 1]) < 0.05 * size_of(p, i);
}

static double projective(double H, double low, double high)
{
    double K = fmax(1, ceil(acosh(fmax(1, 50 * H * high)) /
                            acosh((high + low) / fmax(high - low, 1e-6 * high))));
    return K / sqrt(low * high) < 0.14 * H ? (7 * K + 6) / H : INFINITY;
}

/* Calls of f in a unit of time at one point; values are sorted, largest first. */
static double calls_at(const gt_spectrum *p, double h5, double h2)
{
    double radius = p->count ? size_of(p, 0) : 0,
           best = 6 / fmin(h5, radius > 0 ? 2.5 / radius : INFINITY);
    size_t fast = 0;
    for (; fast < p->count && decays(p, fast); fast++) {
        double slow = fast + 1 < p->count ? size_of(p, fast + 1) : 0,
               H = fmin(h5, slow > 0 ? 2.5 / slow : INFINITY);
        best = fmin(best, projective(H, size_of(p, fast), radius));
    }
    bool all_decay = fast == p->count || h2 * size_of(p, fast) < 1;
    if (all_decay && radius > 0) best = fmin(best, (1 + sqrt(1 + 1.54 * h2 * radius)) / h2);
    return best;
}

double gt_stabilized_calls(const gt_advice *a)
{
    assert(a && a->n_points > 0);
    const gt_method *pair = gt_method_for(GT_ROLE_NONSTIFF);
    gt_values v = gt_params_default(pair->options);
    gt_facts facts = gt_method_facts(pair, v.v);
    double radius_of_convergence = a->span / fmax(a->radii, 1e-3), sum = 0;
    double h5 = radius_of_convergence /
                gt_steps_per_radius(gt_error_law_of(pair, &facts, NULL, facts.order), a->rtol);
    double h2 = radius_of_convergence /
                gt_steps_per_radius((gt_error_law){.constant = 1.0 / 15, .exponent = 3}, a->rtol);
    for (size_t k = 0; k < a->n_points; k++) sum += calls_at(&a->points[k], h5, h2);
    return a->span * sum / (double)a->n_points;
}

double gt_stabilized_cost(const gt_problem *problem, const gt_facts *facts)
{
    return 1 + facts->call_operations / gt_usual_work(problem);
}

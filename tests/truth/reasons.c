/* SPDX-License-Identifier: BSD-3-Clause */
/* The reasons that excuse an error beyond 100 tol, of which one that excuses nothing is stale and
 * fails the test; and the defects that are known. */
#include "truth.h"
#include <math.h>
#include <string.h>

static gt_facts facts_of(const truth_run *run)
{
    gt_values v = gt_params_default(run->method->options);
    return gt_method_facts(run->method, v.v);
}

/*
 * N local errors of up to tol each, relative to the size that the solution has by then: (1 + e)^N -
 * 1 in all, times what the problem makes of them. e is tol for the root mean square of the n
 * states, so up to sqrt(n) tol for one of them (at most 10, core/norm.h), and a linear multistep
 * formula passes on a local error as 1/sigma(1) = 1/sum b_i of it.
 */
static bool sum_of_local_errors(const truth_run *run)
{
    double e = run->rtol * fmin(sqrt(run->states), 10), sigma = 0;
    const gt_multistep *formula = run->method->formula;
    for (int i = 0; formula && i <= GT_MAX_PAST; i++) sigma += gt_ratio_value(formula->b[i]);
    if (formula) e /= sigma;
    return run->error <=
           expm1((double)run->steps * e) / run->rtol * truth_bound(run->problem) / 100;
}

/* At order p a run takes N ~ tol^(-1/(p+1)) steps: thousands at order 1 and 2. */
static bool low_order(const truth_run *run)
{
    return facts_of(run).order <= 2 && sum_of_local_errors(run);
}

/* Where the error of the solution that is carried on is what the estimate estimates, a step makes
 * full use of tol; with local extrapolation (dopri5 and most others) it commits far less. */
static bool own_error(const truth_run *run)
{
    gt_facts facts = facts_of(run);
    bool own = facts.error_order >= facts.order;
    if (run->linear && !strcmp(run->method->family, "backinterpolation"))
        own = true; /* from R(z) - exp z */
    return facts.order > 2 && own && sum_of_local_errors(run);
}

/* Errors of steps that stay for ever: more than 50 periods, or as many e-foldings of growth. */
static bool long_span(const truth_run *run)
{
    return run->problem->kind == TRUTH_LONG && sum_of_local_errors(run);
}

/* e_left - e_right, of which a part cancels: at the default alpha = 0.45 half of the error at a
 * jump may. */
static bool as_published(const truth_run *run)
{
    return !strcmp(run->method->name, "birkf") && run->error <= 2 * truth_bound(run->problem);
}

const truth_reason truth_reasons[] = {
    {.name = "low order",
     .text = "order 1 or 2: the local errors of N steps, each below the tolerance, add up to N tol "
             "at most",
     .explains = low_order},
    {.name = "no local extrapolation",
     .text = "the solution whose local error is estimated is carried on: N local errors add up to "
             "N tol at most",
     .explains = own_error},
    {.name = "long span",
     .text = "the solution goes through more than 50 periods or e-foldings, and N local errors add "
             "up to N tol at most",
     .explains = long_span},
    {.name = "as published",
     .text = "birkf is the algorithm of the thesis with its own estimate, of which a part cancels: "
             "up to 200 tol",
     .explains = as_published},
    {0},
};

/* None: the mechanism stays, for what a new problem shows. */
const truth_defect truth_defects[] = {
    {0},
};

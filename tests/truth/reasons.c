/* SPDX-License-Identifier: BSD-3-Clause */
/* The reasons that excuse an error beyond 100 tol. One that excuses nothing is stale and fails the test. */
#include "truth.h"

static gt_facts facts_of(const truth_run *run)
{
    gt_values v = gt_params_default(run->method->options);
    return gt_method_facts(run->method, v.v);
}

/* N local errors of up to tol each, as the problem makes them grow. */
static bool sum_of_local_errors(const truth_run *run)
{
    return run->error <= (double)run->steps * truth_bound(run->problem) / 100;
}

/* At order p a run takes N ~ tol^(-1/(p+1)) steps: thousands at order 1 and 2. */
static bool low_order(const truth_run *run) { return facts_of(run).order <= 2 && sum_of_local_errors(run); }

/* Where the error of the solution that is carried on is what the estimate estimates, a step makes full use of tol;
 * with local extrapolation (dopri5 and most others) it commits far less. */
static bool own_error(const truth_run *run)
{
    gt_facts facts = facts_of(run);
    return facts.order > 2 && facts.error_order >= facts.order && sum_of_local_errors(run);
}

const truth_reason truth_reasons[] = {
    {.name = "low order",
     .text = "order 1 or 2: the local errors of N steps, each below the tolerance, add up to N tol at most",
     .explains = low_order},
    {.name = "no local extrapolation",
     .text = "the solution whose local error is estimated is carried on: N local errors add up to N tol at most",
     .explains = own_error},
    {0},
};

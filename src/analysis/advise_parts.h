/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_SRC_ADVISE_PARTS_H
#define GEARTRAIN_SRC_ADVISE_PARTS_H

#include <geartrain/advise.h>
#include <geartrain/stability.h>

/* Runs the method along the problem and keeps points of the solution, half of them evenly spaced by accepted steps and
 * half by time; sets what is known from the run alone. The status is that of the run. */
gt_status gt_advice_run(const gt_problem *problem, const gt_method *method, const gt_plan *plan, size_t wanted,
                        gt_advice *out, gt_arena *arena, gt_message *message) GT_MUST_CHECK;

/* From the spectra at the points: stiffness, oscillation, steps that stability demands. */
void gt_advice_judge(gt_advice *advice);

/* Sentences about classes of methods, then each method with its work and its reason, best first. */
gt_status gt_advice_rank(const gt_problem *problem, const gt_method *const *methods, gt_advice *advice, gt_arena *arena,
                         gt_message *message) GT_MUST_CHECK;
void gt_advice_on_classes(const gt_problem *problem, gt_advice *advice);

/*
 * Cost of a step in evaluations of f, by counting operations: an explicit method's evaluations; an implicit method's
 * two evaluations, two solutions with factors, a tenth of a factorisation and a twentieth of a Jacobian; and what a
 * step costs beside. f is taken to cost 10 operations a state.
 */
double gt_step_cost(const gt_problem *problem, const gt_method *method, const gt_facts *facts);

/* Calls of f of a method with GT_STABILIZED to the end, from the spectra at the points; and what a call costs with all
 * that is beside it, in evaluations of f (300 operations, where f has 10 a state). */
double gt_stabilized_calls(const gt_advice *advice);
double gt_stabilized_cost(const gt_problem *problem);

/* gt_stable_step for a method that has been opened. */
double gt_amplifier_step(const gt_amplifier *amplifier, const double *values, size_t count);

/*
 * What a step of size h does wrong is taken to be constant exponent! (h / r)^exponent with r the radius within which
 * the series of the solution converges, since then the k-th derivative grows like k! / r^k. `constant` is the leading
 * term of the error on x' = x, or of its estimate where steps are controlled by one.
 */
typedef struct gt_error_law {
    double constant;
    int exponent;
} gt_error_law;

gt_error_law gt_error_law_of(const gt_method *method, const gt_facts *facts, const gt_amplifier *amplifier, int order);

/* Steps of such a size that the error is tol, in a time of one radius. */
double gt_steps_per_radius(gt_error_law law, double tol);

/* Rounded to two digits, for "%.7g": 230, 12000. */
double gt_two_digits(double value);

#endif

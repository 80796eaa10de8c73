/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ANALYSIS_ADVICE_H
#define GEARTRAIN_ANALYSIS_ADVICE_H

#include <geartrain/analysis/advise.h>
#include <geartrain/analysis/stability.h>

/* gt_choose_method as far as pilot runs of dopri5, gear and smes go. */
gt_status gt_choose_by_pilot(const gt_problem *problem, const gt_plan *plan,
                             const gt_method **method, gt_message *why) GT_MUST_CHECK;

/* The rest of gt_choose_method: puts another in the place of the method chosen so far where that
 * pays on a problem with a fast block (choose_trial.c). */
gt_status gt_choose_by_trial(const gt_problem *problem, const gt_plan *plan,
                             const gt_method **method, gt_message *why) GT_MUST_CHECK;

/* Runs the method along the problem and keeps points of the solution, half of them evenly spaced by
 * accepted steps and half by time; sets what is known from the run alone. The status is that of the
 * run. */
gt_status gt_advice_run(const gt_problem *problem, const gt_method *method, const gt_plan *plan,
                        size_t wanted, gt_advice *out, gt_arena *arena,
                        gt_message *message) GT_MUST_CHECK;

/* From the spectra at the points: stiffness, oscillation, steps that stability demands. */
gt_status gt_advice_judge(gt_advice *advice) GT_MUST_CHECK;

/* Sentences about classes of methods, then each method with its work and its reason, best first. */
gt_status gt_advice_rank(const gt_problem *problem, const gt_plan *plan,
                         const gt_method *const *methods, gt_advice *advice, gt_arena *arena,
                         gt_message *message) GT_MUST_CHECK;
void gt_advice_on_classes(const gt_problem *problem, gt_advice *advice);

/*
 * Cost of a step in evaluations of f, by counting operations: an explicit method's evaluations; an
 * implicit method's two evaluations, two solutions with factors, a tenth of a factorisation and a
 * twentieth of a Jacobian; and what a step costs beside. f is taken to cost 10 operations a state.
 */
double gt_step_cost(const gt_problem *problem, const gt_method *method, const gt_facts *facts);

/* The same for a run, from its counters. */
double gt_work_done(const gt_problem *problem, const gt_method *method, const gt_facts *facts,
                    const gt_stats *stats);

bool gt_has_past(const gt_method *method); /* a multistep method */

/* What a call of the slow block costs, and one of the fast, in calls of f: by what the problem says
 * or by the number of states. What both need counts in both. */
double gt_slow_share(const gt_problem *problem);
double gt_fast_share(const gt_problem *problem);

/* gt_split_find for a Jacobian that is there. */
gt_status gt_split_by_graph(const gt_problem *problem, const gt_matrix *J, gt_split *out,
                            gt_arena *arena) GT_MUST_CHECK;

/* Methods tried on stretches of the problem itself, beside a tight run (trial.c). */
enum { GT_TRIAL_TIMES = 12, GT_TRIAL_STRETCHES = 3 };
typedef struct gt_stretch {
    double t0, t1;
    const double *x0;
} gt_stretch;

typedef struct gt_trials {
    const gt_problem *problem;
    size_t n;
    gt_stretch stretch[GT_TRIAL_STRETCHES];
    size_t n_stretches;
    double rtol;
    double budget;                 /* what all runs together may take yet, in evaluations of f */
    double *times, *exact, *found; /* of each stretch, one after the other */
    double *floor, *size,
        *atol; /* of each state: atol / rtol; that and its largest size; scratch */
    const volatile int *interrupted;
    double h0;      /* the first step; 0: as the run finds it */
    gt_stats spent; /* by all runs */
    double work;    /* the same in evaluations of f */
} gt_trials;

typedef struct gt_trial {
    double work;      /* in evaluations of f, for an error of rtol times the `size` of each state */
    double error;     /* of the run nearest to that, */
    double rtol;      /* its tolerance */
    long steps;       /* and its steps */
    gt_status status; /* not GT_OK: the run failed, or would have taken more work than allowed, and
                         `work` is infinite */
} gt_trial;

/* Lays out what the runs need; there is nothing in `exact`. */
gt_status gt_trials_lay(gt_trials *trials, const gt_problem *problem, const gt_stretch *stretch,
                        size_t count, const gt_plan *plan, double budget,
                        gt_arena *arena) GT_MUST_CHECK;

/* A run over all stretches at rtol, with the states at their times in x; GT_TOO_MANY_STEPS: it
 * would take more work than `most`. */
gt_status gt_trial_run(gt_trials *trials, const gt_method *method, double rtol, double most,
                       double *x, gt_trial *out) GT_MUST_CHECK;

/* The same, and then a tight run of `tight`, at tight_rtol, for `exact`. */
gt_status gt_trials_open(gt_trials *trials, const gt_problem *problem, const gt_method *tight,
                         double tight_rtol, const gt_stretch *stretch, size_t count,
                         const gt_plan *plan, double budget, gt_arena *arena) GT_MUST_CHECK;

/* One run at the tolerance: its work and its error as they are. */
gt_status gt_try_once(gt_trials *trials, const gt_method *method, double most,
                      gt_trial *out) GT_MUST_CHECK;

/* Several runs, for the work at an error of rtol. */
gt_status gt_try_method(gt_trials *trials, const gt_method *method, double most,
                        gt_trial *out) GT_MUST_CHECK;

/* Tries methods of the list in advice->methods, and puts what that took in the place of their
 * estimates. */
gt_status gt_advice_try(const gt_problem *problem, const gt_plan *plan, gt_advice *advice,
                        gt_arena *arena, gt_message *message) GT_MUST_CHECK;

/* Methods that look after themselves: they control their error, and begin anew without small steps.
 */
bool gt_is_robust(const gt_method *method);

/* Is it one of two rates, and can the problem evaluate its blocks alone? */
bool gt_takes_two_rates(const gt_problem *problem, const gt_method *method);

/* Is it one whose steps eigenvalues do not tell, and can it treat the problem? */
bool gt_to_be_tried(const gt_problem *problem, const gt_method *method);

/* Calls of f of a stabilized method to the end, from the spectra at the points; and what a call
 * costs with all that is beside it, in evaluations of f. */
double gt_stabilized_calls(const gt_advice *advice);
double gt_stabilized_cost(const gt_problem *problem, const gt_facts *facts);

/* Operations of f, where the problem does not say. */
double gt_usual_work(const gt_problem *problem);

/* gt_stable_step and gt_coupled_step, which tell what is not known from what there was no memory to
 * find out: *h is NAN, and only the second is not GT_OK. Without a word of it advice would be
 * another one. */
gt_status gt_stable_limit(const gt_method *method, const char *options, const double *values,
                          size_t count, double *h) GT_MUST_CHECK;
gt_status gt_coupled_limit(const gt_problem *problem, const gt_spectrum *points, size_t count,
                           const gt_method *method, const char *options, double span,
                           double *h) GT_MUST_CHECK;

/* gt_stable_step for a method that has been opened. */
double gt_amplifier_step(const gt_amplifier *amplifier, const double *values, size_t count);

/*
 * What a step of size h does wrong is taken to be constant exponent! (h / r)^exponent with r the
 * radius within which the series of the solution converges, since then the k-th derivative grows
 * like k! / r^k. `constant` is the leading term of the error on x' = x, or of its estimate where
 * steps are controlled by one.
 */
typedef struct gt_error_law {
    double constant;
    int exponent;
} gt_error_law;

gt_error_law gt_error_law_of(const gt_method *method, const gt_facts *facts,
                             const gt_amplifier *amplifier, int order);

/* Steps of such a size that the error is tol, in a time of one radius. */
double gt_steps_per_radius(gt_error_law law, double tol);

/* Rounded to two digits, for "%.7g": 230, 12000. */
double gt_two_digits(double value);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CONTROL_H
#define GEARTRAIN_CONTROL_H

#include <geartrain/api.h>
#include <geartrain/status.h>
#include <stdbool.h>

GT_C_BEGIN

/*
 * Step-size selection as numbers. With E the error of a trial measured so that 1 is just acceptable
 * and q the exponent of h in it, a filter sets
 *
 *     h_next = safety E_n^(-beta[0]/q) E_(n-1)^(-beta[1]/q) E_(n-2)^(-beta[2]/q)
 * (h_n/h_(n-1))^(-alpha) h_n
 *
 * comes to rest at E = safety^(q/(beta[0] + beta[1] + beta[2])). One that is `aimed` has E/safety^q
 * in the place of E and nothing in front, and comes to rest at E = safety^q, whatever the betas;
 * one that is `bounded` is never beyond the elementary rule, safety E_n^(-1/q) h_n.
 *
 * The two-bound rule of crow 5.6 looks at the largest component of the unscaled error instead:
 * accepted up to `upper`, h kept while it is at least `lower`, else h_next = (target/eps)^(1/q)
 * h_n.
 *
 * The plain rule of xie (3.15), as in the ode45 of 1987, is h_next = safety E^(-1/q) h_n after good
 * and bad trials alike, with E = max_i |e_i| / (rtol max(max_i |x_i|, 1)); first and largest step
 * are fractions of the interval.
 */
typedef enum gt_control_kind { GT_FILTER, GT_BOUNDS, GT_PLAIN } gt_control_kind;

typedef struct gt_control {
    const char *name, *title;
    gt_control_kind kind;
    double beta[3], alpha;
    double safety, min_factor, max_factor;
    bool aimed, bounded; /* GT_FILTER */
    double keep; /* GT_FILTER: h is kept while it could grow by less than this factor; 0: never */
    double lower, upper, target; /* GT_BOUNDS */
    bool always_rescale; /* GT_BOUNDS: item 4 of the rule as printed: rescale whenever eps <= upper
                          */
    bool repeat_small; /* GT_BOUNDS: the "commercial" variant: eps < lower is repeated with a larger
                          step */
    bool maximum_norm; /* GT_FILTER: largest scaled component instead of the root mean square */
    double first, largest; /* GT_PLAIN */
    double reserved[2];
} gt_control;

/* All named controllers; ends with NULL. */
GT_API const gt_control *const *gt_control_list(void);
GT_API const gt_control *gt_control_find(const char *name);

/* "pi", or "bounds:lower=1e-6,upper=1e-4,target=1e-5", "pid:safety=0.8": a named controller with
 * numbers changed. */
GT_API gt_status gt_control_parse(const char *text, gt_control *control,
                                  gt_message *message) GT_MUST_CHECK;

/* What the filter remembers of accepted steps. */
typedef struct gt_control_memory {
    double error[2], h_last; /* newest first */
    int known;
    double trial;              /* error of the trial judged last */
    double keep_from;          /* the error at which h could grow by `keep` */
    double keep_to;            /* the error up to which h is kept */
    double aim;                /* ln of the error at rest, of a filter that is `aimed` */
    int free_steps, free_next; /* steps that may change h at will: keeping it was seen to save no
                                  factorisation */
    double failed, failed_h;   /* error and size of the trial rejected last */
} gt_control_memory;

typedef struct gt_verdict {
    bool accept;
    double h_next; /* for the next step, or for the next trial when not accepted */
} gt_verdict;

/* Forgets all steps; q is the exponent of h in the error. */
GT_API void gt_control_begin(gt_control_memory *memory, const gt_control *control, int q);

/* The verdict on a trial of size h with error E and exponent q, the `rejections`-th of this step in
 * a row. */
GT_API gt_verdict gt_control_judge(const gt_control *control, gt_control_memory *memory,
                                   double error, int q, double h, int rejections);

#define GT_KEEP_TO 0.9 /* the error up to which h is kept by filters that are not `aimed` */

/* Implicit methods whose factors are expensive: the next step, h or h_next. `again`: the trial was
 * of the size of the step before it; `factored`: it made new factors all the same. Where they are
 * not, h is kept while it could grow by less than a fifth, since the same h serves with the same
 * factors. */
GT_API double gt_control_keep_factors(gt_control_memory *memory, double h, double h_next,
                                      bool again, bool factored);

/* `count` steps of size h were kept; errors of the last two, newest first. */
GT_API void gt_control_kept(gt_control_memory *memory, const double errors[2], double h,
                            long count);

/* The trial judged last, of size h, became a step. */
GT_API void gt_control_remember(gt_control_memory *memory, double h);

GT_C_END

#endif

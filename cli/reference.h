/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CLI_REFERENCE_H
#define GEARTRAIN_CLI_REFERENCE_H

/* Errors against a reference. */
#include "args.h"
#include "report.h"

/* The exact solution, or two tight runs by methods of different kind, of which one is given and the
 * other shows how far it is to be trusted. */
typedef struct cli_reference {
    const gt_problem *problem;
    bool found; /* else `why` says why not */
    bool exact;
    const char *methods[2]; /* the two */
    const gt_method *first; /* of them */
    double rtol;            /* of both */
    double *x, *apart; /* n numbers at each time, and how far the other run is away there; apart
                          NULL: exact */
    size_t reached;    /* of the times: an event may end a run early */
    double spread;     /* the largest of `apart` */
    gt_message why;    /* what kept it from being tighter, if anything */
} cli_reference;

/* What is judged: times in the order of the run, and the largest step by which it came there (0:
 * not known). A reference takes no larger ones, so that it sees all that the judged run could see.
 */
typedef struct cli_judged {
    const double *times;
    size_t count;
    double h_largest;
} cli_judged;

/* Whether the reference is tight enough; asked for every tolerance. */
typedef bool cli_enough(const cli_reference *reference, void *ctx);

/* Two runs that fail, or Ctrl-C, are no failure of this: reference->found is false then. */
int gt_cli_reference(const cli_args *args, const gt_problem *problem, const cli_judged *judged,
                     gt_arena *arena, cli_enough *enough, void *ctx, cli_reference *out);

/* The solution for its own sake. */
int gt_cli_solution(const cli_args *args, const gt_problem *problem, const double *times,
                    size_t count, gt_arena *arena, cli_reference *out);

/* "tight runs of dop853 and gear, which differ by 2e-11"; why an error is not certain. */
const char *gt_cli_reference_text(const cli_reference *r, char *buffer, size_t size);
const char *gt_cli_doubt_text(const cli_reference *r, char *buffer, size_t size);

/* A time that grows along the run, also where t1 lies before t0. */
static inline double gt_cli_along(const gt_problem *problem, double t)
{
    return problem->t1 < problem->t0 ? -t : t;
}

/* Whether a sample at t is the one asked for at `wanted`: a step that ends next to it counts as
 * there. */
bool gt_cli_same_time(const gt_problem *problem, double t, double wanted);

/* Errors max_i |e_i| / (1 + |x_i|) in the order of the run. `run` and `compare` take the steps, or
 * the points of
 * --every. */
typedef struct cli_error {
    double final, max;             /* at the last time, and the largest */
    double apart_final, apart_max; /* the same of the difference of the two runs of the reference */
    double t_max;                  /* when the largest was, */
    size_t component;              /* and in which state */
    size_t points;
} cli_error;

/* One more point, of which the reference is at index k of its times. */
void gt_cli_error_add(cli_error *error, size_t n, double t, const double *x,
                      const cli_reference *reference, size_t k);

/* Whether the reference is good to a tenth of the error. */
bool gt_cli_final_certain(const cli_error *error);
bool gt_cli_max_certain(const cli_error *error);
/* Drops the warning about the local errors of fixed steps: the error itself is shown. */
void gt_cli_error_is_known(gt_report *report);

/* Its fields in a report; a getter of the object `error` calls the function. */
extern const report_field gt_report_error[];
void gt_cli_report_error(report_value *out, const cli_error *error, const cli_reference *reference);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_STATUS_H
#define GEARTRAIN_STATUS_H

#include <geartrain/api.h>

GT_C_BEGIN

#if defined(__GNUC__)
#define GT_MUST_CHECK __attribute__((warn_unused_result))
#define GT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define GT_MUST_CHECK
#define GT_PRINTF(fmt, args)
#endif

/*
 * Every function that can fail returns a gt_status.
 *   0    ok
 *   > 0  recoverable: the trial failed, a smaller step may succeed
 *   < 0  final
 * X(symbol, value, name, meaning)
 */
#define GT_STATUS_LIST(X)                                                                          \
    X(GT_OK, 0, "ok", "finished")                                                                  \
    X(GT_TRY_RHS, 1, "try_rhs", "the right-hand side asks for a smaller step")                     \
    X(GT_TRY_NOT_FINITE, 2, "try_not_finite", "a trial step produced NaN or Inf")                  \
    X(GT_TRY_NEWTON, 3, "try_newton", "the Newton iteration of a trial step did not converge")     \
    X(GT_TRY_SINGULAR, 4, "try_singular", "the Newton matrix of a trial step is singular")         \
    X(GT_TRY_KRYLOV, 5, "try_krylov",                                                              \
      "a function of a large matrix did not converge in a trial step")                             \
    X(GT_BAD_ARGUMENT, -1, "bad_argument",                                                         \
      "an argument is missing, out of range or contradicts another")                               \
    X(GT_UNKNOWN_NAME, -2, "unknown_name", "no method, model, option or variable has this name")   \
    X(GT_NO_MEMORY, -3, "no_memory", "out of memory")                                              \
    X(GT_WORKSPACE_SMALL, -4, "workspace_small",                                                   \
      "the workspace given is smaller than the method needs")                                      \
    X(GT_UNSUPPORTED, -5, "unsupported", "the method cannot treat this kind of problem")           \
    X(GT_TOO_MANY_STEPS, -6, "too_many_steps", "the limit on the number of steps was reached")     \
    X(GT_STEP_TOO_SMALL, -7, "step_too_small", "the step size fell below its minimum")             \
    X(GT_TOO_MANY_REJECTIONS, -8, "too_many_rejections", "too many trials in a row were rejected") \
    X(GT_NOT_FINITE, -9, "not_finite", "the solution became NaN or Inf")                           \
    X(GT_RHS_FAILED, -10, "rhs_failed",                                                            \
      "the right-hand side or another function of the problem failed")                             \
    X(GT_NEWTON_FAILED, -11, "newton_failed", "the Newton iteration did not converge")             \
    X(GT_SINGULAR, -12, "singular", "a matrix is singular")                                        \
    X(GT_INCONSISTENT, -13, "inconsistent",                                                        \
      "the algebraic equations cannot be satisfied by the initial values")                         \
    X(GT_SINK_REFUSED, -14, "sink_refused", "a receiver of output refused a sample")               \
    X(GT_IO, -15, "io", "a file could not be read or written")                                     \
    X(GT_INTERRUPTED, -16, "interrupted", "the run was interrupted")                               \
    X(GT_EVENTS_PILE_UP, -17, "events_pile_up", "events come with no time between them")           \
    X(GT_BUSY, -18, "busy",                                                                        \
      "a call of this run is under way, in another thread or around this one")                     \
    X(GT_OTHER_VERSION, -19, "other_version",                                                      \
      "the program was compiled with headers of another version")

typedef enum gt_status {
#define GT_STATUS_ENUM(symbol, value, name, meaning) symbol = (value),
    GT_STATUS_LIST(GT_STATUS_ENUM)
#undef GT_STATUS_ENUM
} gt_status;

/* "step_too_small" and the like: stable, for scripts. */
GT_API const char *gt_status_name(gt_status status);

/* The meaning as a clause, for people. */
GT_API const char *gt_status_text(gt_status status);

/* A message for people: what happened, where, what to try. */
typedef struct gt_message {
    char text[640];
} gt_message;

/* Writes the message (which may be NULL) and returns the status: `return gt_fail(m, GT_IO, "...")`.
 */
GT_API gt_status gt_fail(gt_message *message, gt_status status, const char *format, ...)
    GT_PRINTF(3, 4);

/* GT_BAD_ARGUMENT, with a message that names the function and its arguments. */
GT_API gt_status gt_fail_null(gt_message *message, const char *function, const char *pointers);

/* For functions that answer a wrong call with an error message instead of a crash:
 * GT_ARMOR(message, problem && x). Nothing that is called inside a step has it. */
#define GT_ARMOR(message, pointers)                                                                \
    do {                                                                                           \
        if (!(pointers)) return gt_fail_null(message, __func__, #pointers);                        \
    } while (0)

/* Appends to the message. */
GT_API void gt_say_more(gt_message *message, const char *format, ...) GT_PRINTF(2, 3);

/* Reasons not to trust a result as it is, one message each. What finds no room is counted. */
enum { GT_MOST_WARNINGS = 4 };
typedef struct gt_warnings {
    int count, left_out;
    gt_message list[GT_MOST_WARNINGS];
} gt_warnings;

/* Adds a message unless it is there already; warnings may be NULL: they are dropped. */
GT_API void gt_warn(gt_warnings *warnings, const char *format, ...) GT_PRINTF(2, 3);

GT_C_END

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_RUN_H
#define GEARTRAIN_RUN_H

/*
 * A run that can be advanced, watched and changed: what gt_solve does in one call, step by step.
 *
 *     gt_run *run;
 *     if (gt_run_open(&run, &problem, method, &plan, &message)) ...
 *     for (double t = 0.1; t < 10; t += 0.1) {
 *         if (gt_run_advance(run, t, 0, NULL)) ...           read gt_run_x(run) at t
 *     }
 *     gt_run_close(run);
 *
 * Steps are as long as the error allows; what lies inside the last one comes from its dense output.
 * So a run in any number of pieces takes the same steps as gt_solve, to the last bit, unless it is
 * notified that something has changed. After gt_run_open nothing allocates, but for runs that slide
 * on a surface of a switch.
 *
 * The last step is accepted when the one after it is begun, or by gt_run_settle: until then its
 * dense output can be asked for, and sinks have not seen its end. An event is returned with the
 * state just before it; the next call, or gt_run_settle, applies it.
 *
 * One thread at a time: a call from a second one, or from inside f or a sink, gets GT_BUSY, and a
 * warning of the run says so later.
 */
#include <geartrain/api.h>
#include <geartrain/integrate.h>

GT_C_BEGIN

typedef struct gt_run gt_run;

typedef enum gt_reached {
    GT_REACHED_STEP,  /* the end of a step */
    GT_REACHED_TIME,  /* the time that was asked for */
    GT_REACHED_EVENT, /* an event; gt_run_fired says which */
    GT_REACHED_END    /* t1, or an event that ended the run */
} gt_reached;

/* How to advance; 0: steps may go beyond t, and x(t) comes from dense output; events are passed. */
enum {
    GT_ADVANCE_EXACTLY =
        1, /* f is not evaluated beyond t, where a step ends: inputs change there */
    GT_ADVANCE_TO_EVENTS = 2 /* stops at each event on the way */
};

/* What has changed, see gt_run_changed. */
enum { GT_CHANGED_STATE = 1, GT_CHANGED_EQUATIONS = 2 };

GT_API gt_status gt_run_measure_sized(const gt_problem *problem, size_t problem_size,
                                      const gt_method *method, const gt_plan *plan,
                                      size_t plan_size, size_t *bytes,
                                      gt_message *message) GT_MUST_CHECK;
/* The bytes of memory that gt_run_open_in needs. */
static inline GT_MUST_CHECK gt_status gt_run_measure(const gt_problem *problem,
                                                     const gt_method *method, const gt_plan *plan,
                                                     size_t *bytes, gt_message *message)
{
    return gt_run_measure_sized(problem, sizeof *problem, method, plan, sizeof *plan, bytes,
                                message);
}

GT_API gt_status gt_run_open_in_sized(gt_run **run, const gt_problem *problem, size_t problem_size,
                                      const gt_method *method, const gt_plan *plan,
                                      size_t plan_size, void *memory, size_t bytes,
                                      gt_message *message) GT_MUST_CHECK;
/* Starts at t0 and x0. The plan is copied; what it and the problem point to must live as long as
 * the run. t1 may lie before t0, and may be infinite. */
static inline GT_MUST_CHECK gt_status gt_run_open_in(gt_run **run, const gt_problem *problem,
                                                     const gt_method *method, const gt_plan *plan,
                                                     void *memory, size_t bytes,
                                                     gt_message *message)
{
    return gt_run_open_in_sized(run, problem, sizeof *problem, method, plan, sizeof *plan, memory,
                                bytes, message);
}

GT_API gt_status gt_run_open_sized(gt_run **run, const gt_problem *problem, size_t problem_size,
                                   const gt_method *method, const gt_plan *plan, size_t plan_size,
                                   gt_message *message) GT_MUST_CHECK;
/* The same in memory of its own. */
static inline GT_MUST_CHECK gt_status gt_run_open(gt_run **run, const gt_problem *problem,
                                                  const gt_method *method, const gt_plan *plan,
                                                  gt_message *message)
{
    return gt_run_open_sized(run, problem, sizeof *problem, method, plan, sizeof *plan, message);
}

/* To the end of the next step. */
GT_API gt_status gt_run_step(gt_run *run, gt_reached *reached) GT_MUST_CHECK;
/* To t, or to what comes before it; `how` is a sum of GT_ADVANCE_*. `reached` may be NULL. */
GT_API gt_status gt_run_advance(gt_run *run, double t, unsigned how,
                                gt_reached *reached) GT_MUST_CHECK;
/* Accepts the last step: sinks see it, an event that it ends at is applied. */
GT_API gt_status gt_run_settle(gt_run *run) GT_MUST_CHECK;

/* Where the run is, and the last step: its dense output may be asked for between these times. */
GT_API double gt_run_time(const gt_run *run);
GT_API const double *gt_run_x(const gt_run *run);
GT_API void gt_run_last_step(const gt_run *run, double *from, double *to);
GT_API gt_status gt_run_interpolate(gt_run *run, double t, double *x) GT_MUST_CHECK;
/* At an event: which roots have fired, n_roots flags; elsewhere NULL. */
GT_API const unsigned char *gt_run_fired(const gt_run *run);

/* The state has changed to x, or the equations have (a parameter, an input). A method keeps of its
 * history what is still right: all of it where f moved by less than the tolerance, the step size
 * where the method has no history. What the last step did beyond gt_run_time is discarded. x NULL:
 * the state is as it was. */
GT_API gt_status gt_run_changed(gt_run *run, unsigned what, const double *x) GT_MUST_CHECK;
GT_API gt_status gt_run_set_end(gt_run *run, double t1) GT_MUST_CHECK;
/* 0 and NULL: as before. The vectors have n numbers and are not copied. */
GT_API gt_status gt_run_set_tolerances(gt_run *run, double rtol, double atol,
                                       const double *rtol_vector,
                                       const double *atol_vector) GT_MUST_CHECK;
GT_API gt_status gt_run_set_sinks(gt_run *run, gt_sink *const *sinks, size_t n_sinks) GT_MUST_CHECK;
/* A time ahead at which f or its derivatives jump: a step ends there. Up to GT_RUN_MORE_BREAKS can
 * be ahead. */
enum { GT_RUN_MORE_BREAKS = 64 };
GT_API gt_status gt_run_add_break(gt_run *run, double t) GT_MUST_CHECK;

/* Why the last call was refused or failed; empty when it was not. GT_BUSY leaves none. */
GT_API const char *gt_run_message(const gt_run *run);
/* Counters so far. */
GT_API const gt_stats *gt_run_stats(const gt_run *run);
GT_API void gt_run_report_sized(const gt_run *run, gt_report *report, size_t report_size);
/* What has happened so far, with the message of the call that failed last and all warnings. */
static inline void gt_run_report(const gt_run *run, gt_report *report)
{
    gt_run_report_sized(run, report, sizeof *report);
}

GT_API gt_status gt_run_copy_sized(gt_run **copy, gt_run *run, const gt_problem *problem,
                                   size_t problem_size, const gt_plan *plan, size_t plan_size,
                                   gt_message *message) GT_MUST_CHECK;
/*
 * A second run that stands where the first one does and goes on with the same bits, in memory of
 * its own.
 *
 * `problem` NULL: the same, which the two then use in turn, in one thread; else one that is equal,
 * for another thread. `plan` NULL: the same, without sinks, x_end and message; else one that
 * differs in these, `interrupted` and `progress` only.
 */
static inline GT_MUST_CHECK gt_status gt_run_copy(gt_run **copy, gt_run *run,
                                                  const gt_problem *problem, const gt_plan *plan,
                                                  gt_message *message)
{
    return gt_run_copy_sized(copy, run, problem, sizeof *problem, plan, sizeof *plan, message);
}

/*
 * The whole run as bytes: history, controller, counters, sides of roots and switches, output that
 * is due, Jacobians and what their factors are made from. gt_run_restore gives a run on an equal
 * problem, with an equal plan, that goes on with the same bits, in another process too. Bytes that
 * are damaged, of another format, machine, version of the library, problem, method or plan are
 * refused with an error message that says which; the functions of the problem are compared by their
 * values at the start.
 *
 * `about` holds lines `name: value` of the caller's, which must be the same when the run is
 * restored: what tells its model and parameters from others; may be NULL. `extra` are bytes of the
 * caller's that are kept and given back.
 */
typedef struct gt_checkpoint {
    const char *about;
    const void *extra;
    size_t extra_bytes;
} gt_checkpoint;

GT_API gt_status gt_run_save_sized(gt_run *run, const gt_checkpoint *with, size_t with_size,
                                   void **bytes, size_t *count, gt_message *message) GT_MUST_CHECK;
/* The bytes are from malloc. `with` may be NULL. */
static inline GT_MUST_CHECK gt_status gt_run_save(gt_run *run, const gt_checkpoint *with,
                                                  void **bytes, size_t *count, gt_message *message)
{
    return gt_run_save_sized(run, with, sizeof *with, bytes, count, message);
}

GT_API gt_status gt_run_restore_sized(gt_run **run, const gt_problem *problem, size_t problem_size,
                                      const gt_method *method, const gt_plan *plan,
                                      size_t plan_size, gt_checkpoint *with, size_t with_size,
                                      const void *bytes, size_t count,
                                      gt_message *message) GT_MUST_CHECK;
/* `with` may be NULL; its `extra` points into the bytes then, with its length. */
static inline GT_MUST_CHECK gt_status gt_run_restore(gt_run **run, const gt_problem *problem,
                                                     const gt_method *method, const gt_plan *plan,
                                                     gt_checkpoint *with, const void *bytes,
                                                     size_t count, gt_message *message)
{
    return gt_run_restore_sized(run, problem, sizeof *problem, method, plan, sizeof *plan, with,
                                sizeof *with, bytes, count, message);
}

GT_API gt_status gt_run_save_file_sized(gt_run *run, const gt_checkpoint *with, size_t with_size,
                                        const char *path, gt_message *message) GT_MUST_CHECK;
/* The same in a file, which gets its name only when it is complete and on the disk: a file that is
 * there is replaced by a whole one or stays as it is. The bytes that gt_run_load has read, which
 * `with->extra` points into, are for free().
 */
static inline GT_MUST_CHECK gt_status gt_run_save_file(gt_run *run, const gt_checkpoint *with,
                                                       const char *path, gt_message *message)
{
    return gt_run_save_file_sized(run, with, sizeof *with, path, message);
}

GT_API gt_status gt_run_load_sized(gt_run **run, const gt_problem *problem, size_t problem_size,
                                   const gt_method *method, const gt_plan *plan, size_t plan_size,
                                   gt_checkpoint *with, size_t with_size, const char *path,
                                   void **bytes, gt_message *message) GT_MUST_CHECK;
static inline GT_MUST_CHECK gt_status gt_run_load(gt_run **run, const gt_problem *problem,
                                                  const gt_method *method, const gt_plan *plan,
                                                  gt_checkpoint *with, const char *path,
                                                  void **bytes, gt_message *message)
{
    return gt_run_load_sized(run, problem, sizeof *problem, method, plan, sizeof *plan, with,
                             sizeof *with, path, bytes, message);
}

GT_API gt_status gt_run_finish_sized(gt_run *run, gt_report *report,
                                     size_t report_size) GT_MUST_CHECK;
/* Ends the run as gt_solve does: accepts the last step, and adds what is known only at the end to
 * the report, which may be NULL. All that can be done with the run then is to look at it and to
 * close it. */
static inline GT_MUST_CHECK gt_status gt_run_finish(gt_run *run, gt_report *report)
{
    return gt_run_finish_sized(run, report, sizeof *report);
}

/* Accepts the last step and frees what the run holds. NULL does nothing. */
GT_API void gt_run_close(gt_run *run);
/* Frees it as it is: a last step that waits is not accepted, sinks see nothing more of it. */
GT_API void gt_run_discard(gt_run *run);

/*
 * The solution as a function of time that outlives its run, for every method.
 *
 *     gt_solution *x = gt_solution_new(n);
 *     for (gt_reached reached = GT_REACHED_STEP; reached != GT_REACHED_END;)
 *         if (gt_run_step(run, &reached) || gt_solution_add(x, run)) ...
 *     gt_solution_at(x, 0.5, values);
 *
 * A step is kept as the polynomial through its dense output at Chebyshev points: as many as the
 * order of the method asks for, so that polynomials come back to round-off; where the dense output
 * is none, as that of exponential methods, the step is cut until the polynomials are right to a
 * hundredth of the tolerance. Memory: 8 (n (k + 1) + 3) bytes a step of order k, and for cut steps
 * as much for each part.
 */
typedef struct gt_solution gt_solution;

/* Of n states; NULL: out of memory. */
GT_API gt_solution *gt_solution_new(size_t n);

/* Adds the last step of the run, which must follow the one added before and must not have been
 * accepted yet. */
GT_API gt_status gt_solution_add(gt_solution *solution, gt_run *run) GT_MUST_CHECK;

/* x(t), n numbers; right-continuous where the solution jumps. GT_BAD_ARGUMENT outside what was
 * added. */
GT_API gt_status gt_solution_at(const gt_solution *solution, double t, double *x) GT_MUST_CHECK;

/* From where to where it reaches, how many polynomials it has, what it takes. */
GT_API void gt_solution_range(const gt_solution *solution, double *from, double *to);
GT_API size_t gt_solution_pieces(const gt_solution *solution);
GT_API size_t gt_solution_bytes(const gt_solution *solution);

GT_API void gt_solution_free(gt_solution *solution);

GT_C_END

#endif

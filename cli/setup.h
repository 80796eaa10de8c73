/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CLI_SETUP_H
#define GEARTRAIN_CLI_SETUP_H

/* The problem and the method from the flags. */
#include "model_source.h"

typedef struct cli_problem {
    gt_arena arena;           /* of everything below */
    cli_source own;           /* the source, where it is not that of another problem */
    const cli_source *source; /* NULL: the problem is not one of a model */
    const gt_model *model;
    gt_values values; /* of the model's parameters */
    gt_problem problem;
    const char *start_file; /* --init-from, or NULL: an output must not overwrite it */
    const size_t *shown;    /* the states in the order in which they are shown; NULL: as they are */
    bool one_thread;        /* the problem has scratch of its own */
    const char *found;      /* the fast block that was found, by names; NULL: none */
} cli_problem;

/* The model of this name or file built with the model flags applied. `exact` is gone when the start
 * was changed or the model reduced. To be freed in any case. */
int gt_cli_problem(const cli_args *args, const char *name, cli_problem *out);

/* The same model again, which stays with `first`: after --set also `extra` ("mu=5, n=20") is set.
 * Safe to call from several threads. */
int gt_cli_problem_again(const cli_args *args, const cli_problem *first, const char *extra,
                         cli_problem *out);
void gt_cli_problem_free(cli_problem *p);

/* --fast (fast_flag.c). By state of the problem: 1 for those that the flag names; none for "none".
 */
int gt_cli_fast_states(const cli_args *args, const gt_problem *problem, gt_arena *arena,
                       unsigned char **fast);
/* Their names, separated by commas; NULL when out of memory. */
char *gt_cli_fast_text(const gt_problem *problem, const unsigned char *fast, gt_arena *arena);
/* Sets p->shown, so that states are shown in the order that they have in `usual`. */
int gt_cli_shown_order(const gt_problem *usual, cli_problem *p);
/* All columns in the order in which they are shown; NULL when out of memory. */
const size_t *gt_cli_shown_columns(cli_problem *p, size_t *count);
/* Puts the problem in the order [slow | fast | algebraic] of this division. */
int gt_cli_permute(cli_problem *p, const unsigned char *fast);
/* What the flag asks of a problem that has been built. */
int gt_cli_apply_fast(const cli_args *args, cli_problem *p);

/* Blocks for `auto` where the model has none (found_blocks.c); it may have none afterwards too. */
int gt_cli_find_blocks(cli_problem *p);

/* Index of the state, or an error message with the nearest one. what: "--init". */
int gt_cli_state(const gt_problem *problem, const char *what, const char *name, size_t *index);

/* Indices of columns: of states, and behind them of auxiliary quantities. what: "--vars". */
int gt_cli_columns(const gt_problem *problem, const char *what, const char *list, gt_arena *arena,
                   size_t **indices, size_t *count);

/* The columns that `only` of an .ode file asks for; *indices stays as it is when it asks for none.
 */
int gt_cli_only(const cli_problem *p, gt_arena *arena, size_t **indices, size_t *count);

/* The method and the plan from the solver flags; what they point to is in p->arena. */
typedef struct cli_solver {
    const gt_method *method;
    gt_values options;
    char *option_text; /* also plan.options */
    bool chosen; /* by `auto`, for the reason in `why`; plan.pilot where that is a way of running,
                    and `method` then, before the run, the one that it begins with */
    gt_message why;
    double choosing; /* seconds that `auto` took */
    gt_plan plan;
} cli_solver;

int gt_cli_tolerances(const cli_args *args, cli_problem *p, gt_plan *plan); /* --rtol and --atol */
int gt_cli_solver(const cli_args *args, cli_problem *p, cli_solver *out);
/* What gt_solve and gt_run_open are given: NULL where there is a pilot. */
const gt_method *gt_cli_run_method(const cli_solver *solver);
/* After the run: the method that covered most of it, and why. */
void gt_cli_solver_ran(cli_solver *solver, const gt_report *report);
/* "dop853, from t = 54.1 gear (stability limits the step)" */
void gt_cli_say_phases(const gt_phases *phases, gt_message *text);
/* What `auto` begins with where it switches as it runs; NULL: it chooses before the run. */
gt_status gt_cli_first_of_auto(const gt_problem *problem, const gt_plan *plan,
                               const gt_method **first, gt_message *why);
int gt_cli_join_options(const cli_args *args, gt_arena *arena,
                        char **joined); /* all of --opt in one text */

/* A relative tolerance must be below 1. what: "--rtol". */
int gt_cli_check_rtol(const char *what, double rtol);

/* The method of this name, or of this file when the name ends in .json or has a slash (then it
 * lives in the arena); or an error message with the nearest name. */
int gt_cli_method(const char *name, gt_arena *arena, const gt_method **method);

/* The same with options, NAME[:option=value]..; its name is then "bi45 alpha=0.47". */
int gt_cli_method_with(const char *text, gt_arena *arena, const gt_method **method);

#endif

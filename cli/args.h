/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CLI_ARGS_H
#define GEARTRAIN_CLI_ARGS_H

/* Commands, their flags and operands. */
#include "report.h"
#include "say.h"
#include <stddef.h>

/* A row in a table of flags, which ends with a row without a name. */
typedef struct cli_flag {
    const char *name;  /* without the dashes */
    size_t at;         /* of its value in cli_flags */
    bool own;          /* in the struct of the command instead */
    const char *value; /* what the value is called in the help; NULL: a switch */
    const char *help;  /* NULL: accepted, but not in the help */
    const char *alias; /* another name for it; may be NULL */
    bool repeats;
    bool optional; /* the value may be left out; then it is "-" */
    const char *(*choice)(
        size_t i); /* possible values for the help, NULL after the last; may be NULL */
} cli_flag;

typedef struct cli_args cli_args;

typedef struct cli_command {
    const char *name, *title;       /* title: one line for the list of commands */
    const char *operands;           /* for the usage line: "MODEL" */
    const char *about;              /* paragraphs of the help; may be NULL */
    const char *examples;           /* lines of the help */
    const cli_flag *const *flags;   /* tables, ends with NULL; a flag must be in one of them */
    size_t own_bytes;               /* of its struct of flags; 0: it has none of its own */
    bool measures;                  /* calls a model often or takes its time: compiled code first */
    int min_operands, max_operands; /* checked before `run` is called */
    int (*run)(const cli_args *args);
    /* In place of the four above, for a command whose next word is a command ("power flow"): all of
     * them, ends with NULL. Their names have both words. */
    const struct cli_command *const *subs;
    /* what --json prints; ends with one without fields; NULL: it has none */
    const cli_report *reports;
} cli_command;

/* All commands; ends with NULL (main.c). Each is defined at the end of its cmd_*.c. */
extern const cli_command *const gt_cli_commands[]; /* of the program; ends with NULL */

/* The whole of a program: with a command as its first word, and with one command only. */
int gt_cli_run_any(int argc, char **argv);
int gt_cli_run_one(const cli_command *command, int argc, char **argv);
extern const cli_command gt_cmd_list, gt_cmd_show, gt_cmd_run, gt_cmd_compare;
extern const cli_command gt_cmd_equilibrium, gt_cmd_linearize, gt_cmd_sweep, gt_cmd_advise;
extern const cli_command gt_cmd_stability, gt_cmd_accuracy, gt_cmd_damping, gt_cmd_order,
    gt_cmd_coefficients, gt_cmd_power, gt_cmd_design, gt_cmd_papers, gt_cmd_doc, gt_cmd_schema,
    gt_cmd_lab;

/* The command that prints JSON of this name, "power flow"; NULL: none (cmd_schema.c). */
const cli_command *gt_cli_reporting_command(const char *name);

/* One value that was given, and the next one of the same flag. */
typedef struct cli_given {
    const cli_flag *flag;
    const char *value; /* "" for a switch */
    struct cli_given *next;
} cli_given;

/* A flag and what was given for it. */
typedef struct cli_value {
    const cli_flag *flag; /* NULL: the command has no such flag */
    cli_given *first, *last;
} cli_value;

/* The flags that several commands have, by name. A command has those of its tables; the others are
 * never given. What one command alone has is in a struct of its own, beside its table. A name that
 * is misspelt does not compile. */
typedef struct cli_flags {
    cli_value also, atol, checkpoint, compile, control, every, fast, h, h0, hmax, init, init_from,
        json, log, max_steps, method, no_compile, opt, out, phase, plot, quiet, reduced, resume,
        rtol, set, size, t0, t1, threads, title, use_set, vars;
} cli_flags;

/* The name of a flag and its place: {CLI_FLAG(use_set, "use-set"), .help = ..}, or, in the struct
 * of a command, {CLI_OWN(stability_flags, zss, "zss"), .help = ..}. */
#define CLI_FLAG(field, text) .name = (text), .at = offsetof(cli_flags, field)
#define CLI_OWN(type, field, text) .name = (text), .own = true, .at = offsetof(type, field)

struct cli_args {
    int argc; /* the words after the command, as they were given */
    char **argv;
    const cli_command *command;
    size_t n_operands, n_given;
    const char **operands;
    cli_given *given;
    cli_flags flags;
    void *own; /* the struct of the command */
};

/* The struct of the command, of `bytes`, which must be those of cli_command.own_bytes. */
const void *gt_cli_own(const cli_args *args, size_t bytes);

/* True when the switch or flag is there: gt_cli_has(&args->flags.quiet). */
bool gt_cli_has(const cli_value *flag);

/* The value of a flag, the last one when it repeats; NULL when it is not there. */
const char *gt_cli_text(const cli_value *flag);

/* The values of a flag one by one: `for (size_t i = 0; (text = gt_cli_each(&args->flags.set,
 * &i));)`. */
const char *gt_cli_each(const cli_value *flag, size_t *position);

/* Numbers; the value stays as it is when the flag is not there. NaN and Inf are refused. */
int gt_cli_number(const cli_value *flag, double *value);
int gt_cli_positive(const cli_value *flag, double *value); /* > 0 */
int gt_cli_atol(const cli_value *flag, double *value);     /* as in a plan; "0" is none */
int gt_cli_whole(const cli_value *flag, long min, long max, long *value); /* "1e6" is one too */

/* Numbers separated by commas, from the arena; *list stays as it is when the flag is not there. */
int gt_cli_numbers(const cli_value *flag, gt_arena *arena, double **list, size_t *count);

/* The same from text; `what` names it in the message: "--times". */
int gt_cli_read_number(const char *what, const char *text, double *value);
int gt_cli_read_numbers(const char *what, const char *text, gt_arena *arena, double **list,
                        size_t *count);

/* Words separated by commas, without blanks round them. */
int gt_cli_read_words(const char *what, const char *text, gt_arena *arena, char ***words,
                      size_t *count);

/* Splits "name=value" in a copy from the arena; what: "--set". */
int gt_cli_read_pair(const char *what, const char *text, gt_arena *arena, char **name,
                     char **value);

/* "; did you mean 'x'?" in the buffer, or nothing when no name is near. Names end with NULL. */
const char *gt_cli_suggest(const char *name, const char *const *names, char buffer[96]);

#endif

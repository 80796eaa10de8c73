/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CLI_H
#define GEARTRAIN_CLI_H

#include "report.h"
#include <geartrain/choose.h>
#include <geartrain/geartrain.h>
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

/*
 * What the commands of the program share. A function here that can fail returns an exit status: 0,
 * or the one the program is to end with after it has said why on standard error. So a command reads
 *
 *     int code = gt_cli_number(args, "t1", &t1);
 *     if (code) return code;
 */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/* ---- saying what went wrong (say.c) ---- */

/* One sentence on standard error after "geartrain: "; returns CLI_USAGE or CLI_FAILED. */
int gt_cli_usage(const char *format, ...) GT_PRINTF(1, 2);
int gt_cli_failed(const char *format, ...) GT_PRINTF(1, 2);

/* A remark on standard error after "geartrain: ", which is no failure. */
void gt_cli_note(const char *format, ...) GT_PRINTF(1, 2);

/* Each on standard error, after "warning: " and, where `whose` is not NULL, a name. */
void gt_cli_warnings(const gt_warnings *warnings, const char *whose);

/* CLI_OK, CLI_USAGE for statuses that mean bad input, CLI_FAILED for those of the numerics. */
int gt_cli_exit_of(gt_status status);

/* Says the message of a status that is not GT_OK; returns its exit status. */
int gt_cli_complain(gt_status status, const gt_message *message);
/* Keeps a reason that was told in another way, for gt_cli_json_refusal; the first one counts. */
void gt_cli_remember(const char *status, const char *format, ...) GT_PRINTF(2, 3);

/* ---- commands and their arguments (args.c) ---- */

/* A row in a table of flags, which ends with a row without a name. */
typedef struct cli_flag {
    const char *name;  /* without the dashes */
    size_t at;         /* of its value in cli_flags */
    const char *value; /* what the value is called in the help; NULL: a switch */
    const char *help;  /* NULL: accepted, but not told of */
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
    int min_operands, max_operands; /* checked before `run` is called */
    int (*run)(const cli_args *args);
    /* In place of the four above, for a command whose next word is a command ("power flow"): all of
     * them, ends with NULL. Their names have both words. */
    const struct cli_command *const *subs;
    const cli_report
        *reports; /* what --json prints; ends with one without fields; NULL: it has none */
} cli_command;

/* All commands; ends with NULL (main.c). Each is defined at the end of its cmd_*.c. */
extern const cli_command *const gt_cli_commands[]; /* of the program; ends with NULL */

/* The whole of a program: with a command as its first word, and with one command only. */
int gt_cli_run_any(int argc, char **argv);
int gt_cli_run_one(const cli_command *command, int argc, char **argv);
extern const cli_command gt_cmd_list, gt_cmd_show, gt_cmd_run, gt_cmd_compare;
extern const cli_command gt_cmd_equilibrium, gt_cmd_linearize, gt_cmd_sweep, gt_cmd_advise;
extern const cli_command gt_cmd_stability, gt_cmd_accuracy, gt_cmd_damping, gt_cmd_order,
    gt_cmd_coefficients, gt_cmd_power, gt_cmd_design, gt_cmd_papers, gt_cmd_doc, gt_cmd_schema;

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

/* All flags of the program by name, so that a name that is misspelt does not compile. A command
 * has those of its tables; the others are never given. */
typedef struct cli_flags {
    cli_value none; /* has the place 0, which no flag may have */
    cli_value a_steps, all, all_buses, also, areas, aspect, at, at_equilibrium, atol, axis, b_steps,
        blocks, buses, c, check, conditions, control, coupling, d, damping, degree, drift, dyn,
        each_branch, emit_c, errata, every, every_step, fast, fault, fault_bus, flat, gentrip, h,
        h0, hmax, hz, init, init_from, item, json, keep_charging, largest, limit, limits, load,
        loads, log, manifold, max_iterations, max_step, max_steps, method, methods, model, name,
        no_compile, opt, order, out, phase, pick, plot, polynomial_order, problem, product, qlimits,
        quiet, r, reclose, reduced, reference, relative, repeat, rtol, scan, seed, set, size, slow,
        slow_stages, split, star, start, starts, sweep, sweeps, t, t0, t1, test2, tf, theta,
        threads, threshold, time, times, title, tol, trajectories, trip, use_set, vars, vbreak,
        window, work, x0, zff, zsource, zss;
} cli_flags;

/* The name of a flag and its place: {CLI_FLAG(use_set, "use-set"), .help = ..}. */
#define CLI_FLAG(field, text) .name = (text), .at = offsetof(cli_flags, field)

struct cli_args {
    int argc; /* the words after the command, as they were given */
    char **argv;
    const cli_command *command;
    size_t n_operands, n_given;
    const char **operands;
    cli_given *given;
    cli_flags flags;
};

/* True when the switch or flag is there: gt_cli_has(&args->flags.quiet). */
bool gt_cli_has(const cli_value *flag);

/* The value of a flag, the last one when it repeats; NULL when it is not there. */
const char *gt_cli_text(const cli_value *flag);

/* The values of a flag one by one: `for (size_t i = 0; (text = gt_cli_each(&args->flags.set,
 * &i));)`. */
const char *gt_cli_each(const cli_value *flag, size_t *position);

/* Numbers; the value stays as it is when the flag is not there. NaN and Inf are refused. */
int gt_cli_number(const cli_value *flag, double *value);
int gt_cli_positive(const cli_value *flag, double *value);                /* > 0 */
int gt_cli_whole(const cli_value *flag, long min, long max, long *value); /* "1e6" is one too */

/* Numbers separated by commas, from the arena; *list stays as it is when the flag is not there. */
int gt_cli_numbers(const cli_value *flag, gt_arena *arena, double **list, size_t *count);

/* The same from text; `what` names it in the sentence: "--times". */
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

/* ---- flags that several commands have (flags.c) ---- */

extern const cli_flag
    gt_cli_model_flags[]; /* --set --use-set --init --init-from --t0 --t1 --reduced --no-compile */
extern const cli_flag gt_cli_point_flags[]; /* the same without times */
extern const cli_flag
    gt_cli_solver_flags[]; /* --method --opt --h --rtol --atol --h0 --hmax --control --max-steps */
extern const cli_flag gt_cli_common_flags[]; /* --json --quiet --threads */
extern const cli_flag gt_cli_report_flags[]; /* --json --quiet */

/* ---- the model (model_file.c) ---- */

/* What an .ode file asks of a run; all is 0 for other models. Flags are stronger. */
typedef struct cli_wishes {
    const char *method; /* of its option meth; NULL: none */
    double h;           /* > 0: that method has a fixed step, and this is it */
    double rtol, atol;  /* 0: it says nothing */
    double every;       /* rows of a file */
    double trans;       /* rows begin so long after t0 */
} cli_wishes;

/* A model with what it was read from; nothing here changes after it is open, so threads may share
 * it. */
typedef struct cli_source {
    gt_arena arena;
    const gt_model *model;
    const char *path;      /* of its file; NULL: built in */
    gt_library library;    /* of a file that is C or compiled */
    gt_ode *ode;           /* of an .ode file */
    const gt_ode_set *set; /* --use-set; NULL: none */
    cli_wishes wishes;
    bool quiet;
} cli_source;

/* Built in, or a file that ends in .ode, .c or .so; or sentences with the nearest name, with what
 * is wrong in the file, with what the compiler said. To be closed in any case. */
int gt_cli_source_open(const cli_args *args, const char *name, cli_source *source);
void gt_cli_source_close(cli_source *source);

/* The .ode file (ode_file.c): reads it, tells its notes, compiles it unless --no-compile. */
int gt_cli_ode_open(const cli_args *args, const char *path, cli_source *source);

/* The parts of a set that are initial values and times. */
void gt_cli_ode_start(const cli_source *source, gt_problem *problem, double *x0);

/* The name is one of a model file, whether or not it is there. */
bool gt_cli_is_model_file(const char *name);

/* What compiling takes, from the environment: CC, PATH, TMPDIR, XDG_CACHE_HOME or HOME,
 * GEARTRAIN_COMPILE_SECONDS (0 in wall_seconds when that is not set). */
int gt_cli_toolchain(gt_arena *arena, gt_toolchain *tools);

/* ---- the problem and the method (setup.c, solver.c) ---- */

typedef struct cli_problem {
    gt_arena arena;           /* of everything below */
    cli_source own;           /* the source, where it is not that of another problem */
    const cli_source *source; /* NULL: the problem is not one of a model */
    const gt_model *model;
    gt_values values; /* of the model's parameters */
    gt_problem problem;
    const char *start_file; /* --init-from, or NULL: an output must not overwrite it */
} cli_problem;

/* The model of this name or file built with the model flags applied. `exact` is gone when the start
 * was changed or the model reduced. To be freed in any case. */
int gt_cli_problem(const cli_args *args, const char *name, cli_problem *out);

/* The same model again, which stays with `first`: after --set also `extra` ("mu=5, n=20") is set.
 * Safe to call from several threads. */
int gt_cli_problem_again(const cli_args *args, const cli_problem *first, const char *extra,
                         cli_problem *out);
void gt_cli_problem_free(cli_problem *p);

/* Index of the state, or a sentence with the nearest one. what: "--init". */
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
    bool chosen;       /* by `auto`, for the reason in `why` */
    gt_message why;
    double choosing; /* seconds that `auto` took */
    gt_plan plan;
} cli_solver;

int gt_cli_tolerances(const cli_args *args, cli_problem *p, gt_plan *plan); /* --rtol and --atol */
int gt_cli_solver(const cli_args *args, cli_problem *p, cli_solver *out);
int gt_cli_join_options(const cli_args *args, gt_arena *arena,
                        char **joined); /* all of --opt in one text */

/* A relative tolerance must be below 1. what: "--rtol". */
int gt_cli_check_rtol(const char *what, double rtol);

/* The method of this name, or of this file when the name ends in .json or has a slash (then it
 * lives in the arena); or a sentence with the nearest name. */
int gt_cli_method(const char *name, gt_arena *arena, const gt_method **method);

/* The same with options, NAME[:option=value]..; its name is then "bi45 alpha=0.47". */
int gt_cli_method_with(const char *text, gt_arena *arena, const gt_method **method);

/* ---- Ctrl-C, progress, threads (watch.c) ---- */

/* From now on Ctrl-C, SIGTERM and SIGHUP set the flag that this gives to plan->interrupted instead
 * of ending the program. */
void gt_cli_catch_interrupt(gt_plan *plan);
bool gt_cli_interrupted(void);

typedef struct cli_progress {
    double t0, t1, started, shown; /* seconds of the monotonic clock */
    bool on, visible;
    const char *what; /* before the numbers; NULL: nothing */
} cli_progress;

/* A bar on standard error when that is a terminal, after a second, unless --quiet. */
void gt_cli_progress_begin(cli_progress *bar, const cli_args *args, double t0, double t1);
void gt_cli_progress_hook(cli_progress *bar, gt_plan *plan);

/* For work that is not one run: `done` of `total` pieces. */
void gt_cli_progress_pieces(cli_progress *bar, size_t done, size_t total);
void gt_cli_progress_end(cli_progress *bar);

/* --threads, or the number of processors. */
int gt_cli_threads(const cli_args *args, long *threads);

/* Calls work(i, ctx) for i = 0 .. count-1, each once, from up to `threads` threads. */
void gt_cli_parallel(long threads, size_t count, void (*work)(size_t i, void *ctx), void *ctx);

double gt_cli_seconds(void); /* monotonic clock */

/* ---- errors against a reference (reference.c) ---- */

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

/* ---- JSON (json_out.c) ---- */

json_t *gt_cli_json_number(double value); /* null when not finite */
json_t *gt_cli_json_numbers(const double *values, size_t count);
json_t *gt_cli_json_state(const gt_problem *problem, const double *x);      /* {name: value} */
json_t *gt_cli_json_values(const gt_param *table, const gt_values *values); /* {name: value} */
json_t *gt_cli_json_stats(const gt_stats *stats);
json_t *gt_cli_json_warnings(const gt_warnings *warnings);
void gt_cli_json_remarks(json_t *object, const gt_report *report); /* `warnings` and `notes` */

/* Watches the memory of JSON objects: from the beginning of the program, and whether it sufficed so
 * far. */
void gt_cli_json_begin(void);
bool gt_cli_json_whole(void);

/* Prints the object on standard output and gives it back to jansson; CLI_USAGE when it cannot be
 * written. */
int gt_cli_json_print(json_t *object);
bool gt_cli_json_printed(void);
/* The object of a command that is refused: `status` and `message`. Gives the code back. */
int gt_cli_json_refusal(int code);

/* ---- files (files.c) ---- */

/* Refuses an output path that is a directory, in a directory that is not there or not writable, or
 * the same file as one of the inputs (ends with NULL). "-" is fine. */
int gt_cli_check_output(const char *what, const char *path, const char *const *inputs);

/* There is an ordinary file of this name, which will be replaced. A device or a pipe is written as
 * it is. */
bool gt_cli_is_file(const char *path);
/* All of a file from malloc and with a zero behind it; NULL after a complaint, which begins with
 * `what`: it is not there, a pipe, a device, a folder or longer than `most` bytes. */
enum { CLI_MOST_BYTES = 1 << 30 }; /* where nothing smaller is known */
char *gt_cli_read_whole(const char *what, const char *path, size_t most, size_t *length);
json_t *gt_cli_read_json(const char *what, const char *path,
                         size_t flags); /* NULL after a complaint */

/* A file that gets its name only when it is complete. path "-" is standard output. */
typedef struct cli_file {
    FILE *stream;
    gt_file file;
} cli_file;

int gt_cli_file_open(cli_file *file, const char *path);
int gt_cli_file_close(cli_file *file,
                      bool complete); /* not complete: kept as path.partial, and says so */

/* Reports the unfinished file that was found in the way of this one. */
void gt_cli_note_left_behind(const gt_file *file);

/* Flushes standard output; CLI_USAGE and a sentence when something printed there was lost. */
int gt_cli_flush(void);

/* ---- figures (plot.c) ---- */

typedef enum cli_style {
    CLI_LINE,
    CLI_LINE_POINTS,
    CLI_POINTS,
    CLI_BACKGROUND
} cli_style; /* the last: thick, pale */

typedef struct cli_curve {
    const char *title;       /* in the legend; NULL: none */
    const double *x, *y, *z; /* z for curves in space, else NULL */
    size_t count;
    size_t x_stride, stride; /* points are x[k * x_stride], y[k * stride], z[k * stride]; 0 is 1 */
    cli_style style;
    int colour; /* 0: by position; n: the n-th */
} cli_curve;

typedef struct cli_panel {
    const char *x_label, *y_label, *z_label; /* z_label: draws in space */
    bool log_x, log_y;
    bool tight_x;        /* the axis ends where the curves do */
    bool equal;          /* a unit is as long on both axes */
    double y_min, y_max; /* both 0: what the curves need */
    const cli_curve *curves;
    size_t n_curves;
} cli_panel;

typedef struct cli_plot {
    const char *path; /* .svg .png .pdf */
    const char *title;
    const cli_panel *panels;
    size_t n_panels;
    bool
        side_by_side; /* panels in a row instead of one above the other; only the last has titles */
    const cli_args *args; /* --title and --size of these; NULL: none */
} cli_plot;

/* What --title and --size ask for; title NULL and width 0 where they are not given. */
typedef struct cli_looks {
    const char *title;
    double width, height; /* pixels */
} cli_looks;

extern const cli_flag gt_cli_looks_flags[];
cli_looks gt_cli_looks(const cli_args *args);
/* Refuses a size that is none, and looks without a figure. For every command, before it begins. */
int gt_cli_check_looks(const cli_args *args);

/* Refuses an extension that cannot be drawn, and says so when there is no gnuplot. To be called
 * before long work. */
int gt_cli_check_plot(const char *path, const char *const *inputs);
int gt_cli_plot(const cli_plot *plot);

/* Appends the parameters that --set sets: ", mu = 5". */
void gt_cli_title_add_set(const cli_args *args, char *title, size_t size);

/* "x [m]" in the buffer, for a column. */
const char *gt_cli_label(const gt_problem *problem, size_t column, char *buffer, size_t size);

#endif

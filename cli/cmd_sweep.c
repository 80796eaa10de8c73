/* SPDX-License-Identifier: BSD-3-Clause */
/* sweep: a run for every value of some parameters, in worker threads. */
#include "run_parts.h"
#include "sweep_parts.h"
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const cli_flag own_flags[] = {
    {CLI_OWN(sweep_flags, sweep, "sweep"), .value = "NAME=A:B:N|V,V,..",
     .help = "values of a parameter: N from A to B, or a list; several of these make a grid",
     .repeats = true},
    {CLI_FLAG(log, "log"), .help = "values of A:B:N at equal ratios instead of equal distances"},
    {CLI_FLAG(vars, "vars"), .value = "A,B,..",
     .help = "the states in the table and the figure; default: all"},
    {CLI_FLAG(out, "out"), .value = "FILE.csv|-",
     .help = "one row for each run, in the order of the grid"},
    {CLI_OWN(sweep_flags, part, "part"), .value = "I/N",
     .help = "only every N-th run, from the I-th on; sweep merge puts the files together"},
    {CLI_FLAG(checkpoint, "checkpoint"), .value = "FILE",
     .help = "adds every run to this file when it is done, so that the sweep can be resumed"},
    {CLI_FLAG(resume, "resume"), .value = "FILE",
     .help = "takes the runs in this file, and makes and adds the others"},
    {CLI_FLAG(plot, "plot"), .value = "FILE",
     .help = "the states at the end over the first parameter, .svg, .png or .pdf"},
    {CLI_OWN(sweep_flags, work, "work"), .help = "with --plot: evaluations of f instead of states"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {gt_cli_model_flags,  own_flags,
                                        gt_cli_looks_flags,  gt_cli_solver_flags,
                                        gt_cli_common_flags, NULL};

typedef struct sweep_job {
    const cli_args *args;
    cli_problem first; /* of the first run; its arena holds the grid and the columns */
    gt_plan watch;     /* only `interrupted` is used */
    sweep_grid grid;
    sweep_columns columns;
    sweep_part part;
    uint64_t identity;
    sweep_result *results;
    const char *out, *plot;
    pthread_mutex_t lock; /* of what follows */
    sweep_journal journal;
    cli_progress bar;
    size_t finished;
} sweep_job;

static void take_names(const cli_problem *p, sweep_columns *columns, gt_arena *arena)
{
    const gt_problem *problem = &p->problem;
    size_t n_states = gt_problem_shown(problem), n = n_states + problem->n_aux;
    char buffer[24];
    columns->count = n;
    columns->names = gt_arena_take(arena, n, sizeof *columns->names);
    for (size_t i = 0; columns->names && i < n; i++) {
        size_t state = i < n_states && p->shown ? p->shown[i] : i;
        size_t column = i < n_states ? state : i + problem->n_hidden;
        const char *name = gt_problem_column_name(problem, column, buffer);
        size_t room = strlen(name) + 1;
        char *copy = gt_arena_take(arena, room, 1);
        if (copy) memcpy(copy, name, room);
        columns->names[i] = copy ? copy : "";
    }
}

/* The next run that differs from `run` in a whole number or a choice: only these change which
 * states there are. */
static size_t next_shape(const sweep_grid *grid, size_t run)
{
    for (size_t next = run + 1; next < grid->count; next++) {
        bool all_first = true;
        for (size_t a = 0; a < grid->n_axes; a++)
            if (grid->axes[a].param->type == GT_REAL && gt_sweep_index(grid, next, a))
                all_first = false;
        if (all_first) return next;
    }
    return grid->count;
}

/* The first run from `run` on, before `end`, whose values are all in range; `end` when there is
 * none. */
static size_t next_right(const sweep_grid *grid, size_t run, size_t end)
{
    while (run < end && gt_sweep_wrong(grid, run)) run++;
    return run;
}

/* Columns: the states asked for, or those of the run that has most. Also checks all flags once, in
 * this thread. */
static int choose_columns(sweep_job *job)
{
    const char *vars = gt_cli_text(&job->args->flags.vars);
    gt_arena *arena = &job->first.arena;
    size_t first = next_right(&job->grid, 0, job->grid.count);
    if (first == job->grid.count)
        return gt_cli_usage("--sweep: no value is valid: %s", gt_sweep_wrong(&job->grid, 0)->text);
    for (size_t shape = 0, next; shape < job->grid.count; shape = next) {
        next = next_shape(&job->grid, shape);
        size_t run = next_right(&job->grid, shape, next);
        if (run == next) continue;
        char *settings = gt_sweep_settings(&job->grid, run, arena);
        cli_problem p;
        cli_solver solver;
        if (!settings) return gt_cli_failed("out of memory");
        int code = gt_cli_problem_again(job->args, &job->first, settings, &p);
        if (!code) code = gt_cli_solver(job->args, &p, &solver);
        size_t *chosen, count;
        if (!code && vars && run == first)
            code = gt_cli_columns(&p.problem, "--vars", vars, &p.arena, &chosen, &count);
        if (!code && !vars && gt_problem_shown(&p.problem) + p.problem.n_aux > job->columns.count)
            take_names(&p, &job->columns, arena);
        gt_cli_problem_free(&p);
        if (code) return code;
    }
    if (!vars) return job->columns.names ? CLI_OK : gt_cli_failed("out of memory");
    char **words;
    int code = gt_cli_read_words("--vars", vars, arena, &words, &job->columns.count);
    job->columns.names = (const char **)(void *)words;
    return code;
}

/* `x` has room for the auxiliary quantities behind the states. */
static void keep_columns(const sweep_columns *columns, const gt_problem *problem, double *x,
                         sweep_result *r)
{
    size_t n = gt_problem_size(problem);
    if (problem->n_aux) problem->aux(r->report.t, x, x + n, problem->ctx);
    n += problem->n_aux;
    char buffer[24];
    r->x = calloc(columns->count, sizeof *r->x);
    r->has = calloc(columns->count, sizeof *r->has);
    for (size_t k = 0; r->x && r->has && k < columns->count; k++) {
        size_t i = k; /* nearly always at the same place */
        if (i >= n || strcmp(gt_problem_column_name(problem, i, buffer), columns->names[k]))
            for (i = 0;
                 i < n && strcmp(gt_problem_column_name(problem, i, buffer), columns->names[k]);
                 i++)
                continue;
        if (i == n) continue;
        r->x[k] = x[i];
        r->has[k] = true;
    }
}

static void do_run(sweep_job *job, size_t i, sweep_result *r)
{
    const gt_message *wrong = gt_sweep_wrong(&job->grid, i);
    if (wrong) {
        r->report.status = GT_BAD_ARGUMENT;
        r->report.message = *wrong;
        r->report.t = job->first.problem.t0;
        r->done = true;
        return;
    }
    gt_arena scratch = gt_arena_growing();
    cli_problem p = {0};
    cli_solver solver;
    char *settings = gt_sweep_settings(&job->grid, i, &scratch);
    int code = settings ? gt_cli_problem_again(job->args, &job->first, settings, &p) : CLI_FAILED;
    if (!code) code = gt_cli_solver(job->args, &p, &solver);
    size_t n = code ? 0 : gt_problem_size(&p.problem);
    double *x = code ? NULL : gt_arena_doubles(&p.arena, n + p.problem.n_aux);
    r->report.status = settings ? GT_BAD_ARGUMENT : GT_NO_MEMORY;
    if (x) {
        memcpy(x, p.problem.x0, n * sizeof *x);
        solver.plan.x_end = x;
        solver.plan.interrupted = job->watch.interrupted;
        r->report.status =
            gt_solve(&p.problem, gt_cli_run_method(&solver), &solver.plan, &r->report);
        gt_cli_solver_ran(&solver, &r->report);
        run_outcome outcome = {.p = &p, .solver = &solver, .report = &r->report, .x = x};
        if (!r->report.status) gt_run_doubt(&outcome, false, &r->report);
        snprintf(r->method, sizeof r->method, "%s", solver.method->name);
        keep_columns(&job->columns, &p.problem, x, r);
    }
    r->done = r->report.status != GT_INTERRUPTED;
    if (settings) gt_cli_problem_free(&p);
    gt_arena_free(&scratch);
}

static void work(size_t i, void *ctx)
{
    sweep_job *job = ctx;
    bool known = job->results[i].done;
    if (gt_cli_interrupted() || !sweep_has(&job->part, i)) return;
    if (!known) do_run(job, i, &job->results[i]);
    pthread_mutex_lock(&job->lock);
    if (!known) gt_sweep_journal_add(&job->journal, i, &job->results[i]);
    gt_cli_progress_pieces(&job->bar, ++job->finished, sweep_size(&job->part, job->grid.count));
    pthread_mutex_unlock(&job->lock);
}

static int prepare(sweep_job *job)
{
    const cli_args *args = job->args;
    if (args->n_operands > 1)
        return gt_cli_usage("sweep takes one model; files of parts are put together by: geartrain "
                            "sweep merge");
    int code = gt_sweep_read_part(args, &job->part);
    if (!code) code = gt_cli_problem(args, args->operands[0], &job->first);
    if (code) return code;
    gt_arena *arena = &job->first.arena;
    if ((code = gt_sweep_grid(args, job->first.model, arena, &job->grid))) return code;
    const char *inputs[] = {job->first.start_file, NULL};
    job->out = gt_cli_text(&args->flags.out);
    job->plot = gt_cli_text(&args->flags.plot);
    if (job->out && (code = gt_cli_check_output("--out", job->out, inputs))) return code;
    if (job->plot && job->part.n > 1)
        return gt_cli_usage("--plot draws a whole sweep, not the part of --part");
    if (job->plot && (code = gt_sweep_check_plot(&job->grid, job->plot, inputs))) return code;
    if (job->out && !strcmp(job->out, "-") && gt_cli_has(&args->flags.json))
        return gt_cli_usage(
            "--out - and --json both write to standard output; give only one of them");
    if ((code = choose_columns(job))) return code;
    code = gt_sweep_identity(args, &job->first, &job->columns, &job->identity);
    if (code) return code;
    job->results = calloc(job->grid.count, sizeof *job->results);
    if (!job->results) return gt_cli_failed("out of memory for %zu runs", job->grid.count);
    code = gt_sweep_journal_open(&job->journal, args, &job->first, &job->columns, job->results,
                                 job->grid.count);
    if (!code && job->journal.known && !gt_cli_has(&args->flags.quiet))
        gt_cli_note("%zu of the %zu runs are taken from %s", job->journal.known, job->grid.count,
                    job->journal.path);
    return code;
}

/* How many runs were done, and how many of these failed; `example` is one that failed. */
static size_t count_runs(const sweep_job *job, size_t *failed, const sweep_result **example)
{
    size_t done = 0;
    *failed = 0;
    for (size_t i = 0; i < job->grid.count; i++) {
        const sweep_result *r = &job->results[i];
        if (!sweep_has(&job->part, i)) continue;
        done += r->done;
        if (!r->done || !r->report.status) continue;
        if (!(*failed)++) *example = r;
    }
    return done;
}

/* The first of them stands for all: each row has its own. */
static void warn_of_rows(sweep_job *job, size_t done)
{
    size_t doubted = 0, first = 0;
    for (size_t i = 0; i < job->grid.count; i++)
        if (job->results[i].report.warnings.count && !doubted++) first = i;
    if (!doubted) return;
    const char *settings = gt_sweep_settings(&job->grid, first, &job->first.arena);
    gt_cli_warn("%zu of %zu runs have warnings, the first, %s: %s", doubted, done,
                settings ? settings : "", job->results[first].report.warnings.list[0].text);
}

static int report(sweep_job *job)
{
    size_t failed, done;
    const sweep_result *example = NULL;
    done = count_runs(job, &failed, &example);
    size_t all = sweep_size(&job->part, job->grid.count);
    bool complete = done == all, on_stdout = job->out && !strcmp(job->out, "-");
    sweep_table table = {job->first.model, &job->grid, &job->columns,
                         job->results,     job->part,  job->identity};
    int code = CLI_OK;
    warn_of_rows(job, done);
    if (job->out && (done || complete)) code = gt_sweep_write_csv(&table, job->out, complete);
    if (!code && job->plot && complete)
        code = gt_sweep_draw(&table, job->plot, job->args, &job->first.arena);
    if (gt_cli_has(&job->args->flags.json)) {
        int printed = gt_report_print_json(gt_sweep_fields, &table);
        code = code ? code : printed;
    } else if (!on_stdout) {
        if (!job->out)
            gt_report_print(stdout, gt_sweep_fields, &table);
        else if (complete && !code)
            printf("%zu runs, %zu failed; wrote %s\n", done, failed, job->out);
        if (job->plot && complete && !code) printf("wrote %s\n", job->plot);
    }
    /* Without it a sweep of which nothing is left would end with 1 and not say why. */
    if (failed && (failed == done || !gt_cli_has(&job->args->flags.quiet)))
        gt_cli_note("%zu of %zu runs failed, the first with: %s", failed, done,
                    example->report.message.text[0] ? example->report.message.text
                                                    : gt_status_text(example->report.status));
    if (!complete) return gt_cli_failed("interrupted after %zu of %zu runs", done, all);
    return code ? code : failed && failed == done ? CLI_FAILED : CLI_OK;
}

static int run(const cli_args *args)
{
    sweep_job job = {
        .args = args, .lock = PTHREAD_MUTEX_INITIALIZER, .journal = {.descriptor = -1}};
    long threads;
    if (!strcmp(args->operands[0], "merge")) return gt_sweep_merge(args);
    int code = gt_cli_threads(args, &threads);
    if (code) return code;
    code = prepare(&job);
    if (!code) {
        gt_cli_catch_interrupt(&job.watch);
        gt_cli_progress_begin(&job.bar, args, 0, 1);
        gt_cli_parallel(threads, job.grid.count, work, &job);
        gt_cli_progress_end(&job.bar);
        int kept = gt_sweep_journal_close(&job.journal);
        code = report(&job);
        code = code ? code : kept;
    }
    for (size_t i = 0; job.results && i < job.grid.count; i++) {
        free(job.results[i].x);
        free(job.results[i].has);
    }
    free(job.results);
    gt_cli_problem_free(&job.first);
    pthread_mutex_destroy(&job.lock);
    return code;
}

static const cli_report reports[] = {{.fields = gt_sweep_fields}, {.fields = NULL}};

const cli_command gt_cmd_sweep = {
    .name = "sweep",
    .measures = true,
    .title = "runs a model for many values of its parameters",
    .operands = "MODEL | merge FILE.csv..",
    .about =
        "Several --sweep make a grid, in which the last one changes fastest. A run that "
        "fails, or whose value is out "
        "of\n"
        "range, is a row with its status and does not stop the others; the exit status is 1 "
        "only when all fail. The\n"
        "rows are the same, byte by byte, for any number of threads.\n"
        "--part I/N makes a part of the runs, on any machine; \"sweep merge\" puts the files of "
        "all N parts together,\n"
        "to the bytes of the whole sweep.",
    .examples = "    geartrain sweep vanderpol --sweep mu=1:1000:13 --log --t1 200 --out vdp.csv\n"
                "    geartrain sweep lorenz --sweep rho=10:30:81 --sweep sigma=8,10,12 --plot "
                "lorenz.svg --vars z\n"
                "    geartrain sweep lorenz --sweep rho=1:30:1000 --part 1/2 --out part1.csv\n"
                "    geartrain sweep brusselator --sweep n=10,20,40 --vars u1 --json",
    .flags = flags,
    .own_bytes = sizeof(sweep_flags),
    .min_operands = 1,
    .max_operands = INT_MAX,
    .run = run,
    .reports = reports,
};

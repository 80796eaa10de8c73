/* SPDX-License-Identifier: BSD-3-Clause */
/* run: one simulation. */
#include "run_checkpoint.h"
#include "run_parts.h"
#include <math.h>
#include <string.h>

static const cli_flag own_flags[] = {
    {CLI_FLAG(every, "every"), .value = "DT", .help = "output at t0, t0 + DT, ..",
     .alias = "output-interval"},
    {CLI_OWN(run_flags, times, "times"), .value = "T1,T2,..", .help = "output at these times"},
    {CLI_OWN(run_flags, every_step, "every-step"),
     .help = "output at every step, with the columns _h, _err and _order"},
    {CLI_FLAG(out, "out"), .value = "FILE.csv|-",
     .help = "the solution as CSV; by default at every step", .alias = "output-file"},
    {CLI_FLAG(plot, "plot"), .value = "FILE", .help = "a figure, .svg, .png or .pdf"},
    {CLI_FLAG(vars, "vars"), .value = "A,B,..", .help = "the states in the figure"},
    {CLI_FLAG(phase, "phase"), .value = "A,B[,C]",
     .help = "draws these states against one another instead of over time"},
    {CLI_FLAG(log, "log"), .value = "x|y|xy", .help = "log axes in the figure"},
    {CLI_FLAG(checkpoint, "checkpoint"), .value = "FILE",
     .help = "saves the run in this file while it goes on, so that it can be resumed"},
    {CLI_OWN(run_flags, checkpoint_every, "checkpoint-every"), .value = "60s|N",
     .help = "how often: a time, as 30s, 5m or 2h, or a number of steps; default 60s"},
    {CLI_FLAG(resume, "resume"), .value = "FILE",
     .help = "continues from this checkpoint; all other flags must be the same"},
    {CLI_OWN(run_flags, reference, "reference"),
     .help = "reports the error against the exact solution or "
             "two tight runs, at the steps or the output points"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {gt_cli_model_flags, gt_cli_solver_flags, own_flags,
                                        gt_cli_looks_flags, gt_cli_common_flags, NULL};

/* Everything that a run needs and that is to be given back. */
typedef struct run_job {
    const cli_args *args;
    cli_problem p;
    cli_solver solver;
    run_record record;
    run_figure figure;
    figure_series series;
    run_series points; /* where the error is measured */
    cli_reference reference;
    run_filter points_filter, csv_filter;
    gt_csv_sink csv;
    run_checkpoint checkpoint;
    const char *out;
    bool replaces; /* the CSV file is there already */
    bool quiet, json;
    gt_sink *sinks[4];
    double *x;
    double wall;
    long threads;
    gt_report report;
} run_job;

static int read_output_points(const cli_args *args, run_job *job, unsigned *wants)
{
    gt_plan *plan = &job->solver.plan;
    const gt_problem *problem = &job->p.problem;
    if (gt_cli_has(&args->flags.every) + gt_cli_has(&run_own(args)->times) +
            gt_cli_has(&run_own(args)->every_step) >
        1)
        return gt_cli_usage("--every, --times and --every-step cannot be used together");
    *wants = GT_AT_START | GT_AT_STEP | GT_AT_EVENT | GT_AT_END;
    if (gt_cli_has(&args->flags.every)) *wants = GT_AT_START | GT_AT_OUTPUT | GT_AT_END;
    if (gt_cli_has(&run_own(args)->times)) *wants = GT_AT_OUTPUT;
    /* An .ode file says how far apart its rows are; a figure alone does without. */
    if (gt_cli_has(&args->flags.out) && !gt_cli_has(&run_own(args)->times) &&
        !gt_cli_has(&run_own(args)->every_step) && job->p.source->wishes.every > 0) {
        plan->every = job->p.source->wishes.every;
        *wants = GT_AT_START | GT_AT_OUTPUT | GT_AT_END;
    }
    int code = gt_cli_positive(&args->flags.every, &plan->every);
    double *times = NULL;
    if (!code) code = gt_cli_numbers(&run_own(args)->times, &job->p.arena, &times, &plan->n_times);
    if (code) return code;
    plan->times = times;
    for (size_t i = 0; i < plan->n_times; i++) {
        if ((times[i] - problem->t0) * (times[i] - problem->t1) > 0)
            return gt_cli_usage("--times: %g is not between t0 = %g and t1 = %g", times[i],
                                problem->t0, problem->t1);
        if (i && gt_cli_along(problem, times[i]) <= gt_cli_along(problem, times[i - 1]))
            return gt_cli_usage("--times must %s, but %g follows %g",
                                problem->t1 < problem->t0 ? "descend, since t1 lies before t0"
                                                          : "ascend",
                                times[i], times[i - 1]);
    }
    return CLI_OK;
}

/* A flag that chooses output points is idle when nothing is put out at them. */
static void note_idle_points(const run_job *job)
{
    const run_flags *own = run_own(job->args);
    const cli_value *idle[] = {&job->args->flags.every, &own->times, &own->every_step};
    if (job->quiet || job->out || gt_cli_has(&own->reference)) return;
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (gt_cli_has(idle[i]))
            gt_cli_note("--%s has no effect without --out or --reference", idle[i]->flag->name);
}

/* Reads all flags and refuses what cannot work before any work is done. */
static int prepare(run_job *job, unsigned *wants)
{
    const cli_args *args = job->args;
    int code = gt_cli_problem(args, args->operands[0], &job->p);
    if (code || (code = gt_cli_solver(args, &job->p, &job->solver))) return code;
    if ((code = read_output_points(args, job, wants))) return code;
    if ((code = gt_run_figure_flags(args, &job->p, &job->figure))) return code;
    run_checkpoint *c = &job->checkpoint;
    *c = (run_checkpoint){.csv = &job->csv, .filter = &job->csv_filter, .record = &job->record};
    if ((code = gt_run_checkpoint_flags(args, &job->p, c))) return code;
    if ((code = gt_cli_threads(args, &job->threads))) return code;
    job->json = gt_cli_has(&args->flags.json);
    job->quiet = gt_cli_has(&args->flags.quiet);
    job->out = gt_cli_text(&args->flags.out);
    if (job->out) {
        const char *inputs[] = {job->p.start_file, NULL};
        if ((code = gt_cli_check_output("--out", job->out, inputs))) return code;
        if (job->json && !strcmp(job->out, "-"))
            return gt_cli_usage(
                "--out - and --json both write to standard output; give only one of them");
        if (job->figure.path && !strcmp(job->out, job->figure.path))
            return gt_cli_usage("--out and --plot have the same name %s", job->out);
        job->replaces = gt_cli_is_file(job->out);
    }
    note_idle_points(job);
    job->x = gt_arena_doubles(&job->p.arena, gt_problem_size(&job->p.problem));
    if (!job->x) return gt_cli_failed("out of memory");
    memcpy(job->x, job->p.problem.x0, gt_problem_size(&job->p.problem) * sizeof *job->x);
    return gt_run_record_init(&job->record, &job->p.problem, &job->p.arena);
}

static void add_sink(run_job *job, gt_sink *sink)
{
    job->sinks[job->solver.plan.n_sinks++] = sink;
    job->solver.plan.sinks = job->sinks;
}

/* Output begins when the transient is over; a run backward has none. */
static double shown_from(const run_job *job)
{
    const gt_problem *problem = &job->p.problem;
    return problem->t1 < problem->t0 ? -INFINITY : problem->t0 + job->p.source->wishes.trans;
}

static int open_sinks(run_job *job, unsigned wants)
{
    gt_plan *plan = &job->solver.plan;
    if (job->record.problem->n_invariants || job->record.problem->n_roots)
        add_sink(job, &job->record.sink);
    if (job->figure.path) {
        int code =
            gt_run_figure_series(&job->figure, &job->p.problem, gt_cli_run_method(&job->solver),
                                 &job->solver.options, plan->h > 0, &job->series);
        if (code) return code;
        job->series.from = shown_from(job);
        add_sink(job, &job->series.sink);
    }
    if (gt_cli_has(&run_own(job->args)->reference)) {
        size_t n = gt_problem_size(&job->p.problem);
        gt_run_series_init(&job->points, &job->p.problem, gt_run_all_columns(&job->p), n);
        job->points.skip_events = true;
        if (!job->points.columns) return gt_cli_failed("out of memory");
        gt_run_filter(&job->points_filter, &job->points.sink, wants | GT_AT_EVENT, &job->p.problem,
                      plan);
        add_sink(job, &job->points_filter.sink);
    }
    if (!job->out) return CLI_OK;
    gt_message message = {""};
    bool with_steps = gt_cli_has(&run_own(job->args)->every_step);
    gt_status status =
        job->checkpoint.resume
            ? gt_csv_sink_prepare(&job->csv, &job->p.problem, wants, with_steps, &message)
            : gt_csv_sink_open(&job->csv, job->out, &job->p.problem, wants, with_steps, &message);
    if (status) return gt_cli_complain(status, &message);
    gt_cli_note_left_behind(&job->csv.file);
    size_t *columns = NULL;
    int code = gt_cli_only(&job->p, &job->p.arena, &columns, &job->csv.n_columns);
    if (code) return code;
    job->csv.columns = columns;
    if (!columns && job->p.shown) {
        job->csv.columns = gt_cli_shown_columns(&job->p, &job->csv.n_columns);
        if (!job->csv.columns) return gt_cli_failed("out of memory");
    }
    gt_run_filter(&job->csv_filter, &job->csv.sink, wants, &job->p.problem, plan);
    job->csv_filter.from = shown_from(job);
    add_sink(job, &job->csv_filter.sink);
    return CLI_OK;
}

/* Threads for the vectors of a large problem. That there are none is no failure: the bits are the
 * same. */
static void lend_threads(run_job *job, gt_threads *threads)
{
    size_t count = (size_t)job->threads;
    *threads = (gt_threads){0};
    if (count < 2 || gt_problem_size(&job->p.problem) < GT_THREADS_FROM) return;
    if (gt_threads_open(count, threads, NULL)) return;
    gt_problem_use_threads(&job->p.problem, threads);
}

static void integrate(run_job *job)
{
    gt_plan *plan = &job->solver.plan;
    gt_threads threads;
    plan->x_end = job->x;
    lend_threads(job, &threads);
    gt_cli_catch_interrupt(plan);
    cli_progress bar;
    gt_cli_progress_begin(&bar, job->args, job->p.problem.t0, job->p.problem.t1);
    gt_cli_progress_hook(&bar, plan);
    double started = gt_cli_seconds();
    bool saves = job->checkpoint.path || job->checkpoint.resume;
    plan->local_errors = saves;
    job->report.status =
        saves ? gt_run_with_checkpoints(&job->checkpoint, gt_cli_run_method(&job->solver), plan,
                                        &job->report)
              : gt_solve(&job->p.problem, gt_cli_run_method(&job->solver), plan, &job->report);
    gt_cli_solver_ran(&job->solver, &job->report);
    job->wall = gt_cli_seconds() - started;
    gt_problem_use_threads(&job->p.problem, NULL);
    gt_threads_close(&threads);
    gt_cli_progress_end(&bar);
}

/* Gives the CSV file its name. A run that failed leaves its rows in FILE.partial; one that never
 * began leaves nothing.
 */
static int close_csv(run_job *job)
{
    gt_csv_sink *csv = &job->csv;
    bool complete = !job->report.status;
    gt_message message = {""};
    if (!csv->file.stream) /* there is none, or what was to be resumed was refused */
        return gt_csv_sink_close(csv, false, &message) ? CLI_FAILED : CLI_OK;
    if (!complete && !csv->begun) gt_file_discard(&csv->file);
    gt_status status = gt_csv_sink_close(csv, complete, &message);
    /* The run ended because a row could not be written: that is said already. */
    bool said = status && job->report.status == status;
    if (csv->file.partial && (said || !status))
        gt_cli_note("the %zu rows so far are in %s.partial%s", csv->file.lines - 1, job->out,
                    job->replaces ? ", the old file is as it was" : "");
    return status && !said ? gt_cli_complain(status, &message) : CLI_OK;
}

/* The errors of the run against the reference so far. */
static cli_error errors_of(const run_job *job, const cli_reference *reference)
{
    const run_series *points = &job->points;
    size_t n = gt_problem_size(&job->p.problem);
    cli_error error = {0};
    for (size_t k = 0; k < reference->reached && k < points->count; k++)
        gt_cli_error_add(&error, n, points->t[k], points->values + n * k, reference, k);
    return error;
}

static bool is_enough(const cli_reference *reference, void *ctx)
{
    cli_error error = errors_of(ctx, reference);
    return gt_cli_final_certain(&error) && gt_cli_max_certain(&error);
}

static int measure_error(run_job *job, run_outcome *outcome)
{
    if (!gt_cli_has(&run_own(job->args)->reference) || job->report.status) return CLI_OK;
    run_series *points = &job->points;
    gt_run_series_advance(points);
    cli_judged judged = {points->t, points->count, points->h_largest};
    int code = gt_cli_reference(job->args, &job->p.problem, &judged, &job->p.arena, is_enough, job,
                                &job->reference);
    if (code) return code;
    outcome->error = errors_of(job, &job->reference);
    outcome->reference = &job->reference;
    outcome->has_error = true;
    char doubt[400];
    if (!gt_cli_final_certain(&outcome->error) || !gt_cli_max_certain(&outcome->error))
        gt_warn(&job->report.warnings, "the error is not certain: %s",
                gt_cli_doubt_text(&job->reference, doubt, sizeof doubt));
    else
        gt_cli_error_is_known(&job->report);
    bool at_steps = !(job->solver.plan.every > 0) && !job->solver.plan.n_times;
    snprintf(outcome->sampled, sizeof outcome->sampled, "at %zu %s", outcome->error.points,
             !at_steps           ? "output points"
             : points->every > 1 ? "of the steps"
                                 : "steps");
    return CLI_OK;
}

static void print_files(FILE *stream, const run_job *job, bool drawn, bool replaced)
{
    if (job->out && strcmp(job->out, "-"))
        fprintf(stream, "wrote       %s, %zu rows%s\n", job->out, job->csv_filter.rows,
                job->replaces ? " (replaced)" : "");
    if (!drawn) return;
    fprintf(stream, "wrote       %s%s", job->figure.path, replaced ? " (replaced)" : "");
    if (job->figure.some)
        fprintf(stream, ", with %zu of the states; --vars chooses others", job->figure.n_columns);
    fputc('\n', stream);
}

/* The end of a run that came to its end: its figure, and what is reported. */
static int conclude(run_job *job, run_outcome *outcome)
{
    int code = CLI_OK;
    bool replaced = job->figure.path && gt_cli_is_file(job->figure.path), drawn = false;
    if (job->figure.path) {
        int failed = gt_run_draw(&job->figure, &job->p, job->solver.method, &job->series);
        drawn = !failed;
        if (!code) code = failed;
    }
    /* Standard output may be the CSV file. */
    FILE *stream = job->out && !strcmp(job->out, "-") ? stderr : stdout;
    if (job->json || (stream == stderr && job->quiet)) return code;
    gt_report_print(stream, gt_run_fields, outcome);
    print_files(stream, job, drawn, replaced);
    return code;
}

static int report(run_job *job)
{
    run_outcome outcome = {.p = &job->p,
                           .solver = &job->solver,
                           .report = &job->report,
                           .x = job->x,
                           .record = &job->record,
                           .wall = job->wall};
    const gt_problem *problem = &job->p.problem;
    double *aux = problem->n_aux ? gt_arena_doubles(&job->p.arena, problem->n_aux) : NULL;
    if (aux) problem->aux(job->report.t, job->x, aux, problem->ctx);
    outcome.aux = aux;
    int code = gt_cli_exit_of(job->report.status);
    if (code) gt_cli_complain(job->report.status, &job->report.message);
    int closed = close_csv(job);
    if (code == CLI_USAGE || closed) return code ? code : closed;
    if (problem->n_aux && !aux && !code)
        code = gt_cli_failed("out of memory for the auxiliary quantities");
    gt_run_doubt(&outcome, gt_cli_has(&run_own(job->args)->reference), &job->report);
    if (!code) code = measure_error(job, &outcome);
    gt_cli_warnings(&job->report.warnings, NULL);
    if (!gt_cli_exit_of(job->report.status)) {
        int concluded = conclude(job, &outcome);
        code = code ? code : concluded;
    }
    int printed = job->json ? gt_report_print_json(gt_run_fields, &outcome) : CLI_OK;
    return code ? code : printed;
}

static int run(const cli_args *args)
{
    run_job job = {.args = args};
    unsigned wants = 0;
    int code = prepare(&job, &wants);
    if (!code) code = open_sinks(&job, wants);
    if (!code) {
        integrate(&job);
        code = report(&job);
    }
    gt_figure_series_free(&job.series);
    gt_run_series_free(&job.points);
    gt_run_record_free(&job.record);
    gt_run_checkpoint_free(&job.checkpoint);
    gt_cli_problem_free(&job.p);
    return code;
}

static const cli_report reports[] = {{.fields = gt_run_fields}, {.fields = NULL}};

const cli_command gt_cmd_run = {
    .name = "run",
    .title = "simulates a model",
    .operands = "MODEL",
    .about = "Prints the state at the end, invariants, events and the work done. Without --method "
             "the method is chosen by\n"
             "what the problem is like, and the report says why. With --h the step is fixed, "
             "otherwise it is controlled.\n"
             "A file is written as FILE.unfinished and gets its own name when it is complete; what "
             "a run that was\n"
             "interrupted, failed or filled the disk has written is kept as FILE.partial. A run "
             "that was killed goes on from\n"
             "its last --checkpoint with --resume and the same flags, to the same bytes.",
    .examples = "    geartrain run vanderpol --set mu=100 --t1 200 --plot vdp.svg\n"
                "    geartrain run lorenz --method rk4 --h 0.001 --every 0.01 --out lorenz.csv\n"
                "    geartrain run lorenz --plot butterfly.png --phase x,y,z\n"
                "    geartrain run kpr --rtol 1e-8 --reference --json\n"
                "    geartrain run lorenz --t1 1e5 --every 1 --out l.csv --checkpoint l.run",
    .flags = flags,
    .own_bytes = sizeof(run_flags),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
    .reports = reports,
};

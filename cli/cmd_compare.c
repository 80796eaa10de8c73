/* SPDX-License-Identifier: BSD-3-Clause */
/* compare: several methods on one problem, side by side. */
#include "compare_parts.h"
#include <string.h>

static const cli_flag own_flags[] = {
    {CLI_OWN(compare_flags, methods, "methods"), .value = "A,B,..",
     .help = "the methods; each may carry options, a step or a tolerance: taylor:order=12:h=0.1"},
    {CLI_FLAG(h, "h"), .value = "H1,H2,..",
     .help = "fixed steps; each method runs with each of them"},
    {CLI_FLAG(rtol, "rtol"), .value = "R1,R2,..",
     .help = "tolerances; each method runs with each of them; default 1e-6"},
    {CLI_FLAG(atol, "atol"), .value = "A",
     .help = "absolute tolerance; default 1e-3 times the relative one"},
    {CLI_FLAG(max_steps, "max-steps"), .value = "N", .help = "largest number of steps of a run"},
    {CLI_FLAG(every, "every"), .value = "DT",
     .help = "compares at t0, t0 + DT, ..; default: each method at its own steps"},
    {CLI_OWN(compare_flags, repeat, "repeat"), .value = "N",
     .help = "runs each N times and reports the shortest time; default: until that takes 20 ms"},
    {CLI_FLAG(plot, "plot"), .value = "FILE",
     .help = "error over work on log axes, .svg, .png or .pdf"},
    {CLI_OWN(compare_flags, drift, "drift"), .value = "NAME",
     .help = "the largest relative change of this invariant instead of the error, in the figure "
             "over time"},
    {CLI_OWN(compare_flags, trajectories, "trajectories"),
     .help = "the figure shows the solutions over the reference instead"},
    {CLI_FLAG(vars, "vars"), .value = "A,B,..", .help = "the states in a figure of trajectories"},
    {CLI_OWN(compare_flags, with_work, "with-work"),
     .help = "beside the trajectories of one state, or of --phase, the error over the work"},
    {CLI_OWN(compare_flags, markdown, "markdown"),
     .help = "prints the table in Markdown, for notes and issues"},
    {CLI_OWN(compare_flags, in_words, "in-words"),
     .help = "says in a sentence who is ahead and by how much"},
    {CLI_FLAG(phase, "phase"), .value = "A,B",
     .help = "trajectories in the plane of two states instead of over time"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {gt_cli_model_flags, own_flags, gt_cli_looks_flags,
                                        gt_cli_common_flags, NULL};

static int prepare(comparison *c)
{
    const cli_args *args = c->args;
    int code = gt_cli_problem(args, args->operands[0], &c->p);
    if (code || (code = gt_compare_rows(c))) return code;
    if ((code = gt_cli_atol(&args->flags.atol, &c->plan.atol))) return code;
    if ((code = gt_cli_whole(&args->flags.max_steps, 1, 1000000000000000, &c->plan.max_steps)))
        return code;
    if ((code = gt_cli_whole(&compare_own(args)->repeat, 1, 1000000, &c->repeat))) return code;
    if ((code = gt_run_figure_flags(args, &c->p, &c->figure))) return code;
    c->trajectories = gt_cli_has(&compare_own(args)->trajectories);
    if (c->trajectories && !c->figure.path)
        return gt_cli_usage("--trajectories is for figures; give --plot FILE.svg too");
    if (!c->trajectories && (gt_cli_has(&args->flags.vars) || c->figure.phase))
        return gt_cli_usage(
            "--vars and --phase are for figures of trajectories; give --trajectories too");
    if (c->figure.phase && c->figure.n_columns != 2)
        return gt_cli_usage("compare --phase takes two states, not %zu", c->figure.n_columns);
    c->with_work = gt_cli_has(&compare_own(args)->with_work);
    c->in_words = gt_cli_has(&compare_own(args)->in_words);
    if (c->with_work && !c->trajectories)
        return gt_cli_usage("--with-work is for figures of trajectories; give --trajectories too");
    if (c->with_work && !c->figure.phase && c->figure.n_columns != 1)
        return gt_cli_usage("--with-work has room for one state; give --vars NAME or --phase A,B");
    if (gt_cli_has(&compare_own(args)->markdown) && gt_cli_has(&args->flags.json))
        return gt_cli_usage("--markdown and --json are two forms of one report; give one of them");
    if ((code = gt_compare_drift_flag(c))) return code;
    if ((code = gt_cli_positive(&args->flags.every, &c->every))) return code;
    c->columns = gt_run_all_columns(&c->p);
    return c->columns ? CLI_OK : gt_cli_failed("out of memory");
}

static int report(const comparison *c)
{
    size_t failed = 0;
    for (size_t i = 0; i < c->n_rows; i++) {
        compare_row *row = &c->rows[i];
        failed += row->report.status != GT_OK;
        bool known = !c->drift && !row->report.status && gt_cli_max_certain(&row->error);
        if (known) gt_cli_error_is_known(&row->report);
    }
    int code = CLI_OK;
    if (gt_cli_has(&c->args->flags.json))
        code = gt_report_print_json(gt_compare_fields, c);
    else if (gt_cli_has(&compare_own(c->args)->markdown))
        gt_report_markdown(stdout, gt_compare_fields, c);
    else
        gt_report_print(stdout, gt_compare_fields, c);
    for (size_t i = 0; i < c->n_rows; i++) {
        char step[40], whose[160];
        const compare_row *row = &c->rows[i];
        snprintf(whose, sizeof whose, "%s %s", row->entry->label, gt_compare_step(row, step));
        gt_cli_warnings(&row->report.warnings, whose);
    }
    if (c->stopped) return gt_cli_failed("interrupted; the rows that were not finished say so");
    bool usage = true; /* all that was asked for cannot be: as when it is asked of run */
    for (size_t i = 0; i < c->n_rows; i++)
        usage = usage && c->rows[i].report.status == GT_BAD_ARGUMENT;
    if (usage)
        return gt_cli_usage("%s: %s", c->rows[0].entry->label, c->rows[0].report.message.text);
    if (failed == c->n_rows)
        return gt_cli_failed("no method came to the end; %s: %s", c->rows[0].entry->label,
                             c->rows[0].report.message.text);
    if (code || !c->figure.path) return code;
    bool replaced = gt_cli_is_file(c->figure.path);
    code = gt_compare_draw(c);
    if (!code && !gt_cli_has(&c->args->flags.json))
        printf("\nwrote %s%s\n", c->figure.path, replaced ? " (replaced)" : "");
    return code;
}

static int run(const cli_args *args)
{
    comparison c = {.args = args};
    gt_cli_catch_interrupt(&c.plan);
    int code = prepare(&c);
    /* One at a time unless asked otherwise: rows that run at the same time disturb one another's
     * clock. */
    long threads = 1;
    if (!code && gt_cli_has(&args->flags.threads)) code = gt_cli_threads(args, &threads);
    if (!code) {
        if (c.p.one_thread) threads = 1;
        c.serial = threads == 1;
        gt_cli_parallel(threads, c.n_rows, gt_compare_run_row, &c);
        c.stopped = gt_cli_interrupted();
        code = gt_compare_errors(&c);
        if (!code && c.in_words) gt_compare_in_words(&c);
        if (!code) code = report(&c);
    }
    for (size_t i = 0; i < c.n_rows; i++) {
        gt_figure_series_free(&c.rows[i].series);
        gt_run_series_free(&c.rows[i].points);
        gt_compare_drift_free(&c.rows[i].drift);
    }
    gt_cli_problem_free(&c.p);
    return code;
}

static const cli_report reports[] = {{.fields = gt_compare_fields}, {.fields = NULL}};

const cli_command gt_cmd_compare = {
    .name = "compare",
    .measures = true,
    .title = "runs several methods on a model: error, steps, evaluations, time",
    .operands = "MODEL --methods A,B,..",
    .about =
        "Every method runs with every step of --h or every tolerance of --rtol, unless it carries "
        "its own, so that "
        "fixed\n"
        "and controlled steps can stand side by side: NAME[:option=value]..[:h=H|:rtol=R]. The "
        "error is the largest\n"
        "max_i |e_i| / (1 + |x_i|) against the exact solution or two tight runs, at the steps of "
        "the method, as in\n"
        "run --reference, or at the points of --every. Short runs are repeated and the shortest "
        "time is reported.\n"
        "--drift looks at an invariant of the model instead, from the last known discontinuity on.",
    .examples =
        "    geartrain compare kpr --methods rk4:h=0.01,dopri5,beuler:h=0.01\n"
        "    geartrain compare lorenz --t1 2 --methods rkf45,dopri5 --rtol 1e-4,1e-6,1e-8 "
        "--plot work.svg\n"
        "    geartrain compare vanderpol --methods rk4:h=0.05,dopri5 --trajectories --plot "
        "both.svg\n"
        "    geartrain compare pendulum --t1 1 --methods exprb32:h=0.05,dopri5,gear --in-words\n"
        "    geartrain compare pleiades --methods dopri5,gear --drift energy",
    .flags = flags,
    .own_bytes = sizeof(compare_flags),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
    .reports = reports,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* compare: several methods on one problem, side by side. */
#include "compare_parts.h"
#include <string.h>

static const cli_flag compare_flags[] = {
    {.name = "methods",
     .value = "A,B,..",
     .help = "the methods; each may carry options, a step or a tolerance: taylor:order=12:h=0.1"},
    {.name = "h", .value = "H1,H2,..", .help = "fixed steps; each method runs with each of them"},
    {.name = "rtol", .value = "R1,R2,..", .help = "tolerances; each method runs with each of them; default 1e-6"},
    {.name = "atol", .value = "A", .help = "absolute tolerance; default 1e-3 times the relative one"},
    {.name = "max-steps", .value = "N", .help = "gives up after so many steps"},
    {.name = "every", .value = "DT", .help = "compares at t0, t0 + DT, ..; default: each method at its own steps"},
    {.name = "repeat",
     .value = "N",
     .help = "runs each N times and reports the shortest time; default: until that takes 20 ms"},
    {.name = "plot", .value = "FILE", .help = "error over work on log axes, .svg, .png or .pdf"},
    {.name = "drift",
     .value = "NAME",
     .help = "the largest relative change of this invariant instead of the error, in the figure over time"},
    {.name = "trajectories", .help = "the figure shows the solutions over the reference instead"},
    {.name = "vars", .value = "A,B,..", .help = "the states in a figure of trajectories"},
    {.name = "phase", .value = "A,B", .help = "trajectories in the plane of two states instead of over time"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {gt_cli_model_flags, compare_flags, gt_cli_looks_flags, gt_cli_common_flags,
                                        NULL};

static int prepare(comparison *c)
{
    const cli_args *args = c->args;
    int code = gt_cli_problem(args, args->operands[0], &c->p);
    if (code || (code = gt_compare_rows(c))) return code;
    if ((code = gt_cli_positive(args, "atol", &c->plan.atol))) return code;
    if ((code = gt_cli_whole(args, "max-steps", 1, 1000000000000000, &c->plan.max_steps))) return code;
    if ((code = gt_cli_whole(args, "repeat", 1, 1000000, &c->repeat))) return code;
    if ((code = gt_run_figure_flags(args, &c->p, &c->figure))) return code;
    c->trajectories = gt_cli_has(args, "trajectories");
    if (c->trajectories && !c->figure.path)
        return gt_cli_usage("--trajectories is for figures; give --plot FILE.svg too");
    if (!c->trajectories && (gt_cli_has(args, "vars") || c->figure.phase))
        return gt_cli_usage("--vars and --phase are for figures of trajectories; give --trajectories too");
    if (c->figure.phase && c->figure.n_columns != 2)
        return gt_cli_usage("compare --phase wants two states, not %zu", c->figure.n_columns);
    if ((code = gt_compare_drift_flag(c))) return code;
    if ((code = gt_cli_positive(args, "every", &c->every))) return code;
    c->columns = gt_run_all_columns(&c->p);
    return c->columns ? CLI_OK : gt_cli_failed("out of memory");
}

static json_t *row_json(const comparison *c, const compare_row *row)
{
    json_t *object = json_object();
    const gt_method *method = row->entry->method;
    json_object_set_new(object, "method", json_string(method->name));
    json_object_set_new(object, "options", gt_cli_json_values(method->options, &row->entry->values));
    json_object_set_new(object, "h", row->h > 0 ? json_real(row->h) : json_null());
    json_object_set_new(object, "rtol", row->rtol > 0 ? json_real(row->rtol) : json_null());
    json_object_set_new(object, "status", json_string(gt_status_name(row->report.status)));
    json_object_set_new(object, "message", json_string(row->report.message.text));
    gt_cli_json_remarks(object, &row->report);
    if (c->drift)
        json_object_set_new(object, "drift",
                            json_pack("{s:s, s:o, s:o}", "name", c->drift, "max",
                                      gt_cli_json_number(row->drift.largest), "final",
                                      gt_cli_json_number(row->drift.final)));
    json_object_set_new(object, "error",
                        c->drift || row->report.status ? json_null()
                                                       : gt_cli_json_error(&c->p.problem, &row->error, &c->reference));
    json_object_set_new(object, "stats", gt_cli_json_stats(&row->report.stats));
    json_object_set_new(object, "wall_s", gt_cli_json_number(row->wall));
    return object;
}

static int print_json(const comparison *c)
{
    json_t *object = json_object(), *rows = json_array();
    for (size_t i = 0; i < c->n_rows; i++) json_array_append_new(rows, row_json(c, &c->rows[i]));
    json_object_set_new(object, "model", json_string(c->p.model->name));
    json_object_set_new(object, "parameters", gt_cli_json_values(c->p.model->params, &c->p.values));
    json_object_set_new(object, "rows", rows);
    return gt_cli_json_print(object);
}

/* The name of the status and the sentence, which may begin with it. */
static void print_failure(const compare_row *row)
{
    const char *name = gt_status_name(row->report.status), *text = row->report.message.text;
    if (strncmp(text, name, strlen(name)))
        printf("%9s %s\n", name, text);
    else
        printf("%s\n", text);
}

static bool is_doubtful(const comparison *c, const compare_row *row)
{
    return !c->drift && !row->report.status && !gt_cli_max_certain(&row->error);
}

/* Of the column with the error, which has room for two words where they are needed. */
static int error_width(const comparison *c)
{
    for (size_t i = 0; i < c->n_rows; i++)
        if (is_doubtful(c, &c->rows[i])) return (int)strlen("not certain");
    return 9;
}

static void print_row(const comparison *c, const compare_row *row)
{
    const gt_stats *stats = &row->report.stats;
    if (is_doubtful(c, row))
        printf("%*s ", error_width(c), "not certain");
    else
        gt_fprintf(stdout, "%*.2e ", error_width(c), c->drift ? row->drift.largest : row->error.max);
    gt_fprintf(stdout, "%9ld %9ld %12.0f %9ld %10.2e\n", stats->steps, stats->rejected,
               gt_compare_evaluations(&c->p.problem, stats), stats->jacobians, row->wall);
}

static void print_heading(const comparison *c)
{
    char text[400];
    gt_fprintf(stdout, "%s: %s; t = %g to %g; ", c->p.model->name, c->p.model->title, c->p.problem.t0, c->p.problem.t1);
    if (!c->drift) printf("largest error against %s, ", gt_cli_reference_text(&c->reference, text, sizeof text));
    if (c->drift)
        printf("largest relative change of %s%s\n\n", c->drift, c->p.problem.n_breaks ? " since the last break" : "");
    else if (c->every > 0)
        gt_fprintf(stdout, "at t = %g + k %g\n\n", c->p.problem.t0, c->every);
    else
        puts("at the steps\n");
}

static void print_table(const comparison *c)
{
    size_t widest = strlen("method");
    bool taylor = false, doubt = false;
    for (size_t i = 0; i < c->n_entries; i++)
        if (strlen(c->entries[i].label) > widest) widest = strlen(c->entries[i].label);
    print_heading(c);
    printf("%-*s  %-12s %*s %9s %9s %12s %9s %10s\n", (int)widest, "method", "step", error_width(c),
           c->drift ? "drift" : "error", "steps", "rejected", "evaluations", "Jacobians", "time [s]");
    for (size_t i = 0; i < c->n_rows; i++) {
        const compare_row *row = &c->rows[i];
        char step[40];
        printf("%-*s  %-12s ", (int)widest, row->entry->label, gt_compare_step(row, step));
        taylor = taylor || row->report.stats.taylor;
        doubt = doubt || is_doubtful(c, row);
        if (row->report.status)
            print_failure(row);
        else
            print_row(c, row);
    }
    char text[400];
    if (doubt) printf("\nnot certain: %s\n", gt_cli_doubt_text(&c->reference, text, sizeof text));
    if (taylor)
        puts("\nAn evaluation of taylor is the expansion to its order, which is the work of several evaluations of f.");
}

static int report(const comparison *c)
{
    size_t failed = 0;
    for (size_t i = 0; i < c->n_rows; i++) failed += c->rows[i].report.status != GT_OK;
    int code = CLI_OK;
    if (gt_cli_has(c->args, "json"))
        code = print_json(c);
    else
        print_table(c);
    for (size_t i = 0; i < c->n_rows && !gt_cli_has(c->args, "quiet"); i++) {
        char step[40], whose[160];
        const compare_row *row = &c->rows[i];
        snprintf(whose, sizeof whose, "%s %s", row->entry->label, gt_compare_step(row, step));
        gt_cli_warnings(&row->report.warnings, whose);
    }
    if (c->stopped) return gt_cli_failed("interrupted; the rows that were not finished say so");
    bool usage = true; /* all that was asked for cannot be: as when it is asked of run */
    for (size_t i = 0; i < c->n_rows; i++) usage = usage && c->rows[i].report.status == GT_BAD_ARGUMENT;
    if (usage) return gt_cli_usage("%s: %s", c->rows[0].entry->label, c->rows[0].report.message.text);
    if (failed == c->n_rows)
        return gt_cli_failed("no method came to the end; %s: %s", c->rows[0].entry->label,
                             c->rows[0].report.message.text);
    if (code || !c->figure.path) return code;
    bool replaced = gt_cli_is_file(c->figure.path);
    code = gt_compare_draw(c);
    if (!code && !gt_cli_has(c->args, "json")) printf("\nwrote %s%s\n", c->figure.path, replaced ? " (replaced)" : "");
    return code;
}

static int run(const cli_args *args)
{
    comparison c = {.args = args};
    gt_cli_catch_interrupt(&c.plan);
    int code = prepare(&c);
    /* One at a time unless asked otherwise: rows that run at the same time disturb one another's clock. */
    long threads = 1;
    if (!code && gt_cli_has(args, "threads")) code = gt_cli_threads(args, &threads);
    if (!code) {
        c.serial = threads == 1;
        gt_cli_parallel(threads, c.n_rows, gt_compare_run_row, &c);
        c.stopped = gt_cli_interrupted();
        code = gt_compare_errors(&c);
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

const cli_command gt_cmd_compare = {
    .name = "compare",
    .title = "runs several methods on a model: error, steps, evaluations, time",
    .operands = "MODEL --methods A,B,..",
    .about =
        "Every method runs with every step of --h or every tolerance of --rtol, unless it carries its own, so that "
        "fixed\n"
        "and controlled steps can stand side by side: NAME[:option=value]..[:h=H|:rtol=R]. The error is the largest\n"
        "max_i |e_i| / (1 + |x_i|) against the exact solution or two tight runs, at the steps of the method, as in\n"
        "run --reference, or at the points of --every. Short runs are repeated and the shortest time is told.\n"
        "--drift looks at an invariant of the model instead, from the last known discontinuity on.",
    .examples = "    geartrain compare kpr --methods rk4:h=0.01,dopri5,beuler:h=0.01\n"
                "    geartrain compare lorenz --t1 2 --methods rkf45,dopri5 --rtol 1e-4,1e-6,1e-8 --plot work.svg\n"
                "    geartrain compare vanderpol --methods rk4:h=0.05,dopri5 --trajectories --plot both.svg\n"
                "    geartrain compare pleiades --methods dopri5,gear --drift energy",
    .flags = flags,
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};

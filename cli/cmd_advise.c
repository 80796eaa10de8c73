/* SPDX-License-Identifier: BSD-3-Clause */
/* advise: what a model is like along its solution, and which methods suit it. */
#include "advise_parts.h"
#include <math.h>
#include <string.h>

/* What was given for the flags that `advise` alone has. */
typedef struct advise_flags {
    cli_value blocks, max_step, methods, split, time;
} advise_flags;

static inline const advise_flags *advise_own(const cli_args *args)
{
    return gt_cli_own(args, sizeof(advise_flags));
}

static const cli_flag own_flags[] = {
    {CLI_OWN(advise_flags, methods, "methods"), .value = "A,B,..",
     .help = "only these, optionally with options: rk4,bi45:alpha=0.47; default: all"},
    {CLI_FLAG(rtol, "rtol"), .value = "R",
     .help = "relative tolerance that the advice is for, default 1e-6", .alias = "tolerance"},
    {CLI_FLAG(atol, "atol"), .value = "A|NAME=A,..",
     .help = "absolute tolerance for all states, or for some by name; states that do not "
             "matter may have a loose one"},
    {CLI_OWN(advise_flags, blocks, "blocks"),
     .help = "eigenvalues of the slow and of the fast block alone"},
    {CLI_OWN(advise_flags, split, "split"),
     .help = "prints nothing but the line \"#@ fast a,b\" for a model file"},
    {CLI_OWN(advise_flags, max_step, "max-step"),
     .help = "finds the largest fixed step of each method by running it, see below"},
    {CLI_OWN(advise_flags, time, "time"),
     .help = "measures what f and its blocks cost by the clock, and ranks by it"},
    {CLI_FLAG(plot, "plot"), .value = "FILE",
     .help = "eigenvalues times the step over a stability region, or those of both blocks with "
             "--blocks"},
    {CLI_FLAG(h, "h"), .value = "H", .help = "the step in the figure; default: those of the run"},
    {.name = NULL},
};

static const cli_flag *const flags[] = {gt_cli_model_flags, own_flags, gt_cli_looks_flags,
                                        gt_cli_common_flags, NULL};

static int read_methods(advise_job *job)
{
    const char *text = gt_cli_text(&advise_own(job->args)->methods);
    char **words;
    size_t count;
    if (!text) return CLI_OK;
    int code = gt_cli_read_words("--methods", text, &job->p.arena, &words, &count);
    if (code) return code;
    job->methods = gt_arena_take(&job->p.arena, count + 1, sizeof *job->methods);
    if (!job->methods) return gt_cli_failed("out of memory");
    for (size_t k = 0; k < count && !code; k++)
        code = gt_cli_method_with(words[k], &job->p.arena, &job->methods[k]);
    return code;
}

static int prepare(advise_job *job)
{
    const cli_args *args = job->args;
    int code = gt_cli_problem(args, args->operands[0], &job->p);
    if (code || (code = read_methods(job)) || (code = gt_cli_positive(&args->flags.h, &job->h)))
        return code;
    job->plot = gt_cli_text(&args->flags.plot);
    job->blocks = gt_cli_has(&advise_own(args)->blocks);
    const char *inputs[] = {job->p.start_file, NULL};
    return job->plot ? gt_cli_check_plot(job->plot, inputs) : CLI_OK;
}

static int look(advise_job *job, gt_message *message)
{
    gt_plan plan = {0};
    int code = gt_cli_tolerances(job->args, &job->p, &plan);
    if (code) return code;
    cli_progress bar;
    plan.max_steps = 200000; /* a solution that takes more has said long before what it is like */
    gt_cli_catch_interrupt(&plan);
    gt_cli_progress_begin(&bar, job->args, job->p.problem.t0, job->p.problem.t1);
    gt_cli_progress_hook(&bar, &plan);
    const gt_method *const *methods = (const gt_method *const *)job->methods;
    gt_status status =
        gt_advise(&job->p.problem, &plan, methods, &job->advice, &job->p.arena, message);
    gt_cli_progress_end(&bar);
    return gt_cli_exit_of(status);
}

/* Repeats until the clock has something to measure. */
static double seconds_of(gt_rhs_fn *f, const gt_problem *p, const double *x, double *dx)
{
    if (!f) return 0;
    for (long repeats = 16;; repeats *= 4) {
        double began = gt_cli_seconds();
        for (long k = 0; k < repeats; k++)
            if (f(p->t0, x, dx, p->ctx)) return 0;
        double took = gt_cli_seconds() - began;
        if (took > 0.02) return took / (double)repeats;
    }
}

static int measure_times(advise_job *job)
{
    const gt_problem *p = &job->p.problem;
    double *dx = gt_arena_doubles(&job->p.arena, gt_problem_size(p));
    if (!dx) return gt_cli_failed("out of memory");
    job->times = (advise_times){.full = seconds_of(p->rhs, p, p->x0, dx),
                                .slow = seconds_of(p->rhs_slow, p, p->x0, dx),
                                .fast = seconds_of(p->rhs_fast, p, p->x0, dx)};
    /* The ranking goes by it: a nanosecond counts as four operations. */
    job->p.problem.work =
        (gt_work){.full = 4e9 * fmax(job->times.full, job->times.slow + job->times.fast),
                  .slow = 4e9 * job->times.slow,
                  .fast = 4e9 * job->times.fast};
    return CLI_OK;
}

static int try_steps(advise_job *job)
{
    const long MOST = 4000000;
    const gt_advice *a = &job->advice;
    job->max_step = gt_arena_doubles(&job->p.arena, a->n_methods + 1);
    if (!job->max_step) return gt_cli_failed("out of memory");
    cli_progress bar;
    gt_cli_progress_begin(&bar, job->args, 0, 1);
    for (size_t k = 0; k < a->n_methods; k++) {
        gt_message message = {""};
        const gt_method *method = a->methods[k].method;
        gt_cli_progress_pieces(&bar, k, a->n_methods);
        job->max_step[k] = NAN;
        gt_values v = gt_params_default(method->options);
        if (gt_method_facts(method, v.v).flags & GT_VARIABLE_FORMULA || gt_cli_interrupted())
            continue;
        if (gt_method_check(method, v.v, &job->p.problem, &message)) continue;
        if (gt_largest_step(&job->p.problem, method, a->bound, MOST, &job->max_step[k], &message))
            job->max_step[k] = NAN;
    }
    gt_cli_progress_end(&bar);
    return gt_cli_interrupted() ? gt_cli_failed("interrupted while steps were tried") : CLI_OK;
}

static int print_split(const advise_job *job)
{
    enum { WIDTH = 100 };
    const gt_split *split = &job->advice.split;
    const gt_problem *p = &job->p.problem;
    char made_up[24];
    size_t used = 0;
    if (!split->n_fast || split->separation < GT_LEAST_SEPARATION)
        return gt_cli_failed("no split is suggested; multirate: %s", job->advice.multirate.text);
    for (size_t i = 0; i < gt_problem_size(p); i++) { /* several lines add up */
        if (!split->fast[i]) continue;
        const char *name = gt_problem_state_name(p, i, made_up);
        bool fits = used && used + strlen(name) + 1 <= WIDTH;
        int put = printf("%s%s", fits ? "," : used ? "\n#@ fast " : "#@ fast ", name);
        used = (fits ? used : 0) + (put > 0 ? (size_t)put : 0);
    }
    putchar('\n');
    return CLI_OK;
}

/* The eigenvalues of the blocks of the division at each point, where all are known. */
static int find_blocks(advise_job *job)
{
    const gt_advice *a = &job->advice;
    const gt_split *split = gt_advise_division(job);
    double values[2 * GT_SPECTRUM_DENSE];
    if (!split || !a->points[0].complete) return CLI_OK;
    job->block = gt_arena_take(&job->p.arena, a->n_points, sizeof *job->block);
    for (size_t k = 0; job->block && k < a->n_points; k++) {
        advise_block *b = &job->block[k];
        b->t = a->points[k].t;
        for (int fast = 0; fast < 2; fast++) {
            size_t count;
            if (gt_split_block(&a->points[k], split->fast, fast, values, &count, NULL)) continue;
            double *kept = gt_arena_doubles(&job->p.arena, 2 * count + 1);
            if (!kept) return gt_cli_failed("out of memory");
            memcpy(kept, values, 2 * count * sizeof *kept);
            *(fast ? &b->fast : &b->slow) = kept;
            *(fast ? &b->n_fast : &b->n_slow) = count;
        }
    }
    return job->block ? CLI_OK : gt_cli_failed("out of memory");
}

static int report(advise_job *job)
{
    int code = CLI_OK;
    if (gt_cli_has(&advise_own(job->args)->max_step)) code = try_steps(job);
    if (!code && job->plot) code = job->blocks ? gt_advise_draw_blocks(job) : gt_advise_draw(job);
    if (code) return code;
    job->slow = (manifold_view){&job->p.problem, &job->advice.manifold};
    if (job->blocks && (code = find_blocks(job))) return code;
    if (!gt_cli_has(&advise_own(job->args)->split) && (code = gt_advise_promise(job))) return code;
    if (gt_cli_has(&job->args->flags.json)) return gt_report_print_json(gt_advise_fields, job);
    if (gt_cli_has(&advise_own(job->args)->split)) return print_split(job);
    gt_report_print(stdout, gt_advise_fields, job);
    for (size_t k = 0; k < job->n_commands; k++) {
        const gt_stats *s = &job->commands[k].promise.stats;
        printf("    %s\n      %ld steps, %ld rejected, %ld evaluations of f\n",
               job->commands[k].text, s->steps, s->rejected, s->rhs);
    }
    if (job->plot) printf("wrote       %s\n", job->plot);
    return CLI_OK;
}

static int run(const cli_args *args)
{
    advise_job job = {.args = args};
    gt_message message = {""};
    int code = prepare(&job), seen = CLI_OK;
    if (!code && gt_cli_has(&advise_own(args)->time)) code = measure_times(&job);
    if (!code) {
        seen = look(&job, &message);
        if (seen && *message.text) gt_cli_note("%s", message.text);
        code = seen && !job.advice.n_methods ? seen : report(&job);
        /* A run that failed on the way still shows the part before. */
        if (!code) code = seen;
    }
    gt_cli_problem_free(&job.p);
    return code;
}

static const cli_report reports[] = {{.fields = gt_advise_fields}, {.fields = NULL}};

const cli_command gt_cmd_advise = {
    .name = "advise",
    .measures = true,
    .title = "what a model is like along its solution, and which methods suit it",
    .operands = "MODEL",
    .about =
        "Runs the model, looks at the eigenvalues of the Jacobian at up to 40 points of the "
        "solution, and reports how\n"
        "stiff it is, how it oscillates, which states are fast, and for each method what limits "
        "its step and the work\n"
        "that a run would take, in evaluations of f, by counting; right to a factor of a few. The "
        "largest stable step\n"
        "is the one up to which |R(h lambda)| <= 1 for all eigenvalues seen that do not grow.\n"
        "With --max-step each method is run with fixed steps on the model itself: the step in the "
        "table is the "
        "largest\n"
        "with which the run completes and no state leaves three times its largest size in a good "
        "run.",
    .examples = "    geartrain advise vanderpol --set mu=1000\n"
                "    geartrain advise stiff3c --methods rk4,dopri5,gear --max-step\n"
                "    geartrain advise arm_eb --methods bi55,bi45:alpha=0.47,bi77h\n"
                "    geartrain advise linear2 --blocks --split\n"
                "    geartrain advise stiff3c --methods rk4 --h 0.03 --plot spectrum.svg\n"
                "    geartrain advise vehicle --blocks --methods rk2,rk4 --plot blocks.svg",
    .flags = flags,
    .own_bytes = sizeof(advise_flags),
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
    .reports = reports,
};

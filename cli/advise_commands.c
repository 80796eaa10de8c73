/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * advise: the commands that it recommends. The method that `run` goes on with by itself, and the
 * best of the table, are each run once to the end at the tolerance that the advice is for, so that
 * the steps behind a command are those that it takes. The one of least work for the same error
 * comes first, and is the recommendation.
 */
#include "advise_parts.h"
#include <geartrain/pilot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A run that takes much more than the one that was looked at is given up, and not recommended. */
static const double most_times = 4, least_work = 1e5, most_work = 2e7;
static const long most_steps = 1000000; /* of the run that shows which method is the usual one */

/* Work at the same error: each step may make the same one, so that a method of more steps would
 * have to take a smaller tolerance. */
static double fair_work(const gt_promise *promise)
{
    gt_values v = gt_params_default(promise->method->options);
    gt_facts facts = gt_method_facts(promise->method, v.v);
    return promise->work * pow((double)promise->stats.steps, 1.0 / fmax(1, facts.order));
}

static int by_work(const void *a, const void *b)
{
    double left = fair_work(&((const advise_command *)a)->promise),
           right = fair_work(&((const advise_command *)b)->promise);
    return (left > right) - (left < right);
}

/* ---- the text of a command ---- */

/* A word of a shell: between quotes where it has other than plain characters. */
static void say_word(const char *word, report_text *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=.,:/@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        gt_report_say(out, " %s", word);
        return;
    }
    gt_report_say(out, " '");
    for (; *word; word++)
        if (*word == '\'')
            gt_report_say(out, "'\\''");
        else
            gt_report_say(out, "%c", *word);
    gt_report_say(out, "'");
}

/* The flags that `run` has too, but the tolerance and the method, which are always said. */
static bool goes_along(const cli_args *args, const cli_flag *flag)
{
    for (const cli_flag *f = gt_cli_model_flags; f->name; f++)
        if (f == flag) return true;
    return args->flags.atol.flag == flag;
}

static void say_method(const char *name, report_text *out)
{
    char word[64];
    size_t length = strcspn(name, " ");
    gt_report_say(out, " --method %.*s", (int)length, name);
    for (name += length; *name == ' '; name += length) { /* "bi45 alpha=0.47" */
        length = strcspn(++name, " ");
        gt_format(word, sizeof word, "%.*s", (int)length, name);
        gt_report_say(out, " --opt");
        say_word(word, out);
    }
}

static void say_command(const advise_job *job, const char *method, report_text *out)
{
    const cli_args *args = job->args;
    gt_report_say(out, "geartrain run");
    say_word(args->operands[0], out);
    for (size_t i = 0; i < args->n_given; i++) {
        const cli_given *given = &args->given[i];
        if (!given->flag || !goes_along(args, given->flag)) continue;
        gt_report_say(out, " --%s", given->flag->name);
        if (given->flag->value) say_word(given->value, out);
    }
    gt_report_say(out, " --rtol %.15g", job->advice.rtol);
    say_method(method, out);
}

/* ---- the runs ---- */

/* The method that `run` takes for most of the span when none is given; NULL: there is none, or it
 * is not among those that are asked for. */
static const gt_method *method_of_auto(const advise_job *job, const gt_plan *plan)
{
    gt_plan piloted = *plan;
    gt_report report;
    piloted.pilot = &gt_auto;
    piloted.max_steps = most_steps;
    if (gt_solve(&job->p.problem, NULL, &piloted, &report)) return NULL;
    const gt_method *method = gt_method_find(gt_phases_method(&report.phases));
    for (const gt_method *const *m = job->methods; m && *m != method; m++)
        if (!*m) return NULL;
    return method;
}

/* Runs the method, unless it was run before, and keeps it where it comes to the end. */
static int try_method(advise_job *job, const gt_plan *plan, const gt_method *method, double most)
{
    gt_message message = {""};
    for (size_t k = 0; k < job->n_commands; k++)
        if (job->commands[k].promise.method == method) return CLI_OK;
    gt_promise *promise = &job->commands[job->n_commands].promise;
    gt_status status = gt_promise_of(&job->p.problem, plan, method, most, promise, &message);
    if (status) return gt_cli_complain(status, &message);
    if (!promise->status) job->n_commands++;
    return CLI_OK;
}

static double least_so_far(const advise_job *job)
{
    double least = INFINITY;
    for (size_t k = 0; k < job->n_commands; k++) least = fmin(least, job->commands[k].promise.work);
    return least;
}

static int run_best(advise_job *job)
{
    const gt_advice *a = &job->advice;
    gt_plan plan = {0};
    int code = gt_cli_tolerances(job->args, &job->p, &plan);
    if (code) return code;
    gt_cli_catch_interrupt(&plan);
    const gt_method *usual = method_of_auto(job, &plan);
    if (usual) code = try_method(job, &plan, usual, most_work);
    for (size_t k = 0; !code && k < a->n_methods && job->n_commands < ADVISE_COMMANDS; k++) {
        const gt_method_advice *m = &a->methods[k];
        gt_values v = gt_params_default(m->method->options);
        if (m->verdict != GT_ADVISED) break;
        if (!gt_method_facts(m->method, v.v).error_order) continue;
        double allowed = fmin(most_work, fmax(least_work, most_times * m->work));
        code = try_method(job, &plan, m->method, fmin(most_times * least_so_far(job), allowed));
    }
    if (code) return code;
    qsort(job->commands, job->n_commands, sizeof *job->commands, by_work);
    const advise_command *list = job->commands;
    while (job->n_commands > 1 &&
           fair_work(&list[job->n_commands - 1].promise) > most_times * fair_work(&list[0].promise))
        job->n_commands--;
    return CLI_OK;
}

int gt_advise_promise(advise_job *job)
{
    int code = job->advice.run.status ? CLI_OK : run_best(job);
    for (size_t k = 0; !code && k < job->n_commands; k++) {
        report_text text = {.used = 0};
        say_command(job, job->commands[k].promise.method->name, &text);
        char *kept = gt_arena_take(&job->p.arena, text.used + 1, 1);
        if (!kept) return gt_cli_failed("out of memory");
        memcpy(kept, text.text, text.used + 1);
        job->commands[k].text = kept;
    }
    return code;
}

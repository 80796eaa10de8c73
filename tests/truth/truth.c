/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every problem by every method, and how near the answers are to the truth:
 *
 *     truth [--problem NAME] [--method NAME] [--steps MOST] [--all | --table | --amplification]
 *
 * prints the runs beyond the bound, the worst first (--all: all of them), or the tables of
 * docs/accuracy.md (with
 * --steps 1000), or how much the problems amplify perturbations. Exit status 1: an answer beyond
 * the bound has neither a warning nor a reason.
 */
#include "truth.h"
#include <stdlib.h>
#include <string.h>

static int worse_first(const void *a, const void *b)
{
    const truth_run *p = a, *q = b;
    return (p->error < q->error) - (p->error > q->error);
}

static const char *const class_names[TRUTH_CLASSES] = {
    "refused", "stopped", "within 10", "within 100", "warned", "explained", "open", "silent"};

static void print_runs(truth_sweep *sweep, bool all)
{
    qsort(sweep->runs, sweep->count, sizeof *sweep->runs, worse_first);
    for (size_t i = 0; i < sweep->count; i++) {
        const truth_run *r = sweep->runs + i;
        if (!all && r->class <= TRUTH_FAIR) continue;
        printf("%-10s %s%-12s %-18s %g error/tol %.3g steps %ld %s%s%s\n", class_names[r->class],
               r->automatic ? "auto:" : "", r->method ? r->method->name : "?", r->problem->name,
               r->rtol, r->error, r->steps, gt_status_name(r->status),
               r->class == TRUTH_EXPLAINED ? " " : "",
               r->class == TRUTH_EXPLAINED ? truth_reasons[r->reason].name : "");
    }
}

static void print_counts(const truth_sweep *sweep)
{
    for (int automatic = 0; automatic < 2; automatic++) {
        printf("%s:", automatic ? "auto" : "methods");
        for (int class = TRUTH_STOPPED; class < TRUTH_CLASSES; class ++)
            printf("%s %s %ld", class == TRUTH_STOPPED ? "" : ",", class_names[class],
                   truth_count(sweep, (truth_class) class, automatic));
        printf("\n");
    }
}

static int print_amplification(const char *wanted)
{
    const truth_problem *row;
    for (size_t i = 0; (row = truth_problem_at(i)); i++) {
        if (wanted ? strcmp(wanted, row->name) != 0 : row->amplification <= 1) continue;
        truth_case c;
        gt_message message = {""};
        if (truth_open(&c, row, &message)) {
            fprintf(stderr, "%s: %s\n", row->name, message.text);
            return 2;
        }
        printf("%-18s stated %g, measured %.4g\n", row->name, row->amplification,
               truth_measured_amplification(&c));
        truth_close(&c);
    }
    return 0;
}

int main(int argc, char **argv)
{
    truth_choice choice = {.max_steps = 200000};
    bool all = false, table = false;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(argv[i], "--all"))
            all = true;
        else if (!strcmp(argv[i], "--table"))
            table = true;
        else if (!strcmp(argv[i], "--amplification"))
            return print_amplification(choice.problem);
        else if (value && !strcmp(argv[i], "--problem"))
            choice.problem = value, i++;
        else if (value && !strcmp(argv[i], "--method"))
            choice.method = value, i++;
        else if (value && !strcmp(argv[i], "--steps"))
            choice.max_steps = strtol(value, NULL, 10), i++;
        else {
            fprintf(stderr, "truth: %s is not an option, or has no value\n", argv[i]);
            return 2;
        }
    }
    truth_sweep sweep;
    if (truth_sweep_run(&sweep, &choice)) {
        fprintf(stderr, "truth: %s\n", sweep.message.text);
        return 2;
    }
    for (int k = 0; table && truth_reasons[k].name; k++)
        printf("| %s | %s |\n", truth_reasons[k].name, truth_reasons[k].text);
    for (int k = 0; table && truth_defects[k].problem; k++)
        printf("| %s | %s | %s |\n", truth_defects[k].problem,
               truth_defects[k].method ? truth_defects[k].method : "any", truth_defects[k].text);
    if (table)
        truth_print_table(&sweep, stdout);
    else
        print_runs(&sweep, all);
    if (!table) print_counts(&sweep);
    bool silent =
        truth_count(&sweep, TRUTH_SILENT, false) || truth_count(&sweep, TRUTH_SILENT, true);
    truth_sweep_free(&sweep);
    return silent;
}

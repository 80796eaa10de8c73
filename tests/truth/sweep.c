/* SPDX-License-Identifier: BSD-3-Clause */
/* All runs of a choice, and what can be counted of them. */
#include "truth.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const double truth_tolerances[TRUTH_TOLERANCES] = {1e-3, 1e-6, 1e-9};

static bool chosen(const char *wanted, const char *name)
{
    return !wanted || !strcmp(wanted, name);
}

static bool controlled(const gt_method *method)
{
    return gt_method_facts(method, gt_params_default(method->options).v).error_order > 0;
}

static gt_status add(truth_sweep *sweep, const truth_run *run)
{
    enum { BLOCK = 1024 };
    if (sweep->count % BLOCK == 0) {
        truth_run *more = realloc(sweep->runs, (sweep->count + BLOCK) * sizeof *more);
        if (!more)
            return gt_fail(&sweep->message, GT_NO_MEMORY, "out of memory after %zu runs",
                           sweep->count);
        sweep->runs = more;
    }
    sweep->runs[sweep->count++] = *run;
    return GT_OK;
}

/* One problem by the automatic choice and every method. */
static gt_status run_problem(truth_sweep *sweep, const truth_choice *choice,
                             const truth_problem *row)
{
    truth_case c;
    gt_status status = truth_open(&c, row, &sweep->message);
    const gt_method *const *list = gt_method_list();
    for (size_t k = 0; !status && (k == 0 || list[k - 1]); k++) {
        const gt_method *method = k ? list[k - 1] : NULL;
        if (!chosen(choice->method, method ? method->name : "auto") ||
            (method && !controlled(method)))
            continue;
        for (size_t r = 0; !status && r < TRUTH_TOLERANCES; r++) {
            truth_run run = truth_solve(&c, method, truth_tolerances[r], choice->max_steps);
            if (run.class != TRUTH_REFUSED) status = add(sweep, &run);
        }
    }
    truth_close(&c);
    return status;
}

gt_status truth_sweep_run(truth_sweep *sweep, const truth_choice *choice)
{
    *sweep = (truth_sweep){0};
    const truth_problem *row;
    gt_status status = GT_OK;
    for (size_t i = 0; !status && (row = truth_problem_at(i)); i++)
        if (chosen(choice->problem, row->name)) status = run_problem(sweep, choice, row);
    return status;
}

void truth_sweep_free(truth_sweep *sweep)
{
    free(sweep->runs);
    *sweep = (truth_sweep){0};
}

long truth_count(const truth_sweep *sweep, truth_class class, bool automatic)
{
    long count = 0;
    for (size_t i = 0; i < sweep->count; i++)
        count += sweep->runs[i].class == class && sweep->runs[i].automatic == automatic;
    return count;
}

static int ascending(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

truth_spread truth_spread_of(const truth_sweep *sweep, const gt_method *method, double rtol)
{
    truth_spread spread = {.half = NAN, .most = NAN};
    double *errors = calloc(sweep->count + 1, sizeof *errors);
    if (!errors) return spread;
    for (size_t i = 0; i < sweep->count; i++) {
        const truth_run *run = sweep->runs + i;
        bool same = method ? run->method == method && !run->automatic : run->automatic;
        if (!same || run->rtol != rtol || run->status) continue;
        errors[spread.ok++] = run->error;
        spread.beyond += run->error > truth_bound(run->problem);
    }
    if (spread.ok) {
        qsort(errors, spread.ok, sizeof *errors, ascending);
        spread.half = errors[(spread.ok - 1) / 2];
        spread.most = errors[(spread.ok - 1) * 9 / 10];
    }
    free(errors);
    return spread;
}

static void print_row(const truth_sweep *sweep, const gt_method *method, FILE *out)
{
    truth_spread s[TRUTH_TOLERANCES];
    size_t ok = 0, beyond = 0;
    for (size_t r = 0; r < TRUTH_TOLERANCES; r++) {
        s[r] = truth_spread_of(sweep, method, truth_tolerances[r]);
        ok += s[r].ok, beyond += s[r].beyond;
    }
    if (!ok) return;
    fprintf(out, "| `%s` |", method ? method->name : "auto");
    for (size_t r = 0; r < TRUTH_TOLERANCES; r++) {
        if (s[r].ok)
            fprintf(out, " %.2g, %.2g |", s[r].half, s[r].most);
        else
            fprintf(out, " - |");
    }
    fprintf(out, " %zu | %zu |\n", ok, beyond);
}

void truth_print_table(const truth_sweep *sweep, FILE *out)
{
    fprintf(out, "| method | rtol 1e-3 | 1e-6 | 1e-9 | runs ok | beyond |\n| --- | --- | --- | --- "
                 "| --- | --- |\n");
    print_row(sweep, NULL, out);
    const gt_method *const *list = gt_method_list();
    for (size_t k = 0; list[k]; k++) print_row(sweep, list[k], out);
}

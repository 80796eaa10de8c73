/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables for people, and rows for programs. */
#include "battery.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double high = 1.7; /* regret above it is listed */

static const char *name_of(const gt_method *method) { return method ? method->name : "-"; }

void battery_print_case(const battery_case *c)
{
    for (size_t a = 0; a < c->asked; a++) {
        const struct battery_answer *s = &c->answer[a];
        const gt_method *best = c->curves ? c->curve[s->best].method : NULL;
        gt_fprintf(stdout, "%-34s %6zu %6.0e %-8s %9.3g %9.2g %-8s %9.3g %7.2f%s%s%s\n",
                   a ? "" : c->entry->name, c->n, s->run.rtol, name_of(s->run.method), s->run.work,
                   s->run.error / s->run.rtol, isfinite(s->best_work) ? name_of(best) : "-",
                   s->best_work, s->regret,
                   s->run.capped   ? " given up"
                   : s->run.status ? " failed"
                                   : "",
                   s->silently_wrong ? " WRONG" : "", c->sensitive ? " sensitive" : "");
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The part `at` of sorted numbers lies below it. */
static double quantile(const double *sorted, size_t count, double at)
{
    if (!count) return NAN;
    double place = at * (double)(count - 1);
    size_t k = (size_t)place;
    if (k + 1 >= count) return sorted[count - 1];
    return sorted[k] + (place - (double)k) * (sorted[k + 1] - sorted[k]);
}

typedef struct numbers {
    double *list;
    size_t count;
} numbers;

static numbers empty(size_t room)
{
    numbers n = {calloc(room + 1, sizeof *n.list), 0};
    battery_require(n.list != NULL, "out of memory for a table");
    return n;
}

static void print_quantiles(const char *what, numbers *n)
{
    qsort(n->list, n->count, sizeof *n->list, ascending);
    gt_fprintf(stdout, "%-22s %4zu points  median %.2f  90 %% %.2f  worst %.2f\n", what, n->count,
               quantile(n->list, n->count, 0.5), quantile(n->list, n->count, 0.9),
               quantile(n->list, n->count, 1));
}

static void print_regrets(const battery_case *cases, size_t count, const battery_plan *plan)
{
    numbers all = empty(count * BATTERY_ASKED), each = empty(count);
    long within = 0, judged = 0;
    for (size_t a = 0; a < plan->n_asked; a++) {
        char what[32];
        each.count = 0;
        for (size_t i = 0; i < count; i++) {
            const struct battery_answer *s = &cases[i].answer[a];
            if (a >= cases[i].asked || isnan(s->regret)) continue;
            all.list[all.count++] = each.list[each.count++] = s->regret;
            if (cases[i].sensitive || s->run.status) continue;
            judged++;
            within += s->run.error <= 10 * s->run.rtol;
        }
        gt_format(what, sizeof what, "regret at rtol %.0e", plan->asked[a]);
        print_quantiles(what, &each);
    }
    print_quantiles("regret", &all);
    printf("error of auto within 10 tol in %ld of %ld runs on problems that are not sensitive\n",
           within, judged);
    free(all.list);
    free(each.list);
}

static void print_lists(const battery_case *cases, size_t count)
{
    long wrong = 0, failed = 0;
    gt_fprintf(stdout, "\nregret above %.1f:\n", high);
    for (size_t i = 0; i < count; i++)
        for (size_t a = 0; a < cases[i].asked; a++) {
            const struct battery_answer *s = &cases[i].answer[a];
            wrong += s->silently_wrong;
            failed += s->run.status != GT_OK;
            if (!(s->regret > high)) continue;
            gt_fprintf(stdout, "  %-34s %6.0e %8.2f%s  auto %s, best %s\n", cases[i].entry->name,
                       s->run.rtol, s->regret, s->run.capped ? "+" : " ", name_of(s->run.method),
                       name_of(cases[i].curve[s->best].method));
        }
    printf("\nerrors of auto above 100 tol without a note: %ld\n", wrong);
    for (size_t i = 0; i < count; i++)
        for (size_t a = 0; a < cases[i].asked; a++) {
            const struct battery_answer *s = &cases[i].answer[a];
            if (s->silently_wrong)
                gt_fprintf(stdout, "  %-34s %6.0e %s: error %.3g tol\n", cases[i].entry->name,
                           s->run.rtol, name_of(s->run.method), s->run.error / s->run.rtol);
        }
    printf("runs of auto that failed or were given up: %ld\n", failed);
    for (size_t i = 0; i < count; i++)
        for (size_t a = 0; a < cases[i].asked; a++) {
            const struct battery_answer *s = &cases[i].answer[a];
            if (s->run.status)
                gt_fprintf(stdout, "  %-34s %6.0e %s: %s at t = %.4g\n", cases[i].entry->name,
                           s->run.rtol, name_of(s->run.method),
                           s->run.capped ? "given up" : gt_status_name(s->run.status), s->run.t);
        }
}

/* How often each method is the best one, and taken. */
static void print_winners(const battery_case *cases, size_t count)
{
    printf("\n%-12s %6s %6s\n", "method", "best", "taken");
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        int best = 0, taken = 0;
        for (size_t i = 0; i < count; i++)
            for (size_t a = 0; a < cases[i].asked; a++) {
                const struct battery_answer *s = &cases[i].answer[a];
                best += isfinite(s->best_work) && cases[i].curve[s->best].method == *m;
                taken += s->run.method == *m;
            }
        if (best || taken) printf("%-12s %6d %6d\n", (*m)->name, best, taken);
    }
}

void battery_print_summary(const battery_case *cases, size_t count, const battery_plan *plan)
{
    size_t files = 0;
    for (size_t i = 0; i < count; i++) files += cases[i].entry->model == NULL;
    printf("\n%zu problems, %zu of them files\n", count, files);
    print_lists(cases, count);
    print_winners(cases, count);
    printf("\n");
    print_regrets(cases, count, plan);
}

/* Of one method over the battery: median of err/tol, of the share of rejections, steps beside
 * --control i. */
static void print_method(const gt_method *method, const battery_case *cases, size_t count,
                         const battery_plan *plan)
{
    size_t room = count * BATTERY_RUNGS;
    numbers errors = empty(room), rejected = empty(room), ratio = empty(count),
            beyond = empty(room);
    double by_default = 0, by_i = 0, trials = 0, bad = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < cases[i].curves; k++) {
            const battery_curve *c = &cases[i].curve[k];
            if (c->method != method) continue;
            for (size_t r = 0; r < c->points; r++) {
                const battery_run *run = &c->run[r];
                bool asked = false;
                for (size_t a = 0; a < plan->n_asked; a++)
                    asked = asked || run->rtol == plan->asked[a];
                if (run->status || !asked) continue;
                double all = (double)(run->stats.steps + run->stats.rejected);
                if (run->error_of_tol > 0) errors.list[errors.count++] = run->error_of_tol;
                rejected.list[rejected.count++] = (double)run->stats.rejected / all;
                trials += all;
                bad += (double)run->stats.rejected;
                if (!cases[i].sensitive) beyond.list[beyond.count++] = run->error / run->rtol;
            }
            if (!cases[i].steps_i[k]) continue;
            by_default += (double)cases[i].steps_default[k];
            by_i += (double)cases[i].steps_i[k];
            ratio.list[ratio.count++] =
                (double)cases[i].steps_default[k] / (double)cases[i].steps_i[k];
        }
    numbers *all[] = {&errors, &rejected, &ratio, &beyond};
    for (size_t i = 0; i < 4; i++) qsort(all[i]->list, all[i]->count, sizeof(double), ascending);
    if (rejected.count)
        gt_fprintf(stdout, "%-10s %5zu %8.3f %8.1f %8.1f %10.3g %10.3g", method->name,
                   rejected.count, quantile(errors.list, errors.count, 0.5),
                   100 * quantile(rejected.list, rejected.count, 0.5), 100 * bad / trials,
                   quantile(beyond.list, beyond.count, 0.5),
                   quantile(beyond.list, beyond.count, 0.9));
    if (rejected.count && by_i > 0)
        gt_fprintf(stdout, " %12.3f %10.3f\n", by_default / by_i,
                   quantile(ratio.list, ratio.count, 0.5));
    else if (rejected.count)
        printf(" %12s %10s\n", method->judge ? "its own" : "-", "");
    for (size_t i = 0; i < 4; i++) free(all[i]->list);
}

void battery_print_control(const battery_case *cases, size_t count, const battery_plan *plan)
{
    printf("\nstep control: err/tol of accepted steps and rejections in %%, medians over runs; "
           "rejections of all trials; "
           "error at the outputs / tol;\ntrials over those with --control i, of the sums and in "
           "the median\n"
           "%-10s %5s %8s %8s %8s %10s %10s %12s %10s\n",
           "", "runs", "err/tol", "rejected", "all", "error", "90 %", "sum / i", "median / i");
    for (const gt_method *const *m = gt_method_list(); *m; m++)
        print_method(*m, cases, count, plan);
}

/* ---- JSON ---- */

static void number(FILE *out, const char *key, double value)
{
    if (isfinite(value))
        gt_fprintf(out, ", \"%s\": %.6g", key, value);
    else
        fprintf(out, ", \"%s\": null", key);
}

static void write_run(FILE *out, const battery_run *r)
{
    fprintf(out, "{\"method\": \"%s\"", name_of(r->method));
    number(out, "rtol", r->rtol);
    number(out, "work", r->work);
    number(out, "error", r->error);
    number(out, "err_of_tol", r->error_of_tol);
    fprintf(out,
            ", \"steps\": %ld, \"rejected\": %ld, \"calls\": %ld, \"jacobians\": %ld, "
            "\"factorizations\": %ld",
            r->stats.steps, r->stats.rejected, r->calls, r->stats.jacobians,
            r->stats.factorizations);
    fprintf(out, ", \"status\": \"%s\", \"given_up\": %s}", gt_status_name(r->status),
            r->capped ? "true" : "false");
}

static void write_case(FILE *out, const battery_case *c)
{
    fprintf(out, "{\"problem\": \"%s\", \"n\": %zu", c->entry->name, c->n);
    number(out, "call", c->call);
    number(out, "spread", c->spread);
    number(out, "growth", c->growth);
    fprintf(out, ", \"sensitive\": %s, \"auto\": [", c->sensitive ? "true" : "false");
    for (size_t a = 0; a < c->asked; a++) {
        const struct battery_answer *s = &c->answer[a];
        fprintf(out, "%s\n  {\"best\": \"%s\"", a ? "," : "",
                c->curves ? name_of(c->curve[s->best].method) : "-");
        number(out, "best_work", s->best_work);
        number(out, "regret", s->regret);
        fprintf(out, ", \"silently_wrong\": %s, \"run\": ", s->silently_wrong ? "true" : "false");
        write_run(out, &s->run);
        fprintf(out, "}");
    }
    fprintf(out, "], \"methods\": [");
    for (size_t k = 0, first = 1; k < c->curves; k++)
        for (size_t r = 0; r < c->curve[k].points; r++, first = 0) {
            fprintf(out, "%s\n  ", first ? "" : ",");
            write_run(out, &c->curve[k].run[r]);
        }
    fprintf(out, "]}");
}

bool battery_write_json(const battery_case *cases, size_t count, const char *path)
{
    FILE *out = fopen(path, "w");
    if (!out) return false;
    fprintf(out, "[");
    for (size_t i = 0; i < count; i++) {
        fprintf(out, i ? ",\n" : "\n");
        write_case(out, &cases[i]);
    }
    fprintf(out, "\n]\n");
    return fclose(out) == 0;
}

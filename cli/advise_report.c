/* SPDX-License-Identifier: BSD-3-Clause */
#include "advise_parts.h"
#include <math.h>
#include <string.h>

enum { MOST_STATES = 12, MOST_METHODS = 12, MOST_VALUES = 8 };

const gt_split *gt_advise_division(const advise_job *job)
{
    const gt_advice *a = &job->advice;
    return a->given.n_fast ? &a->given : a->split.n_fast ? &a->split : NULL;
}

void gt_advise_fast_names(const advise_job *job, const gt_split *split, char *buffer, size_t size)
{
    enum { REST = 24 }; /* room for "and 1234 more" */
    const gt_problem *p = &job->p.problem;
    size_t used = 0, shown = 0;
    char made_up[24];
    buffer[0] = '\0';
    for (size_t i = 0; i < gt_problem_size(p); i++) {
        if (!split->fast[i]) continue;
        const char *name = gt_problem_state_name(p, i, made_up);
        if (used + strlen(name) + 1 + REST > size) break; /* names are not cut */
        used += (size_t)snprintf(buffer + used, size - used, "%s%s", used ? "," : "", name);
        shown++;
    }
    if (shown < split->n_fast) snprintf(buffer + used, size - used, " and %zu more", split->n_fast - shown);
}

static const char *value_text(double re, double im, char *buffer, size_t size)
{
    if (im == 0)
        gt_format(buffer, size, "%.5g", re);
    else
        gt_format(buffer, size, "%.5g %c %.5gi", re, im < 0 ? '-' : '+', fabs(im));
    return buffer;
}

static void print_values(const char *head, const double *values, size_t count)
{
    char text[64];
    printf("%-12s", head);
    for (size_t k = 0; k < count && k < MOST_VALUES; k++)
        printf("%s%s", k ? ", " : "", value_text(values[2 * k], values[2 * k + 1], text, sizeof text));
    puts(count > MOST_VALUES ? ", .." : "");
}

static void print_spectrum(const gt_advice *a)
{
    const gt_spectrum *last = &a->points[a->n_points - 1];
    gt_fprintf(stdout, "spectrum    largest |lambda| %.5g at %zu points", a->radius, a->n_points);
    if (a->stiffness_ratio > 0) gt_fprintf(stdout, ", stiffness ratio up to %.3g", a->stiffness_ratio);
    if (a->growth > 0) gt_fprintf(stdout, ", growing modes up to %.3g", a->growth);
    puts("");
    print_values("at the end", last->values, last->count);
    if (a->frequency > 0)
        gt_fprintf(stdout, "oscillation up to %.5g rad per unit of time, damping ratio of that mode %.3g\n",
                   a->frequency, a->damping);
    gt_fprintf(stdout, "stiff       %s: dopri5 needs about %.4g steps to be stable, and %.4g for accuracy\n",
               a->stiff ? "yes" : "no", a->steps_stability, a->steps_accuracy);
}

static void print_states(const advise_job *job)
{
    const gt_advice *a = &job->advice;
    const gt_problem *p = &job->p.problem;
    size_t n = gt_problem_size(p);
    char buffer[24];
    if (!a->states || n > MOST_STATES) return;
    printf("\n%-12s %12s %12s %12s %12s\n", "state", "rate", "time scale", "part in fast", "motion");
    for (size_t i = 0; i < n; i++)
        if (a->states[i].rate > 0)
            gt_fprintf(stdout, "%-12s %12.4g %12.4g %12.3f %12.4g\n", gt_problem_state_name(p, i, buffer),
                       a->states[i].rate, 1 / a->states[i].rate, a->states[i].fast_share, a->motion[i]);
    puts("");
}

static void print_division(const advise_job *job, const char *head, const gt_split *split)
{
    char names[160];
    if (!split->n_fast) return;
    gt_advise_fast_names(job, split, names, sizeof names);
    gt_fprintf(
        stdout,
        "%-11s fast %s; slowest fast rate %.4g, fastest slow rate %.4g, apart %.3g; coupling %.2g to slow, %.2g to "
        "fast\n",
        head, names, split->fast_rate, split->slow_rate, split->separation, split->coupling_sf, split->coupling_fs);
}

static void print_blocks(const advise_job *job)
{
    const gt_split *split = gt_advise_division(job);
    const gt_spectrum *at = &job->advice.points[job->advice.n_points - 1];
    double values[2 * GT_SPECTRUM_DENSE];
    size_t count;
    if (!split || !at->complete) {
        puts("blocks      none: there is neither a fast block nor a suggested one");
        return;
    }
    for (int fast = 0; fast < 2; fast++)
        if (!gt_split_block(at, split->fast, fast, values, &count, NULL))
            print_values(fast ? "J_ff at end" : "J_ss at end", values, count);
}

void gt_manifold_print(const gt_problem *p, const gt_manifold *m)
{
    char buffer[24];
    printf("manifold    ");
    for (size_t i = 0; i < m->n_fast && i < MOST_VALUES; i++)
        gt_fprintf(stdout, "%s%s = %.8g %+.3g", i ? ", " : "", gt_problem_state_name(p, m->n_slow + i, buffer), m->H[i],
                   m->correction[i]);
    gt_fprintf(stdout, " (H and eps H1); distance %.3g, of first order %.3g\n", m->distance, m->corrected);
    if (!m->iterations) {
        puts("decoupling  the iteration for L does not converge: the blocks are not separated enough");
        return;
    }
    print_values("slow modes", m->slow, m->n_slow);
    print_values("fast modes", m->fast, m->n_fast);
    printf("decoupling  L after %d iterations\n", m->iterations);
}

static void print_manifold(const advise_job *job)
{
    const gt_advice *a = &job->advice;
    if (!a->has_manifold) {
        if (*a->manifold_message.text) printf("manifold    none: %s\n", a->manifold_message.text);
        return;
    }
    double largest = 0;
    for (size_t k = 0; k < a->n_points; k++)
        if (a->distance[k] > largest) largest = a->distance[k];
    gt_manifold_print(&job->p.problem, &a->manifold);
    gt_fprintf(stdout, "            the solution is up to %.3g away from H on its way\n", largest);
}

static void print_times(const advise_times *t)
{
    if (!(t->full > 0)) return;
    gt_fprintf(stdout, "cost        f takes %.3g s", t->full);
    if (t->fast > 0) gt_fprintf(stdout, ", its fast block alone %.3g s (%.0f %%)", t->fast, 100 * t->fast / t->full);
    if (t->slow > 0) gt_fprintf(stdout, ", its slow block alone %.3g s (%.0f %%)", t->slow, 100 * t->slow / t->full);
    puts("");
}

static const char *step_text(double h, char *buffer, size_t size)
{
    if (isnan(h)) return "-";
    if (isinf(h)) return "any";
    if (h == 0) return "none";
    gt_format(buffer, size, "%.4g", h);
    return buffer;
}

static void print_methods(const advise_job *job)
{
    static const char *const verdicts[] = {"good", "possible", "no"};
    const gt_advice *a = &job->advice;
    char stable[32], tried[32];
    int widest = 12;
    for (size_t k = 0; k < a->n_methods; k++)
        if ((int)strlen(a->methods[k].method->name) > widest) widest = (int)strlen(a->methods[k].method->name);
    printf("\n%-*s %-9s %10s %11s%s  %s\n", widest, "method", "verdict", "work", "stable h",
           job->max_step ? "     tried h" : "", "because");
    for (size_t k = 0; k < a->n_methods; k++) {
        const gt_method_advice *m = &a->methods[k];
        if (!job->methods && k >= MOST_METHODS) {
            printf("%zu more: --methods NAME,.. or --json\n", a->n_methods - k);
            break;
        }
        gt_fprintf(stdout, "%-*s %-9s %10.2g %11s", widest, m->method->name, verdicts[m->verdict], m->work,
                   step_text(m->h_stable, stable, sizeof stable));
        if (job->max_step) printf(" %11s", step_text(job->max_step[k], tried, sizeof tried));
        printf("  %s\n", m->why.text);
    }
}

void gt_advise_print(const advise_job *job)
{
    const gt_advice *a = &job->advice;
    const gt_problem *p = &job->p.problem;
    gt_fprintf(stdout, "%s: %s; t = %g to %g, rtol %g\n", job->p.model->name, job->p.model->title, p->t0, a->run.t,
               a->rtol);
    printf("looked at   along a run of %s, %ld steps: %s\n", a->method->name, a->run.stats.steps, a->why_method.text);
    print_spectrum(a);
    print_states(job);
    print_division(job, "own split", &a->given);
    print_division(job, "split", &a->split);
    if (job->blocks) print_blocks(job);
    print_manifold(job);
    printf("multirate   %s\n", a->multirate.text);
    if (*a->backinterpolation.text) printf("backinterp. %s\n", a->backinterpolation.text);
    print_times(&job->times);
    print_methods(job);
    if (a->n_methods && a->methods[0].verdict != GT_NOT_ADVISED)
        printf("\nadvice      --method %s\n", a->methods[0].method->name);
}

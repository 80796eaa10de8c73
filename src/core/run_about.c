/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a run depends on and is not in its memory, as lines `name: value`: method, options, plan,
 * problem. Two runs of which one goes on with the numbers of the other must agree in all of them;
 * the first line that differs is what a message names. Long lists stand as their checksums.
 * Functions are known by what they give: f at the start and beside it, where other parameters give
 * other numbers.
 */
#include "core/run_image.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_number(gt_bytes *text, const char *name, double value)
{
    char number[GT_NUMBER_SIZE];
    gt_number_print_short(number, value);
    gt_bytes_print(text, "%s: %s\n", name, number);
}

/* A checksum of many numbers; nothing where there are none. */
static void put_sum(gt_bytes *text, const char *name, const void *data, size_t bytes)
{
    if (data)
        gt_bytes_print(text, "%s: %016llx\n", name, (unsigned long long)gt_crc64(0, data, bytes));
}

static void put_names(gt_bytes *text, const char *title, const char *const *names, size_t count)
{
    uint64_t crc = 0;
    if (!names) return;
    for (size_t k = 0; k < count; k++)
        if (names[k]) crc = gt_crc64(crc, names[k], strlen(names[k]) + 1);
    gt_bytes_print(text, "%s: %016llx\n", title, (unsigned long long)crc);
}

static void put_pattern(gt_bytes *text, const char *name, const gt_pattern *p, size_t n)
{
    uint64_t crc = 0;
    if (p->storage == GT_CSC && p->colptr) {
        crc = gt_crc64(crc, p->colptr, (n + 1) * sizeof *p->colptr);
        crc = gt_crc64(crc, p->rowindex, (size_t)p->colptr[n] * sizeof *p->rowindex);
    }
    gt_bytes_print(text, "%s: %d, %d and %d diagonals, %016llx\n", name, (int)p->storage, p->lower,
                   p->upper, (unsigned long long)crc);
}

static void put_method(const run_handle *w, gt_bytes *text)
{
    if (w->run.pilot) { /* whose method changes */
        gt_bytes_print(text, "method: %s\n", w->run.pilot->name);
        return;
    }
    const gt_method *m = w->stepper.method;
    gt_bytes_print(text, "method: %s\n", m->name);
    for (size_t k = 0; k < gt_params_count(m->options); k++) {
        char value[64];
        gt_params_print(&m->options[k], w->stepper.options.v[k], value, sizeof value);
        gt_bytes_print(text, "option %s: %s\n", m->options[k].name, value);
    }
}

static void put_plan(const run_handle *w, gt_bytes *text)
{
    const gt_plan *p = &w->asked;
    const gt_control *c = &p->control;
    size_t n = gt_problem_size(&w->given);
    put_number(text, "step h", p->h);
    put_number(text, "rtol", p->rtol);
    put_number(text, "atol", p->atol);
    put_sum(text, "rtol of the components", w->run.base->rtol_vector, n * sizeof(double));
    put_sum(text, "atol of the components", w->run.base->atol_vector, n * sizeof(double));
    put_number(text, "first step h0", p->h0);
    put_number(text, "smallest step", p->h_min);
    put_number(text, "largest step", p->h_max);
    gt_bytes_print(
        text,
        "controller: %s, %d, %.17g %.17g %.17g %.17g, %.17g %.17g %.17g %.17g, %.17g %.17g %.17g, ",
        c->name ? c->name : "", (int)c->kind, c->beta[0], c->beta[1], c->beta[2], c->alpha,
        c->safety, c->min_factor, c->max_factor, c->keep, c->lower, c->upper, c->target);
    gt_bytes_print(text, "%d%d%d%d%d, %.17g %.17g\n", c->always_rescale, c->repeat_small,
                   c->maximum_norm, c->aimed, c->bounded, c->first, c->largest);
    gt_bytes_print(text, "most steps: %ld\nmost rejections: %d\n", p->max_steps, p->max_rejections);
    put_number(text, "output interval", p->every);
    if (p->n_times) put_sum(text, "output times", p->times, p->n_times * sizeof *p->times);
    gt_bytes_print(text, "points inside steps: %d\nlocal errors: %d\nno pulses: %d\n", p->refine,
                   p->local_errors, p->no_pulses);
}

/* f at a point, whatever it gives. */
static uint64_t add_slope(uint64_t crc, const gt_problem *p, double t, const double *x, double *dx,
                          size_t n)
{
    memset(dx, 0, n * sizeof *dx);
    gt_status status = p->rhs(t, x, dx, p->ctx);
    crc = gt_crc64(crc, &(int){(int)status}, sizeof(int));
    return status ? crc : gt_crc64(crc, dx, n * sizeof *dx);
}

/* At the start, and a little beside it at another time, in the state that the problem has when a
 * run begins. */
static void put_functions(run_handle *w, gt_bytes *text)
{
    const gt_problem *p = &w->given;
    size_t n = gt_problem_size(p);
    double *work = malloc(2 * n * sizeof *work);
    text->failed = text->failed || !work;
    if (!work || !p->rhs) {
        free(work);
        return;
    }
    if (p->kept_bytes && p->begin) p->begin(p->ctx);
    if (w->run.n_relations) p->set_sides(NULL, p->ctx);
    uint64_t crc = add_slope(0, p, p->t0, p->x0, work + n, n);
    for (size_t i = 0; i < n; i++)
        work[i] = p->x0[i] + 0x1p-7 * (1 + fabs(p->x0[i])) / (double)(i % 5 + 1);
    double t = isfinite(p->t1) ? p->t0 + 0.3125 * (p->t1 - p->t0) : p->t0 + 1;
    crc = add_slope(crc, p, t, work, work + n, n);
    free(work);
    gt_bytes_print(text, "equations or parameters, by f near the start: %016llx\n",
                   (unsigned long long)crc);
}

static void put_problem(run_handle *w, gt_bytes *text)
{
    const gt_problem *p = &w->given;
    size_t n = gt_problem_size(p);
    gt_bytes_print(text, "problem: %.200s\n", p->name ? p->name : "");
    gt_bytes_print(text, "states: %zu slow, %zu fast, %zu algebraic\n", p->n_slow, p->n_fast,
                   p->n_alg);
    put_sum(text, "index of the states", p->index, n * sizeof *p->index);
    put_names(text, "names of the states", p->names, n);
    put_number(text, "t0", p->t0);
    put_number(text, "t1", p->t1);
    put_sum(text, "initial state", p->x0, n * sizeof *p->x0);
    if (p->n_breaks) put_sum(text, "discontinuities", p->breaks, p->n_breaks * sizeof *p->breaks);
    gt_bytes_print(text, "events: %zu\nswitches: %zu\nkept by the problem: %zu bytes\n", p->n_roots,
                   p->n_switches, p->kept_bytes);
    if (p->root_direction)
        put_sum(text, "directions of events", p->root_direction, p->n_roots * sizeof(int));
    gt_bytes_print(text, "functions: %d%d%d%d%d%d%d%d\n", p->rhs_slow != NULL, p->rhs_fast != NULL,
                   p->rhs_alg != NULL, p->jac != NULL, p->jac_block != NULL, p->taylor != NULL,
                   p->linear, p->autonomous);
    put_pattern(text, "pattern of the Jacobian", &p->jac_pattern, n);
    if (p->mass) {
        put_pattern(text, "pattern of the mass matrix", &p->mass->pattern, n);
        put_sum(text, "mass matrix", p->mass->values, gt_matrix_entries(p->mass) * sizeof(double));
    }
    put_functions(w, text);
}

void gt_run_describe(run_handle *w, gt_bytes *text)
{
    gt_bytes_print(text, "library: geartrain %s\n", gt_version());
    put_method(w, text);
    put_problem(w, text);
    put_plan(w, text);
}

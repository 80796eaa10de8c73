/* SPDX-License-Identifier: BSD-3-Clause */
#include "figure_series.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FINER = 20, FEW_STATES = 30 }; /* points where steps follow linear motion */
enum { X_LAST, F_LAST, F_END, POINT, F_POINT, F_MOVED, DEFECT, LOW, HIGH, PARTS }; /* of `work` */

/* of the range, in a measure by which the path is off by less: a few pixels */
static const double VISIBLE = 0.1;

static double *part(const figure_series *s, int which)
{
    return s->work + (size_t)which * gt_problem_size(s->problem);
}

static bool is_break(const gt_problem *p, double t)
{
    for (size_t i = 0; i < p->n_breaks; i++)
        if (p->breaks[i] == t) return true;
    return false;
}

enum { FIRST_STEPS = 5 };

/* The largest of d_i over the range that state i has covered; in the first steps, when that is
 * little yet, over a part of its size at least. */
static double relative_size(const figure_series *s, const double *d, double h)
{
    double largest = 0;
    const double *low = part(s, LOW), *high = part(s, HIGH), *f = part(s, F_END);
    for (size_t i = 0; i < gt_problem_size(s->problem); i++) {
        double range = high[i] - low[i];
        if (range <= 1e-9 * fabs(high[i])) range = fabs(h * f[i]); /* it has hardly moved so far */
        double size = fmax(fabs(low[i]), fabs(high[i]));
        if (s->steps < FIRST_STEPS) range = fmax(range, 0.1 * size);
        if (range > 0) largest = fmax(largest, fabs(d[i]) / range);
    }
    return largest;
}

static void cover(figure_series *s, const double *x)
{
    double *low = part(s, LOW), *high = part(s, HIGH);
    for (size_t i = 0; i < gt_problem_size(s->problem); i++) {
        low[i] = fmin(low[i], x[i]);
        high[i] = fmax(high[i], x[i]);
    }
}

/*
 * How far the cubic over the step that ends at t, x is off the motion, seen from its point theta:
 * there its slope p' is compared with f. A path with defect d = f - p' leaves the solution by about
 * h d, or by d / |lambda| where f depends on x so strongly that h |lambda| > 1; |lambda| is
 * measured along d. In parts of the range that the states cover.
 */
static double departure(figure_series *s, double t, const double *x, double theta)
{
    const gt_problem *p = s->problem;
    size_t n = gt_problem_size(p);
    const double *x0 = part(s, X_LAST), *f0 = part(s, F_LAST), *f1 = part(s, F_END);
    double *point = part(s, POINT), *f = part(s, F_POINT), *d = part(s, DEFECT),
           *moved = part(s, F_MOVED);
    double h = t - s->t_last, u = 1 - theta, rate = 0;
    for (size_t i = 0; i < n; i++)
        point[i] = u * u * (1 + 2 * theta) * x0[i] + theta * theta * (3 - 2 * theta) * x[i] +
                   h * theta * u * (u * f0[i] - theta * f1[i]);
    if (p->rhs(s->t_last + theta * h, point, f, p->ctx)) return 0;
    for (size_t i = 0; i < n; i++) {
        double slope = 6 * theta * u * (x[i] - x0[i]) / h + u * (1 - 3 * theta) * f0[i] +
                       theta * (1 - 3 * u) * f1[i];
        d[i] = f[i] - slope;
    }
    double defect = relative_size(s, d, h);
    if (!(defect * fabs(h) > VISIBLE)) return 0;
    double little = 1e-6 / defect;
    for (size_t i = 0; i < n; i++) point[i] += little * d[i];
    if (!p->rhs(s->t_last + theta * h, point, moved, p->ctx)) {
        for (size_t i = 0; i < n; i++) moved[i] = (moved[i] - f[i]) / little;
        rate = relative_size(s, moved, h) / defect;
    }
    return defect * fabs(h) / (1 + fabs(h) * rate);
}

/* At a break f is its right limit; the left one where that is wanted. */
static double side_of(const gt_problem *p, double t, bool left)
{
    return left && is_break(p, t) ? nextafter(t, -INFINITY) : t;
}

/* In its middle, where what is symmetric would not show, and beside it. */
static bool leaves_motion(figure_series *s, double t, const double *x)
{
    const gt_problem *p = s->problem;
    double *f0 = part(s, F_LAST), *f1 = part(s, F_END);
    cover(s, x);
    bool backward = p->t1 < p->t0;
    if (!s->slope_known && p->rhs(side_of(p, s->t_last, backward), part(s, X_LAST), f0, p->ctx))
        return false;
    s->slope_known = false;
    if (p->rhs(side_of(p, t, !backward), x, f1, p->ctx)) return false;
    bool leaves = departure(s, t, x, 0.5) > VISIBLE || departure(s, t, x, 0.25) > VISIBLE;
    memcpy(f0, f1, gt_problem_size(p) * sizeof *f0);
    s->slope_known = true;
    s->steps += s->steps < FIRST_STEPS;
    return leaves;
}

static void remember(figure_series *s, const gt_sample *sample)
{
    s->t_last = sample->t;
    s->begins = s->lines.count;
    if (!s->checks) return;
    memcpy(part(s, X_LAST), sample->x, sample->n * sizeof *sample->x);
    cover(s, sample->x);
}

/* The ends of a step as points; the line breaks off between them. */
static gt_status part_lines(figure_series *s)
{
    size_t n = s->lines.n_columns;
    gt_status status = GT_OK;
    s->lines.count = s->begins;
    if (!s->loose && s->begins)
        status = gt_figure_rows_add(&s->points, s->lines.t[s->begins - 1],
                                    s->lines.values + n * (s->begins - 1));
    for (size_t k = 0; k < n; k++) s->row[n + k] = NAN;
    return status ? status : gt_figure_rows_add(&s->lines, s->t_last, s->row + n);
}

static void fill_row(figure_series *s, const gt_sample *sample)
{
    if (s->aux) s->problem->aux(sample->t, sample->x, s->aux, s->problem->ctx);
    for (size_t k = 0; k < s->lines.n_columns; k++) {
        size_t i = s->columns[k];
        assert(i < sample->n || s->aux);
        s->row[k] = i < sample->n ? sample->x[i] : s->aux[i - sample->n];
    }
}

static gt_status thin(figure_series *s)
{
    gt_status status = GT_OK;
    double t0 = s->problem->t0, from = s->from > t0 ? s->from : t0, to = s->problem->t1;
    if (s->lines.count > gt_figure_rows_most(&s->lines))
        status = gt_figure_rows_thin(&s->lines, from, to, s->on_log, s->as_path);
    if (!status && s->points.count > gt_figure_rows_most(&s->points))
        status = gt_figure_rows_thin(&s->points, from, to, s->on_log, s->as_path);
    return status;
}

static gt_status add_sample(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    figure_series *s = self->ctx;
    gt_status status = GT_OK;
    if ((sample->why & GT_AT_EVENT) && sample->before)
        return GT_OK; /* it was the end of a step as well */
    bool ends_step = sample->why & (GT_AT_STEP | GT_AT_END),
         begins = sample->why & (GT_AT_START | GT_AT_BREAK | GT_AT_EVENT);
    bool loose = ends_step && !begins && sample->t != s->t_last && s->checks &&
                 leaves_motion(s, sample->t, sample->x);
    if (begins) s->slope_known = false;
    if (sample->t >= s->from) {
        if (loose) status = part_lines(s);
        fill_row(s, sample);
        if (!status && loose) status = gt_figure_rows_add(&s->points, sample->t, s->row);
        if (!status) status = gt_figure_rows_add(&s->lines, sample->t, s->row);
    }
    if (ends_step || begins) {
        if (!status) status = thin(s);
        remember(s, sample);
        s->loose = loose;
    }
    return status ? gt_fail(message, status, "out of memory for the figure") : GT_OK;
}

int gt_figure_series_init(figure_series *s, const gt_problem *problem, const size_t *columns,
                          size_t n_columns, const gt_method *method, const gt_facts *facts,
                          bool fixed_step)
{
    *s = (figure_series){
        .problem = problem, .columns = columns, .from = -INFINITY, .t_last = problem->t0};
    s->lines.n_columns = s->points.n_columns = n_columns;
    s->sink = (gt_sink){
        .write = add_sample, .ctx = s, .spacing = fabs(problem->t1 - problem->t0) / FIGURE_POINTS};
    /* One step of it, or of one that auto takes, may hold thousands of periods. */
    if ((!method || facts->functions) && gt_problem_size(problem) <= FEW_STATES)
        s->sink.spacing /= FINER;
    s->sink.wants = GT_AT_START | GT_AT_STEP | GT_AT_DENSE | GT_AT_BREAK | GT_AT_EVENT | GT_AT_END;
    /* Polynomials of its own do not help a method of fixed step where a cubic is far off;
     * exponentials, small steps inside and long series do. With algebraic variables or a mass
     * matrix f is not the slope. */
    bool polynomial = method &&
                      (method->tableau || method->formula || (facts->flags & GT_USES_JACOBIAN)) &&
                      !facts->functions && !(facts->flags & GT_NEEDS_PARTITION);
    bool own = method && method->interpolate && (!fixed_step || !polynomial);
    s->checks = method && !own && !problem->mass && !problem->n_alg;
    size_t n = gt_problem_size(problem);
    s->row = malloc((2 * n_columns + 1) * sizeof *s->row);
    if (problem->n_aux) s->aux = malloc(problem->n_aux * sizeof *s->aux);
    if (s->checks) s->work = malloc(PARTS * n * sizeof *s->work);
    if (!s->row || (problem->n_aux && !s->aux) || (s->checks && !s->work))
        return gt_cli_failed("out of memory");
    for (size_t i = 0; s->checks && i < n; i++)
        part(s, LOW)[i] = INFINITY, part(s, HIGH)[i] = -INFINITY;
    return CLI_OK;
}

void gt_figure_series_free(figure_series *s)
{
    gt_figure_rows_free(&s->lines);
    gt_figure_rows_free(&s->points);
    free(s->row);
    free(s->aux);
    free(s->work);
    s->row = s->aux = s->work = NULL;
}

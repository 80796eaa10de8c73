/* SPDX-License-Identifier: BSD-3-Clause */
/* Any explicit Runge-Kutta method on dz/dtheta = length g(t + theta length, x(theta), z), see
 * mri.c. */
#include "kit/mri_inner.h"
#include "base/elementary.h"
#include "base/weighted_sum.h"
#include "problem/norm.h"
#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    MOST_TRIALS = 40,
    MOST_STEPS = 100000
}; /* in a row; in a stage, beyond which the slow step is to be smaller */

/* The error of a step over a jump of g is in proportion to its length, so that no step is short
 * enough for its share by length. Where smaller steps have not helped, a few in a stage may each
 * make this part of what the slow step may make, whatever their length. */
enum { MOST_JUMPS = 8, REJECTED_AT_A_JUMP = 3 };
static const double error_at_a_jump = 0.01;

/* The last stage of a step is the first of the next: the last row of a is b. */
static bool shares_a_slope(const gt_tableau *T)
{
    for (int j = 0; j < T->stages; j++)
        if (gt_ratio_value(T->a[T->stages - 1][j]) != gt_ratio_value(T->b[j])) return false;
    return true;
}

int gt_mri_inner_evaluations(const gt_method *method, int steps)
{
    assert(method);
    assert(steps > 0);
    const gt_tableau *T = method->tableau;
    if (!T) return 0;
    return shares_a_slope(T) ? steps * (T->stages - 1) + 1 : steps * T->stages;
}

unsigned gt_mri_inner_flags(const gt_method *method)
{
    assert(method);
    gt_values v = gt_params_default(method->options);
    return gt_method_facts(method, v.v).flags & (GT_TREATS_RANKS | GT_USES_JACOBIAN);
}

gt_status gt_mri_inner_layout(mri_inner *w, const gt_method *method, const char *options,
                              gt_stepper *s, gt_arena *arena)
{
    assert(w && method && s && arena);
    gt_values v = gt_params_default(method->options);
    gt_facts facts = gt_method_facts(method, v.v);
    w->error_order = facts.error_order;
    w->order = facts.order;
    w->least = facts.kind == GT_KIND_IMPLICIT ? 0.02 : 1e-4;
    if (!method->tableau) return gt_mri_stepper_layout(&w->stepper, method, options, s, arena);
    w->T = method->tableau;
    for (int j = 0; j < w->T->stages; j++) w->g[j] = gt_arena_doubles(arena, s->problem->n_fast);
    w->y = gt_arena_doubles(arena, s->n);
    w->z = gt_arena_doubles(arena, s->problem->n_fast);
    return GT_OK;
}

static void boil_down(const gt_ratio *weights, int count, mri_weights *row)
{
    for (int j = 0; j < count; j++) {
        if (!weights[j].num) continue;
        row->stage[row->terms] = j;
        row->weight[row->terms++] = gt_ratio_value(weights[j]);
    }
}

gt_status gt_mri_inner_prepare(mri_inner *w, gt_stepper *s)
{
    assert(w && s);
    assert(w->T || w->stepper);
    if (w->stepper) return gt_mri_stepper_prepare(w->stepper, s);
    const gt_tableau *T = w->T;
    w->last_is_slope = shares_a_slope(T);
    for (int i = 0; i < T->stages; i++) {
        w->c[i] = gt_ratio_value(T->c[i]);
        w->d[i] = gt_ratio_value(T->b[i]) - gt_ratio_value(T->b_hat[i]);
        boil_down(T->a[i], i, &w->row[i]);
    }
    boil_down(T->b, T->stages, &w->row[T->stages]);
    return GT_OK;
}

void gt_mri_inner_free(mri_inner *w)
{
    assert(w);
    gt_mri_stepper_free(w->stepper);
}

void gt_mri_slow_at(const gt_stepper *s, const mri_stage *of, double theta, double *x)
{
    size_t n = s->problem->n_slow;
    const double *from = of->from, *a = of->p[0], *b = of->p[1],
                 *c = of->terms > 2 ? of->p[2] : NULL;
    if (c)
        for (size_t r = 0; r < n; r++)
            x[r] = from[r] + theta * (a[r] + theta * (b[r] + theta * c[r]));
    else
        for (size_t r = 0; r < n; r++) x[r] = from[r] + theta * (a[r] + theta * b[r]);
}

/* z + h times the row of weights on the inner stages. */
static inline void combine(const mri_inner *w, const mri_weights *row, double h, const double *z,
                           double *sum, size_t n)
{
    const double *g[GT_MAX_STAGES];
    double weight[GT_MAX_STAGES];
    for (int j = 0; j < row->terms; j++) {
        g[j] = w->g[row->stage[j]];
        weight[j] = h * row->weight[j];
    }
    gt_weighted_sum(row->terms, weight, g, z, sum, n);
}

/* An inner step of size `part` of the stage from theta on z to `end`, which may be z. The first
 * slope is there. */
static gt_status inner_step(mri_inner *w, gt_stepper *s, const mri_stage *of, double theta,
                            double part, const double *z, double *end)
{
    size_t n_slow = s->problem->n_slow, n_fast = s->problem->n_fast;
    double h = part * of->length;
    int stages = w->T->stages;
    for (int l = 1; l < stages; l++) {
        double at = theta + w->c[l] * part;
        if (l == 1 || w->c[l] != w->c[l - 1]) gt_mri_slow_at(s, of, at, w->y);
        combine(w, &w->row[l], h, z, w->y + n_slow, n_fast);
        gt_status status = gt_rhs_fast(s, of->t + at * of->length, w->y, w->g[l]);
        if (status) return status;
    }
    if (w->last_is_slope)
        memcpy(end, w->y + n_slow, n_fast * sizeof *end);
    else
        combine(w, &w->row[stages], h, z, end, n_fast);
    return GT_OK;
}

static gt_status first_slope(mri_inner *w, gt_stepper *s, const mri_stage *of, double theta,
                             const double *z)
{
    if (theta == 0) return gt_rhs_fast(s, of->t, of->from, w->g[0]);
    gt_mri_slow_at(s, of, theta, w->y);
    memcpy(w->y + s->problem->n_slow, z, s->problem->n_fast * sizeof *z);
    return gt_rhs_fast(s, of->t + theta * of->length, w->y, w->g[0]);
}

/* The inner step is done; the first slope of the next one is there or not. */
static bool inner_accept(mri_inner *w)
{
    if (!w->last_is_slope) return false;
    double *last = w->g[w->T->stages - 1];
    w->g[w->T->stages - 1] = w->g[0];
    w->g[0] = last;
    return true;
}

/* Error of an inner step in units of its share, by length, in what a slow step may have; not finite
 * when the step is not.
 */
static double inner_error(const mri_inner *w, gt_stepper *s, double h, const double *z)
{
    size_t n = s->problem->n_fast, first = s->problem->n_slow;
    double sum = 0;
    for (size_t r = 0; r < n; r++) {
        double e = 0;
        for (int j = 0; j < w->T->stages; j++) e += w->d[j] * w->g[j][r];
        double scaled = h * e / gt_weight(s, first + r, fmax(fabs(z[r]), fabs(w->z[r])));
        sum += scaled * scaled;
    }
    return sqrt(gt_mean(s->problem, sum, n)) / (w->fraction * h / w->span);
}

static gt_status equal_steps(mri_inner *w, gt_stepper *s, const mri_stage *of, int count, double *z)
{
    for (int m = 0; m < count; m++) {
        double theta = (double)m / count;
        gt_status status = w->slope_known ? GT_OK : first_slope(w, s, of, theta, z);
        if (!status) status = inner_step(w, s, of, theta, 1.0 / count, z, z);
        if (status) return status;
        w->slope_known = inner_accept(w);
    }
    return GT_OK;
}

/* Of a vector of the fast block, in tolerances. */
static double size_of_fast(gt_stepper *s, const double *v, const double *from, const double *z)
{
    size_t n = s->problem->n_fast, first = s->problem->n_slow;
    double sum = 0;
    for (size_t r = 0; r < n; r++) {
        double scaled = (from ? v[r] - from[r] : v[r]) / gt_weight(s, first + r, z[r]);
        sum += scaled * scaled;
    }
    return sqrt(gt_mean(s->problem, sum, n));
}

/* Thousands of steps through a stage in which the fast block goes no further than its slopes at
 * both ends say: it follows the slow block, and stability limits them. An oscillation goes to and
 * fro. At no call of g. */
static void note_stiffness(mri_inner *w, gt_stepper *s, const mri_stage *of, double h, int steps,
                           double first, const double *z)
{
    enum { MANY_STEPS = 2000, IN_A_ROW = 6 };
    const double beyond = 10; /* times, and tolerances */
    const double *from = of->from + s->problem->n_slow;
    if (s->note.text[0] || s->problem->ranks || from == z) return;
    double last = size_of_fast(s, w->g[0], NULL, z) * of->length;
    double most = beyond * (1 + size_of_fast(s, z, from, z));
    bool smooth = steps >= MANY_STEPS && w->slope_known && first <= most && last <= most;
    w->stiff = smooth ? w->stiff + 1 : 0;
    if (w->stiff == IN_A_ROW)
        gt_fail(&s->note, GT_OK,
                "the fast block is stiff for an explicit inner method (from t = %.6g on steps of "
                "%.2g while it follows the slow one): an implicit one would take few, as by mri4 "
                "with inner=gear",
                gt_shown_time(s, of->t), h);
}

static gt_status controlled_steps(mri_inner *w, gt_stepper *s, const mri_stage *of, double *z)
{
    double first = 0, theta = 0, h = w->now.h > 0 ? w->now.h : of->length / MRI_DEFAULT_SUBSTEPS;
    int jumps = 0, rejected = 0, steps = 0;
    for (int trials = 0; theta < 1; steps++) {
        if (steps == MOST_STEPS) return GT_TRY_RHS;
        double part = h / of->length, rest = 1 - theta;
        bool last = part >= 0.999 * rest;
        part = last ? rest : part > 0.5 * rest ? 0.5 * rest : part;
        gt_status status = w->slope_known ? GT_OK : first_slope(w, s, of, theta, z);
        if (status) return status;
        w->slope_known = true; /* of where we are, should the step be tried again */
        if (steps == 0) first = size_of_fast(s, w->g[0], NULL, z) * of->length;
        status = inner_step(w, s, of, theta, part, z, w->z);
        if (status < 0) return status;
        double E = status ? INFINITY : inner_error(w, s, part * of->length, z);
        double factor = isfinite(E) ? 0.9 * gt_power(fmax(E, 1e-10), -1.0 / w->error_order) : 0.1;
        bool jump = E > 1 && rejected >= REJECTED_AT_A_JUMP && jumps < MOST_JUMPS &&
                    E * part * of->length / w->span <= error_at_a_jump;
        if (jump) jumps++;
        if (E <= 1 || jump) {
            theta = last ? 1 : theta + part;
            memcpy(z, w->z, s->problem->n_fast * sizeof *z);
            w->slope_known = inner_accept(w);
            trials = 0;
            /* A step that was cut at the end of the stage tells little about larger ones. */
            double next = part * of->length * fmin(factor, 5);
            if (next > h || part * of->length > 0.9 * h) h = next;
        } else {
            rejected++;
            if (++trials == MOST_TRIALS) return status ? status : GT_TRY_NOT_FINITE;
            h = part * of->length * fmax(fmin(factor, 0.9), 0.1);
        }
    }
    w->now.h = h;
    note_stiffness(w, s, of, h, steps, first, z);
    return GT_OK;
}

int gt_mri_inner_count(const mri_inner *w, const gt_stepper *s, int option)
{
    assert(w && s);
    assert(option >= 0);
    if (option > 0) return option;
    return s->rtol > 0 && w->error_order > 0 ? 0 : MRI_DEFAULT_SUBSTEPS;
}

gt_status gt_mri_inner_run(mri_inner *w, gt_stepper *s, const mri_stage *of, int count, double *to)
{
    assert(w && s && of && to);
    assert(count >= 0);
    assert(of->terms >= 1 && of->terms <= MRI_MOST_TERMS);
    double *z = to + s->problem->n_slow;
    memmove(z, of->from + s->problem->n_slow,
            s->problem->n_fast * sizeof *z); /* `to` may be `from` */
    gt_status status = w->stepper ? gt_mri_stepper_run(w->stepper, s, of, count, w, z)
                       : count    ? equal_steps(w, s, of, count, z)
                                  : controlled_steps(w, s, of, z);
    gt_mri_slow_at(s, of, 1, to);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pulses that a step passes over. Where f depends on t, a step may be so long that none of its
 * stages falls into a short pulse, and its error estimate sees nothing. So a grid of a hundred
 * points is laid over the span of the run, and at those that fall inside a controlled step f is
 * compared with the slope of the step's dense output. A pulse is a value that differs from that
 * slope by more than the slope itself and the tolerance, and that is not what a stiff f is next to
 * the solution: a state that is off by a few tolerances does not explain it; or it is not there at
 * both ends of the step for the same state. The step is then repeated, and no step goes further
 * before one has ended there. At most 2 POINTS evaluations of f in a run. With a mass matrix rows
 * of f are compared with those of M times the slope, both beside the largest entry of the row of M.
 */
#include "core/run_state.h"
#include "linalg/column.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { POINTS = 100 };

static double spacing_of(const gt_run *r) { return gt_run_whole(r) / POINTS; }

double gt_run_longest_unseen(const gt_run *r)
{
    return r->s->pulse_work && !r->plan->no_pulses && r->looks < POINTS ? spacing_of(r) : INFINITY;
}

/* Methods of two rates with steps of their own inside take as many again for each point of their
 * dense output: there f of the slow states, for the state at the start, is compared with their mean
 * slope. What is fast those steps see. */
static bool is_at_rest(const gt_stepper *s)
{
    return (s->facts.flags & GT_NEEDS_PARTITION) && !s->method->partitioned_of &&
           !s->facts.functions;
}

bool gt_run_must_look(const gt_run *r, double h)
{
    return h > gt_run_longest_unseen(r) && !r->s->pulses_seen;
}

/* The slope of the dense output at theta, into `slope`. */
static gt_status dense_slope(gt_stepper *s, double theta, double *slope)
{
    const double d = 1e-4;
    gt_status status = gt_stepper_interpolate(s, theta + d, slope);
    if (!status) status = gt_stepper_interpolate(s, theta - d, s->scratch);
    for (size_t i = 0; i < s->n && !status; i++)
        slope[i] = (slope[i] - s->scratch[i]) / (2 * d * s->h);
    return status;
}

/* The largest entries of the rows of M, where it is looked at. */
static double *rows_of_mass(const gt_stepper *s) { return s->pulse_work + 3 * s->n; }

static void measure_mass(const gt_stepper *s)
{
    const gt_matrix *M = s->problem->mass;
    double *most = rows_of_mass(s);
    memset(most, 0, s->n * sizeof *most);
    for (size_t j = 0; j < s->n; j++) {
        gt_column c = gt_column_of(&M->pattern, s->n, j);
        for (size_t k = 0; k < c.count; k++) {
            size_t i = gt_column_row(&c, k);
            most[i] = fmax(most[i], fabs(M->values[c.index + k]));
        }
    }
}

/* Rows of M without an entry are equations without a derivative: there is nothing to compare. */
static void divide_by_mass(const gt_stepper *s, double *f)
{
    const double *most = rows_of_mass(s);
    for (size_t i = 0; s->problem->mass && i < s->n; i++) f[i] = most[i] > 0 ? f[i] / most[i] : 0;
}

static gt_status slope_at(gt_run *r, double t, const double *x, double *f)
{
    gt_status status = gt_rhs(r->s, t, x, f);
    if (!status) divide_by_mass(r->s, f);
    return status;
}

static gt_status evaluate(gt_run *r, double t, const double *x, double *f)
{
    r->looks++;
    return slope_at(r, t, x, f);
}

static gt_status state_at(gt_stepper *s, double theta, double *x, double *slope)
{
    if (is_at_rest(s)) {
        for (size_t i = 0; i < s->n; i++) slope[i] = (s->x_new[i] - s->x[i]) / s->h;
        memcpy(x, s->x, s->n * sizeof *x);
        return GT_OK;
    }
    gt_status status = dense_slope(s, theta, slope);
    if (!status && s->problem->mass) {
        gt_matrix_multiply(s->problem->mass, slope, 0, x);
        memcpy(slope, x, s->n * sizeof *x);
        divide_by_mass(s, slope);
    }
    return status ? status : gt_stepper_interpolate(s, theta, x);
}

/* Whether component i of f at the probe, seen beside the slope there, would change the solution by
 * more than the tolerance in the time between two probes. */
static bool differs(const gt_run *r, double x_i, size_t i, double f, double slope)
{
    const gt_stepper *s = r->s;
    double gap = fabs(f - slope), before = s->f_known ? fabs(s->f[i]) : 0;
    if (s->problem->mass && before > 0) before /= fmax(rows_of_mass(s)[i], DBL_MIN);
    return gap * spacing_of(r) > gt_weight(s, i, x_i) && gap > fabs(slope) && gap > before;
}

/* Whether component i of f, which is `gap` off at t, is so because of t: not at the ends of the
 * step for the same state, nor half way to them, where a forcing that is smooth over the step has a
 * quarter of its rise left. */
static gt_status stands_out(gt_run *r, double t, const double *x, double *f, size_t i, double gap,
                            bool *pulse)
{
    const gt_stepper *s = r->s;
    double here = f[i];
    const double ends[2] = {s->t, s->t_new};
    for (int k = 0; k < 2; k++) {
        gt_status status = evaluate(r, ends[k], x, f);
        double at_end = f[i];
        if (fabs(here - at_end) < 0.5 * gap) return status;
        if (!status) status = evaluate(r, (t + ends[k]) / 2, x, f);
        if (status || fabs(f[i] - at_end) > 0.25 * fabs(here - at_end)) return status;
    }
    *pulse = true;
    return GT_OK;
}

/* Whether f is so off the slope because the dense output is off the solution, by up to `far` times
 * the tolerance. In a stiff equation what is left of f lies along its fast motion, so this changes
 * the state in that direction. */
static gt_status is_stiff(gt_run *r, double t, double *x, const double *slope, double *f,
                          bool *stiff)
{
    gt_stepper *s = r->s;
    const double far = 100;
    size_t n = r->problem->n_slow + r->problem->n_fast;
    double gap = 0, change = 0, *before = f + s->n;
    for (size_t i = 0; i < n; i++) gap = fmax(gap, fabs(f[i] - slope[i]) / gt_weight(s, i, x[i]));
    for (size_t i = 0; i < n; i++) x[i] += far / gap * (f[i] - slope[i]);
    memcpy(before, f, s->n * sizeof *f);
    gt_status status = evaluate(r, t, x, f);
    for (size_t i = 0; i < n; i++)
        change = fmax(change, fabs(f[i] - before[i]) / gt_weight(s, i, x[i]));
    for (size_t i = 0; i < n; i++) x[i] -= far / gap * (before[i] - slope[i]);
    memcpy(f, before, s->n * sizeof *f);
    *stiff = status || !(change < 0.5 * gap);
    return status;
}

/* The same where what is left of f does not lie along the motion that would explain it, as in a
 * mode that swings: there the slope of one state is that of the others being off. */
static gt_status is_sensitive(gt_run *r, double t, const double *x, size_t suspect, double gap,
                              double *f, bool *stiff)
{
    gt_stepper *s = r->s;
    const double far = 100;
    size_t n = r->problem->n_slow + r->problem->n_fast;
    double *off = f + s->n, here = f[suspect];
    gt_status status = GT_OK;
    for (int sign = 0; sign < 2 && !*stiff && !status; sign++) {
        memcpy(off, x, s->n * sizeof *off);
        for (size_t i = 0; i < n; i++)
            if (i != suspect) off[i] += (sign && i % 2 ? -far : far) * gt_weight(s, i, x[i]);
        status = slope_at(r, t, off, f); /* two for two that are counted */
        *stiff = status || !(fabs(f[suspect] - here) < gap);
    }
    f[suspect] = here;
    return status;
}

/* A pulse at s->t + theta h? */
static gt_status look(gt_run *r, double theta, bool *pulse)
{
    gt_stepper *s = r->s;
    size_t n = r->problem->n_slow + r->problem->n_fast, suspect = s->n;
    double *slope = s->pulse_work, *f = slope + s->n, *x = s->scratch, t = s->t + theta * s->h,
           worst = 0;
    *pulse = false;
    if (r->problem->mass) measure_mass(s);
    gt_status status = state_at(s, theta, x, slope);
    if (!status) status = evaluate(r, t, x, f);
    if (status) return status;
    for (size_t i = 0; i < (is_at_rest(s) ? r->problem->n_slow : n); i++) {
        double gap = fabs(f[i] - slope[i]) / gt_weight(s, i, x[i]);
        if (differs(r, x[i], i, f[i], slope[i]) && gap > worst) worst = gap, suspect = i;
    }
    if (suspect == s->n) return GT_OK;
    bool stiff = false;
    double gap = fabs(f[suspect] - slope[suspect]);
    if (is_at_rest(s)) return stands_out(r, t, x, f, suspect, gap, pulse);
    status = is_stiff(r, t, x, slope, f, &stiff);
    if (!status && !stiff) status = is_sensitive(r, t, x, suspect, gap, f, &stiff);
    *pulse = !stiff;
    if (status || *pulse) return status;
    return stands_out(r, t, x, f, suspect, gap, pulse);
}

gt_status gt_run_find_pulse(gt_run *r, bool *found)
{
    assert(r && found);
    gt_stepper *s = r->s;
    double spacing = spacing_of(r), t0 = r->problem->t0;
    *found = false;
    for (double k = fmax(r->looked_to, floor((s->t - t0) / spacing)) + 1;
         r->looks < POINTS && !*found; k++) {
        double t = t0 + k * spacing, theta = (t - s->t) / s->h;
        if (theta <= 1e-3) continue;
        if (theta >= 1 - 1e-3) break;
        gt_status status = look(r, theta, found);
        if (status) return status;
        r->looked_to = k;
        if (*found) r->pulse_at = t;
    }
    return GT_OK;
}

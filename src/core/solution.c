/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense output that is kept, geartrain/run.h: barycentric interpolation at Chebyshev points of
 * the second kind. */
#include "core/run_handle.h"
#include <geartrain/author/number.h>
#include <geartrain/run.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_DEGREE = 4, MOST_DEGREE = 16, MOST_CUTS = 10 };
/* A polynomial is good enough when it is this near to the dense output, in parts of the tolerance.
 */
static const double fraction = 0.01;

typedef struct piece {
    double from, to; /* to < from: a run backward in time */
    size_t first;    /* of its values: (degree + 1) n numbers */
    int degree;
} piece;

struct gt_solution {
    size_t n;
    piece *pieces;
    size_t count, room;
    double *values;
    size_t used, space;
};

gt_solution *gt_solution_new(size_t n)
{
    gt_solution *w = calloc(1, sizeof *w);
    if (w) w->n = n;
    return w;
}

void gt_solution_free(gt_solution *w)
{
    if (!w) return;
    free(w->pieces);
    free(w->values);
    free(w);
}

/* Twice the room when it is used up, so that adding is linear in the end. */
static bool grow(void **memory, size_t *room, size_t wanted, size_t item)
{
    if (wanted <= *room) return true;
    size_t more = *room ? *room : 64;
    while (more < wanted) more *= 2;
    void *larger = realloc(*memory, more * item);
    if (!larger) return false;
    *memory = larger;
    *room = more;
    return true;
}

/* Point j of 0..degree in 0..1, from 0 on. */
static double node(int degree, int j)
{
    double s = sin(GT_PI / 2 * j / degree);
    return s * s;
}

/* The polynomial through the values at theta, 0..1. */
static void evaluate(const double *values, size_t n, int degree, double theta, double *x)
{
    double sum = 0, weight[MOST_DEGREE + 1];
    for (int j = 0; j <= degree; j++) {
        double gap = theta - node(degree, j);
        if (gap == 0) {
            memcpy(x, values + (size_t)j * n, n * sizeof *x);
            return;
        }
        weight[j] = (j % 2 ? -1 : 1) * (j == 0 || j == degree ? 0.5 : 1) / gap;
        sum += weight[j];
    }
    for (size_t i = 0; i < n; i++) x[i] = 0;
    for (int j = 0; j <= degree; j++)
        for (size_t i = 0; i < n; i++) x[i] += weight[j] / sum * values[(size_t)j * n + i];
}

/* x at theta of the step that waits; its ends are exact. */
static gt_status look(run_handle *w, double theta, double *x)
{
    gt_stepper *s = w->run.s;
    double t = theta >= 1 ? s->t_new : s->t + theta * (s->t_new - s->t);
    if (theta >= 1)
        memcpy(x, w->run.waits_at_event && w->run.event_beyond ? s->event_x : s->x_new,
               s->n * sizeof *x);
    else if (theta <= 0)
        memcpy(x, s->x, s->n * sizeof *x);
    else
        return gt_run_inside(&w->run, t, false, x);
    return GT_OK;
}

/* The part theta_0..theta_1 of the step, as a polynomial behind the values there are. */
static gt_status sample(gt_solution *w, run_handle *run, double theta_0, double theta_1, int degree)
{
    double *values = w->values + w->used;
    gt_status status = GT_OK;
    for (int j = 0; j <= degree && !status; j++)
        status =
            look(run, theta_0 + node(degree, j) * (theta_1 - theta_0), values + (size_t)j * w->n);
    return status;
}

/* How far the polynomial is from the dense output half way between two points, over the tolerance;
 * `x` is 2n. */
static gt_status measure(gt_solution *w, run_handle *run, double theta_0, double theta_1,
                         int degree, double *x, double *error)
{
    const gt_stepper *s = run->run.s;
    *error = 0;
    for (int j = 0; j<degree; j += degree - 1> 0 ? degree - 1 : 1) {
        double u = 0.5 * (node(degree, j) + node(degree, j + 1));
        gt_status status = look(run, theta_0 + u * (theta_1 - theta_0), x);
        if (status) return status;
        evaluate(w->values + w->used, w->n, degree, u, x + w->n);
        for (size_t i = 0; i < w->n; i++) {
            double scale = s->rtol > 0 ? gt_weight(s, i, x[i]) : 1e-8 * (1 + fabs(x[i]));
            *error = fmax(*error, fabs(x[i] - x[w->n + i]) / scale);
        }
    }
    return GT_OK;
}

/* Room for one more piece of this degree. */
static bool has_room(gt_solution *w, int degree)
{
    return grow((void **)&w->values, &w->space, w->used + (size_t)(degree + 1) * w->n,
                sizeof *w->values) &&
           grow((void **)&w->pieces, &w->room, w->count + 1, sizeof *w->pieces);
}

/* The values behind those there are become a piece. */
static void keep(gt_solution *w, double from, double to, int degree)
{
    w->pieces[w->count++] = (piece){.from = from, .to = to, .first = w->used, .degree = degree};
    w->used += (size_t)(degree + 1) * w->n;
}

/* A step that becomes pieces. */
typedef struct adding {
    gt_solution *w;
    run_handle *step;
    double sign; /* of the solution's time over that of the step */
    double *x;
} adding;

static gt_status add_part(const adding *a, double theta_0, double theta_1, int cuts)
{
    gt_solution *w = a->w;
    const gt_stepper *s = a->step->run.s;
    int least = s->order < LEAST_DEGREE  ? LEAST_DEGREE
                : s->order > MOST_DEGREE ? MOST_DEGREE
                                         : s->order;
    double error = 0;
    for (int degree = least;; degree = degree * 2 < MOST_DEGREE ? degree * 2 : MOST_DEGREE) {
        if (!has_room(w, degree)) return GT_NO_MEMORY;
        gt_status status = sample(w, a->step, theta_0, theta_1, degree);
        if (!status) status = measure(w, a->step, theta_0, theta_1, degree, a->x, &error);
        if (status) return status;
        if (error <= fraction || (cuts == MOST_CUTS && degree == MOST_DEGREE)) {
            double h = s->t_new - s->t;
            keep(w, 0 + a->sign * (s->t + theta_0 * h),
                 0 + a->sign * (theta_1 >= 1 ? s->t_new : s->t + theta_1 * h), degree);
            return GT_OK;
        }
        if (degree == MOST_DEGREE) break;
    }
    double middle = 0.5 * (theta_0 + theta_1);
    gt_status status = add_part(a, theta_0, middle, cuts + 1);
    return status ? status : add_part(a, middle, theta_1, cuts + 1);
}

/* The steps of the second run; the last one ends where the step does. */
static gt_status add_second(const adding *a, gt_run *second)
{
    adding part = {a->w, gt_handle_of(second), a->sign, a->x};
    gt_reached reached = GT_REACHED_STEP;
    gt_status status = GT_OK;
    while (!status && reached != GT_REACHED_END) {
        status = gt_run_step(second, &reached);
        if (!status) status = add_part(&part, 0, 1, 0);
    }
    gt_run_count_second(&a->step->run);
    size_t n = a->w->n;
    if (!status) memcpy(a->w->values + a->w->used - n, a->step->run.s->x_new, n * sizeof *a->x);
    return status;
}

static gt_status add_step(const adding *a)
{
    size_t count = a->w->count, used = a->w->used;
    gt_run *second;
    gt_status status = gt_run_second(&a->step->run, &second);
    if (!status && second) {
        status = add_second(a, second);
        if (!status || status == GT_INTERRUPTED || status == GT_NO_MEMORY) return status;
        a->w->count = count;
        a->w->used = used;
        second = NULL;
        status = GT_OK;
    }
    return status ? status : add_part(a, 0, 1, 0);
}

gt_status gt_solution_add(gt_solution *w, gt_run *run)
{
    if (!w || !run) return GT_BAD_ARGUMENT;
    run_handle *handle = gt_handle_of(run);
    const gt_stepper *s = run->s;
    if (s->n != w->n || !run->waits) return GT_BAD_ARGUMENT;
    double from = 0 + handle->sign * s->t;
    if (w->count && w->pieces[w->count - 1].to != from) return GT_BAD_ARGUMENT;
    gt_status status = gt_handle_enter(handle);
    if (status) return status;
    gt_handle_take_turn(handle);
    size_t count = w->count, used = w->used;
    double *x = malloc((2 * w->n + 1) * sizeof *x);
    status = x ? add_step(&(adding){w, handle, handle->sign, x}) : GT_NO_MEMORY;
    if (status) {
        w->count = count;
        w->used = used;
    }
    free(x);
    gt_handle_end_turn(handle);
    return status;
}

gt_status gt_solution_at(const gt_solution *w, double t, double *x)
{
    if (!w || !x || !w->count) return GT_BAD_ARGUMENT;
    double sign = w->pieces[0].to < w->pieces[0].from ? -1 : 1;
    double first = sign * w->pieces[0].from, last = sign * w->pieces[w->count - 1].to;
    if (!(sign * t >= first && sign * t <= last)) return GT_BAD_ARGUMENT;
    size_t low = 0, high = w->count; /* the last piece that begins at t or before it */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (sign * w->pieces[middle].from <= sign * t)
            low = middle;
        else
            high = middle;
    }
    const piece *p = &w->pieces[low];
    evaluate(w->values + p->first, w->n, p->degree, (t - p->from) / (p->to - p->from), x);
    return GT_OK;
}

void gt_solution_range(const gt_solution *w, double *from, double *to)
{
    bool any = w && w->count;
    if (from) *from = any ? w->pieces[0].from : NAN;
    if (to) *to = any ? w->pieces[w->count - 1].to : NAN;
}

size_t gt_solution_pieces(const gt_solution *w) { return w ? w->count : 0; }

size_t gt_solution_bytes(const gt_solution *w)
{
    return w ? sizeof *w + w->room * sizeof *w->pieces + w->space * sizeof *w->values : 0;
}

gt_status gt_solution_piece(const gt_solution *w, size_t k, double *from, double *to, int *degree,
                            const double **values)
{
    if (!w || k >= w->count) return GT_BAD_ARGUMENT;
    const piece *p = &w->pieces[k];
    if (from) *from = p->from;
    if (to) *to = p->to;
    if (degree) *degree = p->degree;
    if (values) *values = w->values + p->first;
    return GT_OK;
}

gt_status gt_solution_add_piece(gt_solution *w, double from, double to, int degree,
                                const double *values)
{
    if (!w || !values || degree < 1 || degree > MOST_DEGREE) return GT_BAD_ARGUMENT;
    if (!isfinite(from) || !isfinite(to) || from == to) return GT_BAD_ARGUMENT;
    const piece *last = w->count ? &w->pieces[w->count - 1] : NULL;
    if (last && (last->to != from || (last->to > last->from) != (to > from)))
        return GT_BAD_ARGUMENT;
    if (!has_room(w, degree)) return GT_NO_MEMORY;
    if (w->n) memcpy(w->values + w->used, values, (size_t)(degree + 1) * w->n * sizeof *values);
    keep(w, from, to, degree);
    return GT_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The largest stable step of methods that have no R(z): those of two rates, whose blocks are
 * coupled, so that no eigenvalue can be looked at alone. What decides is the matrix of a whole step
 * on the linear model. It is looked for from small steps on, in units of 1/|lambda|; where its
 * radius has a peak between two steps the peak is looked at, since bands of instability are narrow.
 */
#include "analysis/advice.h"
#include "analysis/step_map.h"
#include "base/sized.h"
#include <math.h>

/* A growth of 1e-5 a step is not seen in thousands of steps, and round-off of a double eigenvalue 1
 * looks like 1e-8. */
static const double SLIGHT = 1e-5, FIRST = 0.02;
enum { PEAK_LOOKS = 12, MOST_POINTS = 3 };

/* Operations for one point, how many radii a search with the finest steps takes, about, and how
 * much longer steps may become; then only the fastest point is looked at, up to so many operations
 * for a radius. */
static const double AFFORDABLE = 1.5e7, FINE = 150, COARSEST = 10, MOST_FOR_ONE = 1e7;
static const double FAR = 20; /* |h lambda| beyond which bands are not looked for so closely */

typedef struct search {
    gt_step_map map;
    double growth; /* of the equations themselves, 1 / time */
    gt_status status;
} search;

/* By how much the radius is above what is allowed, relative. */
static double excess(search *s, double h)
{
    double radius = INFINITY;
    gt_status status = gt_step_map_radius(&s->map, h, &radius);
    if (status) s->status = status;
    return radius * exp(-s->growth * h) - 1 - SLIGHT;
}

/* The step between h[0] and h[2] with the largest excess, by golden section; stops at one that is
 * above 0. */
static double peak(search *s, double low, double high)
{
    const double part = 0.3819660112501051;
    double a = low + part * (high - low), b = high - part * (high - low), at_a = excess(s, a),
           at_b = excess(s, b);
    for (int k = 0; k < PEAK_LOOKS; k++) {
        if (at_a > 0) return a;
        if (at_b > 0) return b;
        if (at_a > at_b) {
            high = b, b = a, at_b = at_a;
            at_a = excess(s, a = low + part * (high - low));
        } else {
            low = a, a = b, at_a = at_b;
            at_b = excess(s, b = high - part * (high - low));
        }
    }
    return NAN;
}

static double bisect(search *s, double stable, double unstable)
{
    while (unstable - stable > 1e-4 * unstable && !s->status) {
        double middle = 0.5 * (stable + unstable);
        *(excess(s, middle) > 0 ? &unstable : &stable) = middle;
    }
    return stable;
}

/* Where the first unstable step is, from 0 on and up to `most`; infinite: there is none. */
static double find_limit(search *s, double radius, double most)
{
    double coarse = fmin(fmax(1, FINE * gt_step_map_work(&s->map) / AFFORDABLE), COARSEST),
           before[2] = {0, 0}, at[2] = {-1, -1};
    for (double z = FIRST; z < radius * most * (1 + 1e-9) && !s->status;
         z += FIRST * coarse * fmax(1, z < FAR ? z : 5 * z)) {
        double h = z / radius, here = excess(s, h);
        if (here > 0) return before[1] > 0 ? bisect(s, before[1], h) : 0;
        if (at[1] > -2e-3 && at[1] >= at[0] && at[1] >= here && before[0] > 0) {
            double found = peak(s, before[0], h);
            if (found > 0) return bisect(s, found > before[1] ? before[1] : before[0], found);
        }
        before[0] = before[1], before[1] = h;
        at[0] = at[1], at[1] = here;
    }
    return INFINITY;
}

static bool suits(const gt_problem *p, const gt_spectrum *point)
{
    return point->complete && point->count && !p->n_alg && point->n == p->n_slow + p->n_fast &&
           point->n <= GT_COUPLED_MAX;
}

static double growth_of(const gt_spectrum *point)
{
    double most = 0;
    for (size_t k = 0; k < point->count; k++) most = fmax(most, point->values[2 * k]);
    return most;
}

static gt_status open_search(search *s, const gt_problem *p, const gt_spectrum *point,
                             const gt_method *method, const char *options, gt_arena *arena)
{
    s->growth = growth_of(point);
    s->status = GT_OK;
    return gt_step_map_open(&s->map, method, options, p->n_slow, p->n_fast, point->A, arena, NULL);
}

double gt_coupled_radius_sized(const gt_problem *p, size_t p_size, const gt_spectrum *point,
                               const gt_method *method, const char *options, double h)
{
    GT_WIDEN_QUIETLY(gt_problem, p);
    if (!p || !point || !method) return NAN;
    gt_arena arena = gt_arena_growing();
    search s;
    double radius = NAN;
    if (!suits(p, point)) return NAN;
    gt_status status = open_search(&s, p, point, method, options, &arena);
    if (!status) status = gt_step_map_radius(&s.map, h, &radius);
    gt_step_map_close(&s.map);
    gt_arena_free(&arena);
    return status ? NAN : radius;
}

static bool same_matrix(const gt_spectrum *a, const gt_spectrum *b)
{
    double most = 0, apart = 0;
    for (size_t k = 0; k < a->n * a->n; k++) {
        most = fmax(most, fabs(a->A[k]));
        apart = fmax(apart, fabs(a->A[k] - b->A[k]));
    }
    return apart <= 1e-9 * most;
}

static double radius_of(const gt_spectrum *point)
{
    return hypot(point->values[0], point->values[1]);
}

/* The fastest point, the first and the last one, without doubles. */
static size_t choose_points(const gt_spectrum *points, size_t count,
                            const gt_spectrum *chosen[MOST_POINTS])
{
    const gt_spectrum *wanted[MOST_POINTS] = {&points[0], &points[0], &points[count - 1]};
    size_t found = 0;
    for (size_t k = 1; k < count; k++)
        if (radius_of(&points[k]) > radius_of(wanted[0])) wanted[0] = &points[k];
    for (size_t k = 0; k < MOST_POINTS; k++) {
        bool is_new = true;
        for (size_t i = 0; i < found; i++) is_new = is_new && !same_matrix(chosen[i], wanted[k]);
        if (is_new) chosen[found++] = wanted[k];
    }
    return found;
}

gt_status gt_coupled_limit(const gt_problem *p, const gt_spectrum *points, size_t count,
                           const gt_method *method, const char *options, double span, double *limit)
{
    const gt_spectrum *chosen[MOST_POINTS];
    double h = INFINITY;
    *limit = NAN;
    for (size_t k = 0; k < count; k++)
        if (!suits(p, &points[k])) return GT_OK;
    size_t wanted = count ? choose_points(points, count, chosen) : 0;
    for (size_t k = 0; k < wanted; k++) {
        gt_arena arena = gt_arena_growing();
        search s;
        gt_status status = open_search(&s, p, chosen[k], method, options, &arena);
        double radius = radius_of(chosen[k]), work = status ? 0 : gt_step_map_work(&s.map);
        if (work > MOST_FOR_ONE) status = GT_UNSUPPORTED;
        if (FINE * work > COARSEST * AFFORDABLE) wanted = 1; /* the fastest comes first */
        if (!status && radius > 0) h = fmin(h, find_limit(&s, radius, fmin(h, span)));
        if (!status) status = s.status;
        gt_step_map_close(&s.map);
        gt_arena_free(&arena);
        if (status) return status == GT_NO_MEMORY ? status : GT_OK;
    }
    if (wanted) *limit = h;
    return GT_OK;
}

double gt_coupled_step_sized(const gt_problem *p, size_t p_size, const gt_spectrum *points,
                             size_t count, const gt_method *method, const char *options,
                             double span)
{
    GT_WIDEN_QUIETLY(gt_problem, p);
    double h;
    if (!p || !points || !method) return NAN;
    return gt_coupled_limit(p, points, count, method, options, span, &h) ? NAN : h;
}

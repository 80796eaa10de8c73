/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Breaks when a problem is built. A relation with mod or floor of t switches once or twice in every
 * period; each such time is computed and then moved by a few units in the last place to the first
 * number at which the relation, as it is evaluated, has switched: so that f at the number before it
 * is the left limit, and f at it the right one.
 *
 * A table of t, which straight lines join, has a kink where its slope changes. Where kinks are few
 * all of them are breaks; of more, those that are not small beside the largest. A smooth curve has
 * them everywhere, and error control sees it; but those in a small part of the table are a pulse
 * that a step may not see, and a few of them, evenly chosen, make it end there.
 */
#include "lang/runtime/break_times.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 100000,      /* periods in the interval, of all clocks */
    BEYOND = 1000,      /* periods of a clock outside of it */
    MANY_CLOCKS = 1000, /* more are not evaluated again and again */
    FEW_KINKS = 200,    /* of a table */
    SMALL_PART = 20     /* a pulse has fewer than one of so many samples */
};

typedef struct list {
    double *times;
    size_t count, room;
    bool failed;
} list;

static void add(list *l, double time)
{
    if (!isfinite(time)) return;
    if (l->count == l->room) {
        size_t room = 2 * l->room + 64;
        double *larger = realloc(l->times, room * sizeof *larger);
        if (!larger) {
            l->failed = true;
            return;
        }
        l->times = larger;
        l->room = room;
    }
    l->times[l->count++] = time;
}

static double value_at(gt_ode_ctx *c, double *values, int clock, double t)
{
    c->code->clocks(t, values, c);
    return values[clock];
}

/* The first number at which the clock shows what it shows after `time`; `time` where nothing jumps.
 */
static double first_after(gt_ode_ctx *c, double *values, int clock, double time, double width,
                          double jump)
{
    enum { TURNS = 60 };
    double low = time - width, high = time + width;
    double before = value_at(c, values, clock, low);
    double after = value_at(c, values, clock, high);
    if (!(fabs(after - before) > jump)) return time;
    for (int k = 0; k < TURNS && nextafter(low, high) < high; k++) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) break;
        double value = value_at(c, values, clock, middle);
        if (fabs(value - after) < fabs(value - before))
            high = middle;
        else
            low = middle;
    }
    return high;
}

typedef struct span {
    double first, last, t0, t1; /* what is listed, and the interval of the problem */
} span;

/* Where period k has its switch; NaN: nowhere. */
static double in_period(const double *v, double k)
{
    double a = v[0], b = v[1], c = v[2], m_a = v[3], m_b = v[4], m_t = v[5];
    if (m_t < 0) return k >= b && k <= c ? (-k * m_t - m_b) / m_a : NAN;
    if (a == 0) return (k * m_t - m_b) / m_a;
    double t = -(b + c * k) / a, place = (m_a * t + m_b) / m_t - k;
    double slack = 1e-12 * (fabs(k) + 1);
    return place >= -slack && place < 1 + slack ? t : NAN;
}

static double bend(const double *y, int k) { return fabs(y[k + 1] - 2 * y[k] + y[k - 1]); }

/* How many samples inside a table bend it by more than `least`. */
static long count_kinks(const double *y, int n, double least)
{
    long count = 0;
    for (int k = 1; k + 1 < n; k++) count += bend(y, k) > least;
    return count;
}

/* Adds the kinks of a table that stand out. */
static void add_kinks(const gt_ode_ctx *c, const double *v, list *l)
{
    static const double beside_largest[] = {0, 1e-6, 1e-4, 1e-2};
    enum { RANKS = sizeof beside_largest / sizeof *beside_largest };
    const gt_ode_table_range *table = &c->code->tables[(int)v[0] - 1];
    const double *y = c->p + table->slot;
    double size = 0, most = 0, least = 0;
    long count = 0, seen = 0;
    for (int k = 0; k < table->n; k++) size = fmax(size, fabs(y[k]));
    for (int k = 1; k + 1 < table->n; k++) most = fmax(most, bend(y, k));
    for (int i = 0; i < RANKS && (i == 0 || count > FEW_KINKS); i++) {
        least = fmax(1e-9 * size, beside_largest[i] * most);
        count = count_kinks(y, table->n, least);
    }
    if (count > FEW_KINKS && count > table->n / SMALL_PART) return;
    long every = 1 + count / (FEW_KINKS + 1);
    for (int k = 1; k + 1 < table->n; k++) {
        if (bend(y, k) > least && seen++ % every == 0) add(l, in_period(v, k));
    }
}

/* Adds the times of one clock; what remains of `left` periods is given back, and *until is where
 * they ended. */
static long add_clock(gt_ode_ctx *c, double *values, int clock, const span *s, long left,
                      double *until, list *l)
{
    const double *v = c->p + c->code->clock_place + (ptrdiff_t)clock * GT_ODE_CLOCK;
    double length = fabs(v[5]), period = length / fabs(v[3]);
    double from = floor((v[3] * s->first + v[4]) / length);
    double step = v[3] > 0 ? 1 : -1;
    for (int k = 0; k < GT_ODE_CLOCK; k++)
        if (!isfinite(v[k])) return left;
    if (!(length > 0) || !(period > 0) || !isfinite(period) || !isfinite(from)) return left;
    double width = 16 * DBL_EPSILON;
    double jump = 1e-3 * fmin(1, length);
    double outside = 0;
    double periods = ceil((s->last - s->first) / period) + 2;
    /* before t0, the nearest ones count */
    double skip = fmax(0, floor((s->t0 - s->first) / period) - BEYOND);
    for (double k = skip; k <= periods; k++) {
        double t = in_period(v, from + step * k);
        if (v[5] < 0 && !isfinite(t)) continue; /* outside of the table */
        double begin = s->first + (k - 1) * period;
        bool inside = begin >= s->t0 - period && begin <= s->t1;
        if (inside ? left <= 0 : begin > s->t1 && ++outside > BEYOND) {
            if (inside && !(*until > 0 && *until < begin)) *until = begin;
            return left;
        }
        left -= inside;
        if (!isfinite(t)) continue;
        double near = fmax(width * (fabs(t) + fabs(v[4] / v[3])), DBL_MIN);
        add(l, values ? first_after(c, values, clock, t, near, jump) : t);
    }
    return left;
}

static void add_clocks(gt_ode_ctx *c, gt_problem *problem, list *l)
{
    int n = c->code->n_clocks;
    double length = fabs(problem->t1 - problem->t0);
    if (!n || !(length > 0)) return;
    span s = {.t0 = fmin(problem->t0, problem->t1), .t1 = fmax(problem->t0, problem->t1)};
    s.first = s.t0 - 10 * length;
    s.last = s.t1 + 100 * length;
    double *values = n <= MANY_CLOCKS ? malloc((size_t)n * sizeof *values) : NULL;
    long left = MOST;
    for (int k = 0; k < n; k++) {
        const double *v = c->p + c->code->clock_place + (ptrdiff_t)k * GT_ODE_CLOCK;
        if (v[5] < 0 && v[0] > 0)
            add_kinks(c, v, l);
        else
            left = add_clock(c, values, k, &s, left, &problem->breaks_until, l);
    }
    free(values);
}

static int by_size(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* Ascending, each once; of several that differ by round-off only, the last. */
static size_t merge(double *times, size_t count)
{
    size_t kept = 0;
    if (count) qsort(times, count, sizeof *times, by_size);
    for (size_t k = 0; k < count; k++) {
        if (kept && times[k] - times[kept - 1] <= 8 * DBL_EPSILON * fabs(times[k])) kept--;
        times[kept++] = times[k];
    }
    return kept;
}

gt_status gt_ode_breaks(gt_ode_ctx *c, gt_problem *problem, gt_arena *arena)
{
    list l = {0};
    for (int k = 0; k < c->code->n_breaks; k++) add(&l, c->p[c->code->break_place + k]);
    add_clocks(c, problem, &l);
    size_t count = merge(l.times, l.count);
    double *times = count && !l.failed ? gt_arena_doubles(arena, count) : NULL;
    if (times) memcpy(times, l.times, count * sizeof *times);
    free(l.times);
    if (l.failed || (count && !times)) return GT_NO_MEMORY;
    problem->breaks = times;
    problem->n_breaks = count;
    return GT_OK;
}

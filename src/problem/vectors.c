/* SPDX-License-Identifier: BSD-3-Clause */
#include "problem/vectors.h"
#include "base/finite.h"
#include "base/weighted_sum.h"
#include <assert.h>
#include <math.h>

/* ---- chunks ---- */

static size_t chunk_of(size_t n)
{
    const size_t most = (size_t)GT_CHUNK * GT_MOST_CHUNKS;
    return GT_CHUNK * (n > most ? (n + most - 1) / most : 1);
}

typedef struct ranges {
    size_t n, chunk;
    gt_range_fn *range;
    gt_sums_fn *sums;
    void *work;
    const void *given;
    gt_sums *found;
} ranges;

static void one_range(size_t i, void *work)
{
    const ranges *r = work;
    size_t from = i * r->chunk, to = from + r->chunk < r->n ? from + r->chunk : r->n;
    if (r->range)
        r->range(from, to, r->work);
    else
        r->found[i] = r->sums(from, to, r->given);
}

void gt_share_parts(const gt_problem *p, size_t n, size_t parts, gt_part_fn *part, void *work)
{
    if (p->threads && n >= GT_THREADS_FROM) {
        p->threads->share(parts, part, work, p->threads->ctx);
        return;
    }
    for (size_t i = 0; i < parts; i++) part(i, work);
}

static void each_range(const gt_problem *p, ranges *r)
{
    gt_share_parts(p, r->n, (r->n + r->chunk - 1) / r->chunk, one_range, r);
}

void gt_each_chunk(const gt_problem *p, size_t n, gt_range_fn *range, void *work)
{
    assert(p && range);
    ranges r = {.n = n, .chunk = chunk_of(n), .range = range, .work = work};
    each_range(p, &r);
}

gt_sums gt_sum_chunks(const gt_problem *p, size_t n, gt_sums_fn *range, const void *work)
{
    assert(p && range);
    gt_sums found[GT_MOST_CHUNKS], all = {0, 0};
    ranges r = {.n = n, .chunk = chunk_of(n), .sums = range, .given = work, .found = found};
    each_range(p, &r);
    for (size_t i = 0; i * r.chunk < n; i++) {
        all.sum += found[i].sum;
        all.most = found[i].most > all.most ? found[i].most : all.most;
    }
    return all;
}

/* ---- sums: four of them, none of which waits for another, and which a compiler puts into the
 * lanes of a vector ---- */

enum { LANES = 4 };

static double sum_of_lanes(const double *lane) { return (lane[0] + lane[1]) + (lane[2] + lane[3]); }

typedef struct two_vectors {
    const double *a, *b;
} two_vectors;

static gt_sums dot_range(size_t from, size_t to, const void *work)
{
    const two_vectors *v = work;
    const double *a = v->a, *b = v->b;
    double lane[LANES] = {0};
    size_t i = from;
    for (; i + LANES <= to; i += LANES)
        for (size_t j = 0; j < LANES; j++) lane[j] += a[i + j] * b[i + j];
    for (; i < to; i++) lane[0] += a[i] * b[i];
    return (gt_sums){.sum = sum_of_lanes(lane)};
}

double gt_dot_many(const gt_problem *p, size_t n, const double *a, const double *b)
{
    return gt_sum_chunks(p, n, dot_range, &(two_vectors){a, b}).sum;
}

static gt_sums finite_range(size_t from, size_t to, const void *work)
{
    return (gt_sums){.sum = gt_not_finite((const double *)work + from, to - from)};
}

double gt_not_finite_many(const gt_problem *p, const double *x, size_t n)
{
    return gt_sum_chunks(p, n, finite_range, x).sum;
}

typedef struct weighted {
    const gt_stepper *s;
    const double *v, *x, *y; /* weights are those of the larger of |x| and |y| */
} weighted;

/* The square of v_i over its weight, and NaN where y_i is not finite. */
GT_INLINE double square_at(const weighted *w, size_t i, bool vectors)
{
    const gt_stepper *s = w->s;
    double a = fabs(w->x[i]), b = fabs(w->y[i]), size = a > b ? a : b;
    double weight = vectors ? gt_weight(s, i, size) : s->rtol * size + s->atol + DBL_MIN;
    double scaled = w->v[i] / weight;
    return scaled * scaled;
}

GT_INLINE gt_sums weighted_range(size_t from, size_t to, const weighted *given, bool vectors)
{
    const weighted w = *given;
    double lane[LANES] = {0}, most[LANES] = {0};
    size_t i = from;
    for (; i + LANES <= to; i += LANES) {
        for (size_t j = 0; j < LANES; j++) {
            double square = square_at(&w, i + j, vectors);
            lane[j] += square + (w.y[i + j] - w.y[i + j]);
            most[j] = square > most[j] ? square : most[j];
        }
    }
    for (; i < to; i++) {
        double square = square_at(&w, i, vectors);
        lane[0] += square + (w.y[i] - w.y[i]);
        most[0] = square > most[0] ? square : most[0];
    }
    for (size_t j = 1; j < LANES; j++) most[0] = most[j] > most[0] ? most[j] : most[0];
    return (gt_sums){sum_of_lanes(lane), most[0]};
}

static gt_sums plain_range(size_t from, size_t to, const void *work)
{
    return weighted_range(from, to, work, false);
}

static gt_sums vector_range(size_t from, size_t to, const void *work)
{
    return weighted_range(from, to, work, true);
}

static gt_sums weighted_many(const weighted *w, size_t n)
{
    bool vectors = w->s->rtol_vector || w->s->atol_vector;
    return gt_sum_chunks(w->s->problem, n, vectors ? vector_range : plain_range, w);
}

double gt_weighted_square_many(const gt_stepper *s, const double *v, const double *x, size_t n)
{
    return weighted_many(&(weighted){s, v, x, x}, n).sum;
}

gt_sums gt_error_sums_many(const gt_stepper *s, const double *err, size_t n)
{
    return weighted_many(&(weighted){s, err, s->x, s->x_new}, n);
}

/* ---- component by component ---- */

typedef struct terms {
    int count;
    const double *weight, *const *k, *x;
    double *y;
} terms;

static void combine_range(size_t from, size_t to, void *work)
{
    const terms *t = work;
    const double *k[8], *x = t->x, *weight = t->weight;
    double *y = t->y;
    if (!x) memset(y + from, 0, (to - from) * sizeof *y);
    x = x ? x : y;
    for (int first = 0; first == 0 || first < t->count; first += 8, x = y) {
        int count = t->count - first < 8 ? t->count - first : 8;
        for (int j = 0; j < count; j++) k[j] = t->k[first + j] + from;
        gt_weighted_sum(count, weight + first, k, x + from, y + from, to - from);
    }
}

void gt_combine(const gt_problem *p, int count, const double *weight, const double *const *k,
                const double *x, double *y, size_t n)
{
    assert(p && weight && k && y);
    terms t = {count, weight, k, x, y};
    if (n > GT_CHUNK)
        gt_each_chunk(p, n, combine_range, &t);
    else
        combine_range(0, n, &t);
}

static void copy_range(size_t from, size_t to, void *work)
{
    const terms *t = work;
    memcpy(t->y + from, t->x + from, (to - from) * sizeof *t->y);
}

void gt_copy_many(const gt_problem *p, size_t n, const double *x, double *y)
{
    gt_each_chunk(p, n, copy_range, &(terms){.x = x, .y = y});
}

static void clear_range(size_t from, size_t to, void *work)
{
    memset((double *)work + from, 0, (to - from) * sizeof(double));
}

void gt_clear(const gt_problem *p, size_t n, double *x) { gt_in_chunks(p, n, clear_range, x); }

static void scale_range(size_t from, size_t to, void *work)
{
    const terms *t = work;
    double factor = *t->weight, *y = t->y;
    for (size_t i = from; i < to; i++) y[i] *= factor;
}

void gt_scale_many(const gt_problem *p, size_t n, double factor, double *x)
{
    gt_each_chunk(p, n, scale_range, &(terms){.weight = &factor, .y = x});
}

static void difference_range(size_t from, size_t to, void *work)
{
    const terms *t = work;
    const double *x = t->x, apart = *t->weight;
    double *y = t->y;
    GT_INDEPENDENT
    for (size_t i = from; i < to; i++) y[i] = (y[i] - x[i]) / apart;
}

void gt_difference_many(const gt_problem *p, size_t n, const double *x, double apart, double *y)
{
    gt_each_chunk(p, n, difference_range, &(terms){.weight = &apart, .x = x, .y = y});
}

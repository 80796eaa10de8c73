/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clusters of fast modes, and small steps for them; see small_steps.h.
 *
 * The order of Chebyshev's steps matters: taken as they come, a part of the product would be huge
 * before the rest makes it small. The order of Lebedev and Finogenov (1971) keeps all parts of it
 * bounded: with odd numbers theta_i, 1/tau_i = (high + low)/2 - (high - low)/2 cos(pi theta_i/(2
 * K)), and
 *
 *     K -> 2 K:     theta_i -> theta_i, 4 K - theta_i
 *     2 K -> 2 K + 1:   theta_i -> theta_i, or theta_i + 2 from 2 K + 1 on;   the last is 2 K + 1
 */
#include "kit/small_steps.h"
#include "base/elementary.h"
#include <assert.h>
#include <geartrain/author/number.h>
#include <math.h>

/* Real means |Im|/|lambda| below SLANT. Neighbours by size belong to one cluster when they are
 * within TOGETHER of each other and all is known, else within a decade if both are known to
 * CERTAIN, else always. A contraction above WEAK takes too many steps. */
static const double SLANT = 0.01, TOGETHER = 1.3, DECADE = 10, CERTAIN = 0.01, WEAK = 0.9;

void gt_small_steps_layout(gt_small_steps *d, gt_arena *arena)
{
    assert(d && arena);
    d->tau = gt_arena_doubles(arena, GT_MOST_SMALL_STEPS);
    d->e = gt_arena_doubles(arena, GT_MOST_SMALL_STEPS);
}

/* How far off an eigenvalue may be, relative to its size: differences give six digits of the
 * largest and fewer of the others, and no more than the residual says. */
static double doubt(const gt_fast_modes *m, int i, double width)
{
    double size = gt_mode_size(m, i), blur = fmax(0.1 * m->noise, 3 * m->residual[i]) / size;
    return fmin(0.5, fmax(fmax(1e-6, width), blur));
}

/* Values with a large residual need not be near any eigenvalue: they also fall into gaps. */
static bool counts(const gt_fast_modes *m, int i)
{
    return m->residual[i] < 0.5 * gt_mode_size(m, i);
}

static bool is_pair(const gt_cluster *c) { return c->zeta < 1; }

double gt_mode_reach(const gt_fast_modes *m, int i)
{
    assert(m && i >= 0 && i < m->count);
    double size = gt_mode_size(m, i), zeta = size > 0 ? -m->re[i] / size : 1;
    return zeta < GT_LEAST_DAMPING ? size : size * 2.5 / (1 + 1.5 * zeta);
}

static gt_cluster cluster_of(const gt_fast_modes *m, int i, double width)
{
    double size = gt_mode_size(m, i), d = doubt(m, i, width), slant = fabs(m->im[i]) / size;
    if (slant < SLANT) d = fmax(d, slant);
    gt_cluster c = {.low = size * (1 - d), .zeta = 1};
    c.high = size * (1 + fmin(fmax(0.05, width), d));
    if (slant < SLANT && m->re[i] < 0) return c;
    c.zeta = -m->re[i] / size;
    c.contraction = d * (2 * slant + d); /* |lambda' - lambda| |lambda' - lambda*| / |lambda|^2 */
    return c;
}

/* Between values that have not settled there may be any number of eigenvalues. */
static bool is_certain(const gt_fast_modes *m, int i)
{
    return m->settled || m->residual[i] < CERTAIN * gt_mode_size(m, i);
}

/* Does mode i belong to the cluster of the last one before it? */
static bool joins(const gt_fast_modes *m, const gt_cluster *cluster, int last, const gt_cluster *c,
                  int i)
{
    bool certain = is_certain(m, last) && is_certain(m, i);
    double near = m->settled ? TOGETHER : certain ? DECADE : INFINITY;
    return !is_pair(cluster) && !is_pair(c) && c->high * near > cluster->low;
}

gt_fast_part gt_fast_part_of(const gt_fast_modes *m, double above, double width)
{
    assert(m);
    assert(above >= 0 && width >= 0);
    gt_fast_part part = {.kind = GT_FAST_NONE, .certain = m->settled};
    int before = 0;
    above = fmax(above, m->noise);
    for (int i = 0; i < m->count; i++) {
        if (!counts(m, i) || m->im[i] < 0 || !(gt_mode_reach(m, i) > above))
            continue; /* one of two conjugates */
        gt_cluster c = cluster_of(m, i, width),
                   *last = part.count ? &part.cluster[part.count - 1] : NULL;
        if (last && joins(m, last, before, &c, i)) {
            last->low = fmin(last->low, c.low);
            last->high = fmax(last->high, c.high);
        } else
            part.cluster[part.count++] = c;
        before = i;
        if (part.kind < GT_FAST_REAL) part.kind = GT_FAST_REAL;
        if (!is_pair(&c)) continue;
        bool damped = c.zeta >= GT_LEAST_DAMPING && c.contraction < WEAK;
        part.kind =
            damped && part.kind != GT_FAST_OSCILLATING ? GT_FAST_DAMPED : GT_FAST_OSCILLATING;
    }
    for (int i = 0; i < part.count; i++) {
        part.high = fmax(part.high, part.cluster[i].high);
        part.low = i ? fmin(part.low, part.cluster[i].low) : part.cluster[i].low;
    }
    return part;
}

double gt_fast_part_decay(const gt_fast_part *part)
{
    assert(part);
    double least = INFINITY;
    for (int i = 0; i < part->count; i++)
        least = fmin(least, part->cluster[i].zeta * part->cluster[i].low);
    return least;
}

double gt_fast_part_off(const gt_fast_part *part, double rate)
{
    assert(part);
    double least = -1;
    for (int i = 0; i < part->count; i++) {
        const gt_cluster *c = &part->cluster[i];
        double middle = (c->low + c->high) / 2, off = fabs(rate - middle) / middle;
        if (rate >= c->low && rate <= c->high) return 0;
        if (off < 0.4 && (least < 0 || off < least)) least = off;
    }
    return least;
}

void gt_fast_part_extend(gt_fast_part *part, double rate)
{
    assert(part && part->count > 0);
    assert(rate > 0 && rate < part->low);
    gt_cluster *last = &part->cluster[part->count - 1],
               fresh = {.low = rate, .high = 2 * rate, .zeta = 1};
    part->low = rate;
    if (!is_pair(last) && (!part->certain || fresh.high * TOGETHER > last->low))
        last->low = rate;
    else if (part->count < GT_MODES)
        part->cluster[part->count++] = fresh;
}

static void set_order(int K, int *theta)
{
    int bits = 0, now = 1;
    while (K >> (bits + 1)) bits++;
    theta[0] = 1;
    for (int b = bits - 1; b >= 0; b--) {
        for (int i = now - 1; i >= 0; i--) {
            int first = theta[i];
            theta[2 * i] = first;
            theta[2 * i + 1] = 4 * now - first;
        }
        now *= 2;
        if (K >> b & 1) {
            for (int i = 0; i < now; i++)
                if (theta[i] > now) theta[i] += 2;
            theta[now] = now + 1;
            now++;
        }
    }
}

/* Steps as they are planned: what they have left of each cluster so far. */
typedef struct planned {
    gt_small_steps *d;
    const gt_fast_part *part;
    double left[GT_MODES];
    bool full; /* there are more than fit */
} planned;

/* The largest |1 + tau lambda|, or |1 + tau lambda + (e lambda)^2|, on a cluster. */
static double most(const gt_cluster *c, double tau, double e)
{
    if (!is_pair(c)) {
        double a = 1 - tau * c->low + e * e * c->low * c->low,
               b = 1 - tau * c->high + e * e * c->high * c->high;
        return fmax(fabs(a), fabs(b));
    }
    double size = (c->low + c->high) / 2, spread = (c->high - c->low) / 2,
           swing = sqrt(1 - c->zeta * c->zeta);
    double re = 1 - tau * size * c->zeta + e * e * size * size * (2 * c->zeta * c->zeta - 1),
           im = tau * size * swing - 2 * e * e * size * size * c->zeta * swing;
    return hypot(re, im) + (tau + 2 * e * e * size) * spread;
}

static void reduce(planned *p, int c, double target);

/* A step for cluster c, after those that keep the faster ones from growing beyond what they were.
 */
static void take(planned *p, int c, double tau, double e)
{
    gt_small_steps *d = p->d;
    for (int k = c - 1; k >= 0; k--) reduce(p, k, 1 / most(&p->part->cluster[k], tau, e));
    if (d->count == GT_MOST_SMALL_STEPS) p->full = true;
    if (p->full) return;
    for (int k = 0; k < p->part->count; k++)
        if (k != c) p->left[k] *= most(&p->part->cluster[k], tau, e);
    d->tau[d->count] = tau;
    d->e[d->count++] = e;
    d->calls += e > 0 ? 2 : 1;
    d->total += tau;
}

/* Steps for cluster c until at most `target` is left of it. */
static void reduce(planned *p, int c, double target)
{
    const gt_cluster *cluster = &p->part->cluster[c];
    double need = target / p->left[c];
    if (need >= 1 || p->full) return;
    if (is_pair(cluster)) {
        double e = 2 / (cluster->low + cluster->high);
        for (; p->left[c] > target && !p->full; p->left[c] *= cluster->contraction)
            take(p, c, 2 * cluster->zeta * e, e);
        return;
    }
    double middle = (cluster->high + cluster->low) / 2, half = (cluster->high - cluster->low) / 2,
           rate = acosh(middle / half), steps = acosh(1 / need) / rate;
    if (!(steps <= GT_MOST_SMALL_STEPS)) {
        p->full = true;
        return;
    }
    int K = steps > 1 ? (int)ceil(steps) : 1, theta[GT_MOST_SMALL_STEPS];
    set_order(K, theta);
    for (int i = 0; i < K && !p->full; i++)
        take(p, c, 1 / (middle - half * cos(GT_PI * theta[i] / (2 * K))), 0);
    p->left[c] /= cosh(K * rate);
}

bool gt_small_steps_make(gt_small_steps *d, const gt_fast_part *part, double factor)
{
    enum { PASSES = 3 }; /* steps for one cluster may make another grow that is as fast */
    assert(d && part && part->count);
    assert(d->tau && d->e);
    planned p = {.d = d, .part = part};
    d->count = d->calls = 0;
    d->total = 0;
    for (int c = 0; c < part->count; c++) p.left[c] = 1;
    for (int pass = 0; pass < PASSES; pass++)
        for (int c = part->count - 1; c >= 0; c--) reduce(&p, c, factor / part->cluster[c].high);
    return !p.full;
}

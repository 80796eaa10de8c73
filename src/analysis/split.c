/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two blocks of states by rate. With the modes of each point in order of |lambda|, the gap below
 * the k-th is the mean over the points of log |lambda_k| - log |lambda_(k+1)|; the widest one says
 * how many modes are fast, and as many states are, those that take the largest part in the fast
 * modes.
 */
#include "base/sized.h"
#include "linalg/backend.h"
#include <geartrain/analysis/advise.h>
#include <math.h>
#include <string.h>

static const double LEAST_GAP = 3, LEAST_SEPARATION = 1.5;

static double rate_of(const gt_spectrum *point, size_t k, double floor_rate)
{
    return fmax(hypot(point->values[2 * k], point->values[2 * k + 1]), floor_rate);
}

/* Number of modes above the widest gap; 0 when there is none that is wide enough. */
static size_t fast_modes(const gt_spectrum *points, size_t count, double floor_rate, double *gap)
{
    size_t n = points[0].n, best = 0;
    double widest = 0;
    for (size_t k = 1; k < n; k++) {
        double mean = 0;
        for (size_t p = 0; p < count; p++)
            mean +=
                log(rate_of(&points[p], k - 1, floor_rate) / rate_of(&points[p], k, floor_rate)) /
                (double)count;
        if (mean > widest) widest = mean, best = k;
    }
    *gap = exp(widest);
    return *gap >= LEAST_GAP ? best : 0;
}

static void find_rates(const gt_spectrum *points, size_t count, double floor_rate, size_t modes,
                       gt_state_rate *rates)
{
    size_t n = points[0].n;
    for (size_t i = 0; i < n; i++) {
        double log_rate = 0, share = 0;
        for (size_t p = 0; p < count; p++) {
            double all = 0, fast = 0, weighted = 0;
            for (size_t k = 0; k < n; k++) {
                double part = points[p].participation[k * n + i];
                all += part;
                fast += k < modes ? part : 0;
                weighted += part * rate_of(&points[p], k, floor_rate);
            }
            log_rate += log(all > 0 ? weighted / all : floor_rate) / (double)count;
            share += all > 0 ? fast / all / (double)count : 0;
        }
        rates[points[0].state[i]] = (gt_state_rate){.rate = exp(log_rate), .fast_share = share};
    }
}

static void mark_fast(const gt_spectrum *point, size_t modes, const gt_state_rate *rates,
                      unsigned char *fast)
{
    for (size_t marked = 0; marked < modes; marked++) {
        size_t best = point->state[0];
        double most = -1;
        for (size_t i = 0; i < point->n; i++) {
            size_t state = point->state[i];
            if (!fast[state] && rates[state].fast_share > most)
                most = rates[state].fast_share, best = state;
        }
        fast[best] = 1;
    }
}

/* Forced motion shows in no eigenvalue: states above the widest gap in how fast they move. Gives
 * how many. */
static size_t mark_by_motion(const gt_spectrum *point, const double *motion, double floor_rate,
                             double *gap, unsigned char *fast)
{
    double widest = LEAST_GAP, limit = INFINITY;
    size_t marked = 0;
    for (size_t i = 0; motion && i < point->n; i++) {
        double own = fmax(motion[point->state[i]], floor_rate), next = 0;
        for (size_t j = 0; j < point->n; j++) {
            double other = fmax(motion[point->state[j]], floor_rate);
            if (other < own) next = fmax(next, other);
        }
        if (next > 0 && own / next >= widest) widest = own / next, limit = own;
    }
    for (size_t i = 0; motion && i < point->n; i++)
        if (fmax(motion[point->state[i]], floor_rate) >= limit) fast[point->state[i]] = 1, marked++;
    if (marked) *gap = widest;
    return marked;
}

gt_status gt_split_suggest_sized(const gt_problem *problem, size_t problem_size,
                                 const gt_spectrum *points, size_t count, double span,
                                 const double *motion, gt_split *out, gt_state_rate *rates,
                                 gt_arena *arena, gt_message *message)
{
    GT_WIDEN(message, gt_problem, problem);
    GT_ARMOR(message, problem && points && out && rates && arena);
    *out = (gt_split){.n_fast = 0};
    if (!count || !points[0].complete)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "a split is looked for where all eigenvalues are known");
    out->fast = gt_arena_take(arena, gt_problem_size(problem), 1);
    if (!out->fast) return gt_fail(message, GT_NO_MEMORY, "out of memory");
    size_t modes = fast_modes(points, count, 1 / span, &out->gap);
    find_rates(points, count, 1 / span, modes, rates);
    if (modes)
        mark_fast(&points[0], modes, rates, out->fast);
    else
        modes = mark_by_motion(&points[0], motion, 1 / span, &out->gap, out->fast);
    if (!modes) return GT_OK;
    out->n_fast = modes;
    gt_status status = gt_split_measure(points, count, span, motion, out, message);
    if (!status && out->separation < LEAST_SEPARATION) {
        out->n_fast = 0;
        memset(out->fast, 0, gt_problem_size(problem));
    }
    return status;
}

gt_status gt_split_block(const gt_spectrum *point, const unsigned char *fast, bool of_fast,
                         double *values, size_t *count, gt_message *message)
{
    GT_ARMOR(message, point && fast && values && count);
    size_t n = point->n, m = 0, used = 0;
    for (size_t i = 0; i < n; i++) m += (fast[point->state[i]] != 0) == of_fast;
    gt_arena scratch = gt_arena_growing();
    double *block = gt_arena_doubles(&scratch, m * m + 1);
    if (!block) return gt_fail(message, GT_NO_MEMORY, "out of memory for a block of %zu states", m);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            if ((fast[point->state[i]] != 0) == of_fast && (fast[point->state[j]] != 0) == of_fast)
                block[used++] = point->A[j * n + i];
    *count = m;
    gt_status status = gt_eigen(m, block, values, NULL, NULL);
    gt_arena_free(&scratch);
    return status ? gt_eigen_failed(message, status, m) : GT_OK;
}

typedef struct norms {
    double ss, sf, fs, ff;
} norms;

static norms block_norms(const gt_spectrum *point, const unsigned char *fast)
{
    norms sum = {0};
    for (size_t j = 0; j < point->n; j++)
        for (size_t i = 0; i < point->n; i++) {
            double square = point->A[j * point->n + i] * point->A[j * point->n + i];
            bool row = fast[point->state[i]], column = fast[point->state[j]];
            double *of_fast = column ? &sum.ff : &sum.fs, *of_slow = column ? &sum.sf : &sum.ss;
            *(row ? of_fast : of_slow) += square;
        }
    return (norms){sqrt(sum.ss), sqrt(sum.sf), sqrt(sum.fs), sqrt(sum.ff)};
}

gt_status gt_split_measure(const gt_spectrum *points, size_t count, double span,
                           const double *motion, gt_split *split, gt_message *message)
{
    GT_ARMOR(message, points && split);
    gt_arena scratch = gt_arena_growing();
    double *values = gt_arena_doubles(&scratch, 2 * points[0].n), floor_rate = 1 / span;
    double log_fast = 0, log_slow = 0, log_sf = 0, log_fs = 0, weight = 1 / (double)count;
    gt_status status = values ? GT_OK : gt_fail(message, GT_NO_MEMORY, "out of memory");
    for (size_t p = 0; p < count && !status; p++) {
        size_t m = 0;
        double slowest = INFINITY, fastest = floor_rate;
        status = gt_split_block(&points[p], split->fast, true, values, &m, message);
        for (size_t k = 0; k < m && !status; k++)
            slowest = fmin(slowest, hypot(values[2 * k], values[2 * k + 1]));
        if (!status) status = gt_split_block(&points[p], split->fast, false, values, &m, message);
        for (size_t k = 0; k < m && !status; k++)
            fastest = fmax(fastest, hypot(values[2 * k], values[2 * k + 1]));
        if (status) break;
        norms of = block_norms(&points[p], split->fast);
        log_fast += weight * log(fmax(slowest, floor_rate));
        log_slow += weight * log(fastest);
        log_sf += weight * log(fmax(of.sf, 1e-300) / fmax(of.ss, floor_rate));
        log_fs += weight * log(fmax(of.fs, 1e-300) / fmax(of.ff, floor_rate));
    }
    gt_arena_free(&scratch);
    double slowest = INFINITY, fastest = 0;
    for (size_t i = 0; motion && i < points[0].n; i++) {
        size_t state = points[0].state[i];
        if (split->fast[state])
            slowest = fmin(slowest, motion[state]);
        else
            fastest = fmax(fastest, motion[state]);
    }
    split->fast_rate = fmax(exp(log_fast), isfinite(slowest) ? slowest : 0);
    split->slow_rate = fmax(exp(log_slow), fastest);
    split->separation = split->fast_rate / split->slow_rate;
    split->coupling_sf = exp(log_sf);
    split->coupling_fs = exp(log_fs);
    return status;
}

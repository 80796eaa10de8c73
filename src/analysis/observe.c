/* SPDX-License-Identifier: BSD-3-Clause */
/* A run that is looked at, and what its points tell. */
#include "analysis/advice.h"
#include <assert.h>
#include <geartrain/author/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct point {
    double t, h;
    double *x;
} point;

/* Every stride-th step; when there is no more room every second one is dropped and the stride
 * doubled. */
typedef struct watcher {
    gt_sink sink;
    size_t n, room, stride, seen;
    point *steps, *times;
    size_t n_steps, n_times;
    bool followed;
    double order_sum, *bound;
    double *before, *low, *high,
        *way; /* of each state: last value, extremes, how far it has moved in all */
} watcher;

static void keep(point *at, const gt_sample *sample)
{
    at->t = sample->t;
    at->h = sample->h;
    memcpy(at->x, sample->x, sample->n * sizeof *at->x);
}

static void thin_out(watcher *w)
{
    for (size_t k = 0; 2 * k < w->n_steps; k++) {
        point swap = w->steps[k];
        w->steps[k] = w->steps[2 * k];
        w->steps[2 * k] = swap; /* the memory of x stays in use */
    }
    w->n_steps = (w->n_steps + 1) / 2;
    w->stride *= 2;
}

static void follow(watcher *w, const double *x)
{
    for (size_t i = 0; i < w->n; i++) {
        w->bound[i] = fmax(w->bound[i], fabs(x[i]));
        if (w->followed) w->way[i] += fabs(x[i] - w->before[i]);
        w->low[i] = w->followed ? fmin(w->low[i], x[i]) : x[i];
        w->high[i] = w->followed ? fmax(w->high[i], x[i]) : x[i];
        w->before[i] = x[i];
    }
    w->followed = true;
}

/* pi way / (range span): the frequency of a sine, and pi / span for what goes one way only. */
static void find_motion(const watcher *w, gt_advice *out)
{
    for (size_t i = 0; i < w->n; i++) {
        double range = w->high[i] - w->low[i], least = 1e-9 * w->bound[i];
        out->motion[i] = range > least ? GT_PI * w->way[i] / (range * out->span) : 0;
    }
}

static gt_status watch(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    watcher *w = self->ctx;
    (void)message;
    if ((sample->why & (GT_AT_OUTPUT | GT_AT_START | GT_AT_END)) && w->n_times < w->room + 2)
        keep(&w->times[w->n_times++], sample);
    follow(w, sample->x);
    if (!(sample->why & GT_AT_STEP)) return GT_OK;
    w->order_sum += sample->order;
    if (w->seen++ % w->stride) return GT_OK;
    if (w->n_steps == w->room) thin_out(w);
    if ((w->seen - 1) % w->stride == 0) keep(&w->steps[w->n_steps++], sample);
    return GT_OK;
}

static bool make_watcher(watcher *w, size_t n, size_t room, gt_arena *arena)
{
    *w = (watcher){.n = n, .room = room, .stride = 1};
    w->sink = (gt_sink){
        .wants = GT_AT_START | GT_AT_STEP | GT_AT_OUTPUT | GT_AT_END, .write = watch, .ctx = w};
    w->steps = gt_arena_take(arena, room, sizeof *w->steps);
    w->times = gt_arena_take(arena, room + 2, sizeof *w->times);
    double **vectors[] = {&w->bound, &w->before, &w->low, &w->high, &w->way};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = gt_arena_doubles(arena, n);
    for (size_t k = 0; !arena->failed && k < room; k++) w->steps[k].x = gt_arena_doubles(arena, n);
    for (size_t k = 0; !arena->failed && k < room + 2; k++)
        w->times[k].x = gt_arena_doubles(arena, n);
    return !arena->failed;
}

static int by_time(const void *a, const void *b)
{
    const point *l = a, *r = b;
    return l->t < r->t ? -1 : l->t > r->t;
}

static int ascending(const void *a, const void *b)
{
    double l = *(const double *)a, r = *(const double *)b;
    return l < r ? -1 : l > r;
}

/* The step in the middle of the time over the one below which a fiftieth of the time is spent. */
static double unevenness(const watcher *w, gt_arena *arena)
{
    double *h = gt_arena_doubles(arena, w->n_steps + 1), total = 0, sum = 0, low = 0;
    if (!h || !w->n_steps) return 1;
    for (size_t k = 0; k < w->n_steps; k++) total += h[k] = w->steps[k].h;
    qsort(h, w->n_steps, sizeof *h, ascending);
    size_t k = 0;
    for (; k < w->n_steps && sum < 0.5 * total; k++) {
        sum += h[k];
        if (low == 0 && sum >= 0.02 * total) low = h[k];
    }
    return low > 0 && k ? h[k - 1] / low : 1;
}

/* Both kinds of points in one list, without those that are next to one another. */
static gt_status merge(watcher *w, gt_advice *out, gt_arena *arena)
{
    size_t all = w->n_steps + w->n_times;
    point *list = gt_arena_take(arena, all + 1, sizeof *list);
    out->points = gt_arena_take(arena, all + 1, sizeof *out->points);
    if (arena->failed) return GT_NO_MEMORY;
    memcpy(list, w->steps, w->n_steps * sizeof *list);
    memcpy(list + w->n_steps, w->times, w->n_times * sizeof *list);
    qsort(list, all, sizeof *list, by_time);
    out->n_points = 0;
    for (size_t k = 0; k < all; k++) {
        if (out->n_points && list[k].t - out->points[out->n_points - 1].t <= 1e-12 * out->span)
            continue;
        out->points[out->n_points++] =
            (gt_spectrum){.t = list[k].t, .h = list[k].h, .x = list[k].x};
    }
    return GT_OK;
}

/* The span in radii of convergence, from the steps of the run and the law by which their size was
 * chosen. */
static void count_radii(gt_advice *a, double mean_order)
{
    const gt_method *dopri5 = gt_method_for(GT_ROLE_NONSTIFF);
    gt_values v = gt_params_default(a->method->options);
    gt_facts facts = gt_method_facts(a->method, v.v), facts5 = gt_method_facts(dopri5, NULL);
    gt_error_law law = gt_error_law_of(a->method, &facts, NULL, (int)lround(mean_order));
    gt_error_law law5 = gt_error_law_of(dopri5, &facts5, NULL, facts5.order);
    a->radii = (double)a->run.stats.steps / gt_steps_per_radius(law, a->rtol);
    a->steps_accuracy = a->radii * gt_steps_per_radius(law5, a->rtol);
}

gt_status gt_advice_run(const gt_problem *problem, const gt_method *method, const gt_plan *plan,
                        size_t wanted, gt_advice *out, gt_arena *arena, gt_message *message)
{
    assert(problem && method && out && arena);
    assert(wanted >= 1);
    watcher w;
    size_t room = wanted < 4 ? 2 : wanted / 2;
    double *times = gt_arena_doubles(arena, room), length = problem->t1 - problem->t0;
    out->motion = gt_arena_doubles(arena, gt_problem_size(problem));
    if (!make_watcher(&w, gt_problem_size(problem), room, arena))
        return gt_fail(message, GT_NO_MEMORY, "out of memory for %zu points of the solution",
                       wanted);
    for (size_t k = 0; k < room; k++)
        times[k] = problem->t0 + length * (double)(k + 1) / (double)(room + 1);
    gt_sink *sinks[] = {&w.sink};
    gt_plan own = {
        .rtol = out->rtol, .sinks = sinks, .n_sinks = 1, .times = times, .n_times = room};
    if (plan) {
        own.atol = plan->atol;
        own.atol_vector = plan->atol_vector;
        own.max_steps = plan->max_steps;
        own.interrupted = plan->interrupted;
        own.progress = plan->progress;
        own.progress_ctx = plan->progress_ctx;
    }
    out->method = method;
    gt_status status = gt_solve(problem, method, &own, &out->run);
    if (status == GT_NO_MEMORY || status == GT_INTERRUPTED || !w.n_steps) {
        if (!status) status = GT_BAD_ARGUMENT;
        return gt_fail(message, status, "%s",
                       *out->run.message.text ? out->run.message.text : "the run is empty");
    }
    out->span = out->run.t - problem->t0;
    out->bound = w.bound;
    out->uneven = unevenness(&w, arena);
    count_radii(out, fmax(1, w.order_sum / (double)w.seen));
    find_motion(&w, out);
    return merge(&w, out, arena) ? gt_fail(message, GT_NO_MEMORY, "out of memory") : GT_OK;
}

/* A run may show fast modes that are there but rest: dopri5 must follow them all the same. */
static gt_status steps_of_dopri5(const gt_advice *a, double *steps)
{
    const gt_method *dopri5 = gt_method_for(GT_ROLE_NONSTIFF);
    double sum = 0, before = 0, h;
    for (size_t k = 0; k < a->n_points; k++) {
        if (gt_stable_limit(dopri5, NULL, a->points[k].values, a->points[k].count, &h))
            return GT_NO_MEMORY;
        double density = h > 0 ? 1 / h : 0;
        if (k) sum += 0.5 * (density + before) * (a->points[k].t - a->points[k - 1].t);
        before = density;
    }
    *steps = sum;
    return GT_OK;
}

static void look_at(gt_advice *a, const gt_spectrum *s)
{
    double fastest = 0, slowest = INFINITY, radius = 0;
    for (size_t k = 0; k < s->count; k++) {
        double re = s->values[2 * k], im = fabs(s->values[2 * k + 1]), size = hypot(re, im);
        radius = fmax(radius, size);
        if (re < -1e-12 * radius) fastest = fmax(fastest, -re), slowest = fmin(slowest, -re);
        if (re > a->growth && re > 1e-10 * radius) a->growth = re;
        if (im > a->frequency) a->frequency = im, a->damping = -re / size + 0.0; /* no -0 */
        if (im > 0 && -re < 0.5 * size && im * a->span > 2 * GT_PI) a->oscillates = true;
    }
    a->radius = fmax(a->radius, radius);
    if (fastest > 0) a->stiffness_ratio = fmax(a->stiffness_ratio, fastest / slowest);
}

gt_status gt_advice_judge(gt_advice *a)
{
    assert(a);
    for (size_t k = 0; k < a->n_points; k++) look_at(a, &a->points[k]);
    if (steps_of_dopri5(a, &a->steps_stability)) return GT_NO_MEMORY;
    a->stiff = a->steps_stability > 2 * a->steps_accuracy;
    a->rings = a->oscillates && a->frequency > 0.5 * a->radius && fabs(a->damping) < 0.1;
    return GT_OK;
}

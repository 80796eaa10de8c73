/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What `smes` decides: kind, order and size of steps, whether they are good enough, and what
 * rejected ones say of the fast modes. The top comment of smes.c tells all.
 */
#include "base/elementary.h"
#include "kit/chebyshev_rk.h"
#include "kit/smes.h"
#include "problem/norm.h"
#include <assert.h>
#include <math.h>

/* Modes with h |lambda| > SLOW are fast for a step of size h. Of a fast mode ENTERS / (h |lambda|)
 * may be left when a stage is made; small steps may take ROOM of the time to the first stage. More
 * than MANY steps of one size add up their errors. Steps are held by modes with h |lambda| > HELD.
 */
static const double SLOW = 2.5, ENTERS = 0.05, ROOM = 0.7, MANY = 8, HELD = 0.25, FADES = 0.7;
enum { TRY_LEAP_EVERY = 10, MOST_PATIENCE = 4, SETTLE = 30 };

static gt_fast_part fast_part(const gt_stepper *s, double h)
{
    const smes_state *w = s->state;
    gt_fast_part part =
        gt_fast_part_of(&w->modes, SLOW / h, fmin(0.3, fmax(2 * h * w->drift, w->width)));
    if (part.count && w->floor * h > SLOW && w->floor < part.low)
        gt_fast_part_extend(&part, w->floor);
    return part;
}

/* The kind of a step of size h; sets the small steps. */
smes_kind gt_smes_choose(gt_stepper *s, double h)
{
    smes_state *w = s->state;
    gt_fast_part part = fast_part(s, h);
    if (part.kind == GT_FAST_NONE || part.kind == GT_FAST_OSCILLATING) return PLAIN;
    double first = w->order == 3 ? 0.5 : 0.2, /* c of the second stage */
        stages = gt_chebyshev_stages(h, part.high);
    w->part = part;
    bool gap =
        gt_small_steps_make(&w->small, &part, ENTERS / h) && w->small.total < ROOM * first * h;
    if (gap && w->small.calls < 2 * stages) return PROJECTIVE;
    return part.kind == GT_FAST_REAL && stages <= GT_MOST_CHEBYSHEV ? CHEBYSHEV : TOO_LARGE;
}

/* The error of the trapezoidal rule on the step, in units of the tolerance: 4 times that of the
 * pair 3(2) and 5/4 times that of the Chebyshev method, so that a step of order 5 tells what the
 * others would do. */
typedef struct whole_step {
    const gt_stepper *s;
    double H;
} whole_step;

static gt_sums trapezoidal_range(size_t from, size_t to, const void *work)
{
    const whole_step *of = work;
    const gt_stepper *s = of->s;
    const smes_state *w = s->state;
    double sum = 0, H = of->H;
    for (size_t i = from; i < to; i++) {
        double e = H / 2 * (w->k[0][i] + s->f_new[i]) - (s->x_new[i] - w->x_base[i]);
        double scaled = e / gt_weight(s, i, fmax(fabs(s->x_new[i]), fabs(s->x[i])));
        sum += scaled * scaled;
    }
    return (gt_sums){.sum = sum};
}

static double trapezoidal_error(const gt_stepper *s, double H)
{
    gt_sums all = gt_sum_chunks(s->problem, s->n, trapezoidal_range, &(whole_step){s, H});
    return sqrt(gt_mean(s->problem, all.sum, s->n));
}

/* Factor by which the step may grow when its error is `error` and that grows like h^q. */
static double growth(double error, int q) { return 0.9 * gt_power(fmax(error, 1e-10), -1.0 / q); }

/* Calls of f for a plain or projective step. */
static double cost(const smes_state *w, smes_kind kind, int order)
{
    int small = kind == PLAIN ? 0 : w->small.calls, slopes = order == 3 ? 3 : 6;
    return slopes * (1 + small) + 2 * small;
}

static void choose_order(gt_stepper *s, double error, double rule)
{
    smes_state *w = s->state;
    if (w->options.order != SMES_ORDER_AUTO || --w->wait > 0) return;
    if (w->order == 3) { /* to see what order 5 does */
        w->order = 5;
        w->wait = 1;
        w->error_last = 0;
        return;
    }
    double lower = growth(rule / 4, 3) / cost(w, w->kind, 3),
           present = growth(error, 5) / cost(w, w->kind, 5);
    w->order = 0.8 * lower > present ? 3 : 5;
    if (w->order == 3) w->error_last = 0;
    w->wait = w->order == 3 ? SMES_TRY_ORDER_EVERY : 1;
}

/* After plain steps a trial may have been a bad idea, so that the step before is the one to go by.
 * Order 3 is chosen by the error of one step, which may pass through zero as a mode rings: where
 * its first trial fails, the choice was wrong. And a projective step that fails because of the
 * layer that it would skip fails the more the shorter it is. */
static bool regret(smes_state *w, double h)
{
    if (w->kind_last != PLAIN || !(w->h_last > 0 && w->h_last < h)) return false;
    if (w->kind == PROJECTIVE) return w->lead > 0;
    if (w->kind != PLAIN || w->made != 3 || w->order != 3 || w->wait != SMES_TRY_ORDER_EVERY ||
        w->options.order != SMES_ORDER_AUTO)
        return false;
    w->order = 5;
    return true;
}

/*
 * The size of the next step, about h. A step that makes slow modes fast ones may have to be of
 * Chebyshev's kind, of which the error allows `most`; or it is made so small that they stay slow;
 * or, where the error allows a step up to `able`, so large that small steps fit into it: whatever
 * covers most time for a call of f.
 */
static double size_next(gt_stepper *s, double h, double most, double able)
{
    smes_state *w = s->state;
    smes_kind kind = gt_smes_choose(s, h);
    if (kind < CHEBYSHEV) return h;
    double radius = gt_mode_size(&w->modes, 0),
           limit = 0.6 * GT_MOST_CHEBYSHEV * GT_MOST_CHEBYSHEV / radius;
    double best = kind == CHEBYSHEV ? fmin(h, most) : fmin(fmin(h, most), limit), covered = 0;
    if (gt_smes_choose(s, best) == CHEBYSHEV) covered = best / gt_chebyshev_stages(best, radius);
    for (int i = 0; i < w->modes.count; i++) {
        double smaller = 0.98 * SLOW / gt_mode_reach(&w->modes, i);
        kind = gt_smes_choose(s, smaller);
        if (smaller >= h || kind >= CHEBYSHEV || smaller / cost(w, kind, w->order) <= covered)
            continue;
        best = smaller;
        covered = smaller / cost(w, kind, w->order);
    }
    for (double larger = 2 * h; larger < able; larger *= 2) {
        kind = gt_smes_choose(s, larger);
        if (kind != PROJECTIVE || larger / cost(w, kind, w->order) <= covered) continue;
        return larger;
    }
    return best;
}

/* From a rejected projective trial: fast modes that its small steps were not for, because they have
 * moved or were not seen. */
static void learn(gt_stepper *s, double error, double h)
{
    smes_state *w = s->state;
    double impure = 0, rate = -gt_smes_rate_left(s, error, &impure);
    if (!(rate * h > SLOW)) return; /* the slow part was the reason */
    double off = gt_fast_part_off(&w->part, rate);
    if (off > 0 && impure < 0.5 * off * rate)
        w->width = fmin(0.3, fmax(w->width, 1.2 * off));
    else if (off < 0 && impure < 0.5 * rate && rate < 0.9 * w->part.low)
        w->floor = 0.7 * rate;
}

/* The fastest of the modes that are not fast for a step of size h, if it is near to that; -1: there
 * is none. */
static int next_mode(const gt_fast_modes *m, double h)
{
    int found = -1;
    for (int i = 0; i < m->count; i++) {
        double reach = gt_mode_reach(m, i) * h;
        if (reach > HELD && reach <= SLOW && (found < 0 || reach > gt_mode_reach(m, found) * h))
            found = i;
    }
    return found;
}

/* Does a mode swing that steps of size h follow? */
static bool rings(const gt_fast_modes *m, double h)
{
    for (int i = 0; i < m->count; i++)
        if (m->im[i] != 0 && gt_mode_size(m, i) * h > HELD / 2) return true;
    return false;
}

/* Is the end of a step of size h off the manifold of a mode of this size, by more than may be
 * skipped? What is left of it has changed the slope by |lambda| (1 - exp(-h |lambda|)) times that.
 * Round-off may look like it: it does not last. */
static bool is_off(gt_stepper *s, double h, double size)
{
    smes_state *w = s->state;
    double *change = w->between_slope;
    gt_moved(s->problem, s->n, s->f_new, -1, w->k[0], change);
    double distance = gt_weighted_norm(s, change, s->x_new, s->n) / (size * -expm1(-h * size));
    w->settling = distance * SMES_LAYER > 1 ? w->settling + 1 : 0;
    if (w->settling > SETTLE) w->settling = 0;
    return w->settling > 0;
}

/* Steps that are held down by a mode near the end of stability may go on like that for long: their
 * error is made of what is left of this mode. Now and then a step that leaps over it is tried, in
 * which small steps damp it too. 0: not now. */
static double leap(gt_stepper *s, double h, double size)
{
    smes_state *w = s->state;
    bool long_held = w->kind != CHEBYSHEV || w->alike > 10 * MANY;
    if (!long_held || --w->leap > 0) return 0;
    smes_kind kind = gt_smes_choose(s, h);
    double covered = kind < CHEBYSHEV ? h / cost(w, kind, w->order) : 0;
    double end = fmin(1000 * h, s->problem->t1 - s->t - h);
    for (double larger = fmax(2 * h, 1.01 * SLOW / size); larger < end; larger *= 2)
        if (gt_smes_choose(s, larger) == PROJECTIVE &&
            larger / cost(w, PROJECTIVE, w->order) > covered)
            return larger;
    return 0;
}

/* A projective step from a point off the manifold skips a layer, of which less counts as error the
 * more of it would have decayed in the step: a mode that swings takes long for that. */
static double beyond_layer(gt_stepper *s, double h)
{
    smes_state *w = s->state;
    if (gt_smes_choose(s, h) != PROJECTIVE) return h;
    double longer = -log(SMES_LAYER) / gt_fast_part_decay(&w->part);
    bool fits = longer > h && longer < s->problem->t1 - s->t - h;
    return fits && gt_smes_choose(s, longer) == PROJECTIVE ? longer : h;
}

/* The size of the step after a good one, which may grow by the factor `able`. */
static double size_after(gt_stepper *s, double h, double most, double able)
{
    smes_state *w = s->state;
    int mode = next_mode(&w->modes, h);
    double size = mode < 0 ? 0 : gt_mode_size(&w->modes, mode),
           wanted = h * fmax(fmin(able, 10), 0.2);
    bool off = mode >= 0 && w->kind != CHEBYSHEV && is_off(s, h, size);
    double next = mode < 0 || off ? 0 : leap(s, h, size);
    w->leapt = next > 0;
    if (next == 0) next = size_next(s, wanted, most, off ? 0 : h * able);
    if (!off && w->kind == PLAIN) next = beyond_layer(s, next);
    if (off && gt_smes_choose(s, next) == PROJECTIVE)
        next = fmin(next, 0.98 * SLOW / gt_mode_reach(&w->modes, mode));
    return next;
}

/* The error in one component, where there are many, counts at least a third of what it would alone.
 */
static gt_sums worst_range(size_t from, size_t to, const void *work)
{
    const gt_stepper *s = work;
    double worst = 0;
    for (size_t i = from; i < to; i++) {
        double weight = gt_weight(s, i, fmax(fabs(s->x_new[i]), fabs(s->x[i])));
        worst = fmax(worst, fabs(s->err[i]) / weight);
    }
    return (gt_sums){.most = worst};
}

static double at_least_a_third(const gt_stepper *s, double error)
{
    double worst = gt_sum_chunks(s->problem, s->n, worst_range, s).most;
    return fmax(error, gt_most_over_ranks(s->problem, worst) / 3);
}

/* The error of a plain step that follows a mode as it rings rises and falls with the phase: one
 * that dips does not foretell the next. So the larger ones before count, less with each step. */
static double felt(smes_state *w, double error, double h, int q)
{
    bool follows = w->kind == PLAIN && rings(&w->modes, h);
    double before =
        w->kind_last == PLAIN && w->h_last > 0 ? w->felt * gt_power(h / w->h_last, q) : 0;
    return w->felt = follows ? fmax(error, FADES * before) : error;
}

gt_verdict gt_smes_judge(gt_stepper *s, double error, double h, int rejections)
{
    smes_state *w = s->state;
    bool chebyshev = w->kind == CHEBYSHEV;
    double steps = 1 + w->alike * fmin(1, w->h_last / h), many = fmax(1, steps / MANY);
    int q = (chebyshev ? 3 : w->made) - (many > 1); /* steps become fewer as h grows */
    error = many * at_least_a_third(s, error);
    double factor = growth(error, q), most = INFINITY;
    if (error > 1) {
        if (w->kind == PROJECTIVE) learn(s, error, h);
        if (w->leapt)
            w->leap = TRY_LEAP_EVERY << (w->leaps < MOST_PATIENCE ? w->leaps++ : MOST_PATIENCE);
        w->leapt = false;
        if (regret(w, h)) return (gt_verdict){.accept = false, .h_next = w->h_last};
        h *= fmin(fmax(factor, 0.1), rejections ? 0.5 : 0.9);
        return (gt_verdict){.accept = false, .h_next = size_next(s, h, h, 0)};
    }
    /* Errors that rise from step to step will go on rising (Gustafsson). Those of next to nothing,
     * as on the tail of a pulse, say nothing. */
    if (w->error_last > 0 && error > 1e-10 && w->kind == w->kind_last)
        factor *= gt_power(fmin(1, w->error_last / error), 0.4 / q);
    factor = fmin(factor, growth(felt(w, error, h, q), q));
    if (w->leapt) w->leaps = 0;
    w->alike = steps;
    w->h_last = h;
    w->error_last = error;
    w->kind_last = w->kind;
    if (!chebyshev) {
        double rule = many * trapezoidal_error(s, h - w->lead);
        most = h * growth(0.8 * rule, 3);
        choose_order(s, error, rule);
    }
    double next = size_after(s, h, most, rejections ? 1 : fmin(factor, 1000));
    return (gt_verdict){.accept = true, .h_next = next};
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `smes`: the stabilized multirate explicit scheme of Shi and Rojas made automatic. Step, small
 * steps, their number, their spacing and the order of the large step are chosen from the spectrum
 * and the error as the run goes on; nothing need be known of a split into slow and fast.
 *
 * 1. The fast end of the spectrum is looked at (fast_modes.h) at the start, every 20 steps, and
 * where a trial was rejected. Modes with h |lambda| > 2.5 are fast for a trial of size h, the
 * others are the business of the method.
 * 2. No fast modes: a plain step of Dormand and Prince's pair 5(4), or of Bogacki and Shampine's
 * 3(2).
 * 3. Fast modes beyond a gap: a projective step with the same pairs. Each stage begins K small
 * steps, tau in all, before its time, and these bring it there (small_steps.h), X_i = x + h sum_j
 * a_ij k_j - tau s_i, then K steps, then k_i = f(t + c_i h, X_i) where s_i is the slope foreseen
 * there, straight from the two stages before (and the small steps' own lag behind a slope that
 * changes is allowed for): the slow part then ends where the Runge-Kutta method puts it but for tau
 * times what s_i is wrong by, which counts as error. So accepted points lie on the slow manifold,
 * with slopes that can be trusted: the last slope is the first of the next step and serves dense
 * output. K comes from condition (14): a fast mode with factor P in the small steps enters the next
 * stage with about h |lambda| P, and that is to be below 0.02. The first such step after one of
 * another kind begins with K small steps of its own. tau must be below 0.7 of the first c_i h: this
 * is what a gap means.
 * 4. Fast modes without a gap: a step of the Runge-Kutta-Chebyshev method of order 2
 * (chebyshev_rk.h), whose cost grows like the square root of h |lambda|: inside a boundary layer of
 * many rates, or for diffusion.
 * 5. Fast modes that swing more than they decay cannot be damped by small steps of any number: when
 * more than a thousand swings lie ahead, at the start or for long on the way, the run is refused
 * with a reason; else plain steps follow them.
 *
 * Local error: the difference of the pair, where in 3 both results get their K small steps; without
 * that the estimate would be that of fast parts which the small steps take away. The order, 3 or 5,
 * is the one with the least work for a unit of time; what order 3 would need is seen from the
 * trapezoidal rule on a step of order 5, and order 5 is tried now and then. evaluate=fast lets
 * small steps evaluate the fast block only, the slow one moving straight on: fewer evaluations
 * where the fast block is cheap, with an error of the size of the small steps.
 *
 * The paper has none of this: it fixes Delta, N and the small step Delta eps, and asks for eps.
 */
#include "kit/smes.h"
#include "base/elementary.h"
#include "kit/chebyshev_rk.h"
#include <geartrain/author/number.h>
#include <geartrain/methods.h>
#include <math.h>

static const char *const order_choices[] = {
    [SMES_ORDER_AUTO] = "auto", [SMES_ORDER_3] = "3", [SMES_ORDER_5] = "5", NULL};
static const char *const evaluate_choices[] = {
    [SMES_EVALUATE_ALL] = "all", [SMES_EVALUATE_FAST] = "fast", NULL};
static const gt_param options[] = {
    {.name = "order",
     .help = "order of the large steps",
     .type = GT_CHOICE,
     .choices = order_choices,
     .field = GT_OPTION_FIELD(smes_options, order)},
    {.name = "evaluate",
     .help = "what small steps evaluate: all, or the fast block only where the problem has one",
     .type = GT_CHOICE,
     .choices = evaluate_choices,
     .field = GT_OPTION_FIELD(smes_options, evaluate)},
    {0},
};

enum { LOOK_EVERY = 20, SWING_LOOKS = 10, TRY_ORDER_EVERY = 10 };
static const double SLOW = 2.5, ENTERS = 0.02, ROOM = 0.7, SWINGS = 1000, NOISE = 1e-5;

/* 0: the step control chooses. */
static int fixed_order(const smes_options *o)
{
    static const int orders[] = {[SMES_ORDER_AUTO] = 0, [SMES_ORDER_3] = 3, [SMES_ORDER_5] = 5};
    return orders[o->order];
}

static gt_facts facts(const gt_method *self, const double *v)
{
    smes_options o = {0};
    gt_params_fill(self->options, v, &o);
    int order = fixed_order(&o) ? fixed_order(&o) : 5;
    return (gt_facts){.kind = GT_KIND_STABILIZED,
                      .order = order,
                      .error_order = order - 1,
                      .call_operations = 300, /* small steps are chosen and checked */
                      .flags = GT_VARIABLE_FORMULA};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    smes_state *w = s->state;
    gt_params_fill(s->method->options, s->options.v, &w->options);
    w->pair5 = gt_method_dopri5.tableau;
    w->dense5 = gt_method_dopri5.data;
    gt_fast_modes_layout(&w->modes, s->n, arena);
    w->small.tau = gt_arena_doubles(arena, GT_MOST_SMALL_STEPS);
    for (int i = 0; i < SMES_MOST_STAGES - 2; i++) w->inner[i] = gt_arena_doubles(arena, s->n);
    w->base = gt_arena_doubles(arena, s->n);
    w->slope = gt_arena_doubles(arena, s->n);
    w->hat = gt_arena_doubles(arena, s->n);
    w->expected = gt_arena_doubles(arena, s->n);
    w->change = gt_arena_doubles(arena, s->n);
    for (int i = 0; i < 2; i++) w->trail[i] = gt_arena_doubles(arena, s->n);
    w->x_base = s->x;
    for (int i = 0; i < SMES_MOST_STAGES; i++)
        w->k[i] = i == 0 ? s->f : i == SMES_MOST_STAGES - 1 ? s->f_new : w->inner[i - 1];
    return GT_OK;
}

static void restart(gt_stepper *s)
{
    smes_state *w = s->state;
    int order = fixed_order(&w->options);
    w->age = -1;
    w->period = 1;
    w->floor = w->drift = w->width = w->error_last = 0;
    w->fresh = w->clean = false;
    w->rejected = s->stats.rejected;
    w->order = s->order = order ? order : 5;
    w->wait = TRY_ORDER_EVERY;
    w->small.count = w->swung = 0;
}

/* Exponentials follow an oscillation at any step while their matrices are small; large ones the
 * trapezoidal rule keeps at least in size. */
static gt_status refuse(gt_stepper *s, int i)
{
    enum { SMALL = 100 };
    const char *instead = s->n <= SMALL ? "exprb32, which follows them by exponentials"
                                        : "trapezoidal, which keeps them";
    const gt_fast_modes *m = &((smes_state *)s->state)->modes;
    double size = gt_mode_size(m, i);
    return gt_fail(
        &s->message, GT_UNSUPPORTED,
        "the fast part oscillates at t = %.6g: lambda = %.4g +- %.4gi has damping ratio %.2g, so "
        "that small "
        "steps do not damp it, and %.2g swings lie ahead; take %s, or gear, which damps them",
        s->t, m->re[i], fabs(m->im[i]), -m->re[i] / size,
        fabs(m->im[i]) * (s->problem->t1 - s->t) / (2 * GT_PI), instead);
}

/* A mode that swings more than it decays, a thousand times and more before the end; -1: there is
 * none. */
static int swinging(const gt_stepper *s)
{
    const gt_fast_modes *m = &((const smes_state *)s->state)->modes;
    double many = 2 * GT_PI * SWINGS / (s->problem->t1 - s->t);
    for (int i = 0; i < m->count; i++)
        if (fabs(m->im[i]) > many && fabs(m->re[i]) < 0.5 * gt_mode_size(m, i)) return i;
    return -1;
}

/* Makes the fast modes at the accepted point known. A look depends on the point alone, so a trial
 * may cause it. */
static gt_status look(gt_stepper *s)
{
    smes_state *w = s->state;
    bool stumbled = s->stats.rejected != w->rejected && !w->fresh;
    if (w->age >= 0 && w->age < w->period && !stumbled) return GT_OK;
    double before = w->age < 0 ? 0 : gt_mode_size(&w->modes, 0), since = s->t - w->t_look;
    gt_status status = gt_fast_modes_find(&w->modes, s, s->t, s->x, s->f);
    if (status < 0) return status;
    if (status) w->modes.count = 0; /* f cannot be evaluated beside x: plain steps have to do */
    w->period = stumbled                     ? (w->period + 1) / 2
                : 2 * w->period < LOOK_EVERY ? 2 * w->period
                                             : LOOK_EVERY;
    w->floor *= 1.2; /* it may have gone */
    w->age = 0;
    w->fresh = true;
    double change =
        before > 0 && w->modes.count ? fabs(1 - before / gt_mode_size(&w->modes, 0)) : 0;
    w->drift = since > 0 ? fmax(0, change - NOISE) / since : 0;
    w->t_look = s->t;
    w->rejected = s->stats.rejected;
    int i = swinging(s);
    w->swung = i < 0 ? 0 : w->swung + 1;
    return i >= 0 && (s->stats.steps == 0 || w->swung > SWING_LOOKS) ? refuse(s, i) : GT_OK;
}

static gt_fast_part fast_part(const gt_stepper *s, double h)
{
    const smes_state *w = s->state;
    gt_fast_part part =
        gt_fast_part_of(&w->modes, SLOW / h, fmin(0.3, fmax(2 * h * w->drift, w->width)));
    if (part.kind == GT_FAST_REAL && w->floor * h > SLOW) part.low = fmin(part.low, w->floor);
    return part;
}

/* The kind of a step of size h; sets the small steps. */
static smes_kind choose(gt_stepper *s, double h)
{
    smes_state *w = s->state;
    gt_fast_part part = fast_part(s, h);
    if (part.kind == GT_FAST_NONE || part.kind == GT_FAST_OSCILLATING) return PLAIN;
    double first = gt_ratio_value(gt_smes_tableau(w)->c[1]),
           stages = gt_chebyshev_stages(h, part.high);
    bool gap = gt_small_steps_make(&w->small, &part, ENTERS / (h * part.high)) &&
               w->small.total < ROOM * first * h;
    if (gap && w->small.count < 2 * stages) return PROJECTIVE;
    return part.kind == GT_FAST_REAL && stages <= GT_MOST_CHEBYSHEV ? CHEBYSHEV : TOO_LARGE;
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    smes_state *w = s->state;
    gt_status status = gt_slope(s);
    if (!status) status = look(s);
    if (status) return status;
    w->kind = choose(s, h);
    if (w->kind == TOO_LARGE) return GT_TRY_RHS;
    if (w->kind != CHEBYSHEV) return gt_smes_step(s, h, x, x_new, err);
    int stages = (int)gt_chebyshev_stages(h, fast_part(s, h).high);
    return gt_chebyshev_step(s, stages, h, x, x_new, err, w->base, w->hat);
}

static void accept(gt_stepper *s)
{
    smes_state *w = s->state;
    w->clean = w->kind == PROJECTIVE;
    w->fresh = false;
    w->age++;
    w->width *= 0.9;
    s->order = w->kind == CHEBYSHEV ? 2 : w->order;
}

/* The error of the trapezoidal rule on the step, in units of the tolerance: 4 times that of the
 * pair 3(2) and 5/4 times that of the Chebyshev method, so that a step of order 5 tells what the
 * others would do. */
static double trapezoidal_error(const gt_stepper *s, double H)
{
    const smes_state *w = s->state;
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        double e = H / 2 * (w->k[0][i] + s->f_new[i]) - (s->x_new[i] - w->x_base[i]);
        double scaled = e / gt_weight(s, i, fmax(fabs(s->x_new[i]), fabs(s->x[i])));
        sum += scaled * scaled;
    }
    return sqrt(sum / (double)s->n);
}

/* Factor by which the step may grow when its error is `error` and that grows like h^q. */
static double growth(double error, int q) { return 0.9 * gt_power(fmax(error, 1e-10), -1.0 / q); }

/* Calls of f for a plain or projective step. */
static double cost(const smes_state *w, smes_kind kind, int order)
{
    int small = kind == PLAIN ? 0 : w->small.count, slopes = order == 3 ? 3 : 6;
    return slopes * (1 + small) + small;
}

static void choose_order(gt_stepper *s, double error, double rule)
{
    smes_state *w = s->state;
    if (fixed_order(&w->options) || --w->wait > 0) return;
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
    w->wait = w->order == 3 ? TRY_ORDER_EVERY : 1;
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
    smes_kind kind = choose(s, h);
    if (kind < CHEBYSHEV) return h;
    double radius = gt_mode_size(&w->modes, 0),
           limit = 0.6 * GT_MOST_CHEBYSHEV * GT_MOST_CHEBYSHEV / radius;
    double best = kind == CHEBYSHEV ? fmin(h, most) : fmin(fmin(h, most), limit), covered = 0;
    if (choose(s, best) == CHEBYSHEV) covered = best / gt_chebyshev_stages(best, radius);
    for (int i = 0; i < w->modes.count; i++) {
        double smaller = (1 - 1e-9) * SLOW / gt_mode_size(&w->modes, i);
        kind = choose(s, smaller);
        if (smaller >= h || kind >= CHEBYSHEV || smaller / cost(w, kind, w->order) <= covered)
            continue;
        best = smaller;
        covered = smaller / cost(w, kind, w->order);
    }
    for (double larger = 2 * h; larger < able; larger *= 2) {
        kind = choose(s, larger);
        if (kind != PROJECTIVE || larger / cost(w, kind, w->order) <= covered) continue;
        return larger;
    }
    return best;
}

static gt_verdict judge(gt_stepper *s, double error, double h, int rejections)
{
    smes_state *w = s->state;
    bool chebyshev = w->kind == CHEBYSHEV;
    int q = chebyshev ? 3 : w->order;
    double factor = growth(error, q), most = INFINITY;
    if (error > 1) {
        bool lower = w->met < 0 && -w->met < 0.9 * w->small.low;
        if (w->kind == PROJECTIVE && lower) w->floor = -0.7 * w->met;
        if (w->kind == PROJECTIVE && !lower) w->width = fmin(0.3, fmax(10 * w->width, 1e-4));
        return (gt_verdict){.accept = false,
                            .h_next = h * fmin(fmax(factor, 0.1), rejections ? 0.5 : 0.9)};
    }
    /* Errors that rise from step to step will go on rising (Gustafsson). Those of next to nothing,
     * as on the tail of a pulse, say nothing. */
    if (w->error_last > 0 && error > 1e-10 && w->kind == w->kind_last)
        factor *= gt_power(fmin(1, w->error_last / error), 0.4 / q);
    w->error_last = error;
    w->kind_last = w->kind;
    if (!chebyshev) {
        double rule = trapezoidal_error(s, h - w->lead);
        most = h * growth(0.8 * rule, 3);
        choose_order(s, error, rule);
    }
    double able = rejections ? 1 : fmin(factor, 1000);
    return (gt_verdict){.accept = true,
                        .h_next = size_next(s, h * fmax(fmin(able, 10), 0.2), most, h * able)};
}

const gt_method gt_method_smes = {
    .name = "smes",
    .roles = GT_ROLE_DAMPED,
    .family = "stabilized multirate explicit",
    .title = "stabilized multirate explicit scheme, automatic, order 3 or 5",
    .reference = "after Shi, Rojas; Gear, Kevrekidis, SIAM J. Sci. Comput. 24 (2003)",
    .memory = "the stages, 14 in which the fastest modes are found, points and slopes "
              "after small steps, what the estimate compares",
    .options = options,
    .facts = facts,
    .state_size = sizeof(smes_state),
    .layout = layout,
    .step = step,
    .accept = accept,
    .restart = restart,
    .judge = judge,
    .interpolate = gt_smes_interpolate};

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `smes`: the stabilized multirate explicit scheme of Shi and Rojas made automatic. Step, small
 * steps, their number, their spacing and the order of the large step are chosen from the spectrum
 * and the error as the run goes on; nothing need be known of a split into slow and fast.
 *
 * 1. The fast end of the spectrum is looked at (fast_modes.h) at the start, every 20 steps, where a
 * trial was rejected and where it changes. Modes with h |lambda| > 2.5 are fast for a trial of size
 * h, the others are the business of the method.
 * 2. No fast modes: a plain step of Dormand and Prince's pair 5(4), or of Bogacki and Shampine's
 * 3(2).
 * 3. Fast modes beyond a gap: a projective step with the same pairs. Each stage begins K small
 * steps, tau in all, before its time, and these bring it there (small_steps.h),
 *
 *     X_i = x + h sum_j a_ij k_j - tau s_i + tau^2/2 c_i, then K steps, then k_i = f(t + c_i h,
 * X_i)
 *
 * where s_i is the slope foreseen there, on a parabola through three slopes before, and c_i how it
 * changes, straight from two. Small steps are for clusters of fast modes: single ones for those
 * that decay, pairs with conjugate zeros for those that swing as they decay, and for several
 * clusters they are nested. So the slow part ends where the Runge-Kutta method puts it but for tau
 * times what s_i is wrong by, the fast part lags by tau^2/2 times what c_i is wrong by, and
 * accepted points lie on the slow manifold, with slopes that can be trusted: the last slope is the
 * first of the next step and serves dense output. K comes from condition (14): a fast mode with
 * factor P in the small steps enters the next stage with about h |lambda| P, and that is to be
 * below 0.05. A step with fast modes that the one before had not begins with small steps of its
 * own, twice, since c is known only after the first stage. tau must be below 0.7 of the first c_i
 * h: this is what a gap means.
 * 4. Fast modes without a gap that decay: a step of the Runge-Kutta-Chebyshev method of order 2
 * (chebyshev_rk.h), whose cost grows like the square root of h |lambda|: inside a boundary layer of
 * many rates, or for diffusion.
 * 5. Fast modes with a damping ratio below 0.1: when more than a thousand swings lie ahead, at the
 * start or for long on the way, the run is refused with a reason; else plain steps follow them.
 *
 * Local error: the difference of the pair, where in 3 the comparison solution gets its small steps
 * twice, with the slope and its change as they came and not as they were foreseen: so the
 * difference also shows what was left of fast modes and how far they lag. What small steps take off
 * an accepted point beside the manifold counts as far as it would not have decayed. More than 8
 * steps of one size are judged by their sum. The order, 3 or 5, is the one with the least work for
 * a unit of time; what order 3 would need is seen from the trapezoidal rule on a step of order 5,
 * and order 5 is tried now and then. evaluate=fast lets small steps evaluate the fast block only,
 * the slow one moving straight on: fewer evaluations where the fast block is cheap, with an error
 * of the size of the small steps.
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

enum { LOOK_EVERY = 20, SWING_LOOKS = 10 };
static const double SWINGS = 1000, NOISE = 1e-5, STALE = 0.005, RESOLVED = 1.5;

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
                      .flags = GT_VARIABLE_FORMULA | GT_TREATS_RANKS};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    smes_state *w = s->state;
    gt_params_fill(s->method->options, s->options.v, &w->options);
    w->pair5 = gt_method_dopri5.tableau;
    w->dense5 = gt_method_dopri5.data;
    gt_fast_modes_layout(&w->modes, s->n, arena);
    gt_small_steps_layout(&w->small, arena);
    for (int i = 0; i < SMES_MOST_STAGES - 2; i++) w->inner[i] = gt_arena_doubles(arena, s->n);
    w->base = gt_arena_doubles(arena, s->n);
    w->slope = gt_arena_doubles(arena, s->n);
    w->hat = gt_arena_doubles(arena, s->n);
    w->expected = gt_arena_doubles(arena, s->n);
    w->bend = gt_arena_doubles(arena, s->n);
    w->own_bend = gt_arena_doubles(arena, s->n);
    w->between = gt_arena_doubles(arena, s->n);
    w->change = gt_arena_doubles(arena, s->n);
    w->between_slope = gt_arena_doubles(arena, s->n);
    w->x_base = s->x;
    w->bend_base = w->bend;
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
    w->floor = w->t_swing = w->drift = w->width = w->error_last = w->felt = w->alike = w->h_last =
        w->span = 0;
    w->fresh = false;
    w->clean = INFINITY;
    w->rejected = s->stats.rejected;
    w->order = s->order = order ? order : 5;
    w->wait = SMES_TRY_ORDER_EVERY;
    w->small.count = w->swung = w->leap = w->leaps = w->told = w->settling = 0;
    w->leapt = false;
}

static gt_status refuse(gt_stepper *s, int i)
{
    const gt_fast_modes *m = &((smes_state *)s->state)->modes;
    double size = gt_mode_size(m, i);
    char ahead[32] = "swings without end";
    if (isfinite(s->problem->t1))
        gt_format(ahead, sizeof ahead, "%.2g swings",
                  fabs(m->im[i]) * (s->problem->t1 - s->t) / (2 * GT_PI));
    return gt_fail(&s->message, GT_UNSUPPORTED,
                   "the fast part oscillates at t = %.6g: lambda = %.4g +- %.4gi has damping ratio "
                   "%.2g, below %g, so that small steps do not damp it, and %s lie ahead; "
                   "take %s, which follows them by exponentials, or %s, which damps them",
                   gt_shown_time(s, s->t), m->re[i], fabs(m->im[i]), -m->re[i] / size,
                   GT_LEAST_DAMPING, ahead, gt_method_for(GT_ROLE_SWINGING)->name,
                   gt_method_for(GT_ROLE_STIFF)->name);
}

/* A mode that hardly decays as it swings, a thousand times and more before the end; -1: there is
 * none, or round-off is all that there is. */
static int swinging(const gt_stepper *s)
{
    const gt_fast_modes *m = &((const smes_state *)s->state)->modes;
    double many = 2 * GT_PI * SWINGS / (s->problem->t1 - s->t);
    if (m->count && gt_mode_size(m, 0) < m->split) return -1;
    for (int i = 0; i < m->count; i++)
        if (fabs(m->im[i]) > many && fabs(m->re[i]) < GT_LEAST_DAMPING * gt_mode_size(m, i))
            return i;
    return -1;
}

/* Was the last trial a plain one that followed all modes, by what is known of them? Then it was
 * rejected for its accuracy, and a look would tell nothing. */
static bool resolved(const smes_state *w)
{
    return w->age >= 0 && w->kind == PLAIN && w->modes.count &&
           w->h_trial * gt_mode_size(&w->modes, 0) < RESOLVED;
}

/* Makes the fast modes at the accepted point known. A look depends on the point alone, so a trial
 * may cause it. */
static gt_status look(gt_stepper *s)
{
    smes_state *w = s->state;
    bool stumbled = s->stats.rejected != w->rejected && !w->fresh && !resolved(w);
    bool stale = w->age > 0 && w->drift * w->h_last > STALE;
    if (w->age >= 0 && w->age < w->period && !stumbled && !stale) return GT_OK;
    double before = w->age < 0 ? 0 : gt_mode_size(&w->modes, 0), since = s->t - w->t_look;
    gt_status status = gt_fast_modes_find(&w->modes, s, s->t, s->x, s->f);
    if (status < 0) return status;
    if (status) w->modes.count = 0; /* f cannot be evaluated beside x: plain steps have to do */
    w->period = stumbled                     ? (w->period + 1) / 2
                : 2 * w->period < LOOK_EVERY ? 2 * w->period
                                             : LOOK_EVERY;
    w->floor = w->floor < w->modes.noise ? 0 : 1.2 * w->floor; /* it may have gone */
    w->age = 0;
    w->fresh = true;
    double change =
        before > 0 && w->modes.count ? fabs(1 - before / gt_mode_size(&w->modes, 0)) : 0;
    w->drift = since > 0 ? fmax(0, change - NOISE) / since : 0;
    w->t_look = s->t;
    w->rejected = s->stats.rejected;
    int i = swinging(s);
    if (i < 0 || !w->swung) w->t_swing = s->t;
    w->swung = i < 0 ? 0 : w->swung + 1;
    if (i < 0) return GT_OK;
    bool long_so = w->swung > SWING_LOOKS &&
                   fabs(w->modes.im[i]) * (s->t - w->t_swing) > 2 * GT_PI * SWING_LOOKS;
    return s->stats.steps == 0 || long_so ? refuse(s, i) : GT_OK;
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    smes_state *w = s->state;
    gt_status status = gt_slope(s);
    if (!status) status = look(s);
    if (status) return status;
    w->kind = gt_smes_choose(s, h);
    w->made = w->order;
    w->h_trial = h;
    w->made_for = w->part;
    if (w->kind == TOO_LARGE) return GT_TRY_RHS;
    if (w->kind != CHEBYSHEV) return gt_smes_step(s, h, x, x_new, err);
    int stages = (int)gt_chebyshev_stages(h, w->part.high);
    return gt_chebyshev_step(s, stages, h, x, x_new, err, w->base, w->hat);
}

/* Several clusters, or modes that swing, are something that a user may not know of. */
static void tell_clusters(gt_stepper *s)
{
    smes_state *w = s->state;
    const gt_fast_part *part = &w->made_for;
    if (part->count <= w->told || (part->count < 2 && part->kind == GT_FAST_REAL)) return;
    w->told = part->count;
    gt_fail(&s->note, GT_OK, "small steps for fast modes at |lambda| =");
    for (int i = 0; i < part->count; i++) {
        const gt_cluster *c = &part->cluster[i];
        gt_say_more(&s->note, "%s %.3g", i ? "," : "", (c->low + c->high) / 2);
        if (c->zeta < 1) gt_say_more(&s->note, " (damping ratio %.2g)", c->zeta);
    }
    gt_say_more(&s->note, ", as found at t = %.4g", gt_shown_time(s, s->t));
}

static void accept(gt_stepper *s)
{
    smes_state *w = s->state;
    if (w->kind == PROJECTIVE) tell_clusters(s);
    w->clean = w->kind == PROJECTIVE ? w->made_for.low : INFINITY;
    if (w->kind == PROJECTIVE) gt_smes_bend(s);
    w->fresh = false;
    w->age++;
    w->width *= 0.9;
    s->order = w->kind == CHEBYSHEV ? 2 : w->made;
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
    .judge = gt_smes_judge,
    .interpolate = gt_smes_interpolate,
    .law = {.steps = 6, .order = 3},
    .dense_error = gt_smes_dense_error};

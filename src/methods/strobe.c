/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stroboscopic averaging by a multirevolution method (Graff, Bettis, Celestial Mechanics 11 (1975)
 * 443; Petzold, SIAM J. Numer. Anal. 18 (1981) 455; Calvo, Chartier, Murua, Sanz-Serna, 2011): one
 * fast oscillation on a slow motion, in any coordinates; its direction may turn.
 *
 * Let the solution through X at time t be at X + D(X, t) a revolution of the fast oscillation, T(X,
 * t), later (kit/revolution.h). Seen once in each revolution it moves as slowly as D and T change,
 *
 *     X_(N+1) = X_N + D_N,    t_(N+1) = t_N + T_N,
 *
 * and M revolutions are a sum. With D_0, D_-1, .. where the last steps began, and P the polynomial
 * through k of them, as a function of the number of revolutions N:
 *
 *     P   X_p = X_0 + sum_(N=0)^(M-1) P(N)                         and t likewise
 *     E   D_p by a revolution from X_p
 *     C   X_M = X_0 + sum_(N=0)^(M-1) Q(N),    Q through D_p too, of order k + 1
 *     E   D_M by a revolution from X_M, where the step is accepted and another one follows
 *
 * Sums of polynomials are exact (Bernoulli's formula), so that M may be anything from 1 on: at
 * first it is, and what is not the same in two revolutions on end is seen. From X_M, which is less
 * than a revolution before the end of the step, the solution is followed to there. So x is the
 * solution, with all that swings, at the ends of steps and, by sums to N < M and following from
 * there, inside them.
 *
 * Error estimate: Q without its oldest point, the formula of order k. An error of the time, e_t,
 * is one of the state, -f e_t; and what oscillates turns errors of positions into those of
 * velocities, larger by omega: |e| + |J e|/omega counts. M times what the steps of a revolution
 * have lost by their own estimates, turned likewise, is added; there are as many of them as keep
 * that small. The order rises to 8 where lower ones have larger errors.
 *
 * A revolution is taken by exprb43, which is exact where the oscillation is linear and goes
 * straight, and so are all steps where nothing is to be skipped: at first; where the fastest mode
 * of J does not swing or the motion is not what it was a revolution later; where events or switches
 * are looked for; and for good where M stays small, with a warning, since the fast motion is not
 * one oscillation, or changes with every swing.
 *
 * What t does to f in the swings that are passed over is looked at (kit/jolt.h), at most once in
 * each, where it is in phase, and for at most half of what the step has cost. Where it is a pulse
 * or a jump the step ends before it, and its swings are followed.
 *
 * Work: about 2 revolutions a step of M, each of 3 m + 4 calls of f, m Jacobians and functions of
 * matrices, m = 4 at first.
 */
#include "base/elementary.h"
#include "core/run_state.h"
#include "kit/jolt.h"
#include "kit/revolution.h"
#include "kit/sum_weights.h"
#include <geartrain/methods.h>
#include <math.h>
#include <string.h>

enum { MOST = GT_MOST_SUMMED - 1 };          /* the highest k */
enum { FEWEST_STEPS = 4, MOST_STEPS = 160 }; /* of a revolution */
enum { LOOK_AFTER = 6, LATEST_LOOK = 2000 }; /* steps that are followed before a look */
enum { TRIALS = 16, WORTH = 4 };             /* so many have to go as many revolutions each */
enum { FEWEST_REVOLUTIONS = 40 };            /* in what is left of the run */
enum { AT_LEAST = 100 };                     /* looks for pulses in a run */
static const double first = 1.15; /* revolutions in the first step: one, and what is left over */
/* of the tolerance, by the steps of revolutions; and so many times that is too much */
static const double enough = 0.2, many = 2.5;
static const double aim = 0.25, most_growth = 2, least_factor = 0.2;

typedef struct strobe_state {
    gt_revolving fast;
    bool swings;            /* revolutions may be skipped */
    bool gone;              /* a trial found no revolution */
    int wait, waited;       /* steps to be followed before the next look; what they were at first */
    bool at_hand;           /* the inner stepper is at the accepted point */
    gt_control_memory pace; /* of steps that are followed, as in a run of the inner method */

    double t, *X;                 /* where the solution is seen */
    double *D[MOST], T[MOST];     /* newest first */
    double past[MOST], *D_p, T_p; /* revolutions from D[i + 1] to D[i] */
    int known, order;
    bool D_known; /* D[0] is there */
    int steps, steps_next;
    double *error, *most; /* of the steps of a revolution; sizes of the states in it */
    double lost;          /* the norm of M times `error` */
    bool rough;           /* more steps would lose as much */
    bool warned;

    gt_jolt *jolts; /* what f for the same state does in the swings that are passed over */
    double until;   /* when what is no smooth function of t is over */

    double M, t_M, *X_M; /* of this trial; M = 0: it was followed */
    double node[MOST + 1], E[2];
    double *e, *lower;
    int trials;
    double skipped, h_followed;
} strobe_state;

static gt_facts facts(const gt_method *self, const double *v)
{
    (void)self, (void)v;
    return (gt_facts){.kind = GT_KIND_EXPONENTIAL,
                      .order = 4,
                      .error_order = 3,
                      .functions = 2,
                      .flags = GT_USES_JACOBIAN | GT_VARIABLE_FORMULA};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    strobe_state *w = s->state;
    double **vectors[] = {&w->X, &w->X_M, &w->D_p, &w->error, &w->most, &w->e, &w->lower};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = gt_arena_doubles(arena, s->n);
    for (int k = 0; k < MOST; k++) w->D[k] = gt_arena_doubles(arena, s->n);
    w->jolts = gt_jolts_layout(s->n, arena);
    return gt_revolving_layout(&w->fast, &gt_method_exprb43, NULL, s, arena);
}

static gt_status prepare(gt_stepper *s)
{
    return gt_revolving_prepare(&((strobe_state *)s->state)->fast, s);
}

static void release(gt_stepper *s) { gt_stepper_free(((strobe_state *)s->state)->fast.inner); }

static const gt_control *pace(void) { return gt_control_find("predictive"); }

static void restart(gt_stepper *s)
{
    strobe_state *w = s->state;
    w->swings = w->gone = w->at_hand = false;
    w->known = 0;
    w->until = -INFINITY;
    w->T[0] = 1;
    w->wait = w->waited = LOOK_AFTER;
    gt_control_begin(&w->pace, pace(), 4);
}

/* ---- sums over revolutions ---- */

/* X_0, t_0 and what `count` values from `first` on add to them in N revolutions; 0 is D_p. */
static double advance(const strobe_state *w, size_t n, int from, int count, double N, double *X)
{
    double weight[MOST + 1], t = w->t;
    gt_sum_weights(count, w->node + from, w->M, N, weight);
    memcpy(X, w->X, n * sizeof *X);
    for (int j = 0; j < count; j++) {
        int k = from + j;
        const double *D = k ? w->D[k - 1] : w->D_p;
        for (size_t i = 0; i < n; i++) X[i] += w->M * weight[j] * D[i];
        t += w->M * weight[j] * (k ? w->T[k - 1] : w->T_p);
    }
    return t;
}

static void place(strobe_state *w)
{
    double back = 0;
    w->node[0] = 1;
    w->node[1] = 0;
    for (int k = 0; k + 1 < w->known; k++) w->node[k + 2] = -(back += w->past[k]) / w->M;
}

/* ---- a step over revolutions ---- */

/* Against the sizes that the states have in a revolution. */
static double norm(const gt_stepper *s, const double *e)
{
    const strobe_state *w = s->state;
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        double d = e[i] / gt_weight(s, i, w->most[i]);
        sum += d * d;
    }
    return sqrt(sum / (double)s->n);
}

/* Steps in a revolution that keep what they lose to `enough`. */
static int steps_for(double lost, int steps)
{
    double wanted = steps * gt_power(fmax(lost / enough, 1e-3), 1.0 / 3);
    return (int)fmin(fmax(ceil(wanted), FEWEST_STEPS), MOST_STEPS);
}

/* A revolution from X with steps enough for M of them. Where more of them lose as much it is to
 * round-off, and M is to be smaller. */
static gt_status revolve(gt_stepper *s, double t, const double *X, double *D, double *T)
{
    strobe_state *w = s->state;
    gt_revolution of = {.moved = D, .most = w->most, .lost = w->error};
    double before = INFINITY;
    for (int fewer = w->steps;;) {
        of.period = *T;
        gt_status status = gt_revolve(&w->fast, t, X, w->steps, &of);
        if (status) {
            w->gone = status > 0 && w->M < 3; /* else X is too far off */
            return status;
        }
        *T = of.period;
        w->lost = w->M * norm(s, w->error);
        w->rough = w->lost > 0.5 * before || w->steps == MOST_STEPS;
        w->steps_next = w->rough ? fewer : steps_for(w->lost, w->steps);
        if (w->lost < many * enough || w->rough) return GT_OK;
        before = w->lost;
        fewer = w->steps;
        w->steps = w->steps_next;
    }
}

/* The predictor and M: revolutions that end before the step does, and one more before f ends. */
static double predict(gt_stepper *s, double end, int k)
{
    strobe_state *w = s->state;
    end = fmin(end, fmin(s->t_cap, s->problem->t1) - w->T[0]);
    w->M = floor((end - w->t) / w->T[0] - 0.02);
    for (; w->M >= 1; w->M--) {
        place(w);
        double t = advance(w, s->n, 1, k, w->M, w->X_M);
        if (t + 0.01 * w->T[0] <= end) return t;
    }
    return w->t;
}

/* |e| + |J e|/omega of the difference of two solutions, at the same time. */
static void difference(gt_stepper *s, const double *X, double t, const double *Y, double u,
                       double *e)
{
    strobe_state *w = s->state;
    const double *f = w->fast.inner->f_new;
    for (size_t i = 0; i < s->n; i++) e[i] = X[i] - Y[i] - (t - u) * f[i];
    gt_revolving_turned(&w->fast, e, w->T[0], e);
}

/* Of order j, for comparison; that of order 1 is the predictor, which is right for M = 1 too. */
static double corrector(const strobe_state *w, size_t n, int j, double *X)
{
    return advance(w, n, j == 1, j, w->M, X);
}

static gt_status leap(gt_stepper *s, double h, int k, double *x_new, double *err)
{
    strobe_state *w = s->state;
    double end = s->t + h, t_p = predict(s, end, k);
    w->T_p = w->T[0];
    gt_status status = revolve(s, t_p, w->X_M, w->D_p, &w->T_p);
    if (status) return status;
    w->t_M = advance(w, s->n, 0, k + 1, w->M, w->X_M);
    double t = corrector(w, s->n, k, w->lower);
    difference(s, w->X_M, w->t_M, w->lower, t, w->e);
    w->E[0] = norm(s, w->e);
    w->E[1] = INFINITY;
    if (k > 1) {
        double u = corrector(w, s->n, k - 1, x_new);
        difference(s, w->lower, t, x_new, u, x_new);
        w->E[1] = norm(s, x_new);
    }
    status = gt_revolving_follow(&w->fast, w->t_M, w->X_M, w->T_p / w->steps, end, x_new);
    for (size_t i = 0; i < s->n && err && !status; i++) {
        double size = fmax(fabs(s->x[i]), fabs(x_new[i]));
        double share = gt_weight(s, i, size) / gt_weight(s, i, fmax(size, w->most[i]));
        err[i] = (w->e[i] + w->M * w->error[i]) * share;
    }
    return status;
}

static gt_status follow(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    strobe_state *w = s->state;
    gt_stepper *in = w->fast.inner;
    if (!w->at_hand) gt_revolving_start(&w->fast, s->t, x);
    w->at_hand = true;
    gt_status status = gt_trial(in, h, err != NULL);
    memcpy(x_new, in->x_new, s->n * sizeof *x_new);
    if (err) memcpy(err, in->err, s->n * sizeof *err);
    return status;
}

static gt_status first_revolution(gt_stepper *s)
{
    strobe_state *w = s->state;
    if (w->known && w->D_known) return GT_OK;
    if (!w->known) {
        memcpy(w->X, s->x, s->n * sizeof *w->X);
        w->t = s->t;
        w->order = 1;
        w->steps = w->steps_next = FEWEST_STEPS;
    }
    gt_status status = revolve(s, w->t, w->X, w->D[0], &w->T[0]);
    w->D_known = !status;
    if (!status && !w->known) w->known = 1;
    return status;
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    strobe_state *w = s->state;
    gt_status status = GT_OK;
    gt_revolving_begin(&w->fast, s);
    double ahead = (s->t + h - (w->known ? w->t : s->t)) / w->T[0];
    bool leaps = w->swings && !w->gone && s->t >= w->until;
    leaps = leaps && ahead > 1.03 && h > 0.5 * w->T[0];
    if (leaps) {
        w->at_hand = false;
        w->M = ahead;
        status = first_revolution(s);
        int k = w->order < w->known ? w->order : w->known;
        w->M = 0;
        if (!status) predict(s, s->t + h, k);
        leaps = w->M >= 1;
        if (!status && leaps) status = leap(s, h, k, x_new, err);
    }
    if (!status && !leaps) {
        w->M = 0;
        status = follow(s, h, x, x_new, err);
    }
    gt_revolving_end(&w->fast, s, status);
    return status;
}

/* ---- which steps ---- */

/* May revolutions be skipped from here on? */
static bool look(gt_stepper *s)
{
    strobe_state *w = s->state;
    const gt_problem *p = s->problem;
    if (--w->wait > 0) return false;
    if (w->waited < LATEST_LOOK) w->waited *= 2;
    w->wait = w->waited;
    w->T[0] = gt_revolving_period(&w->fast);
    w->swings = w->T[0] > 0 && !p->n_roots && !p->n_switches &&
                fabs(p->t1 - s->t) > FEWEST_REVOLUTIONS * w->T[0] && s->h < w->T[0];
    w->known = w->trials = 0;
    w->skipped = 0;
    return w->swings;
}

static gt_verdict judge_followed(gt_stepper *s, double error, double h, int rejections)
{
    strobe_state *w = s->state;
    gt_verdict verdict = gt_control_judge(pace(), &w->pace, error, 4, h, rejections);
    w->h_followed = verdict.h_next;
    if (!verdict.accept || s->t_new < w->until) return verdict;
    if (w->gone) w->swings = w->gone = false;
    if (w->swings || look(s)) {
        gt_control_begin(&w->pace, pace(), 4);
        verdict.h_next = first * w->T[0];
    }
    return verdict;
}

/* Whether t does anything to f within this step that its revolutions have not seen; *before and
 * *after it. */
static bool finds_jolt(gt_stepper *s, double *before, double *after)
{
    strobe_state *w = s->state;
    const gt_problem *p = s->problem;
    if (!s->pulse_work) return false;
    s->pulses_seen = true;
    if (w->M < 3) return false; /* by its revolutions */
    double least = fmin(AT_LEAST * s->h / (p->t1 - p->t0), AT_LEAST);
    int looks = (int)fmin(w->M, fmax(3 * w->steps, least));
    int k = w->order < w->known ? w->order : w->known;
    double at[3 * MOST_STEPS + 1], *f = w->lower;
    for (int j = 0; j <= looks; j++) {
        at[j] = advance(w, s->n, 0, k + 1, floor(w->M * j / looks), f);
        if (gt_rhs(s, at[j], w->X, f)) return false;
        gt_jolts_look(w->jolts, s->n, j, f);
    }
    int worst = gt_jolts_worst(w->jolts, s, looks, (at[looks] - at[0]) / looks, w->most);
    *before = at[worst > 2 ? worst - 2 : 0];
    *after = at[worst < looks ? worst + 1 : looks];
    return worst > 0;
}

/* A step over a jolt is repeated up to it, and one that begins next to it by following. */
static gt_verdict end_before(gt_stepper *s, double before, double after)
{
    strobe_state *w = s->state;
    if (before > s->t + w->T[0]) return (gt_verdict){false, before - s->t};
    w->until = after;
    w->known = 0;
    return (gt_verdict){false, w->h_followed};
}

static gt_verdict judge(gt_stepper *s, double error, double h, int rejections)
{
    strobe_state *w = s->state;
    if (w->M == 0) return judge_followed(s, error, h, rejections);
    int k = w->order < w->known ? w->order : w->known;
    double estimate = error > 1 ? error : w->rough ? w->E[0] + w->lost : w->E[0];
    double factor = gt_power(aim / fmax(estimate, 1e-8), 1.0 / (k + 1));
    w->trials++;
    if (!(error <= 1)) {
        if (rejections > 2) w->order = 1; /* the past is no guide */
        double one = s->t - w->t + first * w->T[0],
               less = fmax(fmin(factor, 0.7), least_factor) * h;
        if (w->M > 1) return (gt_verdict){false, fmax(less, fmin(one, 0.7 * h))};
        w->gone = true;
        return (gt_verdict){false, fmin(w->h_followed, 0.9 * h)};
    }
    double before, after;
    if (finds_jolt(s, &before, &after)) return end_before(s, before, after);
    if (k > 1 && w->M > 1 && w->E[1] <= w->E[0])
        w->order = k - 1;
    else if (k < MOST && (w->M == 1 || w->E[0] < 0.5 * w->E[1]))
        w->order = k + 1;
    return (gt_verdict){true, h * fmax(fmin(factor, most_growth), 0.5)};
}

/* Whether skipping has been worth its trouble. */
static void review(gt_stepper *s)
{
    strobe_state *w = s->state;
    if (w->trials < TRIALS) return;
    if (w->skipped < w->trials * WORTH) {
        w->gone = true;
        w->waited = w->wait = LATEST_LOOK;
        if (!w->warned)
            gt_warn(
                s->warnings,
                "the fast motion with a period of %.3g changes too much from swing to swing, or is "
                "not one oscillation: its swings are followed one by one, which %s does for less",
                w->T[0], w->fast.inner->method->name);
        w->warned = true;
    }
    w->trials = 0;
    w->skipped = 0;
}

static void accept(gt_stepper *s)
{
    strobe_state *w = s->state;
    if (w->M == 0) {
        gt_take_trial(w->fast.inner);
        s->order = w->fast.inner->order;
        return;
    }
    double *oldest = w->D[MOST - 1], *X = w->X;
    for (int k = MOST - 1; k > 0; k--) {
        w->D[k] = w->D[k - 1];
        w->T[k] = w->T[k - 1];
        w->past[k] = w->past[k - 1];
    }
    w->D[0] = oldest;
    w->T[0] = w->T_p;
    w->past[0] = w->M;
    w->X = w->X_M;
    w->X_M = X;
    w->t = w->t_M;
    w->D_known = w->M == 1; /* P and Q agree at 0: D_p is from there */
    if (w->D_known) memcpy(w->D[0], w->D_p, s->n * sizeof *w->D_p);
    w->steps = w->steps_next;
    if (w->known < MOST) w->known++;
    s->order = w->order + 1;
    w->skipped += w->M;
    review(s);
}

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    strobe_state *w = s->state;
    if (theta == 0 || theta == 1) {
        memcpy(x, theta == 0 ? s->x : s->x_new, s->n * sizeof *x);
        return GT_OK;
    }
    if (w->M == 0) return gt_stepper_interpolate(w->fast.inner, theta, x);
    int k = w->order < w->known ? w->order : w->known;
    double t = s->t + theta * h, N = floor((t - w->t) / w->T[0]);
    N = fmax(fmin(N, w->M), 0);
    double at = advance(w, s->n, 0, k + 1, N, x);
    while (N > 0 && at > t) at = advance(w, s->n, 0, k + 1, --N, x);
    gt_revolving_begin(&w->fast, s);
    gt_status status = gt_revolving_follow(&w->fast, at, x, w->T_p / w->steps, t, x);
    gt_revolving_end(&w->fast, s, status);
    return status;
}

const gt_method gt_method_strobe = {
    .name = "strobe",
    .family = "multirevolution",
    .title = "stroboscopic averaging: one fast oscillation that may turn, seen once in many swings",
    .reference = "Petzold, SIAM J. Numer. Anal. 18 (1981) 455; Calvo, Chartier, Murua, Sanz-Serna, "
                 "Appl. Numer. Math. 61 (2011) 1077",
    .memory = "that of exprb43, and 27 more vectors",
    .roles = GT_ROLE_REVOLVING,
    .facts = facts,
    .state_size = sizeof(strobe_state),
    .layout = layout,
    .prepare = prepare,
    .step = step,
    .accept = accept,
    .restart = restart,
    .judge = judge,
    .interpolate = interpolate,
    .release = release};

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Step-size selection. The filters are those of Soderlind, Digital filters in adaptive
 * time-stepping, ACM TOMS 29 (2003); the two-bound rule is crow 5.6 with item 4 read as eps < B_L,
 * eps = 0 guarded and the factor clamped; the plain rule is that of the ode45 printed in Appendix A
 * of xie, without its smallest step.
 */
#include "base/elementary.h"
#include <geartrain/author/control.h>
#include <geartrain/author/param.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Limits of Hairer, Norsett, Wanner (1993) II.4: a step is 0.9 of what the estimate allows and
 * changes by 5 at most. */
#define FILTER_LIMITS .safety = 0.9, .min_factor = 0.2, .max_factor = 5
/* A step that could grow by less than a half is kept: run_kept then takes many of one size in a
 * call. */
#define KEEPS_STEPS .keep = 1.5
/*
 * The three that a run takes by itself come to rest at E = 0.9^q, 0.73 to 0.43 for q = 3 to 8: a
 * step is then 0.9 of what the tolerance allows, at every order (docs/concepts.md).
 *
 * Steps of explicit one-step methods are often bounded by stability, where the elementary rule
 * swings about the bound with rejections: `smooth`, with poles of the loop at 0.62 and -0.32.
 * Others see an E that goes on as it went: where it rises `predictive` lowers h by its trend too,
 * and nowhere is h above the elementary rule (Gustafsson 1994, Hairer, Wanner IV.8). Errors of
 * multistep formulas depend on the steps before as well, which the trend would take for a change of
 * the solution: `multistep` follows less of it.
 */
#define SMOOTH_NUMBERS                                                                             \
    .beta = {0.85, -0.4}, .aimed = true, .bounded = true, .safety = 0.86, .min_factor = 0.2,       \
    .max_factor = 5, .keep = 1.1
#define PREDICTIVE_NUMBERS                                                                         \
    .beta = {2, -1}, .alpha = -1, .aimed = true, .bounded = true, FILTER_LIMITS
/* Formulas of many steps bear growth less well: those of Gear lose their stability where steps grow
 * fast in a row. */
#define MULTISTEP_NUMBERS                                                                          \
    .beta = {0.85, -0.4}, .aimed = true, .bounded = true, .safety = 0.9, .min_factor = 0.2,        \
    .max_factor = 2
#define BOUNDS_NUMBERS                                                                             \
    .kind = GT_BOUNDS, .min_factor = 0.01, .max_factor = 100, .lower = 1e-6, .upper = 1e-4,        \
    .target = 1e-5

static const gt_control smooth_control = {
    .name = "smooth",
    .title = "proportional-integral about a set point, 0.85/-0.4; the usual one "
             "of explicit one-step methods",
    SMOOTH_NUMBERS};
static const gt_control predictive_control = {
    .name = "predictive",
    .title = "follows the trend of the error (Gustafsson); the usual one of "
             "all others",
    PREDICTIVE_NUMBERS};
static const gt_control multistep_control = {
    .name = "multistep",
    .title = "proportional-integral about a set point, 0.85/-0.4; the usual "
             "one of multistep formulas",
    MULTISTEP_NUMBERS};
static const gt_control i_control = {
    .name = "i", .title = "integral: the elementary rule", .beta = {1}, FILTER_LIMITS, KEEPS_STEPS};
static const gt_control pi_control = {.name = "pi",
                                      .title = "proportional-integral, 0.7/-0.4 (Gustafsson)",
                                      .beta = {0.7, -0.4},
                                      FILTER_LIMITS,
                                      KEEPS_STEPS};
static const gt_control pid_control = {.name = "pid",
                                       .title = "proportional-integral-derivative, 0.58/-0.21/0.1",
                                       .beta = {0.58, -0.21, 0.1},
                                       FILTER_LIMITS,
                                       KEEPS_STEPS};
static const gt_control h211_control = {.name = "h211",
                                        .title = "low-pass filter H211b, b = 4 (Soderlind)",
                                        .beta = {0.25, 0.25},
                                        .alpha = 0.25,
                                        FILTER_LIMITS};
static const gt_control bounds_control = {
    .name = "bounds", .title = "two bounds on the local error, crow 5.6", BOUNDS_NUMBERS};
static const gt_control bounds_literal_control = {
    .name = "bounds_literal",
    .title = "two bounds, item 4 as printed: rescale whenever eps <= upper",
    .always_rescale = true,
    BOUNDS_NUMBERS};
static const gt_control bounds_repeat_control = {
    .name = "bounds_repeat",
    .title = "two bounds, a step with eps < lower is repeated larger",
    .repeat_small = true,
    BOUNDS_NUMBERS};

static const gt_control ode45_control = {.name = "ode45",
                                         .title =
                                             "the rule of ode45 (1987) for Fehlberg's pair: h0 = "
                                             "T/100, hmax = T/5, error in max norm, xie (3.15)",
                                         .kind = GT_PLAIN,
                                         .safety = 0.8,
                                         .first = 0.01,
                                         .largest = 0.2};

static const gt_control *const controls[] = {
    &smooth_control,
    &predictive_control,
    &multistep_control,
    &i_control,
    &pi_control,
    &pid_control,
    &h211_control,
    &bounds_control,
    &bounds_literal_control,
    &bounds_repeat_control,
    &ode45_control,
    NULL,
};

const gt_control *const *gt_control_list(void) { return controls; }

const gt_control *gt_control_find(const char *name)
{
    for (size_t i = 0; name && controls[i]; i++) {
        if (strcmp(controls[i]->name, name) == 0) return controls[i];
    }
    return NULL;
}

/* Numbers of a controller that can be changed by name, in the order of `numbers_of`. */
static const gt_param number_table[] = {
    {.name = "safety", .min = GT_POSITIVE, .max = 1},
    {.name = "min_factor", .min = GT_POSITIVE, .max = 1},
    {.name = "max_factor", .min = 1, .max = 1e6},
    {.name = "lower", .min = GT_POSITIVE, .max = 1e300},
    {.name = "upper", .min = GT_POSITIVE, .max = 1e300},
    {.name = "target", .min = GT_POSITIVE, .max = 1e300},
    {0},
};

gt_status gt_control_parse(const char *text, gt_control *control, gt_message *message)
{
    GT_ARMOR(message, text && control);
    char name[32];
    size_t length = strcspn(text, ":");
    snprintf(name, sizeof name, "%.*s", (int)(length < 31 ? length : 31), text);
    const gt_control *found = gt_control_find(name);
    if (!found) {
        gt_status status =
            gt_fail(message, GT_UNKNOWN_NAME, "there is no step control '%s'; there are:", name);
        for (size_t i = 0; controls[i]; i++) gt_say_more(message, " %s", controls[i]->name);
        return status;
    }
    *control = *found;
    if (!text[length]) return GT_OK;
    gt_values v = {{control->safety, control->min_factor, control->max_factor, control->lower,
                    control->upper, control->target}};
    gt_status status =
        gt_params_parse(number_table, "number", name, text + length + 1, &v, message);
    if (status) return status;
    control->safety = v.v[0], control->min_factor = v.v[1], control->max_factor = v.v[2];
    control->lower = v.v[3], control->upper = v.v[4], control->target = v.v[5];
    if (control->kind == GT_BOUNDS &&
        !(control->lower <= control->target && control->target <= control->upper))
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "step control %s needs lower <= target <= upper, not %g, %g, %g", name,
                       control->lower, control->target, control->upper);
    return GT_OK;
}

static double clamp(double factor, double low, double high)
{
    return factor < low ? low : factor > high ? high : factor;
}

/* An error of 0 would ask for an infinite step. Below this the factor is beyond max_factor at any
 * order up to 12. */
static const double least_error = 1e-10;
static double log_of(double error) { return gt_log(error > least_error ? error : least_error); }

/* Factors of a step that failed again. */
static const double halved = 0.5, least_after_jump = 0.1;

static gt_verdict judge_by_bounds(const gt_control *c, double eps, int q, double h, int rejections)
{
    double floor_eps = c->target * gt_whole_power(c->max_factor, -q);
    double alpha = clamp(gt_power(c->target / fmax(eps, floor_eps), 1.0 / q), c->min_factor,
                         c->max_factor); /* (5.114) */
    if (eps > c->upper) return (gt_verdict){false, alpha * h};
    if (eps >= c->lower && !c->always_rescale) return (gt_verdict){true, h};
    /* A step is repeated larger once only, else two bounds too close would repeat it for ever. */
    if (eps < c->lower && c->repeat_small && !rejections) return (gt_verdict){false, alpha * h};
    return (gt_verdict){true, alpha * h};
}

/* Small changes are not worth making: steps that stay the same need no logarithm, and the processor
 * foresees them. About a set point E may fall by the factor `kept_below`, a tenth of h at order 4,
 * or go a third of the way, in logarithms, to a rejection. */
static const double kept_below = 1 / 1.6, kept_part = 2.0 / 3;
void gt_control_begin(gt_control_memory *m, const gt_control *c, int q)
{
    if (!m || !c) return;
    int free_steps = m->free_steps, free_next = m->free_next;
    double rest = gt_whole_power(c->safety, q),
           from = c->aimed ? kept_below * rest : gt_whole_power(c->safety / c->keep, q);
    *m = (gt_control_memory){.keep_from = c->keep > 0 ? from : 1,
                             .keep_to = c->aimed ? gt_power(rest, kept_part) : GT_KEEP_TO,
                             .aim = c->aimed && c->safety > 0 ? q * gt_log(c->safety) : 0,
                             .free_steps = free_steps,
                             .free_next = free_next};
}

/* Gustafsson, Soderlind, SIAM J. Sci. Comput. 18 (1997) 23: growth below this does not pay for a
 * factorisation, and h that could be a twentieth shorter still errs by less than the tolerance. */
static const double worth_factors = 1.2, worth_care = 0.95;
enum { FREE_STEPS = 10, MOST_FREE_STEPS = 1000 };
double gt_control_keep_factors(gt_control_memory *m, double h, double h_next, bool again,
                               bool factored)
{
    if (again) {
        m->free_next = !factored                   ? FREE_STEPS
                       : m->free_next < FREE_STEPS ? FREE_STEPS
                                                   : m->free_next * 2;
        if (m->free_next > MOST_FREE_STEPS) m->free_next = MOST_FREE_STEPS;
        m->free_steps = factored ? m->free_next : 0;
    } else if (m->free_steps > 0) {
        m->free_steps--;
    }
    return m->free_steps == 0 && h_next > worth_care * h && h_next < worth_factors * h ? h : h_next;
}

static gt_verdict judge_plainly(const gt_control *c, double error, int q, double h)
{
    double h_next = error > 0 ? c->safety * h * gt_power(error, -1.0 / q) : h;
    return (gt_verdict){error <= 1, h_next};
}

/*
 * After a rejection the error must have fallen with the power q of the step. Where f jumps or has a
 * kink it falls with the first or second, error and estimate are of the same order, and what the
 * one is to the other depends on where in the step the jump lies: an estimate just below 1 may
 * stand for an error of a hundred. A tenth is asked for there.
 */
static const double asked_at_jumps = 0.1;
static bool falls_too_slowly(const gt_control_memory *m, double error, int q, double h)
{
    /* times what the power says: estimates of smooth steps differ by less */
    const double slowly = 8;
    return error > asked_at_jumps && m->failed > 0 &&
           error > slowly * m->failed * gt_whole_power(h / m->failed_h, q);
}

gt_verdict gt_control_judge(const gt_control *c, gt_control_memory *m, double error, int q,
                            double h, int rejections)
{
    if (c->kind == GT_BOUNDS) return judge_by_bounds(c, error, q, h, rejections);
    if (c->kind == GT_PLAIN) return judge_plainly(c, error, q, h);
    if (rejections && error <= 1 && falls_too_slowly(m, error, q, h)) {
        m->failed = error, m->failed_h = h;
        return (gt_verdict){false, h * clamp(asked_at_jumps / error, least_after_jump, halved)};
    }
    if (error > 1) {
        m->failed = error, m->failed_h = h;
        /* The past says little about a step that failed: the elementary rule, and halving once it
         * has failed twice. */
        double factor = clamp(c->safety * gt_power(error, -1.0 / q), c->min_factor, c->safety);
        return (gt_verdict){false, h * (rejections ? fmin(factor, halved) : factor)};
    }
    m->trial = error;
    if (error > m->keep_from && error < m->keep_to && !rejections) return (gt_verdict){true, h};
    double now = log_of(error) - m->aim, sum = c->beta[0] * now, change = 0;
    if (m->known > 0 && c->beta[1] != 0) sum += c->beta[1] * (log_of(m->error[0]) - m->aim);
    if (m->known > 1 && c->beta[2] != 0) sum += c->beta[2] * (log_of(m->error[1]) - m->aim);
    if (m->known > 0 && c->alpha != 0) change = c->alpha * gt_log(h / m->h_last);
    if (c->aimed && m->known == 0) sum = now; /* the first step has no past */
    double in_front = c->aimed ? 1 : c->safety, wanted = -sum * (1.0 / q) - change;
    if (c->bounded) wanted = fmin(wanted, -now * (1.0 / q));
    double factor = clamp(in_front * gt_exp(wanted), c->min_factor, rejections ? 1 : c->max_factor);
    return (gt_verdict){true, h * factor};
}

void gt_control_remember(gt_control_memory *m, double h)
{
    m->error[1] = m->error[0];
    m->error[0] = m->trial;
    m->h_last = h;
    m->failed = 0;
    if (m->known < 2) m->known++;
}

void gt_control_kept(gt_control_memory *m, const double errors[2], double h, long count)
{
    if (!count) return;
    m->error[0] = errors[0];
    m->error[1] = errors[1];
    m->h_last = h;
    m->known = m->known + count > 1 ? 2 : 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Backward Euler and the trapezoidal rule, crow (5.20) and (5.24): the theta method
 *
 *     M (x_new - x) = h [ (1 - theta) f(t, x) + theta f(t_new, x_new) ]     differential rows
 *                 0 = g(t_new, x_new)                                       algebraic rows, (5.138)
 *
 * with theta = 1 and 1/2, solved by simplified Newton on (5.141) with gamma = theta h, or
 * alternating. Orders 1 and 2; A-stable, and L-stable for theta = 1; R(z) = (1 + (1 - theta) z) /
 * (1 - theta z). The trapezoidal rule does not damp components with h lambda -> -infinity: it lets
 * them ring.
 *
 * The local error is C h^(p+1) x^(p+1) with C = -1/2, -1/12, and the derivative is taken from
 * divided differences of the last p + 2 points, (5.115)-(5.122): theta = 1:    err = -(1/2) h^2 2!
 * [x_new, x_n, x_(n-1)] theta = 1/2:  err = -(1/12) h^3 3! [x_new, x_n, x_(n-1), x_(n-2)] (5.124)
 * Where we depart from the chapter: it takes the first steps unchecked. While there are too few
 * points, the step is compared with two of half the size instead, err = (x_half - x_new) 2^p / (2^p
 * - 1), and the single step is carried on; start=unchecked does as the chapter does. Algebraic
 * components follow from the others and have no error of their own. Past steps more than twice as
 * long do not make the share of [..] in the error smaller than it is at equal steps: a jump of f is
 * not accepted by making the step shorter.
 *
 * The guess for Newton is the polynomial through the past points. Dense output is the polynomial
 * through the last three points, not Hermite's: slopes of stiff components are large multiples of
 * their errors.
 */
#include "kit/implicit.h"
#include "kit/multistep_formulas.h"
#include <geartrain/methods.h>
#include <math.h>
#include <string.h>

typedef struct theta_options {
    double newton_tol, newton_fraction;
    gt_implicit_way dae;
    gt_linear_options linear;
    enum { CHECKED, UNCHECKED } start;
} theta_options;

static const char *const start_choices[] = {[CHECKED] = "checked", [UNCHECKED] = "unchecked", NULL};
static const gt_param options[] = {
    GT_NEWTON_OPTIONS(theta_options),
    GT_DAE_OPTION(theta_options),
    GT_LINEAR_OPTIONS(theta_options),
    {.name = "start",
     .help = "at controlled step: the first steps are checked by halving, or taken with h0 as they "
             "are (crow 5.6)",
     .type = GT_CHOICE,
     .choices = start_choices,
     .field = GT_OPTION_FIELD(theta_options, start)},
    {0},
};

typedef struct theta_row {
    double theta;
    int order;
} theta_row;

enum { PAST = 2 }; /* points behind the accepted one */

typedef struct theta_state {
    theta_options options;
    gt_implicit implicit;
    double h_past[PAST],
        *x_past[PAST]; /* newest first; h_past[i] is the step that led away from x_past[i] */
    int known;         /* how many of them */
    double *half;      /* the end of two half steps */
} theta_state;

static const theta_row *row_of(const gt_stepper *s) { return s->method->data; }

static gt_facts facts(const gt_method *self, const double *v)
{
    (void)v;
    int order = ((const theta_row *)self->data)->order;
    return (gt_facts){.kind = GT_KIND_IMPLICIT,
                      .order = order,
                      .error_order = order,
                      .flags = GT_TREATS_ALGEBRAIC | GT_TREATS_MASS | GT_USES_JACOBIAN |
                               GT_TREATS_RANKS};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    theta_state *w = s->state;
    gt_params_fill(options, s->options.v, &w->options);
    gt_implicit_layout(&w->implicit, w->options.dae, &w->options.linear, s->problem, arena);
    for (int i = 0; i < PAST; i++) w->x_past[i] = gt_arena_doubles(arena, s->n);
    w->half = gt_arena_doubles(arena, s->n);
    return GT_OK;
}

static gt_status prepare(gt_stepper *s)
{
    theta_state *w = s->state;
    return gt_implicit_prepare(&w->implicit, s, w->options.newton_tol, w->options.newton_fraction);
}

static void restart(gt_stepper *s)
{
    theta_state *w = s->state;
    w->known = 0;
    gt_implicit_restart(&w->implicit);
}

/* One step of size h from (t, base) with slope f there (not read when theta = 1); the guess is in
 * x. */
static gt_status solve(gt_stepper *s, double t, double h, const double *base, const double *f,
                       double *x)
{
    gt_implicit *equations = &((theta_state *)s->state)->implicit;
    double theta = row_of(s)->theta;
    equations->t_end = t + h;
    equations->gamma = theta * h;
    equations->base = base;
    for (size_t i = 0; i < s->n; i++) equations->rest[i] = theta < 1 ? (1 - theta) * h * f[i] : 0;
    return gt_implicit_solve(equations, s, x);
}

/* Value a time u after the accepted point of the polynomial through it and `past` points before it
 * (Newton's form). */
static void extrapolate(const gt_stepper *s, double u, int past, double *x)
{
    const theta_state *w = s->state;
    double a = past > 0 ? w->h_past[0] : 1, b = past > 1 ? w->h_past[1] : 1;
    for (size_t i = 0; i < s->n; i++) {
        double d1 = past > 0 ? (s->x[i] - w->x_past[0][i]) / a : 0;
        double d2 = past > 1 ? (d1 - (w->x_past[0][i] - w->x_past[1][i]) / b) / (a + b) : 0;
        x[i] = s->x[i] + u * d1 + u * (u + a) * d2;
    }
}

/* (p+1)-th divided difference times C (p+1)! h^(p+1). */
static void error_by_differences(const gt_stepper *s, double h, const double *x_new, double *err)
{
    const theta_state *w = s->state;
    double a = w->h_past[0];
    bool shrunk = a > 2 * h && w->options.start != UNCHECKED;
    if (row_of(s)->order == 1) {
        double scale = shrunk ? 0.5 * h * (h + a) : h * h;
        for (size_t i = 0; i < s->n; i++) {
            double d2 = ((x_new[i] - s->x[i]) / h - (s->x[i] - w->x_past[0][i]) / a) / (h + a);
            err[i] = -scale * d2;
        }
        return;
    }
    double b = w->h_past[1],
           scale = shrunk ? fmax(0.5 * h * h * h, h * (h + a) * (h + a + b) / 12) : 0.5 * h * h * h;
    for (size_t i = 0; i < s->n; i++) {
        double d1 = (s->x[i] - w->x_past[0][i]) / a;
        double d2_new = ((x_new[i] - s->x[i]) / h - d1) / (h + a);
        double d2 = (d1 - (w->x_past[0][i] - w->x_past[1][i]) / b) / (a + b);
        err[i] = -scale * (d2_new - d2) / (h + a + b); /* (5.127) */
    }
}

/* The step again as two halves, into w->half; the slope in the middle goes to s->f_new. */
static gt_status two_halves(gt_stepper *s, double h, const double *x)
{
    theta_state *w = s->state;
    double *middle = s->x_new;
    memcpy(middle, x, s->n * sizeof *x);
    gt_status status = solve(s, s->t, h / 2, x, s->f, middle);
    if (!status && row_of(s)->theta < 1) status = gt_rhs(s, s->t + h / 2, middle, s->f_new);
    if (status) return status;
    memcpy(w->half, middle, s->n * sizeof *x);
    return solve(s, s->t + h / 2, h / 2, middle, s->f_new, w->half);
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    theta_state *w = s->state;
    const theta_row *row = row_of(s);
    gt_status status = row->theta < 1 ? gt_slope(s) : GT_OK;
    bool few = err && w->known < row->order, by_halves = few && w->options.start != UNCHECKED;
    if (!status && by_halves) status = two_halves(s, h, x);
    if (status) return status;
    extrapolate(s, h, w->known < row->order ? w->known : row->order, x_new);
    status = solve(s, s->t, h, x, s->f, x_new);
    if (status || !err) return status;
    double richardson = row->order == 1 ? 2 : 4.0 / 3;
    s->unchecked = few && !by_halves;
    if (s->unchecked)
        memset(err, 0, s->n * sizeof *err);
    else if (by_halves)
        for (size_t i = 0; i < s->n; i++) err[i] = richardson * (w->half[i] - x_new[i]);
    else
        error_by_differences(s, h, x_new, err);
    return GT_OK;
}

static void accept(gt_stepper *s)
{
    theta_state *w = s->state;
    double *oldest = w->x_past[1];
    w->x_past[1] = w->x_past[0];
    w->h_past[1] = w->h_past[0];
    w->x_past[0] = memcpy(oldest, s->x, s->n * sizeof *oldest);
    w->h_past[0] = s->h;
    if (w->known < PAST) w->known++;
    gt_implicit_accept(&w->implicit);
}

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    const theta_state *w = s->state;
    double u = theta * h, a = w->known ? w->h_past[0] : 1;
    for (size_t i = 0; i < s->n; i++) {
        double d1 = (s->x_new[i] - s->x[i]) / h;
        double d2 = w->known ? (d1 - (s->x[i] - w->x_past[0][i]) / a) / (h + a) : 0;
        x[i] = s->x[i] + u * d1 + u * (u - h) * d2;
    }
    return GT_OK;
}

static void release(gt_stepper *s) { gt_implicit_free(&((theta_state *)s->state)->implicit); }

static void rational(const gt_method *self, const double *v, gt_rational *R)
{
    (void)v;
    double theta = ((const theta_row *)self->data)->theta;
    R->num_degree = theta < 1 ? 1 : 0;
    R->den_degree = 1;
    R->num[0] = R->den[0] = 1;
    R->num[1] = 1 - theta;
    R->den[1] = -theta;
}

static const theta_row beuler_row = {.theta = 1, .order = 1};
static const theta_row trapezoidal_row = {.theta = 0.5, .order = 2};

#define THETA_METHOD(id, role, letters, order, title_text, reference_text)                         \
    const gt_method gt_method_##id = {                                                             \
        .name = #id,                                                                               \
        .roles = (role),                                                                           \
        .xpp = letters,                                                                            \
        .family = "implicit one-step",                                                             \
        .title = title_text,                                                                       \
        .reference = reference_text,                                                               \
        .memory = "J of the last point and of a trial, and I - gamma J; 2 past points, "           \
                  "the step in halves, Newton's guess and correction",                             \
        .options = options,                                                                        \
        .facts = facts,                                                                            \
        .formula = &gt_adams_moulton[order - 1],                                                   \
        .data = &id##_row,                                                                         \
        .state_size = sizeof(theta_state),                                                         \
        .layout = layout,                                                                          \
        .prepare = prepare,                                                                        \
        .step = step,                                                                              \
        .accept = accept,                                                                          \
        .restart = restart,                                                                        \
        .release = release,                                                                        \
        .interpolate = interpolate,                                                                \
        .rational = rational};

THETA_METHOD(beuler, 0, "b", 1, "backward Euler, implicit, order 1, L-stable", "crow (5.20)")
THETA_METHOD(trapezoidal, GT_ROLE_STIFF_FIXED, NULL, 2,
             "trapezoidal rule, implicit, order 2, A-stable", "crow (5.24)")

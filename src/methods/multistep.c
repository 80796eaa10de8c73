/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linear multistep methods of fixed order k, crow 5.2-5.7: Adams-Bashforth, Adams-Moulton and
 * Gear's formulas, and any other one that is given at run time,
 *
 *     M (x_new - sum a_i x_(n-i)) = h sum b_i f_(n-i)     differential rows, (5.137)
 *                               0 = g(t_new, x_new)       algebraic rows, (5.138)
 *
 * with the weights of multistep_formulas.c, the exact ones while the steps are equal. A formula
 * with fewer coefficients than its order determines has no weights for other steps: it runs at
 * fixed step only, and begins anew where that changes. The guess for the implicit ones is the
 * Adams-Bashforth formula, or the polynomial through the past points where f is not the slope.
 *
 * The local error is C h^(k+1) x^(k+1), the derivative from divided differences over the last k + 2
 * points, (5.115)-(5.122), with the C of the steps at hand: err = C h^(k+1) (k+1)! [x_new, x_n,
 * ..., x_(n-k)] or, for the formulas of Adams, from the slopes; multistep_error.c says why.
 *
 * While there are too few points the step is made by Euler's method extrapolated to order k + 1,
 * forward for the explicit formulas and backward for the implicit ones (euler_start.c), so that the
 * order is the stated one from the first step on. err is then the difference to the extrapolation
 * of order k; in the step for which there are enough points for the formula but not for the
 * differences it is the difference between the extrapolation and the formula.
 *
 * Dense output: x_n plus the integral of the polynomial through the last k slopes (Adams), the
 * polynomial through the last k + 1 points (Gear), or cubic Hermite (Adams up to order 3 and in the
 * first steps).
 */
#include "kit/euler_start.h"
#include "kit/multistep_error.h"
#include "kit/multistep_formulas.h"
#include "problem/norm.h"
#include <assert.h>
#include <geartrain/methods.h>
#include <math.h>
#include <string.h>

enum { MAX_ORDER = GT_MULTISTEP_MAX_ORDER, POINTS = MAX_ORDER + 2 };

/* Of all families; what a table does not have is 0. */
typedef struct multistep_options {
    enum { CHECKED, UNCHECKED } start;
    double newton_tol, newton_fraction;
    gt_implicit_way dae;
    gt_linear_options linear;
    enum { NEWTON_ITERATION, FIXEDPOINT } solver;
} multistep_options;

static const char *const start_choices[] = {[CHECKED] = "checked", [UNCHECKED] = "unchecked", NULL};
static const char *const solver_choices[] = {
    [NEWTON_ITERATION] = "newton", [FIXEDPOINT] = "fixedpoint", NULL};
#define START_OPTION                                                                               \
    {                                                                                              \
        .name = "start",                                                                           \
        .help = "at controlled step: the first steps are checked, or taken with h0 as they are, "  \
                "and errors are those "                                                            \
                "of crow 5.6 throughout",                                                          \
        .type = GT_CHOICE, .choices = start_choices,                                               \
        .field = GT_OPTION_FIELD(multistep_options, start)                                         \
    }
static const gt_param bashforth_options[] = {START_OPTION, {0}};
static const gt_param gear_options[] = {START_OPTION,
                                        GT_NEWTON_OPTIONS(multistep_options),
                                        GT_DAE_OPTION(multistep_options),
                                        GT_LINEAR_OPTIONS(multistep_options),
                                        {0}};
static const gt_param moulton_options[] = {
    START_OPTION,
    GT_NEWTON_OPTIONS(multistep_options),
    GT_DAE_OPTION(multistep_options),
    GT_LINEAR_OPTIONS(multistep_options),
    {.name = "solver",
     .help = "Newton, or fixed-point iteration without Jacobians (not stiff)",
     .type = GT_CHOICE,
     .choices = solver_choices,
     .field = GT_OPTION_FIELD(multistep_options, solver)},
    {0}};

typedef struct multistep_state {
    multistep_options options;
    gt_implicit implicit;     /* not for Adams-Bashforth */
    double h_past[MAX_ORDER]; /* h_past[i]: from x_past[i] to the point after it; newest first */
    double *x_past[MAX_ORDER];
    double *f_past[MAX_ORDER];    /* Adams only */
    int known;                    /* how many past points */
    double *table[MAX_ORDER + 1]; /* extrapolation; its best value is the last */
    double *sum;                  /* sum a_i x_(n-i); the beginning of a substep */
} multistep_state;

static gt_multistep_family family_of(const gt_method *m)
{
    return *(const gt_multistep_family *)m->data;
}

static bool is_adams(const gt_method *m)
{
    return family_of(m) == GT_ADAMS_BASHFORTH || family_of(m) == GT_ADAMS_MOULTON;
}

static bool is_implicit(const gt_method *m) { return m->formula->b[0].num != 0; }

/* It takes neither a Jacobian nor Newton's iteration. */
static bool is_simple(const gt_method *m, const multistep_options *o)
{
    return !is_implicit(m) || o->solver == FIXEDPOINT;
}

/* Points before the accepted one that are kept: for the formula and for the differences of the
 * error. */
static int past_points(const gt_method *m)
{
    return m->formula->order >= m->formula->steps ? m->formula->order : m->formula->steps - 1;
}

/* And slopes there. Adams' formulas also guess with them. */
static int past_slopes(const gt_method *m)
{
    int count = is_adams(m) ? m->formula->order - 1 : m->formula->steps - 1;
    while (!is_adams(m) && count > 0 && !m->formula->b[count + 1].num) count--;
    return count;
}

/* At the accepted point: in the formula, for the guess, or for an explicit start. */
static bool needs_slope(const gt_method *m, const multistep_options *o)
{
    return is_adams(m) || is_simple(m, o) || past_slopes(m) || m->formula->b[1].num;
}

static const unsigned of_newton = GT_TREATS_ALGEBRAIC | GT_TREATS_MASS | GT_USES_JACOBIAN;

static gt_facts facts(const gt_method *self, const double *v)
{
    multistep_options o = {0};
    gt_params_fill(self->options, v, &o);
    int order = self->formula->order;
    bool any_steps = family_of(self) != GT_GENERAL || gt_multistep_is_determined(self->formula);
    return (gt_facts){.kind = is_implicit(self) ? GT_KIND_IMPLICIT : GT_KIND_EXPLICIT,
                      .order = order,
                      .error_order = any_steps ? order : 0,
                      .evaluations = is_implicit(self) ? 0 : 1,
                      .flags = GT_TREATS_RANKS | (is_simple(self, &o) ? 0 : of_newton)};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    multistep_state *w = s->state;
    const gt_method *m = s->method;
    gt_params_fill(m->options, s->options.v, &w->options);
    for (int i = 0; i < past_points(m); i++) w->x_past[i] = gt_arena_doubles(arena, s->n);
    for (int i = 0; i < past_slopes(m); i++) w->f_past[i] = gt_arena_doubles(arena, s->n);
    for (int i = 0; i <= m->formula->order; i++) w->table[i] = gt_arena_doubles(arena, s->n);
    if (!is_implicit(m)) return GT_OK;
    w->sum = gt_arena_doubles(arena, s->n);
    gt_implicit_way way = is_simple(m, &w->options) ? GT_FIXED_POINT : w->options.dae;
    gt_implicit_layout(&w->implicit, way, &w->options.linear, s->problem, arena);
    return GT_OK;
}

static gt_status prepare(gt_stepper *s)
{
    multistep_state *w = s->state;
    if (!is_implicit(s->method)) return GT_OK;
    return gt_implicit_prepare(&w->implicit, s, w->options.newton_tol, w->options.newton_fraction);
}

static void restart(gt_stepper *s)
{
    multistep_state *w = s->state;
    w->known = 0;
    if (is_implicit(s->method)) gt_implicit_restart(&w->implicit);
}

/* f is the slope of x, in all components. */
static bool f_is_slope(const gt_stepper *s) { return !s->problem->n_alg && !s->problem->mass; }

/* tau[0] = 1 for the new point, tau[1 + i] for x_(n-i), in units of h. */
static void place(const multistep_state *w, double h, double *tau)
{
    double back = 0;
    tau[0] = 1;
    tau[1] = 0;
    for (int i = 0; i < w->known; i++) tau[i + 2] = -(back += w->h_past[i]) / h;
}

/* Weights for the steps at hand; false when the formula has none for them. */
static bool weigh(const gt_stepper *s, double h, const double *tau, gt_multistep_weights *weights)
{
    const multistep_state *w = s->state;
    const gt_multistep *formula = s->method->formula;
    for (int i = 0; i < formula->steps - 1; i++) {
        if (w->h_past[i] == h) continue;
        if (family_of(s->method) == GT_GENERAL)
            return gt_multistep_weigh_any(formula, tau + 1, weights);
        gt_multistep_weigh(family_of(s->method), formula->order, tau + 1, weights);
        return true;
    }
    for (int i = 0; i < GT_MAX_PAST; i++) weights->a[i] = gt_ratio_value(formula->a[i]);
    for (int i = 0; i <= GT_MAX_PAST; i++) weights->b[i] = gt_ratio_value(formula->b[i]);
    weights->error = gt_ratio_value(formula->error);
    return true;
}

/* y += sum_i scale weight_i v_i over x_n or f_n (`now`) and the past ones. */
static void add_up(const gt_stepper *s, int count, double scale, const double *weight,
                   const double *now, double *const *past, double *y)
{
    for (int j = 0; j < count; j++) {
        const double *v = j ? past[j - 1] : now;
        double factor = scale * weight[j];
        for (size_t i = 0; i < s->n && factor != 0; i++) y[i] += factor * v[i];
    }
}

/* The guess for the implicit formulas. */
static void predict(const gt_stepper *s, double h, const double *tau, double *x)
{
    const multistep_state *w = s->state;
    double weight[POINTS];
    int order = s->method->formula->order, known = w->known;
    if (family_of(s->method) == GT_ADAMS_MOULTON && f_is_slope(s)) {
        int count = known + 1 < order ? known + 1 : order;
        gt_multistep_integrate(count, tau + 1, 1, weight);
        memcpy(x, s->x, s->n * sizeof *x);
        add_up(s, count, h, weight, s->f, w->f_past, x);
        return;
    }
    int count = known < order ? known + 1 : order + 1;
    gt_multistep_lagrange(count, tau + 1, 1, weight);
    memset(x, 0, s->n * sizeof *x);
    add_up(s, count, 1, weight, s->x, w->x_past, x);
}

/* The new point by the formula; there are enough past points. */
static gt_status advance(gt_stepper *s, double h, const double *tau,
                         const gt_multistep_weights *weights, const double *x, double *x_new)
{
    multistep_state *w = s->state;
    int steps = s->method->formula->steps;
    double *sum = is_implicit(s->method) ? w->sum : x_new;
    /* The a_i add up to 1. With differences to x_n what does not change stays as it is, and leaves
     * no round-off for formulas that are not stable while the step grows fast to lift. */
    memcpy(sum, x, s->n * sizeof *sum);
    for (int j = 1; j < steps; j++)
        for (size_t i = 0; i < s->n && weights->a[j] != 0; i++)
            sum[i] += weights->a[j] * (w->x_past[j - 1][i] - x[i]);
    if (!is_implicit(s->method)) {
        add_up(s, steps, h, weights->b + 1, s->f, w->f_past, x_new);
        return GT_OK;
    }
    gt_implicit *equations = &w->implicit;
    equations->base = sum;
    memset(equations->rest, 0, s->n * sizeof *x);
    add_up(s, steps, h, weights->b + 1, s->f, w->f_past, equations->rest);
    equations->t_end = s->t + h;
    equations->gamma = h * weights->b[0];
    predict(s, h, tau, x_new);
    return gt_implicit_solve(equations, s, x_new);
}

/* The step by extrapolation: w->table[k] has order k + 1, w->table[k-1] order k. y is scratch. */
static gt_status start(gt_stepper *s, double h, const double *x, double *y, double *jump)
{
    multistep_state *w = s->state;
    gt_euler_start e = {.order = s->method->formula->order + 1,
                        .table = w->table,
                        .base = w->sum,
                        .y = y,
                        .jump = jump};
    int slopes = past_slopes(s->method);
    e.first = is_simple(s->method, &w->options) ? slopes ? w->f_past[slopes - 1] : NULL : s->f_new;
    if (!e.first) e.jump = NULL;
    if (jump && !e.jump) memset(jump, 0, s->n * sizeof *jump);
    if (w->known) {
        e.x_before = w->x_past[0];
        e.h_before = w->h_past[0];
    }
    if (!is_simple(s->method, &w->options)) e.implicit = &w->implicit;
    return gt_euler_extrapolate(&e, s, h, x);
}

static bool as_in_the_chapter(const gt_stepper *s)
{
    return ((const multistep_state *)s->state)->options.start == UNCHECKED;
}

/* The error comes from slopes, of which k - 1 past ones are needed, rather than from k past points.
 */
static bool by_slopes(const gt_stepper *s)
{
    return is_adams(s->method) && f_is_slope(s) && !as_in_the_chapter(s) &&
           (!is_implicit(s->method) || s->method->formula->order > 2);
}

/* There are enough points. */
static gt_status find_error(gt_stepper *s, const gt_multistep_points *points, double *err)
{
    const gt_method *m = s->method;
    if (by_slopes(s)) return gt_multistep_by_slopes(s, points, err);
    gt_multistep_by_differences(s, points,
                                is_adams(m) && m->formula->order > 2 && !as_in_the_chapter(s), err);
    return is_implicit(m) || as_in_the_chapter(s) ? GT_OK
                                                  : gt_multistep_hold_against_slope(s, points, err);
}

/* s->f at the accepted point. One that is not finite spoils this trial, but the next one asks
 * again. */
static gt_status slope(gt_stepper *s)
{
    gt_status status = gt_slope(s);
    if (!status && !gt_finite_over_ranks(s->problem, s->f, s->n)) s->f_known = false;
    return status;
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    multistep_state *w = s->state;
    const gt_multistep *formula = s->method->formula;
    int order = formula->order;
    double tau[POINTS];
    gt_multistep_weights weights = {0};
    place(w, h, tau);
    bool starting = w->known < formula->steps - 1 || !weigh(s, h, tau, &weights);
    bool few = err && w->known < (by_slopes(s) ? order - 1 : order);
    bool unchecked = few && as_in_the_chapter(s);
    gt_status status = needs_slope(s->method, &w->options) ? slope(s) : GT_OK;
    /* not yet in use */
    double *jump = few && !unchecked ? w->x_past[past_points(s->method) - 1] : NULL;
    if (!status && (starting || jump)) status = start(s, h, x, x_new, jump);
    if (status) return status;
    const double *best = w->table[order];
    if (starting)
        memcpy(x_new, best, s->n * sizeof *x_new);
    else
        status = advance(s, h, tau, &weights, x, x_new);
    if (status || !err) return status;
    s->unchecked = unchecked;
    const double *lower = starting ? w->table[order - 1] : x_new;
    if (unchecked)
        memset(err, 0, s->n * sizeof *err);
    else if (few)
        for (size_t i = 0; i < s->n; i++) {
            double e = best[i] - lower[i];
            err[i] = fabs(e) < jump[i] ? jump[i] : e;
        }
    else
        return find_error(s,
                          &(gt_multistep_points){
                              .order = order,
                              .h = h,
                              .tau = tau,
                              .C = weights.error,
                              .C_equal = as_in_the_chapter(s) ? 0 : gt_ratio_value(formula->error),
                              .x = x,
                              .x_new = x_new,
                              .x_past = w->x_past,
                              .f_past = w->f_past},
                          err);
    return GT_OK;
}

/* Puts a copy of v before the others. */
static void push(double **past, int count, const double *v, size_t n)
{
    double *oldest = past[count - 1];
    memmove(past + 1, past, (size_t)(count - 1) * sizeof *past);
    past[0] = memcpy(oldest, v, n * sizeof *v);
}

static void accept(gt_stepper *s)
{
    multistep_state *w = s->state;
    int points = past_points(s->method), slopes = past_slopes(s->method);
    double taken = s->t_new - s->t;
    push(w->x_past, points, s->x, s->n);
    if (slopes) push(w->f_past, slopes, s->f, s->n);
    memmove(w->h_past + 1, w->h_past, (MAX_ORDER - 1) * sizeof *w->h_past);
    w->h_past[0] = fabs(taken - s->h) <= 1e-8 * s->h
                       ? s->h
                       : taken; /* times on a grid are rounded, steps are not */
    if (w->known < points) w->known++;
    if (is_implicit(s->method)) gt_implicit_accept(&w->implicit);
}

/* x_n + theta (x_new - x_n) + h sum_i (integral_0^theta L_i - theta integral_0^1 L_i) f_i, which
 * meets both ends. */
static void integrate_slopes(const gt_stepper *s, double h, const double *tau, int count,
                             double theta, double *x)
{
    const multistep_state *w = s->state;
    double part[POINTS], whole[POINTS];
    gt_multistep_integrate(count, tau, theta, part);
    gt_multistep_integrate(count, tau, 1, whole);
    for (int i = 0; i < count; i++) part[i] -= theta * whole[i];
    for (size_t i = 0; i < s->n; i++)
        x[i] = s->x[i] + theta * (s->x_new[i] - s->x[i]) + h * part[0] * s->f_new[i];
    add_up(s, count - 1, h, part + 1, s->f, w->f_past, x);
}

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    const multistep_state *w = s->state;
    int order = s->method->formula->order, known = w->known;
    double tau[POINTS], weight[POINTS];
    place(w, h, tau);
    int slopes = known + 2 < order ? known + 2 : order,
        points = known + 2 < order + 1 ? known + 2 : order + 1;
    /* Slopes of stiff components are large multiples of their errors: none that are A-stable. */
    bool stiff = order <= 2 && known && family_of(s->method) == GT_ADAMS_MOULTON;
    if (f_is_slope(s) && is_adams(s->method) && !stiff) {
        gt_status status = gt_slopes(s);
        if (status) return status;
        if (slopes > 3)
            integrate_slopes(s, h, tau, slopes, theta, x);
        else
            gt_hermite(s, h, theta, x);
        return GT_OK;
    }
    gt_multistep_lagrange(points, tau, theta, weight);
    for (size_t i = 0; i < s->n; i++) x[i] = weight[0] * s->x_new[i];
    add_up(s, points - 1, 1, weight + 1, s->x, w->x_past, x);
    return GT_OK;
}

static void release(gt_stepper *s)
{
    if (is_implicit(s->method)) gt_implicit_free(&((multistep_state *)s->state)->implicit);
}

static const gt_multistep_family bashforth_family = GT_ADAMS_BASHFORTH,
                                 moulton_family = GT_ADAMS_MOULTON, gear_family = GT_GEAR,
                                 general_family = GT_GENERAL;

#define MULTISTEP(id, letters, family_row, option_rows, family_text, formula_row, memory_text,     \
                  title_text, reference_text)                                                      \
    const gt_method gt_method_##id = {.name = #id,                                                 \
                                      .xpp = letters,                                              \
                                      .family = family_text,                                       \
                                      .title = title_text,                                         \
                                      .reference = reference_text,                                 \
                                      .memory = memory_text,                                       \
                                      .options = option_rows,                                      \
                                      .facts = facts,                                              \
                                      .formula = &formula_row,                                     \
                                      .data = &family_row,                                         \
                                      .state_size = sizeof(multistep_state),                       \
                                      .layout = layout,                                            \
                                      .prepare = prepare,                                          \
                                      .step = step,                                                \
                                      .accept = accept,                                            \
                                      .restart = restart,                                          \
                                      .release = release,                                          \
                                      .interpolate = interpolate};

#define NEWTON                                                                                     \
    "J of the last point and of a trial, and I - gamma J; Newton's guess and correction, "
#define PAST_SLOPES "past points and slopes, and the table of the extrapolation that starts it"

void gt_multistep_describe(const gt_multistep *formula, gt_method *m)
{
    assert(formula && m);
    const char *name = m->name, *title = m->title, *reference = m->reference;
    *m = gt_method_gear1;
    m->name = name;
    m->family = "linear multistep";
    m->title = title;
    m->reference = reference;
    m->options = formula->b[0].num ? moulton_options : bashforth_options;
    m->memory = formula->b[0].num ? NEWTON PAST_SLOPES : PAST_SLOPES;
    m->formula = formula;
    m->data = &general_family;
    /* Numbers of Adams are run as such: with their guess and their estimate. */
    for (int k = 0; k < GT_MULTISTEP_ORDERS; k++) {
        if (gt_multistep_same(formula, &gt_adams_bashforth[k])) m->data = &bashforth_family;
        if (gt_multistep_same(formula, &gt_adams_moulton[k])) m->data = &moulton_family;
    }
}

#define BASHFORTH(k)                                                                               \
    MULTISTEP(ab##k, (k) == 4 ? "a" : NULL, bashforth_family, bashforth_options,                   \
              "Adams-Bashforth", gt_adams_bashforth[k - 1], PAST_SLOPES,                           \
              "Adams-Bashforth, explicit multistep, order " #k, "crow (5.8), (5.53)-(5.55)")
#define MOULTON(k)                                                                                 \
    MULTISTEP(am##k, NULL, moulton_family, moulton_options, "Adams-Moulton",                       \
              gt_adams_moulton[k - 1], NEWTON PAST_SLOPES,                                         \
              "Adams-Moulton, implicit multistep, order " #k, "crow (5.8), (5.57)-(5.59)")
#define GEAR(k)                                                                                    \
    MULTISTEP(gear##k, NULL, gear_family, gear_options, "Gear (BDF)", gt_gear_formula[k - 1],      \
              NEWTON "past points, and the table of the extrapolation that starts it",             \
              "Gear's backward differentiation formula, implicit multistep, order " #k,            \
              "crow (5.8), (5.61)-(5.62)")

/* clang-format off */
BASHFORTH(1) BASHFORTH(2) BASHFORTH(3) BASHFORTH(4) BASHFORTH(5) BASHFORTH(6)
MOULTON(1) MOULTON(2) MOULTON(3) MOULTON(4) MOULTON(5) MOULTON(6)
GEAR(1) GEAR(2) GEAR(3) GEAR(4) GEAR(5) GEAR(6)
    /* clang-format on */

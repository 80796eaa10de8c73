/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linear multistep methods of fixed order k, crow 5.2-5.7: Adams-Bashforth, Adams-Moulton and Gear's formulas,
 *
 *     M (x_new - sum a_i x_(n-i)) = h sum b_i f_(n-i)     differential rows, (5.137)
 *                               0 = g(t_new, x_new)       algebraic rows, (5.138)
 *
 * with the weights of multistep_formulas.c, the exact ones while the steps are equal. The guess for the implicit ones
 * is the Adams-Bashforth formula, or the polynomial through the past points where f is not the slope.
 *
 * The local error is C h^(k+1) x^(k+1), the derivative from divided differences over the last k + 2 points,
 * (5.115)-(5.122), with the C of the steps at hand:
 *     err = C h^(k+1) (k+1)! [x_new, x_n, ..., x_(n-k)]
 *
 * While there are too few points the step is made by Euler's method extrapolated to order k + 1, forward for the
 * explicit formulas and backward for the implicit ones (euler_start.c), so that the order is the stated one from the
 * first step on. err is then the difference to the extrapolation of order k; in the step for which there are enough
 * points for the formula but not for the differences it is the difference between the extrapolation and the formula.
 *
 * Dense output: x_n plus the integral of the polynomial through the last k slopes (Adams), the polynomial through the
 * last k + 1 points (Gear), or cubic Hermite (Adams up to order 3 and in the first steps).
 */
#include "methods/euler_start.h"
#include "methods/methods.h"
#include "methods/multistep_formulas.h"
#include <math.h>
#include <string.h>

enum { MAX_ORDER = GT_MULTISTEP_ORDERS, POINTS = MAX_ORDER + 2 };

static const char *const start_choices[] = {"checked", "unchecked", NULL};
static const char *const solver_choices[] = {"newton", "fixedpoint", NULL};
enum { UNCHECKED = 1, FIXEDPOINT = 1 };
#define START_OPTION                                                                                                   \
    {                                                                                                                  \
        .name = "start", .help = "at controlled step: the first steps are checked, or taken with h0 as they are",      \
        .type = GT_CHOICE, .choices = start_choices                                                                    \
    }
enum { OPT_START, OPT_NEWTON_TOL, OPT_NEWTON_FRACTION, OPT_DAE, OPT_SOLVER };
static const gt_param bashforth_options[] = {START_OPTION, {0}};
static const gt_param gear_options[] = {START_OPTION, GT_NEWTON_OPTIONS, GT_DAE_OPTION, {0}};
static const gt_param moulton_options[] = {START_OPTION,
                                           GT_NEWTON_OPTIONS,
                                           GT_DAE_OPTION,
                                           {.name = "solver",
                                            .help = "Newton, or fixed-point iteration without Jacobians (not stiff)",
                                            .type = GT_CHOICE,
                                            .choices = solver_choices},
                                           {0}};

typedef struct multistep_state {
    gt_implicit implicit;     /* not for Adams-Bashforth */
    double h_past[MAX_ORDER]; /* h_past[i]: from x_past[i] to the point after it; newest first */
    double *x_past[MAX_ORDER];
    double *f_past[MAX_ORDER];    /* Adams only */
    int known;                    /* how many past points */
    double *table[MAX_ORDER + 1]; /* extrapolation; its best value is the last */
    double *sum;                  /* sum a_i x_(n-i); the beginning of a substep */
} multistep_state;

static gt_multistep_family family_of(const gt_method *m) { return *(const gt_multistep_family *)m->data; }

static bool is_explicit(const gt_method *m, const double *v)
{
    gt_multistep_family family = family_of(m);
    return family == GT_ADAMS_BASHFORTH || (family == GT_ADAMS_MOULTON && v[OPT_SOLVER] == FIXEDPOINT);
}

static gt_facts facts(const gt_method *self, const double *v)
{
    int order = self->formula->order;
    return (gt_facts){.order = order,
                      .error_order = order,
                      .evaluations = family_of(self) == GT_ADAMS_BASHFORTH ? 1 : 0,
                      .flags = is_explicit(self, v) ? 0 : GT_TREATS_ALGEBRAIC | GT_TREATS_MASS | GT_USES_JACOBIAN};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    multistep_state *w = s->state;
    gt_multistep_family family = family_of(s->method);
    int order = s->method->formula->order;
    for (int i = 0; i < order; i++) w->x_past[i] = gt_arena_doubles(arena, s->n);
    for (int i = 0; i < order - 1 && family != GT_GEAR; i++) w->f_past[i] = gt_arena_doubles(arena, s->n);
    for (int i = 0; i <= order; i++) w->table[i] = gt_arena_doubles(arena, s->n);
    if (family == GT_ADAMS_BASHFORTH) return GT_OK;
    w->sum = gt_arena_doubles(arena, s->n);
    gt_implicit_way way =
        is_explicit(s->method, s->options.v) ? GT_FIXED_POINT : (gt_implicit_way)s->options.v[OPT_DAE];
    gt_implicit_layout(&w->implicit, way, s->problem, arena);
    return GT_OK;
}

static gt_status prepare(gt_stepper *s)
{
    multistep_state *w = s->state;
    if (family_of(s->method) == GT_ADAMS_BASHFORTH) return GT_OK;
    return gt_implicit_prepare(&w->implicit, s, s->options.v[OPT_NEWTON_TOL], s->options.v[OPT_NEWTON_FRACTION]);
}

static void restart(gt_stepper *s)
{
    multistep_state *w = s->state;
    w->known = 0;
    if (family_of(s->method) != GT_ADAMS_BASHFORTH) gt_implicit_restart(&w->implicit);
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

static void weigh(const gt_stepper *s, double h, const double *tau, gt_multistep_weights *weights)
{
    const multistep_state *w = s->state;
    const gt_multistep *formula = s->method->formula;
    for (int i = 0; i < formula->steps - 1; i++) {
        if (w->h_past[i] != h) {
            gt_multistep_weigh(family_of(s->method), formula->order, tau + 1, weights);
            return;
        }
    }
    for (int i = 0; i < GT_MAX_PAST; i++) weights->a[i] = gt_ratio_value(formula->a[i]);
    for (int i = 0; i <= GT_MAX_PAST; i++) weights->b[i] = gt_ratio_value(formula->b[i]);
    weights->error = gt_ratio_value(formula->error);
}

/* y += sum_i scale weight_i v_i over x_n or f_n (`now`) and the past ones. */
static void add_up(const gt_stepper *s, int count, double scale, const double *weight, const double *now,
                   double *const *past, double *y)
{
    for (int j = 0; j < count; j++) {
        const double *v = j ? past[j - 1] : now;
        double factor = scale * weight[j];
        for (size_t i = 0; i < s->n; i++) y[i] += factor * v[i];
    }
}

/* Values at u of the Lagrange polynomials of `count` nodes. */
static void lagrange(int count, const double *node, double u, double *value)
{
    for (int i = 0; i < count; i++) {
        value[i] = 1;
        for (int j = 0; j < count; j++) {
            if (j != i) value[i] *= (u - node[j]) / (node[i] - node[j]);
        }
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
    lagrange(count, tau + 1, 1, weight);
    memset(x, 0, s->n * sizeof *x);
    add_up(s, count, 1, weight, s->x, w->x_past, x);
}

/* The new point by the formula; there are enough past points. */
static gt_status advance(gt_stepper *s, double h, const double *tau, const gt_multistep_weights *weights,
                         const double *x, double *x_new)
{
    multistep_state *w = s->state;
    gt_multistep_family family = family_of(s->method);
    int steps = s->method->formula->steps;
    if (family == GT_ADAMS_BASHFORTH) {
        memcpy(x_new, x, s->n * sizeof *x);
        add_up(s, steps, h, weights->b + 1, s->f, w->f_past, x_new);
        return GT_OK;
    }
    gt_implicit *equations = &w->implicit;
    memset(equations->rest, 0, s->n * sizeof *x);
    equations->base = x;
    if (family == GT_ADAMS_MOULTON) {
        add_up(s, steps, h, weights->b + 1, s->f, w->f_past, equations->rest);
    } else {
        memset(w->sum, 0, s->n * sizeof *x);
        add_up(s, steps, 1, weights->a, x, w->x_past, w->sum);
        equations->base = w->sum;
    }
    equations->t_end = s->t + h;
    equations->gamma = h * weights->b[0];
    predict(s, h, tau, x_new);
    return gt_implicit_solve(equations, s, x_new);
}

/* The step by extrapolation: w->table[k] has order k + 1, w->table[k-1] order k. y is scratch. */
static gt_status start(gt_stepper *s, double h, const double *x, double *y)
{
    multistep_state *w = s->state;
    gt_euler_start e = {.order = s->method->formula->order + 1, .table = w->table, .base = w->sum, .y = y};
    if (!is_explicit(s->method, s->options.v)) e.implicit = &w->implicit;
    return gt_euler_extrapolate(&e, s, h, x);
}

/* C (k+1)! h^(k+1) [x_new, x_n, ..., x_(n-k)]; the divided difference is sum_j x_j / prod_(m != j) (t_j - t_m). */
static void error_by_differences(const gt_stepper *s, const double *tau, double C, const double *x, const double *x_new,
                                 double *err)
{
    const multistep_state *w = s->state;
    int order = s->method->formula->order;
    double weight[POINTS], scale = C;
    for (int j = 0; j <= order + 1; j++) {
        weight[j] = 1;
        for (int m = 0; m <= order + 1; m++) {
            if (m != j) weight[j] /= tau[j] - tau[m];
        }
        if (j) scale *= j;
    }
    for (size_t i = 0; i < s->n; i++) {
        double sum = weight[0] * (x_new[i] - x[i]);
        for (int j = 0; j < order; j++) sum += weight[j + 2] * (w->x_past[j][i] - x[i]);
        err[i] = scale * sum;
    }
}

/* s->f at the accepted point. One that is not finite spoils this trial, but the next one asks again. */
static gt_status slope(gt_stepper *s)
{
    gt_status status = gt_slope(s);
    double sum = 0;
    for (size_t i = 0; i < s->n && !status; i++) sum += s->f[i] - s->f[i];
    if (sum != 0) s->f_known = false; /* NaN */
    return status;
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    multistep_state *w = s->state;
    const gt_multistep *formula = s->method->formula;
    int order = formula->order;
    bool starting = w->known < formula->steps - 1, few = err && w->known < order;
    bool unchecked = few && s->options.v[OPT_START] == UNCHECKED;
    gt_status status = family_of(s->method) == GT_GEAR ? GT_OK : slope(s);
    if (!status && (starting || (few && !unchecked))) status = start(s, h, x, x_new);
    if (status) return status;
    const double *best = w->table[order];
    double tau[POINTS];
    gt_multistep_weights weights = {0};
    if (starting) {
        memcpy(x_new, best, s->n * sizeof *x_new);
    } else {
        place(w, h, tau);
        weigh(s, h, tau, &weights);
        status = advance(s, h, tau, &weights, x, x_new);
    }
    if (status || !err) return status;
    s->unchecked = unchecked;
    const double *lower = starting ? w->table[order - 1] : x_new;
    if (unchecked)
        memset(err, 0, s->n * sizeof *err);
    else if (few)
        for (size_t i = 0; i < s->n; i++) err[i] = best[i] - lower[i];
    else
        error_by_differences(s, tau, weights.error, x, x_new, err);
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
    gt_multistep_family family = family_of(s->method);
    int order = s->method->formula->order;
    double taken = s->t_new - s->t;
    push(w->x_past, order, s->x, s->n);
    if (family != GT_GEAR && order > 1) push(w->f_past, order - 1, s->f, s->n);
    memmove(w->h_past + 1, w->h_past, (MAX_ORDER - 1) * sizeof *w->h_past);
    w->h_past[0] = fabs(taken - s->h) <= 1e-8 * s->h ? s->h : taken; /* times on a grid are rounded, steps are not */
    if (w->known < order) w->known++;
    if (family != GT_ADAMS_BASHFORTH) gt_implicit_accept(&w->implicit);
}

/* x_n + theta (x_new - x_n) + h sum_i (integral_0^theta L_i - theta integral_0^1 L_i) f_i, which meets both ends. */
static void integrate_slopes(const gt_stepper *s, double h, const double *tau, int count, double theta, double *x)
{
    const multistep_state *w = s->state;
    double part[POINTS], whole[POINTS];
    gt_multistep_integrate(count, tau, theta, part);
    gt_multistep_integrate(count, tau, 1, whole);
    for (int i = 0; i < count; i++) part[i] -= theta * whole[i];
    for (size_t i = 0; i < s->n; i++) x[i] = s->x[i] + theta * (s->x_new[i] - s->x[i]) + h * part[0] * s->f_new[i];
    add_up(s, count - 1, h, part + 1, s->f, w->f_past, x);
}

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    const multistep_state *w = s->state;
    gt_multistep_family family = family_of(s->method);
    int order = s->method->formula->order, known = w->known;
    double tau[POINTS], weight[POINTS];
    place(w, h, tau);
    int slopes = known + 2 < order ? known + 2 : order, points = known + 2 < order + 1 ? known + 2 : order + 1;
    if (f_is_slope(s) && family != GT_GEAR) { /* slopes of stiff components are large multiples of their errors */
        gt_status status = gt_slopes(s);
        if (status) return status;
        if (slopes > 3)
            integrate_slopes(s, h, tau, slopes, theta, x);
        else
            gt_hermite(s, h, theta, x);
        return GT_OK;
    }
    lagrange(points, tau, theta, weight);
    for (size_t i = 0; i < s->n; i++) x[i] = weight[0] * s->x_new[i];
    add_up(s, points - 1, 1, weight + 1, s->x, w->x_past, x);
    return GT_OK;
}

static void release(gt_stepper *s)
{
    if (family_of(s->method) != GT_ADAMS_BASHFORTH) gt_implicit_release(&((multistep_state *)s->state)->implicit);
}

static const gt_multistep_family bashforth_family = GT_ADAMS_BASHFORTH, moulton_family = GT_ADAMS_MOULTON,
                                 gear_family = GT_GEAR;

#define MULTISTEP(id, family_row, option_rows, family_text, formula_row, title_text, reference_text)                   \
    const gt_method gt_method_##id = {.name = #id,                                                                     \
                                      .family = family_text,                                                           \
                                      .title = title_text,                                                             \
                                      .reference = reference_text,                                                     \
                                      .options = option_rows,                                                          \
                                      .facts = facts,                                                                  \
                                      .formula = &formula_row,                                                         \
                                      .data = &family_row,                                                             \
                                      .state_size = sizeof(multistep_state),                                           \
                                      .layout = layout,                                                                \
                                      .prepare = prepare,                                                              \
                                      .step = step,                                                                    \
                                      .accept = accept,                                                                \
                                      .restart = restart,                                                              \
                                      .release = release,                                                              \
                                      .interpolate = interpolate};

#define BASHFORTH(k)                                                                                                   \
    MULTISTEP(ab##k, bashforth_family, bashforth_options, "Adams-Bashforth", gt_adams_bashforth[k - 1],                \
              "Adams-Bashforth, explicit multistep, order " #k, "crow (5.8), (5.53)-(5.55)")
#define MOULTON(k)                                                                                                     \
    MULTISTEP(am##k, moulton_family, moulton_options, "Adams-Moulton", gt_adams_moulton[k - 1],                        \
              "Adams-Moulton, implicit multistep, order " #k, "crow (5.8), (5.57)-(5.59)")
#define GEAR(k)                                                                                                        \
    MULTISTEP(gear##k, gear_family, gear_options, "Gear (BDF)", gt_gear_formula[k - 1],                                \
              "Gear's backward differentiation formula, implicit multistep, order " #k, "crow (5.8), (5.61)-(5.62)")

/* clang-format off */
BASHFORTH(1) BASHFORTH(2) BASHFORTH(3) BASHFORTH(4) BASHFORTH(5) BASHFORTH(6)
MOULTON(1) MOULTON(2) MOULTON(3) MOULTON(4) MOULTON(5) MOULTON(6)
GEAR(1) GEAR(2) GEAR(3) GEAR(4) GEAR(5) GEAR(6)
    /* clang-format on */

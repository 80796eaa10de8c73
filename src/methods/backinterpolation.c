/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Backinterpolation, xie chapters 2 and 3. A step has two halves, both by an explicit Runge-Kutta
 * method: forward from x over alpha h to x_a, and *backward* from the unknown x_new over (1 -
 * alpha) h, which must land on x_a:
 *
 *     x_a = Phi_f(alpha h) x                        forward half
 *     Phi_b(-(1 - alpha) h) x_new = x_a             backward half, solved for x_new
 *
 * biPQ has halves of orders P and Q. On x' = lambda x, z = h lambda, with T_k the series of exp cut
 * after z^k,
 *
 *     R(z) = T_P(alpha z) / T_Q(-(1 - alpha) z) (2.8)-(2.11), (2.20)-(2.23)
 *
 * Order: min(P, Q); at alpha = 1/2 with equal halves the step is symmetric, so its order is even:
 * bi11 2, bi33 4, bi55 6 (the thesis has no gain above order 1). alpha = 0 is purely backward, of
 * order Q. Stability: with equal halves at alpha = 1/2, |R| = 1 on the imaginary axis; bi11 to bi44
 * are then A-stable. T_5 has zeros right of the axis, so bi45 and bi55 have poles in the left half
 * plane for every alpha < 1: lightly damped components with h omega in (5.210, 7.791) grow in bi55
 * (the thesis has it F-stable), and bi45 is stable on the imaginary axis for alpha in [0.43622,
 * 0.44861] only (the thesis recommends 0.47).
 *
 * Linear problems x' = A x + g(t), M x' = A x + g(t): partial fractions of R, one solve with M - h
 * r_i A for every real r_i and every pair (bi_numbers.h), no iteration:
 *
 *     x_new = x + h sum_i (M - h r_i A)^-1 [ sigma_i f(t, x) + sum_j omega_ij (g(t_j) - g(t)) ]
 *
 * All other problems: simplified Newton on the backward half, whose matrix P_b(-(1 - alpha) h J) is
 * inverted by partial fractions with the same factors; the guess is the formula above with A = J.
 * Option solver=broyden is the iteration of the thesis (3.5), for comparison.
 *
 * Algebraic rows 0 = g(t, x, y) of index 1: every stage of both halves has the y that g gives for
 * its x, so that a step is one of x' = f(t, x, y(t, x)), with all of its order, symmetry and
 * energy. The systems M - h r_i J have empty algebraic rows of M and so are those of f_x - f_y
 * g_y^-1 g_x. A mass matrix M(x) x' = f that depends on the state is such a problem: x' = v, 0 =
 * M(x) v - f.
 *
 * Error estimate: e_left and e_right are the errors of both halves (half_step.h). A comparison step
 * with weights b_hat in both differs from x_new by P^-1 (e_left + e_right). The thesis takes e_left
 * - e_right, which cancels to leading order at alpha = 1/2 when the error power is odd: option
 * estimate=difference. On linear problems without time-dependent input the leading term of R - exp
 * is taken instead, C z^m / P_b with m - 1 the order, or 1 below it for odd halves that meet in the
 * middle; it costs no further solve.
 *
 * Of halves 4 the errors are h/15 (k_4 - f_end), which is 0 when f depends on t only. Both halves
 * are then Simpson's rule, and the five slopes of a step at 0, alpha/2, alpha, (1 + alpha)/2, 1
 * give their error by a fourth divided difference, which is added (bi_numbers.h). At alpha/2 and (1
 * + alpha)/2 it takes the mean of k_2 and k_3: their errors of order h^2 cancel, and those of order
 * h^3 of both halves cancel at alpha = 1/2, so that the sum is O(h^5) there for every f. Where one
 * half only is of this kind, the slopes at its three times and at the other end of the step give a
 * third difference. On x' = lambda x it adds -z^5/34560 to the leading term -z^5/1920. A single
 * half 4, alpha = 0 or 1, has three times only: a slope at a quarter of the step, on the cubic
 * through both ends, gives a third difference, the distance of the quadratures through 0, 1/2, 1
 * and through 0, 1/4, 1.
 */
#include "base/finite.h"
#include "implicit/index.h"
#include "kit/bi_bend.h"
#include "kit/bi_dense.h"
#include "kit/bi_linear.h"
#include "kit/broyden.h"
#include "kit/implicit.h"
#include <geartrain/methods.h>
#include <math.h>
#include <string.h>

enum { BROYDEN_ITERATIONS = 200 };

typedef struct halves_options {
    double alpha;
    enum { NEWTON, BROYDEN } solver;
    enum { SUM, DIFFERENCE } estimate;
    double newton_tol, newton_fraction;
    gt_linear_options linear;
} halves_options;

/* Beyond this the residues of R are large numbers that cancel. */
static const double alpha_of_fractions = 0.75;

static const char *const solver_choices[] = {[NEWTON] = "newton", [BROYDEN] = "broyden", NULL};
static const char *const estimate_choices[] = {[SUM] = "sum", [DIFFERENCE] = "difference", NULL};
#define BI_OPTIONS(id, alpha_default)                                                              \
    static const gt_param id##_options[] = {                                                       \
        {.name = "alpha",                                                                          \
         .help = "where the halves meet, as a fraction of the step; 0: purely backward, 1: "       \
                 "purely forward",                                                                 \
         .initial = alpha_default,                                                                 \
         .min = 0,                                                                                 \
         .max = 1,                                                                                 \
         .field = GT_OPTION_FIELD(halves_options, alpha)},                                         \
        {.name = "solver",                                                                         \
         .help = "newton: partial fractions of the Jacobian's polynomial; broyden: xie 3.5, from " \
                 "the identity",                                                                   \
         .type = GT_CHOICE,                                                                        \
         .choices = solver_choices,                                                                \
         .field = GT_OPTION_FIELD(halves_options, solver)},                                        \
        {.name = "estimate",                                                                       \
         .help =                                                                                   \
             "error from P^-1 (e_left + e_right), or from P^-1 (e_left - e_right) as in xie 3.4",  \
         .type = GT_CHOICE,                                                                        \
         .choices = estimate_choices,                                                              \
         .field = GT_OPTION_FIELD(halves_options, estimate)},                                      \
        GT_NEWTON_OPTIONS(halves_options),                                                         \
        GT_LINEAR_OPTIONS(halves_options),                                                         \
        {0},                                                                                       \
    }

typedef struct bi_state {
    halves_options options;
    gt_bi_numbers *numbers;
    gt_bi_linear linear; /* step, whose factors also precondition the backward half */
    gt_broyden broyden;
    double *k[GT_HALF_STAGES];
    double *x_a, *f_a, *left,
        *rest;                  /* where the halves meet, the slope and the error there; work */
    double t_end, back;         /* end and length of the backward half of the trial */
    double bend, bend_of_trial; /* of the last step and of the trial, see see_jump */
} bi_state;

static const gt_two_halves *row_of(const gt_method *m) { return m->data; }
static const bi_state *state_of(const gt_stepper *s) { return s->state; }
static bool by_broyden(const gt_stepper *s) { return state_of(s)->options.solver == BROYDEN; }
static const gt_lu *mass_of(const gt_stepper *s)
{
    return s->problem->mass ? &state_of(s)->linear.mass : NULL;
}

static bool by_fractions(const gt_stepper *s)
{
    return (s->problem->linear || s->problem->second_order) && !by_broyden(s) &&
           state_of(s)->options.alpha <= alpha_of_fractions;
}

static gt_facts facts(const gt_method *self, const double *v)
{
    const gt_two_halves *row = row_of(self);
    halves_options o = {0};
    gt_params_fill(self->options, v, &o);
    int power = gt_bi_error_power(row->forward, row->backward, o.alpha, o.estimate == DIFFERENCE);
    /* As measured on van der Pol's equation, slow parts, by stages of the backward half. */
    static const double basins[] = {0, 5000, 5000, 1000, 200, 120, 120, 120};
    int stages = row->backward->tableau.stages;
    return (gt_facts){.kind = GT_KIND_IMPLICIT,
                      .order = gt_bi_order(row->forward, row->backward, o.alpha),
                      .error_order = power - 1,
                      .stages = stages,
                      .systems = 2 * row->backward->order,
                      .basin = basins[stages],
                      .flags = GT_TREATS_MASS | GT_TREATS_ALGEBRAIC |
                               (o.solver == BROYDEN ? 0 : GT_USES_JACOBIAN)};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    bi_state *w = s->state;
    const gt_two_halves *row = row_of(s->method);
    gt_bi_numbers numbers;
    gt_params_fill(s->method->options, s->options.v, &w->options);
    (void)!gt_bi_open(&numbers, row->forward, row->backward, w->options.alpha);
    w->numbers = gt_arena_take(arena, 1, sizeof numbers);
    if (w->numbers) *w->numbers = numbers;
    w->linear.numbers = w->numbers;
    if (by_broyden(s)) {
        gt_broyden_layout(&w->broyden, s->n, arena);
        gt_bi_mass_layout(&w->linear.mass, s->problem, arena);
    } else {
        gt_bi_linear_layout(&w->linear, s->problem, &numbers, &w->options.linear,
                            by_fractions(s) && !s->problem->autonomous, arena);
    }
    int there = numbers.forward.stages, back = numbers.backward.stages;
    int stages = there > back ? there : back;
    for (int j = 0; j < stages; j++) w->k[j] = gt_arena_doubles(arena, s->n);
    w->x_a = gt_arena_doubles(arena, s->n);
    w->f_a = gt_arena_doubles(arena, s->n);
    w->left = gt_arena_doubles(arena, s->n);
    w->rest = gt_arena_doubles(arena, s->n);
    return GT_OK;
}

static gt_status prepare(gt_stepper *s)
{
    bi_state *w = s->state;
    gt_newton *newton = &w->linear.newton;
    if (by_broyden(s)) return gt_bi_mass_prepare(&w->linear.mass, s);
    newton->tolerance = w->options.newton_tol;
    newton->fraction = w->options.newton_fraction;
    newton->slow_rate = 0.02; /* an iteration costs as many calls as the backward half has stages */
    return gt_bi_linear_prepare(&w->linear, s);
}

static gt_status forward_half(gt_stepper *s, double h, const double *x)
{
    bi_state *w = s->state;
    const gt_bi_numbers *c = w->numbers;
    gt_status status = gt_slope(s);
    if (status) return status;
    memcpy(w->k[0], s->f, s->n * sizeof *x);
    memset(w->k[0] + s->n - s->problem->n_alg, 0, s->problem->n_alg * sizeof *x);
    if (s->problem->mass) gt_lu_solve(&w->linear.mass, w->k[0]);
    return gt_half_step(s, &c->forward, mass_of(s), s->t, c->alpha * h, x, w->k, true, w->x_a);
}

/* Where the backward half from x misses x_a. */
static gt_status miss(gt_stepper *s, const double *x, double *residual, void *data)
{
    const bi_state *w = data;
    gt_status status = gt_half_step(s, &w->numbers->backward, mass_of(s), w->t_end, -w->back, x,
                                    w->k, false, residual);
    size_t n_diff = s->n - s->problem->n_alg;
    for (size_t i = 0; i < n_diff && !status; i++) residual[i] -= w->x_a[i];
    memset(residual + n_diff, 0, s->problem->n_alg * sizeof *residual);
    return status;
}

/* err := the sum of weight_i (M - h r_i J)^-1 M err. */
static gt_status apply_to_error(gt_stepper *s, const double complex *weight, double *err)
{
    bi_state *w = s->state;
    double *e = memcpy(w->rest, err, s->n * sizeof *err);
    if (s->problem->mass) gt_matrix_multiply(s->problem->mass, err, 0, e);
    memset(err, 0, s->n * sizeof *err);
    gt_bi_exact(&w->linear, s);
    return gt_shifted_apply(&w->linear.shifted, s, e, &(gt_combination){weight, 1, err}, 1);
}

static gt_status divide_by_polynomial(gt_stepper *s, double *err)
{
    return apply_to_error(s, state_of(s)->numbers->poles.inverse, err);
}

static gt_status slope_between(gt_stepper *s, double h)
{
    bi_state *w = s->state;
    const gt_bi_numbers *c = w->numbers;
    if (!c->forward.end_slope && !c->backward.end_slope) return GT_OK;
    return gt_half_slope(s, mass_of(s), s->t + c->alpha * h, w->x_a, w->f_a);
}

static void keep_left_error(gt_stepper *s, double h)
{
    bi_state *w = s->state;
    memset(w->left, 0, s->n * sizeof *w->left);
    gt_half_error(&w->numbers->forward, s->n, w->numbers->alpha * h, w->k, w->f_a, w->left);
    const double *q = w->numbers->forcing;
    if (q[0] == 0) return;
    for (size_t i = 0; i < s->n; i++)
        w->left[i] +=
            h * (q[0] * w->k[0][i] + q[1] / 2 * (w->k[1][i] + w->k[2][i]) + q[2] * w->f_a[i]);
}

/* err += the third difference of a single blind half over h from t, x to x_end, whose slopes are in
 * k. */
static gt_status see_forcing(gt_stepper *s, double t, double h, const double *x,
                             const double *x_end, double *err)
{
    bi_state *w = s->state;
    double *y = w->rest;
    for (size_t i = 0; i < s->n; i++)
        y[i] = (27 * x[i] + 5 * x_end[i]) / 32 + h * (9 * w->k[0][i] - 3 * w->f_a[i]) / 64;
    gt_status status = gt_half_slope(s, mass_of(s), t + h / 4, y, w->k[3]);
    for (size_t i = 0; i < s->n && !status; i++)
        err[i] += fabs(h) / 24 *
                  (-8 * w->k[0][i] + 64.0 / 3 * w->k[3][i] - 8 * (w->k[1][i] + w->k[2][i]) +
                   8.0 / 3 * w->f_a[i]);
    return status;
}

/* (I - h r M^-1 J)^-1 e with the first r. */
static gt_status damp_once(gt_stepper *s, double *err)
{
    bi_state *w = s->state;
    double complex first[GT_HALF_STAGES] = {gt_shift_is_real(&w->linear.shifted, 0) ? 1 : 0.5};
    return apply_to_error(s, first, err);
}

/*
 * P^-1 e says nothing of a jump in a stiff equation: with h lambda = -z far above 1 P is as z^Q,
 * and the new x is next to where f vanishes at the end of the step, wherever in the step the jump
 * was. What shows it is the bend of the step: x_new - x beside h f_new and h (f + f_new)/2, which
 * on a smooth solution grows from one step to the next as h^2 or h^3 does. Where it has grown a
 * thousandfold, to a hundred tolerances, and is more than what is left of Newton's iteration in
 * f_new, it is the error. `before` is e in tolerances.
 */
static gt_status see_jump(gt_stepper *s, double h, const double *x, const double *x_new,
                          double before, double *err)
{
    bi_state *w = s->state;
    const double sudden = 1000, least = 0.1, damped = 10, beyond_newton = 4;
    if (!(s->rtol > 0) || s->problem->mass) return GT_OK;
    double *bend = w->left, most = gt_bi_bend(s, h, x, x_new, w->k[0], bend);
    w->bend_of_trial = most;
    bool stiff = before > damped * gt_bi_in_tolerances(s, err, x_new);
    if (!stiff || most < sudden * fmax(w->bend, least)) return GT_OK;
    gt_status status = damp_once(s, bend);
    if (!status && gt_bi_in_tolerances(s, bend, x_new) > beyond_newton)
        memcpy(err, bend, s->n * sizeof *err);
    return status;
}

/* back_known: k has the slopes of the backward half, `left` the error of the forward one. */
static gt_status error_of_halves(gt_stepper *s, double h, const double *x, const double *x_new,
                                 bool back_known, double *err)
{
    bi_state *w = s->state;
    const gt_bi_numbers *c = w->numbers;
    if (!back_known) {
        gt_status status = forward_half(s, h, x);
        if (!status) status = slope_between(s, h);
        if (!status) keep_left_error(s, h);
        if (!status)
            status = gt_half_step(s, &c->backward, mass_of(s), s->t + h, (c->alpha - 1) * h, x_new,
                                  w->k, false, w->rest);
        if (status) return status;
    }
    double sign = w->options.estimate == DIFFERENCE ? -1 : 1;
    memcpy(err, w->left, s->n * sizeof *err);
    gt_half_error(&c->backward, s->n, sign * (1 - c->alpha) * h, w->k, w->f_a, err);
    const double *q = c->forcing;
    for (size_t i = 0; i < s->n && q[0] != 0; i++)
        err[i] += h * (q[3] / 2 * (w->k[1][i] + w->k[2][i]) + q[4] * w->k[0][i]);
    if (c->alpha == 0 && c->backward.blind) {
        gt_status status = see_forcing(s, s->t + h, -h, x_new, x, err);
        if (status) return status;
    }
    if (by_broyden(s)) return GT_OK;
    double before = gt_bi_in_tolerances(s, err, x_new);
    /* Without a forward half no power of h lambda is in e that P would have to take out: x' =
     * lambda (x - g(t)) has an error as 1/(h lambda), and P^-1 e would be as 1/(h lambda)^2. */
    gt_status status = c->alpha == 0 ? damp_once(s, err) : divide_by_polynomial(s, err);
    return status ? status : see_jump(s, h, x, x_new, before, err);
}

static gt_status solve_backward_half(gt_stepper *s, double h, double *x_new)
{
    bi_state *w = s->state;
    if (by_broyden(s)) {
        const halves_options *o = &w->options;
        double tolerance = s->rtol > 0 ? s->rtol * o->newton_fraction : o->newton_tol;
        double largest = gt_largest(w->x_a, s->n);
        return gt_broyden_solve(&w->broyden, s, tolerance, 1, tolerance * (1 + largest),
                                BROYDEN_ITERATIONS, x_new, miss, w);
    }
    w->linear.newton.most_kept = s->rtol > 0 ? 20 : 0; /* P^-1 hides what a steep J has */
    return gt_newton_solve(&w->linear.newton, s, s->t + h, h, x_new, miss, w);
}

/* The step of the linearised equations; for Broyden, which has no Jacobian, the forward half
 * continued (3.5). */
static gt_status guess(gt_stepper *s, double h, const double *x, double *x_new)
{
    bi_state *w = s->state;
    const gt_bi_numbers *c = w->numbers;
    if (by_broyden(s))
        return gt_half_step(s, &c->backward, mass_of(s), s->t + c->alpha * h, (1 - c->alpha) * h,
                            w->x_a, w->k, false, x_new);
    gt_status status = gt_newton_begin(&w->linear.newton, s, h);
    if (status) return status;
    memcpy(x_new, x, s->n * sizeof *x);
    gt_bi_exact(&w->linear, s);
    return gt_shifted_apply(&w->linear.shifted, s, s->f, &(gt_combination){c->sigma, h, x_new}, 1);
}

static gt_status by_linear_formula(gt_stepper *s, double h, const double *x, double *x_new,
                                   double *err)
{
    bi_state *w = s->state;
    bool constant;
    gt_status status = gt_bi_linear_step(&w->linear, s, h, x, x_new, err, &constant);
    if (!status) status = gt_closing_stage(s, s->t + h, x_new);
    return status || !err || constant ? status : error_of_halves(s, h, x, x_new, false, err);
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    bi_state *w = s->state;
    w->bend_of_trial = 0;
    gt_status begun = gt_closing_begin(s);
    if (begun) return begun;
    if (by_fractions(s)) return by_linear_formula(s, h, x, x_new, err);
    w->t_end = s->t + h;
    w->back = (1 - w->numbers->alpha) * h;
    gt_status status = forward_half(s, h, x);
    if (!status && err) status = slope_between(s, h);
    if (!status && err) keep_left_error(s, h);
    if (!status && w->numbers->alpha == 1) {
        memcpy(x_new, w->x_a, s->n * sizeof *x);
        if (err) memcpy(err, w->left, s->n * sizeof *x);
        status = gt_closing_stage(s, s->t + h, x_new);
        bool blind = err && w->numbers->forward.blind;
        return status || !blind ? status : see_forcing(s, s->t, h, x, x_new, err);
    }
    if (!status) status = guess(s, h, x, x_new);
    if (!status) status = solve_backward_half(s, h, x_new);
    if (!status) status = gt_closing_stage(s, s->t + h, x_new);
    return status || !err ? status : error_of_halves(s, h, x, x_new, true, err);
}

static void accept(gt_stepper *s)
{
    bi_state *w = s->state;
    /* A step whose iteration ended early bends more than others. */
    w->bend = fmax(w->bend_of_trial, 0.1 * w->bend);
    if (!by_fractions(s) && !by_broyden(s)) gt_newton_accept(&w->linear.newton);
}

static void restart(gt_stepper *s)
{
    bi_state *w = s->state; /* the matrix of a linear problem does not change */
    if (!by_fractions(s) && !by_broyden(s)) gt_newton_restart(&w->linear.newton);
}

static void release(gt_stepper *s) { gt_bi_linear_free(&((bi_state *)s->state)->linear); }

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    const bi_state *w = s->state;
    return gt_bi_interpolate(s, mass_of(s), h, theta, w->k[0], w->rest, x);
}

/* The cubic does not follow what is stiff. Its order is below that of most of these methods: of
 * what is not stiff only what is far off counts. */
static gt_status dense_error(gt_stepper *s, double h, double theta, double *err)
{
    const double part = 0.05, damped = 10;
    bi_state *w = s->state;
    memset(err, 0, s->n * sizeof *err);
    if (by_broyden(s) || s->problem->mass) return GT_OK;
    gt_status status = gt_bi_cubic_defect(s, h, theta, w->left, w->x_a, err);
    double before = gt_bi_in_tolerances(s, err, s->x_new);
    if (!status) status = damp_once(s, err);
    bool stiff = before > damped * gt_bi_in_tolerances(s, err, s->x_new);
    for (size_t i = 0; i < s->n && !stiff; i++) err[i] *= part;
    return status;
}

static void rational(const gt_method *self, const double *v, gt_rational *R)
{
    gt_half forward, backward;
    halves_options o = {0};
    gt_params_fill(self->options, v, &o);
    gt_half_open(&forward, row_of(self)->forward);
    gt_half_open(&backward, row_of(self)->backward);
    gt_bi_ratio(&forward, &backward, o.alpha, R);
}

#define BI_METHOD(id, forward_half, backward_half, alpha_default, title_text, reference_text)      \
    BI_OPTIONS(id, alpha_default);                                                                 \
    static const gt_two_halves id##_row = {&gt_half_##forward_half, &gt_half_##backward_half};     \
    const gt_method gt_method_##id = {.name = #id,                                                 \
                                      .family = "backinterpolation",                               \
                                      .title = title_text,                                         \
                                      .reference = reference_text,                                 \
                                      .memory =                                                    \
                                          "J of the last point and of a trial, and I - r h J for " \
                                          "the real and the complex r; stages of a half, "         \
                                          "where the halves meet, complex solutions, Newton's "    \
                                          "guess and correction (solver=broyden: n x n numbers)",  \
                                      .options = id##_options,                                     \
                                      .facts = facts,                                              \
                                      .data = &id##_row,                                           \
                                      .state_size = sizeof(bi_state),                              \
                                      .layout = layout,                                            \
                                      .prepare = prepare,                                          \
                                      .step = step,                                                \
                                      .accept = accept,                                            \
                                      .restart = restart,                                          \
                                      .release = release,                                          \
                                      .interpolate = interpolate,                                  \
                                      .rational = rational,                                        \
                                      .dense_error = dense_error};

BI_METHOD(
    bi, 4, 4, 0.5,
    "backinterpolation, the recommended default: bi44, order 4, A-stable, keeps undamped energy",
    "Xie (1995) (2.11); Kutta's halves")
BI_METHOD(bi11, 1, 1, 0.5, "backinterpolation with halves of order 1, order 2 at alpha = 1/2",
          "Xie (1995) (2.8), (2.20)")
BI_METHOD(bi22, 2, 2, 0.5, "backinterpolation with halves of order 2, order 2",
          "Xie (1995) (2.9), (2.21)")
BI_METHOD(bi33, 3, 3, 0.5, "backinterpolation with halves of order 3, order 4 at alpha = 1/2",
          "Xie (1995) (2.10), (2.22)")
BI_METHOD(bi44, 4, 4, 0.5, "backinterpolation with halves of order 4, order 4",
          "Xie (1995) (2.11), (2.23)")
BI_METHOD(bi55, 5, 5, 0.5,
          "backinterpolation with halves of order 5, order 6 at alpha = 1/2; not A-stable",
          "Xie (1995) (3.3); Nystrom's halves")
BI_METHOD(bi12, 1, 2, 0,
          "backinterpolation with halves of orders 1 and 2; purely backward by default",
          "Xie (1995) 2.5")
BI_METHOD(bi23, 2, 3, 0.25, "backinterpolation with halves of orders 2 and 3, order 2",
          "Xie (1995) 2.5")
BI_METHOD(bi34, 3, 4, 0.4, "backinterpolation with halves of orders 3 and 4, order 3",
          "Xie (1995) 2.5")
BI_METHOD(bi45, 4, 5, 0.44,
          "backinterpolation with halves of orders 4 and 5, order 4; not A-stable",
          "Xie (1995) (3.2)")
BI_METHOD(bi77h, hurwitz, hurwitz, 0.5,
          "backinterpolation with 7-stage halves of order 5 made for it, order 6, A-stable",
          "src/design/half_design.c; docs/backinterpolation.md")

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Explicit Runge-Kutta methods: one engine, a row of numbers for each method.
 *
 *     k_i = f(t + c_i h, x + h sum_(j<i) a_ij k_j)      x_new = x + h sum_i b_i k_i
 *     err = h sum_i (b_i - b^_i) k_i                    (local extrapolation: the higher order is
 * carried on)
 *
 * k_1 is the slope s->f that the last step or the dense output may have left; where the last row of
 * a equals b (dopri5) the last stage is the slope at the end and serves the next step.
 *
 * Dense output is the cubic Hermite polynomial plus theta^2 (1-theta)^2 h sum_i d_i k_i. With d
 * from the conditions sum d = sum d c = sum d c^2 = 0, sum d c^3 = 1/4, sum_ij d_i a_ij c_j^2 =
 * 1/12, sum_i d_i a_i2 = 0, d_2 = 0 it has order 4 between the ends; k_(s+1) is the slope at the
 * end. dopri5 takes the solution of Hairer, Norsett, Wanner (1993) II.6, rkf45 the one of its
 * one-parameter family with d_6 = 0.
 *
 * Algebraic equations 0 = g(t, x, y) of index 1, crow (5.133), are solved for y at every stage: the
 * method is then that for x' = f(t, x, Y(t, x)), of the same order (half-explicit; Hairer, Lubich,
 * Roche, The Numerical Solution of Differential-Algebraic Systems by Runge-Kutta Methods, 1989, ch.
 * 2). A stage begins with the y of the one before; y has no error of its own.
 *
 * dopri5 and rkf45 have a second estimate for kinks of f (core/kinks.h): the third divided
 * difference of the slopes at four of their nodes, 0, 3/10, 4/5, 1 and 0, 3/8, 1/2, 1, times 2/125
 * and 1/75. For a kink of f(t) it is at most as large as the error of the step is at most, and it
 * is zero for other kinks than the first estimate.
 *
 * The engine is compiled once for each tableau, with the numbers and the small n known to the
 * compiler, so that a step costs little more than its calls of f. With one loop for all n instead
 * (GT_FOR_SMALL_N as for -Os) runs of van der Pol's two equations take 1.22 (dopri5) and 1.17 times
 * (rk4) the instructions, those of f counted; the price is 250 kB of code, of which a static
 * program has the methods that it names.
 */
#include "kit/explicit_rk.h"
#include "implicit/index.h"
#include "kit/dominant.h"
#include "kit/kept_steps.h"
#include "problem/norm.h"
#include "problem/vectors.h"
#include <assert.h>
#include <geartrain/author/stepper.h>
#include <geartrain/methods.h>
#include <string.h>

#ifdef __clang__
#define INDEPENDENT
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/*
 * for (i = 0; i < n; i++), as vectors unless n is a small constant: f writes the slopes one by one,
 * and to read two of them at once straight after makes the processor wait for its stores.
 */
#define EACH(i, n, ...)                                                                            \
    if (__builtin_constant_p(n)) {                                                                 \
        GT_UNROLL                                                                                  \
        for (size_t i = 0; i < n; i++) __VA_ARGS__                                                 \
    } else {                                                                                       \
        INDEPENDENT                                                                                \
        for (size_t i = 0; i < n; i++) __VA_ARGS__                                                 \
    }

typedef struct erk_state {
    double *k[GT_MAX_STAGES]; /* stages 2 .. s-1; the first is s->f, the last s->f_new */
} erk_state;

GT_INLINE double *stage(const gt_stepper *s, int stages, int i)
{
    if (i == 0) return s->f;
    return i == stages - 1 ? s->f_new : ((const erk_state *)s->state)->k[i];
}

/* y = x + sum_j weight_j k_j over the terms that are marked, for many states. */
static __attribute__((noinline)) void combine_chunks(const gt_stepper *s, int terms,
                                                     const bool *there, const double *weight,
                                                     const double *const *k, const double *x,
                                                     double *y)
{
    const double *of[GT_MAX_STAGES];
    double by[GT_MAX_STAGES];
    int count = 0;
    for (int j = 0; j < terms; j++) {
        if (!there[j]) continue;
        of[count] = k[j];
        by[count++] = weight[j];
    }
    gt_combine(s->problem, count, by, of, x, y, s->n);
}

/* y = x + h sum_j w_j k_j over the first `terms` stages, in one pass. */
GT_INLINE void combine(const gt_stepper *s, const gt_tableau *T, const gt_ratio *w, int terms,
                       double h, const double *x, double *y, size_t n)
{
    const double *k[GT_MAX_STAGES];
    double hw[GT_MAX_STAGES];
    bool there[GT_MAX_STAGES];
    GT_UNROLL
    for (int j = 0; j < terms; j++) {
        k[j] = stage(s, T->stages, j);
        hw[j] = h * gt_ratio_value(w[j]);
        there[j] = w[j].num != 0;
    }
    if (!__builtin_constant_p(n) && n > GT_CHUNK) {
        combine_chunks(s, terms, there, hw, k, x, y);
        return;
    }
    EACH(i, n, {
        double sum = x[i];
        GT_UNROLL
        for (int j = 0; j < terms; j++) {
            if (w[j].num) sum += hw[j] * k[j][i];
        }
        y[i] = sum;
    })
}

/* Component i of the second estimate, for kinks (core/kinks.h), over h. */
GT_INLINE double second_estimate(const gt_stepper *s, const gt_tableau *T, const gt_erk_row *row,
                                 size_t i)
{
    double sum = 0;
    GT_UNROLL
    for (int j = 0; j < T->stages; j++)
        if (row->kink[j].num) sum += gt_ratio_value(row->kink[j]) * stage(s, T->stages, j)[i];
    return sum;
}

/* Many states, of which kinks of a few are but a small part, are not looked at. */
GT_INLINE void estimate_kink(gt_stepper *s, const gt_tableau *T, const gt_erk_row *row, double h,
                             size_t n)
{
    if (n > GT_CHUNK) return;
    double sums[3] = {0, (double)n, 0};
    for (size_t i = 0; i < n; i++) {
        double a = fabs(s->x[i]), b = fabs(s->x_new[i]);
        double e = second_estimate(s, T, row, i) / gt_weight(s, i, a > b ? a : b);
        sums[0] += e * e;
        sums[2] = e * e > sums[2] ? e * e : sums[2];
    }
    double strict = s->strictness * s->strictness;
    s->kink = h * h * (gt_error_square_of(s->problem, sums) * strict);
}

GT_INLINE void estimate(const gt_stepper *s, const gt_tableau *T, double h, double *err, size_t n)
{
    const double *k[GT_MAX_STAGES];
    double he[GT_MAX_STAGES];
    bool there[GT_MAX_STAGES];
    GT_UNROLL
    for (int j = 0; j < T->stages; j++) {
        k[j] = stage(s, T->stages, j);
        he[j] = h * (gt_ratio_value(T->b[j]) - gt_ratio_value(T->b_hat[j]));
        there[j] = T->b[j].num || T->b_hat[j].num;
    }
    if (!__builtin_constant_p(n) && n > GT_CHUNK) {
        combine_chunks(s, T->stages, there, he, k, NULL, err);
        return;
    }
    EACH(i, n, {
        double sum = 0;
        GT_UNROLL
        for (int j = 0; j < T->stages; j++) {
            if (T->b[j].num || T->b_hat[j].num) sum += he[j] * k[j][i];
        }
        err[i] = sum;
    })
}

/* The stages, whose points are built in x_new, and the new point, which may replace x: then a large
 * system has one vector less to fetch. Where the last stage is the slope at the end, its point is
 * the new one. */
GT_INLINE gt_status advance(gt_stepper *s, const gt_tableau *T, bool last_is_slope, double t,
                            double h, const double *x, double *x_new, double *end, size_t n)
{
    gt_rhs_fn *f = s->problem->rhs;
    void *ctx = s->problem->ctx;
    double cap = s->t_cap;
    gt_status status = gt_slope(s);
    if (status) return status;
    GT_UNROLL
    for (int i = 1; i < T->stages; i++) {
        double t_i = t + gt_ratio_value(T->c[i]) * h;
        combine(s, T, T->a[i], i, h, x, x_new, n);
        status = f(t_i < cap ? t_i : cap, x_new, stage(s, T->stages, i), ctx);
        if (status) {
            s->stats.rhs += i;
            return status;
        }
    }
    s->stats.rhs += T->stages - 1;
    if (!last_is_slope) combine(s, T, T->b, T->stages, h, x, end, n);
    return GT_OK;
}

/* y += h sum_j (w_j - v_j) k_j over the first `terms` stages; v may be NULL. */
static void add_stages(const gt_stepper *s, const gt_tableau *T, const gt_ratio *w,
                       const gt_ratio *v, int terms, double h, double *y, size_t n)
{
    for (int j = 0; j < terms; j++) {
        double hw = h * (gt_ratio_value(w[j]) - (v ? gt_ratio_value(v[j]) : 0));
        const double *k = stage(s, T->stages, j);
        for (size_t i = 0; i < n && hw != 0; i++) y[i] += hw * k[i];
    }
}

/* A step where algebraic equations hold at each stage and at the end: in one form for all n and all
 * tableaux, as their solution is what costs. */
static gt_status step_closed(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    const gt_tableau *T = s->method->tableau;
    const gt_erk_row *row = s->method->data;
    size_t n_alg = s->problem->n_alg, n_diff = s->n - n_alg;
    gt_status status = gt_slope(s);
    if (!status) status = gt_closing_begin(s);
    memcpy(x_new + n_diff, x + n_diff, n_alg * sizeof *x);
    for (int i = 1; i < T->stages && !status; i++) {
        double t_i = s->t + gt_ratio_value(T->c[i]) * h;
        memcpy(x_new, x, n_diff * sizeof *x);
        add_stages(s, T, T->a[i], NULL, i, h, x_new, n_diff);
        status = gt_closing_stage(s, t_i, x_new);
        if (!status) status = gt_rhs(s, t_i, x_new, stage(s, T->stages, i));
    }
    if (status) return status;
    if (!row->last_is_slope) {
        memcpy(x_new, x, n_diff * sizeof *x);
        add_stages(s, T, T->b, NULL, T->stages, h, x_new, n_diff);
        status = gt_closing_stage(s, s->t + h, x_new);
    }
    if (status) return status;
    s->f_new_known = row->last_is_slope;
    if (!err || !row->error_order) return GT_OK;
    memset(err, 0, s->n * sizeof *err);
    add_stages(s, T, T->b, T->b_hat, T->stages, h, err, n_diff);
    return GT_OK;
}

GT_INLINE gt_status step_any(gt_stepper *s, const gt_tableau *T, const gt_erk_row *row, double h,
                             const double *x, double *x_new, double *err, bool in_loop, size_t n)
{
    gt_status status = advance(s, T, row->last_is_slope, s->t, h, x, x_new, x_new, n);
    if (status) return status;
    s->f_new_known = row->last_is_slope;
    if (err && row->error_order) {
        estimate(s, T, h, err, n);
        if (row->kink[0].num) {
            s->kink_order = 4;
            if (!in_loop || n > GT_MANY_STATES) estimate_kink(s, T, row, h, n);
        }
    }
    return GT_OK;
}

GT_INLINE gt_status step_n(gt_stepper *s, const gt_tableau *T, const gt_erk_row *row, double h,
                           const double *x, double *x_new, double *err, size_t n)
{
    return step_any(s, T, row, h, x, x_new, err, false, n);
}

typedef struct erk_numbers {
    const gt_tableau *tableau;
    const gt_erk_row *row;
} erk_numbers;

GT_INLINE gt_status trial(gt_stepper *s, const void *numbers, double h, size_t n)
{
    const erk_numbers *of = numbers;
    return step_any(s, of->tableau, of->row, h, s->x, s->x_new, s->err, true, n);
}

GT_INLINE double kink(const gt_stepper *s, const void *numbers, size_t i)
{
    const erk_numbers *of = numbers;
    return second_estimate(s, of->tableau, of->row, i);
}

GT_INLINE gt_status run_n(gt_stepper *s, const gt_tableau *T, const gt_erk_row *row, double grid,
                          double h, size_t first, size_t count, size_t n)
{
    for (size_t step = first; step < first + count; step++) {
        gt_status status = advance(s, T, row->last_is_slope, s->t, h, s->x, s->x_new, s->x, n);
        if (status) {
            s->stats.steps += (long)(step - first);
            return status;
        }
        if (row->last_is_slope) {
            double *x = s->x, *f = s->f;
            s->x = s->x_new;
            s->x_new = x;
            s->f = s->f_new;
            s->f_new = f;
        }
        s->f_known = row->last_is_slope;
        s->t = grid + (double)(step + 1) * h;
    }
    s->stats.steps += (long)count;
    return GT_OK;
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    erk_state *w = s->state;
    for (int i = 1; i < s->method->tableau->stages - 1; i++)
        w->k[i] = gt_arena_doubles(arena, s->n);
    return GT_OK;
}

static gt_facts facts(const gt_method *self, const double *v)
{
    (void)v;
    const gt_erk_row *row = self->data;
    return (gt_facts){.order = row->order,
                      .error_order = row->error_order,
                      .flags = GT_TREATS_RANKS | GT_TREATS_ALGEBRAIC,
                      .evaluations = self->tableau->stages - (row->last_is_slope ? 1 : 0)};
}

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    const gt_erk_row *row = s->method->data;
    const erk_state *w = s->state;
    double bubble = h * theta * theta * (1 - theta) * (1 - theta);
    gt_status status = gt_slopes(s);
    if (status) return status;
    gt_hermite(s, h, theta, x);
    for (int j = 0; j < s->method->tableau->stages; j++) {
        double weight =
            bubble * gt_ratio_value(j < s->method->tableau->stages - 1 ? row->d[j] : row->d_end);
        const double *k = j == 0 ? s->f : j < s->method->tableau->stages - 1 ? w->k[j] : s->f_new;
        if (weight != 0)
            for (size_t i = 0; i < s->n; i++) x[i] += weight * k[i];
    }
    return GT_OK;
}

/* Of the last stage and the one before it, where both are at the end of the step. */
static bool mode(gt_stepper *s, gt_dominant *out)
{
    const gt_tableau *T = s->method->tableau;
    const gt_erk_row *row = s->method->data;
    int last = T->stages - 1;
    if (!row->last_is_slope || gt_ratio_value(T->c[last - 1]) != 1 || !s->f_new_known) return false;
    double weight[GT_MAX_STAGES];
    const double *k[GT_MAX_STAGES];
    for (int j = 0; j < last; j++) {
        weight[j] = gt_ratio_value(T->b[j]) - gt_ratio_value(T->a[last - 1][j]);
        k[j] = stage(s, T->stages, j);
    }
    return gt_dominant_mode(s, last, weight, k, s->f_new, k[last - 1], out);
}

/* x_new = x + h f already says all that Euler's method knows in between. */
static gt_status straight(gt_stepper *s, double h, double theta, double *x)
{
    for (size_t i = 0; i < s->n; i++) x[i] = s->x[i] + theta * h * s->f[i];
    return GT_OK;
}

/* One method: its functions compiled for its tableau, and its descriptor. */
#define EXPLICIT_RK(id, has_one_stage, dense_output, role, letters, title_text, reference_text)    \
    static gt_status id##_step(gt_stepper *s, double h, const double *x, double *x_new,            \
                               double *err)                                                        \
    {                                                                                              \
        if (s->problem->n_alg) return step_closed(s, h, x, x_new, err);                            \
        GT_FOR_SMALL_N(step_n, s, &id##_tableau, &id##_row, h, x, x_new, err)                      \
    }                                                                                              \
    static gt_status id##_run(gt_stepper *s, double grid, double h, size_t first, size_t count)    \
    {                                                                                              \
        GT_FOR_SMALL_N(run_n, s, &id##_tableau, &id##_row, grid, h, first, count)                  \
    }                                                                                              \
    static gt_status id##_kept(gt_stepper *s, gt_pace *pace)                                       \
    {                                                                                              \
        static const erk_numbers numbers = {&id##_tableau, &id##_row};                             \
        gt_kept_kink *kinks = id##_row.kink[0].num ? kink : NULL;                                  \
        GT_FOR_SMALL_N(gt_kept_steps, s, trial, kinks, &numbers, id##_row.last_is_slope, pace)     \
    }                                                                                              \
    const gt_method gt_method_##id = {                                                             \
        .name = #id,                                                                               \
        .family = "explicit Runge-Kutta",                                                          \
        .title = title_text,                                                                       \
        .reference = reference_text,                                                               \
        .roles = role,                                                                             \
        .xpp = letters,                                                                            \
        .memory = has_one_stage                                                                    \
                      ? "nothing: the one stage is the slope at x, and there is none at x_new"     \
                      : "the stages between the first and the last, which are the slopes",         \
        .facts = facts,                                                                            \
        .tableau = &id##_tableau,                                                                  \
        .data = &id##_row,                                                                         \
        .state_size = sizeof(erk_state),                                                           \
        .layout = layout,                                                                          \
        .step = id##_step,                                                                         \
        .run_fixed = id##_run,                                                                     \
        .run_kept = id##_kept,                                                                     \
        .one_slope = has_one_stage,                                                                \
        .interpolate = dense_output,                                                               \
        .mode = has_one_stage ? NULL : mode};

static const gt_tableau euler_tableau = {.stages = 1, .b = {{1, 1}}};
static const gt_erk_row euler_row = {.order = 1};
EXPLICIT_RK(euler, true, straight, 0, "e", "forward Euler, explicit, order 1", "crow (5.4)")

static const gt_tableau rk2_tableau = {
    .stages = 2, .c = {{0, 1}, {1, 2}}, .a = {{{0, 1}}, {{1, 2}}}, .b = {{0, 1}, {1, 1}}};
static const gt_erk_row rk2_row = {.order = 2};
EXPLICIT_RK(rk2, false, NULL, 0, NULL, "explicit midpoint rule, order 2",
            "Runge, Math. Ann. 46 (1895)")

static const gt_tableau heun_tableau = {.stages = 2,
                                        .c = {{0, 1}, {1, 1}},
                                        .a = {{{0, 1}}, {{1, 1}}},
                                        .b = {{1, 2}, {1, 2}},
                                        .b_hat = {{1, 1}, {0, 1}}};
static const gt_erk_row heun_row = {.order = 2, .error_order = 1};
EXPLICIT_RK(heun, false, NULL, 0, "m", "Heun's method, explicit, order 2 with Euler as comparison",
            "Heun, Z. Math. Phys. 45 (1900)")

static const gt_tableau bs32_tableau = {
    .stages = 4,
    .c = {{0, 1}, {1, 2}, {3, 4}, {1, 1}},
    .a = {{{0, 1}}, {{1, 2}}, {{0, 1}, {3, 4}}, {{2, 9}, {1, 3}, {4, 9}}},
    .b = {{2, 9}, {1, 3}, {4, 9}, {0, 1}},
    .b_hat = {{7, 24}, {1, 4}, {1, 3}, {1, 8}}};
static const gt_erk_row bs32_row = {.order = 3, .error_order = 2, .last_is_slope = true};
EXPLICIT_RK(bs32, false, NULL, 0, NULL,
            "Bogacki-Shampine, explicit, order 3 carried on, error of order 2",
            "Bogacki, Shampine, Appl. Math. Lett. 2 (1989) 321")

static const gt_tableau rk4_tableau = {
    .stages = 4,
    .c = {{0, 1}, {1, 2}, {1, 2}, {1, 1}},
    .a = {{{0, 1}}, {{1, 2}}, {{0, 1}, {1, 2}}, {{0, 1}, {0, 1}, {1, 1}}},
    .b = {{1, 6}, {1, 3}, {1, 3}, {1, 6}}};
static const gt_erk_row rk4_row = {.order = 4};
EXPLICIT_RK(rk4, false, NULL, 0, "r", "the classical Runge-Kutta method, explicit, order 4",
            "crow (5.5); Kutta (1901)")

/* clang-format off */
static const gt_tableau rkf45_tableau = {
    .stages = 6,
    .c = {{0, 1}, {1, 4}, {3, 8}, {12, 13}, {1, 1}, {1, 2}},
    .a = {{{0, 1}},
          {{1, 4}},
          {{3, 32}, {9, 32}},
          {{1932, 2197}, {-7200, 2197}, {7296, 2197}},
          {{439, 216}, {-8, 1}, {3680, 513}, {-845, 4104}},
          {{-8, 27}, {2, 1}, {-3544, 2565}, {1859, 4104}, {-11, 40}}},
    .b = {{16, 135}, {0, 1}, {6656, 12825}, {28561, 56430}, {-9, 50}, {2, 55}},
    .b_hat = {{25, 216}, {0, 1}, {1408, 2565}, {2197, 4104}, {-1, 5}, {0, 1}}};
static const gt_erk_row rkf45_row = {
    .order = 5, .error_order = 4,
    .d = {{-13, 18}, {0, 1}, {1664, 855}, {-2197, 342}, {27, 10}}, .d_end = {5, 2},
    .kink = {{-16, 225}, {0, 1}, {512, 1125}, {0, 1}, {16, 375}, {-32, 75}}};
EXPLICIT_RK(rkf45, false, interpolate, 0, "q",
            "Runge-Kutta-Fehlberg, explicit, order 5 carried on, error of order 4",
            "Fehlberg, NASA TR R-315 (1969)")

static const gt_tableau dopri5_tableau = {
    .stages = 7,
    .c = {{0, 1}, {1, 5}, {3, 10}, {4, 5}, {8, 9}, {1, 1}, {1, 1}},
    .a = {{{0, 1}},
          {{1, 5}},
          {{3, 40}, {9, 40}},
          {{44, 45}, {-56, 15}, {32, 9}},
          {{19372, 6561}, {-25360, 2187}, {64448, 6561}, {-212, 729}},
          {{9017, 3168}, {-355, 33}, {46732, 5247}, {49, 176}, {-5103, 18656}},
          {{35, 384}, {0, 1}, {500, 1113}, {125, 192}, {-2187, 6784}, {11, 84}}},
    .b = {{35, 384}, {0, 1}, {500, 1113}, {125, 192}, {-2187, 6784}, {11, 84}, {0, 1}},
    .b_hat = {{5179, 57600}, {0, 1}, {7571, 16695}, {393, 640}, {-92097, 339200}, {187, 2100},
              {1, 40}}};
static const gt_erk_row dopri5_row = {
    .order = 5, .error_order = 4, .last_is_slope = true,
    .d = {{-12715105075, 11282082432}, {0, 1}, {87487479700, 32700410799},
          {-10690763975, 1880347072}, {701980252875, 199316789632}, {-1453857185, 822651844}},
    .d_end = {69997945, 29380423},
    .kink = {{-1, 15}, {0, 1}, {16, 105}, {-1, 5}, {0, 1}, {0, 1}, {4, 35}}};
/* clang-format on */
EXPLICIT_RK(dopri5, false, interpolate, GT_ROLE_NONSTIFF, "58",
            "Dormand-Prince, explicit, order 5 carried on, error of order 4",
            "Dormand, Prince, J. Comput. Appl. Math. 6 (1980)")

#define METHOD(id) &gt_method_##id,
#define NAME(id) #id,
const gt_method *const gt_explicit_rk_methods[] = {GT_EXPLICIT_RK_IDS(METHOD) NULL};
const char *const gt_explicit_rk_names[] = {GT_EXPLICIT_RK_IDS(NAME) NULL};

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Partitioned Runge-Kutta methods, shome (2): one engine, two tableaux for each method.
 *
 *     X_i = x + h sum_(j<i) a^_ij k_j      k_i = f_slow(t + c^_i h, X_i, Z_i)
 *     Z_i = z + h sum_(j<i) a_ij  l_j      l_i = f_fast(t + c_i h, X_i, Z_i)
 *     x_new = x + h sum b^_i k_i           z_new = z + h sum b_i l_i
 *
 * (hats: the slow block). An empty column means that the slope of that stage is never used, so it is not evaluated:
 * that is the whole of dual-rate integration. The error estimate is the difference to a second pair of weights, which
 * may contain the slope at the end; that slope then serves the next step as its first. Dense output is the cubic
 * Hermite polynomial.
 *
 * Before a run the tableaux are boiled down to rows without zeros. A row of up to eight terms is one pass over the
 * block with the terms unrolled, as in a Runge-Kutta method that is compiled for its tableau. Where a problem cannot
 * evaluate its blocks alone and a stage wants both, the full function is called once.
 */
#include "methods/partitioned_rk.h"
#include "analysis/rational.h"
#include <geartrain/design.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 8")
#ifdef __clang__
#define INDEPENDENT
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

static const gt_tableau *block_of(const gt_partitioned *P, bool slow) { return slow ? &P->slow : &P->fast; }

gt_facts gt_prk_facts(const gt_method *self, const double *v, int order, int error_order)
{
    gt_partitioned P;
    int list[GT_MAX_STAGES];
    self->partitioned_of(self, v, &P);
    return (gt_facts){.order = order,
                      .error_order = error_order,
                      .flags = GT_NEEDS_PARTITION,
                      .slow_evaluations = gt_tableau_stages(&P.slow, list),
                      .fast_evaluations = gt_tableau_stages(&P.fast, list)};
}

gt_status gt_prk_layout(gt_stepper *s, gt_arena *arena)
{
    gt_prk *w = s->state;
    gt_partitioned P;
    s->method->partitioned_of(s->method, s->options.v, &P);
    w->stages = P.slow.stages;
    w->stage = gt_arena_take(arena, (size_t)w->stages + 2, sizeof *w->stage);
    for (int i = 1; i < w->stages; i++) w->k[i] = gt_arena_doubles(arena, s->n);
    return GT_OK;
}

static void add_term(gt_prk_row *row, int stage, double weight)
{
    if (weight == 0) return;
    row->stage[row->terms] = stage;
    row->weight[row->terms++] = weight;
}

static void boil_down(gt_prk *w, const gt_partitioned *P, bool slow)
{
    const gt_tableau *T = block_of(P, slow);
    int list[GT_MAX_STAGES], count = gt_tableau_stages(T, list);
    for (int i = 0; i < w->stages + 2; i++) {
        gt_prk_row *row = slow ? &w->stage[i].slow : &w->stage[i].fast;
        for (int j = 0; j < w->stages; j++) {
            double b = gt_ratio_value(T->b[j]), b_hat = gt_ratio_value(T->b_hat[j]);
            add_term(row, j, i < w->stages ? gt_ratio_value(T->a[i][j]) : i == w->stages ? b : b - b_hat);
        }
    }
    add_term(slow ? &w->stage[w->stages + 1].slow : &w->stage[w->stages + 1].fast, w->stages,
             -gt_ratio_value(slow ? P->slow_end : P->fast_end));
    for (int i = 0; i < w->stages; i++) *(slow ? &w->stage[i].c_slow : &w->stage[i].c_fast) = gt_ratio_value(T->c[i]);
    for (int i = 0; i < count; i++)
        *(slow ? &w->stage[list[i]].evaluates_slow : &w->stage[list[i]].evaluates_fast) = true;
}

gt_status gt_prk_prepare(gt_stepper *s)
{
    gt_prk *w = s->state;
    gt_partitioned P;
    s->method->partitioned_of(s->method, s->options.v, &P);
    boil_down(w, &P, true);
    boil_down(w, &P, false);
    w->compares_end = P.slow_end.num || P.fast_end.num;
    return GT_OK;
}

/* y = x + h sum of `terms` terms from `first` on, or without x when that is NULL, in one pass. */
INLINE void add_up(const gt_prk_row *row, int first, int terms, const double *const *k, size_t offset, double h,
                   const double *x, double *y, size_t n)
{
    const double *slope[8];
    double weight[8];
    UNROLL
    for (int j = 0; j < terms; j++) {
        slope[j] = k[row->stage[first + j]] + offset;
        weight[j] = h * row->weight[first + j];
    }
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        double sum = x ? x[i] : 0;
        UNROLL
        for (int j = 0; j < terms; j++) sum += weight[j] * slope[j][i];
        y[i] = sum;
    }
}

/* The n components of a block, which begins at `offset`. */
static void combine(const gt_prk_row *row, const double *const *k, size_t offset, double h, const double *x, double *y,
                    size_t n)
{
    int first = 0, left = row->terms;
    if (x) x += offset;
    y += offset;
    do {
        switch (left) {
#define TERMS(count)                                                                                                   \
    case count:                                                                                                        \
        add_up(row, first, count, k, offset, h, x, y, n);                                                              \
        break
            TERMS(0);
            TERMS(1);
            TERMS(2);
            TERMS(3);
            TERMS(4);
            TERMS(5);
            TERMS(6);
            TERMS(7);
#undef TERMS
        default:
            add_up(row, first, 8, k, offset, h, x, y, n);
        }
        first += 8;
        left -= 8;
        x = y;
    } while (left > 0);
}

/* Slopes at one point, of the blocks that are wanted; once when the full function has to do for both. */
static gt_status evaluate(gt_stepper *s, bool slow, bool fast, double t_slow, double t_fast, const double *x, double *k)
{
    const gt_problem *p = s->problem;
    double cap = s->t_cap;
    gt_status status = GT_OK;
    if (slow && fast && t_slow == t_fast && !(p->rhs_slow && p->rhs_fast)) return gt_rhs(s, t_slow, x, k);
    if (slow && p->rhs_slow) {
        s->stats.rhs_slow++;
        status = p->rhs_slow(t_slow < cap ? t_slow : cap, x, k, p->ctx);
    } else if (slow) {
        status = gt_rhs_slow(s, t_slow, x, k);
    }
    if (status || !fast) return status;
    if (p->rhs_fast) {
        s->stats.rhs_fast++;
        return p->rhs_fast(t_fast < cap ? t_fast : cap, x, k + p->n_slow, p->ctx);
    }
    return gt_rhs_fast(s, t_fast, x, k + p->n_slow);
}

/* The first stage is at the accepted point, whose slope the end of the last step may have left in s->f. */
static gt_status first_stage(gt_stepper *s)
{
    const gt_prk_stage *stage = &((const gt_prk *)s->state)->stage[0];
    if (s->f_known) return GT_OK;
    gt_status status = evaluate(s, stage->evaluates_slow, stage->evaluates_fast, s->t, s->t, s->x, s->f);
    s->f_known = !status && stage->evaluates_slow && stage->evaluates_fast;
    return status;
}

/* Slopes of both blocks at the ends of the step, by the same functions as those of the stages. */
static gt_status slope_at_start(gt_stepper *s)
{
    if (s->f_known) return GT_OK;
    gt_status status = evaluate(s, true, true, s->t, s->t, s->x, s->f);
    s->f_known = !status;
    return status;
}

static gt_status slope_at_end(gt_stepper *s, double t, const double *x_new)
{
    if (s->f_new_known) return GT_OK;
    gt_status status = evaluate(s, true, true, t, t, x_new, s->f_new);
    s->f_new_known = !status;
    return status;
}

gt_status gt_prk_step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    const gt_prk *w = s->state;
    const gt_prk_stage *stage = w->stage;
    size_t n_slow = s->problem->n_slow, n_fast = s->problem->n_fast;
    const double *k[GT_MAX_STAGES + 1];
    gt_status status = first_stage(s);
    k[0] = s->f;
    for (int i = 1; i < w->stages; i++) k[i] = w->k[i];
    k[w->stages] = s->f_new;
    for (int i = 1; i < w->stages && !status; i++) {
        combine(&stage[i].slow, k, 0, h, x, x_new, n_slow);
        combine(&stage[i].fast, k, n_slow, h, x, x_new, n_fast);
        status = evaluate(s, stage[i].evaluates_slow, stage[i].evaluates_fast, s->t + stage[i].c_slow * h,
                          s->t + stage[i].c_fast * h, x_new, w->k[i]);
    }
    if (status) return status;
    stage += w->stages;
    combine(&stage->slow, k, 0, h, x, x_new, n_slow);
    combine(&stage->fast, k, n_slow, h, x, x_new, n_fast);
    if (!err || !s->facts.error_order) return GT_OK;
    if (w->compares_end) status = slope_at_end(s, s->t + h, x_new);
    if (status) return status;
    stage++;
    combine(&stage->slow, k, 0, h, NULL, err, n_slow);
    combine(&stage->fast, k, n_slow, h, NULL, err, n_fast);
    return GT_OK;
}

gt_status gt_prk_interpolate(gt_stepper *s, double h, double theta, double *x)
{
    gt_status status = slope_at_start(s);
    if (!status) status = slope_at_end(s, s->t_new, s->x_new);
    if (!status) gt_hermite(s, h, theta, x);
    return status;
}

static void fill_nodes(gt_tableau *T)
{
    for (int i = 0; i < T->stages; i++) {
        gt_exact sum = gt_exact_whole(0);
        double value = 0;
        for (int j = 0; j < i; j++) {
            sum = gt_exact_add(sum, gt_exact_of(T->a[i][j]));
            value += gt_ratio_value(T->a[i][j]);
        }
        if (!gt_exact_to_ratio(sum, &T->c[i])) T->c[i] = gt_ratio_near(value);
    }
}

void gt_prk_fill_nodes(gt_partitioned *P)
{
    fill_nodes(&P->slow);
    fill_nodes(&P->fast);
}

static void read_decimals(int stages, const gt_prk_square a, const double *b, const double *b_hat, gt_tableau *T)
{
    T->stages = stages;
    for (int i = 0; i < stages; i++) {
        for (int j = 0; j < i; j++) T->a[i][j] = gt_ratio_near(a[i][j]);
        T->b[i] = gt_ratio_near(b[i]);
        T->b_hat[i] = gt_ratio_near(b_hat[i]);
    }
}

void gt_prk_from_decimals(const gt_method *self, const double *v, gt_partitioned *P)
{
    const gt_prk_decimals *d = self->data;
    (void)v;
    *P = (gt_partitioned){0};
    read_decimals(d->stages, d->slow_a, d->slow_b, d->slow_b_hat, &P->slow);
    read_decimals(d->stages, d->fast_a, d->fast_b, d->fast_b_hat, &P->fast);
    gt_prk_fill_nodes(P);
}

gt_facts gt_prk_decimal_facts(const gt_method *self, const double *v)
{
    const gt_prk_decimals *d = self->data;
    return gt_prk_facts(self, v, d->order, d->error_order);
}

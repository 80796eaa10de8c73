/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Partitioned Runge-Kutta methods, shome (2): one engine, two tableaux for each method.
 *
 *     X_i = x + h sum_(j<i) a^_ij k_j      k_i = f_slow(t + c^_i h, X_i, Z_i)
 *     Z_i = z + h sum_(j<i) a_ij  l_j      l_i = f_fast(t + c_i h, X_i, Z_i)
 *     x_new = x + h sum b^_i k_i           z_new = z + h sum b_i l_i
 *
 * (hats: the slow block). An empty column means that the slope of that stage is never used, so it
 * is not evaluated: that is the whole of dual-rate integration. The error estimate is the
 * difference to a second pair of weights, which may contain the slope at the end; that slope then
 * serves the next step as its first. Where the last stage is before the end, a jump of f behind it
 * would not show: the slope at the end must not differ from that stage by more than ten times what
 * the stages differ among themselves (gt_abrupt). Dense output is the cubic Hermite polynomial.
 *
 * On z' = lambda z the estimate is a polynomial in h lambda times z, and that has zeros where the
 * method is unstable: -5.88 for prk38, where a step makes the error 13 times as large and the
 * estimate shows a thousandth of it. The slope at the end shows it. Where the estimate is of order
 * 2 it is also held against straight lines through the first and another stage, which a smooth
 * slope leaves with the same power of h; an eighth of that counts, so that it says something only
 * where the estimate does not.
 *
 * Before a run the tableaux are boiled down to rows without zeros, with the slopes that they sum
 * and, for a step size, the weights times h. A row of up to eight terms is one pass over its block
 * with the terms unrolled, so that a stage costs what it does in a Runge-Kutta method that is
 * compiled for its tableau. Where a problem cannot evaluate its blocks alone and a stage wants
 * both, the full function is called once.
 */
#include "kit/partitioned_rk.h"
#include "base/weighted_sum.h"
#include "exact/rational.h"
#include "kit/euler_start.h"
#include <assert.h>
#include <geartrain/analysis/design.h>
#include <math.h>
#include <string.h>

static const gt_tableau *block_of(const gt_partitioned *P, bool slow)
{
    return slow ? &P->slow : &P->fast;
}

gt_facts gt_prk_facts(const gt_method *self, const double *v, int order, int error_order)
{
    assert(self && self->partitioned_of);
    assert(order >= 1 && error_order >= 0);
    gt_partitioned P;
    int list[GT_MAX_STAGES];
    self->partitioned_of(self, v, &P);
    return (gt_facts){.order = order,
                      .error_order = error_order,
                      .flags = GT_NEEDS_PARTITION | GT_TREATS_RANKS,
                      .slow_evaluations = gt_tableau_stages(&P.slow, list),
                      .fast_evaluations = gt_tableau_stages(&P.fast, list)};
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
            add_term(row, j,
                     i < w->stages    ? gt_ratio_value(T->a[i][j])
                     : i == w->stages ? b
                                      : b - b_hat);
        }
        if (i == w->stages + 1)
            add_term(row, w->stages, -gt_ratio_value(slow ? P->slow_end : P->fast_end));
    }
    for (int i = 0; i < w->stages; i++)
        *(slow ? &w->stage[i].c_slow : &w->stage[i].c_fast) = gt_ratio_value(T->c[i]);
    for (int i = 0; i < count; i++)
        *(slow ? &w->stage[list[i]].evaluates_slow : &w->stage[list[i]].evaluates_fast) = true;
}

static void aim_row(gt_prk_row *row, const gt_prk *w, double h, size_t offset, const double *f_end)
{
    for (int j = 0; j < row->terms; j++) {
        row->slope[j] = (row->stage[j] < w->stages ? w->stage[row->stage[j]].k : f_end) + offset;
        row->scaled[j] = h * row->weight[j];
    }
}

/* Makes the rows ready for a step: s->f changes places with s->f_new when a step is accepted, and h
 * its size. */
static void aim(gt_stepper *s, double h)
{
    gt_prk *w = s->state;
    bool moved = w->stage[0].k != s->f;
    if (!moved && w->h == h) return;
    w->stage[0].k = s->f;
    w->h = h;
    for (int i = 1; i < w->stages + 2; i++) {
        aim_row(&w->stage[i].slow, w, h, 0, s->f_new);
        aim_row(&w->stage[i].fast, w, h, s->problem->n_slow, s->f_new);
    }
}

gt_status gt_prk_layout(gt_stepper *s, gt_arena *arena)
{
    gt_prk *w = s->state;
    gt_partitioned P;
    s->method->partitioned_of(s->method, s->options.v, &P);
    w->stages = P.slow.stages;
    w->stage = gt_arena_take(arena, (size_t)w->stages + 2, sizeof *w->stage);
    for (int i = 1; i < w->stages; i++) {
        double *k = gt_arena_doubles(arena, s->n);
        if (w->stage) w->stage[i].k = k;
    }
    if (w->stage) { /* all pointers are laid out, see core/run_image.h */
        boil_down(w, &P, true);
        boil_down(w, &P, false);
        aim(s, 0);
    }
    w->whole = !(s->problem->rhs_slow && s->problem->rhs_fast);
    return GT_OK;
}

/* The latest stage at which a block is evaluated, and what is left of the step behind it. */
static void find_last(const gt_prk *w, bool slow, int *last, double *gap)
{
    double latest = -1;
    for (int i = 0; i < w->stages; i++) {
        const gt_prk_stage *at = &w->stage[i];
        double c = slow ? at->c_slow : at->c_fast;
        if (!(slow ? at->evaluates_slow : at->evaluates_fast) || c <= latest) continue;
        latest = c;
        *last = i;
    }
    *gap = latest < 0.99 ? 1 - latest : 0;
}

/* An eighth of what the estimate is for a fast slope t^2. */
static double bend_of(const gt_stepper *s, const gt_prk *w)
{
    const gt_prk_row *row = &w->stage[w->stages + 1].fast;
    double sum = 0;
    for (int j = 0; j < row->terms; j++) {
        double c = row->stage[j] < w->stages ? w->stage[row->stage[j]].c_fast : 1;
        sum += row->weight[j] * c * c;
    }
    return s->facts.error_order == 2 ? fabs(sum) / 8 : 0;
}

gt_status gt_prk_prepare(gt_stepper *s)
{
    gt_prk *w = s->state;
    gt_partitioned P;
    s->method->partitioned_of(s->method, s->options.v, &P);
    w->compares_end = P.slow_end.num || P.fast_end.num;
    find_last(w, true, &w->slow_last, &w->slow_gap);
    find_last(w, false, &w->fast_last, &w->fast_gap);
    w->bend = bend_of(s, w);
    for (int i = 1; i < w->stages && !w->whole; i++) {
        w->slow_calls += w->stage[i].evaluates_slow;
        w->fast_calls += w->stage[i].evaluates_fast;
    }
    return GT_OK;
}

/* The point of a stage, or the end of the step. */
GT_INLINE void find_point(const gt_prk_stage *at, size_t n_slow, size_t n_fast, const double *x,
                          double *y)
{
    const gt_prk_row *slow = &at->slow, *fast = &at->fast;
    gt_weighted_sum(slow->terms, slow->scaled, slow->slope, x, y, n_slow);
    gt_weighted_sum(fast->terms, fast->scaled, fast->slope, x + n_slow, y + n_slow, n_fast);
}

/* Slopes at a point where a block cannot be evaluated alone. */
static gt_status evaluate_whole(gt_stepper *s, bool slow, bool fast, double t_slow, double t_fast,
                                const double *x, double *k)
{
    const gt_problem *p = s->problem;
    gt_status status = GT_OK;
    if (slow && fast && t_slow == t_fast) return gt_rhs(s, t_slow, x, k);
    if (slow) status = gt_rhs_slow(s, t_slow, x, k);
    return status || !fast ? status : gt_rhs_fast(s, t_fast, x, k + p->n_slow);
}

/* Slopes at one point, of the blocks that are wanted. */
static inline gt_status evaluate(gt_stepper *s, bool slow, bool fast, double t_slow, double t_fast,
                                 const double *x, double *k)
{
    if (((const gt_prk *)s->state)->whole)
        return evaluate_whole(s, slow, fast, t_slow, t_fast, x, k);
    gt_status status = slow ? gt_rhs_slow(s, t_slow, x, k) : GT_OK;
    return status || !fast ? status : gt_rhs_fast(s, t_fast, x, k + s->problem->n_slow);
}

/* The first stage is at the accepted point, whose slope the end of the last step may have left in
 * s->f. */
static gt_status first_stage(gt_stepper *s, const gt_prk_stage *stage)
{
    if (s->f_known) return GT_OK;
    gt_status status =
        evaluate(s, stage->evaluates_slow, stage->evaluates_fast, s->t, s->t, s->x, s->f);
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

/* Counts the calls of a step that failed at a stage, in its slow block or its fast one. */
static void count_calls(gt_stepper *s, const gt_prk_stage *failed, bool in_fast)
{
    const gt_prk *w = s->state;
    for (const gt_prk_stage *at = w->stage + 1; at <= failed && !w->whole; at++) {
        s->stats.rhs_slow += at->evaluates_slow;
        s->stats.rhs_fast += at->evaluates_fast && (at < failed || in_fast);
    }
}

/* The stages, whose points are built in x_new, and the new point. */
static gt_status advance(gt_stepper *s, double h, const double *x, double *x_new)
{
    const gt_problem *p = s->problem;
    const gt_prk *w = s->state;
    gt_rhs_fn *f_slow = p->rhs_slow, *f_fast = p->rhs_fast;
    const size_t n_slow = p->n_slow, n_fast = p->n_fast;
    void *ctx = p->ctx;
    const double t = s->t, cap = s->t_cap;
    aim(s, h);
    gt_status status = first_stage(s, w->stage);
    if (status) return status;
    const gt_prk_stage *at = w->stage + 1, *end = w->stage + w->stages;
    for (;; at++) {
        find_point(at, n_slow, n_fast, x, x_new);
        if (at == end) break;
        double t_slow = t + at->c_slow * h, t_fast = t + at->c_fast * h;
        if (w->whole)
            status = evaluate_whole(s, at->evaluates_slow, at->evaluates_fast, t_slow, t_fast,
                                    x_new, at->k);
        else if (at->evaluates_slow)
            status = f_slow(t_slow < cap ? t_slow : cap, x_new, at->k, ctx);
        bool then_fast = !status && at->evaluates_fast && !w->whole;
        if (then_fast) status = f_fast(t_fast < cap ? t_fast : cap, x_new, at->k + n_slow, ctx);
        if (status) {
            count_calls(s, at, then_fast);
            return status;
        }
    }
    s->stats.rhs_slow += w->slow_calls;
    s->stats.rhs_fast += w->fast_calls;
    return GT_OK;
}

/* What a jump behind the last stage of a block would do, where that is more than the estimate. */
static void see_jump(const gt_prk *w, bool slow, double part, size_t first, size_t end,
                     const double *f_end, double *err)
{
    const double *last = w->stage[slow ? w->slow_last : w->fast_last].k;
    for (size_t r = first; r < end; r++) {
        double most = 0;
        for (int i = 0; i < w->stages; i++) {
            const gt_prk_stage *at = &w->stage[i];
            if (slow ? at->evaluates_slow : at->evaluates_fast)
                most = fmax(most, fabs(at->k[r] - last[r]));
        }
        double jump = part * gt_abrupt(f_end[r] - last[r], most);
        if (fabs(err[r]) < jump) err[r] = jump;
    }
}

/* What the fast slope at the end says, where that is more than the estimate: how far it is from the
 * straight line through the first stage and another. For t^2 that is 1 - c. */
static void see_bend(const gt_stepper *s, double h, double *err)
{
    const gt_prk *w = s->state;
    for (int i = 1; i < w->stages; i++) {
        const gt_prk_stage *at = &w->stage[i];
        double c = at->c_fast, weight = fabs(h) * w->bend / (1 - c);
        if (!at->evaluates_fast || !(c > 0.2 && c < 0.9)) continue;
        for (size_t r = s->problem->n_slow; r < s->n; r++) {
            double line = s->f[r] + (at->k[r] - s->f[r]) / c;
            double bend = weight * fabs(s->f_new[r] - line);
            if (fabs(err[r]) < bend) err[r] = bend;
        }
    }
}

gt_status gt_prk_step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    assert(s && s->state && x && x_new);
    assert(x != x_new || s->n == 0); /* a rank may have no states */
    const gt_prk *w = s->state;
    gt_status status = advance(s, h, x, x_new);
    if (status || !err || !s->facts.error_order) return status;
    size_t n_slow = s->problem->n_slow;
    if (w->compares_end || w->slow_gap > 0 || w->fast_gap > 0 || w->bend > 0)
        status = slope_at_end(s, s->t + h, x_new);
    memset(err, 0, s->n * sizeof *err);
    find_point(&w->stage[w->stages + 1], n_slow, s->problem->n_fast, err, err);
    if (w->slow_gap > 0 && !status) see_jump(w, true, h * w->slow_gap, 0, n_slow, s->f_new, err);
    if (w->fast_gap > 0 && !status)
        see_jump(w, false, h * w->fast_gap, n_slow, s->n, s->f_new, err);
    if (w->bend > 0 && !status) see_bend(s, h, err);
    return status;
}

gt_status gt_prk_run_fixed(gt_stepper *s, double grid, double h, size_t first, size_t count)
{
    assert(s && s->state);
    assert(h != 0);
    gt_status status = GT_OK;
    for (size_t step = first; step < first + count; step++) {
        status = advance(s, h, s->x, s->x_new);
        if (status) break;
        double *x = s->x;
        s->x = s->x_new;
        s->x_new = x;
        s->f_known = false;
        s->t = grid + (double)(step + 1) * h;
        s->stats.steps++;
    }
    return status;
}

gt_status gt_prk_interpolate(gt_stepper *s, double h, double theta, double *x)
{
    assert(s && s->state && x);
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
    assert(P);
    assert(P->slow.stages == P->fast.stages && P->slow.stages <= GT_MAX_STAGES);
    fill_nodes(&P->slow);
    fill_nodes(&P->fast);
}

static void read_decimals(int stages, const gt_prk_square a, const double *b, const double *b_hat,
                          gt_tableau *T)
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

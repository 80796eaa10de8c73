/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the recurrence that taylor_terms.c makes. Every term keeps its coefficients 0..order one
 * after the other, for each j of its loop; order by order, the single terms come first, then the
 * loops, and the stored ones are the next coefficients of the states.
 */
#include "lang/operations/operations.h"
#include <geartrain/author/ode_runtime.h>
#include <geartrain/author/series.h>

typedef struct expansion {
    const gt_ode_ctx *c;
    double t;
    double *x; /* row k: coefficient k of the states */
    size_t n;
    const double *single; /* series of the single terms */
    const double *loop;   /* series of the terms of this j */
    size_t step;          /* from one term of the loop to the next */
    int j, k;
} expansion;

static const double *series_of(const expansion *e, int operand)
{
    return operand >= 0 ? e->single + (size_t)operand * GT_ODE_SERIES
                        : e->loop + (size_t)~operand * e->step;
}

/* sum_(i=1)^k i a_i g_(k-i) / k */
static double chain(int k, const double *a, const double *g)
{
    double sum = 0;
    for (int i = 1; i <= k; i++) sum += i * a[i] * g[k - i];
    return sum / k;
}

/* Is a zero up to its k-th coefficient? A root of it is zero then too, and not 0/0. */
static bool rests_at_zero(const double *a, int k)
{
    for (int i = 0; i <= k; i++)
        if (a[i] != 0) return false;
    return true;
}

/* c = a^b with constant b. */
static double power(int k, const double *a, double b, const double *c)
{
    double sum = 0;
    if (c[0] == 0 && rests_at_zero(a, k)) return 0;
    for (int i = 1; i <= k; i++) sum += (b * i - (k - i)) * a[i] * c[k - i];
    return sum / (k * a[0]);
}

static double root(int k, const double *a, const double *c)
{
    return rests_at_zero(a, k) ? 0 : gt_series_sqrt(k, a, c, 1);
}

static double product(const gt_ode_term *term, int k, const double *a, const double *b)
{
    return term->value == GT_ODE_SCALED ? a[0] * b[k] : gt_series_mul(k, a, b, 1);
}

static double quotient(const gt_ode_term *term, int k, const double *a, const double *b,
                       const double *c)
{
    if (c[0] == 0 && isinf(b[0]))
        return 0; /* far beyond where it could be seen, as in 1/(1+exp(-x)) */
    return term->value == GT_ODE_SCALED ? a[k] / b[0] : gt_series_div(k, a, b, c, 1);
}

static double table(const expansion *e, const gt_ode_term *term, double at, bool slope)
{
    const gt_ode_table_range *r = &e->c->code->tables[term->b];
    return slope ? gt_ode_table_slope(e->c->p + r->slot, r->n, r->lo, r->hi, at)
                 : gt_ode_table(e->c->p + r->slot, r->n, r->lo, r->hi, at);
}

static double leaf(const expansion *e, const gt_ode_term *term)
{
    switch (term->op) {
    case N_STATE:
        return e->x[(size_t)e->k * e->n + (size_t)(term->a + term->b * e->j)];
    case N_PARAM:
        return e->k ? 0 : e->c->p[term->a + term->b * e->j];
    case N_TIME:
        return e->k == 0 ? e->t : e->k == 1;
    case N_J:
        return e->k ? 0 : e->j;
    default:
        return e->k ? 0 : term->value;
    }
}

/* Coefficient k of an operation; c is its own series. */
static double operation(const expansion *e, const gt_ode_term *term, const double *c)
{
    int k = e->k, op = term->op;
    const double *a = series_of(e, term->a);
    if (op == N_TABLE) return k ? table(e, term, a[0], true) * a[k] : table(e, term, a[0], false);
    if (op == N_SLOPE) return k ? 0 : table(e, term, a[0], true);
    if (op == N_HELD || op == N_HELD_SIGN) {
        if (k) return 0;
        int side = e->c->sides[term->b + term->c * e->j];
        if (!side) return a[0];
        return op == N_HELD_SIGN ? side : side > 0;
    }
    int operands = ode_operands(op);
    const double *b = operands > 1 ? series_of(e, term->b) : a;
    const double *third = operands > 2 ? series_of(e, term->c) : a;
    if (k == 0) return gt_lang_apply(op, a[0], b[0], third[0]);
    if (ode_is(op, OP_CHAINED)) {
        if (operands == 2)
            return chain(k, a, series_of(e, term->c)) + chain(k, b, series_of(e, (int)term->value));
        return term->value == GT_ODE_FIXED ? 0 : chain(k, a, series_of(e, term->c));
    }
    if (term->value == GT_ODE_FIXED) return 0;
#define PRODUCT product(term, k, a, b)
#define QUOTIENT quotient(term, k, a, b, c)
#define POWER power(k, a, b[0], c)
#define ROOT root(k, a, c)
    switch ((ode_op)op) {
#define ODE_OPERATION(symbol, operands, cost, text, c_name, traits, value, derivative, series,     \
                      ...)                                                                         \
    case symbol:                                                                                   \
        return series;
#include "lang/operations/operations.def"
    default:
        return 0;
    }
}

static void run_term(const expansion *e, const gt_ode_term *term, double *own)
{
    if (term->op == GT_ODE_STORE) {
        size_t slot = (size_t)(term->b + term->c * e->j);
        e->x[(size_t)(e->k + 1) * e->n + slot] = series_of(e, term->a)[e->k] / (e->k + 1);
    } else if (ode_operands(term->op)) {
        own[e->k] = operation(e, term, own);
    } else {
        own[e->k] = leaf(e, term);
    }
}

gt_status gt_ode_taylor(double t, int order, double *x, void *ctx)
{
    gt_ode_ctx *c = ctx;
    const gt_ode_code *code = c->code;
    if (order >= GT_ODE_SERIES) return GT_UNSUPPORTED;
    expansion e = {.c = c,
                   .t = t,
                   .x = x,
                   .n = (size_t)(code->n_slow + code->n_fast + code->n_alg),
                   .single = c->series};
    for (e.k = 0; e.k < order; e.k++) {
        double *series = c->series;
        for (int p = 0; p < code->n_parts; p++) {
            const gt_ode_part *part = &code->parts[p];
            size_t length = (size_t)(part->hi - part->lo + 1);
            e.step = length * GT_ODE_SERIES;
            for (e.j = part->lo; e.j <= part->hi; e.j++) {
                double *own = series + (size_t)(e.j - part->lo) * GT_ODE_SERIES;
                e.loop = own;
                for (int i = 0; i < part->count; i++, own += e.step)
                    run_term(&e, &code->terms[part->first + i], own);
            }
            series += (size_t)part->count * e.step;
        }
    }
    return GT_OK;
}

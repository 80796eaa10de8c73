/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Taylor series method, crow 5.1.1 with (5.3) read as x_new = sum_(k=0)^p c_k h^k, c_k =
 * x^(k)(t)/k!, of any order p (option `order`). The coefficients come from the problem's recurrence
 * (problem.taylor), never from differences. The local error is estimated by the last term, c_p h^p,
 * which is the error of order p - 1. The series knows nothing of what f does further on, a jump or
 * a kink: so at a controlled step the slope of the polynomial at the end is held against f there. h
 * times the difference is (p+1) c_(p+1) h^(p+1) where f is smooth, a few times c_p h^p at most;
 * half of what is above ten times that counts as error. Dense output is the polynomial. R(z) =
 * sum_(k=0)^p z^k / k!.
 */
#include "base/finite.h"
#include "kit/euler_start.h"
#include <geartrain/author/stepper.h>
#include <geartrain/methods.h>
#include <math.h>
#include <string.h>

typedef struct taylor_options {
    int order;
} taylor_options;

static const gt_param options[] = {
    {.name = "order",
     .help = "number of terms after the first",
     .type = GT_INTEGER,
     .initial = 8,
     .min = 1,
     .max = 60,
     .field = GT_OPTION_FIELD(taylor_options, order)},
    {0},
};

typedef struct taylor_state {
    taylor_options options;
    double *c;    /* (order + 1) x n */
    bool c_known; /* c is of the accepted point */
} taylor_state;

static int order_of(const double *v)
{
    taylor_options o = {0};
    gt_params_fill(options, v, &o);
    return o.order;
}

static gt_facts facts(const gt_method *self, const double *v)
{
    (void)self;
    int p = order_of(v);
    return (gt_facts){
        .kind = GT_KIND_SERIES, .order = p, .error_order = p - 1, .flags = GT_NEEDS_TAYLOR};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    taylor_state *w = s->state;
    gt_params_fill(options, s->options.v, &w->options);
    w->c = gt_arena_doubles(arena, ((size_t)w->options.order + 1) * s->n);
    return GT_OK;
}

static gt_status expand(gt_stepper *s)
{
    taylor_state *w = s->state;
    if (w->c_known) return GT_OK;
    memcpy(w->c, s->x, s->n * sizeof *w->c);
    s->stats.taylor++;
    gt_status status = s->problem->taylor(s->t, w->options.order, w->c, s->problem->ctx);
    w->c_known = !status;
    return status;
}

/* Horner's rule. */
static void evaluate(const gt_stepper *s, double h, double *x)
{
    const taylor_state *w = s->state;
    size_t n = s->n;
    int p = w->options.order;
    memcpy(x, w->c + (size_t)p * n, n * sizeof *x);
    for (int k = p - 1; k >= 0; k--) {
        const double *c = w->c + (size_t)k * n;
        for (size_t i = 0; i < n; i++) x[i] = c[i] + h * x[i];
    }
}

/* What f at the end shows beyond the slope of the polynomial, in `err` where that is larger. */
static gt_status hold_against_slope(gt_stepper *s, double h, const double *x_new, double *err)
{
    const taylor_state *w = s->state;
    const double *c = w->c;
    int p = w->options.order;
    gt_status status = gt_rhs(s, s->t + h, x_new, s->f_new);
    s->f_new_known = !status;
    for (size_t i = 0; i < s->n && !status; i++) {
        double slope = 0;
        for (int k = p; k >= 1; k--) slope = k * c[(size_t)k * s->n + i] + h * slope;
        double jump = gt_abrupt(h * (s->f_new[i] - slope), fabs(err[i]));
        if (!(jump <= fabs(err[i]))) err[i] = jump;
    }
    return status;
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    taylor_state *w = s->state;
    (void)x;
    gt_status status = expand(s);
    if (status) return status;
    evaluate(s, h, x_new);
    if (!gt_all_finite(x_new, s->n)) w->c_known = false; /* perhaps not so when tried again */
    if (err) {
        int p = w->options.order;
        const double *last = w->c + (size_t)p * s->n;
        double power = 1;
        for (int k = 0; k < p; k++) power *= h;
        for (size_t i = 0; i < s->n; i++) err[i] = power * last[i];
        return hold_against_slope(s, h, x_new, err);
    }
    return GT_OK;
}

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    evaluate(s, theta * h, x);
    return GT_OK;
}

static void forget(gt_stepper *s) { ((taylor_state *)s->state)->c_known = false; }

static void rational(const gt_method *self, const double *v, gt_rational *R)
{
    (void)self;
    R->num_degree = order_of(v);
    R->num[0] = R->den[0] = 1;
    for (int k = 1; k <= R->num_degree; k++) R->num[k] = R->num[k - 1] / k;
}

const gt_method gt_method_taylor = {.name = "taylor",
                                    .roles = GT_ROLE_SERIES,
                                    .family = "Taylor series",
                                    .title = "Taylor series, explicit, of any order (option order)",
                                    .reference = "crow (5.2)-(5.3)",
                                    .memory = "coefficients of the series, order + 1",
                                    .options = options,
                                    .facts = facts,
                                    .state_size = sizeof(taylor_state),
                                    .layout = layout,
                                    .step = step,
                                    .accept = forget,
                                    .restart = forget,
                                    .interpolate = interpolate,
                                    .rational = rational};

/* SPDX-License-Identifier: BSD-3-Clause */
#include "kit/bi_linear.h"
#include "linalg/backend.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

void gt_bi_mass_layout(gt_lu *mass, const gt_problem *p, gt_arena *arena)
{
    if (p->mass) gt_lu_layout(mass, p->mass, arena);
}

gt_status gt_bi_mass_prepare(gt_lu *mass, gt_stepper *s)
{
    assert(mass && s && s->problem);
    const gt_matrix *M = s->problem->mass;
    if (M && s->problem->n_alg)
        return gt_fail(&s->message, GT_UNSUPPORTED,
                       "method %s treats algebraic equations or a mass matrix, not both; take "
                       "radau, gear or trapezoidal",
                       s->method->name);
    gt_status status = M ? gt_lu_analyse(mass, M) : GT_OK;
    if (gt_lu_ready(status, &s->message)) return status;
    if (!M || (!status && !gt_lu_factor(mass, M))) return GT_OK;
    return gt_fail(
        &s->message, GT_UNSUPPORTED,
        "method %s needs a regular mass matrix; for a singular one take trapezoidal or gear",
        s->method->name);
}

void gt_bi_linear_layout(gt_bi_linear *w, const gt_problem *p, const gt_bi_numbers *numbers,
                         const gt_linear_options *linear, bool inputs, gt_arena *arena)
{
    assert(w && p && numbers && arena);
    const double complex *inverse = w->numbers ? w->numbers->poles.inverse : NULL;
    size_t n = gt_problem_size(p);
    gt_shifted_layout(&w->shifted, p, numbers->poles.r, numbers->poles.count, linear, arena);
    gt_newton_layout_shifted(&w->newton, p, &w->shifted, inverse, arena);
    gt_bi_mass_layout(&w->mass, p, arena);
    w->rest = gt_arena_doubles(arena, 2 * n);
    for (int j = 0; j < numbers->nodes && inputs; j++) w->g[j] = gt_arena_doubles(arena, n);
}

gt_status gt_bi_linear_prepare(gt_bi_linear *w, gt_stepper *s)
{
    assert(w && s && s->n > 0);
    gt_status status = gt_bi_mass_prepare(&w->mass, s);
    return status ? status : gt_newton_prepare(&w->newton, s);
}

/* g(t_j) - g(t) for all nodes, in rows of M x' = f; *constant when all are 0. */
static gt_status find_inputs(gt_bi_linear *w, gt_stepper *s, double h, const double *x,
                             bool *constant)
{
    const gt_second_order *so = s->problem->second_order;
    bool by_input = so && s->problem->mass;
    *constant = true;
    if (s->problem->autonomous || (so && !so->input)) return GT_OK;
    size_t m = by_input ? s->n / 2 : 0;
    double *before = w->rest;
    if (by_input) {
        gt_status status = so->input(s->t, before + m, s->problem->ctx);
        if (status) return status;
    } else {
        memcpy(before, s->f, s->n * sizeof *before);
    }
    for (int j = 0; j < w->numbers->nodes; j++) {
        double t = s->t + w->numbers->node[j] * h, *g = w->g[j];
        gt_status status = by_input ? so->input(t < s->t_cap ? t : s->t_cap, g + m, s->problem->ctx)
                                    : gt_rhs(s, t, x, g);
        if (status) return status;
        for (size_t i = m; i < s->n; i++) {
            g[i] -= before[i];
            if (g[i] != 0) *constant = false;
        }
    }
    return GT_OK;
}

static gt_status add_inputs(gt_bi_linear *w, gt_stepper *s, double h, double *x_new)
{
    const gt_bi_numbers *c = w->numbers;
    double *b = w->rest;
    for (int i = 0; i < w->shifted.count; i++) {
        bool real = gt_shift_is_real(&w->shifted, i);
        memset(b, 0, 2 * s->n * sizeof *b);
        for (int j = 0; j < c->nodes; j++) {
            double re = creal(c->omega[j][i]), im = cimag(c->omega[j][i]);
            const double *g = w->g[j];
            if (real)
                for (size_t k = 0; k < s->n; k++) b[k] += re * g[k];
            else
                for (size_t k = 0; k < s->n; k++) b[2 * k] += re * g[k], b[2 * k + 1] += im * g[k];
        }
        double absolute = w->shifted.absolute;
        w->shifted.absolute = absolute / (2 * w->shifted.count * fabs(h));
        gt_status status = gt_shifted_solve(&w->shifted, s, i, b);
        w->shifted.absolute = absolute;
        if (status) return status;
        gt_shifted_add(&w->shifted, i, 1, h, b, x_new);
    }
    return GT_OK;
}

void gt_bi_exact(gt_bi_linear *w, const gt_stepper *s)
{
    const double part = 0.01, relative = 1e-12;
    w->shifted.absolute = part;
    w->shifted.relative = s->rtol > 0 ? DBL_EPSILON : relative;
}

gt_status gt_bi_linear_step(gt_bi_linear *w, gt_stepper *s, double h, const double *x,
                            double *x_new, double *err, bool *constant)
{
    assert(w && s && x && x_new && constant);
    assert(x != x_new);
    assert(h != 0);
    const gt_bi_numbers *c = w->numbers;
    gt_status status = gt_slope(s);
    if (!status) status = gt_newton_begin(&w->newton, s, h);
    if (!status) status = find_inputs(w, s, h, x, constant);
    if (status) return status;
    memcpy(x_new, x, s->n * sizeof *x);
    const gt_combination sums[] = {{c->sigma, h, x_new}, {c->estimate, h, err}};
    if (err) memset(err, 0, s->n * sizeof *err);
    gt_bi_exact(w, s);
    status = gt_shifted_apply(&w->shifted, s, s->f, sums, err && *constant ? 2 : 1);
    if (!status && !*constant) status = add_inputs(w, s, h, x_new);
    if (status) return status;
    if (err && *constant && c->estimate_0 != 0) {
        memcpy(w->rest, s->f, s->n * sizeof *err);
        if (s->problem->mass) gt_lu_solve(&w->mass, w->rest);
        for (size_t i = 0; i < s->n; i++) err[i] += h * c->estimate_0 * w->rest[i];
    }
    return GT_OK;
}

void gt_bi_linear_free(gt_bi_linear *w)
{
    gt_newton_free(&w->newton);
    gt_lu_free(&w->mass);
}

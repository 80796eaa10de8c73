/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runge-Kutta methods from a tableau given at run time, explicit or diagonally implicit (those with
 * entries above the diagonal are in from_coupled.c):
 *
 *     X_i = x + h sum_(j<i) a_ij k_j + h a_ii k_i      k_i = f(t + c_i h, X_i)      x_new = x + h
 * sum_i b_i k_i
 *
 * A stage with a_ii other than 0 is solved by Newton's method, and its k_i is taken from X_i rather
 * than evaluated, which does not amplify what the iteration left in stiff components. When the last
 * row of a equals b the last stage is x_new; if then all stages but an explicit first one are
 * implicit, algebraic equations hold in every stage. Where all stages are explicit they are solved
 * at each of them, as in explicit_rk.c.
 */
#include "design/from_numbers.h"
#include "exact/rational.h"
#include "implicit/index.h"
#include "kit/implicit.h"
#include <math.h>
#include <string.h>

typedef struct rk_options {
    double newton_tol, newton_fraction;
} rk_options;
static const gt_param implicit_options[] = {GT_NEWTON_OPTIONS(rk_options), {0}};

typedef struct rk_row {
    gt_tableau tableau;
    gt_tableau_orders orders;
    int solves; /* implicit stages */
    bool last_is_new, treats_algebraic;
} rk_row;

typedef struct rk_state {
    gt_implicit implicit;
    double *k[GT_MAX_STAGES]; /* the first is s->f when its stage is explicit */
} rk_state;

static const rk_row *row_of(const gt_stepper *s) { return s->method->data; }

static gt_facts facts(const gt_method *self, const double *v)
{
    (void)v;
    const rk_row *row = self->data;
    unsigned flags = row->treats_algebraic ? GT_TREATS_ALGEBRAIC : 0;
    return (gt_facts){.kind = row->solves ? GT_KIND_IMPLICIT : GT_KIND_EXPLICIT,
                      .order = row->orders.order,
                      .error_order = row->orders.error_order,
                      .evaluations = row->solves ? 0 : row->tableau.stages - row->last_is_new,
                      .flags = row->solves ? flags | GT_USES_JACOBIAN : GT_TREATS_ALGEBRAIC};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    rk_state *w = s->state;
    const rk_row *row = row_of(s);
    int last = row->tableau.stages - 1;
    for (int i = 0; i <= last; i++)
        if (row->solves || (i > 0 && i < last)) w->k[i] = gt_arena_doubles(arena, s->n);
    const gt_linear_options direct = {.way = GT_LINEAR_DIRECT};
    if (row->solves) gt_implicit_layout(&w->implicit, GT_SIMULTANEOUS, &direct, s->problem, arena);
    return GT_OK;
}

static gt_status prepare(gt_stepper *s)
{
    rk_state *w = s->state;
    if (!row_of(s)->solves) return GT_OK;
    rk_options o = {0};
    gt_params_fill(implicit_options, s->options.v, &o);
    return gt_implicit_prepare(&w->implicit, s, o.newton_tol, o.newton_fraction);
}

/* y += h sum_j w_j k_j over the first `count` stages. */
static void add_stages(const gt_stepper *s, const gt_ratio *weight, int count, double h, double *y)
{
    const rk_state *w = s->state;
    for (int j = 0; j < count; j++) {
        double factor = h * gt_ratio_value(weight[j]);
        for (size_t i = 0; i < s->n && factor != 0; i++) y[i] += factor * w->k[j][i];
    }
}

/* Stage i, its point in x_new, which comes with that of the stage before as a guess. */
static gt_status stage(gt_stepper *s, int i, double h, const double *x, double *x_new)
{
    rk_state *w = s->state;
    const gt_tableau *T = &row_of(s)->tableau;
    double t = s->t + gt_ratio_value(T->c[i]) * h, gamma = h * gt_ratio_value(T->a[i][i]);
    if (!T->a[i][i].num && i == 0) {
        gt_status status = gt_slope(s);
        if (!status && w->k[0] != s->f) memcpy(w->k[0], s->f, s->n * sizeof *x);
        return status;
    }
    if (!T->a[i][i].num) {
        memcpy(x_new, x, s->n * sizeof *x);
        add_stages(s, T->a[i], i, h, x_new);
        gt_status status = row_of(s)->solves ? GT_OK : gt_closing_stage(s, t, x_new);
        return status ? status : gt_rhs(s, t, x_new, w->k[i]);
    }
    gt_implicit *equations = &w->implicit;
    memset(equations->rest, 0, s->n * sizeof *x);
    add_stages(s, T->a[i], i, h, equations->rest);
    equations->base = x;
    equations->t_end = t;
    equations->gamma = gamma;
    gt_status status = gt_implicit_solve(equations, s, x_new);
    for (size_t m = 0; m < s->n && !status; m++)
        w->k[i][m] = (x_new[m] - x[m] - equations->rest[m]) / gamma;
    return status;
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    rk_state *w = s->state;
    const rk_row *row = row_of(s);
    const gt_tableau *T = &row->tableau;
    if (!row->solves) { /* the slopes at both ends are stages, and change places from step to step
                         */
        w->k[T->stages - 1] = s->f_new;
        w->k[0] = s->f;
        gt_status status = gt_closing_begin(s);
        if (status) return status;
    }
    memcpy(x_new, x, s->n * sizeof *x);
    for (int i = 0; i < T->stages; i++) {
        gt_status status = stage(s, i, h, x, x_new);
        if (status) return status;
    }
    if (!row->last_is_new) {
        memcpy(x_new, x, s->n * sizeof *x);
        add_stages(s, T->b, T->stages, h, x_new);
        gt_status status = row->solves ? GT_OK : gt_closing_stage(s, s->t + h, x_new);
        if (status) return status;
    }
    s->f_new_known = row->last_is_new && !row->solves;
    if (!err || !row->orders.error_order) return GT_OK;
    size_t n_diff = s->problem->n_slow + s->problem->n_fast;
    memset(err, 0, s->n * sizeof *err);
    for (int j = 0; j < T->stages; j++) {
        double factor = h * (gt_ratio_value(T->b[j]) - gt_ratio_value(T->b_hat[j]));
        for (size_t i = 0; i < n_diff && factor != 0; i++) err[i] += factor * w->k[j][i];
    }
    return GT_OK;
}

static void accept(gt_stepper *s)
{
    if (row_of(s)->solves) gt_implicit_accept(&((rk_state *)s->state)->implicit);
}

static void restart(gt_stepper *s)
{
    if (row_of(s)->solves) gt_implicit_restart(&((rk_state *)s->state)->implicit);
}

static void release(gt_stepper *s)
{
    if (row_of(s)->solves) gt_implicit_free(&((rk_state *)s->state)->implicit);
}

/* Nodes that were not given are the sums of the rows. */
static void fill_nodes(gt_tableau *T)
{
    for (int i = 0; i < T->stages; i++) {
        gt_exact sum = gt_exact_whole(0);
        double value = 0;
        for (int j = 0; j < T->stages; j++) {
            sum = gt_exact_add(sum, gt_exact_of(T->a[i][j]));
            value += gt_ratio_value(T->a[i][j]);
        }
        if (!T->c[i].den && !gt_exact_to_ratio(sum, &T->c[i])) T->c[i] = gt_ratio_near(value);
    }
}

static gt_status check_rows(const char *name, const gt_tableau *T, gt_message *message)
{
    for (int i = 0; i < T->stages; i++) {
        double sum = 0, size = 1;
        for (int j = 0; j < T->stages; j++) {
            sum += gt_ratio_value(T->a[i][j]);
            size += fabs(gt_ratio_value(T->a[i][j]));
        }
        if (fabs(sum - gt_ratio_value(T->c[i])) > 1e-13 * size)
            return gt_fail(message, GT_BAD_ARGUMENT,
                           "row %d of A in %s adds up to %.15g, but c is %.15g there", i + 1, name,
                           sum, gt_ratio_value(T->c[i]));
    }
    return GT_OK;
}

/* The p up to which b integrates t^(p-1), and the q up to which the rows of A do. */
static void simplifying_assumptions(const gt_tableau *T, int *weights, int *rows, int *columns)
{
    double power[GT_MAX_STAGES];
    const double round_off = 1e-12;
    *weights = *rows = *columns = 2 * GT_MAX_STAGES;
    for (int j = 0; j < T->stages; j++) power[j] = 1;
    for (int k = 1; k <= 2 * GT_MAX_STAGES; k++) {
        double B = -1.0 / k, C = 0, D = 0;
        for (int i = 0; i < T->stages; i++) {
            double row = -power[i] * gt_ratio_value(T->c[i]) / k;
            double column = -gt_ratio_value(T->b[i]) * (1 - power[i] * gt_ratio_value(T->c[i])) / k;
            for (int j = 0; j < T->stages; j++) {
                row += gt_ratio_value(T->a[i][j]) * power[j];
                column += gt_ratio_value(T->b[j]) * power[j] * gt_ratio_value(T->a[j][i]);
            }
            B += gt_ratio_value(T->b[i]) * power[i];
            C = fmax(C, fabs(row));
            D = fmax(D, fabs(column));
        }
        if (fabs(B) > round_off && *weights >= k) *weights = k - 1;
        if (C > round_off && *rows >= k) *rows = k - 1;
        if (D > round_off && *columns >= k) *columns = k - 1;
        for (int j = 0; j < T->stages; j++) power[j] *= gt_ratio_value(T->c[j]);
    }
}

/* Beyond the trees that are listed, by B(p), C(q), D(r): the order is p where p <= q + r + 1 and p
 * <= 2 q + 2 (Butcher 1964; Hairer, Wanner II, Theorem IV.5.1). */
static int high_order(const gt_tableau *T)
{
    int p, q, r;
    simplifying_assumptions(T, &p, &q, &r);
    if (p > q + r + 1) p = q + r + 1;
    return p > 2 * q + 2 ? 2 * q + 2 : p;
}

static gt_status find_orders(const gt_method_label *label, const gt_tableau *T,
                             gt_tableau_orders *out, gt_message *message)
{
    gt_conditions found;
    gt_conditions_of_tableau(T, T->b, GT_TREE_ORDER, &found);
    int order = found.order > 1 ? found.order : 1; /* printed numbers may be a little off */
    if (fabs(found.list[0].residual) > 1e-6)
        return gt_fail(message, GT_BAD_ARGUMENT, "the weights b of %s add up to %.15g, not to 1",
                       label->name, found.list[0].residual + 1);
    int high = order == GT_TREE_ORDER ? high_order(T) : 0;
    if (high > order) order = high;
    if (found.order == GT_TREE_ORDER && label->order > order) order = label->order;
    if (label->order > order)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "%s is said to have order %d, but the order conditions hold up to %d",
                       label->name, label->order, order);
    gt_conditions_of_tableau(T, T->b_hat, GT_TREE_ORDER, &found);
    *out = (gt_tableau_orders){order, found.order < order ? found.order : order};
    return GT_OK;
}

static bool is_coupled(const gt_tableau *T)
{
    for (int i = 0; i < T->stages; i++)
        for (int j = i + 1; j < T->stages; j++)
            if (T->a[i][j].num) return true;
    return false;
}

static void describe_row(rk_row *row)
{
    const gt_tableau *T = &row->tableau;
    int last = T->stages - 1;
    row->last_is_new = true;
    row->treats_algebraic = true;
    for (int i = 0; i <= last; i++) {
        row->last_is_new =
            row->last_is_new && gt_ratio_value(T->a[last][i]) == gt_ratio_value(T->b[i]);
        row->solves += T->a[i][i].num != 0;
        if (i > 0 && !T->a[i][i].num) row->treats_algebraic = false;
    }
    row->treats_algebraic = row->treats_algebraic && row->last_is_new && row->solves;
}

gt_status gt_method_from_tableau(const gt_method_label *label, const gt_tableau *tableau,
                                 gt_arena *arena, const gt_method **method, gt_message *message)
{
    GT_ARMOR(message, label && tableau && arena && method);
    rk_row *row = gt_arena_take(arena, 1, sizeof *row);
    gt_method *m = gt_method_labelled(label, "a Runge-Kutta method", arena);
    if (!row || !m)
        return gt_fail(message, GT_NO_MEMORY, "out of memory for the method %s", label->name);
    if (tableau->stages < 1 || tableau->stages > GT_MAX_STAGES)
        return gt_fail(message, GT_BAD_ARGUMENT, "%s must have 1 to %d stages, not %d", label->name,
                       GT_MAX_STAGES, tableau->stages);
    row->tableau = *tableau;
    fill_nodes(&row->tableau);
    gt_status status = check_rows(label->name, &row->tableau, message);
    if (!status) status = find_orders(label, &row->tableau, &row->orders, message);
    if (status) return status;
    if (is_coupled(&row->tableau)) {
        status = gt_fill_coupled(m, &row->tableau, &row->orders, arena, message);
        if (!status) *method = m;
        return status;
    }
    describe_row(row);
    m->family = row->solves ? "diagonally implicit Runge-Kutta" : "explicit Runge-Kutta";
    m->memory = row->solves ? "the stages; J of the last point and of a trial, and I - gamma J; "
                              "Newton's guess and correction"
                            : "the stages between the first and the last, which are the slopes";
    m->options = row->solves ? implicit_options : NULL;
    m->facts = facts;
    m->tableau = &row->tableau;
    m->data = row;
    m->state_size = sizeof(rk_state);
    m->layout = layout;
    m->prepare = prepare;
    m->step = step;
    m->accept = accept;
    m->restart = restart;
    m->release = release;
    *method = m;
    return GT_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runge-Kutta methods whose stages all depend on each other (Gauss, Radau, Lobatto, ..), from a
 * tableau given at run time: with Z_i = X_i - x
 *
 *     M Z = h A F(x + Z)          x_new = x + h sum_i b_i k_i,     h k = A^-1 Z
 *
 * solved by kit/stage_newton.c. Slopes are taken from Z where A has an inverse, since that does not
 * amplify what the iteration left in stiff components, else from f.
 *
 * The error is estimated by the weights b_hat. Where there are none, by how far the polynomial p
 * through the slopes misses f at the beginning of the step (Hairer, Wanner II, IV.8.19),
 *
 *     err = (M - h r J)^-1 r h (f(t, x) - M p(0))
 *
 * with a real eigenvalue r of A or, if it has none, a number of that size. As weights of a tableau
 * with one more stage in front, r (1, -L_1(0), .., -L_s(0)), this has an order, found from the
 * conditions. It is 0 where p(0) is f(t, x) itself (Lobatto IIIA), and then there is no estimate.
 *
 * Where A has an inverse and its last row is b the last stage is x_new: M may then be singular, and
 * algebraic equations hold in all stages and at the end.
 */
#include "design/from_numbers.h"
#include "kit/implicit.h"
#include "kit/stages.h"
#include <math.h>
#include <string.h>

typedef struct coupled_options {
    double newton_tol, newton_fraction;
} coupled_options;
static const gt_param options[] = {GT_NEWTON_OPTIONS(coupled_options), {0}};

typedef struct coupled_row {
    gt_tableau tableau;
    int order, error_order, systems;
    bool last_is_new, compares, collocates; /* compares: there is b_hat */
    double b[GT_MAX_STAGES];
    double difference[GT_MAX_STAGES]; /* b - b_hat, or L(0) */
    gt_stage_numbers numbers;
} coupled_row;

typedef struct coupled_state {
    gt_stages stages;
    double *product;
} coupled_state;

static const coupled_row *row_of(const gt_stepper *s) { return s->method->data; }

static gt_facts facts(const gt_method *self, const double *v)
{
    (void)v;
    const coupled_row *row = self->data;
    bool treats = row->numbers.regular && row->last_is_new;
    return (gt_facts){.kind = GT_KIND_IMPLICIT,
                      .order = row->order,
                      .error_order = row->error_order,
                      .stages = row->tableau.stages,
                      .systems = row->systems,
                      .flags =
                          GT_USES_JACOBIAN | (treats ? GT_TREATS_ALGEBRAIC | GT_TREATS_MASS : 0)};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    coupled_state *w = s->state;
    gt_stages_layout(&w->stages, &row_of(s)->numbers, s->problem, arena);
    if (s->problem->mass) w->product = gt_arena_doubles(arena, s->n);
    return GT_OK;
}

static gt_status prepare(gt_stepper *s)
{
    coupled_state *w = s->state;
    coupled_options o = {0};
    gt_params_fill(options, s->options.v, &o);
    w->stages.tolerance = o.newton_tol;
    w->stages.fraction = o.newton_fraction;
    return gt_stages_prepare(&w->stages, s);
}

static void combine(const gt_stepper *s, const double *weight, double *sum)
{
    const coupled_state *w = s->state;
    for (int j = 0; j < row_of(s)->tableau.stages; j++)
        for (size_t i = 0; i < s->n && weight[j] != 0; i++) sum[i] += weight[j] * w->stages.K[j][i];
}

/* r (h f - M p(0)), filtered. */
static gt_status miss_at_start(gt_stepper *s, double h, double *err)
{
    coupled_state *w = s->state;
    const gt_stage_numbers *p = &row_of(s)->numbers;
    double r = creal(p->shift[p->filter]);
    gt_status status = gt_slope(s);
    if (status) return status;
    combine(s, row_of(s)->difference, err);
    if (s->problem->mass) {
        memcpy(w->product, err, s->n * sizeof *err);
        gt_matrix_multiply(s->problem->mass, w->product, 0, err);
    }
    for (size_t i = 0; i < s->n - s->problem->n_alg; i++) err[i] = r * (h * s->f[i] - err[i]);
    for (size_t i = s->n - s->problem->n_alg; i < s->n; i++) err[i] = 0;
    return gt_stages_filter(&w->stages, s, err);
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    coupled_state *w = s->state;
    const coupled_row *row = row_of(s);
    gt_status status = gt_stages_solve(&w->stages, s, h, x, x_new);
    if (status) return status;
    memcpy(x_new, x, s->n * sizeof *x);
    if (row->last_is_new)
        for (size_t i = 0; i < s->n; i++) x_new[i] += w->stages.Z[row->tableau.stages - 1][i];
    else
        combine(s, row->b, x_new);
    if (!err || !row->error_order) return GT_OK;
    memset(err, 0, s->n * sizeof *err);
    if (row->compares)
        combine(s, row->difference, err);
    else
        status = miss_at_start(s, h, err);
    for (size_t i = s->n - s->problem->n_alg; i < s->n; i++) err[i] = 0;
    return status;
}

static void accept(gt_stepper *s) { gt_stages_accept(&((coupled_state *)s->state)->stages, s->h); }

static void restart(gt_stepper *s) { gt_stages_restart(&((coupled_state *)s->state)->stages); }

static void release(gt_stepper *s) { gt_stages_free(&((coupled_state *)s->state)->stages); }

/* The collocation polynomial, through 0 at the beginning and Z_j at c_j. */
static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    const coupled_state *w = s->state;
    const gt_stage_numbers *p = &row_of(s)->numbers;
    (void)h;
    memcpy(x, s->x, s->n * sizeof *x);
    for (int j = 0; j < p->stages; j++) {
        if (p->c[j] == 0) continue;
        double weight = theta / p->c[j];
        for (int k = 0; k < p->stages; k++)
            if (k != j && p->c[k] != 0) weight *= (theta - p->c[k]) / (p->c[j] - p->c[k]);
        for (size_t i = 0; i < s->n; i++) x[i] += weight * w->stages.Z[j][i];
    }
    return GT_OK;
}

/* ---- from the numbers ---- */

/* L_j(0) of the polynomials through the nodes, and the order that they give the estimate. */
static int look_at_start(coupled_row *row)
{
    const gt_stage_numbers *p = &row->numbers;
    const gt_tableau *T = &row->tableau;
    int s = p->stages;
    if (!p->distinct || s == GT_MAX_STAGES) return 0;
    double r = creal(p->shift[p->filter]);
    gt_tableau longer = {.stages = s + 1};
    gt_ratio b[GT_MAX_STAGES] = {gt_ratio_near(-r)};
    for (int j = 0; j < s; j++) {
        double L = 1;
        for (int k = 0; k < s; k++)
            if (k != j) L *= p->c[k] / (p->c[k] - p->c[j]);
        row->difference[j] = L;
        b[j + 1] = gt_ratio_near(row->b[j] + r * L);
        longer.c[j + 1] = T->c[j];
        for (int k = 0; k < s; k++) longer.a[j + 1][k + 1] = T->a[j][k];
    }
    gt_conditions found;
    gt_conditions_of_tableau(&longer, b, GT_TREE_ORDER, &found);
    /* A first stage that is x itself makes all of it vanish. */
    for (int j = 0; j < s; j++) {
        bool empty = p->c[j] == 0;
        for (int k = 0; k < s; k++) empty = empty && p->A[j][k] == 0;
        if (empty) return 0;
    }
    return found.order < row->order ? found.order : row->order;
}

/* C(s) and B(s): the stages are values of one polynomial, and so is the end. */
static bool collocates(const coupled_row *row)
{
    const gt_stage_numbers *p = &row->numbers;
    double power[GT_MAX_STAGES];
    if (!p->distinct || p->stages < 3) return false;
    for (int j = 0; j < p->stages; j++) power[j] = 1;
    for (int q = 1; q <= p->stages; q++) {
        double end = -1.0 / q;
        for (int i = 0; i < p->stages; i++) {
            double sum = -power[i] * p->c[i] / q;
            for (int j = 0; j < p->stages; j++) sum += p->A[i][j] * power[j];
            if (fabs(sum) > 1e-12) return false;
            end += row->b[i] * power[i];
        }
        if (fabs(end) > 1e-12) return false;
        for (int j = 0; j < p->stages; j++) power[j] *= p->c[j];
    }
    return true;
}

static void fill_numbers(coupled_row *row)
{
    const gt_tableau *T = &row->tableau;
    gt_stage_numbers *p = &row->numbers;
    int last = T->stages - 1;
    p->stages = T->stages;
    row->last_is_new = true;
    for (int i = 0; i <= last; i++) {
        row->b[i] = gt_ratio_value(T->b[i]);
        row->difference[i] = row->b[i] - gt_ratio_value(T->b_hat[i]);
        row->compares = row->compares || T->b_hat[i].num;
        p->c[i] = gt_ratio_value(T->c[i]);
        for (int j = 0; j <= last; j++) p->A[i][j] = gt_ratio_value(T->a[i][j]);
    }
    for (int j = 0; j <= last; j++)
        row->last_is_new = row->last_is_new && p->A[last][j] == row->b[j];
}

gt_status gt_fill_coupled(gt_method *m, const gt_tableau *T, const gt_tableau_orders *orders,
                          gt_arena *arena, gt_message *message)
{
    coupled_row *row = gt_arena_take(arena, 1, sizeof *row);
    if (!row) return gt_fail(message, GT_NO_MEMORY, "out of memory for the method %s", m->name);
    row->tableau = *T;
    row->order = orders->order;
    row->error_order = orders->error_order;
    fill_numbers(row);
    if (!gt_stage_numbers_complete(&row->numbers))
        return gt_fail(message, GT_UNSUPPORTED,
                       "A of %s has more than %d different eigenvalues (of conjugate pairs one "
                       "counts), and so many systems are not solved in a step",
                       m->name, GT_STAGE_SHIFTS);
    for (int i = 0; i < T->stages; i++) {
        int which = row->numbers.shift_of[i];
        if (which >= 0) row->systems += cimag(row->numbers.shift[which]) == 0 ? 2 : 4;
    }
    if (!row->compares) row->error_order = look_at_start(row);
    row->collocates = collocates(row);
    m->family = "implicit Runge-Kutta";
    m->memory = "J of the last point and of a trial, and the real and the complex systems of the "
                "stages with their factors; stages of a trial, their slopes, those of the last "
                "step, corrections";
    m->options = options;
    m->facts = facts;
    m->tableau = &row->tableau;
    m->data = row;
    m->state_size = sizeof(coupled_state);
    m->layout = layout;
    m->prepare = prepare;
    m->step = step;
    m->accept = accept;
    m->restart = restart;
    m->release = release;
    m->interpolate = row->collocates ? interpolate : NULL;
    return GT_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* How the linear systems of Newton are solved without factors of W: what is laid out, the
 * Jacobians, preconditioners and products. The iteration itself is in gmres.c. */
#include "implicit/inner.h"
#include "base/weighted_sum.h"
#include "implicit/gmres.h"
#include "implicit/growth.h"
#include "implicit/product.h"
#include "linalg/backend.h"
#include "problem/norm.h"
#include <assert.h>
#include <float.h>
#include <string.h>

enum { RESTART_LARGE = 5, RESTART = 20, LARGE = 50000 };

/* Below these sizes factors are always cheap; dense ones take n^2 numbers. Above the last one the
 * ordering that would tell what they cost is itself too expensive, unless the band is narrow. */
enum { FEW = 3000, MANY_SPARSE = 200000, NARROW = 50 };
/* Factors serve about `uses` Newton iterations. Entries for a state above `most_entries` are too
 * much memory at any rate. */
static const double uses = 10, most_entries = 100;

static int half_band(const gt_pattern *p, size_t n)
{
    int most = 0;
    for (size_t j = 0; j < n; j++) {
        int first = p->colptr[j], end = p->colptr[j + 1];
        if (first == end) continue;
        int above = (int)j - p->rowindex[first], below = p->rowindex[end - 1] - (int)j;
        most = above > most ? above : most;
        most = below > most ? below : most;
    }
    return most;
}

static bool krylov_pays(const gt_problem *p)
{
    const gt_pattern *of = &p->jac_pattern;
    size_t n = gt_problem_size(p);
    if (of->storage == GT_CSC && n > gt_sparse_most()) return true;
    if (n < FEW || of->storage == GT_BANDED) return false;
    if (of->storage == GT_DENSE) return !p->jac && !p->n_alg && !p->mass;
    if (half_band(of, n) <= NARROW) return false;
    if (n > MANY_SPARSE) return true;
    double entries, operations;
    if (!gt_sparse_fill(n, of, &entries, &operations)) return true; /* out of memory */
    double direct = operations / uses + 4 * entries;
    return direct > gt_krylov_operations * (double)n || entries > most_entries * (double)n;
}

gt_linear_way gt_inner_way(const gt_problem *p, const gt_linear_options *o)
{
    assert(p && o);
    const gt_solver *own = p->solver;
    if (own && own->solve) return GT_LINEAR_CALLER;
    if (own || p->ranks) return GT_LINEAR_KRYLOV;
    if (o->way == GT_LINEAR_DIRECT || o->way == GT_LINEAR_KRYLOV) return o->way;
    return krylov_pays(p) ? GT_LINEAR_KRYLOV : GT_LINEAR_DIRECT;
}

int gt_inner_restart(size_t n, const gt_linear_options *o)
{
    int restart = o->restart > 0 ? o->restart : n > LARGE ? RESTART_LARGE : RESTART;
    return restart < GT_MOST_RESTART ? restart : GT_MOST_RESTART;
}

bool gt_inner_matrix(const gt_problem *p, const gt_linear_options *o)
{
    bool plain = p->jac_pattern.storage == GT_DENSE && !p->jac; /* a column costs a call of f */
    bool few = gt_problem_size(p) < FEW && o->precondition != GT_PRECONDITION_NONE;
    return !p->ranks && !p->solver && (!plain || few);
}

gt_preconditioner gt_inner_precondition(const gt_problem *p, const gt_linear_options *o,
                                        bool matrix)
{
    bool sparse = p->jac_pattern.storage == GT_CSC;
    if (p->solver && p->solver->precondition) return GT_PRECONDITION_CALLER;
    if (!matrix || o->precondition == GT_PRECONDITION_NONE) return GT_PRECONDITION_NONE;
    if (o->precondition == GT_PRECONDITION_JACOBI || !sparse) return GT_PRECONDITION_JACOBI;
    return GT_PRECONDITION_ILU;
}

void gt_inner_layout(gt_newton *newton, const gt_problem *p, const gt_linear_options *o,
                     gt_linear_way way, gt_arena *arena)
{
    gt_inner made = {.way = way, .held = -1, .most = GT_INNER_MOST};
    gt_inner *w = gt_arena_take(arena, 1, sizeof *w);
    size_t n = gt_problem_size(p);
    bool krylov = way == GT_LINEAR_KRYLOV;
    made.matrix = krylov && gt_inner_matrix(p, o);
    made.precondition = gt_inner_precondition(p, o, made.matrix);
    newton->jac = (gt_jacobian){.n = n, .n_diff = p->n_slow + p->n_fast};
    if (made.matrix) {
        gt_jacobian_layout(&newton->jac, p, arena);
        gt_matrix_layout(&newton->J[0], n, newton->jac.of_J, false, arena);
        newton->J[1] = newton->J[0]; /* one place for both: `held` says which is there */
    }
    for (int i = 0; i < 2; i++) made.at[i] = gt_arena_doubles(arena, n);
    made.z = gt_arena_doubles(arena, n);
    made.unit = gt_arena_doubles(arena, n);
    if (p->mass) newton->product = gt_arena_doubles(arena, n);
    if (krylov) {
        made.restart = gt_inner_restart(n, o);
        made.V = gt_arena_doubles(arena, n * (size_t)(made.restart + 1));
    }
    if (krylov && !made.matrix && !(p->solver && p->solver->jac_times)) {
        made.f = gt_arena_doubles(arena, n);
        made.moved = gt_arena_doubles(arena, n);
    }
    if (made.precondition == GT_PRECONDITION_ILU) gt_ilu_layout(&made.ilu, p, o->fill, arena);
    if (made.precondition == GT_PRECONDITION_JACOBI) made.diagonal = gt_arena_doubles(arena, n);
    if (w) *w = made;
    newton->inner = w;
}

void gt_inner_prepare(gt_newton *newton, gt_stepper *s)
{
    gt_inner *w = newton->inner;
    if (w->matrix) {
        gt_jacobian_prepare(&newton->jac, s->problem);
        w->reach = gt_pattern_reach(&newton->J[0].pattern, s->n);
    }
    if (w->precondition == GT_PRECONDITION_ILU) gt_ilu_prepare(&w->ilu, s->problem);
}

gt_status gt_inner_evaluate(gt_newton *newton, gt_stepper *s, int which, double t, const double *x)
{
    gt_inner *w = newton->inner;
    if (x != w->at[which]) gt_copy(s->problem, s->n, x, w->at[which]);
    w->at_t[which] = t;
    s->rough_jacobian = false;
    if (!w->matrix) {
        if (w->held == which) w->held = -1; /* what was prepared is of another point */
        return GT_OK;
    }
    w->held = which;
    gt_status status = gt_jacobian_evaluate(&newton->jac, s, t, x, &newton->J[0]);
    if (status) w->held = -1;
    return status;
}

int gt_inner_diagonal(const gt_problem *p, const gt_matrix *J, double gamma, double *inverse)
{
    size_t n_diff = p->n_slow + p->n_fast;
    int sign = 1;
    for (size_t i = 0; i < J->n; i++) {
        const double *d = gt_matrix_at(J, i, i), *m = p->mass ? gt_matrix_at(p->mass, i, i) : NULL;
        double own = p->mass && gamma != 0 ? (m ? *m : 0) : 1;
        double pivot = i < n_diff ? own - gamma * (d ? *d : 0) : (d ? *d : 0);
        inverse[i] = pivot != 0 && isfinite(pivot) ? 1 / pivot : 1;
        if (inverse[i] < 0) sign = -sign;
    }
    return sign;
}

static gt_system system_of(const gt_newton *newton, const gt_stepper *s, int which, double gamma)
{
    const gt_inner *w = newton->inner;
    double t = w->at_t[which];
    return (gt_system){.t = t < s->t_cap ? t : s->t_cap,
                       .x = w->at[which],
                       .gamma = gamma,
                       .same_point = w->held == which,
                       .weight = w->unit};
}

gt_status gt_inner_factor(gt_newton *newton, gt_stepper *s, int which, double gamma)
{
    gt_inner *w = newton->inner;
    const gt_solver *own = s->problem->solver;
    gt_status status = GT_OK;
    s->stats.factorizations++;
    if (w->matrix && w->held != which)
        status = gt_inner_evaluate(newton, s, which, w->at_t[which], w->at[which]);
    if (status) return status;
    if (own && own->prepare) {
        gt_system system = system_of(newton, s, which, gamma);
        if (!system.same_point) s->stats.jacobians++;
        status = own->prepare(&system, own->ctx);
        w->held = status ? -1 : which;
    }
    w->sign_P = w->precondition != GT_PRECONDITION_CALLER;
    if (w->precondition == GT_PRECONDITION_ILU) {
        gt_ilu_factor(&w->ilu, s->problem, &newton->J[0], gamma);
        w->sign_P = w->ilu.sign;
    }
    if (w->precondition == GT_PRECONDITION_JACOBI)
        w->sign_P = gt_inner_diagonal(s->problem, &newton->J[0], gamma, w->diagonal);
    w->gamma_P = gamma;
    return status;
}

gt_status gt_inner_difference(gt_stepper *s, double t, const double *x, const double *f,
                              const double *v, double *moved, double *y)
{
    double least = sqrt(DBL_EPSILON), scale = s->rtol > least ? 1
                                              : s->rtol > 0   ? least / s->rtol
                                                              : least;
    double reach = scale * sqrt(gt_sum_over_ranks(s->problem, (double)s->n));
    gt_moved(s->problem, s->n, x, reach, v, moved);
    gt_status status = gt_rhs(s, t, moved, y);
    gt_slope_between(s->problem, s->n, f, reach, y);
    return status;
}

/* Whose systems they are, for gmres.h. */
typedef struct owner {
    gt_newton *newton;
    gt_stepper *s;
} owner;

/* What loops over components are about. */
typedef struct three_vectors {
    const gt_stepper *s;
    double gamma, floor;
    const double *v;
    double *y;
} three_vectors;

/* y = v - gamma y */
static void shift_range(size_t from, size_t to, void *work)
{
    const three_vectors w = *(three_vectors *)work;
    GT_INDEPENDENT
    for (size_t i = from; i < to; i++) w.y[i] = w.v[i] - w.gamma * w.y[i];
}

/* y = v y */
static void times_range(size_t from, size_t to, void *work)
{
    const three_vectors w = *(three_vectors *)work;
    GT_INDEPENDENT
    for (size_t i = from; i < to; i++) w.y[i] *= w.v[i];
}

/* y: the weight of v */
static void weight_range(size_t from, size_t to, void *work)
{
    const three_vectors w = *(three_vectors *)work;
    const gt_stepper *s = w.s;
    if (s->rtol > 0)
        for (size_t i = from; i < to; i++) w.y[i] = gt_weight(s, i, w.v[i]);
    else
        for (size_t i = from; i < to; i++) w.y[i] = fabs(w.v[i]) + w.floor;
}

static gt_status times(void *ctx, const double *v, double *y)
{
    gt_newton *newton = ((owner *)ctx)->newton;
    gt_stepper *s = ((owner *)ctx)->s;
    gt_inner *w = newton->inner;
    const gt_problem *p = s->problem;
    size_t n_diff = newton->jac.n_diff;
    gt_status status = GT_OK;
    s->stats.krylov++;
    if (w->matrix)
        gt_multiply_many(p, &newton->J[0], w->reach, v, y);
    else if (p->solver && p->solver->jac_times)
        status =
            p->solver->jac_times(w->t < s->t_cap ? w->t : s->t_cap, w->x, v, y, p->solver->ctx);
    else
        status = gt_inner_difference(s, w->t, w->x, w->f, v, w->moved, y);
    if (status) return status;
    const double *Mv = v;
    if (p->mass && w->gamma != 0) {
        gt_matrix_multiply(p->mass, v, 0, newton->product);
        Mv = newton->product;
    }
    three_vectors of = {.gamma = w->gamma, .v = Mv, .y = y};
    gt_in_chunks(p, n_diff, shift_range, &of);
    return GT_OK;
}

/* b := P^-1 b, by way of z */
static gt_status precondition(void *ctx, double *b)
{
    const gt_newton *newton = ((owner *)ctx)->newton;
    const gt_stepper *s = ((owner *)ctx)->s;
    const gt_inner *w = newton->inner;
    const gt_solver *own = s->problem->solver;
    switch (w->precondition) {
    case GT_PRECONDITION_ILU: {
        gt_shift W = gt_ilu_matrix(&w->ilu, &newton->J[0], w->gamma_P);
        gt_ilu_solve(&w->ilu, &W, b);
        return GT_OK;
    }
    case GT_PRECONDITION_JACOBI: {
        three_vectors of = {.v = w->diagonal, .y = b};
        gt_in_chunks(s->problem, s->n, times_range, &of);
        return GT_OK;
    }
    case GT_PRECONDITION_CALLER: {
        gt_system system = system_of(newton, s, newton->lu_of, w->gamma_P);
        gt_status status = own->precondition(&system, b, w->z, own->ctx);
        memcpy(b, w->z, s->n * sizeof *b);
        return status;
    }
    default:
        return GT_OK;
    }
}

static gt_status iterate(gt_newton *newton, gt_stepper *s, double absolute, double relative)
{
    const gt_inner *w = newton->inner;
    owner whose = {newton, s};
    int sign = w->sign_P;
    bool looks = sign && w->gamma != 0 && s->rtol > 0 && gt_shows_growth(s->problem);
    const gt_gmres gmres = {.problem = s->problem,
                            .n = s->n,
                            .width = 1,
                            .restart = w->restart,
                            .most = w->most,
                            .V = w->V,
                            .z = w->z,
                            .unit = w->unit,
                            .times = times,
                            .precondition = precondition,
                            .ctx = &whose,
                            .sign = looks ? &sign : NULL};
    gt_status status = gt_gmres_solve(&gmres, newton->delta, absolute, relative);
    return !status && looks && sign < 0 ? GT_TRY_NEWTON : status;
}

void gt_inner_weigh(const gt_stepper *s, const double *x, const double *b, size_t width,
                    double *unit)
{
    double floor = 0;
    if (!(s->rtol > 0)) {
        floor = 1e-6 * gt_largest_over_ranks(s->problem, x, s->n) + DBL_MIN;
        floor += 1e-6 * gt_largest_over_ranks(s->problem, b, width * s->n);
    }
    three_vectors of = {.s = s, .floor = floor, .v = x, .y = unit};
    gt_in_chunks(s->problem, s->n, weight_range, &of);
}

static gt_status by_caller(gt_newton *newton, gt_stepper *s, double gamma)
{
    gt_inner *w = newton->inner;
    const gt_solver *own = s->problem->solver;
    gt_system system = system_of(newton, s, newton->lu_of, gamma);
    double sum = 0;
    for (size_t i = 0; i < s->n; i++) {
        double d = newton->delta[i] / w->unit[i];
        sum += d * d;
    }
    double size = sqrt(gt_mean(s->problem, sum, s->n)), enough = gt_linear_part * newton->fraction;
    system.tolerance = s->rtol > 0 && size > 0 ? fmin(0.1, enough / size) : gt_linear_relative;
    s->stats.krylov++;
    gt_status status = own->solve(&system, newton->delta, w->z, own->ctx);
    memcpy(newton->delta, w->z, s->n * sizeof *w->z);
    return status;
}

gt_status gt_inner_solve(gt_newton *newton, gt_stepper *s, double t, double gamma, const double *x)
{
    assert(newton && newton->inner && s && x);
    gt_inner *w = newton->inner;
    w->t = t;
    w->x = x;
    w->gamma = gamma;
    gt_inner_weigh(s, x, newton->delta, 1, w->unit);
    if (w->way == GT_LINEAR_CALLER) return by_caller(newton, s, gamma);
    gt_status status = w->f ? gt_rhs(s, t, x, w->f) : GT_OK;
    if (status) return status;
    double enough = gt_linear_part * newton->fraction;
    return iterate(newton, s, s->rtol > 0 ? enough : 0, s->rtol > 0 ? 0 : gt_linear_relative);
}

/* Enough for a Newton iteration to fall far; products for one. */
static const double closing_relative = 1e-4;
enum { CLOSING_ITERATIONS = 300 };

gt_status gt_inner_close(gt_newton *newton, gt_stepper *s, double t, const double *x)
{
    assert(newton && newton->inner && newton->inner->matrix && s && x);
    gt_inner *w = newton->inner;
    w->t = t;
    w->x = x;
    w->gamma = 0;
    w->most = CLOSING_ITERATIONS;
    gt_inner_weigh(s, x, newton->delta, 1, w->unit);
    return iterate(newton, s, 0, closing_relative);
}

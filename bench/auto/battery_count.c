/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts operations: a problem that counts its calls, and linear algebra that the linker sends here
 * (--wrap). */
#include "battery.h"
#include <klu.h>
#include <math.h>
#include <string.h>

/* Who counts now; the functions that the linker sends here have no other way to know. One thread.
 */
static battery_count *current;

static const double vector_call = 12, vector_step = 20, any_step = 200; /* see battery.h */
/* Beside multiplications, by callgrind, in the instructions of which a call of f takes one an
 * operation. */
static const double band_factor_row = 200, band_solve_row = 40, sparse_factor_row = 600,
                    sparse_solve_row = 100;
static const double jacobian_entry = 80, complex_rows = 2;

static void check(battery_count *c)
{
    if (c->evaluations + c->algebra + c->vectors > c->cap) c->stop = 1;
}

static void algebra(double operations)
{
    if (!current) return;
    current->algebra += operations;
    check(current);
}

/* The run looks at `stop` between steps; a step that goes on and on is ended by f. */
static gt_status called(battery_count *c, long *counter, double operations, size_t rows)
{
    ++*counter;
    c->evaluations += operations;
    c->vectors += vector_call * (double)rows;
    check(c);
    return battery_operations(c) > 1.3 * c->cap ? GT_INTERRUPTED : GT_OK;
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    battery_count *c = current;
    gt_status status = called(c, &c->full, c->per_call.full, gt_problem_size(c->of));
    return status ? status : c->of->rhs(t, x, dx, ctx);
}

static gt_status rhs_slow(double t, const double *x, double *dx, void *ctx)
{
    battery_count *c = current;
    gt_status status = called(c, &c->slow, c->per_call.slow, c->of->n_slow);
    return status ? status : c->of->rhs_slow(t, x, dx, ctx);
}

static gt_status rhs_fast(double t, const double *x, double *dx, void *ctx)
{
    battery_count *c = current;
    gt_status status = called(c, &c->fast, c->per_call.fast, c->of->n_fast);
    return status ? status : c->of->rhs_fast(t, x, dx, ctx);
}

static gt_status rhs_alg(double t, const double *x, double *dx, void *ctx)
{
    battery_count *c = current;
    gt_status status = called(c, &c->alg, c->per_call.alg, c->of->n_alg);
    return status ? status : c->of->rhs_alg(t, x, dx, ctx);
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    battery_count *c = current;
    gt_status status = called(c, &c->jacobians, c->per_call.jac, 0);
    return status ? status : c->of->jac(t, x, J, ctx);
}

static gt_status jac_block(gt_part rows, gt_part columns, double t, const double *x, gt_matrix *J,
                           void *ctx)
{
    battery_count *c = current;
    double n = (double)gt_problem_size(c->of);
    const size_t sizes[] = {c->of->n_slow, c->of->n_fast, c->of->n_alg};
    gt_status status =
        called(c, &c->jacobians,
               c->per_call.jac * (double)sizes[rows] / n * (double)sizes[columns] / n, 0);
    return status ? status : c->of->jac_block(rows, columns, t, x, J, ctx);
}

static double known(double value, double otherwise) { return value > 0 ? value : otherwise; }

void battery_count_begin(battery_count *c, const gt_problem *p, double cap)
{
    double n = (double)gt_problem_size(p), full = known(p->work.full, 10 * n);
    gt_matrix J = {.n = gt_problem_size(p), .pattern = p->jac_pattern};
    *c = (battery_count){.of = p, .counted = *p, .cap = cap};
    double placed =
        p->jac_pattern.storage == GT_DENSE ? 0 : jacobian_entry * (double)gt_matrix_entries(&J);
    c->per_call =
        (gt_work){.full = full,
                  .slow = known(p->work.slow, full * (double)p->n_slow / n),
                  .fast = known(p->work.fast, full * (double)p->n_fast / n),
                  .alg = known(p->work.alg, full * (double)p->n_alg / n),
                  .jac = placed + known(p->work.jac, full + (double)gt_matrix_entries(&J))};
    c->counted.rhs = rhs;
    if (p->rhs_slow) c->counted.rhs_slow = rhs_slow;
    if (p->rhs_fast) c->counted.rhs_fast = rhs_fast;
    if (p->rhs_alg) c->counted.rhs_alg = rhs_alg;
    if (p->jac) c->counted.jac = jac;
    if (p->jac_block) c->counted.jac_block = jac_block;
    current = c;
}

void battery_count_end(battery_count *c)
{
    if (current == c) current = NULL;
}

double battery_operations(const battery_count *c)
{
    return c->evaluations + c->algebra + c->vectors;
}

double battery_call(const battery_count *c)
{
    return c->per_call.full + vector_call * (double)gt_problem_size(c->of);
}

/* Steps are known from the report only. */
void battery_count_steps(battery_count *c, long steps)
{
    c->vectors += (double)steps * (vector_step * (double)gt_problem_size(c->of) + any_step);
}

/* ---- what the linker sends here ---- */

/* With the types of the headers, so that a function that changes does not compile here any more. */
#define WRAPPED(name) __typeof__(name) __real_##name, __wrap_##name
struct gt_ilu;   /* these two and the function below are no part of the headers: */
struct gt_shift; /* what calls it has changed when a run by Krylov spaces ends here */

WRAPPED(gt_lu_factor);
WRAPPED(gt_lu_solve);

/* Multiplications and additions of a complex number are four times those of a real one. */
static double field(const gt_lu *lu) { return lu->is_complex ? 4 : 1; }

/* Looking up and waiting take twice as long for them. */
static double rows(const gt_lu *lu) { return (lu->is_complex ? complex_rows : 1) * (double)lu->n; }

gt_status __wrap_gt_lu_factor(gt_lu *lu, const gt_matrix *matrix)
{
    double n = (double)lu->n, lower = lu->pattern.lower, upper = lu->pattern.upper;
    if (current) current->factorizations++;
    if (lu->pattern.storage == GT_DENSE) algebra(field(lu) * 2.0 / 3 * n * n * n);
    if (lu->pattern.storage == GT_BANDED)
        algebra(field(lu) * n * lower * (2 * (lower + upper) + 1) + rows(lu) * band_factor_row);
    if (lu->pattern.storage == GT_CSC) algebra(rows(lu) * sparse_factor_row);
    return __real_gt_lu_factor(lu, matrix); /* sparse: counted below */
}

void __wrap_gt_lu_solve(const gt_lu *lu, double *b)
{
    double n = (double)lu->n;
    if (current) current->solutions++;
    if (lu->pattern.storage == GT_DENSE) algebra(field(lu) * 2 * n * n);
    if (lu->pattern.storage == GT_BANDED)
        algebra(field(lu) * 2 * n * (2 * lu->pattern.lower + lu->pattern.upper + 1) +
                rows(lu) * band_solve_row);
    if (lu->pattern.storage == GT_CSC) algebra(rows(lu) * sparse_solve_row);
    __real_gt_lu_solve(lu, b);
}

WRAPPED(gt_matrix_multiply);
void __wrap_gt_matrix_multiply(const gt_matrix *matrix, const double *x, double beta, double *y)
{
    algebra(2 * (double)gt_matrix_entries(matrix));
    __real_gt_matrix_multiply(matrix, x, beta, y);
}

/* An iteration in a Krylov space: the incomplete factors, as many numbers as J has, and the vectors
 * that each new one is made orthogonal to. Those of aggregates inside it are small and not counted
 * again. */
void __real_gt_ilu_solve(const struct gt_ilu *factors, const struct gt_shift *W, double *b);
void __wrap_gt_ilu_solve(const struct gt_ilu *factors, const struct gt_shift *W, double *b);
void __wrap_gt_ilu_solve(const struct gt_ilu *factors, const struct gt_shift *W, double *b)
{
    const double vectors = 10;
    battery_count *outer = current;
    if (outer) {
        gt_matrix J = {.n = gt_problem_size(outer->of), .pattern = outer->of->jac_pattern};
        algebra(2 * (double)gt_matrix_entries(&J) + 4 * vectors * (double)J.n);
    }
    current = NULL;
    __real_gt_ilu_solve(factors, W, b);
    current = outer;
}

/* Sparse factors with their true fill. A factorisation that alone takes more than the cap is
 * refused as if there were no memory for it: it could not be stopped on its way. */
static bool refused(const klu_symbolic *symbolic, klu_common *common, double each)
{
    if (!current || !(each * symbolic->est_flops > current->cap)) return false;
    algebra(each * symbolic->est_flops);
    common->status = KLU_OUT_OF_MEMORY;
    return true;
}

static void factored(int known, const klu_common *common)
{
    if (known) algebra(common->flops);
}

static void solved(const klu_symbolic *symbolic, const klu_numeric *numeric, double each)
{
    algebra(each * 2 * ((double)numeric->lnz + (double)numeric->unz + (double)symbolic->nzoff));
}

#define FACTOR(name, each)                                                                         \
    klu_numeric *__real_##name##_factor(int *, int *, double *, klu_symbolic *, klu_common *);     \
    klu_numeric *__wrap_##name##_factor(int *, int *, double *, klu_symbolic *, klu_common *);     \
    klu_numeric *__wrap_##name##_factor(int *p, int *i, double *x, klu_symbolic *s, klu_common *c) \
    {                                                                                              \
        if (refused(s, c, each)) return NULL;                                                      \
        klu_numeric *numeric = __real_##name##_factor(p, i, x, s, c);                              \
        factored(current &&numeric &&name##_flops(s, numeric, c), c);                              \
        return numeric;                                                                            \
    }                                                                                              \
    int __real_##name##_refactor(int *, int *, double *, klu_symbolic *, klu_numeric *,            \
                                 klu_common *);                                                    \
    int __wrap_##name##_refactor(int *, int *, double *, klu_symbolic *, klu_numeric *,            \
                                 klu_common *);                                                    \
    int __wrap_##name##_refactor(int *p, int *i, double *x, klu_symbolic *s, klu_numeric *m,       \
                                 klu_common *c)                                                    \
    {                                                                                              \
        int done = __real_##name##_refactor(p, i, x, s, m, c);                                     \
        factored(current &&done &&name##_flops(s, m, c), c);                                       \
        return done;                                                                               \
    }                                                                                              \
    int __real_##name##_solve(klu_symbolic *, klu_numeric *, int, int, double *, klu_common *);    \
    int __wrap_##name##_solve(klu_symbolic *, klu_numeric *, int, int, double *, klu_common *);    \
    int __wrap_##name##_solve(klu_symbolic *s, klu_numeric *m, int n, int count, double *b,        \
                              klu_common *c)                                                       \
    {                                                                                              \
        solved(s, m, (each)*count);                                                                \
        return __real_##name##_solve(s, m, n, count, b, c);                                        \
    }
FACTOR(klu, 1.0)
FACTOR(klu_z, 4.0)

/* ---- functions of matrices ---- */

static double norm(size_t n, const double *a)
{
    double most = 0;
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) sum += fabs(a[j * n + i]);
        most = fmax(most, sum);
    }
    return most;
}

/* How often h A is halved, from the root of the norm of (h A)^2, which hardly differs from what the
 * library takes. */
static double halvings(size_t n, const double *a, double h)
{
    enum { FEW = 32 };
    double size = norm(n, a);
    if (n <= FEW) {
        double square[FEW * FEW] = {0};
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++)
                for (size_t i = 0; i < n; i++) square[j * n + i] += a[k * n + i] * a[j * n + k];
        size = fmin(size, sqrt(norm(n, square)));
    }
    size *= fabs(h) / 2;
    return size > 1 ? ceil(log2(size)) : 0;
}

WRAPPED(gt_phi_evaluate);
gt_status __wrap_gt_phi_evaluate(gt_phi *phi, const double *A, double h)
{
    size_t n = phi->n;
    if (current && !(phi->known && phi->h == h && !memcmp(phi->A, A, n * n * sizeof *A))) {
        double cube = 2 * (double)n * (double)n * (double)n;
        double products = 6 + phi->highest + (phi->highest + 1) * halvings(n, A, h);
        algebra(n == 1 ? 60
                       : products * cube); /* its one solution for n columns is counted by itself */
    }
    algebra(4 * (double)(n * n)); /* and applied to vectors */
    return __real_gt_phi_evaluate(phi, A, h);
}

WRAPPED(gt_krylov_sum);
gt_status __wrap_gt_krylov_sum(gt_krylov *krylov, size_t n, gt_product_fn *product, void *ctx,
                               double h, int highest, const double *const *b, double tolerance,
                               double *half, double *out)
{
    long before = krylov->products;
    gt_status status =
        __real_gt_krylov_sum(krylov, n, product, ctx, h, highest, b, tolerance, half, out);
    /* Each product is made orthogonal to two vectors, takes part in the sum and in a small
     * exponential; the product itself is counted by itself. */
    algebra((double)(krylov->products - before) * (16 * (double)n + 100 * GT_KRYLOV_DIMENSION));
    return status;
}

WRAPPED(gt_moments_evaluate);
gt_status __wrap_gt_moments_evaluate(gt_moments *m, const double *A, const double *b,
                                     const double *y0, double h)
{
    double n = (double)m->n + 1;
    if (current) algebra(2 * n * n * n * (4 + 3 * (1 + halvings(m->n, A, h))));
    return __real_gt_moments_evaluate(m, A, b, y0, h);
}

WRAPPED(gt_eigen);
gt_status __wrap_gt_eigen(size_t n, double *a, double *values, double *left, double *right)
{
    algebra((left || right ? 25.0 : 10.0) * (double)n * (double)n * (double)n);
    return __real_gt_eigen(n, a, values, left, right);
}

gt_status __real_gt_small_eigen(int n, double *a, int rows, double *re, double *im, double *last);
gt_status __wrap_gt_small_eigen(int n, double *a, int rows, double *re, double *im, double *last);
gt_status __wrap_gt_small_eigen(int n, double *a, int rows, double *re, double *im, double *last)
{
    algebra(25.0 * n * n * n);
    return __real_gt_small_eigen(n, a, rows, re, im, last);
}

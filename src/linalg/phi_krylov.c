/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sum_k h^k phi_k(h A) b_k from products with A alone. In tau = t/h the sum is y(1) of
 *
 *     y' = h A y + sum_(k>=1) h^k b_k c_k,  c_1' = 0,  c_k' = c_(k-1),  y(0) = b_0,  c(0) = (1, 0,
 * ..)
 *
 * which is Van Loan's block matrix h W = [hA B; 0 K] and one exponential (Al-Mohy, Higham, SIAM J.
 * Sci. Comput. 33 (2011) 488). It is followed in substeps as in KIOPS (Gaudreault, Rainwater,
 * Tokman, J. Comput. Phys. 372 (2018) 236): in each, W is projected on a Krylov space whose vectors
 * are made orthogonal to the last two only,
 *
 *     W V_m = V_m H_m + eta v_(m+1) e_m^T,       y(tau) = beta V_(m+1) F,  F = exp(tau h H~) e_1
 *
 * with H~ = H_m and the row eta e_m^T below it. The first equation holds whatever the angles
 * between the vectors are, and with it the error: what W adds outside the space up to tau is beta
 * F_(m+1) v_(m+1). The space grows until that is small enough, up to GT_KRYLOV_DIMENSION; from
 * there on the substep shrinks. Where vectors are far from orthogonal F is large and cancels in the
 * sum: then the substep shrinks too.
 *
 * Where we depart: H~ is tridiagonal, and so F comes from its Taylor series in pieces, at some
 * 10 |H~| products of three diagonals, where KIOPS takes a dense exponential; with a few hundred
 * states that was most of the work. The space grows by checks on the way and not by a prediction
 * from the substep before, since nothing is kept. The value at half the step, which the same spaces
 * hold, can be had with the sum. Products are those of D^-1 A D with `unit` in D, which the caller
 * chooses so that W is nearly normal, and errors are measured in units of `weight`. c is measured
 * in units of the largest h^k b_k, so that both parts count alike.
 */
#include <assert.h>
#include <float.h>
#include <geartrain/author/phi.h>
#include <math.h>
#include <string.h>

enum {
    DIMENSION = GT_KRYLOV_DIMENSION,
    ROWS = GT_KRYLOV_DIMENSION + 2, /* of a small vector: one before the first and the row below */
    MOST_SUBSTEPS = 4000,
    MOST_TERMS = 60
};

/* The diagonals of H~, below, on, and above it: entry i of each is in row i. */
typedef struct projected {
    double below[ROWS], on[ROWS], above[ROWS];
    int dimension;
    bool closed; /* W maps the space into itself */
} projected;

typedef struct task {
    gt_krylov *k;
    gt_product_fn *product;
    void *ctx;
    double h, size; /* size of all there is, in weights */
    int highest;
    const double *const *b;
    size_t n, rows; /* of y, and of y and c */
    double tolerance;
} task;

void gt_krylov_layout(gt_krylov *k, size_t room, gt_arena *arena)
{
    *k = (gt_krylov){.room = room};
    k->basis = gt_arena_doubles(arena, (room + GT_PHI_HIGHEST) * (DIMENSION + 1));
    k->w = gt_arena_doubles(arena, room + GT_PHI_HIGHEST);
    k->v = gt_arena_doubles(arena, room + GT_PHI_HIGHEST);
    k->b = gt_arena_doubles(arena, room * GT_PHI_HIGHEST);
    k->unit = gt_arena_doubles(arena, room);
    k->weight = gt_arena_doubles(arena, room);
}

static void add(size_t n, double factor, const double *restrict a, double *restrict to)
{
    for (size_t i = 0; i < n; i++) to[i] += factor * a[i];
}

/* The block matrix times v. */
static gt_status multiply(const task *t, const double *v, double *out)
{
    size_t n = t->n;
    t->k->products++;
    gt_status status = t->product(v, out, t->ctx);
    for (int j = 1; j <= t->highest; j++) {
        double c = v[n + (size_t)j - 1];
        if (t->b[j] && c != 0) add(n, c, t->k->b + (size_t)(j - 1) * n, out);
        out[n + (size_t)j - 1] = j == 1 ? 0 : v[n + (size_t)j - 2] / t->h;
    }
    return status;
}

/* sqrt(sum (b_i factor_i / of_i)^2); NULL is 1. */
static double size_of(size_t n, const double *b, const double *factor, const double *of)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double part = b[i] * (factor ? factor[i] : 1) / (of ? of[i] : 1);
        sum += part * part;
    }
    return sqrt(sum);
}

/* a . next and b . next, in four sums that do not wait for each other */
static void two_products(size_t n, const double *restrict a, const double *restrict b,
                         const double *restrict next, double out[2])
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 1 < n; i += 2) {
        sum[0] += a[i] * next[i];
        sum[1] += a[i + 1] * next[i + 1];
        sum[2] += b[i] * next[i];
        sum[3] += b[i + 1] * next[i + 1];
    }
    for (; i < n; i++) {
        sum[0] += a[i] * next[i];
        sum[2] += b[i] * next[i];
    }
    out[0] = sum[0] + sum[1];
    out[1] = sum[2] + sum[3];
}

/* next -= share_0 a + share_1 b; the value is the square of its size. */
static double take_away(size_t n, const double share[2], const double *restrict a,
                        const double *restrict b, double *restrict next)
{
    double even = 0, odd = 0;
    size_t i = 0;
    for (; i + 1 < n; i += 2) {
        double first = next[i] - share[0] * a[i] - share[1] * b[i];
        double second = next[i + 1] - share[0] * a[i + 1] - share[1] * b[i + 1];
        even += first * first;
        odd += second * second;
        next[i] = first;
        next[i + 1] = second;
    }
    for (; i < n; i++) {
        next[i] -= share[0] * a[i] + share[1] * b[i];
        even += next[i] * next[i];
    }
    return even + odd;
}

/* One more vector. */
static gt_status extend(const task *t, projected *P)
{
    size_t n = t->rows;
    int j = P->dimension;
    double *V = t->k->basis, *next = V + (size_t)(j + 1) * n, *last = V + (size_t)j * n;
    const double *older = j > 0 ? last - n : last;
    gt_status status = multiply(t, last, next);
    if (status) return status;
    double share[2];
    two_products(n, older, last, next, share);
    if (j == 0) share[0] = 0;
    double rest = take_away(n, share, older, last, next);
    double before = rest + share[0] * share[0] + share[1] * share[1];
    if (!isfinite(before)) return GT_TRY_NOT_FINITE;
    P->on[j] = share[1];
    if (j > 0) P->above[j - 1] = share[0];
    P->dimension = j + 1;
    P->closed = !(rest > 1e-28 * before);
    if (P->closed) return GT_OK;
    P->below[j + 1] = sqrt(rest);
    double part = 1 / P->below[j + 1];
    for (size_t i = 0; i < n; i++) next[i] *= part;
    return GT_OK;
}

static double larger(double a, double b) { return a > b ? a : b; }

static double size_of_projected(const projected *P)
{
    double most = 0;
    for (int i = 0; i < P->dimension; i++) {
        double sum = fabs(P->on[i]) + fabs(P->below[i + 1]) + (i ? fabs(P->above[i - 1]) : 0);
        most = larger(most, sum);
    }
    return most;
}

/* made = part H~ term, whose largest entry is the value. The row below the square part has no
 * column of its own. */
static double times_projected(const projected *P, double part, double *restrict term,
                              double *restrict made)
{
    int rows = P->dimension + 1;
    double end = term[rows - 1], most = 0;
    term[rows - 1] = 0;
    for (int i = 0; i < rows; i++)
        made[i] =
            part * (P->below[i] * term[i - 1] + P->on[i] * term[i] + P->above[i] * term[i + 1]);
    term[rows - 1] = end;
    for (int i = 0; i < rows; i++) most = larger(most, fabs(made[i]));
    return most;
}

/* F = exp(time H~) e_1 with an error of `accuracy` about, the largest of whose entries on the way
 * is the value. */
static double exponential(const projected *P, double time, double accuracy, double *F)
{
    int rows = P->dimension + 1,
        pieces = (int)fmin(ceil(fabs(time) * size_of_projected(P) / 4), 1e6);
    double space[2][ROWS + 2] = {{0}}, largest = 1;
    if (pieces < 1) pieces = 1;
    memset(F, 0, ROWS * sizeof *F);
    F[0] = 1;
    for (int p = 0; p < pieces; p++) {
        double *term = space[0] + 1, *made = space[1] + 1;
        memcpy(term, F, (size_t)rows * sizeof *term);
        for (int k = 1; k <= MOST_TERMS; k++) {
            double most = times_projected(P, time / pieces / k, term, made);
            for (int i = 0; i < rows; i++) F[i] += made[i];
            double *swap = term;
            term = made;
            made = swap;
            if (k > 4 && most <= accuracy / pieces * largest) break; /* they fall from there on */
        }
        for (int i = 0; i < rows; i++) largest = larger(largest, fabs(F[i]));
        if (!isfinite(largest)) return INFINITY;
    }
    return largest;
}

/* w = beta V F, four vectors at a time */
static void combine(const task *t, const projected *P, double beta, const double *F,
                    double *restrict w)
{
    size_t n = t->rows;
    int used = P->dimension + (P->closed ? 0 : 1), j = 0;
    const double *V = t->k->basis;
    memset(w, 0, n * sizeof *w);
    for (; j + 3 < used; j += 4) {
        const double *restrict a = V + (size_t)j * n, *restrict b = a + n, *restrict c = b + n,
                               *restrict d = c + n;
        double f0 = beta * F[j], f1 = beta * F[j + 1], f2 = beta * F[j + 2], f3 = beta * F[j + 3];
        for (size_t i = 0; i < n; i++) w[i] += f0 * a[i] + f1 * b[i] + f2 * c[i] + f3 * d[i];
    }
    for (; j < used; j++) add(n, beta * F[j], V + (size_t)j * n, w);
}

/* y in its own units. */
static void plain(const task *t, const double *w, double *out)
{
    for (size_t i = 0; i < t->n; i++) out[i] = t->k->balanced ? w[i] * t->k->unit[i] : w[i];
}

/* Of what the space leaves out up to tau, in weights over what is allowed. */
static double error_of(const task *t, const projected *P, double beta, double tau, double last,
                       double *F)
{
    const gt_krylov *k = t->k;
    double allowed = fmax(k->scaled ? k->enough : 0, t->tolerance * t->size);
    double accuracy = fmin(fmax(1e-3 * allowed * tau / (beta * last), 1e-17), 1e-6);
    double largest = exponential(P, tau * t->h, P->closed ? 1e-17 : accuracy, F);
    if (!isfinite(largest)) return INFINITY;
    if (P->closed) return 0;
    double error = fabs(F[P->dimension]) * last;
    /* more than sums of orthogonal vectors have */
    double round_off = DBL_EPSILON * (largest - 1e3);
    return fmax(error, fmax(round_off, 0)) * beta / (allowed * tau);
}

/* The size of the vector after the space, in weights. */
static double last_of(const task *t, const projected *P)
{
    const gt_krylov *k = t->k;
    const double *v = k->basis + (size_t)P->dimension * t->rows;
    return P->closed ? 0
                     : size_of(t->n, v, k->balanced ? k->unit : NULL, k->scaled ? k->weight : NULL);
}

/* One substep of at most `left` of the whole; *step is what was taken and *next what to try then.
 * F and the space are left for values inside of it. */
static gt_status substep(const task *t, double left, projected *P, double *beta, double *step,
                         double *next)
{
    static const int checks[] = {6, 10, 15, 21, 28, 36, 45, 54, DIMENSION};
    gt_krylov *k = t->k;
    double F[ROWS], error = INFINITY;
    *beta = size_of(t->rows, k->w, NULL, NULL);
    *P = (projected){.closed = *beta == 0};
    *step = left;
    if (*beta == 0) return GT_OK;
    if (!isfinite(*beta)) return GT_TRY_NOT_FINITE;
    for (size_t i = 0; i < t->rows; i++) k->basis[i] = k->w[i] / *beta;
    /* As many substeps of one size as the last one asks for. */
    double size = left / ceil(fmin(left / fmin(*next, left), 1e9));
    for (int c = 0; P->dimension < DIMENSION && !P->closed && error > 1; c++) {
        while (P->dimension < checks[c] && !P->closed) {
            gt_status status = extend(t, P);
            if (status) return status;
        }
        if (P->closed) size = left;
        /* Too far for this space: no space of m vectors follows more than m radians. */
        double reach = fabs(t->h) * size_of_projected(P);
        bool hopeless = size * reach > 3 * P->dimension;
        if (hopeless && P->dimension < DIMENSION && !P->closed) continue;
        size = fmin(size, (double)(DIMENSION * DIMENSION) / reach);
        error = error_of(t, P, *beta, size, last_of(t, P), F);
    }
    double last = last_of(t, P);
    for (int attempt = 0; error > 1; attempt++) {
        if (attempt == 60) return GT_TRY_KRYLOV;
        double part = isfinite(error) ? 0.9 * pow(error, -1.0 / P->dimension) : 0.1;
        size *= fmin(fmax(part, 0.1), 0.9);
        error = error_of(t, P, *beta, size, last, F);
    }
    combine(t, P, *beta, F, k->w);
    *step = size;
    *next =
        P->dimension < DIMENSION ? 2 * size : size * fmin(0.95 * pow(error, -0.5 / DIMENSION), 1.5);
    return GT_OK;
}

/* What is asked for, and where it begins. */
static task task_of(gt_krylov *k, size_t n, gt_product_fn *product, void *ctx, double h,
                    int highest, const double *const *b, double tolerance)
{
    task t = {.k = k, .product = product, .ctx = ctx, .h = h, .highest = highest, .b = b, .n = n};
    t.rows = n + (size_t)highest;
    t.tolerance = tolerance;
    const double *unit = k->balanced ? k->unit : NULL, *weight = k->scaled ? k->weight : NULL;
    double power = 1, unit_of_c = 0;
    for (int j = 0; j <= highest; j++, power *= h) {
        if (!b[j]) continue;
        t.size += fabs(power) * size_of(n, b[j], NULL, weight);
        if (j > 0) unit_of_c = fmax(unit_of_c, fabs(power) * size_of(n, b[j], NULL, unit));
    }
    power = 1;
    for (int j = 1; j <= highest && unit_of_c > 0; j++, power *= h)
        for (size_t i = 0; i < n && b[j]; i++)
            k->b[(size_t)(j - 1) * n + i] = power * b[j][i] / (unit_of_c * (unit ? unit[i] : 1));
    for (size_t i = 0; i < n; i++) k->w[i] = b[0] ? b[0][i] / (unit ? unit[i] : 1) : 0;
    for (int j = 0; j < highest; j++) k->w[n + (size_t)j] = j == 0 ? unit_of_c : 0;
    return t;
}

gt_status gt_krylov_sum(gt_krylov *k, size_t n, gt_product_fn *product, void *ctx, double h,
                        int highest, const double *const *b, double tolerance, double *half,
                        double *out)
{
    assert(k && product && b && out);
    assert(n <= k->room);
    assert(highest >= 0 && highest <= GT_PHI_HIGHEST);
    assert(tolerance > 0);
    task t = task_of(k, n, product, ctx, h, highest, b, tolerance);
    if (!isfinite(t.size)) return GT_TRY_NOT_FINITE;
    double done = 0, next = k->pace > 0 ? k->pace / fabs(h) : 1, step, beta, F[ROWS];
    projected P;
    if (half) memset(half, 0, n * sizeof *half);
    for (int count = 0; done < 1 && t.size > 0; count++) {
        if (count == MOST_SUBSTEPS) return GT_TRY_KRYLOV;
        gt_status status = substep(&t, 1 - done, &P, &beta, &step, &next);
        if (status) return status;
        if (half && done < 0.5 && done + step >= 0.5 && beta > 0) {
            exponential(&P, (0.5 - done) * h, 1e-17, F);
            combine(&t, &P, beta, F, k->v);
            plain(&t, k->v, half);
        }
        done = step >= 1 - done ? 1 : done + step;
        k->pace = next * fabs(h);
    }
    plain(&t, k->w, out);
    return GT_OK;
}

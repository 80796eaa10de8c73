/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands in for LAPACK where there is none, beside LAPACK where there is: eigenvalues and
 * eigenvectors of matrices of many kinds, scaled badly, defective, graded; systems dense and
 * banded; least squares. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "linalg/backend.h"
#include "linalg/balance.h"
#include "linalg/own_eigen.h"
#include "linalg/own_linalg.h"
#include <geartrain/matrix.h>

enum { MOST = GT_OWN_EIGEN_MOST };

typedef struct eigen {
    double re[MOST], im[MOST], left[MOST * MOST], right[MOST * MOST];
} eigen;

static double work[2 * MOST * MOST + MOST], kept[MOST * MOST];
static eigen own, other;

static double uniform(uint64_t *state)
{
    *state = *state * 2862933555777941757u + 3037000493u;
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

static void by_lapack(size_t n, const double *a, eigen *e)
{
    double *copy = malloc(n * n * sizeof *copy), values[2 * MOST];
    memcpy(copy, a, n * n * sizeof *copy);
    assert_int_equal(gt_eigen(n, copy, values, e->left, e->right), GT_OK);
    for (size_t i = 0; i < n; i++) e->re[i] = values[2 * i], e->im[i] = values[2 * i + 1];
    free(copy);
}

static void by_hand(size_t n, const double *a, eigen *e)
{
    memcpy(kept, a, n * n * sizeof *kept);
    assert_true(gt_own_eigen(n, kept, e->re, e->im, e->left, e->right, work));
}

/* Component i of vector k. */
static double complex part(const double *V, const double *im, size_t n, size_t k, size_t i)
{
    if (im[k] == 0) return V[k * n + i];
    size_t first = im[k] > 0 ? k : k - 1;
    double complex z = V[first * n + i] + I * V[(first + 1) * n + i];
    return im[k] > 0 ? z : conj(z);
}

/* |u* v| of left and right vectors of length 1: how much an eigenvalue moves with the matrix is one
 * over it. */
static double cosine(const eigen *e, size_t n, size_t k)
{
    double complex sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += conj(part(e->left, e->im, n, k, i)) * part(e->right, e->im, n, k, i);
    return cabs(sum);
}

/* Pairs each value of one list with the nearest that is left of the other; gives the partners. */
static void match(const eigen *a, const eigen *b, size_t n, size_t *partner)
{
    bool taken[MOST] = {false};
    for (size_t i = 0; i < n; i++) {
        double least = INFINITY;
        for (size_t j = 0; j < n; j++) {
            double d = hypot(a->re[i] - b->re[j], a->im[i] - b->im[j]);
            if (!taken[j] && d < least) least = d, partner[i] = j;
        }
        assert_true(least < INFINITY);
        taken[partner[i]] = true;
    }
}

static double norm(size_t n, const double *a) { return fmax(gt_dense_norm(n, a), DBL_MIN); }

/* |A v - lambda v| and |u* A - lambda u*| over |A|, the largest of all; and the lengths of the
 * vectors. */
static double worst_residual(size_t n, const double *a, const eigen *e)
{
    double worst = 0, size = norm(n, a);
    for (size_t k = 0; k < n; k++) {
        double complex lambda = e->re[k] + I * e->im[k];
        double right = 0, left = 0, length[2] = {0, 0};
        for (size_t i = 0; i < n; i++) {
            double complex v = part(e->right, e->im, n, k, i), u = part(e->left, e->im, n, k, i);
            double complex row = -lambda * v, column = -lambda * conj(u);
            for (size_t j = 0; j < n; j++) {
                row += a[j * n + i] * part(e->right, e->im, n, k, j);
                column += conj(part(e->left, e->im, n, k, j)) * a[i * n + j];
            }
            right += pow(cabs(row) / size, 2);
            left += pow(cabs(column) / size, 2);
            length[0] += pow(cabs(v), 2);
            length[1] += pow(cabs(u), 2);
        }
        assert_true(fabs(length[0] - 1) < 1e-12 && fabs(length[1] - 1) < 1e-12);
        worst = fmax(worst, fmax(sqrt(right), sqrt(left)));
    }
    return worst;
}

/* The order of LAPACK's: pairs together, the positive part first. */
static void assert_pairs(size_t n, const eigen *e)
{
    for (size_t k = 0; k < n; k++) {
        if (e->im[k] > 0)
            assert_true(k + 1 < n && e->im[k + 1] == -e->im[k] && e->re[k + 1] == e->re[k]);
        if (e->im[k] < 0) assert_true(k > 0 && e->im[k - 1] == -e->im[k]);
    }
}

/* The values apart from each other as far as the matrix determines them: to 1e-10 of its norm, or
 * to what a backward error of 100 n units in the last place moves them; gives how many were held to
 * 1e-10. */
static size_t compare(const char *what, size_t n, const double *a)
{
    size_t partner[MOST], strict = 0;
    double values_re[MOST], values_im[MOST], size = norm(n, a);
    by_lapack(n, a, &other);
    by_hand(n, a, &own);
    assert_pairs(n, &own);
    /* Balancing makes residuals small beside the balanced matrix; beside the given one LAPACK's may
     * grow too. */
    double residual = worst_residual(n, a, &own), theirs = worst_residual(n, a, &other);
    if (!(residual < fmax(1e-10, 10 * theirs)))
        fail_msg("%s, n = %zu: residual of the vectors %g of the norm, LAPACK's %g", what, n,
                 residual, theirs);
    match(&own, &other, n, partner);
    for (size_t i = 0; i < n; i++) {
        size_t j = partner[i];
        double apart = hypot(own.re[i] - other.re[j], own.im[i] - other.im[j]) / size;
        double may = 100 * (double)n * DBL_EPSILON / fmax(cosine(&other, n, j), 1e-300);
        strict += may < 1e-10;
        if (may < 1e-5 && !(apart <= fmax(may, 1e-10)))
            fail_msg(
                "%s, n = %zu: %.17g%+.17gi instead of %.17g%+.17gi, %g of the norm, allowed %g",
                what, n, own.re[i], own.im[i], other.re[j], other.im[j], apart, fmax(may, 1e-10));
    }
    /* The values alone come from another path of the same iteration. */
    memcpy(kept, a, n * n * sizeof *kept);
    assert_true(gt_own_eigen(n, kept, values_re, values_im, NULL, NULL, work));
    double trace = 0, sum = 0;
    for (size_t i = 0; i < n; i++) trace += a[i * n + i], sum += values_re[i];
    if (!(fabs(trace - sum) <= 1e-10 * size))
        fail_msg("%s, n = %zu: the sum of the values is not the trace", what, n);
    return strict;
}

static const size_t sizes[] = {1, 2, 3, 4, 5, 6, 8, 11, 16, 17, 25, 40, 64, 99, 100};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void random_matrices(void **unused)
{
    (void)unused;
    static double a[MOST * MOST];
    uint64_t state = 1;
    size_t strict = 0, all = 0;
    for (size_t s = 0; s < SIZES; s++)
        for (int sample = 0; sample < (sizes[s] < 30 ? 40 : 4); sample++) {
            size_t n = sizes[s];
            for (size_t i = 0; i < n * n; i++) a[i] = uniform(&state);
            strict += compare("random", n, a);
            all += n;
        }
    assert_true(strict > all * 99 / 100); /* random eigenvalues are hardly ever ill-conditioned */
}

static void symmetric_and_skew(void **unused)
{
    (void)unused;
    static double a[MOST * MOST];
    uint64_t state = 7;
    for (size_t s = 0; s < SIZES; s++)
        for (int sign = -1; sign <= 1; sign += 2) {
            size_t n = sizes[s];
            for (size_t j = 0; j < n; j++)
                for (size_t i = 0; i <= j; i++) {
                    a[j * n + i] = i == j && sign < 0 ? 0 : uniform(&state);
                    a[i * n + j] = sign * a[j * n + i];
                }
            assert_int_equal(compare(sign > 0 ? "symmetric" : "skew", n, a),
                             n); /* all are well-conditioned */
            for (size_t k = 0; k < n; k++)
                assert_true(fabs(sign > 0 ? own.im[k] : own.re[k]) <= 1e-12 * norm(n, a));
        }
}

/* D A D^-1 with entries over 24 orders: the eigenvalues are those of A, found only after balancing.
 */
static void badly_scaled(void **unused)
{
    (void)unused;
    static double a[MOST * MOST], b[MOST * MOST];
    uint64_t state = 11;
    for (size_t s = 0; s < SIZES; s++) {
        size_t n = sizes[s], partner[MOST];
        static eigen plain;
        for (size_t i = 0; i < n * n; i++) a[i] = uniform(&state);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++)
                b[j * n + i] = ldexp(a[j * n + i], (int)((i * 37) % 81) - (int)((j * 37) % 81));
        by_hand(n, a, &plain);
        by_hand(n, b, &own);
        match(&plain, &own, n, partner);
        for (size_t i = 0; i < n; i++) {
            size_t j = partner[i];
            double apart = hypot(plain.re[i] - own.re[j], plain.im[i] - own.im[j]) / norm(n, a);
            double may = 100 * (double)n * DBL_EPSILON / cosine(&plain, n, i);
            if (!(apart <= fmax(may, 1e-10)))
                fail_msg("n = %zu: %g of the norm before scaling", n, apart);
        }
    }
}

/* Triangular matrices, their rows and columns in any order: found by exchanges alone, to the last
 * bit. */
static void triangular_in_disorder(void **unused)
{
    (void)unused;
    static double a[MOST * MOST];
    uint64_t state = 13;
    for (size_t s = 0; s < SIZES; s++) {
        size_t n = sizes[s], order[MOST];
        for (size_t i = 0; i < n; i++) order[i] = i;
        for (size_t i = n; i > 1; i--) {
            size_t k = (size_t)((uniform(&state) + 1) / 2 * (double)i), swap = order[i - 1];
            order[i - 1] = order[k];
            order[k] = swap;
        }
        memset(a, 0, sizeof a);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i <= j; i++)
                a[order[j] * n + order[i]] =
                    i == j ? (double)(i + 1) : ldexp(uniform(&state), -(int)(n / 2));
        memcpy(kept, a, n * n * sizeof *kept);
        assert_true(gt_own_eigen(n, kept, own.re, own.im, NULL, NULL, work));
        for (size_t k = 1; k <= n; k++) {
            bool there = false;
            for (size_t i = 0; i < n; i++)
                there = there || (own.re[i] == (double)k && own.im[i] == 0);
            if (!there) fail_msg("n = %zu: %zu is missing", n, k);
        }
    }
}

/* Q J Q' with Jordan blocks of size m: round-off scatters the values over a disc of radius
 * eps^(1/m), but their mean is well determined (Kato), and so is that of LAPACK's. */
static void defective(void **unused)
{
    (void)unused;
    static double a[MOST * MOST];
    uint64_t state = 17;
    for (size_t m = 2; m <= 5; m++)
        for (size_t blocks = 1; blocks <= 8; blocks++) {
            size_t n = m * blocks, partner[MOST];
            memset(a, 0, sizeof a);
            for (size_t i = 0; i < n; i++) {
                a[i * n + i] = (double)(i / m) + 1;
                if (i % m) a[i * n + i - 1] = 1;
            }
            for (int times = 0; times < 2; times++) { /* a reflection on both sides */
                double v[MOST], sum = 0;
                for (size_t i = 0; i < n; i++) v[i] = uniform(&state), sum += v[i] * v[i];
                for (int side = 0; side < 2; side++)
                    for (size_t j = 0; j < n; j++) {
                        double dot = 0;
                        for (size_t i = 0; i < n; i++)
                            dot += v[i] * a[side ? i * n + j : j * n + i];
                        for (size_t i = 0; i < n; i++)
                            a[side ? i * n + j : j * n + i] -= 2 * dot / sum * v[i];
                    }
            }
            by_lapack(n, a, &other);
            by_hand(n, a, &own);
            assert_true(worst_residual(n, a, &own) < 1e-10);
            match(&own, &other, n, partner);
            for (size_t b = 1; b <= blocks; b++) {
                double mean = 0, theirs = 0, radius = 4 * pow(1e-14, 1 / (double)m);
                size_t count = 0;
                for (size_t i = 0; i < n; i++)
                    if (hypot(own.re[i] - (double)b, own.im[i]) < fmin(radius, 0.5)) {
                        mean += own.re[i];
                        theirs += other.re[partner[i]];
                        count++;
                    }
                assert_int_equal(count, m);
                mean /= (double)m;
                theirs /= (double)m;
                if (!(fabs(mean - (double)b) < 1e-10 * norm(n, a) &&
                      fabs(mean - theirs) < 1e-10 * norm(n, a)))
                    fail_msg("blocks of %zu, %zu of them: mean %.17g, LAPACK's %.17g", m, blocks,
                             mean, theirs);
            }
        }
}

/* Matrices on which an iteration with plain shifts stands still, or that have no size. */
static void special_cases(void **unused)
{
    (void)unused;
    static double a[MOST * MOST];
    for (size_t s = 0; s < SIZES; s++) {
        size_t n = sizes[s];
        memset(a, 0, sizeof a);
        compare("zero", n, a);
        for (size_t i = 0; i < n; i++) a[i * n + (i + 1) % n] = 1;
        assert_int_equal(compare("cyclic", n, a), n); /* roots of unity */
        for (size_t i = 0; i < n; i++)
            assert_true(fabs(hypot(own.re[i], own.im[i]) - 1) < 1e-13 * (double)n);
        a[(n - 1) * n] = 0;
        compare("one chain", n, a); /* a single Jordan block, lower: exchanges find it */
        for (size_t i = 0; i < n; i++) assert_true(own.re[i] == 0 || n == 1);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++) a[j * n + i] = 1;
        compare("ones", n, a);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++)
                a[j * n + i] = i <= j + 1 ? (double)(n - (i > j ? i : j)) : 0;
        compare("Frank", n, a);
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < n; i++)
                a[j * n + i] = i == j + 1 ? -1 : i <= j && j <= i + 3 ? 1 : 0;
        compare("Grcar", n, a);
    }
}

/* The whole range of numbers, and a graded matrix whose small eigenvalues have to stay. */
static void every_size_of_numbers(void **unused)
{
    (void)unused;
    static double a[MOST * MOST], b[MOST * MOST];
    uint64_t state = 23;
    for (int power = -1000; power <= 1000; power += 250) {
        size_t n = 12, partner[MOST];
        static eigen plain;
        for (size_t i = 0; i < n * n; i++) a[i] = uniform(&state), b[i] = ldexp(a[i], power);
        by_hand(n, a, &plain);
        by_hand(n, b, &own);
        for (size_t i = 0; i < n; i++)
            own.re[i] = ldexp(own.re[i], -power), own.im[i] = ldexp(own.im[i], -power);
        match(&plain, &own, n, partner);
        for (size_t i = 0; i < n; i++)
            assert_true(hypot(plain.re[i] - own.re[partner[i]], plain.im[i] - own.im[partner[i]]) <
                        1e-11);
    }
    double graded[] = {1e12, 1e6, 1,    1e6,  1,
                       1e-6, 1,   1e-6, 1e-12}; /* D B D, B = ones with a bump on the diagonal */
    for (int i = 0; i < 9; i += 4) graded[i] *= 3;
    by_hand(3, graded, &own);
    double least = INFINITY;
    for (int i = 0; i < 3; i++) least = fmin(least, fabs(own.re[i]));
    /* det = 20 in units where the leading 2 x 2 one is 8: the least eigenvalue is 2.5e-12 to first
     * order. */
    assert_true(fabs(least / 2.5e-12 - 1) < 1e-5);
}

enum { LARGEST = 60 };

/* The solution that the backend finds, and ours, of the same system: both to a few units times the
 * condition. */
static void one_system(gt_pattern pattern, size_t n, bool is_complex, uint64_t *state)
{
    gt_arena arena = gt_arena_growing();
    gt_matrix m;
    gt_lu theirs, ours;
    gt_matrix_layout(&m, n, pattern, is_complex, &arena);
    gt_lu_layout(&theirs, &m, &arena);
    gt_lu_layout(&ours, &m, &arena);
    size_t width = is_complex ? 2 : 1;
    double x[2 * LARGEST], y[2 * LARGEST];
    for (size_t i = 0; i < gt_matrix_entries(&m) * width; i++) m.values[i] = uniform(state);
    for (size_t i = 0; i < n * width; i++) x[i] = y[i] = uniform(state);
    for (int again = 0; again < 2; again++) { /* factors can be made anew in the same memory */
        assert_int_equal(gt_large_factor(&theirs, m.values), GT_OK);
        assert_int_equal(gt_own_factor(&ours, m.values), GT_OK);
    }
    gt_large_solve(&theirs, x);
    gt_own_solve(&ours, y);
    double apart = 0, size = 0;
    for (size_t i = 0; i < n * width; i++)
        apart = fmax(apart, fabs(x[i] - y[i])), size = fmax(size, fabs(x[i]));
    if (!(apart <= 1e-14 * (double)n * size * (1 + size)))
        fail_msg("storage %d, n = %zu, %s: %g of %g apart", (int)pattern.storage, n,
                 is_complex ? "complex" : "real", apart, size);
    m.values[0] = NAN;
    assert_int_equal(gt_own_factor(&ours, m.values), GT_TRY_SINGULAR);
    for (size_t i = 0; i < gt_matrix_entries(&m) * width; i++) m.values[i] = 0;
    assert_int_equal(gt_own_factor(&ours, m.values), GT_TRY_SINGULAR);
    gt_arena_free(&arena);
}

static void systems_dense_and_banded(void **unused)
{
    (void)unused;
    static const int bands[][2] = {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4},
                                   {0, 3}, {3, 0}, {2, 5}, {7, 2}};
    uint64_t state = 29;
    for (size_t n = 1; n <= LARGEST; n += n < 20 ? 1 : 13)
        for (int is_complex = 0; is_complex < 2; is_complex++) {
            one_system((gt_pattern){.storage = GT_DENSE}, n, is_complex, &state);
            for (size_t k = 0; k < sizeof bands / sizeof *bands; k++)
                if ((size_t)bands[k][0] < n && (size_t)bands[k][1] < n)
                    one_system((gt_pattern){.storage = GT_BANDED,
                                            .lower = bands[k][0],
                                            .upper = bands[k][1]},
                               n, is_complex, &state);
        }
}

/* A tall full matrix both ways; one of lower rank, where only the solution of least norm is one; a
 * broad one. */
static void least_squares(void **unused)
{
    (void)unused;
    static double a[4][LARGEST * LARGEST], room[4 * LARGEST * LARGEST];
    uint64_t state = 31;
    for (int kind = 0; kind < 3; kind++)
        for (int sample = 0; sample < 20; sample++) {
            size_t rows = kind == 2 ? 12 : 30, columns = kind == 2 ? 25 : 14,
                   rank = kind ? 7 : columns;
            double left[LARGEST][LARGEST], right[LARGEST][LARGEST], b[4][LARGEST], size = 0;
            for (size_t i = 0; i < LARGEST; i++)
                for (size_t j = 0; j < LARGEST; j++)
                    left[i][j] = uniform(&state), right[i][j] = uniform(&state);
            for (size_t j = 0; j < columns; j++)
                for (size_t i = 0; i < rows; i++) {
                    double sum = 0;
                    for (size_t k = 0; k < rank; k++) sum += left[i][k] * right[j][k];
                    for (int copy = 0; copy < 4; copy++) a[copy][j * rows + i] = sum;
                }
            for (size_t i = 0; i < LARGEST; i++)
                b[0][i] = b[1][i] = b[2][i] = b[3][i] = uniform(&state);
            assert_true(gt_least_norm((int)rows, (int)columns, a[0], b[0], 1e-11));
            assert_true(gt_own_least_norm_room(rows, columns) <= sizeof room / sizeof *room);
            assert_true(gt_own_least_norm(rows, columns, a[1], b[1], 1e-11, room));
            for (size_t j = 0; j < columns; j++) size = fmax(size, fabs(b[0][j]));
            for (size_t j = 0; j < columns; j++)
                assert_true(fabs(b[0][j] - b[1][j]) < 1e-10 * (1 + size));
            if (kind) continue;
            assert_true(gt_least_squares((int)rows, (int)columns, a[2], b[2]));
            assert_true(gt_own_least_squares(rows, columns, a[3], b[3]));
            double rest[2] = {0, 0};
            for (size_t j = 0; j < columns; j++)
                assert_true(fabs(b[2][j] - b[3][j]) < 1e-10 * (1 + size));
            for (size_t i = columns; i < rows; i++)
                rest[0] += b[2][i] * b[2][i], rest[1] += b[3][i] * b[3][i];
            assert_true(fabs(rest[0] - rest[1]) < 1e-12 * rest[0]); /* what is left over, turned */
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_matrices),
        cmocka_unit_test(symmetric_and_skew),
        cmocka_unit_test(badly_scaled),
        cmocka_unit_test(triangular_in_disorder),
        cmocka_unit_test(defective),
        cmocka_unit_test(special_cases),
        cmocka_unit_test(every_size_of_numbers),
        cmocka_unit_test(systems_dense_and_banded),
        cmocka_unit_test(least_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of matrices beside values of 20 digits, beside Van Loan's block matrix, and means
 * beside sums. */
#include "methods_kit.h"
#include "phi_reference.h"

enum { N_REFERENCES = sizeof phi_references / sizeof *phi_references };

static void transpose(size_t n, const double *rows, double *columns)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) columns[j * n + i] = rows[i * n + j];
}

/* Largest |a - b| in units of the geometric mean of the largest in the same row and in the same
 * column of b: rows and columns of a spring's matrix have different units. */
static double distance_above(double floor, size_t n, const double *a, const double *b)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double row = 0, column = 0;
            for (size_t k = 0; k < n; k++) {
                row = fmax(row, fabs(b[k * n + i]));
                column = fmax(column, fabs(b[j * n + k]));
            }
            worst = fmax(worst, fabs(a[j * n + i] - b[j * n + i]) / (sqrt(row * column) + floor));
        }
    return worst;
}

static double distance(size_t n, const double *a, const double *b)
{
    return distance_above(DBL_MIN, n, a, b);
}

/* No norm of h A is above a few times the condition of its exponential, and the least of them is
 * the spectral radius: what is asked for is that nothing is lost beyond what the last bits of A are
 * worth. */
static void values_of_twenty_digits(void **state)
{
    (void)state;
    for (int c = 0; c < N_REFERENCES; c++) {
        const phi_reference *r = &phi_references[c];
        for (int highest = 1; highest <= GT_PHI_HIGHEST; highest++) {
            gt_arena arena = gt_arena_growing();
            gt_phi phi;
            double A[36], expected[36];
            gt_phi_layout(&phi, r->n, highest, &arena);
            transpose(r->n, r->A, A);
            assert_int_equal(gt_phi_evaluate(&phi, A, r->h), GT_OK);
            for (int k = 0; k <= highest; k++) {
                transpose(r->n, r->value[k], expected);
                double d = distance(r->n, phi.value[k], expected);
                if (!(d < 8 * DBL_EPSILON * (4 + r->radius)))
                    fail_msg("%s: phi_%d of up to %d is off by %g", r->title, k, highest, d);
            }
            gt_arena_free(&arena);
        }
    }
}

/* Van Loan: the first row of blocks of e^D, D = [A I 0 0; 0 0 I 0; 0 0 0 I; 0 0 0 0], is phi_0 ..
 * phi_3 of A. What is small beside the other blocks, e^-200, it cannot know to its own last digits.
 */
static void the_block_matrix_of_van_loan(void **state)
{
    (void)state;
    enum { BLOCKS = 4, MOST = 6 };
    for (int c = 0; c < N_REFERENCES; c++) {
        const phi_reference *r = &phi_references[c];
        size_t n = r->n, size = BLOCKS * n;
        gt_arena arena = gt_arena_growing();
        gt_phi phi, block;
        double A[MOST * MOST], D[BLOCKS * BLOCKS * MOST * MOST] = {0}, found[MOST * MOST];
        gt_phi_layout(&phi, n, BLOCKS - 1, &arena);
        gt_phi_layout(&block, size, 1, &arena);
        transpose(n, r->A, A);
        for (size_t j = 0; j < n; j++) {
            for (size_t i = 0; i < n; i++) D[j * size + i] = r->h * A[j * n + i];
            for (size_t b = 1; b < BLOCKS; b++) D[(b * n + j) * size + (b - 1) * n + j] = 1;
        }
        assert_int_equal(gt_phi_evaluate(&phi, A, r->h), GT_OK);
        assert_int_equal(gt_phi_evaluate(&block, D, 1), GT_OK);
        for (size_t k = 0; k < BLOCKS; k++) {
            for (size_t j = 0; j < n; j++)
                memcpy(found + j * n, block.value[0] + (k * n + j) * size, n * sizeof *found);
            double d = distance_above(1e-3, n, found, phi.value[k]);
            if (!(d < 1e-13 * (4 + r->radius)))
                fail_msg("%s: phi_%zu and Van Loan's are %g apart", r->title, k, d);
        }
        gt_arena_free(&arena);
    }
}

/* Mean and covariance of y' = A y + b over 0 .. h, beside the mean over many values of y itself. */
static void moments_are_means(void **state)
{
    (void)state;
    enum { PIECES = 40000 };
    static const struct {
        double A[4], b[2], y0[2], h;
    } cases[] = {{{-3, 0, 1, -2}, {0, 0}, {1, -1}, 0.5},
                 {{0, -400, 1, 0}, {0, 8}, {0.3, 1}, 2},        /* a spring that swings six times */
                 {{-50, 1, 2, -1000}, {5, 3}, {1, 1}, 0.3},     /* two rates */
                 {{0, 0, 0, 0}, {1, 2}, {0, 0.5}, 3},           /* a straight line */
                 {{0, -5e5, 1, 0}, {0, 40}, {0.1, 0.5}, 0.05}}; /* the particle of the pendulum */
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        gt_arena arena = gt_arena_growing();
        gt_moments m;
        gt_phi phi;
        double mean[2] = {0}, square[4] = {0}, columns[4], made[4] = {0};
        gt_moments_layout(&m, 2, &arena);
        gt_phi_layout(&phi, 2, 1, &arena);
        for (int k = 0; k <= PIECES; k++) { /* Simpson's rule */
            double t = cases[c].h * k / PIECES,
                   weight = (k == 0 || k == PIECES ? 1
                             : k % 2               ? 4
                                                   : 2) /
                            (3.0 * PIECES),
                   y[2];
            assert_int_equal(gt_phi_evaluate(&phi, cases[c].A, t), GT_OK);
            for (int i = 0; i < 2; i++) {
                y[i] = 0;
                for (int j = 0; j < 2; j++)
                    y[i] += phi.value[0][2 * j + i] * cases[c].y0[j] +
                            t * phi.value[1][2 * j + i] * cases[c].b[j];
            }
            for (int i = 0; i < 2; i++) mean[i] += weight * y[i];
            for (int i = 0; i < 4; i++) square[i] += weight * y[i / 2] * y[i % 2];
        }
        assert_int_equal(gt_moments_evaluate(&m, cases[c].A, cases[c].b, cases[c].y0, cases[c].h),
                         GT_OK);
        for (int i = 0; i < 4; i++) {
            double size = sqrt(square[3 * (i / 2)] * square[3 * (i % 2)]);
            assert_true(fabs(m.mean[i / 2] - mean[i / 2]) < 1e-8 * sqrt(square[3 * (i / 2)]));
            double covariance = square[i] - mean[i / 2] * mean[i % 2];
            if (!(fabs(m.covariance[i] - covariance) < 1e-8 * size))
                fail_msg("case %zu, entry %d: %.12g, not %.12g", c, i, m.covariance[i], covariance);
            square[i] = covariance;
        }
        size_t rank = gt_moments_factor(&m, columns);
        for (size_t r = 0; r < rank; r++)
            for (int i = 0; i < 4; i++)
                made[i] += columns[2 * r + (size_t)(i / 2)] * columns[2 * r + (size_t)(i % 2)];
        for (int i = 0; i < 4; i++)
            assert_true(fabs(made[i] - square[i]) <
                        1e-7 * (sqrt(square[3 * (i / 2)] * square[3 * (i % 2)]) + 1e-12));
        gt_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_of_twenty_digits),
                                       cmocka_unit_test(the_block_matrix_of_van_loan),
                                       cmocka_unit_test(moments_are_means)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

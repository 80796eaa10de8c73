/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of matrices beside values of 20 digits, beside Van Loan's block matrix, and beside each other. */
#include "methods_kit.h"
#include "phi_reference.h"

enum { N_REFERENCES = sizeof phi_references / sizeof *phi_references };

static void transpose(size_t n, const double *rows, double *columns)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) columns[j * n + i] = rows[i * n + j];
}

/* Largest |a - b| in units of the geometric mean of the largest in the same row and in the same column of b: rows and
 * columns of a spring's matrix have different units. */
static double distance(size_t n, const double *a, const double *b)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double row = 0, column = 0;
            for (size_t k = 0; k < n; k++) {
                row = fmax(row, fabs(b[k * n + i]));
                column = fmax(column, fabs(b[j * n + k]));
            }
            worst = fmax(worst, fabs(a[j * n + i] - b[j * n + i]) / (sqrt(row * column) + DBL_MIN));
        }
    return worst;
}

/* No norm of h A is above a few times the condition of its exponential, and the least of them is the spectral radius:
 * what is asked for is that nothing is lost beyond what the last bits of A are worth. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_of_twenty_digits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Logarithm, exponential and power of our own beside those of libm, in units of the last place. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/elementary.h"

static double uniform(uint64_t *state)
{
    *state = *state * 2862933555777941757u + 3037000493u;
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

static void assert_near(const char *what, double x, double got, double wanted, double units)
{
    if (!(fabs(got - wanted) <= units * DBL_EPSILON * fabs(wanted)))
        fail_msg("%s(%.17g) = %.17g instead of %.17g", what, x, got, wanted);
}

static void ordinary_numbers(void **unused)
{
    (void)unused;
    uint64_t state = 3;
    for (int k = 0; k < 200000; k++) {
        double x = ldexp(1 + fabs(uniform(&state)), (int)(1000 * uniform(&state))),
               y = 690 * uniform(&state);
        double near = 1 + ldexp(uniform(&state), -(k % 50) - 1), z = uniform(&state);
        assert_near("log", x, gt_own_log(x), log(x), 2);
        assert_near("log", near, gt_own_log(near), log(near), 2);
        assert_near("exp", y, gt_own_exp(y), exp(y), 2);
        assert_near("exp", z, gt_own_exp(z), exp(z), 2);
        assert_near("power", x, gt_own_power(x, z), pow(x, z), 2 + 2 * fabs(z * log(x)));
        assert_near("whole power", near, gt_own_whole_power(near, k % 9 - 4), pow(near, k % 9 - 4),
                    4);
    }
    assert_true(gt_own_log(1) == 0 && gt_own_exp(0) == 1 && gt_own_power(1, 3.7) == 1 &&
                gt_own_power(5.5, 0) == 1);
}

static void numbers_at_the_ends(void **unused)
{
    (void)unused;
    static const double ends[] = {0,        -0.0,      1e-320, -1,  DBL_MAX, DBL_MIN,
                                  INFINITY, -INFINITY, NAN,    800, -800,    1e300};
    enum { ENDS = sizeof ends / sizeof *ends };
    for (int i = 0; i < ENDS; i++) {
        double of[] = {gt_own_log(ends[i]), gt_own_exp(ends[i])},
               wanted[] = {log(ends[i]), exp(ends[i])};
        for (int k = 0; k < 2; k++)
            if (!(of[k] == wanted[k] || (isnan(of[k]) && isnan(wanted[k])) ||
                  fabs(of[k] / wanted[k] - 1) < 4 * DBL_EPSILON))
                fail_msg("function %d of %g is %g instead of %g", k, ends[i], of[k], wanted[k]);
        for (int j = 0; j < ENDS; j++) {
            double got = gt_own_power(ends[i], ends[j]), theirs = pow(ends[i], ends[j]);
            if (!(got == theirs || (isnan(got) && isnan(theirs)) || fabs(got / theirs - 1) < 1e-12))
                fail_msg("%g to the power %g is %g instead of %g", ends[i], ends[j], got, theirs);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ordinary_numbers),
                                       cmocka_unit_test(numbers_at_the_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

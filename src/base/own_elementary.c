/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * x = 2^e m with m from sqrt(1/2) to sqrt(2): log x = e log 2 + 2 artanh s, s = (m - 1)/(m + 1),
 * |s| < 0.172; and exp x = 2^k exp r with |r| <= log(2)/2. Both by their series, as far as 53 bits
 * see. log 2 is the sum of two parts, of which whole multiples of the first are exact.
 */
#include "base/elementary.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

static const double log2_high = 0x1.62e42feep-1, log2_low = 0x1.a39ef35793c76p-33;

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double gt_own_log(double x)
{
    uint64_t bits = bits_of(x);
    int e = (int)(bits >> 52);
    if (e < 1 || e >= 0x7ff)
        return log(x); /* zero, negative, subnormal, infinite or not a number */
    double m = of_bits((bits & 0xfffffffffffff) | (uint64_t)1023 << 52);
    e -= 1023;
    if (m > 0x1.6a09e667f3bcdp+0) m *= 0.5, e++;
    double s = (m - 1) / (m + 1), z = s * s, sum = 1.0 / 21;
    sum = sum * z + 1.0 / 19;
    sum = sum * z + 1.0 / 17;
    sum = sum * z + 1.0 / 15;
    sum = sum * z + 1.0 / 13;
    sum = sum * z + 1.0 / 11;
    sum = sum * z + 1.0 / 9;
    sum = sum * z + 1.0 / 7;
    sum = sum * z + 1.0 / 5;
    sum = sum * z + 1.0 / 3;
    return e * log2_high + (2 * s + (2 * s * z * sum + e * log2_low));
}

double gt_own_exp(double x)
{
    if (!(fabs(x) < 700)) return exp(x); /* beyond the range, or not a number */
    int k = (int)(x * 0x1.71547652b82fep+0 + (x < 0 ? -0.5 : 0.5));
    double r = (x - k * log2_high) - k * log2_low, sum = 1.0 / 6227020800;
    sum = sum * r + 1.0 / 479001600;
    sum = sum * r + 1.0 / 39916800;
    sum = sum * r + 1.0 / 3628800;
    sum = sum * r + 1.0 / 362880;
    sum = sum * r + 1.0 / 40320;
    sum = sum * r + 1.0 / 5040;
    sum = sum * r + 1.0 / 720;
    sum = sum * r + 1.0 / 120;
    sum = sum * r + 1.0 / 24;
    sum = sum * r + 1.0 / 6;
    sum = sum * r + 1.0 / 2;
    return (1 + (r + r * r * sum)) * of_bits((uint64_t)(1023 + k) << 52);
}

double gt_own_power(double x, double y)
{
    double exponent = y * gt_own_log(x);
    return fabs(exponent) < 700 ? gt_own_exp(exponent) : pow(x, y);
}

double gt_own_whole_power(double x, int n)
{
    double product = 1;
    for (int k = 0; k < (n < 0 ? -n : n); k++) product *= x;
    return n < 0 ? 1 / product : product;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Another C library, as far as results go: elementary functions that are faithful and not always
 * rounded to nearest. Where the value lies between two doubles, which it nearly always does, one in
 * four results is the further of the two; which ones is decided by the bits of the arguments, so
 * that a function stays a function. Exact values stay exact. Preloaded by scripts/test-matrix; long
 * double must have more digits than double. OTHER_LIBM, a number, is which library: each takes the
 * further one elsewhere.
 */
#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Without the sign: of odd and even functions all libraries keep the symmetry. */
static uint64_t mixed(uint64_t h, double x)
{
    uint64_t bits;
    x = fabs(x);
    memcpy(&bits, &x, sizeof bits);
    h = (h ^ bits) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 29);
}

static uint64_t which;

__attribute__((constructor)) static void choose(void)
{
    const char *text = getenv("OTHER_LIBM");
    which = text ? strtoull(text, NULL, 10) : 1;
}

static double rounded(long double value, uint64_t hash)
{
    double nearest = (double)value;
    if (!isfinite(nearest) || nearest == 0 || (long double)nearest == value) return nearest;
    if ((mixed(hash + which, 1) >> 20) % 4 != 0) return nearest;
    double other = nextafter(nearest, (long double)nearest < value ? INFINITY : -INFINITY);
    return isfinite(other) ? other : nearest;
}

/* One that is exact in double, such as exp(0) or pow(3, 2), is so in long double. */
#define ONE(name, number)                                                                          \
    double name(double x) { return rounded(name##l(x), mixed(number, x)); }
#define TWO(name, number)                                                                          \
    double name(double x, double y) { return rounded(name##l(x, y), mixed(mixed(number, x), y)); }
ONE(exp, 1)
ONE(log, 2)
ONE(sin, 3)
ONE(cos, 4)
ONE(tan, 5)
ONE(asin, 6)
ONE(acos, 7)
ONE(atan, 8)
ONE(sinh, 9)
ONE(cosh, 10)
ONE(tanh, 11)
ONE(acosh, 12)
ONE(asinh, 13)
ONE(atanh, 14)
ONE(expm1, 15)
ONE(log1p, 16)
ONE(exp2, 17)
ONE(log2, 18)
ONE(log10, 19)
ONE(cbrt, 20)
ONE(erf, 21)
ONE(erfc, 22)
ONE(tgamma, 23)
TWO(pow, 24)
TWO(atan2, 25)

double hypot(double x, double y)
{
    double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
    return rounded(hypotl(a, b), mixed(mixed(26, a), b));
}

void sincos(double x, double *sine, double *cosine);
void sincos(double x, double *sine, double *cosine)
{
    *sine = sin(x);
    *cosine = cos(x);
}

#define COMPLEX(name, number)                                                                      \
    double complex name(double complex z)                                                          \
    {                                                                                              \
        long double complex value = name##l(z);                                                    \
        uint64_t hash = mixed(mixed(number, creal(z)), cimag(z));                                  \
        return CMPLX(rounded(creall(value), hash), rounded(cimagl(value), hash + 1));              \
    }
COMPLEX(cexp, 27)
COMPLEX(csin, 28)
COMPLEX(ccos, 29)
COMPLEX(ctan, 30)
COMPLEX(csqrt, 31)

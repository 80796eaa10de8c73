/* SPDX-License-Identifier: BSD-3-Clause */
#include "exact/rational.h"
#include <errno.h>
#include <geartrain/analysis/design.h>
#include <geartrain/author/number.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_whole(const char *text, char **end, long long *n)
{
    errno = 0;
    *n = strtoll(text, end, 10);
    return *end != text && errno == 0;
}

/* "12.375": the digits over a power of ten. */
static bool read_decimal(const char *text, gt_ratio *r)
{
    enum { DIGITS = 18 };
    char digits[DIGITS + 3], *end;
    size_t point = strcspn(text, "."), length = strlen(text);
    if (length > DIGITS || length < 2 ||
        strspn(text + point + 1, "0123456789") != length - point - 1)
        return false;
    memcpy(digits, text, point);
    memcpy(digits + point, text + point + 1, length - point);
    if (!read_whole(digits, &end, &r->num) || *end) return false;
    r->den = 1;
    for (size_t i = point + 1; i < length; i++) r->den *= 10;
    return gt_exact_to_ratio(gt_exact_of(*r), r);
}

bool gt_ratio_read(const char *text, gt_ratio *r)
{
    if (!text || !r) return false;
    char *end;
    double x;
    if (strchr(text, '.') && read_decimal(text, r)) return true;
    if (read_whole(text, &end, &r->num) && (!*end || *end == '/')) {
        r->den = 1;
        if (*end == '/' && (!read_whole(end + 1, &end, &r->den) || *end || r->den == 0))
            return false;
        return gt_exact_to_ratio(gt_exact_of(*r), r);
    }
    const char *stop = gt_number_read_any(text, NULL, &x);
    if (stop == text || *stop || !(fabs(x) < 0x1p62)) return false;
    *r = gt_ratio_near(x);
    return true;
}

enum { ROUNDED_BITS = 32, MOST_BITS = 62 };

gt_ratio gt_ratio_near(double x)
{
    int bits = 0;
    if (!(fabs(x) < 0x1p62)) return (gt_ratio){0, 0};
    while (bits < MOST_BITS && (x != rint(x)) && fabs(2 * x) < 0x1p62) {
        x *= 2;
        bits++;
    }
    return (gt_ratio){llrint(x), 1LL << bits};
}

bool gt_ratio_is_rounded(gt_ratio r)
{
    return r.den >= 1LL << ROUNDED_BITS && (r.den & (r.den - 1)) == 0;
}

void gt_ratio_print(gt_ratio r, char *buffer, size_t size)
{
    if (!buffer) return;
    if (!r.den || !r.num)
        snprintf(buffer, size, "0");
    else if (gt_ratio_is_rounded(r))
        gt_format(buffer, size, "%.17g", gt_ratio_value(r));
    else if (r.den == 1)
        snprintf(buffer, size, "%lld", r.num);
    else
        snprintf(buffer, size, "%lld/%lld", r.num, r.den);
}

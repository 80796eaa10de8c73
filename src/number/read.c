/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text to the nearest double. Up to 19 digits are a whole number m, and the value is m * 10^q:
 *   m <= 2^53 and |q| <= 22   one product or quotient of two doubles that are exact (Clinger 1990);
 *   else                      m * 10^q to 125 bits with a known error; if that decides how to
 * round, done; else                      strtod, on a copy that has the decimal point of the
 * locale: ties, and hardly anything else.
 */
#include "number/ascii.h"
#include "number/parts.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct decimal {
    uint64_t m;
    int q;
    bool cut; /* digits that m has no room for, not all of them 0: the value is above m and below m
                 + 1 */
    bool negative;
    const char *stop;
} decimal;

enum {
    MOST_DIGITS = 19,
    FAR = 100000
}; /* exponents beyond FAR are 0 or infinity with any text that fits into memory */

static char at(const char *text, const char *end) { return text == end ? '\0' : *text; }

static bool take_digits(const char **text, const char *end, decimal *d, int *used, bool fraction)
{
    const char *begin = *text, *s = begin;
    int digits = *used, q = d->q;
    uint64_t m = d->m;
    for (char c; gt_is_digit(c = at(s, end)); s++) {
        if (digits < MOST_DIGITS) {
            m = 10 * m + (uint64_t)(c - '0');
            if (m) digits++;
            q -= fraction;
        } else {
            d->cut |= c != '0';
            q += !fraction && q < FAR;
        }
    }
    *used = digits;
    d->q = q;
    d->m = m;
    *text = s;
    return s != begin;
}

static int take_exponent(const char **text, const char *end)
{
    const char *s = *text + 1;
    bool negative = at(s, end) == '-';
    if (negative || at(s, end) == '+') s++;
    if (!gt_is_digit(at(s, end))) return 0;
    int value = 0;
    for (; gt_is_digit(at(s, end)); s++)
        if (value < 2 * FAR) value = 10 * value + (*s - '0');
    *text = s;
    return negative ? -value : value;
}

static bool take_decimal(const char *text, const char *end, decimal *d)
{
    int used = 0;
    *d = (decimal){.negative = at(text, end) == '-'};
    if (d->negative || at(text, end) == '+') text++;
    bool some = take_digits(&text, end, d, &used, false);
    if (at(text, end) == '.') {
        const char *after = text + 1;
        bool more = take_digits(&after, end, d, &used, true);
        if (some || more) text = after;
        some |= more;
    }
    if (!some) return false;
    if (at(text, end) == 'e' || at(text, end) == 'E') d->q += take_exponent(&text, end);
    d->stop = text;
    return true;
}

/* The nearest double to m * 10^q, or false where 125 bits do not decide it. */
static bool nearest(uint64_t m, int q, double *value)
{
    enum { PRECISION = 53, LOWEST = -1074, HIGHEST = 1024 };
    if (q < -345 || q > 310) {
        *value = q < 0 ? 0 : HUGE_VAL;
        return true;
    }
    gt_scaled s = gt_scale(m, q);
    int bits = 64 + gt_bits(s.significand.high);
    int drop = bits - PRECISION;
    if (s.exponent + drop < LOWEST) drop = LOWEST - s.exponent; /* subnormal: fewer bits */
    if (drop > 125) return false;
    gt_wide kept;
    int side = gt_scaled_cut(&s, drop, &kept);
    if (!side) return false;
    *value = s.exponent + bits > HIGHEST + 1
                 ? HUGE_VAL
                 : ldexp((double)(kept.low + (side > 0)), s.exponent + drop);
    return true;
}

/* strtod on a copy in which the point is that of the locale; without memory for it, not a number.
 */
static const char *read_slowly(const char *text, const char *stop, double *value)
{
    char radix[GT_RADIX_SIZE], few[256], *end;
    size_t length = (size_t)(stop - text), width = (size_t)gt_radix(radix);
    char *copy = length + width < sizeof few ? few : malloc(length + width + 1), *to = copy;
    *value = 0;
    if (!copy) return text;
    for (const char *s = text; s < stop; s++) {
        if (*s == '.') {
            memcpy(to, radix, width);
            to += width;
        } else {
            *to++ = *s;
        }
    }
    *to = '\0';
    *value = strtod(copy, &end);
    ptrdiff_t read = end - copy;
    const char *point = memchr(text, '.', length);
    if (point && read > point - text) read -= (ptrdiff_t)width - 1;
    if (copy != few) free(copy);
    return text + read;
}

static bool read_fast(const decimal *d, double *value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!d->m) {
        *value = 0;
        return !d->cut;
    }
    if (d->m <= (uint64_t)1 << 53 && !d->cut && d->q >= -22 && d->q <= 22) {
        *value = d->q < 0 ? (double)d->m / power[-d->q] : (double)d->m * power[d->q];
        return true;
    }
    double above;
    if (!nearest(d->m, d->q, value)) return false;
    return !d->cut || (nearest(d->m + 1, d->q, &above) && above == *value);
}

const char *gt_number_read(const char *text, const char *end, double *value)
{
    decimal d;
    if (!value) return text;
    *value = 0;
    if (!text || !take_decimal(text, end, &d)) return text;
    if (!read_fast(&d, value)) return read_slowly(text, d.stop, value);
    if (d.negative) *value = -*value;
    return d.stop;
}

static bool in_word(char c) { return gt_is_digit(c) || gt_is_letter(c) || c == '_'; }

/* Where a text ends that strtod may take and gt_number_read does not: letters, digits, points,
 * signs and parentheses.
 */
static const char *word_end(const char *s, const char *end)
{
    while (in_word(at(s, end)) || (at(s, end) && strchr("+-.()", at(s, end)))) s++;
    return s;
}

const char *gt_number_read_any(const char *text, const char *end, double *value)
{
    if (!value) return text;
    *value = 0;
    if (!text) return text;
    const char *s = text;
    while (gt_is_blank(at(s, end))) s++;
    const char *word = s + (at(s, end) == '+' || at(s, end) == '-');
    char first = gt_lower(at(word, end));
    bool hexadecimal = first == '0' && gt_lower(at(word + 1, end)) == 'x';
    const char *stop = hexadecimal || first == 'i' || first == 'n'
                           ? read_slowly(s, word_end(s, end), value)
                           : gt_number_read(s, end, value);
    return stop == s ? text : stop;
}

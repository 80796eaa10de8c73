/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A double to 1..17 digits, rounded as printf rounds: the value times a power of ten that leaves a
 * whole number of that many digits, to 125 bits with a known error. Where the part behind the point
 * is so near one half that the error matters (ties, and hardly anything else), printf does it, and
 * its decimal point is put right.
 */
#include "number/parts.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const uint64_t power_of_10[] = {1,
                                       10,
                                       100,
                                       1000,
                                       10000,
                                       100000,
                                       1000000,
                                       10000000,
                                       100000000,
                                       1000000000,
                                       10000000000,
                                       100000000000,
                                       1000000000000,
                                       10000000000000,
                                       100000000000000,
                                       1000000000000000,
                                       10000000000000000,
                                       100000000000000000};

enum { MOST_DIGITS = 17 };

/* value = whole * 10^(power - digits + 1), rounded to `digits` digits; false where 125 bits do not
 * decide it. */
static bool to_digits(double value, int digits, uint64_t *whole, int *power)
{
    uint64_t bits, m;
    memcpy(&bits, &value, sizeof bits);
    int two = (int)(bits >> 52), lowest = two ? two - 1075 : -1074; /* value = m * 2^lowest */
    m = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)(two > 0) << 52;
    int ten = (int)floor((lowest + gt_bits(m) - 1) *
                         0.30102999566398120); /* floor(log10(value)), or one less */
    for (int attempt = 0; attempt < 2; attempt++, ten++) {
        gt_scaled s = gt_scale(m, digits - 1 - ten);
        int shift = -(s.exponent + lowest);
        if (shift < 2 || shift > 127) return false;
        gt_wide above;
        int side = gt_scaled_cut(&s, shift, &above);
        if (above.high || above.low >= power_of_10[digits]) continue; /* one digit too many */
        if (!side) return false;
        *whole = above.low + (side > 0);
        *power = ten;
        if (*whole == power_of_10[digits]) *whole /= 10, ++*power;
        return *whole >= power_of_10[digits - 1];
    }
    return false;
}

/* The digits from the left, without the zeros behind the last other one; returns how many. */
static int digits_of(uint64_t whole, int digits, char *text)
{
    for (int k = digits; k-- > 0; whole /= 10) text[k] = (char)('0' + whole % 10);
    while (digits > 1 && text[digits - 1] == '0') digits--;
    return digits;
}

/* d.ddde+xx */
static char *put_scientific(char *to, const char *digit, int count, int power)
{
    *to++ = digit[0];
    if (count > 1) *to++ = '.';
    for (int k = 1; k < count; k++) *to++ = digit[k];
    *to++ = 'e';
    *to++ = power < 0 ? '-' : '+';
    if (power < 0) power = -power;
    if (power >= 100) *to++ = (char)('0' + power / 100);
    *to++ = (char)('0' + power / 10 % 10);
    *to++ = (char)('0' + power % 10);
    return to;
}

static char *put_fixed(char *to, const char *digit, int count, int power)
{
    if (power < 0) {
        *to++ = '0';
        *to++ = '.';
        for (int k = -1; k > power; k--) *to++ = '0';
    }
    for (int k = 0; k < count || k <= power; k++) {
        if (k == power + 1 && power >= 0) *to++ = '.';
        *to++ = k < count ? digit[k] : '0';
    }
    return to;
}

size_t gt_number_print(char buffer[GT_NUMBER_SIZE], double value, int digits)
{
    if (!buffer) return 0;
    uint64_t whole;
    int power;
    char digit[MOST_DIGITS], *to = buffer;
    if (digits < 1) digits = 1;
    if (digits > MOST_DIGITS) digits = MOST_DIGITS;
    if (!isfinite(value) || value == 0) {
        const char *word = isnan(value) ? "nan" : isinf(value) ? "inf" : "0";
        /* Which sign a NaN has is the processor's affair. */
        if (signbit(value) && !isnan(value)) *to++ = '-';
        memcpy(to, word, strlen(word) + 1);
        return strlen(buffer);
    }
    if (!to_digits(fabs(value), digits, &whole, &power)) {
        char text[GT_NUMBER_SIZE + GT_RADIX_SIZE];
        size_t length =
            gt_put_point(text, (size_t)snprintf(text, sizeof text, "%.*g", digits, value));
        memcpy(buffer, text, length + 1);
        return length;
    }
    if (signbit(value)) *to++ = '-';
    int count = digits_of(whole, digits, digit);
    to = power < -4 || power >= digits ? put_scientific(to, digit, count, power)
                                       : put_fixed(to, digit, count, power);
    *to = '\0';
    return (size_t)(to - buffer);
}

size_t gt_number_print_short(char buffer[GT_NUMBER_SIZE], double value)
{
    if (!buffer) return 0;
    size_t length = 0;
    for (int digits = 15; digits <= MOST_DIGITS; digits++) {
        double again;
        length = gt_number_print(buffer, value, digits);
        if (!isfinite(value)) break;
        gt_number_read(buffer, buffer + length, &again);
        if (again == value) break;
    }
    return length;
}

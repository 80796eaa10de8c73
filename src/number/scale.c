/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * m * 10^q to 125 bits. With q = 27 a + b, 0 <= b < 27: 5^b is a whole number below 2^63, so that m
 * * 5^b is exact in 128 bits; 10^(27 a) comes from a table with 128 bits, cut off below. The
 * product of the two, cut off again, is too small by less than two units of its last place: one
 * from the table, one from the cut.
 */
#include "number/parts.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { STRIDE = 27 };

/* 10^(27 a) = (high * 2^64 + low) * 2^exponent. */
static const struct {
    uint64_t high, low;
    int exponent;
} coarse[] = {
    {0x8049a4ac0c5811ae, 0x205b896d777d6278, -1293}, /* 10^-351 */
    {0xcf42894a5dce35ea, 0x52064cac828675b9, -1204}, /* 10^-324 */
    {0xa76c582338ed2621, 0xaf2af2b80af6f24e, -1114}, /* 10^-297 */
    {0x873e4f75e2224e68, 0x5a7744a6e804a291, -1024}, /* 10^-270 */
    {0xda7f5bf590966848, 0xaf39a475506a899e, -935},  /* 10^-243 */
    {0xb080392cc4349dec, 0xbd8d794d96aacfb3, -845},  /* 10^-216 */
    {0x8e938662882af53e, 0x547eb47b7282ee9c, -755},  /* 10^-189 */
    {0xe65829b3046b0afa, 0x0cb4a5a3112a5112, -666},  /* 10^-162 */
    {0xba121a4650e4ddeb, 0x92f34d62616ce413, -576},  /* 10^-135 */
    {0x964e858c91ba2655, 0x3a6a07f8d510f86f, -486},  /* 10^-108 */
    {0xf2d56790ab41c2a2, 0xfae27299423fb9c3, -397},  /* 10^-81 */
    {0xc428d05aa4751e4c, 0xaa97e14c3c26b886, -307},  /* 10^-54 */
    {0x9e74d1b791e07e48, 0x775ea264cf55347d, -217},  /* 10^-27 */
    {0x8000000000000000, 0x0000000000000000, -127},  /* 10^0 */
    {0xcecb8f27f4200f3a, 0x0000000000000000, -38},   /* 10^27 */
    {0xa70c3c40a64e6c51, 0x999090b65f67d924, 52},    /* 10^54 */
    {0x86f0ac99b4e8dafd, 0x69a028bb3ded71a3, 142},   /* 10^81 */
    {0xda01ee641a708de9, 0xe80e6f4820cc9495, 231},   /* 10^108 */
    {0xb01ae745b101e9e4, 0x5ec05dcff72e7f8f, 321},   /* 10^135 */
    {0x8e41ade9fbebc27d, 0x14588f13be847307, 411},   /* 10^162 */
    {0xe5d3ef282a242e81, 0x8f1668c8a86da5fa, 500},   /* 10^189 */
    {0xb9a74a0637ce2ee1, 0x6d953e2bd7173692, 590},   /* 10^216 */
    {0x95f83d0a1fb69cd9, 0x4abdaf101564f98e, 680},   /* 10^243 */
    {0xf24a01a73cf2dccf, 0xbc633b39673c8cec, 769},   /* 10^270 */
    {0xc3b8358109e84f07, 0x0a862f80ec4700c8, 859},   /* 10^297 */
    {0x9e19db92b4e31ba9, 0x6c07a2c26a8346d1, 949},   /* 10^324 */
};

static const uint64_t power_of_5[STRIDE] = {
    1,
    5,
    25,
    125,
    625,
    3125,
    15625,
    78125,
    390625,
    1953125,
    9765625,
    48828125,
    244140625,
    1220703125,
    6103515625,
    30517578125,
    152587890625,
    762939453125,
    3814697265625,
    19073486328125,
    95367431640625,
    476837158203125,
    2384185791015625,
    11920928955078125,
    59604644775390625,
    298023223876953125,
    1490116119384765625,
};

int gt_bits(uint64_t value)
{
    int bits = 1;
    for (int half = 32; half; half /= 2)
        if (value >> half) {
            value >>= half;
            bits += half;
        }
    return bits;
}

static gt_wide product(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 whole = (unsigned __int128)a * b;
    return (gt_wide){(uint64_t)(whole >> 64), (uint64_t)whole};
#else
    uint64_t a1 = a >> 32, a0 = a & 0xffffffff, b1 = b >> 32, b0 = b & 0xffffffff;
    uint64_t low = a0 * b0, one = a1 * b0, other = a0 * b1;
    uint64_t middle = (low >> 32) + (one & 0xffffffff) + (other & 0xffffffff);
    return (gt_wide){a1 * b1 + (one >> 32) + (other >> 32) + (middle >> 32), a * b};
#endif
}

static gt_wide sum(gt_wide a, uint64_t b)
{
    uint64_t low = a.low + b;
    return (gt_wide){a.high + (low < b), low};
}

/* The upper 128 bits of a product of two 128-bit numbers. */
static gt_wide upper_product(gt_wide a, gt_wide b)
{
    gt_wide low = product(a.low, b.low), one = product(a.high, b.low),
            other = product(a.low, b.high);
    gt_wide middle = sum(sum((gt_wide){0, low.high}, one.low), other.low);
    return sum(sum(sum(product(a.high, b.high), one.high), other.high), middle.high);
}

gt_scaled gt_scale(uint64_t m, int q)
{
    int a = (q - GT_SCALE_MIN) / STRIDE, b = (q - GT_SCALE_MIN) % STRIDE;
    int shift_m = 64 - gt_bits(m), shift_5 = 64 - gt_bits(power_of_5[b]);
    gt_wide exact = product(m << shift_m, power_of_5[b] << shift_5);
    gt_wide table = {coarse[a].high, coarse[a].low};
    return (gt_scaled){.significand = upper_product(exact, table),
                       .exponent = 128 + coarse[a].exponent + b - shift_m - shift_5};
}

static int compare(gt_wide a, gt_wide b)
{
    if (a.high != b.high) return a.high < b.high ? -1 : 1;
    return a.low < b.low ? -1 : a.low > b.low;
}

static gt_wide low_bits(gt_wide a, int count)
{
    if (count < 64) return (gt_wide){0, a.low & (((uint64_t)1 << count) - 1)};
    return (gt_wide){count > 64 ? a.high & (((uint64_t)1 << (count - 64)) - 1) : 0, a.low};
}

int gt_scaled_cut(const gt_scaled *s, int drop, gt_wide *kept)
{
    gt_wide a = s->significand, rest = low_bits(a, drop);
    gt_wide half = drop > 64 ? (gt_wide){(uint64_t)1 << (drop - 65), 0}
                             : (gt_wide){0, (uint64_t)1 << (drop - 1)};
    if (drop < 64)
        *kept = (gt_wide){a.high >> drop, a.low >> drop | a.high << (64 - drop)};
    else
        *kept = (gt_wide){0, drop > 64 ? a.high >> (drop - 64) : a.high};
    if (compare(rest, half) > 0) return 1;
    return compare(sum(rest, 2), half) > 0 ? 0 : -1;
}

/* By printing 0.5: unlike localeconv, this asks for the locale of the calling thread, and no other
 * thread's call can change the answer while it is read. */
int gt_radix(char radix[GT_RADIX_SIZE])
{
    char text[GT_RADIX_SIZE + 2];
    int length = snprintf(text, sizeof text, "%.1f", 0.5) - 2; /* the 0 and the 5 */
    if (length < 1 || length >= GT_RADIX_SIZE) {
        memcpy(radix, ".", 2);
        return 1;
    }
    memcpy(radix, text + 1, (size_t)length);
    radix[length] = '\0';
    return length;
}

static int is_part(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == ' ';
}

size_t gt_put_point(char *text, size_t length)
{
    size_t from = 0;
    while (from < length && is_part(text[from])) from++;
    if (from == length) return length;
    size_t to = from;
    while (to < length && !is_part(text[to])) to++;
    text[from] = '.';
    memmove(text + from + 1, text + to, length - to + 1);
    return length - (to - from) + 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * printf without the locale. Each conversion is printed alone and without its width, floating-point
 * numbers get a point, and the width is filled up here; literal text and strings are copied.
 */
#include "number/parts.h"
#include <geartrain/author/number.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Where the text goes: into a buffer as far as it reaches, or into a file. */
typedef struct output {
    char *buffer;
    size_t size;
    FILE *file;
    size_t length;
} output;

static void put(output *o, const char *text, size_t length)
{
    if (o->file) {
        fwrite(text, 1, length, o->file);
    } else if (o->length + 1 < o->size) {
        size_t room = o->size - 1 - o->length;
        memcpy(o->buffer + o->length, text, length < room ? length : room);
    }
    o->length += length;
}

static void fill(output *o, char c, int count)
{
    char some[32];
    memset(some, c, sizeof some);
    for (; count > 0; count -= (int)sizeof some)
        put(o, some, count < (int)sizeof some ? (size_t)count : sizeof some);
}

/* %[flags][width][.precision][length]kind */
typedef struct conversion {
    bool left, zero, plus, blank, other;
    int width, precision; /* precision -1: not given */
    char length[3];
    char kind;
} conversion;

/* The widest result: 310 digits before the point of the largest double and MOST_PRECISION after it.
 */
enum { MOST_PRECISION = 1100, MOST_TEXT = 1500 };

static void put_padded(output *o, const conversion *c, const char *text, size_t length, bool zeros)
{
    int missing = length < (size_t)c->width ? c->width - (int)length : 0;
    if (c->left) {
        put(o, text, length);
        fill(o, ' ', missing);
        return;
    }
    size_t sign = 0; /* and 0x: zeros go behind them */
    if (zeros && missing) {
        if (length && strchr("+- ", text[0])) sign = 1;
        if (length > sign + 1 && text[sign] == '0' && (text[sign + 1] | 32) == 'x') sign += 2;
    } else {
        fill(o, ' ', missing);
    }
    put(o, text, sign);
    if (zeros) fill(o, '0', missing);
    put(o, text + sign, length - sign);
}

/* The conversion without its width, for snprintf. */
static void spell(const conversion *c, const char *length, char *to)
{
    *to++ = '%';
    if (c->plus) *to++ = '+';
    if (c->blank) *to++ = ' ';
    if (c->other) *to++ = '#';
    if (c->precision >= 0) {
        *to++ = '.';
        *to++ = '*';
    }
    while (*length) *to++ = *length++;
    *to++ = c->kind;
    *to = '\0';
}

static void put_real(output *o, const conversion *c, double value)
{
    char text[MOST_TEXT], format[16];
    size_t length;
    int digits = c->precision < 0 ? 6 : c->precision ? c->precision : 1;
    if (isnan(value)) value = fabs(value); /* as gt_number_print */
    if (c->kind == 'g' && digits <= 17 && !c->plus && !c->blank && !c->other) {
        length = gt_number_print(text, value, digits);
    } else {
        spell(c, "", format);
        length =
            (size_t)(c->precision < 0 ? snprintf(text, sizeof text, format, value)
                                      : snprintf(text, sizeof text, format, c->precision, value));
        length = gt_put_point(text, length);
    }
    put_padded(o, c, text, length, c->zero && value - value == 0);
}

static void put_long_real(output *o, const conversion *c, long double value)
{
    static const long double most = 1e308L;
    char text[MOST_TEXT], format[16];
    conversion short_one = *c;
    if (isnan(value)) value = fabsl(value);
    if ((c->kind | 32) == 'f' && (value > most || value < -most))
        short_one.kind = 'e'; /* thousands of digits */
    spell(&short_one, "L", format);
    int length = c->precision < 0 ? snprintf(text, sizeof text, format, value)
                                  : snprintf(text, sizeof text, format, c->precision, value);
    put_padded(o, c, text, gt_put_point(text, (size_t)length), c->zero && value - value == 0);
}

/* "ll" and not "j", which small C libraries leave out. */
static void put_integer(output *o, const conversion *c, unsigned long long value)
{
    char text[MOST_TEXT], format[16];
    spell(c, "ll", format);
    int length = c->precision < 0 ? snprintf(text, sizeof text, format, value)
                                  : snprintf(text, sizeof text, format, c->precision, value);
    put_padded(o, c, text, (size_t)length, c->zero && c->precision < 0);
}

static void put_string(output *o, const conversion *c, const char *text)
{
    if (!text) text = "(null)";
    size_t length = 0;
    if (c->precision < 0)
        length = strlen(text);
    else
        while (length < (size_t)c->precision && text[length]) length++;
    put_padded(o, c, text, length, false);
}

/* va_list as an object that functions can share. */
typedef struct arguments {
    va_list list;
} arguments;

static intmax_t next_signed(arguments *a, const char *length)
{
    if (!strcmp(length, "hh")) return (signed char)va_arg(a->list, int);
    if (!strcmp(length, "h")) return (short)va_arg(a->list, int);
    if (!strcmp(length, "l")) return va_arg(a->list, long);
    if (!strcmp(length, "ll")) return va_arg(a->list, long long);
    if (!strcmp(length, "j")) return va_arg(a->list, intmax_t);
    if (!strcmp(length, "z") || !strcmp(length, "t")) return va_arg(a->list, ptrdiff_t);
    return va_arg(a->list, int);
}

static uintmax_t next_unsigned(arguments *a, const char *length)
{
    if (!strcmp(length, "hh")) return (unsigned char)va_arg(a->list, unsigned);
    if (!strcmp(length, "h")) return (unsigned short)va_arg(a->list, unsigned);
    if (!strcmp(length, "l")) return va_arg(a->list, unsigned long);
    if (!strcmp(length, "ll")) return va_arg(a->list, unsigned long long);
    if (!strcmp(length, "j")) return va_arg(a->list, uintmax_t);
    if (!strcmp(length, "z") || !strcmp(length, "t")) return va_arg(a->list, size_t);
    return va_arg(a->list, unsigned);
}

static int read_count(const char **s, arguments *a)
{
    int value = 0;
    if (**s == '*') {
        ++*s;
        return va_arg(a->list, int);
    }
    for (; **s >= '0' && **s <= '9'; ++*s)
        if (value < 100000) value = 10 * value + (**s - '0');
    return value;
}

/* What follows a '%'; s ends behind it. */
static conversion read_conversion(const char **s, arguments *a)
{
    conversion c = {.precision = -1};
    for (; **s && strchr("-0+ #'", **s); ++*s) {
        c.left |= **s == '-';
        c.zero |= **s == '0';
        c.plus |= **s == '+';
        c.blank |= **s == ' ';
        c.other |= **s == '#'; /* the ' of thousands is left out: it is the locale's */
    }
    c.width = read_count(s, a);
    if (c.width < 0) {
        c.left = true;
        c.width = -c.width;
    }
    if (**s == '.') {
        ++*s;
        c.precision = read_count(s, a);
        if (c.precision < 0) c.precision = -1;
    }
    for (int k = 0; **s && strchr("hljztL", **s) && k < 2; ++*s) c.length[k++] = **s;
    c.kind = **s;
    if (c.kind) ++*s;
    if (c.kind != 's' && c.precision > MOST_PRECISION) c.precision = MOST_PRECISION;
    return c;
}

static void put_conversion(output *o, const conversion *c, arguments *a)
{
    char one;
    switch (c->kind) {
    case 'd':
    case 'i':
        put_integer(o, c, (unsigned long long)next_signed(a, c->length));
        break;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        put_integer(o, c, next_unsigned(a, c->length));
        break;
    case 'c':
        one = (char)va_arg(a->list, int);
        put_padded(o, c, &one, 1, false);
        break;
    case 's':
        put_string(o, c, va_arg(a->list, const char *));
        break;
    case 'p': {
        conversion as_number = {
            .left = c->left, .other = true, .width = c->width, .precision = -1, .kind = 'x'};
        put_integer(o, &as_number, (uintptr_t)va_arg(a->list, void *));
        break;
    }
    case '%':
        put(o, "%", 1);
        break;
    default:
        if (!c->kind || !strchr("aAeEfFgG", c->kind)) break;
        if (c->length[0] == 'L')
            put_long_real(o, c, va_arg(a->list, long double));
        else
            put_real(o, c, va_arg(a->list, double));
    }
}

static void put_all(output *o, const char *format, va_list args)
{
    arguments a;
    va_copy(a.list, args);
    while (*format) {
        size_t literal = strcspn(format, "%");
        if (literal) put(o, format, literal);
        format += literal;
        if (!*format) break;
        format++;
        conversion c = read_conversion(&format, &a);
        put_conversion(o, &c, &a);
    }
    va_end(a.list);
}

int gt_vformat(char *buffer, size_t size, const char *format, va_list args)
{
    output o = {.buffer = buffer, .size = size};
    put_all(&o, format, args);
    if (size) buffer[o.length < size ? o.length : size - 1] = '\0';
    return (int)o.length;
}

int gt_format(char *buffer, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = gt_vformat(buffer, size, format, args);
    va_end(args);
    return length;
}

int gt_vfprintf(FILE *file, const char *format, va_list args)
{
    output o = {.file = file};
    flockfile(file);
    put_all(&o, format, args);
    int failed = ferror(file);
    funlockfile(file);
    return failed ? -1 : (int)o.length;
}

int gt_fprintf(FILE *file, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = gt_vfprintf(file, format, args);
    va_end(args);
    return length;
}

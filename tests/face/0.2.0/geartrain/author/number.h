/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers as text, the same in every locale: a host that called setlocale (GTK, Qt, R, Python) gets
 * the decimal point of C here, in what is read and in what is written. Nothing else in the tree
 * reads or prints floating-point numbers (scripts/check-numbers holds it). No function changes or
 * remembers the locale; all may be called from any thread.
 */
#ifndef GEARTRAIN_NUMBER_H
#define GEARTRAIN_NUMBER_H

#include <geartrain/api.h>
#include <geartrain/status.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

GT_C_BEGIN

#define GT_PI 3.14159265358979323846

/*
 * Reads the decimal number that begins at text: a sign or none, digits with a point or none, an
 * exponent or none; no blanks before it, no hexadecimal digits, no "inf" or "nan". Nothing at or
 * after `end` is looked at; with end NULL the text ends with its '\0'. Returns where the number
 * stops, or `text` itself where none begins (then *value is 0). The value is the nearest double;
 * what is too large becomes an infinity, what is too small 0.
 */
GT_API const char *gt_number_read(const char *text, const char *end, double *value);

/* Also takes what strtod takes in the C locale: blanks before the number, 0x1.8p3, inf, infinity,
 * nan, nan(...). */
GT_API const char *gt_number_read_any(const char *text, const char *end, double *value);

/* Room for what gt_number_print writes, with its '\0'. */
#define GT_NUMBER_SIZE 32

/* Writes the value as "%.*g" does in the C locale, with 1 to 17 digits, and returns the length. 17
 * digits, which files have, are enough to read the same value again. */
GT_API size_t gt_number_print(char buffer[GT_NUMBER_SIZE], double value, int digits);

/* Writes it with as few of 15, 16 or 17 digits as give the same value when they are read again. */
GT_API size_t gt_number_print_short(char buffer[GT_NUMBER_SIZE], double value);

/*
 * snprintf and fprintf, with a point in whatever locale. All conversions of C11 but %n, and %s and
 * %c of wide characters; of a precision, the first 1100 digits count. A negative result is an error
 * of the file.
 */
GT_API int gt_format(char *buffer, size_t size, const char *format, ...) GT_PRINTF(3, 4);
GT_API int gt_vformat(char *buffer, size_t size, const char *format, va_list args) GT_PRINTF(3, 0);
GT_API int gt_fprintf(FILE *file, const char *format, ...) GT_PRINTF(2, 3);
GT_API int gt_vfprintf(FILE *file, const char *format, va_list args) GT_PRINTF(2, 0);

GT_C_END

#endif

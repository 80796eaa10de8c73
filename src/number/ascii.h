/* SPDX-License-Identifier: BSD-3-Clause */
/* Letters, digits and blanks of ASCII, whatever the locale: in one of eight bits isalpha takes an
 * umlaut for a letter of a name, and in a Turkish one I is not the capital of i. */
#ifndef GEARTRAIN_NUMBER_ASCII_H
#define GEARTRAIN_NUMBER_ASCII_H

#include <stdbool.h>

static inline bool gt_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool gt_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
} /* line ends too */
static inline char gt_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c; }
static inline bool gt_is_letter(char c) { return gt_lower(c) >= 'a' && gt_lower(c) <= 'z'; }

/* Two names that differ in capitals at most. */
static inline bool gt_same_name(const char *a, const char *b)
{
    while (*a && gt_lower(*a) == gt_lower(*b)) a++, b++;
    return gt_lower(*a) == gt_lower(*b);
}

#endif

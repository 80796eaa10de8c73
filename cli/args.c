/* SPDX-License-Identifier: BSD-3-Clause */
/* Flags: what was given, and their values as numbers, words and pairs. */
#include "cli.h"
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *gt_cli_each(const cli_value *flag, size_t *position)
{
    const cli_given *given = flag->first;
    for (size_t i = 0; given && i < *position; i++) given = given->next;
    (*position)++;
    return given ? given->value : NULL;
}

const char *gt_cli_text(const cli_value *flag) { return flag->last ? flag->last->value : NULL; }

const void *gt_cli_own(const cli_args *args, size_t bytes)
{
    assert(args && args->own && args->command->own_bytes == bytes);
    (void)bytes;
    return args->own;
}

bool gt_cli_has(const cli_value *flag) { return flag->last != NULL; }

int gt_cli_read_number(const char *what, const char *text, double *value)
{
    double number;
    const char *end = gt_number_read_any(text, NULL, &number);
    while (isspace((unsigned char)*end)) end++;
    if (end == text || *end) return gt_cli_usage("%s: '%s' is not a number", what, text);
    if (!isfinite(number)) return gt_cli_usage("%s: %s is not a finite number", what, text);
    *value = number;
    return CLI_OK;
}

static const char *dashed(const cli_value *flag, char *buffer, size_t size)
{
    snprintf(buffer, size, "--%s", flag->flag->name);
    return buffer;
}

int gt_cli_number(const cli_value *flag, double *value)
{
    char what[64];
    const char *text = gt_cli_text(flag);
    return text ? gt_cli_read_number(dashed(flag, what, sizeof what), text, value) : CLI_OK;
}

int gt_cli_atol(const cli_value *flag, double *value)
{
    double number = *value;
    int code = gt_cli_number(flag, &number);
    if (code || !gt_cli_has(flag)) return code;
    if (number < 0)
        return gt_cli_usage("--%s must not be negative, not %g", flag->flag->name, number);
    *value = number > 0 ? number : GT_NO_ATOL;
    return CLI_OK;
}

int gt_cli_positive(const cli_value *flag, double *value)
{
    double number = *value;
    int code = gt_cli_number(flag, &number);
    if (code || !gt_cli_has(flag)) return code;
    if (number <= 0) return gt_cli_usage("--%s must be above 0, not %g", flag->flag->name, number);
    *value = number;
    return CLI_OK;
}

int gt_cli_whole(const cli_value *flag, long min, long max, long *value)
{
    double number = 0;
    int code = gt_cli_number(flag, &number);
    if (code || !gt_cli_has(flag)) return code;
    if (number != floor(number) || number < (double)min || number > (double)max)
        return gt_cli_usage("--%s must be a whole number from %ld to %ld, not %g", flag->flag->name,
                            min, max, number);
    *value = (long)number;
    return CLI_OK;
}

int gt_cli_read_words(const char *what, const char *text, gt_arena *arena, char ***words,
                      size_t *count)
{
    size_t commas = 0, length = strlen(text);
    for (size_t i = 0; i < length; i++) commas += text[i] == ',';
    char *copy = gt_arena_take(arena, length + 1, 1);
    char **list = gt_arena_take(arena, commas + 1, sizeof *list);
    if (!copy || !list) return gt_cli_failed("%s: out of memory", what);
    memcpy(copy, text, length + 1);
    for (size_t k = 0; k <= commas; k++) {
        char *comma = strchr(copy, ',');
        if (comma) *comma = '\0';
        while (isspace((unsigned char)*copy)) copy++;
        size_t used = strlen(copy);
        while (used && isspace((unsigned char)copy[used - 1])) copy[--used] = '\0';
        if (!used) return gt_cli_usage("%s: the list '%s' has an empty entry", what, text);
        list[k] = copy;
        if (comma) copy = comma + 1;
    }
    *words = list;
    *count = commas + 1;
    return CLI_OK;
}

int gt_cli_read_numbers(const char *what, const char *text, gt_arena *arena, double **list,
                        size_t *count)
{
    char **words = NULL;
    size_t n = 0;
    int code = gt_cli_read_words(what, text, arena, &words, &n);
    if (code) return code;
    assert(words);
    double *numbers = gt_arena_doubles(arena, n);
    if (!numbers) return gt_cli_failed("%s: out of memory", what);
    for (size_t i = 0; i < n; i++)
        if ((code = gt_cli_read_number(what, words[i], &numbers[i]))) return code;
    *list = numbers;
    *count = n;
    return CLI_OK;
}

int gt_cli_numbers(const cli_value *flag, gt_arena *arena, double **list, size_t *count)
{
    char what[64];
    const char *text = gt_cli_text(flag);
    if (!text) return CLI_OK;
    return gt_cli_read_numbers(dashed(flag, what, sizeof what), text, arena, list, count);
}

int gt_cli_read_pair(const char *what, const char *text, gt_arena *arena, char **name, char **value)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return gt_cli_usage("%s takes name=value, not '%s'", what, text);
    size_t length = strlen(text);
    char *copy = gt_arena_take(arena, length + 1, 1);
    if (!copy) return gt_cli_failed("%s: out of memory", what);
    memcpy(copy, text, length + 1);
    copy[equals - text] = '\0';
    *name = copy;
    *value = copy + (equals - text) + 1;
    return CLI_OK;
}

const char *gt_cli_suggest(const char *name, const char *const *names, char buffer[96])
{
    const char *nearest = gt_nearest_name(name, names);
    buffer[0] = '\0';
    if (nearest) snprintf(buffer, 96, "; did you mean '%s'?", nearest);
    return buffer;
}

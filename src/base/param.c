/* SPDX-License-Identifier: BSD-3-Clause */
/* Options and parameters: values set by name from text, checked against their table. */
#include "number/ascii.h"
#include <geartrain/author/number.h>
#include <geartrain/author/param.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t gt_params_count(const gt_param *table)
{
    size_t count = 0;
    while (table && table[count].name) count++;
    return count;
}

void gt_params_defaults(const gt_param *table, gt_values *values)
{
    if (!values) return;
    *values = (gt_values){{0}};
    for (size_t i = 0; table && table[i].name && i < GT_MAX_PARAMS; i++)
        values->v[i] = table[i].initial;
}

/* Levenshtein distance without regard to case; names longer than 63 characters count as far. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[64], la = strlen(a), lb = strlen(b);
    if (la > 63 || lb > 63) return 64;
    for (size_t j = 0; j <= lb; j++) row[j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t above = row[j];
            int same = gt_lower(a[i - 1]) == gt_lower(b[j - 1]);
            size_t best = diagonal + (same ? 0 : 1);
            if (above + 1 < best) best = above + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = above;
            row[j] = best;
        }
    }
    return row[lb];
}

/* Are letters of `whole` left out in `part`, and is the first one there? "sgn" is "sign" so, and
 * not "sin". */
static bool letters_left_out(const char *part, const char *whole)
{
    if (gt_lower(*part) != gt_lower(*whole)) return false;
    for (; *part && *whole; whole++) part += gt_lower(*part) == gt_lower(*whole);
    return !*part;
}

const char *gt_nearest_name(const char *name, const char *const *names)
{
    if (!name || !names) return NULL;
    const char *nearest = NULL;
    size_t length = strlen(name), best = length < 3   ? 2
                                         : length < 8 ? 3
                                                      : 4; /* one more than letters may differ */
    for (; *names; names++) {
        size_t distance = edit_distance(name, *names);
        /* "foo" is not a misspelt "doc" */
        bool another_word = length < 5 && distance > 1 && **names != *name;
        bool nearer =
            distance < best || (nearest && distance == best && letters_left_out(name, *names));
        if (nearer && distance < length && !another_word) {
            best = distance;
            nearest = *names;
        }
    }
    return nearest;
}

static gt_status unknown_name(const gt_param *table, const char *what, const char *owner,
                              const char *name, gt_message *message)
{
    const char *names[GT_MAX_PARAMS + 1] = {NULL};
    size_t count = gt_params_count(table);
    for (size_t i = 0; i < count && i < GT_MAX_PARAMS; i++) names[i] = table[i].name;
    gt_status status = gt_fail(message, GT_UNKNOWN_NAME, "%s has no %s '%s'", owner, what, name);
    const char *near = gt_nearest_name(name, names);
    if (near) gt_say_more(message, "; did you mean '%s'?", near);
    if (!count) gt_say_more(message, "; it has none at all");
    if (count && !near) {
        gt_say_more(message, "; it has:");
        for (size_t i = 0; i < count; i++) gt_say_more(message, " %s", names[i]);
    }
    return status;
}

static gt_status set_choice(const gt_param *row, const char *what, const char *value, double *out,
                            gt_message *message)
{
    for (int i = 0; row->choices[i]; i++) {
        if (strcmp(row->choices[i], value) == 0) {
            *out = i;
            return GT_OK;
        }
    }
    gt_status status = gt_fail(message, GT_BAD_ARGUMENT,
                               "%s %s cannot be '%s'; it is one of:", what, row->name, value);
    for (int i = 0; row->choices[i]; i++) gt_say_more(message, " %s", row->choices[i]);
    return status;
}

static gt_status set_number(const gt_param *row, const char *what, const char *value, double *out,
                            gt_message *message)
{
    double number;
    const char *end = gt_number_read_any(value, NULL, &number);
    while (gt_is_blank(*end)) end++;
    if (end == value || *end || !isfinite(number))
        return gt_fail(message, GT_BAD_ARGUMENT, "%s %s must be a number, not '%s'", what,
                       row->name, value);
    if (row->type == GT_INTEGER && number != floor(number))
        return gt_fail(message, GT_BAD_ARGUMENT, "%s %s must be a whole number, not '%s'", what,
                       row->name, value);
    bool bounded = row->min != 0 || row->max != 0;
    if (bounded && number < row->min && row->min == GT_POSITIVE)
        return gt_fail(message, GT_BAD_ARGUMENT, "%s %s must be above 0, not %g", what, row->name,
                       number);
    if (bounded && (number < row->min || number > row->max))
        return gt_fail(message, GT_BAD_ARGUMENT, "%s %s must lie between %g and %g, not %g", what,
                       row->name, row->min == GT_POSITIVE ? 0.0 : row->min, row->max, number);
    *out = number;
    return GT_OK;
}

gt_status gt_params_set(const gt_param *table, const char *what, const char *owner,
                        const char *name, const char *value, gt_values *values, gt_message *message)
{
    GT_ARMOR(message, what && owner && name && value && values);
    size_t count = gt_params_count(table);
    for (size_t i = 0; i < count && i < GT_MAX_PARAMS; i++) {
        if (strcmp(table[i].name, name) != 0) continue;
        if (table[i].type == GT_CHOICE)
            return set_choice(&table[i], what, value, &values->v[i], message);
        return set_number(&table[i], what, value, &values->v[i], message);
    }
    return unknown_name(table, what, owner, name, message);
}

/* Copies text[0..length) without the blanks around it; false when it does not fit. */
static bool copy_trimmed(char *to, size_t size, const char *text, size_t length)
{
    while (length && gt_is_blank(*text)) text++, length--;
    while (length && gt_is_blank(text[length - 1])) length--;
    if (length >= size) return false;
    memcpy(to, text, length);
    to[length] = 0;
    return true;
}

gt_status gt_params_parse(const gt_param *table, const char *what, const char *owner,
                          const char *text, gt_values *values, gt_message *message)
{
    while (text && *text) {
        size_t length = strcspn(text, ",");
        char item[160], name[80], value[80];
        if (!copy_trimmed(item, sizeof item, text, length))
            return gt_fail(message, GT_BAD_ARGUMENT, "%s of %s is too long: '%.60s...'", what,
                           owner, text);
        text += length + (text[length] == ',');
        if (!*item) continue;
        size_t equals = strcspn(item, "=");
        if (!item[equals] || !copy_trimmed(name, sizeof name, item, equals) ||
            !copy_trimmed(value, sizeof value, item + equals + 1, strlen(item + equals + 1)))
            return gt_fail(message, GT_BAD_ARGUMENT, "%s '%s' of %s is not of the form name=value",
                           what, item, owner);
        gt_status status = gt_params_set(table, what, owner, name, value, values, message);
        if (status) return status;
    }
    return GT_OK;
}

void gt_params_fill(const gt_param *table, const double *v, void *options)
{
    if (!table || !v || !options) return;
    for (size_t i = 0; table[i].name; i++) {
        void *to = (char *)options + table[i].field.offset;
        switch (table[i].field.type) {
        case GT_FIELD_NONE:
            break;
        case GT_FIELD_DOUBLE:
            memcpy(to, &v[i], sizeof v[i]);
            break;
        case GT_FIELD_INT:
            memcpy(to, &(int){(int)v[i]}, sizeof(int));
            break;
        case GT_FIELD_LONG:
            memcpy(to, &(long){(long)v[i]}, sizeof(long));
            break;
        case GT_FIELD_BOOL:
            memcpy(to, &(bool){v[i] != 0}, sizeof(bool));
            break;
        }
    }
}

void gt_params_print(const gt_param *row, double value, char *buffer, size_t size)
{
    if (!row || !buffer) return;
    if (row->type == GT_CHOICE)
        snprintf(buffer, size, "%s", row->choices[(int)value]);
    else {
        double again;
        gt_format(buffer, size, "%.15g", value);
        gt_number_read(buffer, NULL, &again);
        if (again != value) gt_format(buffer, size, "%.17g", value);
    }
}

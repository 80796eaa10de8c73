/* SPDX-License-Identifier: BSD-3-Clause */
/* Status names and texts from the one list, and the messages that go with them. */
#include <geartrain/author/number.h>
#include <geartrain/status.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

const char *gt_status_name(gt_status status)
{
    switch (status) {
#define NAME(symbol, value, name, meaning)                                                         \
    case symbol:                                                                                   \
        return name;
        GT_STATUS_LIST(NAME)
#undef NAME
    }
    return "unknown_status";
}

const char *gt_status_text(gt_status status)
{
    switch (status) {
#define TEXT(symbol, value, name, meaning)                                                         \
    case symbol:                                                                                   \
        return meaning;
        GT_STATUS_LIST(TEXT)
#undef TEXT
    }
    return "a status that this library does not know";
}

gt_status gt_fail(gt_message *message, gt_status status, const char *format, ...)
{
    if (message) {
        va_list args;
        va_start(args, format);
        gt_vformat(message->text, sizeof message->text, format, args);
        va_end(args);
    }
    return status;
}

void gt_say_more(gt_message *message, const char *format, ...)
{
    if (!message) return;
    size_t used = strlen(message->text);
    va_list args;
    va_start(args, format);
    gt_vformat(message->text + used, sizeof message->text - used, format, args);
    va_end(args);
}

void gt_warn(gt_warnings *warnings, const char *format, ...)
{
    if (!warnings) return;
    gt_message message;
    va_list args;
    va_start(args, format);
    gt_vformat(message.text, sizeof message.text, format, args);
    va_end(args);
    for (int i = 0; i < warnings->count; i++)
        if (!strcmp(warnings->list[i].text, message.text)) return;
    if (warnings->count < GT_MOST_WARNINGS)
        warnings->list[warnings->count++] = message;
    else
        warnings->left_out++;
}

const char *gt_version(void) { return GT_VERSION; }

/* A function that passes the sizes of structs on, gt_x_sized, or does the work for it, full_x, is
 * gt_x for a user. */
gt_status gt_fail_null(gt_message *message, const char *function, const char *pointers)
{
    static const char work[] = "full_", sizes[] = "_sized";
    if (!function) function = "a function";
    if (!pointers) pointers = "which is not said";
    size_t length = strlen(function);
    bool works = strncmp(function, work, sizeof work - 1) == 0;
    if (works) function += sizeof work - 1, length -= sizeof work - 1;
    if (length >= sizeof sizes && strcmp(function + length - (sizeof sizes - 1), sizes) == 0)
        length -= sizeof sizes - 1;
    return gt_fail(message, GT_BAD_ARGUMENT, "%s%.*s: an argument is NULL that must not be: %s",
                   works ? "gt_" : "", (int)length, function, pointers);
}

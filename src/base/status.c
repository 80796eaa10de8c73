/* SPDX-License-Identifier: BSD-3-Clause */
/* Status names and texts from the one list, and the sentences that go with them. */
#include <geartrain/number.h>
#include <geartrain/status.h>
#include <geartrain/version.h>
#include <stdarg.h>
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

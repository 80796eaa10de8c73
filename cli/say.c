/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"
#include <ctype.h>
#include <stdarg.h>
#include <string.h>

static void say(const char *format, va_list list)
{
    fflush(stdout);
    fputs("geartrain: ", stderr);
    gt_vfprintf(stderr, format, list);
    fputc('\n', stderr);
}

int gt_cli_usage(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(format, list);
    va_end(list);
    va_start(list, format);
    gt_cli_remember_list(gt_status_name(GT_BAD_ARGUMENT), format, list);
    va_end(list);
    return CLI_USAGE;
}

int gt_cli_failed(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(format, list);
    va_end(list);
    va_start(list, format);
    gt_cli_remember_list("failed", format, list);
    va_end(list);
    return CLI_FAILED;
}

void gt_cli_note(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(format, list);
    va_end(list);
}

void gt_cli_warn(const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    gt_vformat(text, sizeof text, format, list);
    va_end(list);
    if (!gt_cli_remember_warning(text)) gt_cli_note("warning: %s", text);
}

int gt_cli_exit_of(gt_status status)
{
    switch (status) {
    case GT_OK:
        return CLI_OK;
    case GT_BAD_ARGUMENT:
    case GT_UNKNOWN_NAME:
    case GT_UNSUPPORTED:
    case GT_IO:
        return CLI_USAGE;
    default:
        return CLI_FAILED;
    }
}

/* A message of the library with its names for things replaced by the flags that set them. */
static void with_flags(const char *text, char *buffer, size_t size)
{
    static const char *const flags[][2] = {
        {"max_steps", "--max-steps"}, {"h_max", "--hmax"}, {"h0", "--h0"}};
    size_t used = 0;
    while (*text && used < size) {
        size_t length = 0; /* of a word, or of one other character */
        while (isalnum((unsigned char)text[length]) || text[length] == '_') length++;
        const char *word = text;
        int shown = length ? (int)length : 1;
        text += shown;
        for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
            if (strlen(flags[i][0]) == length && !strncmp(word, flags[i][0], length)) {
                word = flags[i][1];
                shown = (int)strlen(word);
                break;
            }
        used += (size_t)snprintf(buffer + used, size - used, "%.*s", shown, word);
    }
}

void gt_cli_warnings(const gt_warnings *warnings, const char *whose)
{
    for (int i = 0; i < warnings->count; i++) {
        char text[sizeof warnings->list[i].text + 64];
        with_flags(warnings->list[i].text, text, sizeof text);
        gt_cli_note("warning: %s%s%s", whose ? whose : "", whose ? ": " : "", text);
    }
    if (warnings->left_out) gt_cli_note("warning: and %d more", warnings->left_out);
}

int gt_cli_complain(gt_status status, const gt_message *message)
{
    bool silent = !message || !message->text[0];
    if (silent) {
        gt_cli_note("%s (%s)", gt_status_text(status), gt_status_name(status));
    } else {
        char text[sizeof message->text + 64];
        with_flags(message->text, text, sizeof text);
        gt_cli_note("%s", text);
        gt_cli_remember(gt_status_name(status), "%s", text);
    }
    return gt_cli_exit_of(status);
}

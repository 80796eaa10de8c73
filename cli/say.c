/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"
#include <stdarg.h>

static void say(const char *format, va_list list)
{
    fflush(stdout);
    fputs("geartrain: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
}

int gt_cli_usage(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(format, list);
    va_end(list);
    return CLI_USAGE;
}

int gt_cli_failed(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(format, list);
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

int gt_cli_complain(gt_status status, const gt_message *message)
{
    bool silent = !message || !message->text[0];
    if (silent)
        gt_cli_note("%s (%s)", gt_status_text(status), gt_status_name(status));
    else
        gt_cli_note("%s", message->text);
    return gt_cli_exit_of(status);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CLI_SAY_H
#define GEARTRAIN_CLI_SAY_H

/* What went wrong, and the exit status that follows. */
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <stdarg.h>
#include <stdbool.h>

/*
 * What the commands of the program share. A function here that can fail returns an exit status: 0,
 * or the one the program is to end with after it has said why on standard error. So a command reads
 *
 *     int code = gt_cli_number(&args->flags.t1, &t1);
 *     if (code) return code;
 */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/* One message on standard error after "geartrain: "; returns CLI_USAGE or CLI_FAILED. */
int gt_cli_usage(const char *format, ...) GT_PRINTF(1, 2);
int gt_cli_failed(const char *format, ...) GT_PRINTF(1, 2);

/* A note on standard error after "geartrain: ", which is not a failure. */
void gt_cli_note(const char *format, ...) GT_PRINTF(1, 2);

/* A warning about what was read or asked for, from any thread: on standard error after
 * "geartrain: warning: ", and in `warnings` of the JSON object; each text once. --quiet does not
 * hide it. */
void gt_cli_warn(const char *format, ...) GT_PRINTF(1, 2);

/* Those of a run, which its report has. Each on standard error, after "warning: " and, where
 * `whose` is not NULL, a name. */
void gt_cli_warnings(const gt_warnings *warnings, const char *whose);

/* CLI_OK, CLI_USAGE for statuses that mean bad input, CLI_FAILED for those of the numerics. */
int gt_cli_exit_of(gt_status status);

/* Says the message of a status that is not GT_OK; returns its exit status. */
int gt_cli_complain(gt_status status, const gt_message *message);
/* Keeps a reason that was reported in another way, for gt_cli_json_refusal; the first one counts.
 */
void gt_cli_remember(const char *status, const char *format, ...) GT_PRINTF(2, 3);
void gt_cli_remember_list(const char *status, const char *format, va_list list);

/* Keeps a warning for `warnings` of the JSON object, and says so when it is there already. */
bool gt_cli_remember_warning(const char *text);

#endif

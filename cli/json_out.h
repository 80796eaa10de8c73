/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CLI_JSON_OUT_H
#define GEARTRAIN_CLI_JSON_OUT_H

/* JSON on standard output. */
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <jansson.h>

json_t *gt_cli_json_number(double value); /* null when not finite */
/* JSON is UTF-8; in names of files that are not, what lies beyond ASCII becomes a question mark. */
json_t *gt_cli_json_text(const char *text);

/* Watches the memory of JSON objects: from the beginning of the program, and whether it sufficed so
 * far. */
void gt_cli_json_begin(void);
bool gt_cli_json_whole(void);

/* The object will have `warnings`, if only an empty list: the texts of gt_cli_warn, and what the
 * report has under that key. */
void gt_cli_json_expect_warnings(void);

/* Prints the object on standard output and gives it back to jansson; CLI_USAGE when it cannot be
 * written. */
int gt_cli_json_print(json_t *object);
bool gt_cli_json_printed(void);
/* The object of a command that is refused: `status` and `message`. Gives the code back. */
int gt_cli_json_refusal(int code);

#endif

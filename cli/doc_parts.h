/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_DOC_PARTS_H
#define GEARTRAIN_DOC_PARTS_H

#include "cli.h"

/*
 * A topic is what stands in the marker of a page and behind the word `doc`: "reference", "command
 * power flow", "options rk4". Writes its block as Markdown; an error message when there is no such
 * topic.
 */
int gt_doc_block(const char *topic, FILE *out);

/* The pieces behind it. */
void gt_doc_commands(FILE *out);
void gt_doc_command(const cli_command *command, FILE *out);
void gt_doc_reference(FILE *out);
void gt_doc_method_list(FILE *out);
void gt_doc_model_list(FILE *out);
void gt_doc_memory(FILE *out);
void gt_doc_params(const char *what, bool units, const gt_param *table, FILE *out);
int gt_doc_facts(const gt_method *method, FILE *out);

/* Manual pages (doc_man.c), and completion for shells: where its file belongs below share/
 * (doc_shell.c). */
void gt_doc_man_program(FILE *out);
void gt_doc_man_command(const cli_command *command, FILE *out);
typedef struct gt_doc_shell {
    const char *name, *folder, *file;
    void (*put)(FILE *out);
} gt_doc_shell;
extern const gt_doc_shell gt_doc_shells[]; /* ends with one without a name */
/* All of them as files below the folder, which is made (doc_share.c). */
int gt_doc_share(const char *folder);

/* Text in a paragraph or in a cell of a table, with what Markdown would take for markup escaped. */
void gt_doc_text(const char *text, FILE *out);

/* Brings the pages below the folder up to date, and begins those that are not there; or only
 * reports of stale ones. */
int gt_doc_pages(const char *folder, bool only_check);

#endif

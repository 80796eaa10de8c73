/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_CLI_FILES_H
#define GEARTRAIN_CLI_FILES_H

/* Files that are read, and files that appear only when they are whole. */
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <jansson.h>
#include <stdio.h>

/* Refuses an output path that is a directory, in a directory that is not there or not writable, or
 * the same file as one of the inputs (ends with NULL). "-" is fine. */
int gt_cli_check_output(const char *what, const char *path, const char *const *inputs);
/* The same for --checkpoint, which has to be a file that can be read again. */
int gt_cli_check_checkpoint(const char *path, const char *const *inputs);

/* There is an ordinary file of this name, which will be replaced. A device or a pipe is written as
 * it is. */
bool gt_cli_is_file(const char *path);
/* All of a file from malloc and with a zero behind it; NULL after a complaint, which begins with
 * `what`: it is not there, a pipe, a device, a folder or longer than `most` bytes. */
enum { CLI_MOST_BYTES = 1 << 30 }; /* where nothing smaller is known */
char *gt_cli_read_whole(const char *what, const char *path, size_t most, size_t *length);
json_t *gt_cli_read_json(const char *what, const char *path,
                         size_t flags); /* NULL after a complaint */

/* The folder that the program is in; false: it is not known. */
bool gt_cli_own_folder(char *folder, size_t room);

/* A file that gets its name only when it is complete. path "-" is standard output. */
typedef struct cli_file {
    FILE *stream;
    gt_file file;
} cli_file;

int gt_cli_file_open(cli_file *file, const char *path);
int gt_cli_file_close(cli_file *file,
                      bool complete); /* not complete: kept as path.partial, and says so */

/* Reports the unfinished file that was found in the way of this one. */
void gt_cli_note_left_behind(const gt_file *file);

/* Flushes standard output; CLI_USAGE and an error message when something printed there was lost. */
int gt_cli_flush(void);

#endif

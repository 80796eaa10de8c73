/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_POWER_TEXT_FILE_H
#define GEARTRAIN_POWER_TEXT_FILE_H

#include <geartrain/author/arena.h>
#include <geartrain/status.h>

/* The whole file as text in the arena; NULL and an error message when it cannot be read. `what`:
 * "case file". */
const char *gt_text_read(const char *path, const char *what, gt_arena *arena, gt_status *status,
                         gt_message *message);

/* The name of a file without folders and extension, in the arena. */
const char *gt_text_stem(const char *path, gt_arena *arena);

#endif

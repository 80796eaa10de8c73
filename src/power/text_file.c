/* SPDX-License-Identifier: BSD-3-Clause */
#include "power/text_file.h"
#include <geartrain/author/file.h>
#include <stdlib.h>
#include <string.h>

const char *gt_text_read(const char *path, const char *what, gt_arena *arena, gt_status *status,
                         gt_message *message)
{
    enum { MOST_BYTES = 1 << 30 };
    char *buffer;
    size_t used;
    gt_message why = {""};
    *status = gt_file_read(path, MOST_BYTES, &buffer, &used, &why);
    if (*status) {
        *status = gt_fail(message, *status, "the %s %s", what, why.text);
        return NULL;
    }
    char *text = gt_arena_take(arena, used + 1, 1);
    if (text) memcpy(text, buffer, used);
    free(buffer);
    if (!text) {
        *status = gt_fail(message, GT_NO_MEMORY, "out of memory to read the %s %s", what, path);
        return NULL;
    }
    if (strlen(text) != used) {
        *status =
            gt_fail(message, GT_IO, "the %s %s is not a text file: it has a zero byte", what, path);
        return NULL;
    }
    *status = GT_OK;
    return text;
}

const char *gt_text_stem(const char *path, gt_arena *arena)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path,
               *dot = strrchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    char *stem = gt_arena_take(arena, length + 1, 1);
    if (stem) memcpy(stem, base, length);
    return stem;
}

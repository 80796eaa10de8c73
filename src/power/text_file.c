/* SPDX-License-Identifier: BSD-3-Clause */
#include "power/text_file.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *gt_text_read(const char *path, const char *what, gt_arena *arena, gt_status *status, gt_message *message)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        *status = gt_fail(message, GT_IO, "the %s %s cannot be opened: %s", what, path, strerror(errno));
        return NULL;
    }
    size_t used = 0, room = 1 << 16;
    char *buffer = malloc(room);
    for (size_t got = 1; buffer && got; used += got) {
        if (room - used < 2) {
            char *larger = realloc(buffer, room *= 2);
            if (!larger) free(buffer);
            buffer = larger;
        }
        got = buffer ? fread(buffer + used, 1, room - used - 1, file) : 0;
    }
    int broken = ferror(file);
    fclose(file);
    char *text = buffer && !broken ? gt_arena_take(arena, used + 1, 1) : NULL;
    if (text) memcpy(text, buffer, used);
    free(buffer);
    if (!text) {
        *status = gt_fail(message, broken ? GT_IO : GT_NO_MEMORY, "the %s %s cannot be read", what, path);
        return NULL;
    }
    if (strlen(text) != used) {
        *status = gt_fail(message, GT_IO, "the %s %s is no text: it has a zero byte", what, path);
        return NULL;
    }
    *status = GT_OK;
    return text;
}

const char *gt_text_stem(const char *path, gt_arena *arena)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    char *stem = gt_arena_take(arena, length + 1, 1);
    if (stem) memcpy(stem, base, length);
    return stem;
}

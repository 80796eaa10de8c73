/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of one file. Nothing is given back before the file is; arrays grow by doubling. */
#include "lang/source/work.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16 };

void *gt_lang_take(ode_work *work, size_t count, size_t size)
{
    size_t header = (sizeof(ode_block) + 15) / 16 * 16;
    if (size && count > ODE_MAX_MEMORY / size) gt_lang_error(work, -1, "the model is too large");
    size_t bytes = (count * size + 15) / 16 * 16;
    if (!work->blocks || work->blocks->size - work->blocks->used < bytes) {
        size_t usual = work->block ? work->block : BLOCK, room = bytes > usual ? bytes : usual;
        if (room > ODE_MAX_MEMORY - work->memory)
            gt_lang_error(work, -1, "the model needs more than %zu MB to be read",
                          ODE_MAX_MEMORY >> 20);
        ode_block *block = calloc(1, header + room);
        if (!block) gt_lang_out_of_memory(work);
        block->size = room;
        work->memory += room;
        if (work->blocks &&
            bytes > usual / 4) { /* a large part gets a block of its own behind the one in use */
            block->next = work->blocks->next;
            work->blocks->next = block;
            block->used = bytes;
            return (char *)block + header;
        }
        block->next = work->blocks;
        work->blocks = block;
    }
    void *part = (char *)work->blocks + header + work->blocks->used;
    work->blocks->used += bytes;
    return part;
}

void gt_lang_grow(ode_work *work, void **array, int32_t count, int32_t *room, size_t size,
                  int32_t most, const char *what)
{
    if (count < *room) return;
    if (count >= most) gt_lang_error(work, -1, "the model has more than %d %s", (int)most, what);
    int32_t larger = *room ? (*room > most / 2 ? most : 2 * *room) : 16;
    void *grown = gt_lang_take(work, (size_t)larger, size);
    if (count) memcpy(grown, *array, (size_t)count * size);
    *array = grown;
    *room = larger;
}

const char *gt_lang_copy(ode_work *work, const char *text, size_t length)
{
    char *copy = gt_lang_take(work, length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

void gt_lang_free(ode_work *work)
{
    while (work->blocks) {
        ode_block *next = work->blocks->next;
        free(work->blocks);
        work->blocks = next;
    }
}

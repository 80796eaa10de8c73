/* SPDX-License-Identifier: BSD-3-Clause */
/* One allocator in three modes; see arena.h. Sizes are checked for overflow before anything is
 * added. */
#include <geartrain/author/arena.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A block of a growing arena; its part follows at the next multiple of GT_ALIGN. */
struct gt_arena_block {
    struct gt_arena_block *next;
};

static void *aligned(void *p)
{
    return (char *)p + (GT_ALIGN - (uintptr_t)p % GT_ALIGN) % GT_ALIGN;
}

gt_arena gt_arena_over(void *memory, size_t size)
{
    gt_arena a = {.base = aligned(memory)};
    size_t lost = (size_t)(a.base - (char *)memory);
    a.size = size > lost ? size - lost : 0;
    return a;
}

gt_arena gt_arena_growing(void) { return (gt_arena){.grows = 1}; }

static void *take_from_heap(gt_arena *arena, size_t bytes)
{
    if (bytes > SIZE_MAX - sizeof(struct gt_arena_block) - GT_ALIGN) return NULL;
    struct gt_arena_block *block = calloc(1, bytes + sizeof *block + GT_ALIGN);
    if (!block) return NULL;
    block->next = arena->blocks;
    arena->blocks = block;
    return aligned(block + 1);
}

void *gt_arena_take(gt_arena *arena, size_t count, size_t item_size)
{
    if (!arena) return NULL;
    if (item_size && count > (SIZE_MAX - GT_ALIGN) / item_size) {
        arena->failed = 1;
        return NULL;
    }
    if (arena->watch) arena->watch(arena->watcher, count, item_size);
    size_t bytes = (count * item_size + GT_ALIGN - 1) / GT_ALIGN * GT_ALIGN;
    void *part = NULL;
    if (arena->grows) {
        part = take_from_heap(arena, bytes);
        if (!part) arena->failed = 1;
    } else if (arena->base) {
        if (arena->failed || bytes > arena->size - arena->used) {
            arena->failed = 1;
            return NULL;
        }
        part = arena->base + arena->used;
        memset(part, 0, bytes);
    } else if (bytes > SIZE_MAX - GT_ALIGN - arena->used) {
        arena->failed = 1;
        return NULL;
    }
    arena->used += bytes;
    if (bytes) gt_arena_tell(arena, part, bytes);
    return part;
}

void gt_arena_free(gt_arena *arena)
{
    if (!arena) return;
    while (arena->blocks) {
        struct gt_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}

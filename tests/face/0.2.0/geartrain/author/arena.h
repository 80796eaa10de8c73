/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_ARENA_H
#define GEARTRAIN_ARENA_H

#include <geartrain/api.h>
#include <stddef.h>

GT_C_BEGIN

/*
 * Memory in three modes, so that one piece of code both measures and carves:
 *   measuring  gt_arena a = {0}            gives NULL, adds up `used`
 *   fixed      gt_arena_over(memory, size) gives parts of the caller's memory, NULL when it is used
 * up growing    gt_arena_growing()          gives memory from malloc until gt_arena_free Parts are
 * aligned to GT_ALIGN bytes and, when not measuring, filled with zeros.
 */
enum { GT_ALIGN = 64 };

typedef struct gt_arena {
    char *base;
    size_t size, used;
    int failed; /* a part could not be given */
    int grows;
    struct gt_arena_block *blocks;
    void (*watch)(void *watcher, size_t count,
                  size_t item_size); /* sees each part that is asked for; may be NULL */
    void *watcher;
    /* Sees each part that is given, and each LU (with 0 bytes) that is laid out; may be NULL. */
    void (*keep)(void *keeper, void *part, size_t bytes);
    void *keeper;
    void *reserved[2];
} gt_arena;

GT_API gt_arena gt_arena_over(void *memory, size_t size);
GT_API gt_arena gt_arena_growing(void);
GT_API void *gt_arena_take(gt_arena *arena, size_t count, size_t item_size);
GT_API void gt_arena_free(gt_arena *arena);

static inline void gt_arena_tell(const gt_arena *arena, void *part, size_t bytes)
{
    if (arena && arena->keep) arena->keep(arena->keeper, part, bytes);
}
static inline int gt_arena_measuring(const gt_arena *arena)
{
    return !arena->base && !arena->grows;
}
static inline double *gt_arena_doubles(gt_arena *arena, size_t count)
{
    return (double *)gt_arena_take(arena, count, sizeof(double));
}

GT_C_END

#endif

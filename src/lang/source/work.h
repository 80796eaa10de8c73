/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_WORK_H
#define GEARTRAIN_LANG_WORK_H

/* What all passes share: memory, which is freed with the file, and diagnostics. */
#include "lang/source/limits.h"
#include <geartrain/lang.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ode_block {
    struct ode_block *next;
    size_t used, size;
} ode_block;

typedef struct ode_work {
    ode_block *blocks;
    size_t memory, block;            /* taken so far; size of a block, 0: the usual one */
    const struct ode_source *source; /* knows the places of what is reported */
    gt_ode_note *notes;
    int32_t n_notes, room_notes, n_errors;
    bool no_memory, giving_up;
    jmp_buf *escape; /* where an error leads to */
} ode_work;

/* pool.c */
void *gt_lang_take(ode_work *work, size_t count, size_t size);
void gt_lang_grow(ode_work *work, void **array, int32_t count, int32_t *room, size_t size,
                  int32_t most, const char *what);
const char *gt_lang_copy(ode_work *work, const char *text, size_t length);
void gt_lang_free(ode_work *work);
/* Makes room for one more in an array of a pass and counts it; `most` is the limit. */
#define ODE_PUSH(pass, array, most, what)                                                          \
    (gt_lang_grow((pass)->work, (void **)&(pass)->array, (pass)->n_##array, &(pass)->room_##array, \
                  sizeof *(pass)->array, (most), (what)),                                          \
     &(pass)->array[(pass)->n_##array++])

/* diagnostics.c; `at`: in the joined text, -1: about the whole file. An error leaves the statement
 * or the file. */
_Noreturn void gt_lang_error(ode_work *work, int32_t at, const char *format, ...) GT_PRINTF(3, 4);
/* The same of a file that is another one altogether: the first error is the last. */
_Noreturn void gt_lang_refuse(ode_work *work, int32_t at, const char *format, ...) GT_PRINTF(3, 4);
_Noreturn void gt_lang_out_of_memory(ode_work *work);
void gt_lang_warn(ode_work *work, int32_t at, const char *format, ...) GT_PRINTF(3, 4);

#endif

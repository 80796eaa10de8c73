/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The workspace of a method by what it is. Each part is a number of items c(n, e) for n states and
 * e entries in the Jacobian; three layouts tell how it grows: one, one with twice the states, one
 * with more entries for the same states.
 */
#include <geartrain/author/memory.h>
#include <geartrain/author/stepper.h>
#include <math.h>

enum { STATES = 4096, NARROW = 1, WIDE = 2, FEW = 16, MOST_PARTS = 256 };

typedef struct part {
    size_t count, size;
} part;

typedef struct part_list {
    part of[MOST_PARTS];
    size_t length, bytes;
} part_list;

static void note(void *watcher, size_t count, size_t item_size)
{
    part_list *list = watcher;
    if (list->length < MOST_PARTS) list->of[list->length] = (part){count, item_size};
    list->length++;
}

/* Nothing is evaluated when measuring. */
static gt_status f(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)x, (void)dx, (void)ctx;
    return GT_UNSUPPORTED;
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    (void)t, (void)x, (void)J, (void)ctx;
    return GT_UNSUPPORTED;
}

static gt_status taylor(double t, int order, double *c, void *ctx)
{
    (void)t, (void)order, (void)c, (void)ctx;
    return GT_UNSUPPORTED;
}

/* `width` entries on either side of the diagonal of a ring, too far apart for a narrow band. */
static gt_pattern ring(size_t n, size_t width, gt_arena *arena)
{
    enum { APART = 20 };
    int *colptr = gt_arena_take(arena, n + 1, sizeof *colptr);
    int *row = gt_arena_take(arena, n * (2 * width + 1), sizeof *row);
    gt_pattern pattern = {.storage = GT_CSC, .colptr = colptr, .rowindex = row};
    if (arena->failed) return pattern;
    for (size_t j = 0, e = 0; j < n; j++, colptr[j] = (int)e)
        for (size_t k = 0; k <= 2 * width; k++, e++) {
            int next = (int)((j + n + APART * k - APART * width) % n);
            size_t at = e;
            for (; (int)at > colptr[j] && row[at - 1] > next; at--) row[at] = row[at - 1];
            row[at] = next;
        }
    return pattern;
}

static gt_status list_parts(const gt_method *method, const char *options, size_t n, size_t n_fast,
                            size_t width, part_list *list, gt_message *message)
{
    gt_arena arena = gt_arena_growing(), measuring = {.watch = note, .watcher = list};
    gt_problem p = {.n_slow = n - n_fast,
                    .n_fast = n_fast,
                    .rhs = f,
                    .rhs_slow = f,
                    .rhs_fast = f,
                    .jac = jac,
                    .taylor = taylor,
                    .t1 = 1,
                    .jac_pattern = ring(n, width, &arena),
                    .x0 = gt_arena_doubles(&arena, n)};
    gt_method any = *method; /* for equations of any form: f is never called */
    any.fits = NULL;
    list->length = 0;
    gt_status status = GT_NO_MEMORY;
    if (!arena.failed)
        status = gt_stepper_measure_in(&any, options, &p, &measuring, &list->bytes, message);
    gt_arena_free(&arena);
    if (!status && list->length > MOST_PARTS)
        status = gt_fail(message, GT_UNSUPPORTED, "%s takes more than %d parts", method->name,
                         MOST_PARTS);
    return status;
}

static bool same_parts(const part_list *a, const part_list *b)
{
    bool same = a->length == b->length;
    for (size_t i = 0; i < a->length && same; i++) same = a->of[i].size == b->of[i].size;
    return same;
}

/* One part, as it is, with twice the states, and with more entries. */
static void add(gt_memory *m, part base, part doubled, part denser)
{
    double n = STATES, more_entries = 2 * (WIDE - NARROW) * n;
    double by_n = (double)(doubled.count - base.count),
           by_entries = (double)(denser.count - base.count);
    bool numbers = base.size == sizeof(double);
    if (by_entries > 0)
        *(numbers ? &m->matrices : &m->places) += by_entries / more_entries;
    else if (doubled.count > 3 * base.count)
        m->squares += by_n / (3 * n * n);
    else if (by_n > 0 && numbers)
        m->vectors += by_n / n;
    else if (by_n > 0)
        m->integers += by_n / n * (double)base.size / sizeof(int);
    else
        m->fixed += base.count * base.size;
}

gt_status gt_memory_account(const gt_method *method, const char *options, gt_memory *memory,
                            gt_message *message)
{
    GT_ARMOR(message, method && memory);
    part_list base, doubled, denser;
    *memory = (gt_memory){0};
    gt_status status = list_parts(method, options, STATES, STATES / 2, NARROW, &base, message);
    if (status == GT_UNSUPPORTED) {
        memory->few_fast = FEW;
        status = list_parts(method, options, STATES, FEW, NARROW, &base, message);
    }
    size_t few = memory->few_fast;
    if (!status)
        status =
            list_parts(method, options, 2 * STATES, few ? few : STATES, NARROW, &doubled, message);
    if (!status)
        status =
            list_parts(method, options, STATES, few ? few : STATES / 2, WIDE, &denser, message);
    if (status) return status;
    if (!same_parts(&base, &doubled) || !same_parts(&base, &denser))
        return gt_fail(message, GT_UNSUPPORTED, "%s takes other parts when a problem is larger",
                       method->name);
    for (size_t i = 0; i < base.length; i++) add(memory, base.of[i], doubled.of[i], denser.of[i]);
    double *counts[] = {&memory->vectors, &memory->matrices, &memory->places, &memory->integers};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        *counts[i] = round(100 * *counts[i]) / 100; /* corners */
    return GT_OK;
}

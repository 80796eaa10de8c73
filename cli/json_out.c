/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Objects are put together without a look at each call of jansson; a piece that there was no memory
 * for would be missing from what is printed without a word. So its allocator is looked at, which
 * has no other place to say so. */
static atomic_bool starved;

static void *take(size_t size)
{
    void *memory = malloc(size);
    if (!memory && size) atomic_store(&starved, true);
    return memory;
}

void gt_cli_json_begin(void) { json_set_alloc_funcs(take, free); }

bool gt_cli_json_whole(void) { return !atomic_load(&starved); }

json_t *gt_cli_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static bool printed; /* one object is all that a command prints */

bool gt_cli_json_printed(void) { return printed; }

int gt_cli_json_print(json_t *object)
{
    if (!gt_cli_json_whole()) {
        json_decref(object);
        return gt_cli_failed("out of memory for the JSON object");
    }
    printed = true;
    int refused = json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    putchar('\n');
    json_decref(object);
    int lost = gt_cli_flush();
    if (lost) return lost;
    return refused ? gt_cli_failed("the JSON object could not be printed") : CLI_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_FUZZ_KIT_H
#define GEARTRAIN_FUZZ_KIT_H

/* What the fuzz targets share. Each reads any bytes as one kind of input; nothing may crash, hang,
 * take unbounded memory or refuse without an error message. See scripts/fuzz. */
#include <geartrain/author/author.h>
#include <geartrain/geartrain.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes as text that ends where it ends: one byte more would be seen by the address sanitizer.
 */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) abort();
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* A refusal says why. */
static inline void fuzz_says_why(gt_status status, const gt_message *message)
{
    if (status != GT_OK && !message->text[0]) abort();
}

/* A file of the process with these bytes, the same one each time; `ending` as in ".json". For
 * readers of files. */
static inline const char *fuzz_file(const char *ending, const uint8_t *data, size_t size)
{
    static char path[64];
    snprintf(path, sizeof path, "./input%s",
             ending); /* no number of a process: an input is to do the same each time */
    FILE *file = fopen(path, "wb");
    if (!file || (size && fwrite(data, 1, size, file) != size) || fclose(file)) abort();
    return path;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that a run depends on, as checksums: a checkpoint is refused where one has changed since.
 */
#include "identity.h"
#include <stdlib.h>

uint64_t gt_cli_sum(const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint64_t sum = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t k = 0; k < bytes; k++) sum = (sum ^ at[k]) * UINT64_C(0x100000001b3);
    return sum;
}

bool gt_cli_file_sum(const char *path, uint64_t *sum)
{
    char *text;
    size_t length;
    if (gt_file_read(path, (size_t)1 << 30, &text, &length, NULL)) return false;
    *sum = gt_cli_sum(text, length);
    free(text);
    return true;
}

bool gt_cli_source_sum(const cli_source *source, uint64_t *sum)
{
    char *code = NULL;
    size_t length;
    if (!source || !source->path) return false;
    if (!source->ode) return gt_cli_file_sum(source->path, sum);
    const gt_ode *as_read = source->plain ? source->plain : source->ode;
    if (gt_ode_c_code(as_read, "geartrain_model", &code, &length, NULL)) return false;
    *sum = gt_cli_sum(code, length);
    free(code);
    return true;
}

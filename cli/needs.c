/* SPDX-License-Identifier: BSD-3-Clause */
#include "needs.h"
#include <string.h>

typedef struct flag_text {
    unsigned flag;
    const char *text;
} flag_text;

static void list_flags(unsigned flags, const flag_text *texts, size_t count, char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        if (!(flags & texts[i].flag)) continue;
        int printed = snprintf(buffer + used, size - used, "%s%s", used ? ", " : "", texts[i].text);
        used += (size_t)printed;
        if (used >= size) return;
    }
    if (!used) snprintf(buffer, size, "-");
}

void gt_cli_needs(const gt_facts *facts, char *buffer, size_t size)
{
    static const flag_text texts[] = {
        {GT_NEEDS_PARTITION, "partition"},
        {GT_NEEDS_TAYLOR, "Taylor recurrence"},
        {GT_USES_JACOBIAN, "Jacobian"},
    };
    list_flags(facts->flags, texts, sizeof texts / sizeof *texts, buffer, size);
}

void gt_cli_treats(const gt_facts *facts, char *buffer, size_t size)
{
    static const flag_text texts[] = {
        {GT_TREATS_ALGEBRAIC, "algebraic equations"},
        {GT_TREATS_MASS, "mass matrices"},
    };
    list_flags(facts->flags, texts, sizeof texts / sizeof *texts, buffer, size);
}

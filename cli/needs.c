/* SPDX-License-Identifier: BSD-3-Clause */
#include "needs.h"

typedef struct flag_text {
    unsigned flag;
    const char *text;
} flag_text;

static void list_flags(unsigned flags, const flag_text *texts, size_t count, char *buffer,
                       size_t size)
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
        {GT_TREATS_INDEX, "index 2 and 3"},
    };
    list_flags(facts->flags, texts, sizeof texts / sizeof *texts, buffer, size);
}

/* ", 3 matrices as sparse as J", nothing where there are none. */
static size_t add_count(double count, const char *what, char *buffer, size_t size)
{
    if (count < 0.005) return 0;
    int length = gt_format(buffer, size, ", %.3g %s", count, what);
    return length > 0 && (size_t)length < size ? (size_t)length : 0;
}

void gt_cli_memory(const gt_memory *m, char *buffer, size_t size)
{
    size_t used = (size_t)gt_format(buffer, size, "%.3g vectors", m->vectors);
    used += add_count(m->matrices, "matrices as sparse as J", buffer + used, size - used);
    used += add_count(m->places, "sets of indices for them", buffer + used, size - used);
    add_count(m->squares, "dense matrix of n x n", buffer + used, size - used);
}

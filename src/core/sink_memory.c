/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples in memory. */
#include <geartrain/sink.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static gt_status grow(gt_memory_sink *m)
{
    size_t capacity = m->capacity ? 2 * m->capacity : 256;
    if (capacity > SIZE_MAX / sizeof(double) / (m->n ? m->n : 1)) return GT_NO_MEMORY;
    double *t = realloc(m->t, capacity * sizeof *t);
    if (t) m->t = t;
    double *x = t ? realloc(m->x, capacity * (m->n ? m->n : 1) * sizeof *x) : NULL;
    if (!x) return GT_NO_MEMORY;
    m->x = x;
    m->capacity = capacity;
    return GT_OK;
}

static gt_status write_sample(gt_sink *self, const gt_sample *sample, gt_message *message)
{
    gt_memory_sink *m = self->ctx;
    m->n = sample->n;
    if (m->count == m->capacity && grow(m))
        return gt_fail(message, GT_NO_MEMORY,
                       "out of memory for more than %zu samples of %zu states", m->count, m->n);
    m->t[m->count] = sample->t;
    memcpy(m->x + m->count * m->n, sample->x, m->n * sizeof *sample->x);
    m->count++;
    return GT_OK;
}

void gt_memory_sink_init(gt_memory_sink *m, unsigned wants)
{
    if (!m) return;
    *m = (gt_memory_sink){.sink = {.wants = wants, .write = write_sample}};
    m->sink.ctx = m;
}

void gt_memory_sink_free(gt_memory_sink *m)
{
    if (!m) return;
    free(m->t);
    free(m->x);
    m->t = m->x = NULL;
    m->count = m->capacity = 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "design/from_numbers.h"
#include "kit/multistep_formulas.h"
#include <string.h>

gt_status gt_method_from_multistep(const gt_method_label *label, const gt_multistep *formula,
                                   gt_arena *arena, const gt_method **method, gt_message *message)
{
    GT_ARMOR(message, label && formula && arena && method);
    gt_multistep *own = gt_arena_take(arena, 1, sizeof *own);
    gt_method *m = gt_method_labelled(label, "a linear multistep formula", arena);
    if (!own || !m)
        return gt_fail(message, GT_NO_MEMORY, "out of memory for the method %s", label->name);
    *own = *formula;
    own->steps = 1;
    for (int i = 0; i < GT_MAX_PAST; i++)
        if (own->a[i].num || own->b[i + 1].num) own->steps = i + 1;
    gt_status status = gt_multistep_complete(own, message);
    if (status) return status;
    if (own->order > GT_MULTISTEP_MAX_ORDER)
        return gt_fail(message, GT_UNSUPPORTED, "order %d is above %d, the highest that can be run",
                       own->order, GT_MULTISTEP_MAX_ORDER);
    if (label->order > own->order)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "%s is said to have order %d, but is exact up to t^%d only", label->name,
                       label->order, own->order);
    gt_multistep_describe(own, m);
    *method = m;
    return GT_OK;
}

static const char *copied(const char *text, gt_arena *arena)
{
    size_t room = strlen(text) + 1;
    char *copy = gt_arena_take(arena, room, 1);
    return copy ? memcpy(copy, text, room) : NULL;
}

gt_method *gt_method_labelled(const gt_method_label *label, const char *title, gt_arena *arena)
{
    gt_method *m = gt_arena_take(arena, 1, sizeof *m);
    if (!m) return NULL;
    m->name = copied(label->name, arena);
    m->title = copied(label->title ? label->title : title, arena);
    m->reference = copied(label->reference ? label->reference : "-", arena);
    return m->name && m->title && m->reference ? m : NULL;
}

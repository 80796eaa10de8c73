/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of methods: one line in methods.h each. Everything else is derived from the descriptors.
 */
#include "base/sized.h"
#include <geartrain/methods.h>
#include <string.h>

static const gt_method *const methods[] = {
#define ENTRY(id) &gt_method_##id,
    GT_METHOD_IDS(ENTRY)
#undef ENTRY
        NULL,
};

const gt_method *const *gt_method_list(void) { return methods; }

const gt_method *gt_method_find(const char *name)
{
    for (const gt_method *const *m = gt_method_list(); name && *m; m++) {
        if (strcmp((*m)->name, name) == 0) return *m;
    }
    return NULL;
}

const gt_method *gt_method_for(unsigned role)
{
    for (const gt_method *const *m = methods; *m; m++)
        if ((*m)->roles & role) return *m;
    return NULL;
}

void gt_method_suggest_sized(const gt_problem *p, size_t p_size, gt_message *message)
{
    GT_WIDEN_QUIETLY(gt_problem, p);
    enum { MOST_NAMES = 6 };
    if (!p || !message) return;
    unsigned wanted = (p->n_alg ? GT_TREATS_ALGEBRAIC : 0u) | (p->mass ? GT_TREATS_MASS : 0u) |
                      (gt_problem_index(p) > 1 ? GT_TREATS_INDEX : 0u);
    /* Those that need no small steps where something is stiff. */
    wanted |= wanted ? GT_USES_JACOBIAN : 0u;
    int named = 0;
    /* First those that are the ones to take for something. */
    for (int chosen = 1; chosen >= 0; chosen--)
        for (const gt_method *const *m = methods; wanted && *m && named < MOST_NAMES; m++) {
            gt_values v = gt_params_default((*m)->options);
            if (((*m)->roles != 0) != chosen) continue;
            if ((gt_method_facts(*m, v.v).flags & wanted) != wanted) continue;
            gt_say_more(message, "%s %s", named ? "" : "; these can:", (*m)->name);
            named++;
        }
}

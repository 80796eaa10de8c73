/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of methods: one line in methods.h each. Everything else is derived from the descriptors. */
#include "methods/methods.h"

static const gt_method *const methods[] = {
#define ENTRY(id) &gt_method_##id,
    GT_METHOD_IDS(ENTRY)
#undef ENTRY
        NULL,
};

const gt_method *const *gt_method_list(void) { return methods; }

/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_LANG_LOWER_H
#define GEARTRAIN_LANG_LOWER_H

#include "lang/graph/graph.h"

/* What the parts of the translation from syntax to the graph share. */

/* c0 + c1 J + ci I and its extremes over the place. */
typedef struct ode_affine {
    int64_t c0, c1, ci, lo, hi;
} ode_affine;

/* Counts a step of the translation; too many end it. */
void gt_lang_spend(gt_ode *o, int32_t at);

/* lower_names.c */
ode_affine gt_lang_affine(const ode_place *p, int64_t c0, int64_t c1, int64_t ci);
/* The index k + m j of a reference, and its value as a node. */
ode_affine gt_lang_index_at(gt_ode *o, const ode_place *p, int64_t k, int64_t m, int32_t at);
int32_t gt_lang_index_node(gt_ode *o, const ode_affine *a);
/* What to cut so that the index takes fewer values. */
int32_t gt_lang_cut(const ode_affine *a);
const char *gt_lang_name_of(gt_ode *o, const ode_definition *d, int64_t element);
/* The definition of a plain name, or that covers an index (-1 with *answer = CUT_* when there is not one for all). */
int32_t gt_lang_find_plain(gt_ode *o, int32_t symbol, ode_affine *a, int32_t at);
int32_t gt_lang_find_covering(gt_ode *o, int32_t base, ode_affine *a, int32_t at, int32_t *answer);
int32_t gt_lang_value_of(gt_ode *o, int32_t definition, const ode_affine *a, const ode_place *place, int32_t at);
int32_t gt_lang_name_value(gt_ode *o, const ode_syntax *x, const ode_place *place);

/* lower_shift.c: shift(name, k) */
int32_t gt_lang_shifted(gt_ode *o, const ode_syntax *x, const ode_place *place);

#endif

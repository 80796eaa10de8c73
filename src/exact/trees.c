/* SPDX-License-Identifier: BSD-3-Clause */
#include "exact/trees.h"
#include <assert.h>

/* Completes `tree`, which still has `left` vertices to give, with the first `known` trees numbered
 * at least `from`. */
static void grow(gt_forest *f, gt_tree tree, int left, int from, int known)
{
    if (left == 0) {
        f->list[f->count++] = tree;
        return;
    }
    for (int i = from; i < known; i++) {
        if (f->list[i].order > left) continue;
        gt_tree longer = tree;
        longer.child[longer.children++] = i;
        grow(f, longer, left - f->list[i].order, i, known);
    }
}

static void plant(gt_forest *forest, int colours, int leaf_colours, int max_order)
{
    forest->count = 0;
    for (int order = 1; order <= max_order; order++) {
        int known = forest->count; /* trees of lower order */
        for (int colour = 0; colour < (order == 1 ? leaf_colours : colours); colour++)
            grow(forest, (gt_tree){.order = order, .colour = colour}, order - 1, 0, known);
    }
}

void gt_forest_plant(gt_forest *forest, int colours, int max_order)
{
    plant(forest, colours, colours, max_order);
}

void gt_forest_plant_same_leaves(gt_forest *forest, int max_order)
{
    plant(forest, 2, 1, max_order);
}

long long gt_tree_density(const gt_forest *forest, int tree)
{
    assert(forest);
    assert(tree >= 0);
    const gt_tree *t = &forest->list[tree];
    long long gamma = t->order;
    for (int k = 0; k < t->children; k++) gamma *= gt_tree_density(forest, t->child[k]);
    return gamma;
}

static char *print(const gt_forest *forest, int tree, const char *letters, char *text)
{
    const gt_tree *t = &forest->list[tree];
    *text++ = letters[t->colour];
    for (int k = 0; k < t->children; k++) {
        *text++ = k ? ',' : '[';
        text = print(forest, t->child[k], letters, text);
    }
    if (t->children) *text++ = ']';
    return text;
}

void gt_tree_print(const gt_forest *forest, int tree, const char *letters, char text[GT_TREE_TEXT])
{
    *print(forest, tree, letters, text) = '\0';
}

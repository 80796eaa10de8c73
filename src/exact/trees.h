/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_EXACT_TREES_H
#define GEARTRAIN_EXACT_TREES_H

/* Rooted trees with vertices of one or two colours, each once, in ascending order. */
#include <geartrain/analysis/order.h>

/* A tree is the colour of its root and the subtrees there, by their numbers in the list, in
 * ascending order. */
typedef struct gt_tree {
    int order, colour, children, child[GT_TREE_ORDER - 1];
} gt_tree;

typedef struct gt_forest {
    int count;
    gt_tree list[GT_MAX_CONDITIONS];
} gt_forest;

/* All trees of up to max_order vertices; with two colours max_order is at most
 * GT_TREE_ORDER_PARTITIONED. */
void gt_forest_plant(gt_forest *forest, int colours, int max_order);

/* Trees of two colours whose leaves are all of the first, for pairs with equal nodes; max_order is
 * at most 5. */
void gt_forest_plant_same_leaves(gt_forest *forest, int max_order);

/* gamma: the product of the orders of all subtrees. */
long long gt_tree_density(const gt_forest *forest, int tree);

/* "t[t,t[t]]", with letters[colour] for a vertex. */
void gt_tree_print(const gt_forest *forest, int tree, const char *letters, char text[GT_TREE_TEXT]);

#endif

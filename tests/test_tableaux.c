/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Order conditions of every listed tableau, over all rooted trees: b . Phi(tree) = 1 / gamma(tree) holds for all trees
 * up to the stated order and fails for one of the next; the same for the comparison weights.
 */
#include "methods_kit.h"

enum { MAX_ORDER = 7, MAX_TREES = 128 };

/* A tree is its root's subtrees, given by their numbers in the list; kept sorted so that each tree comes once. */
typedef struct tree {
    int order, children, child[MAX_ORDER];
} tree;

typedef struct forest {
    tree list[MAX_TREES];
    int count;
} forest;

/* Completes `t`, which still has `left` vertices to give, with subtrees numbered at least `from`. */
static void grow(forest *f, tree t, int left, int from)
{
    if (left == 0) {
        assert_true(f->count < MAX_TREES);
        f->list[f->count++] = t;
        return;
    }
    int known = f->count;
    for (int i = from; i < known; i++) {
        if (f->list[i].order > left) continue;
        tree longer = t;
        longer.child[longer.children++] = i;
        grow(f, longer, left - f->list[i].order, i);
    }
}

static void plant(forest *f)
{
    f->count = 0;
    for (int order = 1; order <= MAX_ORDER; order++) grow(f, (tree){.order = order}, order - 1, 0);
}

static double density(const forest *f, int i)
{
    double gamma = f->list[i].order;
    for (int k = 0; k < f->list[i].children; k++) gamma *= density(f, f->list[i].child[k]);
    return gamma;
}

/* phi[s] = product over subtrees of sum_j a_sj phi_subtree[j]. */
static void weights(const forest *f, int i, const gt_tableau *T, double *phi)
{
    for (int s = 0; s < T->stages; s++) phi[s] = 1;
    for (int k = 0; k < f->list[i].children; k++) {
        double below[GT_MAX_STAGES];
        weights(f, f->list[i].child[k], T, below);
        for (int s = 0; s < T->stages; s++) {
            double sum = 0;
            for (int j = 0; j < T->stages; j++) sum += gt_ratio_value(T->a[s][j]) * below[j];
            phi[s] *= sum;
        }
    }
}

/* The highest order to which all conditions hold. */
static int order_of(const forest *f, const gt_tableau *T, const gt_ratio *b)
{
    int order = MAX_ORDER;
    for (int i = 0; i < f->count; i++) {
        double phi[GT_MAX_STAGES], sum = 0;
        weights(f, i, T, phi);
        for (int s = 0; s < T->stages; s++) sum += gt_ratio_value(b[s]) * phi[s];
        if (fabs(sum - 1 / density(f, i)) > 1e-13 && f->list[i].order <= order) order = f->list[i].order - 1;
    }
    return order;
}

static void trees_are_all_there(void **state)
{
    (void)state;
    static forest f;
    const int expected[MAX_ORDER] = {1, 1, 2, 4, 9, 20, 48};
    plant(&f);
    for (int order = 1; order <= MAX_ORDER; order++) {
        int count = 0;
        for (int i = 0; i < f.count; i++) count += f.list[i].order == order;
        assert_int_equal(count, expected[order - 1]);
    }
}

static void order_conditions_hold_to_the_stated_order(void **state)
{
    (void)state;
    static forest f;
    int tableaux = 0;
    plant(&f);
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        const gt_tableau *T = (*m)->tableau;
        if (!T) continue;
        gt_values v = gt_params_default((*m)->options);
        gt_facts facts = gt_method_facts(*m, v.v);
        assert_int_equal(order_of(&f, T, T->b), facts.order);
        if (facts.error_order) assert_int_equal(order_of(&f, T, T->b_hat), facts.error_order);
        tableaux++;
    }
    assert_true(tableaux >= 6);
}

static void rows_sum_to_the_nodes(void **state)
{
    (void)state;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        const gt_tableau *T = (*m)->tableau;
        for (int i = 0; T && i < T->stages; i++) {
            double sum = 0;
            for (int j = 0; j < T->stages; j++) sum += gt_ratio_value(T->a[i][j]);
            assert_true(fabs(sum - gt_ratio_value(T->c[i])) < 1e-14);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_are_all_there),
        cmocka_unit_test(order_conditions_hold_to_the_stated_order),
        cmocka_unit_test(rows_sum_to_the_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Order conditions of every listed tableau, in exact fractions over all rooted trees: they hold up
 * to the stated order and fail for one tree of the next; the same for the comparison weights.
 */
#include "methods_kit.h"

static void check_order(const char *name, const gt_tableau *T, const gt_ratio *b, int stated)
{
    static gt_conditions found;
    gt_conditions_of_tableau(T, b, stated + 1, &found);
    for (int i = 0; i < found.count; i++) {
        if (!found.list[i].exact)
            fail_msg("%s: the condition of %s is not exact", name, found.list[i].tree);
    }
    if (found.order != stated)
        fail_msg("%s: stated order %d, the conditions say %d", name, stated, found.order);
}

static void order_conditions_hold_to_the_stated_order(void **state)
{
    (void)state;
    int tableaux = 0;
    for (const gt_method *const *m = gt_method_list(); *m; m++) {
        const gt_tableau *T = (*m)->tableau;
        if (!T) continue;
        gt_values v = gt_params_default((*m)->options);
        gt_facts facts = gt_method_facts(*m, v.v);
        check_order((*m)->name, T, T->b, facts.order);
        if (facts.error_order) check_order((*m)->name, T, T->b_hat, facts.error_order);
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
        cmocka_unit_test(order_conditions_hold_to_the_stated_order),
        cmocka_unit_test(rows_sum_to_the_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

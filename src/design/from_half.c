/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Backinterpolation methods from a half given at run time: bi77h with another explicit tableau in
 * both halves. The order is that of the half, and one more at alpha = 1/2 when that is odd.
 */
#include "design/from_numbers.h"
#include "kit/half_step.h"
#include <geartrain/analysis/order.h>
#include <geartrain/methods.h>

static void fill_nodes(gt_tableau *T)
{
    for (int i = 0; i < T->stages; i++) {
        double sum = 0;
        if (T->c[i].den) continue;
        for (int j = 0; j < i; j++) sum += gt_ratio_value(T->a[i][j]);
        T->c[i] = gt_ratio_near(sum);
    }
}

static gt_status check(const char *name, const gt_tableau *T, gt_message *message)
{
    if (T->stages < 1 || T->stages > GT_HALF_STAGES)
        return gt_fail(message, GT_BAD_ARGUMENT, "a half has 1 to %d stages, and that of %s has %d",
                       GT_HALF_STAGES, name, T->stages);
    for (int i = 0; i < T->stages; i++)
        for (int j = i; j < T->stages; j++)
            if (T->a[i][j].num)
                return gt_fail(
                    message, GT_BAD_ARGUMENT,
                    "a half is explicit: a_%d,%d of %s must be 0, as all on and above the diagonal",
                    i + 1, j + 1, name);
    for (int j = 0; j <= T->stages; j++)
        if (T->b_hat[j].num) return GT_OK;
    return gt_fail(message, GT_BAD_ARGUMENT,
                   "%s needs bhat, the weights that its error is estimated with", name);
}

static gt_status find_orders(const gt_method_label *label, gt_half_row *row, gt_message *message)
{
    gt_conditions found;
    gt_tableau longer = row->tableau;
    int last = longer.stages++; /* the slope at the end is one more stage */
    gt_conditions_of_tableau(&row->tableau, row->tableau.b, GT_TREE_ORDER, &found);
    row->order = found.order;
    if (row->order < 1)
        return gt_fail(message, GT_BAD_ARGUMENT, "the weights b of %s add up to %.15g, not to 1",
                       label->name, found.list[0].residual + 1);
    for (int j = 0; j < last; j++) longer.a[last][j] = longer.b[j];
    longer.c[last] = (gt_ratio){1, 1};
    gt_conditions_of_tableau(&longer, longer.b_hat, GT_TREE_ORDER, &found);
    if (found.order < 1)
        return gt_fail(message, GT_BAD_ARGUMENT, "the weights bhat of %s add up to %.15g, not to 1",
                       label->name, found.list[0].residual + 1);
    row->error_power = (found.order < row->order ? found.order : row->order) + 1;
    int most = row->order + row->order % 2; /* at alpha = 1/2 */
    if (label->order > most)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "%s is said to have order %d, but a half of order %d gives %d", label->name,
                       label->order, row->order, most);
    return GT_OK;
}

gt_status gt_method_from_half(const gt_method_label *label, const gt_tableau *half, gt_arena *arena,
                              const gt_method **method, gt_message *message)
{
    GT_ARMOR(message, label && half && arena && method);
    gt_half_row *row = gt_arena_take(arena, 1, sizeof *row);
    gt_two_halves *both = gt_arena_take(arena, 1, sizeof *both);
    gt_method *m = gt_method_labelled(label, "a backinterpolation method", arena);
    if (!row || !both || !m)
        return gt_fail(message, GT_NO_MEMORY, "out of memory for the method %s", label->name);
    row->tableau = *half;
    gt_status status = check(label->name, half, message);
    if (status) return status;
    fill_nodes(&row->tableau);
    if ((status = find_orders(label, row, message))) return status;
    *both = (gt_two_halves){row, row};
    const char *name = m->name, *title = m->title, *reference = m->reference;
    *m = gt_method_bi77h;
    m->name = name, m->title = title, m->reference = reference;
    m->data = both;
    *method = m;
    return GT_OK;
}

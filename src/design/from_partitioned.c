/* SPDX-License-Identifier: BSD-3-Clause */
/* Partitioned Runge-Kutta methods from two tableaux given at run time, for the engine in
 * partitioned_rk.c. */
#include "design/from_numbers.h"
#include "kit/partitioned_rk.h"
#include <math.h>

typedef struct pair_row {
    gt_partitioned pair;
    int order, error_order;
} pair_row;

static void partitioned_of(const gt_method *self, const double *v, gt_partitioned *P)
{
    (void)v;
    *P = ((const pair_row *)self->data)->pair;
}

static gt_facts facts(const gt_method *self, const double *v)
{
    const pair_row *row = self->data;
    return gt_prk_facts(self, v, row->order, row->error_order);
}

static gt_status check_tableau(const char *name, const char *block, const gt_tableau *T,
                               gt_message *message)
{
    for (int i = 0; i < T->stages; i++) {
        double sum = 0, size = 1;
        for (int j = 0; j < T->stages; j++) {
            if (j >= i && T->a[i][j].num)
                return gt_fail(message, GT_UNSUPPORTED,
                               "%s: the %s tableau couples stage %d to stage %d; only explicit "
                               "pairs can be run",
                               name, block, i + 1, j + 1);
            sum += gt_ratio_value(T->a[i][j]);
            size += fabs(gt_ratio_value(T->a[i][j]));
        }
        if (fabs(sum - gt_ratio_value(T->c[i])) > 1e-13 * size)
            return gt_fail(message, GT_BAD_ARGUMENT,
                           "%s: row %d of the %s A adds up to %.15g, but c is %.15g there", name,
                           i + 1, block, sum, gt_ratio_value(T->c[i]));
    }
    return GT_OK;
}

static gt_status find_order(const gt_method_label *label, pair_row *row, gt_message *message)
{
    gt_conditions found;
    gt_partitioned comparison;
    gt_conditions_of_partitioned(&row->pair.slow, &row->pair.fast, GT_TREE_ORDER_PARTITIONED,
                                 &found);
    row->order = found.order > 1 ? found.order : 1; /* printed numbers may be a little off */
    for (int i = 0; i < 2; i++)
        if (fabs(found.list[i].residual) > 1e-6)
            return gt_fail(message, GT_BAD_ARGUMENT,
                           "%s: the %s weights b add up to %.15g, not to 1", label->name,
                           found.list[i].tree[0] == 's' ? "slow" : "fast",
                           found.list[i].residual + 1);
    if (label->order > row->order)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "%s is said to have order %d, but the order conditions hold up to %d",
                       label->name, label->order, row->order);
    gt_partitioned_comparison(&row->pair, &comparison);
    gt_conditions_of_partitioned(&comparison.slow, &comparison.fast, GT_TREE_ORDER_PARTITIONED,
                                 &found);
    row->error_order = found.order < row->order ? found.order : row->order;
    return GT_OK;
}

gt_status gt_method_from_partitioned(const gt_method_label *label, const gt_partitioned *pair,
                                     gt_arena *arena, const gt_method **method, gt_message *message)
{
    GT_ARMOR(message, label && pair && arena && method);
    pair_row *row = gt_arena_take(arena, 1, sizeof *row);
    gt_method *m = gt_method_labelled(label, "a partitioned Runge-Kutta method", arena);
    if (!row || !m)
        return gt_fail(message, GT_NO_MEMORY, "out of memory for the method %s", label->name);
    if (pair->slow.stages != pair->fast.stages)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "%s has %d slow and %d fast rows; both tableaux have all the stages",
                       label->name, pair->slow.stages, pair->fast.stages);
    if (pair->slow.stages < 1 || pair->slow.stages > GT_MAX_STAGES)
        return gt_fail(message, GT_BAD_ARGUMENT, "%s must have 1 to %d stages, not %d", label->name,
                       GT_MAX_STAGES, pair->slow.stages);
    row->pair = *pair;
    gt_prk_fill_nodes(&row->pair);
    for (int i = 0; i < pair->slow.stages; i++) {
        if (pair->slow.c[i].den) row->pair.slow.c[i] = pair->slow.c[i];
        if (pair->fast.c[i].den) row->pair.fast.c[i] = pair->fast.c[i];
    }
    gt_status status = check_tableau(label->name, "slow", &row->pair.slow, message);
    if (!status) status = check_tableau(label->name, "fast", &row->pair.fast, message);
    if (!status) status = find_order(label, row, message);
    if (status) return status;
    m->family = "dual-rate Runge-Kutta";
    m->facts = facts;
    m->partitioned_of = partitioned_of;
    m->data = row;
    m->state_size = sizeof(gt_prk);
    m->layout = gt_prk_layout;
    m->prepare = gt_prk_prepare;
    m->step = gt_prk_step;
    m->run_fixed = gt_prk_run_fixed;
    m->interpolate = gt_prk_interpolate;
    *method = m;
    return GT_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With equal nodes and weights the trees fall together: the colour of a root and of a leaf makes no
 * difference, that of the vertices between them does. Of order 1, 2, 3, 4, 5 there are then 1, 1,
 * 3, 9, 30 conditions instead of 2, 4, 14, 52, 214.
 */
#include "design/dualrate.h"
#include <math.h>
#include <string.h>

void gt_dualrate_set_up(const gt_dualrate_task *task, const int *slow_stage, const double *beta,
                        gt_dualrate_system *w)
{
    int s = task->fast;
    *w = (gt_dualrate_system){.stages = s, .order = task->order, .n_slow = task->slow};
    memcpy(w->slow_stage, slow_stage, (size_t)task->slow * sizeof *slow_stage);
    for (int k = 0; k <= s; k++) w->beta[k] = beta[k];
    w->beta[0] = 1; /* the powers up to the order to more digits than a double has */
    for (int k = 1; k <= task->order; k++) w->beta[k] = w->beta[k - 1] / k;
    w->unknowns = s * (s - 1) / 2 + w->n_slow;
    for (int i = 1; i < w->n_slow; i++) w->unknowns += s - 1 - w->slow_stage[i];
    gt_forest_plant_same_leaves(&w->forest, task->order + 1);
    for (int i = 0; i < w->forest.count; i++) {
        w->gamma[i] = gt_tree_density(&w->forest, i);
        w->is_condition[i] = w->forest.list[i].colour == 0;
    }
    static const int conditions[] = {0, 1, 2, 5, 14};
    w->equations = conditions[task->order] + s - task->order;
}

void gt_dualrate_unpack(const gt_dualrate_system *w, const long double *x, gt_dualrate_pair *pair)
{
    *pair = (gt_dualrate_pair){.b = {0}};
    for (int i = 1; i < w->stages; i++)
        for (int j = 0; j < i; j++) pair->c[i] += pair->fast[i][j] = *x++;
    for (int k = 1; k < w->n_slow; k++)
        for (int i = w->slow_stage[k] + 1; i < w->stages; i++)
            pair->slow[i][w->slow_stage[k]] = *x++;
    for (int k = 0; k < w->n_slow; k++) pair->b[w->slow_stage[k]] = *x++;
    for (int i = 1; i < w->stages; i++) {
        pair->slow[i][0] = pair->c[i];
        for (int j = 1; j < i; j++) pair->slow[i][0] -= pair->slow[i][j];
    }
}

/* b Phi - 1/gamma for all conditions whose trees have `from` to `to` vertices. */
static int tree_residuals(const gt_dualrate_system *w, const gt_dualrate_pair *pair, int from,
                          int to, long double *out)
{
    long double inner[GT_MAX_CONDITIONS][GT_MAX_STAGES];
    int count = 0, s = w->stages;
    for (int t = 0; t < w->forest.count && w->forest.list[t].order <= to; t++) {
        const gt_tree *tree = &w->forest.list[t];
        const long double(*a)[GT_MAX_STAGES] = tree->colour ? pair->slow : pair->fast;
        long double phi[GT_MAX_STAGES], sum = 0;
        for (int i = 0; i < s; i++) {
            phi[i] = 1;
            for (int k = 0; k < tree->children; k++) phi[i] *= inner[tree->child[k]][i];
            sum += pair->b[i] * phi[i];
        }
        if (tree->order >= from && w->is_condition[t])
            out[count++] = sum - 1.0L / (long double)w->gamma[t];
        if (tree->order == to) continue; /* nobody's branch */
        for (int i = 0; i < s; i++) {
            inner[t][i] = tree->order == 1 ? pair->c[i] : 0;
            for (int j = 0; j < i && tree->order > 1; j++) inner[t][i] += a[i][j] * phi[j];
        }
    }
    return count;
}

int gt_dualrate_equations(const gt_dualrate_system *w, const gt_dualrate_pair *pair,
                          long double *out)
{
    int count = tree_residuals(w, pair, 1, w->order, out);
    long double row[GT_MAX_STAGES], next[GT_MAX_STAGES];
    memcpy(row, pair->b, sizeof row);
    for (int k = 1; k <= w->stages; k++) { /* row = b A^(k-1) */
        long double sum = 0;
        for (int i = 0; i < w->stages; i++) sum += row[i];
        if (k > w->order) out[count++] = (sum / w->beta[k] - 1) * 0.1L;
        for (int j = 0; j < w->stages; j++) {
            next[j] = 0;
            for (int i = j + 1; i < w->stages; i++) next[j] += row[i] * pair->fast[i][j];
        }
        memcpy(row, next, sizeof row);
    }
    return count;
}

int gt_dualrate_errors(const gt_dualrate_system *w, const gt_dualrate_pair *pair, long double *out)
{
    return tree_residuals(w, pair, w->order + 1, w->order + 1, out);
}

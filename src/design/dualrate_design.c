/* SPDX-License-Identifier: BSD-3-Clause */
/* One start of the search for a dual-rate pair: equations, solution, comparison weights, figures of
 * merit. */
#include "design/dualrate.h"
#include <math.h>
#include <string.h>

gt_status gt_dualrate_check(const gt_dualrate_task *task, gt_message *message)
{
    GT_ARMOR(message, task);
    if (task->order < 2 || task->order > 4)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "dual-rate pairs of order 2, 3 and 4 can be searched for, not of order %d",
                       task->order);
    if (task->slow < task->order)
        return gt_fail(message, GT_BAD_ARGUMENT, "order %d takes at least %d slow stages, not %d",
                       task->order, task->order, task->slow);
    if (task->fast <= task->slow || task->fast > GT_MAX_STAGES)
        return gt_fail(message, GT_BAD_ARGUMENT,
                       "with %d slow stages there must be %d to %d fast ones, not %d", task->slow,
                       task->slow + 1, GT_MAX_STAGES, task->fast);
    if (task->axis == GT_ELLIPSE)
        return gt_fail(message, GT_UNSUPPORTED,
                       "pairs are searched for with the imaginary or the real axis");
    for (int i = 0; i < task->slow && task->slow_stage[0]; i++) {
        if (task->slow_stage[i] > task->fast ||
            task->slow_stage[i] <= (i ? task->slow_stage[i - 1] : 0))
            return gt_fail(message, GT_BAD_ARGUMENT,
                           "the slow stages must ascend from 1 to at most %d", task->fast);
        if (task->slow_stage[0] != 1)
            return gt_fail(message, GT_BAD_ARGUMENT, "the first slow stage must be stage 1");
    }
    return GT_OK;
}

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (x ^ x >> 31) | 1;
}

/* Stage 1 and others by lot, unless they are given. */
static void choose_slow_stages(const gt_dualrate_task *task, uint64_t lot, int *stage)
{
    if (task->slow_stage[0]) {
        for (int i = 0; i < task->slow; i++) stage[i] = task->slow_stage[i] - 1;
        return;
    }
    int chosen = 1, left = task->fast - 1;
    stage[0] = 0;
    for (int j = 1; j < task->fast; j++, left--) {
        lot = mix(lot);
        if ((int)(lot % (uint64_t)left) < task->slow - chosen) stage[chosen++] = j;
    }
}

/* b^ = b + t (e_i - ..): along a direction that leaves sum b and sum b c as they are, so that sum
 * b^ c^2 is off by 1/18. */
static void compare(const gt_dualrate_system *w, const gt_dualrate_pair *pair, long double *b_hat)
{
    long double direction[GT_MAX_STAGES] = {0}, gain = 0;
    const int *S = w->slow_stage;
    memcpy(b_hat, pair->b, sizeof pair->b);
    if (w->order == 2) { /* forward Euler */
        memset(b_hat, 0, sizeof pair->b);
        b_hat[0] = 1;
        return;
    }
    /* Of all slow stages the three whose nodes are farthest apart. */
    int low = 0, high = 0, middle = 0;
    for (int k = 0; k < w->n_slow; k++) {
        if (pair->c[S[k]] < pair->c[S[low]]) low = k;
        if (pair->c[S[k]] > pair->c[S[high]]) high = k;
    }
    long double best = -1;
    for (int k = 0; k < w->n_slow; k++) {
        long double apart =
            fminl(pair->c[S[k]] - pair->c[S[low]], pair->c[S[high]] - pair->c[S[k]]);
        if (k != low && k != high && apart > best) best = apart, middle = k;
    }
    long double c0 = pair->c[S[low]], c1 = pair->c[S[middle]], c2 = pair->c[S[high]];
    direction[S[low]] = (c2 - c1), direction[S[middle]] = -(c2 - c0),
    direction[S[high]] = (c1 - c0);
    for (int i = 0; i < w->stages; i++) gain += direction[i] * pair->c[i] * pair->c[i];
    for (int i = 0; i < w->stages && gain != 0; i++) b_hat[i] += direction[i] / gain / 18;
}

static void fill_tableau(const gt_dualrate_system *w, const gt_dualrate_pair *pair, bool slow,
                         const long double *b_hat, gt_tableau *T)
{
    T->stages = w->stages;
    for (int i = 0; i < w->stages; i++) {
        double sum = 0;
        for (int j = 0; j < i; j++) {
            double a = (double)(slow ? pair->slow[i][j] : pair->fast[i][j]);
            T->a[i][j] = gt_ratio_near(a);
            sum += a;
        }
        T->c[i] = gt_ratio_near(sum);
        T->b[i] = gt_ratio_near((double)pair->b[i]);
        T->b_hat[i] = gt_ratio_near((double)b_hat[i]);
    }
}

/* Of the rounded numbers, over all trees with slow and fast vertices, nodes and polynomial. */
static double largest_residual(const gt_partitioned *P, const double *beta, int order)
{
    gt_conditions found;
    double largest = 0, row[GT_MAX_STAGES];
    int s = P->slow.stages;
    gt_conditions_of_partitioned(&P->slow, &P->fast, order, &found);
    for (int i = 0; i < found.count; i++) largest = fmax(largest, fabs(found.list[i].residual));
    for (int i = 0; i < s; i++) {
        largest = fmax(largest, fabs(gt_ratio_value(P->slow.c[i]) - gt_ratio_value(P->fast.c[i])));
        row[i] = gt_ratio_value(P->fast.b[i]);
    }
    for (int k = 1; k <= s; k++) {
        double sum = -beta[k], next[GT_MAX_STAGES] = {0};
        for (int i = 0; i < s; i++) {
            sum += row[i];
            for (int j = 0; j < i; j++) next[j] += row[i] * gt_ratio_value(P->fast.a[i][j]);
        }
        memcpy(row, next, sizeof row);
        largest = fmax(largest, fabs(sum));
    }
    return largest;
}

bool gt_dualrate_search(const gt_dualrate_task *task, const gt_polynomial_design *polynomial,
                        int start, gt_dualrate_design *out)
{
    if (!task || !polynomial || !out) return false;
    gt_dualrate_system system;
    gt_dualrate_pair pair;
    int slow_stage[GT_MAX_STAGES];
    long double x[GT_DUALRATE_UNKNOWNS], b_hat[GT_MAX_STAGES], errors[GT_MAX_CONDITIONS];
    uint64_t lot = mix(mix(task->seed) + (uint64_t)start);
    *out = (gt_dualrate_design){.limit = polynomial->limit};
    choose_slow_stages(task, lot, slow_stage);
    gt_dualrate_set_up(task, slow_stage, polynomial->beta, &system);
    if (!gt_dualrate_solve(&system, lot, x)) return false;
    gt_dualrate_unpack(&system, x, &pair);
    compare(&system, &pair, b_hat);
    fill_tableau(&system, &pair, true, b_hat, &out->pair.slow);
    fill_tableau(&system, &pair, false, b_hat, &out->pair.fast);
    memcpy(out->beta, polynomial->beta, sizeof out->beta);
    out->residual = largest_residual(&out->pair, out->beta, task->order);
    int count = gt_dualrate_errors(&system, &pair, errors);
    for (int i = 0; i < count; i++) out->error_constant += (double)(errors[i] * errors[i]);
    out->error_constant = sqrt(out->error_constant);
    for (int i = 0; i < system.unknowns; i++)
        out->largest_entry = fmax(out->largest_entry, fabs((double)x[i]));
    gt_dualrate_coupled(&system, &pair, task->axis == GT_REAL_AXIS, out->limit, &out->coupled_worst,
                        &out->coupled_mean);
    out->score = out->limit * sqrt(out->coupled_worst * out->coupled_mean) *
                 pow(out->error_constant, -1.0 / task->order);
    return true;
}

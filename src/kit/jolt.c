/* SPDX-License-Identifier: BSD-3-Clause */
#include "kit/jolt.h"
#include <assert.h>
#include <math.h>

gt_jolt *gt_jolts_layout(size_t n, gt_arena *arena)
{
    return gt_arena_take(arena, n, sizeof(gt_jolt));
}

void gt_jolts_look(gt_jolt *of, size_t n, int number, const double *f)
{
    assert(of && f && number >= 0);
    for (size_t i = 0; i < n; i++) {
        gt_jolt *j = of + i;
        if (number == 0) *j = (gt_jolt){.low = f[i], .high = f[i], .last = f[i]};
        double change = fabs(f[i] - j->last);
        if (change > j->change) {
            j->change = change;
            j->at = number;
        }
        j->low = fmin(j->low, f[i]);
        j->high = fmax(j->high, f[i]);
        j->last = f[i];
    }
}

int gt_jolts_worst(const gt_jolt *of, const gt_stepper *s, int looks, double spacing,
                   const double *sizes)
{
    assert(of && s && sizes && looks > 0);
    const double smooth = 4 / (looks + 1.5); /* pi/L, and somewhat more */
    double most = 1;
    int worst = 0;
    for (size_t i = 0; i < s->n; i++) {
        double moved = of[i].change * spacing / gt_weight(s, i, sizes[i]);
        if (!(of[i].change > smooth * (of[i].high - of[i].low)) || !(moved > most)) continue;
        most = moved;
        worst = of[i].at;
    }
    return worst;
}

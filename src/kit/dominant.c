/* SPDX-License-Identifier: BSD-3-Clause */
#include "kit/dominant.h"
#include "problem/norm.h"
#include <assert.h>
#include <float.h>
#include <math.h>

bool gt_dominant_mode(const gt_stepper *s, int terms, const double *weight, const double *const *k,
                      const double *later, const double *earlier, gt_dominant *out)
{
    assert(s && weight && k && later && earlier && out);
    double dd = 0, ff = 0, fd = 0, noise = 0, h = s->h;
    for (size_t i = 0; i < s->n; i++) {
        double d = 0;
        for (int j = 0; j < terms; j++) d += weight[j] * k[j][i];
        double scale = 1 / gt_weight(s, i, s->x_new[i]), f = (later[i] - earlier[i]) * scale;
        double round_off = 64 * DBL_EPSILON * fmax(fabs(s->x_new[i]), fabs(h * later[i])) * scale;
        d *= h * scale;
        dd += d * d;
        ff += f * f;
        fd += f * d;
        noise += round_off * round_off;
    }
    double all[4] = {dd, ff, fd, noise};
    gt_over_ranks(s->problem, all, 4, 0);
    dd = all[0], ff = all[1], fd = all[2], noise = all[3];
    if (!(dd > noise) || !isfinite(ff) || !(ff > 0)) return false;
    *out = (gt_dominant){.product = fabs(h) * sqrt(ff / dd), .cosine = fd / sqrt(ff * dd)};
    return true;
}

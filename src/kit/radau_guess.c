/* SPDX-License-Identifier: BSD-3-Clause */
/* What Newton's iteration of `radau` begins from: the polynomial of the last step, continued. */
#include "kit/radau.h"
#include <assert.h>
#include <string.h>

enum { MOST = GT_RADAU_STAGES };

/* Where the polynomial of the last step leads: Z_i = sum_j (L_j(1 + c_i rho) - L_j(1)) Z_past_j. */
GT_RADAU_INLINED void extrapolate(gt_radau_state *w, double rho, int stages, int past)
{
    const gt_radau_numbers *p = gt_radau_numbers_of(w), *q = &gt_radau_table[w->past_formula];
    double per_down[MOST];
    for (int j = 0; j < past; j++) {
        double down = q->c[j];
        for (int k = 0; k < past; k++)
            if (k != j) down *= q->c[j] - q->c[k];
        per_down[j] = 1 / down;
    }
    for (int i = 0; i < stages; i++) {
        double theta = 1 + p->c[i] * rho, below[MOST] = {theta}, above = 1;
        for (int j = 1; j < past; j++) below[j] = below[j - 1] * (theta - q->c[j - 1]);
        for (int j = past - 1; j >= 0; j--) {
            w->ahead[i][j] = below[j] * above * per_down[j] - (j == past - 1);
            above *= theta - q->c[j];
        }
    }
}

static void make_ahead(gt_radau_state *w, double h)
{
    if (w->ahead_formula == w->formula && w->ahead_past_formula == w->past_formula &&
        w->ahead_h == h && w->ahead_past_h == w->past_h)
        return;
    int stages = gt_radau_numbers_of(w)->stages, past = gt_radau_table[w->past_formula].stages;
    double rho = h / w->past_h;
    if (past == 3 && stages == 3)
        extrapolate(w, rho, 3, 3);
    else
        extrapolate(w, rho, stages, past);
    w->ahead_formula = w->formula;
    w->ahead_past_formula = w->past_formula;
    w->ahead_h = h;
    w->ahead_past_h = w->past_h;
}

GT_RADAU_INLINED void look_ahead(gt_radau_state *w, size_t n, int stages, int past)
{
    const gt_radau_numbers *p = gt_radau_numbers_of(w);
    for (size_t k = 0; k < n; k++) {
        double z[MOST] = {0}, Z[MOST] = {0};
        for (int j = 0; j < past; j++) z[j] = w->Z_past[j][k];
        for (int i = 0; i < stages; i++) {
            for (int j = 0; j < past; j++) Z[i] += w->ahead[i][j] * z[j];
            w->Z[i][k] = Z[i];
        }
        for (int m = 0; m < stages; m++) {
            double W = 0;
            for (int i = 0; i < stages; i++) W += p->T_inverse[m][i] * Z[i];
            w->W[m][k] = W;
        }
    }
}

/* Multipliers are noisy, so that polynomials of them lead nowhere; and f is linear in most of them,
 * which makes a guess needless: they stay as they are. */
static void hold_multipliers(gt_stepper *s, int stages)
{
    gt_radau_state *w = s->state;
    for (size_t k = s->n - s->problem->n_alg; k < s->n; k++)
        for (int i = 0; i < stages && s->problem->index[k] > 1; i++) w->Z[i][k] = w->W[i][k] = 0;
}

static void guess(gt_stepper *s, double h)
{
    gt_radau_state *w = s->state;
    int stages = gt_radau_numbers_of(w)->stages;
    if (w->past_formula < 0) {
        for (int i = 0; i < stages; i++) {
            memset(w->Z[i], 0, s->n * sizeof *w->Z[i]);
            memset(w->W[i], 0, s->n * sizeof *w->W[i]);
        }
        return;
    }
    make_ahead(w, h);
    int past = gt_radau_table[w->past_formula].stages;
    if (past != stages) {
        look_ahead(w, s->n, stages, past);
        return;
    }
#define CALL(m) look_ahead(w, s->n, m, m)
    GT_RADAU_FOR_STAGES(stages, CALL)
#undef CALL
}

void gt_radau_guess(gt_stepper *s, double h)
{
    assert(s && s->state);
    assert(h != 0);
    guess(s, h);
    if (s->problem->index) hold_multipliers(s, gt_radau_numbers_of(s->state)->stages);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Multirate infinitesimal methods with implicit slow stages: Sandu, SIAM J. Numer. Anal. 57 (2019)
 * 2300, solve-decoupled; they are what the IMEX-MRI-GARK methods of Chinomona and Reynolds, SIAM J.
 * Sci. Comput. 43 (2021) A3082, are where the whole slow part is implicit. x' = f(t, x, z) is slow,
 * expensive and stiff in itself, z' = g(t, x, z) fast. Stages come in pairs, i = 0 .. S-1, with
 * c_0 = 0 < c_1 < .. < c_S = 1: as in mri.c the fast block is integrated from c_i to c_(i+1) beside
 * a slow one on a known polynomial; then the fast block waits for an implicit stage of the slow one
 *
 *     dx/dtheta = H sum_(j<=i) (gamma0_ij + gamma1_ij theta) k_j,    0 <= theta <= 1
 *     x_(i+1)   = x(1) + H sum_(j<=i) delta_ij k_j + H lambda k_(i+1),
 *     k_(i+1)   = f(t + c_(i+1) H, x_(i+1), z_(i+1))
 *
 * so that no equation has both blocks in it: Newton's method sees n_slow unknowns, one Jacobian f_x
 * and one factorisation a step. On the slow block alone this is an ESDIRK method, A- and L-stable,
 * stiffly accurate, and k_S is the first slope of the next step: 3 implicit stages and order 3 in
 * mri3i (ESDIRK34a), 5 and order 4 in mri4i (ESDIRK46a). The tests check the order conditions,
 * those of the coupling among them.
 *
 * Error estimate, which the paper has not for these: the last implicit stage once more with H sum_j
 * d_j k_j added to its known part, sum_j d_j c_j^m = 0 for m below the order: of one order less,
 * and damped by the same matrix as the solution; the last fast stage once more along a path that
 * ends so much beside. Implicit stages make the slow path jump by O(H^2), which averages out only
 * where the fast block is resolved by H: so the path of the comparison ends beside by the last jump
 * too, and the estimate is of order 2 in the fast block, in mri4i as well. Without it runs of mri4i
 * were 290 times their tolerance off where the fast block follows the slow one. A jump of f behind
 * the last stage but one would pass unseen: as in mri.c the last change of the slow slope must be
 * within ten times those before. That is one more slow solution, from a guess near by, and inner
 * steps. The inner methods and their control are those of mri.c, as is dense output.
 *
 * Order is lost where both H lambda_slow and the coupling are large: stages of the fast block see a
 * slow path that is explicit between implicit points, which may overshoot where H times a slow
 * eigenvalue is far beyond 1. The slow part may be mildly stiff, H |lambda_slow| up to some tens.
 */
#include "base/weighted_sum.h"
#include "kit/euler_start.h"
#include "kit/mri_inner.h"
#include "kit/mri_pairs.h"
#include "kit/slow_stage.h"
#include <geartrain/methods.h>
#include <math.h>
#include <string.h>

/* clang-format off */
static const mri_pairs mri3i_row = {
    .order = 3, .pairs = 3, .lambda = 0.435866521508459,
    .c = {0, 1.0 / 3, 2.0 / 3, 1},
    .gamma0 = {{0.33333333333333331},
               {-0.3045790611944505, 0.63791239452778381},
               {0.4454209388055495, 0.88137848056161983, -0.99346608603383602}},
    .delta = {{-0.435866521508459},
               {0.21169131056402665, -0.64755783207248563},
               {-0.435866521508459, 0, 0}},
    .d = {0.25, -0.5, 0.25}};

static const mri_pairs mri4i_row = {
    .order = 4, .pairs = 5, .lambda = 0.25,
    .c = {0, 1.0 / 5, 2.0 / 5, 3.0 / 5, 4.0 / 5, 1},
    .gamma0 = {{0.20000000000000001},
               {0.91793119337943752, -0.71793119337943745},
               {0.50156415134177501, 0.068347367237736947, -0.36991151857951199},
               {-1.6900149539119083, 0.72323724520569221, 1.84784916447243, -0.68107145576621397},
               {-1.5635586366026879, 1.0208839548357729, 2.4893844266591256, -0.18652827667797553,
                -1.5601814682142348}},
    .gamma1 = {{0},
               {-1.7358623867588749, 1.7358623867588749},
               {-0.46102303952565532, -0.97879999763336867, 1.4398230371590239},
               {2.0997857276618732, -1.5855812717879028, -2.9763473674063983, 2.4621429115324278},
               {2.0202334341434356, -2.384427012786476, -4.40813747576723, 0.15196811798180143,
                4.62036293642847}},
    .delta = {{-0.25},
               {-0.27105263157894743, 0.021052631578947434},
               {0.64012209008097187, 0.069553390688259109, -0.95967548076923048},
               {0.55344191953097033, 0.17132955155746499, -0.28531568877551028,
                -0.68945578231292526},
               {0.25, -0.29166666666666669, 0.54166666666666663, 0.54166666666666663,
                -1.2916666666666665}},
    .d = {0.25, -0.59793103448275908, 0.29379310344827592, 0.20620689655172439,
          -0.15206896551724144}};
/* clang-format on */

static const gt_param options[] = {
    MRI_INNER_OPTIONS("slow stage", gt_inner_names), MRI_INNERMOST_OPTION, {0}};

typedef struct mri_implicit_state {
    mri_options options;
    mri_inner inner;
    slow_stage *stage;
    double *k[MRI_MOST_PAIRS + 1]; /* slow slopes; the first belongs to the accepted point */
    bool k0_known;
    mri_dense dense;
    double *A, *B;       /* the slow polynomial of a stage */
    double *here, *left; /* end of a slow stage and where it began */
    double *base;        /* the known part of the last implicit stage */
} mri_implicit_state;

static gt_facts facts(const gt_method *self, const double *v)
{
    const mri_pairs *row = self->data;
    mri_options o = {0};
    gt_params_fill(options, v, &o);
    return (gt_facts){.kind = GT_KIND_IMPLICIT,
                      .order = row->order,
                      .error_order = 2,
                      .flags = GT_NEEDS_PARTITION | GT_USES_JACOBIAN};
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    mri_implicit_state *w = s->state;
    const mri_pairs *row = s->method->data;
    gt_params_fill(options, s->options.v, &w->options);
    size_t n_slow = s->problem->n_slow;
    for (int j = 0; j <= row->pairs; j++) w->k[j] = gt_arena_doubles(arena, n_slow);
    w->A = gt_arena_doubles(arena, n_slow);
    w->B = gt_arena_doubles(arena, n_slow);
    w->base = gt_arena_doubles(arena, n_slow);
    w->here = gt_arena_doubles(arena, s->n);
    w->left = gt_arena_doubles(arena, s->n);
    gt_mri_dense_layout(&w->dense, s, arena);
    gt_status status = gt_slow_stage_layout(&w->stage, &gt_method_beuler, s, arena);
    if (status) return status;
    char text[MRI_OPTIONS_ROOM];
    return gt_mri_inner_layout(&w->inner, gt_inner_methods[w->options.inner],
                               gt_mri_inner_options(&w->options, text), s, arena);
}

static gt_status prepare(gt_stepper *s)
{
    mri_implicit_state *w = s->state;
    w->inner.fraction = w->options.inner_fraction;
    gt_status status = gt_slow_stage_prepare(w->stage, s);
    return status ? status : gt_mri_inner_prepare(&w->inner, s);
}

static void release(gt_stepper *s)
{
    mri_implicit_state *w = s->state;
    gt_slow_stage_free(w->stage);
    gt_mri_inner_free(&w->inner);
}

static void restart(gt_stepper *s)
{
    mri_implicit_state *w = s->state;
    w->k0_known = false;
    gt_mri_inner_restart(&w->inner);
}

static void accept(gt_stepper *s)
{
    mri_implicit_state *w = s->state;
    int last = ((const mri_pairs *)s->method->data)->pairs;
    double *k0 = w->k[0];
    w->k[0] = w->k[last];
    w->k[last] = k0;
    gt_mri_inner_accept(&w->inner);
}

/* sum + scale times a row of weights on the first `count` slow slopes. */
static void add_slopes(const mri_implicit_state *w, int count, const double *weights, double scale,
                       double *sum, size_t n)
{
    const double *k[MRI_MOST_PAIRS];
    double weight[MRI_MOST_PAIRS];
    for (int j = 0; j < count; j++) {
        k[j] = w->k[j];
        weight[j] = scale * weights[j];
    }
    gt_weighted_sum(count, weight, k, sum, sum, n);
}

/* Pair i up to its implicit stage: from of->from to `to`, whose slow block is the known part of it.
 */
static gt_status run_pair(gt_stepper *s, int i, double H, const mri_stage *of, int count,
                          double *to)
{
    mri_implicit_state *w = s->state;
    const mri_pairs *row = s->method->data;
    size_t n = s->problem->n_slow;
    memset(w->A, 0, n * sizeof *w->A);
    memset(w->B, 0, n * sizeof *w->B);
    add_slopes(w, i + 1, row->gamma0[i], H, w->A, n);
    add_slopes(w, i + 1, row->gamma1[i], H / 2, w->B, n);
    gt_status status = gt_mri_inner_run(&w->inner, s, of, count, to);
    w->inner.slope_known = false; /* the slow block jumps */
    if (!status) add_slopes(w, i + 1, row->delta[i], H, to, n);
    return status;
}

static void enter_pair(const gt_stepper *s, int i, double H, mri_stage *of)
{
    const mri_pairs *row = s->method->data;
    of->t = s->t + row->c[i] * H;
    of->length = (row->c[i + 1] - row->c[i]) * H;
}

/* All pairs; the last is left in *of, and the known part of its implicit stage in `base`. */
static gt_status run_pairs(gt_stepper *s, double H, int count, mri_stage *of, double *x_new)
{
    mri_implicit_state *w = s->state;
    const mri_pairs *row = s->method->data;
    *of = (mri_stage){.from = s->x, .terms = 2, .p = {w->A, w->B}};
    w->inner.slope_known = false;
    gt_slow_stage_begin(w->stage, s);
    for (int i = 0; i < row->pairs; i++) {
        enter_pair(s, i, H, of);
        if (i) {
            double *left = w->here;
            w->here = w->left;
            of->from = w->left = left;
        }
        double *to = i + 1 < row->pairs ? w->here : x_new;
        gt_status status = run_pair(s, i, H, of, count, to);
        if (status) return status;
        memcpy(w->base, to, s->problem->n_slow * sizeof *to);
        status = gt_slow_stage_solve(w->stage, s, s->t + row->c[i + 1] * H, H * row->lambda, to,
                                     w->k[i + 1]);
        if (status) return status;
    }
    return GT_OK;
}

/* The same with the slow slopes of this trial, in place. A and B are those of the last pair then.
 */
static gt_status again(gt_stepper *s, double H, int count, double *to)
{
    mri_implicit_state *w = s->state;
    const mri_pairs *row = s->method->data;
    mri_stage of = {.from = to, .terms = 2, .p = {w->A, w->B}};
    gt_status status = GT_OK;
    memcpy(to, s->x, s->n * sizeof *to);
    for (int i = 0; i < row->pairs && !status; i++) {
        enter_pair(s, i, H, &of);
        status = run_pair(s, i, H, &of, count, to);
        for (size_t r = 0; r < s->problem->n_slow; r++) to[r] += H * row->lambda * w->k[i + 1][r];
    }
    return status;
}

/* The last pair again, with the comparison. A and B are those of that pair, `here` is free. */
static gt_status estimate(gt_stepper *s, double H, const mri_stage *last, int count,
                          const double *x_new, double *err)
{
    mri_implicit_state *w = s->state;
    const mri_pairs *row = s->method->data;
    size_t n = s->problem->n_slow;
    double kept = w->inner.now.h, *beside = w->here, *slope = w->dense.at;
    memcpy(beside, x_new, s->n * sizeof *beside);
    memcpy(beside, w->base, n * sizeof *beside);
    add_slopes(w, row->pairs, row->d, H, beside, n);
    gt_status status = gt_slow_stage_solve(w->stage, s, s->t + H, H * row->lambda, beside, slope);
    if (status) return status;
    /* err may be the scratch through which blocks are evaluated: it is written last. */
    for (size_t r = 0; r < n; r++) {
        double jump = fabs(x_new[r] - (last->from[r] + w->A[r] + w->B[r]));
        w->base[r] = x_new[r] - beside[r];
        w->A[r] -= w->base[r] + copysign(jump, w->base[r]);
    }
    status = gt_mri_inner_run(&w->inner, s, last, count, beside);
    w->inner.now.h = kept;
    w->inner.slope_known = false;
    for (size_t r = 0; r < n; r++) {
        double most = 0;
        for (int j = 1; j < row->pairs; j++) most = fmax(most, fabs(w->k[j][r] - w->k[j - 1][r]));
        double last_change = w->k[row->pairs][r] - w->k[row->pairs - 1][r];
        err[r] = fmax(fabs(w->base[r]), H / row->pairs * gt_abrupt(last_change, most));
    }
    for (size_t r = n; r < s->n; r++) err[r] = x_new[r] - beside[r];
    return status;
}

static gt_status step(gt_stepper *s, double H, const double *x, double *x_new, double *err)
{
    mri_implicit_state *w = s->state;
    gt_status status = w->k0_known ? GT_OK : gt_rhs_slow(s, s->t, x, w->k[0]);
    if (status) return status;
    int count = gt_mri_inner_count(&w->inner, s, w->options.substeps);
    mri_trial trial = {H, count, again, x_new, w->dense.gap};
    mri_stage last;
    bool enough = true;
    w->k0_known = true;
    w->dense.gap_known = false;
    gt_mri_inner_begin(&w->inner, H);
    do {
        status = run_pairs(s, H, count, &last, x_new);
        if (!status && err) status = gt_mri_loss(&w->inner, s, &trial, &enough);
    } while (!status && !enough);
    if (status || !err) return status;
    status = estimate(s, H, &last, count, x_new, err);
    gt_mri_loss_add(s, &trial, err);
    return status;
}

static gt_status interpolate(gt_stepper *s, double H, double theta, double *x)
{
    mri_implicit_state *w = s->state;
    int pairs = ((const mri_pairs *)s->method->data)->pairs;
    int count = pairs * gt_mri_inner_count(&w->inner, s, w->options.substeps);
    return gt_mri_dense_at(&w->dense, &w->inner, s, w->k[0], w->k[pairs], H, count, theta, x);
}

#define MRI_IMPLICIT(id, title_text, table)                                                        \
    const gt_method gt_method_##id = {                                                             \
        .name = #id,                                                                               \
        .family = "multirate infinitesimal",                                                       \
        .title = title_text,                                                                       \
        .reference = "Sandu, SIAM J. Numer. Anal. 57 (2019) 2300, " table,                         \
        .memory = "of the slow states the slopes and 10 more, f_x, the matrix of the stages and "  \
                  "its factors; of the fast ones what the inner method has; points",               \
        .options = options,                                                                        \
        .facts = facts,                                                                            \
        .data = &id##_row,                                                                         \
        .state_size = sizeof(mri_implicit_state),                                                  \
        .layout = layout,                                                                          \
        .prepare = prepare,                                                                        \
        .step = step,                                                                              \
        .interpolate = interpolate,                                                                \
        .accept = accept,                                                                          \
        .restart = restart,                                                                        \
        .release = release};

MRI_IMPLICIT(mri3i, "multirate infinitesimal, 3 implicit slow stages, order 3",
             "MRI-GARK-ESDIRK34a")
MRI_IMPLICIT(mri4i, "multirate infinitesimal, 5 implicit slow stages, order 4",
             "MRI-GARK-ESDIRK46a")

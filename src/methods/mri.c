/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Multirate infinitesimal methods: Sandu, A class of multirate infinitesimal GARK methods, SIAM J.
 * Numer. Anal. 57 (2019) 2300. x' = f(t, x, z) is slow and expensive, z' = g(t, x, z) fast and
 * cheap. A step H goes through slow stages with c_0 = 0 < c_1 < .. < c_S = 1. In stage i the slow
 * block moves along a known polynomial and the fast block is integrated beside it, 0 <= theta <= 1:
 *
 *     dx/dtheta = H sum_(j<i) (gamma0_ij + gamma1_ij theta) k_j,    k_j = f(t + c_j H, x_j, z_j)
 *     dz/dtheta = (c_i - c_(i-1)) H g(t + (c_(i-1) + theta (c_i - c_(i-1))) H, x(theta), z)
 *
 * so that x(theta) = x_(i-1) + theta A + theta^2 B with two vectors. S evaluations of f a step: 3
 * in mri3 (ERK33a with delta = -1/2), 5 in mri4 (ERK45a). The order is 3 or 4 with an inner method
 * of at least that order and inner steps that shrink with H; however many inner steps there are
 * costs no evaluation of f.
 *
 * The fast block is integrated by another method of the list with `substeps` equal steps in each
 * stage, or, in a controlled run, with steps of its own by the estimate of the inner method; the
 * size of the inner step is carried from one accepted step to the next. Steps of explicit inner
 * methods together may take a fraction of the tolerance; each step of an implicit one may take it
 * where its errors decay (mri_loss.c). A fast block that decays at 1/eps follows the slow one
 * there, and the method is the slow Runge-Kutta method on what remains of the equations at eps = 0.
 *
 * Error estimate: the last stage once more with the row of the embedded method, of one order less,
 * and its difference. That costs inner steps, no evaluation of f. What the inner steps lose is kept
 * below `inner_fraction` of the tolerance. The embedded row of ERK45a as published has the slow
 * weights of the method and sees no slow error; the one here is from the author's correction,
 * arXiv:1808.02759, with an error of O(H^4) in both blocks. No slow stage is at the end of the
 * step, so that a jump of f behind the last one would pass unseen: the slow slope there, the first
 * of the next step, must not differ more from that stage than ten times what those before it differ
 * (gt_abrupt).
 *
 * Dense output: x on the cubic Hermite polynomial, z integrated beside it once more; the slow slope
 * at the end that this takes is the first of the next step.
 *
 * Where we depart from the paper, which splits f additively: the partition is by components, so the
 * slow block needs no inner steps, and is exact in theta. Explicit in the slow block: unstable
 * where H times a slow eigenvalue is large; with an explicit inner method the inner step has such a
 * limit too.
 */
#include "base/weighted_sum.h"
#include "kit/euler_start.h"
#include "kit/explicit_rk.h"
#include "kit/mri_inner.h"
#include <geartrain/methods.h>
#include <math.h>
#include <string.h>

#define METHOD(id) &gt_method_##id,
#define NAME(id) #id,
const gt_method *const gt_inner_methods[] = {GT_INNER_IDS(METHOD) NULL};
const char *const gt_inner_names[] = {GT_INNER_IDS(NAME) NULL};
#undef METHOD
#undef NAME

static const gt_param options[] = {
    MRI_INNER_OPTIONS("slow stage", gt_inner_names), MRI_INNERMOST_OPTION, {0}};

typedef struct mri_state {
    mri_options options;
    mri_inner inner;
    double *k[GT_MAX_SLOW_STAGES]; /* slow slopes; the first belongs to the accepted point */
    double *k_end; /* at the end of the trial, for dense output; the first of the next step */
    bool k0_known, k_end_known, k_end_stays; /* stays: it may serve the next step */
    mri_dense dense;
    double gamma0[GT_MAX_SLOW_STAGES + 1][GT_MAX_SLOW_STAGES],
        half_gamma1[GT_MAX_SLOW_STAGES + 1][GT_MAX_SLOW_STAGES], c[GT_MAX_SLOW_STAGES + 1];
    double *A, *B;       /* the slow polynomial of a stage */
    double *here, *left; /* end of a slow stage and where it began */
} mri_state;

static gt_facts facts(const gt_method *self, const double *v)
{
    const gt_infinitesimal *row = self->infinitesimal;
    mri_options o = {0};
    gt_params_fill(options, v, &o);
    int count = o.substeps > 0 ? o.substeps : MRI_DEFAULT_SUBSTEPS;
    const gt_method *inner = gt_inner_methods[o.inner];
    gt_facts f = {.order = row->order,
                  .error_order = row->order - 1,
                  .flags = GT_NEEDS_PARTITION | gt_mri_inner_flags(inner),
                  .slow_evaluations = row->stages,
                  .fast_evaluations = gt_mri_inner_evaluations(inner, row->stages * count)};
    if (inner->infinitesimal) f.flags |= gt_mri_inner_flags(gt_inner_methods[o.innermost]);
    if (!inner->tableau) {
        if (!gt_inner_has_blocks(inner)) f.kind = GT_KIND_IMPLICIT;
        f.slow_evaluations = 0; /* those of the fast block vary */
    }
    return f;
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    mri_state *w = s->state;
    const gt_infinitesimal *row = s->method->infinitesimal;
    gt_params_fill(options, s->options.v, &w->options);
    size_t n_slow = s->problem->n_slow;
    for (int j = 0; j < row->stages; j++) w->k[j] = gt_arena_doubles(arena, n_slow);
    w->k_end = gt_arena_doubles(arena, n_slow);
    w->A = gt_arena_doubles(arena, n_slow);
    w->B = gt_arena_doubles(arena, n_slow);
    w->here = gt_arena_doubles(arena, s->n);
    w->left = gt_arena_doubles(arena, s->n);
    gt_mri_dense_layout(&w->dense, s, arena);
    char text[MRI_OPTIONS_ROOM];
    return gt_mri_inner_layout(&w->inner, gt_inner_methods[w->options.inner],
                               gt_mri_inner_options(&w->options, text), s, arena);
}

static gt_status prepare(gt_stepper *s)
{
    mri_state *w = s->state;
    const gt_infinitesimal *row = s->method->infinitesimal;
    w->inner.fraction = w->options.inner_fraction;
    for (int i = 0; i <= row->stages; i++) {
        w->c[i] = gt_ratio_value(row->c[i]);
        for (int j = 0; j < row->stages; j++) {
            w->gamma0[i][j] = gt_ratio_value(row->gamma0[i][j]);
            w->half_gamma1[i][j] = gt_ratio_value(row->gamma1[i][j]) / 2;
        }
    }
    return gt_mri_inner_prepare(&w->inner, s);
}

static void release(gt_stepper *s) { gt_mri_inner_free(&((mri_state *)s->state)->inner); }

static void restart(gt_stepper *s)
{
    mri_state *w = s->state;
    w->k0_known = false;
    gt_mri_inner_restart(&w->inner);
}

static void accept(gt_stepper *s)
{
    mri_state *w = s->state;
    double *k0 = w->k[0];
    w->k[0] = w->k_end;
    w->k_end = k0;
    w->k0_known = w->k_end_known && w->k_end_stays;
    gt_mri_inner_accept(&w->inner);
}

/* H times a row of gamma on the slow slopes, zeros left out. */
static void slow_sum(const mri_state *w, const double *gamma, int stages, double H, double *sum,
                     size_t n)
{
    const double *k[GT_MAX_SLOW_STAGES];
    double weight[GT_MAX_SLOW_STAGES];
    int terms = 0;
    for (int j = 0; j < stages; j++) {
        if (gamma[j] == 0) continue;
        k[terms] = w->k[j];
        weight[terms++] = H * gamma[j];
    }
    memset(sum, 0, n * sizeof *sum);
    gt_weighted_sum(terms, weight, k, sum, sum, n);
}

/* From of->from through one slow stage with row i of the tables to `to`. */
static gt_status run_stage(gt_stepper *s, int i, double H, const mri_stage *of, int count,
                           double *to)
{
    mri_state *w = s->state;
    const gt_infinitesimal *row = s->method->infinitesimal;
    slow_sum(w, w->gamma0[i], row->stages, H, w->A, s->problem->n_slow);
    slow_sum(w, w->half_gamma1[i], row->stages, H, w->B, s->problem->n_slow);
    return gt_mri_inner_run(&w->inner, s, of, count, to);
}

/* The last stage again by the embedded row, and the difference. */
static gt_status estimate(gt_stepper *s, double H, const mri_stage *last, int count,
                          const double *x_new, double *err)
{
    mri_state *w = s->state;
    const gt_infinitesimal *row = s->method->infinitesimal;
    double kept = w->inner.now.h;
    w->inner.slope_known = false;
    gt_status status = run_stage(s, row->stages, H, last, count, w->here);
    w->inner.now.h = kept;
    if (!status) /* before err, which may be its scratch */
        status = gt_rhs_slow(s, s->t + H, x_new, w->k_end);
    w->k_end_known = w->k_end_stays = !status;
    for (size_t r = 0; r < s->n; r++) err[r] = x_new[r] - w->here[r];
    for (size_t r = 0; r < s->problem->n_slow && !status; r++) {
        double most = 0;
        for (int j = 1; j < row->stages; j++) most = fmax(most, fabs(w->k[j][r] - w->k[j - 1][r]));
        double jump = H / row->stages * gt_abrupt(w->k_end[r] - w->k[row->stages - 1][r], most);
        if (fabs(err[r]) < jump) err[r] = jump;
    }
    return status;
}

static void enter_stage(const gt_stepper *s, int i, double H, mri_stage *of)
{
    const mri_state *w = s->state;
    of->t = s->t + w->c[i] * H;
    of->length = (w->c[i + 1] - w->c[i]) * H;
}

/* All stages; the last is left in *of. */
static gt_status run_stages(gt_stepper *s, double H, int count, mri_stage *of, double *x_new)
{
    mri_state *w = s->state;
    int stages = s->method->infinitesimal->stages;
    *of = (mri_stage){.from = s->x, .terms = 2, .p = {w->A, w->B}};
    w->inner.slope_known = false;
    for (int i = 0; i < stages; i++) {
        gt_status status = GT_OK;
        enter_stage(s, i, H, of);
        if (i) {
            double *left = w->here;
            w->here = w->left;
            of->from = w->left = left;
            status = gt_rhs_slow(s, of->t, left, w->k[i]);
        }
        if (!status) status = run_stage(s, i, H, of, count, i + 1 < stages ? w->here : x_new);
        if (status) return status;
    }
    return GT_OK;
}

/* The same with the slow slopes of this trial, in place. */
static gt_status again(gt_stepper *s, double H, int count, double *to)
{
    mri_state *w = s->state;
    mri_stage of = {.from = to, .terms = 2, .p = {w->A, w->B}};
    gt_status status = GT_OK;
    memcpy(to, s->x, s->n * sizeof *to);
    for (int i = 0; i < s->method->infinitesimal->stages && !status; i++) {
        enter_stage(s, i, H, &of);
        status = run_stage(s, i, H, &of, count, to);
    }
    return status;
}

static gt_status step(gt_stepper *s, double H, const double *x, double *x_new, double *err)
{
    mri_state *w = s->state;
    gt_status status = w->k0_known ? GT_OK : gt_rhs_slow(s, s->t, x, w->k[0]);
    if (status) return status;
    int count = gt_mri_inner_count(&w->inner, s, w->options.substeps);
    mri_trial trial = {H, count, again, x_new, w->dense.gap};
    mri_stage last;
    w->k0_known = true;
    w->k_end_known = false;
    w->dense.gap_known = false;
    gt_mri_inner_begin(&w->inner, H);
    bool enough = true;
    do {
        status = run_stages(s, H, count, &last, x_new);
        if (!status && err) status = gt_mri_loss(&w->inner, s, &trial, &enough);
    } while (!status && !enough);
    if (status || !err) return status;
    status = estimate(s, H, &last, count, x_new, err);
    gt_mri_loss_add(s, &trial, err);
    return status;
}

static gt_status interpolate(gt_stepper *s, double H, double theta, double *x)
{
    mri_state *w = s->state;
    const gt_infinitesimal *row = s->method->infinitesimal;
    int count = row->stages * gt_mri_inner_count(&w->inner, s, w->options.substeps);
    if (!w->k_end_known) w->k_end_stays = !s->uncounted;
    gt_status status = w->k_end_known ? GT_OK : gt_rhs_slow(s, s->t_new, s->x_new, w->k_end);
    w->k_end_known = !status;
    return status ? status
                  : gt_mri_dense_at(&w->dense, &w->inner, s, w->k[0], w->k_end, H, count, theta, x);
}

/* clang-format off */
static const gt_infinitesimal mri3_row = {
    .order = 3, .stages = 3,
    .c = {{0, 1}, {1, 3}, {2, 3}, {1, 1}},
    .gamma0 = {{{1, 3}},
               {{-1, 3}, {2, 3}},
               {{0, 1}, {-2, 3}, {1, 1}},
               {{1, 12}, {-1, 3}, {7, 12}}},
    .gamma1 = {{{0, 1}},
               {{0, 1}},
               {{1, 2}, {0, 1}, {-1, 2}},
               {{0, 1}}}};

static const gt_infinitesimal mri4_row = {
    .order = 4, .stages = 5,
    .c = {{0, 1}, {1, 5}, {2, 5}, {3, 5}, {4, 5}, {1, 1}},
    .gamma0 = {{{1, 5}},
               {{-53, 16}, {281, 80}},
               {{-36562993, 71394880}, {34903117, 17848720}, {-88770499, 71394880}},
               {{-7631593, 71394880}, {-166232021, 35697440}, {6068517, 1519040},
                {8644289, 8924360}},
               {{277061, 303808}, {-209323, 1139280}, {-1360217, 1139280}, {-148789, 56964},
                {147889, 45120}},
               {{-88227, 47470}, {756870829, 340217490}, {-713704111, 1360869960},
                {-31967827, 340217490}, {129673, 286680}}},
    .gamma1 = {{{0, 1}},
               {{503, 80}, {-503, 80}},
               {{-1365537, 35697440}, {4963773, 7139488}, {-1465833, 2231090}},
               {{66974357, 35697440}, {21445367, 7139488}, {-3, 1}, {-8388609, 4462180}},
               {{-18227, 7520}, {2, 1}, {1, 1}, {5, 1}, {-41933, 7520}},
               {{6213, 1880}, {-6213, 1880}}}};
/* clang-format on */

#define MRI_METHOD(id, title_text, table)                                                          \
    const gt_method gt_method_##id = {                                                             \
        .name = #id,                                                                               \
        .family = "multirate infinitesimal",                                                       \
        .title = title_text,                                                                       \
        .reference = "Sandu, SIAM J. Numer. Anal. 57 (2019) 2300, " table,                         \
        .memory = "of the slow states the stages and 6 more; of the fast ones the stages of a "    \
                  "small step; points",                                                            \
        .options = options,                                                                        \
        .facts = facts,                                                                            \
        .infinitesimal = &id##_row,                                                                \
        .state_size = sizeof(mri_state),                                                           \
        .layout = layout,                                                                          \
        .prepare = prepare,                                                                        \
        .step = step,                                                                              \
        .interpolate = interpolate,                                                                \
        .accept = accept,                                                                          \
        .restart = restart,                                                                        \
        .release = release};

MRI_METHOD(mri3, "multirate infinitesimal, 3 slow stages, order 3, any number of fast steps",
           "MRI-GARK-ERK33a")
MRI_METHOD(mri4, "multirate infinitesimal, 5 slow stages, order 4, any number of fast steps",
           "MRI-GARK-ERK45a")

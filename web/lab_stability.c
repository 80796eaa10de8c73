/* SPDX-License-Identifier: BSD-3-Clause */
/* What methods do to x' = lambda x and to the test equation of two rates, and the eigenvalues of a
 * problem. */
#include "lab_face.h"
#include <complex.h>
#include <geartrain/analysis/analysis.h>
#include <geartrain/analysis/stability.h>
#include <math.h>
#include <stdlib.h>

static gt_status open_amplifier(gt_amplifier *a, const char *name, const char *options,
                                gt_message *message)
{
    const gt_method *method = gt_method_find(name);
    if (!method) return gt_fail(message, GT_UNKNOWN_NAME, "there is no method '%s'", name);
    return gt_amplifier_open(a, method, options, message);
}

static void put_facts(lab_text *out, const gt_stability *f, const gt_gap *gap)
{
    lab_put_number(out, "order", f->order);
    lab_put_number(out, "realLimit", f->real_limit);
    lab_put_number(out, "imagLimit", f->imag_limit);
    lab_put_bool(out, "aStable", f->a_stable);
    lab_put_bool(out, "lStable", f->l_stable);
    lab_put_bool(out, "fStable", f->f_stable);
    lab_put_bool(out, "stifflyStable", f->stiffly_stable);
    lab_put_number(out, "sector", f->sector_deg);
    lab_put_number(out, "atInfinity", f->r_infinity);
    lab_key(out, "gap");
    lab_begin(out, '[');
    lab_number(out, gap->from);
    lab_number(out, gap->to);
    lab_number(out, gap->edge);
    lab_number(out, gap->largest);
    lab_end(out, ']');
}

int gt_lab_facts(gt_lab *lab, const char *method, const char *options)
{
    gt_amplifier a;
    gt_message message = {""};
    gt_stability facts;
    lab_answer(lab);
    gt_status status = open_amplifier(&a, method, options, &message);
    if (status) return lab_close(lab, status, &message);
    status = gt_stability_facts(&a, &facts);
    if (!status) {
        gt_gap gap = gt_spectral_gap(&a);
        put_facts(&lab->answer, &facts, &gap);
    }
    gt_amplifier_close(&a);
    return lab_close(lab, status, NULL);
}

/* A window of the complex plane as a grid of points. */
typedef struct window {
    double left, right, bottom, top;
    int columns, rows;
} window;

static gt_status fill(gt_lab *lab, const window *w, gt_size_fn *size, const void *ctx)
{
    enum { MOST = 2000 };
    if (w->columns < 2 || w->rows < 2 || w->columns > MOST || w->rows > MOST)
        return GT_BAD_ARGUMENT;
    double *numbers = lab_room(lab, (size_t)w->columns * (size_t)w->rows);
    if (!numbers) return GT_NO_MEMORY;
    for (int j = 0; j < w->rows; j++)
        for (int i = 0; i < w->columns; i++) {
            double re = w->left + (w->right - w->left) * i / (w->columns - 1);
            double im = w->bottom + (w->top - w->bottom) * j / (w->rows - 1);
            *numbers++ = size(re + I * im, ctx);
        }
    return GT_OK;
}

static double size_of_R(gt_complex z, const void *ctx) { return gt_amplifier_largest(ctx, z); }

int gt_lab_region(gt_lab *lab, const char *method, const char *options, double left, double right,
                  double bottom, double top, int columns, int rows)
{
    gt_amplifier a;
    gt_message message = {""};
    lab_answer(lab);
    gt_status status = open_amplifier(&a, method, options, &message);
    if (status) return lab_close(lab, status, &message);
    window w = {left, right, bottom, top, columns, rows};
    status = fill(lab, &w, size_of_R, &a);
    gt_amplifier_close(&a);
    return lab_close(lab, status, NULL);
}

int gt_lab_axis(gt_lab *lab, const char *method, const char *options, double from, double to,
                int count)
{
    enum { MOST = 10000 };
    gt_amplifier a;
    gt_message message = {""};
    lab_answer(lab);
    gt_status status = open_amplifier(&a, method, options, &message);
    if (status) return lab_close(lab, status, &message);
    double *row = count > 1 && count <= MOST ? lab_room(lab, 2 * (size_t)count) : NULL;
    for (int k = 0; row && k < count; k++, row += 2) {
        row[0] = from * pow(to / from, (double)k / (count - 1));
        row[1] = gt_amplifier_largest(&a, -row[0]);
    }
    gt_amplifier_close(&a);
    return lab_close(lab, row ? GT_OK : GT_BAD_ARGUMENT, NULL);
}

static double size_of_M(gt_complex xi, const void *ctx) { return gt_test2_radius(ctx, xi); }

int gt_lab_two_rates(gt_lab *lab, const char *name, const char *options, double alpha, double beta,
                     double left, double right, double bottom, double top, int columns, int rows)
{
    gt_test2 test;
    gt_message message = {""};
    const gt_method *method = gt_method_find(name);
    lab_answer(lab);
    gt_status status = method ? gt_test2_open(&test, method, options, alpha, beta, &message)
                              : gt_fail(&message, GT_UNKNOWN_NAME, "there is no method '%s'", name);
    if (status) return lab_close(lab, status, &message);
    window w = {left, right, bottom, top, columns, rows};
    status = fill(lab, &w, size_of_M, &test);
    gt_test2_close(&test);
    return lab_close(lab, status, NULL);
}

int gt_lab_damping(gt_lab *lab, const char *method, const char *options, double theta, double r_max,
                   int count)
{
    enum { WIDTH = 5, MOST = 10000 };
    gt_amplifier a;
    gt_message message = {""};
    lab_answer(lab);
    gt_status status = open_amplifier(&a, method, options, &message);
    if (status) return lab_close(lab, status, &message);
    double *row = count > 1 && count <= MOST ? lab_room(lab, WIDTH * (size_t)count) : NULL;
    for (int k = 0; row && k < count; k++, row += WIDTH) {
        double r = r_max * k / (count - 1);
        gt_damping d = gt_damping_at(&a, theta, r);
        row[0] = r;
        row[1] = d.damping;
        row[2] = d.frequency;
        row[3] = d.exact_damping;
        row[4] = d.exact_frequency;
    }
    gt_amplifier_close(&a);
    return lab_close(lab, row ? GT_OK : GT_BAD_ARGUMENT, NULL);
}

int gt_lab_spectrum(gt_lab *lab, int slot, int k)
{
    gt_message message = {""};
    const gt_problem *p = &lab->problem;
    lab_text *out = &lab->answer;
    lab_answer(lab);
    if (!lab->built || slot >= LAB_MOST_RUNS || k < 0 || k > LAB_TIMES)
        return lab_close(lab, GT_BAD_ARGUMENT, NULL);
    const lab_track *track = slot < 0 ? NULL : &lab->runs[slot];
    bool there = track && track->x && (size_t)k < track->reached;
    double t = there ? lab->times[k] : p->t0;
    const double *x = there ? track->x + gt_problem_size(p) * (size_t)k : p->x0;
    gt_arena arena = gt_arena_growing();
    gt_linearization linear;
    gt_status status = gt_linearize(p, t, x, &linear, &arena, &message);
    if (!status) {
        lab_put_number(out, "t", t);
        lab_key(out, "modes");
        lab_begin(out, '[');
        for (size_t i = 0; i < linear.n; i++) {
            lab_begin(out, '[');
            lab_number(out, linear.modes[i].re);
            lab_number(out, linear.modes[i].im);
            lab_end(out, ']');
        }
        lab_end(out, ']');
    }
    gt_arena_free(&arena);
    return lab_close(lab, status, &message);
}

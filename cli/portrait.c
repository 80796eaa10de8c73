/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The portrait of a method, three panels in a row:
 *
 * 1. where it is stable: |R(z)| <= 1, z = h lambda; of a dual-rate method both blocks; of `gear`
 * each order; of other methods of two rates the spectral radius on the test equation with alpha =
 * 10, beta = 0.1;
 * 2. where it is accurate: the largest h with an error of 1e-2 up to t = 10, by the angle of the
 * eigenvalues;
 * 3. what it damps: damping -ln |R| and frequency arg R along a ray at 45 degrees, beside the true
 * ones.
 *
 * What a method has no answer for is left out. The numbers are those of the commands stability,
 * accuracy, damping.
 */
#include "portrait.h"
#include "show_parts.h"
#include <complex.h>
#include <geartrain/author/number.h>
#include <math.h>

static void add_entry(portrait *p, const cli_entry *e)
{
    gt_message message = {""};
    subject *s = &p->list[p->count];
    if (p->count == PORTRAIT_MOST) return;
    *s = (subject){.label = e->label};
    s->one_rate = !gt_amplifier_open(&s->a, e->method, e->options, &message);
    gt_facts facts = gt_method_facts(e->method, gt_params_default(e->method->options).v);
    if (!s->one_rate && (facts.flags & GT_NEEDS_PARTITION))
        s->two_rates = !gt_test2_open(&s->test, e->method, e->options, PORTRAIT_ALPHA,
                                      PORTRAIT_BETA, &message);
    if (s->one_rate || s->two_rates) p->count++;
}

/* Each order of a method that changes it, when it has an option for that; else the method or its
 * two blocks. */
static int find_subjects(portrait *p, const cli_entry *entry, gt_arena *arena)
{
    enum { ROOM = 24 };
    gt_facts facts = gt_method_facts(entry->method, gt_params_default(entry->method->options).v);
    if ((facts.flags & GT_VARIABLE_FORMULA) && !*entry->options) {
        for (int k = 1; k <= facts.order; k++) {
            char *options = gt_arena_take(arena, ROOM, 1), *label = gt_arena_take(arena, ROOM, 1);
            if (!options || !label) return gt_cli_failed("out of memory");
            snprintf(options, ROOM, "order=%d", k);
            snprintf(label, ROOM, "%d", k);
            add_entry(p, &(cli_entry){.method = entry->method, .options = options, .label = label});
        }
        return CLI_OK;
    }
    cli_entry whole = *entry;
    stability_request q = {.entries = &whole, .count = 1};
    int code = gt_stability_split_pairs(&q, arena);
    for (size_t i = 0; i < q.count && !code; i++) {
        add_entry(p, &q.entries[i]);
        if (q.count == 2 && p->count) p->list[p->count - 1].label = i ? "slow block" : "fast block";
    }
    return code;
}

double gt_portrait_size(double complex z, const void *ctx)
{
    const subject *s = ctx;
    return s->one_rate ? gt_amplifier_largest(&s->a, z) : gt_test2_radius(&s->test, z);
}

/* A square with the boundaries, or with the ends of the axes where there is none. */
static void find_window(portrait *p, gt_arena *arena)
{
    enum { ROOM = 4096 };
    double *points = gt_arena_doubles(arena, 2 * (size_t)ROOM), *w = p->window;
    for (size_t i = 0; i < p->count && points; i++) {
        stability_curve curve = {.points = points};
        if (p->list[i].one_rate) {
            curve.count = gt_stability_boundary(&p->list[i].a, 180, points, ROOM);
        } else {
            for (int k = 0; k <= 6; k++) {
                double complex d = cexp(I * GT_PI * (0.5 + k / 12.0));
                double r = gt_search_limit(gt_portrait_size, &p->list[i], d);
                if (isinf(r)) continue;
                points[2 * curve.count] = creal(r * d);
                points[2 * curve.count++ + 1] = cimag(r * d);
            }
        }
        gt_stability_window(&curve, w);
    }
    gt_stability_finish_window(w);
    double half = fmax((w[1] - w[0]) / 2, fmax(w[3], -w[2]));
    w[2] = -half, w[3] = half;
    if (w[1] - w[0] < 2 * half) {
        double middle = (w[0] + w[1]) / 2;
        w[0] = middle - half, w[1] = middle + half;
    }
}

static void find_accuracy(portrait *p, const cli_entry *entry)
{
    static const double start[2] = {1, 0};
    gt_message message = {""};
    p->accurate = true;
    for (int k = 0; k < PORTRAIT_ANGLES; k++) {
        double theta = 90 + 90.0 * k / (PORTRAIT_ANGLES - 1);
        if (gt_accuracy_limit(entry->method, entry->options, theta, start, 1e-2, 10, &p->h[k],
                              &message))
            p->accurate = false;
        else
            p->h[k] =
                fmin(p->h[k],
                     entry->method->formula ? 1 : 10); /* of a formula its start does not count */
    }
}

int gt_show_portrait(const cli_entry *entry, const char *path)
{
    gt_arena arena = gt_arena_growing();
    portrait p = {.name = entry->label};
    int code = gt_cli_check_plot(path, NULL);
    if (!code) code = find_subjects(&p, entry, &arena);
    if (!code) {
        find_window(&p, &arena);
        find_accuracy(&p, entry);
        code = p.count || p.accurate
                   ? gt_portrait_draw(&p, path)
                   : gt_cli_usage("there is nothing to draw about %s", entry->label);
    }
    for (size_t i = 0; i < p.count; i++)
        if (p.list[i].one_rate)
            gt_amplifier_close(&p.list[i].a);
        else
            gt_test2_close(&p.list[i].test);
    gt_arena_free(&arena);
    return code;
}

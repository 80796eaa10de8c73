/* SPDX-License-Identifier: BSD-3-Clause */
/* stability on x' = lambda x: facts, values and figures. */
#include "stability_report.h"
#include <complex.h>
#include <math.h>

enum { POINTS = 720, MOST_ANGLES = 360, FEWEST_ANGLES = 72, RAYS = 120 };

typedef struct answer {
    const cli_entry *entry;
    gt_amplifier a;
    bool open;
    gt_stability facts;
    gt_gap gap;
    stability_curve boundary, relative;
} answer;

/* Values of z with the same R: as many curves does the boundary have, some of which may be one. */
static int branches_of(const gt_amplifier *a)
{
    const gt_rational *R = &a->ratio;
    int degree = R->num_degree > R->den_degree ? R->num_degree : R->den_degree;
    return degree > 1 ? degree : 1;
}

static int find_answer(const cli_entry *entry, gt_arena *arena, answer *w)
{
    gt_message message = {""};
    w->entry = entry;
    gt_status status = gt_amplifier_open(&w->a, entry->method, entry->options, &message);
    if (status) return gt_cli_complain(status, &message);
    w->open = true;
    status = gt_stability_facts(&w->a, &w->facts);
    if (status) return gt_cli_failed("the facts about %s could not be found: %s", entry->label, gt_status_text(status));
    w->gap = gt_spectral_gap(&w->a);
    int branches = branches_of(&w->a), angles = POINTS / branches;
    angles = angles > MOST_ANGLES ? MOST_ANGLES : angles < FEWEST_ANGLES ? FEWEST_ANGLES : angles;
    size_t room = (size_t)(angles + 2) * (size_t)branches;
    w->boundary.points = gt_arena_doubles(arena, 2 * room);
    w->relative.points = gt_arena_doubles(arena, 2 * (RAYS + 1));
    if (!w->boundary.points || !w->relative.points) return gt_cli_failed("out of memory");
    w->boundary.count = gt_stability_boundary(&w->a, angles, w->boundary.points, room);
    w->relative.count = gt_relative_boundary(&w->a, RAYS, 10, w->relative.points);
    return CLI_OK;
}

static json_t *complex_json(double complex w)
{
    double parts[] = {creal(w), cimag(w)};
    return gt_cli_json_numbers(parts, 2);
}

static void add_point(json_t *object, const gt_amplifier *a, const double at[2])
{
    double complex z = at[0] + I * at[1], w[GT_MAX_PAST];
    json_object_set_new(object, "at", gt_cli_json_numbers(at, 2));
    json_object_set_new(object, "R", complex_json(gt_amplifier_principal(a, z)));
    json_object_set_new(object, "abs", gt_cli_json_number(gt_amplifier_largest(a, z)));
    if (a->kind != GT_BY_FORMULA) return;
    json_t *roots = json_array();
    int count = gt_amplifier_roots(a, z, w);
    for (int i = 0; i < count; i++) json_array_append_new(roots, complex_json(w[i]));
    json_object_set_new(object, "roots", roots);
}

static const char *source_of(const gt_amplifier *a)
{
    if (a->kind == GT_BY_FUNCTION) return a->from_runs ? "search along lines, by runs" : "search along lines";
    if (a->from_runs) return "ratio of polynomials identified from runs";
    return a->kind == GT_BY_FORMULA ? "characteristic polynomial" : "ratio of polynomials";
}

static json_t *answer_json(const answer *w, const stability_request *q)
{
    const gt_stability *f = &w->facts;
    json_t *object = json_object(), *gaps = json_array(), *light = json_array();
    for (int i = 0; i < f->n_light; i++) {
        json_t *band = json_array();
        json_array_append_new(band, gt_stability_json_limit(f->light[i][0]));
        json_array_append_new(band, gt_stability_json_limit(f->light[i][1]));
        json_array_append_new(light, band);
    }
    for (int i = 0; i < f->n_gaps; i++) {
        json_t *gap = json_array();
        json_array_append_new(gap, gt_stability_json_limit(f->gaps[i][0]));
        json_array_append_new(gap, gt_stability_json_limit(f->gaps[i][1]));
        json_array_append_new(gaps, gap);
    }
    json_object_set_new(object, "method", json_string(w->entry->method->name));
    json_object_set_new(object, "options", gt_cli_json_values(w->entry->method->options, &w->a.options));
    json_object_set_new(object, "source", json_string(source_of(&w->a)));
    json_object_set_new(object, "order", json_integer(f->order));
    if (q->has_point) add_point(object, &w->a, q->at);
    json_object_set_new(object, "real_limit", gt_stability_json_limit(-f->real_limit));
    json_object_set_new(object, "imag_limit", gt_stability_json_limit(f->imag_limit));
    json_object_set_new(object, "a_stable", json_boolean(f->a_stable));
    json_object_set_new(object, "l_stable", json_boolean(f->l_stable));
    json_object_set_new(object, "f_stable", json_boolean(f->f_stable));
    json_object_set_new(object, "zero_stable", json_boolean(f->zero_stable));
    json_object_set_new(object, "stiffly_stable", json_boolean(f->stiffly_stable));
    json_object_set_new(object, "delta", gt_cli_json_number(f->delta));
    json_object_set_new(object, "r_infinity", gt_stability_json_limit(f->r_infinity));
    json_object_set_new(object, "sector_deg", gt_cli_json_number(f->sector_deg));
    json_object_set_new(object, "imag_unstable", gaps);
    json_object_set_new(object, "light_damping_unstable", light);
    json_object_set_new(object, "boundary", gt_stability_json_curve(&w->boundary));
    gt_stability_gap_json(q, w->entry, &w->gap, object);
    if (w->a.kind == GT_BY_FORMULA)
        json_object_set_new(object, "relative_boundary", gt_stability_json_curve(&w->relative));
    return object;
}

static int print_json(const answer *w, const stability_request *q)
{
    json_t *all = NULL;
    for (size_t i = 0; i < q->count; i++) gt_cli_json_also(&all, answer_json(&w[i], q));
    return gt_cli_json_print(all);
}

static const char *yes(bool fact) { return fact ? "yes" : "no"; }

static const char *number(double value, const char *otherwise, char buffer[32])
{
    if (isinf(value)) return "unbounded";
    if (isnan(value)) return otherwise;
    gt_format(buffer, 32, "%.12g", value + 0.0);
    return buffer;
}

static void print_text(const answer *w, const stability_request *q)
{
    const gt_stability *f = &w->facts;
    char buffer[32], low[32], high[32];
    printf("%s, order %d, from its %s\n", w->entry->label, f->order, source_of(&w->a));
    if (q->has_point) {
        double complex z = q->at[0] + I * q->at[1], R = gt_amplifier_principal(&w->a, z);
        gt_fprintf(stdout, "    at h lambda = %g%+gi: R = %.12g%+.12gi, largest modulus %.12g\n", q->at[0], q->at[1],
                   creal(R), cimag(R), gt_amplifier_largest(&w->a, z));
    }
    printf("    negative real axis   %s\n", number(-f->real_limit, "", buffer));
    printf("    imaginary axis       %s\n", number(f->imag_limit, "", buffer));
    for (int i = 0; i < f->n_gaps; i++)
        printf("%s%s .. %s", i ? ", " : "    unstable there       ", number(f->gaps[i][0], "", low),
               number(f->gaps[i][1], "", high));
    if (f->n_gaps) putchar('\n');
    for (int i = 0; i < f->n_light; i++)
        printf("%s%s .. %s", i ? ", " : "    with light damping   grows for h omega in ",
               number(f->light[i][0], "", low), number(f->light[i][1], "", high));
    if (f->n_light) putchar('\n');
    printf("    A-stable             %s\n", yes(f->a_stable));
    printf("    L-stable             %s\n", yes(f->l_stable));
    printf("    F-stable             %s\n", yes(f->f_stable));
    gt_fprintf(stdout, "    sector A(theta)      %.10g degrees\n", f->sector_deg);
    printf("    |R| at infinity      %s\n", number(f->r_infinity, "", buffer));
    printf("    stiffly stable       %s", yes(f->stiffly_stable));
    if (f->stiffly_stable) printf(", delta = %s", number(f->delta, "", buffer));
    printf("\n    zero-stable          %s\n", yes(f->zero_stable));
    gt_stability_gap_text(q, w->entry, &w->gap);
}

static double size_of(double complex z, const void *ctx) { return gt_amplifier_largest(ctx, z); }

static int draw(const answer *w, const stability_request *q, gt_arena *arena)
{
    if (q->count == 1 && w->gap.to > 0 && !q->star && !q->window) return gt_stability_gap_plot(q, &w->a, &w->gap);
    const void **ctx = gt_arena_take(arena, q->count, sizeof *ctx);
    double window[4] = {0};
    char title[200];
    if (!ctx) return gt_cli_failed("out of memory");
    for (size_t i = 0; i < q->count; i++) {
        ctx[i] = &w[i].a;
        gt_stability_window(&w[i].boundary, window);
    }
    gt_stability_finish_window(window);
    if (q->star)
        for (int i = 0; i < 4; i++) window[i] = i % 2 ? 6 : -6;
    const double *v = q->window ? q->window : window;
    snprintf(title, sizeof title, q->star ? "Order star of %s%s" : "Stable region of %s%s", w[0].entry->label,
             q->count > 1 ? " and others" : "");
    cli_region region = {.args = q->args,
                         .left = v[0],
                         .right = v[1],
                         .bottom = v[2],
                         .top = v[3],
                         .size = size_of,
                         .ctx = ctx,
                         .star = q->star,
                         .x_label = "Re h lambda",
                         .y_label = "Im h lambda"};
    if (q->count == 1 && !q->star && w[0].relative.count > 1) {
        region.marks = w[0].relative.points;
        region.n_marks = w[0].relative.count;
        region.mark_title = "relative stability";
    }
    return gt_region_plot(q->plot, title, q->entries, q->count, &region);
}

/* At a pole, or where its powers leave the range of double precision, there is no value to print. */
static int check_point(const answer *w, const stability_request *q)
{
    if (!q->has_point) return CLI_OK;
    double complex z = q->at[0] + I * q->at[1], R = gt_amplifier_principal(&w->a, z);
    if (isfinite(creal(R)) && isfinite(cimag(R)) && isfinite(gt_amplifier_largest(&w->a, z))) return CLI_OK;
    return gt_cli_failed("%s: R is not finite at h lambda = %g%+gi: that is a pole, or too large a number",
                         w->entry->label, q->at[0], q->at[1]);
}

int gt_stability_one_rate(const stability_request *q, gt_arena *arena)
{
    answer *w = gt_arena_take(arena, q->count, sizeof *w);
    if (!w) return gt_cli_failed("out of memory");
    int code = CLI_OK;
    for (size_t i = 0; i < q->count && !code; i++) {
        code = find_answer(&q->entries[i], arena, &w[i]);
        if (!code) code = check_point(&w[i], q);
    }
    if (!code && q->plot) code = draw(w, q, arena);
    if (!code && q->out) code = gt_stability_write_curve(q->out, &w[0].boundary);
    if (!code && q->json) {
        code = print_json(w, q);
    } else if (!code) {
        for (size_t i = 0; i < q->count; i++) print_text(&w[i], q);
        if (q->plot) printf("wrote %s\n", q->plot);
    }
    for (size_t i = 0; i < q->count; i++)
        if (w[i].open) gt_amplifier_close(&w[i].a);
    return code;
}

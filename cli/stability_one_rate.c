/* SPDX-License-Identifier: BSD-3-Clause */
/* stability on x' = lambda x: facts, values and figures. */
#include "report_parts.h"
#include "stability_report.h"
#include <complex.h>
#include <math.h>

enum { POINTS = 720, MOST_ANGLES = 360, FEWEST_ANGLES = 72, RAYS = 120 };

typedef struct answer {
    const cli_entry *entry;
    gt_amplifier a;
    bool open;
    gt_stability facts;
    gt_tableau_facts nonlinear; /* where the method is a tableau */
    gt_gap gap;
    gap_view gap_view;
    stability_curve boundary, relative;
    const stability_request *q;
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
    if (status)
        return gt_cli_failed("the facts about %s could not be found: %s", entry->label,
                             gt_status_text(status));
    const gt_tableau *T = entry->method->tableau;
    if (T && gt_tableau_facts_of(T, &w->nonlinear)) return gt_cli_failed("no tableau");
    w->gap = gt_spectral_gap(&w->a);
    w->gap_view = (gap_view){w->q, entry, &w->gap};
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

/* ---- the report ---- */

static const answer *answer_of(const void *data) { return data; }

static double complex point_of(const answer *w) { return w->q->at[0] + I * w->q->at[1]; }

static const char *source_of(const gt_amplifier *a)
{
    if (a->kind == GT_BY_FUNCTION)
        return a->from_runs ? "search along lines, by runs" : "search along lines";
    if (a->from_runs) return "ratio of polynomials identified from runs";
    return a->kind == GT_BY_FORMULA ? "characteristic polynomial" : "ratio of polynomials";
}

static void get_source(const void *data, report_value *out)
{
    out->text = source_of(&answer_of(data)->a);
}

static void say_heading(const void *data, report_text *out)
{
    const answer *w = data;
    gt_report_say(out, "%s, order %d, from its %s", w->entry->label, w->facts.order,
                  source_of(&w->a));
}

static void get_options(const void *data, report_value *out)
{
    const answer *w = data;
    gt_report_params(out, w->entry->method->options, &w->a.options);
}

static void put_complex(double complex z, report_value *out)
{
    out->pair[0] = creal(z);
    out->pair[1] = cimag(z);
}

static bool has_point(const void *data) { return answer_of(data)->q->has_point; }

static void get_R(const void *data, report_value *out)
{
    put_complex(gt_amplifier_principal(&answer_of(data)->a, point_of(data)), out);
}

static void get_abs(const void *data, report_value *out)
{
    out->number = gt_amplifier_largest(&answer_of(data)->a, point_of(data));
}

static bool has_roots(const void *data)
{
    return has_point(data) && answer_of(data)->a.kind == GT_BY_FORMULA;
}

static bool each_root(const void *data, size_t i, report_value *out)
{
    double complex w[GT_MAX_PAST];
    int count = gt_amplifier_roots(&answer_of(data)->a, point_of(data), w);
    if (i >= (size_t)count) return false;
    put_complex(w[i], out);
    return true;
}

static void say_point(const void *data, report_text *out)
{
    const answer *w = data;
    const double *at = w->q->at;
    double complex z = point_of(w), R = gt_amplifier_principal(&w->a, z);
    gt_report_say(out, "    at h lambda = %g%+gi: R = %.12g%+.12gi, largest modulus %.12g", at[0],
                  at[1], creal(R), cimag(R), gt_amplifier_largest(&w->a, z));
}

static void say_number(report_text *out, double value)
{
    if (isinf(value))
        gt_report_say(out, "unbounded");
    else if (!isnan(value))
        gt_report_say(out, "%.12g", value + 0.0);
}

/* Bands of the imaginary axis: a list of [low, high], of which a bound may be "unbounded". */
static void say_bands(report_text *out, const double bands[][2], int count)
{
    for (int i = 0; i < count; i++) {
        if (i) gt_report_say(out, ", ");
        say_number(out, bands[i][0]);
        gt_report_say(out, " .. ");
        say_number(out, bands[i][1]);
    }
}

static void say_gaps(const void *data, report_text *out)
{
    const gt_stability *f = &answer_of(data)->facts;
    say_bands(out, f->gaps, f->n_gaps);
}

static void say_light(const void *data, report_text *out)
{
    const gt_stability *f = &answer_of(data)->facts;
    if (f->n_light) gt_report_say(out, "grows for h omega in ");
    say_bands(out, f->light, f->n_light);
}

static bool each_gap(const void *data, size_t i, report_value *out)
{
    out->data = answer_of(data)->facts.gaps[i < GT_MAX_GAPS ? i : 0];
    return i < (size_t)answer_of(data)->facts.n_gaps;
}

static bool each_light(const void *data, size_t i, report_value *out)
{
    out->data = answer_of(data)->facts.light[i < GT_MAX_GAPS ? i : 0];
    return i < (size_t)answer_of(data)->facts.n_light;
}

static bool each_bound(const void *data, size_t i, report_value *out)
{
    return gt_report_number_entry(data, 2, i, out);
}

static const report_field band = {.type = REPORT_LIST, .each = each_bound, .entry = REPORT_LIMIT};

static void say_stiffly(const void *data, report_text *out)
{
    const gt_stability *f = &answer_of(data)->facts;
    gt_report_say(out, "%s", f->stiffly_stable ? "yes, delta = " : "no");
    if (f->stiffly_stable) say_number(out, f->delta);
}

static bool each_boundary(const void *data, size_t i, report_value *out)
{
    return gt_stability_each_point(&answer_of(data)->boundary, i, out);
}

static bool each_relative(const void *data, size_t i, report_value *out)
{
    return gt_stability_each_point(&answer_of(data)->relative, i, out);
}

static bool is_tableau(const void *data) { return answer_of(data)->entry->method->tableau; }

static void say_decided(report_text *out, bool yes, bool exact)
{
    gt_report_say(out, "%s%s", yes ? "yes" : "no", yes && !exact ? ", within rounding" : "");
}

static void say_algebraic(const void *data, report_text *out)
{
    const gt_tableau_facts *f = &answer_of(data)->nonlinear;
    say_decided(out, f->algebraically_stable, f->exact);
}

static void say_symplectic(const void *data, report_text *out)
{
    const gt_tableau_facts *f = &answer_of(data)->nonlinear;
    say_decided(out, f->symplectic, f->exact);
}

static void say_symmetric(const void *data, report_text *out)
{
    const gt_tableau_facts *f = &answer_of(data)->nonlinear;
    say_decided(out, f->symmetric, f->exact);
}

/* "3/2", "0", "unbounded", or the number. */
static void say_ssp(const void *data, report_text *out)
{
    const gt_tableau_facts *f = &answer_of(data)->nonlinear;
    char text[48];
    gt_ratio_print(f->ssp_ratio, text, sizeof text);
    if (f->ssp_ratio.den)
        gt_report_say(out, "%s", text);
    else
        say_number(out, f->ssp);
}

static void get_ssp_fraction(const void *data, report_value *out)
{
    const gt_tableau_facts *f = &answer_of(data)->nonlinear;
    out->ratio = f->ssp_ratio;
    if (!f->ssp_ratio.den) out->type = REPORT_END;
}

static bool is_formula(const void *data) { return answer_of(data)->a.kind == GT_BY_FORMULA; }

static const report_field answer_fields[] = {
    REPORT_TEXT("", say_heading),
    REPORT_KEY("method", "its name",
               REPORT_VIA2(answer, entry, cli_entry, method, gt_method, name)),
    REPORT_KEY("options", "of the method, by name", .type = REPORT_MAP, .get = get_options,
               .each = gt_report_each_param, .entry = REPORT_ANY),
    REPORT_KEY("source", "what the facts come from", .type = REPORT_STRING, .get = get_source),
    REPORT_KEY("order", "of the method on x' = lambda x", REPORT_AT(answer, facts.order)),
    REPORT_KEY("at", "with --at: h lambda", .via = {offsetof(answer, q) + 1},
               REPORT_AS(PAIR, stability_request, at), .when = has_point, .label = "",
               .say = say_point),
    REPORT_KEY("R", "with --at: the amplification factor, of a formula its principal root",
               .type = REPORT_PAIR, .get = get_R, .when = has_point),
    REPORT_KEY("abs", "with --at: its modulus, of a formula the largest of all roots",
               .type = REPORT_NUMBER, .get = get_abs, .when = has_point),
    REPORT_KEY("roots", "with --at, of a formula: all of them", .type = REPORT_LIST,
               .each = each_root, .entry = REPORT_PAIR, .when = has_roots),
    REPORT_KEY("real_limit", "end of the stable part of the negative real axis",
               REPORT_AS(LIMIT, answer, facts.real_limit), .factor = -1,
               .label = "    negative real axis  ", .format = "%.12g"),
    REPORT_KEY("imag_limit", "end of the stable part of the imaginary axis",
               REPORT_AS(LIMIT, answer, facts.imag_limit), .label = "    imaginary axis      ",
               .format = "%.12g"),
    REPORT_KEY("imag_unstable", "bands of the imaginary axis below that which are not stable",
               .type = REPORT_LIST, .each = each_gap, .list = &band,
               .label = "    unstable there      ", .say = say_gaps),
    REPORT_KEY("light_damping_unstable", "bands of h omega that grow when lightly damped",
               .type = REPORT_LIST, .each = each_light, .list = &band,
               .label = "    with light damping  ", .say = say_light),
    REPORT_KEY("a_stable", "in all of the left half plane", REPORT_AT(answer, facts.a_stable),
               .label = "    A-stable            "),
    REPORT_KEY("l_stable", "and R vanishes at infinity", REPORT_AT(answer, facts.l_stable),
               .label = "    L-stable            "),
    REPORT_KEY("f_stable", "in exactly the left half plane", REPORT_AT(answer, facts.f_stable),
               .label = "    F-stable            "),
    REPORT_KEY("sector_deg", "half the angle of A(theta)-stability",
               REPORT_AT(answer, facts.sector_deg), .label = "    sector A(theta)     ",
               .format = "%.10g", .unit = "degrees"),
    REPORT_KEY("r_infinity", "|R| at infinity", REPORT_AS(LIMIT, answer, facts.r_infinity),
               .label = "    |R| at infinity     ", .format = "%.12g"),
    REPORT_KEY("stiffly_stable", "left of -delta", REPORT_AT(answer, facts.stiffly_stable),
               .label = "    stiffly stable      ", .say = say_stiffly),
    REPORT_KEY("delta", "of stiff stability; null: it is not stiffly stable",
               REPORT_AT(answer, facts.delta)),
    REPORT_KEY("zero_stable", "at h = 0", REPORT_AT(answer, facts.zero_stable),
               .label = "    zero-stable         "),
    REPORT_KEY("algebraically_stable", "of a tableau: also on nonlinear contractive problems",
               REPORT_AT(answer, nonlinear.algebraically_stable), .when = is_tableau,
               .label = "    algebraically stable", .say = say_algebraic),
    REPORT_KEY("symplectic", "of a tableau: keeps quadratic invariants",
               REPORT_AT(answer, nonlinear.symplectic), .when = is_tableau,
               .label = "    symplectic          ", .say = say_symplectic),
    REPORT_KEY("symmetric", "of a tableau: a step back undoes a step",
               REPORT_AT(answer, nonlinear.symmetric), .when = is_tableau,
               .label = "    symmetric           ", .say = say_symmetric),
    REPORT_KEY("ssp", "of a tableau: what Euler's method keeps up to h it keeps up to ssp h",
               REPORT_AS(LIMIT, answer, nonlinear.ssp), .when = is_tableau,
               .label = "    SSP coefficient     ", .say = say_ssp),
    REPORT_KEY("ssp_fraction", "the same where it is a fraction; null: it is none that is known",
               .type = REPORT_RATIO, .get = get_ssp_fraction, .nullable = true, .when = is_tableau),
    REPORT_KEY("nonlinear_exact", "of a tableau: these were decided in fractions",
               REPORT_AT(answer, nonlinear.exact), .when = is_tableau),
    REPORT_KEY("boundary", "of the stable region", .type = REPORT_LIST, .each = each_boundary,
               .entry = REPORT_PAIR),
    REPORT_PART(gt_stability_gap_fields, .offset = offsetof(answer, gap_view)),
    REPORT_KEY("relative_boundary", "of a formula: where the principal root is the largest",
               .type = REPORT_LIST, .each = each_relative, .entry = REPORT_PAIR,
               .when = is_formula),
    {.type = REPORT_END},
};

static void get_answer(const void *data, report_value *out)
{
    const report_item *item = data;
    out->data = (const answer *)item->of + item->i;
}

const report_field gt_stability_one_rate_fields[] = {
    REPORT_PART(answer_fields, .get = get_answer),
    {.type = REPORT_END},
};

static double size_of(double complex z, const void *ctx) { return gt_amplifier_largest(ctx, z); }

static int draw(const answer *w, const stability_request *q, gt_arena *arena)
{
    if (q->count == 1 && w->gap.to > 0 && !q->star && !q->window)
        return gt_stability_gap_plot(q, &w->a, &w->gap);
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
    snprintf(title, sizeof title, q->star ? "Order star of %s%s" : "Stable region of %s%s",
             w[0].entry->label, q->count > 1 ? " and others" : "");
    cli_region region = gt_stability_region(q, window);
    region.star = q->star;
    region.size = size_of;
    region.ctx = ctx;
    region.x_label = "Re h lambda";
    region.y_label = "Im h lambda";
    if (q->count == 1 && !q->star && w[0].relative.count > 1) {
        region.marks = w[0].relative.points;
        region.n_marks = w[0].relative.count;
        region.mark_title = "relative stability";
    }
    return gt_region_plot(q->plot, title, q->entries, q->count, &region);
}

/* At a pole, or where its powers leave the range of double precision, there is no value to print.
 */
static int check_point(const answer *w, const stability_request *q)
{
    if (!q->has_point) return CLI_OK;
    double complex z = q->at[0] + I * q->at[1], R = gt_amplifier_principal(&w->a, z);
    if (isfinite(creal(R)) && isfinite(cimag(R)) && isfinite(gt_amplifier_largest(&w->a, z)))
        return CLI_OK;
    return gt_cli_failed(
        "%s: R is not finite at h lambda = %g%+gi: that is a pole, or too large a number",
        w->entry->label, q->at[0], q->at[1]);
}

int gt_stability_one_rate(const stability_request *q, gt_arena *arena)
{
    answer *w = gt_arena_take(arena, q->count, sizeof *w);
    if (!w) return gt_cli_failed("out of memory");
    int code = CLI_OK;
    for (size_t i = 0; i < q->count && !code; i++) {
        w[i].q = q;
        code = find_answer(&q->entries[i], arena, &w[i]);
        if (!code) code = check_point(&w[i], q);
    }
    if (!code && q->plot) code = draw(w, q, arena);
    if (!code) code = gt_stability_give(q, gt_stability_one_rate_fields, w, &w[0].boundary);
    for (size_t i = 0; i < q->count; i++)
        if (w[i].open) gt_amplifier_close(&w[i].a);
    return code;
}

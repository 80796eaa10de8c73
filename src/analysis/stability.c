/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The facts about stability. The moduli of the roots are subharmonic away from poles, so a region
 * is stable when its boundary is and there is no pole in it: the left half plane (A-stability), a
 * sector round the negative real axis (A(theta)-stability) and the half plane Re z <= delta (stiff
 * stability) need one line each, and the largest sector and half plane are found by bisection, as
 * smaller ones are contained in larger ones.
 */
#include "exact/polynomial.h"
#include <geartrain/analysis/stability.h>
#include <math.h>

typedef struct poles {
    int count;
    double complex at[GT_MAX_DEGREE];
} poles;

static void find_poles(const gt_amplifier *a, poles *p)
{
    *p = (poles){0};
    if (a->kind == GT_BY_FORMULA) {
        if (a->sigma[a->steps] != 0) p->at[p->count++] = a->rho[a->steps] / a->sigma[a->steps];
        return;
    }
    double complex den[GT_MAX_DEGREE + 1];
    p->count = a->ratio.den_degree;
    for (int k = 0; k <= p->count; k++) den[k] = a->ratio.den[k];
    gt_poly_roots(den, p->count, p->at, false);
}

static bool line_is_stable(const gt_amplifier *a, double complex z0, double complex d)
{
    gt_line line;
    gt_stability_line(a, z0, d, &line);
    return line.cuts == 0 && line.stable[0];
}

/* The sector |arg(-z)| <= angle. */
static bool sector_is_stable(const gt_amplifier *a, const poles *p, double angle)
{
    for (int i = 0; i < p->count; i++)
        if (fabs(carg(-p->at[i])) < angle - 1e-12) return false;
    double complex d = angle == acos(0.0) ? I : -cos(angle) + I * sin(angle);
    return line_is_stable(a, 0, d);
}

static bool half_plane_is_stable(const gt_amplifier *a, const poles *p, double delta)
{
    for (int i = 0; i < p->count; i++)
        if (creal(p->at[i]) < delta) return false;
    return line_is_stable(a, delta, I);
}

static double largest_sector(const gt_amplifier *a, const poles *p)
{
    double low = 0, high = acos(0.0);
    if (sector_is_stable(a, p, high)) return 90;
    if (!sector_is_stable(a, p, 1e-9)) return 0;
    for (int k = 0; k < 60; k++) {
        double middle = low + (high - low) / 2;
        if (sector_is_stable(a, p, middle))
            low = middle;
        else
            high = middle;
    }
    return low * 90 / acos(0.0);
}

static double largest_half_plane(const gt_amplifier *a, const poles *p)
{
    double low = -1e-3, high = 0;
    if (half_plane_is_stable(a, p, 0)) return 0;
    while (!half_plane_is_stable(a, p, low)) {
        high = low;
        low *= 2;
        if (low < -1e6) return NAN;
    }
    while (high - low > 1e-13 * fabs(low)) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) break;
        if (half_plane_is_stable(a, p, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double modulus_at_infinity(const gt_amplifier *a)
{
    if (a->kind == GT_BY_RATIO) {
        const gt_rational *R = &a->ratio;
        if (R->num_degree > R->den_degree) return INFINITY;
        return R->num_degree < R->den_degree ? 0
                                             : fabs(R->num[R->num_degree] / R->den[R->den_degree]);
    }
    double complex sigma[GT_MAX_PAST + 1], w[GT_MAX_PAST];
    double largest = 0;
    int low = 0;
    if (a->sigma[a->steps] == 0) return INFINITY;
    while (a->sigma[low] == 0) low++; /* roots that are 0 */
    for (int i = low; i <= a->steps; i++) sigma[i - low] = a->sigma[i];
    gt_poly_roots(sigma, a->steps - low, w, false);
    for (int i = 0; i < a->steps - low; i++) largest = fmax(largest, cabs(w[i]));
    return largest;
}

/* The root condition at z = 0: none outside the unit circle, and those on it simple. */
static bool zero_stable(const gt_amplifier *a)
{
    double complex w[GT_MAX_PAST];
    if (a->kind != GT_BY_FORMULA) return true;
    gt_amplifier_roots(a, 0, w);
    for (int i = 0; i < a->steps; i++) {
        if (cabs(w[i]) > 1 + 1e-6) return false;
        for (int j = 0; j < i; j++)
            if (cabs(w[i]) > 1 - 1e-6 && cabs(w[i] - w[j]) < 1e-4) return false;
    }
    return true;
}

static double limit_of(const gt_line *line)
{
    if (!line->stable[0]) return 0;
    return line->cuts ? line->at[0] : INFINITY;
}

static void collect_gaps(const gt_line *line, gt_stability *facts)
{
    for (int i = 0; i <= line->cuts && facts->n_gaps < GT_MAX_GAPS; i++) {
        if (line->stable[i]) continue;
        facts->gaps[facts->n_gaps][0] = i ? line->at[i - 1] : 0;
        facts->gaps[facts->n_gaps++][1] = i < line->cuts ? line->at[i] : INFINITY;
    }
}

static double size_of(double complex z, const void *ctx) { return gt_amplifier_largest(ctx, z); }

/* R can be evaluated only: what a search outwards along lines can tell. */
static void search_facts(const gt_amplifier *a, gt_stability *facts)
{
    facts->real_limit = gt_search_limit(size_of, a, -1);
    facts->imag_limit = gt_search_limit(size_of, a, I);
    facts->r_infinity =
        gt_amplifier_largest(a, a->from_runs ? -1e6 : -1e15); /* runs do not reach further */
    facts->delta = NAN;
    double low = 0, high = 90, unit = acos(0.0) / 90;
    if (isinf(facts->imag_limit))
        low = 90;
    else
        facts->gaps[0][0] = facts->imag_limit, facts->gaps[0][1] = INFINITY, facts->n_gaps = 1;
    for (int k = 0; k < 40 && low < 90 && isinf(facts->real_limit); k++) {
        double middle = low + (high - low) / 2;
        if (isinf(gt_search_limit(size_of, a, -cos(middle * unit) + I * sin(middle * unit))))
            low = middle;
        else
            high = middle;
    }
    facts->sector_deg = low;
    facts->a_stable = low == 90 && isinf(facts->real_limit);
    facts->l_stable = facts->a_stable && facts->r_infinity < 1e-5;
    facts->stiffly_stable = facts->a_stable;
    if (facts->a_stable) facts->delta = 0;
}

gt_status gt_stability_facts(const gt_amplifier *a, gt_stability *facts)
{
    GT_ARMOR(NULL, a && facts);
    *facts = (gt_stability){.order = gt_method_facts(a->method, a->options.v).order,
                            .zero_stable = zero_stable(a)};
    if (a->kind == GT_BY_FUNCTION) {
        search_facts(a, facts);
        return GT_OK;
    }
    gt_line real, imag;
    poles p;
    find_poles(a, &p);
    gt_stability_line(a, 0, -1, &real);
    gt_stability_line(a, 0, I, &imag);
    facts->real_limit = limit_of(&real);
    facts->imag_limit = limit_of(&imag);
    collect_gaps(&imag, facts);
    facts->sector_deg = largest_sector(a, &p);
    facts->a_stable = facts->sector_deg == 90;
    facts->r_infinity = modulus_at_infinity(a);
    facts->l_stable = facts->a_stable && facts->r_infinity == 0;
    facts->f_stable = facts->a_stable && imag.neutral;
    if (imag.neutral && a->kind == GT_BY_RATIO)
        facts->n_light = gt_light_damping_bands(&a->ratio, facts->light, GT_MAX_GAPS);
    facts->delta = largest_half_plane(a, &p);
    facts->stiffly_stable = facts->zero_stable && !isnan(facts->delta);
    return GT_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The boundary of the stable region. A root w = exp(i theta) occurs where
 *
 *     num(z) - w den(z) = 0,  or  z = rho(w) / sigma(w),
 *
 * so the whole locus is found by going round the unit circle; of a formula only the points are kept
 * at which no other root is larger. The roots z of one theta are the guesses for the next, which
 * keeps neighbours together.
 *
 * Where R can be evaluated only, rays from the origin are searched.
 */
#include "exact/polynomial.h"
#include <geartrain/analysis/stability.h>
#include <geartrain/author/number.h>
#include <math.h>

typedef struct sheet {
    double *points;
    size_t room, count;
} sheet;

static void put(sheet *s, double re, double im)
{
    if (s->count == s->room) return;
    s->points[2 * s->count] = re;
    s->points[2 * s->count++ + 1] = im;
}

static double angle_of(int k, int angles) { return 2 * GT_PI * k / angles; }

static void ratio_boundary(const gt_rational *R, int angles, sheet *s)
{
    int degree = R->num_degree > R->den_degree ? R->num_degree : R->den_degree;
    double complex p[GT_MAX_DEGREE + 1], z[GT_MAX_DEGREE];
    size_t stretch = (size_t)angles + 2, first = s->count;
    if (s->room < (size_t)degree * stretch) return;
    s->count = (size_t)degree * stretch;
    bool guess = false;
    for (int k = 0; k <= angles; k++) {
        double theta = angle_of(k, angles);
        for (int i = 0; i <= degree; i++)
            p[i] = R->num[i] - (cos(theta) + I * sin(theta)) * R->den[i];
        bool whole =
            cabs(p[degree]) > 1e-12 * (fabs(R->num[degree]) +
                                       fabs(R->den[degree])); /* else a branch passes infinity */
        if (whole) gt_poly_roots(p, degree, z, guess);
        guess = whole;
        for (int i = 0; i < degree; i++) {
            double *at = s->points + 2 * (first + (size_t)i * stretch + (size_t)k);
            at[0] = whole ? creal(z[i]) : NAN;
            at[1] = whole ? cimag(z[i]) : NAN;
        }
    }
    for (int i = 0; i < degree; i++) {
        double *end = s->points + 2 * (first + (size_t)i * stretch + stretch - 1);
        end[0] = end[1] = NAN;
    }
}

static void formula_boundary(const gt_amplifier *a, int angles, sheet *s)
{
    for (int k = 0; k <= angles; k++) {
        double theta = angle_of(k, angles);
        double complex w = cos(theta) + I * sin(theta),
                       below = gt_poly_value(a->sigma, a->steps, w);
        double complex z = gt_poly_value(a->rho, a->steps, w) / below;
        bool bounds = cabs(below) > 1e-9 && gt_amplifier_largest(a, z) <= 1 + 1e-9;
        put(s, bounds ? creal(z) : NAN, bounds ? cimag(z) : NAN);
    }
}

static double size_of(double complex z, const void *ctx) { return gt_amplifier_largest(ctx, z); }

static void function_boundary(const gt_amplifier *a, int angles, sheet *s)
{
    for (int k = 0; k <= angles; k++) {
        double complex d = cos(angle_of(k, angles)) + I * sin(angle_of(k, angles));
        double r = gt_search_limit(size_of, a, d);
        put(s, isinf(r) ? NAN : r * creal(d), isinf(r) ? NAN : r * cimag(d));
    }
}

size_t gt_stability_boundary(const gt_amplifier *a, int angles, double *points, size_t room)
{
    if (!a || !points) return 0;
    sheet s = {.points = points, .room = room};
    if (a->kind == GT_BY_RATIO)
        ratio_boundary(&a->ratio, angles, &s);
    else if (a->kind == GT_BY_FORMULA)
        formula_boundary(a, angles, &s);
    else
        function_boundary(a, angles, &s);
    return s.count;
}

/* The principal root at z, near to what it was at the point before, and by how much the largest
 * other one exceeds it.
 */
static double excess(const gt_amplifier *a, double complex z, double complex *principal)
{
    double complex w[GT_MAX_PAST];
    double other = 0;
    int count = gt_amplifier_roots(a, z, w), nearest = gt_poly_nearest(w, count, *principal);
    for (int i = 0; i < count; i++)
        if (i != nearest) other = fmax(other, cabs(w[i]));
    *principal = w[nearest];
    return other - cabs(w[nearest]);
}

static double first_excess(const gt_amplifier *a, double complex d, double reach)
{
    double complex principal = 1, there;
    double inside = 0, step = 0.01;
    for (double r = step; r <= reach; r += step) {
        there = principal;
        if (excess(a, r * d, &there) < 0) {
            inside = r;
            principal = there;
            continue;
        }
        double outside = r;
        while (outside - inside > 1e-13 * outside) {
            double middle = inside + (outside - inside) / 2;
            if (middle <= inside || middle >= outside) break;
            there = principal;
            if (excess(a, middle * d, &there) < 0)
                inside = middle, principal = there;
            else
                outside = middle;
        }
        return inside;
    }
    return INFINITY;
}

size_t gt_relative_boundary(const gt_amplifier *a, int rays, double reach, double *points)
{
    if (!a || !points) return 0;
    size_t count = 0;
    if (a->kind != GT_BY_FORMULA || a->steps < 2) return 0;
    for (int k = 0; k <= rays; k++) {
        double complex d = cos(angle_of(k, rays)) + I * sin(angle_of(k, rays));
        double r = first_excess(a, d, reach);
        if (isinf(r)) continue;
        points[2 * count] = r * creal(d);
        points[2 * count++ + 1] = r * cimag(d);
    }
    return count;
}

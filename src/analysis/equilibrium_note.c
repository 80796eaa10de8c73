/* SPDX-License-Identifier: BSD-3-Clause */
#include "analysis/equilibrium_note.h"
#include "linalg/null_space.h"
#include <math.h>

enum { MAX_TERMS = 6, MAX_COMBINATIONS = 3, MAX_NAMES = 4 };

/* "y1 + 2 y2 - y3" */
static void say_combination(const gt_problem *p, const double *v, double negligible,
                            gt_message *note)
{
    char buffer[24];
    int terms = 0, more = 0;
    size_t n = gt_problem_size(p);
    for (size_t i = 0; i < n; i++) {
        if (fabs(v[i]) <= negligible) continue;
        if (terms == MAX_TERMS) {
            more++;
            continue;
        }
        const char *sign = v[i] < 0 ? (terms ? " - " : "-") : (terms ? " + " : "");
        if (fabs(fabs(v[i]) - 1) <= negligible)
            gt_say_more(note, "%s%s", sign, gt_problem_state_name(p, i, buffer));
        else
            gt_say_more(note, "%s%.4g %s", sign, fabs(v[i]), gt_problem_state_name(p, i, buffer));
        terms++;
    }
    if (more) gt_say_more(note, " and %d more", more);
}

static int terms_of(size_t n, const double *v, double negligible)
{
    int terms = 0;
    for (size_t i = 0; i < n; i++) terms += fabs(v[i]) > negligible;
    return terms;
}

/* Up to three combinations; where one of them is too long to be read, how many there are and which
 * states are in them.
 */
static void say_combinations(const gt_problem *p, const double *vectors, size_t count,
                             double negligible, gt_message *note)
{
    char buffer[24];
    size_t n = gt_problem_size(p), named = 0, others = 0;
    bool brief = true;
    for (size_t k = 0; k < count && k < MAX_COMBINATIONS; k++)
        brief = brief && terms_of(n, vectors + k * n, negligible) <= MAX_TERMS;
    for (size_t k = 0; k < count && k < MAX_COMBINATIONS && brief; k++) {
        if (k) gt_say_more(note, "; ");
        say_combination(p, vectors + k * n, negligible, note);
    }
    if (brief && count > MAX_COMBINATIONS)
        gt_say_more(note, "; and %zu more", count - MAX_COMBINATIONS);
    if (brief) return;
    gt_say_more(note, count > 1 ? "each of %zu sums of multiples of " : "a sum of multiples of ",
                count);
    for (size_t i = 0; i < n; i++) {
        bool there = false;
        for (size_t k = 0; k < count; k++) there = there || fabs(vectors[k * n + i]) > negligible;
        if (there && named < MAX_NAMES)
            gt_say_more(note, "%s%s", named++ ? ", " : "", gt_problem_state_name(p, i, buffer));
        else
            others += there;
    }
    if (others) gt_say_more(note, " and %zu other states", others);
}

static size_t null_vectors(const gt_matrix *J, bool left, double tol, double *vectors,
                           gt_arena *arena)
{
    double *dense = gt_arena_doubles(arena, J->n * J->n);
    if (!dense) return 0;
    gt_matrix_to_dense(J, left, dense);
    return gt_null_space(J->n, dense, tol, vectors, arena);
}

/* A point near x at which nothing vanishes by accident. */
static void move_off(size_t n, const double *x, double *moved)
{
    for (size_t i = 0; i < n; i++) {
        double golden = fmod(0.618033988749895 * (double)(i + 1), 1.0);
        moved[i] = x[i] + 0.01 * (1 + golden) * fmax(fabs(x[i]), 1);
    }
}

/* How fast a combination of rows changes; 0 when that is round-off. */
static double rate_of(size_t n, const double *v, const double *f, double tol)
{
    double sum = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        sum += v[i] * f[i];
        size += fabs(v[i] * f[i]);
    }
    return fabs(sum) > 1e4 * tol * size ? sum : 0;
}

/* What the combination v of rows is at points further off: on the other side of zero, and far out.
 * It has derivative zero where it was looked at, and yet may jump: as sign(x) does. */
static double rate_elsewhere(gt_stepper *s, double t, const double *x, const double *v, double tol,
                             double rate, double *moved, double *f)
{
    static const double far[] = {-1, -100, 100};
    for (size_t k = 0; k < sizeof far / sizeof *far; k++) {
        for (size_t i = 0; i < s->n; i++) moved[i] = far[k] * x[i];
        if (gt_rhs(s, t, moved, f)) continue;
        double there = rate_of(s->n, v, f, tol);
        if (isfinite(there) && fabs(there - rate) > 1e4 * tol * fabs(rate)) return there;
    }
    return rate;
}

/* Combinations of rows that no state changes at the point x, so most likely nowhere; f is that at
 * the point, and its place is used. */
static bool say_dependent(const gt_problem *p, gt_stepper *s, double t, const double *x,
                          const gt_matrix *J, double *f, double tol, double *vectors,
                          gt_arena *arena, gt_message *note)
{
    size_t n = J->n, count = null_vectors(J, true, tol, vectors, arena);
    if (!count) return false;
    for (size_t k = 0; k < count; k++) {
        double rate = rate_of(n, vectors + k * n, f, tol);
        if (rate == 0) continue;
        double *moved = gt_arena_doubles(arena, n);
        double there = moved ? rate_elsewhere(s, t, x, vectors + k * n, tol, rate, moved, f) : rate;
        if (there != rate) {
            gt_say_more(note, "the equations jump: those of ");
            say_combination(p, vectors + k * n, 1e4 * tol, note);
            gt_say_more(note,
                        " give %.4g here and %.4g elsewhere, with slope zero, which leads Newton "
                        "nowhere; a solution may rest where they jump, which `run` shows",
                        rate, there);
            return true;
        }
        gt_say_more(note, "the equations contradict each other: those of ");
        say_combination(p, vectors + k * n, 1e4 * tol, note);
        gt_say_more(note, " give %.4g whatever the states are, so there is no steady state", rate);
        return true;
    }
    gt_say_more(note, "the equations are dependent: ");
    say_combinations(p, vectors, count, 1e4 * tol, note);
    gt_say_more(note, p->mass || p->n_alg ? " (each name standing for its equation) is zero "
                                            "everywhere, so the steady state is not unique"
                                          : " never changes, so the steady state is not unique: it "
                                            "depends on the initial values");
    return true;
}

bool gt_equilibrium_note(const gt_problem *p, const gt_jacobian *jac, gt_stepper *s, double t,
                         const double *x, gt_matrix *J, gt_arena *arena, gt_message *note)
{
    size_t n = J->n;
    if (n > GT_NULL_SPACE_MAX) return false;
    const double tol = p->jac ? 1e-12 : 1e-7;
    double *here = gt_arena_doubles(arena, n * n), *off = gt_arena_doubles(arena, n * n);
    double *moved = gt_arena_doubles(arena, n), *f = gt_arena_doubles(arena, n);
    if (!here || !off || !moved || !f || gt_jacobian_evaluate(jac, s, t, x, J)) return false;
    if (!null_vectors(J, false, tol, here, arena)) return false;

    move_off(n, x, moved);
    if (!gt_rhs(s, t, moved, f) && !gt_jacobian_evaluate(jac, s, t, moved, J) &&
        say_dependent(p, s, t, moved, J, f, tol, off, arena, note))
        return true;
    gt_say_more(note, "the Jacobian is singular at the steady state, in the direction of ");
    say_combination(p, here, 1e4 * tol, note);
    gt_say_more(note, ": the steady state is not a simple one there");
    return true;
}

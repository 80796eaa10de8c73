/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Methods by the work that a run to the end would take. Steps are those that accuracy demands at
 * the order of the method, or stability where that is more; each costs what gt_step_cost counts.
 * The numbers are right to a factor of a few, which is enough: where methods differ by less, it
 * does not matter much.
 */
#include "analysis/advice.h"
#include <assert.h>
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* |R - R of the comparison solution| of a Runge-Kutta method at z; NAN: it has none. */
static double estimate_at(const gt_method *method, double complex z)
{
    gt_tableau other = *method->tableau;
    gt_method shadow = {.tableau = &other};
    double complex R, R_hat;
    memcpy(other.b, other.b_hat, sizeof other.b);
    if (gt_amplification(&shadow, NULL, z, &R_hat)) return NAN;
    memcpy(other.b, method->tableau->b, sizeof other.b);
    return gt_amplification(&shadow, NULL, z, &R) ? NAN : cabs(R - R_hat);
}

gt_error_law gt_error_law_of(const gt_method *method, const gt_facts *facts,
                             const gt_amplifier *amplifier, int order)
{
    assert(method && facts);
    assert(order >= 1);
    double z = order > 6 ? -0.5 : -0.1, error = NAN;
    gt_error_law law = {.constant = 1.0 / (order + 1),
                        .exponent = order + 1}; /* backward differentiation */
    if (method->tableau && facts->error_order) {
        law.exponent = facts->error_order + 1;
        error = estimate_at(method, z);
    } else if (facts->error_order &&
               facts->error_order < facts->order) { /* a term of the series is the estimate */
        law.exponent = facts->error_order + 1;
        law.constant = 1 / tgamma(law.exponent + 1.0);
    } else if (amplifier) {
        error = cabs(gt_amplifier_principal(amplifier, z) - exp(z));
    }
    if (error > 0) law.constant = error / pow(-z, law.exponent);
    return law;
}

double gt_steps_per_radius(gt_error_law law, double tol)
{
    assert(tol > 0);
    assert(law.exponent >= 1);
    return pow(law.constant * tgamma(law.exponent + 1.0) / tol, 1.0 / law.exponent);
}

double gt_two_digits(double value)
{
    if (!(value > 0) || !isfinite(value)) return value;
    double unit = pow(10, floor(log10(value)) - 1);
    return round(value / unit) * unit;
}

typedef struct outlook {
    const gt_problem *p;
    const gt_advice *a;
    const double *values; /* of all points, those that can matter */
    size_t count;
    double h_explicit;
} outlook;

/* Of eigenvalues in the same direction only the largest matters. Largest first, so that it comes
 * first. */
static size_t outermost(const gt_advice *a, double *kept, size_t room)
{
    size_t count = 0;
    for (size_t k = 0; k < a->n_points; k++)
        for (size_t j = 0; j < a->points[k].count; j++) {
            double re = a->points[k].values[2 * j], im = fabs(a->points[k].values[2 * j + 1]);
            double angle = atan2(im, -re), size = hypot(re, im);
            if (re > 0 || size == 0) continue;
            size_t i = 0;
            while (i < count && fabs(atan2(kept[2 * i + 1], -kept[2 * i]) - angle) > 2e-3) i++;
            if (i == room || (i < count && hypot(kept[2 * i], kept[2 * i + 1]) >= size)) continue;
            kept[2 * i] = re;
            kept[2 * i + 1] = im;
            if (i == count) count++;
        }
    return count;
}

/* One method being looked at. */
typedef struct candidate {
    const gt_method *method;
    gt_facts facts;
    const gt_amplifier *amplifier; /* NULL: it has none */
    double cost;
    double accuracy, stability; /* steps that each demands */
    bool by_basin;              /* not stability but the convergence of its iteration */
} candidate;

/* Methods with blocks have no R(z), and their steps are no guide to their work; those of variable
 * order have several, and look after themselves. */
static bool has_no_amplification(const candidate *c)
{
    return !c->amplifier && !(c->facts.flags & GT_VARIABLE_FORMULA);
}

/* Variable order: 4 is typical, and where steps are larger than those of modes near the imaginary
 * axis, formulas above order 2 are not stable. */
static int typical_order(const gt_advice *a, const gt_facts *facts)
{
    int typical = a->rings && a->stiff ? 2 : 4;
    return facts->flags & GT_VARIABLE_FORMULA && typical < facts->order ? typical : facts->order;
}

/* The run along which everything was looked at has shown its own. A method of variable order keeps
 * errors below half of the tolerance, and its steps are on the mean a tenth behind what they could
 * be, since they grow by a fifth at least.
 */
static double steps_for_accuracy(const gt_advice *a, const candidate *c, gt_error_law law)
{
    const double RESERVE = 2, LAG = 1.1;
    bool variable = c->facts.flags & GT_VARIABLE_FORMULA;
    if (variable && c->method == a->method) return (double)a->run.stats.steps;
    if (variable) return a->radii * LAG * gt_steps_per_radius(law, a->rtol / RESERVE);
    return a->radii * gt_steps_per_radius(law, a->rtol) *
           (c->facts.error_order > 0 ? 1 : a->uneven);
}

static double largest_value(const outlook *o)
{
    double most = 0;
    for (size_t i = 0; i < o->count; i++)
        most = fmax(most, hypot(o->values[2 * i], o->values[2 * i + 1]));
    return most;
}

/* The iteration of a backinterpolation step converges for moderate |h lambda| only. */
static void limit_by_basin(const outlook *o, candidate *c, gt_method_advice *m)
{
    double h = c->facts.basin / largest_value(o);
    double steps = o->h_explicit > 0 && isfinite(o->h_explicit)
                       ? o->a->steps_stability * o->h_explicit / h
                       : o->a->span / h;
    if (!(steps > c->stability) || !isfinite(steps)) return;
    c->stability = steps;
    c->by_basin = true;
    if (!(m->h_stable < h)) m->h_stable = h;
}

static gt_status weigh(const outlook *o, candidate *c, gt_method_advice *m)
{
    const gt_advice *a = o->a;
    bool controlled = c->facts.error_order > 0;
    gt_error_law law =
        gt_error_law_of(c->method, &c->facts, c->amplifier, typical_order(a, &c->facts));
    /* An order that holds on some problems only: linearised at every step, such methods still have
     * order 2. */
    if (c->facts.order_problem && !o->p->linear && c->facts.order > 2)
        law = (gt_error_law){1.0 / 6, 3};
    c->accuracy = steps_for_accuracy(a, c, law);
    c->cost = gt_step_cost(o->p, c->method, &c->facts);
    m->h_stable = c->amplifier ? gt_amplifier_step(c->amplifier, o->values, o->count) : NAN;
    /* Explicit formulas of several orders: whichever is taken, h |lambda| ends near 1. */
    if (!c->amplifier && c->facts.kind == GT_KIND_EXPLICIT && c->facts.flags & GT_VARIABLE_FORMULA)
        m->h_stable = 1 / largest_value(o);
    if (has_no_amplification(c) &&
        gt_coupled_limit(o->p, a->points, a->n_points, c->method, NULL, a->span, &m->h_stable))
        return GT_NO_MEMORY;
    m->h_accurate = a->span / c->accuracy;
    if (m->h_stable == 0)
        c->stability = INFINITY;
    else if (isfinite(m->h_stable))
        c->stability = controlled && o->h_explicit > 0 && isfinite(o->h_explicit)
                           ? a->steps_stability * o->h_explicit / m->h_stable
                           : a->span / m->h_stable;
    if (c->facts.basin > 0 && !(o->p->linear && c->facts.flags & GT_USES_JACOBIAN))
        limit_by_basin(o, c, m);
    /* Fast modes that are not damped come back as errors and rejected steps. */
    double ringing =
        a->stiff && c->amplifier && gt_amplifier_largest(c->amplifier, -1e10) > 0.9 ? 2 : 1;
    m->work = has_no_amplification(c) ? NAN : fmax(c->accuracy * ringing, c->stability) * c->cost;
    if (c->facts.kind == GT_KIND_STABILIZED)
        m->work = a->rings && a->stiff
                      ? INFINITY
                      : gt_stabilized_calls(a) * gt_stabilized_cost(o->p, &c->facts);
    return GT_OK;
}

static void praise_implicit(const outlook *o, const candidate *c, gt_message *why)
{
    const gt_advice *a = o->a;
    double edge = c->amplifier ? gt_amplifier_largest(c->amplifier, -1e10) : 0;
    if (c->facts.flags & GT_VARIABLE_FORMULA && a->rings) {
        gt_fail(why, GT_OK,
                "modes of %.3g rad with damping ratio %.2g hold it at orders 1 and 2, higher ones "
                "being "
                "unstable there: about %.7g steps",
                a->frequency, a->damping, gt_two_digits(c->accuracy));
        return;
    }
    if (c->facts.flags & GT_VARIABLE_FORMULA)
        gt_fail(why, GT_OK,
                "stiff, and its stability does not limit the step: about %.7g steps, of the order "
                "that pays",
                gt_two_digits(c->accuracy));
    else
        gt_fail(why, GT_OK,
                "stiff, and its stability does not limit the step: about %.7g steps at order %d",
                gt_two_digits(c->accuracy), c->facts.order);
    if (edge > 0.9) gt_say_more(why, "; fast modes ring on, |R(infinity)| = %.2g", edge);
}

static void say_why_stabilized(const outlook *o, const candidate *c, gt_method_advice *m)
{
    const gt_advice *a = o->a;
    if (m->work == INFINITY)
        gt_fail(&m->why, GT_OK,
                "fast modes swing with damping ratio %.2g, and small steps do not damp them",
                a->damping);
    else if (a->stiff)
        gt_fail(&m->why, GT_OK,
                "small explicit steps damp the fast modes: about %.7g calls of f and no equations",
                gt_two_digits(m->work / gt_stabilized_cost(o->p, &c->facts)));
    else
        gt_fail(&m->why, GT_OK, "nothing is stiff, and it goes like %s",
                gt_method_for(GT_ROLE_NONSTIFF)->name);
}

/* One eigenvalue at a time says nothing; the matrix of a step does, unless the problem is large. */
static void say_why_coupled(gt_method_advice *m)
{
    if (isnan(m->h_stable))
        gt_fail(
            &m->why, GT_OK,
            "what limits its step cannot be seen from one eigenvalue at a time: try --max-step");
    else if (isinf(m->h_stable))
        gt_fail(&m->why, GT_OK, "steps of any size are stable with the blocks coupled as they are");
    else if (m->h_stable == 0)
        gt_fail(&m->why, GT_OK, "with the blocks coupled as they are, modes grow at any step");
    else
        gt_fail(&m->why, GT_OK, "with the blocks coupled as they are, modes grow beyond h = %.3g",
                m->h_stable);
}

/* A band of h omega in which lightly damped modes grow while smaller and larger ones do not:
 * reported for the fastest mode that has one. */
static void warn_of_band(const outlook *o, const candidate *c, gt_message *why)
{
    double omega = 0;
    if (!c->amplifier || c->amplifier->kind != GT_BY_RATIO) return;
    for (size_t i = 0; i < o->count; i++) {
        double re = o->values[2 * i], im = o->values[2 * i + 1];
        if (fabs(re) < 0.2 * im) omega = fmax(omega, im);
    }
    gt_stability facts;
    if (omega == 0 || gt_stability_facts(c->amplifier, &facts)) return;
    double *band = facts.n_light ? facts.light[0] : facts.n_gaps ? facts.gaps[0] : NULL;
    if (!band || band[0] == 0 || isinf(band[1])) return;
    gt_say_more(why,
                "; lightly damped modes with h omega in (%.4g, %.4g) grow: not with h from %.3g to "
                "%.3g here",
                band[0], band[1], band[0] / omega, band[1] / omega);
}

static void say_why(const outlook *o, const candidate *c, gt_method_advice *m)
{
    if (c->facts.kind == GT_KIND_STABILIZED)
        say_why_stabilized(o, c, m);
    else if (has_no_amplification(c))
        say_why_coupled(m);
    else if (c->stability == INFINITY)
        gt_fail(&m->why, GT_OK, "modes without damping grow at any step");
    else if (c->stability > 1.2 * c->accuracy)
        gt_fail(&m->why, GT_OK,
                "%s holds the step at %.3g: about %.7g steps, where accuracy asks for %.7g",
                c->by_basin ? "the convergence of its iteration" : "stability",
                o->a->span / c->stability, gt_two_digits(c->stability), gt_two_digits(c->accuracy));
    else if (c->facts.flags & GT_USES_JACOBIAN && !o->a->stiff && o->p->linear)
        gt_fail(
            &m->why, GT_OK,
            "accuracy limits the step: about %.7g steps at order %d, with linear equations at each",
            gt_two_digits(c->accuracy), typical_order(o->a, &c->facts));
    else if (c->facts.flags & GT_SYMMETRIC && c->facts.functions)
        gt_fail(&m->why, GT_OK,
                "about %.7g steps for the state itself; energies do not drift at fixed steps far "
                "above those",
                gt_two_digits(c->accuracy));
    else if (c->facts.flags & GT_USES_JACOBIAN && !o->a->stiff)
        gt_fail(
            &m->why, GT_OK,
            "accuracy limits the step, and solving equations at each is wasted: about %.7g steps",
            gt_two_digits(c->accuracy));
    else if (c->facts.flags & GT_USES_JACOBIAN)
        praise_implicit(o, c, &m->why);
    else
        gt_fail(&m->why, GT_OK, "accuracy limits the step: about %.7g steps at order %d",
                gt_two_digits(c->accuracy), typical_order(o->a, &c->facts));
    warn_of_band(o, c, &m->why);
    if (!c->facts.error_order && o->a->uneven > 3)
        gt_say_more(&m->why, "; without an error estimate it takes small steps throughout");
}

bool gt_is_robust(const gt_method *method)
{
    gt_values v = gt_params_default(method->options);
    gt_facts facts = gt_method_facts(method, v.v);
    return facts.error_order && (facts.flags & GT_VARIABLE_FORMULA || !gt_has_past(method));
}

/* Good before possible before not; among good ones robust before others; then by work. */
static int by_rank(const void *a, const void *b)
{
    const gt_method_advice *l = a, *r = b;
    if (l->verdict != r->verdict) return l->verdict < r->verdict ? -1 : 1;
    bool robust_l = gt_is_robust(l->method), robust_r = gt_is_robust(r->method);
    if (l->verdict == GT_ADVISED && robust_l != robust_r) return robust_l ? -1 : 1;
    if (isnan(l->work) != isnan(r->work)) return isnan(l->work) ? 1 : -1;
    if (l->work < r->work || l->work > r->work) return l->work < r->work ? -1 : 1;
    return strcmp(l->method->name, r->method->name);
}

static void give_verdicts(gt_method_advice *list, size_t count)
{
    const double GOOD = 4, BEARABLE = 50;
    double best = INFINITY;
    for (size_t k = 0; k < count; k++) best = fmin(best, list[k].work);
    for (size_t k = 0; k < count; k++) {
        double ratio = list[k].work == INFINITY ? INFINITY : list[k].work / best;
        list[k].verdict = ratio <= GOOD      ? GT_ADVISED
                          : ratio > BEARABLE ? GT_NOT_ADVISED
                                             : GT_POSSIBLE; /* NAN too */
        if (isfinite(ratio) && ratio > GOOD)
            gt_say_more(&list[k].why, "; %.7g times the work of the best", gt_two_digits(ratio));
    }
    qsort(list, count, sizeof *list, by_rank);
}

static gt_status look_at(const outlook *o, gt_method_advice *m)
{
    gt_values v = gt_params_default(m->method->options);
    candidate c = {.method = m->method, .facts = gt_method_facts(m->method, v.v)};
    if (gt_method_check(m->method, v.v, o->p, &m->why)) {
        m->work = INFINITY;
        m->h_stable = m->h_accurate = NAN;
        return GT_OK;
    }
    gt_amplifier amplifier;
    gt_status status = gt_amplifier_open(&amplifier, m->method, NULL, NULL);
    if (status == GT_NO_MEMORY) return status;
    if (!status) c.amplifier = &amplifier;
    status = weigh(o, &c, m);
    if (!status) say_why(o, &c, m);
    if (c.amplifier) gt_amplifier_close(&amplifier);
    return status;
}

gt_status gt_advice_rank(const gt_problem *problem, const gt_plan *plan,
                         const gt_method *const *methods, gt_advice *advice, gt_arena *arena,
                         gt_message *message)
{
    assert(problem && methods && advice && arena);
    enum { ROOM = 400 };
    double *values = gt_arena_doubles(arena, 2 * ROOM);
    size_t count = 0;
    while (methods[count]) count++;
    advice->methods = gt_arena_take(arena, count + 1, sizeof *advice->methods);
    if (arena->failed) return gt_fail(message, GT_NO_MEMORY, "out of memory");
    outlook o = {
        .p = problem, .a = advice, .values = values, .count = outermost(advice, values, ROOM)};
    gt_status status =
        gt_stable_limit(gt_method_for(GT_ROLE_NONSTIFF), NULL, values, o.count, &o.h_explicit);
    for (size_t k = 0; k < count && !status; k++) {
        advice->methods[k] = (gt_method_advice){.method = methods[k]};
        status = look_at(&o, &advice->methods[k]);
    }
    if (status) return gt_fail(message, status, "out of memory to look at the methods");
    advice->n_methods = count;
    status = gt_advice_try(problem, plan, advice, arena, message);
    if (status) return status;
    give_verdicts(advice->methods, count);
    return GT_OK;
}

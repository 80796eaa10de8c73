/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The impulse method of Deuflhard (ZAMP 30 (1979) 177) and Grubmueller, Tuckerman et al., and its
 * mollified form by Garcia-Archilla, Sanz-Serna and Skeel (SIAM J. Sci. Comput. 20 (1998) 930), for
 *
 *     M z'' = -K z - C z' + F(t, z),       as x' = A y + f_0 + g(t, x),  x = (z, z'),  y = x - x_0
 *
 * where A is the Jacobian and f_0 the value of f at the point where the run began, or began again
 * after an event; g is the rest. A step is
 *
 *     x+    = x + h/2 g(t, x)
 *     x*    = x_0 + the solution of y' = A y + f_0 after h, from x+ - x_0 (exact)
 *     x_new = x* + h/2 g(t + h, x*)
 *
 * g moves z' and depends on z, so that g(x*) = g(x_new): one evaluation of f a step. Symmetric, and
 * symplectic where the equations are Hamiltonian. Order 2, for any size of h omega in z away from
 * resonance (Hairer, Lubich, Wanner, Geometric Numerical Integration, XIII.2.2 method B): where h
 * omega is near a multiple of pi the impulses add up. `filter=mollified` takes S g(S x) for g(x),
 * S the mean over -h .. h of the linear flow, sinc(h Omega) (ibid., method C): no resonance in z
 * then, but the slow exchange of energy between fast modes has another speed, S^2 times that.
 * Energies, of the whole and of the fast modes, are kept up to O(h) over exponentially long times
 * (ibid., XIII.7), for steps of one size; so there is no error estimate and no step control.
 *
 * Whether g depends on what it moves is looked at before a run (kit/force.h); where it does, the
 * method refuses. The force may have another form elsewhere, so that is looked at again after 1, 2,
 * 4, 8 .. steps: where g does then, the order is 1 and a warning says so. R(z) = e^z. Where the
 * fast direction turns, A does not follow it: g is as stiff as f then, and h is bounded as for an
 * explicit method.
 *
 * Work of a step: f, two products with A and one with h phi_1(h A): n^2, dense up to `dense`
 * states, or some tens of products in a Krylov space; the filter takes six more of these. The
 * functions of h A are made once. Dense output is the method itself at theta h, with a linear g at
 * the end.
 */
#include "base/finite.h"
#include "kit/exponential.h"
#include "kit/force.h"
#include "linalg/backend.h"
#include "linalg/balance.h"
#include <complex.h>
#include <geartrain/author/number.h>
#include <geartrain/methods.h>
#include <math.h>
#include <string.h>

typedef enum filter { FILTER_NONE, FILTER_MOLLIFIED } filter;
typedef struct trig_options {
    int dense;
    filter filter;
} trig_options;
static const char *const filters[] = {
    [FILTER_NONE] = "none", [FILTER_MOLLIFIED] = "mollified", NULL};
static const gt_param options[] = {
    GT_DENSE_OPTION(trig_options),
    {.name = "filter",
     .help = "what the force is taken at: the state, or its mean over a step of the linear motion",
     .type = GT_CHOICE,
     .choices = filters,
     .field = GT_OPTION_FIELD(trig_options, filter)},
    {0}};

typedef struct trig_state {
    trig_options o;
    gt_jacobian jac;
    gt_matrix J;
    double *dense_J; /* where J is sparse and its functions are dense */
    gt_krylov krylov;
    gt_phi_sum ahead, back, inside; /* functions of h A, -h A, theta h A */
    double *x0, *f0;                /* where A is from */
    double *g, *kick, *kick_new;    /* g; what is added h/2 times at both ends of the trial */
    double *kept, kept_h;           /* the kick at the accepted point; the filter depends on h */
    double *y, *w, *point;
    double *eigen; /* room for the frequencies, where they are found without allocating */
    size_t eigen_room;
    bool known, carried; /* A; kept */
    bool looked;         /* for resonances */
    gt_force force;
    long steps, next_look; /* at the form of the force; 0: no more */
} trig_state;

static gt_facts facts(const gt_method *self, const double *v)
{
    (void)self, (void)v;
    return (gt_facts){.kind = GT_KIND_EXPONENTIAL,
                      .order = 2,
                      .evaluations = 1,
                      .functions = 1,
                      .flags = GT_USES_JACOBIAN | GT_SYMMETRIC,
                      .order_problem = "crow_p2"};
}

static gt_status fits(const gt_method *self, const gt_problem *p, gt_message *message)
{
    return gt_force_apart(self, gt_method_for(GT_ROLE_SWINGING), p, message);
}

/* D^-1 A D v, D the units of the Krylov space. */
static gt_status times_A(const double *v, double *out, void *ctx)
{
    trig_state *w = ctx;
    const double *unit = w->krylov.unit;
    for (size_t i = 0; i < w->J.n; i++) w->krylov.v[i] = unit[i] * v[i];
    gt_matrix_multiply(&w->J, w->krylov.v, 0, out);
    for (size_t i = 0; i < w->J.n; i++) out[i] /= unit[i];
    return GT_OK;
}

static gt_status layout(gt_stepper *s, gt_arena *arena)
{
    trig_state *w = s->state;
    gt_params_fill(options, s->options.v, &w->o);
    gt_jacobian_layout(&w->jac, s->problem, arena);
    gt_matrix_layout(&w->J, s->n, s->problem->jac_pattern, false, arena);
    bool dense = s->n <= (size_t)w->o.dense, filtered = w->o.filter == FILTER_MOLLIFIED;
    if (!dense) gt_krylov_layout(&w->krylov, s->n, arena);
    gt_phi_sum *sums[] = {&w->ahead, &w->inside, &w->back};
    for (int k = 0; k < (filtered ? 3 : 2); k++) {
        gt_phi_sum_layout(sums[k], s->n, filtered ? 2 : 1, dense ? NULL : &w->krylov, arena);
        sums[k]->product = times_A;
        sums[k]->ctx = w;
        sums[k]->tolerance = 1e-14;
    }
    if (dense && w->J.pattern.storage != GT_DENSE)
        w->dense_J = gt_arena_doubles(arena, s->n * s->n);
    w->ahead.A = w->back.A = w->inside.A = w->dense_J ? w->dense_J : w->J.values;
    double **vectors[] = {&w->x0,   &w->f0, &w->g, &w->kick, &w->kick_new,
                          &w->kept, &w->y,  &w->w, &w->point};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = gt_arena_doubles(arena, s->n);
    gt_force_layout(&w->force, s->n, arena);
    w->next_look = 1;
    if (dense && s->n <= gt_eigen_most()) {
        w->eigen_room = gt_eigen_room(s->n, false, false);
        w->eigen = gt_arena_doubles(arena, s->n * s->n + 2 * s->n + w->eigen_room);
    }
    return GT_OK;
}

static gt_status prepare(gt_stepper *s)
{
    gt_jacobian_prepare(&((trig_state *)s->state)->jac, s->problem);
    return GT_OK;
}

static void unpack(const trig_state *w)
{
    memset(w->dense_J, 0, w->J.n * w->J.n * sizeof(double));
    for (size_t j = 0; j < w->J.n; j++) {
        gt_column column = gt_column_of(&w->J.pattern, w->J.n, j);
        for (size_t k = 0; k < column.count; k++)
            w->dense_J[j * w->J.n + gt_column_row(&column, k)] = w->J.values[column.index + k];
    }
}

/* A and f_0 at the accepted point. */
static gt_status linearize(gt_stepper *s)
{
    trig_state *w = s->state;
    if (w->known) return GT_OK;
    gt_status status = gt_slope(s);
    if (!status) status = gt_jacobian_evaluate(&w->jac, s, s->t, s->x, &w->J);
    if (status) return status;
    if (!gt_all_finite(s->f, s->n) || !gt_all_finite(w->J.values, gt_matrix_entries(&w->J))) {
        s->f_known = false;
        return GT_TRY_NOT_FINITE;
    }
    if (w->dense_J) unpack(w);
    if (w->ahead.krylov) {
        gt_balance_units(&w->J, w->krylov.unit, w->krylov.basis);
        w->krylov.balanced = true;
    }
    memcpy(w->x0, s->x, s->n * sizeof *w->x0);
    memcpy(w->f0, s->f, s->n * sizeof *w->f0);
    w->known = true;
    w->looked = false;
    return GT_OK;
}

/* The mean over -h .. h of the solution of y' = A y + c: (h phi_1(h A) + h phi_1(-h A)) y / 2h, and
 * the same with phi_2 for c, which may be NULL. */
static gt_status mean(trig_state *w, double h, const double *y, const double *c, double *out)
{
    size_t n = w->J.n;
    const double *const b[] = {NULL, y, c};
    gt_status status = gt_phi_sum_evaluate(&w->ahead, h, c ? 2 : 1, b, out);
    if (!status) status = gt_phi_sum_evaluate(&w->back, -h, c ? 2 : 1, b, w->w);
    for (size_t i = 0; i < n; i++) out[i] = (out[i] - w->w[i]) / (2 * h);
    return status;
}

/* What x is to be moved by, h/2 times, at time t. */
static gt_status kick_at(gt_stepper *s, double t, double h, const double *x, double *kick)
{
    trig_state *w = s->state;
    bool filtered = w->o.filter == FILTER_MOLLIFIED;
    gt_status status = GT_OK;
    for (size_t i = 0; i < s->n; i++) w->y[i] = x[i] - w->x0[i];
    if (filtered) status = mean(w, h, w->y, w->f0, w->point);
    if (status) return status;
    for (size_t i = 0; i < s->n && filtered; i++) {
        w->y[i] = w->point[i];
        w->point[i] += w->x0[i];
    }
    double *g = filtered ? w->g : kick;
    status = gt_rhs(s, t, filtered ? w->point : x, g);
    gt_matrix_multiply(&w->J, w->y, 0, w->w);
    for (size_t i = 0; i < s->n; i++) g[i] -= w->f0[i] + w->w[i];
    return status || !filtered ? status : mean(w, h, g, NULL, kick);
}

/* out = x + part of a step by y' = A y + f_0 from x + step/2 kick */
static gt_status turn(trig_state *w, gt_phi_sum *sum, double step, const double *x, double *out)
{
    size_t n = w->J.n;
    for (size_t i = 0; i < n; i++) w->y[i] = x[i] + step / 2 * w->kick[i] - w->x0[i];
    gt_matrix_multiply(&w->J, w->y, 0, w->w);
    for (size_t i = 0; i < n; i++) w->w[i] += w->f0[i];
    const double *const b[] = {NULL, w->w};
    gt_status status = gt_phi_sum_evaluate(sum, step, 1, b, out);
    for (size_t i = 0; i < n; i++) out[i] += x[i] + step / 2 * w->kick[i];
    return status;
}

static gt_status step(gt_stepper *s, double h, const double *x, double *x_new, double *err)
{
    trig_state *w = s->state;
    gt_status status = linearize(s);
    if (status) return status;
    if (w->carried && (w->o.filter == FILTER_NONE || w->kept_h == h))
        memcpy(w->kick, w->kept, s->n * sizeof *w->kick);
    else if (w->o.filter == FILTER_NONE && memcmp(x, w->x0, s->n * sizeof *x) == 0)
        memset(w->kick, 0, s->n * sizeof *w->kick);
    else
        status = kick_at(s, s->t, h, x, w->kick);
    if (!status) status = turn(w, &w->ahead, h, x, x_new);
    if (!status) status = kick_at(s, s->t + h, h, x_new, w->kick_new);
    if (status) return status;
    for (size_t i = 0; i < s->n; i++) x_new[i] += h / 2 * w->kick_new[i];
    if (err) memset(err, 0, s->n * sizeof *err);
    return GT_OK;
}

/* Frequencies for which the impulses of all steps add up. */
static void look_for_resonance(gt_stepper *s)
{
    trig_state *w = s->state;
    size_t n = s->n;
    w->looked = true;
    if (!w->eigen || w->o.filter != FILTER_NONE) return;
    double *re = w->eigen + n * n, *im = re + n;
    memcpy(w->eigen, w->ahead.A, n * n * sizeof *w->eigen);
    if (!gt_eigen_in(n, w->eigen, n, re, im, NULL, NULL, n, im + n, w->eigen_room)) return;
    for (size_t i = 0; i < n; i++) {
        double turns = fabs(s->h) * fabs(im[i]) / GT_PI, whole = round(turns);
        if (whole < 1 || fabs(turns - whole) > 0.02 || fabs(re[i] * s->h) > 0.1) continue;
        gt_warn(s->warnings,
                "h times the frequency %.4g of the linear part is %.4g pi: impulses of all steps "
                "add up there; try h = %.3g, or filter=mollified",
                fabs(im[i]), turns, 0.9 * s->h);
        return;
    }
}

static void look_at_force(gt_stepper *s)
{
    trig_state *w = s->state;
    const gt_problem *p = s->problem;
    char buffer[24];
    if (++w->steps != w->next_look) return;
    w->next_look *= 2;
    if (p->linear && p->autonomous) return;
    size_t row = gt_force_entangled(&w->force, p, s->t + s->h, s->x_new);
    if (row == s->n) return;
    w->next_look = 0;
    gt_warn(s->warnings,
            "near t = %.6g the force in %s' depends on velocities that it changes, beyond a "
            "constant matrix: trig has order 1 there; try %s",
            s->t + s->h, gt_problem_state_name(p, row, buffer),
            gt_method_for(GT_ROLE_SWINGING)->name);
}

static void accept(gt_stepper *s)
{
    trig_state *w = s->state;
    memcpy(w->kept, w->kick_new, s->n * sizeof *w->kept);
    w->kept_h = s->h;
    w->carried = true;
    if (!w->looked) look_for_resonance(s);
    look_at_force(s);
}

static void restart(gt_stepper *s)
{
    trig_state *w = s->state;
    w->known = w->carried = false;
}

static gt_status interpolate(gt_stepper *s, double h, double theta, double *x)
{
    trig_state *w = s->state;
    if (theta == 0 || theta == 1) {
        memcpy(x, theta == 0 ? s->x : s->x_new, s->n * sizeof *x);
        return GT_OK;
    }
    gt_status status = turn(w, &w->inside, theta * h, s->x, x);
    for (size_t i = 0; i < s->n; i++)
        x[i] += theta * h / 2 * ((1 - theta) * w->kick[i] + theta * w->kick_new[i]);
    return status;
}

static const gt_matrix *jacobian(const gt_stepper *s) { return &((const trig_state *)s->state)->J; }

static double complex amplification(const gt_method *self, const double *v, double complex z)
{
    (void)self, (void)v;
    return cexp(z);
}

const gt_method gt_method_trig = {
    .name = "trig",
    .family = "trigonometric",
    .title = "impulse method, symmetric: linear oscillations exactly, one evaluation a step",
    .reference = "Deuflhard, ZAMP 30 (1979) 177; Garcia-Archilla, Sanz-Serna, Skeel, SIAM J. Sci. "
                 "Comput. 20 (1998) 930",
    .memory = "J; 73 for a Krylov space (up to `dense` states n x n matrices instead); where J is "
              "from, kicks, and 7 for looks at the force",
    .options = options,
    .facts = facts,
    .state_size = sizeof(trig_state),
    .layout = layout,
    .prepare = prepare,
    .step = step,
    .accept = accept,
    .restart = restart,
    .interpolate = interpolate,
    .jacobian = jacobian,
    .amplification = amplification,
    .fits = fits};

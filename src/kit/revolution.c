/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where does a revolution end? Let l be the left and u the right eigenvector of the Jacobian J for
 * the eigenvalue that is the largest, i omega, with l u = 1. The fast part of x' = f is l f: that
 * of the slow motion, along which f changes by J f, is smaller by the ratio of their rates,
 * squared. T is to make its phase what it was,
 *
 *     arg l_T f(x(T)) = arg l_0 f(x(0)),     l_T u_0 = 1,
 *
 * with l_T at the end, so that a direction that turns takes its phase along. Each correction moves
 * T by the difference over omega; the last one, when small, moves x by Taylor's formula. T need not
 * be right but smooth in x: the end is then a point of the same solution somewhat earlier or later,
 * and T says when. Where next to nothing swings it is 2 pi/omega.
 */
#include "kit/revolution.h"
#include "base/finite.h"
#include "core/run_state.h"
#include "linalg/backend.h"
#include "linalg/column.h"
#include <assert.h>
#include <complex.h>
#include <float.h>
#include <geartrain/author/number.h>
#include <math.h>
#include <string.h>

static const double two_pi = 2 * GT_PI;
enum { MOST_CORRECTIONS = 6 };
static const double slight =
    1e-3;                        /* a correction of the phase that Taylor's formula is enough for */
static const double alike = 0.1; /* the change of the amplitude in a revolution, in parts of it */
static const double freely = 0.05; /* damping ratio of a mode that swings */
static const double still = 0.01;  /* a swing of so much of the tolerance has no phase */

size_t gt_revolving_most(void) { return gt_eigen_most() < 100 ? gt_eigen_most() : 100; }

gt_status gt_revolving_layout(gt_revolving *w, const gt_method *method, const char *options,
                              gt_stepper *s, gt_arena *arena)
{
    assert(w && method && s && arena);
    size_t n = s->n;
    double **vectors[] = {&w->here.l_re,  &w->here.l_im,  &w->here.u_re,  &w->here.u_im,
                          &w->there.l_re, &w->there.l_im, &w->there.u_re, &w->there.u_im,
                          &w->turned,     &w->f};
    gt_jacobian_layout(&w->jac, s->problem, arena);
    gt_matrix_layout(&w->J, n, s->problem->jac_pattern, false, arena);
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = gt_arena_doubles(arena, n);
    if (n <= gt_revolving_most()) {
        w->eigen_room = gt_eigen_room(n, true, true);
        w->eigen = gt_arena_doubles(arena, 3 * n * n + 2 * n + w->eigen_room);
    }
    w->inner = gt_arena_take(arena, 1, sizeof *w->inner);
    size_t bytes;
    if (gt_arena_measuring(arena))
        return gt_stepper_measure_in(method, options, s->problem, arena, &bytes, &s->message);
    if (!w->inner || arena->failed) return GT_WORKSPACE_SMALL;
    gt_status status = gt_stepper_lay(w->inner, method, options, s->problem, arena);
    if (status) s->message = w->inner->message;
    return status;
}

gt_status gt_revolving_prepare(gt_revolving *w, gt_stepper *s)
{
    assert(w && s);
    gt_jacobian_prepare(&w->jac, s->problem);
    gt_status status = gt_stepper_prepare(w->inner);
    if (status) s->message = w->inner->message;
    return status;
}

void gt_revolving_begin(gt_revolving *w, gt_stepper *s)
{
    assert(w && s);
    gt_stepper *in = w->inner;
    in->rtol = s->rtol;
    in->atol = s->atol;
    in->rtol_vector = s->rtol_vector;
    in->atol_vector = s->atol_vector;
    in->t_cap = s->t_cap;
    in->backward = s->backward;
    in->stats = (gt_stats){0};
}

void gt_revolving_start(gt_revolving *w, double t, const double *x)
{
    assert(w && x);
    double cap = w->inner->t_cap;
    gt_stepper_start(w->inner, t, x);
    w->inner->t_cap = cap; /* that of the step around */
}

void gt_revolving_end(gt_revolving *w, gt_stepper *s, gt_status status)
{
    assert(w && s);
    const gt_stats *of = &w->inner->stats;
    s->stats.rhs += of->rhs;
    s->stats.jacobians += of->jacobians;
    s->stats.krylov += of->krylov;
    if (status < 0) s->message = w->inner->message;
}

static const gt_matrix *jacobian(const gt_revolving *w)
{
    return w->inner->method->jacobian(w->inner);
}

static void unpack(const gt_matrix *J, double *A)
{
    size_t n = J->n;
    memset(A, 0, n * n * sizeof *A);
    for (size_t j = 0; j < n; j++) {
        gt_column column = gt_column_of(&J->pattern, n, j);
        for (size_t k = 0; k < column.count; k++)
            A[j * n + gt_column_row(&column, k)] = J->values[column.index + k];
    }
}

/* l is scaled to l v = 1, v complex. */
static void normalise(gt_swing *of, size_t n, const double *v_re, const double *v_im)
{
    double re = 0, im = 0;
    for (size_t i = 0; i < n; i++) {
        re += of->l_re[i] * v_re[i] - of->l_im[i] * v_im[i];
        im += of->l_re[i] * v_im[i] + of->l_im[i] * v_re[i];
    }
    double square = re * re + im * im;
    for (size_t i = 0; i < n; i++) {
        double l = of->l_re[i], m = of->l_im[i];
        of->l_re[i] = (l * re + m * im) / square;
        of->l_im[i] = (m * re - l * im) / square;
    }
}

/* The mode of the largest eigenvalue; false: that one does not swing freely. */
static bool find_swing(gt_revolving *w, const gt_matrix *J, gt_swing *of)
{
    size_t n = J->n, which = 0;
    if (!w->eigen) return false;
    double *A = w->eigen, *left = A + n * n, *right = left + n * n, *re = right + n * n,
           *im = re + n, most = 0;
    unpack(J, A);
    if (!gt_all_finite(A, n * n) ||
        !gt_eigen_in(n, A, n, re, im, left, right, n, im + n, w->eigen_room))
        return false;
    for (size_t i = 0; i < n; i++) {
        double size = hypot(re[i], im[i]);
        if (size > most) which = i, most = size;
    }
    if (which + 1 >= n || !(im[which] > 0) || fabs(re[which]) > freely * most) return false;
    of->rate = im[which];
    for (size_t i = 0; i < n; i++) {
        of->l_re[i] = left[which * n + i];
        of->l_im[i] = -left[(which + 1) * n + i];
        of->u_re[i] = right[which * n + i];
        of->u_im[i] = right[(which + 1) * n + i];
    }
    normalise(of, n, of->u_re, of->u_im);
    return true;
}

double gt_revolving_period(gt_revolving *w)
{
    assert(w);
    return find_swing(w, jacobian(w), &w->here) ? two_pi / w->here.rate : 0;
}

void gt_revolving_turned(gt_revolving *w, const double *e, double period, double *out)
{
    assert(w && e && out);
    size_t n = w->inner->n;
    gt_matrix_multiply(jacobian(w), e, 0, w->turned);
    for (size_t i = 0; i < n; i++) out[i] = fabs(e[i]) + fabs(w->turned[i]) * period / two_pi;
}

/* l f, and what is next to nothing of it. */
static double complex part_of(const gt_revolving *w, const gt_swing *of, const double *f,
                              const double *x, double *nothing)
{
    double re = 0, im = 0, size = 0;
    for (size_t i = 0; i < w->inner->n; i++) {
        re += of->l_re[i] * f[i];
        im += of->l_im[i] * f[i];
        size += hypot(of->l_re[i], of->l_im[i]) * gt_weight(w->inner, i, x[i]);
    }
    *nothing = still * of->rate * size;
    return re + im * I;
}

/* Steps of T/steps; the last one is left as a trial. */
static gt_status all_but_one(gt_revolving *w, double t, const double *x, int steps,
                             gt_revolution *of)
{
    gt_stepper *s = w->inner;
    double h = of->period / steps;
    gt_revolving_start(w, t, x);
    memset(of->lost, 0, s->n * sizeof *of->lost);
    memset(of->most, 0, s->n * sizeof *of->most);
    for (int k = 0; k < steps; k++) {
        gt_status status = gt_trial(s, h, true);
        if (status) return status;
        if (k == 0) {
            memcpy(w->f, s->f, s->n * sizeof *w->f);
            if (!find_swing(w, jacobian(w), &w->here)) return GT_TRY_RHS;
        }
        gt_revolving_turned(w, s->err, of->period, s->err);
        for (size_t i = 0; i < s->n; i++) {
            of->lost[i] += s->err[i];
            of->most[i] = fmax(of->most[i], fabs(s->x_new[i]));
        }
        if (k + 1 < steps) gt_take_trial(s);
    }
    return GT_OK;
}

/* By how much T is to be changed; NAN: the motion is another one than at the beginning. */
static double correction(gt_revolving *w, const double *x0)
{
    gt_stepper *s = w->inner;
    double none, none_there;
    if (!find_swing(w, &w->J, &w->there)) return NAN;
    normalise(&w->there, s->n, w->here.u_re, w->here.u_im);
    double complex from = part_of(w, &w->here, w->f, x0, &none);
    double complex to = part_of(w, &w->there, s->f_new, s->x_new, &none_there);
    none = fmax(none, none_there);
    double size = cabs(from), change = fabs(cabs(to) - size);
    if (!(change <= alike * size + none)) return NAN;
    double share = size * size / (size * size + none * none);
    return -carg(to * conj(from)) / w->there.rate * share;
}

gt_status gt_revolve(gt_revolving *w, double t, const double *x, int steps, gt_revolution *of)
{
    assert(w && x && of && of->moved && of->most && of->lost);
    assert(steps > 1 && of->period > 0);
    gt_stepper *s = w->inner;
    size_t n = s->n;
    gt_status status = all_but_one(w, t, x, steps, of);
    for (int k = 0; !status; k++) {
        status = gt_slopes(s);
        if (!status) status = gt_jacobian_evaluate(&w->jac, s, s->t_new, s->x_new, &w->J);
        if (status) break;
        double T = s->t_new - t, late = correction(w, x);
        if (!isfinite(late) || k == MOST_CORRECTIONS || T + late < 0.5 * T) return GT_TRY_RHS;
        of->period = T + late;
        if (fabs(late) * w->there.rate > slight) {
            status = gt_trial(s, s->h + late, true);
            continue;
        }
        gt_matrix_multiply(&w->J, s->f_new, 0, w->turned);
        for (size_t i = 0; i < n; i++)
            of->moved[i] = s->x_new[i] + late * (s->f_new[i] + late / 2 * w->turned[i]) - x[i];
        break;
    }
    return !status && !gt_all_finite(of->moved, n) ? GT_TRY_NOT_FINITE : status;
}

gt_status gt_revolving_follow(gt_revolving *w, double t, const double *x, double h, double end,
                              double *to)
{
    assert(w && x && to);
    assert(h > 0);
    gt_stepper *s = w->inner;
    gt_status status = GT_OK;
    gt_revolving_start(w, t, x);
    while (!status && s->t != end) {
        double left = end - s->t;
        bool last = fabs(left) <= 1.001 * h;
        status = gt_trial(s, last ? left : copysign(h, left), false);
        if (last) s->t_new = end;
        if (!status) gt_take_trial(s);
    }
    if (!status) memcpy(to, s->x, s->n * sizeof *to);
    return status;
}

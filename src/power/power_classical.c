/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The classical model (5.143)-(5.144): voltages E of fixed size behind x'd, loads as impedances,
 * and the network reduced to the machines, (5.150). With y_i = 1/(ra + j x'd) from rotor to bus, a
 * unit voltage at rotor j makes the bus voltages V_j = Y_mm^-1 y_j e_bus(j), and
 *
 *     Y_red(i, j) = y_i [i = j] - y_i V_j(bus(i)).
 *
 * (The chapter prints j x'd for y.) Buses with V = 0 are taken out by a row of the identity. One
 * reduction a stage.
 */
#include "linalg/backend.h"
#include "power/system.h"
#include <complex.h>
#include <math.h>
#include <string.h>

static double complex unit_admittance(const gt_unit *u)
{
    return 1 / (u->data.ra + I * u->data.xd1);
}

/* E e^(j delta), 0 for machines that are off. */
static void turn_rotors(const gt_power_system *s, const gt_stage *g, const double *x, double *e)
{
    for (size_t k = 0; k < s->n_units; k++) {
        double size = g->unit_on[k] ? s->E[k] : 0;
        e[2 * k] = size * cos(x[2 * k]);
        e[2 * k + 1] = size * sin(x[2 * k]);
    }
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    const gt_power_system *s = ctx;
    const gt_stage *g = gt_stage_at(s, t);
    double *e = s->rotor;
    size_t n = s->n_units;
    turn_rotors(s, g, x, e);
    for (size_t i = 0; i < n; i++) {
        double re = 0, im = 0; /* current of rotor i */
        for (size_t j = 0; j < n; j++) {
            const double *y = g->reduced + 2 * (j * n + i);
            re += y[0] * e[2 * j] - y[1] * e[2 * j + 1];
            im += y[1] * e[2 * j] + y[0] * e[2 * j + 1];
        }
        const gt_unit *u = &s->unit[i];
        double P = e[2 * i] * re + e[2 * i + 1] * im, slip = x[2 * i + 1];
        dx[2 * i] = g->unit_on[i] ? slip : 0;
        dx[2 * i + 1] = g->unit_on[i] ? (s->P[i] - P - u->data.D * slip / s->omega_s) / u->M : 0;
    }
    return GT_OK;
}

/* With c_ij = e_i conj(Y_ij e_j): dP_i/ddelta_j = Im c_ij for j != i, and minus their sum for j =
 * i. */
static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const gt_power_system *s = ctx;
    const gt_stage *g = gt_stage_at(s, t);
    const double *e = s->rotor;
    size_t n = s->n_units, rows = 2 * n;
    turn_rotors(s, g, x, s->rotor);
    for (size_t i = 0; i < n; i++) {
        const gt_unit *u = &s->unit[i];
        double sum = 0;
        if (!g->unit_on[i]) continue;
        for (size_t j = 0; j < n; j++) {
            const double *y = g->reduced + 2 * (j * n + i);
            double re = y[0] * e[2 * j] - y[1] * e[2 * j + 1],
                   im = y[1] * e[2 * j] + y[0] * e[2 * j + 1];
            double c = e[2 * i + 1] * re - e[2 * i] * im;
            if (j == i) continue;
            J->values[2 * j * rows + 2 * i + 1] = -c / u->M;
            sum += c;
        }
        J->values[2 * i * rows + 2 * i + 1] = sum / u->M;
        J->values[(2 * i + 1) * rows + 2 * i] = 1;
        J->values[(2 * i + 1) * rows + 2 * i + 1] = -u->data.D / s->omega_s / u->M;
    }
    return GT_OK;
}

typedef struct reduction {
    gt_matrix Y; /* Y_mm, complex */
    gt_lu lu;
    double *column;
} reduction;

static void fill(const gt_power_system *s, const gt_stage *g, gt_matrix *Y)
{
    /* The pattern is symmetric, so rows of the grid are columns of Y; only the values are turned.
     */
    for (size_t j = 0; j < s->grid.n; j++)
        for (int k = s->grid.start[j]; k < s->grid.start[j + 1]; k++) {
            size_t i = (size_t)s->grid.column[k];
            int from = s->grid.start[i];
            while (s->grid.column[from] != (int)j) from++;
            Y->values[2 * k] = g->held[i] ? i == j : g->g[from];
            Y->values[2 * k + 1] = g->held[i] ? 0 : g->b[from];
        }
    for (size_t m = 0; m < s->n_units; m++) {
        size_t i = s->unit[m].bus;
        if (g->held[i] || !g->unit_on[m]) continue;
        Y->values[2 * s->grid.diagonal[i]] += creal(unit_admittance(&s->unit[m]));
        Y->values[2 * s->grid.diagonal[i] + 1] += cimag(unit_admittance(&s->unit[m]));
    }
}

static gt_status reduce(const gt_power_system *s, gt_stage *g, reduction *r, gt_message *message)
{
    size_t n = s->n_units, m = s->grid.n;
    fill(s, g, &r->Y);
    if (gt_lu_factor(&r->lu, &r->Y))
        return gt_fail(message, GT_SINGULAR, "the network cannot be reduced to its machines (%s)",
                       *g->text ? g->text : "before any event");
    for (size_t j = 0; j < n; j++) {
        double complex y = g->unit_on[j] ? unit_admittance(&s->unit[j]) : 0;
        size_t bus = s->unit[j].bus;
        double *v = g->spread + 2 * j * m;
        memset(v, 0, 2 * m * sizeof *v);
        v[2 * bus] = g->held[bus] ? 0 : creal(y);
        v[2 * bus + 1] = g->held[bus] ? 0 : cimag(y);
        gt_lu_solve(&r->lu, v);
        for (size_t i = 0; i < n; i++) {
            const double *at = v + 2 * s->unit[i].bus;
            double complex yi = g->unit_on[i] ? unit_admittance(&s->unit[i]) : 0;
            double complex value = (i == j ? yi : 0) - yi * (at[0] + I * at[1]);
            g->reduced[2 * (j * n + i)] = creal(value);
            g->reduced[2 * (j * n + i) + 1] = cimag(value);
        }
    }
    return GT_OK;
}

static gt_status reduce_all(gt_power_system *s, gt_arena *arena, gt_message *message)
{
    gt_arena own = gt_arena_growing();
    reduction r = {.column = NULL};
    size_t n = s->n_units, m = s->grid.n;
    gt_pattern pattern = {.storage = GT_CSC,
                          .colptr = s->grid.start,
                          .rowindex = s->grid.column,
                          .entries = (size_t)s->grid.start[m]};
    gt_matrix_layout(&r.Y, m, pattern, true, &own);
    gt_lu_layout(&r.lu, &r.Y, &own);
    gt_status status = own.failed ? GT_NO_MEMORY : gt_lu_possible(&r.lu, message);
    for (size_t k = 0; k < s->n_stages && !status; k++) {
        s->stage[k].reduced = gt_arena_doubles(arena, 2 * n * n);
        s->stage[k].spread = gt_arena_doubles(arena, 2 * n * m);
        status = arena->failed ? GT_NO_MEMORY : reduce(s, &s->stage[k], &r, message);
    }
    gt_lu_free(&r.lu);
    gt_arena_free(&own);
    return status;
}

gt_status gt_classical_make(gt_power_system *s, gt_problem *problem, gt_arena *arena,
                            gt_message *message)
{
    size_t n = s->n_units;
    gt_status status = reduce_all(s, arena, message);
    if (status) return status;
    double *x0 = gt_arena_doubles(arena, 2 * n), *dx = gt_arena_doubles(arena, 2 * n);
    s->E = gt_arena_doubles(arena, n);
    s->P = gt_arena_doubles(arena, n);
    s->rotor = gt_arena_doubles(arena, 2 * n);
    if (arena->failed) return GT_NO_MEMORY;
    for (size_t k = 0; k < n; k++) {
        gt_unit *u = &s->unit[k];
        x0[2 * k] = u->fixed[Q_DELTA];
        s->E[k] = u->fixed[Q_EQ];
        for (int q = 0; q < N_QUANTITIES; q++) u->at[q] = -1;
        u->at[Q_DELTA] = (int)(2 * k);
        u->at[Q_SLIP] = (int)(2 * k + 1);
    }
    /* With P = 0 the rates are -P_e/M: the power that the machines give is what turns them. */
    rhs(-INFINITY, x0, dx, s);
    for (size_t k = 0; k < n; k++) s->P[k] = -dx[2 * k + 1] * s->unit[k].M;
    s->n = s->n_states = problem->n_slow = 2 * n;
    problem->rhs = rhs;
    problem->jac = jac;
    problem->x0 = x0;
    return GT_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The structure-preserving model as x = [states of the machines | I_d, I_q of each | V_re, V_im of
 * each bus]. The network is written as current balance in rectangular coordinates,
 *
 *     0 = sum of machine currents - load current - (Y V),
 *
 * instead of the power balance (5.172)-(5.173), which degenerates where V = 0; a bus with a bolted
 * fault, or without a source, has 0 = V for its rows. The pattern of the Jacobian is the same in
 * every stage.
 *
 * A load P + j Q at voltage V_0 takes the power (z (V/V_0)^2 + i V/V_0 + p) (P + j Q) while V is
 * above a limit; below it, what it takes there as an impedance. The part z is in Y.
 */
#include "power/system.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The current of a load is (P - j Q) w(|V|) V: w and its derivative. */
static double load_weight(const gt_power_system *s, size_t i, double v, double *slope)
{
    double i_part = s->setup.i_part / s->v_load[i], p_part = s->setup.p_part;
    bool above = s->load_side[i] ? s->load_side[i] > 0 : v > s->v_break[i];
    double at = above ? v : s->v_break[i];
    *slope = above ? -i_part / (v * v) - 2 * p_part / (v * v * v) : 0;
    return i_part / at + p_part / (at * at);
}

bool gt_has_load(const gt_power_system *s, size_t i)
{
    return (s->p_load[i] != 0 || s->q_load[i] != 0) &&
           (s->setup.i_part != 0 || s->setup.p_part != 0);
}

static void network_balance(const gt_power_system *s, const gt_stage *g, const double *x,
                            double *out)
{
    const double *v = x + s->first_bus;
    for (size_t i = 0; i < s->grid.n; i++) {
        double re = 0, im = 0;
        if (g->held[i]) {
            out[2 * i] = v[2 * i];
            out[2 * i + 1] = v[2 * i + 1];
            continue;
        }
        for (int k = s->grid.start[i]; k < s->grid.start[i + 1]; k++) {
            const double *vj = v + 2 * s->grid.column[k];
            re += g->g[k] * vj[0] - g->b[k] * vj[1];
            im += g->b[k] * vj[0] + g->g[k] * vj[1];
        }
        if (gt_has_load(s, i)) {
            double slope,
                w = g->factor[i] * load_weight(s, i, hypot(v[2 * i], v[2 * i + 1]), &slope);
            re += w * (s->p_load[i] * v[2 * i] + s->q_load[i] * v[2 * i + 1]);
            im += w * (s->p_load[i] * v[2 * i + 1] - s->q_load[i] * v[2 * i]);
        }
        out[2 * i] = -re;
        out[2 * i + 1] = -im;
    }
}

/* The rows of the quantities from `first` on; dx[0] is row `offset`. */
static void evaluate(const gt_power_system *s, double t, const double *x, double *dx, int first,
                     int offset)
{
    const gt_stage *g = gt_stage_at(s, t);
    double z[N_QUANTITIES], f[N_QUANTITIES];
    network_balance(s, g, x, dx + s->first_bus - offset);
    for (size_t k = 0; k < s->n_units; k++) {
        const gt_unit *u = &s->unit[k];
        if (!g->unit_on[k]) {
            for (int q = first; q < N_STATES; q++)
                if (u->at[q] >= 0) dx[u->at[q] - offset] = 0;
            dx[u->at[Q_ID] - offset] = x[u->at[Q_ID]];
            dx[u->at[Q_IQ] - offset] = x[u->at[Q_IQ]];
            continue;
        }
        gt_unit_load(u, x, z);
        gt_unit_rates(u, z, f);
        for (int q = first; q < Q_VRE; q++)
            if (u->at[q] >= 0) dx[u->at[q] - offset] = f[q];
        if (g->held[u->bus]) continue;
        dx[u->at[Q_VRE] - offset] += f[Q_VRE];
        dx[u->at[Q_VIM] - offset] += f[Q_VIM];
    }
}

static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    evaluate(ctx, t, x, dx, 0, 0);
    return GT_OK;
}

/* Algebraic rows alone, from dx[0] on. */
static gt_status rhs_alg(double t, const double *x, double *dx, void *ctx)
{
    const gt_power_system *s = ctx;
    evaluate(s, t, x, dx, N_STATES, (int)s->n_states);
    return GT_OK;
}

/* Where the entries of a unit go. */
typedef struct unit_entries {
    const gt_unit *u;
    const int *slot;
    double *values;
    bool held; /* the rows of its bus say V = 0 */
} unit_entries;

static void put_value(void *to, int row, int column, double value)
{
    unit_entries *e = to;
    if (e->u->at[row] < 0 || e->u->at[column] < 0) return;
    if (!e->held || row < Q_VRE) e->values[*e->slot] += value;
    e->slot++;
}

static void network_jacobian(const gt_power_system *s, const gt_stage *g, const double *x,
                             double *J)
{
    const double *v = x + s->first_bus;
    for (size_t i = 0; i < s->grid.n; i++) {
        const int *own = s->network_slot[s->grid.diagonal[i]];
        if (g->held[i]) {
            J[own[0]] += 1;
            J[own[3]] += 1;
            continue;
        }
        for (int k = s->grid.start[i]; k < s->grid.start[i + 1]; k++) {
            const int *slot = s->network_slot[k];
            J[slot[0]] -= g->g[k];
            J[slot[1]] -= g->b[k];
            J[slot[2]] += g->b[k];
            J[slot[3]] -= g->g[k];
        }
        if (!gt_has_load(s, i)) continue;
        double re = v[2 * i], im = v[2 * i + 1], size = hypot(re, im), slope,
               w = load_weight(s, i, size, &slope);
        double P = g->factor[i] * s->p_load[i], Q = g->factor[i] * s->q_load[i];
        double by_re = size > 0 ? slope * re / size : 0, by_im = size > 0 ? slope * im / size : 0;
        J[own[0]] -= w * P + by_re * (P * re + Q * im);
        J[own[1]] -= -w * Q + by_re * (P * im - Q * re);
        J[own[2]] -= w * Q + by_im * (P * re + Q * im);
        J[own[3]] -= w * P + by_im * (P * im - Q * re);
    }
}

static gt_status jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const gt_power_system *s = ctx;
    const gt_stage *g = gt_stage_at(s, t);
    double z[N_QUANTITIES];
    network_jacobian(s, g, x, J->values);
    for (size_t k = 0; k < s->n_units; k++) {
        const gt_unit *u = &s->unit[k];
        unit_entries e = {.u = u, .slot = s->unit_slot + s->unit_first[k], .values = J->values};
        if (!g->unit_on[k]) { /* 0 = I_d, 0 = I_q, all else stands still */
            J->values[e.slot[0]] = J->values[e.slot[1]] = 1;
            continue;
        }
        e.held = g->held[u->bus];
        gt_unit_load(u, x, z);
        gt_unit_jacobian(u, z, put_value, &e);
    }
    return GT_OK;
}

/* ---- layout ---- */

typedef struct entries {
    int *row, *column; /* NULL: only counted */
    int count;
    const gt_unit *u;
} entries;

static void note(entries *e, int row, int column)
{
    if (e->row) {
        e->row[e->count] = row;
        e->column[e->count] = column;
    }
    e->count++;
}

static void note_unit(void *to, int row, int column, double value)
{
    entries *e = to;
    (void)value;
    if (e->u->at[row] >= 0 && e->u->at[column] >= 0) note(e, e->u->at[row], e->u->at[column]);
}

/* All entries in the order in which they are filled later. */
static void list_entries(const gt_power_system *s, entries *e, int *unit_first)
{
    for (size_t i = 0; i < s->grid.n; i++)
        for (int k = s->grid.start[i]; k < s->grid.start[i + 1]; k++)
            for (int p = 0; p < 4; p++)
                note(e, s->first_bus + 2 * (int)i + p % 2,
                     s->first_bus + 2 * s->grid.column[k] + p / 2);
    int network = e->count;
    for (size_t k = 0; k < s->n_units; k++) {
        if (unit_first) unit_first[k] = e->count - network;
        e->u = &s->unit[k];
        gt_unit_jacobian(e->u, e->u->fixed, note_unit, e);
    }
    if (unit_first) unit_first[s->n_units] = e->count - network;
}

static int by_value(const void *a, const void *b)
{
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static int slot_of(const gt_power_system *s, int row, int column)
{
    const int *found =
        bsearch(&row, s->rowindex + s->colptr[column],
                (size_t)(s->colptr[column + 1] - s->colptr[column]), sizeof row, by_value);
    return (int)(found - s->rowindex);
}

/* Columns with their rows sorted, doubles removed. */
static void sort_columns(gt_power_system *s, const entries *e, int *start, int *scratch)
{
    memset(start, 0, (s->n + 1) * sizeof *start);
    for (int k = 0; k < e->count; k++) start[e->column[k] + 1]++;
    for (size_t c = 0; c < s->n; c++) start[c + 1] += start[c];
    for (int k = 0; k < e->count; k++) scratch[start[e->column[k]]++] = e->row[k];
    int used = 0;
    for (size_t c = 0; c < s->n; c++) {
        int from = c ? start[c - 1] : 0, count = start[c] - from;
        qsort(scratch + from, (size_t)count, sizeof *scratch, by_value);
        s->colptr[c] = used;
        for (int k = 0; k < count; k++)
            if (!k || scratch[from + k] != scratch[from + k - 1])
                s->rowindex[used++] = scratch[from + k];
    }
    s->colptr[s->n] = used;
}

static gt_status make_pattern(gt_power_system *s, gt_arena *arena)
{
    gt_arena own = gt_arena_growing();
    entries e = {.row = NULL};
    list_entries(s, &e, NULL);
    size_t count = (size_t)e.count, network = 4 * (size_t)s->grid.start[s->grid.n];
    e = (entries){.row = gt_arena_take(&own, count, sizeof(int)),
                  .column = gt_arena_take(&own, count, sizeof(int))};
    int *start = gt_arena_take(&own, s->n + 1, sizeof *start),
        *scratch = gt_arena_take(&own, count, sizeof *scratch);
    s->colptr = gt_arena_take(arena, s->n + 1, sizeof(int));
    s->rowindex = gt_arena_take(arena, count, sizeof(int));
    s->network_slot = gt_arena_take(arena, network / 4, sizeof *s->network_slot);
    s->unit_slot = gt_arena_take(arena, count - network + 1, sizeof(int));
    s->unit_first = gt_arena_take(arena, s->n_units + 1, sizeof(int));
    if (!own.failed && !arena->failed) {
        list_entries(s, &e, s->unit_first);
        sort_columns(s, &e, start, scratch);
        for (size_t k = 0; k < count; k++) {
            int slot = slot_of(s, e.row[k], e.column[k]);
            if (k < network)
                s->network_slot[k / 4][k % 4] = slot;
            else
                s->unit_slot[k - network] = slot;
        }
    }
    bool failed = own.failed || arena->failed;
    gt_arena_free(&own);
    return failed ? GT_NO_MEMORY : GT_OK;
}

/* States machine by machine, then the currents, then the voltages. */
static void number_variables(gt_power_system *s)
{
    int next = 0;
    for (size_t k = 0; k < s->n_units; k++)
        for (int q = 0; q < N_STATES; q++)
            s->unit[k].at[q] = gt_unit_has(&s->unit[k], q) ? next++ : -1;
    s->n_states = (size_t)next;
    for (size_t k = 0; k < s->n_units; k++) {
        s->unit[k].at[Q_ID] = next++;
        s->unit[k].at[Q_IQ] = next++;
    }
    s->first_bus = next;
    for (size_t k = 0; k < s->n_units; k++) {
        s->unit[k].at[Q_VRE] = next + 2 * (int)s->unit[k].bus;
        s->unit[k].at[Q_VIM] = s->unit[k].at[Q_VRE] + 1;
    }
    s->n = (size_t)next + 2 * s->grid.n;
}

gt_status gt_dae_make(gt_power_system *s, gt_problem *problem, gt_arena *arena, gt_message *message)
{
    (void)message;
    number_variables(s);
    if (make_pattern(s, arena)) return GT_NO_MEMORY;
    problem->n_slow = s->n_states;
    problem->n_alg = s->n - s->n_states;
    problem->rhs = rhs;
    problem->rhs_alg = rhs_alg;
    problem->jac = jac;
    problem->jac_pattern = (gt_pattern){.storage = GT_CSC,
                                        .colptr = s->colptr,
                                        .rowindex = s->rowindex,
                                        .entries = (size_t)s->colptr[s->n]};
    double *x0 = gt_arena_doubles(arena, s->n);
    if (!x0) return GT_NO_MEMORY;
    for (size_t i = 0; i < s->grid.n; i++) {
        x0[s->first_bus + 2 * (int)i] = s->setup.flow->v[i] * cos(s->setup.flow->angle[i]);
        x0[s->first_bus + 2 * (int)i + 1] = s->setup.flow->v[i] * sin(s->setup.flow->angle[i]);
    }
    for (size_t k = 0; k < s->n_units; k++)
        for (int q = 0; q < Q_VRE; q++)
            if (s->unit[k].at[q] >= 0) x0[s->unit[k].at[q]] = s->unit[k].fixed[q];
    problem->x0 = x0;
    return gt_load_kinks_make(s, problem, arena);
}

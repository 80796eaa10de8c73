/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Power flow by Newton in polar coordinates: with S_i = P_i + j Q_i = V_i e^(j theta_i) conj(sum_k
 * Y_ik V_k e^(j theta_k))
 *
 *     P_i(theta, V) = P_gen,i - P_load,i      all buses but the slack
 *     Q_i(theta, V) = Q_gen,i - Q_load,i      PQ buses
 *
 * All buses keep both unknowns; where theta or V is given, its row says so. The pattern is then the
 * same whatever the types of the buses are, and the matrix is analysed once even when generators go
 * to their reactive limits and back.
 *
 * Reactive limits: after convergence a PV bus whose generators would need more than they have
 * becomes a PQ bus at the limit; one at a limit goes back when its voltage shows that it need not
 * be there (above the set value at the upper limit, below it at the lower one). The slack keeps its
 * voltage.
 */
#include "base/sized.h"
#include "linalg/backend.h"
#include "power/network.h"
#include <float.h>
#include <math.h>

enum { FREE = 0, AT_MAX = 1, AT_MIN = -1, MOST_ROUNDS = 30 };

typedef struct flow {
    const gt_power_case *c;
    gt_grid grid;
    double *g, *b;         /* admittances */
    double *p, *q;         /* computed injections */
    double *p_set, *q_set; /* wanted ones, Q where it is given */
    double *v, *angle, *v_set;
    double *q_max, *q_min; /* of all generators of a bus, without its load */
    int *type;             /* as the power flow sees it */
    int *at_limit;         /* FREE, AT_MAX, AT_MIN */
    gt_matrix J;
    gt_lu lu;
    double *step;
    double mismatch;
    size_t worst;
} flow;

/* Column of theta_j and that of V_j have the rows of both kinds of every neighbour of j. */
static gt_status lay_out(flow *f, gt_arena *arena)
{
    size_t n = f->c->n_bus, entries = (size_t)f->grid.start[n];
    double **arrays[] = {&f->p, &f->q, &f->p_set, &f->q_set, &f->v_set, &f->q_max, &f->q_min};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = gt_arena_doubles(arena, n);
    f->g = gt_arena_doubles(arena, entries);
    f->b = gt_arena_doubles(arena, entries);
    f->step = gt_arena_doubles(arena, 2 * n);
    f->type = gt_arena_take(arena, n, sizeof(int));
    f->at_limit = gt_arena_take(arena, n, sizeof(int));
    int *colptr = gt_arena_take(arena, 2 * n + 1, sizeof *colptr);
    int *rowindex = gt_arena_take(arena, 4 * entries, sizeof *rowindex);
    if (arena->failed) return GT_NO_MEMORY;
    int used = 0;
    for (size_t j = 0; j < 2 * n; j++) {
        colptr[j] = used;
        for (int k = f->grid.start[j / 2]; k < f->grid.start[j / 2 + 1]; k++) {
            rowindex[used++] = 2 * f->grid.column[k];
            rowindex[used++] = 2 * f->grid.column[k] + 1;
        }
    }
    colptr[2 * n] = used;
    gt_pattern pattern = {
        .storage = GT_CSC, .colptr = colptr, .rowindex = rowindex, .entries = (size_t)used};
    gt_matrix_layout(&f->J, 2 * n, pattern, false, arena);
    gt_lu_layout(&f->lu, &f->J, arena);
    return arena->failed ? GT_NO_MEMORY : GT_OK;
}

static void set_up(flow *f, const gt_power_flow_options *o, const size_t *island, const bool *fed)
{
    const gt_power_case *c = f->c;
    for (size_t i = 0; i < c->n_bus; i++) {
        const gt_power_bus *bus = &c->bus[i];
        f->type[i] = bus->type == GT_BUS_SLACK ? GT_BUS_SLACK : GT_BUS_PQ;
        if (bus->type == GT_BUS_OFF || !fed[island[i]]) f->type[i] = GT_BUS_OFF;
        f->p_set[i] = -bus->p_load;
        f->q_set[i] = -bus->q_load;
        f->v[i] = o->flat || !(bus->v > 0) ? 1 : bus->v;
        f->angle[i] = o->flat ? 0 : bus->angle;
        if (f->type[i] == GT_BUS_OFF) f->v[i] = f->angle[i] = 0;
        if (f->type[i] == GT_BUS_SLACK) f->angle[i] = bus->angle;
    }
    for (size_t k = 0; k < c->n_gen; k++) {
        const gt_power_gen *gen = &c->gen[k];
        size_t i = gen->bus;
        if (!gen->on) continue;
        f->p_set[i] += gen->p;
        f->q_set[i] += gen->q;
        f->q_max[i] += gen->q_max;
        f->q_min[i] += gen->q_min;
        f->v_set[i] = gen->v_set;
        if (c->bus[i].type == GT_BUS_PV && f->type[i] == GT_BUS_PQ) f->type[i] = GT_BUS_PV;
        if (f->type[i] == GT_BUS_PV || f->type[i] == GT_BUS_SLACK) f->v[i] = gen->v_set;
    }
}

static bool p_given(const flow *f, size_t i)
{
    return f->type[i] == GT_BUS_PQ || f->type[i] == GT_BUS_PV;
}
static bool q_given(const flow *f, size_t i) { return f->type[i] == GT_BUS_PQ; }

/* P_i, Q_i at the present point, the mismatch, and where it is worst. */
static void inject(flow *f)
{
    f->mismatch = 0;
    for (size_t i = 0; i < f->c->n_bus; i++) {
        double re = 0, im = 0;
        for (int k = f->grid.start[i]; k < f->grid.start[i + 1]; k++) {
            size_t j = (size_t)f->grid.column[k];
            double d = f->angle[i] - f->angle[j], co = f->v[j] * cos(d), si = f->v[j] * sin(d);
            re += f->g[k] * co + f->b[k] * si;
            im += f->g[k] * si - f->b[k] * co;
        }
        f->p[i] = f->v[i] * re;
        f->q[i] = f->v[i] * im;
        double off = p_given(f, i) ? fabs(f->p[i] - f->p_set[i]) : 0;
        if (q_given(f, i)) off = fmax(off, fabs(f->q[i] - f->q_set[i]));
        if (p_given(f, i) && isnan(f->p[i] + f->q[i])) off = INFINITY;
        if (off > f->mismatch) f->mismatch = off, f->worst = i;
    }
}

/* The 2 x 2 block of row bus i and column bus j, with Y_ij at place k, into the columns of theta_j
 * and V_j. */
static void fill_block(const flow *f, size_t i, size_t j, int k, double *of_angle, double *of_v)
{
    double d = f->angle[i] - f->angle[j], g = f->g[k], b = f->b[k], vi = f->v[i], vj = f->v[j];
    double even = g * cos(d) + b * sin(d), odd = g * sin(d) - b * cos(d);
    if (i == j) {
        of_angle[0] = -f->q[i] - b * vi * vi;
        of_angle[1] = f->p[i] - g * vi * vi;
        of_v[0] = f->p[i] / vi + g * vi;
        of_v[1] = f->q[i] / vi - b * vi;
    } else {
        of_angle[0] = vi * vj * odd;
        of_angle[1] = -vi * vj * even;
        of_v[0] = vi * even;
        of_v[1] = vi * odd;
    }
    if (!p_given(f, i)) of_angle[0] = i == j, of_v[0] = 0;
    if (!q_given(f, i)) of_angle[1] = 0, of_v[1] = i == j;
}

/* The pattern is symmetric: the entries of column j are those of row j, with the places of Y
 * turned. */
static void fill_jacobian(flow *f)
{
    for (size_t j = 0; j < f->c->n_bus; j++) {
        double *of_angle = f->J.values + f->J.pattern.colptr[2 * j],
               *of_v = f->J.values + f->J.pattern.colptr[2 * j + 1];
        for (int k = f->grid.start[j]; k < f->grid.start[j + 1]; k++, of_angle += 2, of_v += 2) {
            size_t i = (size_t)f->grid.column[k];
            int low = f->grid.start[i];
            while (f->grid.column[low] != (int)j) low++;
            fill_block(f, i, j, low, of_angle, of_v);
        }
    }
}

static gt_status newton_step(flow *f)
{
    size_t n = f->c->n_bus;
    fill_jacobian(f);
    gt_status status = gt_lu_factor(&f->lu, &f->J);
    if (status) return status;
    for (size_t i = 0; i < n; i++) {
        f->step[2 * i] = p_given(f, i) ? f->p[i] - f->p_set[i] : 0;
        f->step[2 * i + 1] = q_given(f, i) ? f->q[i] - f->q_set[i] : 0;
    }
    gt_lu_solve(&f->lu, f->step);
    for (size_t i = 0; i < n; i++) {
        f->angle[i] -= f->step[2 * i];
        f->v[i] -= f->step[2 * i + 1];
    }
    return GT_OK;
}

static gt_status does_not_converge(const flow *f, int iterations, bool singular, bool flat,
                                   gt_message *message)
{
    const gt_power_case *c = f->c;
    return gt_fail(message, GT_NEWTON_FAILED,
                   "%s: the power flow %s after %d iterations; the worst mismatch is %.3g p.u. "
                   "(%.4g MVA) at bus %d; try %s, or less load there",
                   c->file, singular ? "meets a singular Jacobian" : "does not converge",
                   iterations, f->mismatch, f->mismatch * c->mva, c->bus[f->worst].number,
                   flat ? "the start of the case instead of --flat" : "--flat");
}

/* What rounding leaves of the worst mismatch: the two ends of a tie of 1e-9 p.u. have currents of
 * 1e9, which cancel. */
static double round_off(const flow *f)
{
    int own = f->grid.diagonal[f->worst];
    return DBL_EPSILON * f->v[f->worst] * f->v[f->worst] * hypot(f->g[own], f->b[own]);
}

/* On past the tolerance as long as it pays: the start of a simulation wants an equilibrium to
 * round-off. */
static gt_status iterate(flow *f, const gt_power_flow_options *o, int *iterations,
                         gt_message *message)
{
    double tolerance = o->tolerance > 0 ? o->tolerance : 1e-10, before = INFINITY;
    int limit = o->max_iterations > 0 ? o->max_iterations : 30;
    for (int k = 0;; k++) {
        inject(f);
        bool gains = f->mismatch < 0.1 * before && f->mismatch > 1e-14;
        if (f->mismatch <= fmax(tolerance, round_off(f)) && !gains) return GT_OK;
        if (k >= limit || !isfinite(f->mismatch))
            return does_not_converge(f, k, false, o->flat, message);
        before = f->mismatch;
        ++*iterations;
        if (newton_step(f)) return does_not_converge(f, k, true, o->flat, message);
    }
}

/* Moves buses to a reactive limit or away from it; how many moved. */
static int apply_limits(flow *f)
{
    int moved = 0;
    for (size_t i = 0; i < f->c->n_bus; i++) {
        double q = f->q[i] + f->c->bus[i].q_load, slack = 1e-9;
        int now = f->at_limit[i], next = now;
        if (f->type[i] == GT_BUS_PV)
            next = q > f->q_max[i] + slack ? AT_MAX : q < f->q_min[i] - slack ? AT_MIN : FREE;
        if (now == AT_MAX && f->v[i] > f->v_set[i] + slack) next = FREE;
        if (now == AT_MIN && f->v[i] < f->v_set[i] - slack) next = FREE;
        if (next == now) continue;
        moved++;
        f->at_limit[i] = next;
        f->type[i] = next == FREE ? GT_BUS_PV : GT_BUS_PQ;
        if (next == FREE)
            f->v[i] = f->v_set[i];
        else
            f->q_set[i] = (next == AT_MAX ? f->q_max[i] : f->q_min[i]) - f->c->bus[i].q_load;
    }
    return moved;
}

static gt_status solve(flow *f, const gt_power_flow_options *o, gt_power_flow_result *out,
                       gt_message *message)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        gt_status status = iterate(f, o, &out->iterations, message);
        if (status) return status;
        if (!o->q_limits || !apply_limits(f)) return GT_OK;
    }
    return gt_fail(message, GT_NEWTON_FAILED,
                   "%s: generators switch between their reactive limits and voltage control "
                   "without end (bus %d is one of them); try without --qlimits",
                   f->c->file, f->c->bus[f->worst].number);
}

/* Active power as scheduled, but what is left at a slack bus is its first generator's; reactive
 * power of a bus in proportion to the ranges of its generators, or evenly where these say nothing.
 */
static void share_generation(const flow *f, gt_power_flow_result *out)
{
    const gt_power_case *c = f->c;
    for (size_t k = 0; k < c->n_gen; k++) {
        const gt_power_gen *gen = &c->gen[k];
        size_t i = gen->bus;
        if (!gen->on) continue;
        out->p_gen[k] = gen->p;
        out->q_gen[k] = gen->q;
        out->limited[k] = f->at_limit[i] != FREE;
        double units = 0, p_others = 0;
        bool first = true;
        for (size_t m = 0; m < c->n_gen; m++) {
            if (!c->gen[m].on || c->gen[m].bus != i) continue;
            units++;
            if (m < k) first = false;
            if (m != k) p_others += c->gen[m].p;
        }
        if (c->bus[i].type == GT_BUS_SLACK && first)
            out->p_gen[k] = f->p[i] + c->bus[i].p_load - p_others;
        if (f->type[i] == GT_BUS_PQ && f->at_limit[i] == FREE) continue;
        double q = f->q[i] + c->bus[i].q_load, range = f->q_max[i] - f->q_min[i];
        bool by_range = isfinite(range) && range > 0;
        out->q_gen[k] = units == 1 ? q
                        : by_range
                            ? gen->q_min + (q - f->q_min[i]) * (gen->q_max - gen->q_min) / range
                            : q / units;
    }
}

static gt_status flow_of(const gt_power_case *c, const gt_power_flow_options *options,
                         gt_power_flow_result *out, gt_arena *arena, gt_message *message)
{
    static const gt_power_flow_options defaults;
    const gt_power_flow_options *o = options ? options : &defaults;
    gt_arena own = gt_arena_growing();
    flow f = {.c = c};
    *out = (gt_power_flow_result){0};
    out->v = f.v = gt_arena_doubles(arena, c->n_bus);
    out->angle = f.angle = gt_arena_doubles(arena, c->n_bus);
    out->p_gen = gt_arena_doubles(arena, c->n_gen + 1);
    out->q_gen = gt_arena_doubles(arena, c->n_gen + 1);
    out->limited = gt_arena_take(arena, c->n_gen + 1, sizeof *out->limited);
    size_t *island = gt_arena_take(&own, c->n_bus, sizeof *island);
    bool *fed = gt_arena_take(&own, c->n_bus, sizeof *fed);
    gt_status status = gt_grid_make(c, &f.grid, &own);
    if (!status) status = lay_out(&f, &own);
    if (status || arena->failed) {
        status = gt_fail(message, GT_NO_MEMORY, "%s: out of memory for the power flow", c->file);
    } else if ((status = gt_lu_possible(&f.lu, message)) == GT_OK) {
        gt_islands_of(c, NULL, island);
        for (size_t i = 0; i < c->n_bus; i++)
            if (c->bus[i].type == GT_BUS_SLACK) fed[island[i]] = true;
        set_up(&f, o, island, fed);
        gt_grid_admittance(&f.grid, c, NULL, NULL, f.g, f.b);
        status = solve(&f, o, out, message);
        share_generation(&f, out);
        for (size_t i = 0; i < c->n_bus; i++) out->p_loss += f.p[i];
        for (size_t i = 0; i < c->n_bus; i++) out->p_loss -= c->bus[i].g_shunt * f.v[i] * f.v[i];
    }
    out->mismatch = f.mismatch;
    out->worst = f.worst;
    gt_lu_free(&f.lu);
    gt_arena_free(&own);
    return status;
}

gt_status gt_power_flow_sized(const gt_power_case *c, const gt_power_flow_options *options,
                              size_t options_size, gt_power_flow_result *out, size_t out_size,
                              gt_arena *arena, gt_message *message)
{
    GT_ARMOR(message, c && out && arena);
    GT_WIDEN(message, gt_power_flow_options, options);
    GT_OUT(gt_power_flow_result, out);
    gt_status status = flow_of(c, options, out, arena, message);
    GT_GIVE(out);
    return status;
}

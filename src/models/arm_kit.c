/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/arm.h"
#include <geartrain/author/number.h>
#include <stdio.h>
#include <string.h>

const char *const gt_arm_loops[] = {"open", "closed", NULL};
const char *const gt_arm_inputs[] = {"pulse", "step", "ramp", "none", NULL};
const char *const gt_arm_forms[] = {"mass", "plain", NULL};
const char *const gt_arm_storages[] = {"csc", "banded", NULL};
enum { BANDED = 1, NAME_SIZE = 24, MOST_PLAIN = 402 }; /* the Jacobian of the plain form is dense */

double gt_arm_interleaved_place(const gt_arm *arm, size_t i, double tip)
{
    double xi = (double)gt_arm_point(i) / (double)arm->n;
    return gt_arm_is_rotation(i) ? tip * 3 * xi * (2 - xi) / 2 : tip * xi * xi * (3 - xi) / 2;
}

double gt_arm_interleaved_rigid(const gt_arm *arm, size_t i)
{
    return gt_arm_is_rotation(i) ? 1 : (double)gt_arm_point(i) / (double)arm->n;
}

void gt_arm_interleaved_name(size_t i, const char *rotation, char *text, size_t size)
{
    if (i == 0)
        snprintf(text, size, "theta");
    else
        snprintf(text, size, "%s%zu", gt_arm_is_rotation(i) ? rotation : "z", gt_arm_point(i));
}

void gt_arm_read(gt_arm *arm, const double *v)
{
    arm->loop = (int)v[0];
    arm->input = (int)v[1];
    arm->form = (int)v[2];
    arm->banded = (int)v[3] == BANDED && arm->loop == GT_ARM_OPEN;
    arm->link = (gt_arm_link){.eta = v[4],
                              .mu = v[5],
                              .kappa = v[6],
                              .zeta = v[7],
                              .alpha = v[8],
                              .beta = v[9],
                              .delta = v[10],
                              .k_theta = v[11],
                              .k_dtheta = v[12],
                              .k_w = v[13],
                              .k_dw = v[14],
                              .amplitude = v[15],
                              .duration = v[16],
                              .theta0 = v[17],
                              .bend = v[18],
                              .theta_d = v[19],
                              .alpha_tip = v[20],
                              .beta_tip = v[21],
                              .delta_tip = v[22],
                              .gamma_tip = 1,
                              .length = v[23],
                              .mass = v[24],
                              .rigidity = v[25]};
}

/* u(t); in the closed loop what the desired angle adds, (4.38). */
static double torque(const gt_arm *arm, double t)
{
    if (arm->loop == GT_ARM_CLOSED) return arm->link.k_theta * arm->link.theta_d * GT_PI / 180;
    switch (arm->input) {
    case GT_ARM_PULSE:
        return t < arm->link.duration ? arm->link.amplitude : 0;
    case GT_ARM_STEP:
        return arm->link.amplitude;
    case GT_ARM_RAMP:
        return arm->link.amplitude * t;
    default:
        return 0;
    }
}

static gt_status input(double t, double *u, void *ctx)
{
    const gt_arm *arm = ctx;
    memset(u, 0, arm->m * sizeof *u);
    u[0] = torque(arm, t);
    return GT_OK;
}

/* (4.12): of energies D_0/L, of times c = sqrt(M_0 L^3/D_0), of deflections L are the units. */
static double value_M(const gt_arm *arm, size_t row, size_t column)
{
    double energy_times_square = arm->link.mass * arm->link.length * arm->link.length;
    return arm->entry_M(arm, row, column) *
           (energy_times_square * gt_arm_unit(arm, row) * gt_arm_unit(arm, column));
}

/* Energy, and while a torque u acts its potential -u theta. */
static void energy(double t, const double *x, double *out, void *ctx)
{
    const gt_arm *arm = ctx;
    const double *z = x, *v = x + arm->m;
    double sum = arm->link.rigidity / arm->link.length * arm->strain_energy(arm, z);
    for (size_t j = 0; j < arm->m; j++) {
        size_t width = (size_t)arm->width_M;
        for (size_t i = j > width ? j - width : 0; i < arm->m && i <= j + width; i++)
            sum += value_M(arm, i, j) * v[i] * v[j] / 2;
    }
    out[0] = sum - torque(arm, t) * x[0];
}

/* ---- the plain form ---- */

static gt_status plain_rhs(double t, const double *x, double *dx, void *ctx)
{
    const gt_arm *arm = ctx;
    size_t m = arm->m;
    double *a = dx + m;
    memset(a, 0, m * sizeof *a);
    gt_matrix_multiply(&arm->K, x, 1, a);
    if (arm->loop == GT_ARM_CLOSED) gt_matrix_multiply(&arm->C, x + m, 1, a);
    for (size_t i = 0; i < m; i++) {
        dx[i] = x[m + i];
        a[i] = -a[i];
    }
    a[0] += torque(arm, t);
    gt_lu_solve(&arm->solve_M, a);
    return GT_OK;
}

static gt_status plain_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const gt_arm *arm = ctx;
    size_t m = arm->m;
    (void)t, (void)x;
    for (size_t j = 0; j < m; j++) {
        double *by_z = J->values + 2 * m * j + m, *by_v = J->values + 2 * m * (m + j);
        by_v[j] = 1;
        for (size_t i = 0; i < m; i++) {
            by_z[i] = -arm->inverse_K[j * m + i];
            by_v[m + i] = -arm->inverse_C[j * m + i];
        }
    }
    return GT_OK;
}

/* M^-1 A column by column. */
static void divide_by_M(const gt_arm *arm, const gt_matrix *A, double *out)
{
    for (size_t j = 0; j < arm->m; j++) {
        double *column = out + j * arm->m;
        for (size_t i = 0; i < arm->m; i++) {
            const double *entry = gt_matrix_at(A, i, j);
            column[i] = entry ? *entry : 0;
        }
        gt_lu_solve(&arm->solve_M, column);
    }
}

static gt_status make_plain(gt_arm *arm, gt_problem *p, gt_arena *arena)
{
    size_t m = arm->m, width = (size_t)arm->width_M;
    gt_matrix M;
    if (2 * m > MOST_PLAIN) return GT_UNSUPPORTED;
    gt_matrix_layout(
        &M, m, (gt_pattern){.storage = GT_BANDED, .lower = arm->width_M, .upper = arm->width_M},
        false, arena);
    gt_lu_layout(&arm->solve_M, &M, arena);
    arm->inverse_K = gt_arena_doubles(arena, m * m);
    arm->inverse_C = gt_arena_doubles(arena, m * m);
    if (arena->failed) return GT_NO_MEMORY;
    for (size_t j = 0; j < m; j++)
        for (size_t i = j > width ? j - width : 0; i < m && i <= j + width; i++)
            *gt_matrix_at(&M, i, j) = value_M(arm, i, j);
    if (gt_lu_factor(&arm->solve_M, &M)) return GT_SINGULAR;
    divide_by_M(arm, &arm->K, arm->inverse_K);
    if (arm->loop == GT_ARM_CLOSED) divide_by_M(arm, &arm->C, arm->inverse_C);
    p->rhs = plain_rhs;
    p->jac = plain_jac;
    p->linear = true;
    p->autonomous = !arm->structure.input;
    return GT_OK;
}

/* ---- matrices ---- */

/* What feedback adds to the first row: u = -k_theta theta - k_w (tip - theta), and the same with
 * rates. */
static double feedback(const gt_arm *arm, bool of_rates, size_t row, size_t column)
{
    const gt_arm_link *link = &arm->link;
    if (arm->loop == GT_ARM_OPEN || row != 0) return 0;
    double k_hub = of_rates ? link->k_dtheta : link->k_theta,
           k_tip = of_rates ? link->k_dw : link->k_w;
    return column == 0 ? k_hub - k_tip : column == arm->tip ? k_tip / link->length : 0;
}

static double value_K(const gt_arm *arm, size_t row, size_t column)
{
    size_t apart = row > column ? row - column : column - row;
    double k = apart <= (size_t)arm->width_K ? arm->entry_K(arm, row, column) : 0;
    k *= arm->link.rigidity / arm->link.length * gt_arm_unit(arm, row) * gt_arm_unit(arm, column);
    return k + feedback(arm, false, row, column);
}
static double value_C(const gt_arm *arm, size_t row, size_t column)
{
    return feedback(arm, true, row, column);
}

/* A band of `width` diagonals on each side, and in CSC also what feedback puts into the first row
 * at the tip. */
static gt_status make_matrix(const gt_arm *arm, double (*value)(const gt_arm *, size_t, size_t),
                             int width, bool with_feedback, gt_matrix *A, gt_arena *arena)
{
    size_t m = arm->m, w = (size_t)width, count = 0;
    gt_pattern pattern = {.storage = GT_BANDED, .lower = width, .upper = width};
    if (!arm->banded) {
        int *colptr = gt_arena_take(arena, m + 1, sizeof *colptr);
        int *rowindex = gt_arena_take(arena, m * (2 * w + 1) + 1, sizeof *rowindex);
        if (arena->failed) return GT_NO_MEMORY;
        for (size_t j = 0; j < m; j++) {
            if (with_feedback && j == arm->tip && j > w) rowindex[count++] = 0;
            for (size_t i = j > w ? j - w : 0; i < m && i <= j + w; i++) rowindex[count++] = (int)i;
            colptr[j + 1] = (int)count;
        }
        pattern = (gt_pattern){.storage = GT_CSC, .colptr = colptr, .rowindex = rowindex};
    }
    gt_matrix_layout(A, m, pattern, false, arena);
    if (arena->failed) return GT_NO_MEMORY;
    for (size_t j = 0; j < m; j++) {
        for (size_t i = j > w ? j - w : 0; i < m && i <= j + w; i++)
            *gt_matrix_at(A, i, j) = value(arm, i, j);
        if (with_feedback && j == arm->tip && j > w) *gt_matrix_at(A, 0, j) = value(arm, 0, j);
    }
    return GT_OK;
}

static gt_status name_states(const gt_arm *arm, const char ***names, gt_arena *arena)
{
    size_t m = arm->m;
    const char **list = gt_arena_take(arena, 2 * m, sizeof *list);
    char *text = gt_arena_take(arena, 2 * m, NAME_SIZE);
    if (arena->failed) return GT_NO_MEMORY;
    for (size_t i = 0; i < m; i++) {
        char *rate = text + (m + i) * NAME_SIZE;
        arm->name(arm, i, text + i * NAME_SIZE, NAME_SIZE);
        rate[0] = 'd';
        arm->name(arm, i, rate + 1, NAME_SIZE - 1);
        list[i] = text + i * NAME_SIZE;
        list[m + i] = rate;
    }
    *names = list;
    return GT_OK;
}

gt_status gt_arm_build(const gt_arm *described, gt_problem *problem, gt_arena *arena)
{
    static const char *const invariants[] = {"energy"};
    gt_arm *arm = gt_arena_take(arena, 1, sizeof *arm);
    double *x0 = gt_arena_doubles(arena, 2 * described->m);
    const char **names;
    if (arena->failed) return GT_NO_MEMORY;
    *arm = *described;
    bool closed = arm->loop == GT_ARM_CLOSED;
    gt_status status = make_matrix(arm, value_M, arm->width_M, false, &arm->M, arena);
    if (!status) status = make_matrix(arm, value_K, arm->width_K, closed, &arm->K, arena);
    if (!status && closed) status = make_matrix(arm, value_C, 0, true, &arm->C, arena);
    if (!status) status = name_states(arm, &names, arena);
    if (status) return status;
    for (size_t i = 0; i < arm->m; i++) {
        double bend = arm->link.bend / arm->link.length;
        x0[i] =
            closed ? arm->link.theta0 * GT_PI / 180 * arm->rigid(arm, i) : arm->place(arm, i, bend);
        x0[i] /= gt_arm_unit(arm, i);
    }
    bool driven = closed ? arm->link.theta_d != 0 : arm->input != GT_ARM_NONE;
    arm->structure = (gt_second_order){.mass = &arm->M,
                                       .stiffness = &arm->K,
                                       .damping = closed ? &arm->C : NULL,
                                       .input = driven ? input : NULL};
    bool conserves = arm->strain_energy && !closed && arm->input != GT_ARM_RAMP;
    gt_problem p = {.n_slow = 2 * arm->m,
                    .second_order = &arm->structure,
                    .t1 = closed ? 5 : 2,
                    .x0 = x0,
                    .ctx = arm,
                    .names = names,
                    .n_breaks = !closed && arm->input == GT_ARM_PULSE,
                    .breaks = &arm->link.duration,
                    .n_invariants = conserves,
                    .invariant_names = invariants,
                    .invariants = conserves ? energy : NULL};
    if (arm->form == GT_ARM_MASS) return gt_problem_first_order(&p, problem, arena);
    *problem = p;
    return make_plain(arm, problem, arena);
}

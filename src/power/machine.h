/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_POWER_MACHINE_H
#define GEARTRAIN_POWER_MACHINE_H

/*
 * One machine with its exciter and governor as a list of quantities. Each is a state, an algebraic
 * variable, or held at a fixed value, so that the same equations serve for machines with and
 * without regulators.
 */
#include <geartrain/power.h>

enum {
    Q_EQ,    /* E'q */
    Q_ED,    /* E'd */
    Q_PSI_D, /* flux of the damper in d */
    Q_PSI_Q, /* and in q */
    Q_DELTA,
    Q_SLIP, /* omega - omega_s, rad/s */
    Q_EFD,
    Q_RF,
    Q_VR,
    Q_VM,  /* measured voltage */
    Q_VL,  /* lead-lag of the exciter */
    Q_TM,  /* torque of the turbine */
    Q_PCH, /* steam chest */
    Q_PSV, /* valve */
    Q_TG,  /* lead-lag of TGOV1 */
    Q_ID,  /* algebraic from here on */
    Q_IQ,
    Q_VRE, /* voltage of the bus, and the rows of its current balance */
    Q_VIM,
    N_QUANTITIES,
    N_STATES = Q_ID
};

typedef struct gt_unit {
    gt_power_machine data;
    size_t gen, bus;
    int at[N_QUANTITIES];       /* index in x; -1: fixed */
    double fixed[N_QUANTITIES]; /* its value then; at the start, that of every quantity */
    double omega_s, M;          /* M = 2 H / omega_s */
    double v_ref, p_ref;        /* set points of exciter and governor */
    double xd, xq;              /* in the stator equations */
    double of_eq, of_ed;        /* weight of E'q in e_q, of E'd in e_d; the rest is the damper's */
    /* V_R and the valve: at the upper (1) or lower (-1) limit, or free (0); NULL: nothing has
     * limits. The numbers of all units lie together, for they are what a run has changed in the
     * problem. */
    int *side;
} gt_unit;

extern const char *const gt_quantity_names[], *const gt_quantity_units[];

/* Initial values of all quantities and the set points, from voltage and power at the terminals.
 * Says when a limit does not allow them. */
gt_status gt_unit_start(gt_unit *u, const gt_power_machine *data, double omega_s, double v_re,
                        double v_im, double p, double q, bool limits, const char *where,
                        gt_message *message) GT_MUST_CHECK;

/* Which quantities vary; the others are fixed. */
bool gt_unit_has(const gt_unit *u, int quantity);

/* Rates of the states, residuals of the stator, and the current into the bus in f[Q_VRE], f[Q_VIM].
 */
void gt_unit_rates(const gt_unit *u, const double *z, double *f);

/* What V_R and the valve would do without limits. */
double gt_unit_vr_rate(const gt_unit *u, const double *z);
double gt_unit_valve_rate(const gt_unit *u, const double *z);

/* Entries d f[row] / d z[column], always the same ones in the same order; the first two are those
 * of Q_ID, Q_IQ on the diagonal. */
typedef void gt_put_fn(void *to, int row, int column, double value);
void gt_unit_jacobian(const gt_unit *u, const double *z, gt_put_fn *put, void *to);

static inline void gt_unit_load(const gt_unit *u, const double *x, double *z)
{
    for (int q = 0; q < N_QUANTITIES; q++) z[q] = u->at[q] >= 0 ? x[u->at[q]] : u->fixed[q];
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The steady state of a machine from voltage and power at its terminals. The rotor angle is that of
 *
 *     V + (ra + j x_q) I                                      two-axis
 *     e (1 + S q) + j (x_q - x'') I,  e = V + (ra + j x'') I   round: |e|, and so S, do not depend
 * on the angle V + (ra + j x'd) I                                      classical
 *
 * and all else follows by setting the rates to zero.
 */
#include "power/machine.h"
#include "power/machine_data.h"
#include <complex.h>
#include <math.h>

bool gt_unit_has(const gt_unit *u, int q)
{
    const gt_power_machine *m = &u->data;
    bool round = m->kind == GT_MACHINE_ROUND, field = m->kind == GT_MACHINE_TWOAXIS || round;
    switch (q) {
    case Q_EQ:
        return field;
    case Q_ED:
        return field && m->Tq0 > 0;
    case Q_PSI_D:
    case Q_PSI_Q:
        return round;
    case Q_EFD:
    case Q_RF:
    case Q_VR:
        return m->exciter != GT_EXCITER_NONE;
    case Q_VM:
        return m->exciter != GT_EXCITER_NONE && m->TR > 0;
    case Q_VL:
        return m->exciter != GT_EXCITER_NONE && m->TB > 0;
    case Q_TM:
    case Q_PCH:
        return m->governor == GT_GOVERNOR_REHEAT;
    case Q_PSV:
        return m->governor != GT_GOVERNOR_NONE;
    case Q_TG:
        return m->governor == GT_GOVERNOR_TGOV1;
    default:
        return true;
    }
}

/* Reactances and weights of the stator equations. */
static void choose_stator(gt_unit *u)
{
    const gt_power_machine *m = &u->data;
    u->xd = m->xd1;
    u->xq = m->kind == GT_MACHINE_CLASSICAL ? m->xd1 : m->Tq0 > 0 ? m->xq1 : m->xq;
    u->of_eq = u->of_ed = 1;
    if (m->kind != GT_MACHINE_ROUND) return;
    u->xd = u->xq = m->xd2;
    u->of_eq = (m->xd2 - m->xl) / (m->xd1 - m->xl);
    u->of_ed = (m->xd2 - m->xl) / (m->xq1 - m->xl);
}

static double rotor_angle(const gt_unit *u, double complex V, double complex current)
{
    const gt_power_machine *m = &u->data;
    double complex e = V + (m->ra + I * u->xq) * current;
    if (m->kind == GT_MACHINE_CLASSICAL) return carg(e);
    if (m->kind == GT_MACHINE_TWOAXIS) return carg(V + (m->ra + I * m->xq) * current);
    double S = gt_saturation_at(&m->saturation, cabs(e), NULL);
    return carg(e * (1 + S * (m->xq - m->xl) / (m->xd - m->xl)) + I * (m->xq - u->xq) * current);
}

/* E', dampers and field voltage from the internal voltage e_d + j e_q. */
static void start_field(gt_unit *u, double ed, double eq)
{
    const gt_power_machine *m = &u->data;
    double *z = u->fixed, S = gt_saturation_at(&m->saturation, hypot(ed, eq), NULL);
    bool round = m->kind == GT_MACHINE_ROUND;
    z[Q_EQ] = eq + (round ? (m->xd1 - u->xd) * z[Q_ID] : 0);
    z[Q_ED] = ed - (round ? (m->xq1 - u->xq) * z[Q_IQ] : 0);
    if (!round && !(m->Tq0 > 0)) z[Q_ED] = 0;
    if (round) {
        z[Q_PSI_D] = z[Q_EQ] - (m->xd1 - m->xl) * z[Q_ID];
        z[Q_PSI_Q] = -z[Q_ED] - (m->xq1 - m->xl) * z[Q_IQ];
    }
    z[Q_EFD] = m->kind == GT_MACHINE_CLASSICAL
                   ? 0
                   : z[Q_EQ] + (m->xd - m->xd1) * z[Q_ID] + (round ? S * eq : 0);
}

/* KE = 0 asks for the value with which V_R is 0 at the start, as in PSS/E. */
static void start_exciter(gt_unit *u, double v)
{
    gt_power_machine *m = &u->data;
    double *z = u->fixed, SE = gt_saturation_at(&m->SE, z[Q_EFD], NULL);
    if (m->KE == 0) m->KE = -SE;
    z[Q_VR] = (m->KE + SE) * z[Q_EFD];
    z[Q_RF] = m->KF / m->TF * z[Q_EFD];
    z[Q_VM] = v;
    z[Q_VL] = z[Q_VR] / m->KA;
    u->v_ref = v + z[Q_VR] / m->KA;
}

static gt_status check_limit(const char *where, const char *what, const char *lower,
                             const char *upper, double value, double min, double max,
                             gt_message *message)
{
    if (value >= min && value <= max) return GT_OK;
    return gt_fail(message, GT_BAD_ARGUMENT,
                   "%s would have to begin with %s = %.5g, outside its limits %s = %.5g and %s = "
                   "%.5g; widen them, or "
                   "run without --limits",
                   where, what, value, lower, min, upper, max);
}

gt_status gt_unit_start(gt_unit *u, const gt_power_machine *data, double omega_s, double v_re,
                        double v_im, double p, double q, bool limits, const char *where,
                        gt_message *message)
{
    double complex V = v_re + I * v_im, current = conj((p + I * q) / V);
    double *z = u->fixed;
    gt_status status = GT_OK;
    u->data = *data;
    u->omega_s = omega_s;
    u->M = 2 * data->H / omega_s;
    choose_stator(u);
    z[Q_DELTA] = rotor_angle(u, V, current);
    double complex turn = sin(z[Q_DELTA]) + I * cos(z[Q_DELTA]); /* exp(-j (delta - pi/2)) */
    z[Q_ID] = creal(current * turn);
    z[Q_IQ] = cimag(current * turn);
    z[Q_VRE] = v_re;
    z[Q_VIM] = v_im;
    double ed = creal(V * turn) + data->ra * z[Q_ID] - u->xq * z[Q_IQ];
    double eq = cimag(V * turn) + data->ra * z[Q_IQ] + u->xd * z[Q_ID];
    if (data->kind == GT_MACHINE_CLASSICAL) ed = 0;
    start_field(u, ed, eq);
    z[Q_TM] = ed * z[Q_ID] + eq * z[Q_IQ] + (u->xq - u->xd) * z[Q_ID] * z[Q_IQ];
    z[Q_PCH] = z[Q_PSV] = z[Q_TG] = u->p_ref = z[Q_TM];
    if (data->governor == GT_GOVERNOR_TGOV1) z[Q_TM] = 0;
    if (data->exciter != GT_EXCITER_NONE) {
        start_exciter(u, cabs(V));
        if (limits && data->VR_max > data->VR_min)
            status = check_limit(where, "VR", "VR_min", "VR_max", z[Q_VR], data->VR_min,
                                 data->VR_max, message);
    }
    if (!status && limits && data->governor != GT_GOVERNOR_NONE && data->P_max > data->P_min)
        status = check_limit(where, "PSV", "P_min", "P_max", z[Q_PSV], data->P_min, data->P_max,
                             message);
    return status;
}

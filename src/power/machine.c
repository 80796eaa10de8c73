/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The machine: crow (5.161)-(5.170), extended by a damper on each axis, saturation and damping.
 * With the internal voltage e_d + j e_q behind x_d, x_q and (d, q) turned by delta - pi/2 from the
 * network,
 *
 *     0 = V_d + ra I_d - x_q I_q - e_d,  0 = V_q + ra I_q + x_d I_d - e_q (5.171) T_e = e_d I_d +
 * e_q I_q + (x_q - x_d) I_d I_q,  M slip' = T_m - T_e - D slip / omega_s                   (5.164)
 *
 *   classical  e_q fixed, e_d = 0, x_d = x_q = x'd
 *   two-axis   e_q = E'q, e_d = E'd, x_d = x'd, x_q = x'q (5.161), (5.162) round      e_q = c E'q +
 * (1 - c) psi_d, e_d = c E'd - (1 - c) psi_q, x_d = x_q = x''d (GENROU), with T'd0 E'q'  = E_fd -
 * E'q - (x_d - x'd) [I_d - k (psi_d + (x'd - xl) I_d - E'q)] - S e_q T''d0 psi_d' = -psi_d + E'q -
 * (x'd - xl) I_d and the same for q with I_q -> -I_q; c = (x'' - xl)/(x' - xl), k = (x' - x'')/(x'
 * - xl)^2, S = S(|e|), on the q axis times (x_q - xl)/(x_d - xl).
 *
 * Exciter, IEEE type 1 (5.165)-(5.167), with an optional measuring lag T_R and lead-lag T_C, T_B in
 * front of V_R. Governor: reheat turbine (5.168)-(5.170) with slip/omega_s for omega/omega_s, which
 * is a misprint; or TGOV1. Torque and power are the same, as in the chapter.
 */
#include "power/machine.h"
#include "power/machine_data.h"
#include <math.h>

const char *const gt_quantity_names[] = {"Eq", "Ed", "psid", "psiq", "delta", "slip", "Efd",
                                         "Rf", "VR", "Vm",   "VL",   "TM",    "PCH",  "PSV",
                                         "TG", "Id", "Iq",   "Vre",  "Vim"};
const char *const gt_quantity_units[] = {"p.u.", "p.u.", "p.u.", "p.u.", "rad",  "rad/s", "p.u.",
                                         "p.u.", "p.u.", "p.u.", "p.u.", "p.u.", "p.u.",  "p.u.",
                                         "p.u.", "p.u.", "p.u.", "p.u.", "p.u."};

/* What several equations need. */
typedef struct insides {
    double s, c;          /* sine and cosine of delta */
    double vd, vq, v;     /* at the terminals */
    double eq, ed;        /* internal voltage */
    double torque, error; /* of the turbine; input of the regulator */
} insides;

static insides look_inside(const gt_unit *u, const double *z)
{
    const gt_power_machine *m = &u->data;
    insides w = {.s = sin(z[Q_DELTA]), .c = cos(z[Q_DELTA])};
    w.vd = z[Q_VRE] * w.s - z[Q_VIM] * w.c;
    w.vq = z[Q_VRE] * w.c + z[Q_VIM] * w.s;
    w.eq = u->of_eq * z[Q_EQ] + (1 - u->of_eq) * z[Q_PSI_D];
    w.ed = u->of_ed * z[Q_ED] - (1 - u->of_ed) * z[Q_PSI_Q];
    w.v = sqrt(z[Q_VRE] * z[Q_VRE] + z[Q_VIM] * z[Q_VIM]);
    w.torque = z[Q_TM];
    if (m->governor == GT_GOVERNOR_TGOV1)
        w.torque = z[Q_TG] + m->T2 / m->T3 * (z[Q_PSV] - z[Q_TG]) - m->Dt * z[Q_SLIP] / u->omega_s;
    if (m->exciter != GT_EXCITER_NONE)
        w.error = u->v_ref - (m->TR > 0 ? z[Q_VM] : w.v) + z[Q_RF] - m->KF / m->TF * z[Q_EFD];
    return w;
}

/* S(|e|) / 1 and its derivative by |e|, divided by |e|, so that dS = slope (e_q de_q + e_d de_d).
 */
static double saturation(const gt_unit *u, const insides *w, double *slope)
{
    double size = sqrt(w->eq * w->eq + w->ed * w->ed);
    double value = gt_saturation_at(&u->data.saturation, size, slope);
    *slope = size > 0 ? *slope / size : 0;
    return value;
}

static bool at_limit(const gt_unit *u, int which) { return u->side && u->side[which]; }

static double q_share(const gt_power_machine *m) { return (m->xq - m->xl) / (m->xd - m->xl); }

/* (x' - x'') / (x' - xl)^2 */
static double damper(double x1, double x2, double xl)
{
    return (x1 - x2) / ((x1 - xl) * (x1 - xl));
}

static void round_rates(const gt_unit *u, const insides *w, const double *z, double *f)
{
    const gt_power_machine *m = &u->data;
    double kd = damper(m->xd1, m->xd2, m->xl), kq = damper(m->xq1, m->xd2, m->xl), slope;
    double lag_d = z[Q_EQ] - (m->xd1 - m->xl) * z[Q_ID] - z[Q_PSI_D];
    double lag_q = -z[Q_ED] - (m->xq1 - m->xl) * z[Q_IQ] - z[Q_PSI_Q];
    double S = saturation(u, w, &slope);
    f[Q_EQ] = (z[Q_EFD] - z[Q_EQ] - (m->xd - m->xd1) * (z[Q_ID] + kd * lag_d) - S * w->eq) / m->Td0;
    f[Q_ED] =
        (-z[Q_ED] + (m->xq - m->xq1) * (z[Q_IQ] + kq * lag_q) - S * q_share(m) * w->ed) / m->Tq0;
    f[Q_PSI_D] = lag_d / m->Td02;
    f[Q_PSI_Q] = lag_q / m->Tq02;
}

static void field_rates(const gt_unit *u, const insides *w, const double *z, double *f)
{
    const gt_power_machine *m = &u->data;
    if (m->kind == GT_MACHINE_ROUND) {
        round_rates(u, w, z, f);
    } else if (m->kind == GT_MACHINE_TWOAXIS) {
        f[Q_EQ] = (-z[Q_EQ] - (m->xd - m->xd1) * z[Q_ID] + z[Q_EFD]) / m->Td0;      /* (5.161) */
        if (m->Tq0 > 0) f[Q_ED] = (-z[Q_ED] + (m->xq - m->xq1) * z[Q_IQ]) / m->Tq0; /* (5.162) */
    }
}

static double vr_rate(const gt_unit *u, const insides *w, const double *z)
{
    const gt_power_machine *m = &u->data;
    double in = m->TB > 0 ? z[Q_VL] + m->TC / m->TB * (w->error - z[Q_VL]) : w->error;
    return (-z[Q_VR] + m->KA * in) / m->TA; /* (5.167) */
}

static double valve_rate(const gt_unit *u, const double *z)
{
    const gt_power_machine *m = &u->data;
    double T = m->governor == GT_GOVERNOR_TGOV1 ? m->T1 : m->TSV;
    return (-z[Q_PSV] + u->p_ref - z[Q_SLIP] / (m->R * u->omega_s)) / T; /* (5.170) */
}

double gt_unit_vr_rate(const gt_unit *u, const double *z)
{
    insides w = look_inside(u, z);
    return vr_rate(u, &w, z);
}

double gt_unit_valve_rate(const gt_unit *u, const double *z) { return valve_rate(u, z); }

static void regulator_rates(const gt_unit *u, const insides *w, const double *z, double *f)
{
    const gt_power_machine *m = &u->data;
    if (m->exciter != GT_EXCITER_NONE) {
        double SE = gt_saturation_at(&m->SE, z[Q_EFD], NULL);
        f[Q_EFD] = (z[Q_VR] - (m->KE + SE) * z[Q_EFD]) / m->TE;  /* (5.165) */
        f[Q_RF] = (-z[Q_RF] + m->KF / m->TF * z[Q_EFD]) / m->TF; /* (5.166) */
        f[Q_VR] = at_limit(u, 0) ? 0 : vr_rate(u, w, z);
        if (m->TR > 0) f[Q_VM] = (w->v - z[Q_VM]) / m->TR;
        if (m->TB > 0) f[Q_VL] = (w->error - z[Q_VL]) / m->TB;
    }
    if (m->governor != GT_GOVERNOR_NONE) f[Q_PSV] = at_limit(u, 1) ? 0 : valve_rate(u, z);
    if (m->governor == GT_GOVERNOR_TGOV1) f[Q_TG] = (z[Q_PSV] - z[Q_TG]) / m->T3;
    if (m->governor == GT_GOVERNOR_REHEAT) {
        double fast = m->KHP * m->TRH / m->TCH;
        f[Q_TM] = (-z[Q_TM] + (1 - fast) * z[Q_PCH] + fast * z[Q_PSV]) / m->TRH; /* (5.168) */
        f[Q_PCH] = (z[Q_PSV] - z[Q_PCH]) / m->TCH;                               /* (5.169) */
    }
}

void gt_unit_rates(const gt_unit *u, const double *z, double *f)
{
    const gt_power_machine *m = &u->data;
    insides w = look_inside(u, z);
    double id = z[Q_ID], iq = z[Q_IQ];
    double Te = w.ed * id + w.eq * iq + (u->xq - u->xd) * id * iq;
    f[Q_DELTA] = z[Q_SLIP];                                             /* (5.163) */
    f[Q_SLIP] = (w.torque - Te - m->D * z[Q_SLIP] / u->omega_s) / u->M; /* (5.164) */
    field_rates(u, &w, z, f);
    regulator_rates(u, &w, z, f);
    f[Q_ID] = w.vd + m->ra * id - u->xq * iq - w.ed; /* (5.171) */
    f[Q_IQ] = w.vq + m->ra * iq + u->xd * id - w.eq;
    f[Q_VRE] = id * w.s + iq * w.c;
    f[Q_VIM] = iq * w.s - id * w.c;
}

static void put_stator(const gt_unit *u, const insides *w, const double *z, gt_put_fn *put,
                       void *to)
{
    const gt_power_machine *m = &u->data;
    double id = z[Q_ID], iq = z[Q_IQ];
    put(to, Q_ID, Q_ID, m->ra);
    put(to, Q_IQ, Q_IQ, m->ra);
    put(to, Q_ID, Q_IQ, -u->xq);
    put(to, Q_IQ, Q_ID, u->xd);
    put(to, Q_ID, Q_DELTA, w->vq);
    put(to, Q_IQ, Q_DELTA, -w->vd);
    put(to, Q_ID, Q_VRE, w->s);
    put(to, Q_ID, Q_VIM, -w->c);
    put(to, Q_IQ, Q_VRE, w->c);
    put(to, Q_IQ, Q_VIM, w->s);
    put(to, Q_ID, Q_ED, -u->of_ed);
    put(to, Q_ID, Q_PSI_Q, 1 - u->of_ed);
    put(to, Q_IQ, Q_EQ, -u->of_eq);
    put(to, Q_IQ, Q_PSI_D, u->of_eq - 1);
    put(to, Q_VRE, Q_ID, w->s);
    put(to, Q_VRE, Q_IQ, w->c);
    put(to, Q_VRE, Q_DELTA, id * w->c - iq * w->s);
    put(to, Q_VIM, Q_ID, -w->c);
    put(to, Q_VIM, Q_IQ, w->s);
    put(to, Q_VIM, Q_DELTA, iq * w->c + id * w->s);
}

static void put_swing(const gt_unit *u, const insides *w, const double *z, gt_put_fn *put, void *to)
{
    const gt_power_machine *m = &u->data;
    double id = z[Q_ID], iq = z[Q_IQ], inertia = 1 / u->M, damping = m->D;
    bool tgov = m->governor == GT_GOVERNOR_TGOV1;
    if (tgov) damping += m->Dt;
    put(to, Q_DELTA, Q_SLIP, 1);
    put(to, Q_SLIP, Q_SLIP, -damping / u->omega_s * inertia);
    put(to, Q_SLIP, Q_ID, -(w->ed + (u->xq - u->xd) * iq) * inertia);
    put(to, Q_SLIP, Q_IQ, -(w->eq + (u->xq - u->xd) * id) * inertia);
    put(to, Q_SLIP, Q_EQ, -u->of_eq * iq * inertia);
    put(to, Q_SLIP, Q_PSI_D, -(1 - u->of_eq) * iq * inertia);
    put(to, Q_SLIP, Q_ED, -u->of_ed * id * inertia);
    put(to, Q_SLIP, Q_PSI_Q, (1 - u->of_ed) * id * inertia);
    put(to, Q_SLIP, Q_TM, inertia);
    if (!tgov) return;
    put(to, Q_SLIP, Q_TG, (1 - m->T2 / m->T3) * inertia);
    put(to, Q_SLIP, Q_PSV, m->T2 / m->T3 * inertia);
}

static void put_round(const gt_unit *u, const insides *w, gt_put_fn *put, void *to)
{
    const gt_power_machine *m = &u->data;
    double kd = damper(m->xd1, m->xd2, m->xl), kq = damper(m->xq1, m->xd2, m->xl), slope;
    double ad = m->xd1 - m->xl, aq = m->xq1 - m->xl, S = saturation(u, w, &slope),
           share = q_share(m);
    /* derivatives of S e_q and share S e_d by e_q and e_d */
    double qq = S + slope * w->eq * w->eq, qd = slope * w->eq * w->ed,
           dd = share * (S + slope * w->ed * w->ed);
    double dq = share * qd;
    put(to, Q_EQ, Q_EFD, 1 / m->Td0);
    put(to, Q_EQ, Q_EQ, (-1 - (m->xd - m->xd1) * kd - qq * u->of_eq) / m->Td0);
    put(to, Q_EQ, Q_PSI_D, ((m->xd - m->xd1) * kd - qq * (1 - u->of_eq)) / m->Td0);
    put(to, Q_EQ, Q_ID, -(m->xd - m->xd1) * (1 - kd * ad) / m->Td0);
    put(to, Q_EQ, Q_ED, -qd * u->of_ed / m->Td0);
    put(to, Q_EQ, Q_PSI_Q, qd * (1 - u->of_ed) / m->Td0);
    put(to, Q_ED, Q_ED, (-1 - (m->xq - m->xq1) * kq - dd * u->of_ed) / m->Tq0);
    put(to, Q_ED, Q_PSI_Q, (-(m->xq - m->xq1) * kq + dd * (1 - u->of_ed)) / m->Tq0);
    put(to, Q_ED, Q_IQ, (m->xq - m->xq1) * (1 - kq * aq) / m->Tq0);
    put(to, Q_ED, Q_EQ, -dq * u->of_eq / m->Tq0);
    put(to, Q_ED, Q_PSI_D, -dq * (1 - u->of_eq) / m->Tq0);
    put(to, Q_PSI_D, Q_PSI_D, -1 / m->Td02);
    put(to, Q_PSI_D, Q_EQ, 1 / m->Td02);
    put(to, Q_PSI_D, Q_ID, -ad / m->Td02);
    put(to, Q_PSI_Q, Q_PSI_Q, -1 / m->Tq02);
    put(to, Q_PSI_Q, Q_ED, -1 / m->Tq02);
    put(to, Q_PSI_Q, Q_IQ, -aq / m->Tq02);
}

static void put_field(const gt_unit *u, const insides *w, gt_put_fn *put, void *to)
{
    const gt_power_machine *m = &u->data;
    if (m->kind == GT_MACHINE_ROUND) put_round(u, w, put, to);
    if (m->kind != GT_MACHINE_TWOAXIS) return;
    put(to, Q_EQ, Q_EQ, -1 / m->Td0);
    put(to, Q_EQ, Q_ID, -(m->xd - m->xd1) / m->Td0);
    put(to, Q_EQ, Q_EFD, 1 / m->Td0);
    if (!(m->Tq0 > 0)) return;
    put(to, Q_ED, Q_ED, -1 / m->Tq0);
    put(to, Q_ED, Q_IQ, (m->xq - m->xq1) / m->Tq0);
}

static void put_exciter(const gt_unit *u, const insides *w, const double *z, gt_put_fn *put,
                        void *to)
{
    const gt_power_machine *m = &u->data;
    double slope, SE = gt_saturation_at(&m->SE, z[Q_EFD], &slope), back = m->KF / m->TF;
    double re = w->v > 0 ? z[Q_VRE] / w->v : 0, im = w->v > 0 ? z[Q_VIM] / w->v : 0;
    bool lag = m->TR > 0, lead = m->TB > 0;
    double free = at_limit(u, 0) ? 0 : 1, gain = free * m->KA / m->TA * (lead ? m->TC / m->TB : 1);
    put(to, Q_EFD, Q_VR, 1 / m->TE);
    put(to, Q_EFD, Q_EFD, -(m->KE + SE + slope * z[Q_EFD]) / m->TE);
    put(to, Q_RF, Q_RF, -1 / m->TF);
    put(to, Q_RF, Q_EFD, back / m->TF);
    put(to, Q_VR, Q_VR, -free / m->TA);
    put(to, Q_VR, Q_RF, gain);
    put(to, Q_VR, Q_EFD, -gain * back);
    put(to, Q_VR, Q_VM, -gain);
    put(to, Q_VR, Q_VRE, lag ? 0 : -gain * re);
    put(to, Q_VR, Q_VIM, lag ? 0 : -gain * im);
    put(to, Q_VR, Q_VL, lead ? free * m->KA / m->TA * (1 - m->TC / m->TB) : 0);
    if (lag) {
        put(to, Q_VM, Q_VM, -1 / m->TR);
        put(to, Q_VM, Q_VRE, re / m->TR);
        put(to, Q_VM, Q_VIM, im / m->TR);
    }
    if (lead) {
        put(to, Q_VL, Q_VL, -1 / m->TB);
        put(to, Q_VL, Q_RF, 1 / m->TB);
        put(to, Q_VL, Q_EFD, -back / m->TB);
        put(to, Q_VL, Q_VM, -1 / m->TB);
        put(to, Q_VL, Q_VRE, lag ? 0 : -re / m->TB);
        put(to, Q_VL, Q_VIM, lag ? 0 : -im / m->TB);
    }
}

static void put_governor(const gt_unit *u, gt_put_fn *put, void *to)
{
    const gt_power_machine *m = &u->data;
    bool tgov = m->governor == GT_GOVERNOR_TGOV1;
    double free = at_limit(u, 1) ? 0 : 1 / (tgov ? m->T1 : m->TSV);
    put(to, Q_PSV, Q_PSV, -free);
    put(to, Q_PSV, Q_SLIP, -free / (m->R * u->omega_s));
    if (tgov) {
        put(to, Q_TG, Q_TG, -1 / m->T3);
        put(to, Q_TG, Q_PSV, 1 / m->T3);
        return;
    }
    double fast = m->KHP * m->TRH / m->TCH;
    put(to, Q_TM, Q_TM, -1 / m->TRH);
    put(to, Q_TM, Q_PCH, (1 - fast) / m->TRH);
    put(to, Q_TM, Q_PSV, fast / m->TRH);
    put(to, Q_PCH, Q_PCH, -1 / m->TCH);
    put(to, Q_PCH, Q_PSV, 1 / m->TCH);
}

void gt_unit_jacobian(const gt_unit *u, const double *z, gt_put_fn *put, void *to)
{
    insides w = look_inside(u, z);
    put_stator(u, &w, z, put, to);
    put_swing(u, &w, z, put, to);
    put_field(u, &w, put, to);
    if (u->data.exciter != GT_EXCITER_NONE) put_exciter(u, &w, z, put, to);
    if (u->data.governor != GT_GOVERNOR_NONE) put_governor(u, put, to);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The equations of planar_vehicle.h and their start. */
#include "models/planar_vehicle.h"
#include <string.h>

gt_status gt_planar_slow(double t, const double *x, double *dx, void *ctx)
{
    const planar_data *p = ctx;
    const double *v = x + rates(p);
    double *dv = dx + rates(p), c = cos(x[PHI]), s = sin(x[PHI]), T_ext = torque_at(&p->torque, t);
    double r[2] = {0, 0}, q[2], lift = 0;
    two_by_two A = {p->M, 0, p->I};
    memcpy(dx, v, rates(p) * sizeof *dx);
    for (size_t i = 0; i < p->axles; i++) {
        const double *hub = x + HUBS + 2 * i, *hub_v = v + HUBS + 2 * i;
        axle a = axle_at(p, i, x, c, s);
        sidewall b = sidewall_at(p, i, x, &a);
        double F_s = p->Ks * (a.y - hub[0]) + p->Cs * (a.vy - hub_v[0]);
        double push = force_x(&p->tyre, &b) + p->mH * v[PHI] * v[PHI] * a.p;
        dv[HUBS + 2 * i] = (force_y(&p->tyre, &b) + F_s) / p->mH - p->tyre.g;
        dv[HUBS + 2 * i + 1] = (moment(&p->tyre, &b) + T_ext) / p->IH;
        lift -= F_s;
        r[0] += push;
        r[1] += a.g * push - a.p * F_s - T_ext;
        A.a += p->mH;
        A.b += p->mH * a.g;
        A.d += p->mH * a.g * a.g;
    }
    solve2(&A, r, q);
    dv[XC] = q[0];
    dv[YC] = lift / p->M - p->tyre.g;
    dv[PHI] = q[1];
    if (p->cost) model_burn(x[YC], p->cost);
    return GT_OK;
}

/* Power of torques, dampers and road at one axle. */
static double power(const planar_data *p, size_t i, const double *x, double T_ext, const axle *a,
                    const sidewall *b, const ring_state *r, const tyre_contact *k)
{
    const double *v = x + rates(p);
    const tyre_data *T = &p->tyre;
    double stroke = a->vy - v[HUBS + 2 * i], w_H = v[HUBS + 2 * i + 1];
    return T_ext * (w_H - v[PHI]) - p->Cs * stroke * stroke - T->Cx * b->vx * b->vx -
           T->Cy * b->vy * b->vy - T->Ct * b->w * b->w + k->F_N * r->vy +
           k->F_road * (r->vx + T->R * r->w) + T->crr * k->F_N * sign_of(r->vx) * r->w;
}

gt_status gt_planar_fast(double t, const double *x, double *dx, void *ctx)
{
    const planar_data *p = ctx;
    const tyre_data *T = &p->tyre;
    const double *v = x + rates(p);
    double c = cos(x[PHI]), s = sin(x[PHI]), P = 0;
    size_t slow = planar_slow(p->axles);
    for (size_t i = 0; i < p->axles; i++) {
        axle a = axle_at(p, i, x, c, s);
        sidewall b = sidewall_at(p, i, x, &a);
        ring_state r = ring_at(p, i, x, &a);
        tyre_contact k;
        double *dr = dx + ring(p, i) - slow, *dv = dx + ring_rates(p, i) - slow;
        tyre_touch(T, &r, &k, false);
        dr[RING_X] = p->relative ? r.vx - a.vx : r.vx;
        dr[RING_Y] = r.vy;
        dr[RING_THETA] = p->relative ? r.w - v[HUBS + 2 * i + 1] : r.w;
        dv[RING_X] = (k.F_road - force_x(T, &b)) / T->m;
        dv[RING_Y] = (k.F_N - force_y(T, &b)) / T->m - T->g;
        dv[RING_THETA] = (T->R * k.F_road + T->crr * k.F_N * sign_of(r.vx) - moment(T, &b)) / T->I;
        dx[slip(p, i) - slow] = k.slip_rate;
        if (p->balance) P += power(p, i, x, torque_at(&p->torque, t), &a, &b, &r, &k);
    }
    if (p->balance) dx[work(p) - slow] = P;
    return GT_OK;
}

gt_status gt_planar_rhs(double t, const double *x, double *dx, void *ctx)
{
    gt_planar_slow(t, x, dx, ctx);
    return gt_planar_fast(t, x, dx + planar_slow(((const planar_data *)ctx)->axles), ctx);
}

/* Kinetic and potential energy of all bodies, sidewalls and suspensions. */
static double energy(const planar_data *p, const double *x)
{
    const double *v = x + rates(p);
    const tyre_data *T = &p->tyre;
    double c = cos(x[PHI]), s = sin(x[PHI]), g = T->g;
    double E =
        p->M * (v[XC] * v[XC] + v[YC] * v[YC]) / 2 + p->I * v[PHI] * v[PHI] / 2 + p->M * g * x[YC];
    for (size_t i = 0; i < p->axles; i++) {
        const double *hub = x + HUBS + 2 * i, *hub_v = v + HUBS + 2 * i;
        axle a = axle_at(p, i, x, c, s);
        sidewall b = sidewall_at(p, i, x, &a);
        ring_state r = ring_at(p, i, x, &a);
        double squeeze = a.y - hub[0];
        E += p->mH * (a.vx * a.vx + hub_v[0] * hub_v[0]) / 2 + p->IH * hub_v[1] * hub_v[1] / 2;
        E += T->m * (r.vx * r.vx + r.vy * r.vy) / 2 + T->I * r.w * r.w / 2;
        E += (p->Ks * squeeze * squeeze + T->Kx * b.x * b.x + T->Ky * b.y * b.y +
              T->Kt * b.theta * b.theta) /
             2;
        E += g * (p->mH * hub[0] + T->m * r.y);
    }
    return E;
}

void gt_planar_balance(double t, const double *x, double *out, void *ctx)
{
    const planar_data *p = ctx;
    (void)t;
    out[0] = energy(p, x) - x[work(p)];
}

/*
 * Static equilibrium: chassis, suspension, sidewall and contact of an axle are springs in a row, so
 * that the chassis feels S_i = k (y_free - y_ch) there. sum S_i = M g and sum p_i S_i = 0 are
 * solved for y_c and phi by Newton's method.
 */
void gt_planar_start(planar_data *p)
{
    const tyre_data *T = &p->tyre;
    double k = 1 / (1 / p->Ks + 1 / T->Ky + 1 / T->Kres), g = T->g, *x = p->x0, *v = x + rates(p);
    double free_height = T->R - (p->mH + T->m) * g / T->Kres - p->mH * g / T->Ky;
    x[YC] = free_height;
    for (int round = 0; round < 30; round++) {
        double c = cos(x[PHI]), s = sin(x[PHI]), r[2] = {-p->M * g, 0}, q[2];
        two_by_two A = {0, 0, 0};
        for (size_t i = 0; i < p->axles; i++) {
            axle a = axle_at(p, i, x, c, s);
            double S = k * (free_height - a.y);
            r[0] += S;
            r[1] += a.p * S;
            A.a += k;
            A.b += k * a.p;
            A.d += k * a.p * a.p - a.g * S;
        }
        solve2(&A, r, q);
        x[YC] += q[0];
        x[PHI] += q[1];
        if (fabs(q[0]) + fabs(q[1]) < 1e-16) break;
    }
    double c = cos(x[PHI]), s = sin(x[PHI]);
    v[XC] = p->speed;
    for (size_t i = 0; i < p->axles; i++) {
        axle a = axle_at(p, i, x, c, s);
        double S = k * (free_height - a.y), F_N = S + (p->mH + T->m) * g;
        double *r = x + ring(p, i), *ring_v = x + ring_rates(p, i);
        r[RING_X] = p->relative ? 0 : a.x;
        r[RING_Y] = T->R - F_N / T->Kres;
        x[HUBS + 2 * i] = a.y + S / p->Ks;
        ring_v[RING_X] = p->speed;
        ring_v[RING_THETA] = v[HUBS + 2 * i + 1] = -p->speed / T->R;
    }
}

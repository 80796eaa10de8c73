/* SPDX-License-Identifier: BSD-3-Clause */
/* The Jacobian of planar_vehicle.h, axle by axle. */
#include "models/planar_vehicle.h"

/* d(quantity) = sum d[k] d(state col[k]). */
typedef struct gradient {
    int count;
    size_t col[12];
    double d[12];
} gradient;

static void append(gradient *a, size_t col, double d)
{
    a->col[a->count] = col;
    a->d[a->count++] = d;
}

static void add_row(gt_matrix *J, size_t row, double factor, const gradient *a)
{
    for (int k = 0; k < a->count; k++) gt_matrix_add(J, row, a->col[k], factor * a->d[k]);
}

/* The derivatives of one axle's forces. */
typedef struct axle_gradients {
    gradient F_x, F_y, moment, F_s, F_N, vx_H, stroke;
} axle_gradients;

static axle_gradients gradients_at(const planar_data *p, size_t i, const double *x, const axle *a,
                                   const tyre_contact *k)
{
    const tyre_data *T = &p->tyre;
    size_t v = rates(p), y_H = HUBS + 2 * i, w_H = v + y_H + 1, R = ring(p, i),
           V = ring_rates(p, i);
    double omega = x[v + PHI];
    axle_gradients G = {.F_x = {0}};
    G.vx_H = (gradient){3, {v + XC, v + PHI, PHI}, {1, a->g, -a->p * omega}};
    G.stroke = (gradient){4, {v + YC, v + PHI, PHI, v + y_H}, {1, a->p, a->g * omega, -1}};
    G.F_x = (gradient){5,
                       {R + RING_X, V + RING_X, v + XC, v + PHI, PHI},
                       {T->Kx, T->Cx, -T->Cx, -T->Cx * a->g, T->Cx * a->p * omega}};
    G.F_y = (gradient){4, {R + RING_Y, y_H, V + RING_Y, v + y_H}, {T->Ky, -T->Ky, T->Cy, -T->Cy}};
    G.moment = (gradient){3, {R + RING_THETA, V + RING_THETA, w_H}, {T->Kt, T->Ct, -T->Ct}};
    G.F_s = (gradient){
        6,
        {YC, PHI, y_H, v + YC, v + PHI, v + y_H},
        {p->Ks, p->Ks * a->p + p->Cs * a->g * omega, -p->Ks, p->Cs, p->Cs * a->p, -p->Cs}};
    G.F_N = (gradient){
        4, {R + RING_X, R + RING_Y, V + RING_X, V + RING_Y}, {k->N_x, k->N_y, k->N_vx, k->N_vy}};
    if (p->relative) { /* x_R = x_H + its state */
        append(&G.F_N, XC, k->N_x);
        append(&G.F_N, PHI, k->N_x * a->g);
    } else {
        append(&G.F_x, XC, -T->Kx);
        append(&G.F_x, PHI, -T->Kx * a->g);
        append(&G.moment, y_H + 1, -T->Kt);
    }
    return G;
}

/* Rows of the ring and of its slip. */
static void add_ring(const planar_data *p, gt_matrix *J, size_t i, const ring_state *r,
                     const tyre_contact *k, const axle_gradients *G)
{
    const tyre_data *T = &p->tyre;
    size_t w_H = rates(p) + HUBS + 2 * i + 1, R = ring(p, i), V = ring_rates(p, i), S = slip(p, i);
    for (size_t j = 0; j < 3; j++) gt_matrix_add(J, R + j, V + j, 1);
    if (p->relative) {
        add_row(J, R + RING_X, -1, &G->vx_H);
        gt_matrix_add(J, R + RING_THETA, w_H, -1);
    }
    add_row(J, V + RING_X, k->road_N / T->m, &G->F_N);
    add_row(J, V + RING_X, -1 / T->m, &G->F_x);
    gt_matrix_add(J, V + RING_X, S, k->road_s / T->m);
    add_row(J, V + RING_Y, 1 / T->m, &G->F_N);
    add_row(J, V + RING_Y, -1 / T->m, &G->F_y);
    add_row(J, V + RING_THETA, (T->R * k->road_N + T->crr * sign_of(r->vx)) / T->I, &G->F_N);
    add_row(J, V + RING_THETA, -1 / T->I, &G->moment);
    gt_matrix_add(J, V + RING_THETA, S, T->R * k->road_s / T->I);
    add_row(J, S, k->s_N, &G->F_N);
    gt_matrix_add(J, S, S, k->s_s);
    gt_matrix_add(J, S, V + RING_X, k->s_vx);
    gt_matrix_add(J, S, V + RING_THETA, k->s_w);
}

static void add_power(const planar_data *p, gt_matrix *J, size_t i, const double *x, double T_ext,
                      const axle *a, const sidewall *b, const ring_state *r, const tyre_contact *k,
                      const axle_gradients *G)
{
    const tyre_data *T = &p->tyre;
    size_t v = rates(p), y_H = HUBS + 2 * i, V = ring_rates(p, i), W = work(p);
    double slide = r->vx + T->R * r->w, turn = T->crr * sign_of(r->vx);
    double by_x = -2 * T->Cx * b->vx, by_y = -2 * T->Cy * b->vy, by_w = -2 * T->Ct * b->w;
    gt_matrix_add(J, W, v + y_H + 1, T_ext - by_w);
    gt_matrix_add(J, W, v + PHI, -T_ext);
    add_row(J, W, -2 * p->Cs * (a->vy - x[v + y_H]), &G->stroke);
    add_row(J, W, -by_x, &G->vx_H);
    gt_matrix_add(J, W, v + y_H, -by_y);
    add_row(J, W, r->vy + slide * k->road_N + turn * r->w, &G->F_N);
    gt_matrix_add(J, W, slip(p, i), slide * k->road_s);
    gt_matrix_add(J, W, V + RING_X, by_x + k->F_road);
    gt_matrix_add(J, W, V + RING_Y, by_y + k->F_N);
    gt_matrix_add(J, W, V + RING_THETA, by_w + T->R * k->F_road + turn * k->F_N);
}

/* Adds d(x_c'', phi'') = A^-1 d(r) for r that changes by (first, second) times the gradient. */
static void add_coupled(const planar_data *p, gt_matrix *J, const two_by_two *A, double first,
                        double second, const gradient *a)
{
    double q[2];
    solve2(A, (const double[]){first, second}, q);
    add_row(J, rates(p) + XC, q[0], a);
    add_row(J, rates(p) + PHI, q[1], a);
}

/* Rows of the chassis and of hub i that come from axle i; A holds the coupled masses, q = (x_c'',
 * phi''). */
static void add_chassis(const planar_data *p, gt_matrix *J, size_t i, const double *x,
                        const axle *a, const sidewall *b, const two_by_two *A, const double q[2],
                        const axle_gradients *G)
{
    size_t v = rates(p), hub = v + HUBS + 2 * i;
    double omega = x[v + PHI], m = p->mH;
    double F_s = p->Ks * (a->y - x[HUBS + 2 * i]) + p->Cs * (a->vy - x[hub]);
    double push = force_x(&p->tyre, b) + m * omega * omega * a->p;
    add_row(J, hub, 1 / m, &G->F_y);
    add_row(J, hub, 1 / m, &G->F_s);
    add_row(J, hub + 1, 1 / p->IH, &G->moment);
    add_row(J, v + YC, -1 / p->M, &G->F_s);
    add_coupled(p, J, A, 1, a->g, &G->F_x);
    add_coupled(p, J, A, 0, -a->p, &G->F_s);
    /* Through p, g and the masses, which phi changes: dp = g, dg = -p. */
    double centrifugal = m * omega * omega * a->g;
    double dr[2] = {centrifugal, -a->p * push + a->g * centrifugal - a->g * F_s};
    dr[0] += m * a->p * q[1];
    dr[1] += m * a->p * q[0] + 2 * m * a->g * a->p * q[1];
    add_coupled(p, J, A, dr[0], dr[1], &(gradient){1, {PHI}, {1}});
    double spin = 2 * m * omega * a->p;
    add_coupled(p, J, A, spin, a->g * spin, &(gradient){1, {v + PHI}, {1}});
}

gt_status gt_planar_jac(double t, const double *x, gt_matrix *J, void *ctx)
{
    const planar_data *p = ctx;
    double c = cos(x[PHI]), s = sin(x[PHI]), omega = x[rates(p) + PHI],
           T_ext = torque_at(&p->torque, t);
    two_by_two A = {p->M, 0, p->I};
    double r[2] = {0, 0}, q[2];
    for (size_t i = 0; i < p->axles; i++) {
        axle a = axle_at(p, i, x, c, s);
        sidewall b = sidewall_at(p, i, x, &a);
        double push = force_x(&p->tyre, &b) + p->mH * omega * omega * a.p;
        double F_s = p->Ks * (a.y - x[HUBS + 2 * i]) + p->Cs * (a.vy - x[rates(p) + HUBS + 2 * i]);
        r[0] += push;
        r[1] += a.g * push - a.p * F_s - T_ext;
        A.a += p->mH;
        A.b += p->mH * a.g;
        A.d += p->mH * a.g * a.g;
    }
    solve2(&A, r, q);
    for (size_t i = 0; i < rates(p); i++) gt_matrix_add(J, i, rates(p) + i, 1);
    for (size_t i = 0; i < p->axles; i++) {
        axle a = axle_at(p, i, x, c, s);
        sidewall b = sidewall_at(p, i, x, &a);
        ring_state ring = ring_at(p, i, x, &a);
        tyre_contact k;
        tyre_touch(&p->tyre, &ring, &k, true);
        axle_gradients G = gradients_at(p, i, x, &a, &k);
        add_chassis(p, J, i, x, &a, &b, &A, q, &G);
        add_ring(p, J, i, &ring, &k, &G);
        if (p->balance) add_power(p, J, i, x, T_ext, &a, &b, &ring, &k, &G);
    }
    return GT_OK;
}

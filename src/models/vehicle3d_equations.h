/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The equations of vehicle3d.h for numbers of type T, included once with T double and once with T
 * double complex: the Jacobian comes from the latter by complex steps (Squire, Trapp, SIAM Rev. 40
 * (1998) 110), exact to round-off. FN(name) makes the names differ; RE(x) is the real part, by
 * which branches are taken.
 */

static inline T FN(size)(T x) { return RE(x) < 0 ? -x : x; }
static inline double FN(sign)(T x) { return (double)((RE(x) > 0) - (RE(x) < 0)); }
static inline T FN(dot)(const T *a, const T *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void FN(cross)(const T *a, const T *b, T *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* y = A x, y = A^T x. */
static inline void FN(turn)(T A[3][3], const T *x, T *y)
{
    for (int i = 0; i < 3; i++) y[i] = A[i][0] * x[0] + A[i][1] * x[1] + A[i][2] * x[2];
}
static inline void FN(turn_back)(T A[3][3], const T *x, T *y)
{
    for (int i = 0; i < 3; i++) y[i] = A[0][i] * x[0] + A[1][i] * x[1] + A[2][i] * x[2];
}

static inline void FN(attitude)(const T *angle, T A[3][3])
{
    T cr = cos(angle[0]), sr = sin(angle[0]), cp = cos(angle[1]), sp = sin(angle[1]);
    T cy = cos(angle[2]), sy = sin(angle[2]);
    A[0][0] = cy * cp, A[0][1] = cy * sp * sr - sy * cr, A[0][2] = cy * sp * cr + sy * sr;
    A[1][0] = sy * cp, A[1][1] = sy * sp * sr + cy * cr, A[1][2] = sy * sp * cr - cy * sr;
    A[2][0] = -sp, A[2][1] = cp * sr, A[2][2] = cp * cr;
}

/* A wheel as slow and fast equations see it. */
typedef struct FN(wheel) {
    double delta, delta_rate, ca, sa; /* steering */
    T c[3];                           /* hub, body axes */
    T hub_v[3];                       /* its velocity, body axes */
    T w[3];                           /* angular velocity of the carrier, its axes */
    T d_rate[3], tilt_rate[3];
    T f[3], m[3]; /* on the ring, carrier axes */
    T L[3];       /* moment on the hub, carrier axes */
} FN(wheel);

/* From carrier to body axes and back. */
static inline void FN(to_body)(const FN(wheel) * k, const T *x, T *y)
{
    y[0] = k->ca * x[0] - k->sa * x[1], y[1] = k->sa * x[0] + k->ca * x[1], y[2] = x[2];
}
static inline void FN(to_carrier)(const FN(wheel) * k, const T *x, T *y)
{
    y[0] = k->ca * x[0] + k->sa * x[1], y[1] = -k->sa * x[0] + k->ca * x[1], y[2] = x[2];
}

static inline void FN(look)(const space_data *p, double t, const T *x, int i, T B[3][3],
                            FN(wheel) * k)
{
    const T *ring = x + V3_SLOW + V3_WHEEL * i, *d = ring + V3_D, *tilt = ring + V3_TILT,
            *n = ring + V3_N;
    const T *w = x + V3_W;
    T v_body[3], ring_v[3], gap[3], turned[3], moment[3];
    double phase = 2 * GT_PI * p->steer_frequency;
    k->delta = i < 2 ? p->steer * sin(phase * t) : 0;
    k->delta_rate = i < 2 ? p->steer * phase * cos(phase * t) : 0;
    k->ca = cos(k->delta), k->sa = sin(k->delta);
    for (int j = 0; j < 3; j++) k->c[j] = p->b[i][j];
    k->c[2] += x[V3_Q + i];
    FN(turn_back)(B, x + V3_V, v_body);
    FN(turn_back)(B, ring + V3_VEL, ring_v);
    FN(cross)(w, k->c, k->hub_v);
    for (int j = 0; j < 3; j++) k->hub_v[j] += v_body[j];
    k->hub_v[2] += x[V3_QDOT + i];
    for (int j = 0; j < 3; j++) gap[j] = ring_v[j] - k->hub_v[j];
    FN(to_carrier)(k, gap, k->d_rate);
    FN(to_carrier)(k, w, k->w);
    k->w[2] += k->delta_rate;
    FN(cross)(k->w, d, turned);
    for (int j = 0; j < 3; j++) k->d_rate[j] -= turned[j];
    for (int j = 0; j < 3; j++) k->tilt_rate[j] = n[j] - k->w[j];
    k->tilt_rate[1] -= x[V3_OMEGA + i];
    for (int j = 0; j < 3; j++) k->f[j] = -(p->K[j] * d[j] + p->C[j] * k->d_rate[j]);
    for (int j = 0; j < 3; j++) k->m[j] = -(p->Kr[j] * tilt[j] + p->Cr[j] * k->tilt_rate[j]);
    FN(cross)(d, k->f, moment);
    for (int j = 0; j < 3; j++) k->L[j] = -(k->m[j] + moment[j]);
}

/* L L^T factors of a symmetric positive definite 5 x 5 matrix, and the solution, in place. */
static inline void FN(solve5)(T A[5][5], T *b)
{
    for (int j = 0; j < 5; j++) {
        for (int k = 0; k < j; k++) A[j][j] -= A[j][k] * A[j][k];
        A[j][j] = sqrt(A[j][j]);
        for (int i = j + 1; i < 5; i++) {
            for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
    }
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < i; k++) b[i] -= A[i][k] * b[k];
        b[i] /= A[i][i];
    }
    for (int i = 4; i >= 0; i--) {
        for (int k = i + 1; k < 5; k++) b[i] -= A[k][i] * b[k];
        b[i] /= A[i][i];
    }
}

static inline T FN(suspension)(const space_data *p, const T *x, int i)
{
    return p->F0[i] + p->Ks * x[V3_Q + i] + p->Cs * x[V3_QDOT + i] +
           p->Karb * (x[V3_Q + i] - x[V3_Q + (i ^ 1)]);
}

/* The torque on each wheel. The states of a powertrain stand before those of the chassis. */
static inline T FN(driving)(const space_data *p, const T *x)
{
    return p->powertrain ? x[V3_TORQUE] : (T)p->torque;
}

/* One hub's share in the equations of (alpha_x, alpha_y, w'): A gets its masses, r its forces and
 * moments. */
static inline void FN(add_hub)(const space_data *p, const T *x, int i, const FN(wheel) * k,
                               const T *g, T F_s, T *F, T *beta, T A[5][5], T *r)
{
    const T *w = x + V3_W, *c = k->c;
    T m = p->mH, push[3], inner[3], slide[3], a[3] = {-k->sa, k->ca, 0}, wa[3], L[3];
    T along[3] = {0, 0, x[V3_QDOT + i]};
    for (int j = 0; j < 3; j++) push[j] = -k->f[j];
    FN(to_body)(k, push, F);
    FN(to_body)(k, k->L, L);
    FN(cross)(w, c, inner);
    FN(cross)(w, inner, beta);
    FN(cross)(w, along, slide);
    for (int j = 0; j < 3; j++) beta[j] += 2 * slide[j], F[j] += m * g[j];
    T N[3] = {F[0] - m * beta[0], F[1] - m * beta[1], F_s}, moment[3];
    FN(cross)(c, N, moment);
    FN(cross)(w, a, wa);
    T spin = p->J * (FN(dot)(a, w) + x[V3_OMEGA + i]), taken = FN(driving)(p, x) - k->m[1];
    wa[0] -= k->delta_rate * k->ca, wa[1] -= k->delta_rate * k->sa; /* a' = delta' e_z x a */
    r[0] += N[0], r[1] += N[1];
    for (int j = 0; j < 3; j++) r[2 + j] += moment[j] + L[j] - taken * a[j] - spin * wa[j];
    A[0][0] += m, A[1][1] += m;
    A[3][0] += m * c[2], A[4][0] -= m * c[1];
    A[2][1] -= m * c[2], A[4][1] += m * c[0];
    A[2][2] += m * c[2] * c[2], A[3][3] += m * c[2] * c[2],
        A[4][4] += m * (c[0] * c[0] + c[1] * c[1]);
    A[4][2] -= m * c[0] * c[2], A[4][3] -= m * c[1] * c[2];
}

static void FN(slow)(const space_data *p, double t, const T *x, T *dx)
{
    const T *w = x + V3_W, *angle = x + V3_ANGLES;
    T B[3][3], g[3], fall[3] = {0, 0, -p->g}, A[5][5] = {{0}}, r[5], H[3], gyro[3], F[4][3],
                     beta[4][3], lift = 0;
    FN(wheel) wheel[4];
    FN(attitude)(angle, B);
    FN(turn_back)(B, fall, g);
    for (int j = 0; j < 3; j++) H[j] = p->inertia[j] * w[j], A[2 + j][2 + j] = p->inertia[j];
    FN(cross)(w, H, gyro);
    A[0][0] = A[1][1] = p->M;
    for (int j = 0; j < 2; j++) r[j] = p->M * g[j];
    for (int j = 0; j < 3; j++) r[2 + j] = -gyro[j];
    for (int i = 0; i < 4; i++) {
        T F_s = FN(suspension)(p, x, i);
        FN(look)(p, t, x, i, B, &wheel[i]);
        FN(add_hub)(p, x, i, &wheel[i], g, F_s, F[i], beta[i], A, r);
        lift += F_s;
    }
    FN(solve5)(A, r);
    T alpha[3] = {r[0], r[1], g[2] + lift / p->M}, *turn = r + 2;
    T tilted = w[1] * sin(angle[0]) + w[2] * cos(angle[0]);
    for (int j = 0; j < 3; j++) dx[V3_R + j] = x[V3_V + j];
    dx[V3_ANGLES] = w[0] + tilted * tan(angle[1]);
    dx[V3_ANGLES + 1] = w[1] * cos(angle[0]) - w[2] * sin(angle[0]);
    dx[V3_ANGLES + 2] = tilted / cos(angle[1]);
    FN(turn)(B, alpha, dx + V3_V);
    for (int j = 0; j < 3; j++) dx[V3_W + j] = turn[j];
    for (int i = 0; i < 4; i++) {
        const FN(wheel) *k = &wheel[i];
        T a[3] = {-k->sa, k->ca, 0}, a_rate = -k->delta_rate * (k->ca * w[0] + k->sa * w[1]);
        T rise = alpha[2] + turn[0] * k->c[1] - turn[1] * k->c[0] + beta[i][2];
        dx[V3_Q + i] = x[V3_QDOT + i];
        dx[V3_QDOT + i] = (F[i][2] - FN(suspension)(p, x, i)) / p->mH - rise;
        dx[V3_OMEGA + i] = (FN(driving)(p, x) - k->m[1]) / p->J - FN(dot)(a, turn) - a_rate;
    }
}

/* Force and moment of the road on the ring, fixed axes, and the slip rates. */
typedef struct FN(contact) {
    T force[3], moment[3], n[3]; /* n: angular velocity of the ring, fixed axes */
    T axis[3];                   /* of the ring, carrier axes */
} FN(contact);

static inline void FN(touch)(const space_data *p, const T *x, int i, T B[3][3], const FN(wheel) * k,
                             FN(contact) * c, T *slip_rate)
{
    const T *ring = x + V3_SLOW + V3_WHEEL * i, *v = ring + V3_VEL, *n = ring + V3_N,
            *s = ring + V3_SLIP;
    const T *tilt = ring + V3_TILT;
    T at[3], place[3], S[3], body[3],
        turning[3] = {n[0] - tilt[2] * n[1], n[1], n[2] + tilt[0] * n[1]};
    FN(to_body)(k, ring + V3_D, body);
    for (int j = 0; j < 3; j++) at[j] = k->c[j] + body[j];
    FN(turn)(B, at, place);
    for (int j = 0; j < 3; j++) place[j] += x[V3_R + j];
    c->axis[0] = -tilt[2], c->axis[1] = 1, c->axis[2] = tilt[0];
    FN(to_body)(k, c->axis, body);
    FN(turn)(B, body, S);
    FN(to_body)(k, turning, body);
    FN(turn)(B, body, c->n);
    T height = 0, slope = 0, length = sqrt(S[0] * S[0] + S[1] * S[1]);
    if (p->road != 0) {
        double wave = 2 * GT_PI / p->road_length;
        height = p->road / 2 * (1 - cos(wave * place[0]));
        slope = p->road / 2 * wave * sin(wave * place[0]);
    }
    T ahead[2] = {S[1] / length, -S[0] / length}, aside[2] = {S[0] / length, S[1] / length};
    T F_N = -p->Kres * (place[2] - height - p->R) - p->Cres * (v[2] - slope * v[0]);
    if (!(RE(F_N) > 0)) F_N = 0;
    T V_x = ahead[0] * v[0] + ahead[1] * v[1],
      foot[2] = {v[0] - p->R * c->n[1], v[1] + p->R * c->n[0]};
    T slide[2] = {ahead[0] * foot[0] + ahead[1] * foot[1], aside[0] * foot[0] + aside[1] * foot[1]};
    T total = sqrt(s[0] * s[0] + s[1] * s[1]), stiffness = 2 * p->cp * p->a * p->a,
      reach = stiffness / (3 * p->mu);
    bool sticks = RE(F_N) > 0 && RE(reach * total) < RE(F_N);
    T u = sticks ? reach * total / F_N : 1, left = 1 - u, shape = left + u * u / 3;
    T per_slip = sticks ? stiffness * shape : RE(total) > 0 ? p->mu * F_N / total : 0;
    T F_x = per_slip * s[0], F_y = per_slip * s[1], sigma = p->a * left * left;
    if (!(RE(sigma) > p->sigma_min)) sigma = p->sigma_min;
    for (int j = 0; j < 2; j++) slip_rate[j] = -(slide[j] + FN(size)(V_x) * s[j]) / sigma;
    for (int j = 0; j < 2; j++) c->force[j] = F_x * ahead[j] + F_y * aside[j];
    c->force[2] = F_N;
    T resist = p->crr * F_N * FN(sign)(V_x);
    c->moment[0] = p->R * c->force[1] - resist * S[0];
    c->moment[1] = -p->R * c->force[0] - resist * S[1];
    c->moment[2] = -p->a / 3 * left * left * left / shape * F_y * FN(sign)(V_x) - resist * S[2];
}

/* Work done on the bodies of one wheel and on the chassis beside it, per time. */
static inline T FN(power)(const space_data *p, const T *x, int i, const FN(wheel) * k,
                          const FN(contact) * c)
{
    const T *w = x + V3_W, *v = x + V3_SLOW + V3_WHEEL * i + V3_VEL;
    T a[3] = {-k->sa, k->ca, 0}, spin = p->J * (FN(dot)(a, w) + x[V3_OMEGA + i]);
    T P = FN(driving)(p, x) * x[V3_OMEGA + i] - p->Cs * x[V3_QDOT + i] * x[V3_QDOT + i];
    P += FN(dot)(c->force, v) + FN(dot)(c->moment, c->n);
    for (int j = 0; j < 3; j++)
        P -= p->C[j] * k->d_rate[j] * k->d_rate[j] + p->Cr[j] * k->tilt_rate[j] * k->tilt_rate[j];
    return P + k->delta_rate * (spin * (w[0] * a[1] - w[1] * a[0]) - k->L[2]);
}

static void FN(fast)(const space_data *p, double t, const T *x, T *dx)
{
    T B[3][3], P = 0;
    FN(attitude)(x + V3_ANGLES, B);
    for (int i = 0; i < 4; i++) {
        const T *n = x + V3_SLOW + V3_WHEEL * i + V3_N;
        T *rate = dx + V3_WHEEL * i, body[3], force[3], moment[3];
        FN(wheel) k;
        FN(contact) c;
        FN(look)(p, t, x, i, B, &k);
        FN(touch)(p, x, i, B, &k, &c, rate + V3_SLIP);
        FN(to_body)(&k, k.f, body);
        FN(turn)(B, body, force);
        FN(turn_back)(B, c.moment, body);
        FN(to_carrier)(&k, body, moment);
        T about = FN(dot)(moment, c.axis) + k.m[1], gyro = p->Jp * n[1] - p->Jd * k.w[1];
        for (int j = 0; j < 3; j++) {
            rate[V3_D + j] = k.d_rate[j];
            rate[V3_TILT + j] = k.tilt_rate[j];
            rate[V3_VEL + j] = (force[j] + c.force[j]) / p->mR - (j == 2 ? p->g : 0);
        }
        rate[V3_N] = (moment[0] + k.m[0] + n[2] * gyro) / p->Jd;
        rate[V3_N + 1] = about / p->Jp;
        rate[V3_N + 2] = (moment[2] + k.m[2] - n[0] * gyro) / p->Jd;
        if (p->balance) P += FN(power)(p, x, i, &k, &c);
    }
    if (p->balance) dx[4 * V3_WHEEL] = P;
}

/* Work of one cylinder in a cycle, per displacement: the closed part of the cycle by crank angle,
 * with heat released after Wiebe, mass that goes with the pressure at the inlet, and losses to the
 * wall. */
static inline T FN(combustion)(T inlet, T fuel, T wall)
{
    enum { ANGLES = 240 };
    const double compression = 10, kappa = 1.33;
    T pressure = inlet, work = 0;
    double volume = 1 + 1 / (compression - 1), burnt = 0;
    for (int k = 1; k <= ANGLES; k++) {
        double angle = -GT_PI + 2 * GT_PI * k / ANGLES, since = (angle + 0.3) / 1.1;
        double next = 1 / (compression - 1) + (1 - cos(angle)) / 2;
        double now = since > 0 ? 1 - exp(-5 * since * since * since) : 0,
               mean = (volume + next) / 2;
        T heat = fuel * (now - burnt) - 2e-3 * (pressure * mean / inlet - wall) * inlet;
        T after = (pressure * (mean - kappa * (next - mean)) + (kappa - 1) * heat) /
                  (mean + kappa * (next - mean));
        work += (pressure + after) / 2 * (next - volume);
        pressure = after;
        volume = next;
        burnt = now;
    }
    return work;
}

/* Pedal, charge of the engine, temperature of its walls, and the torque that reaches a wheel. */
static void FN(powertrain)(const space_data *p, double t, const T *x, T *dx)
{
    const double pedal = 0.5 + 0.3 * sin(0.4 * t), gear = 12;
    T speed = gear * (x[V3_OMEGA] + x[V3_OMEGA + 1] + x[V3_OMEGA + 2] + x[V3_OMEGA + 3]) / 4;
    T inlet = 0.4 + x[V3_CHARGE], fuel = 22 * inlet / (1 + speed * speed / 4e5);
    T work = FN(combustion)(inlet, fuel, x[V3_WALL]), *rate = dx + V3_DRIVE;
    rate[V3_CHARGE] = (pedal * (1 + speed / 600) - x[V3_CHARGE]) / 1.5;
    rate[V3_WALL] = (0.02 * fuel * speed / 200 - (x[V3_WALL] - 1)) / 20;
    rate[V3_BURNT] = fuel * speed * 1e-6;
    rate[V3_TORQUE] = (p->torque / 4 * work - x[V3_TORQUE]) / 0.5;
}

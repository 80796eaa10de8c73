/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GEARTRAIN_MODELS_RIGID_RING_H
#define GEARTRAIN_MODELS_RIGID_RING_H

/*
 * The planar rigid-ring tyre of shome, appendix B (Zegelaar and Pacejka 1997), one wheel. A rigid
 * ring (x, y, theta; rates vx, vy, w) hangs on the hub by sidewall springs and dampers and stands
 * on the road by the residual stiffness; the slip s of the contact patch follows by its relaxation
 * length sigma. x forward, y up, angles counter-clockwise, so that rolling forward is a negative
 * spin.
 *
 *     F_N    = max(0, -Kres (y - y_road(x) - R) - Cres (vy - y_road'(x) vx)) (B4) u      = 2 cpx
 * a^2 |s| / (3 mu F_N)                                                                  (B5) F_road
 * = sign(s) mu F_N [1 - (1 - u)^3]  (u < 1),  sign(s) mu F_N  (u >= 1) (B6), (B7) sigma  = max(a (1
 * - u)^2, sigma_min)                                                                 (B12) s'     =
 * -(vx + R w + |vx| s) / sigma                                                                (B11)
 *     m_R x'' = F_road - F_x,  m_R y'' = F_N - F_y - m_R g (B8), (B9) I_R theta'' = R F_road + crr
 * F_N sign(vx) - T                                                        (B10)
 *
 * with F_x, F_y, T from the sidewall. Where we depart from the print: (B11) has lost signs and a
 * sum; sigma is 0 when the whole patch slides, so it has a floor; F_N cannot pull, and feels the
 * road move under the ring.
 */
#include "models/model_kit.h"
#include <geartrain/author/number.h>
#include <stdbool.h>

typedef struct tyre_data {
    double m, I, R;                  /* ring */
    double Kx, Cx, Ky, Cy, Kt, Ct;   /* sidewall */
    double Kres, Cres, a, cpx, mu;   /* contact */
    double crr, sigma_min;           /* crr is a length */
    double road_height, road_length; /* y_road = height/2 (1 - cos(2 pi x/length)) */
    double g;
} tyre_data;

/* One contact patch, with the derivatives of F_N, F_road and s' where they are asked for. */
typedef struct tyre_contact {
    double F_N, F_road, slip_rate;
    double N_x, N_y, N_vx, N_vy; /* of F_N */
    double road_N, road_s;       /* of F_road by F_N and s */
    double s_N, s_s, s_vx, s_w;  /* of s' by F_N, s, vx, w */
} tyre_contact;

typedef struct ring_state {
    double x, y, vx, vy, w, s;
} ring_state;

static inline double sign_of(double v) { return (double)((v > 0) - (v < 0)); }

/* Height, slope and curvature of the road; a flat one costs nothing. */
static inline void road_at(const tyre_data *T, double x, double road[3])
{
    road[0] = road[1] = road[2] = 0;
    if (T->road_height == 0) return;
    double k = 2 * GT_PI / T->road_length, half = T->road_height / 2, c = cos(k * x);
    road[0] = half * (1 - c);
    road[1] = half * k * sin(k * x);
    road[2] = half * k * k * c;
}

static inline void tyre_touch(const tyre_data *T, const ring_state *r, tyre_contact *c,
                              bool derivatives)
{
    double road[3];
    road_at(T, r->x, road);
    double F_N = -T->Kres * (r->y - road[0] - T->R) - T->Cres * (r->vy - road[1] * r->vx);
    bool touches = F_N > 0;
    c->F_N = F_N = touches ? F_N : 0;
    double k = 2 * T->cpx * T->a * T->a / (3 * T->mu), sign = sign_of(r->s), size = fabs(r->s);
    bool sticks = touches && k * size < F_N; /* somewhere in the patch */
    double u = sticks ? k * size / F_N : 1, left = 1 - u;
    c->F_road = sign * T->mu * F_N * (1 - left * left * left);
    double sigma = T->a * left * left;
    bool floor = !(sigma > T->sigma_min);
    if (floor) sigma = T->sigma_min;
    c->slip_rate = -(r->vx + T->R * r->w + fabs(r->vx) * r->s) / sigma;
    if (!derivatives) return;
    c->N_x = touches ? T->Kres * road[1] + T->Cres * road[2] * r->vx : 0;
    c->N_y = touches ? -T->Kres : 0;
    c->N_vx = touches ? T->Cres * road[1] : 0;
    c->N_vy = touches ? -T->Cres : 0;
    c->road_s = sticks ? 3 * T->mu * k * left * left : 0;
    c->road_N =
        touches ? sign * T->mu * (1 - left * left * left - (sticks ? 3 * left * left * u : 0)) : 0;
    double sigma_s = floor ? 0 : -2 * T->a * left * k * sign / F_N,
           sigma_N = floor ? 0 : 2 * T->a * left * u / F_N;
    c->s_N = -c->slip_rate * sigma_N / sigma;
    c->s_s = -fabs(r->vx) / sigma - c->slip_rate * sigma_s / sigma;
    c->s_vx = -(1 + sign_of(r->vx) * r->s) / sigma;
    c->s_w = -T->R / sigma;
}

/* Rows of a parameter table that all planar models with this tyre have, and the reader of their
 * values. */
#define TYRE_PARAMS(cpx_)                                                                          \
    REAL_PARAM("mR", "mass of the ring", "kg", 7, GT_POSITIVE, 1e6),                               \
        REAL_PARAM("IR", "inertia of the ring", "kg m^2", 0.6, GT_POSITIVE, 1e6),                  \
        REAL_PARAM("R", "radius of the ring", "m", 0.3135, GT_POSITIVE, 100),                      \
        REAL_PARAM("Kx", "sidewall stiffness along x", "N/m", 1.769e6, 0, 1e12),                   \
        REAL_PARAM("Cx", "sidewall damping along x", "N s/m", 281, 0, 1e9),                        \
        REAL_PARAM("Ky", "sidewall stiffness along y", "N/m", 1.769e6, GT_POSITIVE, 1e12),         \
        REAL_PARAM("Cy", "sidewall damping along y", "N s/m", 281, 0, 1e9),                        \
        REAL_PARAM("Kt", "sidewall stiffness in torsion", "N m/rad", 1.161e5, 0, 1e12),            \
        REAL_PARAM("Ct", "sidewall damping in torsion", "N m s/rad", 21.1, 0, 1e9),                \
        REAL_PARAM("Kres", "residual stiffness of the contact", "N/m", 225500, GT_POSITIVE, 1e12), \
        REAL_PARAM("Cres", "residual damping of the contact", "N s/m", 450, 0, 1e9),               \
        REAL_PARAM("a", "half length of the contact", "m", 0.04, GT_POSITIVE, 10),                 \
        REAL_PARAM("cpx", "stiffness of the tread per area", "N/m^2", cpx_, GT_POSITIVE, 1e12),    \
        REAL_PARAM("mu", "friction", NULL, 1, GT_POSITIVE, 10),                                    \
        REAL_PARAM("crr", "arm of the rolling resistance", "m", 0.003, 0, 10),                     \
        REAL_PARAM("sigma_min", "smallest relaxation length", "m", 0.01, GT_POSITIVE, 10),         \
        REAL_PARAM("road", "height of the waves of the road", "m", 0, -10, 10),                    \
        REAL_PARAM("road_length", "length of a wave of the road", "m", 2, 1e-3, 1e6),              \
        REAL_PARAM("g", "acceleration of gravity", "m/s^2", 9.81, 0, 1e3)
enum { N_TYRE_PARAMS = 19 };

static inline tyre_data tyre_of(const double *v)
{
    return (tyre_data){.m = v[0],
                       .I = v[1],
                       .R = v[2],
                       .Kx = v[3],
                       .Cx = v[4],
                       .Ky = v[5],
                       .Cy = v[6],
                       .Kt = v[7],
                       .Ct = v[8],
                       .Kres = v[9],
                       .Cres = v[10],
                       .a = v[11],
                       .cpx = v[12],
                       .mu = v[13],
                       .crr = v[14],
                       .sigma_min = v[15],
                       .road_height = v[16],
                       .road_length = v[17],
                       .g = v[18]};
}

/* T_ext = torque + swing sin(2 pi frequency t) on each wheel; negative drives forward. */
typedef struct wheel_torque {
    double mean, swing, frequency;
} wheel_torque;

static inline double torque_at(const wheel_torque *T, double t)
{
    return T->swing != 0 ? T->mean + T->swing * sin(2 * GT_PI * T->frequency * t) : T->mean;
}

#define TORQUE_PARAMS(mean_, swing_)                                                               \
    REAL_PARAM("torque", "mean torque on each wheel; negative drives forward", "N m", mean_, -1e6, \
               1e6),                                                                               \
        REAL_PARAM("torque_swing", "amplitude of its swing", "N m", swing_, -1e6, 1e6),            \
        REAL_PARAM("torque_frequency", "frequency of its swing", "Hz", 0.5, 0, 1e6)

static const char *const coordinate_choices[] = {"absolute", "relative", NULL};
#define RUN_PARAMS(speed_)                                                                         \
    REAL_PARAM("speed", "forward speed at the start", "m/s", speed_, 0, 1e3),                      \
        CHOICE_PARAM("coordinates", "of the rings: absolute, or relative to their hubs", 0,        \
                     coordinate_choices),                                                          \
        INTEGER_PARAM("cost",                                                                      \
                      "rounds of made-up work in the slow function, which change no value", 0, 0,  \
                      1000000000)

#endif

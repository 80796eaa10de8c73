/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/lang_hand.h"

gt_status bench_hand_lorenz(double t, const double *s, double *ds, void *ctx)
{
    const bench_hand_numbers *c = ctx;
    double x = s[0], y = s[1], z = s[2];
    (void)t;
    ds[0] = c->p[0] * (y - x);
    ds[1] = c->p[1] * x - y - x * z;
    ds[2] = x * y - c->p[2] * z;
    return GT_OK;
}

const char bench_text_lorenz[] = "par sigma=10,rho=28,beta=4\n"
                                 "x'=sigma*(y-x)\ny'=rho*x-y-x*z\nz'=x*y-beta*z\n"
                                 "init x=20,y=20,z=20\n";

gt_status bench_hand_hires(double t, const double *y, double *dy, void *ctx)
{
    double binding = 280 * y[5] * y[7];
    (void)t, (void)ctx;
    dy[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    dy[1] = 1.71 * y[0] - 8.75 * y[1];
    dy[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    dy[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    dy[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
    dy[5] = -binding + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    dy[6] = binding - 1.81 * y[6];
    dy[7] = -dy[6];
    return GT_OK;
}

const char bench_text_hires[] = "binding=280*y6*y8\n"
                                "y1'=-1.71*y1+0.43*y2+8.32*y3+0.0007\n"
                                "y2'=1.71*y1-8.75*y2\n"
                                "y3'=-10.03*y3+0.43*y4+0.035*y5\n"
                                "y4'=8.32*y2+1.71*y3-1.12*y4\n"
                                "y5'=-1.745*y5+0.43*y6+0.43*y7\n"
                                "y6'=-binding+0.69*y4+1.71*y5-0.43*y6+0.69*y7\n"
                                "y7'=binding-1.81*y7\n"
                                "y8'=-(binding-1.81*y7)\n"
                                "init y1=1,y8=0.0057\n";

/* u_1 .. u_n, v_1 .. v_n; at both ends u = a, v = b/a. */
gt_status bench_hand_brusselator(double t, const double *x, double *dx, void *ctx)
{
    const bench_hand_numbers *c = ctx;
    size_t n = c->n, last = n - 1;
    double a = c->p[0], b = c->p[1], k = c->p[2], end = b / a;
    const double *u = x, *v = x + n;
    double *du = dx, *dv = dx + n;
    (void)t;
    du[0] = a + u[0] * u[0] * v[0] - (b + 1) * u[0] + k * (a - 2 * u[0] + u[1]);
    dv[0] = b * u[0] - u[0] * u[0] * v[0] + k * (end - 2 * v[0] + v[1]);
    for (size_t i = 1; i < last; i++) {
        double uuv = u[i] * u[i] * v[i];
        du[i] = a + uuv - (b + 1) * u[i] + k * (u[i - 1] - 2 * u[i] + u[i + 1]);
        dv[i] = b * u[i] - uuv + k * (v[i - 1] - 2 * v[i] + v[i + 1]);
    }
    du[last] =
        a + u[last] * u[last] * v[last] - (b + 1) * u[last] + k * (u[last - 1] - 2 * u[last] + a);
    dv[last] = b * u[last] - u[last] * u[last] * v[last] + k * (v[last - 1] - 2 * v[last] + end);
    return GT_OK;
}

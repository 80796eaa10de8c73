/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Problems with pulses, jumps and kinks of f, and with events. Those in C say nothing of where f is
 * not smooth; model files may.
 */
#include "truth_equations.h"

/* Pulses in the middle of nothing. */
EXACT(thin_gauss) { x[0] = 50 * sqrt(PI) * (erf(10 * (t - 50)) + 1); }
EXACT(thin_gauss_decay)
{
    x[0] = 50 * sqrt(PI) * exp(1.0 / 400 - (t - 50)) * (erf(10 * (t - 50) - 0.05) + 1);
}
EXACT(thin_box) { x[0] = fmin(fmax(t - 50, 0), 0.1); }
EXACT(gauss) { x[0] = 50 * sqrt(PI) * (erf((t - 37.3)) + 1); }
EQUATIONS(gauss)
{
    dx[0] = 100 * exp(-pow(t - 37.3, 2));
    return GT_OK;
}
EXACT(box) { x[0] = fmin(fmax(t - 37.3, 0), 2); }
EQUATIONS(box)
{
    dx[0] = t >= 37.3 && t < 39.3;
    return GT_OK;
}
/* One box in every unit of time, 0.3 wide, through a filter: within a period x follows its equation
 * from the value x_k = x_(k-1)/e + (1 - exp(-0.3)) exp(-0.7) at its beginning. */
EXACT(pulse_train)
{
    double start = 0;
    for (int k = 1; k <= (int)floor(t); k++) start = start * exp(-1) + (1 - exp(-0.3)) * exp(-0.7);
    double s = t - floor(t);
    x[0] = s < 0.3 ? 1 + (start - 1) * exp(-s) : (1 + (start - 1) * exp(-0.3)) * exp(0.3 - s);
}

/* Jumps. */
static const double t_jump = 1.2345678;
EXACT(jump_in_time) { x[0] = t < t_jump ? t : 2 * t_jump - t; }
EQUATIONS(jump_in_time)
{
    dx[0] = t < t_jump ? 1 : -1;
    return GT_OK;
}
EXACT(filtered_jump) { x[0] = t < 1.3 ? 0 : (1 - exp(-2 * (t - 1.3))) / 2; }
EXACT(square_wave)
{
    double s = fmod(t, 2 * PI);
    x[0] = s < PI ? s : 2 * PI - s;
}
EQUATIONS(square_wave)
{
    dx[0] = fmod(t, 2 * PI) < PI ? 1 : -1;
    return GT_OK;
}
EXACT(jump_in_state) { x[0] = t < 0.5 ? 2 * t : 1 + 0.5 * (t - 0.5); }
EQUATIONS(jump_in_state)
{
    dx[0] = x[0] < 1 ? 2 : 0.5;
    return GT_OK;
}
EXACT(braked)
{
    double v = 3 - 7 * t, s = t - 3.0 / 7;
    x[0] = s < 0 ? 3 * t - 3.5 * t * t : 9.0 / 14 - 1.5 * s * s;
    x[1] = s < 0 ? v : -3 * s;
}
EQUATIONS(braked)
{
    dx[0] = x[1];
    dx[1] = -5 - 2 * (double)((x[1] > 0) - (x[1] < 0));
    return GT_OK;
}
EXACT(gate)
{
    x[0] = t < 1 ? t : 1 + 1.5 * (t - 1) + 2 * (exp(-t) - exp(-1));
    x[1] = 2 * (1 - exp(-t));
}
/* Sliding: x stays on the surface where f jumps. */
EXACT(relay) { x[0] = fmax(1 - t, 0); }
EXACT(belt)
{
    x[0] = t < 1 ? t * t / 2 : t - 0.5;
    x[1] = fmin(t, 1);
}

/* Kinks. */
EXACT(absolute_time) { x[0] = t < 1 ? t - t * t / 2 : 0.5 + (t - 1) * (t - 1) / 2; }
EXACT(rectified) { x[0] = 2 * floor(t / PI) + 1 - cos(fmod(t, PI)); }
EQUATIONS(rectified)
{
    dx[0] = fabs(sin(t));
    return GT_OK;
}
EXACT(half_wave)
{
    double s = fmod(t + PI / 2, 2 * PI);
    x[0] = 2 * floor((t + PI / 2) / (2 * PI)) + (s < PI ? 1 - cos(s) : 2) - 1;
}
EQUATIONS(half_wave)
{
    dx[0] = fmax(cos(t), 0);
    return GT_OK;
}
EXACT(saturation)
{
    double t1 = log(2) / 0.8;
    x[0] = t < t1 ? 0.5 * exp(0.8 * t) : 5 - 4 * exp(-0.2 * (t - t1));
}
EQUATIONS(saturation)
{
    dx[0] = fmin(x[0], 1) - 0.2 * x[0];
    return GT_OK;
}
/* An oscillator with two stiffnesses, 3/2 for x > 0 and 1/2 for x < 0. */
EXACT(two_springs)
{
    const double w = sqrt(1.5), v = sqrt(0.5), half = PI / w, whole = half + PI / v;
    double s = fmod(t + half / 2, whole);
    if (s < half) {
        x[0] = sin(w * s), x[1] = w * cos(w * s);
    } else {
        x[0] = -w / v * sin(v * (s - half)), x[1] = -w * cos(v * (s - half));
    }
}

/* A ball from height 1: bounce k happens at T (1 + 2 (e + .. + e^k)), T = sqrt(2/g). */
static void ball(double t, double restitution, double *x)
{
    const double g = 9.81, fall = sqrt(2 / g);
    double last = -fall, speed = g * fall, flight = 2 * fall;
    while (t > last + flight) {
        last += flight;
        speed *= restitution;
        flight *= restitution;
    }
    double s = t - last;
    x[0] = speed * s - g / 2 * s * s, x[1] = speed - g * s;
}
EXACT(ball5) { ball(t, 0.5, x); }
EXACT(ball7) { ball(t, 0.7, x); }
EXACT(ball9) { ball(t, 0.9, x); }
EQUATIONS(ball)
{
    dx[0] = x[1], dx[1] = -9.81;
    return GT_OK;
}
static gt_status height(double t, const double *x, double *g, void *ctx)
{
    (void)t, (void)ctx;
    g[0] = x[0];
    return GT_OK;
}
static gt_status bounce(double t, const unsigned char *fired, double *x, unsigned *actions,
                        void *ctx)
{
    (void)t, (void)fired, (void)actions, (void)ctx;
    if (x[0] <= 0) x[1] *= -0.7;
    return GT_OK;
}
/* A membrane that fires at 1 and begins again at 0: period log 3. */
EXACT(firing) { x[0] = 1.5 * (1 - exp(-fmod(t, log(3)))); }
EXACT(counter)
{
    x[0] = sin(t), x[1] = cos(t);
    x[2] = floor(t / (2 * PI));
}
EXACT(thin_counter)
{
    x[0] = sin(t), x[1] = cos(t);
    x[2] = floor((t - PI / 2) / (2 * PI)) + 1;
}
/* Stops at x = 1/2, t = log 2; y keeps the time. */
EXACT(stopped) { x[0] = exp(-fmin(t, log(2))), x[1] = fmin(t, log(2)); }

/* A tank that runs dry, alone and into another; a stiff state that is zero where it has a kink. */
EXACT(tank) { x[0] = t < 2 ? (1 - t / 2) * (1 - t / 2) : 0; }
EXACT(two_tanks)
{
    double s = fmax(1 - t, 0);
    x[0] = s * s, x[1] = 1 - s * s;
}
EXACT(absolute) { x[0] = fabs(t - 1); }

const truth_problem truth_switched[] = {
    {"thin_gauss", TRUTH_PULSE, thin_gauss_exact,
     .text = "x'=1000*exp(-((t-50)*10)^2)\nx(0)=0\n@ total=100\ndone\n"},
    {"thin_gauss_decay", TRUTH_PULSE, thin_gauss_decay_exact,
     .text = "x'=-x+1000*exp(-((t-50)*10)^2)\nx(0)=0\n@ total=60\ndone\n"},
    {"thin_box", TRUTH_PULSE, thin_box_exact,
     .text = "x'=heav(t-50)*heav(50.1-t)\nx(0)=0\n@ total=100\ndone\n"},
    {"gauss", TRUTH_PULSE, gauss_exact, .problem = IN_C(gauss, 1, 0, 100, 0)},
    {"box", TRUTH_PULSE, box_exact, .problem = IN_C(box, 1, 0, 100, 0)},
    {"pulse_train", TRUTH_PULSE, pulse_train_exact,
     .text = "x'=-x+heav(.3-mod(t,1))\nx(0)=0\n@ total=10\ndone\n"},

    {"jump_in_time", TRUTH_JUMP, jump_in_time_exact,
     .text = "x'=if(t<1.2345678)then(1)else(-1)\nx(0)=0\n@ total=3\ndone\n"},
    {"jump_in_time_c", TRUTH_JUMP, jump_in_time_exact, .problem = IN_C(jump_in_time, 1, 0, 3, 0)},
    {"filtered_jump", TRUTH_JUMP, filtered_jump_exact,
     .text = "x'=-2*x+heav(t-1.3)\nx(0)=0\n@ total=4\ndone\n"},
    {"square_wave", TRUTH_JUMP, square_wave_exact, .problem = IN_C(square_wave, 1, 0, 20, 0)},
    {"jump_in_state", TRUTH_JUMP, jump_in_state_exact,
     .text = "x'=if(x<1)then(2)else(.5)\nx(0)=0\n@ total=2\ndone\n"},
    {"jump_in_state_c", TRUTH_JUMP, jump_in_state_exact,
     .problem = IN_C(jump_in_state, 1, 0, 2, 0)},
    {"braked", TRUTH_JUMP, braked_exact,
     .text = "x'=v\nv'=-5-2*sign(v)\nv(0)=3\n@ total=1\ndone\n"},
    {"braked_c", TRUTH_JUMP, braked_exact, .problem = IN_C(braked, 2, 0, 1, 0, 3)},
    {"braked_event", TRUTH_EVENT, braked_exact,
     .text = "x'=v\nv'=-5-2*sign(v)\nv(0)=3\nglobal 0 v {out_put=1}\n@ total=1\ndone\n"},
    {"gate", TRUTH_JUMP, gate_exact,
     .text = "x'=if(x<1)then(1)else(y-.5)\ny'=2-y\n@ total=3\ndone\n"},
    {"gate_event", TRUTH_EVENT, gate_exact,
     .text = "x'=if(x<1)then(1)else(y-.5)\ny'=2-y\nglobal 0 x-1 {out_put=1}\n@ total=3\ndone\n"},
    {"relay", TRUTH_JUMP, relay_exact, .text = "x'=-sign(x)\nx(0)=1\n@ total=2\ndone\n"},
    {"belt", TRUTH_JUMP, belt_exact, .text = "x'=v\nv'=-sign(v-1)\n@ total=2\ndone\n"},

    {"absolute_time", TRUTH_KINK, absolute_time_exact,
     .text = "x'=abs(t-1)\nx(0)=0\n@ total=3\ndone\n"},
    {"rectified", TRUTH_KINK, rectified_exact, .problem = IN_C(rectified, 1, 0, 20, 0)},
    {"half_wave", TRUTH_KINK, half_wave_exact, .problem = IN_C(half_wave, 1, 0, 15, 0)},
    {"saturation", TRUTH_KINK, saturation_exact,
     .text = "x'=min(x,1)-.2*x\nx(0)=.5\n@ total=4\ndone\n"},
    {"saturation_c", TRUTH_KINK, saturation_exact, .problem = IN_C(saturation, 1, 0, 4, 0.5)},
    {"two_springs", TRUTH_KINK, two_springs_exact,
     .text = "x'=v\nv'=-x-abs(x)/2\nx(0)=1\n@ total=20\ndone\n"},

    {"tank", TRUTH_KINK, tank_exact, .text = "h'=-sqrt(max(h,0))\nh(0)=1\n@ total=4\ndone\n"},
    {"two_tanks", TRUTH_KINK, two_tanks_exact,
     .text = "a'=-2*sqrt(max(a,0))\nb'=2*sqrt(max(a,0))\na(0)=1\n@ total=3\ndone\n"},
    {"kink_at_zero", TRUTH_KINK, absolute_exact,
     .text = "x'=-500*(x-abs(t-1))+sign(t-1)\nx(0)=1\n@ total=2\ndone\n"},

    {"ball", TRUTH_EVENT, ball5_exact,
     .text = "h'=v\nv'=-9.81\nh(0)=1\nglobal -1 h {v=-.5*v;h=0}\n@ total=1.25\ndone\n",
     .end_only = true},
    {"ball_lively", TRUTH_EVENT, ball9_exact,
     .text = "h'=v\nv'=-9.81\nh(0)=1\nglobal -1 h {v=-.9*v}\n@ total=3\ndone\n", .end_only = true},
    {"ball_c", TRUTH_EVENT, ball7_exact,
     .problem = {.n_slow = 2,
                 .rhs = ball_rhs,
                 .t1 = 2.2,
                 .x0 = (const double[2]){1, 0},
                 .n_roots = 1,
                 .roots = height,
                 .on_event = bounce},
     .end_only = true},
    {"firing", TRUTH_EVENT, firing_exact,
     .text = "x'=1.5-x\nx(0)=0\nglobal 1 x-1 {x=0}\n@ total=10\ndone\n", .end_only = true},
    {"counter", TRUTH_EVENT, counter_exact,
     .text = "x'=y\ny'=-x\nc'=0\ny(0)=1\nglobal 1 x {c=c+1}\n@ total=20\ndone\n", .end_only = true},
    {"thin_counter", TRUTH_EVENT, thin_counter_exact,
     .text = "x'=y\ny'=-x\nc'=0\ny(0)=1\nglobal 1 x-.99999999 {c=c+1}\n@ total=20\ndone\n",
     .end_only = true},
    {"stopped", TRUTH_EVENT, stopped_exact,
     .text = "x'=-x\ny'=1\nx(0)=1\nglobal -1 x-.5 {arret=1}\n@ total=10\ndone\n", .end_only = true},
    {0},
};

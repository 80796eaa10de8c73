/* SPDX-License-Identifier: BSD-3-Clause */
/* Stiff problems, states and times that are very large or very small, algebraic equations and mass
 * matrices. */
#include "truth_equations.h"

/* Prothero and Robinson: x' = lambda (x - cos t) - sin t. */
EXACT(cosine) { x[0] = cos(t); }
EXACT(cosine_from_2) { x[0] = cos(t) + exp(-1e3 * t); }
EQUATIONS(prothero)
{
    dx[0] = -1e6 * (x[0] - cos(t)) - sin(t);
    return GT_OK;
}
EXACT(driven_pair)
{
    x[0] = (cos(t) + sin(t) - exp(-t)) / 4;
    x[1] = cos(t);
}
EXACT(linear_pair)
{
    x[0] = 2 * exp(-t) - exp(-1000 * t);
    x[1] = -exp(-t) + exp(-1000 * t);
}
EQUATIONS(linear_pair)
{
    dx[0] = 998 * x[0] + 1998 * x[1];
    dx[1] = -999 * x[0] - 1999 * x[1];
    return GT_OK;
}
EXACT(kaps) { x[0] = exp(-t), x[1] = exp(-2 * t); }
EXACT(stiff_spring) { x[0] = cos(t), x[1] = -sin(t); }
/* 19 points of a rod: the slowest mode decays with 4 N^2 sin^2(pi/2N), N = 20. */
EXACT(rod)
{
    double rate = 1600 * pow(sin(PI / 40), 2);
    for (int i = 0; i < 19; i++) x[i] = sin(PI * (i + 1) / 20) * exp(-rate * t);
}
EXACT(stiff_jump) { x[0] = t < 1 ? 0 : -expm1(-1e4 * (t - 1)); }
EQUATIONS(stiff_jump)
{
    dx[0] = -1e4 * (x[0] - (t >= 1));
    return GT_OK;
}
/* A flame: x = 1/(1 + W(a exp(a - t))), a = 1/x0 - 1; w = W solves w + log w = log a + a - t. */
EXACT(flame)
{
    const double a = 1 / 0.01 - 1;
    double c = log(a) + a - t, w = c > 1 ? c : exp(fmax(c, -700));
    for (int k = 0; k < 60; k++) w = fmax(w - (w + log(w) - c) * w / (1 + w), w / 10);
    x[0] = 1 / (1 + w);
}
EQUATIONS(flame)
{
    dx[0] = x[0] * x[0] * (1 - x[0]);
    return GT_OK;
}
/* Fast and slow oscillation together; frequencies 100 and 1, coupled one way. */
EXACT(two_frequencies)
{
    double p = 100.0 / 9999;
    x[0] = cos(t), x[1] = -sin(t);
    x[2] = p * cos(t) + (1 - p) * cos(100 * t);
    x[3] = -p * sin(t) - 100 * (1 - p) * sin(100 * t);
}

/* Second-order kinetics with 1e-12 of each: b/a decays with k (a - b). */
EXACT(kinetics)
{
    double d = 5e-13, r = 0.5 * exp(-0.5 * t);
    x[0] = d / (1 - r), x[1] = r * d / (1 - r), x[2] = 1e-12 - x[0];
}
EXACT(tiny_decay) { x[0] = 1e-12 * exp(-t); }
EQUATIONS(tiny_decay)
{
    dx[0] = -x[0];
    return GT_OK;
}
EXACT(tiny_oscillator) { x[0] = 1e-12 * cos(t), x[1] = -1e-12 * sin(t); }
EXACT(huge_oscillator) { x[0] = 1e12 * cos(t), x[1] = -1e12 * sin(t); }
EQUATIONS(oscillator)
{
    dx[0] = x[1], dx[1] = -x[0];
    return GT_OK;
}
EXACT(mixed_sizes) { x[0] = 1e6 * exp(-t), x[1] = 1e-6 * t * exp(-t); }
EQUATIONS(mixed_sizes)
{
    dx[0] = -x[0], dx[1] = 1e-12 * x[0] - x[1];
    return GT_OK;
}
EXACT(from_nothing) { x[0] = 1e-12 * sin(t); }
EQUATIONS(from_nothing)
{
    dx[0] = 1e-12 * cos(t);
    return GT_OK;
}
EXACT(nanoseconds) { x[0] = exp(-1e9 * t); }
EXACT(gigahertz) { x[0] = sin(1e9 * t); }
EQUATIONS(gigahertz)
{
    dx[0] = 1e9 * cos(1e9 * t);
    return GT_OK;
}
EXACT(centuries) { x[0] = exp(-1e-9 * t); }
EXACT(slow_oscillator) { x[0] = cos(1e-6 * t), x[1] = -1e-6 * sin(1e-6 * t); }
EXACT(late_clock) { x[0] = sin(t - 1e6); }
EQUATIONS(late_clock)
{
    dx[0] = cos(t - 1e6);
    return GT_OK;
}

/* Algebraic equations. */
EXACT(algebraic) { x[0] = (cos(t) + sin(t) - exp(-t)) / 2, x[1] = cos(t); }
EXACT(algebraic_root) { x[0] = pow(1 - t / 2, 2), x[1] = 1 - t / 2; }
EXACT(algebraic_stiff) { x[0] = cos(t), x[1] = cos(t) * cos(t); }
EXACT(algebraic_pair) { x[0] = exp(-t), x[1] = exp(-t) / 2, x[2] = exp(-t) / 2; }
/* M x' = f with M = diag(2, 0): 2 x' = -y, 0 = y - 2 x. */
EXACT(singular_mass) { x[0] = exp(-t), x[1] = 2 * exp(-t); }
EQUATIONS(singular_mass)
{
    dx[0] = -x[1], dx[1] = x[1] - 2 * x[0];
    return GT_OK;
}
static double mass_values[] = {2, 0, 0, 0};
static const gt_matrix singular_mass = {.n = 2, .values = mass_values};

const truth_problem truth_hard[] = {
    {"prothero", TRUTH_STIFF, cosine_exact,
     .text = "x'=-1e6*(x-cos(t))-sin(t)\nx(0)=1\n@ total=10\ndone\n"},
    {"prothero_c", TRUTH_STIFF, cosine_exact, .problem = IN_C(prothero, 1, 0, 10, 1)},
    {"prothero_layer", TRUTH_STIFF, cosine_from_2_exact,
     .text = "x'=-1e3*(x-cos(t))-sin(t)\nx(0)=2\n@ total=5\ndone\n"},
    {"driven_pair", TRUTH_STIFF, driven_pair_exact,
     .text = "x'=-x+.5*z\nz'=-1e4*(z-cos(t))-sin(t)\nz(0)=1\n#@ fast z\n@ total=10\ndone\n"},
    {"linear_pair", TRUTH_STIFF, linear_pair_exact, .problem = IN_C(linear_pair, 2, 0, 5, 1, 0)},
    {"kaps", TRUTH_STIFF, kaps_exact,
     .text = "y'=x-y-y^2\nx'=-1e4*(x-y^2)-2*x\nx(0)=1\ny(0)=1\n#@ fast x\n@ total=2\ndone\n"},
    {"stiff_spring", TRUTH_STIFF, stiff_spring_exact,
     .text = "x'=v\nv'=-1e4*(x-cos(t))-cos(t)\nx(0)=1\n@ total=10\ndone\n", .amplification = 100},
    {"rod", TRUTH_STIFF, rod_exact,
     .text = "u0=0\nu20=0\nu[1..19]'=400*(u[j-1]-2*u[j]+u[j+1])\nu[1..19](0)=sin(pi*[j]/20)\n@ "
             "total=.5\ndone\n"},
    {"stiff_jump", TRUTH_STIFF, stiff_jump_exact,
     .text = "x'=-1e4*(x-heav(t-1))\nx(0)=0\n@ total=2\ndone\n"},
    {"stiff_jump_c", TRUTH_STIFF, stiff_jump_exact, .problem = IN_C(stiff_jump, 1, 0, 2, 0)},
    {"flame", TRUTH_STIFF, flame_exact, .problem = IN_C(flame, 1, 0, 200, 0.01),
     .amplification = 5.5},
    {"two_frequencies", TRUTH_LONG, two_frequencies_exact,
     .text = "x'=v\nv'=-x\nz'=w\nw'=-1e4*z+100*x\nx(0)=1\nz(0)=1\n#@ fast z,w\n@ total=6\ndone\n"},

    {"kinetics", TRUTH_SCALE, kinetics_exact,
     .text = "a'=-1e12*a*b\nb'=-1e12*a*b\nc'=1e12*a*b\na(0)=1e-12\nb(0)=5e-13\n@ total=20\ndone\n"},
    {"tiny_decay", TRUTH_SCALE, tiny_decay_exact, .problem = IN_C(tiny_decay, 1, 0, 10, 1e-12)},
    {"tiny_oscillator", TRUTH_SCALE, tiny_oscillator_exact,
     .problem = IN_C(oscillator, 2, 0, 20, 1e-12, 0)},
    {"huge_oscillator", TRUTH_SCALE, huge_oscillator_exact,
     .problem = IN_C(oscillator, 2, 0, 20, 1e12, 0)},
    {"mixed_sizes", TRUTH_SCALE, mixed_sizes_exact, .problem = IN_C(mixed_sizes, 2, 0, 10, 1e6, 0)},
    {"from_nothing", TRUTH_SCALE, from_nothing_exact, .problem = IN_C(from_nothing, 1, 0, 20, 0)},
    {"nanoseconds", TRUTH_SCALE, nanoseconds_exact,
     .text = "x'=-1e9*x\nx(0)=1\n@ total=1e-8\ndone\n"},
    {"gigahertz", TRUTH_SCALE, gigahertz_exact, .problem = IN_C(gigahertz, 1, 0, 2e-8, 0)},
    {"centuries", TRUTH_SCALE, centuries_exact, .text = "x'=-1e-9*x\nx(0)=1\n@ total=1e10\ndone\n"},
    {"slow_oscillator", TRUTH_SCALE, slow_oscillator_exact,
     .text = "x'=v\nv'=-1e-12*x\nx(0)=1\n@ total=2e7\ndone\n"},
    {"late_clock", TRUTH_SCALE, late_clock_exact, .problem = IN_C(late_clock, 1, 1e6, 1000020, 0)},

    {"algebraic", TRUTH_DAE, algebraic_exact,
     .text = "x'=-x+z\n0=z-cos(t)\nsolv z=1\nx(0)=0\n@ total=10\ndone\n"},
    {"algebraic_root", TRUTH_DAE, algebraic_root_exact,
     .text = "x'=-z\n0=z^2-x\nsolv z=1\nx(0)=1\n@ total=1.5\ndone\n"},
    {"algebraic_stiff", TRUTH_DAE, algebraic_stiff_exact,
     .text = "x'=-1e5*(x-cos(t))-sin(t)\n0=z-x*cos(t)\nsolv z=1\nx(0)=1\n@ total=5\ndone\n"},
    {"algebraic_pair", TRUTH_DAE, algebraic_pair_exact,
     .text = "x'=-y-z\n0=y+z-x\n0=y-z\nsolv y=.5\nsolv z=.5\nx(0)=1\n@ total=5\ndone\n"},
    {"singular_mass", TRUTH_DAE, singular_mass_exact,
     .problem = {.n_slow = 2,
                 .rhs = singular_mass_rhs,
                 .t1 = 5,
                 .x0 = (const double[2]){1, 2},
                 .mass = &singular_mass}},
    {0},
};

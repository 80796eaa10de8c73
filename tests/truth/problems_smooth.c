/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems whose solutions are smooth and not stiff: quadratures, linear and nonlinear equations,
 * long runs. */
#include "truth_equations.h"

/* Quadratures: f does not depend on x. */
EXACT(cos10) { x[0] = sin(10 * t); }
EXACT(cos_drag)
{
    const double a = 1e-8;
    x[0] = (a * cos(t) + sin(t) - a * exp(-a * t)) / (1 + a * a);
}
EXACT(power5) { x[0] = pow(t, 5); }
EXACT(power20) { x[0] = pow(t, 20); }
EQUATIONS(power20)
{
    dx[0] = 20 * pow(t, 19);
    return GT_OK;
}
EXACT(exponential) { x[0] = exp(t); }
EXACT(bell) { x[0] = (atan(5 * t) + atan(5)) / 5; }
EXACT(logarithm) { x[0] = log(t / 1e-3); }
EXACT(root) { x[0] = pow(t, 1.5); }
EQUATIONS(root)
{
    dx[0] = 1.5 * sqrt(t);
    return GT_OK;
}
EXACT(whole_periods) { x[0] = (1 - cos(2 * PI * t)) / (2 * PI); }
EXACT(sine_squared) { x[0] = t / 2 - sin(100 * t) / 200; }
EQUATIONS(sine_squared)
{
    dx[0] = pow(sin(50 * t), 2);
    return GT_OK;
}
/* A burst of oscillation after nothing: f and all its derivatives vanish at the start. */
EXACT(late_burst) { x[0] = (1 + tanh(5 * (t - 10))) * sin(3 * t); }
EQUATIONS(late_burst)
{
    double a = tanh(5 * (t - 10));
    dx[0] = 5 * (1 - a * a) * sin(3 * t) + 3 * (1 + a) * cos(3 * t);
    return GT_OK;
}

/* Linear equations. */
EXACT(constant) { x[0] = 1; }
EXACT(decay) { x[0] = exp(-t); }
EXACT(oscillator) { x[0] = cos(t), x[1] = -sin(t); }
EXACT(fast_oscillator) { x[0] = cos(20 * t), x[1] = -20 * sin(20 * t); }
EXACT(damped)
{
    const double w = sqrt(1 - 0.01), e = exp(-0.1 * t);
    x[0] = e * (cos(w * t) + 0.1 / w * sin(w * t));
    x[1] = -e * sin(w * t) / w;
}
EXACT(jordan) { x[0] = (1 + t) * exp(-t), x[1] = exp(-t); }
EXACT(not_normal) { x[0] = 101 * exp(-t) - 100 * exp(-2 * t), x[1] = exp(-2 * t); }
EXACT(resonance) { x[0] = t * sin(t) / 2, x[1] = (sin(t) + t * cos(t)) / 2; }
EXACT(from_rest)
{
    x[0] = (4 * sin(t) - 2 * sin(2 * t)) / 3;
    x[1] = 4 * (cos(t) - cos(2 * t)) / 3;
}
EXACT(one_in_hundred)
{
    for (size_t i = 0; i < 99; i++) x[i] = 1;
    x[99] = sin(10 * t);
}
EQUATIONS(one_in_hundred)
{
    for (size_t i = 0; i < 99; i++) dx[i] = 0;
    dx[99] = 10 * cos(10 * t);
    return GT_OK;
}
EXACT(unstable) { x[0] = cos(t); }
EXACT(modulated) { x[0] = exp(sin(t)); }

/* Nonlinear equations. */
EXACT(logistic) { x[0] = 1 / (1 + 99 * exp(-t)); }
EXACT(tangent) { x[0] = tan(t); }
EQUATIONS(tangent)
{
    dx[0] = 1 + x[0] * x[0];
    return GT_OK;
}
EXACT(hyperbola) { x[0] = 1 / (1 + t); }
EXACT(gompertz) { x[0] = exp(log(1e-3) * exp(-t)); }
EXACT(bernoulli) { x[0] = 1 / sqrt(1 + 99 * exp(-2 * t)); }
EQUATIONS(bernoulli)
{
    dx[0] = x[0] - pow(x[0], 3);
    return GT_OK;
}
EXACT(quadratic_pair) { x[0] = exp(-t), x[1] = exp(-2 * t); }

/* Kepler's orbit of eccentricity 1/2 from the pericentre, by Newton's iteration for E - e sin E =
 * t. */
EXACT(orbit)
{
    const double e = 0.5;
    double E = t;
    for (int k = 0; k < 50; k++) E -= (E - e * sin(E) - t) / (1 - e * cos(E));
    double r = 1 - e * cos(E), b = sqrt(1 - e * e);
    x[0] = cos(E) - e, x[1] = b * sin(E);
    x[2] = -sin(E) / r, x[3] = b * cos(E) / r;
}

/* The free rigid body: Jacobi's sn, cn, dn with m = 0.51, by the descending Landen transformation.
 */
EXACT(rigid_body)
{
    double a[16], c[16], b = sqrt(1 - 0.51);
    int n = 0;
    a[0] = 1, c[0] = sqrt(0.51);
    for (; n < 15 && fabs(c[n]) > 1e-17; n++) {
        a[n + 1] = (a[n] + b) / 2;
        c[n + 1] = (a[n] - b) / 2;
        b = sqrt(a[n] * b);
    }
    double phi = ldexp(a[n] * t, n);
    for (; n > 0; n--) phi = (phi + asin(c[n] / a[n] * sin(phi))) / 2;
    x[0] = sin(phi), x[1] = cos(phi), x[2] = sqrt(1 - 0.51 * x[0] * x[0]);
}

const truth_problem truth_smooth[] = {
    {"cos10", TRUTH_QUADRATURE, cos10_exact,
     .text = "x'=10*cos(10*t)\nx(0)=0\n@ total=62.83185307179586\ndone\n"},
    {"cos_drag", TRUTH_QUADRATURE, cos_drag_exact,
     .text = "x'=cos(t)-1e-8*x\nx(0)=0\n@ total=20\ndone\n"},
    {"power5", TRUTH_QUADRATURE, power5_exact, .text = "x'=5*t^4\nx(0)=0\n@ total=2\ndone\n"},
    {"power20", TRUTH_QUADRATURE, power20_exact, .problem = IN_C(power20, 1, 0, 1.5, 0)},
    {"exponential", TRUTH_QUADRATURE, exponential_exact,
     .text = "x'=exp(t)\nx(0)=1\n@ total=5\ndone\n"},
    {"bell", TRUTH_QUADRATURE, bell_exact,
     .text = "x'=1/(1+25*t^2)\nx(0)=0\n@ t0=-1,total=2\ndone\n"},
    {"logarithm", TRUTH_QUADRATURE, logarithm_exact,
     .text = "x'=1/t\nx(0)=0\n@ t0=1e-3,total=.999\ndone\n"},
    {"root", TRUTH_QUADRATURE, root_exact, .problem = IN_C(root, 1, 0, 1, 0)},
    {"whole_periods", TRUTH_QUADRATURE, whole_periods_exact,
     .text = "x'=sin(2*pi*t)\nx(0)=0\n@ total=10\ndone\n"},
    {"sine_squared", TRUTH_QUADRATURE, sine_squared_exact,
     .problem = IN_C(sine_squared, 1, 0, 5, 0)},
    {"late_burst", TRUTH_QUADRATURE, late_burst_exact, .problem = IN_C(late_burst, 1, 0, 20, 0)},

    {"constant", TRUTH_LINEAR, constant_exact, .text = "x'=0\nx(0)=1\n@ total=20\ndone\n"},
    {"decay", TRUTH_LINEAR, decay_exact, .text = "x'=-x\nx(0)=1\n@ total=10\ndone\n"},
    {"growth", TRUTH_LINEAR, exponential_exact, .text = "x'=x\nx(0)=1\n@ total=10\ndone\n"},
    {"oscillator", TRUTH_LINEAR, oscillator_exact,
     .text = "x'=v\nv'=-x\nx(0)=1\n@ total=20\ndone\n"},
    {"fast_oscillator", TRUTH_LINEAR, fast_oscillator_exact,
     .text = "x'=v\nv'=-400*x\nx(0)=1\n@ total=6\ndone\n"},
    {"damped", TRUTH_LINEAR, damped_exact, .text = "x'=v\nv'=-x-.2*v\nx(0)=1\n@ total=40\ndone\n"},
    {"jordan", TRUTH_LINEAR, jordan_exact,
     .text = "x'=-x+y\ny'=-y\nx(0)=1\ny(0)=1\n@ total=10\ndone\n"},
    {"not_normal", TRUTH_LINEAR, not_normal_exact,
     .text = "x'=-x+100*y\ny'=-2*y\nx(0)=1\ny(0)=1\n@ total=5\ndone\n"},
    {"resonance", TRUTH_LINEAR, resonance_exact,
     .text = "x'=v\nv'=-x+cos(t)\nx(0)=0\n@ total=30\ndone\n"},
    {"from_rest", TRUTH_LINEAR, from_rest_exact,
     .text = "x'=v\nv'=-x+2*sin(2*t)\nx(0)=0\n@ total=20\ndone\n"},
    {"one_in_hundred", TRUTH_LINEAR, one_in_hundred_exact,
     .problem = IN_C(one_in_hundred, 100, 0, 2, NINETY_NINE_ONES)},
    {"unstable", TRUTH_LINEAR, unstable_exact,
     .text = "x'=2*(x-cos(t))-sin(t)\nx(0)=1\n@ total=4\ndone\n", .amplification = 2980},
    {"modulated", TRUTH_LINEAR, modulated_exact, .text = "x'=x*cos(t)\nx(0)=1\n@ total=20\ndone\n"},

    {"logistic", TRUTH_NONLINEAR, logistic_exact,
     .text = "x'=x*(1-x)\nx(0)=.01\n@ total=20\ndone\n"},
    {"tangent", TRUTH_NONLINEAR, tangent_exact, .problem = IN_C(tangent, 1, 0, 1.5, 0),
     .amplification = 7},
    {"hyperbola", TRUTH_NONLINEAR, hyperbola_exact, .text = "x'=-x^2\nx(0)=1\n@ total=100\ndone\n"},
    {"gompertz", TRUTH_NONLINEAR, gompertz_exact,
     .text = "x'=-x*ln(x)\nx(0)=.001\n@ total=10\ndone\n"},
    {"bernoulli", TRUTH_NONLINEAR, bernoulli_exact, .problem = IN_C(bernoulli, 1, 0, 10, 0.1)},
    {"quadratic_pair", TRUTH_NONLINEAR, quadratic_pair_exact,
     .text = "x'=-x+y-x^2\ny'=-2*x^2\nx(0)=1\ny(0)=1\n@ total=5\n#@ fast y\ndone\n"},
    {"orbit", TRUTH_NONLINEAR, orbit_exact,
     .text = "x'=u\ny'=v\nu'=-x/(x^2+y^2)^1.5\nv'=-y/"
             "(x^2+y^2)^1.5\nx(0)=.5\nv(0)=1.7320508075688772\n@ total=12\ndone\n",
     .amplification = 120},
    {"rigid_body", TRUTH_NONLINEAR, rigid_body_exact,
     .text = "x'=y*z\ny'=-x*z\nz'=-.51*x*y\ny(0)=1\nz(0)=1\n@ total=12\ndone\n",
     .amplification = 16},

    {"long_oscillation", TRUTH_LONG, oscillator_exact,
     .text = "x'=v\nv'=-x\nx(0)=1\n@ total=1000\ndone\n"},
    {"long_growth", TRUTH_LONG, exponential_exact, .text = "x'=x\nx(0)=1\n@ total=200\ndone\n"},
    {"long_orbit", TRUTH_LONG, orbit_exact,
     .text = "x'=u\ny'=v\nu'=-x/(x^2+y^2)^1.5\nv'=-y/"
             "(x^2+y^2)^1.5\nx(0)=.5\nv(0)=1.7320508075688772\n@ total=120\ndone\n",
     .amplification = 1100},
    {0},
};

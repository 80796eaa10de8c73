/* SPDX-License-Identifier: BSD-3-Clause */
/* What `smes` makes of twenty dissipative problems whose fast parts are of every kind, at eight
 * tolerances: how often the end is off by more than ten tolerances and by more than a hundred. */
#include "lang_kit.h"

typedef struct dissipative {
    const char *name, *text;
    double t1;
} dissipative;

#define HEAT(k, before, after) "u" #k "'=400*(u" #before "-2*u" #k "+u" #after ")-u" #k "^3\n"

static const dissipative problems[] = {
    {"a manifold in closed form (Davis, Skodje)",
     "par e=1e-4\ny1'=-y1\ny2'=-y2/e+((1/e-1)*y1+y1^2/e)/(1+y1)^2\ninit y1=3,y2=1\ndone\n", 5},
    {"an enzyme", "par e=1e-5\ns'=-s+(s+.5)*c\nc'=(s-(s+1)*c)/e\ninit s=1,c=0\ndone\n", 20},
    {"a fast rate that falls and rises fortyfold",
     "x'=-x+z\nz'=-1e4*(1+.95*sin(t))*(z-cos(x))\ninit x=1,z=0\ndone\n", 10},
    {"a cubic fast part", "par e=1e-5\nx'=-.5*x+z+sin(t)\nz'=(x-z-z^3)/e\ninit x=2,z=-1\ndone\n",
     8},
    {"an exponential fast part", "par e=1e-6\nx'=-x+.3*z\nz'=(1+x-exp(z))/e\ninit x=1,z=0\ndone\n",
     5},
    {"three filters that ring",
     "x'=-x+y1+.3*y3\ny1'=w1*1e4\nw1'=1e4*(x-y1-1.4*w1)\ny2'=w2*3e3\nw2'=3e3*(y1-y2-.6*w2)\ny3'=w3*"
     "8e5\n"
     "w3'=8e5*(y2+cos(t)-y3-w3)\ninit x=1\ndone\n",
     6},
    {"a chain of resistors and capacitors",
     "v1'=-v1+.5*sin(3*t)+.1*v2\nv2'=50*(v1-v2)+10*(v3-v2)\nv3'=2e4*(v2-v3)-2e3*v3^3\nv4'=3e6*(v3-"
     "v4)\n"
     "init v1=1,v2=.2,v3=0,v4=1\ndone\n",
     4},
    {"a stirred tank in a quick jacket",
     "par e=1e-4\nr=.5*c*exp(th/(1+.05*th))\nc'=1-c-r\nth'=-3*th+2*r+j\nj'=(th-.5*sin(t)-j)/e\n"
     "init c=1,th=0,j=2\ndone\n",
     20},
    {"two species that couple through a fast part",
     "par e=1e-4\nx'=x*(1-q)\ny'=-y*(1-p)\np'=(x-p)/e\nq'=(y*(1+.2*p)-q)/e\ninit "
     "x=1.5,y=.5,p=0,q=0\ndone\n",
     15},
    {"fast directions that turn",
     "par e=1e-4\nx'=-x+u\ny'=x-y+v\nu'=(-(1+.5*cos(t))*(u-.5*x)-.8*sin(t)*(v-y))/e\n"
     "v'=(-.8*sin(t)*(u-x)-(2-.5*cos(t))*(v-tanh(y)))/e\ninit x=1,y=0,u=0,v=0\ndone\n",
     2},
    {"a fast part far from normal",
     "x'=-x+z1\nz1'=-1e5*(z1-x)+3e5*z2\nz2'=-1.5e5*(z2-.2*sin(2*t))\ninit x=1,z1=0,z2=1\ndone\n",
     5},
    {"a rod that stiffens and rings",
     "par e=1e-4\nx'=-x+y\ny'=v/e\nv'=(-y-y^3-.5*v+x+.5*cos(3*t))/e\ninit x=1,y=0,v=0\ndone\n", 6},
    {"a rate of 1100, then 50,000 and back to 2000",
     "r=1e2+.5e5*(1+tanh(8*(t-2)))-.49e5*(1+tanh(8*(t-4)))\nx'=-x+z\nz'=-r*(z-x^2-.2*sin(5*t))"
     "\ninit x=.5,z=0\ndone\n",
     6},
    {"diffusion, no gap",
     "u1'=400*(sin(t)-2*u1+u2)-u1^3\n" HEAT(2, 1, 3) HEAT(3, 2, 4) HEAT(4, 3, 5) HEAT(5, 4, 6)
         HEAT(6, 5, 7) HEAT(7, 6, 8) HEAT(8, 7, 9)
             HEAT(9, 8, 10) "u10'=400*(u9-2*u10)\n"
                            "init u1=.3,u2=.5,u3=.7,u4=.9,u5=1,u6=1,u7=.9,u8=.7,u9=.5,"
                            "u10=.3\ndone\n",
     1},
    {"a motor with friction and two electrical parts",
     "w'=-w*.5+2*i-.3*tanh(20*w)\ni'=2e4*(v-i-.4*w)\nv'=3e6*(sin(6*t)-v)\ninit w=0,i=0,v=0\ndone\n",
     1},
    {"a servo with an actuator",
     "th'=w\nw'=a-.4*w-sin(th)\na'=1e4*b\nb'=1e4*(-a-1.2*b+2*(sin(2*t)-th)-w)\ninit "
     "th=.3,w=0,a=0,b=0\ndone\n",
     4},
    {"a converter",
     "v'=100*(i-v-.1*v^3)\ni'=1e5*(1+.3*sin(40*t)-v-.5*i-.2*(i-q))\nq'=1e8*(i-q-.1*q^3)\ninit "
     "v=0\ndone\n",
     .2},
    {"a fast part that follows growth",
     "par e=1e-4\nx'=.3*x*(1-x)+z\nz'=-(1+x^2)*(z-.2*sin(t)*x)/e\nw'=-(2+z)*(w-x*z)*30\ninit "
     "x=.01,z=0,w=1\ndone\n",
     10},
    {"a fast part whose rest changes late",
     "x'=-x+z\nz'=-1e5*(z-x/(1+exp(40*(3-t))))\ninit x=1,z=1\ndone\n", 6},
    {"fast rates within a decade",
     "x'=-x+.2*(a+b+c)\na'=-3e3*(a-x^2)\nb'=-8e3*(b-a*x)\nc'=-2.5e4*(c-sin(t)*b)\ninit "
     "x=1,a=0,b=0,c=3\ndone\n",
     4},
};
enum { PROBLEMS = sizeof problems / sizeof *problems, MOST_STATES = 10 };

/* At 1e-3 to 1e-10, at the end and about a third of the way there. Reference: radau at 1e-12. */
static void ends_are_within_ten_tolerances(void **state)
{
    (void)state;
    static const double parts[] = {.37, 1};
    int runs = 0, beyond_10 = 0, beyond_100 = 0;
    for (int i = 0; i < PROBLEMS; i++) {
        lang_model m = lang_read(problems[i].text);
        gt_problem *p = &m.problem;
        double right[2][MOST_STATES], x[MOST_STATES];
        size_t n = gt_problem_size(p);
        assert_true(n <= MOST_STATES);
        for (int k = 0; k < 16; k++) {
            p->t1 = problems[i].t1 * parts[k / 8];
            if (k % 8 == 0) {
                gt_plan tight = {.rtol = 1e-12, .atol = 1e-14, .x_end = right[k / 8]};
                assert_int_equal(gt_solve(p, gt_method_find("radau"), &tight, NULL), GT_OK);
            }
            double rtol = pow(10, -3 - k % 8), worst = 0;
            gt_report r;
            gt_plan plan = {.rtol = rtol, .atol = rtol, .max_steps = 1000000, .x_end = x};
            if (gt_solve(p, gt_method_find("smes"), &plan, &r))
                fail_msg("%s at %g: %s", problems[i].name, rtol, r.message.text);
            for (size_t j = 0; j < n; j++)
                worst = fmax(worst,
                             fabs(x[j] - right[k / 8][j]) / (rtol * (1 + fabs(right[k / 8][j]))));
            runs++;
            beyond_10 += worst > 10;
            beyond_100 += worst > 100;
        }
        lang_free(&m);
    }
    if (beyond_10 > 0.15 * runs || beyond_100 > 0.02 * runs)
        fail_msg("of %d runs %d are beyond 10 tolerances and %d beyond 100", runs, beyond_10,
                 beyond_100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ends_are_within_ten_tolerances)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

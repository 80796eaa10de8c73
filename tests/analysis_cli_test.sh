# SPDX-License-Identifier: BSD-3-Clause
# The commands equilibrium, linearize and sweep: what they print, write and refuse.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"

expect "equilibrium of lorenz" 0 "10.39230485" equilibrium lorenz
expect "equilibrium says that it is stable" 0 "stable *yes.*-0.16335 +- 12.132i" equilibrium lorenz
expect "equilibrium says that it is not" 0 "stable *no" equilibrium vanderpol
expect "equilibrium names the conserved sum" 0 "y1 + y2 + y3 never changes" equilibrium robertson
expect "equilibrium of a large model names only some of the states" 1 "and [0-9]* other states never changes" equilibrium vehicle
[ "$(wc -c <err)" -lt 400 ]
verdict "and says no more than a person will read" $?
expect "equilibrium that does not exist" 1 "no steady state" equilibrium bouncing
expect "a failed search says nothing of stability" 1 '"stable": null' equilibrium bouncing --json
expect "a double root decides nothing" 0 "stable *undecided" equilibrium crow_p1
printf "x'=-sqrt(abs(x))\nx(0)=.5\n" >root.ode
expect "nor does a root without a derivative" 0 "stable *undecided: the equations are not differentiable" equilibrium root.ode
printf "x'=-3*abs(x)-2*x\nx(0)=.5\n" >kink.ode
expect "nor a kink" 0 "stable *undecided: the equations are not differentiable" equilibrium kink.ode
printf "x'=1e-12*(1-x)\nx(0)=.5\n" >slow.ode
expect "units of time do not decide" 0 "stable *yes" equilibrium slow.ode
printf "x'=-sign(x)\nx(0)=.5\n" >jump.ode
expect "a jump is no contradiction" 1 "the equations jump: those of x give -1 here and 1" equilibrium jump.ode
printf "x'=1\ny'=-y\n" >never.ode
expect "what is one everywhere is" 1 "those of x give 1 whatever the states are" equilibrium never.ode
for flag in --t1=5 --t0=1 --threads=3; do
    expect "equilibrium has no $flag" 2 "no flag ${flag%=*}" equilibrium lorenz $flag
done
expect "equilibrium as JSON" 0 '"stable": true' equilibrium lorenz --json
expect "equilibrium with a wrong state" 2 "no state 'w'" equilibrium lorenz --init w=1

"$geartrain" equilibrium predator_prey --out rest.csv >out 2>err &&
    "$geartrain" run predator_prey --init-from rest.csv --t1 5 --times 5 --out end.csv >out 2>err &&
    awk -F, 'NR == 2 { exit !($2 > 24.999999 && $2 < 25.000001 && $3 > 99.999999 && $3 < 100.000001) }' end.csv
verdict "a run from the steady state stays there" $?

expect "linearize prints the matrix" 0 "^y  *1  *-1  *-10.3923" linearize lorenz --at-equilibrium
expect "linearize eliminates algebraic variables" 0 "^-21.277 .*v 1.00" linearize rc_diode
expect "linearize along the solution" 0 "about the solution at t = 1.5" linearize vanderpol --t 1.5
expect "linearize as JSON" 0 '"top_states"' linearize lorenz --json
expect "linearize has no end" 2 "no flag --t1" linearize vanderpol --t 8 --t1 5
expect "linearize from a late start" 0 "at t = 1000" linearize vanderpol --t0 1000
expect "linearize of two points at once" 2 "cannot be used together" linearize lorenz --t 1 --at-equilibrium
expect "linearize before the start" 0 "at t = -0.01" linearize lorenz --t=-0.01
expect "linearize of too many states" 2 "2000" linearize heat --set n=3000

for threads in 1 4; do
    "$geartrain" sweep lorenz --sweep rho=10:30:5 --sweep sigma=8,10 --t1 2 --threads $threads --out $threads.csv >out 2>err ||
        break
done
cmp -s 1.csv 4.csv
verdict "sweep with one and with four threads gives the same bytes" $?
[ "$(wc -l <1.csv)" = 11 ] && head -n 1 1.csv | grep -q "^rho,sigma,status,t,x,y,z,steps," &&
    sed -n 3p 1.csv | grep -q "^10,10,ok,2,"
verdict "sweep rows are in the order of the grid" $?
"$geartrain" sweep brusselator --sweep n=2,3 --t1 0.1 --out sizes.csv >out 2>err &&
    awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } NR == 2 && ($8 != "" || $7 == "") { bad = 1 } END { exit bad || NR != 3 }' \
        sizes.csv
verdict "sweep over the size leaves cells empty" $?
"$geartrain" sweep vanderpol --sweep mu=1e6,1 --method rk4 --h 0.01 --t1 1 --out failing.csv >out 2>err &&
    grep -q "^1e6,not_finite," failing.csv && grep -q "^1,ok,1," failing.csv && grep -q "1 of 2 runs failed" err
verdict "a run that fails is a row and does not stop the others" $?
expect "sweep in which all runs fail" 1 "not_finite" sweep vanderpol --sweep mu=1e6 --method rk4 --h 0.01 --t1 1
"$geartrain" sweep vanderpol --sweep mu=1e6 --method rk4 --h 0.01 --t1 1 --quiet >out 2>err
[ $? = 1 ] && grep -q '1 of 1 runs failed' err
verdict "a sweep in which all runs fail says why, quiet or not" $?
expect "sweep as JSON" 0 '"mu": 3.0' sweep vanderpol --sweep mu=1,3 --json
expect "sweep at equal ratios" 0 "^ *10  *ok" sweep vanderpol --sweep mu=1:100:3 --log --t1 1
expect "sweep without values" 2 "at least one --sweep" sweep lorenz
expect "sweep of a parameter that is set" 2 "both give mu" sweep vanderpol --sweep mu=1,2 --set mu=3
expect "sweep of a parameter twice" 2 "mu is given twice" sweep vanderpol --sweep mu=1,2 --sweep mu=3
expect "sweep of an unknown parameter" 2 "did you mean 'rho'" sweep lorenz --sweep rhoo=1:2:3
expect "sweep of half a range" 2 "from:to:count" sweep lorenz --sweep rho=1:2
expect "sweep of a part of a whole number" 2 "whole number" sweep heat --sweep n=10,10.5

# A model that presses Ctrl-C itself, in the run with a = 2: the one before is done then, on any machine.
cat >pressed.c <<'END'
#include <geartrain/model.h>
#include <signal.h>
static gt_status rhs(double t, const double *x, double *dx, void *ctx)
{
    double *a = ctx; /* a, and whether it was pressed: a few times would end the program at once */
    (void)t, (void)x;
    if (a[0] == 2 && a[1]++ == 0) raise(SIGINT);
    dx[0] = 1;
    return GT_OK;
}
static const gt_param params[] = {{.name = "a", .help = "which run", .initial = 1, .min = 0, .max = 9}, {0}};
static gt_status build(const double *v, gt_problem *problem, gt_arena *arena)
{
    static const char *const names[] = {"x"};
    static const double x0[] = {0};
    double *a = gt_arena_doubles(arena, 2);
    if (!a) return GT_NO_MEMORY;
    a[0] = v[0];
    a[1] = 0;
    *problem = (gt_problem){.n_slow = 1, .rhs = rhs, .t1 = 1, .x0 = x0, .ctx = a, .names = names};
    return GT_OK;
}
const gt_model geartrain_model = {.abi = GT_MODEL_ABI, .name = "pressed", .title = "x grows",
                                  .equations = "x' = 1", .params = params, .build = build};
END
"$geartrain" sweep pressed.c --sweep a=1,2,3 --method rk4 --h 0.1 --threads 1 --out long.csv >out 2>err
[ $? = 1 ] && grep -q "interrupted after 1 of 3" err && [ ! -e long.csv ] && [ "$(grep -c '^1,ok,' long.csv.partial)" = 1 ]
verdict "an interrupted sweep keeps its rows apart" $?

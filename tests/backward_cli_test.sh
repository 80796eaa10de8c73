# SPDX-License-Identifier: BSD-3-Clause
# Time that runs backward in what the commands make of a run: output times, references, comparisons, advice, figures.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
needs_jsonget
near() { check "$1" within "$2" "$3" "$4"; } # NAME VALUE WANTED TOLERANCE
get() { ./jsonget "$1" <out; }
largest() { awk -F, -v c="$2" 'NR > 1 { d = $c - cos($1 - 1); if (d < 0) d = -d; if (d > m) m = d } END { print m + 0 }' "$1"; }

# x1 = cos(t - 1) from t = 1 back to -2.
"$geartrain" run harmonic --t0 1 --t1 -2 --times 0.5,0,-1.25 --rtol 1e-9 --out times.csv >out 2>err
check "run --times: they descend" [ "$(cut -d, -f1 times.csv | tr '\n' ' ')" = "t 0.5 0 -1.25 " ]
near "with the solution there" "$(largest times.csv 2)" 0 1e-7
expect "times that ascend are refused" 2 'must descend' run harmonic --t0 1 --t1 -2 --times 0,0.5 --out a.csv
expect "and times that lie outside" 2 'is not between' run harmonic --t0 1 --t1 -2 --times 2 --out a.csv
"$geartrain" run harmonic --t0 1 --t1 -1 --every 0.5 --out every.csv >out 2>err
check "zero has no sign" [ "$(cut -d, -f1 every.csv | tr '\n' ' ')" = "t 1 0.5 0 -0.5 -1 " ]

# A reference, which was never found: its largest step was negative.
"$geartrain" run harmonic --t0 1 --t1 -2 --method rk4 --h 0.1 --reference --json >out 2>err
check "run --reference is certain" [ "$(get error.certain)" = true ]
back=$(get error.final)
"$geartrain" run harmonic --t0 1 --t1 4 --method rk4 --h 0.1 --reference --json >out 2>err
near "and the error is that of the same way forward" "$back" "$(get error.final)" 1e-9
"$geartrain" run harmonic --t0 1 --t1 -2 --every 0.25 --method dopri5 --reference --json >out 2>err
check "at output points as well" [ "$(get error.certain) $(get error.points)" = "true 13" ]

# compare refused to go backward.
"$geartrain" compare harmonic --t0 1 --t1 -2 --methods rk4:h=0.1,dopri5,gear --json >out 2>err
check "compare runs every method" [ "$(get rows.0.status) $(get rows.1.status) $(get rows.2.status)" = '"ok" "ok" "ok"' ]
near "with the error of rk4" "$(get rows.0.error.final)" "$back" 1e-9
check "which is certain" [ "$(get rows.0.error.certain) $(get rows.1.error.certain)" = "true true" ]
"$geartrain" compare harmonic --t0 1 --t1 -2 --methods rk4:h=0.1,dopri5 --every 0.5 --json >out 2>err
check "compare --every" [ "$(get rows.0.error.points) $(get rows.0.error.certain)" = "7 true" ]
"$geartrain" compare harmonic --t0 1 --t1 -2 --methods beuler:h=0.1 --drift energy --json >out 2>err
check "compare --drift" [ "$(get rows.0.status)" = '"ok"' ]
near "where the energy is lost backward as well" "$(get rows.0.drift.max)" 0.258 0.02
expect "compare --trajectories" 0 'wrote' compare harmonic --t0 1 --t1 -2 --methods rk4:h=0.1,dopri5 --trajectories --plot b.svg
printf "x'=2*t*heav(t-1)\ny'=-y\ninit x=3,y=0.5\n" >jump.ode
"$geartrain" compare jump.ode --t0 2 --t1 0 --methods dopri5,rk4:h=0.1,gear --json >out 2>err
check "compare over a break" [ "$(get rows.0.error.certain) $(get rows.1.error.certain) $(get rows.2.error.certain)" = "true true true" ]
"$geartrain" run jump.ode --t0 2 --t1 0 --rtol 1e-8 --json >out 2>err
near "to the value before it" "$(get x.x)" 0 1e-7

# The direction of an event is that of the run, as docs/concepts.md says: x rises as t falls.
printf "x'=-1\nc'=0\nglobal 1 x-1 {c=c+1}\nglobal -1 x-2 {c=c+10}\n" >way.ode
"$geartrain" run way.ode --t1 -3 --json >out 2>err
near "an event has the direction of the run" "$(get x.c)" 1 0

# Figures: the dense output was not sampled, and where steps are long corners were drawn.
"$geartrain" run harmonic --t0 1 --t1 31 --rtol 0.3 --plot forward.svg >out 2>err
"$geartrain" run harmonic --t0 1 --t1 -29 --rtol 0.3 --plot backward.svg >out 2>err
check "a figure is sampled as densely as forward" [ "$(wc -c <backward.svg)" -gt $(($(wc -c <forward.svg) * 9 / 10)) ]

# advise: the modes of the reversed problem.
printf "x'=-3*x\ny'=-0.5*y+sin(t)\ninit x=1,y=1\n@ total=2\n" >decay.ode
"$geartrain" advise decay.ode --json >out 2>err
near "advise forward: nothing grows" "$(get spectrum.growth)" 0 1e-9
"$geartrain" advise decay.ode --t0 2 --t1 0 --json >out 2>err
check "advise goes backward" [ "$(get status)" = '"ok"' ]
near "where it grows" "$(get spectrum.growth)" 3 1e-6
near "as far as t1" "$(get run.t)" 0 1e-12
printf "x'=40*x\ninit x=1\n@ total=2\n" >grow.ode
"$geartrain" advise grow.ode --t0 0 --t1 -2 --methods rk4 --json >out 2>err
near "the stable step of rk4 is that of -40" "$(get methods.0.h_stable)" 0.06963 1e-4
"$geartrain" advise grow.ode --t0 0 --t1 -2 --methods rk4 --max-step --json >out 2>err
near "and so is the step found by trying" "$(get methods.0.h_tried)" 0.0697 0.003
"$geartrain" run grow.ode --t0 0 --t1 -20 --method rk4 --h 0.1 --json >out 2>err
check "a step beyond it is blamed" grep -q 'beyond the stability limit of rk4, about 0.07' out
"$geartrain" run decay.ode --t0 2 --t1 -20 --method rk4 --h 0.1 --json >out 2>err
check "but not for what grows by itself" [ "$(get warnings)" = '[]' ]

# A point of the solution before the start.
"$geartrain" linearize harmonic --t0 1 --t=-2 --json >out 2>err
near "linearize --t before t0" "$(get t)" -2 0
"$geartrain" order rk4 --problem harmonic --t0 1 --t1 -2 --json >out 2>err
near "order is measured backward" "$(get measured)" 4 0.2
expect "a run to its own start is refused" 2 'nothing to do' run harmonic --t0 1 --t1 1

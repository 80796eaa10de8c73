#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Error figures: against two methods of different kind that see what the judged run saw, or "not certain". One series of
# order 20 stepped over kinks and pulses, and a reference that failed took the run's own result with it.
. "$SOURCE_DIR/tests/cli/kit.sh"
needs_jsonget

value() { ./jsonget "$1" <out 2>/dev/null | tr -d '"'; } # PATH
# The error that is reported is |x - exact| / (1 + |exact|), to a fifth.
honest() { # EXACT
    awk -v x="$(value x.x)" -v e="$(value error.final)" -v exact="$1" '
        function abs(v) { return v < 0 ? -v : v }
        BEGIN { own = abs(x - exact) / (1 + abs(exact)); print x, e, own; exit !(e != "" && abs(e - own) < .2 * own + 2e-9) }'
}

cat >kink.ode <<'END'
x'=min(x,1)-.2*x
x(0)=.5
@ total=4
done
END
for method in dopri5 dop853 gear taylor rodas4 "rk4 --h .05"; do
    # shellcheck disable=SC2086
    "$geartrain" run kink.ode --method $method --reference --json >out 2>err
    check "the error over a kink: $method" honest 2.8626191963
    check "is certain" [ "$(value error.certain)" = true ]
done
check "the report names two methods" [ -n "$(value error.reference_methods.0)" ]
check "of different kind" [ "$(value error.reference_methods.0)" != "$(value error.reference_methods.1)" ]
check "and how far they differ" within "$(value error.reference_spread)" 0 1e-6
expect "so does the text" 0 "against tight runs of .* and .*, which differ by" run kink.ode --method dopri5 --reference

cat >pulse.ode <<'END'
x'=-x+1000*exp(-((t-50)*10)^2)
x(0)=0
@ total=60
done
END
for method in dopri5 dop853 gear; do
    "$geartrain" run pulse.ode --method $method --reference --json >out 2>err
    check "a pulse that may be missed: $method" honest 0.00806707
done

cat >drive.ode <<'END'
d=a-b
s=if(d>.01)then(d-.01)else(if(d<-.01)then(d+.01)else(0))
c=if(abs(d)>.01)then(va-vb)else(0)
a'=va
va'=(.08*i-1200*s-2.5*c)/.02
b'=vb
vb'=(1200*s+2.5*c-.2*vb)/.3
i'=(10-.5*i-.08*va)/2e-4
@ total=4
done
END
expect "a stiff drive with backlash has its table" 0 "^rk4 *h=0.0001 .*40000" compare drive.ode --methods rk4 --h 1e-4

# Chaos: nothing is certain after some time, and the run's own figures are there.
cat >chaos.ode <<'END'
x'=10*(y-x)
y'=28*x-y-x*z
z'=x*y-8/3*z
init x=1,y=1,z=1
@ total=100
done
END
"$geartrain" run chaos.ode --method dopri5 --reference --json >out 2>err
status=$?
check "chaos is no failure" [ $status = 0 ]
check "its error is not certain" [ "$(value error.certain)" = false ]
check "and null" [ "$(value error.final) $(value error.max)" = "null null" ]
check "with a warning" grep -q 'not certain' err
check "in the list too" [ -n "$(value warnings.0)" ]
check "and the state is there" [ -n "$(value x.z)" ]
expect "in words" 0 "^error *not certain: the tight runs of .* differ by" run chaos.ode --method dopri5 --reference
expect "in a table" 0 "^rk4 *h=0.01 *not certain *10000" compare chaos.ode --methods rk4:h=.01,dopri5
"$geartrain" compare chaos.ode --methods rk4:h=.01 --json >out 2>err
check "and its JSON" [ "$(value rows.0.error.max) $(value rows.0.error.certain)" = "null false" ]

# A row below what the reference can tell is not certain, the others are.
cat >osc.ode <<'END'
x'=v
v'=-400*x
x(0)=1
@ total=6
done
END
"$geartrain" compare osc.ode --methods exprb32,dopri5 --json >out 2>err
check "an error below the spread of the reference" [ "$(value rows.0.error.certain)" = false ]
check "does not hide the one above it" within "$(value rows.1.error.max)" 4.5e-5 4e-5

# A reference that cannot be had: f fails where the judged run does not go.
cat >cliff.ode <<'END'
x'=1/sqrt(1-t)
@ total=1
done
END
"$geartrain" run cliff.ode --method euler --h .25 --reference --json >out 2>err
status=$?
check "a reference that fails is no failure of the run" [ $status = 0 ]
check "but leaves it without a figure" [ "$(value error.certain) $(value error.max) $(value status)" = "false null ok" ]

# The exact solution needs no reference.
"$geartrain" run harmonic --method rk4 --h .01 --reference --json >out 2>err
check "an exact solution is the reference" [ "$(value error.reference_methods.0) $(value error.certain)" = "exact true" ]

# Ctrl-C ends the reference, not the result. The file of rows gets its name before the reference begins.
"$geartrain" run chaos.ode --method rk4 --h 1e-5 --every 50 --out rows.csv --reference --json >out 2>err &
id=$!
wait_until $id [ -s rows.csv ] && kill -INT $id
wait $id
status=$?
check "Ctrl-C in the reference is no failure" [ $status = 0 ]
check "and the result is there" [ "$(value error.certain) $(value status)" = "false ok" ]

# Against an exact solution that is infinite there is no error; the reason was "the tight runs of (null) and (null)".
"$geartrain" compare crow_p1 --t1 1 --methods=bipade8:h=0.01,ab2:h=0.01 >out 2>err
check "an exact solution that is infinite is the reason" grep -q "^not certain: the exact solution of x is infinite at t = 1$" out
"$geartrain" run crow_p1 --t1 1 --method ab2 --h 0.01 --reference >out 2>err
check "also of run" grep -q "not certain: the exact solution of x is infinite at t = 1$" err

# That the local errors of fixed steps may add up needs no warning where the error is shown.
"$geartrain" compare kpr --methods trapezoidal --h 0.01 >out 2>err
check "no warning beside a known error" [ ! -s err ]
"$geartrain" compare kpr --methods trapezoidal --h 0.01 --json >out 2>err
check "nor in the JSON" [ "$(./jsonget rows.0.warnings <out)" = "[]" ]
"$geartrain" run kpr --method trapezoidal --h 0.01 --reference >out 2>err
check "nor with --reference" [ ! -s err ]
expect "but where none is shown" 0 "not to be trusted" run kpr --method trapezoidal --h 0.02
"$geartrain" run kpr --method trapezoidal --h 0.01 >out 2>err
check "and the result is wrong" [ ! -s err ]

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The program as a person or a script meets it: commands paired with exit status and what they must say.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
needs_jsonget

run() { # ARGUMENTS...: leaves the output in the files out and err, the exit status in status
    status=0
    "$geartrain" "$@" >out 2>err || status=$?
}

# expect, and on which stream it is said
says() { # NAME EXIT STREAM PATTERN ARGUMENTS...
    name=$1 want=$2 stream=$3 pattern=$4
    shift 4
    run "$@"
    good=0
    [ "$status" = "$want" ] || good=1
    grep -q -e "$pattern" "$stream" || good=1
    verdict "$name" $good
}

# Bad input: exit 2, one sentence on standard error, nothing on standard output.
refuse() { # NAME PATTERN ARGUMENTS...
    name=$1 pattern=$2
    shift 2
    run "$@"
    good=0
    [ "$status" = 2 ] || good=1
    case " $* " in
    *" --json "*) ./jsonget message <out | grep -q -e "$pattern" || good=1 ;; # one object, whatever happens
    *) [ -s out ] && good=1 ;;
    esac
    [ "$(wc -l <err)" = 1 ] || good=1
    grep -q "^geartrain: .*$pattern" err || good=1
    verdict "refuses $name" $good
}

json() { # NAME PATH PATTERN: of the object in the file out
    good=0
    value=$(./jsonget "$2" <out 2>err) || good=1
    echo "$value" | grep -q -e "$3" || good=1
    verdict "$1" $good
}

near() { # NAME VALUE WANTED TOLERANCE
    within "$2" "$3" "$4"
    verdict "$1" $?
}

says "first screen" 0 out '^Commands:'
says "version" 0 out '^geartrain [0-9]' --version
"$geartrain" | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }' >commands
check "the first screen names the commands" grep -qx run commands
for command in $(cat commands); do
    says "$command --help has an example" 0 out "^    geartrain $command" "$command" --help
    says "help $command" 0 out "^Usage: geartrain $command" help "$command"
done
says "list methods" 0 out '^    explicit Runge-Kutta .* rk4 ' list methods
check "every family of methods has its place among what it is for" [ "$(grep -c '^others' out)" = 0 ]
says "list methods --all" 0 out '^rk4  *4 ' list methods --all
says "list models" 0 out '^lorenz  *3 ' list models
run list methods --json && json "list methods --json" methods.0.name euler
run list methods --json && json "with their kind" methods.0.kind explicit
says "list models --names" 0 out "^lorenz$" list models --names
run list models --json && json "list models --json" models.0.states '[1-9]'
says "show rkf45 has its tableau" 0 out '1932/2197' show rkf45
says "show rk4 has its real limit" 0 out 'real axis: .*2\.7852' show rk4
says "show rk4 has its imaginary limit" 0 out 'imaginary axis: .*2\.8284' show rk4
says "show beuler is unbounded" 0 out 'real axis: unbounded' show beuler
says "show euler is nowhere stable on the imaginary axis" 0 out 'imaginary axis: nowhere' show euler
says "show lorenz" 0 out 'sigma' show lorenz
for kind in methods models; do "$geartrain" list $kind --json; done | sed -n 's/^ *"name": "\(.*\)",*$/\1/p' >names
check "the lists have methods" grep -qx rk4 names
check "and models" grep -qx lorenz names
for name in $(cat names); do
    run show "$name" --json && json "show $name --json" name "^\"$name\"$"
done

refuse "an unknown command" "did you mean 'run'" rnu lorenz
refuse "a model for a command" 'did you mean: geartrain run lorenz?' lorenz
refuse "a method for a command" 'did you mean: geartrain show rk4?' rk4
refuse "what list shows for a command" 'did you mean: geartrain list methods?' methods
refuse "a method without its flag" 'did you mean --method rk4?' run lorenz rk4
refuse "a flag with one dash" 'did you mean --t1?' run lorenz -t1 3
refuse "a method of two rates for a model of one" '#@ fast z,w' run lorenz --method dreuler --h 0.01
refuse "an unknown model" "did you mean 'lorenz'" run lorentz
refuse "a model file that is not there" "there is no model file ./a.c" run ./a.c
refuse "an unknown method" "did you mean 'dopri5'" run lorenz --method dopri6
refuse "an unknown flag" 'did you mean --method' run lorenz --mthod rk4
for pair in tend:t1 t_end:t1 t-end:t1 tf:t1 tol:rtol dt:h step:h solver:method params:set output:out; do
    refuse "a flag as others call it, --${pair%:*}" "did you mean --${pair#*:}?" run lorenz "--${pair%:*}" 3
done
refuse "a flag that is meant is one that the command has" 'did you mean --t?' equilibrium lorenz --tf 3
refuse "an unknown parameter" "did you mean 'sigma'" run lorenz --set sigm=2
refuse "a state as parameter" 'try --init x=2' run lorenz --set x=2
refuse "an unknown option" "no option 'ordr'" run lorenz --method taylor --opt ordr=3
refuse "an option without a method" "name the method that --opt is for" run lorenz --opt ordr=3
refuse "an option out of range" 'between' run lorenz --method taylor --opt order=99
refuse "an unknown state" "no state 'w'" run lorenz --init w=1
refuse "an unknown control" 'bounds' run lorenz --control bouns
refuse "a word for a number" 'not a number' run lorenz --h abc
refuse "a parameter that is not a number" 'must be a number' run lorenz --set sigma=ten
refuse "a step of 0" 'above 0' run lorenz --method rk4 --h 0
refuse "a negative step" 'above 0' run lorenz --method rk4 --h=-1
refuse "a tolerance of 0" 'above 0' run lorenz --rtol 0
refuse "a tolerance that is NaN" 'finite' run lorenz --rtol nan
refuse "an absolute tolerance below 0 for one state" 'tolerance of y' run lorenz --atol x=1e-3,y=-1
refuse "an absolute tolerance below 0" 'not be negative' run lorenz --atol -1
refuse "t1 at t0" 'nothing to do' run lorenz --t1 0
refuse "t1 at t0, both given" 'nothing to do' run lorenz --t0 3 --t1 3
refuse "both --h and --rtol" 'only one' run lorenz --h 0.1 --rtol 1e-3
refuse "a flag without its value" 'needs a value' run lorenz --t1
refuse "a flag instead of a value" 'needs a value' run lorenz --t1 --json
refuse "a flag twice" 'twice' run lorenz --t1 1 --t1 2
refuse "a parameter twice" '--set rho is given twice' run lorenz --set rho=1 --set rho=2
refuse "an initial value twice, once by its other name" 'twice' run lorenz --init x=1 --start-value x=2
refuse "a tolerance twice" 'twice' run lorenz --atol x=1e-3,x=1e-4
expect "states at zero without an absolute tolerance" 1 "give one, such as --atol" run robertson --atol 0 --method gear --t1 1
refuse "a tolerance of 1 and more" 'below 1' run lorenz --rtol 10
refuse "a tolerance of 1 and more in a list" 'below 1' compare lorenz --methods dopri5 --rtol 1e-3,1
refuse "a tolerance of 1 and more with a method" 'below 1' compare lorenz --methods dopri5:rtol=2
refuse "a tolerance below round-off" '1e-15' run lorenz --rtol 1e-17
refuse "a state against itself" 'x is given twice' run lorenz --phase x,x --plot a.svg
refuse "a log axis that is none" 'x, y or xy' run lorenz --log z --plot a.svg
refuse "log axes without a figure" 'figures' run lorenz --log x
refuse "a figure where no file can be made" 'cannot be written' run lorenz --plot /proc/a.svg
refuse "a value for a switch" 'no value' run lorenz --json=1
refuse "a method without error estimate at controlled step" 'fixed step' run lorenz --method rk4
refuse "a method that cannot treat algebraic rows" 'algebraic' run rc_diode --method taylor --h 0.001
refuse "a method whose needs are not met" 'Taylor' run brusselator --method taylor
refuse "--reduced without a fast block" 'fast block' run lorenz --reduced
refuse "two kinds of output points" 'cannot be used together' run lorenz --every 0.1 --every-step
refuse "output times outside" 'not between' run lorenz --times 1,99
refuse "output times that do not ascend" 'ascend' run lorenz --times 2,1
refuse "an output folder that is not there" 'no folder' run lorenz --out nowhere/a.csv
refuse "a folder as output" 'is a folder' run lorenz --out .
refuse "a figure of unknown kind" '.svg, .png or .pdf' run lorenz --plot a.gif
refuse "CSV and JSON on one stream" 'standard output' run lorenz --json --out -
refuse "one name for two files" 'same name' run lorenz --out a.svg --plot a.svg
refuse "a full device" 'No space left' run lorenz --out /dev/full
refuse "no model" 'needs MODEL' run
refuse "one argument too many" 'too many' run lorenz robertson
refuse "compare without methods" 'needs --methods' compare lorenz
refuse "compare with an unknown method" "no method 'rk9'" compare lorenz --methods rk4,rk9

says "--control names every rule" 0 out 'bounds_repeat' run --help
says "--no-compile is described" 0 out 'interprets an .ode file' run --help
says "output points without output" 0 err 'every has no effect' run lorenz --t1 1 --every 1
run run lorenz --t1 1 --every 1 --reference
[ $status = 0 ] && [ ! -s err ]
verdict "output points with a reference have an effect" $?
{ "$geartrain" run lorenz --t1 1 && "$geartrain" show lorenz; } >out 2>err
[ $? = 0 ] && ! grep -q ' $' out err
verdict "no blank at the end of a line" $?
run run lorenz --out /dev/null --t1 1
[ $status = 0 ] && ! grep -q 'replaced' out
verdict "a device is not replaced" $?

status=0
"$geartrain" list models >/dev/full 2>err || status=$?
[ $status = 2 ] && grep -q 'standard output' err
verdict "standard output on a full device" $?
PATH=/nowhere "$geartrain" run lorenz --plot a.svg >out 2>err
[ $? = 2 ] && grep -q 'gnuplot' err
verdict "says that gnuplot is missing" $?

run run harmonic --method rk4 --h 0.01 --t1 1 --reference --json
for key in model method options status message t x invariants events stats.steps stats.rejected stats.rhs stats.rhs_slow \
    stats.rhs_fast stats.rhs_alg stats.jacobians stats.factorizations stats.newton stats.events error.final error.max \
    wall_s; do
    json "run --json has $key" $key .
done
json "run --json: steps" stats.steps '^100$'
json "run --json: evaluations" stats.rhs '^400$'
near "harmonic ends at cos 1" "$(./jsonget x.x1 <out)" 0.5403023058681398 1e-9
near "and the error says so" "$(./jsonget error.final <out)" 0 1e-9

says "where the largest error was" 0 out 'at most (in x[12] at t = .*exact solution, at 101 steps' \
    run harmonic --method rk4 --h 0.01 --t1 1 --reference
says "and at which points" 0 out 'at 5 output points' run harmonic --h 0.01 --method rk4 --t1 1 --every 0.25 --reference
run run harmonic --method rk4 --h 0.01 --t1 1 --reference --json
json "run --json: time of the largest error" error.t_max '^[01]'
json "run --json: its component" error.component '^"x[12]"$'
one=$(./jsonget error.max <out)
run compare harmonic --methods rk4:h=0.01 --t1 1 --json
near "run and compare measure the same error" "$(./jsonget rows.0.error.max <out)" "$one" 0
run run bouncing --reference --every 0.1 --json
# The method is exact here: the error is below what two references can say of it, unless values were mixed up.
error=$(./jsonget error.max <out)
[ "$error" != null ] || error=$(./jsonget error.reference_spread <out)
near "the two values at an event are no error" "$error" 0 1e-6

run run lorenz --every 0.5 --t1 2 --out a.csv
[ "$(head -1 a.csv)" = t,x,y,z ] && [ "$(wc -l <a.csv)" = 6 ] && [ "$(tail -1 a.csv | cut -d, -f1)" = 2 ]
verdict "CSV at regular times" $?
grep -q 'wrote .*a.csv, 5 rows$' out
verdict "says what it wrote" $?
run run lorenz --times 0.5,1.25 --t1 2 --out b.csv
[ "$(cut -d, -f1 b.csv | tr '\n' ' ')" = 't 0.5 1.25 ' ]
verdict "CSV at given times" $?
run run lorenz --every-step --t1 0.1 --out c.csv
[ "$(head -1 c.csv)" = t,x,y,z,_h,_err,_order ]
verdict "CSV at every step has _h, _err, _order" $?
run run lorenz --t1 1 --every 0.5 --out -
[ "$(wc -l <out)" = 4 ] && grep -q '^model ' err
verdict "CSV on standard output, the summary beside it" $?
cp a.csv before.csv
run run lorenz --every 0.5 --t1 2 --out a.csv
cmp -s a.csv before.csv && grep -q '(replaced)' out
verdict "the same bytes again, and says that the file was replaced" $?

# A link was replaced by a file of its name, and so was /dev/stdout when it led to a file.
echo old >target.csv
ln -s target.csv link.csv
"$geartrain" run lorenz --t1 1 --out link.csv >out 2>&1
[ -L link.csv ] && grep -q '^t,' target.csv
verdict "--out follows a link and leaves it one" $?
echo old >target.svg
ln -s target.svg link.svg
"$geartrain" run lorenz --t1 1 --plot link.svg >out 2>&1
[ -L link.svg ] && grep -q '</svg>' target.svg
verdict "--plot follows a link and leaves it one" $?
before=$(ls -l /dev/stdout)
"$geartrain" run lorenz --t1 1 --out /dev/stdout --quiet >out 2>&1
[ "$(ls -l /dev/stdout)" = "$before" ] && grep -q '^t,' out
verdict "--out /dev/stdout leaves the device alone" $?
run run lorenz --t1 2 --json && sed '/wall_s/d; /choose_s/d' out >one
run run lorenz --t1 2 --json && sed '/wall_s/d; /choose_s/d' out >two
same one two
verdict "the same JSON again but for the time" $?
run run lorenz --t0 2 --t1 4 --init-from a.csv --every 2 --out d.csv
[ -s d.csv ] && [ "$(sed -n 2p d.csv)" = "$(tail -1 a.csv)" ]
verdict "goes on from the last row of a file" $?
# A run that the step blew up ended at 1e12 silently; what grows by itself is not blamed on the step.
says "a step beyond the limit is reported" 0 err 'h = 0.1 is beyond the stability limit of euler, about 0.04 for the eigenvalue -50' \
    run stiff2 --method euler --h 0.1
says "of a multistep formula too" 0 err 'limit of ab3, about 5.5e-05' run crow_p8 --method ab3 --h 0.001 --t1 0.2
says "and of a large model" 0 err 'limit of rk4, about 4.[0-9]e-06' run heat --set n=400 --method rk4 --h 0.01
says "a method that is never stable" 0 err 'euler is not stable for the eigenvalue 0 +- 1i' \
    run harmonic --method euler --h 0.5 --t1 200
# 800 periods at rtol 1e-3 were wrong by a quarter of the solution and more, silently.
printf "x'=1e5*y\ny'=-1e5*x\ninit x=1\n@ total=.05\n" >turns.ode
says "errors that add up are reported" 0 err 'wrong by about 0.[3-6] of the size of a state .* add up or grow' \
    run turns.ode --method gear --rtol 1e-3
sed 's/total=.05/total=6/' turns.ode >more_turns.ode
says "also of runs that are too long to be done again" 0 err 'add up to .* and nothing damps them in 9.5e+04 periods' \
    run more_turns.ode --method dopri5 --rtol 1e-3
says "errors that grow are" 0 err 'wrong by about 0.[0-9]* of the size of a state' run duffing --rtol 1e-3
run run duffing --rtol 1e-5 && ! grep -q 'wrong by' err
verdict "but not where the tolerance is tighter" $?
printf "x'=1e5*y\ny'=-1e5*x-3e3*y\ninit x=1\nz'=cos(1e3*t)-z\n@ total=.5\n" >damped.ode
run run damped.ode --method gear --rtol 1e-3 && ! grep -q 'add up' err
verdict "but not where they are damped" $?
printf "x'=-sign(x)\ny'=-sign(y)\nz'=sign(x)*sign(y)\ninit x=.7,y=.5\n@ total=3\n" >corner.ode
printf "x'=-1/x\nx(0)=1\n@ total=2\n" >pole.ode
says "a solution that ends at a pole is not followed beyond" 1 err 'the solution ends at t = 0.500.* or before: the equation of x' \
    run pole.ode --rtol 1e-3 --method dopri5
printf "x'=v\nv'=1/x^3\ninit x=1,v=-100\n@ total=2\n" >turned.ode
says "one that is turned back before it is" 0 out 'x  *199.[012]\|x  *198.[89]' run turned.ode --rtol 1e-3
says "two surfaces at once are a failure of the run" 1 err 'two surfaces at once.*sign(y).*sign(x)' run corner.ode
run run harmonic --json
grep -q '"warnings": *\[\]' out && grep -q '"notes": *\[\]' out && [ ! -s err ]
verdict "a run that nothing is known against has no warning" $?
run run stiff2 --method euler --h 0.1 --json && json "a step beyond the limit in JSON" warnings.1 'beyond the stability limit'
printf "x'=x\nz'=-1000*(z-x)\ninit x=1\n@ total=46\n" >grows.ode
for step in 0.001 0.0015; do
    run run grows.ode --method euler --h $step --no-compile
    check "e^46 with the step $step is not blamed on it" [ "$status" = 0 -a ! -s err ]
done
run run crow_p1 --method euler --h 0.01 --t1 1.1
grep -q 'stability limit' err
check "nor is what leaves to infinity" [ $? = 1 -a "$status" = 0 ]
run run grows.ode --method euler --h 0.00202 --quiet --no-compile
check "--quiet does not hide a warning" grep -q 'warning: the solution grew' err
run run lorenz --t1 1 --quiet
check "nothing else is said with it" [ "$status" = 0 -a ! -s err ]
refuse "to overwrite what it reads" 'also read as input' run lorenz --t0 2 --t1 4 --init-from a.csv --out a.csv
refuse "a start file with other states" 'states of harmonic' run harmonic --init-from a.csv
run run lorenz --start-time 0 --stop-time 1 --output-interval 0.5 --tolerance 1e-8 --output-file e.csv --start-value x=1
[ $status = 0 ] && [ "$(sed -n 2p e.csv | cut -d, -f1,2)" = 0,1 ] && [ "$(wc -l <e.csv)" = 4 ]
verdict "names known from FMI tools" $?
run run lorenz --t1=1 --init=x=-3 --atol x=1e-9,y=1e-8 --control pid:safety=0.8 --h0 1e-4 --hmax 0.1 --no-compile --quiet
verdict "values after = and negative ones" $status

run run harmonic --init x1=2 --reference --rtol 1e-8
[ $status = 0 ] && grep -q 'against tight runs of' out
verdict "a changed start is compared with tight runs" $?
run run harmonic --reference --rtol 1e-8
grep -q 'against the exact solution' out
verdict "the shipped start is compared with the exact solution" $?
says "says which method was chosen" 0 out '^method  *auto -> ' run lorenz --t1 1
says "invariants" 0 out '^invariant .*drift' run predator_prey --t1 5
run run bouncing --json
json "events" events.0.name bounce
near "the ball falls for sqrt(2/g)" "$(./jsonget events.0.t <out)" 0.4515236409857309 1e-9
says "--reduced" 0 out '^model ' run linear2 --reduced

old=$(cat a.csv)
run run crow_p1 --method dopri5 --t1 2 --json --out a.csv
[ $status = 1 ] && [ -s a.csv.partial ] && [ "$(cat a.csv)" = "$old" ] && grep -q 'a.csv.partial' err
verdict "a run that fails leaves its rows in .partial and the old file alone" $?
json "and says why in JSON" status '_'
[ -z "$(find . -name 'a.csv.unfinished*')" ]
verdict "no temporary file stays behind" $?
says "too many steps, and the flag that allows more" 1 err 'raise --max-steps' run lorenz --max-steps 5

# What is ignored when a process begins, as SIGHUP is under nohup, stays ignored.
hangups_are_ignored() { (sh -c 'kill -HUP $$; exit 3') 2>/dev/null; [ $? = 3 ]; }
for signal in HUP TERM INT; do
    if [ $signal = HUP ] && hangups_are_ignored; then
        skip "SIGHUP keeps the rows so far and says so" "it is ignored here"
        continue
    fi
    rm -f long.csv.*
    "$geartrain" run lorenz --method rk4 --h 1e-5 --t1 1e6 --every 1 --out long.csv >out 2>err &
    id=$!
    wait_until $id has_rows long.csv
    kill -$signal $id
    status=0
    wait $id || status=$?
    [ $status = 1 ] && [ -s long.csv.partial ] && [ ! -e long.csv ] && grep -q 'interrupted at t' err &&
        [ -z "$(find . -name 'long.csv.unfinished*')" ]
    verdict "SIG$signal keeps the rows so far and says so" $?
done
[ "$(awk -F, '{ print NF }' long.csv.partial | sort -u)" = 4 ]
verdict "and every row of them is whole" $?

"$geartrain" run lorenz --method rk4 --h 1e-5 --t1 1e6 --out /dev/null >out 2>err &
wait_until $! catches_interrupts $!
kill -INT $!
wait $!
grep -q 'interrupted at t' err && ! grep -q 'partial' err
verdict "an interrupted run to a device claims no file" $?
"$geartrain" compare harmonic --t1 1e8 --every 1e7 --methods rk4:h=0.001 >out 2>err &
wait_until $! catches_interrupts $!
kill -INT $!
wait $!
grep -q 'interrupted at t' out && ! grep -q 'interrupted *interrupted' out
verdict "an interrupted comparison says so once" $?

well_formed() { xmllint --noout "$1" 2>/dev/null || { ! command -v xmllint >/dev/null && tail -n 3 "$1" | grep -q '</svg>'; }; }
run run bouncing --plot b.svg
[ $status = 0 ] && well_formed b.svg && grep -q 'height \[m\]' b.svg && grep -q 'velocity \[m/s\]' b.svg
verdict "figure with names and units" $?
run run lorenz --t1 5 --phase x,y,z --plot p.svg
[ $status = 0 ] && well_formed p.svg
verdict "phase figure in space" $?
for kind in png pdf; do
    run run lorenz --t1 1 --plot a.$kind --vars x,z
    [ $status = 0 ] && [ "$(wc -c <a.$kind)" -gt 1000 ]
    verdict "figure as $kind" $?
done
run compare arm_eb --t1 10 --methods bi33:h=0.01,beuler:h=0.01 --drift energy --plot drift.svg --json
near "compare --drift: kept to round-off, from the end of the pulse on" "$(./jsonget rows.0.drift.max <out)" 0 1e-9
near "compare --drift: backward Euler loses it" "$(./jsonget rows.1.drift.max <out)" 0.4 0.1
[ -s drift.svg ]
verdict "compare --drift: a figure" $?
refuse "an invariant that is not there" "did you mean 'energy'" compare arm_eb --methods bi --drift enrgy
refuse "a model without invariants" 'no invariant' compare kpr --methods rk4:h=0.01 --drift energy
run run arm_eb --method bi33 --h 0.01 --json
near "the drift of a run leaves out the jump at a break" "$(./jsonget invariants.energy.max_drift <out)" 0 1e-12
# Markdown: every row has the cells of the head; a row that failed has its reason after method and step.
refuse "compare --markdown and --json" 'give one of them' compare harmonic --methods dopri5 --markdown --json
run compare robertson --methods dopri5:rtol=1e-6,rk4:h=10 --t1 40 --markdown
check "compare --markdown: a table" awk -F '|' '/^[|]/ { rows++; if (rows == 1) heads = NF; if (NF != heads) exit 1
    if (rows == 2 && !/^[|]( -+:? [|])+$/) exit 1 } END { exit rows != 4 }' out
check "compare --markdown: why a row failed" grep -q '^| rk4 | h=10 | not_finite component' out
run compare lorenz --t1 1 --methods rkf45,dopri5,rk4:h=0.01 --rtol 1e-4,1e-6 --plot work.svg --json
json "compare --json" rows.4.method rk4
json "compare --json: step" rows.4.h '^0.01'
json "compare --json: tolerance" rows.0.rtol '^0.0001\|^1.*e-0*[45]'
json "compare --json: error" rows.3.error.max '^[0-9.]*e-\|^0'
well_formed work.svg && grep -q dopri5 work.svg && grep -q 'evaluations of f' work.svg
verdict "work-precision figure" $?
run compare vanderpol --methods rk4:h=0.01,dopri5 --t1 5 --trajectories --plot both.svg
[ $status = 0 ] && well_formed both.svg && grep -q 'rk4 h=0.01' both.svg && grep -q reference both.svg
verdict "figure of trajectories" $?
run compare lorenz --t1 1 --methods dopri5,rk4,taylor --rtol 1e-4,1e-6 --plot legend.svg
[ $status = 0 ] && grep -q 'rk4 (failed)' legend.svg && grep -q 'taylor (expansions)' legend.svg
verdict "a method that failed is in the legend" $?
grep -q '^taylor .* [1-9][0-9]* *0 .*e-' out && grep -q 'expansion to its order' out
verdict "Taylor expansions are counted" $?
run run vanderpol --set mu=100 --t1 200 --vars x,y --log x --plot panels.svg
[ $status = 0 ] && well_formed panels.svg && grep -q 'mu = 100' panels.svg
verdict "the title of a figure has the parameters that were set" $?
run run brusselator --t1 1 --plot some.svg
[ "$(grep -c '>u[0-9]*<' some.svg)" = "$(grep -c '>v[0-9]*<' some.svg)" ] && grep -q '>u50<' some.svg
verdict "a figure of some states has as many of each kind" $?
says "a method that fails does not stop the others" 0 out '^dopri5 .*e-' compare lorenz --t1 1 --methods rk4,dopri5
says "compare fails when all fail" 1 err 'no method' compare lorenz --methods rkf45,dopri5 --max-steps 5
says "compare refuses what run refuses" 2 err 'no step control' compare lorenz --methods rk4,euler
run compare harmonic --methods taylor:order=12:h=0.1,taylor:order=4:h=0.1 --t1 1 --json
json "options in a list of methods" rows.1.options.order '^4$'
run compare lorenz --t1 2 --methods rk4:h=0.01,dopri5,rkf45,beuler:h=0.01 --threads 4 --json && sed '/wall_s/d' out >one
run compare lorenz --t1 2 --methods rk4:h=0.01,dopri5,rkf45,beuler:h=0.01 --threads 1 --json && sed '/wall_s/d' out >two
same one two
verdict "threads change no bit" $?

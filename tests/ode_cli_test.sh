# SPDX-License-Identifier: BSD-3-Clause
# .ode files on the command line: options, sets, columns, compiled and interpreted, shown, refused.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
unset CC
cp "$SOURCE_DIR"/examples/models/*.ode .
needs_jsonget
get() { # PATH ARGUMENT...: of the JSON object that the command prints
    path=$1
    shift
    "$geartrain" "$@" --json 2>err | ./jsonget "$path"
}

# Compiled, kept, interpreted.
expect "a file runs" 0 'v  *-40\.7' run morris_lecar.ode --rtol 1e-8
check "and is compiled" [ "$(ls "$XDG_CACHE_HOME/geartrain" | grep -c so)" = 1 ]
contracted() { [ "$(cached GEARTRAIN_CONTRACT)" != off ]; } # a*b+c in one code path and not in the other
for file in *.ode; do
    ! contracted || { skip "$file, compiled and interpreted give the same bytes" "a*b+c is contracted in one of them"; continue; }
    rm -f compiled.csv interpreted.csv
    "$geartrain" run "$file" --quiet --out compiled.csv >out 2>err && "$geartrain" run "$file" --quiet --no-compile \
        --out interpreted.csv >out 2>err
    check "$file, compiled and interpreted give the same bytes" cmp compiled.csv interpreted.csv
done
"$geartrain" sweep ball.ode --sweep loss=.5:.9:9 --threads 1 --out one.csv >out 2>err
"$geartrain" sweep ball.ode --sweep loss=.5:.9:9 --threads 4 --out four.csv >out 2>err
check "a sweep in threads is the same as in one" cmp one.csv four.csv
"$geartrain" sweep ball.ode --sweep loss=.5:.9:9 --threads 4 --no-compile --out interpreted.csv >out 2>err
check "a sweep can be interpreted" cmp one.csv interpreted.csv
check "a sweep has the aux columns" grep -q '^loss.*energy' one.csv
printf '#!/bin/sh\nPATH=/nowhere\nunset XDG_CACHE_HOME HOME\nexec "%s" "$@"\n' "$geartrain" >lonely && chmod +x lonely
real=$geartrain geartrain=./lonely
expect "without a compiler it is interpreted, and said" 0 'rod.ode is interpreted' run rod.ode
expect "with the result" 0 'th  *-0\.07124' run rod.ode --rtol 1e-9
geartrain=$real
CC=false expect "nor a broken compiler matters" 0 'th  *-0\.07124' run rod.ode --rtol 1e-9

# Columns.
"$geartrain" run morris_lecar.ode --out ml.csv --quiet >out 2>err
check "aux columns are in the file" [ "$(head -1 ml.csv)" = t,v,n,ica,ik ]
check "rows are dt apart" [ "$(sed -n 3p ml.csv | cut -d, -f1)" = 0.25 ]
"$geartrain" run driven.ode --out d.csv --quiet >out 2>err
check "only restricts the columns" [ "$(head -1 d.csv)" = t,x,force ]
check "--every is stronger than dt" [ "$("$geartrain" run driven.ode --every 5 --out - --quiet 2>err | wc -l)" = 4 ]
check "aux in JSON" within "$(get aux.ica run morris_lecar.ode)" "$(tail -n 1 ml.csv | cut -d, -f4)" 1e-9
expect "aux on the terminal" 0 'energy .*aux' run ball.ode
expect "aux in a figure" 0 'wrote' run morris_lecar.ode --plot a.svg --vars v,ica
expect "an unknown column" 2 "has no state 'ika'; did you mean 'ica'" run morris_lecar.ode --plot a.svg --vars ika

# Options of the file and flags.
printf "x'=-x\ninit x=1\n@ total=2,dt=.25,meth=rk4\n" >fixed.ode
check "meth and dt" [ "$(get method run fixed.ode)$(get stats.steps run fixed.ode)" = '"rk4"8' ]
check "--method is stronger" [ "$(get method run fixed.ode --method dopri5)" = '"dopri5"' ]
check "--h is stronger" [ "$(get stats.steps run fixed.ode --h .5)" = 4 ]
check "--t1 is stronger" [ "$(get t run fixed.ode --t1 1)" = 1.0 ]
printf "x'=1\n@ t0=1,total=2,dt=.5,nout=2,trans=1\n" >trans.ode
"$geartrain" run trans.ode --out t.csv >out 2>err
check "t0, trans, dt and nout" [ "$(cut -d, -f1 t.csv | tr '\n' ' ')" = "t 2 3 " ]
printf "x'=x\ninit x=1\n@ total=9,tol=1e-3,bound=10\n" >bound.ode
check "bound stops the run" within "$(get t run bound.ode)" 2.302585 1e-2
expect "and says so" 0 'bound' run bound.ode
printf "x'=2*x\n@ meth=discrete\n" >map.ode
expect "maps are refused" 2 'map.ode:2:.*map' run map.ode

# Sets.
check "a set gives parameters and options" within "$(get x.x run driven.ode --use-set stiff --rtol 1e-9)" \
    "$(get x.x run driven.ode --set k=100 --set c=2 --t1 5 --rtol 1e-9)" 1e-12
expect "a flag is stronger than a set" 0 't  *0 to 3' run driven.ode --use-set stiff --t1 3
expect "an unknown set" 2 "has no set 'stif'; did you mean 'stiff'" run driven.ode --use-set stif
expect "sets are for .ode files" 2 'has no sets' run lorenz --use-set a

# Other commands.
expect "compare" 0 'trapezoidal' compare rod.ode --methods trapezoidal,gear --rtol 1e-4
expect "advise" 0 'stiff' advise hodgkin_huxley.ode
expect "equilibrium" 0 'th' equilibrium rod.ode --init th=.1
expect "linearize" 0 'eigenvalue' linearize morris_lecar.ode

# Messages.
printf "par a=1/2\nx'=a\n" >trap.ode
expect "a warning with its place" 0 'trap.ode:1:[0-9]*: warning: ' run trap.ode
"$geartrain" run trap.ode --quiet >out 2>err && [ ! -s err ]
verdict "--quiet hides warnings" $?
printf "par lambda=1\nx'=lamda*x\n" >wrong.ode
expect "an error with its place" 2 'geartrain: wrong.ode:2:4: .*lambda' run wrong.ode
printf "x'=(1\ny'=1+\n" >wrong.ode
expect "several errors, the first" 2 'geartrain: wrong.ode:1:' run wrong.ode
expect "and the others" 2 'geartrain: wrong.ode:2:' run wrong.ode
expect "no such file" 2 'there is no model file no.ode' run no.ode
head -c 100000000 /dev/zero | tr '\0' 'x' >huge.ode
expect "a file of 100 MB" 2 'huge.ode.*at most' run huge.ode
rm huge.ode
head -c 100000 /dev/urandom >random.ode
expect "random bytes" 2 'random.ode' run random.ode
: >empty.ode
expect "an empty file" 2 'empty.ode.*equation' run empty.ode

# What is in a file.
expect "show, the equations" 0 "om' *= *" show rod.ode
expect "show, the blocks" 0 '2 slow, 0 fast, 1 algebraic' show rod.ode
expect "show, the pattern" 0 'th  *\.\*\.' show rod.ode
expect "show, a large one as densities" 0 'below 10 %' show fhn_ring.ode
check "show --json counts the entries" [ "$(get jacobian_pattern.entries show fhn_ring.ode)" -ge 300 ]
expect "--emit-c" 0 'geartrain_model' show rod.ode --emit-c
expect "--emit-c before the name" 0 'geartrain_model' show --emit-c rod.ode
expect "--emit-c to a file" 0 'wrote rod.c' show rod.ode --emit-c rod.c
expect "which is a model" 0 'th  *-0\.07124' run rod.c --rtol 1e-9
expect "and may be written again" 0 'wrote rod.c' show rod.ode --emit-c=rod.c
echo 'int main(void) { return 0; }' >mine.c
expect "not so what was not made so" 2 'was not made by --emit-c' show rod.ode --emit-c mine.c
check "which stays as it was" grep -q main mine.c
expect "--emit-c over its own source" 2 'also read as input' show rod.ode --emit-c rod.ode
expect "--emit-c of something else" 2 'is for .ode files' show lorenz --emit-c

# What a file is called, and where it is wrong.
printf '\n# A damped pendulum\n# by nobody\nx%s=-x\n' "'" >heading.ode
expect "the first comment is the title" 0 "^heading: A damped pendulum$" show heading.ode
sed '2,3d' heading.ode >bare.ode
expect "without one the file's name is" 0 "^bare: bare.ode$" show ./bare.ode
printf 'x%s=-x\n# parameters\npar a=1\n' "'" >below.ode
expect "a comment below a statement is about something else" 0 "^below: below.ode$" show below.ode
printf '\t# heading\n# ---------------\n#\r\n#  Ours \r\n#@ title Theirs\nx%s=-x\n' "'" >both.ode
expect "a title is stronger" 0 "^both: Theirs$" show both.ode
printf 'par a=1\n\tx%s=-a*x+b\n' "'" >wrong.ode
for command in run advise "compare --methods rk4,dopri5" equilibrium; do
    expect "an error, as ${command%% *} tells it" 2 "wrong.ode:2:10: b is not defined" $command wrong.ode
    "$geartrain" $command wrong.ode >out 2>err
    [ "$(sed -n 2p err)" = "     x'=-a*x+b" ] && [ "$(sed -n 3p err)" = "             ^" ]
    verdict "and points to the place" $?
done

# An event in the fast block, between the steps of the slow one: dense output must depend on the time alone, or the search
# for the event ends where nothing has happened.
cat >event.ode <<'END'
#@ fast z
x'=-x+sin(t)
z'=-50*(z-x)
n'=0
init x=1,z=3,n=0
global 0 {z-0.8} {n=n+1}
@ total=0.6
END
for how in "mri3 --h 0.0123" "mri4 --h 0.0123" "mradams --h 0.0123" "mri4 --rtol 1e-6" "mradams --rtol 1e-6" dopri5; do
    expect "an event in the fast block with $how" 0 '^events  *1: z-0.8 at t = 0.284' run event.ode --method $how
    expect "which is acted on" 0 '^    n  *1$' run event.ode --method $how
done
# Slopes that only dense output needs may lie where f is none.
printf 'x%s=-sqrt(x)\ninit x=0.3\n@ total=1.0953\n' "'" >drain.ode
expect "output to the edge of what f is defined on" 0 '111 rows' \
    run drain.ode --method dop853 --rtol 1e-3 --atol 1e-3 --every 0.01 --out drain.csv
check "has numbers in all rows" sh -c '! grep -qi nan drain.csv && test -s drain.csv'
printf '#@ fast z\nx%s=t^10\nz%s=-z\ninit x=1,z=1\n@ total=10\n' "'" "'" >driven.ode
"$geartrain" run driven.ode --method prk3s --h 0.01 >out 2>err
[ $? = 0 ] && ! grep -q 'stability limit' err
verdict "what is driven from outside is not blamed on the step" $?

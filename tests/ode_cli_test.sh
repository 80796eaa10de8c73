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
check "and is not compiled, since it is soon done" [ -z "$(find "$XDG_CACHE_HOME/geartrain" -type f 2>/dev/null)" ]
expect "it can be compiled first" 0 'v  *-40\.7' run morris_lecar.ode --rtol 1e-8 --compile
check "and is compiled" [ "$(ls "$XDG_CACHE_HOME/geartrain" | grep -c so)" = 1 ]
contracted() { [ "$(cached GEARTRAIN_CONTRACT)" != off ]; } # a*b+c in one code path and not in the other
for file in *.ode; do
    ! contracted || { skip "$file, compiled and interpreted give the same bytes" "a*b+c is contracted in one of them"; continue; }
    rm -f compiled.csv interpreted.csv
    "$geartrain" run "$file" --compile --quiet --out compiled.csv >out 2>err && "$geartrain" run "$file" --quiet --no-compile \
        --out interpreted.csv >out 2>err
    check "$file, compiled and interpreted give the same bytes" cmp compiled.csv interpreted.csv
done
# A long run is compiled when the interpreter has worked as long as a compiler takes, and goes on with the same bits.
printf "par s=10,r=28,b=2.6667\nx'=s*(y-x)\ny'=r*x-y-x*z\nz'=x*y-b*z\ninit x=1,y=1,z=20\n@ total=4000,dt=40\n" >long.ode
kept() { ls "$XDG_CACHE_HOME/geartrain" | grep -c so; }
before=$(kept)
"$geartrain" run long.ode --method rk4 --h .002 --quiet --out late.csv >out 2>err
check "a long run is compiled on the way" [ "$(kept)" = $((before + 1)) ]
"$geartrain" run long.ode --method rk4 --h .002 --quiet --no-compile --out interpreted.csv >out 2>err
contracted || check "and gives the bytes of the interpreter" cmp late.csv interpreted.csv
CC=false expect "a compiler that fails on the way leaves it to the interpreter" 0 'long.ode is interpreted' \
    run long.ode --method rk4 --h .002
# df/dt went on in the interpreter after the takeover, whose bytecode was gone: SIGSEGV.
printf "x'=-50*(x-cos(t))+.01*y\ny'=x-y+sin(3*t)\ninit x=1\n@ total=2000,dt=200\n" >driven_long.ode
for method in rodas4p exprb43 gear dop853; do
    "$geartrain" run driven_long.ode --method $method --rtol 1e-8 --quiet --out late.csv >out 2>err &&
        "$geartrain" run driven_long.ode --method $method --rtol 1e-8 --quiet --no-compile --out interpreted.csv >out 2>err
    contracted || check "compiled on the way, with df/dt, by $method" cmp late.csv interpreted.csv
done
expect "--compile and --no-compile" 2 'exclude each other' run long.ode --compile --no-compile

"$geartrain" sweep ball.ode --sweep loss=.5:.9:9 --threads 1 --out one.csv >out 2>err
"$geartrain" sweep ball.ode --sweep loss=.5:.9:9 --threads 4 --out four.csv >out 2>err
check "a sweep in threads is the same as in one" cmp one.csv four.csv
"$geartrain" sweep ball.ode --sweep loss=.5:.9:9 --threads 4 --no-compile --out interpreted.csv >out 2>err
check "a sweep can be interpreted" cmp one.csv interpreted.csv
check "a sweep has the aux columns" grep -q '^loss.*energy' one.csv
# Long loops in several threads: each element as in one loop, what is outside of loops once.
printf "par d=9\nu0=u1\nu20001=u20000\nu[1..20000]'=d*(u[j-1]-2*u[j]+u[j+1])-u[j]*v[j]+mean\n" >field.ode
printf "v[1..20000]'=u[j]-v[j]*if(u[j]>.5)then(2)else(1)\nmean'=u1-mean\n" >>field.ode
printf "u[1..20000](0)=sin([j]/9)^2\nv[1..20000](0)=.1\n@ total=.1\n" >>field.ode
check "long loops are emitted in parts" sh -c '"$0" show field.ode --emit-c | grep -q gt_ode_share' "$geartrain"
for method in smes gear; do
    for threads in 1 3; do
        "$geartrain" run field.ode --method $method --compile --threads $threads --rtol 1e-3 --times .1 --quiet --out $threads.csv >out 2>err
    done
    "$geartrain" run field.ode --method $method --no-compile --threads 2 --rtol 1e-3 --times .1 --quiet --out interpreted.csv >out 2>err
    check "many states by $method in three threads" cmp 1.csv 3.csv
    contracted || check "and interpreted" cmp 1.csv interpreted.csv
done
printf '#!/bin/sh\nPATH=/nowhere\nunset XDG_CACHE_HOME HOME\nexec "%s" "$@"\n' "$geartrain" >lonely && chmod +x lonely
real=$geartrain geartrain=./lonely
expect "without a compiler it is interpreted, and said" 0 'rod.ode is interpreted' run rod.ode --compile
expect "with the result" 0 'th  *-0\.07124' run rod.ode --rtol 1e-9
geartrain=$real
CC=false expect "nor a broken compiler matters" 0 'th  *-0\.07124' run rod.ode --rtol 1e-9 --compile

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
printf "x'=v\nv'=-x-.5*sign(v)+1.2*cos(t)\ninit x=1\n@ total=20\n" >switched.ode
"$geartrain" run switched.ode --method rk4 --h .1 >out 2>err
check "switches inside fixed steps are noted" grep -q "switched 8 times inside" out
"$geartrain" run fixed.ode --method rk4 --h .1 >out 2>err
check "none, no note" [ "$(grep -c "inside steps" out)" = 0 ]
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

# Blocks from the command line: the same solution, shown in the order of the file, with functions for each block.
printf "x'=-x+.01*y\ny'=-400*(y-x)\nz'=-z\nw'=-300*(w-z)\ninit x=1,y=0,z=2,w=0\n@ total=1\n" >four.ode
expect "--fast" 0 'evaluations of the slow block' run four.ode --fast w,y --method spm2
check "--fast has the solution" within "$(get x.x run four.ode --fast w,y --method mri3 --rtol 1e-8)" \
    "$(get x.x run four.ode --rtol 1e-10)" 1e-6
"$geartrain" run four.ode --fast y,w --every 1 --out fast.csv --quiet >out 2>err
check "--fast keeps the order of the columns" [ "$(sed 1q fast.csv)" = "t,x,y,z,w" ]
check "and of the report" [ "$("$geartrain" run four.ode --fast x --json | tr -d ' \n' |
    sed 's/.*"x":{\([^}]*\)}.*/\1/; s/[^a-z,]//g; s/,e,/,/g' | tr -d e)" = "x,y,z,w" ]
printf "x'=-x\ny'=-y\n#@ fast y\n" >own.ode
check "--fast none: one block" [ "$(get stats.rhs_slow run own.ode --fast none --method gear)" = 0 ]
expect "--fast replaces the blocks of the file" 0 'fast x;' advise own.ode --fast x
expect "--fast: an unknown name" 2 "no state 'yy'; did you mean" run four.ode --fast yy
expect "--fast: a name twice" 2 'given twice' run four.ode --fast y,w,y
expect "--fast: all of them" 2 'all 4 states' run four.ode --fast x,y,z,w
check "--fast of a built-in model" within "$(get x.y run lorenz --t1 1 --fast y --method mri3 --rtol 1e-8)" \
    "$(get x.y run lorenz --t1 1 --rtol 1e-10)" 1e-4
check "its columns keep their order" [ "$("$geartrain" run lorenz --fast x --t1 1 --out - --quiet | sed 1q)" = "t,x,y,z" ]
check "compare with --fast" within "$(get rows.0.error.final compare four.ode --fast y,w --methods spm2 --rtol 1e-6)" 0 1e-3

# Blocks that `auto` finds: forty slow states, which are the work, around two fast ones.
ring() { # PREFIX: of the names of the states
    awk -v p="$1" 'BEGIN {
        printf "par w=300\n%sf1\047=w*%sf2\n", p, p
        for (i = 1; i <= 40; i++) {
            s = p "s" i; next_one = p "s" (i % 40 + 1)
            printf "%s\047=-.1*%s+sin(%s)*exp(-%s^2)*cos(%s)/(1+%s^2)+.001*%sf1\ninit %s=%g\n", s, s, next_one, s, next_one, s, p, s, i / 40
        }
        printf "%sf2\047=-w*%sf1-3*%sf2+.1*%ss1\ninit %sf1=1\n@ total=50\n", p, p, p, p, p
    }'
}
ring "" >ring.ode
expect "auto finds blocks" 0 'fast f1,f2, found' run ring.ode --no-compile
expect "and in compiled code" 0 'fast f1,f2, found' run ring.ode --compile
check "with the same result" within "$(get x.s7 run ring.ode --compile)" "$(get x.s7 run ring.ode --no-compile)" 1e-6

long=$(printf '%070d' 0 | tr 0 q)
ring "$long" >names.ode
check "long names: the blocks that are found have the start of the file" within "$(get "x.${long}s7" run names.ode --t1 20)" \
    "$(get x.s7 run ring.ode --t1 20)" 1e-6
sed "s/[xyzw]/$long&/g" four.ode >names.ode
check "long names: --fast keeps the order of the columns" [ "$("$geartrain" run names.ode --fast "${long}y" --out - --quiet |
    sed "1!d; s/$long//g")" = "t,x,y,z,w" ]
expect "--fast: a range of more names than can be counted" 2 "no state 'x-2'" run four.ode --fast 'x[-2..9223372036854775807]'

# Multipliers that the program has added are not shown, and those behind them keep their places.
sed '/^@ total/,$d' pendulum_xy.ode >hidden.ode
printf 'aux len=sqrt(x^2+y^2)\n@ total=1\n' >>hidden.ode
states() { sed -n '/^t  /,/^invariant/p' out | sed '1d; $d' | awk '{ printf "%s ", $1 }'; }
"$geartrain" run hidden.ode >out 2>err
check "hidden states are not in the report" [ "$(states)" = "x y u v lam len " ]
expect "nor in its JSON" 0 '"lam"' run hidden.ode --json
check "which has only the others" [ "$(grep -c mu1 out)" = 0 ]
check "--fast keeps the order of the columns beside hidden states" \
    [ "$("$geartrain" run hidden.ode --fast x --out - --quiet 2>err | sed 1q)" = t,x,y,u,v,lam,len ]
for fast in "" "--fast x"; do
    "$geartrain" sweep hidden.ode --sweep g=9,10 $fast --out hidden.csv >out 2>err
    check "sweep $fast: hidden states have no columns" [ "$(sed 1q hidden.csv | cut -d, -f1-10)" = g,status,t,x,y,u,v,lam,len,steps ]
    check "sweep $fast: aux has its values" within "$(sed -n 2p hidden.csv | cut -d, -f9)" 1 1e-4
done
expect "sweep, JSON" 0 '"lam"' sweep hidden.ode --sweep g=9,10 --json
check "sweep, JSON: nothing hidden" [ "$(grep -c mu1 out)" = 0 ]

# A row of a sweep is doubted as the run of it is.
printf "par k=1\nx'=v\nv'=-k*x\ninit x=1\n@ total=800\n" >swing.ode
"$geartrain" sweep swing.ode --sweep k=1,4 --method rk4 --h 0.5 --out swing.csv >out 2>err
check "a column of a sweep counts warnings" [ "$(cut -d, -f1,2,13 swing.csv | tr '\n' ' ')" = "k,status,warnings 1,ok,1 4,ok,1 " ]
check "and the first is said" grep -q 'warning: 2 of 2 runs have warnings, the first, k=1: the result is wrong by' err
"$geartrain" sweep swing.ode --sweep k=1 --rtol 1e-9 --json >out 2>err
check "a row that is right has none" [ "$(./jsonget rows.0.warnings <out)$(./jsonget warnings <out)" = "[][]" ]
expect "the table says it too" 0 'ok, 1 warning ' sweep swing.ode --sweep k=1,4 --method rk4 --h 0.5

# Other commands.
expect "compare" 0 'trapezoidal' compare rod.ode --methods trapezoidal,gear --rtol 1e-4
expect "advise" 0 'stiff' advise hodgkin_huxley.ode
expect "equilibrium" 0 'th' equilibrium rod.ode --init th=.1
expect "linearize" 0 'eigenvalue' linearize morris_lecar.ode

# Messages.
printf "par a=1/2\nx'=a\n" >trap.ode
expect "a warning with its place" 0 'trap.ode:1:[0-9]*: warning: ' run trap.ode
expect "--quiet hides progress, not warnings" 0 'trap.ode:1:5: warning: ' run trap.ode --quiet
for command in run equilibrium linearize advise show "compare --methods dopri5,rk4:h=0.1" "sweep --sweep a=1,2"; do
    set -- $command
    command=$1
    shift
    "$geartrain" $command trap.ode "$@" --json --quiet >out 2>err
    ./jsonget warnings.0 <out | grep -q '^"trap.ode:1:5: the value of a is '
    verdict "$command: what is wrong with a file is in the JSON" $?
    check "$command: once" [ "$(grep -c 'trap.ode:1:5' out)" = 1 ]
done
printf "par a=1/2\nx'=b\n" >trap2.ode
"$geartrain" run trap2.ode --json >out 2>err
[ "$(./jsonget status <out)" = '"bad_argument"' ] && ./jsonget warnings.0 <out | grep -q '^"trap2.ode:1:5: '
verdict "it is also where the file is refused" $?
check "no warnings: an empty list" [ "$("$geartrain" advise vanderpol --json | ./jsonget warnings)" = "[]" ]
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
# dt below 0 integrates backward, as in XPPAUT; the sign was dropped.
printf "x'=mod(t,.7)\n@ total=2,dt=-.1\n" >backward.ode
expect "a step below 0 leads backward" 0 '^t  *0 to -2' run backward.ode
expect "to where the integral of mod is" 0 '^    x  *-0\.73$' run backward.ode --method dopri5
check "with rows on the way" [ "$("$geartrain" run backward.ode --out - 2>err | wc -l)" = 22 ]
# More parameters than a model has: the others are numbers. The file was refused.
awk 'BEGIN { for (k = 0; k < 400; k++) { p = p (k ? "," : "par ") "a" k "=" k; s = s (k ? "+" : "s=") "a" k * 1 "*" k }
             print p; print s; print "x\047=s"; print "@ total=1" }' >many.ode
expect "400 parameters" 0 '^    x  *21253400' run many.ode
check "are too many to be changed, and a warning says so" grep -q 'at most 256 parameters: from a256 on' err
expect "the first ones can be" 0 '^    x  *21253410' run many.ode --set a10=11
# Characters from other texts have a name and a remedy; lines may end as on an old Macintosh.
printf "x'=1\342\210\2222\n" >minus.ode
expect "a typographer's minus" 2 "is not known here; write -" run minus.ode
printf "\316\261'=1\n" >alpha.ode
expect "a Greek letter" 2 "letters without accents" run alpha.ode
printf "x'=1\rx(0)=2\r@ total=1\r" >mac.ode
expect "lines that end with a carriage return" 0 '^    x  *3$' run mac.ode
printf "2 0 1 0\nv x=1,y=0\np a=2\no x y\n-y\na*x\n" >old.ode
expect "a file of PHASEPLANE" 2 "write x'=.. for each right-hand side" run old.ode
check "is one error" [ "$(grep -c '^geartrain:' err)" = 1 ]

# SPDX-License-Identifier: BSD-3-Clause
# run --checkpoint and --resume, sweep --resume: killed at a change of a file, whichever, and resumed, they give what an
# uninterrupted run gives, byte by byte; what is not of the same run is refused. Run by scripts/test.
. "$SOURCE_DIR/tests/cli/kit.sh"
${CC:-cc} -std=c11 -O1 "$SOURCE_DIR/tests/faults/inject.c" -o inject || { echo "not ok the failing file layer compiles"; exit 1; }
# Under ptrace the leak detector of a sanitizer build cannot work.
inject="env ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 ./inject"
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
sweep="sweep vanderpol --sweep mu=1:9:40 --t1 3 --threads 1"

# A run with events that change a parameter, a switch and an invariant; the rest differs in the flags.
cat >kicks.ode <<'ODE'
x'=y
y'=-k*x-.05*sign(y)
z'=x*x
par k=1
init x=0,y=1
global 1 {x-.3} {k=k+.5;y=.95*y}
global -1 {x+.2} {k=1}
aux e=y^2+k*x^2
#@ invariant s=z-z
@ total=40
done
ODE
"$geartrain" run kicks.ode --quiet >out 2>err # compiled before changes of files are counted
plain() { sed 's/"\(wall\|choose\)_s": *[0-9.eE+-]*//'; }

# Every n-th change of a file below the folder d is the last one that the process sees.
killed() { # NAME ARGUMENTS...
    name=$1
    shift
    mkdir -p d && rm -rf d/*
    "$geartrain" "$@" --json >whole.json 2>err || { verdict "$name: in one piece" 1; return; }
    mv d/a.csv whole.csv
    rm -f d/*
    INJECT_REPORT=$scratch/count $inject count 0 d "$geartrain" "$@" --json --checkpoint d/c --checkpoint-every 40 >out 2>err
    status=$?
    [ $status != 77 ] || { skip "$name: killed" "ptrace is not to be had here"; return; }
    verdict "$name: with checkpoints" $status
    plain <out >checked.json && plain <whole.json >plain.json
    check "$name: the same rows" same d/a.csv whole.csv
    check "$name: the same report" same checked.json plain.json
    calls=$(cat count) resumed=0 wrong=0
    for k in $(awk -v n="$calls" 'BEGIN { for (k = 1; k <= n; k += k < 24 || k > n - 6 ? 1 : int(n / 12) + 1) print k }'); do
        rm -f d/*
        $inject crash "$k" d "$geartrain" "$@" --json --checkpoint d/c --checkpoint-every 40 >out 2>err
        [ -e d/c ] || continue
        "$geartrain" "$@" --json --resume d/c >out 2>err || { echo "    killed at change $k of $calls: $(cat err)"; wrong=1; }
        plain <out >resumed.json
        same d/a.csv whole.csv && same resumed.json plain.json || { echo "    killed at change $k of $calls: it differs"; wrong=1; }
        resumed=$((resumed + 1))
    done
    verdict "$name: killed and resumed $resumed times" $wrong
    check "$name: several times" [ $resumed -gt 4 ]
}
killed "steps by gear" run kicks.ode --method gear --out d/a.csv
killed "output points by dopri5" run kicks.ode --method dopri5 --every 0.11 --out d/a.csv
killed "fixed steps" run lorenz --method rk4 --h 0.005 --t1 10 --every 0.05 --out d/a.csv
killed "every step, sparse" run brusselator --method bi33 --h 0.01 --t1 6 --every-step --out d/a.csv
killed "an algebraic row, the method chosen" run rc_diode --out d/a.csv --t1 .2 --rtol 1e-8
killed "backward" run kicks.ode --no-compile --method rodas4 --t0 40 --t1 0 --out d/a.csv

# Killed when the file was complete, or not at all: the end is made again from the last checkpoint.
rm -f d/*
"$geartrain" run kicks.ode --method gear --out d/a.csv --quiet --checkpoint d/c --checkpoint-every 40 >out 2>err
cp d/a.csv whole.csv
"$geartrain" run kicks.ode --method gear --out d/a.csv --quiet --resume d/c >out 2>err
check "a run that had come to its end is resumed" same d/a.csv whole.csv
check "and leaves nothing beside its file" [ "$(ls d | tr '\n' ' ')" = 'a.csv c ' ]
sed '2s/1/2/' whole.csv >d/a.csv
expect "not where the file has other rows" 2 'begins with the' run kicks.ode --method gear --out d/a.csv --resume d/c
check "which stay" [ "$(sed '2s/1/2/' whole.csv | cksum)" = "$(cksum <d/a.csv)" ]

# Resumed twice, with checkpoints in between.
rm -f d/*
"$geartrain" run lorenz --method dopri5 --t1 40 --every 0.1 --out d/a.csv --quiet >out 2>err && mv d/a.csv whole.csv
for k in 30 30 30; do
    flag=$([ -e d/c ] && echo "--resume d/c")
    $inject crash $k d "$geartrain" run lorenz --method dopri5 --t1 40 --every 0.1 --out d/a.csv --checkpoint d/c --checkpoint-every 50 $flag >out 2>err
done
"$geartrain" run lorenz --method dopri5 --t1 40 --every 0.1 --out d/a.csv --resume d/c --quiet >out 2>err
[ $? = 77 ] || check "a run that is killed three times" same d/a.csv whole.csv

# What is refused.
rm -f d/*
"$geartrain" run lorenz --t1 5 --method gear --checkpoint d/c --checkpoint-every 20 --quiet >out 2>err
check "a checkpoint is written" [ -s d/c ]
expect "it can be resumed" 0 'x ' run lorenz --t1 5 --method gear --resume d/c
expect "another method" 2 'differ in method, which is gear there and rodas4 here$' run lorenz --t1 5 --method rodas4 --resume d/c
expect "another parameter" 2 'differ in parameter rho' run lorenz --t1 5 --method gear --set rho=20 --resume d/c
expect "another model" 2 'differ in model' run vanderpol --t1 5 --method gear --resume d/c
expect "another tolerance" 2 'differ in rtol, which is 0 there and 0.0001 here$' run lorenz --t1 5 --method gear --rtol 1e-4 --resume d/c
expect "another end" 2 'differ in t1' run lorenz --t1 6 --method gear --resume d/c
expect "another start" 2 'differ in initial state$' run lorenz --t1 5 --method gear --init x=1 --resume d/c
expect "another file" 2 'differ in file of --out' run lorenz --t1 5 --method gear --out d/b.csv --resume d/c
head -c 2000 d/c >d/torn
expect "a torn file" 2 'truncated' run lorenz --t1 5 --method gear --resume d/torn
(cat d/c | tr '\001' '\002') >d/flipped
expect "a damaged one" 2 'd/flipped' run lorenz --t1 5 --method gear --resume d/flipped
echo 't,x' >d/foreign
expect "a foreign one" 2 'does not begin like one' run lorenz --t1 5 --method gear --resume d/foreign
expect "none" 2 'd/none' run lorenz --t1 5 --method gear --resume d/none

# What a run is made of may lie in files that f near the start does not show.
cat >pushed.ode <<'ODE'
# a push from a table
table w w.tab
x'=w(t)-x
global 1 x-.9 {x=x/2}
@ total=9
done
ODE
printf '%s\n' 5 0 9 0 1 2 3 4 >w.tab
"$geartrain" run pushed.ode --method gear --checkpoint d/p --checkpoint-every 5 --quiet >out 2>err
sed '2s/^/# seen again\n/' pushed.ode >p && mv p pushed.ode
expect "a comment is not another model" 0 'x ' run pushed.ode --method gear --resume d/p
printf '%s\n' 5 0 9 0 1 2 3 5 >w.tab
expect "a table has other samples far from the start" 2 'differ in text of the model' run pushed.ode --method gear --resume d/p
printf '%s\n' 5 0 9 0 1 2 3 4 >w.tab
sed 's/x=x.2/x=x\/3/' pushed.ode >p && mv p pushed.ode
expect "an event does something else" 2 'differ in text of the model' run pushed.ode --method gear --resume d/p
cp "$SOURCE_DIR/examples/methods/gauss2.json" m.json
"$geartrain" run lorenz --t1 5 --method m.json --h .01 --checkpoint d/m --checkpoint-every 20 --quiet >out 2>err
expect "a method from a file" 0 'x ' run lorenz --t1 5 --method m.json --h .01 --resume d/m
echo >>m.json
expect "its file is another one" 2 'differ in file of the method' run lorenz --t1 5 --method m.json --h .01 --resume d/m

expect "a figure" 2 'draws from memory' run lorenz --checkpoint d/c --plot a.svg
expect "a reference" 2 'compares in memory' run lorenz --checkpoint d/c --reference
expect "standard output" 2 'cannot be cut back' run lorenz --checkpoint d/c --out -
mkfifo pipe
for path in ./pipe /dev/null; do
    expect "a checkpoint to $path" 2 'nothing can be resumed' run lorenz --checkpoint $path
    expect "and of a sweep" 2 'nothing can be resumed' $sweep --checkpoint $path
done
expect "a wrong period" 2 'neither a time' run lorenz --checkpoint d/c --checkpoint-every 5x
expect "a period of nothing" 2 'goes with --checkpoint' run lorenz --checkpoint-every 5s
check "a period of time" "$geartrain" run lorenz --t1 1 --checkpoint d/e --checkpoint-every 2h --quiet

# A sweep: the runs that are in its file are not made again.
rm -f d/*
"$geartrain" $sweep --out whole.csv --json >whole.json 2>err
INJECT_REPORT=$scratch/count $inject count 0 d "$geartrain" $sweep --checkpoint d/s --out d/a.csv --json >out 2>err
if [ $? != 77 ]; then
    check "a sweep with a checkpoint" same d/a.csv whole.csv
    calls=$(cat count) wrong=0 resumed=0
    for k in $(awk -v n="$calls" 'BEGIN { for (k = 3; k <= n; k += 5) print k }'); do
        rm -f d/*
        $inject crash "$k" d "$geartrain" $sweep --checkpoint d/s --out d/a.csv --json >out 2>err
        [ -e d/s ] && [ ! -e d/a.csv ] || continue
        rm -f d/a.csv.unfinished # of which a warning would speak
        "$geartrain" $sweep --resume d/s --out d/a.csv --json >out 2>err
        same d/a.csv whole.csv && same out whole.json || { echo "    killed at change $k of $calls"; wrong=1; }
        resumed=$((resumed + 1))
    done
    verdict "a sweep that is killed and resumed $resumed times" $wrong
    check "several times, too" [ $resumed -gt 4 ]
fi
rm -f d/*
"$geartrain" $sweep --checkpoint d/s --quiet >out 2>err
expect "nothing is run again" 0 '40 of the 40 runs are taken from d/s' $sweep --resume d/s
expect "another sweep" 2 'is of another sweep' sweep vanderpol --sweep mu=1:9:40 --t1 4 --threads 1 --resume d/s
expect "not a sweep" 2 'is not the checkpoint of a sweep' $sweep --resume whole.csv

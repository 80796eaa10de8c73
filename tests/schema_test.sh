# SPDX-License-Identifier: BSD-3-Clause
# Every command keeps to the JSON schema that it states: `geartrain schema COMMAND` is made from the tables that print
# the reports, and what --json prints is validated against it. Run by scripts/test.
. "$SOURCE_DIR/tests/cli/kit.sh"
${CC:-cc} -o validate "$SOURCE_DIR/tests/cli/validate.c" -ljansson || { echo "not ok validate compiles"; exit 1; }
models=$SOURCE_DIR/examples/models case=$SOURCE_DIR/cases/wscc9.m

# The words of a command up to the bar, then its arguments.
cat >commands <<END
run | vanderpol
run | lorenz --t1 1 --method dopri5 --reference
run | vanderpol --method rk4 --h 0.01 --t1 1
run | pleiades --method dopri5 --t1 0.1
run | $models/ball.ode
run | vanderpol --max-steps 3
run | nothing_of_this_name
compare | harmonic --methods rk4:h=0.1,dopri5,beuler:h=1
compare | harmonic --methods rk4:h=0.1 --drift energy
sweep | vanderpol --sweep mu=-1,1 --t1 1
advise | linear2 --blocks
advise | stiff3c --methods rk4,gear --max-step
equilibrium | lorenz
equilibrium | robertson
linearize | kaps --manifold
stability | rk4 --also heun
stability | gear --opt order=4 --at=-1,2
stability | rk4 --test2 alpha=100,beta=0.1 --at=-0.02,0
stability | rk4 --test2 alpha=100,beta=0.1 --at=-0.02,0.1
stability | rk4 --test2 alpha=100,beta=0.1
stability | prk2s --zss=-0.1,0.2 --zff=0,3 --coupling 0.3
stability | smfe --opt eps=1e-6,inner=70
accuracy | rk4 --also heun --theta 90,180
damping | rk4 --also beuler --theta 75 --r 4
order | rkf45
order | gear4
coefficients | dopri5
coefficients | gear4
coefficients | prk25
coefficients | mri3
coefficients | bi45
design multistep | --a-steps 0,1 --b-steps=-1 --order 2
design polynomial | --degree 5 --order 2
design polynomial | --degree 4 --order 2 --axis real --damping 0.05
design dualrate | --slow 3 --fast 6 --order 3 --starts 8
design half | --starts 2 --sweeps 20
power flow | $case
power run | $case --model classical --fault 8@0.1:0.22 --t1 0.5
power cct | $case --fault-bus 8 --model classical --window 2
power cct | $case --all-buses --model classical --window 2
power modes | $case
power synth | --buses 30 --out s30.m
show | gear
show | prk2s
show | vanderpol
show | $models/ball.ode
list | methods
list | models
END

while read -r line; do
    command=${line%% |*}
    # shellcheck disable=SC2086 # words
    "$geartrain" schema $command >schema 2>err
    # shellcheck disable=SC2086
    "$geartrain" $command ${line#*| } --json >out 2>err
    check "schema: $command ${line#*| }" ./validate schema <out
done <commands

# None is left out.
"$geartrain" schema >all
while read -r command; do
    check "schema: $command is validated" grep -q "^$command |" commands
done <all

# And every command with --json has a schema.
with_json() {
    "$geartrain" | sed -n 's/^    \([a-z][a-z]*\) .*/\1/p' | grep -v -e geartrain -e papers | sort -u >names
    for name in $(cat names); do
        "$geartrain" help "$name" | sed -n "s/^    $name \([a-z]*\)  .*/$name \1/p" >subs
        [ -s subs ] || echo "$name" >subs
        while read -r command; do
            # shellcheck disable=SC2086 # words
            ! "$geartrain" help $command | grep -q '^    --json' || grep -qx "$command" all || echo "$command"
        done <subs
    done
}
[ -z "$(with_json)" ]
verdict "schema: every command with --json has one" $?

# The validator can say no: to a key too many, one too few, a value of another type.
"$geartrain" schema sweep >schema
"$geartrain" sweep vanderpol --sweep mu=1 --t1 1 --json >good
refuses() { # SED-SCRIPT
    sed "$1" good >out
    ! cmp -s good out && ! ./validate schema <out
}
check "schema: a good object is accepted" ./validate schema <good
check "schema: an unknown key is refused" refuses 's/"steps"/"stepz"/'
check "schema: a missing key is refused" refuses 's/"model": "vanderpol",//'
check "schema: a wrong type is refused" refuses 's/"model": "vanderpol"/"model": 3/'
expect "schema: a command without JSON is refused" 2 "no command 'help' prints JSON" schema help

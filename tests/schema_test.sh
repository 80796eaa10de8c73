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

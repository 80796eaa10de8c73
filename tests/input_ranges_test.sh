# SPDX-License-Identifier: BSD-3-Clause
# Numbers and sizes that are valid text but no valid input: one of a sweep, machine data, expressions without end.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
needs_jsonget

# A sweep: a value out of range was the end of all runs.
expect "a value out of range is a row of a sweep" 0 '3 runs, 1 failed' \
    sweep lorenz --sweep sigma=10,-5,20 --t1 0.1 --out s.csv
check "whose status says so" [ "$(cut -d, -f1,2 s.csv | tr '\n' ' ')" = "sigma,status 10,ok -5,bad_argument 20,ok " ]
check "and a note says why" grep -q 'sigma must lie between 0 and 1e+06, not -5' err
"$geartrain" sweep lorenz --sweep sigma=-5,10 --t1 0.1 --json >out 2>err
check "first in the list as well" [ "$(./jsonget rows.0.status <out) $(./jsonget rows.1.status <out)" = '"bad_argument" "ok"' ]
check "with the reason in the row" [ "$(./jsonget rows.0.message <out | grep -c 'sigma must lie')" = 1 ]
expect "a range that leaves the range of the parameter" 0 '5 runs, 2 failed' \
    sweep lorenz --sweep sigma=-2:2:5 --t1 0.1 --out r.csv
expect "a part of a whole number is no value" 2 'must be a whole number' sweep heat --sweep n=10,10.5
expect "nothing but values out of range is refused" 2 'sigma must lie between' sweep lorenz --sweep sigma=-2,-3
expect "so is what is not a number" 2 'must be a number' sweep lorenz --sweep sigma=10,ten

# Machine data: H = 1e308 printed -nan with exit status 0.
cp "$SOURCE_DIR/cases/wscc9.m" "$SOURCE_DIR/cases/wscc9.csv" .
line=$(grep -n '^1,' wscc9.csv | cut -d: -f1)
columns=$(grep '^bus,' wscc9.csv)
column() { echo "$columns" | tr , '\n' | grep -nx "$1" | cut -d: -f1; }
for pair in H=1e308 H=1e-300 H=-1 xd1=1e300 xd1=1e-200 Td0=1e200 KA=1e300 TA=1e-300 xd=1e9 D=1e12; do
    name=${pair%=*} value=${pair#*=} k=$(column "${pair%=*}")
    [ -n "$k" ] || { echo "ok $name is not a column here" && continue; }
    awk -F, -v OFS=, -v k="$k" -v v="$value" -v line="$line" 'NR == line { $k = v } { print }' wscc9.csv >bad.csv
    expect "a machine with $pair is refused, with file and line" 2 "bad.csv:$line: $name .*must be" \
        power run wscc9.m --dyn bad.csv --t1 0.1
done
printf "1 'GENCLS' 1 1e308 0 0.1 /\n2 'GENCLS' 1 6.4 0 0.1 /\n3 'GENCLS' 1 3 0 0.1 /\n" >bad.dyr
expect "also in DYR" 2 'bad.dyr:1: H .*must be' power run wscc9.m --dyn bad.dyr --model classical --t1 0.1
printf "1 'GENCLS' 1 500000 0 0.1 /\n2 'GENCLS' 1 6.4 0 0.1 /\n3 'GENCLS' 1 3 0 0.1 /\n" >large.dyr
expect "an infinite bus is a machine" 0 'steps' power run wscc9.m --dyn large.dyr --model classical --t1 0.1

awk -F, -v OFS=, -v line="$line" 'NR == line { $1 = "1e300" } { print }' wscc9.csv >bad.csv
expect "a bus number that is none" 2 "bad.csv:$line: .*whole number: bus" power run wscc9.m --dyn bad.csv --t1 0.1

# MATPOWER: numbers that cannot be, in every column that is used. Impedances of 1e308 gave voltages that are not numbers.
changed() { # TABLE ROW COLUMN VALUE <case: the case with one number changed
    awk -v table="$1" -v row="$2" -v column="$3" -v value="$4" '
        index($0, "mpc." table " = [") { inside = 1; print; next }
        inside && /\];/ { inside = 0 }
        inside && ++seen == row { sub(/^[ \t]+/, ""); sub(/;$/, ""); n = split($0, c, /[ \t]+/); c[column] = value
            for (i = 1; i <= n; i++) printf "%s%s", c[i], i < n ? " " : ";\n"; next }
        { print }'
}
while read -r table row column name value; do
    changed "$table" "$row" "$column" "$value" <wscc9.m >bad.m
    at=$(cmp wscc9.m bad.m | sed 's/.* //')
    expect "$name = $value is refused, with file, line, row and column" 2 \
        "bad.m:$at: $name (column $column of mpc.$table, row $row) must be" power flow bad.m
done <<'END'
bus 5 3 Pd 1e308
bus 5 4 Qd nan
bus 5 5 Gs Inf
bus 5 6 Bs -1e12
bus 5 8 Vm -1
bus 5 8 Vm 1e3
bus 5 9 Va 1e308
bus 5 10 baseKV -230
gen 2 2 Pg 1e300
gen 2 3 Qg -Inf
gen 2 4 Qmax NaN
gen 2 6 Vg -1
gen 2 7 mBase 1e-300
gen 2 7 mBase -100
branch 2 3 r 1e308
branch 2 3 r 1e-300
branch 2 4 x nan
branch 2 4 x 1e308
branch 2 5 b 1e300
branch 2 9 ratio -1
branch 2 9 ratio 1e-300
branch 2 10 angle 1e300
END
for number in 0 -100 1e308 1e-308 nan inf; do
    sed "s/mpc.baseMVA = 100;/mpc.baseMVA = $number;/" wscc9.m >bad.m
    expect "a base of $number MVA is refused" 2 "bad.m:8: baseMVA must lie between" power flow bad.m
done
changed gen 2 4 Inf <wscc9.m >open.m
expect "a limit of reactive power that is not there" 0 'mismatch\|iterations' power flow open.m

# No command prints a result that is not a number as if all were well.
# In range, and beyond what has a solution.
for change in "bus 5 3 1e9" "branch 2 4 1e6" "branch 2 4 1e-12" "branch 1 9 1000" "gen 2 2 -1e9" "bus 5 8 0" "gen 1 6 100"; do
    set -- $change
    changed "$@" <wscc9.m >far.m
    "$geartrain" power flow far.m >out 2>err
    status=$?
    ! { [ $status = 0 ] && grep -qi 'nan\|inf' out; } && [ $status -le 2 ]
    verdict "power flow with $change" $?
    "$geartrain" power run far.m --dyn wscc9.csv --t1 0.1 >out 2>err
    status=$?
    ! { [ $status = 0 ] && grep -qi 'nan\|inf' out; } && [ $status -le 2 ]
    verdict "power run with $change" $?
done

# What would keep the program busy for nothing.
expect "a run in an interval next to nothing" 0 '[0-9] steps' run lorenz --init x=1e154 --t1 1e-300 --max-steps 1000
expect "machines that may turn for ever" 2 'at most 3600 degrees' power cct wscc9.m --fault-bus 8 --threshold 1e308
expect "clearing times without number" 2 'more than 100000 runs' power cct wscc9.m --fault-bus 8 --scan 1e-300

for at in 1e308,0 1e200,1e200; do
    expect "stability at $at, where R overflows" 1 'R is not finite' stability rk4 --at=$at
done
expect "stability at a pole" 1 'R is not finite' stability trapezoidal --at 2,0
expect "stability of two rates, overflow" 1 'M is not finite' stability prk25 --test2 alpha=100,beta=1e308 --at=-1,0
expect "damping where R overflows" 1 'R is not finite' damping rk4 --theta 45 --r 1,1e308
expect "damping of R = 0 is infinite, which is a result" 0 'damping' damping trapezoidal --theta 0 --r 1,2

# Expressions that keep a compiler busy: 13 s for x^x^..^x of 2,000, 7 s for a sum of 200,000 terms.
awk 'BEGIN { printf "x'"'"'=-0.001*(x"; for (i = 1; i < 2000; i++) printf "^x"; print ")\ninit x=0.5\n@ total=1" }' >deep.ode
awk 'BEGIN { printf "x'"'"'=-x+1e-9*(x"; for (i = 1; i < 200000; i++) printf "+%d*x", i % 7 + 1; print ")\ninit x=0.5\n@ total=1" }' >wide.ode
for model in deep wide; do
    "$geartrain" run $model.ode --compile --quiet --out compiled.csv >out 2>err
    check "$model.ode runs" [ $? = 0 ]
    "$geartrain" run $model.ode --quiet --no-compile --out interpreted.csv >out 2>err
    check "$model.ode, with and without a compiler the same bytes" same compiled.csv interpreted.csv
done
expect "a sum of 200,000 terms is interpreted, and a note says why" 0 'wide.ode is interpreted' run wide.ode --compile
check "(it names the length)" grep -q 'a function of 1.[0-9] MB of C' err
printf '#!/bin/sh\necho "$*" >>"%s/calls"\nexec cc "$@"\n' "$scratch" >watched && chmod +x watched
rm -rf "$XDG_CACHE_HOME"
CC=$scratch/watched "$geartrain" run deep.ode --compile --quiet >out 2>err
check "2,000 levels are compiled without optimisation" grep -q -e '-O0' calls

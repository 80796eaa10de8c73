# SPDX-License-Identifier: BSD-3-Clause
# Text fits into 80 columns where the terminal has 80, or where nothing is known about it: the help of every command and
# what the commands print. Run by scripts/test.
. "$SOURCE_DIR/tests/cli/kit.sh"
unset COLUMNS
case=$SOURCE_DIR/cases/wscc9.m

fits() { # WIDTH ARGUMENT...: the program says something, and no line is wider
    width=$1
    shift
    "$geartrain" "$@" >text 2>err </dev/null
    [ -s text ] && ! awk -v width="$width" 'length($0) > width { print; found = 1 } END { exit !found }' text
}

check "width: the first screen" fits 80
"$geartrain" | sed -n 's/^    \([a-z][a-z]*\) .*/\1/p' | grep -v geartrain | sort -u >names
[ "$(wc -l <names)" -ge 15 ]
verdict "width: the commands are found" $?
while read -r name; do
    check "width: help $name" fits 80 help "$name"
    "$geartrain" help "$name" | sed -n "s/^    $name \([a-z]*\)  .*/\1/p" >subs
    while read -r sub; do
        check "width: help $name $sub" fits 80 help "$name" "$sub"
    done <subs
done <names

while read -r line; do
    # shellcheck disable=SC2086 # words
    check "width: $line" fits 80 $line
done <<END
list methods
list methods --all
list models
run vanderpol
run pleiades --method dopri5 --t1 0.1
run lorenz --t1 1 --method dopri5 --reference
compare harmonic --methods taylor:order=12:h=0.1,dopri5,beuler:h=1
sweep lorenz --sweep rho=10,28 --sweep sigma=8,10 --t1 1
advise linear2 --blocks
advise vanderpol --set mu=100
equilibrium robertson
linearize lorenz --at-equilibrium
stability gear --opt order=4 --at=-1,2
stability smfe --opt eps=1e-6,inner=70
stability prk2s --zss=-0.1,0.2 --zff=0,3 --coupling 0.3
accuracy rk4 --also dopri5,heun --theta 90,180
damping rk4 --also beuler --theta 75 --r 4
order rkf45
order gear4 --conditions
coefficients dopri5
coefficients gear4
coefficients bi45
design multistep --a-steps 0,1,2,3 --b-steps=-1 --order 4
design polynomial --degree 5 --order 2
design dualrate --slow 3 --fast 6 --order 3 --starts 8
design half --starts 2 --sweeps 20
power flow $case
power run $case --model classical --fault 8@0.1:0.22 --t1 0.5
power cct $case --all-buses --model classical --window 2
power modes $case
show dopri5
show gear
show mri4
show prk48
show gear6
show vehicle3d
show andrews
show prk2s
show vanderpol
END

# More where there is more room, and less where there is less.
COLUMNS=200
export COLUMNS
is_wide() { "$geartrain" run vanderpol >text && "$geartrain" list methods --all >text && ! fits 80 list methods --all; }
check "width: a wide terminal is used" is_wide
COLUMNS=50
check "width: a narrow terminal" fits 50 run vanderpol

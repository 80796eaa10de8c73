# SPDX-License-Identifier: BSD-3-Clause
# The commands order, coefficients and design, and method files: what they print, write and refuse.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
needs_jsonget
# A number under a key of the JSON object lies within a tolerance.
near() { # NAME KEY VALUE TOLERANCE ARGUMENT...
    name=$1 key=$2 value=$3 tolerance=$4
    shift 4
    "$geartrain" "$@" --json >out 2>err && within "$(./jsonget "$key" <out)" "$value" "$tolerance"
    verdict "$name" $?
}

expect "order by conditions" 0 "order 5: all 17 up to there hold; of order 6, 20 of 20 fail, worst t\[t,t,t,t,t\] by -31.12480" order rkf45
expect "order of the comparison solution" 0 "comparison solution has order 4" order rkf45
near "order measured" measured 5 0.2 order dopri5
near "order measured, slow block" measured_slow 3 0.2 order gear3
near "order measured, fast block" measured_fast 3 0.2 order am3
near "order on a model without exact solution" measured 4 0.2 order rk4 --problem vanderpol --set mu=1 --t1 2
expect "conditions of a formula" 0 "^t^5  *5  288/25" order gear4 --conditions
"$geartrain" order rk4 --json >out 2>err && [ "$(grep -c '"tree"' out)" = 37 ] && grep -q '"exact": "1/120"' out
verdict "all conditions to order 6 as JSON" $?
expect "order of a method that changes its own" 0 '"measured": null' order gear --json
expect "conditions of one order of gear" 0 "order 3: all 4 up to there hold" order gear --opt order=3
expect "order of a misspelt method" 2 "did you mean 'dopri5'" order dopri6
expect "flags of a problem that is not named" 2 "for --problem" order rk4 --set mu=1
expect "order on a problem that the method cannot treat" 2 "algebraic" order taylor --problem rc_diode

expect "coefficients of a tableau" 0 '"-92097/339200"' coefficients dopri5 --json
expect "coefficients of a formula" 0 "48/25 x_n - 36/25 x_(n-1) + 16/25 x_(n-2) - 3/25 x_(n-3)" \
    coefficients gear4
expect "coefficients of slow stages" 0 '"-36562993/71394880"' coefficients mri4 --json
expect "comparison of slow stages" 0 '1 | *1/12  *-1/3  *7/12$' coefficients mri3
expect "no coefficients at all" 2 "mradams has no constant coefficients; 'geartrain show mradams'" coefficients mradams
expect "error constant" 0 '"error_constant": "-863/60480"' coefficients am6 --json
expect "coefficients of one order of gear" 0 '"18/11"' coefficients gear --opt order=3 --json
expect "coefficients of gear without an order" 2 "order=3" coefficients gear
expect "coefficients of a one-step formula" 0 "x_n + h (1/2 f_(n+1) + 1/2 f_n)" coefficients trapezoidal
expect "coefficients of a series" 0 '"num"' coefficients taylor --json

"$geartrain" design multistep --a-steps 0,1,2,3 --b-steps -1 --order 4 --name own4 --out own4.json >out 2>err &&
    grep -q '"12/25"' own4.json && ! [ -s err ]
verdict "design of Gear's formula of order 4, Problem 3" $?
for command in run sweep compare; do
    for method in own4.json gear4; do
        case $command in
        run) set -- run kpr --t1 1 --h 0.001 --method $method --json ;;
        sweep) set -- sweep vanderpol --sweep mu=1,2 --t1 1 --h 0.01 --method $method --json ;;
        compare) set -- compare kpr --t1 1 --methods $method:h=0.001 --json ;;
        esac
        "$geartrain" "$@" >out 2>err && sed -n 's/^ *"\([uvxy]\|final\)": \(-*[0-9.]\{9\}\).*/\1 \2/p' out >$method.$command
    done
    [ -s gear4.$command ] && cmp -s gear4.$command own4.json.$command
    verdict "$command with a method file" $?
done
near "order of a method file" measured 4 0.2 order own4.json
expect "coefficients of a method file" 0 '"-12/125"' coefficients own4.json --json
expect "stability of a method file" 0 "73.3516704" stability own4.json
expect "a method file with other options beside it" 0 "own4.json newton_tol=1e-10" \
    stability own4.json --also newton_tol=1e-10
expect "show of a method file" 0 "own4: linear multistep" show own4.json
expect "design of Adams' formula" 0 "23/12 f_n - 4/3 f_(n-1) + 5/12 f_(n-2)" \
    design multistep --a-steps 0 --b-steps 0,1,2 --order 3
expect "design of Problem 9 warns" 0 "not zero-stable.*27.9642" \
    design multistep --a-steps 0,2,3 --b-steps 0,1,2 --order 6 --out nine.json
expect "design of Problem 9 as JSON" 0 '"error_constant": "1/35"' \
    design multistep --a-steps 0,2,3 --b-steps 0,1,2 --order 6 --json
expect "a formula that is not zero-stable does not converge" 1 "not zero-stable" order nine.json
expect "design of too high an order" 2 "ask for order 3" design multistep --a-steps 0 --b-steps 0,1,2 --order 4
expect "design with coefficients left free" 2 "leaves 1" design multistep --a-steps 0 --b-steps 0,1,2 --order 2
expect "design without an order" 2 "needs --order" design multistep --a-steps 0 --b-steps 0,1
expect "design of something else" 2 "design has no command .formulas.; it has multistep, polynomial, dualrate" design formulas
expect "design of something misspelt" 2 "did you mean 'multistep'" design multistp

cat >alexander.json <<'END'
{"geartrain_method": 1, "kind": "rk", "name": "alexander", "order": 2,
 "A": [[0.29289321881345254], [0.70710678118654746, 0.29289321881345254]],
 "b": [0.70710678118654746, 0.29289321881345254], "bhat": [1, 0]}
END
near "order of an implicit tableau from a file" measured 2 0.1 order alexander.json
expect "it is L-stable" 0 "L-stable *yes" stability alexander.json
expect "it runs on a stiff model" 0 "alexander" run robertson --method alexander.json --t1 40
expect "numbers that are not fractions stay numbers" 0 " 0.2928932188134525" coefficients alexander.json --json
echo '{"geartrain_method": 1, "kind": "rk", "name": "x", "A": [[0], ["1/3"]], "b": [0, 1], "c": [0, "1/2"]}' >wrong.json
expect "a file with wrong nodes" 2 "row 2 of A" run kpr --method wrong.json
echo '{"geartrain_method": 1, "kind": "rk", "name": "x", "order": 3, "A": [[0], ["1/2"]], "b": [0, 1]}' >wrong.json
expect "a file that promises too much" 2 "said to have order 3" run kpr --method wrong.json
echo '{"geartrain_method": 1, "kind": "multistep", "a": ["1/x"], "b": [0, 1]}' >wrong.json
expect "a file with a wrong fraction" 2 '"1/x" in a is not a number' run kpr --method wrong.json
echo '{"geartrain_method": 1,' >wrong.json
expect "a file that is not JSON" 2 "wrong.json:" run kpr --method wrong.json
echo '{"name": "x"}' >wrong.json
expect "a file that is no method" 2 "not a method file" run kpr --method wrong.json
expect "a folder" 2 "is a folder" run kpr --method ./
expect "a file that is not there" 2 "nowhere.json" run kpr --method nowhere.json
for command in order coefficients design; do
    expect "help of $command has an example" 0 "^    geartrain $command " $command --help
done

# What coefficients prints is a method file, of the same numbers.
for method in rk4 dopri5 ab3 gear4 prk25; do
    "$geartrain" coefficients $method --json >$method.json
    "$geartrain" coefficients ./$method.json --json >again.json
    sed '1,/"kind"/d' $method.json >out
    sed '1,/"kind"/d' again.json >err
    same out err
    verdict "coefficients of $method as a method file" $?
done
expect "that runs" 0 "^stated *4$" order ./rk4.json

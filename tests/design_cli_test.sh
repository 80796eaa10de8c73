# SPDX-License-Identifier: BSD-3-Clause
# design polynomial, dualrate and half: answers, files that every command takes, and refusals.
. "$SOURCE_DIR/tests/cli/kit.sh"

expect "Table 5 in fractions" 0 "beta_3   3/16" design polynomial --degree 5 --order 2
expect "its limit" 0 "stable up to 4;" design polynomial --degree 5 --order 2 --axis imaginary
expect "a limit that is a root" 0 "= sqrt(24)" design polynomial --degree 6 --order 4
expect "fractions in JSON" 0 '"3/16"' design polynomial --degree 5 --order 2 --json
expect "a polynomial that is no closed form" 0 "3.91328248637815" design polynomial --degree 5 --order 3
expect "the real axis" 0 "stable up to 32" design polynomial --degree 4 --order 1 --axis real
expect "an ellipse" 0 "imaginary half axis" design polynomial --degree 4 --order 2 --axis ellipse --aspect 0.3
expect "accuracy up to a limit" 0 "0.00026195" design polynomial --degree 8 --order 4 --limit 5.5
expect "a limit too far" 2 "stable up to 7" design polynomial --degree 8 --order 4 --limit 7
expect "nothing is stable" 0 "no polynomial" design polynomial --degree 2 --order 2
expect "an order above the degree" 2 "order" design polynomial --degree 3 --order 4
expect "no degree" 2 "needs --degree" design polynomial --order 2
expect "an axis misspelt" 2 "imaginary" design polynomial --degree 3 --order 2 --axis imaginery
expect "a flag of another kind" 2 "design polynomial has no flag --slow" design polynomial --degree 3 --order 2 --slow 3
expect "damping on the wrong axis" 2 "real axis" design polynomial --degree 5 --order 2 --damping 0.1
expect "a Runge-Kutta method with it" 0 "wrote five.json" \
    design polynomial --degree 5 --order 2 --name five --out five.json
expect "it is stable there" 0 "imaginary axis *4$" stability five.json
expect "it has order 2" 0 "conditions  order 2" order five.json
"$geartrain" design polynomial --degree 7 --order 3 --out seven.json >/dev/null
expect "one of order 3" 0 "conditions  order 3" order seven.json

pair="design dualrate --slow 3 --fast 6 --order 3 --slow-stages 1,4,6 --starts 12"
expect "a dual-rate pair" 0 "wrote mine.json" $pair --name mine --out mine.json
expect "its order by all trees" 0 "order 3: all 20" order mine.json
expect "its slow stages" 0 "evaluated at stages 1 4 6" coefficients mine.json
grep -q '"residual"' mine.json
verdict "the residual is in the file" $?
expect "it runs" 0 "status.*ok" run kpr --method mine.json --h 0.001 --t1 0.1 --json
expect "it is compared" 0 "mine" compare kpr --methods mine.json,prk36 --h 0.001 --t1 0.1
expect "its stability with coupling" 0 "spectral radius" stability mine.json --test2 alpha=10,beta=0.1 --at=-0.1,0
"$geartrain" $pair --threads 1 --json >one 2>err
"$geartrain" $pair --threads 2 --json >two 2>err
same one two
verdict "the same pairs whatever the threads" $?
"$geartrain" $pair --seed 2 --json >two 2>err
[ -s two ] && ! cmp -s one two
verdict "others from another seed" $?
expect "another place of the ranking" 0 "wrote second.json" $pair --pick 2 --out second.json
expect "one start, which is prk48" 0 "0.0208703\|0.02087" design dualrate --slow 4 --fast 8 --order 4 --limit 5.5 --start 9
expect "a place beyond the ranking" 2 "only" $pair --pick 99 --out none.json
expect "too few slow stages" 2 "at least 4 slow stages" design dualrate --slow 3 --fast 6 --order 4
expect "slow stages that do not fit" 2 "names 2" design dualrate --slow 3 --fast 6 --order 3 --slow-stages 1,2

expect "a half, with its proof" 0 "all zeros in the left half plane" design half --starts 2 --sweeps 5
expect "the half of bi77h" 0 "wrote six.json" design half --start 35 --name six --out six.json
grep -q '"error_constant": 0.00115' six.json
verdict "its error" $?
expect "a method with it is A-stable" 0 "A-stable *yes" stability six.json
expect "and has order 6" 0 "measured *6.0" order six.json
rm -f one two
"$geartrain" run lotka_volterra --method six.json --h 0.05 --out one >err 2>&1 &&
    "$geartrain" run lotka_volterra --method bi77h --h 0.05 --out two >err 2>&1 && same one two
verdict "its steps are those of bi77h" $?
"$geartrain" design half --starts 3 --sweeps 5 --threads 1 --json >one 2>err
"$geartrain" design half --starts 3 --sweeps 5 --threads 2 --json >two 2>err
same one two
verdict "the same halves whatever the threads" $?
expect "a polynomial with zeros at the right" 1 "number 7 of the first column" design half --c 1/1000
expect "6 stages cannot do it" 1 "number 5 of the first column" design half --c 1/2080 --d 0
expect "fractions too long" 2 "128 bits" design half --c 0.000892857142857143 --d 0.000124007936507937
expect "no fraction" 2 "takes a fraction" design half --c much
expect "a start that leads nowhere" 1 "start 33" design half --start 33
expect "a place beyond the halves" 2 "only" design half --start 34 --sweeps 5 --pick 2 --out none.json
echo '{"geartrain_method": 1, "kind": "backinterpolation", "name": "heuns", "A": [[], [1]], "b": ["1/2", "1/2"], "bhat": [1]}' >heuns.json
expect "a half by hand" 0 "A-stable *yes" stability heuns.json
expect "its order" 0 "stated *2" order heuns.json
sed 's/, "bhat": .1.//' heuns.json >wrong.json
expect "a half without bhat" 2 "needs bhat" order wrong.json
sed 's/.., .1..,/[1], [1]],/' heuns.json >wrong.json
expect "a half that is implicit" 2 "explicit" order wrong.json

cat >pair.json <<'END'
{"geartrain_method": 1, "kind": "partitioned", "name": "midpoint",
 "slow": {"A": [[], ["1/2"]], "b": [0, 1]}, "fast": {"A": [[], ["1/2"]], "b": [0, 1]}}
END
expect "a pair by hand" 0 "order 2: all 6" order pair.json
sed 's/"fast".*}/"fast": {"A": [[], ["1\/2"]], "b": [1, 1]}}/' pair.json >wrong.json
expect "weights that do not add up" 2 "fast weights" order wrong.json
echo '{"geartrain_method": 1, "kind": "partitioned", "slow": {"A": [[]], "b": [1]}}' >wrong.json
expect "a pair without its fast half" 2 '"slow" and "fast"' order wrong.json
echo '{"geartrain_method": 1, "kind": "partitioned", "slow": {"A": [[]], "b": [1]}, "fast": {"A": [[], [1]], "b": [1]}}' >wrong.json
expect "halves of different size" 2 "1 slow and 2 fast" order wrong.json

# Fully implicit tableaux, those of examples/methods.
for file in "$SOURCE_DIR"/examples/methods/*.json; do
    name=$(basename "$file" .json)
    stated=$(sed -n 's/.*"order": \([0-9]*\).*/\1/p' "$file")
    "$geartrain" order "$file" --json >out 2>err &&
        within "$("$BUILD_DIR/tests/jsonget" out measured 2>/dev/null || sed -n 's/^ *"measured": \([0-9.]*\).*/\1/p' out)" "$stated" 0.2
    verdict "$name, its measured order is the one it says" $?
    expect "$name is A-stable" 0 "A-stable  *yes" stability "$file"
    expect "$name has a damping" 0 "damping" damping "$file" --theta 45 --r 1,2
    expect "$name runs" 0 '"status": "ok"' run harmonic --method "$file" --h 0.1 --t1 2 --json
done
expect "a tableau that is an exact fraction" 0 '"ssp_fraction": "1"' stability heun --json
expect "decided in fractions" 0 '"nonlinear_exact": true' stability "$SOURCE_DIR/examples/methods/lobatto3c3.json" --json
expect "algebraic equations" 0 '"status": "ok"' run rc_diode --method "$SOURCE_DIR/examples/methods/lobatto3c3.json" --h 1e-5 --t1 1e-3 --json
expect "and where they cannot be" 2 "cannot treat" run rc_diode --method "$SOURCE_DIR/examples/methods/gauss2.json" --h 1e-5

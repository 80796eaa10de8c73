# SPDX-License-Identifier: BSD-3-Clause
# The commands stability, accuracy and damping: what they print, write, draw and refuse.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
# The first number after "KEY": in the JSON object that the command prints.
near() { # NAME KEY VALUE ARGUMENT...
    name=$1 key=$2 wanted=$3
    shift 3
    "$geartrain" "$@" --json >out 2>err &&
        within "$(sed -n "s/^ *\"$key\": \([^,]*\),*\$/\1/p" out | head -n 1)" "$wanted" 1e-9
    verdict "$name" $?
}

near "real limit of rk4" real_limit -2.7852935634052816 stability rk4
near "imaginary limit of rk4" imag_limit 2.8284271247461901 stability rk4
near "delta of gear of order 4" delta -0.66666666666666667 stability gear --opt order=4
near "sector of gear3" sector_deg 86.032366860211647 stability gear3
near "modulus at a point" abs 0.37796447300922722 stability gear3 --at=-7.5,0
near "spectral radius of two rates" spectral_radius 0.98039669306461 stability rk4 --test2 alpha=100,beta=0.1 --at=-0.02,0
expect "no limit at all" 0 '"real_limit": "unbounded"' stability beuler --json
expect "facts for people" 0 "A-stable *yes" stability trapezoidal
expect "where the imaginary axis is unstable" 0 "unstable there *0 .. 1.9364916731" stability gear3
expect "two rates for people" 0 "imaginary axis *0.0282" stability rk4 --test2 alpha=100,beta=0.1
expect "relative stability of formulas" 0 '"relative_boundary"' stability ab3 --json
expect "several methods" 0 '"also"' stability rk4 --also dopri5,heun --json
expect "other options of the same method" 0 "gear order=4" stability gear --opt order=3 --also order=4
expect "another method with options" 0 "taylor order=3" stability rk4 --also taylor:order=3

for option in gear.svg:--window=-4,8,-6,6 star.svg:--star; do
    "$geartrain" stability gear3 --plot "${option%%:*}" "${option#*:}" >out 2>err && grep -q "</svg>" "${option%%:*}"
    verdict "a figure with ${option#*:}" $?
done
"$geartrain" stability rk4 --also dopri5 --plot several.svg >out 2>err && grep -q dopri5 several.svg
verdict "a figure of several regions" $?
"$geartrain" stability euler --test2 alpha=10,beta=0.1 --plot two.svg >out 2>err && [ -s two.svg ]
verdict "a figure of two rates" $?
# The boundary of Euler's method is the circle of radius 1 about -1.
"$geartrain" stability euler --out circle.csv >out 2>err && head -n 1 circle.csv | grep -qx "curve,re,im" &&
    awk -F, 'NR > 1 { d = ($2 + 1)^2 + $3^2 - 1; if (d > 1e-12 || d < -1e-12) bad = 1 } END { exit bad || NR < 100 }' circle.csv
verdict "the boundary as CSV" $?

near "damping" damping 0.88137358701954305 damping trapezoidal --theta 45 --r 2
near "frequency" frequency 1.5707963267948966 damping trapezoidal --theta 45 --r 2
expect "damping for people" 0 "^ *2 *0.881373587 *1.414213562" damping trapezoidal --theta 45 --r 1,2
"$geartrain" damping rk4 --also beuler --r 8 --plot damping.svg >out 2>err && grep -q "frequency" damping.svg
verdict "a figure of damping" $?

expect "accuracy" 0 "^ *90 *0.18594" accuracy rk4 --theta 90
expect "accuracy of a method of order 1 has a tolerance that it can reach" 0 "error of at most 0.01 " accuracy euler --theta 135
expect "one of order 3 a smaller one" 0 "error of at most 0.0001 " accuracy bi33 --theta 135
expect "a method of low order among others decides" 0 "error of at most 0.01 " accuracy rk4 --also euler --theta 135
expect "accuracy that takes too many steps is said" 0 "more than 131072 steps" accuracy euler --theta 90 --tol 1e-6
expect "accuracy as JSON" 0 '"theta": 120.0' accuracy dopri5 --theta 90,120 --tol 1e-3 --json
"$geartrain" accuracy rk4 --also dopri5 --plot accuracy.svg >out 2>err && grep -q "</svg>" accuracy.svg
verdict "a figure of accuracy" $?

expect "the fast block of a pair alone" 0 "imaginary axis *4$" stability prk25
expect "a polynomial that touches 1 inside is stable beyond" 0 "imaginary axis *5.6856809769" stability prk37
expect "its slow block too" 0 "slow block, order 2" stability prk25
expect "the matrix S of two blocks" 0 "spectral radius 0.949878497174" \
    stability prk2s --zss=-0.05,0.2 --zff=-0.1,3.5 --product=-0.25,0
expect "S by coupling" 0 '"spectral_radius"' stability prk36 --zss=-0.1,0 --zff=0,3 --coupling 0.2 --json
expect "S of a plain method" 0 "spectral radius 0.91493975" stability rk2 --zss=-0.1,0 --zff=-1,0 --product=0.01,0
"$geartrain" stability prk2s --also prk3s --zss=-2,0 --zff=0,6 --coupling 0.5 --plot map.svg --out map.csv >out 2>err &&
    grep -q "</svg>" map.svg && [ "$(wc -l <map.csv)" = 20403 ]
verdict "a map of two eigenvalues, and its numbers" $?
expect "one eigenvalue of two" 2 "belong together" stability prk2s --zss=-0.1,0
expect "two ways to couple" 2 "only one" stability prk2s --zss=-0.1,0 --zff=0,3 --coupling 1 --product=1,0
expect "coupling of nothing" 2 "give --zss" stability prk2s --coupling 1

expect "gear without an order" 2 "order=3" stability gear
expect "auto" 2 "picks a method" damping auto
expect "an unknown method" 2 "did you mean 'dopri5'" stability dopri
expect "an unknown option" 2 "did you mean 'order'" stability taylor --opt ordr=3
expect "half a point" 2 "real and an imaginary part" stability rk4 --at=1
expect "half a test equation" 2 "needs both" stability rk4 --test2 alpha=1
expect "an unknown part of the test equation" 2 "not 'gamma'" stability rk4 --test2 alpha=1,gamma=2
expect "two rates for a formula with a past" 2 "past points" stability ab3 --test2 alpha=1,beta=2
expect "a star without a figure" 2 "give --plot" stability rk4 --star
expect "a window the wrong way round" 2 "left,right" stability rk4 --plot w.svg --window=1,0,0,1
expect "an angle that is none" 2 "between 0 and 180" accuracy rk4 --theta 200
expect "a negative distance" 2 "negative" damping rk4 --r=-1
for command in stability accuracy damping; do
    expect "help of $command" 0 "geartrain $command rk4" "$command" --help
done

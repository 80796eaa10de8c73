#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The energy of one stiff spring between soft ones over 10^6 of its periods, by every method of fast oscillations:
# the table and the figure of docs/exponential.md. About three minutes.
#   bench/long_runs.sh FOLDER      writes energies, and FOLDER/long_oscillation.svg
# Environment: GEARTRAIN, the program; default build/geartrain of this checkout.
set -e
here=$(cd "$(dirname "$0")/.." && pwd)
program=${GEARTRAIN:-$here/build/geartrain}
folder=${1:?bench/long_runs.sh FOLDER}
mkdir -p "$folder"
cd "$folder"
cat >spring.ode <<'END'
par w=50
x'=p
p'=-(x-y)^3-(x+y)^3
y'=q
q'=-w^2*y+(x-y)^3-(x+y)^3
#@ start x=1,p=1,q=1,y=1/w
#@ fast y,q
aux I=(q^2+w^2*y^2)/2
#@ invariant energy=(p^2+q^2+w^2*y^2)/2+((x-y)^4+(x+y)^4)/4
@ total=125664
done
END
one() {
    name=$1
    shift
    "$program" run spring.ode --every 62.832 --max-steps 100000000 --out "$name.csv" --method "$@" >"$name.txt" 2>&1
    awk -F, -v name="$name" 'NR > 1 { e = ($3^2 + $5^2 + 2500 * $4^2) / 2 + (($2 - $4)^4 + ($2 + $4)^4) / 4
            if (NR == 2) first = e
            if (NR > 1802) { sum += e / first - 1; stiff += $6; n++ } }
        END { printf "%-12s last tenth: energy %+.4f, stiff energy %.3f\n", name, sum / n, stiff / n }' "$name.csv"
    grep -A1 '^work' "$name.txt"
}
one trig trig --h 0.05
one mollified trig --h 0.05 --opt filter=mollified
for method in exprb2 exprb32 exprb43 spm spm2 spmc trapezoidal; do one $method $method --h 0.05; done
one strobe strobe --rtol 1e-5
one dop853 dop853 --rtol 1e-6
one gear gear --rtol 1e-4
gnuplot <<END
load '$here/plots/style.gp'
set terminal svg size 820,460 font 'Helvetica,12' background '#ffffff'
set output 'long_oscillation.svg'
set datafile separator ','
set key autotitle columnhead
set xlabel 'fast periods, thousands'
set ylabel 'energy over that at the start'
set rmargin 18
set xrange [0:1000]
set yrange [0:1.1]
E(x, p, y, q) = ((p**2 + q**2 + 2500*y**2)/2 + ((x - y)**4 + (x + y)**4)/4)/2.0012
plot for [m in 'trig exprb43 dop853 spm spmc exprb32 gear spm2'] m.'.csv' every 4 using (\$1*50/6283.1853):(E(\$2,\$3,\$4,\$5)) with lines title m
END

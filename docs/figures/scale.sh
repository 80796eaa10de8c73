# SPDX-License-Identifier: BSD-3-Clause
# How the time of a run of gear by iterations grows with the number of states, drawn from scale/growth.txt: the nerve of
# docs/scale.md to t = 1, rtol = atol = 1e-4. The columns: dimensions, states, seconds on one core and, in cubes, on two, steps,
# products. Times are those of one machine; bench/grids.c has the same field.
#   cd docs/figures && sh scale.sh
set -e
gnuplot <<'PLOT'
set terminal svg size 640,420 font "sans-serif,12" background rgb "white"
set output "scale/growth.svg"
set datafile missing "-"
set logscale xy
set format "10^{%L}"
set xlabel "states"
set ylabel "seconds"
set xrange [7e3:1.5e7]
set yrange [1e-2:100]
set key left top
set grid lc rgb "#dddddd"
plot 2.5e-6*x title "in proportion to the states" lc rgb "#999999" dt 2, \
     "scale/growth.txt" using ($1==2?$2:1/0):3 title "square, one core" with linespoints pt 7 lc rgb "#0072b2", \
     "" using ($1==3?$2:1/0):3 title "cube, one core" with linespoints pt 5 lc rgb "#d55e00", \
     "" using ($1==3?$2:1/0):4 title "cube, two cores" with linespoints pt 4 lc rgb "#e69f00"
PLOT

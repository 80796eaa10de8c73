#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Figures as they are drawn: the paths are read out of the SVG files and compared with the exact solutions. They were
# false where steps were long (five points a step) and where they were many (every other row was dropped).
. "$SOURCE_DIR/tests/cli/kit.sh"
command -v gnuplot >/dev/null || { skip "figures" "there is no gnuplot"; exit 0; }

# The points of the curve with this title as "t y", where the axis of t runs from T0 to T1; the axis of y is read off
# its marks. A line "gap" where the path breaks off.
curve() { # FILE TITLE T0 T1
    awk -v title="$2" -v t0="$3" -v t1="$4" '
        /class="gridline"/ && !width && /M[0-9.]*,[0-9.]* L/ { # the first horizontal line is as long as the axis
            split($0, d, "M"); split(d[2], ends, /[, L]+/)
            if (ends[2] == ends[4]) { left = ends[1]; width = ends[3] - ends[1] }
        }
        width && index($0, "d=\047M" left ",") && !/gridline/ { # a mark on the left axis; its number follows
            split($0, d, "M"); split(d[2], ends, /[, L]+/)
            if (ends[2] == ends[4]) { mark = ends[2]; waits = 1 }
        }
        waits && /<tspan/ {
            value = $0; sub(/.*<tspan[^>]*>/, "", value); sub(/<.*/, "", value)
            if (value ~ /^-?[0-9.e+-]+$/) { if (!marks++) { y0 = mark; v0 = value } y1 = mark; v1 = value }
            waits = 0
        }
        /<title>/ { inside = index($0, "<title>" title "</title>") > 0 }
        /stroke-width="1.00"/ { inside = 0 } # the axes again
        inside && /d=\047/ { text = $0; sub(/.*d=\047/, "", text); reads = 1 }
        inside && reads {
            if (!(/d=\047/)) text = $0
            ends_here = text ~ /\047/
            sub(/\047.*/, "", text)
            n = split(text, words, /[ \t]+/)
            for (i = 1; i <= n; i++) {
                if (words[i] !~ /,/) continue
                if (words[i] ~ /^M/ && count) gap = 1
                sub(/^[ML]/, "", words[i])
                split(words[i], p, ",")
                if (p[1] > left + width + 1) continue # the legend
                if (gap && count) print "gap"
                gap = 0
                count++
                printf "%.6f %.8g\n", t0 + (p[1] - left) / width * (t1 - t0), v0 + (p[2] - y0) / (y1 - y0) * (v1 - v0)
            }
            if (ends_here) reads = 0
        }' "$1"
}

# Every piece of the path, looked at in 8 places, is where the exact solution is, to about a pixel in both directions
# (of 620 and of at least 200), and the path goes from the beginning to the end.
follows() { # T0 T1 RANGE_OF_Y EXPRESSION-OF-t <points
    awk -v t0="$1" -v t1="$2" -v range="$3" '
        function exact(t) { return '"$4"' }
        function off(t, y,  k, low, high, e) { # how far y is from what is exact within a pixel of t
            low = 1e300; high = -1e300
            for (k = -8; k <= 8; k++) {
                e = exact(t + k / 8 * 1.2 * (t1 - t0) / 620)
                if (e < low) low = e
                if (e > high) high = e
            }
            return y < low ? low - y : y > high ? y - high : 0
        }
        $1 == "gap" { joined = 0; gaps++; next }
        {
            if (!points++) first = $1
            for (k = 1; joined && k <= 8; k++) {
                t = last + ($1 - last) * k / 8; y = before + ($2 - before) * k / 8
                if (off(t, y) > worst) { worst = off(t, y); where = t }
            }
            last = $1; before = $2; joined = 1
        }
        END {
            printf "%d points, %d gaps, off by %g at t = %g, from %g to %g\n", points, gaps, worst, where, first, last
            pixel = (t1 - t0) / 620
            exit !(points > 10 && !gaps && worst < range / 200 && first < t0 + 2 * pixel && last > t1 - 2 * pixel)
        }'
}

cat >osc.ode <<'END'
x'=v
v'=-400*x
x(0)=1
@ total=6
done
END
"$geartrain" run osc.ode --method exprb32 --vars x --plot osc.svg --json >out 2>err
check "fifteen periods in ten steps are drawn" [ "$(grep -c '"steps": 10,' out)" = 1 ]
curve osc.svg x 0 6 >points
check "a path through long steps follows cos 20 t" follows 0 6 2 'cos(20 * t)' <points
"$geartrain" run osc.ode --method exprb32 --vars x --every 2 --out rows.csv --plot every.svg >out 2>err
check "--every does not change the figure" same osc.svg every.svg
check "and the figure does not change the rows" [ "$(wc -l <rows.csv)" = 5 ]
for how in "dopri5 --rtol 1e-4" "dop853" "gear --rtol 1e-7" "rodas4" "trapezoidal --rtol 1e-6" "am4 --rtol 1e-7" \
    "exprb43 --h .7" "rk4 --h .01" "bi --h .02" "taylor --h .1 --opt order=20" "ab4 --h .005"; do
    # shellcheck disable=SC2086
    "$geartrain" run osc.ode --method $how --vars x --plot how.svg --quiet >out 2>err
    curve how.svg x 0 6 >points
    check "$how follows it too" follows 0 6 2 'cos(20 * t)' <points
done
"$geartrain" run osc.ode --method exprb32 --phase x,v --plot phase.svg >out 2>err
curve phase.svg gnuplot_plot_1a -1 1 >points
awk '$1 != "gap" { r = $1 ^ 2 + ($2 / 20) ^ 2; n++; if (r < .99 || r > 1.01) bad++ }
    END { printf "%d points, %d off the ellipse\n", n, bad; exit !(n > 100 && !bad) }' points >log
verdict "the phase of it is an ellipse" $?
"$geartrain" compare osc.ode --methods exprb32,dopri5 --trajectories --vars x --plot both.svg >out 2>err
curve both.svg "exprb32 rtol=1e-06" 0 6 >points
check "and so in a figure of trajectories" follows 0 6 2 'cos(20 * t)' <points
curve both.svg reference 0 6 >points
check "with the reference beside it" follows 0 6 2 'cos(20 * t)' <points

# A step that a cubic cannot follow, by a method that has nothing else: points, and no line.
"$geartrain" run osc.ode --method bi --h .3 --vars x --plot loose.svg >out 2>err
curve loose.svg gnuplot_plot_1a 0 6 >points
awk '$1 != "gap" && before != "gap" && NR > 1 { joined++ } { before = $1 } END { exit joined > 0 }' points
verdict "steps that no cubic can follow are not joined" $?
check "but drawn as points" [ "$(grep -c '<use ' loose.svg)" -ge 20 ]

check "and so in the legend" grep -q '"gnuplot_plot_2a" ><title>x<' loose.svg

# Nine digits of a time near 1e6 tell nothing of a run of a thousandth; of a value near 1e7 they leave a staircase.
printf "x'=-20*pi*sin(20*pi*(t-1e6)/1e-3*.1)*100\nx(0)=1\n@ t0=1e6,total=1e-3\ndone\n" >far.ode
"$geartrain" run far.ode --rtol 1e-5 --plot far.svg >out 2>err
check "a time that begins far from 0 has its label" grep -q '>t - 1000000<' far.svg
curve far.svg x 0 1e-3 >points
check "and the curve its shape" follows 0 1e-3 2 'cos(2 * 3.14159265358979 * t / 1e-3)' <points
printf "x'=2000*pi*cos(2*pi*t*1e4)\nx(0)=1e7\n@ total=1e-4\ndone\n" >high.ode
"$geartrain" run high.ode --rtol 1e-10 --plot high.svg >out 2>err
check "so has a value that changes little" grep -q '>x - [0-9.]*<' high.svg

# 500,000 steps in the first tenth of the run: x, which is exact in three pieces, was one line from there on.
cat >stick.ode <<'END'
x'=v
v'=-x+sign(.3-v)
@ total=30
done
END
"$geartrain" run stick.ode --method dopri5 --vars x --plot stick.svg >out 2>err
curve stick.svg x 0 30 >points
check "many short steps do not take the place of the long ones" follows 0 30 1.4 \
    't < .304693 ? 1 - cos(t) : t < 3.484502 ? .0460608 + .3 * (t - .304693) : 1 + .3 * sin(t - 3.484502)' <points

# Both sides of a jump.
cat >ball.ode <<'END'
h'=v
v'=-9.81
h(0)=1
global -1 h {v=-0.8*v;h=0}
@ total=1
done
END
for how in "" "--every .4 --out ball.csv" "--method rk4 --h .1"; do
    # shellcheck disable=SC2086
    "$geartrain" run ball.ode --vars v --plot ball.svg $how >out 2>err
    curve ball.svg v 0 1 >points
    awk '$1 > .4495 && $1 < .4535 { if ($2 < low) low = $2; if ($2 > high) high = $2 }
         END { print low, high; exit !(low < -4.39 && low > -4.47 && high > 3.5 && high < 3.58) }' points >log
    verdict "a jump has both its sides: run ball.ode $how" $?
done

# A break: f jumps, x has a corner that must be there, whatever the rows.
cat >saw.ode <<'END'
x'=if(t<1.2345678)then(1)else(-1)
@ total=3
done
END
"$geartrain" run saw.ode --method dopri5 --vars x --plot saw.svg --every 3 >out 2>err
curve saw.svg x 0 3 >points
check "a corner is drawn where it is" follows 0 3 2.5 't < 1.2345678 ? t : 2 * 1.2345678 - t' <points

# The looks.
expect "a title of one's own" 0 "wrote" run osc.ode --method exprb32 --title 'Fifteen "periods"' --size 900x500 --plot t.svg
check "is drawn" grep -q 'Fifteen .*periods' t.svg
check "and the size" grep -q 'width="900" height="500"' t.svg
expect "a size in a sweep" 0 "wrote" sweep lorenz --t1 1 --sweep sigma=8,10,12 --vars x --plot s.svg --size 700x400 --title S
check "is that of its figure" grep -q 'width="700" height="400"' s.svg
for command in "stability rk4" "accuracy rk4" "damping rk4" "linearize lorenz" "advise stiff3c --methods rk4 --h .03" \
    "compare lorenz --t1 1 --methods dopri5,rkf45 --quiet" "design polynomial --degree 4 --order 2" \
    "power run $SOURCE_DIR/cases/wscc9.m --t1 1" "power modes $SOURCE_DIR/cases/wscc9.m"; do
    # shellcheck disable=SC2086
    "$geartrain" $command --plot looks.svg --size 640x480 --title 'As asked' >out 2>err
    grep -q 'width="640" height="480"' looks.svg && grep -q '>As asked<' looks.svg
    verdict "title and size: $command" $?
done
# In 700x400 legends went on in a second column, outside the figure, and ticks were printed over each other.
legend_inside() { # FILE WIDTH: the legend of each panel is one column, and its texts end before the edge
    awk -v width="$2" '
        /transform="translate\(/ { split($0, at, /[(,)]/); match($0, /font-size="[0-9.]*/)
                                   size = substr($0, RSTART + 11, RLENGTH - 11) + 0; x = at[2] + 0 }
        /<text>(delta|omega|V)_[0-9]*</ { gsub(/.*<text>|<.*/, ""); panel = $0; sub(/_.*/, "", panel)
            if (panel in column && column[panel] != x) wrong = 1
            if (x + .6 * size * length($0) > width) wrong = 1
            column[panel] = x; count++ }
        END { exit wrong || count < 14 }' "$1"
}
for size in 700x400 300x240 1200x900 2600x700; do
    "$geartrain" power run "$SOURCE_DIR/cases/wscc9.m" --t1 1 --plot small.svg --size $size >out 2>err
    check "all legends are inside a figure of $size" legend_inside small.svg "${size%x*}"
done
expect "a size that is none" 2 "WxH" run osc.ode --size 900 --plot t.svg
expect "a size for giants" 2 "WxH" run osc.ode --size 9000000x5 --plot t.svg
expect "a title without a figure" 2 "give --plot" run osc.ode --title T

# A figure leaves the counters as they are.
for how in "rk4 --h .01" "dop853" "bi --h .02" "gear"; do
    # shellcheck disable=SC2086
    "$geartrain" run osc.ode --method $how --json >out 2>err
    grep -A12 '"stats"' out >without
    # shellcheck disable=SC2086
    "$geartrain" run osc.ode --method $how --json --plot c.svg >out 2>err
    grep -A12 '"stats"' out >with
    check "the work of $how is reported as without a figure" same with without
done
"$geartrain" run osc.ode --method exprb32 --plot t.svg --size 400x300 \
    --title "A title that is far too long for a figure as small as this one is" >out 2>err
check "a long title is made smaller" awk '/too long for a figure/ { match($0, /font-size="[0-9.]*/)
    exit !(substr($0, RSTART + 11, RLENGTH - 11) * .6 * 65 < 410) }' t.svg

# The first steps, in which x has hardly moved yet, were drawn as points.
"$geartrain" run osc.ode --method euler --h .001 --t1 .5 --plot first.svg >out 2>err
check "the first steps of Euler's method are joined" [ "$(grep -c '<use .*translate' first.svg)" = 0 ]

# 2000 points beat with 1592 periods: the amplitude of what is damped came and went.
printf "x'=v\nv'=-x-1e-4*v\nx(0)=1\n@ total=1e4\ndone\n" >damped.ode
"$geartrain" run damped.ode --method exprb32 --vars x --plot damped.svg >out 2>err
curve damped.svg x 0 1e4 >points
amplitude() { # SPAN RATE: of x over time, in every of 300 columns
    awk -v span="$1" -v rate="$2" '
        $1 != "gap" { k = int($1 / span * 300); if ($2 > high[k]) high[k] = $2; if ($2 < low[k]) low[k] = $2 }
        END { for (k = 1; k < 299; k++) { a = exp(-rate * (k + .5) / 300 * span)
                  if (high[k] < .98 * a || high[k] > 1.02 * a || low[k] > -.98 * a) exit 1 } }' points
}
check "the amplitude of thousands of periods is seen in every column" amplitude 1e4 .5e-4
# The same by auto, which takes steps of hundreds of periods too.
printf "x'=v\nv'=-1e6*x-.2*v\ns'=x*x-.1*s\nx(0)=1\n@ total=20\ndone\n" >strobed.ode
"$geartrain" run strobed.ode --rtol 1e-4 --vars x --plot strobed.svg >out 2>err
curve strobed.svg x 0 20 >points
check "also by auto" amplitude 20 .1

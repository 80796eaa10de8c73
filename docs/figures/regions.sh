# SPDX-License-Identifier: BSD-3-Clause
# Which method takes the least work, by damping ratio and gap and by size and cost ratio: runs each method with several
# tolerances, takes the cheapest run whose largest error is at most 1e-4, and draws the winner of each cell into regions/.
# The formulas of the work are on the page docs/regions.md. About a minute.
#   cd docs/figures && sh regions.sh
# Environment: GEARTRAIN, the program; default build/geartrain of this checkout.
set -e
program=${GEARTRAIN:-$(dirname "$0")/../../build/geartrain}
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
mkdir -p regions

model() { # PAIRS: a slow state and so many fast pairs
    cat <<EOF
par zeta=0.7, gap=1e4
x'=-x+sum(1,$1)of(shift(z1,i'-1))/$1
z[1..$1]'=gap*w[j]
w[1..$1]'=gap*(-z[j]-0.5*z[j]^3-2*zeta*w[j]+0.5*x+sin(t))
#@ fast z,w
init x=1
@ total=5
done
EOF
}

counts() { # MODEL ZETA GAP METHODS: for each good run its method and what it has called
    timeout 60 "$program" compare "$1" --set zeta="$2" --set gap="$3" --methods "$4" --rtol 1e-2,1e-3,1e-4,1e-5,1e-6 \
        --max-steps 20000 --repeat 1 --threads 1 --quiet --json 2>/dev/null | awk '
        { gsub(/[",:]/, "") }
        $1 == "method" { method = $2; error = 1 }
        $1 == "max" { error = $2 }
        { at[$1] = $2 }
        $1 == "krylov" && error + 0 <= 1e-4 {
            print method, at["rhs"], at["rhs_slow"], at["rhs_fast"], at["jacobians"], at["factorizations"], at["newton"]
        }' || true
}

# Draws rows "column row method work, the second and its work" as cells. TITLE ACROSS UP FILE
draw() {
    awk -v title="$1" -v across="$2" -v up="$3" '
        BEGIN {
            split("dop853 #9ecae1 gear #fdd0a2 radau #fdae6b rodas5 #fd8d3c exprb43 #a1d99b smes #dadaeb mri4 #bcbddc mradams #9e9ac8 prk48 #c7e9c0", c, " ")
            for (i = 1; i in c; i += 2) color[c[i]] = c[i + 1]
        }
        !($1 in column) { column[$1] = columns++; name_of_column[columns - 1] = $1 }
        !($2 in row) { row[$2] = rows++; name_of_row[rows - 1] = $2 }
        { first[column[$1], row[$2]] = $3; work[column[$1], row[$2]] = $4; second[column[$1], row[$2]] = $5 == "" ? "" : sprintf("%s %.1f", $5, $6 / $4) }
        END {
            W = 104; H = 58; left = 90; top = 46
            printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n", left + columns * W + 10, top + rows * H + 56
            printf "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/><text x=\"%d\" y=\"24\" font-size=\"14\">%s</text>\n", left, title
            for (j = 0; j < rows; j++) {
                y = top + (rows - 1 - j) * H
                printf "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", left - 8, y + H / 2 + 4, name_of_row[j]
                for (i = 0; i < columns; i++) {
                    x = left + i * W; m = first[i, j]
                    printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" stroke=\"white\"/>\n", x, y, W, H, m in color ? color[m] : "#eeeeee"
                    if (m == "") continue
                    printf "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text><text x=\"%d\" y=\"%d\" font-size=\"11\">%.3g</text><text x=\"%d\" y=\"%d\" font-size=\"11\">%s</text>\n", x + 6, y + 18, m, x + 6, y + 34, work[i, j], x + 6, y + 50, second[i, j]
                }
            }
            for (i = 0; i < columns; i++) printf "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", left + i * W + W / 2, top + rows * H + 18, name_of_column[i]
            printf "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", left + columns * W / 2, top + rows * H + 40, across
            printf "<text x=\"14\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 14 %d)\">%s</text>\n</svg>\n", top + rows * H / 2, top + rows * H / 2, up
        }' >"$4"
}

# The work of each run with N states and a slow block that costs C calls of the fast one; then the two best. COLUMN ROW N C
best() {
    awk -v column="$1" -v row="$2" -v n="$3" -v c="$4" '
        {
            work = $2 * (c + 1) + $3 * c + $4 + $5 * n * (c + 1) + $6 * n * n / 30 + $7 * n / 10
            if ($1 ~ /^expr/) work += $5 * 3 * n * n
            if (!($1 in least) || work < least[$1]) least[$1] = work
        }
        END {
            for (m in least) {
                if (a == "" || least[m] < least[a]) { b = a; a = m }
                else if (b == "" || least[m] < least[b]) b = m
            }
            print column, row, a, least[a], b, b == "" ? "" : least[b]
        }'
}

for zeta in 0 0.01 0.03 0.1 0.3 0.7 1; do
    for gap in 10 100 1000 1e4 1e5; do
        case $zeta,$gap in 0,1e* | 0.01,1e5) echo "$gap $zeta"; continue ;; esac # no reference in reasonable time
        model 1 >"$scratch/m.ode"
        counts "$scratch/m.ode" $zeta $gap dop853,smes,gear,radau,rodas5,exprb43 | best $gap $zeta 3 0
    done
done >regions/gap.txt
draw "Least work for an error of 1e-4: 3 states, all of equal cost" "gap: fast over slow rate" "damping ratio" regions/gap.svg <regions/gap.txt
for pairs in 1 4 16 50; do
    model $pairs >"$scratch/m.ode"
    counts "$scratch/m.ode" 0.05 30 dop853,smes,gear,radau,exprb43,mri4,mradams,prk48 >"$scratch/counts"
    for ratio in 0.1 1 10 100 1000; do
        best $((2 * pairs + 1)) $ratio $((2 * pairs + 1)) $ratio <"$scratch/counts"
    done
done >regions/cost.txt
draw "Least work for an error of 1e-4: damping ratio 0.05, gap 30" "states" "cost of the slow block over that of the fast one" regions/cost.svg <regions/cost.txt

# SPDX-License-Identifier: BSD-3-Clause
# A sweep in parts, on as many machines as there are: sweep --part and sweep merge give the bytes of the whole sweep.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
sweep="sweep lorenz --sweep rho=10:30:23 --sweep sigma=8,10 --t1 1"
"$geartrain" $sweep --out whole.csv >out 2>err
check "a whole sweep" [ "$(wc -l <whole.csv)" = 47 ]

for n in 1 2 3 7 46 50; do
    rm -rf parts && mkdir parts
    i=1
    while [ $i -le $n ]; do
        "$geartrain" $sweep --part $i/$n --threads $((1 + i % 2)) --out parts/$i.csv --quiet >out 2>err || echo "part $i of $n" >>wrong
        i=$((i + 1))
    done
    [ $n = 1 ] && continue # a part that is the whole has the file of the whole
    "$geartrain" sweep merge parts/*.csv --out merged.csv >out 2>err
    check "$n parts, merged in the order of the shell" cmp merged.csv whole.csv
done
check "each part was run" [ ! -e wrong ]
check "one part is the whole" [ "$("$geartrain" $sweep --part 1/1 --out - --quiet | cmp - whole.csv && echo same)" = same ]
"$geartrain" $sweep --part 1/2 --out a.csv --quiet >out 2>err
"$geartrain" $sweep --part 2/2 --out b.csv --quiet >out 2>err
check "standard output" [ "$("$geartrain" sweep merge b.csv a.csv | cmp - whole.csv && echo same)" = same ]
rows_in() { "$geartrain" $sweep --part 2/5 --json 2>err | grep -c '"status"'; }
check "JSON has the runs of the part" [ "$(rows_in)" = 9 ]

# Resumed: what is done is kept.
"$geartrain" $sweep --part 2/2 --checkpoint two --out b.csv --quiet >out 2>err
expect "a part that is resumed makes nothing again" 0 '23 of the 46 runs are taken from two' $sweep --part 2/2 --resume two --out again.csv
check "and gives the same bytes" cmp b.csv again.csv
head -n 20 b.csv >short.csv
expect "a part that is not finished" 2 'has 18 of the 23 rows of part 2/2' sweep merge a.csv short.csv --out m.csv
head -c -3 b.csv >cut.csv
expect "a part whose last row is cut" 2 'not finished' sweep merge a.csv cut.csv --out m.csv
check "writes nothing" [ ! -e m.csv ]

# What does not belong together.
expect "a part is missing" 2 'part 2/2 is missing' sweep merge a.csv --out m.csv
expect "a part twice" 2 'are both part 1/2' sweep merge a.csv a.csv --out m.csv
"$geartrain" sweep lorenz --sweep rho=10:30:23 --sweep sigma=8,10 --t1 2 --part 2/2 --out other.csv --quiet >out 2>err
expect "a part of another sweep" 2 'different sweeps' sweep merge a.csv other.csv --out m.csv
"$geartrain" $sweep --part 3/3 --out third.csv --quiet >out 2>err
printf "#include part.inc\npar a=1\nx'=-a*k*x\ninit x=1\n@ total=1\n" >inc.ode
echo 'par k=1' >part.inc && "$geartrain" sweep inc.ode --sweep a=1:2:4 --part 1/2 --out i1.csv --quiet >out 2>err
echo 'par k=2' >part.inc && "$geartrain" sweep inc.ode --sweep a=1:2:4 --part 2/2 --out i2.csv --quiet >out 2>err
expect "an included file that has changed" 2 'different sweeps' sweep merge i1.csv i2.csv --out m.csv
printf "par a=1\nx'=-a*x\ninit x=1\n@ total=1\n" | "$geartrain" sweep - --sweep a=1:2:4 --part 1/2 --out i1.csv --quiet >out 2>err
printf "par a=1\nx'=-2*a*x\ninit x=1\n@ total=1\n" | "$geartrain" sweep - --sweep a=1:2:4 --part 2/2 --out i2.csv --quiet >out 2>err
expect "another model on standard input" 2 'different sweeps' sweep merge i1.csv i2.csv --out m.csv
expect "parts of other sizes" 2 'one of 2 parts' sweep merge a.csv third.csv --out m.csv
expect "not a part" 2 'is not the file of a part' sweep merge whole.csv --out m.csv
expect "no files" 2 'needs the files' sweep merge --out m.csv
expect "not over one of them" 2 'a.csv' sweep merge a.csv b.csv --out a.csv
expect "flags of runs" 2 '\-\-rtol belongs to the runs' sweep merge a.csv b.csv --rtol 1e-3
for bad in 0/2 3/2 2 1/0 a/b 1/2x -1/2 1/2/3 99999999999999999999/3; do
    expect "--part $bad" 2 'the I-th of N parts' sweep lorenz --sweep rho=1,2 --part=$bad
done
expect "a figure of a part" 2 'draws a whole sweep' $sweep --part 1/2 --plot a.svg
expect "two models" 2 'takes one model' sweep lorenz vanderpol --sweep rho=1,2

# What the runs warned of is not lost with the standard error of the machines that made them.
printf "par k=1\nx'=v\nv'=-k*x\nc'=0\nglobal 1 x-.99999999 {c=c+1}\ninit v=1\n@ total=20\n" >turns.ode
for i in 1 2; do
    "$geartrain" sweep turns.ode --sweep k=1:1.5:4 --part $i/2 --out w$i.csv --quiet >out 2>err
done
expect "rows with warnings" 0 '1 of 4 runs have warnings .*the first in row 1' sweep merge w1.csv w2.csv --out m.csv

# GNU parallel carries the parts.
if command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q GNU; then
    mkdir jobs
    parallel --will-cite -j 2 "$geartrain" $sweep --part {}/5 --threads 1 --quiet --out jobs/{}.csv ::: 1 2 3 4 5 >out 2>err </dev/null
    "$geartrain" sweep merge jobs/*.csv --out merged.csv >out 2>err
    check "by GNU parallel" cmp merged.csv whole.csv
else
    skip "by GNU parallel" "parallel is not installed"
fi

# SPDX-License-Identifier: BSD-3-Clause
# The first thing that anybody sees: scripts/demo, as it is, on what has been built.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"

runs() { (cd "$SOURCE_DIR" && BUILD_DIR=$BUILD_DIR ./scripts/demo) >demo.out 2>&1; }
fits() { sed -n '/^method /,$p' demo.out | grep -vF "$BUILD_DIR" | awk 'length($0) > 79 { print; bad = 1 } END { exit bad }'; }
# The numbers of the sentence are those of the table: rows by name, evaluations in the sixth column.
says_what_the_table_has() {
    awk '/^exprb32 / && NF == 8 { mine = $6 } /^dopri5 / && NF == 8 { other = $6 }
         /is the fastest|is the most accurate/ { sentence = 1 }
         sentence && match($0, /[0-9]+ times fewer/) { said = substr($0, RSTART, RLENGTH) + 0 }
         END { exit !(sentence && mine > 0 && (said == 0 || (said > 0.98 * other / mine && said < 1.02 * other / mine))) }' demo.out
}
draws() { grep -q '</svg>' "$BUILD_DIR/demo.svg"; }
names_next_commands() { [ "$(sed -n '/^Next:/,$p' demo.out | grep -c geartrain)" -ge 3 ]; }
check "the demo runs" runs
check "its table fits 79 columns" fits
check "its sentence has the numbers of its table" says_what_the_table_has
check "it draws its figure" draws
check "it names the commands to try next" names_next_commands

# --in-words: a JSON key too, null where there is nothing to compare.
words() { "$geartrain" compare harmonic --methods dopri5,rk4:h=0.1 --in-words --json >words.json && grep -q '"words": "[a-z0-9]* ' words.json; }
no_words() { "$geartrain" compare harmonic --methods dopri5 --in-words --json >none.json && grep -q '"words": null' none.json; }
check "compare --in-words says who is ahead" words
check "compare --in-words of one row has nothing to say" no_words
both_panels() {
    "$geartrain" compare harmonic --methods dopri5,rk4:h=0.1 --trajectories --with-work --vars x1 --plot both.svg --quiet >/dev/null &&
        grep -q 'evaluations of f' both.svg && grep -q '>x1' both.svg
}
check "compare --with-work draws the motion beside the work" both_panels
refused() { ! "$geartrain" compare harmonic --methods dopri5 --trajectories --with-work --plot no.svg 2>err && grep -q 'room for one state' err; }
check "compare --with-work has room for one state" refused

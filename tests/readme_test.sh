# SPDX-License-Identifier: BSD-3-Clause
# What README.md shows is taken from README.md itself, compiled, run and compared with what it says.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
readme=$SOURCE_DIR/README.md
block() { # LANGUAGE: the lines of the only such block
    awk -v fence="\`\`\`$1" '$0 == fence { inside = 1; next } /^```/ { inside = 0 } inside' "$readme"
}

sanitize=$(cached GEARTRAIN_SANITIZE)
block c >main.c
block text >expected
block sh | sed 's/^geartrain /"$geartrain" /' >line.sh

compile() {
    $(cached CMAKE_C_COMPILER) -std=c11 -Wall -Wextra -Werror ${sanitize:+-fsanitize=$sanitize} -I"$SOURCE_DIR/include" main.c \
        -L"$BUILD_DIR" -lgeartrain -Wl,-rpath,"$BUILD_DIR" -o main
}
says_what_is_expected() { ./main >output && [ -s expected ] && diff expected output; }
short_enough() { [ "$(wc -l <main.c)" -ge 10 ] && [ "$(wc -l <main.c)" -le 16 ]; }
draws() {
    [ "$(grep -c . line.sh)" = 1 ] || return 1
    export geartrain
    sh line.sh || return 1
    figure=$(sed -n 's/.*--plot \([^ ]*\).*/\1/p' line.sh)
    grep -q '</svg>' "$figure" && grep -q "](docs/figures/$figure)" "$readme" && [ -s "$SOURCE_DIR/docs/figures/$figure" ]
}
scripts_exist() {
    grep -o '\./scripts/[a-z-]*' "$readme" | sort -u >named
    [ "$(wc -l <named)" -ge 2 ] || return 1
    for script in $(cat named); do
        [ -x "$SOURCE_DIR/$script" ] || { echo "$script is not there"; return 1; }
    done
}
# Somebody who has only cloned it: the line that README has them type makes its examples work.
finds_the_program() {
    line=$(sed -n 's/^ *\(export PATH=[^ ]*\).*/\1/p' "$readme")
    [ -n "$line" ] && ln -sfn "$BUILD_DIR" build && (PATH=/usr/bin:/bin && eval "$line" && command -v geartrain)
}
compiles_by_its_own_words() {
    line=$(sed -n 's/.*`\(cc main.c -Iinclude [^`]*\)`.*/\1/p' "$readme")
    [ -n "$line" ] && ln -sfn "$SOURCE_DIR/include" include && rm -f main || return 1
    [ -n "$sanitize" ] || eval "$line"
}
check "README, the shell finds the program" finds_the_program
check "README, the line that compiles the C program" compiles_by_its_own_words
check "README, the C program is short" short_enough
check "README, the C program compiles" compile
check "README, the C program prints what is shown" says_what_is_expected
check "README, the command runs and draws the figure shown" draws
check "README, the two commands exist" scripts_exist

# The table: its own numbers are those that the demo prints, those of CVODE the ones on the page of benchmarks.
number_after() { grep -m 1 "$1" "$readme" | sed -n "s/.*$2.*/\1/p"; } # LINE PATTERN
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && b > 0 && a / b < 1.05 && b / a < 1.05) }'; }
pendulum_row() {
    set -- $(sed -n 's/.*\(--t1 0.4 --methods [^ ]* --every 0.001\).*/\1/p' "$SOURCE_DIR/docs/figures/draw.sh")
    [ $# = 6 ] && "$geartrain" compare pendulum "$@" >pendulum || return 1
    row='| that pendulum'
    near "$(number_after "$row" 'exprb32`: \([0-9]*\) evaluations')" "$(awk '$1 == "exprb32" { print $6 }' pendulum)" &&
        near "$(number_after "$row" 'of f, \([0-9]*\) Jacobians')" "$(awk '$1 == "exprb32" { print $7 }' pendulum)" &&
        near "$(number_after "$row" 'Jacobians, error \([0-9.e-]*\)')" "$(awk '$1 == "exprb32" { print $3 }' pendulum)" &&
        near "$(number_after "$row" 'dopri5`: \([0-9]*\) eval')" "$(awk '$1 == "dopri5" { print $6 }' pendulum)" &&
        near "$(number_after "$row" 'evaluations, error \([0-9.e-]*\)')" "$(awk '$1 == "dopri5" { print $3 }' pendulum)"
}
# "8 steps" stands in the caption and in the words for the picture, "45 times" there too: 0.4 s of the fastest mode.
caption() {
    steps=$(awk '$1 == "exprb32" { print $4 }' pendulum)
    [ "$(grep -c "in $steps steps" "$readme")" = 2 ] || return 1
    swings=$("$geartrain" linearize pendulum | awk '/ inf / && $5 > fastest { fastest = $5 } END { print 0.4 * fastest }')
    near "$(number_after '^!\[Left' 'swings \([0-9]*\) times')" "$swings"
}
# Where there is SciPy; "some" is within a tenth.
scipy_row() {
    row='| that pendulum'
    "$SOURCE_DIR/scripts/demo-scipy" "$geartrain" pendulum >beside || return 1
    grep -q '^SciPy DOP853' beside || return 0
    awk -v calls="$(number_after "$row" 'DOP853: some \([0-9]*\), error')" -v error="$(number_after "$row" 'DOP853: some [0-9]*, error \([0-9.e-]*\)')" '
        /^SciPy DOP853/ { ok = calls / $5 < 1.1 && $5 / calls < 1.1 && error / $4 < 1.5 && $4 / error < 1.5 } END { exit !ok }' beside
}
cvode_rows() {
    page=$SOURCE_DIR/docs/benchmarks.md
    near "$(number_after '| HIRES' 'takes \([0-9.]*\) times the time')" "$(sed -n 's/^| hires | gear |.*CVODE \([0-9.]*\) (.*/\1/p' "$page")" &&
        near "$(number_after '| HIRES' 'time, \([0-9.]*\) times the eval')" "$(sed -n 's/^| hires | gear |.*CVODE [0-9.]* (\([0-9.]*\)).*/\1/p' "$page")" &&
        near "$(number_after '100,000 states' 'takes \([0-9.]*\) times the time')" "$(sed -n 's/^| brusselator-100000 | gear | CVODE bdf \([0-9.]*\) (.*/\1/p' "$page")"
}
check "README, the numbers of the pendulum are those that the command prints" pendulum_row
check "README, what the caption of the picture says is counted" caption
check "README, the numbers of SciPy are those that the demo prints" scipy_row
check "README, the numbers of CVODE are those of the page of benchmarks" cvode_rows
model_runs() { block ode >oscillator.ode && "$geartrain" run oscillator.ode --json >run.json && grep -q '"status": "ok"' run.json; }
check "README, the model file runs" model_runs

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

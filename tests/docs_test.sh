# SPDX-License-Identifier: BSD-3-Clause
# The manual fits the program: a page for each method and model with all its parts, blocks made from the descriptors that
# are fresh, links that lead somewhere, commands that run and print what the page says, a line for each figure.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR. Pages are checked two at a time.
. "$SOURCE_DIR/tests/cli/kit.sh"
unset COLUMNS # pages show lines of 80 columns
cd "$SOURCE_DIR" || exit 1

# ---- the commands of a page ----

# Lines of code that begin with "geartrain", after "$ " perhaps; "# exit N" tells of a status that is not 0.
commands() { sed -n 's/^\(    \)\{0,1\}\(\$ \)\{0,1\}\(geartrain .*\)/\3/p' "$1"; }

# What the page shows below its k-th command, when that has a "$": to the end of the code or to the next command.
shown() { # PAGE K
    awk -v wanted="$2" '
        /^```/ { inside = 0 }
        /^(    )?(\$ )?geartrain / { inside = ++count == wanted && /\$ geartrain/; indented = /^    /; next }
        inside && indented && NF && !/^    / { inside = 0 }
        inside && NF' "$1"
}

# The lines of the first file are in the second one, in this order. Numbers may differ by 2 %, those with seven digits in
# a message by 1e-5, or when both are tiny; a last column of times is not looked at, and ".." stands for the rest of a line.
# What a run did follows the last bits of f, which are those of a processor and a C library: its counts may differ by a
# tenth, or twice the root where they are small, and its errors, which have an exponent, by a factor of two. Where
# rounding decides, as in the counts of a run that jumps or is stiff, the page says ~N: within a factor of two.
agrees() {
    awk '
        # mawk leaves out numbers of one digit with the shorter form of this expression.
        function skeleton(line) {
            gsub(/~/, "", line)
            gsub(/[-+]?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][-+]?[0-9]+)?/, "#", line)
            gsub(/[ \t]+/, " ", line)
            sub(/^ /, "", line)
            return line
        }
        function numbers(line, list,   n) {
            n = 0
            while (match(line, /[-+]?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][-+]?[0-9]+)?/)) {
                list[++n] = (match_of(line) ~ /[~=]/ ? match_of(line) : "") substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
            }
            return n
        }
        function match_of(line) { return RSTART > 1 ? substr(line, RSTART - 1, 1) : "" }
        function digits(text) {
            sub(/[eE].*/, "", text)
            gsub(/[-+.]/, "", text)
            sub(/^0+/, "", text)
            return length(text)
        }
        function near(text, b,   a, size, slack, is_count) {
            slack = message && digits(text) >= 7 ? 1e-5 : 0.02
            if (counted && text ~ /[0-9]e-/) slack = 0.5
            is_count = counted && text ~ /^[0-9]+$/
            if (sub(/^~/, "", text)) slack = 0.5
            if (sub(/^=/, "", text)) slack = 0
            sub(/^[~=]/, "", b)
            a = text + 0
            b += 0
            size = a < 0 ? -a : a
            if ((b < 0 ? -b : b) > size) size = b < 0 ? -b : b
            if (is_count && slack < 0.1) slack = 0.1
            if (is_count && size > 0 && slack < 2 / sqrt(size)) slack = 2 / sqrt(size)
            return (a > b ? a - b : b - a) <= slack * size || size < 1e-6
        }
        function same(e, a,   p, q, n, i) {
            p = skeleton(e)
            q = skeleton(a)
            if (p ~ /\.\.$/) {
                sub(/ *\.\.$/, "", p)
                if (index(q, p) != 1) return 0
            } else if (p != q)
                return 0
            n = numbers(e, E)
            if (n > numbers(a, A)) n--
            if (timed && n > 1) n--
            message = e ~ /^ *geartrain: /
            counted = tabled || e ~ /^ *(work|error) / || e ~ /(steps|evaluations|Jacobians|factorizations|iterations|calls)/
            for (i = 1; i <= n; i++) if (!near(E[i], A[i])) return 0
            return 1
        }
        NR == FNR { expected[++lines] = $0; next }
        { got[++more] = $0 }
        END {
            at = 1
            for (k = 1; k <= lines; k++) {
                if (expected[k] ~ /time \[s\]/) timed = 1
                if (expected[k] ~ /steps  *rejected/) tabled = 1
                for (found = 0; at <= more && !found; at++) found = same(expected[k], got[at])
                if (!found) { print "not printed: " expected[k]; exit 1 }
            }
        }' "$1" "$2"
}

commands_run() { # PAGE
    mkdir -p "$scratch/run" && cd "$scratch/run" || return 1
    cp "$SOURCE_DIR"/examples/models/* "$SOURCE_DIR"/examples/methods/* .
    ln -s "$SOURCE_DIR/cases" cases
    commands "$SOURCE_DIR/$1" >../commands
    wrong=0 k=0
    while read -r line; do
        k=$((k + 1))
        # The lab is built where emscripten is; tests/lab_cli_test.sh tries the command in both cases.
        case $line in 'geartrain lab'*) [ -f "$BUILD_DIR/lab/index.html" ] || continue ;; esac
        wanted=$(echo "$line" | sed -n 's/.*# exit \([0-9]\).*/\1/p')
        status=0
        timeout 600 sh -c "$line" >../output 2>&1 </dev/null || status=$?
        [ "$status" = "${wanted:-0}" ] || { cat ../output; echo "$1: exit status $status from: $line"; wrong=1; }
        shown "$SOURCE_DIR/$1" $k >../shown
        [ ! -s ../shown ] || agrees ../shown ../output || { cat ../output; echo "$1: so says: $line"; wrong=1; }
    done <../commands
    cd "$SOURCE_DIR" && return $wrong
}

if [ "${1-}" = --page ]; then # one of several at a time, called from below
    # A file of its own for each page: two that write at once into one can lose what the other wrote.
    {
        check "$2, its commands run and print what it says" commands_run "$2"
        echo "the end of $2"
    } >"$VERDICTS/$(echo "$2" | tr / :)"
    failures=0 # the page's; the suite sees them
    exit 0
fi

# ---- all of them ----

mkdir "$scratch/bin"
ln -s "$geartrain" "$scratch/bin/geartrain"
PATH=$scratch/bin:$PATH
XDG_CACHE_HOME=$scratch/cache
export PATH XDG_CACHE_HOME SOURCE_DIR BUILD_DIR
# Commands on pages need not really draw: tests/long/docs_figures_test.sh does. This stands in for gnuplot.
mkdir "$scratch/idle"
cat >"$scratch/idle/gnuplot" <<'END'
#!/bin/sh
file=$(sed -n 's/^set output "\(.*\)"$/\1/p')
echo 'nothing is drawn here .. </svg> IEND %%EOF' >"$file"
END
chmod +x "$scratch/idle/gnuplot"

names() { geartrain list "$1" --json | sed -n 's/^ *"name": "\(.*\)",*$/\1/p'; }

has_pages() { # methods|models
    names "$1" >"$scratch/names"
    [ -s "$scratch/names" ] || return 1
    wrong=0
    while read -r name; do
        [ -s "docs/$1/$name.md" ] || { echo "docs/$1/$name.md is missing"; wrong=1; }
    done <"$scratch/names"
    for page in docs/"$1"/*.md; do
        grep -qx "$(basename "$page" .md)" "$scratch/names" || { echo "$page is about nothing in the list"; wrong=1; }
    done
    return $wrong
}

# What the page of a method must have: the formula as code, each of these paragraphs, its figure, what is generated.
method_has_parts() { # NAME
    page=docs/methods/$1.md wrong=0
    sed '/^## Facts/,$d' "$page" | grep -v '^    \(\$ \)\{0,1\}geartrain ' | grep -q '^    .*[^ ]\|^```' ||
        { echo "$page has no formula or tableau"; wrong=1; }
    for part in Derivation Order Stability Cost Limits 'Use it'; do
        grep -q "\*\*$part\*\*" "$page" || { echo "$page has no **$part**"; wrong=1; }
    done
    grep -q "](../figures/methods/$1.svg)" "$page" || { echo "$page does not show its portrait"; wrong=1; }
    for line in "<!-- geartrain doc facts $1 -->" "<!-- geartrain doc options $1 -->" '## Example' 'Reference: '; do
        grep -q "^$line" "$page" || { echo "$page has no line '$line'"; wrong=1; }
    done
    return $wrong
}

# And of a model: equations as code, parameters, what to expect, the result of a run, where it comes from.
model_has_parts() { # NAME
    page=docs/models/$1.md wrong=0
    grep -v '^    \(\$ \)\{0,1\}geartrain ' "$page" | grep -q '^    .*=' || { echo "$page has no equations"; wrong=1; }
    for line in "<!-- geartrain doc parameters $1 -->" '\*\*What to expect\.\*\*' '\*\*Expected result\.\*\*' \
        "\$ geartrain run $1" 'Source: '; do
        grep -q "^$line" "$page" || { echo "$page has no line '$line'"; wrong=1; }
    done
    return $wrong
}

all_have_parts() { # method|model
    bad=0 count=0
    for name in $(names "$1s"); do
        "$1_has_parts" "$name" || bad=1
        count=$((count + 1))
    done
    [ $count -gt 0 ] && return $bad
}

all_linked() {
    wrong=0
    for page in docs/*.md docs/methods/*.md docs/models/*.md; do
        [ "$page" = docs/README.md ] || grep -qF "(${page#docs/})" docs/README.md ||
            { echo "docs/README.md has no link to $page"; wrong=1; }
    done
    return $wrong
}

# By name; tests/long/docs_figures_test.sh draws them.
every_figure_has_its_line() {
    { sed -n 's/^geartrain .* --plot \([a-z_0-9]*\.svg\).*/\1/p; s/^mv .* \([a-z_0-9]*\.svg\)$/\1/p' docs/figures/draw.sh; } |
        sort -u >"$scratch/drawn"
    ls docs/figures | grep '\.svg$' | sort | diff - "$scratch/drawn"
}

check "docs, every method has a page" has_pages methods
check "docs, every model has a page" has_pages models
check "docs, the page of every method has all its parts" all_have_parts method
check "docs, the page of every model has all its parts" all_have_parts model
check "docs, every page is linked from docs/README.md" all_linked
check "docs, what the program makes of the pages is fresh" geartrain doc --check docs
VERDICTS=$scratch/verdicts
export VERDICTS
mkdir "$VERDICTS"
ls -S *.md docs/*.md docs/*/*.md | grep -v '^docs/reference/' >"$scratch/pages"
# shellcheck disable=SC2046 # names of pages have no spaces
perl tests/cli/links.pl $(cat "$scratch/pages") >"$scratch/links"
cat "$scratch/links"
failures=$((failures + $(grep -c '^not ok' "$scratch/links")))
links_of_all() { [ "$(grep -c '^ok\|^not ok' "$scratch/links")" = "$(wc -l <"$scratch/pages")" ]; }
check "docs, the links of every page are looked at" links_of_all
xargs grep -l '^\(    \)\{0,1\}\(\$ \)\{0,1\}geartrain ' <"$scratch/pages" >"$scratch/list"
PATH=$scratch/idle:$PATH xargs -n 1 -P 2 sh tests/docs_test.sh --page <"$scratch/list"
cat "$VERDICTS"/* | grep -v '^the end of '
failures=$((failures + $(cat "$VERDICTS"/* | grep -c '^not ok')))
checked_to_the_end() { cat "$VERDICTS"/* | sed -n 's/^the end of //p' | sort >"$scratch/ends" && sort "$scratch/list" | diff - "$scratch/ends"; }
check "docs, every page is checked to its end" checked_to_the_end
has_portraits() {
    wrong=0 count=0
    for name in $(names methods); do
        count=$((count + 1))
        grep -q '</svg>' "docs/figures/methods/$name.svg" || { echo "no portrait of $name: docs/figures/draw.sh $name"; wrong=1; }
        [ "$(wc -c <"docs/figures/methods/$name.svg")" -lt 40000 ] || { echo "the portrait of $name is large"; wrong=1; }
    done
    [ $count -gt 0 ] && return $wrong
}

# C code on a page: its first block.
code_of() { awk '/^```c$/ { inside = 1; next } /^```/ && inside { exit } inside' "$1"; }

shows_the_example() { # the method on the page stands in the program that the tests of examples compile and run
    code_of docs/extending.md >"$scratch/shown.c"
    [ "$(wc -l <"$scratch/shown.c")" -ge 40 ] && [ "$(wc -l <"$scratch/shown.c")" -le 60 ] &&
        awk 'NR == FNR { page = page $0 "\n"; next } { program = program $0 "\n" } END { exit !index(program, page) }' \
            "$scratch/shown.c" examples/own_method.c
}

quickstart_compiles() {
    code_of docs/quickstart.md >"$scratch/quick.c"
    sanitize=$(cached GEARTRAIN_SANITIZE)
    $(cached CMAKE_C_COMPILER) -std=c11 -Wall -Wextra -Werror ${sanitize:+-fsanitize=$sanitize} -Iinclude "$scratch/quick.c" \
        -L"$BUILD_DIR" -lgeartrain -Wl,-rpath,"$BUILD_DIR" -o "$scratch/quick" && "$scratch/quick" | grep -q 'x(50) = 1.59'
}

# The page of promises names tests; the other words in code there are no suites.
suites_exist() {
    wrong=0
    for word in $(grep -o '`[a-z_0-9]*`' docs/promised.md | tr -d '`' | sort -u); do
        case $word in
        abs | ceil | flr | heav | if | max | min | mod | sign) continue ;;
        auto | equilibrium | linearize | run | warnings | gt_stepper_init) continue ;;
        esac
        [ -e "tests/test_$word.c" ] || [ -e "tests/${word}_test.sh" ] || [ -e "tests/long/${word}_test.sh" ] || { echo "there is no suite $word"; wrong=1; }
    done
    return $wrong
}

# Every function of the shared library is in the reference, by the name that a user calls.
reference_is_complete() {
    cat docs/reference/*.md >"$scratch/reference"
    wrong=0
    for name in $(nm -D --defined-only "$BUILD_DIR/libgeartrain.so" | awk '$2 == "T" { sub(/_sized$/, "", $3); print $3 }' |
        grep '^gt_' | sort -u); do
        grep -q "\\b$name(" "$scratch/reference" || { echo "$name is missing"; wrong=1; }
    done
    for name in $(cat include/geartrain/*.h include/geartrain/*/*.h | sed -n 's/^typedef struct \(gt_[a-z0-9_]*\) {.*/\1/p'); do
        grep -q "^## $name\$\|^} $name;" "$scratch/reference" || { echo "$name is missing"; wrong=1; }
    done
    return $wrong
}
check "docs, the reference is made, and the programs on pages are fresh" ./scripts/reference --check
check "docs, the reference is complete" reference_is_complete
check "docs, promised.md names suites that are there" suites_exist
check "docs, the method of extending.md is that of examples/own_method.c" shows_the_example
check "docs, the program of the quickstart compiles and runs" quickstart_compiles
check "docs, every method has its portrait" has_portraits
check "docs, every figure has its line in draw.sh" every_figure_has_its_line

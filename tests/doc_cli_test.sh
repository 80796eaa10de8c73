# SPDX-License-Identifier: BSD-3-Clause
# The commands that make the manual: doc, and the portrait of a method; the help of commands that follow a command.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"

expect "doc has every command" 0 '^### coefficients$' doc
expect "doc has commands that follow a command" 0 '^### power flow$' doc
expect "doc command run has its flags" 0 '^| `--every DT` | output at t0' doc command run
expect "a bar in a table is escaped" 0 'FILE.csv\\|-' doc command run
expect "doc options" 0 '^| `newton_tol` | 1e-12 | 1e-15 to 0.1 |' doc options beuler
expect "doc options of a method without any" 0 'It has no options' doc options rk4
expect "doc facts" 0 '^| stable on the imaginary axis | for .*2\.82843' doc facts rk4
expect "doc facts of two blocks" 0 'imaginary axis, fast block | for .* 4 |' doc facts prk25
expect "doc coefficients" 0 '1932/2197' doc coefficients rkf45
expect "doc parameters with units" 0 '^| `m1` | 100 | kg | above 0, at most 1e6 | mass of the bar |' doc parameters pendulum
expect "doc about something else" 2 "doc knows nothing about 'weather'" doc weather
expect "doc with an unknown method" 2 "did you mean 'rk4'\|did you mean 'rk2'" doc options rk5
expect "doc with an unknown model" 2 "did you mean 'lorenz'" doc parameters lorens
expect "doc --out writes pages" 0 'wrote pages/methods/rk4.md' doc --out pages
check "which are then fresh" "$geartrain" doc --check pages
sed 's/| order | 4 |/| order | 5 |/' pages/methods/rk4.md >changed && mv changed pages/methods/rk4.md
expect "a changed one is stale" 1 'pages/methods/rk4.md is stale' doc --check pages
echo "What a person wrote." >>pages/methods/rk4.md
expect "and brought up to date" 0 'wrote pages/methods/rk4.md' doc --out pages
check "what people wrote is kept" grep -qx 'What a person wrote.' pages/methods/rk4.md
check "and what was wrong is not" grep -q '| order | 4 |' pages/methods/rk4.md
sed '/<!-- end -->/d' pages/methods/rk4.md >changed && mv changed pages/methods/rk4.md
expect "a block without an end" 2 'a block has no line <!-- end -->' doc --check pages
expect "the portrait of a method" 0 'wrote rk4.svg' show rk4 --plot rk4.svg
check "is a whole figure" grep -q '</svg>' rk4.svg
check "with three panels" [ "$(grep -c 'where rk4 is stable\|rk4: error below\|damping and frequency' rk4.svg)" = 3 ]
check "and small" [ "$(wc -c <rk4.svg)" -lt 30000 ]
expect "a method of two blocks" 0 'wrote pair.svg' show prk2s --plot pair.svg
check "has both in its portrait" [ "$(grep -c '>fast block<\|>slow block<' pair.svg)" = 2 ]
expect "a method without a region" 0 'wrote smes.svg' show smes --plot smes.svg
expect "a model has no portrait" 2 'is for methods; draw the solution of lorenz' show lorenz --plot lorenz.svg
expect "help of a command that follows a command" 0 'Usage: geartrain power cct CASE.m' help power cct
expect "the same by a flag" 0 '\-\-fault-bus BUS' power cct --help
expect "a command that needs another" 2 'power needs a command' power
expect "help of none" 2 "design has no command 'house'" help design house

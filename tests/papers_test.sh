# SPDX-License-Identifier: BSD-3-Clause
# The papers computed again: numbers against those of tests/data/papers.tsv, and docs/errata.md against the rows.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"

check "every number is within its tolerance" \
    "$geartrain" papers --errata errata.md --check "$SOURCE_DIR/tests/data/papers.tsv"
check "docs/errata.md says what the rows say, its numbers to the last digit (make papers writes it)" \
    awk -f "$SOURCE_DIR/tests/cli/same_numbers.awk" "$SOURCE_DIR/docs/errata.md" errata.md
# The comparison itself: what it lets pass and what it does not.
says_the_same() { printf '%s\n' "$1" >one && printf '%s\n' "$2" >two && awk -f "$SOURCE_DIR/tests/cli/same_numbers.awk" one two; }
differs() { ! says_the_same "$@"; }
check "one in the last digit is no difference" says_the_same 'x2 is 2.25135e-07, not 4' 'x2 is 2.25136e-07, not 4'
check "nor are zeros at the end" says_the_same '0.5' '0.5000000001'
check "two in the last digit are one" differs '2.25135e-07' '2.25137e-07'
check "so is another whole number" differs '| omega_1 | 22 |' '| omega_2 | 22 |'
check "or another word" differs '1.25 m' '1.25 s'
check "a report is written" "$geartrain" papers crow --item "Example 5.1" --out report
for file in report.html report.md rows.csv crow-example-5.1-5.1.svg; do
    check "$file is in it" [ -s "report/$file" ]
done
expect "--item takes a whole name" 0 "Example 5.1 " papers crow --item "Example 5.1"
check "and not Example 5.10 as well" [ "$(grep -c "Example 5.10" out)" = 0 ]
expect "a part of a name takes all that have it" 0 "Example 5.10" papers crow --item "ple 5.1"
expect "the summary says what its columns are" 0 "match to the printed digits" papers crow --item "Example 5.1"

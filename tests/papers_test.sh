# SPDX-License-Identifier: BSD-3-Clause
# The papers computed again: numbers against those of tests/data/papers.tsv, and docs/errata.md against the rows.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"

check "every number is within its tolerance" \
    "$geartrain" papers --errata errata.md --check "$SOURCE_DIR/tests/data/papers.tsv"
check "docs/errata.md says what the rows say (make papers writes it)" diff "$SOURCE_DIR/docs/errata.md" errata.md
check "a report is written" "$geartrain" papers crow --item "Example 5.1" --out report
for file in report.html report.md rows.csv crow-example-5.1-5.1.svg; do
    check "$file is in it" [ -s "report/$file" ]
done
expect "--item takes a whole name" 0 "Example 5.1 " papers crow --item "Example 5.1"
check "and not Example 5.10 as well" [ "$(grep -c "Example 5.10" out)" = 0 ]
expect "a part of a name takes all that have it" 0 "Example 5.10" papers crow --item "ple 5.1"
expect "the summary says what its columns are" 0 "match to the printed digits" papers crow --item "Example 5.1"

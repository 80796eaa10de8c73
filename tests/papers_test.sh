# SPDX-License-Identifier: BSD-3-Clause
# The papers computed again: numbers against those of tests/data/papers.tsv, and docs/errata.md against the rows.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
set -u
SOURCE_DIR=${SOURCE_DIR:-$PWD}
BUILD_DIR=${BUILD_DIR:-$PWD/build}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
verdict() { # STATUS WHAT
    if [ "$1" = 0 ]; then
        echo "ok $2"
    else
        cat "$scratch/log"
        echo "not ok $2"
    fi
}

"$BUILD_DIR/geartrain" papers --errata "$scratch/errata.md" --check "$SOURCE_DIR/tests/data/papers.tsv" \
    >"$scratch/log" 2>&1
verdict $? "every number is within its tolerance"
diff "$SOURCE_DIR/docs/errata.md" "$scratch/errata.md" >"$scratch/log" 2>&1
verdict $? "docs/errata.md says what the rows say (make papers writes it)"
"$BUILD_DIR/geartrain" papers crow --item "Example 5.1" --out "$scratch/report" >"$scratch/log" 2>&1 &&
    for file in report.html report.md rows.csv crow-example-5.1-5.1.svg; do
        [ -s "$scratch/report/$file" ] || { echo "$file is not there" >>"$scratch/log" && false; } || break
    done
verdict $? "a report is written"

# SPDX-License-Identifier: BSD-3-Clause
# Every exported function of the public headers has its line in tests/armor/list.h, which test_armor.c calls with wrong
# arguments, and no line is there of one that is gone. Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
# A function that gets the sizes of structs, gt_x_sized, is called as gt_x by users.
nm -D --defined-only "$BUILD_DIR/libgeartrain.so" | awk '$2 == "T" { sub(/_sized$/, "", $3); print $3 }' | sort -u >exported
cat "$SOURCE_DIR"/include/geartrain/*.h "$SOURCE_DIR"/include/geartrain/*/*.h | grep -o '\bgt_[a-z0-9_]*(' | tr -d '(' | sort -u >declared
comm -12 exported declared >public
sed -n 's/^ *\(STATUS\|OTHER\|NUMBER\|EXEMPT\)(\(gt_[a-z0-9_]*\),.*/\2/p' "$SOURCE_DIR/tests/armor/list.h" | sort >listed
check "there are public functions" [ "$(wc -l <public)" -gt 150 ]
comm -23 public listed >out
check "each public function is called with wrong arguments, or says why not" [ ! -s out ]
comm -13 public listed >out
check "each that is called is public" [ ! -s out ]
uniq -d listed >out
check "each is there once" [ ! -s out ]

# Each pointer of a function is one that becomes NULL: as many as its declaration has, without formats, which the compiler
# checks, and functions.
for header in "$SOURCE_DIR"/include/geartrain/*.h "$SOURCE_DIR"/include/geartrain/*/*.h; do
    echo "#include \"$header\""
done >all.c
${CC:-cc} -std=c11 -E -P -I"$SOURCE_DIR/include" all.c | tr '\n\t' '  ' >text
tr '\n' ' ' <"$SOURCE_DIR/tests/armor/list.h" | sed 's/ \(STATUS\|OTHER\|NUMBER\|EXEMPT\)(/\n\1(/g' |
    sed -n 's/^\(STATUS\|OTHER\|NUMBER\)(\(gt_[a-z0-9_]*\), *(.*), *"\([rom]*\)", .*/\2 \3/p' >specs
awk '
    function pointers(name, rest, at, depth, c, count, parameter) {
        rest = text
        while ((at = index(rest, name "("))) {
            c = substr(rest, at - 1, 1)
            rest = substr(rest, at + length(name) + 1)
            if (c == " " || c == "*") break
        }
        if (!at) return -1
        depth = 1
        count = 0
        for (at = 1; depth > 0; at++) {
            c = substr(rest, at, 1)
            if (c == "(") depth++
            if (c == ")") depth--
            if (depth == 0 || (depth == 1 && c == ",")) {
                if (parameter ~ /[*[]/ && parameter !~ /(_fn \*|\*format$)/) count++
                parameter = ""
            } else parameter = parameter c
        }
        return count
    }
    FILENAME == "text" { text = $0; next }
    { wanted = pointers($1); if (wanted != length($2)) print $1 ": " wanted " pointers, " length($2) " in the list" }
' text specs >out
check "the list was read" [ "$(wc -l <specs)" -gt 200 ]
check "each pointer of each function becomes NULL" [ ! -s out ]

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

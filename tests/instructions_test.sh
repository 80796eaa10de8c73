# SPDX-License-Identifier: BSD-3-Clause
# Guards the speed of five small kernels: their instructions, counted by callgrind, over those of a plain loop in the
# same run may not grow by more than a twentieth over the ratios in tests/instructions.txt, which has a column for each
# compiler. And relations that are never met cost no more than a twentieth beside the same run without switches; nor does a handle
# that is advanced to points about 10 steps apart beside one call with output there.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
#   tests/instructions_test.sh --store     prints the ratios of this build in the form of that file
. "${SOURCE_DIR:=$PWD}/tests/cli/kit.sh"

if [ -n "$(cached GEARTRAIN_SANITIZE)" ]; then
    skip "instructions" "they are those of the sanitizers here"
    exit 0
fi
if [ "$(cached GEARTRAIN_OPTIMIZE)$(cached CMAKE_C_FLAGS)$(cached GEARTRAIN_CONTRACT)" != "-O3 -DNDEBUGoff" ]; then
    skip "instructions" "the ratios are those of a build without flags of one's own"
    exit 0
fi
told() { sed -n "s/^set(CMAKE_C_COMPILER_$1 \"\([A-Za-z0-9]*\).*/\1/p" "$BUILD_DIR"/CMakeFiles/*/CMakeCCompiler.cmake; }
compiler=$(told ID)-$(told VERSION)
if ! valgrind --tool=callgrind --callgrind-out-file="$scratch/out" "$BUILD_DIR/tests/instructions" \
    >"$scratch/log" 2>&1; then
    cat "$scratch/log"
    echo "not ok instructions are counted by callgrind"
    exit 1
fi
callgrind_annotate --inclusive=yes --threshold=100 "$scratch/out" |
    sed -n 's/^ *\([0-9,]*\) .*[:/]kernel_\([a-z0-9]*\).*/\2 \1/p' | tr -d , | sort -u >"$scratch/counts"
awk '$1 == "reference" { reference = $2 } { count[$1] = $2 }
     END { for (k in count) if (k != "reference") printf "%s %.4f\n", k, count[k] / reference }' \
    "$scratch/counts" | sort >"$scratch/ratios"
if [ "${1-}" = --store ]; then
    sed "s/^/$compiler /" "$scratch/ratios"
    exit 0
fi
callgrind_annotate --inclusive=yes --threshold=100 "$scratch/out" |
    sed -n 's/^ *\([0-9,]*\) .*[:/]\(plain\|switched\)_\([a-z0-9]*_10*\).*/\3 \2 \1/p' | tr -d , | sort -u |
    awk '{ count[$1 " " $2] = $3; name[$1] = 1 }
         END { for (k in name) {
                   n++
                   ratio = count[k " plain"] ? count[k " switched"] / count[k " plain"] : 99
                   printf "%s relations: %.4f times the instructions\n", k, ratio
                   print (ratio < 1.05 ? "ok " : "not ok ") k " relations that are never met cost less than a twentieth"
               }
               if (n != 5) print "not ok five runs with relations are counted" }'
callgrind_annotate --inclusive=yes --threshold=100 "$scratch/out" |
    sed -n 's/^ *\([0-9,]*\) .*[:/]\(whole\|handled\)_\(dopri5\|gear\).*/\3 \2 \1/p' | tr -d , | sort -u |
    awk '{ count[$1 " " $2] = $3; name[$1] = 1 }
         END { for (k in name) {
                   n++
                   ratio = count[k " whole"] ? count[k " handled"] / count[k " whole"] : 99
                   printf "handle, %s: %.4f times the instructions of one call\n", k, ratio
                   print (ratio < 1.05 ? "ok " : "not ok ") k " by a handle costs no more than a twentieth"
               }
               if (n != 2) print "not ok two runs by a handle are counted" }'
[ "$(wc -l <"$scratch/ratios")" = 5 ] || { cat "$scratch/log" "$scratch/counts"; echo "not ok five kernels are counted"; }
awk -v compiler="$compiler" 'NR == FNR { if ($1 == compiler) stored[$2] = $3; next }
    { if (!($1 in stored)) print "skip " $1 ": no ratio is stored for " compiler
      else if ($2 > 1.05 * stored[$1]) {
          print $1 ": " $2 " times the instructions of the plain loop, " stored[$1] " before"
          print "not ok " $1 " takes no more instructions than it did"
      } else print "ok " $1 " takes no more instructions than it did"
    }' "$SOURCE_DIR/tests/instructions.txt" "$scratch/ratios"

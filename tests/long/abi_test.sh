# SPDX-License-Identifier: BSD-3-Clause
# Programs that were compiled before: the library is compiled once more, with debugging symbols, and its interface compared
# with the one that is stored for version 0.2.0 (tests/face/); and once with structs that have more fields than they have
# today, with which a program of the old headers must run. Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
#   tests/long/abi_test.sh --store FILE     writes the description of the interface as it is now
. "${SOURCE_DIR:=$PWD}/tests/cli/kit.sh"
export SOURCE_DIR
face=$SOURCE_DIR/tests/face
cc=$(cached CMAKE_C_COMPILER)
flags="-std=c11 -g -O0 -fPIC -fvisibility=hidden -ffp-contract=off -D_POSIX_C_SOURCE=200809L"

# Own kernels in place of LAPACK: the interface is the same, and nothing else is needed.
compile() { # INCLUDE LIBRARY FOLDER...
    include=$1 library=$2
    shift 2
    mkdir -p "$library.o"
    for folder; do ls "$SOURCE_DIR/src/$folder"/*.c; done |
        INCLUDE=$include OBJECTS=$library.o FLAGS=$flags COMPILER=$cc xargs -P "$(nproc)" -n 20 sh -c 'for file; do
            $COMPILER $FLAGS -I"$INCLUDE" -I"$SOURCE_DIR/src" -c "$file" -o "$OBJECTS/$(basename "$file" .c).o" || exit 255
        done' sh && $cc -shared -o "lib$library.so" "$library.o"/*.o -lm
}
core="number base base/libm_only linalg linalg/libm_only exact problem implicit core kit methods"
rest=$(cd "$SOURCE_DIR/src" && ls -d */ lang/*/ | sed 's|/$||' | while read -r folder; do
    case " $core lang linalg base " in *" $folder "*) ;; *) ls "$folder"/*.c >/dev/null 2>&1 && echo "$folder" ;; esac
done)

describe() { # LIBRARY: its interface, without what is in no header
    abidw --headers-dir "$SOURCE_DIR/include/geartrain" --drop-private-types --no-show-locs --no-corpus-path \
        --no-comp-dir-path "$1"
}

# What a user calls. Structs that are passed with their sizes may have more at their ends; what is in author/ may change.
suppress() {
    names=$(cat "$SOURCE_DIR"/include/geartrain/*.h "$SOURCE_DIR"/include/geartrain/analysis/*.h |
        sed -n 's/^GT_API .*\b\(gt_[a-z0-9_]*\)(.*/\1/p' | sort -u | tr '\n' '|' | sed 's/|$//')
    printf '[suppress_function]\n  name_not_regexp = ^(%s)$\n' "$names"
    printf '[suppress_variable]\n  name_regexp = ^gt_method_\n'
    # What is passed with its size, and what only the library makes.
    for type in $(cat "$SOURCE_DIR"/include/geartrain/*.h "$SOURCE_DIR"/include/geartrain/analysis/*.h | tr -d '\n' |
        grep -o 'gt_[a-z_]* \*[a-z_]*, *size_t [a-z]*_size' | sed 's/ .*//' | sort -u) gt_sample gt_method gt_phases; do
        printf '[suppress_type]\n  type_kind = struct\n  name = %s\n  has_data_member_inserted_at = end\n' "$type"
    done
    # In gt_stats a new member takes the place of a reserved one; keeps_its_places looks at it.
    for type in gt_stats gt_stepper gt_newton gt_jacobian gt_lu gt_tableau gt_partitioned gt_infinitesimal; do
        printf '[suppress_type]\n  name = %s\n' $type
    done
}

if [ "${1-}" = --store ]; then
    compile "$SOURCE_DIR/include" face $core $rest && describe libface.so | xz -9e >"$2"
    exit
fi

grown_headers() {
    cp -r "$SOURCE_DIR/include" grown && for struct in gt_problem gt_plan gt_report gt_checkpoint; do
        sed -i "s/^} $struct;/    void *grown[8];\n} $struct;/" grown/geartrain/*.h
    done && [ "$(grep -c 'grown\[8\]' grown/geartrain/*.h | awk -F: '{ n += $2 } END { print n }')" = 4 ]
}
runs() {
    grown_headers && compile "$PWD/grown" grown $core &&
        $cc -std=c11 -DCORE_ONLY -I"$face/0.2.0" "$face/program.c" -o program -L. -lgrown -lm -Wl,-rpath,"$PWD" && ./program
}
check "a program of 0.2.0 runs with a library whose structs have more fields" runs

if ! command -v abidiff >/dev/null || ! command -v xz >/dev/null; then
    skip "the interface of 0.2.0 is still there" "abidiff is not installed; ./scripts/bootstrap check installs abigail-tools"
    exit 0
fi
still_there() {
    xz -dc "$face/0.2.0/interface.xml.xz" >then.xml && compile "$SOURCE_DIR/include" face $core $rest &&
        describe libface.so >now.xml && suppress >suppressions || return 1
    abidiff --suppressions suppressions --no-added-syms --no-unreferenced-symbols then.xml now.xml || return 1
}
check "the interface of 0.2.0 is still there" still_there
places() { # FILE STRUCT: its size, and its members with their places
    perl -ne "if (/<class-decl name='$2' .*?size-in-bits='(\d+)'/) { print qq(size \$1\n); \$in = 1 }
        elsif (m{</class-decl>}) { \$in = 0 }
        elsif (\$in && /layout-offset-in-bits='(\d+)'/) { \$at = \$1 }
        elsif (\$in && /<var-decl name='(\w+)'/ && \$1 ne 'reserved') { print qq(\$1 \$at\n) }" "$1" | sort
}
keeps_its_places() { # STRUCT
    places then.xml "$1" >places_then && places now.xml "$1" >places_now
    [ "$(wc -l <places_then)" -gt 5 ] && [ -z "$(comm -23 places_then places_now)" ]
}
check "gt_stats has its members where they were" keeps_its_places gt_stats

# Structs that exported functions take or give by value.
passes_little() {
    perl -ne "if (/<class-decl .*?size-in-bits='(\d+)'.*? id='([^']*)'/) { \$size{\$2} = \$1 / 8 }
        elsif (/<typedef-decl .*?type-id='([^']*)'.*? id='([^']*)'/) { \$is{\$2} = \$1 }
        elsif (/<function-decl name='(gt_\w+)'/) { \$function = \$1 }
        elsif (/<(?:parameter|return) type-id='([^']*)'/ && \$function) { push @passed, [\$function, \$1] }
        elsif (m{</function-decl>}) { \$function = '' }
        END { for (@passed) { my (\$name, \$type) = @\$_; \$type = \$is{\$type} while \$is{\$type};
              \$count++; if ((\$size{\$type} // 0) > 512) { print qq(\$name passes \$size{\$type} bytes\n); \$wrong = 1 } }
              exit(\$wrong || \$count < 500) }" now.xml
}
check "no exported function passes a large struct by value" passes_little

# SPDX-License-Identifier: BSD-3-Clause
# The public face: each header compiles alone in C11 and in C++17, a C++ program links and runs, the shared library
# shows what the headers declare and nothing else, and programs that were compiled with the headers of earlier versions,
# which are kept in tests/face/, run with it. Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
include=$SOURCE_DIR/include
strict="-Wall -Wextra -Wpedantic -Werror"

alone() { # LANGUAGE COMPILER...
    suffix=$1
    shift
    for header in "$include"/geartrain/*.h "$include"/geartrain/*/*.h; do
        echo "#include <${header#"$include"/}>" >alone.$suffix
        "$@" $strict -I"$include" -fsyntax-only alone.$suffix || { echo "${header##*/}"; return 1; }
    done
}
check "each header compiles alone in C11" alone c ${CC:-cc} -std=c11

nm -D --defined-only "$BUILD_DIR/libgeartrain.so" | awk '$3 !~ /^__/ { print $3 }' | sort -u >exported
# Of the names that macros make the preprocessor knows.
{ cat "$include"/geartrain/*.h "$include"/geartrain/*/*.h; echo '#include <geartrain/geartrain.h>' | ${CC:-cc} -std=c11 -I"$include" -E -; } |
    grep -o '\bgt_[a-z0-9_]*' | sort -u >declared
comm -23 exported declared >out
check "the shared library shows nothing that no header declares" [ ! -s out ]
check "and something" [ "$(wc -l <exported)" -gt 150 ]

# What a user needs is in few headers; geartrain.h has them all, and those of authors only as far as they need them.
check "a user's headers are few" [ "$(ls "$include"/geartrain/*.h | wc -l)" -le 15 ]
included() { # FOLDER UMBRELLA
    for header in "$include/$1"/*.h; do
        name=${header#"$include"/}
        [ "$name" = "$2" ] || grep -q "#include <$name>" "$include/$2" || { echo "$name"; return 1; }
    done
}
check "geartrain.h includes the user's headers" included geartrain geartrain/geartrain.h
check "and those of the analysis" included geartrain/analysis geartrain/geartrain.h
check "author/author.h includes the authors' headers" included geartrain/author geartrain/author/author.h

# Structs can grow: they are passed with their size, or have room. The others are values that are what they are (a complex
# number, a message, a matrix, pairs of numbers), or only the library makes them, one by one, and gives their address.
grow() {
    cat "$include"/geartrain/*.h "$include"/geartrain/analysis/*.h | perl -0777 -ne '
        my %fixed = map { $_ => 1 } qw(gt_complex gt_message gt_warnings gt_pattern gt_matrix gt_work gt_dominant gt_saturation
            gt_gap gt_damping gt_power_weak gt_state_rate gt_condition gt_phase gt_share gt_phases
            gt_sample gt_view gt_pace gt_ode_facts gt_facts gt_model);
        my %sized = map { $_ => 1 } /(gt_\w+) \*\w+,\s*size_t \w+_size/g;
        my ($count, $wrong) = (0, 0);
        while (/typedef struct (gt_\w+) \{(.*?)\n\} \1;/gs) {
            $count++;
            next if $fixed{$1} || $sized{$1} || $2 =~ /reserved/;
            print "$1 cannot grow\n";
            $wrong = 1;
        }
        exit($wrong || $count < 60)'
}
check "structs that a program fills can grow" grow

sanitize=$(cached GEARTRAIN_SANITIZE)
earlier() { # VERSION
    ${CC:-cc} -std=c11 $strict ${sanitize:+-fsanitize=$sanitize} -I"$SOURCE_DIR/tests/face/$1" \
        "$SOURCE_DIR/tests/face/program.c" -o earlier -L"$BUILD_DIR" -lgeartrain -lm -Wl,-rpath,"$BUILD_DIR" && ./earlier
}
for version in "$SOURCE_DIR"/tests/face/[0-9]*; do
    check "a program compiled with the headers of ${version##*/} runs" earlier "${version##*/}"
done

# A program that names its methods has these linked from the static library, and no others.
cat >named.c <<'E'
#include <geartrain/methods.h>
#include <geartrain/run.h>

static gt_status decay(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0];
    return GT_OK;
}
int main(void)
{
    static double memory[8192];
    double one = 1;
    gt_problem p = {.n_slow = 1, .rhs = decay, .x0 = &one, .t1 = 1};
    gt_run *run;
    if (gt_run_open_in(&run, &p, &gt_method_dopri5, NULL, memory, sizeof memory, NULL)) return 1;
    if (gt_run_advance(run, 1, 0, NULL)) return 2;
    double x = gt_run_x(run)[0];
    gt_run_close(run);
    return x > 0.3678 && x < 0.3679 ? 0 : 3;
}
E
only_what_is_named() {
    ${CC:-cc} -std=c11 $strict -I"$include" named.c "$BUILD_DIR/libgeartrain.a" \
        $(sed -n 's/^Libs.private: //p' "$BUILD_DIR/geartrain.pc") -Wl,--gc-sections -o named && ./named || return 1
    nm named | sed -n 's/.* \(gt_method_[a-z0-9]*\)$/\1/p' | grep -v -e _check -e _facts -e _suggest >methods
    cat methods
    size named
    [ "$(cat methods)" = gt_method_dopri5 ] && [ "$(size named | awk 'NR == 2 { print $1 }')" -lt 800000 ]
}
if [ -n "$sanitize" ]; then
    skip "a program has only the methods linked that it names" "sanitizers keep everything"
else
    check "a program has only the methods linked that it names" only_what_is_named
fi

cpp=$(command -v "${CXX:-c++}" || command -v g++ || command -v clang++)
if [ -z "$cpp" ]; then
    skip "headers in C++" "there is no C++ compiler"
    exit 0
fi
check "each header compiles alone in C++17" alone cpp "$cpp" -std=c++17
cat >program.cpp <<'E'
#include <cmath>
#include <geartrain/method.h>
#include <geartrain/run.h>

static gt_status decay(double, const double *x, double *dx, void *)
{
    dx[0] = -x[0];
    return GT_OK;
}
int main()
{
    double one = 1, end = 0;
    gt_problem p = {};
    p.n_slow = 1;
    p.rhs = decay;
    p.x0 = &one;
    p.t1 = 1;
    gt_plan plan = {};
    plan.rtol = 1e-8;
    plan.x_end = &end;
    gt_report report;
    gt_run *run;
    if (gt_solve(&p, gt_method_find("dopri5"), &plan, &report)) return 1;
    if (gt_run_open(&run, &p, gt_method_find("gear"), &plan, nullptr) || gt_run_advance(run, 0.5, 0, nullptr)) return 2;
    double half = gt_run_x(run)[0];
    gt_run_close(run);
    return std::fabs(end - std::exp(-1)) < 1e-6 && std::fabs(half - std::exp(-0.5)) < 1e-6 ? 0 : 3;
}
E
links() {
    "$cpp" -std=c++17 $strict ${sanitize:+-fsanitize=$sanitize} -I"$include" program.cpp -o program -L"$BUILD_DIR" \
        -lgeartrain -Wl,-rpath,"$BUILD_DIR" && ./program
}
check "a C++ program links with the shared library and runs" links

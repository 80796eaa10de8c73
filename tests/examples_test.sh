# SPDX-License-Identifier: BSD-3-Clause
# Each program in examples/ is built against an installed Geartrain, as a user would, and checks its own answer.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"

prefix=$(cached CMAKE_INSTALL_PREFIX)
sanitize=$(cached GEARTRAIN_SANITIZE)
flags="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror ${sanitize:+-fsanitize=$sanitize}"
build() {
    DESTDIR=$scratch/stage cmake --install "$BUILD_DIR" &&
        cmake -S "$SOURCE_DIR/examples" -B "$scratch/build" -DCMAKE_C_COMPILER="$(cached CMAKE_C_COMPILER)" \
            -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="${sanitize:+-fsanitize=$sanitize}" -DCMAKE_PREFIX_PATH="$scratch/stage$prefix" &&
        cmake --build "$scratch/build"
}
check "examples, build" build
for source in "$SOURCE_DIR"/examples/*.c; do
    name=$(basename "$source" .c)
    if [ "$name" = own_method ] && [ "$(cached GEARTRAIN_CONTRACT)" != off ]; then
        skip "example $name gives its expected answer" "it wants the same bits of two code paths, and a*b+c is contracted in one"
        continue
    fi
    check "example $name gives its expected answer" "$scratch/build/$name"
done
if [ -x "$scratch/build/cplusplus" ]; then
    check "example cplusplus gives its expected answer" "$scratch/build/cplusplus"
else
    skip "example cplusplus gives its expected answer" "there is no C++ compiler"
fi

# The task of the pages "from another library", by that library as its page has it, ends where ours does.
"$scratch/build/reactions" | sort >ours || exit 1
program_of() { # PAGE LANGUAGE: the first such block
    awk -v fence="\`\`\`$2" '$0 == fence && !done { inside = 1; next } /^```/ { if (inside) done = 1; inside = 0 } inside' \
        "$SOURCE_DIR/docs/from_$1.md"
}
agree() { # the lines of two programs to four digits
    sort theirs | awk 'NR == FNR { line[NR] = $0; n = NR; next }
        { m++; split(line[m], a); split($0, b)
          for (k in a) { d = a[k] - b[k]; if ((d < 0 ? -d : d) > 1e-3 * (a[k] < 0 ? -a[k] : a[k])) { print line[m]; print; wrong = 1 } } }
        END { exit wrong || n != m || n != 5 }' ours -
}
by_peer() { # PAGE COMMAND...
    shift
    "$@" && ./peer >theirs && agree
}
peer() { # PAGE TITLE LANGUAGE HEADER COMMAND...
    page=$1 title=$2 language=$3 header=$4
    shift 4
    program_of "$page" "$language" >"peer.$language"
    if [ ! -e "$header" ]; then
        skip "the task by $title as its page has it" "$title is not installed; ./scripts/bootstrap bench installs it"
        return
    fi
    check "the task by $title as its page has it" by_peer "$page" "$@"
}
peer cvode CVODE c /usr/include/cvode/cvode.h ${CC:-cc} -std=c11 -Wall -Wextra -Werror peer.c -o peer -lsundials_cvode \
    -lsundials_nvecserial -lsundials_sunmatrixdense -lsundials_sunlinsoldense -lm
peer gsl GSL c /usr/include/gsl/gsl_odeiv2.h ${CC:-cc} -std=c11 -Wall -Wextra -Werror peer.c -o peer -lgsl -lgslcblas -lm
peer odeint Boost.odeint cpp /usr/include/boost/numeric/odeint.hpp ${CXX:-c++} -std=c++17 -O1 peer.cpp -o peer
by_scipy() { /usr/bin/python3 peer.python >theirs && agree; }
program_of scipy python >peer.python
if /usr/bin/python3 -c 'import scipy.integrate' 2>/dev/null; then
    check "the task by SciPy as its page has it" by_scipy
else
    skip "the task by SciPy as its page has it" "SciPy is not installed"
fi

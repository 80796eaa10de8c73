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
            -DCMAKE_C_FLAGS="$flags" -DCMAKE_PREFIX_PATH="$scratch/stage$prefix" &&
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

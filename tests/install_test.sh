# SPDX-License-Identifier: BSD-3-Clause
# What `make install` puts down can be used: through pkg-config and through find_package, shared and static.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"

# The folder's own prefix, so that nothing is built again.
prefix=$(cached CMAKE_INSTALL_PREFIX)
sanitize=$(cached GEARTRAIN_SANITIZE)
cc=$(cached CMAKE_C_COMPILER)
flags="-std=c11 -Wall -Wextra -Werror ${sanitize:+-fsanitize=$sanitize}"
stage=$scratch/stage

check "make install with PREFIX and DESTDIR" make -C "$SOURCE_DIR" install PREFIX="$prefix" DESTDIR="$stage"

pkgconfig=$(dirname "$(find "$stage" -name geartrain.pc)")
libdir=$(dirname "$pkgconfig")
export PKG_CONFIG_PATH="$pkgconfig" LD_LIBRARY_PATH="$libdir"
pkg() { pkg-config --define-variable=prefix="$stage$prefix" "$@" geartrain; }

# Solves x' = -x and compares with exp(-1): headers, methods and linear algebra (trapezoidal) are all there.
cat >main.c <<'END'
#include <geartrain/geartrain.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static gt_status decay(double t, const double *x, double *dx, void *ctx)
{
    (void)t, (void)ctx;
    dx[0] = -x[0];
    return GT_OK;
}

int main(void)
{
    const double x0 = 1;
    double x;
    gt_problem problem = {.n_slow = 1, .rhs = decay, .t1 = 1, .x0 = &x0};
    gt_plan plan = {.rtol = 1e-8, .x_end = &x};
    gt_report report;
    if (gt_solve(&problem, gt_method_find("dopri5"), &plan, &report) != GT_OK) {
        fprintf(stderr, "%s\n", report.message.text);
        return 1;
    }
    if (strcmp(gt_version(), GT_VERSION) != 0) return 2;
    return fabs(x - exp(-1)) > 1e-6;
}
END

pkg_shared() {
    $cc $flags main.c $(pkg --cflags --libs) -lm -o pkg_shared &&
        readelf -d pkg_shared | grep -q 'libgeartrain\.so' && ./pkg_shared
}
pkg_static() {
    $cc $flags main.c $(pkg --cflags --libs --static | sed 's/-lgeartrain/-l:libgeartrain.a/') \
        -o pkg_static && ! readelf -d pkg_static | grep -q 'libgeartrain\.so' && ./pkg_static
}
only_flags() { pkg --libs --static && ! pkg --libs --static | tr ' ' '\n' | grep '^[^-]'; }
check "pkg-config, shared" pkg_shared
check "pkg-config, flags and no files" only_flags
check "pkg-config, static" pkg_static
# Nothing shared at all, where the archives behind LAPACK are installed; sanitizers do not go with it.
pkg_all_static() { $cc $flags -static main.c $(pkg --cflags --libs --static) -o pkg_all_static 2>ld.log && ./pkg_all_static || { cat ld.log; return 1; }; }
case ${sanitize:-$(pkg --libs --static)} in
*-lgfortran*) check "pkg-config, a program that is static altogether" pkg_all_static ;;
esac
check "pkg-config, version" pkg --exact-version "$(sed -n 's/.*GT_VERSION "\(.*\)"/\1/p' \
    "$SOURCE_DIR/include/geartrain/api.h")"

elsewhere() {
    cmake --install "$BUILD_DIR" --prefix "$scratch/other place" >installed &&
        PKG_CONFIG_PATH=$(dirname "$(find "$scratch/other place" -name geartrain.pc)") pkg-config --variable=prefix geartrain |
        grep -qx "$scratch/other place"
}
check "cmake --install --prefix, and pkg-config names that folder" elsewhere

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(user C)
find_package(geartrain 0.2 REQUIRED)
foreach(kind geartrain geartrain_shared geartrain_static)
  add_executable(user_${kind} main.c)
  target_link_libraries(user_${kind} geartrain::${kind} m)
endforeach()
END
find_package() {
    cmake -S . -B user -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="$flags" -DCMAKE_PREFIX_PATH="$stage$prefix" \
        -DCMAKE_EXPORT_NO_PACKAGE_REGISTRY=ON && cmake --build user
}
check "find_package, build" find_package
for kind in geartrain geartrain_shared geartrain_static; do
    check "find_package, $kind" "./user/user_$kind"
done

# Threads in BLAS would make results depend on the machine; which BLAS the system prefers must not matter.
one_blas() {
    folder=$(cached OPENBLAS_LIBRARY)
    [ -n "$folder" ] || return 1
    for program; do
        ldd "$program" | grep -E 'lib(open)?blas|liblapack\.'
        ! ldd "$program" | grep -E 'lib(open)?blas|liblapack\.' | grep -vF "${folder%/*}/" || return 1
    done
}
check "one BLAS is loaded, the one that was configured" one_blas "$stage$prefix/bin/geartrain" pkg_shared pkg_static
check "the installed program runs" "$stage$prefix/bin/geartrain" list methods
check "exported symbols start with gt_" "$SOURCE_DIR/scripts/check-symbols" "$libdir/libgeartrain.so" \
    "$libdir/libgeartrain.a"

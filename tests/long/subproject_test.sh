# SPDX-License-Identifier: BSD-3-Clause
# A project of somebody else that takes the sources in by add_subdirectory, as FetchContent does: with its own folders, its
# own flags, -ffast-math among them, and no C. The library is compiled once more. Run by scripts/test, which sets
# SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"

cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.18)
project(host CXX)
add_subdirectory("$SOURCE_DIR" geartrain)
foreach(kind geartrain geartrain_static)
  add_executable(host_\${kind} main.cpp)
  target_link_libraries(host_\${kind} PRIVATE geartrain::\${kind})
endforeach()
install(TARGETS host_geartrain)
END
cat >main.cpp <<'END'
#include <geartrain/geartrain.h>
#include <cstdint>
#include <cstdio>
#include <cstring>

static gt_status f(double, const double *x, double *dx, void *)
{
    dx[0] = x[1];
    dx[1] = 100 * (1 - x[0] * x[0]) * x[1] - x[0];
    return GT_OK;
}

static gt_status nan_of(double, const double *, double *dx, void *)
{
    const std::uint64_t bits = 0x7ff8000000000000; /* NAN is nothing with -ffast-math */
    std::memcpy(dx, &bits, sizeof bits);
    return GT_OK;
}

int main()
{
    double x[] = {2, 0};
    gt_problem problem = {};
    problem.n_slow = 2;
    problem.rhs = f;
    problem.t1 = 50;
    problem.x0 = x;
    gt_plan plan = {};
    plan.pilot = &gt_auto;
    plan.rtol = 1e-6;
    plan.x_end = x;
    if (gt_solve(&problem, nullptr, &plan, nullptr) != GT_OK) return 1;
    std::printf("x(50) = %.4f\n", x[0]);
    problem.n_slow = 1;
    problem.rhs = nan_of;
    return gt_solve(&problem, nullptr, &plan, nullptr) == GT_NOT_FINITE ? 0 : 2;
}
END
build() {
    cmake -S . -B host -DCMAKE_CXX_FLAGS=-ffast-math -DCMAKE_C_FLAGS=-ffast-math -DCMAKE_INSTALL_PREFIX="$scratch/there" &&
        cmake --build host -j "$(nproc)"
}
check "the library is built as a part of another project" build
for kind in geartrain geartrain_static; do
    right() { "./host/host_$kind" | grep -qx 'x(50) = 1.5968'; }
    check "and linked, $kind" right
    sees_nan() { "./host/host_$kind" >seen; }
    check "NaN is seen in spite of -ffast-math, $kind" sees_nan
done
alone() { cmake --install host && [ "$(find there -type f)" = "there/bin/host_geartrain" ]; }
check "the other project installs its own files only" alone
unwanted() { find host -name 'geartrain' -type f | grep . || find host -name 'test_*' -type f | grep .; }
nothing_else() { ! unwanted; }
check "neither program nor tests are built" nothing_else

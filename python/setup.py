# SPDX-License-Identifier: BSD-3-Clause
"""Builds geartrain._core: one extension of the stable ABI, with the C library inside.

The library comes from the build folder that GEARTRAIN_BUILD names (make python says so), else it is built by cmake
here. It is the full one, with LAPACK and KLU of the system, where these are found; otherwise, or with
GEARTRAIN_LIBM_ONLY=1, the one that needs nothing but libm, for small systems without sparse matrices.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
ROOT = Path(os.environ.get("GEARTRAIN_SOURCE") or HERE.parent)
VERSION = re.search(r'GT_VERSION "(.*)"', (ROOT / "include/geartrain/api.h").read_text())[1]


def cmake_build(folder: Path) -> None:
    """Builds the static library in `folder`: full, or without the libraries for linear algebra."""
    kinds = [["-DGEARTRAIN_LIBM_ONLY=ON"]]
    if os.environ.get("GEARTRAIN_LIBM_ONLY") != "1":
        kinds.insert(0, ["-DGEARTRAIN_LIBM_ONLY=OFF"])
    for kind in kinds:
        configure = ["cmake", "-S", ROOT, "-B", folder, "-DGEARTRAIN_TESTS=OFF", "-DGEARTRAIN_PROGRAM=OFF", *kind]
        if subprocess.run(configure, stdout=subprocess.DEVNULL).returncode == 0:
            break
        shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["cmake", "--build", folder, "--parallel", "--target", "geartrain_static"], check=True)


class BuildWithLibrary(build_ext):
    """Links libgeartrain.a, whole: compiled models call functions that nothing else here names."""

    def build_extension(self, extension):
        given = os.environ.get("GEARTRAIN_BUILD")
        folder = ROOT / given if given else Path(self.build_temp).resolve() / "library"
        if not given:
            cmake_build(folder)
        elif not (folder / "libgeartrain.a").exists():
            sys.exit(f"geartrain: GEARTRAIN_BUILD={given}, but there is no {folder / 'libgeartrain.a'}; "
                     "./scripts/build makes one")
        private = re.search(r"Libs.private: (.*)", (folder / "geartrain.pc").read_text())[1]
        kind = "full: LAPACK and KLU of the system" if "-lklu" in private else "libm only"
        print(f"geartrain: linking {folder / 'libgeartrain.a'} ({kind})", file=sys.stderr)
        extension.extra_link_args += [
            "-Wl,--whole-archive", str(folder / "libgeartrain.a"), "-Wl,--no-whole-archive", *private.split(),
        ]
        extension.depends.append(str(folder / "libgeartrain.a"))
        super().build_extension(extension)
        self.copy_data(extension)

    def copy_data(self, extension):
        """Headers for models that are compiled at run time, beside the extension."""
        package = Path(self.get_ext_fullpath(extension.name)).resolve().parent
        shutil.copytree(ROOT / "include/geartrain", package / "include/geartrain", dirs_exist_ok=True)


core = Extension(
    "geartrain._core",
    sources=sorted(str(p.relative_to(HERE)) for p in (HERE / "core").glob("*.c")),
    depends=["core/py_core.h"],
    include_dirs=[str(ROOT / "include"), "core"],
    define_macros=[("Py_LIMITED_API", "0x030B0000"), ("_POSIX_C_SOURCE", "200809L")],
    extra_compile_args=["-std=c11", "-fvisibility=hidden", "-Wall", "-Wextra", "-Wshadow", "-Wconversion",
                        "-Wno-missing-field-initializers", *os.environ.get("GEARTRAIN_PYTHON_CFLAGS", "").split()],
    extra_link_args=["-pthread", *os.environ.get("GEARTRAIN_PYTHON_LDFLAGS", "").split()],
    py_limited_api=True,
)

setup(
    version=VERSION,
    ext_modules=[core],
    cmdclass={"build_ext": BuildWithLibrary},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)

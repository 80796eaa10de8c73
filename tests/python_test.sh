# SPDX-License-Identifier: BSD-3-Clause
# The Python package: built and installed into a virtual environment in the build folder, then its own tests under pytest
# with warnings as errors, and SciPy's tests of solve_ivp. Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
cd "$SOURCE_DIR" || exit 1

if ! python=$(./scripts/python --which 2>&1); then
    echo "skip python: $python"
    exit 0
fi
case $(sed -n 's/^GEARTRAIN_SANITIZE:STRING=//p' "$BUILD_DIR/CMakeCache.txt") in
"") sanitized= ;;
*address*) sanitized=yes ;;
*)
    echo "skip python: an interpreter does not load a library with these sanitizers"
    exit 0
    ;;
esac
if ! "$python" -c 'import pytest' 2>/dev/null; then
    echo "skip python: $python has no pytest; ./scripts/bootstrap python installs Debian's"
    exit 0
fi
if ./scripts/python; then
    echo "ok the package is built by $python"
else
    echo "not ok the package is built by $python"
    exit 1
fi

# One line for each test; what went wrong comes before them.
cd "$BUILD_DIR/python" || exit 1
if [ -n "$sanitized" ]; then # the interpreter frees little at its end, so leaks are for test_no_leak
    export GEARTRAIN_SANITIZED=yes ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD="$(gcc -print-file-name=libasan.so)"
fi
# README.md has the same problem for C and for Python.
awk '$0 == "```python" { inside = 1; next } /^```/ { inside = 0 } inside' "$SOURCE_DIR/README.md" >readme.py
said=$(bin/python readme.py 2>&1)
if [ -n "$said" ] && grep -qxF "$said" "$SOURCE_DIR/README.md"; then
    echo "ok README, the Python program prints what is shown"
else
    echo "$said"
    echo "not ok README, the Python program prints what is shown"
fi
GEARTRAIN_SOURCE=$SOURCE_DIR GEARTRAIN_PROGRAM=$BUILD_DIR/geartrain OPENBLAS_NUM_THREADS=1 \
    bin/python -m pytest -p no:cacheprovider -W error -q -rA --tb=short --rootdir=source source/tests >pytest.log 2>&1
status=$?
grep -v -e '^PASSED ' -e '^SKIPPED ' -e '^FAILED ' -e '^ERROR ' pytest.log
sed -n 's/^PASSED /ok /p; s/^FAILED /not ok /p; s/^ERROR /not ok /p; s/^SKIPPED /skip python: /p' pytest.log
exit $status

# SPDX-License-Identifier: BSD-3-Clause
# What the suites of single commands share: a scratch folder, and a command with what it should do. Sourced by them.
set -u
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
geartrain=$BUILD_DIR/geartrain

verdict() { # NAME STATUS
    if [ "$2" = 0 ]; then
        echo "ok $1"
    else
        cat out err
        echo "not ok $1"
    fi
}
# Exit status and a piece of what is printed on standard output or error.
expect() { # NAME STATUS PATTERN ARGUMENT...
    name=$1 wanted=$2 pattern=$3
    shift 3
    "$geartrain" "$@" >out 2>err
    [ $? = "$wanted" ] && cat out err | grep -q -e "$pattern"
    verdict "$name" $?
}

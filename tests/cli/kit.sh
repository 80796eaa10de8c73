# SPDX-License-Identifier: BSD-3-Clause
# What the suites in shell share: a scratch folder, where they stand then, and a command with what it should do. Sourced
# by them. scripts/test sets SOURCE_DIR and BUILD_DIR; GEARTRAIN may name another program than the one built.
set -u
SOURCE_DIR=${SOURCE_DIR:-$PWD}
BUILD_DIR=${BUILD_DIR:-$SOURCE_DIR/build}
geartrain=${GEARTRAIN:-$BUILD_DIR/geartrain}
GEARTRAIN_COMPILE_SECONDS=600 # no result depends on how busy the machine is
export GEARTRAIN_COMPILE_SECONDS
COLUMNS=1000 # a line of text is a line; width_test.sh and the manual look at the usual 80
export COLUMNS
scratch=$(mktemp -d)
failures=0
# A suite with a check that went wrong ends with status 1, whatever its last command did.
clean_up() {
    status=$?
    rm -rf "$scratch"
    [ $failures = 0 ] || [ $status != 0 ] || exit 1
}
trap clean_up EXIT
cd "$scratch" || exit 1

# Where the decimal point is a comma, mawk writes 0,025 and reads 0.025 as 0: models that nobody meant, comparisons that
# cannot fail. The program is what is tested in that locale, not the tools of the suites.
awk() { LC_ALL=C.UTF-8 command awk "$@"; }

verdict() { # NAME STATUS: what was printed last is shown when it went wrong
    if [ "$2" = 0 ]; then
        echo "ok $1"
    else
        failures=$((failures + 1))
        for last in out err log; do
            [ ! -f "$scratch/$last" ] || tail -n 40 "$scratch/$last" | sed 's/^/    /'
        done
        echo "not ok $1"
    fi
}
# What cannot be checked here, and why; scripts/test counts it apart.
skip() { echo "skip $1: $2"; } # NAME WHY
# The files out and err of the command before are left alone, so that COMMAND may look at them.
check() { # NAME COMMAND...
    checked=$1
    shift
    "$@" >"$scratch/log" 2>&1
    verdict "$checked" $?
    rm -f "$scratch/log"
}
# Exit status and a piece of what is printed on standard output or error.
expect() { # NAME STATUS PATTERN ARGUMENT...
    name=$1 wanted=$2 pattern=$3
    shift 3
    "$geartrain" "$@" >out 2>err
    [ $? = "$wanted" ] && cat out err | grep -q -e "$pattern"
    verdict "$name" $?
}
# Two numbers, nothing else, that are no further apart.
within() { # VALUE WANTED TOLERANCE
    awk -v a="$1" -v b="$2" -v tolerance="$3" '
        function is_number(s) { return s ~ /^[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$/ }
        BEGIN { gap = a - b; exit !(is_number(a) && is_number(b) && gap <= tolerance && gap >= -tolerance) }'
}
same() { [ -s "$1" ] && cmp "$1" "$2"; } # FILE FILE: two empty ones are no success
needs_jsonget() { # ./jsonget PATH <out prints the value at a path of a JSON object
    ${CC:-cc} -o jsonget "$SOURCE_DIR/tests/cli/jsonget.c" -ljansson || { echo "not ok jsonget compiles"; exit 1; }
}
cached() { sed -n "s/^$1:[A-Z]*=//p" "$BUILD_DIR/CMakeCache.txt"; } # an answer of the configuration

# ---- signals, without a clock: what is waited for is a state of the process, not a time ----

ended() { ! grep -q '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$1/status" 2>/dev/null; } # PID, a child not yet waited for
# Until a command is true; a failure when the process has ended before.
wait_until() { # PID COMMAND...
    process=$1
    shift
    until "$@"; do
        ! ended "$process" || { "$@"; return; }
        sleep 0.02
    done
}
# The process catches SIGINT, which is bit 1 of the mask: a signal from now on is an interruption and not its death. It
# must have become the program first: the copy of the shell that it begins as catches it like the shell, and dies of it.
catches_interrupts() { # PID
    [ "$(readlink "/proc/$1/exe")" != "$(readlink "/proc/$$/exe")" ] &&
        grep -q '^SigCgt:.*[2367abef]$' "/proc/$1/status" 2>/dev/null
}
has_rows() { [ -n "$(find . -name "$1.unfinished*" -size +0)" ]; } # FILE, that is being written under a temporary name

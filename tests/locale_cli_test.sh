# SPDX-License-Identifier: BSD-3-Clause
# The program inside a host that called setlocale with a decimal comma prints and writes the bytes of the C locale.
# The program itself never calls setlocale: a small library, loaded before it, does so in its place.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
unset LC_ALL LC_NUMERIC LANG LANGUAGE

# The lint first: it needs no locale. A planted line is found, and the tree has none.
cat >planted.c <<'EOF'
double planted(const char *s) { return strtod(s, 0); }
EOF
"$SOURCE_DIR/scripts/check-numbers" planted.c >out 2>err
check "a planted strtod is found" grep -q 'planted.c:1: strtod' err
check "no other strtod, no other printf of a double" sh -c 'cd "$SOURCE_DIR" && ./scripts/check-numbers'

case $(cached GEARTRAIN_SANITIZE) in
"") ;;
*)
    skip "the program in a host with a decimal comma" "a sanitizer must be the first library"
    exit 0
    ;;
esac
if ! LOCPATH=$("$SOURCE_DIR/scripts/comma-locale" "$BUILD_DIR/tests/locales" 2>err); then
    skip "the program in a host with a decimal comma" "$(tail -n 1 err)"
    exit 0
fi
cat >host.c <<'EOF'
#define _POSIX_C_SOURCE 200809L
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__attribute__((constructor)) static void enter(void)
{
    char text[16];
    unsetenv("LD_PRELOAD"); /* compiler and gnuplot are no hosts */
    setlocale(LC_ALL, "");
    snprintf(text, sizeof text, "%.1f", 0.5);
    if (strcmp(text, "0,5")) abort();
}
EOF
check "the host compiles" ${CC:-cc} -shared -fPIC -o host.so host.c
in_host() { LOCPATH=$LOCPATH LC_ALL=de_DE.UTF-8 LD_PRELOAD=$scratch/host.so "$@"; }

timeless() { grep -v '"[a-z]*_s":' "$1"; } # the clock differs from run to run
both() { # NAME ARGUMENT...: the same bytes on standard output, and the same exit status
    what=$1
    shift
    "$geartrain" "$@" >c.out 2>c.err
    wanted=$?
    in_host "$geartrain" "$@" >out 2>err
    got=$?
    timeless c.out >c.plain
    timeless out >plain
    [ $wanted = 0 ] && [ $got = 0 ] && same c.plain plain && cmp c.err err
    verdict "$what" $?
}
both_files() { # NAME FILE ARGUMENT...: the same bytes in a file
    what=$1 file=$2
    shift 2
    rm -f "$file" c.file
    "$geartrain" "$@" >c.out 2>c.err && mv "$file" c.file && in_host "$geartrain" "$@" >out 2>err && same c.file "$file"
    verdict "$what" $?
}

printf "par a=1.5\ninit x=2.5\nx'=-0.25*a*x+2.5e-1\naux y=0.5*x\n@ total=3,dt=.125\ndone\n" >decay.ode
in_host "$geartrain" run decay.ode --rtol 1e-9 --quiet --json >out 2>err
needs_jsonget
check "x' = -0.25 a x + 0.25 ends at 1.2619, not at 8" within "$(./jsonget x.x <out)" 1.26185 1e-4
both "a model file, compiled" run decay.ode --quiet --json
both "interpreted" run decay.ode --quiet --no-compile --json
both "its C code" show decay.ode --emit-c
both_files "its CSV" decay.csv run decay.ode --quiet --out decay.csv --every 0.25
both "parameters and options" run vanderpol --set mu=2.5 --method gear --opt newton_fraction=0.05 --rtol 2.5e-5 --t1 1.5 --quiet --json
both_files "a sweep" sweep.csv sweep decay.ode --sweep a=0.5:1.5:5 --quiet --out sweep.csv
"$geartrain" coefficients rk4 --json >mine.json
both "a method file" order ./mine.json
both "numbers of a method as JSON" coefficients dopri5 --json
both "numbers of a method as text" coefficients dopri5
both "a power flow" power flow "$SOURCE_DIR/cases/wscc9.m"
both "a run of a power system" power run "$SOURCE_DIR/cases/wscc9.m" --fault 7@0.1:0.183:0.01+j0.02 --t1 0.5 --quiet --json
both_files "a case that is written" synth.m power synth --buses 30 --out synth.m
both "eigenvalues" linearize decay.ode
both "a steady state" equilibrium decay.ode
both "a table of errors" compare decay.ode --methods heun,dopri5 --rtol 1e-4,1e-6 --json
both "stability on a line" stability rk4
both "advice" advise decay.ode --json
both_files "a figure" figure.svg run decay.ode --quiet --plot figure.svg
"$geartrain" run decay.ode --rtol -0.5 >c.out 2>c.err
in_host "$geartrain" run decay.ode --rtol -0.5 >out 2>err
check "what is wrong with a number" cmp c.err err
in_host "$geartrain" run decay.ode --rtol 0,5 >out 2>err
check "a comma is no decimal point" grep -q "0,5' is not a number" err

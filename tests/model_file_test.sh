# SPDX-License-Identifier: BSD-3-Clause
# Models from .c and .so files: compiled, kept, loaded, refused. Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
cache=$XDG_CACHE_HOME/geartrain
unset CC
cp "$SOURCE_DIR/examples/models/motor.c" .

objects() { ls "$cache" | grep -c '\.so$'; }

# 12 k / (b R + k^2) = 171.428571..
expect "a C file runs" 0 'w  *171\.4285' run motor.c --rtol 1e-9 --t1 20
check "the object is kept" [ "$(objects)" = 1 ]
check "the cache is closed to others" [ "$(stat -c %a "$cache")" = 700 ]
check "no build folder stays" [ "$(ls "$cache" | wc -l)" = 1 ]
before=$(ls -i "$cache")
expect "a second run" 0 'w  *171\.4285' run ./motor.c --rtol 1e-9 --t1 20
expect "a third run, by the same name" 0 'w  *171\.4285' run motor.c --rtol 1e-9 --t1 20
check "takes what is kept" [ "$(ls -i "$cache" | grep -c "$before")" = 1 ]
expect "show" 0 'resistance of the winding' show motor.c
expect "compare" 0 'dopri5' compare motor.c --methods dopri5,trapezoidal --rtol 1e-4
expect "advise" 0 'stiff' advise motor.c
expect "equilibrium" 0 '171\.428' equilibrium motor.c
expect "linearize" 0 'eigenvalue' linearize motor.c
expect "parameters and start values" 0 'w  *42\.8' run motor.c --set V=3 --init w=1 --t1 20
"$geartrain" sweep motor.c --sweep V=1:12:24 --threads 1 --out one.csv >out 2>err
"$geartrain" sweep motor.c --sweep V=1:12:24 --threads 4 --out four.csv >out 2>err
check "a sweep in threads is the same as in one" cmp one.csv four.csv
expect "unknown parameters are reported" 2 "no parameter 'W'" run motor.c --set W=1
expect "--no-compile cannot do C" 2 'has to be compiled' run motor.c --no-compile

cc -shared -fPIC -I"$SOURCE_DIR/include" -o motor.so motor.c
expect "a shared object runs" 0 'w  *171\.4285' run motor.so --rtol 1e-9 --t1 20

# What is refused.
expect "no such file" 2 'there is no model file ./no.c' run ./no.c
mkdir d.c && expect "a folder named .c" 2 'is a folder' run d.c
expect "another ending" 2 'is not a model file' run ./motor.txt
echo 'int x' >broken.c
expect "the compiler's own words" 2 'broken.c:1:[0-9]*: error' run broken.c
expect "and which file" 2 'geartrain: broken.c: the C compiler' run broken.c
echo 'int x;' >empty.c
expect "a file without the model" 2 'defines no geartrain_model' run empty.c
sed 's/\.abi = GT_MODEL_ABI/.abi = 999/' motor.c >old.c
expect "another interface" 2 'interface 999' run old.c
sed 's/\.build = build/.build = 0/' motor.c >nobuild.c
expect "a descriptor without build" 2 'has no build' run nobuild.c
sed 's/speed(t, x, dx, ctx)/gt_no_such(t, x, dx, ctx)/; s/^static gt_status rhs/gt_status gt_no_such(double, const double*, double*, void*);\n&/' \
    motor.c >undefined.c
expect "an undefined function is named" 2 'gt_no_such' run undefined.c
echo 'not an object' >text.so
expect "a .so that is none" 2 'text.so cannot be loaded' run text.so
CC=no-such-compiler expect "a compiler that is not there" 2 "'no-such-compiler' (variable CC)" run motor.c
geartrain_here=$geartrain
printf '#!/bin/sh\nPATH=/nowhere\nexec "%s" "$@"\n' "$geartrain" >lonely && chmod +x lonely
geartrain=./lonely
expect "no compiler at all" 2 'there is no C compiler' run motor.c
geartrain=$geartrain_here
CC=false expect "a compiler that does not work" 2 'cannot be run' run motor.c

# Names are words for the compiler, never text for a shell.
cp motor.c 'a b;touch pwned;$(touch pwned)".c'
expect "a name like a command" 0 171.4285 run 'a b;touch pwned;$(touch pwned)".c' --rtol 1e-9 --t1 20
check "which is not run" [ ! -e pwned ]

# What the object depends on.
sed 's/#include <geartrain.model.h>/&\n#include "own.h"/; s/initial = 12,/initial = SUPPLY,/' motor.c >with.c
echo '#define SUPPLY 12' >own.h
expect "a header of one's own" 0 171.4285 run with.c --rtol 1e-9 --t1 20
echo '#define SUPPLY 24' >own.h
expect "and a change in it" 0 342.857 run with.c --rtol 1e-9 --t1 20
count=$(objects)
CC="cc -DOTHER" expect "flags in CC" 0 171.4285 run motor.c --rtol 1e-9 --t1 20
check "make another object" [ "$(objects)" = $((count + 1)) ]

# The cache does not believe everything, and nothing depends on it.
rm -rf "$cache"
"$geartrain" run motor.c --quiet >out 2>err
object=$(ls "$cache"/*.so)
: >"$object"
expect "an object cut short is made again" 0 171.4285 run motor.c --rtol 1e-9 --t1 20
check "and kept" [ -s "$object" ]
rm "$object" && ln -s "$PWD/text.so" "$object"
expect "a link in the place of an object" 0 171.4285 run motor.c --rtol 1e-9 --t1 20
check "is replaced" [ ! -L "$object" ]
chmod 755 "$cache"
expect "a folder that others can read" 0 171.4285 run motor.c --rtol 1e-9 --t1 20
check "is closed" [ "$(stat -c %a "$cache")" = 700 ]
chmod 777 "$cache"
expect "a folder that others can write is reported" 0 'is open to others' run motor.c
expect "and not used" 0 171.4285 run motor.c --rtol 1e-9 --t1 20
chmod 700 "$cache"
mv "$cache" elsewhere && ln -s "$PWD/elsewhere" "$cache"
expect "a link to a folder is not used" 0 'is a link or not a folder' run motor.c
rm "$cache" && mv elsewhere "$cache"
if [ "$(id -u)" = 0 ]; then
    chown 12345 "$cache"
    expect "another user's folder is not used" 0 'belongs to another user' run motor.c
    chown 0 "$cache"
fi
XDG_CACHE_HOME=relative expect "a relative cache folder is ignored" 0 171.4 run motor.c
check "and not made" [ ! -e relative/geartrain ]
XDG_CACHE_HOME='' HOME=/dev/null expect "no cache at all" 0 171.4 run motor.c
XDG_CACHE_HOME='' HOME='' expect "no home" 0 171.4 run motor.c
mkdir "$cache/build-old000" && echo x >"$cache/build-old000/model.c" && touch -d '3 hours ago' "$cache/build-old000"
mkdir "$cache/build-new000"
i=0
while [ $i -lt 300 ]; do
    name=$(printf '%064d.so' $i)
    : >"$cache/$name" && touch -d "$((i + 1)) days ago" "$cache/$name"
    i=$((i + 1))
done
rm "$object"
expect "a compilation tidies" 0 171.4 run motor.c
check "what an earlier one left behind" [ ! -e "$cache/build-old000" ]
check "not what may be in use" [ -e "$cache/build-new000" ]
check "and keeps 256 objects" [ "$(objects)" = 256 ]
check "the latest ones" [ -s "$object" ]
rm -rf "$cache"
for i in 1 2 3 4 5 6; do "$geartrain" run motor.c --rtol 1e-9 --t1 20 >"out$i" 2>&1 & done
wait
check "six at once all succeed" [ "$(grep -l 171.4285 out? | wc -l)" = 6 ]
check "and leave one object" [ "$(ls "$cache" | wc -l)" = 1 ]

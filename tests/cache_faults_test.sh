# SPDX-License-Identifier: BSD-3-Clause
# What lies in the compile cache may be damaged, and a compiler may not end: neither may harm a run.
# A damaged object was loaded and killed every later run with SIGBUS, SIGILL or SIGSEGV; a compiler that slept kept the
# program for ever. Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
cache=$XDG_CACHE_HOME/geartrain
unset CC
cp "$SOURCE_DIR/examples/models/motor.c" "$SOURCE_DIR/examples/models/rod.ode" .

run_of() { # MODEL: the run whose result is known
    case $1 in
    *.c) expect "$2" 0 'w  *171\.4285' run "$1" --rtol 1e-9 --t1 20 ;;
    *) expect "$2" 0 'th  *-0\.07124' run "$1" --rtol 1e-9 --compile ;;
    esac
}
sound() { cmp -s "$object" "$good" && [ -f "$object" ] && [ ! -L "$object" ]; }
overwrite() { printf "$1" | dd of="$object" bs=1 seek="$2" conv=notrunc 2>dd.log; } # BYTES OFFSET
# The compiler gives the same bytes each time, so that an object which was made again is the good one.
healed() { # MODEL WHAT
    run_of "$1" "$1: $2"
    check "$1: $2, and it is made again" sound
    check "$1: $2, and nothing is said" [ ! -s err ]
    rm -rf "$object"
    cp -p "$good" "$object"
}

for model in motor.c rod.ode; do
    rm -rf "$cache"
    run_of $model "$model runs"
    object=$(ls "$cache"/*.so) good=$scratch/good_$model
    cp -p "$object" "$good"
    size=$(wc -c <"$object")
    for part in 0 1 63 64 1000 $((size / 4)) $((size / 2)) $((size - 4096)) $((size - 100)) $((size - 1)); do
        truncate -s $part "$object"
        healed $model "cut to $part bytes of $size"
    done
    truncate -s $((size + 4096)) "$object"
    healed $model "with zeros behind it"
    for place in 0 4 18 24 40 64 120 200 $((size / 8)) $((size / 4)) $((size / 2)) $((3 * size / 4)) $((size - 70)); do
        overwrite '\377\252\125\001' $place
        healed $model "four bytes changed at $place"
    done
    dd if=/dev/zero of="$object" bs=4096 seek=1 count=2 conv=notrunc 2>dd.log
    healed $model "pages of zeros, as after a power cut"
    head -c "$size" /dev/urandom >"$object"
    healed $model "noise"
    rm "$object" && mkdir "$object"
    healed $model "a folder in its place"
    rm "$object" && mkdir "$object" && echo x >"$object/file"
    healed $model "a folder with a file in its place"
    rm "$object" && mkfifo "$object"
    healed $model "a FIFO in its place"
    chmod 0 "$object"
    healed $model "one that cannot be read"
done

# Objects that are whole, but not of this text, or of another version.
cc -shared -fPIC -DGT_MODEL_ABI_OF_ANOTHER -I"$SOURCE_DIR/include" -o other.so motor.c
sed 's/\.abi = GT_MODEL_ABI/.abi = 999/' motor.c >old.c
cc -shared -fPIC -I"$SOURCE_DIR/include" -o old.so old.c
echo 'int nothing;' >nothing.c && cc -shared -fPIC -o nothing.so nothing.c
for foreign in other.so old.so nothing.so "$scratch/good_motor.c"; do
    cp "$foreign" "$object"
    healed rod.ode "${foreign##*/} in its place"
done
mkdir -p "$cache" && rm -f "$object" && mkdir -p "$object/folder/folder"
run_of rod.ode "what cannot be removed from the cache does not stop a run"
check "and is reported" grep -q 'compiled anew in each run' err
rm -rf "$object"

# A shared object of the user's own has no seal, but one that was cut short must not end in SIGBUS.
size=$(wc -c <other.so)
for part in 1 64 200 $((size / 4)) $((size / 2)) 12000; do
    head -c $part other.so >cut.so
    expect "an object cut to $part bytes of $size is refused" 2 'cut.so cannot be loaded' run ./cut.so
done

# Compilers that do not come to an end.
cat >version <<'END'
#!/bin/sh
[ "$1" = --version ] && echo one && exit 0
END
# For a time that no other suite on this machine sleeps for, by which the processes are known.
own=98760.$$
{ cat version && echo "sleep $own"; } >sleeps
{ cat version && echo "sleep $own & wait"; } >spawns
{ cat version && echo "(trap '' TERM INT HUP; sleep $own; sleep $own) & exit 1"; } >leaves
printf '#!/bin/sh\nexec sleep %s\n' "$own" >mute
chmod +x sleeps spawns leaves mute
GEARTRAIN_COMPILE_SECONDS=1
export GEARTRAIN_COMPILE_SECONDS
asleep() { ps -eo args | grep "^sleep $own\$"; }
# All at once: each waits for a second.
one_kind() { # KIND FILE
    mkdir "$1_$2" && cd "$1_$2" && cp ../motor.c ../rod.ode . || exit 1
    scratch_of_all=$scratch scratch=$PWD
    case $2 in
    rod.ode)
        CC=$scratch_of_all/$1 run_of rod.ode "a compiler that $1 is stopped"
        check "($1) it is said why, and that the file is interpreted" grep -q 'within 1 s.*rod.ode is interpreted' err
        ;;
    *) CC=$scratch_of_all/$1 expect "a .c file needs a compiler that ends ($1)" 2 'within 1 s' run motor.c ;;
    esac >../$1_$2.verdicts
}
for kind in sleeps spawns mute; do
    for file in rod.ode motor.c; do (one_kind $kind $file) & done
done
wait
cat ./*.verdicts
failures=$((failures + $(cat ./*.verdicts | grep -c '^not ok')))
check "all six compilers were tried" [ "$(cat ./*.verdicts | grep -c '^ok')" = 9 ]
CC=$scratch/leaves run_of rod.ode "a compiler that fails and leaves a process behind is not waited for"
check "none of their processes is left" [ -z "$(asleep)" ]
check "nor a build folder" [ "$(ls "$cache" | grep -c build-)" = 0 ]
GEARTRAIN_COMPILE_SECONDS=x expect "the variable is a number" 2 'GEARTRAIN_COMPILE_SECONDS' run rod.ode

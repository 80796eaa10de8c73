# SPDX-License-Identifier: BSD-3-Clause
# Files that are written while the disk is full, or by a run that is killed; what is read and is no file.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
whole() { # FILE COLUMNS: whole rows only
    [ -s "$1" ] && [ "$(tail -c 1 "$1" | od -An -c | tr -d ' ')" = '\n' ] &&
        [ "$(awk -F, '{ print NF }' "$1" | sort -u)" = "$2" ]
}
limited() { (ulimit -f 16 && exec "$geartrain" "$@") >out 2>err; } # 8 KB, or 16 in some shells, and no more of a file

# The disk is full.
"$geartrain" run lorenz --t1 1 --out a.csv --quiet >out 2>err
old=$(cat a.csv)
limited run lorenz --t1 50 --every 0.01 --out a.csv
check "a full disk ends a run with status 2" [ $? = 2 ]
check "and keeps the rows so far" whole a.csv.partial 4
check "of which there are many" [ "$(wc -l <a.csv.partial)" -gt 50 ]
check "says how many and where" grep -q "the $(($(wc -l <a.csv.partial) - 1)) rows so far are in a.csv.partial" err
check "and why" grep -q 'cannot write a.csv: File too large' err
check "the old file is as it was" [ "$(cat a.csv)" = "$old" ]
check "and no temporary file stays" [ -z "$(find . -name 'a.csv.unfinished*')" ]
rm -f b.csv*
limited sweep lorenz --sweep rho=1:400:400 --t1 0.1 --out b.csv
check "a sweep that does not fit ends with status 2" [ $? = 2 ]
check "and keeps its rows" whole b.csv.partial "$(head -1 b.csv.partial | awk -F, '{ print NF }')"
limited power run "$SOURCE_DIR/cases/wscc9.m" --t1 10 --h 0.005 --out c.csv
check "a power run that does not fit ends with status 2" [ $? = 2 ]
check "and keeps its rows, too" whole c.csv.partial "$(head -1 c.csv.partial | awk -F, '{ print NF }')"

# Killed, silently.
rm -f long.csv*
"$geartrain" run lorenz --method rk4 --h 1e-5 --t1 1e6 --every 0.1 --out long.csv >out 2>err &
id=$!
wait_until $id has_rows long.csv
kill -KILL $id
wait $id
check "a killed run leaves whole rows under a name that says so" whole long.csv.unfinished 4
check "and no file that looks complete" [ ! -e long.csv ]
before=$(cksum <long.csv.unfinished)
expect "the next run to the same file reports it" 0 'found the unfinished long.csv.unfinished of an earlier run' \
    run lorenz --t1 1 --out long.csv
check "and keeps it" [ "$(cksum <long.csv.unfinished)" = "$before" ]
check "its own is complete" whole long.csv 4
rm -f long.csv*
expect "without one nothing is said" 0 'wrote' run lorenz --t1 1 --out long.csv
check "(no warning)" [ ! -s err ]

# What is read must be a file with an end.
mkfifo pipe.ode pipe.c pipe.so pipe.json pipe.csv pipe.m pipe.dyr
for model in pipe.ode pipe.c pipe.so; do
    expect "a FIFO as model ($model) is refused" 2 "$model is a pipe or a device" run ./$model
    ln -sf /dev/zero zero.${model##*.}
    expect "so is a device" 2 'is a pipe or a device' show ./zero.${model##*.}
done
wscc=$SOURCE_DIR/cases/wscc9.m
for path in ./pipe.json /dev/zero; do
    expect "$path as method" 2 'a device or a pipe' run lorenz --method $path
    expect "$path as start" 2 'a device or a pipe' run lorenz --init-from $path
    expect "$path as machine data" 2 'a device or a pipe' power run "$wscc" --dyn $path
    expect "$path as case" 2 'a device or a pipe' power flow $path
done
expect "a FIFO as machine data in a table" 2 'a device or a pipe' power run "$wscc" --dyn ./pipe.csv
expect "and in DYR" 2 'a device or a pipe' power run "$wscc" --dyn ./pipe.dyr
expect "a folder as start" 2 'is a folder' run lorenz --init-from .
truncate -s 40000000 huge.ode
expect "a file that is too long for a model" 2 'at most' run ./huge.ode
truncate -s 2000000000 huge.csv
expect "or for a start" 2 'at most' run lorenz --init-from huge.csv
rm -f huge.*

# A start from a file that was cut: 29.7 was read as 2.
printf 't,x,y,z\n0,1,2,3\n0.5,1.25,2.5,29.7\n' >start.csv
expect "a whole file starts a run" 0 'z ' run lorenz --t1 0.6 --t0 0.5 --init-from start.csv
check "with the right values, and nothing is said" [ ! -s err ]
for cut in 1 2 3 4; do
    head -c -$cut start.csv >cut.csv
    expect "one that lacks its last $cut bytes does not" 2 'the last row of cut.csv has no end' \
        run lorenz --t1 1 --init-from cut.csv
done
printf 't,x,y,z\n0,1,2,3\n0.5,1.25,2.5\n' >cut.csv
expect "nor one that lacks a column" 2 'the last row has 3 columns, the header 4' run lorenz --init-from cut.csv
expect "another time than t0 is reported" 0 'start.csv is at t = 0.5, and this run starts at t0 = 0;' \
    run lorenz --t1 1 --init-from start.csv

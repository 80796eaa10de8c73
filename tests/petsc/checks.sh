# SPDX-License-Identifier: BSD-3-Clause
# What scripts/test-petsc runs.
. "$SOURCE_DIR/tests/cli/kit.sh"
# Ranks share the cores of one machine; a container may have root alone.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl=self,vader
plugin="-dll_append $BUILD_DIR/libgeartrain-petsc.so -ts_type geartrain"
compile() { # NAME SOURCE...
    name=$1
    shift
    # shellcheck disable=SC2046
    "${MPICC:-mpicc}" -O1 -w $(pkg-config --cflags PETSc) "$@" -o "$name" $(pkg-config --libs PETSc) -lm >log 2>&1
}
ranks() { # N PROGRAM ARGUMENT...
    n=$1
    shift
    timeout 120 mpirun -n "$n" "$@" >out 2>err
}
for program in petsc_ranks petsc_ball; do
    check "$program compiles" compile $program "$SOURCE_DIR/tests/petsc/$program.c"
done

# Every method, with controlled and with fixed steps: the same digits on any number of ranks, or refused on all.
methods=$("$geartrain" list methods --names | tr '\n' ',' | sed 's/,$//')
# Iterations end within a part of the tolerance, so implicit methods agree to a tenth of rtol = 1e-6: gear6 is hardly stable.
implicit=$("$geartrain" list methods --json | awk -F'"' '$2 == "name" { name = $4 } $2 == "kind" && $4 == "implicit" { print name }' | tr '\n' ' ')
compare_digits() { # ONE OTHER LEAST: each method that runs on many ranks has the digits that it has on one
    awk -v implicit="$implicit" 'BEGIN { n = split(implicit, list, " "); for (i = 1; i <= n; i++) most[list[i]] = 1e-7 }
        FNR == NR { one[$1] = $0; next }
        $2 == "refused" { refused++; next }
        { n = split(one[$1], p, " ")
          if (p[2] == "refused" || n != NF) { print $1 " runs on many ranks and not on one"; bad = 1; next }
          for (i = 2; i <= NF; i++) { d = $i - p[i]; if (d < 0) d = -d; if (!(d <= ($1 in most ? most[$1] : 1e-12))) { print $1 " differs by " d; bad = 1; break } }
          same++ }
        END { print same + 0 " the same, " refused + 0 " refused"; exit bad || same < '"$3"' }' "$1" "$2"
}
for how in "-ts_rtol 1e-6 -ts_atol 1e-6" "-ts_adapt_type none -ts_dt 0.005"; do
    case $how in *none*) words="fixed steps" least=30 ;; *) words="controlled steps" least=20 ;; esac
    for shares in 24 11,13 9,0,15 1,10,6,7; do
        n=$(echo $shares | tr , '\n' | wc -l)
        # shellcheck disable=SC2086
        ranks $n ./petsc_ranks $plugin -shares $shares -methods "$methods" $how
        verdict "$words on $n ranks come to an end" $?
        mv out on$n
        [ $n = 1 ] || check "$words: the digits of one rank on $n ($shares cells)" compare_digits on1 on$n $least
    done
done

# Events of PETSc, on the first of three ranks; two more have nothing.
for n in 1 3; do
    # shellcheck disable=SC2086
    ranks $n ./petsc_ball $plugin -ts_rtol 1e-8 -ts_atol 1e-8 -ts_event_tol 1e-9
    verdict "a ball on $n ranks" $?
    check "its first bounce" within "$(sed -n 's/^bounce //p' out | sed -n 1p)" 0.45152364098573 1e-7
    check "its second bounce" within "$(sed -n 's/^bounce //p' out | sed -n 2p)" 1.26426619476 1e-6
done
# shellcheck disable=SC2086
{
    ranks 2 ./petsc_ball $plugin -events 0 -span
    check "times of TSSetTimeSpan are met" within "$(sed -n 's/^span 0.125 //p' out)" 2.149609375 1e-9
    ranks 2 ./petsc_ball $plugin -events 0 -push
    wanted=$(awk '$1 == "pushed" { t = 2 - $2; print $3 + ($4 + 5) * t - 9.81 * t * t / 2 }' out)
    check "a solution that is changed between steps" within "$(awk '$1 == "end" { print $3 }' out)" "$wanted" 1e-5
    ranks 1 ./petsc_ball $plugin -events 0 -ts_exact_final_time interpolate
    check "the end by dense output" within "$(awk '$1 == "end" { print $3 }' out)" -18.62 1e-9
    ranks 1 ./petsc_ball $plugin -events 0 -ts_view
    check "-ts_view names the method" grep -q 'Geartrain .*method dopri5' out

    # Refused on all ranks, with a message, and no hang.
    ranks 2 ./petsc_ball $plugin -ts_geartrain_method smess
    [ $? != 124 ] && grep -q "there is no method 'smess'; did you mean 'smes'" err
    verdict "an unknown method" $?
    ranks 3 ./petsc_ball $plugin -ts_geartrain_method taylor
    [ $? != 124 ] && grep -q 'taylor' err
    verdict "a method that cannot run on ranks" $?
    ranks 2 ./petsc_ball $plugin -ts_geartrain_options nonsense=3
    [ $? != 124 ] && grep -q 'nonsense' err
    verdict "an unknown option of a method" $?
}

# PETSc's own programs, as they are.
tutorials=$(ls -d /usr/share/petsc/*/share/petsc/examples/src/ts/tutorials 2>/dev/null | tail -n 1)
if [ -z "$tutorials" ]; then
    skip "PETSc's tutorials" "Debian's examples of PETSc are not installed"
    exit 0
fi
for name in ex2 ex3 ex4 ex9; do check "tutorial $name compiles" compile $name "$tutorials/$name.c"; done
last() { tail -n 1 out | grep -o '[0-9][0-9.e+-]*' | tr '\n' ' '; }
for n in 1 2 3 4; do
    # shellcheck disable=SC2086
    ranks $n ./ex4 -nox -ts_max_time .01 $plugin -ts_geartrain_method smes
    verdict "tutorial ex4 by smes on $n ranks" $?
    [ $n = 1 ] && one=$(last)
    check "with the digits of one" [ "$(last)" = "$one" ]
done
check "and an error below PETSc's own at its defaults" awk -v e="$one" 'BEGIN { split(e, p, " "); exit !(p[2] < .0026) }'
for n in 1 3; do
    # shellcheck disable=SC2086
    ranks $n ./ex4 -nox -ts_max_time .01 $plugin -ts_geartrain_method gear -ts_rtol 1e-6 -ts_atol 1e-6 -pc_type jacobi -ts_view
    verdict "tutorial ex4 by gear and KSP on $n ranks" $?
    check "by the preconditioner that was asked for" grep -q 'type: jacobi' out
    check "with its error" awk '/^Avg/ { exit !($6 > 0 && $6 < .0015) }' out
done
for name in ex2 ex3; do
    # shellcheck disable=SC2086
    ranks 1 ./$name -nox -ts_max_steps 60 $plugin -ts_monitor
    check "tutorial $name, steps" [ "$(grep -c ' TS dt ' out)" -gt 20 ]
done
# shellcheck disable=SC2086
ranks 3 ./ex9 -physics shallow -bc outflow -xmin 0 -xmax 5 -ts_max_time 1 $plugin
check "tutorial ex9 on 3 ranks" grep -q 'Final time' out
check "the multirate tutorial compiles" compile multirate "$tutorials/multirate/ex1.c"
# shellcheck disable=SC2086
ranks 1 ./multirate $plugin -ts_geartrain_method mri3
verdict "the multirate tutorial by mri3, with its index sets" $?

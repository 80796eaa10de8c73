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
# What takes so long is a rank that waits for ever: far beyond what a loaded machine needs.
limit=900
# Until a file is there, or a process is gone.
wait_for() { # -f FILE | -p PROCESS
    seconds=0
    while [ $seconds -lt $limit ]; do
        case $1 in
        -f) [ ! -f "$2" ] || return 0 ;;
        -p) kill -0 "$2" 2>/dev/null || return 0 ;;
        esac
        sleep 1
        seconds=$((seconds + 1))
    done
    return 1
}
ranks() { # N PROGRAM ARGUMENT...
    n=$1
    shift
    timeout $limit mpirun -n "$n" "$@" >out 2>err
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
    ranks 2 ./petsc_ball $plugin -ts_geartrain_method auto
    [ $? != 124 ] && grep -q "auto changes methods during a run" err
    verdict "auto is refused with the reason" $?
    ranks 3 ./petsc_ball $plugin -ts_geartrain_method taylor
    [ $? != 124 ] && grep -q 'taylor' err
    verdict "a method that cannot run on ranks" $?
    ranks 2 ./petsc_ball $plugin -ts_geartrain_options nonsense=3
    [ $? != 124 ] && grep -q 'nonsense' err
    verdict "an unknown option of a method" $?
}

# An implicit part that is U' + ..: the digits of the same equations without one; a factor before U' is refused.
tight="-ts_rtol 1e-6 -ts_atol 1e-6"
apart() { # MOST: the two lines of out and other
    cat out other | awk -v most="$1" 'NR == 1 { n = split($0, p, " "); next }
        { for (i = 2; i <= NF; i++) { d = $i - p[i]; if (d < 0) d = -d; if (!(d <= most)) exit 1 } exit NF != n || n < 3 }'
}
for method in dopri5 gear; do
    # shellcheck disable=SC2086
    {
        ranks 3 ./petsc_ranks $plugin -shares 9,0,15 -methods $method $tight
        mv out other
        ranks 3 ./petsc_ranks $plugin -shares 9,0,15 -methods $method $tight -factor 1
        check "$method with an implicit part on 3 ranks" apart 1e-6
        ranks 3 ./petsc_ranks $plugin -shares 9,0,15 -methods $method $tight -factor 2
        check "$method with a factor before U' is refused" grep -q "^$method refused" out
    }
done

# Checkpoints: a run that goes on from one ends with the bits of the whole one.
# shellcheck disable=SC2086
for n in 1 3; do
    shares=$([ $n = 1 ] && echo 24 || echo 9,0,15)
    for method in dopri5 gear; do
        ranks $n ./petsc_ranks $plugin -shares $shares -methods $method $tight -ts_geartrain_checkpoint kept -ts_geartrain_checkpoint_every 3
        verdict "$method on $n ranks with checkpoints" $?
        mv out other
        ranks $n ./petsc_ranks $plugin -shares $shares -methods $method $tight -ts_geartrain_resume kept
        check "goes on with the same bits" cmp out other
    done
done
# shellcheck disable=SC2086
{
    ranks 2 ./petsc_ranks $plugin -shares 11,13 -methods gear $tight -ts_geartrain_resume kept
    check "a checkpoint of three ranks on two is refused" grep -q '^gear refused' out
    size=$(wc -c <kept)
    printf 'XXXX' | dd of=kept bs=1 seek=$((size - 400)) conv=notrunc 2>/dev/null
    ranks 3 ./petsc_ranks $plugin -shares 9,0,15 -methods gear $tight -ts_geartrain_resume kept
    [ $? != 124 ] && grep -q '^gear refused' out
    verdict "a damaged part of one rank is refused on all" $?
    ranks 3 ./petsc_ranks $plugin -shares 9,0,15 -methods gear $tight -ts_geartrain_resume other
    [ $? != 124 ] && grep -q '^gear refused' out
    verdict "a file that is no checkpoint is refused" $?

    # An f that is never twice the same makes no rank wait for another.
    ranks 3 ./petsc_ranks $plugin -shares 9,0,15 -methods dopri5,gear,smes $tight -noise 1e-3 -ts_max_steps 100
    [ $? != 124 ] && [ "$(wc -l <out)" = 3 ]
    verdict "noise in f on 3 ranks comes to an end" $?

    # A rank that is killed, and a job that is: an end, with a message, and a checkpoint that is whole.
    endless="-shares 9,5,10 -methods dopri5 -ts_max_time 1e9 -ts_max_steps 2000000000 $tight"
    mpirun -n 3 ./petsc_ranks $plugin $endless -ts_geartrain_checkpoint live -ts_geartrain_checkpoint_every 20 >out 2>err &
    job=$!
    wait_for -f live
    one=$(pgrep -P $job | tail -n 1)
    kill -9 "${one:-$job}"
    wait_for -p $job
    verdict "the job of a rank that was killed ends" $?
    kill -9 $job 2>/dev/null
    wait $job
    check "with a message" [ -s err ]
    mpirun -n 3 ./petsc_ranks $plugin $endless -ts_geartrain_resume live -ts_geartrain_checkpoint later \
        -ts_geartrain_checkpoint_every 20 >out 2>err &
    job=$!
    wait_for -f later && ! grep -q refused out
    verdict "and its last checkpoint is whole: the job goes on from it" $?
    kill $job 2>/dev/null
    wait $job
}

# What ranks wait for: a line for each method, for the table of docs/petsc.md.
# shellcheck disable=SC2086
for method in rk4 dopri5 dop853 smrk4 smes mri3 gear; do
    case $method in rk4 | smrk4) how="-ts_adapt_type none -ts_dt 0.005" ;; *) how=$tight ;; esac
    ranks 2 ./petsc_ranks $plugin -shares 11,13 -methods $method $how -ts_view
    sed -n 's/^ *\([0-9]*\) steps, \([0-9]*\) rejected, \([0-9]*\) evaluations of f, \([0-9]*\) reductions over ranks in \([0-9]*\) messages/\1 \2 \3 \4 \5/p' out >counts
    check "$method counts reductions" awk '{ seen = $4 >= $1 && $5 >= $4 } END { exit !seen }' counts
    [ -z "${PETSC_COUNTS-}" ] || echo "# $method $(cat counts)"
done

# PETSc's own programs, as they are.
tutorials=$(ls -d /usr/share/petsc/*/share/petsc/examples/src/ts/tutorials 2>/dev/null | tail -n 1)
if [ -z "$tutorials" ]; then
    skip "PETSc's tutorials" "Debian's examples of PETSc are not installed"
    exit 0
fi
for name in ex2 ex3 ex4 ex9 ex16; do check "tutorial $name compiles" compile $name "$tutorials/$name.c"; done
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
# Its implicit part has a Jacobian (TSSetIJacobian): KSP solves with it.
for method in gear dopri5; do
    # shellcheck disable=SC2086
    ranks 1 ./ex16 $plugin -ts_geartrain_method $method -mu 20 -ts_exact_final_time matchstep $tight
    check "tutorial ex16 by $method" within "$(tail -n 2 out | head -n 1)" 1.60598 2e-5
done
check "the multirate tutorial compiles" compile multirate "$tutorials/multirate/ex1.c"
# shellcheck disable=SC2086
ranks 1 ./multirate $plugin -ts_geartrain_method mri3
verdict "the multirate tutorial by mri3, with its index sets" $?

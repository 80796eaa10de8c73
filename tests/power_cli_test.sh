# SPDX-License-Identifier: BSD-3-Clause
# power: what its commands print, their JSON keys and files, and how they refuse what cannot be.
# Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
cp "$SOURCE_DIR"/cases/wscc9.m "$SOURCE_DIR"/cases/wscc9.csv .
needs_jsonget

# The value at PATH of the JSON object that the last command printed.
near() { # NAME PATH VALUE TOLERANCE
    within "$(./jsonget "$2" <out 2>err)" "$3" "$4"
    verdict "$1" $?
}
# The case with one line changed by sed.
change() { sed "$1" "$SOURCE_DIR/cases/wscc9.m" >changed.m; cp wscc9.csv changed.csv; }
machines() { sed "$1" "$SOURCE_DIR/cases/wscc9.csv" >machines.csv; }

"$geartrain" power flow wscc9.m --json >out
near "voltage of bus 9" buses.8.v 0.9956308580482933 1e-10
near "angle of bus 2" buses.1.angle_deg 9.280005481642686 1e-10
near "reactive power of bus 3" buses.2.q_gen -0.1085970907098791 1e-10
near "mismatch" mismatch 0 1e-12
expect "the table of the chapter" 0 "3  *1.0250  *4.6648  *0.8500  *-0.1086" power flow wscc9.m --flat
"$geartrain" power run wscc9.m --model classical --fault 8@0.1:0.22 --trip 8-9@0.22 --t1 0.5 --method trapezoidal --h 0.01 --json >out
near "Example 5.10: angle between machines 2 and 1" max_angle_deg 101.01415899162289 1e-6
near "it ends in time" t 0.5 0
near "voltages too" buses.7.v 0.8 0.3
expect "states its status" 0 '"status": "ok"' power run wscc9.m --t1 0.1 --json
"$geartrain" power run wscc9.m --loads power --load '5*1.2@1' --rtol 1e-9 --t1 10 --json >out
near "load step: voltage of bus 5" buses.4.v 0.9992148566618712 1e-6
"$geartrain" power cct wscc9.m --fault-bus 8 --trip 8-9 --model classical --window 2 --json >out
near "critical clearing time" cct 0.16202 1e-4
near "window" window 2 0
near "threshold" threshold 180 1e-9
"$geartrain" power cct wscc9.m --fault-bus 8 --trip 9-8 --model twoaxis --window 3 --json >out
near "of the two-axis model" cct 0.0901969 1e-4
expect "how it was found" 0 "scanned by 5 ms up to 1 s" power cct wscc9.m --fault-bus 8 --trip 8-9 --model classical
expect "every bus, ranked" 0 "^ *1 *[0-9]* *0\.[0-9]" power cct wscc9.m --all-buses --model classical --window 2 --threads 2
"$geartrain" power cct wscc9.m --all-buses --model classical --window 2 --threads 1 >one
"$geartrain" power cct wscc9.m --all-buses --model classical --window 2 --threads 3 >three
same one three
verdict "any number of threads, the same table" $?
"$geartrain" power modes wscc9.m --loads power --json >out
near "slow swing" modes.4.damping_ratio 0.019366 1e-4
near "its frequency" modes.4.frequency_hz 1.33638 1e-4
expect "names of states" 0 '"name": "slip_2"' power modes wscc9.m --loads power --json

"$geartrain" power run wscc9.m --fault 8@0.1:0.18 --t1 1 --every 0.1 --out run.csv >out 2>err
[ "$(head -n 1 run.csv | cut -d, -f1,2,5,8)" = t,delta_1,omega_1,V_1 ] && [ "$(grep -c '^0.1' run.csv)" = 3 ]
verdict "names in the CSV file, and two rows where something happens" $?
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "V_8") v = i } $1 == 0.1 || $1 ~ /^0\.1000000000000000/ { seen[n++] = $v }
    END { exit !(seen[0] > 1 && seen[1] == 0) }' run.csv
verdict "V = 0 at a bolted fault, after it" $?
"$geartrain" power run wscc9.m --t1 1 --every 0.5 --out some.csv --vars V_5,omega >out 2>err
[ "$(head -n 1 some.csv)" = t,omega_1,omega_2,omega_3,V_5 ]
verdict "chosen columns" $?
"$geartrain" power run "$SOURCE_DIR/cases/newengland39.m" --fault 16@1:1.1 --t1 3 --plot many.svg >out 2>err
grep -o 'delta_[0-9]*' many.svg | sort -u | sed 's/delta/omega/' >angles
grep -o 'omega_[0-9]*' many.svg | sort -u >speeds
[ "$(wc -l <angles)" = 8 ] && cmp angles speeds
verdict "speeds are drawn of the machines whose angles are" $?
# The verdict was taken at the rows that are written: 94.6 degrees instead of 149.5 with --every 4.
swing() { "$geartrain" power run wscc9.m --fault 8@0.1:0.18 --trip 8-9@0.18 --t1 4 --json "$@" 2>err | sed -n 's/.*"max_angle_deg": \([0-9.]*\),*/\1/p'; }
largest=$(swing)
check "the largest angle of a swing" within "$largest" 149.5 0.1
for every in 4 0.7 0.001; do
    check "is the same with --every $every" [ "$(swing --every $every --out rows.csv)" = "$largest" ]
done
check "and with a figure" [ "$(swing --plot with.svg)" = "$largest" ]
"$geartrain" power run wscc9.m --fault 8@0.1:0.18 --trip 8-9@0.18 --t1 4 --plot without.svg --every 4 >out 2>err
check "which does not depend on the rows either" same with.svg without.svg
expect "a figure" 0 "wrote swing.svg" power run wscc9.m --fault 8@0.1:0.15 --t1 1 --plot swing.svg
expect "islands" 0 "in 2 islands" power run wscc9.m --trip 1-4@0.5 --t1 1
expect "a bus without a source" 0 "1 bus without a source" power run wscc9.m --trip 4-5@0.5 --trip 5-6@0.5 --t1 1
expect "reclosed" 0 "branch 5-6 closed" power run wscc9.m --trip 5-6@0.5 --reclose 5-6@0.6 --t1 1
expect "a machine is lost" 0 "disconnected" power run wscc9.m --gentrip 3@0.5 --t1 1
expect "synchronism is lost" 0 "synchronism is lost" power run wscc9.m --fault 8@0.1:0.3 --t1 2
expect "no machine is left" 0 "no machine is left" power run wscc9.m --gentrip 1@0.1 --gentrip 2@0.1 --gentrip 3@0.1 --t1 0.2
expect "a fault through an impedance" 0 "through 0+0.1j" power run wscc9.m --fault 5@0.1:0.2:j0.1 --t1 0.5
expect "limits" 0 "limits met or left" power run wscc9.m --limits --fault 8@0:0.08 --t1 1
expect "alternating" 0 "trapezoidal to t = 0.2" power run wscc9.m --h 0.01 --opt dae=alternating --load '5*1.1@0' --t1 0.2
expect "which diverges at a large step" 1 "alternating iteration of trapezoidal diverges" power run wscc9.m --h 0.2 --opt dae=alternating --load '5*1.1@0' --loads power --t1 1
expect "mixed loads" 0 "0.4 impedance, 0.3 current, 0.3 power" power run wscc9.m --loads 0.4,0.3,0.3 --t1 0.1

"$geartrain" power synth --buses 60 --out small.m >out 2>err &&
    "$geartrain" power run small.m --fault 5@0.1:0.2 --t1 1 >out 2>err && grep -q "60 buses, 6 machines" out
verdict "a made-up network runs" $?
"$geartrain" power synth --buses 60 --out again.m >out 2>err
cmp -s small.m again.m && cmp -s small.csv again.csv
verdict "the same seed, the same network" $?

printf '{"machines": [{"bus": 1, "model": "classical", "H": 23.64, "xd1": 0.0608},
 {"bus": 2, "model": "classical", "H": 6.4, "xd1": 0.1198}, {"bus": 3, "model": "classical", "H": 3.01, "xd1": 0.1813}]}' >m.json
"$geartrain" power cct wscc9.m --dyn m.json --fault-bus 8 --trip 8-9 --window 2 --json >out
near "machine data as JSON, and the classical machine with its network kept" cct 0.16202 1e-4
printf "1 'GENCLS' 1 23.64 0 / first\n2 'GENCLS' 1 6.4 0\n  /\n3, 'GENCLS', 1, 3.01, 0, 0.1813 /\n" >m.dyr
expect "GENCLS wants a reactance" 2 "m.dyr:1: GENCLS has no reactance" power run wscc9.m --dyn m.dyr --t1 0.1
expect "which a flag gives" 0 "to t = 0.1" power run wscc9.m --dyn m.dyr --zsource 0.1 --t1 0.1
printf "1 'GENROU' 1 8.96 0.03 0.31 0.05 23.64 0 0.146 0.0969 0.0608 0.0969 0.04 0.0336 0.1 0.3 /
1 'IEEET1' 1 0.02 20 0.2 5 -5 1 0.314 0.063 0.35 0 3.3 0.6602 4.5 4.2662 /
1 'TGOV1' 1 0.05 0.5 3 0 2.1 7 0 /
2 'GENCLS' 1 6.4 0 0.1198 /
3 'IEEEG1' 1 1 2 3 /\n" >m.dyr
expect "an unknown model is refused by name" 2 "m.dyr:5: the model 'IEEEG1' at bus 3 is not known" power run wscc9.m --dyn m.dyr
sed -i '$d' m.dyr
expect "machine data missing" 2 "machine data are missing for the generator at bus 3" power run wscc9.m --dyn m.dyr
echo "3 'GENCLS' 1 3.01 0 0.1813 /" >>m.dyr
expect "GENROU, IEEET1 and TGOV1" 0 "to t = 1" power run wscc9.m --dyn m.dyr --fault 8@0.1:0.15 --t1 1

# What is wrong in a file of machine data or in a case is named with its line.
wrong_machines() { # WHAT MESSAGE NAME TEXT
    printf "$4" >"$3"
    expect "$1 is refused" 2 "$2" power run wscc9.m --dyn "$3" --t1 0.1
}
wrong_machines "a record without a bus" "w.dyr:1: a record begins with a bus number" w.dyr "x 'GENCLS' 1 3 0 0.1 /\n"
wrong_machines "a record with a word for a number" "w.dyr:1: 'abc' is not a number" w.dyr "1 'GENCLS' 1 abc 0 0.1 /\n"
wrong_machines "a second machine at a generator" "w.dyr:2: GENCLS is the second model of its kind" w.dyr \
    "1 'GENCLS' 1 23 0 0.1 /\n1 'GENCLS' 1 23 0 0.1 /\n"
wrong_machines "a table without models" "w.csv:1: the header must name the columns bus and model" w.csv 'bus\n1\n'
wrong_machines "an empty table" "w.csv: there is no header" w.csv ''
wrong_machines "a row without a bus" "w.csv:2: this row does not say its bus" w.csv 'bus,model\n,classical\n'
wrong_case() { # WHAT MESSAGE SCRIPT
    sed "$3" wscc9.m >w.m
    expect "$1 is refused" 2 "$2" power flow w.m
}
wrong_case "a case without a base" "w.m: mpc.baseMVA is missing" '/mpc.baseMVA/d'
wrong_case "a case without generators" "w.m: mpc.gen is missing" 's/mpc\.gen = /mpc.gan = /'
wrong_case "a bus of an unknown type" "w.m:12: bus 1 has type 9" '12s/1\t3/1\t9/'
wrong_case "a reactive range that is empty" "w.m:25: Qmax must not be below Qmin" '25s/300\t-300/-301\t-300/'
wrong_case "a branch from a bus to itself" "w.m:33: a branch must connect two different buses" '33s/4\t5/4\t4/'

change 's/^\t1\t3/\t1\t2/'
expect "no slack" 2 "changed.m: there is no slack bus" power flow changed.m
change 's/\t4\t5\t0.017\(.*\)\t1\t-360/\t4\t5\t0.017\1\t0\t-360/; s/\t5\t6\t0.039\(.*\)\t1\t-360/\t5\t6\t0.039\1\t0\t-360/'
expect "an isolated load" 2 "bus 5 is not connected with a slack bus .* load of 90 MW" power flow changed.m
change 's/\t1\t4\t0\t0.0576/\t1\t4\t0\t0/'
expect "no impedance" 2 "changed.m:32: the branch 1-4 has no impedance" power flow changed.m
change 's/\t9\t4\t0.01\t0.085/\t9\t4\t0.01\t-0.085/'
expect "a negative reactance is fine" 0 "largest mismatch" power flow changed.m
change 's/\t90\t30/\t900\t300/'
expect "no power flow" 1 "does not converge .* the worst mismatch is .* at bus" power flow changed.m
change 's/0.092/O.092/'
expect "not a number" 2 "changed.m:33: 'O.092' is not a number" power flow changed.m
change 's/\t9\t1\t125/\t8\t1\t125/'
expect "a bus twice" 2 "changed.m:20: bus 8 appears twice" power flow changed.m
change 's/^\t3\t85/\t33\t85/'
expect "a generator nowhere" 2 "changed.m:27: row 3 of mpc.gen is at bus 33" power flow changed.m
change '$d'
expect "no end" 2 "changed.m:31: this matrix has no closing" power flow changed.m
change 's/^mpc.baseMVA.*/mpc.bus(:, 3) = 2;/'
expect "code" 2 "changed.m:8: 'mpc.bus(:, 3) = 2;' is code" power flow changed.m
change 's/^mpc.version.*/for k = 1:3/'
expect "other code" 2 "changed.m:7: 'for k = 1:3' is code" power flow changed.m
# Conversions of units, as files of distribution systems end with them.
unit() { # TEXT
    change 's/^mpc.version/mpc.version/'
    printf '%b' "$1" >>changed.m
}
unit '[PQ, PV, REF, NONE, BUS_I, BUS_TYPE, PD, QD, GS, BS, ...\n  BUS_AREA] = idx_bus;\nSbase = mpc.baseMVA * 1e6;\npf = .8;\nmpc.bus(:, [PD QD]) = mpc.bus(:, [PD, QD]) * (2 * Sbase / 1e8)^-1;\nif pf - .8\n  mpc.gen(k, PMIN) = 3;\nend\n'
expect "loads in other units" 0 '^ *5 .* 0.4500  0.1500$' power flow changed.m
unit 'mpc.bus(:, QD) = mpc.bus(:, PD) * sin(acos(0.6));\n'
expect "a column from another" 0 '^ *5 .* 0.9000  0.7200$' power flow changed.m
unit 'mpc.branch(:, BR_X) = mpc.branch(:, BR_X) * mpc.bus(1, VM) / 1.04;\n'
expect "by one entry" 0 'losses 0.046410 p.u.' power flow changed.m
unit 'k = -2^2 / 8 + 2^-1 * 3;\nmpc.bus(:, [PD QD]) = mpc.bus(:, [PD QD]) * k;\n'
expect "a minus binds weaker than a power" 0 '^ *5 .* 0.9000  0.3000$' power flow changed.m
unit 'return\nmpc.bus(:, PD) = mpc.bus(:, PD) * 2;\n'
expect "nothing is read behind return" 0 '^ *5 .* 0.9000  0.3000$' power flow changed.m
for code in 'PD = 4;' 'mpc.bus(:, [PD QD]) = mpc.bus(:, PD) / 2;' 'mpc.bus(:, PD) = mpc.bus(:, PD) * mpc.bus(:, QD);' 'mpc.bus(:, PD) = mpc.gen(:, PG);' 'mpc.bus(:, NOTHING) = 2;' \
    'mpc.bus(:, PD) = 2 * none;' 'mpc.bus(99, PD) = 2;' 'x = mpc.bus(99, PD);' 'if 1\nend' 'mpc.bus(:, PD) = ((2);'; do
    unit "$code\n"
    expect "refused, $code" 2 'is code, which is not evaluated' power flow changed.m
done
# A tie of next to no impedance: rounding left more than the tolerance, which was said not to converge.
unit 'mpc.branch(:, BR_R) = 0 * mpc.branch(:, BR_R);\nmpc.branch(:, BR_X) = 1e-9 * mpc.branch(:, BR_X);\n'
expect "branches without impedance" 0 '^ *5  1.0' power flow changed.m
change 's/^mpc.baseMVA.*/mpc.baseMVA = 200*sqrt(4)\/4;/'
expect "a formula in the place of a number" 0 'losses 0.046410 p.u.' power flow changed.m
change 's/^function mpc = wscc9/function [baseMVA, bus] = wscc9/'
expect "version 1" 2 "changed.m:1: this is a case of format version 1" power flow changed.m
change 's/0.092\t0.158/0.092/'
expect "ragged rows" 2 "changed.m:33: this row of mpc.branch has 12 numbers" power flow changed.m
expect "no such file" 2 "none.m cannot be opened" power flow none.m
machines 's/^bus,model,H,/bus,model,HH,/'
expect "an unknown column" 2 "machines.csv:3: there is no column 'HH'" power run wscc9.m --dyn machines.csv
machines 's/^2,twoaxis,6.40/2,twoaxis,-6.4/'
expect "negative inertia" 2 "machines.csv:5: H of the machine at bus 2 must be above 0" power run wscc9.m --dyn machines.csv
machines '/^3,/d'
expect "a row missing" 2 "missing for the generator at bus 3" power run wscc9.m --dyn machines.csv
machines 's/^3,twoaxis/3,threeaxis/'
expect "an unknown model" 2 "the model 'threeaxis' is not known; known are load, classical" power run wscc9.m --dyn machines.csv
machines 's/,5,-5,reheat/,1,-1,reheat/'
expect "a start outside its limits" 2 "would have to begin with VR = 1.1" power run wscc9.m --dyn machines.csv --limits
expect "a command that is not there" 2 "power has no command 'flwo'; did you mean 'flow'" power flwo wscc9.m
expect "a flag of another command" 2 "power flow has no flag --fault" power flow wscc9.m --fault 8@0:1
expect "a branch that is not there" 2 "has no branch 1-9" power run wscc9.m --trip 1-9@1
expect "a fault that ends before it begins" 2 "must be cleared after it begins" power run wscc9.m --fault 8@1:0.5
expect "no time" 2 "the time is missing" power run wscc9.m --trip 8-9
expect "opened twice" 2 "the branch 8-9 is open already" power run wscc9.m --trip 8-9@1 --trip 8-9@2
expect "classical loads" 2 "its loads are impedances" power run wscc9.m --model classical --loads power
expect "a method that cannot solve the network" 2 "algebraic" power run wscc9.m --method exprb32
expect "an explicit method solves it at every stage" 0 "to t = 0.1" power run wscc9.m --method rk4 --h 0.01 --t1 0.1

# A network without a solution said "try other starting values of the algebraic variables" or "check the Jacobian".
needs_jsonget
collapse() { # NAME BUS TIME ARGUMENT...
    name=$1 bus=$2 time=$3
    shift 3
    "$geartrain" power run wscc9.m --loads power --vbreak 0.1 "$@" --json >out 2>err
    [ $? = 1 ] && ./jsonget message <out | grep -q "voltage collapse at bus $bus: .*beyond t = $time.*[01]\.[0-9]* p.u." &&
        ! grep -q "check the Jacobian\|other starting values" out err
    verdict "$name" $?
}
collapse "a load that the network cannot carry names its bus" 5 0.5 --load '5*3@0.5'
collapse "another one" 7 0.5 --load '7*4@0.5'
collapse "at a fixed step too" 9 0.25 --load '9*5@0.25' --h 0.01
collapse "a line less" 5 1 --trip 4-5@0.5 --load '5*2@1'
collapse "a collapse on the way" 5 0.70 --load '5*2.7@0.5'

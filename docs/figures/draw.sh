# SPDX-License-Identifier: BSD-3-Clause
# Draws every figure of this folder into the current folder: one line each, the same that the pages show, and in methods/ the
# portrait of each method.
#   cd docs/figures && sh draw.sh
#   cd docs/figures && sh draw.sh rk4 gear     only the portraits of these methods
# Environment: GEARTRAIN, the program; default build/geartrain of this checkout.
set -e
program=${GEARTRAIN:-$(dirname "$0")/../../build/geartrain}
geartrain() { "$program" "$@"; }
cases=$(dirname "$0")/../../cases
# "-": all but the portraits
case $* in
-) methods= ;;
"") methods=$(geartrain list methods --json | sed -n 's/^ *"name": "\(.*\)",*$/\1/p') ;;
*) methods=$* ;;
esac
mkdir -p methods
for method in $methods; do
    geartrain show "$method" --plot "methods/$method.svg" >/dev/null
done
case $* in "" | -) ;; *) exit 0 ;; esac
geartrain power run "$cases/wscc9.m" --model classical --fault 8@0.1:0.22 --trip 8-9@0.22 --t1 2 --plot power_classical.svg
geartrain power run "$cases/wscc9.m" --fault 8@0.1:0.18 --trip 8-9@0.18 --t1 5 --limits --plot power_midterm.svg
geartrain power run "$cases/newengland39.m" --fault 16@1:1.1 --trip 16-17@1.1 --t1 10 --plot power_newengland.svg
geartrain run vanderpol --set mu=5 --t1 30 --vars x --plot vanderpol.svg
geartrain run lorenz --t1 30 --phase x,z --plot lorenz.svg
geartrain run fpu --method trig --h 0.05 --vars I1,I2,I3,I --plot fpu_energies.svg
geartrain run bouncing --vars height --plot bouncing.svg
geartrain compare kpr --methods rk4,dopri5,trapezoidal --h 0.03125,0.015625,0.0078125,0.00390625 --plot kpr_work.svg
geartrain compare crow_p4 --init x=1 --t1 6.25 --every 0.125 --methods beuler:h=0.125,trapezoidal:h=0.125 --trajectories --plot ringing.svg
geartrain advise stiff3c --methods rk4 --h 0.03 --plot spectrum.svg
geartrain advise vehicle3d --blocks --methods rk2 --plot vehicle3d_blocks.svg
geartrain design polynomial --degree 6 --order 4 --plot polynomial.svg
geartrain stability smfe --opt eps=1e-6,inner=70 --plot smfe_gap.svg
geartrain compare adaptive --methods smfe:eps=1e-6:inner=70:h=0.2,smfe:eps=1e-6:inner=140:h=0.1,smes --trajectories --phase y,z --plot adaptive_phase.svg
geartrain sweep adaptive --sweep eps=1e-9:1e-3:13 --log --method smes --plot eps_work.svg --work
geartrain compare arm_eb --set form=plain --t1 1000.5 --methods bi55:h=0.01,bi33:h=0.01,bi44:h=0.01,trapezoidal:h=0.01,gear:rtol=1e-6,dopri5:rtol=1e-6 --drift energy --repeat 1 --plot arm_energy.svg
geartrain stability bi55 --window=-4,4,-10,10 --plot bi55_region.svg
geartrain stability bi45 --opt alpha=0.47 --also alpha=0.44 --plot bi45_region.svg
geartrain accuracy bi33 --also bi44,bi55,bi77h --plot bi_accuracy.svg
geartrain damping bi33 --also bi44,bi55,bi77h,bi45 --theta 90 --plot bi_damping.svg
geartrain stability spm --test2 alpha=100,beta=0.3 --plot spm_region.svg
geartrain papers gil shi --out papers >/dev/null
mv "papers/gil-equations--4---15-.svg" gil_manifold.svg
mv papers/gil-figure-4.svg gil_local_errors.svg
mv papers/gil-figure-5.svg gil_local_errors_beta.svg
mv papers/gil-figure-7.svg gil_pendulum.svg
mv papers/gil-figure-8.svg gil_energy.svg
mv papers/shi-figure-3.svg shi_plane.svg
mv papers/shi-section-vi.svg shi_return.svg
rm -r papers
geartrain stability prk25 --plot prk25.svg
geartrain stability prk2s --also prk3s --also prk36 --zss=-2,0 --zff=0,6 --coupling 0.5 --plot blocks.svg
geartrain compare pendulum --t1 0.4 --methods exprb32:h=0.05,dopri5:rtol=1e-6,gear:rtol=1e-6,rk4:h=0.0005 --every 0.001 --trajectories --vars r2x --with-work --plot demo.svg

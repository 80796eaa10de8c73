# SPDX-License-Identifier: BSD-3-Clause
# Files of XPPAUT as they are, on the command line: where models are found, what their options ask, and what is printed
# when a command is refused. Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
unset CC
needs_jsonget
get() { # PATH ARGUMENT...: of the JSON object that the command prints
    path=$1
    shift
    "$geartrain" "$@" --json 2>err | ./jsonget "$path"
}

# XPPAUT goes backward where dt is below 0.
printf "x'=-x\ninit x=1\n@ total=1,dt=-.1\n" >negative.ode
check "and so does a run here" within "$(get x.x run negative.ode --no-compile --rtol 1e-9)" 2.718281828 1e-7

# Where a model is.
printf "x'=-x\ninit x=1\n@ total=1\n" >decay.xpp
check "a file that ends in .xpp" within "$(get x.x run decay.xpp --no-compile --rtol 1e-9)" 0.36787944 1e-7
check "a model on standard input" within "$("$geartrain" run - --no-compile --json --rtol 1e-9 <decay.xpp 2>err |
    ./jsonget x.x)" 0.36787944 1e-7
expect "a shipped model by the name of its file" 0 'examples/models/suspension.ode' run suspension.ode --no-compile --t1 .1
expect "a file that is nowhere" 2 'there is no model file nowhere.ode' run nowhere.ode
printf 'par k=2\nf(u)=-k*u\n' >rates.inc
printf "#include rates.inc\nx'=f(x)\ninit x=1\n@ total=1\n" >main.ode
check "an included file" within "$(get x.x run main.ode --no-compile --rtol 1e-9)" 0.13533528 1e-7
printf 'par k=2\nf(u)=-k*)u\n' >rates.inc
expect "an error in it names both lines" 2 'main.ode:1:1: rates.inc:2:9: ' run main.ode

# Tables from files, at equal distances and as pairs: straight lines between the samples, and beyond the ends.
mkdir -p tables
printf '3\n0\n2\n1\n3\n2\n' >tables/even.tab
printf 'xyvals\n4\n0 0\n1 2\n1.5 2\n4 -3\n' >tables/pairs.tab
printf "table f tables/even.tab\ntable g \"tables/pairs.tab\"\naux a=f(-.5)\naux b=f(.25)\naux c=f(3)\naux d=g(.5)\naux e=g(2)\nx'=f(x)\ny'=-y\n@ total=.5\n" >table.ode
for pair in a:0 b:1.5 c:1 d:1 e:1; do
    check "a table from a file, ${pair%:*}" within "$(get "aux.${pair%:*}" run table.ode --no-compile)" ${pair#*:} 1e-12
done
# x' = 1+2x up to x = 1, which e^(2t) = 3 comes to at t = .549
check "which a solution goes along" within "$(get x.x run table.ode --no-compile --rtol 1e-9)" 0.85914091 1e-7
check "compiled it is the same" [ "$(get x.x run table.ode --compile --rtol 1e-9)" = "$(get x.x run table.ode --no-compile --rtol 1e-9)" ]
printf '#include tables/inner.ode\n' >outer.ode
printf "table f even.tab\nx'=f(x)\n@ total=.5\n" >tables/inner.ode
check "beside the file that names it" within "$(get x.x run outer.ode --no-compile --rtol 1e-9)" 0.85914091 1e-7
printf '3\n0\n2\n1\nthree\n2\n' >tables/even.tab
expect "a table with a word in it" 2 'table.ode:1:7: tables/even.tab:5: a sample is not a number' run table.ode --no-compile
printf '3\n0\n2\n1\n3\n' >tables/even.tab
expect "a table cut short" 2 'tables/even.tab:6: a sample is not a number' run table.ode --no-compile
printf 'i3\n0\n2\n1\n3\n2\n' >tables/even.tab
expect "a table of steps" 2 'tables of steps' run table.ode --no-compile
printf 'xyvals\n3\n0 0\n1 1\n1 2\n' >tables/pairs.tab
printf '3\n0\n2\n1\n3\n2\n' >tables/even.tab
expect "pairs that do not rise" 2 'tables/pairs.tab:5: x must rise' run table.ode --no-compile
printf 'xyvals\n3\n0 0\n1 1\n1.7320508075688772 2\n' >tables/pairs.tab
expect "pairs on no grid" 2 'lie on no grid' run table.ode --no-compile
printf 'xyvals\n4\n0 0\n.5 0\n.5000000001 1\n1 1\n' >tables/pairs.tab
expect "a jump as two pairs, which no grid has" 2 'lie on no grid' run table.ode --no-compile
printf 'xyvals\n5\n0 0\n50 0\n50.01 100\n50.02 0\n100 0\n' >tables/pulse.tab
printf "table p tables/pulse.tab\nx'=p(t)\n@ total=100\n" >pulse.ode
for method in auto gear dopri5 radau; do
    check "a pulse in a table of t is not stepped over, $method" within "$(get x.x run pulse.ode --no-compile --method $method)" 1 1e-6
done
printf '3\n0\n1\n1,5\n2,5\n3,5\n' >tables/pulse.tab
expect "a decimal comma in a table" 0 'text after the numbers of a line is not read' run pulse.ode --no-compile --t1 1

# What XPPAUT takes for a comment, with a warning.
printf "%% currents\n#@ total=9\npar\npar late=inf\nx'=1+heav(t-late)\n@ total=2\n" >comments.ode
check "a line with % and a text, an option after #@, a list without names" within "$(get x.x run comments.ode --no-compile)" 2 1e-9
for words in '1:1: warning: neither a block' '2:4: warning: an option after #@' '3:4: warning: a list like' '4:10: warning: inf is read as 1e300'; do
    check "a warning, $words" grep -q "comments.ode:$words" err
done

printf "%% one\n%%\n%% two, 142\342\200\223169\nset two words {a=3}\npar a=1\nx'=a\n@ total=1\ndobe\n" >comments.ode
check "a line with % alone, letters beyond ASCII behind it, a set of two words" within \
    "$(get x.x run comments.ode --no-compile --use-set 'two words')" 3 1e-9
check "one warning for all of these comments" [ "$(grep -c 'neither a block' err)" = 1 ]
check "a word with d at the end of a file ends it" grep -q "8:1: warning: 'dobe' ends the file" err
printf "x'=1\ndobe\ny'=1\n" >comments.ode
expect "and is refused where something follows" 2 "comments.ode:2:1: 'dobe'" run comments.ode
printf "x[1..2]'=0\n%%[1..2]\ninit x[j]=[j]\n%%\n@ total=1\ndone \303\251\n" >block.ode
"$geartrain" run block.ode --no-compile >out 2>err && [ ! -s err ]
verdict "[j] in a list is a number, and what follows done is not looked at" $?

# Names.
printf "Vm'=-Vm\nw'=1\n@ total=1\n" >names.ode
check "--init ignores case" within "$(get x.Vm run names.ode --no-compile --init VM=2 --rtol 1e-9)" 0.73575888 1e-7
expect "T is t" 2 'case does not matter, T is t' run - <<'MODEL'
par T=3
x'=T
MODEL
printf "ceil(x)=flr(1+x)\nx'=ceil(2)\n@ total=1\n" >hidden.ode
expect "a function of the file hides one of the language" 0 'x  *3$' run hidden.ode --no-compile
check "and a warning says so" grep -q 'hidden.ode:1:1: warning: ceil is also defined' err

# Options.
printf "x'=-x+y\n0=y-x/2\nsolv y=0\ninit x=1\n@ total=1,meth=adams\n" >dae.ode
expect "meth= that cannot treat the file" 0 'meth=adams of the file: ' run dae.ode --no-compile
check "becomes the default, with control of the step" grep -q 'auto ->' out
printf "x'=-x\ninit x=1\n@ total=1,dt=.1,meth=rk4\n" >fixed.ode
expect "meth= with fixed steps where control is asked for" 0 'auto ->' run fixed.ode --no-compile --rtol 1e-9
printf "x'=-x\ninit x=1\n@ total=1,dt=.1,meth=cvode\n" >free.ode
expect "meth= that controls its steps where they are to be fixed" 0 '^work  *10 steps' run free.ode --no-compile --h .1
printf "x'=1\ny'=0\nglobal 1 x-.5 {y=y+1;out_put=1}\n@ total=3,dt=1,trans=2\n" >early.ode
"$geartrain" run early.ode --no-compile --quiet --out early.csv >out 2>err
check "out_put before trans writes its row" within "$(sed -n 2p early.csv | cut -d, -f1)" 0.5 1e-9
check "and the others are left out" [ "$(sed -n '3,$p' early.csv | cut -d, -f1 | tr '\n' ' ')" = "2 3 " ]
printf "x'=1\n@ total=1,poimap=section\n" >poimap.ode
expect "poimap is named" 0 'poimap: Poincare maps are ignored' run poimap.ode --no-compile

# Breaks and switches.
printf "x'=heav(t-50)*heav(50.1-t)\n@ total=100\n" >pulse.ode
check "a short pulse is met" within "$(get x.x run pulse.ode)" 0.1 1e-7
check "and its ends are counted" [ "$(get breaks run pulse.ode)" = 2 ]
expect "on the terminal too" 0 '^breaks  *2 times' run pulse.ode
printf "x'=mod(t,1e-4)\n@ total=100\n" >many.ode
expect "too many times are said" 0 'warning: the model names more times' run many.ode --h .1
for how in --compile --no-compile; do
    printf "x[1..3]'=max(x[j],.5)*heav(t-[j]/2)-sign(x[j]-2)\ninit x[1..3]=[j]\n@ total=3\n" >mixed.ode
    "$geartrain" run mixed.ode --quiet $how --rtol 1e-6 --out mixed$how.csv >out 2>err
done
check "compiled and interpreted relations agree" same mixed--compile.csv mixed--no-compile.csv

# A name that is not UTF-8 is no reason to leave keys out.
name=$(printf 'caf\351.ode')
printf "par a=1/2\nx'=a\n@ total=1\n" >"$name"
"$geartrain" run "$name" --no-compile --json >out 2>err
check "a name in Latin-1, in the JSON" [ "$(./jsonget model <out)" = '"caf?"' ]
./jsonget warnings.0 <out | grep -q '^"caf?.ode:1:5: '
verdict "and in its warnings" $?
"$geartrain" run "no$name" --json >out 2>err
./jsonget message <out | grep -q 'no model file nocaf?'
verdict "and in a refusal" $?

# --json prints an object also when a command is refused.
refused() { # NAME STATUS PATTERN ARGUMENT...
    name=$1 wanted=$2 pattern=$3
    shift 3
    "$geartrain" "$@" --json >out 2>err
    [ $? = "$wanted" ] && ./jsonget message <out | grep -q -e "$pattern" && ./jsonget status <out | grep -qv '"ok"'
    verdict "$name" $?
}
refused "JSON of a file that is not there" 2 'no model file' run nowhere.ode
refused "JSON of an unknown flag" 2 'no flag' run lorenz --frob
refused "JSON of an unknown method" 2 'rk44' run lorenz --method rk44
refused "JSON of an unknown model" 2 "no model 'lorentz'" advise lorentz
refused "JSON of a file with an error" 2 'main.ode:1:1' run main.ode
refused "JSON of an unknown command" 2 'no command' rnu lorenz
refused "JSON of a missing case" 2 'nowhere.m' power run nowhere.m
"$geartrain" run crow_p1 --t1 2 --json >out 2>err
check "a run that fails prints one object" [ "$(./jsonget t <out >log && grep -c '^{' out)" = 1 ]

# Splits.
{
    echo "par k=1e4"
    echo "r=sqrt(x^2+y^2)"
    printf "x'=u\ny'=v\nu'=-k*(r-1)*x/r\nv'=-k*(r-1)*y/r-9.81\ninit x=1.1,y=0\n@ total=1\n"
} >pendulum.ode
expect "no line where the report says no" 1 'no split is suggested' advise pendulum.ode --split --no-compile
{
    echo "%[1..60]"
    printf "longname[j]'=-1000*[j]*(longname[j]-s)\n"
    echo "%"
    printf "s'=-s\ninit s=1\n@ total=1\n"
} >long.ode
"$geartrain" advise long.ode --split --no-compile >out 2>err
check "a split in lines that are whole" sh -c 'test $(wc -l <out) -gt 3 && ! grep -qv "^#@ fast \(longname[0-9]*,\)*longname[0-9]*$" out &&
    test "$(grep -o "longname[0-9]*" out | sort -u | wc -l)" = 60'

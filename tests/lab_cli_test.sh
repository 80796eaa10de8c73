# SPDX-License-Identifier: BSD-3-Clause
# `geartrain lab` with a page that stands for the one that make lab builds; the page itself is checked by scripts/test-lab.
. "$SOURCE_DIR/tests/cli/kit.sh"

mkdir -p bin/lab
cp "$geartrain" bin/own
own=$PWD/bin/own
printf '<html><body>\nthe page</body></html>\n' >bin/lab/index.html
$own lab --no-open >out 2>err
verdict "lab: the page is written under its usual name" $(($? || !$(cmp -s geartrain-lab.html bin/lab/index.html && echo 1 || echo 0)))
$own lab vanderpol --out v.html --no-open >out 2>err
check "lab: a model is what the page begins with" grep -q '<body data-start="#simulate?model=vanderpol">' v.html
check "lab: the rest of the page stays" grep -q 'the page</body></html>' v.html
printf "x'=-x\ninit x=1\n# \"a\" & <b>\ndone\n" >mine.ode
$own lab mine.ode --out - >m.html 2>err
check "lab: the text of a file goes along, encoded" grep -q 'model=model&amp;text=x%27%3D%2Dx%0Ainit%20x%3D1%0A%23%20%22a%22%20%26%20%3Cb%3E' m.html
cp mine.ode kept.ode
$own lab mine.ode --out ./mine.ode --no-open >out 2>err
verdict "lab: the page does not go over the model" $(($? != 2))
check "lab: which stays" cmp mine.ode kept.ode
DISPLAY= WAYLAND_DISPLAY= $own lab --out d.html >out 2>err
check "lab: without a desktop it says what to do" grep -q 'wrote d.html; open it in a browser' out
$own lab nonsense >out 2>err
verdict "lab: an unknown model is refused" $(($? != 2))
check "lab: and the message says what it may be" grep -q "neither a model of the list nor a file NAME.ode" err
$own lab --out none/x.html >out 2>err
verdict "lab: a folder that is not there is refused" $(($? != 2))
# Where there is no page: neither beside the program, nor installed, nor in the build folder of the tree.
if [ -e "$SOURCE_DIR/build/lab/index.html" ] || [ -e /usr/local/share/geartrain/lab/index.html ]; then
    skip "lab: the message where it was not built" "it was built"
else
    rm bin/lab/index.html
    $own lab >out 2>err
    verdict "lab: without the page the exit status is 1" $(($? != 1))
    check "lab: and the message says how to build it" grep -q "make lab" err
fi

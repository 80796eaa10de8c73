# SPDX-License-Identifier: BSD-3-Clause
# Every figure of the manual can be drawn again; of the portraits of methods one of each kind: one rate, variable order, two
# blocks, two rates, none of these. Run by scripts/test, which sets SOURCE_DIR and BUILD_DIR.
. "$SOURCE_DIR/tests/cli/kit.sh"
command -v gnuplot >/dev/null || { skip "figures of the manual" "there is no gnuplot"; exit 0; }
GEARTRAIN=$geartrain
export GEARTRAIN
for method in rk4 gear prk25 spm2 smes; do
    check "docs, the portrait of $method" sh "$SOURCE_DIR/docs/figures/draw.sh" $method
    check "docs, the portrait of $method is whole" grep -q '</svg>' methods/$method.svg
done
check "docs, the figures are drawn" sh "$SOURCE_DIR/docs/figures/draw.sh" -
ls ./*.svg >drawn
(cd "$SOURCE_DIR/docs/figures" && ls ./*.svg) >kept
check "docs, they are those of the manual" diff kept drawn
check "docs, all of them are whole" [ "$(grep -l '</svg>' ./*.svg | wc -l)" = "$(wc -l <kept)" ]

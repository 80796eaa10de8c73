# SPDX-License-Identifier: BSD-3-Clause
# Formulas that pages write as text become TeX sign by sign, and what is no formula stays text. Run by scripts/test, which sets
# SOURCE_DIR and BUILD_DIR.
cd "$SOURCE_DIR" || exit 1
if ! command -v python3 >/dev/null; then
    echo "skip formulas: no python3"
    exit 0
fi
PYTHONPATH=scripts PYTHONDONTWRITEBYTECODE=1 python3 - <<'END'
import pathlib
import re

import docs_formulas


def check(what, held):
    print("ok" if held else "not ok", "formulas,", what)


rows = {
    "k2 = f(t + h/2, x + (h/2) k1)": r"k_{2} &= f(t + h/2,\; x + (h/2)\, k_{1})",
    "x_new = x_n + h [ 3/2 f_n - 1/2 f_(n-1) ]": r"x_{\mathrm{new}} &= x_{n} + h\, [ \tfrac{3}{2}\, f_{n} - \tfrac{1}{2}\, f_{n-1} ]",
    "eps z' = -z² - k y1          fast": r"\varepsilon \, z' &= -z^{2} - k\, y_{1} &&\text{fast}",
    "c_k = x^(k)(t) / k!": r"c_{k} &= x^{(k)}(t) / k!",
    "E = |e5|² / √(|e5|² + |e3|²/100)": r"E &= |e_{5}|^{2} / \sqrt{|e_{5}|^{2} + |e_{3}|^{2}/100}",
    "dx = h Σ (b_i - b̂_i) k_i": r"dx &= h \sum  (b_{i} - \hat{b}_{i})\, k_{i}",
}
for text, tex in rows.items():
    check(text, docs_formulas.row(text) == tex)
table = docs_formulas.formulas(["x = y", "", "0   |", "1/2 | 1/2", "----+-----", "    |   0   1"])
check("a table of Butcher", len(table) == 2 and r"\tfrac{1}{2} & \tfrac{1}{2} &" in table[1] and r"\hline" in table[1])
for text in "geartrain run lorenz --h 0.1", "x = {1, 2}", "gt_run *run = NULL;", "x 1.5", "if (a == b) return;", "a & b = c":
    check(f"no formula: {text}", docs_formulas.formulas([text]) is None)


def first_block(page):
    found = re.search(r"\n\n((?:    .*\n)+)", page.read_text())
    return [line[4:] for line in found[1].splitlines()] if found else None


# Two of them are a list in words and a pair of tables side by side.
plain = {str(p) for folder in ("methods", "models") for p in pathlib.Path("docs", folder).glob("*.md")
         if (block := first_block(p)) and not block[0].startswith(("geartrain", "$ ")) and not docs_formulas.formulas(block)}
print(*sorted(plain))
check("every page of a method or model that begins with one has it typeset",
      plain <= {"docs/methods/birkf.md", "docs/methods/dravg.md"})
END

# SPDX-License-Identifier: BSD-3-Clause
"""Formulas that pages write as plain text, in blocks of four blanks, as TeX: k1 = f(t + h/2, x_new) and Butcher's tables.

The pages stay readable as text, and the manual shows the same typeset. Every sign of the text has its sign in TeX; a block with a
sign that is not known here (code, commands, output) is no formula and stays as it is.
"""
import re
import unicodedata

GREEK = set("alpha beta gamma delta zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi psi omega Gamma Phi".split())
FUNCTIONS = set("sin cos tan tanh exp max min".split())
SMALL = set("an as at by if in is it no of on or so to".split())  # words, not variables
# Letters that are factors; all others that stand together are one name.
FACTORS = re.compile(r"c?h[JA]|ch|α[hz]|hγ|eλ|d[xzqg]")
MARKS = {"\u0302": "hat", "\u0303": "tilde", "\u0304": "bar"}
SIGNS = {"<=": r"\le ", ">=": r"\ge ", "<-": r"\leftarrow ", ":=": ":=", "!=": r"\ne ", "..": r"\ldots ", "≤": r"\le ", "±": r"\pm ",
         "∫": r"\int ", "Σ": r"\sum", "Δ": r"\Delta ", "∂": r"\partial "}
RAISED, LOWERED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵀ", "0123456789-T")), dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789"))
TOKEN = re.compile(r"""(?P<code>`[^`{}\\]+`)|(?P<hat>[a-z]\^(?=\s))|(?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]*_))|(?P<name>(?:[A-Za-zα-ωΓΦ][\u0302-\u0308]?)+\d*)|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᵀ]+)
    |(?P<lowered>[₀₁₂₃₄₅₆₇₈₉]+)|(?P<sign><=|>=|<-|:=|!=|\.\.|[≤±∫ΣΔ∂])|(?P<root>√)|(?P<sub>_)|(?P<power>\^)|(?P<blank>\ +)
    |(?P<plain>[-+=/()\[\],.:;<>|'!*])""", re.X)


class NoFormula(Exception):
    pass


def is_word(name):
    letters = unicodedata.normalize("NFC", re.sub(r"\d+$", "", name))
    if letters in GREEK | FUNCTIONS or letters in ("eps", "sqrt", "sum", "err", "tol", "lead", "dtheta"):
        return False
    if not letters.isascii() and len(letters) < 5:
        return False
    return len(letters) > 3 or (len(letters) == 3 and letters.islower()) or letters in SMALL or letters == "RK"


def name_in_tex(name):
    """A variable: Greek by name, a number behind it as its subscript."""
    name, number = re.fullmatch(r"(.*?)(\d*)", name).groups()
    if name == "eps":
        tex = r"\varepsilon "
    elif name in GREEK or name in FUNCTIONS or name == "sum":
        tex = rf"\{name} "
    elif name[:1] == "d" and name[1:] in GREEK:
        tex = rf"d\{name[1:]} "
    elif len(name) == 2 and name[1] in MARKS:
        tex = rf"\{MARKS[name[1]]}{{{name[0]}}}"
    elif any(c in MARKS for c in name):
        raise NoFormula(name)
    elif len(name) > 1 and name in ("err", "tol", "lead"):
        tex = rf"\mathrm{{{name}}}"
    else:
        tex = name if len(name) == 1 or FACTORS.fullmatch(name) else rf"\mathit{{{name}}}"
    return tex + (f"_{{{number}}}" if number else "")


class Reader:
    """Reads the signs of a piece of text one by one."""

    def __init__(self, text):
        self.signs, at = [], 0
        text = unicodedata.normalize("NFD", text)
        for mark in ("²", "³", "¹"):  # these have no parts, but be sure that they are as written
            assert unicodedata.normalize("NFD", mark) == mark
        while at < len(text):
            found = TOKEN.match(text, at)
            if not found:
                raise NoFormula(text[at:])
            self.signs.append((found.lastgroup, found.group()))
            at = found.end()
        self.at = self.after_words = 0

    def peek(self, ahead=0):
        return self.signs[self.at + ahead] if self.at + ahead < len(self.signs) else ("end", "")

    def take(self):
        sign = self.peek()
        self.at += 1
        return sign

    def group(self):
        """What a subscript, power or root applies to: ( .. ) without its brackets, or one sign."""
        if self.peek()[1] != "(":
            kind, text = self.take()
            if kind == "number":
                more = self.take()[1] if self.peek()[0] == "name" else ""  # a_8j
                return text + more
            if kind != "name":
                raise NoFormula(text)
            if text in GREEK:
                return rf"\{text} "
            return text if len(re.sub(r"\d", "", text)) <= 2 else rf"\mathrm{{{text}}}"
        depth, first = 0, self.at + 1
        while True:
            kind, text = self.take()
            if kind == "end":
                raise NoFormula("an open bracket")
            depth += (text == "(") - (text == ")")
            if not depth:
                break
        inner = Reader("")
        inner.signs = self.signs[first : self.at - 1]
        return inner.all()

    def word_ahead(self, ahead=0):
        """Whether a name that is a word stands there; one before a bracket or a prime is a function or a state."""
        kind, text = self.peek(ahead)
        after = self.peek(ahead + 1)[1]
        genitive = after == "'" and self.peek(ahead + 2)[1] == "s"
        return kind == "name" and is_word(text) and (genitive or after not in ("_", "'", "(", "^"))

    def words(self, text):
        """A run of words, from the first one on."""
        while True:
            if self.peek()[1] == "'" and self.peek(1)[1] == "s":
                text += self.take()[1] + self.take()[1]
            elif self.peek() == ("blank", " ") and (self.word_ahead(1) or self.peek(1)[1] == "a" and self.word_ahead(3)):
                text += self.take()[1] + self.take()[1]
            elif self.peek()[1] == "-" and self.word_ahead(1):
                text += self.take()[1] + self.take()[1]
            else:
                self.after_words = self.at
                return rf"\text{{{unicodedata.normalize('NFC', text)}}}"

    def name(self, text):
        self.at -= 1
        is_text = self.word_ahead() or text in ("a", "sum") and self.peek(1)[0] == "blank" and self.word_ahead(2)
        self.at += 1
        if is_text:
            return self.words(text)
        lowered = self.peek()[1] == "_"
        if not lowered and text == "sqrt" and self.peek()[1] == "(":
            return rf"\sqrt{{{self.group()}}}"
        tex = name_in_tex(text)
        if lowered:
            self.take()
            sub = self.group()
            tex = tex[:-1] + f",{sub}}}" if re.search(r"_\{\d+\}$", tex) else f"{tex}_{{{sub}}}"
        return tex

    def number(self, text):
        """1/2 as a fraction where it stands alone."""
        before = self.signs[self.at - 2][1] if self.at > 1 else " "
        slash, below, behind = self.peek(), self.peek(1), self.peek(2)
        if slash[1] == "/" and below[0] == "number" and before[-1] in " (-+[," and behind[0] not in ("name", "raised"):
            self.at += 2
            return rf"\tfrac{{{text}}}{{{below[1]}}}"
        size = re.fullmatch(r"(.*)e([+-]?\d+)", text)
        return rf"{size[1]}\cdot 10^{{{int(size[2])}}}" if size and size[1] != "1" else rf"10^{{{int(size[2])}}}" if size else text

    def one(self):
        kind, text = self.take()
        if kind == "number":
            return self.number(text)
        if kind == "name":
            return self.name(text)
        if kind == "code":
            return rf"\texttt{{{text[1:-1]}}}"
        if kind == "hat":
            return rf"\hat{{{text[0]}}}"
        if kind == "raised":
            return "^{" + "".join(RAISED[c] for c in text) + "}"
        if kind == "lowered":
            return "_{" + "".join(LOWERED[c] for c in text) + "}"
        if kind == "sign":
            tex = SIGNS[text]
            if text == "Σ" and self.peek()[1] == "_":
                self.take()
                return tex + f"_{{{self.group()}}}"
            return tex + " "
        if kind == "root":
            return rf"\sqrt{{{self.group()}}}"
        if kind == "power":
            power = self.group()
            # x^(k)(t): the k-th derivative.
            return f"^{{({power})}}" if self.signs[self.at - 1][1] == ")" and self.peek()[1] == "(" else f"^{{{power}}}"
        if kind == "sub":
            return f"_{{{self.group()}}}"
        if kind == "blank":
            return self.blank()
        return r"\cdot " if text == "*" else text

    def blank(self):
        before = self.signs[self.at - 2] if self.at > 1 else ("end", "")
        if self.word_ahead() or self.after_words == self.at - 1 > 0 or self.peek()[1] in ("a", "sum") and self.word_ahead(2):
            return r"\ "
        return r"\; " if before[1] == "," else r"\, " if self.product() else " "

    def product(self):
        """Whether a blank is between factors."""
        before, behind = self.signs[self.at - 2] if self.at > 1 else ("end", ""), self.peek()
        ends = before[0] in ("name", "number", "raised", "lowered") or before[1] in (")", "]", "'")
        return ends and (behind[0] in ("name", "number", "root") or behind[1] in ("(", "["))

    def all(self):
        parts = []
        while self.peek()[0] != "end":
            parts.append(self.one())
        return "".join(parts)


def cells(line):
    """Parts of a line that two blanks or more separate, outside of brackets; before a relation blanks only align."""
    line = re.sub(r" {2,}(=|:=|<-|\+|-)( |$)", r" \1\2", line)
    line = re.sub(r"(=|-|\+) {2,}", r"\1 ", line)
    parts, depth = [""], 0
    for piece in re.split(r"( {2,})", line.strip()):
        if piece.startswith("  ") and not depth:
            parts.append("")
            continue
        parts[-1] += piece if not piece.startswith("  ") else " "
        depth += sum(piece.count(c) for c in "([") - sum(piece.count(c) for c in ")]")
    return [p for p in parts if p]


def row(line):
    if re.search(r"(^|\s)\|(\s|$)", line):
        raise NoFormula("a table")
    parts = cells(line)
    where = re.search(r" (=|<-|:=) ", parts[0])
    first = parts[0]
    if where:
        first = Reader(first[: where.start()]).all() + " &" + Reader(first[where.start() :].lstrip()).all()
    else:
        first = "&" + Reader(first).all()
    return "".join([first] + [" &&" + Reader(p).all() for p in parts[1:]])


def tableau(lines):
    """Butcher's table: c | a, a line of dashes, | b."""
    rows, width = [], 0
    for line in lines:
        if re.fullmatch(r"-+\+-+", line.strip()):
            rows.append(None)
            continue
        found = re.fullmatch(r"\s*([-\d/.]*)\s*\|((?:\s+[-\d/.]+)*)\s*([a-z]*)\s*", line)
        if not found:
            raise NoFormula(line)
        entries = [Reader(e.lstrip("-")).all() if not e.startswith("-") else "-" + Reader(e[1:]).all() for e in found[2].split()]
        if any(len(e) > 14 for e in found[2].split()):
            raise NoFormula("long numbers")
        width = max(width, len(entries))
        rows.append((Reader(found[1]).all(), entries, found[3]))
    if None not in rows:
        raise NoFormula("no line")
    tex = ""
    for r in rows:
        tex += r"\hline " if r is None else " & ".join(
            [r[0]] + r[1] + [""] * (width - len(r[1])) + ([rf"\text{{{r[2]}}}"] if r[2] else [])) + r" \\ "
    return rf"\begin{{array}}{{r|{'r' * width}l}} {tex}\end{{array}}"


def formulas(block):
    """The parts of a block of lines, which empty lines separate: TeX, or the lines of a table that stays as it is. None: the block
    is no formula."""
    text = "\n".join(block).strip("\n")
    if not re.search(r"\S +(=|<-) \S", text) or re.search(r"[{}#$@\"&\\]|gt_|geartrain|build|//|\w\);$", text, re.M):
        return None
    found = []
    text = re.sub(r"\n {20,}(?=[^\n=]+(\n|$))", " ", text)  # the last cell goes on
    for lines in (part.split("\n") for part in re.split(r"\n\s*\n", text)):
        try:
            found.append(tableau(lines) if any("--+" in line for line in lines) else
                         r"\begin{aligned} " + r" \\ ".join(row(line) for line in lines) + r" \end{aligned}")
        except NoFormula:
            if not any(re.search(r" \|( |$)", line) for line in lines):
                return None
            found.append(lines)
    return found if any(isinstance(part, str) for part in found) else None

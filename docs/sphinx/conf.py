# SPDX-License-Identifier: BSD-3-Clause
"""How Sphinx builds the manual from the pages that scripts/docs-stage has laid out."""
import os
import re

from docutils import nodes
from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, Text

project = "Geartrain"
release = os.environ["GEARTRAIN_VERSION"]
html_title = f"Geartrain {release}"
extensions = ["myst_parser"]
myst_heading_anchors = 4
root_doc = "index"
html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_domain_indices = False
html_use_index = False
html_show_search_summary = False  # it would be fetched, which a page from disk may not
smartquotes = False
highlight_language = "none"
pygments_style = "default"
html_theme_options = {"navigation_with_keys": True, "top_of_page_button": None}
html_css_files = ["manual.css", "dark.css"]
html_static_path = [os.path.join(os.path.dirname(__file__), "static")]
# A block whose language was guessed wrongly stays plain; pages begin their parts at the level that suits them.
suppress_warnings = ["misc.highlighting_failure", "myst.header"]


class OdeLexer(RegexLexer):
    """Model files, the language of XPPAUT."""

    name, aliases = "ode", ["ode"]
    flags = re.IGNORECASE | re.MULTILINE
    tokens = {
        "root": [
            (r"#.*$", Comment),
            (r'^".*$', Comment),
            (words(("par", "param", "p", "init", "i", "aux", "number", "table", "wiener", "markov", "global", "done", "set", "only",
                    "options", "solv", "volterra", "special", "bndry", "delay"), prefix=r"^\s*", suffix=r"\b"), Keyword),
            (r"^\s*[@%!]", Keyword),
            (words(("sin", "cos", "tan", "exp", "log", "ln", "sqrt", "abs", "max", "min", "heav", "sign", "tanh", "if", "then", "else",
                    "pi", "t"), prefix=r"\b", suffix=r"\b"), Name.Builtin),
            (r"[A-Za-z_]\w*(?=\s*(\(t\)|'|/dt))", Name.Variable),
            (r"[A-Za-z_]\w*", Name),
            (r"(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", Number),
            (r"[-+*/^=<>!&|']", Operator),
            (r"[(),{}\[\]:;]", Punctuation),
            (r"\s+", Text),
            (r".", Text),
        ]
    }


SHELL = re.compile(r"(\$ )?(geartrain|\./|make\b|cmake\b|apt-get|python3|pip|cc |gcc |sudo|cd |export |git |pkg-config)")


def language_of(text):
    """What a block without a language is written in; 'none' where nothing tells."""
    first = text.lstrip().split("\n", 1)[0]
    if first.startswith("$ "):
        return "console"
    if SHELL.match(first):
        return "sh"
    if "#include" in text or re.search(r"\bgt_\w+ ?\(.*;", text):
        return "c"
    if re.search(r"^\w+'\s*=", text, re.M) and re.search(r"^\s*(par|init|done|@)", text, re.M):
        return "ode"
    return "none"


def guess_languages(app, doctree):
    for block in doctree.traverse(nodes.literal_block):
        if block.get("language", "none") in ("none", "default"):
            block["language"] = language_of(block.astext())


EXPONENT = re.compile(r"\b[\d.]+e-\d+\b")


def keep_numbers_whole(app, doctree):
    """A browser may break a line behind the hyphen of 1e-6, but for what is marked (manual.css)."""
    for text in list(doctree.traverse(nodes.Text)):
        if isinstance(text.parent, (nodes.paragraph, nodes.strong, nodes.emphasis)) and EXPONENT.search(text):
            words = re.split(rf"({EXPONENT.pattern})", text)
            text.parent.replace(text, [nodes.inline(word, word, classes=["number"]) if i % 2 else nodes.Text(word)
                                       for i, word in enumerate(words) if word])


def follow_a_dark_system(app, exception):
    """Debian's furo has dark colours for its own switch only; a reader whose system is dark gets the same ones."""
    with open(os.path.join(app.outdir, "_static", "styles", "furo.css"), encoding="utf-8") as styles:
        colours = re.search(r'body\[data-theme="dark"\]\s*(\{[^}]*\})', styles.read())[1]
    with open(os.path.join(app.outdir, "_static", "dark.css"), "w", encoding="utf-8") as dark:
        dark.write(f'@media screen and (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {colours} }}\n')


def setup(app):
    app.add_lexer("ode", OdeLexer)
    app.connect("doctree-read", guess_languages)
    app.connect("doctree-read", keep_numbers_whole)
    app.connect("build-finished", follow_a_dark_system)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

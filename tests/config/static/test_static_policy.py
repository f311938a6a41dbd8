"""Pages and styles keep to a policy of default-src 'self', and their colours read."""

import itertools
import re
from html.parser import HTMLParser

import pytest

from analysis.charts.theme import THEMES
from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one

TOKENS = ROOT / "static" / "css" / "tokens.css"
STYLESHEETS = sorted((ROOT / "static" / "css").glob("*.css"))
# A report saved as one file is read without a server, and so has its style inside.
SAVED = {ROOT / "templates/analysis/frozen_file.html"}
TEMPLATES = sorted(ROOT.glob("templates/**/*.html")) + sorted(ROOT.glob("*/templates/**/*.html"))
TEMPLATES = [path for path in TEMPLATES if path not in SAVED]
SCRIPTS = sorted((ROOT / "static" / "js").glob("*.js"))


class Inline(HTMLParser):
    """Collects what a strict Content-Security-Policy would block."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = dict(attributes)
        if tag == "style" or (tag == "script" and "src" not in names):
            self.found.append(f"<{tag}> with content")
        for name, value in attributes:
            if name == "style" or name.startswith(("on", "hx-on")):
                self.found.append(f"{name}= on <{tag}>")
            if value and re.match(r"\s*(javascript|data):", value):
                self.found.append(f"{value[:20]} on <{tag}>")
            if name in {"src", "srcset"} and value and re.match(r"\s*(https?:)?//", value):
                self.found.append(f"{value} from another host")


def test_a_template_has_no_inline_style_script_or_foreign_source() -> None:
    for path in at_least_one(TEMPLATES):
        parser = Inline()
        text = path.read_text(encoding="utf-8")
        # Template tags inside HTML tags would confuse the parser; comments are not sent.
        text = re.sub(r"{% comment %}.*?{% endcomment %}", "", text, flags=re.DOTALL)
        parser.feed(re.sub(r"{[%{#].*?[%}#]}", "", text))
        assert parser.found == [], path


def test_a_script_neither_evaluates_text_nor_writes_markup() -> None:
    forbidden = ("eval(", "new Function", "innerHTML", "document.write", "http:", "https:")
    for path in at_least_one(SCRIPTS):
        text = path.read_text(encoding="utf-8")
        assert '"use strict";' in text, path
        assert [each for each in forbidden if each in text] == [], path


def test_a_stylesheet_asks_for_no_other_file() -> None:
    for path in at_least_one(STYLESHEETS):
        text = path.read_text(encoding="utf-8")
        assert "url(" not in text, path
        assert "@import" not in text, path


def tokens(theme: str) -> dict[str, str]:
    """Colours that the stylesheet sets for a theme."""
    blocks = re.findall(r":root {(.*?)}", TOKENS.read_text(encoding="utf-8"), re.DOTALL)
    values = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", blocks[0]))
    if theme == "dark":
        values |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", blocks[1]))
    return values


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours (WCAG 2.2, relative luminance)."""

    def luminance(color: str) -> float:
        channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


TEXT_ON_SURFACE = [
    *itertools.product(["ink", "muted", "accent", "good", "warn", "bad"], ["surface", "raised"]),
    *itertools.product(["ink", "accent"], ["chosen"]),
    *((ink, f"{state}-surface") for state in ("good", "warn", "bad") for ink in ("ink", state)),
    ("on-accent", "accent"),
    ("on-bad", "bad"),
]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_have_the_contrast_of_wcag_aa_and_charts_share_them(theme: str) -> None:
    colours = tokens(theme)
    for text, surface in TEXT_ON_SURFACE:
        assert contrast(colours[text], colours[surface]) >= 4.5, (text, surface)
    for edge, surface in itertools.product(("edge", "accent"), ("surface", "raised")):
        assert contrast(colours[edge], colours[surface]) >= 3, (edge, surface)
    for token in ("surface", "ink", "muted", "line", "accent"):
        assert getattr(THEMES[theme], token) == colours[token], token


SPACES = re.compile(r"(margin|padding|inset)(-[a-z-]+)?|(row-|column-)?gap|top|right|bottom|left")
LENGTH = re.compile(r"(?<![\w-])\d*\.?\d+(?:rem|em|px|ch|pt)\b")
HAIRLINES = {"1px", "2px", "3px"}
NAMED_COLOURS = re.compile(
    r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|lab|hwb)a?\(|\b(?:black|white|gray|grey|red|green|blue)\b",
    re.IGNORECASE,
)


def raw_values(sheet: str) -> list[str]:
    """Declarations of a stylesheet whose colour, type size, corner, shadow or space is no token."""
    rules = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    found = []
    for name, value in re.findall(r"(?<![\w-])([a-z-]+): ([^;{}]+);", rules):
        lengths = set(LENGTH.findall(value)) - HAIRLINES
        if (
            (not name.startswith("--") and NAMED_COLOURS.search(value))
            or (name in ("font-size", "font") and LENGTH.search(value))
            or (name == "line-height" and re.match(r"[\d.]", value))
            or (name in ("border-radius", "box-shadow") and lengths)
            or (SPACES.fullmatch(name) and lengths)
        ):
            found.append(f"{name}: {value}")
    return found


def test_colours_sizes_of_type_and_spaces_are_set_in_one_file_only() -> None:
    for path in at_least_one(STYLESHEETS):
        sheet = path.read_text(encoding="utf-8")
        assert bool(re.search(r"--[\w-]+: #", sheet)) == (path == TOKENS), path
        assert path == TOKENS or raw_values(sheet) == [], path


def test_every_token_that_a_stylesheet_uses_exists_and_every_token_is_used() -> None:
    sheets = {path: path.read_text(encoding="utf-8") for path in STYLESHEETS}
    used = set(re.findall(r"var\((--[\w-]+)\)", "".join(sheets.values())))
    scripts = "".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
    local = set(re.findall(r"(--[\w-]+): ", "".join(sheets.values())))
    assert used <= local | set(re.findall(r'setProperty\("(--[\w-]+)"', scripts))
    tokens = re.findall(r"^ +(--[\w-]+): ", sheets[TOKENS], re.MULTILINE)
    assert set(at_least_one(tokens)) - used == set()

"""Pages and styles keep to a policy of default-src 'self', and their colours read."""

from tests.fixtures.machine import ROOT
import itertools
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from analysis.charts.theme import THEMES

STYLESHEET = ROOT / "static" / "css" / "touchstone.css"
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


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_template_has_no_inline_style_script_or_foreign_source(path: Path) -> None:
    parser = Inline()
    text = path.read_text(encoding="utf-8")
    # Template tags inside HTML tags would confuse the parser; comments are not sent.
    text = re.sub(r"{% comment %}.*?{% endcomment %}", "", text, flags=re.DOTALL)
    parser.feed(re.sub(r"{[%{#].*?[%}#]}", "", text))
    assert parser.found == []


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_neither_evaluates_text_nor_writes_markup(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert '"use strict";' in text
    for forbidden in ("eval(", "new Function", "innerHTML", "document.write", "http:", "https:"):
        assert forbidden not in text


@pytest.mark.parametrize("path", STYLESHEETS, ids=lambda path: path.name)
def test_a_stylesheet_asks_for_no_other_file(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "url(" not in text
    assert "@import" not in text


def tokens(theme: str) -> dict[str, str]:
    """Colours that the stylesheet sets for a theme."""
    blocks = re.findall(r":root {(.*?)}", STYLESHEET.read_text(encoding="utf-8"), re.DOTALL)
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
@pytest.mark.parametrize(("text", "surface"), TEXT_ON_SURFACE)
def test_text_has_the_contrast_that_wcag_aa_asks_for(theme: str, text: str, surface: str) -> None:
    assert contrast(tokens(theme)[text], tokens(theme)[surface]) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("surface", ["surface", "raised"])
def test_edges_of_fields_and_the_focus_ring_stand_out(theme: str, surface: str) -> None:
    for token in ("edge", "accent"):
        assert contrast(tokens(theme)[token], tokens(theme)[surface]) >= 3


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("token", ["surface", "ink", "muted", "line", "accent"])
def test_charts_and_pages_share_their_colours(theme: str, token: str) -> None:
    assert getattr(THEMES[theme], token) == tokens(theme)[token]


@pytest.mark.parametrize("path", STYLESHEETS, ids=lambda path: path.name)
def test_colours_are_set_as_tokens_in_one_file_only(path: Path) -> None:
    rules = re.sub(r":root {.*?}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b", rules) == []

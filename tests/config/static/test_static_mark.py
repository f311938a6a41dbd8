"""The mark is one drawing: as favicon, in the header of pages, and as the icon of phones."""

import re

import vl_convert

from tests.config.static.test_static_policy import tokens
from tests.fixtures.machine import ROOT

STATIC = ROOT / "static"
SVG = (STATIC / "touchstone.svg").read_text(encoding="utf-8")


def shapes(svg: str) -> list[str]:
    return re.findall(r' d="([^"]+)"', svg)


def test_the_favicon_and_the_mark_in_the_header_have_the_same_shapes() -> None:
    assert len(shapes(SVG)) == 3
    mark = ROOT / "templates" / "components" / "mark.html"
    assert shapes(mark.read_text(encoding="utf-8")) == shapes(SVG)


def test_the_favicon_has_the_colours_of_the_pages_in_light_and_in_dark() -> None:
    light, dark = SVG.split("@media (prefers-color-scheme: dark)")
    for part, theme in ((light, "light"), (dark, "dark")):
        set_here = dict(re.findall(r"\.(\w+) { \w+: (#[0-9a-f]{6}); }", part))
        assert len(set_here) >= 2
        assert set_here.items() <= tokens(theme).items()


def test_the_icon_of_phones_is_a_picture_of_the_mark_as_it_is() -> None:
    """Phones cut the corners of an opaque square and read no SVG; on white, with a margin.

    Where this fails, write `icon` to `static/touchstone.png`.
    """
    mark = SVG.replace("<svg ", '<svg x="4" y="4" width="24" height="24" ', 1)
    paper = 'xmlns="http://www.w3.org/2000/svg" width="180" height="180" viewBox="0 0 32 32"'
    ground = '<rect width="32" height="32" fill="#ffffff"/>'
    icon = vl_convert.svg_to_png(f"<svg {paper}>{ground}{mark}</svg>", scale=1)
    assert (STATIC / "touchstone.png").read_bytes() == icon

"""Draw `static/touchstone.png`, the icon of phones' home screens, from `static/touchstone.svg`.

Phones cut the corners of an opaque square themselves and read no SVG. Run it when the mark changes.
"""

from pathlib import Path

import vl_convert

STATIC = Path(__file__).parent.parent / "static"
SIDE = 180
GROUND = '<rect width="32" height="32" fill="#ffffff"/>'


def icon(svg: str) -> bytes:
    """Return the mark as a PNG on white, with a margin of an eighth."""
    mark = svg.replace("<svg ", '<svg x="4" y="4" width="24" height="24" ', 1)
    paper = f'width="{SIDE}" height="{SIDE}" viewBox="0 0 32 32">'
    page = f'<svg xmlns="http://www.w3.org/2000/svg" {paper}{GROUND}{mark}</svg>'
    return vl_convert.svg_to_png(page, scale=1)


if __name__ == "__main__":
    svg = (STATIC / "touchstone.svg").read_text(encoding="utf-8")
    (STATIC / "touchstone.png").write_bytes(icon(svg))

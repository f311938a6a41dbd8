"""The size of a picture before it is drawn, so that a page keeps the place for it free."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from analysis.charts.chart import Chart
from analysis.charts.labels import text_width

_BESIDE, _ABOVE = 48, 16
"""What the theme leaves around a picture."""
_LINE, _SUBLINE, _BELOW_TITLE = 18, 16, 6
_SPACING, _FACETS = 28, 18
_TICKS, _AXIS_TITLE, _HEADER = 17, 22, 24
_DEGREES = math.sin(math.radians(60))
_MOST_OF_A_NAME = 260
_FONT = 10.4
"""Size with which `text_width`, which is on the wide side, is right on average."""

View = Mapping[str, Any]


def planned_size(chart: Chart) -> tuple[int, int]:
    """Return about how wide and high a chart will be, in pixels.

    Drawing takes a tenth of a second a picture, which no page can wait for. Heights are right to
    some pixels; widths depend on the font of the names.

    Parameters
    ----------
    chart : Chart
        Any chart of this package.
    """
    spec = chart.spec
    if "autosize" in spec:
        return int(spec["width"]), int(spec["height"])
    width, height = size_without_title(spec)
    title = spec.get("title", {})
    lines, sublines = title.get("text", ()), title.get("subtitle", ())
    if lines:
        height += _LINE * len(lines) + _SUBLINE * len(sublines) + _BELOW_TITLE
        titles = [text_width(line, 14) for line in lines] + [text_width(s, _FONT) for s in sublines]
        width = max(width, *titles)
    return round(width + _BESIDE), round(height + _ABOVE)


def size_without_title(view: View, data: View = MappingProxyType({})) -> tuple[float, float]:
    """Return the size of a view with its axes and keys."""
    data = view.get("data", data)
    for direction, along, across in (("hconcat", 0, 1), ("vconcat", 1, 0)):
        if direction in view:
            sizes = [size_without_title(part, data) for part in view[direction]]
            spacing = view.get("spacing", _SPACING) * (len(sizes) - 1)
            both = {along: sum(size[along] for size in sizes) + spacing}
            both[across] = max(size[across] for size in sizes)
            title = _HEADER if "title" in view and "$schema" not in view else 0
            return both[0], both[1] + title
    if "facet" in view:
        return _facets(view, data)
    width, height = _plot(view)
    beside, around = _axes(view)
    title = _HEADER + 7 if "title" in view and "$schema" not in view else 0
    return width + beside + _overhang(view, width), height + around + title


def _facets(view: View, data: View) -> tuple[float, float]:
    facet, inner = view["facet"], view["spec"]
    direction = next((d for d in ("column", "row") if d in facet), "")
    field = facet[direction]["field"] if direction else facet["field"]
    panels = len({row.get(field) for row in data.get("values", ())})
    columns = {"column": panels, "row": 1}.get(direction) or min(panels, view["columns"])
    rows = math.ceil(panels / columns) if columns else 0
    (width, height), (beside, around) = _plot(inner), _axes(inner)
    spacing = view.get("spacing", _FACETS)
    below = around * (rows if view.get("resolve") else 1)
    heads = _HEADER if direction == "column" else (_HEADER + 5) * rows
    return (
        beside + columns * width + spacing * (columns - 1),
        height * rows + spacing * (rows - 1) + heads + below,
    )


def _plot(view: View) -> tuple[float, float]:
    return _side(view, "width", "x"), _side(view, "height", "y")


def _side(view: View, side: str, channel: str) -> float:
    length = view.get(side, 200)
    if isinstance(length, Mapping):
        names = next((c["scale"]["domain"] for c in _channels(view, channel) if _named(c)), ())
        return float(length["step"] * len(names))
    return float(length)


def _named(channel: View) -> bool:
    return channel.get("type") == "nominal" and "domain" in channel.get("scale", {})


def _channels(view: View, name: str) -> Iterator[View]:
    """Yield a channel wherever the layers of a view name it."""
    if name in view.get("encoding", {}):
        yield view["encoding"][name]
    for part in view.get("layer", ()):
        yield from _channels(part, name)


def _axes(view: View) -> tuple[float, float]:
    """Return what axes and keys take beside a plot, and above and below it."""
    beside = around = 0.0
    for channel in ("y", "x"):
        found = next((c for c in _channels(view, channel) if "axis" in c or _named(c)), None)
        axis = None if found is None else found.get("axis")
        if found is None or axis is None:
            continue
        names = found["scale"]["domain"] if _named(found) else ()
        title = _AXIS_TITLE if found.get("title") and not names else 0
        longest = _longest(names, axis)
        if channel == "y":
            beside += longest + 8 if names else 24 + title
        elif axis.get("labelAngle"):
            around += longest * _DEGREES + 14
        elif axis.get("labels", True):
            around += _TICKS + title
    # Channels of one field share a key.
    keys = {
        channel.get("field"): (key, channel.get("scale", {}).get("domain", ()))
        for name in ("color", "shape", "size", "stroke")
        for channel in _channels(view, name)
        if (key := channel.get("legend"))
    }
    for key, names in keys.values():
        orient = key.get("orient", "right")
        beside += _longest(names, key) + 36 if orient == "right" else 0
        around += 52 if orient == "bottom" else 0
    return beside, around


def _longest(names: Iterable[object], limited: View = MappingProxyType({})) -> float:
    """Return the width of the longest name, as far as an axis or a key shows it."""
    longest = max((text_width(str(name), _FONT) for name in names), default=0.0)
    return min(longest, float(limited.get("labelLimit", _MOST_OF_A_NAME)))


def _overhang(view: View, width: float) -> float:
    """Return how far names at the ends of lines reach out of a plot."""
    reach = 0.0
    for part in view.get("layer", ()):
        rows: Sequence[View] = part.get("data", {}).get("values", ())
        text, x = (part.get("encoding", {}).get(key, {}) for key in ("text", "x"))
        if "value" in x and "field" in text:
            longest = _longest(row.get(text["field"], "") for row in rows)
            reach = max(reach, x["value"] + longest - width)
    return reach

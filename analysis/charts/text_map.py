"""Texts as points in a plane, by who wrote them and in which style."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from analysis.charts.axes import padded
from analysis.charts.chart import (
    SCHEMA,
    Chart,
    Column,
    Spec,
    counted,
    in_order,
    linked,
    nothing_to_draw,
    require_finite,
    sentence,
    table,
    title_block,
)
from analysis.charts.theme import SHAPES

_COLUMNS = (
    Column("segment", "Segment"),
    Column("kind", "Text"),
    Column("system", "System"),
    Column("style", "Style"),
    Column("text", "Words"),
    Column("x", "Horizontal", "number"),
    Column("y", "Vertical", "number"),
)
_SIDE = 460
_SHOWN = 160
"""Characters of a text in its tooltip."""


@dataclass(frozen=True)
class TextPoint:
    """A text and its place."""

    x: float
    y: float
    segment: str
    kind: str
    system: str
    style: str
    text: str
    link: str = ""


def text_map(
    points: Sequence[TextPoint], *, title: str, subtitle: str = "", name: str = "text-map"
) -> Chart:
    """Draw each text as a point; colour is the style, shape says who wrote it.

    Parameters
    ----------
    points : sequence of TextPoint
        Those drawn last lie on top.
    title, subtitle : str
        Lines over the picture.
    name : str
        Name of the chart for files and element ids.

    Returns
    -------
    Chart

    Raises
    ------
    ValueError
        If a place is NaN or infinite.
    """
    for point in points:
        require_finite(point.segment, (point.x, point.y))
    if not points:
        return nothing_to_draw(name, title, _COLUMNS, "There is no text to draw.")
    styles = in_order(point.style for point in points)
    kinds = in_order(point.kind for point in points)
    legend = {"orient": "bottom", "direction": "horizontal", "title": None, "columns": 4}
    scale = {"nice": False, "zero": False}
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(points)),
        "title": title_block(title, subtitle, _SIDE + 60),
        "width": _SIDE,
        "height": _SIDE,
        "data": {"values": [_datum(point) for point in points]},
        "mark": {"type": "point", "size": 26, "opacity": 0.8, "strokeWidth": 1.4},
        "encoding": {
            axis: {"field": axis, "type": "quantitative", "axis": None}
            | {"scale": scale | {"domain": list(padded([getattr(p, axis) for p in points]))}}
            for axis in ("x", "y")
        }
        | {
            "color": {"field": "style", "type": "nominal", "scale": {"domain": styles}}
            | {"legend": legend},
            "shape": {"field": "kind", "type": "nominal", "legend": legend}
            | {"scale": {"domain": kinds, "range": list(SHAPES[: len(kinds)])}},
            "tooltip": [
                {"field": "words", "type": "nominal", "title": "Text"},
                {"field": "kind", "type": "nominal", "title": "Written as"},
                {"field": "system", "type": "nominal", "title": "System"},
                {"field": "style", "type": "nominal", "title": "Style"},
                {"field": "segment", "type": "nominal", "title": "Segment"},
            ],
        }
        | linked(points),
    }
    return Chart(name, title, spec["description"], spec, _COLUMNS, table(_COLUMNS, points))


def _datum(point: TextPoint) -> dict[str, str | float]:
    long = len(point.text) > _SHOWN
    return {
        "x": point.x,
        "y": point.y,
        "segment": point.segment,
        "kind": point.kind,
        "system": point.system or "–",
        "style": point.style,
        "words": point.text[:_SHOWN] + "…" if long else point.text,
        "link": point.link,
    }


def _describe(points: Sequence[TextPoint]) -> str:
    parts = []
    for style in in_order(point.style for point in points):
        kinds = Counter(point.kind for point in points if point.style == style)
        parts.append(f"{style}: {', '.join(f'{kind} {n}' for kind, n in kinds.items())}")
    return f"{counted(len(points), 'text')}, like beside like; {'; '.join(parts)}."

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
_FILLING = (("filled", 0.9), ("empty", 0.0), ("half filled", 0.4))
"""Of the points of each style: print in grey shows no hues."""


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
    """Draw each text as a point; colour and filling are the style, shape says who wrote it.

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
    style = {"field": "style", "type": "nominal", "legend": legend, "scale": {"domain": styles}}
    scale = {"nice": False, "zero": False}
    said = filter(None, (subtitle, _filling(styles)))
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(points)),
        "title": title_block(title, " · ".join(said), _SIDE + 60),
        "width": _SIDE,
        "height": _SIDE,
        "data": {"values": [_datum(point, styles) for point in points]},
        "mark": {"type": "point", "size": 26, "opacity": 0.8, "strokeWidth": 1.4, "filled": False},
        "encoding": {
            axis: {"field": axis, "type": "quantitative", "axis": None}
            | {"scale": scale | {"domain": list(padded([getattr(p, axis) for p in points]))}}
            for axis in ("x", "y")
        }
        | {
            "stroke": style,
            "fill": style,
            "fillOpacity": {"field": "filling", "type": "quantitative"}
            | {"scale": None, "legend": None},
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


def _datum(point: TextPoint, styles: Sequence[str]) -> dict[str, str | float]:
    long = len(point.text) > _SHOWN
    return {
        "x": point.x,
        "y": point.y,
        "segment": point.segment,
        "kind": point.kind,
        "system": point.system or "–",
        "style": point.style,
        "filling": _FILLING[styles.index(point.style) % len(_FILLING)][1],
        "words": point.text[:_SHOWN] + "…" if long else point.text,
        "link": point.link,
    }


def _filling(styles: Sequence[str]) -> str:
    """Say what the filling of points means; the legend shows hues only."""
    words = [f"{how}: {style}" for (how, _), style in zip(_FILLING, styles, strict=False)]
    return ", ".join(words) if len(styles) > 1 else ""


def _describe(points: Sequence[TextPoint]) -> str:
    parts = []
    for style in in_order(point.style for point in points):
        kinds = Counter(point.kind for point in points if point.style == style)
        parts.append(f"{style}: {', '.join(f'{kind} {n}' for kind, n in kinds.items())}")
    return f"{counted(len(points), 'text')}, like beside like; {'; '.join(parts)}."

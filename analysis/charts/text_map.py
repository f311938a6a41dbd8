"""Texts as points in a plane, by who wrote them and in which style."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Unpack

from analysis.charts.axes import exactly, padded, tooltip
from analysis.charts.chart import Chart, Value, counted
from analysis.charts.drawing import Titles, draw, nothing_to_draw
from analysis.charts.table import Row, Table, numbers, texts
from analysis.charts.theme import SHAPES

_SIDE = 410
_KEY_ROW = 17
"""Pixels of a line of the keys."""
_SHOWN = 160
"""Characters of a text in its tooltip."""
_FILLING = (("filled", 0.9), ("empty", 0.0), ("half filled", 0.4))
"""Of the points of each style: print in grey shows no hues."""


def text_map(rows: Sequence[Row], **titles: Unpack[Titles]) -> Chart:
    """Draw each text as a point; colour and filling are the style, shape says who wrote it.

    Parameters
    ----------
    rows : sequence of Row
        `segment`, `kind` (who wrote it), `system`, `style`, `text`, and its place `x` and `y`;
        those that come last lie on top.
    """
    titles.setdefault("name", "text-map")
    names = texts(segment="Segment", kind="Text", system="System", style="Style", text="Words")
    table = Table((*names, *numbers(x="Horizontal", y="Vertical")), rows)
    if not rows:
        return nothing_to_draw(table, titles, "There is no text to draw.")
    styles, kinds = table.names("style"), table.names("kind")
    legend = {"title": None, "offset": 0, "labelLimit": _SIDE // 2 - 40}
    style: dict[str, Any] = {"field": "style", "type": "nominal", "scale": {"domain": styles}}
    style["legend"] = legend | {"orient": "top-left"}
    # The keys lie inside, above all points.
    key = min(_SIDE / 2, _KEY_ROW * max(len(styles), len(kinds)))
    low, high = padded(table.numbers("y"))
    ranges = {"x": padded(table.numbers("x"))}
    ranges["y"] = (low, high + (high - low) * key / (_SIDE - key))
    titles["subtitle"] = " · ".join(filter(None, (titles.get("subtitle"), _filling(styles))))
    fields = (*texts(words="Text", kind="Written as"), *names[2:4], names[0])
    return draw(
        table,
        titles,
        description=_describe(table, styles),
        title_width=_SIDE + 60,
        width=_SIDE,
        height=_SIDE,
        data={"values": [_datum(row, styles) for row in rows]},
        mark={"type": "point", "size": 26, "opacity": 0.8, "strokeWidth": 1.4, "filled": False},
        encoding={
            axis: {"field": axis, "type": "quantitative", "axis": None}
            | {"scale": exactly(ranges[axis])}
            for axis in ("x", "y")
        }
        | {
            "stroke": style,
            "fill": style,
            "fillOpacity": {"field": "filling", "type": "quantitative"}
            | {"scale": None, "legend": None},
            "shape": {
                "field": "kind",
                "type": "nominal",
                "legend": legend | {"orient": "top-right"},
            }
            | {"scale": {"domain": kinds, "range": list(SHAPES[: len(kinds)])}},
            "tooltip": tooltip(*fields),
        }
        | table.links(),
    )


def _datum(row: Row, styles: Sequence[str]) -> dict[str, Value]:
    words = str(row["text"])
    return {key: value for key, value in row.items() if key != "text"} | {
        "system": row["system"] or "–",
        "filling": _FILLING[styles.index(str(row["style"])) % len(_FILLING)][1],
        "words": words[:_SHOWN] + "…" if len(words) > _SHOWN else words,
    }


def _filling(styles: Sequence[str]) -> str:
    """Say what the filling of points means; the legend shows hues only."""
    words = [f"{how}: {style}" for (how, _), style in zip(_FILLING, styles, strict=False)]
    return ", ".join(words) if len(styles) > 1 else ""


def _describe(table: Table, styles: Sequence[str]) -> str:
    parts = []
    for style in styles:
        kinds = Counter(str(row["kind"]) for row in table.rows if row["style"] == style)
        parts.append(f"{style}: {', '.join(f'{kind} {n}' for kind, n in kinds.items())}")
    return f"{counted(len(table.rows), 'text')}, similar ones close together; {'; '.join(parts)}."

"""What systems give up for what: two human means, settings of a model joined, the front marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.charts.axes import linear_axis, padded
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
from analysis.charts.labels import LABEL_HEIGHT, place_labels
from analysis.charts.theme import SHAPES

_COLUMNS = (
    Column("system", "System"),
    Column("model", "Model"),
    Column("x", "First mean", "number"),
    Column("y", "Second mean", "number"),
    Column("on_front", "On the front"),
)
_WIDTH, _HEIGHT = 440, 340


@dataclass(frozen=True)
class Setting:
    """Two means of one system, either None where undefined; `model` joins its settings."""

    system: str
    x: float | None
    y: float | None
    model: str = ""
    link: str = ""


@dataclass(frozen=True)
class _Placed:
    system: str
    model: str
    x: float | None
    y: float | None
    on_front: str
    link: str


def pareto_front(points: Sequence[tuple[float, float]]) -> list[bool]:
    """Say of each point whether no other is at least as high on both sides and higher on one.

    Examples
    --------
    >>> pareto_front([(1, 3), (2, 2), (1, 2), (3, 1)])
    [True, True, False, True]
    """
    return [not any(a >= x and b >= y and (a > x or b > y) for a, b in points) for x, y in points]


def trade_off(
    settings: Sequence[Setting],
    *,
    title: str,
    x_label: str,
    y_label: str,
    subtitle: str = "",
    name: str = "trade-off",
) -> Chart:
    """Draw systems by two means; a ring marks those that no other beats on both.

    Means are drawn as they are: the front may be chance, and says nothing of significance.

    Parameters
    ----------
    settings : sequence of Setting
        Settings of one model are joined in the order given. What lacks a mean is in the table only.
    title, subtitle : str
        Lines over the picture.
    x_label, y_label : str
        Titles of the axes; higher is better on both.
    name : str
        Name of the chart for files and element ids.

    Returns
    -------
    Chart

    Raises
    ------
    ValueError
        If a value is NaN or infinite.
    """
    for each in settings:
        require_finite(each.system, (each.x, each.y))
    known = [(s, s.x, s.y) for s in settings if s.x is not None and s.y is not None]
    front = pareto_front([(x, y) for _, x, y in known])
    on_front = {s.system: flag for (s, _, _), flag in zip(known, front, strict=True)}
    placed = [
        _Placed(s.system, s.model, s.x, s.y, "yes" if on_front.get(s.system) else "no", s.link)
        for s in settings
    ]
    rows = table(_COLUMNS, placed)
    if not known:
        why = "There is no system with both means."
        chart = nothing_to_draw(name, title, _COLUMNS, why)
        return Chart(name, title, why, chart.spec, _COLUMNS, rows)
    values = _values([p for p in placed if p.x is not None and p.y is not None])
    x_domain, y_domain = (padded([v[key] for v in values]) for key in ("x", "y"))
    _place_names(values, x_domain, y_domain)
    spec: Spec = {
        "$schema": SCHEMA,
        "description": sentence(_describe(placed, len(known), x_label, y_label)),
        "title": title_block(title, subtitle, _WIDTH + 60),
        "width": _WIDTH,
        "height": _HEIGHT,
        "data": {"values": values},
        "encoding": {
            "x": linear_axis("x", x_label, x_domain),
            "y": linear_axis("y", y_label, y_domain),
        },
        "layer": _layers(in_order(v["model"] for v in values), linked(settings)),
    }
    return Chart(name, title, spec["description"], spec, _COLUMNS, rows)


def _values(placed: Sequence[_Placed]) -> list[dict[str, Any]]:
    return [
        {
            "system": p.system,
            "model": p.model or p.system,
            "order": order,
            "x": p.x,
            "y": p.y,
            "front": p.on_front,
            "link": p.link,
        }
        for order, p in enumerate(placed)
    ]


def _place_names(
    values: list[dict[str, Any]], x_domain: tuple[float, float], y_domain: tuple[float, float]
) -> None:
    x_unit = (x_domain[1] - x_domain[0]) / _WIDTH
    y_unit = (y_domain[1] - y_domain[0]) / _HEIGHT
    pixels = [((v["x"] - x_domain[0]) / x_unit, (y_domain[1] - v["y"]) / y_unit) for v in values]
    names = [v["system"] for v in values]
    for value, box in zip(values, place_labels(pixels, names, _WIDTH, _HEIGHT), strict=True):
        if box is not None:
            value["label_x"] = x_domain[0] + box.left * x_unit
            value["label_y"] = y_domain[1] - (box.top + LABEL_HEIGHT / 2) * y_unit


def _layers(models: list[str], links: dict[str, Any]) -> list[dict[str, Any]]:
    several = 1 < len(models) <= len(SHAPES)
    color: dict[str, Any] = {}
    shape: dict[str, Any] = {}
    if several:
        model = {"field": "model", "type": "nominal"}
        legend = {"legend": {"orient": "bottom", "title": None, "columns": 4}}
        color = {"color": model | legend | {"scale": {"domain": models}}}
        shapes = {"domain": models, "range": list(SHAPES[: len(models)])}
        shape = {"shape": model | legend | {"scale": shapes}}
    point: dict[str, Any] = {"type": "point", "filled": True, "size": 64, "opacity": 1}
    return [
        {
            "mark": {"type": "line", "strokeWidth": 1.2} | ({} if several else {"style": "zero"}),
            "encoding": {
                "detail": {"field": "model", "type": "nominal"},
                "order": {"field": "order", "type": "quantitative"},
            }
            | color,
        },
        {
            "mark": point if several else point | {"style": "dot"},
            "encoding": {"tooltip": _tooltip()} | color | shape | links,
        },
        {
            "transform": [{"filter": {"field": "front", "equal": "yes"}}],
            "mark": {"type": "point", "style": "front", "size": 170, "filled": False, "opacity": 1},
        },
        {
            "transform": [{"filter": {"field": "label_x", "valid": True}}],
            "mark": {"type": "text", "style": "label", "align": "left", "baseline": "middle"},
            "encoding": {
                "x": {"field": "label_x", "type": "quantitative"},
                "y": {"field": "label_y", "type": "quantitative"},
                "text": {"field": "system", "type": "nominal"},
            },
        },
    ]


def _tooltip() -> list[dict[str, Any]]:
    return [
        {"field": "system", "type": "nominal", "title": "System"},
        {"field": "x", "type": "quantitative", "title": "Horizontal", "format": ".3f"},
        {"field": "y", "type": "quantitative", "title": "Vertical", "format": ".3f"},
        {"field": "front", "type": "nominal", "title": "On the front"},
    ]


def _describe(placed: Sequence[_Placed], known: int, x_label: str, y_label: str) -> str:
    front = [p.system for p in placed if p.on_front == "yes"]
    text = f"{y_label} against {x_label} for {counted(known, 'system')}; ringed, because no other "
    text += f"is as high on both: {', '.join(front)}"
    missing = len(placed) - known
    return f"{text}; {missing} undefined on a side, in the table only." if missing else f"{text}."

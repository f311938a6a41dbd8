"""Scatter plots of systems, each point with its name."""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from analysis.charts.chart import Chart, Column, Value, counted, format_number, in_order
from analysis.charts.labels import LABEL_HEIGHT, Box, place_labels
from analysis.charts.layers import (
    Layer,
    exactly,
    intervals,
    kinds,
    known,
    layer,
    number_axis,
    padded,
    text,
    tooltip,
    where,
)
from analysis.charts.table import Row, Table, Titles, draw, interval, nothing_to_draw, number
from analysis.charts.theme import SHAPES

Range = tuple[float, float]

_WIDTH, _HEIGHT = 440, 340
_POINT = {"type": "point", "filled": True, "size": 64, "opacity": 1}
_N = Column("n", "n", "count")


def system_scatter(
    rows: Sequence[Row],
    *,
    human_label: str,
    metric_label: str,
    correlation: str,
    **titles: Unpack[Titles],
) -> Chart:
    """Draw human system means over metric system means, each point with its system's name.

    Names are placed so that they cover neither each other nor a point; where a crowd leaves no
    room, a name is left to the tooltip and the table, and the description says how many.

    Parameters
    ----------
    rows : sequence of Row
        `system`, `group`, `human` with `human_low` and `human_high`, `metric` with `metric_low`
        and `metric_high`, and `n`. A system without one of the means is in the table only.
    human_label, metric_label : str
        Titles of the vertical and the horizontal axis; say there when lower is better.
    correlation : str
        The correlation in words, for the subtitle, such as
        ``r = 0.967, 95 % CI [0.82, 0.99], n = 8 systems`` or ``r undefined, because …``.
    """
    system, human, metric = (
        Column("system", "System"),
        Column("human", "Human mean", "number"),
        Column("metric", "Metric mean", "number"),
    )
    columns = (
        system,
        Column("group", "Group"),
        human,
        Column("human_low", "Human low", "number"),
        Column("human_high", "Human high", "number"),
        metric,
        Column("metric_low", "Metric low", "number"),
        Column("metric_high", "Metric high", "number"),
        _N,
    )
    table, plotted = Table(columns, rows), Table(columns, _with_both(rows, "human", "metric"))
    if not plotted.rows:
        why = "There is no system with both a human and a metric score."
        return nothing_to_draw(table, titles, "system-scatter", why)
    y_range = padded(plotted.numbers("human", "human_low", "human_high"))
    x_range = padded(plotted.numbers("metric", "metric_low", "metric_high"))
    values = [
        datum
        | {
            f"{which}_interval": interval(datum, f"{which}_low", f"{which}_high") or "none"
            for which in ("human", "metric")
        }
        for datum in plotted.data()
    ]
    names = _places_of_names(plotted.rows, ("metric", "human"), (x_range, y_range))
    groups = plotted.names("group")
    told = tooltip(
        *(system, human, Column("human_interval", "Human interval")),
        *(metric, Column("metric_interval", "Metric interval"), _N),
    )
    apart = _told_apart("group", groups) if len(groups) > 1 else {}
    hidden = sum(not place for place in names)
    said = f"{human_label} against {metric_label}"
    titles["subtitle"] = correlation
    return draw(
        table,
        titles,
        "system-scatter",
        description=f"{_describe_scatter(table, plotted, hidden, said)} {correlation.rstrip('.')}.",
        title_width=_WIDTH + 60,
        width=_WIDTH,
        height=_HEIGHT,
        data={"values": [datum | place for datum, place in zip(values, names, strict=True)]},
        encoding={
            "x": number_axis("metric", metric_label, exactly(x_range)),
            "y": number_axis("human", human_label, exactly(y_range)),
        }
        | table.links(),
        layer=[
            intervals("y", {"type": "quantitative"}, "human_low", "human_high", "cross-interval"),
            intervals("x", {"type": "quantitative"}, "metric_low", "metric_high", "cross-interval"),
            _points(apart, told),
            *_names(),
        ],
    )


def _describe_scatter(table: Table, plotted: Table, hidden: int, said: str) -> str:
    said += f" for {counted(len(plotted.rows), 'system')}"
    if missing := len(table.rows) - len(plotted.rows):
        said += f"; {missing} without both scores, listed in the table only"
    if hidden:
        said += f"; {counted(hidden, 'name')} left out where there is no room"
    best = max(plotted.rows, key=lambda row: number(row, "human") or 0.0)
    return f"{said}; people rate {best['system']} highest ({format_number(number(best, 'human'))})."


def pareto_front(points: Sequence[tuple[float, float]]) -> list[bool]:
    """Say of each point whether no other is at least as high on both sides and higher on one.

    Examples
    --------
    >>> pareto_front([(1, 3), (2, 2), (1, 2), (3, 1)])
    [True, True, False, True]
    """
    return [not any(a >= x and b >= y and (a > x or b > y) for a, b in points) for x, y in points]


def trade_off(
    rows: Sequence[Row], *, x_label: str, y_label: str, **titles: Unpack[Titles]
) -> Chart:
    """Draw systems by two means; a ring marks those that no other beats on both.

    Means are drawn as they are: the front may be chance, and says nothing of significance.

    Parameters
    ----------
    rows : sequence of Row
        `system`, its means `x` and `y`, and `model`: settings of one model are joined in the order
        given. A system without one of the means is in the table only.
    x_label, y_label : str
        Titles of the axes; higher is better on both.
    """
    columns = (
        Column("system", "System"),
        Column("model", "Model"),
        Column("x", "First mean", "number"),
        Column("y", "Second mean", "number"),
        Column("on_front", "On the front"),
    )
    both = _with_both(rows, "x", "y")
    front = pareto_front([(number(row, "x") or 0.0, number(row, "y") or 0.0) for row in both])
    best = [row["system"] for row, flag in zip(both, front, strict=True) if flag]
    marked = [{**row, "on_front": "yes" if row["system"] in best else "no"} for row in rows]
    table, plotted = Table(columns, marked), Table(columns, _with_both(marked, "x", "y"))
    if not both:
        why = "There is no system with both means."
        return nothing_to_draw(table, titles, "trade-off", why)
    x_range, y_range = padded(plotted.numbers("x")), padded(plotted.numbers("y"))
    names = _places_of_names(plotted.rows, ("x", "y"), (x_range, y_range))
    said = f"{y_label} against {x_label} for {counted(len(both), 'system')}; ringed, because no "
    said += f"other is as high on both: {', '.join(map(str, best))}"
    if missing := len(rows) - len(both):
        said += f"; {missing} undefined on a side, in the table only"
    return draw(
        table,
        titles,
        "trade-off",
        description=f"{said}.",
        title_width=_WIDTH + 60,
        width=_WIDTH,
        height=_HEIGHT,
        data={
            "values": [
                datum | place | {"model": datum["model"] or datum["system"], "order": order}
                for order, (datum, place) in enumerate(zip(plotted.data(), names, strict=True))
            ]
        },
        encoding={
            "x": number_axis("x", x_label, exactly(x_range)),
            "y": number_axis("y", y_label, exactly(y_range)),
        },
        layer=_trade_off_layers(plotted, columns[0]),
    )


def _trade_off_layers(table: Table, system: Column) -> list[Layer]:
    models = in_order(str(row.get("model") or row["system"]) for row in table.rows)
    apart = _told_apart("model", models, columns=4) if 1 < len(models) <= len(SHAPES) else {}
    line = {"type": "line", "strokeWidth": 1.2} | ({} if apart else {"style": "zero"})
    joined = {
        "detail": {"field": "model", "type": "nominal"},
        "order": {"field": "order", "type": "quantitative"},
    }
    told = tooltip(
        *(system, Column("x", "Horizontal", "number"), Column("y", "Vertical", "number")),
        Column("on_front", "On the front"),
    )
    ring = {"type": "point", "style": "front", "size": 170, "filled": False, "opacity": 1}
    return [
        layer(line, joined | {key: apart[key] for key in ("color",) if apart}),
        _points(apart, told, **table.links()),
        layer(ring, {}, where("on_front", "yes")),
        *_names(),
    ]


def _with_both(rows: Sequence[Row], first: str, second: str) -> list[Row]:
    return [row for row in rows if None not in (number(row, first), number(row, second))]


def _told_apart(field: str, names: Sequence[str], **legend: Any) -> dict[str, Any]:
    channels = kinds(field, names, {"orient": "bottom", "title": None} | legend)
    return {channel: channels[channel] for channel in ("color", "shape")}


def _points(apart: Mapping[str, Any], told: list[dict[str, str]], **encoding: Any) -> Layer:
    mark = _POINT if apart else _POINT | {"style": "dot"}
    return layer(mark, {"tooltip": told} | dict(apart) | encoding)


def _places_of_names(
    rows: Sequence[Row], keys: tuple[str, str], ranges: tuple[Range, Range]
) -> list[dict[str, Value]]:
    """Return the place of each name, and of the leader to it where it stands apart, in data units.

    A name for which there is no room has none.
    """
    (left, right), (low, high) = ranges
    x_unit, y_unit = (right - left) / _WIDTH, (high - low) / _HEIGHT

    def pixels(row: Row, x_key: str, y_key: str) -> tuple[float, float]:
        x, y = number(row, x_key), number(row, y_key)
        return ((x or 0.0) - left) / x_unit, (high - (y or 0.0)) / y_unit

    x_key, y_key = keys
    points = [pixels(row, x_key, y_key) for row in rows]
    obstacles = []
    for row, (x, y) in zip(rows, points, strict=True):
        if None not in (row.get(f"{y_key}_low"), row.get(f"{y_key}_high")):
            _, bottom = pixels(row, x_key, f"{y_key}_low")
            _, top = pixels(row, x_key, f"{y_key}_high")
            obstacles.append(Box(x - 1, top, x + 1, bottom))
        if None not in (row.get(f"{x_key}_low"), row.get(f"{x_key}_high")):
            start, _ = pixels(row, f"{x_key}_low", y_key)
            end, _ = pixels(row, f"{x_key}_high", y_key)
            obstacles.append(Box(start, y - 1, end, y + 1))
    names = [str(row["system"]) for row in rows]
    places: list[dict[str, Value]] = []
    boxes = place_labels(points, names, _WIDTH, _HEIGHT, obstacles=obstacles)
    for (x, y), box in zip(points, boxes, strict=True):
        places.append({})
        if box is None:
            continue
        places[-1]["label_x"] = left + box.left * x_unit
        places[-1]["label_y"] = high - (box.top + LABEL_HEIGHT / 2) * y_unit
        near_x, near_y = min(max(x, box.left), box.right), min(max(y, box.top), box.bottom)
        if abs(near_x - x) + abs(near_y - y) > 12:
            places[-1]["leader_x"] = left + near_x * x_unit
            places[-1]["leader_y"] = high - near_y * y_unit
    return places


def _names() -> list[Layer]:
    """Return leaders, and the names at the places found for them."""
    leader = {"x2": {"field": "leader_x"}, "y2": {"field": "leader_y"}}
    place = {
        "x": {"field": "label_x", "type": "quantitative"},
        "y": {"field": "label_y", "type": "quantitative"},
    }
    label = {"style": "label", "align": "left", "baseline": "middle"}
    return [
        layer({"type": "rule", "style": "leader"}, leader, known("leader_x")),
        text("system", label, known("label_x"), **place),
    ]

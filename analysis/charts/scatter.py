"""Scatter plots of systems, each point with its name."""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from analysis.charts.axes import categories, exactly, number_axis, padded, tooltip
from analysis.charts.chart import Chart, Column, Value, counted, in_order
from analysis.charts.drawing import Titles, draw, highest, in_words, nothing_to_draw
from analysis.charts.labels import LABEL_HEIGHT, Box, along, place_labels
from analysis.charts.layers import Layer, intervals, known, labels, layer, where
from analysis.charts.table import Row, Table, count, defined, interval, number, numbers, texts
from analysis.charts.theme import SHAPES

Range = tuple[float, float]

_WIDTH, _HEIGHT = 380, 340
_KEY_ROW = 20
"""Pixels of a line of the key, which lies inside the plot, at its top."""
_POINT = {"type": "point", "filled": True, "size": 64, "opacity": 1}


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
    titles.setdefault("name", "system-scatter")
    titles["subtitle"] = correlation
    names = texts(system="System", group="Group")
    human = numbers(human="Human mean", human_low="Human low", human_high="Human high")
    metric = numbers(metric="Metric mean", metric_low="Metric low", metric_high="Metric high")
    columns = (*names, *human, *metric, count())
    table, plotted = Table(columns, rows), Table(columns, _with_both(rows, "human", "metric"))
    if not plotted.rows:
        why = "There is no system with both a human and a metric score."
        return nothing_to_draw(table, titles, why)
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
    places = _places_of_names(plotted.rows, ("metric", "human"), (x_range, y_range))
    groups = plotted.names("group")
    fields = tooltip(
        *(names[0], human[0], *texts(human_interval="Human interval")),
        *(metric[0], *texts(metric_interval="Metric interval"), count()),
    )
    styles = _styles("group", groups) if len(groups) > 1 else {}
    hidden = sum(not place for place in places)
    text = _describe_scatter(table, plotted, hidden, f"{human_label} against {metric_label}")
    return draw(
        table,
        titles,
        description=f"{text} {correlation.rstrip('.')}.",
        title_width=_WIDTH + 60,
        width=_WIDTH,
        height=_HEIGHT,
        data={"values": [datum | place for datum, place in zip(values, places, strict=True)]},
        encoding={
            "x": number_axis("metric", metric_label, exactly(x_range)),
            "y": number_axis("human", human_label, exactly(y_range)),
        }
        | table.links(),
        layer=[
            intervals("y", {"type": "quantitative"}, "human_low", "human_high", "cross-interval"),
            intervals("x", {"type": "quantitative"}, "metric_low", "metric_high", "cross-interval"),
            _points(styles, fields),
            *_names(),
        ],
    )


def _describe_scatter(table: Table, plotted: Table, hidden: int, text: str) -> str:
    text += f" for {counted(len(plotted.rows), 'system')}"
    if missing := len(table.rows) - len(plotted.rows):
        text += f"; {missing} without both scores, listed in the table only"
    if hidden:
        text += f"; {counted(hidden, 'name')} left out where there is no room"
    mean, best = highest(defined(plotted.rows, "human"))
    return f"{text}; human raters rate {best['system']} highest ({in_words(mean)})."


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
        `system`, its means `x` and `y` with `x_low`, `x_high`, `y_low` and `y_high`, and `model`:
        settings of one model are joined in the order given. A system without one of the means is
        in the table only.
    x_label, y_label : str
        Titles of the axes; higher is better on both.
    """
    titles.setdefault("name", "trade-off")
    names, front = texts(system="System", model="Model"), texts(on_front="On the front")
    means_of = numbers(x="First mean", x_low="First low", x_high="First high")
    means_of += numbers(y="Second mean", y_low="Second low", y_high="Second high")
    columns = (*names, *means_of, *front)
    both = _with_both(rows, "x", "y")
    means = [(number(row, "x") or 0.0, number(row, "y") or 0.0) for row in both]
    best = [
        row["system"] for row, is_best in zip(both, pareto_front(means), strict=True) if is_best
    ]
    marked = [{**row, "on_front": "yes" if row["system"] in best else "no"} for row in rows]
    table, plotted = Table(columns, marked), Table(columns, _with_both(marked, "x", "y"))
    if not both:
        why = "There is no system with both means."
        return nothing_to_draw(table, titles, why)
    models = in_order(str(row.get("model") or row["system"]) for row in plotted.rows)
    keyed = models if 1 < len(models) <= len(SHAPES) else []
    key = _KEY_ROW * -(-len(keyed) // 2)
    x_range = padded(plotted.numbers("x", "x_low", "x_high"))
    low, high = padded(plotted.numbers("y", "y_low", "y_high"))
    y_range = (low, high + (high - low) * key / (_HEIGHT - key))
    places = _places_of_names(
        plotted.rows, ("x", "y"), (x_range, y_range), key=key, joined=_joined(plotted.rows)
    )
    text = f"{y_label} against {x_label} for {counted(len(both), 'system')}; ringed, because no "
    text += f"other is as high on both: {', '.join(map(str, best))}"
    if missing := len(rows) - len(both):
        text += f"; {missing} undefined on a side, in the table only"
    return draw(
        table,
        titles,
        description=f"{text}.",
        title_width=_WIDTH + 60,
        width=_WIDTH,
        height=_HEIGHT,
        data={
            "values": [
                datum | place | {"model": datum["model"] or datum["system"], "order": order}
                for order, (datum, place) in enumerate(zip(plotted.data(), places, strict=True))
            ]
        },
        encoding={
            "x": number_axis("x", x_label, exactly(x_range)),
            "y": number_axis("y", y_label, exactly(y_range)),
        },
        layer=_trade_off_layers(keyed, plotted, names[0]),
    )


def _joined(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Return the places of rows between which a line runs."""
    last: dict[Value, int] = {}
    pairs = []
    for place, row in enumerate(rows):
        if (model := row.get("model")) and model in last:
            pairs.append((last[model], place))
        last[model] = place
    return pairs


def _trade_off_layers(models: Sequence[str], table: Table, system: Column) -> list[Layer]:
    inside = {"orient": "top-left", "direction": "horizontal", "columns": 2, "offset": 4}
    limit = {"labelLimit": _WIDTH // 2 - 40, "columnPadding": 16}
    styles = _styles("model", models, **inside, **limit) if models else {}
    line = {"type": "line", "strokeWidth": 1.2} | ({} if styles else {"style": "zero"})
    joined = {
        "detail": {"field": "model", "type": "nominal"},
        "order": {"field": "order", "type": "quantitative"},
    }
    fields = tooltip(
        *(system, *numbers(x="Horizontal", y="Vertical")), *texts(on_front="On the front")
    )
    ring = {"type": "point", "style": "front", "size": 170, "filled": False, "opacity": 1}
    return [
        intervals("y", {"type": "quantitative"}, "y_low", "y_high", "cross-interval"),
        intervals("x", {"type": "quantitative"}, "x_low", "x_high", "cross-interval"),
        layer(line, joined | {key: styles[key] for key in ("color",) if styles}),
        _points(styles, fields, **table.links()),
        layer(ring, {}, where("on_front", "yes")),
        *_names(),
    ]


def _with_both(rows: Sequence[Row], first: str, second: str) -> list[Row]:
    return [row for row in rows if None not in (number(row, first), number(row, second))]


def _styles(field: str, names: Sequence[str], **legend: Any) -> dict[str, Any]:
    channels = categories(field, names, {"orient": "bottom", "title": None} | legend)
    return {channel: channels[channel] for channel in ("color", "shape")}


def _points(styles: Mapping[str, Any], fields: list[dict[str, str]], **encoding: Any) -> Layer:
    mark = _POINT if styles else _POINT | {"style": "dot"}
    return layer(mark, {"tooltip": fields} | dict(styles) | encoding)


def _places_of_names(
    rows: Sequence[Row],
    keys: tuple[str, str],
    ranges: tuple[Range, Range],
    *,
    key: int = 0,
    joined: Sequence[tuple[int, int]] = (),
) -> list[dict[str, Value]]:
    """Return the place of each name, and of the leader to it where it stands apart, in data units.

    A name for which there is no room has none. Names keep clear of the `key` pixels at the top and
    of the lines between rows that are `joined`.
    """
    (left, right), (low, high) = ranges
    x_unit, y_unit = (right - left) / _WIDTH, (high - low) / _HEIGHT

    def pixels(row: Row, x_key: str, y_key: str) -> tuple[float, float]:
        x, y = number(row, x_key), number(row, y_key)
        return ((x or 0.0) - left) / x_unit, (high - (y or 0.0)) / y_unit

    x_key, y_key = keys
    points = [pixels(row, x_key, y_key) for row in rows]
    obstacles = [Box(0, 0, _WIDTH, key)] if key else []
    for one, other in joined:
        obstacles += along(points[one], points[other])
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
        labels("system", label, known("label_x"), **place),
    ]

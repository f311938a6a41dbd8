"""Scatter plots of systems, each point with its name."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any, Unpack

from analysis.charts.axes import categories, exactly, number_axis, padded, tooltip
from analysis.charts.chart import Chart, Column, Value, counted, in_order
from analysis.charts.drawing import Titles, draw, in_words
from analysis.charts.labels import LABEL_HEIGHT, Box, along, place_labels
from analysis.charts.layers import Layer, intervals, known, labels, layer, where
from analysis.charts.table import Row, Table, count, defined, interval, number, numbers, texts
from analysis.charts.theme import SHAPES

_WIDTH, _HEIGHT = 380, 340
_KEY_ROW = 20
"""Pixels of a line of the key, which lies inside the plot, at its top."""
_POINT = {"type": "point", "filled": True, "size": 64, "opacity": 1}
_INSIDE = {"orient": "top-left", "direction": "horizontal", "columns": 2, "offset": 4}
_INSIDE |= {"labelLimit": _WIDTH // 2 - 40, "columnPadding": 16}


def system_scatter(
    rows: Sequence[Row], *, human_label: str, metric_label: str, **titles: Unpack[Titles]
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
    **titles
        The subtitle has the correlation in words, such as
        ``r = 0.967, 95 % CI [0.82, 0.99], n = 8 systems`` or ``r undefined, because …``.
    """
    correlation = titles.get("subtitle", "")
    names = texts(system="System", group="Group")
    human = numbers(human="Human mean", human_low="Human low", human_high="Human high")
    metric = numbers(metric="Metric mean", metric_low="Metric low", metric_high="Metric high")
    nothing = "There is no system with both a human and a metric score."
    table = Table((*names, *human, *metric, count()), rows, nothing=nothing)
    plotted = _with_both(table, "metric", "human")
    text = f"{human_label} against {metric_label} for {counted(len(plotted.rows), 'system')}"
    if known_means := defined(plotted.rows, "human"):
        mean, best = max(known_means, key=itemgetter(0))
        text += f"; human raters rate {best['system']} highest ({in_words(mean)})"
    fields = (names[0], human[0], *texts(human_interval="Human interval"))
    fields += (metric[0], *texts(metric_interval="Metric interval"), count())
    return _draw_points(
        table,
        titles,
        "system-scatter",
        plotted,
        {"metric": metric_label, "human": human_label},
        text=text,
        end=f" {correlation.rstrip('.')}.",
        styles=_styles("group", plotted.names("group"), orient="bottom"),
        fields=fields,
    )


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
    names, front = texts(system="System", model="Model"), texts(on_front="On the front")
    means_of = numbers(x="First mean", x_low="First low", x_high="First high")
    means_of += numbers(y="Second mean", y_low="Second low", y_high="Second high")
    both = _with_both(Table((*names, *means_of), rows), "x", "y").rows
    means = [(number(row, "x") or 0.0, number(row, "y") or 0.0) for row in both]
    best = [
        row["system"] for row, is_best in zip(both, pareto_front(means), strict=True) if is_best
    ]
    marked = [{**row, "on_front": "yes" if row["system"] in best else "no"} for row in rows]
    nothing = "There is no system with both means."
    table = Table((*names, *means_of, *front), marked, nothing=nothing)
    plotted = _with_both(table, "x", "y")
    models = in_order(str(row.get("model") or row["system"]) for row in both)
    styles = _styles("model", models if len(models) <= len(SHAPES) else [], **_INSIDE)
    line = {"type": "line", "strokeWidth": 1.2} | ({} if styles else {"style": "zero"})
    joined = {
        "detail": {"field": "model", "type": "nominal"},
        "order": {"field": "order", "type": "quantitative"},
    } | {key: styles[key] for key in ("color",) if styles}
    ring = {"type": "point", "style": "front", "size": 170, "filled": False, "opacity": 1}
    text = f"{y_label} against {x_label} for {counted(len(both), 'system')}; ringed, because no "
    text += f"other is as high on both: {', '.join(map(str, best))}"
    return _draw_points(
        table,
        titles,
        "trade-off",
        plotted,
        {"x": x_label, "y": y_label},
        text=text,
        styles=styles,
        fields=(names[0], *numbers(x="Horizontal", y="Vertical"), *front),
        key=_KEY_ROW * -(-len(models) // 2) if styles else 0,
        below=[layer(line, joined)],
        above=[layer(ring, {}, where("on_front", "yes"))],
    )


def _with_both(table: Table, *keys: str) -> Table:
    """Return a table of the rows in which both numbers are defined."""
    rows = [row for row in table.rows if None not in [number(row, key) for key in keys]]
    return replace(table, rows=rows)


def _styles(field: str, names: Sequence[str], **legend: Any) -> dict[str, Any]:
    """Return colour and shape of each name with their key; none where there is one name."""
    channels = categories(field, names, {"title": None} | legend)
    return {key: channels[key] for key in ("color", "shape")} if len(names) > 1 else {}


def _draw_points(
    table: Table,
    titles: Titles,
    name: str,
    plotted: Table,
    axes: Mapping[str, str],
    *,
    text: str,
    styles: Mapping[str, Any],
    fields: Sequence[Column],
    end: str = "",
    key: int = 0,
    below: Sequence[Layer] = (),
    above: Sequence[Layer] = (),
) -> Chart:
    """Return a chart of systems as points with their names, by the numbers of two columns.

    Parameters
    ----------
    table, titles, name
        As of `draw`.
    plotted
        The rows of the table that have both numbers.
    axes
        Columns of the horizontal and the vertical axis, with their titles.
    text, end
        The description, and what follows on its sentence.
    styles
        Colour and shape of the points.
    fields
        What tooltips say.
    key
        Pixels at the top of the plot that a key takes.
    below, above
        Further marks.
    """
    x, y = axes
    x_range = padded(plotted.numbers(x, f"{x}_low", f"{x}_high"))
    low, high = padded(plotted.numbers(y, f"{y}_low", f"{y}_high"))
    y_range = (low, high + (high - low) * key / (_HEIGHT - key))
    places = _places_of_names(plotted.rows, {x: x_range, y: y_range}, key)
    if missing := len(table.rows) - len(plotted.rows):
        text += f"; {missing} undefined on a side, in the table only"
    if hidden := sum(not place for place in places):
        text += f"; {counted(hidden, 'name')} left out where there is no room"
    data = [
        datum
        | {
            f"{which}_interval": interval(datum, f"{which}_low", f"{which}_high") or "none"
            for which in axes
        }
        | {"model": datum.get("model") or datum["system"], "order": order}
        | place
        for order, (datum, place) in enumerate(zip(plotted.data(), places, strict=True))
    ]
    mark = _POINT if styles else _POINT | {"style": "dot"}
    number_of = {"type": "quantitative"}
    return draw(
        table,
        titles,
        name,
        description=f"{text}.{end}",
        width=_WIDTH,
        height=_HEIGHT,
        data={"values": data},
        encoding={
            "x": number_axis(x, axes[x], exactly(x_range)),
            "y": number_axis(y, axes[y], exactly(y_range)),
        },
        layer=[
            intervals("y", number_of, f"{y}_low", f"{y}_high", "cross-interval"),
            intervals("x", number_of, f"{x}_low", f"{x}_high", "cross-interval"),
            *below,
            layer(mark, {"tooltip": tooltip(*fields)} | dict(styles) | table.links()),
            *above,
            *_names(table.links()),
        ],
    )


def _places_of_names(
    rows: Sequence[Row], ranges: Mapping[str, tuple[float, float]], key: int
) -> list[dict[str, Value]]:
    """Return the place of each name, and of the leader to it where it stands apart, in data units.

    A name for which there is no room has none. Names keep clear of the `key` pixels at the top, of
    intervals, and of the lines between settings of one model.
    """
    (x_key, (left, right)), (y_key, (low, high)) = ranges.items()
    x_unit, y_unit = (right - left) / _WIDTH, (high - low) / _HEIGHT

    def pixels(row: Row, x: str = x_key, y: str = y_key) -> tuple[float, float]:
        across, up = number(row, x) or 0.0, number(row, y) or 0.0
        return (across - left) / x_unit, (high - up) / y_unit

    points = [pixels(row) for row in rows]
    obstacles = [Box(0, 0, _WIDTH, key)] if key else []
    last: dict[Value, tuple[float, float]] = {}
    for row, (x, y) in zip(rows, points, strict=True):
        if model := row.get("model"):
            obstacles += along(last[model], (x, y)) if model in last else []
            last[model] = (x, y)
        if None not in (row.get(f"{y_key}_low"), row.get(f"{y_key}_high")):
            bottom, top = (pixels(row, y=f"{y_key}_{end}")[1] for end in ("low", "high"))
            obstacles.append(Box(x - 1, top, x + 1, bottom))
        if None not in (row.get(f"{x_key}_low"), row.get(f"{x_key}_high")):
            start, stop = (pixels(row, x=f"{x_key}_{end}")[0] for end in ("low", "high"))
            obstacles.append(Box(start, y - 1, stop, y + 1))
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


def _names(links: Mapping[str, Any]) -> list[Layer]:
    """Return leaders, and the names at the places found for them."""
    leader = {"x2": {"field": "leader_x"}, "y2": {"field": "leader_y"}}
    place = {
        "x": {"field": "label_x", "type": "quantitative"},
        "y": {"field": "label_y", "type": "quantitative"},
    }
    label = {"style": "label", "align": "left", "baseline": "middle"}
    return [
        layer({"type": "rule", "style": "leader"}, leader, known("leader_x")),
        labels("system", label, known("label_x"), **place, **links),
    ]

"""Heat maps: metrics by aspects, and squares of everything compared with everything."""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from analysis.charts.axes import SHOWN, Channel, names_axis, tooltip
from analysis.charts.chart import Chart, Column, counted, format_number, sentence
from analysis.charts.drawing import Titles, described, draw, extremes, summary
from analysis.charts.layers import Layer, colored_cells, known, labels, layer, unknown
from analysis.charts.table import (
    Row,
    Table,
    compared,
    count,
    defined,
    measured,
    number,
    numbers,
    texts,
)

_NARROWEST, _WIDEST = 72, 180
_CHARACTER = 7.2
"""Width of a character of an aspect's name over its column, generously."""
_ENDS = {"values": [-1, 0, 1]}
_MOST_CORRELATIONS, _MOST_DIFFERENCES = 16, 12
"""Rows of a square up to which the numbers are written into the cells."""


def heat_map(
    rows: Sequence[Row],
    *,
    statistic: str,
    rows_are: str = "metric",
    columns_are: str = "aspect",
    **titles: Unpack[Titles],
) -> Chart:
    """Draw metrics (rows) against aspects (columns), one number in each cell.

    Rows and columns keep the order of the input. Colours run from -1 to 1; undefined cells are
    grey with a dashed border and an en dash.

    Parameters
    ----------
    rows : sequence of Row
        `metric`, `compared_to`, `aspect` and `value` with `low`, `high`, `n` and `reason`.
    statistic : str
        Name of the number in the cells, such as ``Pearson r``.
    rows_are, columns_are : str
        What a row and a column stand for, in the singular.

    Raises
    ------
    ValueError
        If a number is NaN or infinite, or a cell comes twice.
    """
    row, column = sentence(rows_are), sentence(columns_are)
    columns = (*texts(metric=row, compared_to="Compared to", aspect=column), *measured())
    cells = [{**each, "row": compared(each)} for each in rows]
    table = Table(columns, cells, ("row",), nothing="There is no correlation to show.")
    if len({(each["row"], each["aspect"]) for each in table.rows}) < len(rows):
        raise ValueError("a metric, compared-to and aspect come twice in one heat map")
    names, aspects = table.names("row"), table.names("aspect")
    longest = max(map(len, aspects), default=0)
    width = int(min(_WIDEST, max(_NARROWEST, 8 + _CHARACTER * longest)))
    upright = {"orient": "top", "labelAngle": 0, "labelPadding": 6, "labelLimit": width - 4}
    return _draw_cells(
        table,
        _saying(statistic, titles),
        "heat-map",
        table.data(),
        description=summary(statistic, table, "row", "aspect", things=rows_are),
        size=(width, 24),
        axes=(names_axis("aspect", aspects, **upright), names_axis("row", names)),
        fields=(*texts(row=row, aspect=column), *SHOWN),
        layer=[
            *colored_cells("value", 1),
            *_numbers({}),
            labels("cell", {"style": "cell-undefined-value"}, unknown("value")),
        ],
    )


def _saying(statistic: str, titles: Titles) -> Titles:
    """Return titles that say what the numbers in the cells are."""
    subtitle = titles.get("subtitle", "")
    if statistic not in f"{titles['title']} {subtitle}":
        titles["subtitle"] = " · ".join(filter(None, (subtitle, statistic)))
    return titles


def metric_matrix(
    rows: Sequence[Row],
    order: Sequence[str],
    *,
    statistic: str,
    things: str = "metrics",
    **titles: Unpack[Titles],
) -> Chart:
    """Draw a square of correlations; its table holds each pair once.

    Parameters
    ----------
    rows : sequence of Row
        `first`, `second`, `value` and `n`: each unordered pair once, and each with itself.
    order : sequence of str
        What is compared, in the order of rows and columns.
    statistic : str
        Name of the number in the cells.
    things : str
        What is compared, in the plural.
    """
    columns = (*_two_of(things), *numbers(value="Value"), count())
    pairs = [row for row in rows if row["first"] != row["second"]]
    table = Table(columns, pairs, nothing=f"There are no two {things} to compare.")
    description = f"{statistic} between {counted(len(order), things[:-1])}"
    description += extremes(defined(table.rows), ("first", "second"))
    with_numbers = len(order) <= _MOST_CORRELATIONS
    return _draw_cells(
        table,
        _saying(statistic, titles) if with_numbers else titles,
        "metric-matrix",
        _both_ways(Table(columns, rows if pairs else ()).data(), table.data()),
        description=described(description, table),
        size=(37, 37) if with_numbers else (18, 18),
        axes=_square(order),
        fields=(*texts(row="Row", column="Column", shown="Value"), count()),
        layer=[
            *colored_cells("value", 1, None if with_numbers else _ENDS | {"title": statistic}),
            *(_numbers({}) if with_numbers else ()),
        ],
    )


def difference_matrix(
    rows: Sequence[Row],
    order: Sequence[str],
    *,
    statistic: str,
    things: str,
    **titles: Unpack[Titles],
) -> Chart:
    """Draw each row less each column; triangles mark the differences that were detected.

    A triangle points up where the row is higher and down where it is lower, so that the picture
    reads without its colours.

    Parameters
    ----------
    rows : sequence of Row
        `first`, `second`, `value` (first less second), its adjusted `p_value`, and `detected`
        where a test found it; `reason` where it is undefined. Each unordered pair once; `link`
        leads to the first and `other_link` to the second.
    order : sequence of str
        What is compared, best first.
    statistic : str
        Name of the number in the cells.
    things : str
        What is compared, in the plural: "metrics" or "systems".
    """
    p_value = Column("p_value", "Adjusted p", "number", decimals=4)
    columns = (*_two_of(things), *numbers(value="Difference"), p_value, *texts(detected="Detected"))
    nothing = f"There are no two {things} to compare."
    table = Table(columns, rows, ("reason", "other_link"), nothing=nothing)
    description = f"{statistic} of {counted(len(order), things[:-1])}, each row less each column"
    if known_pairs := defined(rows):
        found = sum(bool(row.get("detected")) for _, row in known_pairs)
        pairs = counted(len(known_pairs), "pair")
        description += f"; a difference was detected for {found} of {pairs}"
    with_numbers = len(order) <= _MOST_DIFFERENCES
    largest = max(map(abs, table.numbers("value")), default=0.0) or 1.0
    fields = texts(row="Row", column="less column", shown="Difference", p="Adjusted p")
    said = "each row less each column; detected: ▲ the row is higher, ▼ lower"
    titles["subtitle"] = "; ".join(filter(None, (titles.get("subtitle"), said)))
    legend = None if with_numbers else {"title": "Row less column"}
    return _draw_cells(
        table,
        titles,
        "differences",
        _both_ways(*(_differences(table, sign) for sign in (1, -1))),
        description=described(description, table),
        size=(46, 46) if with_numbers else (20, 20),
        axes=_square(order),
        fields=fields + texts(found="Difference detected"),
        layer=[
            *colored_cells("value", largest, legend),
            _triangles(yOffset=12 if with_numbers else 0),
            *(_numbers({"yOffset": -4}) if with_numbers else ()),
        ],
    )


def _differences(table: Table, sign: int) -> list[Row]:
    """Return the differences as seen from the first (1) or from the second (-1)."""
    data: list[Row] = []
    for row in table.data():
        value = number(row, "value")
        seen = None if value is None else sign * value
        up = "higher" if seen is not None and seen > 0 else "lower"
        data.append(
            row
            | {"value": seen, "p": format_number(number(row, "p_value"), 4)}
            | {"shown": row["shown"] if seen is None else format_number(seen)}
            | {"found": up if row["detected"] else "no"}
            | ({} if sign == 1 else {"link": row["other_link"]})
        )
    return data


def _triangles(**mark: Any) -> Layer:
    shapes = {"higher": "triangle-up", "lower": "triangle-down"}
    scale = {"domain": [*shapes], "range": [*shapes.values()]}
    shape = {"field": "found", "type": "nominal", "scale": scale, "legend": None}
    triangle = {"type": "point", "style": "cell-mark", "filled": True, "size": 36} | mark
    return layer(triangle, {"shape": shape}, {"filter": {"field": "found", "oneOf": [*shapes]}})


def _two_of(things: str) -> tuple[Column, ...]:
    return texts(first=sentence(things[:-1]), second=f"Other {things[:-1]}")


def _both_ways(seen: Sequence[Row], from_others: Sequence[Row]) -> list[Row]:
    """Return pairs as seen from their first and from their second, by `row` and `column`."""
    return [
        *({**pair, "row": pair["first"], "column": pair["second"]} for pair in seen),
        *({**pair, "row": pair["second"], "column": pair["first"]} for pair in from_others),
    ]


def _square(order: Sequence[str]) -> tuple[Channel, Channel]:
    """Return the axes of a square with the same names on both sides."""
    axis = {"labelPadding": 6, "labelLimit": 220}
    across = names_axis("column", order, orient="top", labelAngle=-60, **axis)
    return across, names_axis("row", order, **axis)


def _numbers(mark: Mapping[str, Any]) -> list[Layer]:
    return [labels("cell", {"style": "cell-value", **mark}, known("value"))]


def _draw_cells(
    table: Table,
    titles: Titles,
    name: str,
    data: Sequence[Row],
    *,
    size: tuple[int, int],
    axes: tuple[Channel, Channel],
    fields: Sequence[Column],
    **around: Any,
) -> Chart:
    """Return a chart of cells of some pixels, each with its number as `cell`."""
    width, height = size
    across, down = axes
    return draw(
        table,
        titles,
        name,
        data={"values": [{**row, "cell": format_number(number(row, "value"), 2)} for row in data]},
        width={"step": width},
        height={"step": height},
        encoding={"x": across, "y": down, "tooltip": tooltip(*fields)} | table.links(),
        **around,
    )

"""Heat maps: metrics by aspects, and squares of everything compared with everything."""

from collections.abc import Sequence
from typing import Any, Unpack

from analysis.charts.axes import SHOWN, names_axis, tooltip
from analysis.charts.chart import Chart, Column, Value, counted, format_number, sentence
from analysis.charts.drawing import (
    Titles,
    described,
    draw,
    highest,
    lowest,
    lowest_and_highest,
    nothing_to_draw,
)
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
    titles.setdefault("name", "heat-map")
    row, column = sentence(rows_are), sentence(columns_are)
    columns = (*texts(metric=row, compared_to="Compared to", aspect=column), *measured())
    table = Table(columns, [{**each, "row": compared(each)} for each in rows], flags=("row",))
    if not rows:
        return nothing_to_draw(table, titles, "There is no correlation to show.")
    if len({(each["row"], each["aspect"]) for each in table.rows}) < len(rows):
        raise ValueError("a metric, compared-to and aspect come twice in one heat map")
    names, aspects = table.names("row"), table.names("aspect")
    description = f"{statistic} of {counted(len(names), rows_are)} with "
    description += counted(len(aspects), columns_are)
    description += lowest_and_highest(defined(table.rows), "row", "aspect")
    _say(statistic, titles)
    width = int(min(_WIDEST, max(_NARROWEST, 8 + _CHARACTER * max(map(len, aspects)))))
    upright = {"orient": "top", "labelAngle": 0, "labelPadding": 6, "labelLimit": width - 4}
    return draw(
        table,
        titles,
        description=described(description, table),
        title_width=180 + width * len(aspects),
        width={"step": width},
        height={"step": 24},
        data={"values": [_with_cell(datum) for datum in table.data()]},
        encoding={
            "x": names_axis("aspect", aspects, **upright),
            "y": names_axis("row", names),
            "tooltip": tooltip(*texts(row=row, aspect=column), *SHOWN),
        }
        | table.links(),
        layer=[
            *colored_cells("value", 1),
            labels("cell", {"style": "cell-value"}, known("value")),
            labels("cell", {"style": "cell-undefined-value"}, unknown("value")),
        ],
    )


def _say(statistic: str, titles: Titles) -> None:
    """Say in the subtitle what the numbers in the cells are, where the titles do not."""
    subtitle = titles.get("subtitle", "")
    if statistic not in f"{titles['title']} {subtitle}":
        titles["subtitle"] = " · ".join(filter(None, (subtitle, statistic)))


def _with_cell(row: Row) -> dict[str, Value]:
    return {**row, "cell": format_number(number(row, "value"), 2)}


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
    titles.setdefault("name", "metric-matrix")
    columns = (*_two_of(things), *numbers(value="Value"), count())
    pairs = Table(columns, [row for row in rows if row["first"] != row["second"]])
    if not pairs.rows:
        return nothing_to_draw(pairs, titles, f"There are no two {things} to compare.")
    whole = Table(columns, rows)
    description = f"{statistic} between {counted(len(order), things[:-1])}"
    if known_pairs := defined(pairs.rows):
        most, least = (
            f"{row['first']} and {row['second']} ({format_number(value)})"
            for value, row in (highest(known_pairs), lowest(known_pairs))
        )
        description += f"; most alike {most}, least {least}"
    with_numbers = len(order) <= _MOST_CORRELATIONS
    step = 37 if with_numbers else 18
    if with_numbers:
        _say(statistic, titles)
    return draw(
        pairs,
        titles,
        description=described(description, pairs),
        title_width=220 + step * len(order),
        data={"values": _both_ways(whole.data(), pairs.data())},
        **_square(
            order,
            step,
            tooltip(*texts(row="Row", column="Column", shown="Value"), count()),
            whole.links(),
        ),
        layer=[
            *colored_cells("value", 1, None if with_numbers else _ENDS | {"title": statistic}),
            *_numbers(with_numbers),
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
    titles.setdefault("name", "differences")
    p_value = Column("p_value", "Adjusted p", "number", decimals=4)
    columns = (*numbers(value="Difference"), p_value, *texts(detected="Detected"))
    table = Table((*_two_of(things), *columns), rows, flags=("reason", "other_link"))
    if not rows:
        return nothing_to_draw(table, titles, f"There are no two {things} to compare.")
    description = f"{statistic} of {counted(len(order), things[:-1])}, each row less each column"
    if known_pairs := defined(rows):
        found = sum(bool(row.get("detected")) for _, row in known_pairs)
        pairs = counted(len(known_pairs), "pair")
        description += f"; a difference was detected for {found} of {pairs}"
    with_numbers = len(order) <= _MOST_DIFFERENCES
    step = 46 if with_numbers else 20
    largest = max(map(abs, table.numbers("value")), default=0.0) or 1.0
    fields = texts(row="Row", column="less column", shown="Difference", p="Adjusted p")
    fields += texts(found="Difference detected")
    said = "each row less each column; detected: ▲ the row is higher, ▼ lower"
    titles["subtitle"] = "; ".join(filter(None, (titles.get("subtitle"), said)))
    return draw(
        table,
        titles,
        description=described(description, table),
        title_width=240 + step * len(order),
        data={"values": _both_ways(*(_differences(table, sign) for sign in (1, -1)))},
        **_square(order, step, tooltip(*fields), table.links()),
        layer=[
            *colored_cells(
                "value", largest, None if with_numbers else {"title": "Row less column"}
            ),
            _triangles(yOffset=12 if with_numbers else 0),
            *_numbers(with_numbers, yOffset=-4),
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
    shape = {
        "field": "found",
        "type": "nominal",
        "scale": {"domain": ["higher", "lower"], "range": ["triangle-up", "triangle-down"]},
        "legend": None,
    }
    triangle = {"type": "point", "style": "cell-mark", "filled": True, "size": 36} | mark
    found = {"filter": {"field": "found", "oneOf": ["higher", "lower"]}}
    return layer(triangle, {"shape": shape}, found)


def _two_of(things: str) -> tuple[Column, ...]:
    return texts(first=sentence(things[:-1]), second=f"Other {things[:-1]}")


def _both_ways(rows: Sequence[Row], others: Sequence[Row]) -> list[dict[str, Value]]:
    """Return pairs as seen from the first and from the second, by `row` and `column`."""
    return [_with_cell(row) | {"row": row["first"], "column": row["second"]} for row in rows] + [
        _with_cell(row) | {"row": row["second"], "column": row["first"]} for row in others
    ]


def _square(
    order: Sequence[str], step: int, fields: list[dict[str, str]], links: dict[str, Any]
) -> dict[str, Any]:
    """Return the rows and columns of a square with the same names on both sides."""
    axis = {"labelPadding": 6, "labelLimit": 220}
    return {
        "width": {"step": step},
        "height": {"step": step},
        "encoding": {
            "x": names_axis("column", order, orient="top", labelAngle=-60, **axis),
            "y": names_axis("row", order, **axis),
            "tooltip": fields,
        }
        | links,
    }


def _numbers(with_numbers: bool, **mark: Any) -> list[Layer]:
    cell = {"style": "cell-value"} | mark
    return [labels("cell", cell, known("value"))] if with_numbers else []

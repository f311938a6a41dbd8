"""What a chart is: a Vega-Lite specification together with the table of the same numbers.

Names of systems, metrics and aspects come from imported files. Specifications hold them as data,
scale domains and titles only: Vega-Lite pastes sort orders and tooltip titles into expressions.
"""

import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

Value = str | int | float | None
Spec = dict[str, Any]
Item = TypeVar("Item")

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
UNDEFINED_MARK = "–"


@dataclass(frozen=True)
class Column:
    """One column of a chart's table; `decimals` says how a measured number is shown."""

    key: str
    label: str
    kind: Literal["text", "number", "count"] = "text"
    decimals: int = 3


@dataclass(frozen=True)
class Chart:
    """A Vega-Lite specification and the table that holds the same numbers.

    Attributes
    ----------
    name : str
        Short ASCII name, fit for file names and element ids.
    title : str
        One line; also the accessible name of the picture.
    description : str
        What is drawn and what stands out, for readers who do not see the picture.
    spec : dict
        Vega-Lite 6 specification without colours: see `analysis.charts.theme.themed`.
    columns : tuple of Column
        Columns of the table, in order.
    rows : tuple of tuple
        One tuple per table row, aligned with `columns`; None where a value is undefined.
    """

    name: str
    title: str
    description: str
    spec: Spec = field(hash=False)
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]

    def records(self) -> list[dict[str, Value]]:
        """Return the table as a list of dicts, unrounded, as CSV and JSON downloads want it."""
        keys = [column.key for column in self.columns]
        return [dict(zip(keys, row, strict=True)) for row in self.rows]


@dataclass(frozen=True)
class TableCell:
    """One cell of a chart's table, ready for a template."""

    text: str
    value: Value
    numeric: bool
    undefined: bool


def table_rows(chart: Chart) -> list[list[TableCell]]:
    """Return the table of a chart with every number rounded to its column's decimals.

    Parameters
    ----------
    chart : Chart
        Any chart of this package.

    Returns
    -------
    list of list of TableCell
        One list per row, aligned with ``chart.columns``. A missing value is shown as an en dash
        and marked undefined, never as 0 or as an empty cell.
    """
    return [
        [_cell(column, value) for column, value in zip(chart.columns, row, strict=True)]
        for row in chart.rows
    ]


def _cell(column: Column, value: Value) -> TableCell:
    numeric = column.kind != "text"
    if value is None:
        return TableCell(UNDEFINED_MARK, None, numeric, undefined=True)
    if column.kind == "number" and not isinstance(value, str):
        return TableCell(format_number(value, column.decimals), value, numeric, undefined=False)
    return TableCell(str(value), value, numeric, undefined=False)


def format_number(value: float | None, decimals: int = 3) -> str:
    """Return a number for readers: fixed decimals, a true minus sign, no negative zero.

    Examples
    --------
    >>> format_number(-0.12345), format_number(-0.0001, 2), format_number(None)
    ('−0.123', '0.00', '–')
    """
    if value is None:
        return UNDEFINED_MARK
    text = f"{value:.{decimals}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def format_interval(low: float | None, high: float | None, decimals: int = 3) -> str:
    """Return ``[low, high]`` for readers, or an empty string where there is no interval."""
    if low is None or high is None:
        return ""
    return f"[{format_number(low, decimals)}, {format_number(high, decimals)}]"


def require_finite(name: str, values: Iterable[float | None]) -> None:
    """Refuse NaN and infinity: what is undefined comes as None with its reason.

    Raises
    ------
    ValueError
        If one of the values is NaN or infinite.
    """
    for value in values:
        if value is not None and not math.isfinite(value):
            raise ValueError(f"{name}: {value} cannot be drawn; pass None and say why")


def in_order(items: Iterable[Item]) -> list[Item]:
    """Return the distinct items in order of first appearance."""
    return list(dict.fromkeys(items))


def table(columns: Sequence[Column], items: Iterable[object]) -> tuple[tuple[Value, ...], ...]:
    """Return one row per item, made of its attributes that the columns name."""
    return tuple(tuple(getattr(item, column.key) for column in columns) for item in items)


LINK = {"href": {"field": "link", "type": "nominal"}}
"""The encoding that makes marks links."""


def linked(items: Iterable[Any]) -> dict[str, Any]:
    """Return the encoding that makes marks links, if any item has a `link`."""
    return LINK if any(item.link for item in items) else {}


def counted(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun, such as ``1 system`` or ``8 systems``."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def sentence(text: str) -> str:
    """Return the text with its first letter in upper case, whatever it begins with."""
    return text[:1].upper() + text[1:]


def title_block(title: str, subtitle: str, width: int) -> dict[str, Any]:
    """Return a Vega-Lite title whose lines are broken to fit a picture of `width` pixels."""
    block: dict[str, Any] = {"text": textwrap.wrap(title, max(24, width // 8)) or [title]}
    if subtitle:
        block["subtitle"] = textwrap.wrap(subtitle, max(30, width // 6))
    return block


def nothing_to_draw(name: str, title: str, columns: Sequence[Column], why: str) -> Chart:
    """Return a chart that says in words why there is nothing in it."""
    spec: Spec = {
        "$schema": SCHEMA,
        "description": why,
        "title": title_block(title, "", 420),
        "width": 420,
        "height": 60,
        "view": {"stroke": None},
        "data": {"values": [{"text": why}]},
        "mark": {"type": "text", "style": "note"},
        "encoding": {"text": {"field": "text", "type": "nominal"}},
    }
    return Chart(name, title, why, spec, tuple(columns), ())

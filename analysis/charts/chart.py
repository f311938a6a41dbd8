"""What a chart is: a Vega-Lite specification together with the table of the same numbers.

Names of systems, metrics and aspects come from imported files. Specifications hold them as data,
scale domains and titles only: Vega-Lite pastes sort orders and tooltip titles into expressions.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

Value = str | int | float | None
Spec = dict[str, Any]
Item = TypeVar("Item")

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


def decimals_of(values: Iterable[float | None]) -> int:
    """Return how many decimals give means or scores of a column about three digits.

    Examples
    --------
    >>> decimals_of([82.573, 3.2]), decimals_of([4.2, None]), decimals_of([-0.31])
    (1, 2, 3)
    """
    most = max((abs(value) for value in values if value is not None), default=0.0)
    return 1 if most >= 10 else 2 if most > 1 else 3


def format_interval(low: float | None, high: float | None, decimals: int = 3) -> str:
    """Return ``[low, high]`` for readers, or an empty string where there is no interval."""
    if low is None or high is None:
        return ""
    return f"[{format_number(low, decimals)}, {format_number(high, decimals)}]"


def in_order(items: Iterable[Item]) -> list[Item]:
    """Return the distinct items in order of first appearance."""
    return list(dict.fromkeys(items))


def counted(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun, such as ``1 system``, ``8 systems`` or ``2 batches``."""
    plural = many or one + ("es" if one.endswith("ch") else "s")
    return f"{count} {one if count == 1 else plural}"


def sentence(text: str) -> str:
    """Return the text with its first letter in upper case, whatever it begins with."""
    return text[:1].upper() + text[1:]

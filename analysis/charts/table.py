"""The rows of a chart under the columns of its table."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.charts.chart import Column, Value, format_interval, format_number, in_order

Row = Mapping[str, Value]
"""One row: a value for each column by its key and, where its mark is a link, the `link`."""


def texts(**labels: str) -> tuple[Column, ...]:
    """Return columns of texts, by key, with their labels."""
    return tuple(Column(key, label) for key, label in labels.items())


def numbers(**labels: str) -> tuple[Column, ...]:
    """Return columns of numbers, by key, with their labels."""
    return tuple(Column(key, label, "number") for key, label in labels.items())


def count(key: str = "n", label: str = "n") -> Column:
    """Return a column of counts."""
    return Column(key, label, "count")


def measured(key: str = "value", label: str = "Value") -> tuple[Column, ...]:
    """Return the columns of a number that may be undefined, with its interval."""
    columns = numbers(**{key: label, "low": "Low", "high": "High"})
    return (*columns, count(), *texts(reason="Undefined because"))


@dataclass(frozen=True)
class Table:
    """Rows under their columns: what a chart plots, and what its table shows.

    Attributes
    ----------
    columns : tuple of Column
        In the order of the table.
    rows : sequence of Row
        A missing text is empty, a missing number undefined.
    flags : tuple of str
        Keys of rows that marks depend on and that are no column.
    key : str
        Of the column whose numbers are plotted.
    panel : str
        Of the column with a panel for each of its texts, if there are panels.
    nothing : str
        What is said where there is nothing to draw.

    Raises
    ------
    ValueError
        If a number is NaN or infinite, or a row has a value without a column.
    """

    columns: tuple[Column, ...]
    rows: Sequence[Row]
    flags: tuple[str, ...] = ()
    key: str = "value"
    panel: str = ""
    nothing: str = ""

    def __post_init__(self) -> None:
        known = {column.key for column in self.columns} | {"link", *self.flags}
        for row in self.rows:
            if strange := row.keys() - known:
                raise ValueError(f"{self._place(row)}: no column for {', '.join(sorted(strange))}")
            for key, value in row.items():
                if isinstance(value, float) and not math.isfinite(value):
                    raise ValueError(
                        f"{self._place(row)}: {key} is {value} and cannot be drawn; "
                        "pass None and say why"
                    )

    def _place(self, row: Row) -> str:
        texts = [column.key for column in self.columns if column.kind == "text"]
        return ", ".join(str(row[key]) for key in texts if row.get(key))

    def names(self, key: str) -> list[str]:
        """Return the distinct texts of a column in order of first appearance."""
        return in_order(str(row.get(key, "")) for row in self.rows)

    def numbers(self, *keys: str) -> list[float]:
        """Return the numbers of these columns that are defined."""
        found = (number(row, key) for key in keys for row in self.rows)
        return [value for value in found if value is not None]

    def data(self) -> list[dict[str, Value]]:
        """Return the rows for a specification.

        Each has all columns, its number and interval in words and the place of its panel.
        """
        panels = self.names(self.panel) if self.panel else []
        return [
            {column.key: cell(row, column) for column in self.columns}
            | {flag: row.get(flag, False) for flag in self.flags}
            | {"shown": shown(row, self.key), "interval": interval(row) or "none"}
            | ({"panel": panels.index(str(row.get(self.panel, "")))} if panels else {})
            | ({"link": row["link"]} if row.get("link") else {})
            for row in self.rows
        ]

    def links(self) -> dict[str, Any]:
        """Return the encoding that makes marks links, if any row has a `link`."""
        linked = any(row.get("link") for row in self.rows)
        return {"href": {"field": "link", "type": "nominal"}} if linked else {}


def number(row: Row, key: str) -> float | None:
    """Return a number of a row, None where undefined."""
    value = row.get(key)
    return value if isinstance(value, int | float) else None


def cell(row: Row, column: Column) -> Value:
    """Return what a row has in a column."""
    return row.get(column.key, "" if column.kind == "text" else None)


def shown(row: Row, key: str) -> str:
    """Return a number of a row in words, or why it is undefined."""
    value = number(row, key)
    if value is not None:
        return format_number(value)
    return f"undefined, because {row['reason']}" if row.get("reason") else "undefined"


def interval(row: Row, low: str = "low", high: str = "high") -> str:
    """Return an interval of a row in words; empty where there is none."""
    return format_interval(number(row, low), number(row, high))


def compared(row: Row) -> str:
    """Return a metric with what it compares outputs to."""
    return " · ".join(str(row[key]) for key in ("metric", "compared_to") if row.get(key))


def defined(rows: Iterable[Row], key: str = "value") -> list[tuple[float, Row]]:
    """Return the defined numbers of a column with their rows."""
    return [(value, row) for row in rows if (value := number(row, key)) is not None]

"""From rows and layers to a chart: what every specification has, and how it is described."""

import textwrap
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any, Required, TypedDict

from analysis.charts.chart import Chart, Spec, format_number, sentence
from analysis.charts.table import Row, Table, cell


def lowest(numbers: Iterable[tuple[float, Row]]) -> tuple[float, Row]:
    """Return the lowest of `defined` numbers with its row."""
    return min(numbers, key=itemgetter(0))


def highest(numbers: Iterable[tuple[float, Row]]) -> tuple[float, Row]:
    """Return the highest of `defined` numbers with its row."""
    return max(numbers, key=itemgetter(0))


def in_words(value: float | None) -> str:
    """Return a number for a sentence: from 10 on with one decimal.

    Examples
    --------
    >>> in_words(87.896), in_words(0.6874)
    ('87.9', '0.687')
    """
    return format_number(value, 1 if value is not None and abs(value) >= 10 else 3)


def lowest_and_highest(numbers: Sequence[tuple[float, Row]], *names: str) -> str:
    """Return the range of `defined` numbers in words, with the names of the rows at its ends.

    Of a single number there is no range: it is named alone.
    """
    if not numbers:
        return ""
    (low, worst), (high, best) = lowest(numbers), highest(numbers)
    if len(numbers) == 1:
        return f": {in_words(low)} ({_words(worst, names)})"
    return (
        f", from {in_words(low)} ({_words(worst, names)})"
        f" to {in_words(high)} ({_words(best, names)})"
    )


def _words(row: Row, names: Sequence[str]) -> str:
    values = [row.get(name, "") for name in names]
    return ", ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in values if v != "")


def described(text: str, table: Table, key: str = "value") -> str:
    """Return a sentence on a chart, with how many of its numbers are undefined."""
    missing = len(table.rows) - len(table.numbers(key))
    if missing == len(table.rows):
        return f"{text}; all of them undefined."
    return f"{text}; {missing} undefined." if missing else f"{text}."


SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"


class Titles(TypedDict, total=False):
    """What is written over a chart, and its name for files and element ids (ASCII).

    A chart without a name is given that of its kind.
    """

    title: Required[str]
    subtitle: str
    name: str


def draw(table: Table, titles: Titles, *, description: str, title_width: int, **spec: Any) -> Chart:
    """Return a chart of a table.

    Parameters
    ----------
    table : Table
    titles : Titles
    description : str
        What is plotted and what stands out.
    title_width : int
        Pixels into which the lines of titles are broken.
    **spec
        The rest of the specification.
    """
    title, description = titles["title"], sentence(description)
    block: dict[str, Any] = {"text": textwrap.wrap(title, max(24, title_width // 8)) or [title]}
    if subtitle := titles.get("subtitle"):
        block["subtitle"] = textwrap.wrap(subtitle, max(30, title_width // 6))
    whole: Spec = {"$schema": SCHEMA, "description": description, "title": block} | spec
    rows = tuple(tuple(cell(row, column) for column in table.columns) for row in table.rows)
    return Chart(titles["name"], title, description, whole, table.columns, rows)


def nothing_to_draw(table: Table, titles: Titles, why: str) -> Chart:
    """Return a chart that says in words why there is nothing in it."""
    return draw(
        table,
        {"title": titles["title"], "name": titles["name"]},
        description=why,
        title_width=420,
        width=420,
        height=60,
        view={"stroke": None},
        data={"values": [{"text": why}]},
        mark={"type": "text", "style": "note"},
        encoding={"text": {"field": "text", "type": "nominal"}},
    )

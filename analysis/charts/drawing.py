"""From rows and layers to a chart: what every specification has, and how it is described."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Required, TypedDict

from analysis.charts.axes import Channel, tooltip
from analysis.charts.chart import Chart, Column, Spec, counted, format_number, sentence
from analysis.charts.layers import Layer
from analysis.charts.size import size_without_title
from analysis.charts.table import Row, Table, cell, defined

MOST_DESCRIBED = 6
"""Panels of which the range of numbers is described."""
_NARROWEST_TITLE, _LETTER, _SMALL_LETTER = 420, 8, 6
"""Pixels of the lines of a title and its subtitle, and of a character of them."""
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"


def in_words(value: float | None) -> str:
    """Return a number for a sentence: from 10 on with one decimal.

    Examples
    --------
    >>> in_words(87.896), in_words(0.6874)
    ('87.9', '0.687')
    """
    return format_number(value, 1 if value is not None and abs(value) >= 10 else 3)


def summary(what: str, table: Table, *keys: str, things: str = "") -> str:
    """Say what is plotted: of how many, the lowest and the highest, and how many are undefined.

    Where there are several panels, each has a range of its own.

    Parameters
    ----------
    what : str
        Name of the numbers.
    table : Table
    *keys : str
        Columns of what the numbers are of; the first is counted.
    things : str
        What the first column holds, in the singular; without it, as it is labelled.
    """
    labels = {column.key: column.label.lower() for column in table.columns}
    text = f"{what} of {counted(len(table.names(keys[0])), things or labels[keys[0]])}"
    panel = table.panel
    groups = table.names(panel) if panel else []
    if len(groups) > 1:
        text += f" in {counted(len(groups), labels[panel])}"
        for group in groups[:MOST_DESCRIBED]:
            own = [row for row in table.rows if row.get(panel, "") == group]
            text += f"; {group}{extremes(defined(own, table.key), keys)}"
    else:
        text += extremes(defined(table.rows, table.key), (*keys, panel))
    return described(text, table)


def described(text: str, table: Table) -> str:
    """Return a sentence on a chart, with how many of its numbers are undefined."""
    missing = len(table.rows) - len(table.numbers(table.key))
    if missing == len(table.rows):
        return f"{text}; all of them undefined."
    return f"{text}; {missing} undefined." if missing else f"{text}."


def extremes(numbers: Sequence[tuple[float, Row]], names: Sequence[str]) -> str:
    """Return the range of `defined` numbers in words, with the names of the rows at its ends."""
    if not numbers:
        return ""
    ends = [end(numbers, key=itemgetter(0)) for end in (min, max)]
    low, high = (f"{in_words(value)} ({_words(row, names)})" for value, row in ends)
    return f": {low}" if len(numbers) == 1 else f", from {low} to {high}"


def _words(row: Row, names: Sequence[str]) -> str:
    values = [row.get(name, "") for name in names]
    return ", ".join(f"{v:g}" if isinstance(v, float) else str(v) for v in values if v != "")


class Titles(TypedDict, total=False):
    """What is written over a chart, and its name for files and element ids (ASCII).

    A chart without a name is given that of its kind.
    """

    title: Required[str]
    subtitle: str
    name: str


def draw(
    table: Table, titles: Titles, name: str, *, description: str, titled: bool = True, **spec: Any
) -> Chart:
    """Return a chart of a table; without data, one that says in words why there is nothing in it.

    Parameters
    ----------
    table : Table
    titles : Titles
    name : str
        Of this kind of chart.
    description : str
        What is plotted and what stands out.
    titled : bool
        Whether the picture has a title; its lines are broken at the width of the picture.
    **spec
        The rest of the specification.
    """
    title, subtitle = titles["title"], titles.get("subtitle", "")
    if table.nothing and not spec["data"]["values"]:
        description, subtitle, spec = table.nothing, "", _note(table.nothing)
    description = sentence(description)
    whole: Spec = {"$schema": SCHEMA, "description": description}
    if titled:
        width = max(_NARROWEST_TITLE, round(size_without_title(spec)[0]))
        whole["title"] = {"text": textwrap.wrap(title, width // _LETTER) or [title]}
        if subtitle:
            whole["title"]["subtitle"] = textwrap.wrap(subtitle, width // _SMALL_LETTER)
    rows = tuple(tuple(cell(row, column) for column in table.columns) for row in table.rows)
    return Chart(titles.get("name", name), title, description, whole | spec, table.columns, rows)


def draw_rows(
    table: Table,
    titles: Titles,
    name: str,
    *,
    y: Channel,
    fields: Iterable[Column],
    layer: Sequence[Layer],
    width: int,
    height: Mapping[str, Any] = MappingProxyType({"step": 20}),
    facet: Mapping[str, Any] = MappingProxyType({}),
    encoding: Mapping[str, Any] = MappingProxyType({}),
    data: Sequence[Row] | None = None,
    **around: Any,
) -> Chart:
    """Return a chart of rows of names, with marks along a number, in panels or without.

    Parameters
    ----------
    table, titles, name
        As of `draw`.
    y : dict
        Channel of the names.
    fields : iterable of Column
        What tooltips say.
    layer : sequence of dict
        The marks.
    width : int
        Pixels of a plot.
    height : mapping
        Of a row.
    facet : mapping
        The panels, see `axes.panels`.
    encoding : mapping
        Further channels.
    data : sequence of Row
        What is plotted, where it is more than the rows of the table.
    **around
        Further parts of the specification, and what `draw` takes.
    """
    view: Spec = {"width": width, "height": dict(height), "layer": list(layer)}
    view["encoding"] = {"y": y, "tooltip": tooltip(*fields)} | dict(encoding)
    own = {**facet, "spec": view} if facet else view
    around |= {"data": {"values": table.data() if data is None else list(data)}}
    return draw(table, titles, name, **around, **own)


def _note(text: str) -> dict[str, Any]:
    return {
        "width": 420,
        "height": 60,
        "view": {"stroke": None},
        "data": {"values": [{"text": text}]},
        "mark": {"type": "text", "style": "note"},
        "encoding": {"text": {"field": "text", "type": "nominal"}},
    }

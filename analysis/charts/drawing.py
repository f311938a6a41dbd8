"""From rows and layers to a chart: what every specification has."""

import textwrap
from typing import Any, Required, TypedDict

from analysis.charts.chart import Chart, Spec, sentence
from analysis.charts.table import Table, cell

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

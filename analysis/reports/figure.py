"""Figures of reports: a chart, its rows, and what is said below its title."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from analysis.charts.chart import Chart
from analysis.charts.table import Row
from analysis.result_values import joined
from analysis.stats.systems.distribution import Distribution

Said = str | Callable[[Sequence[Row]], str]
"""A part of a subtitle, or what makes it of the rows."""
Figure = tuple[str, Callable[[str], Chart]]
"""The name of a chart, and what draws it with a note on its data."""
_QUANTILES = ("low", "quarter", "median", "three_quarters", "high")


def figure(
    name: str,
    builder: Callable[..., Chart],
    rows: Callable[[], Iterable[Row]],
    *said: Said,
    **options: Any,
) -> Figure:
    """Return a figure of a report, which is drawn only when it is asked for.

    Parameters
    ----------
    name
        Of the chart.
    builder
        A function of `analysis.charts`.
    rows
        Makes the rows of the chart.
    *said
        Parts of the subtitle; empty ones are left out.
    **options
        Of the builder, the title among them.
    """

    def draw(note: str) -> Chart:
        found = list(rows())
        parts = (part if isinstance(part, str) else part(found) for part in said)
        return builder(found, name=name, subtitle=joined(note, *parts), **options)

    return name, draw


def system_label(name: str, human: bool) -> str:
    """Return the name of a system in a chart, which says what human writers wrote."""
    return f"{name} (human)" if human else name


def intervals(words: str) -> Said:
    """Return words about the intervals of rows, which are left out before there are any."""
    return lambda rows: words if any(row.get("low") is not None for row in rows) else ""


def box(name: str, row: Distribution, link: str = "") -> Row:
    """Return a distribution as a row of `analysis.charts.bars.score_distributions`."""
    quantiles = zip(_QUANTILES, row.quantiles[1:-1], strict=True)
    return {"group": name, "n": row.n, "mean": row.mean, "link": link, **dict(quantiles)}

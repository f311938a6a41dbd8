"""What a card of Findings shows: an answer, what carries it, and its pictures as drawn once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache as once
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from django.core.cache import caches

from analysis import charts
from analysis.charts.chart import Chart
from analysis.charts.small_dots import WIDTHS, small_dots
from analysis.charts.table import Row
from analysis.charts.theme import ThemeName, themed
from analysis.data.states import short_hash
from analysis.explorer.disagreement import Disagreements
from analysis.explorer.exploration import Exploration
from analysis.filter.question import Question
from analysis.reports.kind import Report
from analysis.result_values import result_values
from analysis.stats.results import Result
from analysis.stored_results import PICTURE, store_result, stored_result
from annotation.rating.differences import Run
from corpus.models import Study

Pictures = Mapping[str, Chart]
"""The same chart for each width of `WIDTHS`."""


class Source(Protocol):
    """Where a card has its numbers from, for one question."""

    @property
    def question(self) -> Question:
        """What was asked of all cards."""

    def report(self, kind: str, question: Question | None = None) -> Report[Any]:
        """Return a report on the question, or on another one."""

    def explore(self, asked: Exploration) -> Disagreements | None:
        """Return outputs on which a metric and human raters disagree."""


@dataclass(frozen=True)
class Example:
    """An output with what it was made from; words that differ are marked.

    `reference` is what the metric compared it with, where that was a reference.
    """

    segment: str
    system: str
    source: tuple[Run, ...]
    output: tuple[Run, ...]
    facts: str
    reference: str = ""


@dataclass(frozen=True, kw_only=True)
class Card:
    """The answer to one of the questions of a study.

    Parameters
    ----------
    lead, rest
        The answer; its beginning is set off.
    note
        A few words on what it rests on.
    pictures, example
        What carries it.
    aspect, aspects, metrics
        What it is about, and all aspects and metrics that it can be about.
    query
        What the report is asked to say the same.
    caution
        Why the answer is to be taken with care.
    pooled
        Sentences on measures that are pooled over several campaigns.
    missing
        Why there is no answer.
    """

    lead: str = ""
    rest: str = ""
    note: str = ""
    pictures: Pictures = field(default_factory=dict)
    example: Example | None = None
    aspect: str = ""
    aspects: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    query: Mapping[str, Sequence[str]] = field(default_factory=dict)
    caution: str = ""
    pooled: tuple[str, ...] = ()
    missing: str = ""

    @property
    def title(self) -> str:
        """The claim as a heading."""
        return self.lead.removesuffix(".")


Answer = Callable[[Source], Card]


def pictures(rows: Sequence[Row], **chart: Any) -> Pictures:
    """Return the small picture of some rows in each width."""
    return {name: small_dots(rows, width=width, **chart) for name, width in WIDTHS.items()}


def row(name: str, result: Result, *, behind: bool = False) -> Row:
    """Return a row of a small picture."""
    named: dict[str, Any] = {"name": name, "behind": behind}
    return named | result_values(result)


def drawn(study: Study, chart: Chart, theme: ThemeName) -> str:
    """Return the SVG of a chart: as it was drawn before, by any process, else drawn now.

    Drawings are stored with the results of the study, and so deleted with them.
    """
    shown = repr(themed(chart.spec, theme))
    signature = short_hash(chart.name, chart.title, chart.description, shown, _drawing_code())
    key = f"picture:{study.pk}:{signature}"
    if known := caches["local"].get(key):
        return str(known)
    stored = stored_result(study, "", signature)
    if not stored:
        # Nothing else on Findings needs the renderer.
        from analysis.charts.render import to_svg

        stored = store_result(study, "", signature, PICTURE, {"svg": to_svg(chart, theme)})
    svg: str = stored.content["svg"]
    caches["local"].set(key, svg, None)
    return svg


def signed(chart: Chart) -> str:
    """Name what a chart draws: its address changes with it, so that browsers may keep it."""
    return short_hash(repr(chart.spec))


@once
def _drawing_code() -> str:
    """Return the hash of what makes an SVG of a specification: code and renderer."""
    code = sorted(Path(charts.__file__).parent.glob("*.py"))
    return short_hash(
        version("vl-convert-python"), *(path.read_text(encoding="utf-8") for path in code)
    )

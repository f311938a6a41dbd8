"""The page that ranks systems by human scores."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from analysis.charts.bars import score_distributions
from analysis.charts.dots import system_means
from analysis.charts.scatter import trade_off
from analysis.charts.table import Row
from analysis.explorer.links import explorer_link
from analysis.filter.question import RATINGS, Question
from analysis.reports.figure import Figure, box, figure, system_label
from analysis.reports.kind import Report, ReportKind, whole_study
from analysis.reports.page_address import Address, Choices
from analysis.reports.ranking.report import (
    AspectRanking,
    RankedMean,
    RankingReport,
    RatedSystem,
    ranking_report,
)
from analysis.reports.summaries import (
    MOST_NAMED,
    Sentence,
    aspect_words,
    digits,
    listed,
    pointing,
    said,
)
from analysis.reports.table import Parts, Table
from analysis.result_values import axis_values, result_values
from analysis.tables.flat_table import RESULT_COLUMNS
from analysis.wording import aspect_heading


def ranking_sentences(content: RankingReport) -> Iterator[Sentence]:
    """Say whose mean rating is highest and lowest on each aspect, and where differences are tested.

    What people wrote is compared with the systems in a sentence of its own.
    """
    shown = [table for table in content.tables if len(_systems(table)) > 1]
    if not shown:
        return
    tables, aspects = shown[:MOST_NAMED], len(shown)
    highest = _of_each(tables, lambda table: _ranked(table, min))
    lowest = _of_each(tables, lambda table: _ranked(table, max))
    more = f" (the first {len(tables)} of {aspects} aspects)" if aspects > len(tables) else ""
    yield said(f"The highest mean rating is that of {highest}; the lowest, of {lowest}{more}.")
    above: dict[str, list[str]] = {}
    for table in tables:
        best = min(_rank(system.raw) for system in _systems(table))
        for system in table.systems:
            if system.human and system.raw.rank is not None and system.raw.rank < best:
                above.setdefault(system.system, []).append(aspect_words(table.aspect))
    if above:
        parts = [f"{name} on {listed(own)}" for name, own in above.items()]
        yield said(f"Human-written and rated above every system: {listed(parts[:MOST_NAMED])}.")
    yield pointing(
        "These are means without tests: whether one system is better than another is tested in the "
        "report ",
        "Systems",
        "system-comparison",
    )


def _systems(table: AspectRanking) -> list[RatedSystem]:
    """Return the systems that were rated, without what people wrote."""
    return [each for each in table.systems if each.raw.rank is not None and not each.human]


def _rank(mean: RankedMean) -> int:
    return mean.rank or 0


def _ranked(table: AspectRanking, end: Callable[..., int]) -> list[RatedSystem]:
    """Return the systems of the best or the worst rank: several, if their means are equal."""
    systems = _systems(table)
    place = end(_rank(system.raw) for system in systems)
    return [system for system in systems if system.raw.rank == place]


def _of_each(
    tables: Sequence[AspectRanking], chosen: Callable[[AspectRanking], Sequence[RatedSystem]]
) -> str:
    """Name the chosen of each aspect with their means, aspects of the same ones together."""
    found: dict[str, list[str]] = {}
    for table in tables:
        systems = chosen(table)
        value = digits(systems[0].raw.result.value or 0.0)
        names = listed([system.system for system in systems])
        found.setdefault(names, []).append(f"{aspect_words(table.aspect)} ({value})")
    return listed([f"{names} on {listed(on)}" for names, on in found.items()])


RINGED = "ringed: no other is as high on both; by means, not by tests"
COSTS = ("content", "fluency")
"""Families of aspects that a change of style costs, where they were rated."""


def ranking_figures(
    content: RankingReport, question: Question, choices: Choices
) -> Iterator[Figure]:
    """Yield the means of systems, trade-offs, and distributions."""
    scales = [(table.answers, table.scale) for table in content.tables]
    one_scale = all(scale == scales[0] for scale in scales)
    for kind, score in (("raw", "mean rating"), ("z", "mean z-score")):
        systems = [each for table in content.tables for each in table.systems]
        if any(getattr(each, kind).result.value is not None for each in systems):
            yield figure(
                f"system-means-{kind}",
                system_means,
                partial(_means, content, question.but(scores=kind)),
                "95 % intervals over outputs",
                title=f"Human scores of systems, {kind}",
                score=score,
                shared_axis=one_scale or kind == "z",
            )
    styles = [table for table in content.tables if table.family == "style"]
    others = [table for cost in COSTS for table in content.tables if table.family == cost]
    for number, table in enumerate(others if styles else (), 1):
        yield _trade_off(styles[0], table, question, f"trade-off-{number}")
    for number, table in enumerate(content.tables, 1):
        if any(system.distribution for system in table.systems):
            yield figure(
                f"human-distributions-{number}",
                score_distributions,
                partial(_distributions, table, question),
                title=f"Human scores of outputs, {table.aspect}",
                metric=f"mean rating of an output, {table.aspect}",
                things="System",
            )


def _means(content: RankingReport, question: Question) -> Iterator[Row]:
    for table in content.tables:
        for system in table.systems:
            asked = question.but(aspect=table.aspect)
            mean = system.z if question.scores == "z" else system.raw
            yield {
                "system": system_label(system.system, system.human),
                "aspect": table.aspect,
                "link": explorer_link(asked, systems=[system.system]),
                **result_values(mean.result, "mean"),
            }


def _trade_off(style: AspectRanking, other: AspectRanking, question: Question, name: str) -> Figure:
    """Return style against content, naturalness or fluency."""
    by_other = {entry.system: entry.raw.result for entry in other.systems}
    # A human-written system is as high as can be on both: beside it no other would be on the front.
    systems = [entry for entry in style.systems if not entry.human]

    def rows() -> Iterator[Row]:
        for each in sorted(systems, key=lambda entry: entry.ordinal):
            link = explorer_link(question.but(aspect=style.aspect), systems=[each.system])
            sides = axis_values("x", each.raw.result) | axis_values("y", by_other.get(each.system))
            yield {"system": each.system, "model": each.model, "link": link, **sides}

    return figure(
        name,
        trade_off,
        rows,
        RINGED,
        title=f"{aspect_heading(style.aspect)} against {other.aspect.replace('_', ' ')}",
        x_label=f"human mean, {style.aspect}",
        y_label=f"human mean, {other.aspect}",
    )


def _distributions(table: AspectRanking, question: Question) -> Iterator[Row]:
    asked = question.but(aspect=table.aspect)
    for system in table.systems:
        if system.distribution:
            link = explorer_link(asked, systems=[system.system])
            yield box(system_label(system.system, system.human), system.distribution, link)


_COLUMNS = ("aspect", "system", "human_written", "group", "scores", "rank")


def _rows_of_means(content: RankingReport) -> Iterator[Parts]:
    for table in content.tables:
        for system in table.systems:
            for kind, mean, asked in (("raw", system.raw, {}), ("z", system.z, {"scores": ["z"]})):
                own = {
                    "scores": kind,
                    "rank": mean.rank,
                    "conditions": {**system.conditions, **asked},
                }
                yield table, system, own, mean.result


TABLES: tuple[Table[Any], ...] = (
    Table(
        "ranking",
        "Mean human scores of systems, raw and z",
        "tables",
        (*_COLUMNS, *RESULT_COLUMNS, "conditions"),
        _rows_of_means,
        ("aspect", "system", "scores", "rank", "value", "low", "high", "n"),
    ),
)


def present(report: Report[RankingReport], address: Address) -> dict[str, Any]:
    """Return one table per aspect."""
    content = report.content
    return {
        "summary": ranking_sentences(content),
        "rankings": [
            {
                "aspect": table.aspect,
                "heading": aspect_heading(table.aspect),
                "note": table.note,
                "grouped": any(system.group for system in table.systems),
                "systems": table.systems,
            }
            for table in content.tables
        ],
        "rated": any(system.raw.rank for table in content.tables for system in table.systems),
    }


KIND = ReportKind(
    key="ranking",
    lays_out=lambda data: False,
    fields=("aspect", "direction", *RATINGS, "systems", "leave_out", "where", "ddof"),
    build=ranking_report,
    present=present,
    cost=lambda size: size.ratings * 2 * size.aspects,
    parts=whole_study,
    tables=TABLES,
    figures=ranking_figures,
    picture=("system-means-raw",),
    sections={
        "system-means-raw": "Systems with intervals",
        "system-means": "Systems with intervals, z-scores",
        "trade-off": "What style costs",
        "human-distributions": "How human scores spread",
    },
)

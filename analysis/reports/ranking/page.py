"""The page that ranks systems by human scores."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from analysis.charts.chart import Chart
from analysis.charts.dots import system_means
from analysis.charts.scatter import trade_off
from analysis.charts.table import Row
from analysis.charts.trade_off_shapes import trade_off_shapes
from analysis.explorer.links import explorer_link
from analysis.filter.question import RATINGS, Question
from analysis.reports.distribution_figures import human_distribution_figures
from analysis.reports.kind import Figures, Report, ReportKind, whole_study
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
from analysis.reports.table import Table
from analysis.result_values import axis_values, joined, result_values
from analysis.tables.flat_table import RESULT_COLUMNS, TableRow, as_json, result_cells
from analysis.wording import aspect_heading


def ranking_sentences(content: RankingReport) -> list[Sentence]:
    """Say whose mean rating is highest and lowest on each aspect, and where differences are tested.

    What people wrote is compared with the systems in a sentence of its own.
    """
    shown = [table for table in content.tables if len(_systems(table)) > 1]
    return list(_sentences(shown[:MOST_NAMED], len(shown))) if shown else []


def _sentences(tables: Sequence[AspectRanking], aspects: int) -> Iterator[Sentence]:
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
        yield said(f"Written by people and rated above every system: {listed(parts[:MOST_NAMED])}.")
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


def trade_off_figures(
    content: RankingReport, question: Question, note: str
) -> dict[str, Callable[[], Chart]]:
    """Return what draws style against content, naturalness and fluency, where they were rated."""
    made: dict[str, Callable[[], Chart]] = {}
    styles = [table for table in content.tables if table.family == "style"]
    for family in COSTS if styles else ():
        for table in content.tables:
            if table.family == family:
                name = f"trade-off-{len(made) + 1}"
                made[name] = partial(_trade_off, styles[0], table, question, name, note)
    return made | shapes_if(made, note)


def shapes_if(made: Mapping[str, object], note: str) -> dict[str, Callable[[], Chart]]:
    """Return what draws the aid for reading trade-offs, where there are some."""
    if not made:
        return {}
    draw = partial(
        trade_off_shapes,
        title="How extreme trade-offs look",
        x_label="strength of the target style",
        y_label="content, naturalness or fluency",
        subtitle=joined(note, "settings of one system on such a curve; no data"),
    )
    return {"trade-off-shapes": draw}


def _trade_off(
    style: AspectRanking, other: AspectRanking, question: Question, name: str, note: str
) -> Chart:
    results = [
        {entry.system: entry.raw.result for entry in table.systems} for table in (style, other)
    ]
    # A human-written system is as high as can be on both: beside it no other would be on the front.
    systems = [entry for entry in style.systems if not entry.human]
    settings = sorted(systems, key=lambda entry: entry.ordinal)
    return trade_off(
        [
            {
                "system": e.system,
                "model": e.model,
                **axis_values("x", results[0][e.system]),
                **axis_values("y", results[1].get(e.system)),
                "link": explorer_link(question.but(aspect=style.aspect), systems=[e.system]),
            }
            for e in settings
        ],
        title=f"{aspect_heading(style.aspect)} against {other.aspect.replace('_', ' ')}",
        x_label=f"human mean, {style.aspect}",
        y_label=f"human mean, {other.aspect}",
        subtitle=joined(note, RINGED),
        name=name,
    )


def ranking_figures(
    content: RankingReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the means of systems, trade-offs, and distributions."""
    made: dict[str, Callable[[], Chart]] = {}
    scales = [(table.answers, table.scale) for table in content.tables]
    one_scale = all(scale == scales[0] for scale in scales)
    for kind, score in (("raw", "mean rating"), ("z", "mean z-score")):
        rows = list(_means(content, question.but(scores=kind)))
        if any(row["mean"] is not None for row in rows):
            name = f"system-means-{kind}"
            made[name] = partial(
                system_means,
                rows,
                title=f"Human scores of systems, {kind}",
                score=score,
                subtitle=joined(note, "95 % intervals over outputs"),
                name=name,
                shared_axis=one_scale or kind == "z",
            )
    return (
        made
        | trade_off_figures(content, question, note)
        | human_distribution_figures(content, question, note)
    )


def _means(content: RankingReport, question: Question) -> Iterator[Row]:
    for table in content.tables:
        for system in table.systems:
            asked = question.but(aspect=table.aspect)
            link = explorer_link(asked, systems=[system.system])
            name = f"{system.system} (human)" if system.human else system.system
            mean = system.z if question.scores == "z" else system.raw
            values = result_values(mean.result, "mean")
            yield {"system": name, "aspect": table.aspect, "link": link} | values


_COLUMNS = ("aspect", "system", "human_written", "group", "scores", "rank")


def _rows_of_means(content: RankingReport) -> Iterator[TableRow]:
    for table in content.tables:
        for system in table.systems:
            described = (table.aspect, system.system, system.human, system.group)
            for kind, mean, asked in (("raw", system.raw, {}), ("z", system.z, {"scores": ["z"]})):
                conditions = as_json({**system.conditions, **asked})
                yield (*described, kind, mean.rank, *result_cells(mean.result), conditions)


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
    content=RankingReport,
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

"""The card on which metric can stand in for human raters: correlations below the noise ceiling."""

from collections.abc import Sequence

from analysis.charts.chart import format_number
from analysis.filter.question import Question
from analysis.findings.card import Card, Pictures, Source, pictures, row
from analysis.reports.comparison.page import correlates_best
from analysis.reports.comparison.report import MOST_METRICS as MOST_COMPARED
from analysis.reports.comparison.report import ComparisonReport
from analysis.reports.correlation.content import CorrelationReport, MetricRow
from analysis.reports.correlation.summary import SEGMENT
from analysis.reports.standing import standing_in
from analysis.reports.summaries import Contest, aspect_words, listed
from analysis.stats.results import Result
from analysis.wording import column_labels

MOST_METRICS = 8
Named = Sequence[tuple[str, Result]]
"""Metrics with their correlations, best first."""


def metrics(source: Source) -> Card:
    """Say which metric correlates best with human scores, and which others tests put below it."""
    correlations: CorrelationReport = source.report("correlation", Question()).content
    question = aspect_of_most(correlations, source.question)
    compared = comparison(source, correlations, question)
    if compared is None:
        return _uncompared(correlations, question.aspect or correlations.aspects[0])
    found = [
        (name, each.result)
        for name, each in zip(column_labels(compared.metrics), compared.metrics, strict=True)
    ]
    if not found:
        reason = compared.left_out[0].reason if compared.left_out else "none measures this aspect"
        return Card(
            missing=f"No metric can be compared with human scores: {reason}.",
            aspect=compared.aspect,
            aspects=compared.aspects,
            query=question.to_query(),
        )
    on = f" on {aspect_words(compared.aspect)}"
    ceiling = _ceiling(correlations, compared.aspect)
    contest = Contest([name for name, _ in found], compared.pairs, "metrics", "")
    lead, rest = correlates_best(contest, [result for _, result in found], on, ceiling)
    behind = standing_in(contest).behind
    return Card(
        lead=lead,
        rest=rest,
        note=_note(len(found)),
        pictures=_pictures(found, behind, on, ceiling),
        aspect=compared.aspect,
        aspects=compared.aspects,
        query=question.to_query(),
    )


def aspect_of_most(content: CorrelationReport, question: Question) -> Question:
    """Return the question with the aspect that most metrics measure, where none is asked for."""
    if question.aspect or not content.aspects:
        return question
    counts = {aspect: len(content.own_rows(aspect)) for aspect in content.aspects}
    most = max(content.aspects, key=counts.__getitem__)
    return question if most == content.aspects[0] else question.but(aspect=most)


def comparison(
    source: Source, content: CorrelationReport, question: Question
) -> ComparisonReport | None:
    """Return the comparison of every two metrics; None where too many fit to compare them."""
    aspect = question.aspect or next(iter(content.aspects), "")
    if len(content.own_rows(aspect)) > MOST_COMPARED:
        return None
    compared: ComparisonReport = source.report("comparison", question).content
    return compared


def _uncompared(content: CorrelationReport, aspect: str) -> Card:
    """Return what holds without comparing every two of so many metrics."""
    rows = [row for _, row in content.own_rows(aspect) if _counts(row)]
    names = column_labels(rows)
    results = [(name, row.results[SEGMENT]) for name, row in zip(names, rows, strict=True)]
    found = sorted(results, key=lambda entry: -(entry[1].value or 0.0))
    above = [name for name, result in found if result.interval and result.interval.low > 0]
    on = f" on {aspect_words(aspect)}"
    many = f"{len(above)} of {len(found)} metrics correlate with human scores{on}."
    best = [f"{name} ({format_number(result.value, 2)})" for name, result in found[:3]]
    ceiling = _ceiling(content, aspect)
    return Card(
        lead=many,
        rest=f"The highest values of r are those of {listed(best)}; choose fewer to have every "
        "two compared."
        if best
        else "",
        note=_note(len(found)),
        pictures=_pictures(found, frozenset(), on, ceiling) if found else {},
        aspect=aspect,
        aspects=content.aspects,
        query={"aspect": [aspect]},
    )


def _counts(row: MetricRow) -> bool:
    return row.orientation == "oriented" and row.results[SEGMENT].value is not None


def _ceiling(content: CorrelationReport, aspect: str) -> float | None:
    """Return how well any metric could do over outputs, given the ratings."""
    found = (each.results.get("segment") for each in content.ceilings if each.aspect == aspect)
    return next((result.value for result in found if result), None)


def _pictures(found: Named, behind: frozenset[int], on: str, ceiling: float | None) -> Pictures:
    rows = [
        row(name, result, behind=place in behind)
        for place, (name, result) in enumerate(found[:MOST_METRICS])
    ]
    return pictures(
        rows,
        title="Metrics by their correlation with human scores" + on,
        statistic="Pearson r over outputs, 95 % interval",
        line=("noise ceiling", ceiling) if ceiling is not None else None,
        least=(0.0, 1.0),
        name="finding-metrics",
    )


def _note(metrics: int) -> str:
    if metrics > MOST_METRICS:
        return f"the first {MOST_METRICS} of {metrics} metrics · segment level"
    return "segment level"

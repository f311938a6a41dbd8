"""Pictures of single metrics: how well each correlates, and their outputs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any

from analysis.charts.calibration import calibration_curve
from analysis.charts.chart import format_number
from analysis.charts.dots import metric_dots
from analysis.charts.outputs import score_scatter
from analysis.charts.table import Row
from analysis.explorer.links import explorer_link
from analysis.filter.question import Question
from analysis.reports.correlation.content import CorrelationReport, MetricRow, Points
from analysis.reports.correlation.report import HEADLINE
from analysis.reports.figure import Figure, figure, intervals
from analysis.reports.metrics_listed import by_comparison
from analysis.result_values import result_values
from analysis.stats.correlation.calibration import JointCounts
from analysis.stats.results import Result
from analysis.wording import metric_labels, statistic_words

Labels = Mapping[tuple[str, str], tuple[str, str]]
MOST_METRICS = 24
CEILING_OF = {"system_pearson": "system", "segment_pearson": "segment"}
"""Which ceiling stands over which headline correlation."""


def metrics_figure(
    content: CorrelationReport, question: Question, aspect: str, name: str
) -> Figure:
    """Return the metrics that measure an aspect, best first, below their noise ceiling."""
    own = sorted((row for _, row in content.own_rows(aspect)), key=lambda row: -asked_value(row))
    ceiling = _ceiling(content, question, aspect)
    highest = None if ceiling is None else ceiling.value

    mixed = has_raw_and_oriented(own)

    def rows() -> Iterator[Row]:
        labels = metric_labels(content.rows)
        shown = [correlation_row(row, labels, mixed) for row in own[:MOST_METRICS]]
        return chain.from_iterable(group for _, group in by_comparison(shown))

    return figure(
        name,
        metric_dots,
        rows,
        intervals("95 % intervals"),
        "" if highest is None else f"dashed: noise ceiling {format_number(highest)}",
        f"the best {MOST_METRICS} of {len(own)} metrics" if len(own) > MOST_METRICS else "",
        title=f"Correlation with human scores of {aspect}",
        statistic=statistic_words(question),
        ceiling=highest,
    )


def has_raw_and_oriented(rows: Iterable[MetricRow]) -> bool:
    """Whether some scores are oriented and others are not."""
    return len({row.orientation for row in rows}) > 1


def correlation_row(row: MetricRow, labels: Labels, mixed: bool) -> dict[str, Any]:
    """Return a metric's correlation as a row of a chart; among oriented ones, raw ones say so."""
    metric, compared_to = labels[row.run, row.metric]
    name = f"{metric} (raw)" if mixed and row.orientation == "raw" else metric
    values = result_values(row.results["asked"])
    link = explorer_link(row.conditions)
    return {"metric": name, "compared_to": compared_to, "link": link, **values}


def asked_value(row: MetricRow) -> float:
    """Return the correlation asked for, by which metrics are ordered; the undefined come last."""
    value = row.results["asked"].value
    return -2.0 if value is None else value


def headline_asked(question: Question) -> str:
    """Return the headline statistic that a question asks for, empty where it is another."""
    shape = {"level": question.level, "statistic": question.statistic}
    if question.level == "segment" and question.statistic != "tau-like":
        shape["grouping"] = question.grouping
    return next((name for name, headline in HEADLINE.items() if headline == shape), "")


def _ceiling(content: CorrelationReport, question: Question, aspect: str) -> Result | None:
    """Return the noise ceiling of the correlation asked for, if it has one."""
    name = CEILING_OF.get(headline_asked(question), "")
    of_aspect = next((each for each in content.ceilings if each.aspect == aspect), None)
    return of_aspect.results.get(name) if of_aspect else None


NOTHING = JointCounts((), (), ())


def output_figures(points: Points, row: MetricRow, label: str, side: str) -> Iterator[Figure]:
    """Yield the outputs by the scores of a metric and of people, and the latter over the former."""
    words = {"metric_label": f"{points.metric}{side}"}
    yield figure(
        "score-scatter",
        score_scatter,
        lambda: _circles(points.counts or NOTHING, row.conditions),
        title=f"Outputs: people and {label}",
        human_label=f"human score, {points.aspect}",
        **words,
    )
    yield figure(
        "calibration",
        calibration_curve,
        lambda: (
            asdict(each) | {"link": explorer_link(row.conditions, scored=(each.low, each.high))}
            for each in points.calibration
        ),
        "bins of about equal number; 95 % intervals over outputs",
        title=f"People’s mean where {label} is low and high",
        human_label=f"human mean, {points.aspect}",
        **words,
    )


def _circles(counts: JointCounts, conditions: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    metric, human = counts.metric_edges, counts.human_edges
    for i, j, n in counts.cells:
        scored, judged = (metric[i], metric[i + 1]), (human[j], human[j + 1])
        link = explorer_link(conditions, scored=scored, judged=judged)
        limits = zip(_LIMITS, (*scored, *judged), strict=True)
        yield {**dict(limits), "n": n, "link": link}


_LIMITS = ("metric_low", "metric_high", "human_low", "human_high")

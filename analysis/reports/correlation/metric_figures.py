"""Pictures of single metrics: how well each correlates, and their outputs."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from analysis.charts.calibration import calibration_curve
from analysis.charts.chart import Chart, format_number
from analysis.charts.dots import metric_dots
from analysis.charts.outputs import score_scatter
from analysis.charts.table import Row
from analysis.explorer.links import explorer_link
from analysis.filter.question import Question
from analysis.reports.correlation.content import CorrelationReport, MetricRow, Points
from analysis.reports.correlation.report import HEADLINE
from analysis.reports.metrics_listed import by_comparison
from analysis.result_values import if_intervals, joined, result_values
from analysis.stats.correlation.calibration import JointCounts
from analysis.stats.results import Result
from analysis.wording import metric_labels, statistic_words

MOST_METRICS = 24
CEILING_OF = {"system_pearson": "system", "segment_pearson": "segment"}
"""Which ceiling stands over which headline correlation."""


def metrics_chart(
    content: CorrelationReport, question: Question, aspect: str, name: str, note: str
) -> Chart:
    """Draw the metrics that measure an aspect, best first, below their noise ceiling."""
    own = sorted((row for _, row in content.own_rows(aspect)), key=lambda row: -asked_value(row))
    ceiling = _ceiling(content, question, aspect)
    highest = None if ceiling is None else ceiling.value
    statistic = statistic_words(question)
    labels = metric_labels(content.rows)
    mixed = len({row.orientation for row in own}) > 1
    rows: list[Row] = []
    for row in own[:MOST_METRICS]:
        metric, compared_to = labels[row.run, row.metric]
        if mixed and row.orientation == "raw":
            metric += " (raw)"
        rows.append(
            {"metric": metric, "compared_to": compared_to}
            | {"link": explorer_link(row.conditions)}
            | result_values(row.results["asked"])
        )
    return metric_dots(
        [row for _, group in by_comparison(rows) for row in group],
        title=f"Correlation with human scores of {aspect}",
        statistic=statistic,
        ceiling=highest,
        subtitle=joined(
            note,
            if_intervals("95 % intervals", rows),
            "" if highest is None else f"dashed: noise ceiling {format_number(highest)}",
            f"the best {MOST_METRICS} of {len(own)} metrics" if len(own) > MOST_METRICS else "",
        ),
        name=name,
    )


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
Conditions = Mapping[str, Sequence[str]]


def outputs_chart(
    points: Points, conditions: Conditions, label: str, side: str, note: str
) -> Chart:
    """Draw outputs by the scores of a metric and of people."""
    counts = points.counts or NOTHING
    metric, human = counts.metric_edges, counts.human_edges

    def counted(i: int, j: int, n: int) -> Row:
        scored, judged = (metric[i], metric[i + 1]), (human[j], human[j + 1])
        return {
            **{"metric_low": scored[0], "metric_high": scored[1]},
            **{"human_low": judged[0], "human_high": judged[1]},
            "n": n,
            "link": explorer_link(conditions, scored=scored, judged=judged),
        }

    return score_scatter(
        [counted(i, j, n) for i, j, n in counts.cells],
        title=f"Outputs: people and {label}",
        metric_label=f"{points.metric}{side}",
        human_label=f"human score, {points.aspect}",
        subtitle=note,
    )


def calibration_chart(
    points: Points, conditions: Conditions, label: str, side: str, note: str
) -> Chart:
    """Draw the mean human score over bins of a metric's score."""
    said = "bins of about equal number; 95 % intervals over outputs"
    return calibration_curve(
        [
            asdict(each) | {"link": explorer_link(conditions, scored=(each.low, each.high))}
            for each in points.calibration
        ],
        title=f"People’s mean where {label} is low and high",
        metric_label=f"{points.metric}{side}",
        human_label=f"human mean, {points.aspect}",
        subtitle=joined(note, said),
    )

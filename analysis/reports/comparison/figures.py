"""The figure of the comparison report: metrics, each compared with each."""

from collections.abc import Sequence
from functools import partial

from analysis.charts.chart import Chart
from analysis.charts.dots import metric_dots
from analysis.charts.table import Row
from analysis.explorer.links import metric_link
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.comparison.report import ComparisonReport
from analysis.reports.kind import Figures
from analysis.reports.pair_tests import difference_chart
from analysis.result_values import if_intervals, joined, result_values
from analysis.wording import column_labels, statistic_words


def comparison_figures(
    content: ComparisonReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the metrics in their order, and the differences between them."""
    if len(content.metrics) < 2:
        return {}
    asked = question.but(aspect=content.aspect)
    links = [metric_link(asked, column) for column in content.metrics]
    return {
        "metrics": partial(_metrics, content, question, links, note),
        "differences": partial(
            difference_chart,
            column_labels(content.metrics),
            links,
            content.pairs,
            question,
            title=f"Differences between metrics on {content.aspect}",
            statistic=statistic_words(question),
            things="metrics",
            note=note,
        ),
    }


def _metrics(
    content: ComparisonReport, question: Question, links: Sequence[str], note: str
) -> Chart:
    names = column_labels(content.metrics)
    rows: list[Row] = [
        {"metric": name, "link": link} | result_values(each.result)
        for name, link, each in zip(names, links, content.metrics, strict=True)
    ]
    return metric_dots(
        rows,
        title=f"Correlation with human scores of {content.aspect}",
        statistic=statistic_words(question),
        subtitle=joined(note, if_intervals("95 % intervals of each alone", rows)),
    )

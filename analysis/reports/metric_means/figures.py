"""The figures of metric scores by system: means, their differences, and trade-offs."""

from collections.abc import Callable
from functools import partial

from analysis.charts.chart import Chart
from analysis.charts.dots import system_means
from analysis.explorer.links import explorer_link
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.kind import Figures
from analysis.reports.metric_means.direction_figures import direction_figures
from analysis.reports.metric_means.report import MetricMeansReport
from analysis.reports.metric_means.trade_off_figures import metric_trade_offs
from analysis.reports.pair_tests import difference_chart, mean_rows
from analysis.result_values import if_intervals, joined
from analysis.wording import METRIC_TESTS


def metric_means_figures(
    content: MetricMeansReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the systems by the metric that they are compared by, and by several."""
    side_by_side = direction_figures(content, question, choices, note)
    others = side_by_side | metric_trade_offs(content, question, choices, note)
    tested = content.tested
    if tested is None or not tested.systems:
        return others
    label = tested.label
    statistic = f"{label}, turned" if tested.turned else label
    names = [each.system for each in tested.systems]
    links = [explorer_link(question, systems=[name]) for name in names]
    rows = list(mean_rows([(each.system, each.result) for each in tested.systems], label, links))
    intervals = if_intervals("95 % intervals by resampling segments", rows)
    made: dict[str, Callable[[], Chart]] = {
        "system-means-metric": partial(
            system_means,
            rows,
            title=f"Systems by {label}",
            score=statistic,
            subtitle=joined(note, "higher is better", intervals),
            name="system-means-metric",
            panel="metric",
        )
    }
    if len(names) > 1:
        made["differences"] = partial(
            difference_chart,
            names,
            links,
            tested.pairs,
            question,
            title=f"Differences between systems by {label}",
            statistic=statistic,
            things="systems",
            note=note,
            tests=METRIC_TESTS,
        )
    return made | others

"""Metrics whose scores seem to run the other way than stated, by their correlation over systems."""

from collections.abc import Iterable, Iterator

from analysis.charts.chart import format_number
from analysis.reports.correlation.content import MetricRow, OrientationDoubt
from analysis.result_values import interval_words
from analysis.stats.correlation.pearson import fisher_interval
from analysis.stats.results import Result

FEWEST_SYSTEMS = 4
STATISTIC = "system_pearson"


def orientation_doubts(rows: Iterable[MetricRow]) -> Iterator[OrientationDoubt]:
    """Yield the metrics that systems contradict: rated higher by humans, scored worse.

    A metric is doubted where its oriented correlation over systems is clearly negative on the
    aspect that it measures, or, if it may measure any, on each of them. A metric of another aspect
    may well be negative: what keeps the content often changes the style less.
    """
    by_metric: dict[tuple[str, str], list[MetricRow]] = {}
    for row in rows:
        if row.orientation == "oriented" and row.better in ("higher", "lower"):
            by_metric.setdefault((row.run, row.metric), []).append(row)
    for found in by_metric.values():
        judged = [row for row in found if row.own_aspect]
        if not judged:
            judged = [row for row in found if row.relation == "possible"]
        known = [row for row in judged if row.results[STATISTIC].interval]
        if all(is_clearly_negative(row.results[STATISTIC]) for row in known):
            yield from map(_doubt, known)


def is_clearly_negative(result: Result) -> bool:
    """Whether a correlation over systems lies below 0 with its interval and with Fisher's.

    The bootstrap of segments does not know how few the systems are; Fisher's interval does.
    """
    interval, value, systems = result.interval, result.value, result.n
    if not interval or value is None or systems < FEWEST_SYSTEMS:
        return False
    fisher = fisher_interval(value, systems)
    among_systems = value == -1 if fisher is None else fisher.high < 0
    return among_systems and interval.high < 0


def _doubt(row: MetricRow) -> OrientationDoubt:
    result = row.results[STATISTIC]
    sentence = (
        f"{row.name} is oriented as “{row.better} is better”, but over {result.n} systems "
        f"its oriented correlation with human scores of {row.aspect} is clearly negative: "
        f"r = {format_number(result.value)} {interval_words(result)}. Either the metric "
        "fails here, or its scores run the other way than stated, as those of a TER that is stored "
        "as −TER do."
    )
    return OrientationDoubt(row.run, row.metric, row.name, row.aspect, row.better, result, sentence)

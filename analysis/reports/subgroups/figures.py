"""The figures of the subgroups report: strata with intervals, and curves with bands."""

from collections.abc import Iterator, Sequence

from analysis.charts.chart import Value
from analysis.charts.dots import stratum_dots
from analysis.charts.lines import top_last_curves
from analysis.charts.table import Row
from analysis.explorer.links import metric_link
from analysis.filter.question import Question
from analysis.reports.figure import Figure, figure, intervals
from analysis.reports.metrics_listed import chosen_place
from analysis.reports.page_address import Choices
from analysis.reports.subgroups.content import (
    Curve,
    MetricBySubgroup,
    Subgroup,
    SubgroupsReport,
)
from analysis.reports.subgroups.report import ALL
from analysis.result_values import result_values
from analysis.wording import column_labels, statistic_words

MOST_BANDS = 4
"""More bands than these cannot be told apart."""
TOGETHER = "all together"
SETS = {
    "fixed": "each N keeps its systems in every draw",
    "reranked": "each draw ranks the systems anew",
}


def subgroup_figures(
    content: SubgroupsReport, question: Question, choices: Choices
) -> Iterator[Figure]:
    """Yield the strata of all metrics, and the curves of one.

    Raises
    ------
    QuestionError
        If the report has no metric of the chosen name.
    """
    if not content.metrics:
        return
    labels = column_labels(content.metrics)
    place = chosen_place("drawn", choices.drawn, labels)
    asked = question.but(aspect=content.aspect)
    yield figure(
        "strata",
        stratum_dots,
        lambda: _strata(content, labels, asked),
        intervals("95 % intervals by resampling segments; their overlap is no test"),
        title=f"Metrics on {content.aspect} by {content.title}",
        statistic=statistic_words(question),
    )
    curves = [curve for curve in content.curves if curve.metric == place]
    if any(curve.subsets for curve in curves):
        bands = len(curves) <= MOST_BANDS
        said = f"bands are 95 % intervals by resampling segments; {SETS[question.sets]}"
        yield figure(
            "top-last",
            top_last_curves,
            lambda: _subsets(content, curves, asked),
            intervals(said if bands else "the intervals of so many subgroups are in the table"),
            title=f"{labels[place]} on {content.aspect} among the top N and last N systems",
            statistic=statistic_words(question),
            bands=bands,
            things="stratum",
        )


def _strata(content: SubgroupsReport, labels: Sequence[str], asked: Question) -> Iterator[Row]:
    for label, metric in zip(labels, content.metrics, strict=True):
        whole: dict[str, Value] = {"metric": label, "stratum": TOGETHER, "overall": True}
        yield whole | {"link": metric_link(asked, metric)} | result_values(metric.all)
        for part, result in zip(content.strata, metric.results, strict=True):
            link = _link(asked, metric, part)
            yield {"metric": label, "stratum": part.name, "link": link} | result_values(result)


def _link(asked: Question, metric: MetricBySubgroup, stratum: Subgroup | None) -> str:
    """Return where the outputs of a stratum, or of all, are explored beside a metric."""
    changes = dict(stratum.filter) if stratum else {}
    if "where" in changes:
        changes["where"] = [*asked.where, *changes["where"]]
    return metric_link(asked, metric, changes)


def _subsets(content: SubgroupsReport, curves: Sequence[Curve], asked: Question) -> Iterator[Row]:
    strata = {stratum.name: stratum for stratum in content.strata}
    for curve in curves:
        metric, stratum = content.metrics[curve.metric], strata.get(curve.stratum)
        for subset in curve.subsets:
            yield {
                "link": _link(asked.but(systems=subset.systems), metric, stratum),
                "metric": TOGETHER if curve.stratum == ALL else curve.stratum,
                "end": subset.side,
                "systems": subset.size,
                **result_values(subset.result),
            }

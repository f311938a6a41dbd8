"""The figures of the subgroups report: strata with intervals, and curves with bands."""

from collections.abc import Callable, Sequence
from functools import partial

from analysis.charts.chart import Chart, Value
from analysis.charts.dots import stratum_dots
from analysis.charts.lines import top_last_curves
from analysis.charts.table import Row
from analysis.explorer.links import metric_link
from analysis.filter.question import Question
from analysis.reports.kind import Figures
from analysis.reports.metrics_listed import chosen_place
from analysis.reports.page_address import Choices
from analysis.reports.subgroups.content import (
    Curve,
    MetricBySubgroup,
    Subgroup,
    SubgroupsReport,
)
from analysis.reports.subgroups.report import ALL
from analysis.result_values import if_intervals, joined, result_values
from analysis.wording import column_labels, statistic_words

MOST_BANDS = 4
"""More bands than these cannot be told apart."""
TOGETHER = "all together"
SETS = {
    "fixed": "each N keeps its systems in every draw",
    "reranked": "each draw ranks the systems anew",
}


def subgroup_figures(
    content: SubgroupsReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the strata of all metrics, and the curves of one.

    Raises
    ------
    QuestionError
        If the report has no metric of the chosen name.
    """
    if not content.metrics:
        return {}
    labels = column_labels(content.metrics)
    place = chosen_place("drawn", choices.drawn, labels)
    made: dict[str, Callable[[], Chart]] = {
        "strata": partial(_strata, content, labels, question, note)
    }
    curves = [curve for curve in content.curves if curve.metric == place]
    if any(curve.subsets for curve in curves):
        made["top-last"] = partial(_curves, curves, labels[place], content, question, note)
    return made


def _strata(
    content: SubgroupsReport, labels: Sequence[str], question: Question, note: str
) -> Chart:
    asked = question.but(aspect=content.aspect)
    dots: list[Row] = []
    for label, metric in zip(labels, content.metrics, strict=True):
        over_all: dict[str, Value] = {"metric": label, "stratum": TOGETHER, "overall": True}
        dots.append(over_all | {"link": metric_link(asked, metric)} | result_values(metric.all))
        dots += [
            {"metric": label, "stratum": part.name, "link": _link(asked, metric, part)}
            | result_values(result)
            for part, result in zip(content.strata, metric.results, strict=True)
        ]
    said = if_intervals("95 % intervals by resampling segments; their overlap is no test", dots)
    return stratum_dots(
        dots,
        title=f"Metrics on {content.aspect} by {content.title}",
        statistic=statistic_words(question),
        subtitle=joined(note, said),
    )


def _link(asked: Question, metric: MetricBySubgroup, stratum: Subgroup | None) -> str:
    """Return where the outputs of a stratum, or of all, are explored beside a metric."""
    changes = dict(stratum.filter) if stratum else {}
    if "where" in changes:
        changes["where"] = [*asked.where, *changes["where"]]
    return metric_link(asked, metric, changes)


def _curves(
    curves: Sequence[Curve], label: str, content: SubgroupsReport, question: Question, note: str
) -> Chart:
    asked = question.but(aspect=content.aspect)
    strata = {stratum.name: stratum for stratum in content.strata}
    points = [
        {
            "link": _link(
                asked.but(systems=subset.systems),
                content.metrics[curve.metric],
                strata.get(curve.stratum),
            ),
            "metric": TOGETHER if curve.stratum == ALL else curve.stratum,
            "end": subset.side,
            "systems": subset.size,
            **result_values(subset.result),
        }
        for curve in curves
        for subset in curve.subsets
    ]
    bands = len(curves) <= MOST_BANDS
    said = f"bands are 95 % intervals by resampling segments; {SETS[question.sets]}"
    if not bands:
        said = "the intervals of so many subgroups are in the table"
    return top_last_curves(
        points,
        title=f"{label} on {content.aspect} among the top N and last N systems",
        statistic=statistic_words(question),
        subtitle=joined(note, if_intervals(said, points)),
        bands=bands,
        things="stratum",
    )

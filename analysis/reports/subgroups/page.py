"""The page that says where a metric holds: in which strata, among which systems."""

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.charts.chart import Value, counted, format_interval, format_number
from analysis.charts.dots import stratum_dots
from analysis.charts.lines import top_last_curves
from analysis.charts.table import Row
from analysis.explorer.links import metric_link
from analysis.filter.field import Pairs
from analysis.filter.question import CHOICES, DRAWS, OF_SEGMENTS, OF_Z, SELECTED, TAU_LIKE, Question
from analysis.reports.correlation.report import MOST_SYSTEMS_FOR_CURVES, values_cost
from analysis.reports.figure import Figure, figure, intervals
from analysis.reports.kind import Early, Report, ReportKind, aspect_offer
from analysis.reports.metrics_listed import chosen_place, first_is_default
from analysis.reports.page_address import Address, Choices
from analysis.reports.subgroups.report import (
    ALL,
    FEW_SEGMENTS,
    MOST_METRICS,
    Curve,
    Difference,
    MetricBySubgroup,
    Subgroup,
    SubgroupsReport,
    check_subgroups,
    subgroups_cost,
    subgroups_report,
)
from analysis.reports.summaries import MOST_NAMED, Sentence, joined, said
from analysis.reports.table import Parts, Table
from analysis.result_values import result_values
from analysis.tables.flat_table import METRIC_COLUMNS, PRINTED, RESULT_COLUMNS
from analysis.wording import COEFFICIENTS, SYMBOLS, column_labels, p_said, statistic_words

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
        lambda: _stratum_rows(content, labels, asked),
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


def _stratum_rows(
    content: SubgroupsReport, labels: Sequence[str], asked: Question
) -> Iterator[Row]:
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


def row_anchor(place: int) -> str:
    """Return the element id of a difference's row."""
    return f"difference-{place}"


def difference_sentences(content: SubgroupsReport, symbol: str) -> Iterator[Sentence]:
    """Say how many differences were detected, which, and what follows from none."""
    if not content.differences:
        return
    detected = [(place, row) for place, row in enumerate(content.differences) if row.detected]
    tested = len(content.differences)
    among = f"in {counted(tested, 'comparison')} of a metric between two subgroups"
    if detected:
        shown = [
            (_difference_words(content, row, symbol), row_anchor(place))
            for place, row in detected[:MOST_NAMED]
        ]
        more = len(detected) - len(shown)
        end = f", and {more} more." if more else "."
        verb = "was" if len(detected) == 1 else "were"
        start = f"{counted(len(detected), 'difference')} {verb} detected {among}: "
        if tested == 1:
            start = "A difference of a metric between the two subgroups was detected: "
        yield said(start, *joined(shown), end)
    else:
        yield said(f"No difference was detected {among}.")
    if len(detected) < tested:
        yield said(
            "No difference detected does not mean that a metric holds equally everywhere: the "
            "interval shows how large a difference may be."
        )


def _difference_words(content: SubgroupsReport, row: Difference, symbol: str) -> str:
    name = column_labels(content.metrics)[row.metric]
    first, second = (content.strata[side].name for side in (row.first, row.second))
    numbers = [f"{symbol} = {format_number(row.result.value)}"]
    if interval := row.result.interval:
        limits = format_interval(interval.low, interval.high)
        numbers.append(f"{100 * interval.level:g} % CI {limits}")
    if row.p_value is not None:
        numbers.append(p_said(row.p_value))
    side = "lower" if (row.result.value or 0.0) < 0 else "higher"
    return f"{name} is {side} on {first} than on {second} ({', '.join(numbers)})"


_NAMED = (*METRIC_COLUMNS, "aspect", "divided_by")
_PRINTED = ("metric", "compared_to")


def _strata(content: SubgroupsReport) -> Iterator[Parts]:
    names = ("(all)", *(stratum.name for stratum in content.strata))
    for metric in content.metrics:
        for name, result in zip(names, (metric.all, *metric.results), strict=True):
            yield metric, {"stratum": name}, result


def _differences(content: SubgroupsReport) -> Iterator[Parts]:
    for row in content.differences:
        sides = (content.strata[side].name for side in (row.first, row.second))
        both = dict(zip(("stratum", "other_stratum"), sides, strict=True))
        yield content.metrics[row.metric], both | {"holm": row.p_value}, row.result


TABLES: tuple[Table[Any], ...] = (
    Table(
        "strata",
        "Correlation of metrics with human scores in each stratum",
        "metrics",
        (*_NAMED, "stratum", *RESULT_COLUMNS),
        _strata,
        (*_PRINTED, "stratum", *PRINTED),
    ),
    Table(
        "differences",
        "Differences between strata of each metric",
        "differences",
        (*_NAMED, "stratum", "other_stratum", "holm", *RESULT_COLUMNS),
        _differences,
        (*_PRINTED, "stratum", "other_stratum", "holm", *PRINTED),
    ),
    Table(
        "top-last",
        "Correlation over the top N and last N systems, by stratum",
        "curves",
        (*_NAMED, "stratum", "side", "size", "systems", *RESULT_COLUMNS),
        lambda content: (
            (curve, content.metrics[curve.metric], subset)
            for curve in content.curves
            for subset in curve.subsets
        ),
        (*_PRINTED, "stratum", "side", "size", *PRINTED),
    ),
)


def present(report: Report[SubgroupsReport], address: Address) -> dict[str, Any]:
    """Return the table of strata, and of the differences between them."""
    content, question = report.content, address.question
    labels = column_labels(content.metrics)
    strata = content.strata
    return {
        "divided": bool(content.divisions),
        "statistic": statistic_words(question),
        "strata": strata,
        "few": [s.name for s in strata if s.segments < FEW_SEGMENTS],
        "few_segments": FEW_SEGMENTS,
        "rows": [
            (label, metric.note, (metric.all, *metric.results))
            for label, metric in zip(labels, content.metrics, strict=True)
        ],
        "most_metrics": MOST_METRICS,
        "summary": difference_sentences(content, SYMBOLS.get(question.statistic, "Δ")),
        "differences": [
            _difference(row, labels, strata) | {"anchor": row_anchor(place)}
            for place, row in enumerate(content.differences)
        ],
        "sets": SETS[question.sets],
        "too_many_systems": len(content.systems) > MOST_SYSTEMS_FOR_CURVES,
        "most_systems": MOST_SYSTEMS_FOR_CURVES,
    }


def _difference(
    row: Difference, labels: Sequence[str], strata: Sequence[Subgroup]
) -> dict[str, Any]:
    sides = {"first": strata[row.first].name, "second": strata[row.second].name}
    return vars(row) | sides | {"metric": labels[row.metric]}


def offers(report: Report[SubgroupsReport] | None) -> dict[str, Pairs]:
    """Return the divisions of the study, the metrics of the curves, and the statistics."""
    offered: dict[str, Pairs] = {
        "statistic": tuple(
            ("" if name == "pearson" else name, words)
            for name, words in COEFFICIENTS.items()
            if name != "kendall-tau-c"
        )
    }
    if report is None:
        return offered
    content = report.content
    if content.divisions:
        (_, title), *others = content.divisions
        offered["by"] = (("", title), *((name, words) for name, words in others))
    if content.metrics:
        offered["drawn"] = first_is_default(column_labels(content.metrics))
    return offered | aspect_offer(report)


KIND = ReportKind(
    key="subgroups",
    fields=(
        *("aspect", "by", "statistic", "level", "sets", "drawn", "marks", "candidates"),
        *SELECTED,
        *("grouping", "scores", "ddof", "orientation", *TAU_LIKE, *DRAWS),
    ),
    values={"statistic": tuple(s for s in CHOICES["statistic"] if s != "kendall-tau-c")},
    needs={
        "ddof": OF_Z,
        "grouping": OF_SEGMENTS,
        **dict.fromkeys(TAU_LIKE, ("statistic", ("tau-like",))),
    },
    build=subgroups_report,
    present=present,
    early=Early(
        cost=lambda size: values_cost(
            size.question, size.segments, size.systems, len(size.columns), 1
        )
    ),
    cost=lambda size: subgroups_cost(size.question, size.cells, size.systems, len(size.columns)),
    check=check_subgroups,
    tables=TABLES,
    figures=subgroup_figures,
    picture=("strata",),
    sections={
        "strata": "In each stratum",
        "top-last": "Among the best and among the worst systems",
    },
    flat=("top-last",),
    offers=offers,
)

"""The figures of the correlation report: metrics, curves, the heat map, systems and outputs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any

from analysis.charts.calibration import calibration_curve
from analysis.charts.chart import counted, format_number, in_order
from analysis.charts.dots import metric_dots
from analysis.charts.heat_map import heat_map
from analysis.charts.lines import top_last_curves
from analysis.charts.outputs import score_scatter
from analysis.charts.scatter import system_scatter
from analysis.charts.table import Row
from analysis.data.picking import TAKEN
from analysis.explorer.links import explorer_link
from analysis.filter.question import Question
from analysis.reports.correlation.content import CorrelationReport, Curve, MetricRow, Points
from analysis.reports.correlation.report import HEADLINE, MOST_SYSTEMS_FOR_CURVES
from analysis.reports.figure import Figure, figure, intervals
from analysis.reports.metrics_listed import by_comparison, chosen_place
from analysis.reports.page_address import Choices
from analysis.result_values import interval_words, joined, result_values
from analysis.stats.correlation.calibration import JointCounts
from analysis.stats.results import Result
from analysis.wording import HEADLINES, column_labels, metric_labels, statistic_words

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
        title=f"Outputs: human raters and {label}",
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


MOST_CURVES = 8
_AMONG = {("top",): "the top N systems", ("top", "last"): "the top N and last N systems"}


def correlation_figures(
    content: CorrelationReport, question: Question, choices: Choices
) -> Iterator[Figure]:
    """Yield metrics, aspects, subsets of systems, systems and outputs."""
    curved = in_order(curve.aspect for curve in content.curves)
    for number, aspect in enumerate(content.aspects, 1):
        if content.own_rows(aspect):
            yield metrics_figure(content, question, aspect, f"metrics-{number}")
        if aspect in curved:
            yield _curves(content, question, choices, aspect, f"top-{number}", ("top",))
    if content.rows:
        yield _heat_map(content, question)
    for number, aspect in enumerate(curved, 1):
        yield _curves(content, question, choices, aspect, f"top-last-{number}", ("top", "last"))
    if content.points:
        label = _chosen_label(content, choices)
        points = _points_by_label(content)[label]
        row = _row_of(content, points)
        yield _scatter(points, row, label)
        yield from output_figures(points, row, label, _side(row))


def _heat_map(content: CorrelationReport, question: Question) -> Figure:
    oriented = question.orientation == "oriented"
    labels, mixed = metric_labels(content.rows), has_raw_and_oriented(content.rows)
    ordered = [content.rows[place] for place in content.order]
    return figure(
        "heat-map",
        heat_map,
        lambda: (correlation_row(row, labels, mixed) | {"aspect": row.aspect} for row in ordered),
        statistic_words(question),
        "oriented: higher means better" if oriented else "raw scores",
        counted(len(content.systems), "system"),
        "ordered by hierarchical clustering",
        title="Correlation of metrics with human scores",
        statistic=statistic_words(question),
    )


def curve_statistic(question: Question, choices: Choices) -> str:
    """Return the headline correlation of the curves: the chosen one, else the one asked for."""
    if choices.curve:
        return choices.curve
    if question.statistic == "tau-like":
        return "segment_tau_like"
    return "system_pearson" if question.level == "system" else "segment_pearson"


def curves_of(content: CorrelationReport, question: Question, aspect: str) -> list[Curve]:
    """Return the curves of an aspect: of the metrics made for it, or of those asked for."""
    curves = [curve for curve in content.curves if curve.aspect == aspect]
    own = [curve for curve in curves if curve.relation in TAKEN]
    return curves if question.metric else own or curves


def _over_all(curve: Curve, statistic: str) -> float:
    whole = max(curve.subsets, key=lambda subset: subset.size)
    value = whole.results[statistic].value
    return -2.0 if value is None else value


def _curves(
    content: CorrelationReport,
    question: Question,
    choices: Choices,
    aspect: str,
    name: str,
    ends: tuple[str, ...],
) -> Figure:
    statistic = curve_statistic(question, choices)
    curves = curves_of(content, question, aspect)
    # At most a readable few, the best over all systems first.
    shown = sorted(curves, key=lambda curve: -_over_all(curve, statistic))[:MOST_CURVES]
    return figure(
        name,
        top_last_curves,
        lambda: _points(content, shown, statistic),
        f"the best {len(shown)} of {len(curves)} metrics" if len(curves) > len(shown) else "",
        title=f"{HEADLINES[statistic]} on {aspect} among {_AMONG[ends]}",
        statistic=HEADLINES[statistic],
        ends=ends,
    )


def _points(content: CorrelationReport, curves: Sequence[Curve], statistic: str) -> Iterator[Row]:
    labels = metric_labels(content.rows)
    for curve in curves:
        metric, compared_to = labels[curve.run, curve.metric]
        conditions = _row_of(content, curve).conditions
        for subset in curve.subsets:
            yield {
                "metric": metric,
                "compared_to": compared_to,
                "end": subset.side,
                "systems": subset.size,
                "link": explorer_link(conditions, systems=subset.systems),
                **result_values(subset.results[statistic]),
            }


def why_no_curves(content: CorrelationReport) -> str:
    """Say why there are no curves; empty where there are."""
    systems = len(content.systems)
    if content.curves or not content.rows:
        return ""
    if systems > MOST_SYSTEMS_FOR_CURVES:
        return (
            f"The curves are drawn for up to {MOST_SYSTEMS_FOR_CURVES} systems; "
            f"here are {systems}. Choose some systems to see them."
        )
    if systems < 3:
        return f"The curves need three systems or more; here are {systems}."
    return "No metric was made for these aspects: choose one aspect to see its curves."


def scatter_labels(content: CorrelationReport) -> list[str]:
    """Return the names by which the points of each metric and aspect are chosen.

    Metrics that measure the aspect come first; the very first is shown without a choice.
    """
    return list(_points_by_label(content))


def _points_by_label(content: CorrelationReport) -> dict[str, Points]:
    keys = ((row.run, row.metric) for row in content.rows)
    labels = dict(zip(keys, column_labels(content.rows), strict=True))
    ordered = sorted(content.points, key=lambda points: points.relation not in TAKEN)
    return {joined(labels[each.run, each.metric], each.aspect): each for each in ordered}


def _chosen_label(content: CorrelationReport, choices: Choices) -> str:
    labels = scatter_labels(content)
    return labels[chosen_place("scatter", choices.scatter, labels)]


def _scatter(points: Points, row: MetricRow, label: str) -> Figure:
    return figure(
        "system-scatter",
        system_scatter,
        lambda: (
            asdict(system) | {"link": explorer_link(row.conditions, systems=[system.system])}
            for system in points.systems
        ),
        _correlation_words(row.results["system_pearson"]),
        title=f"Systems: human raters and {label}",
        human_label=f"human mean, {points.aspect}",
        metric_label=f"mean of {points.metric}{_side(row)}",
    )


def _row_of(content: CorrelationReport, shown: Curve | Points) -> MetricRow:
    wanted = (shown.run, shown.metric, shown.aspect)
    return next(row for row in content.rows if (row.run, row.metric, row.aspect) == wanted)


def _side(row: MetricRow) -> str:
    """Say which way a metric is read where it is not plainly that higher is better."""
    turned = row.orientation == "oriented"
    lower = row.better == "lower"
    side = "oriented, higher is better" if turned and lower else "lower is better" if lower else ""
    return f" ({side})" if side else ""


def _correlation_words(result: Result) -> str:
    if result.value is None:
        return f"System r undefined, because {result.reason}"
    words = [f"System r = {format_number(result.value)}"]
    if result.interval:
        words.append(f"95 % interval {interval_words(result)}")
    return ", ".join([*words, f"n = {result.n} systems"])

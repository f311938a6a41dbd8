"""The figures of the correlation report."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Literal

from analysis.charts.chart import Chart, counted, format_number, in_order
from analysis.charts.heat_map import heat_map
from analysis.charts.lines import top_last_curves
from analysis.charts.scatter import system_scatter
from analysis.charts.table import Row
from analysis.data.picking import TAKEN
from analysis.explorer.links import explorer_link
from analysis.filter.question import Question
from analysis.reports.correlation.content import (
    CorrelationReport,
    Curve,
    MetricRow,
    Points,
)
from analysis.reports.correlation.metric_figures import (
    calibration_chart,
    metrics_chart,
    outputs_chart,
)
from analysis.reports.correlation.report import MOST_SYSTEMS_FOR_CURVES
from analysis.reports.kind import Figures
from analysis.reports.metrics_listed import chosen_place
from analysis.reports.page_address import Choices
from analysis.result_values import interval_words, joined, result_values
from analysis.stats.results import Result
from analysis.wording import HEADLINES, column_labels, metric_labels, statistic_words

MOST_CURVES = 8
_AMONG = {
    ("top",): "the top N systems",
    ("top", "last"): "the top N and last N systems",
}


def correlation_figures(
    content: CorrelationReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws metrics, aspects, subsets of systems, systems and outputs."""
    made: dict[str, Callable[[], Chart]] = {}
    curved = in_order(curve.aspect for curve in content.curves)
    for number, aspect in enumerate(content.aspects, 1):
        if content.own_rows(aspect):
            name = f"metrics-{number}"
            made[name] = partial(metrics_chart, content, question, aspect, name, note)
        if aspect in curved:
            made[f"top-{number}"] = partial(
                _curves, content, question, choices, aspect, f"top-{number}", note, ends=("top",)
            )
    if content.rows:
        made["heat-map"] = partial(_heat_map, content, question, note)
    for number, aspect in enumerate(curved, 1):
        name = f"top-last-{number}"
        made[name] = partial(_curves, content, question, choices, aspect, name, note)
    if content.points:
        chosen = _chosen_label(content, choices)
        made["system-scatter"] = partial(_scatter, content, chosen, note)
        points = _points_by_label(content)[chosen]
        row = _row_of(content, points)
        shown = (points, row.conditions, chosen, _side(row), note)
        made["score-scatter"] = partial(outputs_chart, *shown)
        made["calibration"] = partial(calibration_chart, *shown)
    return made


def _heat_map(content: CorrelationReport, question: Question, note: str) -> Chart:
    labels = metric_labels(content.rows)
    mixed = len({row.orientation for row in content.rows}) > 1
    cells: list[Row] = []
    for row in (content.rows[place] for place in content.order):
        name, compared_to = labels[row.run, row.metric]
        if mixed and row.orientation == "raw":
            name += " (raw)"
        cells.append(
            {"metric": name, "compared_to": compared_to, "aspect": row.aspect}
            | {"link": explorer_link(row.conditions)}
            | result_values(row.results["asked"])
        )
    said = "oriented: higher means better" if question.orientation == "oriented" else "raw scores"
    return heat_map(
        cells,
        title="Correlation of metrics with human scores",
        statistic=statistic_words(question),
        subtitle=joined(
            note,
            statistic_words(question),
            said,
            counted(len(content.systems), "system"),
            "ordered by hierarchical clustering",
        ),
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
    note: str,
    ends: Sequence[Literal["top", "last"]] = ("top", "last"),
) -> Chart:
    statistic = curve_statistic(question, choices)
    labels = metric_labels(content.rows)
    curves = curves_of(content, question, aspect)
    # At most a readable few, the best over all systems first.
    drawn = sorted(curves, key=lambda curve: -_over_all(curve, statistic))[:MOST_CURVES]
    points: list[Row] = []
    for curve in drawn:
        metric, compared_to = labels[curve.run, curve.metric]
        conditions = _row_of(content, curve).conditions
        points += [
            {
                "metric": metric,
                "compared_to": compared_to,
                "end": subset.side,
                "systems": subset.size,
                "link": explorer_link(conditions, systems=subset.systems),
                **result_values(subset.results[statistic]),
            }
            for subset in curve.subsets
        ]
    few = f"the best {len(drawn)} of {len(curves)} metrics" if len(curves) > len(drawn) else ""
    return top_last_curves(
        points,
        title=f"{HEADLINES[statistic]} on {aspect} among {_AMONG[*ends]}",
        statistic=HEADLINES[statistic],
        subtitle=joined(note, few),
        name=name,
        ends=ends,
    )


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


def _scatter(content: CorrelationReport, label: str, note: str) -> Chart:
    points = _points_by_label(content)[label]
    row = _row_of(content, points)
    return system_scatter(
        [
            asdict(system) | {"link": explorer_link(row.conditions, systems=[system.system])}
            for system in points.systems
        ],
        title=f"Systems: people and {label}",
        human_label=f"human mean, {points.aspect}",
        metric_label=f"mean of {points.metric}{_side(row)}",
        correlation=joined(note, _correlation_words(row.results["system_pearson"])),
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

"""The figures of metric scores by system: means, differences, metrics side by side, trade-offs."""

from collections.abc import Iterator, Sequence

import numpy as np

from analysis.charts.dots import direction_dots, system_means
from analysis.charts.scatter import trade_off
from analysis.charts.table import Row
from analysis.explorer.links import explorer_link
from analysis.filter.question import Question, QuestionError
from analysis.reports.figure import Figure, figure, intervals, system_label
from analysis.reports.metric_means.report import MeansColumn, MetricMeansReport
from analysis.reports.metric_means.system_tests import SystemTests
from analysis.reports.page_address import Choices
from analysis.reports.pair_tests import difference_figure, mean_rows
from analysis.reports.ranking.page import COSTS, RINGED
from analysis.result_values import axis_values, result_values
from analysis.stats.systems.distribution import normalised_inverse
from analysis.wording import METRIC_TESTS, column_labels

NAME = "metric-means-by-direction"
FAMILIES = ("style", "content", "fluency")
_LAST = 10**9


def panel_labels(content: MetricMeansReport) -> list[str]:
    """Return the labels of the metrics that panels can show, those of style first."""
    labels = column_labels(content.columns)
    of_family = {
        label: each.metric_family for label, each in zip(labels, content.columns, strict=True)
    }
    places = {family: place for place, family in enumerate(FAMILIES)}
    return sorted(labels, key=lambda label: places.get(of_family[label], len(FAMILIES)))


def default_panels(content: MetricMeansReport) -> list[str]:
    """Return the first metric of style, content and fluency each, else the first metric."""
    families = [column.metric_family for column in content.columns]
    labels = column_labels(content.columns)
    return [labels[families.index(f)] for f in FAMILIES if f in families] or labels[:1]


def metric_means_figures(
    content: MetricMeansReport, question: Question, choices: Choices
) -> Iterator[Figure]:
    """Yield the systems by the metric that they are compared by, by several, and trade-offs.

    Raises
    ------
    QuestionError
        If a metric was chosen that the report does not have, or that cannot be an axis.
    """
    labels = column_labels(content.columns)
    for label in choices.panels:
        if label not in labels:
            raise QuestionError(f"panels={label}: expected one of {', '.join(labels) or 'none'}")
    places = [labels.index(label) for label in choices.panels or default_panels(content)]
    axes = [
        _chosen("style_axis", choices.style_axis, axis_labels(content, STYLE)),
        _chosen("other_axis", choices.other_axis, axis_labels(content, *COSTS)),
    ]
    yield from _tested(content.tested, question)
    if places:
        yield figure(
            NAME,
            direction_dots,
            lambda: _rows(content, places, question),
            "metrics, not human raters",
            intervals("95 % intervals by resampling segments"),
            "systems in the order of their mean rank",
            title="Metric scores by system" + (" and direction" if content.directions else ""),
        )
    if all(axes):
        yield _trade_off(content, [labels.index(label) for label in axes], question)


def _tested(tested: SystemTests | None, question: Question) -> Iterator[Figure]:
    """Yield the means of the metric that systems are compared by, and their differences."""
    if tested is None or not tested.systems:
        return
    label = tested.label
    statistic = f"{label}, turned" if tested.turned else label
    names = [each.system for each in tested.systems]
    links = [explorer_link(question, systems=[name]) for name in names]
    yield figure(
        "system-means-metric",
        system_means,
        lambda: mean_rows(tested.systems, label, links),
        "higher is better",
        intervals("95 % intervals by resampling segments"),
        title=f"Systems by {label}",
        score=statistic,
    )
    if len(names) > 1:
        yield difference_figure(
            names,
            links,
            tested.pairs,
            question,
            title=f"Differences between systems by {label}",
            statistic=statistic,
            things="systems",
            tests=METRIC_TESTS,
        )


def _rows(content: MetricMeansReport, places: Sequence[int], question: Question) -> Iterator[Row]:
    labels = column_labels(content.columns)
    parts = [(each.direction, each.results) for each in content.directions]
    parts = parts or [("", tuple(row.results for row in content.rows))]
    for system in _ordered(content, places):
        shown = content.systems[system]
        for place in places:
            score = _panel_words(labels[place], content.columns[place])
            for direction, results in parts:
                values = result_values(results[place][system], "mean")
                asked = question.but(direction=direction or question.direction)
                yield values | {
                    "system": system_label(shown.system, shown.human),
                    "score": score,
                    "direction": direction.replace("-to-", " to "),
                    "link": explorer_link(asked, systems=[shown.system]),
                }


def _ordered(content: MetricMeansReport, rows: Sequence[int]) -> list[int]:
    """Return the systems by their mean rank over metrics; those without a rank come last."""

    def mean_rank(system: int) -> float:
        found = [rank for row in rows if (rank := content.rows[row].ranks[system]) is not None]
        return sum(found) / len(found) if found else _LAST

    shown = [
        place for place, each in enumerate(content.systems) if each.ranked or not each.baseline
    ]
    return sorted(shown, key=mean_rank)


def _panel_words(label: str, column: MeansColumn) -> str:
    return f"{label}, lower is better" if column.better == "lower" else label


STYLE = "style"
INVERSE = "normalised inverse"


def axis_labels(content: MetricMeansReport, *families: str) -> list[str]:
    """Return the labels of the metrics that an axis can show, of one family after another.

    It must be declared whether higher or lower is better, so that better is at the same end.
    """
    labels = column_labels(content.columns)
    return [
        label
        for family in families
        for label, column in zip(labels, content.columns, strict=True)
        if column.metric_family == family and column.better in ("higher", "lower")
    ]


def _chosen(field: str, chosen: str, offered: Sequence[str]) -> str:
    if chosen and chosen not in offered:
        raise QuestionError(f"{field}={chosen}: expected one of {', '.join(offered) or 'none'}")
    return chosen or next(iter(offered), "")


def _trade_off(content: MetricMeansReport, places: Sequence[int], question: Question) -> Figure:
    # As in plots of human means: neither what people wrote nor what was made to be compared with.
    shown = [
        place
        for place, system in enumerate(content.systems)
        if not system.human and system.ranked and not system.baseline
    ]
    labels = column_labels(content.columns)
    x_label, y_label = (_words(labels[place], content.columns[place]) for place in places)

    def rows() -> Iterator[Row]:
        sides = (
            _side(content, place, axis, shown) for axis, place in zip("xy", places, strict=True)
        )
        for place, x, y in zip(shown, *sides, strict=True):
            system = content.systems[place]
            link = explorer_link(question, systems=[system.system])
            yield {"system": system.system, "model": system.model, "link": link, **x, **y}

    return figure(
        "trade-off-metrics",
        trade_off,
        rows,
        RINGED,
        "metrics, not human raters",
        title=f"{labels[places[0]]} against {labels[places[1]]}",
        x_label=x_label,
        y_label=y_label,
    )


def _side(
    content: MetricMeansReport, place: int, axis: str, shown: Sequence[int]
) -> list[dict[str, float | None]]:
    """Return the scores of the systems shown along an axis, higher being better."""
    sides = [axis_values(axis, content.rows[place].results[system]) for system in shown]
    if content.columns[place].better == "higher":
        return sides
    low, high = f"{axis}_low", f"{axis}_high"
    columns = {key: np.array([side[key] for side in sides], dtype=float) for key in sides[0]}
    # The lower limit of a distance is the upper one of a similarity.
    turned = {
        key: normalised_inverse(columns[{low: high, high: low}.get(key, key)], columns[axis])
        for key in columns
    }
    return [
        {
            key: float(values[i]) if np.isfinite(values[i]) else None
            for key, values in turned.items()
        }
        for i in range(len(sides))
    ]


def _words(label: str, column: MeansColumn) -> str:
    return label if column.better == "higher" else f"{label}, {INVERSE}"

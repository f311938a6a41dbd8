"""What a change of style costs by automatic metrics: systems by a metric of style and another."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from analysis.charts.chart import Chart
from analysis.charts.scatter import trade_off
from analysis.explorer.links import explorer_link
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question, QuestionError
from analysis.reports.metric_means.report import MeansColumn, MetricMeansReport
from analysis.reports.ranking.trade_off_figures import COSTS, RINGED, shapes_if
from analysis.result_values import axis_values, joined
from analysis.stats.systems.distribution import normalised_inverse
from analysis.wording import column_labels

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


def metric_trade_offs(
    content: MetricMeansReport, question: Question, choices: Choices, note: str
) -> dict[str, Callable[[], Chart]]:
    """Return what draws the trade-off between two metrics, and how extreme ones look.

    Raises
    ------
    QuestionError
        If a metric was chosen that cannot be an axis.
    """
    places = [
        _chosen("style_axis", choices.style_axis, axis_labels(content, STYLE)),
        _chosen("other_axis", choices.other_axis, axis_labels(content, *COSTS)),
    ]
    labels = column_labels(content.columns)
    if not all(places):
        return {}
    x, y = (labels.index(label) for label in places)
    made = {"trade-off-metrics": partial(_drawn, content, (x, y), question, note)}
    return made | shapes_if(made, note)


def _chosen(field: str, chosen: str, offered: Sequence[str]) -> str:
    if chosen and chosen not in offered:
        raise QuestionError(f"{field}={chosen}: expected one of {', '.join(offered) or 'none'}")
    return chosen or next(iter(offered), "")


def _drawn(
    content: MetricMeansReport, places: tuple[int, int], question: Question, note: str
) -> Chart:
    # As in plots of human means: neither what people wrote nor what was made to be compared with.
    shown = [
        place
        for place, system in enumerate(content.systems)
        if not system.human and system.ranked and not system.baseline
    ]
    labels = column_labels(content.columns)
    sides = [_side(content, place, axis, shown) for axis, place in zip("xy", places, strict=True)]
    names = [_words(labels[place], content.columns[place]) for place in places]
    return trade_off(
        [
            {
                "system": content.systems[place].system,
                "model": content.systems[place].model,
                **x,
                **y,
                "link": explorer_link(question, systems=[content.systems[place].system]),
            }
            for place, x, y in zip(shown, *sides, strict=True)
        ],
        title=f"{labels[places[0]]} against {labels[places[1]]}",
        x_label=names[0],
        y_label=names[1],
        subtitle=joined(note, RINGED, "metrics, not human raters"),
        name="trade-off-metrics",
    )


def _side(
    content: MetricMeansReport, place: int, axis: str, shown: Sequence[int]
) -> list[dict[str, float | None]]:
    """Return the scores of the systems shown along an axis, higher being better."""
    [row] = [row for row in content.rows if row.column == place]
    sides = [axis_values(axis, row.results[system]) for system in shown]
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

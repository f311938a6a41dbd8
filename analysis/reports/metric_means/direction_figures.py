"""Several metrics side by side, by system and direction: what each gives, on its own scale."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from analysis.charts.chart import Chart
from analysis.charts.direction_dots import direction_dots
from analysis.charts.table import Row
from analysis.explorer.links import explorer_link
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question, QuestionError
from analysis.reports.metric_means.report import MeansColumn, MetricMeansReport
from analysis.result_values import if_intervals, joined, result_values
from analysis.wording import column_labels

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


def direction_figures(
    content: MetricMeansReport, question: Question, choices: Choices, note: str
) -> dict[str, Callable[[], Chart]]:
    """Return what draws several metrics side by side.

    Raises
    ------
    QuestionError
        If a metric was chosen that the report does not have.
    """
    labels = column_labels(content.columns)
    for label in choices.panels:
        if label not in labels:
            raise QuestionError(f"panels={label}: expected one of {', '.join(labels) or 'none'}")
    places = [labels.index(label) for label in choices.panels or default_panels(content)]
    return {NAME: partial(_drawn, content, places, question, note)} if places else {}


def _drawn(
    content: MetricMeansReport, places: Sequence[int], question: Question, note: str
) -> Chart:
    rows = list(_rows(content, places, question))
    return direction_dots(
        rows,
        title="Metric scores by system" + (" and direction" if content.directions else ""),
        subtitle=joined(
            note,
            "metrics, not human raters",
            if_intervals("95 % intervals by resampling segments", rows),
            "systems in the order of their mean rank",
        ),
        name=NAME,
    )


def _rows(content: MetricMeansReport, places: Sequence[int], question: Question) -> Iterator[Row]:
    labels = column_labels(content.columns)
    of_column = {row.column: place for place, row in enumerate(content.rows)}
    parts = [(each.direction, each.results) for each in content.directions]
    parts = parts or [("", tuple(row.results for row in content.rows))]
    for system in _ordered(content, [of_column[place] for place in places]):
        shown = content.systems[system]
        name = f"{shown.system} (human)" if shown.human else shown.system
        for place in places:
            score = _words(labels[place], content.columns[place])
            for direction, results in parts:
                values = result_values(results[of_column[place]][system], "mean")
                asked = question.but(direction=direction or question.direction)
                yield values | {
                    "system": name,
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


def _words(label: str, column: MeansColumn) -> str:
    return f"{label}, lower is better" if column.better == "lower" else label

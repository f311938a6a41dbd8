"""The figures of comparisons: what is compared, each against each."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from analysis.charts.chart import Chart
from analysis.charts.differences import Difference, difference_matrix
from analysis.question import Question
from analysis.wording import CORRECTIONS, TESTS, column_labels, statistic_words

Content = Mapping[str, Any]


def comparison_figures(
    content: Content, question: Question, note: str
) -> dict[str, Callable[[], Chart]]:
    """Return what draws the differences between metrics."""
    if len(content["metrics"]) < 2:
        return {}
    return {
        "differences": partial(
            _matrix,
            column_labels(content["metrics"]),
            content["pairs"],
            question,
            title=f"Differences between metrics on {content['aspect']}",
            statistic=statistic_words(question),
            things="metrics",
            note=note,
        )
    }


_MEANS = {"raw": "Mean rating", "z": "Mean z-score", "rank": "Mean rank"}


def system_comparison_figures(
    content: Content, question: Question, note: str
) -> dict[str, Callable[[], Chart]]:
    """Return what draws the differences between systems."""
    if len(content["systems"]) < 2:
        return {}
    return {
        "differences": partial(
            _matrix,
            [entry["system"] for entry in content["systems"]],
            content["pairs"],
            question,
            title=f"Differences between systems on {content['aspect']}",
            statistic=_MEANS[question.scores],
            things="systems",
            note=note,
        )
    }


def _matrix(
    names: Sequence[str],
    pairs: Sequence[Content],
    question: Question,
    *,
    title: str,
    statistic: str,
    things: str,
    note: str,
) -> Chart:
    cells = [
        Difference(
            names[pair["first"]],
            names[pair["second"]],
            pair["tests"][question.test].get("value"),
            pair["p_value"],
            pair["detected"],
            pair["tests"][question.test].get("reason", ""),
        )
        for pair in pairs
    ]
    test = f"{TESTS[question.test]} test, {CORRECTIONS[question.correction]}"
    said = f"{statistic}; {test} over {len(pairs)} pairs"
    return difference_matrix(
        cells,
        names,
        title=title,
        statistic=statistic,
        things=things,
        subtitle=" · ".join(filter(None, (note, said))),
    )

"""The figures of comparisons: what is compared, each against each."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from analysis.charts.chart import Chart
from analysis.charts.differences import Difference, difference_matrix
from analysis.explorer_links import explorer_link, metric_link
from analysis.question import Question
from analysis.wording import CORRECTIONS, TESTS, column_labels, statistic_words

Content = Mapping[str, Any]


def comparison_figures(
    content: Content, question: Question, note: str
) -> dict[str, Callable[[], Chart]]:
    """Return what draws the differences between metrics."""
    if len(content["metrics"]) < 2:
        return {}
    asked = question.but(aspect=content["aspect"])
    return {
        "differences": partial(
            _matrix,
            column_labels(content["metrics"]),
            [metric_link(asked, column) for column in content["metrics"]],
            content["pairs"],
            question,
            title=f"Differences between metrics on {content['aspect']}",
            statistic=statistic_words(question),
            things="metrics",
            note=note,
        )
    }


def system_comparison_figures(
    content: Content, question: Question, note: str
) -> dict[str, Callable[[], Chart]]:
    """Return what draws the differences between systems."""
    if len(content["systems"]) < 2:
        return {}
    asked = question.but(aspect=content["aspect"])
    names = [entry["system"] for entry in content["systems"]]
    return {
        "differences": partial(
            _matrix,
            names,
            [explorer_link(asked, systems=[name]) for name in names],
            content["pairs"],
            question,
            title=f"Differences between systems on {content['aspect']}",
            statistic="Mean rating" if question.scores == "raw" else "Mean z-score",
            things="systems",
            note=note,
        )
    }


def _matrix(
    names: Sequence[str],
    links: Sequence[str],
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
            (links[pair["first"]], links[pair["second"]]),
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

"""The figures of comparisons: what is compared, each against each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from analysis.charts.chart import Chart
from analysis.charts.dots import system_means
from analysis.charts.heat_map import difference_matrix
from analysis.charts.table import Row
from analysis.explorer_links import explorer_link, metric_link
from analysis.question import Question
from analysis.result_values import joined, result_values
from analysis.wording import CORRECTIONS, METRIC_TESTS, TESTS, column_labels, statistic_words

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


_MEANS = {"raw": "Mean rating", "z": "Mean z-score", "rank": "Mean rank"}


def system_comparison_figures(
    content: Content, question: Question, note: str
) -> dict[str, Callable[[], Chart]]:
    """Return what draws the differences between systems; of many, their means."""
    if len(content["systems"]) < 2:
        return {}
    asked = question.but(aspect=content["aspect"])
    names = [entry["system"] for entry in content["systems"]]
    if content.get("pair_columns"):
        return {"system-means": partial(_means_of_many, content, question, note)}
    return {
        "differences": partial(
            _matrix,
            names,
            [explorer_link(asked, systems=[name]) for name in names],
            content["pairs"],
            question,
            title=f"Differences between systems on {content['aspect']}",
            statistic=_MEANS[question.scores],
            things="systems",
            note=note,
        )
    }


def _means_of_many(content: Content, question: Question, note: str) -> Chart:
    asked = question.but(aspect=content["aspect"])
    links = [explorer_link(asked, systems=[entry["system"]]) for entry in content["systems"]]
    return system_means(
        list(_means(content["systems"], content["aspect"], links)),
        title=f"Systems by human scores on {content['aspect']}",
        score=_MEANS[question.scores],
        subtitle=joined(note, "95 % intervals, Student's t over outputs"),
    )


def metric_means_figures(
    content: Content, question: Question, note: str
) -> dict[str, Callable[[], Chart]]:
    """Return what draws the systems by the metric that they are compared by."""
    tested = content["tested"]
    if tested is None or not tested["systems"]:
        return {}
    label = tested["label"]
    statistic = f"{label}, turned" if tested["turned"] else label
    names = [entry["system"] for entry in tested["systems"]]
    links = [explorer_link(question, systems=[name]) for name in names]
    rows = list(_means(tested["systems"], label, links))
    said = "higher is better; 95 % intervals by drawing segments"
    made: dict[str, Callable[[], Chart]] = {
        "system-means-metric": partial(
            system_means,
            rows,
            title=f"Systems by {label}",
            score=statistic,
            subtitle=joined(note, said),
            name="system-means-metric",
            panel="metric",
        )
    }
    if len(names) > 1:
        made["differences"] = partial(
            _matrix,
            names,
            links,
            tested["pairs"],
            question,
            title=f"Differences between systems by {label}",
            statistic=statistic,
            things="systems",
            note=note,
            tests=METRIC_TESTS,
        )
    return made


def _means(systems: Sequence[Content], panel: str, links: Sequence[str]) -> Iterator[Row]:
    for entry, link in zip(systems, links, strict=True):
        values = result_values(entry["result"], "mean")
        yield {"system": entry["system"], "aspect": panel, "link": link} | values


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
    tests: Mapping[str, str] = TESTS,
) -> Chart:
    cells: list[Row] = [
        {
            "first": names[pair["first"]],
            "second": names[pair["second"]],
            "value": pair["tests"][question.test].get("value"),
            "p_value": pair["p_value"],
            "detected": pair["detected"],
            "reason": pair["tests"][question.test].get("reason", ""),
            "link": links[pair["first"]],
            "other_link": links[pair["second"]],
        }
        for pair in pairs
    ]
    test = tests[question.test] + (" test" if tests is TESTS else "")
    said = f"{statistic}; {test}, {CORRECTIONS[question.correction]} over {len(pairs)} pairs"
    return difference_matrix(
        cells,
        names,
        title=title,
        statistic=statistic,
        things=things,
        subtitle=joined(note, said),
    )

"""The figures of the system comparison report: differences, or the means of many systems."""

from functools import partial

from analysis.charts.chart import Chart
from analysis.charts.dots import system_means
from analysis.explorer.links import explorer_link
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.kind import Figures, Stored
from analysis.reports.pair_tests import difference_chart, mean_rows
from analysis.reports.system_comparison.many_systems import listed_pairs
from analysis.result_values import joined
from analysis.stats.results import result_of

_MEANS = {"raw": "Mean rating", "z": "Mean z-score", "rank": "Mean rank"}


def system_comparison_figures(
    content: Stored, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the differences between systems; of many, their means."""
    if len(content["systems"]) < 2:
        return {}
    asked = question.but(aspect=content["aspect"])
    names = [entry["system"] for entry in content["systems"]]
    if content.get("pair_columns"):
        return {"system-means": partial(_means_of_many, content, question, note)}
    return {
        "differences": partial(
            difference_chart,
            names,
            [explorer_link(asked, systems=[name]) for name in names],
            listed_pairs(content),
            question,
            title=f"Differences between systems on {content['aspect']}",
            statistic=_MEANS[question.scores],
            things="systems",
            note=note,
        )
    }


def _means_of_many(content: Stored, question: Question, note: str) -> Chart:
    asked = question.but(aspect=content["aspect"])
    links = [explorer_link(asked, systems=[entry["system"]]) for entry in content["systems"]]
    means = [(entry["system"], result_of(entry["result"])) for entry in content["systems"]]
    return system_means(
        list(mean_rows(means, content["aspect"], links)),
        title=f"Systems by human scores on {content['aspect']}",
        score=_MEANS[question.scores],
        subtitle=joined(note, "95 % intervals, Student's t over outputs"),
    )

"""The figures of the ranking report: means, what style costs, and how scores spread."""

from collections.abc import Callable, Iterator
from functools import partial

from analysis.charts.chart import Chart
from analysis.charts.dots import system_means
from analysis.charts.table import Row
from analysis.explorer.links import explorer_link
from analysis.filter.figure_choices import Choices
from analysis.filter.question import Question
from analysis.reports.distribution_figures import human_distribution_figures
from analysis.reports.kind import Figures
from analysis.reports.ranking.report import RankingReport
from analysis.reports.ranking.trade_off_figures import trade_off_figures
from analysis.result_values import joined, result_values


def ranking_figures(
    content: RankingReport, question: Question, choices: Choices, note: str
) -> Figures:
    """Return what draws the means of systems, trade-offs, and distributions."""
    made: dict[str, Callable[[], Chart]] = {}
    scales = [(table.answers, table.scale) for table in content.tables]
    one_scale = all(scale == scales[0] for scale in scales)
    for kind, score in (("raw", "mean rating"), ("z", "mean z-score")):
        rows = list(_means(content, question.but(scores=kind)))
        if any(row["mean"] is not None for row in rows):
            name = f"system-means-{kind}"
            made[name] = partial(
                system_means,
                rows,
                title=f"Human scores of systems, {kind}",
                score=score,
                subtitle=joined(note, "95 % intervals over outputs"),
                name=name,
                shared_axis=one_scale or kind == "z",
            )
    return (
        made
        | trade_off_figures(content, question, note)
        | human_distribution_figures(content, question, note)
    )


def _means(content: RankingReport, question: Question) -> Iterator[Row]:
    for table in content.tables:
        for system in table.systems:
            asked = question.but(aspect=table.aspect)
            link = explorer_link(asked, systems=[system.system])
            name = f"{system.system} (human)" if system.human else system.system
            mean = system.z if question.scores == "z" else system.raw
            values = result_values(mean.result, "mean")
            yield {"system": name, "aspect": table.aspect, "link": link} | values

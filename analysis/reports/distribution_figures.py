"""Box plots of scores: by kind of text, by system, by metrics and by human raters."""

from collections.abc import Callable, Iterator
from functools import partial

from analysis.charts.bars import score_distributions
from analysis.charts.chart import Chart
from analysis.charts.outputs import histograms
from analysis.charts.table import Row
from analysis.explorer.links import explorer_link, metric_link
from analysis.filter.question import Question
from analysis.reports.ranking.report import AspectRanking, RankingReport
from analysis.reports.scores.report import ScoresReport
from analysis.result_values import joined
from analysis.stats.systems.distribution import Distribution

QUANTILES = ("low", "quarter", "median", "three_quarters", "high")
AS_THEY_ARE = "as they are, not turned"


def metric_distribution_figures(
    content: ScoresReport, question: Question, place: int, label: str, note: str
) -> dict[str, Callable[[], Chart]]:
    """Return what draws one metric's scores by kind of text, and by system."""
    column = content.columns[place]
    link = metric_link(question, column)
    kinds = [box(row.group, row, link) for row in content.distributions if row.column == place]
    systems = [
        box(row.system, row, metric_link(question.but(systems=(row.system,)), column))
        for row in content.system_distributions
        if row.column == place
    ]
    words = {"metric": label, "subtitle": note or AS_THEY_ARE}
    made: dict[str, Callable[[], Chart]] = {
        "score-distributions": partial(
            score_distributions, kinds, title=f"Scores of {label}", **words
        )
    }
    made |= _histogram_figures(content, place, label, note)
    if systems:
        made["system-distributions"] = partial(
            score_distributions, systems, title=f"Scores of {label}, system by system",
            name="system-distributions", things="System", **words,
        )  # fmt: skip
    return made


def _histogram_figures(
    content: ScoresReport, place: int, label: str, note: str
) -> dict[str, Callable[[], Chart]]:
    """Return what draws how often a metric gives which score, if the report says so."""
    bins: list[Row] = [
        {"group": group, "low": low, "high": high, "n": n, "share": n / sum(counts)}
        for row in content.histograms
        if row.column == place
        for group, counts in zip(row.groups, row.bins.counts, strict=True)
        for low, high, n in zip(row.bins.edges, row.bins.edges[1:], counts, strict=False)
    ]
    if not bins:
        return {}
    subtitle = joined(note, "share of the texts of each kind; as they are, not turned")
    title = f"How often which score of {label}"
    name = "score-histograms"
    return {name: partial(histograms, bins, score=label, title=title, subtitle=subtitle, name=name)}


def human_distribution_figures(
    content: RankingReport, question: Question, note: str
) -> dict[str, Callable[[], Chart]]:
    """Return what draws mean human scores of outputs, system by system."""
    made: dict[str, Callable[[], Chart]] = {}
    for number, table in enumerate(content.tables, 1):
        boxes = list(_of_people(table, question))
        if boxes:
            name = f"human-distributions-{number}"
            made[name] = partial(
                score_distributions,
                boxes,
                title=f"Human scores of outputs, {table.aspect}",
                metric=f"mean rating of an output, {table.aspect}",
                subtitle=note,
                name=name,
                things="System",
            )
    return made


def _of_people(table: AspectRanking, question: Question) -> Iterator[Row]:
    for system in table.systems:
        if system.distribution:
            asked = question.but(aspect=table.aspect)
            name = f"{system.system} (human)" if system.human else system.system
            link = explorer_link(asked, systems=[system.system])
            yield box(name, system.distribution, link)


def box(name: str, row: Distribution, link: str = "") -> Row:
    """Return a distribution as a row of `score_distributions`."""
    quantiles = zip(QUANTILES, row.quantiles[1:-1], strict=True)
    return {"group": name, "n": row.n, "mean": row.mean, "link": link, **dict(quantiles)}

"""Box plots of scores: by kind of text, by system, by metrics and by human raters."""

from collections.abc import Iterator
from functools import partial

from analysis.charts.bars import score_distributions
from analysis.charts.outputs import histograms
from analysis.charts.table import Row
from analysis.explorer.links import explorer_link, metric_link
from analysis.filter.question import Question
from analysis.reports.figure import Figure, figure, system_label
from analysis.reports.ranking.report import AspectRanking, RankingReport
from analysis.reports.scores.report import ScoreHistogram, ScoresReport
from analysis.stats.systems.distribution import Distribution

QUANTILES = ("low", "quarter", "median", "three_quarters", "high")
AS_THEY_ARE = "as they are, not turned"


def metric_distribution_figures(
    content: ScoresReport, question: Question, place: int, label: str
) -> Iterator[Figure]:
    """Yield one metric's scores by kind of text, how often it gives which, and by system."""
    column = content.columns[place]
    kinds = [row for row in content.distributions if row.column == place]
    systems = [row for row in content.system_distributions if row.column == place]
    bins = [row for row in content.histograms if row.column == place]
    yield figure(
        "score-distributions",
        score_distributions,
        lambda: (box(row.group, row, metric_link(question, column)) for row in kinds),
        AS_THEY_ARE,
        title=f"Scores of {label}",
        metric=label,
    )
    if bins:
        yield figure(
            "score-histograms",
            histograms,
            lambda: (row for found in bins for row in bin_rows(found)),
            f"share of the texts of each kind; {AS_THEY_ARE}",
            title=f"How often which score of {label}",
            score=label,
        )
    if systems:
        yield figure(
            "system-distributions",
            score_distributions,
            lambda: (
                box(row.system, row, metric_link(question.but(systems=(row.system,)), column))
                for row in systems
            ),
            AS_THEY_ARE,
            title=f"Scores of {label}, system by system",
            metric=label,
            things="System",
        )


def bin_rows(found: ScoreHistogram) -> Iterator[Row]:
    """Yield the bins of a metric, of one kind of text after another."""
    edges = found.bins.edges
    for group, counts in zip(found.groups, found.bins.counts, strict=True):
        for low, high, n in zip(edges, edges[1:], counts, strict=False):
            yield {"group": group, "low": low, "high": high, "n": n, "share": n / sum(counts)}


def human_distribution_figures(content: RankingReport, question: Question) -> Iterator[Figure]:
    """Yield mean human scores of outputs, system by system."""
    for number, table in enumerate(content.tables, 1):
        if any(system.distribution for system in table.systems):
            yield figure(
                f"human-distributions-{number}",
                score_distributions,
                partial(_of_people, table, question),
                title=f"Human scores of outputs, {table.aspect}",
                metric=f"mean rating of an output, {table.aspect}",
                things="System",
            )


def _of_people(table: AspectRanking, question: Question) -> Iterator[Row]:
    asked = question.but(aspect=table.aspect)
    for system in table.systems:
        if system.distribution:
            link = explorer_link(asked, systems=[system.system])
            yield box(system_label(system.system, system.human), system.distribution, link)


def box(name: str, row: Distribution, link: str = "") -> Row:
    """Return a distribution as a row of `score_distributions`."""
    quantiles = zip(QUANTILES, row.quantiles[1:-1], strict=True)
    return {"group": name, "n": row.n, "mean": row.mean, "link": link, **dict(quantiles)}

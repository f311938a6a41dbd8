"""The page that ranks systems by human scores."""

from typing import Any

from analysis.filter.question import RATINGS
from analysis.reports.kind import Report, ReportKind
from analysis.reports.page_address import Address
from analysis.reports.ranking.figures import ranking_figures
from analysis.reports.ranking.report import RankingReport, RatedSystem, ranking_report
from analysis.reports.ranking.summary import ranking_sentences
from analysis.reports.ranking.tables import TABLES
from analysis.shown_numbers import number
from analysis.wording import aspect_heading, selection_words


def present(report: Report[RankingReport], address: Address) -> dict[str, Any]:
    """Return one table per aspect."""
    content = report.content
    return {
        "selection": selection_words(address.question.but(humans="out")),
        "summary": ranking_sentences(content),
        "rankings": [
            {
                "aspect": table.aspect,
                "heading": aspect_heading(table.aspect),
                "note": table.note,
                "grouped": any(system.group for system in table.systems),
                "systems": [_system(system) for system in table.systems],
            }
            for table in content.tables
        ],
        "rated": any(system.raw.rank for table in content.tables for system in table.systems),
    }


def _system(system: RatedSystem) -> dict[str, Any]:
    return {
        "name": system.system,
        "human": system.human,
        "group": system.group,
        "raw_rank": system.raw.rank,
        "raw": number(system.raw.result),
        "z_rank": system.z.rank,
        "z": number(system.z.result),
        "n": system.raw.result.n,
    }


KIND = ReportKind(
    key="ranking",
    lays_out=lambda data: False,
    fields=("aspect", "direction", *RATINGS, "systems", "leave_out", "where", "ddof"),
    content=RankingReport,
    build=lambda asked: ranking_report(asked.data, asked.question),
    present=present,
    cost=lambda size: size.ratings * 2 * size.aspects,
    tables=TABLES,
    figures=ranking_figures,
    picture=("system-means-raw",),
    sections={
        "system-means-raw": "Systems with intervals",
        "system-means": "Systems with intervals, z-scores",
        "trade-off": "What style costs",
        "human-distributions": "How human scores spread",
    },
)

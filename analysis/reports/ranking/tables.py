"""The ranking report as a table."""

from collections.abc import Iterator

from analysis.reports.kind import Table
from analysis.reports.ranking.report import RankingReport
from analysis.tables.flat_table import RESULT_COLUMNS, Row, as_json, result_cells

_COLUMNS = ("aspect", "system", "human_written", "group", "scores", "rank")


def _means(content: RankingReport) -> Iterator[Row]:
    for table in content.tables:
        for system in table.systems:
            described = (table.aspect, system.system, system.human, system.group)
            for kind, mean, asked in (("raw", system.raw, {}), ("z", system.z, {"scores": ["z"]})):
                conditions = as_json({**system.conditions, **asked})
                yield (*described, kind, mean.rank, *result_cells(mean.result), conditions)


TABLES = (
    Table(
        "ranking",
        "Mean human scores of systems, raw and z",
        "tables",
        (*_COLUMNS, *RESULT_COLUMNS, "conditions"),
        _means,
        ("aspect", "system", "scores", "rank", "value", "low", "high", "n"),
    ),
)

"""Metric scores by system as tables: every number, and the tests by one metric."""

from collections.abc import Iterator

from analysis.reports.kind import Stored, Table
from analysis.reports.pair_tests import PLACES, TEST_COLUMNS, rows_of_tests
from analysis.tables.flat_table import (
    METRIC_COLUMNS,
    RESULT_COLUMNS,
    Row,
    metric_cells,
    result_cells,
)


def _numbers(content: Stored) -> Iterator[Row]:
    for row in content["rows"]:
        column = content["columns"][row["column"]]
        described = (*metric_cells(column), column["value"], column["better"])
        for place, system in enumerate(content["systems"]):
            of_system = (system[key] for key in ("system", "human", "baseline"))
            result = row["results"][place]
            yield (*described, *of_system, row["ranks"][place], *result_cells(result))


def _systems(content: Stored) -> Iterator[Row]:
    if tested := content["tested"]:
        for entry in tested["systems"]:
            places = (entry[key] for key in PLACES)
            yield (tested["label"], entry["system"], *places, *result_cells(entry["result"]))


def _pairs(content: Stored) -> Iterator[Row]:
    if tested := content["tested"]:
        names = [entry["system"] for entry in tested["systems"]]
        for pair in tested["pairs"]:
            for cells in rows_of_tests(pair):
                yield (tested["label"], names[pair["first"]], names[pair["second"]], *cells)


TABLES = (
    Table(
        "metric-means",
        "Metric scores by system, one number a row",
        "rows",
        (
            *(*METRIC_COLUMNS, "number", "better", "system", "human_written", "baseline", "rank"),
            *RESULT_COLUMNS,
        ),
        _numbers,
        ("metric", "compared_to", "system", "rank", "value", "low", "high", "n"),
    ),
    Table(
        "systems",
        "Systems by the metric tested, with rank ranges",
        "tested",
        ("metric", "system", *PLACES, *RESULT_COLUMNS),
        _systems,
    ),
    Table(
        "pairs",
        "Differences between every two systems by that metric, one test a row",
        "tested",
        ("metric", "system", "other_system", *TEST_COLUMNS, *RESULT_COLUMNS),
        _pairs,
        ("system", "other_system", "test", "value", "low", "high", "p_value", "holm"),
    ),
)

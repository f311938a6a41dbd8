"""The system comparison report as tables: one test or number a row, unrounded."""

from collections.abc import Iterator

from analysis.reports.kind import Stored, Table
from analysis.reports.pair_tests import PLACES, TEST_COLUMNS, rows_of_tests
from analysis.reports.system_comparison.many_systems import all_pair_rows
from analysis.tables.flat_table import RESULT_COLUMNS, Row, result_cells

_STRENGTHS = ("first", "second", "difference", "p_value", "holm")


def _systems(content: Stored) -> Iterator[Row]:
    kinds = (content["scores"], "z" if content["scores"] == "raw" else "raw")
    for entry in content["systems"]:
        described = (entry["system"], entry["human"], *(entry[key] for key in PLACES))
        for scores, part in zip(kinds, ("result", "other"), strict=True):
            yield (*described, scores, *result_cells(entry[part]))


def _pairs(content: Stored) -> Iterator[Row]:
    names = [entry["system"] for entry in content["systems"]]
    for pair in all_pair_rows(content):
        for cells in rows_of_tests(pair):
            yield (content["aspect"], names[pair.first], names[pair.second], *cells)


def _strengths(content: Stored) -> Iterator[Row]:
    for entry in content["strengths"]:
        for row in entry["systems"]:
            yield (entry["aspect"], row["system"], *result_cells(row["result"]))


def _strength_pairs(content: Stored) -> Iterator[Row]:
    """Yield every two strengths of each aspect, however the report holds them."""
    for entry in content["strengths"]:
        columns = entry.get("pair_columns")
        if not columns:
            for pair in entry["pairs"]:
                yield (entry["aspect"], *(pair[key] for key in _STRENGTHS))
            continue
        names = [row["system"] for row in entry["systems"]]
        numbers = (columns[key] for key in _STRENGTHS)
        for first, second, *values in zip(*numbers, strict=True):
            yield (entry["aspect"], names[first], names[second], *values)


TABLES = (
    Table(
        "systems",
        "Mean human scores of systems, with rank ranges",
        "systems",
        ("system", "human_written", *PLACES, "scores", *RESULT_COLUMNS),
        _systems,
        ("system", *PLACES, "scores", "value", "low", "high", "n"),
    ),
    Table(
        "pairs",
        "Differences between every two systems, one test a row",
        "pairs",
        ("aspect", "system", "other_system", *TEST_COLUMNS, *RESULT_COLUMNS),
        _pairs,
        ("system", "other_system", "test", "value", "low", "high", "p_value", "holm"),
    ),
    Table(
        "strengths",
        "Log strengths of systems judged against each other",
        "strengths",
        ("aspect", "system", *RESULT_COLUMNS),
        _strengths,
    ),
    Table(
        "strength-pairs",
        "Differences between every two log strengths",
        "strengths",
        ("aspect", "system", "other_system", "difference", "p_value", "holm"),
        _strength_pairs,
    ),
)

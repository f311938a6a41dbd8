"""The stand-in report as tables."""

from collections.abc import Iterator

from analysis.reports.kind import Table
from analysis.reports.stand_in.content import StandInReport
from analysis.reports.stand_in.known_errors import TOLD
from analysis.tables.flat_table import (
    METRIC_COLUMNS,
    PRINTED,
    RESULT_COLUMNS,
    Row,
    metric_cells,
    result_cells,
)


def _candidates(content: StandInReport) -> Iterator[Row]:
    for row in content.rows:
        for name, result in row.results.items():
            yield (
                *(*metric_cells(row), content.aspect, row.verdict, row.outputs_needed, row.fitted),
                *(name, *result_cells(result)),
            )


def _beside(content: StandInReport) -> Iterator[Row]:
    for row in content.rows:
        for each in row.beside:
            yield (
                *(*metric_cells(row), content.aspect, each.rater, each.items),
                *(each.judge_as_good, each.rater_as_good, each.p_value),
                *(each.holds, each.falls_short),
            )


def _people(content: StandInReport) -> Iterator[Row]:
    for person in content.people:
        for name, result in person.results.items():
            yield (person.rater, content.aspect, person.verdict, name, *result_cells(result))


def _parts(content: StandInReport) -> Iterator[Row]:
    for part in content.parts:
        for name, result in part.results.items():
            yield (
                *(part.name, content.aspect, part.of, part.part, part.verdict),
                *(name, *result_cells(result)),
            )


def _errors(content: StandInReport) -> Iterator[Row]:
    for each in content.errors:
        for name in ("sensitivity", "specificity"):
            yield (
                *(each.name, content.aspect, content.cut, each.rated, name),
                *result_cells(getattr(each, name)),
            )


def _told(content: StandInReport) -> Iterator[Row]:
    for each in content.told:
        for name in TOLD:
            if name in each.results:
                yield (
                    *(each.name, content.aspect, each.of, each.system, each.unrated, name),
                    *result_cells(each.results[name]),
                )


def _answers(content: StandInReport) -> Iterator[Row]:
    for each in content.answers:
        counts = (each.rated, each.unrated, each.undecided)
        named = {"sensitivity": each.sensitivity, "specificity": each.specificity, **each.results}
        for name, result in named.items():
            yield (
                *(each.name, content.aspect, each.answer, each.system, *counts, name),
                *result_cells(result),
            )


TABLES = (
    Table(
        "stand-in",
        "Judges and metrics by the alternative annotator test",
        "rows",
        (
            *(*METRIC_COLUMNS, "aspect", "verdict", "outputs_needed", "fitted_line"),
            *("statistic", *RESULT_COLUMNS),
        ),
        _candidates,
        ("metric", "aspect", "verdict", "statistic", *PRINTED),
    ),
    Table(
        "stand-in-raters",
        "Judges and metrics beside each rater",
        "rows",
        (
            *(*METRIC_COLUMNS, "aspect", "rater", "outputs"),
            *("judge_as_good", "rater_as_good", "p_value", "holds", "falls_short"),
        ),
        _beside,
        ("metric", "aspect", "rater", "outputs", "judge_as_good", "p_value", "holds"),
    ),
    Table(
        "raters-as-judges",
        "Each rater tested as a judge among the others",
        "people",
        ("rater", "aspect", "verdict", "statistic", *RESULT_COLUMNS),
        _people,
        ("rater", "aspect", "verdict", "statistic", *PRINTED),
    ),
    Table(
        "stand-in-parts",
        "Judges and metrics in directions and systems",
        "parts",
        ("metric", "aspect", "divided_by", "part", "verdict", "statistic", *RESULT_COLUMNS),
        _parts,
        ("metric", "divided_by", "part", "verdict", "statistic", *PRINTED),
    ),
    Table(
        "errors-of-judges",
        "How often judges and metrics are right about outputs rated at or above the cut",
        "errors",
        ("metric", "aspect", "cut", "rated", "statistic", *RESULT_COLUMNS),
        _errors,
        ("metric", "aspect", "cut", "statistic", *PRINTED),
    ),
    Table(
        "told-by-judges",
        "Shares, means and differences told by ratings and by judges with known errors",
        "told",
        ("metric", "aspect", "of", "system", "unrated", "told_by", *RESULT_COLUMNS),
        _told,
        ("metric", "of", "system", "told_by", *PRINTED),
    ),
    Table(
        "answers-told-by-judges",
        "Shares of single answers told by ratings and by judges with known errors",
        "answers",
        (
            *("metric", "aspect", "answer", "system", "rated", "unrated", "undecided"),
            *("told_by", *RESULT_COLUMNS),
        ),
        _answers,
        ("metric", "answer", "system", "told_by", *PRINTED),
    ),
)

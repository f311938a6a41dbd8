"""A table read as an import would read it, without storing anything: for the mapping page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from corpus.models import Study
from corpus.tabular.blocks import Block, Record
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.fields import TableSpec
from corpus.tabular.files import SourceFile
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import Problem, ProblemLog

MOST_RECORDS = 20_000
"""Of each table of a file; the rest of the file is read by the import alone."""
RECORDS_SHOWN = 4
PROBLEMS_SHOWN = 3
_NOTHING: tuple[Any, ...] = ("", None, (), {})


@dataclass
class Trial:
    """What came of the first records of a table.

    Attributes
    ----------
    spec, mapping
        The table, and how it is read.
    shown
        Line and values of the first records, by the names of their fields.
    records
        How many were read.
    stored
        How many are of segments that the study has already; None where this is not looked at.
    refused
        How many problems there are.
    problems
        The first of them.
    passed_over
        What was passed over on purpose, counted in words.
    is_whole
        Whether the file was read to its end.
    names
        Key field to its different values, in the order of appearance.
    pairs
        Segment and system of each record that says something.
    unknown_segments, unknown_outputs
        Of those, what neither the study nor its upload has.
    is_left_to_import
        Whether that could not be told, because not all was read that may give them.
    lowest, highest
        Of the scores, if there are any.
    """

    spec: TableSpec
    mapping: Mapping
    shown: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    records: int = 0
    stored: int | None = None
    refused: int = 0
    problems: tuple[Problem, ...] = ()
    passed_over: list[str] = field(default_factory=list)
    is_whole: bool = True
    names: dict[str, dict[str, None]] = field(default_factory=dict)
    pairs: dict[tuple[str, str], None] = field(default_factory=dict)
    unknown_segments: tuple[str, ...] = ()
    unknown_outputs: tuple[tuple[str, str], ...] = ()
    is_left_to_import: bool = False
    lowest: float | None = None
    highest: float | None = None


def try_table(
    reading: ConfinedReading, study: Study, source: SourceFile, mapping: Mapping, spec: TableSpec
) -> Trial:
    """Read the first records of a table; what is wrong is in the answer, nothing is raised.

    Parameters
    ----------
    reading
        By which the file is opened.
    study
        Whose segments may be stored already.
    source, mapping, spec
        The file, how it is read, and the table.
    """
    log = ProblemLog(PROBLEMS_SHOWN)
    trial = Trial(spec, mapping)
    for block in reading.blocks(source, mapping, spec, log, MOST_RECORDS):
        trial.records += len(block)
        _note_names(trial, block)
        _note_pairs(trial, block)
        wanted = RECORDS_SHOWN - len(trial.shown)
        trial.shown += [_by_name(spec, record) for record in islice(block.records(), wanted)]
    lines = reading.lines_of(source, mapping, {row for row, _ in trial.shown})
    trial.shown = [(lines.get(row, row), values) for row, values in trial.shown]
    trial.is_whole = trial.records < MOST_RECORDS
    trial.refused, trial.problems = log.count, log.problems
    trial.passed_over = log.counted()
    if spec.name == "segments":
        known = study.segments.filter(key__in=list(trial.names.get("segment", ()))[:MOST_RECORDS])
        trial.stored = known.count()
    return trial


def _by_name(spec: TableSpec, record: Record) -> tuple[int, dict[str, Any]]:
    """Return line and values of a record, those that say nothing left out."""
    line, values = record
    named = dict(zip(spec.names, values, strict=False))
    if spec.keep_other_columns_as_attributes:
        named |= values[-1]
    return line, {name: value for name, value in named.items() if value not in _NOTHING}


def _note_names(trial: Trial, block: Block) -> None:
    """Note which keys there are, and between which numbers the scores lie."""
    for number, each in enumerate(trial.spec.fields):
        if each.kind == "key":
            found = block.labels if block.labels and number == block.spread[0] else None
            values = dict.fromkeys(block.columns[number] if found is None else found)
            said = {value: None for value in values if value not in _NOTHING}
            trial.names.setdefault(each.name, {}).update(said)
        elif each.name == "score":
            scores = [value for value in _scores(block, number) if isinstance(value, int | float)]
            if scores:
                low, high = trial.lowest, trial.highest
                trial.lowest = min(scores) if low is None else min(low, *scores)
                trial.highest = max(scores) if high is None else max(high, *scores)


def _note_pairs(trial: Trial, block: Block) -> None:
    """Note of which outputs the records are; one without an answer is passed over by the import."""
    names = trial.spec.names
    if "segment" not in names:
        return
    segment = names.index("segment")
    systems = [names.index(name) for name in ("system", "against") if name in names]
    answers = [names.index(name) for name in ("score", "judgement") if name in names]
    for _, values in block.records() if systems else ():
        if not answers or any(values[place] not in _NOTHING for place in answers):
            for place in systems:
                if values[place]:
                    trial.pairs[values[segment], values[place]] = None


def _scores(block: Block, number: int) -> Iterator[Any]:
    if block.labels and number == block.spread[1]:
        for row in block.cells:
            yield from row
    else:
        yield from block.columns[number]

"""A file opened together with the plan by which its rows become records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from corpus.tabular.delimited import DelimitedReader
from corpus.tabular.exploding import check_positions, no_list
from corpus.tabular.fields import TableSpec
from corpus.tabular.files import SourceFile
from corpus.tabular.limits import Limits
from corpus.tabular.mapping import Mapping
from corpus.tabular.parquet import ParquetReader
from corpus.tabular.plan import Plan, check_given_once, make_plan
from corpus.tabular.problems import ProblemLog
from corpus.tabular.readers import Reader
from corpus.tabular.reading import open_reader
from corpus.tabular.short_rows import shortest_row
from corpus.tabular.transforming.splitting import POSITION
from corpus.tabular.transforming.transformed import transformed

MARKUP = ("xml", "sgml")


class Opened(NamedTuple):
    """A file that is being read.

    Attributes
    ----------
    reader
        Hands out rows, derived cells behind those of the file.
    plan
        How they become records.
    mapping
        What is left of the mapping that was asked for, where the reader does a part of it.
    typed
        Whether cells may be other than text.
    """

    reader: Reader
    plan: Plan
    mapping: Mapping
    typed: bool


@contextmanager
def open_records(
    source: SourceFile, mapping: Mapping, spec: TableSpec, log: ProblemLog, limits: Limits
) -> Iterator[Opened]:
    """Open a file and compile the mapping for the columns that it has."""
    check_given_once(source.name, mapping)
    check_positions(source.name, mapping.named(), mapping.explode)
    explode = None if mapping.exploded_cell is not None else mapping.explode
    if explode and not source.is_nested:
        raise no_list(source.name, explode, has_lists=False)
    columns = _wanted(source, mapping, spec, limits) if source.is_nested else None
    # Of an element of markup each makes a record; a list in a record makes several of one.
    if columns and explode and mapping.takes_numbers and source.format not in MARKUP:
        columns = (*columns, POSITION)
    with open_reader(
        source, log, dialect=mapping.dialect, limits=limits, columns=columns, explode=explode
    ) as file:
        reader, left = transformed(file, mapping, spec, log, source.name)
        typed = source.is_typed or reader is not file
        columns, own = tuple(reader.columns), len(file.columns)
        plan = make_plan(left, spec, columns, source.name, typed=typed, own=own)
        if isinstance(file, DelimitedReader):
            file.shortest = shortest_row(plan, left, spec, reader)
        yield Opened(reader, plan, left, typed)


def _wanted(
    source: SourceFile, mapping: Mapping, spec: TableSpec, limits: Limits
) -> tuple[str, ...]:
    """Return the columns to ask a reader of nested values for; flat Parquet knows no patterns."""
    patterns = [name for name in mapping.sources() if "{name}" in name]
    if source.format == "parquet" and patterns:
        several = mapping.wide is not None and mapping.wide.parts is not None
        with open_reader(source, ProblemLog(limit=0), limits=limits) as reader:
            is_flat = isinstance(reader, ParquetReader) and reader.is_flat
            if is_flat or several or any("." not in name for name in patterns):
                mapping = mapping.resolved(reader.columns, spec)
    return mapping.sources()

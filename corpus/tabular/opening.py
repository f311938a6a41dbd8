"""A file opened together with the plan by which its rows become records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from corpus.tabular.delimited import DelimitedReader
from corpus.tabular.exploding import no_list
from corpus.tabular.fields import TableSpec
from corpus.tabular.files import SourceFile
from corpus.tabular.limits import Limits
from corpus.tabular.mapping import Mapping
from corpus.tabular.plan import Plan, make_plan
from corpus.tabular.problems import ProblemLog
from corpus.tabular.readers import Reader
from corpus.tabular.reading import open_reader
from corpus.tabular.short_rows import shortest_row


@contextmanager
def open_records(
    source: SourceFile, mapping: Mapping, spec: TableSpec, log: ProblemLog, limits: Limits
) -> Iterator[tuple[Reader, Plan, bool]]:
    """Open a file and compile the mapping for the columns that it has."""
    if mapping.explode and not source.is_nested:
        raise no_list(source.name, mapping.explode, has_lists=False)
    columns = _wanted(source, mapping, spec, limits) if source.is_nested else None
    with open_reader(
        source,
        log,
        dialect=mapping.dialect,
        limits=limits,
        columns=columns,
        explode=mapping.explode,
    ) as reader:
        plan = make_plan(mapping, spec, tuple(reader.columns), source.name, typed=source.is_typed)
        if isinstance(reader, DelimitedReader):
            reader.shortest = shortest_row(plan, mapping, spec)
        yield reader, plan, source.is_typed


def _wanted(
    source: SourceFile, mapping: Mapping, spec: TableSpec, limits: Limits
) -> tuple[str, ...]:
    """Return the columns to ask a typed reader for; a flat Parquet file knows no patterns."""
    patterns = [name for name in mapping.sources() if "{name}" in name and "." not in name]
    if source.format == "parquet" and patterns:
        with open_reader(source, ProblemLog(limit=0), limits=limits) as reader:
            mapping = mapping.resolved(reader.columns, spec)
    return mapping.sources()

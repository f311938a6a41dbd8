"""The records that a mapping finds in a file, by way of the query that it means."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from corpus.tabular.database import check_select
from corpus.tabular.opening.files import MARKUP, SourceFile
from corpus.tabular.opening.loading import Loaded, Tables
from corpus.tabular.problems import (
    REPEATED,
    ProblemLog,
    TableError,
    problem,
    shorten,
)
from corpus.tabular.shaping.blocks import Block
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.mapping import Mapping
from corpus.tabular.shaping.query import QueryWriter
from corpus.tabular.shaping.shaped import LABELS, Query, Shaped


def query_of(tables: Tables, source: SourceFile, mapping: Mapping, spec: TableSpec) -> Query:
    """Load what a mapping reads, and write its query; `TableError` if it makes no sense."""
    loaded, mapping = opened(tables, source, mapping)
    counts = Counter(loaded.log.counts)
    if mapping.query:
        check_select(mapping.query, source.name)
        return Query(loaded, mapping.query, counts)
    writer, wide = QueryWriter(mapping, spec, source.name, loaded.columns), mapping.wide
    text = writer.select()
    check_select(text, source.name)
    count = partial(_count, tables, source.name)
    if where := mapping.where:
        words = f"rows left out, because this is not true: {shorten(where)}"
        counts[words] += count(writer.left_out())
    if mapping.distinct:
        every = QueryWriter(replace(mapping, distinct=False), spec, source.name, loaded.columns)
        repeated = f"SELECT count(*) - (SELECT count(*) FROM ({text}\n)) FROM ({every.select()}\n)"
        counts[REPEATED] += count(repeated)
    labelled = {} if wide is None else {wide.value: wide.names}
    return Query(loaded, text, counts, _names(mapping, loaded.leaves), labelled)


def _count(tables: Tables, name: str, query: str) -> int:
    with tables.database.selected(query, name) as found:
        return int(next(found.pieces())[0][0] or 0)


def blocks(
    tables: Tables,
    source: SourceFile,
    mapping: Mapping,
    spec: TableSpec,
    log: ProblemLog,
) -> Iterator[Block]:
    """Yield the records that a file holds of one table; problems go to the log.

    Rows with problems are left out and logged; a problem that ends the reading is logged too, and
    so is a query written by somebody that finds nothing.
    """
    try:
        query = query_of(tables, source, mapping, spec)
    except TableError as error:
        log.extend(error.problems)
    else:
        must_find = bool(mapping.query or mapping.where)
        yield from shaped(tables, query, spec, log, must_find=must_find)


def shaped(
    tables: Tables, query: Query, spec: TableSpec, log: ProblemLog, *, must_find: bool
) -> Iterator[Block]:
    """Yield the records that a query finds, as of `blocks`."""
    log.counts.update(query.counts)
    is_empty = True
    try:
        for block in Shaped(tables.database, query, spec, log).blocks():
            is_empty = False
            yield block
    except TableError as error:
        log.extend(error.problems)
    if is_empty and must_find and not log:
        name = query.loaded.source.name
        log.add(problem("nothing", name, table=spec.name.replace("_", " ")))


def _names(mapping: Mapping, columns: Sequence[str]) -> dict[str, str]:
    """Return the columns behind fields, and behind the labels of a wide field."""
    names = {name: column for name in mapping.columns if (column := mapping.column(name))}
    if mapping.wide is not None:
        found, _ = mapping.wide.spread(columns)
        names |= {LABELS.join(labels): column for column, labels in found.items()}
    return names


def opened(tables: Tables, source: SourceFile, mapping: Mapping) -> tuple[Loaded, Mapping]:
    """Load the table of a file; return it with what is left of the mapping."""
    if mapping.query:
        said = tables.dialects_of(mapping.query, source.name)
        for name, dialect in said.items():
            tables.load(tables.sources.get(name, source), dialect)
        return tables.load(source, said.get(source.name, mapping.dialect)), mapping
    dialect = mapping.dialect
    if source.format in MARKUP and mapping.explode:
        dialect = replace(dialect, element=mapping.explode)
        mapping = replace(mapping, explode=None)
    return tables.load(source, dialect), mapping

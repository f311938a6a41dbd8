"""The records that a mapping finds in a file, by way of the query that it means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from corpus.tabular.database import check_select
from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import MARKUP, SourceFile
from corpus.tabular.opening.loading import Loaded, Tables
from corpus.tabular.problems import EMPTY_CELLS, REPEATED, Problem, ProblemLog, TableError
from corpus.tabular.shaping.blocks import Block
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.mapping import Mapping, columns_of
from corpus.tabular.shaping.query import left_out_of, select_of
from corpus.tabular.shaping.shaped import LABELS, Shaped
from corpus.tabular.shaping.wide import Wide, split_names

PLACEHOLDER = "{name}"


@dataclass
class Query:
    """The query that a mapping means in a file, ready to run.

    Attributes
    ----------
    loaded, text
        The file's table, and one SELECT.
    counts
        What is passed over on purpose, in words.
    names, labelled
        Columns behind fields and labels, for problems; fields that name the column of another.
    counts_empty
        Whether wide values that are NULL are empty cells.
    """

    loaded: Loaded
    text: str
    counts: Counter[str] = field(default_factory=Counter)
    names: dict[str, str] = field(default_factory=dict)
    labelled: dict[str, Sequence[str]] = field(default_factory=dict)
    counts_empty: bool = False


def query_of(tables: Tables, source: SourceFile, mapping: Mapping, spec: TableSpec) -> Query:
    """Load what a mapping reads, and write its query; `TableError` if it makes no sense."""
    loaded, mapping = opened(tables, source, mapping)
    if mapping.query:
        check_select(mapping.query, source.name)
        return Query(loaded, mapping.query, Counter(loaded.log.counts))
    text = select_of(mapping, spec, source.name, loaded.columns)
    wide = mapping.wide
    query = Query(loaded, text, Counter(loaded.log.counts), _names(mapping, loaded.leaves))
    query.labelled = {} if wide is None else {wide.value: wide.names}
    query.counts_empty = wide is not None and wide.skip_empty and not source.is_nested
    for words, left_out in left_out_of(mapping, spec, source.name, loaded.columns):
        if count := _count(tables, left_out):
            query.counts[f"rows left out, because {words}"] += count
    if wide is not None and wide.skip_empty and wide.parts is not None:
        all_cells = replace(mapping, wide=replace(wide, skip_empty=False))
        every = select_of(all_cells, spec, source.name, loaded.columns)
        query.counts[EMPTY_CELLS] += _count(tables, every) - _count(tables, text)
    if mapping.distinct:
        every = select_of(replace(mapping, distinct=False), spec, source.name, loaded.columns)
        query.counts[REPEATED] += _count(tables, every) - _count(tables, text)
    return query


def blocks(
    tables: Tables,
    source: SourceFile,
    mapping: Mapping,
    spec: TableSpec,
    log: ProblemLog,
    limits: Limits,
) -> Iterator[Block]:
    """Yield the records that a file holds of one table; problems go to the log.

    Rows with problems are left out and logged; a problem that ends the reading is logged too, and
    so is a query written by somebody that finds nothing.
    """
    try:
        query = query_of(tables, source, mapping, spec)
        log.counts.update(query.counts)
        shaped = Shaped(
            tables.database,
            query.text,
            spec,
            source.name,
            log,
            lambda rows: query.loaded.lines_of(rows, limits),
            query.names,
            labelled=query.labelled,
            counts_empty=query.counts_empty,
        )
        is_empty = True
        for block in shaped.blocks():
            is_empty = False
            yield block
        if is_empty and (mapping.query or mapping.where) and not log:
            log.add(nothing_found(source.name, spec))
    except TableError as error:
        log.extend(error.problems)


def nothing_found(name: str, spec: TableSpec) -> Problem:
    """Say that a mapping finds no record at all."""
    return Problem(
        name,
        found="no rows",
        expected=f"rows of {spec.name.replace('_', ' ')}",
        message="The mapping matches nothing in this file: correct its conditions or patterns, or "
        "leave the table out.",
        code="nothing",
    )


def _names(mapping: Mapping, columns: Sequence[str]) -> dict[str, str]:
    """Return the columns behind fields, and behind the labels of a map or of a wide field."""
    names: dict[str, str] = {}
    for name, column in mapping.columns.items():
        if isinstance(column, str) and PLACEHOLDER in column and column not in columns:
            spread = Wide("", "", pattern=column).labelled(columns)
            names |= {f"{name}.{label}": each for label, each in spread.items()}
        elif isinstance(column, str):
            names[name] = column
        elif isinstance(column, dict):
            names |= {f"{name}.{label}": inner for label, inner in column.items()}
    for name, parts in (*mapping.joined.items(), *mapping.digests.items()):
        names[name] = columns_of(parts)[0]
    wide = mapping.wide
    meant = {} if wide is None else mapping.values

    def label_of(field: str, label: str) -> str:
        return meant.get(field, {}).get(label, label)

    if wide is not None and wide.parts is None:
        spread = {wide.label(c) or c: c for c in wide.columns} or wide.labelled(columns)
        names |= {label_of(wide.name, label): column for label, column in spread.items()}
    elif wide is not None and wide.parts is not None:
        found, _ = split_names(wide.parts, wide.columns or columns)
        for column, labels in found.items():
            named = zip(wide.names, labels, strict=True)
            names[LABELS.join(label_of(*each) for each in named)] = column
    return names


def opened(tables: Tables, source: SourceFile, mapping: Mapping) -> tuple[Loaded, Mapping]:
    """Load the table of a file; return it with what is left of the mapping."""
    if mapping.query:
        for name, dialect in tables.dialects_of(mapping.query, source.name).items():
            tables.load(tables.sources.get(name, source), dialect)
        said = tables.dialects_of(mapping.query, source.name)
        return tables.load(source, said.get(source.name, mapping.dialect)), mapping
    dialect = mapping.dialect
    if source.format in MARKUP and mapping.explode:
        dialect = replace(dialect, element=mapping.explode)
        mapping = replace(mapping, explode=None)
    return tables.load(source, dialect), mapping


def _count(tables: Tables, query: str) -> int:
    found = tables.database.locked().execute(f"SELECT count(*) FROM ({query}\n)").fetchone()
    return int(found[0]) if found else 0
